//! Peculiarities of MVSim's format that worlds depend on, each as in MVSim 1.2.

use super::*;

#[test]
fn end_tags_may_have_any_name_or_none() {
    let loaded = read_body("<a><model_offset_x>1</model_offset_z><b>2</></a>", |_, _| {});
    assert_eq!(loaded.errors, "");
    let texts: Vec<_> = loaded.elements[0].children.iter().filter_map(|c| c.text.as_ref()).map(|t| &*t.value).collect();
    assert_eq!(texts, ["1", "2"]);
    let warnings: Vec<&str> = loaded.warnings.lines().filter(|line| line.starts_with("w.xml")).collect();
    assert_eq!(
        warnings,
        ["w.xml:2:21: end tag </model_offset_z> closes <model_offset_x>", "w.xml:2:42: end tag </> closes <b>"]
    );
}

#[test]
fn attributes_may_lack_spaces_and_span_several_lines() {
    let loaded = read_body("<a b='1'c=\"2\"\n\td = '3' ></a >", |_, element| {
        let values: Vec<_> = element.attributes.iter().map(|a| (&*a.name, &*a.value)).collect();
        assert_eq!(values, [("b", "1"), ("c", "2"), ("d", "3")]);
    });
    assert_eq!((&*loaded.errors, &*loaded.warnings), ("", ""));
}

#[test]
fn versions_are_two_numbers_and_whatever_follows() {
    for version in ["1.0", " 1.0 ", "1.0.3", "01.2-rc1"] {
        assert_eq!(read_text(&format!("<mvsim_world version='{version}'/>"), |_, _| {}).errors, "", "{version}");
    }
    for version in [".1", "1.x", "v1.0", "1"] {
        let errors = read_text(&format!("<mvsim_world version='{version}'/>"), |_, _| {}).errors;
        assert!(errors.contains(&format!("bad version \"{version}\"")), "{errors}");
    }
}

#[test]
fn a_seeded_layout_has_the_published_numbers_in_the_order_of_the_loops() {
    // Outputs of MT19937 with seed 5489, each divided by 2³². All rounds of the first child draw before those of the second.
    let bits = [3_499_211_612_u32, 581_869_302, 3_890_346_734, 3_586_334_585, 545_404_204, 4_161_255_391];
    let expected: Vec<f64> = bits.map(|bits| f64::from(bits) * 2.328_306_437_080_797_4e-10).to_vec();
    let body = "<variable name='_' value='$f{randomize(5489)}'/>\n\
                <for var='i' from='1' to='2'><a>$f{rand()} $f{rand()}</a><b>$f{unifrnd(0, 1)}</b></for>";
    let read = || -> Vec<f64> {
        let (seen, loaded) = trace_body(body);
        assert_eq!(loaded.errors, "");
        assert_eq!(seen.iter().map(|text| &text[..2]).collect::<Vec<_>>(), ["a=", "a=", "b=", "b="]);
        seen.iter().flat_map(|text| text[2..].split(' ')).map(|number| number.parse().unwrap()).collect()
    };
    let numbers = read();
    assert_eq!(numbers.len(), 6);
    for (number, expected) in numbers.iter().zip(&expected) {
        assert!((number - expected).abs() < 1e-6, "{number}, not {expected}");
    }
    assert_eq!(read(), numbers);
}

#[test]
fn loops_conditions_and_includes_nest() {
    let (seen, loaded) = trace(&[
        (
            "w.xml",
            "<mvsim_world><for var='i' from='1' to='3'><if condition='$f{i <> 2}'><include file='d/i.xml' n='$f{i*10}'/></if></for><z>${i}</z></mvsim_world>",
        ),
        (
            "d/i.xml",
            "<variable name='last' value='${n}'/><if condition='${i}'><for var='j' from='1' to='${i}'><a>${n} ${j} ${i}</a></for></if>",
        ),
    ]);
    assert_eq!(
        loaded.errors,
        "DIR/d/i.xml:1:98: \"j\" is not defined and has no default\n  included from DIR/w.xml:1:70\n  hint: give it in the <include …> as j=\"…\", or a default as ${j|…}"
    );
    assert_eq!(seen, ["z=3"]);
    // Variables that an included file sets are for expressions only: its text is substituted earlier.
    let (seen, loaded) = trace(&[
        (
            "w.xml",
            "<mvsim_world><for var='i' from='1' to='3'><if condition='$f{i <> 2}'><include file='d/i.xml' n='$f{i*10}'/></if></for><z>${i} ${last}</z></mvsim_world>",
        ),
        ("d/i.xml", "<variable name='last' value='${n}'/><for var='j' from='1' to='${i}'><a>${n} $f{j} ${i}</a></for>"),
    ]);
    assert_eq!(loaded.errors, "");
    assert_eq!(seen, ["a=10 1 1", "a=30 1 3", "a=30 2 3", "a=30 3 3", "z=3 30"]);
}

