//! What comes back of a ray: the intensity of each surface on its way, and which of them is reported.

use super::Lidar3dParameters;
use crate::raycast::space::{Hit, Ray, Space, Surface};

/// Reflectivity of the surface that `range_at_10_percent` speaks of.
const REFERENCE: f64 = 0.1;

/// Which return of a ray is reported that several surfaces send back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Returns {
    /// The nearest one that is received.
    First,
    /// The farthest one that is received.
    Last,
    /// The one of the most power: intensity over the square of the range.
    #[default]
    Strongest,
}

impl Returns {
    /// Their names in world files.
    pub const NAMES: &[(&str, Returns)] =
        &[("first", Returns::First), ("last", Returns::Last), ("strongest", Returns::Strongest)];
}

/// What a ray met.
#[derive(Clone, Copy, Debug)]
pub(super) struct Return {
    /// Distance [m].
    pub range: f64,
    /// Reflectivity times the cosine of incidence [-].
    pub intensity: f64,
    /// As of a [`CloudPoint`](super::CloudPoint).
    pub label: [u16; 2],
}

/// Reflectivity of the surface that a ray has met, and the cosine of incidence [-].
#[inline]
pub(in crate::sensor) fn reflected(surface: &Surface, ray: &Ray, hit: &Hit) -> (f64, f64) {
    let [red, green, blue] = surface.color.map(f64::from);
    // Luma of ITU-R BT.601, as MVSim's.
    (0.299 * red + 0.587 * green + 0.114 * blue, hit.normal.dot(&ray.direction).abs())
}

impl Lidar3dParameters {
    /// What a ray meets on whose way `nearest` is, if anything that is received.
    pub(super) fn meet(&self, space: &Space, mut ray: Ray, mut nearest: Option<Hit>) -> Option<Return> {
        /// Most surfaces that a ray passes.
        const MAX_PANES: usize = 8;
        /// Least power of what comes back through glass [-].
        const MIN_POWER: f64 = 1e-3;
        let (mut power, mut best) = (1.0, None::<Return>);
        for _ in 0..=MAX_PANES {
            let Some(hit) = nearest else { break };
            let (surface, opacity) = (space.surface(&hit), f64::from(space.opacity(&ray, &hit)));
            let (reflectivity, incidence) = reflected(surface, &ray, &hit);
            let echo = Return {
                range: hit.range,
                intensity: power * opacity * reflectivity * incidence,
                label: surface.label,
            };
            if self.receives(&echo) && best.is_none_or(|best| self.returns.prefers(&echo, &best)) {
                best = Some(echo);
            }
            power *= (1.0 - opacity).powi(2);
            if power < MIN_POWER {
                break;
            }
            ray.near = hit.behind();
            nearest = space.cast(&ray);
        }
        best
    }

    /// Whether a return is beyond the least range, and what it sends back is enough.
    fn receives(&self, echo: &Return) -> bool {
        let reach = self.range_at_10_percent;
        echo.range > self.range[0]
            && reach.is_none_or(|reach| echo.range * echo.range * REFERENCE <= reach * reach * echo.intensity)
    }
}

impl Returns {
    /// Whether a return is reported rather than a nearer one.
    fn prefers(self, farther: &Return, nearer: &Return) -> bool {
        let power = |of: &Return| of.intensity / (of.range * of.range);
        match self {
            Returns::First => false,
            Returns::Last => true,
            Returns::Strongest => power(farther) > power(nearer),
        }
    }
}
