//! The phase of a step in which bodies follow the ground: height, pitch and roll of vehicles, height of blocks.
//!
//! A vehicle stands on the ground under its wheels: level where it is even, otherwise with the pitch and roll of the
//! least-squares fit of its wheels to it. There is no suspension and no vertical motion; x, y and yaw are those of the plane.
//! A block that can be moved follows the height of the ground under it and slides down its slope, but stays upright (MVSim's
//! rules: it keeps its height, and knows no slope).
//!
//! A map of elevations may end high above the ground beside it. A wheel that has passed its edge hangs in the air as long as another one
//! stands on the map. A body that leaned from the map to the ground would stand on its nose, or be inside of the edge. Once the last
//! wheel has passed the edge, the vehicle stands below. MVSim's rules know no wheels that hang.

use skidpad_math::{Pose2, Pose3, Vec2, Vec3};

use crate::vehicle::Wheel;
use crate::world::step::attitude::Attitude;
use crate::world::terrain::{PlaneFit, Support, Terrain};
use crate::world::vehicles::VehicleRecord;
use crate::world::{BlockInfo, PhysicsRules, Spot, World};

/// Height differences below this [m] count as level ground.
pub(in crate::world) const EVEN: f64 = 1e-4;
/// Height above the reference plane from which the ground under a hitch is searched downwards [m]: MVSim's.
const HITCH_REACH: f64 = 0.5;
/// The same for blocks, at least [m].
const MIN_BLOCK_REACH: f64 = 0.05;

/// Height above a block's reference point from which its ground is searched downwards [m].
pub(in crate::world) fn block_reach(info: &BlockInfo) -> f64 {
    (0.5 * info.z[1]).max(MIN_BLOCK_REACH)
}

impl World {
    /// Sets every body on the ground under it.
    #[inline]
    pub(in crate::world) fn follow_ground(&mut self) {
        if !self.terrain.is_level() {
            self.follow_uneven_ground();
        }
    }

    // A separate function, so that the step stays short on level ground.
    #[inline(never)]
    pub(in crate::world) fn follow_uneven_ground(&mut self) {
        for (plane, &pose) in self.frame.planes.iter().enumerate() {
            self.terrain.set_plane_pose(plane, pose);
        }
        self.move_blocks_with_ground();
        let has_steps = self.terrain.may_have_steps();
        for record in self.vehicles.iter_mut().filter(|record| record.animation.is_none()) {
            if has_steps {
                record.ledge_guard.check(&mut self.physics, record.body, &record.attitude, &self.terrain);
            }
            record.follow_ground(&self.terrain, self.physics.world_from_body(record.body));
        }
    }

    /// The same for bodies that were just placed at their start.
    pub(in crate::world) fn follow_ground_at_start(&mut self) {
        let is_level = self.terrain.is_level();
        for record in self.vehicles.iter_mut().filter(|record| record.animation.is_none()) {
            if is_level {
                record.attitude = Attitude::default();
            }
            record.ledge_guard.forget();
            record.down_in_body = record.attitude.down_in_body();
        }
        // All blocks are placed as ground at their start before any searches for its own ground; none has moved yet.
        for (record, info) in self.blocks.iter().zip(&self.scene.blocks) {
            self.terrain.set_block_pose(record.ground, info.world_from_start);
        }
        for (plane, info) in self.scene.planes.iter().enumerate() {
            self.terrain.set_plane_pose(plane, info.world_from_start);
        }
        self.terrain.take_changed();
        for record in &self.blocks {
            if let Some(block) = &record.body {
                self.terrain.set_block_pose(record.ground, block.pose(&self.physics));
            }
        }
        for (plane, &pose) in self.frame.planes.iter().enumerate() {
            self.terrain.set_plane_pose(plane, pose);
        }
        for record in self.vehicles.iter_mut().filter(|record| record.animation.is_none()) {
            record.lean_on_plane(&self.terrain, self.physics.world_from_body(record.body));
        }
        self.follow_ground();
        self.stand_on_springs();
        self.incline_blocks();
    }

