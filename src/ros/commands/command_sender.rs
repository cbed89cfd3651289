//! Sends the commands of one topic to the simulation, in order with all other requests.

use std::sync::{Arc, Mutex};

use skidpad_files::legible::phrase;
use skidpad_files::reported_once::ReportedOnce;
use skidpad_run::guard::lock;
use skidpad_run::runner::{CommandSource, Outbox, REMOVED};
use skidpad_sim::vehicle::Action;
use skidpad_sim::world::EntityId;

/// Sends the commands of one topic to one vehicle. Of those that wait only the latest is kept ([`Outbox::command`]). Clones are the same
/// sender.
#[derive(Clone)]
pub(crate) struct CommandSender {
    source: CommandSource,
    topic: Arc<str>,
    outbox: Outbox,
}

impl CommandSender {
    /// The sender of commands from `topic` (its full name) to the vehicle with this id. Each reason for which commands are refused is
    /// reported once.
    pub fn new(vehicle: EntityId, topic: &str, outbox: &Outbox) -> CommandSender {
        let topic: Arc<str> = topic.into();
        let reported = Mutex::new(ReportedOnce::default());
        let source = CommandSource::new(vehicle, {
            let topic = topic.clone();
            move |answer| {
                if let Err(reason) = answer
                    && reason != REMOVED
                    && let Some(reason) = lock(&reported).first(&reason)
                {
                    tracing::warn!("topic \"{topic}\": command refused: {reason}");
                }
            }
        });
        CommandSender { source, topic, outbox: outbox.clone() }
    }

    /// The vehicle that it sends to.
    pub fn vehicle(&self) -> EntityId {
        self.source.vehicle()
    }

    /// The full name of its topic.
    pub fn topic(&self) -> &str {
        &self.topic
    }

    /// Number of resets of the simulation so far.
    pub fn resets(&self) -> u64 {
        self.outbox.resets()
    }

    /// Tells those who wait for a command why one was refused.
    pub fn refuse(&self, why: &str) {
        let first_line = why.lines().next().unwrap_or_default();
        self.outbox.refuse(self.vehicle(), format!("topic \"{}\": {}", self.topic, phrase(first_line)));
    }

    /// Sends a command.
    pub fn send(&self, action: Action) {
        // A simulation that has ended needs none.
        let _ = self.outbox.command(&self.source, action);
    }
}

#[cfg(test)]
mod tests {
    use skidpad_math::time::SimTime;
    use skidpad_math::{Pose2, Twist2};
    use skidpad_run::runner::{Request, Settings, mailbox, run};
    use skidpad_run::sink::{Sink, SinkError, Sinks};
    use skidpad_sim::world::{Frame, LoadOptions, Scene, World};

    use super::*;

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
        let seen = Arc::new(Mutex::new(Vec::new()));
        let mut sinks = Sinks::new();
        sinks.push(Box::new(Probe(seen.clone())));
        let settings = Settings {
            duration: Some(SimTime::from_secs(0.01)),
            rate: skidpad_math::time::Rate::Max,
            ..Settings::default()
        };
        run(&mut world, &mut sinks, &inbox, settings).unwrap();
        assert_eq!(seen.lock().unwrap()[0], [0.0, 1000.0]);
    }

    /// What one topic has sent before another one's teleport, or before a reset, has no effect after it, however far the simulation is behind.
    #[test]
    fn commands_from_before_a_teleport_or_a_reset_do_not_act_after_it() {
        let text = "<mvsim_world version=\"1.0\"><vehicle name=\"a\"><init_pose>0 0 0</init_pose>\
             <dynamics class=\"ackermann\"><controller class=\"twist_ideal\"/></dynamics></vehicle></mvsim_world>";
        for is_teleport in [true, false] {
            let (mut world, _) =
                World::load_text("test", std::path::Path::new("."), text, &LoadOptions::default()).unwrap();
            let id = world.scene().vehicles[0].id;
            let (outbox, inbox) = mailbox();
            let [drive, pose] = ["/drive", "/initialpose"].map(|topic| CommandSender::new(id, topic, &outbox));
            (0..50).for_each(|_| drive.send(Action::Setpoints { speed: Some(1.0), steering_angle: None }));
            if is_teleport {
                pose.send(Action::Teleport(Pose2::new(3.0, 4.0, 0.0)));
            } else {
                outbox.send(Request::Reset);
            }
            let steer = CommandSender::new(id, "/servo", &outbox);
            steer.send(Action::Setpoints { speed: None, steering_angle: Some(0.1) });
            let seen = Arc::new(Mutex::new(Vec::new()));
            let mut sinks = Sinks::new();
            sinks.push(Box::new(Probe(seen.clone())));
            let settings = Settings {
                duration: Some(SimTime::from_secs(0.1)),
                rate: skidpad_math::time::Rate::Max,
                ..Settings::default()
            };
            run(&mut world, &mut sinks, &inbox, settings).unwrap();
            assert!(seen.lock().unwrap().iter().all(|speeds| *speeds == [0.0]), "{is_teleport}: {seen:?}");
            assert_eq!(world.frame().vehicles[0].setpoint.steering_angle, 0.1);
        }
    }
}
