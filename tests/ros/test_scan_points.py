"""Planar lidars: their scans as points, which lie where the scan of the same instant has its returns, and what they belong to."""

import numpy as np
import pytest
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import LaserScan, PointCloud2

from conftest import WORLDS, stamp
from test_camera import WORLD
from test_lidar3d import points_of

SCAN = """<sensor class="laser" name="front"><pose_3d>0.5 0.1 0.5 20 0 {roll}</pose_3d><fov_degrees>200</fov_degrees><nrays>401</nrays>
  <max_range>8</max_range><publish_ros_pointcloud>true</publish_ros_pointcloud>{more}</sensor>"""
IN_SPACE = "<raytrace_3d>true</raytrace_3d><ignore_parent_body>true</ignore_parent_body><labels>true</labels>"


@pytest.mark.parametrize(("roll", "more", "fields"), [
    (180, "", ["x", "y", "z"]),
    (0, IN_SPACE, ["x", "y", "z", "class", "body"]),
])  # fmt: skip
def test_points_of_a_scan_are_its_returns(reuse, peer, tmp_path, roll, more, fields):
    world = tmp_path / "scan.world.xml"
    world.write_text(WORLD.format(worlds=WORLDS, sensor=SCAN.format(roll=roll, more=more)))
    reuse(world)
    prefix = peer.topic_ending("/front_points").removesuffix("_points")
    scans = peer.listen(LaserScan, prefix, qos_profile_sensor_data)
    clouds = peer.listen(PointCloud2, f"{prefix}_points", qos_profile_sensor_data)

    def common():
        return {stamp(scan) for scan in scans} & {stamp(cloud) for cloud in clouds}

    peer.spin_until(common, awaited="a scan and its points")
    instant = max(common())
    scan, cloud = (next(message for message in of if stamp(message) == instant) for of in (scans, clouds))
    assert cloud.header == scan.header and cloud.is_dense and cloud.height == 1
    assert [field.name for field in cloud.fields] == fields
    ranges = np.array(scan.ranges)
    angles = scan.angle_min + scan.angle_increment * np.arange(len(ranges))
    returned = np.isfinite(ranges)
    points = points_of(cloud)
    assert 10 < returned.sum() < len(ranges) and len(points) == returned.sum()
    assert np.allclose(points["x"], (ranges * np.cos(angles))[returned], atol=1e-4)
    assert np.allclose(points["y"], (ranges * np.sin(angles))[returned], atol=1e-4) and not points["z"].any()
    if "class" in fields:
        # The box is the only block, and all that is there.
        assert set(points["class"]) == {3} and len(set(points["body"])) == 1
