//! Reports once, in the log, each vehicle that tips over, and each that stands on its wheels again.

use std::collections::BTreeSet;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_sim::world::{EntityId, Frame, Scene};

/// The vehicles that lie.
#[derive(Debug, Default)]
pub(super) struct Falls {
    lying: BTreeSet<EntityId>,
}

impl Falls {
    /// What is new in a frame.
    pub(super) fn look(&mut self, scene: &Scene, frame: &Frame) {
        for (info, vehicle) in scene.vehicles.iter().zip(&frame.vehicles).filter(|(info, _)| info.is_on_springs) {
            let time = frame.time;
            if vehicle.is_overturned && self.lying.insert(info.id) {
                let at = vehicle.world_from_body;
                let message = format!("tipped over at {time}, at x = {:.2} m, y = {:.2} m", at.x, at.y);
                let hint = "commands have no effect until a reset or a teleport sets it upright";
                tracing::warn!(
                    diagnostic = Diagnostic::new(format!("vehicle \"{}\"", info.name), message).hint(hint).as_value()
                );
            } else if !vehicle.is_overturned && self.lying.remove(&info.id) {
                tracing::info!("vehicle \"{}\": stands on its wheels again", info.name);
            }
        }
    }
}
