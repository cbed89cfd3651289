//! The columns of a topic: each number and each text of its messages under the path of its field, `pose.pose.position.x`.
//!
//! Lists have a column for each element, `transforms.0.child_frame_id`, as many as the longest of all messages; where a message has fewer,
//! cells are empty. A list that is longer than wanted in any message has no column at all.

use std::fmt;

use super::definition::{Count, Definition, Field, Kind};

/// What the messages of a topic hold.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// One column.
    Value,
    /// The fields of a message.
    Part(Vec<Shape>),
    /// The elements of a list, so far.
    List(Vec<Shape>),
    /// A list that is too long: the longest that was found.
    LeftOut(usize),
}

/// The bytes of a message in CDR, and how far they are read.
struct Bytes<'a> {
    data: &'a [u8],
    at: usize,
    is_little: bool,
}

impl<'a> Bytes<'a> {
    /// The content of a message after its encapsulation; none if that is not plain CDR.
    fn new(message: &'a [u8]) -> Option<Bytes<'a>> {
        let (head, data) = message.split_at_checked(4)?;
        (head[0] == 0 && head[1] <= 1).then(|| Bytes { data, at: 0, is_little: head[1] == 1 })
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let part = self.data.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(part)
    }

    /// A number of this many bytes, which stands at a multiple of its size; little-endian.
    fn number<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.at = self.at.next_multiple_of(N);
        let mut bytes: [u8; N] = self.take(N)?.try_into().ok()?;
        if !self.is_little {
            bytes.reverse();
        }
        Some(bytes)
    }

    fn length(&mut self) -> Option<usize> {
        usize::try_from(u32::from_le_bytes(self.number()?)).ok()
    }

    /// Skips so many values of a type without parts or texts.
    fn skip(&mut self, kind: Kind, count: usize) -> Option<()> {
        let size = match kind {
            Kind::Bool => 1,
            Kind::Signed(size) | Kind::Unsigned(size) | Kind::Float(size) => size,
            Kind::Time | Kind::Duration | Kind::Text | Kind::WideText | Kind::Part(_) => {
                return (0..count).try_for_each(|_| self.value(kind).map(drop));
            }
        };
        if count > 0 {
            self.at = self.at.next_multiple_of(size);
            self.take(size.checked_mul(count)?)?;
        }
        Some(())
    }

    /// One value; none if the bytes end. Parts have none.
    fn value(&mut self, kind: Kind) -> Option<Cell> {
        Some(match kind {
            Kind::Bool => Cell::Bool(self.take(1)?[0] != 0),
            Kind::Signed(1) => Cell::Signed(i8::from_le_bytes(self.number()?).into()),
            Kind::Signed(2) => Cell::Signed(i16::from_le_bytes(self.number()?).into()),
            Kind::Signed(4) => Cell::Signed(i32::from_le_bytes(self.number()?).into()),
            Kind::Signed(_) => Cell::Signed(i64::from_le_bytes(self.number()?)),
            Kind::Unsigned(1) => Cell::Unsigned(self.take(1)?[0].into()),
            Kind::Unsigned(2) => Cell::Unsigned(u16::from_le_bytes(self.number()?).into()),
            Kind::Unsigned(4) => Cell::Unsigned(u32::from_le_bytes(self.number()?).into()),
            Kind::Unsigned(_) => Cell::Unsigned(u64::from_le_bytes(self.number()?)),
            Kind::Float(4) => Cell::Single(f32::from_le_bytes(self.number()?)),
            Kind::Float(_) => Cell::Double(f64::from_le_bytes(self.number()?)),
            Kind::Time | Kind::Duration => {
                let seconds = i32::from_le_bytes(self.number()?);
                let nanoseconds = u32::from_le_bytes(self.number()?);
                Cell::Nanoseconds(i64::from(seconds) * 1_000_000_000 + i64::from(nanoseconds))
            }
            Kind::Text => {
                let length = self.length()?;
                let text = self.take(length)?;
                Cell::Text(String::from_utf8_lossy(text.strip_suffix(b"\0").unwrap_or(text)).into_owned())
            }
            Kind::WideText => {
                let length = self.length()?;
                let units: Option<Vec<u16>> = (0..length).map(|_| self.number().map(u16::from_le_bytes)).collect();
                Cell::Text(String::from_utf16_lossy(&units?))
            }
            Kind::Part(_) => Cell::Missing,
        })
    }
}

