//! What lies between the commands and the controller of a real robot or car, `<inputs>` in `<dynamics>`: radio, servo, speed controller.
//!
//! ```xml
//! <inputs delay="0"    mean time that a command takes to the vehicle [s], 0 to 5
//!         jitter="0">  its standard deviation [s], 0 to 5
//!   <speed …/>           speed of Ackermann commands, v_x of velocity commands [m/s]
//!   <lateral_speed …/>   v_y of velocity commands [m/s]
//!   <yaw_rate …/>        ω of velocity commands [rad/s]
//!   <steering …/>        steering angle of every command that has one [rad]
//!   <throttle …/>        of pedal commands [-]
//!   <brake …/>           of pedal commands [-]
//! </inputs>
//! ```
//! Each of them may be left out, and then passes its command on. Its attributes are stages, in this order:
//!
//! ```xml
//! <steering dead_zone="0"       a command up to this size counts as 0, a larger one as its excess, ≥ 0
//!           gain="1"            factor [-]
//!           offset="0"          added after the gain
//!           curve="-1 -0.35 0 0 1 0.38"   in place of the three: pairs of command and result, rising commands; linear in
//!                                         between, constant beyond
//!           delay="0"           pure delay [s], 0 to 5
//!           dead_band="0"       distance from its target up to which the servo rests, ≥ 0
//!           lag="0"             time constant [s], ≥ 0
//!           rate="…"            largest change per second, > 0; default: any
//!           backlash="0"/>      play of the linkage: the whole width of the gap, ≥ 0
//! ```
//! Units are those of the command; `steering` and `yaw_rate` take `dead_zone_deg`, `offset_deg`, `dead_band_deg`, `rate_deg` and
//! `backlash_deg` too. The delay reaches between steps by linear interpolation, so that results depend on it smoothly. Lag
//! and rate together are a lag whose servo saturates, exact at any step while its input is constant within the step. With
//! backlash the result follows only where the gap is used up: it stays where it is while the servo moves within the gap.
//!
//! # Which command goes where
//!
//! | Command | |
//! |---|---|
//! | velocity | `speed`, `lateral_speed`, `yaw_rate` |
//! | velocity, of a vehicle that steers | is speed and steering angle before it goes through `speed` and `steering`, as the car's servo has it; not where `twist_ideal` imposes the velocity on the body |
//! | wheel speeds of both sides | are a velocity before they go through `speed` and `yaw_rate` |
//! | Ackermann, steering rate | `speed`, `steering`; a limited rate of the command itself comes before them |
//! | pedals | `throttle`, `brake`, `steering`; the gear lever as it is |
//! | single wheels | as it is |
//!
//! A velocity command is one message: `lateral_speed` and `yaw_rate` have the delay and the lag of `speed` unless they say
//! otherwise, so that its parts arrive together. All other stages are of the channel alone. A channel that no command
//! of the vehicle goes through is warned of, and so are commands to single wheels beside `<inputs>`.
//!
//! # Where they start
//!
//! # How commands arrive
//!
//! Each command, of whatever kind, takes `delay` + `jitter`·n seconds, at least 0, with a standard normal number n of its own, by the seed of
//! the world and the name of the vehicle. It is heard in the first step at or after its arrival. None overtakes another one: one that would waits and arrives
//! with the one before, and of those that arrive in one step the last counts. The delays of the channels follow.
//! Timeouts count from when a command was given.
//!
//! Before the first command nothing is passed on. With the first command the channels start at the state that the
//! vehicle has then: its velocity, the set-point of its steering, the position of its pedals, as if these had arrived
//! for as long as the delay reaches back. A car that rolls at 3 m/s and is commanded 3 m/s keeps rolling. So they do with the
//! first command after a reset, a teleport, or a timeout, and at once when a state is set: what was under way arrives no
//! more. When commands stop, the controller is notified at once. A state that an estimator corrects, as identification and validation do at each window, leaves what is under way; the
//! lags of speed and yaw rate continue from it if the vehicle moves with them at once, else they keep their history.
//!
//! Chosen as the linear blocks that the identification of actuators works with (L. Ljung, "System Identification:
//! Theory for the User", 2nd ed., 1999, §4.2 and §5.2: Hammerstein models, a static curve before linear dynamics, and
//! process models with dead time; backlash: G. Tao and P. V. Kokotović, "Adaptive Control of Systems with Actuator and
//! Sensor Nonlinearities", 1996, §2.3). Dead time, dead band, lag and rate limit of each are also those
//! of Autoware's `DELAY_STEER_VEL`, whose queues start with zeros instead, and whose `steer_bias` is an offset of −bias.
//!
//! Not modelled: quantisation, noise and lost messages.

