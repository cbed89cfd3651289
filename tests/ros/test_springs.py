"""A body on springs: its frame moves on tf, and its description leaves that joint to the simulator."""

import math
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from nav_msgs.msg import Odometry
from std_msgs.msg import Bool
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage

from conftest import BINARY, LATCHED, WORLDS, nanoseconds

SPRINGS = WORLDS / "springs.world.xml"
VAN = Path(__file__).with_name("van.world.xml")


def children(messages):
    return {transform.child_frame_id for message in messages for transform in message.transforms}


def test_the_frame_of_the_sensors_leans_as_the_true_pose_of_the_body(reuse, peer):
    reuse(SPRINGS, rate=1.0)
    tf, truth = peer.listen(TFMessage, "/on_springs/tf"), peer.listen(Odometry, "/on_springs/ground_truth")
    fixed = {name: peer.listen(TFMessage, f"/{name}/tf_static", LATCHED) for name in ("on_springs", "rigid")}

    def leaning():
        """Height and pitch of the body, as (transform, truth), and its way [m], at the times of both messages."""
        poses = {nanoseconds(message.header.stamp): message.pose.pose for message in truth}
        moving = [t for message in tf for t in message.transforms if t.child_frame_id == "base_link"]
        assert all(t.header.frame_id == "base_footprint" for t in moving)
        known = [(t.transform, poses[at]) for t in moving if (at := nanoseconds(t.header.stamp)) in poses]
        return [((t.translation.z, t.rotation.y), (p.position.z, p.orientation.y), p.position.x) for t, p in known]

    def is_over_the_bump():
        return any(x > 11.0 and abs(pitch) > 0.003 for (_, pitch), _, x in leaning())

    peer.spin_until(lambda: all(fixed.values()) and leaning(), awaited="transforms of the body")
    # From the start again, now that both topics arrive.
    assert peer.call(Trigger, "/skidpad/reset", Trigger.Request()).success
    tf.clear()
    truth.clear()
    peer.spin_until(is_over_the_bump, awaited="the bump")
    assert "base_link" not in children(fixed["on_springs"]) and "base_link" in children(fixed["rigid"])
    # Its front wheels, 2.6 m ahead, come to the bump at 11.7 m. Before that the body's whole pose is that on its springs.
    level = [(of_springs, true) for of_springs, true, x in leaning() if x < 8.5]
    assert len(level) > 10
    for of_springs, true in level:
        assert of_springs == pytest.approx(true, abs=2e-3)


def test_the_description_of_a_body_on_springs_has_a_floating_joint():
    def joint_types(vehicle):
        done = subprocess.run([BINARY, "urdf", SPRINGS, "--vehicle", vehicle], capture_output=True, text=True, check=True)
        return {joint.get("name"): joint.get("type") for joint in ElementTree.fromstring(done.stdout).iter("joint")}

    assert joint_types("on_springs")["base_link_joint"] == "floating"
    assert joint_types("rigid")["base_link_joint"] == "fixed"


def test_a_van_that_tips_over_says_so_and_lies_on_its_side(reuse, peer):
    reuse(VAN, rate=1.0)
    lies, truth = peer.listen(Bool, "/overturned"), peer.listen(Odometry, "/ground_truth")
    peer.spin_until(lambda: any(message.data for message in lies) and truth, awaited="the fall")

    def tilt():
        """Sine of half of the angle between the body's z axis and the vertical."""
        turn = truth[-1].pose.pose.orientation
        return math.hypot(turn.x, turn.y)

    peer.spin_until(lambda: abs(tilt() - math.sin(math.pi / 4)) < 0.02, awaited="the side")
