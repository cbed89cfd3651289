//! The ranges of motion that bands of prediction were found in: they say nothing of faster, harder or more sliding driving.

use serde::{Deserialize, Serialize};

use super::columns::Role;
use super::data::{Data, Prediction};
use super::recording::Recording;

/// Speed below which a side slip angle is mostly noise [m/s].
const SLOW: f64 = 0.5;

/// Ranges of motion; what was not measured has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ranges {
    /// Least and greatest speed [m/s].
    pub speed: Option<[f64; 2]>,
    /// Greatest lateral acceleration, speed times yaw rate, to either side [m/s²].
    pub lateral_acceleration: Option<f64>,
    /// Greatest side slip angle, to either side [rad].
    pub side_slip: Option<f64>,
}

/// The motion in a row of a recording; what was not measured there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Motion {
    speed: Option<f64>,
    lateral_acceleration: Option<f64>,
    side_slip: Option<f64>,
}

impl Motion {
    fn of(recording: &Recording, row: usize) -> Motion {
        let measured = |role: Role| {
            let values = recording.columns.get(&role)?;
            values.get(row).copied().filter(|value| value.is_finite())
        };
        let (ahead, across) = (measured(Role::Vx).or_else(|| measured(Role::WheelSpeed)), measured(Role::Vy));
        let speed = ahead.map(|ahead| f64::hypot(ahead, across.unwrap_or(0.0)));
        let slip = || Some(across?.atan2(ahead?.abs()).abs()).filter(|_| speed.is_some_and(|speed| speed > SLOW));
        Motion {
            speed,
            lateral_acceleration: ahead.zip(measured(Role::YawRate)).map(|(ahead, rate)| (ahead * rate).abs()),
            side_slip: slip(),
        }
    }
}

impl Ranges {
    /// Those of all windows of these recordings.
    pub(super) fn of(data: &Data) -> Ranges {
        let rows = data.runs.iter().flat_map(|(recording, windows)| {
            let rows = windows.iter().flat_map(|window| window.rows[0]..window.rows[1]);
            rows.map(move |row| Motion::of(recording, row))
        });
        rows.fold(Ranges::default(), |ranges, motion| {
            let widened = |[low, high]: [f64; 2], speed: f64| [low.min(speed), high.max(speed)];
            let speed = motion.speed.map(|speed| widened(ranges.speed.unwrap_or([speed; 2]), speed));
            let greater = |most: Option<f64>, value: Option<f64>| most.into_iter().chain(value).reduce(f64::max);
            Ranges {
                speed: speed.or(ranges.speed),
                lateral_acceleration: greater(ranges.lateral_acceleration, motion.lateral_acceleration),
                side_slip: greater(ranges.side_slip, motion.side_slip),
            }
        })
    }

    fn contains(&self, motion: Motion) -> bool {
        let is_at_most =
            |most: Option<f64>, value: Option<f64>| most.zip(value).is_none_or(|(most, value)| value <= most);
        let speed = self.speed.zip(motion.speed);
        speed.is_none_or(|([low, high], speed)| (low..=high).contains(&speed))
            && is_at_most(self.lateral_acceleration, motion.lateral_acceleration)
            && is_at_most(self.side_slip, motion.side_slip)
    }

    /// Whether the row of a prediction is inside. What comes after a row outside in its window is outside too, because its error began there.
    pub(super) fn inside(&self, data: &Data) -> impl Fn(&Prediction) -> bool + use<> {
        let ends = |(recording, windows): &(Recording, Vec<super::predict::Window>)| -> Vec<usize> {
            let is_outside = |row: &usize| !self.contains(Motion::of(recording, *row));
            windows
                .iter()
                .map(|window| (window.rows[0]..window.rows[1]).find(is_outside).unwrap_or(window.rows[1]))
                .collect()
        };
        let ends: Vec<Vec<usize>> = data.runs.iter().map(ends).collect();
        move |prediction| prediction.row < ends[prediction.run][prediction.window]
    }

    /// The ranges in words; empty: nothing was measured.
    pub(super) fn text(&self) -> String {
        let parts = [
            self.speed.map(|[low, high]| format!("at {low:.2} to {high:.2} m/s")),
            self.lateral_acceleration.map(|most| format!("up to {most:.2} m/s² of lateral acceleration")),
            self.side_slip.map(|most| format!("up to {:.2} deg of side slip", most.to_degrees())),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_measured_is_inside() {
        let ranges = Ranges { speed: Some([1.0, 2.0]), lateral_acceleration: Some(3.0), side_slip: None };
        let at = |speed, lateral_acceleration| Motion { speed, lateral_acceleration, side_slip: Some(0.9) };
        assert!(ranges.contains(at(Some(1.5), Some(3.0))) && ranges.contains(at(None, None)));
        assert!(!ranges.contains(at(Some(2.1), None)) && !ranges.contains(at(Some(0.9), None)));
        assert!(!ranges.contains(at(Some(1.5), Some(3.1))));
        assert_eq!(ranges.text(), "at 1.00 to 2.00 m/s, up to 3.00 m/s² of lateral acceleration");
        let slips = Ranges { side_slip: Some(0.1), ..ranges };
        assert!(!slips.contains(at(Some(1.5), Some(0.0))));
        assert!(slips.text().ends_with(", up to 5.73 deg of side slip"), "{}", slips.text());
    }
}
