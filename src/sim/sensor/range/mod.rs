//! Range finder, `<sensor class="range">`: one range, to the nearest thing in a cone, by ultrasound or infrared light.
//!
//! ```xml
//! <sensor class="range" name="sonar">            the name is the ROS topic and the frame
//!   <pose_3d>x y z yaw pitch roll</pose_3d>      mounting on the vehicle [m], [deg]; default z = 0.1; or
//!   <pose>x y yaw</pose>                         at z = 0
//!   <radiation_type>ultrasound</radiation_type>  or infrared
//!   <fov_degrees>30</fov_degrees>                of the whole cone, about the x axis [deg], > 0 to 180
//!   <nrays>61</nrays>                            1 to 100 000 rays
//!   <min_range>0.02</min_range>                  nearer objects read −inf [m], ≥ 0
//!   <max_range>4</max_range>                     farther ones +inf [m], > min_range
//!   <no_return_is_max>false</no_return_is_max>   true: where nothing returns, the range is max_range instead of +inf
//!   <max_incidence_degrees>90</…>                no return from surfaces seen under a larger angle from their normal [deg], 0 to 90
//!   <range_std_noise>0.01</range_std_noise>      [m], and the other errors of modules `errors` and `range_errors`
//!   <raytrace_3d>true</raytrace_3d>              false: rays lie in the plane, and see maps and outlines only, unless the x axis is not level
//!   <ignore_parent_body>true</…>                 false: sees its own vehicle; in the plane it never does
//!   <sensor_period>0.1</sensor_period>           [s], ≥ 1e-4
//! </sensor>
//! ```
//! The range is the smallest of those of the rays, which fill the cone evenly; what lies between them is not seen.
//! Smooth surfaces reflect sound like a mirror: beyond `max_incidence_degrees` nothing comes back, so that walls seen
//! at an angle, and a level floor, vanish. In the plane, bodies count at any height of the vehicle's own storey, since a
//! cone is wide. The storey reaches from the ground to the top of the chassis or the sensor.
//! Infrared light passes what is [clear](crate::raycast::space::is_clear), sound does not. Ranges follow REP 117; the
//! range layer of nav2 clears space where ranges are `max_range`, and takes no notice of +inf. Not modelled: the lobes
//! of transducers, several reflections, other sensors' echoes, the time of flight in a moving vehicle, absorption.

use std::slice;

use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Rot2, Vec2, Vec3};
use skidpad_xml::{Accept, Reader};

use super::mounting::{PlanarMounting, read_mounting, read_space};
use super::probe;
use super::range_errors::RangeErrors;
use super::{
    Column, Delivered, Measured, NumberType, RangeErrorParameters, ReadingData, Sensor, SensorContext,
    SensorDescription, SensorEntry, SensorInfo, SensorKind, SensorSize, SensorTopic, Values, View, WhiteNoise,
};
use crate::raycast::Fan;
use crate::raycast::space::{Looker, Ray, Space};

/// Rays between two looks at whether the sample has been cancelled.
const BATCH: usize = 1024;
/// Angle between the two rays of a pair in the plane, from which the direction of a surface follows [rad].
const PAIR: f64 = 1e-4;
/// Angle from one ray to the next around the axis of the cone [rad]: the golden one, which spreads any number of rays evenly.
const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;

/// What a range finder sends out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Radiation {
    /// Sound.
    #[default]
    Ultrasound,
    /// Light.
    Infrared,
}

impl Radiation {
    /// Their names in world files, in the order of the numbers in messages.
    pub const NAMES: &[(&str, Radiation)] = &[("ultrasound", Radiation::Ultrasound), ("infrared", Radiation::Infrared)];
}

/// Mounting, cone and accuracy of a range finder.
#[derive(Clone, Debug, PartialEq)]
pub struct RangeParameters {
    /// Mounting on the vehicle [m, rad].
    pub body_from_sensor: Pose3,
    /// What it sends out.
    pub radiation: Radiation,
    /// Angle of the whole cone [rad].
    pub fov: f64,
    /// Number of rays.
    pub count: usize,
    /// Nearest and farthest measurable distance [m].
    pub range: [f64; 2],
    /// Whether the range is the farthest one where nothing returns.
    pub no_return_is_max: bool,
    /// Largest angle between a ray and the normal of what returns it [rad].
    pub max_incidence: f64,
    /// Errors of the range.
    pub errors: RangeErrorParameters,
    /// Whether rays are cast in three dimensions, as they are in any case where the x axis is not level.
    pub is_spatial: bool,
    /// Whether it then does not see its own vehicle.
    pub ignores_parent: bool,
    /// Time between samples [ns].
    pub period: SimTime,
}

