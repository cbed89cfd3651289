//! Frequency response: gain and phase of yaw rate and lateral acceleration to a sine of steering, one frequency after the other.
//!
//! Source: ISO 7401:2011, with the sinusoidal input at 100 km/h and a lateral acceleration of 2 m/s² in the steady state, within the linear
//! range. The phase is that of the commanded angle, so that the steering's own delay counts. The linear single track has the response
//! C·(jω − A)⁻¹·B of its state space, with the lateral acceleration V·(jω·β + r).

use nalgebra::{Complex, Matrix2};
use skidpad_sim::vehicle::lateral::LateralDynamics;

use super::{Curve, Outcome, measured};
use crate::figure::Panel;
use crate::model::{linear, mean_gain};
use crate::test_drive::TestDrive;
use crate::test_vehicle::ModelError;

/// Speed [m/s].
const SPEED: f64 = 100.0 / 3.6;
/// Lateral acceleration in the steady state [m/s²], and while its gain is measured.
const LATERAL: f64 = 2.0;
/// Frequencies [Hz]: from, to; and their number.
const FREQUENCIES: (f64, f64, usize) = (0.2, 4.0, 16);
/// Periods over which a response is measured.
const PERIODS: usize = 3;
/// Time for which a sine goes on before that [s], at least.
const SETTLING: f64 = 3.0;
/// Points of the theory's curves.
const THEORY_POINTS: usize = 60;
/// The phase of a lag of first order at the frequency 1/(2π·T) [rad].
const EQUIVALENT: f64 = -std::f64::consts::FRAC_PI_4;

/// The diagrams.
pub(super) fn panels() -> Vec<Panel> {
    let over = "frequency [Hz]";
    vec![
        Panel::new("Yaw-rate gain r/δ", over, "gain [1/s]", false),
        Panel::new("Phase of the yaw rate", over, "phase [°]", false),
        Panel::new("Gain of the lateral acceleration a_y/δ", over, "gain [m/s² per °]", false),
        Panel::new("Phase of the lateral acceleration", over, "phase [°]", false),
    ]
}

/// Responses at a frequency [Hz]: yaw rate [rad/s] and lateral acceleration [m/s²] per steering angle [rad].
struct Response {
    frequency: f64,
    of: [Complex<f64>; 2],
}

/// Measures the response.
pub(super) fn drive(run: &mut TestDrive<'_>) -> Result<Outcome, ModelError> {
    let reached = run.reach(SPEED)?;
    let speed = reached.unwrap_or(SPEED * run.scale);
    let small = 0.25 * LATERAL * run.wheelbase / (speed * speed);
    for _ in 0..run.steps(4.0) {
        run.step(speed, small)?;
    }
    let (mean, steady) = mean_gain(run, speed, small)?;
    let is_steered = reached.is_some() && steady > 0.0;
    let amplitude = (LATERAL / (mean * steady)).abs().min(run.max_steer);
    let (from, to, most) = FREQUENCIES;
    let count = if is_steered { most } else { 0 };
    let mut responses = Vec::new();
    run.speed_up(SPEED)?;
    for index in 0..count {
        let share = index as f64 / (most - 1) as f64;
        let frequency = from * libm::pow(to / from, share) / run.scale;
        responses.push(respond(run, speed, amplitude, frequency)?);
    }
    let theory: Vec<Response> = run.vehicle().and_then(linear).filter(|_| is_steered).map_or_else(Vec::new, |linear| {
        let frequency = |index: usize| (from + (to - from) * index as f64 / (THEORY_POINTS - 1) as f64) / run.scale;
        (0..THEORY_POINTS).map(|index| linear_response(&linear, mean, frequency(index))).collect()
    });
    let curves_of = |responses: &[Response]| -> [Vec<(f64, f64)>; 4] {
        let gain = |of: usize, unit: f64| responses.iter().map(|r| (r.frequency, r.of[of].norm() * unit)).collect();
        let phase = |of: usize| unwrapped(responses, of).map(|(f, phase)| (f, phase.to_degrees())).collect();
        [gain(0, 1.0), phase(0), gain(1, 1_f64.to_radians()), phase(1)]
    };
    let measured_curves = curves_of(&responses);
    let highest = responses.iter().map(|r| (r.frequency, r.of[0].norm())).reduce(|a, b| if b.1 > a.1 { b } else { a });
    let delayed = crossing(unwrapped(&responses, 0), EQUIVALENT);
    let at_one = |curve: &[(f64, f64)]| at(curve, 1.0 / run.scale).map(f64::to_radians);
    let numbers = vec![
        measured("speed_mps", "speed", "m/s", reached.map(|_| mean)),
        measured("steady_gain_per_s", "steady yaw-rate gain", "1/s", is_steered.then_some(steady)),
        measured(
            "largest_gain",
            "largest yaw-rate gain, per the steady one",
            "-",
            highest.map(|(_, gain)| gain / steady),
        ),
        measured("largest_gain_hz", "frequency of the largest gain", "Hz", highest.map(|(frequency, _)| frequency)),
        measured("delayed_hz", "frequency at a yaw-rate phase of −45°", "Hz", delayed),
        measured(
            "time_constant_s",
            "equivalent time constant of the yaw rate",
            "s",
            delayed.map(|f| 1.0 / (std::f64::consts::TAU * f)),
        ),
        measured("yaw_rate_phase_rad", "phase of the yaw rate at 1 Hz of a car", "rad", at_one(&measured_curves[1])),
        measured(
            "lateral_phase_rad",
            "phase of the lateral acceleration at 1 Hz of a car",
            "rad",
            at_one(&measured_curves[3]),
        ),
    ];
    let mut curves: Vec<Vec<Curve>> = measured_curves.into_iter().map(|points| vec![Curve::solid(points)]).collect();
    if !theory.is_empty() {
        for (panel, points) in curves.iter_mut().zip(curves_of(&theory)) {
            panel.push(Curve::theory(points));
        }
    }
    Ok(Outcome { curves, numbers })
}

