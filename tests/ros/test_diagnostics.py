"""`/diagnostics` and `~/statistics`: each fault is provoked, and told in words that a user understands."""

import time

from ackermann_msgs.msg import AckermannDriveStamped
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import LaserScan
from skidpad.msg import Statistics
from std_srvs.srv import SetBool

from conftest import OPEN, RACECAR, TWO_ROBOTS, nanoseconds, once_in_three

OK, WARN, ERROR = DiagnosticStatus.OK, DiagnosticStatus.WARN, DiagnosticStatus.ERROR


def statuses(message):
    return {status.name: status for status in message.status}


def values(status):
    return {value.key: value.value for value in status.values}


def until(peer, heard, name, condition, awaited):
    """The first status of this name, of those to come, that fulfils the condition."""
    seen = len(heard)

    def fitting_status():
        fitting = [statuses(m).get(name) for m in heard[seen:]]
        return next((status for status in fitting if status is not None and condition(status)), None)

    return peer.spin_until(fitting_status, awaited=awaited)


def comes_within(peer, heard, count, least, most):
    """Whether so many more messages take between `least` and `most` [wall s], at least once in three tries."""

    def in_time():
        began, seen = time.monotonic(), len(heard)
        peer.spin_until(lambda: len(heard) >= seen + count, awaited=f"{count} more")
        return least < time.monotonic() - began < most

    return once_in_three(in_time)


def test_a_healthy_run_says_so_once_per_second_and_in_a_pause_too(reuse, peer):
    # Slow, so that a busy machine loses no message of the clock.
    reuse(RACECAR, rate=0.25)
    heard = peer.listen(DiagnosticArray, "/diagnostics")
    clock = peer.listen(Clock, "/clock")
    scans = peer.listen(LaserScan, "scan")
    peer.spin_until(lambda: heard and scans and clock, awaited="diagnostics, scans and the clock")
    assert comes_within(peer, heard, 3, 2.0, 4.5)
    assert all(nanoseconds(m.header.stamp) > 0 for m in heard)
    times = [nanoseconds(m.clock) for m in clock]
    assert {stamp for m in heard[:-1] if (stamp := nanoseconds(m.header.stamp)) >= times[0]} <= set(times)
    reported = statuses(heard[-1])
    assert list(reported) == [
        "skidpad: real-time factor",
        "skidpad: outputs",
        "skidpad: lidars",
        "skidpad: commands of racecar",
    ]
    assert all(status.hardware_id and status.message for status in reported.values())
    assert reported["skidpad: commands of racecar"].message == "no command yet"
    assert reported["skidpad: commands of racecar"].level == OK
    assert float(values(reported["skidpad: lidars"])["rays_per_simulated_second"]) > 10_000
    assert values(reported["skidpad: outputs"])["ROS dropped"] == "0"
    assert peer.call(SetBool, "skidpad/pause", SetBool.Request(data=True)).success
    until(peer, heard, "skidpad: real-time factor", lambda s: s.message == "paused" and s.level == OK, "a paused one")


def test_an_absurd_rate_is_an_overload(reuse, peer):
    reuse(RACECAR, rate=100000.0)
    heard = peer.listen(DiagnosticArray, "/diagnostics")
    status = until(peer, heard, "skidpad: real-time factor", lambda s: s.level == ERROR, "the overload")
    assert "below the rate 100000" in status.message
    assert float(values(status)["real_time_factor"]) < 50_000


