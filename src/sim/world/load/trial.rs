//! Trial runs: drives each kind of vehicle of a world for two seconds, alone on level ground, with the step of the world and with an eighth
//! of it, and warns where the motions differ. Then the step is too large for its gains, masses or tyres, whatever its drive and controller.
//!
//! The first second goes straight ahead and the second one through a turn. Compared is the second half of each, as the root mean square of
//! the difference over that of the velocity: swings, drifts and set-points that are not reached show there, and a transient that is a step
//! late does not.

use std::collections::BTreeMap;

use skidpad_files::mesh::Meshes;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Twist2};
use skidpad_xml::{Context, Element, Options, Place, Reader};

use super::{Builder, with_class};
use crate::vehicle::{Action, Command, Pedals};
use crate::world::load::scalars::Scalars;
use crate::world::{Catalogue, Scene, World};

/// Largest difference [-] between the motions.
const MOST_DIFFERENCE: f64 = 0.02;
/// What the reference divides the step by, and what smaller steps are tried.
const FINE: f64 = 8.0;
const SMALLER: [f64; 3] = [2.0, 4.0, 8.0];
/// Times at which motions are compared, in each half of a run, and about how long after each other [s].
const SAMPLES: usize = 25;
const INTERVAL: f64 = 0.04;
/// Velocities below these [m/s, rad/s] do not count: of a vehicle that stands or goes straight ahead.
const LEAST_SPEED: f64 = 1e-3;
const LEAST_YAW_RATE: f64 = 0.02;
/// Largest number of vehicles that are tried.
const MOST_CANDIDATES: usize = 64;

/// A kind of vehicle: what its motion depends on.
pub(super) struct Candidate {
    name: String,
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
        matches!(self, Difference::Speed(share) | Difference::YawRate(share) if share <= MOST_DIFFERENCE)
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

impl Builder<'_> {
    /// Remembers a vehicle for a trial run, unless one is there that has the same dynamics and tyres.
    pub(super) fn note_candidate(&mut self, instance: &Element, class: &str, name: &str) {
        if !self.options.tries_steps {
            return;
        }
        let class = self.vehicle_classes.get(class).map(|definition| (class.to_owned(), without_sensors(definition)));
        let instance = without_sensors(instance);
        let own = |element: &Element| -> Vec<Place> {
            let parts = element.children.iter().filter(|child| matches!(child.tag.as_str(), "dynamics" | "friction"));
            parts.map(|part| part.place.clone()).collect()
        };
        let is_known = |known: &Candidate| {
            known.class.as_ref().map(|(name, _)| name) == class.as_ref().map(|(name, _)| name)
                && own(&known.instance) == own(&instance)
        };
        if self.candidates.iter().any(is_known) {
            return;
        }
        let dynamics = instance.child("dynamics").or_else(|| class.as_ref()?.1.child("dynamics"));
        let place = dynamics.map_or_else(|| instance.place.clone(), |dynamics| dynamics.place.clone());
        let variables = self.context.variables();
        self.candidates.push(Candidate { name: name.to_owned(), instance, class, variables, place });
    }

    /// Runs the candidates with the step of the world, and warns of those for which it is too large.
    pub(super) fn try_steps(&mut self) {
        let (step, candidates) = (self.step().secs(), std::mem::take(&mut self.candidates));
        let mut meshes = std::mem::take(&mut self.meshes);
        for candidate in candidates.iter().take(MOST_CANDIDATES) {
            // A whole number of the longest steps.
            let interval = step * libm::round(INTERVAL / step).max(1.0);
            let mut run = |step: f64| self.run(candidate, (step, interval), &mut meshes);
            let Some(fine) = run(step / FINE) else { continue };
            let difference = difference(run(step).as_deref(), &fine);
            if difference.is_small() {
                continue;
            }
            let Some(finer) = run(step / (FINE * FINE)) else { continue };
            let enough = SMALLER.into_iter().find(|by| self::difference(run(step / by).as_deref(), &finer).is_small());
            let (name, seconds) = (&candidate.name, |step: f64| SimTime::from_secs(step).secs());
            let steps = match enough {
                Some(by) => format!("at most {} s", seconds(step / by)),
                None => format!("less than {} s", seconds(step / FINE)),
            };
            let found = format!(
                "a step of {} s is too large for \"{name}\": in a trial run {}",
                seconds(step),
                difference.describe()
            );
            self.context
                .warn(&candidate.place, found)
                .accepted([format!("<simul_timestep> of {steps} for these gains, masses and tyres")])
                .hint("or smaller gains of its controller, less damping, wheels of more inertia");
        }
        if let Some(first) = candidates.get(MOST_CANDIDATES) {
            let found = format!(
                "more than {MOST_CANDIDATES} kinds of vehicles: the step was not tried with this one and those after it"
            );
            self.context.warn(&first.place, found);
        }
    }

