//! Bands of prediction: how far from the measured motion predictions are, over the time since the start of a window, so
//! that 95 of 100 rows of a recording of another day lie within.
//!
//! The band of a quantity has the half width c·s(t). The square of s(t) is the mean over the fitted recordings of the mean
//! square of the errors of each, predicted by a class without it, a time t after the start of a window. A recording counts
//! as one observation, however long it is, because its errors have one cause, such as the grip of that day: c² is the 95 %
//! point of the distribution of F with as many degrees of freedom as there are recordings, that is of Student's squared. Of
//! a single recording windows count instead, and the band says nothing of other days.
//!
//! Nor does it say anything of motions that no fitted recording has: [`Ranges`] are stored with the bands, and rows outside are counted apart.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use super::data::{Data, Prediction};
use super::ranges::Ranges;
use super::score::quantities;
use super::uncertainty::Scatter;

/// Number of parts of a window in which the width is constant.
const PARTS: usize = 10;

/// 95 % bands of the errors of prediction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bands {
    /// Duration of the parts of a window in which the width is constant [s].
    pub step: f64,
    /// What counted as one observation.
    pub scatter: Scatter,
    /// Count of these observations.
    pub count: usize,
    /// Half the width in each part of a window, by quantity, in SI or radians; of `position` the radius of a circle.
    pub half_widths: BTreeMap<String, Vec<f64>>,
    /// The motions of the fitted recordings; none: they are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranges: Option<Ranges>,
}

/// How many of the rows that were predicted lie within the band of a quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    /// `position`, or the name of a quantity.
    pub name: &'static str,
    /// Unit in tables, where angles are in degrees.
    pub unit: &'static str,
    /// Half the width in the first and in the last part of a window, in SI or radians.
    pub half_widths: [f64; 2],
    /// Duration of the first part, and of a window [s].
    pub times: [f64; 2],
    /// Rows within the band and all rows, of each recording that has windows, after the name of its file.
    pub recordings: Vec<(String, [usize; 2])>,
    /// The same of the rows inside the ranges of the bands, in the same order; none without ranges.
    pub inside: Option<Vec<[usize; 2]>>,
}

impl Coverage {
    /// Rows within the band and all rows, of all recordings.
    pub fn all(&self) -> [usize; 2] {
        self.recordings.iter().fold([0; 2], |sum, (_, counts)| [sum[0] + counts[0], sum[1] + counts[1]])
    }

    /// Rows within the band and all rows, of those inside the ranges of the bands; none without ranges.
    pub fn all_inside(&self) -> Option<[usize; 2]> {
        let inside = self.inside.as_ref()?;
        Some(inside.iter().fold([0; 2], |sum, counts| [sum[0] + counts[0], sum[1] + counts[1]]))
    }

    /// Share of the rows that lie within the band [-]; NaN without rows.
    pub fn share([within, all]: [usize; 2]) -> f64 {
        within as f64 / all as f64
    }
}

/// Index of the part of a window, of which each lasts `step` [s], a time [s] after its start.
fn part(time: f64, step: f64) -> usize {
    ((time / step - 1e-6).max(0.0) as usize).min(PARTS - 1)
}

