//! Pages of reports: the frame that all have in common, and the parts that several have.

use maud::{DOCTYPE, Markup, PreEscaped, Render, html};

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
.lines { white-space: pre-line; }
dd { margin: 0 0 0.4rem 1rem; } code { overflow-wrap: anywhere; }
figure { margin: 1.5rem 0; } svg { max-width: 100%; height: auto; }
";

/// A page with this title and body, and more rules of style.
pub fn page(title: &str, style: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(style)) }
            }
            body { h1 { (title) } (body) }
        }
    };
    page.into_string()
}

/// Rows as a table that may be wider than the page; the first is its head.
pub fn table(rows: &[Vec<String>]) -> Markup {
    html! {
        div.wide {
            table {
                @for (index, row) in rows.iter().enumerate() {
                    tr {
                        @for cell in row {
                            @if index == 0 { th { (cell) } } @else { td { (cell) } }
                        }
                    }
                }
            }
        }
    }
}

/// A picture in SVG.
pub fn figure(svg: &str) -> Markup {
    html! { figure { (PreEscaped(svg)) } }
}

/// A part that is folded up below its title.
pub fn folded(title: &str, content: impl Render) -> Markup {
    html! { details { summary { (title) } (content) } }
}
