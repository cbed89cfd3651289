//! Messages for viewers such as RViz, package `visualization_msgs`.

use super::standard::{Header, Pose, Vector3};

messages! {
    ColorRGBA = "std_msgs/msg/ColorRGBA" [Copy] {
        /// [-], 0 to 1.
        r: f32,
        /// [-], 0 to 1.
        g: f32,
        /// [-], 0 to 1.
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

    CompressedImage = "sensor_msgs/msg/CompressedImage" [Eq] {
        /// When, and in which frame.
        header: Header,
        /// Such as `png`.
        format: String,
        /// The file.
        data: Vec<u8>,
    }

    UVCoordinate = "visualization_msgs/msg/UVCoordinate" [Copy] {
        /// [-], 0 to 1.
        u: f32,
        /// [-], 0 to 1.
        v: f32,
    }

    MeshFile = "visualization_msgs/msg/MeshFile" [Eq] {
        /// Its name.
        filename: String,
        /// The file.
        data: Vec<u8>,
    }

    Marker = "visualization_msgs/msg/Marker" {
        /// When, and in which frame.
        header: Header,
        /// Namespace of the number.
        ns: String,
        /// Number within its namespace.
        id: i32,
        /// One of the constants of shapes.
        kind: i32 as "int32 type",
        /// One of the constants of actions.
        action: i32,
        /// Where.
        pose: Pose,
        /// [m].
        scale: Vector3,
        /// Of all of it.
        color: ColorRGBA,
        /// Zero: for ever.
        lifetime: Duration,
        /// Whether it moves on with its frame between two messages.
        frame_locked: bool,
        /// [m].
        points: Vec<Vector3> as "geometry_msgs/Point[] points",
        /// None, or one for each point.
        colors: Vec<ColorRGBA>,
        /// Not used.
        texture_resource: String,
        /// Not used.
        texture: CompressedImage,
        /// Not used.
        uv_coordinates: Vec<UVCoordinate>,
        /// The text of a text marker.
        text: String,
        /// Where a mesh is.
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
