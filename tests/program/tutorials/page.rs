//! A tutorial as its reader takes it: text and blocks between ```` ``` ````, which are of three kinds.
//!
//! * `sh`: commands, one a line. A ` # ` begins a comment.
//! * `text`: what the commands before it print. Its lines occur in this order; `…` stands for what is left out, within
//!   a line or for lines.
//! * any other: a file, whose name in backticks and a colon end the line before.

use std::collections::VecDeque;

/// What a reader of a tutorial does next.
#[derive(Debug, PartialEq)]
pub enum Step<'a> {
    Write { name: &'a str, text: String },
    Run { commands: Vec<&'a str>, output: Vec<&'a str> },
}

/// The steps of a page.
pub fn steps(page: &str) -> Vec<Step<'_>> {
    let mut steps: Vec<Step> = Vec::new();
    let mut before = "";
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else {
            before = if line.is_empty() { before } else { line };
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match (language, steps.last_mut()) {
            ("sh", _) => {
                let commands = block.iter().map(|line| line.split(" # ").next().unwrap().trim());
                steps.push(Step::Run { commands: commands.collect(), output: Vec::new() });
            }
            ("text", Some(Step::Run { output, .. })) if output.is_empty() => *output = block,
            _ => {
                let name = before.strip_suffix("`:").and_then(|text| text.rsplit('`').next());
                let name = name.unwrap_or_else(|| panic!("a block without a name: {block:#?}"));
                steps.push(Step::Write { name, text: block.join("\n") + "\n" });
            }
        }
    }
    steps
}

/// Whether a line has the parts between the `…` of `shown` in their order, from its beginning to its end.
fn is_shown(line: &str, shown: &str) -> bool {
    let mut parts: VecDeque<&str> = shown.split('…').map(str::trim).collect();
    let (first, last) = (parts.pop_front().unwrap_or_default(), parts.pop_back());
    let Some(mut remaining_text) = line.trim().strip_prefix(first) else { return false };
    for part in parts {
        let Some((_, after)) = remaining_text.split_once(part) else { return false };
        remaining_text = after;
    }
    last.map_or(remaining_text.is_empty(), |last| remaining_text.ends_with(last))
}

/// The first line of `shown` that does not occur after those before it.
pub fn first_missing<'a>(printed: &str, shown: &[&'a str]) -> Option<&'a str> {
    let mut lines = printed.lines();
    shown.iter().copied().filter(|line| line.trim() != "…").find(|shown| !lines.any(|line| is_shown(line, shown)))
}

/// The first warning in what was printed that the page does not show.
pub fn hidden_warning<'a>(printed: &'a str, shown: &[&str]) -> Option<&'a str> {
    let is_there = |line: &str| shown.iter().any(|shown| shown.trim() != "…" && is_shown(line, shown));
    let is_hidden = |line: &&str| line.contains("warning: ") && !is_there(line);
    printed.lines().find(is_hidden)
}

#[test]
fn a_page_is_read_as_its_reader_does() {
    let page = "# T\nWrite `a` to `b.csv`:\n\n```csv\n1\n2\n```\nThen\n```sh\none # first\ntwo\n```\n```text\nx\n```\n";
    let written = Step::Write { name: "b.csv", text: "1\n2\n".into() };
    assert_eq!(steps(page), [written, Step::Run { commands: vec!["one", "two"], output: vec!["x"] }]);

    let printed = "a 1.5 m\n  b\nc 2 s, d\n";
    assert_eq!(first_missing(printed, &["a … m", "…", "b", "c 2 …"]), None);
    assert_eq!(first_missing(printed, &["b", "a 1.5 m"]), Some("a 1.5 m"));
    assert_eq!(first_missing(printed, &["a 1.5"]), Some("a 1.5"));
    assert_eq!(first_missing(printed, &["a … s"]), Some("a … s"));
    assert_eq!(hidden_warning("a\nwarning: b 2\n", &["a", "warning: b …"]), None);
    assert_eq!(hidden_warning("a\nwarning: b 2\n", &["a", "…"]), Some("warning: b 2"));
}
