//! `include`, `variable`, `for`, `if`.

use super::*;

#[test]
fn loops_run_all_rounds_of_a_child_before_the_next() {
    let (seen, loaded) = trace_body(
        "<for var='i' from='1' to='$f{1+1}'>\n<a>${i}</a>\n<for var='j' from='8' to='9.9'><b>${i}${j}</b></for>\n</for><c>${i} ${j}</c>",
    );
    assert_eq!(seen, ["a=1", "a=2", "b=18", "b=19", "b=28", "b=29", "c=2 9"]);
    assert_eq!((&*loaded.errors, &*loaded.warnings), ("", ""));
}

#[test]
fn empty_loops_do_nothing() {
    let (seen, loaded) = trace_body("<for var='i' from='2' to='1'><a/></for><for var='i' from='1' to='3'/>");
    assert!(seen.is_empty());
    assert_eq!(loaded.warnings, "DIR/w.xml:2:40: the <for> is empty");
}

#[test]
fn bad_loops_are_errors() {
    let (_, loaded) = trace_body(
        "<for from='x' to='3'><a/></for>\n<for var='i' from='1' to='1e5'><a/></for>\n<for var='i' from='0' to='1e6'><a/></for>",
    );
    assert_eq!(
        loaded.errors,
        "DIR/w.xml:2:1: missing attribute \"var\" in <for>\n\
         DIR/w.xml:2:12: bad value \"x\" for attribute \"from\" in <for>\n  accepted: a whole number\n\
         DIR/w.xml:4:1: a <for> from 0 to 1000000\n  accepted: at most 1000000 rounds"
    );
}

#[test]
fn the_work_of_a_world_is_bounded() {
    let context = Context::new(Options::default());
    context.work.set(super::super::flow::MAX_WORK - 5);
    let text = "<mvsim_world><for var='i' from='1' to='9'><for var='j' from='1' to='2'><a/></for></for></mvsim_world>";
    let mut count = 0;
    context.read_world_text("w.xml", Path::new("."), text, &mut |_| count += 1);
    let loaded = loaded(context, Vec::new());
    assert_eq!(count, 2);
    assert_eq!(
        loaded.errors,
        "w.xml:1:43: too many loop rounds and includes in this world\n  accepted: at most 4000000 loop rounds or 50000 includes"
    );
}

#[test]
fn variables_are_global_and_evaluated_when_set() {
    let (seen, loaded) = trace_body(
        "<variable name='A' value='2'/><variable name='B' value='$f{A*2}'/>\n<if condition='1'><variable name='A' value='5'/></if>\n<x>${A} ${B} $f{a+b}</x><y>${C}</y><variable name='D'/>",
    );
    assert_eq!(seen, ["x=5 4 9", "y="]);
    assert_eq!(
        loaded.errors,
        "DIR/w.xml:4:28: variable \"C\" is not defined\n  hint: <variable name=\"C\" value=\"…\"/> before it defines it\n\
         DIR/w.xml:4:36: missing attribute \"value\" in <variable>"
    );
}

#[test]
fn conditions_choose() {
    let (seen, loaded) = trace_body(
        "<if condition='yes'><a/></if><if condition='false'><b/></if><if condition='$f{2>1}'><c/></if><if><d/></if>",
    );
    assert_eq!(seen, ["a=", "c="]);
    assert_eq!(loaded.errors, "DIR/w.xml:2:94: missing attribute \"condition\" in <if>");
}

#[test]
fn unknown_attributes_of_flow_tags_are_warned_of_once() {
    let (_, loaded) = trace_body("<for var='i' from='1' to='9'><if condition='0' then='x'/></for>");
    assert_eq!(loaded.warnings, "DIR/w.xml:2:48: unknown attribute \"then\" in <if>\n  accepted: condition");
}

#[test]
fn includes_are_replaced_in_place_with_their_own_directory() {
    let (seen, loaded) = trace(&[
        (
            "w.xml",
            "<mvsim_world><a/><include file='sub/one.xml' v='7'/><variable name='X' value='${Y}'/><b>${X}</b></mvsim_world>",
        ),
        ("sub/one.xml", "<one>${v}</one>\n<variable name='Y' value='y'/><include file='${d|deep}/two.xml'/><last/>"),
        ("sub/deep/two.xml", "<two>${v|none}</two>"),
    ]);
    assert_eq!(loaded.errors, "");
    assert_eq!(seen, ["a=", "one=7", "two=none", "last=", "b=y"]);
    assert!(loaded.elements[2].directory.ends_with("sub/deep"));
}

