//! Joins the samples of two topics: each sample of the left side with that of the right side which is nearest in time.

/// For each time of `left` the sample of `right` nearest in time, with its index; none if that is more than `tolerance` [s] away. Both
/// are in the order of time; half-way between two samples the earlier one counts.
pub(super) fn nearest<T>(
    left: impl IntoIterator<Item = f64>,
    right: &[T],
    time_of: impl Fn(&T) -> f64,
    tolerance: f64,
) -> impl Iterator<Item = Option<(usize, &T)>> {
    let mut index = 0;
    left.into_iter().map(move |time| {
        let distance = |index: usize| right.get(index).map(|sample: &T| (time_of(sample) - time).abs());
        while let (Some(current), Some(next)) = (distance(index), distance(index + 1)) {
            if next >= current {
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

    #[test]
    fn the_sample_nearest_in_time_is_used_the_earlier_of_two() {
        let right = [0.0, 1.0, 2.0, 5.0];
        let indices = |tolerance: f64, left: &[f64]| -> Vec<Option<usize>> {
            nearest(left.to_vec(), &right, |time| *time, tolerance).map(|pair| pair.map(|(index, _)| index)).collect()
        };
        assert_eq!(indices(9.0, &[-3.0, 0.4, 0.5, 0.6, 3.6, 9.0]), [0, 0, 0, 1, 3, 3].map(Some));
        assert_eq!(indices(0.5, &[-3.0, 0.4, 3.5, 4.5, 5.6]), [None, Some(0), None, Some(3), None]);
        assert_eq!(nearest([1.0], &[], |time: &f64| *time, 1.0).next(), Some(None));
    }
}
