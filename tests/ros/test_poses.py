"""`<publish>` of a world: poses of vehicles and blocks on topics of their own."""

import pathlib

import pytest
from geometry_msgs.msg import PoseStamped, TransformStamped

from conftest import stamp

WORLD = pathlib.Path(__file__).parent / "published_poses.world.xml"


def test_poses_come_in_simulated_time_on_the_topics_of_the_world(reuse, peer):
    reuse(WORLD)
    poses = peer.listen(PoseStamped, "/r1/pose")
    other_poses = peer.listen(TransformStamped, "/crate/others")
    peer.spin_until(lambda: len(poses) > 20 and len(other_poses) > 4, awaited="poses")
    first, last = poses[0], poses[-1]
    assert first.header.frame_id == "map"
    assert (first.pose.position.x, first.pose.position.y) == pytest.approx((1.0, 2.0), abs=1e-6)
    assert first.pose.orientation.z == pytest.approx(0.5**0.5, abs=1e-6)
    assert stamp(last) - stamp(first) == pytest.approx(0.05 * (len(poses) - 1), abs=1e-6)
    assert {other.header.frame_id for other in other_poses} == {"crate"}
    seen = {other.child_frame_id: other.transform.translation for other in other_poses}
    assert (seen["r1"].x, seen["r1"].y) == pytest.approx((0.0, -3.0), abs=1e-6)
    assert (seen["r2"].x, seen["r2"].y) == pytest.approx((3.0, -3.0), abs=1e-6)
