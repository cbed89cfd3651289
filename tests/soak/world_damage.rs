//! Structured damage to world files: elements, tags, values.

use std::ops::Range;

use rand::Rng as _;
use rand::seq::IndexedRandom;

use super::Rng;
use super::damage::{choice, damage, place};

/// In place of a number.
const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "0.5",
    "3.14159",
    "1e-3",
    "1e-9",
    "1e-308",
    "5e-324",
    "-1e-300",
    "1e3",
    "1e5",
    "1e6",
    "-1e6",
    "1e9",
    "1e12",
    "1e16",
    "1e100",
    "1e155",
    "1e306",
    "1.7e308",
    "-1.7e308",
    "1e309",
    "nan",
    "-nan",
    "inf",
    "-inf",
    "65535",
    "65536",
    "4294967295",
    "4294967296",
    "-2147483648",
    "9223372036854775807",
    "18446744073709551616",
    "99999999999999999999999999",
    "0x10",
    "1,5",
    "1e",
    "",
    " ",
    "true",
    "abc",
    "$f{rand()*1e6}",
    "$f{1/0}",
    "${nope|7}",
    "$f{1e200*1e200}",
    "360",
    "-180",
    "89.9999999",
];

/// In place of a value, or of part of one.
const VALUES: &[&str] = &[
    "",
    "true",
    "false",
    "0 0 0",
    "1 2",
    "1 2 3 4 5 6 7",
    "/dev/null",
    "/",
    ".",
    "..",
    "w.world.xml",
    "maps/office.yaml",
    "maps/hills.png",
    "models/robot.dae",
    "models/wheel.obj",
    "points/survey.txt",
    "vehicles/racecar.vehicle.xml",
    "no/such/file",
    "https://example.invalid/a.dae",
    "a.zip/b",
    "#ffffff",
    "#zz",
    "default",
    "wardiagnemma",
    "ellipse",
    "linear",
    "fiala",
    "pacejka",
    "differential",
    "ackermann",
    "ackermann_drivetrain",
    "twist_pid",
    "twist_ideal",
    "front_steer_pid",
    "laser",
    "occupancy_grid",
    "elevation_map",
    "horizontal_plane",
    "${i}",
    "$f{",
    "$env{HOME}",
    "$(true)",
    "é\u{0}",
    "<",
    "&#0;",
    "&lt;",
    "]]>",
    "9999999999 1 1 1",
];

/// What may stand anywhere.
const PIECES: &[&str] = &[
    "<for var=\"i\" from=\"1\" to=\"3\">",
    "</for>",
    "<if condition=\"$f{i>1}\">",
    "</if>",
    "<include file=\"w.world.xml\"/>",
    "<include file=\"vehicles/truck.vehicle.xml\" a=\"1\"/>",
    "<variable name=\"v\" value=\"${v}${v}\"/>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?xml version=\"1.0\"?>",
    "<a b='",
    "&amp;",
    "\u{0}",
    "\"",
    "<",
    ">",
    "</",
    "/>",
    "<mvsim_world>",
    "</mvsim_world>",
    "<vehicle name=\"r\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\"/></vehicle>",
    "<block><init_pose>0 0 0</init_pose></block>",
    "<init_pose>1e9 -1e9 7</init_pose>",
    "<mass>1e-9</mass>",
    "<static>false</static>",
];

/// Where things are in a text.
#[derive(Default)]
struct Parts {
    /// Elements from `<` to the end of their last tag.
    elements: Vec<Range<usize>>,
    tags: Vec<Range<usize>>,
    numbers: Vec<Range<usize>>,
    /// Values of attributes, and text between tags.
    values: Vec<Range<usize>>,
}

impl Parts {
    fn of(text: &str) -> Parts {
        let mut parts = Parts::default();
        let mut open = Vec::new();
        let mut at = 0;
        while let Some(start) = text[at..].find('<').map(|offset| at + offset) {
            parts.add_value(text, at..start);
            let remaining_text = &text[start..];
            let (end, is_tag) = if remaining_text.starts_with("<!--") {
                (remaining_text.find("-->").map(|offset| offset + 3), false)
            } else {
                (remaining_text.find('>').map(|offset| offset + 1), !remaining_text.starts_with("<?"))
            };
            let end = start + end.unwrap_or(remaining_text.len());
            at = end;
            if !is_tag {
                continue;
            }
            parts.tags.push(start..end);
            let tag = &text[start..end];
            if tag.starts_with("</") {
                if let Some(begin) = open.pop() {
                    parts.elements.push(begin..end);
                }
                continue;
            }
            for quote in ['"', '\''] {
                let quotes: Vec<usize> = tag.match_indices(quote).map(|(index, _)| start + index).collect();
                quotes.chunks_exact(2).for_each(|pair| parts.add_value(text, pair[0] + 1..pair[1]));
            }
            if tag.ends_with("/>") {
                parts.elements.push(start..end);
            } else {
                open.push(start);
            }
        }
        parts
    }

