#!/usr/bin/env python3
"""Runs nav2's own system tests with skidpad in the place of Gazebo.

    python3 tests/nav2/system_tests.py ~/nav2_ws/src/navigation2/nav2_system_tests [NAME …]

The tests are read from the CMakeLists.txt of that folder, which is a part of nav2's sources, and run as they are. They start `gz sim` and
include the launch file of nav2_minimal_tb3_sim that puts the robot there: for them a folder with a `gz` that starts skidpad, and with packages
of these names, comes first on the paths. nav2 itself is the one of the shell that this is run in. docs/nav2-system-tests.md has more.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
# What the tests start beside nav2, and what there is instead: the simulator has the robot, its URDF and its static transforms itself.
PACKAGES = ("nav2_minimal_tb3_sim", "nav2_system_tests", "robot_state_publisher", "ros_gz_sim")
NOTHING = "from launch import LaunchDescription\n\n\ndef generate_launch_description():\n    return LaunchDescription()\n"
STARTS = """from launch import LaunchDescription
from launch.actions import ExecuteProcess


def generate_launch_description():
    return LaunchDescription([ExecuteProcess(cmd=["gz", "sim"], output="screen")])
"""
WAITS = "#!/bin/sh\nexec sleep infinity\n"
# ament_add_test's own [s].
DEFAULT_LIMIT = 60.0
# Where nav2's tests put their robot, as their goals suppose it [m, rad].
WORLD = """<mvsim_world version="1.0">
  <element class="occupancy_grid"><file>{map}</file></element>
  <include file="{vehicles}/nav2_waffle.vehicle.xml"/>
  <vehicle name="turtlebot3_waffle" class="nav2_waffle"><init_pose>-2 -0.5 0</init_pose></vehicle>{bodies}
</mvsim_world>
"""
# The cardboard box of the tests with an obstacle: 0.5 m x 0.35 m x 0.3 m at (-1, 0.6), which the lidar at 0.14 m sees.
BOX = """
  <block><mass>1</mass><zmin>0</zmin><zmax>0.3</zmax><shape><pt>-0.25 -0.175</pt><pt>-0.25 0.175</pt><pt>0.25 0.175</pt><pt>0.25 -0.175</pt></shape>
    <init_pose>-1 0.6 0</init_pose></block>"""


class Test:
    """One `ament_add_test`: what it runs, in which folder, with which variables, and for how long at most [s]."""

    def __init__(self, name, folder, block, sources, built):
        def filled(text):
            text = text.replace("${CMAKE_CURRENT_SOURCE_DIR}", str(folder)).replace("${PROJECT_SOURCE_DIR}", str(sources))
            return re.sub(r"\$<TARGET_FILE:(.*?)>", lambda match: executable(built, match[1]), text)

        self.name = name
        self.command = filled(re.findall(r'COMMAND\s+"?([^"\s]+)', block)[0])
        limit = re.search(r"TIMEOUT\s+(\d+)", block)
        self.limit = float(limit[1]) if limit else DEFAULT_LIMIT
        variables = re.search(r"\bENV\b(.*)", block, re.S)
        self.variables = dict(word.split("=", 1) for word in filled(variables[1]).split() if "=" in word) if variables else {}
        self.has_box = "obstacle" in Path(self.command).name
        self.lacks = "" if "" not in self.variables.values() else "its C++ program is not built (--built)"


def executable(built, target):
    """The program of a C++ test in the folder where nav2_system_tests was built; empty if it is not there."""
    target = re.sub(r"\$\{(\w+)\}", lambda match: {"test_wait_behavior_exec": "test_wait_behavior_node"}.get(match[1], match[1] + "_node"), target)
    path = next((candidate for candidate in sorted(Path(built).rglob(target)) if os.access(candidate, os.X_OK) and candidate.is_file()), "") if built else ""
    return str(path)


def tests_in(sources, built):
    """nav2's tests that start Gazebo, in the order of its sources. What is commented out there is not a test."""

    def blocks(file, pattern):
        return re.findall(pattern, re.sub(r"#.*", "", file.read_text()), re.S)

    if not (sources / "CMakeLists.txt").is_file():
        return []
    tests = []
    for folder in blocks(sources / "CMakeLists.txt", r"add_subdirectory\((.*?)\)"):
        for name, block in blocks(sources / folder / "CMakeLists.txt", r"ament_add_test\(\s*(\w+)(.*?)\n\)"):
            if "COMMAND" in block:
                tests.append(Test(name, sources / folder, block, sources, built))
    return [test for test in tests if "nav2_minimal_tb3_sim" in Path(test.command).read_text()]


