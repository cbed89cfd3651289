//! How many commands come on a topic, and whether that is more than any controller means.

use std::sync::Arc;
use std::time::Instant;

use skidpad_math::time::SimTime;

/// Commands per second above which a warning is given: no step is that short.
const MAX_RATE: u32 = 1000;

/// Gives the simulated time.
pub(crate) type SharedClock = Arc<dyn Fn() -> SimTime + Send + Sync>;

/// Counts the commands of a topic.
pub(crate) struct CommandRate {
    /// Number of commands since the last check.
    pub count: u32,
    /// Wall and simulated time of that check.
    since: (Instant, SimTime),
    clock: SharedClock,
}

impl CommandRate {
    /// Counts from now on.
    pub fn new(clock: SharedClock) -> CommandRate {
        let since = (Instant::now(), clock());
        CommandRate { count: 0, since, clock }
    }

    /// Checks about once per wall second; what to complain of, if there is something.
    pub fn check(&mut self) -> Option<String> {
        let wall = self.since.0.elapsed().as_secs_f64();
        if wall < 1.0 {
            return None;
        }
        let now = (self.clock)();
        let simulated = (now - self.since.1).secs();
        self.since = (Instant::now(), now);
        complaint(std::mem::take(&mut self.count), wall, simulated)
    }
}

/// The complaint about this number of commands in so much wall and simulated time [s]. A controller keeps the rate that it is meant to have in
/// one of the two, so the longer one counts: in lockstep and above real time the simulated one, below it and in a pause that of the wall.
fn complaint(count: u32, wall: f64, simulated: f64) -> Option<String> {
    let rate = f64::from(count) / wall.max(simulated);
    // At real time both are the same, but for the jitter of frames.
    let second = if simulated > 1.1 * wall { "simulated second" } else { "second" };
    let is_flood = rate > f64::from(MAX_RATE);
    is_flood.then(|| {
        format!(
            "{rate:.0} commands a {second}, of which only the last before each step is used\n  accepted: up to {MAX_RATE}"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_counted_in_the_time_that_their_controller_keeps() {
        assert_eq!(complaint(1445, 1.0, 28.9), None, "50 Hz in lockstep, as fast as possible");
        assert_eq!(complaint(50, 1.0, 0.01), None, "50 Hz at a hundredth of real time");
        assert_eq!(complaint(50, 1.0, 0.0), None, "and in a pause");
        let reported = |commands, simulated| complaint(commands, 1.0, simulated).unwrap_or_default();
        let counts = "of which only the last before each step is used\n  accepted: up to 1000";
        assert_eq!(reported(1445, 1.0), format!("1445 commands a second, {counts}"));
        assert_eq!(reported(1445, 1.005), format!("1438 commands a second, {counts}"));
        assert_eq!(reported(5000, 2.0), format!("2500 commands a simulated second, {counts}"));
        assert_eq!(reported(5000, 0.0), format!("5000 commands a second, {counts}"), "a flood in a pause");
    }
}
