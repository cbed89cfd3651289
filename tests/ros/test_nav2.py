"""nav2 with the simulator: the messages that its nodes receive in each distribution, by a stand-in for them (nav2_peer.py).

`SKIDPAD_NAV2_SECONDS` is how long the long runs are [simulated s].
"""

import math
import os
import re

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Point
from skidpad.msg import Statistics
from std_srvs.srv import Trigger

from conftest import WORLDS, nanoseconds
from nav2_peer import COLUMNS, SECOND, Nav2

NAV2_WORLD = WORLDS / "nav2.world.xml"
START = (-2.0, -0.5)
LONG = float(os.environ.get("SKIDPAD_NAV2_SECONDS", "60"))
CELL = 0.05


def circle(_time):
    """A circle of 0.4 m in the hall."""
    return 0.25, 0.6


def walls():
    """Cells of the map that nav2's map server reads, grown by two cells, and its lower left corner."""
    data = (WORLDS / "maps" / "house.pgm").read_bytes()
    header = re.match(rb"P5\n(\d+) (\d+)\n255\n", data)
    width, height = int(header[1]), int(header[2])
    occupied = np.flipud(np.frombuffer(data[header.end():], dtype=np.uint8).reshape(height, width) == 0)
    grown = np.zeros_like(occupied)
    for dy in range(-2, 3):
        for dx in range(-2, 3):
            grown |= np.roll(np.roll(occupied, dy, 0), dx, 1)
    return grown, (-7.0, -5.0)


def begin(reuse, peer, column, rate, namespace="", world=NAV2_WORLD):
    reuse(world, rate=rate)
    nav2 = Nav2(peer, COLUMNS[column], namespace)
    nav2.wait(lambda: nav2.scans and nav2.odometry and "base_link" in nav2.buffer.parent, "scan, odometry and transforms")
    nav2.wait(lambda: peer.reaches(nav2.commands), "a subscription to cmd_vel")
    nav2.restart()
    return nav2


