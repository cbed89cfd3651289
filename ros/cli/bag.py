"""ros2 bag: record, with the sqlite3 storage of rosbag2 in the layout that Humble and later read; info and play, of MCAP too."""

import os
import re
import sqlite3
import sys
import time

import rclpy
import yaml
from rclpy.qos import DurabilityPolicy, QoSProfile

import definitions
import graph
import messages
from mcap_file import Reader
from problem import Problem
from topic import hear, offers

# The versions of metadata.yaml, which is that of Humble, and of the tables, which is that of Iron and adds the definitions of types: Humble
# reads the tables that it knows.
METADATA_VERSION, SCHEMA_VERSION = 5, 4
TABLES = """
CREATE TABLE schema(schema_version INTEGER PRIMARY KEY, ros_distro TEXT NOT NULL);
CREATE TABLE metadata(id INTEGER PRIMARY KEY, metadata_version INTEGER NOT NULL, metadata TEXT NOT NULL);
CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL,
  type_description_hash TEXT NOT NULL);
CREATE TABLE message_definitions(id INTEGER PRIMARY KEY, topic_type TEXT NOT NULL, encoding TEXT NOT NULL,
  encoded_message_definition TEXT NOT NULL, type_description_hash TEXT NOT NULL);
CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER NOT NULL, data BLOB NOT NULL);
CREATE INDEX timestamp_idx ON messages (timestamp ASC);
"""
INFORMATION = "rosbag2_bagfile_information"
ACCEPTED = ["a folder of ros2 bag record", "a file FILE.mcap"]
# Between two looks for new topics, which also put on disk what has come [s].
PERIOD = 1.0


def add_commands(commands):
    verbs = commands.add_parser("bag", help="recordings: record, info, play").add_subparsers(dest="verb", metavar="VERB", required=True)
    verb = verbs.add_parser("record", help="records topics until Ctrl-C")
    verb.add_argument("topics", nargs="*")
    verb.add_argument("-a", "--all", action="store_true", help="all topics, those that come later too")
    verb.add_argument("-o", "--output", help="folder, which must not exist; by default rosbag2_ and the time")
    verb.set_defaults(act=record)
    verb = verbs.add_parser("info", help="what is in a recording")
    verb.add_argument("bag", help="folder of ros2 bag record, or MCAP file")
    verb.set_defaults(act=info)
    verb = verbs.add_parser("play", help="publishes a recording")
    verb.add_argument("bag", help="folder of ros2 bag record, or MCAP file")
    verb.add_argument("-r", "--rate", type=float, default=1.0, help="speed, 1 as recorded")
    verb.add_argument("--topics", nargs="+", help="only these")
    verb.add_argument("-l", "--loop", action="store_true", help="over and over, until Ctrl-C")
    verb.set_defaults(act=play)


class _WithoutAliases(yaml.SafeDumper):
    """Writes equal parts out each time: other readers of YAML take no references."""

    def ignore_aliases(self, _):
        return True


def _dump(value):
    return yaml.dump(value, Dumper=_WithoutAliases, sort_keys=False)


