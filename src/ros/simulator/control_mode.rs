//! The service by which Autoware and its interfaces ask who drives, of the preset that stands in for its simulator.

use r2r::Node;
use skidpad_ros_data::message::SharedDesk;
use skidpad_run::runner::Outbox;

use crate::commands::start_gate::StartGate;
use crate::error::RosError;
use crate::service_calls::ServiceCalls;

/// Offers the service: Autoware may drive, or a driver; all else is refused. Whoever drives from then on, what it has commanded last is in force,
/// once the gate is open.
#[cfg(autoware_vehicle_msgs)]
pub fn serve(
    node: &mut Node,
    name: &str,
    desk: &SharedDesk,
    outbox: &Outbox,
    gate: &StartGate,
    calls: &mut ServiceCalls,
) -> Result<(), RosError> {
    use r2r::autoware_vehicle_msgs::srv::ControlModeCommand;
    use skidpad_ros_data::message::autoware_desk::{ControlTaking, Seat};
    use skidpad_run::runner::SimulationAccess;
    use skidpad_sim::vehicle::Command;

    let (desk, outbox, gate) = (desk.clone(), outbox.clone(), gate.clone());
    let answer = move |request: &ControlModeCommand::Request| {
        let Some(seat) = Seat::of_mode(request.mode) else { return ControlModeCommand::Response { success: false } };
        if std::mem::replace(&mut desk.lock().seat, seat) != seat && gate.is_open() {
            let desk = desk.clone();
            let change = move |visit: &mut SimulationAccess<'_>| {
                // The preset has one vehicle.
                let Some(taking) = visit.world.scene().vehicles.first().map(ControlTaking::of) else { return };
                let action = desk.lock().action(taking);
                if let Err(problem) = visit.world.command(Command { vehicle: 0, action }) {
                    tracing::warn!("control mode {}: command refused: {problem}", seat.mode());
                }
            };
            // A simulation that has ended needs none.
            let _ = outbox.visit(change);
        }
        ControlModeCommand::Response { success: true }
    };
    calls
        .offer_ready::<ControlModeCommand::Service>(node, name, answer)
        .map_err(|error| RosError::new(format!("service \"{name}\""), format!("cannot be offered: {error}")))
}

/// Tells that the service is off, as its type was not available at build time.
#[cfg(not(autoware_vehicle_msgs))]
pub fn serve(
    _node: &mut Node,
    name: &str,
    _desk: &SharedDesk,
    _requests: (&Outbox, &StartGate),
    _calls: &mut ServiceCalls,
) -> Result<(), RosError> {
    use skidpad_ros_data::preset::Service;

    let reported = crate::typed_messages::unknown(format!("service \"{name}\""), Service::ControlMode.type_name());
    tracing::warn!(diagnostic = reported.as_value());
    Ok(())
}
