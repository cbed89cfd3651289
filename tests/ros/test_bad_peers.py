"""Peers that send invalid messages: each is named once, and the simulation keeps its rate and memory."""

import math
import pathlib
import subprocess
import sys
import time

import pytest
from geometry_msgs.msg import PoseStamped, PoseWithCovarianceStamped, Twist, Vector3
from nav_msgs.msg import Odometry
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rosgraph_msgs.msg import Clock

from conftest import OPEN, PATIENCE, TWO_ROBOTS, nanoseconds

pytestmark = pytest.mark.core

STRICT = ("-p", "cmd_vel_type:=twist", "-p", "teleport_topics:=true")
strict = pytest.mark.together("strict")
BEST_EFFORT = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)


def resident(simulator):
    """Memory of the simulator [MiB]."""
    status = pathlib.Path(f"/proc/{simulator.process.pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")) / 1024


class Pace:
    """Simulated time against that of the wall, from when it is made."""

    def __init__(self, peer, clock):
        self.peer, self.clock = peer, clock
        self.begin, self.wall = nanoseconds(clock[-1].clock), time.monotonic()

    def rate(self):
        """Simulated seconds per wall second."""
        heard = len(self.clock)
        self.peer.spin_until(lambda: len(self.clock) > heard, awaited="the clock")
        return 1e-9 * (nanoseconds(self.clock[-1].clock) - self.begin) / (time.monotonic() - self.wall)


@strict
def test_publishers_that_cannot_be_meant_are_named_once(reuse, peer, another_peer):
    simulator = reuse(OPEN, STRICT)
    truth = peer.listen(Odometry, "ground_truth")
    peer.spin_until(lambda: truth, awaited="the simulator")
    wrong, lossy, mad = (another_peer(name) for name in ("wrong", "lossy", "mad"))
    clockwork = another_peer("clockwork")
    wrong.publisher(Vector3, "ackermann_cmd")

    def await_message(text):
        peer.spin_until(lambda: text in simulator.log, awaited=text)

    await_message('topic "/ackermann_cmd": node "/wrong" publishes geometry_msgs/msg/Vector3, which is ignored')
    # A best-effort publisher is received all the same.
    gentle = lossy.publisher(Twist, "cmd_vel", BEST_EFFORT)
    await_message('topic "/cmd_vel": node "/lossy" publishes best effort')
    peer.spin_until(gentle.get_subscription_count, awaited="a subscription that is best effort")
    command = Twist()
    command.linear.x = 0.5
    peer.drive(gentle, command, truth, 1.5)
    assert truth[-1].twist.twist.linear.x > 0.3
    # NaN is refused, and the last valid command holds.
    lossy.node.destroy_publisher(gentle)
    peer.spin_until(lambda: abs(truth[-1].twist.twist.linear.x) < 0.05, awaited="standstill")
    bad = mad.publisher(Twist, "cmd_vel")
    peer.spin_until(bad.get_subscription_count, awaited="the subscription")
    command.linear.x = math.nan
    peer.drive(bad, command, truth, 1.0)
    await_message('topic "/cmd_vel": command refused, not finite: linear.x NaN, linear.y 0, angular.z 0')
    await_message('"/mad"')
    assert abs(truth[-1].twist.twist.linear.x) < 0.05
    clockwork.publisher(Clock, "/clock")
    await_message('topic "/clock": 2 nodes of this ROS domain publish it')
    await_message('"/clockwork"')
    peer.spin_for(1.0)
    for complaint in ("which is ignored", "publishes best effort", "command refused, not finite", "publish it"):
        assert simulator.log.count(complaint) == 1, complaint


@strict
def test_a_publisher_of_a_third_type_is_named_once(reuse, peer):
    simulator = reuse(OPEN, STRICT)
    stray = peer.publisher(PoseStamped, "cmd_vel")
    peer.spin_until(lambda: "which is ignored" in simulator.log, awaited="a warning")
    peer.spin_for(0.6)
    assert simulator.log.count('node "/peer" publishes geometry_msgs/msg/PoseStamped, which is ignored\n  accepted: geometry_msgs/msg/Twist\n') == 1
    peer.node.destroy_publisher(stray)


@strict
def test_endless_different_mistakes_leave_few_short_lines(reuse, peer):
    simulator = reuse(OPEN, STRICT)
    poses = peer.publisher(PoseWithCovarianceStamped, "initialpose")
    peer.spin_until(lambda: peer.reaches(poses), awaited="the subscription")
    message, number = PoseWithCovarianceStamped(), 0

    def last_line():
        nonlocal number
        number += 1
        message.header.frame_id = f"{number}\nerror: \x1b[31m{'x' * 100000}"
        poses.publish(message)
        peer.spin_for(0.02)
        return "messages like this are left out" in simulator.log

    peer.spin_until(last_line, awaited="the last line")
    for _ in range(50):
        last_line()
    lines = [line for line in simulator.log.splitlines() if "a pose in the frame" in line]
    assert 10 < len(lines) <= 32 and max(map(len, lines)) < 500, (len(lines), lines[0][:500])
    assert "\x1b" not in simulator.log and not any(line.startswith("error: x") for line in simulator.log.splitlines())


@pytest.mark.alone
def test_a_flood_of_commands_and_a_subscriber_that_never_reads_cost_neither_time_nor_memory(reuse, peer, domain):
    simulator = reuse(OPEN)
    truth = peer.listen(Odometry, "ground_truth")
    clock = peer.listen(Clock, "/clock")
    peer.spin_until(lambda: truth and len(clock) > 100, awaited="the simulator")
    script = pathlib.Path(__file__).with_name("flood.py")
    flood = subprocess.Popen([sys.executable, str(script), str(domain), "12"], stdout=subprocess.PIPE)
    try:
        peer.spin_until(lambda: truth[-1].twist.twist.linear.x > 0.2, awaited="the flood")
        assert flood.poll() is None, "it was over before it was noticed"
        heard = len(clock)
        peer.spin_until(lambda: len(clock) > heard, awaited="a fresh clock")
        before, pace = resident(simulator), Pace(peer, clock)
        peer.spin_until(lambda: flood.poll() is not None, awaited="its end")
        rate, after = pace.rate(), resident(simulator)
    finally:
        flood.kill()
    assert flood.wait(PATIENCE) == 0 and float(flood.stdout.read()) > 1500, "it was not a flood"
    assert rate == pytest.approx(1.0, abs=0.1)
    assert after - before < 8, f"{before} MiB, then {after} MiB"
    peer.spin_until(lambda: 'node "/flood"' in simulator.log, awaited="the complaint")
    peer.spin_for(1.5)
    assert simulator.log.count("commands a second, of which only the last before each step is used") == 1


def test_commands_to_one_vehicle_leave_the_others_subscription_alone(reuse, peer, another_peer):
    simulator = reuse(TWO_ROBOTS)
    truth = {name: peer.listen(Odometry, f"{name}/ground_truth") for name in ("r1", "r2")}
    peer.spin_until(lambda: all(truth.values()), awaited="the simulator")
    steady = peer.publisher(Twist, "r2/cmd_vel")
    peer.spin_until(lambda: peer.reaches(steady), awaited="the subscription")
    counts = set()

    def stays():
        counts.add(steady.get_subscription_count())
        return 'topic "/r1/cmd_vel": node "/lossy" publishes best effort' in simulator.log

    another_peer("lossy").publisher(Twist, "r1/cmd_vel", BEST_EFFORT)
    peer.spin_until(stays, awaited="the change for r1")
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        stays()
        peer.spin_for(0.01)
    assert counts == {1}
