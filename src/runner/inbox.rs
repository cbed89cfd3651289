//! Requests of other threads to a running simulation: one queue, emptied between two steps.

use std::sync::mpsc;
use std::time::Duration;

use super::{Lockstep, PauseState};
use crate::sink::LogRequest;
use crate::time::{Rate, SimTime};
use crate::tracking::TrackerParameters;
use crate::vehicle::Action;
use crate::world::{EntityId, World};

/// The shortest command timeout: 1 ms is shorter than any commander's period.
pub const SHORTEST_COMMAND_TIMEOUT: SimTime = SimTime(1_000_000);

/// A request to a running simulation.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Command the vehicle with this id, independent of its index; refused with [`REMOVED`] if it has been removed.
    Command {
        /// The vehicle.
        id: EntityId,
        /// The command.
        action: Action,
    },
    /// Pause (true) or resume (false).
    Pause(bool),
    /// While paused: make this number of steps.
    Step(u64),
    /// Reset everything to the start; simulated time continues, so that no clock jumps back.
    Reset,
    /// Change the speed of time.
    SetRate(Rate),
    /// Wait for the commands of the vehicles at regular simulated times; none: do not wait.
    SetLockstep(Option<Lockstep>),
    /// Largest age [simulated time] of a vehicle's last command before the vehicle is stopped; none: commands hold forever.
    SetCommandTimeout(Option<SimTime>),
    /// Change the standard deviation of the range noise [m] of every lidar; none: the value of the world file.
    SetRangeNoise(Option<f64>),
    /// Steer both front wheels of steered vehicles by the same angle; none: as in their world file.
    SetParallelSteer(Option<bool>),
    /// Change a parameter of a vehicle's controller: one of [`VehicleInfo::tunables`](crate::world::VehicleInfo) by its name.
    Tune(EntityId, &'static str, f64),
    /// Change the gains and the geometry of the tracker of a vehicle that has a driver.
    SetTracker(EntityId, TrackerParameters),
    /// Start, clear or renew the CSV logs.
    Log(LogRequest),
}

/// The answer to a command for a removed vehicle, whose removal the commander may not have noticed.
pub const REMOVED: &str = "command: the vehicle has been removed";

/// The answer to a request: the simulated time [ns] at which it was done, or the reason why not.
pub type Answer = Result<SimTime, String>;

/// Called with the answer to a request, on the simulation thread, so it must not block; none: no answer is needed.
pub(super) type Reply = Option<Box<dyn FnOnce(Answer) + Send>>;

/// Access to the simulation between two steps, for operations that no [`Request`] offers.
pub struct SimulationAccess<'a> {
    /// The world; changes take effect with the next step.
    pub world: &'a mut World,
    /// Whether time is stopped.
    pub pause: &'a mut PauseState,
    /// The requested speed of time.
    pub rate: Rate,
}

/// A message to the runner.
pub(super) enum Message {
    Request(Request, Reply),
    /// Called on the simulation thread.
    Visitor(Box<dyn FnOnce(&mut SimulationAccess<'_>) + Send>),
}

/// The sending end; clone it freely.
#[derive(Clone)]
pub struct Outbox(mpsc::Sender<Message>);

impl Outbox {
    /// Sends a request without waiting. False if the simulation has ended.
    pub fn send(&self, request: Request) -> bool {
        self.0.send(Message::Request(request, None)).is_ok()
    }

    /// Queues `visitor` to be called on the simulation thread between two steps, in order with the requests; it must not block. False if
    /// the simulation has ended; a visitor that is dropped uncalled arrived too late.
    pub fn visit(&self, visitor: impl FnOnce(&mut SimulationAccess<'_>) + Send + 'static) -> bool {
        self.0.send(Message::Visitor(Box::new(visitor))).is_ok()
    }

    /// Sends a request; `answer` is called on the simulation thread when it is done. False if the simulation has ended.
    pub fn ask(&self, request: Request, answer: impl FnOnce(Answer) + Send + 'static) -> bool {
        self.0.send(Message::Request(request, Some(Box::new(answer)))).is_ok()
    }
}

/// The receiving end, which the runner empties between two steps.
pub struct Inbox(mpsc::Receiver<Message>);

impl Inbox {
    /// The requests that have arrived, for tests of their senders.
    #[cfg(all(test, feature = "ros"))]
    pub(crate) fn requests(&self) -> Vec<Request> {
        let request = |message| match message {
            Message::Request(request, _) => Some(request),
            Message::Visitor(_) => None,
        };
        std::iter::from_fn(|| self.next()).filter_map(request).collect()
    }

    /// The next message, if one has arrived.
    pub(super) fn next(&self) -> Option<Message> {
        self.0.try_recv().ok()
    }

    /// The next message; gives up after `patience`, and waits for the whole of it even when no sender is left.
    pub(super) fn wait(&self, patience: Duration) -> Option<Message> {
        match self.0.recv_timeout(patience) {
            Ok(message) => Some(message),
            Err(mpsc::RecvTimeoutError::Timeout) => None,
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                std::thread::sleep(patience);
                None
            }
        }
    }
}

/// A connected sender and receiver.
pub fn mailbox() -> (Outbox, Inbox) {
    let (sender, receiver) = mpsc::channel();
    (Outbox(sender), Inbox(receiver))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_numbers_within_limits_or_max() {
        assert_eq!("max".parse(), Ok(Rate::Max));
        assert_eq!("0.5".parse(), Ok(Rate::Factor(0.5)));
        for bad in ["0", "-1", "nan", "inf", "1e-308", "0.0009", "1e7"] {
            let message = bad.parse::<Rate>().unwrap_err();
            assert!(
                message.ends_with("is not a speed of time\n  accepted: a number from 0.001 to 1000000, max"),
                "{message}"
            );
        }
        assert_eq!(
            "fast".parse::<Rate>().unwrap_err(),
            "rate: \"fast\" is not a number\n  accepted: a number from 0.001 to 1000000, max"
        );
    }

    #[test]
    fn a_request_sent_after_the_end_is_refused() {
        let (outbox, inbox) = mailbox();
        assert!(outbox.send(Request::Reset));
        drop(inbox);
        assert!(!outbox.send(Request::Reset));
    }
}
