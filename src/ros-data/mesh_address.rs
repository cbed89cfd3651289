//! Addresses of mesh files in messages and descriptions.

use std::ffi::OsStr;
use std::path::{Path, PathBuf, absolute};

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use skidpad_files::assets::{package_of, shown};

/// Characters that stand for something else in URIs and in XML.
const KEPT: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'<').add(b'>').add(b'?').add(b'`');

/// A file as a URI, percent-encoded: `package://name/…` in the share folder of a ROS package that is sourced here, where other machines find
/// it as well, and bridges of Foxglove look; else `file:///…`. A relative path starts in the working folder.
pub(crate) fn mesh_address(file: &Path) -> String {
    address(&std::env::var_os("AMENT_PREFIX_PATH").unwrap_or_default(), file)
}

/// As [`mesh_address`], with the prefixes of packages in a list as in `AMENT_PREFIX_PATH`.
fn address(prefixes: &OsStr, file: &Path) -> String {
    let whole = without_detours(absolute(file).unwrap_or_else(|_| file.to_path_buf()));
    let encoded = |path: &Path| utf8_percent_encode(&path.to_string_lossy(), KEPT).to_string();
    match package_of(prefixes, &whole) {
        Some((package, path)) => format!("package://{package}/{}", encoded(&path)),
        None => format!("file://{}", encoded(&whole)),
    }
}

/// The path without `x/..`, which foxglove_bridge refuses in addresses, where that leads to the same file.
fn without_detours(path: PathBuf) -> PathBuf {
    let short = PathBuf::from(shown(&path));
    let is_same = short.canonicalize().is_ok_and(|file| path.canonicalize().is_ok_and(|same| file == same));
    if is_same { short } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_take_no_detours() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("vehicles")).unwrap();
        std::fs::write(folder.path().join("x.glb"), "").unwrap();
        let file = format!("file://{}", folder.path().join("x.glb").display());
        assert_eq!(address(OsStr::new(""), &folder.path().join("vehicles/../x.glb")), file);
        // A link to elsewhere makes `..` lead elsewhere.
        let other = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(other.path(), folder.path().join("link")).unwrap();
        let through = folder.path().join("link/../x.glb");
        assert_eq!(address(OsStr::new(""), &through), format!("file://{}", through.display()));
    }

    #[test]
    fn files_of_sourced_packages_are_found_by_their_package() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
        for share in [first.join("share/robot"), second.join("share/robot"), second.join("share/skidpad")] {
            std::fs::create_dir_all(share).unwrap();
        }
        let prefixes = std::env::join_paths([&first, &second]).unwrap();
        let of = |path: &Path| address(&prefixes, path);
        assert_eq!(of(&second.join("share/skidpad/worlds/a b.glb")), "package://skidpad/worlds/a%20b.glb");
        assert_eq!(of(&first.join("share/robot/x.glb")), "package://robot/x.glb");
        // Readers would take the one of the first prefix.
        let hidden = second.join("share/robot/x.glb");
        assert_eq!(of(&hidden), format!("file://{}", hidden.display()));
        assert_eq!(of(Path::new("/elsewhere/x.glb")), "file:///elsewhere/x.glb");
        assert_eq!(
            address(OsStr::new(""), &first.join("share/robot/x.glb")),
            format!("file://{}", first.join("share/robot/x.glb").display())
        );
    }
}
