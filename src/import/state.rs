//! The `<state>` of a world of Gazebo Classic: where its models and their links were when it was saved. Gazebo starts from there, whatever the poses
//! of the models say.
//!
//! Source: the specification of SDF (sdformat.org/spec), element `state`; all of its poses are in the frame of the world.

use std::collections::BTreeMap;

use skidpad_math::Pose3;
use skidpad_xml::Reader;

use super::frames::DEEPEST;
use super::pose::read_pose;

/// Poses in the frame of the world.
#[derive(Debug, Default)]
pub(super) struct State {
    /// Of models, by their names; of nested ones as `model::nested`.
    models: BTreeMap<String, Pose3>,
    /// Of links, as `model::link`.
    links: BTreeMap<String, Pose3>,
}

impl State {
    /// Reads that of a `<world>`; empty where it has none.
    pub(super) fn read(world: &Reader<'_>) -> State {
        let mut state = State::default();
        if let Some(tag) = world.child("state") {
            state.add(&tag, "", 0);
        }
        state
    }

    fn add(&mut self, parent: &Reader<'_>, prefix: &str, depth: usize) {
        for model in parent.children("model").iter().filter(|_| depth <= DEEPEST) {
            let Some(name) = model.attribute("name") else { continue };
            let path = format!("{prefix}{name}");
            let named_links =
                model.children("link").into_iter().filter_map(|link| Some((link.attribute("name")?, link)));
            self.links.extend(
                named_links
                    .filter(|(_, link)| link.has("pose"))
                    .map(|(name, link)| (format!("{path}::{name}"), read_pose(&link))),
            );
            self.add(model, &format!("{path}::"), depth + 1);
            if model.has("pose") {
                self.models.insert(path, read_pose(model));
            }
        }
    }

    /// Where a model is, by its name, nested ones as `model::nested`.
    pub(super) fn model(&self, path: &str) -> Option<Pose3> {
        self.models.get(path).copied()
    }

    /// Where a link of a model is.
    pub(super) fn link(&self, model: &str, link: &str) -> Option<Pose3> {
        self.links.get(&format!("{model}::{link}")).copied()
    }
}
