//! The class `Path`: a line that positions are projected onto.

use std::path::PathBuf;
use std::sync::Arc;

use numpy::PyArrayMethods;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;
use rstar::RTree;
use rstar::primitives::{GeomWithData, Line as Segment};
use skidpad::diagnostic::Diagnostic;
use skidpad::waypoint_file::WaypointFile;

use crate::errors::{self, refused};
use crate::selection::floats;

/// Lines of up to this many pieces are searched piece by piece, which is faster than a tree.
const FEW: usize = 32;

#[doc = doc!(Path)]
#[pyclass(frozen, module = "skidpad")]
pub(crate) struct Path(Arc<Line>);

/// A line with its lengths.
pub(crate) struct Line {
    points: Vec<[f64; 2]>,
    pieces: Vec<Piece>,
    tree: RTree<GeomWithData<Segment<[f64; 2]>, usize>>,
    length: f64,
    closed: bool,
    /// Free width to the left and to the right at each point [m].
    widths: Vec<[f64; 2]>,
}

/// A straight piece between two points.
#[derive(Clone, Copy, Debug)]
struct Piece {
    from: [f64; 2],
    direction: [f64; 2],
    /// Arc length at its start [m].
    start: f64,
    length: f64,
    heading: f64,
    /// Index of its first point, and of its last.
    ends: [usize; 2],
}

/// How far a vehicle looks along a line for its nearest point, beyond twice its own way [m]: far enough to get along where it cuts a corner, and far less than the
/// way to where a line comes near itself.
const REACH: f64 = 0.5;

/// Where a line crosses itself or runs beside itself, a vehicle is on the part that it heads along: the opposite direction counts as twice this distance [m].
const HEADING_WEIGHT: f64 = 0.5;

/// Most searches for the nearest place from one that the heading has chosen.
const REFINEMENTS: usize = 16;

/// A place on a path.
#[derive(Clone)]
struct Place {
    piece: usize,
    /// Distance along the piece [m].
    along: f64,
}

/// Fields of projections.
pub(crate) const PROJECTION: [&str; 6] = ["s", "offset", "heading", "curvature", "left", "right"];
/// Fields of places on the path.
const ON_PATH: [&str; 6] = ["x", "y", "heading", "curvature", "left", "right"];

impl Path {
    /// The line itself.
    pub(crate) fn line(&self) -> Arc<Line> {
        Arc::clone(&self.0)
    }
}

impl Line {
    /// The line through these points [m] with these free widths to the left and to the right [m], one pair for each; none where it has no length.
    fn new(points: Vec<[f64; 2]>, closed: bool, widths: Vec<[f64; 2]>) -> Option<Line> {
        let count = points.len();
        let mut pieces: Vec<Piece> = Vec::with_capacity(count);
        let mut length = 0.0;
        let last = if closed { count } else { count.saturating_sub(1) };
        for first in 0..last {
            let ends = [first, (first + 1) % count];
            let [from, to] = ends.map(|end| points[end]);
            let along = [to[0] - from[0], to[1] - from[1]];
            let piece_length = libm_hypot(along);
            if piece_length > 0.0 {
                let direction = along.map(|part| part / piece_length);
                pieces.push(Piece {
                    from,
                    direction,
                    start: length,
                    length: piece_length,
                    heading: direction[1].atan2(direction[0]),
                    ends,
                });
                length += piece_length;
            }
        }
        if pieces.is_empty() {
            return None;
        }
        let segment = |(index, piece): (usize, &Piece)| {
            let to = [0, 1].map(|axis| piece.from[axis] + piece.length * piece.direction[axis]);
            GeomWithData::new(Segment::new(piece.from, to), index)
        };
        let tree = RTree::bulk_load(pieces.iter().enumerate().map(segment).collect());
        Some(Line { points, pieces, tree, length, closed, widths })
    }

