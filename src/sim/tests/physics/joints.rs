//! Ropes, springs, pins and their limits, against what each must keep.

use super::common::*;
use skidpad_math::{Pose2, Pose3, Vec3};
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::World;

/// A block of 1 m × 1 m on ice, of this mass [kg]; inertia m/6.
fn ice(name: &str, mass: f64, pose: &str, velocity: &str) -> String {
    format!(
        r#"<block name="{name}"><init_pose>{pose}</init_pose><init_vel>{velocity}</init_vel><mass>{mass}</mass>
        <ground_friction>0</ground_friction><linear_damping>0</linear_damping><angular_damping>0</angular_damping></block>"#
    )
}

fn anchor(pose: Pose3, p: (f64, f64)) -> Vec3 {
    pose.transform_point(Vec3::new(p.0, p.1, 0.0))
}

/// Velocities of blocks from their poses before and after a step: vx, vy, w.
fn rates(before: &[Pose3], after: &[Pose3], dt: f64) -> Vec<[f64; 3]> {
    let rate = |(a, b): (&Pose3, &Pose3)| [(b.x - a.x) / dt, (b.y - a.y) / dt, (b.yaw - a.yaw) / dt];
    before.iter().zip(after).map(rate).collect()
}

/// Momentum, angular momentum about the origin, and energy of blocks of these masses; positions are those after the step.
fn totals(masses: &[f64], poses: &[Pose3], rates: &[[f64; 3]]) -> [f64; 4] {
    let mut sum = [0.0; 4];
    for ((m, p), [vx, vy, w]) in masses.iter().zip(poses).zip(rates) {
        sum[0] += m * vx;
        sum[1] += m * vy;
        sum[2] += m * (p.x * vy - p.y * vx) + m / 6.0 * w;
        sum[3] += 0.5 * m * (vx * vx + vy * vy) + 0.5 * m / 6.0 * w * w;
    }
    sum
}

/// Two blocks that turn about the pin between them, and one pinned to the world: nothing is lost in 10 s.
#[test]
fn frictionless_pendulums_keep_energy_and_momentum() {
    let pin = r#"<joint type="pin" body_a="a" body_b="b" anchor_a="1.2 0.1" anchor_b="-0.9 0.2"/>"#;
    for masses in [[10.0, 10.0], [1.0, 100.0]] {
        let text = ice("a", masses[0], "0 0 0", "0 1 30") + &ice("b", masses[1], "2.1 -0.1 0", "0 0 -60") + pin;
        let mut world = world(&text);
        let dt = world.scene().step.secs();
        let mut start = None;
        // The first step goes through the engine, which turns bodies a little less exactly.
        step(&mut world);
        for k in 0..2000 {
            let before = world.frame().blocks.clone();
            let after = step(&mut world).blocks.clone();
            let gap = (anchor(after[0], (1.2, 0.1)) - anchor(after[1], (-0.9, 0.2))).norm();
            assert!(gap < 1e-8, "{masses:?}, step {k}: {gap} m apart");
            let now = totals(&masses, &after, &rates(&before, &after, dt));
            let start = *start.get_or_insert(now);
            for i in 0..3 {
                assert!((now[i] - start[i]).abs() < 1e-6, "{masses:?}, step {k}: {now:?} of {start:?}");
            }
            assert!((now[3] / start[3] - 1.0).abs() < 0.01, "{masses:?}, step {k}: energy {} of {}", now[3], start[3]);
        }
    }
    // An arm of 0.8 m on a post: its rate stays what it was, 1 rad/s after the pin took its share.
    let post = r#"<block name="post"><static>true</static><init_pose>5 5 30</init_pose></block>"#;
    let pin = r#"<joint type="revolute" body_a="post" body_b="a" anchor_a="0 0" anchor_b="-0.8 0"/>"#;
    let mut world = world(&(post.to_string() + &ice("a", 20.0, "5.8 5 0", "0 1.4 100") + pin));
    step(&mut world);
    let rate = |world: &mut World| {
        let before = world.frame().blocks[1].yaw;
        step(world).blocks[1].yaw - before
    };
    let first = rate(&mut world);
    run(&mut world, 10.0);
    assert!((rate(&mut world) / first - 1.0).abs() < 1e-6, "{first}");
    let at = world.frame().blocks[1];
    assert!((anchor(at, (-0.8, 0.0)) - Vec3::new(5.0, 5.0, 0.0)).norm() < 1e-8, "{at:?}");
}

