"""Topics, types, frames, stamps, rates and quality of service are those that nav2, tf2 and rosbag2 build on."""

import math

import numpy as np
import pytest
from nav_msgs.msg import MapMetaData, OccupancyGrid, Odometry
from rclpy.qos import DurabilityPolicy, HistoryPolicy, ReliabilityPolicy
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState, LaserScan
from skidpad.msg import WheelStates
from std_msgs.msg import Bool
from tf2_msgs.msg import TFMessage

from conftest import LATCHED, TWO_ROBOTS, nanoseconds, seconds

pytestmark = pytest.mark.core

QOS = {
    "/clock": ("rosgraph_msgs/msg/Clock", 10, DurabilityPolicy.VOLATILE),
    "/odom": ("nav_msgs/msg/Odometry", 10, DurabilityPolicy.VOLATILE),
    "/ground_truth": ("nav_msgs/msg/Odometry", 10, DurabilityPolicy.VOLATILE),
    "/scan": ("sensor_msgs/msg/LaserScan", 10, DurabilityPolicy.VOLATILE),
    "/tf": ("tf2_msgs/msg/TFMessage", 100, DurabilityPolicy.VOLATILE),
    "/tf_static": ("tf2_msgs/msg/TFMessage", 1, DurabilityPolicy.TRANSIENT_LOCAL),
    "/joint_states": ("sensor_msgs/msg/JointState", 10, DurabilityPolicy.VOLATILE),
    "/wheel_states": ("skidpad/msg/WheelStates", 10, DurabilityPolicy.VOLATILE),
    "/collision": ("std_msgs/msg/Bool", 10, DurabilityPolicy.VOLATILE),
    "/map": ("nav_msgs/msg/OccupancyGrid", 1, DurabilityPolicy.TRANSIENT_LOCAL),
    "/map_metadata": ("nav_msgs/msg/MapMetaData", 1, DurabilityPolicy.TRANSIENT_LOCAL),
}


def yaw(q):
    return math.atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y**2 + q.z**2))


def publishers_of_known_nodes(peer, topic):
    publishers = peer.node.get_publishers_info_by_topic(topic)
    return publishers if all(p.node_name != "_NODE_NAME_UNKNOWN_" for p in publishers) else None


def test_every_topic_has_one_publisher_of_the_agreed_type_and_quality(reuse, peer):
    reuse()
    clock = peer.listen(Clock, "/clock")
    peer.spin_until(lambda: clock, awaited="/clock")
    peer.spin_until(lambda: peer.node.get_publishers_info_by_topic("/map_metadata"), awaited="/map_metadata")
    for topic, (kind, depth, durability) in QOS.items():
        # The graph contains a publisher a moment before it contains its node.
        publishers = peer.spin_until(lambda: publishers_of_known_nodes(peer, topic), awaited=topic)
        assert len(publishers) == 1, topic
        qos = publishers[0].qos_profile
        assert publishers[0].topic_type == kind, topic
        assert publishers[0].node_name == "skidpad"
        assert qos.reliability == ReliabilityPolicy.RELIABLE, topic
        assert qos.durability == durability, topic
        # Fast DDS does not report the history in the graph; if reported, it has to be the agreed one.
        if qos.history == HistoryPolicy.KEEP_LAST:
            assert qos.depth == depth, topic
        else:
            assert qos.history == HistoryPolicy.UNKNOWN, topic


