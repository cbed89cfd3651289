//! The numbers of a run that robotics reports: success, ways, clearance, collisions, smoothness, and distance to people.
//!
//! An [`Observer`] looks at the frames of a world beside it. Clearance is the distance between the shapes that collide, as the physics
//! has them: hulls of chassis, wheels and blocks, walls, occupied cells of maps; and of people the cylinders that stand for them.

mod bodies;
mod convex;
mod legs;
mod lines;
mod motion;
mod nearby_object;
mod observer;
mod scenery;
mod table;
#[cfg(test)]
mod tests;
mod totals;
mod trace;

pub use lines::Line;
pub use motion::WINDOW;
pub use nearby_object::{NearbyObject, Nearest};
pub use observer::{MAX_WATCHED, Now, Observer};
pub use table::{METRICS, Metric, metric_of};
pub use totals::{SPACES, Totals};
pub use trace::{DrivenPath, Moment, Sample, Trace};
