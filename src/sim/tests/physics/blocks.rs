//! Blocks in collisions and on their floor: conserved quantities, and friction.

use super::common::*;
use skidpad_math::Pose3;
use skidpad_sim::world::World;

fn block(mass: f64, pose: &str, velocity: &str, extra: &str) -> String {
    format!(
        r#"<block><init_pose>{pose}</init_pose><init_vel>{velocity}</init_vel><mass>{mass}</mass>
        <linear_damping>0</linear_damping><angular_damping>0</angular_damping>{extra}</block>"#
    )
}

/// Momentum, angular momentum about the origin and energy over a step of two blocks of 1 m × 1 m.
fn totals(world: &mut World, masses: [f64; 2]) -> [f64; 4] {
    let dt = world.scene().step.secs();
    let before = world.frame().blocks.clone();
    let after: Vec<Pose3> = step(world).blocks.clone();
    let mut sum = [0.0; 4];
    for ((m, a), b) in masses.iter().zip(&before).zip(&after) {
        let [vx, vy, w] = [b.x - a.x, b.y - a.y, b.yaw - a.yaw].map(|d| d / dt);
        sum[0] += m * vx;
        sum[1] += m * vy;
        sum[2] += m * (b.x * vy - b.y * vx) + m / 6.0 * w;
        sum[3] += 0.5 * m * (vx * vx + vy * vy + w * w / 6.0);
    }
    sum
}

/// On ice, without friction and with full restitution, nothing is lost; without restitution energy is, momentum is not.
#[test]
fn a_collision_conserves_momentum_and_energy() {
    for masses in [[10.0, 10.0], [1.0, 50.0]] {
        for (pose, velocity) in
            [("3 0 0", "-1 0 0"), ("3 0.4 0", "-1 0 0"), ("3 0.2 45", "-2 0.5 40"), ("3 0.1 20", "0 0 0")]
        {
            for restitution in [1.0, 0.01] {
                let ice = format!(
                    "<ground_friction>0</ground_friction><lateral_friction>0</lateral_friction><restitution>{restitution}</restitution>"
                );
                let text = block(masses[0], "0 0 0", "3 0 0", &ice) + &block(masses[1], pose, velocity, &ice);
                let mut world = world(&text);
                let first = totals(&mut world, masses);
                run(&mut world, 3.0);
                let last = totals(&mut world, masses);
                let case = format!("{masses:?} {pose} {velocity} {restitution}: {first:?} became {last:?}");
                assert!((0..2).all(|k| (last[k] - first[k]).abs() < 1e-9 * 100.0), "{case}");
                // Bodies touch a little before their faces meet, which shifts the line of the impulse.
                assert!((last[2] - first[2]).abs() < 0.2, "{case}");
                let kept = last[3] / first[3];
                if restitution == 1.0 {
                    assert!((kept - 1.0).abs() < 1e-6, "{case}");
                } else {
                    assert!(kept < 0.95, "{case}");
                }
            }
        }
    }
}

/// Head on, the closed form of Newton's law of impact; with a wall too, at its face and at a corner of it.
#[test]
fn a_block_rebounds_with_the_coefficient_of_restitution() {
    let ice =
        "<ground_friction>0</ground_friction><lateral_friction>0</lateral_friction><restitution>0.6</restitution>";
    let rate = |world: &mut World, index: usize| {
        let before = world.frame().blocks[index].x;
        (step(world).blocks[index].x - before) / 0.005
    };
    let mut world = world(&(block(10.0, "0 0 0", "3 0 0", ice) + &block(30.0, "3 0 0", "1 0 0", ice)));
    run(&mut world, 3.0);
    // Common velocity 1.5 m/s; they part with 0.6 of the 2 m/s they met with.
    assert!((rate(&mut world, 0) - (1.5 - 0.75 * 1.2)).abs() < 1e-6);
    assert!((rate(&mut world, 1) - (1.5 + 0.25 * 1.2)).abs() < 1e-6);
    for y in [0.0, 5.3] {
        let wall = "<walls><shape><pt>4 -5</pt><pt>4 5</pt></shape></walls>";
        let mut world = super::common::world(&(block(10.0, &format!("0 {y} 0"), "3 0 0", ice) + wall));
        run(&mut world, 3.0);
        let back = rate(&mut world, 0);
        if y == 0.0 {
            assert!((back + 1.8).abs() < 1e-6, "{back}");
        } else {
            assert!(back.abs() < 1.8, "{back}");
        }
    }
}