def check(nav2, seconds):
    """What every node of nav2 needs of a run of `seconds` [simulated s]."""
    assert nav2.clock_faults == [] and nav2.buffer.faults == [] and nav2.scan_faults == []
    for name, filter in nav2.filters.items():
        assert filter.dropped == [], name
        assert filter.delivered + len(filter.waiting) == len(nav2.scans), name
        assert len(filter.waiting) <= 1, f"{name}: {len(filter.waiting)} scans wait for a transform"
    assert set(np.diff(nav2.scans)) == {SECOND // 5}, "no scan is lost on the way, at 5 Hz"
    assert len(nav2.scans) >= 5 * seconds - 2
    assert nav2.oldest_source < 1.0, "the collision monitor would stop the robot"
    # AMCL goes by odom, base_footprint and map, which is its own; costmaps and the behaviour tree by base_link.
    frame = nav2.first_scan.header.frame_id
    assert nav2.buffer.parent["base_footprint"] == "odom" and nav2.buffer.parent["base_link"] == "base_footprint"
    assert "odom" not in nav2.buffer.parent, "map to odom is AMCL's or SLAM's"
    assert nav2.buffer.lookup("base_link", frame, nav2.scans[-1])[0] == pytest.approx(-0.064)
    assert (nav2.first_scan.angle_min, nav2.first_scan.angle_max) == (0.0, pytest.approx(6.28, abs=1e-5))
    assert nav2.first_scan.scan_time == pytest.approx(0.2) and len(nav2.first_scan.ranges) == 360


def check_costmap(nav2, start=START):
    """What a costmap marks in the first seconds, before odometry has drifted, are the walls of the map."""
    grown, (left, bottom) = walls()
    begin = nav2.ends[0][0]
    ends = np.vstack([points for stamp, points in nav2.ends if stamp < begin + 5 * SECOND]) + np.array(start)
    column, row = ((ends - (left, bottom)) / CELL).astype(int).T
    hits = grown[row, column].mean()
    assert len(ends) > 1000 and hits > 0.95, f"{hits:.3f} of {len(ends)} beams end at a wall"


def check_odometry(nav2):
    """The velocity is that of the pose, in the child frame; the stamps are in order."""
    messages = [m for m in nav2.odometry if m.twist.twist.linear.x > 0.24]
    assert {(m.header.frame_id, m.child_frame_id) for m in messages} == {("odom", "base_footprint")}
    stamps = np.array([nanoseconds(m.header.stamp) for m in nav2.odometry])
    assert (np.diff(stamps) > 0).all()
    for before, after in list(zip(messages, messages[1:]))[::10]:
        dt = (nanoseconds(after.header.stamp) - nanoseconds(before.header.stamp)) / SECOND
        if dt > 0.1:
            continue
        p, q = before.pose.pose, after.pose.pose
        yaw = 2 * math.atan2(p.orientation.z, p.orientation.w)
        dx, dy = (q.position.x - p.position.x) / dt, (q.position.y - p.position.y) / dt
        ahead, aside = math.cos(yaw) * dx + math.sin(yaw) * dy, math.cos(yaw) * dy - math.sin(yaw) * dx
        # The pose has a random walk that the velocity has not: 3 mm/√m over 5 mm are 0.2 mm.
        assert ahead == pytest.approx(before.twist.twist.linear.x, abs=0.06)
        assert aside == pytest.approx(0.0, abs=0.06)
    assert all(m.twist.covariance[0] > 0 and m.pose.covariance[35] > 0 for m in messages)


@pytest.mark.parametrize("column", COLUMNS)
def test_nav2_of_each_distribution_finds_its_interface(reuse, peer, column):
    nav2 = begin(reuse, peer, column, 2.0)
    nav2.drive(6.0, circle)
    check(nav2, 6.0)
    check_costmap(nav2)
    check_odometry(nav2)
    # It drives by the type that this nav2 sends.
    nav2.reach_speed(0.25, circle)


@pytest.mark.parametrize(("rate", "seconds"), [(1.0, min(LONG, 4.0) if LONG <= 60 else LONG), pytest.param(5.0, LONG, marks=pytest.mark.alone)])
def test_no_scan_is_dropped_in_a_minute(reuse, peer, rate, seconds):
    nav2 = begin(reuse, peer, "lyrical", rate)
    nav2.drive(seconds, circle)
    check(nav2, seconds)


def test_req_n1_cmd_vel_follows_the_type_that_publishers_offer(reuse, peer):
    nav2 = begin(reuse, peer, "humble", 5.0)
    speed = lambda: nav2.odometry[-1].twist.twist.linear.x  # noqa: E731
    nav2.reach_speed(0.25, circle)
    nav2.node.destroy_publisher(nav2.commands)
    nav2.wait(lambda: speed() == 0.0, "the robot to stop")
    nav2.column = COLUMNS["kilted"]
    nav2.commands = nav2.node.create_publisher(nav2.column.command, "cmd_vel", 1)
    nav2.wait(lambda: peer.reaches(nav2.commands), "a subscription to the other type")
    nav2.reach_speed(0.25, circle)


def test_req_n2_a_robot_whose_nav2_falls_silent_stops_after_a_simulated_second(reuse, peer):
    nav2 = begin(reuse, peer, "lyrical", 2.0)
    nav2.reach_speed(0.25, circle)
    silent = nav2.now
    moving = lambda: nav2.odometry[-1].twist.twist.linear.x > 0.01  # noqa: E731
    nav2.wait(lambda: not moving(), "the robot to stop")
    last = [nanoseconds(m.header.stamp) for m in nav2.odometry if m.twist.twist.linear.x > 0.24][-1]
    # A second after the last command that has arrived, which was sent up to 0.1 s before; and then brakes with 1 m/s².
    assert 0.7 < (last - silent) / SECOND < 1.3


def test_req_n3_scans_keep_their_size_and_their_angles_agree_in_single_precision(reuse, peer):
    nav2 = begin(reuse, peer, "lyrical", 5.0, world=WORLDS / "two_robots.world.xml", namespace="r1")
    nav2.wait(lambda: len(nav2.scans) > 20, "20 scans")
    assert nav2.scan_faults == []


def test_req_n4_a_reset_leaves_time_and_transforms_in_order(reuse, peer):
    nav2 = begin(reuse, peer, "lyrical", 5.0)
    nav2.reach_speed(0.25, circle)
    # A command that is still under way would arrive after the reset.
    nav2.command(0.0, 0.0)
    nav2.wait(lambda: abs(nav2.odometry[-1].twist.twist.linear.x) < 1e-3, "the stop")
    assert nav2.odometry[-1].pose.pose.position != Point()
    before = nav2.now
    peer.call(Trigger, "/skidpad/reset", Trigger.Request())
    after = len(nav2.odometry)
    nav2.wait(lambda: len(nav2.odometry) > after + 20 and nav2.now > before + SECOND, "odometry after the reset")
    assert nav2.clock_faults == [] and nav2.buffer.faults == []
    assert nav2.odometry[-1].pose.pose.position == Point(), "odometry starts anew"
    assert [filter.dropped for filter in nav2.filters.values()] == [[]] * 3


def test_req_n6_commands_that_the_vehicle_cannot_follow_are_counted(reuse, peer):
    nav2 = begin(reuse, peer, "lyrical", 5.0)
    statistics = nav2.listen(Statistics, "/skidpad/statistics")
    nav2.wait(lambda: statistics, "statistics")
    # nav2's simulated Waffle drives no faster.
    nav2.drive(4.0, lambda _: (0.92, 1.2))
    assert max(m.twist.twist.linear.x for m in nav2.odometry) < 0.47
    nav2.reach_speed(0.46, lambda _: (0.92, 1.2))
    nav2.wait(lambda: statistics[-1].saturated_commands > 10, "commands beyond a limit")
    assert statistics[-1].infeasible_commands == 0


def test_req_n6_a_turn_that_a_car_cannot_make_is_reported_as_infeasible(reuse, peer):
    reuse(WORLDS / "racecar.world.xml", rate=3.0)
    nav2 = Nav2(peer, COLUMNS["kilted"])
    statistics, health = nav2.listen(Statistics, "/skidpad/statistics"), nav2.listen(DiagnosticArray, "/diagnostics")
    nav2.wait(lambda: nav2.odometry and statistics and peer.reaches(nav2.commands), "the car")
    nav2.drive(2.0, lambda _: (0.0, 1.0))
    nav2.wait(lambda: statistics[-1].infeasible_commands > 5, "infeasible commands")
    reported = lambda: [status.message for message in health for status in message.status if "infeasible" in status.message]  # noqa: E731
    nav2.wait(reported, "a diagnostic")
    assert "turning on the spot" in reported()[0]


def test_req_n5_each_of_several_robots_has_a_tree_of_its_own(reuse, peer, tmp_path):
    world = tmp_path / "two.world.xml"
    robots = {"robot1": (-2.0, -0.5), "robot2": (3.0, -0.5)}
    vehicles = "".join(f'<vehicle name="{name}" class="nav2_waffle"><init_pose>{x} {y} 0</init_pose></vehicle>' for name, (x, y) in robots.items())
    world.write_text(f'<mvsim_world version="1.0"><include file="{WORLDS}/rooms/house.xml"/>{vehicles}</mvsim_world>')
    first = begin(reuse, peer, "lyrical", 2.0, world=world, namespace="robot1")
    second = Nav2(peer, COLUMNS["lyrical"], "robot2")
    second.wait(lambda: second.scans and second.odometry and "base_link" in second.buffer.parent, "the second robot")
    first.turn()
    first.restart()
    second.restart()
    first.drive(3.0, lambda time: (second.turn(), circle(time))[1])
    second.wait(lambda: second.now >= first.now and not second.filters["amcl"].waiting, "the second robot's last scan")
    for robot, start in ((first, robots["robot1"]), (second, robots["robot2"])):
        check(robot, 3.0)
        check_costmap(robot, start)
    first.reach_speed(0.25, lambda time: (second.turn(), circle(time))[1])
    assert all(m.twist.twist.linear.x == 0.0 for m in second.odometry), "no cross-talk"
    assert peer.node.count_publishers("/tf") == 0
