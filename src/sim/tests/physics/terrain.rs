//! Vehicles and blocks on uneven ground, floors, ramps and ledges.

use skidpad_math::{Pose2, Pose3};
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{PhysicsRules, World};

use super::common::{first, problems, run, step, twist, world_with};

const BOTH: [PhysicsRules; 2] = [PhysicsRules::Skidpad, PhysicsRules::Mvsim];

/// A car of 2.3 m with wheels of 0.4 m at x = 0 and 1, y = ±0.4, its chassis 0.5 m before and 0.3 m behind them.
fn car(name: &str, pose: &str, controller: &str) -> String {
    let wheel = r#"mass="5" width="0.1" diameter="0.4""#;
    let controller = match controller {
        "twist_ideal" => r#"<controller class="twist_ideal"/>"#,
        _ => r#"<controller class="twist_pid"><KP>60</KP><max_torque>60</max_torque></controller>"#,
    };
    format!(
        r#"<vehicle name="{name}">{pose}<dynamics class="differential_4_wheels">
        <lr_wheel pos="0 0.4" {wheel}/><rr_wheel pos="0 -0.4" {wheel}/>
        <lf_wheel pos="1 0.4" {wheel}/><rf_wheel pos="1 -0.4" {wheel}/>
        <chassis mass="100" zmin="0.1" zmax="1"><shape>
        <pt>-0.3 -0.5</pt><pt>-0.3 0.5</pt><pt>1.5 0.5</pt><pt>1.5 -0.5</pt></shape></chassis>
        {controller}</dynamics><friction class="default"><mu>0.9</mu></friction></vehicle>"#
    )
}

fn at(x: f64, y: f64, yaw: f64) -> String {
    format!("<init_pose>{x} {y} {yaw}</init_pose>")
}

fn at_height(x: f64, y: f64, z: f64) -> String {
    format!("<init_pose3d>{x} {y} {z} 0 0 0</init_pose3d>")
}

fn world(rules: PhysicsRules, inner: &str) -> World {
    world_with(inner, Some(rules))
}

fn pose(world: &World) -> Pose3 {
    first(world).world_from_body
}

fn near(actual: f64, wanted: f64, tolerance: f64) -> bool {
    (actual - wanted).abs() <= tolerance
}

/// From level 0 at x = 4 on a plane of slope 0.2 upwards to 4 m at x = 24, then level. 1 m between vertices.
fn hill() -> String {
    let rows: Vec<String> = (0..40)
        .map(|i| {
            let z = (0.2 * (f64::from(i) - 10.0 - 4.0)).clamp(0.0, 4.0);
            format!("{z} {z}")
        })
        .collect();
    format!(
        "<element class=\"elevation_map\"><elevation_data_matrix>[{}]</elevation_data_matrix>\
         <resolution>1</resolution><corner_min_x>-10</corner_min_x><corner_min_y>-0.5</corner_min_y></element>",
        rows.join(";")
    )
}

/// The map is 1 m wide; this makes it 10 m.
fn wide_hill() -> String {
    let rows: Vec<String> =
        (0..40).map(|i| vec![format!("{}", (0.2 * (f64::from(i) - 14.0)).clamp(0.0, 4.0)); 11].join(" ")).collect();
    hill()
        .replace(&hill()[hill().find('[').unwrap()..=hill().find(']').unwrap()], &format!("[{}]", rows.join(";")))
        .replace("-0.5", "-5")
}

