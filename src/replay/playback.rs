//! What a player shows: a recording, alone or with a ghost from a second one.

use std::sync::Arc;

use skidpad_math::time::SimTime;
use skidpad_server::hub::PublishedScene;
use skidpad_server::sensor_data::SensorData;
use skidpad_view::sensor_data::TopicKey;
use skidpad_view::state::{ViewScan, ViewState};

use super::{Ghost, Replay, ghost};

/// A recording, and the ghost that accompanies it. Times are those of the recording.
pub struct Playback {
    main: Replay,
    ghost: Option<Box<Ghost>>,
    /// The current instant, where it is after the end of the recording: only the ghost goes on.
    beyond: Option<SimTime>,
}

impl From<Replay> for Playback {
    /// The recording alone, which costs what it costs without this type.
    fn from(main: Replay) -> Playback {
        Playback { main, ghost: None, beyond: None }
    }
}

impl Playback {
    /// The recording with a ghost.
    pub fn with_ghost(main: Replay, ghost: Ghost) -> Playback {
        let mut playback = Playback { main, ghost: Some(Box::new(ghost)), beyond: None };
        playback.follow();
        playback
    }

    /// Beginning of the recording, and the end of what goes on for longer.
    pub fn span(&self) -> (SimTime, SimTime) {
        let (start, end) = self.main.span();
        (start, self.ghost.as_ref().map_or(end, |ghost| end.max(ghost.span().1)))
    }

    /// The current instant.
    pub(super) fn now(&self) -> SimTime {
        self.beyond.unwrap_or_else(|| self.main.now())
    }

    /// Seeks to this time, clamped to the span.
    pub(super) fn seek(&mut self, time: SimTime) {
        let (_, end) = self.main.span();
        self.main.seek(time);
        self.beyond = (time > end && self.ghost.is_some()).then(|| time.min(self.span().1)).filter(|time| *time > end);
        self.follow();
    }

    /// Advances to the next recorded instant, after the end of the recording to that of the ghost; false at the end.
    pub(super) fn step(&mut self) -> bool {
        let has_stepped = self.main.step();
        if !has_stepped {
            let after = self.now();
            let Some(next) = self.ghost.as_mut().and_then(|ghost| ghost.instant_after(after)) else { return false };
            self.beyond = Some(next);
        }
        self.follow();
        true
    }

    /// Revision of the current scene.
    pub(super) fn revision(&self) -> u32 {
        self.main.revision()
    }

    /// The current scene for viewers.
    pub(super) fn shown(&self) -> PublishedScene {
        let shown = self.main.shown();
        match &self.ghost {
            Some(ghost) => ghost.join(shown),
            None => shown,
        }
    }

    /// Fills the state of the current instant.
    pub(super) fn fill(&mut self, state: &mut ViewState) {
        let Some(ghost) = &mut self.ghost else { return self.main.fill(state) };
        let mut frame = self.main.frame();
        if let Some(beyond) = self.beyond {
            frame.time = beyond;
            frame.vehicles.iter_mut().for_each(ghost::stand);
        }
        ghost.add_vehicles(frame.time, &mut frame.vehicles);
        state.fill(self.main.revision(), &frame);
    }

    /// Updates the last scan of each sensor of the recording.
    pub(super) fn fill_scans(&mut self, scans: &mut Vec<Option<ViewScan>>) {
        self.main.fill_scans(scans);
    }

    /// What a topic of the recording shows.
    pub(super) fn sensor_data(&mut self, key: &TopicKey, last: Option<Arc<SensorData>>) -> Option<Arc<SensorData>> {
        self.main.sensor_data(key, last)
    }

    /// Brings the ghost to the instant of the state. Scenes have another revision with each scene of the ghost.
    fn follow(&mut self) {
        let Some(ghost) = &mut self.ghost else { return };
        ghost.seek(self.beyond.unwrap_or_else(|| self.main.frame_time()));
        let scenes = self.main.timeline.scenes.len();
        let first = (ghost.scene() * scenes) as u32;
        if self.main.revision() != first + self.main.scene() as u32 {
            self.main.timeline.count_from(first);
        }
    }
}
