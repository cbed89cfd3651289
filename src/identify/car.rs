//! The car with given values of its unknowns: a class for the simulator, and what lies between car and recording.

use std::path::{Path, PathBuf};

use super::IdentifyError;
use super::class_file::{self, Node, NumberPath};
use super::config::{Field, IdentifyConfig, MEASUREMENT, MEASUREMENTS, Measurement, Unknown};
use crate::world::{LoadOptions, World};

/// Where an unknown is written.
#[derive(Clone, Debug)]
enum Place {
    Class(NumberPath),
    Measurement(Field),
}

/// A class with unknowns.
#[derive(Clone, Debug)]
pub struct Car {
    class: Node,
    name: String,
    /// Folder of the class file, for what it includes.
    folder: PathBuf,
    timestep: f64,
    measurement: Measurement,
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
            let measurement = path.strip_prefix(MEASUREMENT);
            let known = measurement.and_then(|name| MEASUREMENTS.iter().find(|(known, _)| *known == name));
            match known {
                Some((_, field)) => Ok(Place::Measurement(*field)),
                None => NumberPath::parse(path).map(Place::Class).map_err(IdentifyError::Config),
            }
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
            measurement: config.measurement,
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
            Place::Measurement(field) => Some(*field(&mut self.measurement.clone())),
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

    /// What lies between car and recording, with these values.
    pub fn measurement(&self, values: &[f64]) -> Measurement {
        let mut measurement = self.measurement;
        for (places, value) in self.places.iter().zip(values) {
            for place in places {
                if let Place::Measurement(field) = place {
                    *field(&mut measurement) = *value;
                }
            }
        }
        measurement
    }

    /// The car with some unknowns held at their place in `values`, without them; the others start there.
    pub fn holding(&self, held: &[usize], values: &[f64]) -> Car {
        let mut car = self.clone();
        for &k in held {
            for place in &self.places[k] {
                match place {
                    Place::Class(path) => car.class.set(path, values[k]),
                    Place::Measurement(field) => *field(&mut car.measurement) = values[k],
                }
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
            self.timestep, self.name
        );
        let name = format!("class {}", self.name);
        let text = class_file::with_defaults(&text);
        let loaded = World::load_text(&name, &self.folder, &text, &LoadOptions::default());
        loaded.map(|(world, _)| world).map_err(|problems| IdentifyError::Vehicle(problems.to_string()))
    }
}
