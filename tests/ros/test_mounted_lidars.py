"""Planar lidars upside down and tilted: what a peer makes of the scans and the published frames is where the bodies are."""

import numpy as np
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import LaserScan
from tf2_msgs.msg import TFMessage

from conftest import LATCHED, WORLDS

# A block ahead on the left: its faces are at x = 0.5 and 1.5, y = 2.5 and 3.5.
WORLD = """<mvsim_world>
  <element class="horizontal_plane"><x_min>-9</x_min><x_max>9</x_max><y_min>-9</y_min><y_max>9</y_max></element>
  <block name="b"><static>true</static><init_pose>1 3 0</init_pose><zmin>0</zmin><zmax>2</zmax></block>
  <include file="{worlds}/vehicles/diffbot.vehicle.xml"/>
  <vehicle name="r1" class="diffbot">
    <init_pose>0 0 0</init_pose>
    <include file="{worlds}/sensors/lidar2d.sensor.xml" name="upright" z="0.4" range_std="0"/>
    <include file="{worlds}/sensors/lidar2d.sensor.xml" name="upside_down" x="0.1" z="0.4" yaw="30" roll="180" range_std="0"/>
    <include file="{worlds}/sensors/lidar2d.sensor.xml" name="tilted" z="0.4" pitch="20" range_std="0"/>
  </vehicle>
</mvsim_world>"""


def turned(q):
    """The rotation matrix of a quaternion."""
    x, y, z, w = q.x, q.y, q.z, q.w
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def placed(scan, transform):
    """The returns of a scan in the frame of the robot, which stands at the origin of the world."""
    angles = scan.angle_min + np.arange(len(scan.ranges)) * scan.angle_increment
    ranges = np.array(scan.ranges)
    seen = np.isfinite(ranges)
    points = ranges[seen, None] * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)[seen]
    t = transform.translation
    return points @ turned(transform.rotation).T + [t.x, t.y, t.z], angles[seen]


def test_a_block_on_the_left_is_there_for_every_lidar(reuse, peer, tmp_path):
    world = tmp_path / "lidars.world.xml"
    world.write_text(WORLD.format(worlds=WORLDS))
    reuse(world)
    prefix = peer.topic_ending("/upright").removesuffix("upright")
    names = ["upright", "upside_down", "tilted"]
    scans = {name: peer.listen(LaserScan, f"{prefix}{name}", qos_profile_sensor_data) for name in names}
    transforms = peer.listen(TFMessage, f"{prefix}tf_static", LATCHED)

    def mounted():
        return {t.child_frame_id: t.transform for message in transforms for t in message.transforms}

    peer.spin_until(lambda: all(scans.values()) and set(names) <= set(mounted()), awaited="scans and frames")
    for name in ("upright", "upside_down"):
        points, angles = placed(scans[name][-1], mounted()[scans[name][-1].header.frame_id])
        assert len(points) > 15, name
        # Beams have an error of 0.01 degrees.
        outside = np.maximum(np.abs(points[:, 0] - 1.0), np.abs(points[:, 1] - 3.0)) - 0.5
        assert np.abs(outside).max() < 0.005, (name, points)
        if name == "upside_down":
            assert angles.max() < 0.0, "from below its left is its right"
    points, _ = placed(scans["tilted"][-1], mounted()["tilted"])
    on_ground = np.abs(points[:, 2]) < 0.005
    assert on_ground.sum() > 60
    block = points[~on_ground]
    assert np.abs(np.maximum(np.abs(block[:, 0] - 1.0), np.abs(block[:, 1] - 3.0)) - 0.5).max(initial=0.0) < 0.005, block
