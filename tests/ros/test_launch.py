"""The launch files: run, and their described nodes executed."""

import json
import pathlib
import signal
import subprocess
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
import yaml
from nav_msgs.msg import MapMetaData, OccupancyGrid, Odometry
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import LaserScan, PointCloud2

from conftest import BINARY, LATCHED, PATIENCE, ROOT, WORLDS, stamp
from installing import BRINGUP, launch, nav2_of
from nav2_peer import COLUMNS, Nav2


@pytest.mark.parametrize("name", sorted(path.name.removesuffix(".launch.py") for path in (ROOT / "launch").glob("*.launch.py")))
def test_arguments_that_a_launch_file_does_not_have_are_told(prefix, monkeypatch, name):
    share, world = prefix("skidpad"), {"world": "racecar"} if name == "sim" else {}
    given = world | {"rat": "2", "zzz": "1", "rate": "1", "sigterm_timeout": "9"}
    words = [f"{argument}:={value}" for argument, value in given.items()]
    unknown = [
        'launch argument rat: unknown, and without effect\n  hint: did you mean "rate"?',
        f"launch argument zzz: unknown, and without effect\n  hint: ros2 launch skidpad {name}.launch.py --show-args names those that there are",
    ]
    silent = []
    for command, expected in (([f"{name}.launch.py", *words], unknown), ([f"a/{name}.launch.py", "-n", *words], unknown), (["others.launch.py", *words], silent)):
        monkeypatch.setattr("sys.argv", ["ros2", "launch", "skidpad", *command])
        messages = launch(share, name, **given).messages
        assert [message for message in messages if "unknown" in message] == expected


def test_nav2_launch_has_the_arguments_of_tb3_simulation(prefix):
    launched = launch(prefix("skidpad"), "nav2")
    of_nav2 = (
        "namespace slam map graph use_sim_time params_file autostart use_composition use_intra_process_comms use_respawn rviz_config_file use_simulator "
        "use_robot_state_pub use_rviz headless world robot_name robot_sdf x_pose y_pose z_pose roll pitch yaw use_namespace"
    )
    assert set(of_nav2.split()) <= set(launched.launch_configurations)
    assert launched.launch_configurations["x_pose"] == "-2.00" and launched.launch_configurations["y_pose"] == "-0.50"


@pytest.mark.parametrize("distro", COLUMNS)
def test_nav2_launch_passes_the_arguments_of_each_distribution(prefix, distro):
    nav2 = nav2_of(prefix, distro)
    prefix("robot_state_publisher")
    launched = launch(prefix("skidpad"), "nav2", slam="true", namespace="tb3", base_frame_id="robot")
    rviz, bringup = (json.loads(message) for message in launched.messages)
    passed = {name: value for name, value in bringup.items() if value != "its own"}
    assert set(passed) >= BRINGUP[distro] - {"log_level", "use_localization", "keepout_mask", "speed_mask"}
    # nav2 puts some of them into Python expressions.
    assert (passed["slam"], passed["use_composition"], passed["use_respawn"], passed["use_sim_time"]) == ("True", "True", "False", "True")
    assert passed["namespace"] == rviz["namespace"] == "tb3" and passed.get("use_namespace", "True") == "True"
    multi = distro in ("humble", "jazzy")
    assert passed["params_file"] == str(nav2 / "params" / ("nav2_multirobot_params_all.yaml" if multi else "nav2_params.yaml"))
    assert rviz["rviz_config"] == str(nav2 / "rviz" / ("nav2_namespaced_view.rviz" if multi else "nav2_default_view.rviz"))
    assert pathlib.Path(passed["map"]).read_text() == (WORLDS / "maps" / "house.yaml").read_text()
    simulator, publisher = launched.nodes
    assert (simulator["package"], simulator["namespace"]) == ("skidpad", "tb3")
    assert publisher["namespace"] == "tb3" and ("/tf", "tf") in publisher["remappings"]
    # What stays fixed on the robot has one publisher.
    assert simulator["parameters"][1]["publish_static_tf"] is False
    robot = ElementTree.fromstring(publisher["parameters"][0]["robot_description"])
    assert {"robot", "base_link"} <= {link.get("name") for link in robot.iter("link")}
    assert simulator["parameters"][1]["base_frame_id"] == "robot"


