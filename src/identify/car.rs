//! The car that is fitted: a vehicle class with unknown numbers, and the measurement model that relates its motion to a
//! recording.

use std::path::{Path, PathBuf};

use skidpad_files::diagnostic::Diagnostic;
use skidpad_sim::world::{LoadOptions, Wanted, World};
use skidpad_xml::edit::escaped;

use super::IdentifyError;
use super::class_file::{self, Node, NumberPath};
use super::config::{IdentifyConfig, Measurement, MeasurementIn, Unknown, measurement_path};

/// A number that an unknown sets.
#[derive(Clone, Debug)]
enum Place {
    /// A number of the vehicle class, and the sign with which the unknown is written there.
    Class(NumberPath, f64),
    /// The number `name` of the measurement model, in recordings whose path contains `part`; empty: in all.
    Measurement { part: String, name: String },
}

impl Place {
    /// Sets the number in the measurement model, if it is one of that: the general model, and the exceptions for some
    /// recordings.
    fn set_measurement(&self, (general, exceptions): &mut (Measurement, MeasurementIn), value: f64) {
        let Place::Measurement { part, name } = self else { return };
        if !part.is_empty() {
            exceptions.entry(part.clone()).or_default().insert(name.clone(), value);
        } else if let Ok(field) = Measurement::field(name) {
            *field(general) = value;
        }
    }
}

/// A vehicle class plus measurement model, with unknowns.
#[derive(Clone, Debug)]
pub struct Car {
    class: Node,
    name: String,
    /// Folder of the class file, to which its includes are relative.
    folder: PathBuf,
    /// Step of the simulation [s].
    timestep: f64,
    /// The measurement model, and the numbers that differ in some recordings.
    measurement: (Measurement, MeasurementIn),
    /// The numbers that each unknown sets.
    places: Vec<Vec<Place>>,
    /// The numbers to find, in the order of the config.
    pub unknowns: Vec<Unknown>,
}

impl Car {
    /// Reads the class of a config, whose file is in one of `folders`.
    ///
    /// # Errors
    /// The file cannot be found or read, an unknown has no start within its range, or the class cannot be loaded.
    pub fn new(config: &IdentifyConfig, folders: &[PathBuf]) -> Result<Car, IdentifyError> {
        let file = &config.vehicle.find(folders)?;
        let mut class = class_file::read(file, &config.vehicle.class)?;
        class.rename(&config.name);
        let place = |path: &String| {
            let class = || {
                let (path, sign) = path.strip_prefix('-').map_or((path.as_str(), 1.0), |path| (path, -1.0));
                NumberPath::parse(path).map(|path| Place::Class(path, sign))
            };
            measurement_path(path).map_or_else(class, |(part, name)| {
                Ok(Place::Measurement { part: part.to_owned(), name: name.to_owned() })
            })
        };
        let places = config
            .unknowns
            .iter()
            .map(|unknown| unknown.paths().iter().map(place).collect())
            .collect::<Result<_, Diagnostic>>()?;
        let folder = file.parent().unwrap_or(Path::new(".")).to_path_buf();
        let car = Car {
            class,
            name: config.name.clone(),
            folder,
            timestep: config.timestep,
            measurement: (config.measurement, config.measurement_in.clone()),
            places,
            unknowns: config.unknowns.clone(),
        };
        for (unknown, start) in car.unknowns.iter().zip(car.starts()) {
            let [low, high] = unknown.range;
            let wrong = |found: String| Diagnostic::new(format!("unknowns: {}", unknown.name()), found);
            let Some(start) = start else {
                return Err(wrong("no start".to_owned())
                    .accepted("start: NUMBER, or a number at that path of the class")
                    .into());
            };
            if !(low..=high).contains(&start) {
                let message = wrong(format!("start {start} is out of range"));
                return Err(message.accepted(format!("from {low} to {high}")).into());
            }
        }
        let starts: Vec<f64> = car.starts().into_iter().flatten().collect();
        car.world(&starts)?;
        Ok(car)
    }

    /// Start value of each unknown; none: neither the config nor the class states one.
    fn starts(&self) -> Vec<Option<f64>> {
        let written = |places: &Vec<Place>| match places.first()? {
            Place::Class(path, sign) => self.class.number(path).map(|number| sign * number),
            Place::Measurement { part, name } => Some(self.measured(part, name)),
        };
        self.unknowns
            .iter()
            .zip(&self.places)
            .map(|(unknown, places)| unknown.start.or_else(|| written(places)))
            .collect()
    }

