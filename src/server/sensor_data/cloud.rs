//! The points of a `PointCloud2` of any layout, thinned out.

use skidpad_math::Pose3;
use skidpad_ros_data::message::{PointCloud2, PointField};
use skidpad_view::sensor_data::{MAX_POINTS, Tint, ViewCloud, thinned};

/// Reads one field of a point.
#[derive(Clone, Copy)]
struct FieldReader {
    offset: usize,
    datatype: u8,
}

impl FieldReader {
    /// The reader of the field with this name; none if there is none, or it does not lie inside a point.
    fn of(cloud: &PointCloud2, name: &str) -> Option<FieldReader> {
        let PointField { offset, datatype, .. } = *cloud.fields.iter().find(|field| field.name == name)?;
        let length = match datatype {
            1 | 2 => 1,
            3 | 4 => 2,
            5..=7 => 4,
            8 => 8,
            _ => return None,
        };
        (u64::from(offset) + length <= u64::from(cloud.point_step))
            .then_some(FieldReader { offset: offset as usize, datatype })
    }

    /// The first `N` bytes of the field.
    fn bytes<const N: usize>(self, point: &[u8]) -> [u8; N] {
        point.get(self.offset..).and_then(|bytes| bytes.first_chunk()).copied().unwrap_or([0; N])
    }

    fn value(self, point: &[u8]) -> f32 {
        match self.datatype {
            1 => f32::from(i8::from_le_bytes(self.bytes(point))),
            2 => f32::from(u8::from_le_bytes(self.bytes(point))),
            3 => f32::from(i16::from_le_bytes(self.bytes(point))),
            4 => f32::from(u16::from_le_bytes(self.bytes(point))),
            5 => i32::from_le_bytes(self.bytes(point)) as f32,
            6 => u32::from_le_bytes(self.bytes(point)) as f32,
            7 => f32::from_le_bytes(self.bytes(point)),
            _ => f64::from_le_bytes(self.bytes(point)) as f32,
        }
    }
}

/// The tint of a point, from its bytes.
type TintOf<'a> = dyn Fn(&[u8]) -> [u8; 2] + 'a;

/// At most [`MAX_POINTS`] points of a message, with its colours, or its intensities and rings, and its labels. None if the message has no coordinates.
pub fn view_cloud(cloud: &PointCloud2, world_from_sensor: Pose3) -> Option<ViewCloud> {
    let field = |name| FieldReader::of(cloud, name);
    let axes = [field("x")?, field("y")?, field("z")?];
    let (color, intensity, ring) = (field("rgb"), field("intensity"), field("ring"));
    // Numbers of 16 bits, as skidpad's sensors give them.
    let of_label = |name| field(name).filter(|reader| reader.datatype == 4);
    let label = of_label("class").zip(of_label("body"));
    if cloud.is_bigendian || cloud.point_step == 0 {
        return None;
    }
    let position = |point: &[u8]| axes.map(|axis| axis.value(point));
    let is_return = |point: &&[u8]| position(point).iter().all(|value| value.is_finite());
    let returns: Vec<&[u8]> = cloud.data.chunks_exact(cloud.point_step as usize).filter(is_return).collect();
    let kept = || thinned(returns.len(), MAX_POINTS).filter_map(|index| returns.get(index).copied());
    // Drivers give intensities of 0 to 255, MVSim those of 0 to 1.
    let values = |reader: FieldReader| kept().map(move |point| reader.value(point));
    let scale = if intensity.is_some_and(|reader| values(reader).any(|value| value > 1.0)) { 1.0 } else { 255.0 };
    let value = |reader: Option<FieldReader>, point: &[u8]| reader.map_or(0.0, |reader| reader.value(point));
    let (tint, of_point): (Tint, &TintOf<'_>) = match (color, intensity.or(ring)) {
        (Some(color), _) => (Tint::Color, &move |point| {
            let [blue, green, red, _] = color.bytes::<4>(point).map(u16::from);
            ((red >> 3) << 11 | (green >> 2) << 5 | blue >> 3).to_le_bytes()
        }),
        // Conversions saturate.
        (None, Some(_)) => (Tint::IntensityAndRing, &|point| {
            [(scale * value(intensity, point)).round() as u8, value(ring, point) as u8]
        }),
        (None, None) => (Tint::None, &|_| [0; 2]),
    };
    Some(ViewCloud {
        world_from_sensor,
        tint,
        points: kept().map(position).collect(),
        tints: kept().map(of_point).collect(),
        labels: label.map_or_else(Vec::new, |(class, body)| {
            let label = |point| {
                let ([low, high], [body_low, body_high]) = (class.bytes(point), body.bytes(point));
                [low, high, body_low, body_high]
            };
            kept().map(label).collect()
        }),
    })
}