    /// The nearest place on the part of a piece between two distances along it [m], and the square of its distance [m²].
    fn nearest_on(&self, piece: usize, [x, y]: [f64; 2], [least, most]: [f64; 2]) -> (f64, Place) {
        let Piece { from, direction, .. } = self.pieces[piece];
        let along = ((x - from[0]) * direction[0] + (y - from[1]) * direction[1]).clamp(least, most);
        let (dx, dy) = (x - from[0] - along * direction[0], y - from[1] - along * direction[1]);
        (dx * dx + dy * dy, Place { piece, along })
    }

    fn nearest(&self, [x, y]: [f64; 2]) -> Place {
        let place = |piece: usize| self.nearest_on(piece, [x, y], [0.0, self.pieces[piece].length]);
        if self.pieces.len() > FEW
            && let Some(nearest) = self.tree.nearest_neighbor(&[x, y])
        {
            return place(nearest.data).1;
        }
        let all = (0..self.pieces.len()).map(place);
        all.min_by(|(a, _), (b, _)| a.total_cmp(b)).map_or(Place { piece: 0, along: 0.0 }, |(_, place)| place)
    }

    /// Curvature [1/m] at the place: the turn between the middles of its piece and of the nearer neighbour.
    fn curvature(&self, place: &Place) -> f64 {
        let count = self.pieces.len();
        let piece = &self.pieces[place.piece];
        let is_late = place.along > 0.5 * piece.length;
        let other = match (is_late, self.closed) {
            (true, true) => (place.piece + 1) % count,
            (false, true) => (place.piece + count - 1) % count,
            (true, false) => (place.piece + 1).min(count - 1),
            (false, false) => place.piece.saturating_sub(1),
        };
        if other == place.piece {
            return 0.0;
        }
        let neighbour = &self.pieces[other];
        let turn = skidpad::math::wrap_angle(neighbour.heading - piece.heading);
        let distance = 0.5 * (piece.length + neighbour.length);
        if is_late { turn / distance } else { -turn / distance }
    }

    fn widths(&self, place: &Place) -> [f64; 2] {
        let piece = &self.pieces[place.piece];
        let part = place.along / piece.length;
        let [from, to] = piece.ends.map(|end| self.widths[end]);
        // The difference of infinite widths is not a number.
        [0, 1].map(|side| if from[side] == to[side] { from[side] } else { from[side] + part * (to[side] - from[side]) })
    }

    /// The nearest place at most `reach` [m] along the line before or behind the arc length `s` [m].
    fn nearest_around(&self, point: [f64; 2], s: f64, reach: f64) -> Place {
        let count = self.pieces.len();
        let reach = if self.closed { reach.min(0.5 * self.length) } else { reach };
        let at = self.piece_at(s);
        let beyond = |piece: usize, shift: f64| {
            let Piece { start, length, .. } = self.pieces[piece];
            // The part of the piece that is within reach, from its start.
            let part = [(s - reach - start - shift).max(0.0), (s + reach - start - shift).min(length)];
            (part[0] <= part[1]).then(|| self.nearest_on(piece, point, part))
        };
        let mut best = beyond(at, 0.0).unwrap_or_else(|| {
            let along = (s - self.pieces[at].start).clamp(0.0, self.pieces[at].length);
            self.nearest_on(at, point, [along, along])
        });
        for is_ahead in [true, false] {
            let (mut piece, mut shift) = (at, 0.0);
            for _ in 1..count {
                // Beyond the end of a closed line its first piece follows, one length later.
                (piece, shift) = match (is_ahead, piece) {
                    (true, last) if last + 1 == count && !self.closed => break,
                    (true, last) if last + 1 == count => (0, shift + self.length),
                    (true, piece) => (piece + 1, shift),
                    (false, 0) if !self.closed => break,
                    (false, 0) => (count - 1, shift - self.length),
                    (false, piece) => (piece - 1, shift),
                };
                match beyond(piece, shift) {
                    Some(candidate) if candidate.0 < best.0 => best = candidate,
                    Some(_) => {}
                    None => break,
                }
            }
        }
        best.1
    }

