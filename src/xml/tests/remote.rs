//! Texts received over the network: which files they may name, and what they learn about files.

use std::fs;
use std::sync::Arc;

use skidpad_files::assets::{Reach, Settings};

use super::*;
use crate::{Options, Reader};

/// A load requested by a caller over the network who may name files below `folder`.
fn remote(folder: &std::path::Path) -> Context {
    let reach = Some(Arc::new(Reach::new([folder.to_path_buf()], Vec::new())));
    Context::new(Options {
        assets: Settings { reach, ..Settings::default() },
        allow_commands: true,
        ..Options::default()
    })
}

/// The errors of a world given as text; the `mass` of every element that has one is read.
fn errors_of_text(folder: &std::path::Path, inner: &str) -> String {
    let context = remote(folder);
    let text = format!("<mvsim_world>{inner}</mvsim_world>");
    context.read_world_text("sent", folder, &text, &mut |element| {
        let reader = Reader::new(&context, element);
        reader.f64("mass", 1.0, Accept::positive());
        reader.attribute_or_default("name");
        reader.path("file");
    });
    loaded(context, Vec::new()).errors.replace(&folder.display().to_string(), "DIR")
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn callers_see_no_environment_and_run_nothing() {
    let folder = folder();
    let folder = folder.path().canonicalize().unwrap();
    fs::write(folder.join("part.xml"), "<b name='${HOME|none}'><mass>${HOME}</mass></b>").unwrap();
    for (inner, expected) in [
        ("<b><mass>$env{HOME}</mass></b>", "sent:1:23: \"$env{HOME}\" in a text from the network"),
        ("<b><mass>$(id)</mass></b>", "sent:1:23: \"$(id)\" in a text from the network"),
        ("<b><mass>$(ros2 pkg prefix x)</mass></b>", "sent:1:23: \"$(ros2 pkg prefix x)\" in a text from the"),
        ("<b><mass>${HOME}</mass></b>", "sent:1:23: variable \"HOME\" is not defined\n  hint: <variable name="),
        ("<variable name='x' value='$env{HOME}'/>", "sent:1:40: \"$env{HOME}\" in a text from the network"),
        (
            "<include file='part.xml'/>",
            "DIR/part.xml:1:30: an error here …\n  included from sent:1:14\n  hint: run `skidpad",
        ),
    ] {
        let errors = errors_of_text(&folder, inner);
        assert!(errors.starts_with(expected), "{inner}: {errors}");
        assert!(!errors.contains(&std::env::var("HOME").unwrap_or("/root".into())), "{errors}");
    }
    let context = remote(&folder);
    let mut name = None;
    context.read_world_text("sent", &folder, "<mvsim_world><b name='${HOME|none}'/></mvsim_world>", &mut |element| {
        name = Reader::new(&context, element).attribute_or_default("name");
    });
    assert!(name.is_none_or(|name| name == "none"));
}

#[test]
fn callers_name_files_below_the_folders_only() {
    let (inside, outside) = (folder(), folder());
    let (inside, outside) = (inside.path().canonicalize().unwrap(), outside.path().canonicalize().unwrap());
    fs::write(outside.join("secret.xml"), "tell nobody").unwrap();
    std::os::unix::fs::symlink(outside.join("secret.xml"), inside.join("link.xml")).unwrap();
    fs::write(inside.join("good.xml"), "<b/>").unwrap();
    let secret = outside.join("secret.xml").display().to_string();
    for named in [
        secret.clone(),
        format!("file://{secret}"),
        "link.xml".into(),
        format!("none/../..{secret}"),
        format!("{secret}.none"),
    ] {
        for inner in [format!("<include file='{named}'/>"), format!("<b><file>{named}</file></b>")] {
            let errors = errors_of_text(&inside, &inner);
            assert!(
                errors.contains("is outside of the folders that callers over the network may name"),
                "{inner}: {errors}"
            );
        }
    }
    assert_eq!(errors_of_text(&inside, "<include file='good.xml'/><b><file>good.xml</file></b>"), "");
    let address = errors_of_text(&inside, "<b><file>http://127.0.0.1:9/x</file></b>");
    assert!(address.contains("is not an address that callers over the network may name"), "{address}");
}

#[test]
fn the_content_of_files_is_not_revealed() {
    let folder = folder();
    let folder = folder.path().canonicalize().unwrap();
    let reported = |content: &str| {
        fs::write(folder.join("w.xml"), content).unwrap();
        let context = remote(&folder);
        context.read_world(&folder.join("w.xml"), &mut |element| {
            let reader = Reader::new(&context, element);
            reader.f64("mass", 1.0, Accept::positive());
            if let Some(file) = reader.child("file") {
                file.error(format!("{}: cannot be read: no such file", file.own_text().unwrap_or_default()));
            }
            reader.finish();
        });
        let loaded = loaded(context, Vec::new());
        format!("{}{}", loaded.errors, loaded.warnings).replace(&folder.display().to_string(), "DIR")
    };
    let hint = "\n  hint: run `skidpad check` on its machine: contents of files are not sent over the network";
    for (content, expected) in [
        ("<mvsim_world><b><mass>secret</mass></b></mvsim_world>", "DIR/w.xml:1:23: bad value …"),
        ("<mvsim_world><b><secret/></b></mvsim_world>", "DIR/w.xml:1:17: unknown tag …"),
        ("<secret/>", "DIR/w.xml:1:1: root element is …"),
        ("<mvsim_world><b><file>secret.png</file></b></mvsim_world>", "DIR/w.xml:1:17: a file cannot be read: …"),
        ("<mvsim_world><include file='secret.xml'/></mvsim_world>", "DIR/w.xml:1:29: a file cannot be read: …"),
        ("<mvsim_world><secret a=b></mvsim_world>", "DIR/w.xml:1:24: an attribute value without quotes in …"),
    ] {
        assert_eq!(reported(content), format!("{expected}{hint}"));
    }
    for content in ["secret", "secret: [\nsecret", "<secret", "root:secret:1\n<&secret;"] {
        assert!(!reported(content).contains("secret"), "{}", reported(content));
    }
    // Files of a world that a local user named are quoted as usual, and so is the caller's own text.
    let own = errors_of_text(&folder, "<b><mass>much</mass></b>");
    assert!(own.starts_with("sent:1:23: bad value \"much\" for <mass> in <b>"), "{own}");
}

#[test]
fn variables_set_by_a_caller_make_all_values_the_callers() {
    let folder = folder();
    let folder = folder.path().canonicalize().unwrap();
    let class = "<mvsim_world><c><file>${MESH}</file></c></mvsim_world>";
    let mut element = None;
    Context::new(Options::default())
        .read_world_text("local", &folder, class, &mut |element_read| element = Some(element_read.clone()));
    let element = element.unwrap();
    let path = |variables: &str| {
        let context = remote(&folder);
        context.set_variable("MESH", "/of/the/world.dae");
        context.read_part_text("sent", &folder, variables, &mut |_| {});
        let path = Reader::new(&context, &element).path("file");
        (path, loaded(context, Vec::new()).errors)
    };
    assert_eq!(path("").0, Some("/of/the/world.dae".into()));
    for text in [
        "<variable name='MESH' value='/etc/passwd'/>",
        "<for var='MESH' from='1' to='2'><b/></for><variable name='x' value='1'/>",
    ] {
        let (path, errors) = path(text);
        assert!(path.is_none() || path.as_ref().is_some_and(|path| path.starts_with(&folder)), "{path:?}");
        assert!(path.is_some() || !errors.is_empty());
    }
}

#[test]
fn a_cancelled_load_fails() {
    let context = Context::new(Options::default());
    context.cancel().cancel();
    context.read_world_text("w", std::path::Path::new("."), "<mvsim_world><b/><b/></mvsim_world>", &mut |_| {
        panic!("read on")
    });
    assert_eq!(loaded(context, Vec::new()).errors, "w:1:14: loading was cancelled");
}