def test_nav2_launch_omits_disabled_and_missing_parts(prefix):
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


def test_nav2_launch_runs_several_robots_each_with_its_nav2(prefix, peer, started):
    nav2_of(prefix, "jazzy")
    launched = launch(prefix("skidpad"), "nav2", robots="{name: a, pose: {x: -2.0, y: -0.5, yaw: 1.0}}; b={x: 3.0, y: -0.5}", use_rviz="False", rate="5")
    bringups = [json.loads(message) for message in launched.messages if message.startswith("{")]
    assert [bringup["namespace"] for bringup in bringups] == ["a", "b"]
    (simulator,) = launched.nodes
    world = pathlib.Path(simulator["arguments"][1])
    process = started(launched)
    nav2 = Nav2(peer, COLUMNS["lyrical"], "b")
    nav2.wait(lambda: len(nav2.scans) > 3 and nav2.odometry and "base_link" in nav2.buffer.parent, "the second robot")
    assert nav2.buffer.faults == [] and nav2.scan_faults == []
    process.terminate()
    assert process.wait(PATIENCE) == 0
    launched.shut_down()
    assert not world.exists()


def test_beside_nav2_nobody_but_nav2_publishes_the_map(prefix, peer, started, tmp_path):
    nav2_of(prefix, "jazzy")
    recording = tmp_path / "run.mcap"
    process = started(launch(prefix("skidpad"), "nav2", use_rviz="False", record=str(recording)))
    own = OccupancyGrid()
    own.info.width = own.info.height = 1
    own.data = [0]
    map_server = peer.publisher(OccupancyGrid, "map", LATCHED)
    map_server.publish(own)
    maps, metadata = peer.listen(OccupancyGrid, "map", LATCHED), peer.listen(MapMetaData, "map_metadata", LATCHED)
    nav2 = Nav2(peer, COLUMNS["jazzy"])
    nav2.wait(lambda: len(nav2.scans) > 5 and nav2.odometry, "scans")
    peer.spin_for(1.0)
    assert [grid.info.width for grid in maps] == [1] and metadata == []
    assert peer.node.count_publishers("/map") == 1 and peer.node.count_publishers("/map_metadata") == 0
    # nav2's node goes, and the clock with it.
    nav2.node.destroy_node()
    process.send_signal(signal.SIGINT)
    process.wait(PATIENCE)
    recorded = recording.read_bytes()
    assert b"/map_metadata" in recorded and b"/scan" in recorded, "a replay has the map"


def test_a_map_is_published_where_no_map_server_does(prefix, peer, started):
    started(launch(prefix("skidpad"), "sim", world="nav2", headless="true"))
    maps = peer.listen(OccupancyGrid, "map", LATCHED)
    peer.spin_until(lambda: maps, awaited="the map")
    assert maps[0].info.width == 280


def test_after_ctrl_c_nav2_has_a_clock_until_it_has_ended(prefix, peer, started):
    nav2_of(prefix, "jazzy")
    launched = launch(prefix("skidpad"), "nav2", use_rviz="False")
    (simulator,) = launched.nodes
    grace = simulator["parameters"][1]["shutdown_grace"]
    assert grace >= 5.0 and float(simulator["sigterm_timeout"]) > grace, "launch lets it"
    process = started(launched)
    nav2 = Nav2(peer, COLUMNS["jazzy"])
    nav2.wait(lambda: len(nav2.scans) > 2, "scans")
    process.send_signal(signal.SIGINT)
    # What a node of nav2 sleeps for while it ends.
    until = nav2.now + 1_500_000_000
    nav2.wait(lambda: nav2.now > until, "simulated time to go on")
    assert process.poll() is None
    nav2.node.destroy_node()
    assert process.wait(PATIENCE) == 0


