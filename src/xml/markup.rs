//! Texts of users, recordings and other programs in files that are written here: one escape for each language, so that
//! such a text stays a text.

/// A comment of XML. In an included file `${…}` is replaced before anything is parsed, in comments too, so a text must not bring one.
pub fn xml_comment(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).collect();
    format!("<!-- {} -->", text.replace("--", "–").replace("${", "$ {"))
}

/// A text within a line or a cell of Markdown: no tags, links, code or emphasis, nor the end of a cell.
pub fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '<' | '>' | '|' | '`' | '*' | '[' | ']' | '\\' => escaped += &format!("&#{};", u32::from(c)),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_end_nothing_that_they_are_in() {
        for (text, expected) in [
            ("a --> b", "<!-- a –> b -->"),
            ("--->\n<include file=\"/etc/passwd\"/> <!---", "<!-- –->\n<include file=\"/etc/passwd\"/> <!–- -->"),
            ("-${x|-}> ${HOME}\u{1b}", "<!-- -$ {x|-}> $ {HOME}  -->"),
        ] {
            let comment = xml_comment(text);
            assert_eq!(comment, expected);
            assert_eq!(comment.matches("--").count(), 2);
        }
        assert_eq!(markdown("a_b | <b> `c`\nd"), "a_b &#124; &#60;b&#62; &#96;c&#96; d");
    }
}
