//! Wind: regions of the properties [`WIND_X`], [`WIND_Y`], [`WIND_GUSTS`] and [`WIND_GUST_LENGTH`], which push vehicles with air drag.
//!
//! Gusts have the spectrum of Kaimal in the form of IEC 61400-1: S(f) = 4·σ²·(L/U)/(1 + 6·f·L/U)^(5/3) with the mean wind U, the standard
//! deviation σ and the length L of the gusts. Across the mean wind σ is 0.8 times, and L a third of, that along it. A sum of waves with random
//! phases has that spectrum (M. Shinozuka and C.-M. Jan, "Digital simulation of random processes and its applications", 1972). It is a function
//! of time alone, so that all steps, resets and replays see the same gusts.
//!
//! Not modelled: how gusts differ from place to place, the profile over height, and shelter behind bodies.

use rand::Rng as _;
use skidpad_math::rng::stream;
use skidpad_math::{Vec2, Vec3};

use super::World;
use super::region::{Boxes, Region, Value};

/// Name of the property that is the mean wind along x of the world [m/s].
pub const WIND_X: &str = "wind_x";
/// Name of the property that is the mean wind along y of the world [m/s].
pub const WIND_Y: &str = "wind_y";
/// Name of the property that is the standard deviation of gusts along the mean wind [m/s].
pub const WIND_GUSTS: &str = "wind_gusts";
/// Name of the property that is the length of gusts along the mean wind [m].
pub const WIND_GUST_LENGTH: &str = "wind_gust_length";

/// Length of gusts [m] unless a region says otherwise: 8.1·0.7·z of IEC 61400-1 at z = 1.5 m.
const GUST_LENGTH: f64 = 8.5;
/// Standard deviation and length of gusts across the mean wind, per those along it [-]: IEC 61400-1, table B.1.
const ACROSS: [f64; 2] = [0.8, 2.7 / 8.1];
/// Waves of a gust along, and as many across.
const WAVES: usize = 48;
/// Frequencies of the waves, times L/U [-]: from and to.
const BAND: [f64; 2] = [1e-3, 30.0];

/// A wave of gusts: frequency times L/U [-], phase [rad], amplitude per standard deviation [-].
#[derive(Clone, Copy, Debug, PartialEq)]
struct Wave {
    frequency: f64,
    phase: f64,
    amplitude: f64,
}

/// The wind of a world.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Wind {
    x: Boxes<f64>,
    y: Boxes<f64>,
    gusts: Boxes<f64>,
    gust_length: Boxes<f64>,
    /// Along and across the mean wind; empty without gusts.
    waves: [Vec<Wave>; 2],
}

impl Wind {
    /// That of these regions, with gusts that follow from the world's `seed`.
    pub(super) fn new(regions: &[Region], seed: u64) -> Wind {
        let numbers = |property: &str| {
            Boxes::new(regions, property, |value| if let Value::Double(number) = value { Some(*number) } else { None })
        };
        let gusts = numbers(WIND_GUSTS);
        let waves = match gusts.is_empty() {
            true => Default::default(),
            false => ["wind/along", "wind/across"].map(|name| waves(seed, name)),
        };
        Wind { x: numbers(WIND_X), y: numbers(WIND_Y), gusts, gust_length: numbers(WIND_GUST_LENGTH), waves }
    }

    /// Whether it blows anywhere.
    pub(super) fn blows(&self) -> bool {
        !(self.x.is_empty() && self.y.is_empty())
    }

    /// Its velocity in the world [m/s] at a point [m] and a time [s].
    fn at(&self, point: Vec3, time: f64) -> Vec2 {
        let [x, y] = [&self.x, &self.y].map(|boxes| boxes.at(point).unwrap_or(0.0));
        let mean = Vec2::new(x, y);
        let (speed, deviation) = (mean.norm(), self.gusts.at(point).unwrap_or(0.0));
        if speed == 0.0 || deviation == 0.0 {
            return mean;
        }
        let rate = speed / self.gust_length.at(point).unwrap_or(GUST_LENGTH);
        let sum = |waves: &[Wave], rate: f64| -> f64 {
            let turn = std::f64::consts::TAU * rate * time;
            waves.iter().map(|wave| wave.amplitude * libm::cos(turn * wave.frequency + wave.phase)).sum()
        };
        let [along, across] = &self.waves;
        let ahead = (1.0 / speed) * mean;
        let [of_deviation, of_length] = ACROSS;
        mean + deviation
            * (sum(along, rate) * ahead + of_deviation * sum(across, rate / of_length) * ahead.perpendicular())
    }
}

