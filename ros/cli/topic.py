"""ros2 topic: list, info, type, echo, hz, pub."""

import statistics
import time

import rclpy
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

import graph
import messages
from problem import Problem


def add_commands(commands):
    verbs = commands.add_parser("topic", help="topics: list, info, type, echo, hz, pub").add_subparsers(dest="verb", metavar="VERB", required=True)
    verb = verbs.add_parser("list", help="names of all topics")
    verb.add_argument("-t", "--show-types", action="store_true", help="with their types")
    verb.add_argument("--no-daemon", action="store_true", help="accepted: there is no daemon here")
    verb.set_defaults(act=list_topics)
    verb = verbs.add_parser("info", help="type and number of publishers and subscriptions")
    verb.add_argument("name")
    verb.add_argument("-v", "--verbose", action="store_true", help="their nodes and quality of service")
    verb.set_defaults(act=info)
    verb = verbs.add_parser("type", help="type of a topic")
    verb.add_argument("name")
    verb.set_defaults(act=print_type)
    verb = verbs.add_parser("echo", help="messages of a topic, until Ctrl-C")
    verb.add_argument("name")
    verb.add_argument("type", nargs="?")
    verb.add_argument("--once", action="store_true", help="one message")
    verb.add_argument("--field", help="only this field, such as pose.pose.position")
    verb.add_argument("--full-length", action="store_true", help="sequences at their full length")
    verb.set_defaults(act=echo)
    verb = verbs.add_parser("hz", help="rate of a topic, once a second, until Ctrl-C")
    verb.add_argument("name")
    verb.add_argument("-w", "--window", type=int, default=1000, help="number of messages that count")
    verb.set_defaults(act=rate)
    verb = verbs.add_parser("pub", help="publishes a message, once a second until Ctrl-C")
    verb.add_argument("name")
    verb.add_argument("type")
    verb.add_argument("values", nargs="?", default="{}", help="fields as YAML")
    verb.add_argument("-r", "--rate", type=float, default=1.0, help="messages per second")
    verb.add_argument("-1", "--once", action="store_true", help="one message")
    verb.add_argument("-t", "--times", type=int, default=0, help="this many messages")
    verb.set_defaults(act=publish)


def list_topics(arguments):
    with graph.a_node() as node:
        for name, kinds in sorted(graph.settled(lambda: graph.topics(node)).items()):
            print("{} [{}]".format(name, ", ".join(kinds)) if arguments.show_types else name)


def _found(node, name):
    return graph.wait_for(graph.absolute(name), "topic", lambda: graph.topics(node))


def info(arguments):
    name = graph.absolute(arguments.name)
    with graph.a_node() as node:
        kinds = _found(node, name)
        ends = graph.settled(lambda: [len(node.get_publishers_info_by_topic(name)), len(node.get_subscriptions_info_by_topic(name))])
        print("Type: {}\nPublisher count: {}\nSubscription count: {}".format(", ".join(kinds), *ends))
        if arguments.verbose:
            for title, found in (("Publisher", node.get_publishers_info_by_topic(name)), ("Subscription", node.get_subscriptions_info_by_topic(name))):
                for end in found:
                    quality = end.qos_profile
                    node_name = end.node_namespace.rstrip("/") + "/" + end.node_name
                    print("{}: {}, {}, {}".format(title, node_name, quality.reliability.name.lower(), quality.durability.name.lower()))


def print_type(arguments):
    with graph.a_node() as node:
        print("\n".join(_found(node, arguments.name)))


def offers(node, name):
    """Whether all publishers of a topic are reliable, and whether all latch their last message."""
    offered = [end.qos_profile for end in node.get_publishers_info_by_topic(name)]
    reliable = all(quality.reliability == ReliabilityPolicy.RELIABLE for quality in offered)
    latched = all(quality.durability == DurabilityPolicy.TRANSIENT_LOCAL for quality in offered)
    return bool(offered) and reliable, bool(offered) and latched


def hear(node, name, kind, act, raw=False):
    """Subscribes as its publishers offer: reliable and latched only where all of them are."""
    reliable, latched = offers(node, name)
    quality = QoSProfile(
        depth=100,
        reliability=ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT,
        durability=DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE)
    return node.create_subscription(messages.load(kind, "msg"), name, act, quality, raw=raw)


def echo(arguments):
    name = graph.absolute(arguments.name)
    heard = []

    def show(message):
        value = message
        for field in arguments.field.split(".") if arguments.field else []:
            if not hasattr(value, field):
                raise Problem("--field", "found " + arguments.field, list(value.get_fields_and_field_types()))
            value = getattr(value, field)
        print(messages.shown(value, None if arguments.full_length else 128) + "---", flush=True)
        heard.append(name)

    with graph.a_node() as node:
        kind = arguments.type or _found(node, name)[0]
        hear(node, name, kind, show)
        while not (arguments.once and heard):
            rclpy.spin_once(node, timeout_sec=0.1)


def rate(arguments):
    name = graph.absolute(arguments.name)
    times = []
    with graph.a_node() as node:
        hear(node, name, _found(node, name)[0], lambda _: times.append(time.monotonic()), raw=True)
        told = time.monotonic()
        while True:
            rclpy.spin_once(node, timeout_sec=0.1)
            del times[: -arguments.window]
            if time.monotonic() - told < 1.0:
                continue
            told = time.monotonic()
            gaps = [later - earlier for earlier, later in zip(times, times[1:])]
            if not gaps:
                print("no new messages", flush=True)
                continue
            print("average rate: {:.3f}".format(len(gaps) / sum(gaps)))
            spread = statistics.pstdev(gaps)
            print("\tmin: {:.3f}s max: {:.3f}s std dev: {:.5f}s window: {}".format(min(gaps), max(gaps), spread, len(times)), flush=True)


def publish(arguments):
    if not arguments.rate > 0:
        raise Problem("--rate", "found {}".format(arguments.rate), ["a number > 0"])
    name = graph.absolute(arguments.name)
    kind = messages.load(arguments.type, "msg")
    message = kind()
    messages.fill(message, messages.parse(arguments.values, "values"), kind.__name__)
    times = 1 if arguments.once else arguments.times
    with graph.a_node() as node:
        publisher = node.create_publisher(kind, name, 10)
        if times and publisher.get_subscription_count() == 0:
            print("Waiting for at least 1 matching subscription(s)...", flush=True)
            while publisher.get_subscription_count() == 0:
                time.sleep(0.05)
        print("publisher: beginning loop", flush=True)
        count, due = 0, time.monotonic()
        while times == 0 or count < times:
            count += 1
            publisher.publish(message)
            print("publishing #{}: {}\n".format(count, messages.plain(message)), flush=True)
            due += 1.0 / arguments.rate
            time.sleep(max(0.0, due - time.monotonic()) if times == 0 or count < times else 0.1)
