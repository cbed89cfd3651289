//! Typed values, layers, and warnings for unknown tags.

use skidpad_files::nearest::nearest;

use super::*;

fn with<T>(body: &str, read: impl Fn(Reader) -> T) -> (T, Loaded) {
    let mut result = None;
    let loaded = read_body(body, |context, element| {
        result = Some(read(Reader::new(context, element)));
    });
    (result.expect("one element"), loaded)
}

#[test]
fn values_are_read_by_type() {
    let body = "<a m='2' on='TRUE' yaw='90' at='1 2' c='#010203' k='two' n='1808.45'><v> 1.5 </v><t>text here</t><d>-180</d>\
                <i>0x10</i><b>0</b><p> 1 \n 2\t3 </p><c>#01020304</c><k>one</k><e/></a>";
    let table = [("one", 1), ("two", 2)];
    let ((), loaded) = with(body, |r| {
        assert_eq!(r.attribute_f64("m", 0.0, Accept::positive()), 2.0);
        assert_eq!(r.attribute_f64("none", 7.0, Accept::positive()), 7.0);
        assert!(r.attribute_bool("on", false));
        assert_eq!(r.attribute_degrees("yaw", 0.0, Accept::any()), std::f64::consts::FRAC_PI_2);
        assert_eq!(r.attribute_numbers("at", &[2, 3]), Some(vec![1.0, 2.0]));
        assert_eq!(r.attribute_color("c", [0; 4]), [1, 2, 3, 255]);
        assert_eq!(r.attribute_choice("k", 0, &table), 2);
        assert_eq!(r.attribute_integer("n", 0, Accept::positive()), 1808);
        assert_eq!(r.f64("v", 0.0, Accept::any()), 1.5);
        assert_eq!(r.optional_f64("none", Accept::any()), None);
        assert_eq!(r.text("t").as_deref(), Some("text here"));
        assert_eq!(r.text("e").as_deref(), Some(""));
        assert_eq!(r.text("none"), None);
        assert_eq!(r.degrees("d", 0.0, Accept::range(-180.0, 180.0)), -std::f64::consts::PI);
        assert_eq!(r.integer("i", 0, Accept::any()), 16);
        assert!(!r.bool("b", true));
        assert_eq!(r.numbers("p", &[3]), Some(vec![1.0, 2.0, 3.0]));
        assert_eq!(r.color("c", [0; 4]), [1, 2, 3, 4]);
        assert_eq!(r.choice("k", 0, &table), 1);
        assert_eq!(r.choice("none", 9, &table), 9);
        assert!(r.has("e") && !r.has("none"));
        assert_eq!(r.child("v").and_then(|v| v.own_f64(Accept::any())), Some(1.5));
        assert_eq!(r.child("p").and_then(|v| v.own_numbers(&[])), Some(vec![1.0, 2.0, 3.0]));
        r.finish();
    });
    assert_eq!((&*loaded.errors, &*loaded.warnings), ("", ""));
}

#[test]
fn bad_values_are_all_reported_where_they_stand() {
    let body = "<f class='x' m='-1'>\n  <a> abc </a>\n  <b>nan</b>\n  <c>$f{2-3}</c>\n  <d>1 2</d>\n  <e>maybe</e>\n  <g>red</g>\n  <h>oen</h>\n  <i/>\n  <j>1,2 3</j></f>";
    let (values, loaded) = with(body, |r| {
        let values = (
            r.attribute_f64("m", 1.0, Accept::positive()),
            r.f64("a", 2.0, Accept::any()),
            r.f64("b", 3.0, Accept::any()),
            r.f64("c", 4.0, Accept::non_negative()),
            r.numbers("d", &[3, 6]),
            r.bool("e", true),
            r.color("g", [9; 4]),
            r.choice("h", 5, &[("one", 1), ("two", 2)]),
            r.integer("i", 6, Accept::range(0.0, 9.0)),
        );
        assert_eq!(r.numbers("j", &[2]), None);
        values
    });
    assert_eq!(values, (1.0, 2.0, 3.0, 4.0, None, true, [9; 4], 5, 6));
    assert_eq!(
        loaded.errors,
        "w.xml:2:17: bad value \"-1\" for attribute \"m\" in <f class=\"x\">\n  accepted: a finite number > 0\n\
         w.xml:3:7: bad value \"abc\" for <a> in <f class=\"x\">\n  accepted: a finite number\n\
         w.xml:4:6: bad value \"nan\" for <b> in <f class=\"x\">\n  accepted: a finite number\n\
         w.xml:5:6: bad value \"-1\" for <c> in <f class=\"x\">\n  accepted: a finite number >= 0\n  hint: the file has \"$f{2-3}\"\n\
         w.xml:6:6: bad value \"1 2\" for <d> in <f class=\"x\">\n  accepted: 3 or 6 finite numbers, separated by blanks\n\
         w.xml:7:6: bad value \"maybe\" for <e> in <f class=\"x\">\n  accepted: true, false, 1, 0\n\
         w.xml:8:6: bad value \"red\" for <g> in <f class=\"x\">\n  accepted: #RRGGBB, #RRGGBBAA\n\
         w.xml:9:6: bad value \"oen\" for <h> in <f class=\"x\">\n  accepted: one, two\n  hint: did you mean \"one\"?\n\
         w.xml:10:3: bad value \"\" for <i> in <f class=\"x\">\n  accepted: a whole number from 0 to 9\n\
         w.xml:11:6: bad value \"1,2 3\" for <j> in <f class=\"x\">\n  accepted: 2 finite numbers, separated by blanks"
    );
}

