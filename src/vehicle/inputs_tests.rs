//! Inputs against closed forms.

use skidpad_math::Twist2;

use super::channel::Shape;
use super::*;
use crate::Pedals;

const STEPS: [f64; 3] = [0.001, 0.005, 0.02];

fn channel() -> Channel {
    Channel::default()
}

fn standing() -> VehicleState {
    VehicleState::default()
}

/// A vehicle that moves like this, with its steering at 0.1 rad and its pedals at 0.3 and 0.2.
fn moving() -> VehicleState {
    VehicleState {
        velocity_in_body: Twist2::new(3.0, 0.5, 0.25),
        path_speed: 3.5,
        steering_angle: 0.1,
        pedals: Pedals { throttle: 0.3, brake: 0.2, ..Pedals::default() },
    }
}

/// What arrives at each full 20 ms while `command` is in force.
fn path(mut channel: Channel, command: f64, dt: f64, samples: usize) -> Vec<f64> {
    let per_sample = (0.02 / dt).round() as usize;
    let mut arrived = || (0..per_sample).map(|_| channel.advance(command, dt)).last().unwrap_or(0.0);
    (0..samples).map(|_| arrived()).collect()
}

#[test]
fn a_command_passes_unchanged_without_stages() {
    assert_eq!(path(channel(), 0.7, 0.005, 3), [0.7; 3]);
}

#[test]
fn a_dead_zone_takes_its_part_of_every_command() {
    let shape = Shape::Line { dead_zone: 0.2, gain: 2.0, offset: 0.1 };
    for (command, expected) in [(0.0, 0.1), (0.2, 0.1), (-0.1, 0.1), (0.5, 0.7), (-0.5, -0.5)] {
        assert!((shape.of(command) - expected).abs() < 1e-12, "{command}: {}", shape.of(command));
    }
}

/// From 0 to 0.3 with a dead band of 0.05: 0.25·(1 − e^(−t/τ)); from there commands of 0.2 to 0.3 change nothing.
#[test]
fn a_servo_rests_within_its_dead_band() {
    for dt in STEPS {
        let mut servo = Channel { dead_band: 0.05, lag: 0.1, ..channel() };
        for (i, actual) in path(servo.clone(), 0.3, dt, 40).into_iter().enumerate() {
            let expected = 0.25 * (1.0 - (-0.2 * (i + 1) as f64).exp());
            assert!((actual - expected).abs() < 1e-12, "{actual} for {expected} at {dt}");
        }
        servo.start_at(0.25);
        assert_eq!(path(servo, 0.2 + 1e-9, dt, 3), [0.25; 3]);
    }
}

#[test]
fn a_curve_is_linear_in_between_and_constant_beyond() {
    let shape = Shape::Points(vec![[-1.0, -0.3], [0.0, 0.1], [0.5, 0.2]]);
    for (command, expected) in
        [(-2.0, -0.3), (-1.0, -0.3), (-0.5, -0.1), (0.0, 0.1), (0.25, 0.15), (0.5, 0.2), (9.0, 0.2)]
    {
        assert!((shape.of(command) - expected).abs() < 1e-12, "{command}: {}", shape.of(command));
    }
}

/// A ramp of commands comes out as the ramp of `delay` ago, at any step, also where the delay is not a multiple of it.
#[test]
fn a_delay_is_exact_for_ramps_between_steps_too() {
    for dt in STEPS {
        for delay in [0.0, 0.013, 0.1, 0.1037] {
            let mut channel = Channel { delay, ..channel() };
            for step in 1..200 {
                let time = f64::from(step) * dt;
                let arrived = channel.advance(3.0 * time, dt);
                let expected = (3.0 * (time - delay)).max(0.0);
                // The first command falls between two steps.
                assert!(
                    (arrived - expected).abs() < 1e-9 || (time - delay).abs() < dt,
                    "{arrived} for {expected} at {time} {dt} {delay}"
                );
            }
        }
    }
}

/// u·(1 − e^(−(t − T)/τ)).
#[test]
fn delay_and_lag_follow_each_other() {
    for dt in STEPS {
        let channel = Channel { delay: 0.1, lag: 0.2, ..channel() };
        for (sample, arrived) in path(channel, 2.0, dt, 50).into_iter().enumerate() {
            // A command is in force for the whole step.
            let time = 0.02 * (sample + 1) as f64 - 0.1;
            let expected = 2.0 * (1.0 - (-time.max(0.0) / 0.2).exp());
            assert!((arrived - expected).abs() < 1e-9, "{arrived} for {expected} at {dt}");
        }
    }
}

