"""The launch files, carried out, and what they describe, run."""

import json
import os
import pathlib
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest

from conftest import BINARY, ROOT, WORLDS
from launching import Launched, command_line
from nav2_peer import COLUMNS, Nav2

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
    for folder in ("launch", "config", "worlds"):
        (share / folder).symlink_to(ROOT / folder)
    (root / "lib" / "skidpad").mkdir(parents=True)
    (root / "lib" / "skidpad" / "skidpad").symlink_to(BINARY)
    monkeypatch.setenv("AMENT_PREFIX_PATH", f"{root}{os.pathsep}{os.environ.get('AMENT_PREFIX_PATH', '')}")
    return install


def launch(prefix_share, name, **arguments):
    return Launched(prefix_share / "launch" / f"{name}.launch.py", arguments)


def nav2_of(install, distro):
    """A stand-in for nav2_bringup that tells what it is told."""
    files = {"launch/bringup_launch.py": STAND_IN.format(names=sorted(BRINGUP[distro]), file="bringup")}
    files["launch/rviz_launch.py"] = STAND_IN.format(names=["namespace", "rviz_config"], file="rviz")
    return install("nav2_bringup", files | {name: "" for name in SHIPPED[distro]})


def test_nav2_launch_has_the_arguments_of_tb3_simulation(prefix):
    launched = launch(prefix("skidpad"), "nav2")
    theirs = (
        "namespace slam map graph use_sim_time params_file autostart use_composition use_intra_process_comms use_respawn rviz_config_file use_simulator "
        "use_robot_state_pub use_rviz headless world robot_name robot_sdf x_pose y_pose z_pose roll pitch yaw use_namespace"
    )
    assert set(theirs.split()) <= set(launched.launch_configurations)
    assert launched.launch_configurations["x_pose"] == "-2.00" and launched.launch_configurations["y_pose"] == "-0.50"


@pytest.mark.parametrize("distro", COLUMNS)
def test_nav2_launch_hands_on_what_each_distribution_asks_for(prefix, distro):
    nav2 = nav2_of(prefix, distro)
    prefix("robot_state_publisher")
    launched = launch(prefix("skidpad"), "nav2", slam="true", namespace="tb3")
    rviz, bringup = (json.loads(message) for message in launched.messages)
    told = {name: value for name, value in bringup.items() if value != "its own"}
    assert set(told) >= BRINGUP[distro] - {"log_level", "use_localization", "keepout_mask", "speed_mask"}
    # nav2 puts some of them into Python expressions.
    assert (told["slam"], told["use_composition"], told["use_respawn"], told["use_sim_time"]) == ("True", "True", "False", "True")
    assert told["namespace"] == rviz["namespace"] == "tb3" and told.get("use_namespace", "True") == "True"
    multi = distro in ("humble", "jazzy")
    assert told["params_file"] == str(nav2 / "params" / ("nav2_multirobot_params_all.yaml" if multi else "nav2_params.yaml"))
    assert rviz["rviz_config"] == str(nav2 / "rviz" / ("nav2_namespaced_view.rviz" if multi else "nav2_default_view.rviz"))
    assert pathlib.Path(told["map"]).read_text() == (WORLDS / "maps" / "house.yaml").read_text()
    simulator, publisher = launched.nodes
    assert (simulator["package"], simulator["namespace"]) == ("skidpad", "tb3")
    assert publisher["namespace"] == "tb3" and ("/tf", "tf") in publisher["remappings"]
    # What stays fixed on the robot has one publisher.
    assert simulator["parameters"][1]["publish_static_tf"] is False
    robot = ElementTree.fromstring(publisher["parameters"][0]["robot_description"])
    assert {"base_footprint", "base_link"} <= {link.get("name") for link in robot.iter("link")}