#[test]
fn a_loop_variable_stays_at_its_last_value_and_an_empty_loop_sets_none() {
    let (seen, loaded) = trace_body(
        "<for var='i' from='2' to='5.9'><a/></for><x>${i}</x><for var='k' from='1' to='0'><a/></for><y>${k}</y>",
    );
    assert_eq!(seen, ["a=", "a=", "a=", "a=", "x=5", "y="]);
    assert!(loaded.errors.starts_with("DIR/w.xml:2:95: variable \"k\" is not defined"), "{}", loaded.errors);
}

#[test]
fn deferred_names_lose_their_default() {
    let mut topic = String::new();
    let loaded = read_files(
        &[
            ("w.xml", "<mvsim_world><vehicle><include file='s.xml' NAME='x'/></vehicle></mvsim_world>"),
            ("s.xml", "<sensor><topic>${PARENT_NAME|none}/${NAME}/${other|${NAME}}</topic></sensor>"),
        ],
        |context, element| {
            let body = context.expand_body(element);
            let reader = Reader::new(context, &body.children[0]).with_name("NAME", "s").with_name("PARENT_NAME", "r");
            topic = reader.text("topic").unwrap_or_default();
        },
    );
    assert_eq!(loaded.errors, "");
    assert_eq!(topic, "r/s/s");
}

#[test]
fn includes_of_a_class_are_searched_beside_the_class_first() {
    let mut tags = Vec::new();
    let loaded = read_files(
        &[
            ("w.xml", "<mvsim_world><include file='d/c.xml'/></mvsim_world>"),
            ("d/c.xml", "<vehicle:class name='c'><include file='sub/s.xml'/></vehicle:class>"),
            ("d/sub/s.xml", "<include file='both.xml'/><include file='own.xml'/>"),
            ("d/both.xml", "<beside_the_class/>"),
            ("d/sub/both.xml", "<beside_the_file/>"),
            ("d/sub/own.xml", "<own/>"),
        ],
        |context, element| {
            tags = context.expand_body(element).children.iter().map(|c| c.tag.clone()).collect();
        },
    );
    assert_eq!(loaded.errors, "");
    assert_eq!(tags, ["beside_the_class", "own"]);
}

#[test]
fn names_are_evaluated_if_possible_and_otherwise_kept_as_written() {
    let body = "<variable name='i' value='7'/>\n<a name='x${i}' b='x${j}' c='$f{rand()' d='n$f{i+1}' e='${j|bob} ' f='${PATH}' g='${i}${j|2}'/>";
    let loaded = read_body(body, |context, element| {
        let reader = Reader::new(context, element);
        let before = context.generator.borrow().clone();
        for (name, value) in [("name", "x7"), ("b", "x${j}"), ("c", "$f{rand()"), ("d", "n8"), ("none", "")] {
            assert_eq!(reader.attribute_or_written(name).unwrap_or_default(), value);
        }
        assert!(!context.has_errors());
        let path = std::env::var("PATH").unwrap_or_default();
        for (name, value) in [("name", "x7"), ("e", "bob"), ("f", &*path), ("g", "72"), ("d", "n8")] {
            assert_eq!(reader.attribute_or_default(name).as_deref(), Some(value));
        }
        assert!(!context.has_errors());
        assert_eq!(reader.attribute_or_default("b"), None);
        let bits = |generator: &Generator| generator.clone().bits();
        assert_eq!(bits(&before), bits(&context.generator.borrow()));
    });
    assert_eq!(
        loaded.errors,
        "w.xml:3:20: variable \"j\" is not defined\n  hint: <variable name=\"j\" value=\"…\"/> before it defines it"
    );
}

