"""Large messages through the shared memory of Fast DDS: they arrive, and small ones beside them, because the node sizes that memory for its world; otherwise it says so."""

import os
import pathlib
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile

import pytest
from nav_msgs.msg import Odometry
from rclpy.qos import QoSProfile, ReliabilityPolicy, qos_profile_sensor_data
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import CameraInfo, Image, LaserScan, PointCloud2
from tf2_msgs.msg import TFMessage

from conftest import BINARY, MIDDLEWARE, PATIENCE, ROOT, TWO_ROBOTS, WORLDS, nanoseconds

pytestmark = pytest.mark.skipif(not MIDDLEWARE.startswith("rmw_fastrtps"), reason=f"about the shared memory of Fast DDS, and the middleware is {MIDDLEWARE}")

# Each robot sends 1.5 MB at once: depth camera 0.6 MB of points and 0.2 MB of pictures, lidar 0.4 MB, camera 0.3 MB.
ROBOT = """<vehicle name="{name}" class="diffbot">
    <init_pose>0 {y} 0</init_pose>
    <include file="{worlds}/sensors/rgbd_camera.sensor.xml" name="eye" x="0.5" ncols="200" nrows="180" fx="125" fy="125" cx="100" cy="90" rate_hz="1"/>
    <include file="{worlds}/sensors/lidar3d.sensor.xml" name="lidar" z="0.5" rings="32" columns="600" organized="true" instantaneous="true" rate_hz="1"/>
  </vehicle>"""
WORLD = """<mvsim_world>
  <include file="{worlds}/vehicles/diffbot.vehicle.xml"/>
  {robots}
</mvsim_world>"""
NAMES = ("r1", "r2")
# Topics of a robot, of which one message belongs to each instant; the first is small.
SMALL = {"eye_depth/camera_info": CameraInfo}
LARGE = {"eye_points": PointCloud2, "eye_depth/image_raw": Image, "eye_rgb/image_raw": Image, "lidar_points": PointCloud2}
INSTANTS = 5
# Of the planar lidar [Hz].
SCAN_RATE = 10
# For small messages: none waits longer than a large one takes to be read here.
OFTEN = QoSProfile(depth=2000, reliability=ReliabilityPolicy.BEST_EFFORT)
# How every warning begins.
WARNING = "Fast DDS: "


@pytest.fixture
def world(tmp_path):
    path = tmp_path / "large.world.xml"
    robots = "\n  ".join(ROBOT.format(name=name, y=3 * place, worlds=WORLDS) for place, name in enumerate(NAMES))
    path.write_text(WORLD.format(worlds=WORLDS, robots=robots))
    return path


def segments(process):
    """Sizes of the segments that this process has made [bytes]: it keeps their locks open."""
    folder = pathlib.Path(f"/proc/{process.pid}/fd")
    locks = [os.readlink(entry) for entry in folder.iterdir() if entry.is_symlink()]
    made = [lock[:-3] for lock in locks if lock.startswith("/dev/shm/fast") and lock.endswith("_el") and "_port" not in lock]
    return [os.path.getsize(segment) for segment in made]


def recorded(folder):
    """The stamps [ns] on each topic of a recording in the format of ros2 bag."""
    (file,) = folder.glob("*.db3")
    rows = sqlite3.connect(file).execute("SELECT name, data FROM messages JOIN topics ON topics.id = topic_id").fetchall()
    stamps = {}
    for name, data in rows:
        # Behind the encapsulation of 4 bytes a header begins with seconds and nanoseconds.
        seconds, nanosecond = struct.unpack_from("<iI", data, 4)
        stamps.setdefault(name, set()).add(seconds * 10**9 + nanosecond)
    return stamps


