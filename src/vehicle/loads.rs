//! The load on each wheel: static split from the centre of mass, and quasi-static transfer by acceleration.
//!
//! The chassis stands on its wheels as a rigid plate on equal springs: N_i = a + b·x_i + c·y_i, with a, b, c from the
//! equilibrium of forces and moments, Σ N = m·g, Σ N·x = m·(g·x_G − h·a_x), Σ N·y = m·(g·y_G − h·a_y) (J. Y. Wong, "Theory
//! of Ground Vehicles", §3.1, generalised to any number of wheels by least squares). With all wheels in a line the moment
//! across it cannot be held and is left out: a castor that is not modelled carries it. A wheel whose load would be negative
//! has lifted: it gets none, the others share its part.
//!
//! On a slope the ground carries cos(slope) of the weight, and the rest pulls at the centre of mass as an acceleration of
//! −g·sin(slope) would: the wheels below get more.
//!
//! The vehicle's own equations choose: `<weight>static</weight>` (default) or `uniform` (MVSim: chassis weight over
//! number of wheels) inside `<dynamics>`. Not modelled: suspension, roll stiffness, pitch and roll dynamics.

use crate::math::Vec2;

/// Computes wheel loads. The weight of each wheel rests on itself.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadModel {
    /// Load of each wheel at rest [N].
    pub at_rest: Vec<f64>,
    /// Change of load per acceleration of the body along x and y [N/(m/s²)].
    transfer: Vec<Vec2>,
    /// True when some transfer coefficient is not zero.
    transfers: bool,
}

impl LoadModel {
    /// Weight of a chassis of `mass` [kg] under `gravity` [m/s²] shared equally (MVSim's rule), on wheels of `wheel_masses` [kg].
    pub fn uniform(mass: f64, gravity: f64, wheel_masses: &[f64]) -> LoadModel {
        let share = mass / wheel_masses.len() as f64;
        LoadModel {
            at_rest: wheel_masses.iter().map(|m| (share + m) * gravity).collect(),
            transfer: vec![Vec2::ZERO; wheel_masses.len()],
            transfers: false,
        }
    }

    /// Chassis of `mass` [kg] under `gravity` [m/s²] with its centre of mass at `center` [m] and `height` [m], on wheels of
    /// `wheel_masses` [kg] at `positions` [m]; positions in the body frame.
    pub fn from_center_of_mass(
        mass: f64,
        gravity: f64,
        center: Vec2,
        height: f64,
        positions: &[Vec2],
        wheel_masses: &[f64],
    ) -> LoadModel {
        let total: f64 = mass + wheel_masses.iter().sum::<f64>();
        let shares = plate_shares(positions);
        let at_rest = shares
            .iter()
            .zip(wheel_masses)
            .map(|(s, m)| (mass * (s[0] + s[1] * center.x + s[2] * center.y) + m) * gravity)
            .collect();
        let transfer =
            shares.iter().map(|s| Vec2::new(-total * height * s[1], -total * height * s[2])).collect::<Vec<_>>();
        let transfers = transfer.iter().any(|t| *t != Vec2::ZERO);
        LoadModel { at_rest, transfer, transfers }.without_lifted()
    }

    /// A resting load can be negative when the centre of mass lies outside the wheels; such a wheel carries nothing.
    fn without_lifted(mut self) -> LoadModel {
        let copy = self.at_rest.clone();
        share_out(&copy, &mut self.at_rest);
        self
    }

    /// Writes the load of each wheel [N] for a body that accelerates with `acceleration_in_body` [m/s²], beyond that of
    /// gravity along the ground. `upright` is the cosine of the slope [-], the share of the weight that is upright to the
    /// ground.
    #[inline]
    pub fn loads(&self, acceleration_in_body: Vec2, upright: f64, loads: &mut [f64]) {
        if !self.transfers && upright == 1.0 {
            loads.copy_from_slice(&self.at_rest);
            return;
        }
        let mut lifted = false;
        for ((load, rest), transfer) in loads.iter_mut().zip(&self.at_rest).zip(&self.transfer) {
            *load = upright * rest + transfer.dot(acceleration_in_body);
            lifted |= *load < 0.0;
        }
        if lifted {
            let total: f64 = self.at_rest.iter().sum();
            lift(loads, upright * total);
        }
    }
}

/// Copies `raw` into `loads`, with negative loads shared out.
fn share_out(raw: &[f64], loads: &mut [f64]) {
    loads.copy_from_slice(raw);
    if raw.iter().any(|&n| n < 0.0) {
        lift(loads, raw.iter().sum());
    }
}

/// Sets negative loads to zero and scales the others so that the sum stays `total` [N].
fn lift(loads: &mut [f64], total: f64) {
    let carried: f64 = loads.iter().map(|n| n.max(0.0)).sum();
    let scale = if carried > 0.0 { total.max(0.0) / carried } else { 0.0 };
    for load in loads {
        *load = load.max(0.0) * scale;
    }
}

