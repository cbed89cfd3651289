//! Criteria of what the nodes beside the simulation do: goals, states, topics, localisation.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::Vec2;
use skidpad_math::time::SimTime;

use super::judge::{Judge, Seen, State};
use super::limit::beside;
use super::{Expected, FrameWord};
use crate::peers::{ACTIVE, GoalRecord, GoalStatus, NeedOf};

/// The time over which messages are counted, unless given [s].
const WINDOW: f64 = 1.0;

/// What a criterion needs of the nodes beside the simulation; topics are watched by its number.
pub(super) fn need(expected: &Expected, watch: usize) -> Option<NeedOf> {
    let words = &expected.words;
    let topic = |stamped| Some(NeedOf::Topic { watch, name: words.topic.clone()?, stamped });
    match expected.kind.key() {
        "lifecycle" => words.node.clone().map(NeedOf::Lifecycle),
        "topic_rate" => topic(false),
        "topic_delay" => topic(true),
        "localisation_error" if words.topic.is_some() => Some(NeedOf::Poses { watch, topic: words.topic.clone()? }),
        "localisation_error" if words.frame == Some(FrameWord::Map) => Some(NeedOf::Correction),
        _ => None,
    }
}

impl Expected {
    /// What it says of goals that no event sends: those of the names `goals` do; `sends_goals` is whether any event does.
    pub(crate) fn check_names(&self, goals: &[&str], sends_goals: bool) -> Option<Diagnostic> {
        let (key, words) = (self.kind.key(), &self.words);
        if ["navigation", "recoveries"].contains(&key) && !sends_goals {
            let accepted = "with an event navigate_to, follow_waypoints or follow_path";
            return Some(Diagnostic::new(key, "no event sends a goal").accepted(accepted));
        }
        let of = words.of.as_ref().filter(|of| !goals.contains(&of.as_str()))?;
        let found = format!("no event that sends a goal is called \"{of}\"");
        Some(Diagnostic::new(format!("{key}.of"), found).one_of(of, goals))
    }

    /// What is wrong with what it says of nodes.
    pub(super) fn check_peers(&self) -> Option<Diagnostic> {
        let (key, words) = (self.kind.key(), &self.words);
        if words.error_code.is_some() && words.status != Some(GoalStatus::Aborted) {
            return Some(
                Diagnostic::new(format!("{key}.error_code"), "only an aborted goal has an error code")
                    .accepted("with status: aborted"),
            );
        }
        if key == "localisation_error" && words.topic.is_some() && words.frame.is_some() {
            let found = "frame and topic exclude each other";
            return Some(Diagnostic::new("localisation_error", found).accepted("frame, or topic"));
        }
        if key == "lifecycle" && words.by.is_none() == words.from.is_none() {
            return Some(
                Diagnostic::new(key, "needs exactly one of by and from")
                    .accepted("by: time of reaching the state [s], or from: time from which it holds [s]"),
            );
        }
        let empty = [("node", &words.node), ("topic", &words.topic)];
        let (name, _) = empty.into_iter().find(|(_, value)| value.as_ref().is_some_and(String::is_empty))?;
        Some(Diagnostic::new(format!("{key}.{name}"), "an empty name"))
    }
}

/// Distance of where a vehicle believes to be from where it is [m].
pub(super) fn localisation_error(seen: &Seen<'_>, judge: &Judge) -> Option<f64> {
    let (info, frame) = seen.vehicle?;
    if judge.words().topic.is_some() {
        return seen.known.pose_error(judge.number(), judge.vehicle());
    }
    let map_from_odom = match judge.words().frame {
        Some(FrameWord::Map) => seen.known.correction(judge.vehicle())?,
        Some(FrameWord::Odom) | None => info.world_from_start.planar(),
    };
    let believed = map_from_odom * frame.odom_from_body;
    Some((believed.position() - frame.world_from_body.planar().position()).norm())
}

/// Recoveries of all goals of a vehicle.
pub(super) fn recoveries(seen: &Seen<'_>, judge: &Judge) -> Option<f64> {
    let of_vehicle = seen.known.goals.iter().filter(|goal| goal.vehicle == judge.vehicle());
    of_vehicle.filter_map(|goal| goal.recoveries).map(f64::from).reduce(|a, b| a + b)
}

