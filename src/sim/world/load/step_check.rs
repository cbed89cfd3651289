//! A check of the step. It drives each kind of vehicle of a world for three seconds, alone on level ground: once with the step of the world,
//! and once with an eighth of it. It warns where the motions differ. Then the step is too large for the gains, masses or tyres of the
//! vehicle, whatever its drive and controller.
//!
//! The speed is the largest that the vehicle is known to have, at its start or by commands. Without one, it is the largest that the vehicle
//! takes commands for, or 1 m/s. The faster tyres roll, the less they damp the swings of a wheel. A gain that suits a slow vehicle may be
//! too large for a fast one. The run begins up to 1 m/s below that speed.
//!
//! The first second goes straight ahead and the other two through a turn, in which a fast car settles late. The check compares the second
//! half of each: the root mean square of the difference over that of the velocity. Swings, drifts and set-points that are not reached show
//! there, and a transient that is a step late does not. Torques do not count, since a torque that alternates without moving the vehicle does
//! no harm.

use std::collections::BTreeMap;

use skidpad_files::mesh::Meshes;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Twist2};
use skidpad_xml::{Context, Element, Options, Place, Problem, Reader};

use super::{Builder, LoadOptions, with_class};
use crate::vehicle::{Action, Command, Pedals};
use crate::world::load::scalars::Scalars;
use crate::world::load::speed_check;
use crate::world::{Catalogue, Scene, World};

/// Largest difference [-] between the motions.
const MAX_DIFFERENCE: f64 = 0.02;
/// What the reference divides the step by, and what smaller steps are tried.
const FINE: f64 = 8.0;
const SMALLER: [f64; 3] = [2.0, 4.0, 8.0];
/// Times at which motions are sampled straight ahead and in the turn, and about how long after each other [s].
const SAMPLES: [usize; 2] = [25, 50];
const INTERVAL: f64 = 0.04;
/// Velocities below these [m/s, rad/s] do not count: of a vehicle that stands or goes straight ahead.
const MIN_SPEED: f64 = 1e-3;
const MIN_YAW_RATE: f64 = 0.02;
/// Largest number of vehicles that are tried.
const MAX_CANDIDATES: usize = 64;
/// Speed [m/s] of a vehicle of which none is known.
const USUAL_SPEED: f64 = 1.0;
/// Greatest gain of speed from the beginning of a run on [m/s].
const LAUNCH: f64 = 1.0;
/// Steering angle [rad] and yaw rate [rad/s] of the turn, and its greatest lateral acceleration [m/s²], chosen within the grip of most tyres.
const STEERING_ANGLE: f64 = 0.1;
const YAW_RATE: f64 = 0.3;
const ACROSS: f64 = 3.0;

/// When each kind of vehicle of a world is driven for a moment, to warn where the step of the world is too large for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepCheck {
    /// Never.
    #[default]
    Never,
    /// At the load, at the speeds that the world file tells.
    AtLoad,
    /// By [`World::try_steps`], when commands are known.
    OnDemand,
}

/// A kind of vehicle: what its motion depends on.
#[derive(Clone, Debug)]
pub(in crate::world) struct Candidate {
    /// The vehicles of this kind, one at least.
    names: Vec<String>,
    /// Greatest speed at their start [m/s].
    speed: f64,
    /// Greatest speed [m/s] for which it takes commands; none: no limit.
    top_speed: Option<f64>,
    /// Speed [m/s] above which the controllers of its front wheels steer it; none: they do not.
    vectors_from: Option<f64>,
    instance: Element,
    class: Option<(String, Element)>,
    variables: Vec<(String, String)>,
    /// Where its dynamics are written.
    place: Place,
}

/// How the motion of a vehicle differs from that at small steps.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Difference {
    /// It could not be computed.
    Diverged,
    /// By this share [-] of its speed.
    Speed(f64),
    /// By this share [-] of its yaw rate.
    YawRate(f64),
}

impl Difference {
    fn is_small(self) -> bool {
        matches!(self, Difference::Speed(share) | Difference::YawRate(share) if share <= MAX_DIFFERENCE)
    }

    fn describe(self) -> String {
        let percent = |share: f64| match 100.0 * share {
            percent if percent < 10.0 => format!("{percent:.1} %"),
            percent if percent < 1000.0 => format!("{percent:.0} %"),
            _ => "more than 1000 %".into(),
        };
        match self {
            Difference::Diverged => "it diverges".into(),
            Difference::Speed(share) => format!("its speed is {} off", percent(share)),
            Difference::YawRate(share) => format!("its yaw rate is {} off", percent(share)),
        }
    }
}

