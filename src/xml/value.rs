//! Reading and writing of single values: C number syntax, booleans, colours, `%g`, and bounds of numbers.

/// The range of numbers that a value may take; never NaN or infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accept {
    low: f64,
    high: f64,
    /// Whether `low` itself is refused.
    above_low: bool,
}

impl Accept {
    /// Any finite number.
    pub fn any() -> Accept {
        Accept { low: f64::NEG_INFINITY, high: f64::INFINITY, above_low: false }
    }

    /// Numbers > 0.
    pub fn positive() -> Accept {
        Accept { low: 0.0, above_low: true, ..Accept::any() }
    }

    /// Numbers >= 0.
    pub fn non_negative() -> Accept {
        Accept { low: 0.0, ..Accept::any() }
    }

    /// Numbers from `low` to `high`, both included.
    pub fn range(low: f64, high: f64) -> Accept {
        Accept { low, high, above_low: false }
    }

    /// Whether `value` is finite and within the bounds.
    pub fn takes(&self, value: f64) -> bool {
        value.is_finite() && value <= self.high && (value > self.low || (value == self.low && !self.above_low))
    }

    /// The bounds in words, for `kind` = "a finite number", "a whole number".
    pub(super) fn describe(&self, kind: &str) -> String {
        match (self.low.is_finite(), self.high.is_finite()) {
            (true, true) => format!("{kind} from {} to {}", self.low, self.high),
            (true, false) if self.above_low => format!("{kind} > {}", self.low),
            (true, false) => format!("{kind} >= {}", self.low),
            (false, true) => format!("{kind} <= {}", self.high),
            (false, false) => kind.to_string(),
        }
    }
}

/// The number at the start of `text` as C `scanf` reads it, and the trimmed rest. `nan`, `inf` and hexadecimal are not numbers here.
pub(super) fn scan_number(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let bytes = text.as_bytes();
    let digits_from = |start: usize| {
        let more = bytes.iter().skip(start);
        start + more.take_while(|b| b.is_ascii_digit()).count()
    };
    let whole_start = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let whole_end = digits_from(whole_start);
    let mut end = whole_end;
    let mut digits = whole_end - whole_start;
    if bytes.get(whole_end) == Some(&b'.') {
        end = digits_from(whole_end + 1);
        digits += end - whole_end - 1;
    }
    if digits == 0 {
        return None;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent_end = digits_from(end + 1 + sign);
        if exponent_end > end + 1 + sign {
            end = exponent_end;
        }
    }
    let value: f64 = text[..end].parse().ok()?;
    Some((value, text[end..].trim_start()))
}

/// A whole number as C reads it: decimal (a fraction is truncated towards zero) or `0x…`; and the rest that is not a number.
pub(super) fn scan_integer(text: &str) -> Option<(i64, &str)> {
    let text = text.trim();
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(suffix) => (-1, suffix),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    if let Some(hex) = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X")) {
        let end = hex.bytes().position(|b| !b.is_ascii_hexdigit()).unwrap_or(hex.len());
        let value = i64::from_str_radix(&hex[..end], 16).ok()?;
        return Some((sign * value, hex[end..].trim_start()));
    }
    let (value, suffix) = scan_number(text)?;
    // Beyond 2^53 an f64 does not identify a single whole number.
    (value.abs() <= 9_007_199_254_740_992.0).then_some((value as i64, suffix))
}

/// `1`, `0`, `true`, `false`, in any case.
pub(super) fn scan_bool(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "1" | "true" => Some(true),
        "0" | "false" => Some(false),
        _ => None,
    }
}

/// `#RRGGBB` or `#RRGGBBAA`; alpha defaults to 255.
pub(super) fn scan_color(text: &str) -> Option<[u8; 4]> {
    let hex = text.trim().strip_prefix('#')?;
    if !matches!(hex.len(), 6 | 8) || !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let mut color = [255; 4];
    for (channel, index) in color.iter_mut().zip((0..hex.len()).step_by(2)) {
        *channel = u8::from_str_radix(&hex[index..index + 2], 16).ok()?;
    }
    Some(color)
}

