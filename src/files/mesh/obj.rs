//! Wavefront OBJ: vertices, also with colours, faces and lines, and the diffuse colours and textures of its material libraries.

use std::cell::RefCell;
use std::io::Cursor;
use std::path::Path;

use nalgebra::Matrix4;
use skidpad_math::Vec3;

use super::texture::{Alpha, Image, Indices, Texture, Wrap, opacity_of, with_slashes};
use super::{Mesh, polygon};
use crate::input_file;

/// Longest material library read [bytes].
const MAX_LIBRARY: u64 = 4 << 20;

/// Reads the text of an OBJ file; material libraries are looked up beside `path`, and those that cannot be read have no colours.
pub(super) fn read(bytes: &[u8], path: &Path) -> Result<Mesh, String> {
    let (text, are_on) = prepared(&String::from_utf8_lossy(bytes));
    // Faces stay polygons here, since the library triangulates them as if all were convex.
    let options = tobj::LoadOptions { triangulate: false, single_index: false, ..tobj::LoadOptions::default() };
    let folder = path.parent().unwrap_or(Path::new("."));
    // The folder of the library of each material, by the number of the material.
    let folders = RefCell::new(Vec::new());
    let lost = RefCell::new(Vec::new());
    let load_library = |name: &Path| {
        let file = folder.join(name);
        let text = input_file::read(&file, MAX_LIBRARY).ok().map(|text| library(&String::from_utf8_lossy(&text)));
        let (text, fault) = text.unzip();
        let read = text.and_then(|text| tobj::load_mtl_buf(&mut Cursor::new(text)).ok());
        if read.is_none() {
            lost.borrow_mut().push(format!("its material library {}, which cannot be read", name.display()));
        } else if let Some(line) = fault.flatten() {
            lost.borrow_mut().push(format!("line {line} of its material library {}", name.display()));
        }
        let read = read.unwrap_or_default();
        let of_file = file.parent().unwrap_or(folder).to_path_buf();
        folders.borrow_mut().extend(std::iter::repeat_n(of_file, read.0.len()));
        Ok(read)
    };
    let (models, materials) =
        tobj::load_obj_buf(&mut Cursor::new(text.as_bytes()), &options, load_library).map_err(|e| e.to_string())?;
    let (materials, folders) = (materials.unwrap_or_default(), folders.into_inner());
    let (mut mesh, mut textures, mut are_on) = (Mesh::default(), Indices::default(), are_on.into_iter());
    lost.into_inner().into_iter().for_each(|note| mesh.note_unseen(note));
    for model in models {
        let source = model.mesh;
        let points: Vec<Vec3> = source.positions.as_chunks::<3>().0.iter().map(|&point| point.into()).collect();
        let first = mesh.add_points(&points, &Matrix4::identity())?;
        let triangles = Faces::of(&source, &points, &mut are_on)?;
        let start = mesh.triangles.len();
        mesh.add_triangles(first, triangles.corners.iter().copied())?;
        mesh.add_lines(first, triangles.lines)?;
        let material = source.material_id.and_then(|index| Some((materials.get(index)?, folders.get(index)?)));
        let opacity = material.and_then(|(material, _)| material.dissolve).map_or(u8::MAX, opacity_of);
        let map_of = |text: &Option<String>| text.as_deref().map(Map::parse);
        let (of_color, of_opacity) = material.map_or((None, None), |(material, _)| {
            (map_of(&material.diffuse_texture), map_of(&material.dissolve_texture))
        });
        let has_own =
            of_opacity.is_some() && of_color.as_ref().map(|map| &map.file) == of_opacity.as_ref().map(|map| &map.file);
        if let Some((material, _)) = material.filter(|_| of_opacity.is_some() && !has_own) {
            mesh.note_unseen(format!(
                "the opacity picture of its material \"{}\", which differs from its colour picture",
                material.name
            ));
        }
        let diffuse = material.and_then(|(material, _)| material.diffuse);
        mesh.paint(start, diffuse.map(|color| color.map(byte)));
        let colors = source.vertex_color.as_chunks::<3>().0;
        if colors.len() == points.len() && !colors.is_empty() {
            let factor = diffuse.unwrap_or([1.0; 3]);
            let color = |corner: u32| colors.get(corner as usize).copied().unwrap_or([1.0; 3]);
            let color = |corner: u32| std::array::from_fn(|channel| byte(factor[channel] * color(corner)[channel]));
            mesh.paint_corners(triangles.corners.iter().map(|corners| corners.map(color)));
        }
        if let Some((map, (_, folder))) = of_color.zip(material) {
            let alpha = if has_own { Alpha::Blend } else { Alpha::Unsaid };
            let texture = Texture { image: Image::File(folder.join(&map.file)), wrap: map.wrap, alpha, opacity };
            let on: Vec<_> = triangles.on.iter().map(|on| on.map(|on| on.map(|at| map.place(at)))).collect();
            if let Some(texture) = mesh.add_texture(&mut textures, texture) {
                mesh.lay_on(texture, &on);
            }
        }
        mesh.make_clear(&mut textures, start, opacity);
    }
    Ok(mesh)
}

/// A share of one as a byte.
fn byte(share: f64) -> u8 {
    (255.0 * share).round() as u8
}

/// The faces of a model as triangles and lines.
#[derive(Default)]
struct Faces {
    corners: Vec<[u32; 3]>,
    /// Texture coordinates of the corners of each triangle, where it has them.
    on: Vec<Option<[[f64; 2]; 3]>>,
    lines: Vec<[u32; 2]>,
}

