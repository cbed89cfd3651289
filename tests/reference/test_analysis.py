"""`skidpad analyze` on bags that the independent writer of PyPI's rosbags made, against numpy on the same numbers."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from rosbags.highlevel import AnyReader
from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin, Writer
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

SKIDPAD = os.environ.get("SKIDPAD_BIN", str(Path(__file__).parents[2] / "target/debug/skidpad"))

STORE = get_typestore(Stores.ROS2_HUMBLE)
STORE.register(
    get_types_from_msg(
        "float32 steering_angle\nfloat32 steering_angle_velocity\nfloat32 speed\nfloat32 acceleration\nfloat32 jerk",
        "ackermann_msgs/msg/AckermannDrive",
    )
)
STORE.register(
    get_types_from_msg(
        "std_msgs/Header header\nackermann_msgs/AckermannDrive drive", "ackermann_msgs/msg/AckermannDriveStamped"
    )
)

# The study's rates.
ODOMETRY_RATE, REFERENCE_RATE = 20.0, 100.0


def message(name, **fields):
    return STORE.types[name](**fields)


def header(time, frame="odom"):
    stamp = message("builtin_interfaces/msg/Time", sec=int(time // 1), nanosec=int(round(time % 1 * 1e9)))
    return message("std_msgs/msg/Header", stamp=stamp, frame_id=frame)


def point(x, y):
    return message("geometry_msgs/msg/Point", x=x, y=y, z=0.0)


def vector(x=0.0, y=0.0, z=0.0):
    return message("geometry_msgs/msg/Vector3", x=x, y=y, z=z)


def pose(x, y, yaw):
    turned = message("geometry_msgs/msg/Quaternion", x=0.0, y=0.0, z=np.sin(yaw / 2), w=np.cos(yaw / 2))
    return message("geometry_msgs/msg/Pose", position=point(x, y), orientation=turned)


def odometry(time, x, y, yaw, speed):
    twist = message("geometry_msgs/msg/Twist", linear=vector(speed), angular=vector())
    return message(
        "nav_msgs/msg/Odometry",
        header=header(time),
        child_frame_id="base_link",
        pose=message("geometry_msgs/msg/PoseWithCovariance", pose=pose(x, y, yaw), covariance=np.zeros(36)),
        twist=message("geometry_msgs/msg/TwistWithCovariance", twist=twist, covariance=np.zeros(36)),
    )


def array(*numbers):
    layout = message("std_msgs/msg/MultiArrayLayout", dim=[], data_offset=0)
    return message("std_msgs/msg/Float64MultiArray", layout=layout, data=np.array(numbers, dtype=np.float64))


class Drive:
    """A drive along a figure of eight, some centimetres beside it, with what the study's nodes would have published."""

    def __init__(self, duration=20.0):
        rng = np.random.default_rng(7)
        self.t = 100.0 + np.arange(0.013, duration, 1 / ODOMETRY_RATE)
        self.t_ref = 100.0 + np.arange(0.0, duration, 1 / REFERENCE_RATE)
        self.x_ref, self.y_ref = 2 * np.sin(0.4 * (self.t_ref - 100)), np.sin(0.8 * (self.t_ref - 100))
        s = self.t - 100
        self.x = 2 * np.sin(0.4 * s) + 0.05 * np.cos(2 * s) + rng.normal(0, 0.005, s.size)
        self.y = np.sin(0.8 * s) - 0.4 * np.exp(-s) + rng.normal(0, 0.005, s.size)
        self.speed = 0.8 + 0.1 * np.sin(s)
        self.angle = 0.3 * np.sin(0.4 * (self.t_ref - 100))

    def messages(self, clock_offset=0.0, reference="array"):
        """Topic, type, log time [s] and message, in the order of the log."""
        messages = []
        for t, x, y, v in zip(self.t, self.x, self.y, self.speed):
            messages.append(("/vesc/odom", "nav_msgs/msg/Odometry", t, odometry(t, x, y, 0.1, v)))
        for t, x, y, angle in zip(self.t_ref, self.x_ref, self.y_ref, self.angle):
            if reference == "array":
                messages.append(("/reference_trajectory", "std_msgs/msg/Float64MultiArray", t, array(x, y, t)))
            elif reference == "odometry":
                messages.append(("/wanted", "nav_msgs/msg/Odometry", t, odometry(t, x, y, 0.0, 0.0)))
            else:
                stamped = message("geometry_msgs/msg/PoseStamped", header=header(t), pose=pose(x, y, 0.0))
                messages.append(("/wanted", "geometry_msgs/msg/PoseStamped", t, stamped))
            drive = message(
                "ackermann_msgs/msg/AckermannDrive",
                steering_angle=angle, steering_angle_velocity=0.0, speed=1.0, acceleration=1.0, jerk=1.0,
            )
            stamped = message("ackermann_msgs/msg/AckermannDriveStamped", header=header(t, "base_link"), drive=drive)
            topic = "/vesc/ackermann_cmd_mux/input/navigation"
            messages.append((topic, "ackermann_msgs/msg/AckermannDriveStamped", t, stamped))
            number = lambda data: message("std_msgs/msg/Float64", data=data)
            for quantity, value in [("long", 0.01), ("fx", 2.0), ("lat", 0.1 * angle), ("fy", -30 * angle)]:
                messages.append((f"/{quantity}_pub/left_front", "std_msgs/msg/Float64", t + 1e-4, number(value)))
        messages.sort(key=lambda entry: entry[2])
        return [(topic, kind, time + clock_offset, content) for topic, kind, time, content in messages]

    def expected(self):
        """The study's way: each odometry sample with the reference nearest in time."""
        nearest = np.abs(self.t[:, None] - self.t_ref[None, :]).argmin(axis=1)
        ex, ey = self.x - self.x_ref[nearest], self.y - self.y_ref[nearest]
        squares = ex**2 + ey**2
        a = np.stack([self.x_ref[:-1], self.y_ref[:-1]], axis=1)
        b = np.stack([self.x_ref[1:], self.y_ref[1:]], axis=1)
        distances = []
        for p in np.stack([self.x, self.y], axis=1):
            share = np.clip(((p - a) * (b - a)).sum(1) / ((b - a) ** 2).sum(1), 0, 1)
            distances.append(np.sqrt((((a + share[:, None] * (b - a)) - p) ** 2).sum(1).min()))
        beside = np.array(distances)
        outside = np.nonzero(np.sqrt(squares) > 0.1)[0]
        counts = (self.t_ref >= self.t[0]) & (self.t_ref <= self.t[-1])
        angle = self.angle[counts].astype(np.float32).astype(float)
        return {
            "rmse_m": np.sqrt(squares.mean()),
            "rmse_x_m": np.sqrt((ex**2).mean()),
            "ise_m2s": np.trapezoid(squares, self.t),
            "squared_error_sum_m2": squares.sum(),
            "max_error_m": np.sqrt(squares.max()),
            "mean_error_m": np.sqrt(squares).mean(),
            "cross_track_rms_m": np.sqrt((beside**2).mean()),
            "cross_track_max_m": beside.max(),
            "settling_time_s": self.t[outside.max() + 1] - self.t[0],
            "steering_variation_rad": np.abs(np.diff(angle)).sum(),
            "steering_effort_rad2ps": (np.diff(angle) ** 2 / np.diff(self.t_ref[counts])).sum(),
            "max_steering_rad": np.abs(angle).max(),
            "path_length_m": np.hypot(np.diff(self.x), np.diff(self.y)).sum(),
            "max_speed_mps": self.speed.max(),
            "duration_s": self.t[-1] - self.t[0],
            "samples": self.t.size,
        }


