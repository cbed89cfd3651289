//! Lap counting on an unknown closed track.
//!
//! The gate is a line across the pose at which the car was placed: `HALF_WIDTH` to its left and to its right, at right angles to
//! its heading. A lap is complete when the car's reference point crosses the gate forwards, after it has been farther than
//! [`AWAY`] from its middle. A teleport or a reset sets a new gate and restarts the count.

use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Vec2};
use skidpad_sim::world::VehicleFrame;

/// Extent of the gate to either side [m].
pub(crate) const HALF_WIDTH: f64 = 2.0;
/// Distance that the car must have been away [m], so that oscillating in the gate does not count laps.
pub const AWAY: f64 = 3.0;

/// Counts the laps of one car.
#[derive(Clone, Debug, Default)]
pub struct Laps {
    gate: Option<Gate>,
    /// Whole laps.
    pub count: i32,
    /// Duration of the last whole lap [s]; 0 before.
    pub last: f64,
}

#[derive(Clone, Debug)]
struct Gate {
    /// Time at which the car was placed there [ns].
    set_down: SimTime,
    world_from_gate: Pose2,
    /// Start of the current lap [ns]; none while the car stands where it was placed.
    begun: Option<SimTime>,
    was_away: bool,
    /// Time [ns] and position in the gate's frame [m] at the last update.
    last: (SimTime, Vec2),
}

impl Laps {
    /// Updates the count with the car's state at `now` [ns].
    pub fn update(&mut self, now: SimTime, car: &VehicleFrame) {
        let pose = car.world_from_body.planar();
        let set_down = now - car.since_set_down;
        // A reset of time sets it back to 0, too.
        let is_new = |gate: &Gate| gate.set_down != set_down || now < gate.last.0;
        if self.gate.as_ref().is_none_or(is_new) {
            let last = (now, Vec2::ZERO);
            let gate = Gate { set_down, world_from_gate: pose, begun: None, was_away: false, last };
            *self = Laps { gate: Some(gate), count: 0, last: 0.0 };
            return;
        }
        let Some(gate) = &mut self.gate else { return };
        let (before, from) = gate.last;
        let to = gate.world_from_gate.inverse().transform_point(pose.position());
        gate.last = (now, to);
        let begun = match gate.begun {
            Some(begun) => begun,
            None if to == from => return,
            None => *gate.begun.insert(before),
        };
        gate.was_away |= to.norm() > AWAY;
        if !(gate.was_away && from.x < 0.0 && to.x >= 0.0) {
            return;
        }
        // Interpolates the crossing between the two updates.
        let share = -from.x / (to.x - from.x);
        if (from.y + share * (to.y - from.y)).abs() > HALF_WIDTH {
            return;
        }
        let crossed = before + SimTime::from_secs(share * (now - before).secs());
        self.count += 1;
        self.last = (crossed - begun).secs();
        (gate.begun, gate.was_away) = (Some(crossed), false);
    }
}

#[cfg(test)]
mod tests {
    use skidpad_math::{Pose3, Twist2};

    use super::*;

    fn at(x: f64, y: f64, yaw: f64) -> VehicleFrame {
        let world_from_body = Pose3::from_planar(Pose2::new(x, y, yaw));
        VehicleFrame { world_from_body, velocity_in_body: Twist2::new(2.0, 0.0, 0.0), ..VehicleFrame::default() }
    }

    /// Updates with a car that was placed at time 0.
    fn look(laps: &mut Laps, now: SimTime, car: VehicleFrame) {
        laps.update(now, &VehicleFrame { since_set_down: now, ..car });
    }

    /// Around a circle of 5 m about (0, 5), at 2 m/s, updated every 10 ms.
    fn drive(laps: &mut Laps, from: f64, to: f64) {
        let ticks = |seconds: f64| (seconds * 100.0).round() as i64;
        for tick in ticks(from)..=ticks(to) {
            let angle = 0.4 * tick as f64 * 0.01;
            look(laps, SimTime(tick * 10_000_000), at(5.0 * angle.sin(), 5.0 - 5.0 * angle.cos(), angle));
        }
    }

    #[test]
    fn a_lap_ends_where_it_began_and_starts_the_next() {
        let lap = std::f64::consts::TAU / 0.4;
        let mut laps = Laps::default();
        drive(&mut laps, 0.0, lap - 0.02);
        assert_eq!((laps.count, laps.last), (0, 0.0));
        drive(&mut laps, lap - 0.01, 2.0 * lap + 0.1);
        assert_eq!(laps.count, 2);
        assert!((laps.last - lap).abs() < 1e-3, "{} {lap}", laps.last);
    }

    #[test]
    fn oscillating_in_the_gate_driving_backwards_and_passing_beside_it_count_no_laps() {
        let mut laps = Laps::default();
        let mut drive = |points: &[(f64, f64)]| {
            let begun = laps.gate.as_ref().map_or(0, |gate| gate.last.0.0);
            for (i, (x, y)) in points.iter().enumerate() {
                look(&mut laps, SimTime(begun + 100_000_000 * (i as i64 + 1)), at(*x, *y, 0.0));
            }
            laps.count
        };
        assert_eq!(drive(&[(0.0, 0.0), (0.3, 0.0), (-0.3, 0.0), (0.3, 0.0)]), 0);
        let away: Vec<(f64, f64)> = (0..40).map(|i| (0.1 * f64::from(i), 0.0)).collect();
        assert_eq!(drive(&away), 0);
        let backwards: Vec<(f64, f64)> = (0..50).map(|i| (3.9 - 0.1 * f64::from(i), 0.0)).collect();
        assert_eq!(drive(&backwards), 0);
        let beside: Vec<(f64, f64)> = (0..8)
            .map(|i| (-1.0, 0.4 * f64::from(i)))
            .chain((0..6).map(|i| (-1.0 + 0.4 * f64::from(i), 2.8)))
            .collect();
        assert_eq!(drive(&beside), 0);
    }

    #[test]
    fn a_teleport_restarts_the_count_however_near() {
        let lap = std::f64::consts::TAU / 0.4;
        for away in [40.0, 0.1, 0.0] {
            let mut laps = Laps::default();
            drive(&mut laps, 0.0, lap + 0.05);
            assert_eq!(laps.count, 1);
            let time = SimTime::from_secs(lap + 0.1);
            let angle = 0.4 * lap + 0.02;
            let frame = at(5.0 * angle.sin() + away, 5.0 - 5.0 * angle.cos(), angle);
            laps.update(time, &VehicleFrame { since_set_down: SimTime(4_000_000), ..frame });
            assert_eq!((laps.count, laps.last), (0, 0.0), "{away} m away");
        }
    }

    #[test]
    fn a_reset_of_time_restarts_the_count() {
        let mut laps = Laps::default();
        drive(&mut laps, 0.0, 16.0);
        look(&mut laps, SimTime(10_000_000), at(0.0, 0.0, 0.0));
        assert_eq!((laps.count, laps.last), (0, 0.0));
    }
}
