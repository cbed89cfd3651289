//! Kinematic, single-track and longitudinal models as vehicles of a world.

use skidpad_math::{Pose2, Twist2, Vec2};
use skidpad_sim::vehicle::{Action, Command, GearLever, Pedals};
use skidpad_sim::world::World;

use super::common::{first, problems, run, step, twist, world};

/// A car of 1160 kg with its centre of gravity 1.2 m ahead of the rear axle, where the reference point is; wheelbase 2.6 m.
fn car(class: &str, inside: &str) -> String {
    car_at(class, inside, "car", "0 0 0", "0 0 0")
}

fn car_at(class: &str, inside: &str, name: &str, pose: &str, velocity: &str) -> String {
    let wheel = r#"mass="15" width="0.2" diameter="0.62""#;
    format!(
        r#"<vehicle name="{name}"><init_pose>{pose}</init_pose><init_vel>{velocity}</init_vel>
        <dynamics class="{class}"><rl_wheel pos="0 0.75" {wheel}/><rr_wheel pos="0 -0.75" {wheel}/><fl_wheel {wheel}/>
        <fr_wheel {wheel}/><f_wheels_x>2.6</f_wheels_x><f_wheels_d>1.5</f_wheels_d>
        <chassis mass="1100" com="1.19454545454545 0" inertia="1400"><shape><pt>-0.6 -0.8</pt><pt>-0.6 0.8</pt>
        <pt>3.2 0.8</pt><pt>3.2 -0.8</pt></shape></chassis>{inside}</dynamics></vehicle>"#
    )
}

fn robot(class: &str, inside: &str) -> String {
    format!(
        r#"<vehicle name="robot"><init_pose>0 0 0</init_pose><dynamics class="{class}">
        <l_wheel pos="0 0.3" mass="1" width="0.05" diameter="0.2"/><r_wheel pos="0 -0.3" mass="1" width="0.05" diameter="0.2"/>
        <chassis mass="10"><shape><pt>-0.3 -0.3</pt><pt>-0.3 0.3</pt><pt>0.4 0.3</pt><pt>0.4 -0.3</pt></shape></chassis>
        {inside}</dynamics></vehicle>"#
    )
}

/// Every model, with a name for messages.
fn every_model() -> Vec<(String, String)> {
    let mut models = Vec::new();
    for integration in ["exact", "euler"] {
        for class in ["unicycle", "kinematic_differential"] {
            models
                .push((format!("{class} {integration}"), robot(&format!("{class}\" integration=\"{integration}"), "")));
        }
        for reference in ["rear", "front", "cog"] {
            for input in ["angle", "rate"] {
                let class = format!(
                    "kinematic_bicycle\" reference=\"{reference}\" input=\"{input}\" integration=\"{integration}"
                );
                models.push((class.clone(), car(&class, "")));
            }
        }
    }
    for tyres in ["linear", "linear_by_load", "fiala", "fiala_unsaturated", "pacejka"] {
        for drive in ["", "<max_acceleration>0</max_acceleration>", "<integrator>euler</integrator><dt>0.02</dt>"] {
            let inside = format!("<tyre_model>{tyres}</tyre_model>{drive}");
            models.push((format!("single_track {tyres} {drive}"), car("single_track", &inside)));
        }
    }
    let gains = "<KP>6000</KP><max_torque>1500</max_torque>";
    for (controller, powertrain) in [
        ("speed_pedals", ""),
        ("speed_pedals", "<powertrain/>"),
        ("front_steer_pid", ""),
        ("twist_front_steer_pid", ""),
    ] {
        let inside = format!(
            r#"{powertrain}<resistance><C_r0>0.03</C_r0></resistance><controller class="{controller}">{gains}</controller>"#
        );
        models.push((format!("longitudinal {controller} {powertrain}"), car("longitudinal", &inside)));
    }
    for class in ["IDEAL_STEER_VEL", "DELAY_STEER_ACC", "DELAY_STEER_ACC_GEARED"] {
        models.push((class.to_owned(), car(&format!("autoware\" vehicle_model_type=\"{class}"), "")));
    }
    models
}

