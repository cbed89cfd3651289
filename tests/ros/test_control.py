"""Services, parameters and the clock."""

import math

import pytest
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import DescribeParameters, GetParameters, ListParameters, SetParameters, SetParametersAtomically
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import LaserScan
from std_srvs.srv import SetBool, Trigger

from conftest import nanoseconds, once_in_three, seconds, stamp

pytestmark = pytest.mark.core


def number(name, value):
    return Parameter(name=name, value=ParameterValue(type=ParameterType.PARAMETER_DOUBLE, double_value=value))


def word(name, value):
    return Parameter(name=name, value=ParameterValue(type=ParameterType.PARAMETER_STRING, string_value=value))


def test_pause_step_and_go_on(reuse, peer):
    reuse()
    clock = peer.listen(Clock, "/clock")
    scans = peer.listen(LaserScan, "scan")
    peer.spin_until(lambda: clock and scans, awaited="the simulator")
    refused = peer.call(Trigger, "skidpad/step", Trigger.Request())
    assert not refused.success and refused.message

    assert peer.call(SetBool, "skidpad/pause", SetBool.Request(data=True)).success
    peer.spin_until(lambda: len({nanoseconds(m.clock) for m in clock[-3:]}) == 1, awaited="what was sent before")
    seen = len(clock)
    peer.spin_until(lambda: len(clock) >= seen + 5, awaited="a paused clock, which is still published")
    paused = [nanoseconds(m.clock) for m in clock[seen:]]
    assert len(set(paused)) == 1

    for _ in range(10):
        assert peer.call(Trigger, "skidpad/step", Trigger.Request()).success
    is_repeated = lambda: len({nanoseconds(m.clock) for m in clock[-3:]}) == 1  # noqa: E731
    peer.spin_until(lambda: nanoseconds(clock[-1].clock) > paused[0] and is_repeated(), awaited="the steps")
    stepped = nanoseconds(clock[-1].clock) - paused[0]
    peer.spin_for(0.5)
    assert nanoseconds(clock[-1].clock) - paused[0] == stepped > 0
    assert stepped % 10 == 0 and stepped <= 10 * 50_000_000

    assert peer.call(SetBool, "skidpad/pause", SetBool.Request(data=False)).success
    peer.spin_until(lambda: nanoseconds(clock[-1].clock) > paused[0] + 1_000_000_000, awaited="another second")
    times = [nanoseconds(m.clock) for m in clock]
    assert all(later >= earlier for earlier, later in zip(times, times[1:])), "the clock jumped back"


def test_a_late_subscriber_gets_the_time_during_a_pause(reuse, peer, another_peer):
    reuse()
    clock = peer.listen(Clock, "/clock")
    peer.spin_until(lambda: clock and seconds(clock[-1].clock) > 0.5, awaited="the clock")
    assert peer.call(SetBool, "skidpad/pause", SetBool.Request(data=True)).success
    late = another_peer()
    heard = late.listen(Clock, "/clock")
    late.spin_until(lambda: len(heard) >= 3, awaited="the clock of a paused simulation")
    times = {seconds(message.clock) for message in heard}
    assert len(times) == 1 and times.pop() > 0.5


def test_reset_puts_the_vehicle_back_and_not_the_time(reuse, peer):
    reuse()
    truth = peer.listen(Odometry, "ground_truth")
    clock = peer.listen(Clock, "/clock")
    publisher = peer.publisher(Twist, "cmd_vel")
    peer.spin_until(lambda: truth and peer.reaches(publisher), awaited="the simulator")
    start = truth[0].pose.pose.position
    command = Twist()
    command.linear.x = 0.5
    peer.drive(publisher, command, truth, 2.0)
    position = truth[-1].pose.pose.position
    assert math.hypot(position.x - start.x, position.y - start.y) > 0.3
    assert peer.call(Trigger, "skidpad/reset", Trigger.Request()).success
    last = stamp(truth[-1])
    peer.spin_until(lambda: stamp(truth[-1]) > last + 0.5, awaited="half a second after the reset")
    back = truth[-1].pose.pose.position
    assert math.hypot(back.x - start.x, back.y - start.y) < 0.01
    assert abs(truth[-1].twist.twist.linear.x) < 0.01
    times = [nanoseconds(m.clock) for m in clock]
    assert all(later >= earlier for earlier, later in zip(times, times[1:])), "the clock jumped back"


def test_logs_are_switched_by_services(reuse, peer):
    reuse()
    assert peer.call(SetBool, "skidpad/log", SetBool.Request(data=False)).success
    assert peer.call(Trigger, "skidpad/log_clear", Trigger.Request()).success
    assert peer.call(Trigger, "skidpad/log_new_session", Trigger.Request()).success


