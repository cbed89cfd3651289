//! Addresses of local files: plain, `file://`, `package://`.

use std::path::{Path, PathBuf};

use crate::diagnostic::Diagnostic;

/// The file that `text` names: an absolute path, a path relative to `directory`, `file://path`, or
/// `package://package/path` in the share folder of a ROS 2 package found through `AMENT_PREFIX_PATH`. Whether it exists
/// is not checked.
///
/// Errors: an unknown package, and `http://` and `https://`; without a place.
pub fn resolve(directory: &Path, text: &str) -> Result<PathBuf, Diagnostic> {
    let text = text.trim();
    if is_remote(text) {
        return Err(Diagnostic::of(format!("found \"{text}\"")).accepted("a file of this machine"));
    }
    if let Some(inner) = text.strip_prefix("package://") {
        let (package, path_in_package) = inner.split_once('/').unwrap_or((inner, ""));
        let prefixes = std::env::var_os("AMENT_PREFIX_PATH").unwrap_or_default();
        return match package_prefix(&prefixes, package) {
            Some(prefix) => Ok(prefix.join("share").join(package).join(path_in_package)),
            None => Err(Diagnostic::of(format!("ROS package \"{package}\" is not in AMENT_PREFIX_PATH"))
                .hint("source the workspace that has it")),
        };
    }
    let plain = text.strip_prefix("file://").unwrap_or(text);
    if plain.is_empty() {
        return Err(Diagnostic::of("an empty path"));
    }
    Ok(directory.join(plain))
}

/// Whether an address is `http://` or `https://`.
pub(super) fn is_remote(text: &str) -> bool {
    let starts = |scheme: &str| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    starts("http://") || starts("https://")
}

/// The first of `prefixes` (a list as in `AMENT_PREFIX_PATH`) that has a share folder of `package`.
pub fn package_prefix(prefixes: &std::ffi::OsStr, package: &str) -> Option<PathBuf> {
    if package.is_empty() || package.contains(['/', '\\']) || package.starts_with('.') {
        return None;
    }
    std::env::split_paths(prefixes).find(|prefix| prefix.join("share").join(package).is_dir())
}

/// The package whose share folder has `file`, and the path in it: what [`package_prefix`] undoes. None: no such package of `prefixes`, or
/// another of that name is found before it.
pub fn package_of(prefixes: &std::ffi::OsStr, file: &Path) -> Option<(String, PathBuf)> {
    std::env::split_paths(prefixes).filter(|prefix| prefix.is_absolute()).find_map(|prefix| {
        let in_share = file.strip_prefix(prefix.join("share")).ok()?;
        let package = in_share.iter().next()?.to_str()?;
        let path_in_package =
            in_share.strip_prefix(package).ok().filter(|path_in_package| !path_in_package.as_os_str().is_empty())?;
        (package_prefix(prefixes, package)? == prefix).then(|| (package.to_owned(), path_in_package.to_path_buf()))
    })
}

/// `path` without `.` and `x/..`, for display only; not for opening, since `x` may be a link.
pub fn shown(path: &Path) -> String {
    use std::path::Component;
    let mut parts: Vec<Component> = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.iter().collect::<PathBuf>().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_and_file_paths_are_relative_to_the_directory() {
        let base = Path::new("/a/b");
        assert_eq!(resolve(base, " c.png "), Ok("/a/b/c.png".into()));
        assert_eq!(resolve(base, "/c.png"), Ok("/c.png".into()));
        assert_eq!(resolve(base, "file://c.png"), Ok("/a/b/c.png".into()));
        assert_eq!(resolve(base, "file:///c.png"), Ok("/c.png".into()));
        assert_eq!(
            resolve(base, "https://x/y.dae"),
            Err(Diagnostic::of("found \"https://x/y.dae\"").accepted("a file of this machine"))
        );
        assert_eq!(resolve(base, ""), Err(Diagnostic::of("an empty path")));
    }

    #[test]
    fn packages_are_found_in_the_first_prefix_that_has_them() {
        let root = tempfile::tempdir().expect("a scratch folder");
        let (first, second) = (root.path().join("one"), root.path().join("two"));
        std::fs::create_dir_all(first.join("share/a")).expect("folders");
        std::fs::create_dir_all(second.join("share/b")).expect("folders");
        let prefixes = std::env::join_paths([&first, &second]).expect("a path list");
        assert_eq!(package_prefix(&prefixes, "b"), Some(second));
        assert_eq!(package_prefix(&prefixes, "a"), Some(first));
        assert_eq!(package_prefix(&prefixes, "c"), None);
        assert_eq!(package_prefix(&prefixes, ".."), None);
        assert_eq!(package_prefix(&prefixes, ""), None);
    }

    #[test]
    fn shown_paths_have_no_detours() {
        assert_eq!(shown(Path::new("worlds/../definitions/./x.xml")), "definitions/x.xml");
        assert_eq!(shown(Path::new("../../x.xml")), "../../x.xml");
    }
}
