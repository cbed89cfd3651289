//! Planar lidar, `<sensor class="laser">`: exact against map cells and outlines, at one instant or while it turns.
//!
//! ```xml
//! <sensor class="laser" name="scan">             the name is the ROS topic and the frame
//!   <pose_3d>x y z yaw pitch roll</pose_3d>      mounting on the vehicle [m], [deg]; or
//!   <pose>x y yaw</pose>                         at z = 0; or
//!   <height>0.05</height>                        in the middle [m]; default z = 0.05
//!   <fov_degrees>180</fov_degrees>               from −fov/2 to +fov/2 inclusive [deg], > 0 to 360
//!   <start_degrees>-90</start_degrees>           the first beam, counter-clockwise from the x axis [deg], ±360; default −fov/2
//!   <nrays>181</nrays>                           1 to 1 000 000 beams
//!   <min_range>0.02</min_range>                  nearer objects read −inf [m], ≥ 0
//!   <max_range>80</max_range>                    farther ones +inf [m], > 0
//!   <no_return>inf</no_return>                   what those without a return read: inf, max, below_max, nan, zero
//!   <no_return_is_max>false</no_return_is_max>   true: the same as max
//!   <range_std_noise>0.01</range_std_noise>      [m], and the other errors of modules `errors` and `range_errors`
//!   <range_std_noise_per_metre>0</…>             that times the range is the noise where it is more [m/m], ≥ 0
//!   <angle_std_noise_deg>0.01</angle_std_noise_deg>  of each beam's direction [deg], 0 to 10
//!   <bodies_visible>true</bodies_visible>        false: sees the map only
//!   <raytrace_3d>false</raytrace_3d>             true: beams are cast in three dimensions, from the sensor's own height and attitude; those
//!                                                of a tilted lidar always are
//!   <ignore_parent_body>false</…>                true: does not see its own vehicle then; default true unless raytrace_3d is true
//!   <publish_ros_pointcloud>false</…>            true: there is the topic NAME_points too, with a point for each return
//!   <labels>false</labels>                       true: these have the fields class and body; of beams in three dimensions
//!   <rotation>instant</rotation>                 all beams at one instant; or counterclockwise, clockwise: about the z axis, once in a period
//!   <scan_motion>true</scan_motion>              false: instant, whatever the rotation
//!   <scan_stamp>first_beam</scan_stamp>          of a rotating one: time of the message, first_beam, start or end of the sweep
//!   <intensities>false</intensities>             true: messages have intensities; of beams in three dimensions
//!   <intensity_of_white>1</intensity_of_white>   of a white surface at a right angle, > 0
//!   <sensor_period>0.1</sensor_period>           [s], ≥ 1e-4
//! </sensor>
//! ```
//! Ranges follow REP 117. A range is measured along the beam's true direction and reported under its nominal one. Noise
//! is added to returns only. `min_range` and `start_degrees` are skidpad's own. Angles run about the z axis of the
//! sensor (sensor_msgs/LaserScan): of one upside down, with a roll of 180°, they run clockwise as seen from above. With
//! `raytrace_3d`, and where the mounting tilts the x–y plane of the sensor by more than 0.1°, beams meet what a [lidar
//! in three dimensions](super::lidar3d) sees. Otherwise they lie in the plane whatever the attitude of the vehicle,
//! which is never seen itself, and meet the outlines of the bodies that reach the height of the sensor. A sensor at
//! z ≤ 0, as after a `<pose>` without a `<height>`, meets all bodies of the vehicle's own storey: from the ground under
//! it to the top of its chassis. Maps have all heights. Under MVSim's rules outlines count at any height.
//!
//! A rotating lidar measures its last beam at the time of the sample, and the others before it, at the rate of its
//! rotation. The sensor moves evenly between two steps. Beams in the plane start within half a millimetre of where it is
//! then, or within the way of four beams. Ranges are listed in the order of angles in any case. Intensity is that of [`lidar3d`](super::lidar3d). Not modelled: beam width;
//! in the plane also pitch and roll of the vehicle.

mod look;
mod sweep;

use std::iter;

use skidpad_files::counted::counted;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Vec2, Vec3};
use skidpad_xml::{Accept, Reader};