/// A robot called `a` whose motors push or pull with a constant force [N].
fn strong(force: f64) -> String {
    let torque = force * RADIUS / 4.0;
    let cart = Cart {
        inside: format!(
            r#"<controller class="raw"><l_torque>{torque}</l_torque><r_torque>{torque}</r_torque></controller>"#
        ),
        friction: r#"<friction class="default"><mu>2</mu><C_damping>0</C_damping></friction>"#.into(),
        ..Cart::default()
    };
    cart.named("a")
}

/// A robot that pushes with a constant force [N] at a block whose floor holds 981 N.
fn pushed(force: f64, seconds: f64) -> (World, f64) {
    let crate_ = r#"<block><init_pose>1.81 0 0</init_pose><mass>200</mass></block>"#;
    let mut world = world(&(strong(force) + crate_));
    // It needs a moment to arrive.
    run(&mut world, 1.5);
    let start = world.frame().blocks[0].x;
    run(&mut world, seconds);
    let distance = world.frame().blocks[0].x - start;
    (world, distance)
}

/// A steady push below the grip moves nothing, not even slowly; above it the rest accelerates the two.
#[test]
fn a_block_holds_against_a_push_below_its_grip() {
    for force in [30.0, 700.0] {
        let (world, distance) = pushed(force, 4.0);
        assert!(distance.abs() < 1e-6, "{force} N moved it by {distance} m");
        assert!(first(&world).colliding && first(&world).velocity_in_body.vx.abs() < 0.2, "{:?}", first(&world));
    }
    let (world, distance) = pushed(1200.0, 1.0);
    assert!(distance > 0.3, "{distance}");
    assert!(first(&world).velocity_in_body.vx > 0.3);
}

/// On a rope too: the tractor stands, pulling.
#[test]
fn a_block_on_a_rope_holds_below_its_grip() {
    for (force, holds) in [(30.0, true), (600.0, true), (1300.0, false)] {
        let text = strong(force)
            + r#"<block name="b"><init_pose>-3 0 0</init_pose><mass>200</mass></block>
            <joint type="rope" body_a="a" body_b="b" anchor_a="-0.2 0" anchor_b="0.5 0" max_length="2.4"/>"#;
        let mut world = world(&text);
        run(&mut world, 4.0);
        let start = world.frame().blocks[0].x;
        run(&mut world, 5.0);
        let distance = world.frame().blocks[0].x - start;
        assert_eq!(distance.abs() < 1e-9, holds, "{force} N: {distance} m");
        let length = (first(&world).world_from_body.x - 0.2) - (world.frame().blocks[0].x + 0.5);
        assert!((length - 2.4).abs() < 1e-6, "{length}");
    }
}

/// A robot of 120 kg that pushes a block of 200 kg with a constant force [N] of its motors, both on a grade of 20 %; `uphill` or
/// downhill. Returns how far the block moves in a second [m], after it had a moment to arrive.
fn pushed_on_a_slope(force: f64, uphill: bool) -> (World, f64) {
    let (side, robot) = if uphill {
        (1.0, strong(force))
    } else {
        (-1.0, strong(force).replace("0 0 0</init_pose>", "0 0 180</init_pose>"))
    };
    let crate_ = format!(
        r#"<block><init_pose3d>{} 0 9 0 0 0</init_pose3d><mass>200</mass><linear_damping>0</linear_damping></block>"#,
        1.71 * side
    );
    let mut world = world(&(plane(0.2, 100.0) + &robot + &crate_));
    run(&mut world, 1.0);
    let start = world.frame().blocks[0].x;
    run(&mut world, 1.0);
    let distance = side * (world.frame().blocks[0].x - start);
    (world, distance)
}

/// Uphill the robot has to lift itself and the block, downhill their weight helps: the block holds as long as the friction of its
/// floor can take the rest, and beyond that the rest accelerates both.
#[test]
fn a_push_on_a_slope_balances_both_weights() {
    let (sin, cos) = 0.2_f64.atan().sin_cos();
    let (own, weight) = (MASS * GRAVITY, 200.0 * GRAVITY);
    for (uphill, sign) in [(true, 1.0), (false, -1.0)] {
        let limit = weight * (0.5 * cos + sign * sin) + sign * own * sin;
        for share in [0.5, 0.95] {
            let (_, distance) = pushed_on_a_slope(share * limit, uphill);
            assert!(distance.abs() < 1e-9, "{share} of {limit} N moved it by {distance} m");
        }
        let force = 1.2 * limit;
        let (mut world, distance) = pushed_on_a_slope(force, uphill);
        assert!(distance > 0.1, "{distance}");
        let before = first(&world).velocity_in_body.vx;
        run(&mut world, 1.0);
        let actual = first(&world).velocity_in_body.vx - before;
        let expected = (force - limit) / (MASS + ROLLING_MASS + 200.0);
        assert!((actual / expected - 1.0).abs() < 0.02, "uphill {uphill}: {actual} for {expected}");
    }
}