class Recording:
    """A recording in the making: a folder with one file, and metadata.yaml once it is closed."""

    def __init__(self, folder):
        os.makedirs(folder)
        self.folder, self.file = folder, os.path.basename(os.path.normpath(folder)) + "_0.db3"
        self.base = sqlite3.connect(os.path.join(folder, self.file))
        self.base.executescript(TABLES)
        self.base.execute("INSERT INTO schema VALUES (?, ?)", (SCHEMA_VERSION, os.environ.get("ROS_DISTRO", "jazzy")))
        self.topics, self.kinds = {}, set()

    def add(self, name, kind, quality):
        number = len(self.topics) + 1
        self.topics[name] = number
        kind_hash = definitions.type_hash(kind)
        self.base.execute("INSERT INTO topics VALUES (?, ?, ?, 'cdr', ?, ?)", (number, name, kind, quality, kind_hash))
        if kind not in self.kinds:
            self.kinds.add(kind)
            self.base.execute(
                "INSERT INTO message_definitions(topic_type, encoding, encoded_message_definition, type_description_hash) VALUES (?, ?, ?, ?)",
                (kind, definitions.ENCODING, definitions.full_text(kind), kind_hash))
        return lambda data: self.base.execute("INSERT INTO messages(topic_id, timestamp, data) VALUES (?, ?, ?)", (number, time.time_ns(), data))

    def close(self):
        first, last, count = self.base.execute("SELECT MIN(timestamp), MAX(timestamp), COUNT(*) FROM messages").fetchone()
        span = {"duration": {"nanoseconds": (last or 0) - (first or 0)}, "starting_time": {"nanoseconds_since_epoch": first or 0}, "message_count": count}
        rows = self.base.execute(
            "SELECT name, type, offered_qos_profiles, COUNT(messages.id) FROM topics LEFT JOIN messages ON topic_id = topics.id GROUP BY topics.id").fetchall()
        topics = [
            {
                "topic_metadata": {"name": name, "type": kind, "serialization_format": "cdr", "offered_qos_profiles": quality},
                "message_count": messages_of_it,
            }
            for name, kind, quality, messages_of_it in rows
        ]
        files = [dict(span, path=self.file)]
        information = dict(
            span, version=METADATA_VERSION, storage_identifier="sqlite3", topics_with_message_count=topics, compression_format="",
            compression_mode="", relative_file_paths=[self.file], files=files)
        text = _dump({INFORMATION: information})
        self.base.execute("INSERT INTO metadata(metadata_version, metadata) VALUES (?, ?)", (METADATA_VERSION, text))
        self.base.commit()
        self.base.close()
        with open(os.path.join(self.folder, "metadata.yaml"), "w") as file:
            file.write(text)
        return count


def _quality(reliable, latched):
    """Quality of service as rosbag2 writes it, with the numbers of rmw."""
    forever = {"sec": 9223372036, "nsec": 854775807}
    return _dump([{
        "history": 3, "depth": 0, "reliability": 1 if reliable else 2, "durability": 1 if latched else 2, "deadline": forever, "lifespan": forever,
        "liveliness": 1, "liveliness_lease_duration": forever, "avoid_ros_namespace_conventions": False,
    }])


def record(arguments):
    wanted = [graph.absolute(name) for name in arguments.topics]
    if not wanted and not arguments.all:
        raise Problem("ros2 bag record", "nothing to record", ["names of topics, or --all"])
    folder = arguments.output or time.strftime("rosbag2_%Y_%m_%d-%H_%M_%S")
    if os.path.exists(folder):
        raise Problem(folder, "exists already", hint="give another name with --output, or remove it")
    recording = Recording(folder)
    unknown = set()
    with graph.a_node() as node:
        try:
            while True:
                for name, kinds in graph.topics(node).items():
                    if name in recording.topics or name in unknown or not (arguments.all or name in wanted):
                        continue
                    try:
                        messages.load(kinds[0], "msg")
                    except Problem as problem:
                        print("{}: not recorded: {}".format(name, problem), flush=True)
                        unknown.add(name)
                        continue
                    hear(node, name, kinds[0], recording.add(name, kinds[0], _quality(*offers(node, name))), raw=True)
                    print("Subscribed to topic '{}'".format(name), flush=True)
                until = time.monotonic() + PERIOD
                while time.monotonic() < until:
                    rclpy.spin_once(node, timeout_sec=0.1)
                recording.base.commit()
        finally:
            print("{}: {} messages".format(folder, recording.close()), flush=True)


