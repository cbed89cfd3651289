//! Regions with their own friction, slopes, and vehicles that stand or roll on them.

use std::path::Path;

use super::load;
use skidpad_math::{Twist2, Vec3};
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::region::{NO_COVERAGE, Value, find, has_coverage};
use skidpad_sim::world::{Frame, LoadOptions, PhysicsRules, World};

const GRAVITY: f64 = 9.81;

/// Loads what stands between `<mvsim_world>` and its end. Gives the warnings as well.
fn load_text(inner: &str, rules: PhysicsRules) -> Result<(World, Vec<String>), String> {
    let options = LoadOptions { physics: Some(rules), ..LoadOptions::default() };
    let text = format!("<mvsim_world>\n{inner}</mvsim_world>");
    let (world, warnings) =
        World::load_text("w.xml", Path::new("."), &text, &options).map_err(|problems| problems.to_string())?;
    Ok((world, warnings.iter().map(ToString::to_string).collect()))
}

/// The same, without a warning.
fn world(inner: &str) -> World {
    let (world, warnings) = load_text(inner, PhysicsRules::Skidpad).unwrap_or_else(|problems| panic!("{problems}"));
    assert!(warnings.is_empty(), "{warnings:?}");
    world
}

fn run(world: &mut World, seconds: f64, mut look: impl FnMut(&Frame)) {
    let steps = (seconds / world.scene().step.secs()).round() as usize;
    for _ in 0..steps {
        look(world.step().unwrap_or_else(|error| panic!("{error}")));
    }
}

fn command(world: &mut World, vehicle: usize, vx: f64) {
    world.command(Command { vehicle, action: Action::Twist(Twist2::new(vx, 0.0, 0.0)) }).unwrap();
}

fn x(world: &World, vehicle: usize) -> f64 {
    world.frame().vehicles[vehicle].world_from_body.x
}

fn speed(world: &World, vehicle: usize) -> f64 {
    world.frame().vehicles[vehicle].velocity_in_body.linear().norm()
}

fn region(property: &str, value: &str, range: &str) -> String {
    let [x_min, x_max, z_min, z_max] = range.split(' ').collect::<Vec<_>>()[..] else { panic!("{range}") };
    format!(
        r#"<element class="property_region"><property_name>{property}</property_name>{value}
        <x_min>{x_min}</x_min><x_max>{x_max}</x_max><y_min>-10</y_min><y_max>10</y_max>
        <z_min>{z_min}</z_min><z_max>{z_max}</z_max></element>"#
    )
}

/// A cart of 120 kg on four driven discs of 5 kg and 0.3 m radius.
fn cart(name: &str, pose: &str, controller: &str, friction: &str) -> String {
    let disc = r#"mass="5" width="0.1" diameter="0.6""#;
    format!(
        r#"<vehicle name="{name}"><init_pose3d>{pose}</init_pose3d><dynamics class="differential_4_wheels">
        <lr_wheel pos="-0.5 0.5" {disc}/><rr_wheel pos="-0.5 -0.5" {disc}/>
        <lf_wheel pos="0.5 0.5" {disc}/><rf_wheel pos="0.5 -0.5" {disc}/>
        <chassis mass="100" linear_damping="0" angular_damping="0">
        <shape><pt>-0.7 -0.4</pt><pt>-0.7 0.4</pt><pt>0.7 0.4</pt><pt>0.7 -0.4</pt></shape></chassis>
        {controller}</dynamics>{friction}</vehicle>"#
    )
}

const PID: &str = r#"<controller class="twist_pid"><KP>1000</KP></controller>"#;
const LOSSLESS: &str = r#"<friction class="default"><mu>0.8</mu><C_damping>0</C_damping></friction>"#;