/// For each wheel (s0, s1, s2) with N_i = F·s0 + M_x·s1 + M_y·s2 for a plate on equal springs under force F with first
/// moments M_x = F·x, M_y = F·y.
fn plate_shares(positions: &[Vec2]) -> Vec<[f64; 3]> {
    let n = positions.len() as f64;
    let mean = (1.0 / n) * positions.iter().fold(Vec2::ZERO, |sum, &p| sum + p);
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for &p in positions {
        let d = p - mean;
        xx += d.x * d.x;
        xy += d.x * d.y;
        yy += d.y * d.y;
    }
    // Inverse of the second-moment matrix; its pseudo-inverse when the wheels stand in a line.
    let determinant = xx * yy - xy * xy;
    let trace = xx + yy;
    let (ixx, ixy, iyy) = if determinant > 1e-9 * trace * trace {
        (yy / determinant, -xy / determinant, xx / determinant)
    } else if trace > 0.0 {
        (xx / (trace * trace), xy / (trace * trace), yy / (trace * trace))
    } else {
        (0.0, 0.0, 0.0)
    };
    positions
        .iter()
        .map(|&p| {
            let d = p - mean;
            let (sx, sy) = (ixx * d.x + ixy * d.y, ixy * d.x + iyy * d.y);
            [1.0 / n - sx * mean.x - sy * mean.y, sx, sy]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAR: [Vec2; 4] = [Vec2::new(0.0, 0.5), Vec2::new(0.0, -0.5), Vec2::new(2.0, 0.5), Vec2::new(2.0, -0.5)];

    fn sum(v: &[f64]) -> f64 {
        v.iter().sum()
    }

    #[test]
    fn the_static_split_follows_the_lever_rule() {
        let model = LoadModel::from_center_of_mass(100.0, 10.0, Vec2::new(0.5, 0.0), 0.0, &CAR, &[0.0; 4]);
        for (load, expected) in model.at_rest.iter().zip([375.0, 375.0, 125.0, 125.0]) {
            assert!((load - expected).abs() < 1e-9, "{:?}", model.at_rest);
        }
    }

    #[test]
    fn braking_moves_m_h_a_over_l_to_the_front() {
        let model = LoadModel::from_center_of_mass(100.0, 10.0, Vec2::new(1.0, 0.0), 0.4, &CAR, &[0.0; 4]);
        let mut loads = [0.0; 4];
        model.loads(Vec2::new(-3.0, 0.0), 1.0, &mut loads);
        let moved = 100.0 * 0.4 * 3.0 / 2.0;
        assert!((loads[2] + loads[3] - (500.0 + moved)).abs() < 1e-9, "{loads:?}");
        assert!((sum(&loads) - 1000.0).abs() < 1e-9);
    }

    #[test]
    fn a_left_turn_loads_the_right_wheels_until_the_left_lift() {
        let model = LoadModel::from_center_of_mass(100.0, 10.0, Vec2::new(1.0, 0.0), 0.4, &CAR, &[0.0; 4]);
        let mut loads = [0.0; 4];
        model.loads(Vec2::new(0.0, 5.0), 1.0, &mut loads);
        assert!((loads[1] - loads[0] - 100.0 * 0.4 * 5.0).abs() < 1e-9, "{loads:?}");
        model.loads(Vec2::new(0.0, 30.0), 1.0, &mut loads);
        assert_eq!([loads[0], loads[2]], [0.0, 0.0]);
        assert!((sum(&loads) - 1000.0).abs() < 1e-9);
    }

    /// Standing on a slope of 30° nose up: N·cos in all, and m·g·sin·h/l moved to the rear.
    #[test]
    fn a_slope_takes_the_cosine_and_loads_the_lower_wheels() {
        let model = LoadModel::from_center_of_mass(100.0, 10.0, Vec2::new(1.0, 0.0), 0.4, &CAR, &[0.0; 4]);
        let (sin, cos) = (0.5, 0.75_f64.sqrt());
        let mut loads = [0.0; 4];
        model.loads(Vec2::new(10.0 * sin, 0.0), cos, &mut loads);
        assert!((sum(&loads) - 1000.0 * cos).abs() < 1e-9, "{loads:?}");
        let rear = 500.0 * cos + 100.0 * 10.0 * sin * 0.4 / 2.0;
        assert!((loads[0] + loads[1] - rear).abs() < 1e-9, "{loads:?} for {rear}");
    }

    #[test]
    fn two_wheels_in_a_line_share_by_the_track_only() {
        let wheels = [Vec2::new(0.0, 0.5), Vec2::new(0.0, -0.5)];
        let model = LoadModel::from_center_of_mass(10.0, 10.0, Vec2::new(0.3, 0.1), 0.0, &wheels, &[1.0, 1.0]);
        assert!((model.at_rest[0] - 70.0).abs() < 1e-9 && (model.at_rest[1] - 50.0).abs() < 1e-9, "{model:?}");
    }

    #[test]
    fn uniform_is_equal_whatever_the_centre() {
        assert_eq!(LoadModel::uniform(8.0, 10.0, &[1.0, 2.0]).at_rest, [50.0, 60.0]);
    }
}
