"""What others publish while a run is recorded: all of it is in the recording, or said to be missing."""

import json
import math
import signal
import subprocess
import sys

import pytest
from ackermann_msgs.msg import AckermannDriveStamped
from nav_msgs.msg import Odometry
from rclpy.duration import Duration
from rclpy.qos import DurabilityPolicy, ReliabilityPolicy
from std_msgs.msg import Float64MultiArray

from conftest import BINARY, OPEN, PATIENCE, ROOT, QoSProfile, nanoseconds

sys.path.insert(0, str(ROOT / "ros" / "cli"))

from mcap_file import Reader  # noqa: E402

PERIOD, STEP = 20_000_000, 5_000_000
REFERENCE = "/reference_trajectory"
FEW = QoSProfile(depth=10)
KEPT = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL)
UNRELIABLE = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)
COMPLAINT = "publishes best effort: lost messages are not recorded"


class Controller:
    """Answers each odometry with a reference and a command, as a tracker and a linearizer in one; no reference for the instants `without` [ns]."""

    def __init__(self, peer, quality, without=()):
        self.peer, self.without, self.heard = peer, without, []
        self.is_best_effort, self.is_known = quality.reliability == ReliabilityPolicy.BEST_EFFORT, False
        self.reference = peer.publisher(Float64MultiArray, REFERENCE, quality)
        self.command = peer.publisher(AckermannDriveStamped, "ackermann_cmd")
        peer.node.create_subscription(Odometry, "odom", lambda message: self.answer(nanoseconds(message.header.stamp)), QoSProfile(depth=1000))

    def answer(self, instant):
        self.heard.append(instant)
        if self.is_known:
            self.publish(instant)

    def publish(self, instant):
        time = 1e-9 * instant
        if instant not in self.without:
            self.reference.publish(Float64MultiArray(data=[time, 0.3 * math.sin(time), time]))
        command = AckermannDriveStamped()
        command.drive.speed, command.drive.steering_angle = 1.0, 0.1 * math.cos(time)
        self.command.publish(command)

    def drive(self, simulator):
        """Answers until the simulator has ended."""
        known = lambda: simulator.process.poll() is not None or self.peer.reaches(self.command) and self.peer.reaches(self.reference)  # noqa: E731
        self.peer.spin_until(known, awaited="the simulator")
        if self.is_best_effort:
            # A topic is awaited from when the simulator knows who publishes on it.
            self.peer.spin_until(lambda: COMPLAINT in simulator.log, awaited="the recorder")
        self.peer.spin_for(0.5)
        # The first instant may have been published before this node was there: the simulation waits for its answer.
        self.is_known = True
        self.heard = self.heard or [PERIOD]
        for instant in self.heard[:]:
            self.publish(instant)
        self.peer.spin_until(lambda: simulator.process.poll() is not None, awaited="the end of the run")
        assert simulator.wait() == 0


def recorded(path):
    """Log time [ns] and numbers of each message of the reference."""
    reader = Reader(str(path))
    all_of_them = [(reader.topics[channel], time, data) for channel, time, data in reader.messages()]
    # The numbers are the last part of the message, each 8 bytes long.
    return [(time, memoryview(data[-24:]).cast("d").tolist()) for topic, time, data in all_of_them if topic[0] == REFERENCE]


def analyzed(path):
    """Notes of `skidpad analyze`."""
    done = subprocess.run([BINARY, "analyze", path, "--json"], check=True, capture_output=True, text=True, timeout=PATIENCE)
    return json.loads(done.stdout)["result"]["runs"][0]["notes"]


def lockstep(simulate, path, duration, timeout):
    return simulate(
        OPEN, args=("--lockstep", "0.02", "--rate", "max", "--duration", duration, "--record", path),
        ros_args=("-p", f"lockstep_timeout:={timeout}", "-p", "lockstep_when_late:=wait"))


@pytest.mark.parametrize("quality", [FEW, UNRELIABLE], ids=["reliable", "best_effort"])
def test_a_recording_in_lockstep_holds_every_message_of_a_controller(simulate, peer, tmp_path, quality):
    path = tmp_path / "run.mcap"
    controller = Controller(peer, quality)
    simulator = lockstep(simulate, path, 10, 60.0)
    controller.drive(simulator)
    messages = recorded(path)
    # The run ends with the last instant, whose answer nobody takes.
    expected = [instant for instant in sorted(set(controller.heard)) if instant < 10_000_000_000]
    assert [round(1e9 * data[2]) for _, data in messages] == expected and len(expected) >= 498
    assert {time - round(1e9 * data[2]) for time, data in messages} == {STEP}, "each at the step after its instant"
    assert not analyzed(path), analyzed(path)
    for complaint in ("lockstep: no message", "missing", "commands a second", "does not keep up", "command refused"):
        assert complaint not in simulator.log, simulator.log
    assert (COMPLAINT in simulator.log) == (quality is UNRELIABLE)


def test_a_message_that_does_not_come_is_named_at_once_at_the_end_and_in_the_analysis(simulate, peer, tmp_path):
    path = tmp_path / "run.mcap"
    simulator = lockstep(simulate, path, 2, 4.0)
    Controller(peer, FEW, without=[1_000_000_000]).drive(simulator)
    assert f'lockstep: no message on "{REFERENCE}" within 4 s of the commands for 1.000 s, recorded as missing' in simulator.log, simulator.log
    assert f'{path}: 1 message on "{REFERENCE}" is missing, at 1.000 s' in simulator.log, simulator.log
    notes = "\n".join(analyzed(path))
    assert f"{REFERENCE}: missing by the recorder's count: 1 message, at 1.000 s" in notes, notes
    assert f"{REFERENCE}: 1 gap of 0.040 s in all where messages come every 0.020 s; it is from " in notes, notes


def test_what_was_published_before_the_recording_is_in_it_where_its_publisher_keeps_it(simulate, peer, tmp_path):
    path = tmp_path / "run.mcap"
    publisher = peer.publisher(Float64MultiArray, REFERENCE, KEPT)
    publisher.publish(Float64MultiArray(data=[1.0, 2.0, 3.0]))
    simulator = simulate(OPEN, args=("--record", path))

    def is_kept():
        ends = peer.node.get_subscriptions_info_by_topic(REFERENCE)
        return any(end.qos_profile.durability == DurabilityPolicy.TRANSIENT_LOCAL for end in ends)

    peer.spin_until(is_kept, awaited="a subscription that asks for what was before")
    publisher.publish(Float64MultiArray(data=[4.0, 5.0, 6.0]))
    peer.spin_until(lambda: publisher.wait_for_all_acked(Duration(seconds=1)), awaited="the receipt")
    odometry = peer.listen(Odometry, "odom")
    peer.spin_until(lambda: len(odometry) > 10, awaited="some more steps")
    simulator.send(signal.SIGINT)
    assert simulator.wait() == 0
    assert [data for _, data in recorded(path)] == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
