//! What a camera for colour and depth says of itself and of its samples.

use skidpad_math::Pose3;

use super::super::description::{label_bits, packed, single_bits};
use super::super::{
    Column, Delivered, Measured, NumberType, ReadingData, SensorDescription, SensorEntry, SensorTopic, Values,
};
use super::{
    COMPRESSED, COMPRESSED_DEPTH, DEPTH_FRAME, DEPTH_LABELS, DETECTIONS, ENTRY, LABELS, RGB_FRAME, RgbdModel,
    RgbdPhotograph, SENSOR_FROM_DEPTH,
};

impl SensorDescription for RgbdModel {
    fn entry(&self) -> &'static SensorEntry {
        &ENTRY
    }

    fn in_words(&self, rate: &str) -> String {
        let rgb = self.rgb.map(|rgb| format!("colour {}", rgb.lens.in_words()));
        let depth = self.depth.map(|depth| {
            let [near, far] = depth.clip;
            format!("depth {} from {near} to {far} m", depth.lens.in_words())
        });
        let halves: Vec<String> = rgb.into_iter().chain(depth).collect();
        format!("{}, {rate}", halves.join(", "))
    }

    fn columns(&self) -> Option<Vec<Column>> {
        let rgb = self.rgb.map(|rgb| ([rgb.lens.rows, rgb.lens.columns], rgb.has_labels));
        let depth = self.depth.map(|depth| ([depth.lens.rows, depth.lens.columns], depth.has_labels));
        let labels = |name, half: Option<([usize; 2], bool)>| {
            let ([rows, columns], _) = half.filter(|(_, has_labels)| *has_labels)?;
            Some(Column::new(name, [rows, columns, 2], NumberType::U16))
        };
        let all = [
            rgb.map(|([rows, columns], _)| Column::new("pixels", [rows, columns, 3], NumberType::U8)),
            depth.map(|(size, _)| Column::new("depths", size, NumberType::F32)),
            labels("labels", rgb),
            labels("depth_labels", depth),
        ];
        Some(all.into_iter().flatten().collect())
    }

    fn values<'a>(&self, column: &str, sample: Delivered<'a>) -> Option<Values<'a>> {
        let ReadingData::Rgbd(both) = sample.data else { return None };
        Some(match column {
            "pixels" => Values::U8(&both.pixels),
            "depths" => Values::F32(&both.depths),
            "labels" => Values::U16(&both.labels),
            _ => Values::U16(&both.depth_labels),
        })
    }

    fn has_topic(&self, topic: &SensorTopic) -> bool {
        let depth = self.depth.filter(|depth| depth.has_image);
        match topic.suffix {
            suffix if suffix == COMPRESSED.suffix => self.rgb.is_some_and(|rgb| rgb.jpeg_quality.is_some()),
            suffix if suffix == LABELS.suffix || suffix == DETECTIONS.suffix => {
                self.rgb.is_some_and(|rgb| rgb.has_labels)
            }
            suffix if suffix == COMPRESSED_DEPTH.suffix => depth.is_some_and(|depth| depth.quantization.is_some()),
            suffix if suffix == DEPTH_LABELS.suffix => depth.is_some_and(|depth| depth.has_labels),
            of_rgb if of_rgb.starts_with(RGB_FRAME) => self.rgb.is_some(),
            of_depth if of_depth.starts_with(DEPTH_FRAME) => depth.is_some(),
            _ => self.depth.is_some_and(|depth| depth.has_points),
        }
    }

    fn has_labels(&self) -> bool {
        self.rgb.is_some_and(|rgb| rgb.has_labels) || self.depth.is_some_and(|depth| depth.has_labels)
    }

    fn frames(&self) -> Vec<(&'static str, Pose3)> {
        let rgb = self.rgb.map(|rgb| (RGB_FRAME, rgb.sensor_from_rgb));
        let depth = self.depth.map(|_| (DEPTH_FRAME, SENSOR_FROM_DEPTH));
        rgb.into_iter().chain(depth).collect()
    }
}

impl Measured for RgbdPhotograph {
    fn append_bits(&self, bits: &mut Vec<u64>) {
        let RgbdPhotograph { pixels, depths, labels, depth_labels, rays } = self;
        bits.push(*rays);
        bits.extend(packed(pixels).chain(single_bits(depths)));
        bits.extend(label_bits(labels).chain(label_bits(depth_labels)));
    }

    fn bytes(&self) -> usize {
        let labels = size_of_val(&self.labels[..]) + size_of_val(&self.depth_labels[..]);
        self.pixels.len() + size_of_val(&self.depths[..]) + labels
    }

    fn rays(&self) -> u64 {
        self.rays
    }
}
