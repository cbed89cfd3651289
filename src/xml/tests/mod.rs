//! Tests of the text layer through its public interface: world text in, elements, values and problems out.

mod arbitrary;
mod arguments;
mod dialect;
mod editing;
mod flow;
mod hostile;
mod mvsim;
mod reading;
mod remote;
mod substitution;

use std::path::Path;

use skidpad_files::assets;

use super::*;

/// Result of a load.
struct Loaded {
    elements: Vec<Element>,
    errors: String,
    warnings: String,
}

/// Runs `read` over every element of a world whose root holds `body` from the second line on.
fn read_body(body: &str, read: impl FnMut(&Context, &Element)) -> Loaded {
    read_text(&format!("<mvsim_world>\n{body}\n</mvsim_world>"), read)
}

fn read_text(text: &str, mut read: impl FnMut(&Context, &Element)) -> Loaded {
    let context = Context::new(Options::default());
    let mut elements = Vec::new();
    context.read_world_text("w.xml", Path::new("/nowhere"), text, &mut |element| {
        read(&context, element);
        elements.push(element.clone());
    });
    loaded(context, elements)
}

fn loaded(context: Context, elements: Vec<Element>) -> Loaded {
    let (errors, warnings) = context.finish();
    Loaded { elements, errors: Problems(errors).to_string(), warnings: Problems(warnings).to_string() }
}

/// Loads `w.xml` from a folder with these `files`; the result shows the folder as `DIR`.
fn read_files(files: &[(&str, &str)], mut read: impl FnMut(&Context, &Element)) -> Loaded {
    let folder = tempfile::tempdir().expect("a scratch folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    let assets = assets::Settings { offline: true, cache: Some(folder.path().join("cache")), ..Default::default() };
    let context = Context::new(Options { assets, ..Options::default() });
    let mut elements = Vec::new();
    context.read_world(&folder.path().join("w.xml"), &mut |element| {
        read(&context, element);
        elements.push(element.clone());
    });
    context.check_taken_variables();
    let mut result = loaded(context, elements);
    let shown = folder.path().to_string_lossy().into_owned();
    result.errors = result.errors.replace(&shown, "DIR");
    result.warnings = result.warnings.replace(&shown, "DIR");
    result
}

/// Tag and own text of every element, evaluated at the time of the visit: `tag=text`.
fn trace(files: &[(&str, &str)]) -> (Vec<String>, Loaded) {
    let mut seen = Vec::new();
    let loaded = read_files(files, |context, element| {
        let text = Reader::new(context, element).own_text();
        seen.push(format!("{}={}", element.tag, text.unwrap_or_default()));
    });
    (seen, loaded)
}

fn trace_body(body: &str) -> (Vec<String>, Loaded) {
    trace(&[("w.xml", &format!("<mvsim_world>\n{body}\n</mvsim_world>"))])
}
