//! Lets the events of a scenario happen: looks before each step at which of them are due.

use std::path::{Path, PathBuf};

use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_files::file_error::FileError;
use skidpad_files::input_file;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Vec2};
use skidpad_run::runner::Change;
use skidpad_sim::world::World;

use super::{Event, GoalWord, Patch, WhenWords, act, faults};
use crate::peers::{ACTIVE, Giver, Goal, GoalStatus, Known, Link, Need, NeedOf, OrderOf};
use crate::result::{Criterion, Missed};

/// How often a held command is given again [ns]: more often than any time-out.
const HOLD_PERIOD: SimTime = SimTime(50_000_000);
/// Longest world file [bytes].
const MAX_WORLD: u64 = 64 << 20;

/// An event of a run.
#[derive(Clone, Debug)]
struct Planned {
    event: Event,
    /// The goal that it sends.
    goal: Option<Goal>,
    /// When it first happened, and when it last did.
    first: Option<SimTime>,
    last: SimTime,
    /// Until when its command is repeated, or its change lasts.
    holds_until: Option<SimTime>,
    /// When the held command was last given.
    repeated: SimTime,
    /// Whether its patch lies.
    lies: bool,
    /// Whether its fault, or what its actor does, lasts: for good, or until the end of its hold.
    lasts: bool,
}

/// The events of a run.
#[derive(Clone, Debug)]
pub struct Schedule {
    planned: Vec<Planned>,
    /// The vehicle of the scenario.
    vehicle: String,
    folder: PathBuf,
    /// Text of the world file, if an event changes the ground.
    text: Option<String>,
}

impl Schedule {
    /// Of these events, in a scenario whose vehicle has this name, and with files relative to `folder`; `world` is the world file.
    ///
    /// # Errors
    /// An event changes the ground of a world whose file cannot be read, or follows a path that cannot.
    pub fn new(events: &[Event], vehicle: &str, folder: &Path, world: &Path) -> Result<Schedule, Diagnostics> {
        let changes_ground = events.iter().any(|event| event.words.friction.is_some());
        let read = || input_file::read_text(world, MAX_WORLD).map_err(|error| FileError::read(world, error));
        let text = changes_ground.then(read).transpose().map_err(|error| Diagnostics::from(Diagnostic::from(error)))?;
        let mut planned = Vec::with_capacity(events.len());
        for event in events {
            let mut event = event.clone();
            if event.body.is_empty() {
                vehicle.clone_into(&mut event.body);
            }
            let goal = event.words.goal(folder).map_err(|problems| problems.at(&event.place))?;
            let (first, last, repeated) = (None, SimTime::ZERO, SimTime::ZERO);
            planned.push(Planned { event, goal, first, last, holds_until: None, repeated, lies: false, lasts: false });
        }
        let (vehicle, folder) = (vehicle.to_owned(), folder.to_path_buf());
        Ok(Schedule { planned, vehicle, folder, text })
    }

    /// The events, in the order of the file.
    pub(super) fn events(&self) -> impl Iterator<Item = &Event> {
        self.planned.iter().map(|planned| &planned.event)
    }

    /// The name of the scenario's vehicle.
    pub(super) fn vehicle(&self) -> &str {
        &self.vehicle
    }

    /// The folder of the scenario.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// What the events need of the nodes beside the simulation.
    pub(crate) fn needs(&self) -> Vec<Need> {
        let mut needs = Vec::new();
        for Planned { event, goal, .. } in &self.planned {
            let need = |kind, vehicle: &str| Need { kind, vehicle: vehicle.to_owned(), place: event.place.clone() };
            needs.extend(event.words.needs(goal.as_ref()).map(|kind| need(kind, &event.body)));
            if let Some((when, node)) = event.words.when.as_ref().and_then(|when| Some((when, when.active.clone()?))) {
                needs.push(need(NeedOf::Lifecycle(node), when.vehicle.as_deref().unwrap_or(&self.vehicle)));
            }
        }
        needs
    }

    /// The indices of the events that send goals to a vehicle; with a name, of that event alone.
    pub(crate) fn goal_events(&self, vehicle: &str, name: Option<&str>) -> Vec<usize> {
        let is_meant = |planned: &Planned| {
            let of_name = name.is_none_or(|name| planned.event.words.name.as_deref() == Some(name));
            planned.goal.is_some() && planned.event.body == vehicle && of_name
        };
        (0..self.planned.len()).filter(|index| is_meant(&self.planned[*index])).collect()
    }

