"""Parameters as `ros2 param` sees them: lists, ranges, reasons, events; gains that act; files with wildcards; the log on /rosout."""

import math

import pytest
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rcl_interfaces.msg import Log, Parameter, ParameterEvent, ParameterType, ParameterValue
from rcl_interfaces.srv import DescribeParameters, GetParameters, GetParameterTypes, ListParameters, SetParameters
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import LaserScan

from conftest import OPEN, RACECAR, ROOT, TWO_ROBOTS, stamp

pytestmark = pytest.mark.core

LAST_LINES = QoSProfile(depth=1000, durability=DurabilityPolicy.TRANSIENT_LOCAL)


def number(name, value):
    return Parameter(name=name, value=ParameterValue(type=ParameterType.PARAMETER_DOUBLE, double_value=value))


def set_one(peer, parameter, node="skidpad"):
    request = SetParameters.Request(parameters=[parameter])
    return peer.call(SetParameters, f"{node}/set_parameters", request).results[0]


def values(peer, names, node="skidpad"):
    return peer.call(GetParameters, f"{node}/get_parameters", GetParameters.Request(names=names)).values


def test_unknown_parameters_are_told_at_the_start_and_on_rosout(simulate, run_node, peer, tmp_path):
    file = tmp_path / "parameters.yaml"
    file.write_text(
        "/**:\n  ros__parameters: {use_sim_time: true, controller_frequency: 20.0, plugins: a}\n"
        "skidpad:\n  ros__parameters: {odm_rate: 20.0}\n/other:\n  ros__parameters: {gui: true}\n")
    given = ["-p", "real_time_factor:=2.0", "-p", "seed:=3", "-p", "headless:=true", "--params-file", file]
    run = simulate(OPEN, [*given, "--log-level", "skidpad:=debug", "--log-file-name", "x"])
    node = run_node("kinematic_linearizer", ["-p", "seed:=3"])
    peer.spin_until(lambda: "node /skidpad" in run.log, awaited="the start")
    reported = [line for line in run.log.splitlines() if "parameter" in line or line.startswith("  hint: ")]
    lines = "\n".join(reported)
    for name, hint in (("headless", "an option: skidpad run --headless"), ("odm_rate", 'did you mean "odom_rate"?'),
                       ("real_time_factor", "the simulator's parameter rate"), ("seed", "an option: skidpad run --seed")):
        assert lines.count(f'parameter "{name}": unknown\n  hint: {hint}') == 1, run.log
    # Others may have what is given to all.
    assert lines.count('parameters "controller_frequency", "plugins": unknown to this node\n  hint: ') == 1, run.log
    assert '"gui"' not in run.log
    for line in iter(node.stdout.readline, b""):
        if b'parameter "seed": unknown' in line:
            break
    else:
        raise AssertionError("the node has ended without a warning")
    assert "--log-file-name: ignored" in run.log
    lines = peer.listen(Log, "/rosout", LAST_LINES)
    own_lines = lambda: [line for line in lines if line.name == "skidpad" and "use_sim_time" in line.msg]  # noqa: E731
    line = peer.spin_until(own_lines, awaited="the warning on /rosout")[0]
    assert (line.level, line.stamp.sec > 0) == (30, True)
    # Lines from before there was a node are there, too.
    peer.spin_until(lambda: [entry for entry in lines if "--log-file-name" in entry.msg], awaited="the first line")


def test_a_file_is_taken_and_rates_above_that_of_the_steps_are_told(simulate, run_node, peer, tmp_path):
    file = tmp_path / "parameters.yaml"
    file.write_text("skidpad:\n  ros__parameters:\n    odom_rate: 25\n    use_sim_time: true\n    max_vel_x: 1.0\n")
    run = simulate(OPEN, ["--params-file", file, "-p", "clock_rate:=1000.0", "-p", "marker_rate:=5.0", "-p", "log_rate:=1000.0"])
    node = run_node("single_track_simulator", ["-p", "dt:=0.05", "-p", "odom_rate:=40.0"])
    peer.spin_until(lambda: "node /skidpad" in run.log, awaited="the start")

    def message(name, rate):
        return f'parameter "{name}": found {rate}, but there are only 200 steps a second: each step gets a message\n  accepted: up to 200\n  hint: a smaller step'

    assert run.log.count("steps a second") == 1 and message("clock_rate", 1000) in run.log, run.log
    odom = peer.listen(Odometry, "odom")
    peer.spin_until(lambda: len(odom) > 12, awaited="odometry")
    assert min(stamp(later) - stamp(earlier) for earlier, later in zip(odom, odom[1:])) == pytest.approx(0.04, rel=1e-6)
    assert run.log.count("use_sim_time") == 1
    assert set_one(peer, number("marker_rate", 100.0)).successful
    assert set_one(peer, number("clock_rate", 500.0)).successful
    peer.spin_until(lambda: message("clock_rate", 500) in run.log, awaited="the second warning")
    assert run.log.count("steps a second") == 2, run.log
    for line in iter(node.stdout.readline, b""):
        if b'parameter "odom_rate": found 40, but there are only 20 steps a second' in line:
            break
    else:
        raise AssertionError("the node has ended without a warning")


