//! External changes as words of a line of the timed changes, and their repetition in another world.

use std::path::PathBuf;

use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Twist2, Vec2};
use skidpad_sim::world::actor::ActorOrder;
use skidpad_sim::world::{
    AppliedWrench, CommandLink, EntityId, ExternalChange, OdometryOnTeleport, ResetScope, SensorFault, SpawnRequest,
    SpawnSource, Spot, Touched, World,
};

use super::timed_change::{number, optional};

/// Values that say that a vehicle has the time-out of all, and that its commands hold for ever.
const AS_ALL: &str = "as_all";
const NEVER: &str = "never";
/// Kinds of what is spawned.
const CLASS: &str = "class";
const XML: &str = "xml";
const FILE: &str = "file";
/// Says that nobody chose the z of a spot.
const NEAR: &str = "near";
/// What actors are told.
const STAND: &str = "stand";
const GO: &str = "go";
const WALK: &str = "walk";
const RUN: &str = "run";
/// Along whose axes a force acts.
const BODY: &str = "body";
const WORLD: &str = "world";

/// Does it to this world, too.
pub(super) fn repeat(change: &ExternalChange, world: &mut World) -> Result<(), String> {
    let text = |refusal: &dyn std::fmt::Display| refusal.to_string();
    match change {
        ExternalChange::State(name, spot, velocity) => {
            let id = id_of(world, name)?;
            world.set_state(id, *spot, *velocity).map_err(|refusal| text(&refusal))
        }
        ExternalChange::Spawn(request) => {
            let recipe = world.catalogue().recipe(request).map_err(|refusal| text(&refusal))?;
            world.spawn(recipe).map(drop).map_err(|refusal| text(&refusal))
        }
        ExternalChange::Remove(name) => world.remove(id_of(world, name)?).map_err(|refusal| text(&refusal)),
        ExternalChange::Reset(scope) => {
            world.reset_with(*scope);
            Ok(())
        }
        ExternalChange::OdometryOnTeleport(choice) => {
            world.set_odometry_on_teleport(*choice);
            Ok(())
        }
        ExternalChange::CommandTimeoutOf(name, timeout) => {
            world.set_command_timeout_of(id_of(world, name)?, *timeout);
            Ok(())
        }
        ExternalChange::RangeNoiseOf(name, noise) => {
            world.set_range_noise_of(id_of(world, name)?, *noise);
            Ok(())
        }
        ExternalChange::CommandLink(name, link) => {
            world.set_command_link(id_of(world, name)?, *link);
            Ok(())
        }
        ExternalChange::SensorFault(name, sensor, fault) => {
            let is_there = world.set_sensor_fault(id_of(world, name)?, sensor, *fault);
            is_there.then_some(()).ok_or_else(|| format!("\"{name}\" has no sensor \"{sensor}\""))
        }
        ExternalChange::OdometryScale(name, scale) => {
            world.set_odometry_scale(id_of(world, name)?, *scale);
            Ok(())
        }
        ExternalChange::Actor(name, order) => {
            let is_there = world.order_actor(name, order.clone());
            is_there.then_some(()).ok_or_else(|| format!("no actor is called \"{name}\""))
        }
        ExternalChange::Wrench(name, wrench) => {
            world.apply_wrench(id_of(world, name)?, *wrench).map_err(|refusal| text(&refusal))
        }
        ExternalChange::Amend { text: edited, touched } => {
            let amendment = world.amendment(edited.clone(), touched.clone()).map_err(|problems| text(&problems))?;
            world.amend(amendment);
            Ok(())
        }
        other => Err(format!("{other:?} is no change of a visitor")),
    }
}

/// The id of the vehicle, block or actor with this name.
fn id_of(world: &World, name: &str) -> Result<EntityId, String> {
    let scene = world.scene();
    let entity = scene.entity(name).ok_or_else(|| format!("no body is called \"{name}\""))?;
    Ok(scene.entity_id(entity))
}

/// Six numbers, empty without a spot, and [`NEAR`] if nobody chose the z among them.
fn spot_words(spot: Option<Spot>) -> Vec<String> {
    let all = spot.map(|Spot { pose, .. }| [pose.x, pose.y, pose.z, pose.yaw, pose.pitch, pose.roll]);
    let mut words = all.map_or([None; 6], |all| all.map(Some)).map(number).to_vec();
    words.extend(spot.filter(|spot| !spot.gives_z).map(|_| NEAR.to_owned()));
    words
}

