"""Recordings of skidpad, opened by readers that others wrote: PyPI rosbags, mcap and mcap-ros2-support; and rosbag2_py where
a ROS is sourced that has it. Right topics, types, times and values, of a run that ended and of one that was killed.

Run by `make test-reference`, which sets SKIDPAD_BIN.
"""

import math
import os
import pathlib
import subprocess
import time

import pytest
from mcap.reader import NonSeekingReader, make_reader
from mcap_ros2.decoder import DecoderFactory
from rosbags.highlevel import AnyReader

CAR = """<mvsim_world version="1.0"><simul_timestep>0.005</simul_timestep>
  <element class="occupancy_grid"><file>map.yaml</file></element>
  <vehicle name="car"><init_pose>1 2 90</init_pose>
    <dynamics class="ackermann"><controller class="front_steer_pid"/></dynamics>
    <sensor class="laser" name="scan"><nrays>181</nrays><sensor_period>0.05</sensor_period></sensor>
  </vehicle></mvsim_world>"""
TYPES = {
    "/ackermann_cmd": ("ackermann_msgs/msg/AckermannDriveStamped", 1),
    "/chassis_markers": ("visualization_msgs/msg/MarkerArray", 17),
    "/chassis_polygon": ("geometry_msgs/msg/PolygonStamped", 20),
    "/collision": ("std_msgs/msg/Bool", 100),
    "/ground_truth": ("nav_msgs/msg/Odometry", 100),
    "/joint_states": ("sensor_msgs/msg/JointState", 100),
    "/map": ("nav_msgs/msg/OccupancyGrid", 1),
    "/map_metadata": ("nav_msgs/msg/MapMetaData", 1),
    "/moving_markers": ("visualization_msgs/msg/MarkerArray", 17),
    "/odom": ("nav_msgs/msg/Odometry", 100),
    "/robot_description": ("std_msgs/msg/String", 1),
    "/scan": ("sensor_msgs/msg/LaserScan", 40),
    "/tf": ("tf2_msgs/msg/TFMessage", 120),
    "/tf_static": ("tf2_msgs/msg/TFMessage", 1),
    "/vehicle_state": ("skidpad/msg/VehicleState", 100),
    "/wheel_states": ("skidpad/msg/WheelStates", 100),
    "/world_markers": ("visualization_msgs/msg/MarkerArray", 1),
}
#: It tells of the machine: there after a second of wall time.
HEALTH = "/diagnostics"


def command(folder, *arguments):
    program = os.environ.get("SKIDPAD_BIN", "target/debug/skidpad")
    return [str(pathlib.Path(program).resolve()), "run", str(folder / "car.world.xml"), "--no-ros", "--headless", *arguments]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recordings")
    (folder / "car.world.xml").write_text(CAR)
    (folder / "map.pgm").write_bytes(b"P5 100 100 255\n" + bytes([254] * 9999 + [0]))
    (folder / "map.yaml").write_text(
        "image: map.pgm\nresolution: 0.1\norigin: [-5, -5, 0]\noccupied_thresh: 0.65\nfree_thresh: 0.2\nnegate: 0\n"
    )
    (folder / "drive.csv").write_text("time,vehicle,speed,steering_angle\n0.5,car,2,0.1\n")
    return folder


@pytest.fixture(scope="module", params=["none", "zstd", "lz4"])
def recording(folder, request):
    path = folder / f"{request.param}.mcap"
    arguments = ["--rate", "max", "--duration", "2", "--commands", str(folder / "drive.csv")]
    subprocess.run(
        command(folder, *arguments, "--record", str(path), "--record-compression", request.param), check=True, timeout=120
    )
    return path


