//! Planar lidar, `<sensor class="laser">`: one sweep at one instant, exact against map cells and outlines.
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
//!   <no_return_is_max>false</no_return_is_max>   true: they read max_range instead of +inf
//!   <range_std_noise>0.01</range_std_noise>      [m], and the other errors of modules `errors` and `range_errors`
//!   <angle_std_noise_deg>0.01</angle_std_noise_deg>  of each beam's direction [deg], 0 to 10
//!   <bodies_visible>true</bodies_visible>        false: sees the map only
//!   <raytrace_3d>false</raytrace_3d>             true: beams are cast in three dimensions, from the sensor's own height and attitude; those
//!                                                of a tilted lidar always are
//!   <ignore_parent_body>false</…>                true: does not see its own vehicle then; default true unless raytrace_3d is true
//!   <publish_ros_pointcloud>false</…>            true: there is the topic NAME_points too, with a point for each return
//!   <labels>false</labels>                       true: these have the fields class and body; of beams in three dimensions
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
//! it to the top of its chassis. Maps have all heights. Under MVSim's rules outlines count at any height. Not modelled:
//! intensity, beam width, motion within the sweep; in the plane also pitch and roll of the vehicle.

use std::iter;

use skidpad_files::counted::counted;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Pose3, Rot2, Vec2, Vec3};
use skidpad_xml::{Accept, Reader};

use super::camera::label_of;
use super::description::{label_bits, single_bits};
use super::mounting::{PlanarMounting, read_mounting, read_space};
use super::noise::ReadingNoise;
use super::probe;
use super::range_errors::RangeErrors;
use super::{
    Column, Delivered, Measured, NumberType, RangeErrorParameters, ReadingData, Scan, ScanGeometry, Sensor,
    SensorContext, SensorDescription, SensorEntry, SensorInfo, SensorKind, SensorSize, SensorTopic, Values, View,
};
use crate::raycast::space::batch::Batch;
use crate::raycast::space::{Looker, PACKET, Ray, Space};
use crate::raycast::vectors::vectorized;
use crate::raycast::{ALL_HEIGHTS, Fan};

/// A beam's direction is never turned by more than this many standard deviations, so that beams keep their neighbours.
const MAX_DEVIATIONS: f64 = 6.0;

/// Beams in space that are cast before it looks again whether the look is cancelled.
const BATCH: usize = 1024;

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
}

impl NoReturn {
    /// Their names for users.
    pub const NAMES: [(&str, NoReturn); 3] =
        [("inf", NoReturn::Infinity), ("max", NoReturn::Max), ("below_max", NoReturn::BelowMax)];

    /// How much less than the farthest distance [m]: that of nav2's loopback simulator.
    const BELOW: f32 = 0.1;

