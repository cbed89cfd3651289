//! The topics of one sensor, by kind of reading.

use skidpad_sim::sensor::camera::{ColorOrder, Lens};
use skidpad_sim::sensor::rgbd_camera::{DEPTH_FRAME, DepthModel, RGB_FRAME, RgbdModel};
use skidpad_sim::sensor::{
    CameraModel, CloudGeometry, Delivered, EncoderInfo, GnssAccuracy, MocapStamp, Photograph, Reading, ReadingData,
    RgbdPhotograph, SensorInfo, SensorKind,
};

use super::camera::{self, Compressor, DepthCompressor, Points};
use super::cloud::{self, PointCloud2};
use super::scan_points::ScanPoints;
use super::{
    Announce, Bool, CameraInfo, CompressedImage, Contacts, ErrorOf, Image, Imu, Int64MultiArray, JointState, LaserScan,
    MagneticField, Message, NavSatFix, PoseStamped, Quality, Range, TopicChannel, TopicWriter,
    TwistWithCovarianceStamped, contact, encoder, fill, gnss, range,
};

/// The topics of one sensor that are selected.
pub struct SensorMessages<C> {
    topics: Vec<ReadingTopic<C>>,
}

/// A topic, by what it carries.
enum ReadingTopic<C> {
    /// The scan of a planar lidar.
    Scan(TopicWriter<C, LaserScan>),
    /// The same as points.
    ScanPoints(ScanPoints, Box<TopicWriter<C, PointCloud2>>),
    /// The points of a lidar in three dimensions.
    Cloud(CloudGeometry, Box<TopicWriter<C, PointCloud2>>),
    /// A colour picture.
    Color(Box<TopicWriter<C, Image>>),
    /// The model of a camera, with each of its pictures.
    CameraInfo(Box<TopicWriter<C, CameraInfo>>),
    /// A compressed colour picture.
    Compressed(Compressor, Box<TopicWriter<C, CompressedImage>>),
    /// A picture of labels, of the half that sees colours.
    Labels(Box<TopicWriter<C, Image>>),
    /// A picture of labels, of the half that measures depths.
    DepthLabels(Box<TopicWriter<C, Image>>),
    /// A depth picture.
    Depth(DepthModel, Box<TopicWriter<C, Image>>),
    /// A compressed depth picture.
    CompressedDepth(DepthCompressor, Box<TopicWriter<C, CompressedImage>>),
    /// The points of a depth picture.
    Points(Points, Box<TopicWriter<C, PointCloud2>>),
    /// The sample of an inertial measurement unit.
    Imu(Box<TopicWriter<C, Imu>>),
    /// The fix of a satellite receiver.
    Fix(GnssAccuracy, Box<TopicWriter<C, NavSatFix>>),
    /// The velocity of a satellite receiver.
    Velocity(Box<TopicWriter<C, TwistWithCovarianceStamped>>),
    /// The angles of wheels by their ticks.
    Joints(EncoderInfo, Box<TopicWriter<C, JointState>>),
    /// The ticks of wheels.
    Ticks(Box<TopicWriter<C, Int64MultiArray>>),
    /// The field that a magnetometer measures.
    Field(Box<TopicWriter<C, MagneticField>>),
    /// What touches a contact sensor.
    Contacts(Box<TopicWriter<C, Contacts>>),
    /// Whether anything does.
    Pressed(Box<TopicWriter<C, Bool>>),
    /// The range of a range finder.
    Range(Box<TopicWriter<C, Range>>),
    /// The pose of a marker body.
    MarkerPose(MocapStamp, Box<TopicWriter<C, PoseStamped>>),
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
        let mut list = TopicList { on, names: names.iter(), topics: Vec::new() };
        match &sensor.kind {
            SensorKind::Lidar2d(geometry) => {
                list.add(fill::scan(sensor, geometry, frame), ReadingTopic::Scan)?;
                if geometry.has_points {
                    let (points, message) = ScanPoints::new(frame, geometry);
                    list.add(message, |topic| ReadingTopic::ScanPoints(points, Box::new(topic)))?;
                }
            }
            SensorKind::Imu(variances) => {
                list.add(fill::measured_imu(frame, variances), |topic| ReadingTopic::Imu(Box::new(topic)))?;
            }
            SensorKind::Lidar3d(geometry) => {
                list.add(cloud::cloud(frame, geometry), |topic| ReadingTopic::Cloud(*geometry, Box::new(topic)))?;
            }
            SensorKind::Camera(model) => list.add_camera(frame, model)?,
            SensorKind::Rgbd(model) => list.add_rgbd(frame, model)?,
            SensorKind::Gnss(accuracy) => {
                list.add(gnss::nav_sat_fix(frame), |topic| ReadingTopic::Fix(*accuracy, Box::new(topic)))?;
                list.add(gnss::gnss_velocity(frame, accuracy), |topic| ReadingTopic::Velocity(Box::new(topic)))?;
            }
            SensorKind::Encoder(info) => {
                list.add(encoder::encoder_joints(frame, info), |topic| {
                    ReadingTopic::Joints(info.clone(), Box::new(topic))
                })?;
                list.add(encoder::tick_counts(info), |topic| ReadingTopic::Ticks(Box::new(topic)))?;
            }
            SensorKind::Magnetometer { variance } => {
                list.add(fill::magnetic_field(frame, *variance), |topic| ReadingTopic::Field(Box::new(topic)))?;
            }
            SensorKind::Contact(_) => {
                list.add(contact::contacts(frame), |topic| ReadingTopic::Contacts(Box::new(topic)))?;
                list.add(Bool::default(), |topic| ReadingTopic::Pressed(Box::new(topic)))?;
            }
            SensorKind::Range(geometry) => {
                list.add(range::range(frame, geometry), |topic| ReadingTopic::Range(Box::new(topic)))?;
            }
            SensorKind::Mocap(stamp) => {
                let in_box = |topic| ReadingTopic::MarkerPose(*stamp, Box::new(topic));
                list.add(fill::stamped_pose(map), in_box)?;
            }
        }
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

impl<C: TopicChannel> ReadingTopic<C> {
    /// Whether its messages are large and nothing receives them.
    fn is_idle(&self) -> bool {
        let has_receivers = match self {
            ReadingTopic::Color(topic)
            | ReadingTopic::Labels(topic)
            | ReadingTopic::DepthLabels(topic)
            | ReadingTopic::Depth(_, topic) => topic.channel.has_receivers(),
            ReadingTopic::Compressed(_, topic) | ReadingTopic::CompressedDepth(_, topic) => {
                topic.channel.has_receivers()
            }
            ReadingTopic::Points(_, topic) => topic.channel.has_receivers(),
            ReadingTopic::ScanPoints(_, topic) => topic.channel.has_receivers(),
            ReadingTopic::Cloud(_, topic) => topic.channel.has_receivers(),
            _ => true,
        };
        !has_receivers
    }

