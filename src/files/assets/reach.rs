//! Access control for texts received over the network: they may name files below some folders, and some addresses.
//!
//! A path is judged by its target, after links and `..`. Outside of the folders callers do not learn whether a file exists.

use std::path::{Component, Path, PathBuf};

use super::fetch;
use crate::diagnostic::Diagnostic;

/// Folders and addresses that remote callers may name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Canonical paths.
    folders: Vec<PathBuf>,
    addresses: Vec<String>,
}

impl Reach {
    /// Everything below `folders` (missing ones are ignored), and every address that begins with one of
    /// `addresses`: a server, `https://host`, or part of one, `https://host/robots/`.
    pub fn new(folders: impl IntoIterator<Item = PathBuf>, addresses: Vec<String>) -> Reach {
        let folders = folders.into_iter().filter_map(|folder| folder.canonicalize().ok()).collect();
        Reach { folders, addresses }
    }

    /// The target of `path` after links, if it lies below one of the folders; it need not exist.
    ///
    /// # Errors
    /// It leads elsewhere.
    pub fn file(&self, path: &Path) -> Result<PathBuf, Diagnostic> {
        let real = true_path(path);
        match self.folders.iter().any(|folder| real.starts_with(folder)) {
            true => Ok(real),
            false => Err(Diagnostic::of(format!(
                "\"{}\" is outside of the folders that callers over the network may name",
                super::shown(path)
            ))),
        }
    }

    /// # Errors
    /// `url` is not below any of the addresses, or may lead out of them.
    pub fn address(&self, url: &str) -> Result<(), Diagnostic> {
        let server = fetch::server(url);
        let path = &url[server.len()..];
        let begins = |known: &String| {
            let known_server = fetch::server(known);
            known_server.eq_ignore_ascii_case(server) && path.starts_with(&known[known_server.len()..])
        };
        let leads_out = path.split(['/', '\\']).any(|part| [".", ".."].contains(&part)) || path.contains('%');
        match self.addresses.iter().any(begins) && !leads_out {
            true => Ok(()),
            false => Err(Diagnostic::of(format!("\"{url}\" is not an address that callers over the network may name"))),
        }
    }
}

/// `path` with links resolved as far as it exists, and the rest as written.
fn true_path(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let parts: Vec<Component<'_>> = whole.components().collect();
    for count in (1..=parts.len()).rev() {
        let existing: PathBuf = parts[..count].iter().collect();
        let Ok(mut real) = existing.canonicalize() else { continue };
        for part in &parts[count..] {
            match part {
                Component::ParentDir => drop(real.pop()),
                Component::CurDir => {}
                part => real.push(part),
            }
        }
        return real;
    }
    whole
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn paths_are_judged_by_their_target() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let (inside, outside) = (root.join("worlds"), root.join("secret"));
        for folder in [&inside, &outside] {
            std::fs::create_dir(folder).unwrap();
            std::fs::write(folder.join("a.txt"), "").unwrap();
        }
        symlink(outside.join("a.txt"), inside.join("link.txt")).unwrap();
        symlink(&outside, inside.join("folder")).unwrap();
        symlink(&inside, root.join("other_name")).unwrap();
        let reach = Reach::new([root.join("other_name"), root.join("not_there")], Vec::new());
        for good in
            ["worlds/a.txt", "other_name/a.txt", "worlds/none/b.txt", "secret/../worlds/a.txt", "worlds/a.txt/inner"]
        {
            let real = reach.file(&root.join(good)).unwrap();
            assert!(real.starts_with(&inside), "{good}: {}", real.display());
        }
        for bad in [
            "secret/a.txt",
            "secret/none.txt",
            "worlds/../secret/a.txt",
            "worlds/none/../../secret/a.txt",
            "worlds/link.txt",
            "worlds/folder/a.txt",
            "worlds/folder/none.txt",
            "worlds/folder/../x",
            "worlds_of_others/a.txt",
        ] {
            let refusal = reach.file(&root.join(bad)).unwrap_err().found;
            assert!(refusal.ends_with("is outside of the folders that callers over the network may name"), "{refusal}");
        }
        assert!(Reach::default().file(&inside).is_err());
        assert!(Reach::new([PathBuf::from("/")], Vec::new()).file(&outside).is_ok());
    }

    #[test]
    fn addresses_are_judged_by_server_and_prefix() {
        let reach = Reach::new([], vec!["https://models.org/robots/".into(), "http://lab:8000".into()]);
        for good in
            ["https://models.org/robots/a.dae", "https://MODELS.org/robots/b.zip/x.dae", "http://lab:8000/x.stl"]
        {
            assert_eq!(reach.address(good), Ok(()), "{good}");
        }
        for bad in [
            "https://models.org/others/a.dae",
            "http://models.org/robots/a.dae",
            "https://models.org.evil/robots/a.dae",
            "https://models.org/robots/../private/a.dae",
            "https://models.org/robots/%2e%2e/private/a.dae",
            "http://lab:80001/x.stl",
            "http://lab:8000@evil/x.stl",
            "http://169.254.169.254/",
        ] {
            let refusal = reach.address(bad).unwrap_err().found;
            assert_eq!(refusal, format!("\"{bad}\" is not an address that callers over the network may name"));
        }
        assert!(Reach::default().address("https://models.org/").is_err());
    }
}
