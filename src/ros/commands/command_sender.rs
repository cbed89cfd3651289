//! Sends the commands of one topic to the simulation, one at a time. Of the commands that arrive while one is in flight only the
//! latest is kept and sent next, so that a flood of commands takes no memory.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use crate::guard::lock;
use crate::runner::{Outbox, REMOVED, Request};
use crate::vehicle::Action;
use crate::world::EntityId;

/// Sends the commands of one topic to one vehicle. Clones share their state.
#[derive(Clone)]
pub struct CommandSender(Arc<Shared>);

struct Shared {
    vehicle: EntityId,
    topic: String,
    outbox: Outbox,
    pending: Mutex<Pending>,
}

#[derive(Default)]
struct Pending {
    is_in_flight: bool,
    next: Option<Action>,
    /// The reasons for which commands were refused, each reported once.
    reported: BTreeSet<String>,
}

impl CommandSender {
    /// The sender of commands from `topic` (its full name) to the vehicle with this id.
    pub fn new(vehicle: EntityId, topic: &str, outbox: &Outbox) -> CommandSender {
        let (topic, outbox) = (topic.to_owned(), outbox.clone());
        CommandSender(Arc::new(Shared { vehicle, topic, outbox, pending: Mutex::default() }))
    }

    /// The vehicle that it sends to.
    pub fn vehicle(&self) -> EntityId {
        self.0.vehicle
    }

    /// Sends a command, or keeps it until the command in flight is answered.
    pub fn send(&self, action: Action) {
        let mut pending = lock(&self.0.pending);
        if pending.is_in_flight {
            pending.next = Some(action);
            return;
        }
        pending.is_in_flight = true;
        drop(pending);
        self.hand_over(action);
    }

    fn hand_over(&self, action: Action) {
        let (sender, sent) = (self.clone(), Instant::now());
        let request = Request::Command { id: self.0.vehicle, action };
        // No answer comes once the simulation has ended.
        self.0.outbox.ask(request, move |answer| {
            // It takes effect in the next step.
            tracing::trace!(topic = sender.0.topic, "command taken {} µs after it came in", sent.elapsed().as_micros());
            sender.on_answer(answer.err());
        });
    }

    /// Called on the simulation thread.
    fn on_answer(&self, refusal: Option<String>) {
        let mut pending = lock(&self.0.pending);
        if let Some(reason) = refusal.filter(|reason| reason != REMOVED)
            && pending.reported.insert(reason.clone())
        {
            tracing::warn!("topic \"{}\": command refused: {reason}", self.0.topic);
        }
        match pending.next.take() {
            Some(action) => {
                drop(pending);
                self.hand_over(action);
            }
            None => pending.is_in_flight = false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Twist2;
    use crate::runner::{Settings, mailbox, run};
    use crate::sink::{Sink, SinkError, Sinks};
    use crate::time::SimTime;
    use crate::world::{Frame, LoadOptions, Scene, World};

    /// Records the set-points of the vehicles at every frame.
    struct Probe(Arc<Mutex<Vec<Vec<f64>>>>);

    impl Sink for Probe {
        fn name(&self) -> &str {
            "probe"
        }

        fn frame(&mut self, _: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
            let speeds = frame.vehicles.iter().map(|vehicle| vehicle.setpoint.velocity_in_body.vx);
            self.0.lock().unwrap().push(speeds.collect());
            Ok(())
        }
    }

    fn twist(speed: f64) -> Action {
        Action::Twist(Twist2::new(speed, 0.0, 0.0))
    }

    #[test]
    fn the_first_step_uses_the_last_command_of_its_own_vehicle_and_none_of_a_removed_one() {
        let vehicle = |name: &str, y: i32| {
            format!(
                "<vehicle name=\"{name}\"><init_pose>0 {y} 0</init_pose>\
                 <dynamics class=\"differential\"><controller class=\"twist_ideal\"/></dynamics></vehicle>"
            )
        };
        let text = format!("<mvsim_world version=\"1.0\">{}{}</mvsim_world>", vehicle("a", 0), vehicle("b", 9));
        let (mut world, _) =
            World::load_text("test", std::path::Path::new("."), &text, &LoadOptions::default()).unwrap();
        let ids: Vec<EntityId> = world.scene().vehicles.iter().map(|vehicle| vehicle.id).collect();
        let (outbox, inbox) = mailbox();
        let sender = |id| CommandSender::new(id, "/cmd_vel", &outbox);
        let (a, gone) = (sender(ids[1]), sender(EntityId(99)));
        for speed in 1..=1000 {
            a.send(twist(f64::from(speed)));
            gone.send(twist(-1.0));
        }
        assert!(lock(&a.0.pending).next.is_some(), "one is under way, the last waits, the others are forgotten");
        let seen = Arc::new(Mutex::new(Vec::new()));
        let mut sinks = Sinks::new();
        sinks.push(Box::new(Probe(seen.clone())));
        let settings =
            Settings { duration: Some(SimTime::from_secs(0.01)), rate: crate::time::Rate::Max, ..Settings::default() };
        run(&mut world, &mut sinks, &inbox, settings).unwrap();
        assert_eq!(seen.lock().unwrap()[0], [0.0, 1000.0]);
        assert!(!lock(&a.0.pending).is_in_flight && lock(&gone.0.pending).reported.is_empty());
    }
}