def test_nav2_launch_leaves_out_what_is_not_wanted_or_not_there(prefix):
    launched = launch(prefix("skidpad"), "nav2", use_rviz="False")
    assert [node["package"] for node in launched.nodes] == ["skidpad"]
    assert launched.nodes[0]["parameters"][1]["publish_static_tf"] is True
    assert launched.messages == [
        "robot_state_publisher is not installed: the simulator publishes what stays fixed on the robot",
        "nav2_bringup is not installed: the simulator runs without nav2",
    ]
    nav2_of(prefix, "lyrical")
    prefix("robot_state_publisher")
    launched = launch(prefix("skidpad"), "nav2", use_simulator="False", use_rviz="False")
    assert [node["package"] for node in launched.nodes] == ["robot_state_publisher"]
    assert [json.loads(message)["file"] for message in launched.messages] == ["bringup"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"slam": "maybe"}, 'launch argument slam: found "maybe"\n  accepted: true, false'),
        ({"x_pose": "here"}, 'launch argument x_pose: found "here"\n  accepted: a number'),
        (
            {"robots": "{name: r 1}"},
            'launch argument robots: found "{name: r 1}"\n  accepted: {name: r1, pose: {x: 0, y: 0, yaw: 0}}, r1={x: 0, y: 0, yaw: 0}; each name once',
        ),
        ({"robots": "r1={x: 0}", "namespace": "a"}, 'launch argument namespace: found "a", and robots\n  accepted: one of the two'),
    ],
)
def test_nav2_launch_names_what_it_does_not_accept(prefix, arguments, message):
    with pytest.raises(RuntimeError) as refused:
        launch(prefix("skidpad"), "nav2", **arguments)
    assert str(refused.value) == message


def test_nav2_launch_runs_several_robots_each_with_its_nav2(prefix, peer, domain, tmp_path):
    nav2_of(prefix, "jazzy")
    launched = launch(prefix("skidpad"), "nav2", robots="{name: a, pose: {x: -2.0, y: -0.5, yaw: 1.0}}; b={x: 3.0, y: -0.5}", use_rviz="False", rate="5")
    assert [json.loads(message)["namespace"] for message in launched.messages[1:]] == ["a", "b"]
    (simulator,) = launched.nodes
    world = pathlib.Path(simulator["arguments"][1])
    command = command_line(BINARY, simulator)
    environment = dict(os.environ, ROS_DOMAIN_ID=str(domain))
    with open(tmp_path / "log", "w") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
    try:
        nav2 = Nav2(peer, COLUMNS["lyrical"], "b")
        nav2.wait(lambda: len(nav2.scans) > 3 and nav2.odometry and "base_link" in nav2.buffer.parent, "the second robot")
        assert nav2.buffer.faults == [] and nav2.scan_faults == []
    finally:
        process.terminate()
        assert process.wait(5) == 0, (tmp_path / "log").read_text()
    launched.shut_down()
    assert not world.exists()


def test_the_other_launch_files_describe_programs_that_there_are(prefix):
    share = prefix("skidpad")
    nodes = launch(share, "sim", world="nav2", variables="{x_pose: 1.0}", headless="true").nodes
    nodes += launch(share, "racecar", gui="false", use_mux_node="true").nodes
    nodes += launch(share, "tracking").nodes
    programs = (ROOT / "CMakeLists.txt").read_text()
    for node in nodes:
        assert node["package"] == "skidpad" and node["executable"] in programs
        for file in node.get("parameters", []):
            assert isinstance(file, dict) or pathlib.Path(file).is_file()
        if "run" in node.get("arguments", []):
            settings = [word for name, word in zip(node["arguments"], node["arguments"][1:]) if name == "--set"]
            checked = [str(BINARY), "check", node["arguments"][1], *(word for setting in settings for word in ("--set", setting))]
            subprocess.run(checked, check=True, capture_output=True)


@pytest.mark.parametrize(
    ("file", "arguments", "is_headless"),
    [
        ("sim", {"world": "empty"}, False),
        ("sim", {"world": "empty", "headless": "true"}, True),
        ("racecar", {}, False),
        ("racecar", {"gui": "false"}, True),
        ("nav2", {"use_rviz": "False"}, True),
        ("nav2", {"use_rviz": "False", "headless": "False"}, False),
        ("tracking", {}, True),
    ],
)
def test_launch_files_hand_on_where_the_viewer_listens(prefix, file, arguments, is_headless):
    share = prefix("skidpad")
    for web in ("", "127.0.0.1:8539", "off"):
        launched = launch(share, file, web=web, **arguments)
        (command,) = [node["arguments"] for node in launched.nodes if "run" in node.get("arguments", [])]
        assert ("--headless" in command) == is_headless
        given = [value for name, value in zip(command, command[1:]) if name == "--web"]
        assert given == ([web] if web else []), "empty leaves it to the program"


@pytest.mark.parametrize("name", ["record", "duration", "web"])
def test_options_of_the_simulator_are_refused_with_the_node_that_takes_its_place(prefix, name):
    with pytest.raises(RuntimeError) as refused:
        launch(prefix("skidpad"), "tracking", plant="ode_simulator", **{name: "5"})
    assert str(refused.value).startswith(f'launch argument {name}: found "5", and plant:=ode_simulator\n  accepted: ')
