//! Warns when another node publishes a transform that this node publishes too, such as AMCL's map → odom: the frame then jumps
//! between the two.
//!
//! All nodes share the topic of transforms, and a message does not name its sender. But for each frame the stamps of one publisher
//! increase, while those of two interleave: they step back or repeat. So when other nodes publish on the topic, a hidden temporary node
//! subscribes to it for a while. Two publishers whose stamps happen to increase together are not detected.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use futures::stream::BoxStream;
use futures::{FutureExt, StreamExt};
use r2r::tf2_msgs::msg::TFMessage;
use r2r::{Context, Node};
use skidpad_ros_data::preset::Switch;

use super::peers::{self, Publishers};
use super::quality::TF_QOS;
use super::topic_layout::TopicLayout;
use crate::throttle::Throttle;

/// Name of the node that listens; the underscore keeps it out of `ros2 node list`.
const NODE: &str = "_skidpad_frames";
/// Period of the queries of the graph.
const GRAPH_PERIOD: Duration = Duration::from_millis(500);
/// How long the node listens to a topic for one set of publishers.
const LISTENING_TIME: Duration = Duration::from_secs(5);
/// Sets of publishers that are checked for one topic: peers may join and leave indefinitely.
const MAX_PUBLISHER_SETS: u32 = 8;
/// Messages that are read per turn.
const MAX_MESSAGES_PER_CHECK: usize = 16;
/// Number of backward steps of the stamp that trigger the warning; a reset of time causes one.
const MIN_STAMP_FALLS: u32 = 3;

/// Watches the topics of transforms.
pub(crate) struct DuplicateTransforms {
    context: Context,
    topics: Vec<WatchedTopic>,
    listener: Option<TransformListener>,
    checks: Throttle,
}

/// A topic of transforms.
struct WatchedTopic {
    name: String,
    resolved: String,
    /// Frames that this node moves there, and the setting that switches each off.
    frames: BTreeMap<String, Switch>,
    /// The publishers that have been checked.
    checked: BTreeSet<String>,
    sets: u32,
}

/// Listens to a topic.
struct TransformListener {
    topic: usize,
    names: BTreeSet<String>,
    node: Node,
    messages: BoxStream<'static, TFMessage>,
    until: Instant,
    stamps: Stamps,
}

/// The last stamp [s, ns] of each frame, and how often it stepped back.
#[derive(Default)]
struct Stamps(BTreeMap<String, ((i32, u32), u32)>);

impl Stamps {
    /// Records a stamp; true when enough stamps of this frame have stepped back.
    fn note(&mut self, frame: &str, stamp: (i32, u32)) -> bool {
        let Some((last, falls)) = self.0.get_mut(frame) else {
            self.0.insert(frame.to_owned(), (stamp, 0));
            return false;
        };
        *falls += u32::from(stamp <= *last);
        *last = stamp;
        *falls >= MIN_STAMP_FALLS
    }
}

impl DuplicateTransforms {
    /// Watches the topics of the vehicles of the layout.
    pub fn new(context: Context, layout: &TopicLayout, resolve: impl Fn(&str) -> String) -> DuplicateTransforms {
        let mut topics: BTreeMap<String, BTreeMap<String, Switch>> = BTreeMap::new();
        for (tf_topics, names) in layout.on_graph().flat_map(|(_, _, vehicle)| &vehicle.tf) {
            let frames = topics.entry(tf_topics.0[0].clone()).or_default();
            let moving = names.preset.frames.moving.iter();
            frames.extend(moving.map(|moving| (names.frame(moving.child), moving.switch)));
        }
        let topic = |(name, frames): (String, BTreeMap<String, Switch>)| WatchedTopic {
            resolved: resolve(&name),
            name,
            frames,
            checked: BTreeSet::new(),
            sets: 0,
        };
        DuplicateTransforms {
            context,
            topics: topics.into_iter().map(topic).collect(),
            listener: None,
            checks: Throttle::new(GRAPH_PERIOD),
        }
    }

