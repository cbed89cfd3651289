//! Plays a recording for viewers: one thread, which sleeps until something is due.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SendError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::Replay;
use crate::time::SimTime;
use crate::view::state::{ViewScan, ViewState};
use crate::web::hub::{Hub, OrderCallback, Pilot};
use crate::web::messages::{Order, Span, Status};

/// How long to sleep while somebody looks.
const FRAME_INTERVAL: Duration = Duration::from_micros(16_667);
/// How long to sleep without viewers, or while nothing moves.
const IDLE_INTERVAL: Duration = Duration::from_millis(200);
/// Who has asked for nothing for so long does not look.
const VIEWER_TIMEOUT: Duration = Duration::from_secs(1);
/// How often it is tried to hand something over while readers look at what is there, once in a millisecond; then again with the next tick.
const MOST_ATTEMPTS: u32 = 20;
/// How long steps are made before others have their turn.
const STEPPING_TIME: Duration = Duration::from_millis(10);
/// How often the status is said while nothing else changes it.
const STATUS_INTERVAL: Duration = Duration::from_secs(1);

/// How a recording is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayOptions {
    /// Simulated seconds per second, > 0.
    pub rate: f64,
    /// Whether it stands at the beginning.
    pub paused: bool,
    /// Whether it begins anew at its end.
    pub repeats: bool,
    /// Where it begins; none: at its start.
    pub start: Option<SimTime>,
}

impl Default for PlayOptions {
    /// At the pace of the wall clock, once, from its start.
    fn default() -> PlayOptions {
        PlayOptions { rate: 1.0, paused: false, repeats: false, start: None }
    }
}

/// Messages to the thread.
enum PlayerMessage {
    Order(Order, OrderCallback),
    /// Others may hold on to a pilot, so that its end has a word of its own.
    End,
}

/// A recording that is being played; it ends when this is dropped.
pub struct Player {
    messages: Sender<PlayerMessage>,
    /// Ends it before all that it has been reply.
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Hands orders to the player.
struct Remote(Sender<PlayerMessage>);

impl Pilot for Remote {
    fn carry_out(&self, order: Order, reply: OrderCallback) {
        if let Err(SendError(PlayerMessage::Order(_, reply))) = self.0.send(PlayerMessage::Order(order, reply)) {
            reply(Err("the replay has ended".into()));
        }
    }
}

impl Player {
    /// The fastest that a recording is played [simulated s/s].
    pub const FASTEST: f64 = 1000.0;

    /// Shows the recording in `hub`. It stands at its beginning until somebody looks.
    ///
    /// # Errors
    /// No thread can be started.
    pub fn start(replay: Replay, hub: Arc<Hub>, options: PlayOptions) -> std::io::Result<Player> {
        let (messages, incoming) = channel();
        let mut play = PlayerThread::new(replay, hub, options);
        let ends = Arc::new(AtomicBool::new(false));
        let is_ending = Arc::clone(&ends);
        let run = move || play.run(&incoming, &is_ending);
        let thread = std::thread::Builder::new().name("replay".to_owned()).spawn(run)?;
        Ok(Player { messages, ends, thread: Some(thread) })
    }

    /// What carries out viewers' orders.
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

/// The thread's side.
struct PlayerThread {
    replay: Replay,
    hub: Arc<Hub>,
    options: PlayOptions,
    ended: bool,
    /// Whether anybody has looked yet.
    is_seen: bool,
    /// When somebody last asked for a state [wall].
    asked: Instant,
    /// From when on it plays [wall], and where it was then.
    anchor: (Instant, SimTime),
    state: ViewState,
    /// The scans of now, as far as somebody wants them.
    scans: Vec<Option<ViewScan>>,
    /// The scene that viewers have, and the time of the state.
    shown: Option<(usize, SimTime)>,
    /// Whether a reader kept the last instant from being shown.
    is_behind: bool,
    /// Whether the scans that viewers have are of now.
    has_scans: bool,
    /// When the status was last said [wall].
    reported: Instant,
    /// Number of steps still to be made, and the reply that follows them.
    steps: u32,
    stepper: Option<OrderCallback>,
}

impl PlayerThread {
    fn new(mut replay: Replay, hub: Arc<Hub>, options: PlayOptions) -> PlayerThread {
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
            asked: now,
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
        reply(done.map(|()| self.replay.now().secs()));
    }

