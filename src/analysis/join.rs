//! Samples of two topics brought together: each of the left side with the one of the right side that is nearest in time.

use super::run::Timed;

/// For each time of `left` the sample of `right` nearest in time; none where that is more than `tolerance` [s] away. Both are in the
/// order of time; half way between two the earlier one counts.
pub(super) fn nearest<T: Timed>(
    left: impl IntoIterator<Item = f64>,
    right: &[T],
    tolerance: f64,
) -> impl Iterator<Item = Option<(usize, &T)>> {
    let mut index = 0;
    left.into_iter().map(move |time| {
        let distance = |index: usize| right.get(index).map(|sample: &T| (sample.time() - time).abs());
        while let (Some(here), Some(next)) = (distance(index), distance(index + 1)) {
            if next >= here {
                break;
            }
            index += 1;
        }
        distance(index).filter(|distance| *distance <= tolerance).map(|_| (index, &right[index]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::PositionSample;
    use crate::math::Vec2;

    fn right(times: &[f64]) -> Vec<PositionSample> {
        times.iter().map(|&time| PositionSample { time, position: Vec2::ZERO }).collect()
    }

    #[test]
    fn the_nearest_in_time_is_taken_the_earlier_of_two() {
        let right = right(&[0.0, 1.0, 2.0, 5.0]);
        let indices = |tolerance: f64, left: &[f64]| -> Vec<Option<usize>> {
            nearest(left.to_vec(), &right, tolerance).map(|found| found.map(|(index, _)| index)).collect()
        };
        assert_eq!(indices(9.0, &[-3.0, 0.4, 0.5, 0.6, 3.6, 9.0]), [0, 0, 0, 1, 3, 3].map(Some));
        assert_eq!(indices(0.5, &[-3.0, 0.4, 3.5, 4.5, 5.6]), [None, Some(0), None, Some(3), None]);
        assert_eq!(nearest([1.0], &self::right(&[]), 1.0).next(), Some(None));
    }
}
