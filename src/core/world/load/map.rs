//! `<element class="occupancy_grid">`: a map as an obstacle for bodies and lidars.
//!
//! ```xml
//! <element class="occupancy_grid">
//!   <file>map.yaml</file>                 ROS map_server file (.yaml), MRPT map (.gridmap, .gridmap.gz), or an image
//!   <resolution>0.10</resolution>         images only: side of a cell [m], > 0
//!   <centerpixel_x>-1</centerpixel_x>     images only: pixel, from the left, at the world's origin
//!   <centerpixel_y>-1</centerpixel_y>     the same from the bottom
//!   <restitution>0.01</restitution>       [-], 0 to 1
//!   <lateral_friction>0.5</lateral_friction>   against bodies [-], ≥ 0
//! </element>
//! ```

use super::Builder;
use crate::world::map_file;
use crate::xml::{Accept, Place, Reader};

/// Contact parameters of the walls of a map, and its position in the file.
pub(super) struct Surface {
    /// Coulomb friction against bodies [-].
    pub friction: f64,
    /// Restitution [-].
    pub restitution: f64,
    pub place: Place,
}

impl Builder<'_> {
    pub(super) fn occupancy_grid(&mut self, reader: &Reader<'_>) {
        let image = map_file::ImageOptions {
            resolution: reader.f64("resolution", 0.1, Accept::positive()),
            center_pixel: [
                reader.f64("centerpixel_x", -1.0, Accept::any()),
                reader.f64("centerpixel_y", -1.0, Accept::any()),
            ],
        };
        let surface = Surface {
            friction: reader.f64("lateral_friction", 0.5, Accept::non_negative()),
            restitution: reader.f64("restitution", 0.01, Accept::range(0.0, 1.0)),
            place: reader.place().clone(),
        };
        if !reader.has("file") {
            reader.missing("<file>");
        } else if let Some(path) = reader.path("file") {
            self.context.progress().tell(&format!("reading map {}", path.display()));
            match map_file::load(&path, &image) {
                Ok(map) => self.maps.push((map, surface)),
                Err(error) => {
                    let file = reader.child("file");
                    let place = file.as_ref().map_or(reader.place(), Reader::place);
                    self.context.error(place, self.context.file_problem(&error));
                }
            }
        }
    }
}
