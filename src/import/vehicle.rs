//! The numbers of a vehicle class: those of the robot, and those that no description has, which are chosen here.

use std::collections::BTreeSet;

use nalgebra::Matrix3;
use skidpad_files::mesh::{area, convex_outline, primitives};
use skidpad_math::{Pose3, Vec2, Vec3};
use skidpad_xml::Context;

use super::class::{ClassChassis, ClassWheel, MeshVisual, SpeedGains, VehicleClass};
use super::layout::{Drive, Layout, mount_yaw};
use super::mass::{self, Combined};
use super::plugins::DriveHints;
use super::robot::{JointKind, Link, Robot};
use super::sensors;
use super::shape::{Shape, Solid};
use super::text::number;
use super::wheels::{RobotWheel, Wheels};
use super::{balance, trial};

/// Acceleration of gravity [m/s²].
const GRAVITY: f64 = 9.81;
/// Double pole of a controller of speed [1/s]: chosen, so that a step of the command is followed within 2 % after 0.3 s.
const POLE: f64 = 20.0;
/// Torque of a motor of which none is stated, in parts of what its wheel can put on the ground under its static load [-]. It is chosen: load
/// moves to the outer wheels of a turn, and wheels resist rolling.
const TORQUE_RESERVE: f64 = 1.25;
/// Likewise where a PI controls the speed: a wheel that breaks loose would spin up, as nothing holds its own speed.
const TORQUE_RESERVE_OF_PI: f64 = 0.9;
/// Speed up to which such a motor overcomes the damping of its wheel [m/s]: chosen.
const DAMPED_SPEED: f64 = 2.0;
/// Rolling resistance [-]: chosen, as that of the shipped robots; and the largest share of the force of the motors that it takes [-], chosen too:
/// Gazebo has none, and weak motors move heavy robots there.
const ROLLING_RESISTANCE: f64 = 0.01;
const ROLLING_SHARE: f64 = 0.25;
/// Friction coefficient of wheels for which none, or an impossible one, is stated; the largest possible one [-].
const USUAL_MU: f64 = 1.0;
const MAX_MU: f64 = 3.0;
/// Least friction coefficient with which a driven wheel has any grip [-].
pub(super) const MIN_MU: f64 = 0.2;
/// Density of a chassis without mass [kg/m³]: chosen, as that of the shipped robots.
const USUAL_DENSITY: f64 = 100.0;
/// Mass of a wheel or castor without mass, as a share of the chassis: chosen.
const WHEEL_SHARE: f64 = 0.02;
const CASTOR_SHARE: f64 = 0.001;
/// Steering rates above this are written for "none" [rad/s].
const MAX_STEERING_RATE: f64 = 50.0;
/// Least area of an outline [m²], and height of a chassis [m].
const MIN_AREA: f64 = 1e-6;
const MIN_HEIGHT: f64 = 1e-3;
/// Least inertia of a wheel about its axle, in parts of that of a ring [-]: less is rounding.
const MIN_WHEEL_INERTIA: f64 = 1e-6;
/// Largest one, likewise: no mass is beyond the rim, but descriptions round.
const MAX_WHEEL_INERTIA: f64 = 2.0;

