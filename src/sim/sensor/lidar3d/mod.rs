//! Lidar in three dimensions, `<sensor class="lidar3d">`: each point seen from where the sensor was at that time.
//!
//! ```xml
//! <sensor class="lidar3d" name="lidar1">         the topic is NAME_points, the frame NAME
//!   <pose_3d>x y z yaw pitch roll</pose_3d>      mounting on the vehicle [m], [deg]; default 0
//!   <pattern>spinning</pattern>                  spinning, angles, file, rosette or mid360, with the tags of one of these:
//!   <vert_nrays>16</vert_nrays>                  spinning: rings, 1 to 1024
//!   <vert_fov_degrees>30</vert_fov_degrees>      spread evenly from −fov/2 to +fov/2 [deg], 0 to 180; or
//!   <vertical_ray_angles>-15 -13 …</…>           elevation of each ring [deg], −90 to 90
//!   <ring_delays>0 2.3 …</ring_delays>           of each ring in the order of these, after the first one of its column [µs], less than a column takes
//!   <horz_nrays>180</horz_nrays>                 columns of a turn, 1 to 100 000
//!   <horz_fov_degrees>360</horz_fov_degrees>     of a turn [deg], > 0 to 360, about the x axis
//!   <ray_angles>0 0 0 1.5 …</ray_angles>         angles: azimuth and elevation [deg] of each ray of a turn
//!   <ray_file>rays.csv</ray_file>                file: directions and times, see `pattern/file.rs`, that begin again at its end
//!   <ray_rate>100000</ray_rate>                  rays a second, 1 to 1e7: of a rosette and mid360, and of a file instead of its times
//!   <rosette_fov_degrees>38.4</…>                rosette: full angle of the round field of view [deg], > 0 to 180
//!   <rosette_rpm>7294 -4664</rosette_rpm>        turns of its two prisms [1/min]
//!   <min_range>0.01</min_range>                  nearer returns are not reported [m], ≥ 0; they hide what is behind
//!   <max_range>80</max_range>                    nor farther ones [m], > min_range
//!   <range_std_noise>0.01</range_std_noise>      [m], and the other errors of modules `errors` and `range_errors`, with losses
//!   <range_std_noise_per_metre>0</…>             that times the range is the noise where it is more [m/m], ≥ 0
//!   <range_at_10_percent>0</…>                   [m]: farthest return of a surface that reflects 10 %, met at a right angle; 0: all are received
//!   <returns>strongest</returns>                 which of several returns through glass is reported: first, last, strongest
//!   <generate_intensity>true</…>                 false: all intensities are that of a white surface
//!   <ignore_parent_body>false</…>                true: does not see its own vehicle
//!   <instantaneous>false</instantaneous>         true: all points at the end of the turn
//!   <organized>auto</organized>                  true: rows and columns of a spinning one, with NaN where nothing returned; auto: as the driver
//!                                                does whose point_layout it has: true of velodyne and ouster
//!   <point_layout>mvsim</point_layout>           fields of the messages: mvsim, velodyne, ouster, hesai, livox
//!   <labels>false</labels>                       true: adds what each point belongs to, the fields class and body
//!   <sensor_period>0.1</sensor_period>           of a turn [s], 1e-4 to 4
//! </sensor>
//! ```
//! A spinning lidar turns clockwise from behind, as MVSim's order of points is, and ends at the time of the message. At
//! most 4 000 000 rays are cast in a turn. Points are in the frame of the sensor at their own time: in a moving sensor
//! the cloud is distorted, as a real one is. Ring 0 is the lowest. Intensity is the luma of the surface's colour times
//! the cosine of incidence (Lambert). The power received falls with the square of the range: where
//! `range_at_10_percent` is R, a return of intensity i is received up to R·√(i / 0.1). A surface of the opacity α (the
//! alpha of its colour) returns the share α and lets 1 − α through, both ways. `horz_fov_degrees`, `pattern` with what
//! it brings, and the tags from `range_std_noise` on, but for `generate_intensity` and `ignore_parent_body`, are
//! skidpad's own. Not modelled: beam width, mirrors, refraction, pictures on surfaces.

mod aim;
mod cloud;
mod pattern;
mod returns;