pub use self::sweep::{ScanMotion, ScanStamp};
use super::description::{label_bits, single_bits};
use super::mounting::{PlanarMounting, read_mounting, read_space};
use super::noise::ReadingNoise;
use super::probe;
use super::range_errors::RangeErrors;
use super::turn::{Turn, Way, period_start};
use super::{
    Column, Delivered, Measured, NumberType, RangeErrorParameters, ReadingData, Scan, ScanGeometry, Sensor,
    SensorContext, SensorDescription, SensorEntry, SensorInfo, SensorKind, SensorSize, SensorTopic, Values, View,
};
use crate::raycast::space::Ray;
use crate::raycast::space::batch::Batch;
use crate::raycast::vectors::vectorized;

/// What a beam without a return reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NoReturn {
    /// +inf (REP 117).
    #[default]
    Infinity,
    /// The farthest measurable distance, as drivers do that know no infinity.
    Max,
    /// A little less, which readers take for a point: laser_geometry drops what is at the farthest distance, and
    /// costmaps clear nothing there.
    BelowMax,
    /// NaN, as ld08_driver does.
    Nan,
    /// 0, as drivers that pass on the raw value of the device.
    Zero,
}

impl NoReturn {
    /// Their names for users.
    pub const NAMES: &[(&str, NoReturn)] = &[
        ("inf", NoReturn::Infinity),
        ("max", NoReturn::Max),
        ("below_max", NoReturn::BelowMax),
        ("nan", NoReturn::Nan),
        ("zero", NoReturn::Zero),
    ];

    /// How much less than the farthest distance [m]: that of nav2's loopback simulator.
    const BELOW: f32 = 0.1;

    /// The range [m] with this farthest one [m].
    fn range(self, max: f64) -> f32 {
        match self {
            NoReturn::Infinity => f32::INFINITY,
            NoReturn::Max => max as f32,
            NoReturn::BelowMax => max as f32 - NoReturn::BELOW,
            NoReturn::Nan => f32::NAN,
            NoReturn::Zero => 0.0,
        }
    }
}

/// Geometry and accuracy of a lidar.
#[derive(Clone, Debug, PartialEq)]
pub struct Lidar2dParameters {
    /// Mounting on the vehicle [m, rad].
    pub body_from_sensor: Pose3,
    /// Angle from the first to the last beam [rad].
    pub fov: f64,
    /// Angle of the first beam [rad], counter-clockwise from the sensor's x axis; none: −fov/2.
    pub start: Option<f64>,
    /// Number of beams.
    pub count: usize,
    /// Nearest measurable distance [m].
    pub range_min: f64,
    /// Farthest measurable distance [m].
    pub range_max: f64,
    /// What a beam without a return reads.
    pub no_return: NoReturn,
    /// Errors of ranges.
    pub errors: RangeErrorParameters,
    /// Standard deviation of the noise per range [-], where that is more than the white noise.
    pub noise_per_metre: f64,
    /// Standard deviation of beam directions [rad].
    pub angle_std: f64,
    /// Whether vehicles, blocks and walls are seen beside the map.
    pub bodies_visible: bool,
    /// Whether beams are cast in three dimensions, as those of a tilted one are in any case.
    pub is_spatial: bool,
    /// Whether it then does not see its own vehicle.
    pub ignores_parent: bool,
    /// Whether the scan is published as points too.
    pub has_points: bool,
    /// Whether these have what they belong to, which beams in three dimensions know.
    pub has_labels: bool,
    /// Whether it turns clockwise while it measures, and what its stamps are; none: it measures at an instant.
    pub rotation: Option<(bool, ScanStamp)>,
    /// Intensity of a white surface at a right angle; none: messages have no intensities.
    pub white: Option<f64>,
    /// Time between sweeps [ns].
    pub period: SimTime,
}

impl Default for Lidar2dParameters {
    fn default() -> Lidar2dParameters {
        Lidar2dParameters {
            body_from_sensor: Pose3 { z: 0.05, ..Pose3::default() },
            fov: std::f64::consts::PI,
            start: None,
            count: 181,
            range_min: 0.02,
            range_max: 80.0,
            no_return: NoReturn::default(),
            errors: RangeErrorParameters::white(0.01),
            noise_per_metre: 0.0,
            angle_std: 0.01_f64.to_radians(),
            bodies_visible: true,
            is_spatial: false,
            ignores_parent: false,
            has_points: false,
            has_labels: false,
            rotation: None,
            white: None,
            period: SimTime(100_000_000),
        }
    }
}

