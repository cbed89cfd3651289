"""Rates and wheel speeds: limits of Ackermann messages, steering rates, arrays of wheel speeds, and their validation."""

import pytest
from ackermann_msgs.msg import AckermannDrive, AckermannDriveStamped
from nav_msgs.msg import Odometry
from skidpad.msg import WheelStates
from std_msgs.msg import Float64MultiArray

from conftest import WORLDS

EMPTY = WORLDS / "empty.world.xml"
ROBOTS = WORLDS / "two_robots.world.xml"


def drive(**fields):
    return AckermannDriveStamped(drive=AckermannDrive(**fields))


def steering(wheels):
    state = {wheel.name: wheel.steer_angle for wheel in wheels[-1].wheels}
    return (state["fl_wheel"] + state["fr_wheel"]) / 2


def test_req_r4_acceleration_and_steering_rate_are_limits_where_that_is_asked_for(simulate, peer):
    simulate(EMPTY, ros_args=("-p", "ackermann_limits:=true"))
    has_limits(peer, True)


def test_req_r4_acceleration_and_steering_rate_are_no_limits_elsewhere(reuse, peer):
    reuse(EMPTY)
    has_limits(peer, False)


def has_limits(peer, honoured):
    """Whether the limits of a command hold is as expected."""
    truth, wheels = peer.listen(Odometry, "ground_truth"), peer.listen(WheelStates, "wheel_states")
    publisher = peer.publisher(AckermannDriveStamped, "ackermann_cmd")
    peer.spin_until(lambda: truth and wheels and peer.reaches(publisher), awaited="the simulator")
    message = drive(speed=1.0, steering_angle=0.4, acceleration=0.25, steering_angle_velocity=0.1)
    peer.drive(publisher, message, truth, 1.5)
    if honoured:
        assert truth[-1].twist.twist.linear.x < 0.5 and steering(wheels) < 0.25
        peer.drive(publisher, message, truth, 4.0)
    assert truth[-1].twist.twist.linear.x > 0.8 and steering(wheels) == pytest.approx(0.4, abs=0.02)


def test_a_steering_rate_turns_the_wheels(reuse, peer):
    reuse(EMPTY)
    truth, wheels = peer.listen(Odometry, "ground_truth"), peer.listen(WheelStates, "wheel_states")
    publisher = peer.publisher(AckermannDriveStamped, "steering_rate_cmd")
    peer.spin_until(lambda: truth and wheels and peer.reaches(publisher), awaited="the simulator")
    peer.drive(publisher, drive(speed=0.3, steering_angle=0.9, steering_angle_velocity=-0.2), truth, 1.0)
    turned = steering(wheels)
    assert -0.5 < turned < -0.1
    peer.drive(publisher, drive(speed=0.3), truth, 0.5)
    stays = steering(wheels)
    peer.drive(publisher, drive(speed=0.3), truth, 0.5)
    assert steering(wheels) == pytest.approx(stays, abs=1e-3)


def test_wheel_speeds_move_a_robot_and_arrays_of_another_length_are_refused(reuse, peer):
    simulator = reuse(ROBOTS)
    truth = peer.listen(Odometry, "r1/ground_truth")
    publisher = peer.publisher(Float64MultiArray, "r1/wheel_speeds_cmd")
    peer.spin_until(lambda: truth and peer.reaches(publisher), awaited="the simulator")
    peer.drive(publisher, Float64MultiArray(data=[-2.0, 2.0]), truth, 1.5)
    assert truth[-1].twist.twist.angular.z > 0.2
    publisher.publish(Float64MultiArray(data=[1.0, 2.0, 3.0]))
    expected = 'topic "/r1/wheel_speeds_cmd": command refused, an array of another length'
    peer.spin_until(lambda: expected in simulator.log, awaited="the refusal")
