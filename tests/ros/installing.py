"""Installations of skidpad, with stand-ins for packages that are not there, and the simulators of their launch files: for tests of those."""

import os
import subprocess

import pytest

from launching import Launched, command_line
from running import BINARY, PATIENCE, ROOT

# The arguments that nav2's bringup_launch.py declares in each distribution.
COMMON = {"namespace", "slam", "map", "use_sim_time", "params_file", "autostart", "use_composition", "use_respawn", "log_level"}
BRINGUP = {
    "humble": COMMON | {"use_namespace"},
    "jazzy": COMMON | {"use_namespace", "use_localization"},
    "kilted": COMMON | {"use_localization", "graph", "use_keepout_zones", "use_speed_zones", "keepout_mask", "speed_mask"},
    "lyrical": COMMON
    | {"use_localization", "graph", "use_keepout_zones", "use_speed_zones", "keepout_mask", "speed_mask", "use_intra_process_comms", "container_name"},
}
# The files that it comes with there, of those that depend on it.
SHIPPED = {
    "humble": ["params/nav2_params.yaml", "params/nav2_multirobot_params_all.yaml", "rviz/nav2_default_view.rviz", "rviz/nav2_namespaced_view.rviz"],
    "jazzy": ["params/nav2_params.yaml", "params/nav2_multirobot_params_all.yaml", "rviz/nav2_default_view.rviz", "rviz/nav2_namespaced_view.rviz"],
    "kilted": ["params/nav2_params.yaml", "rviz/nav2_default_view.rviz", "graphs/turtlebot3_graph.geojson"],
    "lyrical": ["params/nav2_params.yaml", "rviz/nav2_default_view.rviz", "graphs/turtlebot3_graph.geojson"],
}
STAND_IN = """
import json
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, LogInfo, OpaqueFunction
NAMES = {names}
def generate_launch_description():
    def tell(context):
        return [LogInfo(msg=json.dumps({{"file": "{file}"}} | {{name: context.launch_configurations[name] for name in NAMES}}))]
    return LaunchDescription([DeclareLaunchArgument(name, default_value="its own") for name in NAMES] + [OpaqueFunction(function=tell)])
"""


@pytest.fixture
def prefix(tmp_path, monkeypatch):
    """An installation of skidpad; install(package, files) adds others."""
    root = tmp_path / "install"
    index = root / "share" / "ament_index" / "resource_index" / "packages"
    index.mkdir(parents=True)

    def install(package, files=()):
        (index / package).touch()
        share = root / "share" / package
        for name, text in dict(files).items():
            (share / name).parent.mkdir(parents=True, exist_ok=True)
            (share / name).write_text(text)
        share.mkdir(parents=True, exist_ok=True)
        return share

    share = install("skidpad")
    for folder in ("launch", "config", "rviz", "worlds"):
        (share / folder).symlink_to(ROOT / folder)
    (root / "lib" / "skidpad").mkdir(parents=True)
    (root / "lib" / "skidpad" / "skidpad").symlink_to(BINARY)
    monkeypatch.setenv("AMENT_PREFIX_PATH", f"{root}{os.pathsep}{os.environ.get('AMENT_PREFIX_PATH', '')}")
    return install


@pytest.fixture
def started(prefix, domain, tmp_path):
    """Runs the simulator of a launch file: started(launched) -> process, which has to end with status 0."""
    processes = []

    def start(launched):
        simulator = next(node for node in launched.nodes if node["executable"] == "skidpad")
        log = open(tmp_path / "log", "w")
        environment = dict(os.environ, ROS_DOMAIN_ID=str(domain))
        processes.append((subprocess.Popen(command_line(BINARY, simulator), env=environment, stdout=log, stderr=subprocess.STDOUT), log))
        return processes[-1][0]

    yield start
    for process, log in processes:
        process.terminate()
        ended = process.wait(PATIENCE)
        log.close()
        assert ended == 0, (tmp_path / "log").read_text()


def launch(prefix_share, name, **arguments):
    return Launched(prefix_share / "launch" / f"{name}.launch.py", arguments)


def nav2_of(install, distro):
    """A stand-in for nav2_bringup that reports its arguments."""
    files = {"launch/bringup_launch.py": STAND_IN.format(names=sorted(BRINGUP[distro]), file="bringup")}
    files["launch/rviz_launch.py"] = STAND_IN.format(names=["namespace", "rviz_config"], file="rviz")
    return install("nav2_bringup", files | {name: "" for name in SHIPPED[distro]})
