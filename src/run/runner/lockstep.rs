//! Lockstep: the simulation waits for its commanders.
//!
//! On the grid `period, 2·period, …` of simulated time the run stops after the frame has been passed to the sinks, until every controlled
//! vehicle has received a command since then, and the recording a message of every [topic of others](OutsideTopics). The results therefore
//! depend on the commands alone, and not on how long a controller took to compute them. Pure bookkeeping; the runner supplies the wall time.

use std::collections::BTreeMap;
use std::time::Duration;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::time::{Periodic, SimTime};
use skidpad_sim::world::{EntityId, Frame, Scene};

use super::peer_topics::{Lapse, PeerTopic, PeerTopics, TopicNews};

/// How to wait for commands.
#[derive(Clone, Debug, PartialEq)]
pub struct Lockstep {
    /// Simulated time between two waits [ns], > 0.
    pub period: SimTime,
    /// Timeout of a command [wall time], after which a warning names the late vehicles, > 0.
    pub timeout: Duration,
    /// The policy after the timeout.
    pub when_late: WhenLate,
    /// Names of the awaited vehicles; empty: all that accept commands and have no driver in this process.
    pub vehicles: Vec<String>,
}

impl Lockstep {
    /// The shortest timeout [s].
    pub const MIN_TIMEOUT: f64 = 1e-3;

    /// Waits every `period` [ns] of simulated time, one second for each command, then continues without it.
    pub fn every(period: SimTime) -> Lockstep {
        Lockstep { period, timeout: Duration::from_secs(1), when_late: WhenLate::GoOn, vehicles: Vec::new() }
    }

    /// The reason why these settings are invalid, if they are.
    pub fn check(self) -> Result<Lockstep, Diagnostic> {
        if self.period <= SimTime::ZERO {
            return Err(Diagnostic::new("lockstep", "no period").accepted("a positive time"));
        }
        if self.timeout.as_secs_f64() < Lockstep::MIN_TIMEOUT {
            let message = Diagnostic::new("lockstep", "no time-out");
            return Err(message.accepted(format!("at least {} s", Lockstep::MIN_TIMEOUT)));
        }
        Ok(self)
    }
}

/// Policy after the timeout of a wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WhenLate {
    /// The simulation continues until the next wait; late vehicles follow their last command.
    #[default]
    GoOn,
    /// The simulation keeps waiting.
    KeepWaiting,
    /// The run ends, and its [`Summary`](super::Summary) says why.
    End,
}