PARAMETERS = """
controller_server:
  ros__parameters:
    controller_frequency: 20.0
    costmap_update_timeout: 0.30
    FollowPath: {plugin: "nav2_regulated_pure_pursuit_controller::RegulatedPurePursuitController", max_angular_accel: 1.5, lookahead_dist: 0.6}
    Other: {plugin: "nav2_mppi_controller::MPPIController", model_dt: 0.05}
    Third: {plugin: "dwb_core::DWBLocalPlanner"}
local_costmap:
  local_costmap:
    ros__parameters: {update_frequency: 5.0, publish_frequency: 2.0, scan: {topic: /<robot_namespace>/scan}}
robot1/velocity_smoother:
  ros__parameters: {smoothing_frequency: 20.0, max_accel: [2.5, 0.0, 3.2], max_velocity: [0.5, 0.0, 2.0]}
behavior_server:
  ros__parameters: {simulate_ahead_time: 2.0}
bt_navigator:
  ros__parameters: {bt_loop_duration: 10, default_server_timeout: 20}
waypoint_follower:
  ros__parameters: {loop_rate: 20}
docking_server:
  ros__parameters: {controller_frequency: 50.0}
"""


COSTMAP = """
local_costmap:
  local_costmap:
    ros__parameters:
      plugins: ["voxel_layer", "inflation_layer"]
      voxel_layer: {plugin: "nav2_costmap_2d::VoxelLayer", observation_sources: scan, scan: {topic: /scan}}
      inflation_layer: {plugin: "nav2_costmap_2d::InflationLayer"}
"""


@pytest.mark.parametrize("namespace", ["", "tb3"])
def test_nav2s_voxel_layer_observes_the_depth_camera(prefix, peer, started, tmp_path, namespace):
    file = tmp_path / "own.yaml"
    file.write_text(COSTMAP)
    nav2_of(prefix, "jazzy")
    launched = launch(prefix("skidpad"), "nav2", use_rviz="False", depth_camera="True", params_file=str(file), namespace=namespace)
    (bringup,) = [json.loads(message) for message in launched.messages if message.startswith("{")]
    parameters = yaml.safe_load(pathlib.Path(bringup["params_file"]).read_text())
    layer = parameters["local_costmap"]["local_costmap"]["ros__parameters"]["voxel_layer"]
    assert layer["observation_sources"] == "scan depth_camera" and layer["scan"] == {"topic": "/scan"}
    source = layer["depth_camera"]
    assert (source["data_type"], source["marking"], source["clearing"]) == ("PointCloud2", True, True)
    assert source["topic"] == ("/tb3/depth_camera_points" if namespace else "/depth_camera_points")
    process = started(launched)
    clouds = peer.listen(PointCloud2, source["topic"], qos_profile_sensor_data)
    peer.spin_until(lambda: clouds, awaited="points")
    assert clouds[-1].header.frame_id == "depth_camera" and clouds[-1].point_step == 16
    points = np.frombuffer(bytes(clouds[-1].data), "<f4").reshape(-1, 4)[:, :3]
    points = points[~np.isnan(points[:, 0])]
    # The walls of the flat, ahead of the camera, and its floor.
    assert clouds[-1].width == 320 and len(points) > 10000 and points[:, 0].max() < 5.1
    assert abs(points[:, 2].min() + 0.107) < 0.03 and points[:, 2].max() > 0.2
    process.terminate()
    assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize(("written", "lenses"), [("false", "0"), ("true", "1"), ("stereo", "2")])
def test_the_racecars_camera_has_the_lenses_that_are_asked_for(prefix, written, lenses):
    (simulator,) = launch(prefix("skidpad"), "racecar", gui="false", run_camera=written).nodes
    settings = " ".join(simulator["arguments"])
    assert f"--set camera={lenses}" in settings


def test_a_parameter_file_without_a_voxel_layer_is_named(prefix, tmp_path):
    file = tmp_path / "own.yaml"
    file.write_text(PARAMETERS)
    nav2_of(prefix, "jazzy")
    launched = launch(prefix("skidpad"), "nav2", use_rviz="False", depth_camera="True", params_file=str(file))
    assert f'launch argument depth_camera: "{file}" has no voxel layer: nav2 does not observe the camera' in launched.messages