#[test]
fn untidy_numbers_are_read_with_a_warning() {
    let body = "<a><x>1.5m</x><y>1 2 3 4</y><z>3 px</z><p>1 2 3 here</p></a>";
    let ((), loaded) = with(body, |r| {
        assert_eq!(r.f64("x", 0.0, Accept::any()), 1.5);
        assert_eq!(r.numbers("y", &[2, 3]), Some(vec![1.0, 2.0, 3.0]));
        assert_eq!(r.integer("z", 0, Accept::any()), 3);
        assert_eq!(r.numbers("p", &[3]), Some(vec![1.0, 2.0, 3.0]));
    });
    assert_eq!(loaded.errors, "");
    assert_eq!(
        loaded.warnings,
        "w.xml:2:7: \"1.5m\" for <x> in <a> is read as 1.5\n\
         w.xml:2:18: \"1 2 3 4\" for <y> in <a> is read as 1 2 3\n\
         w.xml:2:32: \"3 px\" for <z> in <a> is read as 3\n\
         w.xml:2:43: \"1 2 3 here\" for <p> in <a> is read as 1 2 3"
    );
}

#[test]
fn unknown_tags_and_attributes_get_a_suggestion() {
    let body = "<friction class='default' strengh='1' mu='1'>\n <C_dampng>1</C_dampng><other/><mass>1</mass><soon/><fine/></friction>";
    let ((), loaded) = with(body, |r| {
        for name in ["mu", "C_damping", "C_rr"] {
            r.f64(name, 0.0, Accept::any());
        }
        for name in ["class", "strength", "mass"] {
            r.attribute(name);
        }
        r.ignore(&["soon", "fine"]);
        r.finish();
    });
    assert_eq!(
        loaded.warnings,
        "w.xml:3:2: unknown tag \"C_dampng\" in <friction class=\"default\">\n  accepted: mu, C_damping, C_rr\n  hint: did you mean \"C_damping\"?\n\
         w.xml:3:24: unknown tag \"other\" in <friction class=\"default\">\n  accepted: mu, C_damping, C_rr\n\
         w.xml:3:32: unknown tag \"mass\" in <friction class=\"default\">\n  accepted: mu, C_damping, C_rr\n  hint: it is an attribute: mass=\"…\"\n\
         w.xml:2:27: unknown attribute \"strengh\" in <friction class=\"default\">\n  accepted: class, strength, mass\n  hint: did you mean \"strength\"?\n\
         w.xml:2:39: unknown attribute \"mu\" in <friction class=\"default\">\n  accepted: class, strength, mass\n  hint: it is a tag: <mu>…</mu>"
    );
}

#[test]
fn layers_are_searched_in_order_and_children_add_up() {
    let mut classes = Vec::new();
    let body = "<c name='class'><x>1</x><y>2</y><s>a</s><odd/></c><v k='1'><x>3</x><s>b</s></v>";
    let loaded = read_body(body, |context, element| {
        classes.push(element.clone());
        if let [class, instance] = classes.as_slice() {
            let reader = Reader::layered(context, vec![instance, class]);
            assert_eq!(reader.f64("x", 0.0, Accept::any()), 3.0);
            assert_eq!(reader.f64("y", 0.0, Accept::any()), 2.0);
            assert_eq!(reader.attribute("name"), None);
            let texts: Vec<_> = reader.children("s").iter().filter_map(Reader::own_text).collect();
            assert_eq!(texts, ["b", "a"]);
            assert_eq!(reader.tag(), "v");
            reader.ignore(&["k"]);
            reader.missing("<dynamics>").hint("every vehicle needs one");
            reader.finish();
        }
    });
    assert_eq!(loaded.errors, "w.xml:2:51: missing <dynamics> in <v>\n  hint: every vehicle needs one");
    assert_eq!(loaded.warnings, "w.xml:2:41: unknown tag \"odd\" in <c name=\"class\">\n  accepted: x, y, s");
}

