//! Geometry apart from its scene: long lists of numbers become binary parts, each once, named by a digest of its content. A viewer draws what it
//! has and adds the others as they come; whoever has a part keeps it for later scenes and runs.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use skidpad_files::assets::hex;
#[cfg(test)]
use ts_rs::TS;

use super::geometry::number;
use super::scene::{SceneView, ShapeView};

/// Shorter texts stay in the document: to ask for them would take longer than to send them. It is more than a box has.
const LONG: usize = 2048;
/// In place of a text that is a part; its name follows.
pub(super) const SIGN: char = '@';
/// Bytes of the digest in a name: content that differs has other names, whoever made it.
const DIGEST: usize = 16;

/// What a scene says of a part that is apart from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct PartView {
    /// Length [bytes].
    pub length: u32,
    /// Least x y z and greatest x y z [m], in the frame of its shape or cloud; missing: its numbers are not places.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub bounds: Option<[f64; 6]>,
}

/// The content of parts by their names: numbers as [`SceneView`] describes them, not in base64.
pub type Parts = BTreeMap<String, Vec<u8>>;

/// A document, and what is apart from it.
pub fn streamed(scene: &SceneView) -> (SceneView, Parts) {
    let mut names: BTreeMap<String, Option<String>> = BTreeMap::new();
    let mut parts = Parts::new();
    let mut views: BTreeMap<String, PartView> = BTreeMap::new();
    let mut short = scene.clone();
    visit_lists(&mut short, |are_places, text| {
        if text.len() < LONG {
            return;
        }
        if !names.contains_key(text.as_str()) {
            // What a recording has may be no numbers: such a text stays where it is.
            let name = STANDARD.decode(text.as_bytes()).ok().and_then(|content| {
                let length = u32::try_from(content.len()).ok()?;
                let name = hex(&Sha256::digest(&content)[..DIGEST]);
                views.insert(name.clone(), PartView { length, bounds: None });
                parts.insert(name.clone(), content);
                Some(name)
            });
            names.insert(text.clone(), name);
        }
        let Some(name) = names.get(text.as_str()).and_then(Option::as_ref) else { return };
        if are_places
            && let (Some(view), Some(content)) = (views.get_mut(name), parts.get(name))
            && view.bounds.is_none()
        {
            view.bounds = bounds(content);
        }
        *text = format!("{SIGN}{name}");
    });
    short.shorten();
    short.parts = views;
    (short, parts)
}

/// Calls `change` with each list of numbers that may be long, and whether they are places in space.
fn visit_lists(scene: &mut SceneView, mut change: impl FnMut(bool, &mut String)) {
    scene.visit_drawings(|drawings| {
        for drawing in drawings {
            match &mut drawing.shape {
                ShapeView::Triangles { corners, colors, on_picture } => {
                    change(true, corners);
                    change(false, colors);
                    change(false, on_picture);
                }
                ShapeView::Line { points } => change(true, points),
                ShapeView::Mesh { .. } => {}
            }
        }
    });
    scene.clouds.iter_mut().for_each(|cloud| change(true, &mut cloud.points));
}

/// The least and the greatest of each coordinate; none where there are no finite places.
fn bounds(content: &[u8]) -> Option<[f64; 6]> {
    let mut least = [f32::INFINITY; 3];
    let mut greatest = [f32::NEG_INFINITY; 3];
    let (values, _) = content.as_chunks::<4>();
    for (index, bytes) in values.iter().enumerate() {
        let value = f32::from_le_bytes(*bytes);
        if value.is_finite() {
            least[index % 3] = least[index % 3].min(value);
            greatest[index % 3] = greatest[index % 3].max(value);
        }
    }
    let [x0, y0, z0] = least;
    let [x1, y1, z1] = greatest;
    let ends = [x0, y0, z0, x1, y1, z1];
    ends.iter().all(|end| end.is_finite()).then(|| ends.map(|end| number(end.into())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::floats;
    use crate::scene::{BodyView, CloudView, DrawingView};

    fn drawing(shape: ShapeView) -> DrawingView {
        DrawingView {
            kind: "body".into(),
            name: String::new(),
            shape,
            pose: [0.0; 6],
            color: None,
            texture: None,
            is_lit: true,
            cull: "none".into(),
            show_bounding_box: false,
        }
    }

    fn triangles(corners: &str, colors: &str) -> DrawingView {
        drawing(ShapeView::Triangles { corners: corners.into(), colors: colors.into(), on_picture: String::new() })
    }

    fn numbers(from: f32, count: usize) -> String {
        floats((0..count).map(|index| from + index as f32))
    }

    #[test]
    fn long_lists_are_parts_once_and_short_ones_stay() {
        let [long, box_like, broken] = [numbers(-3.0, 600), numbers(0.0, 108), "?".repeat(LONG)];
        let body = |corners: &str, colors: &str| BodyView {
            drawings: vec![triangles(corners, colors)],
            ..BodyView::default()
        };
        let scene = SceneView {
            blocks: vec![body(&long, ""), body(&long, &box_like), body(&box_like, &broken)],
            fixed: vec![drawing(ShapeView::Line { points: long.clone() })],
            clouds: vec![CloudView { points: numbers(5.0, 900), ..CloudView::default() }],
            ..SceneView::default()
        };
        let (short, parts) = streamed(&scene);
        // -3 to 596 in steps of one: x has every third number from the first on.
        let views: Vec<&PartView> = short.parts.values().collect();
        assert_eq!(
            (parts.len(), views.len()),
            (2, 2),
            "the triangles, which two blocks and a line share, and the cloud"
        );
        let is = |length, bounds| views.contains(&&PartView { length, bounds: Some(bounds) });
        assert!(is(2400, [-3.0, -2.0, -1.0, 594.0, 595.0, 596.0]) && is(3600, [5.0, 6.0, 7.0, 902.0, 903.0, 904.0]));
        let of = |text: &str| parts[text.strip_prefix(SIGN).unwrap()].clone();
        assert_eq!(STANDARD.encode(of(&short.clouds[0].points)), scene.clouds[0].points);
        let ShapeView::Line { points } = &short.fixed[0].shape else { panic!("no line") };
        assert_eq!(STANDARD.encode(of(points)), long);
        let shape = |index: usize| match &short.blocks[index].drawings[0].shape {
            ShapeView::Triangles { corners, colors, .. } => (corners.as_str(), colors.as_str()),
            _ => panic!("no triangles"),
        };
        assert_eq!((shape(0).0, shape(1).0), (points.as_str(), points.as_str()));
        assert_eq!(
            (shape(1).1, shape(2), short.shared.as_slice()),
            ("#0", ("#0", broken.as_str()), [box_like].as_slice())
        );
    }

    #[test]
    fn names_follow_from_the_content_alone() {
        let scene = |name: &str, from| SceneView {
            name: name.into(),
            fixed: vec![triangles(&numbers(from, 900), "")],
            ..SceneView::default()
        };
        let names = |scene| streamed(&scene).1.into_keys().collect::<Vec<_>>();
        assert_eq!(names(scene("a", 0.0)), names(scene("b", 0.0)));
        assert_ne!(names(scene("a", 0.0)), names(scene("a", 1.0)));
    }

    #[test]
    fn places_that_are_not_finite_do_not_count() {
        let content = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        assert_eq!(
            bounds(&content(&[1.0, 2.0, f32::INFINITY, 0.5, f32::NAN, 3.0])),
            Some([0.5, 2.0, 3.0, 1.0, 2.0, 3.0])
        );
        assert_eq!(bounds(&content(&[1.0, 2.0, f32::NAN])), None);
        assert_eq!(bounds(&[]), None);
    }
}
