//! Chunks of recordings, whatever comes in which order: none is without a message, and each topic is there before its messages.

use std::collections::BTreeSet;

use mcap::MessageStream;
use proptest::prelude::*;
use skidpad_ros_data::message::{Float64, Float64MultiArray, Kind, Message, Quality};
use skidpad_test_support::mcap_file::messages_in_chunks;

use super::output::{McapOutput, Owner};
use super::*;

/// What happens to a recording, one after another.
#[derive(Clone, Debug)]
enum Event {
    /// A topic comes; it may have been there before.
    Topic(u8),
    /// The owners of all topics go.
    Release,
    /// A message of one of the topics that have come.
    Message(u8),
    /// A message larger than a chunk.
    Large,
    /// A file is attached.
    Attach,
    TimedChange,
    Commit,
    /// Another process cuts the file, so that what follows is in another one.
    Cut,
    /// Another process removes the file.
    Remove,
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        4 => (0..6_u8).prop_map(Event::Topic),
        1 => Just(Event::Release),
        6 => (0..6_u8).prop_map(Event::Message),
        1 => Just(Event::Large),
        2 => Just(Event::Attach),
        2 => Just(Event::TimedChange),
        4 => Just(Event::Commit),
        1 => Just(Event::Cut),
        1 => Just(Event::Remove),
    ]
}

/// The topics of all messages, in the order of a file.
fn topics(bytes: &[u8]) -> Vec<String> {
    let messages = MessageStream::new(bytes).unwrap().map(Result::unwrap);
    messages.map(|message| message.channel.topic.clone()).collect()
}

/// A type whose topics several owners may have.
fn shared<M: Message>() -> Kind {
    Kind { is_shared: true, ..Kind::of::<M>() }
}

/// Lets these events happen to a recording, looks at the file after each commit, and compares the messages.
fn check(events: &[Event], compression: Compression) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.mcap");
    let options = RecordOptions { compression, ..RecordOptions::default() };
    let create = |content: &[u8]| Ok(file_monitor::create(&path, content).unwrap());
    let mut output = McapOutput::new(create, &path, &options).unwrap();
    let mut channels = Vec::new();
    let mut written = Vec::new();
    let mut time = 0;
    let missing = MissingMessages { topic: "/cmd_vel".to_owned(), time: 0.5, count: 1 };
    let large = Float64MultiArray { data: vec![0.5; 150_000], ..Float64MultiArray::default() };
    for event in events {
        time += 1_000_000;
        match event {
            Event::Topic(number) => {
                let topic = format!("/topic_{number}");
                let quality = [Quality::Data, Quality::Latched, Quality::Deferred][usize::from(number % 3)];
                let id = output.channel(&topic, shared::<Float64>(), quality, Owner::World).unwrap();
                channels.push((topic, id));
            }
            Event::Release => output.release(Owner::World),
            Event::Message(number) if !channels.is_empty() => {
                let (topic, id) = &channels[usize::from(*number) % channels.len()];
                output.write(*id, SimTime(time), &Float64 { data: 1.0 }).unwrap();
                written.push(topic.clone());
            }
            Event::Message(_) => {}
            Event::Large => {
                let kind = shared::<Float64MultiArray>();
                let id = output.channel("/large", kind, Quality::Data, Owner::World).unwrap();
                output.write(id, SimTime(time), &large).unwrap();
                written.push("/large".to_owned());
            }
            Event::Attach => output.attach_missing(&missing, SimTime(time)).unwrap(),
            Event::TimedChange => output.add_timed_change("1 command"),
            Event::Commit => {
                output.commit().unwrap();
                let bytes = std::fs::read(&output.place).unwrap();
                assert_eq!(topics(&bytes), written);
                assert_eq!(messages_in_chunks(&bytes), written.len());
            }
            Event::Cut | Event::Remove => {
                output.commit().unwrap();
                if matches!(event, Event::Cut) {
                    let file = std::fs::File::options().write(true).open(&output.place).unwrap();
                    file.set_len(20).unwrap();
                    // What was committed was in the file that is lost.
                    written.clear();
                } else {
                    std::fs::remove_file(&output.place).unwrap();
                }
            }
        }
    }
    // A last commit follows damage at the very end.
    output.commit().unwrap();
    let place = output.place.clone();
    // An error says that the file was cut or removed.
    let _ = output.finish();
    let bytes = std::fs::read(&place).unwrap();
    assert_eq!(topics(&bytes), written);
    assert_eq!(messages_in_chunks(&bytes), written.len());
    let summary = mcap::Summary::read(&bytes).unwrap().unwrap();
    assert_eq!(summary.stats.unwrap().message_count, written.len() as u64);
    let names: BTreeSet<&str> = summary.channels.values().map(|channel| channel.topic.as_str()).collect();
    assert_eq!(names.len(), summary.channels.len(), "a topic has one channel");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn no_chunk_is_without_a_message(
        events in prop::collection::vec(event(), 0..40),
        compression in prop_oneof![Just(Compression::None), Just(Compression::Zstd), Just(Compression::Lz4)],
    ) {
        check(&events, compression);
    }
}

#[test]
fn topics_that_come_without_messages_make_no_chunk() {
    check(&[], Compression::None);
    check(&[Event::Topic(0), Event::Attach, Event::Commit], Compression::None);
    check(&[Event::Topic(0), Event::Message(0), Event::Commit, Event::Topic(1), Event::Attach], Compression::Zstd);
}

#[test]
fn each_policy_is_the_number_that_rosbag2_gives_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.mcap");
    let create = |content: &[u8]| Ok(file_monitor::create(&path, content).unwrap());
    let mut output = McapOutput::new(create, &path, &RecordOptions::default()).unwrap();
    for (topic, quality) in [("/tf", Quality::Transforms), ("/tf_static", Quality::Latched), ("/odom", Quality::Data)] {
        let id = output.channel(topic, Kind::of::<Float64>(), quality, Owner::World).unwrap();
        output.write(id, SimTime(1), &Float64 { data: 1.0 }).unwrap();
    }
    output.finish().unwrap();
    let summary = mcap::Summary::read(&std::fs::read(&path).unwrap()).unwrap().unwrap();
    let offer = |topic: &str| {
        let channel = summary.channels.values().find(|channel| channel.topic == topic).unwrap();
        channel.metadata["offered_qos_profiles"].clone()
    };
    // What rosbag2 0.15 (Humble) records of a publisher that keeps its last 100 messages, reliable and volatile.
    let recorded = "- history: 1\n  depth: 100\n  reliability: 1\n  durability: 2\n  deadline:\n    sec: 9223372036\n    \
                    nsec: 854775807\n  lifespan:\n    sec: 9223372036\n    nsec: 854775807\n  liveliness: 1\n  \
                    liveliness_lease_duration:\n    sec: 9223372036\n    nsec: 854775807\n  \
                    avoid_ros_namespace_conventions: false\n";
    assert_eq!(offer("/tf"), recorded);
    let latched = recorded.replace("depth: 100", "depth: 1").replace("durability: 2", "durability: 1");
    assert_eq!(offer("/tf_static"), latched);
    assert_eq!(offer("/odom"), recorded.replace("depth: 100", "depth: 10"));
}
