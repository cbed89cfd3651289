//! The link of a run to the nodes beside it, if there are any, and what is known of them.

use std::fmt;
use std::time::{Duration, Instant};

use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_math::Vec2;
use skidpad_math::time::SimTime;
use skidpad_sim::world::Scene;

use super::{Goal, GoalRecord, Known, Need, Order, OrderOf, OrderRecord, Peers};

/// How long the end of a run waits for the answers about its last orders [wall time], and how often it looks.
const MAX_SETTLING: Duration = Duration::from_secs(1);
const LOOK: Duration = Duration::from_millis(5);

/// The nodes beside a run, or none.
#[derive(Default)]
pub struct Link {
    outside: Option<Box<dyn Peers>>,
    known: Known,
}

/// Who gives an order, and when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Giver<'a> {
    /// The vehicle that it is about.
    pub(crate) vehicle: &'a str,
    /// The action of the event.
    pub(crate) action: &'static str,
    /// Where the file asks for it.
    pub(crate) place: &'a str,
    /// The simulated time.
    pub(crate) now: SimTime,
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link").field("is_there", &self.outside.is_some()).field("known", &self.known).finish()
    }
}

impl Link {
    /// To these nodes.
    pub fn to(outside: Box<dyn Peers>) -> Link {
        Link { outside: Some(outside), known: Known::default() }
    }

    /// What is known of them.
    pub fn known(&self) -> &Known {
        &self.known
    }

    /// Begins a run that has these needs.
    ///
    /// # Errors
    /// Those that cannot be met: all of them in a run without nodes.
    pub(crate) fn begin(&mut self, scene: &Scene, needs: &[Need]) -> Result<(), Diagnostics> {
        match &mut self.outside {
            Some(outside) => outside.begin(scene, needs),
            None if needs.is_empty() => Ok(()),
            None => {
                // One of each place is enough.
                let is_first =
                    |(index, need): &(usize, &Need)| needs[..*index].iter().all(|other| other.place != need.place);
                Err(Diagnostics(needs.iter().enumerate().filter(is_first).map(|(_, need)| unmet(need)).collect()))
            }
        }
    }

    /// Sends a goal for the event of this index.
    pub(crate) fn send(&mut self, goal: Goal, event: usize, giver: Giver<'_>) {
        let number = self.known.goals.len();
        self.known.goals.push(GoalRecord {
            event,
            vehicle: giver.vehicle.to_owned(),
            goal: goal.clone(),
            order: self.known.orders.len(),
            is_sent: false,
            accepted: None,
            ended: None,
            recoveries: None,
            remaining: None,
        });
        self.order(OrderOf::Send { number, goal }, giver);
    }

    /// Cancels the goals of the event of this index that have not ended.
    pub(crate) fn cancel(&mut self, event: usize, giver: Giver<'_>) {
        let is_open = |(_, goal): &(usize, &GoalRecord)| goal.event == event && goal.ended.is_none();
        let open: Vec<usize> = self.known.goals.iter().enumerate().filter(is_open).map(|(number, _)| number).collect();
        for number in open {
            self.order(OrderOf::Cancel(number), giver);
        }
    }

    /// Hands an order over.
    pub(crate) fn order(&mut self, kind: OrderOf, giver: Giver<'_>) {
        let Some(outside) = &mut self.outside else { return };
        let Giver { vehicle, action, place, now } = giver;
        let (number, place, ordered) = (self.known.orders.len(), place.to_owned(), now.secs());
        // To cancel waits for nobody.
        let is_open = !matches!(kind, OrderOf::Cancel(_));
        self.known.orders.push(OrderRecord { action, place: place.clone(), ordered, is_open, absent: None });
        outside.order(Order { number, action, place, now, kind, vehicle: vehicle.to_owned() });
    }

    /// Notes where a vehicle truly is at `now`, for poses that will be heard of then.
    pub(crate) fn note_truth(&mut self, vehicle: &str, now: SimTime, position: Vec2) {
        self.known.note_truth(vehicle, now, position);
    }

    /// Sends a message on the topic that is played by this number; whether it was sent.
    pub(crate) fn play(&mut self, number: usize, message: &[u8]) -> bool {
        self.outside.as_mut().is_some_and(|outside| outside.play(number, message))
    }

    /// Hears at the end, at `now`, what has become of the last orders: whether they were carried out follows from the nodes, not from how quickly the
    /// run ended after them.
    pub(crate) fn settle(&mut self, now: SimTime, notes: &mut Vec<String>) {
        let begun = Instant::now();
        while self.outside.is_some() && self.known.is_undecided() && begun.elapsed() < MAX_SETTLING {
            std::thread::sleep(LOOK);
            self.listen(now, notes);
        }
    }

    /// Takes what was heard up to `now`, and adds a line to `notes` where something has gone on.
    pub(crate) fn listen(&mut self, now: SimTime, notes: &mut Vec<String>) {
        let Some(outside) = &mut self.outside else { return };
        self.known.begin_step();
        for heard in outside.heard() {
            notes.extend(self.known.take(heard, now));
        }
    }
}

/// The refusal of a need in a run without nodes.
fn unmet(need: &Need) -> Diagnostic {
    let found = format!("{} needs ROS nodes, but this run has none", need.kind.words());
    Diagnostic::of(found)
        .hint("run it beside nodes: skidpad run --scenario FILE, with a build with ROS")
        .at(&need.place)
}

impl super::NeedOf {
    /// What it is, in words.
    pub fn words(&self) -> String {
        match self {
            super::NeedOf::Goals(Goal::NavigateToPose { .. }) => "navigate_to".to_owned(),
            super::NeedOf::Goals(Goal::FollowWaypoints { .. }) => "follow_waypoints".to_owned(),
            super::NeedOf::Goals(Goal::FollowPath { .. }) => "follow_path".to_owned(),
            super::NeedOf::InitialPose => "initial_pose".to_owned(),
            super::NeedOf::Parameters(node) => format!("setting parameters of {node}"),
            super::NeedOf::Lifecycle(node) => format!("the lifecycle of {node}"),
            super::NeedOf::Topic { name, .. } => format!("topic {name}"),
            super::NeedOf::Poses { topic, .. } => format!("localisation_error by {topic}"),
            super::NeedOf::Play { topic, .. } => format!("playing {topic}"),
            super::NeedOf::Publish { topic, .. } => format!("publishing on {topic}"),
            super::NeedOf::Correction => "localisation_error in the map".to_owned(),
        }
    }
}
