//! Kinematic and single-track models as vehicles of a world.
