//! The thread that owns the node: waits for what comes in, and looks at the graph.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use r2r::Node;

use super::node::SmallNode;
use super::node::mux::AckermannMux;
use super::parameters::Parameters;
use super::snapshot::Now;
use super::subscribe::Commands;
use super::topics;
use crate::time::SimTime;

/// How long the thread waits at a time; also bounds how long a shutdown takes.
pub const SPIN: Duration = Duration::from_millis(20);
/// How often the graph is asked who publishes commands.
const LOOK: Duration = Duration::from_millis(200);

/// Turns the node until `stop` is set.
pub fn run(
    mut node: Node,
    mut commands: Commands,
    mut mux: Option<(AckermannMux, Now)>,
    parameters: &Parameters,
    stop: &AtomicBool,
) {
    let mut looked: Option<Instant> = None;
    let mut told_of_clocks = false;
    while !stop.load(Ordering::Relaxed) {
        node.spin_once(SPIN);
        if let Some((mux, now)) = &mut mux {
            let time = SimTime(now.time.load(Ordering::Acquire));
            // Before the first frame nobody knows of drivers, and no car moves.
            mux.hold_default(time <= SimTime::ZERO || now.has_driver.load(Ordering::Relaxed));
            mux.turn(time);
        }
        if looked.is_none_or(|at| at.elapsed() >= LOOK) {
            looked = Some(Instant::now());
            commands.follow_graph(&node);
            if !told_of_clocks && parameters.flag("publish_clock") {
                told_of_clocks = tell_of_other_clocks(&node);
            }
        }
    }
}

/// Warns when somebody else publishes `/clock` too: every listener's time would jump back and forth. True when it did.
fn tell_of_other_clocks(node: &Node) -> bool {
    let Ok(publishers) = node.get_publishers_info_by_topic(topics::CLOCK_TOPIC, false) else { return false };
    if publishers.len() < 2 {
        return false;
    }
    tracing::warn!(
        "topic \"{}\": {} nodes of this ROS domain publish it\n  accepted: one clock\n  hint: end the other simulation, give \
         this one a ROS_DOMAIN_ID of its own, or set the parameter publish_clock to false",
        topics::CLOCK_TOPIC,
        publishers.len()
    );
    true
}
