//! Exchange between the source (simulation or replay) and the viewers: the last state and scans, the scene, and request flags.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use skidpad_run::guard::{lock, try_lock};
use skidpad_run::sink::Note;
use skidpad_view::messages::{Done, Notice, Order, Status};
use skidpad_view::sensor_data::TopicKey;
use skidpad_view::state::{ViewScan, ViewState};
use tokio::sync::watch;

use super::interest::Interest;
pub use super::published_scene::{PublishedScene, SceneForm};
use super::sensor_data::{Exchange, SensorData};
use super::warnings::WarningLog;

/// Callback with what an order has done, or the reason why not; called from any thread, must not block.
pub type OrderCallback = Box<dyn FnOnce(Result<Done, String>) + Send>;

/// A callback that is called exactly once, even when dropped.
pub(super) struct Reply {
    callback: Option<OrderCallback>,
    last_word: &'static str,
}

impl Reply {
    /// Passes the answer to `callback`, or `last_word` as a refusal if dropped without one.
    pub(super) fn new(callback: OrderCallback, last_word: &'static str) -> Reply {
        Reply { callback: Some(callback), last_word }
    }

    pub(super) fn give(mut self, answer: Result<impl Into<Done>, String>) {
        if let Some(callback) = self.callback.take() {
            callback(answer.map(Into::into));
        }
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        if let Some(callback) = self.callback.take() {
            callback(Err(self.last_word.into()));
        }
    }
}

/// Carries out orders; [`Order::Watch`] never comes here.
pub trait Pilot: Send + Sync {
    /// Passes the order on without waiting.
    fn carry_out(&self, order: Order, reply: OrderCallback);
}

/// The exchange. The source (simulation or replay) publishes, viewers request and read.
#[derive(Debug, Default)]
pub struct Hub {
    wants_state: AtomicBool,
    wants_scans: AtomicBool,
    wants_sensor_data: AtomicBool,
    /// What each viewer shows of sensors, by its number.
    interests: Note<BTreeMap<u64, Interest>>,
    /// Number of the next viewer.
    next_viewer: AtomicU64,
    /// The last instant.
    state: Mutex<ViewState>,
    /// The last scan of each sensor, vehicles in order; none before its first.
    scans: Mutex<Vec<Option<ViewScan>>>,
    /// Clouds and pictures.
    sensor_data: Mutex<Exchange>,
    /// Number of states so far.
    states: watch::Sender<u64>,
    shown: watch::Sender<Arc<PublishedScene>>,
    status: watch::Sender<Status>,
    viewers: AtomicU32,
    warnings: Arc<WarningLog>,
    /// Number of the last warning before the hub.
    first_warning: u64,
}

impl Hub {
    /// A hub without scene and state.
    pub fn new() -> Hub {
        Hub::default()
    }

    /// A hub whose viewers see the warnings that this log gets from now on.
    pub fn with_warnings(warnings: Arc<WarningLog>) -> Hub {
        Hub { first_warning: warnings.count(), warnings, ..Hub::default() }
    }

    /// Registers a viewer, until the returned handle is dropped.
    pub fn viewer(self: &Arc<Hub>) -> Viewer {
        self.viewers.fetch_add(1, Ordering::Relaxed);
        Viewer { hub: Arc::clone(self), number: self.next_viewer.fetch_add(1, Ordering::Relaxed) }
    }

    /// What each viewer shows of sensors, by its number.
    pub(crate) fn interests(&self) -> &Note<BTreeMap<u64, Interest>> {
        &self.interests
    }

    /// Notes what the viewer with this number shows; none: nothing.
    fn note_interest(&self, viewer: u64, interest: Option<Interest>) {
        self.interests.change(|interests| match interest {
            Some(interest) => drop(interests.insert(viewer, interest)),
            None => drop(interests.remove(&viewer)),
        });
    }

    /// Number of viewers.
    pub fn viewers(&self) -> u32 {
        self.viewers.load(Ordering::Relaxed)
    }

    /// Requests the next state, and optionally scans.
    pub fn ask(&self, scans: bool) {
        self.wants_scans.fetch_or(scans, Ordering::Relaxed);
        self.wants_state.store(true, Ordering::Relaxed);
    }

    /// Whether a state is requested; checked by the source once per frame.
    #[inline]
    pub fn wants_state(&self) -> bool {
        self.wants_state.load(Ordering::Relaxed)
    }

