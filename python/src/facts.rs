//! Facts about vehicles, blocks, maps and labels as dictionaries.

use numpy::{PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use skidpad::math::{Pose3, Vec2};
use skidpad::raycast::OccupancyGrid;
use skidpad::sensor::{SensorInfo, SensorKind};
use skidpad::vehicle::Accepts;
use skidpad::world::label::UNNUMBERED;
use skidpad::world::{BlockInfo, BodyRef, EntityRef, Frame, FrontFrameInfo, Scene, VehicleInfo, WheelInfo};

use crate::errors::refused;

/// The index of the vehicle that an argument names, by its name or by its index.
pub(crate) fn vehicle(scene: &Scene, argument: &Bound<'_, PyAny>) -> PyResult<usize> {
    if let Ok(index) = argument.extract::<usize>() {
        let count = scene.vehicles.len();
        return if index < count {
            Ok(index)
        } else {
            Err(refused(format!("vehicle {index}: not found\n  accepted: {}", names(scene, true))))
        };
    }
    let name: String = argument
        .extract()
        .map_err(|_| refused(format!("vehicle {argument}: not a name\n  accepted: {}", names(scene, true))))?;
    scene
        .vehicle_index(&name)
        .ok_or_else(|| refused(format!("vehicle \"{name}\": not found\n  accepted: {}", names(scene, true))))
}

/// The vehicle, block or actor that an argument names; an index counts vehicles.
pub(crate) fn entity(scene: &Scene, argument: &Bound<'_, PyAny>) -> PyResult<EntityRef> {
    if argument.extract::<usize>().is_ok() {
        return vehicle(scene, argument).map(EntityRef::Vehicle);
    }
    let name: String = argument.extract()?;
    scene.entity(&name).ok_or_else(|| {
        refused(format!("\"{name}\": no vehicle, block or actor has this name\n  accepted: {}", names(scene, false)))
    })
}

/// The block that an argument names, by its name or by its index.
pub(crate) fn block(scene: &Scene, argument: &Bound<'_, PyAny>) -> PyResult<usize> {
    let index = match argument.extract::<usize>() {
        Ok(index) => Some(index).filter(|index| *index < scene.blocks.len()),
        Err(_) => scene.body(&argument.extract::<String>()?).and_then(|body| match body {
            BodyRef::Block(index) => Some(index),
            BodyRef::Vehicle(_) => None,
        }),
    };
    let blocks: Vec<&str> = scene.blocks.iter().map(|block| block.name.as_str()).take(MAX_NAMES).collect();
    index.ok_or_else(|| refused(format!("block {argument}: not found\n  accepted: {}", blocks.join(", "))))
}

/// Most names in a message.
const MAX_NAMES: usize = 20;

fn names(scene: &Scene, vehicles_only: bool) -> String {
    let vehicles = scene.vehicles.iter().map(|vehicle| vehicle.name.as_str());
    let blocks = scene.blocks.iter().map(|block| block.name.as_str());
    let further_bodies = blocks.chain(scene.actors.iter().map(|actor| actor.name.as_str())).filter(|_| !vehicles_only);
    let all: Vec<&str> = vehicles.chain(further_bodies).take(MAX_NAMES).collect();
    if all.is_empty() { "nothing, there is none".into() } else { all.join(", ") }
}

/// `VehicleInfo` as a dictionary; `parameters`: the gains as they are.
pub(crate) fn of_vehicle<'py>(python: Python<'py>, info: &VehicleInfo) -> PyResult<Bound<'py, PyDict>> {
    let facts = PyDict::new(python);
    facts.set_item("name", &info.name)?;
    facts.set_item("class", &info.class)?;
    facts.set_item("dynamics", &info.dynamics)?;
    facts.set_item("accepts", kinds(info.accepts))?;
    facts.set_item("mass", info.mass)?;
    facts.set_item("wheelbase", info.wheelbase)?;
    facts.set_item("max_steer", info.max_steer)?;
    facts.set_item("outline", points(python, &info.outline)?)?;
    facts.set_item("height", info.chassis_z)?;
    facts.set_item("front", info.front.as_ref().map(|front| of_front(python, front)).transpose()?)?;
    facts.set_item(
        "wheels",
        PyList::new(python, info.wheels.iter().map(|wheel| of_wheel(python, wheel)).collect::<PyResult<Vec<_>>>()?)?,
    )?;
    let sensors = PyDict::new(python);
    for sensor in &info.sensors {
        sensors.set_item(&sensor.name, of_sensor(python, sensor)?)?;
    }
    facts.set_item("sensors", sensors)?;
    facts.set_item("start", pose(info.world_from_start))?;
    facts.set_item("reference_path", points(python, &info.reference_path)?)?;
    let borders = PyDict::new(python);
    for (side, border) in ["right", "left"].into_iter().zip(info.track_borders.iter().flatten()) {
        borders.set_item(side, points(python, border)?)?;
    }
    facts.set_item("track_borders", borders)?;
    let parameters = PyDict::new(python);
    for tunable in &info.tunables {
        parameters.set_item(tunable.name, (tunable.value, tunable.range[0], tunable.range[1]))?;
    }
    facts.set_item("parameters", parameters)?;
    Ok(facts)
}

