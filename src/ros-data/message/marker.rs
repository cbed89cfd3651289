//! Messages for viewers such as RViz, package `visualization_msgs`.

use super::image::CompressedImage;
use super::standard::{Header, Pose, Vector3};

messages! {
    ColorRGBA = "std_msgs/msg/ColorRGBA" [Copy] {
        /// Red [-], 0 to 1.
        r: f32,
        /// Green [-], 0 to 1.
        g: f32,
        /// Blue [-], 0 to 1.
        b: f32,
        /// Opacity [-], 0 to 1.
        a: f32,
    }

    Duration = "builtin_interfaces/msg/Duration" [Copy, Eq] {
        /// [s].
        sec: i32,
        /// [ns].
        nanosec: u32,
    }

    UVCoordinate = "visualization_msgs/msg/UVCoordinate" [Copy] {
        /// Horizontal texture coordinate [-], 0 to 1.
        u: f32,
        /// Vertical texture coordinate [-], 0 to 1.
        v: f32,
    }

    MeshFile = "visualization_msgs/msg/MeshFile" [Eq] {
        /// Name of the file.
        filename: String,
        /// Content of the file.
        data: Vec<u8>,
    }

    Marker = "visualization_msgs/msg/Marker" {
        /// Time stamp and frame.
        header: Header,
        /// Namespace of the id.
        ns: String,
        /// Id within its namespace.
        id: i32,
        /// One of the shape constants.
        kind: i32 as "int32 type",
        /// One of the action constants.
        action: i32,
        /// Pose in the frame.
        pose: Pose,
        /// Size along each axis [m].
        scale: Vector3,
        /// Colour of the whole marker.
        color: ColorRGBA,
        /// Time until viewers remove it; zero: never.
        lifetime: Duration,
        /// Whether viewers move it with its frame between two messages.
        frame_locked: bool,
        /// Points [m].
        points: Vec<Vector3> as "geometry_msgs/Point[] points",
        /// Colours: none, or one for each point.
        colors: Vec<ColorRGBA>,
        /// Not used.
        texture_resource: String,
        /// Not used.
        texture: CompressedImage,
        /// Not used.
        uv_coordinates: Vec<UVCoordinate>,
        /// The text of a text marker.
        text: String,
        /// Address of a mesh.
        mesh_resource: String,
        /// Not used.
        mesh_file: MeshFile,
        /// Whether the mesh keeps its own colours.
        mesh_use_embedded_materials: bool,
    }

    MarkerArray = "visualization_msgs/msg/MarkerArray" {
        /// The markers.
        markers: Vec<Marker>,
    }
}

impl From<[u8; 4]> for ColorRGBA {
    fn from(color: [u8; 4]) -> ColorRGBA {
        let [r, g, b, a] = color.map(|share| f32::from(share) / 255.0);
        ColorRGBA { r, g, b, a }
    }
}

impl Marker {
    /// An arrow from one point to another.
    pub(crate) const ARROW: i32 = 0;
    /// A cylinder along z.
    pub(crate) const CYLINDER: i32 = 3;
    /// A line through all points.
    pub(crate) const LINE_STRIP: i32 = 4;
    /// Lines of two points each.
    pub const LINE_LIST: i32 = 5;
    /// A text that faces the viewer.
    pub(crate) const TEXT_VIEW_FACING: i32 = 9;
    /// A mesh of a file.
    pub(crate) const MESH_RESOURCE: i32 = 10;
    /// Triangles of three points each.
    pub(crate) const TRIANGLE_LIST: i32 = 11;
    /// Shows or changes the marker.
    pub(crate) const ADD: i32 = 0;
    /// Deletes the marker.
    pub const DELETE: i32 = 2;
    /// Deletes all markers of the topic.
    pub(crate) const DELETEALL: i32 = 3;
}
