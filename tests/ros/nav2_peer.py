"""nav2's side of the interface: what its nodes subscribe to in each distribution, and what they do with it.

Written from what nav2, tf2 and slam_toolbox document of themselves: a buffer of transforms, message filters that wait for the transform of a scan's
stamp and drop what they cannot have, and the checks that AMCL, costmaps, the collision monitor and SLAM Toolbox make.
"""

import bisect
import collections
import math
import time

import numpy as np
import pytest
import rclpy
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import LaserScan
from tf2_msgs.msg import TFMessage

from conftest import PATIENCE, nanoseconds

SECOND = 1_000_000_000
CACHE = 10 * SECOND  # how far a buffer of transforms goes back [ns]

# What differs from one distribution to the next: the type of cmd_vel, and the topics of scans and odometry.
Column = collections.namedtuple("Column", "name command scan odometry")
COLUMNS = {
    "humble": Column("humble", Twist, "/scan", "/odom"),
    "jazzy": Column("jazzy", Twist, "/scan", "/odom"),
    "kilted": Column("kilted", TwistStamped, "scan", "odom"),
    "lyrical": Column("lyrical", TwistStamped, "scan", "odom"),
}

CLOCK = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
TF = QoSProfile(depth=100, reliability=ReliabilityPolicy.RELIABLE)
TF_STATIC = QoSProfile(depth=100, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL)
# Of a deeper queue than nav2's own of 5: on a loaded machine this process reads late, and what counts is what the node sends.
SENSOR = QoSProfile(depth=50, reliability=ReliabilityPolicy.BEST_EFFORT)
ODOMETRY = QoSProfile(depth=10, reliability=ReliabilityPolicy.RELIABLE)


class Missing(Exception):
    """A transform that is not there yet."""


class Gone(Exception):
    """A transform from before all that is kept."""


def pose(transform):
    """A transform in the plane: x, y, yaw."""
    r = transform.rotation
    yaw = math.atan2(2 * (r.w * r.z + r.x * r.y), 1 - 2 * (r.y * r.y + r.z * r.z))
    return transform.translation.x, transform.translation.y, yaw


def compose(a, b):
    """The pose b, given in the frame whose pose is a."""
    c, s = math.cos(a[2]), math.sin(a[2])
    return a[0] + c * b[0] - s * b[1], a[1] + s * b[0] + c * b[1], math.remainder(a[2] + b[2], math.tau)


class Buffer:
    """Transforms as tf2 keeps them: one parent for a frame, ten seconds of its past, looked up at an instant."""

    def __init__(self):
        self.parent = {}
        self.static = {}
        self.stamps = collections.defaultdict(list)
        self.poses = collections.defaultdict(list)
        self.faults = []

    def add(self, transform, is_static):
        child, parent = transform.child_frame_id, transform.header.frame_id
        if self.parent.setdefault(child, parent) != parent:
            self.faults.append(f"{child} has two parents: {self.parent[child]} and {parent}")
        if is_static:
            self.static[child] = pose(transform.transform)
            return
        if child in self.static:
            self.faults.append(f"{child} is both fixed and moving")
        stamp, stamps, poses = nanoseconds(transform.header.stamp), self.stamps[child], self.poses[child]
        if stamps and stamp <= stamps[-1]:
            self.faults.append(f"{child}: a transform at {stamp} after one at {stamps[-1]}")
            return
        stamps.append(stamp)
        poses.append(pose(transform.transform))
        if len(stamps) > 2000:
            kept = bisect.bisect_left(stamps, stamp - CACHE)
            del stamps[:kept], poses[:kept]

    def lookup(self, target, source, stamp):
        """The pose of the frame `source` in `target` at this stamp [ns], where `target` is above it in the tree."""
        pose, frame = (0.0, 0.0, 0.0), source
        while frame != target:
            if frame not in self.parent:
                raise Missing(frame)
            pose = compose(self.at(frame, stamp), pose)
            frame = self.parent[frame]
        return pose

    def at(self, frame, stamp):
        if frame in self.static:
            return self.static[frame]
        stamps, poses = self.stamps[frame], self.poses[frame]
        after = bisect.bisect_left(stamps, stamp)
        if after == len(stamps):
            raise Missing(frame)
        if stamps[after] == stamp:
            return poses[after]
        if after == 0:
            raise Gone(frame)
        before, share = after - 1, (stamp - stamps[after - 1]) / (stamps[after] - stamps[after - 1])
        (x0, y0, w0), (x1, y1, w1) = poses[before], poses[after]
        return x0 + share * (x1 - x0), y0 + share * (y1 - y0), w0 + share * math.remainder(w1 - w0, math.tau)


