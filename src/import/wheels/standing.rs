//! Whether a robot stands on its wheels, rather than on legs that reach below them.

use super::RobotWheel;
use crate::robot::{JointKind, Robot};

/// Least number of legs: one or two links that reach below the wheels may be an arm or a faulty shape. Least depth of theirs, in parts of the
/// largest radius [-].
const MIN_LEGS: usize = 3;
const BELOW: f64 = 0.1;

/// Links that reach below all wheels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Legs {
    pub count: usize,
    /// The one that reaches lowest, and how far below the wheels it does [m].
    pub lowest: usize,
    pub depth: f64,
}

/// The legs of a robot, which move and reach below these wheels; the lowest wheel is at the height of the `ground` [m].
pub(super) fn legs(robot: &Robot<'_>, wheels: &[RobotWheel], ground: f64) -> Option<Legs> {
    let radius = wheels.iter().map(|wheel| wheel.radius).reduce(f64::max)?;
    let is_wheel = |link: &usize| wheels.iter().any(|wheel| wheel.links.contains(link));
    let is_moved =
        |link: usize| robot.joints_above(link).iter().any(|joint| robot.joints[*joint].kind != JointKind::Fixed);
    let depth = |link: usize| {
        let link = &robot.links[link];
        let heights = link.collisions.iter().flat_map(|shape| shape.points(&link.robot_from_link)).map(|point| point.z);
        heights.reduce(f64::min).map(|bottom| ground - bottom)
    };
    let below: Vec<(usize, f64)> = (0..robot.links.len())
        .filter(|link| !is_wheel(link) && is_moved(*link))
        .filter_map(|link| Some((link, depth(link)?)))
        .filter(|(_, depth)| *depth > BELOW * radius)
        .collect();
    let (lowest, depth) = below.iter().copied().max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    (below.len() >= MIN_LEGS).then_some(Legs { count: below.len(), lowest, depth })
}