class Bag:
    """A recording to read: `topics` by name as (type, encoding, quality of service, number of messages), its files, start and duration [ns]."""

    def __init__(self, path):
        self.topics, self.start, self.duration, self.is_mcap = {}, 0, 0, not os.path.isdir(path)
        if self.is_mcap:
            self.files = [path]
            self._scan()
            return
        path, folder = os.path.join(path, "metadata.yaml"), path
        try:
            with open(path) as file:
                information = yaml.safe_load(file)[INFORMATION]
            storage, compression = information["storage_identifier"], information.get("compression_mode") or ""
            self.files = [os.path.join(folder, name) for name in information["relative_file_paths"]]
            self.start, self.duration = information["starting_time"]["nanoseconds_since_epoch"], information["duration"]["nanoseconds"]
            for entry in information["topics_with_message_count"]:
                topic = entry["topic_metadata"]
                self.topics[topic["name"]] = (
                    topic["type"], topic["serialization_format"], str(topic["offered_qos_profiles"]), entry["message_count"])
        except OSError as error:
            raise Problem(path, (error.strerror or str(error)).lower(), ACCEPTED) from None
        except (yaml.YAMLError, KeyError, TypeError):
            raise Problem(path, "this is not rosbag2 metadata") from None
        self.is_mcap = storage == "mcap"
        if storage not in ("mcap", "sqlite3") or compression:
            raise Problem(path, "its storage is {} {}".format(storage, compression), ["mcap", "sqlite3"], "`skidpad analyze` and `skidpad replay` read it")

    def _scan(self):
        """Counts the messages of a file without metadata.yaml, and looks for its span."""
        counts, first, last = {}, None, None
        reader = Reader(self.files[0])
        try:
            for channel, time_, _ in reader.messages():
                counts[channel] = counts.get(channel, 0) + 1
                first, last = min(time_, first or time_), max(time_, last or time_)
        except OSError as error:
            raise Problem(self.files[0], (error.strerror or str(error)).lower(), ACCEPTED) from None
        for channel, (name, *more) in reader.topics.items():
            before = self.topics[name][3] if name in self.topics else 0
            self.topics[name] = (*more, before + counts.get(channel, 0))
        self.start, self.duration = first or 0, (last or 0) - (first or 0)

    def messages(self):
        """Topic, time [ns] and bytes of each message."""
        for file in self.files:
            if not os.path.exists(file):
                raise Problem(file, "no such file")
            yield from _of_mcap(file) if self.is_mcap else _of_sqlite(file)


def _of_mcap(file):
    reader = Reader(file)
    for channel, time_, data in reader.messages():
        if channel in reader.topics:
            yield reader.topics[channel][0], time_, data


def _of_sqlite(file):
    base = sqlite3.connect("file:{}?mode=ro".format(file), uri=True)
    try:
        yield from base.execute("SELECT name, timestamp, data FROM messages JOIN topics ON topics.id = topic_id ORDER BY timestamp, messages.id")
    except sqlite3.DatabaseError as error:
        raise Problem(file, str(error)) from None
    finally:
        base.close()


def info(arguments):
    bag = Bag(arguments.bag)
    start = bag.start / 1e9
    size = sum(os.path.getsize(file) for file in bag.files if os.path.exists(file))
    names, storage = " ".join(map(os.path.basename, bag.files)), "mcap" if bag.is_mcap else "sqlite3"
    print("Files:             {}\nBag size:          {:.1f} KiB\nStorage id:        {}".format(names, size / 1024, storage))
    print("Duration:          {:.9f}s\nStart:             {} ({:.9f})".format(bag.duration / 1e9, time.strftime("%b %e %Y %H:%M:%S", time.localtime(start)), start))
    print("Messages:          {}\nTopic information:".format(sum(count for *_, count in bag.topics.values())))
    for name, (kind, form, _, count) in bag.topics.items():
        print("  Topic: {} | Type: {} | Count: {} | Serialization Format: {}".format(name, kind, count, form))


def play(arguments):
    if not arguments.rate > 0:
        raise Problem("--rate", "found {}".format(arguments.rate), ["a number > 0"])
    bag = Bag(arguments.bag)
    names = None if arguments.topics is None else {graph.absolute(name) for name in arguments.topics}
    with graph.a_node() as node:
        publishers = {}
        for name, (kind, _, quality, _) in bag.topics.items():
            if names is not None and name not in names:
                continue
            try:
                kind = messages.load(kind, "msg")
            except Problem as problem:
                print("{}: not played: {}".format(name, problem), file=sys.stderr, flush=True)
                continue
            latched = re.search(r"durability: (1|transient_local)\b", quality)
            durability = DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE
            publishers[name] = node.create_publisher(kind, name, QoSProfile(depth=100, durability=durability))
        time.sleep(graph.QUIET)
        while True:
            begin = time.monotonic()
            for name, stamp, data in bag.messages():
                if name in publishers:
                    due = begin + (stamp - bag.start) / 1e9 / arguments.rate
                    time.sleep(max(0.0, due - time.monotonic()))
                    publishers[name].publish(bytes(data))
            if not arguments.loop:
                break
        # The last messages leave the process before it ends.
        time.sleep(graph.ACQUAINTANCE)
