//! Every operator and function compared with a value from its definition.

use super::*;
use std::f64::consts::{E, PI};

fn run(text: &str) -> Result<f64, String> {
    let variables = |name: &str| name.eq_ignore_ascii_case("lane_width").then_some(3.5);
    evaluate(text, &variables, &mut Generator::new(5489))
}

#[track_caller]
fn gives(text: &str, expected: f64) {
    let value = run(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let error = (value - expected).abs();
    assert!(error <= 1e-12 * expected.abs().max(1.0), "{text} = {value}, not {expected}");
}

#[track_caller]
fn fails(text: &str, message: &str) {
    assert_eq!(run(text), Err(message.to_string()), "{text}");
}

#[test]
fn operators_bind_as_in_exprtk() {
    for (text, value) in [
        ("1+2*3", 7.0),
        ("(1+2)*3", 9.0),
        ("10-4-3", 3.0),
        ("64/4/2", 8.0),
        ("7%4", 3.0),
        ("-7%4", -3.0),
        ("2^3^2", 512.0),
        ("-2^2", -4.0),
        ("2^-1", 0.5),
        ("2*-3", -6.0),
        ("--3", 3.0),
        ("-3*-2", 6.0),
        ("+4", 4.0),
        ("1.5e1 + .5", 15.5),
        ("1920/2", 960.0),
        ("(-0.5+0.25)*lane_width", -0.875),
        ("LANE_WIDTH * 0.5", 1.75),
        ("1 < 2", 1.0),
        ("2 <= 1", 0.0),
        ("1+1 == 2", 1.0),
        ("0.1+0.2 = 0.3", 1.0),
        ("1 != 1.001", 1.0),
        ("1 <> 1", 0.0),
        ("3 > 2", 1.0),
        ("3 >= 3", 1.0),
        ("1 or 0 and 0", 1.0),
        ("0 AND 1", 0.0),
        ("1 nand 1", 0.0),
        ("0 nor 0", 1.0),
        ("1 xor 1", 0.0),
        ("1 xnor 1", 1.0),
        ("1 & 0", 0.0),
        ("1 | 0", 1.0),
        ("not(0)", 1.0),
        ("1 ? 5 : 6", 5.0),
        ("0 ? 5 : 1 ? 7 : 8", 7.0),
        ("if(3<=3 or 3>=6, 1, 0)", 1.0),
        ("IF(0, 1, 2)", 2.0),
        ("pi", PI),
        ("2*M_PI", 2.0 * PI),
        ("epsilon", 1e-10),
        ("true+true+false", 2.0),
        ("min(1, inf)", 1.0),
    ] {
        gives(text, value);
    }
}

#[test]
fn every_function_follows_its_definition() {
    let table: &[(&str, f64)] = &[
        ("abs(-2)", 2.0),
        ("acos(0)", PI / 2.0),
        ("acosh(1)", 0.0),
        ("asin(1)", PI / 2.0),
        ("asinh(0.5*(exp(1)-exp(-1)))", 1.0),
        ("atan(1)", PI / 4.0),
        ("atan2(1,-1)", 0.75 * PI),
        ("atanh(tanh(0.3))", 0.3),
        ("avg(1,2,6)", 3.0),
        ("ceil(1.1)", 2.0),
        ("clamp(0,5,3)", 3.0),
        ("clamp(0,-5,3)", 0.0),
        ("clamp(0,2,3)", 2.0),
        ("cos(pi)", -1.0),
        ("cosh(1)", (E + 1.0 / E) / 2.0),
        ("cot(pi/4)", 1.0),
        ("csc(pi/6)", 2.0),
        ("deg2grad(90)", 100.0),
        ("deg2rad(180)", PI),
        ("equal(1,1)", 1.0),
        ("erf(1)", 0.842_700_792_949_714_9),
        ("erfc(1)", 0.157_299_207_050_285_13),
        ("exp(1)", E),
        ("expm1(1)", E - 1.0),
        ("floor(-1.1)", -2.0),
        ("frac(-1.25)", -0.25),
        ("grad2deg(100)", 90.0),
        ("hypot(3,4)", 5.0),
        ("inrange(1,2,3)", 1.0),
        ("inrange(1,4,3)", 0.0),
        ("log(exp(2))", 2.0),
        ("log10(1000)", 3.0),
        ("log1p(exp(1)-1)", 1.0),
        ("log2(8)", 3.0),
        ("logn(81,3)", 4.0),
        ("max(1,7,3)", 7.0),
        ("min(4,2,3)", 2.0),
        ("mod(7,4)", 3.0),
        ("mul(2,3,4)", 24.0),
        ("ncdf(0)", 0.5),
        ("ncdf(1.959963984540054)", 0.975),
        ("not(2)", 0.0),
        ("not_equal(1,2)", 1.0),
        ("pow(2,10)", 1024.0),
        ("rad2deg(pi)", 180.0),
        ("rand()", 3_499_211_612.0 * 2.328_306_437_080_797_4e-10),
        ("randn()*0", 0.0),
        ("randomize(5489)", 0.0),
        ("root(27,3)", 3.0),
        ("root(-27,3)", -3.0),
        ("round(2.5)", 3.0),
        ("round(-2.5)", -3.0),
        ("roundn(1.2345,2)", 1.23),
        ("roundn(-1.235,2)", -1.24),
        ("sec(pi/3)", 2.0),
        ("sgn(-4)", -1.0),
        ("sgn(0)", 0.0),
        ("sin(pi/6)", 0.5),
        ("sinc(0)", 1.0),
        ("sinc(pi/2)", 2.0 / PI),
        ("sinh(1)", (E - 1.0 / E) / 2.0),
        ("sqrt(16)", 4.0),
        ("sum(1,2,3)", 6.0),
        ("tan(pi/4)", 1.0),
        ("tanh(1)", (E * E - 1.0) / (E * E + 1.0)),
        ("trunc(-1.9)", -1.0),
        ("unifrnd(2,2)", 2.0),
    ];
    for (text, value) in table {
        gives(text, *value);
    }
    for name in functions::names() {
        let call = format!("{name}(");
        assert!(table.iter().any(|(text, _)| text.starts_with(&call)), "{name} has no row");
    }
}

#[test]
fn seeds_and_untaken_branches_decide_what_is_drawn() {
    let first = run("rand()");
    assert_eq!(run("randomize(5489) + rand()"), first);
    assert_ne!(run("randomize(2) + rand()"), first);
    for text in [
        "if(0, rand(), 0) + rand()",
        "(1 ? 0 : rand()) + rand()",
        "(0 & rand()) + rand()",
        "(1 | rand()) - 1 + rand()",
        "if(0, if(1, randn(), 0), 0) + rand()",
    ] {
        assert_eq!(run(text), first, "{text}");
    }
    assert_ne!(run("(0 and rand()) + rand()"), first);
}

#[test]
fn errors_are_explained() {
    fails("", "a value expected, the end found");
    fails("1+", "a value expected, the end found");
    fails("1 2", "\"2\" is not expected there");
    fails("(1", "\")\" expected, the end found");
    fails("min(1,)", "a value expected, \")\" found");
    fails("nothing*2", "\"nothing\" is not a variable that holds a number");
    fails("int(2)", "function \"int\" does not exist");
    fails("sin", "function \"sin\" needs its arguments in ( )");
    fails("sin(1,2)", "\"sin\" takes 1 argument, not 2");
    fails("atan2(1)", "\"atan2\" takes 2 arguments, not 1");
    fails("rand(1)", "\"rand\" takes no arguments, not 1");
    fails("max()", "\"max\" takes 1 argument or more, not 0");
    fails("if(1,2)", "\",\" expected, \")\" found");
    fails("1/0", "it is inf, not a finite number");
    fails("sqrt(-1)", "it is nan, not a finite number");
    fails("2 # 3", "character \"#\" has no meaning there");
    fails("'a'", "character \"'\" has no meaning there");
    fails(".", "a dot without digits");
    fails("1 ? 2", "\":\" expected, the end found");
    fails("and", "a value expected, \"and\" found");
    fails("if(0, nope, 1)", "\"nope\" is not a variable that holds a number");
}

#[test]
fn nesting_is_bounded_and_length_is_not() {
    let deep = format!("{}1{}", "(".repeat(10_000), ")".repeat(10_000));
    fails(&deep, "nested more than 100 deep");
    fails(&"-".repeat(10_000), "nested more than 100 deep");
    fails(&"2^".repeat(10_000), "nested more than 100 deep");
    gives(&vec!["1"; 10_000].join("+"), 10_000.0);
}
