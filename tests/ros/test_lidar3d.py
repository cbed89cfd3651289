"""Lidars in three dimensions: their topic, frame and fields, and where they see what stands around a robot."""

import numpy as np
import pytest
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import PointCloud2, PointField

from conftest import WORLDS, stamp

# A box ahead of the robot, 1 m high, and a floor.
WORLD = """<mvsim_world>
  <element class="horizontal_plane"><x_min>-30</x_min><x_max>30</x_max><y_min>-30</y_min><y_max>30</y_max></element>
  <block name="box"><static>true</static><zmax>1.0</zmax><init_pose>4 0 0</init_pose>
    <shape><pt>-0.5 -2</pt><pt>0.5 -2</pt><pt>0.5 2</pt><pt>-0.5 2</pt></shape></block>
  <include file="{worlds}/vehicles/diffbot.vehicle.xml"/>
  <vehicle name="r1" class="diffbot">
    <init_pose>0 0 0</init_pose>
    <include file="{worlds}/sensors/{sensor}.sensor.xml" name="lidar" z="0.5" range_std="0" {fewer}/>
  </vehicle>
</mvsim_world>"""

FIELDS = {
    "lidar3d": ["x", "y", "z", "intensity", "t", "ring"],
    "velodyne_vlp16": ["x", "y", "z", "intensity", "ring", "time"],
    "ouster_os1": ["x", "y", "z", "intensity", "t", "reflectivity", "ring", "ambient", "range"],
    "helios_32": ["x", "y", "z", "intensity", "t", "ring"],
}


KINDS = {PointField.UINT8: "u1", PointField.UINT16: "<u2", PointField.UINT32: "<u4", PointField.FLOAT32: "<f4", PointField.FLOAT64: "<f8"}


def points_of(cloud):
    """The points that returned, by field."""
    names, kinds = [f.name for f in cloud.fields], [KINDS[f.datatype] for f in cloud.fields]
    offsets = [f.offset for f in cloud.fields]
    layout = np.dtype({"names": names, "formats": kinds, "offsets": offsets, "itemsize": cloud.point_step})
    assert len(cloud.data) == cloud.row_step * cloud.height and not cloud.is_bigendian
    points = np.frombuffer(bytes(cloud.data), layout)
    return points[~np.isnan(points["x"])]


def lidar(reuse, peer, tmp_path, sensor):
    """The clouds, and the topics' prefix."""
    world = tmp_path / "lidar.world.xml"
    # Of 131 072 rays a turn, for builds without optimisation.
    fewer = 'rings="32" columns="256"' if sensor == "ouster_os1" else ""
    world.write_text(WORLD.format(worlds=WORLDS, sensor=sensor, fewer=fewer))
    reuse(world)
    topic = peer.topic_ending("/lidar_points")
    return peer.listen(PointCloud2, topic, qos_profile_sensor_data), topic.rsplit("/", 1)[0]


@pytest.mark.parametrize("sensor", FIELDS)
def test_a_box_and_a_floor_are_seen_where_they_are(reuse, peer, tmp_path, sensor):
    clouds, _ = lidar(reuse, peer, tmp_path, sensor)
    peer.spin_until(lambda: len(clouds) > 2, awaited="clouds")
    cloud = clouds[-1]
    assert [field.name for field in cloud.fields] == FIELDS[sensor]
    turns = (stamp(clouds[-1]) - stamp(clouds[-2])) / 0.1
    assert cloud.header.frame_id.endswith("lidar") and turns > 0.5 and abs(turns - round(turns)) < 1e-5
    points = points_of(cloud)
    x, y, z = points["x"], points["y"], points["z"]
    ahead = (np.abs(y) < 1.9) & (x > 2.0) & (x < 4.0) & (z > -0.45) & (z < 0.45)
    assert ahead.sum() > 50 and np.abs(x[ahead] - 3.5).max() < 1e-3, "the face of the box"
    behind = (x < -1.5) & (z < 0.0)
    assert behind.sum() > 200 and np.abs(z[behind] + 0.5).max() < 1e-3, "the floor"
    # Above the box nothing returns, and no point is inside of it.
    assert not (z > 0.51).any() and not ((np.abs(y) < 1.9) & (x > 3.6) & (x < 4.4) & (z < 0.4)).any()
    rings = points["ring"]
    elevation = np.degrees(np.arctan2(z, np.hypot(x, y)))
    for ring in np.unique(rings):
        assert np.ptp(elevation[rings == ring]) < 0.01
    elevations = [np.median(elevation[rings == ring]) for ring in np.unique(rings)]
    if sensor == "ouster_os1":
        # A row for each ring, the highest first.
        assert (cloud.height, cloud.width) == (32, 256) and not cloud.is_dense
        assert np.abs(points["range"] / 1000.0 - np.sqrt(x**2 + y**2 + z**2)).max() < 2e-3
        assert (np.diff(elevations) < 0.0).all() and points["reflectivity"].max() <= 255
    elif sensor == "velodyne_vlp16":
        # A row for each firing, the lowest ring first.
        assert (cloud.height, cloud.width) == (1808, 16) and not cloud.is_dense
        assert (np.diff(elevations) > 0.0).all()
    else:
        assert cloud.height == 1 and cloud.is_dense


