//! The front frames of articulated vehicles: bodies of their own, pinned to the vehicle's body, which is the rear frame.

use skidpad_math::{Pose2, Twist2, wrap_angle};

use crate::raycast::Obstacles;
use crate::vehicle::articulation::{FrontMotion, Hinge};
use crate::vehicle::drive::REAR_WHEELS;
use crate::world::drawing;
use crate::world::load::vehicle::{Loaded, add_shapes};
use crate::world::physics::{BodyIndex, JointEnd, JointLaw, JointNumber, Physics};
use crate::world::vehicles::VehicleRecord;
use crate::world::{VehicleFrame, World};

/// The front frame of a vehicle in the world.
pub(in crate::world) struct FrontBody {
    /// Rigid body of the front frame.
    pub body: BodyIndex,
    /// The body's arrival number in the physics, which stays when its index shifts.
    pub arrival: u64,
    /// The pin between the frames.
    pub joint: Option<JointNumber>,
    /// Indices of its shapes for lidars.
    pub shapes: Vec<usize>,
}

impl FrontBody {
    /// Adds the front frame of a vehicle, if it has one, to the physics and to the shapes for lidars; the rear frame is `rear`.
    pub(in crate::world) fn place(
        loaded: &Loaded,
        rear: BodyIndex,
        owner: usize,
        physics: &mut Physics,
        obstacles: &mut Obstacles,
    ) -> Option<FrontBody> {
        let (chassis, articulation) = (loaded.front_chassis.as_ref()?, loaded.vehicle.articulation()?);
        let wheels = &loaded.vehicle.wheels()[REAR_WHEELS..];
        let damping = [chassis.linear_damping, chassis.angular_damping];
        let pose = loaded.info.world_from_start.planar();
        let body = physics.add_body(&loaded.pieces(chassis, wheels), articulation.inertia, pose, damping);
        physics.place(body, pose, loaded.start_velocity_in_body);
        let end = |body| JointEnd { body: Some(body), anchor: articulation.hinge.position };
        let limits = loaded.info.max_steer.map(|most| [-most, most]);
        let joint = physics.add_joint([end(rear), end(body)], JointLaw::Pin { limits });
        let info = &loaded.info;
        let is_clear = info.front.as_ref().is_some_and(|front| drawing::is_clear(&front.visuals, front.color));
        let of_wheels = wheels.iter().zip(&info.wheels[REAR_WHEELS..]);
        let shapes = add_shapes(owner, chassis, is_clear, of_wheels, obstacles);
        Some(FrontBody { body, arrival: physics.arrival_of(body), joint, shapes })
    }

    /// Its yaw less that of the rear frame [rad].
    fn bend(&self, rear: BodyIndex, physics: &Physics) -> f64 {
        let yaw = |body| physics.world_from_body(body).yaw;
        wrap_angle(yaw(self.body) - yaw(rear))
    }

    /// Its motion in front of the rear frame.
    // Not inlined into the step of all vehicles.
    #[inline(never)]
    pub(in crate::world) fn motion(&self, rear: BodyIndex, physics: &Physics) -> FrontMotion {
        FrontMotion { angle: self.bend(rear, physics), velocity_in_front: physics.velocity_on_wheels(self.body) }
    }
}

impl VehicleRecord {
    /// The rigid bodies of the vehicle: of its frame and, if it is articulated, of the front frame.
    pub(in crate::world) fn bodies(&self) -> impl Iterator<Item = BodyIndex> {
        std::iter::once(self.body).chain(self.front.as_ref().map(|front| front.body))
    }

    /// Indices of all its shapes for lidars.
    pub(in crate::world) fn all_shapes(&self) -> impl Iterator<Item = usize> {
        let front = self.front.iter().flat_map(|front| &front.shapes);
        self.shapes.iter().chain(front).copied()
    }

    /// How far it is bent [rad]; 0 for a vehicle of one frame.
    pub(in crate::world) fn bend(&self, physics: &Physics) -> f64 {
        self.front.as_ref().map_or(0.0, |front| front.bend(self.body, physics))
    }

    /// Places the front frame, if there is one, in front of the rear frame, bent by `angle` [rad]; both move as one rigid body.
    pub(in crate::world) fn place_front(&mut self, angle: f64, physics: &mut Physics) {
        let (Some(front), Some(Hinge { position, .. })) = (&self.front, self.hinge()) else { return };
        let rear_from_front = Pose2::about(position, angle);
        let velocity = physics.velocity_in_body(self.body);
        let linear = rear_from_front.rotation().inverse() * velocity.at_point(rear_from_front.position());
        let pose = physics.world_from_body(self.body) * rear_from_front;
        physics.place(front.body, pose, Twist2::new(linear.x, linear.y, velocity.wz));
    }

    fn hinge(&self) -> Option<Hinge> {
        self.vehicle.articulation().map(|articulation| articulation.hinge)
    }

    /// Writes what the front frame has done in the last step into the frame.
    fn report_front(&self, physics: &Physics, frame: &mut VehicleFrame) {
        let Some(front) = &self.front else { return };
        let angle = front.bend(self.body, physics);
        frame.wheels[REAR_WHEELS..].iter_mut().for_each(|wheel| wheel.steer = angle);
        frame.colliding |= physics.state(front.body).is_colliding;
        frame.hinge_torque = self.vehicle.articulation().map_or(0.0, |articulation| articulation.torque());
    }
}

impl World {
    /// Completes the frames of articulated vehicles.
    pub(in crate::world) fn report_fronts(&mut self) {
        for (record, frame) in self.vehicles.iter().zip(&mut self.frame.vehicles) {
            record.report_front(&self.physics, frame);
        }
    }
}
