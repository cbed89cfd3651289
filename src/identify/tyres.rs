//! Lateral forces and slip angles of both axles: from the measured motion, and of the simulation.
//!
//! The measured forces are those that the motion of the body requires, F_f·cos δ = (m·a_y·b + I_z·ṙ)/L and F_r =
//! (m·a_y·a − I_z·ṙ)/L with the acceleration a_y = v̇_y + v_x·r of the centre of mass (R. Rajamani, "Vehicle Dynamics
//! and Control", 2nd ed., eq. 2.17 and 2.18, solved for the forces); the slip angles follow from the measured
//! velocities. Steering angle, mass, yaw inertia and centre of mass are those of the class; longitudinal forces are
//! neglected in the yaw equation. Rates of change are slopes over [`SPAN`], half of which is in the future.

use skidpad_math::{Rot2, Vec2};

use super::IdentifyError;
use super::columns::Role;
use super::config::Measurement;
use super::data::Prediction;
use super::identified::Identified;

/// Time over which rates of change are fitted [s].
const SPAN: f64 = 0.2;
/// Least speed at which slip angles are meaningful [m/s].
const MIN_SPEED: f64 = 0.5;
/// Count of bins of slip angle in which forces are compared.
const BINS: usize = 12;
/// Fewest points of a bin that counts.
const MIN_POINTS: usize = 20;

/// Measured and simulated pairs of slip angle [rad] and lateral force [N] of an axle.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct AxlePoints {
    /// From the measured motion.
    pub measured: Vec<(f64, f64)>,
    /// From the simulation, at the same instants.
    pub predicted: Vec<(f64, f64)>,
}

/// The front and rear axle, on recordings that were not fitted, or on the fitted ones if there are no others; none for
/// a class without tyre forces, or without measured velocities.
///
/// # Errors
/// The car cannot be loaded.
pub(super) fn axles(result: &Identified) -> Result<Option<[AxlePoints; 2]>, IdentifyError> {
    let values = result.values();
    let roles = [Role::Steering, Role::FrontSlip, Role::RearSlip, Role::FrontForce, Role::RearForce];
    let data = &result.data[usize::from(result.data[1].count() > 0)];
    let predictions = data.predictions(&result.car, &values, &roles)?;
    let recordings = data.runs.iter().map(|(recording, _)| recording);
    let measurements: Vec<Measurement> =
        recordings.map(|recording| result.car.measurement_of(&values, &recording.path)).collect();
    let world = result.car.world(&values)?;
    let Some(car) = world.vehicle(0) else { return Ok(None) };
    let inertia = car.inertia();
    let xs = || car.wheels().iter().map(|wheel| wheel.parameters.position.x);
    let (rear, front) = (xs().fold(f64::INFINITY, f64::min), xs().fold(f64::NEG_INFINITY, f64::max));
    let (a, b) = (front - inertia.center_of_mass.x, inertia.center_of_mass.x - rear);
    let mut axles = [AxlePoints::default(), AxlePoints::default()];
    for row in predictions.chunks_exact(roles.len()) {
        let Some([steering, slip_f, slip_r, force_f, force_r]) = simulated(row, &roles) else { continue };
        let recording = &data.runs[row[0].run].0;
        let measurement = &measurements[row[0].run];
        let at = |role| recording.columns.get(&role).map_or(f64::NAN, |values| values[row[0].row]);
        let slope = |role| recording.slope(role, row[0].row, 0.5 * SPAN);
        let (wz, yaw_acceleration) = (at(Role::YawRate) - measurement.yaw_rate_offset, slope(Role::YawRate));
        let body = Rot2::new(measurement.heading_offset);
        // From the marker to the centre of mass.
        let arm = inertia.center_of_mass - Vec2::new(measurement.marker_x, measurement.marker_y);
        let velocity = body * Vec2::new(at(Role::Vx), at(Role::Vy)) + wz * arm.perpendicular();
        let rate = body * Vec2::new(slope(Role::Vx), slope(Role::Vy)) + yaw_acceleration * arm.perpendicular();
        let lateral = rate.y + velocity.x * wz;
        if velocity.x < MIN_SPEED || !lateral.is_finite() || !yaw_acceleration.is_finite() {
            continue;
        }
        let moment = inertia.yaw * yaw_acceleration;
        let measured = [
            (
                libm::atan2(velocity.y + a * wz, velocity.x) - steering,
                (inertia.mass * lateral * b + moment) / ((a + b) * libm::cos(steering)),
            ),
            (libm::atan2(velocity.y - b * wz, velocity.x), (inertia.mass * lateral * a - moment) / (a + b)),
        ];
        for (axle, (measured, predicted)) in
            axles.iter_mut().zip(measured.into_iter().zip([(slip_f, force_f), (slip_r, force_r)]))
        {
            axle.measured.push(measured);
            axle.predicted.push(predicted);
        }
    }
    let has_forces = axles.iter().any(|axle| axle.predicted.iter().any(|(_, force)| *force != 0.0));
    Ok(has_forces.then_some(axles))
}

/// The predicted values of a row in the order of `roles`; none if one of them failed.
fn simulated<const N: usize>(row: &[Prediction], roles: &[Role; N]) -> Option<[f64; N]> {
    let mut values = [0.0; N];
    for ((value, prediction), role) in values.iter_mut().zip(row).zip(roles) {
        if prediction.role != *role || !prediction.predicted.is_finite() {
            return None;
        }
        *value = prediction.predicted;
    }
    Some(values)
}

impl AxlePoints {
    /// Greatest difference between the mean simulated and the mean measured force in a bin of slip angle, in standard
    /// deviations of the measured forces there [-]; none without enough points.
    pub(super) fn worst_deviation(&self) -> Option<f64> {
        let (low, high) = self
            .measured
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (slip, _)| (low.min(*slip), high.max(*slip)));
        let bin = |slip: f64| ((slip - low) / (high - low) * BINS as f64).clamp(0.0, BINS as f64 - 1.0) as usize;
        let moments = |points: &[(f64, f64)]| {
            let mut sums = [(0_usize, 0.0, 0.0); BINS];
            for (slip, force) in points.iter().filter(|(slip, _)| (low..=high).contains(slip)) {
                let sum = &mut sums[bin(*slip)];
                *sum = (sum.0 + 1, sum.1 + force, sum.2 + force * force);
            }
            sums.map(|(count, sum, squares)| {
                let mean = sum / count as f64;
                (count >= MIN_POINTS).then(|| (mean, (squares / count as f64 - mean * mean).max(0.0).sqrt()))
            })
        };
        let pairs = moments(&self.measured).into_iter().zip(moments(&self.predicted));
        pairs
            .filter_map(|(measured, predicted)| {
                let ((measured, scatter), (predicted, _)) = (measured?, predicted?);
                Some((predicted - measured).abs() / scatter.max(1e-9))
            })
            .max_by(f64::total_cmp)
    }
}