#[test]
fn on_a_ramp_a_vehicle_has_the_ramps_pitch_and_height() {
    for rules in BOTH {
        for controller in ["twist_pid", "twist_ideal"] {
            let mut world = world(rules, &(wide_hill() + &car("a", &at(0.0, 0.0, 0.0), controller)));
            twist(&mut world, 0, 2.0, 0.0);
            let mut seen = 0;
            for _ in 0..4000 {
                let pose = step(&mut world).vehicles[0].world_from_body;
                if pose.x > 4.1 && pose.x < 22.5 {
                    assert!(near(pose.pitch, -0.2_f64.atan(), 1e-9) && near(pose.roll, 0.0, 1e-9), "{pose:?}");
                    assert!(near(pose.z, 0.2 * (pose.x - 4.0), 1e-9), "{pose:?}");
                    seen += 1;
                }
                if pose.x < 2.9 {
                    assert!(pose.z == 0.0 && pose.pitch == 0.0, "{pose:?}");
                }
                if pose.x > 24.0 {
                    break;
                }
            }
            assert!(seen > 1000 && pose(&world).x > 24.0, "{rules:?}, {controller}: {:?}", pose(&world));
            run(&mut world, 0.2);
            assert!(near(pose(&world).z, 4.0, 1e-12) && pose(&world).pitch == 0.0);
        }
    }
}

#[test]
fn across_a_slope_a_vehicle_rolls_and_stands_with_any_yaw_on_the_same_plane() {
    for yaw in [0.0_f64, 40.0, 90.0, 180.0, 265.0] {
        let mut world = world(
            PhysicsRules::Skidpad,
            &(wide_hill() + &car("a", &at_height(12.0, 0.0, 3.0).replace("0 0 0<", &format!("{yaw} 0 0<")), "")),
        );
        run(&mut world, 0.05);
        let pose = pose(&world);
        let normal = pose.rotation().column(2).into_owned();
        let wanted = nalgebra::Vector3::new(-0.2, 0.0, 1.0).normalize();
        assert!((normal - wanted).norm() < 1e-9, "{yaw}: {normal}");
        assert!(near(pose.z, 1.6, 1e-9), "{yaw}: {pose:?}");
        let down = -wanted;
        assert!((pose.rotation() * nalgebra::Vector3::new(0.0, 0.0, -1.0) - down).norm() < 1e-9);
    }
}

/// A road of 0 and a bridge of 4 m over it along y, both at the origin.
const BRIDGE: &str = r#"<element class="horizontal_plane"><x_min>-50</x_min><x_max>50</x_max></element>
    <element class="horizontal_plane"><x_min>-3</x_min><x_max>3</x_max><y_min>-30</y_min><y_max>30</y_max><z>4</z></element>"#;

#[test]
fn vehicles_drive_over_and_under_a_bridge() {
    for rules in BOTH {
        let cars = car("over", "<init_pose3d>0 -10 4.2 90 0 0</init_pose3d>", "twist_ideal")
            + &car("under", &at(-10.0, 0.0, 0.0), "twist_ideal");
        let mut world = world(rules, &format!("{BRIDGE}{cars}"));
        twist(&mut world, 0, 2.0, 0.0);
        twist(&mut world, 1, 1.0, 0.0);
        for _ in 0..2000 {
            let vehicles = &step(&mut world).vehicles;
            assert_eq!((vehicles[0].world_from_body.z, vehicles[1].world_from_body.z), (4.0, 0.0));
            assert!(!vehicles[0].colliding || !vehicles[1].colliding);
        }
    }
}

#[test]
fn initial_heights_come_from_the_ground_below() {
    let file = |z: f64| {
        format!(
            r#"<block name="crate"><init_pose3d>0 0 {z} 0 0 0</init_pose3d></block>
        <block name="lamp"><init_pose3d>0 3 {z} 0 0 0</init_pose3d><skip_elevation_adjust/></block>
        <block name="post"><init_pose3d>0 6 {z} 0 0 0</init_pose3d><static>true</static></block>
        <block name="floor"><init_pose>20 0 0</init_pose><static>true</static><intangible>true</intangible>
          <zmin>0</zmin><zmax>0.3</zmax></block>
        <block name="later"><init_pose>20 0 0</init_pose><static>true</static><zmin>0</zmin><zmax>2</zmax></block>
        {}{}
        <element class="horizontal_plane"><x_min>-5</x_min><x_max>5</x_max><z>0.4</z></element>
        <element class="horizontal_plane"><x_min>-5</x_min><x_max>5</x_max><z>2</z></element>"#,
            car("a", &at_height(-2.0, 0.0, z), ""),
            car("b", &at_height(-2.0, 3.0, z).replace("</init_pose3d>", "</init_pose3d><skip_elevation_adjust/>"), ""),
        )
    };
    for (z, ground) in [(0.0, 0.4), (1.49, 0.4), (1.5, 2.0), (20.0, 2.0), (-0.2, 0.0)] {
        for rules in BOTH {
            let world = world(rules, &file(z));
            // Half of the crate (1 m) and of the car (1 m) reach up; -0.2 is too low.
            let blocks = &world.frame().blocks;
            let wanted = if z == -0.2 { 0.0 } else { ground };
            assert_eq!((blocks[0].z, blocks[1].z, blocks[2].z), (wanted, z, wanted), "{z}");
            assert_eq!((blocks[3].z, blocks[4].z), (0.0, 0.3), "the later one stands on the earlier");
            assert_eq!(pose(&world).z, if z == -0.2 { 0.0 } else { ground }, "{z}");
            assert_eq!(world.scene().blocks[0].world_from_start.z, wanted);
            assert_eq!(world.scene().vehicles[1].world_from_start.z, z, "as the file says");
        }
    }
}

