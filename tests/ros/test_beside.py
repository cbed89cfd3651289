"""Launch files for nodes of other packages beside the simulator: what those nodes are told is what the simulator sends, by stand-ins for the packages."""

import json
import math
import shutil

import pytest
import yaml
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import CameraInfo, Image, Imu, LaserScan
from tf2_msgs.msg import TFMessage

from conftest import LATCHED, seconds
from installing import STAND_IN, launch

# The order of the fifteen switches of robot_localization's ..._config.
STATE = ("x", "y", "z", "roll", "pitch", "yaw", "vx", "vy", "vz", "vroll", "vpitch", "vyaw", "ax", "ay", "az")


def parameters_of(node, name):
    """The parameters that a node of this name reads of its first file."""
    text = yaml.safe_load(open(node["parameters"][0]))
    return (text.get(name) or text["/**"])["ros__parameters"]


def node_of(launched, package):
    (node,) = [node for node in launched.nodes if node["package"] == package]
    return node


def rate(messages):
    times = [seconds(message.header.stamp) for message in messages]
    return (len(times) - 1) / (times[-1] - times[0])


class Tree:
    """The parents of frames in what comes in on tf and tf_static."""

    def __init__(self, peer):
        self.moving, self.fixed = peer.listen(TFMessage, "/tf"), peer.listen(TFMessage, "/tf_static", LATCHED)

    def parents(self):
        return {transform.child_frame_id: transform.header.frame_id for message in self.moving + self.fixed for transform in message.transforms}

    def ancestors(self, frame):
        parents, frames = self.parents(), [frame]
        while frames[-1] in parents:
            frames.append(parents[frames[-1]])
        return frames


@pytest.mark.parametrize(
    ("file", "packages"),
    [("ekf", "robot_localization"), ("slam", "slam_toolbox"), ("teleop", "joy teleop_twist_joy"), ("image_proc", "image_proc")],
)
def test_packages_that_are_missing_are_named_and_the_simulator_runs(prefix, file, packages):
    launched = launch(prefix("skidpad"), file)
    assert [node["package"] for node in launched.nodes] == ["skidpad"]
    missing = [message.partition(" is not installed")[0] for message in launched.messages]
    assert missing == packages.split() and all("apt install ros-" in message for message in launched.messages)
    assert launch(prefix("skidpad"), file, use_simulator="false").nodes == []


def test_robot_localization_hears_odometry_and_gyroscope_and_alone_publishes_the_transform(prefix, peer, started):
    prefix("robot_localization")
    launched = launch(prefix("skidpad"), "ekf", headless="true", rate="3")
    node = node_of(launched, "robot_localization")
    given = parameters_of(node, node["name"])
    assert node["parameters"][1] == {"use_sim_time": True}
    odometry, imu, tree = peer.listen(Odometry, given["odom0"]), peer.listen(Imu, given["imu0"]), Tree(peer)
    started(launched)
    peer.spin_until(lambda: len(odometry) > 30 and len(imu) > 100 and tree.fixed, awaited="odometry and measurements")
    message, measured = odometry[-1], imu[-1]
    assert (message.header.frame_id, message.child_frame_id) == (given["odom_frame"], given["base_link_frame"])
    assert given["base_link_frame"] in tree.ancestors(measured.header.frame_id)
    assert given["base_link_frame"] not in tree.parents(), "its transform is the filter's"
    assert given["world_frame"] == given["odom_frame"] and given["two_d_mode"] and given["publish_tf"]
    # Each number that it fuses has a variance, which a filter needs.
    used = {sensor: [name for name, on in zip(STATE, given[f"{sensor}_config"]) if on] for sensor in ("odom0", "imu0")}
    variances = dict(zip(("vx", "vy", "vz", "vroll", "vpitch", "vyaw"), message.twist.covariance[::7]))
    assert used == {"odom0": ["vx", "vy", "vyaw"], "imu0": ["vyaw"]}
    assert all(variances[name] > 0.0 for name in used["odom0"]) and measured.angular_velocity_covariance[8] >= 0.0
    assert rate(odometry) == pytest.approx(given["frequency"], rel=0.1) and 3.0 / rate(odometry) <= given["sensor_timeout"] * 1.1
    assert rate(imu) / given["frequency"] < given["imu0_queue_size"]


