//! The small nodes beside the simulator: their common parts, and the table of them.
//!
//! ```text
//!  node thread: DDS ──▶ Node::spin_once ──▶ Inputs ──▶ SmallNode::update ──▶ Topics ──▶ DDS
//!  tasks thread: the log, and the parameter services; the node thread learns of changes before its next update
//! ```
//!
//! A node does all its work in its updates, in one thread, so that it needs no locks. It is updated whenever messages have arrived, and at
//! the time that it requested.

mod clock;
mod dynamic_linearizer;
mod keyboard;
mod kinematic_linearizer;
mod linearizer;
pub mod mux;
mod odometry;
mod setup;
mod single_track_simulator;
mod teleop;
pub mod tracker;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use skidpad_math::time::SimTime;
use skidpad_run::guard::Guard;

use crate::error::{self, RosError};
use crate::parameters::qos_overrides::QosOverrides;
use crate::parameters::table::{Declaration, Kind, Parameters};
use crate::parameters::unknown;
use crate::service_calls::ServiceCalls;
use crate::shutdown::{Ended, Ending, Progress};
use crate::startup::{NewNode, identity_line, serve_parameters_and_log};
use clock::Clock;
pub use keyboard::restore as restore_terminal;
pub use setup::{Input, Setup};

/// How long one spin waits for messages; also bounds the delay until a signal is noticed.
const SPIN: Duration = Duration::from_millis(20);

/// A node, ready to run.
pub trait SmallNode {
    /// Reads the messages that have arrived, and does what is due at `now`: the node's time since its epoch, which is the start of the
    /// simulation with `use_sim_time` and that of the system clock otherwise. Returns the time of the next update without a message; none:
    /// only messages cause updates.
    fn update(&mut self, now: SimTime) -> Option<SimTime>;

    /// Called when parameters have changed since the last update.
    fn reconfigure(&mut self, _parameters: &Parameters) {}

    /// Called at the end, for example to stop the vehicle.
    fn end(&mut self, _now: SimTime) {}
}

/// A kind of node.
pub struct Entry {
    /// Name of its executable, and of the node unless `__node` says otherwise.
    pub name: &'static str,
    /// Its parameters.
    pub parameters: &'static [Declaration],
    /// Creates its topics and the node.
    pub start: fn(&mut Setup<'_>) -> Result<Box<dyn SmallNode>, RosError>,
}

/// Every kind of node.
pub const NODES: &[Entry] = &[
    tracker::ENTRY,
    kinematic_linearizer::ENTRY,
    dynamic_linearizer::ENTRY,
    single_track_simulator::ENTRY,
    mux::ENTRY,
    teleop::ENTRY,
];

/// The parameter that selects the clock of a node, for the tables of nodes.
pub(crate) const USE_SIM_TIME: Declaration = Declaration::new(
    "use_sim_time",
    Kind::Switch { default: false },
    "go by /clock, as beside a simulator; false: by the system clock",
)
.at_start();

/// Runs the node of this name until `stop` is set. `ros_args` are the arguments of the process, which the client library also reads itself.
/// The shutdown takes seconds at most, even if the middleware hangs.
///
/// # Errors
/// An unknown name, parameters that are not accepted, and whatever the client library refuses.
pub fn run(name: &str, ros_args: Vec<String>, stop: Arc<AtomicBool>) -> Result<Ended, RosError> {
    let entry = NODES.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let names: Vec<&str> = NODES.iter().map(|entry| entry.name).collect();
        RosError::new("node", format!("found \"{name}\"")).accepted(names.join(", "))
    })?;
    let thread = {
        let stop = stop.clone();
        std::thread::Builder::new()
            .name("ros-node".to_owned())
            .spawn(move || run_here(entry, &ros_args, &stop))
            .map_err(|error| error::thread(&error))?
    };
    while !stop.load(Ordering::Relaxed) && !thread.is_finished() {
        std::thread::sleep(SPIN);
    }
    let mut ending = Ending::begin(Progress::default());
    ending.join(thread).transpose()?;
    Ok(ending.ended())
}

