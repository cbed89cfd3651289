//! Sets bodies on the ground at the start.

use skidpad_math::Pose3;

use super::simulable::StartHeight;
use super::{actor, block, vehicle};
use crate::world::Spot;
use crate::world::terrain::Terrain;

/// Height above their own [m] from which the ground under actors is searched downwards; MVSim's.
const REACH_OF_ACTORS: f64 = 1.5;

/// Sets the height of each body that does not keep that of the file to the highest ground that is not above half of the
/// body, on an elevation map whatever its height. Where all ground is higher, it is the lowest plane if the pose has no z, and else 0. All
/// elements of the file count as ground; of the blocks, those earlier in the file for a block, and all for vehicles and actors.
pub(super) fn place_all_on_ground(
    blocks: &mut [block::Loaded],
    vehicles: &mut [vehicle::Loaded],
    actors: &mut [actor::Loaded],
    terrain: &mut Terrain,
) {
    for block in blocks {
        place_on_ground(&mut block.info.world_from_start, block.height, 0.5 * block.info.z[1], terrain);
        terrain.add_block(&block.info);
    }
    terrain.finish();
    for vehicle in vehicles {
        place_on_ground(&mut vehicle.info.world_from_start, vehicle.height, 0.5 * vehicle.info.chassis_z[1], terrain);
    }
    for actor in actors {
        place_on_ground(&mut actor.start, actor.height, REACH_OF_ACTORS, terrain);
    }
}

/// Puts a pose [m, rad] on the highest ground that is not more than `reach` [m] above it, or above an elevation map there; without a z, on the
/// lowest plane where all lie higher.
pub(in crate::world) fn place_on_ground(pose: &mut Pose3, height: StartHeight, reach: f64, terrain: &Terrain) {
    if height != StartHeight::Kept {
        pose.z = terrain.ground_for(Spot { pose: *pose, gives_z: height == StartHeight::Given }, reach);
    }
}
