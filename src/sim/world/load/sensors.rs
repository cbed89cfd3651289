//! The `<sensor>`s of a vehicle, counted against the budget of their world.
//!
//! ```xml
//! <sensor class="…" name="scan">
//!   <frame_id>laser_link</frame_id>               the frame, where it is not called as the sensor, or as the preset of the node calls it
//! </sensor>
//! ```
//! Sensors in one frame are at one place; the frame has that of the first of them, or the one that it has on the vehicle anyway.

use std::collections::BTreeMap;

use skidpad_math::Pose3;
use skidpad_math::time::SimTime;
use skidpad_xml::Reader;

use super::Builder;
use crate::sensor::naming::{FRAME_RULE, NameFault, TAKEN_FRAMES, is_frame, name_fault};
use crate::sensor::{
    DeliveredSensor, DeliveryParameters, Excess, SENSORS, Sensor, SensorContext, SensorInfo, SensorLoad,
};
use crate::vehicle::Wheel;

impl Builder<'_> {
    /// The sensors of the vehicle of this name, and the frames that the file gives them.
    pub(super) fn read_sensors(
        &self,
        reader: &Reader<'_>,
        vehicle: &str,
        wheels: &[Wheel],
    ) -> (Vec<Box<dyn Sensor>>, Vec<Option<String>>) {
        let mut sensors: Vec<Box<dyn Sensor>> = Vec::new();
        let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
        let mut frames: Vec<Option<String>> = Vec::new();
        for tag in reader.children("sensor") {
            let Some(class) = tag.attribute("class") else {
                tag.missing("class");
                continue;
            };
            let Some(entry) = SENSORS.iter().find(|entry| entry.name == class) else {
                let known = SENSORS.iter().map(|entry| entry.name);
                tag.error(format!("unknown class \"{class}\" in <sensor>")).one_of(&class, known);
                continue;
            };
            let given = tag.attribute("name").filter(|name| !name.is_empty());
            let name = given.unwrap_or_else(|| format!("{class}{}", sensors.len() + 1));
            let is_free = |name: &str| sensors.iter().all(|sensor| sensor.info().name != name);
            let name = if is_free(&name) {
                name
            } else {
                // From the last number that this name got, so that many of one name take no longer than many names.
                let number = numbers.entry(name.clone()).or_insert(1);
                let free = loop {
                    *number += 1;
                    let free = format!("{name}_{number}");
                    if is_free(&free) {
                        break free;
                    }
                };
                tag.warn(format!("a second sensor called \"{name}\" on vehicle \"{vehicle}\": here it is \"{free}\""))
                    .hint("the name of a sensor is its topic and frame; in MVSim both sensors would share them");
                free
            };
            if self.sensor_load.get().excess().is_some() || self.context.cancel().is_cancelled() {
                // That is an error already, and each further sensor could take as long as the largest one to build.
                continue;
            }
            let tag = tag.with_name("PARENT_NAME", vehicle).with_name("NAME", name.clone());
            let wheels = wheels.iter().map(|wheel| wheel.parameters.name.to_string()).collect();
            let context = SensorContext { seed: self.scalars.seed, vehicle: vehicle.to_string(), name, wheels };
            let sensor = (entry.read)(&tag, &context);
            self.check_period(sensor.info(), &tag);
            sensors.push(match DeliveryParameters::read(&tag, sensor.info().period) {
                Some(delivery) => Box::new(DeliveredSensor::new(sensor, delivery, &context)),
                None => sensor,
            });
            frames.push(read_frame(&tag));
            tag.finish();
            warn_of_name(&tag, vehicle, &sensors);
            warn_of_frame(&tag, &sensors, &frames);
            sensors.pop_if(|sensor| !self.count_sensor(&**sensor, &tag));
            frames.truncate(sensors.len());
        }
        (sensors, frames)
    }

    /// Warns of a sensor that cannot sample as often as it is told to.
    fn check_period(&self, sensor: &SensorInfo, tag: &Reader<'_>) {
        let step = SimTime::from_secs(self.scalars.step);
        let interval = sensor.interval(step);
        if interval > sensor.period {
            let (period, step) = (sensor.period.secs(), step.secs());
            let message = format!(
                "a period of {period} s, below the step of {step} s: it samples at every step, {} times a second",
                1.0 / step
            );
            let place =
                if tag.has("sensor_period") { tag.place_of("sensor_period").clone() } else { tag.place().clone() };
            let interpolating: Vec<&str> =
                SENSORS.iter().filter(|entry| entry.interpolates).map(|entry| entry.name).collect();
            let hint = format!("a smaller <simul_timestep>; only {} sample between steps", interpolating.join(", "));
            self.context.warn(&place, message).accepted([format!("at least {step} s")]).hint(hint);
        }
    }

    /// Counts a sensor against the budget of the world; false, with an error, if it exceeds that.
    fn count_sensor(&self, sensor: &dyn Sensor, tag: &Reader<'_>) -> bool {
        let load = SensorLoad::of(sensor, SimTime::from_secs(self.scalars.step));
        let all = self.sensor_load.get() + load;
        self.sensor_load.set(all);
        if let Some(Excess { found, accepted, hint }) = all.excess() {
            tag.error(format!("with this one the sensors of this world would {found}")).accepted([accepted]).hint(hint);
            return false;
        }
        let is_free = self.sensor_claim.borrow_mut().grow(load.memory);
        if !is_free {
            tag.error("the sensors being built elsewhere leave no memory for this one")
                .hint("wait until they are built");
        }
        is_free
    }
}

