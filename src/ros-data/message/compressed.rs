//! Compressed pictures of image_transport's plugins `compressed` and `compressedDepth`, read as the pictures that they stand for, and the names of their topics.
//!
//! Contract, from ros-perception/image_transport_plugins: the format is `<encoding>; jpeg compressed …` or `<encoding>; png compressed …`, in older ones
//! only `jpeg` or `png`, and of depths `<encoding>; compressedDepth png`, whose data `camera.rs` describes.

use std::io::Cursor;

use image::{DynamicImage, ImageReader, Limits};

use super::{CompressedImage, Image};

/// What the name of the topic of compressed depths has after that of the picture.
pub const COMPRESSED_DEPTH: &str = "/compressedDepth";
/// The same of any compressed picture; where there are several of one, the first is meant.
pub const COMPRESSED: [&str; 2] = [COMPRESSED_DEPTH, "/compressed"];

/// Most columns and rows of a compressed picture that is read.
const MAX_READ: u32 = 8192;
/// Most memory for reading one [bytes].
const MAX_MEMORY: u64 = 256 << 20;

/// The topic of the picture that a compressed one stands for; of another topic the topic itself.
pub fn picture_topic(topic: &str) -> &str {
    COMPRESSED.iter().find_map(|end| topic.strip_suffix(end)).unwrap_or(topic)
}

/// The encoding of the picture that [`decompressed`] makes of messages with this format: `rgb8`, `mono8`, `16UC1` or `32FC1`; none of formats that are not read.
pub fn encoding_of(format: &str) -> Option<&'static str> {
    let (encoding, codec) = format.split_once(';').unwrap_or((format, ""));
    let codec = codec.trim();
    let is_depth = codec.strip_prefix("compressedDepth");
    match (encoding.trim(), is_depth.map(str::trim)) {
        // JPEGs have 8 bits: the plugin `compressed` makes them of depths too, unless it is told otherwise.
        ("16UC1", None) if codec.starts_with("jpeg") => None,
        // Before image_transport's plugin had another codec, it did not name this one.
        ("16UC1", None | Some("" | "png")) => Some("16UC1"),
        ("32FC1", Some("" | "png")) => Some("32FC1"),
        ("mono8", None) => Some("mono8"),
        (other, None) if !other.starts_with("16") && !other.starts_with("32") => Some("rgb8"),
        _ => None,
    }
}

/// The picture of a compressed one: colours as `rgb8`, shades of grey as `mono8`, depths as `16UC1` in its units or as `32FC1` in metres, NaN for no return.
/// None if its format is not read, or its data are not of that format, incomplete, or of more than 8192 columns or rows.
pub fn decompressed(message: &CompressedImage) -> Option<Image> {
    let encoding = encoding_of(&message.format)?;
    let has_header = message.format.contains("compressedDepth");
    let (header, file) =
        if has_header { message.data.split_first_chunk::<12>()? } else { (&[0; 12], &message.data[..]) };
    let picture = decoded(file)?;
    let (width, height) = (picture.width(), picture.height());
    let (data, of_pixel) = match (encoding, picture) {
        ("rgb8", picture) => (picture.into_rgb8().into_raw(), 3),
        ("mono8", picture) => (picture.into_luma8().into_raw(), 1),
        ("16UC1", DynamicImage::ImageLuma16(units)) => (units.iter().flat_map(|unit| unit.to_le_bytes()).collect(), 2),
        ("32FC1", DynamicImage::ImageLuma16(numbers)) => {
            let [_, a, b] = *header.as_chunks::<4>().0 else { return None };
            let [a, b] = [a, b].map(f32::from_le_bytes);
            let depth = |number: u16| if number == 0 { f32::NAN } else { a / (f32::from(number) - b) };
            (numbers.iter().flat_map(|number| depth(*number).to_le_bytes()).collect(), 4)
        }
        _ => return None,
    };
    let header = message.header.clone();
    Some(Image { header, height, width, encoding: encoding.into(), is_bigendian: 0, step: of_pixel * width, data })
}

/// A compressed picture whose encoding is not read, in shades of grey as `mono8`, to be looked at: such as a JPEG of depths, which has lost their units.
/// None if it is one of the plugin `compressedDepth`, or its data cannot be read.
pub fn in_grey(message: &CompressedImage) -> Option<Image> {
    if message.format.contains("compressedDepth") {
        return None;
    }
    let picture = decoded(&message.data)?.into_luma8();
    let (width, height) = picture.dimensions();
    let (header, encoding) = (message.header.clone(), "mono8".into());
    Some(Image { header, height, width, encoding, is_bigendian: 0, step: width, data: picture.into_raw() })
}

