"""The rules of `/clock`, one test each, as a node that uses simulated time sees them."""

import signal
import struct
import time

import pytest
import rclpy.parameter
from nav_msgs.msg import Odometry
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import LaserScan
from simulation_interfaces.srv import GetEntityState
from std_msgs.msg import String
from std_srvs.srv import SetBool, Trigger
from tf2_msgs.msg import TFMessage

from conftest import LATCHED, OPEN, TWO_ROBOTS, QoSProfile, nanoseconds, once_in_three, seconds, stamp
from nav2_peer import messages

pytestmark = pytest.mark.core

DEEP = QoSProfile(depth=10_000)
# Nothing but odometry has a stamp here.
ROBOT = """<mvsim_world>
  <vehicle name="r1"><init_pose>0 0 0</init_pose><dynamics class="differential"><controller class="twist_ideal"/></dynamics></vehicle>
</mvsim_world>"""
GRID = 10_000_000  # of 100 Hz [ns]


def clocks(messages):
    return [nanoseconds(message.clock) for message in messages]


def steps(times):
    return [later - earlier for earlier, later in zip(times, times[1:])]


def has_its_grid(times):
    """A machine that is busy loses some messages; a clock that is thinned out in wall time has none of its grid."""
    return sum(step > GRID for step in steps(times)) < 0.05 * len(times)


def set_parameter(peer, name, value):
    kind = {float: ("double_value", ParameterType.PARAMETER_DOUBLE), bool: ("bool_value", ParameterType.PARAMETER_BOOL)}
    field, number = kind[type(value)]
    parameter = Parameter(name=name, value=ParameterValue(type=number, **{field: value}))
    return peer.call(SetParameters, "skidpad/set_parameters", SetParameters.Request(parameters=[parameter])).results[0]


def test_at_least_100_hz_of_simulated_time_by_one_publisher_under_an_absolute_name_which_nodes_follow(simulate, peer):
    simulator = simulate(OPEN, ros_args=("-r", "__ns:=/deep/below", "-p", "use_sim_time:=true"))
    heard = peer.listen(Clock, "/clock", DEEP)
    peer.spin_until(lambda: len(heard) > 150, awaited="the clock")
    assert len(peer.node.get_publishers_info_by_topic("/clock")) == 1
    assert 0 < min(steps(clocks(heard))) and has_its_grid(clocks(heard))
    assert min(clocks(heard)) > 0, "a stamp of 0 means the newest to tf2"
    assert 'parameter "use_sim_time": ignored' in simulator.log
    # A node on simulated time has that of the newest data.
    peer.node.set_parameters([rclpy.parameter.Parameter("use_sim_time", value=True)])
    odom = peer.listen(Odometry, "/deep/below/odom")
    peer.spin_until(lambda: len(odom) > 25, awaited="odometry")
    peer.spin_until(lambda: peer.node.get_clock().now().nanoseconds > 0, awaited="the node's clock")
    assert abs(peer.node.get_clock().now().nanoseconds * 1e-9 - stamp(odom[-1])) < 0.5


def test_the_clock_comes_before_the_data_of_its_instant_and_no_stamp_is_zero(reuse, peer):
    order = []
    # Odometry off the clock's grid: each of its stamps needs a clock of its own.
    reuse(OPEN, odom_rate=190.0, clock_rate=10.0, rate=0.5)
    peer.node.create_subscription(Clock, "/clock", lambda m: order.append((nanoseconds(m.clock), None)), DEEP)
    peer.node.create_subscription(Odometry, "odom", lambda m: order.append((None, nanoseconds(m.header.stamp))), DEEP)

    def since_the_first_clock():
        """All clocks, and the stamps of odometry since then: on a busy machine the peer may hear odometry before it hears the clock."""
        known = {clock for clock, _ in order if clock is not None}
        return known, [odom for _, odom in order if odom is not None and known and odom >= min(known)]

    peer.spin_until(lambda: len(since_the_first_clock()[1]) > 110, awaited="clock and odometry")
    known, stamps = since_the_first_clock()
    assert all(known) and all(odom != 0 for _, odom in order)
    # Subscriptions of one process may overtake each other on their way, but the clock of each stamp is there.
    assert set(stamps[:-5]) <= known
    assert len(stamps) > 100