impl Candidate {
    /// Speed [m/s] of its runs; `commanded` has the largest commanded speed of a vehicle [m/s].
    fn run_speed(&self, commanded: &dyn Fn(&str) -> Option<f64>) -> f64 {
        let known = self.names.iter().filter_map(|name| commanded(name)).fold(self.speed, f64::max);
        if known >= MIN_SPEED { known } else { self.top_speed.unwrap_or(USUAL_SPEED) }
    }
}

impl World {
    /// Drives each kind of vehicle for a moment, alone, and returns warnings of those for which the step is too large; `commanded` has the largest
    /// speed that a vehicle will be commanded [m/s], as far as it is known. Only worlds that were loaded with [`StepCheck::OnDemand`] know
    /// their kinds.
    pub fn try_steps(&self, commanded: &dyn Fn(&str) -> Option<f64>) -> Vec<Problem> {
        let catalogue = self.catalogue();
        let context = Context::new(Options::default());
        let checker = StepChecker {
            options: &catalogue.options,
            declared: &catalogue.declared_variables,
            scalars: catalogue.scalars,
            step: self.scene().step.secs(),
        };
        checker.run_all(&context, &catalogue.candidates, commanded, &mut Meshes::default());
        context.finish().1
    }
}

impl Builder<'_> {
    /// Remembers the vehicle that was read last for the check, with those that have the same dynamics and tyres.
    pub(super) fn note_candidate(&mut self, instance: &Element, class: &str, name: &str) {
        let Some(loaded) = self.vehicles.last().filter(|_| self.options.tries_steps != StepCheck::Never) else {
            return;
        };
        let setpoint = loaded.vehicle.controller().setpoint().velocity_in_body;
        let speed = loaded.start_velocity_in_body.vx.abs().max(setpoint.vx.abs());
        let top_speed = loaded.vehicle.top_velocity()[0];
        let definition = self.vehicle_classes.get(class);
        let vectors_from = speed_check::speed_of_vectoring(loaded, instance, definition);
        let class = self.vehicle_classes.get(class).map(|definition| (class.to_owned(), without_sensors(definition)));
        let instance = without_sensors(instance);
        let places_of_parts = |element: &Element| -> Vec<Place> {
            let parts = element.children.iter().filter(|child| matches!(child.tag.as_str(), "dynamics" | "friction"));
            parts.map(|part| part.place.clone()).collect()
        };
        let is_known = |known: &Candidate| {
            known.class.as_ref().map(|(name, _)| name) == class.as_ref().map(|(name, _)| name)
                && places_of_parts(&known.instance) == places_of_parts(&instance)
        };
        if let Some(known) = self.candidates.iter_mut().find(|known| is_known(known)) {
            known.names.push(name.to_owned());
            known.speed = known.speed.max(speed);
            return;
        }
        let dynamics = instance.child("dynamics").or_else(|| class.as_ref()?.1.child("dynamics"));
        let place = dynamics.map_or_else(|| instance.place.clone(), |dynamics| dynamics.place.clone());
        let variables = self.context.variables();
        let names = vec![name.to_owned()];
        self.candidates.push(Candidate { names, speed, top_speed, vectors_from, instance, class, variables, place });
    }

    /// Runs the candidates with the step of the world, unless that is for later.
    pub(super) fn try_steps(&mut self) {
        if self.options.tries_steps == StepCheck::AtLoad {
            let (step, candidates) = (self.step().secs(), std::mem::take(&mut self.candidates));
            let mut meshes = std::mem::take(&mut self.meshes);
            let declared = self.context.declared_variables();
            let checker = StepChecker { options: self.options, declared: &declared, scalars: self.scalars, step };
            checker.run_all(self.context, &candidates, &|_| None, &mut meshes);
        }
    }
}

/// Drives the kinds of vehicles of a world to check its step.
struct StepChecker<'a> {
    options: &'a LoadOptions,
    /// Names of the variables that the world has of its own.
    declared: &'a [String],
    scalars: Scalars,
    /// Step of the world [s].
    step: f64,
}

