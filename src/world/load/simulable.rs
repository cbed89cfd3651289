//! What blocks, vehicles, planes and actors have in common: where they start, and how they move by themselves.
//!
//! ```xml
//! <init_pose>x y yaw</init_pose>                  [m], [deg]; or
//! <init_pose3d>x y z yaw pitch roll</init_pose3d> [m], [deg]
//! <skip_elevation_adjust/>                        present: z stays as given; absent: it stands on what is under it
//! <init_vel>vx vy w</init_vel>                    of the reference point, body frame [m/s], [deg/s]; default 0 0 0
//! <animation type="keyframes"> … </animation>
//! <publish> … </publish>
//! ```

use super::publish::read_publish;
use super::{actor, block, vehicle};
use crate::math::{Pose3, Twist2, Vec2};
use crate::world::Publish;
use crate::world::animation::Keyframes;
use crate::world::terrain::Terrain;
use crate::xml::Reader;

/// What was read of a body's start.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Start {
    /// Pose in the world [m, rad].
    pub pose: Pose3,
    /// True: z is what the file says; false: it is found from the ground.
    pub keeps_height: bool,
    /// Velocity of the reference point in the body frame [m/s, rad/s].
    pub velocity_in_body: Twist2,
    /// A prescribed motion.
    pub animation: Option<Keyframes>,
    /// A wish to have the pose published.
    pub publish: Option<Publish>,
}

/// Whether a pose must be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PoseIs {
    Needed,
    Optional,
}

/// Reads the tags above.
pub(super) fn read_start(reader: &Reader<'_>, pose_is: PoseIs) -> Start {
    reader.later(&["animation"]);
    Start {
        pose: read_pose(reader, pose_is),
        keeps_height: reader.has("skip_elevation_adjust"),
        velocity_in_body: read_velocity(reader),
        animation: None,
        publish: read_publish(reader),
    }
}

fn read_pose(reader: &Reader<'_>, pose_is: PoseIs) -> Pose3 {
    let planar = reader.numbers("init_pose", &[3]);
    let spatial = reader.numbers("init_pose3d", &[6]);
    if let Some(p) = planar {
        return Pose3 { x: p[0], y: p[1], yaw: p[2].to_radians(), ..Pose3::default() };
    }
    if let Some(p) = spatial {
        let [yaw, pitch, roll] = [p[3], p[4], p[5]].map(f64::to_radians);
        return Pose3 { x: p[0], y: p[1], z: p[2], yaw, pitch, roll };
    }
    if pose_is == PoseIs::Needed && !reader.has("init_pose") && !reader.has("init_pose3d") {
        reader.missing("<init_pose>");
    }
    Pose3::default()
}

fn read_velocity(reader: &Reader<'_>) -> Twist2 {
    match reader.numbers("init_vel", &[3]) {
        Some(v) => Twist2::new(v[0], v[1], v[2].to_radians()),
        None => Twist2::ZERO,
    }
}

/// Sets the height of what does not keep the one of the file: the highest ground that is not above half of its own height,
/// or else 0. All elements of the file count; of blocks those before it for a block, and all for everything else.
pub(super) fn stand_on_ground(
    blocks: &mut [block::Loaded],
    vehicles: &mut [vehicle::Loaded],
    _actors: &mut [actor::Loaded],
    terrain: &mut Terrain,
) {
    for block in blocks {
        if !block.keeps_height {
            stand(&mut block.info.world_from_start, 0.5 * block.info.z[1], terrain);
        }
        let can_be_pushed = !block.info.is_static && !block.info.is_intangible && block.animation.is_none();
        terrain.add_block(&block.info, can_be_pushed.then_some(!block.keeps_height));
    }
    terrain.finish();
    for vehicle in vehicles.iter_mut().filter(|vehicle| !vehicle.keeps_height) {
        stand(&mut vehicle.info.world_from_start, 0.5 * vehicle.info.chassis_z[1], terrain);
    }
}

/// Puts a pose [m, rad] on the highest ground under it, looked for from `reach` [m] over it on downwards.
pub(super) fn stand(pose: &mut Pose3, reach: f64, terrain: &Terrain) {
    pose.z = terrain.ground_under(Vec2::new(pose.x, pose.y), pose.z + reach, None);
}
