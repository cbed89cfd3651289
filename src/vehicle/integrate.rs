//! Explicit integrators of ordinary differential equations over fixed-size states, without allocation.
//!
//! | name | order | evaluations per step |
//! |---|---|---|
//! | `euler` | 1 | 1 |
//! | `midpoint` | 2 | 2 |
//! | `rk4` | 4 | 4 |
//!
//! The orders are measured in the tests: halving the step divides the error by 2, 4 and 16. Source: E. Hairer, S. P. Nørsett
//! and G. Wanner, "Solving Ordinary Differential Equations I", 2nd ed., Table II.1.1 (midpoint: Runge 1895) and II.1.2 (rk4:
//! Kutta 1901).

/// Explicit integration methods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integrator {
    /// Explicit Euler, order 1.
    Euler,
    /// The explicit midpoint rule, order 2.
    Midpoint,
    /// The classical rule of Runge and Kutta, order 4.
    #[default]
    Rk4,
}

impl Integrator {
    /// Names in world files.
    pub const NAMES: [(&'static str, Integrator); 3] =
        [("euler", Integrator::Euler), ("midpoint", Integrator::Midpoint), ("rk4", Integrator::Rk4)];

    /// Order of convergence [-].
    pub fn order(self) -> u32 {
        match self {
            Integrator::Euler => 1,
            Integrator::Midpoint => 2,
            Integrator::Rk4 => 4,
        }
    }

    /// The state after `dt` [s] from `state`, whose time derivative is `derivative(state)`; autonomous, since inputs are held
    /// constant over a step.
    #[inline]
    pub fn step<const N: usize>(
        self,
        state: [f64; N],
        dt: f64,
        mut derivative: impl FnMut(&[f64; N]) -> [f64; N],
    ) -> [f64; N] {
        let slope = derivative(&state);
        self.step_from(state, slope, dt, derivative)
    }

    /// The same for a caller that knows the time derivative of `state`, `k1`.
    #[inline]
    pub fn step_from<const N: usize>(
        self,
        state: [f64; N],
        k1: [f64; N],
        dt: f64,
        mut derivative: impl FnMut(&[f64; N]) -> [f64; N],
    ) -> [f64; N] {
        match self {
            Integrator::Euler => ahead(&state, dt, &k1),
            Integrator::Midpoint => {
                let k2 = derivative(&ahead(&state, 0.5 * dt, &k1));
                ahead(&state, dt, &k2)
            }
            Integrator::Rk4 => {
                let k2 = derivative(&ahead(&state, 0.5 * dt, &k1));
                let k3 = derivative(&ahead(&state, 0.5 * dt, &k2));
                let k4 = derivative(&ahead(&state, dt, &k3));
                let sixth = dt / 6.0;
                std::array::from_fn(|i| state[i] + sixth * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]))
            }
        }
    }
}

/// state + dt·slope.
#[inline]
fn ahead<const N: usize>(state: &[f64; N], dt: f64, slope: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|i| state[i] + dt * slope[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Error at t = 2 of θ'' = −sin θ from rest at 2 rad, in `steps` steps, against RK4 in 20 000.
    fn pendulum(integrator: Integrator, steps: u32) -> f64 {
        let swing = |integrator: Integrator, steps: u32| {
            let dt = 2.0 / f64::from(steps);
            (0..steps).fold([2.0, 0.0], |s, _| integrator.step(s, dt, |s| [s[1], -libm::sin(s[0])]))
        };
        let (a, b) = (swing(integrator, steps), swing(Integrator::Rk4, 20_000));
        (a[0] - b[0]).hypot(a[1] - b[1])
    }

    #[test]
    fn each_converges_with_its_order() {
        for (name, integrator) in Integrator::NAMES {
            let order = (pendulum(integrator, 200) / pendulum(integrator, 400)).log2();
            assert!((order - f64::from(integrator.order())).abs() < 0.1, "{name}: {order}");
        }
    }

    #[test]
    fn polynomials_up_to_the_order_are_integrated_exactly() {
        // t' = 1, y' = n·t^(n-1): y = t^n.
        for (name, integrator) in Integrator::NAMES {
            let n = integrator.order() as i32;
            let end = integrator.step([0.0, 0.0], 1.0, |s: &[f64; 2]| [1.0, f64::from(n) * s[0].powi(n - 1)]);
            assert!((end[1] - 1.0).abs() < 1e-15, "{name}: {end:?}");
        }
    }
}