#[test]
fn problems_in_included_files_name_the_chain() {
    let (_, loaded) = trace(&[
        ("w.xml", "<mvsim_world>\n  <include file='one.xml'/>\n</mvsim_world>"),
        ("one.xml", "\n <include file='../DIR2/none.xml'/>\n<include file='two.xml' v='wide value'/><a>${U}</a>"),
        ("two.xml", "<x>${v} ${v} $f{</x>"),
    ]);
    assert_eq!(
        loaded.errors,
        "DIR/one.xml:3:44: \"U\" is not defined and has no default\n  included from DIR/w.xml:2:3\n  \
         hint: give it in the <include …> as U=\"…\", or a default as ${U|…}"
    );
    let (_, loaded) = trace(&[
        ("w.xml", "<mvsim_world>\n  <include file='one.xml'/>\n</mvsim_world>"),
        ("one.xml", "\n <include file='none.xml'/>\n<include file='two.xml' v='wide value'/>"),
        ("two.xml", "<a>${v}</a><b>${v}</b>\n<c>${v} $f{}</c>"),
    ]);
    assert_eq!(
        loaded.errors,
        "DIR/one.xml:2:17: \"DIR/none.xml\" cannot be read: no such file\n  included from DIR/w.xml:2:3\n\
         DIR/two.xml:2:4: bad expression \"\": a value expected, the end found\n  included from DIR/one.xml:3:1\n  included from DIR/w.xml:2:3"
    );
    // Columns refer to the original file, not to the substituted text.
    assert_eq!(loaded.elements[1].place.column, 12);
}

#[test]
fn include_cycles_and_long_chains_are_refused() {
    let (_, loaded) = trace(&[
        ("w.xml", "<mvsim_world><include file='a.xml'/></mvsim_world>"),
        ("a.xml", "<include file='b.xml'/>"),
        ("b.xml", "<include file='./a.xml'/><include file='w.xml'/><include file='b.xml'/>"),
    ]);
    let chain = "  included from DIR/a.xml:1:1\n  included from DIR/w.xml:1:14";
    assert_eq!(
        loaded.errors,
        format!(
            "DIR/b.xml:1:16: \"DIR/a.xml\" includes itself\n{chain}\n\
             DIR/b.xml:1:41: \"DIR/w.xml\" includes itself\n{chain}\n\
             DIR/b.xml:1:64: \"DIR/b.xml\" includes itself\n{chain}"
        )
    );
    let names: Vec<String> = (0..40).map(|i| format!("{i}.xml")).collect();
    let texts: Vec<String> = (1..41).map(|i| format!("<include file='{i}.xml'/>")).collect();
    let mut files = vec![("w.xml", "<mvsim_world><include file='0.xml'/></mvsim_world>")];
    files.extend(names.iter().zip(&texts).map(|(n, t)| (n.as_str(), t.as_str())));
    let (_, loaded) = trace(&files);
    assert!(
        loaded.errors.starts_with("DIR/31.xml:1:16: includes more than 32 deep\n  included from DIR/30.xml:1:1\n"),
        "{}",
        loaded.errors
    );
}

#[test]
fn only_files_are_included() {
    let (_, loaded) = trace_body("<include file='/dev/zero'/><include file='.'/>");
    assert_eq!(
        loaded.errors,
        "DIR/w.xml:2:16: \"/dev/zero\" cannot be read: it is a device\n  accepted: a regular file\n\
         DIR/w.xml:2:43: \"DIR\" cannot be read: it is a folder\n  accepted: a regular file"
    );
}

#[test]
fn network_includes_are_refused() {
    let (_, loaded) = trace_body("<include file='https://x.org/a.xml'/>");
    assert_eq!(loaded.errors, "DIR/w.xml:2:16: found \"https://x.org/a.xml\"\n  accepted: a file of this machine");
}

const SENSOR: &str = "<sensor name='${n|s}'><topic>${PARENT_NAME}/${NAME}</topic></sensor>";

#[test]
fn includes_and_conditions_of_a_class_are_replaced_in_place() {
    let mut tags = Vec::new();
    let loaded = read_files(
        &[
            ("w.xml", "<mvsim_world><include file='d/c.xml'/></mvsim_world>"),
            (
                "d/c.xml",
                "<vehicle:class name='c'><first/><if condition='true'><include file='s.xml' n='lidar'/><if condition='0'><no/></if></if><last/></vehicle:class>",
            ),
            ("d/s.xml", SENSOR),
        ],
        |context, element| {
            let body = context.expand_body(element);
            tags = body.children.iter().map(|c| c.tag.clone()).collect();
            let sensor = &body.children[1];
            assert_eq!(sensor.attribute("name").map(|a| &*a.value), Some("lidar"));
            let reader = Reader::new(context, sensor).with_name("NAME", "lidar").with_name("PARENT_NAME", "r1");
            assert_eq!(reader.text("topic").as_deref(), Some("r1/lidar"));
        },
    );
    assert_eq!(loaded.errors, "");
    assert_eq!(tags, ["first", "sensor", "last"]);
}

#[test]
fn includes_of_an_instance_come_first_and_its_conditions_are_ignored() {
    let mut tags = Vec::new();
    let loaded = read_files(
        &[
            (
                "w.xml",
                "<mvsim_world><vehicle><a/><include file='s.xml'/><if condition='1'><b/></if></vehicle></mvsim_world>",
            ),
            ("s.xml", SENSOR),
        ],
        |context, element| {
            tags = context.expand_body(element).children.iter().map(|c| c.tag.clone()).collect();
        },
    );
    assert_eq!(loaded.errors, "");
    assert_eq!(tags, ["sensor", "a", "if"]);
}
