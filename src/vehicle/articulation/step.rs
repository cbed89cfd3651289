//! Both frames of an articulated vehicle at the beginning of a step, in one coordinate frame.
//!
//! Everything is computed in the frame of the rear body: a motion or a wrench of the front body is that of a body whose
//! reference point is the vehicle's.

use skidpad_math::{Rot2, Twist2, Vec2};

use super::{Articulation, REAR_WHEELS};
use crate::ground_forces::MovingFrame;
use crate::{ForceFrame, Inertia, Situation, Wrench};

/// A bent vehicle: how the frame of the front body lies in that of the rear body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bend {
    hinge: Vec2,
    rear_from_front: Rot2,
}

impl Bend {
    /// A motion of the front body, of its own reference point in its own frame, as one of the rear's in the rear's frame.
    fn velocity_in_rear(&self, velocity_in_front: Twist2) -> Twist2 {
        let reference_in_front = self.hinge - self.rear_from_front.inverse() * self.hinge;
        let linear = self.rear_from_front * velocity_in_front.at_point(reference_in_front);
        Twist2::new(linear.x, linear.y, velocity_in_front.wz)
    }

    /// A wrench about the rear's reference point in the rear's frame as one about the front's in the front's frame.
    pub(crate) fn wrench_in_front(&self, in_rear: Wrench) -> Wrench {
        let reference_in_rear = self.hinge - self.rear_from_front * self.hinge;
        Wrench {
            force_in_body: self.rear_from_front.inverse() * in_rear.force_in_body,
            torque: in_rear.torque - reference_in_rear.cross(in_rear.force_in_body),
        }
    }

    /// Mass properties of the front body, in the rear's frame.
    fn inertia_in_rear(&self, inertia: Inertia) -> Inertia {
        let center_of_mass = self.hinge + self.rear_from_front * (inertia.center_of_mass - self.hinge);
        Inertia { center_of_mass, ..inertia }
    }
}

impl Articulation {
    /// The rear frame, which has this `inertia`, and the front frame at the beginning of a step on so many `wheels`, and
    /// how they lie. The servo of the hinge already acts on them.
    pub(crate) fn frames(
        &self,
        (inertia, wheels): (Inertia, usize),
        force_frame: ForceFrame,
        situation: &Situation<'_>,
    ) -> ([MovingFrame; 2], Bend) {
        let (velocity_in_body, front) = (situation.velocity_in_body, situation.front_motion());
        let bend = Bend { hinge: self.hinge.position, rear_from_front: Rot2::new(front.angle) };
        let turned_by = |torque: f64| Wrench { torque, ..Wrench::default() };
        let rear = MovingFrame {
            wheels: 0..REAR_WHEELS,
            inertia,
            velocity_in_body,
            inertial_acceleration_in_body: force_frame.inertial_acceleration(velocity_in_body, inertia.center_of_mass),
            wrench: turned_by(0.0 - self.torque),
            is_hinged: true,
        };
        let inertia = bend.inertia_in_rear(self.inertia);
        let velocity_in_body = bend.velocity_in_rear(front.velocity_in_front);
        let front = MovingFrame {
            wheels: REAR_WHEELS..wheels,
            inertia,
            velocity_in_body,
            inertial_acceleration_in_body: force_frame.inertial_acceleration(velocity_in_body, inertia.center_of_mass),
            wrench: turned_by(0.0 + self.torque),
            is_hinged: true,
        };
        ([rear, front], bend)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEND: f64 = 0.7;

    fn bend() -> Bend {
        Bend { hinge: Vec2::new(0.9, 0.1), rear_from_front: Rot2::new(BEND) }
    }

    /// Power is the same in either frame: F·v + T·ω.
    #[test]
    fn motions_and_wrenches_of_the_front_frame_keep_their_power() {
        let velocity_in_front = Twist2::new(1.2, -0.4, 0.8);
        let mut in_rear = Wrench { torque: 0.3, ..Wrench::default() };
        in_rear.add(Vec2::new(3.0, -5.0), Vec2::new(2.0, 1.5));
        let power = |wrench: &Wrench, v: Twist2| wrench.force_in_body.dot(v.linear()) + wrench.torque * v.wz;
        let in_front = bend().wrench_in_front(in_rear);
        let difference =
            power(&in_front, velocity_in_front) - power(&in_rear, bend().velocity_in_rear(velocity_in_front));
        assert!(difference.abs() < 1e-12, "{difference}");
        // The hinge is the same point of both.
        let at_hinge = bend().velocity_in_rear(velocity_in_front).at_point(bend().hinge);
        let expected = bend().rear_from_front * velocity_in_front.at_point(bend().hinge);
        assert!((at_hinge - expected).norm() < 1e-12);
    }
}
