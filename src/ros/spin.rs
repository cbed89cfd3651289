//! The thread that owns the node: waits for what comes in, and puts on the graph what comes and takes off what goes.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use r2r::Node;

use super::fleet::Fleet;
use super::graph;
use super::node::SmallNode;
use super::node::mux::AckermannMux;
use super::parameters::Parameters;
use super::publish::Job;
use super::snapshot::Now;
use super::topics::CLOCK_TOPIC;
use crate::time::SimTime;

/// How long the thread waits at a time; also bounds how long a shutdown takes, and how late a vehicle comes onto the graph.
const SPIN: Duration = Duration::from_millis(20);
/// How often the graph is asked who publishes the clock.
const LOOK: Duration = Duration::from_millis(200);

/// Turns the node and does what comes in by `jobs`, until `stop` is set.
pub fn run(
    mut fleet: Fleet,
    jobs: &mpsc::Receiver<Job>,
    mut mux: Option<(AckermannMux, Now)>,
    parameters: &Parameters,
    stop: &AtomicBool,
) {
    let mut looked: Option<Instant> = None;
    let mut told_of_clocks = false;
    while !stop.load(Ordering::Relaxed) {
        fleet.node.spin_once(SPIN);
        while let Ok(job) = jobs.try_recv() {
            fleet.carry_out(job);
        }
        if let Some((mux, now)) = &mut mux {
            let time = SimTime(now.time.load(Ordering::Acquire));
            // Before the first frame nobody knows of drivers, and no car moves.
            mux.hold_default(time <= SimTime::ZERO || now.has_driver.load(Ordering::Relaxed));
            mux.turn(time);
        }
        if looked.is_none_or(|at| at.elapsed() >= LOOK) {
            looked = Some(Instant::now());
            if !told_of_clocks && parameters.flag("publish_clock") {
                told_of_clocks = tell_of_other_clocks(&fleet.node);
            }
        }
    }
}

/// Warns when somebody else publishes `/clock` too: every listener's time would jump back and forth. True when it did.
fn tell_of_other_clocks(node: &Node) -> bool {
    let Some(publishers) = graph::publishers_of(node, CLOCK_TOPIC).filter(|publishers| publishers.len() > 1) else {
        return false;
    };
    let count = publishers.len();
    let names: BTreeSet<String> = publishers.into_iter().collect();
    tracing::warn!(
        "topic \"{CLOCK_TOPIC}\": {count} nodes of this ROS domain publish it\n  accepted: one clock, found {}\n  hint: end the other \
         simulation, give this one a ROS_DOMAIN_ID of its own, or set the parameter publish_clock to false",
        graph::listed(&names)
    );
    true
}
