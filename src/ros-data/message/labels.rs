//! The table of labels: which class and which body the numbers in pixels and points mean. It is sent once, and again when it has changed.
//!
//! It is JSON in a `std_msgs/String`, as Isaac Sim publishes the meaning of its labels, so that no reader needs another package:
//!
//! ```json
//! {"classes": {"1": "ground", "6": "tree"}, "bodies": {"3": {"name": "oak", "class": "tree", "class_number": 6}}}
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use skidpad_math::time::SimTime;
use skidpad_sim::world::Scene;
use skidpad_sim::world::label::UNNUMBERED;

use super::{Announce, ErrorOf, Quality, Text, TopicChannel, TopicWriter};

/// Name of the topic.
pub const LABEL_TABLE: &str = "label_table";

/// What the numbers mean.
#[derive(Serialize)]
struct Table<'a> {
    /// Name of each class, by number.
    classes: BTreeMap<usize, &'a str>,
    /// The bodies, by number.
    bodies: BTreeMap<u16, Body<'a>>,
}

#[derive(Serialize)]
struct Body<'a> {
    name: &'a str,
    class: &'a str,
    class_number: u16,
}

/// The table of a scene, as JSON. Bodies without a number of their own are not in it.
pub fn label_table(scene: &Scene) -> String {
    let classes = scene.label_classes.iter().enumerate().map(|(index, class)| (index + 1, class.as_str())).collect();
    let numbered = scene.labelled().filter(|(_, label)| label.numbers[1] != UNNUMBERED);
    let bodies = numbered.map(|(name, label)| {
        let [class_number, number] = label.numbers;
        (number, Body { name, class: &label.class, class_number })
    });
    // Maps with whole numbers as keys are always representable.
    serde_json::to_string(&Table { classes, bodies: bodies.collect() }).unwrap_or_default()
}

/// The colour in which a label is shown, of the four bytes of class and body in a picture: black where there is nothing.
pub fn label_color(label: [u8; 4]) -> [u8; 3] {
    match u32::from_le_bytes(label) {
        0 => [0; 3],
        // Knuth's multiplicative hash; none is too dark to be seen.
        label => {
            let [_, red, green, blue] = label.wrapping_mul(2_654_435_761).to_le_bytes();
            [red, green, blue].map(|value| 64 + (u16::from(value) * 3 / 4) as u8)
        }
    }
}

/// The topic of the table.
pub struct LabelMessages<C> {
    topic: Option<TopicWriter<C, Text>>,
    /// The scene whose table was sent last.
    sent: Option<Arc<Scene>>,
}

impl<C: TopicChannel> LabelMessages<C> {
    /// Announces the topic.
    ///
    /// # Errors
    /// As [`Announce::channel`].
    pub fn new<A: Announce<Channel = C>>(on: &mut A) -> Result<LabelMessages<C>, A::Error> {
        Ok(LabelMessages { topic: on.announce(LABEL_TABLE, Quality::Latched, Text::default())?, sent: None })
    }

    /// Makes the next call send the table again.
    pub fn forget(&mut self) {
        self.sent = None;
    }

    /// Sends the table of a scene unless it was sent last.
    ///
    /// # Errors
    /// As [`TopicChannel::send`].
    pub fn send(&mut self, output: &mut C::Output, time: SimTime, scene: &Arc<Scene>) -> Result<(), ErrorOf<C>> {
        if self.sent.as_ref().is_some_and(|sent| Arc::ptr_eq(sent, scene)) {
            return Ok(());
        }
        let is_first = self.sent.replace(Arc::clone(scene)).is_none();
        let Some(topic) = &mut self.topic else { return Ok(()) };
        let data = label_table(scene);
        if !is_first && topic.message.data == data {
            return Ok(());
        }
        topic.message.data = data;
        topic.send(output, time)
    }
}

#[cfg(test)]
mod tests {
    use skidpad_sim::world::label::Label;
    use skidpad_sim::world::{BlockInfo, VehicleInfo};

    use super::*;

    #[test]
    fn colours_of_labels_are_those_of_the_page() {
        let colors = [[0; 4], [1, 0, 2, 0], [4, 0, 1, 2]].map(label_color);
        assert_eq!(
            colors,
            [[0; 3], [154, 178, 172], [236, 170, 127]],
            "labelColor of web/src/scene/overlays/clouds.ts"
        );
    }

    #[test]
    fn the_table_names_the_class_and_the_body_of_each_number() {
        let label = |class: &str, numbers| Label { class: class.into(), numbers };
        let oak = BlockInfo { name: "oak \"1\"".into(), label: label("tree", [6, 2]), ..BlockInfo::default() };
        let late = BlockInfo { name: "late".into(), label: label("tree", [6, UNNUMBERED]), ..BlockInfo::default() };
        let car = VehicleInfo { name: "car".into(), label: label("vehicle", [4, 1]), ..VehicleInfo::default() };
        let classes = ["ground", "wall", "block", "vehicle", "actor", "tree"].map(str::to_owned).to_vec();
        let scene = Scene { blocks: vec![oak, late], vehicles: vec![car], label_classes: classes, ..Scene::default() };
        let expected = concat!(
            r#"{"classes":{"1":"ground","2":"wall","3":"block","4":"vehicle","5":"actor","6":"tree"},"#,
            r#""bodies":{"1":{"name":"car","class":"vehicle","class_number":4},"#,
            r#""2":{"name":"oak \"1\"","class":"tree","class_number":6}}}"#
        );
        assert_eq!(label_table(&scene), expected);
    }
}