def transforms_missing_at_their_clock(peer, topic, count):
    """Of `count` clocks, at how many there was no transform of that time or later on `topic` when they were taken; and all stamps there."""
    # No executor, which takes what waits in an order of its own.
    clock = peer.node.create_subscription(Clock, "/clock", lambda _: None, DEEP)
    tf = peer.node.create_subscription(TFMessage, topic, lambda _: None, DEEP)
    stamps, heard, missing, deadline = [0], 0, 0, time.monotonic() + 60.0
    while heard < count:
        assert time.monotonic() < deadline, f"{heard} clocks"
        clocks_now = [nanoseconds(message.clock) for message in messages(clock)]
        stamps += [nanoseconds(t.header.stamp) for message in messages(tf) for t in message.transforms]
        if not clocks_now or len(stamps) < 20:
            time.sleep(0.0005)
            continue
        heard += 1
        missing += stamps[-1] < clocks_now[-1]
    return missing, stamps[1:]


def test_the_transforms_of_an_instant_are_there_with_its_clock(reuse, peer):
    # Odometry on half of the clock's grid, scans in between.
    reuse(odom_rate=50.0, clock_rate=100.0)
    missing, stamps = transforms_missing_at_their_clock(peer, "/tf", 300)
    # Topics have no order among each other on their way; without transforms for every clock half of them are missing.
    assert missing < 30, f"{missing} of 300"
    assert all(later > earlier for earlier, later in zip(stamps, stamps[1:])), "twice the same is an error to tf2"


def test_the_single_track_simulator_has_its_transform_with_its_clock(run_node, peer):
    run_node("single_track_simulator", ["-p", "publish_clock:=true", "-p", "odom_rate:=50.0"])
    missing, _ = transforms_missing_at_their_clock(peer, "/tf", 200)
    assert missing < 20, f"{missing} of 200"


def test_the_transforms_of_each_of_several_vehicles_are_there_with_the_clock(reuse, peer):
    reuse(TWO_ROBOTS)
    missing, _ = transforms_missing_at_their_clock(peer, "/r2/tf", 200)
    assert missing < 20, f"{missing} of 200"


def test_a_paused_clock_repeats_its_time_and_goes_on_from_there(reuse, peer, another_peer):
    reuse(OPEN)
    heard = peer.listen(Clock, "/clock", DEEP)
    peer.spin_until(lambda: len(heard) > 20, awaited="the clock")
    assert peer.call(SetBool, "skidpad/pause", SetBool.Request(data=True)).success
    peer.spin_until(lambda: len(set(clocks(heard[-3:]))) == 1, awaited="what was sent before")
    seen = len(heard)
    peer.spin_for(1.0)
    still = clocks(heard[seen:])
    assert 5 <= len(still) <= 50 and len(set(still)) == 1
    assert set_parameter(peer, "rate", 5.0).successful, "the rate changes in a pause too"
    late = another_peer()
    joined = late.listen(Clock, "/clock", DEEP)
    late.spin_until(lambda: joined, awaited="the time of a paused simulation")
    assert clocks(joined)[0] == still[0]
    assert peer.call(Trigger, "skidpad/step", Trigger.Request()).success
    peer.spin_until(lambda: clocks(heard)[-1] > still[0], awaited="the step")
    assert clocks(heard)[-1] - still[0] < GRID
    assert peer.call(SetBool, "skidpad/pause", SetBool.Request(data=False)).success
    began, at = time.monotonic(), clocks(heard)[-1]

    def is_fast():
        # On a loaded machine a part of this time may be slow.
        nonlocal began, at
        passed, simulated = time.monotonic() - began, (clocks(heard)[-1] - at) * 1e-9
        if passed > 2.0:
            began, at = time.monotonic(), clocks(heard)[-1]
        return passed > 2.0 and simulated > 1.5 * passed

    peer.spin_until(is_fast, awaited="two seconds at the new rate, which holds after the pause")
    assert min(steps(clocks(heard))) >= 0 and has_its_grid(clocks(heard)[-500:])


def test_a_reset_does_not_set_the_clock_back(reuse, peer):
    reuse(OPEN)
    heard = peer.listen(Clock, "/clock", DEEP)
    peer.spin_until(lambda: len(heard) > 50, awaited="the clock")
    assert peer.call(Trigger, "skidpad/reset", Trigger.Request()).success
    before = clocks(heard)[-1]
    peer.spin_until(lambda: clocks(heard)[-1] > before + 200_000_000, awaited="the clock after the reset")
    assert min(steps(clocks(heard))) >= 0