class Filter:
    """A message filter in front of a consumer: scans wait in a short queue for their transform, and are dropped after too long a wait."""

    def __init__(self, buffer, target, depth, deliver=None):
        self.buffer, self.target, self.depth = buffer, target, depth
        self.deliver = deliver
        self.waiting = collections.deque()
        self.delivered = 0
        self.dropped = []

    def add(self, scan):
        self.waiting.append(scan)
        self.turn()
        while len(self.waiting) > self.depth:
            self.dropped.append((nanoseconds(self.waiting.popleft().header.stamp), "the queue is full"))

    def turn(self):
        """Forwards the scans that can be transformed."""
        for _ in range(len(self.waiting)):
            scan = self.waiting.popleft()
            stamp = nanoseconds(scan.header.stamp)
            try:
                sensor = self.buffer.lookup(self.target, scan.header.frame_id, stamp)
            except Missing:
                self.waiting.append(scan)
                continue
            except Gone:
                self.dropped.append((stamp, "earlier than all the data in the transform cache"))
                continue
            self.delivered += 1
            if self.deliver:
                self.deliver(scan, sensor)


class Nav2:
    """nav2's nodes of one distribution, as far as they listen."""

    def __init__(self, peer, column, namespace=""):
        self.peer, self.column = peer, column
        name = lambda topic: topic if topic.startswith("/") or not namespace else f"/{namespace}/{topic}"  # noqa: E731
        self.now, self.clock_faults = 0, []
        self.buffer = Buffer()
        self.scans, self.odometry = [], []
        self.first_scan, self.scan_faults, self.ends = None, [], []
        # AMCL waits in its filter for 100 scans, the obstacle layer for 50, SLAM Toolbox for one; the latter two go by odom.
        self.filters = {
            "amcl": Filter(self.buffer, "odom", 100),
            "obstacle layer": Filter(self.buffer, "odom", 50, self.mark),
            "slam_toolbox": Filter(self.buffer, "odom", 1),
        }
        self.oldest_source = 0.0
        # No executor: at five times real time there are a thousand messages a second, which Python's takes too long over.
        self.node = node = rclpy.create_node("nav2", context=peer.context)
        self.inputs = [
            (node.create_subscription(kind, topic, hear, qos), hear)
            for kind, topic, hear, qos in (
                (LaserScan, name(column.scan), self.hear_scan, SENSOR),
                (Clock, "/clock", self.hear_clock, CLOCK),
                # nav2's launch files remap /tf to tf.
                (TFMessage, name("tf_static"), lambda message: self.hear_transforms(message, True), TF_STATIC),
                (TFMessage, name("tf"), lambda message: self.hear_transforms(message, False), TF),
                (Odometry, name(column.odometry), self.odometry.append, ODOMETRY),
            )
        ]
        self.commands = node.create_publisher(column.command, name("cmd_vel"), 1)

    def turn(self):
        """Reads the received messages; returns whether there were any."""
        # Scans are taken first and heard last: the transforms that were published before them are there by then, as for a node whose
        # transforms come in by a thread of their own.
        taken = [(hear, list(messages(subscription))) for subscription, hear in self.inputs]
        for hear, heard in reversed(taken):
            for message in heard:
                hear(message)
        return any(heard for _, heard in taken)

    def listen(self, kind, topic):
        """A list that grows with every message."""
        heard = []
        self.inputs.append((self.node.create_subscription(kind, topic, heard.append, TF), heard.append))
        return heard

    def wait(self, condition, awaited, timeout=PATIENCE):
        """Listens until `condition()` holds."""
        deadline = time.monotonic() + timeout
        while not condition():
            assert time.monotonic() < deadline, f"waited {timeout} s for {awaited}"
            if not self.turn():
                time.sleep(0.001)

    def restart(self):
        """Discards messages from before everything was running: a node that starts waits for transforms first."""
        self.scans.clear()
        self.ends.clear()
        self.oldest_source = 0.0
        for filter in self.filters.values():
            filter.waiting.clear()
            filter.dropped.clear()
            filter.delivered = 0

    def hear_clock(self, message):
        now = nanoseconds(message.clock)
        if now < self.now or now == 0:
            self.clock_faults.append((self.now, now))
        self.now = now

    def hear_transforms(self, message, is_static):
        for transform in message.transforms:
            self.buffer.add(transform, is_static)
        for filter in self.filters.values():
            if filter.waiting:
                filter.turn()

    def hear_scan(self, scan):
        self.scans.append(nanoseconds(scan.header.stamp))
        # The collision monitor stops the robot for a source older than its timeout of 1 s.
        self.oldest_source = max(self.oldest_source, (self.now - self.scans[-1]) / SECOND)
        if self.first_scan is None:
            self.first_scan = scan
        self.scan_faults += faults_of(scan, self.first_scan)
        for filter in self.filters.values():
            filter.add(scan)

    def mark(self, scan, sensor):
        """What a costmap marks: where the beams end, by the transform of the scan's stamp."""
        ranges = np.asarray(scan.ranges, dtype=np.float64)
        near = (ranges > scan.range_min) & (ranges < 2.5)
        angles = scan.angle_min + np.arange(len(ranges)) * scan.angle_increment + sensor[2]
        x, y = sensor[0] + ranges * np.cos(angles), sensor[1] + ranges * np.sin(angles)
        self.ends.append((nanoseconds(scan.header.stamp), np.column_stack([x[near], y[near]])))

    def command(self, speed, turn):
        message = self.column.command()
        twist = message.twist if self.column.command is TwistStamped else message
        if self.column.command is TwistStamped:
            message.header.stamp.sec, message.header.stamp.nanosec = divmod(self.now, SECOND)
            message.header.frame_id = "base_link"
        twist.linear.x, twist.angular.z = speed, turn
        self.commands.publish(message)

    def drive_until(self, condition, speeds, awaited, timeout=PATIENCE):
        """Commands `speeds`, (speed, turn) over the time since the start [s], ten times a simulated second, until `condition()` holds."""
        begin, sent = self.now, -SECOND

        def command_and_ask():
            nonlocal sent
            if self.now - sent >= SECOND // 10:
                self.command(*speeds((self.now - begin) / SECOND))
                sent = self.now
            return condition()

        self.wait(command_and_ask, awaited, timeout)

    def drive(self, seconds, speeds):
        """Commands as `drive_until` does, for so many simulated seconds, and then waits for the last scan."""
        end = self.now + seconds * SECOND
        self.drive_until(lambda: self.now >= end, speeds, "simulated time to go on", 60 + 2 * seconds)
        # Earlier messages are still in flight.
        self.wait(lambda: self.scans and self.now - self.scans[-1] < SECOND // 4, "the last scan")

    def reach_speed(self, speed, speeds):
        """Commands until odometry shows this speed [m/s]. A loaded machine may deliver a command after its time-out, and the robot has braked."""
        wanted = pytest.approx(speed, rel=0.05)
        self.drive_until(lambda: self.odometry and self.odometry[-1].twist.twist.linear.x == wanted, speeds, f"{speed} m/s")


def messages(subscription):
    """What waits in a subscription."""
    with subscription.handle:
        while (taken := subscription.handle.take_message(subscription.msg_type, False)) is not None:
            yield taken[0]


def faults_of(scan, first):
    """What SLAM Toolbox and costmaps would not take of a scan, in the single precision that messages have."""
    low, high, step = (np.float32(value) for value in (scan.angle_min, scan.angle_max, scan.angle_increment))
    faults, count = [], len(scan.ranges)
    if int(np.round((high - low) / step)) + 1 != count:
        faults.append(f"{count} ranges, {(high - low) / step} steps")
    # SLAM Toolbox takes a sweep for a full circle that misses less than a step, unless it has both ends.
    full = abs(abs(high - low) - np.float32(math.tau)) < step - np.finfo(np.float32).eps * np.float32(math.tau)
    if abs(high - low) > np.float32(6.10865) and int(np.round((high - low) / step)) + 1 == count:
        full = False
    if int(np.round((high - low) / step)) + (0 if full else 1) != count:
        faults.append("SLAM Toolbox expects another number of ranges")
    if count != len(first.ranges) or (scan.angle_min, scan.angle_max, scan.range_max) != (first.angle_min, first.angle_max, first.range_max):
        faults.append("not as the first scan")
    if not 0 <= scan.time_increment * count <= scan.scan_time * 1.001:
        faults.append(f"time_increment {scan.time_increment}, scan_time {scan.scan_time}")
    ranges = np.asarray(scan.ranges, dtype=np.float32)
    finite = ranges[np.isfinite(ranges)]
    if np.isnan(ranges).any() or (finite < scan.range_min).any() or (finite > scan.range_max).any():
        faults.append("ranges beyond their limits")
    return faults