/// Its line of [`SENSORS`](super::SENSORS).
pub const ENTRY: SensorEntry = SensorEntry {
    name: "laser",
    help: "planar lidar, exact against maps and shapes",
    topics: &[SensorTopic { suffix: "", message: "sensor_msgs/msg/LaserScan" }, POINTS],
    casts_rays: true,
    interpolates: false,
    read: |reader, context| Box::new(Lidar2d::read(reader, context)),
};

impl SensorDescription for ScanGeometry {
    fn entry(&self) -> &'static SensorEntry {
        &ENTRY
    }

    fn in_words(&self, rate: &str) -> String {
        let span = (self.angle_increment * (self.count.max(1) - 1) as f64).abs().to_degrees();
        let (beams, [min, max]) = (counted(self.count, "beam"), [self.range_min, self.range_max]);
        format!("planar lidar, {beams} over {span:.1}°, {rate}, {min} to {max} m")
    }

    fn columns(&self) -> Option<Vec<Column>> {
        let labels = self.has_labels.then(|| Column::new("labels", [self.count, 2], NumberType::U16));
        let intensities = self.white.map(|_| Column::new("intensities", [self.count], NumberType::F32));
        let ranges = Column::new("ranges", [self.count], NumberType::F32);
        Some(iter::once(ranges).chain(intensities).chain(labels).collect())
    }

    fn values<'a>(&self, column: &str, sample: Delivered<'a>) -> Option<Values<'a>> {
        let scan = sample.data.scan()?;
        Some(match column {
            "ranges" => Values::F32(&scan.ranges),
            "intensities" => Values::F32(&scan.intensities),
            _ => Values::U16(&scan.labels),
        })
    }

    fn has_topic(&self, topic: &SensorTopic) -> bool {
        self.has_points || topic.suffix != POINTS.suffix
    }

    fn has_labels(&self) -> bool {
        self.has_labels
    }

    fn range_max(&self) -> Option<f64> {
        Some(self.range_max)
    }
}

impl Measured for Scan {
    fn append_bits(&self, bits: &mut Vec<u64>) {
        let Scan { ranges, intensities, labels, since_end: _ } = self;
        bits.extend(single_bits(ranges).chain(single_bits(intensities)).chain(label_bits(labels)));
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.ranges[..]) + size_of_val(&self.intensities[..]) + size_of_val(&self.labels[..])
    }

    fn rays(&self) -> u64 {
        self.ranges.len() as u64
    }
}

/// The scan as points, on request.
pub(super) const POINTS: SensorTopic = SensorTopic { suffix: "_points", message: "sensor_msgs/msg/PointCloud2" };

/// A planar lidar and its scratch.
#[derive(Clone, Debug)]
pub struct Lidar2d {
    parameters: Lidar2dParameters,
    info: SensorInfo,
    geometry: ScanGeometry,
    /// How it is mounted if its beams are cast in the plane.
    plane: Option<PlanarMounting>,
    /// Nominal directions in the sensor frame; in the plane as seen from above, counter-clockwise.
    nominal: Vec<Vec2>,
    directions: Vec<Vec2>,
    /// Of the turn in progress [m], in the order of `nominal`.
    ranges: Vec<f64>,
    intensities: Vec<f32>,
    labels: Vec<[u16; 2]>,
    /// How far a rotating one has come.
    progress: Turn,
    batch: Batch,
    /// Samples of noise, one for each beam.
    deviations: Vec<f64>,
    scratch: Vec<f64>,
    range_noise: ReadingNoise,
    angle_noise: ReadingNoise,
    errors: RangeErrors,
}

