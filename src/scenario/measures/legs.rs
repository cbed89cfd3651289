//! The goals of a vehicle and the ways to them.

use skidpad_math::Vec2;

/// The ways to its goals, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Legs(Vec<Leg>);

/// The way to one goal.
#[derive(Clone, Debug, PartialEq)]
struct Leg {
    goal: Vec2,
    /// When it was given [s].
    start: f64,
    /// Shortest way to it [m]; none: still to be measured, as a straight line from where the vehicle is.
    shortest: Option<f64>,
    /// Way that was driven since [m].
    path_length: f64,
    /// When it was reached [s].
    reached: Option<f64>,
    /// Distance from it at the last frame, and the least so far [m].
    distance: f64,
    least: f64,
}

impl Leg {
    /// The shortest way over that driven, at most 1 [-].
    fn efficiency(&self) -> f64 {
        let shortest = self.shortest.unwrap_or(0.0);
        let longer = self.path_length.max(shortest);
        if longer > 0.0 { shortest / longer } else { 1.0 }
    }
}

impl Legs {
    /// The vehicle is to go to `goal` [m] from now, `time` [s], on; `shortest` is the length of the shortest way [m], if it is known.
    pub(super) fn begin(&mut self, time: f64, goal: Vec2, shortest: Option<f64>) {
        let (distance, least) = (f64::INFINITY, f64::INFINITY);
        self.0.push(Leg { goal, start: time, shortest, path_length: 0.0, reached: None, distance, least });
    }

    /// The goal that it is under way to was reached at `time` [s].
    pub(super) fn reach(&mut self, time: f64) {
        if let Some(leg) = self.0.last_mut() {
            leg.reached.get_or_insert(time);
        }
    }

    /// The vehicle is at `position` [m], `step_length` [m] after the last frame.
    pub(super) fn advance(&mut self, position: Vec2, step_length: f64) {
        let Some(leg) = self.0.last_mut() else { return };
        leg.distance = (position - leg.goal).norm();
        leg.least = leg.least.min(leg.distance);
        if leg.shortest.is_none() {
            leg.shortest = Some(leg.distance);
        } else if leg.reached.is_none() {
            leg.path_length += step_length;
        }
    }

    /// Distance from the last goal [m].
    pub(super) fn final_distance(&self) -> Option<f64> {
        self.0.last().map(|leg| leg.distance).filter(|distance| distance.is_finite())
    }

    pub(super) fn least_distance(&self) -> Option<f64> {
        self.0.last().map(|leg| leg.least).filter(|distance| distance.is_finite())
    }

    /// Whether all were reached; none without goals.
    pub(super) fn succeeded(&self) -> Option<bool> {
        (!self.0.is_empty()).then(|| self.0.iter().all(|leg| leg.reached.is_some()))
    }

    /// From the first goal until the last one was reached [s]; none if one was not.
    pub(super) fn time(&self) -> Option<f64> {
        let reached = self.succeeded()?.then(|| self.0.last()?.reached)??;
        Some(reached - self.0.first()?.start)
    }

    /// Success weighted by path length, (1/N) Σ Sᵢ lᵢ / max(pᵢ, lᵢ) (Anderson et al., On evaluation of embodied navigation agents, 2018).
    pub(super) fn spl(&self) -> Option<f64> {
        let sum: f64 = self.0.iter().filter(|leg| leg.reached.is_some()).map(Leg::efficiency).sum();
        (!self.0.is_empty()).then(|| sum / self.0.len() as f64)
    }

    /// Σ lᵢ / Σ max(pᵢ, lᵢ) over the goals that were reached.
    pub(super) fn efficiency(&self) -> Option<f64> {
        let reached = || self.0.iter().filter(|leg| leg.reached.is_some());
        let shortest: f64 = reached().filter_map(|leg| leg.shortest).sum();
        let path_length: f64 = reached().map(|leg| leg.path_length.max(leg.shortest.unwrap_or(0.0))).sum();
        (path_length > 0.0).then(|| shortest / path_length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 4 m of way for a goal that is 3 m away, then 2 m straight to one that is not reached.
    #[test]
    fn success_is_weighted_by_the_way() {
        let mut legs = Legs::default();
        assert_eq!((legs.spl(), legs.succeeded(), legs.efficiency()), (None, None, None));
        legs.begin(1.0, Vec2::new(3.0, 0.0), None);
        legs.advance(Vec2::ZERO, 7.0);
        legs.advance(Vec2::new(0.0, 0.5), 0.5);
        legs.advance(Vec2::new(3.0, 0.5), 3.0);
        legs.advance(Vec2::new(3.0, 0.0), 0.5);
        assert_eq!((legs.spl(), legs.succeeded(), legs.time()), (Some(0.0), Some(false), None));
        legs.reach(9.0);
        legs.reach(11.0);
        legs.advance(Vec2::new(3.0, 1.0), 1.0);
        assert_eq!((legs.spl(), legs.efficiency(), legs.time()), (Some(0.75), Some(0.75), Some(8.0)));
        assert_eq!((legs.final_distance(), legs.least_distance()), (Some(1.0), Some(0.0)));
        legs.begin(12.0, Vec2::new(3.0, 5.0), Some(6.0));
        legs.advance(Vec2::new(3.0, 3.0), 2.0);
        assert_eq!((legs.spl(), legs.efficiency(), legs.time()), (Some(0.375), Some(0.75), None));
        // Shorter than the shortest way counts as that.
        legs.reach(13.0);
        assert_eq!((legs.spl(), legs.efficiency()), (Some(0.875), Some(0.9)));
    }

    #[test]
    fn a_goal_where_the_vehicle_stands_is_no_division_by_zero() {
        let mut legs = Legs::default();
        legs.begin(0.0, Vec2::ZERO, None);
        legs.advance(Vec2::ZERO, 0.0);
        legs.reach(0.0);
        assert_eq!((legs.spl(), legs.efficiency(), legs.succeeded()), (Some(1.0), None, Some(true)));
    }
}