/// The class of a robot. None, with the errors recorded, where it has no drive.
pub(super) fn convert(context: &Context, robot: &Robot<'_>) -> Option<VehicleClass> {
    let hints = DriveHints::read(context, robot);
    let robot_wheels = Wheels::find(context, robot, &hints)?;
    let virtual_joints: Vec<usize> =
        robot_wheels.virtual_wheels.iter().flat_map(|wheel| [Some(wheel.joint), wheel.hinge]).flatten().collect();
    let ball_links: BTreeSet<usize> = robot_wheels.castors.iter().flat_map(|castor| castor.links.clone()).collect();
    // What stands for wheels beside it is not there to collide with.
    let mut seen_only = ball_links.clone();
    seen_only.extend(robot_wheels.virtual_wheels.iter().flat_map(|wheel| wheel.links.clone()));
    let layout = Layout::choose(context, robot, &hints, robot_wheels)?;
    let body_from_robot = layout.robot_from_body.inverse();
    let wheel_links: BTreeSet<usize> = layout.wheels.iter().flat_map(|(_, wheel)| wheel.links.clone()).collect();
    let castor_links: BTreeSet<usize> = match &layout.drive {
        Drive::Differential(Some(castor)) => castor.links.iter().copied().collect(),
        _ => BTreeSet::new(),
    };
    let body_links: Vec<usize> =
        (0..robot.links.len()).filter(|link| !wheel_links.contains(link) && !castor_links.contains(link)).collect();
    warn_of_held_joints(context, robot, &layout, &wheel_links, &ball_links, &virtual_joints);

    let (outline, z) = shape(context, robot, &body_links, &seen_only, &layout, &body_from_robot);
    let mut chassis_mass = mass::combined(robot, &body_links, &body_from_robot);
    if chassis_mass.mass <= 0.0 {
        chassis_mass = guessed_mass(context, robot, &outline, z);
    }
    let instead = if chassis_mass.tensor[(2, 2)] > 0.0 { "taken as points" } else { "taken as a uniform plate" };
    warn_of_missing_inertia(context, robot, &body_links, instead);
    // That of a track does not tell how much of it moves.
    if !matches!(layout.drive, Drive::Tracked { .. }) {
        let wheels: Vec<usize> = wheel_links.iter().copied().collect();
        warn_of_missing_inertia(context, robot, &wheels, "taken as uniform discs");
    }
    let mut wheels: Vec<ClassWheel> = layout
        .wheels
        .iter()
        .map(|(tag, wheel)| class_wheel(context, robot, &layout.drive, tag, wheel, &body_from_robot, chassis_mass.mass))
        .collect();
    if let Drive::Differential(Some(castor)) = &layout.drive {
        let mass = mass::combined(robot, &castor.links, &body_from_robot).mass;
        wheels.push(ClassWheel {
            tag: "caster_wheel",
            position: Vec2::new(castor.center.x, castor.center.y),
            mount_yaw: None,
            mass: if mass > 0.0 { mass } else { CASTOR_SHARE * chassis_mass.mass },
            radius: castor.radius,
            width: castor.radius,
            inertia: None,
            color: None,
            visuals: Vec::new(),
        });
    }
    let separation_multiplier = match layout.drive {
        Drive::Omni3 | Drive::Omni4 => 1.0,
        Drive::SkidSteer => separation_multiplier(&hints, &wheels),
        _ => {
            check_separation(context, &hints, &wheels);
            1.0
        }
    };
    let whole: f64 = chassis_mass.mass + wheels.iter().map(|wheel| wheel.mass).sum::<f64>();
    let center_height = {
        let moment: f64 = wheels.iter().map(|wheel| wheel.mass * wheel.radius).sum();
        (chassis_mass.mass * chassis_mass.center.z + moment) / whole
    };
    let yaw_inertia = chassis_mass.tensor[(2, 2)];
    let chassis = ClassChassis {
        mass: chassis_mass.mass,
        center: Vec2::new(chassis_mass.center.x, chassis_mass.center.y),
        center_height: (center_height > 0.0).then_some(center_height),
        yaw_inertia: (yaw_inertia > 0.0).then_some(yaw_inertia),
        outline,
        z,
        color: body_links.iter().find_map(|link| robot.links[*link].visuals.iter().find_map(|shape| shape.color)),
    };
    let driven: Vec<&RobotWheel> = layout.driven_wheels();
    let mu = friction(context, robot, &hints, &driven);
    let count = driven.len() as f64;
    let radius = driven.iter().map(|wheel| wheel.radius).sum::<f64>() / count;
    let damping = driven.iter().map(|wheel| robot.joints[wheel.joint].damping).sum::<f64>() / count;
    let efforts = driven.iter().filter_map(|wheel| robot.joints[wheel.joint].effort);
    let reserve = match layout.drive {
        Drive::Ackermann { .. } | Drive::Tricycle { .. } => TORQUE_RESERVE_OF_PI,
        _ => TORQUE_RESERVE,
    };
    let load =
        most_load(&wheels, &chassis_mass, &layout.drive) * balance::driven_share(&layout.drive, &chassis, &wheels);
    let grip = reserve * mu * whole * GRAVITY * load * radius / count;
    let fastest = hints.max_speed.unwrap_or_default().max(DAMPED_SPEED);
    let torque = efforts.chain(hints.wheel_torque).fold(grip + damping * fastest / radius, f64::min);
    let speeds = driven.iter().filter_map(|wheel| Some(robot.joints[wheel.joint].velocity? * wheel.radius));
    let slowest = driven.iter().filter_map(|wheel| Some((robot.joints[wheel.joint].velocity? * wheel.radius, *wheel)));
    let slowest = slowest.min_by(|(speed, _), (other, _)| speed.total_cmp(other));
    if let Some((speed, wheel)) = slowest.filter(|(speed, _)| *speed < hints.max_speed.unwrap_or(trial::SPEED)) {
        let joint = &robot.joints[wheel.joint];
        let message = format!(
            "the velocity limit of joint \"{}\", {} rad/s, lets the robot drive at {} m/s",
            joint.name,
            number(joint.velocity.unwrap_or_default()),
            number((1e3 * speed).round() / 1e3)
        );
        context.warn(&joint.place, message);
    }
    // Behind differentials there is one motor for all wheels.
    let share = if matches!(layout.drive, Drive::Ackermann { .. }) { 1.0 } else { count };
    // What a motor moves: its share of the mass, the wheels that it turns, and the damping at all axles.
    let turning: f64 =
        wheels.iter().map(|w| w.inertia.unwrap_or(0.5 * w.mass * w.radius * w.radius) / (w.radius * w.radius)).sum();
    let gains = SpeedGains::new((whole + turning) / share, damping * wheels.len() as f64 / share, radius);
    let root = (0..robot.links.len()).find(|link| robot.joint_above(*link).is_none() && body_links.contains(link));
    let root = root.map_or((robot.name.clone(), body_from_robot), |root| {
        (robot.links[root].name.clone(), body_from_robot * robot.links[root].robot_from_link)
    });
    let mut class = VehicleClass {
        name: super::text::identifier(&robot.name),
        wheels,
        chassis,
        gains,
        separation_multiplier,
        max_torque: torque * count / share,
        max_speed: speeds.chain(hints.max_speed).reduce(f64::min),
        max_acceleration: hints.max_acceleration,
        max_yaw_rate: hints.max_yaw_rate,
        max_yaw_acceleration: hints.max_yaw_acceleration,
        steering_rate: steering_rate(robot, &hints, &layout),
        mu,
        damping,
        rolling_resistance: rolling_resistance(context, robot, torque * count / radius, whole),
        visuals: Vec::new(),
        solids: Vec::new(),
        sensors: Vec::new(),
        root,
        robot_from_body: layout.robot_from_body,
        drive: layout.drive,
    };
    let is_tracked = matches!(class.drive, Drive::Tracked { .. });
    // Tracks stay where they are, while the visuals of wheels turn.
    for link in body_links.iter().chain(&castor_links).chain(wheel_links.iter().filter(|_| is_tracked)) {
        let body_from_link = body_from_robot * robot.links[*link].robot_from_link;
        for shape in &robot.links[*link].visuals {
            match mesh_visual(shape, &body_from_link) {
                Some(mesh) => class.visuals.push(mesh),
                None => class.solids.push((
                    body_from_link * shape.link_from_shape,
                    shape.solid.clone(),
                    shape.color.unwrap_or([0x80, 0x80, 0x80, 0xff]),
                )),
            }
        }
    }
    for sensor in &robot.sensors {
        if let Some(sensor) = sensors::convert(context, sensor, &body_from_robot, &class.sensors) {
            class.sensors.push(sensor);
        }
    }
    let mut found = std::mem::take(&mut class.sensors);
    sensors::keep_those_that_load(context, &mut found, |sensors| trial::loads(&class, sensors));
    class.sensors = found;
    balance::warn(context, robot, &class);
    Some(class)
}

