"""Markers, footprints and logs as received by viewers; the files for RViz and Foxglove name existing topics."""

import json
import math
import pathlib
import re

import pytest
import yaml
from geometry_msgs.msg import PolygonStamped, Twist
from nav_msgs.msg import Odometry
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import Float64
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import Marker, MarkerArray

from conftest import LATCHED, OPEN, RACECAR, ROOT, TWO_ROBOTS, WORLDS

# Topics of nav2 itself, those of a driver, and those of the subscribed command type.
OF_NAV2 = {
    "/global_costmap/costmap", "/local_costmap/costmap", "/plan", "/local_plan", "/local_costmap/published_footprint", "/particle_cloud",
    "/goal_pose", "/initialpose", "/clicked_point",
}  # fmt: skip
OF_A_DRIVER = {"/reference_trajectory"}
HEARD = {"/cmd_vel"}
OF_ALL_NODES = {"/rosout"}
OF_HEALTH = {"/diagnostics"}


def named(array, namespace):
    return [marker for marker in array.markers if marker.ns == namespace]


def test_a_vehicle_shows_chassis_wheels_forces_and_paths_in_frames_that_there_are(reuse, peer):
    reuse(OPEN)
    shown = peer.listen(MarkerArray, "chassis_markers")
    polygons = peer.listen(PolygonStamped, "chassis_polygon")
    truth = peer.listen(Odometry, "ground_truth")
    fixed = peer.listen(TFMessage, "tf_static", LATCHED)
    moving = peer.listen(TFMessage, "tf", 100)
    publisher = peer.publisher(Twist, "cmd_vel")
    peer.spin_until(lambda: shown and truth and polygons and fixed and moving and peer.reaches(publisher), awaited="markers")
    command = Twist()
    command.linear.x, command.angular.z = 1.0, 1.0
    peer.drive(publisher, command, truth, 2.0)
    # Two messages in a row have the paths between them only once in five.
    with_paths = peer.spin_until(lambda: [array for array in shown if named(array, "path_truth")], awaited="paths")[-1]
    last = shown[-1]
    wheels = named(last, "wheels")
    assert [marker.type for marker in wheels] == [Marker.MESH_RESOURCE] * 4
    address = wheels[0].mesh_resource
    assert address.startswith("file:///") and pathlib.Path(address.removeprefix("file://")).is_file()
    # How far the axle, z of the mesh, points ahead.
    ahead = lambda q: 2 * (q.x * q.z + q.w * q.y)  # noqa: E731
    rear, front = ahead(wheels[0].pose.orientation), ahead(wheels[2].pose.orientation)
    assert abs(rear) < 1e-6 and abs(front) > 0.1
    forces = named(last, "forces")
    assert len(forces) == 4 and any(f.action == Marker.ADD for f in forces)
    arrow = next(f for f in forces if f.action == Marker.ADD)
    assert all(math.isfinite(c) for p in arrow.points for c in (p.x, p.y, p.z))
    outline = named(last, "chassis")[0]
    assert outline.type == Marker.LINE_STRIP and outline.points[0] == outline.points[-1]
    path, believed = named(with_paths, "path_truth")[0], named(with_paths, "path_odometry")[0]
    assert 5 < len(path.points) <= 1001 and (path.header.frame_id, believed.header.frame_id) == ("map", "odom")
    assert math.hypot(path.points[0].x - 1.0, path.points[0].y - 2.0) < 0.2

    polygon = polygons[-1]
    assert len(polygon.polygon.points) == len(outline.points) - 1 and polygon.header.stamp.sec + polygon.header.stamp.nanosec > 0
    frames = {t.child_frame_id for m in fixed + moving for t in m.transforms}
    frames |= {t.header.frame_id for m in fixed + moving for t in m.transforms} | {"map"}
    assert {m.header.frame_id for m in last.markers + with_paths.markers} | {polygon.header.frame_id} <= frames


def test_static_markers_are_latched_and_moving_ones_periodic(reuse, peer, another_peer):
    simulator = reuse(WORLDS / "block_push.world.xml")
    # Deep enough for all that comes while the world is loaded again.
    moving = peer.listen(MarkerArray, "moving_markers", 1000)
    peer.spin_until(lambda: len(moving) > 2, awaited="moving markers")
    # A viewer that listens through a change of worlds keeps nothing of the old one. The first message for a new viewer may be lost: the
    # program knows of it before it knows of the program.
    simulator.load(WORLDS / "block_push.world.xml")
    simulator.play({})
    begins = lambda: [place for place, array in enumerate(moving) if place > 1 and array.markers[0].action == Marker.DELETEALL]  # noqa: E731
    begin = peer.spin_until(begins, awaited="the markers of the new world")[-1]
    peer.spin_until(lambda: len(moving) > begin + 2, awaited="moving markers of the new world")
    first, last = moving[begin].markers[1:], moving[-1].markers
    assert {(m.ns, m.id) for m in first} == {(m.ns, m.id) for m in last}
    keys = [(m.ns, m.id) for m in last]
    assert len(keys) == len(set(keys)) and all(m.header.frame_id == "map" for m in last)
    assert any(m.ns == "names" for m in last) and any(m.ns.endswith("/wheels") for m in last)
    assert any(m.ns == "moving_blocks" for m in last)

    late = another_peer()
    world = late.listen(MarkerArray, "world_markers", QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL))
    array = late.spin_until(lambda: world, awaited="the world's markers")[0]
    assert array.markers[0].action == Marker.DELETEALL
    late.spin_for(0.5)
    assert len(world) == 1, "it is published once"


