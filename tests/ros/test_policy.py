"""The policy that has learned to race in Python drives the car of the node, through ROS, around a track that it has not been trained on."""

import math
import os
import signal
import subprocess
import sys

import pytest

from conftest import PATIENCE, ROOT, WORLDS

EXAMPLE = ROOT / "python/skidpad/examples/drive_policy.py"


def start_of(track):
    """Position and heading of the first point of a track's middle."""
    lines = (WORLDS / "maps" / f"{track}_centerline.csv").read_text().splitlines()[1:3]
    (x, y), (next_x, next_y) = ([float(number) for number in line.split(",")[:2]] for line in lines)
    return x, y, math.atan2(next_y - y, next_x - x)


@pytest.fixture
def drive(domain):
    """Starts the example; what still runs is ended."""
    started = []

    def start(*arguments):
        environment = {**os.environ, "ROS_DOMAIN_ID": str(domain), "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}
        process = subprocess.Popen([sys.executable, EXAMPLE, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.long
def test_the_policy_laps_an_unseen_track_without_touching_a_wall(simulate, drive):
    driver = drive("--laps", "2")
    x, y, yaw = start_of("track_zigzag")
    settings = ("preset:=f1tenth_gym_ros", "rate:=5.0", f"map_path:={WORLDS / 'maps/track_zigzag.yaml'}", f"sx:={x}", f"sy:={y}", f"stheta:={yaw}")
    # Waits for a command every 0.05 s, so that a busy machine does not make the policy late.
    simulate(
        WORLDS / "f1tenth.world.xml",
        ros_args=[part for setting in (*settings, "lockstep_timeout:=5.0") for part in ("-p", setting)],
        args=("--lockstep", "0.05", "--set", "scan_rate_hz=20"),
    )
    output, errors = driver.communicate(timeout=PATIENCE)
    assert (driver.returncode, output) == (0, "2 laps, no wall was touched\n"), errors


def test_files_that_are_no_policy_are_named(drive, tmp_path):
    wrong = tmp_path / "wrong.npz"
    wrong.write_text("weights")
    driver = drive(str(wrong))
    _, errors = driver.communicate(timeout=PATIENCE)
    assert driver.returncode == 1
    assert errors.startswith(f"{wrong}: not a policy: ") and errors.endswith("\n  accepted: a file that skidpad.examples.race has written\n")


def test_ctrl_c_ends_the_driver(drive, peer):
    driver = drive()
    # Its last subscription: within the construction of a node rclpy does not end quietly.
    peer.spin_until(lambda: peer.node.count_subscribers("/ego_racecar/collision"), awaited="the driver")
    driver.send_signal(signal.SIGINT)
    assert driver.communicate(timeout=PATIENCE) == ("", "") and driver.returncode == 0
