//! No content of a file makes the reader panic or hang.

use super::super::edit::{Change, Expressions, Splice};
use super::super::spans::Spans;
use super::*;
use proptest::prelude::*;

/// Pieces that make nearly correct worlds.
fn piece() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "<mvsim_world>",
        "</mvsim_world>",
        "<a>",
        "<a",
        "</a>",
        "<a b='",
        "'",
        "\"",
        "/>",
        "/",
        ">",
        "<",
        "<for var='i' from='1' to='3'>",
        "</for>",
        "<if condition='$f{i>1}'>",
        "</if>",
        "<variable name='v' value='",
        "<include file='",
        "<![CDATA[",
        "]]>",
        "<!--",
        "-->",
        "<?",
        "?>",
        "<!DOCTYPE",
        "&lt;",
        "&#",
        "&",
        ";",
        "${",
        "${v}",
        "|",
        "}",
        "$f{",
        "$env{",
        "$(",
        ")",
        "rand()",
        "1+2",
        "if(",
        ",",
        "?",
        ":",
        "-",
        "^",
        "é",
        "\u{feff}",
        "\n",
    ]);
    prop_oneof![8 => fixed.prop_map(String::from), 1 => any::<String>()]
}

/// Pieces of which any number, one after the other, is well formed.
fn well_formed() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "<a/>",
        "<a b='1'/>",
        "<a b=\"x > y\" ></a>",
        "\n  <a>1 2</a>",
        "<a> é &lt; <![CDATA[<b>]]> <b/> </c>",
        "<b><a c='${v}'>${v}</a>\r\n</b>",
        "<!-- <a> -->",
        " text ",
        "\r\n",
        "\t",
        "<?x y?>",
        "& ",
    ])
}

/// Reads everything in `text`; the place of every problem must lie inside it.
fn read_all(text: &str) {
    let context = Context::new(Options::default());
    let folder = Path::new("/nowhere");
    context.read_world_text("w.xml", folder, text, &mut |element| {
        let body = context.expand_body(element);
        let reader = Reader::new(&context, &body);
        reader.attribute("b");
        reader.own_text();
        reader.f64("a", 0.0, Accept::any());
        reader.numbers("a", &[2]);
        reader.choice("a", 0, &[("x", 1)]);
        reader.finish();
    });
    let (errors, warnings) = context.finish();
    let lines: Vec<&str> = text.split('\n').collect();
    for problem in errors.iter().chain(&warnings) {
        let Place { line, column, .. } = problem.place;
        let width = lines.get(line.saturating_sub(1) as usize).map(|l| l.chars().count());
        assert!(line == 0 || width.is_some_and(|w| column as usize <= w + 1), "{problem} in {text:?}");
    }
}

/// The bytes of every element are where the reader says that it is, and a text in which one is changed is as well formed as before.
fn edit_all(text: &str) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let spans = Spans::of(text);
    let context = Context::new(Options::default());
    context.read_world_text("w.xml", Path::new("/nowhere"), text, &mut |element| {
        let spans = spans.as_ref().expect("what is read has spans");
        let index = spans.at(&element.place).expect("an element where the reader has found one");
        assert_eq!(spans.tag(index), element.tag);
        assert_eq!(spans.text_of(index).is_some(), element.text.is_some(), "{text:?}");
    });
    let Some(spans) = &spans else { return };
    let over = Expressions::Overwrite;
    for index in 0..spans.elements().len() {
        let edits: [Splice; 4] = [
            spans.set_text(index, "1 < 2", over).unwrap(),
            spans.set_attribute(index, "b", "'&\"", over).unwrap(),
            spans.insert_last(index, &["<new/>".to_owned()]),
            spans.remove(index),
        ];
        for edit in edits {
            let (after, back) = Change::of([edit]).apply(text);
            assert!(Spans::of(&after).is_some(), "{text:?} {after:?}");
            assert_eq!(back.apply(&after).0, text);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(text in any::<String>()) {
        read_all(&text);
    }

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read_all(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn nearly_correct_worlds_are_read(pieces in prop::collection::vec(piece(), 0..40)) {
        read_all(&pieces.concat());
        let world = format!("<mvsim_world>{}</mvsim_world>", pieces.concat());
        read_all(&world);
        edit_all(&world);
    }

    /// Whatever the characters of a name: it is read and edited, or refused.
    #[test]
    fn names_of_any_characters_are_read(tag in "\\PC{1,4}", attribute in "\\PC{1,4}", end in "/?/?>") {
        let world = format!("<mvsim_world><a/><{tag} {attribute}='1'{end}<b/></{tag}></mvsim_world>");
        read_all(&world);
        edit_all(&world);
    }

    #[test]
    fn well_formed_worlds_can_be_edited(pieces in prop::collection::vec(well_formed(), 0..12)) {
        edit_all(&format!("<mvsim_world>{}</mvsim_world>", pieces.concat()));
    }

    #[test]
    fn any_value_is_evaluated(pieces in prop::collection::vec(piece(), 0..12)) {
        let context = Context::new(Options::default());
        context.set_variable("v", "${v}${v}");
        let text = pieces.concat().replace("$(", "(");
        let value = context.evaluate(&format!("$f{{{text}}}"), &Place::of_file("f"), Scope::World, &[]);
        prop_assert!(value.is_some() || context.has_errors());
    }

    #[test]
    fn formatted_numbers_read_back_to_six_digits(value in -1e12..1e12f64) {
        let text = super::super::value::format_g(value);
        let back: f64 = text.parse().expect("a number");
        prop_assert!((back - value).abs() <= 5.1e-6 * value.abs());
    }
}