impl Faces {
    /// `are_on`: of each face, whether its corners have texture coordinates.
    fn of(source: &tobj::Mesh, points: &[Vec3], are_on: &mut impl Iterator<Item = bool>) -> Result<Faces, String> {
        let mut faces = Faces::default();
        // Without arities all faces are triangles.
        let mut arities = source.face_arities.iter().map(|&n| n as usize);
        let mut start = 0;
        while start < source.indices.len() {
            let end = start + arities.next().unwrap_or(3).max(1);
            let face = source.indices.get(start..end).ok_or("a face is cut short")?;
            let on = source.texcoord_indices.get(start..end).filter(|_| are_on.next() == Some(true));
            start = end;
            let mut add = |places: [u32; 3]| {
                let at = |place: u32| {
                    let index = 2 * *on?.get(place as usize)? as usize;
                    Some([*source.texcoords.get(index)?, *source.texcoords.get(index + 1)?])
                };
                faces.corners.push(places.map(|place| face[place as usize]));
                let [a, b, c] = places;
                faces.on.push((|| Some([at(a)?, at(b)?, at(c)?]))());
            };
            match *face {
                [_] => {}
                [a, b] => faces.lines.push([a, b]),
                [_, _, _] => add([0, 1, 2]),
                _ => polygon::places(points, face).into_iter().for_each(add),
            }
        }
        Ok(faces)
    }
}

/// What a material library says about a texture: options, and then the name of the file.
struct Map {
    file: String,
    scale: [f64; 2],
    offset: [f64; 2],
    wrap: [Wrap; 2],
}

impl Map {
    fn parse(text: &str) -> Map {
        let mut map = Map { file: String::new(), scale: [1.0; 2], offset: [0.0; 2], wrap: [Wrap::Repeat; 2] };
        let mut remaining_text = text.trim();
        while let Some((option, after)) =
            remaining_text.split_once(char::is_whitespace).filter(|_| remaining_text.starts_with('-'))
        {
            // Options of numbers take up to so many; the others take one word.
            let most = match option {
                "-o" | "-s" | "-t" => 3,
                "-mm" => 2,
                _ => 1,
            };
            remaining_text = after.trim_start();
            let mut values = Vec::new();
            while values.len() < most {
                let (word, after) = remaining_text.split_once(char::is_whitespace).unwrap_or((remaining_text, ""));
                if most > 1 && word.parse::<f64>().is_err() {
                    break;
                }
                values.push(word);
                remaining_text = after.trim_start();
            }
            let number =
                |index: usize, default| values.get(index).and_then(|word| word.parse().ok()).unwrap_or(default);
            match option {
                "-o" => map.offset = [number(0, 0.0), number(1, 0.0)],
                "-s" => map.scale = [number(0, 1.0), number(1, 1.0)],
                "-clamp" if values == ["on"] => map.wrap = [Wrap::Stretch; 2],
                _ => {}
            }
        }
        map.file = with_slashes(remaining_text);
        map
    }

    fn place(&self, at: [f64; 2]) -> [f32; 2] {
        std::array::from_fn(|axis| (self.scale[axis] * at[axis] + self.offset[axis]) as f32)
    }
}

/// The text with each polyline split into segments of two points, since the library treats longer ones as faces, and without faces that have
/// no corners; and of each face and segment, whether all its corners have texture coordinates: the library gives those without any the
/// coordinates of others.
fn prepared(text: &str) -> (String, Vec<bool>) {
    let mut cut = String::with_capacity(text.len());
    let mut are_on = Vec::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("l") => {
                let points: Vec<&str> = words.collect();
                for pair in points.windows(2) {
                    cut.extend(["l ", pair[0], " ", pair[1], "\n"]);
                    are_on.push(false);
                }
                continue;
            }
            Some("f") => {
                let mut corners = words.peekable();
                if corners.peek().is_none() {
                    continue;
                }
                are_on.push(corners.all(|corner| corner.split('/').nth(1).is_some_and(|on| !on.is_empty())));
            }
            _ => {}
        }
        cut.extend([line, "\n"]);
    }
    (cut, are_on)
}

/// The lines of a material library that count here, in the form that the library for such files takes, and the number of the first of
/// them that makes no sense, which is left out.
fn library(text: &str) -> (String, Option<usize>) {
    let (mut kept, mut fault, mut has_opacity) = (String::new(), None, false);
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        let (word, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        has_opacity &= word != "newmtl";
        let line = match word {
            "newmtl" => Some(line.to_string()),
            "map_Kd" | "map_d" => Some(line.to_string()).filter(|_| !value.trim().is_empty()),
            "Kd" => three_shares(value).map(|[red, green, blue]| format!("Kd {red} {green} {blue}")),
            // The same in other words, of which programs do not agree which way it counts.
            "Tr" if has_opacity => continue,
            "Tr" => value.trim().parse::<f64>().ok().map(|share| format!("d {}", 1.0 - share)),
            // After the option -halo.
            "d" => {
                has_opacity = true;
                value.split_whitespace().last().filter(|share| share.parse::<f64>().is_ok()).map(|d| format!("d {d}"))
            }
            _ => continue,
        };
        match line {
            Some(line) => kept.extend([line.as_str(), "\n"]),
            None => fault = fault.or(Some(index + 1)),
        }
    }
    (kept, fault)
}

/// Red, green and blue; the last one that is there stands for those that are not.
fn three_shares(text: &str) -> Option<[f64; 3]> {
    let words: Vec<&str> = text.split_whitespace().take(3).collect();
    let last = words.last()?;
    let [red, green, blue] = [0, 1, 2].map(|index| words.get(index).unwrap_or(last).parse().ok());
    Some([red?, green?, blue?])
}