impl WhenLate {
    /// Every value with its name.
    pub const NAMES: [(&'static str, WhenLate); 3] =
        [("go_on", WhenLate::GoOn), ("wait", WhenLate::KeepWaiting), ("end", WhenLate::End)];
}

/// Holds a run until all awaited commands have arrived.
#[derive(Debug)]
pub(super) struct CommandBarrier {
    rules: Option<Lockstep>,
    due: Periodic,
    /// Vehicles whose command for the last instant of the grid is outstanding.
    awaited: Vec<EntityId>,
    /// The awaited vehicles that have been teleported meanwhile.
    set_down: Vec<EntityId>,
    instant: SimTime,
    /// Wall time at which the waiting began or restarted.
    since: Duration,
    /// Whether the late vehicles of this wait have been reported.
    reported: bool,
    /// Vehicles that were reported late and have not been on time since.
    late: Vec<EntityId>,
    /// Why messages for vehicles that are awaited are no commands.
    refused: BTreeMap<EntityId, String>,
    topics: PeerTopics,
    /// Wall time at which only messages of topics were still awaited.
    commanded: Option<Duration>,
}

/// Whether the next step may be made.
#[derive(Debug, PartialEq)]
pub(super) enum NextStep {
    /// Make it.
    Make,
    /// Wait, for as long as this.
    Wait(Duration),
    /// Report this warning about late vehicles, and ask again.
    Late(Diagnostic),
    /// Count these messages for the instant as missing, and ask again.
    Missing(SimTime, Vec<Lapse>),
    /// End the run for this reason.
    End(Diagnostic),
}

impl CommandBarrier {
    pub(super) fn new() -> CommandBarrier {
        CommandBarrier {
            rules: None,
            due: Periodic::new(SimTime(1)),
            awaited: Vec::new(),
            set_down: Vec::new(),
            instant: SimTime::ZERO,
            since: Duration::ZERO,
            reported: false,
            late: Vec::new(),
            refused: BTreeMap::new(),
            topics: PeerTopics::default(),
            commanded: None,
        }
    }

    /// Changes the settings at simulated time `time`. No vehicle is awaited until the next instant of the grid.
    pub(super) fn set(&mut self, rules: Option<Lockstep>, time: SimTime) {
        self.rules = rules;
        self.awaited.clear();
        self.late.clear();
        self.restart(time);
    }

    /// Simulated time has jumped to `time`.
    pub(super) fn restart(&mut self, time: SimTime) {
        self.due = Periodic::after(self.rules.as_ref().map_or(SimTime(1), |rules| rules.period), time);
        self.awaited.clear();
        self.topics.clear();
    }

    /// Whether the run is in lockstep.
    pub(super) fn is_set(&self) -> bool {
        self.rules.is_some()
    }

    /// Whether any command or message is awaited.
    pub(super) fn is_waiting(&self) -> bool {
        !self.awaited.is_empty() || self.topics.are_outstanding()
    }

    /// Takes news of a topic; `answers`: a message counts for the last instant of the grid.
    pub(super) fn take_news(&mut self, topic: &PeerTopic, news: TopicNews, answers: bool) {
        let is_waiting = answers && self.is_waiting();
        self.topics.take(topic, news, is_waiting);
    }

    /// Whether to wait after the step that has ended at `time`.
    pub(super) fn is_due(&mut self, time: SimTime) -> bool {
        self.rules.is_some() && self.due.is_due(time)
    }

    /// Starts to wait for the commands that answer `frame`; `is_scheduled` is true for vehicles that are commanded from a file.
    pub(super) fn expect(&mut self, scene: &Scene, frame: &Frame, is_scheduled: impl Fn(usize) -> bool, now: Duration) {
        let Some(rules) = &self.rules else { return };
        self.awaited.clear();
        self.set_down.clear();
        for (index, vehicle) in scene.vehicles.iter().enumerate() {
            let listed = rules.vehicles.is_empty() || rules.vehicles.contains(&vehicle.name);
            let driven = frame.vehicles.get(index).is_some_and(|state| state.has_driver) || is_scheduled(index);
            if listed && vehicle.accepts.any() && !driven {
                self.awaited.push(vehicle.id);
            }
        }
        self.topics.expect();
        (self.instant, self.since, self.reported, self.commanded) = (frame.time, now, false, None);
    }

    /// Records a command for this vehicle. Returns its name if it was late and is on time again.
    pub(super) fn answered<'a>(&mut self, scene: &'a Scene, vehicle: usize) -> Option<&'a str> {
        let vehicle = scene.vehicles.get(vehicle)?;
        self.refused.remove(&vehicle.id);
        let place = self.awaited.iter().position(|awaited| *awaited == vehicle.id)?;
        self.awaited.swap_remove(place);
        // An answer after the timeout is still late.
        let was_late = self.late.iter().position(|late| *late == vehicle.id).filter(|_| !self.reported)?;
        self.late.swap_remove(was_late);
        Some(&vehicle.name)
    }

    /// Records why messages for vehicles are no commands.
    pub(super) fn refuse(&mut self, refused: BTreeMap<EntityId, String>) {
        self.refused.extend(refused);
    }

    /// Records why the world refused a command for a vehicle.
    pub(super) fn refuse_command(&mut self, vehicle: EntityId, reason: &str) {
        self.refused.insert(vehicle, format!("command refused: {reason}"));
    }

    /// Records that the vehicle with this id was teleported at wall time `now`. A teleport is not a command, and one may follow; but the
    /// commander may itself wait for a frame from the new pose. So the timeout restarts, and after it the vehicle is no longer awaited.
    pub(super) fn set_down(&mut self, vehicle: EntityId, now: Duration) {
        if self.awaited.contains(&vehicle) && !self.set_down.contains(&vehicle) {
            self.set_down.push(vehicle);
            self.since = now;
        }
    }

    /// Drops removed vehicles.
    pub(super) fn follow(&mut self, scene: &Scene) {
        self.awaited.retain(|id| scene.vehicle_of(*id).is_some());
        self.late.retain(|id| scene.vehicle_of(*id).is_some());
        self.refused.retain(|id, _| scene.vehicle_of(*id).is_some());
    }

