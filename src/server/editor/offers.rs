//! What can be added to a world: its classes, those of files beside it, and plain shapes.

use std::collections::BTreeSet;
use std::path::Path;

use skidpad_sim::world::document::{ClassFile, PLAIN_SHAPES};
use skidpad_sim::world::{Catalogue, EntityKind};
use skidpad_view::editing::{OfferSource, OfferView};

/// Ends of the names of files with classes.
const ENDINGS: [&str; 2] = [".vehicle.xml", ".block.xml"];
/// How deep below the world's folder they are looked for, how many entries of folders are looked at, and how many files are read.
const DEEPEST: usize = 2;
const MAX_ENTRIES: usize = 5000;
const MAX_FILES: usize = 200;

/// Everything that can be added, in the order of a list.
pub(super) fn offers(catalogue: &Catalogue, folder: &Path) -> Vec<OfferView> {
    let classes = catalogue.classes();
    let mut offers: Vec<OfferView> =
        classes.iter().map(|class| offer(OfferSource::Class, &class.name, "", class.kind)).collect();
    let is_known = |file: &ClassFile| classes.iter().any(|class| class.name == file.class && class.kind == file.kind);
    let files = class_files(folder);
    offers.extend(
        files
            .iter()
            .filter(|file| !is_known(file))
            .map(|file| offer(OfferSource::File, &file.class, &file.path, file.kind)),
    );
    offers.extend(PLAIN_SHAPES.iter().map(|shape| offer(OfferSource::Shape, shape.name, "", EntityKind::Block)));
    offers
}

fn offer(source: OfferSource, name: &str, path: &str, kind: EntityKind) -> OfferView {
    OfferView { source, name: name.into(), path: path.into(), is_vehicle: kind == EntityKind::Vehicle }
}

/// The classes of the files in a folder and below, by path. Links are not followed.
fn class_files(folder: &Path) -> Vec<ClassFile> {
    let (mut paths, mut entries) = (BTreeSet::new(), MAX_ENTRIES);
    collect(folder, "", DEEPEST, &mut entries, &mut paths);
    paths.iter().take(MAX_FILES).flat_map(|path| ClassFile::in_file(folder, path)).collect()
}

/// Collects the paths of files with classes, relative to `folder`. `inside` is the part of it that is looked at, with a `/` behind it.
fn collect(folder: &Path, inside: &str, depth: usize, entries: &mut usize, paths: &mut BTreeSet<String>) {
    let Ok(list) = std::fs::read_dir(folder.join(inside)) else { return };
    for entry in list.flatten() {
        if *entries == 0 {
            return;
        }
        *entries -= 1;
        let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else { continue };
        let is_plain =
            !name.starts_with('.') && !name.contains(['$', '"', '<', '&']) && !name.chars().any(char::is_control);
        if kind.is_dir() && depth > 0 && is_plain {
            collect(folder, &format!("{inside}{name}/"), depth - 1, entries, paths);
        } else if kind.is_file() && is_plain && ENDINGS.iter().any(|ending| name.ends_with(ending)) {
            paths.insert(format!("{inside}{name}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_files_below_the_folder_are_offered() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("out/secret.block.xml", "<block:class name=\"secret\"/>");
        write("in/blocks/cone.block.xml", "<block:class name=\"cone\"/>");
        write("in/a/b/c/deep.block.xml", "<block:class name=\"deep\"/>");
        write("in/bot.vehicle.xml", "<vehicle:class name=\"bot\"/><vehicle:class name=\"${n|x}\"/>");
        write("in/broken.vehicle.xml", "<vehicle:class name=\"broken\">");
        write("in/other.xml", "<block:class name=\"other\"/>");
        std::os::unix::fs::symlink(root.path().join("out"), root.path().join("in/link")).unwrap();
        std::os::unix::fs::symlink(root.path().join("out/secret.block.xml"), root.path().join("in/link.block.xml"))
            .unwrap();
        let actual = offers(&Catalogue::default(), &root.path().join("in"));
        let actual: Vec<(&str, &str)> = actual.iter().map(|offer| (offer.name.as_str(), offer.path.as_str())).collect();
        let expected = [
            ("cone", "blocks/cone.block.xml"),
            ("bot", "bot.vehicle.xml"),
            ("box", ""),
            ("cylinder", ""),
            ("ramp", ""),
        ];
        assert_eq!(actual, expected);
    }
}
