"""Datasets of `skidpad dataset`, by readers of others: KITTI by the loader of KISS-ICP, TUM RGB-D and EuRoC by NumPy and Python's csv.

Run by `make test-reference`, which sets SKIDPAD_BIN.
"""

import csv
import os
import pathlib
import struct
import subprocess
import zlib

import numpy as np
import pytest

WORLDS = pathlib.Path(__file__).resolve().parents[2] / "worlds"
# A robot that circles with a radius of 2 m, and sees a crate whose face is at x = 5.
SPEED, TURN = 1.0, 0.5
LIDAR, EYE, UNIT = np.array([0.2, 0.0, 0.4]), np.array([0.1, 0.0, 0.3]), np.array([0.0, 0.1, 0.2])
WORLD = f"""<mvsim_world>
  <simul_timestep>0.002</simul_timestep>
  <include file="{WORLDS}/vehicles/diffbot.vehicle.xml"/>
  <element class="horizontal_plane"><x_min>-30</x_min><x_max>30</x_max><y_min>-30</y_min><y_max>30</y_max></element>
  <block><static>true</static><init_pose>7 2 0</init_pose><shape><pt>-2 -2</pt><pt>2 -2</pt><pt>2 2</pt><pt>-2 2</pt></shape></block>
  <vehicle name="r1">
    <dynamics class="differential">
      <l_wheel pos="0 0.1" mass="0.1" width="0.02" diameter="0.1"/><r_wheel pos="0 -0.1" mass="0.1" width="0.02" diameter="0.1"/>
      <chassis mass="1" zmin="0.05" zmax="0.2"/>
      <controller class="twist_ideal"><V>{SPEED}</V><W>{np.degrees(TURN)}</W></controller>
    </dynamics>
    <init_pose>0 0 0</init_pose>
    <include file="{WORLDS}/sensors/lidar3d.sensor.xml" x="{LIDAR[0]}" z="{LIDAR[2]}" columns="180" instantaneous="true" range_std="0"/>
    <include file="{WORLDS}/sensors/rgbd_camera.sensor.xml" name="eye" x="{EYE[0]}" z="{EYE[2]}" rate_hz="5" ncols="160" nrows="120"
      fx="100" fy="100" cx="80" cy="60"/>
    <include file="{WORLDS}/sensors/imu.sensor.xml" x="{UNIT[0]}" y="{UNIT[1]}" z="{UNIT[2]}"/>
  </vehicle></mvsim_world>"""


def skidpad(folder, *arguments):
    program = pathlib.Path(os.environ.get("SKIDPAD_BIN", "target/debug/skidpad")).resolve()
    subprocess.run([str(program), *map(str, arguments)], check=True, timeout=600, cwd=folder)


@pytest.fixture(scope="module")
def drive(tmp_path_factory):
    """A folder with a drive as each kind of dataset."""
    folder = tmp_path_factory.mktemp("drive")
    (folder / "drive.world.xml").write_text(WORLD)
    skidpad(folder, "run", "drive.world.xml", "--no-ros", "--headless", "--rate", "max", "--duration", 4, "--record", "drive.mcap")
    for name in ("kitti", "tum", "euroc"):
        skidpad(folder, "dataset", "drive.mcap", "--format", name, "--out", name)
    return folder


def on_circle(time, lever):
    """Place in the world of a point of the robot, and the heading, at a time [s]."""
    yaw = TURN * time
    radius = SPEED / TURN
    c, s = np.cos(yaw), np.sin(yaw)
    return np.array([radius * s + c * lever[0] - s * lever[1], radius * (1 - c) + s * lever[0] + c * lever[1], lever[2]]), yaw