def write(folder, messages, plugin, compression=None):
    with_options = Writer(folder, version=8, storage_plugin=plugin)
    if compression is not None:
        with_options.set_compression(compression, CompressionFormat.ZSTD)
    with with_options as writer:
        connections = {}
        for topic, kind, time, content in messages:
            if topic not in connections:
                connections[topic] = writer.add_connection(topic, kind, typestore=STORE)
            writer.write(connections[topic], int(round(time * 1e9)), STORE.serialize_cdr(content, kind))
    return folder


def analyze(*arguments):
    done = subprocess.run([SKIDPAD, "analyze", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done


def metrics(*arguments):
    return json.loads(analyze(*arguments, "--json", "--settled-below", "0.1").stdout)["result"]["runs"]


def assert_close(actual, expected):
    for key, value in expected.items():
        # Times are given in nanoseconds.
        assert actual[key] == pytest.approx(value, rel=1e-6, abs=1e-8), key


PLUGINS = [StoragePlugin.MCAP, StoragePlugin.SQLITE3]


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_bag_of_rosbags_gives_what_numpy_computes(tmp_path, plugin):
    drive = Drive()
    folder = write(tmp_path / "bag", drive.messages(), plugin)
    file = next(path for path in folder.iterdir() if path.suffix in (".mcap", ".db3"))
    for path in (folder, file):
        (actual,) = metrics(path)
        assert_close(actual, drive.expected())
        assert actual["notes"] == [] and actual["run"] == path.stem
    analyze(folder, "--out", tmp_path / "out")
    page = (tmp_path / "out/report.html").read_text()
    assert page.count("<svg") == 4 and "left_front" in page and "http" not in page.replace("http://www.w3.org", "")
    for name in ("path", "time", "drive", "tyres"):
        assert (tmp_path / f"out/{name}.svg").stat().st_size > 1000
        assert (tmp_path / f"out/{name}.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_log_by_the_wall_clock_changes_nothing(tmp_path, plugin):
    """`ros2 bag record` without use_sim_time: headers and arrays are simulated time, the log is not."""
    drive = Drive()
    (actual,) = metrics(write(tmp_path / "bag", drive.messages(clock_offset=1.7e9), plugin))
    assert_close(actual, drive.expected())


@pytest.mark.parametrize("reference", ["odometry", "pose"])
def test_the_reference_may_be_odometry_or_poses(tmp_path, reference):
    drive = Drive(5.0)
    folder = write(tmp_path / "bag", drive.messages(reference=reference), StoragePlugin.MCAP)
    (actual,) = metrics(folder, "--reference", "/wanted", "--odom", "vesc/odom")
    expected = drive.expected()
    assert_close(actual, {key: expected[key] for key in ("rmse_m", "ise_m2s", "cross_track_rms_m")})


def test_compressed_bags_are_read_or_refused(tmp_path):
    drive = Drive(5.0)
    folder = write(tmp_path / "file", drive.messages(), StoragePlugin.SQLITE3, CompressionMode.FILE)
    assert list(folder.glob("*.zstd"))
    (actual,) = metrics(folder)
    assert_close(actual, drive.expected())
    folder = write(tmp_path / "message", drive.messages(), StoragePlugin.SQLITE3, CompressionMode.MESSAGE)
    done = subprocess.run([SKIDPAD, "analyze", folder], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == (
        f"error: {folder}: its messages are compressed one by one\n"
        "  accepted: MCAP files, sqlite3 bags (.db3), folders of ros2 bag record\n"
        "  hint: convert it to an uncompressed bag: ros2 bag convert\n"
    )


def test_a_killed_recorder_leaves_what_it_wrote(tmp_path):
    """No metadata, and the end of the file is missing."""
    drive = Drive()
    folder = write(tmp_path / "bag", drive.messages(), StoragePlugin.MCAP)
    (folder / "metadata.yaml").unlink()
    file = folder / "bag.mcap"
    whole = file.read_bytes()
    file.write_bytes(whole[: int(0.6 * len(whole))])
    answer = json.loads(analyze(folder, "--json", "--settled-below", "0.1").stdout)
    (actual,) = answer["result"]["runs"]
    warnings = {message["place"]: message["found"] for message in answer["messages"]}
    assert warnings[str(file)].startswith("ends early after ") and warnings[str(file)].endswith(" messages: the file is cut off"), warnings
    assert warnings[str(folder)] == "has no metadata.yaml: all its files are read", warnings
    count = int(actual["samples"])
    assert 0.3 * drive.t.size < count < drive.t.size
    # What is there is as good as ever.
    cut = Drive()
    cut.t, cut.x, cut.y, cut.speed = cut.t[:count], cut.x[:count], cut.y[:count], cut.speed[:count]
    expected = cut.expected()
    assert_close(actual, {key: expected[key] for key in ("rmse_m", "ise_m2s", "max_error_m", "path_length_m")})


def test_a_cut_database_is_refused_with_what_helps(tmp_path):
    folder = write(tmp_path / "bag", Drive(5.0).messages(), StoragePlugin.SQLITE3)
    file = folder / "bag.db3"
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    done = subprocess.run([SKIDPAD, "analyze", file], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"error: {file}: is broken: database disk image is malformed\n"
        "  accepted: MCAP files, sqlite3 bags (.db3), folders of ros2 bag record\n"
        "  hint: recover its data with the command .recover of sqlite3\n"
    )


def test_parts_of_a_bag_belong_together(tmp_path):
    """Two files that one metadata.yaml names, as rosbag2 splits them."""
    drive = Drive()
    messages = drive.messages()
    half = len(messages) // 2
    first = write(tmp_path / "a", messages[:half], StoragePlugin.MCAP)
    second = write(tmp_path / "b", messages[half:], StoragePlugin.MCAP)
    shutil.copy(second / "b.mcap", first / "b.mcap")
    metadata = (first / "metadata.yaml").read_text()
    assert "- a.mcap" in metadata
    (first / "metadata.yaml").write_text(metadata.replace("- a.mcap", "- b.mcap\n  - a.mcap", 1))
    (actual,) = metrics(first)
    assert_close(actual, drive.expected())


CAR = """<mvsim_world version="1.0"><simul_timestep>0.005</simul_timestep>
  <vehicle name="car"><init_pose>0 0 0</init_pose>
    <dynamics class="ackermann"><f_wheels_x>1.3</f_wheels_x> <f_wheels_d>2</f_wheels_d> <max_steer_ang_deg>30</max_steer_ang_deg>
      <controller class="front_steer_pid"><KP>200</KP><KI>200</KI><max_torque>400</max_torque></controller>
    </dynamics></vehicle></mvsim_world>"""


@pytest.mark.parametrize("plugin", PLUGINS)
def test_our_recording_and_what_rosbags_makes_of_it_are_the_same(tmp_path, plugin):
    """What the odometry believes against the truth, in a curve in which the wheels slip."""
    (tmp_path / "car.world.xml").write_text(CAR)
    (tmp_path / "commands.csv").write_text("time,vehicle,speed,steering_angle\n1,car,3,0.3\n4,car,2,-0.2\n")
    own = tmp_path / "ours.mcap"
    subprocess.run(
        [SKIDPAD, "run", tmp_path / "car.world.xml", "--commands", tmp_path / "commands.csv", "--record", own,
         "--rate", "max", "--headless", "--no-ros", "--duration", "8"],
        check=True, capture_output=True, timeout=120)
    with AnyReader([own]) as reader, Writer(tmp_path / "theirs", version=8, storage_plugin=plugin) as writer:
        known = [connection for connection in reader.connections if connection.msgtype in STORE.types]
        copies = {c.id: writer.add_connection(c.topic, c.msgtype, typestore=STORE) for c in known}
        for connection, time, data in reader.messages(connections=known):
            writer.write(copies[connection.id], time, data)
    topics = ["--odom", "/odom", "--reference", "/ground_truth"]
    (own,) = metrics(own, *topics)
    (converted,) = metrics(tmp_path / "theirs", *topics)
    assert own.pop("run") == "ours" and converted.pop("run") == "theirs"
    # Only ours says how it was made.
    assert own.pop("provenance")["command"][0] == "run" and "provenance" not in converted
    assert own == converted
    assert own["samples"] > 300 and own["rmse_m"] > 0.001 and own["steering_variation_rad"] == pytest.approx(0.5)