def stand_in(folder, sources, skidpad, rate, has_box):
    """Puts what a test needs of Gazebo into `folder`: a `gz` that is skidpad, and packages of the names in PACKAGES."""
    share, binaries = folder / "share", folder / "bin"
    index = share / "ament_index" / "resource_index" / "packages"
    simulation = share / "nav2_minimal_tb3_sim"
    for directory in (index, binaries, simulation / "launch", simulation / "urdf", share / "nav2_system_tests", share / "ros_gz_sim" / "launch"):
        directory.mkdir(parents=True, exist_ok=True)
    for name in PACKAGES:
        (index / name).touch()
    for name in ("maps", "models"):
        shutil.copytree(sources / name, share / "nav2_system_tests" / name, dirs_exist_ok=True)
    world = folder / "sandbox.world.xml"
    world.write_text(WORLD.format(map=sandbox_map(), vehicles=PROJECT / "worlds" / "vehicles", bodies=BOX if has_box else ""))
    urdf = subprocess.run([skidpad, "urdf", world], capture_output=True, text=True, check=True).stdout
    (simulation / "urdf" / "turtlebot3_waffle.urdf").write_text(urdf)
    (simulation / "launch" / "spawn_tb3.launch.py").write_text(NOTHING)
    (share / "ros_gz_sim" / "launch" / "gz_sim.launch.py").write_text(STARTS)
    parameters = PROJECT / "config" / "nav2.yaml"
    program(binaries / "gz", f'#!/bin/sh\nexec "{skidpad}" run "{world}" --headless --ros-args --params-file "{parameters}" -p rate:={rate}\n')
    program(folder / "lib" / "robot_state_publisher" / "robot_state_publisher", WAITS)
    program(folder / "lib" / "ros_gz_sim" / "create", WAITS)


def program(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)


def sandbox_map():
    """The map of the world in which nav2's tests drive."""
    from ament_index_python.packages import get_package_share_directory

    return Path(get_package_share_directory("nav2_bringup")) / "maps" / "tb3_sandbox.yaml"


def carried_out(test, arguments, logs):
    """Runs a test, with its output in a file; its exit status (None: past its limit) and how long it took [s]."""
    with tempfile.TemporaryDirectory(prefix="skidpad_nav2_") as name, open(logs / (test.name + ".log"), "w") as log:
        folder = Path(name)
        stand_in(folder, arguments.sources, arguments.skidpad, arguments.rate, test.has_box)
        environment = os.environ | test.variables
        environment["PATH"] = f"{folder / 'bin'}:{environment['PATH']}"
        environment["AMENT_PREFIX_PATH"] = f"{folder}:{environment['AMENT_PREFIX_PATH']}"
        begin = time.monotonic()
        limit = test.limit * arguments.patience / min(arguments.rate, 1.0)
        run = subprocess.Popen([sys.executable, test.command], env=environment, cwd=folder, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        status = None
        try:
            status = run.wait(limit)
        except subprocess.TimeoutExpired:
            pass
        finally:
            # Also when this script is told to end.
            seconds = time.monotonic() - begin
            for end in (signal.SIGINT, signal.SIGKILL):
                try:
                    os.killpg(run.pid, end)
                    run.wait(10)
                except (ProcessLookupError, subprocess.TimeoutExpired):
                    pass
        return status, seconds


def main():
    parser = argparse.ArgumentParser(description="nav2's own system tests with skidpad in the place of Gazebo")
    parser.add_argument("sources", type=Path, help="the folder nav2_system_tests of nav2's sources, of the version that is installed")
    parser.add_argument("names", nargs="*", help="tests to run; none: all")
    parser.add_argument("--list", action="store_true", help="only names the tests")
    parser.add_argument("--built", type=Path, help="where nav2_system_tests was built, for the tests that are C++ programs")
    parser.add_argument("--skidpad", default=shutil.which("skidpad") or "skidpad", help="program in the place of Gazebo; otherwise the one on the PATH")
    parser.add_argument("--rate", type=float, default=1.0, help="simulated seconds per second; below 1 on a slow machine")
    parser.add_argument("--patience", type=float, default=1.0, help="factor of nav2's limits of time")
    parser.add_argument("--logs", type=Path, default=Path("nav2_system_tests_logs"), help="folder for the output of the tests")
    arguments = parser.parse_intermixed_args()
    # Tests run in folders of their own.
    arguments.sources = arguments.sources.resolve()
    arguments.built = arguments.built and arguments.built.resolve()
    arguments.skidpad = os.path.abspath(shutil.which(arguments.skidpad) or arguments.skidpad)
    tests = tests_in(arguments.sources, arguments.built)
    if not tests:
        parser.error(f"{arguments.sources}: no tests found\n  accepted: the folder nav2_system_tests of a checkout of navigation2")
    unknown = sorted(set(arguments.names) - {test.name for test in tests})
    if unknown:
        parser.error(f"tests: found {', '.join(unknown)}\n  accepted: {', '.join(test.name for test in tests)}")
    if arguments.list:
        print("\n".join(test.name for test in tests))
        return 0
    arguments.logs.mkdir(parents=True, exist_ok=True)
    counts = {"passed": 0, "failed": 0, "left out": 0}
    for test in tests:
        if arguments.names and test.name not in arguments.names:
            continue
        if test.lacks:
            outcome, after = "left out", test.lacks
        else:
            status, seconds = carried_out(test, arguments, arguments.logs)
            outcome = "passed" if status == 0 else "failed"
            after = f"{seconds:.0f} s" + (", not done in time" if status is None else f", status {status}" if status else "")
        counts[outcome] += 1
        print(f"{test.name}: {outcome}, {after}", flush=True)
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
