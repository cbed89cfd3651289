//! The language inside `$f{…}`: the part of ExprTk that MVSim offers, evaluated while it is read.
//!
//! * Names ignore case: `PI`, `Sin`. Numbers as in C, without hexadecimal.
//! * Operators from weak to strong: `c ? a : b`; `or nor xor xnor |`; `and nand &`; `= == != <> < <= > >=`; `+ -`; `* / %`; sign; `^` (right to left, before the
//!   sign: `-2^2` is -4). `not` is a function. True is everything but 0; comparisons give 1 or 0.
//! * `==` and `!=` treat numbers as equal whose difference is below 1e-10 of the larger, or of 1.
//! * `if(c, a, b)`, `? :`, `&` and `|` short-circuit, so that an unused `rand()` draws nothing.
//! * Constants `pi`, `M_PI`, `epsilon` (1e-10), `inf`, `true`, `false`; then the variables of the world whose text starts with a number.
//! * Angles of the trigonometric functions are in [rad].
//!
//! The transcendental functions are those of `libm`, the same on every machine.

use super::Generator;
use super::functions::{self, equal, truth};

/// Deepest nesting of brackets, signs and conditions.
const DEEPEST: usize = 100;

/// The value of `text`. `number` looks up variables. The error is a message without a place.
pub(super) fn evaluate(
    text: &str,
    number: &dyn Fn(&str) -> Option<f64>,
    generator: &mut Generator,
) -> Result<f64, String> {
    let mut parser = Parser { remaining_text: text, token: Token::End, number, generator, live: true, depth: 0 };
    parser.advance()?;
    let value = parser.expression()?;
    if parser.token != Token::End {
        return Err(format!("{} is not expected there", parser.token.name()));
    }
    if value.is_finite() { Ok(value) } else { Err(format!("it is {value}, not a finite number").to_lowercase()) }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    Number(f64),
    Name(&'a str),
    Sign(&'static str),
    End,
}

impl Token<'_> {
    fn name(&self) -> String {
        match self {
            Token::Number(value) => format!("\"{value}\""),
            Token::Name(name) => format!("\"{name}\""),
            Token::Sign(sign) => format!("\"{sign}\""),
            Token::End => "the end".to_string(),
        }
    }
}

/// Operators and brackets, longer ones before their prefixes.
const SIGNS: [&str; 23] = [
    "==", "!=", "<>", "<=", ">=", "&&", "||", "<", ">", "=", "+", "-", "*", "/", "%", "^", "(", ")", ",", "?", ":",
    "&", "|",
];

/// The token at the start of `text`, and the text after it.
fn first_token(text: &str) -> Result<(Token<'_>, &str), String> {
    let Some(first) = text.chars().next() else { return Ok((Token::End, text)) };
    if first.is_ascii_digit() || first == '.' {
        let (value, after) = super::value::scan_number(text).ok_or("a dot without digits")?;
        return Ok((Token::Number(value), after));
    }
    if first.is_ascii_alphabetic() || first == '_' {
        let is_outside = |c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.');
        let (name, after) = text.split_at(text.find(is_outside).unwrap_or(text.len()));
        return Ok((Token::Name(name), after));
    }
    let sign = SIGNS.iter().find(|sign| text.starts_with(**sign));
    let sign = sign.ok_or_else(|| format!("character \"{first}\" has no meaning there"))?;
    Ok((Token::Sign(sign), &text[sign.len()..]))
}

struct Parser<'a> {
    remaining_text: &'a str,
    token: Token<'a>,
    number: &'a dyn Fn(&str) -> Option<f64>,
    generator: &'a mut Generator,
    /// Whether the branch being parsed is taken; a dead branch is only checked.
    live: bool,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn advance(&mut self) -> Result<(), String> {
        (self.token, self.remaining_text) = first_token(self.remaining_text.trim_start())?;
        Ok(())
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.token, Token::Sign(next) if next == sign)
    }

    fn expect(&mut self, sign: &str) -> Result<(), String> {
        if !self.is_sign(sign) {
            return Err(format!("\"{sign}\" expected, {} found", self.token.name()));
        }
        self.advance()
    }

    /// Runs `inner` one level deeper and with `live` narrowed.
    fn within<T>(&mut self, live: bool, inner: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, String> {
        if self.depth >= DEEPEST {
            return Err(format!("nested more than {DEEPEST} deep"));
        }
        let outer = self.live;
        self.live = outer && live;
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        self.live = outer;
        result
    }

    fn expression(&mut self) -> Result<f64, String> {
        let value = self.binary(0)?;
        if !self.is_sign("?") {
            return Ok(value);
        }
        self.advance()?;
        self.branches(value != 0.0, ":")
    }

    /// Parses two expressions with `separator` between them, and returns the first one's value if `condition` holds, otherwise the
    /// second one's.
    fn branches(&mut self, condition: bool, separator: &str) -> Result<f64, String> {
        let yes = self.within(condition, |p| p.expression())?;
        self.expect(separator)?;
        let no = self.within(!condition, |p| p.expression())?;
        Ok(if condition { yes } else { no })
    }

    /// The current token as a binary operator.
    fn operator(&self) -> Option<&'static Operator> {
        let name = match self.token {
            Token::Sign(sign) => sign.to_string(),
            Token::Name(name) => name.to_ascii_lowercase(),
            Token::Number(_) | Token::End => return None,
        };
        OPERATORS.iter().find(|operator| operator.names.contains(&name.as_str()))
    }

    /// An operand and all operators behind it that bind to the left at least as strongly as `weakest`.
    fn binary(&mut self, weakest: u8) -> Result<f64, String> {
        let mut value = self.operand()?;
        while let Some(operator) = self.operator().filter(|operator| operator.left >= weakest) {
            self.advance()?;
            let is_needed = operator.decided_by != Some(value != 0.0);
            let other = self.within(is_needed, |p| p.binary(operator.right))?;
            value = (operator.apply)(value, other);
        }
        Ok(value)
    }

    fn operand(&mut self) -> Result<f64, String> {
        match self.token {
            Token::Number(value) => {
                self.advance()?;
                Ok(value)
            }
            Token::Sign("-") => {
                self.advance()?;
                Ok(-self.within(true, |p| p.binary(SIGN))?)
            }
            Token::Sign("+") => {
                self.advance()?;
                self.within(true, |p| p.binary(SIGN))
            }
            Token::Sign("(") => {
                self.advance()?;
                let value = self.within(true, |p| p.expression())?;
                self.expect(")")?;
                Ok(value)
            }
            Token::Name(name) if self.operator().is_none() => {
                self.advance()?;
                if self.is_sign("(") {
                    self.advance()?;
                    self.within(true, |p| p.call(name))
                } else {
                    self.name(name)
                }
            }
            other => Err(format!("a value expected, {} found", other.name())),
        }
    }

    fn name(&self, name: &str) -> Result<f64, String> {
        Ok(match name.to_ascii_lowercase().as_str() {
            "pi" | "m_pi" => std::f64::consts::PI,
            "epsilon" => functions::EPSILON,
            "inf" => f64::INFINITY,
            "true" => 1.0,
            "false" => 0.0,
            lower if functions::is_known(lower) => {
                return Err(format!("function \"{name}\" needs its arguments in ( )"));
            }
            _ => {
                return (self.number)(name).ok_or_else(|| format!("\"{name}\" is not a variable that holds a number"));
            }
        })
    }

    /// Parses the arguments of a function after its `(` and returns its value.
    fn call(&mut self, name: &str) -> Result<f64, String> {
        let lower = name.to_ascii_lowercase();
        if lower == "if" {
            let condition = self.expression()?;
            self.expect(",")?;
            let value = self.branches(condition != 0.0, ",")?;
            self.expect(")")?;
            return Ok(value);
        }
        let mut arguments = Vec::new();
        if !self.is_sign(")") {
            arguments.push(self.expression()?);
            while self.is_sign(",") {
                self.advance()?;
                arguments.push(self.expression()?);
            }
        }
        self.expect(")")?;
        functions::call(&lower, &arguments, self.live, self.generator)
    }
}

