//! Commands: checked on arrival, queued, and executed at the start of the next step.

use super::teleport::AfterTeleport;
use super::{CommandError, World};
use crate::vehicle::{Action, Command};

impl World {
    /// Queues a command, which is executed at the start of the next step. It overrides the driver of a vehicle that follows a
    /// trajectory until no command has come for a while.
    pub fn command(&mut self, command: Command) -> Result<(), CommandError> {
        self.queue_command(command)?;
        if !matches!(command.action, Action::Teleport(_)) {
            self.override_driver(command.vehicle);
        }
        Ok(())
    }

    /// [`command`](World::command) by the vehicle's own driver or from outside.
    pub(super) fn queue_command(&mut self, command: Command) -> Result<(), CommandError> {
        let info = self.scene.vehicles.get(command.vehicle).ok_or(CommandError::NoVehicle(command.vehicle))?;
        if let Some(fault) = command.action.fault() {
            return Err(CommandError::Fault { vehicle: info.name.clone(), fault });
        }
        let (taken, kind) = info.accepts.takes(&command.action);
        if !taken {
            return Err(CommandError::NotAccepted { vehicle: info.name.clone(), kind, accepted: info.accepts.names() });
        }
        // Of the motion commands that arrive between two steps only the last counts; one is kept per vehicle, so that the queue does
        // not grow during a long pause.
        let vehicle = command.vehicle;
        if let Action::Wheels(targets) = command.action {
            // They are relative to the last command for all wheels, which therefore stays before them.
            match self.commands.iter_mut().rfind(|earlier| earlier.vehicle == vehicle) {
                Some(Command { action: Action::Wheels(earlier), .. }) => *earlier = targets.over(*earlier),
                _ => self.commands.push(command),
            }
            return Ok(());
        }
        let drives = |action: &Action| !matches!(action, Action::Teleport(_));
        while drives(&command.action)
            && let Some(last) = self.commands.iter().rposition(|earlier| earlier.vehicle == vehicle)
            && drives(&self.commands[last].action)
        {
            self.commands.remove(last);
        }
        self.commands.push(command);
        Ok(())
    }

    /// Hands the queued commands to their vehicles, and stops those whose last command is too old.
    pub(super) fn take_commands(&mut self) {
        let now = self.frame.time;
        std::mem::swap(&mut self.commands, &mut self.frame.commands);
        self.commands.clear();
        for index in 0..self.frame.commands.len() {
            let Command { vehicle, action } = self.frame.commands[index];
            if let Action::Teleport(world_from_body) = action {
                self.teleport(self.vehicles[vehicle].body, world_from_body, AfterTeleport::Stand);
            } else {
                let record = &mut self.vehicles[vehicle];
                record.vehicle.command(action, now);
                self.frame.vehicles[vehicle].commands = *record.vehicle.command_counts();
            }
        }
        if self.settings.command_timeout.is_none() && !self.has_own_timeouts {
            return;
        }
        for (record, frame) in self.vehicles.iter_mut().zip(&mut self.frame.vehicles) {
            if let Some(timeout) = record.settings.command_timeout.unwrap_or(self.settings.command_timeout) {
                record.vehicle.apply_command_timeout(now, timeout);
                frame.commands = *record.vehicle.command_counts();
            }
        }
    }
}