#[test]
fn variables_are_case_sensitive_and_expressions_use_the_closest() {
    let (seen, loaded) = trace_body(
        "<variable name='Ab' value='1'/><variable name='aB' value='2'/><variable name='w' value='word'/>\n\
         <x>${Ab} ${aB} $f{Ab} $f{aB} $f{AB}</x><y>${AB}</y><z>$f{W}</z>",
    );
    assert_eq!(seen, ["x=1 2 1 2 1", "y=", "z="]);
    assert!(loaded.errors.starts_with("DIR/w.xml:3:43: variable \"AB\" is not defined"), "{}", loaded.errors);
    assert!(loaded.errors.contains("\"W\" is not a variable that holds a number"));
}

#[test]
fn a_restarted_load_reads_nothing_twice_and_resets_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let (included, count) = (folder.path().join("i.xml"), folder.path().join("count"));
    std::fs::write(&included, b"<a>caf\xe9 ${v}</a>").unwrap();
    let text = format!(
        "<mvsim_world><variable name='v' value='$(echo x >> {0}; wc -l &lt; {0})'/><include file='i.xml'/>\n<b>$f{{rand()}} $(exit 3)</b></mvsim_world>",
        count.display()
    );
    let read = |context: &Context| {
        let mut texts = Vec::new();
        context.read_world_text("w.xml", folder.path(), &text, &mut |element| {
            texts.push(Reader::new(context, element).own_text());
        });
        texts
    };
    let first = Context::new(Options { allow_commands: true, ..Options::default() });
    let once = read(&first);
    assert_eq!(once, [Some("caf\u{fffd} 1".to_string()), None]);
    std::fs::remove_file(&included).unwrap();
    let second = Context::restart(first);
    assert_eq!(second.variable("v"), None);
    assert_eq!(read(&second), once);
    assert_eq!(std::fs::read_to_string(&count).unwrap(), "x\n");
    let (errors, warnings) = second.finish();
    assert_eq!(Problems(errors).to_string(), "w.xml:2:4: command \"exit 3\" failed: exit status: 3");
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].message.starts_with("bytes that are not UTF-8"));
}

#[test]
fn commands_with_endless_output_are_stopped() {
    let context = Context::new(Options { allow_commands: true, ..Options::default() });
    assert_eq!(context.evaluate("$(yes)", &Place::of_file("f"), Scope::World, &[]), None);
    assert_eq!(context.evaluate("$(cat)", &Place::of_file("f"), Scope::World, &[]).as_deref(), Some(""));
    let errors = loaded(context, Vec::new()).errors;
    assert_eq!(errors, "f: command \"yes\" writes more than 4194304 bytes");
}

#[test]
fn assets_are_found_by_address_and_missing_ones_are_warnings() {
    let mut paths = Vec::new();
    let loaded = read_files(
        &[("w.xml", "<mvsim_world><sky><face>s%s.png</face></sky></mvsim_world>"), ("s2.png", "")],
        |context, element| {
            let reader = Reader::new(context, element);
            let pattern = reader.text("face").unwrap_or_default();
            for face in ["2", "3"] {
                let address = pattern.replace("%s", face);
                let path = reader.resolve_asset(&address, reader.place_of("face"));
                paths.push(path.and_then(|path| path.file_name().map(|name| name.to_os_string())));
            }
            reader.resolve_asset("https://x.org/a.zip/b.dae", reader.place());
        },
    );
    assert_eq!(paths, [Some("s2.png".into()), None]);
    assert_eq!(loaded.errors, "");
    assert_eq!(
        loaded.warnings,
        "DIR/w.xml:1:25: no file \"DIR/s3.png\" for <sky>\n\
         DIR/w.xml:1:14: offline, and no copy of \"https://x.org/a.zip\" in DIR/cache for <sky>\n  hint: load it once without offline"
    );
}
