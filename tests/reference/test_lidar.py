"""Clouds of a lidar in three dimensions against KISS-ICP, an independent lidar odometry, which finds the path of a robot in the
warehouse, and finds it better with the times of the points.

Run by `make test-reference`, which sets SKIDPAD_BIN.
"""

import math

import numpy as np
import pytest

from test_sensors import WORLDS, record

# requirements.txt says for which versions of Python it exists.
pytest.importorskip("kiss_icp")
from kiss_icp.config import load_config  # noqa: E402
from kiss_icp.kiss_icp import KissICP  # noqa: E402

DURATION = 15


def turn_rate(time):
    """Of a robot that stands for a second, weaves to the end of an aisle, turns left into it, and weaves on [rad/s]."""
    # Three half periods; the first is half as strong, so that it weaves about its first heading.
    weaving, turning = 3 * math.pi / 1.5, 2.5
    if (time := time - 1.0) < 0.0:
        return 0.0
    if time < weaving:
        return (0.4 if 1.5 * time < math.pi else 0.8) * math.sin(1.5 * time)
    if (time := time - weaving) < turning:
        return math.radians(90) / turning * (1 - math.cos(2 * math.pi * time / turning))
    return -0.8 * math.sin(1.5 * (time - turning))


@pytest.fixture(scope="module")
def drive(tmp_path_factory):
    """Points of each cloud [m], their times [s], and the pose of the robot at the end of its turn."""
    # A quarter of the columns: a debug build casts few rays a second.
    world = (WORLDS / "warehouse.world.xml").read_text().replace('file="', f'file="{WORLDS}/')
    assert '"EVERY_COLUMN" value="1"' in world
    world = world.replace('"EVERY_COLUMN" value="1"', '"EVERY_COLUMN" value="4"')
    times = [0.1 * k for k in range(10 * DURATION)]
    rows = [f"{t:.1f},robot,{min(1.2, max(0.0, 0.4 * (t - 1.0))):.2f},{turn_rate(t):.3f}\n" for t in times]
    topics = ["/velodyne_points", "/ground_truth"]
    run = record(tmp_path_factory.mktemp("drive"), world, DURATION, topics, "time,vehicle,v,omega\n" + "".join(rows))
    clouds = []
    for stamp, cloud in run["/velodyne_points"].items():
        offsets = {field.name: field.offset for field in cloud.fields}
        names = ["x", "y", "z", "time"]
        layout = {"names": names, "formats": ["<f4"] * 4, "offsets": [offsets[name] for name in names], "itemsize": cloud.point_step}
        points = np.frombuffer(bytes(cloud.data), np.dtype(layout))
        # Rays without return are NaN in an organised cloud.
        points = points[np.isfinite(points["x"])]
        position = run["/ground_truth"][stamp].pose.pose.position
        columns = [points[name].astype(float) for name in names]
        clouds.append((np.column_stack(columns[:3]), columns[3], np.array([position.x, position.y, position.z])))
    assert len(clouds) == 10 * DURATION
    return clouds


def path_errors(drive, deskew):
    """At the end and root mean square, as shares of the path's length, without and with the points' times."""
    config = load_config(None)
    config.data.deskew, config.data.min_range, config.registration.max_num_threads = deskew, 0.5, 1
    odometry, estimated = KissICP(config), []
    for points, times, _ in drive:
        odometry.register_frame(points, times)
        estimated.append(odometry.last_pose[:3, 3])
    true = np.array([position for _, _, position in drive])
    # The estimate begins at the origin with the axes of the robot, which starts along -y.
    robot_from_world = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    errors = np.linalg.norm(np.array(estimated) - (true - true[0]) @ robot_from_world.T, axis=1)
    length = np.linalg.norm(np.diff(true, axis=0), axis=1).sum()
    assert length > 13.0, length
    return errors[-1] / length, np.sqrt(np.mean(errors**2)) / length


def test_lidar_odometry_finds_the_path_and_needs_the_times_of_the_points(drive):
    (end, rms), (end_skewed, rms_skewed) = path_errors(drive, True), path_errors(drive, False)
    summary = f"end {end:.3%}, rms {rms:.3%}; without times end {end_skewed:.3%}, rms {rms_skewed:.3%}"
    assert end < 0.01, summary
    assert rms_skewed > 1.5 * rms and end_skewed > end, summary
