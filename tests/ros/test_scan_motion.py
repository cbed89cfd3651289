"""Lidars that turn while they measure: what a peer makes of stamps, time increments and true poses is a straight wall."""

import math

import numpy as np
import pytest
from nav_msgs.msg import Odometry
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import LaserScan

from conftest import WORLDS, nanoseconds

# A robot that drives in a circle of half a metre in a room of 7.9 m by 5.9 m, between walls 0.1 m thick.
WORLD = """<mvsim_world>
  <simul_timestep>0.005</simul_timestep>
  <walls> <shape> <pt>-4 -3</pt> <pt>4 -3</pt> <pt>4 -3</pt> <pt>4 3</pt> <pt>4 3</pt> <pt>-4 3</pt> <pt>-4 3</pt> <pt>-4 -3</pt> </shape> <height>2</height> </walls>
  <vehicle name="r1">
    <init_pose>0 -0.5 0</init_pose>
    <dynamics class="kinematic_differential"> <controller class="twist_ideal"> <V>0.5</V> <W>57.2958</W> </controller> </dynamics>
    <include file="{worlds}/sensors/hokuyo_ust10lx.sensor.xml" name="hokuyo" x="0.1" z="0.4" range_std="0"/>
    <include file="{worlds}/sensors/rplidar_a2.sensor.xml" name="rplidar" x="0.1" z="0.4"/>
    <include file="{worlds}/sensors/lds_01.sensor.xml" name="lds" x="0.1" z="0.4" range_std="0"/>
    <include file="{worlds}/sensors/lidar2d.sensor.xml" name="clockwise" x="0.1" z="0.4" rate_hz="5" range_std="0" scan_motion="1" rotation="clockwise"/>
    <include file="{worlds}/sensors/lidar2d.sensor.xml" name="instant" x="0.1" z="0.4" rate_hz="5" range_std="0"/>
  </vehicle>
</mvsim_world>"""

NAMES = ["hokuyo", "rplidar", "lds", "clockwise", "instant"]


def off_the_walls(scan, truth, times):
    """Largest distance [m] of the returns of a scan from the walls, each seen from the true pose at its time [ns] of `times`."""
    at, x, y, yaw = truth
    angles = scan.angle_min + np.arange(len(scan.ranges)) * scan.angle_increment
    ranges = np.array(scan.ranges)
    seen = (ranges > 0.2) & (ranges < scan.range_max)
    assert seen.sum() > 0.3 * len(ranges)
    px, py, heading = (np.interp(times, at, values)[seen] for values in (x, y, yaw))
    # The lidars are 0.1 m ahead.
    wx = px + 0.1 * np.cos(heading) + ranges[seen] * np.cos(heading + angles[seen])
    wy = py + 0.1 * np.sin(heading) + ranges[seen] * np.sin(heading + angles[seen])
    return np.abs(np.minimum(3.95 - np.abs(wx), 2.95 - np.abs(wy)))


def test_a_skewed_scan_is_straight_again_by_its_stamps_and_true_poses(reuse, peer, tmp_path):
    world = tmp_path / "turning.world.xml"
    world.write_text(WORLD.format(worlds=WORLDS))
    reuse(world, rate=1.0)
    prefix = peer.topic_ending("/hokuyo").removesuffix("hokuyo")
    scans = {name: peer.listen(LaserScan, f"{prefix}{name}", qos_profile_sensor_data) for name in NAMES}
    truths = peer.listen(Odometry, f"{prefix}ground_truth")

    def poses():
        """Times [ns], positions and unwrapped headings of the robot."""
        rows = sorted(
            (nanoseconds(m.header.stamp), m.pose.pose.position.x, m.pose.pose.position.y, 2 * math.atan2(m.pose.pose.orientation.z, m.pose.pose.orientation.w))
            for m in truths
        )
        at, x, y, yaw = (np.array(column) for column in zip(*rows))
        return at, x, y, np.unwrap(yaw)

    def whole(scan):
        """Whether the true poses of a scan have come, and at even times."""
        first, last = nanoseconds(scan.header.stamp) - 0.25e9, nanoseconds(scan.header.stamp) + 0.25e9
        at = [nanoseconds(m.header.stamp) for m in truths]
        between = [t for t in at if first <= t <= last]
        return bool(at) and min(at) <= first and max(at) >= last and len(between) >= 24

    def chosen(name):
        return next((scan for scan in scans[name][1:] if whole(scan)), None)

    peer.spin_until(lambda: all(chosen(name) for name in NAMES), awaited="scans, and the true poses of their times")
    found = {name: chosen(name) for name in NAMES}
    truth = poses()

    def increments(scan):
        return 1e9 * scan.time_increment * np.arange(len(scan.ranges))

    def off(name, times):
        return off_the_walls(found[name], truth, times)

    stamp = {name: nanoseconds(scan.header.stamp) for name, scan in found.items()}
    # As sensor_msgs/LaserScan has it.
    hokuyo = found["hokuyo"]
    assert hokuyo.time_increment == pytest.approx(0.025 / 1440, rel=1e-5) and hokuyo.scan_time == pytest.approx(0.025)
    # Up to its bias, which is the same for all beams.
    assert np.ptp(off("hokuyo", stamp["hokuyo"] + increments(hokuyo))) < 0.02
    clockwise = found["clockwise"]
    assert clockwise.time_increment == pytest.approx(-0.2 / 360, rel=1e-5)
    assert off("clockwise", stamp["clockwise"] + increments(clockwise)).max() < 0.01
    # Other drivers put the ranges in the order of angles, though they are measured against it.
    for name, end in (("rplidar", False), ("lds", True)):
        scan = found[name]
        increment = 1e9 * scan.time_increment
        assert increment > 0
        places = np.arange(len(scan.ranges))
        times = stamp[name] - increment * places if end else stamp[name] + increment * places[::-1]
        expected, believed = off(name, times), off(name, stamp[name] + increments(scan))
        # Their noise is a share of the range.
        assert np.sqrt(np.mean(expected**2)) < 0.1 and believed.max() > 0.1
    # Taken for a scan of one instant, it is off by far.
    assert off("clockwise", np.full(360, stamp["clockwise"])).max() > 0.1
    instant = found["instant"]
    assert instant.time_increment == 0.0 and off("instant", np.full(360, stamp["instant"])).max() < 0.01
