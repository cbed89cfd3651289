"""Labels: what a latched table says of the numbers in clouds and pictures, while bodies come and go."""

import json

import numpy as np
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import Image, PointCloud2
from std_msgs.msg import String

from conftest import LATCHED, WORLDS
from test_lidar3d import points_of
from test_simulation_interfaces import OK, Control

WORLD = """<mvsim_world>
  <element class="horizontal_plane"><x_min>-20</x_min><x_max>20</x_max><y_min>-20</y_min><y_max>20</y_max></element>
  <block:class name="oak"><static>true</static><label>tree</label></block:class>
  <block name="stone"><static>true</static><init_pose>3 3 0</init_pose></block>
  <block name="oak_1" class="oak"><init_pose>4 0 0</init_pose></block>
  <include file="{worlds}/vehicles/diffbot.vehicle.xml"/>
  <vehicle name="r1" class="diffbot">
    <init_pose>0 0 0</init_pose>
    <include file="{worlds}/sensors/lidar3d.sensor.xml" name="lidar" columns="180" labels="true"/>
    <include file="{worlds}/sensors/camera.sensor.xml" name="eye" x="0.3" ncols="80" nrows="60" fx="50" fy="50" cx="40" cy="30" labels="true"/>
  </vehicle>
</mvsim_world>"""


def test_a_latched_table_says_what_labels_mean_and_numbers_last(reuse, peer, tmp_path):
    world = tmp_path / "labels.world.xml"
    world.write_text(WORLD.format(worlds=WORLDS))
    reuse(world)
    tables = peer.listen(String, peer.topic_ending("/label_table"), LATCHED)
    clouds = peer.listen(PointCloud2, peer.topic_ending("/lidar_points"), qos_profile_sensor_data)
    pictures = peer.listen(Image, peer.topic_ending("/eye/labels"), qos_profile_sensor_data)
    peer.spin_until(lambda: tables and clouds and pictures, awaited="labels and their table")
    table = json.loads(tables[-1].data)
    numbers = {body["name"]: int(number) for number, body in table["bodies"].items()}
    assert {table["bodies"][str(number)]["class"] for number in numbers.values()} == {"ground", "block", "tree", "vehicle"}
    assert table["classes"]["6"] == "tree" and table["bodies"][str(numbers["oak_1"])]["class_number"] == 6

    def seen(points):
        return {(int(a), int(b)) for a, b in zip(points["class"], points["body"])}

    def in_picture(picture):
        assert picture.encoding == "16UC2"
        pixels = np.frombuffer(bytes(picture.data), "<u2").reshape(-1, 2)
        return {(int(a), int(b)) for a, b in pixels}

    tree, stone = (6, numbers["oak_1"]), (3, numbers["stone"])
    assert {tree, stone} <= seen(points_of(clouds[-1])) and tree in in_picture(pictures[-1])

    control = Control(peer)
    control.expect(OK, "delete_entity", entity="stone")
    peer.spin_until(lambda: "stone" not in tables[-1].data, awaited="the table without the stone")
    assert json.loads(tables[-1].data)["bodies"][str(numbers["oak_1"])]["name"] == "oak_1"
    pine = '<block name="pine"><static>true</static><label>tree</label><init_pose>3 3 0</init_pose></block>'
    control.spawn(text=pine, pose={"position": (3.0, 3.0)})
    peer.spin_until(lambda: "pine" in tables[-1].data, awaited="the table with the pine")
    pine = next(int(number) for number, body in json.loads(tables[-1].data)["bodies"].items() if body["name"] == "pine")
    assert pine == max(numbers.values()) + 1, "no number is used again"
    known = len(clouds)
    peer.spin_until(lambda: len(clouds) > known + 2, awaited="clouds with the pine")
    labels = seen(points_of(clouds[-1]))
    assert {tree, (6, pine)} <= labels and stone not in labels
