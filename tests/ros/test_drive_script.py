"""`ros/drive.py`, which `make drive` runs: it moves vehicles, and reports missing subscribers."""

import os
import signal
import subprocess
import sys

import pytest
from nav_msgs.msg import Odometry

from conftest import PATIENCE, ROOT, TWO_ROBOTS


@pytest.fixture
def drive(domain, tmp_path):
    """Starts the script: drive(arguments) -> (process, path of what it says)."""
    running = []

    def start(*arguments):
        log = tmp_path / f"drive{len(running)}.log"
        with open(log, "wb") as file:
            process = subprocess.Popen(
                [sys.executable, str(ROOT / "ros" / "drive.py"), *arguments],
                stdout=file,
                stderr=subprocess.STDOUT,
                env=dict(os.environ, ROS_DOMAIN_ID=str(domain)),
            )
        running.append(process)
        return process, log

    yield start
    for process in running:
        process.kill()
        process.wait()


def test_it_follows_the_track_and_ends_cleanly(reuse, peer, drive):
    # The simulation waits for the script, which gives ten commands a second: on a busy machine fewer.
    simulator = reuse(rate=0.0, lockstep=True, lockstep_period=0.2, lockstep_when_late="wait")
    truth = peer.listen(Odometry, "ground_truth")
    process, log = drive("--speed", "1")
    # The first bend begins 9 m after the start; without steering the vehicle would stop at the wall.
    peer.spin_until(lambda: truth and truth[-1].pose.pose.position.y > -2.0, awaited="the vehicle behind the first bend")
    assert truth[-1].twist.twist.linear.x > 0.5, simulator.log
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 0, log.read_text()
    # Before, it may have reported missing subscribers: discovery takes time on a busy machine.
    assert log.read_text().splitlines()[-1] == "driving by /ackermann_cmd; Ctrl-C ends it"


def test_it_lists_the_vehicles_and_drives_one_of_several(reuse, peer, drive):
    reuse(TWO_ROBOTS)
    truth = {name: peer.listen(Odometry, f"{name}/ground_truth") for name in ("r1", "r2")}
    _, log = drive("--steer", "0.1")
    # The robots may be found one by one; the list is printed again each time.
    complete = "/ackermann_cmd: nobody listens, waiting\n  accepted: /r1/cmd_vel, /r2/cmd_vel\n  hint: start a world"
    peer.spin_until(lambda: complete in log.read_text(), awaited="the hint")
    assert log.read_text().startswith("/ackermann_cmd: nobody listens, waiting\n")
    drive("--vehicle", "r1", "--speed", "0.3", "--turn", "0.2")
    peer.spin_until(lambda: truth["r1"] and truth["r1"][-1].twist.twist.linear.x > 0.2, awaited="a moving robot")
    assert abs(truth["r2"][-1].twist.twist.linear.x) < 1e-3
