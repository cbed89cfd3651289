//! A small grid into which the edges of a shape are drawn, to find the cells that it covers and their boundary.

use skidpad_math::Vec2;

/// State of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    /// Neither drawn nor reached from outside: within the shape.
    Unknown,
    /// An edge passes through.
    Drawn,
    /// Reached from outside.
    Peers,
}

/// A grid over a box, with a border around it. Lattice coordinates count cells from the lower left corner of the border.
#[derive(Clone, Debug)]
pub(super) struct Raster {
    origin: Vec2,
    cell: f64,
    width: i32,
    height: i32,
    cells: Vec<Cell>,
}

/// Cells along the diagonal of the box.
const RESOLUTION: f64 = 100.0;
/// Free cells around it.
const BORDER: f64 = 1.5;

impl Raster {
    /// An empty grid over the box between two corners [m]. None for one without extent.
    pub(super) fn new(low: Vec2, high: Vec2) -> Option<Raster> {
        let cell = (high - low).norm() / RESOLUTION;
        if !(cell > 1e-9 && cell.is_finite()) {
            return None;
        }
        let cells = |extent: f64| ((extent / cell + 2.0 * BORDER).ceil() as i32).clamp(4, 200);
        let (width, height) = (cells(high.x - low.x), cells(high.y - low.y));
        let origin = low - Vec2::new(BORDER * cell, BORDER * cell);
        Some(Raster { origin, cell, width, height, cells: vec![Cell::Unknown; (width * height) as usize] })
    }

    /// Side of a cell [m].
    pub(super) fn cell_size(&self) -> f64 {
        self.cell
    }

    fn index(&self, x: i32, y: i32) -> Option<usize> {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        inside.then(|| (y * self.width + x) as usize)
    }

    fn cell(&self, x: i32, y: i32) -> Cell {
        self.index(x, y).map_or(Cell::Peers, |index| self.cells[index])
    }

    /// Whether a cell belongs to the shape, once the outside is known.
    pub(super) fn is_solid(&self, x: i32, y: i32) -> bool {
        self.cell(x, y) != Cell::Peers
    }

    /// A point of the lattice in metres.
    pub(super) fn position(&self, lattice: Vec2) -> Vec2 {
        self.origin + self.cell * lattice
    }

    /// Draws the edge between two points [m], at steps of one cell.
    pub(super) fn draw(&mut self, from: Vec2, to: Vec2) {
        let steps = ((to - from).norm() / self.cell).ceil().clamp(1.0, 400.0);
        let start = (1.0 / self.cell) * (from - self.origin);
        let step = (1.0 / (steps * self.cell)) * (to - from);
        for i in 0..=steps as i32 {
            // Positive, since everything lies right of and above the border: truncation rounds down.
            let p = start + f64::from(i) * step;
            if let Some(index) = self.index(p.x as i32, p.y as i32) {
                self.cells[index] = Cell::Drawn;
            }
        }
    }