/// The picture in a file of bounded size.
fn decoded(data: &[u8]) -> Option<DynamicImage> {
    let mut reader = ImageReader::new(Cursor::new(data)).with_guessed_format().ok()?;
    let mut limits = Limits::default();
    (limits.max_image_width, limits.max_image_height) = (Some(MAX_READ), Some(MAX_READ));
    limits.max_alloc = Some(MAX_MEMORY);
    reader.limits(limits);
    reader.decode().ok()
}

#[cfg(test)]
mod tests {
    use image::codecs::jpeg::JpegEncoder;
    use image::codecs::png::PngEncoder;
    use image::{ImageBuffer, Luma};

    use super::*;

    /// A message of this format whose PNG has these numbers of 16 bits in a row, after `header`.
    fn message(format: &str, header: &[u8], numbers: &[u16]) -> CompressedImage {
        let mut data = header.to_vec();
        let picture = ImageBuffer::<Luma<u16>, _>::from_raw(numbers.len() as u32, 1, numbers.to_vec()).unwrap();
        picture.write_with_encoder(PngEncoder::new(&mut data)).unwrap();
        CompressedImage { format: format.into(), data, ..CompressedImage::default() }
    }

    #[test]
    fn depths_come_back_in_their_encoding() {
        let units = decompressed(&message("16UC1; compressedDepth png", &[0; 12], &[1000, 0])).unwrap();
        assert_eq!((&units.encoding[..], units.width, units.height, units.step), ("16UC1", 2, 1, 4));
        assert_eq!(units.data, [1000_u16.to_le_bytes(), [0; 2]].concat());
        let plain = decompressed(&message("16UC1; png compressed ", &[], &[1000, 0])).unwrap();
        assert_eq!(plain.data, units.data);
        let steps = [0.0_f32, 10100.0, -99.0].map(f32::to_le_bytes).concat();
        let metres = decompressed(&message("32FC1; compressedDepth", &steps, &[1000, 0])).unwrap();
        let [depth, none] = *metres.data.as_chunks::<4>().0 else { panic!() };
        assert_eq!((f32::from_le_bytes(depth), f32::from_le_bytes(none).is_nan()), (10100.0 / 1099.0, true));
    }

    #[test]
    fn formats_name_the_encoding_of_the_picture() {
        let of =
            ["bgr8; jpeg compressed bgr8", "jpeg", "mono8; png compressed ", "16UC1; compressedDepth"].map(encoding_of);
        assert_eq!(of, [Some("rgb8"), Some("rgb8"), Some("mono8"), Some("16UC1")]);
        let not_read = [
            "16UC1; compressedDepth rvl",
            "16UC1; jpeg compressed ",
            "32FC1; png compressed",
            "16SC1; png compressed ",
        ];
        assert_eq!(not_read.map(encoding_of), [None; 4]);
        assert_eq!(["/eye/image_raw/compressed", "/eye/image_raw"].map(picture_topic), ["/eye/image_raw"; 2]);
        assert_eq!(picture_topic("/d/image_raw/compressedDepth"), "/d/image_raw");
    }

    #[test]
    fn jpegs_of_depths_are_shades_of_grey_and_no_depths() {
        let mut data = Vec::new();
        let picture = ImageBuffer::<Luma<u8>, _>::from_raw(8, 2, vec![100; 16]).unwrap();
        picture.write_with_encoder(JpegEncoder::new(&mut data)).unwrap();
        let jpeg = CompressedImage { format: "16UC1; jpeg compressed ".into(), data, ..CompressedImage::default() };
        assert_eq!(decompressed(&jpeg), None);
        let grey = in_grey(&jpeg).unwrap();
        assert_eq!((&grey.encoding[..], grey.width, grey.height, grey.step, grey.data.len()), ("mono8", 8, 2, 8, 16));
        assert!(grey.data.iter().all(|shade| shade.abs_diff(100) < 3), "{:?}", grey.data);
        assert_eq!(in_grey(&CompressedImage { data: jpeg.data[..9].to_vec(), ..jpeg }), None);
        assert_eq!(in_grey(&message("16UC1; compressedDepth rvl", &[], &[1, 2])), None);
    }

    #[test]
    fn colours_of_any_file_are_rgb8_and_damaged_files_are_none() {
        let colors = decompressed(&message("rgb8; png compressed rgb8", &[], &[0xffff, 0])).unwrap();
        assert_eq!((&colors.encoding[..], &colors.data[..]), ("rgb8", &[255, 255, 255, 0, 0, 0][..]));
        let whole = message("16UC1; compressedDepth png", &[0; 12], &[1, 2]);
        let cut = |length: usize| CompressedImage { data: whole.data[..length].to_vec(), ..whole.clone() };
        assert!([0, 11, 12, 30].into_iter().all(|length| decompressed(&cut(length)).is_none()));
        assert!(decompressed(&CompressedImage { format: "32FC1; compressedDepth".into(), ..cut(20) }).is_none());
    }
}
