//! Counts of wheels that turn in a known way.

use super::*;
use crate::raycast::Obstacles;
use crate::sensor::WheelSpin;

const PERIOD: f64 = 0.1;

fn encoder(wheels: Vec<usize>, ticks_per_revolution: u32) -> Encoder {
    let names = ["left", "right", "castor"].map(str::to_owned).to_vec();
    let context = SensorContext { seed: 1, vehicle: "r1".into(), name: "encoders".into(), wheels: names };
    let (errors, period) = (ErrorParameters::white(0.0), SimTime::from_secs(PERIOD));
    Encoder::new(EncoderParameters { wheels, ticks_per_revolution, errors, period }, &context)
}

/// The ticks of each sample, of wheels whose spin follows from wheel and time [s].
fn ticks(encoder: &mut Encoder, count: u32, spin_of: impl Fn(usize, f64) -> WheelSpin + Sync) -> Vec<EncoderTicks> {
    let obstacles = Obstacles::new();
    let mut samples = Vec::new();
    for k in 1..=count {
        let time = f64::from(k) * PERIOD;
        let spin_of = |wheel| spin_of(wheel, time);
        let view = View { time: SimTime::from_secs(time), spin_of: &spin_of, ..View::at_rest(&obstacles) };
        let mut reading = encoder.new_reading();
        encoder.sense(&view, &mut reading);
        let ReadingData::Ticks(ticks) = reading else { panic!("{reading:?}") };
        samples.push(ticks);
    }
    samples
}

#[test]
fn counts_are_the_angle_in_whole_ticks_forwards_and_backwards() {
    let mut encoder = encoder(vec![0, 1], 100);
    let SensorKind::Encoder(info) = &encoder.info().kind else { panic!("{:?}", encoder.info()) };
    assert_eq!(info.wheels, ["left", "right"]);
    let tick = info.radians_per_tick();
    // 2.4 ticks and −10 ticks a second.
    let rates = [2.4 * tick, -10.0 * tick];
    let samples = ticks(&mut encoder, 40, |wheel, time| WheelSpin { angle: rates[wheel] * time, rate: rates[wheel] });
    for (k, sample) in samples.iter().enumerate() {
        let time = (k + 1) as f64 * PERIOD;
        for (&count, rate) in sample.counts.iter().zip(rates) {
            assert!((count as f64 * tick - rate * time).abs() < 0.5001 * tick, "{time}: {sample:?}");
        }
        assert!((sample.rates[1] - rates[1]).abs() < 1e-9, "{sample:?}");
        let ticks_a_sample = sample.rates[0] * PERIOD / tick;
        assert!(
            (ticks_a_sample - ticks_a_sample.round()).abs() < 1e-9,
            "the rate has the steps of the ticks: {sample:?}"
        );
    }
    encoder.restart();
    let again = ticks(&mut encoder, 40, |wheel, time| WheelSpin { angle: rates[wheel] * time, rate: rates[wheel] });
    assert_eq!(again, samples);
}

#[test]
fn turns_that_the_vehicle_leaves_out_of_large_angles_are_counted() {
    // 50 rad/s for 500 s, with an angle that the vehicle wraps once it is beyond 10 000 rad.
    let rate = 50.0;
    let wrapped = |angle: f64| if angle > 1e4 { wrap_angle(1e4) + angle - 1e4 } else { angle };
    let samples = ticks(&mut encoder(vec![1], 4096), 5000, |_, time| WheelSpin { angle: wrapped(rate * time), rate });
    let expected = rate * 500.0 / TAU * 4096.0;
    assert!((samples[4999].counts[0] as f64 - expected).abs() < 1.0, "{:?} {expected}", samples[4999]);
    assert!(samples.iter().all(|sample| (sample.rates[0] - rate).abs() < 0.04));
}

#[test]
fn a_vehicle_that_is_placed_elsewhere_keeps_its_counts() {
    let obstacles = Obstacles::new();
    let mut encoder = encoder(vec![0], 1000);
    let before = ticks(&mut encoder, 10, |_, time| WheelSpin { angle: 3.0 * time, rate: 3.0 }).remove(9);
    // Its wheels are at rest again, at angle 0.
    let time = SimTime::from_secs(11.0 * PERIOD);
    let view = View { time, since_set_down: SimTime::from_secs(0.5 * PERIOD), ..View::at_rest(&obstacles) };
    let mut reading = encoder.new_reading();
    encoder.sense(&view, &mut reading);
    assert_eq!(reading, ReadingData::Ticks(EncoderTicks { counts: before.counts, rates: vec![0.0] }));
}

#[test]
fn errors_of_the_angle_differ_from_wheel_to_wheel() {
    let context =
        SensorContext { seed: 1, vehicle: "r1".into(), name: "encoders".into(), wheels: vec!["a".into(), "b".into()] };
    let errors = ErrorParameters::white(0.01);
    let period = SimTime::from_secs(PERIOD);
    let mut noisy = Encoder::new(
        EncoderParameters { wheels: vec![0, 1], ticks_per_revolution: 1_000_000, errors, period },
        &context,
    );
    let samples = ticks(&mut noisy, 2000, |_, _| WheelSpin::default());
    let tick = TAU / 1e6;
    let variance = |wheel: usize| {
        samples.iter().map(|sample| (sample.counts[wheel] as f64 * tick).powi(2)).sum::<f64>() / samples.len() as f64
    };
    // Four standard errors of a variance.
    assert!((variance(0) / 1e-4 - 1.0).abs() < 0.13 && (variance(1) / 1e-4 - 1.0).abs() < 0.13);
    assert!(samples.iter().filter(|sample| sample.counts[0] == sample.counts[1]).count() < 10);
}
