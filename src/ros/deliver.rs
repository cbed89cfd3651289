//! From a topic to a vehicle: one command at a time is under way to the simulation, and of those that come in meanwhile only
//! the last, which is the one that counts, follows it. So a flood of them takes no memory.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::runner::{Outbox, Request};
use crate::vehicle::Action;
use crate::world::EntityId;

/// Takes the commands of one topic to one vehicle. Clones are one and the same.
#[derive(Clone)]
pub struct Courier(Arc<Shared>);

struct Shared {
    vehicle: EntityId,
    topic: String,
    outbox: Outbox,
    load: Mutex<Load>,
}

#[derive(Default)]
struct Load {
    is_under_way: bool,
    next: Option<Action>,
    /// The reasons for which commands were refused, each told once.
    told: BTreeSet<String>,
}

impl Courier {
    /// For the commands that come in on `topic` (its full name) for the vehicle with this id, as long as that is there.
    pub fn new(vehicle: EntityId, topic: &str, outbox: &Outbox) -> Courier {
        let (topic, outbox) = (topic.to_owned(), outbox.clone());
        Courier(Arc::new(Shared { vehicle, topic, outbox, load: Mutex::default() }))
    }

    /// Whom it goes to.
    pub fn vehicle(&self) -> EntityId {
        self.0.vehicle
    }

    /// Sends a command on its way.
    pub fn send(&self, action: Action) {
        let mut load = self.load();
        if load.is_under_way {
            load.next = Some(action);
            return;
        }
        load.is_under_way = true;
        drop(load);
        self.hand_over(action);
    }

    fn hand_over(&self, action: Action) {
        let courier = self.clone();
        let request = Request::CommandTo { id: self.0.vehicle, action };
        // When the simulation has ended nobody is left to be told.
        self.0.outbox.ask(request, move |answer| courier.arrived(answer.err()));
    }

    /// Called on the simulation thread.
    fn arrived(&self, refusal: Option<String>) {
        let mut load = self.load();
        if let Some(reason) = refusal
            && load.told.insert(reason.clone())
        {
            tracing::warn!("topic \"{}\": command refused: {reason}", self.0.topic);
        }
        match load.next.take() {
            Some(action) => {
                drop(load);
                self.hand_over(action);
            }
            None => load.is_under_way = false,
        }
    }

    fn load(&self) -> MutexGuard<'_, Load> {
        self.0.load.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