def test_slam_toolbox_hears_the_scan_and_alone_publishes_the_map(prefix, peer, started):
    prefix("slam_toolbox", {"launch/online_async_launch.py": STAND_IN.format(names=["use_sim_time", "slam_params_file"], file="slam")})
    launched = launch(prefix("skidpad"), "slam", headless="true", rate="3")
    (arguments,) = [json.loads(message) for message in launched.messages]
    assert arguments["use_sim_time"] == "true"
    given = yaml.safe_load(open(arguments["slam_params_file"]))["slam_toolbox"]["ros__parameters"]
    scans, tree = peer.listen(LaserScan, given["scan_topic"], qos_profile_sensor_data), Tree(peer)
    started(launched)
    peer.spin_until(lambda: len(scans) > 10 and tree.fixed and tree.moving, awaited="scans and transforms")
    scan = scans[-1]
    assert tree.ancestors(scan.header.frame_id)[-2:] == [given["base_frame"], given["odom_frame"]], "map to odom is SLAM Toolbox's"
    assert given["max_laser_range"] <= scan.range_max and 1.0 / rate(scans) < given["minimum_time_interval"]
    assert len(scan.ranges) == round((scan.angle_max - scan.angle_min) / scan.angle_increment) + 1
    assert peer.node.count_publishers("/map") == 0
    # With RViz, too.
    simulator = node_of(launch(prefix("skidpad"), "slam", use_rviz="true"), "skidpad")
    last = [given["publish_map_to_odom"] for given in simulator["parameters"] if isinstance(given, dict) and "publish_map_to_odom" in given][-1]
    assert last is False


def test_a_joystick_drives_within_what_the_vehicle_can(prefix, peer, started):
    prefix("joy"), prefix("teleop_twist_joy")
    launched = launch(prefix("skidpad"), "teleop", world="nav2", headless="true", rate="3", cmd_vel="r1/cmd_vel")
    stick, node = node_of(launched, "joy"), node_of(launched, "teleop_twist_joy")
    assert node["remappings"] == [("cmd_vel", "r1/cmd_vel")]
    given = parameters_of(node, node["name"])
    assert given["require_enable_button"] and given["enable_button"] != given["enable_turbo_button"]
    assert parameters_of(stick, stick["name"])["autorepeat_rate"] > 5.0, "quicker than cmd_timeout, and than multiplexers"
    odometry = peer.listen(Odometry, "odom")
    started(launched)
    commands = peer.publisher(Twist, "cmd_vel")
    peer.spin_until(lambda: odometry and peer.reaches(commands), awaited="the vehicle")
    command = Twist()
    command.linear.x, command.angular.z = given["scale_linear_turbo"]["x"], given["scale_angular_turbo"]["yaw"]
    peer.drive(commands, command, odometry, 4.0)
    twist = odometry[-1].twist.twist
    assert (twist.linear.x, twist.angular.z) == pytest.approx((command.linear.x, command.angular.z), rel=0.1), "as fast as it is told"


def test_keys_are_read_in_a_terminal(prefix, monkeypatch):
    prefix("teleop_twist_keyboard")
    for terminal in ("/usr/bin/xterm", None):
        monkeypatch.setattr(shutil, "which", lambda name, terminal=terminal: terminal)
        launched = launch(prefix("skidpad"), "teleop", by="keyboard", cmd_vel="r1/cmd_vel")
        other_nodes = [node for node in launched.nodes if node["package"] != "skidpad"]
        if terminal:
            assert [(node["prefix"], node["remappings"]) for node in other_nodes] == [("xterm -e", [("cmd_vel", "r1/cmd_vel")])]
        else:
            assert other_nodes == [] and launched.messages[-1].endswith("teleop_twist_keyboard --ros-args -r cmd_vel:=r1/cmd_vel")
    with pytest.raises(RuntimeError) as refused:
        launch(prefix("skidpad"), "teleop", by="thought")
    assert str(refused.value) == 'launch argument by: found "thought"\n  accepted: joystick, keyboard'


def test_image_proc_gets_pictures_and_their_calibration(prefix, peer, started):
    prefix("image_proc")
    launched = launch(prefix("skidpad"), "image_proc", headless="true", variables="{PIXELS: 64}")
    node = node_of(launched, "image_proc")
    assert node["remappings"] == [("image", "image_raw")] and parameters_of(node, node["name"])["image_transport"] == "raw"
    topic = f"/{node['namespace']}/image_raw"
    # image_transport looks for the calibration beside the picture.
    pictures, infos = peer.listen(Image, topic), peer.listen(CameraInfo, topic.replace("image_raw", "camera_info"))
    started(launched)
    peer.spin_until(lambda: len(pictures) > 1 and len(infos) > 1, awaited="pictures and calibrations")
    stamps = {seconds(message.header.stamp) for message in infos}
    assert any(seconds(message.header.stamp) in stamps for message in pictures), "both of one instant"
    info, picture = infos[-1], pictures[-1]
    assert info.k[0] > 0.0 and any(info.d) and (info.width, info.height) == (picture.width, picture.height) == (64, 48)
    assert info.header.frame_id == picture.header.frame_id and not math.isnan(info.p[0])
