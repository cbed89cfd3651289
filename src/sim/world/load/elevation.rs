//! `<element class="elevation_map">`: uneven ground.
//!
//! ```xml
//! <element class="elevation_map">                         the heights: the first of these three that is present
//!   <elevation_image>hills.png</elevation_image>          its darkest grey is min_z, its brightest max_z [m]
//!     <elevation_image_min_z>0</elevation_image_min_z> <elevation_image_max_z>5</elevation_image_max_z>
//!   <elevation_data_matrix>[0 1; 2 3]</elevation_data_matrix>             [m]; rows along x, columns along y
//!     <elevation_data_matrix_scale>1</elevation_data_matrix_scale>        [-]
//!   <dem_xyzrgb_file>points.txt</dem_xyzrgb_file>         lines of x y z r g b; the nearest counts for each vertex
//!     <dem_offset_x>0</dem_offset_x> <dem_offset_y>0</dem_offset_y> <dem_offset_z>0</dem_offset_z>   added [m]
//!   <resolution>1.0</resolution>                          distance of vertices [m], > 0
//!   <corner_min_x>…</corner_min_x> <corner_min_y>…</corner_min_y>   vertex (0, 0) [m]; default: centred; points have their own
//!   <apply_kernel>[…; …]</apply_kernel>                   square matrix that sums to 1, convolved with the heights
//!   <label>ground</label>                                 class in labels
//!   <mesh_color>#a0e0a0</mesh_color>                      for viewers, as are the tags below
//!   <texture_image>…</texture_image> <texture_image_rotate>0</texture_image_rotate>    [deg]: 0, 90, -90, 180, -180
//!   <texture_extension_x>0</texture_extension_x> <texture_extension_y>0</texture_extension_y>   a tile [m]; 0: all of it
//!   <model_split_size>0</model_split_size>                [m], ≥ 0
//! </element>
//! ```
//! At most 40 million vertices.

use std::sync::Arc;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::Vec2;
use skidpad_xml::{Accept, Reader};

use super::Builder;
use super::label::read_label;
use super::matrix::read_matrix;
use super::visual::read_texture;
use crate::world::Scene;
use crate::world::label;
use crate::world::terrain::{ElevationInfo, HeightMap, Terrain, file};
use crate::world::visual::Texture;

/// Largest difference of the sum of a kernel from 1 [-]; MVSim's.
const KERNEL_TOLERANCE: f64 = 5e-3;

/// Adds the height maps to the scene and to the ground.
pub(super) fn place(loaded: Vec<ElevationInfo>, scene: &mut Scene, terrain: &mut Terrain) {
    for info in loaded {
        terrain.add_map(info.map.clone());
        scene.elevations.push(info);
    }
}

impl Builder<'_> {
    pub(super) fn elevation_map(&mut self, reader: &Reader<'_>) {
        reader.ignore(&["name"]);
        let source = read_heights(reader);
        let kernel = read_kernel(reader);
        let label = read_label(reader, label::GROUND);
        let color = reader.color("mesh_color", [0xa0, 0xe0, 0xa0, 0xff]);
        let texture = read_texture_image(reader);
        let split_size = reader.f64("model_split_size", 0.0, Accept::non_negative());
        if let Some((map, vertex_colors)) = source {
            let map = match kernel {
                Some((side, kernel)) => map.convolved(side, &kernel),
                None => Ok(map),
            };
            match map {
                Ok(map) => {
                    let name = self.names.numbered("elevation_map", 1, |stem, number| format!("{stem}_{number}"));
                    let map = Arc::new(map);
                    let info = ElevationInfo { name, label, map, color, texture, vertex_colors, split_size };
                    self.elevations.push(info);
                }
                Err(error) => {
                    let problem = Diagnostic::from(error);
                    reader.error_at("apply_kernel", problem.first_line()).parts_of(problem);
                }
            }
        }
        reader.finish();
    }
}

/// The map, and the colours of its vertices if the source has them. None if it could not be read, with the error
/// recorded.
fn read_heights(reader: &Reader<'_>) -> Option<(HeightMap, Vec<[u8; 3]>)> {
    let context = reader.context();
    let resolution = reader.f64("resolution", 1.0, Accept::positive());
    let corner = ["corner_min_x", "corner_min_y"].map(|tag| reader.optional_f64(tag, Accept::any()));
    let ends = [("elevation_image_min_z", 0.0), ("elevation_image_max_z", 5.0)]
        .map(|(tag, default)| reader.f64(tag, default, Accept::any()));
    let scale = reader.f64("elevation_data_matrix_scale", 1.0, Accept::any());
    let offset = ["dem_offset_x", "dem_offset_y", "dem_offset_z"].map(|tag| reader.f64(tag, 0.0, Accept::any()));
    let [has_image, has_matrix, has_points] =
        ["elevation_image", "elevation_data_matrix", "dem_xyzrgb_file"].map(|tag| reader.has(tag));
    let (tag, height_map) = if has_image {
        if ends[0] == ends[1] {
            let tag =
                if reader.has("elevation_image_max_z") { "elevation_image_max_z" } else { "elevation_image_min_z" };
            let message = format!("<elevation_image_min_z> and <elevation_image_max_z> are both {} m", ends[0]);
            reader.error_at(tag, message).accepted(["two different heights"]);
            return None;
        }
        let path = reader.path("elevation_image")?;
        let read = file::read_image(&path, ends[0], ends[1]).map_err(|error| context.file_problem(&error));
        ("elevation_image", read.and_then(|(columns, heights)| at_corner(corner, resolution, columns, heights)))
    } else if has_matrix {
        let (columns, mut heights) = read_matrix(reader, "elevation_data_matrix")?;
        heights.iter_mut().for_each(|height| *height *= scale);
        ("elevation_data_matrix", at_corner(corner, resolution, columns, heights))
    } else if has_points {
        let path = reader.path("dem_xyzrgb_file")?;
        let read = file::read_points(&path, resolution, offset, context.cancel());
        ("dem_xyzrgb_file", read.map_err(|error| context.file_problem(&error)))
    } else {
        reader.missing("the heights").accepted(["<elevation_image>", "<elevation_data_matrix>", "<dem_xyzrgb_file>"]);
        return None;
    };
    height_map.map_err(|problem| reader.error_at(tag, problem.first_line()).parts_of(problem)).ok()
}