    /// The range [m] with this farthest one [m].
    fn range(self, max: f64) -> f32 {
        match self {
            NoReturn::Infinity => f32::INFINITY,
            NoReturn::Max => max as f32,
            NoReturn::BelowMax => max as f32 - NoReturn::BELOW,
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
            angle_std: 0.01_f64.to_radians(),
            bodies_visible: true,
            is_spatial: false,
            ignores_parent: false,
            has_points: false,
            has_labels: false,
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
        Some(iter::once(Column::new("ranges", [self.count], NumberType::F32)).chain(labels).collect())
    }

    fn values<'a>(&self, column: &str, sample: Delivered<'a>) -> Option<Values<'a>> {
        let scan = sample.data.scan()?;
        Some(if column == "ranges" { Values::F32(&scan.ranges) } else { Values::U16(&scan.labels) })
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
        let Scan { ranges, labels } = self;
        bits.extend(single_bits(ranges).chain(label_bits(labels)));
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.ranges[..]) + size_of_val(&self.labels[..])
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
    ranges: Vec<f64>,
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
            batch: Batch::default(),
            deviations: vec![0.0; geometry.count],
            scratch: Vec::new(),
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
        let parameters = Lidar2dParameters {
            body_from_sensor,
            fov: reader.degrees("fov_degrees", d.fov, Accept::range(1e-3, 360.0)),
            start: reader.optional_f64("start_degrees", Accept::range(-360.0, 360.0)).map(f64::to_radians),
            count: reader.integer("nrays", d.count as i64, Accept::range(1.0, 1e6)) as usize,
            range_min,
            range_max,
            no_return: if reader.bool("no_return_is_max", false) { NoReturn::Max } else { d.no_return },
            errors: RangeErrorParameters::read(reader, "range", d.errors, period),
            angle_std: reader.degrees("angle_std_noise_deg", d.angle_std, Accept::range(0.0, 10.0)),
            bodies_visible,
            is_spatial,
            ignores_parent,
            has_points,
            has_labels: has_labels && has_points && in_space,
            period: SimTime::from_secs(period),
        };
        Lidar2d::new(parameters, context)
    }

    /// Points the beams, each with its own error, from a sensor at this pose.
    fn point_beams(&mut self, world_from_sensor: Pose2) {
        let rotation = world_from_sensor.rotation();
        if self.parameters.angle_std == 0.0 {
            for (direction, &nominal) in self.directions.iter_mut().zip(&self.nominal) {
                *direction = rotation * nominal;
            }
            return;
        }
        self.angle_noise.white.fill(&mut self.deviations);
        turn(&self.nominal, rotation, self.parameters.angle_std, &self.deviations, &mut self.directions);
    }

    /// Casts the beams in the plane, against maps and outlines.
    fn look_in_plane(&mut self, plane: PlanarMounting, view: &View<'_>) {
        let world_from_sensor = view.world_from_body.planar() * plane.body_from_sensor;
        self.point_beams(world_from_sensor);
        let last = self.geometry.angle(self.geometry.count - 1);
        let rightmost = if plane.is_upside_down { -last } else { self.geometry.angle_min };
        let range_max = self.parameters.range_max;
        let origin = world_from_sensor.position();
        for grid in view.grids {
            grid.cast_fan(origin, &self.directions, range_max, &mut self.ranges);
        }
        if self.parameters.bodies_visible {
            let fan = Fan {
                meets_glass: false,
                origin,
                directions: &self.directions,
                angle_min: world_from_sensor.yaw + rightmost,
                angle_increment: self.geometry.angle_increment,
                tolerance: MAX_DEVIATIONS * self.parameters.angle_std,
                max_range: range_max,
                heights: if view.heights == ALL_HEIGHTS || self.parameters.body_from_sensor.z <= 0.0 {
                    view.heights
                } else {
                    [view.world_from_body.z + self.parameters.body_from_sensor.z; 2]
                },
            };
            view.obstacles.cast_fan(&fan, Some(view.vehicle), &mut self.ranges, &mut self.scratch);
        }
        if plane.is_upside_down {
            self.ranges.reverse();
        }
    }

    /// Casts the beams in three dimensions, and writes labels if there are any.
    fn look_around(&mut self, view: &View<'_>, space: &Space, labels: &mut [[u16; 2]]) {
        self.point_beams(Pose2::IDENTITY);
        let world_from_sensor = view.world_from_body * self.parameters.body_from_sensor;
        let (origin, rotation) = (world_from_sensor.position(), world_from_sensor.rotation());
        let hidden = self.parameters.ignores_parent.then_some(view.vehicle);
        let (directions, far) = (&self.directions, self.parameters.range_max);
        let ray = |beam: usize| {
            let direction = rotation * Vec3::new(directions[beam].x, directions[beam].y, 0.0);
            Ray { origin, direction, near: Ray::START, far, hidden, looker: Looker::Lidar }
        };
        self.batch.find(space, directions.len(), hidden, |beams, each| beams.for_each(|beam| each(ray(beam))));
        for (packet, ranges) in self.ranges.chunks_mut(PACKET).enumerate() {
            let first = PACKET * packet;
            if first.is_multiple_of(BATCH) && view.is_cancelled() {
                return;
            }
            let rays: [Ray; PACKET] = std::array::from_fn(|lane| ray((first + lane).min(directions.len() - 1)));
            let hits = self.batch.cast_packet(space, |lane| first + lane, &rays[..ranges.len()]);
            for (lane, range) in ranges.iter_mut().enumerate() {
                let hit = space.pass_glass(&rays[lane], hits[lane]);
                *range = hit.map_or(f64::INFINITY, |hit| hit.range);
                if let Some(label) = labels.get_mut(first + lane) {
                    *label = label_of(space, hit);
                }
            }
        }
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
        // Two directions, range, deviation, scratch, and a triangle of the batch.
        let of_ray = 2 * size_of::<Vec2>() + 4 * 8;
        let of_label = if self.geometry.has_labels { 4 } else { 0 };
        SensorSize { rays, sample: (4 + of_label) * rays, scratch: rays * of_ray as u64, ..SensorSize::SMALL }
    }

    fn new_reading(&self) -> ReadingData {
        let labels = vec![[0; 2]; if self.geometry.has_labels { self.geometry.count } else { 0 }];
        ReadingData::Scan(Scan { ranges: vec![f32::NAN; self.geometry.count], labels })
    }

    fn restart(&mut self) {
        self.range_noise.restart();
        self.angle_noise.restart();
        self.errors.restart();
    }

    fn skip(&mut self, time: SimTime, _world_from_body: Pose3) {
        self.range_noise.skip();
        self.angle_noise.skip();
        self.errors.skip(time);
    }

    fn sense(&mut self, view: &View<'_>, out: &mut ReadingData) {
        let Some(scan) = out.scan_mut() else { return };
        self.range_noise.begin();
        self.angle_noise.begin();
        self.ranges.fill(f64::INFINITY);
        if self.geometry.has_labels {
            scan.labels.resize(self.geometry.count, [0; 2]);
        }
        match (self.plane, view.space) {
            (Some(plane), _) => self.look_in_plane(plane, view),
            (None, Some(space)) => self.look_around(view, space, &mut scan.labels),
            (None, None) => {}
        }
        let (range_min, range_max) = (self.parameters.range_min, self.parameters.range_max);
        let mut std = view.range_noise_override.unwrap_or(self.parameters.errors.white_std());
        scan.ranges.resize(self.ranges.len(), f32::NAN);
        if std > 0.0 {
            // One draw for every beam, so that a beam's noise does not depend on what the others see.
            self.range_noise.white.fill(&mut self.deviations);
        }
        self.errors.begin(view.time);
        if self.errors.any() {
            for (range, deviation) in self.ranges.iter_mut().zip(&self.deviations) {
                *range = self.errors.disturb(*range + std * deviation);
            }
            std = 0.0;
        }
        let far = view.no_return_override.unwrap_or(self.parameters.no_return).range(range_max);
        report(&self.ranges, std, &self.deviations, [range_min, range_max], far, &mut scan.ranges);
    }
}

vectorized! {
    /// Writes the unit vectors `nominal`, turned by `rotation` and then by `std` [rad] times each one's deviation, to `directions`.
    fn turn(nominal: &[Vec2], rotation: Rot2, std: f64, deviations: &[f64], directions: &mut [Vec2]) {
        for ((direction, &nominal), &deviation) in directions.iter_mut().zip(nominal).zip(deviations) {
            // Turned by atan(t) = t − t³/3 …: the deviation itself to first order, and a unit vector exactly.
            let t = std * deviation.clamp(-MAX_DEVIATIONS, MAX_DEVIATIONS);
            let straight = rotation * nominal;
            *direction = (1.0 / (1.0 + t * t).sqrt()) * (straight + t * straight.perpendicular());
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
    }
}

#[cfg(test)]
mod tests;