fn ackermann(world: &mut World, speed: f64, steering_angle: f64) {
    let action = Action::Ackermann { speed, steering_angle };
    world.command(Command { vehicle: 0, action }).expect("takes Ackermann commands");
}

fn pedals(world: &mut World, throttle: f64, brake: f64) {
    let pedals = Pedals { throttle, brake, gear: GearLever::Drive };
    world
        .command(Command { vehicle: 0, action: Action::Pedals { pedals, steering_angle: 0.0 } })
        .expect("takes pedals");
}

fn pose(world: &World) -> Pose2 {
    first(world).world_from_body.planar()
}

fn stepped(inner: &str, dt: f64) -> World {
    world(&format!("<simul_timestep>{dt}</simul_timestep>{inner}"))
}

/// Distance of a point of the body from the centre of the circle that it is on [m].
fn radius(world: &World, at: Vec2) -> f64 {
    let v = first(world).velocity_in_body;
    v.at_point(at).norm() / v.wz.abs()
}

#[test]
fn each_reference_point_of_the_bicycle_runs_its_own_circle() {
    // R of the rear axle is L/tan δ; the others are that far from the same centre.
    let delta = 0.25_f64;
    let rear = 2.6 / delta.tan();
    for (reference, ahead) in [("rear", 0.0), ("front", 2.6), ("cog", 1.2)] {
        for integration in ["exact", "euler", "rk4"] {
            let class = format!("kinematic_bicycle\" reference=\"{reference}\" integration=\"{integration}");
            let mut world = stepped(&car(&class, ""), 0.005);
            ackermann(&mut world, 4.0, delta);
            let centre = pose(&world).transform_point(Vec2::new(0.0, rear));
            run(&mut world, 5.0);
            let at = Vec2::new(ahead, 0.0);
            assert!((radius(&world, at) - rear.hypot(ahead)).abs() < 1e-9, "{class}");
            // The commanded speed is that of the reference point.
            assert!((first(&world).velocity_in_body.at_point(at).norm() - 4.0).abs() < 1e-12, "{class}");
            let drift = (pose(&world).transform_point(at) - centre).norm() - rear.hypot(ahead);
            let allowed = if integration == "euler" { 0.05 } else { 1e-8 };
            assert!(drift.abs() < allowed, "{class}: {drift}");
        }
    }
}

#[test]
fn a_velocity_command_is_the_same_motion_whatever_the_reference() {
    let ends: Vec<Pose2> = ["rear", "front", "cog"]
        .map(|reference| {
            let mut world = stepped(&car(&format!("kinematic_bicycle\" reference=\"{reference}"), ""), 0.005);
            twist(&mut world, 0, 3.0, 0.4);
            run(&mut world, 4.0);
            pose(&world)
        })
        .into();
    let expected = skidpad_math::advance(Pose2::IDENTITY, Twist2::new(3.0, 0.0, 0.4), 4.0);
    for end in ends {
        assert!((end.position() - expected.position()).norm() < 1e-9 && (end.yaw - 1.6).abs() < 1e-10, "{end:?}");
    }
}

#[test]
fn a_steering_rate_ramps_the_wheels_and_bends_the_path_as_its_integral_says() {
    let class = "kinematic_bicycle\" input=\"rate";
    let mut world = stepped(&car(class, "<max_steer_rate_deg>10</max_steer_rate_deg>"), 0.01);
    ackermann(&mut world, 5.0, 0.3);
    let rate = 10_f64.to_radians();
    run(&mut world, 1.0);
    let wheels = &first(&world).wheels;
    let mean = 0.5 * (1.0 / wheels[2].steer.tan() + 1.0 / wheels[3].steer.tan());
    assert!((1.0 / mean - rate.tan()).abs() < 1e-9, "{mean}");
    // ψ = v/(L·φ)·ln(1/cos(φ·t)).
    let expected = 5.0 / (2.6 * rate) * (1.0 / rate.cos()).ln();
    assert!((pose(&world).yaw - expected).abs() < 1e-10, "{:?}", pose(&world));
    run(&mut world, 5.0);
    assert!((first(&world).velocity_in_body.wz - 5.0 * 0.3_f64.tan() / 2.6).abs() < 1e-12);
}