/// A rope jerks a body a hundred times heavier or lighter, or a post, at 5 m/s; straight and at an angle.
#[test]
fn a_rope_is_never_longer_than_it_is() {
    for masses in [[1.0, 100.0], [100.0, 1.0], [1.0, 1e6]] {
        for velocity in ["-5 0 0", "-3 4 0", "-5 0 400"] {
            let rope =
                r#"<joint type="rope" body_a="a" body_b="b" anchor_a="0.5 0.3" anchor_b="-0.5 0" max_length="3"/>"#;
            let text = ice("a", masses[0], "0 0 0", velocity) + &ice("b", masses[1], "2.5 0 0", "0 0 0") + rope;
            let mut world = world(&text);
            let dt = world.scene().step.secs();
            let mut longest: f64 = 0.0;
            let mut most: f64 = 0.0;
            let mut first = None;
            for _ in 0..1000 {
                let before = world.frame().blocks.clone();
                let after = step(&mut world).blocks.clone();
                longest = longest.max((anchor(after[0], (0.5, 0.3)) - anchor(after[1], (-0.5, 0.0))).norm());
                let now = totals(&masses, &after, &rates(&before, &after, dt));
                let start = *first.get_or_insert(now);
                assert!((now[0] - start[0]).abs() < 1e-6 * masses[0].max(1.0) * 5.0, "{now:?} of {start:?}");
                most = most.max(now[3] / start[3]);
            }
            assert!(longest < 3.0 + 1e-6 && longest > 2.999, "{masses:?} {velocity}: {longest}");
            assert!(most < 1.01, "{masses:?} {velocity}: energy {most}");
        }
    }
}

const TRACTOR: &str = r#"<vehicle name="tractor"><init_pose>0 0 0</init_pose><dynamics class="ackermann">
    <chassis mass="800"><shape><pt>-0.5 -0.6</pt><pt>-0.5 0.6</pt><pt>2.2 0.6</pt><pt>2.2 -0.6</pt></shape></chassis>
    <rl_wheel pos="0 0.6" mass="20" width="0.2" diameter="0.6"/><rr_wheel pos="0 -0.6" mass="20" width="0.2" diameter="0.6"/>
    <fl_wheel mass="20" width="0.2" diameter="0.6"/><fr_wheel mass="20" width="0.2" diameter="0.6"/>
    <f_wheels_x>1.7</f_wheels_x><f_wheels_d>1.2</f_wheels_d><max_steer_ang_deg>40</max_steer_ang_deg>
    CONTROLLER</dynamics></vehicle>"#;
const IDEAL: &str = r#"<controller class="twist_ideal"/>"#;
const PID: &str =
    r#"<controller class="twist_front_steer_pid"><KP>2000</KP><KI>1000</KI><max_torque>3000</max_torque></controller>"#;

/// A cart of two wheels at its reference point, which is drawn at (2, 0): `x` [m] behind the origin.
fn trailer(name: &str, x: f64, mass: f64) -> String {
    format!(
        r#"<vehicle name="{name}"><init_pose>{x} 0 0</init_pose><dynamics class="differential">
        <chassis mass="{mass}"><shape><pt>-0.6 -0.5</pt><pt>-0.6 0.5</pt><pt>0.8 0.5</pt><pt>2 0</pt><pt>0.8 -0.5</pt></shape></chassis>
        <l_wheel pos="0 0.5" mass="10" width="0.1" diameter="0.5"/><r_wheel pos="0 -0.5" mass="10" width="0.1" diameter="0.5"/>
        </dynamics></vehicle>"#
    )
}

