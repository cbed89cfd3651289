"""A map as the world: nav2.launch.py with a map alone, and without AMCL, as nav2's loopback simulator is used."""

import json
import math

import pytest
import yaml
from geometry_msgs.msg import PoseWithCovarianceStamped
from nav_msgs.msg import Odometry
from sensor_msgs.msg import LaserScan
from simulation_interfaces.srv import GetEntities, LoadWorld
from tf2_msgs.msg import TFMessage

from conftest import PATIENCE
from installing import launch, nav2_of
from nav2_peer import COLUMNS

WIDTH, HEIGHT, CELL = 80, 60, 0.05


@pytest.fixture
def own_map(tmp_path):
    """A closed room of 4 x 3 m, whose lower left corner is at (10, -20)."""
    rows = [bytes(0 if x in (0, WIDTH - 1) or y in (0, HEIGHT - 1) else 254 for x in range(WIDTH)) for y in range(HEIGHT)]
    (tmp_path / "room.pgm").write_bytes(b"P5\n%d %d\n255\n" % (WIDTH, HEIGHT) + b"".join(rows))
    described = {"image": "room.pgm", "resolution": CELL, "origin": [10.0, -20.0, 0.0], "negate": 0, "occupied_thresh": 0.65, "free_thresh": 0.25}
    file = tmp_path / "room.yaml"
    file.write_text(yaml.safe_dump(described))
    return file


def in_map(transforms):
    """x and y of the robot in the map, by the newest transforms."""
    latest = {(transform.header.frame_id, transform.child_frame_id): transform.transform for message in transforms for transform in message.transforms}
    if not {("map", "odom"), ("odom", "base_footprint")} <= set(latest):
        return None
    above, below = latest["map", "odom"], latest["odom", "base_footprint"].translation
    yaw = 2.0 * math.atan2(above.rotation.z, above.rotation.w)
    x, y = math.cos(yaw) * below.x - math.sin(yaw) * below.y, math.sin(yaw) * below.x + math.cos(yaw) * below.y
    return above.translation.x + x, above.translation.y + y


def arguments_of(launched, file):
    """What a stand-in for this file of nav2_bringup was given."""
    messages = [json.loads(message) for message in launched.messages if message.startswith("{")]
    return next(message for message in messages if message["file"] == file)


def test_a_map_alone_is_the_world_and_without_localization_initialpose_moves_the_robot(prefix, peer, started, own_map):
    nav2_of(prefix, "jazzy")
    launched = launch(prefix("skidpad"), "nav2", map=str(own_map), use_localization="False", use_rviz="False")
    bringup = arguments_of(launched, "bringup")
    assert (bringup["map"], bringup["use_localization"]) == (str(own_map), "False")
    simulator, server, manager = launched.nodes
    assert server["package"] == "nav2_map_server" and server["parameters"][0]["yaml_filename"] == str(own_map)
    assert manager["parameters"][0]["node_names"] == [server["name"]]
    scans, odometry, transforms = peer.listen(LaserScan, "scan"), peer.listen(Odometry, "odom"), peer.listen(TFMessage, "/tf")
    process = started(launched)
    peer.spin_until(lambda: scans and in_map(transforms), awaited="a scan and transforms")
    # It starts where it has a metre of room, at the place nearest to the origin of the map's frame.
    x, y = in_map(transforms)
    assert 11.0 < x < 11.1 and -18.1 < y < -18.0
    assert scans[0].ranges[0] == pytest.approx(14.0 - CELL - (x - 0.064), abs=0.05), "the walls of the map"
    pose = PoseWithCovarianceStamped()
    pose.header.frame_id = "map"
    pose.pose.pose.position.x, pose.pose.pose.position.y, pose.pose.pose.orientation.w = 13.0, -19.0, 1.0
    publisher = peer.publisher(PoseWithCovarianceStamped, "initialpose")
    peer.spin_until(lambda: peer.reaches(publisher), awaited="a subscription to initialpose")
    before = odometry[-1].pose.pose.position
    publisher.publish(pose)
    peer.spin_until(lambda: in_map(transforms) == pytest.approx((13.0, -19.0), abs=0.01), awaited="the pose in tf")
    after = odometry[-1].pose.pose.position
    assert (after.x, after.y) == pytest.approx((before.x, before.y), abs=0.01), "odometry goes on, as there"
    process.terminate()
    assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize("distro", COLUMNS)
def test_nav2_of_each_distribution_runs_without_localization(prefix, own_map, distro):
    folder = nav2_of(prefix, distro) / "launch"
    (folder / "navigation_launch.py").write_text((folder / "bringup_launch.py").read_text().replace("bringup", "navigation"))
    launched = launch(prefix("skidpad"), "nav2", map=str(own_map), use_localization="False", use_rviz="False")
    # Humble's bringup always localizes.
    bringup = arguments_of(launched, "navigation" if distro == "humble" else "bringup")
    assert bringup["use_composition"] == ("False" if distro == "humble" else "True")
    assert [node["name"] for node in launched.nodes[1:]] == ["map_server", "lifecycle_manager_map_server"]


