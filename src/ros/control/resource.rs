//! Resources: files, classes and worlds that a caller names by a URI or sends as text.

use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

/// A URI or, where that is empty, a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resource {
    pub uri: String,
    pub text: String,
}

/// The kind of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ResourceKind {
    /// Neither a URI nor a text.
    Nothing,
    /// A name without scheme, folder and ending: of a class or a world.
    Name(String),
    /// A file, unless its ending is that of an unsupported format.
    File(PathBuf),
    /// A text.
    Text(String),
    /// A kind that is not supported, and why.
    Unsupported(String),
}

/// Endings of files of other simulators' formats.
const UNSUPPORTED_ENDINGS: [&str; 12] =
    ["sdf", "urdf", "xacro", "usd", "usda", "usdc", "usdz", "mjcf", "json", "dae", "obj", "gltf"];

/// Root tags of other simulators' formats.
const UNSUPPORTED_ROOTS: [&str; 3] = ["sdf", "robot", "mujoco"];

impl Resource {
    /// The kind of resource that the URI or the text stands for.
    pub fn kind(&self) -> ResourceKind {
        if self.uri.is_empty() {
            return match self.text.trim() {
                "" => ResourceKind::Nothing,
                text => match root_tag(text) {
                    None => ResourceKind::Unsupported("resource_string: this is not XML".to_owned()),
                    Some(root) if UNSUPPORTED_ROOTS.contains(&root) => {
                        ResourceKind::Unsupported(format!("resource_string: <{root}> is a format of other simulators"))
                    }
                    Some(_) => ResourceKind::Text(self.text.clone()),
                },
            };
        }
        let path = match self.uri.split_once("://") {
            Some(("file", path)) => match percent_decode_str(path).decode_utf8() {
                Ok(path) => path.into_owned(),
                Err(_) => return ResourceKind::Unsupported(format!("uri \"{}\": not UTF-8", self.uri)),
            },
            Some((scheme, _)) => {
                return ResourceKind::Unsupported(format!("uri \"{}\": {scheme}:// is not read here", self.uri));
            }
            None => self.uri.clone(),
        };
        let ending = Path::new(&path).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if UNSUPPORTED_ENDINGS.contains(&ending.to_ascii_lowercase().as_str()) {
            return ResourceKind::Unsupported(format!(
                "uri \"{}\": .{ending} is a format of other simulators",
                self.uri
            ));
        }
        let is_name = !self.uri.contains("://") && !path.contains('/') && ending != "xml";
        if is_name { ResourceKind::Name(path) } else { ResourceKind::File(PathBuf::from(path)) }
    }
}

/// The name of the first tag after declarations and comments.
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

/// The characters that are percent-encoded in the path of a URI.
const RESERVED: &AsciiSet = &CONTROLS.add(b' ').add(b'%').add(b'?').add(b'#').add(b'"').add(b'<').add(b'>');

/// The URI of a file.
pub(crate) fn file_uri(path: &Path) -> String {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    format!("file://{}", utf8_percent_encode(&path.to_string_lossy(), RESERVED))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_uri(uri: &str) -> ResourceKind {
        Resource { uri: uri.to_owned(), text: "<vehicle/>".to_owned() }.kind()
    }

    fn of_text(text: &str) -> ResourceKind {
        Resource { uri: String::new(), text: text.to_owned() }.kind()
    }

    #[test]
    fn a_uri_is_a_name_or_a_file() {
        assert_eq!(of_uri("racecar"), ResourceKind::Name("racecar".into()));
        assert_eq!(of_uri("file:///a%20b/c.world.xml"), ResourceKind::File("/a b/c.world.xml".into()));
        assert_eq!(of_uri("/a/c.vehicle.xml"), ResourceKind::File("/a/c.vehicle.xml".into()));
        assert_eq!(of_uri("c.vehicle.xml"), ResourceKind::File("c.vehicle.xml".into()));
    }

    #[test]
    fn formats_of_other_simulators_are_recognized_by_name_or_root_tag() {
        for uri in ["model://sun", "https://x/y.xml", "file:///a/b.sdf", "a.URDF", "file:///%ff.xml"] {
            assert!(matches!(of_uri(uri), ResourceKind::Unsupported(_)), "{uri}");
        }
        for text in ["<?xml version='1.0'?><sdf version='1.6'/>", "<!-- <vehicle/> --> <robot name='x'>", "{}"] {
            assert!(matches!(of_text(text), ResourceKind::Unsupported(_)), "{text}");
        }
        assert_eq!(
            of_text("<?xml?>\n<vehicle class='x'/>"),
            ResourceKind::Text("<?xml?>\n<vehicle class='x'/>".into())
        );
        assert_eq!(of_text(" \n"), ResourceKind::Nothing);
    }

    #[test]
    fn file_uris_resolve_to_their_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap().join("50 % of #1.xml");
        std::fs::write(&path, "").unwrap();
        assert_eq!(of_uri(&file_uri(&path)), ResourceKind::File(path));
    }
}
