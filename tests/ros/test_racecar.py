"""The preset racecar_gazebo, seen by nodes written as for the Gazebo racecar; its multiplexer and its keyboard.

Where commands have to come within the multiplexer's timeouts, simulated time goes at a fifth of the wall's.
"""

import math
import os
import pty
import signal
import termios
import time

import pytest
from ackermann_msgs.msg import AckermannDriveStamped
from nav_msgs.msg import Odometry
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import JointState, LaserScan
from std_msgs.msg import Float64, String
from std_srvs.srv import Empty
from tf2_msgs.msg import TFMessage

from conftest import LATCHED, PATIENCE, TWO_ROBOTS, WORLDS, nanoseconds, stamp

WORLD = WORLDS / "racecar_gazebo.world.xml"
PRESET = ["-p", "preset:=racecar_gazebo"]
WITHOUT_MUX = [*PRESET, "-p", "builtin_mux:=false"]
with_mux, without_mux = (pytest.mark.together(name) for name in ("with mux", "without mux"))
# The multiplexers' timeouts of 0.2 s are then 1 s of the wall's time, so that a machine under load keeps within them.
SLOWLY = 0.2
WHEELS = ["left_rear", "right_rear", "left_front", "right_front"]
JOINTS = [f"{wheel}_wheel_joint" for wheel in WHEELS] + ["left_steering_hinge_joint", "right_steering_hinge_joint"]
NAVIGATION = "/vesc/ackermann_cmd_mux/input/navigation"
SAFETY = "/vesc/ackermann_cmd_mux/input/safety"
TELEOP = "/vesc/ackermann_cmd_mux/input/teleop"
OUTPUT = "/vesc/low_level/ackermann_cmd_mux/output"


def command(speed, steering_angle=0.0):
    message = AckermannDriveStamped()
    message.header.frame_id = "base_link"
    message.drive.speed = float(speed)
    message.drive.steering_angle = float(steering_angle)
    return message


def send_while(peer, sent, condition, timeout=PATIENCE, awaited="it"):
    """Publishes every (publisher, message) of `sent` 20 times a second until `condition()` holds."""
    deadline = time.monotonic() + timeout
    last = 0.0
    while not condition():
        assert time.monotonic() < deadline, f"waited {timeout} s for {awaited}"
        if time.monotonic() - last > 0.05:
            last = time.monotonic()
            for publisher, message in sent:
                publisher.publish(message)
        peer.executor.spin_once(timeout_sec=0.01)


def matched(peer, publisher):
    peer.spin_until(lambda: peer.reaches(publisher), awaited=publisher.topic)
    return publisher


def rate(heard):
    """Messages per simulated second."""
    return (len(heard) - 1) / (stamp(heard[-1]) - stamp(heard[0]))


def yaw(message):
    q = message.pose.pose.orientation
    return 2.0 * math.atan2(q.z, q.w)


def pairs(messages):
    return {(t.header.frame_id, t.child_frame_id) for message in messages for t in message.transforms}


