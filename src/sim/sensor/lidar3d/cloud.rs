//! The cloud of points of one turn.

use skidpad_math::time::SimTime;

/// The points of one turn of a lidar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cloud {
    /// Returns in the order of their times; in an organised cloud every ray has one, which may be [`CloudPoint::NOTHING`].
    pub points: Vec<CloudPoint>,
    /// Time from the start of the turn to the reading [ns].
    pub duration: SimTime,
    /// Number of rays that were cast.
    pub rays: u64,
}

impl Cloud {
    /// An empty one with room for `count` points.
    pub(super) fn with_room(count: usize) -> Cloud {
        Cloud { points: Vec::with_capacity(count), ..Cloud::default() }
    }

    /// Copies another one into the buffer of this one.
    pub fn copy_from(&mut self, other: &Cloud) {
        self.points.clone_from(&other.points);
        (self.duration, self.rays) = (other.duration, other.rays);
    }
}

/// A return.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CloudPoint {
    /// Position in the frame of the sensor at the time of the point [m]; NaN where nothing returned.
    pub position: [f32; 3],
    /// Reflectivity of the surface times the cosine of incidence, 0 to 1.
    pub intensity: f32,
    /// Time since the start of the turn [ns].
    pub since_start: u32,
    /// Ring, from the lowest.
    pub ring: u16,
    /// What it belongs to: number of the class, and of the body; 0 0 where nothing returned.
    pub label: [u16; 2],
}

impl CloudPoint {
    /// A ray without return.
    pub const NOTHING: CloudPoint =
        CloudPoint { position: [f32::NAN; 3], intensity: 0.0, since_start: 0, ring: 0, label: [0; 2] };

    /// Whether something returned.
    pub fn is_return(&self) -> bool {
        !self.position[0].is_nan()
    }

    /// Distance from the sensor [m]; NaN where nothing returned.
    pub fn range(&self) -> f32 {
        self.position.map(|c| c * c).iter().sum::<f32>().sqrt()
    }
}

/// What clouds of a lidar look like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CloudGeometry {
    /// Number of rings.
    pub rings: usize,
    /// Number of columns of a turn.
    pub columns: usize,
    /// Whether every ray has a point.
    pub is_organized: bool,
    /// Fields of messages.
    pub layout: CloudLayout,
    /// Whether ring 0 of messages is the highest, instead of the lowest.
    pub is_numbered_down: bool,
    /// Whether messages contain what points belong to.
    pub has_labels: bool,
    /// Largest range [m].
    pub range_max: f64,
}

/// Which fields the messages of a cloud have: those of MVSim, or those that drivers of these makes publish.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CloudLayout {
    /// MVSim's `x y z intensity t ring`.
    #[default]
    Mvsim,
    /// That of `velodyne_pointcloud`.
    Velodyne,
    /// That of `ouster_ros`.
    Ouster,
    /// That of `hesai_ros_driver`.
    Hesai,
    /// That of `livox_ros_driver2` with `xfer_format` 0.
    Livox,
}

impl CloudLayout {
    /// The names in world files.
    pub const NAMES: &[(&str, CloudLayout)] = &[
        ("mvsim", CloudLayout::Mvsim),
        ("velodyne", CloudLayout::Velodyne),
        ("ouster", CloudLayout::Ouster),
        ("hesai", CloudLayout::Hesai),
        ("livox", CloudLayout::Livox),
    ];

    /// Whether the driver publishes organised clouds unless it is told otherwise: `organize_cloud` of
    /// velodyne_pointcloud and `organized` of ouster_ros are true by default.
    pub fn is_organized_by_default(self) -> bool {
        matches!(self, CloudLayout::Velodyne | CloudLayout::Ouster)
    }

    /// Whether the maker counts rings from the highest: beams of Ouster (`beam_altitude_angles`), channels of Hesai's XT, OT and Pandar
    /// (the files of angle corrections of HesaiLidar_SDK_2.0).
    pub fn counts_rings_down(self) -> bool {
        matches!(self, CloudLayout::Ouster | CloudLayout::Hesai)
    }
}