def test_a_simulation_that_starts_paused_is_there_and_waits(simulate, peer):
    simulator = simulate(OPEN, ros_args=("-p", "paused:=true"))
    heard, odom = peer.listen(Clock, "/clock", DEEP), peer.listen(Odometry, "odom")
    moving, fixed, robot = peer.listen(TFMessage, "tf"), peer.listen(TFMessage, "tf_static", LATCHED), peer.listen(String, "robot_description", LATCHED)
    peer.spin_until(lambda: len(heard) > 5 and fixed and robot, awaited="the time, and what is latched")
    assert set(clocks(heard)) == {1} and not odom, "no stamp is 0, and nothing has happened"
    assert {nanoseconds(t.header.stamp) for m in moving for t in m.transforms} <= {1}
    assert "paused: waiting to be resumed" in simulator.log
    refused = set_parameter(peer, "paused", False)
    assert not refused.successful and refused.reason == "paused: can only be set at the start of the node"
    assert peer.call(SetBool, "skidpad/pause", SetBool.Request(data=False)).success
    peer.spin_until(lambda: len(odom) > 5, awaited="odometry")
    assert stamp(odom[0]) < 5.0 and clocks(heard)[-1] > GRID


def test_stamps_by_the_wall_clock_are_those_of_nodes_without_simulated_time(simulate, peer, tmp_path):
    recording = tmp_path / "run.mcap"
    began = time.time_ns()
    simulator = simulate(args=("--record", recording), ros_args=("-p", "stamps:=wall", "-p", "publish_map_to_odom:=true"))
    odom, scans = peer.listen(Odometry, "odom", DEEP), peer.listen(LaserScan, "scan", DEEP)
    moving, fixed = peer.listen(TFMessage, "tf", DEEP), peer.listen(TFMessage, "tf_static", LATCHED)
    peer.spin_until(lambda: len(odom) > 25 and len(scans) > 5 and fixed and len(moving) > 25, awaited="messages")
    state = peer.call(GetEntityState, "skidpad/get_entity_state", GetEntityState.Request(entity="racecar"))
    now = peer.node.get_clock().now().nanoseconds
    transforms = [t for message in (*moving, *fixed) for t in message.transforms]
    stamps = [nanoseconds(message.header.stamp) for message in (*odom, *scans, *transforms, state.state)]
    assert all(began < stamp < now + 100_000_000 for stamp in stamps), (began, now, min(stamps), max(stamps))
    assert all(later > earlier for earlier, later in zip(map(stamp, odom), map(stamp, odom[1:])))
    # The data of an instant have its transforms, to the nanosecond.
    data = [nanoseconds(scan.header.stamp) for scan in scans[1:-1]]
    # On a busy machine one topic is heard later than the other.
    peer.spin_until(lambda: nanoseconds(moving[-1].transforms[0].header.stamp) >= data[-1], awaited="the transforms of these scans")
    known = {nanoseconds(t.header.stamp) for message in moving for t in message.transforms}
    assert {instant for instant in data if instant > min(known)} <= known
    # A node that waits for simulated time is told, and so is a rate with which stamps mislead.
    waiting = peer.listen(Clock, "/clock")
    peer.spin_until(lambda: 'topic "/clock": a node subscribes to it, but stamps:=wall publishes none' in simulator.log, awaited="the warning")
    assert set_parameter(peer, "rate", 2.0).successful
    peer.spin_until(lambda: 'parameter "stamps": found wall, at rate 2:' in simulator.log, awaited="the other warning")
    # In a pause the robot stays where it is, at the present.
    assert peer.call(SetBool, "skidpad/pause", SetBool.Request(data=True)).success
    paused = time.time_ns()
    peer.spin_until(lambda: nanoseconds(moving[-1].transforms[0].header.stamp) > paused + 300_000_000, awaited="transforms of the pause")
    assert not waiting
    simulator.send(signal.SIGINT)
    assert simulator.wait() == 0
    assert recorded(recording)[1] < 1000e9, "a recording holds simulated time"


def test_no_clock_where_something_else_is_the_clock(reuse, peer):
    reuse(OPEN, publish_clock=False)
    heard = peer.listen(Clock, "/clock", DEEP)
    odom = peer.listen(Odometry, "odom")
    peer.spin_until(lambda: len(odom) > 25, awaited="odometry")
    assert not heard
    assert set_parameter(peer, "publish_clock", True).successful
    peer.spin_until(lambda: heard, awaited="the clock once it is switched on")


