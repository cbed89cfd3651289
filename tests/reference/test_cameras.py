"""Cameras against OpenCV: its calibration finds the lens of the camera in the checkerboard room, and its stereo matching on the racecar's
ZED the distance of a wall.

Run by `make test-reference`, which sets SKIDPAD_BIN.
"""

import os
import pathlib
import subprocess

import cv2
import numpy as np

ROOM = pathlib.Path(__file__).resolve().parents[2] / "worlds" / "checkerboard_room.world.xml"
CORNERS, SQUARE = (10, 7), 0.1
FOCAL, CENTRE = np.array([420.0, 424.0]), np.array([322.5, 236.5])

# Place [m] and attitude [deg] of the camera: from near and far, from both sides, and turned about each of its axes.
NAMES = ("VIEW_X", "VIEW_Y", "VIEW_HEIGHT", "VIEW_YAW", "VIEW_TILT", "VIEW_ROLL")
VIEWS = [
    (0.50, 0.00, 1.00, 0, 0, 0), (0.30, 0.60, 1.00, -28, 0, 10), (0.30, -0.60, 1.00, 28, 0, -10), (0.40, 0.00, 1.45, 0, 22, 0),
    (0.40, 0.00, 0.55, 0, -22, 10), (0.25, 0.45, 1.40, -20, 20, 30), (-0.10, 0.45, 0.60, -16, -14, 90), (0.00, -0.45, 0.60, 16, -14, 60),
    (0.20, 0.80, 1.20, -24, 3, 5), (0.25, 0.00, 1.00, 14, 8, 0), (0.25, 0.00, 1.00, -14, -8, 0), (0.25, 0.00, 1.00, -12, 8, 0),
    (0.25, 0.00, 1.00, 14, -8, 0),
]


def snapshot(folder, name, sensor, variables):
    """The picture of this sensor in the room."""
    program = pathlib.Path(os.environ.get("SKIDPAD_BIN", "target/debug/skidpad")).resolve()
    path = folder / f"{name}.png"
    settings = [argument for pair in variables.items() for argument in ("--set", "{}={}".format(*pair))]
    command = [str(program), "snapshot", str(ROOM), "--sensor", sensor, "--out", str(path), *settings]
    subprocess.run(command, check=True, timeout=300, capture_output=True)
    picture = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
    assert picture is not None and picture.shape == (480, 640)
    return picture


def found_corners(folder, views, more):
    """The corners of the board in each view [pixels], as OpenCV finds them."""
    all_corners = []
    for number, view in enumerate(views):
        picture = snapshot(folder, number, "eye", dict(zip(NAMES, view)) | more)
        is_there, corners = cv2.findChessboardCornersSB(picture, CORNERS, flags=cv2.CALIB_CB_ACCURACY)
        assert is_there, f"the board is not seen in view {number}"
        all_corners.append(corners.reshape(-1, 1, 2).astype(np.float32))
    return all_corners


BOARD = np.array([[SQUARE * column, SQUARE * row, 0.0] for row in range(CORNERS[1]) for column in range(CORNERS[0])], np.float32)


def check(error, matrix, distortion, declared, bend):
    """The errors of a calibration. Single parameters of the distortion stand in for each other: what counts is where it bends rays to."""
    focal, centre = np.diag(matrix)[:2], matrix[:2, 2]
    at = np.array([[[x, y, 1.0]] for x in np.linspace(-0.7, 0.7, 15) for y in np.linspace(-0.5, 0.5, 11)])
    true, bent = (bend(at, np.zeros(3), np.zeros(3), np.eye(3), d)[0].reshape(-1, 2) for d in (declared, distortion.ravel()))
    shift = np.abs(bent - true).max() / np.abs(true - at[:, 0, :2]).max()
    print(f"reprojection {error:.3f} px, focal {focal}, centre {centre}, distortion {distortion.ravel()}: {shift:.4f} of it")
    assert error < 0.2, "reprojection [pixels]"
    assert np.abs(focal / FOCAL - 1.0).max() < 0.005 and np.abs(centre / CENTRE - 1.0).max() < 0.005 and shift < 0.005


def test_calibration_finds_the_lens_with_plumb_bob_distortion(tmp_path):
    corners = found_corners(tmp_path, VIEWS, {})
    error, matrix, distortion, _, _ = cv2.calibrateCamera([BOARD] * len(corners), corners, (640, 480), None, None)
    check(error, matrix, distortion, np.array([-0.25, 0.08, 0.0008, -0.0005, -0.01]), cv2.projectPoints)


def test_calibration_finds_the_lens_of_a_fisheye(tmp_path):
    declared = np.array([-0.06, 0.02, -0.01, 0.002])
    corners = found_corners(tmp_path, VIEWS[:8], {"MODEL": "equidistant", "DISTORTION": " ".join(map(str, declared))})
    boards = [BOARD.reshape(1, -1, 3).astype(np.float64)] * len(corners)
    flags = cv2.CALIB_RECOMPUTE_EXTRINSIC | cv2.CALIB_FIX_SKEW
    corners = [points.reshape(1, -1, 2).astype(np.float64) for points in corners]
    error, matrix, distortion, _, _ = cv2.fisheye.calibrate(boards, corners, (640, 480), None, None, flags=flags)

    def bend(points, rotation, translation, matrix, distortion):
        return cv2.fisheye.projectPoints(points, rotation, translation, matrix, distortion)

    check(error, matrix, distortion, declared, bend)


def test_stereo_matching_on_the_zed_finds_the_distance_of_a_wall(tmp_path):
    left, right = (snapshot(tmp_path, name, name, {}) for name in ("zed", "zed_right"))
    matcher = cv2.StereoSGBM_create(minDisparity=0, numDisparities=64, blockSize=7, P1=8 * 49, P2=32 * 49, uniquenessRatio=10)
    # The speckles without their edges and what is behind them.
    wall = matcher.compute(left, right)[20:240, 150:560].astype(float) / 16.0
    matched = wall[wall > 0.0]
    assert matched.size > 0.9 * wall.size
    depth = 687.8066 * 0.12 / matched
    error = np.abs(depth / 3.0 - 1.0)
    print(f"depth {np.median(depth):.4f} m, 95 % of the pixels within {100 * np.percentile(error, 95):.2f} %")
    assert np.percentile(error, 95) < 0.02
