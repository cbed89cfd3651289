//! How other threads talk to a running simulation: one queue, emptied between two steps.

use std::sync::mpsc;

use crate::time::SimTime;
use crate::vehicle::Command;

/// How fast simulated time runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rate {
    /// Simulated seconds per wall second, > 0.
    Factor(f64),
    /// As fast as the processor allows.
    Max,
}

/// What a running simulation can be asked.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Hand a command to a vehicle.
    Command(Command),
    /// Stop (true) or go on (false).
    Pause(bool),
    /// While paused: make this many steps.
    Step(u64),
    /// Everything back to where it started; simulated time goes on, so that no clock jumps back.
    Reset,
    /// Change the speed of time.
    SetRate(Rate),
    /// How old [simulated time] a vehicle's last command may grow before it is stopped; none: commands hold for ever.
    SetCommandTimeout(Option<SimTime>),
    /// Change the standard deviation of the range noise [m] of every lidar; none: what the world file says.
    SetRangeNoise(Option<f64>),
    /// Start, clear or renew the CSV logs.
    Log(LogRequest),
}

/// What can be asked of the CSV logs of all vehicles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogRequest {
    /// Start (true) or stop (false) writing rows.
    Record(bool),
    /// Empty the files of this session.
    Clear,
    /// Close the files and go on in new ones.
    NewSession,
}

/// The answer to a request: done at this simulated time, or why not.
pub type Answer = Result<SimTime, String>;

/// A request and whom to tell when it is done.
pub struct Letter {
    /// What is asked.
    pub request: Request,
    /// Called on the simulation thread, so it must not block.
    pub answer: Option<Box<dyn FnOnce(Answer) + Send>>,
}

/// The sending end; clone it freely.
#[derive(Clone)]
pub struct Outbox(mpsc::Sender<Letter>);

impl Outbox {
    /// Sends a request and does not wait. False when the simulation has ended.
    pub fn send(&self, request: Request) -> bool {
        self.0.send(Letter { request, answer: None }).is_ok()
    }

    /// Sends a request; `answer` is called on the simulation thread when it is done. False when it has ended.
    pub fn ask(&self, request: Request, answer: impl FnOnce(Answer) + Send + 'static) -> bool {
        self.0.send(Letter { request, answer: Some(Box::new(answer)) }).is_ok()
    }
}

/// The receiving end, which the runner empties between two steps.
pub struct Inbox(pub(super) mpsc::Receiver<Letter>);

/// A connected pair of ends.
pub fn mailbox() -> (Outbox, Inbox) {
    let (sender, receiver) = mpsc::channel();
    (Outbox(sender), Inbox(receiver))
}
