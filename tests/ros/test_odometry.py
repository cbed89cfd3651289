"""Odometry drift, its covariance, and the related transforms and descriptions."""

import subprocess
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from conftest import BINARY, LATCHED, RACECAR, WORLDS, nanoseconds
from nav2_peer import COLUMNS, SECOND, Nav2, compose, pose

NAV2_WORLD = WORLDS / "nav2.world.xml"
FAST = 5.0


def planar(message):
    """Position and yaw of an odometry message."""
    r = message.pose.pose.orientation
    return np.array([message.pose.pose.position.x, message.pose.pose.position.y, 2 * np.arctan2(r.z, r.w)])


def block(covariance):
    """x, y and yaw of a covariance of six dimensions."""
    return np.array(covariance).reshape(6, 6)[np.ix_([0, 1, 5], [0, 1, 5])]


def test_odometry_drifts_from_the_truth_as_far_as_its_covariance_says(reuse, peer):
    reuse(NAV2_WORLD, rate=FAST)
    nav2 = Nav2(peer, COLUMNS["lyrical"])
    truth = nav2.listen(Odometry, "ground_truth")
    nav2.wait(lambda: nav2.odometry and truth and peer.reaches(nav2.commands), "odometry")
    nav2.drive(15.0, lambda _: (0.25, 0.6))
    true = {nanoseconds(m.header.stamp): planar(m) for m in truth}
    pairs = [(m, true[nanoseconds(m.header.stamp)]) for m in nav2.odometry if nanoseconds(m.header.stamp) in true]
    believed, at = pairs[-1]
    error = planar(believed) - (at - np.array([-2.0, -0.5, 0.0]))
    error[2] = np.remainder(error[2] + np.pi, 2 * np.pi) - np.pi
    covariance = block(believed.pose.covariance)
    assert np.linalg.norm(error) > 1e-3, "it drifts"
    # χ² of three dimensions: 21.1 is exceeded once in 10 000 runs.
    assert error @ np.linalg.inv(covariance) @ error < 21.1, f"{error} with {covariance}"
    assert (np.linalg.eigvalsh(covariance) > 0).all() and (covariance == covariance.T).all()
    yaw = [block(m.pose.covariance)[2, 2] for m, _ in pairs]
    assert (np.diff(yaw) >= 0).all() and yaw[-1] > yaw[0], "nothing tells odometry where it is"
    full = np.array(believed.pose.covariance).reshape(6, 6)
    assert (full.diagonal()[2:5] == 1e6).all(), "nobody measures height, roll and pitch"
    steps = np.diff(np.array([planar(m)[:2] for m in nav2.odometry]), axis=0)
    times = np.diff([nanoseconds(m.header.stamp) / SECOND for m in nav2.odometry])
    assert (np.hypot(*steps.T) / times).max() < 0.4, "odom is continuous (REP 105)"


def test_map_to_odom_is_published_on_request_and_then_the_truth_a_little_ahead(reuse, peer):
    reuse(NAV2_WORLD, rate=FAST, publish_map_to_odom=True, transform_tolerance=0.2)
    nav2 = Nav2(peer, COLUMNS["lyrical"])
    tf, truth = nav2.listen(TFMessage, "tf"), nav2.listen(Odometry, "ground_truth")
    nav2.wait(lambda: tf and truth and peer.reaches(nav2.commands), "transforms")
    frames = lambda: [{t.child_frame_id: t for t in message.transforms} for message in tf]  # noqa: E731

    def pairs():
        """Transforms and true poses of the same time. A busy machine may have lost some of either."""
        true = {nanoseconds(m.header.stamp): planar(m) for m in truth}
        stamped = [(nanoseconds(transforms["base_footprint"].header.stamp), transforms) for transforms in frames()]
        return [(transforms, true[at]) for at, transforms in stamped if at in true]

    for _ in range(20):
        nav2.drive(3.0, lambda _: (0.25, 0.6))
        compared = pairs()
        if len(compared) > 100:
            break
    assert len(compared) > 100 and nav2.odometry[-1].pose.pose.position.x != 0.0
    for transforms in frames():
        at = nanoseconds(transforms["base_footprint"].header.stamp)
        assert transforms["odom"].header.frame_id == "map"
        assert nanoseconds(transforms["odom"].header.stamp) - at == 200_000_000
    for transforms, pose_in_map in compared:
        composed = compose(pose(transforms["odom"].transform), pose(transforms["base_footprint"].transform))
        assert composed == pytest.approx(tuple(pose_in_map), abs=1e-9)
    assert nav2.buffer.faults == []


def test_the_description_is_latched_and_joint_states_move_all_of_its_joints(reuse, peer, another_peer):
    reuse(RACECAR, rate=2.0)
    joints = peer.listen(JointState, "joint_states")
    peer.spin_until(lambda: joints, awaited="joint states")
    late = another_peer()
    heard = late.listen(String, "robot_description", LATCHED)
    static = late.listen(TFMessage, "tf_static", LATCHED)
    late.spin_until(lambda: heard and static, awaited="robot_description")
    robot = ElementTree.fromstring(heard[0].data)
    moving = [joint.get("name") for joint in robot.iter("joint") if joint.get("type") != "fixed"]
    assert sorted(moving) == sorted(joints[-1].name)
    fixed = {(j.find("parent").get("link"), j.find("child").get("link")) for j in robot.iter("joint") if j.get("type") == "fixed"}
    assert fixed == {(t.header.frame_id, t.child_frame_id) for t in static[0].transforms}, "the same frames have the same parents"
    printed = subprocess.run([BINARY, "urdf", RACECAR], capture_output=True, text=True, check=True).stdout
    assert printed == heard[0].data
    renamed = subprocess.run([BINARY, "urdf", RACECAR, "--base-frame-id", "robot"], capture_output=True, text=True, check=True).stdout
    assert renamed == printed.replace('"base_footprint"', '"robot"')


def test_the_urdf_command_names_unknown_arguments():
    def refused(*arguments):
        done = subprocess.run([BINARY, "urdf", *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 1 and done.stdout == ""
        assert done.stderr.startswith("error: "), done.stderr
        return done.stderr.removeprefix("error: ").strip()

    two = WORLDS / "two_robots.world.xml"
    assert refused(two) == f"{two}: 2 vehicles in it\n  hint: name one with --vehicle: r1, r2"
    assert refused(two, "--vehicle", "r3") == '--vehicle: found "r3"\n  accepted: r1, r2'
    assert refused(RACECAR, "--base-frame-id", "/robot") == (
        '--base-frame-id: found "/robot"\n  accepted: letters, digits, _, -, . and /, and no / at either end\n'
        "  hint: leave the slash out: tf2 has no frames with one")
    assert refused(two, "--preset", "turtle").startswith('--preset: found "turtle"\n  accepted: skidpad, racecar_gazebo')
