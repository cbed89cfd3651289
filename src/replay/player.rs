//! Plays a recording for viewers: one thread, which sleeps until something is due.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SendError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use skidpad_math::time::SimTime;
use skidpad_server::hub::{Hub, OrderCallback, Pilot};
use skidpad_view::messages::{Order, Span, Status};
use skidpad_view::state::{ViewScan, ViewState};

use super::Playback;

/// Wake-up interval while a viewer watches a moving scene.
const FRAME_INTERVAL: Duration = Duration::from_micros(16_667);
/// Wake-up interval without viewers, or while nothing moves.
const IDLE_INTERVAL: Duration = Duration::from_millis(200);
/// A viewer that has requested no state for this long is not watching.
const VIEWER_TIMEOUT: Duration = Duration::from_secs(1);
/// Attempts, one per millisecond, to publish while a viewer is reading; after that the next tick tries again.
const MAX_ATTEMPTS: u32 = 20;
/// How long steps are made before messages are handled again.
const STEPPING_TIME: Duration = Duration::from_millis(10);
/// Interval of the status while nothing else changes it.
const STATUS_INTERVAL: Duration = Duration::from_secs(1);

/// How a recording is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayOptions {
    /// Simulated seconds per second, > 0.
    pub rate: f64,
    /// Whether it starts paused.
    pub paused: bool,
    /// Whether it restarts at its end.
    pub repeats: bool,
    /// Time at which playing begins; none: at the start of the recording.
    pub start: Option<SimTime>,
}

impl Default for PlayOptions {
    /// In real time, once, from the start of the recording.
    fn default() -> PlayOptions {
        PlayOptions { rate: 1.0, paused: false, repeats: false, start: None }
    }
}

/// Messages to the thread.
enum PlayerMessage {
    Order(Order, OrderCallback),
    /// Ends the thread: pilots may outlive the player, so the channel does not close.
    End,
}

/// A recording that is being played; it ends when this is dropped.
pub struct Player {
    messages: Sender<PlayerMessage>,
    /// Ends the thread before it handles pending messages.
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Passes orders to the player.
struct Remote(Sender<PlayerMessage>);

impl Pilot for Remote {
    fn carry_out(&self, order: Order, reply: OrderCallback) {
        if let Err(SendError(PlayerMessage::Order(_, reply))) = self.0.send(PlayerMessage::Order(order, reply)) {
            reply(Err("the replay has ended".into()));
        }
    }
}

impl Player {
    /// The fastest playing rate [simulated s/s].
    pub const MAX_RATE: f64 = 1000.0;

    /// Shows a recording, or one with a ghost, in `hub`. It waits at its beginning until a viewer watches.
    ///
    /// # Errors
    /// No thread can be started.
    pub fn start(replay: impl Into<Playback>, hub: Arc<Hub>, options: PlayOptions) -> std::io::Result<Player> {
        let (messages, incoming) = channel();
        let mut play = PlayerThread::new(replay.into(), hub, options);
        let ends = Arc::new(AtomicBool::new(false));
        let is_ending = Arc::clone(&ends);
        let run = move || play.run(&incoming, &is_ending);
        let thread = std::thread::Builder::new().name("replay".to_owned()).spawn(run)?;
        Ok(Player { messages, ends, thread: Some(thread) })
    }