    /// Lets happen what is due before the next step, which nodes beside the simulation may have to carry out; returns the changes of the world, and
    /// adds a line for each event to `notes`.
    ///
    /// # Errors
    /// An event cannot happen.
    pub fn happen(
        &mut self,
        world: &mut World,
        link: &mut Link,
        notes: &mut Vec<String>,
    ) -> Result<Vec<Change>, Diagnostics> {
        let now = world.frame().time;
        let mut changes = Vec::new();
        let mut ground_changes = false;
        for index in 0..self.planned.len() {
            if self.is_due(index, world, link.known(), now) {
                world.record_changes();
                let done = act::act(&self.planned[index].event, world, &self.folder)
                    .and_then(|()| self.order(index, world, link, now).map_err(Diagnostics::from));
                changes.extend(world.take_changes().into_iter().map(Change::from));
                let planned = &mut self.planned[index];
                done.map_err(|problems| problems.at(&planned.event.place))?;
                planned.first.get_or_insert(now);
                (planned.last, planned.repeated) = (now, now);
                planned.holds_until = planned.event.words.hold.map(|hold| now + SimTime::from_secs(hold));
                planned.lies = planned.event.words.friction.is_some();
                planned.lasts = planned.event.words.is_fault();
                self.end_replaced(index);
                let planned = &self.planned[index];
                ground_changes |= planned.lies;
                notes.push(format!("{:.3} s: {}", now.secs(), planned.described()));
            } else if let Some(until) = self.planned[index].holds_until {
                ground_changes |= self.hold(index, world, now, until, &mut changes)?;
            }
        }
        if let Some(text) = self.text.as_ref().filter(|_| ground_changes) {
            let lies = |planned: &&Planned| planned.lies;
            let patches: Vec<Patch> =
                self.planned.iter().filter(lies).filter_map(|planned| planned.event.words.friction).collect();
            world.record_changes();
            let done = act::lay(world, text, &patches);
            changes.extend(world.take_changes().into_iter().map(Change::from));
            let place = self.planned.iter().find(|planned| planned.event.words.friction.is_some());
            done.map_err(|problems| place.map_or(problems.clone(), |planned| problems.at(&planned.event.place)))?;
        }
        Ok(changes)
    }

    /// Ends what others do to the same vehicle, or actor, and what the event with this index does in their place. Beneath a fault that is held
    /// they last on, and return after it.
    fn end_replaced(&mut self, index: usize) {
        let Planned { event, holds_until, .. } = &self.planned[index];
        if event.words.is_fault() && holds_until.is_some() {
            return;
        }
        let event = event.clone();
        for (number, other) in self.planned.iter_mut().enumerate() {
            if number != index && event.replaces(&other.event) {
                (other.holds_until, other.lasts) = (None, false);
            }
        }
    }

    /// The last of the events that last and do to the same vehicle, or actor, what the event with this index did.
    fn beneath(&self, index: usize) -> Option<&Event> {
        let event = &self.planned[index].event;
        let is_beneath = |other: &&Planned| other.lasts && event.replaces(&other.event);
        self.planned.iter().filter(is_beneath).max_by_key(|other| other.last).map(|other| &other.event)
    }

    /// Goes on with a held event, or ends it; returns whether the ground changes by that.
    fn hold(
        &mut self,
        index: usize,
        world: &mut World,
        now: SimTime,
        until: SimTime,
        changes: &mut Vec<Change>,
    ) -> Result<bool, Diagnostics> {
        let planned = &mut self.planned[index];
        if now >= until {
            (planned.holds_until, planned.lasts) = (None, false);
            let lay = std::mem::take(&mut planned.lies);
            let event = &self.planned[index].event;
            if event.words.is_fault() {
                world.record_changes();
                let ended = faults::end(event, self.beneath(index), world);
                changes.extend(world.take_changes().into_iter().map(Change::from));
                // What is gone has no faults.
                drop(ended);
            }
            return Ok(lay);
        }
        if planned.event.words.command.is_some() && now - planned.repeated >= HOLD_PERIOD {
            planned.repeated = now;
            world.record_changes();
            let done = act::act(&planned.event, world, &self.folder);
            changes.extend(world.take_changes().into_iter().map(Change::from));
            done.map_err(|problems| problems.at(&planned.event.place))?;
        }
        Ok(false)
    }

    /// Whether an event happens before the step that begins at `now`.
    fn is_due(&self, index: usize, world: &World, known: &Known, now: SimTime) -> bool {
        let Planned { event, first, last, .. } = &self.planned[index];
        let words = &event.words;
        if first.is_some() {
            let is_over = words.until.is_some_and(|until| now > SimTime::from_secs(until));
            return words.every.is_some_and(|every| now - *last >= SimTime::from_secs(every)) && !is_over;
        }
        match (words.at, &words.when) {
            (Some(at), _) => now >= SimTime::from_secs(at),
            (None, Some(when)) => self.is_so(when, world, known, now),
            (None, None) => false,
        }
    }