    /// Where a vehicle is that has come from elsewhere: near the line, and heading along it. Where only one part of the line is near, that is the nearest place.
    pub(crate) fn find(&self, point: [f64; 2], yaw: f64) -> [f64; 6] {
        let nearest = self.nearest(point);
        let whole = |piece: usize| self.nearest_on(piece, point, [0.0, self.pieces[piece].length]);
        let cost = |(squared, place): &(f64, Place)| {
            squared.sqrt() + HEADING_WEIGHT * (1.0 - (yaw - self.pieces[place.piece].heading).cos())
        };
        let farthest = whole(nearest.piece).0.sqrt() + 2.0 * HEADING_WEIGHT;
        let near = self.tree.locate_within_distance(point, farthest * farthest).map(|entry| whole(entry.data));
        // A tree yields its pieces in no particular order: of equally near ones the first along the path counts.
        let best = near.min_by(|a, b| cost(a).total_cmp(&cost(b)).then(a.1.piece.cmp(&b.1.piece)));
        let Some((_, best)) = best else { return self.describe(point, &nearest) };
        // Where it bends, the heading has drawn it along the line; from there the nearest place is a few steps away.
        let (mut place, mut s) = (best.clone(), self.arc_length(&best));
        for _ in 0..REFINEMENTS {
            place = self.nearest_around(point, s, REACH);
            if std::mem::replace(&mut s, self.arc_length(&place)) == s {
                break;
            }
        }
        self.describe(point, &place)
    }

    fn arc_length(&self, place: &Place) -> f64 {
        self.pieces[place.piece].start + place.along
    }

    /// The piece with this arc length [m].
    fn piece_at(&self, s: f64) -> usize {
        self.pieces.partition_point(|piece| piece.start <= s).saturating_sub(1)
    }

    /// [`Self::project_one`] of a vehicle that was at arc length `s` [m] and has moved by `distance` [m] since.
    pub(crate) fn track(&self, point: [f64; 2], s: f64, distance: f64) -> [f64; 6] {
        self.describe(point, &self.nearest_around(point, s, 2.0 * distance + REACH))
    }

    /// Arc length [m] of the nearest point, offset to the left [m], heading [rad], curvature [1/m], free width to the left and to the right [m].
    pub(crate) fn project_one(&self, point: [f64; 2]) -> [f64; 6] {
        self.describe(point, &self.nearest(point))
    }

    /// The numbers of [`Self::project_one`] for a point and its place.
    fn describe(&self, point: [f64; 2], place: &Place) -> [f64; 6] {
        let piece = &self.pieces[place.piece];
        let on = [0, 1].map(|axis| piece.from[axis] + place.along * piece.direction[axis]);
        let from_path = [point[0] - on[0], point[1] - on[1]];
        let side = piece.direction[0] * from_path[1] - piece.direction[1] * from_path[0];
        let offset = libm_hypot(from_path).copysign(side);
        let [left, right] = self.widths(place);
        [piece.start + place.along, offset, piece.heading, self.curvature(place), left, right]
    }

    /// Arc length from `from` to `to` [m], signed: the shorter direction if the line is closed.
    pub(crate) fn arc_length_between(&self, from: f64, to: f64) -> f64 {
        let difference = to - from;
        if self.closed { difference - self.length * (difference / self.length).round() } else { difference }
    }

    /// Position [m], heading [rad], curvature [1/m] and free widths [m] at an arc length [m].
    pub(crate) fn at_one(&self, s: f64) -> [f64; 6] {
        let s = if self.closed { s.rem_euclid(self.length) } else { s.clamp(0.0, self.length) };
        let piece = self.piece_at(s);
        let Piece { from, direction, start, length, heading, .. } = self.pieces[piece];
        let place = Place { piece, along: (s - start).min(length) };
        let [left, right] = self.widths(&place);
        let [x, y] = [0, 1].map(|axis| from[axis] + place.along * direction[axis]);
        [x, y, heading, self.curvature(&place), left, right]
    }
}

