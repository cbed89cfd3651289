"""The real executable as a process of its own, and an rclpy peer in this one: for tests with ROS and with a browser.

`SKIDPAD_BIN` names the executable (default: target/debug/skidpad). Nothing leaves the machine.
"""

import os
import pathlib
import signal
import subprocess
import time

os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"

import rclpy  # noqa: E402
from rcl_interfaces.srv import GetParameters  # noqa: E402
from rclpy.context import Context  # noqa: E402
from rclpy.executors import SingleThreadedExecutor  # noqa: E402
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ.get("SKIDPAD_BIN", ROOT / "target" / "debug" / "skidpad"))
WORLDS = ROOT / "worlds"
RACECAR = WORLDS / "racecar.world.xml"
TWO_ROBOTS = WORLDS / "two_robots.world.xml"

# Longest wait [s] for what takes a moment: machines that run tests are busy, and draw in software. It costs time only where something is wrong.
PATIENCE = 180.0

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
RELIABLE = QoSProfile(depth=1000, reliability=ReliabilityPolicy.RELIABLE)


def once_in_three(holds):
    """Whether `holds()` at least once in three tries, for what a busy machine may delay."""
    return any(holds() for _ in range(3))


class Program:
    """The running executable, with its output in a file."""

    # Address of its page, if whoever starts it has asked for that.
    link: str

    def __init__(self, domain, log, arguments, environment=()):
        self.log_path = log
        self.environment = dict(os.environ, ROS_DOMAIN_ID=str(domain), RUST_BACKTRACE="1") | dict(environment)
        command = [str(BINARY), *map(str, arguments)]
        self.log_file = open(log, "wb")
        self.process = subprocess.Popen(
            command, stdout=self.log_file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=self.environment
        )

    @property
    def log(self):
        return self.log_path.read_text(errors="replace")

    def send(self, number):
        self.process.send_signal(number)

    def wait(self, timeout=PATIENCE):
        """Exit status; fails the test when the process has not ended after `timeout` [s]."""
        return self.process.wait(timeout)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            try:
                self.process.wait(3)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log_file.close()


class Simulator(Program):
    """A running `skidpad run`."""

    # How many this process has started.
    started = 0

    def __init__(self, domain, log, world, ros_args=(), args=(), environment=()):
        Simulator.started += 1
        super().__init__(domain, log, ["run", world, "--headless", *args, "--ros-args", *ros_args], environment)


