//! How samples get to those who use them: late, or not at all. Every class of sensors has these tags:
//!
//! ```xml
//! <sample_drop_out>0</sample_drop_out>         share of samples that are lost [-], 0 to 1
//! <sample_drop_out_time>0</…>                  mean time for which samples are lost one after the other [s]; 0: each by itself
//! <sample_delay>0</sample_delay>               time from a sample to its message [s], 0 to 10
//! <sample_delay_std_noise>0</…>                standard deviation of that time [s], 0 to 10
//! ```
//! A message that is late has the time of its sample. Messages keep their order: none overtakes another one. A sample
//! is delivered in the first step at or after its time, and one in a step; of a sensor that samples between steps all
//! that have arrived. Losses and delays have streams of their own. A sample that nobody wants has its turn like the
//! others, so that they arrive when they would after it.
//!
//! Losses that last are those of a Markov chain of two states (E. N. Gilbert, Bell System Technical Journal 39, 1960, with
//! all samples of the bad state lost): with the share p and a mean length of L samples, one is lost after a lost one with
//! the probability 1 − 1/L, and after another one with p/((1 − p)·L).

use std::collections::VecDeque;

use skidpad_math::Pose3;
use skidpad_math::time::SimTime;
use skidpad_xml::{Accept, Reader};

use super::{Reading, ReadingData, Sensor, SensorContext, SensorInfo, SensorSize, Touch, View, WhiteNoise};
use crate::raycast::space::Ray;

/// Most samples of a sensor that are under way.
const MAX_UNDER_WAY: usize = 64;

/// How samples are lost and delayed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeliveryParameters {
    /// Share of samples that are lost [-].
    pub drop_out: f64,
    /// Mean number of samples that are lost one after the other [-], at least 1/(1 − share); none: each is lost by itself.
    pub drop_out_length: Option<f64>,
    /// Mean time from a sample to its message [s].
    pub delay: f64,
    /// Its standard deviation [s].
    pub delay_std: f64,
}

impl DeliveryParameters {
    /// All samples, at once.
    pub const AT_ONCE: DeliveryParameters =
        DeliveryParameters { drop_out: 0.0, drop_out_length: None, delay: 0.0, delay_std: 0.0 };

    /// Reads the tags above, for a sensor with this period; none if all samples are delivered at once.
    pub fn read(reader: &Reader<'_>, period: SimTime) -> Option<DeliveryParameters> {
        let time = |tag| reader.f64(tag, 0.0, Accept::range(0.0, 10.0));
        let drop_out = reader.f64("sample_drop_out", 0.0, Accept::range(0.0, 1.0));
        let parameters = DeliveryParameters {
            drop_out,
            drop_out_length: read_length(reader, drop_out, period.secs()),
            delay: time("sample_delay"),
            delay_std: time("sample_delay_std_noise"),
        };
        let longest = MAX_UNDER_WAY as f64 * period.secs();
        let DeliveryParameters { delay, delay_std, .. } = parameters;
        if delay + 4.0 * delay_std > longest {
            reader
                .error_at("sample_delay", format!("a delay of {delay} ± {delay_std} s"))
                .accepted([format!("delay and four times its deviation up to {MAX_UNDER_WAY} periods, {longest} s")]);
        }
        (drop_out > 0.0 || delay > 0.0 || delay_std > 0.0).then_some(parameters)
    }

    /// The probability that a sample is lost [-], by whether the one before was; none: it is the first.
    fn loss_after(&self, before: Option<bool>) -> f64 {
        let share = self.drop_out;
        match (self.drop_out_length, before) {
            (Some(length), Some(true)) => 1.0 - 1.0 / length,
            (Some(length), Some(false)) => share / ((1.0 - share) * length),
            _ => share,
        }
    }
}