impl StepChecker<'_> {
    /// Runs the candidates, and warns of those for which the step is too large.
    fn run_all(
        &self,
        context: &Context,
        candidates: &[Candidate],
        commanded: &dyn Fn(&str) -> Option<f64>,
        meshes: &mut Meshes,
    ) {
        let step = self.step;
        // A whole number of the longest steps.
        let interval = step * libm::round(INTERVAL / step).max(1.0);
        for candidate in candidates.iter().take(MAX_CANDIDATES) {
            let speed = candidate.run_speed(commanded);
            let mut run = |step: f64| self.run(candidate, speed, step, interval, meshes);
            let Some(fine) = run(step / FINE) else { continue };
            let (name, place) = (&candidate.names[0], &candidate.place);
            let straight = fine.motion.get(..SAMPLES[0]).unwrap_or_default();
            speed_check::warn_of_weak_motors(context, place, name, speed, straight, fine.is_at_full_torque);
            speed_check::warn_of_vectoring(context, place, name, speed, candidate.vectors_from);
            let mut run = |step: f64| run(step).map(|trial| trial.motion);
            let difference = difference(run(step).as_deref(), &fine.motion);
            if difference.is_small() {
                continue;
            }
            let Some(finer) = run(step / (FINE * FINE)) else { continue };
            let enough = SMALLER.into_iter().find(|by| self::difference(run(step / by).as_deref(), &finer).is_small());
            let seconds = |step: f64| SimTime::from_secs(step).secs();
            let steps = match enough {
                Some(by) => format!("at most {} s", seconds(step / by)),
                None => format!("less than {} s", seconds(step / FINE)),
            };
            let message = format!(
                "a step of {} s is too large for \"{name}\": in a trial run at {} m/s {}",
                seconds(step),
                libm::round(1e3 * speed) / 1e3,
                difference.describe()
            );
            context
                .warn(&candidate.place, message)
                .accepted([format!("<simul_timestep> of {steps} for these gains, masses and tyres")])
                .hint("or use smaller controller gains, less damping, wheels of more inertia, or a lower speed");
        }
        if let Some(first) = candidates.get(MAX_CANDIDATES) {
            let message = format!(
                "more than {MAX_CANDIDATES} kinds of vehicles: the step was not tested with this and later ones"
            );
            context.warn(&first.place, message);
        }
    }

    /// The motion of a candidate at `speed` [m/s] with steps of `step` [s], at each `interval` [s]; none if it diverges or cannot be read again.
    fn run(&self, candidate: &Candidate, speed: f64, step: f64, interval: f64, meshes: &mut Meshes) -> Option<Trial> {
        let name = &candidate.names[0];
        let context = Context::new(Options {
            seed: self.options.seed,
            allow_commands: self.options.allow_commands,
            assets: self.options.assets(),
            variables: self.options.variables.clone(),
            optional_variables: Vec::new(),
            declared_variables: self.declared.to_vec(),
        });
        candidate.variables.iter().for_each(|(name, value)| context.set_variable(name, value));
        let scalars = Scalars { step, ..self.scalars };
        let mut builder = Builder::new(&context, self.options, scalars);
        builder.vehicle_classes = candidate.class.iter().cloned().collect::<BTreeMap<_, _>>();
        builder.meshes = std::mem::take(meshes);
        let loaded =
            with_class(&Reader::new(&context, &candidate.instance), &candidate.instance, &builder.vehicle_classes)
                .and_then(|layers| {
                    let reader = Reader::layered(&context, layers).with_name("NAME", name.clone());
                    builder.read_vehicle(&reader, name.clone(), String::new())
                });
        *meshes = std::mem::take(&mut builder.meshes);
        let mut loaded = loaded?;
        loaded.info.world_from_start = Pose3::default();
        loaded.start_velocity_in_body = Twist2::new((speed - LAUNCH).max(0.0), 0.0, 0.0);
        loaded.animation = None;
        let scene = Scene { name: name.clone(), step: SimTime::from_secs(step), ..Scene::default() };
        let mut world = World::new(scene, Catalogue { scalars, ..Catalogue::default() });
        world.place_vehicle(loaded, 0, false);
        world.vehicles[0].starts_rolling = true;
        drive(&mut world.begin(), speed, libm::round(interval / step) as usize)
    }
}

/// What happens in a trial run.
struct Trial {
    /// The velocities in the body [m/s, rad/s], straight ahead and then in the turn.
    motion: Vec<Twist2>,
    /// Whether the motors give all of their torque at the end of the straight part.
    is_at_full_torque: bool,
}