@pytest.mark.parametrize(
    ("arguments", "settings"),
    [
        ({}, {"robot_name": "turtlebot3_waffle", "vehicle": "nav2_waffle"}),
        ({"vehicle": "turtlebot3_burger", "x_pose": "11.5"}, {"vehicle": "turtlebot3_burger", "x": "11.5", "y": "-0.5", "yaw": "0.0"}),
        ({"depth_camera": "True", "robot_name": "r1"}, {"robot_name": "r1", "depth_camera": "1"}),
    ],
)
def test_the_robot_of_a_map_is_the_one_that_is_asked_for(prefix, own_map, arguments, settings):
    for given in ({"map": str(own_map)}, {"world": str(own_map)}):
        (simulator,) = launch(prefix("skidpad"), "nav2", use_rviz="False", **given, **arguments).nodes
        words = simulator["arguments"]
        assert words[1] == str(own_map)
        set_variables = dict(word.split("=", 1) for option, word in zip(words, words[1:]) if option == "--set")
        assert set_variables | settings == set_variables
        assert ("x" in set_variables) == ("x" in settings), "otherwise the simulator looks for a free place"


def test_the_flat_can_have_another_robot(prefix):
    (simulator,) = launch(prefix("skidpad"), "nav2", use_rviz="False", vehicle="turtlebot3_burger").nodes
    assert simulator["arguments"][1].endswith("maps/house.yaml") and "x=-2.0" in simulator["arguments"]


def test_slam_is_a_localization(prefix):
    with pytest.raises(RuntimeError) as refused:
        launch(prefix("skidpad"), "nav2", slam="True", use_localization="False")
    assert str(refused.value) == 'launch argument use_localization: found "False", and slam\n  accepted: one of the two'


def test_a_running_node_loads_a_map(reuse, peer, own_map):
    reuse()
    request = LoadWorld.Request()
    # Version 2 of the interface has the address in a message.
    getattr(request, "world_resource", request).uri = f"file://{own_map}"
    loaded = peer.call(LoadWorld, "/skidpad/load_world", request)
    assert loaded.result.result == 1, loaded.result.error_message
    entities = peer.call(GetEntities, "/skidpad/get_entities", GetEntities.Request())
    assert entities.entities == ["robot"]


LOOPBACK = {
    "update_duration": 0.02, "scan_publish_dur": 0.2, "scan_range_min": 0.1, "scan_range_max": 3.0, "scan_angle_min": -1.5, "scan_angle_max": 1.5,
    "scan_angle_increment": 0.05, "scan_use_inf": "false", "scan_frame_id": "laser", "base_frame_id": "base", "map_frame_id": "site",
}


def test_nav2_loopback_has_the_lidar_and_the_periods_of_its_parameters(simulate, peer, own_map):
    settings = [word for name, value in LOOPBACK.items() for word in ("-p", f"{name}:={value}")]
    scans, odometry, transforms = peer.listen(LaserScan, "scan"), peer.listen(Odometry, "odom"), peer.listen(TFMessage, "/tf")
    simulate(own_map, ["-p", "preset:=nav2_loopback", *settings])
    peer.spin_until(lambda: len(scans) > 3 and len(odometry) > 30 and transforms, awaited="scans and odometry")
    scan, (first, *_, last) = scans[-1], odometry
    angles = (scan.angle_min, scan.angle_max, scan.angle_increment)
    assert angles == pytest.approx((-1.5, 1.5, 0.05), abs=1e-5) and len(scan.ranges) == 61
    assert (scan.range_min, scan.range_max, scan.scan_time) == pytest.approx((0.1, 3.0, 0.2)) and scan.header.frame_id == "laser"
    seconds = lambda message: message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec  # noqa: E731
    assert (seconds(last) - seconds(first)) / (len(odometry) - 1) == pytest.approx(0.02, rel=0.1)
    stamps_of_messages = [{(transform.header.frame_id, transform.child_frame_id): seconds(transform) for transform in message.transforms} for message in transforms]
    stamps_of_messages = [stamps for stamps in stamps_of_messages if set(stamps) == {("site", "odom"), ("odom", "base")}]
    ahead = {round(stamps["site", "odom"] - stamps["odom", "base"], 6) for stamps in stamps_of_messages}
    assert ahead == {0.01}, "one of its updates ahead"


def test_nav2_loopback_without_publish_scan_has_none(simulate, peer, own_map):
    odometry = peer.listen(Odometry, "odom")
    simulate(own_map, ["-p", "preset:=nav2_loopback", "-p", "publish_scan:=false"])
    peer.spin_until(lambda: len(odometry) > 5, awaited="odometry")
    assert peer.node.count_publishers("/scan") == 0
