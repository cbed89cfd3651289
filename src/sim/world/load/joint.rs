//! `<joint>`: ropes, springs and pins between bodies.
//!
//! ```xml
//! <joint type="distance" body_a="tractor" body_b="sledge"   "rope" is the same; vehicles or blocks, defined before
//!        anchor_a="-0.5 0" anchor_b="0.4 0"                 in the body frame, from the reference point [m]
//!        max_length="5" min_length="0"                      distance of the anchors [m], 0 ≤ min ≤ max
//!        stiffness="0" damping="0"/>                        [N/m], [N·s/m], ≥ 0; a spring towards max_length
//! <joint type="revolute" …                                  "pin" is the same; the anchors stay together
//!        enable_limit="false"
//!        lower_angle_deg="0" upper_angle_deg="0"/>          of b against a, 0 as they start [deg], lower ≤ upper
//! ```
//! A `name` may be given, for messages and viewers. Without stiffness a rope has no damping either, as in MVSim. A static
//! block holds its end in the world. Bodies that a joint connects do not collide with each other.

use std::sync::Arc;

use skidpad_math::Vec2;
use skidpad_xml::{Accept, Reader};

use super::Builder;
use crate::world::joint::{BodyKey, JointEndInfo, JointInfo, JointRecord};
use crate::world::{BodyRef, JointEnd, JointLaw, World};

/// The types of joints: name in the file, and whether it is a pin.
const TYPES: [(&str, bool); 4] = [("distance", false), ("rope", false), ("revolute", true), ("pin", true)];

/// Puts the joints into a world that has its vehicles and blocks.
pub(super) fn place(loaded: Vec<JointInfo>, world: &mut World) {
    let scene = Arc::make_mut(&mut world.scene);
    for (order, info) in loaded.into_iter().enumerate() {
        let end = |end: &JointEndInfo| match end.body {
            BodyRef::Vehicle(index) => JointEnd { body: Some(world.vehicles[index].body), anchor: end.anchor_in_body },
            BodyRef::Block(index) => match &world.blocks[index].body {
                Some(block) => JointEnd { body: Some(block.body), anchor: end.anchor_in_body },
                None => {
                    let start = scene.blocks[index].world_from_start.planar();
                    JointEnd { body: None, anchor: start.transform_point(end.anchor_in_body) }
                }
            },
        };
        let ends = [end(&info.ends[0]), end(&info.ends[1])];
        let number = world.physics.add_joint(ends, info.law);
        if number.is_some() {
            for (end, other) in [(&info.ends[0], ends[1]), (&info.ends[1], ends[0])] {
                if let (BodyRef::Block(index), Some(body)) = (end.body, other.body)
                    && let Some((number, _)) = world.blocks[index].scenery
                {
                    world.physics.let_pass(body, number);
                }
            }
        }
        for end in &info.ends {
            if let BodyRef::Vehicle(index) = end.body
                && world.vehicles[index].vehicle.wheels().len() == 2
            {
                world.vehicles[index].hitch.get_or_insert(end.anchor_in_body);
            }
        }
        let key = |end: &JointEndInfo| match end.body {
            BodyRef::Vehicle(index) => BodyKey::Vehicle(world.vehicles[index].order),
            BodyRef::Block(index) => BodyKey::Block(world.blocks[index].order),
        };
        let ends = [key(&info.ends[0]), key(&info.ends[1])];
        world.joints.push(JointRecord { order, number, ends });
        scene.joints.push(info);
    }
}

