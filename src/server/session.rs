//! One viewer on its WebSocket: sends the requested data at the viewer's rate, and receives its orders.
//!
//! Two halves share one task. The sending half waits for its socket and sends the newest data, so that nothing queues up for a
//! slow viewer. The receiving half accepts only as many orders and pings as there is room for answers and pongs, so that
//! nothing queues up for a fast one.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use futures::stream::{SplitSink, SplitStream};
use futures::{SinkExt, StreamExt};
use serde::{Deserialize, Serialize};
use skidpad_math::time::SimTime;
use skidpad_view::channels::LAYOUT;
use skidpad_view::delta::Delta;
use skidpad_view::messages::{
    Answer, Done, Envelope, Greeting, MINOR, Notice, OfVehicles, Order, Status, WatchedTopic, kind,
};
use skidpad_view::numbers::Numbers;
use skidpad_view::points;
use skidpad_view::state::ViewScan;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until, timeout};

use super::Shared;
use super::dead_man::DeadMan;
use super::hub::{Reply, SceneForm, Viewer};
use super::interest::Interest;
use super::orders::{self, OrderBudget};
use super::pong_limit::PongLimit;
use super::sensor_data::{Schedule, TopicsWanted};
use super::slots::ViewerSlot;

/// Time limit for the close handshake.
const CLOSE_PATIENCE: Duration = Duration::from_millis(500);
/// Longest interval between two [`Status`].
const PULSE: Duration = Duration::from_secs(1);
/// Longest message from a viewer [bytes].
pub(super) const MAX_BYTES: usize = 64 << 10;
/// Most pending orders of a viewer.
const WAITING: usize = 64;
/// Longest reason in a close frame [bytes].
const MAX_REASON_LENGTH: usize = 123;
/// Longest quotation of an invalid message [bytes].
const QUOTED: usize = 1000;

/// The data that a viewer has requested.
#[derive(Clone, Debug, PartialEq)]
struct Subscription {
    /// Time between two states; none: no states.
    period: Option<Duration>,
    points: OfVehicles,
    stride: u16,
    clouds: bool,
    pictures: Vec<WatchedTopic>,
    readings: Option<u64>,
    numbers: OfVehicles,
}

/// Why a session ends.
enum End {
    /// The viewer has gone.
    Gone,
    /// Closed with a code and a reason.
    Because(u16, String),
}

type Sending = SplitSink<PongLimit, Message>;

/// Serves a viewer, who takes scenes in this form, until it leaves, misbehaves, or the server closes. Its orders keep its slot until they are answered.
pub(super) async fn serve(socket: WebSocket, shared: Arc<Shared>, seat: ViewerSlot, form: SceneForm) {
    let viewer = shared.hub.viewer();
    let (mut sending, mut receiving) = PongLimit::new(socket).split();
    let pictures = Vec::new();
    let initial = Subscription {
        period: None,
        points: OfVehicles::None,
        stride: 1,
        clouds: false,
        pictures,
        readings: None,
        numbers: OfVehicles::All,
    };
    let (subscription, subscriptions) = watch::channel(initial);
    let (answers, answered) = mpsc::channel(WAITING);
    let end = tokio::select! {
        end = send_all(&mut sending, form, &shared, subscriptions, answered) => end.err().unwrap_or(End::Gone),
        end = receive_all(&mut receiving, &shared, &seat, subscription, &viewer, answers) => end,
        reason = closing(&shared) => {
            let notice = Notice { level: "info".into(), text: reason.clone(), time: None, number: 0 };
            let _ = timeout(CLOSE_PATIENCE, sending.send(json(kind::NOTICE, &notice))).await;
            End::Because(close_code::AWAY, reason)
        }
    };
    if let End::Because(code, reason) = end {
        tracing::debug!("viewer closed: {reason}");
        let reason = shortened(&reason, MAX_REASON_LENGTH).into();
        let _ = timeout(CLOSE_PATIENCE, sending.send(Message::Close(Some(CloseFrame { code, reason })))).await;
        // Unread input would make the system discard the data sent.
        let _ = timeout(CLOSE_PATIENCE, async { while let Some(Ok(_)) = receiving.next().await {} }).await;
    }
}

