//! What of `simulation_interfaces` is here.

/// The numbers of the features.
pub const FEATURES: [u16; 31] = [
    0,  // spawning
    1,  // deleting
    2,  // named poses
    3,  // bounds of poses
    4,  // tags of entities
    5,  // bounds of entities
    6,  // filters by boxes
    7,  // filters by convex hulls
    8,  // categories of entities
    9,  // spawning from text
    10, // getting states of entities
    11, // setting them
    12, // getting what is said of entities
    13, // setting it
    14, // spawnables
    20, // reset
    21, // of time
    22, // of state
    23, // of what was spawned
    24, // getting the state of the simulation
    25, // setting it
    26, // pause
    31, // single steps
    32, // several steps
    33, // steps as an action
    40, // loading of worlds
    41, // from text
    43, // unloading
    44, // the current world
    45, // the available worlds
    50, // spawning several at once
];

/// What can be spawned besides classes of the world.
pub const SPAWN_FORMATS: [&str; 1] = ["mvsim"];

/// For those who want to know more.
pub fn custom_info() -> String {
    format!(
        "skidpad {}: vehicles and blocks in MVSim's XML, see docs/simulation_control.md\nworlds have no tags",
        env!("CARGO_PKG_VERSION")
    )
}
