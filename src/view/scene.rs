//! The scene for viewers: one JSON document. Lengths [m], angles [rad]; poses are x y z yaw pitch roll, rotations about z, then
//! y, then x; colours are red green blue alpha, 0 to 255. Lists are in the order of [`Scene`](skidpad_sim::world::Scene).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use skidpad_ros_data::interface::names::BASE_FRAME;
#[cfg(test)]
use ts_rs::TS;

use super::parts::{PartView, SIGN};

/// x y z [m], yaw pitch roll [rad].
pub(crate) type PoseView = [f64; 6];
/// Red green blue alpha, 0 to 255.
pub(crate) type ColorView = [u8; 4];

/// Everything that a viewer needs before the first state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(test, derive(TS))]
pub struct SceneView {
    /// Display name of the world.
    pub name: String,
    /// Counts up whenever vehicles or blocks come or go; states carry the revision of their scene.
    pub revision: u32,
    /// Physics step [s].
    pub step: f64,
    /// Vehicles.
    pub vehicles: Vec<VehicleView>,
    /// Blocks.
    pub blocks: Vec<BodyView>,
    /// Horizontal planes, which may move.
    pub planes: Vec<BodyView>,
    /// Actors.
    pub actors: Vec<BodyView>,
    /// What never moves: walls, height maps, regions, markers; in the world frame.
    pub fixed: Vec<DrawingView>,
    /// Occupancy maps.
    pub maps: Vec<MapView>,
    /// Clouds of points.
    pub clouds: Vec<CloudView>,
    /// Joints.
    pub joints: Vec<JointView>,
    /// Lines on the ground.
    pub grids: Vec<GridView>,
    /// Paths of the pictures around the world, front back down up left right; empty: none.
    pub skybox: Vec<String>,
    /// Window settings of the world file.
    pub gui: GuiView,
    /// Light settings of the world file.
    pub lights: LightsView,
    /// Texts of geometry that several shapes have: in their place there `#` and the index in this list. Empty but in messages to the page.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub shared: Vec<String>,
    /// What is known of lists that are apart from the document, by name: in their places there is `@` with the name. Empty but in
    /// [streamed](super::parts::streamed) documents.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(test, ts(optional, type = "Record<string, PartView>"))]
    pub parts: BTreeMap<String, PartView>,
}

impl SceneView {
    /// Calls `change` with the path of each mesh and picture that is not a map.
    pub fn visit_paths(&mut self, mut change: impl FnMut(&mut String)) {
        self.visit_drawings(|drawings| {
            for drawing in drawings {
                if let ShapeView::Mesh { path, .. } = &mut drawing.shape {
                    change(path);
                }
                if let Some(texture) = &mut drawing.texture {
                    change(&mut texture.path);
                }
            }
        });
        self.skybox.iter_mut().for_each(change);
    }

    /// The document with each text of geometry once, as it goes to the page: a thousand pallets are as long as one.
    pub fn shortened(&self) -> SceneView {
        let mut short = self.clone();
        short.shorten();
        short
    }

    /// Puts each text of geometry that several shapes have into the list of shared ones.
    pub(super) fn shorten(&mut self) {
        /// Texts below this length are not worth a place in the list.
        const SHORT: usize = 32;
        let mut indices: BTreeMap<String, Option<usize>> = BTreeMap::new();
        self.visit_texts(|text| {
            if text.len() >= SHORT && !text.starts_with(SIGN) {
                indices.entry(text.clone()).and_modify(|shared| *shared = Some(0)).or_insert(None);
            }
        });
        let mut shared = Vec::new();
        for (text, index) in indices.iter_mut().filter(|(_, index)| index.is_some()) {
            *index = Some(shared.len());
            shared.push(text.clone());
        }
        self.visit_texts(|text| {
            if let Some(Some(index)) = indices.get(text) {
                *text = format!("#{index}");
            }
        });
        self.shared = shared;
    }

    /// Calls `change` with each text of numbers of triangles.
    pub(super) fn visit_texts(&mut self, mut change: impl FnMut(&mut String)) {
        self.visit_drawings(|drawings| {
            for drawing in drawings {
                if let ShapeView::Triangles { corners, colors, on_picture } = &mut drawing.shape {
                    [corners, colors, on_picture].into_iter().for_each(&mut change);
                }
            }
        });
    }

