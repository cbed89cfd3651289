//! Experiments: a plant, a trajectory, a tracker and a linearizer become runs, metrics and files, as fast as the processor allows.