    /// Restarts the timeout after a pause.
    pub(super) fn resume(&mut self, now: Duration) {
        self.since = now;
        self.commanded = self.commanded.map(|_| now);
    }

    /// Whether the next step may be made at wall time `now`.
    pub(super) fn next_step(&mut self, scene: &Scene, now: Duration) -> NextStep {
        match self.after_commands(scene, now) {
            NextStep::Make if self.topics.are_outstanding() => self.after_messages(now),
            other => other,
        }
    }

    /// The same as far as messages of topics count.
    fn after_messages(&mut self, now: Duration) -> NextStep {
        let Some(rules) = &self.rules else { return NextStep::Make };
        let since = *self.commanded.get_or_insert(now);
        let left = since.saturating_add(rules.timeout).saturating_sub(now);
        match left > Duration::ZERO {
            true => NextStep::Wait(left),
            false => NextStep::Missing(self.instant, self.topics.give_up(rules, self.instant)),
        }
    }

    /// The same as far as commands count.
    fn after_commands(&mut self, scene: &Scene, now: Duration) -> NextStep {
        let Some(rules) = self.rules.as_ref().filter(|_| !self.awaited.is_empty()) else { return NextStep::Make };
        let left = (self.since.saturating_add(rules.timeout)).saturating_sub(now);
        if left > Duration::ZERO {
            return NextStep::Wait(left);
        }
        if rules.when_late != WhenLate::GoOn {
            self.awaited.retain(|id| !self.set_down.contains(id));
            if self.awaited.is_empty() {
                self.topics.clear();
                return NextStep::Make;
            }
        }
        if rules.when_late == WhenLate::End {
            return NextStep::End(complaint(rules, scene, &self.awaited, &self.refused, self.instant));
        }
        let fresh: Vec<EntityId> = self.awaited.iter().filter(|id| !self.late.contains(id)).copied().collect();
        let first = !std::mem::replace(&mut self.reported, true);
        if first && !fresh.is_empty() {
            self.late.extend(&fresh);
            return NextStep::Late(complaint(rules, scene, &fresh, &self.refused, self.instant));
        }
        match rules.when_late {
            WhenLate::KeepWaiting | WhenLate::End => NextStep::Wait(Duration::MAX),
            WhenLate::GoOn => {
                self.awaited.clear();
                // Nobody has answered this instant, so no message of it is lost.
                self.topics.clear();
                NextStep::Make
            }
        }
    }
}

/// The warning about the vehicles whose commands for `instant` are late, with what was refused for them.
fn complaint(
    rules: &Lockstep,
    scene: &Scene,
    late: &[EntityId],
    refused: &BTreeMap<EntityId, String>,
    instant: SimTime,
) -> Diagnostic {
    let name_of = |id: &EntityId| scene.vehicle_of(*id).map(|index| format!("\"{}\"", scene.vehicles[index].name));
    let names: Vec<String> = late.iter().filter_map(name_of).collect();
    let consequence = match rules.when_late {
        WhenLate::GoOn => "going on without",
        WhenLate::KeepWaiting => "still waiting",
        WhenLate::End => "the run ends",
    };
    let reasons: Vec<&str> = late.iter().filter_map(|id| refused.get(id)).map(String::as_str).collect();
    let why = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) };
    let found = format!(
        "no command for {} within {} s of the messages published at {instant}, {consequence}{why}",
        names.join(", "),
        rules.timeout.as_secs_f64()
    );
    let reported = Diagnostic::new("lockstep", found)
        .accepted(format!("one command per vehicle every {} simulated s", rules.period.secs()));
    if reasons.is_empty() {
        reported.hint("publish one command per period, or raise lockstep_timeout")
    } else {
        reported.hint("publish commands that the vehicle accepts")
    }
}

#[cfg(test)]
mod tests {
    use skidpad_sim::world::{Accepts, VehicleFrame, VehicleInfo};

    use super::*;

    const PERIOD: SimTime = SimTime(20_000_000);
    const SECOND: Duration = Duration::from_secs(1);