def test_one_step_has_one_stamp_and_the_clock_is_never_behind(reuse, peer):
    # Slow, so that a busy machine loses no message.
    reuse(rate=0.5)
    order = []

    def note(kind):
        return lambda message: order.append((kind, message))

    for kind, topic in ((Clock, "/clock"), (TFMessage, "tf"), (Odometry, "odom"), (LaserScan, "scan")):
        peer.node.create_subscription(kind, topic, note(topic), 100)
    scans = lambda: [m for kind, m in order if kind == "scan"]  # noqa: E731
    peer.spin_until(lambda: len(scans()) >= 80, awaited="80 scans")

    by_topic = {topic: [m for kind, m in order if kind == topic] for topic in ("/clock", "tf", "odom", "scan")}
    transforms = {nanoseconds(m.transforms[0].header.stamp) for m in by_topic["tf"]}
    clocks = [nanoseconds(m.clock) for m in by_topic["/clock"]]
    begin = max(min(transforms), clocks[0])
    for topic in ("odom", "scan"):
        stamps = [nanoseconds(m.header.stamp) for m in by_topic[topic]]
        assert all(later > earlier for earlier, later in zip(stamps, stamps[1:])), topic
        assert 0 not in stamps
        # The last ones may be on their way still.
        settled = [s for s in stamps if begin <= s <= min(max(transforms), max(clocks))]
        assert len(settled) > 50
        assert set(settled) <= transforms, f"{topic} without a transform of its stamp"
        assert set(settled) <= set(clocks), f"{topic} without a clock of its stamp"
    assert all(later >= earlier for earlier, later in zip(clocks, clocks[1:]))


def test_rates_are_those_of_the_parameters_in_simulated_time(reuse, peer):
    reuse(odom_rate=20.0, clock_rate=125.0)
    clock = peer.listen(Clock, "/clock")
    heard = {
        "odom": peer.listen(Odometry, "odom"),
        "ground_truth": peer.listen(Odometry, "ground_truth"),
        "joint_states": peer.listen(JointState, "joint_states"),
        "wheel_states": peer.listen(WheelStates, "wheel_states"),
        "scan": peer.listen(LaserScan, "scan"),
    }
    peer.spin_until(lambda: all(len(messages) > 60 for messages in heard.values()), awaited="60 of each")
    for topic, messages in heard.items():
        # The median: a machine that stalls for a moment costs instants, which the node counts and reports.
        rate = 1.0 / np.median(np.diff([seconds(m.header.stamp) for m in messages]))
        expected = 40.0 if topic == "scan" else 20.0
        assert abs(rate / expected - 1) < 0.01, f"{topic}: {rate} Hz"
    assert np.median(np.diff([seconds(m.clock) for m in clock])) <= 0.01


def test_frames_make_one_tree_from_odom_to_the_sensor(reuse, peer):
    reuse()
    tf = peer.listen(TFMessage, "tf")
    static = peer.listen(TFMessage, "tf_static", LATCHED)
    odom = peer.listen(Odometry, "odom")
    truth = peer.listen(Odometry, "ground_truth")
    scan = peer.listen(LaserScan, "scan")
    joints = peer.listen(JointState, "joint_states")
    peer.spin_until(lambda: tf and static and odom and truth and scan and joints, awaited="all of them")
    parents = {}
    for message in (tf[-1], static[-1]):
        for transform in message.transforms:
            assert transform.child_frame_id not in parents
            parents[transform.child_frame_id] = transform.header.frame_id
            rotation = transform.transform.rotation
            assert math.isclose(rotation.x**2 + rotation.y**2 + rotation.z**2 + rotation.w**2, 1.0, rel_tol=1e-9)
    assert parents["base_footprint"] == "odom"
    assert parents["base_link"] == "base_footprint"
    assert parents[scan[-1].header.frame_id] == "base_link"
    assert "odom" not in parents, "map to odom belongs to AMCL or SLAM"
    assert (odom[-1].header.frame_id, odom[-1].child_frame_id) == ("odom", "base_footprint")
    assert (truth[-1].header.frame_id, truth[-1].child_frame_id) == ("map", "base_footprint")
    assert len(joints[-1].name) == len(joints[-1].position) == len(joints[-1].velocity) == len(joints[-1].effort) == 6
    covariance = np.array(odom[-1].pose.covariance).reshape(6, 6)
    assert (np.diag(covariance) > 0).all() and covariance[2, 2] == 1e6
    assert (np.diag(np.array(odom[-1].twist.covariance).reshape(6, 6)) > 0).all()


