"""`skidpad test` with processes beside a run: the verdict comes from the simulation, and everything that was started ends, whatever happens."""

import json
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import time

import pytest

from conftest import BINARY, PATIENCE, ROOT

PURE_PURSUIT = ROOT / "python" / "skidpad" / "examples" / "pure_pursuit.py"

# A robot in front of a wall, which a node drives.
SCENARIO = """
world: twist_ideal
vehicle: robot
controller: none
duration: 12
parameters: {{cmd_vel_type: twist}}
beside:
- node: {node}
  name: driver
expect:
- goal: {{at: [-3, 5], within: 0.1, by: 10, stands: true}}
- clearance: {{at_least: 0.5}}
"""

# Waits for the node before it starts, and then only briefly.
LOCKSTEP = "lockstep: 0.02\nready: {nodes: [/driver], commanded: true}\ncontroller_timeout: 4\n"

# Drives to this y [m], and takes so long [s] for each command. From one simulated second on it does what its third word says.
DRIVER = """
import math
import os
import signal
import sys
import time

import rclpy
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.executors import ExternalShutdownException

goal, delay = map(float, sys.argv[1:3])
then = sys.argv[3]
rclpy.init()
node = rclpy.create_node("driver")
publisher = node.create_publisher(Twist, "/robot/cmd_vel", 10)


def answer(message):
    command = Twist()
    command.linear.x = max(0.0, min(1.0, 2.0 * (goal - message.pose.pose.position.y)))
    if message.header.stamp.sec >= 1:
        if then == "leaves":
            os._exit(0)
        if then == "crashes":
            os.kill(os.getpid(), signal.SIGSEGV)
        if then == "sends NaN":
            command.linear.x = math.nan
        if then == "floods":
            print("\\033[33mflood\\033[0m " * 10000, flush=True)
    time.sleep(delay)
    publisher.publish(command)


node.create_subscription(Odometry, "/robot/ground_truth", answer, 1)
try:
    rclpy.spin(node)
except (KeyboardInterrupt, ExternalShutdownException):
    pass
"""


def running(word):
    """The processes with this on their command line."""
    processes = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
        except OSError:
            continue
        if word.encode() in words and int(entry.name) != os.getpid():
            processes.append(entry.name)
    return processes


