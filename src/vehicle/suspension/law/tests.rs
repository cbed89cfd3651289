//! A body on springs against closed forms.

use super::*;

const GRAVITY: f64 = 9.81;
const BODY: f64 = 1300.0;
const UNSPRUNG: f64 = 40.0;
/// Half of the track, and the distances of the axles from the centre of mass [m].
const HALF_TRACK: f64 = 0.75;
const TO_AXLES: [f64; 2] = [1.2, 1.5];

/// A compact car with springs for these ride frequencies [Hz], dampers of this ratio [-] and bars.
fn car(frequency: f64, ratio: f64, bar_rate: f64) -> SprungBody {
    let length = TO_AXLES[0] + TO_AXLES[1];
    // Front and rear: the load of a wheel from the body.
    let shares = [TO_AXLES[1] / length, TO_AXLES[0] / length].map(|share| 0.5 * BODY * share);
    let strut = |x: f64, y: f64, mass: f64| {
        let omega = std::f64::consts::TAU * frequency;
        let rate = mass * omega * omega;
        Strut {
            arm: Vec2::new(x, y),
            rate,
            damping: [2.0 * ratio * mass * omega; 2],
            travel: [0.1, 0.1],
            stop_rate: 20.0 * rate,
            tyre_rate: 10.0 * rate,
            tyre_damping: 0.0,
            unsprung_mass: UNSPRUNG,
            force_at_rest: mass * GRAVITY,
            load_at_rest: (mass + UNSPRUNG) * GRAVITY,
        }
    };
    let [front, rear] = shares;
    let (a, b) = (TO_AXLES[0], -TO_AXLES[1]);
    SprungBody {
        mass: BODY,
        inertia: [450.0, 1500.0],
        height_above_roll_axis: 0.45,
        struts: vec![
            strut(b, HALF_TRACK, rear),
            strut(b, -HALF_TRACK, rear),
            strut(a, HALF_TRACK, front),
            strut(a, -HALF_TRACK, front),
        ],
        axles: vec![Axle { wheels: [0, 1], bar_rate }, Axle { wheels: [2, 3], bar_rate }],
    }
}

fn run(body: &SprungBody, state: &mut RideState, moments: [f64; 2], ground: [f64; 4], dt: f64, seconds: f64) {
    let input = RideInput { ground: &ground, gravity: GRAVITY, moments, lift: 0.0, through_links: &[0.0; 4], dt };
    for _ in 0..(seconds / dt).round() as u32 {
        body.advance(state, &input);
    }
}

/// Rate of a spring and its tyre in series [N/m].
fn in_series(strut: &Strut) -> f64 {
    strut.rate * strut.tyre_rate / (strut.rate + strut.tyre_rate)
}

#[test]
fn it_stands_still_at_rest() {
    let body = car(1.3, 0.3, 1e4);
    let mut state = body.at_rest();
    run(&body, &mut state, [0.0; 2], [0.0; 4], 0.005, 5.0);
    assert!(state.ride.iter().chain(&state.rates).all(|value| value.abs() < 1e-12), "{state:?}");
    for (wheel, strut) in state.wheels.iter().zip(&body.struts) {
        assert!(wheel.is_on_ground && (wheel.load - strut.load_at_rest).abs() < 1e-8, "{wheel:?}");
    }
}

/// Without unsprung mass to speak of, the body swings on springs and tyres in series.
#[test]
fn it_heaves_with_its_ride_frequency_and_damping() {
    let mut body = car(1.3, 0.0, 0.0);
    body.struts.iter_mut().for_each(|strut| {
        strut.load_at_rest -= (strut.unsprung_mass - 1e-3) * GRAVITY;
        strut.unsprung_mass = 1e-3;
    });
    // Of a quarter: the axles are tuned alike, so that heave does not pitch.
    let strut = &body.struts[0];
    let expected = (in_series(strut) / strut.rate).sqrt() * 1.3;
    let mut state = body.at_rest();
    state.ride[0] = 0.01;
    for (wheel, strut) in state.wheels.iter_mut().zip(&body.struts) {
        wheel.height = 0.01 * strut.rate / (strut.rate + strut.tyre_rate);
    }
    let (mut crossings, mut first, mut last) = (0, 0.0, 0.0);
    for step in 0..20_000 {
        let before = state.ride[0];
        run(&body, &mut state, [0.0; 2], [0.0; 4], 0.001, 0.001);
        if before < 0.0 && state.ride[0] >= 0.0 {
            last = 0.001 * (f64::from(step) - before / (state.ride[0] - before));
            first = if crossings == 0 { last } else { first };
            crossings += 1;
        }
    }
    let frequency = f64::from(crossings - 1) / (last - first);
    assert!((frequency / expected - 1.0).abs() < 1e-4, "{frequency} Hz, expected {expected} Hz");
    let largest = state.ride[0].hypot(state.rates[0] / (std::f64::consts::TAU * expected));
    assert!((largest / 0.01 - 1.0).abs() < 1e-3, "no damping of the method: {largest}");
    assert!(state.ride[2].abs() < 1e-6, "{state:?}");
}

