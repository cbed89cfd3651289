"""Lockstep: the simulation waits for its commanders, and results no longer depend on how long they take."""

import math
import time

import pytest
from ackermann_msgs.msg import AckermannDriveStamped
from geometry_msgs.msg import PoseWithCovarianceStamped, Twist
from nav_msgs.msg import Odometry
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
from std_srvs.srv import SetBool, Trigger

from conftest import OPEN, RELIABLE, TWO_ROBOTS, nanoseconds
from reusing import ANYWHERE

pytestmark = pytest.mark.core

TWIST = (*ANYWHERE, "-p", "cmd_vel_type:=twist", "-p", "teleport_topics:=true")
by_twist = pytest.mark.together("by twist")
WAIT = ("-p", "lockstep_timeout:=20.0", "-p", "cmd_vel_type:=twist")


def bits(message):
    pose, twist = message.pose.pose, message.twist.twist
    p, q = pose.position, pose.orientation
    return (nanoseconds(message.header.stamp), p.x, p.y, q.z, q.w, twist.linear.x, twist.angular.z)


def drive(peer, count, delay=0.0):
    """Answers each of `count` odometry messages with a command computed from it; returns the messages."""
    publisher = peer.publisher(AckermannDriveStamped, "ackermann_cmd")
    path = []

    def answer(message):
        path.append(bits(message))
        if len(path) > count:
            return
        time.sleep(delay * (len(path) % 3))
        command = AckermannDriveStamped()
        if path[-1][0] < 100_000_000:
            # Whether the very first instants are received depends on when the nodes discover each other.
            publisher.publish(command)
            return
        command.drive.speed = 1.5 + 0.5 * math.sin(5.0 * path[-1][1])
        command.drive.steering_angle = 0.2 * math.cos(3.0 * path[-1][2])
        publisher.publish(command)

    peer.node.create_subscription(Odometry, "odom", answer, RELIABLE)
    known = lambda: peer.reaches(publisher) and peer.node.get_publishers_info_by_topic("/odom")
    peer.spin_until(known, awaited="the simulator")
    peer.spin_for(1.0)
    if not path:
        # The first instant was published before this node was there: the simulation waits for its answer.
        publisher.publish(AckermannDriveStamped())
    peer.spin_until(lambda: len(path) > count, awaited="the drive")
    return path


def test_the_same_peer_gets_the_same_bits_at_any_speed(simulate, another_peer):
    paths = []
    for rate, delay in ((0.0, 0.0), (5.0, 0.004)):
        simulator = simulate(OPEN, ros_args=("-p", f"rate:={rate}", "-p", "range_noise:=0.02", *WAIT), args=("--lockstep", "0.02"))
        peer = another_peer("driver")
        paths.append(drive(peer, 150, delay))
        assert "lockstep" not in simulator.log, simulator.log
        simulator.stop()
    # One of them may have received the instants before it was awaited.
    first = max(path[0][0] for path in paths)
    paths = [[instant for instant in path if instant[0] >= first][:145] for path in paths]
    assert paths[0] == paths[1]
    end = paths[0][-1]
    assert math.hypot(end[1], end[2]) > 1.0 and abs(end[3]) > 0.01, "it has not driven"


@by_twist
def test_nothing_moves_on_until_every_vehicle_has_its_command(reuse, peer):
    reuse(TWO_ROBOTS, TWIST, lockstep=True, rate=0.0, lockstep_timeout=20.0)
    odom = [peer.listen(Odometry, f"{name}/odom") for name in ("r1", "r2")]
    commands = [peer.publisher(Twist, f"{name}/cmd_vel") for name in ("r1", "r2")]
    peer.spin_until(lambda: all(peer.reaches(c) for c in commands), awaited="the simulator")
    peer.spin_for(0.5)
    for instant in range(5):
        heard = [len(messages) for messages in odom]
        commands[instant % 2].publish(Twist())
        peer.spin_for(0.2)
        assert [len(messages) for messages in odom] == heard, "it has not waited for the other"
        commands[1 - instant % 2].publish(Twist())
        peer.spin_until(lambda: all(len(m) == n + 1 for m, n in zip(odom, heard)), awaited="the next instant")