def test_gains_of_every_vehicle_are_listed_with_ranges_and_changes_are_published(reuse, peer):
    reuse(TWO_ROBOTS)
    events = peer.listen(ParameterEvent, "/parameter_events")

    def listed(prefixes=(), depth=0):
        request = ListParameters.Request(prefixes=list(prefixes), depth=depth)
        return peer.call(ListParameters, "skidpad/list_parameters", request).result

    all_parameters = listed()
    vehicles = sorted({name.split(".")[0] for name in all_parameters.names if ".controller." in name})
    assert len(vehicles) == 2, all_parameters.names
    first = f"{vehicles[0]}.controller"
    below = listed([first])
    assert {f"{first}.kp", f"{first}.ki", f"{first}.max_torque"} <= set(below.names)
    assert below.prefixes == [first] and first in all_parameters.prefixes
    assert all("." not in name for name in listed(depth=1).names)

    request = DescribeParameters.Request(names=below.names + ["nothing"])
    described = peer.call(DescribeParameters, "skidpad/describe_parameters", request).descriptors
    for descriptor in described[:-1]:
        assert descriptor.description and descriptor.floating_point_range and not descriptor.read_only, descriptor
    assert described[-1].type == ParameterType.PARAMETER_NOT_SET
    types = peer.call(GetParameterTypes, "skidpad/get_parameter_types", GetParameterTypes.Request(names=below.names)).types
    assert set(types) == {ParameterType.PARAMETER_DOUBLE}

    assert set_one(peer, number(f"{first}.kp", 12.5)).successful
    assert [value.double_value for value in values(peer, [f"{first}.kp"])] == [12.5]
    other = values(peer, [f"{vehicles[1]}.controller.kp"])[0].double_value
    assert other != 12.5
    changed = lambda: [p for e in events for p in e.changed_parameters if p.name == f"{first}.kp"]  # noqa: E731
    changes = peer.spin_until(changed, awaited="an event")
    assert changes[0].value.double_value == 12.5
    event = next(e for e in events if e.changed_parameters)
    assert event.node == "/skidpad" and event.stamp.sec > 0


def test_refusals_name_the_parameter_the_value_and_the_accepted_ones(reuse, peer):
    reuse(OPEN)
    word = Parameter(name="rate", value=ParameterValue(type=ParameterType.PARAMETER_STRING, string_value="fast"))
    gone = Parameter(name="rate", value=ParameterValue(type=ParameterType.PARAMETER_NOT_SET))
    markers = Parameter(name="publish_markers", value=ParameterValue(type=ParameterType.PARAMETER_BOOL, bool_value=False))
    for parameter, reason in [
        (number("marker_rate", 0.0), "marker_rate: found 0; accepted: a number from 0.1 to 100"),
        (number("marker_rat", 5.0), 'marker_rat: unknown parameter; did you mean "marker_rate"?'),
        (word, 'rate: found "fast"; accepted: 0, or a number from 0.001 to 1000000'),
        (number("rate", 1e-308), f"rate: found 0.{'0' * 307}1; accepted: 0, or a number from 0.001 to 1000000"),
        (number("cmd_timeout", 1e-4), "cmd_timeout: found 0.0001; accepted: 0, or a number from 0.001 to 1000000"),
        (gone, "rate: cannot be deleted; accepted: 0, or a number from 0.001 to 1000000"),
        (markers, "publish_markers: can only be set at the start of the node"),
    ]:
        result = set_one(peer, parameter)
        assert (result.successful, result.reason) == (False, reason)