#[test]
fn a_rate_limits_the_change() {
    let arrived = path(Channel { rate: 0.5, ..channel() }, 1.0, 0.005, 10);
    assert!(arrived.iter().enumerate().all(|(i, value)| (value - 0.01 * (i + 1) as f64).abs() < 1e-12), "{arrived:?}");
}

#[test]
fn each_command_goes_through_its_channels() {
    let gain = |gain: f64| Channel { shape: Shape::Line { dead_zone: 0.0, gain, offset: 0.0 }, ..channel() };
    let mut inputs = Inputs {
        speed: gain(2.0),
        lateral_speed: gain(11.0),
        yaw_rate: gain(13.0),
        steering: gain(3.0),
        throttle: gain(5.0),
        brake: gain(7.0),
        ..Inputs::default()
    };
    let mut hears = |order: Option<Order>| {
        order.into_iter().for_each(|order| inputs.take(order));
        inputs.advance(0.01, standing)
    };
    assert_eq!(hears(None), None);
    let ackermann = |speed, steering_angle| Order::Ackermann { speed, steering_angle };
    assert_eq!(hears(Some(ackermann(1.0, 0.1))), Some(ackermann(2.0, 3.0 * 0.1)));
    let steered = |speed, steering_angle| Order::Steered { speed, steering_angle };
    assert_eq!(hears(Some(steered(1.0, 0.1))), Some(steered(2.0, 3.0 * 0.1)));
    let twist = |vx, vy, wz| Order::Twist(Twist2::new(vx, vy, wz));
    assert_eq!(hears(Some(twist(1.0, 0.5, 0.25))), Some(twist(2.0, 5.5, 3.25)));
    let pedals = |throttle, brake, steering_angle| Order::Pedals {
        pedals: Pedals { throttle, brake, ..Pedals::default() },
        steering_angle,
    };
    assert_eq!(hears(Some(pedals(0.1, 0.1, -0.1))), Some(pedals(0.5, 7.0 * 0.1, 3.0 * -0.1)));
    let wheels = Order::Wheels(Default::default());
    assert_eq!(hears(Some(wheels)), Some(wheels));
    inputs.stop();
    assert_eq!(inputs.advance(0.01, standing), None);
}

/// Every stage that remembers something, and orders that ask for the state that the vehicle has.
#[test]
fn channels_start_at_the_state_of_the_vehicle() {
    let kept = |order: Order, expected: Order| {
        for stages in [
            Channel { delay: 0.037, ..channel() },
            Channel { lag: 0.35, ..channel() },
            Channel { rate: 0.1, ..channel() },
            Channel { delay: 0.02, lag: 0.1, rate: 2.0, backlash: 0.4, ..channel() },
        ] {
            let mut inputs = Inputs {
                speed: stages.clone(),
                lateral_speed: stages.clone(),
                yaw_rate: stages.clone(),
                steering: stages.clone(),
                throttle: stages.clone(),
                brake: stages,
                ..Inputs::default()
            };
            inputs.take(order);
            for _ in 0..50 {
                assert_eq!(inputs.advance(0.01, moving), Some(expected));
            }
        }
    };
    let VehicleState { velocity_in_body, pedals, steering_angle, path_speed } = moving();
    let same = |order| kept(order, order);
    same(Order::Twist(velocity_in_body));
    same(Order::Ackermann { speed: path_speed, steering_angle });
    same(Order::Steered { speed: velocity_in_body.vx, steering_angle });
    same(Order::Pedals { pedals, steering_angle });
}

/// Each of the channels that another kind of command needs starts at the state; the steering of both goes on.
#[test]
fn a_channel_that_was_not_in_use_starts_again() {
    let slow = || Channel { lag: 1.0, ..channel() };
    let mut inputs = Inputs { speed: slow(), steering: slow(), throttle: slow(), ..Inputs::default() };
    inputs.take(Order::Ackermann { speed: 3.5, steering_angle: 0.5 });
    for _ in 0..10 {
        inputs.advance(0.01, moving);
    }
    inputs.take(Order::Pedals { pedals: Pedals { throttle: 0.3, ..Pedals::default() }, steering_angle: 0.5 });
    let Some(Order::Pedals { pedals, steering_angle }) = inputs.advance(0.01, moving) else { panic!() };
    let turned = 0.5 - 0.4 * (-0.11_f64).exp();
    assert!((steering_angle - turned).abs() < 1e-12, "{steering_angle} for {turned}");
    assert_eq!(pedals.throttle, 0.3);
    inputs.take(Order::Ackermann { speed: 2.0, steering_angle: 0.5 });
    let faster = || VehicleState { path_speed: 2.0, ..moving() };
    let Some(Order::Ackermann { speed, .. }) = inputs.advance(0.01, faster) else { panic!() };
    assert_eq!(speed, 2.0);
}