def test_log_topics_are_the_columns_of_the_csv_log(simulate, peer, tmp_path):
    simulate(OPEN, ["-p", "publish_log_topics:=true", "-p", "log_rate:=100.0"], ["--csv", str(tmp_path / "csv")])
    times = peer.listen(Float64, "log/pose/Timestamp")
    positions = peer.listen(Float64, "log/pose/q0x")
    loads = peer.listen(Float64, "log/wheel_4/force_z")
    peer.spin_until(lambda: len(times) > 20 and len(positions) > 20 and len(loads) > 20, awaited="values")
    rows = lambda kind: next((tmp_path / "csv").glob(f"session_*/*_{kind}.csv")).read_text().splitlines()  # noqa: E731
    kinds = ("pose", "wheel_1", "wheel_4")
    # They reach the file about half a second late.
    peer.spin_until(lambda: all(len(rows(kind)) > 1 for kind in kinds), awaited="rows")
    columns = {kind: [name.strip() for name in rows(kind)[0].split(",")] for kind in kinds}
    expected = {f"/log/{kind}/{column}" for kind, names in columns.items() for column in names}
    topics = lambda: [name for name, _ in peer.node.get_topic_names_and_types() if name.startswith("/log/")]  # noqa: E731
    count = len(columns["pose"]) + 4 * len(columns["wheel_1"])
    peer.spin_until(lambda: expected <= set(topics()) and len(topics()) == count, awaited=f"{count} topics with values of the log")
    steps = [later.data - earlier.data for earlier, later in zip(times, times[1:])]
    assert all(math.isclose(step, 0.01, abs_tol=1e-9) for step in steps), steps
    assert math.isclose(positions[-1].data, 1.0, abs_tol=0.05) and loads[-1].data > 0.0


def published(simulator):
    """Name and type of the topics that the program lists as published."""
    lines = simulator.log.splitlines()
    start = next(i for i, line in enumerate(lines) if line.strip().startswith("publishes"))
    topics = {}
    for line in lines[start:]:
        words = line.replace("publishes", "").split()
        if len(words) != 2 or line.strip().startswith(("listens to", "offers")):
            break
        topics[words[0]] = words[1]
    return topics


def rviz_topics(path):
    shown = yaml.safe_load(path.read_text())["Visualization Manager"]
    displays = [entry for entry in shown["Displays"] if "Topic" in entry]
    topics = {entry["Topic"]["Value"]: entry["Class"].split("/")[1] for entry in displays}
    depths = [entry for entry in shown["Displays"] if entry["Class"].endswith("/DepthCloud")]
    topics |= {entry[name]: "Image" for entry in depths for name in ("Depth Map Topic", "Color Image Topic")}
    return topics, shown["Global Options"]["Fixed Frame"]


TYPES = {
    "MarkerArray": "visualization_msgs/msg/MarkerArray",
    "Odometry": "nav_msgs/msg/Odometry",
    "LaserScan": "sensor_msgs/msg/LaserScan",
    "Polygon": "geometry_msgs/msg/PolygonStamped",
    "Map": "nav_msgs/msg/OccupancyGrid",
    "PointCloud2": "sensor_msgs/msg/PointCloud2",
    "Image": "sensor_msgs/msg/Image",
}
HILL = WORLDS / "hill_with_trees.world.xml"


@pytest.mark.parametrize(
    ("files", "world", "arguments", "variables"),
    [
        (["single"], RACECAR, [], {}),
        (["nav2"], WORLDS / "nav2.world.xml", [], {"depth_camera": 1}),
        (["racecar"], RACECAR, ["-p", "preset:=racecar_gazebo"], {"camera": 2, "camera_rate_hz": 0.01}),
        (["sensors"], HILL, [], {"EVERY_COLUMN": 16, "PIXELS": 32}),
        (["fleet"], TWO_ROBOTS, [], {}),
    ],
)
def test_files_for_viewers_name_topics_that_are_published(simulate, peer, files, world, arguments, variables):
    simulator = simulate(world, arguments, [word for name, value in variables.items() for word in ("--set", f"{name}={value}")])
    topics = peer.spin_until(lambda: "listens to" in simulator.log and published(simulator), awaited="the list")
    for file in files:
        wanted, fixed_frame = rviz_topics(ROOT / "rviz" / f"{file}.rviz")
        assert fixed_frame in ("map", "odom")
        for topic, kind in wanted.items():
            # A fleet need not have a map, the racecar's is a map server's, and what is nav2's is not the simulator's.
            if (topic in OF_NAV2 and file == "nav2") or (topic == "/map" and file in ("fleet", "racecar")):
                continue
            assert topic in topics, (file, topic, sorted(topics))
            assert topics[topic] == TYPES[kind], (file, topic)
    layouts = {"single": "skidpad", "sensors": "sensors"}
    for file in set(files) & set(layouts):
        check_foxglove_layout(topics, layouts[file])


def check_foxglove_layout(topics, name):
    """Every topic, field and panel that the layout names is there."""
    layout = json.loads((ROOT / "foxglove" / f"{name}.json").read_text())
    panels = layout["configById"]
    text = json.dumps(panels)
    named_topics = set(re.findall(r'"(/[a-z_]+(?:/[a-z_]+)*)[".]', text))
    known = set(topics) | OF_NAV2 | OF_A_DRIVER | HEARD | OF_ALL_NODES | OF_HEALTH
    assert named_topics <= known, named_topics - known
    # Every panel of the layout is there, and every one that is there is in the layout.
    placed = set(re.findall(r'"([A-Za-z0-9]+![a-z0-9]+)"', json.dumps(layout["layout"]) + json.dumps([p.get("tabs", "") for p in panels.values()])))
    assert placed == set(panels)
    import skidpad.msg

    fields = skidpad.msg.WheelState.get_fields_and_field_types()
    for name in re.findall(r"/wheel_states\.wheels\[\d\]\.([a-z_]+)", text):
        assert name in fields, name
