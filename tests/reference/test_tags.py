"""Boards with tags against OpenCV: its detector reads the numbers of all that the project has, and their distances.

Run by `make test-reference`, which sets SKIDPAD_BIN.
"""

import os
import pathlib
import subprocess

import cv2
import numpy as np
import pytest

BLOCKS = pathlib.Path(__file__).resolve().parents[2] / "worlds" / "blocks"
FOCAL, CENTRE = 800.0, (639.5, 479.5)
CAMERA = np.array([[FOCAL, 0.0, CENTRE[0]], [0.0, FOCAL, CENTRE[1]], [0.0, 0.0, 1.0]])
# Its board, its dictionary, and how many corners after the upper left one of the tag upright the dictionary's first corner is.
FAMILIES = {"apriltag": (cv2.aruco.DICT_APRILTAG_36h11, 2), "aruco": (cv2.aruco.DICT_ARUCO_ORIGINAL, 0)}


def detected(folder, boards):
    """The numbers and corners [pixels] that OpenCV finds in the picture of a world with these boards: kind, number, size, x, y, z [m], yaw [deg]."""
    classes, blocks = [], []
    for k, (kind, number, size, x, y, z, yaw) in enumerate(boards):
        classes.append(f'<include file="{BLOCKS}/{kind}.block.xml" class="board_{k}" id="{number}" size="{size}" z="{z}"/>')
        blocks.append(f'<block class="board_{k}"><init_pose>{x} {y} {yaw}</init_pose></block>')
    world, path = folder / "tags.world.xml", folder / "tags.png"
    world.write_text(f"""<mvsim_world><lights><light_ambient>1</light_ambient></lights>{"".join(classes)}{"".join(blocks)}
<vehicle name="r"><init_pose>0 0 0</init_pose><dynamics class="differential"/><sensor class="camera" name="eye"><pose_3d>0 0 1 -90 0 -90</pose_3d>
<ncols>1280</ncols><nrows>960</nrows><fx>{FOCAL}</fx><fy>{FOCAL}</fy><cx>{CENTRE[0]}</cx><cy>{CENTRE[1]}</cy></sensor></vehicle></mvsim_world>""")
    program = pathlib.Path(os.environ.get("SKIDPAD_BIN", "target/debug/skidpad")).resolve()
    subprocess.run([str(program), "snapshot", str(world), "--sensor", "eye", "--out", str(path)], check=True, timeout=300, capture_output=True)
    picture = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(FAMILIES[boards[0][0]][0])
    corners, numbers, _ = cv2.aruco.ArucoDetector(dictionary, settings).detectMarkers(picture)
    return {} if numbers is None else dict(zip(numbers.ravel().tolist(), (outline[0] for outline in corners)))


@pytest.mark.parametrize("kind", FAMILIES)
def test_all_boards_are_read_upright_with_their_numbers(tmp_path, kind):
    """Four rows of five, from the upper left one on."""
    boards = [(kind, k, 0.3, 2.0, 0.9 - 0.45 * (k % 5), 1.7 - 0.45 * (k // 5), 180) for k in range(20)]
    actual = detected(tmp_path, boards)
    assert sorted(actual) == list(range(20))
    for number, corners in actual.items():
        middle = (639.5 - 400 * (0.9 - 0.45 * (number % 5)), 479.5 - 400 * (0.7 - 0.45 * (number // 5)))
        assert np.abs(corners.mean(axis=0) - middle).max() < 1.0, number
        # From the upper left one on clockwise.
        first = corners[(4 - FAMILIES[kind][1]) % 4] - middle
        assert (first < 0.0).all(), (number, first)


def test_distances_of_apriltags_are_found_within_half_a_percent(tmp_path):
    # Number, place and heading: near and far, to both sides, and turned away.
    views = [(0, 1.0, 0.0, 1.0, 180), (1, 1.5, 0.55, 1.3, 160), (2, 1.5, -0.6, 0.8, 205), (3, 2.5, 1.2, 0.6, 190), (4, 3.0, -1.6, 1.5, 150), (5, 3.5, -0.75, 2.0, 180)]
    size = 0.3
    actual = detected(tmp_path, [("apriltag", number, size, *place) for number, *place in views])
    square = 0.5 * size * np.array([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0]], np.float32)
    worst = 0.0
    for number, x, y, z, _ in views:
        _, _, shift = cv2.solvePnP(square, actual[number], CAMERA, None, flags=cv2.SOLVEPNP_IPPE_SQUARE)
        true = np.linalg.norm([x, y, z - 1.0])
        error = abs(np.linalg.norm(shift) / true - 1.0)
        print(f"tag {number}: {np.linalg.norm(shift):.4f} m of {true:.4f} m")
        worst = max(worst, error)
    assert worst < 0.005, worst