mod channel;
mod transport;

use skidpad_math::Twist2;
use skidpad_xml::Reader;

use self::channel::Channel;
use self::transport::Transport;
use super::command::{Accepts, Pedals};
use super::controller::{Controller, Order};

/// The inputs of a vehicle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    speed: Channel,
    lateral_speed: Channel,
    yaw_rate: Channel,
    steering: Channel,
    throttle: Channel,
    brake: Channel,
    /// The last command, with a speed of 0 once it has been stopped.
    order: Option<Order>,
    /// Whether that command is in force: nothing is passed on otherwise.
    is_in_force: bool,
    /// How commands get to the channels; none: at once.
    transport: Option<Transport>,
    /// The last command that has arrived of those in force; the last one without a transport.
    heard: Option<Order>,
    /// What the last step went through; what else a command needs starts at the state of the vehicle.
    running: Channels,
}

/// The channels that an order goes through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Channels {
    #[default]
    None,
    Velocity,
    Steered,
    Pedals,
}

impl Channels {
    fn of(order: &Order) -> Channels {
        match order {
            Order::Twist(_) => Channels::Velocity,
            Order::Ackermann { .. } | Order::Steered { .. } => Channels::Steered,
            Order::Pedals { .. } => Channels::Pedals,
            Order::Wheels(_) => Channels::None,
        }
    }
}

/// The state of a vehicle at which channels start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VehicleState {
    /// Velocity of the reference point, in the body frame [m/s, rad/s].
    pub velocity_in_body: Twist2,
    /// Speed that an Ackermann command is of [m/s]: along the body's x axis, or that of the model's own reference along its path.
    pub path_speed: f64,
    /// Set-point of the equivalent steering angle [rad].
    pub steering_angle: f64,
    /// Position of the pedals.
    pub pedals: Pedals,
}

/// The commands of a vehicle, as far as they decide which channels can act.
#[derive(Clone, Copy, Debug)]
pub struct Commands {
    accepts: Accepts,
    /// Whether velocity commands become speed and steering angle.
    steers: bool,
    /// Whether it has a steering angle at all.
    has_steering: bool,
    /// Whether its controller is one for each joint.
    has_joints: bool,
    /// Whether it moves along its y axis if it is commanded to.
    moves_sideways: bool,
}

impl Commands {
    /// Those that `controller` takes on a drive that steers or does not. `imposes`: the controller imposes the velocity on
    /// the body, and no model of the whole vehicle lies between them.
    pub fn new(controller: &dyn Controller, has_steering: bool, has_model: bool) -> Commands {
        let imposes = controller.imposes_velocity() && !has_model;
        Commands {
            accepts: controller.accepts(),
            steers: !imposes && controller.steered(Twist2::ZERO).is_some(),
            has_steering,
            has_joints: controller.turns_hinges(),
            moves_sideways: imposes || controller.moves_sideways() && !has_model,
        }
    }

