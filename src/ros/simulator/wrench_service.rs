//! The service `~/apply_wrench`: forces and torques that act on a vehicle or a block for a time.

use futures::channel::oneshot;
use r2r::Node;
#[cfg(skidpad)]
use r2r::skidpad::srv::ApplyWrench;
use skidpad_run::runner::Outbox;

use crate::error::RosError;
use crate::service_calls::ServiceCalls;

/// Name and type of the service.
pub(super) const SERVICE: (&str, &str) = ("~/apply_wrench", "skidpad/srv/ApplyWrench");

/// Offers the service. The frame of the map is `map`.
#[cfg(skidpad)]
pub(super) fn serve(node: &mut Node, map: &str, outbox: &Outbox, calls: &mut ServiceCalls) -> Result<(), RosError> {
    use std::sync::Arc;

    let (name, _) = SERVICE;
    let response = |outcome: Result<(), String>| ApplyWrench::Response {
        success: outcome.is_ok(),
        message: outcome.err().unwrap_or_default(),
    };
    let (outbox, map): (_, Arc<str>) = (outbox.clone(), map.into());
    let answer = move |request: ApplyWrench::Request| {
        let (outbox, map) = (outbox.clone(), Arc::clone(&map));
        async move { (response(apply(&outbox, &map, request).await), || ()) }
    };
    calls
        .offer::<ApplyWrench::Service, _, _>(node, name, answer, move |reason| response(Err(reason)))
        .map_err(|error| RosError::new(format!("service \"{name}\""), format!("cannot be offered: {error}")))
}

/// Logs that the service is off.
#[cfg(not(skidpad))]
pub(super) fn serve(_: &mut Node, _: &str, _: &Outbox, _: &mut ServiceCalls) -> Result<(), RosError> {
    tracing::info!(
        "the service {} is off: skidpad was built without its own messages\n  hint: build with `make node`",
        SERVICE.0
    );
    Ok(())
}

/// Applies the wrench between two steps.
#[cfg(skidpad)]
async fn apply(outbox: &Outbox, map: &str, request: ApplyWrench::Request) -> Result<(), String> {
    let (name, wrench) = (request.entity.clone(), read(map, &request)?);
    let (sender, receiver) = oneshot::channel();
    let is_taken = outbox.visit(move |access| {
        let scene = access.world.scene().clone();
        let answer = scene.find_entity(&name).and_then(|entity| {
            access.world.apply_wrench(scene.entity_id(entity), wrench).map_err(|refusal| refusal.to_string())
        });
        // The client may have left.
        drop(sender.send(answer));
    });
    match receiver.await {
        Ok(answer) if is_taken => answer,
        _ => Err("the simulation has ended".to_owned()),
    }
}

/// The wrench of a request; the frame of the map is `map`.
#[cfg(skidpad)]
fn read(map: &str, request: &ApplyWrench::Request) -> Result<skidpad_sim::world::AppliedWrench, String> {
    use skidpad_math::Vec2;
    use skidpad_math::time::SimTime;
    use skidpad_sim::world::AppliedWrench;

    let (force, torque) = (&request.wrench.force, &request.wrench.torque);
    let upright = [("force.z", force.z), ("torque.x", torque.x), ("torque.y", torque.y)];
    if let Some((component, value)) = upright.into_iter().find(|(_, value)| *value != 0.0) {
        return Err(format!(
            "wrench: {component} is {value}, and bodies move in the plane\n  accepted: 0\n  hint: give force.x, force.y and torque.z"
        ));
    }
    let turns_with_body = match request.frame_id.as_str() {
        frame if ["", "world", map].contains(&frame) => false,
        frame if frame == request.entity => true,
        frame => {
            let entity = &request.entity;
            return Err(format!("frame \"{frame}\": unknown\n  accepted: {map}, world, empty, {entity}"));
        }
    };
    let duration = &request.duration;
    Ok(AppliedWrench {
        force: Vec2::new(force.x, force.y),
        torque: torque.z,
        turns_with_body,
        point_in_body: request.has_point.then(|| Vec2::new(request.point.x, request.point.y)),
        duration: SimTime(i64::from(duration.sec) * 1_000_000_000 + i64::from(duration.nanosec)),
    })
}

#[cfg(all(test, skidpad))]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read_or_refused_with_what_is_accepted() {
        let mut request = ApplyWrench::Request { entity: "crate".into(), ..Default::default() };
        request.wrench.force.x = 3.0;
        request.duration.nanosec = 5;
        let wrench = read("map", &request).unwrap();
        assert_eq!((wrench.force.x, wrench.turns_with_body, wrench.point_in_body), (3.0, false, None));
        assert_eq!(wrench.duration.0, 5);
        request.frame_id = "crate".into();
        assert!(read("map", &request).unwrap().turns_with_body);
        request.frame_id = "crat".into();
        let unknown = "frame \"crat\": unknown\n  accepted: map, world, empty, crate";
        assert_eq!(read("map", &request).unwrap_err(), unknown);
        request.wrench.force.z = 1.0;
        let upright = "wrench: force.z is 1, and bodies move in the plane\n  accepted: 0\n  hint: give force.x, force.y and torque.z";
        assert_eq!(read("map", &request).unwrap_err(), upright);
    }
}
