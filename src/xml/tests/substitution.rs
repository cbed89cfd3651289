//! Substitution of `$…`.

use super::*;

/// The text of `<x>` of an included file with this text in it, and the errors.
fn included(text: &str, include: &str) -> (String, String) {
    let world = format!(
        "<mvsim_world><variable name='USER' value='u'/><variable name='Both' value='user'/><include file='i.xml' {include}/></mvsim_world>"
    );
    let mut raw = String::new();
    let loaded = read_files(&[("w.xml", &world), ("i.xml", &format!("<x>{text}</x>"))], |_, element| {
        raw = element.text.as_ref().map(|t| t.value.clone()).unwrap_or_default();
    });
    let head = loaded.errors.lines().next().unwrap_or_default();
    (raw, head.to_string())
}

#[test]
fn included_files_use_attributes_variables_environment_and_defaults_in_this_order() {
    for (text, value) in [
        ("${a}", "1"),
        ("${USER}", "u"),
        ("${Both}", "attribute"),
        ("${PATH}", &*std::env::var("PATH").unwrap_or_default()),
        ("${none|5}", "5"),
        ("${none|a b c}", "a b c"),
        ("${none|${a}}", "1"),
        ("${none|${other|${USER}}}", "u"),
        ("${a|9}", "1"),
        ("${e}", "$f{1920/2}"),
        ("${chain}", "<1>"),
        ("$f{1/${a|10}}", "$f{1/1}"),
        ("${a}${a}-${a}", "11-1"),
    ] {
        let attributes = "a='1' Both='attribute' e='$f{1920/2}' chain='&amp;lt;${a}&amp;gt;'";
        assert_eq!(included(text, attributes), (value.to_string(), String::new()), "{text}");
    }
}

/// Those that the include gives, that are without a default, and that the world names for its included files alone are meant.
#[test]
fn a_variable_that_the_world_uses_and_an_included_file_takes_for_its_own_is_told() {
    let world = "<mvsim_world>\n<variable name='x' value='10'/><variable name='y' value='20'/><variable name='z' value='30'/>\n\
                 <variable name='of_file' value='40'/><variable name='near' value='50'/>\n\
                 <own>$f{x} ${y} ${z} $f{NEAR}</own>\n\
                 <for var='k' from='1' to='2'><include file='i.xml' y='5'/></for>\n</mvsim_world>";
    let file = "<at>${x|0.5} ${y|1}\n${z} ${of_file|2} ${near|3} ${x|0.5}</at>";
    let (seen, loaded) = trace(&[("w.xml", world), ("i.xml", file)]);
    assert_eq!(seen, ["own=10 20 30 50", "at=10 5\n30 40 50 10", "at=10 5\n30 40 50 10"]);
    let reported = |at: &str, name: &str, default: &str, value: &str| {
        format!(
            "DIR/i.xml:{at}: \"${{{name}|{default}}}\" is {value}, from the world's variable of that name, not its default\n  \
             included from DIR/w.xml:5:30\n  \
             hint: {name}=\"{default}\" in the <include …> keeps the default; or rename the variable\n"
        )
    };
    let all = [("1:5", "x", "0.5", "10"), ("2:19", "near", "3", "50"), ("2:29", "x", "0.5", "10")];
    let expected: String = all.map(|(at, name, default, value)| reported(at, name, default, value)).concat();
    assert_eq!((loaded.errors.as_str(), loaded.warnings.trim_end()), ("", expected.trim_end()));
}

#[test]
fn missing_names_are_errors_even_in_comments_and_with_empty_defaults() {
    for text in ["${none}", "${none|}", "<!-- ${none} -->"] {
        let at = 4 + text.find('$').unwrap_or(0);
        let error = format!("DIR/i.xml:1:{at}: \"none\" is not defined and has no default");
        assert_eq!(included(text, "").1, error, "{text}");
    }
    assert_eq!(included("${none", "").1, "DIR/i.xml:1:4: \"${\" without its \"}\"");
}

#[test]
fn values_that_refer_to_themselves_are_refused() {
    assert_eq!(
        included("${a}", "a='${b}' b='${a}'").1,
        "DIR/i.xml:1:4: \"${b}\" refers to itself, or to a chain of more than 32 others"
    );
    let wide = "a='${b}${b}${b}${b}${b}${b}${b}${b}' b='${c}${c}${c}${c}${c}${c}${c}${c}' c='${d}${d}${d}${d}${d}${d}${d}${d}' \
                d='${e}${e}${e}${e}${e}${e}${e}${e}' e='${f}${f}${f}${f}${f}${f}${f}${f}' f='01234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789'";
    assert_eq!(
        included("${a}${a}${a}${a}${a}${a}${a}${a}", wide).1,
        "DIR/i.xml:1:32: substitution would make it longer than 32 MiB"
    );
}