impl SpeedGains {
    /// Of a PI that moves `mass` [kg] by a wheel of `radius` [m] against `damping` [N·m·s/rad]: m·v̇ = τ/R − d·v/R² with a double pole at
    /// −p − d/(2·m·R²); the filter of the set-point cancels the zero, so that nothing overshoots (K. J. Åström and T. Hägglund, "PID
    /// Controllers", 2nd ed., §4.4).
    fn new(mass: f64, damping: f64, radius: f64) -> SpeedGains {
        let pole = POLE + 0.5 * damping / (mass * radius * radius);
        let (proportional, integral) = (2.0 * POLE * mass * radius, pole * pole * mass * radius);
        SpeedGains { proportional, integral, filter: proportional / integral }
    }
}

/// Largest load on one of four wheels without steering, in parts of their mean [-]; 1 of all others.
fn most_load(wheels: &[ClassWheel], chassis: &Combined, drive: &Drive) -> f64 {
    let ([rear, right, front, _], Drive::SkidSteer | Drive::Omni4 | Drive::Mecanum) = (wheels, drive) else {
        return 1.0;
    };
    let share = |from: f64, to: f64, at: f64| ((at - from) / (to - from)).clamp(0.0, 1.0);
    let ahead = share(rear.position.x, front.position.x, chassis.center.x);
    let left = share(right.position.y, rear.position.y, chassis.center.y);
    4.0 * ahead.max(1.0 - ahead) * left.max(1.0 - left)
}

