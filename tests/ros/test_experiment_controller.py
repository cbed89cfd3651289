"""`skidpad experiment --controller`: a ROS controller beside the simulation, in lockstep, with a domain of its own."""

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

CIRCLE = ROOT / "config" / "circle.yaml"
EXAMPLE = ROOT / "python" / "skidpad" / "examples" / "pure_pursuit.py"


def pure_pursuit(mark):
    """The command of the example, with a word that only this process has."""
    return shlex.join([sys.executable, str(EXAMPLE), "--wheelbase", mark])


def running(word):
    """The processes that have this word on their command line, but for `skidpad` itself."""
    processes = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0") if entry.name.isdigit() else []
        except OSError:
            continue
        if word.encode() in words:
            processes.append(entry.name)
    return processes


def start(*arguments):
    command = [BINARY, "experiment", CIRCLE, "--duration", "1.5", *arguments]
    return subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def experiment(*arguments):
    process = start(*arguments)
    out, errors = process.communicate(timeout=PATIENCE)
    return process.returncode, out, errors


def test_a_controller_is_a_row_beside_the_tracker_and_each_of_its_runs_is_the_same(tmp_path):
    mark = f"0.3250{os.getpid()}"
    command = pure_pursuit(mark)
    status, out, errors = experiment("--vary", f"controller=builtin,{command}", "--vary", "seed=0,1", "--threads", 2, "--json")
    assert status == 0, out + errors
    cells = json.loads(out)["result"]["runs"]
    rmse = [cell["rmse_m"] for cell in cells]
    assert len(rmse) == 4 and rmse[2] == rmse[3], "a truth without noise"
    assert all(0.0 < error < 0.3 for error in rmse) and rmse[0] != rmse[2]
    assert not running(mark)
    # Alone, with everything that is written of a run.
    status, out, errors = experiment("--controller", command, "--out", tmp_path, "--json")
    assert status == 0, out + errors
    (run,) = json.loads(out)["result"]["runs"]
    assert run["rmse_m"] == rmse[2], "to the last bit"
    assert {"circle.mcap", "circle.run.yaml", "circle.controller.log", "metrics.csv", "report.html"} <= {path.name for path in tmp_path.iterdir()}
    assert not running(mark)
    done = subprocess.run([BINARY, "rerun", tmp_path / "circle.mcap"], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0 and ": identical, " in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("feedback", ["truth", "odometry", "mocap"])
def test_the_example_follows_every_feedback_and_repeats_where_each_tick_has_a_pose(feedback, tmp_path):
    config = tmp_path / "laboratory.yaml"
    config.write_text(f"world: motion_capture\ntrajectory: {{trajectory_type: circle}}\nduration: 2\nfeedback: {feedback}\n")
    command = [BINARY, "experiment", config, "--controller", shlex.join([sys.executable, str(EXAMPLE)]), "--vary", "duration=1.5,2", "--json"]
    numbers = []
    for _ in range(2):
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stdout + done.stderr
        numbers.append([run["rmse_m"] for run in json.loads(done.stdout)["result"]["runs"]])
    # Poses of motion capture may come late on a loaded machine: the answer then follows from the one before.
    expected = pytest.approx(numbers[0], rel=0.2) if feedback == "mocap" else numbers[0]
    assert numbers[1] == expected and all(error < 0.3 for error in numbers[0]), numbers


def test_a_recording_gives_the_numbers_of_its_experiment(tmp_path):
    status, out, errors = experiment("--controller", pure_pursuit("0.325"), "--out", tmp_path, "--json")
    assert status == 0, out + errors
    (run,) = json.loads(out)["result"]["runs"]
    done = subprocess.run([BINARY, "analyze", tmp_path / "circle.mcap", "--json"], capture_output=True, text=True, timeout=PATIENCE)
    (analyzed,) = json.loads(done.stdout)["result"]["runs"]
    assert (run["rmse_m"], run["samples"]) == (analyzed["rmse_m"], analyzed["samples"])
    assert EXAMPLE.name in str([file["path"] for file in run["provenance"]["files"]])


def test_a_controller_that_ends_is_told_at_once_with_what_it_has_said():
    began = time.monotonic()
    status, _, errors = experiment("--controller", "sh -c 'echo no map >&2; exit 3'", "--controller-timeout", 600)
    assert status == 1 and time.monotonic() - began < PATIENCE
    assert "ended before the run did, with status 3 after" in errors and "| no map" in errors, errors


def test_a_controller_that_never_answers_is_told_with_the_time_that_it_had():
    word = f"6{os.getpid()}"
    status, _, errors = experiment("--controller", f"sleep {word}", "--controller-timeout", 0.5)
    assert status == 1
    assert f'controller "sleep {word}": lockstep: no command for "racecar" within 0.5 s of the messages published at 0.010 s' in errors, errors
    assert "the controller was still running " in errors and "no output" in errors
    assert not running(word)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_controller_too(number):
    word = f"7{os.getpid()}"
    process = start("--controller", f"sleep {word}", "--controller-timeout", 600)
    deadline = time.monotonic() + PATIENCE
    while not running(word) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(number)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1 and "interrupted" in errors, errors
    assert not running(word)
