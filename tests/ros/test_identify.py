"""A car with secret inputs, driven and recorded through ROS, and identified blind from a rosbag2 folder with sqlite storage."""

import math
import os
import sqlite3
import subprocess

import pytest
from ackermann_msgs.msg import AckermannDriveStamped
from nav_msgs.msg import Odometry
from rclpy.serialization import serialize_message

from conftest import BINARY, stamp

CLASS = """<vehicle:class name="{name}"><dynamics class="kinematic_bicycle">
  <rl_wheel pos="0 0.1"/><rr_wheel pos="0 -0.1"/><fl_wheel/><fr_wheel/><f_wheels_x>0.3</f_wheels_x><f_wheels_d>0.2</f_wheels_d>
  <chassis><shape><pt>0 -0.1</pt><pt>0 0.1</pt><pt>0.3 0.1</pt><pt>0.3 -0.1</pt></shape></chassis>{inputs}</dynamics></vehicle:class>"""
SECRET = '<inputs><speed gain="0.9" lag="0.2"/><steering gain="1.2" offset="0.02"/></inputs>'
CONFIG = """name: found
vehicle: {file: car.vehicle.xml, class: car}
recordings: [bag]
topics: {pose: /ground_truth, command: /ackermann_cmd}
windows: {length: 1, every: 1, settle: 0.5, slowest: 0.1}
noise: {x: 0.01, y: 0.01, yaw: 0.01, vx: 0.02}
unknowns:
  - {at: dynamics/inputs/speed@gain, range: [0.5, 1.5], start: 1}
  - {at: dynamics/inputs/speed@lag, range: [0, 0.6], start: 0.05}
  - {at: dynamics/inputs/steering@gain, range: [0.5, 2], start: 1}
  - {at: dynamics/inputs/steering@offset, range: [-0.1, 0.1], start: 0}
"""
METADATA = """rosbag2_bagfile_information:
  version: 5
  storage_identifier: sqlite3
  relative_file_paths: [bag_0.db3]
  compression_format: ""
  compression_mode: ""
"""


def write_bag(folder, topics):
    """A folder as `ros2 bag record --storage sqlite3` leaves it; topics: name -> (type, [(time of arrival [ns], message)])."""
    folder.mkdir()
    (folder / "metadata.yaml").write_text(METADATA)
    with sqlite3.connect(folder / "bag_0.db3") as base:
        base.execute("CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL)")
        base.execute("CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER NOT NULL, data BLOB NOT NULL)")
        for number, (name, (kind, messages)) in enumerate(topics.items(), 1):
            base.execute("INSERT INTO topics VALUES (?, ?, ?, 'cdr', '')", (number, name, kind))
            base.executemany(
                "INSERT INTO messages(topic_id, timestamp, data) VALUES (?, ?, ?)", [(number, time, serialize_message(message)) for time, message in messages]
            )


@pytest.mark.long
def test_a_car_driven_through_ros_is_identified_blind(reuse, peer, tmp_path):
    world = tmp_path / "secret.world.xml"
    vehicle = '<vehicle name="car" class="secret"><init_pose>0 0 0</init_pose></vehicle>'
    world.write_text(f"<mvsim_world>{CLASS.format(name='secret', inputs=SECRET)}{vehicle}</mvsim_world>")
    # The simulation waits for a command at each odometry, so that a busy machine loses nothing.
    reuse(world, rate=0.0, lockstep=True, lockstep_when_late="wait")
    truth = peer.listen(Odometry, "ground_truth")
    publisher = peer.publisher(AckermannDriveStamped, "ackermann_cmd")
    peer.spin_until(lambda: peer.reaches(publisher) and peer.node.count_publishers("ground_truth"), awaited="the simulator")
    commands, step = [], None
    message = AckermannDriveStamped()
    while not truth or stamp(truth[-1]) < 24.0:
        known = len(truth)
        publisher.publish(message)
        peer.spin_until(lambda: len(truth) > known, awaited="a step")
        if (part := int(stamp(truth[-1]) / 0.6)) != step:
            step = part
            message = AckermannDriveStamped()
            message.header.stamp = truth[-1].header.stamp
            message.drive.speed = 0.6 + 0.3 * (step * 7 % 4)
            message.drive.steering_angle = 0.1 * (step * 5 % 7) - 0.3
            commands.append(message)
    nanoseconds = lambda message: message.header.stamp.sec * 10**9 + message.header.stamp.nanosec  # noqa: E731
    write_bag(tmp_path / "bag", {
        "/ground_truth": ("nav_msgs/msg/Odometry", [(nanoseconds(message), message) for message in truth]),
        "/ackermann_cmd": ("ackermann_msgs/msg/AckermannDriveStamped", [(nanoseconds(message), message) for message in commands]),
    })
    (tmp_path / "car.vehicle.xml").write_text(CLASS.format(name="car", inputs=""))
    (tmp_path / "config.yaml").write_text(CONFIG)
    done = subprocess.run([BINARY, "identify", "config.yaml", "--out", "found"], cwd=tmp_path, capture_output=True, text=True, timeout=300, env=os.environ)
    assert done.returncode == 0, done.stderr
    rows = [line.split("|") for line in done.stdout.splitlines() if "| `dynamics/inputs/" in line]
    identified = {cells[1].strip("` "): float(cells[2].split()[0]) for cells in rows}
    # A command arrives some milliseconds after its stamp.
    for name, secret, within in (("speed@gain", 0.9, 0.01), ("speed@lag", 0.2, 0.03), ("steering@gain", 1.2, 0.03), ("steering@offset", 0.02, 0.005)):
        assert math.isclose(identified[f"dynamics/inputs/{name}"], secret, abs_tol=within), done.stdout
    assert (tmp_path / "found/found.html").exists()