/// Yaw rate that the wheels are driven for, per commanded one [-]: a driver of robots that skid reckons with wheels that are farther apart.
fn separation_multiplier(hints: &DriveHints, wheels: &[ClassWheel]) -> f64 {
    let [left, right, ..] = wheels else { return 1.0 };
    let track = (left.position.y - right.position.y).abs();
    let stated = hints.separation.as_ref().map_or(track, |(separation, _)| *separation);
    let multiplier = hints.separation_multiplier.unwrap_or(1.0) * stated / track;
    if (multiplier - 1.0).abs() < 0.01 { 1.0 } else { multiplier }
}

fn class_wheel(
    context: &Context,
    robot: &Robot<'_>,
    drive: &Drive,
    tag: &'static str,
    wheel: &RobotWheel,
    body_from_robot: &Pose3,
    chassis_mass: f64,
) -> ClassWheel {
    let center = body_from_robot.transform_point(wheel.center);
    let axle = body_from_robot.rotation() * wheel.axle;
    let combined = mass::combined(robot, &wheel.links, body_from_robot);
    let joint = &robot.joints[wheel.joint];
    if combined.mass <= 0.0 {
        context.warn(
            &joint.place,
            format!(
                "the wheel on joint \"{}\" has no mass: {} kg are used",
                joint.name,
                number(WHEEL_SHARE * chassis_mass)
            ),
        );
    }
    let inertia = combined.about(center, axle);
    let is_track = matches!(drive, Drive::Tracked { .. });
    let of_ring = combined.mass * wheel.radius * wheel.radius;
    let possible = MIN_WHEEL_INERTIA * of_ring..=MAX_WHEEL_INERTIA * of_ring;
    let is_possible = of_ring > 0.0 && possible.contains(&inertia);
    if of_ring > 0.0 && inertia > *possible.end() && !is_track {
        let message = format!(
            "the wheel on joint \"{}\" has an inertia of {} kg·m² about its axle, more than {} with all mass at the rim: a uniform disc is used",
            joint.name,
            number(inertia),
            number(of_ring)
        );
        context.warn(&robot.links[joint.child].place, message);
    }
    let body_from_wheel = Pose3 { x: center.x, y: center.y, z: wheel.radius, ..Pose3::default() };
    let mut position = Vec2::new(center.x, center.y);
    let mut visuals = Vec::new();
    if is_track || (matches!(drive, Drive::Tricycle { .. }) && tag == "f_wheel") {
        // Exactly beside each other, and exactly in the middle, as the drives require.
        position = if is_track { Vec2::new(0.0, position.y) } else { Vec2::new(position.x, 0.0) };
    }
    for link in wheel.links.iter().filter(|_| !is_track) {
        let wheel_from_link = body_from_wheel.inverse() * *body_from_robot * robot.links[*link].robot_from_link;
        visuals.extend(robot.links[*link].visuals.iter().filter_map(|shape| mesh_visual(shape, &wheel_from_link)));
    }
    ClassWheel {
        tag,
        position,
        mount_yaw: matches!(drive, Drive::Omni3 | Drive::Omni4).then(|| mount_yaw(position, axle)),
        mass: if combined.mass > 0.0 { combined.mass } else { WHEEL_SHARE * chassis_mass },
        radius: wheel.radius,
        width: wheel.width,
        inertia: (is_possible && !is_track).then_some(inertia),
        color: wheel.color,
        visuals,
    }
}