#[test]
fn wheels_that_reach_their_limit_slow_the_robot_down() {
    let mut world = world(&robot("kinematic_differential", "<max_wheel_speed>8</max_wheel_speed>"));
    twist(&mut world, 0, 5.0, 0.0);
    run(&mut world, 1.0);
    assert!((first(&world).velocity_in_body.vx - 0.8).abs() < 1e-12 && first(&world).wheels[0].spin == 8.0);
    twist(&mut world, 0, 0.5, -1.0);
    step(&mut world);
    // ω_l = (v − ω·y_l)/R = 8 rad/s, ω_r = 2 rad/s.
    let spin = [first(&world).wheels[0].spin, first(&world).wheels[1].spin];
    assert!((spin[0] - 8.0).abs() < 1e-9 && (spin[1] - 2.0).abs() < 1e-9, "{spin:?}");
}

#[test]
fn odometry_without_slip_is_exact() {
    for class in ["unicycle", "kinematic_differential", "kinematic_bicycle", "longitudinal"] {
        let steered = !["unicycle", "kinematic_differential"].contains(&class);
        let controller = if class == "longitudinal" {
            r#"<controller class="speed_pedals"><KP>600</KP><max_torque>1500</max_torque></controller>"#
        } else {
            ""
        };
        let text = if steered { car(class, controller) } else { robot(class, "") };
        let mut world = stepped(&text, 0.002);
        for (v, w) in [(2.0, 0.3), (1.0, -0.2), (-1.5, 0.2)] {
            twist(&mut world, 0, v, w);
            run(&mut world, 3.0);
        }
        let believed = first(&world).odom_from_body;
        assert!(
            (believed.position() - pose(&world).position()).norm() < 0.02,
            "{class}: {believed:?} {:?}",
            pose(&world)
        );
    }
}

#[test]
fn a_wall_stops_every_model_and_lets_it_go_again() {
    let wall = "<walls><shape><pt>6 -20</pt><pt>6 20</pt></shape></walls>";
    for (name, text) in every_model() {
        let mut world = stepped(&format!("{wall}{text}"), 0.005);
        let nose = if text.contains("\"robot\"") { 0.4 } else { 3.2 };
        twist(&mut world, 0, 2.0, 0.0);
        run(&mut world, 6.0);
        let state = first(&world);
        let reach = state.world_from_body.x + nose;
        // Walls are 5 cm wide on either side of their line at most.
        assert!((5.8..6.0).contains(&reach), "{name}: {reach}");
        // Euler's rule moves with the speed before the step.
        assert!(state.velocity_in_body.linear().norm() < 0.03 && state.colliding, "{name}: {state:?}");
        twist(&mut world, 0, -1.0, 0.0);
        run(&mut world, 4.0);
        assert!(first(&world).world_from_body.x + nose < 4.5, "{name}: {:?}", pose(&world));
    }
}

#[test]
fn a_slanting_wall_is_slid_along_without_entering_it() {
    let wall = "<walls><shape><pt>6 -40</pt><pt>14 40</pt></shape></walls>";
    for (name, text) in every_model().into_iter().filter(|(name, _)| !name.contains("euler")) {
        let mut world = stepped(&format!("{wall}{text}"), 0.01);
        twist(&mut world, 0, 3.0, 0.1);
        run(&mut world, 8.0);
        let nose = if text.contains("\"robot\"") { Vec2::new(0.4, 0.3) } else { Vec2::new(3.2, 0.8) };
        for corner in [nose, Vec2::new(nose.x, -nose.y)] {
            let p = pose(&world).transform_point(corner);
            let beyond = (p.x - 10.0) - 0.1 * p.y;
            assert!(beyond < 0.01, "{name}: {beyond}");
        }
    }
}