def test_req_n6_infeasible_and_saturated_commands_are_reported_and_counted(reuse, peer):
    reuse(OPEN)
    heard = peer.listen(DiagnosticArray, "/diagnostics")
    statistics = peer.listen(Statistics, "skidpad/statistics")
    twists = peer.publisher(Twist, "cmd_vel")
    angles = peer.publisher(AckermannDriveStamped, "ackermann_cmd")
    peer.spin_until(lambda: heard and peer.reaches(twists) and peer.reaches(angles), awaited="it")
    tight = Twist()
    tight.linear.x, tight.angular.z = 0.5, 20.0
    twists.publish(tight)
    name = "skidpad: commands of racecar"
    status = until(peer, heard, name, lambda s: s.level == WARN, "the infeasible turn")
    assert "1 of 1 commands infeasible: turns up to " in status.message
    assert float(values(status)["worst_infeasible"]) > 3.0
    wide = AckermannDriveStamped()
    wide.drive.steering_angle = 1.5
    angles.publish(wide)
    status = until(peer, heard, name, lambda s: "beyond its limits" in s.message, "the steering angle")
    assert values(status)["saturated"] == "1" and float(values(status)["worst_saturated"]) > 1.2
    spot = Twist()
    spot.angular.z = 1.0
    twists.publish(spot)
    until(peer, heard, name, lambda s: "turning on the spot" in s.message, "turning on the spot")
    peer.spin_until(lambda: statistics and statistics[-1].commands == 3, awaited="the counts")
    assert (statistics[-1].infeasible_commands, statistics[-1].saturated_commands) == (2, 1)


def test_a_command_source_that_falls_silent_under_way_is_reported(reuse, peer):
    reuse(OPEN, cmd_timeout=0.3)
    heard = peer.listen(DiagnosticArray, "/diagnostics")
    twists = peer.publisher(Twist, "cmd_vel")
    peer.spin_until(lambda: heard and peer.reaches(twists), awaited="the simulator")
    command = Twist()
    command.linear.x = 0.5
    twists.publish(command)
    name = "skidpad: commands of racecar"
    status = until(peer, heard, name, lambda s: s.level == WARN, "the silence")
    assert status.message.startswith("stopped while driving, the last command is ")
    assert values(status)["timeouts"] == "1" and float(values(status)["age"]) > 0.3
    # A stop command before the commands end is not a fault.
    twists.publish(Twist())
    status = until(peer, heard, name, lambda s: s.message.startswith("at rest, as commanded"), "a silence after a stop")
    assert status.level == OK


def test_an_output_that_leaves_something_out_is_named(simulate, peer):
    # A car without a lidar steps faster than all that it logs can be published; what nobody hears is not missed.
    logs = ("-p", "publish_log_topics:=true", "-p", "log_rate:=1000.0")
    simulate(OPEN, ros_args=("-p", "rate:=0.0", "-p", "odom_rate:=1000.0", "-p", "clock_rate:=1000.0", *logs))
    peer.listen(Odometry, "odom")
    heard = peer.listen(DiagnosticArray, "/diagnostics")
    status = until(peer, heard, "skidpad: outputs", lambda s: s.level == WARN, "what is left out")
    assert "too slow: ROS left out " in status.message
    assert int(values(status)["ROS dropped"]) > 0


def test_statistics_have_numbers_for_plots_at_their_rate(reuse, peer):
    reuse(TWO_ROBOTS, statistics_rate=10.0)
    heard = peer.listen(Statistics, "skidpad/statistics")
    peer.spin_until(lambda: len(heard) > 2, awaited="statistics")
    assert comes_within(peer, heard, 10, 0.7, 2.5)
    message = heard[-1]
    assert message.rate == 1.0 and not message.paused and 0.05 < message.window < 1.0
    assert 0.0 < message.step_time_mean <= message.step_time_max
    assert message.step_time_mean <= message.step_time_p99 * 1.01 + 1e-6 and message.step_time_p99 <= message.step_time_max
    assert message.steps > 0 and message.real_time_factor > 0.3
    assert "ROS" in message.outputs and len(message.waiting) == len(message.dropped_by_output) == len(message.outputs)
    slower = Parameter(
        name="statistics_rate", value=ParameterValue(type=ParameterType.PARAMETER_DOUBLE, double_value=1.0)
    )
    request = SetParameters.Request(parameters=[slower])
    assert peer.call(SetParameters, "skidpad/set_parameters", request).results[0].successful
    peer.spin_for(0.3)
    seen = len(heard)
    peer.spin_until(lambda: len(heard) >= seen + 2, awaited="slower ones")
    assert heard[-1].window > 0.7
