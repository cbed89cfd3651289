"""Clouds of a lidar in three dimensions against KISS-ICP, an independent lidar odometry. It finds the path of a robot in the
warehouse, and finds it better with the times of the points. It also finds the path of a robot on springs, whose lidar pitches.

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


def warehouse():
    """The world with a quarter of the columns: a debug build casts few rays a second."""
    world = (WORLDS / "warehouse.world.xml").read_text().replace('file="', f'file="{WORLDS}/')
    assert '"EVERY_COLUMN" value="1"' in world
    return world.replace('"EVERY_COLUMN" value="1"', '"EVERY_COLUMN" value="4"')


def clouds_of(folder, world, rows):
    """For these rows of commands: the points of each cloud [m], their times [s], and the robot's pose message at the end of its turn."""
    topics = ["/velodyne_points", "/ground_truth"]
    run = record(folder, world, DURATION, topics, "time,vehicle,v,omega\n" + "".join(rows))
    clouds = []
    for stamp, cloud in run["/velodyne_points"].items():
        offsets = {field.name: field.offset for field in cloud.fields}
        names = ["x", "y", "z", "time"]
        layout = {"names": names, "formats": ["<f4"] * 4, "offsets": [offsets[name] for name in names], "itemsize": cloud.point_step}
        points = np.frombuffer(bytes(cloud.data), np.dtype(layout))
        # Rays without return are NaN in an organised cloud.
        points = points[np.isfinite(points["x"])]
        columns = [points[name].astype(float) for name in names]
        clouds.append((np.column_stack(columns[:3]), columns[3], run["/ground_truth"][stamp].pose.pose))
    assert len(clouds) == 10 * DURATION
    return clouds


def position_of(pose):
    return np.array([pose.position.x, pose.position.y, pose.position.z])


TIMES = [0.1 * k for k in range(10 * DURATION)]


@pytest.fixture(scope="module")
def drive(tmp_path_factory):
    rows = [f"{t:.1f},robot,{min(1.2, max(0.0, 0.4 * (t - 1.0))):.2f},{turn_rate(t):.3f}\n" for t in TIMES]
    return clouds_of(tmp_path_factory.mktemp("drive"), warehouse(), rows)


def path_errors(drive, deskew):
    """At the end and root mean square, as shares of the path's length, without and with the points' times."""
    config = load_config(None)
    config.data.deskew, config.data.min_range, config.registration.max_num_threads = deskew, 0.5, 1
    odometry, estimated = KissICP(config), []
    for points, times, _ in drive:
        odometry.register_frame(points, times)
        estimated.append(odometry.last_pose[:3, 3])
    true = np.array([position_of(pose) for _, _, pose in drive])
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


# A robot on soft springs, with its centre of mass high up.
SOFT = """<vehicle:class name="soft"><dynamics class="ackermann_drivetrain">
    <rl_wheel pos="-0.2 0.2" diameter="0.2" mass="0.5"/> <rr_wheel pos="-0.2 -0.2" diameter="0.2" mass="0.5"/>
    <fl_wheel diameter="0.2" mass="0.5"/> <fr_wheel diameter="0.2" mass="0.5"/>
    <f_wheels_x>0.2</f_wheels_x> <f_wheels_d>0.4</f_wheels_d>
    <chassis mass="20" com="0 0" com_height="0.25" zmin="0.1" zmax="0.4">
      <shape> <pt>-0.25 -0.15</pt> <pt>-0.25 0.15</pt> <pt>0.25 0.15</pt> <pt>0.25 -0.15</pt> </shape></chassis>
    <weight>static</weight>
    <suspension> <axle> <ride_frequency>2.5</ride_frequency> <damping_ratio>0.3</damping_ratio> </axle> </suspension>
    <drivetrain type="open_4wd"/>
    <controller class="twist_front_steer_pid"> <KP>30</KP> <max_torque>6</max_torque> </controller></dynamics>
  <friction class="default"><mu>0.9</mu></friction></vehicle:class>
  <vehicle name="robot" class="soft">"""


def rotation_of(pose):
    """Axes of the robot in the world, as columns."""
    q = pose.orientation
    x, y, z, w = q.x, q.y, q.z, q.w
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def test_lidar_odometry_finds_the_path_of_a_body_on_springs(tmp_path):
    vehicle = '<vehicle name="robot" class="diffbot">'
    world = warehouse()
    assert vehicle in world
    # It speeds up and brakes every 2 s, and weaves a little.
    speeds = [0.0 if t < 1.0 else 0.38 * (1 - math.cos(math.pi * (t - 1.0))) for t in TIMES]
    rows = [f"{t:.1f},robot,{v:.3f},{0.3 * v * math.sin(1.5 * t):.3f}\n" for t, v in zip(TIMES, speeds, strict=True)]
    clouds = clouds_of(tmp_path, world.replace(vehicle, SOFT), rows)
    config = load_config(None)
    config.data.deskew, config.data.min_range, config.registration.max_num_threads = True, 0.5, 1
    odometry, found = KissICP(config), []
    for points, times, _ in clouds:
        odometry.register_frame(points, times)
        found.append(odometry.last_pose.copy())
    rotations = [rotation_of(pose) for _, _, pose in clouds]
    # The lidar stands 0.6 m above the reference point of the body.
    lidar = np.array([position_of(pose) + rotation @ [0.0, 0.0, 0.6] for (_, _, pose), rotation in zip(clouds, rotations, strict=True)])
    length = np.linalg.norm(np.diff(lidar, axis=0), axis=1).sum()
    errors = np.linalg.norm((np.array([pose[:3, 3] for pose in found]) - (lidar - lidar[0]) @ rotations[0])[:, :2], axis=1)
    # Nose down positive. The floor of a cloud leans with the body; the odometry follows it little, since its rings move with the lidar.
    pitch = np.array([-math.asin(rotation[2, 0]) for rotation in rotations])
    summary = (
        f"path {length:.1f} m, end {errors[-1] / length:.3%}, rms {np.sqrt(np.mean(errors**2)) / length:.3%}, "
        f"pitch to {math.degrees(np.abs(pitch).max()):.2f} deg"
    )
    assert length > 5.0 and np.abs(pitch).max() > math.radians(2.5), summary
    assert errors[-1] < 0.01 * length, summary
    slopes = []
    for points, _, _ in clouds:
        floor = points[(points[:, 2] < -0.45) & (np.hypot(points[:, 0], points[:, 1]) < 5.0)]
        plane = np.column_stack([floor[:, :2], np.ones(len(floor))])
        slopes.append(math.atan(np.linalg.lstsq(plane, floor[:, 2], rcond=None)[0][0]))
    # A cloud shows the mean over its turn, so that it lags by half of it.
    means = 0.5 * (pitch[1:] + pitch[:-1])
    assert np.sqrt(np.mean((np.array(slopes[1:]) - means) ** 2)) < 0.2 * np.sqrt(np.mean(means**2)), summary
