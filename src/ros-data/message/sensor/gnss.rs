//! Fixes and velocities of satellite receivers: their messages, what fills them, and their topics.

use skidpad_math::Vec3;
use skidpad_math::time::SimTime;
use skidpad_sim::sensor::{GnssAccuracy, GnssFix, ReadingData};

use super::super::fill::{header, stamp, vector};
use super::super::{Announce, Header, TwistWithCovariance};
use super::{Length, TopicList};

messages! {
    NavSatStatus = "sensor_msgs/msg/NavSatStatus" + "int8 STATUS_NO_FIX=-1\nint8 STATUS_FIX=0\nint8 STATUS_SBAS_FIX=1\nint8 STATUS_GBAS_FIX=2\nuint16 SERVICE_GPS=1\nuint16 SERVICE_GLONASS=2\nuint16 SERVICE_COMPASS=4\nuint16 SERVICE_GALILEO=8\n" [Copy, Eq] {
        /// Whether there is a fix, one of the constants.
        status: i8,
        /// Sum of the systems in use.
        service: u16,
    }

    NavSatFix = "sensor_msgs/msg/NavSatFix" + "uint8 COVARIANCE_TYPE_UNKNOWN=0\nuint8 COVARIANCE_TYPE_APPROXIMATED=1\nuint8 COVARIANCE_TYPE_DIAGONAL_KNOWN=2\nuint8 COVARIANCE_TYPE_KNOWN=3\n" {
        /// Time stamp, and the frame of the antenna.
        header: Header,
        /// Whether there is a fix.
        status: NavSatStatus,
        /// Latitude [deg], north positive.
        latitude: f64,
        /// Longitude [deg], east positive.
        longitude: f64,
        /// Height above the WGS-84 ellipsoid [m].
        altitude: f64,
        /// Covariance of the position along east, north and up, row by row [m²].
        position_covariance: [f64; 9],
        /// One of the constants.
        position_covariance_type: u8,
    }

    TwistWithCovarianceStamped = "geometry_msgs/msg/TwistWithCovarianceStamped" {
        /// Time stamp and frame.
        header: Header,
        ;
        /// Twist and covariance.
        twist: TwistWithCovariance,
    }
}

const STATUS_NO_FIX: i8 = -1;
const STATUS_FIX: i8 = 0;
const SERVICE_GPS: u16 = 1;
const COVARIANCE_TYPE_UNKNOWN: u8 = 0;
const COVARIANCE_TYPE_DIAGONAL_KNOWN: u8 = 2;

/// An empty fix of an antenna with this frame.
pub(crate) fn nav_sat_fix(frame: &str) -> NavSatFix {
    NavSatFix { header: header(SimTime::ZERO, frame), ..NavSatFix::default() }
}

/// The fix of a receiver. Without one the position is NaN and its covariance unknown.
pub fn fill_nav_sat_fix(time: SimTime, fix: Option<&GnssFix>, accuracy: &GnssAccuracy, message: &mut NavSatFix) {
    message.header.stamp = stamp(time);
    let variances = [accuracy.horizontal_variance, accuracy.horizontal_variance, accuracy.vertical_variance];
    (message.position_covariance, message.position_covariance_type) = ([0.0; 9], COVARIANCE_TYPE_UNKNOWN);
    let status = if let Some(GnssFix { place, .. }) = fix {
        (message.latitude, message.longitude) = (place.latitude.to_degrees(), place.longitude.to_degrees());
        message.altitude = place.height;
        (0..3).for_each(|axis| message.position_covariance[4 * axis] = variances[axis]);
        message.position_covariance_type = COVARIANCE_TYPE_DIAGONAL_KNOWN;
        STATUS_FIX
    } else {
        (message.latitude, message.longitude, message.altitude) = (f64::NAN, f64::NAN, f64::NAN);
        STATUS_NO_FIX
    };
    message.status = NavSatStatus { status, service: SERVICE_GPS };
}

/// An empty velocity of an antenna with this frame. The turn is not measured: the first number of its covariance is −1, as in the messages of
/// u-blox's driver.
pub(crate) fn gnss_velocity(frame: &str, accuracy: &GnssAccuracy) -> TwistWithCovarianceStamped {
    let mut message =
        TwistWithCovarianceStamped { header: header(SimTime::ZERO, frame), ..TwistWithCovarianceStamped::default() };
    (0..3).for_each(|axis| message.twist.covariance[axis][axis] = accuracy.velocity_variance);
    message.twist.covariance[3][3] = -1.0;
    message
}

/// The velocity of an antenna towards east, north and up [m/s].
pub fn fill_gnss_velocity(time: SimTime, velocity_in_enu: Vec3, message: &mut TwistWithCovarianceStamped) {
    message.header.stamp = stamp(time);
    message.twist.twist.linear = vector(velocity_in_enu.x, velocity_in_enu.y, velocity_in_enu.z);
}

/// The fix, which may say that there is none, and the velocity with a fix.
pub(super) fn announce<A: Announce>(list: &mut TopicList<'_, A>, accuracy: GnssAccuracy) -> Result<(), A::Error> {
    list.add(Length::Small, nav_sat_fix(list.frame), move |sample, message| {
        let ReadingData::Gnss(fix) = sample.data else { return false };
        fill_nav_sat_fix(sample.time, fix.as_ref(), &accuracy, message);
        fix.is_some() || accuracy.publishes_no_fix
    })?;
    list.add(Length::Small, gnss_velocity(list.frame, &accuracy), |sample, message| {
        let ReadingData::Gnss(Some(fix)) = sample.data else { return false };
        fill_gnss_velocity(sample.time, fix.velocity_in_enu, message);
        true
    })
}