/// Drives a sine of steering of about this frequency [Hz], a whole number of steps for each period, and correlates the motion with it.
fn respond(run: &mut TestDrive<'_>, speed: f64, amplitude: f64, wanted: f64) -> Result<Response, ModelError> {
    let period = (1.0 / (wanted * run.dt)).round().max(4.0) as usize;
    let frequency = 1.0 / (period as f64 * run.dt);
    let settling = run.steps(SETTLING).div_ceil(period).max(2) * period;
    let mut sums = [Complex::new(0.0, 0.0); 2];
    for step in 0..settling + PERIODS * period {
        let turn = |steps: f64| std::f64::consts::TAU * (steps / period as f64).fract();
        // A step holds its command: on average it is that of the middle of the step, while the motion is that of its end.
        let angle = amplitude * libm::sin(turn(step as f64 + 0.5));
        let (sample, _) = run.sample(speed, angle)?;
        if step >= settling {
            let wave = |phase: f64| Complex::new(libm::sin(phase), libm::cos(phase));
            // The acceleration is the mean of the step.
            let moments = [turn(step as f64 + 1.0), turn(step as f64 + 0.5)];
            for ((sum, value), moment) in sums.iter_mut().zip([sample.velocity.wz, sample.acceleration.y]).zip(moments)
            {
                *sum += wave(moment) * value;
            }
        }
    }
    let norm = 2.0 / ((PERIODS * period) as f64 * amplitude);
    Ok(Response { frequency, of: sums.map(|sum| sum * norm) })
}

/// The response of the linear single track at a speed [m/s] and frequency [Hz].
fn linear_response(linear: &LateralDynamics, speed: f64, frequency: f64) -> Response {
    let (a, b) = linear.state_space(speed);
    let s = Complex::new(0.0, std::f64::consts::TAU * frequency);
    let complex = |value: f64| Complex::new(value, 0.0);
    let system = Matrix2::new(s - a[(0, 0)], complex(-a[(0, 1)]), complex(-a[(1, 0)]), s - a[(1, 1)]);
    let determinant = system.determinant();
    // Cramer's rule for β and r.
    let slip = (system[(1, 1)] * b.x - system[(0, 1)] * b.y) / determinant;
    let yaw_rate = (system[(0, 0)] * b.y - system[(1, 0)] * b.x) / determinant;
    Response { frequency, of: [yaw_rate, (s * slip + yaw_rate) * speed] }
}

/// Frequency [Hz] and phase [rad] of a response, which goes on beyond −180°.
fn unwrapped(responses: &[Response], of: usize) -> impl Iterator<Item = (f64, f64)> + '_ {
    let mut last = 0.0;
    responses.iter().map(move |response| {
        let phase = response.of[of].arg();
        last = phase - std::f64::consts::TAU * ((phase - last) / std::f64::consts::TAU).round();
        (response.frequency, last)
    })
}

/// Where a falling curve crosses a value.
fn crossing(curve: impl Iterator<Item = (f64, f64)>, value: f64) -> Option<f64> {
    let points: Vec<_> = curve.collect();
    let pair = points.windows(2).find(|pair| pair[0].1 >= value && pair[1].1 < value)?;
    Some(pair[0].0 + (pair[1].0 - pair[0].0) * (value - pair[0].1) / (pair[1].1 - pair[0].1))
}

/// The value of a curve at a place between its points.
fn at(curve: &[(f64, f64)], x: f64) -> Option<f64> {
    let pair = curve.windows(2).find(|pair| pair[0].0 <= x && pair[1].0 >= x)?;
    Some(pair[0].1 + (pair[1].1 - pair[0].1) * (x - pair[0].0) / (pair[1].0 - pair[0].0))
}
