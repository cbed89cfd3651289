//! The single track on grip tyres: its closed forms.

use super::*;

const G: f64 = 9.81;

/// A car whose yaw inertia is `inertia_share` times m·a·b, with sub-steps of 1 ms.
fn car(inertia_share: f64, integrator: Integrator) -> SingleTrack {
    let parameters = SingleTrackParameters {
        mass: 5.7,
        yaw_inertia: inertia_share * 5.7 * 0.165 * 0.16,
        cog_to_front: 0.165,
        cog_to_rear: 0.16,
        cog_height: 0.0,
        front_stiffness: 1.0,
        rear_stiffness: 1.0,
        mu: 1.0,
        tyres: TyreModel::Grip,
        speed_lag: 0.0,
        max_acceleration: 0.0,
        blend_speeds: [0.5, 1.5],
        substep: 1e-3,
        integrator,
    };
    SingleTrack::new(parameters, G)
}

fn input(speed: f64, steering_angle: f64) -> SingleTrackInput {
    SingleTrackInput { speed, steering_angle, gravity_in_body: Vec2::ZERO, gravity_into_ground: G, mu: [1.0; 2] }
}

#[test]
fn lateral_motion_and_yaw_decay_independently() {
    // k = min(1, share), and r decays faster than v_y by 1/share.
    for share in [0.5_f64, 0.8, 1.0, 1.6, 3.0] {
        let k = share.min(1.0);
        let (speed, sideslip, yaw_rate) = (3.0, 1e-6, 1e-6);
        for (start_sideslip, start_rate) in [(sideslip, 0.0), (0.0, yaw_rate)] {
            let start = SingleTrackState {
                speed,
                sideslip: start_sideslip,
                yaw_rate: start_rate,
                ..SingleTrackState::default()
            };
            let end = car(share, Integrator::Rk4).advance(start, &input(speed, 0.0), 1e-3);
            // One fourth-order step of z' = -rate·z.
            let fade = |z: f64| 1.0 - z + z * z / 2.0 - z.powi(3) / 6.0 + z.powi(4) / 24.0;
            if start_rate == 0.0 {
                assert!((end.sideslip / sideslip - fade(k)).abs() < 1e-9, "{share}: {end:?}");
                assert!(end.yaw_rate.abs() < 1e-12, "{share}: {end:?}");
            } else {
                assert!((end.yaw_rate / yaw_rate - fade(k / share)).abs() < 1e-9, "{share}: {end:?}");
            }
        }
    }
}

#[test]
fn explicit_euler_removes_all_lateral_velocity_within_one_sub_step() {
    let start = SingleTrackState { speed: 3.0, sideslip: 1e-3, ..SingleTrackState::default() };
    let end = car(1.0, Integrator::Euler).advance(start, &input(3.0, 0.0), 1e-3);
    assert!(end.sideslip.abs() < 1e-9 && end.yaw_rate.abs() < 1e-9, "{end:?}");
}

#[test]
fn within_its_grip_it_corners_as_the_kinematic_bicycle_except_for_side_slip() {
    for (speed, angle) in [(2.0, 0.1), (4.0, 0.05), (-2.0, 0.1)] {
        let car = car(1.0, Integrator::Rk4);
        let start = SingleTrackState { speed, ..SingleTrackState::default() };
        let end = (0..1000).fold(start, |state, _| car.advance(state, &input(speed, angle), 5e-3));
        let slope: f64 = 0.16 * angle.tan() / 0.325;
        let turn = angle.tan() / 0.325 / (1.0 + slope * slope).sqrt();
        assert!((end.yaw_rate / (speed * turn) - 1.0).abs() < 2e-3, "{speed}: {end:?}");
        // F = m·a_y requires u = T·a_y at both axles, outwards.
        let forces = car.forces(&end, &input(speed, angle), 0.0);
        let outside = -1e-3 * speed * speed * turn / speed.abs();
        assert!((forces.slip_angle[1] - outside).abs() < 0.03 * outside.abs(), "{speed}: {forces:?} {outside}");
        let total = forces.lateral[0] * angle.cos() + forces.lateral[1];
        assert!((total - 5.7 * speed * speed * turn).abs() < 0.02 * total.abs(), "{speed}: {forces:?}");
    }
}

#[test]
fn beyond_its_grip_it_slides_with_mu_n() {
    let car = car(1.0, Integrator::Rk4);
    let start = SingleTrackState { speed: 4.0, ..SingleTrackState::default() };
    let end = (0..200).fold(start, |state, _| car.advance(state, &input(4.0, 0.5), 5e-3));
    let forces = car.forces(&end, &input(4.0, 0.5), 0.0);
    for axle in 0..2 {
        assert!(forces.lateral[axle].abs() <= forces.load[axle] * (1.0 + 1e-12), "{forces:?}");
    }
    assert!((forces.lateral[0] - forces.load[0]).abs() < 1e-9, "{forces:?}");
    assert!(end.yaw_rate < 0.6 * 4.0 * 0.5_f64.tan() / 0.325, "{end:?}");
}

#[test]
fn the_motion_does_not_depend_on_the_step_of_the_world() {
    let drive = |dt: f64| {
        let steps = (2.0 / dt).round() as u32;
        let start = SingleTrackState { speed: 3.0, ..SingleTrackState::default() };
        (0..steps).fold(start, |state, _| car(0.8, Integrator::Rk4).advance(state, &input(3.0, 0.1), dt))
    };
    let (fine, coarse) = (drive(2.5e-4), drive(5e-3));
    assert!((fine.yaw_rate - coarse.yaw_rate).abs() < 1e-3 && (fine.sideslip - coarse.sideslip).abs() < 1e-4);
    assert!((fine.pose.x - coarse.pose.x).abs() < 1e-3, "{fine:?} {coarse:?}");
}

#[test]
fn it_has_no_linear_form_for_all_speeds() {
    assert!(car(1.0, Integrator::Rk4).linear(G).is_none());
}
