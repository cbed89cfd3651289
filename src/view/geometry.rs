//! Drawings in the form of the document: numbers in base64, files as addresses.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use skidpad_math::{Pose3, Vec2, Vec3};
use skidpad_sim::world::drawing::{Drawing, Shape};
use skidpad_sim::world::visual::CullFaces;

use super::channels;
use super::files::Files;
use super::scene::{DrawingView, PoseView, ShapeView, TextureView};

/// A number rounded to a millionth, for shorter text; 0 if not finite, which JSON cannot express.
pub(super) fn number(value: f64) -> f64 {
    const PER_UNIT: f64 = 1e6;
    if !value.is_finite() {
        return 0.0;
    }
    let rounded = (value * PER_UNIT).round() / PER_UNIT;
    if rounded.is_finite() { rounded } else { value }
}

/// A pose.
pub(super) fn pose(pose: Pose3) -> PoseView {
    channels::pose(pose).map(number)
}

/// A point on the plan.
pub(super) fn planar(point: Vec2) -> [f64; 2] {
    [point.x, point.y].map(number)
}

/// Numbers as f32, little-endian, in base64.
pub(super) fn floats(values: impl IntoIterator<Item = f32>) -> String {
    let bytes: Vec<u8> = values.into_iter().flat_map(f32::to_le_bytes).collect();
    STANDARD.encode(bytes)
}

/// x y z of each point.
fn points(points: &[Vec3]) -> String {
    floats(points.iter().flat_map(|p| [p.x, p.y, p.z]).map(|value| value as f32))
}

/// A drawing of this kind. `clips` are those of a mesh that is an actor's. None for a mesh that viewers cannot show.
pub(super) fn drawing(kind: &str, drawing: Drawing, clips: &[String], files: &mut Files) -> Option<DrawingView> {
    let mut texture = None;
    let shape = match &drawing.shape {
        Shape::Triangles(corners) => {
            let mut on_picture = String::new();
            if let Some(picture) = &drawing.picture
                && let Some(path) = files.add(&picture.file)
            {
                on_picture = floats(picture.corners.iter().flatten().map(|&share| share as f32));
                texture = Some(TextureView { path });
            }
            let colors = STANDARD.encode(drawing.corner_colors.as_flattened());
            ShapeView::Triangles { corners: points(corners), colors, on_picture }
        }
        Shape::Line(line) => ShapeView::Line { points: points(line) },
        Shape::File(path, scale) => ShapeView::Mesh {
            format: path.extension()?.to_str()?.to_ascii_lowercase(),
            path: files.add(path)?,
            scale: *scale,
            clips: clips.to_vec(),
            wheel_radius: drawing.wheel_radius,
        },
    };
    let cull = match drawing.cull {
        CullFaces::None => "none",
        CullFaces::Front => "front",
        CullFaces::Back => "back",
    };
    Some(DrawingView {
        kind: kind.to_owned(),
        name: drawing.name,
        shape,
        pose: pose(drawing.pose),
        color: drawing.color,
        texture,
        is_lit: drawing.is_lit,
        cull: cull.to_owned(),
        show_bounding_box: drawing.show_bounding_box,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_always_valid_json() {
        assert_eq!([0.1 + 0.2, -1.0 / 3.0, 4e6 + 1e-6].map(number), [0.3, -0.333333, 4e6 + 1e-6]);
        assert_eq!([f64::NAN, f64::INFINITY, 1e305].map(number), [0.0, 0.0, 1e305]);
    }

    #[test]
    fn floats_are_little_endian_in_base64() {
        // 1.0 is 0x3f800000, -2.0 is 0xc0000000.
        assert_eq!(floats([1.0, -2.0]), STANDARD.encode([0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0]));
        assert_eq!(floats([]), "");
    }
}
