//! The thread that owns the node: it spins, and creates and destroys publishers as vehicles are added and removed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use skidpad_math::time::SimTime;
use skidpad_run::guard::Guard;

use super::fleet::Fleet;
use super::parameters;
use crate::graph::duplicate_publishers::DuplicatePublishers;
use crate::graph::duplicate_transforms::DuplicateTransforms;
use crate::graph::topics::CLOCK_TOPIC;
use crate::node::SmallNode;
use crate::node::mux::AckermannMux;
use crate::parameters::table::Parameters;
use crate::publish::publisher_thread::Job;
use crate::publish::snapshot::SharedLatest;
use crate::service_calls::ServiceCalls;
use crate::shared_memory::{OtherUsers, SharedMemory};

/// How long one spin waits; also bounds the time of a shutdown, and the delay until an added vehicle has its topics.
const SPIN: Duration = Duration::from_millis(20);

/// The checks that are repeated while the node spins.
pub struct Watches {
    /// Other nodes that publish the topics of this one.
    pub duplicate_publishers: DuplicatePublishers,
    /// Other nodes that publish the transforms of this one.
    pub duplicate_transforms: DuplicateTransforms,
    /// The shared memory that the middleware has for the sensors.
    pub shared_memory: SharedMemory,
    /// Programs of other users in the same ROS domain.
    pub other_users: OtherUsers,
}

/// Spins the node and runs the jobs that come in, until `stop` is set; then drops all nodes.
pub fn run(
    mut fleet: Fleet,
    mut calls: ServiceCalls,
    jobs: &mpsc::Receiver<Job>,
    mut mux: Option<(AckermannMux, SharedLatest)>,
    watches: Watches,
    parameters: &Parameters,
    stop: &AtomicBool,
) {
    let Watches { mut duplicate_publishers, mut duplicate_transforms, mut shared_memory, mut other_users } = watches;
    let [library, work, multiplexer, watch] =
        ["the ROS client library", "vehicles on the graph", "the command multiplexer", "the watch over frames"]
            .map(Guard::new);
    while !stop.load(Ordering::Relaxed) {
        if library.run(|| fleet.node.spin_once(SPIN)).is_none() {
            // It may panic again at once.
            std::thread::sleep(SPIN);
        }
        // Before the calls: whoever subscribes and then asks for a step gets its readings.
        library.run(|| fleet.count_audience());
        calls.take();
        while let Ok(job) = jobs.try_recv() {
            if let Job::Follow(layout) = &job {
                shared_memory.follow(&layout.scene);
            }
            work.run(|| fleet.execute(job));
        }
        if let Some((mux, latest)) = &mut mux {
            let time = SimTime(latest.time.load(Ordering::Acquire));
            multiplexer.run(|| {
                // Before the first frame it is unknown whether there is a driver, and no car moves.
                mux.hold_default(time <= SimTime::ZERO || latest.has_driver.load(Ordering::Relaxed));
                mux.update(time);
            });
        }
        duplicate_publishers
            .check(&fleet.node, |topic| topic != CLOCK_TOPIC || parameters::publishes_clock(parameters));
        watch.run(|| duplicate_transforms.check(&fleet.node));
        other_users.check();
    }
    drop(duplicate_transforms);
    // Pending requests are answered: the simulation has ended.
    calls.finish();
    drop(calls);
    fleet.end();
}