/// Whether `<if condition>` holds: for a word meaning yes, or a nonzero whole number.
pub(super) fn is_true(text: &str) -> bool {
    const YES: [&str; 11] = ["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "ON", "On"];
    let text = text.trim();
    YES.contains(&text) || is_not_zero(text)
}

/// Whether C's `strtoll` with base 0 reads a nonzero number from `text`.
fn is_not_zero(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let (digits, radix) = match hexadecimal {
        Some(digits) => (digits, 16),
        None => (digits, if digits.starts_with('0') { 8 } else { 10 }),
    };
    digits.chars().take_while(|c| c.is_digit(radix)).any(|c| c != '0')
}

/// `value` as C prints it with `%g`: six significant digits, exponent below 1e-4 and from 1e6 on.
pub(super) fn format_g(value: f64) -> String {
    if !value.is_finite() || value == 0.0 {
        return format!("{value}").to_lowercase();
    }
    let scientific = format!("{value:.5e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |digits: &str| match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => digits.to_string(),
    };
    if (-4..6).contains(&exponent) {
        let places = usize::try_from(5 - exponent).unwrap_or(0);
        trim(&format!("{value:.places$}"))
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", trim(mantissa), exponent.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_scanf_does() {
        for (text, value, suffix) in [
            ("1.5m", 1.5, "m"),
            (" -2 ", -2.0, ""),
            ("+.5e2x", 50.0, "x"),
            ("3e", 3.0, "e"),
            ("3e+", 3.0, "e+"),
            ("7.", 7.0, ""),
            ("1 2", 1.0, "2"),
            ("1e-3", 1e-3, ""),
        ] {
            assert_eq!(scan_number(text), Some((value, suffix)), "{text}");
        }
        for text in ["", ".", "-", "nan", "inf", "e5", "x1", "+-1"] {
            assert_eq!(scan_number(text), None, "{text}");
        }
    }

    #[test]
    fn whole_numbers_lose_their_fraction() {
        assert_eq!(scan_integer("1808.45"), Some((1808, "")));
        assert_eq!(scan_integer("-5.9"), Some((-5, "")));
        assert_eq!(scan_integer("0x1F"), Some((31, "")));
        assert_eq!(scan_integer("-0x10 z"), Some((-16, "z")));
        assert_eq!(scan_integer("1e+06"), Some((1_000_000, "")));
        assert_eq!(scan_integer("1e300"), None);
        assert_eq!(scan_integer("0x"), None);
    }

    #[test]
    fn booleans_and_conditions_accept_their_words_only() {
        assert_eq!(scan_bool(" TRUE "), Some(true));
        assert_eq!(scan_bool("0"), Some(false));
        assert_eq!(scan_bool("yes"), None);
        for text in ["y", "Yes", "ON", "1", "-3", "0x10", "2.7", "1e-05", "010"] {
            assert!(is_true(text), "{text}");
        }
        for text in ["", "no", "yEs", "0", "0.9", "false", "off", "0x", "08", "-0", "00"] {
            assert!(!is_true(text), "{text}");
        }
    }

    #[test]
    fn colors_have_six_or_eight_digits() {
        assert_eq!(scan_color("#ff8000"), Some([255, 128, 0, 255]));
        assert_eq!(scan_color(" #FF000080 "), Some([255, 0, 0, 128]));
        for text in ["ff8000", "#ff80", "#ff80000", "#gg0000", "#+f+f+f", "#éé00"] {
            assert_eq!(scan_color(text), None, "{text}");
        }
    }

    #[test]
    fn results_are_printed_with_six_digits() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (0.1 + 0.2, "0.3"),
            (1.0, "1"),
            (100000.0, "100000"),
            (1e6, "1e+06"),
            (4077123.456, "4.07712e+06"),
            (999999.7, "1e+06"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (-2.0 / 3.0, "-0.666667"),
            (1234.5678, "1234.57"),
            (1e-100, "1e-100"),
        ] {
            assert_eq!(format_g(value), text);
        }
    }

    #[test]
    fn bounds_describe_the_accepted_range() {
        assert_eq!(Accept::positive().describe("a finite number"), "a finite number > 0");
        assert_eq!(Accept::non_negative().describe("a whole number"), "a whole number >= 0");
        assert_eq!(Accept::range(-1.0, 2.5).describe("a finite number"), "a finite number from -1 to 2.5");
        assert_eq!(Accept::any().describe("a finite number"), "a finite number");
        assert!(!Accept::positive().takes(0.0));
        assert!(Accept::non_negative().takes(0.0));
        assert!(Accept::range(-1.0, 2.5).takes(2.5));
        assert!(!Accept::range(-1.0, 2.5).takes(2.6));
        assert!(!Accept::any().takes(f64::INFINITY));
        assert!(!Accept::any().takes(f64::NAN));
    }
}
