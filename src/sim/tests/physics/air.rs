//! Air and wind in whole worlds: top speeds, downforce, crosswind, and a vehicle that stands in the wind.

use super::common::*;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::World;

const DENSITY: f64 = 1.225;
const AREA: f64 = 2.2;
const WHEELBASE: f64 = 2.6;
/// Mass of the whole car [kg].
const CAR: f64 = 1320.0;

/// A car with this air and more of its dynamics, that starts at 30 m/s, in a world with `rest`.
fn car(air: &str, dynamics: &str, rest: &str) -> World {
    world(&format!(
        r#"<simul_timestep>0.005</simul_timestep>{rest}<vehicle name="car"><init_pose>0 0 0</init_pose><init_vel>30 0 0</init_vel>
        <dynamics class="ackermann_drivetrain">
        <rl_wheel pos="0 0.75" mass="30" width="0.2" diameter="0.6"/><rr_wheel pos="0 -0.75" mass="30" width="0.2" diameter="0.6"/>
        <fl_wheel mass="30" width="0.2" diameter="0.6"/><fr_wheel mass="30" width="0.2" diameter="0.6"/>
        <f_wheels_x>{WHEELBASE}</f_wheels_x><f_wheels_d>1.5</f_wheels_d>
        <chassis mass="1200" com="1.3 0" com_height="0.5" inertia="1800" zmin="0.25" zmax="1.4" linear_damping="0" angular_damping="0">
        <shape><pt>-0.6 -0.8</pt><pt>3.2 -0.8</pt><pt>3.2 0.8</pt><pt>-0.6 0.8</pt></shape></chassis>
        <weight>static</weight><aerodynamics><area>{AREA}</area><drag>0.3</drag>{air}</aerodynamics>
        <drivetrain type="open_front"/>
        <controller class="front_steer_pid"><KP>3000</KP><max_torque>2500</max_torque></controller>{dynamics}</dynamics>
        <friction class="default"><mu>1</mu><C_damping>0</C_damping><C_rr>0</C_rr></friction></vehicle>"#
    ))
}

fn order(world: &mut World, speed: f64) {
    let action = Action::Ackermann { speed, steering_angle: 0.0 };
    world.command(Command { vehicle: 0, action }).expect("takes these");
}

fn wind(x: f64, y: f64, gusts: f64) -> String {
    let region = |property: &str, value: f64| {
        format!(
            r#"<element class="property_region"><property_name>{property}</property_name><value_double>{value}</value_double>
            <x_min>-1e5</x_min><x_max>1e5</x_max><y_min>-1e5</y_min><y_max>1e5</y_max></element>"#
        )
    };
    [region("wind_x", x), region("wind_y", y), region("wind_gusts", gusts)].concat()
}

const SPRINGS: &str = "<suspension><axle><ride_frequency>1.5</ride_frequency></axle></suspension>";

#[test]
fn downforce_presses_each_axle_with_and_without_springs() {
    for springs in ["", SPRINGS] {
        let mut still = car("", springs, "");
        let mut pressed = car("<lift>-0.5 -1.2</lift>", springs, "");
        for world in [&mut still, &mut pressed] {
            order(world, 30.0);
            run(world, 8.0);
        }
        let (a, b) = (first(&still), first(&pressed));
        let square = b.velocity_in_body.vx * b.velocity_in_body.vx;
        let axle = |left: usize| {
            let load = |frame: &skidpad_sim::world::VehicleFrame| frame.wheels[left].load + frame.wheels[left + 1].load;
            load(b) - load(a)
        };
        for (wheels, coefficient) in [(0, 1.2), (2, 0.5)] {
            let expected = 0.5 * DENSITY * AREA * coefficient * square;
            let added = axle(wheels);
            assert!((added / expected - 1.0).abs() < 0.04, "{added} N, expected {expected} N, {springs}");
        }
    }
}

