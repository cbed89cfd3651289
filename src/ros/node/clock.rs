//! The time of a small node: that of `/clock` with `use_sim_time`, that of the system clock otherwise.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use r2r::rosgraph_msgs::msg::Clock as ClockMessage;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::time::SimTime;
use skidpad_ros_data::message::{self, Message};

use super::{Input, SPIN, Setup};
use crate::error::RosError;
use crate::graph::quality::CLOCK_INPUT_QOS;
use crate::graph::topics::CLOCK_TOPIC;
use crate::throttle::Throttle;
use crate::typed_messages::time;

/// How long `/clock` may be silent before a node warns, and the period of the warnings.
const WARNING_PERIOD: Duration = Duration::from_secs(5);

/// The source of a node's time.
pub struct Clock {
    /// None: the system clock.
    simulated: Option<Simulated>,
}

struct Simulated {
    input: Input<ClockMessage>,
    last: Option<SimTime>,
    heard: Instant,
    complaint: Throttle,
}

impl Clock {
    /// The clock that the node's parameter `use_sim_time` asks for.
    pub fn new(setup: &mut Setup<'_>) -> Result<Clock, RosError> {
        if !setup.parameters.flag("use_sim_time") {
            return Ok(Clock { simulated: None });
        }
        let input = setup.subscribe(CLOCK_TOPIC, message::Clock::TYPE, CLOCK_INPUT_QOS)?;
        let (heard, complaint) = (Instant::now(), Throttle::new(WARNING_PERIOD));
        Ok(Clock { simulated: Some(Simulated { input, last: None, heard, complaint }) })
    }

    /// The time; none before the first message on `/clock`.
    pub fn now(&mut self) -> Option<SimTime> {
        match &mut self.simulated {
            Some(simulated) => simulated.now(),
            None => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                Some(SimTime(i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)))
            }
        }
    }

    /// How long [wall time] the node may wait until `next`; a message on `/clock` wakes it too.
    pub fn wait(&mut self, next: SimTime) -> Duration {
        match self.now() {
            Some(now) if self.simulated.is_none() => Duration::from_nanos(u64::try_from((next - now).0).unwrap_or(0)),
            _ => SPIN,
        }
    }
}

impl Simulated {
    fn now(&mut self) -> Option<SimTime> {
        match self.input.newest() {
            Some(message) => {
                self.heard = Instant::now();
                self.last = Some(time(&message.clock));
            }
            None if self.last.is_none()
                && self.heard.elapsed() > WARNING_PERIOD
                && self.complaint.is_due(Instant::now()) =>
            {
                let reported = Diagnostic::new(
                    format!("topic \"{CLOCK_TOPIC}\""),
                    "no message received, and use_sim_time is true",
                )
                .hint("start a simulation in this ROS domain, or set use_sim_time to false");
                tracing::warn!(diagnostic = reported.as_value());
            }
            None => {}
        }
        self.last
    }
}
