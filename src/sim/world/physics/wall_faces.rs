//! The faces of the occupied cells of a map, where bodies touch them. Neighbouring cells share one face as long as it is straight, so
//! that a wall along an axis has no seams.
//!
//! Faces lie on the lines between rows and between columns. Those of one line are sorted, so that the face at a place is found by
//! halving; the memory is eight bytes for each face.

use crate::raycast::OccupancyGrid;

/// The axis along which a face lies; it looks along the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Along {
    X,
    Y,
}

/// A straight piece of the boundary of the occupied cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Face {
    /// Its line: the number of rows or columns before it.
    pub(super) line: u32,
    /// The cells along it, from the first to the one behind the last.
    pub(super) from: u32,
    pub(super) to: u32,
    /// Whether the free side is that of the greater coordinate.
    pub(super) looks_up: bool,
    /// Whether a wall rises from its first and its last end; there the line goes on inside of the wall.
    pub(super) is_inner: [bool; 2],
}

const SIDE_BITS: u32 = 21;
const SIDE_MASK: u64 = (1 << SIDE_BITS) - 1;

impl Face {
    fn pack(self) -> u64 {
        let flags = [self.looks_up, self.is_inner[0], self.is_inner[1]];
        let flags = flags.iter().fold(0, |sum, &flag| 2 * sum + u64::from(flag));
        u64::from(self.from) | u64::from(self.to) << SIDE_BITS | flags << (2 * SIDE_BITS)
    }

    fn unpack(line: u32, packed: u64) -> Face {
        let flag = |place: u32| packed >> (2 * SIDE_BITS + place) & 1 == 1;
        Face {
            line,
            from: (packed & SIDE_MASK) as u32,
            to: (packed >> SIDE_BITS & SIDE_MASK) as u32,
            looks_up: flag(2),
            is_inner: [flag(1), flag(0)],
        }
    }

    /// Whether it passes cell `cell` of its line, or ends at a wall there.
    fn reaches(&self, cell: u32) -> bool {
        let [low, high] = self.is_inner.map(u32::from);
        cell + low >= self.from && cell < self.to + high
    }
}

/// The faces that lie along one axis, line by line.
#[derive(Clone, Debug, Default)]
struct Lines {
    /// By line, the number of faces before its first; one more at the end.
    first: Vec<u32>,
    packed: Vec<u64>,
}

impl Lines {
    fn on(&self, line: u32) -> std::ops::Range<usize> {
        let first = |line: u32| self.first.get(line as usize).map_or(self.packed.len(), |&first| first as usize);
        first(line)..first(line.saturating_add(1))
    }
}

/// All faces of a map. Faces are numbered from 0 along each axis.
#[derive(Clone, Debug, Default)]
pub(super) struct WallFaces {
    along_x: Lines,
    along_y: Lines,
}

impl WallFaces {
    pub(super) fn new(grid: &OccupancyGrid) -> WallFaces {
        let mut counts = [vec![0_u32; grid.height + 2], vec![0_u32; grid.width + 2]];
        each_face(grid, |along, face| counts[along as usize][face.line as usize + 1] += 1);
        for first in &mut counts {
            let mut sum = 0;
            for count in first {
                sum += *count;
                *count = sum;
            }
        }
        let [along_x, along_y] = counts;
        let mut places = [along_x.clone(), along_y.clone()];
        let empty = |first: &Vec<u32>| vec![0_u64; first.last().map_or(0, |&count| count as usize)];
        let mut packed = [empty(&along_x), empty(&along_y)];
        each_face(grid, |along, face| {
            let place = &mut places[along as usize][face.line as usize];
            packed[along as usize][*place as usize] = face.pack();
            *place += 1;
        });
        let [packed_x, packed_y] = packed;
        WallFaces {
            along_x: Lines { first: along_x, packed: packed_x },
            along_y: Lines { first: along_y, packed: packed_y },
        }
    }

    fn lines(&self, along: Along) -> &Lines {
        match along {
            Along::X => &self.along_x,
            Along::Y => &self.along_y,
        }
    }

    /// The faces that lie on `line`.
    #[cfg(test)]
    fn faces_on(&self, along: Along, line: u32) -> Vec<Face> {
        let lines = self.lines(along);
        lines.packed[lines.on(line)].iter().map(|&packed| Face::unpack(line, packed)).collect()
    }

    /// The face on `line` that passes cell `cell` or ends at a wall there, with its number.
    pub(super) fn at(&self, along: Along, line: u32, cell: u32) -> Option<(u32, Face)> {
        let lines = self.lines(along);
        let range = lines.on(line);
        let start = range.start;
        let packed = &lines.packed[range];
        let next = packed.partition_point(|&packed| (packed & SIDE_MASK) as u32 <= cell);
        let face_at = |place: usize| {
            let face = Face::unpack(line, *packed.get(place)?);
            face.reaches(cell).then_some(((start + place) as u32, face))
        };
        next.checked_sub(1).and_then(face_at).or_else(|| face_at(next))
    }

    /// Visits the faces on `line` that pass any of the cells from `cells[0]` to `cells[1]`, with their numbers.
    pub(super) fn each_on(&self, along: Along, line: u32, cells: [u32; 2], mut visit: impl FnMut(u32, Face)) {
        let lines = self.lines(along);
        let range = lines.on(line);
        let start = range.start;
        let packed = &lines.packed[range];
        let next = packed.partition_point(|&packed| (packed >> SIDE_BITS & SIDE_MASK) as u32 <= cells[0]);
        for (place, &packed) in packed.iter().enumerate().skip(next) {
            let face = Face::unpack(line, packed);
            if face.from > cells[1] {
                break;
            }
            visit((start + place) as u32, face);
        }
    }
}

