//! The sinks of a run. One that fails is reported once and removed; the simulation and the other sinks continue.

use std::sync::Arc;

use skidpad_sim::world::{Frame, Scene, Wanted, World};

use super::{LogRequest, RunStatistics, Sink, SinkError};

/// The sinks of a run, called in the order in which they were added.
#[derive(Default)]
pub struct Sinks {
    active: Vec<Box<dyn Sink>>,
    failed: Vec<String>,
}

impl Sinks {
    /// An empty set.
    pub fn new() -> Sinks {
        Sinks::default()
    }

    /// Adds a sink; it is started with the others.
    pub fn push(&mut self, sink: Box<dyn Sink>) {
        self.active.push(sink);
    }

    /// Adds the sinks that there are.
    pub fn extend(&mut self, sinks: impl IntoIterator<Item: Sink + 'static>) {
        sinks.into_iter().for_each(|sink| self.push(Box::new(sink)));
    }

    /// Lets a world take the readings that any of the sinks [wants](Sink::wants) in its next step, and no others; `wanted` is a buffer.
    pub fn choose_readings(&mut self, world: &mut World, wanted: &mut Wanted) {
        if world.casts_rays() {
            wanted.clear();
            let scene = world.scene();
            self.active.iter_mut().for_each(|sink| sink.wants(scene, wanted));
            world.want(wanted);
        }
    }

    /// Passes a frame to all sinks, if any of them [sees](Sink::sees_frames) frames; returns whether one does.
    #[inline]
    pub fn frame(&mut self, scene: &Arc<Scene>, frame: &Frame) -> bool {
        let is_seen = self.active.iter().any(|sink| sink.sees_frames());
        if is_seen {
            self.call_all(|sink| sink.frame(scene, frame));
        }
        is_seen
    }

    /// Names of the sinks that failed, in order of failure.
    pub fn failed(&self) -> &[String] {
        &self.failed
    }

    /// Calls [`Sink::statistics`] on each, including the load of all of them.
    pub fn statistics(&mut self, scene: &Arc<Scene>, frame: &Frame, statistics: &mut RunStatistics) {
        statistics.sinks.clear();
        statistics.sinks.extend(self.active.iter().map(|sink| (sink.name().to_owned(), Some(sink.load()))));
        statistics.sinks.extend(self.failed.iter().map(|name| (name.clone(), None)));
        self.call_all(|sink| sink.statistics(scene, frame, statistics));
    }

    /// Instants that each sink has dropped so far, by name; without the sinks that failed.
    pub fn dropped(&self) -> impl Iterator<Item = (&str, u64)> {
        self.active.iter().map(|sink| (sink.name(), sink.load().dropped))
    }

    /// Calls [`Sink::log`] on each; the error is that of the last one that failed.
    pub fn log(&mut self, request: LogRequest) -> Result<(), SinkError> {
        match self.call_all(|sink| sink.log(request)) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Takes out the first sink of this name, which the caller finishes.
    pub fn take(&mut self, name: &str) -> Option<Box<dyn Sink>> {
        let place = self.active.iter().position(|sink| sink.name() == name)?;
        Some(self.active.remove(place))
    }

    /// Calls [`Sink::finish`] on each and removes them.
    pub fn finish(&mut self) {
        self.call_all(|sink| sink.finish());
        self.active.clear();
    }

    /// Makes this call to each sink, and removes those that fail; returns the error of the last one that did.
    pub fn call_all(&mut self, mut call: impl FnMut(&mut dyn Sink) -> Result<(), SinkError>) -> Option<SinkError> {
        let mut last = None;
        self.active.retain_mut(|sink| {
            let Err(error) = call(sink.as_mut()) else { return true };
            let reported = error.clone().note(format!("{} stops, the simulation continues", sink.name()));
            tracing::error!(diagnostic = reported.as_value());
            // Saves what can be saved; the first error is the one reported.
            let _ = sink.finish();
            self.failed.push(sink.name().to_string());
            last = Some(error);
            false
        });
        last
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use skidpad_math::time::SimTime;

    use super::*;

    /// Records its calls, and fails at the frame of a given step.
    struct Probe {
        fail_at: u64,
        calls: Arc<Mutex<Vec<String>>>,
    }

    impl Sink for Probe {
        fn name(&self) -> &str {
            if self.fail_at > 0 { "bad" } else { "good" }
        }

        fn frame(&mut self, _: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
            self.calls.lock().unwrap().push(format!("{} {}", self.name(), frame.step));
            match frame.step == self.fail_at {
                true => Err(SinkError::new("x", "broke")),
                false => Ok(()),
            }
        }

        fn finish(&mut self) -> Result<(), SinkError> {
            self.calls.lock().unwrap().push(format!("{} end", self.name()));
            Ok(())
        }
    }

    #[test]
    fn a_failing_sink_is_finished_and_the_others_continue() {
        let calls = Arc::new(Mutex::new(Vec::new()));
        let mut sinks = Sinks::new();
        sinks.push(Box::new(Probe { fail_at: 2, calls: calls.clone() }));
        sinks.push(Box::new(Probe { fail_at: 0, calls: calls.clone() }));
        let (name, step) = ("test".into(), SimTime(1));
        let scene = Arc::new(Scene { name, step, ..Scene::default() });
        for step in 1..=3 {
            let frame = Frame { step, ..Frame::default() };
            assert!(sinks.frame(&scene, &frame));
        }
        sinks.finish();
        assert_eq!(*calls.lock().unwrap(), ["bad 1", "good 1", "bad 2", "bad end", "good 2", "good 3", "good end"]);
        assert_eq!(sinks.failed(), ["bad"]);
        assert!(!sinks.frame(&scene, &Frame::default()), "nobody is left to see it");
    }
}
