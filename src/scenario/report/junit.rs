//! JUnit XML, as Jenkins, GitLab, GitHub's actions and `junitparser` read it.
//!
//! There is no standard; elements and attributes are those of the schema of Jenkins' xUnit plugin (`junit-10.xsd`), with one addition: `properties` of
//! test cases, as pytest writes them and `junitparser` and Jenkins' `junit` step read them. `testsuites` has a `testsuite` for each file of
//! scenarios, which has a `testcase` for each run. A criterion that did not hold is a `failure`, a run that broke an `error`. Times are wall
//! times, as everywhere in CI.

use std::io;

use quick_xml::Writer;
use quick_xml::events::BytesText;
use skidpad_files::legible::plain;

use super::{Counts, bounded, notes, seconds};
use crate::result::{CaseResult, Verdict};

type Out = Writer<Vec<u8>>;

/// The results as a JUnit XML document.
pub fn junit(results: &[CaseResult]) -> String {
    let head = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_vec();
    let mut out = Writer::new_with_indent(head, b' ', 2);
    // Writing to memory does not fail.
    let _ = suites(&mut out, results);
    String::from_utf8(out.into_inner()).unwrap_or_default() + "\n"
}

fn suites(out: &mut Out, results: &[CaseResult]) -> io::Result<()> {
    let totals = totals(results.iter());
    out.create_element("testsuites")
        .with_attribute(("name", "skidpad test"))
        .with_attributes(totals.iter().map(|(key, value)| (*key, value.as_str())))
        .write_inner_content(|out| {
            let mut files: Vec<_> = results.iter().map(|result| &result.case.file).collect();
            files.sort();
            files.dedup();
            // In the order in which they were run.
            files.sort_by_key(|file| results.iter().position(|result| result.case.file == **file));
            files.into_iter().try_for_each(|file| {
                let of_file: Vec<_> = results.iter().filter(|result| result.case.file == *file).collect();
                suite(out, &valid(&file.display().to_string()), &of_file)
            })
        })
        .map(drop)
}

fn suite(out: &mut Out, file: &str, results: &[&CaseResult]) -> io::Result<()> {
    let totals = totals(results.iter().copied());
    out.create_element("testsuite")
        .with_attributes([("name", file), ("file", file)])
        .with_attributes(totals.iter().map(|(key, value)| (*key, value.as_str())))
        .with_attribute(("skipped", "0"))
        .write_inner_content(|out| results.iter().try_for_each(|result| case(out, result)))
        .map(drop)
}

