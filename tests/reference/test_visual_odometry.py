"""Pictures of a camera for colour and depth against OpenCV: ORB features and PnP with RANSAC follow a robot through the warehouse.

Run by `make test-reference`, which sets SKIDPAD_BIN.
"""

import cv2
import numpy as np

from test_datasets import WORLDS, skidpad

# 12 m: along the hall, around a corner and into an aisle, at 3 pictures a second.
LEGS = [(0.5, 0.0, 0.0), (4.0, 1.0, 0.0), (2.6, 0.6, -0.6), (6.0, 1.0, 0.0), (0.4, 0.0, 0.0)]
SIZE = (480, 360)
FOCAL = 300.0


def drive(folder):
    """The folder of the drive as a dataset of TUM RGB-D."""
    world = (WORLDS / "warehouse.world.xml").read_text().replace('file="', f'file="{WORLDS}/').replace("maps/", f"{WORLDS}/maps/")
    start = world.index('<vehicle name="robot"')
    columns, rows = SIZE
    camera = (
        f'<include file="{WORLDS}/sensors/rgbd_camera.sensor.xml" name="eye" x="0.25" z="0.6" rate_hz="3" ncols="{columns}" nrows="{rows}"'
        f' fx="{FOCAL}" fy="{FOCAL}" cx="{columns / 2}" cy="{rows / 2}" rgb_samples="1" publish_ros_pointcloud="false"/>'
    )
    end = world.index("</vehicle>", start)
    robot = f"""<vehicle name="robot"><dynamics class="differential">
        <l_wheel pos="0 0.2" mass="1" width="0.05" diameter="0.2"/><r_wheel pos="0 -0.2" mass="1" width="0.05" diameter="0.2"/>
        <chassis mass="10" zmin="0.05" zmax="0.35"/><controller class="twist_ideal"/></dynamics><init_pose>-16.5 -1 90</init_pose>{camera}"""
    (folder / "w.world.xml").write_text(world[:start] + robot + world[end:])
    time, commands = 0.0, "time,vehicle,v,omega\n"
    for duration, speed, turn in LEGS:
        commands += f"{time:.3f},robot,{speed},{turn}\n"
        time += duration
    (folder / "drive.csv").write_text(commands)
    topics = "/vehicle_state,/tf_static," + ",".join(f"/eye_{half}/{topic}" for half in ("rgb", "depth") for topic in ("image_raw", "camera_info"))
    run = ["run", "w.world.xml", "--headless", "--rate", "max", "--duration", time, "--commands", "drive.csv"]
    skidpad(folder, *run, "--record", "drive.mcap", "--record-topics", topics)
    skidpad(folder, "dataset", "drive.mcap", "--format", "tum", "--out", "tum")
    return folder / "tum"


def features(orb, folder, color, depth):
    """Places [pixels] and descriptors of features, and their points in the camera's frame [m], NaN at edges and far away."""
    places, descriptors = orb.detectAndCompute(cv2.imread(str(folder / color), cv2.IMREAD_GRAYSCALE), None)
    pixels = np.array([place.pt for place in places])
    depths = cv2.imread(str(folder / depth), cv2.IMREAD_UNCHANGED) / 5000.0
    column, row = np.clip(np.round(pixels).astype(int), 1, np.array(SIZE) - 2).T
    around = np.stack([depths[row + j, column + i] for i in (-1, 0, 1) for j in (-1, 0, 1)])
    z = np.where((around.min(axis=0) > 0.3) & (np.ptp(around, axis=0) < 0.03 * around.mean(axis=0) + 0.02), np.median(around, axis=0), np.nan)
    z[z > 8.0] = np.nan
    x, y = ((pixels - 0.5 * np.array(SIZE)) / FOCAL * z[:, None]).T
    return pixels, descriptors, np.column_stack([x, y, z])


def motion(before, after):
    """The pose of the second picture in the frame of the first, and how many features agree on it."""
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(before[1], after[1], k=2)
    pairs = [first for first, second in pairs if first.distance < 0.8 * second.distance and np.isfinite(before[2][first.queryIdx, 2])]
    points = np.array([before[2][pair.queryIdx] for pair in pairs])
    pixels = np.array([after[0][pair.trainIdx] for pair in pairs])
    camera = np.array([[FOCAL, 0, SIZE[0] / 2], [0, FOCAL, SIZE[1] / 2], [0, 0, 1]])
    cv2.setRNGSeed(1)
    done, turn, shift, agreeing = cv2.solvePnPRansac(points, pixels, camera, None, iterationsCount=300, reprojectionError=2.0, flags=cv2.SOLVEPNP_SQPNP)
    assert done and agreeing is not None, len(pairs)
    agreeing = agreeing.ravel()
    turn, shift = cv2.solvePnPRefineLM(points[agreeing], pixels[agreeing], camera, None, turn, shift)
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = cv2.Rodrigues(turn)[0], shift.ravel()
    return np.linalg.inv(pose), len(agreeing)


def true_place(truth, time):
    """Place [m] and rotation of the camera in the world at a time [s]."""
    row = truth[np.argmin(np.abs(truth[:, 0] - time))]
    x, y, z, w = row[4:8]
    turn = cv2.Rodrigues(2 * np.arctan2(np.linalg.norm([x, y, z]), w) * np.array([x, y, z]) / max(np.linalg.norm([x, y, z]), 1e-12))[0]
    return row[1:4], turn


def test_features_of_the_warehouse_are_enough_to_follow_the_robot(tmp_path):
    folder = drive(tmp_path)
    lists = [[line.split() for line in (folder / name).read_text().splitlines() if line[0] != "#"] for name in ("rgb.txt", "depth.txt")]
    truth = np.loadtxt(folder / "groundtruth.txt")
    orb = cv2.ORB_create(2000, fastThreshold=12)
    frames = [features(orb, folder, color, depth) for (_, color), (_, depth) in zip(*lists)]
    pose, fewest = np.eye(4), len(frames[0][0])
    for before, after in zip(frames, frames[1:]):
        step, agreeing = motion(before, after)
        pose, fewest = pose @ step, min(fewest, agreeing)
    (first, start), (last, _) = (true_place(truth, float(lists[0][index][0])) for index in (0, -1))
    length = np.linalg.norm(np.diff(truth[:, 1:4], axis=0), axis=1).sum()
    error = np.linalg.norm(start @ pose[:3, 3] - (last - first))
    print(f"{len(frames)} pictures, {length:.2f} m, off by {error:.3f} m, at least {fewest} features agree")
    assert length > 11.0 and fewest > 15 and error < 0.015 * length
