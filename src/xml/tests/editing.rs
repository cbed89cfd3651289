//! Changes of a text in place.

use super::super::edit::{Change, Expression, Expressions, Splice};
use super::super::spans::Spans;

/// The text after a change of the first element with this tag, which the change taken back restores.
#[track_caller]
fn edited(text: &str, tag: &str, edit: impl Fn(&Spans<'_>, usize) -> Vec<Splice>) -> String {
    let spans = Spans::of(text).unwrap();
    let element = (0..spans.elements().len()).find(|&index| spans.tag(index) == tag).unwrap();
    let (after, back) = Change::of(edit(&spans, element)).apply(text);
    assert_eq!(back.apply(&after).0, text, "it can be taken back");
    assert!(Spans::of(&after).is_some(), "{after}");
    after
}

fn numbers(text: &str, values: &[f64]) -> String {
    edited(text, "p", |spans, p| spans.set_numbers(p, values, Expressions::Keep).unwrap())
}

#[test]
fn only_the_numbers_that_differ_are_written_anew() {
    assert_eq!(numbers("<p> 1.50\t-2  90.0 </p>", &[1.5, -2.25, 90.0]), "<p> 1.50\t-2.25  90.0 </p>");
    assert_eq!(numbers("<p>1 2</p>", &[1.0, 2.0, 3.0]), "<p>1 2 3</p>");
    assert_eq!(numbers("<p/>", &[1.0, 2.0]), "<p>1 2</p>");
    assert_eq!(numbers("<p x='1' />", &[1.0]), "<p x='1'>1</p>");
    assert_eq!(numbers("<p><!-- none --></p>", &[1.0]), "<p>1<!-- none --></p>");
}

#[test]
fn expressions_are_refused_or_overwritten() {
    let text = "<a><p>$f{1 + 2} 0 0</p><q color='${c}'/></a>";
    let spans = Spans::of(text).unwrap();
    let written = Expression("$f{1 + 2} 0 0".into());
    assert_eq!(spans.set_numbers(1, &[1.0, 2.0, 3.0], Expressions::Keep), Err(written.clone()));
    assert_eq!(spans.set_text(1, "x", Expressions::Keep), Err(written));
    assert_eq!(spans.set_attribute(2, "color", "#fff", Expressions::Keep), Err(Expression("${c}".into())));
    let over = |spans: &Spans<'_>, p| spans.set_numbers(p, &[1.0, 2.0, 3.0], Expressions::Overwrite).unwrap();
    assert_eq!(edited(text, "p", over), "<a><p>1 2 3</p><q color='${c}'/></a>");
}

#[test]
fn attributes_keep_their_quotes_and_new_ones_come_last() {
    let set = |name: &'static str, value: &'static str| {
        move |spans: &Spans<'_>, element| vec![spans.set_attribute(element, name, value, Expressions::Keep).unwrap()]
    };
    assert_eq!(
        edited("<a x='1'  y = \"2\" />", "a", set("x", "<'&\">")),
        "<a x='&lt;&apos;&amp;&quot;&gt;'  y = \"2\" />"
    );
    assert_eq!(edited("<a x='1' />", "a", set("z", "3")), "<a x='1' z=\"3\" />");
    assert_eq!(edited("<a></a>", "a", set("z", "3")), "<a z=\"3\"></a>");
}

#[test]
fn new_elements_are_indented_like_their_siblings() {
    let lines = ["<v>".to_string(), "  <p/>".to_string(), "</v>".to_string()];
    let insert = |text: &str| edited(text, "w", |spans, w| vec![spans.insert_last(w, &lines)]);
    assert_eq!(
        insert("<w>\n\t<a/> <!-- last -->\n</w>\n"),
        "<w>\n\t<a/>\n\t<v>\n\t  <p/>\n\t</v> <!-- last -->\n</w>\n"
    );
    assert_eq!(insert("<w>\r\n    <a/>\r\n</w>"), "<w>\r\n    <a/>\r\n    <v>\r\n      <p/>\r\n    </v>\r\n</w>");
    assert_eq!(insert("<w> <a/> <b/> </w>"), "<w> <a/> <b/> <v> <p/> </v> </w>");
    assert_eq!(insert("  <w/>"), "  <w>\n    <v>\n      <p/>\n    </v>\n  </w>");
    assert_eq!(insert("<w></w>"), "<w>\n  <v>\n    <p/>\n  </v>\n</w>");
    assert_eq!(insert("<w>\n  <!-- empty -->\n</w>\n"), "<w>\n  <!-- empty -->\n  <v>\n    <p/>\n  </v>\n</w>\n");
}

#[test]
fn a_removed_element_takes_its_line_along() {
    let remove = |text: &str| edited(text, "a", |spans, a| vec![spans.remove(a)]);
    assert_eq!(remove("<w>\n  <a>\n  </a>  \n  <b/>\n</w>"), "<w>\n  <b/>\n</w>");
    assert_eq!(remove("<w>\r\n  <a/>\r\n</w>"), "<w>\r\n</w>");
    assert_eq!(remove("<w> <b/> <a/> <c/> </w>"), "<w> <b/> <c/> </w>");
    assert_eq!(remove("<w>\n  <a/> <!-- why -->\n</w>"), "<w>\n   <!-- why -->\n</w>");
    assert_eq!(remove("<w><a/></w>"), "<w></w>");
}