def test_rosbags_finds_types_times_and_values(recording):
    with AnyReader([recording]) as reader:
        assert {c.topic: (c.msgtype, c.msgcount) for c in reader.connections if c.topic != HEALTH} == TYPES
        latched = {c.topic for c in reader.connections if c.ext.offered_qos_profiles[0].durability.name == "TRANSIENT_LOCAL"}
        assert latched == {"/map", "/map_metadata", "/robot_description", "/tf_static", "/world_markers"}
        last, stamps = {}, []
        for connection, stamp, raw in reader.messages():
            message = reader.deserialize(raw, connection.msgtype)
            stamps.append(stamp)
            last[connection.topic] = message
            if hasattr(message, "header"):
                assert message.header.stamp.sec * 10**9 + message.header.stamp.nanosec == stamp
    assert stamps == sorted(stamps) and stamps[-1] == 2 * 10**9
    odometry, truth = last["/odom"], last["/ground_truth"]
    assert (odometry.header.frame_id, odometry.child_frame_id) == ("odom", "base_footprint")
    # The truth starts at (1, 2) heading along y, the odometry at 0 along x; both have gone the same way.
    assert truth.pose.pose.position.x == pytest.approx(1 - odometry.pose.pose.position.y, abs=0.05)
    assert truth.pose.pose.position.y == pytest.approx(2 + odometry.pose.pose.position.x, abs=0.05)
    assert odometry.pose.pose.position.x > 1
    assert odometry.pose.covariance.reshape(6, 6)[5, 5] > 0
    assert last["/joint_states"].name == ["rl_wheel", "rr_wheel", "fl_wheel", "fl_wheel_steer", "fr_wheel", "fr_wheel_steer"]
    scan = last["/scan"]
    assert len(scan.ranges) == 181 == round((scan.angle_max - scan.angle_min) / scan.angle_increment) + 1
    grid = last["/map"]
    assert (grid.info.width, grid.info.height, len(grid.data)) == (100, 100, 10000)
    wheels = last["/wheel_states"].wheels
    assert [wheel.name for wheel in wheels] == ["rl_wheel", "rr_wheel", "fl_wheel", "fr_wheel"]
    assert wheels[2].steer_angle > 0.05 and wheels[0].force.z > 0
    state = last["/vehicle_state"]
    assert (state.pose, state.twist) == (truth.pose.pose, truth.twist.twist)
    assert (state.header.frame_id, state.child_frame_id) == ("map", "base_footprint")
    assert (state.wanted_speed, state.wanted_steering_angle) == (2, pytest.approx(0.1))
    assert (state.gear, state.colliding, state.driver) == (0, False, state.NO_DRIVER)
    drive = last["/ackermann_cmd"].drive
    assert (drive.speed, drive.steering_angle) == (2, pytest.approx(0.1))


def test_the_official_reader_decodes_by_the_definitions_in_the_file(recording):
    with recording.open("rb") as stream:
        reader = make_reader(stream, decoder_factories=[DecoderFactory()], validate_crcs=True)
        assert reader.get_header().profile == "ros2"
        statistics = reader.get_summary().statistics
        counts = {}
        for schema, channel, _, content in reader.iter_decoded_messages():
            assert schema.encoding == "ros2msg" and channel.message_encoding == "cdr"
            counts[channel.topic] = (schema.name, counts.get(channel.topic, ("", 0))[1] + 1)
            if channel.topic == "/tf":
                rotation = content.transforms[0].transform.rotation
                assert math.hypot(rotation.x, rotation.y, rotation.z, rotation.w) == pytest.approx(1)
    assert statistics.message_count == sum(count for _, count in counts.values())
    counts.pop(HEALTH, None)
    assert counts == TYPES


def test_a_killed_run_opens_everywhere_and_lacks_its_end_alone(folder):
    path = folder / "killed.mcap"
    begun = time.monotonic()
    with subprocess.Popen(command(folder, "--record", str(path), "--record-topics", "/odom")) as process:
        while not path.exists() or path.stat().st_size < 100_000:
            time.sleep(0.05)
            assert time.monotonic() < begun + 60
        process.kill()
    with path.open("rb") as stream:
        indexed = [m.log_time for _, _, m, _ in make_reader(stream, decoder_factories=[DecoderFactory()]).iter_decoded_messages()]
    with path.open("rb") as stream:
        linear = [m.log_time for _, _, m in NonSeekingReader(stream).iter_messages()]
    with AnyReader([path]) as reader:
        rosbags = [stamp for _, stamp, _ in reader.messages()]
        assert reader.message_count == len(rosbags)
    assert indexed == linear == rosbags
    # Every 20 ms from the beginning, and no hole: 100 kB are more than two seconds.
    assert rosbags == [20_000_000 * (index + 1) for index in range(len(rosbags))] and len(rosbags) > 100


# DataEnd, Footer and MCAP's magic: what follows the content of a recording that has no index yet.
END = b"\x0f\x04" + bytes(11) + b"\x02\x14" + bytes(27) + b"\x89MCAP0\r\n"