@pytest.mark.parametrize("rate", ["2", "5"])
def test_nav2s_loops_are_as_fast_as_simulated_time(prefix, tmp_path, rate):
    file = tmp_path / "own.yaml"
    file.write_text(PARAMETERS)
    nav2_of(prefix, "jazzy")
    launched = launch(prefix("skidpad"), "nav2", use_rviz="False", rate=rate, params_file=str(file))
    (bringup,) = [json.loads(message) for message in launched.messages if message.startswith("{")]
    assert bringup["params_file"] != str(file)
    parameters, r = yaml.safe_load(pathlib.Path(bringup["params_file"]).read_text()), float(rate)
    of = lambda node: parameters[node]["ros__parameters"]  # noqa: E731
    controller = of("controller_server")
    assert controller["controller_frequency"] == 20.0 * r and controller["costmap_update_timeout"] == 0.30
    assert controller["FollowPath"]["max_angular_accel"] == 1.5 * r and controller["FollowPath"]["lookahead_dist"] == 0.6
    assert controller["Other"] == {"plugin": "nav2_mppi_controller::MPPIController", "model_dt": 0.05}
    assert controller["Third"]["sim_period"] == 1 / 20.0
    costmap = parameters["local_costmap"]["local_costmap"]["ros__parameters"]
    assert (costmap["update_frequency"], costmap["publish_frequency"]) == (5.0 * r, 2.0), "it is published in simulated time"
    assert costmap["scan"]["topic"] == "/<robot_namespace>/scan"
    smoother = of("robot1/velocity_smoother")
    assert smoother["smoothing_frequency"] == 20.0 * r and smoother["max_velocity"] == [0.5, 0.0, 2.0]
    assert smoother["max_accel"] == [2.5 * r, 0.0, 3.2 * r] and smoother["max_decel"] == [-2.5 * r, 0.0, -3.2 * r], "the default, too"
    assert of("behavior_server") == {"simulate_ahead_time": 2.0, "cycle_frequency": 10.0 * r}
    assert of("bt_navigator") == {"bt_loop_duration": round(10 / r), "default_server_timeout": round(20 * r)}, "processes answer no sooner"
    assert of("waypoint_follower") == {"loop_rate": 20 * round(r)} and of("docking_server") == {"controller_frequency": 50.0 * r}
    warnings = [message for message in launched.messages if message.startswith("launch argument rate")]
    assert len(warnings) == (rate == "5") and all("docs/nav2.md" in warning for warning in warnings)
    launched.shut_down()
    assert not pathlib.Path(bringup["params_file"]).exists()


@pytest.mark.parametrize(("rate", "warns"), [("", False), ("1", False), ("0.5", False), ("max", True), ("0", True)])
def test_nav2s_own_parameters_are_handed_on_where_time_is_not_faster(prefix, tmp_path, rate, warns):
    file = tmp_path / "own.yaml"
    file.write_text(PARAMETERS)
    nav2_of(prefix, "jazzy")
    launched = launch(prefix("skidpad"), "nav2", use_rviz="False", rate=rate, params_file=str(file))
    (bringup,) = [json.loads(message) for message in launched.messages if message.startswith("{")]
    assert bringup["params_file"] == str(file)
    assert any(message.startswith("launch argument rate") for message in launched.messages) == warns


def test_a_parameter_file_of_nav2_that_cannot_be_read_is_named(prefix, tmp_path):
    nav2_of(prefix, "jazzy")
    for name, text in (("no.yaml", None), ("broken.yaml", "a: [")):
        if text:
            (tmp_path / name).write_text(text)
        with pytest.raises(RuntimeError) as refused:
            launch(prefix("skidpad"), "nav2", rate="2", params_file=str(tmp_path / name))
        assert str(refused.value).startswith(f'launch argument params_file: "{tmp_path / name}" cannot be read: ')


def parameters_of(node):
    """All single parameters of a node."""
    return {name: value for given in node["parameters"] if isinstance(given, dict) for name, value in given.items()}


