//! What a world file says of a suspension.

use skidpad_math::Vec2;
use skidpad_xml::{Accept, Reader};

use crate::chassis::Chassis;
use crate::wheel::WheelParameters;

/// The suspension of an axle, as a world file gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxleSuspension {
    /// The springs.
    pub rate: Rate,
    /// The dampers.
    pub damping: Damping,
    /// [N/m] per difference of travel.
    pub anti_roll_bar: f64,
    /// In compression and extension [m]; none: from the spring.
    pub travel: Option<[f64; 2]>,
    /// [N/m]; none: from the spring.
    pub stop_rate: Option<f64>,
    /// [N/m]; none: from the spring.
    pub tyre_rate: Option<f64>,
    /// [N·s/m]
    pub tyre_damping: f64,
    /// Height of the roll centre [m].
    pub roll_center: f64,
    /// Distance between the springs of a beam axle [m]; none: they are at the wheels.
    pub spring_distance: Option<f64>,
}

/// How stiff a spring is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rate {
    /// Frequency of the body's share on it [Hz].
    Frequency(f64),
    /// [N/m]
    PerTravel(f64),
}

/// How strong a damper is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Damping {
    /// Ratio of the body's share on spring and damper [-].
    Ratio(f64),
    /// In compression and extension [N·s/m].
    PerRate([f64; 2]),
}

/// The suspension of a vehicle, as a world file gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct SuspensionParameters {
    /// From the front axle to the rear one.
    pub axles: Vec<AxleSuspension>,
    /// About the x and the y axis through the centre of mass of the body on springs [kg·m²].
    pub inertia: [f64; 2],
    /// Share of the load between axles that links move, while braking and while driving [-].
    pub anti_pitch: [f64; 2],
    /// Friction of the chassis on the ground, where the vehicle has tipped over [-].
    pub body_friction: f64,
}

impl SuspensionParameters {
    /// Reads the block from `<dynamics>`, for a vehicle with this chassis on these wheels. None without the block, or where it cannot be.
    pub fn read(dynamics: &Reader<'_>, chassis: &Chassis, wheels: &[WheelParameters]) -> Option<SuspensionParameters> {
        dynamics.read_child("suspension", |tag| read(tag, dynamics, chassis, wheels)).flatten()
    }
}

/// Tags of `<dynamics>` whose place the suspension takes.
const REPLACED: [&str; 3] = ["roll_stiffness_front", "roll_centers", "load_transfer_lag"];

fn read(
    tag: &Reader<'_>,
    dynamics: &Reader<'_>,
    chassis: &Chassis,
    wheels: &[WheelParameters],
) -> Option<SuspensionParameters> {
    for name in REPLACED.into_iter().filter(|name| dynamics.has(name)) {
        dynamics
            .error_at(name, format!("both <{name}> and <suspension>"))
            .hint("springs and dampers of the suspension decide how load moves");
    }
    let [length, width] = extent(&chassis.outline);
    let height = chassis.z[1] - chassis.z[0];
    let box_inertia = [width, length].map(|side| chassis.mass * (side * side + height * height) / 12.0);
    let inertia = ["roll_inertia", "pitch_inertia"];
    let inertia = [0, 1].map(|axis| tag.f64(inertia[axis], box_inertia[axis], Accept::positive()));
    let anti_pitch = ["anti_dive", "anti_squat"].map(|name| tag.f64(name, 0.0, Accept::range(0.0, 1.0)));
    let body_friction = tag.f64("body_friction", 0.5, Accept::non_negative());
    let axles: Vec<AxleSuspension> = tag.children("axle").iter().map(read_axle).collect();
    let Some(pairs) = pairs(wheels) else {
        tag.error("<suspension> needs axles of two wheels, two of them or more")
            .accepted(["four or six wheels, left and right side by side"]);
        return None;
    };
    if chassis.center_of_mass_height == 0.0 {
        tag.error("<suspension> needs the height of the centre of mass").hint("give <chassis com_height=\"…\">");
        return None;
    }
    let axles = match axles.len() {
        0 => {
            tag.missing("<axle>");
            return None;
        }
        1 => vec![axles[0]; pairs.len()],
        count if count == pairs.len() => axles,
        count => {
            tag.error(format!("{count} <axle> in <suspension> of a vehicle with {} axles", pairs.len()))
                .accepted(["one for all axles".to_owned(), format!("{}, from the front", pairs.len())]);
            return None;
        }
    };
    for (pair, axle) in pairs.iter().zip(&axles) {
        let track = wheels[pair[0]].position.y - wheels[pair[1]].position.y;
        if let Some(distance) = axle.spring_distance.filter(|distance| *distance > track) {
            tag.error(format!("springs {distance} m apart on an <axle> whose wheels are {track} m apart"))
                .accepted([format!("<spring_distance> up to {track}")]);
        }
    }
    Some(SuspensionParameters { axles, inertia, anti_pitch, body_friction })
}