    /// Calls `change` with each list of drawings, of bodies and of the surroundings.
    pub fn visit_drawings(&mut self, mut change: impl FnMut(&mut Vec<DrawingView>)) {
        for vehicle in &mut self.vehicles {
            change(&mut vehicle.drawings);
            vehicle.wheels.iter_mut().for_each(|wheel| change(&mut wheel.drawings));
        }
        let bodies = self.blocks.iter_mut().chain(&mut self.planes).chain(&mut self.actors);
        bodies.for_each(|body| change(&mut body.drawings));
        change(&mut self.fixed);
    }
}

/// A vehicle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(test, derive(TS))]
pub struct VehicleView {
    /// Its id, which is stable when others come and go.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: u64,
    /// Name.
    pub name: String,
    /// Class in the world file; may be empty.
    pub class: String,
    /// Whether viewers can move it.
    pub is_movable: bool,
    /// Outline of the chassis [m], in its frame, not closed.
    pub outline: Vec<[f64; 2]>,
    /// Lower and upper end of the chassis [m].
    pub z: [f64; 2],
    /// Colour of the chassis.
    pub color: ColorView,
    /// Visuals of its chassis, in its frame.
    pub drawings: Vec<DrawingView>,
    /// Names of mesh files of its chassis that are not on this machine; if none is, `drawings` has its outline instead.
    pub missing: Vec<String>,
    /// Whether its meshes have no housings where lidars and cameras sit, so that viewers add them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub show_housings: bool,
    /// Wheels in index order.
    pub wheels: Vec<WheelView>,
    /// Sensors.
    pub sensors: Vec<SensorView>,
    /// Names of its coordinate frames in ROS.
    pub frames: FramesView,
    /// The commands that it accepts, of `twist`, `ackermann`, `pedals`, `wheels`.
    pub accepts: Vec<String>,
    /// Whether velocities to its left move it.
    pub moves_sideways: bool,
    /// Largest steering angle [rad], when it steers.
    pub max_steer: Option<f64>,
    /// Distance of the axles [m], when it steers.
    pub wheelbase: Option<f64>,
    /// Total mass [kg]; 0: not known.
    pub mass: f64,
    /// Scale of drawn forces that suits its size and weight [m/N]; for worlds without one.
    pub force_scale: f64,
    /// The reference path that its driver follows, points [m]; empty: none, or not known beforehand.
    pub reference_path: Vec<[f64; 2]>,
    /// The right and the left border of the track around that path, points [m]; missing: no widths are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub track_borders: Option<[Vec<[f64; 2]>; 2]>,
    /// Channels of it and of its wheels that a recording does not tell: they are absent, and not 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub not_recorded: Vec<String>,
    /// The recording that it is a ghost of: it was elsewhere, and nothing meets it. Missing: it is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub ghost: Option<GhostView>,
}

/// What a vehicle is a ghost of: one of a second recording in a replay, drawn beside those of the first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(test, derive(TS))]
pub struct GhostView {
    /// Name of the file.
    pub file: String,
    /// Name of the vehicle in it.
    pub vehicle: String,
    /// Beginning and end of its recording [s], in the time of the first one; before and after it stands.
    pub span: [f64; 2],
    /// Beginning and end of the first recording [s].
    pub other_span: [f64; 2],
}

/// Names of coordinate frames in ROS.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(test, derive(TS))]
pub struct FramesView {
    /// Of the map.
    pub map: String,
    /// In which odometry gives the pose of the vehicle; none: its transforms do not have it.
    pub odometry: Option<String>,
    /// Of the vehicle's body.
    pub base: String,
}

impl Default for FramesView {
    /// The usual ones.
    fn default() -> FramesView {
        FramesView { map: "map".into(), odometry: Some("odom".into()), base: BASE_FRAME.into() }
    }
}