impl Lidar2d {
    /// A lidar with the name in `context`.
    pub fn new(parameters: Lidar2dParameters, context: &SensorContext) -> Lidar2d {
        let geometry = scan_geometry(&parameters);
        let plane = PlanarMounting::of(&parameters.body_from_sensor).filter(|_| !parameters.is_spatial);
        let direction = |beam: usize| {
            let (sin, cos) = libm::sincos(geometry.angle(beam));
            Vec2::new(cos, sin)
        };
        let nominal = match plane {
            Some(plane) if plane.is_upside_down => {
                (0..geometry.count).rev().map(direction).map(|seen| Vec2::new(seen.x, -seen.y)).collect()
            }
            _ => (0..geometry.count).map(direction).collect(),
        };
        let info = SensorInfo {
            name: context.name.clone(),
            period: parameters.period,
            body_from_sensor: parameters.body_from_sensor,
            kind: SensorKind::Lidar2d(geometry),
        };
        let noise = |name| ReadingNoise::new(context.seed, &format!("{}/{}/{name}", context.vehicle, context.name));
        Lidar2d {
            info,
            geometry,
            plane,
            nominal,
            directions: vec![Vec2::ZERO; geometry.count],
            ranges: vec![0.0; geometry.count],
            intensities: vec![0.0; if geometry.white.is_some() { geometry.count } else { 0 }],
            labels: vec![[0; 2]; if geometry.has_labels { geometry.count } else { 0 }],
            progress: Turn::default(),
            batch: Batch::default(),
            deviations: vec![0.0; geometry.count],
            // One number for 16 beams of a cast.
            scratch: Vec::with_capacity(geometry.count.div_ceil(16)),
            range_noise: noise("range"),
            angle_noise: noise("angle"),
            errors: RangeErrors::new(parameters.errors, "range", parameters.period, context),
            parameters,
        }
    }

    /// Reads the XML block above.
    pub fn read(reader: &Reader<'_>, context: &SensorContext) -> Lidar2d {
        let d = Lidar2dParameters::default();
        reader.ignore(&[
            "class",
            "name",
            "visual",
            "publish",
            "viz_pointSize",
            "viz_visiblePlane",
            "viz_visibleLines",
            "viz_visiblePoints",
            "viz_pointsColor",
            "viz_planeColor",
        ]);
        let period = reader.f64("sensor_period", d.period.secs(), Accept::range(1e-4, 1e6));
        let range_min = reader.f64("min_range", d.range_min, Accept::non_negative());
        let range_max = reader.f64("max_range", d.range_max, Accept::positive());
        if range_max <= range_min {
            reader.error(format!("<max_range> {range_max} is not beyond <min_range> {range_min}"));
        }
        let body_from_sensor = read_mounting(reader, d.body_from_sensor);
        let plane = PlanarMounting::of(&body_from_sensor);
        let (is_spatial, ignores_parent) = read_space(reader, plane, [d.is_spatial, d.ignores_parent]);
        let bodies_visible = reader.bool("bodies_visible", d.bodies_visible);
        if is_spatial && !bodies_visible {
            let message = "bodies_visible false has no effect: beams in three dimensions meet everything";
            reader.warn_at("bodies_visible", message);
        }
        let has_points = reader.bool("publish_ros_pointcloud", d.has_points);
        let has_labels = reader.bool("labels", d.has_labels);
        let in_space = is_spatial || plane.is_none();
        if has_labels && !(has_points && in_space) {
            let message = "labels has no effect without publish_ros_pointcloud and raytrace_3d";
            reader.warn_at("labels", message);
        }
        let is_max = reader.bool("no_return_is_max", false);
        let no_return = reader.choice("no_return", if is_max { NoReturn::Max } else { d.no_return }, NoReturn::NAMES);
        const ROTATIONS: &[(&str, Option<bool>)] =
            &[("instant", None), ("counterclockwise", Some(false)), ("clockwise", Some(true))];
        let turns = reader.bool("scan_motion", true);
        let rotation = reader.choice("rotation", None, ROTATIONS).filter(|_| turns);
        let stamp = reader.choice("scan_stamp", ScanStamp::default(), ScanStamp::NAMES);
        let has_intensities = reader.bool("intensities", false);
        let white = reader.f64("intensity_of_white", 1.0, Accept::positive());
        if has_intensities && !in_space {
            let message = "intensities has no effect without raytrace_3d: beams in the plane know no colours";
            reader.warn_at("intensities", message);
        }
        let parameters = Lidar2dParameters {
            body_from_sensor,
            fov: reader.degrees("fov_degrees", d.fov, Accept::range(1e-3, 360.0)),
            start: reader.optional_f64("start_degrees", Accept::range(-360.0, 360.0)).map(f64::to_radians),
            count: reader.integer("nrays", d.count as i64, Accept::range(1.0, 1e6)) as usize,
            range_min,
            range_max,
            no_return,
            errors: RangeErrorParameters::read(reader, "range", d.errors, period),
            noise_per_metre: reader.f64("range_std_noise_per_metre", d.noise_per_metre, Accept::non_negative()),
            angle_std: reader.degrees("angle_std_noise_deg", d.angle_std, Accept::range(0.0, 10.0)),
            bodies_visible,
            is_spatial,
            ignores_parent,
            has_points,
            has_labels: has_labels && has_points && in_space,
            rotation: rotation.map(|is_clockwise| (is_clockwise, stamp)),
            white: (has_intensities && in_space).then_some(white),
            period: SimTime::from_secs(period),
        };
        Lidar2d::new(parameters, context)
    }
}