/// At a steady speed the motors hold the drag.
#[test]
fn drag_is_that_of_the_flow() {
    for x in [0.0, -10.0, 10.0] {
        let mut world = car("", "", &wind(x, 0.0, 0.0));
        order(&mut world, 30.0);
        run(&mut world, 30.0);
        let torque: f64 = first(&world).wheels.iter().map(|wheel| wheel.torque).sum();
        let flow = first(&world).velocity_in_body.vx - x;
        let (force, expected) = (torque / 0.3, 0.5 * DENSITY * AREA * 0.3 * flow * flow);
        assert!((force / expected - 1.0).abs() < 0.01 && flow > 15.0, "wind {x}: {force} N, expected {expected} N");
    }
}

/// A car in a crosswind slides by a small slip angle: the tyres carry the side force and the yaw moment.
#[test]
fn a_crosswind_loads_the_axles_as_statics_say() {
    for (y, sign) in [(10.0, 1.0), (-10.0, -1.0)] {
        let mut world = car("<side>2</side><yaw>0.6</yaw>", "", &wind(0.0, y, 0.0));
        order(&mut world, 30.0);
        run(&mut world, 1.5);
        let frame = first(&world);
        let flow: f64 = (900.0_f64 + 100.0).sqrt();
        let side = 0.5 * DENSITY * AREA * 2.0 * flow * 10.0;
        let yaw = 0.5 * DENSITY * AREA * WHEELBASE * 0.6 * 30.0 * 10.0;
        // The wind comes from the right where y > 0: it pushes to the left, and turns the nose there.
        let lateral: f64 = frame.wheels.iter().map(|wheel| wheel.force_in_wheel.y).sum();
        let turn = frame.velocity_in_body.wz * frame.velocity_in_body.vx * CAR;
        let pushed = sign * (turn - lateral);
        assert!((pushed / side - 1.0).abs() < 0.25, "{pushed} N, expected {side} N");
        let front: f64 = frame.wheels[2..].iter().map(|wheel| wheel.force_in_wheel.y).sum();
        let moment = -sign * 0.5 * WHEELBASE * (front - (lateral - front));
        assert!((moment / yaw - 1.0).abs() < 0.25, "{moment} N·m, expected {yaw} N·m");
    }
}

#[test]
fn in_gusts_it_drives_the_same_at_every_run_and_stands_where_it_is_told_to() {
    let gusty = || {
        let mut world = car("<side>2</side><yaw>0.6</yaw>", SPRINGS, &wind(0.0, 12.0, 3.0));
        order(&mut world, 20.0);
        run(&mut world, 5.0);
        world
    };
    let (mut one, other) = (gusty(), gusty());
    assert_eq!(first(&one), first(&other));
    let drift = first(&one).world_from_body.y;
    assert!(drift > 0.02, "the wind drives it off: {drift} m");
    let roll = first(&one).world_from_body.roll;
    assert!(roll.abs() > 1e-5, "{roll} rad");
    order(&mut one, 0.0);
    run(&mut one, 10.0);
    let rest = first(&one).world_from_body.planar();
    run(&mut one, 5.0);
    let moved = (first(&one).world_from_body.planar().position() - rest.position()).norm();
    assert!(moved < 0.1, "{moved} m");
}

#[test]
fn bad_air_says_why() {
    let of = |class: &str, inside: &str| {
        problems(&format!(
            r#"<mvsim_world><vehicle name="v"><init_pose>0 0 0</init_pose><dynamics class="{class}">{inside}</dynamics></vehicle></mvsim_world>"#
        ))
    };
    let air = "<aerodynamics><area>2</area><drag>0.3</drag></aerodynamics>";
    for (class, inside, expected) in [
        (
            "kinematic_bicycle",
            air.to_owned(),
            "the class is a model of the whole vehicle, without forces at its wheels",
        ),
        ("articulated", air.to_owned(), "its body has two frames, and the air would act on one"),
        ("differential", air.to_owned(), "<aerodynamics> needs two axles"),
        ("ackermann", "<aerodynamics><area>2</area></aerodynamics>".to_owned(), "missing <drag> in <aerodynamics>"),
        (
            "ackermann",
            format!("{air}<resistance><C_a>0.4</C_a></resistance>"),
            "air drag both in <resistance> and <aerodynamics>",
        ),
    ] {
        let all = of(class, &inside);
        assert!(all.len() == 1 && all[0].contains(expected), "{all:?}");
    }
}
