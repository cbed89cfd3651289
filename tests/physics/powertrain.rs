//! Engine, gearbox and differentials in whole vehicles.