def test_f1tenth_launch_takes_the_bridges_own_file_and_runs_its_cars(prefix, peer, started, tmp_path):
    config = tmp_path / "sim.yaml"
    bridge = {"ego_namespace": "ego_racecar", "scan_beams": 54, "num_agent": 1, "sx": -3.0}
    config.write_text(yaml.safe_dump({"bridge": {"ros__parameters": bridge}, "map_server": {"ros__parameters": {"topic": "map"}}}))
    launched = launch(prefix("skidpad"), "f1tenth", config=str(config), num_agents="2", headless="true", parameters="{scan_range_max: 20.0}")
    (simulator,) = launched.nodes
    expected = {"preset": "f1tenth_gym_ros", "ego_namespace": "ego_racecar", "scan_beams": 54, "num_agents": 2, "sx": -3.0, "scan_range_max": 20.0}
    assert parameters_of(simulator) == expected
    started(launched)
    scans, odometry = peer.listen(LaserScan, "/opp_scan"), peer.listen(Odometry, "/ego_racecar/odom")
    maps = peer.listen(OccupancyGrid, "/map", LATCHED)
    peer.spin_until(lambda: scans and maps and len(odometry) > 20, awaited="two cars and their map")
    assert len(scans[0].ranges) == 54 and odometry[0].pose.pose.position.x == pytest.approx(-3.0, abs=1e-3)
    period = (stamp(odometry[-1]) - stamp(odometry[0])) / (len(odometry) - 1)
    assert period == pytest.approx(1 / 250.0, rel=0.2), "the preset's own rate"


def test_f1tenth_launch_drives_the_real_cars_topics(prefix, peer, started):
    launched = launch(prefix("skidpad"), "f1tenth", preset="f1tenth_system", headless="true", open_foxglove="true")
    assert [message.split(":")[0] for message in launched.messages] == ["launch argument open_foxglove"]
    started(launched)
    odometry = peer.listen(Odometry, "/odom")
    peer.spin_until(lambda: odometry and peer.node.count_subscribers("/drive"), awaited="the car and its multiplexer")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"preset": "f1"}, 'launch argument preset: found "f1"\n  accepted: f1tenth_gym_ros, f1tenth_system'),
        ({"num_agents": "two"}, 'launch argument num_agents: found "two"\n  accepted: a whole number, at least 1'),
        ({"num_agents": "2", "preset": "f1tenth_system"}, 'launch argument num_agents: found "2", and preset:=f1tenth_system\n  accepted: with f1tenth_gym_ros only'),
        ({"parameters": "[1]"}, 'launch argument parameters: found "[1]"\n  accepted: names and values, as {async_mode: false}'),
    ],
)
def test_f1tenth_launch_names_what_it_does_not_accept(prefix, arguments, message):
    with pytest.raises(RuntimeError) as refused:
        launch(prefix("skidpad"), "f1tenth", **arguments)
    assert str(refused.value) == message


def test_f1tenth_launch_names_a_file_that_is_none_of_the_bridge(prefix, tmp_path):
    config = tmp_path / "sim.yaml"
    with pytest.raises(RuntimeError) as refused:
        launch(prefix("skidpad"), "f1tenth", config=str(config))
    assert str(refused.value).startswith(f'launch argument config: "{config}" cannot be read: ')
    config.write_text("map_server: {ros__parameters: {}}")
    with pytest.raises(RuntimeError) as refused:
        launch(prefix("skidpad"), "f1tenth", config=str(config))
    assert str(refused.value) == f'launch argument config: found "{config}"\n  accepted: a file with parameters of the node bridge'


def test_the_other_launch_files_describe_programs_that_there_are(prefix):
    share = prefix("skidpad")
    nodes = launch(share, "sim", world="nav2", variables="{x_pose: 1.0}", headless="true").nodes
    nodes += launch(share, "racecar", gui="false", use_mux_node="true").nodes
    nodes += launch(share, "tracking").nodes
    nodes += launch(share, "f1tenth", num_agents="2").nodes
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
        ("f1tenth", {}, False),
        ("f1tenth", {"headless": "true"}, True),
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


def simulator_parameters(launched):
    """The single parameters of the simulator that a launch file starts."""
    (node,) = [node for node in launched.nodes if "run" in node.get("arguments", [])]
    return {name: value for given in node["parameters"] if isinstance(given, dict) for name, value in given.items()}


