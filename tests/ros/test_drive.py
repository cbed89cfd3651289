"""Commands move their vehicle according to its geometry."""

import math

import numpy as np
import pytest
from ackermann_msgs.msg import AckermannDriveStamped
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from skidpad.msg import WheelStates
from std_msgs.msg import Bool

from conftest import OPEN, TALL, TWO_ROBOTS, stamp

pytestmark = pytest.mark.core

WHEELBASE = 0.325
FAST = 3.0


def circle_radius(messages):
    """Radius of the circle that fits the positions best (Kåsa's algebraic fit)."""
    x = np.array([m.pose.pose.position.x for m in messages])
    y = np.array([m.pose.pose.position.y for m in messages])
    matrix = np.column_stack([x, y, np.ones_like(x)])
    a, b, c = np.linalg.lstsq(matrix, x**2 + y**2, rcond=None)[0]
    return math.sqrt(c + a**2 / 4 + b**2 / 4)


def test_ackermann_command_drives_the_circle_of_its_steering_angle(reuse, peer):
    reuse(OPEN, rate=FAST)
    truth = peer.listen(Odometry, "ground_truth")
    publisher = peer.publisher(AckermannDriveStamped, "ackermann_cmd")
    peer.spin_until(lambda: truth and peer.reaches(publisher), awaited="the simulator")
    command = AckermannDriveStamped()
    command.drive.speed, command.drive.steering_angle = 1.0, 0.2
    peer.drive(publisher, command, truth, 2.0)
    settled = len(truth)
    peer.drive(publisher, command, truth, 4.0)
    radius = circle_radius(truth[settled:])
    expected = WHEELBASE / math.tan(0.2)
    assert abs(radius / expected - 1) < 0.02, f"{radius} m instead of {expected} m"
    twist = truth[-1].twist.twist
    assert abs(math.hypot(twist.linear.x, twist.linear.y) - 1.0) < 0.05
    assert twist.angular.z > 0.5


def test_wheel_and_joint_states_match_the_motion(reuse, peer):
    reuse(OPEN, rate=FAST)
    truth = peer.listen(Odometry, "ground_truth")
    wheels = peer.listen(WheelStates, "wheel_states")
    joints = peer.listen(JointState, "joint_states")
    publisher = peer.publisher(AckermannDriveStamped, "ackermann_cmd")
    peer.spin_until(lambda: truth and wheels and joints and peer.reaches(publisher), awaited="the simulator")
    command = AckermannDriveStamped()
    command.drive.speed, command.drive.steering_angle = 1.0, 0.2
    peer.drive(publisher, command, truth, 3.0)
    state = {wheel.name: wheel for wheel in wheels[-1].wheels}
    assert wheels[-1].header.frame_id == "base_link"
    assert sum(wheel.force.z for wheel in state.values()) == pytest.approx(5.692 * 9.81, rel=0.01)
    left, right = state["fl_wheel"].steer_angle, state["fr_wheel"].steer_angle
    assert left > 0.2 > right, "on a left turn the left wheel steers more"
    assert (1 / math.tan(left) + 1 / math.tan(right)) / 2 == pytest.approx(1 / math.tan(0.2), rel=0.01)
    assert (state["rl_wheel"].spin + state["rr_wheel"].spin) / 2 == pytest.approx(1.0 / 0.05, rel=0.05)
    assert all(abs(wheel.slip_ratio) < 0.1 for wheel in state.values())
    assert not any(wheel.lifted for wheel in state.values())
    joint = dict(zip(joints[-1].name, zip(joints[-1].position, joints[-1].velocity)))
    assert joint["fl_wheel_steer"][0] == pytest.approx(left, abs=0.01)
    assert joint["rl_wheel"][1] == pytest.approx(state["rl_wheel"].spin, rel=0.05)


def test_lifted_wheels_are_reported(reuse, peer):
    reuse(TALL, rate=FAST)
    heard = peer.listen(WheelStates, "wheel_states")

    def lifted():
        return [m for m in heard if any(wheel.lifted for wheel in m.wheels)]

    peer.spin_until(lambda: len(lifted()) > 3, awaited="a lifted wheel")
    for wheel in lifted()[-1].wheels:
        assert not wheel.lifted or (wheel.force.z == 0 and wheel.name in ("rl_wheel", "fl_wheel")), "it turns left"


def test_a_collision_is_published(reuse, peer):
    reuse(rate=FAST)
    bumps = peer.listen(Bool, "collision")
    truth = peer.listen(Odometry, "ground_truth")
    publisher = peer.publisher(AckermannDriveStamped, "ackermann_cmd")
    peer.spin_until(lambda: truth and bumps and peer.reaches(publisher), awaited="the simulator")
    assert not any(bump.data for bump in bumps)
    command = AckermannDriveStamped()
    command.drive.speed, command.drive.steering_angle = 1.0, 0.3
    peer.drive(publisher, command, truth, 4.0)
    assert any(bump.data for bump in bumps), "the track is two metres wide"


def test_twist_command_drives_the_circle_of_its_curvature(reuse, peer):
    reuse(OPEN, rate=FAST)
    truth = peer.listen(Odometry, "ground_truth")
    publisher = peer.publisher(Twist, "cmd_vel")
    peer.spin_until(lambda: truth and peer.reaches(publisher), awaited="the simulator")
    command = Twist()
    command.linear.x, command.angular.z = 1.0, math.tan(0.2) / WHEELBASE
    peer.drive(publisher, command, truth, 2.0)
    settled = len(truth)
    peer.drive(publisher, command, truth, 4.0)
    radius = circle_radius(truth[settled:])
    expected = WHEELBASE / math.tan(0.2)
    assert abs(radius / expected - 1) < 0.02, f"{radius} m instead of {expected} m"


