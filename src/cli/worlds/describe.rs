//! A readable description of a world: the output of `skidpad check`.

use std::io::Write;

use crate::cli::Failure;
use crate::cli::run::milliseconds;
use crate::counted::{counted, counted_by};
use crate::georeference::{Geodetic, Georeference};
use crate::sensor::SensorInfo;
use crate::time::SimTime;
use crate::world::actor::ActorInfo;
use crate::world::joint::JointInfo;
use crate::world::region::{Region, Value, has_coverage};
use crate::world::terrain::{ElevationInfo, PlaneInfo};
use crate::world::wall::{OpeningKind, WallInfo};
use crate::world::{JointLaw, Scene, VehicleInfo, World};

/// Describes the content of a world.
pub(in crate::cli) fn describe(world: &World, out: &mut impl Write) -> Result<(), Failure> {
    let scene = world.scene();
    writeln!(out, "{}: loads", scene.name)?;
    writeln!(out, "step {} ms, seed {}", milliseconds(scene.step), scene.seed)?;
    if let Some(georeference) = &scene.georeference {
        writeln!(out, "{}", describe_place(georeference))?;
    }
    writeln!(out, "{}", counted(scene.vehicles.len(), "vehicle"))?;
    for vehicle in &scene.vehicles {
        writeln!(out, "  {}", describe_vehicle(vehicle))?;
        if let Some(georeference) = &scene.georeference {
            let position = vehicle.world_from_start.position();
            let start = coordinates(georeference.geodetic_from_world(position));
            let sky = if has_coverage(&scene.regions, position) { "" } else { ", where no satellite is received" };
            writeln!(out, "    starts at {start}{sky}")?;
        }
        for sensor in &vehicle.sensors {
            writeln!(out, "    {}", describe_sensor(sensor, scene.step))?;
        }
    }
    let (fixed, movable): (Vec<_>, Vec<_>) = scene.blocks.iter().partition(|block| block.is_static);
    let of_them = match fixed.len() {
        0 => String::new(),
        fixed => format!(", {fixed} static"),
    };
    writeln!(out, "{}{of_them}", counted(scene.blocks.len(), "block"))?;
    for (kind, blocks) in [("movable", movable), ("static", fixed)] {
        if !blocks.is_empty() {
            let names: Vec<_> = blocks.into_iter().map(|block| block.name.as_str()).collect();
            writeln!(out, "  {kind}: {}", names.join(", "))?;
        }
    }
    writeln!(out, "{}", counted(scene.maps.len(), "map"))?;
    for map in &scene.maps {
        let cells = counted_by([map.width, map.height], "cell");
        writeln!(out, "  {cells} of {} m", meters(map.resolution))?;
    }
    describe_scenery(scene, out)?;
    let variables = world.catalogue().settable_variables();
    let variables: Vec<String> = variables
        .map(|(name, value)| value.map_or_else(|| name.to_owned(), |value| format!("{name}={value}")))
        .collect();
    if !variables.is_empty() {
        writeln!(out, "{}, for --set", counted(variables.len(), "variable"))?;
        variables.iter().try_for_each(|variable| writeln!(out, "  {variable}"))?;
    }
    out.flush()?;
    Ok(())
}

/// Describes the optional content; prints nothing if there is none.
fn describe_scenery(scene: &Scene, out: &mut impl Write) -> Result<(), Failure> {
    list(out, "horizontal plane", scene.planes.iter().map(describe_plane))?;
    list(out, "elevation map", scene.elevations.iter().map(describe_elevation))?;
    list(out, "vertical plane", scene.walls.iter().map(describe_wall))?;
    list(out, "region", scene.regions.iter().map(describe_region))?;
    list(out, "joint", scene.joints.iter().map(|joint| describe_joint(scene, joint)))?;
    list(out, "actor", scene.actors.iter().map(describe_actor))?;
    let markers = scene.viewer_scene.markers.iter();
    list(out, "marker", markers.map(|m| format!("{}: {}", m.name, counted(m.points.len(), "point"))))?;
    let clouds = scene.viewer_scene.point_clouds.iter();
    list(out, "point cloud", clouds.map(|c| format!("{}: {}", c.name, counted(c.points.len(), "point"))))?;
    if let Some(sky) = &scene.viewer_scene.sky {
        let picture_count = sky.files.iter().flatten().count();
        writeln!(out, "sky: {}, {picture_count} of 6 pictures found", sky.uri)?;
    }
    Ok(())
}