/// The beginning of a text, at most `most` bytes.
fn shortened(text: &str, most: usize) -> &str {
    let end = (0..=text.len().min(most)).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

/// Waits until the server closes, and returns the reason.
async fn closing(shared: &Shared) -> String {
    let mut closing = shared.closing.clone();
    match closing.wait_for(Option::is_some).await {
        Ok(reason) => reason.clone().unwrap_or_default(),
        Err(_) => "the server ends".into(),
    }
}

fn json(kind: u8, content: &impl Serialize) -> Message {
    let mut bytes = vec![kind];
    // All keys are strings, so serialization cannot fail.
    let _ = serde_json::to_writer(&mut bytes, content);
    Message::Binary(bytes.into())
}

/// Waits until the message is sent, however long a large scene takes on a slow line; fails if the client reads nothing at all.
async fn taken(sending: impl Future<Output = Result<(), axum::Error>>) -> Result<(), End> {
    sending.await.map_err(|_| End::Gone)
}

/// The sending half: the socket, and what the viewer has received.
struct Outgoing<'a> {
    sending: &'a mut Sending,
    /// How the viewer takes scenes.
    form: SceneForm,
    shared: &'a Shared,
    /// Revision of the viewer's scene; none before the first.
    revision: Option<u32>,
    delta: Delta,
    buffer: Vec<u8>,
    /// Time of the last scan sent of each sensor.
    scans: BTreeMap<(usize, usize), SimTime>,
    /// The clouds and pictures that the viewer wants of its scene.
    topics: TopicsWanted,
    /// The numbers that the viewer wants of its scene's states.
    numbers: Numbers,
    /// The revision and the subscription that `topics` and `numbers` follow from.
    subscribed: Option<(Option<u32>, Subscription)>,
    schedule: Schedule,
    status: Status,
    reported: Instant,
    /// Number of the last warning that the viewer has got.
    warned: u64,
}

impl Outgoing<'_> {
    async fn send(&mut self, message: Message) -> Result<(), End> {
        taken(self.sending.send(message)).await
    }

    /// Appends the buffer to the messages that are flushed together.
    async fn add_buffer(&mut self) -> Result<(), End> {
        taken(self.sending.feed(Message::Binary(Bytes::copy_from_slice(&self.buffer)))).await
    }

    async fn send_scene(&mut self) -> Result<(), End> {
        let shown = self.shared.hub.shown().borrow().clone();
        let revision = shown.revision();
        let Some(message) = shown.made(self.form).await else { return Ok(()) };
        self.revision = Some(revision);
        self.delta = Delta::new();
        self.scans.clear();
        self.send(Message::Binary(message)).await
    }

    /// Sends the status if it has changed, or if the last one is old.
    async fn send_status(&mut self) -> Result<(), End> {
        let mut status = self.shared.hub.status().borrow().clone();
        status.viewers = self.shared.hub.viewers();
        let before = &self.status;
        // These two change continuously and do not count as a change.
        let (time, real_time_factor) = (before.time, before.real_time_factor);
        let is_new = Status { time, real_time_factor, ..status.clone() } != *before;
        if is_new || self.reported.elapsed() >= PULSE {
            self.reported = Instant::now();
            self.status = status;
            let message = json(kind::STATUS, &self.status);
            self.send(message).await?;
        }
        Ok(())
    }

    /// Sends the warnings that the viewer has not got.
    async fn send_warnings(&mut self) -> Result<(), End> {
        for notice in self.shared.hub.warnings_after(self.warned) {
            self.warned = notice.number;
            self.send(json(kind::NOTICE, &notice)).await?;
        }
        Ok(())
    }

    /// Sends the last state, and the new ones of the requested scans.
    async fn send_state(&mut self, subscription: &Subscription) -> Result<(), End> {
        let Some(revision) = self.revision else { return Ok(()) };
        let Outgoing { delta, numbers, buffer, .. } = self;
        let is_of_scene = self.shared.hub.look(|state| {
            let is_of_scene = state.revision == revision;
            if is_of_scene {
                delta.encode_part(state, numbers, buffer);
            }
            is_of_scene
        });
        if !is_of_scene {
            return Ok(());
        }
        self.add_buffer().await?;
        self.add_scans(revision, subscription).await?;
        taken(self.sending.flush()).await?;
        self.send_sensor_data().await
    }

    /// Finds the topics and the numbers that the viewer wants, if it wants others than before, or of another scene.
    fn subscribe(&mut self, subscription: &Subscription) {
        let wanted = (self.revision, subscription.clone());
        if self.subscribed.as_ref() == Some(&wanted) {
            return;
        }
        self.subscribed = Some(wanted);
        let shown = self.shared.hub.shown().borrow().clone();
        let Subscription { points, clouds, ref pictures, readings, numbers, .. } = *subscription;
        // A newer scene is about to be sent; all numbers are right for any.
        let is_sent = Some(shown.revision()) == self.revision;
        self.numbers = if is_sent { Numbers::new(&shown.scene, numbers) } else { Numbers::default() };
        self.topics = TopicsWanted::new(&shown.scene, points, clouds, pictures, readings);
    }

    /// Sends the clouds and pictures that have come since they were asked for.
    async fn send_sensor_data(&mut self) -> Result<(), End> {
        let begun = Instant::now();
        let mut is_sent = false;
        for key in self.schedule.open() {
            let Some(data) = self.shared.hub.sensor_data(&key) else { continue };
            let is_new = self.schedule.close(&key, data.as_ref().map(|data| data.time));
            if let Some(message) = data.filter(|_| is_new).and_then(|data| data.message()) {
                self.send(Message::Binary(message)).await?;
                is_sent = true;
            }
        }
        if is_sent {
            self.schedule.pause_after(begun.elapsed(), Instant::now());
        }
        Ok(())
    }

    async fn add_scans(&mut self, revision: u32, subscription: &Subscription) -> Result<(), End> {
        let wanted = match subscription.points {
            OfVehicles::None => return Ok(()),
            OfVehicles::All => None,
            OfVehicles::Vehicle(id) => {
                let shown = self.shared.hub.shown().borrow().clone();
                match shown.scene.vehicles.iter().position(|vehicle| vehicle.id == id) {
                    Some(index) => Some(index),
                    None => return Ok(()),
                }
            }
        };
        for slot in 0.. {
            let Outgoing { scans, numbers, buffer, .. } = self;
            let is_new_scan = self.shared.hub.look_at_scans(|all| {
                let is_wanted =
                    |scan: &&ViewScan| scan.revision == revision && wanted.is_none_or(|wanted| wanted == scan.vehicle);
                let Some(scan) = all.get(slot)?.as_ref().filter(is_wanted) else { return Some(false) };
                let last = scans.insert((scan.vehicle, scan.sensor), scan.time);
                let is_new = last != Some(scan.time);
                match numbers.has_all_of(scan.vehicle) {
                    _ if !is_new => {}
                    true => points::encode(scan, subscription.stride, buffer),
                    false => points::encode_compact(scan, subscription.stride, buffer),
                }
                Some(is_new)
            });
            match is_new_scan {
                Some(true) => self.add_buffer().await?,
                Some(false) => {}
                None => break,
            }
        }
        Ok(())
    }
}