impl Builder<'_> {
    pub(super) fn joint(&mut self, reader: &Reader<'_>) {
        if let Some(law) = read_law(reader) {
            self.read_joint(reader, law);
            reader.finish();
        }
    }

    fn read_joint(&mut self, reader: &Reader<'_>, law: JointLaw) {
        let ends = [("body_a", "anchor_a"), ("body_b", "anchor_b")].map(|(body, anchor)| {
            let anchor_in_body = read_anchor(reader, anchor);
            let body = self.joint_body(reader, body)?;
            Some(JointEndInfo { body, anchor_in_body: anchor_in_body? })
        });
        let given = reader.attribute("name").filter(|name| !name.is_empty());
        let [Some(a), Some(b)] = ends else { return };
        if a.body == b.body {
            reader
                .error(format!("a joint of \"{}\" with itself", self.body_name(a.body)))
                .accepted(["two different bodies"]);
            return;
        }
        if [&a, &b].iter().all(|end| self.never_moves(end.body)) {
            let [a, b] = [&a, &b].map(|end| self.body_name(end.body));
            reader.warn(format!("neither \"{a}\" nor \"{b}\" can be moved by a joint"));
        }
        let name = match given {
            Some(name) => self.names.unique(&name),
            None => self.names.numbered("joint", 1, |stem, number| format!("{stem}{number}")),
        };
        self.joints.push(JointInfo { name, law, ends: [a, b] });
    }

    /// The body named by the attribute, among those defined so far.
    fn joint_body(&self, reader: &Reader<'_>, attribute: &str) -> Option<BodyRef> {
        let Some(name) = reader.attribute(attribute) else {
            reader.missing(attribute);
            return None;
        };
        let Some(body) = self.names.body(&name) else {
            if self.names.is_unread(&name) {
                return None;
            }
            let known = self.vehicles.iter().map(|v| &v.info.name).chain(self.blocks.iter().map(|b| &b.info.name));
            let message = format!("no body called \"{name}\" before this {}", reader.describe());
            reader.error_at(attribute, message).one_of(&name, known.cloned());
            return None;
        };
        if matches!(body, BodyRef::Block(index) if self.blocks[index].info.is_intangible) {
            let message = format!("block \"{name}\" is intangible and has no body for a {}", reader.describe());
            reader.error_at(attribute, message);
            return None;
        }
        Some(body)
    }

    fn body_name(&self, body: BodyRef) -> &str {
        match body {
            BodyRef::Vehicle(index) => &self.vehicles[index].info.name,
            BodyRef::Block(index) => &self.blocks[index].info.name,
        }
    }

    /// Whether a body cannot be moved by others: scenery, and bodies with a prescribed motion.
    fn never_moves(&self, body: BodyRef) -> bool {
        match body {
            BodyRef::Vehicle(index) => self.vehicles[index].animation.is_some(),
            BodyRef::Block(index) => {
                let block = &self.blocks[index];
                block.info.is_static || block.info.is_animated
            }
        }
    }
}

fn read_anchor(reader: &Reader<'_>, attribute: &str) -> Option<Vec2> {
    let anchor = reader.attribute_numbers(attribute, &[2]);
    if anchor.is_none() && reader.element().attribute(attribute).is_none() {
        reader.missing(attribute);
    }
    anchor.map(|p| Vec2::new(p[0], p[1]))
}

/// The law of the joint; reads the attributes of its type.
fn read_law(reader: &Reader<'_>) -> Option<JointLaw> {
    let Some(kind) = reader.attribute("type") else {
        reader.missing("type").accepted(TYPES.map(|(name, _)| name));
        return None;
    };
    let Some(&(_, is_pin)) = TYPES.iter().find(|(name, _)| *name == kind) else {
        let message = format!("unknown type \"{kind}\" in <joint>");
        reader.error_at("type", message).one_of(&kind, TYPES.map(|(name, _)| name));
        return None;
    };
    if is_pin {
        let is_limited = reader.attribute_bool("enable_limit", false);
        let [low, high] = ["lower_angle_deg", "upper_angle_deg"]
            .map(|name| reader.attribute_degrees(name, 0.0, Accept::range(-36000.0, 36000.0)));
        if is_limited && low > high {
            let message =
                format!("lower_angle_deg {} is above upper_angle_deg {}", low.to_degrees(), high.to_degrees());
            reader.error_at("lower_angle_deg", message);
        }
        return Some(JointLaw::Pin { limits: is_limited.then_some([low, high]) });
    }
    let max = reader.attribute_f64("max_length", 5.0, Accept::non_negative());
    let min = reader.attribute_f64("min_length", 0.0, Accept::non_negative());
    if min > max {
        reader.error_at("min_length", format!("min_length {min} is above max_length {max}"));
    }
    let stiffness = reader.attribute_f64("stiffness", 0.0, Accept::non_negative());
    let damping = reader.attribute_f64("damping", 0.0, Accept::non_negative());
    Some(JointLaw::Rope { min, max, stiffness, damping })
}