/// Drives the only vehicle of a world straight ahead at `speed` [m/s] and then through a turn, with a sample after each `steps`; none if it
/// diverges.
fn drive(world: &mut World, speed: f64, steps: usize) -> Option<Trial> {
    let mut trial = Trial { motion: Vec::new(), is_at_full_torque: false };
    let info = &world.scene().vehicles[0];
    let (accepts, wheelbase) = (info.accepts, info.wheelbase.unwrap_or(1.0));
    for (turns, samples) in [false, true].into_iter().zip(SAMPLES) {
        let turn = |usual: f64, most: f64| if turns { usual.min(most) } else { 0.0 };
        let steering_angle = turn(STEERING_ANGLE, wheelbase * ACROSS / (speed * speed));
        let action = if accepts.twist {
            Some(Action::Twist(Twist2::new(speed, 0.0, turn(YAW_RATE, ACROSS / speed))))
        } else if accepts.ackermann {
            Some(Action::Ackermann { speed, steering_angle })
        } else if accepts.pedals {
            Some(Action::Pedals { pedals: Pedals { throttle: 0.3, ..Pedals::default() }, steering_angle })
        } else {
            None
        };
        // Pedals are not held at a speed.
        let is_driven = accepts.twist || accepts.ackermann;
        if let Some(action) = action {
            world.command(Command { vehicle: 0, action }).ok()?;
        }
        for _ in 0..samples {
            for _ in 0..steps {
                world.step().ok()?;
            }
            trial.motion.push(world.frame().vehicles[0].velocity_in_body);
        }
        trial.is_at_full_torque |= !turns && is_driven && speed_check::is_at_full_torque(world);
    }
    Some(trial)
}

/// How a motion differs from the reference.
fn difference(motion: Option<&[Twist2]>, reference: &[Twist2]) -> Difference {
    let Some(motion) = motion else { return Difference::Diverged };
    let late = |range: std::ops::Range<usize>, of: &dyn Fn(&Twist2) -> f64, least: f64| {
        let pairs = || motion[range.clone()].iter().zip(&reference[range.clone()]);
        let off: f64 = pairs().map(|(a, b)| (of(a) - of(b)) * (of(a) - of(b))).sum();
        let whole: f64 = pairs().map(|(_, b)| of(b) * of(b)).sum();
        (off / whole.max(least * least * (range.len() as f64))).sqrt()
    };
    let [first, second] = SAMPLES;
    let (straight, turn) = (first / 2..first, first + second / 2..first + second);
    let speed = |twist: &Twist2| twist.vx;
    let speeds = late(straight, &speed, MIN_SPEED).max(late(turn.clone(), &speed, MIN_SPEED));
    let yaw_rates = late(turn, &|twist: &Twist2| twist.wz, MIN_YAW_RATE);
    if speeds >= yaw_rates { Difference::Speed(speeds) } else { Difference::YawRate(yaw_rates) }
}