async fn send_all(
    sending: &mut Sending,
    form: SceneForm,
    shared: &Shared,
    mut subscriptions: watch::Receiver<Subscription>,
    mut answers: mpsc::Receiver<Answer>,
) -> Result<(), End> {
    let mut out = Outgoing {
        sending,
        form,
        shared,
        revision: None,
        delta: Delta::new(),
        buffer: Vec::new(),
        scans: BTreeMap::new(),
        topics: TopicsWanted::default(),
        numbers: Numbers::default(),
        subscribed: None,
        schedule: Schedule::default(),
        status: Status::default(),
        reported: Instant::now(),
        warned: 0,
    };
    let hub = &shared.hub;
    let (mut shown, mut status, mut states) = (hub.shown(), hub.status(), hub.states());
    let mut warnings = hub.warnings();
    let greeting = Greeting {
        version: env!("CARGO_PKG_VERSION").into(),
        minor: MINOR,
        mode: shared.mode,
        read_only: shared.read_only,
        can_edit: shared.can_edit,
        layout: LAYOUT,
        run: shared.run.clone(),
        warnings: shared.warnings.clone(),
        recording: shared.recording.clone(),
    };
    out.send(json(kind::GREETING, &greeting)).await?;
    shown.mark_unchanged();
    out.send_scene().await?;
    out.reported -= PULSE;
    out.send_status().await?;
    out.send_warnings().await?;
    let (mut due, mut is_requested) = (Instant::now(), false);
    loop {
        let subscription = subscriptions.borrow_and_update().clone();
        out.subscribe(&subscription);
        let watches = subscription.period.is_some();
        tokio::select! {
            answer = answers.recv() => match answer {
                Some(answer) => out.send(json(kind::ANSWER, &answer)).await?,
                None => return Ok(()),
            },
            Ok(()) = shown.changed() => out.send_scene().await?,
            Ok(()) = status.changed() => out.send_status().await?,
            () = sleep_until(out.reported + PULSE) => out.send_status().await?,
            Ok(()) = warnings.changed() => out.send_warnings().await?,
            Ok(()) = subscriptions.changed() => {
                // A higher rate takes effect at once, not after the old period.
                due = due.min(Instant::now() + subscriptions.borrow().period.unwrap_or_default());
            }
            () = sleep_until(due), if watches && !is_requested => {
                states.mark_unchanged();
                hub.ask_for_sensor_data(&out.schedule.ask(&out.topics, Instant::now()));
                hub.ask(subscription.points != OfVehicles::None);
                is_requested = true;
            }
            Ok(()) = states.changed(), if watches && is_requested => {
                is_requested = false;
                let now = Instant::now();
                due = (due + subscription.period.unwrap_or_default()).max(now);
                out.send_state(&subscription).await?;
            }
        }
    }
}

