//! Files crafted to run forever or to exhaust memory: each load ends soon, with an error that says why.

use super::*;
use std::fs;
use std::process::Command;

/// The first error of a world whose root holds `body`.
fn first_error(body: &str) -> String {
    let (_, loaded) = trace_body(body);
    loaded.errors.lines().next().unwrap_or_default().to_string()
}

#[test]
fn depth_is_bounded_in_every_language() {
    let deep = format!("{}{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
    assert_eq!(first_error(&deep), "DIR/w.xml:2:598: elements nested more than 200 deep");
    let value = |text: &str| first_error(&format!("<a>{text}</a>"));
    for text in ["$f{", "$f{-", "$f{1+sin", "$f{if(1,", "$f{1?", "$f{2^"] {
        let name = text.trim_start_matches("$f{");
        let deep = value(&format!("$f{{{}1}}", format!("{name}(").repeat(50_000)));
        assert!(deep.ends_with("…\": nested more than 100 deep"), "{text}: {deep}");
    }
    let (_, loaded) = trace(&[
        ("w.xml", "<mvsim_world><include file='i.xml'/></mvsim_world>"),
        ("i.xml", &format!("<a>{}1{}</a>", "${a|".repeat(100_000), "}".repeat(100_000))),
    ]);
    assert!(
        loaded.errors.contains("refers to itself, or to a chain of more than 32 others"),
        "{}",
        loaded.errors.len()
    );
}

#[test]
fn loops_without_end_are_refused() {
    assert_eq!(
        first_error("<for var='i' from='1' to='1000000000'><a/></for>"),
        "DIR/w.xml:2:1: a <for> from 1 to 1000000000"
    );
    assert_eq!(
        first_error("<for var='i' from='-9007199254740992' to='9007199254740992'><a/></for>"),
        "DIR/w.xml:2:1: a <for> from -9007199254740992 to 9007199254740992"
    );
    let nested = format!("{}<a/>{}", "<for var='i' from='1' to='1000000'>".repeat(100), "</for>".repeat(100));
    let place = 1 + 100 * 35;
    assert_eq!(first_error(&nested), format!("DIR/w.xml:2:{place}: too many elements after loops are expanded"));
}

#[test]
fn bodies_and_their_content_are_counted() {
    let inner = "<a/>".repeat(30_000);
    let heavy = format!("<mvsim_world><for var='i' from='1' to='100000'><block>{inner}</block></for></mvsim_world>");
    let context = Context::new(Options::default());
    let mut count = 0;
    context.read_world_text("w.xml", Path::new("."), &heavy, &mut |_| count += 1);
    assert_eq!(count, 5_000_000 / 30_001);
    assert_eq!(
        loaded(context, Vec::new()).errors,
        "w.xml:1:48: too many elements after loops are expanded\n  \
         accepted: at most 200000, with at most 5000000 tags and attributes in them"
    );
}

#[test]
fn includes_that_double_themselves_end() {
    let names: Vec<String> = (0..31).map(|i| format!("{i}.xml")).collect();
    let texts: Vec<String> = (1..32).map(|i| format!("<include file='{i}.xml'/><include file='{i}.xml'/>")).collect();
    let mut files = vec![("w.xml", "<mvsim_world><include file='0.xml'/></mvsim_world>"), ("31.xml", "<a/>")];
    files.extend(names.iter().zip(&texts).map(|(n, t)| (n.as_str(), t.as_str())));
    let (_, loaded) = trace(&files);
    let error = "too many loop rounds and includes in this world";
    assert!(loaded.errors.contains(error), "{}", loaded.errors);
    assert!(loaded.errors.contains("accepted: at most 4000000 loop rounds or 50000 includes"));
}

#[test]
fn a_file_that_includes_itself_by_another_name_is_detected() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("w.xml", "<mvsim_world>\n<include file='link.xml'/><include file='a.xml'/></mvsim_world>");
    write("a.xml", "<include file='dir/../other.xml'/>");
    fs::create_dir(folder.path().join("dir")).unwrap();
    std::os::unix::fs::symlink("w.xml", folder.path().join("link.xml")).unwrap();
    std::os::unix::fs::symlink("a.xml", folder.path().join("other.xml")).unwrap();
    let context = Context::new(Options::default());
    context.read_world(&folder.path().join("w.xml"), &mut |_| {});
    let errors = loaded(context, Vec::new()).errors.replace(&folder.path().display().to_string(), "DIR");
    assert_eq!(
        errors,
        "DIR/w.xml:2:16: \"DIR/link.xml\" includes itself\n\
         DIR/a.xml:1:16: \"DIR/other.xml\" includes itself\n  included from DIR/w.xml:2:27"
    );
}