/// `FrontFrameInfo` as a dictionary.
fn of_front<'py>(python: Python<'py>, front: &FrontFrameInfo) -> PyResult<Bound<'py, PyDict>> {
    let facts = PyDict::new(python);
    facts.set_item("hinge", (front.hinge.x, front.hinge.y))?;
    facts.set_item("outline", points(python, &front.outline)?)?;
    facts.set_item("height", front.z)?;
    facts.set_item("mass", front.chassis.mass)?;
    Ok(facts)
}

fn kinds(accepts: Accepts) -> Vec<&'static str> {
    let kinds = [
        (accepts.twist, "twist"),
        (accepts.ackermann, "ackermann"),
        (accepts.pedals, "pedals"),
        (accepts.wheels, "wheels"),
        (accepts.side_spins, "side_spins"),
    ];
    kinds.into_iter().filter(|(is_taken, _)| *is_taken).map(|(_, kind)| kind).collect()
}

fn of_wheel<'py>(python: Python<'py>, wheel: &WheelInfo) -> PyResult<Bound<'py, PyDict>> {
    let facts = PyDict::new(python);
    facts.set_item("name", &wheel.name)?;
    facts.set_item("position", (wheel.position.x, wheel.position.y))?;
    facts.set_item("radius", wheel.radius)?;
    facts.set_item("width", wheel.width)?;
    facts.set_item("mass", wheel.mass)?;
    facts.set_item("steered", wheel.steered)?;
    Ok(facts)
}

fn of_sensor<'py>(python: Python<'py>, sensor: &SensorInfo) -> PyResult<Bound<'py, PyDict>> {
    let facts = PyDict::new(python);
    facts.set_item("class", sensor.kind.entry().name)?;
    facts.set_item("period", sensor.period.secs())?;
    facts.set_item("pose", pose(sensor.body_from_sensor))?;
    if let SensorKind::Lidar2d(scan) = &sensor.kind {
        facts.set_item("count", scan.count)?;
        facts.set_item("angle_min", scan.angle_min)?;
        facts.set_item("angle_increment", scan.angle_increment)?;
        facts.set_item("range_min", scan.range_min)?;
        facts.set_item("range_max", scan.range_max)?;
        facts.set_item("range_std", scan.range_std)?;
    }
    Ok(facts)
}

/// `BlockInfo` as a dictionary.
pub(crate) fn of_block<'py>(python: Python<'py>, info: &BlockInfo) -> PyResult<Bound<'py, PyDict>> {
    let facts = PyDict::new(python);
    facts.set_item("name", &info.name)?;
    facts.set_item("outline", points(python, &info.outline)?)?;
    facts.set_item("z", info.z)?;
    facts.set_item("is_static", info.is_static)?;
    facts.set_item("start", pose(info.world_from_start))?;
    Ok(facts)
}