def test_a_controller_without_gain_lets_the_vehicle_stand_and_goes_on_when_it_has_one(reuse, peer):
    reuse(OPEN)
    truth = peer.listen(Odometry, "ground_truth")
    publisher = peer.publisher(Twist, "cmd_vel")
    peer.spin_until(lambda: truth and peer.reaches(publisher), awaited="the simulator")
    gains = ["racecar.controller.kp", "racecar.controller.ki"]
    before = [value.double_value for value in values(peer, gains)]
    assert before == [8.0, 4.0]
    for name in gains:
        assert set_one(peer, number(name, 0.0)).successful
    command = Twist()
    command.linear.x = 1.0
    peer.drive(publisher, command, truth, 0.5)
    assert abs(truth[-1].twist.twist.linear.x) < 0.01
    for name, gain in zip(gains, before):
        assert set_one(peer, number(name, gain)).successful
    peer.drive(publisher, command, truth, 1.0)
    assert truth[-1].twist.twist.linear.x > 0.3


def test_gains_of_the_tracker_change_while_it_tracks(simulate, peer):
    simulate("tracking", args=["--track", str(ROOT / "config" / "figure_eight.yaml")])
    truth = peer.listen(Odometry, "ground_truth")
    peer.spin_until(lambda: truth and math.hypot(truth[-1].twist.twist.linear.x, truth[-1].twist.twist.linear.y) > 0.2)
    assert values(peer, ["tracker.Kp"])[0].double_value == 5.0
    assert set_one(peer, number("tracker.Kp", -1.0)).reason == "tracker.Kp: found -1; accepted: a number from 0 to 1000000"
    assert set_one(peer, number("tracker.Kp", 2.0)).successful
    off = Parameter(name="tracker.active", value=ParameterValue(type=ParameterType.PARAMETER_BOOL, bool_value=False))
    assert set_one(peer, off).successful
    peer.spin_until(lambda: abs(truth[-1].twist.twist.linear.x) < 0.02, awaited="the car to stand")


def test_files_find_the_node_by_wildcard_and_qualities_change_on_both_ends(simulate, peer, tmp_path):
    params = tmp_path / "params.yaml"
    params.write_text(
        "/**:\n  ros__parameters:\n    odom_rate: 20.0\n    qos_overrides:\n"
        "      /fleet/car/odom:\n        publisher: {reliability: best_effort}\n"
        "      /fleet/car/cmd_vel:\n        subscription: {reliability: best_effort}\n"
        "/fleet/*/sim:\n  ros__parameters: {marker_rate: 5.0}\n"
        "/other/**:\n  ros__parameters: {clock_rate: 50.0}\n"
        "fleet: {car: {sim: {ros__parameters: {log_rate: 25.0}}}}\n"
    )
    # A quality by the name that the topic has after it was renamed, too.
    quality = ["-r", "scan:=front/scan", "-p", "qos_overrides./fleet/car/front/scan.publisher.reliability:=best_effort"]
    simulate(RACECAR, ["-r", "__ns:=/fleet/car", "-r", "__node:=sim", "--params-file", str(params), "-p", "odom_rate:=40.0", *quality])
    node = "/fleet/car/sim"
    rates = values(peer, ["odom_rate", "marker_rate", "clock_rate", "log_rate"], node)
    assert [value.double_value for value in rates] == [40.0, 5.0, 100.0, 25.0]
    name = "qos_overrides./fleet/car/odom.publisher.reliability"
    assert values(peer, [name], node)[0].string_value == "best_effort"
    ends = lambda: (  # noqa: E731
        peer.node.get_publishers_info_by_topic("/fleet/car/odom"),
        peer.node.get_subscriptions_info_by_topic("/fleet/car/cmd_vel"),
        peer.node.get_publishers_info_by_topic("/fleet/car/front/scan"),
    )
    for infos in peer.spin_until(lambda: ends() if all(ends()) else None, awaited="all topics"):
        assert [end.qos_profile.reliability for end in infos] == [ReliabilityPolicy.BEST_EFFORT]
    heard = peer.listen(LaserScan, "/fleet/car/front/scan", QoSProfile(depth=5, reliability=ReliabilityPolicy.BEST_EFFORT))
    peer.spin_until(lambda: heard, awaited="a best-effort scan")