use rayon::prelude::*;
use skidpad_files::counted::counted;
use skidpad_math::Pose3;
use skidpad_math::time::SimTime;
use skidpad_xml::{Accept, Reader};

use self::aim::Aim;
pub use self::cloud::{Cloud, CloudGeometry, CloudLayout, CloudPoint};
use self::pattern::{Pattern, PatternRay};
use self::returns::Return;
pub use self::returns::Returns;
pub(super) use self::returns::reflected;
use super::mounting::read_mounting;
use super::noise::ReadingNoise;
use super::probe;
use super::range_errors::RangeErrors;
use super::turn::{Turn, Way, period_start};
use super::{
    Column, Delivered, Measured, RangeErrorParameters, ReadingData, Sensor, SensorContext, SensorDescription,
    SensorEntry, SensorInfo, SensorKind, SensorSize, SensorTopic, Values, View,
};
use crate::raycast::space::Ray;
use crate::raycast::space::batch::Batch;

/// Words of `<organized>`.
const ORGANIZED: &[(&str, Option<bool>)] =
    &[("auto", None), ("true", Some(true)), ("false", Some(false)), ("1", Some(true)), ("0", Some(false))];
/// Rays that one thread casts at a time.
const CHUNK: usize = 1024;

/// Its line of [`SENSORS`](super::SENSORS).
pub const ENTRY: SensorEntry = SensorEntry {
    name: "lidar3d",
    help: "lidar that spins, or looks in any pattern: a cloud of points",
    topics: &[SensorTopic { suffix: "_points", message: "sensor_msgs/msg/PointCloud2" }],
    casts_rays: true,
    interpolates: false,
    read: |reader, context| Box::new(Lidar3d::read(reader, context)),
};

impl SensorDescription for CloudGeometry {
    fn entry(&self) -> &'static SensorEntry {
        &ENTRY
    }

    fn in_words(&self, rate: &str) -> String {
        let rays = counted(self.columns, "ray");
        let of_rings = if self.rings > 1 { format!("{} of ", counted(self.rings, "ring")) } else { String::new() };
        format!("lidar, {of_rings}{rays}, {rate}, up to {} m", self.range_max)
    }

    fn columns(&self) -> Option<Vec<Column>> {
        None
    }

    fn values<'a>(&self, _: &str, _: Delivered<'a>) -> Option<Values<'a>> {
        None
    }

    fn has_labels(&self) -> bool {
        self.has_labels
    }

    fn range_max(&self) -> Option<f64> {
        Some(self.range_max)
    }
}

impl Measured for Cloud {
    fn append_bits(&self, bits: &mut Vec<u64>) {
        let Cloud { points, duration, rays } = self;
        bits.extend([duration.0 as u64, *rays]);
        for CloudPoint { position: [x, y, z], intensity, since_start, ring, label: [class, body] } in points {
            let pairs = [[x.to_bits(), y.to_bits()], [z.to_bits(), intensity.to_bits()]];
            bits.extend(pairs.map(|[a, b]| u64::from(a) << 32 | u64::from(b)));
            let small = u64::from(*ring) << 32 | u64::from(*class) << 16 | u64::from(*body);
            bits.extend([u64::from(*since_start), small]);
        }
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.points[..])
    }

    fn rays(&self) -> u64 {
        self.rays
    }
}

/// Pattern and accuracy of a lidar.
#[derive(Clone, Debug, PartialEq)]
pub struct Lidar3dParameters {
    /// Mounting on the vehicle [m, rad].
    pub body_from_sensor: Pose3,
    /// Where it looks.
    pub pattern: Pattern,
    /// Nearest and farthest range reported [m].
    pub range: [f64; 2],
    /// Errors of ranges.
    pub errors: RangeErrorParameters,
    /// Standard deviation of their noise per range [-], where that is more than the white noise.
    pub noise_per_metre: f64,
    /// Farthest return of a surface that reflects 10 % [m]; none: all are received.
    pub range_at_10_percent: Option<f64>,
    /// Which return of a ray through glass is reported.
    pub returns: Returns,
    /// Whether intensities differ.
    pub has_intensity: bool,
    /// Whether it does not see its own vehicle.
    pub ignores_parent: bool,
    /// Whether all rays are cast at the end of the turn.
    pub is_instantaneous: bool,
    /// What its clouds look like.
    pub geometry: CloudGeometry,
    /// Time of a turn [ns].
    pub period: SimTime,
}