class Lab:
    """Scenarios in a folder, whose name is on the command lines of all processes of their runs."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "driver.py").write_text(DRIVER)

    def driver(self, goal=5.0, delay=0.0, then=""):
        return json.dumps(shlex.join([sys.executable, str(self.folder / "driver.py"), str(goal), str(delay), then]))

    def start(self, scenario, *arguments):
        file = self.folder / "drive.yaml"
        file.write_text(scenario)
        command = [BINARY, "test", file, "--json", *arguments]
        return subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def end(self, process):
        out, errors = process.communicate(timeout=PATIENCE)
        assert not running(str(self.folder)), "nothing is left"
        document = json.loads(out)
        assert document["status"] == process.returncode, errors
        self.messages = document["messages"]
        return document["result"]["runs"] if document["result"] else document["messages"]

    def test(self, scenario, *arguments):
        return self.end(self.start(scenario, *arguments))


@pytest.fixture
def lab(tmp_path):
    return Lab(tmp_path)


def outcomes(run):
    return [(criterion["name"], criterion["success"]) for criterion in run["criteria"]]


def test_a_node_drives_to_its_goal_in_lockstep_with_the_same_bits_each_time(lab):
    runs = lab.test(SCENARIO.format(node=lab.driver()) + "lockstep: 0.02\n", "--repeat", 2)
    assert [run["verdict"] for run in runs] == ["passed"] * 2, runs
    assert runs[0]["bits"] == runs[1]["bits"] and runs[0]["measures"] == runs[1]["measures"]
    assert runs[0]["ended_by"] == "all goals are reached" and 2.0 < runs[0]["simulated_s"] < 10.0


def test_a_wall_across_the_way_and_late_commands_fail_for_their_reasons(lab):
    out = lab.folder / "out"
    scenario = SCENARIO.format(node=lab.driver(goal=9.0)).replace("at: [-3, 5]", "at: [-3, 9]") + "lockstep: 0.02\n"
    (run,) = lab.test(scenario, "--out", out)
    assert run["verdict"] == "failed" and outcomes(run) == [("goal", True), ("clearance", False)], run
    assert run["criteria"][0]["actual"].startswith("undecided"), run
    assert "clearance" in run["ended_by"] or run["ended_by"] == "a criterion does not hold"
    assert {"drive.mcap", "drive.simulation.log", "drive.1.driver.log", "results.json"} <= {path.name for path in out.iterdir()}
    assert any(note.startswith("driver: was running until the end; its log is ") for note in run["notes"]), run["notes"]
    # Between commands that come so late the robot stops.
    scenario = SCENARIO.format(node=lab.driver(delay=1.0)) + "pace: 8\nready: {nodes: [/driver], commanded: true}\n"
    (run,) = lab.test(scenario)
    assert run["verdict"] == "failed" and outcomes(run)[0] == ("goal", False), run
    assert "by 10 s" in run["criteria"][0]["expected"], run


def test_processes_that_fail_or_never_come_break_a_run(lab):
    (run,) = lab.test(SCENARIO.format(node="\"sh -c 'echo no map >&2; exit 3'\"") + "lockstep: 0.02\n")
    assert run["verdict"] == "broken"
    assert run["broken_by"][0].startswith("driver: ended before the run did, with status 3 after ") and "| no map" in run["broken_by"][0], run
    (run,) = lab.test(SCENARIO.format(node=lab.driver()) + "ready: {nodes: [/nobody], published: [/nothing], within: 1}\n")
    assert run["verdict"] == "broken" and run["simulated_s"] == 0.0
    assert run["broken_by"][0].startswith("ready: no answer from node /nobody, no publisher on /nothing after 1 s"), run


def test_how_far_a_run_was_is_told_of_a_crash(lab):
    (run,) = lab.test(SCENARIO.format(node=lab.driver(then="crashes")) + "lockstep: 0.02\n")
    assert run["verdict"] == "broken" and run["broken_by"][0].startswith("driver: ended before the run did, with signal 11 after "), run
    assert run["simulated_s"] == pytest.approx(1.0, abs=0.1), run


def test_a_node_that_leaves_is_told_before_what_follows_from_it(lab):
    (run,) = lab.test(SCENARIO.format(node=lab.driver(then="leaves")) + LOCKSTEP)
    assert run["verdict"] == "broken", run
    first, second = run["broken_by"]
    assert first.startswith("driver: ended before the run did, with status 0 after "), run
    assert second.startswith('lockstep: no command for "robot" within 4 s of the messages published at 1.'), run
    # In real time it is a warning.
    (run,) = lab.test(SCENARIO.format(node=lab.driver(then="leaves")) + "pace: 4\nready: {nodes: [/driver], commanded: true}\n")
    assert run["verdict"] == "failed" and any("driver: ended before the run did, with status 0" in note for note in run["notes"]), run
    assert any("ended before the run did, with status 0" in message["found"] for message in lab.messages), lab.messages


def test_why_a_command_was_refused_is_told(lab):
    (run,) = lab.test(SCENARIO.format(node=lab.driver(then="sends NaN")) + LOCKSTEP)
    assert run["verdict"] == "broken", run
    line = run["broken_by"][0].splitlines()[0]
    assert line.endswith('the run ends: topic "/robot/cmd_vel": command refused, not finite: linear.x NaN, linear.y 0, angular.z 0'), run


def test_a_flood_of_output_leaves_a_small_log(lab):
    out = lab.folder / "out"
    scenario = SCENARIO.format(node=lab.driver(then="floods")) + "lockstep: 0.02\n"
    (run,) = lab.test(scenario, "--out", out, "--keep", "all", "--log-limit", 1)
    assert run["verdict"] == "passed", run
    log = (out / "drive.1.driver.log").read_bytes()
    assert 2**20 <= len(log) < 2**20 + 100 and b" bytes are left out here " in log
    (warning,) = [message for message in lab.messages if "holds only the first" in message["found"]]
    assert warning["place"] == "drive.1.driver.log" and any("holds only the first 0.75 MiB" in note for note in run["notes"]), run


def test_a_test_that_is_killed_leaves_nothing(lab):
    scenario = SCENARIO.format(node=json.dumps(f"sh -c 'trap : TERM; sleep 600; sleep 600; echo {lab.folder}'")) + "lockstep: 0.02\n"
    process = lab.start(scenario)
    deadline = time.monotonic() + PATIENCE
    while len(running(str(lab.folder))) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.communicate(timeout=PATIENCE)
    while running(str(lab.folder)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not running(str(lab.folder))


def test_a_time_out_ends_all(lab):
    began = time.monotonic()
    (run,) = lab.test(SCENARIO.format(node=json.dumps(f"sh -c 'sleep 600; echo {lab.folder}'")) + "timeout: 3\nlockstep: 0.02\n")
    assert run["verdict"] == "broken" and run["broken_by"][0].startswith("timeout: 3 s of wall time passed"), run
    assert time.monotonic() - began < PATIENCE


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_all(lab, number):
    scenario = SCENARIO.format(node=json.dumps(f"sh -c 'sleep 600; echo {lab.folder}'")) + "lockstep: 0.02\n"
    process = lab.start(scenario)
    deadline = time.monotonic() + PATIENCE
    while len(running(str(lab.folder))) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(number)
    (run,) = lab.end(process)
    assert process.returncode == 2 and "interrupted" in run["broken_by"][0], run


def test_a_scenario_judges_a_controller_of_ones_own(lab):
    scenario = f"""
world: tracking
trajectory: {{trajectory_type: circle}}
controller: {json.dumps(shlex.join([sys.executable, str(PURE_PURSUIT), "--wheelbase", "0.325"]))}
duration: 2
expect:
- rmse_m: {{at_most: 0.3}}
- tracking_error: {{at_most: 0.5}}
- collisions: {{at_most: 0}}
"""
    (run,) = lab.test(scenario)
    assert run["verdict"] == "passed" and outcomes(run)[0] == ("rmse_m", True), run
