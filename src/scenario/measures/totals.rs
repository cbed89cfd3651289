//! What is summed up of one vehicle over a run.

use super::legs::Legs;
use super::nearby_object::Nearest;

/// Up to these distances a person feels somebody in the intimate, the personal and the social space [m] (Hall, The hidden dimension, 1966).
pub const SPACES: [f64; 3] = [0.45, 1.2, 3.6];
/// Speeds below count as not moving [m/s, rad/s], as in HuNav's evaluator.
pub(super) const STILL: [f64; 2] = [0.01, 0.02];

/// The sums and extremes of one vehicle, from which its [metrics](super::METRICS) follow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Totals {
    pub(super) legs: Legs,
    /// Time watched [s].
    pub(super) duration: f64,
    /// Way [m].
    pub(super) path_length: f64,
    /// Time below [`STILL`] [s].
    pub(super) still: f64,
    /// Greatest speed [m/s].
    pub(super) speed: f64,
    /// Greatest acceleration [m/s²].
    pub(super) acceleration: Option<f64>,
    /// Greatest jerk [m/s³].
    pub(super) jerk: Option<f64>,
    /// Sum of squares of the jerk, and their number.
    pub(super) squared_jerk: (f64, u64),
    /// Sum of all turns [rad].
    pub(super) turned: f64,
    /// Greatest yaw rate [rad/s].
    pub(super) yaw_rate: f64,
    /// Least clearance [m].
    pub(super) clearance: Nearest,
    /// When that was [s].
    pub(super) clearance_time: f64,
    pub(super) collisions: u64,
    /// When the first of them began [s].
    pub(super) first_collision: Option<f64>,
    /// How often it has tipped over.
    pub(super) overturns: u64,
    pub(super) people: People,
}

impl Totals {
    pub(super) fn rms_jerk(&self) -> Option<f64> {
        let (sum, count) = self.squared_jerk;
        (count > 0).then(|| libm::sqrt(sum / count as f64))
    }

    pub(super) fn note_jerk(&mut self, jerk: f64) {
        self.jerk = Some(self.jerk.map_or(jerk, |most| most.max(jerk)));
        self.squared_jerk.0 += jerk * jerk;
        self.squared_jerk.1 += 1;
    }
}

/// How near it came to people.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct People {
    /// Time with people in the world [s].
    time: f64,
    /// Least distance [m].
    least: Option<f64>,
    /// Integral of the distance over time [m·s].
    integral: f64,
    /// Time in each of the [`SPACES`] [s].
    within: [f64; 3],
    /// Way while closer than the personal space reaches [m].
    close_distance: f64,
}

impl People {
    /// The nearest person is at `distance` [m] for `dt` [s], at `speed` [m/s].
    pub(super) fn note(&mut self, distance: f64, dt: f64, speed: f64) {
        if !distance.is_finite() {
            return;
        }
        self.time += dt;
        self.integral += distance * dt;
        self.least = Some(self.least.map_or(distance, |least| least.min(distance)));
        if let Some(space) = SPACES.iter().position(|&reach| distance < reach) {
            self.within[space] += dt;
        }
        if distance < SPACES[1] {
            self.close_distance += speed * dt;
        }
    }

    pub(super) fn least(&self) -> Option<f64> {
        self.least
    }

    pub(super) fn mean(&self) -> Option<f64> {
        (self.time > 0.0).then(|| self.integral / self.time)
    }

    /// Share of the time in a space [%].
    pub(super) fn percent(&self, space: usize) -> Option<f64> {
        (self.time > 0.0).then(|| 100.0 * self.within[space] / self.time)
    }

    /// Time closer than the personal space reaches [s].
    pub(super) fn close(&self) -> Option<f64> {
        (self.time > 0.0).then(|| self.within[0] + self.within[1])
    }

    pub(super) fn close_speed(&self) -> Option<f64> {
        self.close().filter(|&time| time > 0.0).map(|time| self.close_distance / time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second in each space, half of it at the border of the next.
    #[test]
    fn spaces_are_bands_and_closeness_is_their_sum() {
        let mut people = People::default();
        assert_eq!((people.least(), people.percent(0), people.close()), (None, None, None));
        for (distance, speed) in [(0.2, 1.0), (0.45, 2.0), (1.2, 9.0), (3.6, 9.0)] {
            people.note(distance, 1.0, speed);
        }
        people.note(f64::INFINITY, 5.0, 1.0);
        assert_eq!([0, 1, 2].map(|space| people.percent(space)), [Some(25.0); 3]);
        assert_eq!((people.close(), people.close_speed(), people.least()), (Some(2.0), Some(1.5), Some(0.2)));
        assert!((people.mean().unwrap() - 1.3625).abs() < 1e-12);
    }

    #[test]
    fn the_rms_of_a_square_wave_is_its_height() {
        let mut totals = Totals::default();
        [2.0, 2.0, 2.0].iter().for_each(|&jerk| totals.note_jerk(jerk));
        assert_eq!((totals.rms_jerk(), totals.jerk), (Some(2.0), Some(2.0)));
    }
}