#[test]
fn without_any_ground_all_stand_at_zero() {
    for rules in BOTH {
        let mut world = world(rules, &car("a", "<init_pose3d>0 0 3 0 10 5</init_pose3d><skip_elevation_adjust/>", ""));
        assert_eq!(pose(&world), Pose3::default());
        run(&mut world, 0.1);
        assert_eq!((pose(&world).z, pose(&world).pitch, pose(&world).roll), (0.0, 0.0, 0.0));
    }
}

/// Flat at 0, from x = 5 on at this height; the rise takes 1 cm.
fn map_ledge(height: f64) -> String {
    // Fine rows would be many: a coarse map on either side of the edge does the same.
    let h = height;
    let map = |x: f64, resolution: f64, rows: &str| {
        format!(
            "<element class=\"elevation_map\"><elevation_data_matrix>[{rows}]</elevation_data_matrix>\
             <resolution>{resolution}</resolution><corner_min_x>{x}</corner_min_x></element>"
        )
    };
    let line = |z: f64| vec![z.to_string(); 21].join(" ");
    map(-15.0, 5.0, &[line(0.0), line(0.0), line(0.0), line(0.0), line(0.0)].join(";"))
        + &map(5.01, 5.0, &[line(h), line(h), line(h)].join(";"))
        + &format!(
            "<block><init_pose>5 0 0</init_pose><skip_elevation_adjust/><static>true</static><intangible>true</intangible>\
             <shape><pt>0 -50</pt><pt>0.02 -50</pt><pt>0.02 50</pt><pt>0 50</pt></shape><zmin>0</zmin><zmax>{h}</zmax></block>"
        )
}

/// One map with a cell of 0.5 m that rises by the height.
fn steep_map(height: f64) -> String {
    let rows: Vec<String> =
        (0..41).map(|i| vec![if i > 30 { height } else { 0.0 }.to_string(); 41].join(" ")).collect();
    format!(
        "<element class=\"elevation_map\"><elevation_data_matrix>[{}]</elevation_data_matrix><resolution>0.5</resolution></element>",
        rows.join(";")
    )
}

fn platform(height: f64) -> String {
    format!(
        "<block><init_pose>5 0 0</init_pose><static>true</static><intangible>true</intangible>\
         <shape><pt>0 -20</pt><pt>20 -20</pt><pt>20 20</pt><pt>0 20</pt></shape><zmin>0</zmin><zmax>{height}</zmax></block>"
    )
}

