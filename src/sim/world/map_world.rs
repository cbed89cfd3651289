//! A map file in place of a world file: it stands for the world [`WORLD`], in which a robot is put within its walls.

use std::path::{Path, PathBuf};

use skidpad_math::Vec2;

use super::map_file::{self, ImageOptions};
use crate::raycast::OccupancyGrid;

/// The world of a map, seen from a folder of worlds. Its variable `map` is the file; `x`, `y` [m] and `yaw` [rad] are where the robot starts.
pub const WORLD: &str = "rooms/map.xml";

/// How far [m] everything but free cells should be from where the robot starts; less if no place has that much.
const CLEARANCES: [f64; 4] = [1.0, 0.5, 0.25, 0.0];

/// A map_server's map says what an image does not.
const NO_IMAGE: ImageOptions = ImageOptions { resolution: 0.1, center_pixel: [-1.0; 2] };

/// Whether a path that is given as a world names a map of ROS's map_server.
pub fn is_map(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    matches!(ending.as_deref(), Some("yaml" | "yml"))
}

/// Variables with which [`WORLD`] is that of this map, besides those that are `given`: the map, and, unless the user says where the robot
/// starts, the free place nearest to the origin of the map's frame. A map that cannot be read is reported by the load of the world.
pub fn variables(map: &Path, given: &[(String, String)]) -> Vec<(String, String)> {
    let is_given = |name: &str| given.iter().any(|(other, _)| other == name);
    let file = std::path::absolute(map).unwrap_or_else(|_| PathBuf::from(map));
    let mut variables = vec![("map".to_owned(), file.to_string_lossy().into_owned())];
    if !is_given("x") && !is_given("y") {
        let grid = map_file::load(map, &NO_IMAGE).ok();
        let place = grid.and_then(|grid| start(&grid)).unwrap_or_default();
        variables.extend([("x", place.x), ("y", place.y)].map(|(name, value)| (name.to_owned(), value.to_string())));
    }
    variables.retain(|(name, _)| !is_given(name));
    variables
}

/// The middle [m] of the free cell nearest to the world's origin, by rings of cells, that has the most of the [`CLEARANCES`] that any has;
/// in whole millimetres. None: no cell is known to be free.
fn start(grid: &OccupancyGrid) -> Option<Vec2> {
    let origin = grid.world_from_grid.inverse().transform_point(Vec2::default());
    // A map has at most 1e6 cells a side.
    let cell = |at: f64, count: usize| ((at / grid.resolution).floor() as i64).clamp(0, count as i64 - 1);
    let middle = [cell(origin.x, grid.width), cell(origin.y, grid.height)];
    let [x, y] = CLEARANCES.iter().find_map(|clearance| {
        let disc = Disc::new(clearance / grid.resolution);
        rings(middle, [grid.width as i64, grid.height as i64]).find(|&cell| disc.is_free(grid, cell))
    })?;
    let place = Vec2::new((x as f64 + 0.5) * grid.resolution, (y as f64 + 0.5) * grid.resolution);
    let place = grid.world_from_grid.transform_point(place);
    let rounded = |length: f64| libm::round(1e3 * length) / 1e3;
    Some(Vec2::new(rounded(place.x), rounded(place.y)))
}

/// The cells of a map of this size by their distance from `middle` along either axis, from below, and from the left within a row.
fn rings(middle: [i64; 2], size: [i64; 2]) -> impl Iterator<Item = [i64; 2]> {
    (0..size[0].max(size[1])).flat_map(move |ring| {
        let rows = (middle[1] - ring).max(0)..=(middle[1] + ring).min(size[1] - 1);
        rows.flat_map(move |y| {
            let is_whole = (y - middle[1]).abs() == ring;
            let [left, right] = [middle[0] - ring, middle[0] + ring];
            let step = if is_whole || ring == 0 { 1 } else { 2 * ring as usize };
            (left..=right).step_by(step).filter(move |x| (0..size[0]).contains(x)).map(move |x| [x, y])
        })
    })
}

