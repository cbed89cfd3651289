//! A state as JSON: names and SI values instead of counts in order; null for what a recording does not tell.

use serde_json::{Map, Value, json};
use skidpad_view::channels::{Channel, LAYOUT};
use skidpad_view::scene::{BodyView, SceneView};
use skidpad_view::state::ViewState;

/// The state with the names of its scene; none if it belongs to another scene.
pub(super) fn state(scene: &SceneView, state: &ViewState) -> Option<Value> {
    if state.revision != scene.revision {
        return None;
    }
    let mut counts = state.counts.iter().copied();
    let mut vehicles = Vec::new();
    for vehicle in &scene.vehicles {
        let absent = |object: &mut Map<String, Value>| {
            object.iter_mut().filter(|(name, _)| vehicle.not_recorded.contains(name)).for_each(|(_, value)| {
                *value = Value::Null;
            });
        };
        let mut object = values(LAYOUT.vehicle, &mut counts)?;
        absent(&mut object);
        let mut wheels = Vec::new();
        for wheel in &vehicle.wheels {
            let mut object = values(LAYOUT.wheel, &mut counts)?;
            absent(&mut object);
            object.insert("name".into(), wheel.name.clone().into());
            wheels.push(Value::Object(object));
        }
        object.insert("id".into(), vehicle.id.into());
        object.insert("name".into(), vehicle.name.clone().into());
        object.insert("wheels".into(), wheels.into());
        vehicles.push(Value::Object(object));
    }
    let mut bodies = |list: &[BodyView], channels: &[Channel]| -> Option<Vec<Value>> {
        let body = |body: &BodyView| {
            let mut object = values(channels, &mut counts)?;
            object.insert("id".into(), body.id.into());
            object.insert("name".into(), body.name.clone().into());
            Some(Value::Object(object))
        };
        list.iter().map(body).collect()
    };
    let blocks = bodies(&scene.blocks, LAYOUT.pose)?;
    let planes = bodies(&scene.planes, LAYOUT.pose)?;
    let actors = bodies(&scene.actors, LAYOUT.actor)?;
    let (time, revision) = (state.time.secs(), state.revision);
    Some(
        json!({ "time": time, "revision": revision, "vehicles": vehicles, "blocks": blocks, "planes": planes, "actors": actors }),
    )
}

/// The next values by name; none if there are too few.
fn values(channels: &[Channel], counts: &mut impl Iterator<Item = i64>) -> Option<Map<String, Value>> {
    let mut value = |channel: &Channel| {
        // Division by a whole number gives the shortest decimals.
        let value = counts.next()? as f64 / (1.0 / channel.resolution).round().max(1.0);
        Some((channel.name.to_owned(), value.into()))
    };
    channels.iter().map(&mut value).collect()
}

#[cfg(test)]
mod tests {
    use skidpad_math::time::SimTime;
    use skidpad_view::channels::{ACTOR, POSE, VEHICLE, WHEEL, counts};
    use skidpad_view::scene::{VehicleView, WheelView};

    use super::*;

    fn scene() -> SceneView {
        let wheel = |name: &str| WheelView { name: name.into(), ..WheelView::default() };
        let body = |name: &str| BodyView { name: name.into(), ..BodyView::default() };
        SceneView {
            revision: 3,
            vehicles: vec![VehicleView {
                id: 7,
                name: "car".into(),
                wheels: vec![wheel("l"), wheel("r")],
                ..VehicleView::default()
            }],
            blocks: vec![body("box")],
            planes: vec![body("lift")],
            actors: vec![body("ann")],
            ..SceneView::default()
        }
    }

    #[test]
    fn every_number_has_its_name() {
        let mut state = ViewState { time: SimTime(1_500_000_000), revision: 3, counts: Vec::new() };
        let mut push = |channels: &[Channel], value: &dyn Fn(usize) -> f64| {
            let counts = channels.iter().enumerate().map(|(index, channel)| counts(value(index), channel));
            state.counts.extend(counts);
        };
        push(&VEHICLE, &|index| index as f64);
        push(&WHEEL, &|_| 0.5);
        push(&WHEEL, &|_| -0.3);
        push(&POSE, &|_| 1.0);
        push(&POSE, &|_| 2.0);
        push(&ACTOR, &|_| 3.1);
        let text = super::state(&scene(), &state).unwrap();
        assert_eq!((&text["time"], &text["revision"]), (&json!(1.5), &json!(3)));
        let car = &text["vehicles"][0];
        assert_eq!(
            (&car["name"], &car["id"], &car["yaw"], &car["vx"]),
            (&json!("car"), &json!(7), &json!(3.0), &json!(6.0))
        );
        assert_eq!((&car["wheels"][1]["name"], &car["wheels"][1]["slip_ratio"]), (&json!("r"), &json!(-0.3)));
        assert_eq!((&text["blocks"][0]["x"], &text["planes"][0]["name"]), (&json!(1.0), &json!("lift")));
        assert_eq!(text["actors"][0]["clip_time"], json!(3.1));
    }

    #[test]
    fn a_state_of_another_scene_has_no_names() {
        let mut state = ViewState { revision: 4, ..ViewState::default() };
        assert_eq!(super::state(&scene(), &state), None);
        state.revision = 3;
        assert_eq!(super::state(&scene(), &state), None);
    }
}