#[test]
fn a_ledge_stops_a_car_at_any_speed_and_it_stays_there() {
    for rules in BOTH {
        for (shape, ground, edge) in [
            ("platform", platform(0.5), 5.0),
            ("maps", map_ledge(0.5), 5.0),
            ("steep map", steep_map(0.5), 5.0 + 0.5 * 0.22 / 0.5),
        ] {
            if rules == PhysicsRules::Mvsim && shape != "platform" {
                continue;
            }
            for controller in ["twist_pid", "twist_ideal"] {
                for speed in [0.2, 1.0, 5.0, -3.0] {
                    let start =
                        if speed > 0.0 { at(5.0 - 1.6 - 1.5 * speed, 0.0, 0.0) } else { at(5.0 - 4.0, 0.0, 180.0) };
                    let mut world = world(rules, &(ground.clone() + &car("a", &start, controller)));
                    twist(&mut world, 0, speed, 0.0);
                    run(&mut world, 5.0);
                    let front = |pose: Pose3| if speed > 0.0 { pose.x + 1.5 } else { pose.x + 0.3 };
                    let case = format!("{rules:?}, {shape}, {controller}, {speed}: {:?}", pose(&world));
                    assert!(near(front(pose(&world)), edge, 5e-3) && front(pose(&world)) <= edge, "{case}");
                    let still = pose(&world);
                    for _ in 0..200 {
                        let vehicle = &step(&mut world).vehicles[0];
                        assert!(vehicle.colliding, "{case}");
                        assert!(vehicle.velocity_in_body.vx.abs() < 1e-6, "{case}");
                        assert!(vehicle.world_from_body.z == 0.0 && vehicle.world_from_body.pitch == 0.0, "{case}");
                    }
                    assert!(near(pose(&world).x, still.x, 1e-6) && near(pose(&world).y, 0.0, 1e-3), "{case}");
                    assert!(near(pose(&world).yaw, still.yaw, 1e-6));
                    // And it comes away again.
                    twist(&mut world, 0, -speed, 0.0);
                    run(&mut world, 2.0);
                    assert!((pose(&world).x - still.x).abs() > 0.2, "{case}, held back");
                }
            }
        }
    }
}

#[test]
fn a_kerb_is_climbed_and_a_ledge_is_driven_off() {
    for rules in BOTH {
        for controller in ["twist_pid", "twist_ideal"] {
            let mut up = world(rules, &(platform(0.05) + &car("a", &at(0.0, 0.0, 0.0), controller)));
            twist(&mut up, 0, 2.0, 0.0);
            run(&mut up, 4.0);
            assert!(pose(&up).x > 6.0 && near(pose(&up).z, 0.05, 1e-12), "{:?}", pose(&up));
            let mut down = world(
                rules,
                &(platform(0.5) + &car("a", &at_height(8.0, 0.0, 0.5).replace("0 0 0<", "180 0 0<"), controller)),
            );
            assert_eq!(pose(&down).z, 0.5);
            twist(&mut down, 0, 1.5, 0.0);
            run(&mut down, 8.0);
            assert!(pose(&down).x < 0.0 && pose(&down).z == 0.0 && pose(&down).pitch == 0.0, "{:?}", pose(&down));
        }
    }
}

#[test]
fn along_a_ledge_a_car_slides() {
    for rules in BOTH {
        let car = car("a", &at(2.9, -15.0, 75.0), "twist_ideal");
        let mut world = world(rules, &(platform(0.5) + &car));
        twist(&mut world, 0, 2.0, 0.0);
        run(&mut world, 8.0);
        let pose = pose(&world);
        assert!(pose.y > -5.0 && pose.x < 5.0 && pose.z == 0.0, "{pose:?}");
    }
}

#[test]
fn a_car_is_not_pushed_up_a_ledge_by_another() {
    for rules in BOTH {
        let cars = car("a", &at(3.0, 0.0, 0.0), "twist_pid") + &car("b", &at(-3.0, 0.0, 0.0), "twist_pid");
        let mut world = world(rules, &(platform(0.5) + &cars));
        twist(&mut world, 1, 3.0, 0.0);
        run(&mut world, 10.0);
        let [a, b] = [0, 1].map(|k| world.frame().vehicles[k].world_from_body);
        assert!(a.x + 1.5 < 5.0 && a.z == 0.0, "{a:?}");
        assert!(near(b.x + 1.8, a.x, 0.05), "{a:?}, {b:?}");
    }
}