    /// Vehicles that accept velocities, with these ids.
    fn scene(ids: &[u64]) -> Scene {
        let vehicle = |id: &u64| VehicleInfo {
            id: EntityId(*id),
            name: format!("r{id}"),
            accepts: Accepts { twist: true, ..Accepts::default() },
            ..VehicleInfo::default()
        };
        Scene { vehicles: ids.iter().map(vehicle).collect(), ..Scene::default() }
    }

    fn frame(vehicles: usize, time: SimTime) -> Frame {
        Frame { time, vehicles: vec![VehicleFrame::default(); vehicles], ..Frame::default() }
    }

    fn barrier(when_late: WhenLate) -> CommandBarrier {
        let mut barrier = CommandBarrier::new();
        barrier.set(Some(Lockstep { when_late, ..Lockstep::every(PERIOD) }), SimTime::ZERO);
        barrier
    }

    #[test]
    fn it_waits_on_the_grid_for_every_vehicle() {
        let (scene, mut barrier) = (scene(&[1, 2]), barrier(WhenLate::GoOn));
        assert!(!barrier.is_due(SimTime(15_000_000)) && barrier.is_due(PERIOD) && !barrier.is_due(SimTime(25_000_000)));
        assert_eq!(barrier.next_step(&scene, SECOND), NextStep::Make);
        barrier.expect(&scene, &frame(2, PERIOD), |_| false, SECOND);
        assert_eq!(barrier.next_step(&scene, SECOND), NextStep::Wait(SECOND));
        assert_eq!(barrier.answered(&scene, 1), None);
        assert_eq!(barrier.next_step(&scene, SECOND + SECOND / 4), NextStep::Wait(SECOND * 3 / 4));
        assert_eq!(barrier.answered(&scene, 0), None);
        assert_eq!(barrier.next_step(&scene, SECOND), NextStep::Make);
    }

    #[test]
    fn what_was_refused_for_a_late_vehicle_is_told_until_it_has_a_command() {
        let (scene, mut barrier) = (scene(&[1, 2]), barrier(WhenLate::End));
        let mut wait = |refused: &[(u64, &str)], answered: &[usize]| {
            barrier.expect(&scene, &frame(2, PERIOD), |_| false, Duration::ZERO);
            barrier.refuse(refused.iter().map(|(id, why)| (EntityId(*id), (*why).to_owned())).collect());
            for index in answered {
                barrier.answered(&scene, *index);
            }
            let NextStep::End(complaint) = barrier.next_step(&scene, 2 * SECOND) else { panic!("one is late") };
            complaint.to_string()
        };
        let reported = wait(&[(1, "topic \"/a\": not finite"), (2, "b")], &[1]);
        let line = "no command for \"r1\" within 1 s of the messages published at 0.020 s, the run ends: topic \"/a\": not finite\n";
        assert!(reported.contains(line), "{reported}");
        assert!(reported.ends_with("hint: publish commands that the vehicle accepts"), "{reported}");
        let reported = wait(&[], &[0]);
        assert!(
            reported.contains("for \"r2\" within") && reported.contains("the run ends\n"),
            "its last command was none: {reported}"
        );
    }

    #[test]
    fn a_late_vehicle_is_named_once_until_it_is_on_time_again() {
        let (scene, mut barrier) = (scene(&[1, 2]), barrier(WhenLate::GoOn));
        let mut wait = |in_time: &[usize]| {
            barrier.expect(&scene, &frame(2, PERIOD), |_| false, Duration::ZERO);
            let back: Vec<&str> = in_time.iter().filter_map(|index| barrier.answered(&scene, *index)).collect();
            let next_step = barrier.next_step(&scene, 2 * SECOND);
            let then = barrier.next_step(&scene, 2 * SECOND);
            assert_eq!(then, NextStep::Make);
            (back.concat(), next_step)
        };
        let NextStep::Late(complaint) = wait(&[0]).1 else { panic!("r2 is late") };
        assert_eq!(
            complaint.to_string(),
            "lockstep: no command for \"r2\" within 1 s of the messages published at 0.020 s, going on without\n  accepted: one command \
             per vehicle every 0.02 simulated s\n  hint: publish one command per period, or raise lockstep_timeout"
        );
        assert_eq!(wait(&[0]), (String::new(), NextStep::Make));
        let NextStep::Late(complaint) = wait(&[]).1 else { panic!("r1 is late") };
        assert!(complaint.to_string().contains("for \"r1\" within"), "{complaint}");
        assert_eq!(wait(&[0, 1]), ("r1r2".into(), NextStep::Make));
        let NextStep::Late(complaint) = wait(&[]).1 else { panic!("both are late") };
        assert!(complaint.to_string().contains("for \"r1\", \"r2\" within"), "{complaint}");
    }

