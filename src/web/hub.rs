//! Where what is shown and those who look at it meet: the last state and scans, the scene, and flags for what is wanted.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};

use axum::body::Bytes;
use tokio::sync::watch;

use super::messages::{Order, Status, kind};
use crate::view::files::Files;
use crate::view::scene::SceneView;
use crate::view::state::{ViewScan, ViewState};

/// A scene as it goes to viewers.
#[derive(Debug, Default)]
pub struct Shown {
    /// The document.
    pub scene: SceneView,
    /// The files that it names.
    pub files: Files,
    /// The maps that it names, as PNG, in order.
    pub maps: Vec<Bytes>,
    /// The document as a message, which all viewers share.
    message: Bytes,
}

impl Shown {
    /// A document, the files that it names, and its maps as PNG.
    pub fn new(scene: SceneView, files: Files, maps: impl IntoIterator<Item = impl Into<Bytes>>) -> Shown {
        let mut message = vec![kind::SCENE];
        // Its keys are strings, so that nothing can go wrong.
        let _ = serde_json::to_writer(&mut message, &scene);
        Shown { scene, files, maps: maps.into_iter().map(Into::into).collect(), message: message.into() }
    }

    /// That of the document.
    pub fn revision(&self) -> u32 {
        self.scene.revision
    }

    /// The message to viewers: its kind and the JSON; none before there is a scene.
    pub fn message(&self) -> Option<Bytes> {
        (!self.message.is_empty()).then(|| self.message.clone())
    }

    /// The JSON alone; none before there is a scene.
    pub fn json(&self) -> Option<Bytes> {
        (!self.message.is_empty()).then(|| self.message.slice(1..))
    }
}

/// Gets the simulated time [s] when an order was done, or why not; from any thread, and must not block.
pub type Told = Box<dyn FnOnce(Result<f64, String>) + Send>;

/// An answer that is given in any case.
pub(super) struct Reply {
    told: Option<Told>,
    last_word: &'static str,
}

impl Reply {
    /// Gives `told` the answer, or `last_word` as a refusal when it is dropped without one.
    pub(super) fn new(told: Told, last_word: &'static str) -> Reply {
        Reply { told: Some(told), last_word }
    }

    pub(super) fn give(mut self, answer: Result<f64, String>) {
        if let Some(told) = self.told.take() {
            told(answer);
        }
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        if let Some(told) = self.told.take() {
            told(Err(self.last_word.into()));
        }
    }
}

/// Carries out orders; [`Order::Watch`] never comes here.
pub trait Pilot: Send + Sync {
    /// Hands the order on and does not wait.
    fn carry_out(&self, order: Order, told: Told);
}

/// The meeting point. Its shown side (simulation or replay) publishes, its viewers' side asks and reads.
#[derive(Debug)]
pub struct Hub {
    wants_state: AtomicBool,
    wants_scans: AtomicBool,
    /// The last instant.
    state: Mutex<ViewState>,
    /// The last scan of each sensor, vehicles in order, as far as there is one.
    scans: Mutex<Vec<Option<ViewScan>>>,
    /// Counts up with each state.
    states: watch::Sender<u64>,
    shown: watch::Sender<Arc<Shown>>,
    status: watch::Sender<Status>,
    viewers: AtomicU32,
}

impl Hub {
    /// With nothing to show yet.
    pub fn new() -> Hub {
        Hub {
            wants_state: AtomicBool::new(false),
            wants_scans: AtomicBool::new(false),
            state: Mutex::default(),
            scans: Mutex::default(),
            states: watch::Sender::new(0),
            shown: watch::Sender::new(Arc::default()),
            status: watch::Sender::new(Status::default()),
            viewers: AtomicU32::new(0),
        }
    }

    /// Counts a viewer, until what it gets is dropped.
    pub fn viewer(self: &Arc<Hub>) -> Viewer {
        self.viewers.fetch_add(1, Ordering::Relaxed);
        Viewer(Arc::clone(self))
    }

    /// Number of viewers.
    pub fn viewers(&self) -> u32 {
        self.viewers.load(Ordering::Relaxed)
    }

    /// A viewer would like the next state, and scans.
    pub fn ask(&self, scans: bool) {
        self.wants_scans.fetch_or(scans, Ordering::Relaxed);
        self.wants_state.store(true, Ordering::Relaxed);
    }

    /// Whether a state is wanted; the shown side looks at it once per frame.
    #[inline]
    pub fn wants_state(&self) -> bool {
        self.wants_state.load(Ordering::Relaxed)
    }

    /// Whether scans are wanted too.
    #[inline]
    pub fn wants_scans(&self) -> bool {
        self.wants_scans.load(Ordering::Relaxed)
    }

    /// Puts a state there by exchanging it for the one before, whose buffers are used again. Does not wait: false, and still wanted, while
    /// somebody reads the one that is there.
    pub fn publish(&self, state: &mut ViewState) -> bool {
        let mut there = match self.state.try_lock() {
            Ok(there) => there,
            Err(TryLockError::Poisoned(there)) => there.into_inner(),
            Err(TryLockError::WouldBlock) => return false,
        };
        self.wants_state.store(false, Ordering::Relaxed);
        std::mem::swap(&mut *there, state);
        drop(there);
        self.states.send_modify(|count| *count += 1);
        true
    }

    /// Changes the scans that are there, one slot for each sensor of the scene. Does not wait: nothing changes, and they are still wanted,
    /// while somebody reads them.
    pub fn with_scans(&self, change: impl FnOnce(&mut Vec<Option<ViewScan>>)) {
        let mut scans = match self.scans.try_lock() {
            Ok(scans) => scans,
            Err(TryLockError::Poisoned(scans)) => scans.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        self.wants_scans.store(false, Ordering::Relaxed);
        change(&mut scans);
    }

    /// Looks at the last state.
    pub fn look<T>(&self, look: impl FnOnce(&ViewState) -> T) -> T {
        look(&self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Looks at the last scans.
    pub fn look_at_scans<T>(&self, look: impl FnOnce(&[Option<ViewScan>]) -> T) -> T {
        look(&self.scans.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Wakes when a state is there.
    pub fn states(&self) -> watch::Receiver<u64> {
        self.states.subscribe()
    }

    /// Another scene is shown from now on. States of another revision than its are not for it.
    pub fn show(&self, shown: Shown) {
        self.shown.send_replace(Arc::new(shown));
    }

    /// Wakes when another scene is shown.
    pub fn shown(&self) -> watch::Receiver<Arc<Shown>> {
        self.shown.subscribe()
    }

    /// Says how things go, if that is new.
    pub fn report(&self, status: Status) {
        self.status.send_if_modified(|before| {
            let is_new = *before != status;
            *before = status;
            is_new
        });
    }

    /// Wakes when things go otherwise.
    pub fn status(&self) -> watch::Receiver<Status> {
        self.status.subscribe()
    }
}

/// A viewer that looks.
#[derive(Debug)]
pub struct Viewer(Arc<Hub>);

impl Drop for Viewer {
    fn drop(&mut self) {
        self.0.viewers.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Default for Hub {
    fn default() -> Hub {
        Hub::new()
    }
}