impl Lidar3dParameters {
    /// Reads the XML block above.
    fn read(reader: &Reader<'_>) -> Lidar3dParameters {
        reader.ignore(&["class", "name", "visual", "publish", "viz_pointSize"]);
        // Of MVSim's depth pictures: rays need none of them.
        reader.ignore(&["horz_resolution_factor", "vert_resolution_factor"]);
        reader.ignore(&["max_vert_relative_depth_to_interpolate", "max_horz_relative_depth_to_interpolate"]);
        let period = SimTime::from_secs(reader.f64("sensor_period", 0.1, Accept::range(1e-4, 4.0)));
        let pattern = Pattern::read(reader, period);
        let [rings, columns] = pattern.size;
        let layout = reader.choice("point_layout", CloudLayout::Mvsim, CloudLayout::NAMES);
        let asked = reader.choice("organized", None, ORGANIZED);
        let is_organized = asked.unwrap_or(layout.is_organized_by_default() && pattern.is_spinning());
        if is_organized && !pattern.has_rings() {
            reader
                .error_at("organized", "the pattern has no rings to make rows of")
                .accepted(["a pattern with rings, such as spinning"]);
        }
        let range_min = reader.f64("min_range", 0.01, Accept::non_negative());
        let range_max = reader.f64("max_range", 80.0, Accept::positive());
        if range_min >= range_max {
            reader.error_at("max_range", format!("max_range {range_max} m is not beyond min_range {range_min} m"));
        }
        Lidar3dParameters {
            body_from_sensor: read_mounting(reader, Pose3::default()),
            range: [range_min, range_max],
            errors: RangeErrorParameters::read(reader, "range", RangeErrorParameters::white(0.01), period.secs()),
            noise_per_metre: reader.f64("range_std_noise_per_metre", 0.0, Accept::non_negative()),
            range_at_10_percent: reader
                .optional_f64("range_at_10_percent", Accept::non_negative())
                .filter(|&r| r > 0.0),
            returns: reader.choice("returns", Returns::default(), Returns::NAMES),
            has_intensity: reader.bool("generate_intensity", true),
            ignores_parent: reader.bool("ignore_parent_body", false),
            is_instantaneous: reader.bool("instantaneous", false),
            geometry: CloudGeometry {
                rings,
                columns,
                is_organized,
                layout,
                // Rings of a file have the numbers that it gives them.
                is_numbered_down: layout.counts_rings_down() && pattern.is_spinning(),
                has_labels: reader.bool("labels", false),
                range_max,
            },
            pattern,
            period,
        }
    }
}

/// A lidar and its turn.
#[derive(Clone, Debug)]
pub struct Lidar3d {
    parameters: Lidar3dParameters,
    info: SensorInfo,
    noise: ReadingNoise,
    errors: RangeErrors,
    /// The rays of the turn in progress in the order of their times; valid once one has been cast.
    turn: Vec<PatternRay>,
    /// What they have met so far.
    cloud: Cloud,
    /// How far it has come.
    progress: Turn,
    /// Number of turns so far, with those that nobody watched.
    turns: i64,
    /// What the rays of one look met.
    returns: Vec<Option<Return>>,
    batch: Batch,
    deviations: Vec<f64>,
}

impl Lidar3d {
    /// A lidar with the name in `context`.
    pub fn new(parameters: Lidar3dParameters, context: &SensorContext) -> Lidar3d {
        let named = |name| format!("{}/{}/{name}", context.vehicle, context.name);
        let most = parameters.pattern.most_rays();
        Lidar3d {
            info: SensorInfo {
                name: context.name.clone(),
                period: parameters.period,
                body_from_sensor: parameters.body_from_sensor,
                kind: SensorKind::Lidar3d(parameters.geometry),
            },
            noise: ReadingNoise::new(context.seed, &named("range")),
            errors: RangeErrors::new(parameters.errors, "range", parameters.period, context),
            turn: Vec::with_capacity(most),
            cloud: Cloud::with_room(most),
            progress: Turn::default(),
            turns: 0,
            returns: Vec::with_capacity(most),
            batch: Batch::default(),
            deviations: Vec::with_capacity(most),
            parameters,
        }
    }