@with_mux
def test_req_r1_names_types_rates_and_frames(reuse, peer):
    reuse(WORLD, PRESET)
    odometry = peer.listen(Odometry, "/vesc/odom")
    better = peer.listen(Odometry, "/pf/pose/odom")
    joints = peer.listen(JointState, "/racecar/joint_states")
    scans = peer.listen(LaserScan, "/scan")
    transforms = peer.listen(TFMessage, "/tf")
    fixed = peer.listen(TFMessage, "/tf_static", LATCHED)
    quantities = {
        f"/{quantity}_pub/{wheel}": peer.listen(Float64, f"/{quantity}_pub/{wheel}")
        for quantity in ["long", "lat", "fx", "fy"]
        for wheel in WHEELS
    }
    peer.spin_until(lambda: len(odometry) > 45 and len(scans) > 90, awaited="two seconds")
    peer.spin_until(lambda: len(joints) > 45 and transforms and fixed and all(quantities.values()), awaited="the other topics")

    assert (odometry[0].header.frame_id, odometry[0].child_frame_id) == ("odom", "base_link")
    assert rate(odometry) == pytest.approx(20.0, rel=0.02)
    def simultaneous():
        """Poses of the same instant from both topics."""
        at = {nanoseconds(m.header.stamp): m.pose for m in odometry}
        return [(m.pose, at[nanoseconds(m.header.stamp)]) for m in better if nanoseconds(m.header.stamp) in at]

    peer.spin_until(lambda: len(simultaneous()) > 10, awaited="instants of both")
    assert all(pose == expected for pose, expected in simultaneous())
    assert joints[0].name == JOINTS and rate(joints) == pytest.approx(50.0, rel=0.02)
    assert all(quantities.values()), [name for name, heard in quantities.items() if not heard]

    scan = scans[0]
    assert scan.header.frame_id == "laser" and len(scan.ranges) == 1081
    assert rate(scans) == pytest.approx(40.0, rel=0.02)
    assert scan.angle_min == pytest.approx(-2.3561944902, abs=1e-6) and scan.angle_max == pytest.approx(2.3561944902, abs=1e-4)
    assert (scan.range_min, scan.range_max) == (pytest.approx(0.1), pytest.approx(10.0))

    assert pairs(transforms) == {("odom", "base_link")}
    assert pairs(fixed) == {("base_link", "base_footprint"), ("base_link", "chassis"), ("chassis", "laser")}
    laser = next(t for t in fixed[0].transforms if t.child_frame_id == "laser").transform.translation
    assert (laser.x, laser.y, laser.z) == (0.265, 0.0, pytest.approx(0.075))
    absent = {"/odom", "/joint_states", "/cmd_vel"}
    peer.spin_until(lambda: not absent & dict(peer.node.get_topic_names_and_types()).keys(), awaited=f"a graph without {absent}")


@with_mux
def test_a_students_node_drives_at_its_commanded_speed(reuse, peer):
    reuse(WORLD, PRESET)
    odometry = peer.listen(Odometry, "/vesc/odom")
    navigation = matched(peer, peer.publisher(AckermannDriveStamped, NAVIGATION))
    moving = lambda: odometry and odometry[-1].twist.twist.linear.x > 0.98 and len(odometry) > 60  # noqa: E731
    send_while(peer, [(navigation, command(1.0, 0.2))], moving, awaited="1 m/s")
    assert odometry[-1].twist.twist.linear.x == pytest.approx(1.0, abs=0.02)
    # tan(0.2)·1.0/0.325, less the slip of the tyres.
    assert odometry[-1].twist.twist.angular.z == pytest.approx(math.tan(0.2) / 0.325, rel=0.05)
    assert abs(odometry[-1].twist.twist.linear.y) < 0.05
    # Silent, the default command stops the car: within 0.2 s of the timeout and a period of 1/6 s, and its braking.
    silent = stamp(odometry[-1])
    peer.spin_until(lambda: odometry[-1].twist.twist.linear.x < 0.02, awaited="standstill")
    assert stamp(odometry[-1]) - silent < 1.5


def test_half_speed_gives_half(simulate, peer):
    simulate(WORLD, [*PRESET, "-p", "quirks.half_speed:=true"])
    odometry = peer.listen(Odometry, "/vesc/odom")
    navigation = matched(peer, peer.publisher(AckermannDriveStamped, NAVIGATION))
    speeds = lambda: [m.twist.twist.linear.x for m in odometry[-10:]]  # noqa: E731
    settled = lambda: len(odometry) > 40 and min(speeds()) > 0.4 and max(speeds()) - min(speeds()) < 0.005  # noqa: E731
    send_while(peer, [(navigation, command(1.0))], settled, awaited="a steady speed")
    assert speeds()[-1] == pytest.approx(0.5, abs=0.02)