impl Default for RangeParameters {
    fn default() -> RangeParameters {
        RangeParameters {
            body_from_sensor: Pose3 { z: 0.1, ..Pose3::default() },
            radiation: Radiation::default(),
            fov: 30.0_f64.to_radians(),
            count: 61,
            range: [0.02, 4.0],
            no_return_is_max: false,
            max_incidence: 90.0_f64.to_radians(),
            errors: RangeErrorParameters::white(0.01),
            is_spatial: true,
            ignores_parent: true,
            period: SimTime(100_000_000),
        }
    }
}

/// What a range finder is, for its messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeGeometry {
    /// What it sends out.
    pub radiation: Radiation,
    /// Angle of the whole cone [rad].
    pub fov: f64,
    /// Nearest and farthest measurable distance [m].
    pub range: [f64; 2],
    /// Variance of the range [m²].
    pub variance: f64,
    /// Number of rays.
    pub rays: u64,
}

/// A measured range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeSample {
    /// Distance [m]; +inf: no return, −inf: too near.
    pub range: f64,
    /// Number of rays that were cast.
    pub rays: u64,
}

/// Its line of [`SENSORS`](super::SENSORS).
pub const ENTRY: SensorEntry = SensorEntry {
    name: "range",
    help: "one range, to the nearest thing in a cone, by ultrasound or infrared",
    topics: &[SensorTopic { suffix: "", message: "sensor_msgs/msg/Range" }],
    casts_rays: true,
    interpolates: false,
    read: |reader, context| Box::new(RangeFinder::read(reader, context)),
};

impl SensorDescription for RangeGeometry {
    fn entry(&self) -> &'static SensorEntry {
        &ENTRY
    }

    fn in_words(&self, rate: &str) -> String {
        let (angle, [min, max]) = (self.fov.to_degrees(), self.range);
        let radiation = Radiation::NAMES[self.radiation as usize].0;
        format!("range by {radiation} over {angle:.1}°, {rate}, {min} to {max} m")
    }

    fn columns(&self) -> Option<Vec<Column>> {
        Some(vec![Column::new("range", [], NumberType::F64)])
    }

    fn values<'a>(&self, _: &str, sample: Delivered<'a>) -> Option<Values<'a>> {
        let ReadingData::Range(sample) = sample.data else { return None };
        Some(Values::F64(slice::from_ref(&sample.range)))
    }

    fn range_max(&self) -> Option<f64> {
        Some(self.range[1])
    }
}

impl Measured for RangeSample {
    fn append_bits(&self, bits: &mut Vec<u64>) {
        let RangeSample { range, rays } = self;
        bits.extend([range.to_bits(), *rays]);
    }

    fn rays(&self) -> u64 {
        self.rays
    }
}

/// A range finder and its scratch.
#[derive(Clone, Debug)]
pub struct RangeFinder {
    parameters: RangeParameters,
    info: SensorInfo,
    /// How it is mounted if its rays are cast in the plane.
    plane: Option<PlanarMounting>,
    /// Cosine of the largest angle of incidence [-].
    least_cosine: f64,
    /// Unit vectors in the frame of the sensor, in the cone.
    cone: Vec<Vec3>,
    /// Unit vectors there in the plane, in pairs.
    nominal: Vec<Vec2>,
    directions: Vec<Vec2>,
    ranges: Vec<f64>,
    scratch: Vec<f64>,
    noise: WhiteNoise,
    errors: RangeErrors,
}

impl RangeFinder {
    /// A range finder with the name in `context`.
    pub fn new(parameters: RangeParameters, context: &SensorContext) -> RangeFinder {
        let plane = PlanarMounting::of_axis(&parameters.body_from_sensor).filter(|_| !parameters.is_spatial);
        let is_spatial = plane.is_none();
        let geometry = RangeGeometry {
            radiation: parameters.radiation,
            fov: parameters.fov,
            range: parameters.range,
            variance: parameters.errors.errors.variance(),
            rays: if is_spatial { parameters.count } else { 2 * parameters.count } as u64,
        };
        let steepest = parameters.max_incidence;
        let nominal = if is_spatial { Vec::new() } else { pairs(parameters.fov, parameters.count) };
        RangeFinder {
            info: SensorInfo {
                name: context.name.clone(),
                period: parameters.period,
                body_from_sensor: parameters.body_from_sensor,
                kind: SensorKind::Range(geometry),
            },
            least_cosine: if steepest < 90.0_f64.to_radians() { libm::cos(steepest) } else { 0.0 },
            cone: if is_spatial { cone(parameters.fov, parameters.count) } else { Vec::new() },
            plane,
            directions: vec![Vec2::ZERO; nominal.len()],
            ranges: vec![0.0; nominal.len()],
            nominal,
            scratch: Vec::new(),
            noise: WhiteNoise::new(context.seed, &format!("{}/{}/range", context.vehicle, context.name)),
            errors: RangeErrors::new(parameters.errors, "range", parameters.period, context),
            parameters,
        }
    }

