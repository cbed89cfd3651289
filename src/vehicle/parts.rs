//! The parts that decide which phases the steps of a vehicle have, chosen when it is loaded: what moves it, what its
//! steering turns, what it runs on, and what brakes its wheels.

use super::air::Air;
use super::articulation::Articulation;
use super::command::Pedals;
use super::controller::Controller;
use super::drive::Drive;
use super::loads::LoadModel;
use super::motion_model::MotionModel;
use super::resistance::Resistance;
use super::service_brakes::ServiceBrakes;
use super::suspension::Suspension;
use super::tracks::Tracks;
use super::wheel::Wheel;
use crate::friction::WheelContact;

/// What moves a vehicle.
pub(super) enum Mover {
    /// The forces of the ground at its wheels.
    Ground,
    /// Its controller, which imposes a velocity; the wheels roll along.
    Controller,
    /// A model of the whole vehicle, in place of forces at its wheels.
    Model(Box<dyn MotionModel>),
}

impl Mover {
    /// The model, if there is one; else the controller, if it imposes a velocity.
    pub(super) fn new(model: Option<Box<dyn MotionModel>>, controller: &dyn Controller) -> Mover {
        match model {
            Some(model) => Mover::Model(model),
            None if controller.imposes_velocity() => Mover::Controller,
            None => Mover::Ground,
        }
    }

    /// Whether forces of the ground at its wheels move the vehicle.
    pub(super) fn is_ground(&self) -> bool {
        matches!(self, Mover::Ground)
    }

    pub(super) fn model(&self) -> Option<&dyn MotionModel> {
        if let Mover::Model(model) = self { Some(&**model) } else { None }
    }

    pub(super) fn model_mut(&mut self) -> Option<&mut (dyn MotionModel + 'static)> {
        if let Mover::Model(model) = self { Some(&mut **model) } else { None }
    }
}

/// What the steering of a vehicle turns.
pub(super) enum Steered {
    /// Nothing.
    Nothing,
    /// Wheels, for the equivalent angle: with the angle [rad] for which they have been turned; none: they have to be turned.
    Wheels(Option<f64>),
    /// Wheels, each by the controller of its hinge.
    Hinges,
    /// The front frame, about the hinge between two frames.
    FrontFrame(Box<Articulation>),
}

impl Steered {
    /// The front frame, if there is one; else the wheels that the drive steers, if there are any.
    pub(super) fn new(
        drive: &dyn Drive,
        controller: &dyn Controller,
        articulation: Option<Box<Articulation>>,
    ) -> Steered {
        match articulation {
            Some(articulation) => Steered::FrontFrame(articulation),
            None if drive.steering().is_none() => Steered::Nothing,
            None if controller.turns_hinges() => Steered::Hinges,
            None => Steered::Wheels(None),
        }
    }

    /// Lets the next step turn the wheels even if the angle is the same.
    pub(super) fn turn_again(&mut self) {
        if let Steered::Wheels(turned_for) = self {
            *turned_for = None;
        }
    }
}

/// What a vehicle runs on.
pub(super) enum RunningGear {
    /// Tyres.
    Tyres,
    /// Wheels with rollers.
    Rollers,
    /// Tracks around the wheels.
    Tracks(Tracks),
}

impl RunningGear {
    pub(super) fn new(drive: &dyn Drive, wheels: &[Wheel]) -> RunningGear {
        match drive.tracks() {
            Some(tracks) => RunningGear::Tracks(*tracks),
            None if wheels.iter().any(|wheel| wheel.parameters.rollers.is_some()) => RunningGear::Rollers,
            None => RunningGear::Tyres,
        }
    }
}

/// How the load of the wheels follows the motion of the vehicle.
pub(super) enum Carrying {
    /// It does not: it depends on the slope alone.
    Fixed,
    /// As the acceleration moves it between the wheels of a rigid plate or two axles.
    ByAcceleration,
    /// By the springs between body and wheels.
    OnSprings(Box<Suspension>),
    /// As acceleration moves it, if it does, and as the air lifts or presses the wheels.
    LiftedByAir,
}

impl Carrying {
    pub(super) fn new(suspension: Option<Box<Suspension>>, loads: &LoadModel, air: Option<&Air>) -> Carrying {
        match suspension {
            Some(suspension) => Carrying::OnSprings(suspension),
            None if air.is_some_and(Air::lifts) => Carrying::LiftedByAir,
            None if loads.transfers() => Carrying::ByAcceleration,
            None => Carrying::Fixed,
        }
    }

    /// The suspension, if the body is on springs.
    pub(super) fn suspension(&self) -> Option<&Suspension> {
        if let Carrying::OnSprings(suspension) = self { Some(suspension) } else { None }
    }

    pub(super) fn suspension_mut(&mut self) -> Option<&mut Suspension> {
        if let Carrying::OnSprings(suspension) = self { Some(suspension) } else { None }
    }
}

/// What brakes the wheels with a limited torque: service brakes, and rolling resistance that acts like a brake.
pub(super) struct Braking {
    service: Option<ServiceBrakes>,
    /// Rolling resistance in addition to that of the tyres.
    rolling: Option<Resistance>,
}

impl Braking {
    /// None if nothing brakes the wheels. Models of whole vehicles take the rolling resistance into account themselves.
    pub(super) fn new(service: Option<ServiceBrakes>, resistance: Resistance, mover: &Mover) -> Option<Braking> {
        let rolling = Some(resistance).filter(|resistance| resistance.rolls_hard() && mover.model().is_none());
        (service.is_some() || rolling.is_some()).then_some(Braking { service, rolling })
    }

    /// Writes the torque capacity at each wheel [N·m], ≥ 0.
    #[inline]
    pub(super) fn torques(&mut self, pedals: Pedals, contacts: &[WheelContact], torques: &mut [f64]) {
        torques.fill(0.0);
        if let Some(brakes) = &mut self.service {
            brakes.torques(pedals, contacts, torques);
        }
        if let Some(resistance) = &self.rolling {
            for (contact, torque) in contacts.iter().zip(torques) {
                *torque += resistance.rolling(contact.velocity_in_wheel.x) * contact.load * contact.radius;
            }
        }
    }

    /// Back to the start.
    pub(super) fn reset(&mut self) {
        if let Some(brakes) = &mut self.service {
            brakes.reset();
        }
    }
}
