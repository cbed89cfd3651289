//! World scalars: single numbers and words directly under `<mvsim_world>`. Their position in the file does not matter.
//!
//! ```xml
//! <simul_timestep>0</simul_timestep>          physics step [s], 0 to 0.1; 0: the shortest sensor period, at most 5 ms
//! <gravity>9.81</gravity>                     [m/s²], ≥ 0
//! <collision_threshold>0.03</collision_threshold>  bodies nearer than this [m] collide, 0 to 1
//! <random_seed>0</random_seed>                seed of all noise, ≥ 0; `--seed` overrides it
//! <physics>skidpad</physics>                  skidpad or mvsim, see [`PhysicsRules`]; `--physics` overrides it
//! ```

use skidpad_xml::{Accept, Reader};

use super::{LoadOptions, PhysicsRules};

/// Tags that this file reads.
pub(super) const TAGS: &[&str] = &["simul_timestep", "gravity", "collision_threshold", "random_seed", "physics"];

/// The scalars of a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::world) struct Scalars {
    /// Physics step [s]; 0: automatic.
    pub step: f64,
    /// Acceleration of gravity [m/s²].
    pub gravity: f64,
    /// Bodies nearer than this [m] count as colliding.
    pub collision_threshold: f64,
    /// Seed of all noise.
    pub seed: u64,
    /// Physics rules.
    pub rules: PhysicsRules,
}

impl Default for Scalars {
    fn default() -> Scalars {
        Scalars::new(&LoadOptions::default())
    }
}

impl Scalars {
    /// The defaults, with the values that the options set.
    pub(super) fn new(options: &LoadOptions) -> Scalars {
        Scalars {
            step: options.step.unwrap_or(0.0),
            gravity: crate::vehicle::STANDARD_GRAVITY,
            collision_threshold: 0.03,
            seed: options.seed.unwrap_or(0),
            rules: options.physics.unwrap_or_default(),
        }
    }

    /// Reads one of [`TAGS`]; if a tag is repeated, the last one counts.
    pub(super) fn read(&mut self, reader: &Reader<'_>, options: &LoadOptions) {
        let number = |default, accept| reader.own_f64(accept).unwrap_or(default);
        match reader.tag() {
            "simul_timestep" => {
                let step = number(self.step, Accept::range(0.0, 0.1));
                self.step = options.step.unwrap_or(step);
            }
            "gravity" => self.gravity = number(self.gravity, Accept::non_negative()),
            "collision_threshold" => {
                self.collision_threshold = number(self.collision_threshold, Accept::range(0.0, 1.0));
            }
            "random_seed" => {
                // Whole numbers up to 2⁵³ are exact as f64.
                let seed = number(0.0, Accept::range(0.0, 9_007_199_254_740_992.0)) as u64;
                self.seed = options.seed.unwrap_or(seed);
            }
            "physics" => self.read_rules(reader, options),
            _ => {}
        }
    }

    fn read_rules(&mut self, reader: &Reader<'_>, options: &LoadOptions) {
        let Some(text) = reader.own_text() else { return };
        match PhysicsRules::NAMES.iter().find(|(name, _)| *name == text) {
            Some((_, rules)) => self.rules = options.physics.unwrap_or(*rules),
            None => {
                let names = PhysicsRules::NAMES.iter().map(|(name, _)| *name);
                reader.error(format!("unknown rules \"{text}\" in <physics>")).one_of(&text, names);
            }
        }
    }
}
