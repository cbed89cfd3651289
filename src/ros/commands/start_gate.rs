//! Holds commands back at the start: until every vehicle has received its first command, as f1tenth_gym_ros does, or until a vehicle has
//! been given a pose, as nav2's loopback simulator does. Meanwhile the vehicles stand still but time advances, so that a controller that
//! waits for a scan before its first command receives one. A reset forgets the commands that are held, as it does those in force.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use skidpad_run::guard::lock;
use skidpad_sim::vehicle::Action;
use skidpad_sim::world::EntityId;

use super::command_sender::CommandSender;

/// The event that opens the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WaitFor {
    /// A command to each vehicle.
    Commands,
    /// A pose for any vehicle.
    Pose,
}

/// Holds commands back until it opens. Clones share their state.
#[derive(Clone)]
pub(crate) struct StartGate(Arc<Shared>);

struct Shared {
    waits_for: WaitFor,
    is_open: AtomicBool,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    expected: BTreeSet<EntityId>,
    /// The last command of each topic to each vehicle that has received one, in their order.
    held: BTreeMap<EntityId, Vec<Held>>,
}

struct Held {
    sender: CommandSender,
    action: Action,
    /// Number of resets before it came.
    resets: u64,
}

impl Waiting {
    /// Forgets the commands from before a reset.
    fn follow_resets(&mut self) {
        self.held.retain(|_, commands| {
            commands.retain(|held| held.resets == held.sender.resets());
            !commands.is_empty()
        });
    }
}

impl StartGate {
    /// The gate for a value of the parameter `wait_for`: `nothing`, `commands` or `pose`.
    pub fn named(wait_for: &str) -> StartGate {
        let waits_for = if wait_for == "pose" { WaitFor::Pose } else { WaitFor::Commands };
        let is_open = AtomicBool::new(!matches!(wait_for, "pose" | "commands"));
        if !is_open.load(Ordering::Relaxed) {
            tracing::info!(
                "commands are held until {}",
                match waits_for {
                    WaitFor::Commands => "every vehicle has received one",
                    WaitFor::Pose => "a vehicle receives a pose",
                }
            );
        }
        StartGate(Arc::new(Shared { waits_for, is_open, waiting: Mutex::default() }))
    }

    /// Sets the vehicles that the gate waits for: all that accept commands.
    pub fn expect(&self, vehicles: BTreeSet<EntityId>) {
        if self.is_open() {
            return;
        }
        let mut waiting = lock(&self.0.waiting);
        waiting.held.retain(|id, _| vehicles.contains(id));
        waiting.expected = vehicles;
        self.open_once_complete(waiting);
    }

    /// Sends a command, or holds it back while the gate is closed. Poses always pass.
    pub fn pass(&self, sender: &CommandSender, action: Action) {
        if self.is_open() {
            sender.send(action);
            return;
        }
        let is_pose = matches!(action, Action::Teleport(_));
        match self.0.waits_for {
            _ if is_pose => {
                // As without a gate, a vehicle that has received a pose stands until its next command.
                lock(&self.0.waiting).held.remove(&sender.vehicle());
                sender.send(action);
                if self.0.waits_for == WaitFor::Pose {
                    self.open();
                }
            }
            // A robot without an initial pose cannot drive yet.
            WaitFor::Pose => {}
            WaitFor::Commands => {
                let mut waiting = lock(&self.0.waiting);
                if self.is_open() {
                    drop(waiting);
                    sender.send(action);
                    return;
                }
                let resets = sender.resets();
                let held = waiting.held.entry(sender.vehicle()).or_default();
                held.retain(|earlier| earlier.sender.topic() != sender.topic());
                held.push(Held { sender: sender.clone(), action, resets });
                self.open_once_complete(waiting);
            }
        }
    }

    fn open_once_complete(&self, mut waiting: MutexGuard<'_, Waiting>) {
        waiting.follow_resets();
        let all = !waiting.expected.is_empty() && waiting.expected.iter().all(|id| waiting.held.contains_key(id));
        if self.0.waits_for == WaitFor::Commands && all {
            for Held { sender, action, .. } in std::mem::take(&mut waiting.held).into_values().flatten() {
                sender.send(action);
            }
            // Opened last, so that no newer command overtakes a held one.
            self.open();
        }
    }

    fn open(&self) {
        self.0.is_open.store(true, Ordering::Release);
        tracing::info!("commands released");
    }