#[test]
fn it_rolls_and_pitches_as_far_as_springs_and_bars_let_it() {
    for bar_rate in [0.0, 2e4] {
        let body = car(1.3, 0.4, bar_rate);
        // A bar acts on the difference of the compressions: its rate counts twice in the roll of an axle, in series with the tyres.
        let of_axle = |strut: &Strut| {
            let rate = strut.rate + 2.0 * bar_rate;
            rate * strut.tyre_rate / (rate + strut.tyre_rate)
        };
        let lean = BODY * GRAVITY * body.height_above_roll_axis;
        let roll_rate: f64 = body.struts.iter().map(|strut| of_axle(strut) * strut.arm.y * strut.arm.y).sum();
        let pitch_rate: f64 = body.struts.iter().map(|strut| in_series(strut) * strut.arm.x * strut.arm.x).sum();
        let (roll_moment, pitch_moment) = (2000.0, -1500.0);
        let mut state = body.at_rest();
        run(&body, &mut state, [roll_moment, pitch_moment], [0.0; 4], 0.005, 20.0);
        let (roll, pitch) = (roll_moment / (roll_rate - lean), pitch_moment / (pitch_rate - lean));
        assert!((state.ride[1] / roll - 1.0).abs() < 1e-9, "{bar_rate}: {state:?}, expected {roll}");
        assert!((state.ride[2] / pitch - 1.0).abs() < 1e-9, "{bar_rate}: {state:?}, expected {pitch}");
        let loads: f64 = state.wheels.iter().map(|wheel| wheel.load).sum();
        assert!((loads / ((BODY + 4.0 * UNSPRUNG) * GRAVITY) - 1.0).abs() < 1e-12);
        let moment: f64 = state.wheels.iter().zip(&body.struts).map(|(wheel, strut)| wheel.load * strut.arm.y).sum();
        assert!((moment + roll_moment + lean * roll).abs() < 1e-6, "{moment}");
    }
}

#[test]
fn it_falls_with_gravity_until_its_wheels_touch() {
    let body = car(1.3, 0.3, 1e4);
    let mut state = body.at_rest();
    state.ride[0] = 0.6;
    state.wheels.iter_mut().for_each(|wheel| (wheel.height, wheel.is_on_ground) = (0.6, false));
    // The struts push the wheels down to their stops meanwhile: the centre of mass of all falls freely.
    run(&body, &mut state, [0.0; 2], [0.0; 4], 0.002, 0.2);
    let wheels: f64 = state.wheels.iter().map(|wheel| UNSPRUNG * wheel.height).sum();
    let mean = (BODY * state.ride[0] + wheels) / (BODY + 4.0 * UNSPRUNG);
    assert!((mean - (0.6 - 0.5 * GRAVITY * 0.04)).abs() < 1e-9, "{state:?}");
    assert!(state.wheels.iter().all(|wheel| !wheel.is_on_ground && wheel.load == 0.0));
    run(&body, &mut state, [0.0; 2], [0.0; 4], 0.002, 10.0);
    assert!(state.ride[0].abs() < 1e-6 && state.wheels.iter().all(|wheel| wheel.is_on_ground), "{state:?}");
}

