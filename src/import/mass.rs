//! Mass, centre of mass and inertia of several links together.

use nalgebra::Matrix3;
use skidpad_math::{Pose3, Vec3};

use super::robot::{Inertial, Robot};

/// Links as one rigid body.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Combined {
    /// [kg]
    pub mass: f64,
    /// Centre of mass [m].
    pub center: Vec3,
    /// Inertia about the centre of mass, in the axes of the frame [kg·m²].
    pub tensor: Matrix3<f64>,
}

/// The links together, in the frame of `frame_from_robot`: Steiner's theorem, J = Σ R J_i Rᵀ + m_i (d²·1 − d dᵀ).
pub(super) fn combined(robot: &Robot<'_>, links: &[usize], frame_from_robot: &Pose3) -> Combined {
    let parts: Vec<(&Inertial, Pose3)> = links
        .iter()
        .filter_map(|link| {
            let link = &robot.links[*link];
            let inertial = link.inertial.as_ref()?;
            Some((inertial, *frame_from_robot * link.robot_from_link * inertial.link_from_center))
        })
        .collect();
    let mass: f64 = parts.iter().map(|(inertial, _)| inertial.mass).sum();
    let moment: Vec3 = parts.iter().map(|(inertial, pose)| inertial.mass * pose.position()).sum();
    let center = if mass > 0.0 { moment / mass } else { Vec3::zeros() };
    let mut tensor = Matrix3::zeros();
    for (inertial, pose) in parts {
        let (rotation, offset) = (pose.rotation(), pose.position() - center);
        tensor += rotation * inertial.tensor * rotation.transpose();
        tensor += inertial.mass * (offset.dot(&offset) * Matrix3::identity() - offset * offset.transpose());
    }
    Combined { mass, center, tensor }
}

impl Combined {
    /// Inertia about an axis of length 1 through a point [kg·m²].
    pub(super) fn about(&self, point: Vec3, axis: Vec3) -> f64 {
        let offset = self.center - point;
        let distance = offset - axis * offset.dot(&axis);
        axis.dot(&(self.tensor * axis)) + self.mass * distance.dot(&distance)
    }
}

#[cfg(test)]
mod tests {
    use skidpad_xml::Place;

    use super::*;
    use crate::robot::Link;

    /// A link of a uniform box with these sides [m].
    fn uniform(mass: f64, size: Vec3, robot_from_link: Pose3) -> Link {
        let moment = |a: f64, b: f64| mass * (a * a + b * b) / 12.0;
        let moments = Vec3::new(moment(size.y, size.z), moment(size.x, size.z), moment(size.x, size.y));
        let tensor = Matrix3::from_diagonal(&moments);
        let inertial = Some(Inertial { mass, link_from_center: Pose3::default(), tensor });
        Link { name: "box".into(), inertial, ..Link::bare(&Place::of_file(""), robot_from_link) }
    }

    #[test]
    fn two_halves_of_a_box_are_the_box_in_any_frame() {
        let half = Vec3::new(1.0, 0.4, 0.2);
        let turned = Pose3 { x: 0.3, yaw: 0.7, pitch: -0.2, roll: 1.1, ..Pose3::default() };
        let at = |x: f64| turned * Pose3 { x, ..Pose3::default() };
        let links = vec![uniform(3.0, half, at(-0.5)), uniform(3.0, half, at(0.5))];
        let robot = Robot {
            name: String::new(),
            place: Place::of_file(""),
            links,
            joints: Vec::new(),
            sensors: Vec::new(),
            plugins: Vec::new(),
            commanded: Vec::new(),
        };
        let actual = combined(&robot, &[0, 1], &turned.inverse());
        let whole = uniform(6.0, Vec3::new(2.0, 0.4, 0.2), Pose3::default());
        assert!((actual.mass - 6.0).abs() < 1e-12 && actual.center.norm() < 1e-12, "{actual:?}");
        let expected = whole.inertial.unwrap().tensor;
        assert!((actual.tensor - expected).norm() < 1e-12, "{actual:?}");
        // About an axis through a corner, by Steiner: m·d² more than about the middle.
        let corner = Vec3::new(1.0, 0.2, 0.1);
        let steiner = expected[(2, 2)] + 6.0 * (1.0 + 0.04);
        assert!((actual.about(corner, Vec3::z()) - steiner).abs() < 1e-12);
    }
}