/// Starts the node in this thread and updates it until `stop` is set.
fn run_here(entry: &Entry, ros_args: &[String], stop: &AtomicBool) -> Result<(), RosError> {
    let NewNode { mut node, resolver, given, tasks, .. } = NewNode::create(entry.name, ros_args)?;
    let overrides = given.values.iter().map(|(name, value)| (name, value));
    let parameters = Parameters::new(entry.parameters, &[], overrides, Box::new(|_, _| {}))?;
    let qos = QosOverrides::new(&given.values, &parameters)?;

    let changed = Arc::new(AtomicBool::new(false));
    let on_change = {
        let changed = changed.clone();
        Arc::new(move || changed.store(true, Ordering::Release))
    };
    let mut calls = ServiceCalls::new(tasks.handle());
    unknown::warn(&parameters, &given.shared);
    serve_parameters_and_log(&mut node, &parameters, on_change, &mut calls)?;
    let greeting = identity_line(&node);
    let mut setup = Setup::new(&mut node, &resolver, &qos, parameters.clone());
    let mut clock = Clock::new(&mut setup)?;
    let mut small = (entry.start)(&mut setup)?;
    tracing::info!("{}", std::iter::once(greeting).chain(setup.into_lines()).collect::<Vec<_>>().join("\n"));

    let mut wait = SPIN;
    let [library, updates] = ["the ROS client library", entry.name].map(Guard::new);
    while !stop.load(Ordering::Relaxed) {
        if library.run(|| node.spin_once(wait)).is_none() {
            // It may panic again at once.
            std::thread::sleep(SPIN);
        }
        calls.take();
        if changed.swap(false, Ordering::Acquire) {
            updates.run(|| small.reconfigure(&parameters));
        }
        wait = match clock.now() {
            Some(now) => updates.run(|| small.update(now)).flatten().map_or(SPIN, |next| clock.wait(next).min(SPIN)),
            None => SPIN,
        };
    }
    if let Some(now) = clock.now() {
        small.end(now);
    }
    drop((small, calls));
    tasks.shutdown_timeout(SPIN);
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use r2r::ParameterValue;

    use super::*;

    #[test]
    fn node_names_are_unique_and_parameters_are_documented() {
        for (index, entry) in NODES.iter().enumerate() {
            assert!(NODES[..index].iter().all(|other| other.name != entry.name), "{}", entry.name);
            let defaults = Parameters::new(entry.parameters, &[], std::iter::empty(), Box::new(|_, _| {})).unwrap();
            assert_eq!(defaults.names(), entry.parameters.iter().map(|d| d.name.to_owned()).collect::<Vec<_>>());
            for declaration in entry.parameters {
                let default = defaults.value(declaration.name);
                assert_eq!(defaults.would_set(declaration.name, &default), Ok(default));
                assert!(!declaration.description.is_empty());
            }
        }
    }

    /// Values in the files that differ from the defaults, because the files are for runs beside a simulator.
    const BESIDE_A_SIMULATOR: [&str; 2] = ["use_sim_time", "publish_clock"];

    #[test]
    fn parameter_files_hold_every_parameter_with_its_default() {
        type Nodes = BTreeMap<String, BTreeMap<String, BTreeMap<String, serde_json::Value>>>;
        let value = |value: &serde_json::Value| match value {
            serde_json::Value::Bool(switch) => ParameterValue::Bool(*switch),
            serde_json::Value::String(text) => ParameterValue::String(text.clone()),
            number => match number.as_i64() {
                Some(whole) => ParameterValue::Integer(whole),
                None => ParameterValue::Double(number.as_f64().unwrap()),
            },
        };
        // The other nodes have no such file, or one of another kind.
        for entry in
            [tracker::ENTRY, kinematic_linearizer::ENTRY, dynamic_linearizer::ENTRY, single_track_simulator::ENTRY]
        {
            let path = format!("{}/../../config/{}.yaml", env!("CARGO_MANIFEST_DIR"), entry.name);
            let nodes: Nodes = serde_saphyr::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
            let mut given = nodes["/**"]["ros__parameters"].clone();
            let defaults = Parameters::new(entry.parameters, &[], std::iter::empty(), Box::new(|_, _| {})).unwrap();
            for declaration in entry.parameters {
                let place = format!("{}.yaml: {}", entry.name, declaration.name);
                let given = given.remove(declaration.name).unwrap_or_else(|| panic!("{place}: missing"));
                if !BESIDE_A_SIMULATOR.contains(&declaration.name) {
                    let same = Ok(defaults.value(declaration.name));
                    assert_eq!(defaults.would_set(declaration.name, &value(&given)), same, "{place}");
                }
            }
            assert!(given.is_empty(), "{}.yaml: {given:?}", entry.name);
        }
    }

    #[test]
    fn an_unknown_node_is_refused() {
        let error = run("tracker", Vec::new(), Arc::default()).unwrap_err();
        assert!(error.to_string().starts_with("node: found \"tracker\"\n  accepted: "), "{error}");
    }
}