@by_twist
def test_a_late_vehicle_is_named_once_until_it_is_on_time_again(reuse, peer):
    simulator = reuse(TWO_ROBOTS, TWIST, lockstep=True, lockstep_timeout=0.1, rate=0.0)
    odom = peer.listen(Odometry, "r1/odom")
    peer.spin_until(lambda: len(odom) > 3, awaited="a simulation that goes on without commands")
    assert simulator.log.count("lockstep: no command for") == 1
    assert 'lockstep: no command for "r1", "r2" within 0.1 s of the messages published at 0.020 s, going on without' in simulator.log
    publisher = peer.publisher(Twist, "r1/cmd_vel")
    peer.spin_until(lambda: peer.reaches(publisher), awaited="the simulator")
    peer.node.create_subscription(Odometry, "r1/odom", lambda _: publisher.publish(Twist()), RELIABLE)
    peer.spin_until(lambda: 'lockstep: "r1" is in time again' in simulator.log, awaited="r1 in time")
    peer.spin_for(0.5)
    assert simulator.log.count("lockstep: no command for") == 1, "r2 is late as before"


@by_twist
def test_a_peer_that_teleports_its_car_gets_a_scan_from_the_new_pose(reuse, peer):
    reuse(OPEN, TWIST, lockstep=True, lockstep_when_late="wait", lockstep_timeout=0.5)
    odom, truth = peer.listen(Odometry, "odom"), peer.listen(Odometry, "ground_truth")
    commands, poses = peer.publisher(Twist, "cmd_vel"), peer.publisher(PoseWithCovarianceStamped, "initialpose")
    peer.spin_until(lambda: peer.reaches(commands) and peer.reaches(poses), awaited="the simulator")
    peer.spin_for(0.5)
    commands.publish(Twist())
    peer.spin_until(lambda: odom, awaited="an instant that it has heard")
    # It may have received the previous one, too.
    peer.spin_until_silence(odom)
    heard = len(odom)
    peer.spin_for(1.5)
    assert len(odom) == heard, "it waits for a command, beyond the time-out"
    pose = PoseWithCovarianceStamped()
    pose.header.frame_id = "map"
    pose.pose.pose.position.x, pose.pose.pose.orientation.w = 7.0, 1.0
    poses.publish(pose)
    peer.spin_until(lambda: len(odom) == heard + 1 and truth[-1].pose.pose.position.x > 6.99, awaited="the instant after")
    peer.spin_for(1.5)
    assert len(odom) == heard + 1, "and then for the next command"


@by_twist
def test_pause_step_parameters_and_the_end_work_while_it_waits(reuse, peer):
    simulator = reuse(OPEN, TWIST, lockstep=True, lockstep_when_late="wait", lockstep_timeout=20.0)
    odom = peer.listen(Odometry, "odom")
    publisher = peer.publisher(Twist, "cmd_vel")
    peer.spin_until(lambda: peer.reaches(publisher), awaited="the simulator")
    peer.spin_for(0.5)
    # One answer, so that this peer has received an instant.
    publisher.publish(Twist())
    peer.spin_until(lambda: odom, awaited="odometry")
    # It may have received the previous one, too.
    peer.spin_until_silence(odom)
    heard = len(odom)
    assert peer.call(SetBool, "skidpad/pause", SetBool.Request(data=True)).success
    for _ in range(4):
        assert peer.call(Trigger, "skidpad/step", Trigger.Request()).success
    peer.spin_until(lambda: len(odom) == heard + 1, awaited="four steps of 5 ms by hand")
    assert peer.call(Trigger, "skidpad/reset", Trigger.Request()).success
    assert peer.call(SetBool, "skidpad/pause", SetBool.Request(data=False)).success
    peer.spin_until(lambda: len(odom) >= heard + 2, awaited="the next instant")
    peer.spin_for(0.3)
    assert len(odom) == heard + 2, "a reset ends the wait, and the next instant is waited at again"
    off = Parameter(name="lockstep", value=ParameterValue(type=ParameterType.PARAMETER_BOOL, bool_value=False))
    assert peer.call(SetParameters, "skidpad/set_parameters", SetParameters.Request(parameters=[off])).results[0].successful
    peer.spin_until(lambda: len(odom) > heard + 20, awaited="a simulation that waits for nobody")
    on = Parameter(name="lockstep", value=ParameterValue(type=ParameterType.PARAMETER_BOOL, bool_value=True))
    assert peer.call(SetParameters, "skidpad/set_parameters", SetParameters.Request(parameters=[on])).results[0].successful
    simulator.send(15)
    # Before what it waits for is late.
    assert simulator.wait(15) == 0


def test_lockstep_needs_ros(simulate):
    simulator = simulate(OPEN, args=("--lockstep", "0.02", "--no-ros", "--duration", "1"))
    assert simulator.wait() == 2
    assert "--lockstep" in simulator.log and "--no-ros" in simulator.log