def test_faster_than_real_time_no_node_sees_a_longer_jump(reuse, peer):
    reuse(OPEN, rate=4.0)
    heard = peer.listen(Clock, "/clock", DEEP)
    peer.spin_until(lambda: heard, awaited="the clock")
    seen, began = len(heard), time.monotonic()
    peer.spin_until(lambda: len(heard) > seen + 1000, awaited="a thousand messages")
    times = clocks(heard[seen:])
    assert min(steps(times)) > 0 and has_its_grid(times)
    factor = (times[-1] - times[0]) * 1e-9 / (time.monotonic() - began)
    assert factor > 1.5, factor


def test_at_full_speed_the_clock_is_bounded_and_stamps_keep_theirs(reuse, peer, tmp_path):
    world = tmp_path / "robot.world.xml"
    world.write_text(ROBOT)
    reuse(world, rate=0.0, odom_rate=0.5, clock_rate=1000.0)
    heard = peer.listen(Clock, "/clock", DEEP)
    odom = peer.listen(Odometry, "odom", DEEP)
    peer.spin_until(lambda: len(odom) > 20, awaited="odometry")
    first, began = len(heard), time.monotonic()
    peer.spin_for(2.0)
    wall = time.monotonic() - began
    times = clocks(heard[first:])
    passed = (times[-1] - times[0]) * 1e-9
    # 250 per wall second and one for each odometry; a grid of 1000 Hz would be `1000 * passed` messages.
    assert len(times) <= 300 * wall + passed + 20, (len(times), passed, wall)
    assert passed > 2.0 * wall
    assert min(steps(clocks(heard))) >= 0
    stamps = {nanoseconds(m.header.stamp) for m in odom[5:-5]}
    missing = stamps - set(clocks(heard))
    assert len(missing) < 0.5 * len(stamps), f"{len(missing)} of {len(stamps)} stamps without their clock"
    assert set_parameter(peer, "rate", 1.0).successful

    def is_heard():
        """Whether what was sent at full speed has arrived."""
        before = seconds(heard[-1].clock)
        peer.spin_for(0.2)
        return seconds(heard[-1].clock) - before < 0.4

    peer.spin_until(is_heard, awaited="the clock of now")

    def is_real_time():
        seen, began = seconds(heard[-1].clock), time.monotonic()
        peer.spin_for(1.0)
        return abs((seconds(heard[-1].clock) - seen) / (time.monotonic() - began) - 1.0) < 0.3

    assert once_in_three(is_real_time)


def test_a_second_clock_is_named_once(reuse, peer):
    simulator = reuse(OPEN)
    heard = peer.listen(Clock, "/clock")
    peer.spin_until(lambda: heard, awaited="the clock")
    peer.publisher(Clock, "/clock")
    peer.spin_until(lambda: 'topic "/clock": 2 nodes' in simulator.log, awaited="the warning")
    peer.spin_for(0.5)
    assert simulator.log.count('topic "/clock"') == 1


def recorded(recording):
    """Number of messages and end of the last [ns] of a whole recording, from its statistics."""
    content = recording.read_bytes()
    (start,) = struct.unpack("<Q", content[-28:-20])
    while content[start] != 11:
        start += 9 + struct.unpack("<Q", content[start + 1 : start + 9])[0]
    (count,) = struct.unpack("<Q", content[start + 9 : start + 17])
    return count, struct.unpack("<Q", content[start + 43 : start + 51])[0]


def test_a_recording_loses_nothing_when_the_rate_becomes_as_fast_as_possible(simulate, peer, tmp_path):
    recording = tmp_path / "run.mcap"
    simulator = simulate(OPEN, args=("--record", recording, "--record-topics", "/odom"))
    heard = peer.listen(Clock, "/clock", DEEP)
    peer.spin_until(lambda: heard, awaited="the clock")
    assert set_parameter(peer, "rate", 0.0).successful
    peer.spin_until(lambda: clocks(heard[-1:])[0] > 300e9, awaited="simulated time")
    simulator.send(signal.SIGINT)
    assert simulator.wait() == 0 and "left out" not in simulator.log, simulator.log
    count, end = recorded(recording)
    assert count * 20_000_000 == end > 300e9