impl Sensor for Lidar2d {
    fn info(&self) -> &SensorInfo {
        &self.info
    }

    fn needs_space(&self) -> bool {
        self.plane.is_none()
    }

    fn probes(&self) -> Vec<Ray> {
        if self.plane.is_some() || self.parameters.ignores_parent {
            return Vec::new();
        }
        let along = |beam: usize| Vec3::new(self.nominal[beam].x, self.nominal[beam].y, 0.0);
        probe::rays(&self.info.body_from_sensor, self.nominal.len(), along, self.parameters.range_max)
    }

    fn size(&self) -> SensorSize {
        let rays = self.geometry.count as u64;
        let of_label = if self.geometry.has_labels { 4 } else { 0 };
        let of_intensity = if self.geometry.white.is_some() { 4 } else { 0 };
        let more = of_label + of_intensity;
        // Two directions, range, deviation, scratch, and a triangle of the batch.
        let of_ray = 2 * size_of::<Vec2>() as u64 + 4 * 8 + more;
        SensorSize { rays, sample: (4 + more) * rays, scratch: rays * of_ray, ..SensorSize::SMALL }
    }

    fn watches(&self) -> bool {
        self.geometry.motion.is_some()
    }

    fn new_reading(&self) -> ReadingData {
        let (intensities, labels) = (self.intensities.clone(), self.labels.clone());
        ReadingData::Scan(Scan { ranges: vec![f32::NAN; self.geometry.count], intensities, labels, ..Scan::default() })
    }

    fn restart(&mut self) {
        self.range_noise.restart();
        self.angle_noise.restart();
        self.errors.restart();
        self.progress.drop();
    }

    fn skip(&mut self, time: SimTime, world_from_body: Pose3) {
        self.range_noise.skip();
        if !self.progress.is_filled {
            self.angle_noise.skip();
        }
        self.errors.skip(time);
        if self.watches() {
            self.progress.drop_if_time_went_back(time);
            self.progress.begin(period_start(time, self.info.period));
            self.progress.before = Some((time, world_from_body));
        }
    }

    fn watch(&mut self, view: &View<'_>) {
        if self.geometry.motion.is_none() {
            return;
        }
        self.progress.drop_if_time_went_back(view.time);
        if self.progress.start.is_none() {
            self.progress.begin(period_start(view.time, self.info.period));
        }
        self.fill_sweep();
        let way = self.progress.way(view);
        self.cast_due(&way, view);
        self.progress.before = Some((view.time, view.world_from_body));
    }

