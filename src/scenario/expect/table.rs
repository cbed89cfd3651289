//! The criteria as a table: messages and manual follow from it.

use std::fmt;

use skidpad_math::Vec2;

use super::judge::{Judge, Seen};
use super::peers;

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
    Limit(fn(&Seen<'_>, &Judge) -> Option<f64>),
    /// A number that only grows stays within the bounds: what is added in a step.
    Count(fn(&Seen<'_>) -> f64),
    /// The time since the last reading of a sensor stays within the bound at each moment.
    Silence,
    /// The vehicle gets to a point.
    Goal,
    /// The vehicle is in an area all the time, or never.
    Area {
        /// Whether it has to be inside.
        inside: bool,
    },
    /// The vehicle stands.
    Stands,
    /// Goals of navigation end as they should.
    Navigation,
    /// A managed node is in a state.
    Lifecycle,
}

impl fmt::Debug for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Law::Limit(_) => "Limit",
            Law::Count(_) => "Count",
            Law::Silence => "Silence",
            Law::Goal => "Goal",
            Law::Area { .. } => "Area",
            Law::Stands => "Stands",
            Law::Navigation => "Navigation",
            Law::Lifecycle => "Lifecycle",
        })
    }
}

/// The words of a bounded number.
const BOUNDED: &[&str] = &["at_most", "at_least", "from", "until", "vehicle"];
/// The words of a quantity that is bounded at each moment, everywhere or in an area.
const MOMENTS: &[&str] = &["at_most", "at_least", "area", "from", "until", "vehicle"];
/// The words of what holds over a time.
const AREA: &[&str] = &["area", "from", "until", "vehicle"];

/// Shortens the table below.
const fn limit(
    key: &'static str,
    unit: &'static str,
    help: &'static str,
    get: fn(&Seen<'_>, &Judge) -> Option<f64>,
) -> CriterionKind {
    CriterionKind { key, unit, help, reads: MOMENTS, needs: &[], law: Law::Limit(get) }
}

/// All kinds of criteria, beside the metrics.
pub const CRITERIA: &[CriterionKind] = &[
    CriterionKind {
        key: "goal",
        unit: "",
        help: "the vehicle gets within `within` [m] of the point `at` [m], with the heading `yaw` [rad] to within `within_yaw` [rad], no later than `by` [s]; with `stands: true` it also comes to rest there",
        reads: &["at", "within", "yaw", "within_yaw", "by", "stands", "vehicle"],
        needs: &["at", "within"],
        law: Law::Goal,
    },
    CriterionKind {
        key: "collisions",
        unit: "",
        help: "number of times it begins to touch something or somebody other than the ground",
        reads: BOUNDED,
        needs: &[],
        law: Law::Count(|seen| seen.now.map_or(0.0, |now| now.begun.len() as f64)),
    },
    CriterionKind {
        key: "overturns",
        unit: "",
        help: "number of times it tips over and comes to lie on its side or roof",
        reads: BOUNDED,
        needs: &[],
        law: Law::Count(|seen| seen.now.map_or(0.0, |now| f64::from(u8::from(now.has_overturned)))),
    },
    limit("clearance", "m", "distance of its outline from the nearest person or thing that it can touch", |seen, _| {
        seen.now.map(|now| now.nearest.distance)
    }),
    limit("person_distance", "m", "distance of its outline from the centre of the nearest person", |seen, _| {
        seen.now.map(|now| now.person.distance)
    }),
    limit("speed", "m/s", "speed of its reference point", |seen, _| seen.now.map(|now| now.speed)),
    limit("yaw_rate", "rad/s", "rate of turn, to either side", |seen, _| seen.now.map(|now| now.yaw_rate.abs())),
    limit(
        "acceleration",
        "m/s²",
        "change of velocity over the last 0.1 s, divided by 0.1 s; turning counts",
        |seen, _| seen.now.and_then(|now| now.acceleration),
    ),
    limit("jerk", "m/s³", "change of that acceleration over the last 0.1 s, divided by 0.1 s", |seen, _| {
        seen.now.and_then(|now| now.jerk)
    }),
    CriterionKind {
        key: "localisation_error",
        unit: "m",
        help: "distance between its true position and its position by odometry, from its start. With `frame: map`: by its localisation, through the transform from map to odometry. With a `topic` such as amcl_pose: each pose on it is compared with the true position at its stamp",
        reads: &["at_most", "at_least", "from", "until", "vehicle", "frame", "topic"],
        needs: &[],
        law: Law::Limit(peers::localisation_error),
    },
    limit("tracking_error", "m", "distance from its reference, at each tick of its controller", |seen, _| {
        let (_, frame) = seen.vehicle?;
        let tracking = frame.tracking.filter(|tracking| tracking.active && tracking.time == seen.frame.time)?;
        let pose = if tracking.in_odometry { frame.odom_from_body } else { frame.world_from_body.planar() };
        let error: Vec2 = pose.position() - tracking.reference.position;
        Some(error.norm())
    }),
    CriterionKind {
        key: "silence",
        unit: "s",
        help: "time since the last reading of the vehicle's `sensor`, whether or not anything subscribes to it",
        reads: &["sensor", "at_most", "from", "until", "vehicle"],
        needs: &["sensor", "at_most"],
        law: Law::Silence,
    },
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
        help: "it stands still, below 0.01 m/s and 0.02 rad/s, all the time from `from` until `until`",
        reads: &["from", "until", "vehicle"],
        needs: &[],
        law: Law::Stands,
    },
    CriterionKind {
        key: "navigation",
        unit: "",
        help: "its goals, or those of the event `of`, end with the `status` succeeded (the default), aborted, canceled or rejected, and with `error_code` if given, no later than `by` [s]. With `within` [m], its true position is then this near to the goal",
        reads: &["of", "status", "error_code", "by", "within", "vehicle"],
        needs: &[],
        law: Law::Navigation,
    },
    CriterionKind {
        key: "recoveries",
        unit: "",
        help: "number of recoveries that NavigateToPose reports, over all its goals",
        reads: &["at_most", "from", "until", "vehicle"],
        needs: &["at_most"],
        law: Law::Limit(peers::recoveries),
    },
    CriterionKind {
        key: "lifecycle",
        unit: "",
        help: "the managed node `node` is in the `state` (active by default), no later than `by` [s] or already at `from` [s], and then until `until` [s]",
        reads: &["node", "state", "by", "from", "until", "vehicle"],
        needs: &["node"],
        law: Law::Lifecycle,
    },
    CriterionKind {
        key: "topic_rate",
        unit: "Hz",
        help: "messages of `topic` per second of simulated time, counted at each moment over the last `window` [s], 1 by default",
        reads: &["at_most", "at_least", "from", "until", "vehicle", "topic", "window"],
        needs: &["topic"],
        law: Law::Limit(peers::topic_rate),
    },
    CriterionKind {
        key: "topic_delay",
        unit: "s",
        help: "simulated time from the stamp of each message of `topic` to its arrival",
        reads: &["at_most", "at_least", "from", "until", "vehicle", "topic"],
        needs: &["topic"],
        law: Law::Limit(peers::topic_delay),
    },
];
