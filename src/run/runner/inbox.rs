//! Requests of other threads to a running simulation: one queue, emptied between two steps.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use skidpad_math::time::{Rate, SimTime};
use skidpad_sim::sensor::NoReturn;
use skidpad_sim::tracking::TrackerParameters;
use skidpad_sim::vehicle::Action;
use skidpad_sim::world::{EntityId, World};

use super::{Lockstep, PauseState, PeerTopic, TopicNews};
use crate::guard::lock;
use crate::sink::LogRequest;

/// The shortest command timeout: 1 ms is shorter than any commander's period.
pub const MIN_COMMAND_TIMEOUT: SimTime = SimTime(1_000_000);

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
    /// What the beams of every planar lidar read that have no return; none: as in the world.
    SetNoReturn(Option<NoReturn>),
    /// Steer both front wheels of steered vehicles by the same angle; none: as in their world file.
    SetParallelSteer(Option<bool>),
    /// Change a parameter of a vehicle's controller: one of [`VehicleInfo::tunables`](skidpad_sim::world::VehicleInfo) by its name.
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

/// Answers a request, if somebody waits for its answer.
pub(super) fn answer(reply: Reply, answer: Answer) {
    if let Some(reply) = reply {
        reply(answer);
    }
}

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
    /// A command of a source.
    Command(CommandSource, Action),
    /// What is new about a topic of others.
    News(PeerTopic, TopicNews),
    /// Called on the simulation thread.
    Visitor(Box<dyn FnOnce(&mut SimulationAccess<'_>) + Send>),
}

/// A source of commands to one vehicle, such as a topic, each of which replaces the one before. Clones are the same source.
#[derive(Clone)]
pub struct CommandSource(Arc<Source>);

struct Source {
    vehicle: EntityId,
    answer: Box<dyn Fn(Answer) + Send + Sync>,
}

impl CommandSource {
    /// A source of commands to this vehicle. `answer` is called on the simulation thread for each command that was not replaced, so it must
    /// not block.
    pub fn new(vehicle: EntityId, answer: impl Fn(Answer) + Send + Sync + 'static) -> CommandSource {
        CommandSource(Arc::new(Source { vehicle, answer: Box::new(answer) }))
    }

    /// The vehicle that it commands.
    pub fn vehicle(&self) -> EntityId {
        self.0.vehicle
    }

    pub(super) fn answer(&self, answer: Answer) {
        (self.0.answer)(answer);
    }
}

/// The messages that wait, in the order in which they were sent.
#[derive(Default)]
struct Queue {
    messages: VecDeque<Message>,
    /// Why the last message for each of these vehicles is no command, since their last command.
    refused: BTreeMap<EntityId, String>,
    /// Whether the receiving end is gone.
    is_closed: bool,
}

#[derive(Default)]
struct Mailbox {
    queue: Mutex<Queue>,
    arrived: Condvar,
    resets: AtomicU64,
}

/// The sending end; clone it freely.
#[derive(Clone)]
pub struct Outbox(Arc<Mailbox>);

impl Outbox {
    /// Sends a request without waiting. False if the simulation has ended.
    pub fn send(&self, request: Request) -> bool {
        self.put(Message::Request(request, None))
    }

    /// Queues `visitor` to be called on the simulation thread between two steps, in order with the requests; it must not block. False if
    /// the simulation has ended; a visitor that is dropped uncalled arrived too late.
    pub fn visit(&self, visitor: impl FnOnce(&mut SimulationAccess<'_>) + Send + 'static) -> bool {
        self.put(Message::Visitor(Box::new(visitor)))
    }

    /// Sends a request; `answer` is called on the simulation thread when it is done. False if the simulation has ended.
    pub fn ask(&self, request: Request, answer: impl FnOnce(Answer) + Send + 'static) -> bool {
        self.put(Message::Request(request, Some(Box::new(answer))))
    }

    /// Number of resets so far, after which no command from before them is in force.
    pub fn resets(&self) -> u64 {
        self.0.resets.load(Ordering::Acquire)
    }

    /// Sends a command of a source. It takes the place of an earlier one of this source that waits, unless anything but
    /// commands of sources and news of topics was sent in between: so a flood of commands takes no memory, and none of them overtakes or
    /// falls behind another request. False if the simulation has ended.
    pub fn command(&self, source: &CommandSource, action: Action) -> bool {
        let mut queue = lock(&self.0.queue);
        if queue.is_closed {
            return false;
        }
        let latest = queue.messages.iter().enumerate().rev();
        let mut latest =
            latest.take_while(|(_, message)| !matches!(message, Message::Request(..) | Message::Visitor(_)));
        let replaced = latest.find_map(|(index, message)| match message {
            Message::Command(earlier, _) if Arc::ptr_eq(&earlier.0, &source.0) => Some(index),
            _ => None,
        });
        // The new one goes behind what other sources have sent since.
        if let Some(index) = replaced {
            queue.messages.remove(index);
        }
        queue.refused.remove(&source.vehicle());
        queue.messages.push_back(Message::Command(source.clone(), action));
        drop(queue);
        self.0.arrived.notify_one();
        true
    }

    /// Tells why a message that was meant for a vehicle is no command, for those who wait for one: `topic "/drive": command refused, not finite`.
    pub fn refuse(&self, vehicle: EntityId, why: String) {
        lock(&self.0.queue).refused.insert(vehicle, why);
    }

    /// Tells what is new about a topic of others. A count of messages is added to one that waits, so that a flood of them takes no memory.
    /// False if the simulation has ended.
    pub fn tell(&self, topic: &PeerTopic, news: TopicNews) -> bool {
        if let TopicNews::Heard(more) = news {
            let mut queue = lock(&self.0.queue);
            let last = queue.messages.iter_mut().rev().find_map(|message| match message {
                Message::News(other, news) if other.is(topic) => Some(news),
                _ => None,
            });
            if let Some(TopicNews::Heard(count)) = last {
                *count += more;
                return true;
            }
        }
        self.put(Message::News(topic.clone(), news))
    }

    fn put(&self, message: Message) -> bool {
        let mut queue = lock(&self.0.queue);
        if queue.is_closed {
            // What it holds may send, too.
            drop(queue);
            drop(message);
            return false;
        }
        queue.messages.push_back(message);
        drop(queue);
        self.0.arrived.notify_one();
        true
    }
}

/// The receiving end, which the runner empties between two steps.
pub struct Inbox(Arc<Mailbox>);

impl Inbox {
    /// Takes the requests that have arrived, without their answers: for tests of their senders.
    pub fn requests(&self) -> Vec<Request> {
        let request = |message| match message {
            Message::Request(request, _) => Some(request),
            Message::Command(source, action) => Some(Request::Command { id: source.vehicle(), action }),
            Message::News(..) | Message::Visitor(_) => None,
        };
        std::iter::from_fn(|| self.next()).filter_map(request).collect()
    }

    /// Counts a reset, for those who keep commands back.
    pub fn note_reset(&self) {
        self.0.resets.fetch_add(1, Ordering::Release);
    }

    /// Why messages for these vehicles are no commands, as far as it has not been taken.
    pub(super) fn take_refused(&self) -> BTreeMap<EntityId, String> {
        std::mem::take(&mut lock(&self.0.queue).refused)
    }

    /// The next message, if one has arrived.
    pub(super) fn next(&self) -> Option<Message> {
        lock(&self.0.queue).messages.pop_front()
    }

    /// The next message; gives up after `patience`, and waits for the whole of it even when no sender is left.
    pub(super) fn wait(&self, patience: Duration) -> Option<Message> {
        let queue = lock(&self.0.queue);
        let waited = self.0.arrived.wait_timeout_while(queue, patience, |queue| queue.messages.is_empty());
        let (mut queue, _) = waited.unwrap_or_else(PoisonError::into_inner);
        queue.messages.pop_front()
    }
}

impl Drop for Inbox {
    fn drop(&mut self) {
        let mut queue = lock(&self.0.queue);
        queue.is_closed = true;
        let unread = std::mem::take(&mut queue.messages);
        drop(queue);
        // Whoever waits for an answer learns that there is none.
        drop(unread);
    }
}

/// A connected sender and receiver.
pub fn mailbox() -> (Outbox, Inbox) {
    let mailbox = Arc::new(Mailbox::default());
    (Outbox(mailbox.clone()), Inbox(mailbox))
}

#[cfg(test)]
mod tests {
    use skidpad_files::diagnostic::Diagnostic;

    use super::*;

    #[test]
    fn rates_are_numbers_within_limits_or_max() {
        assert_eq!("max".parse(), Ok(Rate::Max));
        assert_eq!("0.5".parse(), Ok(Rate::Factor(0.5)));
        for bad in ["0", "-1", "nan", "inf", "1e-308", "0.0009", "1e7"] {
            let message = Diagnostic::from(bad.parse::<Rate>().unwrap_err()).to_string();
            assert!(message.ends_with("is out of range\n  accepted: a number from 0.001 to 1000000, max"), "{message}");
        }
        assert_eq!(
            Diagnostic::from("fast".parse::<Rate>().unwrap_err()).to_string(),
            "rate: \"fast\" is not a number\n  accepted: a number from 0.001 to 1000000, max"
        );
    }

    #[test]
    fn a_request_sent_after_the_end_is_refused() {
        let (outbox, inbox) = mailbox();
        assert!(outbox.send(Request::Reset));
        drop(inbox);
        assert!(!outbox.send(Request::Reset));
        assert!(!outbox.command(&CommandSource::new(EntityId(1), |_| ()), GO));
    }

    const GO: Action = Action::Ackermann { speed: 1.0, steering_angle: 0.0 };

    /// What waits, in order: a letter for the source of each command, or `-` for anything else.
    fn order(inbox: &Inbox, sources: &[(char, &CommandSource)]) -> String {
        let letter = |message| match message {
            Message::Command(source, Action::Ackermann { speed, .. }) => {
                let (name, _) = sources.iter().find(|(_, known)| Arc::ptr_eq(&known.0, &source.0)).unwrap();
                format!("{name}{speed}")
            }
            _ => "-".to_owned(),
        };
        std::iter::from_fn(|| inbox.next()).map(letter).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn commands_keep_their_order_with_everything_else_and_take_no_memory() {
        let (outbox, inbox) = mailbox();
        let [a, b] = [1, 2].map(|id| CommandSource::new(EntityId(id), |_| ()));
        let go = |source, speed| assert!(outbox.command(source, Action::Ackermann { speed, steering_angle: 0.0 }));
        let named = [('a', &a), ('b', &b)];
        for speed in 0..1000 {
            go(&a, f64::from(speed));
        }
        assert_eq!(order(&inbox, &named), "a999");
        go(&a, 1.0);
        go(&b, 2.0);
        go(&a, 3.0);
        assert_eq!(order(&inbox, &named), "b2 a3", "the last command is behind those that it follows");
        go(&a, 1.0);
        outbox.send(Request::Reset);
        go(&a, 2.0);
        go(&a, 3.0);
        outbox.visit(|_| ());
        go(&b, 4.0);
        assert_eq!(order(&inbox, &named), "a1 - a3 - b4", "none is moved over a request or a visitor");
        let topic = PeerTopic::new("/r");
        go(&a, 1.0);
        for _ in 0..1000 {
            assert!(outbox.tell(&topic, TopicNews::Heard(1)));
        }
        go(&a, 2.0);
        assert!(matches!(inbox.next(), Some(Message::News(_, TopicNews::Heard(1000)))));
        assert_eq!(order(&inbox, &named), "a2", "news of a topic does not count between commands");
    }
}