def test_the_truth_from_map_to_odom_is_as_in_gazebo(simulate, peer):
    simulate(WORLD, [*PRESET, "-p", "quirks.map_odom_ground_truth:=true", "-p", "quirks.parallel_steer:=true"])
    odometry = peer.listen(Odometry, "/vesc/odom")
    joints = peer.listen(JointState, "/racecar/joint_states")
    transforms = peer.listen(TFMessage, "/tf")
    navigation = matched(peer, peer.publisher(AckermannDriveStamped, NAVIGATION))
    turned = lambda: odometry and yaw(odometry[-1]) > 1.3 and joints and transforms  # noqa: E731
    send_while(peer, [(navigation, command(1.0, 0.3))], turned, awaited="a turn")
    last = odometry[-1]
    assert (last.header.frame_id, last.child_frame_id) == ("map", "odom")
    assert pairs(transforms) == {("map", "odom")}
    # Heading along y, the twist along the world's axes is along y too.
    heading = yaw(last)
    assert last.twist.twist.linear.y == pytest.approx(math.sin(heading), abs=0.1)
    assert last.twist.twist.linear.x == pytest.approx(math.cos(heading), abs=0.1)
    assert not any(last.pose.covariance) and not any(last.twist.covariance)
    left, right = joints[-1].position[4:]
    assert left == pytest.approx(0.3, abs=0.02) and right == pytest.approx(left, abs=1e-6)


@without_mux
def test_wheel_commands_turn_single_wheels_and_hinges(reuse, peer):
    reuse(WORLD, WITHOUT_MUX)
    joints = peer.listen(JointState, "/racecar/joint_states")
    spin = matched(peer, peer.publisher(Float64, "/racecar/left_rear_wheel_velocity_controller/command"))
    hinge = matched(peer, peer.publisher(Float64, "/racecar/right_steering_hinge_position_controller/command"))
    sent = [(spin, Float64(data=20.0)), (hinge, Float64(data=-0.5))]
    turned = lambda: joints and joints[-1].position[5] < -0.45  # noqa: E731
    send_while(peer, sent, turned, awaited="the hinge")
    velocity = dict(zip(joints[-1].name, joints[-1].velocity))
    assert velocity["left_rear_wheel_joint"] > 15.0
    assert all(abs(velocity[f"{wheel}_wheel_joint"]) < 5.0 for wheel in WHEELS[1:])
    assert abs(joints[-1].position[4]) < 0.01


@with_mux
def test_safety_beats_navigation_and_teleop_beats_both(reuse, peer):
    reuse(WORLD, PRESET, rate=SLOWLY)
    out = peer.listen(AckermannDriveStamped, OUTPUT)
    active = peer.listen(String, "/vesc/low_level/ackermann_cmd_mux/active", LATCHED)
    relayed = peer.listen(AckermannDriveStamped, "/vesc/high_level/ackermann_cmd_mux/input/nav_0")
    publisher = {
        topic: matched(peer, peer.publisher(AckermannDriveStamped, topic)) for topic in [NAVIGATION, SAFETY, TELEOP]
    }
    navigation, safety, teleop = (publisher[topic] for topic in [NAVIGATION, SAFETY, TELEOP])
    speed = lambda: out and round(out[-1].drive.speed, 3)  # noqa: E731
    sent = [(navigation, command(0.1))]
    is_active = lambda name: active and active[-1].data == name  # noqa: E731
    send_while(peer, sent, lambda: speed() == 0.1 and is_active("Navigation"), awaited="navigation")
    send_while(peer, sent, lambda: relayed and round(relayed[-1].drive.speed, 3) == 0.1, awaited="the relay")
    sent.append((safety, command(0.2)))
    send_while(peer, sent, lambda: speed() == 0.2 and is_active("Safety"), awaited="safety")
    sent.append((teleop, command(0.3)))
    send_while(peer, sent, lambda: speed() == 0.3 and is_active("Teleoperation"), awaited="teleop")
    # While teleop sends, no other input passes.
    seen = len(out)
    until = time.monotonic() + 1.0
    send_while(peer, sent, lambda: time.monotonic() > until, awaited="a second")
    assert {round(m.drive.speed, 3) for m in out[seen:]} == {0.3}
    del sent[2]
    send_while(peer, sent, lambda: speed() == 0.2, awaited="safety's turn")
    del sent[1]
    send_while(peer, sent, lambda: speed() == 0.1, awaited="navigation's turn")
    # Without any, the default command goes through the high level.
    peer.spin_until(lambda: speed() == 0.0, awaited="the default command")
    high = peer.listen(String, "/vesc/high_level/ackermann_cmd_mux/active", LATCHED)
    peer.spin_until(lambda: high and high[-1].data == "Default", awaited="the default's turn")