STARTED_BY = {"sim": {"world": "empty"}, "racecar": {}, "f1tenth": {}, "nav2": {"use_rviz": "False", "use_robot_state_pub": "False"}, "tracking": {}}


@pytest.mark.parametrize("file", STARTED_BY)
def test_launch_files_hand_on_whether_time_stands_and_which_time_stamps_have(prefix, file):
    share, arguments = prefix("skidpad"), STARTED_BY[file]
    plain = simulator_parameters(launch(share, file, **arguments))
    assert "paused" not in plain and "stamps" not in plain, "left to the parameter file"
    assert simulator_parameters(launch(share, file, paused="true", **arguments))["paused"] is True
    with pytest.raises(RuntimeError) as refused:
        launch(share, file, paused="maybe", **arguments)
    assert str(refused.value) == 'launch argument paused: found "maybe"\n  accepted: true, false'
    if file != "tracking":  # whose nodes need simulated time.
        assert simulator_parameters(launch(share, file, use_sim_time="false", **arguments))["stamps"] == "wall"


@pytest.mark.parametrize(
    ("file", "name", "text", "accepted"),
    [
        ("sim", "variables", "[1]", "names and values, as {lidar: 1}"),
        ("sim", "parameters", "{a: ", "names and values, as {odom_rate: 100.0}"),
        ("sim", "rate", "nan", "a number, max"),
        ("sim", "shutdown_grace", "long", "a number"),
        ("racecar", "parameters", "a", "names and values, as {odom_rate: 50.0}"),
        ("f1tenth", "num_agents", "1.5", "a whole number, at least 1"),
        ("nav2", "rate", "inf", "a number"),
        ("tracking", "rate", "0", "a number greater than 0"),
        ("tracking", "active", "maybe", "true, false"),
    ],
)
def test_launch_files_say_alike_what_they_accept(prefix, file, name, text, accepted):
    with pytest.raises(RuntimeError) as refused:
        launch(prefix("skidpad"), file, **STARTED_BY[file] | {name: text})
    assert str(refused.value) == f'launch argument {name}: found "{text}"\n  accepted: {accepted}'


def test_nodes_beside_stamps_by_the_wall_clock_do_not_follow_simulated_time(prefix):
    share = prefix("skidpad")
    for stamps, follows in [("wall", False), ("sim", True), ("", True)]:
        launched = launch(share, "racecar", stamps=stamps, use_mux_node="true", use_rviz="true")
        of_other_nodes = [node["parameters"][0]["use_sim_time"] for node in launched.nodes if node["executable"] != "skidpad"]
        assert of_other_nodes == [follows, follows], stamps
    for arguments, message in [
        ({"stamps": "gps"}, 'launch argument stamps: found "gps"\n  accepted: sim, wall'),
        ({"stamps": "wall", "use_sim_time": "true"}, 'launch argument use_sim_time: found "true", and stamps:=wall\n  accepted: true with sim, false with wall'),
    ]:
        with pytest.raises(RuntimeError) as refused:
            launch(share, "sim", world="empty", **arguments)
        assert str(refused.value) == message


def test_rviz_and_the_simulator_have_the_same_names_of_frames(prefix):
    share = prefix("skidpad")
    for file, arguments, fixed in [("sim", {"world": "empty"}, "site"), ("racecar", {}, "wheels")]:
        launched = launch(share, file, use_rviz="true", parameters="{map_frame_id: site, odom_frame_id: wheels}", **arguments)
        rviz = next(node for node in launched.nodes if node["package"] == "rviz2")
        assert rviz["arguments"][2:] == ["-f", fixed]
        assert simulator_parameters(launched)["odom_frame_id"] == "wheels"


@pytest.mark.parametrize(("name", "value"), [("record", "5"), ("duration", "5"), ("web", "5"), ("paused", "true")])
def test_options_of_the_simulator_are_refused_with_the_node_that_takes_its_place(prefix, name, value):
    with pytest.raises(RuntimeError) as refused:
        launch(prefix("skidpad"), "tracking", plant="ode_simulator", **{name: value})
    assert str(refused.value).startswith(f'launch argument {name}: found "{value}", and plant:=ode_simulator\n  accepted: ')
