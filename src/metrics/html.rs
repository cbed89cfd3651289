//! What all pages of reports have in common.

/// Follows the system's light or dark mode; graphs are drawn on white, and inverted in dark mode.
const STYLE: &str = "
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --line: #ddd; --soft: #666; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --paper: #111; --line: #3a3a3a; --soft: #a5a5a5; }
  svg { filter: invert(0.94) hue-rotate(180deg); }
}
body { margin: 2rem auto; padding: 0 1rem; max-width: 70rem; font: 15px/1.5 sans-serif; color: var(--ink); background: var(--paper); }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.8rem 0.2rem 0; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; } th { font-weight: 600; }
.unit, .note { color: var(--soft); }
dd { margin: 0 0 0.4rem 1rem; } code { overflow-wrap: anywhere; }
figure { margin: 1.5rem 0; } svg { max-width: 100%; height: auto; }
";

/// The beginning of a page, up to its heading.
pub fn head(title: &str) -> String {
    styled_head(title, "")
}

/// The same with more rules of style.
pub fn styled_head(title: &str, style: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}{style}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    )
}

/// Text in HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
