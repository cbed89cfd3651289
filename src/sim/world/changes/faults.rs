//! Faults that come and go while a world runs: commands that are late or lost on their way to a vehicle, sensors whose samples are lost or
//! that are off, and odometry with another scale. A world without them does nothing more in its steps.
//!
//! A command that is late reaches its vehicle as if it had been given then: its age counts from then, and inputs delay it once more. None
//! overtakes another one to the same vehicle. Teleports are no messages, and are neither late nor lost.
//!
//! Losses have streams of their own, by the seed and the names of vehicle and sensor, so that no other noise changes. Faults stay through
//! resets, which lose the commands under way; where time starts over, so do the losses.

use skidpad_math::time::SimTime;

use crate::vehicle::{Action, Command};
use crate::world::vehicles::VehicleRecord;
use crate::world::{EntityId, ExternalChange, World};
use skidpad_math::noise::WhiteNoise;

/// How commands get to a vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CommandLink {
    /// How late they are [ns of simulated time]; less than 0 counts as 0.
    pub latency: SimTime,
    /// The probability that one is lost [-], 0 to 1.
    pub loss: f64,
}

/// What is wrong with a sensor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SensorFault {
    /// Whether it gives no readings at all.
    pub is_off: bool,
    /// The probability that a reading is lost [-], 0 to 1, besides the sensor's own losses.
    pub loss: f64,
}

impl SensorFault {
    /// The probability that a reading is lost by it [-].
    pub(in crate::world) fn share(self) -> f64 {
        if self.is_off { 1.0 } else { self.loss }
    }
}

/// The nearest probability [-]; 0 for what is no number.
fn probability(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) }
}

/// What becomes of a command on its way to its vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::world) enum Way {
    /// It arrives at once.
    Direct,
    /// It arrives later.
    Late,
    /// It does not arrive.
    Lost,
}

/// A command under way.
#[derive(Clone, Copy, Debug)]
struct UnderWay {
    arrives: SimTime,
    vehicle: EntityId,
    action: Action,
}

/// The commands that are late, and the streams that say which are lost.
#[derive(Debug, Default)]
pub(in crate::world) struct LateCommands {
    /// In the order in which they were given.
    waiting: Vec<UnderWay>,
    losses: Vec<(EntityId, WhiteNoise)>,
}

impl LateCommands {
    /// Loses what is under way.
    pub(in crate::world) fn forget(&mut self) {
        self.waiting.clear();
    }

    /// Adds a command. Of those of a vehicle that arrive together only the last counts, so that a pause takes no memory; those to single wheels
    /// and single set-points complete each other.
    fn add(&mut self, new: UnderWay) {
        let is_with = |late: &UnderWay| late.vehicle == new.vehicle && late.arrives == new.arrives;
        let earlier = self.waiting.iter_mut().rev().find(|late| is_with(late)).map(|late| &mut late.action);
        match (earlier, new.action) {
            (Some(Action::Wheels(before)), Action::Wheels(targets)) => *before = targets.over(*before),
            (
                Some(Action::Setpoints { speed, steering_angle }),
                Action::Setpoints { speed: v, steering_angle: angle },
            ) => {
                (*speed, *steering_angle) = (v.or(*speed), angle.or(*steering_angle));
            }
            // They are relative to the last command for all, which stays before them.
            (_, Action::Wheels(_) | Action::Setpoints { .. }) => self.waiting.push(new),
            _ => {
                self.waiting.retain(|late| !is_with(late));
                self.waiting.push(new);
            }
        }
    }

    /// To be called when simulated time has returned to 0: the same are lost again.
    pub(in crate::world) fn restart(&mut self) {
        self.waiting.clear();
        self.losses.iter_mut().for_each(|(_, noise)| noise.restart());
    }
}

impl World {
    /// Lets commands reach the vehicle with this id late, or not at all, from now on; those under way arrive as they would have. False if
    /// there is no such vehicle.
    pub fn set_command_link(&mut self, id: EntityId, link: CommandLink) -> bool {
        let Some(index) = self.scene.vehicle_of(id) else { return false };
        let link = CommandLink { latency: link.latency.max(SimTime::ZERO), loss: probability(link.loss) };
        let before = std::mem::replace(&mut self.vehicles[index].settings.command_link, link);
        if before != link {
            self.note(|scene| ExternalChange::CommandLink(scene.vehicles[index].name.clone(), link));
        }
        let name = || format!("{}/commands/loss", self.scene.vehicles[index].name);
        if link.loss > 0.0 && self.late.losses.iter().all(|(known, _)| *known != id) {
            self.late.losses.push((id, WhiteNoise::new(self.scene.seed, &name())));
        }
        self.renew_phases();
        true
    }

    /// How commands get to the vehicle with this id; none: there is no such vehicle.
    pub fn command_link(&self, id: EntityId) -> Option<CommandLink> {
        Some(self.vehicles[self.scene.vehicle_of(id)?].settings.command_link)
    }