/// The waves of a direction, one in each of as many bands, which have the same width on a logarithmic scale.
fn waves(seed: u64, name: &str) -> Vec<Wave> {
    let mut random = stream(seed, name);
    let [low, high] = BAND.map(libm::log);
    let edge = |wave: usize| libm::exp(low + (high - low) * wave as f64 / WAVES as f64);
    // The variance below a frequency; the first and the last band have the rest, too.
    let below = |wave: usize| match wave {
        0 => 0.0,
        WAVES => 1.0,
        wave => 1.0 - libm::pow(1.0 + 6.0 * edge(wave), -2.0 / 3.0),
    };
    (0..WAVES)
        .map(|wave| Wave {
            frequency: edge(wave) + (edge(wave + 1) - edge(wave)) * random.random::<f64>(),
            phase: std::f64::consts::TAU * random.random::<f64>(),
            amplitude: libm::sqrt(2.0 * (below(wave + 1) - below(wave))),
        })
        .collect()
}

impl World {
    /// Lets the wind blow around the vehicles.
    pub(super) fn blow_wind(&mut self) {
        let time = self.frame.time.secs();
        for record in &mut self.vehicles {
            let (position, rotation) = (self.physics.position(record.body), self.physics.rotation(record.body));
            let wind = self.wind.at(Vec3::new(position.x, position.y, record.attitude.z), time);
            record.vehicle.blow(rotation.inverse() * wind);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(property: &str, value: f64) -> Region {
        let corner = Vec3::new(1e4, 1e4, 1e3);
        Region {
            property: property.to_owned(),
            value: Value::Double(value),
            low: -corner,
            high: corner,
            ..Region::default()
        }
    }

    fn samples(wind: &Wind, step: f64, count: usize) -> Vec<Vec2> {
        (0..count).map(|k| wind.at(Vec3::zeros(), step * k as f64)).collect()
    }

    #[test]
    fn gusts_have_their_deviation_along_and_across_and_no_more() {
        let list = [region(WIND_X, 0.0), region(WIND_Y, 8.0), region(WIND_GUSTS, 2.0)];
        for seed in [0, 7] {
            let wind = Wind::new(&list, seed);
            let samples = samples(&wind, 0.05, 400_000);
            let mean = |of: &dyn Fn(&Vec2) -> f64| samples.iter().map(of).sum::<f64>() / samples.len() as f64;
            let (along, across) = (mean(&|w| w.y), mean(&|w| w.x));
            let variance = [mean(&|w| (w.y - along).powi(2)), mean(&|w| (w.x - across).powi(2))];
            let together = mean(&|w| (w.y - along) * (w.x - across));
            assert!((along - 8.0).abs() < 0.05 && across.abs() < 0.05, "{along} {across}");
            assert!((variance[0] / 4.0 - 1.0).abs() < 0.03 && (variance[1] / 2.56 - 1.0).abs() < 0.03, "{variance:?}");
            assert!(together.abs() < 0.1, "{together}");
        }
        assert_ne!(Wind::new(&list, 0), Wind::new(&list, 7));
    }

    /// The share of the variance above a frequency f is (1 + 6·f·L/U)^(−2/3).
    #[test]
    fn the_spectrum_is_that_of_kaimal() {
        let all = waves(3, "wind/along");
        let total: f64 = all.iter().map(|wave| 0.5 * wave.amplitude * wave.amplitude).sum();
        assert!((total - 1.0).abs() < 1e-12, "{total}");
        for frequency in [0.01, 0.1, 1.0, 10.0] {
            let above = all.iter().filter(|wave| wave.frequency > frequency);
            let share: f64 = above.map(|wave| 0.5 * wave.amplitude * wave.amplitude).sum();
            let expected = (1.0 + 6.0 * frequency).powf(-2.0 / 3.0);
            assert!((share - expected).abs() < 0.05, "{frequency}: {share}, expected {expected}");
        }
    }

    #[test]
    fn without_gusts_the_wind_is_its_mean_where_its_box_is() {
        let mut list = [region(WIND_X, 3.0), region(WIND_Y, -4.0)];
        list[0].high = Vec3::zeros();
        let wind = Wind::new(&list, 0);
        assert!(wind.blows() && !Wind::default().blows());
        assert_eq!(wind.at(Vec3::new(-1.0, -1.0, 0.0), 5.0), Vec2::new(3.0, -4.0));
        assert_eq!(wind.at(Vec3::new(1.0, 1.0, 0.0), 5.0), Vec2::new(0.0, -4.0));
    }
}