    fn send(&mut self, output: &mut C::Output, sample: Delivered<'_>) -> Result<(), ErrorOf<C>> {
        if self.is_idle() {
            return Ok(());
        }
        // The stamp is that of the sample, the time of the message when it arrived.
        let Delivered { time, arrived, data } = sample;
        match (self, data) {
            (ReadingTopic::Scan(topic), ReadingData::Scan(scan)) => {
                fill::fill_scan(time, &scan.ranges, &mut topic.message);
                topic.send(output, arrived)
            }
            (ReadingTopic::ScanPoints(points, topic), ReadingData::Scan(scan)) => {
                points.fill(time, scan, &mut topic.message);
                topic.send(output, arrived)
            }
            (ReadingTopic::Cloud(geometry, topic), ReadingData::Cloud(points)) => {
                cloud::fill_cloud(time, points, geometry, &mut topic.message);
                topic.send(output, arrived)
            }
            (ReadingTopic::Color(topic), data) => {
                let Some(pixels) = pixels(data) else { return Ok(()) };
                camera::fill_color(time, pixels, &mut topic.message);
                topic.send(output, arrived)
            }
            (ReadingTopic::CameraInfo(topic), ReadingData::Photograph(_) | ReadingData::Rgbd(_)) => {
                topic.message.header.stamp = fill::stamp(time);
                topic.send(output, arrived)
            }
            (ReadingTopic::Compressed(compressor, topic), data) => {
                let Some(pixels) = pixels(data) else { return Ok(()) };
                if compressor.fill(time, pixels, &mut topic.message) { topic.send(output, arrived) } else { Ok(()) }
            }
            (
                ReadingTopic::Labels(topic),
                ReadingData::Photograph(Photograph { labels, .. }) | ReadingData::Rgbd(RgbdPhotograph { labels, .. }),
            ) => {
                camera::fill_labels(time, labels, &mut topic.message);
                topic.send(output, arrived)
            }
            (ReadingTopic::DepthLabels(topic), ReadingData::Rgbd(both)) => {
                camera::fill_labels(time, &both.depth_labels, &mut topic.message);
                topic.send(output, arrived)
            }
            (ReadingTopic::Depth(model, topic), ReadingData::Rgbd(both)) => {
                camera::fill_depth(time, &both.depths, model, &mut topic.message);
                topic.send(output, arrived)
            }
            (ReadingTopic::CompressedDepth(compressor, topic), ReadingData::Rgbd(both)) => {
                let is_made = compressor.fill(time, &both.depths, &mut topic.message);
                if is_made { topic.send(output, arrived) } else { Ok(()) }
            }
            (ReadingTopic::Points(points, topic), ReadingData::Rgbd(both)) => {
                points.fill(time, both, &mut topic.message);
                topic.send(output, arrived)
            }
            (ReadingTopic::Imu(topic), ReadingData::Imu(sample)) => {
                fill::fill_measured_imu(time, sample, &mut topic.message);
                topic.send(output, arrived)
            }
            (ReadingTopic::Fix(accuracy, topic), ReadingData::Gnss(fix)) => {
                if fix.is_none() && !accuracy.publishes_no_fix {
                    return Ok(());
                }
                gnss::fill_nav_sat_fix(time, fix.as_ref(), accuracy, &mut topic.message);
                topic.send(output, arrived)
            }
            (ReadingTopic::Velocity(topic), ReadingData::Gnss(Some(fix))) => {
                gnss::fill_gnss_velocity(time, fix.velocity_in_enu, &mut topic.message);
                topic.send(output, arrived)
            }
            (ReadingTopic::Joints(info, topic), ReadingData::Ticks(ticks)) => {
                encoder::fill_encoder_joints(time, ticks, info, &mut topic.message);
                topic.send(output, arrived)
            }
            (ReadingTopic::Ticks(topic), ReadingData::Ticks(ticks)) => {
                topic.message.data.clone_from(&ticks.counts);
                topic.send(output, arrived)
            }
            (ReadingTopic::Field(topic), ReadingData::MagneticField(field)) => {
                fill::fill_magnetic_field(time, *field, &mut topic.message);
                topic.send(output, arrived)
            }
            (ReadingTopic::Contacts(topic), ReadingData::Contacts(felt)) => {
                contact::fill_contacts(time, felt, &mut topic.message);
                topic.send(output, arrived)
            }
            (ReadingTopic::Pressed(topic), ReadingData::Contacts(felt)) => {
                topic.message.data = !felt.is_empty();
                topic.send(output, arrived)
            }
            (ReadingTopic::Range(topic), ReadingData::Range(sample)) => {
                range::fill_range(time, sample.range, &mut topic.message);
                topic.send(output, arrived)
            }
            (ReadingTopic::MarkerPose(stamp, topic), ReadingData::MarkerPose(sample)) => {
                let stamp = sample.stamp(*stamp, time, arrived);
                fill::fill_stamped_pose(stamp, sample.world_from_marker, &mut topic.message);
                topic.send(output, arrived)
            }
            // A velocity without a fix, or a reading of another scene.
            _ => Ok(()),
        }
    }
}

/// The bytes of a colour picture; none of another reading.
fn pixels(data: &ReadingData) -> Option<&[u8]> {
    match data {
        ReadingData::Photograph(photograph) => Some(&photograph.pixels),
        ReadingData::Rgbd(both) => Some(&both.pixels),
        _ => None,
    }
}

/// The topics of a sensor while they are announced.
struct TopicList<'a, A: Announce> {
    on: &'a mut A,
    /// The names of those that follow.
    names: std::slice::Iter<'a, String>,
    topics: Vec<ReadingTopic<A::Channel>>,
}