fn hitch(front: &str, at: f64, back: &str, limits: &str) -> String {
    format!(r#"<joint type="pin" body_a="{front}" body_b="{back}" anchor_a="{at} 0" anchor_b="2 0" {limits}/>"#)
}

fn train(controller: &str, mass: f64, limits: &str) -> World {
    world(
        &(TRACTOR.replace("CONTROLLER", controller)
            + &trailer("trailer", -2.5, mass)
            + &hitch("tractor", -0.5, "trailer", limits)),
    )
}

fn ackermann(world: &mut World, vehicle: usize, speed: f64, steering_angle: f64) {
    world.command(Command { vehicle, action: Action::Ackermann { speed, steering_angle } }).unwrap();
}

/// Gap [m] between the anchors of one vehicle and the next.
fn gap(world: &World, front: usize, at: f64, back: usize) -> f64 {
    let vehicles = &world.frame().vehicles;
    (anchor(vehicles[front].world_from_body, (at, 0.0)) - anchor(vehicles[back].world_from_body, (2.0, 0.0))).norm()
}

const LIMITS: &str = r#"enable_limit="true" lower_angle_deg="-70" upper_angle_deg="70""#;

/// Full lock forward and in reverse, with imposed and with driven motion: the limits hold and the hitch stays closed.
#[test]
fn a_trailer_jackknifes_up_to_its_limit_and_no_further() {
    for (name, controller, mass) in
        [("ideal", IDEAL, 300.0), ("pid", PID, 300.0), ("heavy", IDEAL, 80000.0), ("light", PID, 5.0)]
    {
        for (speed, steer) in [(-1.0, 0.6), (-1.0, -0.6), (-2.0, 0.1), (1.0, 0.6)] {
            let mut world = train(controller, mass, LIMITS);
            ackermann(&mut world, 0, speed, steer);
            let (mut widest, mut most): (f64, f64) = (0.0, 0.0);
            for _ in 0..4000 {
                step(&mut world);
                let [tractor, trailer] = &world.frame().vehicles[..] else { panic!("two") };
                widest = widest.max((trailer.world_from_body.yaw - tractor.world_from_body.yaw).abs().to_degrees());
                most = most.max(gap(&world, 0, -0.5, 1));
            }
            assert!(most < 1e-6, "{name} {speed} {steer}: {most} m apart");
            assert!(widest < 70.01, "{name} {speed} {steer}: {widest}°");
            if speed < 0.0 {
                assert!(widest > 69.9, "{name} {speed} {steer}: only {widest}°");
            }
        }
    }
}

/// What is imposed is what happens, whatever is towed.
#[test]
fn an_ideal_tractor_is_not_disturbed_by_what_it_drags() {
    let mut with = train(IDEAL, 5000.0, LIMITS);
    let mut without = world(&TRACTOR.replace("CONTROLLER", IDEAL));
    for k in 0..3000 {
        let (speed, steer) = [(1.5, 0.4), (3.0, -0.3), (-1.0, 0.2)][k / 1000];
        ackermann(&mut with, 0, speed, steer);
        ackermann(&mut without, 0, speed, steer);
        let b = step(&mut without).vehicles[0].clone();
        let a = &step(&mut with).vehicles[0];
        assert_eq!(a.world_from_body, b.world_from_body, "step {k}");
        assert_eq!(a.velocity_in_body, b.velocity_in_body, "step {k}");
    }
    // Steady forward driving draws the trailer straight; kinematics: sin(angle) follows the hitch's path.
    let mut world = train(IDEAL, 500.0, "");
    ackermann(&mut world, 0, 2.0, 0.3);
    run(&mut world, 30.0);
    let [tractor, trailer] = &world.frame().vehicles[..] else { panic!("two") };
    let angle = tractor.world_from_body.yaw - trailer.world_from_body.yaw;
    // The rear axle runs on R = 1.7/tan(0.3); the hitch 0.5 m behind on √(R² + 0.5²); the trailer's axle 2 m behind that.
    let r = 1.7 / 0.3_f64.tan();
    let expected = (0.5_f64 / r).atan() + (2.0 / (r * r + 0.25).sqrt()).asin();
    assert!((angle - expected).abs() < 0.02, "{} for {}", angle.to_degrees(), expected.to_degrees());
}

/// Three trailers behind a driven tractor, through bends, a hard stop, and beside a wall that keeps the engine busy.
#[test]
fn a_chain_of_three_trailers_stays_together() {
    for wall in ["", "<walls><shape><pt>-20 -0.8</pt><pt>3 -0.8</pt></shape></walls>"] {
        for controller in [IDEAL, PID] {
            let mut text = TRACTOR.replace("CONTROLLER", controller) + wall;
            for (k, mass) in [(0, 300.0), (1, 3000.0), (2, 30.0)] {
                text += &trailer(&format!("t{k}"), -2.5 - 2.6 * f64::from(k), mass);
            }
            text += &hitch("tractor", -0.5, "t0", "");
            text += &hitch("t0", -0.6, "t1", "");
            text += &hitch("t1", -0.6, "t2", "");
            let mut world = world(&text);
            let mut most: f64 = 0.0;
            for k in 0..4000 {
                let (speed, steer) = [(2.0, 0.0), (2.0, 0.5), (0.0, 0.0), (2.5, -0.5)][k / 1000];
                ackermann(&mut world, 0, speed, steer);
                step(&mut world);
                for (front, at, back) in [(0, -0.5, 1), (1, -0.6, 2), (2, -0.6, 3)] {
                    most = most.max(gap(&world, front, at, back));
                }
            }
            assert!(most < 1e-6, "{most} m apart");
            let last = &world.frame().vehicles[3];
            assert!(last.world_from_body.x > 5.0 && last.velocity_in_body.vx > 0.3, "{last:?}");
        }
    }
}

/// A tractor that tows at the end of a rope, or is tied to a post: the rope holds in both.
#[test]
fn tractors_on_ropes() {
    for controller in [IDEAL, PID] {
        let crate_ = r#"<block name="crate"><init_pose>-4 0 0</init_pose><mass>100</mass></block>"#;
        let rope = r#"<joint type="distance" body_a="tractor" body_b="crate" anchor_a="-0.5 0" anchor_b="0.5 0" max_length="4"/>"#;
        for fixed in ["", "<static>true</static>"] {
            let text =
                TRACTOR.replace("CONTROLLER", controller) + &crate_.replace("<mass>", &format!("{fixed}<mass>")) + rope;
            let mut world = world(&text);
            ackermann(&mut world, 0, 2.0, 0.1);
            let mut longest: f64 = 0.0;
            for _ in 0..2000 {
                step(&mut world);
                let (tractor, block) = (world.frame().vehicles[0].world_from_body, world.frame().blocks[0]);
                longest = longest.max((anchor(tractor, (-0.5, 0.0)) - anchor(block, (0.5, 0.0))).norm());
            }
            assert!(longest < 4.0 + 1e-6 && longest > 3.9999, "{controller} {fixed}: {longest}");
            let distance = world.frame().blocks[0].x + 4.0;
            assert!(
                if fixed.is_empty() { distance > 5.0 } else { distance == 0.0 },
                "{controller} {fixed}: {distance}"
            );
        }
    }
}

/// A train that backs into a wall stops there as a whole, however light its trailer.
#[test]
fn a_trailer_stops_its_tractor_at_a_wall() {
    for controller in [IDEAL, PID] {
        for mass in [10.0, 2000.0] {
            let straight = r#"enable_limit="true" lower_angle_deg="0" upper_angle_deg="0""#;
            let wall = "<walls><shape><pt>-4.15 -3</pt><pt>-4.15 3</pt></shape></walls>";
            let text = TRACTOR.replace("CONTROLLER", controller)
                + &trailer("trailer", -2.5, mass)
                + &hitch("tractor", -0.5, "trailer", straight)
                + wall;
            let mut world = world(&text);
            ackermann(&mut world, 0, -1.0, 0.0);
            let mut deepest: f64 = 0.0;
            for _ in 0..600 {
                step(&mut world);
                // The wall's face is at -4.1.
                let back = anchor(world.frame().vehicles[1].world_from_body, (-0.6, 0.0));
                deepest = deepest.max(-4.1 - back.x);
            }
            assert!(deepest < 0.02, "{controller} {mass}: {deepest} m deep");
            assert!(gap(&world, 0, -0.5, 1) < 1e-6);
            assert!(world.frame().vehicles[0].world_from_body.x > -1.05, "{controller} {mass}");
        }
    }
}

/// ω = √(k/μ), μ the reduced mass; the amplitude stays; with damping it falls by exp(−c·t/2μ).
#[test]
fn a_spring_swings_with_its_frequency() {
    for (k, c) in [(200.0, 0.0), (200.0, 4.0), (1e9, 1e5), (0.5, 0.0)] {
        let spring = format!(
            r#"<joint type="distance" body_a="a" body_b="b" anchor_a="0 0" anchor_b="0 0" max_length="4" stiffness="{k}" damping="{c}"/>"#
        );
        let (ma, mb) = (10.0, 30.0);
        let mut world = world(&(ice("a", ma, "0 0 0", "0 0 0") + &ice("b", mb, "3.5 0 0", "0 0 0") + &spring));
        let reduced = ma * mb / (ma + mb);
        let omega = f64::sqrt(k / reduced);
        let mut longest: f64 = 0.0;
        for step_count in 1..=2000 {
            let frame = step(&mut world);
            let length = frame.blocks[1].x - frame.blocks[0].x;
            longest = longest.max(length);
            let t = frame.time.secs();
            // Up to the first time it is as long as the rope, which stops it.
            if k < 1e6 && t < 0.25 * std::f64::consts::TAU / omega {
                let decay = c / (2.0 * reduced);
                let swing = (omega * omega - decay * decay).sqrt();
                let expected = 4.0 - 0.5 * (-decay * t).exp() * ((swing * t).cos() + decay / swing * (swing * t).sin());
                assert!((length - expected).abs() < 0.01, "{k} {c}, step {step_count}: {length} for {expected}");
            }
        }
        assert!(longest < 4.0 + 1e-6, "{k} {c}: {longest}");
        let b = world.frame().blocks[1];
        assert!((b.x - 3.5).abs() < 0.5 + 1e-6 && b.y == 0.0, "{b:?}");
    }
}

/// A rod (least and largest length the same) and a bar of the least length alone.
#[test]
fn a_rope_of_a_least_length_pushes_as_a_rod_does() {
    for (least, velocity) in [(2.0, "3 1 0"), (3.0, "3 1 0")] {
        let rope = format!(
            r#"<joint type="rope" body_a="a" body_b="b" anchor_a="0 0" anchor_b="0 0" max_length="3" min_length="{least}"/>"#
        );
        let mut world = world(&(ice("a", 5.0, "0 0 0", velocity) + &ice("b", 50.0, "3 0 0", "0 0 0") + &rope));
        let (mut shortest, mut longest) = (f64::INFINITY, 0.0_f64);
        for _ in 0..1000 {
            let blocks = &step(&mut world).blocks;
            let length = (blocks[1].x - blocks[0].x).hypot(blocks[1].y - blocks[0].y);
            shortest = shortest.min(length);
            longest = longest.max(length);
        }
        assert!(shortest > least - 1e-6 && longest < 3.0 + 1e-6, "{least}: {shortest} to {longest}");
        assert!(shortest < least + 1e-3);
    }
}

/// Anchors that lie apart at the start come together at once; a reset repeats everything.
#[test]
fn joints_are_closed_at_once_and_resets_repeat() {
    let pin = r#"<joint type="pin" body_a="a" body_b="b" anchor_a="1 0" anchor_b="-1 0"/>"#;
    let mut world = world(&(ice("a", 10.0, "0 0 0", "0 0 0") + &ice("b", 10.0, "3 1 90", "0 1 0") + pin));
    let start = world.frame().blocks.clone();
    let mut path = Vec::new();
    for _ in 0..500 {
        let blocks = step(&mut world).blocks.clone();
        assert!((anchor(blocks[0], (1.0, 0.0)) - anchor(blocks[1], (-1.0, 0.0))).norm() < 1e-6);
        path.push(blocks);
    }
    let fastest =
        path.windows(2).skip(1).map(|w| (w[1][1].x - w[0][1].x).hypot(w[1][1].y - w[0][1].y)).fold(0.0, f64::max);
    assert!(fastest < 1.5 * 0.005, "closing gave it {} m/s", fastest / 0.005);
    world.reset();
    assert_eq!(world.frame().blocks, start);
    for blocks in path {
        assert_eq!(step(&mut world).blocks, blocks);
    }
}

#[test]
fn a_teleported_tractor_takes_its_trailer_along() {
    let mut world = train(PID, 300.0, LIMITS);
    ackermann(&mut world, 0, 2.0, 0.3);
    run(&mut world, 5.0);
    let relative = |world: &World| {
        let [tractor, trailer] = &world.frame().vehicles[..] else { panic!("two") };
        tractor.world_from_body.planar().inverse() * trailer.world_from_body.planar()
    };
    let before = relative(&world);
    ackermann(&mut world, 0, 0.0, 0.0);
    world.command(Command { vehicle: 0, action: Action::Teleport(Pose2::new(100.0, -50.0, 9.0)) }).unwrap();
    step(&mut world);
    let (after, at) = (relative(&world), world.frame().vehicles[0].world_from_body);
    assert!((at.x - 100.0).abs() < 1e-6 && (at.y + 50.0).abs() < 1e-6, "{at:?}");
    assert!((after.x - before.x).abs() < 1e-6 && (after.yaw - before.yaw).abs() < 1e-6, "{after:?} for {before:?}");
    assert!(world.frame().vehicles[1].velocity_in_body.vx.abs() < 1e-3);
    assert!(gap(&world, 0, -0.5, 1) < 1e-6);
    // On a slack rope only the one that is told goes.
    let rope = r#"<joint type="rope" body_a="tractor" body_b="crate" anchor_a="0 0" anchor_b="0 0" max_length="10"/>"#;
    let crate_ = r#"<block name="crate"><init_pose>5 0 0</init_pose></block>"#;
    let mut world = super::common::world(&(TRACTOR.replace("CONTROLLER", PID) + crate_ + rope));
    world.command(Command { vehicle: 0, action: Action::Teleport(Pose2::new(0.0, 4.0, 0.0)) }).unwrap();
    step(&mut world);
    assert_eq!(world.frame().blocks[0].planar(), Pose2::new(5.0, 0.0, 0.0));
    // Too far for the rope, all go.
    world.command(Command { vehicle: 0, action: Action::Teleport(Pose2::new(0.0, 40.0, 0.0)) }).unwrap();
    step(&mut world);
    assert!((world.frame().blocks[0].y - 36.0).abs() < 1e-9, "{:?}", world.frame().blocks[0]);
}

/// Jointed bodies pass through each other, others do not.
#[test]
fn jointed_bodies_do_not_collide() {
    let crates = ice("a", 10.0, "0 0 0", "1 0 0") + &ice("b", 10.0, "2 0 0", "0 0 0");
    let rope = r#"<joint type="rope" body_a="a" body_b="b" anchor_a="0 0" anchor_b="0 0"/>"#;
    for (joint, through) in [(rope, true), ("", false)] {
        let mut world = world(&(crates.clone() + joint));
        run(&mut world, 4.0);
        let ahead = world.frame().blocks[0].x - world.frame().blocks[1].x;
        assert_eq!(ahead > 0.0, through, "{joint}: {ahead}");
    }
    // A static block too.
    let post = ice("b", 10.0, "2 0 0", "0 0 0").replace("<mass>", "<static>true</static><mass>");
    let mut world = super::common::world(&(ice("a", 10.0, "0 0 0", "1 0 0") + &post + rope));
    run(&mut world, 4.0);
    assert!((world.frame().blocks[0].x - 4.0).abs() < 1e-9, "{:?}", world.frame().blocks[0]);
}

/// Things that cannot be satisfied, and absurd numbers, stay finite and still.
#[test]
fn impossible_joints_do_no_harm() {
    let posts: String = [-10, 10]
        .iter()
        .map(|x| format!(r#"<block name="p{x}"><static>true</static><init_pose>{x} 0 0</init_pose></block>"#))
        .collect();
    let ropes = r#"<joint type="rope" body_a="p-10" body_b="a" anchor_a="0 0" anchor_b="0 0" max_length="1"/>
        <joint type="rope" body_a="p10" body_b="a" anchor_a="0 0" anchor_b="0 0" max_length="1"/>"#;
    let mut world = world(&(posts.clone() + &ice("a", 10.0, "3 0 0", "0 2 0") + ropes));
    run(&mut world, 5.0);
    let at = world.frame().blocks[2];
    assert!(at.x.abs() < 10.0 && at.y.abs() < 20.0, "{at:?}");
    // Twice pinned, to the same body and to the world; a rope of no length; one of a micrometre at 100 m/s.
    let many = r#"<joint type="pin" body_a="a" body_b="b" anchor_a="1 0" anchor_b="-1 0"/>
        <joint type="pin" body_a="a" body_b="b" anchor_a="1 1" anchor_b="-1 1"/>
        <joint type="rope" body_a="a" body_b="b" anchor_a="1 0" anchor_b="-1 0" max_length="0"/>
        <joint type="rope" body_a="b" body_b="c" anchor_a="0 0" anchor_b="0 0" max_length="1e-6"/>"#;
    let blocks =
        ice("a", 10.0, "0 0 0", "0 2 90") + &ice("b", 1e-3, "2 0 0", "0 0 0") + &ice("c", 1e5, "2 0 0", "60 80 3000");
    let mut world = super::common::world(&(blocks + many));
    let mut fastest: f64 = 0.0;
    for _ in 0..1000 {
        let before = world.frame().blocks.clone();
        let after = step(&mut world).blocks.clone();
        fastest = rates(&before, &after, 0.005).iter().map(|r| r[0].hypot(r[1])).fold(fastest, f64::max);
    }
    assert!(fastest < 1e3, "{fastest}");
}

#[test]
fn bad_joints_are_reported() {
    let blocks = r#"<block name="a"><init_pose>0 0 0</init_pose></block><block name="b"><init_pose>3 0 0</init_pose></block>
<block name="ghost"><init_pose>3 0 0</init_pose><intangible>true</intangible></block>"#;
    for (joint, expected) in [
        ("<joint/>", "4:1: missing type in <joint>\n  accepted: distance, rope, revolute, pin"),
        (
            r#"<joint type="weld" body_a="a" body_b="b" anchor_a="0 0" anchor_b="0 0"/>"#,
            "4:14: unknown type \"weld\" in <joint>\n  accepted: distance, rope, revolute, pin",
        ),
        (r#"<joint type="pin" body_b="b" anchor_a="0 0" anchor_b="0 0"/>"#, "4:1: missing body_a in <joint>"),
        (
            r#"<joint type="pin" body_a="aa" body_b="b" anchor_a="0 0" anchor_b="0 0"/>"#,
            "4:27: no body called \"aa\" before this <joint>\n  accepted: a, b, ghost",
        ),
        (
            r#"<joint type="pin" body_a="ghost" body_b="b" anchor_a="0 0" anchor_b="0 0"/>"#,
            "4:27: block \"ghost\" is intangible and has no body for a <joint>",
        ),
        (
            r#"<joint type="pin" body_a="b" body_b="b" anchor_a="0 0" anchor_b="0 0"/>"#,
            "4:1: a joint of \"b\" with itself\n  accepted: two different bodies",
        ),
        (r#"<joint type="pin" body_a="a" body_b="b" anchor_a="0 0"/>"#, "4:1: missing anchor_b in <joint>"),
        (
            r#"<joint type="pin" body_a="a" body_b="b" anchor_a="0" anchor_b="0 0"/>"#,
            "4:51: bad value \"0\" for attribute \"anchor_a\" in <joint>\n  accepted: 2 finite numbers, separated by blanks",
        ),
        (
            r#"<joint type="rope" body_a="a" body_b="b" anchor_a="0 0" anchor_b="0 0" max_length="1" min_length="2"/>"#,
            "4:99: min_length 2 is above max_length 1",
        ),
        (
            r#"<joint type="rope" body_a="a" body_b="b" anchor_a="0 0" anchor_b="0 0" stiffness="-1"/>"#,
            "4:83: bad value \"-1\" for attribute \"stiffness\" in <joint>\n  accepted: a finite number >= 0",
        ),
        (
            r#"<joint type="pin" body_a="a" body_b="b" anchor_a="0 0" anchor_b="0 0" enable_limit="true" lower_angle_deg="10"/>"#,
            "4:108: lower_angle_deg 10 is above upper_angle_deg 0",
        ),
    ] {
        let actual =
            problems(&format!("<mvsim_world>\n{blocks}\n{joint}</mvsim_world>")).join("\n").replace("bad.xml:", "");
        assert_eq!(actual, expected, "{joint}");
    }
}
