//! Resources: what a caller names by a URI, or hands over as text.

use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

/// A URI or, where that is empty, a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resource {
    pub uri: String,
    pub text: String,
}

/// What a resource turns out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meant {
    /// Neither a URI nor a text.
    Nothing,
    /// A word without scheme, folder and ending: a class, or a world's name.
    Name(String),
    /// A file of a kind that is not refused by its name.
    File(PathBuf),
    /// A text.
    Text(String),
    /// A kind of resource that is not read here, and why.
    Foreign(String),
}

/// Endings of files that other simulators read.
const FOREIGN: [&str; 12] =
    ["sdf", "urdf", "xacro", "usd", "usda", "usdc", "usdz", "mjcf", "json", "dae", "obj", "gltf"];

/// Root tags of texts that other simulators read.
const FOREIGN_ROOTS: [&str; 3] = ["sdf", "robot", "mujoco"];

impl Resource {
    /// What is meant.
    pub fn meaning(&self) -> Meant {
        if self.uri.is_empty() {
            return match self.text.trim() {
                "" => Meant::Nothing,
                text => match root_tag(text) {
                    None => Meant::Foreign("resource_string: this is no XML".to_owned()),
                    Some(root) if FOREIGN_ROOTS.contains(&root) => {
                        Meant::Foreign(format!("resource_string: <{root}> is a format of other simulators"))
                    }
                    Some(_) => Meant::Text(self.text.clone()),
                },
            };
        }
        let path = match self.uri.split_once("://") {
            Some(("file", path)) => match percent_decode_str(path).decode_utf8() {
                Ok(path) => path.into_owned(),
                Err(_) => return Meant::Foreign(format!("uri \"{}\": not UTF-8", self.uri)),
            },
            Some((scheme, _)) => return Meant::Foreign(format!("uri \"{}\": {scheme}:// is not read here", self.uri)),
            None => self.uri.clone(),
        };
        let ending = Path::new(&path).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if FOREIGN.contains(&ending.to_ascii_lowercase().as_str()) {
            return Meant::Foreign(format!("uri \"{}\": .{ending} is a format of other simulators", self.uri));
        }
        let is_name = !self.uri.contains("://") && !path.contains('/') && ending != "xml";
        if is_name { Meant::Name(path) } else { Meant::File(PathBuf::from(path)) }
    }
}

/// The name of the first tag, behind declarations and comments.
fn root_tag(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = &rest[rest.find('<')? + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = &comment[comment.find("-->")?..];
        } else if !rest.starts_with(['?', '!']) {
            let end = rest.find(|c: char| c.is_whitespace() || ['>', '/'].contains(&c)).unwrap_or(rest.len());
            return Some(&rest[..end]).filter(|name| !name.is_empty());
        }
    }
}

/// What has to be written otherwise in the path of a URI.
const RESERVED: &AsciiSet = &CONTROLS.add(b' ').add(b'%').add(b'?').add(b'#').add(b'"').add(b'<').add(b'>');

/// The URI of a file.
pub fn file_uri(path: &Path) -> String {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    format!("file://{}", utf8_percent_encode(&path.to_string_lossy(), RESERVED))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_uri(uri: &str) -> Meant {
        Resource { uri: uri.to_owned(), text: "<vehicle/>".to_owned() }.meaning()
    }

    fn of_text(text: &str) -> Meant {
        Resource { uri: String::new(), text: text.to_owned() }.meaning()
    }

    #[test]
    fn a_uri_is_a_name_or_a_file() {
        assert_eq!(of_uri("racecar"), Meant::Name("racecar".into()));
        assert_eq!(of_uri("file:///a%20b/c.world.xml"), Meant::File("/a b/c.world.xml".into()));
        assert_eq!(of_uri("/a/c.vehicle.xml"), Meant::File("/a/c.vehicle.xml".into()));
        assert_eq!(of_uri("c.vehicle.xml"), Meant::File("c.vehicle.xml".into()));
    }

    #[test]
    fn formats_of_others_are_told_by_name_or_root_tag() {
        for uri in ["model://sun", "https://x/y.xml", "file:///a/b.sdf", "a.URDF", "file:///%ff.xml"] {
            assert!(matches!(of_uri(uri), Meant::Foreign(_)), "{uri}");
        }
        for text in ["<?xml version='1.0'?><sdf version='1.6'/>", "<!-- <vehicle/> --> <robot name='x'>", "{}"] {
            assert!(matches!(of_text(text), Meant::Foreign(_)), "{text}");
        }
        assert_eq!(of_text("<?xml?>\n<vehicle class='x'/>"), Meant::Text("<?xml?>\n<vehicle class='x'/>".into()));
        assert_eq!(of_text(" \n"), Meant::Nothing);
    }

    #[test]
    fn files_become_uris_that_mean_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap().join("50 % of #1.xml");
        std::fs::write(&path, "").unwrap();
        assert_eq!(of_uri(&file_uri(&path)), Meant::File(path));
    }
}