impl<A: Announce> TopicList<'_, A> {
    /// Announces the next topic, on which `message` is sent.
    fn add<M: Message>(
        &mut self,
        message: M,
        topic: impl FnOnce(TopicWriter<A::Channel, M>) -> ReadingTopic<A::Channel>,
    ) -> Result<(), A::Error> {
        if let Some(name) = self.names.next() {
            self.topics.extend(self.on.announce(name, Quality::Data, message)?.map(topic));
        }
        Ok(())
    }

    /// Announces the topics of a camera whose pictures are in `frame`.
    fn add_camera(&mut self, frame: &str, model: &CameraModel) -> Result<(), A::Error> {
        let in_box = |topic| ReadingTopic::Color(Box::new(topic));
        self.add(camera::color(frame, &model.lens, model.film.order), in_box)?;
        let in_box = |topic| ReadingTopic::CameraInfo(Box::new(topic));
        self.add(camera::info(frame, &model.lens, model.baseline), in_box)?;
        if let Some(quality) = model.jpeg_quality {
            self.add_compressed(frame, &model.lens, model.film.order, quality)?;
        }
        if model.has_labels {
            self.add(camera::labels(frame, &model.lens), |topic| ReadingTopic::Labels(Box::new(topic)))?;
        }
        Ok(())
    }

    /// Announces compressed colour pictures in `frame`.
    fn add_compressed(&mut self, frame: &str, lens: &Lens, order: ColorOrder, quality: u8) -> Result<(), A::Error> {
        let (compressor, message) = Compressor::new(frame, lens, order, quality);
        self.add(message, |topic| ReadingTopic::Compressed(compressor, Box::new(topic)))
    }

    /// Announces the topics of a camera for colour and depth in `frame`, in the order of its class.
    fn add_rgbd(&mut self, frame: &str, model: &RgbdModel) -> Result<(), A::Error> {
        let [rgb_frame, depth_frame] = [RGB_FRAME, DEPTH_FRAME].map(|half| format!("{frame}{half}"));
        let picture = model.depth.filter(|depth| depth.has_image);
        if let Some(rgb) = &model.rgb {
            let in_box = |topic| ReadingTopic::Color(Box::new(topic));
            self.add(camera::color(&rgb_frame, &rgb.lens, rgb.film.order), in_box)?;
            let in_box = |topic| ReadingTopic::CameraInfo(Box::new(topic));
            self.add(camera::info(&rgb_frame, &rgb.lens, 0.0), in_box)?;
        }
        if let Some(depth) = picture {
            self.add(camera::depth(&depth_frame, &depth), |topic| ReadingTopic::Depth(depth, Box::new(topic)))?;
            let in_box = |topic| ReadingTopic::CameraInfo(Box::new(topic));
            self.add(camera::info(&depth_frame, &depth.lens, 0.0), in_box)?;
        }
        if let Some(depth) = model.depth.filter(|depth| depth.has_points) {
            let (points, message) = Points::new(frame, model, &depth);
            self.add(message, |topic| ReadingTopic::Points(points, Box::new(topic)))?;
        }
        if let Some((rgb, quality)) = model.rgb.and_then(|rgb| rgb.jpeg_quality.map(|quality| (rgb, quality))) {
            self.add_compressed(&rgb_frame, &rgb.lens, rgb.film.order, quality)?;
        }
        if let Some((depth, quantization)) = picture.and_then(|depth| depth.quantization.map(|q| (depth, q))) {
            let (compressor, message) = DepthCompressor::new(&depth_frame, &depth, quantization);
            self.add(message, |topic| ReadingTopic::CompressedDepth(compressor, Box::new(topic)))?;
        }
        if let Some(rgb) = model.rgb.filter(|rgb| rgb.has_labels) {
            self.add(camera::labels(&rgb_frame, &rgb.lens), |topic| ReadingTopic::Labels(Box::new(topic)))?;
        }
        if let Some(depth) = picture.filter(|depth| depth.has_labels) {
            self.add(camera::labels(&depth_frame, &depth.lens), |topic| ReadingTopic::DepthLabels(Box::new(topic)))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use skidpad_math::Pose3;
    use skidpad_math::time::SimTime;
    use skidpad_sim::sensor::camera::Film;
    use skidpad_sim::sensor::rgbd_camera::{DepthEncoding, RgbModel};
    use skidpad_sim::sensor::{
        CloudLayout, ContactSector, ImuNoise, ImuVariances, Radiation, RangeGeometry, SENSORS, ScanGeometry,
    };

    use super::super::{AnyMessage, Kind};
    use super::*;

    /// Notes the types of the announced topics.
    #[derive(Default)]
    struct Announced(Vec<&'static str>);

    struct Nowhere;

    impl TopicChannel for Nowhere {
        type Output = ();
        type Error = Infallible;

        fn send(&mut self, (): &mut (), _: SimTime, _: &dyn AnyMessage) -> Result<(), Infallible> {
            Ok(())
        }
    }

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
            SensorKind::Magnetometer { variance: 1.0 },
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
