//! The topics of one sensor: a file for each kind, which says what its messages hold, how large they are, and when they are sent.

mod cameras;
pub mod contact;
pub mod encoder;
pub mod gnss;
mod imu;
mod lidar2d;
mod lidar3d;
pub mod magnetometer;
mod mocap;
pub mod range;

use std::convert::Infallible;

use skidpad_math::time::SimTime;
use skidpad_sim::sensor::{Delivered, Reading, SensorInfo, SensorKind};

use super::schema::Definition;
use super::{Announce, AnyMessage, ErrorOf, Kind, Message, Quality, TopicChannel, TopicWriter};

/// The message types of the files of this folder with their definitions.
pub(super) const DEFINITIONS: &[&[Definition]] =
    &[contact::DEFINITIONS, encoder::DEFINITIONS, gnss::DEFINITIONS, magnetometer::DEFINITIONS, range::DEFINITIONS];

/// Announces the topics of a sensor, in the order of [`SensorKind::topics`].
fn announce<A: Announce>(list: &mut TopicList<'_, A>, sensor: &SensorInfo) -> Result<(), A::Error> {
    match &sensor.kind {
        SensorKind::Lidar2d(geometry) => lidar2d::announce(list, sensor, geometry),
        SensorKind::Lidar3d(geometry) => lidar3d::announce(list, *geometry),
        SensorKind::Camera(model) => cameras::announce_camera(list, model),
        SensorKind::Rgbd(model) => cameras::announce_rgbd(list, model),
        SensorKind::Imu(variances) => imu::announce(list, variances),
        SensorKind::Gnss(accuracy) => gnss::announce(list, *accuracy),
        SensorKind::Encoder(info) => encoder::announce(list, info),
        SensorKind::Magnetometer(accuracy) => magnetometer::announce(list, accuracy),
        SensorKind::Contact(_) => contact::announce(list),
        SensorKind::Range(geometry) => range::announce(list, geometry),
        SensorKind::Mocap(stamp) => mocap::announce(list, *stamp),
    }
}

/// The topics of one sensor that are selected.
pub struct SensorMessages<C: TopicChannel> {
    topics: Vec<Box<dyn SampleTopic<C>>>,
}

impl<C: TopicChannel> SensorMessages<C> {
    /// Announces the topics with these names, in the order of [`SensorKind::topics`]. `frame` is the frame of the sensor, `map` that of the
    /// world.
    ///
    /// # Errors
    /// As [`Announce::channel`].
    pub fn new<A: Announce<Channel = C>>(
        on: &mut A,
        sensor: &SensorInfo,
        names: &[String],
        frame: &str,
        map: &str,
    ) -> Result<SensorMessages<C>, A::Error> {
        let mut list = TopicList { on, names: names.iter(), frame, map, lengths: Vec::new(), topics: Vec::new() };
        announce(&mut list, sensor)?;
        Ok(SensorMessages { topics: list.topics })
    }

    /// Sends a reading of the sensor: all samples that were delivered together.
    ///
    /// # Errors
    /// As [`TopicChannel::send`].
    pub fn send(&mut self, output: &mut C::Output, reading: &Reading) -> Result<(), ErrorOf<C>> {
        for sample in reading.samples() {
            self.topics.iter_mut().try_for_each(|topic| topic.send(output, sample))?;
        }
        Ok(())
    }
}

/// The data of the messages on each topic of a sensor that grow with its size [bytes]: pictures, clouds and scans, with every ray returned. Compressed
/// pictures are left out, since they are smaller than the picture beside them; so are the few hundred bytes that each message has besides.
pub fn sample_data(sensor: &SensorInfo) -> Vec<u64> {
    let names: Vec<String> = sensor.kind.topics().map(|topic| topic.suffix.to_owned()).collect();
    let on = &mut Nowhere;
    let mut list = TopicList { on, names: names.iter(), frame: "", map: "", lengths: Vec::new(), topics: Vec::new() };
    let Ok(()) = announce(&mut list, sensor);
    list.lengths.retain(|length| *length > 0);
    list.lengths
}