impl Bands {
    /// The bands from these predictions, of which each recording should be predicted by a class without it; none without
    /// predictions.
    pub(super) fn of(data: &Data, predictions: &[Prediction]) -> Option<Bands> {
        let step = data.window_length() / PARTS as f64;
        let mut runs: Vec<usize> = predictions.iter().map(|prediction| prediction.run).collect();
        runs.dedup();
        let scatter = if runs.len() > 1 { Scatter::Recordings } else { Scatter::Windows };
        let mut half_widths = BTreeMap::new();
        let mut most = 0;
        for quantity in quantities(predictions) {
            // Sum of the squares and count of the errors in each part, by observation.
            let mut sums: BTreeMap<(usize, usize), [(f64, usize); PARTS]> = BTreeMap::new();
            for (prediction, error) in quantity.errors.iter().filter(|(_, error)| error.is_finite()) {
                let window = if scatter == Scatter::Windows { prediction.window } else { 0 };
                let sum =
                    &mut sums.entry((prediction.run, window)).or_default()[part(data.since_start(prediction), step)];
                *sum = (sum.0 + error * error, sum.1 + 1);
            }
            let factor = factor(quantity.dimensions, sums.len());
            let of_part = |part: usize| {
                let means = sums.values().map(|sum| sum[part]).filter(|(_, count)| *count > 0);
                let means: Vec<f64> = means.map(|(sum, count)| sum / count as f64).collect();
                factor * (means.iter().sum::<f64>() / means.len().max(1) as f64).sqrt()
            };
            most = most.max(sums.len());
            half_widths.insert(quantity.name.to_owned(), (0..PARTS).map(of_part).collect());
        }
        (most > 0).then(|| Bands { step, scatter, count: most, half_widths, ranges: Some(Ranges::of(data)) })
    }

    /// Half the width of the band of a quantity, a time [s] after the start of a window, in SI or radians; none without one.
    pub(super) fn half_width(&self, name: &str, time: f64) -> Option<f64> {
        let widths = self.half_widths.get(name)?;
        widths.get(part(time, self.step).min(widths.len().saturating_sub(1))).copied()
    }

    /// How many rows of these predictions lie within the bands, by quantity. Failed predictions do not.
    pub(super) fn coverage(&self, data: &Data, predictions: &[Prediction]) -> Vec<Coverage> {
        let is_inside = self.ranges.map(|ranges| ranges.inside(data));
        let of_quantity = |quantity: super::score::Quantity<'_>| {
            let widths = self.half_widths.get(quantity.name).filter(|widths| !widths.is_empty())?;
            // Of all rows, and of those inside.
            let mut counts: BTreeMap<usize, [[usize; 2]; 2]> = BTreeMap::new();
            for (prediction, error) in &quantity.errors {
                let count = counts.entry(prediction.run).or_default();
                let is_within = |width| error.abs() <= width;
                let within = self.half_width(quantity.name, data.since_start(prediction)).is_some_and(is_within);
                let is_counted = [true, is_inside.as_ref().is_some_and(|is_inside| is_inside(prediction))];
                for (count, _) in count.iter_mut().zip(is_counted).filter(|(_, is_counted)| *is_counted) {
                    *count = [count[0] + usize::from(within), count[1] + 1];
                }
            }
            let inside = is_inside.is_some().then(|| counts.values().map(|[_, inside]| *inside).collect());
            let recordings = counts.iter().map(|(run, [all, _])| (data.runs[*run].0.name(), *all)).collect();
            Some(Coverage {
                name: quantity.name,
                unit: quantity.unit,
                half_widths: [widths[0], widths[widths.len() - 1]],
                times: [self.step, self.step * widths.len() as f64],
                recordings,
                inside,
            })
        };
        quantities(predictions).into_iter().filter_map(of_quantity).collect()
    }
}

/// The 95 % point of the size of an error of this many dimensions, relative to its root mean square, from `count`
/// observations of it.
fn factor(dimensions: usize, count: usize) -> f64 {
    let distribution = FisherSnedecor::new(dimensions as f64, count.max(1) as f64);
    distribution.map_or(f64::INFINITY, |distribution| distribution.inverse_cdf(0.95).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of Student's distribution: 2.571 with 5 degrees of freedom, 1.960 with very many; of a circle √(χ²/2), 1.731.
    #[test]
    fn the_factor_is_that_of_students_distribution() {
        for (dimensions, count, expected) in [(1, 5, 2.5706), (1, 1_000_000, 1.95996), (2, 1_000_000, 1.73082)] {
            let actual = factor(dimensions, count);
            assert!((actual - expected).abs() < 1e-3, "{dimensions} {count}: {actual}");
        }
    }
}