/// The map with vertex (0, 0) at the corner [m], or centred about the origin along an axis without one.
fn at_corner(
    corner: [Option<f64>; 2],
    resolution: f64,
    columns: usize,
    heights: Vec<f64>,
) -> Result<(HeightMap, Vec<[u8; 3]>), Diagnostic> {
    let rows = heights.len() / columns.max(1);
    let centred = |count: usize| -0.5 * count.saturating_sub(1) as f64 * resolution;
    let corner = Vec2::new(corner[0].unwrap_or_else(|| centred(rows)), corner[1].unwrap_or_else(|| centred(columns)));
    let map = HeightMap::new(corner, resolution, columns, heights)?;
    Ok((map, Vec::new()))
}

/// The kernel's side and numbers. None without a kernel, or for an invalid one, with the error recorded.
fn read_kernel(reader: &Reader<'_>) -> Option<(usize, Vec<f64>)> {
    if !reader.has("apply_kernel") {
        return None;
    }
    let (side, kernel) = read_matrix(reader, "apply_kernel")?;
    let sum: f64 = kernel.iter().sum();
    if side < 2 || kernel.len() != side * side {
        let rows = kernel.len() / side;
        reader
            .error_at("apply_kernel", format!("<apply_kernel> has {rows} x {side} numbers"))
            .accepted(["a square matrix of 2 x 2 or more"]);
        return None;
    }
    if (sum - 1.0).abs() > KERNEL_TOLERANCE {
        reader
            .error_at("apply_kernel", format!("the numbers of <apply_kernel> sum to {sum}"))
            .accepted([format!("1 ± {KERNEL_TOLERANCE}")]);
        return None;
    }
    Some((side, kernel))
}

fn read_texture_image(reader: &Reader<'_>) -> Option<Texture> {
    let size = ["texture_extension_x", "texture_extension_y"].map(|tag| reader.f64(tag, 0.0, Accept::non_negative()));
    let turns = [("0", 0.0), ("90", 90.0), ("-90", -90.0), ("180", 180.0), ("-180", -180.0)];
    let turn = reader.choice("texture_image_rotate", 0.0_f64, &turns).to_radians();
    read_texture(reader, "texture_image", size).map(|texture| Texture { turn, ..texture })
}

#[cfg(test)]
mod tests {
    use skidpad_xml::{Context, Element, Options};

    use super::*;

    fn matrix(text: &str) -> (Option<(usize, Vec<f64>)>, Vec<String>) {
        let context = Context::new(Options::default());
        let mut element: Option<Element> = None;
        let text = format!("<mvsim_world><element><m>{text}</m></element></mvsim_world>");
        context.read_world_text("t.xml", std::path::Path::new("."), &text, &mut |read| element = Some(read.clone()));
        let element = element.expect("an element");
        let actual = read_matrix(&Reader::new(&context, &element), "m");
        (actual, context.finish().0.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn matrices_are_read_as_matlab_writes_them() {
        let wanted = Some((2, vec![1.0, -2.0, 3.5, 0.0]));
        for text in ["[1 -2; 3.5 0]", "[1,-2\n;\n3.5, 0;]", "1 -2\n3.5 0", " [ 1 -2;3.5 0 ]\n"] {
            assert_eq!(matrix(text), (wanted.clone(), vec![]), "{text}");
        }
        let accepted = "\n  accepted: [a b; c d]: rows of as many finite numbers each";
        for (text, message) in [
            ("[1 2; 3]", "t.xml:1:26: rows of 2 and of 1 numbers in <m>"),
            ("[1 x]", "t.xml:1:26: bad number \"x\" in <m>"),
            ("[1 inf]", "t.xml:1:26: bad number \"inf\" in <m>"),
            ("[ ]", "t.xml:1:26: no number in <m>"),
        ] {
            assert_eq!(matrix(text), (None, vec![format!("{message}{accepted}")]), "{text}");
        }
    }
}