    #[test]
    fn it_can_keep_waiting_and_then_accepts_the_late_answer() {
        let (scene, mut barrier) = (scene(&[1]), barrier(WhenLate::KeepWaiting));
        barrier.expect(&scene, &frame(1, PERIOD), |_| false, Duration::ZERO);
        assert!(
            matches!(barrier.next_step(&scene, SECOND), NextStep::Late(complaint) if complaint.to_string().contains("still waiting"))
        );
        assert_eq!(barrier.next_step(&scene, 100 * SECOND), NextStep::Wait(Duration::MAX));
        assert_eq!(barrier.answered(&scene, 0), None);
        assert_eq!(barrier.next_step(&scene, 100 * SECOND), NextStep::Make);
    }

    #[test]
    fn it_can_end_the_run() {
        let (scene, mut barrier) = (scene(&[1]), barrier(WhenLate::End));
        barrier.expect(&scene, &frame(1, PERIOD), |_| false, Duration::ZERO);
        assert_eq!(barrier.next_step(&scene, SECOND / 2), NextStep::Wait(SECOND / 2));
        let NextStep::End(why) = barrier.next_step(&scene, SECOND) else { panic!("the end") };
        let expected = "lockstep: no command for \"r1\" within 1 s of the messages published at 0.020 s, the run ends";
        assert_eq!(why.first_line(), expected);
    }

    #[test]
    fn a_teleported_vehicle_is_awaited_for_at_most_the_timeout_under_any_policy() {
        let (scene, mut barrier) = (scene(&[1, 2]), barrier(WhenLate::KeepWaiting));
        let wait = |barrier: &mut CommandBarrier| barrier.expect(&scene, &frame(2, PERIOD), |_| false, Duration::ZERO);
        wait(&mut barrier);
        assert!(matches!(barrier.next_step(&scene, SECOND), NextStep::Late(_)));
        barrier.set_down(EntityId(1), 5 * SECOND);
        assert_eq!(barrier.next_step(&scene, 5 * SECOND), NextStep::Wait(SECOND), "a command may follow");
        assert_eq!(barrier.next_step(&scene, 6 * SECOND), NextStep::Wait(Duration::MAX), "of the other one");
        barrier.answered(&scene, 1);
        assert_eq!(barrier.next_step(&scene, 6 * SECOND), NextStep::Make);
        wait(&mut barrier);
        barrier.set_down(EntityId(1), Duration::ZERO);
        barrier.set_down(EntityId(2), SECOND / 2);
        assert_eq!(barrier.next_step(&scene, SECOND), NextStep::Wait(SECOND / 2));
        assert_eq!(barrier.next_step(&scene, 2 * SECOND), NextStep::Make, "nobody is late");
        assert!(!barrier.is_waiting());
    }

    #[test]
    fn vehicles_without_a_commander_are_not_awaited() {
        let mut scene = scene(&[1, 2, 3, 4]);
        scene.vehicles[0].accepts = Accepts::default();
        let mut frame = frame(4, PERIOD);
        frame.vehicles[1].has_driver = true;
        let mut barrier = barrier(WhenLate::GoOn);
        barrier.expect(&scene, &frame, |index| index == 2, Duration::ZERO);
        assert_eq!(barrier.awaited, [EntityId(4)]);
        let rules = Lockstep { vehicles: vec!["r2".into(), "r3".into(), "gone".into()], ..Lockstep::every(PERIOD) };
        barrier.set(Some(rules), SimTime::ZERO);
        barrier.expect(&scene, &frame, |_| false, Duration::ZERO);
        assert_eq!(barrier.awaited, [EntityId(3)]);
    }