/// An estimator that corrects the speed lets what is under way arrive, and the steering go on.
#[test]
fn a_corrected_state_keeps_what_is_under_way() {
    let stages = || Channel { delay: 0.05, lag: 0.5, ..channel() };
    let mut inputs = Inputs { speed: stages(), steering: stages(), ..Inputs::default() };
    inputs.take(Order::Ackermann { speed: 1.0, steering_angle: 0.2 });
    for _ in 0..3 {
        inputs.advance(0.01, standing);
    }
    inputs.continue_from(&moving());
    for step in 1..100 {
        let Some(Order::Ackermann { speed, steering_angle }) = inputs.advance(0.01, moving) else { panic!() };
        // The zeros from before the command arrive for two more steps, and then the command.
        let before = (0.01 * f64::from(step)).min(0.02);
        let since = 0.01 * f64::from(step) - before;
        let expected = 1.0 + (3.5 * (-before / 0.5).exp() - 1.0) * (-since / 0.5).exp();
        let turned = 0.2 * (1.0 - (-since / 0.5).exp());
        assert!((speed - expected).abs() < 1e-12, "{speed} for {expected} at {step}");
        assert!((steering_angle - turned).abs() < 1e-12, "{steering_angle} for {turned} at {step}");
    }
}

/// A car that was stopped at 1 m/s and stands: its next command does not bring back what was under way, however long ago.
#[test]
fn what_is_under_way_at_a_stop_does_not_arrive_with_the_next_command() {
    for stages in [Channel { delay: 0.05, ..channel() }, Channel { lag: 0.2, ..channel() }] {
        let mut inputs = Inputs { speed: stages.clone(), steering: stages, ..Inputs::default() };
        inputs.take(Order::Ackermann { speed: 1.0, steering_angle: 0.2 });
        let mut last = None;
        (0..20).for_each(|_| last = inputs.advance(0.01, standing));
        let Some(Order::Ackermann { steering_angle: held, .. }) = last else { panic!("{last:?}") };
        inputs.stop();
        let stands = || VehicleState { steering_angle: held, ..standing() };
        assert_eq!((inputs.advance(0.01, stands), inputs.steered()), (None, Some([0.0, 0.2])));
        inputs.take(Order::Ackermann { speed: 0.0, steering_angle: held });
        for _ in 0..20 {
            let Some(Order::Ackermann { speed, steering_angle }) = inputs.advance(0.01, stands) else { panic!() };
            assert!(speed == 0.0 && (steering_angle - held).abs() < 1e-12, "{speed} {steering_angle} {held}");
        }
    }
}

#[test]
fn after_a_reset_everything_repeats() {
    let slow = || Channel { delay: 0.03, lag: 0.1, ..channel() };
    let mut inputs = Inputs { speed: slow(), steering: slow(), ..Inputs::default() };
    let mut drive = || {
        inputs.reset();
        inputs.take(Order::Ackermann { speed: 1.0, steering_angle: 0.1 });
        (0..20).filter_map(|_| inputs.advance(0.01, standing)).collect::<Vec<_>>()
    };
    assert_eq!(drive(), drive());
}

/// A sine of amplitude 1 through a gap of 0.4: back and forth it arrives 0.2 late, and stays at the turning points.
#[test]
fn with_backlash_the_result_follows_where_the_gap_is_used_up() {
    let mut channel = Channel { backlash: 0.4, ..channel() };
    let mut before = 0.0;
    for step in 1..4000 {
        let phase = f64::from(step) * 0.005;
        let servo = phase.sin();
        let arrived = channel.advance(servo, 0.005);
        let follows = (arrived - before).abs() > 1e-12;
        let direction = (servo - (phase - 0.005).sin()).signum();
        assert!((arrived - servo).abs() <= 0.2 + 1e-12, "{arrived} for {servo}");
        assert!(!follows || (arrived - (servo - 0.2 * direction)).abs() < 1e-4, "{arrived} for {servo} at {phase}");
        // Between the turn and the other side of the gap.
        let since_turn = (phase - std::f64::consts::FRAC_PI_2).rem_euclid(std::f64::consts::PI);
        assert!(phase < 2.0 || since_turn > 0.6 || !follows || since_turn < 0.006, "{arrived} at {phase}");
        before = arrived;
    }
}