/// A crate of 1 m on a slope and on a floor, pushed off it by a car.
#[test]
fn pushed_blocks_follow_the_ground_except_under_mvsims_rules() {
    let ground = r#"<element class="horizontal_plane"><x_min>-20</x_min><x_max>4</x_max><z>0.3</z></element>"#;
    let scene = car("a", &at_height(0.0, 0.0, 0.3), "twist_ideal")
        + r#"<block><init_pose3d>2.5 0 0.3 0 0 0</init_pose3d><mass>5</mass></block>"#;
    for (rules, wanted) in [(PhysicsRules::Skidpad, 0.0), (PhysicsRules::Mvsim, 0.3)] {
        let mut world = world(rules, &format!("{ground}{scene}"));
        assert_eq!(world.frame().blocks[0].z, 0.3);
        twist(&mut world, 0, 1.0, 0.0);
        run(&mut world, 3.0);
        let block = world.frame().blocks[0];
        assert!(block.x > 4.5, "{block:?}");
        assert_eq!(block.z, wanted);
        world.reset();
        assert_eq!(world.frame().blocks[0].z, 0.3);
    }
}

/// Two wheels and a castor: on a plane tilted by 10° along and across the way the body has the plane's tilt, and in neutral
/// it rolls down. By MVSim's rules two wheels tell of no pitch, and on them nothing rolls.
#[test]
fn two_wheels_rest_on_a_castor_and_roll_downhill_except_under_mvsims_rules() {
    let robot = r#"<vehicle name="a"><init_pose>0 0 0</init_pose><dynamics class="differential">
        <l_wheel pos="0 .3"/><r_wheel pos="0 -.3"/></dynamics></vehicle>"#;
    let plane = |tilt: &str| {
        format!(
            r#"<element class="horizontal_plane"><x_min>-40</x_min><x_max>40</x_max><y_min>-40</y_min><y_max>40</y_max>
        <init_pose3d>0 0 20 0 {tilt}</init_pose3d></element>"#
        )
    };
    let robot = robot.replace("<init_pose>0 0 0</init_pose>", "<init_pose3d>0 0 20 0 0 0</init_pose3d>");
    for (tilt, pitch, roll) in [("10 0", 10.0_f64, 0.0_f64), ("0 10", 0.0, 10.0)] {
        let mut robots = BOTH.map(|rules| world(rules, &(plane(tilt) + &robot)));
        let tilted = pose(&robots[0]);
        assert!(
            near(tilted.pitch, pitch.to_radians(), 1e-3) && near(tilted.roll, roll.to_radians(), 1e-3),
            "{tilted:?}"
        );
        assert_eq!((pose(&robots[1]).pitch, pose(&robots[1]).roll), (0.0, 0.0));
        robots.iter_mut().for_each(|world| run(world, 1.0));
        let [free, held] = [pose(&robots[0]).x, pose(&robots[1]).x];
        // Across the slope it turns its heavy side downhill.
        assert!(pitch == 0.0 || free > 0.4, "{tilt}: {free}");
        assert!(near(held, 0.0, 1e-3), "{tilt}: {held}");
    }
}

#[test]
fn a_teleport_lands_on_the_highest_ground_that_is_not_above_half_of_the_chassis() {
    for rules in BOTH {
        let mut world = world(
            rules,
            &format!("{BRIDGE}{}{}", platform(0.4).replace("5 0 0", "-40 0 0"), car("a", &at(-10.0, 0.0, 0.0), "")),
        );
        for (x, z) in [(-30.0, 0.4), (0.0, 0.0), (30.0, 0.0)] {
            world.command(Command { vehicle: 0, action: Action::Teleport(Pose2::new(x, 0.0, 0.3)) }).unwrap();
            run(&mut world, 0.02);
            assert!(near(pose(&world).z, z, 1e-12) && near(pose(&world).x, x, 1e-3), "{x}: {:?}", pose(&world));
        }
        run(&mut world, 0.5);
        world.reset();
        assert_eq!(pose(&world).z, 0.0);
    }
}

