//! The parameters of the simulator's node: their declarations, and the requests to the simulation that follow from their values.

mod gains;
mod listing;
pub mod lockstep;
pub mod presets;
pub mod vehicles;

use std::sync::Arc;

use r2r::ParameterValue;
use skidpad_math::time::{Rate, SimTime};
use skidpad_ros_data::interface::names::TfMode;
use skidpad_ros_data::preset::{PRESET_NAMES, Pace, Preset, SKIDPAD, preset};
use skidpad_run::runner::{MIN_COMMAND_TIMEOUT, Outbox, Request};
use skidpad_sim::sensor::NoReturn;
use skidpad_sim::world::OdometryOnTeleport;

use crate::control::{self, NAMESPACE};
use crate::error::RosError;
use crate::parameters::table::{Declaration, Kind, Parameters, gapped, number, switch};
use crate::publish::snapshot::PublishSettings;
pub use listing::parameter_table;
pub use presets::variables;

/// How long the clock continues for other nodes after a SIGINT.
pub(crate) const SHUTDOWN_GRACE: &str = "shutdown_grace";
/// The parameter of the node and of each vehicle that selects the topics of transforms.
pub(crate) const TF_MODE: &str = "tf_mode";
/// The parameter that selects the clock of stamps.
pub(crate) const STAMPS: &str = "stamps";
/// The parameter that has time begin once the vehicles are commanded.
pub(crate) const START_WHEN_COMMANDED: &str = "start_when_commanded";
/// The parameter for beams without a return.
const NO_RETURN: &str = "no_return";
/// The shortest command timeout [simulated s].
pub(crate) const MIN_CMD_TIMEOUT: f64 = 1e-9 * MIN_COMMAND_TIMEOUT.0 as f64;

