//! The car with given values of its unknowns: a class for the simulator, and what lies between car and recording.

use std::path::{Path, PathBuf};

use super::IdentifyError;
use super::class_file::{self, Node, NumberPath};
use super::config::{IdentifyConfig, Measurement, MeasurementIn, Unknown, measurement_path};
use crate::world::{LoadOptions, Wanted, World};
use crate::xml::edit::escaped;

/// Where an unknown is written.
#[derive(Clone, Debug)]
enum Place {
    Class(NumberPath),
    /// Of recordings whose path has `part` in it; empty: of all.
    Measurement {
        part: String,
        name: String,
    },
}

impl Place {
    /// Writes a number of the measurement, if this is the place of one.
    fn set_measurement(&self, (general, special): &mut (Measurement, MeasurementIn), value: f64) {
        let Place::Measurement { part, name } = self else { return };
        if !part.is_empty() {
            special.entry(part.clone()).or_default().insert(name.clone(), value);
        } else if let Ok(field) = Measurement::field(name) {
            *field(general) = value;
        }
    }
}

/// A class with unknowns.
#[derive(Clone, Debug)]
pub struct Car {
    class: Node,
    name: String,
    /// Folder of the class file, for what it includes.
    folder: PathBuf,
    timestep: f64,
    /// What lies between the car and any recording, and what differs in some.
    around: (Measurement, MeasurementIn),
    places: Vec<Vec<Place>>,
    /// The unknowns.
    pub unknowns: Vec<Unknown>,
}

impl Car {
    /// Reads the class of a config, whose file is in one of `folders`.
    ///
    /// # Errors
    /// It cannot be found or read, or cannot be loaded.
    pub fn new(config: &IdentifyConfig, folders: &[PathBuf]) -> Result<Car, IdentifyError> {
        let file = &config.vehicle.find(folders)?;
        let mut class = class_file::read(file, &config.vehicle.class)?;
        class.rename(&config.name);
        let place = |path: &String| {
            let class = || NumberPath::parse(path).map(Place::Class).map_err(IdentifyError::Config);
            measurement_path(path).map_or_else(class, |(part, name)| {
                Ok(Place::Measurement { part: part.to_owned(), name: name.to_owned() })
            })
        };
        let places = config
            .unknowns
            .iter()
            .map(|unknown| unknown.paths().iter().map(place).collect())
            .collect::<Result<_, _>>()?;
        let folder = file.parent().unwrap_or(Path::new(".")).to_path_buf();
        let car = Car {
            class,
            name: config.name.clone(),
            folder,
            timestep: config.timestep,
            around: (config.measurement, config.measurement_in.clone()),
            places,
            unknowns: config.unknowns.clone(),
        };
        for (unknown, start) in car.unknowns.iter().zip(car.starts()) {
            let [low, high] = unknown.range;
            let Some(start) = start else {
                return Err(IdentifyError::Config(format!(
                    "unknowns: {}: no start\n  accepted: start: NUMBER, or a number at that path of the class",
                    unknown.name()
                )));
            };
            if !(low..=high).contains(&start) {
                return Err(IdentifyError::Config(format!(
                    "unknowns: {}: it starts at {start}\n  accepted: from {low} to {high}, its range",
                    unknown.name()
                )));
            }
        }
        let starts: Vec<f64> = car.starts().into_iter().flatten().collect();
        car.world(&starts)?;
        Ok(car)
    }

    /// Where the search starts, for each unknown; none: the class has no such number.
    fn starts(&self) -> Vec<Option<f64>> {
        let written = |places: &Vec<Place>| match places.first()? {
            Place::Class(path) => self.class.number(path),
            Place::Measurement { part, name } => Some(self.measured(part, name)),
        };
        self.unknowns
            .iter()
            .zip(&self.places)
            .map(|(unknown, places)| unknown.start.or_else(|| written(places)))
            .collect()
    }

