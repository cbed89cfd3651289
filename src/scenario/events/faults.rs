//! Events that last: faults of sensors, commands and odometry, and what people do who stand or walk in a world.

use serde::Deserialize;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::time::SimTime;
use skidpad_sim::world::actor::ActorOrder;
use skidpad_sim::world::{EntityId, Scene, SensorFault, VehicleInfo, World};

use super::{Event, EventWords, act};

/// Readings or commands that get lost.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PacketLoss {
    /// The probability that one is lost [-].
    pub share: f64,
    /// The sensor whose readings are lost; none: commands are.
    pub sensor: Option<String>,
}

/// Factors on what odometry sees [-].
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OdometryScale {
    /// Of motion ahead.
    pub x: f64,
    /// Of motion to the side.
    pub y: f64,
    /// Of turns.
    pub yaw: f64,
}

impl Default for OdometryScale {
    fn default() -> OdometryScale {
        OdometryScale { x: 1.0, y: 1.0, yaw: 1.0 }
    }
}

/// What an actor does.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ActorWords {
    /// Its name.
    pub name: String,
    /// Whether it stands, or goes on with its way.
    pub stands: Option<bool>,
    /// Where it goes [m], one point after the other.
    pub to: Vec<[f64; 2]>,
    /// Whether it runs there.
    pub run: bool,
}

impl ActorWords {
    /// What is wrong with it.
    pub(super) fn check(&self) -> Option<Diagnostic> {
        if self.name.is_empty() {
            return Some(Diagnostic::new("actor", "missing key \"name\""));
        }
        if self.stands.is_some() != self.to.is_empty() {
            return Some(Diagnostic::new("actor", "needs exactly one of stands and to").accepted("stands, or to"));
        }
        (self.run && self.to.is_empty()).then(|| Diagnostic::new("actor", "run needs to"))
    }

    /// Whether it makes the actor stand.
    fn stops(&self) -> bool {
        self.stands == Some(true)
    }

    fn order(&self) -> ActorOrder {
        match self.stands {
            Some(true) => ActorOrder::Stand,
            Some(false) => ActorOrder::Go,
            None => ActorOrder::Send { to: self.to.clone(), is_run: self.run },
        }
    }
}

/// Lets a fault come, and actors do what the event says.
///
/// # Errors
/// The vehicle, its sensor or the actor is not there.
pub(super) fn begin(event: &Event, world: &mut World) -> Result<(), Diagnostic> {
    match &event.words.actor {
        Some(actor) => direct(world, &actor.name, actor.order()),
        None => set(event, world, true),
    }
}

/// Ends what the event has begun; what lasts `beneath` it, if anything does, returns: an actor who was to stand does so, others go on with
/// their way.
///
/// # Errors
/// As [`begin`].
pub(super) fn end(event: &Event, beneath: Option<&Event>, world: &mut World) -> Result<(), Diagnostic> {
    match (&event.words.actor, beneath) {
        (Some(actor), beneath) => {
            let stood = beneath.and_then(|event| event.words.actor.as_ref()).is_some_and(ActorWords::stops);
            direct(world, &actor.name, if stood { ActorOrder::Stand } else { ActorOrder::Go })
        }
        (None, Some(beneath)) => set(beneath, world, true),
        (None, None) => set(event, world, false),
    }
}

fn direct(world: &mut World, actor: &str, order: ActorOrder) -> Result<(), Diagnostic> {
    if world.order_actor(actor, order) { Ok(()) } else { Err(no_actor(world.scene(), actor)) }
}

