//! The columns of waypoint files, and their rows.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::{Vec2, wrap_angle};

use crate::trajectory::Waypoint;

/// What headers may hold, for messages.
pub(super) const ACCEPTED: &str = "time,x,y or x,y, or columns x_m and y_m, and of a track or racing line s_m, psi_rad, kappa_radpm, vx_mps, ax_mps2, w_tr_right_m, w_tr_left_m";

/// The columns of files without a header, by their number; those of F1TENTH and of `global_racetrajectory_optimization`. Of 3 or 4 columns the third
/// may be a heading instead, as recorders of poses write it.
const USUAL: &[(usize, &str)] = &[
    (2, "x_m,y_m"),
    (3, "x_m,y_m,vx_mps"),
    (4, "x_m,y_m,w_tr_right_m,w_tr_left_m"),
    (7, "s_m,x_m,y_m,psi_rad,kappa_radpm,vx_mps,ax_mps2"),
];
const OF_POSES: &[(usize, &str)] = &[(3, "x_m,y_m,psi_rad"), (4, "x_m,y_m,psi_rad,vx_mps")];

/// Up to this mean difference [rad] from the directions of the points a column is taken for headings. It needs so many directions at least, and
/// headings of such a range [rad]. A constant speed may equal one direction by chance.
const SAME_HEADING: f64 = 0.35;
const MIN_DIRECTIONS: usize = 8;
const MIN_RANGE: f64 = 0.5;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// [s]
    Time,
    /// [m]
    X,
    Y,
    /// Way along the line [m].
    Length,
    /// Heading [rad].
    Heading,
    /// [1/m], positive to the left.
    Curvature,
    /// Along the line [m/s].
    Speed,
    /// Along the line [m/s²].
    Acceleration,
    /// Free width to the right and to the left [m].
    Right,
    Left,
}

/// The range that is accepted of a column, and its unit.
type Accepted = ([f64; 2], &'static str);

/// The names of columns, and what is accepted of some.
const NAMES: &[(&str, Role, Option<Accepted>)] = &[
    ("time", Role::Time, None),
    ("x", Role::X, None),
    ("y", Role::Y, None),
    ("x_m", Role::X, None),
    ("y_m", Role::Y, None),
    ("s_m", Role::Length, None),
    ("psi_rad", Role::Heading, None),
    ("kappa_radpm", Role::Curvature, None),
    ("vx_mps", Role::Speed, Some(([0.0, 1e3], "m/s"))),
    ("ax_mps2", Role::Acceleration, None),
    ("w_tr_right_m", Role::Right, Some(([0.0, 1e9], "m"))),
    ("w_tr_left_m", Role::Left, Some(([0.0, 1e9], "m"))),
];

/// The columns of a file.
#[derive(Debug)]
pub(super) struct Columns {
    /// Indices into [`NAMES`].
    order: Vec<usize>,
    separator: char,
}

/// A row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub waypoint: Waypoint,
    /// As of [`Role`]; none: there is no such column.
    pub length: Option<f64>,
    pub heading: Option<f64>,
    pub curvature: Option<f64>,
    pub acceleration: Option<f64>,
}

impl Columns {
    /// Those that a header names; none if it is not a header: x and y are needed, each column once.
    pub(super) fn read(header: &str) -> Option<Columns> {
        let separator = separator_of(header);
        let named = |name: &str| NAMES.iter().position(|(known, ..)| *known == name);
        let order: Vec<usize> = fields(header, separator).into_iter().map(named).collect::<Option<_>>()?;
        let columns = Columns { order, separator };
        let is_once = |role: Role| columns.order.iter().filter(|index| NAMES[**index].1 == role).count() <= 1;
        let is_good = columns.has(Role::X) && columns.has(Role::Y) && NAMES.iter().all(|(_, role, _)| is_once(*role));
        is_good.then_some(columns)
    }

    /// Whether the file has a column of this role.
    pub(super) fn has(&self, role: Role) -> bool {
        self.order.iter().any(|index| NAMES[*index].1 == role)
    }