fn mesh_visual(shape: &Shape, frame_from_link: &Pose3) -> Option<MeshVisual> {
    let (file, pose, scale) = shape.mesh_pose(frame_from_link)?;
    Some(MeshVisual { address: file.address.clone(), pose, scale, color: shape.color })
}

/// Outline [m] and heights [m] of the chassis: around the shapes of all links but wheels, castors and what is only
/// seen, those of collisions, or, in a link that has none, its visuals. Without any, a box around the wheels.
fn shape(
    context: &Context,
    robot: &Robot<'_>,
    links: &[usize],
    seen_only: &BTreeSet<usize>,
    layout: &Layout,
    body_from_robot: &Pose3,
) -> (Vec<Vec2>, [f64; 2]) {
    let links = links.iter().filter(|link| !seen_only.contains(link)).map(|link| &robot.links[*link]);
    let points: Vec<Vec3> = links
        .flat_map(|link| {
            let shapes = if link.collisions.is_empty() { &link.visuals } else { &link.collisions };
            let frame = *body_from_robot * link.robot_from_link;
            // A ball under the chassis is a castor.
            let is_seen = move |shape: &&Shape| shapes.len() == 1 || !is_ball_on_ground(shape, &frame);
            shapes.iter().filter(is_seen).flat_map(move |shape| shape.points(&frame))
        })
        .collect();
    let flat: Vec<Vec2> = points.iter().map(|point| Vec2::new(point.x, point.y)).collect();
    let outline = convex_outline(&flat);
    let low = points.iter().map(|point| point.z).fold(f64::INFINITY, f64::min).max(0.0);
    let high = points.iter().map(|point| point.z).fold(f64::NEG_INFINITY, f64::max);
    if outline.len() >= 3 && area(&outline) > MIN_AREA && high - low > MIN_HEIGHT {
        return (outline, [low, high]);
    }
    context.warn(&robot.place, "no link has a shape: the chassis gets a box around the wheels");
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    let mut top: f64 = 0.0;
    for (_, wheel) in &layout.wheels {
        let center = body_from_robot.transform_point(wheel.center);
        for (axis, at) in [center.x, center.y].into_iter().enumerate() {
            low[axis] = low[axis].min(at - wheel.radius);
            high[axis] = high[axis].max(at + wheel.radius);
        }
        top = top.max(2.0 * wheel.radius);
    }
    (primitives::rectangle([low[0], high[0]], [low[1], high[1]]), [0.25 * top, top])
}

/// Whether a shape is a ball that touches the ground of the frame.
fn is_ball_on_ground(shape: &Shape, frame_from_link: &Pose3) -> bool {
    let height = (*frame_from_link * shape.link_from_shape).position().z;
    matches!(shape.solid, Solid::Sphere { radius } if height - radius < 0.1 * radius)
}

/// A mass for a chassis that has none.
fn guessed_mass(context: &Context, robot: &Robot<'_>, outline: &[Vec2], z: [f64; 2]) -> Combined {
    let volume = area(outline) * (z[1] - z[0]);
    let mass = USUAL_DENSITY * volume;
    context
        .warn(&robot.place, format!("no link of the chassis has a mass: {} kg are used", number(mass)))
        .hint(format!("set the mass of <chassis> in the class; the present one assumes {USUAL_DENSITY} kg/m³"));
    let center = outline.iter().fold(Vec2::ZERO, |sum, p| sum + *p);
    let center = (1.0 / outline.len() as f64) * center;
    Combined { mass, center: Vec3::new(center.x, center.y, 0.5 * (z[0] + z[1])), tensor: Matrix3::zeros() }
}

/// The friction coefficient of the driven wheels [-].
fn friction(context: &Context, robot: &Robot<'_>, hints: &DriveHints, driven: &[&RobotWheel]) -> f64 {
    let stated = driven.iter().find_map(|wheel| {
        let link = &robot.links[robot.joints[wheel.joint].child];
        Some((link, link.friction?))
    });
    match stated {
        Some((link, mu)) if hints.moves_robot && mu < MIN_MU => {
            let message = format!(
                "a friction coefficient of {}, with which the wheels slide while a plugin moves the robot: {USUAL_MU} is used",
                number(mu)
            );
            context.warn(&link.place, message);
            USUAL_MU
        }
        Some((_, mu)) if mu > 0.0 && mu <= MAX_MU => mu,
        Some((link, mu)) => {
            context
                .warn(&link.place, format!("a friction coefficient of {}: {USUAL_MU} is used", number(mu)))
                .accepted([format!("more than 0, up to {MAX_MU}")]);
            USUAL_MU
        }
        None => USUAL_MU,
    }
}

