//! Pictures and the models of the cameras that take them, package `sensor_msgs`.

use super::standard::Header;

messages! {
    Image = "sensor_msgs/msg/Image" [Eq] {
        /// Time stamp, and the optical frame: z ahead, x to the right, y down.
        header: Header,
        /// Number of rows.
        height: u32,
        /// Number of columns.
        width: u32,
        /// Meaning of the bytes of a pixel, such as `bgr8`.
        encoding: String,
        /// Whether numbers of several bytes begin with the most significant one.
        is_bigendian: u8,
        /// Length of a row [bytes].
        step: u32,
        /// The pixels, row by row from the top.
        #[serde(with = "serde_bytes")]
        data: Vec<u8>,
    }

    RegionOfInterest = "sensor_msgs/msg/RegionOfInterest" [Copy, Eq] {
        /// First column.
        x_offset: u32,
        /// First row.
        y_offset: u32,
        /// Number of rows; 0: all.
        height: u32,
        /// Number of columns; 0: all.
        width: u32,
        /// Whether a rectified picture of the region is another region.
        do_rectify: bool,
    }

    CameraInfo = "sensor_msgs/msg/CameraInfo" {
        /// Time stamp, and the optical frame.
        header: Header,
        /// Number of rows.
        height: u32,
        /// Number of columns.
        width: u32,
        /// Name of the model of distortion, such as `plumb_bob`.
        distortion_model: String,
        /// Parameters of the distortion [-].
        d: Vec<f64>,
        /// Camera matrix of the picture as taken [pixels], row by row: fx 0 cx, 0 fy cy, 0 0 1.
        k: [f64; 9],
        /// Rotation from the camera to that of the rectified picture [-], row by row.
        r: [f64; 9],
        /// Projection to the rectified picture [pixels], row by row.
        p: [f64; 12],
        /// Columns that were merged to one; 0: none.
        binning_x: u32,
        /// Rows that were merged to one; 0: none.
        binning_y: u32,
        /// The part of the sensor that is used.
        roi: RegionOfInterest,
    }

    CompressedImage = "sensor_msgs/msg/CompressedImage" [Eq] {
        /// Time stamp and frame.
        header: Header,
        /// Image format, such as `png`.
        format: String,
        /// Content of the file.
        #[serde(with = "serde_bytes")]
        data: Vec<u8>,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Message, cdr};
    use super::*;

    #[test]
    fn a_picture_is_read_as_it_was_written() {
        for frame_id in ["", "a", "ab", "abc", "abcd"] {
            let header = Header { frame_id: frame_id.into(), ..Header::default() };
            let data = vec![1, 2, 3, 4, 5, 0];
            let encoding = "bgr8".to_owned();
            let image = Image { header, height: 1, width: 2, encoding, is_bigendian: 0, step: 6, data };
            let (mut bytes, mut library) = (Vec::new(), vec![0, 1, 0, 0]);
            image.write(None, &mut bytes).unwrap();
            // Byte by byte.
            let Image { header, height, width, encoding, is_bigendian, step, data } = image.clone();
            let fields = (header, height, width, encoding, is_bigendian, step, data);
            cdr_encoding::to_writer::<_, byteorder::LittleEndian, _>(&mut library, &fields).unwrap();
            assert_eq!(bytes, library);
            assert_eq!(cdr::read::<Image>(&bytes).unwrap(), image);
        }
    }
}
