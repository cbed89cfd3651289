//! Carries out viewers' edits of the world file: in the text, then in the simulation, which takes the shape of the edited world.
//!
//! ```text
//!  Edit, Undo, Redo ─▶ worker ── WorldDocument ── load ──▶ World ── visit ──▶ World::amend
//!  New ──────────────▶ worker ── FileStore, load ────────▶ World ── visit ──▶ World::replace
//!  Save ─────────────▶ worker ── FileStore: one folder, atomically
//! ```
//! One thread does all of it in order, so that the simulation never waits for a load; as many orders as fit into its queue wait.

mod offers;
mod save;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;

use skidpad_files::input_file;
use skidpad_math::{Pose2, Vec2};
use skidpad_run::guard::Guard;
use skidpad_run::runner::Outbox;
use skidpad_sim::world::document::{
    Addition, ClassFile, Description, Edit, Edited, MAX_BYTES, Property, PropertyKind, WorldDocument, blank,
};
use skidpad_sim::world::{Amended, Amendment, EntityId, EntityKind, LoadOptions, Recipe, Scene, World};
use skidpad_view::editing::{DescriptionView, DocumentView, EditView, OfferSource, OfferView, PropertyView};
use skidpad_view::messages::{Done, Order};
use skidpad_xml::edit::Expressions;
use tokio::sync::watch;

use super::hub::Reply;
pub use save::FileStore;

/// Most orders that wait for their turn.
const WAITING: usize = 32;
/// Byte order mark, which a file keeps.
const MARK: char = '\u{feff}';

/// What may be edited, and where it may be saved.
#[derive(Clone, Debug)]
pub struct EditRights {
    /// The world file.
    pub world: PathBuf,
    /// How it was loaded.
    pub options: LoadOptions,
    /// The folder in which files may be written.
    pub store: FileStore,
}

/// Edits the world file of a running simulation.
pub(super) struct Editor {
    orders: SyncSender<(Order, Reply)>,
}

impl Editor {
    /// An editor for the simulation behind `outbox`; `scenes` has its current scene. None if there is no thread for it.
    pub(super) fn new(outbox: Outbox, scenes: watch::Receiver<Arc<Scene>>, rights: EditRights) -> Option<Editor> {
        let (orders, received) = sync_channel(WAITING);
        let worker = Worker { outbox, scenes, rights, open: None };
        let begun = thread::Builder::new().name("editor".into()).spawn(move || worker.work(&received));
        begun.inspect_err(|error| tracing::warn!("viewer: there is no thread that edits: {error}")).ok()?;
        Some(Editor { orders })
    }

    /// Queues an order, one of those about the document. Does not wait.
    pub(super) fn carry_out(&self, order: Order, reply: Reply) {
        if let Err(error) = self.orders.try_send((order, reply)) {
            let (std::sync::mpsc::TrySendError::Full((_, reply))
            | std::sync::mpsc::TrySendError::Disconnected((_, reply))) = error;
            let refusal = format!("edit: {WAITING} orders are waiting already\n  hint: wait for their answers");
            reply.give(Err::<Done, _>(refusal));
        }
    }
}

/// What an order does to the running world.
enum Effect {
    None,
    Amend(Box<Amendment>),
    Replace(Box<World>),
}

