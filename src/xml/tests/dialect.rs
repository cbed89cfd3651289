//! The XML dialect of world files, and the places of its syntax errors.

use super::*;

fn only(body: &str) -> Element {
    let loaded = read_body(body, |_, _| {});
    assert_eq!(loaded.errors, "");
    assert_eq!(loaded.elements.len(), 1, "{body}");
    loaded.elements[0].clone()
}

fn text_of(body: &str) -> String {
    only(body).text.map(|t| t.value).unwrap_or_default()
}

#[test]
fn end_tags_need_not_match_but_are_reported() {
    let loaded = read_body("<a><x>1</y></a>", |_, _| {});
    assert_eq!(loaded.elements[0].children[0].tag, "x");
    assert_eq!(loaded.warnings, "w.xml:2:8: end tag </y> closes <x>\n  accepted: </x>");
}

#[test]
fn attributes_take_both_quotes_and_raw_angle_brackets() {
    let a = only("<a p=\"$f{if(iY<=3 or iY>=6, 1, 0)}\" q='say \"no\"' ns:r = 'x'/>");
    let values: Vec<_> = a.attributes.iter().map(|a| (&*a.name, &*a.value)).collect();
    assert_eq!(values, [("p", "$f{if(iY<=3 or iY>=6, 1, 0)}"), ("q", "say \"no\""), ("ns:r", "x")]);
    assert_eq!(a.attributes[0].name_place.to_string(), "w.xml:2:4");
    assert_eq!(a.attributes[0].place.to_string(), "w.xml:2:7");
}

#[test]
fn entities_are_decoded_and_unknown_ones_stay() {
    assert_eq!(text_of("<a>&lt;b&gt; &amp;&quot;&apos; &#65;&#x42; &deg; A&B</a>"), "<b> &\"' AB &deg; A&B");
    let a = only("<a p='&lt;&#65;&#x42;&gt; &deg; a & b &amp;amp; &#xD800; &#; &'/>");
    assert_eq!(a.attributes[0].value, "<AB> &deg; a & b &amp; &#xD800; &#; &");
}

#[test]
fn text_is_the_first_run_that_is_not_blank() {
    assert_eq!(text_of("<a> one <b/> two </a>"), "one");
    assert_eq!(text_of("<a> <b/> two <c/> three</a>"), "two");
    assert_eq!(text_of("<a>one<!-- c -->two</a>"), "one");
    assert_eq!(text_of("<a> <![CDATA[x < y]]> </a>"), "x < y");
    assert_eq!(text_of("<a><!-- c --></a>"), "");
    let a = only("<a>\n\n  é <b/></a>");
    assert_eq!(a.text.map(|t| t.place.to_string()), Some("w.xml:4:3".into()));
    let a = only("<a> <![CDATA[x]]></a>");
    assert_eq!(a.text.map(|t| t.place.to_string()), Some("w.xml:2:14".into()));
}

#[test]
fn prologs_comments_and_byte_order_marks_are_skipped() {
    let text = "\u{feff}<?xml version=\"1.0\"?>\n<!DOCTYPE mvsim_world [<!ELEMENT a (b)>]>\n<!-- <x> -- -->\n<?pi x?>\n\
                <mvsim_world version=\"1.0\"><!-- c --><a/></mvsim_world>\n<!-- end -->\n";
    let loaded = read_text(text, |_, _| {});
    assert_eq!((&*loaded.errors, &*loaded.warnings), ("", ""));
    assert_eq!(loaded.elements[0].place.to_string(), "w.xml:5:38");
    let marked = read_text("\u{feff}<mvsim_world><a/></mvsim_world>", |_, _| {});
    assert_eq!(marked.elements[0].place.to_string(), "w.xml:1:14");
}

#[test]
fn columns_count_characters_and_lines_take_either_line_end() {
    let loaded = read_body("<!-- ☃é -->\t<a/>\r\n  <b/>", |_, _| {});
    let places: Vec<_> = loaded.elements.iter().map(|e| e.place.to_string()).collect();
    assert_eq!(places, ["w.xml:2:13", "w.xml:3:3"]);
}

#[test]
fn doubled_attributes_count_once_with_a_warning() {
    let loaded = read_body("<a p='1' p='2'/>", |_, _| {});
    assert_eq!(loaded.elements[0].attribute("p").map(|a| &*a.value), Some("1"));
    assert_eq!(loaded.warnings, "w.xml:2:10: attribute \"p\" is given twice in <a>\n  hint: the first one counts");
}

/// What messages say of names.
const NAME: &str = "letters, digits, \"_\", \":\", \"-\" and \".\", the first one a letter, \"_\" or \":\"";