    /// Separates inside from outside: removes drawn cells without neighbours, floods from the corner, and fills a gap where
    /// parts of the shape touch at a corner only, so that the boundary does not touch itself.
    pub(super) fn close(&mut self) {
        const AROUND: [(i32, i32); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
        let drawn = |raster: &Raster, x, y| raster.index(x, y).is_some_and(|i| raster.cells[i] == Cell::Drawn);
        let mut lone = Vec::new();
        for (x, y) in self.all() {
            if drawn(self, x, y) && !AROUND.iter().any(|(dx, dy)| drawn(self, x + dx, y + dy)) {
                lone.extend(self.index(x, y));
            }
        }
        lone.into_iter().for_each(|index| self.cells[index] = Cell::Unknown);
        let mut stack = vec![(0, 0)];
        while let Some((x, y)) = stack.pop() {
            let Some(index) = self.index(x, y).filter(|&i| self.cells[i] == Cell::Unknown) else { continue };
            self.cells[index] = Cell::Peers;
            stack.extend([(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]);
        }
        let mut filled = true;
        while filled {
            filled = false;
            for (x, y) in self.all() {
                let [a, b, c, d] = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)].map(|(x, y)| self.is_solid(x, y));
                let gap = if a && d && !b && !c {
                    self.index(x + 1, y)
                } else if b && c && !a && !d {
                    self.index(x, y)
                } else {
                    None
                };
                if let Some(index) = gap {
                    self.cells[index] = Cell::Drawn;
                    filled = true;
                }
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = (i32, i32)> + use<> {
        let width = self.width;
        (0..self.height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    /// The outer boundaries of all parts of the shape, counter-clockwise, on the lattice; corners only.
    pub(super) fn loops(&self) -> Vec<Vec<Vec2>> {
        let mut visited = vec![false; self.cells.len()];
        let mut loops = Vec::new();
        for (x, y) in self.all() {
            // The lowest, then leftmost cell of a part has the outside below it.
            if self.is_solid(x, y) && !visited[(y * self.width + x) as usize] {
                loops.push(self.trace(x, y));
                let mut stack = vec![(x, y)];
                while let Some((x, y)) = stack.pop() {
                    let Some(index) = self.index(x, y).filter(|&i| self.cells[i] != Cell::Peers && !visited[i]) else {
                        continue;
                    };
                    visited[index] = true;
                    stack.extend([(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]);
                }
            }
        }
        loops
    }

    /// Walks around a part, with the shape to the left, from its lowest cell (the leftmost of them), (x, y).
    fn trace(&self, x: i32, y: i32) -> Vec<Vec2> {
        let start = (x, y);
        let (mut at, mut heading) = (start, (1, 0));
        let mut corners = Vec::new();
        loop {
            at = (at.0 + heading.0, at.1 + heading.1);
            // The two cells ahead, to the right and to the left of the boundary.
            let (dx, dy) = heading;
            let cell_ahead = |side: i32| {
                let (cx, cy) = (2 * at.0 + dx - side * dy, 2 * at.1 + dy + side * dx);
                self.is_solid((cx - 1).div_euclid(2), (cy - 1).div_euclid(2))
            };
            let turned = if cell_ahead(-1) {
                (dy, -dx)
            } else if cell_ahead(1) {
                heading
            } else {
                (-dy, dx)
            };
            if turned != heading {
                corners.push(Vec2::new(f64::from(at.0), f64::from(at.1)));
                heading = turned;
            }
            let bound = 4 * self.cells.len();
            if (at == start && heading == (1, 0)) || corners.len() > bound {
                return corners;
            }
        }
    }

    /// Whether the straight line between two points of the lattice passes through a cell of the shape.
    pub(super) fn crosses(&self, from: Vec2, to: Vec2) -> bool {
        const SLACK: f64 = 1e-9;
        let (from, to) = if from.x <= to.x { (from, to) } else { (to, from) };
        if from.x == to.x {
            // Along a lattice line: within the shape if both sides are.
            let x = from.x as i32;
            let (low, high) = (from.y.min(to.y) as i32, from.y.max(to.y) as i32);
            return (low..high).any(|y| self.is_solid(x - 1, y) && self.is_solid(x, y));
        }
        let slope = (to.y - from.y) / (to.x - from.x);
        (from.x as i32..to.x as i32).any(|x| {
            let at = |x: f64| from.y + (x - from.x) * slope;
            let (a, b) = (at(f64::from(x)), at(f64::from(x + 1)));
            let (low, high) = (a.min(b), a.max(b));
            if high - low < SLACK {
                let y = low.round();
                if (low - y).abs() < SLACK {
                    return self.is_solid(x, y as i32 - 1) && self.is_solid(x, y as i32);
                }
            }
            let (first, last) = ((low + SLACK).floor() as i32, (high - SLACK).ceil() as i32);
            (first..last).any(|y| self.is_solid(x, y))
        })
    }
}