/// A value of a message.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    /// None: the list of this message is shorter.
    Missing,
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Single(f32),
    Double(f64),
    /// A time or a duration [ns].
    Nanoseconds(i64),
    Text(String),
}

impl fmt::Display for Cell {
    /// As it stands in a CSV file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Missing => Ok(()),
            Cell::Bool(value) => value.fmt(f),
            Cell::Signed(value) => value.fmt(f),
            Cell::Unsigned(value) => value.fmt(f),
            Cell::Single(value) => value.fmt(f),
            Cell::Double(value) => value.fmt(f),
            Cell::Nanoseconds(value) => f.write_str(&seconds_text(*value)),
            Cell::Text(text) => f.write_str(text),
        }
    }
}

/// Seconds with all nine decimals, which no floating-point number has for times of today.
fn seconds_text(nanoseconds: i64) -> String {
    let (sign, size) = (if nanoseconds < 0 { "-" } else { "" }, nanoseconds.unsigned_abs());
    format!("{sign}{}.{:09}", size / 1_000_000_000, size % 1_000_000_000)
}

/// A topic with its definition and the shape of its messages.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    definition: Definition,
    shape: Shape,
    /// Longest list with columns.
    longest: usize,
}

impl Layout {
    /// That of a message with this definition, before any was seen.
    pub(super) fn new(definition: Definition, longest: usize) -> Layout {
        let shape = Shape::Part(empty(&definition, 0));
        Layout { definition, shape, longest }
    }

    /// Makes room for the lists of a message; false if its bytes do not fit the definition.
    pub(super) fn learn(&mut self, message: &[u8]) -> bool {
        let Some(mut bytes) = Bytes::new(message) else { return false };
        learn(&self.definition, Kind::Part(0), &mut self.shape, &mut bytes, self.longest).is_some()
    }

    /// The names of the columns, and what they hold.
    pub(super) fn columns(&self) -> Vec<(String, Kind)> {
        let mut columns = Vec::new();
        leaves(&self.definition, Kind::Part(0), &self.shape, "", &mut |path, leaf, kind| {
            if matches!(leaf, Shape::Value) {
                columns.push((path.to_owned(), kind));
            }
        });
        columns
    }

    /// Paths and lengths of the lists that have no columns.
    pub(super) fn left_out(&self) -> Vec<(String, usize)> {
        let mut left_out = Vec::new();
        leaves(&self.definition, Kind::Part(0), &self.shape, "", &mut |path, leaf, _| {
            if let Shape::LeftOut(most) = leaf {
                left_out.push((path.to_owned(), *most));
            }
        });
        left_out
    }

    /// The cells of a message that has been learned from.
    pub(super) fn cells(&self, message: &[u8], cells: &mut Vec<Cell>) -> Option<()> {
        let mut bytes = Bytes::new(message)?;
        fill(&self.definition, Kind::Part(0), &self.shape, &mut bytes, cells)
    }
}

/// The shape of a field before any message was seen.
fn shape_of(definition: &Definition, field: &Field) -> Shape {
    match (field.count, field.kind) {
        (Count::One, Kind::Part(part)) => Shape::Part(empty(definition, part)),
        (Count::One, _) => Shape::Value,
        _ => Shape::List(Vec::new()),
    }
}

fn empty(definition: &Definition, part: usize) -> Vec<Shape> {
    definition.parts[part].iter().map(|field| shape_of(definition, field)).collect()
}

/// How many elements a list has in this message.
fn length(field: &Field, bytes: &mut Bytes) -> Option<usize> {
    match field.count {
        Count::One => Some(1),
        Count::Fixed(size) => Some(size),
        // A message has no more elements than bytes.
        Count::Many => bytes.length().filter(|length| *length <= bytes.data.len()),
    }
}