    /// Start value of each unknown; NaN where there is none.
    pub fn start(&self) -> Vec<f64> {
        self.starts().into_iter().map(|start| start.unwrap_or(f64::NAN)).collect()
    }

    /// The name of the class that is written.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Indices of the unknowns that are not among `held`.
    pub(super) fn free(&self, held: &[usize]) -> Vec<usize> {
        (0..self.unknowns.len()).filter(|k| !held.contains(k)).collect()
    }

    /// The class with these values of the unknowns.
    pub fn class(&self, values: &[f64]) -> Node {
        let mut class = self.class.clone();
        for (places, value) in self.places.iter().zip(values) {
            for place in places {
                if let Place::Class(path, sign) = place {
                    class.set(path, sign * value);
                }
            }
        }
        class
    }

    /// The measurement model with these values of the unknowns, and the numbers that differ in some recordings.
    pub fn measurement(&self, values: &[f64]) -> (Measurement, MeasurementIn) {
        let mut measurement = self.measurement.clone();
        for (places, value) in self.places.iter().zip(values) {
            for place in places {
                place.set_measurement(&mut measurement, *value);
            }
        }
        measurement
    }

    /// The measurement model of the recording at `path`, with these values of the unknowns.
    pub(crate) fn measurement_of(&self, values: &[f64], path: &Path) -> Measurement {
        let (mut measurement, exceptions) = self.measurement(values);
        let path = path.to_string_lossy();
        for (name, value) in
            exceptions.iter().filter(|(part, _)| path.contains(part.as_str())).flat_map(|(_, numbers)| numbers)
        {
            if let Ok(field) = Measurement::field(name) {
                *field(&mut measurement) = *value;
            }
        }
        measurement
    }

    /// A number of the measurement model, as the config states it for recordings whose path contains `part`.
    fn measured(&self, part: &str, name: &str) -> f64 {
        let (general, exceptions) = &self.measurement;
        let exception = exceptions.get(part).and_then(|numbers| numbers.get(name)).copied();
        let general = || Measurement::field(name).map_or(0.0, |field| *field(&mut general.clone()));
        exception.unwrap_or_else(general)
    }

    /// The car with the unknowns `held` fixed at their entries in `values`; the others remain, and start at theirs.
    pub fn holding(&self, held: &[usize], values: &[f64]) -> Car {
        let mut car = self.clone();
        for &k in held {
            for place in &self.places[k] {
                if let Place::Class(path, sign) = place {
                    car.class.set(path, sign * values[k]);
                }
                place.set_measurement(&mut car.measurement, values[k]);
            }
        }
        let free = self.free(held);
        car.unknowns = free.iter().map(|&k| Unknown { start: Some(values[k]), ..self.unknowns[k].clone() }).collect();
        car.places = free.iter().map(|&k| self.places[k].clone()).collect();
        car
    }

    /// The range of unknown `k`, and the step of finite differences by it: the share `part` of the range, but for a
    /// delay at least one step of the simulation.
    pub(super) fn difference(&self, k: usize, part: f64) -> ([f64; 2], f64) {
        let [low, high] = self.unknowns[k].range;
        let least = if self.unknowns[k].is_delay() { self.timestep } else { 0.0 };
        ([low, high], (part * (high - low)).max(least))
    }

    /// A world with nothing but this car, with these values of the unknowns.
    ///
    /// # Errors
    /// The generated class does not load.
    pub fn world(&self, values: &[f64]) -> Result<World, IdentifyError> {
        let class = self.class(values).to_text().map_err(Diagnostic::from)?;
        let text = format!(
            "<mvsim_world><simul_timestep>{}</simul_timestep>\n{class}\n<vehicle name=\"car\" class=\"{}\"><init_pose>0 0 0</init_pose></vehicle></mvsim_world>",
            self.timestep,
            escaped(&self.name)
        );
        let name = format!("class {}", self.name);
        let text = class_file::with_defaults(&text);
        let loaded = World::load_text(&name, &self.folder, &text, &LoadOptions::default());
        let (mut world, _) = loaded?;
        // Only the motion is predicted: no readings are wanted.
        world.want(&Wanted::default());
        Ok(world)
    }
}
