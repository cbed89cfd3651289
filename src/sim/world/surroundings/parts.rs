//! Parts of bodies that move, and where a frame has them.

use skidpad_math::{Pose3, Vec2, Vec3, wrap_angle};

use crate::vehicle::WheelFrame;
use crate::world::Frame;
use crate::world::drawing::{Drawing, actor_from_rolling, body_from_wheel, turned_about};

/// What a part moves with; indices as in the [`Scene`](crate::world::Scene).
#[derive(Clone, Copy, Debug)]
pub(super) enum Attachment {
    Vehicle(usize),
    /// The body of a vehicle, turned with the steering of a wheel about its pivot [m], if it has one, and by this angle [rad].
    Steered {
        vehicle: usize,
        wheel: usize,
        pivot: Option<Vec2>,
        yaw: f64,
    },
    /// A wheel at this position, with its pivot, of this radius [m].
    Wheel {
        vehicle: usize,
        wheel: usize,
        position: Vec2,
        pivot: Option<Vec2>,
        radius: f64,
    },
    Block(usize),
    Plane(usize),
    Actor(usize),
    /// A wheel of an actor with its middle here [m], of this radius [m].
    ActorWheel {
        actor: usize,
        at: Vec3,
        radius: f64,
    },
}

/// An instance that moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Its index in the space.
    pub instance: usize,
    pub attachment: Attachment,
    pub body_from_part: Pose3,
}

impl Attachment {
    /// What a drawing of an actor moves with.
    pub(super) fn of_actor(actor: usize, drawing: &Drawing) -> Attachment {
        match drawing.wheel_radius {
            Some(radius) => Attachment::ActorWheel { actor, at: drawing.pose.position(), radius },
            None => Attachment::Actor(actor),
        }
    }

    /// Pose in the frame of [`world_from_body`](Self::world_from_body) of a part that is drawn at this pose on its body [m, rad].
    pub(super) fn body_from_part(&self, drawn: Pose3) -> Pose3 {
        match self {
            Attachment::ActorWheel { .. } => Pose3 { x: 0.0, y: 0.0, z: 0.0, ..drawn },
            _ => drawn,
        }
    }

    /// The vehicle that it is a part of.
    pub(super) fn vehicle(&self) -> Option<usize> {
        match *self {
            Attachment::Vehicle(vehicle) | Attachment::Steered { vehicle, .. } | Attachment::Wheel { vehicle, .. } => {
                Some(vehicle)
            }
            Attachment::Block(_) | Attachment::Plane(_) | Attachment::Actor(_) | Attachment::ActorWheel { .. } => None,
        }
    }

    /// Pose in the world [m, rad] of the body of this part; a pose of what does not exist is that of the world.
    pub(super) fn world_from_body(&self, frame: &Frame) -> Pose3 {
        let vehicle = |index: usize| frame.vehicles.get(index);
        let wheel_of = |index, wheel: usize| vehicle(index).and_then(|vehicle| vehicle.wheels.get(wheel).copied());
        let pose_of = |index| vehicle(index).map(|vehicle| vehicle.world_from_body);
        let still = WheelFrame::default();
        match *self {
            Attachment::Vehicle(index) => pose_of(index),
            Attachment::Steered { vehicle, wheel, pivot, yaw } => {
                let steer = wheel_of(vehicle, wheel).unwrap_or(still).steer;
                pose_of(vehicle).map(|pose| pose * turned_about(pivot.unwrap_or(Vec2::ZERO), steer + yaw))
            }
            Attachment::Wheel { vehicle, wheel, position, pivot, radius } => {
                let state = wheel_of(vehicle, wheel).unwrap_or(still);
                let spin = Pose3 { pitch: wrap_angle(state.spin_angle), ..Pose3::default() };
                pose_of(vehicle)
                    .map(|pose| pose * body_from_wheel(position, pivot, radius + state.travel, state.steer) * spin)
            }
            Attachment::Block(index) => frame.blocks.get(index).copied(),
            Attachment::Plane(index) => frame.planes.get(index).copied(),
            Attachment::Actor(index) => frame.actors.get(index).map(|actor| actor.world_from_actor),
            Attachment::ActorWheel { actor, at, radius } => frame
                .actors
                .get(actor)
                .map(|actor| actor.world_from_actor * actor_from_rolling(at, radius, actor.distance)),
        }
        .unwrap_or_default()
    }
}