def test_cmd_vel_follows_the_type_of_its_publisher(simulate, peer):
    simulator = simulate(OPEN, ros_args=("-r", "cmd_vel:=drive/velocity"))
    truth = peer.listen(Odometry, "ground_truth")
    peer.spin_until(lambda: truth, awaited="the simulator")
    for kind, speed in ((TwistStamped, 0.5), (Twist, -0.5), (TwistStamped, 0.5)):
        publisher = peer.publisher(kind, "drive/velocity")
        peer.spin_until(lambda: peer.reaches(publisher), awaited=f"the subscription of {kind.__name__}")
        command = kind()
        (command.twist if kind is TwistStamped else command).linear.x = speed
        peer.drive(publisher, command, truth, 1.5)
        assert truth[-1].twist.twist.linear.x * math.copysign(1, speed) > 0.3
        peer.node.destroy_publisher(publisher)
    assert "drive/velocity" in simulator.log


def test_a_publisher_of_a_third_type_is_named(reuse, peer):
    simulator = reuse()
    # The topics of the new world are here: the listeners of the world before it have nothing to report any more.
    truth = peer.listen(Odometry, "ground_truth")
    peer.spin_until(lambda: truth, awaited="the new world")
    publisher = peer.publisher(Odometry, "cmd_vel")
    peer.spin_until(lambda: "/peer" in simulator.log, awaited="the warning")
    assert 'topic "/cmd_vel": node "/peer" publishes nav_msgs/msg/Odometry, which is ignored' in simulator.log
    peer.spin_for(1.0)
    assert simulator.log.count("which is ignored") == 1
    peer.node.destroy_publisher(publisher)


def test_commands_that_are_not_finite_are_refused(reuse, peer):
    simulator = reuse(OPEN)
    truth = peer.listen(Odometry, "ground_truth")
    twist = peer.publisher(Twist, "cmd_vel")
    steer = peer.publisher(AckermannDriveStamped, "ackermann_cmd")
    ready = lambda: truth and peer.reaches(twist) and peer.reaches(steer)  # noqa: E731
    peer.spin_until(ready, awaited="the simulator")
    bad = Twist()
    bad.linear.x = math.nan
    peer.drive(twist, bad, truth, 0.5)
    infinite = AckermannDriveStamped()
    infinite.drive.speed = math.inf
    peer.drive(steer, infinite, truth, 0.5)
    assert abs(truth[-1].twist.twist.linear.x) < 1e-3
    assert 'topic "/cmd_vel": command refused, not finite: linear.x NaN, linear.y 0, angular.z 0' in simulator.log
    assert 'topic "/ackermann_cmd": command refused, not finite: speed inf, steering_angle 0' in simulator.log
    huge = Twist()
    huge.linear.x = 1e308
    peer.drive(twist, huge, truth, 0.5)
    assert abs(truth[-1].twist.twist.linear.x) < 1e-3
    assert 'topic "/cmd_vel": command refused, beyond 1000000: linear.x 1' in simulator.log
    good = Twist()
    good.linear.x = 0.5
    peer.drive(twist, good, truth, 1.5)
    assert truth[-1].twist.twist.linear.x > 0.3


def test_a_vehicle_whose_commands_stop_stands_still(reuse, peer):
    reuse(OPEN, cmd_timeout=0.5)
    truth = peer.listen(Odometry, "ground_truth")
    publisher = peer.publisher(Twist, "cmd_vel")
    peer.spin_until(lambda: truth and peer.reaches(publisher), awaited="the simulator")
    command = Twist()
    command.linear.x = 0.5
    peer.drive(publisher, command, truth, 1.5)
    assert truth[-1].twist.twist.linear.x > 0.3
    last = stamp(truth[-1])
    peer.spin_until(lambda: stamp(truth[-1]) > last + 3.0, awaited="three seconds")
    assert abs(truth[-1].twist.twist.linear.x) < 0.02


def test_without_a_timeout_commands_hold(reuse, peer):
    reuse(OPEN, cmd_timeout=0.0)
    truth = peer.listen(Odometry, "ground_truth")
    publisher = peer.publisher(Twist, "cmd_vel")
    peer.spin_until(lambda: truth and peer.reaches(publisher), awaited="the simulator")
    command = Twist()
    command.linear.x, command.angular.z = 0.5, 0.3
    peer.drive(publisher, command, truth, 1.0)
    last = stamp(truth[-1])
    peer.spin_until(lambda: stamp(truth[-1]) > last + 3.0, awaited="three seconds")
    assert truth[-1].twist.twist.linear.x > 0.3


def test_two_vehicles_are_driven_apart(reuse, peer):
    reuse(TWO_ROBOTS)
    truth = {name: peer.listen(Odometry, f"{name}/ground_truth") for name in ("r1", "r2")}
    publisher = peer.publisher(Twist, "r1/cmd_vel")
    ready = lambda: all(truth.values()) and peer.reaches(publisher)  # noqa: E731
    peer.spin_until(ready, awaited="the simulator")
    start = {name: heard[-1].pose.pose.position for name, heard in truth.items()}
    command = Twist()
    command.linear.x = 0.3
    peer.drive(publisher, command, truth["r1"], 2.0)
    gone = {
        name: math.hypot(heard[-1].pose.pose.position.x - start[name].x, heard[-1].pose.pose.position.y - start[name].y)
        for name, heard in truth.items()
    }
    assert gone["r1"] > 0.2 and gone["r2"] < 1e-3, gone