/// Mean number of samples that are lost one after the other [-], of a sensor with this period [s] that loses such a
/// share; none: each is lost by itself.
fn read_length(reader: &Reader<'_>, share: f64, period: f64) -> Option<f64> {
    let tag = "sample_drop_out_time";
    let time = Some(reader.f64(tag, 0.0, Accept::non_negative())).filter(|time| *time > 0.0)?;
    if share == 0.0 || share == 1.0 {
        let lost = if share == 0.0 { "no samples are" } else { "every sample is" };
        reader.warn_at(tag, format!("{tag} has no effect: {lost} lost")).hint("see sample_drop_out");
        return None;
    }
    let shortest = 1.0 / (1.0 - share);
    if time < shortest * period {
        reader
            .error_at(tag, format!("losses of {time} s"))
            .accepted([format!("0, or at least {} s, the mean length of random losses", shortest * period)]);
    }
    Some((time / period).max(shortest))
}

/// A sample under way.
#[derive(Debug)]
struct UnderWay {
    arrives: SimTime,
    taken: SimTime,
    /// Pose of the vehicle when it was taken [m, rad].
    world_from_body: Pose3,
    /// None: it was not taken.
    data: Option<ReadingData>,
}

/// A sensor whose samples are lost or late.
pub struct DeliveredSensor {
    sensor: Box<dyn Sensor>,
    parameters: DeliveryParameters,
    losses: WhiteNoise,
    /// Whether the sample before was lost; none before the first.
    was_lost: Option<bool>,
    /// Probability that a fault loses a sample besides [-], and its stream.
    extra_loss: f64,
    extra_losses: WhiteNoise,
    delays: WhiteNoise,
    under_way: VecDeque<UnderWay>,
    /// Buffers that are free.
    spare: Vec<ReadingData>,
    /// When the sample before arrives [ns].
    before: SimTime,
}

impl DeliveredSensor {
    /// A sensor whose samples are delivered in this way, with the streams of the sensor in `context`.
    pub fn new(sensor: Box<dyn Sensor>, parameters: DeliveryParameters, context: &SensorContext) -> DeliveredSensor {
        let noise =
            |name| WhiteNoise::new(context.seed, &format!("{}/{}/sample/{name}", context.vehicle, context.name));
        DeliveredSensor {
            sensor,
            parameters,
            losses: noise("drop_out"),
            was_lost: None,
            extra_loss: 0.0,
            extra_losses: noise("fault"),
            delays: noise("delay"),
            under_way: VecDeque::with_capacity(MAX_UNDER_WAY),
            spare: Vec::new(),
            before: SimTime::ZERO,
        }
    }

    /// Loses this share of samples [-] besides from now on.
    pub(crate) fn set_extra_loss(&mut self, share: f64) {
        self.extra_loss = share;
    }

    /// Loses what is under way.
    pub(crate) fn lose_all(&mut self) {
        self.spare.extend(self.under_way.drain(..).filter_map(|sample| sample.data));
    }

    /// Sends the sample `data`, taken `now` [ns] where the vehicle is; it has another buffer afterwards.
    pub fn send(&mut self, now: SimTime, world_from_body: Pose3, data: &mut ReadingData) {
        let Some(arrives) = self.next_arrival(now) else { return };
        let buffer = self.spare.pop().unwrap_or_else(|| self.sensor.new_reading());
        let data = Some(std::mem::replace(data, buffer));
        self.under_way.push_back(UnderWay { arrives, taken: now, world_from_body, data });
    }

    /// When a sample that is taken `now` [ns] arrives; none: it is lost.
    fn next_arrival(&mut self, now: SimTime) -> Option<SimTime> {
        let DeliveryParameters { delay, delay_std, .. } = self.parameters;
        let share = self.parameters.loss_after(self.was_lost);
        let (is_lost, deviation) = (self.losses.strikes(share), self.delays.sample());
        self.was_lost = Some(is_lost);
        let is_lost = is_lost || self.extra_loss > 0.0 && self.extra_losses.strikes(self.extra_loss);
        // Those of a step arrive together where there are several, and are few numbers.
        if is_lost || self.under_way.len() >= MAX_UNDER_WAY && !self.interpolates() {
            return None;
        }
        let delay = SimTime::from_secs((delay + delay_std * deviation).max(0.0));
        self.before = self.before.max(now + delay);
        Some(self.before)
    }