    /// Reads the XML block above.
    pub fn read(reader: &Reader<'_>, context: &SensorContext) -> Lidar3d {
        Lidar3d::new(Lidar3dParameters::read(reader), context)
    }

    /// Drops the turn in progress after a reset of time to `now` [ns].
    fn begin_again_if_time_went_back(&mut self, now: SimTime) {
        if self.progress.drop_if_time_went_back(now) {
            self.cloud.points.clear();
        }
    }

    /// Begins a turn at `start` [ns].
    fn begin_turn(&mut self, start: SimTime) {
        self.cloud.points.clear();
        self.progress.begin(start);
    }

    /// Makes the rays of the turn in progress and their errors, unless it has them.
    fn fill_turn(&mut self) {
        if !self.progress.is_filled
            && let Some(start) = self.progress.start
        {
            self.parameters.pattern.fill(start, &mut self.turn);
            self.noise.begin();
            self.turns += 1;
            self.errors.begin(self.time_of_errors());
            self.progress.is_filled = true;
        }
    }

    /// Time of the errors of the turn in progress [ns], which count turns: the same whichever of them are watched.
    fn time_of_errors(&self) -> SimTime {
        SimTime(self.turns * self.info.period.0)
    }

    /// Casts the rays up to the index `end`, the sensor moving evenly since the last look.
    fn cast_until(&mut self, end: usize, view: &View<'_>) {
        let Some(space) = view.space else { return };
        let rays = &self.turn[self.progress.cast..end];
        let start = self.progress.start.unwrap_or(view.time);
        let parameters = &self.parameters;
        let still = || Way::still(view.time, view.world_from_body);
        let way = if parameters.is_instantaneous { still() } else { self.progress.way(view) };
        let hidden = parameters.ignores_parent.then_some(view.vehicle);
        let aim = Aim { rays, start, way, parameters, hidden };
        self.batch.find(space, rays.len(), hidden, |part, each| aim.rays(part, each));
        let batch = &self.batch;
        let cast_chunk = |chunk: usize, returns: &mut [Option<Return>]| {
            if view.is_cancelled() {
                return;
            }
            let start = CHUNK * chunk;
            aim.packets(start..start + returns.len(), |first, step, rays| {
                let hits = batch.cast_packet(space, |lane| first + step * lane, rays);
                let slots = returns.get_mut(first - start..).unwrap_or_default().iter_mut().step_by(step);
                for ((slot, ray), hit) in slots.zip(rays).zip(hits) {
                    *slot = parameters.meet(space, *ray, hit);
                }
            });
        };
        self.returns.clear();
        self.returns.resize(rays.len(), None);
        if rays.len() > CHUNK {
            let chunks = self.returns.par_chunks_mut(CHUNK).enumerate();
            chunks.for_each(|(chunk, returns)| cast_chunk(chunk, returns));
        } else {
            cast_chunk(0, &mut self.returns);
        }
        let std = view.range_noise_override.unwrap_or(self.parameters.errors.white_std());
        self.report(end, std, view.range_noise_override.is_some());
        (self.progress.cast, self.progress.before) = (end, Some((view.time, view.world_from_body)));
    }