    fn add_value(&mut self, text: &str, range: Range<usize>) {
        if text[range.clone()].trim().is_empty() {
            return;
        }
        let is_part = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
        let mut start = None;
        for (index, c) in text[range.clone()].char_indices().chain([(range.len(), ' ')]) {
            match (start, is_part(c)) {
                (None, true) => start = Some(index),
                (Some(begin), false) => {
                    if text[range.start + begin..range.start + index].contains(|c: char| c.is_ascii_digit()) {
                        self.numbers.push(range.start + begin..range.start + index);
                    }
                    start = None;
                }
                _ => {}
            }
        }
        self.values.push(range);
    }
}

fn word(rng: &mut Rng, of: &[&'static str]) -> &'static str {
    of.choose(rng).copied().unwrap_or_default()
}

/// One of these parts, where there are any.
fn part(rng: &mut Rng, of: &[Range<usize>]) -> Range<usize> {
    if of.is_empty() { 0..0 } else { choice(rng, of).clone() }
}

/// A world with something wrong in it, of which the text of `other` may be part.
pub(crate) fn damaged(whole: &str, other: &str, rng: &mut Rng) -> Vec<u8> {
    let mut text = whole.to_owned();
    for _ in 0..rng.random_range(1..=4) {
        change(&mut text, other, rng);
        // What multiplies itself would only be the same again.
        if text.len() > 1 << 20 {
            break;
        }
    }
    let mut bytes = text.into_bytes();
    if rng.random_ratio(1, 12) {
        damage(&mut bytes, other.as_bytes(), rng);
    }
    bytes
}

fn change(text: &mut String, other: &str, rng: &mut Rng) {
    let parts = Parts::of(text);
    match rng.random_range(0..20) {
        0..=4 => text.replace_range(part(rng, &parts.numbers), word(rng, NUMBERS)),
        5 | 6 => {
            let place = part(rng, &parts.numbers);
            let factor = *choice(rng, &[-1.0, 0.0, 0.01, 0.1, 0.5, 2.0, 10.0, 100.0, 1e4]);
            let number =
                text[place.clone()].parse::<f64>().unwrap_or(1.0) * factor + *choice(rng, &[0.0, 0.0, 1e-6, 1.0]);
            text.replace_range(place, &number.to_string());
        }
        7 => text.replace_range(part(rng, &parts.values), word(rng, VALUES)),
        8 => {
            let (a, b) = (part(rng, &parts.values), part(rng, &parts.values));
            let value = text[a].to_owned();
            text.replace_range(b, &value);
        }
        9 | 10 => {
            let element = part(rng, &parts.elements);
            let times = *choice(rng, &[1, 1, 1, 2, 5, 100]);
            let again = text[element.clone()].repeat(if element.len() > 5000 { 1 } else { times });
            text.insert_str(element.end, &again);
        }
        11 => text.replace_range(part(rng, &parts.elements), ""),
        12 => {
            let (a, b) = (part(rng, &parts.elements), part(rng, &parts.elements));
            if a.end <= b.start {
                let (first, second) = (text[a.clone()].to_owned(), text[b.clone()].to_owned());
                text.replace_range(b, &first);
                text.replace_range(a, &second);
            } else {
                let element = text[a].to_owned();
                text.replace_range(b, &element);
            }
        }
        13 => text.replace_range(part(rng, &parts.tags), ""),
        14 => {
            let (a, b) = (part(rng, &parts.tags), part(rng, &parts.tags));
            let tag = text[a].to_owned();
            text.replace_range(b, &tag);
        }
        15 | 16 => {
            let element = other[part(rng, &Parts::of(other).elements)].to_owned();
            let place = part(rng, &parts.elements);
            if rng.random() { text.replace_range(place, &element) } else { text.insert_str(place.end, &element) }
        }
        17 => {
            let begin = part(rng, &parts.tags).start;
            text.truncate(begin);
            text.push_str(&other[part(rng, &Parts::of(other).tags).end..]);
        }
        18 => {
            let element = part(rng, &parts.elements);
            let count = if rng.random_ratio(1, 60) { "1000000" } else { *choice(rng, &["2", "5", "20", "60"]) };
            let repeated = format!("<for var=\"k\" from=\"1\" to=\"{count}\">{}</for>", &text[element.clone()]);
            text.replace_range(element, &repeated);
        }
        _ => {
            let mut at = if rng.random() { part(rng, &parts.elements).end } else { place(rng, text.len()) };
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            text.insert_str(at, word(rng, PIECES));
        }
    }
}