fn learn(definition: &Definition, kind: Kind, shape: &mut Shape, bytes: &mut Bytes, longest: usize) -> Option<()> {
    let Kind::Part(part) = kind else { return bytes.value(kind).map(drop) };
    let fields = &definition.parts[part];
    // A message without fields is one byte: CDR has no empty structures.
    if fields.is_empty() {
        return bytes.take(1).map(drop);
    }
    let Shape::Part(shapes) = shape else { return None };
    for (field, shape) in fields.iter().zip(shapes) {
        if field.count == Count::One {
            learn(definition, field.kind, shape, bytes, longest)?;
            continue;
        }
        let count = length(field, bytes)?;
        match shape {
            Shape::LeftOut(most) => *shape = Shape::LeftOut(count.max(*most)),
            _ if count > longest => *shape = Shape::LeftOut(count),
            Shape::List(items) => {
                let item_field = Field { count: Count::One, ..field.clone() };
                while items.len() < count {
                    items.push(shape_of(definition, &item_field));
                }
            }
            Shape::Value | Shape::Part(_) => return None,
        }
        match (shape, field.kind) {
            (Shape::List(items), kind) => {
                for item in items.iter_mut().take(count) {
                    learn(definition, kind, item, bytes, longest)?;
                }
            }
            (_, kind) => pass_over(definition, kind, count, bytes)?,
        }
    }
    Some(())
}

/// Goes on behind `count` elements that have no columns.
fn pass_over(definition: &Definition, kind: Kind, count: usize, bytes: &mut Bytes) -> Option<()> {
    let Kind::Part(part) = kind else { return bytes.skip(kind, count) };
    let mut scratch = Shape::Part(empty(definition, part));
    (0..count).try_for_each(|_| learn(definition, kind, &mut scratch, bytes, 0))
}

/// A path with a further part.
fn below(path: &str, name: impl std::fmt::Display) -> String {
    if path.is_empty() { name.to_string() } else { format!("{path}.{name}") }
}

/// Visits what is at the end of each path: a value, or a list without columns.
fn leaves(definition: &Definition, kind: Kind, shape: &Shape, path: &str, visit: &mut dyn FnMut(&str, &Shape, Kind)) {
    match (shape, kind) {
        (Shape::Part(shapes), Kind::Part(part)) => {
            for (field, shape) in definition.parts[part].iter().zip(shapes) {
                leaves(definition, field.kind, shape, &below(path, &field.name), visit);
            }
        }
        (Shape::List(items), kind) => {
            for (index, item) in items.iter().enumerate() {
                leaves(definition, kind, item, &below(path, index), visit);
            }
        }
        (leaf, kind) => visit(path, leaf, kind),
    }
}

/// Number of columns.
fn width(shape: &Shape) -> usize {
    match shape {
        Shape::Value => 1,
        Shape::Part(shapes) | Shape::List(shapes) => shapes.iter().map(width).sum(),
        Shape::LeftOut(_) => 0,
    }
}