/// A face that may go on in the next cell: which way it looks, where it began, and whether that end is inner.
type Open = Option<(bool, u32, bool)>;

/// The face between two neighbours, of which `before` has the smaller coordinate: whether it looks up; none between equals.
fn between(before: bool, after: bool) -> Option<bool> {
    (before != after).then_some(before)
}

/// Takes the next pair of cells along a line, at `cell`; hands out the face that ends there. `was` is the pair before it.
fn go_on(open: &mut Open, line: u32, cell: u32, was: [bool; 2], pair: [bool; 2]) -> Option<Face> {
    let kind = between(pair[0], pair[1]);
    if open.map(|(looks_up, ..)| looks_up) == kind {
        return None;
    }
    let ended = open.map(|(looks_up, from, starts_inner)| Face {
        line,
        from,
        to: cell,
        looks_up,
        is_inner: [starts_inner, pair == [true, true]],
    });
    *open = kind.map(|looks_up| (looks_up, cell, was == [true, true]));
    ended
}

/// Visits all faces of a map, those of each line in their order.
fn each_face(grid: &OccupancyGrid, mut visit: impl FnMut(Along, Face)) {
    let (width, height) = (grid.width, grid.height);
    // Each row with a free cell at both ends.
    let mut below = vec![false; width + 2];
    let mut row = vec![false; width + 2];
    let mut open_y: Vec<Open> = vec![None; width + 1];
    let mut below_is_free = true;
    for y in 0..=height {
        let is_free = y == height || !grid.has_obstacle_in_row(y);
        row.fill(false);
        if !is_free {
            (0..width).for_each(|x| row[x + 1] = grid.is_occupied(x, y));
        }
        if !(is_free && below_is_free) {
            let mut open: Open = None;
            for x in 0..=width {
                let pair = [below[x + 1], row[x + 1]];
                let was = [below[x], row[x]];
                if let Some(face) = go_on(&mut open, y as u32, x as u32, was, pair) {
                    visit(Along::X, face);
                }
            }
            for x in 0..=width {
                let pair = [row[x], row[x + 1]];
                let was = [below[x], below[x + 1]];
                if let Some(face) = go_on(&mut open_y[x], x as u32, y as u32, was, pair) {
                    visit(Along::Y, face);
                }
            }
        }
        std::mem::swap(&mut below, &mut row);
        below_is_free = is_free;
    }
}

#[cfg(test)]
mod tests {
    use skidpad_math::Pose2;

    use super::*;

    /// A map drawn with '#' for occupied cells, its top row first.
    fn faces(rows: &[&str]) -> WallFaces {
        let cells = rows.iter().rev().flat_map(|row| row.bytes().map(|cell| if cell == b'#' { 100 } else { 0 }));
        let grid = OccupancyGrid::new(rows[0].len(), rows.len(), 0.1, Pose2::IDENTITY, cells.collect(), 50).unwrap();
        WallFaces::new(&grid)
    }

    #[test]
    fn a_straight_wall_has_one_face_on_each_side() {
        let faces = faces(&["......", ".####.", "......"]);
        let face = |line, looks_up| Face { line, from: 1, to: 5, looks_up, is_inner: [false; 2] };
        assert_eq!(faces.faces_on(Along::X, 1), [face(1, false)]);
        assert_eq!(faces.faces_on(Along::X, 2), [face(2, true)]);
        let end = |line, looks_up| Face { line, from: 1, to: 2, looks_up, is_inner: [false; 2] };
        assert_eq!(faces.faces_on(Along::Y, 1), [end(1, false)]);
        assert_eq!(faces.faces_on(Along::Y, 5), [end(5, true)]);
        assert_eq!([0, 3].map(|line| faces.faces_on(Along::X, line).len()), [0, 0]);
    }

    #[test]
    fn a_face_reaches_into_the_wall_that_rises_from_its_end() {
        let faces = faces(&["..#", "..#", "###"]);
        let floor = Face { line: 1, from: 0, to: 2, looks_up: true, is_inner: [false, true] };
        assert_eq!(faces.at(Along::X, 1, 1), Some((1, floor)));
        assert_eq!(faces.at(Along::X, 1, 2), Some((1, floor)), "inside of the wall");
        assert_eq!(faces.at(Along::X, 2, 0), None);
        let wall = Face { line: 2, from: 1, to: 3, looks_up: false, is_inner: [true, false] };
        assert_eq!(faces.at(Along::Y, 2, 0).map(|(_, face)| face), Some(wall));
        assert_eq!(faces.at(Along::Y, 2, 3), None);
    }

    #[test]
    fn cells_that_meet_at_a_corner_only_have_faces_of_their_own() {
        let faces = faces(&[".#", "#."]);
        let on = faces.faces_on(Along::X, 1);
        assert_eq!(on.len(), 2);
        assert!(on[0].looks_up && !on[1].looks_up && on.iter().all(|face| face.is_inner == [false; 2]));
        let mut seen = Vec::new();
        faces.each_on(Along::X, 1, [1, 1], |number, face| seen.push((number, face.from)));
        assert_eq!(seen, [(2, 1)]);
    }
}