    /// Makes some of the steps that are to be made: many take long, and others have their turn between.
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
        let is_looked_at = self.hub.wants_state() || self.asked.elapsed() < VIEWER_TIMEOUT;
        if self.is_behind || (self.moves() && is_looked_at) { FRAME_INTERVAL } else { IDLE_INTERVAL }
    }

    fn moves(&self) -> bool {
        !self.options.paused && self.is_seen
    }

    /// Somebody is there: what waited goes on from where it is.
    fn begin(&mut self) {
        if !std::mem::replace(&mut self.is_seen, true) {
            self.stay();
        }
    }

    /// Shows what is due, if somebody wants to see it.
    fn tick(&mut self) {
        let mut is_wanted = self.hub.wants_state();
        if is_wanted {
            self.asked = Instant::now();
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
                // Between two instants one who has come since gets the one before.
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
            // For one who has come since.
            self.show(true);
        }
        if self.reported.elapsed() >= STATUS_INTERVAL {
            self.report();
        }
    }

    /// Where it is, whether or not anybody looks.
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

    /// Goes on from where it is.
    fn stay(&mut self) {
        self.anchor = (Instant::now(), self.replay.now());
    }

    /// Publishes the last instant, with its scene, where viewers have another, or `again`.
    fn show(&mut self, again: bool) {
        let scene = self.replay.scene();
        self.replay.fill(&mut self.state);
        let now = (scene, self.state.time);
        if self.shown.is_none_or(|(before, _)| before != scene) {
            self.hub.show(self.replay.shown());
        }
        if self.shown.replace(now) != Some(now) || again {
            self.is_behind = !until(|| self.hub.publish(&mut self.state));
        }
    }

    /// Shows where it is now, scans and all.
    fn show_all(&mut self) {
        self.show_scans();
        self.show(false);
    }

    fn show_scans(&mut self) {
        // It reads files, which viewers must not wait for.
        self.replay.fill_scans(&mut self.scans);
        let mut scans = self.scans.clone();
        self.has_scans = until(|| {
            let mut is_there = false;
            self.hub.with_scans(|there| {
                std::mem::swap(there, &mut scans);
                is_there = true;
            });
            is_there
        });
    }

    /// Carries out an order, or says why not.
    fn carry_out(&mut self, order: &Order) -> Result<(), String> {
        self.steps = 0;
        if let Some(reply) = self.stepper.take() {
            reply(Err("step: another order came between".into()));
        }
        // Where viewers have been shown less than what has passed.
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
            Order::SetRate { rate: Some(rate) } if rate > 0.0 && rate <= Player::FASTEST => {
                self.replay.seek(position);
                self.options.rate = rate;
                self.stay();
                self.show_all();
            }
            Order::SetRate { rate } => {
                let found = rate.map_or("as fast as possible".into(), |rate| rate.to_string());
                return Err(format!(
                    "set_rate: {found}\n  accepted: for a recording above 0, up to {}",
                    Player::FASTEST
                ));
            }
            Order::Step { .. } if !self.options.paused => {
                return Err("step: time does not stand\n  accepted: steps after pause".into());
            }
            Order::Step { count } => self.steps = count,
            Order::Reset {} => self.begin_at(self.replay.span().0),
            Order::Seek { time } if time.is_finite() => self.begin_at(SimTime::from_secs(time)),
            Order::Seek { time } => return Err(format!("seek: {time} s\n  accepted: a time of the recording")),
            Order::Drive { .. } => return Err(refused("drive")),
            Order::Pedals { .. } => return Err(refused("pedals")),
            Order::Place { .. } => return Err(refused("place")),
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

/// Tries for as long as readers look at what is there, which is short; false where it takes longer.
fn until(mut is_done: impl FnMut() -> bool) -> bool {
    for _ in 0..MOST_ATTEMPTS {
        if is_done() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    false
}

/// What a recording cannot do.
fn refused(order: &str) -> String {
    format!(
        "{order}: this is a recording, in which nothing can be changed\n  accepted: pause, resume, step, seek, set_rate, reset"
    )
}
