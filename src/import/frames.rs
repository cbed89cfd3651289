//! Poses of the parts of a model or world of SDF, each relative to any other.
//!
//! Source: "Pose Frame Semantics" of SDFormat 1.7 and later (sdformat.org/tutorials): a link, frame or nested model is
//! relative to its model unless `relative_to` says otherwise, a frame to what it is attached to, a joint to its child
//! link.

use std::collections::BTreeMap;

use skidpad_math::Pose3;
use skidpad_xml::{Context, Place, Reader};

use super::pose::read_pose;

/// Deepest nesting of models.
pub(super) const DEEPEST: usize = 10;
/// Most parts of a model or world: a world has no more bodies than that.
const MAX_PARTS: usize = 50_000;
/// Most parts on the way from one to the frame itself.
const MAX_WAY: usize = 100;
/// Name of the frame of the model or world itself.
const ITSELF: [&str; 3] = ["__model__", "world", "__root__"];

/// A part before it is placed.
struct Part {
    relative_to: String,
    pose: Pose3,
    place: Place,
    is_joint: bool,
}

/// The poses of all parts of a model or world in its own frame, by name; those of nested models as `model::part`.
#[derive(Debug, Default)]
pub(super) struct Frames(BTreeMap<String, Pose3>);

impl Frames {
    /// Reads them. An unknown name and a circle are errors, recorded.
    pub(super) fn read(context: &Context, scope: &Reader<'_>, depth: usize) -> Frames {
        let mut parts: BTreeMap<String, Part> = BTreeMap::new();
        if depth > DEEPEST {
            context.error(scope.place(), format!("models nested more than {DEEPEST} deep"));
            return Frames::default();
        }
        for (tag, attached) in [("link", None), ("frame", Some("attached_to")), ("joint", None), ("model", None)] {
            for part in scope.children(tag) {
                let Some(name) = part.attribute("name") else { continue };
                let named = part.child("pose").and_then(|pose| pose.attribute("relative_to")).filter(|n| !n.is_empty());
                let usual = match tag {
                    "joint" => part.text("child"),
                    _ => attached.and_then(|attribute| part.attribute(attribute)).filter(|n| !n.is_empty()),
                };
                let relative_to = named.or(usual).unwrap_or_else(|| ITSELF[0].to_owned());
                let mut pose = read_pose(&part);
                if tag == "model" {
                    let inner = Frames::read(context, &part, depth + 1);
                    // The pose of a model may be that of one of its frames.
                    if let Some(placed) = part.attribute("placement_frame").and_then(|frame| inner.pose(&frame)) {
                        pose = pose * placed.inverse();
                    }
                    let model_key = key(&parts, tag, &name);
                    for (of_inner, at) in inner.0 {
                        let place = part.place().clone();
                        let part = Part { relative_to: model_key.clone(), pose: at, place, is_joint: false };
                        parts.insert(format!("{name}::{of_inner}"), part);
                    }
                }
                let (place, is_joint) = (part.place().clone(), tag == "joint");
                parts.insert(key(&parts, tag, &name), Part { relative_to, pose, place, is_joint });
            }
        }
        if parts.len() > MAX_PARTS {
            let accepted = format!("at most {MAX_PARTS} links, joints, frames and models");
            context.error(scope.place(), format!("{} parts", parts.len())).accepted([accepted]);
            return Frames::default();
        }
        // A joint of a link that is not there is left out of the robot.
        let is_there = |name: &str| ITSELF.contains(&name) || parts.contains_key(name);
        let lost: Vec<String> = parts
            .iter()
            .filter(|(_, part)| part.is_joint && !is_there(&part.relative_to))
            .map(|(name, _)| name.clone())
            .collect();
        lost.iter().for_each(|name| drop(parts.remove(name)));
        resolve(context, &parts)
    }

    /// The pose of the part of this name that is a "link", a "frame", a "joint" or a "model".
    pub(super) fn pose_of(&self, kind: &str, name: &str) -> Option<Pose3> {
        self.0.get(&second(kind, name)).copied().or_else(|| self.pose(name))
    }

    /// The pose of a part.
    pub(super) fn pose(&self, name: &str) -> Option<Pose3> {
        if ITSELF.contains(&name) { Some(Pose3::default()) } else { self.0.get(name).copied() }
    }
}

/// The name of a part that shares it with one of another kind, which came before: a joint may be called as its link up
/// to SDF 1.6. Whoever is relative to the name means the first one.
fn second(kind: &str, name: &str) -> String {
    format!("{kind} {name}")
}

/// The name under which a part goes into `parts`.
fn key(parts: &BTreeMap<String, Part>, kind: &str, name: &str) -> String {
    if parts.contains_key(name) { second(kind, name) } else { name.to_owned() }
}