/// Binding power of a sign: stronger than `*`, weaker than `^`.
const SIGN: u8 = 11;

/// A binary operator.
struct Operator {
    /// Its spellings, words in lower case.
    names: &'static [&'static str],
    /// Binding power to the left.
    left: u8,
    /// Binding power to the right.
    right: u8,
    /// The truth of the left operand that decides the result, so that the right operand is only checked.
    decided_by: Option<bool>,
    apply: fn(f64, f64) -> f64,
}

const fn operator(names: &'static [&'static str], [left, right]: [u8; 2], apply: fn(f64, f64) -> f64) -> Operator {
    Operator { names, left, right, decided_by: None, apply }
}

/// The binary operators, from weak to strong.
const OPERATORS: &[Operator] = &[
    Operator { decided_by: Some(true), ..operator(&["|", "||"], [1, 2], or) },
    operator(&["or"], [1, 2], or),
    operator(&["nor"], [1, 2], |a, b| truth(a == 0.0 && b == 0.0)),
    operator(&["xor"], [1, 2], |a, b| truth((a != 0.0) != (b != 0.0))),
    operator(&["xnor"], [1, 2], |a, b| truth((a != 0.0) == (b != 0.0))),
    Operator { decided_by: Some(false), ..operator(&["&", "&&"], [3, 4], and) },
    operator(&["and"], [3, 4], and),
    operator(&["nand"], [3, 4], |a, b| truth(a == 0.0 || b == 0.0)),
    operator(&["=", "=="], [5, 6], |a, b| truth(equal(a, b))),
    operator(&["!=", "<>"], [5, 6], |a, b| truth(!equal(a, b))),
    operator(&["<"], [5, 6], |a, b| truth(a < b)),
    operator(&["<="], [5, 6], |a, b| truth(a <= b)),
    operator(&[">"], [5, 6], |a, b| truth(a > b)),
    operator(&[">="], [5, 6], |a, b| truth(a >= b)),
    operator(&["+"], [7, 8], |a, b| a + b),
    operator(&["-"], [7, 8], |a, b| a - b),
    operator(&["*"], [10, SIGN], |a, b| a * b),
    operator(&["/"], [10, SIGN], |a, b| a / b),
    operator(&["%"], [10, SIGN], libm::fmod),
    operator(&["^"], [12, 12], libm::pow),
];

fn or(a: f64, b: f64) -> f64 {
    truth(a != 0.0 || b != 0.0)
}

fn and(a: f64, b: f64) -> f64 {
    truth(a != 0.0 && b != 0.0)
}

#[cfg(test)]
#[path = "expression_tests.rs"]
mod tests;