def test_true_map_to_odom_is_published_on_request(reuse, peer):
    reuse(publish_map_to_odom=True)
    tf = peer.listen(TFMessage, "tf")
    truth = peer.listen(Odometry, "ground_truth")

    def newest_of_one_time():
        at = {nanoseconds(m.transforms[0].header.stamp): m for m in tf}
        return next(((at[nanoseconds(m.header.stamp)], m) for m in reversed(truth) if nanoseconds(m.header.stamp) in at), None)

    tf_message, message = peer.spin_until(newest_of_one_time, awaited="transforms and a true pose of one time")
    transforms = {t.child_frame_id: t.transform for t in tf_message.transforms}
    assert set(transforms) == {"odom", "base_footprint"}
    map_odom, odom_base = transforms["odom"], transforms["base_footprint"]
    angle = yaw(map_odom.rotation)
    x = map_odom.translation.x + math.cos(angle) * odom_base.translation.x - math.sin(angle) * odom_base.translation.y
    y = map_odom.translation.y + math.sin(angle) * odom_base.translation.x + math.cos(angle) * odom_base.translation.y
    assert math.isclose(x, message.pose.pose.position.x, abs_tol=1e-6)
    assert math.isclose(y, message.pose.pose.position.y, abs_tol=1e-6)


def test_scan_is_consistent_and_matches_the_map(reuse, peer):
    reuse(range_noise=0.0)
    scans = peer.listen(LaserScan, "scan")
    truths = peer.listen(Odometry, "ground_truth")
    static = peer.listen(TFMessage, "tf_static", LATCHED)
    maps = peer.listen(OccupancyGrid, "map", LATCHED)
    peer.spin_until(lambda: len(scans) > 3 and truths and static and maps, awaited="a scan and a map")
    scan, grid, truth = scans[-1], maps[-1], truths[-1]

    assert len(scan.ranges) == 1081
    increment = np.float32(scan.angle_increment)
    count = int(np.round((np.float32(scan.angle_max) - np.float32(scan.angle_min)) / increment)) + 1
    assert count == len(scan.ranges)
    assert math.isclose(scan.scan_time, 0.025, rel_tol=1e-6) and scan.time_increment == 0.0
    ranges = np.array(scan.ranges)
    finite = np.isfinite(ranges)
    assert (ranges[finite] >= scan.range_min).all() and (ranges[finite] <= scan.range_max).all()
    assert finite.sum() > 100, "the world has walls around"

    # The vehicle stands still, so that any ground truth is that of the scan.
    mount = next(t.transform for t in static[-1].transforms if t.child_frame_id == scan.header.frame_id)
    pose = truth.pose.pose
    heading = yaw(pose.orientation)
    origin = np.array(
        [
            pose.position.x + math.cos(heading) * mount.translation.x - math.sin(heading) * mount.translation.y,
            pose.position.y + math.sin(heading) * mount.translation.x + math.cos(heading) * mount.translation.y,
        ]
    )
    heading += yaw(mount.rotation)
    cells = np.array(grid.data, dtype=np.int8).reshape(grid.info.height, grid.info.width)
    resolution = grid.info.resolution
    corner = np.array([grid.info.origin.position.x, grid.info.origin.position.y])
    turn = yaw(grid.info.origin.orientation)
    from_world = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])

    def march(angle):
        """Distance to the first occupied cell, in steps of a twentieth of a cell."""
        direction = np.array([math.cos(angle), math.sin(angle)])
        distances = np.arange(0.0, scan.range_max, resolution / 20)
        points = (origin + distances[:, None] * direction - corner) @ from_world.T
        index = np.floor(points / resolution).astype(int)
        inside = (index >= 0).all(axis=1) & (index[:, 0] < grid.info.width) & (index[:, 1] < grid.info.height)
        hit = np.zeros(len(distances), dtype=bool)
        hit[inside] = cells[index[inside, 1], index[inside, 0]] >= 65
        return distances[np.argmax(hit)] if hit.any() else math.inf

    checked = 0
    for beam in range(0, 1081, 27):
        expected = march(heading + scan.angle_min + beam * scan.angle_increment)
        if math.isfinite(expected) and math.isfinite(ranges[beam]):
            assert abs(ranges[beam] - expected) <= 1.5 * resolution, f"beam {beam}: {ranges[beam]} m, map {expected} m"
            checked += 1
    assert checked >= 10