fn libm_hypot([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

/// The data types of [`PROJECTION`] and [`ON_PATH`].
static DTYPES: [PyOnceLock<Py<PyAny>>; 2] = [const { PyOnceLock::new() }; 2];

/// Records of this shape, one for each of `numbers`; `of_path`: places on the path instead of projections.
fn records<'py>(python: Python<'py>, shape: &[usize], of_path: bool, numbers: Vec<f64>) -> PyResult<Bound<'py, PyAny>> {
    let dtype = DTYPES[usize::from(of_path)].get_or_try_init(python, || {
        let names = if of_path { ON_PATH } else { PROJECTION };
        let fields: Vec<(&str, &str)> = names.iter().map(|name| (*name, "f8")).collect();
        python.import("numpy")?.call_method1("dtype", (fields,)).map(Bound::unbind)
    })?;
    let flat = numpy::PyArray1::from_vec(python, numbers);
    let records = flat.as_any().call_method1("view", (dtype,))?;
    if shape.len() == 1 { Ok(records) } else { records.call_method1("reshape", (shape.to_vec(),)) }
}

/// The width of one side at each point.
fn side(argument: Option<&Bound<'_, PyAny>>, argument_name: &str, count: usize) -> PyResult<Vec<f64>> {
    let Some(argument) = argument else { return Ok(vec![f64::INFINITY; count]) };
    let widths = floats(argument, argument_name)?.numbers;
    match &widths[..] {
        [width] => Ok(vec![*width; count]),
        widths if widths.len() == count => Ok(widths.to_vec()),
        widths => Err(refused(format!("{argument_name}: found {} numbers\n  accepted: one, or {count}", widths.len()))),
    }
}

