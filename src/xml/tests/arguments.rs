//! Names of an included file's own.

use super::*;

/// What a world with these variables, of which the user sets some, and an include with these attributes makes of `file`, and the problems.
fn included(variables: &str, set: &[(&str, &str)], attributes: &str, file: &str) -> (String, String) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let world = format!("<mvsim_world>{variables}<include file='i.xml' {attributes}/></mvsim_world>");
    for (name, text) in [("w.xml", world.as_str()), ("i.xml", file), ("deep.xml", "<arguments yaw='7'/><x>${yaw}</x>")]
    {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let variables = set.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let context = Context::new(Options { variables, ..Options::default() });
    let mut seen = Vec::new();
    context.read_world(&folder.path().join("w.xml"), &mut |element| {
        seen.push(Reader::new(&context, element).own_text().unwrap_or_else(|| format!("<{}>", element.tag)));
    });
    context.check_user_variables();
    context.check_taken_variables();
    let loaded = loaded(context, Vec::new());
    let problems = (loaded.errors + &loaded.warnings).replace(&*folder.path().to_string_lossy(), "DIR");
    (seen.join(" "), problems)
}

const FILE: &str = "<!-- ${yaw} --><arguments yaw='0' wide='${yaw}m'/>\n<settings camera='1'/>\n<x>${yaw} ${wide} ${camera} ${yaw|9} ${other|3}</x>";

#[test]
fn a_declared_name_is_what_the_include_gives_or_its_default() {
    let world = "<variable name='yaw' value='1.57'/><variable name='wide' value='2'/><own>${yaw} ${wide}</own>";
    let none = String::new();
    assert_eq!(included(world, &[], "", FILE), ("1.57 2 0 0m 1 0 3".into(), none.clone()));
    // What the include gives is evaluated where it stands, also if it has the name of the argument.
    assert_eq!(included(world, &[], "yaw='${yaw}' wide='${other|4}${yaw}'", FILE).0, "1.57 2 1.57 41.57 1 1.57 3");
    assert_eq!(included("", &[], "yaw='$f{2*3}'", FILE), ("6 6m 1 6 3".into(), none));
    // No environment, either.
    assert_eq!(included("", &[], "", "<arguments PATH='p'/><x>${PATH}</x>").0, "p");
    // Files that a file includes have names of their own.
    let nested = "<arguments yaw='5'/><include file='deep.xml'/><include file='deep.xml' yaw='${yaw}'/>";
    assert_eq!(included("<variable name='yaw' value='1'/><own>${yaw}</own>", &[], "", nested).0, "1 7 5");
}

#[test]
fn a_setting_is_also_what_the_user_sets_if_the_world_has_no_such_variable() {
    assert_eq!(included("", &[("camera", "2")], "", FILE), ("0 0m 2 0 3".into(), String::new()));
    assert_eq!(included("", &[("camera", "2")], "camera='3'", FILE).0, "0 0m 3 0 3");
    let world = "<variable name='camera' value='5'/><own>${camera}</own>";
    assert_eq!(included(world, &[("camera", "2")], "", FILE), ("2 0 0m 1 0 3".into(), String::new()));
    // An argument is not the user's to set.
    let (seen, problems) = included("", &[("yaw", "2")], "", FILE);
    assert_eq!(seen, "0 0m 1 0 3");
    assert!(problems.starts_with("variable \"yaw\": this world has no such variable"), "{problems}");
    assert!(!problems.contains("its default"), "{problems}");
}

#[test]
fn what_may_have_been_meant_otherwise_is_told() {
    // A variable that nothing else uses.
    let (seen, problems) = included("<variable name='camera' value='5'/>", &[], "", FILE);
    assert_eq!(seen, "0 0m 1 0 3");
    assert_eq!(
        problems.trim_end(),
        "DIR/i.xml:2:19: \"camera\" has its default 1, not 5, the value of the world's variable of that name\n  included from DIR/w.xml:1:49\n  \
         hint: camera=\"${camera}\" in the <include …> uses the variable"
    );
    // An attribute that the file does not know.
    let (_, problems) = included("", &[], "yw='1' other='2'", FILE);
    assert_eq!(
        problems.trim_end(),
        "DIR/w.xml:1:36: the included file has no argument \"yw\"\n  accepted: yaw, wide, camera\n  hint: did you mean \"yaw\"?"
    );
    // One without a default has to be given.
    let (_, problems) = included("<variable name='model' value='5'/>", &[], "", "<arguments model=''/><x>${model}</x>");
    assert!(problems.contains("\"model\" is not defined and has no default"), "{problems}");
    let late = "<x/><arguments yaw='0'/>";
    let (_, problems) = included("", &[], "", late);
    assert!(problems.contains("DIR/i.xml:1:5: <arguments> after another tag"), "{problems}");
    let (_, problems) = included("", &[], "", "<arguments yaw=0/>");
    assert!(problems.contains("an attribute value without quotes in <arguments>"), "{problems}");
}