    fn is_so(&self, when: &WhenWords, world: &World, known: &Known, now: SimTime) -> bool {
        let (scene, frame) = (world.scene(), world.frame());
        let name = when.vehicle.as_deref().unwrap_or(&self.vehicle);
        let vehicle = scene.vehicle_index(name).and_then(|index| frame.vehicles.get(index));
        let pose = match &when.actor {
            Some(name) => scene
                .actors
                .iter()
                .position(|actor| actor.name == *name)
                .map(|index| &frame.actors[index].world_from_actor),
            None => vehicle.map(|frame| &frame.world_from_body),
        };
        let is_near = when.near.is_none_or(|[x, y]| {
            let distance = |pose: &Pose3| (pose.planar().position() - Vec2::new(x, y)).norm();
            pose.is_some_and(|pose| distance(pose) <= when.within.unwrap_or_default())
        });
        let touches = when.contact.is_none_or(|contact| vehicle.is_some_and(|frame| frame.colliding == contact));
        let lies = when.overturned.is_none_or(|lies| vehicle.is_some_and(|frame| frame.is_overturned == lies));
        let has_happened = when.after.as_ref().is_none_or(|after| {
            let other = self.planned.iter().find(|planned| planned.event.words.name.as_ref() == Some(after));
            let delay = SimTime::from_secs(when.delay.unwrap_or_default());
            other.and_then(|planned| planned.first).is_some_and(|first| now >= first + delay)
        });
        let is_active =
            when.active.as_ref().is_none_or(|node| known.state(name, node).is_some_and(|(state, _)| state == ACTIVE));
        let has_gone_on = when.goal.zip(when.of.as_ref()).is_none_or(|(word, of)| {
            let sent = self.index_of(of).and_then(|index| known.goals_of(index).last());
            sent.is_some_and(|goal| match word {
                GoalWord::Accepted => goal.accepted.is_some(),
                GoalWord::Reached => goal.ended.as_ref().is_some_and(|(_, end)| end.status == GoalStatus::Succeeded),
                GoalWord::Ended => goal.ended.is_some(),
            })
        });
        is_near && touches && lies && has_happened && is_active && has_gone_on
    }

    /// The index of the event of this name.
    fn index_of(&self, name: &str) -> Option<usize> {
        self.planned.iter().position(|planned| planned.event.words.name.as_deref() == Some(name))
    }

    /// Hands over to the nodes beside the simulation what the event has them do.
    fn order(&self, index: usize, world: &World, link: &mut Link, now: SimTime) -> Result<(), Diagnostic> {
        let Planned { event, goal, .. } = &self.planned[index];
        let (words, body) = (&event.words, event.body.as_str());
        let action = words.actions().first().copied().unwrap_or_default();
        let giver = Giver { vehicle: body, action, place: &event.place, now };
        if let Some(goal) = goal {
            link.send(goal.clone(), index, giver);
        }
        if let Some(index) = words.cancel.as_ref().and_then(|name| self.index_of(name)) {
            link.cancel(index, Giver { vehicle: &self.planned[index].event.body, ..giver });
        }
        if let Some(initial) = &words.initial_pose {
            let vehicle = act::vehicle(world.scene(), body)?;
            let (pose, variances) = initial.pose(world.frame().vehicles[vehicle].world_from_body.planar());
            link.order(OrderOf::InitialPose { pose, variances }, giver);
        }
        if let Some(parameters) = &words.parameters {
            let (node, values) = (parameters.node.clone(), parameters.set.clone());
            link.order(OrderOf::SetParameters { node, values }, giver);
        }
        if let Some(lifecycle) = &words.lifecycle {
            let (node, transition) = (lifecycle.node.clone(), lifecycle.transition);
            link.order(OrderOf::ChangeState { node, transition }, giver);
        }
        if let Some(super::PublishWords { topic, kind, message }) = words.publish.clone() {
            link.order(OrderOf::Publish { topic, kind, message }, giver);
        }
        Ok(())
    }

    /// Whether an event is still to come, at a known time or because it must, or is under way.
    pub(crate) fn has_more(&self) -> bool {
        let is_to_come = |planned: &Planned| {
            let words = &planned.event.words;
            planned.first.is_none() && (words.at.is_some() || words.must_happen)
        };
        self.planned.iter().any(|planned| is_to_come(planned) || planned.holds_until.is_some())
    }