def test_a_run_without_a_pace_can_be_killed_at_any_moment(folder):
    read_by_rosbags = 0
    for kill in range(8):
        path = folder / f"killed{kill}.mcap"
        with subprocess.Popen(command(folder, "--rate", "max", "--record", str(path), "--record-topics", "/odom")) as process:
            begun = time.monotonic()
            while not path.exists() or path.stat().st_size < 200_000 * kill:
                assert time.monotonic() < begun + 60
            process.kill()
        with path.open("rb") as stream:
            indexed = [m.log_time for _, _, m in make_reader(stream).iter_messages()]
        with path.open("rb") as stream:
            linear = [m.log_time for _, _, m in NonSeekingReader(stream).iter_messages()]
        assert indexed == linear == [20_000_000 * (index + 1) for index in range(len(indexed))]
        # Between two short calls the file has an end within, too. rosbags goes on behind it, into the length that the magic
        # makes there: 2.8e15 bytes, to which some file systems can seek and some cannot (src/record/disk.rs).
        if path.read_bytes().count(END) == 1:
            with AnyReader([path]) as reader:
                assert [stamp for _, stamp, _ in reader.messages()] == linear
            read_by_rosbags += 1
    assert read_by_rosbags >= 6


def test_ros2_bag_reads_them_too(recording):
    rosbag2_py = pytest.importorskip("rosbag2_py", reason="no ROS with rosbag2 is sourced; PyPI has none")
    reader = rosbag2_py.SequentialReader()
    reader.open(rosbag2_py.StorageOptions(uri=str(recording), storage_id="mcap"), rosbag2_py.ConverterOptions("cdr", "cdr"))
    counts = {t.topic_metadata.name: t.message_count for t in reader.get_metadata().topics_with_message_count}
    assert counts == {topic: count for topic, (_, count) in TYPES.items()}


def test_pictures_of_cameras_are_recorded_and_read(folder):
    path = folder / "cameras.mcap"
    box = """<block name="box"><static>true</static><color>#c83214</color><zmin>0</zmin><zmax>2</zmax><init_pose>0 5 0</init_pose>
      <shape><pt>-1 -0.5</pt><pt>1 -0.5</pt><pt>1 0.5</pt><pt>-1 0.5</pt></shape></block><lights><light_ambient>1</light_ambient></lights>"""
    size = "".join(f"<{half}_ncols>80</{half}_ncols><{half}_nrows>60</{half}_nrows>" for half in ("rgb", "depth"))
    middle = "".join(f"<{half}_cx>40</{half}_cx><{half}_cy>30</{half}_cy>" for half in ("rgb", "depth"))
    cameras = f"""<sensor class="camera" name="front"><ncols>64</ncols><nrows>48</nrows><cx>32</cx><cy>24</cy>
      <ignore_parent_body>true</ignore_parent_body><jpeg_quality>80</jpeg_quality></sensor>
      <sensor class="rgbd_camera" name="eye">{size}{middle}<depth_noise_sigma>0</depth_noise_sigma>
      <ignore_parent_body>true</ignore_parent_body></sensor></vehicle>{box}"""
    (folder / "cameras.world.xml").write_text(CAR.replace("1 2 90", "0 0 90").replace("</vehicle>", cameras))
    arguments = command(folder, "--rate", "max", "--duration", "1", "--record", str(path))
    arguments[2] = str(folder / "cameras.world.xml")
    subprocess.run(arguments, check=True, timeout=120)
    with AnyReader([path]) as reader:
        types = {c.topic: (c.msgtype.split("/")[-1], c.msgcount) for c in reader.connections}
        last = {c.topic: reader.deserialize(raw, c.msgtype) for c, _, raw in reader.messages()}
    for name, kind in [
        ("/front/image_raw", "Image"), ("/front/camera_info", "CameraInfo"), ("/front/image_raw/compressed", "CompressedImage"),
        ("/eye_rgb/image_raw", "Image"), ("/eye_rgb/camera_info", "CameraInfo"), ("/eye_depth/image_raw", "Image"),
        ("/eye_depth/camera_info", "CameraInfo"), ("/eye_points", "PointCloud2"),
    ]:  # fmt: skip
        assert types[name] == (kind, 10), name
    image = last["/front/image_raw"]
    assert (image.width, image.height, image.encoding, image.header.frame_id) == (64, 48, "bgr8", "front")
    assert tuple(image.data.reshape(48, 64, 3)[24, 32]) == (0x14, 0x32, 0xC8)
    depth = last["/eye_depth/image_raw"]
    assert depth.data.view("<u2").reshape(60, 80)[30, 40] == 4500
    points = last["/eye_points"]
    assert tuple(points.data.view("<f4").reshape(60, 80, 4)[30, 40, :3]) == pytest.approx((4.5, 0, 0), abs=1e-3)
    assert last["/front/camera_info"].p[2] == 32