#[test]
fn no_model_diverges_at_any_step_and_each_stops_on_command() {
    for (name, text) in every_model() {
        for dt in [0.001, 0.005, 0.01, 0.02] {
            let mut world = stepped(&text, dt);
            let legs = [(8.0, 0.0), (8.0, 0.8), (8.0, -1.5), (0.0, 0.0), (-3.0, 0.3), (0.0, 0.0)];
            for (v, w) in legs {
                twist(&mut world, 0, v, w);
                run(&mut world, if dt < 0.005 { 0.3 } else { 1.5 });
                let speed = first(&world).velocity_in_body.linear().norm();
                assert!(speed < 12.0, "{name} {dt}: {speed}");
            }
            run(&mut world, if dt < 0.005 { 2.5 } else { 5.0 });
            let before = pose(&world);
            run(&mut world, 0.5);
            let distance = (pose(&world).position() - before.position()).norm();
            assert!(distance < 1e-6 && first(&world).velocity_in_body.wz.abs() < 1e-6, "{name} {dt}: {distance}");
        }
    }
}

#[test]
fn left_and_right_turns_are_mirror_images_to_the_bit() {
    for (name, text) in every_model() {
        let ends: Vec<[u64; 4]> = [1.0, -1.0]
            .map(|side: f64| {
                let mut world = stepped(&text, 0.005);
                for (v, w) in [(6.0, 0.5), (3.0, -0.9), (-2.0, 0.2)] {
                    twist(&mut world, 0, v, side * w);
                    run(&mut world, 1.0);
                }
                let (p, v) = (pose(&world), first(&world).velocity_in_body);
                [p.x, side * p.y, side * p.yaw, side * v.wz].map(f64::to_bits)
            })
            .into();
        assert_eq!(ends[0], ends[1], "{name}");
    }
}

#[test]
fn a_teleport_stops_it_and_a_reset_brings_back_the_start() {
    for (name, text) in every_model() {
        let mut world = stepped(&text, 0.01);
        let drive = |world: &mut World| {
            twist(world, 0, 4.0, 0.5);
            run(world, 2.0);
            (pose(world), first(world).velocity_in_body)
        };
        let once = drive(&mut world);
        world.reset();
        assert_eq!(first(&world).velocity_in_body, Twist2::ZERO, "{name}");
        assert_eq!(drive(&mut world), once, "{name}");
        twist(&mut world, 0, 0.0, 0.0);
        let target = Pose2::new(-7.0, 3.0, 1.0);
        world.command(Command { vehicle: 0, action: Action::Teleport(target) }).unwrap();
        run(&mut world, 1.0);
        assert!((pose(&world).position() - target.position()).norm() < 1e-6, "{name}: {:?}", pose(&world));
    }
}

#[test]
fn slowly_the_single_track_is_the_kinematic_bicycle() {
    let end = |class: &str, inside: &str| {
        let mut world = world(&car(class, inside));
        for (speed, angle) in [(0.4, 0.3), (0.4, -0.2), (-0.3, 0.2)] {
            ackermann(&mut world, speed, angle);
            run(&mut world, 8.0);
        }
        pose(&world)
    };
    let kinematic = end("kinematic_bicycle\" reference=\"cog", "");
    for tyres in ["linear", "linear_by_load", "fiala", "fiala_unsaturated", "pacejka"] {
        let dynamic = end(
            "single_track",
            &format!("<tyre_model>{tyres}</tyre_model><max_acceleration>0</max_acceleration><cog_b>1.2</cog_b>"),
        );
        let apart = (dynamic.position() - kinematic.position()).norm();
        // The kinematic motion is taken up with a time constant of 20 ms.
        assert!(apart < 0.03 && (dynamic.yaw - kinematic.yaw).abs() < 0.01, "{tyres}: {dynamic:?} {kinematic:?}");
    }
}