    /// Moves blocks as ground to where their bodies are, and sets blocks as bodies on the ground.
    fn move_blocks_with_ground(&mut self) {
        for &index in &self.moving_blocks {
            let record = &self.blocks[index];
            if record.animation.is_some() {
                let pose = record.body.as_ref().map_or(self.frame.blocks[index], |block| block.pose(&self.physics));
                self.terrain.set_block_pose(record.ground, pose);
            }
        }
        let has_changed = self.terrain.take_changed();
        for &index in &self.moving_blocks {
            let record = &mut self.blocks[index];
            let ground = record.ground;
            let Some(block) = record.pushed_body() else { continue };
            let planar = self.physics.world_from_body(block.body);
            let is_still = self.terrain.block_pose(ground) == Some(block.attitude.with(planar));
            if is_still && !has_changed {
                continue;
            }
            if block.follows && self.terrain.rules() == PhysicsRules::Skidpad {
                block.lie_down(&self.terrain, ground, &self.scene.blocks[index], planar);
            }
            self.terrain.set_block_pose(ground, block.attitude.with(planar));
        }
    }

    /// Sets the vehicle with this index on the ground where it was just placed.
    pub(in crate::world) fn set_vehicle_on_ground(&mut self, index: usize) {
        let record = &mut self.vehicles[index];
        if record.animation.is_some() {
            return;
        }
        record.ledge_guard.forget();
        self.heights_are_known = false;
        if self.terrain.is_level() {
            record.attitude = Attitude::default();
            record.down_in_body = record.attitude.down_in_body();
        } else {
            let planar = self.physics.world_from_body(record.body);
            record.lean_on_plane(&self.terrain, planar);
            record.follow_ground(&self.terrain, planar);
        }
        self.vehicles[index].stand_on_springs(self.terrain.is_level());
    }
}

impl VehicleRecord {
    /// Takes the height and attitude of the ground under the vehicle, whose body is at `planar` [m, rad].
    fn follow_ground(&mut self, terrain: &Terrain, planar: Pose2) {
        // The tilt moves the wheels slightly, and with them the ground under them: MVSim iterates twice.
        for _ in 0..2 {
            let world_from_body = self.attitude.with(planar);
            let mut supports = Supports::under(self, terrain, world_from_body, false);
            if supports.are_beside_map && supports.are_on_map && terrain.rules() == PhysicsRules::Skidpad {
                supports = Supports::under(self, terrain, world_from_body, true);
            }
            let attitude = supports.attitude(self.attitude);
            if attitude == self.attitude {
                break;
            }
            self.attitude = attitude;
        }
        self.down_in_body = self.attitude.down_in_body();
        self.feel_ground(terrain, planar);
    }

    /// Places the body elsewhere, on the highest ground there that is not above half of the chassis, or on an elevation map.
    #[inline(never)]
    pub(in crate::world) fn set_down(&mut self, terrain: &Terrain, spot: Spot) {
        if !terrain.is_level() {
            let z = terrain.ground_for(spot, 0.5 * self.ledge_guard.height);
            self.attitude = Attitude { z, pitch: 0.0, roll: 0.0 };
            self.lean_on_plane(terrain, spot.pose.planar());
            self.down_in_body = self.attitude.down_in_body();
            self.ledge_guard.forget();
        }
    }

    /// Tilts a body that was put on an inclined plane, at `planar` [m, rad], if one of its supports would search for its ground below the
    /// plane. MVSim's rules leave it as it is.
    fn lean_on_plane(&mut self, terrain: &Terrain, planar: Pose2) {
        if !terrain.may_slope() || terrain.rules() != PhysicsRules::Skidpad {
            return;
        }
        let reach = self.vehicle.wheels().first().map_or(0.0, |wheel| self.reach_of(wheel, terrain.rules()));
        let Some(plane) = terrain.inclined_plane(planar.position(), self.attitude.z + reach) else { return };
        let pose = self.attitude.with(planar);
        let misses = self.supports(terrain.rules()).any(|(local, reach)| {
            let p = pose.transform_point(Vec3::new(local.x, local.y, 0.0));
            plane.height_at(Vec2::new(p.x, p.y)).is_some_and(|height| height > p.z + reach)
        });
        if misses {
            self.attitude = Attitude::on_slope(plane.ground, planar.rotation());
        }
    }

