//! Body and tracks at the end of a step: how far their motion is from balancing the forces on them, and what brings it closer.

use super::side::{Ground, Side};

/// The body while its motion is sought: v_x and v_y of the centre of mass [m/s], and the yaw rate [rad/s].
pub(super) struct Body {
    /// Mass, mass and yaw inertia, over the step [kg/s], [kg·m²/s].
    pub inert: [f64; 3],
    /// The motion at the end of the step without the ground.
    pub coasting: [f64; 3],
}

/// A candidate for the end of the step.
pub(super) struct Balance {
    pub body: [f64; 3],
    pub speeds: [f64; 2],
    pub grounds: [Ground; 2],
    /// Forces and torque that the body lacks [N], [N·m], and force that each track lacks [N].
    body_lacks: [f64; 3],
    track_lacks: [f64; 2],
    /// Sum of their squares [N²], that of the torque over the square of the radius of gyration.
    pub lack: f64,
}

impl Balance {
    pub(super) fn at(body: &Body, sides: &[Side<'_>; 2], motion: [f64; 3], speeds: [f64; 2]) -> Balance {
        let grounds = [0, 1].map(|side| sides[side].ground(motion, speeds[side]));
        let body_lacks: [f64; 3] = std::array::from_fn(|i| {
            body.inert[i] * (motion[i] - body.coasting[i]) - (grounds[0].push[i] + grounds[1].push[i])
        });
        let track_lacks = [0, 1].map(|side| sides[side].driven(speeds[side]).0 - grounds[side].push[3]);
        let [x, y, turn] = body_lacks;
        let [left, right] = track_lacks.map(|lack| lack * lack);
        let lack = x * x + y * y + turn * turn * (body.inert[0] / body.inert[2]) + (left + right);
        Balance { body: motion, speeds, grounds, body_lacks, track_lacks, lack }
    }

    /// The next candidate, with this share of the change of c: 1 for Newton's method, 0 for secants.
    pub(super) fn improved(&self, body: &Body, sides: &[Side<'_>; 2], bends: f64) -> Balance {
        // Each track is eliminated from the equations of the body.
        let parts = [0, 1].map(|side| {
            let Ground { secant, bend, .. } = &self.grounds[side];
            let at = |i: usize, j: usize| secant[i][j] + bends * bend[i][j];
            let (_, [tangent, chord]) = sides[side].driven(self.speeds[side]);
            let own = at(3, 3) + if bends > 0.0 { tangent } else { chord };
            let by_body: [f64; 3] = std::array::from_fn(|j| at(3, j) / own);
            let by_track = self.track_lacks[side] / own;
            let matrix: [[f64; 3]; 3] =
                std::array::from_fn(|i| std::array::from_fn(|j| at(i, j) - at(i, 3) * by_body[j]));
            let right: [f64; 3] = std::array::from_fn(|i| at(i, 3) * by_track);
            (matrix, right, by_body, by_track)
        });
        let mut matrix: [[f64; 3]; 3] =
            std::array::from_fn(|i| std::array::from_fn(|j| parts[0].0[i][j] + parts[1].0[i][j]));
        let mut change: [f64; 3] = std::array::from_fn(|i| (parts[0].1[i] + parts[1].1[i]) - self.body_lacks[i]);
        for (i, row) in matrix.iter_mut().enumerate() {
            row[i] += body.inert[i];
        }
        solve(&mut matrix, &mut change);
        let motion = std::array::from_fn(|i| self.body[i] + change[i]);
        let speeds = [0, 1].map(|side| {
            let (_, _, by_body, by_track) = &parts[side];
            let by_motion = by_body[0] * change[0] + by_body[1] * change[1] + by_body[2] * change[2];
            self.speeds[side] - (by_motion + by_track)
        });
        Balance::at(body, sides, motion, speeds)
    }
}

/// Gaussian elimination, for matrices whose diagonal the inertia keeps from zero.
fn solve(matrix: &mut [[f64; 3]; 3], right: &mut [f64; 3]) {
    for k in 0..3 {
        let above = matrix[k];
        for i in k + 1..3 {
            let factor = matrix[i][k] / above[k];
            for (value, above) in matrix[i].iter_mut().zip(above) {
                *value -= factor * above;
            }
            right[i] -= factor * right[k];
        }
    }
    for k in (0..3).rev() {
        for j in k + 1..3 {
            right[k] -= matrix[k][j] * right[j];
        }
        right[k] /= matrix[k][k];
    }
}