def test_parameters_have_descriptions_and_ranges(reuse, peer):
    reuse()
    names = peer.call(ListParameters, "skidpad/list_parameters", ListParameters.Request()).result.names
    assert {"rate", "range_noise", "cmd_timeout", "odom_rate", "clock_rate", "publish_clock", "publish_tf"} <= set(names)
    described = peer.call(DescribeParameters, "skidpad/describe_parameters", DescribeParameters.Request(names=names))
    for descriptor in described.descriptors:
        assert descriptor.description, descriptor.name
        if descriptor.type == ParameterType.PARAMETER_DOUBLE:
            assert descriptor.floating_point_range, descriptor.name
    read_only = {d.name for d in described.descriptors if d.read_only}
    quirks = {"quirks.half_speed", "quirks.map_odom_ground_truth", "quirks.parallel_steer"}
    assert {"cmd_vel_type", "force_vehicle_namespace", "preset", "builtin_mux", "mux_config"} | quirks <= read_only
    assert not {"rate", "range_noise", "cmd_timeout", "odom_rate", "clock_rate", "marker_rate"} & read_only
    below = peer.call(ListParameters, "skidpad/list_parameters", ListParameters.Request(prefixes=["quirks"])).result.names
    assert set(below) == quirks
    values = peer.call(GetParameters, "skidpad/get_parameters", GetParameters.Request(names=["cmd_timeout", "nothing"]))
    assert values.values[0].double_value == 1.0
    assert values.values[1].type == ParameterType.PARAMETER_NOT_SET


def test_parameters_are_set_and_refused_with_a_reason(reuse, peer):
    reuse()
    odom = peer.listen(Odometry, "odom")
    peer.spin_until(lambda: odom, awaited="odometry")
    request = SetParameters.Request(
        parameters=[number("odom_rate", 10.0), number("clock_rate", -1.0), word("cmd_vel_type", "twist"), number("odo", 1.0)]
    )
    results = peer.call(SetParameters, "skidpad/set_parameters", request).results
    assert [r.successful for r in results] == [True, False, False, False]
    assert results[1].reason == "clock_rate: found -1; accepted: a number from 1 to 1000"
    assert results[2].reason == "cmd_vel_type: can only be set at the start of the node"
    assert results[3].reason.startswith("odo: unknown parameter")
    odom.clear()

    # Messages of the old rate may still be in the queue.
    def five_at_10_hz():
        return len(odom) > 5 and math.isclose(stamp(odom[-1]) - stamp(odom[-6]), 0.5, rel_tol=1e-6)

    peer.spin_until(five_at_10_hz, awaited="slower odometry")

    request = SetParametersAtomically.Request(parameters=[number("odom_rate", 40.0), number("rate", -1.0)])
    assert not peer.call(SetParametersAtomically, "skidpad/set_parameters_atomically", request).result.successful
    values = peer.call(GetParameters, "skidpad/get_parameters", GetParameters.Request(names=["odom_rate"]))
    assert values.values[0].double_value == 10.0


def test_the_rate_of_time_changes_while_it_runs(reuse, peer):
    reuse()
    clock = peer.listen(Clock, "/clock")
    peer.spin_until(lambda: clock, awaited="the clock")

    def speed():
        peer.spin_for(0.5)
        first = seconds(clock[-1].clock)
        begin = peer.node.get_clock().now().nanoseconds
        peer.spin_for(2.0)
        return (seconds(clock[-1].clock) - first) / ((peer.node.get_clock().now().nanoseconds - begin) * 1e-9)

    request = SetParameters.Request(parameters=[number("rate", 0.5)])
    assert peer.call(SetParameters, "skidpad/set_parameters", request).results[0].successful
    assert once_in_three(lambda: abs(speed() - 0.5) < 0.1)


def test_a_bad_value_in_a_file_ends_the_start_with_a_message(simulate, tmp_path):
    parameters = tmp_path / "parameters.yaml"
    parameters.write_text("/**:\n  ros__parameters:\n    odom_rate: -3.0\n")
    simulator = simulate(ros_args=("--params-file", str(parameters)))
    assert simulator.wait() != 0
    assert 'parameter "odom_rate": found -3\n  accepted: a number from 0.1 to 1000' in simulator.log

    simulator = simulate(ros_args=("-p", "cmd_vel_type:=twits"))
    assert simulator.wait() != 0
    assert 'parameter "cmd_vel_type": found "twits"\n  accepted: auto, twist, twist_stamped' in simulator.log


def test_bad_ros_arguments_end_the_start_with_a_message(simulate):
    simulator = simulate(ros_args=("-r", "__ns:=no good"))
    assert simulator.wait() != 0
    assert "panicked" not in simulator.log
    assert "hint: check" in simulator.log


def test_a_bad_domain_ends_the_start_with_a_message(simulate):
    simulator = simulate(environment={"ROS_DOMAIN_ID": "500"})
    assert simulator.wait() == 1
    assert 'ROS_DOMAIN_ID: found "500"\n  accepted: a whole number from 0 to 232' in simulator.log
