//! The numbers of a run as a table: names for scripts, names and units for people, in one order everywhere.

use skidpad_metrics::Field;

use super::totals::Totals;

/// A number of a vehicle over a run.
pub type Metric = Field<Totals>;

/// Shortens the table below.
const fn metric(
    key: &'static str,
    label: &'static str,
    unit: &'static str,
    help: &'static str,
    get: fn(&Totals) -> Option<f64>,
) -> Metric {
    Field { key, label, unit, help, get }
}

/// The numbers of each vehicle that is watched, the most important first. All are of the truth, and of each step.
pub const METRICS: &[Metric] = &[
    metric("success", "success", "", "1: it reached all of its goals, 0: it did not", |t| {
        t.legs.succeeded().map(|reached| if reached { 1.0 } else { 0.0 })
    }),
    metric(
        "time_to_goal_s",
        "time to goal",
        "s",
        "time from getting the first goal until reaching the last one",
        |t| t.legs.time(),
    ),
    metric("final_goal_distance_m", "final goal distance", "m", "distance from the last goal at the end", |t| {
        t.legs.final_distance()
    }),
    metric("least_goal_distance_m", "least goal distance", "m", "least distance from the last goal", |t| {
        t.legs.least_distance()
    }),
    metric(
        "spl",
        "SPL",
        "",
        "success weighted by path length, mean over its goals of success · l / max(p, l), with p the length driven and l the shortest, a straight line unless it is given (Anderson 2018)",
        |t| t.legs.spl(),
    ),
    metric(
        "path_efficiency",
        "path efficiency",
        "",
        "shortest length to the goals that were reached, divided by the length driven, at most 1",
        |t| t.legs.efficiency(),
    ),
    metric(
        "least_clearance_m",
        "least clearance",
        "m",
        "least distance of its outline from anything it can touch, and from people; 0: they touched",
        |t| t.clearance.distance.is_finite().then_some(t.clearance.distance),
    ),
    metric("least_clearance_time_s", "… at", "s", "when the clearance was least", |t| {
        t.clearance.distance.is_finite().then_some(t.clearance_time)
    }),
    metric(
        "collisions",
        "collisions",
        "",
        "number of times it began to touch something or somebody other than the ground; a new one counts once they were more than 1 cm apart",
        |t| Some(t.collisions as f64),
    ),
    metric("first_collision_s", "first collision", "s", "when it first began to touch something", |t| {
        t.first_collision
    }),
    metric("overturns", "tipped over", "", "number of times it tipped over and came to lie on its side or roof", |t| {
        Some(t.overturns as f64)
    }),
    metric("duration_s", "duration", "s", "time for which it was observed", |t| Some(t.duration)),
    metric("path_length_m", "way", "m", "length of its path; jumps do not count", |t| Some(t.path_length)),
    metric("time_not_moving_s", "time not moving", "s", "time spent below 0.01 m/s and 0.02 rad/s", |t| Some(t.still)),
    metric("mean_speed_mps", "mean speed", "m/s", "path length divided by time", |t| {
        (t.duration > 0.0).then(|| t.path_length / t.duration)
    }),
    metric("max_speed_mps", "greatest speed", "m/s", "greatest speed of the reference point", |t| Some(t.speed)),
    metric(
        "max_acceleration_mps2",
        "greatest acceleration",
        "m/s²",
        "greatest change of velocity over 0.1 s, divided by 0.1 s; turning counts",
        |t| t.acceleration,
    ),
    metric(
        "max_jerk_mps3",
        "greatest jerk",
        "m/s³",
        "greatest change of that acceleration from one 0.1 s to the next, divided by 0.1 s",
        |t| t.jerk,
    ),
    metric("rms_jerk_mps3", "RMS jerk", "m/s³", "root mean square of the jerk over time", |t| t.rms_jerk()),
    metric("heading_change_rad", "heading change", "rad", "sum of all changes of heading, to either side", |t| {
        Some(t.turned)
    }),
    metric("max_yaw_rate_radps", "greatest yaw rate", "rad/s", "greatest rate of turn, to either side", |t| {
        Some(t.yaw_rate)
    }),
    metric(
        "least_person_distance_m",
        "least distance to people",
        "m",
        "least distance from its outline to the centre of the nearest person",
        |t| t.people.least(),
    ),
    metric(
        "mean_person_distance_m",
        "mean distance to people",
        "m",
        "mean over time of the distance to the nearest person",
        |t| t.people.mean(),
    ),
    metric(
        "intimate_space_percent",
        "in intimate space",
        "%",
        "share of the time with the nearest person within 0.45 m",
        |t| t.people.percent(0),
    ),
    metric(
        "personal_space_percent",
        "in personal space",
        "%",
        "share of the time with the nearest person at 0.45 to 1.2 m",
        |t| t.people.percent(1),
    ),
    metric(
        "social_space_percent",
        "in social space",
        "%",
        "share of the time with the nearest person at 1.2 to 3.6 m",
        |t| t.people.percent(2),
    ),
    metric("close_to_people_s", "close to people", "s", "time with the nearest person within 1.2 m", |t| {
        t.people.close()
    }),
    metric("close_to_people_speed_mps", "mean speed then", "m/s", "mean speed during that time", |t| {
        t.people.close_speed()
    }),
];

/// The metric of a key.
pub fn metric_of(key: &str) -> Option<&'static Metric> {
    METRICS.iter().find(|metric| metric.key == key)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use skidpad_metrics::FIELDS;

    use super::*;

    #[test]
    fn each_metric_has_a_unique_name_that_ends_in_its_unit() {
        let keys: BTreeSet<_> = METRICS.iter().map(|metric| metric.key).collect();
        assert_eq!(keys.len(), METRICS.len());
        for metric in METRICS.iter().filter(|metric| !metric.unit.is_empty()) {
            let unit = metric.unit.replace('²', "2").replace('³', "3").replace('/', "p").replace('%', "percent");
            assert!(metric.key.ends_with(&format!("_{unit}")), "{} in {}", metric.key, metric.unit);
        }
    }

    /// What an analysis calls by the same key has the same name and unit there.
    #[test]
    fn numbers_that_an_analysis_has_too_are_called_alike() {
        let pairs: Vec<_> = METRICS
            .iter()
            .filter_map(|metric| Some((metric, FIELDS.iter().find(|field| field.key == metric.key)?)))
            .collect();
        assert_eq!(pairs.len(), 4, "{pairs:?}");
        for (metric, field) in pairs {
            assert_eq!(metric.title(), field.title());
        }
    }
}