#[test]
fn a_steady_circle_is_the_one_of_the_linear_theory() {
    // r/δ = V/(L + K·V²), K = m/L·(b/Cf − a/Cr).
    let (m, l, b, cf, cr, v, delta): (f64, f64, f64, f64, f64, f64, f64) = (1160.0, 2.6, 1.2, 60e3, 70e3, 20.0, 0.005);
    let a = l - b;
    let gradient = m / l * (b / cf - a / cr);
    let inside = format!("<m>{m}</m><cog_b>{b}</cog_b><Cf>{cf}</Cf><Cr>{cr}</Cr>");
    let mut world = world(&car("single_track", &inside));
    ackermann(&mut world, v, delta);
    run(&mut world, 15.0);
    let expected = v * delta / (l + gradient * v * v);
    let state = first(&world);
    assert!((state.velocity_in_body.wz / expected - 1.0).abs() < 1e-3, "{} {expected}", state.velocity_in_body.wz);
    // The axles carry m·a_y·b/L and m·a_y·a/L, half on each wheel, and m·g·b/L.
    let lateral = m * v * expected;
    for (wheel, share) in [(0, a / l), (2, b / l)] {
        assert!((2.0 * state.wheels[wheel].force_in_wheel.y / (lateral * share) - 1.0).abs() < 5e-3, "{wheel}");
        assert!((2.0 * state.wheels[wheel].load - m * 9.81 * share).abs() < 30.0, "{wheel}");
    }
}

#[test]
fn an_oversteering_car_spins_above_its_critical_speed_only() {
    // K = m/L·(b/Cf − a/Cr) < 0; critical speed √(−L/K).
    let (m, l, b, cf, cr): (f64, f64, f64, f64, f64) = (1160.0, 2.6, 1.2, 80e3, 50e3);
    let critical = (-l / (m / l * (b / cf - (l - b) / cr))).sqrt();
    let yaw_rate = |share: f64| {
        let v = share * critical;
        let inside = format!("<m>{m}</m><cog_b>{b}</cog_b><Cf>{cf}</Cf><Cr>{cr}</Cr><v0>{v}</v0><r0_deg>0.01</r0_deg>");
        let mut world = world(&car("single_track", &inside));
        ackermann(&mut world, v, 0.0);
        run(&mut world, 15.0);
        first(&world).velocity_in_body.wz.abs()
    };
    assert!(yaw_rate(0.9) < 1e-6, "{}", yaw_rate(0.9));
    assert!(yaw_rate(1.1) > 0.05, "{}", yaw_rate(1.1));
}

#[test]
fn the_start_is_that_of_the_file() {
    let inside = "<r0_deg>10</r0_deg><beta0_deg>-5</beta0_deg><v0>12</v0><cog_b>1.2</cog_b>";
    let world = world(&car("single_track", inside));
    let velocity = first(&world).velocity_in_body;
    let (r, beta) = (10_f64.to_radians(), -5_f64.to_radians());
    // Of the reference point, 1.2 m behind the centre of gravity.
    assert!((velocity.vx - 12.0 * beta.cos()).abs() < 1e-12 && (velocity.wz - r).abs() < 1e-15);
    assert!((velocity.vy - (12.0 * beta.sin() - 1.2 * r)).abs() < 1e-12);
}

/// A step after a start sideways at 60° it still slides as it started, and so it does slowly.
#[test]
fn a_start_in_a_slide_goes_on_as_a_slide() {
    for (beta, speed) in [(60.0_f64, 10.0), (20.0, 0.4)] {
        let inside = format!("<beta0_deg>{beta}</beta0_deg><v0>{speed}</v0><V>{speed}</V>");
        let mut world = world(&format!("<simul_timestep>0.001</simul_timestep>{}", car("single_track", &inside)));
        step(&mut world);
        let v = first(&world).velocity_in_body;
        let slide = (v.vy + 1.2 * v.wz).atan2(v.vx).to_degrees();
        assert!((slide / beta - 1.0).abs() < 0.1, "{slide} after {beta}");
    }
}

#[test]
fn xml_blocks_that_a_model_ignores_are_named() {
    let text = car("single_track", "<brakes max_torque=\"10\"/><resistance C_a=\"1\"/>")
        .replace("<dynamics", "<friction class=\"pacejka\"/><dynamics");
    let text = format!("<mvsim_world>{text}</mvsim_world>");
    let (_, warnings) =
        World::load_text("w.xml", std::path::Path::new("."), &text, &Default::default()).expect("loads");
    let all: Vec<String> = warnings.iter().map(|w| w.to_string()).collect();
    let actual: Vec<&String> = all.iter().filter(|text| text.contains("has no effect")).collect();
    assert_eq!(actual.len(), 3, "{all:?}");
    for (warning, tag) in actual.iter().zip(["friction", "brakes", "resistance"]) {
        let expected = format!("<{tag}> has no effect with <dynamics class=\"single_track\">");
        assert!(warning.contains(&expected), "{warning}");
    }
}