    /// Breaks or mends the sensor with this name of the vehicle with this id. The slot of a sensor that is switched off is
    /// [empty](crate::sensor::Reading::forget); what it had sent is lost. False if there is no such vehicle or sensor.
    pub fn set_sensor_fault(&mut self, id: EntityId, sensor: &str, fault: SensorFault) -> bool {
        let Some((vehicle, number)) = self.sensor_of(id, sensor) else { return false };
        let fault = SensorFault { loss: probability(fault.loss), ..fault };
        let before = self.vehicles[vehicle].sensors[number].fault;
        if before == fault {
            return true;
        }
        self.note(|scene| ExternalChange::SensorFault(scene.vehicles[vehicle].name.clone(), sensor.to_owned(), fault));
        let place = self.first_reading(vehicle) + number;
        let sensors = &mut self.vehicles[vehicle].sensors;
        let mounted = sensors.remove(number).delivered(self.scene.seed, &self.scene.vehicles[vehicle].name);
        sensors.insert(number, mounted);
        sensors[number].break_down(fault, Some(&mut self.frame.readings[place]));
        self.renew_phases();
        true
    }

    /// What is wrong with the sensor with this name of the vehicle with this id; none: there is no such vehicle or sensor.
    pub fn sensor_fault(&self, id: EntityId, sensor: &str) -> Option<SensorFault> {
        let (vehicle, number) = self.sensor_of(id, sensor)?;
        Some(self.vehicles[vehicle].sensors[number].fault)
    }

    /// Multiplies what the odometry of the vehicle with this id sees of motion along x, along y, and of turns, by these factors from now on,
    /// besides the multipliers of its world file; 1 each: as there. False if there is no such vehicle, or a factor is not finite.
    pub fn set_odometry_scale(&mut self, id: EntityId, scale: [f64; 3]) -> bool {
        let index = self.scene.vehicle_of(id).filter(|_| scale.iter().all(|factor| factor.is_finite()));
        let Some(index) = index else { return false };
        let before = self.vehicles[index].vehicle.odometry().scale();
        if before != scale {
            self.note(|scene| ExternalChange::OdometryScale(scene.vehicles[index].name.clone(), scale));
        }
        self.vehicles[index].vehicle.scale_odometry(scale);
        true
    }

    /// Indices of a vehicle and of one of its sensors.
    fn sensor_of(&self, id: EntityId, sensor: &str) -> Option<(usize, usize)> {
        let vehicle = self.scene.vehicle_of(id)?;
        let number = self.scene.vehicles[vehicle].sensors.iter().position(|info| info.name == sensor)?;
        Some((vehicle, number))
    }

    /// Gives a vehicle that was built anew the faults of the one before it.
    pub(in crate::world) fn keep_faults(&mut self, index: usize, was: &VehicleRecord) {
        let id = self.scene.vehicles[index].id;
        let faults = was.sensors.iter().map(|mounted| (mounted.sensor.info().name.clone(), mounted.fault));
        for (name, fault) in faults.collect::<Vec<_>>() {
            self.set_sensor_fault(id, &name, fault);
        }
        self.set_odometry_scale(id, was.vehicle.odometry().scale());
        self.set_command_link(id, was.settings.command_link);
    }

    /// Whether a command is late or may be lost.
    pub(in crate::world) fn has_late_commands(&self) -> bool {
        let is_slow = |record: &VehicleRecord| record.settings.command_link != CommandLink::default();
        !self.late.waiting.is_empty() || self.vehicles.iter().any(is_slow)
    }

    /// The way of a command to its vehicle; one that is late is kept until it arrives.
    pub(in crate::world) fn delays(&mut self, Command { vehicle, action }: Command) -> Way {
        let CommandLink { latency, loss } = self.vehicles[vehicle].settings.command_link;
        let (now, id) = (self.frame.time, self.scene.vehicles[vehicle].id);
        let last = self.late.waiting.iter().rev().find(|late| late.vehicle == id).map(|late| late.arrives);
        if latency == SimTime::ZERO && loss == 0.0 && last.is_none() || matches!(action, Action::Teleport(_)) {
            return Way::Direct;
        }
        let losses = self.late.losses.iter_mut().find(|(known, _)| *known == id);
        let is_lost = loss > 0.0 && losses.is_some_and(|(_, noise)| noise.strikes(loss));
        let arrives = (now + latency).max(last.unwrap_or(now));
        // Also one that arrives now waits behind those that have not been handed over yet.
        let waits = latency > SimTime::ZERO || last.is_some();
        if is_lost {
            return Way::Lost;
        }
        if !waits {
            return Way::Direct;
        }
        self.late.add(UnderWay { arrives, vehicle: id, action });
        Way::Late
    }

    /// Hands over the commands that have arrived.
    pub(in crate::world) fn receive_late_commands(&mut self) {
        if self.late.waiting.is_empty() {
            return;
        }
        let now = self.frame.time;
        let mut index = 0;
        while let Some(&UnderWay { arrives, vehicle, action }) = self.late.waiting.get(index) {
            if arrives > now {
                index += 1;
                continue;
            }
            self.late.waiting.remove(index);
            if let Some(vehicle) = self.scene.vehicle_of(vehicle) {
                self.enqueue(Command { vehicle, action });
            }
        }
        if self.late.waiting.is_empty() {
            self.renew_phases();
        }
    }
}

impl VehicleRecord {
    /// Ends the faults of its sensors and of its odometry, while it is away.
    pub(in crate::world) fn mend(&mut self) {
        for mounted in self.sensors.iter_mut().filter(|mounted| mounted.fault != SensorFault::default()) {
            mounted.break_down(SensorFault::default(), None);
        }
        self.vehicle.scale_odometry([1.0; 3]);
    }
}

#[cfg(test)]
#[path = "faults_tests.rs"]
mod tests;