#[pymethods]
impl Path {
    #[new]
    #[pyo3(signature = (points, *, closed=false, left=None, right=None))]
    fn new(
        points: &Bound<'_, PyAny>,
        closed: bool,
        left: Option<&Bound<'_, PyAny>>,
        right: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Path> {
        let given = floats(points, "points")?;
        let wrong = |found: String| {
            refused(format!(
                "points: found {found}\n  accepted: finite numbers of shape (n, 2), two or more that differ"
            ))
        };
        let [count, 2] = given.shape[..] else { return Err(wrong(format!("an array of shape {:?}", given.shape))) };
        let numbers = given.numbers;
        if let Some(number) = numbers.iter().find(|number| !number.is_finite()) {
            return Err(wrong(number.to_string()));
        }
        let points: Vec<[f64; 2]> = numbers.as_chunks::<2>().0.to_vec();
        let widths: Vec<[f64; 2]> = side(left, "left", count)?
            .into_iter()
            .zip(side(right, "right", count)?)
            .map(|(left, right)| [left, right])
            .collect();
        let line = Line::new(points, closed, widths);
        let line = line.ok_or_else(|| wrong(format!("{count} points without length")))?;
        Ok(Path(Arc::new(line)))
    }

    #[doc = doc!(Path.from_file)]
    #[staticmethod]
    #[pyo3(
        signature = (file, *, closed=false, header=None),
        text_signature = "(file, *, closed=False, header=None)"
    )]
    fn from_file(python: Python<'_>, file: PathBuf, closed: bool, header: Option<&str>) -> PyResult<Path> {
        let WaypointFile { name, points, mut notes } = {
            let mut read = WaypointFile::read(&file, header).map_err(refused)?;
            if !closed {
                read.notes.extend(read.note_of_open_lap());
            }
            read
        };
        let unused = [
            ("time", "times", points.iter().any(|point| point.time.is_some())),
            ("vx_mps", "speeds", points.iter().any(|point| point.speed.is_some())),
        ];
        for (column, quantity, _) in unused.into_iter().filter(|(.., is_there)| *is_there) {
            let found = format!("its column {column} is not used: a Path has only x and y");
            notes.push(Diagnostic::new(&name, found).hint(format!("World.follow uses these {quantity}")));
        }
        let widths = points.iter().map(|point| point.free.map_or([f64::INFINITY; 2], |[right, left]| [left, right]));
        let widths = widths.collect();
        let count = points.len();
        let line = Line::new(points.iter().map(|point| [point.position.x, point.position.y]).collect(), closed, widths);
        let line = line.ok_or_else(|| {
            refused(format!("{name}: {count} points without length\n  accepted: two or more that differ"))
        })?;
        errors::warn(python, &notes)?;
        Ok(Path(Arc::new(line)))
    }

    #[doc = doc!(Path.points)]
    #[getter]
    fn points<'py>(&self, python: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let flat = numpy::PyArray1::from_slice(python, self.0.points.as_flattened());
        Ok(flat.reshape([self.0.points.len(), 2])?.into_any())
    }

    #[doc = doc!(Path.closed)]
    #[getter]
    fn closed(&self) -> bool {
        self.0.closed
    }

    #[doc = doc!(Path.length)]
    #[getter]
    fn length(&self) -> f64 {
        self.0.length
    }

    #[doc = doc!(Path.project)]
    fn project<'py>(&self, x: &Bound<'py, PyAny>, y: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let python = x.py();
        let (x, y) = (floats(x, "x")?, floats(y, "y")?);
        if x.shape != y.shape {
            return Err(refused(format!("y: found shape {:?}\n  accepted: that of x, {:?}", y.shape, x.shape)));
        }
        let numbers = x.numbers.iter().zip(&y.numbers).flat_map(|(&x, &y)| self.0.project_one([x, y])).collect();
        records(python, &x.shape, false, numbers)
    }

    #[doc = doc!(Path.track)]
    fn track<'py>(&self, x: &Bound<'py, PyAny>, y: &Bound<'py, PyAny>, yaw: f64) -> PyResult<Bound<'py, PyAny>> {
        let (xs, ys) = (floats(x, "x")?, floats(y, "y")?);
        if xs.shape.len() != 1 || xs.shape != ys.shape {
            return Err(refused(format!(
                "x, y: found shapes {:?} and {:?}\n  accepted: one axis each, of the same length",
                xs.shape, ys.shape
            )));
        }
        let mut numbers = Vec::with_capacity(xs.numbers.len() * PROJECTION.len());
        let mut before: Option<([f64; 2], f64)> = None;
        for (&x, &y) in xs.numbers.iter().zip(&ys.numbers) {
            let projection = match before {
                None => self.0.find([x, y], yaw),
                Some((at, s)) => self.0.track([x, y], s, libm_hypot([x - at[0], y - at[1]])),
            };
            before = Some(([x, y], projection[0]));
            numbers.extend(projection);
        }
        records(x.py(), &xs.shape, false, numbers)
    }

    #[doc = doc!(Path.at)]
    fn at<'py>(&self, s: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let given = floats(s, "s")?;
        let numbers = given.numbers.into_iter().flat_map(|s| self.0.at_one(s)).collect();
        records(s.py(), &given.shape, true, numbers)
    }

    /// For pickle and copy.
    fn __getnewargs_ex__<'py>(&self, python: Python<'py>) -> PyResult<((Bound<'py, PyAny>,), Bound<'py, PyDict>)> {
        let arguments = PyDict::new(python);
        arguments.set_item("closed", self.0.closed)?;
        for (side, name) in ["left", "right"].into_iter().enumerate() {
            let widths: Vec<f64> = self.0.widths.iter().map(|widths| widths[side]).collect();
            arguments.set_item(name, widths)?;
        }
        Ok(((self.points(python)?,), arguments))
    }

    fn __repr__(&self) -> String {
        format!("<skidpad.Path of {} points, {:.3} m>", self.0.points.len(), self.0.length)
    }
}