    #[test]
    fn a_message_of_each_topic_is_awaited_after_the_commands_and_then_counted_as_missing() {
        for when_late in [WhenLate::GoOn, WhenLate::KeepWaiting] {
            let (scene, mut barrier, topic) = (scene(&[1]), barrier(when_late), PeerTopic::new("/r"));
            let wait = |barrier: &mut CommandBarrier| {
                barrier.expect(&scene, &frame(1, PERIOD), |_| false, Duration::ZERO);
            };
            wait(&mut barrier);
            barrier.take_news(&topic, TopicNews::Published, true);
            barrier.answered(&scene, 0);
            assert!(barrier.is_waiting());
            assert_eq!(barrier.next_step(&scene, 5 * SECOND), NextStep::Wait(SECOND), "from the last command on");
            barrier.take_news(&topic, TopicNews::Heard(1), true);
            assert_eq!(barrier.next_step(&scene, 5 * SECOND), NextStep::Make);
            wait(&mut barrier);
            barrier.take_news(&topic, TopicNews::Heard(1), true);
            assert_eq!(barrier.next_step(&scene, Duration::ZERO), NextStep::Wait(SECOND), "for the command");
            barrier.take_news(&topic, TopicNews::Heard(1), false);
            barrier.answered(&scene, 0);
            assert_eq!(barrier.next_step(&scene, Duration::ZERO), NextStep::Make);
            wait(&mut barrier);
            barrier.answered(&scene, 0);
            barrier.take_news(&topic, TopicNews::Heard(1), false);
            assert_eq!(barrier.next_step(&scene, SECOND / 2), NextStep::Wait(SECOND), "that one was from before");
            let NextStep::Missing(PERIOD, lapses) = barrier.next_step(&scene, SECOND * 3 / 2) else {
                panic!("missing")
            };
            assert_eq!((lapses.len(), &*lapses[0].topic), (1, "/r"));
            assert_eq!(barrier.next_step(&scene, SECOND * 3 / 2), NextStep::Make);
        }
    }

    #[test]
    fn no_message_is_missing_where_nobody_answers() {
        let (scene, mut barrier, topic) = (scene(&[1]), barrier(WhenLate::GoOn), PeerTopic::new("/r"));
        barrier.take_news(&topic, TopicNews::Published, true);
        barrier.expect(&scene, &frame(1, PERIOD), |_| false, Duration::ZERO);
        assert!(matches!(barrier.next_step(&scene, SECOND), NextStep::Late(_)));
        assert_eq!(barrier.next_step(&scene, SECOND), NextStep::Make);
        assert!(!barrier.is_waiting());
        barrier.set(Some(Lockstep { when_late: WhenLate::KeepWaiting, ..Lockstep::every(PERIOD) }), SimTime::ZERO);
        barrier.expect(&scene, &frame(1, PERIOD), |_| false, Duration::ZERO);
        barrier.set_down(EntityId(1), Duration::ZERO);
        assert_eq!(barrier.next_step(&scene, SECOND), NextStep::Make);
        assert!(!barrier.is_waiting());
    }

    #[test]
    fn removed_vehicles_are_not_awaited_and_others_keep_their_state() {
        let mut barrier = barrier(WhenLate::GoOn);
        barrier.expect(&scene(&[1, 2, 3]), &frame(3, PERIOD), |_| false, Duration::ZERO);
        let fewer = scene(&[2, 3, 7]);
        barrier.follow(&fewer);
        assert_eq!(barrier.awaited, [EntityId(2), EntityId(3)]);
        barrier.answered(&fewer, 2);
        assert!(barrier.is_waiting());
        barrier.answered(&fewer, 0);
        barrier.answered(&fewer, 1);
        assert_eq!(barrier.next_step(&fewer, 9 * SECOND), NextStep::Make);
    }

    #[test]
    fn the_grid_restarts_with_time() {
        let mut barrier = barrier(WhenLate::GoOn);
        assert!(barrier.is_due(SimTime(1_000_000_000)));
        barrier.restart(SimTime::ZERO);
        assert!(!barrier.is_due(SimTime(5_000_000)) && barrier.is_due(PERIOD));
    }

    #[test]
    fn invalid_settings_are_refused() {
        let message = Lockstep::every(SimTime::ZERO).check().unwrap_err();
        assert_eq!(message.to_string(), "lockstep: no period\n  accepted: a positive time");
        let message = Lockstep { timeout: Duration::ZERO, ..Lockstep::every(PERIOD) }.check().unwrap_err();
        assert_eq!(message.to_string(), "lockstep: no time-out\n  accepted: at least 0.001 s");
    }
}