class Peer:
    """An rclpy node with everything that it has heard."""

    # Paths of all of this process: they answer only while they spin.
    own_paths = set()
    # Identities of subscriptions that end: those of a world that was replaced.
    ending = set()

    def __init__(self, domain, name="peer"):
        self.context = Context()
        rclpy.init(context=self.context, domain_id=domain)
        self.node = rclpy.create_node(name, context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        # Paths of the nodes that have answered it, and publishers with the participants that have heard of them.
        self.known, self.reached = set(), set()
        self.path = self.node.get_fully_qualified_name()
        self.own_paths.add(self.path)

    def topic_ending(self, end):
        """The name of the topic that ends so, once there is one."""
        matching = lambda: [name for name, _ in self.node.get_topic_names_and_types() if name.endswith(end)]  # noqa: E731
        return self.spin_until(matching, awaited=f"a topic {end}")[0]

    def listen(self, kind, topic, qos=RELIABLE):
        """A list that grows with every message."""
        heard = []
        self.node.create_subscription(kind, topic, heard.append, qos)
        return heard

    def publisher(self, kind, topic, qos=10):
        return self.node.create_publisher(kind, topic, qos)

    def reaches(self, publisher):
        """True if the publisher has subscriptions and its messages arrive there. The publisher knows of them a moment before they know of it,
        and messages in between are lost. DDS announces endpoints in the order in which they were made, so a process that answers a later client of
        this peer has heard of the publisher. As long as the peer knows a subscription of the world before, it may not know the present one."""
        endpoints = self.node.get_subscriptions_info_by_topic(publisher.topic_name)
        if not publisher.get_subscription_count() or not endpoints:
            return False
        if any(bytes(endpoint.endpoint_gid) in self.ending for endpoint in endpoints):
            return False
        for endpoint in endpoints:
            process = participant(endpoint)
            if full_name(endpoint) in self.own_paths or (publisher, process) in self.reached:
                continue
            path = self.answering(process)
            if path is None:
                return False
            self.ask(path)
            self.reached.add((publisher, process))
        return True

    def answering(self, process):
        """Path of a node of this participant that has parameters, or None; nodes that only listen to commands have none."""
        for topic, _ in self.node.get_topic_names_and_types():
            for endpoint in self.node.get_publishers_info_by_topic(topic):
                if participant(endpoint) != process:
                    continue
                try:
                    offered = self.node.get_service_names_and_types_by_node(endpoint.node_name, endpoint.node_namespace)
                except RuntimeError:
                    continue  # It is not known yet, or has just gone.
                if f"{full_name(endpoint)}/get_parameters" in dict(offered):
                    return full_name(endpoint)
        return None

    def spin_until(self, condition, timeout=PATIENCE, awaited="it"):
        """Spins until `condition()` holds and returns what it returned; fails after `timeout` [wall s]."""
        deadline = time.monotonic() + timeout
        while True:
            value = condition()
            if value:
                return value
            assert time.monotonic() < deadline, f"waited {timeout} s for {awaited}"
            self.executor.spin_once(timeout_sec=0.02)

    def spin_for(self, seconds):
        """Spins for this many wall seconds."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self.executor.spin_once(timeout_sec=min(left, 0.02))

    def spin_until_silence(self, heard, seconds=0.5):
        """Spins until nothing has been heard for so many wall seconds: what was sent before has arrived."""
        silent_for = lambda: (len(heard), self.spin_for(seconds), len(heard))[::2]  # noqa: E731
        self.spin_until(lambda: len(set(silent_for())) == 1, awaited="silence")

    def call(self, kind, name, request, timeout=PATIENCE):
        """The response of a service."""
        client = self.node.create_client(kind, name)
        self.spin_until(client.service_is_ready, timeout, f"the service {name}")
        self.introduce(name)
        future = client.call_async(request)
        self.spin_until(future.done, timeout, f"the answer of {name}")
        self.node.destroy_client(client)
        return future.result()

    def introduce(self, name):
        """Makes sure that the node that offers the service `name` knows this peer, once for each node: Fast DDS drops the answers to a peer that
        the node has not discovered yet."""
        path = self.spin_until(lambda: self.node_of(name), awaited=f"the node that offers {name}")
        if path not in self.known:
            self.ask(path)

    def ask(self, path, attempts=40):
        """Calls a service of this node that changes nothing until it is answered."""
        client = self.node.create_client(GetParameters, f"{path}/get_parameters")
        self.spin_until(client.service_is_ready, awaited=f"{path}/get_parameters")
        for attempt in range(1, attempts + 1):
            future = client.call_async(GetParameters.Request())
            try:
                self.spin_until(future.done, 4.0, f"an answer of {path}, attempt {attempt}")
                break
            except AssertionError:
                if attempt == attempts:
                    raise
        self.node.destroy_client(client)
        self.known.add(path)

    def node_of(self, name):
        """Path of the node that offers a service, or None. Nodes that are gone have to be introduced anew."""
        nodes = {f"{namespace.rstrip('/')}/{node}": (node, namespace) for node, namespace in self.node.get_node_names_and_namespaces()}
        self.known &= nodes.keys()
        service = self.node.resolve_service_name(name)
        for path, of in nodes.items():
            try:
                offered = self.node.get_service_names_and_types_by_node(*of)
            except RuntimeError:
                continue  # It has just gone.
            if service in dict(offered):
                return path
        return None

    def drive(self, publisher, message, heard, seconds):
        """Publishes `message` 20 times a wall second until `heard` (odometry) has gone on by so many simulated s since the first one could arrive."""
        if publisher in self.node.publishers:
            self.spin_until(lambda: self.reaches(publisher), awaited=f"a subscription to {publisher.topic_name}")
        start = stamp(heard[-1])
        sent = 0.0
        deadline = time.monotonic() + PATIENCE
        while stamp(heard[-1]) < start + seconds:
            assert time.monotonic() < deadline, "simulated time does not go on"
            if time.monotonic() - sent > 0.05:
                publisher.publish(message)
                sent = time.monotonic()
            self.executor.spin_once(timeout_sec=0.01)

    def close(self):
        self.own_paths.discard(self.path)
        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)


def full_name(endpoint):
    """Path of the node of an endpoint."""
    return f"{endpoint.node_namespace.rstrip('/')}/{endpoint.node_name}"


def participant(endpoint):
    """The DDS participant of an endpoint, which a process has in common for all of its nodes: the begin of its identity."""
    return bytes(endpoint.endpoint_gid[:12])


def seconds(time_message):
    """A time message in seconds."""
    return time_message.sec + 1e-9 * time_message.nanosec


def nanoseconds(time_message):
    """A time message in whole nanoseconds."""
    return time_message.sec * 1_000_000_000 + time_message.nanosec


def stamp(message):
    """The stamp of a message in seconds."""
    return seconds(message.header.stamp)