/// What an edit has done besides, in sentences; none: nothing.
fn reported(amended: &Amended) -> Option<String> {
    let Amended { restarted, gone, without_driver } = amended;
    let mut sentences: Vec<String> = restarted.iter().map(|why| format!("The world was restarted: {why}.")).collect();
    if !gone.is_empty() {
        sentences.push(format!("Removed, since the world file does not contain it: {}.", gone.join(", ")));
    }
    if !without_driver.is_empty() {
        sentences.push(format!("No longer follows its trajectory: {}.", without_driver.join(", ")));
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// The thread that edits.
struct Worker {
    outbox: Outbox,
    scenes: watch::Receiver<Arc<Scene>>,
    rights: EditRights,
    open: Option<OpenFile>,
}

/// The document, and the file that it belongs to.
struct OpenFile {
    document: WorldDocument,
    /// The file that saving writes.
    path: PathBuf,
    /// Its content, byte order mark included, as it was read or written last.
    content: String,
    options: LoadOptions,
    /// Number of warnings of the document as it was opened.
    warnings: usize,
}

impl OpenFile {
    /// The document as a file holds it.
    fn text(&self) -> String {
        let mark = if self.content.starts_with(MARK) { MARK.to_string() } else { String::new() };
        mark + self.document.text()
    }
}

impl Worker {
    fn work(mut self, orders: &Receiver<(Order, Reply)>) {
        let guard = Guard::new("the editor of the world file");
        for (order, reply) in orders {
            // A panic drops the reply, which refuses the order.
            guard.run(|| self.carry_out(order, reply));
        }
    }

    fn carry_out(&mut self, order: Order, reply: Reply) {
        let (done, effect) = match self.answer(order) {
            Ok(answer) => answer,
            Err(refusal) => return reply.give(Err::<Done, _>(refusal)),
        };
        self.outbox.visit(move |visit| {
            let note = match effect {
                Effect::None => None,
                Effect::Amend(amendment) => reported(&visit.world.amend(*amendment)),
                Effect::Replace(world) => {
                    visit.world.replace(*world);
                    None
                }
            };
            let (time, note) = (visit.world.frame().time.secs(), note.or(done.note));
            reply.give(Ok(Done { time, note, ..done }));
        });
    }

    /// What has been spawned in the running world, built for another one. It waits for the simulation.
    fn spawned(&self, world: &World) -> Vec<Recipe> {
        let (sender, receiver) = channel();
        self.outbox.visit(move |visit| drop(sender.send(visit.world.spawned())));
        world.catalogue().build_again(&receiver.recv().unwrap_or_default())
    }

    /// Writes a world to start from to a new file, and opens that one.
    fn begin(&mut self, file: &str, discard: bool) -> Result<(Done, Effect), String> {
        let unsaved = self.open.as_ref().is_some_and(|open| open.text() != open.content);
        if unsaved && !discard {
            return Err(
                "new: there are edits that are not saved\n  accepted: once they are saved, or with \"discard\": true"
                    .into(),
            );
        }
        let store = &self.rights.store;
        let path = store.new_file(file)?;
        // What it says is for this file alone.
        let options = LoadOptions { variables: Vec::new(), maps: Vec::new(), ..self.rights.options.clone() };
        let text = blank::world(blank::ROBOT, "");
        let shown = path.to_string_lossy();
        let opened =
            WorldDocument::open(&shown, store.folder(), &text, &options).map_err(|refusal| refusal.to_string())?;
        store.create(&path, &text)?;
        let Edited { document, world, warnings, .. } = opened;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (self.rights.world, self.rights.options) = (path.clone(), options.clone());
        self.open = Some(OpenFile { document, path, content: text, options, warnings: warnings.len() });
        let document = DocumentView { offers: Some(self.offers()), ..self.view() };
        let note = format!("Wrote {name}, which the simulation runs now");
        let done = Done { document: Some(document), note: Some(note), ..Done::default() };
        Ok((done, Effect::Replace(Box::new(world))))
    }

    /// What an order leads to, and what it does to the running world.
    fn answer(&mut self, order: Order) -> Result<(Done, Effect), String> {
        if let Order::New { file, discard } = &order {
            return self.begin(file, *discard);
        }
        self.open()?;
        let name = |entity| self.name_of(entity);
        let Some(open) = &self.open else { return Err("edit: there is no document".into()) };
        let OpenFile { document, options, .. } = open;
        let (running, edited) = (self.scenes.borrow().name.clone(), &document.scene().name);
        if running != *edited {
            return Err(format!(
                "edit: the simulation runs \"{running}\" now\n  accepted: edits of {edited}, once it runs again"
            ));
        }
        let edited = match order {
            Order::Edit { edit, overwrite } => {
                let expressions = if overwrite { Expressions::Overwrite } else { Expressions::Keep };
                document.edit(&edit_of(edit, name, || self.offers())?, expressions, options)
            }
            Order::Undo {} => document.undo(options),
            Order::Redo {} => document.redo(options),
            Order::Describe { entity } => {
                let description = document.describe(&name(entity)?).map_err(|refusal| refusal.to_string())?;
                return Ok((
                    Done { description: Some(description_view(description)), ..Done::default() },
                    Effect::None,
                ));
            }
            Order::Save { file } => {
                self.save(file.as_deref())?;
                return Ok((Done { document: Some(self.view()), ..Done::default() }, Effect::None));
            }
            _ => {
                let document = DocumentView { offers: Some(self.offers()), ..self.view() };
                return Ok((Done { document: Some(document), ..Done::default() }, Effect::None));
            }
        };
        let edited = edited.map_err(|refusal| refusal.to_string())?;
        edited.warnings.iter().for_each(|warning| tracing::debug!("{warning}"));
        let (spawned, added) = (self.spawned(&edited.world), edited.added.clone());
        let Some(open) = &mut self.open else { return Err("edit: there is no document".into()) };
        let before = std::mem::replace(&mut open.document, edited.document.clone());
        let amendment = Box::new(edited.for_running(&before, spawned));
        Ok((Done { name: added, document: Some(self.view()), ..Done::default() }, Effect::Amend(amendment)))
    }

    /// Reads the world file, unless that was done before.
    fn open(&mut self) -> Result<(), String> {
        if self.open.is_some() {
            return Ok(());
        }
        let path = self.rights.world.clone();
        let content = input_file::read_text(&path, MAX_BYTES as u64)
            .map_err(|error| format!("{}: cannot be edited: {error}", path.display()))?;
        let text = content.strip_prefix(MARK).unwrap_or(&content);
        let name = path.to_string_lossy();
        let opened = WorldDocument::open(&name, folder_of(&path), text, &self.rights.options);
        let Edited { document, world, warnings, .. } = opened.map_err(|refusal| refusal.to_string())?;
        // Maps that no edit changes are read once.
        let options = LoadOptions { maps: world.prepared_maps().to_vec(), ..self.rights.options.clone() };
        self.open = Some(OpenFile { document, path, content, options, warnings: warnings.len() });
        Ok(())
    }

    fn name_of(&self, entity: u64) -> Result<String, String> {
        let (scene, id) = (self.scenes.borrow(), EntityId(entity));
        let vehicle = scene.vehicle_of(id).map(|index| scene.vehicles[index].name.clone());
        let name = vehicle.or_else(|| scene.block_of(id).map(|index| scene.blocks[index].name.clone()));
        name.ok_or_else(|| format!("edit: nothing here has the id {entity}"))
    }

    fn save(&mut self, file: Option<&str>) -> Result<(), String> {
        let Some(open) = &mut self.open else { return Ok(()) };
        let (text, store) = (open.text(), &self.rights.store);
        match file {
            None => store.replace(&open.path, &open.content, &text)?,
            Some(name) => {
                let path = store.new_file(name)?;
                check_in_folder(open, store.folder())?;
                store.create(&path, &text)?;
                open.path = path;
            }
        }
        open.content = text;
        Ok(())
    }

    /// The state of the document.
    fn view(&self) -> DocumentView {
        let Some(open) = &self.open else { return DocumentView::default() };
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let [undo, redo] = open.document.steps().map(count);
        let name = || open.path.file_name().map(|name| name.to_string_lossy().into_owned());
        DocumentView {
            file: self.rights.store.holds(&open.path).then(name).flatten(),
            folder: self.rights.store.shown(),
            is_changed: open.text() != open.content,
            undo,
            redo,
            offers: None,
        }
    }

    /// What can be added.
    fn offers(&self) -> Vec<OfferView> {
        let Some(open) = &self.open else { return Vec::new() };
        offers::offers(open.document.catalogue(), folder_of(&self.rights.world))
    }
}

/// The edit that a viewer wants.
fn edit_of(
    edit: EditView,
    name: impl Fn(u64) -> Result<String, String>,
    offers: impl FnOnce() -> Vec<OfferView>,
) -> Result<Edit, String> {
    Ok(match edit {
        EditView::Add { offer, x, y, yaw } => {
            let addition = match offer.source {
                OfferSource::Class => Addition::Class(offer.name),
                OfferSource::Shape => Addition::Shape(offer.name),
                // Only what is offered: a path may lead anywhere.
                OfferSource::File if !offers().contains(&offer) => {
                    return Err(format!(
                        "add: \"{}\" is not offered\n  accepted: what the document offers",
                        offer.path
                    ));
                }
                OfferSource::File => {
                    let kind = if offer.is_vehicle { EntityKind::Vehicle } else { EntityKind::Block };
                    Addition::File(ClassFile { class: offer.name, kind, path: offer.path })
                }
            };
            Edit::Add(addition, Pose2::new(x, y, yaw))
        }
        EditView::Place { entity, x, y, yaw } => Edit::Place(name(entity)?, Pose2::new(x, y, yaw)),
        EditView::Resize { entity, size } => Edit::Resize(name(entity)?, size),
        EditView::Set { entity, key, value } => Edit::Set { name: name(entity)?, key, value },
        EditView::Remove { entity } => Edit::Remove(name(entity)?),
        EditView::AddWalls { points, thickness, height, color } => {
            let points = points.into_iter().map(|[x, y]| Vec2::new(x, y)).collect();
            Edit::AddWalls { points, thickness, height, color }
        }
    })
}

fn description_view(from: Description) -> DescriptionView {
    DescriptionView {
        name: from.name,
        place: from.place,
        pose: [from.pose.x, from.pose.y, from.pose.yaw],
        pose_expression: from.pose_expression,
        size: from.size.ok(),
        properties: from.properties.into_iter().map(property_view).collect(),
    }
}

fn property_view(property: Property) -> PropertyView {
    let Property { key, label, owner, value, kind, is_written } = property;
    let kind = match kind {
        PropertyKind::Numbers(_) => "numbers",
        PropertyKind::Color => "color",
        PropertyKind::Switch => "switch",
        PropertyKind::Expression => "expression",
    };
    PropertyView { key, label, owner, value, kind: kind.into(), is_written }
}

/// Fails if the document would describe another world in this folder, where its relative paths lead elsewhere.
fn check_in_folder(open: &OpenFile, folder: &Path) -> Result<(), String> {
    let own_folder = folder_of(&open.path).canonicalize();
    if own_folder.is_ok_and(|own_folder| own_folder == folder) {
        return Ok(());
    }
    let hint = "hint: save it in the folder of the world, which --edit names";
    let saved_document = WorldDocument::open("the new file", folder, open.document.text(), &open.options);
    match saved_document {
        Ok(edited) if edited.warnings.len() <= open.warnings => Ok(()),
        Ok(edited) => {
            let warning = edited.warnings.iter().map(ToString::to_string).next_back().unwrap_or_default();
            Err(format!("save: relative paths of the world do not work from that folder\n{warning}\n  {hint}"))
        }
        Err(refusal) => {
            Err(format!("save: relative paths of the world do not work from that folder\n{refusal}\n  {hint}"))
        }
    }
}

/// The folder that contains `path`.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}