    /// The channels by name, each with whether a command goes through it.
    fn channels(&self) -> [(&'static str, bool); 6] {
        let Accepts { twist, ackermann, pedals, .. } = self.accepts;
        let has_velocity = twist && !self.steers;
        [
            ("speed", twist || ackermann),
            ("lateral_speed", has_velocity && self.moves_sideways),
            ("yaw_rate", has_velocity),
            ("steering", self.has_steering && (ackermann || pedals || twist && self.steers)),
            ("throttle", pedals),
            ("brake", pedals),
        ]
    }

    /// Warns of the channels that nothing goes through, and of commands that go through none.
    fn check(&self, inputs: &Reader<'_>) {
        let channels = self.channels();
        let acting: Vec<String> =
            channels.iter().filter(|(_, acts)| *acts).map(|(name, _)| format!("<{name}>")).collect();
        for (name, _) in channels.iter().filter(|(_, acts)| !acts) {
            let Some(tag) = inputs.child(name) else { continue };
            let why = match *name {
                "yaw_rate" | "lateral_speed" if self.accepts.twist && self.steers => {
                    "its velocity commands are converted to speed and steering angle before <inputs>".into()
                }
                "lateral_speed" if self.accepts.twist => "it does not move along its y axis".into(),
                _ => format!("commands that its controller takes: {}", self.accepts.names()),
            };
            let warning = tag.warn(format!("<{name}> of <inputs> has no effect on this vehicle"));
            let warning = if acting.is_empty() { warning } else { warning.accepted(acting.iter().cloned()) };
            warning.hint(why);
        }
        if self.has_joints && !acting.is_empty() {
            inputs
                .warn(
                    "the channels of <inputs> have no effect on commands to single wheels, which the controller also takes",
                )
                .hint("they act on its velocity and Ackermann commands");
        }
    }
}

impl Inputs {
    /// Reads `<inputs>` of a vehicle that takes these commands; none without it. `stream` is the seed of the world and the name of the
    /// vehicle.
    pub fn read(dynamics: &Reader<'_>, commands: &Commands, stream: (u64, &str)) -> Option<Inputs> {
        dynamics.read_child("inputs", |tag| {
            let read = |name: &str, is_angle: bool, with: &Channel| {
                let channel = tag.read_child(name, |channel| Channel::read(channel, is_angle, with));
                channel.unwrap_or_else(|| Channel::as_late_as(with))
            };
            let at_once = Channel::default();
            let speed = read("speed", false, &at_once);
            let inputs = Inputs {
                lateral_speed: read("lateral_speed", false, &speed),
                yaw_rate: read("yaw_rate", true, &speed),
                steering: read("steering", true, &at_once),
                throttle: read("throttle", false, &at_once),
                brake: read("brake", false, &at_once),
                speed,
                transport: Transport::read(tag, stream),
                ..Inputs::default()
            };
            commands.check(tag);
            inputs
        })
    }

    /// Notes that what is taken from now on belongs to another command, which takes a time of its own.
    #[inline]
    pub fn begin_command(&mut self) {
        self.transport.iter_mut().for_each(Transport::begin);
    }

    /// Takes a command, which is passed on from the next [`Inputs::advance`] on, or when it arrives.
    pub fn take(&mut self, order: Order) {
        self.order = Some(order);
        self.is_in_force = true;
        match &mut self.transport {
            Some(transport) => transport.send(order),
            None => self.heard = Some(order),
        }
    }

    /// Speed [m/s] and steering angle [rad] of the last command, if it has both.
    pub fn steered(&self) -> Option<[f64; 2]> {
        match self.order {
            Some(Order::Ackermann { speed, steering_angle } | Order::Steered { speed, steering_angle }) => {
                Some([speed, steering_angle])
            }
            _ => None,
        }
    }