    /// The pilot that carries out viewers' orders.
    pub fn pilot(&self) -> Arc<dyn Pilot> {
        Arc::new(Remote(self.messages.clone()))
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        let _ = self.messages.send(PlayerMessage::End);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The state of the thread.
struct PlayerThread {
    replay: Playback,
    hub: Arc<Hub>,
    options: PlayOptions,
    ended: bool,
    /// Whether a viewer has watched yet.
    is_seen: bool,
    /// When a viewer last requested a state [wall].
    last_request: Instant,
    /// A wall time, and the simulated time that was shown then.
    anchor: (Instant, SimTime),
    state: ViewState,
    /// The current scans, if a viewer wants them.
    scans: Vec<Option<ViewScan>>,
    /// Revision of the scene that viewers have, and the time of the state.
    shown: Option<(u32, SimTime)>,
    /// Whether a reader prevented the last instant from being published.
    is_behind: bool,
    /// Whether the scans that viewers have are current.
    has_scans: bool,
    /// When the status was last reported [wall].
    reported: Instant,
    /// Number of steps still to be made, and the reply that follows them.
    steps: u32,
    stepper: Option<OrderCallback>,
}

impl PlayerThread {
    fn new(mut replay: Playback, hub: Arc<Hub>, options: PlayOptions) -> PlayerThread {
        if let Some(start) = options.start {
            replay.seek(start);
        }
        let (now, at) = (Instant::now(), replay.now());
        let mut play = PlayerThread {
            replay,
            hub,
            options,
            ended: false,
            is_seen: false,
            last_request: now,
            anchor: (now, at),
            state: ViewState::default(),
            scans: Vec::new(),
            shown: None,
            is_behind: false,
            has_scans: false,
            reported: now,
            steps: 0,
            stepper: None,
        };
        play.show_all();
        play.report();
        play
    }

    fn run(&mut self, messages: &Receiver<PlayerMessage>, ends: &AtomicBool) {
        while !ends.load(Ordering::Relaxed) {
            match messages.recv_timeout(self.next_wakeup()) {
                Ok(PlayerMessage::End) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(PlayerMessage::Order(order, reply)) => {
                    self.begin();
                    let done = self.carry_out(&order);
                    match self.steps {
                        0 => self.tell(reply, done),
                        _ => self.stepper = Some(reply),
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.make_steps();
            self.tick();
        }
    }

    /// The state is updated before the reply.
    fn tell(&mut self, reply: OrderCallback, done: Result<(), String>) {
        self.report();
        reply(done.map(|()| self.replay.now().secs().into()));
    }

    /// Makes some of the outstanding steps: many take long, and messages are handled in between.
    fn make_steps(&mut self) {
        if self.steps == 0 {
            return;
        }
        let began = Instant::now();
        while self.steps > 0 && began.elapsed() < STEPPING_TIME {
            self.ended = !self.replay.step();
            self.steps = if self.ended { 0 } else { self.steps - 1 };
        }
        self.stay();
        self.show_all();
        if self.steps == 0
            && let Some(reply) = self.stepper.take()
        {
            self.tell(reply, Ok(()));
        }
    }

    fn next_wakeup(&self) -> Duration {
        if self.steps > 0 {
            return Duration::ZERO;
        }
        let is_looked_at = self.hub.wants_state() || self.last_request.elapsed() < VIEWER_TIMEOUT;
        if self.is_behind || (self.moves() && is_looked_at) { FRAME_INTERVAL } else { IDLE_INTERVAL }
    }

    fn moves(&self) -> bool {
        !self.options.paused && self.is_seen
    }

    /// A viewer is watching: starts playing from the current position.
    fn begin(&mut self) {
        if !std::mem::replace(&mut self.is_seen, true) {
            self.stay();
        }
    }

    /// Publishes what is due, if a viewer is watching.
    fn tick(&mut self) {
        let mut is_wanted = self.hub.wants_state();
        if is_wanted {
            self.last_request = Instant::now();
            self.begin();
        }
        is_wanted |= self.is_behind;
        if self.moves() {
            let target = self.position();
            let (start, end) = self.replay.span();
            let is_over = target >= end;
            if is_wanted || is_over {
                self.replay.seek(target);
                // Sessions that wait for the state read the scans when it arrives.
                if self.hub.wants_scans() || is_over {
                    self.show_scans();
                } else {
                    self.has_scans = false;
                }
                self.show_sensor_data();
                // A new viewer gets the last instant even if no new one is due.
                self.show(is_wanted);
            }
            if is_over && self.options.repeats && end > start {
                self.begin_at(start);
            } else if is_over {
                (self.options.paused, self.ended) = (true, true);
                self.report();
            }
        } else if is_wanted {
            if self.hub.wants_scans() && !self.has_scans {
                self.show_scans();
            }
            self.show_sensor_data();
            // For a new viewer.
            self.show(true);
        }
        if self.reported.elapsed() >= STATUS_INTERVAL {
            self.report();
        }
    }

    /// The simulated time to show now, whether or not a viewer watches.
    fn position(&self) -> SimTime {
        let (since, from) = self.anchor;
        if !self.moves() {
            return self.replay.now();
        }
        (from + SimTime::from_secs(since.elapsed().as_secs_f64() * self.options.rate)).min(self.replay.span().1)
    }

    fn begin_at(&mut self, time: SimTime) {
        self.replay.seek(time);
        self.stay();
        self.ended = false;
        self.show_all();
    }

    /// Continues from the current position.
    fn stay(&mut self) {
        self.anchor = (Instant::now(), self.replay.now());
    }

    /// Publishes the current instant, with its scene, if viewers have another one or `again` is set.
    fn show(&mut self, again: bool) {
        let scene = self.replay.revision();
        self.replay.fill(&mut self.state);
        let now = (scene, self.state.time);
        if self.shown.is_none_or(|(before, _)| before != scene) {
            self.hub.show(self.replay.shown());
        }
        if self.shown.replace(now) != Some(now) || again {
            self.is_behind = !until(|| self.hub.publish(&mut self.state));
        }
    }

    /// Shows the current instant with its scans.
    fn show_all(&mut self) {
        self.show_scans();
        self.show(false);
    }

    /// Answers the requests for clouds and pictures.
    fn show_sensor_data(&mut self) {
        if !self.hub.wants_sensor_data() {
            return;
        }
        let wanted = self.hub.with_sensor_data(|exchange| exchange.wanted()).unwrap_or_default();
        // Messages are read from files, which must not delay viewers.
        for (key, last) in wanted {
            let data = self.replay.sensor_data(&key, last);
            until(|| self.hub.with_sensor_data(|exchange| exchange.answer(&key, data.clone())).is_some());
        }
    }

    fn show_scans(&mut self) {
        // Meshes and maps are read from files, which must not delay viewers.
        self.replay.fill_scans(&mut self.scans);
        let mut scans = self.scans.clone();
        self.has_scans = until(|| {
            let mut is_there = false;
            self.hub.with_scans(|hub_scans| {
                std::mem::swap(hub_scans, &mut scans);
                is_there = true;
            });
            is_there
        });
    }

    /// Carries out an order, or returns the reason why not.
    fn carry_out(&mut self, order: &Order) -> Result<(), String> {
        self.steps = 0;
        if let Some(reply) = self.stepper.take() {
            reply(Err("step: interrupted by another order".into()));
        }
        // More time may have passed than viewers have been shown.
        let position = self.position();
        match *order {
            Order::Pause {} => {
                self.replay.seek(position);
                self.show_all();
                self.options.paused = true;
            }
            Order::Resume {} => {
                if self.ended {
                    self.begin_at(self.replay.span().0);
                } else {
                    self.replay.seek(position);
                }
                self.options.paused = false;
                self.stay();
            }
            Order::SetRate { rate: Some(rate) } if rate > 0.0 && rate <= Player::MAX_RATE => {
                self.replay.seek(position);
                self.options.rate = rate;
                self.stay();
                self.show_all();
            }
            Order::SetRate { rate } => {
                let found = rate.map_or("as fast as possible".into(), |rate| rate.to_string());
                return Err(format!(
                    "set_rate: {found}\n  accepted: for a recording above 0, up to {}",
                    Player::MAX_RATE
                ));
            }
            Order::Step { .. } if !self.options.paused => {
                return Err("step: the replay is running\n  hint: pause it first".into());
            }
            Order::Step { count } => self.steps = count,
            Order::Reset {} => self.begin_at(self.replay.span().0),
            Order::Seek { time } if time.is_finite() => self.begin_at(SimTime::from_secs(time)),
            Order::Seek { time } => return Err(format!("seek: {time} s\n  accepted: a time of the recording")),
            Order::Drive { .. } => return Err(refused("drive")),
            Order::Pedals { .. } => return Err(refused("pedals")),
            Order::Place { .. } => return Err(refused("place")),
            Order::Command { .. } => return Err(refused("command")),
            Order::Spawn { .. } => return Err(refused("spawn")),
            Order::Remove { .. } => return Err(refused("remove")),
            Order::Parameters { .. } => return Err(refused("parameters")),
            Order::SetParameter { .. } => return Err(refused("set_parameter")),
            Order::Shutdown {} => return Err(refused("shutdown")),
            Order::Edit { .. }
            | Order::Undo {}
            | Order::Redo {}
            | Order::Document {}
            | Order::Describe { .. }
            | Order::Save { .. }
            | Order::New { .. } => return Err(refused("edit")),
            Order::Watch { .. } => {
                return Err("watch: only viewers watch\n  accepted: over /api/socket".into());
            }
        }
        Ok(())
    }

    fn report(&mut self) {
        let (start, end) = self.replay.span();
        self.reported = Instant::now();
        self.hub.report(Status {
            paused: self.options.paused,
            rate: Some(self.options.rate),
            real_time_factor: if self.moves() { self.options.rate } else { 0.0 },
            time: self.position().secs(),
            viewers: self.hub.viewers(),
            // A replay has no driver.
            resets: 0,
            span: Some(Span { start: start.secs(), end: end.secs() }),
            ended: self.ended,
        });
    }
}

/// Retries while viewers are reading, which is short; false if it takes too long.
fn until(mut is_done: impl FnMut() -> bool) -> bool {
    for _ in 0..MAX_ATTEMPTS {
        if is_done() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    false
}

/// The refusal of an order that a recording cannot carry out.
fn refused(order: &str) -> String {
    format!("{order}: a recording cannot be changed\n  accepted: pause, resume, step, seek, set_rate, reset")
}