#[test]
fn only_regular_files_of_limited_length_are_included() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.xml");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let long = folder.path().join("long.xml");
    fs::File::create(&long).unwrap().set_len(100 << 20).unwrap();
    let text = format!(
        "<mvsim_world><include file='{}'/>\n<include file='{}'/>\n<include file='/dev/zero'/>\n<include file='/'/></mvsim_world>",
        pipe.display(),
        long.display()
    );
    let errors = read_text(&text, |_, _| {}).errors.replace(&folder.path().display().to_string(), "DIR");
    assert_eq!(
        errors,
        "w.xml:1:29: \"DIR/pipe.xml\" cannot be read: it is a FIFO\n  accepted: a regular file\n\
         w.xml:2:16: \"DIR/long.xml\" cannot be read: it is longer than 32 MiB\n\
         w.xml:3:16: \"/dev/zero\" cannot be read: it is a device\n  accepted: a regular file\n\
         w.xml:4:16: \"/\" cannot be read: it is a folder\n  accepted: a regular file"
    );
    let context = Context::new(Options::default());
    context.read_world(Path::new("/dev/zero"), &mut |_| {});
    assert_eq!(
        loaded(context, Vec::new()).errors,
        "/dev/zero: cannot be read: it is a device\n  accepted: a regular file"
    );
}

#[test]
fn values_that_grow_are_stopped() {
    let body = "<variable name='a' value='0123456789'/>\n\
                <for var='i' from='1' to='1000'><variable name='a' value='${a}${a}'/></for>";
    let (_, loaded) = trace_body(body);
    let errors: Vec<&str> = loaded.errors.lines().collect();
    assert_eq!(
        errors,
        [
            "DIR/w.xml:3:59: substitution would make it longer than 4 MiB",
            "DIR/w.xml:3:59: more than 512 MiB of text in the files and expansions of this world",
        ]
    );
    // A value that refers to itself twice, through a variable that is set as text.
    let context = Context::new(Options::default());
    context.set_variable("a", "${a}${a}");
    assert_eq!(context.evaluate("${a}", &Place::of_file("f"), Scope::World, &[]), None);
    assert_eq!(loaded_errors(context), "f: substitution would make it longer than 4 MiB");
}

fn loaded_errors(context: Context) -> String {
    loaded(context, Vec::new()).errors
}

#[test]
fn long_values_take_linear_time() {
    let million = 1_000_000;
    let (seen, loaded) = trace_body(&format!("<a>$f{{{}}}</a>", vec!["1"; million].join("+")));
    assert_eq!((seen, &*loaded.errors), (vec!["a=1e+06".to_string()], ""));
    for piece in ["&", "&#", "${", "$f{", "]]>", "&amp;", "|", "<![CDATA["] {
        // It may be an error or not, but it must end.
        let long = piece.repeat(million / piece.len());
        read_body(&format!("<a b='{}'>{long}</a>", long.replace('<', "&lt;")), |context, element| {
            let reader = Reader::new(context, element);
            reader.attribute("b");
            reader.own_text();
        });
    }
}

#[test]
fn tags_and_attributes_of_a_file_are_counted() {
    let error = first_error(&"<a/>\n".repeat(1_000_001));
    assert_eq!(error, "DIR/w.xml:1000001:1: more than 1000000 tags and attributes in one file");
    let attributes: String = (0..1001).map(|i| format!(" a{i}='1'")).collect();
    assert_eq!(first_error(&format!("<b{attributes}/>")), "DIR/w.xml:2:1: more than 1000 attributes in <b>");
}

#[test]
fn messages_stay_readable() {
    let (_, loaded) = trace_body(&format!("<a>${{{}}}</a>", "é".repeat(1_000_000)));
    assert!(loaded.errors.len() < 5000 && loaded.errors.contains("é…\n  hint: "), "{}", loaded.errors.len());
    let many = "<b/>".repeat(100_000);
    let loaded = read_body(&format!("<a>{many}</a>"), |context, element| {
        let reader = Reader::new(context, element);
        for name in 0..30 {
            reader.has(&format!("name{name}"));
        }
        reader.finish();
    });
    assert_eq!(loaded.warnings.lines().filter(|line| line.contains("unknown tag")).count(), 1000);
    assert!(loaded.warnings.ends_with(": not shown: 99000 more problems up to here"));
}