    /// Reads a row.
    ///
    /// # Errors
    /// Another number of columns; something else than numbers; a number out of its range.
    pub(super) fn row(&self, text: &str) -> Result<Row, Diagnostic> {
        let texts = fields(text, self.separator);
        if texts.len() != self.order.len() {
            let names: Vec<&str> = self.order.iter().map(|index| NAMES[*index].0).collect();
            let message = Diagnostic::of(format!("{} columns", texts.len()));
            return Err(message.accepted(names.join(&self.separator.to_string())));
        }
        let mut values = [None; NAMES.len()];
        for (index, text) in self.order.iter().zip(texts) {
            let (name, role, range) = NAMES[*index];
            let wrong = || Diagnostic::of(format!("{name} \"{text}\" is not a number")).accepted("a finite number");
            let value = text.parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(wrong)?;
            if let Some(([low, high], unit)) = range.filter(|([low, high], _)| !(*low..=*high).contains(&value)) {
                let message = Diagnostic::of(format!("{name} {value} is out of range"));
                return Err(message.accepted(format!("{low} to {high} [{unit}]")));
            }
            values[role as usize] = Some(value);
        }
        let of = |role: Role| values[role as usize];
        let position = Vec2::new(of(Role::X).unwrap_or_default(), of(Role::Y).unwrap_or_default());
        let waypoint = Waypoint {
            time: of(Role::Time),
            position,
            speed: of(Role::Speed),
            free: of(Role::Right).zip(of(Role::Left)).map(|(right, left)| [right, left]),
        };
        Ok(Row {
            waypoint,
            length: of(Role::Length),
            heading: of(Role::Heading),
            curvature: of(Role::Curvature),
            acceleration: of(Role::Acceleration),
        })
    }
}

/// Number of columns of a row of numbers; none of a text.
pub(super) fn count_of_numbers(text: &str) -> Option<usize> {
    let fields = fields(text, separator_of(text));
    let are_numbers = !fields.is_empty() && fields.iter().all(|field| field.parse::<f64>().is_ok());
    are_numbers.then_some(fields.len())
}

/// The header that a file of these rows has most likely lost; none of a row of text, and of an unusual number of columns. Comments among the rows do not
/// count.
pub(super) fn usual_header<'t>(mut rows: impl Iterator<Item = &'t str> + Clone) -> Option<String> {
    let first = rows.clone().next()?;
    let count = count_of_numbers(first)?;
    let known = if has_headings(&mut rows) { OF_POSES } else { USUAL };
    let (_, header) = known.iter().chain(USUAL).find(|(columns, _)| *columns == count)?;
    Some(header.replace(',', &separator_of(first).to_string()))
}

/// Whether the third column of rows of numbers has the directions from point to point.
fn has_headings<'t>(rows: &mut impl Iterator<Item = &'t str>) -> bool {
    let numbers = |row: &str| -> Option<[f64; 3]> {
        let fields = fields(row, separator_of(row));
        let number = |index: usize| fields.get(index)?.parse::<f64>().ok().filter(|value| value.is_finite());
        Some([number(0)?, number(1)?, number(2)?])
    };
    let rows: Vec<[f64; 3]> = rows.filter_map(numbers).collect();
    let headings = || rows.iter().map(|[.., heading]| *heading);
    let (low, high) = (headings().fold(f64::INFINITY, f64::min), headings().fold(f64::NEG_INFINITY, f64::max));
    let differences: Vec<f64> = rows
        .windows(2)
        .filter(|pair| (pair[1][0] - pair[0][0]).abs().max((pair[1][1] - pair[0][1]).abs()) > 0.0)
        .map(|pair| libm::atan2(pair[1][1] - pair[0][1], pair[1][0] - pair[0][0]) - pair[0][2])
        .map(|difference| wrap_angle(difference).abs())
        .collect();
    let mean = differences.iter().sum::<f64>() / differences.len() as f64;
    differences.len() >= MIN_DIRECTIONS && mean <= SAME_HEADING && (high - low > MIN_RANGE || low < 0.0)
}

/// The character between the fields of a line.
fn separator_of(text: &str) -> char {
    if text.contains(';') { ';' } else { ',' }
}

/// The fields of a line; a separator at its end separates nothing.
fn fields(text: &str, separator: char) -> Vec<&str> {
    let mut fields: Vec<&str> = text.split(separator).map(str::trim).collect();
    fields.pop_if(|last| last.is_empty());
    fields
}