#[test]
fn on_ice_it_slides_wide() {
    let ice = r#"<element class="property_region"><property_name>friction_mu</property_name><value_double>0.2</value_double>
        <x_min>-500</x_min><x_max>500</x_max><y_min>-500</y_min><y_max>500</y_max></element>"#;
    let inside = "<tyre_model>fiala</tyre_model><max_acceleration>0</max_acceleration>";
    let lateral = |ground: &str| {
        let mut world = world(&format!("{ground}{}", car("single_track", inside)));
        ackermann(&mut world, 10.0, 0.2);
        run(&mut world, 4.0);
        let v = first(&world).velocity_in_body;
        v.wz.abs() * v.at_point(Vec2::new(1.2, 0.0)).norm()
    };
    assert!(lateral("") > 5.0, "{}", lateral(""));
    let (actual, limit) = (lateral(ice), 0.2 * 9.81);
    assert!(actual < 1.02 * limit && actual > 0.8 * limit, "{actual} {limit}");
}

/// Ground that rises by 10 % along x.
const RAMP: &str = r#"<element class="elevation_map"><resolution>200</resolution>
    <elevation_data_matrix>[-10 -10; 10 10]</elevation_data_matrix>
    <corner_min_x>-100</corner_min_x><corner_min_y>-100</corner_min_y></element>"#;

#[test]
fn slopes_accelerate_dynamic_models_and_stopped_ones_stay() {
    let slope = 0.1_f64.atan();
    let along = 9.81 * slope.sin();
    // Out of gear and without brakes: a = g·sin α·m/(m + Σ I/R²), four discs of 15 kg.
    let coasting = car_at("longitudinal", "<controller class=\"raw\"/>", "car", "0 0 0", "0 0 0");
    let mut coast = world(&format!("{RAMP}{coasting}"));
    run(&mut coast, 2.0);
    let expected = -2.0 * along * 1160.0 / (1160.0 + 30.0);
    let actual = first(&coast).velocity_in_body.vx;
    assert!(first(&coast).world_from_body.pitch.abs() > 0.09, "the ground does not rise");
    assert!((actual / expected - 1.0).abs() < 5e-3, "{actual} {expected}");
    for text in [
        car("single_track", ""),
        car(
            "longitudinal",
            r#"<controller class="speed_pedals"><KP>600</KP><max_torque>1500</max_torque></controller>"#,
        ),
        car(
            "longitudinal",
            r#"<controller class="front_steer_pid"><KP>600</KP><max_torque>1500</max_torque></controller>"#,
        ),
    ] {
        let mut standing = world(&format!("{RAMP}{text}"));
        run(&mut standing, 5.0);
        assert!(pose(&standing).x.abs() < 1e-3, "{:?}\n{text}", pose(&standing));
        twist(&mut standing, 0, 2.0, 0.0);
        run(&mut standing, 6.0);
        assert!(first(&standing).velocity_in_body.vx > 1.2, "{:?}\n{text}", first(&standing).velocity_in_body);
    }
}

#[test]
fn a_model_pulls_a_trailer() {
    let trailer = r#"<block name="trailer"><mass>200</mass><init_pose>-3 0 0</init_pose>
        <shape><pt>-1 -0.5</pt><pt>-1 0.5</pt><pt>1 0.5</pt><pt>1 -0.5</pt></shape></block>
        <joint type="revolute" body_a="car" body_b="trailer" anchor_a="-1 0" anchor_b="2 0"/>"#;
    for class in ["kinematic_bicycle", "single_track"] {
        let mut world = stepped(&format!("{}{trailer}", car(class, "")), 0.005);
        twist(&mut world, 0, 3.0, 0.3);
        run(&mut world, 6.0);
        let hitch = pose(&world).transform_point(Vec2::new(-1.0, 0.0));
        let eye = world.frame().blocks[0].planar().transform_point(Vec2::new(2.0, 0.0));
        assert!((hitch - eye).norm() < 1e-3, "{class}: {hitch:?} {eye:?}");
        assert!(first(&world).velocity_in_body.vx > 2.5, "{class}: {:?}", first(&world).velocity_in_body);
    }
}

