//! What the sensors of a world may cost together: rays, pixels, memory, and data in a second.
//!
//! A few lines of a world file can ask for more memory than any machine has, so all sensors of a world are counted
//! against one budget before their first look. Its limits are far above fleets that are simulated, such as 200 robots
//! with planar lidars of 1081 beams, or ten robots that have a lidar of 128 rings of 2048 columns and four cameras of
//! 1920 x 1080 pixels each; and at each of them sensors still fit into the memory of a workstation, beside the copies
//! that outputs have of their samples.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use skidpad_math::time::SimTime;

use super::{ReadingData, Sensor};

/// Most rays of all lidars and range finders of a world, each counted with one sample: four lidars of the largest size.
pub const MAX_RAYS: u64 = 16_000_000;
/// Most pixels of all cameras of a world, each counted with one picture and as often as it is sampled: 48 of 1920 x 1080 with one
/// sample a pixel.
pub const MAX_PIXELS: u64 = 100_000_000;
/// Most memory of all sensors of a world [bytes]: a quarter of what workstations have.
pub const MAX_MEMORY: u64 = 4_000_000_000;
/// Most data of all sensors of a world in a simulated second [bytes/s]: as fast as a processor copies memory.
pub const MAX_DATA_RATE: f64 = 16e9;

/// Memory of any sensor, with its names, its description and the streams of its noise [bytes].
const OF_ANY: u64 = 4096;

/// What one sample of a sensor takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SensorSize {
    /// Rays that are cast for it, other than those of pixels.
    pub rays: u64,
    /// Pixels in it, each counted as often as it is sampled.
    pub pixels: u64,
    /// Size of the sample [bytes].
    pub sample: u64,
    /// Memory that the sensor keeps besides samples [bytes].
    pub scratch: u64,
    /// Samples in memory at a time, under way or not; those of all sensors, one being taken and one to read, do not count.
    pub waiting: u64,
}

/// What sensors cost together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SensorLoad {
    /// Rays of one sample of each.
    pub rays: u64,
    /// Pixels of one picture of each, as often as they are sampled.
    pub pixels: u64,
    /// Memory [bytes].
    pub memory: u64,
    /// Data in a simulated second [bytes/s].
    pub data_rate: f64,
}

impl SensorSize {
    /// That of a sensor whose samples are a few numbers.
    pub const SMALL: SensorSize =
        SensorSize { rays: 0, pixels: 0, sample: size_of::<ReadingData>() as u64, scratch: 0, waiting: 0 };
}

impl SensorLoad {
    /// That of a sensor in a world with this step [ns]; 0 if it is not known yet.
    pub fn of(sensor: &dyn Sensor, step: SimTime) -> SensorLoad {
        let SensorSize { rays, pixels, sample, scratch, waiting } = sensor.size();
        let interval = sensor.info().interval(step);
        let in_a_step = (step.0 / interval.0.max(1)).max(0) as u64;
        SensorLoad {
            rays,
            pixels,
            memory: OF_ANY.saturating_add(scratch).saturating_add(sample.saturating_mul(2 + waiting + in_a_step)),
            data_rate: sample as f64 / interval.secs(),
        }
    }

    /// The first limit that it exceeds.
    pub fn excess(&self) -> Option<Excess> {
        // Rounded up, so that what exceeds a limit reads as more.
        let megabytes = |bytes: f64| format!("{} MB", libm::ceil(bytes / 1e6));
        if self.rays > MAX_RAYS {
            Some(Excess::of(
                format!("cast {} rays in one sample of each sensor", self.rays),
                format!("{MAX_RAYS} rays"),
            ))
        } else if self.pixels > MAX_PIXELS {
            let found = format!("take {} pixels in one picture of each camera", self.pixels);
            Some(Excess::of(found, format!("{MAX_PIXELS} pixels")))
        } else if self.memory > MAX_MEMORY {
            let found = format!("take {} of memory", megabytes(self.memory as f64));
            Some(Excess {
                hint: "fewer rays and pixels, or shorter delays",
                ..Excess::of(found, megabytes(MAX_MEMORY as f64))
            })
        } else if self.data_rate > MAX_DATA_RATE {
            let found = format!("make {} per simulated second", megabytes(self.data_rate));
            Some(Excess {
                hint: "fewer rays and pixels, or longer periods",
                ..Excess::of(found, megabytes(MAX_DATA_RATE))
            })
        } else {
            None
        }
    }
}

