//! The functions of `$f{…}`: one table of names, argument counts and definitions.

use super::Generator;
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// ExprTk's epsilon for `double`.
pub(super) const EPSILON: f64 = 1e-10;

/// A function with its number of arguments.
enum Function {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
    Three(fn(f64, f64, f64) -> f64),
    /// One argument or more.
    Many(fn(&[f64]) -> f64),
    /// Functions of the random generator, with their argument count.
    Random(usize, fn(&[f64], &mut Generator) -> f64),
}

use Function::{Many, One, Random, Three, Two};

const TABLE: &[(&str, Function)] = &[
    ("abs", One(f64::abs)),
    ("acos", One(libm::acos)),
    ("acosh", One(libm::acosh)),
    ("asin", One(libm::asin)),
    ("asinh", One(libm::asinh)),
    ("atan", One(libm::atan)),
    ("atan2", Two(libm::atan2)),
    ("atanh", One(libm::atanh)),
    ("avg", Many(|v| v.iter().sum::<f64>() / v.len() as f64)),
    ("ceil", One(f64::ceil)),
    (
        "clamp",
        Three(|low, x, high| {
            if x < low {
                low
            } else if x > high {
                high
            } else {
                x
            }
        }),
    ),
    ("cos", One(libm::cos)),
    ("cosh", One(libm::cosh)),
    ("cot", One(|x| 1.0 / libm::tan(x))),
    ("csc", One(|x| 1.0 / libm::sin(x))),
    ("deg2grad", One(|x| x * (10.0 / 9.0))),
    ("deg2rad", One(|x| x * (PI / 180.0))),
    ("equal", Two(|a, b| truth(equal(a, b)))),
    ("erf", One(libm::erf)),
    ("erfc", One(libm::erfc)),
    ("exp", One(libm::exp)),
    ("expm1", One(libm::expm1)),
    ("floor", One(f64::floor)),
    ("frac", One(|x| x - x.trunc())),
    ("grad2deg", One(|x| x * (9.0 / 10.0))),
    ("hypot", Two(libm::hypot)),
    ("inrange", Three(|low, x, high| truth(low <= x && x <= high))),
    ("log", One(libm::log)),
    ("log10", One(libm::log10)),
    ("log1p", One(libm::log1p)),
    ("log2", One(libm::log2)),
    ("logn", Two(|x, base| libm::log(x) / libm::log(base))),
    ("max", Many(|v| v.iter().copied().fold(f64::NEG_INFINITY, |a, b| if b > a { b } else { a }))),
    ("min", Many(|v| v.iter().copied().fold(f64::INFINITY, |a, b| if b < a { b } else { a }))),
    ("mod", Two(libm::fmod)),
    ("mul", Many(|v| v.iter().product())),
    ("ncdf", One(|x| 0.5 * libm::erfc(-x * FRAC_1_SQRT_2))),
    ("not", One(|x| truth(x == 0.0))),
    ("not_equal", Two(|a, b| truth(!equal(a, b)))),
    ("pow", Two(libm::pow)),
    ("rad2deg", One(|x| x * (180.0 / PI))),
    ("rand", Random(0, |_, generator| generator.uniform(0.0, 1.0))),
    ("randn", Random(0, |_, generator| generator.normal())),
    ("randomize", Random(1, reseed)),
    ("root", Two(root)),
    ("round", One(|x| if x < 0.0 { (x - 0.5).ceil() } else { (x + 0.5).floor() })),
    ("roundn", Two(round_to)),
    ("sec", One(|x| 1.0 / libm::cos(x))),
    (
        "sgn",
        One(|x| {
            if x > 0.0 {
                1.0
            } else if x < 0.0 {
                -1.0
            } else {
                0.0
            }
        }),
    ),
    ("sin", One(libm::sin)),
    ("sinc", One(|x| if x.abs() < EPSILON { 1.0 } else { libm::sin(x) / x })),
    ("sinh", One(libm::sinh)),
    ("sqrt", One(f64::sqrt)),
    ("sum", Many(|v| v.iter().sum())),
    ("tan", One(libm::tan)),
    ("tanh", One(libm::tanh)),
    ("trunc", One(f64::trunc)),
    ("unifrnd", Random(2, |v, generator| generator.uniform(v[0], v[1]))),
];

/// 1 for true, 0 for false.
pub(super) fn truth(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// Equality as in ExprTk: up to 1e-10 of the larger, or of 1.
pub(super) fn equal(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1f64.max(a.abs()).max(b.abs()) * EPSILON
}

/// The `degree`-th root; also of negative numbers if the degree is odd.
fn root(x: f64, degree: f64) -> f64 {
    let degree = degree.trunc();
    if degree < 0.0 || (x < 0.0 && degree % 2.0 == 0.0) {
        f64::NAN
    } else if x < 0.0 {
        -libm::pow(-x, 1.0 / degree)
    } else {
        libm::pow(x, 1.0 / degree)
    }
}

/// `x` rounded to `digits` after the decimal point, halves away from zero.
fn round_to(x: f64, digits: f64) -> f64 {
    let scale = libm::pow(10.0, digits.trunc());
    if x < 0.0 { (x * scale - 0.5).ceil() / scale } else { (x * scale + 0.5).floor() / scale }
}

fn reseed(arguments: &[f64], generator: &mut Generator) -> f64 {
    // 32 bits, wrapping like a C cast through a wider integer.
    generator.reseed(arguments[0] as i64 as u32);
    0.0
}

/// Whether a function of that (lower case) name exists.
pub(super) fn is_known(name: &str) -> bool {
    name == "if" || TABLE.iter().any(|(known, _)| *known == name)
}

/// Calls a function by its lower case name. A call that is not `live` is only checked: it draws no random numbers.
pub(super) fn call(name: &str, arguments: &[f64], live: bool, generator: &mut Generator) -> Result<f64, String> {
    let Some((_, function)) = TABLE.iter().find(|(known, _)| *known == name) else {
        return Err(format!("function \"{name}\" does not exist"));
    };
    match (function, arguments) {
        (One(f), [a]) => Ok(f(*a)),
        (Two(f), [a, b]) => Ok(f(*a, *b)),
        (Three(f), [a, b, c]) => Ok(f(*a, *b, *c)),
        (Many(f), [_, ..]) => Ok(f(arguments)),
        (Random(count, f), _) if arguments.len() == *count => Ok(if live { f(arguments, generator) } else { 0.0 }),
        _ => {
            let takes = match function {
                One(_) | Random(1, _) => "1 argument",
                Two(_) | Random(2, _) => "2 arguments",
                Three(_) => "3 arguments",
                Many(_) => "1 argument or more",
                Random(..) => "no arguments",
            };
            Err(format!("\"{name}\" takes {takes}, not {}", arguments.len()))
        }
    }
}

#[cfg(test)]
pub(super) fn names() -> Vec<&'static str> {
    TABLE.iter().map(|(name, _)| *name).collect()
}