    /// Writes the first sample that has arrived by `now` [ns], if any, to the slot of the sensor; of one that samples
    /// between steps all that have.
    pub fn receive(&mut self, now: SimTime, reading: &mut Reading) {
        let takes_all = self.interpolates();
        let mut is_first = true;
        while self.under_way.front().is_some_and(|first| first.arrives <= now) {
            let Some(UnderWay { taken, world_from_body, data, .. }) = self.under_way.pop_front() else { return };
            let Some(data) = data else {
                reading.pass(now);
                return;
            };
            if is_first {
                reading.earlier.clear();
            } else {
                let spare = &mut self.spare;
                let earlier = reading.earlier.append(|| spare.pop().unwrap_or_else(|| self.sensor.new_reading()));
                (earlier.time, earlier.world_from_body) = (reading.time, reading.world_from_body);
                std::mem::swap(&mut earlier.data, &mut reading.data);
            }
            (reading.time, reading.arrived, reading.world_from_body) = (taken, now, world_from_body);
            self.spare.push(std::mem::replace(&mut reading.data, data));
            if !takes_all {
                return;
            }
            is_first = false;
        }
    }
}

impl Sensor for DeliveredSensor {
    fn info(&self) -> &SensorInfo {
        self.sensor.info()
    }

    fn needs_space(&self) -> bool {
        self.sensor.needs_space()
    }

    fn needs_colors(&self) -> bool {
        self.sensor.needs_colors()
    }

    fn sees_motion(&self) -> bool {
        self.sensor.sees_motion()
    }

    fn probes(&self) -> Vec<Ray> {
        self.sensor.probes()
    }

    fn size(&self) -> SensorSize {
        let DeliveryParameters { delay, delay_std, .. } = self.parameters;
        let periods = libm::ceil((delay + 4.0 * delay_std) / self.info().period.secs());
        // One more is on its way from the buffer of samples to those that wait.
        SensorSize { waiting: 1 + (periods as u64).min(MAX_UNDER_WAY as u64), ..self.sensor.size() }
    }

    fn new_reading(&self) -> ReadingData {
        self.sensor.new_reading()
    }

    fn watches(&self) -> bool {
        self.sensor.watches()
    }

    fn watch(&mut self, view: &View<'_>) {
        self.sensor.watch(view);
    }

    fn feels(&self) -> bool {
        self.sensor.feels()
    }

    fn feel(&mut self, touch: &Touch<'_>) {
        self.sensor.feel(touch);
    }

    fn delivery(&mut self) -> Option<&mut DeliveredSensor> {
        Some(self)
    }

    fn restart(&mut self) {
        self.sensor.restart();
        self.losses.restart();
        self.was_lost = None;
        self.extra_losses.restart();
        self.delays.restart();
        self.lose_all();
        self.before = SimTime::ZERO;
    }

    fn skip(&mut self, time: SimTime, world_from_body: Pose3) {
        self.sensor.skip(time, world_from_body);
        if let Some(arrives) = self.next_arrival(time) {
            self.under_way.push_back(UnderWay { arrives, taken: time, world_from_body, data: None });
        }
    }

    fn sense(&mut self, view: &View<'_>, out: &mut ReadingData) {
        self.sensor.sense(view, out);
    }
}

#[cfg(test)]
mod tests {
    use super::super::RangeSample;
    use super::*;
    use crate::sensor::{RangeFinder, RangeParameters};

    const PERIOD: SimTime = SimTime(10_000_000);
    const NONE: DeliveryParameters = DeliveryParameters::AT_ONCE;