/// Every parameter of the node.
pub const DECLARATIONS: &[Declaration] = &[
    gapped(
        "rate",
        1.0,
        [0.0, Rate::MAX_FACTOR],
        [0.0, Rate::MIN_FACTOR],
        "simulated seconds per wall second; 0: as fast as the processor allows",
    ),
    switch("paused", false, "start paused: ~/pause, set_simulation_state or the viewer's page let time go on").at_start(),
    switch(
        START_WHEN_COMMANDED,
        false,
        "start paused, until each vehicle that lockstep waits for has a node that publishes commands and answers calls, but no longer than lockstep_timeout",
    )
    .at_start(),
    number("range_noise", -1.0, [-1.0, 100.0], "standard deviation of the lidars' noise [m]; below 0: as in the world"),
    Declaration::new(
        NO_RETURN,
        Kind::Word { default: "world", of: &["world", "inf", "max", "below_max", "nan", "zero"] },
        "what beams of planar lidars read that meet nothing: as in the world, inf, range_max, 0.1 m less, which costmaps clear up to, NaN, or 0",
    ),
    gapped(
        "cmd_timeout",
        1.0,
        [0.0, 1e6],
        [0.0, MIN_CMD_TIMEOUT],
        "a vehicle whose last command is older than this [simulated s] stops; 0: commands hold for ever",
    ),
    number("odom_rate", 50.0, [0.1, 1000.0], "odometry, ground truth, joint and wheel states per simulated second"),
    number(
        "clock_rate",
        100.0,
        [1.0, 1000.0],
        "messages on /clock per simulated second; further ones go before data stamped in between",
    ),
    number("statistics_rate", 5.0, [1.0, 10.0], "messages on ~/statistics per wall second"),
    switch("publish_clock", true, "publish /clock; false when something else does, such as a bag that is played"),
    Declaration::new(
        STAMPS,
        Kind::Word { default: "sim", of: &["sim", "wall"] },
        "time of the stamps: sim, with /clock for nodes with use_sim_time; wall, the system's time, for nodes without it, and no /clock",
    )
    .at_start(),
    number(
        SHUTDOWN_GRACE,
        0.0,
        [0.0, 60.0],
        "after a SIGINT the simulation goes on for up to this long [wall s] while other nodes listen to /clock, since those that sleep in \
         simulated time cannot end without it; a SIGTERM ends it at once",
    )
    .at_start(),
    lockstep::DECLARATIONS[0],
    lockstep::DECLARATIONS[1],
    lockstep::DECLARATIONS[2],
    lockstep::DECLARATIONS[3],
    lockstep::DECLARATIONS[4],
    switch("publish_tf", true, "publish the transform from odom to base_footprint"),
    switch(
        "publish_map_to_odom",
        false,
        "publish the true transform from map to odom; leave off where AMCL or SLAM provides it",
    ),
    switch(
        "publish_map",
        true,
        "publish the occupancy maps of the world on map and map_metadata; false where a map_server or SLAM does; recordings hold them either way",
    )
    .at_start(),
    switch("publish_markers", true, "publish markers for RViz and Foxglove: vehicles with their wheels, forces and paths, and the world")
        .at_start(),
    number("marker_rate", 10.0, [0.1, 100.0], "markers of what moves, per simulated second"),
    number(
        "marker_force_scale",
        0.0,
        [0.0, 1e3],
        "length of drawn forces [m/N]; 0: the vehicle's weight is drawn as long as the vehicle",
    ),
    switch("publish_bodies", true, "publish the true poses, boxes and velocities of all vehicles, blocks and actors on bodies, and as detections")
        .at_start(),
    number("body_rate", 10.0, [0.1, 1000.0], "messages on bodies and body_detections, per simulated second"),
    switch("publish_log_topics", false, "publish each column of the CSV logs as a topic log/…").at_start(),
    number("log_rate", 50.0, [0.1, 1000.0], "messages on the topics log/… per simulated second"),
    number(
        "transform_tolerance",
        0.0,
        [0.0, 10.0],
        "how far ahead [s] the transform from map to odom is stamped, so that it is available for the next data",
    ),
    Declaration::new(
        "odom_on_teleport",
        Kind::Word { default: "continuous", of: &["continuous", "reset"] },
        "what a teleport does to odometry: nothing, as wheels do not turn while a robot is carried; reset: it starts anew at its origin",
    ),
    switch(
        "publish_static_tf",
        true,
        "publish the transforms that never change on tf_static; false where a robot_state_publisher does",
    ),
    switch(
        "publish_robot_description",
        true,
        "publish each vehicle's URDF on robot_description; false where a robot_state_publisher does",
    )
    .at_start(),
    Declaration::new(
        "preset",
        Kind::Word { default: SKIDPAD.name, of: &PRESET_NAMES },
        "topics, rates and frames: skidpad's own, or those of the system that it replaces",
    )
    .at_start(),
    presets::DECLARATIONS[0],
    presets::DECLARATIONS[1],
    switch("builtin_mux", true, "presets with a command multiplexer: run it here; false: a node ackermann_mux does").at_start(),
    Declaration::new("mux_config", Kind::Text { default: "" }, "its levels and inputs, a YAML file; empty: the preset's")
        .at_start(),
    switch(
        "quirks.half_speed",
        false,
        "racecar_gazebo: drive half as fast as asked for, as the Gazebo model, which divides by 0.1 m for a radius of 0.05 m",
    )
    .at_start(),
    switch(
        "quirks.map_odom_ground_truth",
        false,
        "racecar_gazebo: odometry and tf give the pose of odom in map, with a twist in the world's axes, and nothing from odom \
         to base_link",
    )
    .at_start(),
    switch("quirks.parallel_steer", false, "racecar_gazebo: both front wheels turn by the same angle").at_start(),
    switch(
        "ackermann_limits",
        false,
        "acceleration and steering_angle_velocity of Ackermann commands limit how fast set-points change, zero being as fast as \
         possible; false: they have no effect",
    )
    .at_start(),
    Declaration::new(
        "cmd_vel_type",
        Kind::Word { default: "auto", of: &["auto", "twist", "twist_stamped"] },
        "message type of cmd_vel; auto: the one that its publishers offer",
    )
    .at_start(),
    Declaration::new(
        TF_MODE,
        Kind::Word { default: TfMode::NAMES[0], of: &TfMode::NAMES },
        "where transforms of vehicles with namespaces go: namespaced (<vehicle>/tf, plain frames), prefixed (/tf, frames \
         <vehicle>/odom), both; <vehicle>.tf_mode for one vehicle",
    )
    .at_start(),
    switch("force_vehicle_namespace", false, "put topics under the vehicle's name even when there is only one vehicle")
        .at_start(),
    Declaration::new(
        NAMESPACE,
        Kind::Text { default: "~" },
        "where the services of simulation_interfaces are: ~ below the node's name, empty at the root",
    )
    .at_start(),
    control::DECLARATIONS[0],
    control::DECLARATIONS[1],
    control::DECLARATIONS[2],
    switch("use_sim_time", false, "accepted and ignored: this node is the source of simulated time"),
];

/// The preset and the quirks that the parameters ask for.
pub(crate) fn preset_of(parameters: &Parameters) -> &'static Preset {
    let chosen = preset(&parameters.word("preset")).unwrap_or(&SKIDPAD);
    match chosen.with_true_map_to_odom {
        Some(quirky) if parameters.flag("quirks.map_odom_ground_truth") => quirky,
        _ if chosen.with_quirks => chosen,
        _ => {
            for quirk in
                DECLARATIONS.iter().map(|declaration| declaration.name).filter(|name| name.starts_with("quirks."))
            {
                if parameters.flag(quirk) {
                    tracing::warn!("parameter \"{quirk}\": has no effect with the preset \"{}\"", chosen.name);
                }
            }
            chosen
        }
    }
}