/// Prints the number of entries of a kind, and a line for each; nothing if there are none.
fn list(out: &mut impl Write, kind: &str, lines: impl ExactSizeIterator<Item = String>) -> Result<(), Failure> {
    let count = lines.len();
    if count > 0 {
        writeln!(out, "{}", counted(count, kind))?;
    }
    for line in lines {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

fn describe_place(georeference: &Georeference) -> String {
    let place = coordinates(georeference.origin());
    let utm = match georeference.utm() {
        Some(utm) => {
            let half = if utm.north { 'N' } else { 'S' };
            format!("UTM zone {}{half} {:.2} {:.2}", utm.zone, utm.easting, utm.northing)
        }
        None => "beyond the ends of UTM".to_string(),
    };
    let axes = if georeference.is_utm_world() {
        "x and y are UTM coordinates".to_string()
    } else {
        format!("x points {}° north of east", degrees(georeference.world_to_enu_rotation()))
    };
    format!("place: {place}; {utm}; {axes}")
}

/// Latitude and longitude to a centimetre, height.
fn coordinates(place: Geodetic) -> String {
    if place.latitude.is_nan() {
        return "no place on the UTM grid".to_string();
    }
    let [latitude, longitude] = [place.latitude, place.longitude].map(f64::to_degrees);
    format!("{latitude:.7}°, {longitude:.7}°, {:.2} m", place.height)
}

/// A length [m] without the digits that come from single precision or from rounding: to a micrometre.
fn meters(length: f64) -> f64 {
    // Adding zero takes the sign from a negative one.
    (length * 1e6).round() / 1e6 + 0.0
}

/// An angle in degrees, without rounding digits of the conversion.
fn degrees(angle: f64) -> f64 {
    (angle.to_degrees() * 1e9).round() / 1e9
}

fn describe_plane(plane: &PlaneInfo) -> String {
    let [width, depth] = [plane.x, plane.y].map(|[low, high]| meters(high - low));
    format!("{}: {width} x {depth} m, at z = {} m", plane.name, meters(plane.world_from_start.z + plane.z))
}

fn describe_elevation(elevation: &ElevationInfo) -> String {
    let map = &elevation.map;
    let heights = map.heights().iter().filter(|height| height.is_finite());
    let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &z| (l.min(z), h.max(z)));
    let (name, spacing) = (&elevation.name, meters(map.resolution()));
    let points = counted_by([map.rows(), map.columns()], "point");
    format!("{name}: {points}, {spacing} m apart, {low:.2} to {high:.2} m high")
}

fn describe_region(region: &Region) -> String {
    let value = match &region.value {
        Value::Double(value) => value.to_string(),
        Value::Bool(value) => value.to_string(),
        Value::Text(value) => format!("\"{value}\""),
    };
    let (low, high) = (region.low, region.high);
    let [x0, x1, y0, y1] = [low.x, high.x, low.y, high.y].map(meters);
    format!("{}: {} = {value} for x {x0} to {x1}, y {y0} to {y1} m", region.name, region.property)
}

fn describe_wall(wall: &WallInfo) -> String {
    let count = |kind| wall.openings.iter().filter(|opening| opening.kind == kind).count();
    let [low, high, thickness] = [wall.z[0], wall.z[1], wall.thickness].map(meters);
    let openings = match (count(OpeningKind::Door), count(OpeningKind::Window)) {
        (0, 0) => String::new(),
        (doors, 0) => format!(", {}", counted(doors, "door")),
        (0, windows) => format!(", {}", counted(windows, "window")),
        (doors, windows) => format!(", {}, {}", counted(doors, "door"), counted(windows, "window")),
    };
    format!("{}: {:.2} m long, {low} to {high} m high, {thickness} m thick{openings}", wall.name, wall.length())
}

fn describe_actor(actor: &ActorInfo) -> String {
    let class = if actor.class.is_empty() { String::new() } else { format!(" ({})", actor.class) };
    let path = match actor.waypoints.len() {
        0 => "stands".to_string(),
        count => format!("{}{}", counted(count, "waypoint"), if actor.is_loop { ", over and over" } else { "" }),
    };
    format!("{}{class}: {path}", actor.name)
}

fn describe_joint(scene: &Scene, joint: &JointInfo) -> String {
    let [a, b] = [0, 1].map(|end| scene.body_name(joint.ends[end].body));
    let law = match joint.law {
        JointLaw::Pin { limits: None } => "pin".to_string(),
        JointLaw::Pin { limits: Some([low, high]) } => {
            format!("pin, {:.1}° to {:.1}°", low.to_degrees(), high.to_degrees())
        }
        JointLaw::Rope { min, max, stiffness, .. } if stiffness > 0.0 => {
            format!("spring of {stiffness} N/m, {min} to {max} m")
        }
        JointLaw::Rope { min, max, .. } => format!("rope, {min} to {max} m"),
    };
    format!("{}: {a} and {b}, {law}", joint.name)
}

fn describe_vehicle(vehicle: &VehicleInfo) -> String {
    let class = if vehicle.class.is_empty() { String::new() } else { format!(" ({})", vehicle.class) };
    let accepts = vehicle.accepts;
    let kinds = [(accepts.twist, "twist"), (accepts.ackermann, "ackermann"), (accepts.pedals, "pedals")];
    let taken: Vec<&str> = kinds.iter().filter(|(taken, _)| *taken).map(|(_, name)| *name).collect();
    let takes = match taken.as_slice() {
        [] => "takes no commands".to_owned(),
        [only] => format!("takes {only} commands"),
        [first @ .., last] => format!("takes {} and {last} commands", first.join(", ")),
    };
    let wheels = counted(vehicle.wheels.len(), "wheel");
    let steering = match (vehicle.wheelbase, vehicle.max_steer) {
        (Some(wheelbase), Some(steer)) => format!(", wheelbase {wheelbase} m, steers {:.1}°", steer.to_degrees()),
        _ => String::new(),
    };
    format!("{}{class}: {}, {:.1} kg, {wheels}{steering}, {takes}", vehicle.name, vehicle.dynamics, vehicle.mass)
}

fn describe_sensor(sensor: &SensorInfo, step: SimTime) -> String {
    let rate = format!("{:.1} Hz", 1.0 / sensor.interval(step).secs());
    let labels = if sensor.kind.has_labels() { ", with labels" } else { "" };
    format!("{}: {}{labels}", sensor.name, sensor.kind.description().in_words(&rate))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::world::{LoadOptions, World};

    /// Sensors of one ray, one pixel, one wheel, and what each reports beside that.
    #[test]
    fn sensors_of_one_ray_or_pixel_are_told_of_in_the_singular() {
        const SENSORS: &str = r#"<mvsim_world><vehicle name="car"><init_pose>0 0 0</init_pose>
          <dynamics class="differential"/><sensor class="laser" name="beam"><nrays>1</nrays></sensor>
          <sensor class="lidar3d" name="ray"><vert_nrays>1</vert_nrays><horz_nrays>1</horz_nrays></sensor>
          <sensor class="lidar3d" name="ring"><vert_nrays>1</vert_nrays><horz_nrays>90</horz_nrays><labels>true</labels></sensor>
          <sensor class="lidar3d" name="rings"><vert_nrays>2</vert_nrays><horz_nrays>1</horz_nrays></sensor>
          <sensor class="camera" name="pixel"><ncols>1</ncols><nrows>1</nrows><cx>0</cx><cy>0</cy></sensor>
          <sensor class="rgbd_camera" name="both"><rgb_ncols>1</rgb_ncols><rgb_nrows>2</rgb_nrows><depth_labels>true</depth_labels>
            <rgb_cx>0</rgb_cx><depth_ncols>1</depth_ncols><depth_nrows>1</depth_nrows><depth_cx>0</depth_cx></sensor>
          <sensor class="encoder" name="wheel"><wheels>WHEEL</wheels><ticks_per_revolution>1</ticks_per_revolution></sensor>
          </vehicle></mvsim_world>"#;
        let load = |text: &str| World::load_text("w.xml", Path::new("."), text, &LoadOptions::default());
        let (bare, _) = load(&SENSORS.replace("<wheels>WHEEL</wheels>", "")).unwrap();
        let wheel = &bare.scene().vehicles[0].wheels[0].name;
        let (world, _) = load(&SENSORS.replace("WHEEL", wheel)).unwrap();
        let reported: Vec<String> = world.scene().vehicles[0]
            .sensors
            .iter()
            .map(|sensor| describe_sensor(sensor, SimTime(1_000_000)))
            .collect();
        let starts = [
            "beam: planar lidar, 1 beam over 0.0°, ",
            "ray: lidar, 1 ray, ",
            "ring: lidar, 90 rays, ",
            "rings: lidar, 2 rings of 1 ray, ",
            "pixel: camera, 1 x 1 pixel over ",
            "both: colour 1 x 2 pixels over ",
            &format!("wheel: encoder of {wheel}, 1 tick per revolution, "),
        ];
        assert_eq!(reported.len(), starts.len());
        for (reported, start) in reported.iter().zip(starts) {
            assert!(reported.starts_with(start), "{reported}");
            let has_labels = start.starts_with("ring:") || start.starts_with("both");
            assert_eq!(reported.ends_with(", with labels"), has_labels, "{reported}");
        }
    }

    #[test]
    fn lengths_are_told_without_the_digits_of_single_precision() {
        assert_eq!([f64::from(0.08_f32), 0.1 + 0.2, -1e-9, 12.345_678].map(meters), [0.08, 0.3, 0.0, 12.345_678]);
    }
}