/// Full braking takes v²/(2·μ·g), with the ground's μ, on every law whose sliding wheels keep their grip, the ellipse included.
#[test]
fn the_way_to_stop_on_ice_doubles_as_mu_halves() {
    for law in ["default", "wardiagnemma", "ellipse", "linear", "fiala"] {
        let mut distances = Vec::new();
        for mu in [0.2, 0.1, 0.05] {
            let friction = format!(r#"<friction class="{law}"><C_damping>0</C_damping></friction>"#);
            let ice = region("friction_mu", &format!("<value_double>{mu}</value_double>"), "20 200 -1 1");
            let inner = cart("a", "0 0 0 0 0 0", PID, &friction);
            let mut world = world(&format!("<simul_timestep>0.001</simul_timestep>{ice}{inner}"));
            command(&mut world, 0, 4.0);
            while x(&world, 0) < 22.0 {
                run(&mut world, 0.1, |_| {});
            }
            let (from, v) = (x(&world, 0), speed(&world, 0));
            assert!((v - 4.0).abs() < 0.1, "{law}: {v}");
            command(&mut world, 0, 0.0);
            run(&mut world, 1.2 * v / (mu * GRAVITY), |_| {});
            assert!(speed(&world, 0) < 0.05, "{law} {mu}: {}", speed(&world, 0));
            let distance = x(&world, 0) - from;
            let expected = v * v / (2.0 * mu * GRAVITY);
            assert!((distance / expected - 1.0).abs() < 0.02, "{law} {mu}: {distance} for {expected}");
            distances.push(distance / (v * v));
        }
        assert!(
            (distances[1] / distances[0] - 2.0).abs() < 0.04 && (distances[2] / distances[1] - 2.0).abs() < 0.04,
            "{law}: {distances:?}"
        );
    }
}

/// (m + ΣI/R²)·v' = −C_rr·m·g inside, nothing outside.
#[test]
fn mud_takes_speed_by_its_closed_form() {
    let mud = region("friction_C_rr", "<value_double>0.05</value_double>", "5 200 -1 1");
    let rolling = cart("a", "0 0 0 0 0 0", "", LOSSLESS);
    let rolling = rolling.replace("<dynamics", "<init_vel>4 0 0</init_vel><dynamics");
    let mut world = world(&format!("<simul_timestep>0.001</simul_timestep>{mud}{rolling}"));
    run(&mut world, 0.5, |_| {});
    let before = speed(&world, 0);
    run(&mut world, 0.5, |_| {});
    assert!((speed(&world, 0) - before).abs() < 1e-9);
    while x(&world, 0) < 6.0 {
        run(&mut world, 0.01, |_| {});
    }
    let before = speed(&world, 0);
    run(&mut world, 2.0, |_| {});
    let expected = 0.05 * 120.0 * GRAVITY / (120.0 + 10.0);
    assert!(((before - speed(&world, 0)) / 2.0 / expected - 1.0).abs() < 1e-3, "{before} to {}", speed(&world, 0));
}

/// A region is asked about every wheel by itself, and at its height; under MVSim's rules at z = 0, and not by the ellipse.
#[test]
fn each_wheel_stands_on_its_own_ground() {
    let ice = region("friction_mu", "<value_double>0.01</value_double>", "0 10 -0.5 0.5");
    let push = r#"<controller class="raw"><l_torque>60</l_torque><r_torque>60</r_torque></controller>"#;
    let slips = |height: f64, law: &str, rules: PhysicsRules| -> Vec<bool> {
        let friction = format!(r#"<friction class="{law}"/>"#);
        let floor = format!(r#"<element class="horizontal_plane"><z>{height}</z></element>"#);
        let cart = cart("a", &format!("0 0 {height} 0 0 0"), push, &friction);
        let (mut world, _) = load_text(&format!("{ice}{floor}{cart}"), rules).unwrap();
        run(&mut world, 0.05, |_| {});
        world.frame().vehicles[0].wheels.iter().map(|wheel| wheel.slip_ratio() > 0.5).collect()
    };
    for law in ["default", "wardiagnemma"] {
        assert_eq!(slips(0.0, law, PhysicsRules::Skidpad), [false, false, true, true], "{law}");
        assert_eq!(slips(3.0, law, PhysicsRules::Skidpad), [false; 4], "{law}");
        assert_eq!(slips(3.0, law, PhysicsRules::Mvsim), [false, false, true, true], "{law}");
    }
    let forces = |rules: PhysicsRules| {
        let friction = r#"<friction class="ellipse"/>"#;
        let (mut world, _) = load_text(&format!("{ice}{}", cart("a", "0 0 0 0 0 0", push, friction)), rules).unwrap();
        run(&mut world, 0.05, |_| {});
        world.frame().vehicles[0].wheels.iter().map(|wheel| wheel.force_in_wheel.x / wheel.load).collect::<Vec<_>>()
    };
    let (corrected, as_mvsim) = (forces(PhysicsRules::Skidpad), forces(PhysicsRules::Mvsim));
    assert!(corrected[0] > 0.1 && corrected[2] <= 0.01 * (1.0 + 1e-9), "{corrected:?}");
    assert!(as_mvsim[2] > 0.1, "{as_mvsim:?}");
}

#[test]
fn a_scene_shows_its_regions_and_a_sensor_can_ask() {
    let roof = region(NO_COVERAGE, "<value_bool>true</value_bool>", "0 10 0 3");
    let words = r#"<variable name="L" value="4"/><element class="property_region"><property_name>friction_mu</property_name>
        <value_double>$f{0.5*L}</value_double><x_max>${L}</x_max></element>"#;
    let world = world(&format!("{roof}{words}"));
    let regions = &world.scene().regions;
    assert_eq!(regions[0].name, "region1");
    assert_eq!((regions[0].low, regions[0].high), (Vec3::new(0.0, -10.0, 0.0), Vec3::new(10.0, 10.0, 3.0)));
    assert_eq!((regions[1].low, regions[1].high), (Vec3::new(-1.0, -1.0, -1000.0), Vec3::new(4.0, 1.0, 1000.0)));
    assert_eq!(find(regions, "friction_mu", Vec3::zeros()), Some(&Value::Double(2.0)));
    let is_open = |z: f64| has_coverage(regions, Vec3::new(1.0, 0.0, z));
    assert!(!is_open(1.0) && is_open(4.0));
}

#[test]
fn errors_of_a_region_are_explained() {
    let errors = [
        (
            "<element class=\"property_region\"/>",
            "w.xml:2:1: missing a value in <element class=\"property_region\">
  accepted: <value_double>, <value_bool>, <value_string>
w.xml:2:1: missing <property_name> in <element class=\"property_region\">
  accepted: friction_mu, friction_C_rr, gps_no_coverage, wind_x, wind_y, wind_gusts, wind_gust_length",
        ),
        (
            "<element class=\"property_region\"><property_name>friction_mu</property_name><value_double>-1</value_double></element>",
            "w.xml:2:90: bad value \"-1\" for <value_double> in <element class=\"property_region\">
  accepted: a finite number >= 0",
        ),
        (
            "<element class=\"property_region\"><property_name>gps_no_coverage</property_name><value_double>1</value_double></element>",
            "w.xml:2:1: \"gps_no_coverage\" is not a boolean
  accepted: <value_bool>",
        ),
        (
            "<element class=\"property_region\"><property_name>gps_no_coverage</property_name><value_bool>maybe</value_bool></element>",
            "w.xml:2:92: bad value \"maybe\" for <value_bool> in <element class=\"property_region\">
  accepted: true, false, 1, 0",
        ),
    ];
    for (text, expected) in errors {
        assert_eq!(load_text(text, PhysicsRules::Skidpad).err().as_deref(), Some(expected), "{text}");
    }
    let warnings = [
        (
            "<element class=\"property_region\"><property_name>friction_nu</property_name><value_double>1</value_double></element>",
            "w.xml:2:1: the property \"friction_nu\" has no effect
  accepted: friction_mu, friction_C_rr, gps_no_coverage, wind_x, wind_y, wind_gusts, wind_gust_length
  hint: did you mean \"friction_mu\"?",
        ),
        (
            "<element class=\"property_region\"><property_name>friction_mu</property_name><value_string>ice</value_string></element>",
            "w.xml:2:1: \"friction_mu\" is not a number, and has no effect
  accepted: <value_double>",
        ),
        (
            "<element class=\"property_region\"><property_name>friction_mu</property_name><value_double>1</value_double><x_min>5</x_min></element>",
            "w.xml:2:1: the region is empty: x_min is 5, x_max 1",
        ),
        (
            "<element class=\"property_region\"><property_name>friction_mu</property_name><value_double>1</value_double><x_mix>5</x_mix></element>",
            "w.xml:2:106: unknown tag \"x_mix\" in <element class=\"property_region\">
  accepted: x_min, y_min, z_min, x_max, y_max, z_max, property_name, value_double
  hint: did you mean \"x_min\"?",
        ),
    ];
    for (text, expected) in warnings {
        let (world, actual) = load_text(text, PhysicsRules::Skidpad).unwrap();
        assert_eq!(actual, [expected], "{text}");
        assert_eq!(world.scene().regions.len(), 1, "it is kept");
    }
}

/// A parked vehicle that is hit slides on its locked wheels, v²/(2·μ·g) far, and stands again.
#[test]
fn a_parked_vehicle_is_pushed_on_locked_wheels() {
    let parked = cart("parked", "0 0 0 0 0 0", PID, LOSSLESS);
    let rammer = cart("rammer", "-4 0 0 0 0 0", "", r#"<friction class="default"><mu>0</mu></friction>"#)
        .replace("<dynamics", "<init_vel>3 0 0</init_vel><dynamics");
    let mut world = world(&format!("<simul_timestep>0.002</simul_timestep>{parked}{rammer}"));
    let (mut most, mut free) = (0.0_f64, None);
    run(&mut world, 10.0, |frame| {
        let vehicle = &frame.vehicles[0];
        assert!(vehicle.wheels.iter().all(|wheel| wheel.spin == 0.0), "at {:?}", frame.time);
        let circle =
            |wheel: &skidpad_sim::world::WheelFrame| wheel.force_in_wheel.norm() <= 0.8 * wheel.load * (1.0 + 1e-9);
        assert!(vehicle.wheels.iter().all(circle), "{:?}", vehicle.wheels);
        let v = vehicle.velocity_in_body.vx;
        if v >= most && v > 0.1 {
            most = v;
            free = Some(vehicle.world_from_body.x);
        }
    });
    let distance = x(&world, 0) - free.unwrap();
    let expected = most * most / (2.0 * 0.8 * GRAVITY);
    // The other pushes on a little while both touch.
    assert!(most > 0.5 && distance > 0.9 * expected, "{distance} for {expected} at {most}");
    assert!(speed(&world, 0) < 1e-9);
}

#[test]
fn a_car_on_ice_stops_late() {
    let mut world = load("ice_patch");
    let mut stopped = [None; 2];
    run(&mut world, 15.0, |frame| {
        for (vehicle, stopped) in frame.vehicles.iter().zip(&mut stopped) {
            if vehicle.velocity_in_body.vx < 0.05 {
                stopped.get_or_insert(vehicle.world_from_body.x);
            }
        }
    });
    let [Some(on_ice), Some(on_asphalt)] = stopped else { panic!("{stopped:?}") };
    // v²/(2·μ·g) on ice, and a little more at the end, where the motor's gain asks for less. On asphalt the motor's torque
    // is the limit.
    let least = 25.0 / (2.0 * 0.1 * GRAVITY);
    assert!(on_ice > 0.95 * least && on_ice < 1.25 * least, "{on_ice}, {least} at least");
    assert!(on_asphalt < 4.0, "{on_asphalt}");
}

#[test]
fn mud_holds_the_car_that_rolls_into_it() {
    let mut world = load("mud");
    run(&mut world, 15.0, |_| {});
    assert!(speed(&world, 0) < 1e-3 && (6.0..16.0).contains(&x(&world, 0)), "{}", x(&world, 0));
    assert!(speed(&world, 1) > 2.0 && x(&world, 1) > 30.0, "{}", x(&world, 1));
}

/// (m·g·(sin θ − C_rr·cos θ) − ΣC·v/R²)/(m + ΣI/R²) to the lag of the wheels, one step; what shall stand does
/// not move.
#[test]
fn in_neutral_a_car_rolls_downhill_and_robots_hold() {
    let mut world = load("neutral_on_slope");
    run(&mut world, 1.0, |_| {});
    let start: Vec<_> = world.frame().vehicles.iter().map(|vehicle| vehicle.world_from_body).collect();
    for _ in 0..3 {
        let before = speed(&world, 0);
        run(&mut world, 0.1, |_| {});
        let (sin, cos) = 0.1_f64.atan().sin_cos();
        let (mass, radius) = (1160.0, 0.31);
        let resisting = 0.01 * mass * GRAVITY * cos + 4.0 * 8.0 * 0.5 * (before + speed(&world, 0)) / (radius * radius);
        let expected = (mass * GRAVITY * sin - resisting) / (mass + 4.0 * 0.5 * 15.0);
        let actual = (speed(&world, 0) - before) / 0.1;
        assert!((actual / expected - 1.0).abs() < 5e-3, "{actual} for {expected}");
    }
    run(&mut world, 3.0, |_| {});
    assert!(x(&world, 0) < 17.0, "{}", x(&world, 0));
    for robot in [1, 2] {
        let (a, b) = (start[robot], world.frame().vehicles[robot].world_from_body);
        assert!((a.x - b.x).hypot(a.y - b.y) < 1e-9 && (a.yaw - b.yaw).abs() < 1e-9, "{a:?} to {b:?}");
    }
    // One climbs, and stays where it stops.
    command(&mut world, 1, 0.5);
    run(&mut world, 3.0, |_| {});
    assert!((speed(&world, 1) - 0.5).abs() < 0.02, "{}", speed(&world, 1));
    let torque: f64 = world.frame().vehicles[1].wheels.iter().map(|wheel| wheel.torque / 0.1).sum();
    assert!(torque > 18.0 * GRAVITY * 0.1_f64.atan().sin(), "{torque}");
    command(&mut world, 1, 0.0);
    run(&mut world, 2.0, |_| {});
    let stopped = x(&world, 1);
    run(&mut world, 5.0, |_| {});
    assert!(stopped > 1.0 && (x(&world, 1) - stopped).abs() < 1e-9, "{stopped} to {}", x(&world, 1));
}

/// g·(sin θ − μ·cos θ) down, μ·g on the level; nothing where μ > tan θ; and what was pushed up comes back.
#[test]
fn crates_slide_down_a_slope_or_rest_on_it() {
    let mut world = load("crates_on_slope");
    let at = |world: &World, block: usize| world.frame().blocks[block];
    run(&mut world, 0.1, |_| {});
    let resting = at(&world, 1);
    run(&mut world, 1.4, |_| {});
    let (sin, cos) = 30.0_f64.to_radians().sin_cos();
    let slid = 0.5 * GRAVITY * (sin - 0.2 * cos) * 1.5 * 1.5;
    assert!((8.0 - at(&world, 0).x - slid).abs() < 0.02 * slid, "{:?} for {slid}", at(&world, 0));
    command(&mut world, 0, 0.5);
    run(&mut world, 6.0, |_| {});
    let pushed = at(&world, 2);
    assert!(pushed.x > 0.3 && pushed.z > 0.1, "{pushed:?}");
    command(&mut world, 0, -0.5);
    run(&mut world, 4.0, |_| {});
    assert!(at(&world, 2).x < pushed.x - 0.3, "{:?}", at(&world, 2));
    // From 8 m along the slope, half of it by the foot where the crate lies on both.
    let far = 8.0 * (sin - 0.2 * cos) / 0.2;
    run(&mut world, 5.0, |_| {});
    let out = at(&world, 0);
    assert!((out.x / -far - 1.0).abs() < 0.05 && out.z == 0.0, "{out:?} for {far}");
    run(&mut world, 1.0, |_| {});
    assert_eq!((at(&world, 0), at(&world, 1)), (out, resting));
}

/// A cart that pushes a box, and one that drives off the plane: with the plane and without, with the box and alone.
#[test]
fn a_plane_that_is_the_level_ground_changes_no_bit_of_a_motion() {
    let plane = r#"<element class="horizontal_plane"><x_min>-3</x_min><x_max>3</x_max><y_min>-9</y_min><y_max>9</y_max></element>"#;
    let carts = cart("pushes", "0 0 0 0 0 0", PID, "") + &cart("leaves", "0 5 0 0 0 0", PID, "");
    for boxes in ["", r#"<block name="box"><init_pose>2.5 0.1 20</init_pose></block>"#] {
        let states = |ground: &str| {
            let mut world = world(&format!("{ground}{boxes}{carts}"));
            command(&mut world, 0, 1.0);
            command(&mut world, 1, 2.0);
            let mut states = Vec::new();
            run(&mut world, 4.0, |frame| {
                let vehicles = frame.vehicles.iter().map(|vehicle| vehicle.world_from_body);
                states.push(vehicles.chain(frame.blocks.iter().copied()).collect::<Vec<_>>());
            });
            states
        };
        let (without, with) = (states(""), states(plane));
        assert!(with == without, "{boxes}: {:?} {:?}", with.last(), without.last());
        let last = with.last().unwrap();
        assert!(last[1].x > 4.0 && last.get(2).is_none_or(|pushed| pushed.x > 2.9), "{last:?}");
    }
}
