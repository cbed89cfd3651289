//! The criteria as a table: messages and manual follow from it.

use std::fmt;

use skidpad_math::Vec2;

use super::judge::Seen;

/// A kind of criterion.
#[derive(Debug)]
pub struct CriterionKind {
    /// Its key in the section `expect`.
    pub key: &'static str,
    /// Unit of its bounds.
    pub unit: &'static str,
    /// What must hold, in a sentence.
    pub help: &'static str,
    /// The words that it reads.
    pub reads: &'static [&'static str],
    /// Those of them that it needs; of `at_most` and `at_least` one of both is enough.
    pub needs: &'static [&'static str],
    /// How it is judged.
    pub law: Law,
}

/// How a criterion is judged.
#[derive(Clone, Copy)]
pub enum Law {
    /// A quantity stays within the bounds at each moment; none: there is no such number now.
    Limit(fn(&Seen<'_>) -> Option<f64>),
    /// A number that only grows stays within the bounds: what is added in a step.
    Count(fn(&Seen<'_>) -> f64),
    /// The vehicle gets to a point.
    Goal,
    /// The vehicle is in an area all the time, or never.
    Area {
        /// Whether it has to be inside.
        inside: bool,
    },
    /// The vehicle stands.
    Stands,
}

impl fmt::Debug for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Law::Limit(_) => "Limit",
            Law::Count(_) => "Count",
            Law::Goal => "Goal",
            Law::Area { .. } => "Area",
            Law::Stands => "Stands",
        })
    }
}

/// The words of a bounded quantity.
const BOUNDED: &[&str] = &["at_most", "at_least", "from", "until", "vehicle"];
/// The words of what holds over a time.
const AREA: &[&str] = &["area", "from", "until", "vehicle"];

/// Shortens the table below.
const fn limit(
    key: &'static str,
    unit: &'static str,
    help: &'static str,
    get: fn(&Seen<'_>) -> Option<f64>,
) -> CriterionKind {
    CriterionKind { key, unit, help, reads: BOUNDED, needs: &[], law: Law::Limit(get) }
}

/// All kinds of criteria, beside the metrics.
pub const CRITERIA: &[CriterionKind] = &[
    CriterionKind {
        key: "goal",
        unit: "",
        help: "the vehicle gets to the point `at` [m], as near as `within` [m], with the heading `yaw` [rad] within `within_yaw` [rad], no later than `by` [s], and with `stands: true` comes to rest there",
        reads: &["at", "within", "yaw", "within_yaw", "by", "stands", "vehicle"],
        needs: &["at", "within"],
        law: Law::Goal,
    },
    CriterionKind {
        key: "collisions",
        unit: "",
        help: "how often it begins to touch something or somebody other than the ground",
        reads: BOUNDED,
        needs: &[],
        law: Law::Count(|seen| seen.now.map_or(0.0, |now| now.begun.len() as f64)),
    },
    limit("clearance", "m", "distance of its outline from the nearest thing that it can touch, or person", |seen| {
        seen.now.map(|now| now.nearest.distance)
    }),
    limit("person_distance", "m", "distance of its outline from the middle of the nearest person", |seen| {
        seen.now.map(|now| now.person.distance)
    }),
    limit("speed", "m/s", "speed of its reference point", |seen| seen.now.map(|now| now.speed)),
    limit("yaw_rate", "rad/s", "rate of turn, to either side", |seen| seen.now.map(|now| now.yaw_rate.abs())),
    limit("acceleration", "m/s²", "change of velocity over the last 0.1 s; turning counts", |seen| {
        seen.now.and_then(|now| now.acceleration)
    }),
    limit("jerk", "m/s³", "change of that acceleration over the last 0.1 s", |seen| seen.now.and_then(|now| now.jerk)),
    limit(
        "localisation_error",
        "m",
        "distance of the position by its odometry, counted from its start, from the true one",
        |seen| {
            let (info, frame) = seen.vehicle?;
            let by_odometry = info.world_from_start.planar() * frame.odom_from_body;
            Some((by_odometry.position() - frame.world_from_body.planar().position()).norm())
        },
    ),
    limit("tracking_error", "m", "distance from its reference at the ticks of its controller", |seen| {
        let (_, frame) = seen.vehicle?;
        let tracking = frame.tracking.filter(|tracking| tracking.active && tracking.time == seen.frame.time)?;
        let pose = if tracking.in_odometry { frame.odom_from_body } else { frame.world_from_body.planar() };
        let error: Vec2 = pose.position() - tracking.reference.position;
        Some(error.norm())
    }),
    CriterionKind {
        key: "in_area",
        unit: "",
        help: "its reference point is in the box `area` [m] all the time from `from` until `until`",
        reads: AREA,
        needs: &["area"],
        law: Law::Area { inside: true },
    },
    CriterionKind {
        key: "never_in_area",
        unit: "",
        help: "its reference point is never in the box `area` [m] from `from` until `until`",
        reads: AREA,
        needs: &["area"],
        law: Law::Area { inside: false },
    },
    CriterionKind {
        key: "stands",
        unit: "",
        help: "it stands, below 0.01 m/s and 0.02 rad/s, all the time from `from` until `until`",
        reads: &["from", "until", "vehicle"],
        needs: &[],
        law: Law::Stands,
    },
];