#[track_caller]
fn fails(text: &str, errors: &str) {
    let loaded = read_text(text, |_, _| {});
    assert_eq!(loaded.errors, errors.replace("NAME", NAME), "{text}");
    assert!(loaded.elements.is_empty(), "{text}");
}

#[test]
fn broken_files_are_errors_with_a_place() {
    fails(
        "<mvsim_world>\n<a>\n <b c='1'>",
        "w.xml:3:2: <b> is never closed\nw.xml:2:1: <a> is never closed\nw.xml:1:1: <mvsim_world> is never closed",
    );
    fails("<mvsim_world>\n </mvsim_world>\n </a>", "w.xml:3:2: end tag </a> closes nothing");
    fails("<mvsim_world>\n <a", "w.xml:2:2: tag not closed: \">\" not found before end of input");
    fails("<mvsim_world>\n <a b='", "w.xml:2:2: attribute value not closed: \"'\" not found before end of input");
    fails("<mvsim_world>\n <!-- a", "w.xml:2:2: comment not closed: \"-->\" not found before end of input");
    fails(
        "<mvsim_world>\n <a b=1/></mvsim_world>",
        "w.xml:2:7: an attribute value without quotes in <a>\n  accepted: name=\"value\", name='value'",
    );
    fails(
        "<mvsim_world>\n <a b/></mvsim_world>",
        "w.xml:2:6: an attribute without = in <a>\n  accepted: name=\"value\", name='value'",
    );
    fails("<mvsim_world>\n < /></mvsim_world>", "w.xml:2:2: a tag without a name");
    fails(
        "<mvsim_world>\n <é//></mvsim_world>",
        "w.xml:2:4: tag name \"é/\" has \"/\" in it\n  accepted: NAME\n  hint: one / ends the tag: <é/>",
    );
    fails("<mvsim_world>\n <1a/></mvsim_world>", "w.xml:2:3: tag name \"1a\" begins with \"1\"\n  accepted: NAME");
    fails(
        "<mvsim_world>\n <a b='' c?d='1'/></mvsim_world>",
        "w.xml:2:11: attribute name \"c?d\" has \"?\" in it\n  accepted: NAME",
    );
    fails(
        "<mvsim_world>\n <a .b='1'/></mvsim_world>",
        "w.xml:2:5: attribute name \".b\" begins with \".\"\n  accepted: NAME",
    );
    fails("\n  garbage", "w.xml:2:3: text outside of all elements\n  hint: the file is XML and starts with a tag");
    fails("", "w.xml: no element in it\n  accepted: <mvsim_world>");
    let deep = format!("<mvsim_world>\n{}", "<a>".repeat(300));
    fails(&deep, "w.xml:2:598: elements nested more than 200 deep");
}

#[test]
fn the_root_is_checked() {
    fails(
        "<!-- c -->\n<world/>",
        "w.xml:2:1: root element is <world>\n  accepted: <mvsim_world>\n  hint: files with classes or sensors are read through <include> in a world file",
    );
    for version in ["1.0", "12.34"] {
        let text = format!("<mvsim_world version='{version}'/>");
        assert_eq!(read_text(&text, |_, _| {}).errors, "");
    }
    for version in ["1", "a.b", "1.", ""] {
        let text = format!("<mvsim_world version='{version}'/>");
        assert_eq!(
            read_text(&text, |_, _| {}).errors,
            format!("w.xml:1:23: bad version \"{version}\"\n  accepted: MAJOR.MINOR, as in 1.0")
        );
    }
    let loaded = read_text("<mvsim_world/><a x='1'/>", |_, _| {});
    assert_eq!(loaded.warnings, "w.xml:1:15: <a> behind the world is ignored");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let context = Context::new(Options::default());
    context.read_world(Path::new("/nowhere/x/../w.xml"), &mut |_| {});
    assert!(context.has_errors());
    let loaded = loaded(context, Vec::new());
    assert_eq!(loaded.errors, "/nowhere/w.xml: cannot be read: no such file");
}

#[test]
fn bytes_that_are_not_utf8_are_replaced() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join("w.xml");
    std::fs::write(&path, b"<mvsim_world>\n<!-- caf\xe9 --><a/></mvsim_world>").expect("a file");
    let context = Context::new(Options::default());
    let mut count = 0;
    context.read_world(&path, &mut |_| count += 1);
    let (errors, warnings) = context.finish();
    assert_eq!((count, errors.len(), warnings.len()), (1, 0, 1));
    assert_eq!((warnings[0].place.line, warnings[0].place.column), (2, 9));
}