/// The frame that a `<sensor>` gives, if it does.
fn read_frame(tag: &Reader<'_>) -> Option<String> {
    let frame = tag.text("frame_id")?;
    if !is_frame(&frame) {
        tag.error_at("frame_id", format!("<frame_id> \"{frame}\" is not a frame name")).accepted([FRAME_RULE]);
    }
    Some(frame)
}

/// Warns if the last sensor is elsewhere than the frame that it gives.
fn warn_of_frame(tag: &Reader<'_>, sensors: &[Box<dyn Sensor>], frames: &[Option<String>]) {
    let (Some((last, earlier)), Some((Some(frame), other_frames))) = (sensors.split_last(), frames.split_last()) else {
        return;
    };
    let pose = last.info().body_from_sensor;
    let is_in_frame = |other: &SensorInfo, given: &Option<String>| given.as_ref().unwrap_or(&other.name) == frame;
    let mut infos = earlier.iter().map(|other| other.info()).zip(other_frames);
    let other = infos.find(|(other, given)| is_in_frame(other, given));
    let (place, of) = match other {
        Some((other, _)) => (other.body_from_sensor, format!("sensor \"{}\"", other.name)),
        None if ["base_link", "base_footprint"].contains(&frame.as_str()) => {
            (Pose3::default(), "the vehicle".to_owned())
        }
        None if TAKEN_FRAMES.contains(&frame.as_str()) => {
            tag.warn_at(
                "frame_id",
                format!("<frame_id> {frame} is not a frame of the vehicle: readings will appear far from it"),
            );
            return;
        }
        None => return,
    };
    if place != pose {
        let reported = format!("<frame_id> {frame} belongs to {of}, at another pose: readings will appear there");
        tag.warn_at("frame_id", reported);
    }
}