impl Add for SensorLoad {
    type Output = SensorLoad;

    fn add(self, other: SensorLoad) -> SensorLoad {
        SensorLoad {
            rays: self.rays.saturating_add(other.rays),
            pixels: self.pixels.saturating_add(other.pixels),
            memory: self.memory.saturating_add(other.memory),
            data_rate: self.data_rate + other.data_rate,
        }
    }
}

impl Sum for SensorLoad {
    fn sum<I: Iterator<Item = SensorLoad>>(loads: I) -> SensorLoad {
        loads.fold(SensorLoad::default(), Add::add)
    }
}

/// A limit that is exceeded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excess {
    /// What all sensors do, such as `take 5000 MB of memory`.
    pub found: String,
    /// What is accepted, such as `at most 4000 MB`.
    pub accepted: String,
    /// How to get there.
    pub hint: &'static str,
}

impl Excess {
    fn of(found: String, most: String) -> Excess {
        Excess { found, accepted: format!("at most {most}"), hint: "fewer or smaller sensors" }
    }
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Excess { found, accepted, hint } = self;
        write!(f, "the sensors of this world would {found}\n  accepted: {accepted}\n  hint: {hint}")
    }
}

/// Memory of sensors that are being built for a world, or have been built and are not in it yet. Callers may have
/// several built at once, so all of them together get what the world may have.
#[derive(Debug, Default)]
pub struct Claim {
    /// Of all claims on the world [bytes].
    all: Arc<AtomicU64>,
    /// Of this claim [bytes].
    bytes: u64,
}

impl Claim {
    /// One of those that `all` [bytes] is the sum of.
    pub fn new(all: &Arc<AtomicU64>) -> Claim {
        Claim { all: Arc::clone(all), bytes: 0 }
    }

    /// Claims so many bytes more; false, without them, if too little is left.
    pub fn grow(&mut self, bytes: u64) -> bool {
        let before = self.all.fetch_add(bytes, Ordering::Relaxed);
        let is_left = before.saturating_add(bytes) <= MAX_MEMORY;
        if is_left {
            self.bytes += bytes;
        } else {
            self.all.fetch_sub(bytes, Ordering::Relaxed);
        }
        is_left
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.all.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_accepted_and_one_more_is_not() {
        let most = SensorLoad { rays: MAX_RAYS, pixels: MAX_PIXELS, memory: MAX_MEMORY, data_rate: MAX_DATA_RATE };
        assert_eq!(most.excess(), None);
        let reported = |load: SensorLoad| load.excess().map(|excess| excess.to_string()).unwrap_or_default();
        assert_eq!(
            reported(SensorLoad { rays: MAX_RAYS + 1, ..most }),
            "the sensors of this world would cast 16000001 rays in one sample of each sensor\n  accepted: at most 16000000 rays\n  \
             hint: fewer or smaller sensors"
        );
        assert_eq!(
            reported(SensorLoad { pixels: MAX_PIXELS + 1, ..most }),
            "the sensors of this world would take 100000001 pixels in one picture of each camera\n  accepted: at most 100000000 pixels\n  \
             hint: fewer or smaller sensors"
        );
        assert_eq!(
            reported(SensorLoad { memory: MAX_MEMORY + 1, ..most }),
            "the sensors of this world would take 4001 MB of memory\n  accepted: at most 4000 MB\n  \
             hint: fewer rays and pixels, or shorter delays"
        );
        assert_eq!(
            reported(SensorLoad { data_rate: 2.0 * MAX_DATA_RATE, ..most }),
            "the sensors of this world would make 32000 MB per simulated second\n  accepted: at most 16000 MB\n  \
             hint: fewer rays and pixels, or longer periods"
        );
    }

    #[test]
    fn what_is_claimed_comes_back() {
        let all = Arc::default();
        let [mut first, mut second] = [Claim::new(&all), Claim::new(&all)];
        assert!(first.grow(MAX_MEMORY - 10) && second.grow(10));
        assert!(!second.grow(1));
        drop(first);
        assert!(second.grow(MAX_MEMORY - 10));
        drop(second);
        assert_eq!(all.load(Ordering::Relaxed), 0);
    }
}