#[test]
fn all_children_count_as_known_and_inherit_scope_and_names() {
    let ((), loaded) = with("<a><p>${NAME}</p><q>$f{1}</q></a>", |r| {
        let r = r.with_scope(Scope::Constant).with_name("NAME", "n").with_name("NAME", "m");
        let texts: Vec<_> = r.all_children().iter().filter_map(Reader::own_text).collect();
        assert_eq!(texts, ["m", "1"]);
        r.finish();
    });
    assert_eq!((&*loaded.errors, &*loaded.warnings), ("", ""));
}

#[test]
fn readers_of_nothing_read_defaults() {
    let context = Context::new(Options::default());
    let reader = Reader::layered(&context, Vec::new());
    assert_eq!(reader.f64("x", 4.0, Accept::any()), 4.0);
    reader.finish();
    assert!(!context.has_errors());
}

#[test]
fn files_are_found_beside_the_file_that_names_them() {
    let mut paths = Vec::new();
    let loaded = read_files(
        &[
            ("w.xml", "<mvsim_world><include file='d/i.xml'/></mvsim_world>"),
            ("d/i.xml", "<a><file>m.dae</file><gone>n.dae</gone><net>http://x/y</net></a>"),
            ("d/m.dae", ""),
        ],
        |context, element| {
            let reader = Reader::new(context, element);
            paths.push(reader.asset("file").map(|p| p.is_file()));
            paths.push(reader.asset("gone").map(|p| p.is_file()));
            paths.push(reader.path("file").map(|p| p.is_file()));
            paths.push(reader.path("net").map(|p| p.is_file()));
        },
    );
    assert_eq!(paths, [Some(true), None, Some(true), None]);
    assert_eq!(
        loaded.warnings,
        "DIR/d/i.xml:1:28: no file \"DIR/d/n.dae\" for <gone> in <a>\n  included from DIR/w.xml:1:14"
    );
    assert_eq!(
        loaded.errors,
        "DIR/d/i.xml:1:45: offline, and no copy of \"http://x/y\" in DIR/cache for <net> in <a>\n  included from DIR/w.xml:1:14\n  hint: load it once without offline"
    );
}

#[test]
fn problems_are_recorded_once_and_limited_in_number() {
    let context = Context::new(Options::default());
    for index in 0..3000 {
        context.error(&Place::of_file("f"), format!("problem {}", index % 1500));
    }
    let (errors, warnings) = context.finish();
    assert_eq!(errors.len(), 1000);
    assert_eq!(Problems(warnings).to_string(), "f: not shown: 1000 more problems up to here");
}

#[test]
fn callers_can_point_at_a_value() {
    let ((), loaded) = with("<a k='1'>\n <zmin> 2</zmin><e/></a>", |r| {
        r.error_at("zmin", "zmin above zmax");
        r.error_at("e", "empty");
        r.error_at("k", "odd");
        r.error_at("none", "missing");
    });
    assert_eq!(loaded.errors, "w.xml:3:9: zmin above zmax\nw.xml:3:17: empty\nw.xml:2:7: odd\nw.xml:2:1: missing");
}

#[test]
fn flow_tags_without_effect_are_explained() {
    let ((), loaded) = with("<block><for/></block>", |r| r.finish());
    assert_eq!(
        loaded.warnings,
        "w.xml:2:8: unknown tag \"for\" in <block>\n  hint: it is allowed at the root of a world; <include> also in a vehicle, and with <if> in a class"
    );
}

#[test]
fn a_name_with_another_number_is_not_suggested() {
    let robots = ["bot0", "bot1", "crate_1"];
    assert_eq!(nearest("bot7", &robots), None);
    assert_eq!(nearest("crat_1", &robots), Some("crate_1"));
    assert_eq!(nearest("bot", &robots), Some("bot0"));
    // A letter too few or too many, or two in the wrong order, may be a slip in a short word; another letter makes another word.
    assert_eq!(
        ["foo", "fo", "fro", "four"].map(|word| nearest(word, &["for"])),
        [None, Some("for"), Some("for"), Some("for")]
    );
}