/// A wheel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(test, derive(TS))]
pub struct WheelView {
    /// Short name, such as `rl_wheel`.
    pub name: String,
    /// Centre [m] in the vehicle's frame, without steering.
    pub position: [f64; 2],
    /// Angle [rad] from the vehicle's x axis to the rolling direction, without steering.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub heading: f64,
    /// The point [m] that the wheel, and what is linked to it, turns about when it steers; none: its own place.
    pub pivot: Option<[f64; 2]>,
    /// Radius [m].
    pub radius: f64,
    /// Width [m].
    pub width: f64,
    /// Colour.
    pub color: ColorView,
    /// Visuals in the wheel's frame, x forward, y along the axle to the left; empty: a cylinder.
    pub drawings: Vec<DrawingView>,
    /// Names of its mesh files that are not on this machine.
    pub missing: Vec<String>,
    /// Name of a drawing of the vehicle that turns with the wheel's steering, and the angle [rad] added.
    pub linked_yaw: Option<(String, f64)>,
}

fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// A sensor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(test, derive(TS))]
pub struct SensorView {
    /// Name.
    pub name: String,
    /// Class in world files; empty: not known.
    pub class: String,
    /// Topics of the sensor.
    pub topics: Vec<SensorTopicView>,
    /// Its coordinate frame in ROS; empty: called as the sensor.
    pub frame: String,
    /// Pose in the vehicle's frame.
    pub pose: PoseView,
    /// Angle of the first beam [rad].
    pub angle_min: f64,
    /// Angle between neighbouring beams [rad].
    pub angle_increment: f64,
    /// Number of beams; 0 for a sensor that takes no scans.
    pub count: u32,
    /// Largest range [m].
    pub range_max: f64,
}

/// A topic of a sensor. Viewers can ask for those with clouds and pictures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(test, derive(TS))]
pub struct SensorTopicView {
    /// Its name as ROS has it, in full or below the node's namespace; empty: that of the sensor with `suffix`.
    pub name: String,
    /// What skidpad's own name has after that of the sensor.
    pub suffix: String,
    /// Type of its messages.
    pub message: String,
}

/// A block, a plane or an actor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(test, derive(TS))]
pub struct BodyView {
    /// Id of a block; 0 for planes and actors, which cannot be moved.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: u64,
    /// Name.
    pub name: String,
    /// Pose at the start.
    pub pose: PoseView,
    /// Outline [m] in its frame, not closed; may be empty.
    pub outline: Vec<[f64; 2]>,
    /// Lower and upper end [m].
    pub z: [f64; 2],
    /// Whether viewers can move it.
    pub is_movable: bool,
    /// Its visuals, in its frame.
    pub drawings: Vec<DrawingView>,
    /// Names of its mesh files that are not on this machine; if none is, `drawings` has its outline instead.
    pub missing: Vec<String>,
}

/// A shape with its appearance, in the frame of its body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct DrawingView {
    /// What it shows: `body`, `wall`, `elevation`, `region`, `marker`.
    pub kind: String,
    /// Name by which a wheel's `linked_yaw` finds it; may be empty.
    pub name: String,
    /// The shape.
    pub shape: ShapeView,
    /// Pose of the shape in the frame of its body.
    pub pose: PoseView,
    /// Its colour; none: those of the file.
    pub color: Option<ColorView>,
    /// The picture on it.
    pub texture: Option<TextureView>,
    /// Whether light and shadow fall on it.
    pub is_lit: bool,
    /// Which faces are not drawn: `none`, `front`, `back`.
    pub cull: String,
    /// Whether its bounding box is drawn too.
    pub show_bounding_box: bool,
}

/// A shape. Numbers of geometry are f32, little-endian, in base64.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
#[cfg_attr(test, derive(TS))]
pub enum ShapeView {
    /// Triangles.
    Triangles {
        /// x y z [m] of three corners each.
        corners: String,
        /// Red green blue of each corner, one byte each, in base64; empty: that of the drawing.
        colors: String,
        /// Texture coordinates u v of each corner, if there is a picture: 0 0 is its lower left corner, 1 1 its upper right, and
        /// beyond that it is repeated.
        on_picture: String,
    },
    /// A line.
    Line {
        /// x y z [m] of its points, in order.
        points: String,
    },
    /// A mesh file: in its own unit and axes, but for COLLADA, which is scaled to metres and turned to y upwards as Assimp does.
    Mesh {
        /// Its address, relative to the page's.
        path: String,
        /// `dae`, `stl`, `obj`, `gltf` or `glb`.
        format: String,
        /// Size of its content [-].
        scale: f64,
        /// Of an actor: the names of its clips, to stand, walk and run.
        clips: Vec<String>,
        /// Of a wheel of an actor: its radius [m]. It turns about the y axis of the actor through its origin, by the actor's `distance`; `null`:
        /// it is none.
        #[serde(default)]
        wheel_radius: Option<f64>,
    },
}

