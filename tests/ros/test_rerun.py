"""A recording of the node is made again by `skidpad rerun`, with the commands of other nodes at the same steps."""

import json
import signal
import subprocess

from ackermann_msgs.msg import AckermannDriveStamped
from nav_msgs.msg import Odometry

from conftest import BINARY, OPEN, PATIENCE, WORLDS


def rerun(path):
    """Exit status, and the result in the answer."""
    done = subprocess.run([BINARY, "rerun", path, "--json"], capture_output=True, text=True, timeout=PATIENCE)
    return done.returncode, json.loads(done.stdout)["result"]


def test_commands_of_another_node_act_again_at_their_steps(simulate, peer, tmp_path):
    world, recording = tmp_path / "w.world.xml", tmp_path / "a.mcap"
    text = OPEN.read_text().replace("../../worlds", str(WORLDS))
    world.write_text(text)
    simulator = simulate(world, args=("--record", recording), ros_args=("-p", "rate:=3.0"))
    truth = peer.listen(Odometry, "ground_truth")
    publisher = peer.publisher(AckermannDriveStamped, "ackermann_cmd")
    peer.spin_until(lambda: truth and peer.reaches(publisher), what="the simulator")
    for speed, angle in ((1.0, 0.2), (1 / 3, -0.1)):
        command = AckermannDriveStamped()
        command.drive.speed, command.drive.steering_angle = speed, angle
        publisher.publish(command)
        moves = lambda speed=speed: abs(truth[-1].twist.twist.linear.x - speed) < 0.1  # noqa: E731
        peer.spin_until(moves, what=f"{speed} m/s")
    simulator.send(signal.SIGINT)
    assert simulator.wait() == 0
    assert b",racecar,0.3333333432674408,-0.10000000149011612," in recording.read_bytes(), "with all digits of the message's float32"
    status, result = rerun(recording)
    assert status == 0 and result["same"] and result["changed_files"] == [], result
    world.write_text(text.replace(">1 2 30<", ">1 2 31<"))
    status, result = rerun(recording)
    assert (status, result["same"], result["changed_files"]) == (1, False, [str(world)])
