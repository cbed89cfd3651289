"""The program in a shell that has not sourced ROS: it finds the ROS that it was built with."""

import os
import shutil
import subprocess

import pytest
from rosgraph_msgs.msg import Clock

from conftest import BINARY, PATIENCE, ROOT, TWO_ROBOTS

FRESH = {"HOME": os.environ["HOME"], "PATH": "/usr/bin:/bin"}
LAUNCHER, NODE = BINARY.with_name("skidpad-ros"), BINARY.with_name("skidpad-node")


def skidpad(*arguments, program=BINARY, environment=()):
    command = [str(program), *map(str, arguments)]
    return subprocess.run(command, env=FRESH | dict(environment), capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL)


def test_check_list_and_a_run_without_ros_need_no_environment():
    done = skidpad("check", TWO_ROBOTS)
    assert done.returncode == 0 and "2 vehicles" in done.stdout, done.stderr
    done = skidpad("list")
    assert done.returncode == 0 and "wardiagnemma" in done.stdout, done.stderr
    done = skidpad("run", TWO_ROBOTS, "--no-ros", "--headless", "--rate", "max", "--duration", "1")
    assert done.returncode == 0, done.stderr
    # Its own messages and status.
    done = skidpad("run", TWO_ROBOTS, "--rate", "0")
    assert done.returncode == 2 and "--rate" in done.stderr


def test_a_node_talks_to_others(domain, peer):
    heard = peer.listen(Clock, "/clock")
    environment = FRESH | {"ROS_DOMAIN_ID": str(domain), "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}
    process = subprocess.Popen([str(BINARY), "run", str(TWO_ROBOTS), "--headless"], env=environment, stderr=subprocess.PIPE, text=True)
    try:
        peer.spin_until(lambda: heard, awaited="the clock")
        # The process that was started is the node: a signal ends it.
        process.terminate()
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.communicate()


def test_a_link_of_a_nodes_name_is_that_node(tmp_path):
    link = tmp_path / "kinematic_linearizer"
    for program in (BINARY, LAUNCHER):
        link.unlink(missing_ok=True)
        link.symlink_to(program)
        done = skidpad("--help", program=link)
        assert done.returncode == 0 and "Usage: skidpad node" in done.stdout, done.stdout + done.stderr


RUN = ("run", TWO_ROBOTS, "--headless", "--rate", "max", "--duration", "0.1")


def test_the_programs_can_be_copied_together(tmp_path):
    for program in (BINARY, LAUNCHER, NODE):
        shutil.copy(program, tmp_path)
    done = skidpad(*RUN, program=tmp_path / "skidpad")
    assert done.returncode == 0 and "/r1/odom" in done.stderr, done.stderr


def test_skidpad_alone_runs_without_ros_and_says_what_is_missing(tmp_path):
    shutil.copy(BINARY, tmp_path)
    done = skidpad(*RUN, program=tmp_path / "skidpad")
    assert done.returncode == 0 and "ROS" not in done.stderr, done.stderr
    missing = "this skidpad runs without ROS\n  accepted: skidpad-ros in the same folder\n  hint: make build\n"
    done = skidpad(*RUN, program=tmp_path / "skidpad", environment={"ROS_DISTRO": os.environ["ROS_DISTRO"]})
    assert done.returncode == 0 and done.stderr.startswith(f"warning: no ROS node: {missing}"), done.stderr
    done = skidpad("node", "ackermann_mux", program=tmp_path / "skidpad")
    assert done.returncode == 1 and done.stderr == f"error: node ackermann_mux: {missing}", done.stderr


def test_a_variable_names_the_program_of_the_node(tmp_path):
    done = skidpad(*RUN, environment={"SKIDPAD_ROS": "none"})
    assert done.returncode == 0 and "/r1/odom" not in done.stderr, done.stderr
    done = skidpad(*RUN, environment={"SKIDPAD_ROS": str(tmp_path / "gone")})
    assert done.returncode == 1 and done.stderr.startswith(f"error: {tmp_path}/gone: cannot be started: No such file"), done.stderr


def test_the_program_of_the_node_has_its_commands_alone():
    done = skidpad("experiment", "config/circle.yaml", program=LAUNCHER)
    assert done.returncode == 2 and done.stderr.startswith("error: experiment: no such command\n"), done.stderr
    assert "make build" in skidpad("--help", program=LAUNCHER).stdout


def test_a_copy_of_the_launcher_alone_names_the_missing_file(tmp_path):
    shutil.copy(LAUNCHER, tmp_path)
    done = skidpad(*RUN, program=tmp_path / "skidpad-ros")
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: {tmp_path}/skidpad-node: not found\n  accepted: skidpad-ros and skidpad-node of one build"), done.stderr


def test_another_ros_than_that_of_the_build_is_refused():
    done = skidpad(*RUN, environment={"ROS_DISTRO": "foxy"})
    assert done.returncode == 1
    assert done.stderr.startswith('error: ROS_DISTRO: "foxy", but this skidpad-ros is built with ') and "hint: run: make build" in done.stderr


def test_a_sourced_ros_comes_first(tmp_path):
    done = skidpad("check", "lab", environment={"AMENT_PREFIX_PATH": str(tmp_path)})
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: lab: no such world\n  searched: the current directory, worlds, {tmp_path}/share/skidpad/worlds"), done.stderr


@pytest.fixture
def launcher_without_ros(tmp_path):
    """The launcher as a build makes it whose ROS is gone since."""
    gone = tmp_path / "gone"
    built_with = {"DISTRO": os.environ["ROS_DISTRO"], "PREFIXES": str(gone), "LIBRARY_FOLDERS": str(gone / "lib")}
    environment = os.environ | {f"SKIDPAD_BUILT_WITH_{name}": value for name, value in built_with.items()}
    launcher = tmp_path / "skidpad-ros"
    # The only library that the launcher takes, as cargo has built it.
    libc = next((BINARY.parent / "deps").glob("liblibc-*.rlib"))
    options = ["--edition", "2024", "--extern", f"libc={libc}"]
    subprocess.run(["rustc", *options, ROOT / "src/node/launcher.rs", "-o", launcher], env=environment, check=True)
    (tmp_path / "skidpad-node").symlink_to(NODE)
    return launcher


def test_without_the_ros_of_its_build_the_launcher_prints_a_hint(launcher_without_ros):
    done = skidpad(*RUN, program=launcher_without_ros)
    assert done.returncode == 1
    error, searched, hint = done.stderr.splitlines()
    assert error.startswith("error: lib") and error.endswith(f".so: this library of ROS {os.environ['ROS_DISTRO']} is not found"), done.stderr
    assert searched == f"  searched: LD_LIBRARY_PATH, {launcher_without_ros.parent}/gone/lib"
    assert hint == "  hint: source ROS, or run: make build; a run without ROS: skidpad run --no-ros"


def test_without_the_ros_of_its_build_it_takes_the_sourced_one(launcher_without_ros):
    sourced = {name: os.environ[name] for name in ("ROS_DISTRO", "AMENT_PREFIX_PATH", "LD_LIBRARY_PATH")}
    done = skidpad("list", "parameters", program=launcher_without_ros, environment=sourced)
    assert done.returncode == 0, done.stderr
