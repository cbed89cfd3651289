//! `~/statistics`: the health of the run as numbers for plots.

use skidpad_math::time::Rate;
use skidpad_ros_data::message::Statistics;

use super::health::Health;

/// Writes everything but the stamp.
pub fn write(health: &Health, message: &mut Statistics) {
    let run = &health.statistics;
    message.window = run.wall.as_secs_f64();
    message.rate = match run.rate {
        Rate::Factor(factor) => factor,
        Rate::Max => 0.0,
    };
    message.paused = run.paused;
    message.real_time_factor = run.real_time_factor();
    message.steps = run.step_times.count();
    message.step_time_mean = run.step_times.mean().as_secs_f64();
    message.step_time_p99 = run.step_times.quantile(0.99).as_secs_f64();
    message.step_time_max = run.step_times.longest().as_secs_f64();
    message.sink_time = run.in_sinks.as_secs_f64();
    message.lockstep_wait = run.waiting.as_secs_f64();
    message.rays_per_second = run.rays_per_second();
    message.commands_per_second = run.commands_per_second();
    let commands = || health.vehicles.iter().map(|vehicle| &vehicle.commands);
    message.commands = commands().map(|counts| counts.taken).sum();
    message.saturated_commands = commands().map(|counts| counts.saturated).sum();
    message.infeasible_commands = commands().map(|counts| counts.infeasible).sum();
    message.overruns = health.overruns;
    let outputs = || run.sinks.iter().filter_map(|(name, load)| Some((name, (*load)?)));
    message.dropped = outputs().map(|(_, load)| load.dropped).sum();
    message.outputs = outputs().map(|(name, _)| name.clone()).collect();
    message.waiting = outputs().map(|(_, load)| load.waiting).collect();
    message.dropped_by_output = outputs().map(|(_, load)| load.dropped).collect();
}