/// A vehicle or a class without its sensors: they take time and memory, and no part in the motion.
fn without_sensors(element: &Element) -> Element {
    let mut element = element.clone();
    element.children.retain(|child| child.tag != "sensor");
    element
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::world::LoadOptions;

    /// Warnings about the steps of this world.
    fn warnings(step: f64, vehicles: &str) -> Vec<String> {
        let text = format!("<mvsim_world><simul_timestep>{step}</simul_timestep>\n{vehicles}</mvsim_world>");
        let options = LoadOptions { tries_steps: StepCheck::AtLoad, ..LoadOptions::default() };
        let (_, actual) = World::load_text("w.xml", Path::new("."), &text, &options).unwrap();
        actual.iter().map(ToString::to_string).filter(|warning| warning.contains("too large")).collect()
    }

    fn robot(name: &str, controller: &str) -> String {
        format!(
            "<vehicle name='{name}'><init_pose>0 0 0</init_pose><dynamics class='differential'>\n{controller}</dynamics></vehicle>"
        )
    }

    /// A derivative gain acts on the spin before the step: beyond m·R/n it diverges at any step.
    #[test]
    fn gains_that_no_step_suits_are_told() {
        let actual = warnings(0.02, &robot("r", "<controller class='twist_pid'><KP>100</KP><KD>2</KD></controller>"));
        let expected = "w.xml:2:47: a step of 0.02 s is too large for \"r\": in a trial run at 1 m/s its speed is more than 1000 % off\n  \
                        accepted: <simul_timestep> of less than 0.0025 s for these gains, masses and tyres\n  \
                        hint: or use smaller controller gains, less damping, wheels of more inertia, or a lower speed";
        assert_eq!(actual, [expected]);
    }

    #[test]
    fn a_step_that_is_too_large_is_told_with_one_that_will_do() {
        // The torques of a vehicle of two frames act on the spins before the step.
        let loader = "<vehicle name='t'><init_pose>0 0 0</init_pose><dynamics class='articulated'>\
                      <controller class='front_steer_pid'><KP>24000</KP><max_torque>800</max_torque></controller></dynamics></vehicle>";
        let actual = warnings(0.01, loader);
        let accepted = actual[0].lines().nth(1).unwrap();
        let step: f64 = accepted.split_whitespace().nth(5).unwrap().parse().unwrap();
        assert!(accepted.contains("at most") && step < 0.01, "{actual:?}");
        assert_eq!(warnings(step, loader), [""; 0]);
    }

    /// A car of 1.4 t with a PID on its speed and tyres whose forces follow the slip, so that they damp its wheels the less the faster it rolls.
    fn car(gain: u32, start: &str) -> String {
        let wheels: String = [("rl", "pos='0 0.75' "), ("rr", "pos='0 -0.75' "), ("fl", ""), ("fr", "")]
            .map(|(wheel, place)| format!("<{wheel}_wheel {place}mass='20' width='0.2' diameter='0.62'/>"))
            .concat();
        let tyres = |axle: &str| {
            format!(
                "<friction class='linear' wheels='{axle}'><mu>5</mu><C_damping>0</C_damping><stiffness>absolute</stiffness>\
                 <C_alpha>40000</C_alpha><C_s>60000</C_s></friction>"
            )
        };
        format!(
            "<vehicle name='r1'><init_pose>0 0 0</init_pose>{start}<dynamics class='ackermann_drivetrain'>{wheels}\
             <f_wheels_x>2.6</f_wheels_x><f_wheels_d>1.5</f_wheels_d>\
             <chassis mass='1320' com='1.25 0' inertia='1900' linear_damping='0' angular_damping='0'>\
             <shape><pt>-0.9 -0.85</pt><pt>-0.9 0.85</pt><pt>3.5 0.85</pt><pt>3.5 -0.85</pt></shape></chassis>\
             <drivetrain type='open_rear'/><controller class='front_steer_pid'><KP>{gain}</KP><KI>3000</KI>\
             <max_torque>3000</max_torque></controller></dynamics>{}{}</vehicle>",
            tyres("front"),
            tyres("rear")
        )
    }

    #[test]
    fn a_vehicle_is_tried_at_the_largest_speed_that_is_known() {
        let fast = "<init_vel>30 0 0</init_vel>";
        let actual = warnings(0.01, &car(3000, fast));
        assert!(actual.len() == 1 && actual[0].contains("in a trial run at 30 m/s its yaw rate is"), "{actual:?}");
        assert!(actual[0].contains("accepted: <simul_timestep> of at most 0.005 s"), "{actual:?}");
        // Torques alternate here too, but its motion is right.
        assert_eq!(warnings(0.02, &car(1500, fast)), [""; 0]);
        let text = format!("<mvsim_world><simul_timestep>0.01</simul_timestep>{}</mvsim_world>", car(3000, ""));
        let options = LoadOptions { tries_steps: StepCheck::OnDemand, ..LoadOptions::default() };
        let (world, _) = World::load_text("w.xml", Path::new("."), &text, &options).unwrap();
        assert!(world.try_steps(&|_| None).is_empty());
        let reported = world.try_steps(&|name| (name == "r1").then_some(30.0));
        assert!(reported.len() == 1 && reported[0].message.contains("at 30 m/s"), "{reported:?}");
    }

    /// Two of a kind are tried once; sensors, poses and names make no difference.
    #[test]
    fn each_kind_of_vehicle_is_tried_once_and_only_if_asked() {
        let bad = "<controller class='twist_pid'><KD>9</KD></controller>";
        let fleet = format!(
            "<vehicle:class name='c'><dynamics class='differential'>{bad}</dynamics></vehicle:class>\
             <for var='i' from='1' to='3'><vehicle class='c' name='r${{i}}'><init_pose>0 ${{i}} 0</init_pose></vehicle></for>"
        );
        assert_eq!(warnings(0.005, &fleet).len(), 1);
        assert_eq!(warnings(0.005, &robot("r", "<controller class='twist_pid'/>")), [""; 0]);
        let text = format!("<mvsim_world>{fleet}</mvsim_world>");
        let (_, actual) = World::load_text("w.xml", Path::new("."), &text, &LoadOptions::default()).unwrap();
        assert!(actual.iter().all(|warning| !warning.message.contains("too large")), "{actual:?}");
    }
}
