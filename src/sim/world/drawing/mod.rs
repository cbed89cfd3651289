//! Visuals of a scene as simple shapes, for viewers and for sensors that see in three dimensions. The geometry is that
//! of the scene: a mesh if the world file has one, a solid, or the prism over its outline.

mod plain;
mod scenery;

use std::f64::consts::{FRAC_PI_2, PI};
use std::path::PathBuf;

use skidpad_files::mesh::{Mesh, prism};
use skidpad_math::{Pose2, Pose3, Rot2, Vec2, Vec3, wrap_angle};

pub use self::plain::{actor_without_meshes, block_without_meshes, vehicle_without_meshes, wheel_without_meshes};
use self::plain::{figure, plain_block, plain_body, tyre};
pub use self::scenery::{elevation, line, plane, region, wall};
use crate::raycast::space::{self, SeenBy};
use crate::world::actor::ActorInfo;
use crate::world::visual::{CullFaces, Visual};
use crate::world::{BeltInfo, BlockInfo, VehicleInfo, WheelInfo};

/// Most cells along a side of a height map that viewers show.
pub const MAX_CELLS: usize = 128;

/// A shape with its appearance, in the frame of its body.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// The shape.
    pub shape: Shape,
    /// Pose of the shape in the frame of its body [m, rad].
    pub pose: Pose3,
    /// Red, green, blue, alpha; none: the colours of the file.
    pub color: Option<[u8; 4]>,
    /// Its texture, if available on this machine.
    pub picture: Option<Picture>,
    /// Red green blue of each corner of its triangles; empty: all as `color`.
    pub corner_colors: Vec<[u8; 3]>,
    /// Whether light and shadow fall on it.
    pub is_lit: bool,
    /// Which faces are not drawn.
    pub cull: CullFaces,
    /// Name by which a wheel's `linked_yaw` finds it; may be empty.
    pub name: String,
    /// Whether viewers draw its bounding box.
    pub show_bounding_box: bool,
    /// Which sensors see it.
    pub seen_by: SeenBy,
    /// Radius [m] of the wheel of an actor that it is, see [`actor_from_rolling`]; none: it is none.
    pub wheel_radius: Option<f64>,
}

/// A shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Three corners [m] of each triangle.
    Triangles(Vec<Vec3>),
    /// Points [m] of a line, in order.
    Line(Vec<Vec3>),
    /// A file on this machine, and the size of its content [-].
    File(PathBuf, f64),
}

/// A texture that is repeated over triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// The file on this machine.
    pub file: PathBuf,
    /// Texture coordinates of each corner [-]: 0 0 is the lower left corner of the picture, 1 1 the upper right.
    pub corners: Vec<[f64; 2]>,
}

impl Drawing {
    /// A shape of one colour at the identity pose.
    pub fn new(shape: Shape, color: [u8; 4]) -> Drawing {
        Drawing {
            shape,
            pose: Pose3::default(),
            color: Some(color),
            picture: None,
            corner_colors: Vec::new(),
            is_lit: true,
            cull: CullFaces::None,
            name: String::new(),
            show_bounding_box: false,
            seen_by: SeenBy::All,
            wheel_radius: None,
        }
    }

    fn at(mut self, pose: Pose3) -> Drawing {
        self.pose = pose;
        self
    }
}

/// Colour of an actor without a mesh.
pub const ACTOR_COLOR: [u8; 4] = [0xc0, 0x90, 0x60, 0xff];

/// The triangles of a mesh, one after the other.
pub fn triangles(mesh: &Mesh) -> Shape {
    Shape::Triangles(mesh.triangles.iter().flatten().filter_map(|&i| mesh.vertices.get(i as usize).copied()).collect())
}

/// The closed line around an outline [m] at a height [m].
pub fn ring(outline: &[Vec2], z: f64) -> Shape {
    Shape::Line(outline.iter().chain(outline.first()).map(|p| Vec3::new(p.x, p.y, z)).collect())
}

/// The meshes of a body that are on this machine; may be empty.
pub fn visuals(visuals: &[Visual]) -> impl Iterator<Item = Drawing> {
    visuals.iter().filter_map(|visual| {
        Some(Drawing {
            pose: visual.body_from_mesh,
            color: visual.color,
            cull: visual.cull,
            name: visual.name.clone(),
            show_bounding_box: visual.show_bounding_box,
            seen_by: visual.seen_by,
            wheel_radius: visual.wheel_radius,
            ..Drawing::new(Shape::File(visual.file.clone()?, visual.scale), [0xff; 4])
        })
    })
}

/// A body: its meshes, or otherwise the prism over its outline.
pub fn body(meshes: &[Visual], outline: &[Vec2], z: [f64; 2], color: [u8; 4]) -> Vec<Drawing> {
    meshes_or(meshes, || plain_body(outline, z, color))
}