/// Outer none: the words are no spot; inner none: there is none.
fn spot_of(words: &[&str]) -> Option<Option<Spot>> {
    let (words, gives_z) = match words {
        [pose @ .., NEAR] => (pose, false),
        pose => (pose, true),
    };
    let [x, y, z, yaw, pitch, roll] = words else { return None };
    let all = [x, y, z, yaw, pitch, roll].map(|text| optional::<f64>(text));
    match all {
        [Some(Some(x)), Some(Some(y)), Some(Some(z)), Some(Some(yaw)), Some(Some(pitch)), Some(Some(roll))] => {
            Some(Some(Spot { pose: Pose3 { x, y, z, yaw, pitch, roll }, gives_z }))
        }
        all if gives_z && all.iter().all(|value| *value == Some(None)) => Some(None),
        _ => None,
    }
}

/// Its name, body and values, as they stand in a line; none: it has a line of another kind.
pub(super) fn words(change: &ExternalChange) -> Option<(&'static str, &str, Vec<String>)> {
    Some(match change {
        ExternalChange::State(name, spot, velocity) => {
            let velocity = velocity.map(|velocity| [velocity.vx, velocity.vy, velocity.wz]);
            let velocity = velocity.map_or([None; 3], |all| all.map(Some)).map(number);
            ("state", name, spot_words(*spot).into_iter().chain(velocity).collect())
        }
        ExternalChange::Spawn(SpawnRequest { name, source, pose }) => {
            let words = match source {
                SpawnSource::Class(class) => [CLASS.to_owned(), class.clone(), String::new(), String::new()],
                SpawnSource::Xml { text, directory, label } => {
                    [XML.to_owned(), text.clone(), directory.display().to_string(), label.clone()]
                }
                SpawnSource::File(path) => [FILE.to_owned(), path.display().to_string(), String::new(), String::new()],
            };
            ("spawn", name, words.into_iter().chain(spot_words(*pose)).collect())
        }
        ExternalChange::Remove(name) => ("remove", name, Vec::new()),
        ExternalChange::Reset(ResetScope { time, state, spawned }) => {
            ("reset_parts", "", [time, state, spawned].map(ToString::to_string).to_vec())
        }
        ExternalChange::OdometryOnTeleport(choice) => {
            let name = OdometryOnTeleport::NAMES.iter().find(|(_, known)| known == choice);
            ("odometry_on_teleport", "", name.map(|(name, _)| (*name).to_owned()).into_iter().collect())
        }
        ExternalChange::CommandTimeoutOf(name, timeout) => {
            let value = match timeout {
                None => AS_ALL.to_owned(),
                Some(None) => NEVER.to_owned(),
                Some(Some(timeout)) => timeout.0.to_string(),
            };
            ("command_timeout_of", name, vec![value])
        }
        ExternalChange::RangeNoiseOf(name, noise) => ("range_noise_of", name, vec![number(*noise)]),
        ExternalChange::CommandLink(name, CommandLink { latency, loss }) => {
            ("command_link", name, vec![latency.0.to_string(), loss.to_string()])
        }
        ExternalChange::SensorFault(name, sensor, SensorFault { is_off, loss }) => {
            ("sensor_fault", name, vec![sensor.clone(), is_off.to_string(), loss.to_string()])
        }
        ExternalChange::OdometryScale(name, scale) => {
            ("odometry_scale", name, scale.map(|factor| factor.to_string()).to_vec())
        }
        ExternalChange::Actor(name, order) => {
            let words = match order {
                ActorOrder::Stand => vec![STAND.to_owned()],
                ActorOrder::Go => vec![GO.to_owned()],
                ActorOrder::Send { to, is_run } => {
                    let pace = if *is_run { RUN } else { WALK };
                    std::iter::once(pace.to_owned()).chain(to.iter().flatten().map(f64::to_string)).collect()
                }
            };
            ("actor", name, words)
        }
        ExternalChange::Wrench(name, wrench) => {
            let AppliedWrench { force, torque, turns_with_body, point_in_body, duration } = wrench;
            let frame = if *turns_with_body { BODY } else { WORLD };
            let point = point_in_body.map_or([None; 2], |point| [Some(point.x), Some(point.y)]);
            let numbers = [Some(force.x), Some(force.y), Some(*torque), point[0], point[1]].map(number);
            let words = numbers.into_iter().chain([frame.to_owned(), duration.0.to_string()]);
            ("wrench", name, words.collect())
        }
        ExternalChange::Amend { text, touched: Touched { moved_bodies, rebuilt_bodies } } => {
            let head = [text.clone(), moved_bodies.len().to_string()];
            ("amend", "", head.iter().chain(moved_bodies).chain(rebuilt_bodies).cloned().collect())
        }
        _ => return None,
    })
}