    /// Checks the graph through `node`, and listens to a topic that other nodes publish on.
    pub fn check(&mut self, node: &Node) {
        if let Some(listener) = &mut self.listener {
            let over = listener.until <= Instant::now();
            let warned = listener.listen(&self.topics[listener.topic]);
            if warned {
                self.topics.remove(listener.topic);
            }
            if warned || over {
                self.listener = None;
            }
            return;
        }
        if !self.checks.is_due(Instant::now()) {
            return;
        }
        let news = self.topics.iter_mut().enumerate().find_map(|(index, topic)| {
            let Publishers { names, unnamed, .. } = peers::publishers_of(node, &topic.resolved);
            let are_new = unnamed == 0 && names.len() > 1 && names != topic.checked;
            (are_new && topic.sets < MAX_PUBLISHER_SETS).then_some((index, names))
        });
        let Some((index, names)) = news else { return };
        let topic = &mut self.topics[index];
        topic.checked.clone_from(&names);
        topic.sets += 1;
        self.listener = TransformListener::open(&self.context, index, &topic.name, names)
            .inspect_err(|error| tracing::debug!("topic \"{}\": cannot be listened to: {error}", topic.resolved))
            .ok();
    }
}

impl TransformListener {
    fn open(context: &Context, topic: usize, name: &str, names: BTreeSet<String>) -> r2r::Result<TransformListener> {
        let mut node = Node::create(context.clone(), NODE, "")?;
        let messages = node.subscribe::<TFMessage>(name, TF_QOS)?.boxed();
        Ok(TransformListener {
            topic,
            names,
            node,
            messages,
            until: Instant::now() + LISTENING_TIME,
            stamps: Stamps::default(),
        })
    }

    /// Reads the received messages; true when it has warned of a frame.
    fn listen(&mut self, topic: &WatchedTopic) -> bool {
        for _ in 0..MAX_MESSAGES_PER_CHECK {
            self.node.spin_once(Duration::ZERO);
            let Some(Some(message)) = self.messages.next().now_or_never() else { return false };
            for transform in &message.transforms {
                let Some(switch) = topic.frames.get(&transform.child_frame_id) else { continue };
                let stamp = &transform.header.stamp;
                if self.stamps.note(&transform.child_frame_id, (stamp.sec, stamp.nanosec)) {
                    let [parent, child] = [&transform.header.frame_id, &transform.child_frame_id];
                    tracing::warn!("{}", warning(&topic.resolved, [parent, child], *switch, &self.names));
                    return true;
                }
            }
        }
        false
    }
}

fn warning(topic: &str, [parent, child]: [&str; 2], switch: Switch, names: &BTreeSet<String>) -> String {
    let parameter = match switch {
        Switch::Tf => "publish_tf",
        Switch::MapToOdom => "publish_map_to_odom",
    };
    format!(
        "topic \"{topic}\": more than one node publishes {parent} → {child}\n  accepted: one publisher of each frame; found at least two of {}\n  \
         hint: set the parameter {parameter} to false, or end the other",
        peers::listed(names)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_of_one_publisher_increase_and_those_of_two_step_back() {
        let mut stamps = Stamps::default();
        assert!(!(0..100).any(|i| stamps.note("odom", (i, 0)) || stamps.note("base_footprint", (i, 0))));
        // A reset of time is not a second publisher.
        assert!(!(0..100).any(|i| stamps.note("odom", (i, 0))));
        let mut ahead = Stamps::default();
        assert!((0..10).any(|i| ahead.note("odom", (i, 0)) || ahead.note("odom", (i + 1, 5))));
        let mut same = Stamps::default();
        assert!((0..10).any(|i| same.note("odom", (i, 0)) || same.note("odom", (i, 0))));
    }

    #[test]
    fn the_warning_names_frame_nodes_and_switch() {
        let names = BTreeSet::from(["/amcl".to_owned(), "/skidpad".to_owned()]);
        assert_eq!(
            warning("/tf", ["map", "odom"], Switch::MapToOdom, &names),
            "topic \"/tf\": more than one node publishes map → odom\n  accepted: one publisher of each frame; found at least two of nodes \
             \"/amcl\", \"/skidpad\"\n  hint: set the parameter publish_map_to_odom to false, or end the other"
        );
    }
}