fn fill(definition: &Definition, kind: Kind, shape: &Shape, bytes: &mut Bytes, cells: &mut Vec<Cell>) -> Option<()> {
    let Kind::Part(part) = kind else {
        cells.push(bytes.value(kind)?);
        return Some(());
    };
    let fields = &definition.parts[part];
    // A message without fields is one byte: CDR has no empty structures.
    if fields.is_empty() {
        return bytes.take(1).map(drop);
    }
    let Shape::Part(shapes) = shape else { return None };
    for (field, shape) in fields.iter().zip(shapes) {
        if field.count == Count::One {
            fill(definition, field.kind, shape, bytes, cells)?;
            continue;
        }
        let count = length(field, bytes)?;
        match (shape, field.kind) {
            (Shape::List(items), kind) => {
                for item in items.iter().take(count) {
                    fill(definition, kind, item, bytes, cells)?;
                }
                let missing: usize = items.iter().skip(count).map(width).sum();
                cells.extend(std::iter::repeat_n(Cell::Missing, missing));
            }
            (_, kind) => pass_over(definition, kind, count, bytes)?,
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use skidpad_ros_data::message::cdr;
    use skidpad_ros_data::message::{
        Header, JointState, LaserScan, Message, Odometry, TFMessage, Time, TransformStamped, definition,
    };

    use super::*;

    fn layout(kind: &str, longest: usize) -> Layout {
        Layout::new(Definition::parse(kind, &definition(kind)).unwrap(), longest)
    }

    /// The bytes of a message in CDR.
    macro_rules! bytes {
        ($message:expr) => {{
            let mut bytes = Vec::new();
            cdr::write($message, None, &mut bytes).unwrap();
            bytes
        }};
    }

    fn table(layout: &Layout, message: &[u8]) -> Vec<(String, String)> {
        let mut cells = Vec::new();
        layout.cells(message, &mut cells).unwrap();
        let columns = layout.columns();
        assert_eq!(columns.len(), cells.len());
        columns.into_iter().map(|(name, _)| name).zip(cells.iter().map(ToString::to_string)).collect()
    }

    fn header() -> Header {
        Header { stamp: Time { sec: 1_700_000_010, nanosec: 340_000_001 }, frame_id: "odom".into() }
    }

    #[test]
    fn every_field_has_its_path_and_value() {
        let mut odometry = Odometry { header: header(), child_frame_id: "a".into(), ..Odometry::default() };
        odometry.pose.pose.position.x = 0.1;
        odometry.twist.twist.angular.z = -2.5;
        let mut layout = layout(Odometry::TYPE, 36);
        let message = bytes!(&odometry);
        assert!(layout.learn(&message) && layout.left_out().is_empty());
        let table = table(&layout, &message);
        let cell = |name: &str| table.iter().find(|(column, _)| column == name).map(|(_, cell)| cell.as_str());
        assert_eq!(table[0], ("header.stamp".into(), "1700000010.340000001".into()));
        assert_eq!((cell("header.frame_id"), cell("child_frame_id")), (Some("odom"), Some("a")));
        assert_eq!((cell("pose.pose.position.x"), cell("twist.twist.angular.z")), (Some("0.1"), Some("-2.5")));
        assert_eq!((cell("pose.covariance.35"), cell("pose.covariance.36")), (Some("0"), None));
        // A stamp, two names, 7 + 36 numbers of the pose, 6 + 36 of the twist.
        assert_eq!(table.len(), 3 + 43 + 42);
    }

    #[test]
    fn lists_have_as_many_columns_as_the_longest() {
        let transform = |child: &str| TransformStamped { child_frame_id: child.into(), ..TransformStamped::default() };
        let pair = bytes!(&TFMessage { transforms: vec![transform("a"), transform("b")] });
        let single = bytes!(&TFMessage { transforms: vec![transform("c")] });
        let mut layout = layout(TFMessage::TYPE, 10);
        assert!(layout.learn(&single) && layout.learn(&pair));
        let of = |message: &[u8]| {
            let children = table(&layout, message).into_iter().filter(|(name, _)| name.ends_with("child_frame_id"));
            children.map(|(name, cell)| format!("{name}={cell}")).collect::<Vec<_>>()
        };
        assert_eq!(of(&pair), ["transforms.0.child_frame_id=a", "transforms.1.child_frame_id=b"]);
        assert_eq!(of(&single), ["transforms.0.child_frame_id=c", "transforms.1.child_frame_id="]);
        let names = JointState { name: vec!["left".into()], position: vec![1.5], ..JointState::default() };
        let mut joints = super::tests::layout(JointState::TYPE, 10);
        let message = bytes!(&names);
        assert!(joints.learn(&message));
        let cells: Vec<String> = table(&joints, &message).into_iter().skip(2).map(|(_, cell)| cell).collect();
        assert_eq!(cells, ["left", "1.5"]);
    }

    #[test]
    fn long_lists_are_left_out_and_what_follows_them_is_read() {
        let scan =
            LaserScan { header: header(), ranges: vec![1.0; 11], intensities: vec![2.0], ..LaserScan::default() };
        let message = bytes!(&scan);
        let mut layout = layout(LaserScan::TYPE, 10);
        assert!(layout.learn(&message));
        assert_eq!(layout.left_out(), [("ranges".to_owned(), 11)]);
        assert_eq!(table(&layout, &message).last(), Some(&("intensities.0".to_owned(), "2".to_owned())));
        // Cut anywhere, it is no message.
        for end in 0..message.len() {
            assert!(!layout.clone().learn(&message[..end]), "{end}");
        }
    }

    #[test]
    fn seconds_keep_every_nanosecond() {
        assert_eq!([0, 1, -1_500_000_000].map(seconds_text), ["0.000000000", "0.000000001", "-1.500000000"]);
    }
}