/// Places all parts: each way to the frame itself is walked once.
fn resolve(context: &Context, parts: &BTreeMap<String, Part>) -> Frames {
    let mut frames = Frames::default();
    for start in parts.keys() {
        // The parts from this one up to one that is placed.
        let mut chain: Vec<&str> = Vec::new();
        let mut at = start.as_str();
        while frames.pose(at).is_none() {
            let Some(part) = parts.get(at) else {
                let place = chain.last().and_then(|below| parts.get(*below)).map(|part| &part.place);
                if let Some(place) = place {
                    context.error(place, format!("no frame \"{at}\"")).one_of(at, parts.keys().map(String::as_str));
                }
                return frames;
            };
            if chain.contains(&at) || chain.len() > MAX_WAY {
                let accepted = format!("a way of at most {MAX_WAY} parts to the model or world");
                let fault = if chain.contains(&at) { "to itself" } else { "through too many others" };
                context.error(&part.place, format!("the pose of \"{at}\" is relative {fault}")).accepted([accepted]);
                return frames;
            }
            chain.push(at);
            at = &part.relative_to;
        }
        let mut pose = frames.pose(at).unwrap_or_default();
        for name in chain.iter().rev() {
            pose = pose * parts[*name].pose;
            frames.0.insert((*name).to_owned(), pose);
        }
    }
    frames
}

#[cfg(test)]
mod tests {
    use skidpad_math::Vec3;
    use skidpad_xml::{Options, Scope};

    use super::*;

    /// The frames of a model and the errors.
    fn read(text: &str) -> (Frames, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.sdf");
        std::fs::write(&path, text).unwrap();
        let context = Context::new(Options::default());
        let roots = context.read_plain(&path, None).unwrap();
        let frames = Frames::read(&context, &Reader::new(&context, &roots[0]).with_scope(Scope::Constant), 0);
        let errors = context.finish().0;
        (frames, errors.iter().map(|problem| problem.message.clone()).collect())
    }

    #[test]
    fn poses_are_relative_to_links_joints_frames_and_nested_models() {
        let (frames, errors) = read(
            "<model name=\"m\"><link name=\"a\"><pose>1 0 0 0 0 1.5707963267948966</pose></link>\
             <link name=\"b\"><pose relative_to=\"a\">2 0 0 0 0 0</pose></link>\
             <joint name=\"j\" type=\"fixed\"><parent>a</parent><child>b</child><pose>0 0 1 0 0 0</pose></joint>\
             <frame name=\"f\" attached_to=\"j\"><pose degrees=\"true\">0 1 0 0 0 -90</pose></frame>\
             <model name=\"n\" placement_frame=\"tip\"><pose relative_to=\"f\">0 0 0 0 0 0</pose>\
             <link name=\"tip\"><pose>5 0 0 0 0 0</pose></link><link name=\"foot\"/></model></model>",
        );
        assert_eq!(errors, Vec::<String>::new());
        let at = |name: &str| frames.pose(name).unwrap().position();
        for (name, expected) in [
            ("a", [1.0, 0.0, 0.0]),
            ("b", [1.0, 2.0, 0.0]),
            ("j", [1.0, 2.0, 1.0]),
            ("f", [0.0, 2.0, 1.0]),
            ("n::tip", [0.0, 2.0, 1.0]),
            ("n::foot", [-5.0, 2.0, 1.0]),
        ] {
            assert!((at(name) - Vec3::from(expected)).norm() < 1e-12, "{name}: {}", at(name));
        }
    }

    #[test]
    fn a_joint_may_be_called_as_a_link_and_a_model_as_a_joint() {
        let (frames, errors) = read(
            "<model><link name=\"a\"><pose>1 0 0 0 0 0</pose></link><link name=\"b\"><pose>0 2 0 0 0 0</pose></link>\
             <joint name=\"a\" type=\"fixed\"><parent>a</parent><child>b</child><pose>0 0 3 0 0 0</pose></joint>\
             <joint name=\"b\" type=\"fixed\"><parent>a</parent><child>b</child></joint>\
             <model name=\"a\"><pose>5 0 0 0 0 0</pose><link name=\"tip\"/></model></model>",
        );
        assert_eq!(errors, Vec::<String>::new());
        let at = |pose: Option<Pose3>| pose.unwrap().position();
        assert_eq!(at(frames.pose("a")), Vec3::new(1.0, 0.0, 0.0));
        assert_eq!(at(frames.pose_of("joint", "a")), Vec3::new(0.0, 2.0, 3.0));
        assert_eq!(at(frames.pose_of("joint", "b")), Vec3::new(0.0, 2.0, 0.0));
        assert_eq!(at(frames.pose_of("link", "b")), Vec3::new(0.0, 2.0, 0.0));
        assert_eq!(at(frames.pose("a::tip")), Vec3::new(5.0, 0.0, 0.0));
    }

    #[test]
    fn circles_and_unknown_frames_are_errors() {
        let link = |name: &str, to: &str| {
            format!("<link name=\"{name}\"><pose relative_to=\"{to}\">0 0 0 0 0 0</pose></link>")
        };
        let circle = format!("<model>{}{}</model>", link("a", "b"), link("b", "a"));
        assert_eq!(read(&circle).1, ["the pose of \"a\" is relative to itself"]);
        assert_eq!(read(&format!("<model>{}</model>", link("a", "c"))).1, ["no frame \"c\""]);
        let chain: String = (0..200).map(|k| link(&format!("l{k:03}"), &format!("l{:03}", k + 1))).collect();
        let errors = read(&format!("<model>{chain}<link name=\"l200\"/></model>")).1;
        assert_eq!(errors, ["the pose of \"l101\" is relative through too many others"]);
    }
}
