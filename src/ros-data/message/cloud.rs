//! Clouds of points: their messages, and the fields of each layout.

use skidpad_math::time::SimTime;
use skidpad_sim::sensor::{Cloud, CloudGeometry, CloudLayout, CloudPoint};

use super::{Header, fill};

messages! {
    PointField = "sensor_msgs/msg/PointField" + "uint8 INT8=1\nuint8 UINT8=2\nuint8 INT16=3\nuint8 UINT16=4\nuint8 INT32=5\nuint8 UINT32=6\nuint8 FLOAT32=7\nuint8 FLOAT64=8\n" [Eq] {
        /// Name.
        name: String,
        /// Offset from the start of a point [bytes].
        offset: u32,
        /// Type, one of the constants.
        datatype: u8,
        /// Number of elements.
        count: u32,
    }

    PointCloud2 = "sensor_msgs/msg/PointCloud2" [Eq] {
        /// Time stamp and frame.
        header: Header,
        /// Rows: 1 for an unorganised cloud.
        height: u32,
        /// Points of a row.
        width: u32,
        /// Fields of a point.
        fields: Vec<PointField>,
        /// Whether the data are big-endian.
        is_bigendian: bool,
        /// Length of a point [bytes].
        point_step: u32,
        /// Length of a row [bytes].
        row_step: u32,
        /// The points.
        #[serde(with = "serde_bytes")]
        data: Vec<u8>,
        /// Whether no point is NaN.
        is_dense: bool,
    }
}

/// A field of one number, of the type with this constant.
pub(super) fn field(name: &str, offset: usize, datatype: u8) -> PointField {
    PointField { name: name.to_owned(), offset: offset as u32, datatype, count: 1 }
}

/// What a field of a point contains.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Quantity {
    /// A coordinate [m], f32.
    Coordinate(usize),
    /// Intensity times this, f32.
    Intensity(f32),
    /// The same, NaN where nothing returned.
    IntensityOrNan(f32),
    /// Seconds since the stamp of the message, f32.
    Seconds,
    /// Nanoseconds since the stamp of the message, u32.
    Nanoseconds,
    /// Seconds of the clock, f64.
    Clock,
    /// Nanoseconds of the clock, f64.
    ClockNanoseconds,
    /// Ring, u16.
    Ring,
    /// Ring, u8.
    Line,
    /// Nothing is wrong with the point: 0, u8.
    Tag,
    /// Intensity times 255, rounded, u16.
    Reflectivity,
    /// Nothing is measured: 0, u16.
    Ambient,
    /// Range in whole [mm], u32.
    Range,
    /// A number of the label, u16.
    Label(usize),
}

impl Quantity {
    /// The constant of its type, and its length [bytes].
    fn datatype(self) -> (u8, u32) {
        match self {
            Quantity::Coordinate(_) | Quantity::Intensity(_) | Quantity::IntensityOrNan(_) | Quantity::Seconds => {
                (7, 4)
            }
            Quantity::Nanoseconds | Quantity::Range => (6, 4),
            Quantity::Clock | Quantity::ClockNanoseconds => (8, 8),
            Quantity::Line | Quantity::Tag => (2, 1),
            Quantity::Ring | Quantity::Reflectivity | Quantity::Ambient | Quantity::Label(_) => (4, 2),
        }
    }
}