/// Warns if the last sensor's name cannot be that of its topics and frame.
fn warn_of_name(tag: &Reader<'_>, vehicle: &str, sensors: &[Box<dyn Sensor>]) {
    let Some((last, other_sensors)) = sensors.split_last() else { return };
    let other_infos = other_sensors.iter().map(|sensor| sensor.info());
    if let Some(NameFault { found, accepted, hint }) = name_fault(vehicle, last.info(), other_infos) {
        let report = tag.warn(found).accepted([accepted]);
        if let Some(hint) = hint {
            report.hint(hint);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;
    use std::sync::atomic::Ordering;

    use skidpad_files::assets::Reach;

    use crate::sensor::MAX_MEMORY;
    use crate::world::{LoadOptions, SpawnErrorKind, SpawnRequest, SpawnSource, World};

    /// A vehicle with such sensors.
    fn vehicle(name: &str, sensors: &str) -> String {
        format!(
            "<vehicle name=\"{name}\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\"/>{sensors}</vehicle>"
        )
    }

    /// A lidar of so many beams, ten thousand times a second: 40 kB/s for each beam.
    fn fast(beams: usize) -> String {
        format!("<sensor class=\"laser\"><nrays>{beams}</nrays><sensor_period>1e-4</sensor_period></sensor>")
    }

    fn load(vehicles: &str) -> Result<World, String> {
        let text =
            format!("<mvsim_world version=\"1.0\"><simul_timestep>1e-4</simul_timestep>\n{vehicles}</mvsim_world>");
        let loaded = World::load_text("w", Path::new("."), &text, &LoadOptions::default());
        loaded.map(|(world, _)| world).map_err(|problems| problems.to_string())
    }

    fn spawn(world: &mut World, name: &str, sensors: &str) -> Result<(), (SpawnErrorKind, String)> {
        let source = SpawnSource::Xml { text: vehicle(name, sensors), directory: ".".into(), label: "spawn".into() };
        let recipe = world.catalogue().recipe(&SpawnRequest { name: name.into(), source, pose: None });
        let spawned = recipe.and_then(|recipe| world.spawn(recipe));
        spawned.map(drop).map_err(|error| (error.kind, error.message))
    }

    #[test]
    fn frames_apart_from_names_are_told_where_they_mislead() {
        let scan = |name: &str, inside: &str| format!("<sensor class=\"laser\" name=\"{name}\">{inside}</sensor>");
        let text = |sensors: &str| format!("<mvsim_world version=\"1.0\">\n{}</mvsim_world>", vehicle("r1", sensors));
        let reported =
            |sensors: &str| match World::load_text("w", Path::new("."), &text(sensors), &LoadOptions::default()) {
                Ok((world, warnings)) => (Some(world), warnings.iter().map(ToString::to_string).collect()),
                Err(problems) => (None, vec![problems.to_string()]),
            };
        let (world, warnings) = reported(&(scan("front", "<frame_id>laser</frame_id>") + &scan("rear", "")));
        assert_eq!(warnings, [] as [String; 0]);
        assert_eq!(world.unwrap().scene().vehicles[0].sensor_frames, [Some("laser".to_owned()), None]);
        let shared = scan("a", "<frame_id>mast</frame_id>")
            + &scan("mast", "")
            + &scan("b", "<frame_id>mast</frame_id><height>1</height>");
        let (_, warnings) = reported(&shared);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        let elsewhere = "<frame_id> mast belongs to sensor \"a\", at another pose: readings will appear there";
        assert!(warnings[0].ends_with(elsewhere), "{warnings:?}");
        let (_, warnings) = reported(&scan("a", "<frame_id>base_link</frame_id>"));
        assert!(
            warnings[0]
                .ends_with("<frame_id> base_link belongs to the vehicle, at another pose: readings will appear there")
        );
        let (_, warnings) = reported(&scan("a", "<frame_id>odom</frame_id>"));
        assert!(
            warnings[0].ends_with("<frame_id> odom is not a frame of the vehicle: readings will appear far from it"),
            "{warnings:?}"
        );
        let (world, errors) = reported(&scan("a", "<frame_id>/laser</frame_id>"));
        assert!(world.is_none());
        let expected = "<frame_id> \"/laser\" is not a frame name\n  accepted: letters, digits, _, -, . and /, and no / at either end";
        assert!(errors[0].ends_with(expected), "{errors:?}");
    }

    #[test]
    fn all_sensors_of_a_world_share_a_budget() {
        let half = vehicle("a", &fast(200_000));
        assert!(load(&(half.clone() + &vehicle("b", &fast(200_000)))).is_ok());
        assert_eq!(
            load(&(half + "\n" + &vehicle("b", &(fast(100_000) + "\n" + &fast(100_001))) + &vehicle("c", &fast(1))))
                .err()
                .unwrap(),
            "w:4:1: with this one the sensors of this world would make 16001 MB per simulated second\n  \
             accepted: at most 16000 MB\n  hint: fewer rays and pixels, or longer periods"
        );
    }

    #[test]
    fn samples_that_are_late_take_memory() {
        let late = |delay: &str| {
            let sensor = format!("<sensor class=\"laser\"><nrays>1000</nrays>{delay}</sensor>");
            load(&vehicle("a", &sensor)).unwrap().sensor_load().memory
        };
        let at_once = late("");
        // One on its way, and those of 0.6 s at a period of 0.1 s; with four deviations of the delay, those of 1 s.
        assert_eq!(late("<sample_delay>0.6</sample_delay>") - at_once, 7 * 4000);
        assert_eq!(
            late("<sample_delay>0.6</sample_delay><sample_delay_std_noise>0.1</sample_delay_std_noise>") - at_once,
            11 * 4000
        );
    }

    #[test]
    fn a_spawn_over_the_budget_is_refused_and_a_removal_gives_back() {
        let mut world = load(&vehicle("a", &fast(200_000))).unwrap();
        let before = world.sensor_load();
        assert_eq!(before.rays, 200_000);
        let refused = spawn(&mut world, "b", &fast(200_001)).unwrap_err();
        let expected = "spawn \"b\": with it the sensors of this world would make 16001 MB per simulated second\n  \
                        accepted: at most 16000 MB\n  hint: fewer rays and pixels, or longer periods";
        assert_eq!(refused, (SpawnErrorKind::TooMuch, expected.to_string()));
        assert_eq!(world.sensor_load(), before);
        spawn(&mut world, "b", &fast(200_000)).unwrap();
        assert!(spawn(&mut world, "c", &fast(1)).is_err());
        let first = world.scene().vehicles[0].id;
        world.remove(first).unwrap();
        assert_eq!(world.sensor_load(), before);
        spawn(&mut world, "c", &fast(1)).unwrap();
    }

    #[test]
    fn bodies_that_callers_have_built_at_a_time_share_the_memory_of_a_world() {
        let world = load("").unwrap();
        let build = |reach| {
            let source =
                SpawnSource::Xml { text: vehicle("a", &fast(1000)), directory: ".".into(), label: "spawn".into() };
            let request = SpawnRequest { name: "a".into(), source, pose: None };
            world.catalogue().recipe_for(&request, reach, Default::default())
        };
        let claimed = || world.catalogue().options.claims.load(Ordering::Relaxed);
        let for_caller = || build(Some(Arc::new(Reach::default()))).unwrap();
        let one = for_caller();
        let memory = claimed();
        assert!(memory > 64_000, "{memory}");
        let other = for_caller();
        assert_eq!(claimed(), 2 * memory);
        world.catalogue().options.claims.store(MAX_MEMORY, Ordering::Relaxed);
        let refusal = build(Some(Arc::new(Reach::default()))).unwrap_err().message;
        let expected =
            "the sensors being built elsewhere leave no memory for this one\n  hint: wait until they are built";
        assert!(refusal.ends_with(expected), "{refusal}");
        assert!(build(None).is_ok(), "the local user waits for nobody");
        world.catalogue().options.claims.store(2 * memory, Ordering::Relaxed);
        drop((one, other));
        assert_eq!(claimed(), 0);
    }
}