/// One wheel after the other over a wave of the ground.
fn over_a_wave(body: &SprungBody, dt: f64) -> RideState {
    let mut state = body.at_rest();
    for step in 0..(1.5 / dt).round() as u32 {
        let time = (f64::from(step) + 0.5) * dt;
        let wave = |delay: f64| {
            let phase = std::f64::consts::TAU * 2.0 * (time - delay);
            if (0.0..std::f64::consts::TAU).contains(&phase) { 0.02 * (1.0 - libm::cos(phase)) } else { 0.0 }
        };
        let ground = [wave(0.3), wave(0.35), wave(0.1), wave(0.15)];
        let moments = [800.0 * libm::sin(7.0 * time), 0.0];
        let input = RideInput { ground: &ground, gravity: GRAVITY, moments, lift: 0.0, through_links: &[0.0; 4], dt };
        body.advance(&mut state, &input);
    }
    state
}

#[test]
fn the_rule_is_of_second_order() {
    let body = car(1.3, 0.3, 1e4);
    let exact = over_a_wave(&body, 1.25e-4);
    let error = |dt: f64| {
        let state = over_a_wave(&body, dt);
        (0..3).map(|axis| (state.ride[axis] - exact.ride[axis]).abs()).fold(0.0, f64::max)
    };
    let order = (error(0.004) / error(0.002)).log2();
    assert!((1.8..2.3).contains(&order), "{order}");
    assert!(error(0.005) < 5e-4, "{}", error(0.005));
}

#[test]
fn left_and_right_are_mirror_images_to_the_last_bit() {
    let body = car(1.4, 0.3, 1.5e4);
    let (mut left, mut right) = (body.at_rest(), body.at_rest());
    for step in 0..3000 {
        let time = 0.004 * f64::from(step);
        let ground = [0.05 * libm::sin(9.0 * time), 0.02 * libm::cos(5.0 * time), 0.06 * libm::sin(3.0 * time), 0.0];
        let moments = [4000.0 * libm::sin(2.0 * time), 900.0];
        let links = [50.0, -50.0, 20.0, -20.0];
        let input =
            RideInput { ground: &ground, gravity: GRAVITY, moments, lift: 100.0, through_links: &links, dt: 0.004 };
        body.advance(&mut left, &input);
        let (ground, links) = ([ground[1], ground[0], ground[3], ground[2]], [-50.0, 50.0, -20.0, 20.0]);
        body.advance(
            &mut right,
            &RideInput { ground: &ground, through_links: &links, moments: [-moments[0], moments[1]], ..input },
        );
        assert_eq!([left.ride[0], -left.ride[1], left.ride[2]], right.ride, "{step}");
        assert_eq!(left.wheels[0], right.wheels[1], "{step}");
    }
}

/// A racecar of 5 kg with stiff springs: hops of its wheels last 15 ms.
#[test]
fn a_light_and_stiff_car_is_stable_at_any_step() {
    let mut body = car(5.0, 0.4, 0.0);
    let scale = 4.0 / BODY;
    body.mass *= scale;
    body.inertia = [0.05, 0.09];
    body.height_above_roll_axis = 0.05;
    for strut in &mut body.struts {
        strut.arm = 0.13 * strut.arm;
        strut.rate *= scale;
        strut.damping = strut.damping.map(|damping| scale * damping);
        (strut.tyre_rate, strut.stop_rate) = (scale * strut.tyre_rate, scale * strut.stop_rate);
        strut.travel = [0.01, 0.01];
        strut.unsprung_mass = 0.1;
        strut.force_at_rest *= scale;
        strut.load_at_rest = strut.force_at_rest + strut.unsprung_mass * GRAVITY;
    }
    for dt in [0.001, 0.005, 0.01, 0.02] {
        let mut state = body.at_rest();
        for step in 0..(10.0 / dt) as u32 {
            let ground = if step % 7 < 2 { [0.02, 0.0, 0.0, 0.015] } else { [0.0; 4] };
            run(&body, &mut state, [0.3, -0.2], ground, dt, dt);
            assert!(state.ride.iter().all(|value| value.abs() < 0.5), "{dt} {step}: {state:?}");
        }
        run(&body, &mut state, [0.0; 2], [0.0; 4], dt, 20.0);
        assert!(state.ride.iter().all(|value| value.abs() < 1e-6), "{dt}: {state:?}");
    }
}