/// These meshes, or otherwise what a body without any is.
fn meshes_or(meshes: &[Visual], plain: impl FnOnce() -> Vec<Drawing>) -> Vec<Drawing> {
    let drawings: Vec<Drawing> = visuals(meshes).collect();
    if drawings.is_empty() { plain() } else { drawings }
}

/// Whether a body with these meshes, or otherwise this colour, is of glass to lidars: whether all that they see of it is
/// [clear](space::is_clear).
pub fn is_clear(meshes: &[Visual], color: [u8; 4]) -> bool {
    let mut colors = meshes.iter().filter(|mesh| mesh.is_seen_by_lidars()).map(|mesh| mesh.color).peekable();
    if colors.peek().is_none() {
        return space::is_clear(opacity(color));
    }
    colors.all(|color| color.is_some_and(|color| space::is_clear(opacity(color))))
}

/// Opacity of a surface of this colour [-], 0 to 1.
pub fn opacity([_, _, _, alpha]: [u8; 4]) -> f32 {
    f32::from(alpha) / 255.0
}

/// A vehicle without its wheels: its body, the tracks around them, and the front frame of an articulated vehicle.
pub fn vehicle(info: &VehicleInfo) -> Vec<Drawing> {
    let mut drawings = body(&info.visuals, &info.outline, info.chassis_z, info.color);
    drawings.extend(info.belts.iter().map(belt));
    if let Some(front) = &info.front {
        let frame = body(&front.visuals, &front.outline, front.z, front.color);
        drawings.extend(of_front_frame(frame));
    }
    drawings
}

/// Name of the drawings of a front frame, by which its first wheel turns them.
pub const FRONT_FRAME: &str = "front_frame";

/// Drawings of a front frame by its name.
fn of_front_frame(drawings: Vec<Drawing>) -> impl Iterator<Item = Drawing> {
    drawings.into_iter().map(|drawing| Drawing { name: FRONT_FRAME.to_owned(), ..drawing })
}

/// A track, a little narrower than its road wheels, which are seen to turn on both sides of it.
fn belt(belt: &BeltInfo) -> Drawing {
    /// Steps of the half circle at either end.
    const STEPS: usize = 12;
    let &BeltInfo { position, length, radius, width, color } = belt;
    let end = |at: f64, from: f64| {
        (0..=STEPS).map(move |step| {
            let (sin, cos) = libm::sincos(from + step as f64 / STEPS as f64 * PI);
            Vec2::new(at + radius * cos, radius * sin)
        })
    };
    let side: Vec<Vec2> = end(0.5 * length, -FRAC_PI_2).chain(end(-0.5 * length, FRAC_PI_2)).collect();
    let width = 0.9 * width;
    let upright = Pose3 { x: position.x, y: position.y + 0.5 * width, z: radius, roll: FRAC_PI_2, ..Pose3::default() };
    Drawing::new(triangles(&prism(&side, [0.0, width])), color).at(upright)
}

/// A block in its own frame.
pub fn block(block: &BlockInfo) -> Vec<Drawing> {
    match block.visuals.is_empty() {
        true => plain_block(block),
        false => body(&block.visuals, &block.outline, block.z, block.color),
    }
}

/// An actor in its own frame: its meshes, or otherwise a cylinder with a head, of its height.
pub fn actor(actor: &ActorInfo) -> Vec<Drawing> {
    meshes_or(&actor.visuals, || figure(actor))
}

/// Pose of an actor's wheel of this radius [m] on the actor [m, rad], which has its origin at `at` [m] and its axle along the actor's y, after
/// the actor has covered `distance` [m]: it rolls without slip. The page turns it alike (`web/src/scene/bodies/figures.ts`).
pub fn actor_from_rolling(at: Vec3, radius: f64, distance: f64) -> Pose3 {
    Pose3 { x: at.x, y: at.y, z: at.z, pitch: wrap_angle(distance / radius), ..Pose3::default() }
}

/// The wheel whose steering turns a drawing of the vehicle's body, and the angle [rad] added, if there is one.
pub fn steered_by(vehicle: &VehicleInfo, drawing: &Drawing) -> Option<(usize, f64)> {
    vehicle.wheels.iter().enumerate().find_map(|(wheel, info)| {
        let (name, yaw) = info.linked_yaw.as_ref()?;
        (!name.is_empty() && drawing.name == *name).then_some((wheel, *yaw))
    })
}

/// A wheel in its own frame, y along the axle to the left: its meshes, or otherwise a cylinder.
pub fn wheel(wheel: &WheelInfo) -> Vec<Drawing> {
    meshes_or(&wheel.visuals, || tyre(wheel))
}

/// Pose on the body [m, rad] of a wheel at this height [m] and this steering angle [rad]. It stands at `position`
/// without steering, and turns about `pivot`, or else its centre [m].
pub fn body_from_wheel(position: Vec2, pivot: Option<Vec2>, height: f64, steer: f64) -> Pose3 {
    let position = pivot.map_or(position, |pivot| pivot + Rot2::new(steer) * (position - pivot));
    Pose3 { x: position.x, y: position.y, z: height, yaw: steer, ..Pose3::default() }
}