    fn sense(&mut self, view: &View<'_>, out: &mut ReadingData) {
        let Some(scan) = out.scan_mut() else { return };
        self.range_noise.begin();
        let count = self.geometry.count;
        let rotates = self.geometry.motion.is_some();
        let sweep = rotates.then(|| {
            self.progress.drop_if_time_went_back(view.time);
            (self.progress.way(view), period_start(view.time, self.info.period))
        });
        if let Some((way, end)) = sweep {
            scan.since_end = SimTime::ZERO;
            if self.progress.start.is_some_and(|start| start + self.info.period == end) {
                self.fill_sweep();
                self.cast_until(count, &way, view);
                scan.since_end = view.time - end;
            } else {
                // No sweep ends here: all beams are measured now.
                self.progress.begin(view.time - self.info.period);
                self.fill_sweep();
                self.cast_until(count, &Way::still(view.time, view.world_from_body), view);
            }
        } else {
            self.begin_sweep();
            match (self.plane, view.space) {
                (Some(plane), _) => self.look_in_plane(0..count, (plane, view.world_from_body, 0.0), view),
                (None, Some(space)) => {
                    let world_from_sensor = view.world_from_body * self.parameters.body_from_sensor;
                    let eye = (world_from_sensor.position(), world_from_sensor.rotation());
                    self.look_around(0..count, |_| eye, view, space);
                }
                (None, None) => {}
            }
        }
        if self.plane.is_some_and(|plane| plane.is_upside_down) {
            self.ranges.reverse();
        }
        scan.labels.clone_from(&self.labels);
        scan.intensities.clone_from(&self.intensities);
        let (range_min, range_max) = (self.parameters.range_min, self.parameters.range_max);
        let mut std = view.range_noise_override.unwrap_or(self.parameters.errors.white_std());
        let per_metre = view.range_noise_override.map_or(self.parameters.noise_per_metre, |_| 0.0);
        scan.ranges.resize(self.ranges.len(), f32::NAN);
        if std > 0.0 || per_metre > 0.0 {
            // One draw for every beam, so that a beam's noise does not depend on what the others see.
            self.range_noise.white.fill(&mut self.deviations);
        }
        self.errors.begin(view.time);
        if per_metre > 0.0 {
            for (range, deviation) in self.ranges.iter_mut().zip(&self.deviations) {
                *range += (per_metre * range.min(range_max) - std).max(0.0) * deviation;
            }
        }
        if self.errors.any() {
            for (range, deviation) in self.ranges.iter_mut().zip(&self.deviations) {
                *range = self.errors.disturb(*range + std * deviation);
            }
            std = 0.0;
        }
        let far = view.no_return_override.unwrap_or(self.parameters.no_return).range(range_max);
        report(&self.ranges, std, &self.deviations, [range_min, range_max], far, &mut scan.ranges);
        for (intensity, range) in scan.intensities.iter_mut().zip(&scan.ranges) {
            let has_returned = range.is_finite() && range.to_bits() != far.to_bits();
            *intensity = if has_returned { *intensity } else { 0.0 };
        }
        if let Some((way, end)) = sweep {
            // The next sweep has begun at the end of this one.
            self.progress.begin(end);
            if end < view.time {
                self.fill_sweep();
                self.cast_due(&way, view);
            }
            self.progress.before = Some((view.time, view.world_from_body));
        }
    }
}

vectorized! {
    /// Writes the measured distances [m] in the convention of REP 117: `ranges`, each with `std` [m] times its deviation, between
    /// these limits [m], and `far` [m] beyond.
    fn report(ranges: &[f64], std: f64, deviations: &[f64], limits: [f64; 2], far: f32, out: &mut [f32]) {
        for ((out, &range), &deviation) in out.iter_mut().zip(ranges).zip(deviations) {
            let range = if std > 0.0 { range + std * deviation } else { range };
            let near = if range < limits[0] { f32::NEG_INFINITY } else { range as f32 };
            *out = if range > limits[1] { far } else { near };
        }
    }
}

impl Default for ScanGeometry {
    /// That of a lidar of which a file says nothing more.
    fn default() -> ScanGeometry {
        scan_geometry(&Lidar2dParameters::default())
    }
}

/// The beams: inclusive of both ends of the field of view; a single one looks ahead.
fn scan_geometry(parameters: &Lidar2dParameters) -> ScanGeometry {
    let count = parameters.count.max(1);
    let (middle, angle_increment) =
        if count == 1 { (0.0, 0.0) } else { (-0.5 * parameters.fov, parameters.fov / (count - 1) as f64) };
    let angle_min = parameters.start.unwrap_or(middle);
    ScanGeometry {
        count,
        angle_min,
        angle_increment,
        range_min: parameters.range_min,
        range_max: parameters.range_max,
        range_std: parameters.errors.errors.variance().sqrt(),
        has_points: parameters.has_points,
        has_labels: parameters.has_labels,
        white: parameters.white,
        motion: parameters.rotation.map(|(is_clockwise, stamp)| {
            // Once around in a period.
            let share = if count > 1 { angle_increment / (2.0 * std::f64::consts::PI) } else { 1.0 };
            ScanMotion { beam_time: parameters.period.secs() * share, is_clockwise, stamp }
        }),
    }
}

#[cfg(test)]
mod tests;
