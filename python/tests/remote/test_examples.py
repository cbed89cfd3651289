"""The examples of the client, each as its users start it."""

import subprocess
import sys

import pytest


def run(example, server, *arguments, keys=None, timeout=60):
    command = [sys.executable, "-m", f"skidpad.examples.{example}", "--url", server.url.split("#")[0], *arguments]
    done = subprocess.run(command, input=keys, capture_output=True, text=True, timeout=timeout, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_teleoperation_drives_by_keys(shared):
    said = run("teleoperation", shared, "--pause", "0.4", keys="wwwwq")
    assert "of  0.80 m/s" in said
    farthest = max(float(line.split("x ")[1].split()[0]) for line in said.split("\r") if "x " in line)
    assert farthest > 0.05


def test_a_cone_follows_a_circle_and_is_removed(shared):
    said = run("follow_path", shared, "--seconds", "1.5", "--center", "0", "5")
    assert said.startswith("moved cone for 1.")


@pytest.mark.parametrize("token", [None, "of-my-own"])
def test_obstacles_are_avoided(serve, token):
    given = ("--web-token", token) if token else ()
    server = serve("--rate", "4", *given)
    said = run("avoid_obstacles", server, "--seconds", "12", *(("--token", token) if token else ()))
    assert "touches" not in said
    assert said.startswith("drove for 1")


def test_a_subscriber_prints_states_and_events(shared):
    said = run("subscribe", shared, "--rate", "20", "--count", "5").splitlines()
    assert said[0].startswith("live of skidpad ")
    assert said[0].endswith(": r1; blocks: wall")
    states = [line for line in said if "r1: x " in line]
    assert len(states) == 5


def test_a_run_is_ended(serve):
    server = serve()
    assert run("shutdown", server).startswith("ended at ")
    assert server.process.wait(60) == 0
