//! No content of a file makes the reader panic or hang.

use super::*;
use proptest::prelude::*;

/// Pieces that make nearly correct worlds.
fn piece() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "<mvsim_world>",
        "</mvsim_world>",
        "<a>",
        "</a>",
        "<a b='",
        "'",
        "\"",
        "/>",
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
        read_all(&format!("<mvsim_world>{}</mvsim_world>", pieces.concat()));
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