@with_mux
def test_navigation_has_four_inputs_by_priority(reuse, peer):
    reuse(WORLD, PRESET, rate=SLOWLY)
    out = peer.listen(AckermannDriveStamped, OUTPUT)
    sent = []
    for index in [3, 2, 1, 0]:
        topic = f"/vesc/high_level/ackermann_cmd_mux/input/nav_{index}"
        sent.append((matched(peer, peer.publisher(AckermannDriveStamped, topic)), command(1.0 - 0.1 * index)))
        wanted = round(1.0 - 0.1 * index, 3)
        send_while(peer, sent, lambda: out and round(out[-1].drive.speed, 3) == wanted, awaited=topic)


@without_mux
def test_the_multiplexer_runs_as_a_node_too(reuse, peer, run_node):
    reuse(WORLD, WITHOUT_MUX)
    run_node("ackermann_mux", ["-p", "use_sim_time:=true"])
    odometry = peer.listen(Odometry, "/vesc/odom")
    active = peer.listen(String, "/vesc/low_level/ackermann_cmd_mux/active", LATCHED)
    navigation = matched(peer, peer.publisher(AckermannDriveStamped, NAVIGATION))
    moving = lambda: odometry and odometry[-1].twist.twist.linear.x > 0.45  # noqa: E731
    send_while(peer, [(navigation, command(0.5))], lambda: moving() and active, awaited="0.5 m/s")
    assert active[-1].data == "Navigation"
    peer.spin_until(lambda: odometry[-1].twist.twist.linear.x < 0.02, awaited="standstill")


def test_the_default_command_does_not_take_the_car_from_its_driver(simulate, peer):
    simulate(WORLD, PRESET, ["--track", str(WORLDS.parent / "config" / "circle.yaml")])
    odometry = peer.listen(Odometry, "/vesc/odom")
    navigation = matched(peer, peer.publisher(AckermannDriveStamped, NAVIGATION))
    speed = lambda: odometry and odometry[-1].twist.twist.linear.x  # noqa: E731
    peer.spin_until(lambda: speed() and speed() > 0.5 and stamp(odometry[-1]) > 3.0, awaited="the driver")
    assert min(m.twist.twist.linear.x for m in odometry if stamp(m) > 2.0) > 0.3
    # External commands take over, and when they stop the driver resumes.
    send_while(peer, [(navigation, command(0.0))], lambda: speed() < 0.02, awaited="standstill")
    peer.spin_until(lambda: speed() > 0.5, awaited="the driver again")


def test_a_bad_file_of_levels_is_refused(run_node, tmp_path):
    path = tmp_path / "mux.yaml"
    path.write_text((WORLDS.parent / "config" / "ackermann_mux.yaml").read_text().replace("priority: 15", "priority: 20"))
    node = run_node("ackermann_mux", ["-p", f"config:={path}"])
    output, _ = node.communicate(timeout=PATIENCE)
    assert node.returncode == 1
    expected = f'parameter "config": {path}: high_level: Nav_1: priority: 20 is taken by another input\n  accepted: a number of its own'
    assert expected in output.decode()