/// Messages per second [Hz]; none while the first window is not over.
pub(super) fn topic_rate(seen: &Seen<'_>, judge: &Judge) -> Option<f64> {
    let words = judge.words();
    let window = words.window.unwrap_or(WINDOW);
    let now = seen.frame.time;
    let is_over = now >= SimTime::from_secs(words.from.unwrap_or(0.0) + window);
    let topic = seen.known.topic(judge.number());
    is_over.then(|| topic.map_or(0.0, |topic| topic.rate(now, SimTime::from_secs(window))))
}

/// The greatest delay of the messages of this step [s].
pub(super) fn topic_delay(seen: &Seen<'_>, judge: &Judge) -> Option<f64> {
    seen.known.topic(judge.number())?.delay
}

/// How far the goals of a judge are, and what was found of the one that decides.
pub(super) fn navigation(judge: &Judge, seen: &Seen<'_>) -> (State, String) {
    let (words, time) = (judge.words(), seen.frame.time.secs());
    let mut open = None;
    let mut last = 0.0_f64;
    for &event in judge.goals() {
        let mut sent = 0;
        for goal in seen.known.goals_of(event) {
            sent += 1;
            match &goal.ended {
                None => open = open.or_else(|| Some(seen.known.words(goal, time))),
                Some((ended, _)) => {
                    if let Some(wrong) = wrong_end(judge, goal, seen) {
                        return (State::Broken(*ended), wrong);
                    }
                    last = last.max(*ended);
                }
            }
        }
        if sent == 0 {
            open = open.or_else(|| Some("not sent".to_owned()));
        }
    }
    match open {
        None if judge.goals().is_empty() => (State::Open, String::new()),
        None => (State::Fulfilled(last), String::new()),
        Some(found) if words.by.is_some_and(|by| time > by) => (State::Broken(time), found),
        Some(found) => (State::Open, found),
    }
}

/// What is wrong with how a goal has ended.
fn wrong_end(judge: &Judge, goal: &GoalRecord, seen: &Seen<'_>) -> Option<String> {
    let words = judge.words();
    let (ended, ending) = goal.ended.as_ref()?;
    let has_code = words.error_code.is_none_or(|code| ending.error_code == Some(code));
    if ending.status != words.status.unwrap_or_default() || !has_code {
        return Some(ending.words());
    }
    if ending.status == GoalStatus::Succeeded && ending.missed > 0 {
        return Some(ending.words());
    }
    // Where it is counts when its goal ends, and not later, when it may be under way to another.
    let within = words.within.filter(|_| *ended >= seen.frame.time.secs())?;
    let (goal, position) = (goal.goal.poses().last()?, seen.position()?);
    let distance = (position - Vec2::new(goal.x, goal.y)).norm();
    (distance > within)
        .then(|| format!("{}, but {} away from the goal", ending.words(), beside(distance, "m", [Some(within)])))
}

/// How far a managed node is, and what was found unless it is in its state; `was_so` says that it has been.
pub(super) fn lifecycle(judge: &Judge, seen: &Seen<'_>, was_so: bool) -> (State, Option<String>) {
    let (words, time) = (judge.words(), seen.frame.time.secs());
    let state = seen.known.state(judge.vehicle(), words.node.as_deref().unwrap_or_default()).map(|(state, _)| state);
    if state == Some(words.state.as_deref().unwrap_or(ACTIVE)) {
        return (State::Open, None);
    }
    let found = state.map_or_else(|| "the node has not reported its state".to_owned(), |state| format!("is {state}"));
    let is_late = words.by.is_none_or(|by| time > by);
    (if was_so || is_late { State::Broken(time) } else { State::Open }, Some(found))
}

/// What must hold of goals or states, in words.
pub(super) fn described(expected: &Expected) -> String {
    let words = &expected.words;
    let mut text = match (&words.node, &words.of) {
        (Some(node), _) => format!("{node} is {}", words.state.as_deref().unwrap_or(ACTIVE)),
        (None, of) => {
            let goals = of.as_ref().map_or_else(|| "all goals".to_owned(), |of| format!("goal {of}"));
            format!("{goals} {}", words.status.unwrap_or_default().name())
        }
    };
    if let Some(code) = words.error_code {
        text += &format!(", error {code}");
    }
    if let Some(within) = words.within {
        text += &format!(", within {within} m");
    }
    words.by.map_or(text.clone(), |by| format!("{text}, by {by} s"))
}