    /// Reads the XML block above.
    pub fn read(reader: &Reader<'_>, context: &SensorContext) -> RangeFinder {
        let d = RangeParameters::default();
        reader.ignore(&["class", "name", "visual", "publish"]);
        let period = reader.f64("sensor_period", d.period.secs(), Accept::range(1e-4, 1e6));
        let near = reader.f64("min_range", d.range[0], Accept::non_negative());
        let far = reader.f64("max_range", d.range[1], Accept::positive());
        if near >= far {
            reader.error_at("max_range", format!("max_range {far} m is not beyond min_range {near} m"));
        }
        let body_from_sensor = read_mounting(reader, d.body_from_sensor);
        let plane = PlanarMounting::of_axis(&body_from_sensor);
        let (is_spatial, ignores_parent) = read_space(reader, plane, [d.is_spatial, d.ignores_parent]);
        let parameters = RangeParameters {
            body_from_sensor,
            radiation: reader.choice("radiation_type", d.radiation, Radiation::NAMES),
            fov: reader.degrees("fov_degrees", d.fov, Accept::range(1e-3, 180.0)),
            count: reader.integer("nrays", d.count as i64, Accept::range(1.0, 1e5)) as usize,
            range: [near, far],
            no_return_is_max: reader.bool("no_return_is_max", d.no_return_is_max),
            max_incidence: reader.degrees("max_incidence_degrees", d.max_incidence, Accept::range(0.0, 90.0)),
            errors: RangeErrorParameters::read(reader, "range", d.errors, period),
            is_spatial,
            ignores_parent,
            period: SimTime::from_secs(period),
        };
        RangeFinder::new(parameters, context)
    }

    /// The nearest return of the rays of the cone [m]; infinite if there is none.
    fn look_around(&self, view: &View<'_>, space: &Space) -> f64 {
        let world_from_sensor = view.world_from_body * self.parameters.body_from_sensor;
        let (origin, rotation) = (world_from_sensor.position(), world_from_sensor.rotation());
        let hidden = self.parameters.ignores_parent.then_some(view.vehicle);
        let meets_glass = self.parameters.radiation == Radiation::Ultrasound;
        let mut nearest = f64::INFINITY;
        for (index, direction) in self.cone.iter().enumerate() {
            if index.is_multiple_of(BATCH) && view.is_cancelled() {
                break;
            }
            let far = self.parameters.range[1].min(nearest);
            let ray =
                Ray { origin, direction: rotation * direction, near: Ray::START, far, hidden, looker: Looker::Lidar };
            let hit = if meets_glass { space.cast(&ray) } else { space.cast_through_glass(&ray) };
            let hit = hit.filter(|hit| -hit.normal.dot(&ray.direction) >= self.least_cosine);
            nearest = hit.map_or(nearest, |hit| nearest.min(hit.range));
        }
        nearest
    }