    /// Height above its contact from which the ground under a wheel is searched downwards [m].
    pub(in crate::world) fn reach_of(&self, wheel: &Wheel, rules: PhysicsRules) -> f64 {
        self.ledge_guard.wheel_reach(wheel.parameters.radius, rules)
    }

    /// The supports of the vehicle: its wheels, and the hitch or the castor of one with two wheels. Each with its position [m] in the body frame
    /// and the height above it from which its ground is searched downwards [m].
    fn supports(&self, rules: PhysicsRules) -> impl Iterator<Item = (Vec2, f64)> {
        let wheels = self.vehicle.wheels();
        let third = match (wheels, self.hitch, rules) {
            ([_, _], Some(hitch), _) => Some((hitch, HITCH_REACH)),
            ([wheel, _], None, PhysicsRules::Skidpad) => Some((self.ledge_guard.castor, self.reach_of(wheel, rules))),
            _ => None,
        };
        wheels.iter().map(move |wheel| (wheel.parameters.position, self.reach_of(wheel, rules))).chain(third)
    }
}

/// The ground under the supports of a vehicle.
struct Supports {
    fit: PlaneFit,
    count: usize,
    sum_local: Vec2,
    sum: f64,
    lowest: f64,
    highest: f64,
    /// Whether an elevation map is under one of them.
    are_on_map: bool,
    /// Whether one is beside all maps, over ground that is more than a step below it.
    are_beside_map: bool,
    /// Whether one hangs in the air.
    hang: bool,
}

impl Supports {
    /// Those of a vehicle at a pose; with `may_hang`, ground far below that is beside all elevation maps does not support it.
    fn under(record: &VehicleRecord, terrain: &Terrain, world_from_body: Pose3, may_hang: bool) -> Supports {
        let mut supports = Supports {
            fit: PlaneFit::default(),
            count: 0,
            sum_local: Vec2::ZERO,
            sum: 0.0,
            lowest: f64::INFINITY,
            highest: f64::NEG_INFINITY,
            are_on_map: false,
            are_beside_map: false,
            hang: false,
        };
        let rotation = world_from_body.rotation();
        for (local, reach) in record.supports(terrain.rules()) {
            let arm = rotation * Vec3::new(local.x, local.y, 0.0);
            let p = Vec2::new(world_from_body.x + arm.x, world_from_body.y + arm.y);
            let z = world_from_body.z + arm.z;
            let Support { height, is_on_map } = terrain.support_under(p, z + reach, local.norm());
            let is_beside_map = !is_on_map && height < z - record.ledge_guard.climb;
            supports.are_on_map |= is_on_map;
            supports.are_beside_map |= is_beside_map;
            if is_beside_map && may_hang {
                supports.hang = true;
            } else {
                supports.add(local, arm, height);
            }
        }
        supports
    }

    fn add(&mut self, local: Vec2, arm: Vec3, ground: f64) {
        self.fit.add(local, Vec3::new(arm.x, arm.y, ground));
        self.count += 1;
        self.sum_local = self.sum_local + local;
        self.sum += ground;
        self.lowest = self.lowest.min(ground);
        self.highest = self.highest.max(ground);
    }

