//! Drawings as `visualization_msgs/msg/Marker`.

use r2r::geometry_msgs::msg::{Point, Vector3};
use r2r::std_msgs::msg::ColorRGBA;
use r2r::visualization_msgs::msg::{Marker, MarkerArray};

use super::super::convert;
use crate::interface::drawing::{Drawing, Shape};
use crate::math::{Pose3, Vec3};

/// Width of lines [m], as MVSim draws them.
const LINE_WIDTH: f64 = 0.02;

// The numbers of visualization_msgs/msg/Marker.
const ARROW: i32 = 0;
const CYLINDER: i32 = 3;
const LINE_STRIP: i32 = 4;
const LINE_LIST: i32 = 5;
const TEXT: i32 = 9;
const FILE: i32 = 10;
const TRIANGLES: i32 = 11;
/// Shows a marker, or changes it.
pub const SHOW: i32 = 0;
/// Takes a marker away.
pub const TAKE_AWAY: i32 = 2;
const TAKE_ALL_AWAY: i32 = 3;

/// What markers of one thing have in common: frame and namespace, and whether they move on with the frame between two messages.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Frame that poses are given in.
    pub frame: &'a str,
    /// Namespace of the numbers.
    pub namespace: &'a str,
    /// Whether viewers have it move with its frame.
    pub is_locked: bool,
}

impl Place<'_> {
    fn marker(&self, id: usize, kind: i32, color: [u8; 4]) -> Marker {
        let mut marker = Marker {
            ns: self.namespace.to_owned(),
            id: i32::try_from(id).unwrap_or(i32::MAX),
            type_: kind,
            action: SHOW,
            color: rgba(color),
            scale: Vector3 { x: 1.0, y: 1.0, z: 1.0 },
            frame_locked: self.is_locked,
            ..Marker::default()
        };
        marker.header.frame_id = self.frame.to_owned();
        marker.pose.orientation.w = 1.0;
        marker
    }

    /// A drawing.
    pub fn drawing(&self, id: usize, drawing: &Drawing) -> Marker {
        let color = drawing.color.unwrap_or([0xff; 4]);
        let mut marker = match &drawing.shape {
            Shape::Triangles(corners) => {
                let mut marker = self.marker(id, TRIANGLES, color);
                marker.points = corners.iter().map(|corner| point(*corner)).collect();
                marker
            }
            Shape::Line(points) => {
                let mut marker = self.marker(id, LINE_STRIP, color);
                marker.scale.x = LINE_WIDTH;
                marker.points = points.iter().map(|corner| point(*corner)).collect();
                marker
            }
            Shape::File(path, size) => {
                let mut marker = self.marker(id, FILE, color);
                marker.scale = Vector3 { x: *size, y: *size, z: *size };
                marker.mesh_resource = format!("file://{}", path.display());
                marker.mesh_use_embedded_materials = drawing.color.is_none();
                if drawing.color.is_none() {
                    // With any other colour viewers tint the file's own.
                    marker.color = rgba([0; 4]);
                }
                marker
            }
        };
        convert::write_pose(drawing.pose, &mut marker.pose);
        marker
    }

    /// A lying cylinder, its axis along z of its frame: radius and width [m].
    pub fn cylinder(&self, id: usize, radius: f64, width: f64, color: [u8; 4]) -> Marker {
        let mut marker = self.marker(id, CYLINDER, color);
        marker.scale = Vector3 { x: 2.0 * radius, y: 2.0 * radius, z: width };
        marker
    }

    /// Lines of two points each, so wide [m].
    pub fn lines(&self, id: usize, points: &[Vec3], width: f64, color: [u8; 4]) -> Marker {
        let mut marker = self.marker(id, LINE_LIST, color);
        marker.scale.x = width;
        marker.points = points.iter().map(|end| point(*end)).collect();
        marker
    }

    /// An arrow with a shaft so thick [m]; [`write_arrow`] says from where to where.
    pub fn arrow(&self, id: usize, thickness: f64, color: [u8; 4]) -> Marker {
        let mut marker = self.marker(id, ARROW, color);
        marker.scale = Vector3 { x: thickness, y: 2.0 * thickness, z: 0.0 };
        marker.points = vec![Point::default(), Point::default()];
        marker.action = TAKE_AWAY;
        marker
    }

    /// A word so high [m], upright for whoever looks.
    pub fn text(&self, id: usize, text: &str, height: f64) -> Marker {
        let mut marker = self.marker(id, TEXT, [0xff; 4]);
        marker.scale.z = height;
        marker.text = text.to_owned();
        marker
    }
}

/// The arrow goes from one point to another [m]; one shorter than `shortest` [m] is not shown.
pub fn write_arrow(ends: [Vec3; 2], shortest: f64, marker: &mut Marker) {
    let is_shown = (ends[1] - ends[0]).norm() > shortest;
    marker.action = if is_shown { SHOW } else { TAKE_AWAY };
    for (point, end) in marker.points.iter_mut().zip(ends) {
        (point.x, point.y, point.z) = (end.x, end.y, end.z);
    }
}

/// Where the marker is, in its frame.
pub fn write_pose(pose: Pose3, marker: &mut Marker) {
    convert::write_pose(pose, &mut marker.pose);
}

/// Takes everything on a topic away.
pub fn nothing() -> Marker {
    Marker { action: TAKE_ALL_AWAY, ..Marker::default() }
}

/// A list.
pub fn array(markers: Vec<Marker>) -> MarkerArray {
    MarkerArray { markers }
}

fn point(p: Vec3) -> Point {
    Point { x: p.x, y: p.y, z: p.z }
}

fn rgba(color: [u8; 4]) -> ColorRGBA {
    let [r, g, b, a] = color.map(|share| f32::from(share) / 255.0);
    ColorRGBA { r, g, b, a }
}
