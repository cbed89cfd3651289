//! The features of `simulation_interfaces` that skidpad supports.

/// The numbers of the supported features.
pub(crate) const FEATURES: [u16; 31] = [
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
    10, // getting entity states
    11, // setting entity states
    12, // getting entity information
    13, // setting entity information
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

/// File formats that can be spawned, besides classes of the world.
pub(crate) const SPAWN_FORMATS: [&str; 1] = ["mvsim"];

/// Free text for the user: version and documentation.
pub(crate) fn custom_info() -> String {
    format!(
        "skidpad {}: vehicles and blocks in MVSim's XML, see docs/simulation_control.md\nworlds have no tags",
        env!("CARGO_PKG_VERSION")
    )
}
