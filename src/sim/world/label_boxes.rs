//! Boxes around what a camera sees: for each body with a label the smallest rectangle of pixels that show it.

use std::collections::BTreeMap;

use super::label::{CLASSES, UNNUMBERED};

/// The number of the last class of surroundings: ground and walls, maps among them, get no boxes.
const LAST_OF_SURROUNDINGS: u16 = 2;
const _: () = assert!(CLASSES.len() > LAST_OF_SURROUNDINGS as usize);

/// The smallest rectangle of pixels around what is seen of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelBox {
    /// Numbers of the class and of the body.
    pub label: [u16; 2],
    /// First and last column with a pixel of the body, from 0 at the left.
    pub columns: [usize; 2],
    /// First and last row with a pixel of the body, from 0 at the top.
    pub rows: [usize; 2],
    /// Number of pixels that show the body.
    pub pixels: usize,
}

/// The boxes in a picture of labels with rows of so many `columns`, in the order of the bodies' numbers. Ground, walls, maps, and bodies
/// without a number of their own have none.
pub fn label_boxes(labels: &[[u16; 2]], columns: usize) -> Vec<LabelBox> {
    let mut boxes: BTreeMap<u16, LabelBox> = BTreeMap::new();
    for (row, line) in labels.chunks(columns.max(1)).enumerate() {
        let mut start = 0;
        for run in line.chunk_by(|left, right| left == right) {
            let (label, first, last) = (run[0], start, start + run.len() - 1);
            start += run.len();
            if label[0] <= LAST_OF_SURROUNDINGS || label[1] == UNNUMBERED {
                continue;
            }
            let fresh = LabelBox { label, columns: [first, last], rows: [row, row], pixels: 0 };
            let known = boxes.entry(label[1]).or_insert(fresh);
            known.columns = [known.columns[0].min(first), known.columns[1].max(last)];
            known.rows[1] = row;
            known.pixels += run.len();
        }
    }
    boxes.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::label::{BLOCK, GROUND, VEHICLE, WALL};

    #[test]
    fn each_body_has_the_rectangle_of_its_pixels() {
        assert_eq!(CLASSES.map(|class| class == GROUND || class == WALL), [true, true, false, false, false]);
        assert_eq!([CLASSES[2], CLASSES[3]], [BLOCK, VEHICLE]);
        let (sky, floor, crate_, car, nameless) = ([0, 0], [1, 1], [3, 7], [4, 2], [3, UNNUMBERED]);
        #[rustfmt::skip]
        let picture = [
            sky,   sky,    crate_, sky, nameless,
            car,   crate_, crate_, car, nameless,
            floor, floor,  floor,  car, floor,
        ];
        let boxes = label_boxes(&picture, 5);
        assert_eq!(
            boxes,
            [
                LabelBox { label: car, columns: [0, 3], rows: [1, 2], pixels: 3 },
                LabelBox { label: crate_, columns: [1, 2], rows: [0, 1], pixels: 3 },
            ]
        );
        assert!(label_boxes(&[], 0).is_empty());
    }
}
