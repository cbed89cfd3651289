//! Powertrains: from the throttle pedal through engine, clutch or converter and gearbox to the differentials, and back:
//! what the tyres do to the wheels reaches the engine.

use super::command::Pedals;
use super::drive::drivetrain::Drivetrain;
use crate::friction::{FrictionLaw, WheelContact};
use crate::world::PowertrainFrame;
use crate::xml::Reader;

/// Engine to gearbox output, with its state.
#[derive(Clone, Debug, PartialEq)]
pub struct Powertrain {}

impl Powertrain {
    /// Reads `<powertrain>` of `<dynamics>`; none where there is no such block.
    pub fn read(_dynamics: &Reader<'_>) -> Option<Powertrain> {
        None
    }

    /// Writes the torque on each wheel into `contacts` for one step, and advances the engine by it. `brake_torque` [N·m] ≥ 0
    /// is what the service brakes do to each wheel.
    pub fn drive(
        &mut self,
        _pedals: Pedals,
        _drivetrain: &Drivetrain,
        _law: &dyn FrictionLaw,
        _contacts: &mut [WheelContact],
        _brake_torque: &[f64],
    ) -> PowertrainFrame {
        PowertrainFrame::default()
    }

    /// Back to the start: engine idling, first gear.
    pub fn reset(&mut self) {}
}