/// An output without topics.
struct Nowhere;

impl TopicChannel for Nowhere {
    type Output = ();
    type Error = Infallible;

    fn send(&mut self, (): &mut (), _: SimTime, _: &dyn AnyMessage) -> Result<(), Infallible> {
        Ok(())
    }
}

impl Announce for Nowhere {
    type Channel = Nowhere;
    type Error = Infallible;

    fn channel(&mut self, _: &str, _: Kind, _: Quality) -> Result<Option<Nowhere>, Infallible> {
        Ok(None)
    }
}

/// How long the messages of a topic are.
#[derive(Clone, Copy)]
enum Length {
    /// A few hundred bytes, whatever the sensor.
    Small,
    /// So many bytes [bytes].
    Of(u64),
    /// So many [bytes], and made only where something receives them.
    OnDemand(u64),
}

/// A topic of a sensor.
trait SampleTopic<C: TopicChannel>: Send {
    /// Sends a sample, if its messages carry it and something receives them. The stamp is that of the sample, the time of the message when it
    /// arrived.
    fn send(&mut self, output: &mut C::Output, sample: Delivered<'_>) -> Result<(), ErrorOf<C>>;
}

/// A topic whose messages are filled by a function, which says whether there is one to send.
struct FilledTopic<C, M, F> {
    writer: TopicWriter<C, M>,
    is_on_demand: bool,
    fill: F,
}

impl<C, M, F> SampleTopic<C> for FilledTopic<C, M, F>
where
    C: TopicChannel,
    M: Message,
    F: FnMut(Delivered<'_>, &mut M) -> bool + Send,
{
    fn send(&mut self, output: &mut C::Output, sample: Delivered<'_>) -> Result<(), ErrorOf<C>> {
        let is_idle = self.is_on_demand && !self.writer.channel.has_receivers();
        if is_idle || !(self.fill)(sample, &mut self.writer.message) {
            return Ok(());
        }
        self.writer.send(output, sample.arrived)
    }
}

/// The topics of a sensor while they are announced.
struct TopicList<'a, A: Announce> {
    on: &'a mut A,
    /// The names of the next topics.
    names: std::slice::Iter<'a, String>,
    /// The frame of the sensor.
    frame: &'a str,
    /// The frame of the world.
    map: &'a str,
    /// The lengths of the messages so far that grow with the sensor [bytes].
    lengths: Vec<u64>,
    topics: Vec<Box<dyn SampleTopic<A::Channel>>>,
}

impl<A: Announce> TopicList<'_, A> {
    /// Announces the next topic, on which `message` is sent whenever `fill` has filled it with a sample.
    fn add<M: Message>(
        &mut self,
        length: Length,
        message: M,
        fill: impl FnMut(Delivered<'_>, &mut M) -> bool + Send + 'static,
    ) -> Result<(), A::Error> {
        let Some(name) = self.names.next() else { return Ok(()) };
        let (bytes, is_on_demand) = match length {
            Length::Small => (0, false),
            Length::Of(bytes) => (bytes, false),
            Length::OnDemand(bytes) => (bytes, true),
        };
        self.lengths.push(bytes);
        if let Some(writer) = self.on.announce(name, Quality::Data, message)? {
            self.topics.push(Box::new(FilledTopic { writer, is_on_demand, fill }));
        }
        Ok(())
    }
}

#[cfg(test)]
mod size_tests;
#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use skidpad_math::Pose3;
    use skidpad_sim::sensor::camera::{Film, Lens};
    use skidpad_sim::sensor::rgbd_camera::{DepthEncoding, DepthModel, RgbModel};
    use skidpad_sim::sensor::{
        CameraModel, CloudGeometry, CloudLayout, ContactSector, EncoderInfo, GnssAccuracy, ImuNoise, ImuVariances,
        MagnetometerAccuracy, MocapStamp, Radiation, RangeGeometry, RgbdModel, SENSORS, ScanGeometry,
    };

