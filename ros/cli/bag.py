"""ros2 bag: record, info, play, with the sqlite3 storage of rosbag2, in the layout that Humble and later read."""

import os
import sqlite3
import time

import rclpy
import yaml
from rclpy.qos import DurabilityPolicy, QoSProfile

import graph
import messages
from problem import Problem
from topic import hear, offers

# The versions of Humble: of metadata.yaml and of the tables.
METADATA_VERSION, SCHEMA_VERSION = 5, 3
TABLES = """
CREATE TABLE schema(schema_version INTEGER PRIMARY KEY, ros_distro TEXT NOT NULL);
CREATE TABLE metadata(id INTEGER PRIMARY KEY, metadata_version INTEGER NOT NULL, metadata TEXT NOT NULL);
CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL);
CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER NOT NULL, data BLOB NOT NULL);
CREATE INDEX timestamp_idx ON messages (timestamp ASC);
"""
INFORMATION = "rosbag2_bagfile_information"
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
    verb.add_argument("bag")
    verb.set_defaults(act=info)
    verb = verbs.add_parser("play", help="publishes a recording")
    verb.add_argument("bag")
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
        self.topics = {}

    def add(self, name, kind, quality):
        number = len(self.topics) + 1
        self.topics[name] = number
        self.base.execute("INSERT INTO topics VALUES (?, ?, ?, 'cdr', ?)", (number, name, kind, quality))
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


def _open(bag):
    """The information on a recording, and the paths of its files."""
    path = os.path.join(bag, "metadata.yaml")
    try:
        with open(path) as file:
            information = yaml.safe_load(file)[INFORMATION]
        files = [os.path.join(bag, name) for name in information["relative_file_paths"]]
    except OSError as error:
        found, hint = (error.strerror or str(error)).lower(), "`skidpad analyze` and `skidpad replay` read MCAP too"
        raise Problem(path, found, ["a folder of ros2 bag record"], hint) from None
    except (yaml.YAMLError, KeyError, TypeError):
        raise Problem(path, "this is not rosbag2 metadata") from None
    if information.get("storage_identifier") != "sqlite3" or information.get("compression_mode"):
        raise Problem(path, "its storage is {} {}".format(information.get("storage_identifier"), information.get("compression_mode") or ""), ["sqlite3"],
                      "`skidpad analyze` and `skidpad replay` read it")
    return information, files


def info(arguments):
    information, files = _open(arguments.bag)
    seconds = information["duration"]["nanoseconds"] / 1e9
    start = information["starting_time"]["nanoseconds_since_epoch"] / 1e9
    size = sum(os.path.getsize(file) for file in files if os.path.exists(file))
    print("Files:             {}\nBag size:          {:.1f} KiB\nStorage id:        sqlite3".format(" ".join(information["relative_file_paths"]), size / 1024))
    print("Duration:          {:.9f}s\nStart:             {} ({:.9f})".format(seconds, time.strftime("%b %e %Y %H:%M:%S", time.localtime(start)), start))
    print("Messages:          {}\nTopic information:".format(information["message_count"]))
    for entry in information["topics_with_message_count"]:
        topic = entry["topic_metadata"]
        count, form = entry["message_count"], topic["serialization_format"]
        print("  Topic: {} | Type: {} | Count: {} | Serialization Format: {}".format(topic["name"], topic["type"], count, form))


def play(arguments):
    if not arguments.rate > 0:
        raise Problem("--rate", "found {}".format(arguments.rate), ["a number > 0"])
    information, files = _open(arguments.bag)
    names = None if arguments.topics is None else {graph.absolute(name) for name in arguments.topics}
    with graph.a_node() as node:
        publishers = {}
        for entry in information["topics_with_message_count"]:
            topic = entry["topic_metadata"]
            if names is not None and topic["name"] not in names:
                continue
            latched = "durability: 1" in str(topic["offered_qos_profiles"])
            durability = DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE
            publishers[topic["name"]] = node.create_publisher(messages.load(topic["type"], "msg"), topic["name"], QoSProfile(depth=100, durability=durability))
        time.sleep(graph.QUIET)
        while True:
            begin = time.monotonic()
            for name, stamp, data in _messages(files):
                if name in publishers:
                    due = begin + (stamp - information["starting_time"]["nanoseconds_since_epoch"]) / 1e9 / arguments.rate
                    time.sleep(max(0.0, due - time.monotonic()))
                    publishers[name].publish(bytes(data))
            if not arguments.loop:
                break
        # The last messages leave the process before it ends.
        time.sleep(graph.ACQUAINTANCE)


def _messages(files):
    for file in files:
        if not os.path.exists(file):
            raise Problem(file, "no such file")
        base = sqlite3.connect("file:{}?mode=ro".format(file), uri=True)
        try:
            yield from base.execute("SELECT name, timestamp, data FROM messages JOIN topics ON topics.id = topic_id ORDER BY timestamp, messages.id")
        except sqlite3.DatabaseError as error:
            raise Problem(file, str(error)) from None
        finally:
            base.close()