/// The counts of some runs as attributes.
fn totals<'a>(results: impl Iterator<Item = &'a CaseResult> + Clone) -> [(&'static str, String); 4] {
    let counts = Counts::of(results.clone());
    let wall: f64 = results.map(|result| result.wall).sum();
    [
        ("tests", counts.all().to_string()),
        ("failures", counts.failed.to_string()),
        ("errors", counts.broken.to_string()),
        ("time", seconds(wall)),
    ]
}

fn case(out: &mut Out, result: &CaseResult) -> io::Result<()> {
    let (name, class) = (valid(&result.case.name()), valid(&result.case.scenario));
    let time = seconds(result.wall);
    out.create_element("testcase")
        .with_attributes([("name", name.as_str()), ("classname", class.as_str()), ("time", time.as_str())])
        .write_inner_content(|out| {
            out.create_element("properties").write_inner_content(|out| {
                properties(result).iter().try_for_each(|(key, value)| {
                    let attributes = [("name", valid(key)), ("value", valid(&bounded(value)))];
                    let attributes = attributes.iter().map(|(key, value)| (*key, value.as_str()));
                    out.create_element("property").with_attributes(attributes).write_empty().map(drop)
                })
            })?;
            let reasons = result.reasons();
            match &result.verdict {
                Verdict::Passed => {}
                Verdict::Failed => reason(out, "failure", &reasons, result)?,
                Verdict::Broken(_) => reason(out, "error", &reasons, result)?,
            }
            let remarks: Vec<String> = notes(result).into_iter().chain(result.never_happened()).collect();
            if !remarks.is_empty() {
                text(out.create_element("system-out"), &remarks.join("\n"))?;
            }
            Ok(())
        })
        .map(drop)
}

/// Why a run did not pass: the first reason in short, and all of them.
fn reason(out: &mut Out, tag: &str, reasons: &[String], result: &CaseResult) -> io::Result<()> {
    let first = reasons.first().and_then(|reason| reason.lines().next()).unwrap_or(&result.end);
    let more = if reasons.len() > 1 { format!(" (and {} more)", reasons.len() - 1) } else { String::new() };
    let message = valid(&bounded(&format!("{first}{more}")));
    let element = out.create_element(tag).with_attribute(("message", message.as_str()));
    text(element.with_attribute(("type", result.verdict.word())), &result.explained().join("\n"))
}

fn text(element: quick_xml::writer::ElementWriter<'_, Vec<u8>>, text: &str) -> io::Result<()> {
    element.write_text_content(BytesText::new(&valid(text))).map(drop)
}

/// What is known of a run by name: what distinguishes it, how it was made, and its numbers.
fn properties(result: &CaseResult) -> Vec<(String, String)> {
    let mut properties: Vec<(String, String)> = vec![("seed".into(), result.seed.to_string())];
    let varied = result.case.varied.iter().filter(|(key, _)| key != "seed");
    properties.extend(varied.cloned());
    properties.extend(result.case.repetition.map(|number| ("repetition".to_owned(), number.to_string())));
    properties.push(("simulated_s".into(), seconds(result.simulated)));
    properties.push(("bits".into(), result.bits.clone()));
    properties.extend(result.recording.iter().map(|path| ("recording".to_owned(), path.display().to_string())));
    let several = super::measured([result]).len() > 1;
    for measure in &result.measures {
        if let Some(value) = measure.value {
            let name = match &measure.vehicle {
                Some(vehicle) if several => format!("{vehicle}.{}", measure.key),
                _ => measure.key.to_owned(),
            };
            properties.push((name, value.to_string()));
        }
    }
    properties
}

/// A text of characters that XML 1.0 has (section 2.2), without what [`plain`] leaves out.
fn valid(text: &str) -> String {
    plain(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use quick_xml::Reader;
    use quick_xml::events::{BytesStart, Event};

    use super::super::samples::results;
    use super::*;

    fn attributes(start: &BytesStart<'_>) -> Vec<(String, String)> {
        let pair = |attribute: quick_xml::events::attributes::Attribute<'_>| {
            let value = attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0).unwrap();
            (attribute.key.as_ref().to_owned(), value.into_owned())
        };
        start.attributes().map(|attribute| pair(attribute.unwrap())).collect()
    }

    /// An element that was read back.
    struct Element {
        /// The names of those that it is in, and its own, with slashes between them.
        path: String,
        attributes: Vec<(String, String)>,
        text: String,
    }

    fn read(document: &str) -> Vec<Element> {
        let mut reader = Reader::from_str(document);
        let (mut path, mut open, mut elements) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            match reader.read_event().unwrap() {
                Event::Start(start) => {
                    path.push(start.name().as_ref().to_owned());
                    elements.push(Element {
                        path: path.join("/"),
                        attributes: attributes(&start),
                        text: String::new(),
                    });
                    open.push(elements.len() - 1);
                }
                Event::Empty(start) => {
                    let path = format!("{}/{}", path.join("/"), start.name().as_ref());
                    elements.push(Element { path, attributes: attributes(&start), text: String::new() });
                }
                Event::End(_) => {
                    path.pop();
                    open.pop();
                }
                Event::Text(text) => {
                    if let Some(&last) = open.last() {
                        elements[last].text += &text;
                    }
                }
                Event::GeneralRef(name) => {
                    let last = *open.last().unwrap();
                    elements[last].text += quick_xml::escape::resolve_xml_entity(&name).unwrap();
                }
                Event::Eof => return elements,
                _ => {}
            }
        }
    }

    fn of<'a>(elements: &'a [Element], tag: &str) -> Vec<&'a Element> {
        elements.iter().filter(|elements| elements.path.ends_with(tag)).collect()
    }

    fn attribute<'a>(of: &'a Element, key: &str) -> &'a str {
        of.attributes.iter().find(|(name, _)| name == key).map_or("", |(_, value)| value)
    }

    #[test]
    fn a_parser_reads_what_was_written() {
        let document = junit(&results());
        let actual = read(&document);
        let [suites, suite] = ["testsuites", "testsuites/testsuite"].map(|tag| of(&actual, tag)[0]);
        for totals in [suites, suite] {
            let keys = ["tests", "failures", "errors", "time"];
            assert_eq!(keys.map(|key| attribute(totals, key)), ["3", "1", "1", "3.75"]);
        }
        let cases = of(&actual, "/testcase");
        let names: Vec<_> = cases.iter().map(|case| attribute(case, "name")).collect();
        assert_eq!(names, ["doorway[seed=1,wall=a b]", "doorway[seed=3,wall=a b]", "doorway#4"]);
        assert!(
            cases.iter().all(|case| attribute(case, "classname") == "doorway" && attribute(case, "time") == "1.25")
        );
        let failure = of(&actual, "/failure")[0];
        assert_eq!(
            attribute(failure, "message"),
            "clearance of r1: 0.043 m, to block \"door <2>\" at 3.2 s; expected at least 0.1 m (and 1 more)"
        );
        let lines: Vec<_> = failure.text.lines().collect();
        assert_eq!(
            lines[1..4],
            [
                "goal of r1: 1.2 m away; expected within 0.25 m in 30 s",
                "ended after 30 s: duration of 30 s",
                "again: skidpad test door.yaml --only 'doorway[seed=3,wall=a b]'"
            ]
        );
        assert_eq!(attribute(of(&actual, "/error")[0], "message"), "nav2: ended with status 1");
        let said: Vec<_> = of(&actual, "/system-out").iter().map(|said| said.text.as_str()).collect();
        let never = "never happened: remove <box> (door.yaml:9:3)";
        assert_eq!(said, [never.to_owned(), format!("warning: red & \\u{{0}}zero\n{never}")]);
        let properties: Vec<_> =
            of(&actual, "/property").into_iter().map(|p| (attribute(p, "name"), attribute(p, "value"))).collect();
        for wanted in [
            ("seed", "3"),
            ("wall", "a b"),
            ("bits", "00ff"),
            ("simulated_s", "30"),
            ("least_clearance_m", "0.043"),
            ("repetition", "4"),
        ] {
            assert!(properties.contains(&wanted), "{wanted:?} in {properties:?}");
        }
    }

    #[test]
    fn suites_are_files_in_the_order_of_the_runs() {
        let mut results = results();
        results[0].case.file = "z.yaml".into();
        let actual = read(&junit(&results));
        let suites = of(&actual, "testsuites/testsuite");
        let counts: Vec<_> = suites.iter().map(|suite| (attribute(suite, "name"), attribute(suite, "tests"))).collect();
        assert_eq!(counts, [("z.yaml", "1"), ("door.yaml", "2")]);
        assert!(read(&junit(&[])).len() == 1);
    }

    #[test]
    fn all_characters_are_those_of_xml() {
        let text: String = (0..0x3000).chain(0xfff0..=0x10010).filter_map(char::from_u32).collect();
        let is_valid = |c: char| matches!(c as u32, 9 | 10 | 0x20..=0xd7ff | 0xe000..=0xfffd | 0x10000..);
        assert!(valid(&text).chars().all(is_valid));
        assert_eq!(valid("a\u{1b}[1;31mb\u{1b}[0m\u{1b}c\r"), "ab\\r");
    }
}