def test_late_subscribers_get_the_map_and_the_static_transforms(reuse, peer, another_peer):
    reuse()
    clock = peer.listen(Clock, "/clock")
    peer.spin_until(lambda: clock and seconds(clock[-1].clock) > 1.0, awaited="a second")
    late = another_peer()
    maps = late.listen(OccupancyGrid, "map", LATCHED)
    metadata = late.listen(MapMetaData, "map_metadata", LATCHED)
    static = late.listen(TFMessage, "tf_static", LATCHED)
    late.spin_until(lambda: maps and metadata and static, awaited="latched messages")
    assert len(maps[0].data) == maps[0].info.width * maps[0].info.height > 0
    assert metadata[0] == maps[0].info
    assert maps[0].header.frame_id == "map" and nanoseconds(maps[0].header.stamp) > 0
    assert {t.child_frame_id for t in static[0].transforms} == {"base_link", "scan"}


def test_several_vehicles_have_topics_of_their_own_and_equal_frames(reuse, peer):
    reuse(TWO_ROBOTS)
    tf = {name: peer.listen(TFMessage, f"{name}/tf") for name in ("r1", "r2")}
    static = {name: peer.listen(TFMessage, f"{name}/tf_static", LATCHED) for name in ("r1", "r2")}
    scans = {name: peer.listen(LaserScan, f"{name}/scan") for name in ("r1", "r2")}
    bumps = {name: peer.listen(Bool, f"{name}/collision") for name in ("r1", "r2")}
    ready = lambda: all(all(h.values()) for h in (tf, static, scans, bumps))  # noqa: E731
    peer.spin_until(ready, awaited="both vehicles")
    for name in ("r1", "r2"):
        assert tf[name][-1].transforms[0].header.frame_id == "odom"
        assert tf[name][-1].transforms[0].child_frame_id == "base_footprint"
        assert scans[name][-1].header.frame_id == "scan"
        assert bumps[name][-1].data is False
    names = lambda: dict(peer.node.get_topic_names_and_types()).keys()  # noqa: E731
    # Those of a world before this one go.
    peer.spin_until(lambda: not {"/odom", "/scan", "/tf", "/cmd_vel", "/r1/clock", "/r1/map"} & names(), awaited="the end of bare names")
    assert "/clock" in names()


def test_namespace_remaps_and_forced_vehicle_names(simulate, peer):
    simulator = simulate(
        ros_args=("-r", "__ns:=/lab", "-r", "scan:=front/scan", "-r", "__node:=sim", "-p", "force_vehicle_namespace:=true")
    )
    clock = peer.listen(Clock, "/clock")
    odom = peer.listen(Odometry, "/lab/racecar/odom")
    peer.spin_until(lambda: clock and odom, awaited="the clock without and odometry with the namespace")
    simulator.stop()

    simulate(ros_args=("-r", "__ns:=/lab", "-r", "scan:=front/scan", "-r", "__node:=sim"))
    scan = peer.listen(LaserScan, "/lab/front/scan")
    peer.spin_until(lambda: scan, awaited="the remapped scan")
    renamed = {"/lab/sim/reset", "/lab/sim/set_parameters"}
    peer.spin_until(lambda: renamed <= dict(peer.node.get_service_names_and_types()).keys(), awaited="the renamed services")