    /// Where the search starts.
    pub fn start(&self) -> Vec<f64> {
        self.starts().into_iter().map(|start| start.unwrap_or(f64::NAN)).collect()
    }

    /// The name of the class.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Indices of the unknowns that are not among `held`.
    pub(super) fn free(&self, held: &[usize]) -> Vec<usize> {
        (0..self.unknowns.len()).filter(|k| !held.contains(k)).collect()
    }

    /// The class with these values.
    pub fn class(&self, values: &[f64]) -> Node {
        let mut class = self.class.clone();
        for (places, value) in self.places.iter().zip(values) {
            for place in places {
                if let Place::Class(path) = place {
                    class.set(path, *value);
                }
            }
        }
        class
    }

    /// What lies between the car and any recording, and what differs in some, with these values.
    pub fn measurement(&self, values: &[f64]) -> (Measurement, MeasurementIn) {
        let mut around = self.around.clone();
        for (places, value) in self.places.iter().zip(values) {
            for place in places {
                place.set_measurement(&mut around, *value);
            }
        }
        around
    }

    /// What lies between the car and the recording at `path`, with these values.
    pub fn measurement_of(&self, values: &[f64], path: &Path) -> Measurement {
        let (mut measurement, special) = self.measurement(values);
        let path = path.to_string_lossy();
        for (name, value) in
            special.iter().filter(|(part, _)| path.contains(part.as_str())).flat_map(|(_, found)| found)
        {
            if let Ok(field) = Measurement::field(name) {
                *field(&mut measurement) = *value;
            }
        }
        measurement
    }

    /// A number of `measurement`, in recordings whose path has `part` in it.
    fn measured(&self, part: &str, name: &str) -> f64 {
        let (general, special) = &self.around;
        let special = special.get(part).and_then(|found| found.get(name)).copied();
        let general = || Measurement::field(name).map_or(0.0, |field| *field(&mut general.clone()));
        special.unwrap_or_else(general)
    }

    /// The car with some unknowns held at their place in `values`, without them; the others start there.
    pub fn holding(&self, held: &[usize], values: &[f64]) -> Car {
        let mut car = self.clone();
        for &k in held {
            for place in &self.places[k] {
                if let Place::Class(path) = place {
                    car.class.set(path, values[k]);
                }
                place.set_measurement(&mut car.around, values[k]);
            }
        }
        let free = self.free(held);
        car.unknowns = free.iter().map(|&k| Unknown { start: Some(values[k]), ..self.unknowns[k].clone() }).collect();
        car.places = free.iter().map(|&k| self.places[k].clone()).collect();
        car
    }

    /// The range of an unknown, and the step to take differences over: this part of the range, or a step of the simulation if that is more and it is a delay.
    pub(super) fn difference(&self, k: usize, part: f64) -> ([f64; 2], f64) {
        let [low, high] = self.unknowns[k].range;
        let least = if self.unknowns[k].is_delay() { self.timestep } else { 0.0 };
        ([low, high], (part * (high - low)).max(least))
    }

    /// A world with the car of these values alone.
    ///
    /// # Errors
    /// The class is not one.
    pub fn world(&self, values: &[f64]) -> Result<World, IdentifyError> {
        let class = self.class(values).to_text().map_err(|error| IdentifyError::Vehicle(error.to_string()))?;
        let text = format!(
            "<mvsim_world><simul_timestep>{}</simul_timestep>\n{class}\n<vehicle name=\"car\" class=\"{}\"><init_pose>0 0 0</init_pose></vehicle></mvsim_world>",
            self.timestep,
            escaped(&self.name)
        );
        let name = format!("class {}", self.name);
        let text = class_file::with_defaults(&text);
        let loaded = World::load_text(&name, &self.folder, &text, &LoadOptions::default());
        let (mut world, _) = loaded.map_err(|problems| IdentifyError::Vehicle(problems.to_string()))?;
        // Predictions are of the motion alone.
        world.want(&Wanted::default());
        Ok(world)
    }
}