/// Turn of the body's frame [m, rad] about `pivot` [m] by `yaw` [rad].
pub fn turned_about(pivot: Vec2, yaw: f64) -> Pose3 {
    Pose3::from_planar(Pose2::about(pivot, yaw))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2 m on the ground and half a metre of radius at the ends: from −1.5 to 1.5 m, 1 m high, and nine tenths as wide as it is.
    #[test]
    fn a_track_reaches_half_a_circle_beyond_its_ground_run() {
        let track =
            BeltInfo { position: Vec2::new(0.0, 2.0), length: 2.0, radius: 0.5, width: 1.0, ..BeltInfo::default() };
        let drawn = vehicle(&VehicleInfo { belts: vec![track], ..VehicleInfo::default() });
        let Some(Drawing { shape: Shape::Triangles(corners), pose, .. }) = drawn.last() else { panic!("{drawn:?}") };
        let placed: Vec<Vec3> = corners.iter().map(|corner| pose.transform_point(*corner)).collect();
        for (axis, low, high) in [(0, -1.5, 1.5), (1, 1.55, 2.45), (2, 0.0, 1.0)] {
            let values = placed.iter().map(|point| point[axis]);
            let actual = [values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max)];
            assert!((actual[0] - low).abs() < 1e-12 && (actual[1] - high).abs() < 1e-12, "axis {axis}: {actual:?}");
        }
    }

    #[test]
    fn a_body_without_a_mesh_on_this_machine_is_its_prism() {
        let outline: Vec<Vec2> = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)].map(|(x, y)| Vec2::new(x, y)).into();
        let drawn = body(&[], &outline, [0.0, 1.0], [1, 2, 3, 4]);
        assert!(
            matches!(&drawn[..], [Drawing { shape: Shape::Triangles(corners), color: Some([1, 2, 3, 4]), .. }] if corners.len() == 24)
        );
        let Shape::Line(points) = ring(&outline, 0.5) else { panic!() };
        assert_eq!((points.len(), points[0], points[0].z), (4, points[3], 0.5));
    }

    #[test]
    fn a_body_is_clear_if_all_that_is_drawn_of_it_is() {
        let mesh = |file: Option<&str>, color| Visual {
            uri: String::new(),
            file: file.map(PathBuf::from),
            body_from_mesh: Pose3::default(),
            scale: 1.0,
            color,
            cull: CullFaces::None,
            name: String::new(),
            show_bounding_box: false,
            seen_by: SeenBy::All,
            show_housings: false,
            wheel_radius: None,
        };
        let (clear, solid) = ([0xff, 0xff, 0xff, 0x7f], [0xff, 0xff, 0xff, 0x80]);
        assert!(is_clear(&[], clear) && !is_clear(&[], solid));
        assert!(is_clear(&[mesh(None, Some(solid))], clear), "a mesh that is not here is not drawn");
        assert!(is_clear(&[mesh(Some("a"), Some(clear))], solid));
        assert!(
            !is_clear(&[mesh(Some("a"), Some(clear)), mesh(Some("b"), None)], clear),
            "colours of files are opaque"
        );
    }

    #[test]
    fn a_wheel_without_a_mesh_is_a_cylinder_about_its_axle() {
        let info = WheelInfo { radius: 0.3, width: 0.1, ..WheelInfo::default() };
        let [tyre] = &wheel(&info)[..] else { panic!() };
        let Shape::Triangles(corners) = &tyre.shape else { panic!() };
        for p in corners.iter().map(|p| tyre.pose.transform_point(*p)) {
            assert!((p.y.abs() - 0.05).abs() < 1e-9 && (p.x.hypot(p.z) - 0.3).abs() < 1e-9, "{p:?}");
        }
    }

    #[test]
    fn a_figure_has_the_height_of_its_actor_and_human_proportions() {
        let info = ActorInfo { height: 2.0, collision_radius: 0.5, ..ActorInfo::default() };
        let (mut top, mut bottom, mut widest) = (f64::MIN, f64::MAX, 0.0_f64);
        for drawing in actor(&info) {
            let Shape::Triangles(corners) = &drawing.shape else { panic!() };
            for corner in corners.iter().map(|p| drawing.pose.transform_point(*p)) {
                (top, bottom) = (top.max(corner.z), bottom.min(corner.z));
                widest = widest.max(corner.x.hypot(corner.y));
            }
        }
        assert!((top - 2.0).abs() < 1e-9 && bottom == 0.0 && (widest - 0.26).abs() < 1e-9, "{top} {bottom} {widest}");
        assert!(actor(&ActorInfo::default()).is_empty(), "nothing of no size");
    }
}
