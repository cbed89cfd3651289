//! The content of the diagnostics: levels, messages and values, computed from the run since the previous diagnostics.

use std::collections::BTreeMap;
use std::fmt::Display;

use skidpad_files::counted::counted;
use skidpad_math::time::{Rate, SimTime};
use skidpad_sim::vehicle::CommandCounts;
use skidpad_sim::world::EntityId;

use super::health::{Health, VehicleHealth};

/// Levels with their numbers in `diagnostic_msgs/DiagnosticStatus`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// No problem.
    Ok = 0,
    /// Results may differ from what the user expects.
    Warn = 1,
    /// Something does not work.
    Error = 2,
}

/// One line of the diagnostics.
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    /// Severity.
    pub level: Level,
    /// What the line is about, such as `real-time factor`.
    pub subject: String,
    /// The state in words.
    pub message: String,
    /// The vehicle, or `simulator`.
    pub hardware: String,
    /// Names and values of the underlying numbers.
    pub values: Vec<(String, String)>,
}

/// Fraction of the requested rate [-] below which the simulation is too slow.
const SLOW: f64 = 0.95;
/// Fraction of the requested rate [-] below which that is an error.
const FAR_TOO_SLOW: f64 = 0.5;

/// Computes the diagnostics from the changes since the last ones.
#[derive(Debug, Default)]
pub struct Diagnostician {
    /// The counts of each vehicle's commands at the last diagnostics.
    commands: BTreeMap<EntityId, CommandCounts>,
    /// The dropped instants of each output at the last diagnostics.
    dropped: BTreeMap<String, u64>,
}

impl Diagnostician {
    /// All diagnostics.
    pub fn statuses(&mut self, health: &Health) -> Vec<Status> {
        let mut all = vec![speed(health), self.outputs(health), lidars(health)];
        for vehicle in &health.vehicles {
            let before = self.commands.get(&vehicle.id).copied().unwrap_or_default();
            all.push(commands(health, vehicle, before));
        }
        self.commands = health.vehicles.iter().map(|vehicle| (vehicle.id, vehicle.commands)).collect();
        all
    }

