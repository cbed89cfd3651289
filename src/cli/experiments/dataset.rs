//! `skidpad dataset`: a recorded drive as a dataset with ground truth.

use std::path::PathBuf;

use crate::cli::complete;
use crate::cli::parsers::Choice;
use crate::cli::progress::Work;
use crate::cli::{Failure, log_warnings};
use crate::dataset::{self, DatasetFormat, DatasetOptions};

/// The recording, the format and the topics.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct DatasetArgs {
    /// Recording of `skidpad run --record`
    #[arg(add = complete::recordings())]
    recording: PathBuf,
    /// Format of the dataset: kitti (odometry), tum (RGB-D) or euroc (MAV)
    #[arg(long, value_name = "FORMAT", value_parser = Choice::of("format", DatasetFormat::NAMES), hide_possible_values = true)]
    format: DatasetFormat,
    /// Folder to write; it must not exist
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Vehicle to export; needed if the recording has several
    #[arg(long, value_name = "NAME")]
    vehicle: Option<String>,
    /// Topic of the point clouds, or the end of its name [default: the first]
    #[arg(long, value_name = "TOPIC")]
    cloud: Option<String>,
    /// Topic of the colour pictures, or the end of its name [default: the first]
    ///
    /// The default for tum is the first topic with depths.
    #[arg(long, value_name = "TOPIC")]
    image: Option<String>,
    /// Topic of the right camera's pictures, or the end of its name [default: none]
    #[arg(long, value_name = "TOPIC")]
    right_image: Option<String>,
    /// Topic of the depth pictures, or the end of its name
    ///
    /// The default is the topic of the camera with the colour pictures.
    #[arg(long, value_name = "TOPIC")]
    depth: Option<String>,
    /// Topic of the IMU samples, or the end of its name [default: the first]
    #[arg(long, value_name = "TOPIC")]
    imu: Option<String>,
}

/// Writes the dataset.
pub(in crate::cli) fn dataset(args: DatasetArgs) -> Result<(), Failure> {
    let DatasetArgs { recording, format, out, vehicle, cloud, image, right_image, depth, imu } = args;
    let options = DatasetOptions { format, out, vehicle, cloud, image, right_image, depth, imu };
    let mut notes = Vec::new();
    let report = Work::of("reading", || dataset::write(&recording, &options, &mut notes));
    log_warnings(&notes);
    for (topic, count) in report.map_err(Failure::because)?.written {
        tracing::info!("{}: {count} of {topic}", options.out.display());
    }
    Ok(())
}