/// The reply to the order with this id, which is always sent and keeps `seat` until then: otherwise a viewer that keeps reconnecting
/// could queue up orders at a simulation that does not process them.
fn answering(id: u32, permit: mpsc::OwnedPermit<Answer>, seat: Option<ViewerSlot>) -> Reply {
    let send = move |answer: Result<Done, String>| {
        let _seat = seat;
        permit.send(Answer::new(id, answer));
    };
    Reply::new(Box::new(send), "order: no answer")
}

async fn receive_all(
    receiving: &mut SplitStream<PongLimit>,
    shared: &Arc<Shared>,
    seat: &ViewerSlot,
    subscription: watch::Sender<Subscription>,
    viewer: &Viewer,
    answers: mpsc::Sender<Answer>,
) -> End {
    let mut dead_man = DeadMan::new(Arc::clone(&shared.pilot));
    let mut budget = OrderBudget::new();
    loop {
        let next = async {
            let permit = answers.clone().reserve_owned().await.ok();
            (permit, receiving.next().await)
        };
        let (permit, message) = tokio::select! {
            next = next => next,
            () = dead_man.watch() => continue,
        };
        let text = match message {
            Some(Ok(Message::Text(text))) => text,
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
            Some(Ok(Message::Binary(_))) => {
                let reason = "message: binary\n  accepted: an order as text".into();
                return End::Because(close_code::UNSUPPORTED, reason);
            }
            Some(Ok(Message::Close(_))) | None => return End::Gone,
            Some(Err(error)) => return broken(error),
        };
        let Some(permit) = permit else { return End::Gone };
        let budgeted = budget.spend();
        let (reply, order) = match read(&text) {
            Ok(Envelope { id, order }) => (answering(id, permit, Some(seat.clone())), order),
            Err((id, refusal)) => {
                answering(id, permit, None).give(Err::<Done, _>(refusal));
                continue;
            }
        };
        let permitted = || orders::permit(&order, shared.read_only);
        let checked = budgeted.and_then(|()| permitted()).and_then(|()| orders::check(&order));
        match (checked, order) {
            (Err(refusal), _) => reply.give(Err::<Done, _>(refusal)),
            (Ok(()), Order::Watch { rate, points, stride, clouds, pictures, readings, numbers }) => {
                let period = (rate > 0.0).then(|| Duration::from_secs_f64(1.0 / rate));
                let shown = Interest { points, clouds, pictures: pictures.clone(), readings };
                viewer.shows(if period.is_some() { shown } else { Interest::default() });
                subscription.send_replace(Subscription { period, points, stride, clouds, pictures, readings, numbers });
                reply.give(Ok(shared.hub.status().borrow().time));
            }
            (Ok(()), order) => {
                dead_man.note(&order);
                shared.pilot.carry_out(order, Box::new(|answer| reply.give(answer)));
            }
        }
    }
}

/// Parses an order; on failure returns its id, if any, and the reason.
fn read(text: &str) -> Result<Envelope, (u32, String)> {
    #[derive(Deserialize)]
    struct Id {
        #[serde(default)]
        id: u32,
    }
    serde_json::from_str(text).map_err(|error| {
        let id = serde_json::from_str(text).map_or(0, |Id { id }| id);
        let error = error.to_string();
        let found = shortened(&error, QUOTED);
        let accepted = "{\"id\": NUMBER, \"order\": {\"do\": NAME, …}}, see docs/viewer-protocol.md";
        (id, format!("order: {found}\n  accepted: {accepted}"))
    })
}

/// The end of a session after a read error.
fn broken(error: axum::Error) -> End {
    use tungstenite::Error;
    match error.into_inner().downcast_ref::<Error>() {
        Some(Error::Capacity(_)) => {
            End::Because(close_code::SIZE, format!("message: too long\n  accepted: up to {MAX_BYTES} bytes"))
        }
        Some(Error::Utf8(_)) => End::Because(close_code::INVALID, "message: not UTF-8".into()),
        Some(Error::Protocol(cause)) => End::Because(close_code::PROTOCOL, format!("frame: {cause}")),
        Some(_) | None => End::Gone,
    }
}