@with_mux
def test_gazebos_services_reset_and_pause(reuse, peer):
    reuse(WORLD, PRESET)
    odometry = peer.listen(Odometry, "/vesc/odom")
    navigation = matched(peer, peer.publisher(AckermannDriveStamped, NAVIGATION))
    away = lambda: odometry and odometry[-1].pose.pose.position.x > 0.5  # noqa: E731
    send_while(peer, [(navigation, command(1.0))], away, awaited="half a metre")
    peer.spin_until(lambda: odometry[-1].twist.twist.linear.x < 0.02, awaited="standstill")
    before = stamp(odometry[-1])
    peer.call(Empty, "/gazebo/reset_world", Empty.Request())
    peer.spin_until(lambda: abs(odometry[-1].pose.pose.position.x) < 1e-6, awaited="the start")
    assert stamp(odometry[-1]) > before
    peer.call(Empty, "/gazebo/pause_physics", Empty.Request())
    peer.spin_until_silence(odometry)
    seen = len(odometry)
    peer.call(Empty, "/gazebo/unpause_physics", Empty.Request())
    peer.spin_until(lambda: len(odometry) > seen + 5, awaited="going on")


def test_the_preset_is_for_one_vehicle_and_its_name_is_checked(simulate):
    simulator = simulate(TWO_ROBOTS, PRESET)
    assert simulator.wait() == 1
    assert 'parameter "preset": found "racecar_gazebo"\n  accepted: a world with one vehicle' in simulator.log
    simulator = simulate(WORLD, ["-p", "preset:=racecar"])
    assert simulator.wait() == 1
    assert 'parameter "preset": found "racecar"\n  accepted: skidpad, racecar_gazebo' in simulator.log


def test_the_keyboard_drives_and_the_terminal_is_restored(peer, run_node):
    commands = peer.listen(AckermannDriveStamped, TELEOP)
    person, program = pty.openpty()
    before = termios.tcgetattr(program)
    node = run_node("keyboard_teleop", ["-p", "speed:=0.8"], stdin=program)
    peer.spin_until(lambda: not termios.tcgetattr(program)[3] & termios.ECHO, awaited="raw keys")
    peer.spin_until(lambda: peer.node.count_publishers(TELEOP) > 0, awaited="the keyboard's node")
    # Before discovery, published messages are not received.
    deadline = time.monotonic() + 20.0
    while not commands:
        assert time.monotonic() < deadline, "no command of a key"
        os.write(person, b"x")
        peer.spin_for(0.2)
    peer.spin_for(0.5)
    for key, speed, angle in [(b"w", 0.8, 0.0), (b"a", 0.8, 0.25), (b"d", 0.8, -0.25), (b"s", -0.8, 0.0), (b"x", 0.0, 0.0)]:
        seen = len(commands)
        os.write(person, key)
        peer.spin_until(lambda: len(commands) > seen, awaited=f"the command of {key}")
        drive = commands[-1].drive
        assert (drive.speed, drive.steering_angle) == (pytest.approx(speed), pytest.approx(angle)), key
        assert commands[-1].header.frame_id == "base_link" and nanoseconds(commands[-1].header.stamp) > 0
    os.write(person, b"w")
    peer.spin_until(lambda: commands[-1].drive.speed > 0.0, awaited="going again")
    node.send_signal(signal.SIGTERM)
    assert node.wait(PATIENCE) == 0
    assert termios.tcgetattr(program) == before
    peer.spin_until(lambda: commands[-1].drive.speed == 0.0, awaited="the last command, which stops")
    os.close(person)
    os.close(program)


def test_a_keyboard_needs_a_terminal(run_node):
    node = run_node("keyboard_teleop")
    output, _ = node.communicate(timeout=PATIENCE)
    assert node.returncode == 1
    expected = "keyboard_teleop: standard input: not a terminal\n  accepted: a terminal\n  hint: run it in a terminal of its own"
    assert expected in output.decode()


def test_active_is_latched(run_node, peer):
    run_node("ackermann_mux")
    peer.spin_until(lambda: peer.node.count_publishers("/vesc/low_level/ackermann_cmd_mux/active") > 0, awaited="the node")
    peer.spin_for(0.5)
    late = peer.listen(String, "/vesc/low_level/ackermann_cmd_mux/active", QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL))
    peer.spin_until(lambda: late, awaited="what was said before")
    # The default command passes through the high level to the low one.
    peer.spin_until(lambda: late[-1].data == "Navigation", awaited="the default's way")
