//! The node of a run, through r2r.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_math::time::Rate;
use skidpad_program::find;
use skidpad_program::ros::{Node, Ros, RunOfNode};
use skidpad_ros::{Bridge, Ended, Options, Origin, StartConditions};
use skidpad_ros_data::interface::naming::PublishedNaming;
use skidpad_ros_data::preset::PresetVariable;
use skidpad_run::log_lines::Reader;
use skidpad_run::runner::GracefulShutdown;
use skidpad_run::sink::Sinks;
use skidpad_scenario::peers::Peers;

/// ROS through r2r.
pub(crate) struct R2R;

impl Ros for R2R {
    fn variables(&self, ros_args: Vec<String>) -> Result<Vec<PresetVariable>, Diagnostics> {
        skidpad_ros::variables(&ros_args).map_err(Diagnostics::from)
    }

    fn start(&self, run: RunOfNode<'_>, sinks: &mut Sinks) -> Result<Box<dyn Node>, Diagnostics> {
        let RunOfNode { args, ros_args, path, world, load, stop, outbox, driven, ready, mut recorder } = run;
        // The reference of an internal driver is recorded from the simulation; only an external one has to be subscribed to.
        let listener = recorder.as_mut().filter(|_| driven.is_none()).map(|recorder| recorder.listener());
        let mut bridge = skidpad_ros::start(Options {
            ros_args,
            scene: Arc::clone(world.scene()),
            outbox: outbox.clone(),
            rate: args.rate,
            lockstep: args.lockstep,
            paused: args.paused,
            driven: driven.map(|(vehicle, _)| vehicle),
            tracker: driven.and_then(|(_, tracker)| tracker),
            listener,
            start_when: ready.map(|(ready, unmet)| StartConditions {
                nodes: ready.nodes.clone(),
                published: ready.published.clone(),
                within: Duration::from_secs_f64(ready.within),
                unmet,
            }),
            origin: Origin::new(path, world, load, find::folders(), Arc::clone(stop)),
        })?;
        if let Some(recorder) = &mut recorder {
            recorder.follow(bridge.preset(), bridge.words(), bridge.odometry_rate());
            recorder.report(bridge.desk());
        }
        // It takes a frame before that is published: no answer to it is recorded with the frame itself.
        sinks.extend(recorder);
        sinks.push(bridge.health_sink());
        if let Some(sink) = bridge.sink() {
            sinks.push(sink);
        }
        Ok(Box::new(OfRun(bridge)))
    }

    fn run_node(
        &self,
        name: &str,
        ros_args: Vec<String>,
        stop: Arc<AtomicBool>,
    ) -> Result<Result<bool, Diagnostic>, Diagnostics> {
        Ok(in_order(skidpad_ros::node::run(name, ros_args, stop)?))
    }

    fn restore_terminal(&self) {
        skidpad_ros::node::restore_terminal();
    }

    fn rosout(&self) -> Reader {
        skidpad_ros::rosout::reader()
    }
}

/// The simulator's node.
struct OfRun(Bridge);

impl Node for OfRun {
    fn peers(&self) -> Box<dyn Peers> {
        Box::new(self.0.peers())
    }

    fn naming(&self) -> PublishedNaming {
        self.0.naming()
    }

    fn rate(&self) -> Rate {
        self.0.initial_rate()
    }

    fn starts_paused(&self) -> bool {
        self.0.starts_paused()
    }

    fn graceful_shutdown(&self, is_requested: Arc<AtomicBool>) -> GracefulShutdown {
        GracefulShutdown { is_requested, is_followed: self.0.is_followed(), longest: self.0.shutdown_grace() }
    }

    fn interface(&self) -> Vec<String> {
        self.0.interface_lines()
    }

    fn shutdown(self: Box<Self>) -> Result<bool, Diagnostic> {
        in_order(self.0.shutdown())
    }
}

/// Whether a node has ended in order, or was still about to; the problem of one that does not end.
fn in_order(ended: Ended) -> Result<bool, Diagnostic> {
    match ended {
        Ended::InOrder => Ok(true),
        Ended::Unfinished => Ok(false),
        Ended::Stuck(problem) => Err(problem),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_name_is_a_node() {
        let made: Vec<&str> = skidpad_ros::node::NODES.iter().map(|entry| entry.name).collect();
        assert_eq!(made, skidpad_program::node::NODES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    }
}