    /// What the controller hears for the next `dt` [s]; none: nothing. `state` is that of the vehicle.
    pub fn advance(&mut self, dt: f64, state: impl FnOnce() -> VehicleState) -> Option<Order> {
        if let Some(received) = self.transport.as_mut().and_then(|transport| transport.receive(dt)) {
            self.heard = Some(received);
        }
        let order = self.heard.filter(|_| self.is_in_force)?;
        let needed = Channels::of(&order);
        if needed != self.running {
            self.start(needed, &state());
        }
        Some(match order {
            Order::Twist(twist) => Order::Twist(Twist2::new(
                self.speed.advance(twist.vx, dt),
                self.lateral_speed.advance(twist.vy, dt),
                self.yaw_rate.advance(twist.wz, dt),
            )),
            Order::Ackermann { speed, steering_angle } => Order::Ackermann {
                speed: self.speed.advance(speed, dt),
                steering_angle: self.steering.advance(steering_angle, dt),
            },
            Order::Steered { speed, steering_angle } => Order::Steered {
                speed: self.speed.advance(speed, dt),
                steering_angle: self.steering.advance(steering_angle, dt),
            },
            Order::Pedals { mut pedals, steering_angle } => {
                pedals.throttle = self.throttle.advance(pedals.throttle, dt);
                pedals.brake = self.brake.advance(pedals.brake, dt);
                Order::Pedals { pedals, steering_angle: self.steering.advance(steering_angle, dt) }
            }
            wheels @ Order::Wheels(_) => wheels,
        })
    }

    /// Starts the channels that are `needed` and do not run at the state of the vehicle.
    fn start(&mut self, needed: Channels, state: &VehicleState) {
        let Twist2 { vy, wz, .. } = state.velocity_in_body;
        let before = std::mem::replace(&mut self.running, needed);
        let has_speed = |channels| matches!(channels, Channels::Velocity | Channels::Steered);
        let has_steering = |channels| matches!(channels, Channels::Steered | Channels::Pedals);
        if has_speed(needed) && !has_speed(before) {
            self.speed.start_at(self.speed_of(state));
        }
        if has_steering(needed) && !has_steering(before) {
            self.steering.start_at(state.steering_angle);
        }
        match needed {
            Channels::Velocity => {
                self.lateral_speed.start_at(vy);
                self.yaw_rate.start_at(wz);
            }
            Channels::Pedals => {
                self.throttle.start_at(state.pedals.throttle);
                self.brake.start_at(state.pedals.brake);
            }
            Channels::Steered | Channels::None => {}
        }
    }

    /// The speed of a vehicle [m/s] that the speed of the command in force is one of.
    fn speed_of(&self, state: &VehicleState) -> f64 {
        match self.heard {
            Some(Order::Ackermann { .. }) => state.path_speed,
            _ => state.velocity_in_body.vx,
        }
    }

    /// Forgets what is under way: with the next step the channels start at the state of the vehicle, with the last command.
    pub fn start_again(&mut self) {
        self.running = Channels::None;
        if let Some(transport) = &mut self.transport {
            transport.forget();
            self.heard = self.order.filter(|_| self.is_in_force);
        }
    }

    /// Lets the motion continue from `state`, and what is under way arrive.
    pub fn continue_from(&mut self, state: &VehicleState) {
        let Twist2 { vx, vy, wz } = state.velocity_in_body;
        match self.running {
            Channels::Velocity => {
                self.speed.continue_from(vx);
                self.lateral_speed.continue_from(vy);
                self.yaw_rate.continue_from(wz);
            }
            Channels::Steered => self.speed.continue_from(self.speed_of(state)),
            Channels::Pedals | Channels::None => {}
        }
    }

    /// Passes nothing on until the next command, and forgets what is under way.
    pub fn stop(&mut self) {
        self.is_in_force = false;
        if let Some(Order::Ackermann { speed, .. } | Order::Steered { speed, .. }) = &mut self.order {
            *speed = 0.0;
        }
        self.start_again();
        self.heard = None;
    }

    /// Back to the start.
    pub fn reset(&mut self) {
        (self.order, self.is_in_force, self.heard) = (None, false, None);
        self.start_again();
        self.transport.iter_mut().for_each(Transport::restart);
    }
}

#[cfg(test)]
#[path = "inputs_tests.rs"]
mod tests;