    /// Adds the points of the rays that were just cast, up to the index `end`, with their errors. Where the run has set the noise, it does not
    /// grow with the range.
    fn report(&mut self, end: usize, range_std: f64, is_overridden: bool) {
        let Lidar3dParameters { range: [near, far], geometry, has_intensity, .. } = self.parameters;
        self.deviations.clear();
        self.deviations.resize(self.returns.len(), 0.0);
        let per_metre = if is_overridden { 0.0 } else { self.parameters.noise_per_metre };
        if range_std > 0.0 || per_metre > 0.0 {
            self.noise.white.fill(&mut self.deviations);
        }
        let has_errors = self.errors.any();
        if per_metre > 0.0 {
            for (echo, deviation) in self.returns.iter_mut().zip(&self.deviations) {
                let more = |echo: &mut Return| echo.range += (per_metre * echo.range - range_std).max(0.0) * deviation;
                echo.iter_mut().for_each(more);
            }
        }
        let rays = &self.turn[self.progress.cast..end];
        for ((ray, echo), deviation) in rays.iter().zip(&self.returns).zip(&self.deviations) {
            let since_start = ray.since_start + u32::from(ray.since_column);
            let mut point = CloudPoint { since_start, ring: ray.ring, ..CloudPoint::NOTHING };
            if let Some(echo) = echo {
                let noisy = echo.range + range_std * deviation;
                let range = if has_errors { self.errors.disturb(noisy) } else { noisy };
                if range > near && range < far {
                    point.position = (range * ray.direction).map(|c| c as f32).into();
                    point.intensity = if has_intensity { echo.intensity as f32 } else { 1.0 };
                    point.label = echo.label;
                }
            }
            if geometry.is_organized || point.is_return() {
                self.cloud.points.push(point);
            }
        }
    }
}

impl Sensor for Lidar3d {
    fn info(&self) -> &SensorInfo {
        &self.info
    }

    fn needs_space(&self) -> bool {
        true
    }

    fn probes(&self) -> Vec<Ray> {
        if self.parameters.ignores_parent {
            return Vec::new();
        }
        let mut turn = Vec::new();
        self.parameters.pattern.fill(SimTime::ZERO, &mut turn);
        let far = self.parameters.range[1];
        probe::rays(&self.info.body_from_sensor, turn.len(), |index| turn[index].direction, far)
    }

    fn watches(&self) -> bool {
        !self.parameters.is_instantaneous
    }

    fn size(&self) -> SensorSize {
        let rays = self.parameters.pattern.most_rays() as u64;
        let sample = size_of::<CloudPoint>();
        // The pattern and the turn in progress, the cloud of the latter, what rays met, deviation, and a triangle of the batch.
        let of_ray = 2 * size_of::<PatternRay>() + sample + size_of::<Option<Return>>() + 8 + 8;
        SensorSize { rays, sample: rays * sample as u64, scratch: rays * of_ray as u64, ..SensorSize::SMALL }
    }

    fn new_reading(&self) -> ReadingData {
        ReadingData::Cloud(Cloud::with_room(self.parameters.pattern.most_rays()))
    }

    fn restart(&mut self) {
        self.noise.restart();
        self.errors.restart();
        self.turns = 0;
        self.progress.drop();
        self.cloud.points.clear();
    }

    fn skip(&mut self, time: SimTime, world_from_body: Pose3) {
        self.begin_again_if_time_went_back(time);
        if !self.progress.is_filled {
            self.noise.skip();
            self.turns += 1;
            self.errors.skip(self.time_of_errors());
        }
        self.progress.is_filled = false;
        if self.watches() {
            self.begin_turn(time);
            self.progress.before = Some((time, world_from_body));
        }
    }

    fn watch(&mut self, view: &View<'_>) {
        self.begin_again_if_time_went_back(view.time);
        // Samples are due at multiples of the period: the first turn begins at the one before, where the vehicle is now.
        let start = self.progress.start.unwrap_or_else(|| period_start(view.time, self.info.period));
        if self.progress.start.is_none() {
            self.begin_turn(start);
        }
        self.fill_turn();
        let elapsed = (view.time - start).0;
        let due = self.turn.partition_point(|ray| i64::from(ray.since_start) <= elapsed);
        self.cast_until(due.max(self.progress.cast), view);
    }

    fn sense(&mut self, view: &View<'_>, out: &mut ReadingData) {
        let ReadingData::Cloud(out) = out else { return };
        self.begin_again_if_time_went_back(view.time);
        if self.progress.start.is_none() || self.parameters.is_instantaneous {
            self.begin_turn(view.time - self.info.period);
        }
        self.fill_turn();
        self.cast_until(self.turn.len(), view);
        self.cloud.rays = self.turn.len() as u64;
        self.cloud.duration = self.progress.start.map_or(SimTime::ZERO, |start| view.time - start);
        std::mem::swap(&mut self.cloud, out);
        self.begin_turn(view.time);
    }
}

#[cfg(test)]
mod tests;