    /// The events that have not happened, in the order of the file.
    pub fn missed(&self) -> Vec<Missed> {
        let never = self.planned.iter().filter(|planned| planned.first.is_none());
        let missed = |planned: &Planned| Missed {
            event: planned.described(),
            place: planned.event.place.clone(),
            must_happen: planned.event.words.must_happen,
        };
        never.map(missed).collect()
    }

    /// What has become of the events that must happen; `is_whole` says that a criterion did not cut the run short.
    pub(crate) fn obligations(&self, is_whole: bool) -> impl Iterator<Item = Criterion> + '_ {
        let of = move |planned: &Planned| {
            let time = planned.first.map(SimTime::secs);
            let actual = match time {
                Some(_) => "happened first",
                None if is_whole => "never happened",
                None => "undecided, not yet happened",
            };
            Criterion {
                name: "must_happen".to_owned(),
                vehicle: None,
                expected: format!("{} ({})", planned.described(), planned.event.place),
                actual: actual.to_owned(),
                time,
                held: time.is_some() || !is_whole,
            }
        };
        self.planned.iter().filter(|planned| planned.event.words.must_happen).map(of)
    }
}

impl Planned {
    /// What happens, in words.
    fn described(&self) -> String {
        let words = &self.event.words;
        let action = words.actions().first().copied().unwrap_or_default();
        let object = match (&words.spawn, &words.remove) {
            (Some(spawn), _) => spawn.name.clone(),
            (_, Some(name)) => name.clone(),
            _ if words.actor.is_some() => words.actor.iter().map(|actor| actor.name.clone()).collect(),
            _ if words.friction.is_some() => String::new(),
            _ if words.cancel.is_some() => words.cancel.clone().unwrap_or_default(),
            _ if words.parameters.is_some() => words.parameters.as_ref().map(|of| of.node.clone()).unwrap_or_default(),
            _ if words.lifecycle.is_some() => {
                let of = |of: &super::LifecycleWords| format!("{} {}", of.node, of.transition.name());
                words.lifecycle.as_ref().map(of).unwrap_or_default()
            }
            _ if words.publish.is_some() => words.publish.as_ref().map(|of| of.topic.clone()).unwrap_or_default(),
            _ => self.event.body.clone(),
        };
        let name = words.name.as_ref().map_or_else(String::new, |name| format!("{name}: "));
        format!("{name}{action} {object}").trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use skidpad_sim::world::LoadOptions;

    use super::*;

    /// What the latency of commands to the robot is [ms], just before each multiple of 0.1 s.
    fn latencies(events: &str) -> Vec<i64> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds/twist_ideal.world.xml");
        let (mut world, _) = World::load(&path, &LoadOptions::default()).unwrap();
        let words: Vec<super::super::EventWords> = serde_saphyr::from_str(events).unwrap();
        let events: Vec<Event> = words.into_iter().map(|words| Event::new(words, "s.yaml:1:1".into())).collect();
        let mut schedule = Schedule::new(&events, "robot", Path::new(""), &path).unwrap();
        let (mut link, mut notes, mut latencies) = (Link::default(), Vec::new(), Vec::new());
        let robot = world.scene().vehicles[0].id;
        for step in 1..=160 {
            schedule.happen(&mut world, &mut link, &mut notes).unwrap();
            world.step().unwrap();
            if step % 20 == 0 {
                latencies.push(world.command_link(robot).unwrap().latency.0 / 1_000_000);
            }
        }
        latencies
    }

    #[test]
    fn what_lasts_beneath_a_held_fault_returns() {
        let outer = "[{at: 0.1, latency: 0.2}, {at: 0.2, hold: 0.2, latency: 0.5}]";
        assert_eq!(latencies(outer), [0, 200, 500, 500, 200, 200, 200, 200]);
        let nested = "[{at: 0, latency: 0.2}, {at: 0.1, hold: 0.5, latency: 0.5}, {at: 0.3, hold: 0.1, latency: 0.3}]";
        assert_eq!(latencies(nested), [200, 500, 500, 300, 500, 500, 200, 200]);
        // One that begins in another and outlasts it.
        let crossed = "[{at: 0.1, hold: 0.3, latency: 0.5}, {at: 0.2, hold: 0.4, latency: 0.3}]";
        assert_eq!(latencies(crossed), [0, 500, 300, 300, 300, 300, 0, 0]);
        // One for good is the end of all that began before it.
        let for_good = "[{at: 0.1, latency: 0.2}, {at: 0.2, hold: 0.4, latency: 0.5}, {at: 0.4, latency: 0}]";
        assert_eq!(latencies(for_good), [0, 200, 500, 500, 0, 0, 0, 0]);
    }
}
