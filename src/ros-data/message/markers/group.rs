//! Drawings as `visualization_msgs/msg/Marker`.

use skidpad_math::Vec3;
use skidpad_sim::world::drawing::{Drawing, Shape};

use crate::mesh_address::mesh_address;
use crate::message::{ColorRGBA, Header, Marker, Vector3, fill};

/// Width of lines [m], as MVSim draws them.
const LINE_WIDTH: f64 = 0.02;

/// The common properties of a group of markers.
#[derive(Clone, Copy, Debug)]
pub(super) struct MarkerGroup<'a> {
    /// Frame of their poses.
    pub(super) frame: &'a str,
    /// Namespace of their ids.
    pub(super) namespace: &'a str,
    /// Whether viewers move them with their frame between two messages.
    pub(super) is_locked: bool,
}

impl MarkerGroup<'_> {
    fn marker(&self, id: usize, kind: i32, color: [u8; 4]) -> Marker {
        Marker {
            header: Header { frame_id: self.frame.to_owned(), ..Header::default() },
            ns: self.namespace.to_owned(),
            id: i32::try_from(id).unwrap_or(i32::MAX),
            kind,
            action: Marker::ADD,
            color: ColorRGBA::from(color),
            scale: Vector3 { x: 1.0, y: 1.0, z: 1.0 },
            frame_locked: self.is_locked,
            ..Marker::default()
        }
    }

    /// A drawing.
    pub(super) fn drawing(&self, id: usize, drawing: &Drawing) -> Marker {
        let color = drawing.color.unwrap_or([0xff; 4]);
        let mut marker = match &drawing.shape {
            Shape::Triangles(corners) => {
                let mut marker = self.marker(id, Marker::TRIANGLE_LIST, color);
                marker.points = corners.iter().map(|corner| point(*corner)).collect();
                marker
            }
            Shape::Line(points) => {
                let mut marker = self.marker(id, Marker::LINE_STRIP, color);
                marker.scale.x = LINE_WIDTH;
                marker.points = points.iter().map(|corner| point(*corner)).collect();
                marker
            }
            Shape::File(path, size) => {
                let mut marker = self.marker(id, Marker::MESH_RESOURCE, color);
                marker.scale = Vector3 { x: *size, y: *size, z: *size };
                marker.mesh_resource = mesh_address(path);
                marker.mesh_use_embedded_materials = drawing.color.is_none();
                if drawing.color.is_none() {
                    // Viewers would tint the file's own colours with any other.
                    marker.color = ColorRGBA::default();
                }
                marker
            }
        };
        marker.pose = fill::pose(drawing.pose);
        marker
    }

    /// A lying cylinder, its axis along z of its frame: radius and width [m].
    pub(super) fn cylinder(&self, id: usize, radius: f64, width: f64, color: [u8; 4]) -> Marker {
        let mut marker = self.marker(id, Marker::CYLINDER, color);
        marker.scale = Vector3 { x: 2.0 * radius, y: 2.0 * radius, z: width };
        marker
    }

    /// Line segments of two points each, with a width [m].
    pub(super) fn lines(&self, id: usize, points: &[Vec3], width: f64, color: [u8; 4]) -> Marker {
        let mut marker = self.marker(id, Marker::LINE_LIST, color);
        marker.scale.x = width;
        marker.points = points.iter().map(|end| point(*end)).collect();
        marker
    }

    /// An arrow whose shaft has this thickness [m], without ends until [`set_arrow`] is called.
    pub(super) fn arrow(&self, id: usize, thickness: f64, color: [u8; 4]) -> Marker {
        let mut marker = self.marker(id, Marker::ARROW, color);
        marker.scale = Vector3 { x: thickness, y: 2.0 * thickness, z: 0.0 };
        marker.points = vec![Vector3::default(); 2];
        marker.action = Marker::DELETE;
        marker
    }

    /// A text of this height [m] that faces the viewer.
    pub(super) fn text(&self, id: usize, text: &str, height: f64) -> Marker {
        let mut marker = self.marker(id, Marker::TEXT_VIEW_FACING, [0xff; 4]);
        marker.scale.z = height;
        marker.text = text.to_owned();
        marker
    }
}

/// Sets the ends of an arrow [m]; an arrow shorter than `shortest` [m] is not shown.
pub(super) fn set_arrow(ends: [Vec3; 2], shortest: f64, marker: &mut Marker) {
    let is_shown = (ends[1] - ends[0]).norm() > shortest;
    marker.action = if is_shown { Marker::ADD } else { Marker::DELETE };
    for (point, end) in marker.points.iter_mut().zip(ends) {
        *point = self::point(end);
    }
}

/// A marker that deletes all markers of its topic.
pub(super) fn delete_all() -> Marker {
    Marker { action: Marker::DELETEALL, ..Marker::default() }
}

/// A point [m].
pub(super) fn point(p: Vec3) -> Vector3 {
    fill::vector(p.x, p.y, p.z)
}
