//! Spawns what viewers ask for. It is built in threads of its own, for which the simulation does not wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use skidpad_files::assets::{Cancel, Reach};
use skidpad_run::guard::Guard;
use skidpad_run::runner::Outbox;
use skidpad_sim::world::{Catalogue, Recipe, SpawnRequest, SpawnSource, Spot};
use skidpad_view::messages::Done;

use super::hub::Reply;

/// Most bodies that are built at the same time, including cancelled ones that have not ended yet.
const AT_A_TIME: usize = 4;
/// Longest time that building one may take.
const PATIENCE: Duration = Duration::from_secs(8);
/// What messages call XML of viewers.
const LABEL: &str = "spawn";

/// Builds vehicles and blocks and adds them to a running simulation.
pub(super) struct Spawner {
    outbox: Outbox,
    reach: Arc<Reach>,
    /// Bodies being built.
    building: Arc<AtomicUsize>,
}

/// A place among those that are built at the same time.
struct Slot(Arc<AtomicUsize>);

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What a viewer wants to spawn.
struct Wanted {
    class_or_xml: String,
    name: String,
    pose: Spot,
}

impl Wanted {
    fn is_xml(&self) -> bool {
        self.class_or_xml.trim_start().starts_with('<')
    }

    fn request(self) -> SpawnRequest {
        let source = match self.is_xml() {
            true => SpawnSource::Xml {
                text: self.class_or_xml,
                directory: std::env::current_dir().unwrap_or_default(),
                label: LABEL.into(),
            },
            false => SpawnSource::Class(self.class_or_xml),
        };
        SpawnRequest { name: self.name, source, pose: Some(self.pose) }
    }
}

impl Spawner {
    /// Adds to the simulation behind `outbox`; XML may name the files in `reach`.
    pub(super) fn new(outbox: Outbox, reach: Reach) -> Spawner {
        Spawner { outbox, reach: Arc::new(reach), building: Arc::default() }
    }

    /// Spawns a class or XML at a spot. Does not wait.
    pub(super) fn spawn(&self, class_or_xml: String, name: String, pose: Spot, reply: Reply) {
        let slot = Slot(Arc::clone(&self.building));
        if self.building.fetch_add(1, Ordering::Relaxed) >= AT_A_TIME {
            let refusal = format!("spawn: {AT_A_TIME} others are being built\n  hint: wait for their answers");
            return reply.give(Err::<Done, _>(refusal));
        }
        let (outbox, reach) = (self.outbox.clone(), Arc::clone(&self.reach));
        let wanted = Wanted { class_or_xml, name, pose };
        let work = move || spawn(&outbox, wanted, reach, slot, reply);
        if let Err(error) = thread::Builder::new().name("spawn".into()).spawn(work) {
            // The reply is dropped with the work, and so refuses the order.
            tracing::warn!("viewer: cannot start a thread that spawns: {error}");
        }
    }
}

/// Builds and adds a body. If the simulation ends meanwhile, the reply is dropped and reports that.
fn spawn(outbox: &Outbox, wanted: Wanted, reach: Arc<Reach>, slot: Slot, reply: Reply) {
    let (sender, receiver) = channel();
    outbox.visit(move |visit| {
        let catalogue = visit.world.catalogue().clone();
        let free = visit.world.free_name(&wanted.class_or_xml);
        drop(sender.send((catalogue, free, wanted)));
    });
    let Ok((catalogue, free, mut wanted)) = receiver.recv() else { return };
    if wanted.name.is_empty() && !wanted.is_xml() {
        wanted.name = free;
    }
    match build(catalogue, wanted.request(), reach, slot) {
        Ok(recipe) => {
            recipe.warnings.iter().for_each(|warning| tracing::warn!("{warning}"));
            let next = outbox.clone();
            outbox.visit(move |visit| {
                let name = Some(recipe.name().to_owned());
                let spawned = visit.world.spawn(recipe).map_err(|refusal| refusal.to_string());
                let done = spawned.map(|_| Done { name, ..visit.world.frame().time.secs().into() });
                // Before the next visit the new body is in the scene that orders are judged by.
                next.visit(move |_| reply.give(done));
            });
        }
        Err(refusal) => reply.give(Err::<Done, _>(refusal)),
    }
}

/// Builds a body in a thread of its own, which is cancelled when it takes too long and keeps its slot until it ends.
fn build(catalogue: Arc<Catalogue>, request: SpawnRequest, reach: Arc<Reach>, slot: Slot) -> Result<Recipe, String> {
    let (sender, receiver) = channel();
    let cancel = Cancel::default();
    let cancelled = cancel.clone();
    let work = move || {
        let _slot = slot;
        let guard = Guard::new("spawn of a viewer");
        if let Some(recipe) = guard.run(|| catalogue.recipe_for(&request, Some(reach), cancelled)) {
            drop(sender.send(recipe));
        }
    };
    let begun = thread::Builder::new().name("spawn build".into()).spawn(work);
    begun.map_err(|error| format!("spawn: there is no thread for it: {error}"))?;
    match receiver.recv_timeout(PATIENCE) {
        Ok(recipe) => recipe.map_err(|refusal| refusal.to_string()),
        Err(RecvTimeoutError::Timeout) => {
            cancel.cancel();
            let seconds = PATIENCE.as_secs();
            Err(format!(
                "spawn: not built after {seconds} s, and cancelled\n  hint: spawn a class of the world, which is read already"
            ))
        }
        Err(RecvTimeoutError::Disconnected) => Err("spawn: a bug in skidpad, see its log".into()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::Receiver;

    use skidpad_run::runner::mailbox;

    use super::*;

    /// Spawns something, and where its answer will be.
    fn spawn(spawner: &Spawner) -> Receiver<Result<Done, String>> {
        let (sender, receiver) = channel();
        let reply = Reply::new(Box::new(move |answer| drop(sender.send(answer))), "the end");
        spawner.spawn("crate".into(), String::new(), Spot::default(), reply);
        receiver
    }

    #[test]
    fn only_a_few_are_built_at_a_time_and_all_are_answered() {
        let (outbox, inbox) = mailbox();
        let spawner = Spawner::new(outbox, Reach::default());
        let waiting: Vec<_> = (0..AT_A_TIME).map(|_| spawn(&spawner)).collect();
        let refusal = spawn(&spawner).recv().unwrap().unwrap_err();
        assert_eq!(refusal, "spawn: 4 others are being built\n  hint: wait for their answers");
        // The simulation ends.
        drop(inbox);
        for answer in waiting {
            assert_eq!(answer.recv().unwrap().unwrap_err(), "the end");
        }
        assert_eq!(spawn(&spawner).recv().unwrap().unwrap_err(), "the end");
    }
}