/// Rolling resistance [-] of a robot of this mass [kg], whose motors push with this force [N] in all; a warning where they are too weak for the
/// usual one.
fn rolling_resistance(context: &Context, robot: &Robot<'_>, force: f64, mass: f64) -> f64 {
    let most = ROLLING_SHARE * force / (mass * GRAVITY);
    if most >= ROLLING_RESISTANCE {
        return ROLLING_RESISTANCE;
    }
    // Two digits are enough for a choice.
    let scale = libm::pow(10.0, 1.0 - libm::floor(libm::log10(most)));
    let chosen = libm::floor(most * scale) / scale;
    let message = format!(
        "its motors push with {} N in all, little for {} kg: a rolling resistance of {} is used",
        number((10.0 * force).round() / 10.0),
        number(mass.round()),
        number(chosen)
    );
    context.warn(&robot.place, message).hint(format!("without such limits of effort it would be {ROLLING_RESISTANCE}"));
    chosen
}

/// The rate of the steering [rad/s], if the hinges or a plugin limit it.
fn steering_rate(robot: &Robot<'_>, hints: &DriveHints, layout: &Layout) -> Option<f64> {
    layout.drive.max_steer()?;
    let hinges = layout.wheels.iter().filter_map(|(_, wheel)| robot.joints[wheel.hinge?].velocity);
    hinges.chain(hints.max_steering_rate).reduce(f64::min).filter(|rate| *rate < MAX_STEERING_RATE)
}

/// Warns where a plugin drives with another track than that of the wheels.
fn check_separation(context: &Context, hints: &DriveHints, wheels: &[ClassWheel]) {
    let Some((separation, place)) = &hints.separation else { return };
    let [left, right, ..] = wheels else { return };
    let track = (left.position.y - right.position.y).abs();
    if (track - separation).abs() > 0.01 * track {
        context.warn(
            place,
            format!(
                "the plugin drives with a wheel separation of {} m, but the wheels are {} m apart, which is used",
                number(*separation),
                number(track)
            ),
        );
    }
}

/// Warns of links with a mass of which no inertia is stated, and says what they are taken for.
fn warn_of_missing_inertia(context: &Context, robot: &Robot<'_>, links: &[usize], instead: &str) {
    let lacks = |link: &&Link| {
        link.inertial.as_ref().is_some_and(|inertial| inertial.mass > 0.0 && inertial.tensor == Matrix3::zeros())
    };
    let lacking: Vec<&Link> = links.iter().map(|link| &robot.links[*link]).filter(lacks).collect();
    let Some(first) = lacking.first() else { return };
    let names: Vec<&str> = lacking.iter().map(|link| link.name.as_str()).collect();
    context.warn(&first.place, format!("no inertia is given for {}: {instead}", names.join(", ")));
}

/// Warns of joints that could move and are held at zero.
fn warn_of_held_joints(
    context: &Context,
    robot: &Robot<'_>,
    layout: &Layout,
    wheel_links: &BTreeSet<usize>,
    castor_links: &BTreeSet<usize>,
    virtual_joints: &[usize],
) {
    let axles: Vec<usize> =
        layout.wheels.iter().flat_map(|(_, wheel)| [Some(wheel.joint), wheel.hinge]).flatten().collect();
    for (index, joint) in robot.joints.iter().enumerate() {
        // A castor swivels by its lack of grip.
        let rolls = wheel_links.contains(&joint.child)
            || robot.links_below(joint.child).iter().any(|link| castor_links.contains(link));
        if joint.kind != JointKind::Fixed && !axles.contains(&index) && !rolls && !virtual_joints.contains(&index) {
            context.warn(&joint.place, format!("joint \"{}\" is fixed at 0, since a chassis is rigid", joint.name));
        }
    }
}
