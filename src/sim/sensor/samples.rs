//! Samples of one sensor in buffers that are reused: those that were delivered in one step.

use skidpad_math::Pose3;
use skidpad_math::time::SimTime;

use super::ReadingData;

/// A sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Simulated time at which it was taken [ns].
    pub time: SimTime,
    /// Pose of the vehicle in the world then [m, rad].
    pub world_from_body: Pose3,
    /// The measured values.
    pub data: ReadingData,
}

/// A list of samples that keeps the buffers of those it no longer has.
#[derive(Debug, Default)]
pub struct Samples {
    /// The list, and spare ones after it.
    all: Vec<Sample>,
    count: usize,
}

impl Samples {
    /// The samples, in order of time.
    pub fn as_slice(&self) -> &[Sample] {
        &self.all[..self.count]
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Appends one to be written over: a spare one, or one with data that `make` has made.
    pub(crate) fn append(&mut self, make: impl FnOnce() -> ReadingData) -> &mut Sample {
        if self.count == self.all.len() {
            self.all.push(Sample { time: SimTime::ZERO, world_from_body: Pose3::default(), data: make() });
        }
        self.count += 1;
        &mut self.all[self.count - 1]
    }

    /// Removes the last one and lends it, so that its buffers can be exchanged.
    pub(crate) fn take_last(&mut self) -> Option<&mut Sample> {
        self.count = self.count.checked_sub(1)?;
        self.all.get_mut(self.count)
    }

    /// The samples, to take their data.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Sample> {
        self.all[..self.count].iter_mut()
    }

    /// Copies another list into the buffers of this one.
    pub fn copy_from(&mut self, other: &Samples) {
        self.clear();
        for Sample { time, world_from_body, data } in other.as_slice() {
            let copy = self.append(|| data.clone());
            (copy.time, copy.world_from_body) = (*time, *world_from_body);
            copy.data.copy_from(data);
        }
    }
}

impl Clone for Samples {
    fn clone(&self) -> Samples {
        Samples { all: self.as_slice().to_vec(), count: self.count }
    }
}

impl PartialEq for Samples {
    fn eq(&self, other: &Samples) -> bool {
        self.as_slice() == other.as_slice()
    }
}
