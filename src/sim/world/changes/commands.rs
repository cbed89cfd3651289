//! Commands: checked on arrival, queued, and executed at the start of the next step.

use crate::vehicle::{Action, Command};
use crate::world::changes::faults::Way;
use crate::world::changes::teleport::AfterTeleport;
use crate::world::{CommandError, ExternalChange, VehicleInfo, World};

impl VehicleInfo {
    /// Whether a vehicle of this kind takes this command.
    ///
    /// # Errors
    /// No vehicle can execute it, or the controller does not take its kind.
    pub fn check_command(&self, action: &Action) -> Result<(), CommandError> {
        if let Some(fault) = action.fault() {
            return Err(CommandError::Fault { vehicle: self.name.clone(), fault });
        }
        let (taken, kind) = self.accepts.takes(action);
        if !taken {
            return Err(CommandError::NotAccepted { vehicle: self.name.clone(), kind, accepted: self.accepts.names() });
        }
        Ok(())
    }
}

impl World {
    /// Queues a command, which is executed at the start of the next step. It overrides the driver of a vehicle that follows a
    /// trajectory until no command has come for a while.
    pub fn command(&mut self, command: Command) -> Result<(), CommandError> {
        let is_lost = self.queue_command(command)?;
        self.note(|scene| ExternalChange::Command(scene.vehicles[command.vehicle].name.clone(), command.action));
        if !is_lost && !matches!(command.action, Action::Teleport(_)) {
            self.override_driver(command.vehicle);
        }
        Ok(())
    }

    /// [`command`](World::command) by the vehicle's own driver or from outside; returns whether it is lost on its way.
    pub(in crate::world) fn queue_command(&mut self, command: Command) -> Result<bool, CommandError> {
        let info = self.scene.vehicles.get(command.vehicle).ok_or(CommandError::NoVehicle(command.vehicle))?;
        info.check_command(&command.action)?;
        match if self.phases.attention { self.delays(command) } else { Way::Direct } {
            Way::Direct => self.enqueue(command),
            Way::Late => {}
            Way::Lost => return Ok(true),
        }
        Ok(false)
    }

    /// Queues a command that has arrived. Of the motion commands that arrive between two steps only the last counts; one is kept per
    /// vehicle, so that the queue does not grow during a long pause.
    pub(in crate::world) fn enqueue(&mut self, Command { vehicle, action }: Command) {
        let action = match action {
            // They are relative to the last command for all, which therefore stays before them.
            Action::Wheels(targets) => match self.take_waiting(vehicle, |action| matches!(action, Action::Wheels(_))) {
                Some(Action::Wheels(earlier)) => Action::Wheels(targets.over(earlier)),
                _ => action,
            },
            Action::Setpoints { speed, steering_angle } => {
                match self.take_waiting(vehicle, |action| matches!(action, Action::Setpoints { .. })) {
                    Some(Action::Setpoints { speed: before, steering_angle: angle_before }) => {
                        Action::Setpoints { speed: speed.or(before), steering_angle: steering_angle.or(angle_before) }
                    }
                    _ => action,
                }
            }
            Action::Teleport(_) => {
                // It also undoes what an earlier one would do, and the commands before that.
                let is_own = |earlier: &Command| earlier.vehicle == vehicle;
                let is_teleport = |earlier: &Command| matches!(earlier.action, Action::Teleport(_));
                if let Some(last) = self.commands.iter().rposition(|earlier| is_own(earlier) && is_teleport(earlier)) {
                    let mut index = 0..;
                    self.commands.retain(|earlier| index.next().is_none_or(|index| index > last) || !is_own(earlier));
                }
                action
            }
            _ => {
                while self.take_waiting(vehicle, |_| true).is_some() {}
                action
            }
        };
        self.commands.push(Command { vehicle, action });
    }

    /// Takes the last waiting command of this vehicle that `is_meant` out of the queue. Teleports, and what is before them, stay.
    fn take_waiting(&mut self, vehicle: usize, is_meant: impl Fn(&Action) -> bool) -> Option<Action> {
        let of_vehicle = self.commands.iter().enumerate().rev().filter(|(_, earlier)| earlier.vehicle == vehicle);
        let mut drives = of_vehicle.take_while(|(_, earlier)| !matches!(earlier.action, Action::Teleport(_)));
        let (index, _) = drives.find(|(_, earlier)| is_meant(&earlier.action))?;
        Some(self.commands.remove(index).action)
    }

    /// Drops the waiting teleports of a vehicle that is placed elsewhere now, and its commands before them, which they would have ended.
    pub(in crate::world) fn forget_teleports(&mut self, vehicle: usize) {
        let is_teleport =
            |command: &Command| command.vehicle == vehicle && matches!(command.action, Action::Teleport(_));
        let Some(last) = self.commands.iter().rposition(is_teleport) else { return };
        let mut index = 0;
        self.commands.retain(|command| {
            index += 1;
            index > last + 1 || command.vehicle != vehicle
        });
    }

    /// Hands the queued commands to their vehicles.
    pub(in crate::world) fn take_commands(&mut self) {
        let now = self.frame.time;
        std::mem::swap(&mut self.commands, &mut self.frame.commands);
        self.commands.clear();
        for index in 0..self.frame.commands.len() {
            let Command { vehicle, action } = self.frame.commands[index];
            if let Action::Teleport(world_from_body) = action {
                self.teleport(self.vehicles[vehicle].body, world_from_body, AfterTeleport::Stand);
            } else {
                let record = &mut self.vehicles[vehicle];
                self.frame.commands[index].action = record.vehicle.command(action, now);
                self.frame.vehicles[vehicle].commands = *record.vehicle.command_counts();
            }
        }
    }

    /// Hands over the commands, those that were late among them, and stops the vehicles whose last command is too old.
    // Not inlined, so that the step stays short where commands need no attention.
    #[inline(never)]
    pub(in crate::world) fn attend_commands(&mut self) {
        self.receive_late_commands();
        self.take_commands();
        self.apply_command_timeouts();
    }

    /// Stops the vehicles whose last command is too old.
    fn apply_command_timeouts(&mut self) {
        let now = self.frame.time;
        for (record, frame) in self.vehicles.iter_mut().zip(&mut self.frame.vehicles) {
            if let Some(timeout) = record.settings.command_timeout.unwrap_or(self.settings.command_timeout) {
                record.vehicle.apply_command_timeout(now, timeout);
                frame.commands = *record.vehicle.command_counts();
            }
        }
    }
}