/// The change with these words; none: they are those of none, or not understood.
pub(super) fn parse(keyword: &str, name: &str, values: &[&str]) -> Option<ExternalChange> {
    let name = name.to_owned();
    Some(match (keyword, values) {
        ("state", [pose @ .., vx, vy, wz]) => {
            let velocity = match [vx, vy, wz].map(|text| optional::<f64>(text)) {
                [Some(Some(vx)), Some(Some(vy)), Some(Some(wz))] => Some(Twist2::new(vx, vy, wz)),
                [Some(None), Some(None), Some(None)] => None,
                _ => return None,
            };
            ExternalChange::State(name, spot_of(pose)?, velocity)
        }
        ("spawn", [kind, text, directory, label, pose @ ..]) => {
            let spawned = match *kind {
                CLASS => SpawnSource::Class((*text).to_owned()),
                XML => {
                    let (text, label) = ((*text).to_owned(), (*label).to_owned());
                    SpawnSource::Xml { text, directory: PathBuf::from(directory), label }
                }
                FILE => SpawnSource::File(PathBuf::from(text)),
                _ => return None,
            };
            ExternalChange::Spawn(SpawnRequest { name, source: spawned, pose: spot_of(pose)? })
        }
        ("remove", []) => ExternalChange::Remove(name),
        ("reset_parts", [time, state, spawned]) => {
            let flag = |text: &str| text.parse().ok();
            ExternalChange::Reset(ResetScope { time: flag(time)?, state: flag(state)?, spawned: flag(spawned)? })
        }
        ("odometry_on_teleport", [choice]) => {
            ExternalChange::OdometryOnTeleport(OdometryOnTeleport::NAMES.iter().find(|(known, _)| known == choice)?.1)
        }
        ("command_timeout_of", [value]) => {
            let timeout = match *value {
                AS_ALL => None,
                NEVER => Some(None),
                number => Some(Some(SimTime(number.parse().ok()?))),
            };
            ExternalChange::CommandTimeoutOf(name, timeout)
        }
        ("amend", [text, count, names @ ..]) => {
            let (moved_bodies, rebuilt_bodies) = names.split_at_checked(count.parse().ok()?)?;
            let all = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            ExternalChange::Amend {
                text: (*text).to_owned(),
                touched: Touched { moved_bodies: all(moved_bodies), rebuilt_bodies: all(rebuilt_bodies) },
            }
        }
        ("command_link", [latency, loss]) => {
            let link = CommandLink { latency: SimTime(latency.parse().ok()?), loss: loss.parse().ok()? };
            ExternalChange::CommandLink(name, link)
        }
        ("sensor_fault", [sensor, is_off, loss]) => {
            let fault = SensorFault { is_off: is_off.parse().ok()?, loss: loss.parse().ok()? };
            ExternalChange::SensorFault(name, (*sensor).to_owned(), fault)
        }
        ("odometry_scale", [x, y, yaw]) => {
            ExternalChange::OdometryScale(name, [x.parse().ok()?, y.parse().ok()?, yaw.parse().ok()?])
        }
        ("actor", [STAND]) => ExternalChange::Actor(name, ActorOrder::Stand),
        ("actor", [GO]) => ExternalChange::Actor(name, ActorOrder::Go),
        ("actor", [pace @ (WALK | RUN), points @ ..]) if points.len().is_multiple_of(2) => {
            let points = points.chunks_exact(2).map(|pair| Some([pair[0].parse().ok()?, pair[1].parse().ok()?]));
            ExternalChange::Actor(name, ActorOrder::Send { to: points.collect::<Option<_>>()?, is_run: *pace == RUN })
        }
        ("wrench", [x, y, torque, point_x, point_y, frame @ (BODY | WORLD), duration]) => {
            let point = match (optional(point_x)?, optional(point_y)?) {
                (Some(x), Some(y)) => Some(Vec2::new(x, y)),
                (None, None) => None,
                _ => return None,
            };
            let wrench = AppliedWrench {
                force: Vec2::new(x.parse().ok()?, y.parse().ok()?),
                torque: torque.parse().ok()?,
                turns_with_body: *frame == BODY,
                point_in_body: point,
                duration: SimTime(duration.parse().ok()?),
            };
            ExternalChange::Wrench(name, wrench)
        }
        ("range_noise_of", [value]) => ExternalChange::RangeNoiseOf(name, optional(value)?),
        _ => return None,
    })
}
