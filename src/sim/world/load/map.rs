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
//!   <label>wall</label>                   class in labels of the occupied cells; the floor is ground
//! </element>
//! ```

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_xml::{Accept, Place, Reader};

use super::Builder;
use super::label::read_label;
use crate::raycast::{GridCaster, GridError, OccupancyGrid};
use crate::world::World;
use crate::world::label::{self, Label, LabelledPart};
use crate::world::map_file::{self, ImageOptions};
use crate::world::physics::MapShape;

/// A map that has been read and prepared. Other worlds can use it, too: see [`LoadOptions::maps`](super::LoadOptions).
pub struct PreparedMap {
    file: PathBuf,
    image: ImageOptions,
    pub(super) caster: Arc<GridCaster>,
    shape: Option<MapShape>,
}

impl PreparedMap {
    fn new(file: &Path, image: ImageOptions, grid: OccupancyGrid) -> Result<PreparedMap, GridError> {
        let grid = Arc::new(grid);
        let shape = MapShape::new(&grid);
        let caster = Arc::new(GridCaster::new(grid)?);
        Ok(PreparedMap { file: file.to_owned(), image, caster, shape })
    }
}

impl fmt::Debug for PreparedMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PreparedMap({})", self.file.display())
    }
}

impl World {
    /// The maps of the world file, for other loads: see [`LoadOptions::maps`](super::LoadOptions).
    pub fn prepared_maps(&self) -> &[Arc<PreparedMap>] {
        &self.maps
    }

    /// Adds a map to the scene, the physics and what lidars see.
    pub(super) fn add_map(&mut self, map: &Arc<PreparedMap>, surface: &Surface) {
        let grid = map.caster.grid();
        let count = self.scene.maps.len();
        let name = if count == 0 { "map".to_owned() } else { format!("map_{}", count + 1) };
        if let Some(shape) = &map.shape {
            let place = self.physics.add_map(shape, grid.world_from_grid, surface.friction, surface.restitution);
            self.fixed_scenery.push((place, name.clone()));
        }
        self.grids.push(Arc::clone(&map.caster));
        self.maps.push(Arc::clone(map));
        let floor = LabelledPart { name: format!("{name}_floor"), label: Label::of_class(label::GROUND) };
        let scene = Arc::make_mut(&mut self.scene);
        scene.maps.push(Arc::clone(grid));
        scene.map_labels.push([floor, LabelledPart { name, label: surface.label.clone() }]);
    }
}

/// Contact parameters of the walls of a map, and its position in the file.
pub(super) struct Surface {
    /// Coulomb friction against bodies [-].
    pub friction: f64,
    /// Restitution [-].
    pub restitution: f64,
    /// Label of the walls.
    pub label: Label,
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
            label: read_label(reader, label::WALL),
            place: reader.place().clone(),
        };
        if !reader.has("file") {
            reader.missing("<file>");
        } else if let Some(path) = reader.path("file") {
            let known = self.options.maps.iter().find(|map| map.file == path && map.image == image);
            if let Some(map) = known {
                self.maps.push((Arc::clone(map), surface));
                return;
            }
            self.context.progress().tell(&format!("reading map {}", path.display()));
            match map_file::load(&path, &image) {
                Ok(grid) => match PreparedMap::new(&path, image, grid) {
                    Ok(map) => self.maps.push((Arc::new(map), surface)),
                    Err(error) => {
                        let problem = Diagnostic::from(error);
                        self.context.error(&surface.place, problem.first_line()).parts_of(problem);
                    }
                },
                Err(error) => {
                    let file = reader.child("file");
                    let place = file.as_ref().map_or(reader.place(), Reader::place);
                    let problem = self.context.file_problem(&error);
                    self.context.error(place, problem.first_line()).parts_of(problem);
                }
            }
        }
    }
}