    /// Whether commands pass.
    pub fn is_open(&self) -> bool {
        self.0.is_open.load(Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests {
    use skidpad_math::Pose2;
    use skidpad_run::runner::{Outbox, Request, mailbox};

    use super::*;

    const GO: Action = Action::Ackermann { speed: 1.0, steering_angle: 0.0 };

    fn senders(outbox: &Outbox) -> [CommandSender; 2] {
        [1, 2].map(|id| CommandSender::new(EntityId(id), "/drive", outbox))
    }

    fn arrived(inbox: &skidpad_run::runner::Inbox) -> Vec<(EntityId, Action)> {
        let mut all = Vec::new();
        for request in inbox.requests() {
            if let Request::Command { id, action } = request {
                all.push((id, action));
            }
        }
        all
    }

    #[test]
    fn commands_are_held_until_each_vehicle_has_one() {
        let (outbox, inbox) = mailbox();
        let [first, second] = senders(&outbox);
        let gate = StartGate::named("commands");
        gate.expect(BTreeSet::from([EntityId(1), EntityId(2)]));
        gate.pass(&first, Action::Ackermann { speed: 9.0, steering_angle: 0.0 });
        gate.pass(&first, GO);
        assert!(arrived(&inbox).is_empty());
        gate.pass(&second, GO);
        assert_eq!(arrived(&inbox), [(EntityId(1), GO), (EntityId(2), GO)]);
        gate.pass(&second, GO);
        assert_eq!(arrived(&inbox), [(EntityId(2), GO)]);
    }

    #[test]
    fn each_topic_of_a_vehicle_holds_its_last_command_until_a_teleport() {
        let (outbox, inbox) = mailbox();
        let sender = |topic| CommandSender::new(EntityId(1), topic, &outbox);
        let [motor, servo, pose] = ["/motor", "/servo", "/pose"].map(sender);
        let [slow, fast] = [1.0, 2.0].map(|speed| Action::Setpoints { speed: Some(speed), steering_angle: None });
        let turn = Action::Setpoints { speed: None, steering_angle: Some(0.1) };
        let gate = StartGate::named("commands");
        gate.expect(BTreeSet::from([EntityId(1), EntityId(2)]));
        gate.pass(&motor, slow);
        gate.pass(&servo, turn);
        gate.pass(&motor, fast);
        let put = Action::Teleport(Pose2::IDENTITY);
        let of_first = |actions: &[Action]| actions.iter().map(|action| (EntityId(1), *action)).collect::<Vec<_>>();
        gate.expect(BTreeSet::from([EntityId(1)]));
        assert_eq!(arrived(&inbox), of_first(&[turn, fast]));
        let gate = StartGate::named("commands");
        gate.expect(BTreeSet::from([EntityId(1), EntityId(2)]));
        gate.pass(&motor, slow);
        gate.pass(&pose, put);
        gate.pass(&servo, turn);
        gate.expect(BTreeSet::from([EntityId(1)]));
        assert_eq!(arrived(&inbox), of_first(&[put, turn]));
    }

    #[test]
    fn the_gate_does_not_wait_for_a_removed_vehicle() {
        let (outbox, inbox) = mailbox();
        let [first, _] = senders(&outbox);
        let gate = StartGate::named("commands");
        gate.expect(BTreeSet::from([EntityId(1), EntityId(2)]));
        gate.pass(&first, GO);
        gate.expect(BTreeSet::from([EntityId(1)]));
        assert_eq!(arrived(&inbox), [(EntityId(1), GO)]);
    }

    #[test]
    fn a_reset_forgets_what_is_held() {
        let (outbox, inbox) = mailbox();
        let [first, second] = senders(&outbox);
        let gate = StartGate::named("commands");
        gate.expect(BTreeSet::from([EntityId(1), EntityId(2)]));
        gate.pass(&first, GO);
        inbox.note_reset();
        gate.pass(&second, GO);
        assert!(arrived(&inbox).is_empty(), "the first has had no command since");
        let slow = Action::Ackermann { speed: 0.5, steering_angle: 0.0 };
        gate.pass(&first, slow);
        assert_eq!(arrived(&inbox), [(EntityId(1), slow), (EntityId(2), GO)]);
    }

    #[test]
    fn a_pose_opens_the_gate_and_discards_earlier_commands() {
        let (outbox, inbox) = mailbox();
        let [first, second] = senders(&outbox);
        let gate = StartGate::named("pose");
        gate.pass(&first, GO);
        assert!(arrived(&inbox).is_empty());
        let pose = Action::Teleport(Pose2::new(1.0, 2.0, 0.0));
        gate.pass(&first, pose);
        gate.pass(&second, GO);
        assert_eq!(arrived(&inbox), [(EntityId(1), pose), (EntityId(2), GO)]);
    }

    #[test]
    fn the_gate_is_open_without_anything_to_wait_for() {
        let (outbox, inbox) = mailbox();
        let gate = StartGate::named("nothing");
        gate.pass(&senders(&outbox)[0], GO);
        assert_eq!(arrived(&inbox), [(EntityId(1), GO)]);
    }
}