fn read_axle(tag: &Reader<'_>) -> AxleSuspension {
    let frequency = tag.optional_f64("ride_frequency", Accept::positive());
    let rate = tag.optional_f64("rate", Accept::positive());
    let rate = match (frequency, rate) {
        (Some(frequency), None) => Rate::Frequency(frequency),
        (None, Some(rate)) => Rate::PerTravel(rate),
        (Some(_), Some(rate)) => {
            tag.error_at("rate", "both <ride_frequency> and <rate> of an <axle>").hint("give one of them");
            Rate::PerTravel(rate)
        }
        (None, None) => {
            tag.missing("<ride_frequency> or <rate>");
            Rate::Frequency(1.0)
        }
    };
    let ratio = tag.optional_f64("damping_ratio", Accept::non_negative());
    let damper = tag.numbers("damper", &[1, 2]);
    if ratio.is_some() && damper.is_some() {
        tag.error_at("damper", "both <damping_ratio> and <damper> of an <axle>").hint("give one of them");
    }
    let damping = match damper {
        Some(rates) => Damping::PerRate(both(tag, "damper", &rates, |rate| rate >= 0.0, ">= 0")),
        None => Damping::Ratio(ratio.unwrap_or(0.3)),
    };
    let travel = tag.numbers("travel", &[1, 2]);
    let axle = AxleSuspension {
        rate,
        damping,
        anti_roll_bar: tag.f64("anti_roll_bar", 0.0, Accept::non_negative()),
        travel: travel.map(|travel| both(tag, "travel", &travel, |travel| travel > 0.0, "> 0")),
        stop_rate: tag.optional_f64("stop_rate", Accept::non_negative()),
        tyre_rate: tag.optional_f64("tyre_rate", Accept::positive()),
        tyre_damping: tag.f64("tyre_damping", 0.0, Accept::non_negative()),
        roll_center: tag.f64("roll_center", 0.0, Accept::any()),
        spring_distance: tag.optional_f64("spring_distance", Accept::positive()),
    };
    tag.finish();
    axle
}

/// One number for both directions, or one for each.
fn both(tag: &Reader<'_>, name: &str, numbers: &[f64], takes: fn(f64) -> bool, accepted: &str) -> [f64; 2] {
    if !numbers.iter().all(|&number| takes(number)) {
        tag.error_at(name, format!("<{name}> {} of {}", list(numbers), tag.describe()))
            .accepted([format!("one number or two, {accepted}")]);
    }
    [numbers[0], numbers[numbers.len() - 1]]
}

fn list(numbers: &[f64]) -> String {
    numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")
}

/// Length along x and y of what the points span [m].
fn extent(points: &[Vec2]) -> [f64; 2] {
    let span = |of: fn(&Vec2) -> f64| {
        let (least, most) = points
            .iter()
            .map(of)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(value), most.max(value)));
        (most - least).max(0.0)
    };
    [span(|point| point.x), span(|point| point.y)]
}

/// The indices of left and right wheel of each axle, from the front to the rear; none: the wheels are not in such pairs.
pub(super) fn pairs(wheels: &[WheelParameters]) -> Option<Vec<[usize; 2]>> {
    if wheels.len() < 4 || !wheels.len().is_multiple_of(2) {
        return None;
    }
    let mut pairs: Vec<[usize; 2]> = (0..wheels.len()).step_by(2).map(|left| [left, left + 1]).collect();
    let are_paired = pairs.iter().all(|[left, right]| {
        let [left, right] = [left, right].map(|&index| wheels[index].position);
        (left.x - right.x).abs() < 1e-6 && left.y > right.y
    });
    pairs.sort_by(|a, b| wheels[b[0]].position.x.total_cmp(&wheels[a[0]].position.x));
    are_paired.then_some(pairs)
}