/// The truth about all vehicles, blocks and actors: a dictionary each.
pub(crate) fn bodies<'py>(python: Python<'py>, scene: &Scene, frame: &Frame) -> PyResult<Bound<'py, PyList>> {
    let all = PyList::empty(python);
    for entity in scene.entities() {
        let facts = PyDict::new(python);
        let kind = match entity {
            EntityRef::Vehicle(_) => "vehicle",
            EntityRef::Block(_) => "block",
            EntityRef::Actor(_) => "actor",
        };
        facts.set_item("name", scene.entity_name(entity))?;
        facts.set_item("kind", kind)?;
        facts.set_item("class", &scene.entity_label(entity).class)?;
        facts.set_item("is_static", scene.is_static(entity))?;
        facts.set_item("pose", pose(frame.pose_of(entity)))?;
        let velocity = frame.velocity_of(entity);
        facts.set_item("velocity", [velocity.linear.x, velocity.linear.y, velocity.linear.z])?;
        facts.set_item("yaw_rate", velocity.yaw_rate)?;
        let corners = scene.bounds_of(entity).map(|corners| corners.map(|corner| [corner.x, corner.y, corner.z]));
        facts.set_item("box", corners)?;
        all.append(facts)?;
    }
    Ok(all)
}

/// What the numbers of labels mean: a dictionary for each body, by its number.
pub(crate) fn labels<'py>(python: Python<'py>, scene: &Scene) -> PyResult<Bound<'py, PyDict>> {
    let table = PyDict::new(python);
    for (name, label) in scene.labelled().filter(|(_, label)| label.numbers[1] != UNNUMBERED) {
        let facts = PyDict::new(python);
        facts.set_item("name", name)?;
        facts.set_item("class", &label.class)?;
        facts.set_item("class_number", label.numbers[0])?;
        table.set_item(label.numbers[1], facts)?;
    }
    Ok(table)
}

/// An occupancy map as a dictionary.
pub(crate) fn of_map<'py>(python: Python<'py>, map: &OccupancyGrid) -> PyResult<Bound<'py, PyDict>> {
    let facts = PyDict::new(python);
    let occupied: Vec<bool> = map.cells.iter().map(|&cell| cell >= map.occupied_percent).collect();
    let occupied = numpy::PyArray1::from_vec(python, occupied).reshape([map.height, map.width])?;
    facts.set_item("occupied", occupied)?;
    facts.set_item("resolution", map.resolution)?;
    facts.set_item("origin", (map.world_from_grid.x, map.world_from_grid.y, map.world_from_grid.yaw))?;
    Ok(facts)
}

fn pose(pose: Pose3) -> [f64; 6] {
    skidpad::interface::numbers::pose(pose)
}

fn points<'py>(python: Python<'py>, points: &[Vec2]) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let numbers: Vec<f64> = points.iter().flat_map(|point| [point.x, point.y]).collect();
    numpy::PyArray1::from_vec(python, numbers).reshape([points.len(), 2])
}

/// The place among the readings of the sensor called `vehicle/sensor`, or `sensor` where one vehicle has it; and its full name.
pub(crate) fn sensor(scene: &Scene, name: &str) -> PyResult<(usize, String)> {
    let all = sensors(scene);
    let matching_slots: Vec<usize> = (0..all.len())
        .filter(|&slot| all[slot] == name || all[slot].split_once('/').is_some_and(|(_, sensor)| sensor == name))
        .collect();
    let exact = all.iter().position(|full| full == name);
    match (exact, &matching_slots[..]) {
        (Some(slot), _) | (None, &[slot]) => Ok((slot, all[slot].clone())),
        (None, []) => {
            let accepted = if all.is_empty() {
                "nothing, there is no sensor".to_owned()
            } else {
                all.iter().take(MAX_NAMES).cloned().collect::<Vec<_>>().join(", ")
            };
            Err(refused(format!("sensor \"{name}\": not found\n  accepted: {accepted}")))
        }
        (None, several) => {
            let names: Vec<&str> = several.iter().map(|&slot| all[slot].as_str()).take(MAX_NAMES).collect();
            Err(refused(format!("sensor \"{name}\": several vehicles have one\n  accepted: {}", names.join(", "))))
        }
    }
}

/// All sensors as `vehicle/sensor`, in the order of the readings.
pub(crate) fn sensors(scene: &Scene) -> Vec<String> {
    let of = |vehicle: &VehicleInfo| {
        vehicle.sensors.iter().map(|sensor| format!("{}/{}", vehicle.name, sensor.name)).collect::<Vec<_>>()
    };
    scene.vehicles.iter().flat_map(of).collect()
}