/// Lets the fault of a vehicle come, or none be in its place.
fn set(event: &Event, world: &mut World, comes: bool) -> Result<(), Diagnostic> {
    let words = &event.words;
    let index = act::vehicle(world.scene(), &event.body)?;
    let id = world.scene().vehicles[index].id;
    let loss = words.packet_loss.as_ref();
    if let Some(sensor) = words.sensor_off.as_ref().or(words.sensor_on.as_ref()) {
        let is_off = words.sensor_off.is_some() && comes;
        break_sensor(world, id, sensor, |fault| SensorFault { is_off, ..fault })?;
    }
    if let Some(PacketLoss { share, sensor: Some(sensor) }) = loss {
        let loss = if comes { *share } else { 0.0 };
        break_sensor(world, id, sensor, |fault| SensorFault { loss, ..fault })?;
    }
    let before = world.command_link(id).unwrap_or_default();
    let mut link = before;
    if let Some(PacketLoss { share, sensor: None }) = loss {
        link.loss = if comes { *share } else { 0.0 };
    }
    if let Some(latency) = words.latency {
        link.latency = if comes { SimTime::from_secs(latency) } else { SimTime::ZERO };
    }
    if link != before {
        world.set_command_link(id, link);
    }
    if let Some(OdometryScale { x, y, yaw }) = words.odometry {
        world.set_odometry_scale(id, if comes { [x, y, yaw] } else { [1.0; 3] });
    }
    if let Some(noise) = words.range_noise {
        world.set_range_noise_of(id, comes.then_some(noise));
    }
    Ok(())
}

fn break_sensor(
    world: &mut World,
    id: EntityId,
    sensor: &str,
    change: impl FnOnce(SensorFault) -> SensorFault,
) -> Result<(), Diagnostic> {
    if let Some(before) = world.sensor_fault(id, sensor) {
        world.set_sensor_fault(id, sensor, change(before));
        return Ok(());
    }
    let info = world.scene().vehicle_of(id).map(|index| &world.scene().vehicles[index]);
    info.and_then(|info| no_sensor(info, sensor)).map_or(Ok(()), Err)
}

/// What is wrong with the name of a sensor of this vehicle.
pub(super) fn no_sensor(info: &VehicleInfo, sensor: &str) -> Option<Diagnostic> {
    let names: Vec<&str> = info.sensors.iter().map(|known| known.name.as_str()).collect();
    let message = || Diagnostic::new("sensor", format!("\"{}\" has no sensor \"{sensor}\"", info.name));
    (!names.contains(&sensor)).then(|| message().one_of(sensor, &names))
}

fn no_actor(scene: &Scene, name: &str) -> Diagnostic {
    let names: Vec<&str> = scene.actors.iter().map(|actor| actor.name.as_str()).collect();
    let message = Diagnostic::new("actor", format!("\"{name}\" does not exist"));
    if names.is_empty() {
        message.hint("this world has no actors; the world pedestrians has some")
    } else {
        message.one_of(name, &names)
    }
}

/// The actor that an event names and that the world does not have.
pub(super) fn unknown_actor(words: &EventWords, scene: &Scene) -> Option<Diagnostic> {
    let of_when = words.when.as_ref().and_then(|when| when.actor.as_ref());
    let mut actors = words.actor.iter().map(|actor| &actor.name).chain(of_when);
    let unknown = actors.find(|name| scene.actors.iter().all(|info| info.name != **name))?;
    Some(no_actor(scene, unknown))
}

/// Why a vehicle cannot have the fault of an event.
pub(super) fn impossible(words: &EventWords, info: &VehicleInfo) -> Option<Diagnostic> {
    let of_loss = words.packet_loss.as_ref().and_then(|loss| loss.sensor.as_ref());
    let sensor = words.sensor_off.as_ref().or(words.sensor_on.as_ref()).or(of_loss);
    let measures = || info.sensors.iter().any(|sensor| sensor.kind.has_range_noise());
    let deaf = || Diagnostic::new("range_noise", format!("\"{}\" has neither a lidar nor a range finder", info.name));
    sensor
        .and_then(|sensor| no_sensor(info, sensor))
        .or_else(|| words.range_noise.filter(|_| !measures()).map(|_| deaf()))
}