#[test]
fn pedals_accelerate_and_stop_the_longitudinal_car() {
    // Full throttle at the motor's torque T: a = T/R/(m + Σ I/R²); then constant power P: v² = v1² + 2·P·t/M.
    let inside = r#"<max_power>40000</max_power><controller class="pedals"><max_torque>1240</max_torque></controller>"#;
    let mut world = stepped(&car("longitudinal", inside), 0.001);
    pedals(&mut world, 1.0, 0.0);
    run(&mut world, 2.0);
    let (force, mass) = (1240.0 / 0.31, 1190.0);
    assert!((first(&world).velocity_in_body.vx - force / mass * 2.0).abs() < 1e-9);
    run(&mut world, 8.0);
    let corner = 40000.0 / force;
    let time_at_power = 10.0 - corner * mass / force;
    let expected = (corner * corner + 2.0 * 40000.0 * time_at_power / mass).sqrt();
    let reached = first(&world).velocity_in_body.vx;
    assert!((reached / expected - 1.0).abs() < 1e-3, "{reached} {expected}");
    // Full brake is more than the road holds: v²/(2·a) at a = μ·m·g/(m + Σ I/R²).
    let from = pose(&world).x;
    pedals(&mut world, 0.0, 1.0);
    run(&mut world, 6.0);
    let distance = reached * reached / (2.0 * 0.9 * 9.81 * 1160.0 / mass);
    assert!((pose(&world).x - from - distance).abs() < 1e-3, "{} {distance}", pose(&world).x - from);
    assert_eq!(first(&world).velocity_in_body.vx, 0.0);
}

#[test]
fn an_engine_drives_the_longitudinal_car_through_its_gears() {
    let inside =
        r#"<powertrain/><resistance><C_a>0.4</C_a><C_r0>0.012</C_r0></resistance><controller class="pedals"/>"#;
    let mut world = stepped(&car("longitudinal", inside), 0.005);
    pedals(&mut world, 1.0, 0.0);
    let mut highest = 0;
    for _ in 0..4000 {
        let state = &step(&mut world).vehicles[0];
        highest = highest.max(state.powertrain.gear);
        assert!(state.powertrain.engine_speed > 0.0 && state.powertrain.engine_speed < 1000.0);
    }
    let speed = first(&world).velocity_in_body.vx;
    assert!(highest >= 3 && (25.0..60.0).contains(&speed), "gear {highest}, {speed} m/s");
    assert!(first(&world).wheels[0].force_in_wheel.x > 0.0);
}

#[test]
fn bad_parameters_are_errors_that_say_what_is_accepted() {
    let message = |inside: &str| {
        let all = problems(&format!("<mvsim_world>{}</mvsim_world>", car("single_track", inside)));
        assert_eq!(all.len(), 1, "{all:?}");
        all[0].split_once(": ").map(|(_, text)| text.to_string()).unwrap_or_default()
    };
    assert_eq!(
        message("<cog_a>1</cog_a><cog_b>1</cog_b>"),
        "<cog_a> and <cog_b> add up to 2 m, the wheelbase is 2.6 m\n  accepted: a sum equal to the wheelbase\n  hint: give \
         one of them, or move the wheels"
    );
    assert_eq!(
        message("<cog_a>3</cog_a>"),
        "the centre of gravity is 3 m behind the front axle and -0.3999999999999999 m ahead of the rear one\n  accepted: a \
         place between the axles\n  hint: see cog_a, or com of the chassis"
    );
    assert_eq!(
        message("<blend_speeds>2 1</blend_speeds>"),
        "<blend_speeds> 2 1 do not rise from 0 or more\n  accepted: two speeds, 0 <= first < second"
    );
    let actual = message("<tyre_model>magic</tyre_model>");
    assert!(
        actual.contains("accepted: default, linear, linear_by_load, fiala, fiala_unsaturated, pacejka"),
        "{actual}"
    );
}