    /// Whether scans are requested too.
    #[inline]
    pub fn wants_scans(&self) -> bool {
        self.wants_scans.load(Ordering::Relaxed)
    }

    /// Publishes a state by swapping it with the previous one, whose buffers are reused. Does not block: returns false, and the request
    /// stays, while a viewer is reading the current one.
    pub fn publish(&self, state: &mut ViewState) -> bool {
        let Some(mut current_state) = try_lock(&self.state) else { return false };
        self.wants_state.store(false, Ordering::Relaxed);
        std::mem::swap(&mut *current_state, state);
        drop(current_state);
        self.states.send_modify(|count| *count += 1);
        true
    }

    /// Updates the scans, one slot per sensor of the scene. Does not block: nothing changes, and the request stays,
    /// while a viewer is reading them.
    pub fn with_scans(&self, change: impl FnOnce(&mut Vec<Option<ViewScan>>)) {
        let Some(mut scans) = try_lock(&self.scans) else { return };
        self.wants_scans.store(false, Ordering::Relaxed);
        change(&mut scans);
    }

    /// Requests clouds and pictures of these topics.
    pub fn ask_for_sensor_data(&self, topics: &[TopicKey]) {
        if topics.is_empty() {
            return;
        }
        let mut exchange = lock(&self.sensor_data);
        topics.iter().for_each(|key| exchange.ask(*key));
        self.wants_sensor_data.store(true, Ordering::Relaxed);
    }

    /// Whether clouds or pictures are requested.
    #[inline]
    pub fn wants_sensor_data(&self) -> bool {
        self.wants_sensor_data.load(Ordering::Relaxed)
    }

    /// Accesses the requests for clouds and pictures. Does not block: returns none, and the requests stay, while a viewer
    /// accesses them.
    pub fn with_sensor_data<T>(&self, change: impl FnOnce(&mut Exchange) -> T) -> Option<T> {
        let mut exchange = try_lock(&self.sensor_data)?;
        let result = change(&mut exchange);
        self.wants_sensor_data.store(exchange.has_requests(), Ordering::Relaxed);
        Some(result)
    }

    /// The answer for a topic that was asked for; none before there is one.
    pub fn sensor_data(&self, key: &TopicKey) -> Option<Option<Arc<SensorData>>> {
        lock(&self.sensor_data).answered(key)
    }

    /// Reads the last state.
    pub fn look<T>(&self, look: impl FnOnce(&ViewState) -> T) -> T {
        look(&lock(&self.state))
    }

    /// Reads the last scans.
    pub fn look_at_scans<T>(&self, look: impl FnOnce(&[Option<ViewScan>]) -> T) -> T {
        look(&lock(&self.scans))
    }

    /// Notifies of each new state.
    pub fn states(&self) -> watch::Receiver<u64> {
        self.states.subscribe()
    }

    /// Publishes another scene. States belong to it if they have its revision. What is apart from the one before stays there until the next.
    pub fn show(&self, shown: PublishedScene) {
        self.shown.send_modify(|current| *current = Arc::new(shown.after(current)));
    }

    /// Notifies of each new scene.
    pub fn shown(&self) -> watch::Receiver<Arc<PublishedScene>> {
        self.shown.subscribe()
    }

    /// Publishes the status if it has changed.
    pub fn report(&self, status: Status) {
        self.warnings.set_time(status.time);
        self.status.send_if_modified(|before| {
            let is_new = *before != status;
            *before = status;
            is_new
        });
    }

    /// Notifies of each warning.
    pub fn warnings(&self) -> watch::Receiver<u64> {
        self.warnings.numbers()
    }

    /// The last warnings, after the one with this number.
    pub(crate) fn warnings_after(&self, number: u64) -> Vec<Notice> {
        self.warnings.after(number.max(self.first_warning))
    }

    /// Notifies of each change of the status.
    pub fn status(&self) -> watch::Receiver<Status> {
        self.status.subscribe()
    }
}

/// A registered viewer.
#[derive(Debug)]
pub struct Viewer {
    hub: Arc<Hub>,
    number: u64,
}

impl Viewer {
    /// Says what it shows of sensors from now on, until it is dropped.
    pub fn shows(&self, interest: Interest) {
        self.hub.note_interest(self.number, Some(interest));
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        self.hub.note_interest(self.number, None);
        self.hub.viewers.fetch_sub(1, Ordering::Relaxed);
    }
}