#[test]
fn worlds_in_utm_metres_work_as_those_at_the_origin() {
    let places = [(0.0, 0.0), (627_000.0, 4_077_000.0)];
    let ends = places.map(|(x, y)| {
        let map = wide_hill()
            .replace("<corner_min_x>-10<", &format!("<corner_min_x>{}<", x - 10.0))
            .replace("<corner_min_y>-5<", &format!("<corner_min_y>{}<", y - 5.0));
        let mut world = world(PhysicsRules::Skidpad, &(map + &car("a", &at(x, y, 0.0), "twist_pid")));
        twist(&mut world, 0, 2.0, 0.0);
        run(&mut world, 5.0);
        let pose = pose(&world);
        Pose3 { x: pose.x - x, y: pose.y - y, ..pose }
    });
    assert!(ends[0].x > 6.0 && near(ends[0].x, ends[1].x, 1e-6) && near(ends[0].z, ends[1].z, 1e-6), "{ends:?}");
    assert!(near(ends[0].pitch, ends[1].pitch, 1e-8));
}

/// Ground, vehicle and tolerances of MVSim's test of drift on slopes (MRPT/mvsim, BSD 3-Clause): commanded to stand, a vehicle on a
/// saddle keeps its place.
#[test]
fn a_stopped_vehicle_keeps_its_place_on_uneven_ground() {
    let ground = r#"<element class="elevation_map"><elevation_data_matrix>[1 0 -1; 1.5 0 -1.5; 1 0 -1]</elevation_data_matrix>
        <resolution>6</resolution><corner_min_x>-8</corner_min_x><corner_min_y>-8</corner_min_y></element>"#;
    let wheel = r#"mass="1" width="0.03" diameter="0.2""#;
    for rules in BOTH {
        for controller in ["twist_ideal", "twist_pid"] {
            let vehicle = format!(
                r#"<vehicle name="a"><init_pose>0 0 0</init_pose><dynamics class="differential_4_wheels">
                <lr_wheel pos="-0.3 0.6" {wheel}/><rr_wheel pos="-0.3 -0.6" {wheel}/>
                <lf_wheel pos="0.3 0.6" {wheel}/><rf_wheel pos="0.3 -0.6" {wheel}/>
                <chassis mass="10" zmin="0.05" zmax="0.25"/>
                <controller class="{controller}"><KP>4</KP><KI>3</KI><max_torque>20</max_torque></controller>
                </dynamics><friction class="default"><mu>0.8</mu><C_damping>0.05</C_damping></friction></vehicle>"#
            );
            let mut world = world(rules, &format!("<simul_timestep>0.005</simul_timestep>{ground}{vehicle}"));
            assert!(pose(&world).roll.abs() > 0.1, "{:?}", pose(&world));
            let start = pose(&world);
            run(&mut world, 3.0);
            let end = pose(&world);
            assert!(
                near(end.x, start.x, 1e-3) && near(end.y, start.y, 1e-3) && near(end.yaw, start.yaw, 0.01),
                "{end:?}"
            );
        }
    }
}