def test_a_livox_looks_at_the_box_in_a_rosette_that_does_not_repeat(reuse, peer, tmp_path):
    clouds, _ = lidar(reuse, peer, tmp_path, "livox_mid40")
    peer.spin_until(lambda: len(clouds) > 3, awaited="clouds")
    assert [field.name for field in clouds[0].fields] == ["x", "y", "z", "intensity", "tag", "line", "timestamp"]
    earlier, later = (points_of(cloud) for cloud in clouds[-2:])
    for points in (earlier, later):
        assert len(points) > 1000 and (np.diff(points["timestamp"]) > 0).all()
        angle = np.degrees(np.arctan2(np.hypot(points["y"], points["z"]), points["x"]))
        assert 15.0 < angle.max() < 19.3
        box = (np.abs(points["y"]) < 0.9) & (np.abs(points["z"]) < 0.4)
        assert box.sum() > 200 and np.abs(points["x"][box] - 3.5).max() < 1e-3
    assert earlier["timestamp"][-1] < later["timestamp"][0]
    count = min(len(earlier), len(later))
    assert (np.abs(earlier["y"][:count] - later["y"][:count]) > 1e-3).mean() > 0.9


def test_points_of_a_turning_robot_have_times_that_straighten_the_box(reuse, peer, tmp_path):
    clouds, of_robot = lidar(reuse, peer, tmp_path, "velodyne_vlp16")
    odometry = peer.listen(Odometry, f"{of_robot}/odom")
    commands = peer.publisher(Twist, f"{of_robot}/cmd_vel")
    command = Twist()
    command.angular.z = 1.0
    peer.spin_until(lambda: odometry and clouds, awaited="messages")
    peer.drive(commands, command, odometry, 3.0)
    straight, bent = [], []
    headings, rates = {}, {}
    for message in odometry:
        q = message.pose.pose.orientation
        headings[round(stamp(message), 3)] = 2.0 * np.arctan2(q.z, q.w)
        rates[stamp(message)] = message.twist.twist.angular.z
    for cloud in clouds:
        heading = headings.get(round(stamp(cloud), 3))
        during = [rate for time, rate in rates.items() if stamp(cloud) - 0.15 < time < stamp(cloud) + 0.15]
        if heading is None or max((abs(rate - 1.0) for rate in during), default=1.0) > 0.02:
            continue
        points = points_of(cloud)
        for offsets, shape in [(points["time"].astype(float), straight), (np.zeros(len(points)), bent)]:
            turned = heading + 1.0 * offsets
            x = np.cos(turned) * points["x"] - np.sin(turned) * points["y"]
            y = np.sin(turned) * points["x"] + np.cos(turned) * points["y"]
            face = (np.abs(y) < 1.5) & (x > 3.0) & (x < 3.9) & (points["z"] > -0.4)
            shape.extend(np.abs(x[face] - 3.5))
    assert len(straight) > 500
    assert np.percentile(straight, 95) < 0.03 < np.percentile(bent, 95), (np.percentile(straight, 95), np.percentile(bent, 95))
