//! Vehicles that leave an elevation map, and return to it.

use skidpad_math::Pose3;
use skidpad_sim::world::World;

use super::common::*;

/// Pitch and roll stay below this while wheels pass the edge [rad].
const MOST: f64 = 10.0 * std::f64::consts::PI / 180.0;

/// A level map of 20 m × 20 m about the origin at `height` [m].
fn plateau(height: f64) -> String {
    format!(
        "<element class=\"elevation_map\"><elevation_data_matrix>[{height} {height} {height}; {height} {height} {height}; \
         {height} {height} {height}]</elevation_data_matrix><resolution>10</resolution></element>"
    )
}

/// A car of wheels of 0.4 m, 1 m apart along it and 0.8 m across.
fn car(x: f64, y: f64, yaw: f64, controller: &str) -> String {
    let wheel = r#"mass="5" width="0.1" diameter="0.4""#;
    format!(
        r#"<vehicle name="car"><init_pose>{x} {y} {yaw}</init_pose><dynamics class="differential_4_wheels">
        <lr_wheel pos="0 0.4" {wheel}/><rr_wheel pos="0 -0.4" {wheel}/>
        <lf_wheel pos="1 0.4" {wheel}/><rf_wheel pos="1 -0.4" {wheel}/>
        <chassis mass="100" zmin="0.1" zmax="1"><shape>
        <pt>-0.3 -0.5</pt><pt>-0.3 0.5</pt><pt>1.3 0.5</pt><pt>1.3 -0.5</pt></shape></chassis>
        {controller}</dynamics></vehicle>"#
    )
}

const CONTROLLERS: [&str; 2] = [
    r#"<controller class="twist_ideal"/>"#,
    r#"<controller class="twist_pid"><KP>60</KP><max_torque>60</max_torque></controller>"#,
];

fn pose(world: &World) -> Pose3 {
    first(world).world_from_body
}

/// Drives for `seconds`; the car stays upright all the way.
fn upright(world: &mut World, speed: f64, yaw_rate: f64, seconds: f64) {
    twist(world, 0, speed, yaw_rate);
    for _ in 0..(seconds / world.scene().step.secs()).round() as usize {
        step(world);
        let pose = pose(world);
        assert!(pose.pitch.abs() < MOST && pose.roll.abs() < MOST, "{pose:?}");
    }
}

#[test]
fn a_car_that_leaves_a_map_stays_upright_and_drives_on_beside_it() {
    for controller in CONTROLLERS {
        for (yaw, speed) in [(0.0, 1.0), (0.0, 3.0), (30.0, 1.0), (-30.0, 2.0), (180.0, -1.5), (75.0, 2.0)] {
            let mut world = world(&(plateau(4.0) + &car(6.0, -1.0, yaw, controller)));
            assert_eq!(pose(&world).z, 4.0);
            upright(&mut world, speed, 0.0, 20.0 / speed.abs());
            let end = pose(&world);
            assert!(end.z == 0.0 && end.x.max(end.y) > 12.0, "{yaw}, {speed}: {end:?}");
            // And back, below the map: so high above it is no step.
            let before = pose(&world);
            upright(&mut world, -speed, 0.0, 5.0 / speed.abs());
            let after = pose(&world);
            assert!(after.z == 0.0 && (after.x - before.x).hypot(after.y - before.y) > 1.0, "{after:?}");
            upright(&mut world, speed, 0.0, 5.0 / speed.abs());
        }
    }
}

#[test]
fn a_car_whose_front_wheels_have_passed_the_edge_returns() {
    for controller in CONTROLLERS {
        let mut world = world(&(plateau(4.0) + &car(7.0, 0.0, 0.0, controller)));
        upright(&mut world, 1.0, 0.0, 2.5);
        // The wheels in front are beside the map, those behind on it.
        assert!(pose(&world).x > 9.1 && pose(&world).x < 9.9 && pose(&world).z == 4.0, "{:?}", pose(&world));
        upright(&mut world, -1.0, 0.0, 4.0);
        assert!(pose(&world).x < 7.0 && pose(&world).z == 4.0, "{:?}", pose(&world));
    }
}

#[test]
fn a_car_drives_along_an_edge_with_two_wheels_beside_it() {
    for side in [1.0, -1.0] {
        let mut world = world(&(plateau(4.0) + &car(-8.0, 9.8 * side, 0.0, CONTROLLERS[0])));
        upright(&mut world, 2.0, 0.0, 6.0);
        assert!(pose(&world).x > 3.0 && pose(&world).z == 4.0, "{:?}", pose(&world));
    }
}

#[test]
fn an_edge_as_high_as_a_kerb_is_driven_off_and_climbed_again() {
    let mut world = world(&(plateau(0.15) + &car(6.0, 0.0, 0.0, CONTROLLERS[0])));
    upright(&mut world, 1.0, 0.0, 7.0);
    assert_eq!(pose(&world).z, 0.0);
    upright(&mut world, -1.0, 0.0, 8.0);
    assert!(pose(&world).x < 7.0 && pose(&world).z == 0.15, "{:?}", pose(&world));
}

/// A plane beside the map is ground as the level at 0 is; one that continues the map at its height makes no edge.
#[test]
fn a_plane_beside_the_map_is_the_ground_there() {
    for z in [2.0, 4.0] {
        let plane = format!(
            "<element class=\"horizontal_plane\"><x_min>10</x_min><x_max>40</x_max><y_min>-20</y_min><y_max>20</y_max><z>{z}</z></element>"
        );
        let mut world = world(&(plateau(4.0) + &plane + &car(6.0, 0.0, 0.0, CONTROLLERS[0])));
        upright(&mut world, 2.0, 0.0, 4.0);
        assert!(pose(&world).x > 12.0 && pose(&world).z == z, "{:?}", pose(&world));
        if z == 4.0 {
            upright(&mut world, -2.0, 0.0, 4.0);
            assert_eq!(pose(&world).z, z);
        }
    }
}