#[test]
fn bad_ground_is_refused_with_the_reason() {
    let element = |inner: &str| {
        problems(&format!("<mvsim_world>\n<element class=\"elevation_map\">\n{inner}</element></mvsim_world>"))
            .join("\n")
    };
    let matrix = "<elevation_data_matrix>[0 0; 0 0]</elevation_data_matrix>";
    for (inner, message) in [
        (
            "<resolution>1</resolution>".to_string(),
            "bad.xml:2:1: missing the heights in <element class=\"elevation_map\">\n  \
             accepted: <elevation_image>, <elevation_data_matrix>, <dem_xyzrgb_file>",
        ),
        (
            "<elevation_image>none.png</elevation_image><elevation_image_min_z>5</elevation_image_min_z>".to_string(),
            "bad.xml:3:67: <elevation_image_min_z> and <elevation_image_max_z> are both 5 m\n  accepted: two different heights",
        ),
        (
            "<elevation_data_matrix>[1 2 3]</elevation_data_matrix>".to_string(),
            "bad.xml:3:24: a height map of 1 x 3 vertices\n  accepted: 2 or more in each direction, at most 40000000 altogether",
        ),
        (
            format!("{matrix}<resolution>0</resolution>"),
            "bad.xml:3:70: bad value \"0\" for <resolution> in <element class=\"elevation_map\">\n  accepted: a finite number > 0",
        ),
        (
            format!("{matrix}<apply_kernel>[0.5 0.5]</apply_kernel>"),
            "bad.xml:3:72: <apply_kernel> has 1 x 2 numbers\n  accepted: a square matrix of 2 x 2 or more",
        ),
        (
            format!("{matrix}<apply_kernel>[0.3 0.3; 0.3 0.3]</apply_kernel>"),
            "bad.xml:3:72: the numbers of <apply_kernel> sum to 1.2\n  accepted: 1 ± 0.005",
        ),
        (
            format!("{matrix}<texture_image_rotate>45</texture_image_rotate>"),
            "bad.xml:3:80: bad value \"45\" for <texture_image_rotate> in <element class=\"elevation_map\">\n  \
             accepted: 0, 90, -90, 180, -180",
        ),
        (
            format!("{matrix}<model_split_size>-1</model_split_size>"),
            "bad.xml:3:76: bad value \"-1\" for <model_split_size> in <element class=\"elevation_map\">\n  \
             accepted: a finite number >= 0",
        ),
    ] {
        assert_eq!(element(&inner), message);
    }
    let plane = problems(
        "<mvsim_world><element class=\"horizontal_plane\"><cull_face>LEFT</cull_face></element></mvsim_world>",
    );
    assert_eq!(
        plane,
        [
            "bad.xml:1:59: bad value \"LEFT\" for <cull_face> in <element class=\"horizontal_plane\">\n  accepted: NONE, FRONT, BACK"
        ]
    );
}

/// Forward, back and turning at random between a platform, a ramp and a pit: who is stopped gets away again, and only the ramp
/// leads up.
#[test]
fn no_ledge_traps_a_vehicle() {
    let pit = r#"<element class="elevation_map"><resolution>2</resolution><corner_min_x>-14</corner_min_x><corner_min_y>-4</corner_min_y>
        <elevation_data_matrix>[0 0 0 0 0; 0 -1 -1 -1 0; 0 -1 -1 -1 0; 0 -0.5 -0.5 -0.5 0; 0 0 0 0 0]</elevation_data_matrix></element>"#;
    for rules in BOTH {
        let cars: String = [(0.0, -12.0), (8.0, 0.0), (-10.0, 0.0), (2.0, 12.0)]
            .iter()
            .enumerate()
            .map(|(k, &(x, y))| {
                let pose = format!("<init_pose3d>{x} {y} 0.5 {} 0 0</init_pose3d>", 40 * k);
                car(&format!("c{k}"), &pose, "twist_ideal")
            })
            .collect();
        let mut world = world(rules, &format!("{}{pit}{cars}", platform(0.5).replace("20", "8")));
        let mut random = 12345_u64;
        let mut last_motion = [0.0; 4];
        let mut place: Vec<Pose3> = world.frame().vehicles.iter().map(|v| v.world_from_body).collect();
        for k in 0..8000 {
            if k % 300 == 0 {
                for (vehicle, at) in place.iter().enumerate() {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    let [speed, turn] = [random >> 33, random >> 47].map(|bits| (bits % 5) as f64 - 2.0);
                    // Back towards the middle when far out.
                    let far = at.x.hypot(at.y) > 18.0;
                    let (speed, turn) = if far { (1.5, 0.6) } else { (speed, 0.4 * turn) };
                    twist(&mut world, vehicle, if speed == 0.0 { 0.7 } else { speed }, turn);
                }
            }
            let frame = step(&mut world);
            let time = frame.time.secs();
            for (vehicle, state) in frame.vehicles.iter().enumerate() {
                let pose = state.world_from_body;
                assert!(pose.z < 0.51 && pose.z > -1.01 && pose.pitch.abs() < 1.2, "{pose:?}");
                if (pose.x - place[vehicle].x).hypot(pose.y - place[vehicle].y) > 0.05 {
                    place[vehicle] = pose;
                    last_motion[vehicle] = time;
                }
                assert!(time - last_motion[vehicle] < 8.0, "{rules:?}, {vehicle} at {time}: {pose:?}");
            }
        }
    }
}
