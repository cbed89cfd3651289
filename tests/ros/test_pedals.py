"""Pedals: throttle drives, the brake stops and holds, the lever chooses the way, and nonsense is refused."""

import math
import os
import subprocess
import sys

import pytest
from nav_msgs.msg import Odometry
from skidpad.msg import Pedals, WheelStates

from conftest import ROOT, WORLDS

PEDALS = WORLDS / "pedals.world.xml"
FAST = ("-p", "rate:=3.0")


def press(throttle=0.0, brake=0.0, steering_angle=0.0, gear=Pedals.DRIVE):
    return Pedals(throttle=throttle, brake=brake, steering_angle=steering_angle, gear=gear)


@pytest.fixture
def car(simulate, peer):
    """The simulator with the car, a publisher of pedals, and a subscriber to the motion of the car."""
    simulator = simulate(PEDALS, ros_args=FAST)
    truth = peer.listen(Odometry, "ground_truth")
    publisher = peer.publisher(Pedals, "pedals_cmd")
    peer.spin_until(lambda: truth and peer.reaches(publisher), awaited="the simulator")
    return simulator, publisher, truth


def speed(truth):
    return truth[-1].twist.twist.linear.x


def test_pedals_drive_steer_stop_and_go_backwards(car, peer):
    simulator, publisher, truth = car
    wheels = peer.listen(WheelStates, "wheel_states")
    peer.drive(publisher, press(throttle=0.5), truth, 3.0)
    fast = speed(truth)
    assert fast > 3.0
    peer.drive(publisher, press(throttle=0.1, steering_angle=0.2), truth, 1.5)
    state = {wheel.name: wheel for wheel in wheels[-1].wheels}
    assert (state["fl_wheel"].steer_angle + state["fr_wheel"].steer_angle) / 2 == pytest.approx(0.2, abs=0.01)
    assert truth[-1].twist.twist.angular.z > 0.1
    peer.drive(publisher, press(brake=1.0), truth, 3.0)
    assert abs(speed(truth)) < 1e-3
    peer.drive(publisher, press(throttle=1.0, gear=Pedals.NEUTRAL), truth, 1.0)
    assert abs(speed(truth)) < 1e-3
    peer.drive(publisher, press(throttle=0.5, gear=Pedals.REVERSE), truth, 2.0)
    assert speed(truth) < -1.0
    assert "pedals_cmd" in simulator.log and "skidpad/msg/Pedals" in simulator.log


def test_pedals_out_of_range_are_refused(car, peer):
    simulator, publisher, truth = car
    for bad, complaint in (
        (press(throttle=1.5), "throttle out of 0 to 1: throttle 1.5, brake 0, steering_angle 0"),
        (press(brake=-0.5), "brake out of 0 to 1: throttle 0, brake -0.5, steering_angle 0"),
        (press(throttle=math.nan), "not finite: throttle NaN, brake 0, steering_angle 0"),
        (press(throttle=1.0, gear=7), "no such gear: 7"),
    ):
        peer.spin_for(1.1)  # complaints come once a second
        publisher.publish(bad)
        expected = f'topic "/pedals_cmd": command refused, {complaint}'
        peer.spin_until(lambda: expected in simulator.log, awaited=f"the refusal: {complaint}")
    assert abs(speed(truth)) < 1e-3


def test_the_drive_script_presses_pedals(car, peer, tmp_path, domain):
    _, _, truth = car
    log = tmp_path / "drive.log"
    with open(log, "wb") as file:
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "ros" / "drive.py"), "--throttle", "0.5"],
            stdout=file,
            stderr=subprocess.STDOUT,
            env=dict(os.environ, ROS_DOMAIN_ID=str(domain)),
        )
    try:
        peer.spin_until(lambda: speed(truth) > 1.0, awaited="a moving car")
    finally:
        process.kill()
        process.wait()
    assert "driving by /pedals_cmd" in log.read_text()