/// The present values of the parameters that the publishing side reads.
pub(crate) fn publish_settings(parameters: &Parameters, preset: &Preset) -> PublishSettings {
    PublishSettings {
        odom_rate: parameters.number("odom_rate"),
        joint_rate: preset.second_rate,
        has_joint_pace: preset.topics.iter().any(|topic| topic.pace == Pace::Second),
        clock_rate: parameters.number("clock_rate"),
        free_running: rate(parameters) == Rate::Max,
        publish_clock: publishes_clock(parameters),
        publish_tf: parameters.flag("publish_tf"),
        publish_map_to_odom: parameters.flag("publish_map_to_odom"),
        marker_rate: parameters.number("marker_rate"),
        body_rate: parameters.number("body_rate"),
        force_scale: parameters.number("marker_force_scale"),
        log_rate: parameters.number("log_rate"),
        map_to_odom_offset: SimTime::from_secs(parameters.number("transform_tolerance")),
        publish_static_tf: parameters.flag("publish_static_tf"),
    }
}

/// The parameters of the simulator: the defaults, then `rate`, the period `lockstep` and `paused` of the command line, then `overrides`.
/// Values that the simulation needs are sent to `outbox`, now and at every change.
pub fn declare<'a>(
    rate: Rate,
    lockstep: Option<SimTime>,
    paused: bool,
    outbox: Outbox,
    overrides: impl Iterator<Item = (&'a String, &'a ParameterValue)> + Clone,
) -> Result<Arc<Parameters>, RosError> {
    let preset = presets::named(overrides.clone()).unwrap_or(&SKIDPAD);
    let factor = match rate {
        Rate::Factor(factor) => factor,
        Rate::Max => 0.0,
    };
    // The runner was started with the rate of the command line, which is this one unless it was overridden.
    let watch = Box::new(move |name: &'static str, value: &ParameterValue| send(&outbox, name, value));
    // The values of the preset take precedence over those of the command line.
    let mut given = presets::defaults(preset, overrides.clone());
    for (name, value) in [
        ("rate", ParameterValue::Double(factor)),
        ("paused", ParameterValue::Bool(paused)),
        ("lockstep", ParameterValue::Bool(lockstep.is_some())),
        ("lockstep_period", ParameterValue::Double(lockstep.map_or(0.0, SimTime::secs))),
    ] {
        if given.iter().all(|(known, _)| *known != name) {
            given.push((name, value));
        }
    }
    let parameters = Parameters::new(DECLARATIONS, &given, overrides, watch)?;
    presets::declare(preset, &parameters)?;
    Ok(parameters)
}

/// Whether stamps are by the wall clock.
pub(crate) fn has_wall_stamps(parameters: &Parameters) -> bool {
    parameters.word(STAMPS) == "wall"
}

/// Whether `/clock` is published: it has no meaning for stamps by the wall clock.
pub(crate) fn publishes_clock(parameters: &Parameters) -> bool {
    parameters.flag("publish_clock") && !has_wall_stamps(parameters)
}

/// The rate that the parameter `rate` asks for.
pub fn rate(parameters: &Parameters) -> Rate {
    as_rate(parameters.number("rate"))
}

fn as_rate(value: f64) -> Rate {
    if value > 0.0 { Rate::Factor(value) } else { Rate::Max }
}

/// Sends a value to the simulation if the simulation uses it.
fn send(outbox: &Outbox, name: &str, value: &ParameterValue) {
    if name == "use_sim_time" && *value == ParameterValue::Bool(true) {
        tracing::warn!("parameter \"use_sim_time\": ignored, because this node is the source of simulated time");
    }
    if let ("odom_on_teleport", ParameterValue::String(word)) = (name, value)
        && let Some((_, choice)) = OdometryOnTeleport::NAMES.into_iter().find(|(name, _)| name == word)
    {
        outbox.visit(move |visit| visit.world.set_odometry_on_teleport(choice));
    }
    if let (NO_RETURN, ParameterValue::String(word)) = (name, value) {
        let choice = NoReturn::NAMES.iter().find(|(name, _)| *name == word).map(|(_, choice)| *choice);
        outbox.send(Request::SetNoReturn(choice));
    }
    let ParameterValue::Double(value) = *value else { return };
    let request = match name {
        "rate" => Request::SetRate(as_rate(value)),
        "cmd_timeout" => Request::SetCommandTimeout((value > 0.0).then(|| SimTime::from_secs(value))),
        "range_noise" => Request::SetRangeNoise((value >= 0.0).then_some(value)),
        _ => return,
    };
    outbox.send(request);
}

#[cfg(test)]
pub mod tests;