@pytest.mark.alone
def test_everything_arrives_when_points_pictures_scans_and_transforms_are_read_at_once(simulate, peer, world, tmp_path, domain):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    simulator = simulate(world, environment={"TMPDIR": str(temporary)})
    heard = {}
    for robot in NAMES:
        for topic, kind in (SMALL | LARGE).items():
            heard[f"/{robot}/{topic}"] = peer.listen(kind, f"/{robot}/{topic}", qos_profile_sensor_data)
        for topic, kind in {"scan": LaserScan, "odom": Odometry, "tf": TFMessage}.items():
            heard[f"/{robot}/{topic}"] = peer.listen(kind, f"/{robot}/{topic}", OFTEN)
    of_instants = [f"/{robot}/{topic}" for robot in NAMES for topic in SMALL | LARGE]
    bag = tmp_path / "bag"
    recorder = subprocess.Popen(
        [sys.executable, str(ROOT / "ros/cli/ros2"), "bag", "record", "--output", str(bag), *of_instants],
        env=os.environ | {"ROS_DOMAIN_ID": str(domain)}, stdout=subprocess.PIPE, text=True)
    try:
        for _ in of_instants:
            assert recorder.stdout.readline().startswith("Subscribed to topic")
        # Both readers know all topics once this has come on each.
        peer.spin_until(lambda: all(heard.values()) and recorded(bag).keys() == set(of_instants), awaited="a message on each topic, also in the recording")
        stamps = lambda name: {nanoseconds(message.header.stamp) for message in heard[name]}  # noqa: E731
        start = max(max(stamps(name) | recorded(bag)[name]) for name in of_instants)
        complete = lambda: set.intersection(*[{s for s in stamps(name) if s > start} for name in of_instants])  # noqa: E731
        peer.spin_until(lambda: len(complete()) >= INSTANTS, awaited=f"{INSTANTS} instants with a message on each topic")
        last = sorted(complete())[INSTANTS - 1]
        in_window = lambda in_topic: sorted(s for s in in_topic if start < s <= last)  # noqa: E731
        expected = in_window(stamps("/r1/eye_depth/camera_info"))
        assert len(expected) == (last - start) // 10**9, "each period has its instant"
        assert {name: in_window(stamps(name)) for name in of_instants} == dict.fromkeys(of_instants, expected)
        for robot in NAMES:
            for topic, rate in (("scan", SCAN_RATE), ("odom", 50)):
                in_topic = in_window(stamps(f"/{robot}/{topic}"))
                steps = [after - before for before, after in zip(in_topic, in_topic[1:])]
                assert steps == [10**9 // rate] * len(steps), f"{topic}: no gap"
            transforms = {nanoseconds(transform.header.stamp) for message in heard[f"/{robot}/tf"] for transform in message.transforms}
            assert set(in_window(stamps(f"/{robot}/odom"))) <= transforms, "transforms at the same times"
        in_bag = lambda: {name: in_window(in_topic) for name, in_topic in recorded(bag).items()}  # noqa: E731
        peer.spin_until(lambda: in_bag() == dict.fromkeys(of_instants, expected), awaited="the same instants in the recording, which it writes every second")
        recorder.send_signal(signal.SIGINT)
        assert recorder.wait(PATIENCE) == 0
    finally:
        recorder.kill()
    at_once = sum(len(heard[f"/{robot}/{topic}"][-1].data) for robot in NAMES for topic in LARGE)
    assert at_once > 2_000_000 and max(segments(simulator.process)) > 2 * at_once
    assert WARNING not in simulator.log
    assert list(temporary.iterdir()) == [], "Fast DDS has read the profile"


PROFILE = """<profiles xmlns="http://www.eprosima.com/XMLSchemas/fastRTPS_Profiles">{transports}
  <participant profile_name="own" is_default_profile="true"><rtps>{use}</rtps></participant></profiles>"""
AS_BY_DEFAULT = PROFILE.format(transports="", use="")
# As FASTDDS_BUILTIN_TRANSPORTS=UDPv4, on this machine. Where the range of discovery is LOCALHOST, rmw_fastrtps adds shared memory to whatever is asked for.
NETWORK_ALONE = PROFILE.format(
    transports="<transport_descriptors><transport_descriptor><transport_id>udp</transport_id><type>UDPv4</type>"
    "<interfaceWhiteList><address>127.0.0.1</address></interfaceWhiteList></transport_descriptor></transport_descriptors>",
    use="<userTransports><transport_id>udp</transport_id></userTransports><useBuiltinTransports>false</useBuiltinTransports>")
SUBNET = {"ROS_AUTOMATIC_DISCOVERY_RANGE": "SUBNET"}


@pytest.mark.parametrize(
    "variables, reason",
    [
        ({}, None),
        ({"RMW_IMPLEMENTATION": "rmw_fastrtps_cpp"}, None),
        ({"FASTDDS_BUILTIN_TRANSPORTS": "DEFAULT"}, "its shared memory has 0.6 MB"),
        ({"FASTRTPS_DEFAULT_PROFILES_FILE": "default.xml"}, "its shared memory has 0.6 MB"),
        (SUBNET | {"FASTRTPS_DEFAULT_PROFILES_FILE": "network.xml"}, "it uses no shared memory"),
    ],
)
def test_settings_of_the_user_stay_and_too_little_memory_is_a_warning(world, tmp_path, domain, variables, reason):
    (tmp_path / "default.xml").write_text(AS_BY_DEFAULT)
    (tmp_path / "network.xml").write_text(NETWORK_ALONE)
    done = subprocess.run(
        [BINARY, "run", world, "--headless", "--rate", "max", "--duration", "0.02"],
        env=os.environ | {"ROS_DOMAIN_ID": str(domain)} | variables, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    warnings = [line for line in done.stderr.splitlines() if WARNING in line]
    assert len(warnings) == (reason is not None), done.stderr
    if reason:
        assert f'{WARNING}{reason}, but this world sends up to ' in warnings[0]
        assert "hint: unset FASTRTPS_DEFAULT_PROFILES_FILE, FASTDDS_DEFAULT_PROFILES_FILE and FASTDDS_BUILTIN_TRANSPORTS" in done.stderr


# Somebody without a name, without whom root is alone on the machine.
NOBODY = {"user": 65534, "group": 65534, "extra_groups": []}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may start a program as another user")
@pytest.mark.parametrize("is_cured", [False, True])
def test_a_node_of_another_user_is_a_warning_with_a_cure_that_works(peer, domain, tmp_path, is_cured):
    try:
        subprocess.run([BINARY, "--version"], check=True, cwd="/", stdout=subprocess.DEVNULL, **NOBODY)
        subprocess.run(["cat", TWO_ROBOTS], check=True, stdout=subprocess.DEVNULL, **NOBODY)
    except (PermissionError, subprocess.CalledProcessError):
        pytest.skip(f"others may not run {BINARY}")
    heard = peer.listen(Clock, "/clock")
    log = tmp_path / "log"
    environment = os.environ | {"ROS_DOMAIN_ID": str(domain), "ROS_LOG_DIR": "/tmp", "HOME": "/tmp"}
    # In a folder that others may read.
    with open(log, "wb") as file, tempfile.NamedTemporaryFile("w", suffix=".xml") as profile:
        profile.write(NETWORK_ALONE)
        profile.flush()
        os.chmod(profile.name, 0o644)
        if is_cured:
            environment |= SUBNET | {"FASTRTPS_DEFAULT_PROFILES_FILE": profile.name}
        simulator = subprocess.Popen([BINARY, "run", TWO_ROBOTS, "--headless"], cwd="/", env=environment, stdin=subprocess.DEVNULL, stdout=file, stderr=file, **NOBODY)
        try:
            warned = lambda: "user 0 of this machine also has a node in ROS domain " in log.read_text()  # noqa: E731
            if is_cured:
                peer.spin_until(lambda: heard, awaited="the clock through the network")
                assert not warned()
            else:
                peer.spin_until(lambda: peer.node.count_publishers("/clock"), awaited="the topic, through discovery")
                peer.spin_until(warned, awaited="the warning")
                peer.spin_for(1.0)
                assert not heard, "data nevertheless: the warning is wrong"
                assert log.read_text().count("FASTDDS_BUILTIN_TRANSPORTS=UDPv4") == 1
        finally:
            simulator.kill()
            simulator.wait()