    /// The nearest return of the rays in the plane [m]; infinite if there is none.
    fn look_in_plane(&mut self, plane: PlanarMounting, view: &View<'_>) -> f64 {
        let world_from_sensor = view.world_from_body.planar() * plane.body_from_sensor;
        let (origin, rotation) = (world_from_sensor.position(), world_from_sensor.rotation());
        let (fov, max_range) = (self.parameters.fov, self.parameters.range[1]);
        for (direction, &nominal) in self.directions.iter_mut().zip(&self.nominal) {
            *direction = rotation * nominal;
        }
        self.ranges.fill(f64::INFINITY);
        for grid in view.grids {
            grid.cast_fan(origin, &self.directions, max_range, &mut self.ranges);
        }
        let angle_increment = fov / (self.directions.len() - 1) as f64;
        let fan = Fan {
            meets_glass: self.parameters.radiation == Radiation::Ultrasound,
            origin,
            directions: &self.directions,
            angle_min: world_from_sensor.yaw - 0.5 * fov,
            angle_increment,
            tolerance: angle_increment + PAIR,
            max_range,
            heights: [view.heights[0], view.heights[1].max(view.heights[0] + self.parameters.body_from_sensor.z)],
        };
        view.obstacles.cast_fan(&fan, Some(view.vehicle), &mut self.ranges, &mut self.scratch);
        let pairs = self.directions.as_chunks::<2>().0.iter().zip(self.ranges.as_chunks::<2>().0);
        let returned = pairs.filter_map(|(directions, ranges)| {
            let [a, b] = [0, 1].map(|k| ranges[k] * directions[k]);
            let along = b - a;
            // The cosine of incidence is the sine of the angle between ray and surface.
            let returns = directions[0].cross(along).abs() >= self.least_cosine * along.norm();
            (ranges[0].is_finite() && (self.least_cosine == 0.0 || returns)).then_some(ranges[0])
        });
        returned.fold(f64::INFINITY, f64::min)
    }
}

/// Unit vectors around the x axis that fill a cone of this angle [rad] evenly, one of them along the axis, the last one at its edge.
fn cone(fov: f64, count: usize) -> Vec<Vec3> {
    let depth = 1.0 - libm::cos(0.5 * fov);
    let ray = |k: usize| {
        let share = if count > 1 { k as f64 / (count - 1) as f64 } else { 0.0 };
        let along = 1.0 - depth * share;
        let across = (1.0 - along * along).max(0.0).sqrt();
        let (sin, cos) = libm::sincos(GOLDEN_ANGLE * k as f64);
        Vec3::new(along, across * cos, across * sin)
    };
    (0..count.max(1)).map(ray).collect()
}

/// Unit vectors around the x axis from one end of the angle `fov` [rad] to the other, each with another one beside it.
fn pairs(fov: f64, count: usize) -> Vec<Vec2> {
    let increment = if count > 1 { (fov - PAIR) / (count - 1) as f64 } else { 0.0 };
    let first = if count > 1 { -0.5 * fov } else { -0.5 * PAIR };
    let angles = (0..count.max(1)).map(|k| first + increment * k as f64);
    angles.flat_map(|angle| [angle, angle + PAIR]).map(|angle| Rot2::new(angle) * Vec2::new(1.0, 0.0)).collect()
}

impl Sensor for RangeFinder {
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
        let far = self.parameters.range[1];
        probe::rays(&self.info.body_from_sensor, self.cone.len(), |index| self.cone[index], far)
    }

    fn size(&self) -> SensorSize {
        let SensorKind::Range(RangeGeometry { rays, .. }) = self.info.kind else { return SensorSize::SMALL };
        let of_ray = if self.plane.is_none() { size_of::<Vec3>() } else { 2 * size_of::<Vec2>() + 16 };
        SensorSize { rays, scratch: rays * of_ray as u64, ..SensorSize::SMALL }
    }

    fn new_reading(&self) -> ReadingData {
        ReadingData::Range(RangeSample { range: f64::INFINITY, rays: 0 })
    }

    fn restart(&mut self) {
        self.noise.restart();
        self.errors.restart();
    }

    fn skip(&mut self, time: SimTime, _world_from_body: Pose3) {
        self.errors.skip(time);
        self.noise.sample();
    }

    fn sense(&mut self, view: &View<'_>, out: &mut ReadingData) {
        let ReadingData::Range(sample) = out else { return };
        let exact = match (self.plane, view.space) {
            (Some(plane), _) => self.look_in_plane(plane, view),
            (None, Some(space)) => self.look_around(view, space),
            (None, None) => f64::INFINITY,
        };
        self.errors.begin(view.time);
        let std = view.range_noise_override.unwrap_or(self.parameters.errors.white_std());
        // One draw a sample, whatever it sees.
        let measured = self.errors.disturb(exact + std * self.noise.sample());
        let [near, far] = self.parameters.range;
        sample.range = match measured {
            nearer if nearer < near => f64::NEG_INFINITY,
            within if within <= far => within,
            _ if self.parameters.no_return_is_max => far,
            _ => f64::INFINITY,
        };
        let SensorKind::Range(RangeGeometry { rays, .. }) = &self.info.kind else { return };
        sample.rays = *rays;
    }
}

#[cfg(test)]
mod tests;