    /// The attitude of a body on these supports, given its previous attitude.
    fn attitude(&self, before: Attitude) -> Attitude {
        if self.count == 0 {
            return before;
        }
        if self.hang && self.count < 3 {
            // Those that stand carry it as it leans.
            let [along_x, along_y] = before.rise();
            let z = (self.sum - along_x * self.sum_local.x - along_y * self.sum_local.y) / self.count as f64;
            return Attitude { z, ..before };
        }
        if self.highest - self.lowest < EVEN {
            return Attitude { z: 0.5 * (self.lowest + self.highest), pitch: 0.0, roll: 0.0 };
        }
        // Two supports do not determine the tilt.
        let tilt = if self.count > 2 { self.fit.pitch_and_roll() } else { None };
        let Some((pitch, roll)) = tilt else { return before };
        let attitude = Attitude { z: 0.0, pitch, roll };
        let [along_x, along_y] = attitude.rise();
        let z = (self.sum - along_x * self.sum_local.x - along_y * self.sum_local.y) / self.count as f64;
        Attitude { z, ..attitude }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use skidpad_math::Twist2;

    use super::*;
    use crate::vehicle::{Action, Command};
    use crate::world::LoadOptions;
    use crate::world::terrain::BlockTop;

    const ROBOT: &str = r#"<dynamics class="differential_4_wheels">
        <lr_wheel pos="-0.2 0.2" diameter="0.2"/><rr_wheel pos="-0.2 -0.2" diameter="0.2"/>
        <lf_wheel pos="0.2 0.2" diameter="0.2"/><rf_wheel pos="0.2 -0.2" diameter="0.2"/>
        <chassis zmax="0.4"><shape><pt>-0.3 -0.2</pt><pt>-0.3 0.2</pt><pt>0.3 0.2</pt><pt>0.3 -0.2</pt></shape></chassis>
        <controller class="twist_ideal"/></dynamics>"#;

    fn load(rules: PhysicsRules, inner: &str) -> World {
        let options = LoadOptions { physics: Some(rules), ..LoadOptions::default() };
        let text = format!("<mvsim_world>{inner}</mvsim_world>");
        World::load_text("t.xml", Path::new("."), &text, &options).expect("a good world").0
    }

    fn robot(x: f64, y: f64) -> String {
        format!("<vehicle><init_pose>{x} {y} 0</init_pose>{ROBOT}</vehicle>")
    }

    fn drive(world: &mut World, vx: f64) {
        let action = Action::Twist(Twist2::new(vx, 0.0, 0.0));
        world.command(Command { vehicle: 0, action }).expect("takes velocities");
    }

    fn pose(world: &World) -> Pose3 {
        world.frame.vehicles[0].world_from_body
    }

    /// A world with a robot and one block with this top over 3 m × 2 m from (1, −1) on.
    fn with_top(rules: PhysicsRules, top: BlockTop, start: f64) -> World {
        let mut world = load(rules, &robot(start, 0.0));
        let outline = [(0.0, -1.0), (3.0, -1.0), (3.0, 1.0), (0.0, 1.0)];
        let info = BlockInfo {
            outline: outline.map(|(x, y)| Vec2::new(x, y)).to_vec(),
            top,
            is_intangible: true,
            is_static: true,
            world_from_start: Pose3::from_planar(Pose2::new(1.0, 0.0, 0.0)),
            ..BlockInfo::default()
        };
        world.terrain.add_block(&info);
        world.terrain.finish();
        world
    }

    const BOTH: [PhysicsRules; 2] = [PhysicsRules::Skidpad, PhysicsRules::Mvsim];

    #[test]
    fn a_ramp_is_driven_up_and_off_its_end_but_not_into_its_end() {
        let ramp = BlockTop::Ramp { length: 3.0, height: 0.6 };
        for rules in BOTH {
            let mut up = with_top(rules, ramp, 0.0);
            drive(&mut up, 1.0);
            for _ in 0..1200 {
                up.step().expect("finite");
                let pose = pose(&up);
                if pose.x > 1.25 && pose.x < 3.75 {
                    assert!((pose.pitch + 0.2_f64.atan()).abs() < 1e-9, "{pose:?}");
                    assert!((pose.z - 0.2 * (pose.x - 1.0)).abs() < 1e-9, "{pose:?}");
                }
            }
            assert!(pose(&up).x > 5.0 && pose(&up).z == 0.0 && pose(&up).pitch == 0.0, "{rules:?}: {:?}", pose(&up));
            let mut against = with_top(rules, ramp, 6.0);
            drive(&mut against, -1.0);
            for _ in 0..1200 {
                against.step().expect("finite");
            }
            let pose = pose(&against);
            assert!((pose.x - 0.3 - 4.0).abs() < 2e-3 && pose.z == 0.0, "{rules:?}: {pose:?}");
            assert!(against.frame.vehicles[0].colliding);
        }
    }

    #[test]
    fn a_bump_lifts_the_wheels_that_are_on_it() {
        for rules in BOTH {
            let mut world = with_top(rules, BlockTop::Bump { width: 2.0, height: 0.08 }, 2.5);
            world.step().expect("finite");
            let height = 0.08 * (1.0_f64 - 0.04).sqrt();
            assert!((pose(&world).z - height).abs() < 1e-12 && pose(&world).pitch == 0.0, "{:?}", pose(&world));
        }
    }

    #[test]
    fn bodies_on_a_moving_plane_rise_and_tilt_with_it() {
        let plane = r#"<element class="horizontal_plane"><z>0.1</z></element>"#;
        let block = "<block><init_pose>-2 0 0</init_pose></block>";
        let mut world = load(PhysicsRules::Skidpad, &format!("{plane}{}{block}", robot(2.0, 0.0)));
        assert_eq!((pose(&world).z, world.frame.blocks[0].z), (0.1, 0.1));
        for k in 1..=100 {
            world.frame.planes[0].z = 0.02 * f64::from(k);
            world.step().expect("finite");
            let z = 0.1 + 0.02 * f64::from(k);
            assert_eq!((pose(&world).z, world.frame.blocks[0].z), (z, z));
        }
        for k in 1..=13 {
            world.frame.planes[0].pitch = -0.01 * f64::from(k.min(10));
            world.step().expect("finite");
        }
        assert!((pose(&world).pitch + 0.1).abs() < 1e-9, "{:?}", pose(&world));
        assert!(
            (world.vehicles[0].down_in_body.unwrap() - Vec3::new(-0.1_f64.sin(), 0.0, -0.1_f64.cos())).norm() < 1e-9
        );
        world.reset();
        assert_eq!((pose(&world).z, world.frame.blocks[0].z, pose(&world).pitch), (0.1, 0.1, 0.0));
    }

    #[test]
    fn a_hitch_is_the_third_support_of_two_wheels() {
        let trailer = r#"<vehicle><init_pose>0 0 0</init_pose><dynamics class="differential"/></vehicle>"#;
        let plane = r#"<element class="horizontal_plane"><x_min>1</x_min><z>0.3</z></element>"#;
        for rules in BOTH {
            let mut world = load(rules, &format!("{plane}{trailer}"));
            world.step().expect("finite");
            assert_eq!((pose(&world).z, pose(&world).pitch), (0.0, 0.0));
            world.vehicles[0].hitch = Some(Vec2::new(2.0, 0.0));
            world.step().expect("finite");
            world.step().expect("finite");
            let pose = pose(&world);
            // Wheels at 0, the hitch at 0.3: the best fit of a rigid body.
            assert!((pose.pitch + (0.3_f64 / 2.0).atan()).abs() < 5e-3 && pose.roll.abs() < 1e-12, "{pose:?}");
        }
    }

    #[test]
    fn a_block_does_not_stand_on_itself_and_a_fixed_height_is_kept() {
        let ground = r#"<element class="horizontal_plane"/>"#;
        let blocks = "<block><init_pose>0 3 0</init_pose><init_vel>1 0 0</init_vel><zmin>-1</zmin><zmax>0</zmax></block>\
            <block><init_pose3d>0 6 2 0 0 0</init_pose3d><init_vel>1 0 0</init_vel><skip_elevation_adjust/></block>";
        for rules in BOTH {
            let mut world = load(rules, &format!("{ground}{blocks}"));
            for _ in 0..100 {
                world.step().expect("finite");
                assert_eq!((world.frame.blocks[0].z, world.frame.blocks[1].z), (0.0, 2.0));
            }
            assert!(world.frame.blocks.iter().all(|block| block.x > 0.05));
        }
    }
}