#[test]
fn the_directory_of_an_included_file_is_known_to_it() {
    let (raw, errors) = included("${MVSIM_CURRENT_FILE_DIRECTORY}/m.dae", "");
    assert_eq!(errors, "");
    assert!(raw.starts_with('/') && raw.ends_with("/m.dae"), "{raw}");
}

fn value(text: &str) -> Result<String, String> {
    let context = Context::new(Options::default());
    context.set_variable("A", "2.5m");
    context.set_variable("word", "w");
    context.set_variable("loop", "${loop}x");
    context.set_variable("twice", "$f{A*2}");
    let value = context.evaluate(text, &Place::of_file("f"), Scope::World, &[]);
    let (errors, _) = context.finish();
    value.ok_or_else(|| Problems(errors).to_string())
}

#[test]
fn values_are_replaced_in_rounds() {
    for (text, result) in [
        ("plain", "plain"),
        ("${A}", "2.5m"),
        ("-$f{0.5*A}", "-1.25"),
        ("$f{A} $f{a+1} $f{ 2 }", "2.5 3.5 2"),
        ("${twice}", "5"),
        ("$f{1/3}", "0.333333"),
        ("$f{4077123.456}", "4.07712e+06"),
        ("${ word }", "w"),
        ("$env{PATH}", &*std::env::var("PATH").unwrap_or_default()),
        ("100$", "100$"),
        ("$f{1}$f{2}$f{3}$f{4}$f{5}$f{6}$f{7}$f{8}$f{9}$f{1}$f{2}", "12345678912"),
    ] {
        assert_eq!(value(text), Ok(result.to_string()), "{text}");
    }
}

#[test]
fn bad_values_are_explained() {
    for (text, error) in [
        ("${A|3}", "f: variable \"A|3\" is not defined\n  hint: defaults after \"|\" work in included files only"),
        ("${PATH}", "f: variable \"PATH\" is not defined\n  hint: the environment is $env{PATH}"),
        (
            "$env{NO_SUCH_NAME_IN_ANY_ENVIRONMENT}",
            "f: environment variable \"NO_SUCH_NAME_IN_ANY_ENVIRONMENT\" is not set",
        ),
        (
            "$(echo 1)",
            "f: \"$(echo 1)\" would run a command\n  hint: commands in world files need permission, such as --allow-commands",
        ),
        ("$f{word*2}", "f: bad expression \"word*2\": \"word\" is not a variable that holds a number"),
        ("$f{1", "f: \"$f{\" without its \"}\""),
        ("${A", "f: \"${\" without its \"}\""),
        ("${loop}", "f: more than 100 rounds of substitution in one value"),
    ] {
        assert_eq!(value(text), Err(error.to_string()), "{text}");
    }
}

#[test]
fn commands_run_where_allowed() {
    let context = Context::new(Options { allow_commands: true, ..Options::default() });
    let place = Place::of_file("f");
    let run = |text: &str| context.evaluate(text, &place, Scope::World, &[]);
    assert_eq!(run("<$(printf ' a\\nb\\n')>").as_deref(), Some("<ab>"));
    assert_eq!(run("$(exit 3)"), None);
    let (errors, _) = context.finish();
    assert_eq!(Problems(errors).to_string(), "f: command \"exit 3\" failed: exit status: 3");
}

#[test]
fn the_constant_scope_has_given_names_only() {
    let context = Context::new(Options::default());
    context.set_variable("A", "1");
    let place = Place::of_file("f");
    let names = [("NAME".to_string(), "r1".to_string())];
    assert_eq!(context.evaluate("${NAME}$f{1+1}", &place, Scope::Constant, &names).as_deref(), Some("r12"));
    assert_eq!(context.evaluate("${A}", &place, Scope::Constant, &names), None);
    assert_eq!(context.evaluate("$f{A}", &place, Scope::Constant, &names), None);
    let (errors, _) = context.finish();
    assert_eq!(
        Problems(errors).to_string(),
        "f: variable \"A\" cannot be used here\n  hint: use it in an included file, where variables are replaced as text\n\
         f: bad expression \"A\": \"A\" is not a variable that holds a number"
    );
}

#[test]
fn seeds_make_loads_repeatable() {
    let draw = |seed| {
        let context = Context::new(Options { seed, ..Options::default() });
        context.evaluate("$f{rand()} $f{randn()}", &Place::of_file("f"), Scope::World, &[])
    };
    assert_eq!(draw(None), draw(Some(0)));
    assert_eq!(draw(Some(5)), draw(Some(5)));
    assert_ne!(draw(Some(5)), draw(Some(6)));
    assert_ne!(draw(Some(5)), draw(Some(5 + (1 << 32))));
    // 3499211612 / 2^32 for the default seed of MT19937.
    assert!(draw(Some(5489)).is_some_and(|text| text.starts_with("0.814724 ")));
}