/// A picture on triangles, whose texture coordinates are in the shape.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct TextureView {
    /// Its address, relative to the page's.
    pub path: String,
}

/// An occupancy map.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct MapView {
    /// Where the page gets it as PNG, below its own address: grey, row 0 on top being that of the largest y; white free, black occupied,
    /// transparent unknown.
    pub path: String,
    /// Cells along x and y.
    pub cells: [u32; 2],
    /// Side of a cell [m].
    pub resolution: f64,
    /// Pose of the corner of smallest x and y: x, y [m], yaw [rad].
    pub pose: [f64; 3],
}

/// Points that never move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct CloudView {
    /// Name.
    pub name: String,
    /// Pose of the points' frame in the world.
    pub pose: PoseView,
    /// x y z [m] of each, f32, little-endian, in base64.
    pub points: String,
    /// Size of a point [pixels].
    pub point_size: f64,
}

/// A joint, drawn as a line between its ends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct JointView {
    /// Name.
    pub name: String,
    /// `pin`, `rope`, `spring` or the like.
    pub law: String,
    /// The bodies that it connects.
    pub ends: [JointEndView; 2],
}

/// An end of a joint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct JointEndView {
    /// Index of the vehicle, or none.
    pub vehicle: Option<u32>,
    /// Index of the block, or none.
    pub block: Option<u32>,
    /// Its attachment point [m], in the body's frame.
    pub anchor: [f64; 2],
}

/// Lines on the ground.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct GridView {
    /// Index of the vehicle that it moves with, in whole intervals; none: it is fixed.
    pub follows: Option<u32>,
    /// Colour.
    pub color: ColorView,
    /// Width of the lines [pixels].
    pub line_width: f64,
    /// Extent along x [m], in the world or from the vehicle.
    pub x: [f64; 2],
    /// Extent along y [m].
    pub y: [f64; 2],
    /// Distance of the lines [m].
    pub interval: f64,
}

/// `<gui>` of the world file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(test, derive(TS))]
pub struct GuiView {
    /// Orthographic instead of perspective.
    pub is_orthographic: bool,
    /// Whether the forces on wheels are drawn.
    pub show_forces: bool,
    /// Length of a force as drawn [m/N].
    pub force_scale: f64,
    /// Whether sensor readings are drawn.
    pub show_sensor_points: bool,
    /// Vertical field of view [rad].
    pub field_of_view: f64,
    /// Nearest and farthest distance drawn [m].
    pub clip: [f64; 2],
    /// Distance of the camera from its target [m].
    pub camera_distance: f64,
    /// Direction from the target to the camera [rad], counter-clockwise from the world's x axis.
    pub camera_azimuth: f64,
    /// Its elevation above the ground plane [rad].
    pub camera_elevation: f64,
    /// The target of the camera [m].
    pub camera_target: [f64; 3],
    /// Name of the vehicle that the camera follows; empty: none.
    pub follow_vehicle: String,
    /// Highest drawing rate [Hz].
    pub refresh_rate: f64,
    /// Whether the world file sets the camera; otherwise viewers show everything.
    pub has_camera: bool,
}

/// `<lights>` of the world file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(test, derive(TS))]
pub struct LightsView {
    /// Whether there are shadows.
    pub enable_shadows: bool,
    /// Side of the shadow map [pixels].
    pub shadow_map_size: u32,
    /// Unit vector along which the light travels.
    pub direction: [f64; 3],
    /// Colour.
    pub color: ColorView,
    /// Share of ambient light [-], 0 to 1.
    pub ambient: f64,
    /// Colours of the sky at the zenith and at the horizon, and of the ground around the world; missing: the world file gives none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub sky: Option<[ColorView; 3]>,
}
