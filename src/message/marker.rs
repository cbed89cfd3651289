//! Messages for viewers such as RViz, package `visualization_msgs`.

use serde::{Deserialize, Serialize};

use super::standard::{Header, Pose, Vector3};

types! {
    ColorRGBA: "std_msgs/msg/ColorRGBA";
    CompressedImage: "sensor_msgs/msg/CompressedImage";
    Duration: "builtin_interfaces/msg/Duration";
    Marker: "visualization_msgs/msg/Marker";
    MarkerArray: "visualization_msgs/msg/MarkerArray";
    MeshFile: "visualization_msgs/msg/MeshFile";
    UVCoordinate: "visualization_msgs/msg/UVCoordinate";
}

/// `std_msgs/msg/ColorRGBA`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ColorRGBA {
    /// [-], 0 to 1.
    pub r: f32,
    /// [-], 0 to 1.
    pub g: f32,
    /// [-], 0 to 1.
    pub b: f32,
    /// Opacity [-], 0 to 1.
    pub a: f32,
}

impl From<[u8; 4]> for ColorRGBA {
    fn from(color: [u8; 4]) -> ColorRGBA {
        let [r, g, b, a] = color.map(|share| f32::from(share) / 255.0);
        ColorRGBA { r, g, b, a }
    }
}

/// `builtin_interfaces/msg/Duration`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Duration {
    /// [s].
    pub sec: i32,
    /// [ns].
    pub nanosec: u32,
}

/// `sensor_msgs/msg/CompressedImage`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompressedImage {
    /// When, and in which frame.
    pub header: Header,
    /// Such as `png`.
    pub format: String,
    /// The file.
    pub data: Vec<u8>,
}

/// `visualization_msgs/msg/UVCoordinate`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UVCoordinate {
    /// [-], 0 to 1.
    pub u: f32,
    /// [-], 0 to 1.
    pub v: f32,
}

/// `visualization_msgs/msg/MeshFile`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeshFile {
    /// Its name.
    pub filename: String,
    /// The file.
    pub data: Vec<u8>,
}

/// `visualization_msgs/msg/Marker`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Marker {
    /// When, and in which frame.
    pub header: Header,
    /// Namespace of the number.
    pub ns: String,
    /// Number within its namespace.
    pub id: i32,
    /// One of the constants of shapes.
    pub kind: i32,
    /// One of the constants of actions.
    pub action: i32,
    /// Where.
    pub pose: Pose,
    /// [m].
    pub scale: Vector3,
    /// Of all of it.
    pub color: ColorRGBA,
    /// Zero: for ever.
    pub lifetime: Duration,
    /// Whether it moves on with its frame between two messages.
    pub frame_locked: bool,
    /// [m].
    pub points: Vec<Vector3>,
    /// None, or one for each point.
    pub colors: Vec<ColorRGBA>,
    /// Not used.
    pub texture_resource: String,
    /// Not used.
    pub texture: CompressedImage,
    /// Not used.
    pub uv_coordinates: Vec<UVCoordinate>,
    /// The text of a text marker.
    pub text: String,
    /// Where a mesh is.
    pub mesh_resource: String,
    /// Not used.
    pub mesh_file: MeshFile,
    /// Whether the mesh keeps its own colours.
    pub mesh_use_embedded_materials: bool,
}

impl Marker {
    /// An arrow from one point to another.
    pub const ARROW: i32 = 0;
    /// A cylinder along z.
    pub const CYLINDER: i32 = 3;
    /// A line through all points.
    pub const LINE_STRIP: i32 = 4;
    /// Lines of two points each.
    pub const LINE_LIST: i32 = 5;
    /// A text that faces the viewer.
    pub const TEXT_VIEW_FACING: i32 = 9;
    /// A mesh of a file.
    pub const MESH_RESOURCE: i32 = 10;
    /// Triangles of three points each.
    pub const TRIANGLE_LIST: i32 = 11;
    /// Shows it, or changes it.
    pub const ADD: i32 = 0;
    /// Takes it away.
    pub const DELETE: i32 = 2;
    /// Takes everything on the topic away.
    pub const DELETEALL: i32 = 3;
}

/// `visualization_msgs/msg/MarkerArray`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MarkerArray {
    /// The markers.
    pub markers: Vec<Marker>,
}