    /// Whether all outputs keep up.
    fn outputs(&mut self, health: &Health) -> Status {
        let (mut failed, mut dropping, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for (name, load) in &health.statistics.sinks {
            let Some(load) = load else {
                failed.push(name.as_str());
                continue;
            };
            let before = self.dropped.insert(name.clone(), load.dropped).unwrap_or(0);
            let new = load.dropped.saturating_sub(before);
            if new > 0 {
                dropping.push(format!("{name} left out {new} instants"));
            }
            values.push(value(&format!("{name} dropped"), load.dropped));
            values.push(value(&format!("{name} waiting"), load.waiting));
        }
        let sink_share = health.statistics.in_sinks.as_secs_f64() / health.statistics.wall.as_secs_f64().max(1e-9);
        values.push(value("time_percent", format!("{:.1}", 100.0 * sink_share)));
        let (level, message) = if !failed.is_empty() {
            (Level::Error, format!("failed: {}; see the log", failed.join(", ")))
        } else if !dropping.is_empty() {
            (Level::Warn, format!("too slow: {}", dropping.join(", ")))
        } else {
            (Level::Ok, "nothing left out".to_owned())
        };
        of_simulator("outputs", level, message, values)
    }
}

fn value(key: &str, value: impl Display) -> (String, String) {
    (key.to_owned(), value.to_string())
}

fn of_simulator(subject: &str, level: Level, message: String, values: Vec<(String, String)>) -> Status {
    Status { level, subject: subject.to_owned(), message, hardware: "simulator".to_owned(), values }
}

/// Whether simulated time runs at the requested rate.
fn speed(health: &Health) -> Status {
    let run = &health.statistics;
    let (factor, own_factor) = (run.real_time_factor(), run.own_real_time_factor());
    let waited = run.waiting.as_secs_f64() / run.wall.as_secs_f64().max(1e-9);
    let (level, message) = match run.rate {
        _ if run.paused => (Level::Ok, "paused".to_owned()),
        Rate::Factor(rate) if own_factor < SLOW * rate => {
            let level = if own_factor < FAR_TOO_SLOW * rate { Level::Error } else { Level::Warn };
            (level, format!("{own_factor:.2} times real time, below the rate {rate}: lower the rate or simulate less"))
        }
        Rate::Factor(_) if run.overruns > 0 => (
            Level::Warn,
            format!("{factor:.2} times real time, but time was lost {}", counted(run.overruns as usize, "time")),
        ),
        _ if waited > 0.05 => {
            (Level::Ok, format!("{factor:.2} times real time, {:.0} % of it waiting for commands", 100.0 * waited))
        }
        _ => (Level::Ok, format!("{factor:.2} times real time")),
    };
    let milliseconds = |time: std::time::Duration| format!("{:.4}", 1e3 * time.as_secs_f64());
    let values = vec![
        value("real_time_factor", format!("{factor:.4}")),
        value("rate", run.rate),
        value("paused", run.paused),
        value("overruns", health.overruns),
        value("step_time_mean_ms", milliseconds(run.step_times.mean())),
        value("step_time_p99_ms", milliseconds(run.step_times.quantile(0.99))),
        value("step_time_max_ms", milliseconds(run.step_times.longest())),
        value("lockstep_wait_percent", format!("{:.1}", 100.0 * waited)),
    ];
    of_simulator("real-time factor", level, message, values)
}

/// The rays that the lidars cast.
fn lidars(health: &Health) -> Status {
    let run = &health.statistics;
    let simulated = run.simulated.secs();
    let per_simulated = if simulated > 0.0 { run.rays as f64 / simulated } else { 0.0 };
    let values = vec![
        value("rays_per_second", format!("{:.0}", run.rays_per_second())),
        value("rays_per_simulated_second", format!("{per_simulated:.0}")),
    ];
    of_simulator("lidars", Level::Ok, format!("{:.0} rays per second", run.rays_per_second()), values)
}

/// The commands of a vehicle: whether it can follow them, and whether commands still arrive.
fn commands(health: &Health, vehicle: &VehicleHealth, before: CommandCounts) -> Status {
    let now = vehicle.commands;
    // After a reset all counts restart at zero.
    let since = |now: u64, before: u64| if now >= before { now - before } else { now };
    let taken = since(now.taken, before.taken);
    let (saturated, infeasible) = (since(now.saturated, before.saturated), since(now.infeasible, before.infeasible));
    // After time has been set back, the wait begins anew.
    let age = now.last.map(|last| (health.time - last).max(SimTime::ZERO).secs());
    let mut complaints = Vec::new();
    if infeasible > 0 {
        let worst = match now.worst_infeasibility {
            ratio if ratio.is_finite() => format!("turns up to {ratio:.2} times tighter than its steering allows"),
            _ => "turning on the spot or moving sideways, which its wheels do not allow".to_owned(),
        };
        complaints.push(format!("{infeasible} of {taken} commands infeasible: {worst}"));
    }
    if saturated > 0 {
        complaints.push(format!(
            "{saturated} of {taken} commands beyond its limits, up to {:.2} times",
            now.worst_saturation
        ));
    }
    match age {
        Some(age) if now.cut_off => {
            complaints.push(format!("stopped while driving, the last command is {age:.1} s old"));
        }
        _ if since(now.timeouts, before.timeouts) > 0 => {
            complaints.push("stopped while driving, since commands came too late".to_owned());
        }
        _ => {}
    }
    let fine = match age {
        _ if vehicle.has_driver && age.is_none() => "driven along a trajectory".to_owned(),
        None => "no command yet".to_owned(),
        Some(age) if now.silent => format!("at rest, as commanded {age:.1} s ago"),
        Some(age) => format!("last command {age:.2} s ago"),
    };
    let level = if complaints.is_empty() { Level::Ok } else { Level::Warn };
    Status {
        level,
        subject: format!("commands of {}", vehicle.name),
        message: if complaints.is_empty() { fine } else { complaints.join("; ") },
        hardware: vehicle.name.clone(),
        values: vec![
            value("taken", now.taken),
            value("age", age.map_or("none".to_owned(), |age| format!("{age:.3}"))),
            value("infeasible", now.infeasible),
            value("worst_infeasible", format!("{:.3}", now.worst_infeasibility)),
            value("saturated", now.saturated),
            value("worst_saturated", format!("{:.3}", now.worst_saturation)),
            value("timeouts", now.timeouts),
            value("stopped_by_timeout", now.cut_off),
        ],
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::sink::{RunStatistics, SinkLoad};

    /// One wall second, in which as much time is simulated as this rate gives.
    fn health(rate: Rate, simulated: f64) -> Health {
        let statistics = RunStatistics {
            rate,
            wall: Duration::from_secs(1),
            simulated: SimTime::from_secs(simulated),
            ..RunStatistics::default()
        };
        Health { time: SimTime::from_secs(20.0), statistics, ..Health::default() }
    }

    fn reported(health: &Health, subject: &str) -> (Level, String) {
        let all = Diagnostician::default().statuses(health);
        let status = all.iter().find(|status| status.subject == subject).unwrap();
        (status.level, status.message.clone())
    }

    #[test]
    fn speed_is_judged_relative_to_the_requested_rate() {
        let level = |rate, simulated| reported(&health(rate, simulated), "real-time factor").0;
        assert_eq!(level(Rate::Factor(1.0), 0.99), Level::Ok);
        assert_eq!(level(Rate::Factor(1.0), 0.8), Level::Warn);
        assert_eq!(level(Rate::Factor(1000.0), 12.0), Level::Error);
        assert_eq!(level(Rate::Max, 0.01), Level::Ok);
        let (_, message) = reported(&health(Rate::Factor(5.0), 4.0), "real-time factor");
        assert_eq!(message, "4.00 times real time, below the rate 5: lower the rate or simulate less");
    }

    #[test]
    fn a_pause_and_slow_commanders_are_not_errors() {
        let mut paused = health(Rate::Factor(1.0), 0.0);
        (paused.statistics.paused, paused.statistics.in_pause) = (true, Duration::from_secs(1));
        assert_eq!(reported(&paused, "real-time factor"), (Level::Ok, "paused".to_owned()));
        let mut waiting = health(Rate::Factor(1.0), 0.25);
        waiting.statistics.waiting = Duration::from_millis(750);
        let expected = "0.25 times real time, 75 % of it waiting for commands".to_owned();
        assert_eq!(reported(&waiting, "real-time factor"), (Level::Ok, expected));
        let mut late = health(Rate::Factor(1.0), 0.97);
        late.statistics.overruns = 1;
        let expected = "0.97 times real time, but time was lost 1 time".to_owned();
        assert_eq!(reported(&late, "real-time factor"), (Level::Warn, expected));
    }

    #[test]
    fn outputs_that_drop_data_are_named_as_long_as_they_do() {
        let mut health = health(Rate::Factor(1.0), 1.0);
        let mut diagnostician = Diagnostician::default();
        let mut outputs = |dropped, fails| {
            let load = SinkLoad { waiting: 3, dropped };
            health.statistics.sinks = vec![("ROS".into(), Some(load)), ("recording".into(), Some(SinkLoad::default()))];
            if fails {
                health.statistics.sinks[1].1 = None;
            }
            let status = diagnostician.statuses(&health).swap_remove(1);
            (status.level, status.message)
        };
        assert_eq!(outputs(0, false), (Level::Ok, "nothing left out".to_owned()));
        assert_eq!(outputs(7, false), (Level::Warn, "too slow: ROS left out 7 instants".to_owned()));
        assert_eq!(outputs(7, false).0, Level::Ok);
        assert_eq!(outputs(7, true), (Level::Error, "failed: recording; see the log".to_owned()));
    }

    #[test]
    fn commands_are_judged_by_the_counts_since_the_last_diagnostics() {
        let mut health = health(Rate::Factor(1.0), 1.0);
        let mut diagnostician = Diagnostician::default();
        let mut judge = |commands| {
            let (id, name) = (EntityId(4), "r1".to_owned());
            health.vehicles = vec![VehicleHealth { id, name, has_driver: false, commands }];
            let status = diagnostician.statuses(&health).pop().unwrap();
            assert_eq!((status.subject.as_str(), status.hardware.as_str()), ("commands of r1", "r1"));
            (status.level, status.message)
        };
        assert_eq!(judge(CommandCounts::default()), (Level::Ok, "no command yet".to_owned()));
        let last = Some(SimTime::from_secs(19.5));
        let counts = CommandCounts { taken: 20, last, ..CommandCounts::default() };
        assert_eq!(judge(counts), (Level::Ok, "last command 0.50 s ago".to_owned()));
        let counts = CommandCounts { taken: 40, infeasible: 12, worst_infeasibility: 3.68, ..counts };
        let expected = "12 of 20 commands infeasible: turns up to 3.68 times tighter than its steering allows";
        assert_eq!(judge(counts), (Level::Warn, expected.to_owned()));
        assert_eq!(judge(counts).0, Level::Ok);
        let counts = CommandCounts { taken: 41, saturated: 1, worst_saturation: 1.5, ..counts };
        assert_eq!(judge(counts), (Level::Warn, "1 of 1 commands beyond its limits, up to 1.50 times".to_owned()));
        let counts = CommandCounts { timeouts: 1, silent: true, cut_off: true, ..counts };
        let expected = "stopped while driving, the last command is 0.5 s old".to_owned();
        assert_eq!(judge(counts), (Level::Warn, expected.clone()));
        assert_eq!(judge(counts), (Level::Warn, expected));
        let counts = CommandCounts { cut_off: false, ..counts };
        assert_eq!(judge(counts), (Level::Ok, "at rest, as commanded 0.5 s ago".to_owned()));
        // Time was set back to 20 s, after a command at 35.6 s.
        let ahead = CommandCounts { last: Some(SimTime::from_secs(35.6)), silent: true, ..CommandCounts::default() };
        assert_eq!(judge(ahead), (Level::Ok, "at rest, as commanded 0.0 s ago".to_owned()));
        // A reset, and one command since.
        let counts = CommandCounts {
            taken: 1,
            infeasible: 1,
            worst_infeasibility: f64::INFINITY,
            last,
            ..CommandCounts::default()
        };
        let expected =
            "1 of 1 commands infeasible: turning on the spot or moving sideways, which its wheels do not allow";
        assert_eq!(judge(counts), (Level::Warn, expected.to_owned()));
    }
}