/// A field: its name, its offset [bytes] and what it contains.
type CloudField = (&'static str, u32, Quantity);

/// A layout: [`POSITION`], and what follows it.
struct Layout {
    fields: &'static [CloudField],
    /// Length of a point [bytes].
    step: u32,
    /// Whether the stamp is the start of the turn instead of its end.
    is_stamped_at_start: bool,
    /// What an organised cloud has a row for.
    row: Row,
    /// Whether messages say that no point is NaN.
    density: Density,
}

/// What a row of an organised cloud is.
#[derive(Clone, Copy, PartialEq)]
enum Row {
    /// A ring, in the order of their numbers.
    Ring,
    /// A column: all rings at one time.
    Column,
}

/// What `is_dense` says.
#[derive(Clone, Copy)]
enum Density {
    /// That a cloud is not organised, and so has only points that returned.
    Unorganized,
    /// That each point of this cloud returned.
    Counted,
    /// Nothing.
    Never,
}

/// The fields with which every layout begins.
const POSITION: [CloudField; 3] =
    [("x", 0, Quantity::Coordinate(0)), ("y", 4, Quantity::Coordinate(1)), ("z", 8, Quantity::Coordinate(2))];

/// Layouts as in the code of the drivers, which give intensities of 0 to 255:
///
/// | Layout | Repository, branch and files |
/// |---|---|
/// | velodyne | ros-drivers/velodyne, `ros2`: `velodyne_pointcloud/src/lib/organized_cloudXYZIRT.cpp`, `pointcloudXYZIRT.cpp` |
/// | ouster | ouster-lidar/ouster-ros, `jazzy-devel`: `os_point.h` (aligned to 16 bytes), `point_cloud_compose.h` |
/// | hesai | HesaiTechnology/HesaiLidar_ROS_2.0: `source_driver_ros2.hpp` |
/// | livox | Livox-SDK/livox_ros_driver2: `lddc.cpp`, with `xfer_format` 0 |
fn layout(layout: CloudLayout) -> Layout {
    match layout {
        CloudLayout::Mvsim => Layout {
            fields: &[
                ("intensity", 12, Quantity::Intensity(1.0)),
                ("t", 16, Quantity::Seconds),
                ("ring", 20, Quantity::Ring),
            ],
            step: 22,
            is_stamped_at_start: false,
            row: Row::Ring,
            density: Density::Unorganized,
        },
        CloudLayout::Velodyne => Layout {
            fields: &[
                ("intensity", 12, Quantity::IntensityOrNan(255.0)),
                ("ring", 16, Quantity::Ring),
                ("time", 18, Quantity::Seconds),
            ],
            step: 22,
            is_stamped_at_start: false,
            row: Row::Column,
            density: Density::Unorganized,
        },
        CloudLayout::Ouster => Layout {
            fields: &[
                ("intensity", 16, Quantity::Intensity(255.0)),
                ("t", 20, Quantity::Nanoseconds),
                ("reflectivity", 24, Quantity::Reflectivity),
                ("ring", 26, Quantity::Ring),
                ("ambient", 28, Quantity::Ambient),
                ("range", 32, Quantity::Range),
            ],
            step: 48,
            is_stamped_at_start: true,
            row: Row::Ring,
            density: Density::Counted,
        },
        CloudLayout::Hesai => Layout {
            fields: &[
                ("intensity", 12, Quantity::Intensity(255.0)),
                ("ring", 16, Quantity::Ring),
                ("timestamp", 18, Quantity::Clock),
            ],
            step: 26,
            is_stamped_at_start: true,
            row: Row::Ring,
            density: Density::Never,
        },
        CloudLayout::Livox => Layout {
            fields: &[
                ("intensity", 12, Quantity::Intensity(255.0)),
                ("tag", 16, Quantity::Tag),
                ("line", 17, Quantity::Line),
                ("timestamp", 18, Quantity::ClockNanoseconds),
            ],
            step: 26,
            is_stamped_at_start: true,
            row: Row::Ring,
            density: Density::Unorganized,
        },
    }
}

/// The fields of the labels follow those of the layout.
fn labels(step: u32) -> [CloudField; 2] {
    [("class", step, Quantity::Label(0)), ("body", step + 2, Quantity::Label(1))]
}

/// The fields of a cloud and the length of a point [bytes].
fn fields(geometry: &CloudGeometry) -> (Vec<CloudField>, u32) {
    let Layout { fields, step, .. } = layout(geometry.layout);
    match geometry.has_labels {
        true => ([&POSITION, fields, &labels(step)].concat(), step + 4),
        false => ([&POSITION, fields].concat(), step),
    }
}

/// Length of a point [bytes].
pub(super) fn point_length(geometry: &CloudGeometry) -> usize {
    fields(geometry).1 as usize
}

/// An empty cloud in `frame`.
pub(super) fn cloud(frame: &str, geometry: &CloudGeometry) -> PointCloud2 {
    let (fields, step) = fields(geometry);
    let field = |&(name, offset, quantity): &CloudField| PointField {
        name: name.to_owned(),
        offset,
        datatype: quantity.datatype().0,
        count: 1,
    };
    PointCloud2 {
        header: fill::header(SimTime::ZERO, frame),
        fields: fields.iter().map(field).collect(),
        point_step: step,
        ..PointCloud2::default()
    }
}

/// The points of a turn that ended at `time` [ns].
pub(super) fn fill_cloud(time: SimTime, cloud: &Cloud, geometry: &CloudGeometry, message: &mut PointCloud2) {
    let Layout { fields, step, is_stamped_at_start, row, density } = layout(geometry.layout);
    let start = time - cloud.duration;
    let stamp = if is_stamped_at_start { start } else { time };
    message.header.stamp = fill::stamp(stamp);
    let point_step = message.point_step as usize;
    let (count, rings) = (cloud.points.len(), geometry.rings.max(1));
    let is_whole = geometry.is_organized && count == geometry.rings * geometry.columns;
    let [height, width] = match row {
        _ if !is_whole => [1, count],
        Row::Ring => [geometry.rings, geometry.columns],
        Row::Column => [geometry.columns, geometry.rings],
    };
    (message.height, message.width) = (height as u32, width as u32);
    message.row_step = message.width * message.point_step;
    message.is_dense = match density {
        Density::Unorganized => !geometry.is_organized,
        Density::Counted => cloud.points.iter().all(CloudPoint::is_return),
        Density::Never => false,
    };
    let ring_of = |ring: usize| if geometry.is_numbered_down { (rings - 1).saturating_sub(ring) } else { ring };
    message.data.clear();
    message.data.resize(count * point_step, 0);
    let labels = labels(step);
    let labels: &[CloudField] = if geometry.has_labels { &labels } else { &[] };
    let mut write = |place: usize, point: &CloudPoint| {
        let bytes = &mut message.data[place * point_step..][..point_step];
        let at = start + SimTime(i64::from(point.since_start));
        for &(_, offset, quantity) in POSITION.iter().chain(fields).chain(labels) {
            let to = &mut bytes[offset as usize..][..quantity.datatype().1 as usize];
            match quantity {
                Quantity::Coordinate(axis) => to.copy_from_slice(&point.position[axis].to_le_bytes()),
                Quantity::Intensity(scale) => to.copy_from_slice(&(scale * point.intensity).to_le_bytes()),
                Quantity::Seconds => to.copy_from_slice(&((at - stamp).secs() as f32).to_le_bytes()),
                Quantity::Nanoseconds => to.copy_from_slice(&((at - stamp).0 as u32).to_le_bytes()),
                Quantity::Clock => to.copy_from_slice(&at.secs().to_le_bytes()),
                Quantity::ClockNanoseconds => to.copy_from_slice(&(at.0 as f64).to_le_bytes()),
                Quantity::IntensityOrNan(scale) => {
                    let intensity = if point.is_return() { scale * point.intensity } else { f32::NAN };
                    to.copy_from_slice(&intensity.to_le_bytes());
                }
                Quantity::Line => to[0] = point.ring.min(255) as u8,
                Quantity::Tag => to[0] = 0,
                Quantity::Ring => to.copy_from_slice(&(ring_of(point.ring.into()) as u16).to_le_bytes()),
                Quantity::Reflectivity => to.copy_from_slice(&((255.0 * point.intensity + 0.5) as u16).to_le_bytes()),
                Quantity::Ambient => to.copy_from_slice(&[0; 2]),
                Quantity::Range => to.copy_from_slice(&((1000.0 * point.range() + 0.5) as u32).to_le_bytes()),
                Quantity::Label(number) => to.copy_from_slice(&point.label[number].to_le_bytes()),
            }
        }
    };
    // Points come column by column, each in the order of its times.
    for (index, point) in cloud.points.iter().enumerate() {
        let (column, ring) = (index / rings, ring_of(usize::from(point.ring).min(rings - 1)));
        let place = match row {
            _ if !is_whole => index,
            Row::Ring => ring * geometry.columns + column,
            Row::Column => column * rings + ring,
        };
        write(place, point);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn geometry(layout: CloudLayout, is_organized: bool, has_labels: bool) -> CloudGeometry {
        let is_numbered_down = layout.counts_rings_down();
        CloudGeometry { rings: 2, columns: 2, is_organized, layout, is_numbered_down, has_labels, range_max: 100.0 }
    }

    /// Four points at x = 3, 4, 5, 6, column by column, at the end of each tenth of a second of a turn of 0.2 s.
    fn turn() -> Cloud {
        let point = |number: u16| CloudPoint {
            position: [f32::from(number) + 3.0, 0.0, 0.0],
            intensity: 0.5,
            since_start: 100_000_000 * (1 + u32::from(number / 2)),
            ring: number % 2,
            label: [4, number],
        };
        Cloud { points: (0..4).map(point).collect(), duration: SimTime(200_000_000), rays: 4 }
    }

    /// As many rays of two rings, none of which has returned.
    fn nothing(count: u16) -> Cloud {
        let points = (0..count).map(|number| CloudPoint { ring: number % 2, ..CloudPoint::NOTHING }).collect();
        Cloud { points, ..turn() }
    }

    fn message(geometry: &CloudGeometry) -> PointCloud2 {
        let mut message = cloud("lidar", geometry);
        fill_cloud(SimTime::from_secs(5.2), &turn(), geometry, &mut message);
        assert_eq!(message.data.len(), (message.height * message.row_step) as usize);
        message
    }

    fn bytes_of<const N: usize>(message: &PointCloud2, place: usize, name: &str) -> [u8; N] {
        let field = message.fields.iter().find(|field| field.name == name).unwrap();
        message.data[place * message.point_step as usize + field.offset as usize..][..N].try_into().unwrap()
    }

    #[test]
    fn no_two_fields_of_a_layout_overlap_and_all_fit_into_a_point() {
        for &(name, layout) in CloudLayout::NAMES {
            for has_labels in [false, true] {
                let (fields, step) = fields(&geometry(layout, false, has_labels));
                let mut end = 0;
                for (field, offset, quantity) in fields {
                    assert!(offset >= end, "{name}: {field}");
                    end = offset + quantity.datatype().1;
                }
                assert!(end <= step, "{name}");
            }
        }
    }

    #[test]
    fn each_layout_has_the_times_that_its_driver_gives() {
        let of = |layout| message(&geometry(layout, false, false));
        let mvsim = of(CloudLayout::Mvsim);
        assert_eq!((mvsim.header.stamp.sec, mvsim.header.stamp.nanosec), (5, 200_000_000));
        assert_eq!(f32::from_le_bytes(bytes_of(&mvsim, 0, "t")), -0.1);
        assert_eq!(f32::from_le_bytes(bytes_of(&of(CloudLayout::Velodyne), 3, "time")), 0.0);
        let ouster = of(CloudLayout::Ouster);
        assert_eq!(ouster.header.stamp.sec, 5);
        assert_eq!(u32::from_le_bytes(bytes_of(&ouster, 3, "t")), 200_000_000);
        assert_eq!(u32::from_le_bytes(bytes_of(&ouster, 1, "range")), 4000);
        let clock = f64::from_le_bytes(bytes_of(&of(CloudLayout::Hesai), 0, "timestamp"));
        assert!((clock - 5.1).abs() < 1e-9, "{clock}");
        let livox = of(CloudLayout::Livox);
        assert_eq!(f64::from_le_bytes(bytes_of(&livox, 0, "timestamp")), 5.1e9);
        assert_eq!([0, 1].map(|place| bytes_of::<1>(&livox, place, "line")), [[0], [1]]);
    }

    /// The x of all points in the order of the message, and their rings.
    fn places(message: &PointCloud2) -> ([f32; 4], [u16; 4]) {
        let places = [0, 1, 2, 3];
        let x = places.map(|place| f32::from_le_bytes(bytes_of(message, place, "x")));
        (x, places.map(|place| u16::from_le_bytes(bytes_of(message, place, "ring"))))
    }

    #[test]
    fn an_organised_cloud_has_a_row_for_each_ring() {
        let message = message(&geometry(CloudLayout::Mvsim, true, true));
        assert_eq!((message.height, message.width, message.is_dense), (2, 2, false));
        assert_eq!(places(&message), ([3.0, 5.0, 4.0, 6.0], [0, 0, 1, 1]));
        let label = |name| [0, 1, 2, 3].map(|place| u16::from_le_bytes(bytes_of(&message, place, name)));
        assert_eq!((label("class"), label("body")), ([4; 4], [0, 2, 1, 3]));
    }

    /// Name, offset and type of each field, the length of a point, whether it is stamped at the start, and `is_dense` of an unorganised cloud, as in
    /// the files named above. Types: 2 UINT8, 4 UINT16, 6 UINT32, 7 FLOAT32, 8 FLOAT64.
    type DriverLayout = (CloudLayout, &'static [(&'static str, u32, u8)], u32, bool, bool);
    const OF_DRIVERS: [DriverLayout; 4] = [
        (
            CloudLayout::Velodyne,
            &[("x", 0, 7), ("y", 4, 7), ("z", 8, 7), ("intensity", 12, 7), ("ring", 16, 4), ("time", 18, 7)],
            22,
            false,
            true,
        ),
        (
            CloudLayout::Ouster,
            &[
                ("x", 0, 7),
                ("y", 4, 7),
                ("z", 8, 7),
                ("intensity", 16, 7),
                ("t", 20, 6),
                ("reflectivity", 24, 4),
                ("ring", 26, 4),
                ("ambient", 28, 4),
                ("range", 32, 6),
            ],
            48,
            true,
            true,
        ),
        (
            CloudLayout::Hesai,
            &[("x", 0, 7), ("y", 4, 7), ("z", 8, 7), ("intensity", 12, 7), ("ring", 16, 4), ("timestamp", 18, 8)],
            26,
            true,
            false,
        ),
        (
            CloudLayout::Livox,
            &[
                ("x", 0, 7),
                ("y", 4, 7),
                ("z", 8, 7),
                ("intensity", 12, 7),
                ("tag", 16, 2),
                ("line", 17, 2),
                ("timestamp", 18, 8),
            ],
            26,
            true,
            true,
        ),
    ];

    #[test]
    fn fields_and_flags_are_those_of_the_drivers() {
        for (layout, expected, step, is_at_start, is_dense) in OF_DRIVERS {
            let message = message(&geometry(layout, false, false));
            let fields: Vec<(&str, u32, u8)> =
                message.fields.iter().map(|field| (field.name.as_str(), field.offset, field.datatype)).collect();
            assert_eq!(fields, expected, "{layout:?}");
            assert!(message.fields.iter().all(|field| field.count == 1) && !message.is_bigendian);
            assert_eq!((message.point_step, message.height, message.width, message.row_step), (step, 1, 4, 4 * step));
            assert_eq!((message.header.stamp.nanosec == 0, message.is_dense), (is_at_start, is_dense), "{layout:?}");
        }
    }

    #[test]
    fn organised_clouds_are_arranged_as_those_of_the_drivers() {
        // Velodyne: a row for each firing, the lowest ring first.
        let velodyne = message(&geometry(CloudLayout::Velodyne, true, false));
        assert_eq!((velodyne.height, velodyne.width, velodyne.is_dense), (2, 2, false));
        assert_eq!(places(&velodyne), ([3.0, 4.0, 5.0, 6.0], [0, 1, 0, 1]));
        // Ouster: a row for each ring, the highest first; dense if every ray returned.
        let ouster = message(&geometry(CloudLayout::Ouster, true, false));
        assert_eq!((ouster.height, ouster.width, ouster.is_dense), (2, 2, true));
        assert_eq!(places(&ouster), ([4.0, 6.0, 3.0, 5.0], [0, 0, 1, 1]));
        assert_eq!(u16::from_le_bytes(bytes_of(&ouster, 0, "reflectivity")), 128, "127.5, rounded");
        assert_eq!(places(&message(&geometry(CloudLayout::Hesai, false, false))).1, [1, 0, 1, 0]);
        // Rings and columns are not confused.
        let wide = CloudGeometry { columns: 3, ..geometry(CloudLayout::Velodyne, true, false) };
        let mut message = cloud("lidar", &wide);
        fill_cloud(SimTime(1), &nothing(6), &wide, &mut message);
        assert_eq!((message.height, message.width, message.row_step), (3, 2, 44));
        let wide = CloudGeometry { columns: 3, ..geometry(CloudLayout::Ouster, true, false) };
        let mut message = cloud("lidar", &wide);
        fill_cloud(SimTime(1), &nothing(6), &wide, &mut message);
        assert_eq!((message.height, message.width, message.row_step), (2, 3, 144));
    }

    #[test]
    fn what_did_not_return_is_nan_as_in_the_drivers() {
        let geometry = |layout| geometry(layout, true, false);
        let empty = nothing(4);
        let of = |layout| {
            let mut message = cloud("lidar", &geometry(layout));
            fill_cloud(SimTime::from_secs(5.2), &empty, &geometry(layout), &mut message);
            message
        };
        let velodyne = of(CloudLayout::Velodyne);
        assert!(
            ["x", "y", "z", "intensity"].iter().all(|name| f32::from_le_bytes(bytes_of(&velodyne, 0, name)).is_nan())
        );
        assert_eq!(u16::from_le_bytes(bytes_of(&velodyne, 1, "ring")), 1);
        let ouster = of(CloudLayout::Ouster);
        assert!(!ouster.is_dense && f32::from_le_bytes(bytes_of(&ouster, 3, "z")).is_nan());
        assert_eq!(u32::from_le_bytes(bytes_of(&ouster, 3, "range")), 0);
        assert_eq!(f32::from_le_bytes(bytes_of(&ouster, 3, "intensity")), 0.0);
    }
}