def png(path):
    """A picture without interlacing, as rows of its values."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", data[at + 8 : at + 18])
        if kind == b"IDAT":
            packed += data[at + 8 : at + 8 + length]
        at += 12 + length
    step = {0: 1, 2: 3}[color] * depth // 8
    rows, before = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + width * step), np.zeros(width * step, int)
    out = []
    for row in rows:
        kind, line = row[0], row[1:].astype(int)
        for k in range(len(line)):
            left = line[k - step] if k >= step else 0
            corner = before[k - step] if k >= step else 0
            up, guess = before[k], left + before[k] - corner
            nearest = min((left, up, corner), key=lambda value: abs(guess - value))
            line[k] = (line[k] + (0, left, up, (left + up) // 2, nearest)[kind]) % 256
        out.append(line)
        before = line
    values = np.array(out, np.uint8)
    return values.reshape(height, width, step) if depth == 8 else values.reshape(height, width, 2).astype(int) @ [256, 1]


def test_kiss_icp_reads_the_kitti_sequence(drive):
    pytest.importorskip("kiss_icp")
    from kiss_icp.datasets.kitti import KITTIOdometryDataset

    dataset = KITTIOdometryDataset(drive / "kitti", "00")
    times = np.loadtxt(drive / "kitti" / "sequences" / "00" / "times.txt")
    assert len(dataset) == len(times) == len(dataset.gt_poses) >= 38
    start, _ = on_circle(0.1, LIDAR)
    for number in (0, 10, len(times) - 1):
        # The poses of the loader are those of the lidar, in the frame of the first one.
        place, yaw = on_circle(0.1 + times[number], LIDAR)
        c, s = np.cos(0.1 * TURN), np.sin(0.1 * TURN)
        relative = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) @ (place - start)
        pose = dataset.gt_poses[number]
        assert np.abs(pose[:3, 3] - relative).max() < 0.005, (pose, relative)
        assert abs(np.arctan2(pose[1, 0], pose[0, 0]) - TURN * times[number]) < 1e-3
        # The face of the crate, in the world.
        points = np.fromfile(drive / "kitti" / "sequences" / "00" / "velodyne" / f"{number:06}.bin", np.float32).reshape(-1, 4)
        turn = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
        world = points[:, :3] @ turn.T + place
        face = world[(world[:, 2] > 0.05) & (world[:, 2] < 0.95) & (np.abs(world[:, 1] - 2) < 1.9) & (world[:, 0] < 6)]
        assert len(face) > 5 and np.abs(face[:, 0] - 5).max() < 0.01, face
        assert points[:, 3].min() >= 0.0 and points[:, 3].max() <= 1.0


def test_tum_rgbd(drive):
    folder = drive / "tum"
    lists = {name: [line.split() for line in (folder / f"{name}.txt").read_text().splitlines() if line[0] != "#"] for name in ("rgb", "depth")}
    assert len(lists["rgb"]) == len(lists["depth"]) >= 18
    truth = np.loadtxt(folder / "groundtruth.txt")
    for row in truth:
        place, yaw = on_circle(row[0], EYE)
        assert np.abs(row[1:4] - place).max() < 0.005
        # The optical axis, z of the frame, points ahead.
        x, y, z, w = row[4:8]
        axis = np.array([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])
        assert np.abs(axis - [np.cos(yaw), np.sin(yaw), 0]).max() < 1e-3
    fx, fy, cx, cy = np.loadtxt(folder / "calibration.txt")[:4]
    time, name = lists["depth"][3]
    depth, color = png(folder / name), png(folder / dict((t, n) for t, n in lists["rgb"])[time])
    assert depth.shape == color.shape[:2] and color.shape[2] == 3
    # A pixel below the middle sees the floor.
    row = round(cy) + round(0.6 * (len(depth) - cy))
    expected = EYE[2] * fy / (row - cy)
    assert abs(depth[row, round(cx) - 50] / 5000 - expected) < 0.01 * expected + 0.005


def test_euroc(drive):
    folder = drive / "euroc" / "mav0"
    with open(folder / "imu0" / "data.csv") as file:
        samples = np.array([[float(value) for value in row] for row in list(csv.reader(file))[1:]])
    # The unit is 0.1 m nearer to the middle of the circle.
    late = samples[samples[:, 0] > 1e9]
    expected = [0, 0, TURN, 0, TURN * TURN * (SPEED / TURN - UNIT[1]), 9.81]
    assert len(late) > 250 and np.abs(late[:, 1:].mean(axis=0) - expected).max() < 0.01, late[:, 1:].mean(axis=0)
    with open(folder / "state_groundtruth_estimate0" / "data.csv") as file:
        rows = list(csv.reader(file))
    assert len(rows[0]) == 17 and rows[0][4].strip() == "q_RS_w []"
    truth = np.array([[float(value) for value in row] for row in rows[1:]])
    for row in truth:
        place, yaw = on_circle(row[0] * 1e-9, UNIT)
        speed = SPEED - TURN * UNIT[1]
        assert np.abs(row[1:4] - place).max() < 0.005 and abs(2 * np.arctan2(row[7], row[4]) - yaw) < 1e-3
        assert np.abs(row[8:11] - [speed * np.cos(yaw), speed * np.sin(yaw), 0]).max() < 0.005 or row[0] < 5e7
    with open(folder / "cam0" / "data.csv") as file:
        pictures = list(csv.reader(file))[1:]
    assert len(pictures) >= 18 and all((folder / "cam0" / "data" / name).is_file() and name == f"{stamp}.png" for stamp, name in pictures)
    assert png(folder / "cam0" / "data" / pictures[0][1]).shape[2] == 1