/// A disc of cells.
struct Disc {
    /// Half of the cells of each row beside the middle one, from the middle row outwards.
    halves: Vec<i64>,
}

impl Disc {
    /// The disc with this radius [cells].
    fn new(radius: f64) -> Disc {
        let half = |row: i64| (radius * radius - (row * row) as f64).max(0.0).sqrt() as i64;
        Disc { halves: (0..=radius as i64).map(half).collect() }
    }

    /// Whether all of its cells around this one are on the map, known and free.
    fn is_free(&self, grid: &OccupancyGrid, [x, y]: [i64; 2]) -> bool {
        let is_free = |x: i64, y: i64| {
            let (Ok(ix), Ok(iy)) = (usize::try_from(x), usize::try_from(y)) else { return false };
            ix < grid.width && iy < grid.height && grid.cells[iy * grid.width + ix] >= 0 && !grid.is_occupied(ix, iy)
        };
        is_free(x, y)
            && (0..).zip(&self.halves).all(|(row, half)| {
                (x - half..=x + half).all(|column| is_free(column, y + row) && is_free(column, y - row))
            })
    }
}

#[cfg(test)]
mod tests {
    use skidpad_math::Pose2;

    use super::*;

    /// A map of these rows, from above: `.` free, `#` occupied, `?` unknown; the corner at (x, y).
    fn map(rows: &[&str], resolution: f64, corner: [f64; 2]) -> OccupancyGrid {
        let value = |cell: u8| match cell {
            b'.' => 0,
            b'#' => 100,
            _ => -1,
        };
        let cells = rows.iter().rev().flat_map(|row| row.bytes().map(value)).collect();
        let corner = Pose2 { x: corner[0], y: corner[1], yaw: 0.0 };
        OccupancyGrid::new(rows[0].len(), rows.len(), resolution, corner, cells, 65).unwrap()
    }

    #[test]
    fn a_robot_starts_at_the_free_place_nearest_to_the_origin() {
        // 0.25 m around the middle of a cell of 0.25 m are the four cells beside it.
        let rows = ["#########", "#.......#", "#..###..#", "#..#?#..#", "#..###..#", "#.......#", "#########"];
        let actual = start(&map(&rows, 0.25, [0.0, 0.0])).unwrap();
        assert_eq!(actual, Vec2::new(0.375, 0.375), "a free cell next to walls where no place has room");
        let rows = ["##########", "#...?....#", "#...#....#", "#...#....#", "##########"];
        let actual = start(&map(&rows, 0.25, [-1.0, -0.5])).unwrap();
        assert_eq!(actual, Vec2::new(-0.375, 0.125), "the middle of a room, and not a cell beside the wall");
        assert_eq!(start(&map(&["?#", "#?"], 0.1, [0.0, 0.0])), None);
    }

    #[test]
    fn rings_go_through_each_cell_once() {
        for middle in [[0, 0], [2, 1], [6, 3]] {
            let mut actual: Vec<[i64; 2]> = rings(middle, [7, 4]).collect();
            let distances: Vec<i64> =
                actual.iter().map(|cell| (cell[0] - middle[0]).abs().max((cell[1] - middle[1]).abs())).collect();
            assert!(distances.is_sorted(), "{distances:?}");
            actual.sort_unstable();
            let all: Vec<[i64; 2]> = (0..7).flat_map(|x| (0..4).map(move |y| [x, y])).collect();
            assert_eq!(actual, all);
        }
    }

    #[test]
    fn what_the_user_sets_of_the_world_of_a_map_stays() {
        let given = [("x".to_owned(), "2".to_owned())];
        let actual = variables(Path::new("/maps/none.yaml"), &given);
        assert_eq!(actual, [("map".to_owned(), "/maps/none.yaml".to_owned())]);
        assert!(is_map(Path::new("a/b.YAML")) && is_map(Path::new("b.yml")) && !is_map(Path::new("b.world.xml")));
    }
}