    /// The times at which samples that say when they were taken [s] are received, with what they say, at steps of 1 ms for 20 s.
    fn received(parameters: DeliveryParameters) -> Vec<(f64, f64, f64)> {
        let context = SensorContext { seed: 2, vehicle: "r1".into(), name: "sonar".into(), wheels: Vec::new() };
        let inner = Box::new(RangeFinder::new(RangeParameters::default(), &context));
        let mut sensor = DeliveredSensor::new(inner, parameters, &context);
        let mut reading = Reading::empty(&sensor, 0, 0);
        let mut received = Vec::new();
        for step in 1..20_000 {
            let now = SimTime(step * 1_000_000);
            if now.0 % PERIOD.0 == 0 {
                let mut data = ReadingData::Range(RangeSample { range: now.secs(), rays: 1 });
                sensor.send(now, Pose3 { x: now.secs(), ..Pose3::default() }, &mut data);
            }
            sensor.receive(now, &mut reading);
            if reading.is_fresh(now) {
                let ReadingData::Range(sample) = &reading.data else { panic!("{reading:?}") };
                assert_eq!(reading.world_from_body.x, reading.time.secs(), "the pose is that of the sample");
                received.push((now.secs(), reading.time.secs(), sample.range));
            }
        }
        received
    }

    #[test]
    fn a_sample_that_is_late_keeps_its_time() {
        let actual = received(DeliveryParameters { delay: 0.0345, ..NONE });
        assert_eq!(actual.len(), 1996);
        for (at, stamp, range) in actual {
            assert_eq!(stamp, range);
            assert!((at - stamp - 0.035).abs() < 1e-9, "the first step at or after its time: {at} {stamp}");
        }
    }

    #[test]
    fn delays_differ_and_none_overtakes() {
        let actual = received(DeliveryParameters { delay: 0.05, delay_std: 0.02, ..NONE });
        assert!(actual.windows(2).all(|pair| pair[0].1 < pair[1].1 && pair[0].0 < pair[1].0));
        let delays: Vec<f64> = actual.iter().map(|(at, stamp, _)| at - stamp).collect();
        let mean = delays.iter().sum::<f64>() / delays.len() as f64;
        // Those that wait for the one before are later than by themselves.
        assert!((0.05..0.07).contains(&mean), "{mean}");
        let [shortest, longest] = [f64::min, f64::max].map(|pick| delays.iter().copied().reduce(pick).unwrap());
        assert!(longest - shortest > 0.05, "{shortest} {longest}");
    }

    #[test]
    fn samples_are_lost_with_their_share_and_again_after_a_restart() {
        let lossy = DeliveryParameters { drop_out: 0.3, ..NONE };
        let actual = received(lossy);
        // Four standard deviations of a binomial count.
        assert!(actual.len().abs_diff(1400) < 82, "{}", actual.len());
        assert!(actual.iter().all(|(at, stamp, _)| at == stamp));
        assert_eq!(received(lossy), actual);
    }

    #[test]
    fn losses_that_last_have_their_share_and_their_length() {
        let parameters = DeliveryParameters { drop_out: 0.2, drop_out_length: Some(12.5), ..NONE };
        let times: Vec<f64> = received(parameters).iter().map(|(at, ..)| *at).collect();
        // Of 2000 samples; losses of 12.5 with pauses of 50 come 32 times.
        let gaps = times.windows(2).map(|pair| ((pair[1] - pair[0]) / PERIOD.secs()).round() - 1.0);
        let lengths: Vec<f64> = gaps.filter(|gap| *gap > 0.0).collect();
        let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
        assert!((18..50).contains(&lengths.len()) && (8.0..18.0).contains(&mean), "{} {mean}", lengths.len());
        // The chain keeps the share: p = p·(1 − 1/L) + (1 − p)·p/((1 − p)·L).
        let [after_lost, after_other] = [true, false].map(|before| parameters.loss_after(Some(before)));
        assert!((0.2 * after_lost + 0.8 * after_other - 0.2).abs() < 1e-15);
        // As long as those of chance, they are those.
        let alone = DeliveryParameters { drop_out_length: Some(1.25), ..parameters };
        assert!([true, false].iter().all(|before| (alone.loss_after(Some(*before)) - 0.2).abs() < 1e-15));
    }
}