    /// The motion of a candidate with steps of `step` [s], at each `interval` [s]; none if it diverges or cannot be read again.
    fn run(&self, candidate: &Candidate, (step, interval): (f64, f64), meshes: &mut Meshes) -> Option<Vec<Twist2>> {
        let context = Context::new(Options {
            seed: self.options.seed,
            allow_commands: self.options.allow_commands,
            assets: self.options.assets(),
            variables: self.options.variables.clone(),
            optional_variables: Vec::new(),
        });
        candidate.variables.iter().for_each(|(name, value)| context.set_variable(name, value));
        let scalars = Scalars { step, ..self.scalars };
        let mut builder = Builder::new(&context, self.options, scalars);
        builder.vehicle_classes = candidate.class.iter().cloned().collect::<BTreeMap<_, _>>();
        builder.meshes = std::mem::take(meshes);
        let loaded =
            with_class(&Reader::new(&context, &candidate.instance), &candidate.instance, &builder.vehicle_classes)
                .and_then(|layers| {
                    let reader = Reader::layered(&context, layers).with_name("NAME", candidate.name.clone());
                    builder.read_vehicle(&reader, candidate.name.clone(), String::new())
                });
        *meshes = std::mem::take(&mut builder.meshes);
        let mut loaded = loaded?;
        loaded.info.world_from_start = Pose3::default();
        loaded.start_velocity_in_body = loaded.vehicle.start_velocity().unwrap_or_default();
        loaded.animation = None;
        let scene = Scene { name: candidate.name.clone(), step: SimTime::from_secs(step), ..Scene::default() };
        let mut world = World::new(scene, Catalogue { scalars, ..Catalogue::default() });
        world.place_vehicle(loaded, 0, false);
        drive(&mut world.begin(), libm::round(interval / step) as usize)
    }
}

/// Drives the only vehicle of a world straight ahead and then through a turn. The velocities in its body, each after another `steps`; none if it
/// diverges.
fn drive(world: &mut World, steps: usize) -> Option<Vec<Twist2>> {
    let mut motion = Vec::new();
    let accepts = world.scene().vehicles[0].accepts;
    for turns in [false, true] {
        let steering_angle = if turns { 0.1 } else { 0.0 };
        let action = if accepts.twist {
            Some(Action::Twist(Twist2::new(1.0, 0.0, if turns { 0.3 } else { 0.0 })))
        } else if accepts.ackermann {
            Some(Action::Ackermann { speed: 1.0, steering_angle })
        } else if accepts.pedals {
            Some(Action::Pedals { pedals: Pedals { throttle: 0.3, ..Pedals::default() }, steering_angle })
        } else {
            None
        };
        if let Some(action) = action {
            world.command(Command { vehicle: 0, action }).ok()?;
        }
        for _ in 0..SAMPLES {
            for _ in 0..steps {
                world.step().ok()?;
            }
            motion.push(world.frame().vehicles[0].velocity_in_body);
        }
    }
    Some(motion)
}

/// How a motion differs from the reference.
fn difference(motion: Option<&[Twist2]>, reference: &[Twist2]) -> Difference {
    let Some(motion) = motion else { return Difference::Diverged };
    let half = SAMPLES / 2;
    let late = |range: std::ops::Range<usize>, of: &dyn Fn(&Twist2) -> f64, least: f64| {
        let pairs = || motion[range.clone()].iter().zip(&reference[range.clone()]);
        let off: f64 = pairs().map(|(a, b)| (of(a) - of(b)) * (of(a) - of(b))).sum();
        let whole: f64 = pairs().map(|(_, b)| of(b) * of(b)).sum();
        (off / whole.max(least * least * (range.len() as f64))).sqrt()
    };
    let (straight, turn) = (half..SAMPLES, SAMPLES + half..2 * SAMPLES);
    let speed = |twist: &Twist2| twist.vx;
    let speeds = late(straight, &speed, LEAST_SPEED).max(late(turn.clone(), &speed, LEAST_SPEED));
    let yaw_rates = late(turn, &|twist: &Twist2| twist.wz, LEAST_YAW_RATE);
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
        let options = LoadOptions { tries_steps: true, ..LoadOptions::default() };
        let (_, found) = World::load_text("w.xml", Path::new("."), &text, &options).unwrap();
        found.iter().map(ToString::to_string).filter(|warning| warning.contains("too large")).collect()
    }

    fn robot(name: &str, controller: &str) -> String {
        format!(
            "<vehicle name='{name}'><init_pose>0 0 0</init_pose><dynamics class='differential'>\n{controller}</dynamics></vehicle>"
        )
    }

    /// A derivative gain acts on the spin before the step: beyond m·R/n it diverges at any step.
    #[test]
    fn gains_that_no_step_suits_are_told() {
        let found = warnings(0.02, &robot("r", "<controller class='twist_pid'><KP>100</KP><KD>2</KD></controller>"));
        let expected = "w.xml:2:47: a step of 0.02 s is too large for \"r\": in a trial run its speed is more than 1000 % off\n  \
                        accepted: <simul_timestep> of less than 0.0025 s for these gains, masses and tyres\n  \
                        hint: or smaller gains of its controller, less damping, wheels of more inertia";
        assert_eq!(found, [expected]);
    }

    #[test]
    fn a_step_that_is_too_large_is_told_with_one_that_will_do() {
        // The torques of a vehicle of two frames act on the spins before the step.
        let loader = "<vehicle name='t'><init_pose>0 0 0</init_pose><dynamics class='articulated'>\
                      <controller class='front_steer_pid'><KP>24000</KP><max_torque>800</max_torque></controller></dynamics></vehicle>";
        let found = warnings(0.01, loader);
        let accepted = found[0].lines().nth(1).unwrap();
        let step: f64 = accepted.split_whitespace().nth(5).unwrap().parse().unwrap();
        assert!(accepted.contains("at most") && step < 0.01, "{found:?}");
        assert_eq!(warnings(step, loader), [""; 0]);
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
        let (_, found) = World::load_text("w.xml", Path::new("."), &text, &LoadOptions::default()).unwrap();
        assert!(found.iter().all(|warning| !warning.message.contains("too large")), "{found:?}");
    }
}