    use super::*;

    /// Notes the types of the announced topics.
    #[derive(Default)]
    struct Announced(Vec<&'static str>);

    impl Announce for Announced {
        type Channel = Nowhere;
        type Error = Infallible;

        fn channel(&mut self, _: &str, kind: Kind, _: Quality) -> Result<Option<Nowhere>, Infallible> {
            self.0.push(kind.name);
            Ok(Some(Nowhere))
        }
    }

    fn camera() -> CameraModel {
        let (lens, film) = (Lens::default(), Film::default());
        CameraModel { lens, clip: [0.1, 1.0], film, jpeg_quality: Some(80), baseline: 0.0, has_labels: true }
    }

    fn both() -> RgbdModel {
        let CameraModel { lens, clip, film, .. } = camera();
        let depth = DepthModel {
            lens,
            clip,
            encoding: DepthEncoding::Units,
            resolution: 1e-3,
            noise: [0.0; 2],
            least_cosine: 0.0,
            edge_shadow: 0.0,
            quantization: Some(100.0),
            has_labels: true,
            has_image: true,
            has_points: true,
            has_colors: true,
        };
        let sensor_from_rgb = Pose3::default();
        let rgb = RgbModel { lens, clip, film, sensor_from_rgb, jpeg_quality: Some(80), has_labels: true };
        RgbdModel { rgb: Some(rgb), depth: Some(depth) }
    }

    /// One of each class, with all its topics.
    fn kinds() -> Vec<SensorKind> {
        let noise = ImuNoise::default();
        let variances = ImuVariances { orientation: None, angular_velocity: 0.0, linear_acceleration: 0.0, noise };
        let rays = CloudGeometry {
            rings: 1,
            columns: 1,
            is_organized: false,
            layout: CloudLayout::Mvsim,
            is_numbered_down: false,
            has_labels: false,
            range_max: 1.0,
        };
        let accuracy = GnssAccuracy {
            horizontal_variance: 1.0,
            vertical_variance: 1.0,
            velocity_variance: 1.0,
            publishes_no_fix: false,
        };
        vec![
            SensorKind::Lidar2d(ScanGeometry { has_points: true, ..ScanGeometry::default() }),
            SensorKind::Lidar3d(rays),
            SensorKind::Camera(camera()),
            SensorKind::Rgbd(Box::new(both())),
            SensorKind::Imu(variances),
            SensorKind::Gnss(accuracy),
            SensorKind::Magnetometer(MagnetometerAccuracy { variance: 1.0 }),
            SensorKind::Encoder(EncoderInfo { wheels: vec!["left".into()], ticks_per_revolution: 10 }),
            SensorKind::Contact(ContactSector::default()),
            SensorKind::Range(RangeGeometry {
                radiation: Radiation::Ultrasound,
                fov: 0.5,
                range: [0.1, 1.0],
                variance: 0.0,
                rays: 1,
            }),
            SensorKind::Mocap(MocapStamp::Sample),
        ]
    }

    /// [`SENSORS`] lies below the messages and cannot refer to their types.
    #[test]
    fn the_table_of_sensors_has_the_published_types() {
        let kinds = kinds();
        assert!(kinds.iter().map(|kind| kind.entry().name).eq(SENSORS.iter().map(|entry| entry.name)));
        for kind in kinds {
            let types: Vec<_> = kind.topics().map(|topic| topic.message).collect();
            let names: Vec<_> = kind.topics().map(|topic| format!("sensor{}", topic.suffix)).collect();
            assert_eq!(types.len(), kind.entry().topics.len());
            let info = SensorInfo { name: "sensor".into(), kind, ..SensorInfo::default() };
            let mut announced = Announced::default();
            let Ok(_) = SensorMessages::new(&mut announced, &info, &names, "sensor", "map");
            assert_eq!(announced.0, types);
        }
    }
}
