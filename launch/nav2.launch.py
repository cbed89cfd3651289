"""Starts nav2 with skidpad instead of Gazebo, with the arguments of nav2_bringup's tb3_simulation_launch.py.

    ros2 launch skidpad nav2.launch.py
    ros2 launch skidpad nav2.launch.py map:=own.yaml use_localization:=False
    ros2 launch skidpad nav2.launch.py slam:=True use_rviz:=False rate:=2
    ros2 launch skidpad nav2.launch.py robots:="{name: r1, pose: {x: -2.0, y: -0.5, yaw: 0}}; {name: r2, pose: {x: 3.0, y: -0.5, yaw: 3.14}}"

Brings up the simulator, robot_state_publisher, RViz and nav2's bringup_launch.py, each if its argument asks for it; packages that are not
installed are left out and named. docs/nav2.md has more.
"""

import json
import os
import re
import runpy
import subprocess
import tempfile
from typing import Any

import yaml
from ament_index_python.packages import PackageNotFoundError, get_package_prefix, get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, LogInfo, OpaqueFunction, RegisterEventHandler
from launch.event_handlers import OnShutdown
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

SHARE = get_package_share_directory("skidpad")
SHARED = runpy.run_path(os.path.join(SHARE, "launch", "arguments.py"))
unknown, truth, number, PAUSED = (SHARED[name] for name in ("unknown", "truth", "number", "PAUSED"))
WORLD = os.path.join(SHARE, "worlds", "nav2.world.xml")
MAP = os.path.join(SHARE, "worlds", "maps", "house.yaml")
ROBOT = "turtlebot3_waffle"
# The class of the robot in that world.
VEHICLE = "nav2_waffle"
# Where the robot starts in that world, as in nav2's own simulation; in that of another map these values stand for a free place.
START = {"x_pose": "-2.00", "y_pose": "-0.50", "yaw": "0.00"}
# With use_localization:=False the simulator localizes the robot, as nav2's loopback simulator does: a little ahead, and put where initialpose says.
LOCALIZED = {"publish_map_to_odom": True, "teleport_topics": True, "transform_tolerance": 0.01}
REMAPPINGS = [("/tf", "tf"), ("/tf_static", "tf_static")]
POSE = ("x", "y", "z", "roll", "pitch", "yaw")
# How long the clock goes on after Ctrl-C for nav2, parts of which sleep in simulated time [s].
SHUTDOWN_GRACE = 10.0
# The highest rate without observed problems.
KEEPS_UP = 2.0
# Parameters that nav2's nodes apply by the wall clock, with its defaults (nav2 1.3): loops per second; milliseconds of a loop; accelerations that
# are a change of velocity in each loop, which is as long as the frequency says. Costmaps are published, and timeouts counted, in
# simulated time.
LOOPS: dict[str, dict[str, Any]] = {
    "controller_server": {"controller_frequency": 20.0},
    "local_costmap": {"update_frequency": 5.0},
    "global_costmap": {"update_frequency": 5.0},
    "behavior_server": {"cycle_frequency": 10.0},
    "velocity_smoother": {"smoothing_frequency": 20.0, "max_accel": [2.5, 0.0, 3.2], "max_decel": [-2.5, 0.0, -3.2]},
    "waypoint_follower": {"loop_rate": 20},
    "docking_server": {"controller_frequency": 50.0},
}
PERIODS = {"bt_navigator": {"bt_loop_duration": 10}}
# Milliseconds that an answer of another process may take, which a behaviour tree counts in simulated time: processes are no quicker.
ANSWERS = {"bt_navigator": {"default_server_timeout": 20}}
# How the voxel layers of costmaps observe the points of the robot's depth camera. Ranges are those of nav2 for its lidar, below those of the camera.
DEPTH_CAMERA = {
    "data_type": "PointCloud2",
    "min_obstacle_height": 0.05,
    "max_obstacle_height": 2.0,
    "marking": True,
    "clearing": True,
    "obstacle_max_range": 2.5,
    "obstacle_min_range": 0.0,
    "raytrace_max_range": 3.0,
    "raytrace_min_range": 0.0,
}
CONTROLLERS = {"RegulatedPurePursuit": {"max_angular_accel": 3.2}, "RotationShim": {"max_angular_accel": 3.2}}


def share_of(package):
    """The share folder of a package, or none where it is not installed."""
    try:
        return get_package_share_directory(package)
    except PackageNotFoundError:
        return None


NAV2 = share_of("nav2_bringup")


def of_nav2(*path):
    """A file of nav2_bringup; empty where there is none."""
    file = os.path.join(NAV2 or "", *path)
    return file if NAV2 and os.path.isfile(file) else ""


ARGUMENTS = [
    DeclareLaunchArgument("namespace", default_value="", description="namespace of the robot and of its nav2"),
    DeclareLaunchArgument(
        "use_namespace", default_value="", description="Humble and Jazzy: whether nav2 runs in the namespace; empty: if there is one"),
    DeclareLaunchArgument("slam", default_value="False", description="True: use SLAM instead of a map and AMCL"),
    DeclareLaunchArgument("map", default_value=MAP, description="map for nav2's map server; without a world of its own it is the world, too"),
    DeclareLaunchArgument(
        "use_localization", default_value="True",
        description="False: no AMCL and no SLAM; the simulator publishes map to odom, and initialpose puts the robot there"),
    DeclareLaunchArgument(
        "graph", default_value=of_nav2("graphs", "turtlebot3_graph.geojson"), description="Kilted and later: graph for the route server"),
    DeclareLaunchArgument(
        "use_sim_time", default_value="true", description="whether all nodes use the simulator's clock; false: it publishes none, and stamps by the wall clock"),
    DeclareLaunchArgument(
        "params_file", default_value="", description="parameters of nav2's nodes; empty: nav2_params.yaml, or the file for namespaces if there is one"),
    DeclareLaunchArgument("autostart", default_value="true", description="whether nav2 activates its nodes by itself"),
    DeclareLaunchArgument("use_composition", default_value="True", description="whether nav2's nodes share a process"),
    DeclareLaunchArgument("use_intra_process_comms", default_value="False", description="Lyrical and later: whether they exchange messages within the process"),
    DeclareLaunchArgument("use_respawn", default_value="False", description="whether nav2's nodes are restarted when they fail"),
    DeclareLaunchArgument(
        "rviz_config_file", default_value="", description="for RViz; empty: nav2_default_view.rviz, or the file for namespaces if there is one"),
    DeclareLaunchArgument("use_simulator", default_value="True", description="False: do not start the simulator"),
    DeclareLaunchArgument("use_robot_state_pub", default_value="True", description="False: the simulator publishes the static transforms of the robot"),
    DeclareLaunchArgument("use_rviz", default_value="True", description="False: do not start RViz"),
    DeclareLaunchArgument("headless", default_value="True", description="False: start skidpad's viewer too, and print its link"),
    DeclareLaunchArgument("web", default_value="", description="address of that viewer's page, as for sim.launch.py, also if headless"),
    DeclareLaunchArgument("world", default_value=WORLD, description="world file, or the name of one of skidpad's; a map file, as map"),
    DeclareLaunchArgument("vehicle", default_value=VEHICLE, description="class of the robot in the world of a map: the name of a file in worlds/vehicles"),
    DeclareLaunchArgument("robot_name", default_value=ROBOT, description="name of the robot in the world"),
    DeclareLaunchArgument("robot_sdf", default_value="", description="accepted for compatibility; the world file defines the robot"),
    DeclareLaunchArgument("x_pose", default_value=START["x_pose"], description="start of the robot, x [m]; in the world of your own map that of a free place"),
    DeclareLaunchArgument("y_pose", default_value=START["y_pose"], description="start of the robot, y [m]; likewise"),
    DeclareLaunchArgument("z_pose", default_value="0.01", description="accepted for compatibility; a robot stands on the ground"),
    DeclareLaunchArgument("roll", default_value="0.00", description="accepted for compatibility"),
    DeclareLaunchArgument("pitch", default_value="0.00", description="accepted for compatibility"),
    DeclareLaunchArgument("yaw", default_value=START["yaw"], description="heading of the robot at the start [rad]"),
    DeclareLaunchArgument(
        "robots", default_value="", description="several robots, each in its own namespace: {name: r1, pose: {x: 0, y: 0, yaw: 0}}; …, or r1={x: 0}; …"),
    DeclareLaunchArgument("depth_camera", default_value="False", description="True: the robot has a depth camera, which the voxel layers of nav2 observe"),
    DeclareLaunchArgument("rate", default_value="", description="simulated seconds per second, or max; nav2's loop rates are scaled with it"),
    DeclareLaunchArgument(
        "simulator_params_file", default_value=os.path.join(SHARE, "config", "nav2.yaml"), description="ROS parameters of the simulator node"),
    DeclareLaunchArgument("preset", default_value="skidpad", description="system whose topics, frames and joints the simulator uses"),
    DeclareLaunchArgument("base_frame_id", default_value="", description="frame of the robot; empty: the preset's; nav2's params_file names it too"),
    PAUSED,
    DeclareLaunchArgument("record", default_value="", description="MCAP file to record to; empty: none"),
]
SWITCHES = (
    "slam", "use_sim_time", "autostart", "use_composition", "use_intra_process_comms", "use_respawn", "use_simulator", "use_robot_state_pub",
    "use_rviz", "headless", "depth_camera", "use_localization",
)


def generate_launch_description():
    return LaunchDescription(ARGUMENTS + unknown(__file__, ARGUMENTS) + [OpaqueFunction(function=bring_up)])


def bring_up(context):
    value = {argument.name: LaunchConfiguration(argument.name).perform(context) for argument in ARGUMENTS}
    for name in SWITCHES:
        value[name] = truth(name, value[name])
    robots = parse_robots(value["robots"])
    if robots and value["namespace"]:
        raise RuntimeError('launch argument namespace: found "{}", and robots\n  accepted: one of the two'.format(value["namespace"]))
    if is_map(value["world"]):
        value["map"], value["world"] = value["world"], WORLD
    if not value["use_localization"] and value["slam"]:
        raise RuntimeError('launch argument use_localization: found "False", and slam\n  accepted: one of the two')
    world, variables, actions = world_with(value, robots)
    has_publisher = value["use_robot_state_pub"] and is_installed("robot_state_publisher")
    if value["use_robot_state_pub"] and not has_publisher:
        instead = ": the simulator publishes what stays fixed on the robot" if value["use_simulator"] else ""
        actions.append(LogInfo(msg="robot_state_publisher is not installed" + instead))
    if value["use_simulator"]:
        actions.append(simulator(value, world, variables, has_publisher))
    # Another world's only robot has a name of its own.
    alone = None if value["world"] != WORLD and value["robot_name"] == ROBOT else value["robot_name"]
    rate = rate_of(value["rate"])
    if rate > KEEPS_UP:
        actions.append(LogInfo(msg=too_fast(value["rate"])))
    for name, namespace in [(robot, robot) for robot in robots] or [(alone, value["namespace"])]:
        if has_publisher:
            actions.append(state_publisher(value, namespace, description(value, world, variables, name)))
        actions += navigation(value, namespace, rate)
    if NAV2 is None:
        actions.append(LogInfo(msg="nav2_bringup is not installed: the simulator runs without nav2"))
    return actions


def is_map(file):
    return file.endswith((".yaml", ".yml"))


def world_with(value, robots):
    """The world file, its variables, and what has to be done about it: with these robots in it if there are any."""
    if value["world"] != WORLD:
        return value["world"], {}, []
    depth_camera = int(value["depth_camera"])
    if robots:
        return world_of_robots(value, robots)
    names = {"robot_name": value["robot_name"]}
    start = {name: number(name, value[name]) for name in START}
    if value["map"] == MAP and value["vehicle"] == VEHICLE:
        return WORLD, names | {"depth_camera": depth_camera} | start, []
    # Not every class has a camera that can be switched on.
    names |= {"vehicle": value["vehicle"]} | ({"depth_camera": depth_camera} if depth_camera else {})
    if value["map"] == MAP or any(value[name] != default for name, default in START.items()):
        names |= {"x": start["x_pose"], "y": start["y_pose"], "yaw": start["yaw"]}
    return value["map"], names, []


def world_of_robots(value, robots):
    """The same for a world with these robots within the walls of the map."""
    # The file names its image from its own folder.
    walls = '<element class="occupancy_grid"><file>{}</file></element>'.format(escaped(os.path.abspath(value["map"])))
    include = '<include file="{}"/>'.format(escaped(os.path.join(SHARE, "worlds", "vehicles", value["vehicle"] + ".vehicle.xml")))
    vehicle = '<vehicle name="{}" class="{}"><init_pose>{} {} $f{{rad2deg({})}}</init_pose></vehicle>'
    vehicles = [vehicle.format(name, escaped(value["vehicle"]), pose["x"], pose["y"], pose["yaw"]) for name, pose in robots.items()]
    variable = '<variable name="depth_camera" value="{}"/>'.format(int(value["depth_camera"]))
    file, forget = temporary(".world.xml", "\n".join(['<mvsim_world version="1.0">', variable, walls, include, *vehicles, "</mvsim_world>", ""]))
    return file, {}, [forget]


def temporary(ending, text):
    """A file that is there until the shutdown, and what removes it then."""
    with tempfile.NamedTemporaryFile("w", prefix="skidpad_", suffix=ending, delete=False) as file:
        file.write(text)

    def forget(context):
        os.remove(file.name)

    return file.name, RegisterEventHandler(OnShutdown(on_shutdown=[OpaqueFunction(function=forget)]))


def simulator(value, world, variables, has_publisher):
    # The map is nav2's: of its map server, or of SLAM.
    parameters = {
        "preset": value["preset"],
        "publish_static_tf": not has_publisher,
        "publish_robot_description": not has_publisher,
        "publish_map": False,
    } | ({"base_frame_id": value["base_frame_id"]} if value["base_frame_id"] else {})
    parameters |= {} if value["use_localization"] else LOCALIZED
    arguments = {
        "world": world,
        "variables": json.dumps(variables),
        "namespace": value["namespace"],
        "headless": str(value["headless"]).lower(),
        "params_file": value["simulator_params_file"],
        "parameters": json.dumps(parameters),
        "rate": value["rate"],
        "paused": value["paused"],
        "use_sim_time": str(value["use_sim_time"]),
        "web": value["web"],
        "record": value["record"],
        "csv": "",
        "shutdown_grace": str(SHUTDOWN_GRACE),
        # An included file sees the arguments of this one, and RViz comes with nav2's configuration.
        "use_rviz": "false",
    }
    source = PythonLaunchDescriptionSource(os.path.join(SHARE, "launch", "sim.launch.py"))
    return IncludeLaunchDescription(source, launch_arguments=arguments.items())


def state_publisher(value, namespace, urdf):
    return Node(
        package="robot_state_publisher",
        executable="robot_state_publisher",
        name="robot_state_publisher",
        namespace=namespace,
        parameters=[{"use_sim_time": value["use_sim_time"], "robot_description": urdf}],
        remappings=REMAPPINGS,
        output="screen",
    )


def description(value, world, variables, vehicle):
    """The URDF of a vehicle of the world, or of the only one; its frames and joints have the names that the simulator gives them."""
    program = os.path.join(get_package_prefix("skidpad"), "lib", "skidpad", "skidpad")
    settings = [word for name, setting in variables.items() for word in ("--set", "{}={}".format(name, setting))]
    base_frame = ["--base-frame-id", value["base_frame_id"]] if value["base_frame_id"] else []
    command = [program, "urdf", world, "--preset", value["preset"], *base_frame, *(["--vehicle", vehicle] if vehicle else []), *settings]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise RuntimeError("{}: cannot be run: {}".format(program, error)) from None
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return done.stdout


def navigation(value, namespace, rate):
    """nav2 and RViz for the robot in this namespace, at so many simulated seconds per second."""
    if NAV2 is None:
        return plain_rviz(value, namespace)
    use_namespace = truth("use_namespace", value["use_namespace"]) if value["use_namespace"] else bool(namespace)
    of_namespace = {"namespace": namespace, "use_namespace": str(use_namespace)}
    use_sim_time = str(value["use_sim_time"])
    namespaced = use_namespace and bool(namespace)
    parameters = value["params_file"] or first(namespaced and of_nav2("params", "nav2_multirobot_params_all.yaml"), of_nav2("params", "nav2_params.yaml"))
    actions = []
    is_quicker = 1.0 < rate < float("inf")
    if parameters and (is_quicker or value["depth_camera"]):
        nodes = parameters_in(parameters)
        if is_quicker:
            quicken(nodes, rate)
        # Costmaps have namespaces of their own, in which nav2 up to Jazzy resolves relative names.
        topic = "/".join(["", *([namespace] if namespace else []), "depth_camera_points"])
        if value["depth_camera"] and not observe_depth(nodes, topic):
            actions.append(LogInfo(msg='launch argument depth_camera: "{}" has no voxel layer: nav2 does not observe the camera'.format(parameters)))
        parameters, forget = temporary(".yaml", yaml.safe_dump(nodes, sort_keys=False))
        actions.append(forget)
    if value["use_rviz"]:
        config = value["rviz_config_file"] or first(
            namespaced and of_nav2("rviz", "nav2_namespaced_view.rviz"), of_nav2("rviz", "nav2_default_view.rviz"))
        actions.append(of_bringup("rviz_launch.py", of_namespace | {"use_sim_time": use_sim_time, "rviz_config": config}))
    arguments = of_namespace | {
        "slam": str(value["slam"]),
        "map": value["map"],
        "graph": value["graph"],
        "use_sim_time": use_sim_time,
        "params_file": parameters,
        "autostart": str(value["autostart"]).lower(),
        "use_composition": str(value["use_composition"]),
        "use_intra_process_comms": str(value["use_intra_process_comms"]),
        "use_respawn": str(value["use_respawn"]),
        "use_keepout_zones": "False",
        "use_speed_zones": "False",
        "container_name": "nav2_container",
        "use_localization": str(value["use_localization"]),
    }
    if value["use_localization"]:
        return actions + [of_bringup("bringup_launch.py", arguments)]
    actions += map_server(value, namespace)
    if "use_localization" in text_of(of_nav2("launch", "bringup_launch.py")):
        return actions + [of_bringup("bringup_launch.py", arguments)]
    # Humble's file always localizes, and is the one that starts a container.
    return actions + [of_bringup("navigation_launch.py", arguments | {"use_composition": "False"})]


def map_server(value, namespace):
    """nav2's map server, which comes with its localization otherwise, and what activates it."""
    common = {"namespace": namespace, "output": "screen"}
    time = {"use_sim_time": value["use_sim_time"]}
    server = Node(
        package="nav2_map_server", executable="map_server", name="map_server", parameters=[time | {"yaml_filename": value["map"]}],
        remappings=REMAPPINGS, **common)
    manager = Node(
        package="nav2_lifecycle_manager", executable="lifecycle_manager", name="lifecycle_manager_map_server",
        parameters=[time | {"autostart": value["autostart"], "node_names": ["map_server"]}], **common)
    return [server, manager]


def text_of(file):
    with open(file) as opened:
        return opened.read()


def parameters_in(file):
    """nav2's parameters in this file."""
    try:
        with open(file) as opened:
            return yaml.safe_load(opened)
    except (OSError, yaml.YAMLError) as error:
        raise RuntimeError('launch argument params_file: "{}" cannot be read: {}'.format(file, error)) from None


def observe_depth(parameters, topic):
    """Adds the points of the depth camera on this topic to what every voxel layer observes; whether there is one."""
    if not isinstance(parameters, dict):
        return False
    if "VoxelLayer" in str(parameters.get("plugin", "")):
        sources = str(parameters.get("observation_sources", "")).split()
        parameters["observation_sources"] = " ".join([*sources, "depth_camera"])
        parameters["depth_camera"] = {"topic": topic} | DEPTH_CAMERA
        return True
    return any([observe_depth(inner, topic) for inner in parameters.values()])


def quicken(nodes, rate):
    """Lets the loops of these nodes run as often in a simulated second as they were to in one of the wall clock, and their answers take as long by the
    wall clock, whatever namespaces the nodes stand in."""
    for name, node in nodes.items() if isinstance(nodes, dict) else ():
        parameters = node.get("ros__parameters") if isinstance(node, dict) else None
        if not isinstance(parameters, dict):
            quicken(node, rate)
            continue
        name = str(name).rsplit("/", 1)[-1]
        frequency = parameters.get("controller_frequency", LOOPS["controller_server"]["controller_frequency"])
        multiply(parameters, LOOPS.get(name, {}), rate)
        multiply(parameters, ANSWERS.get(name, {}), rate)
        multiply(parameters, PERIODS.get(name, {}), 1.0 / rate)
        for controller in parameters.values() if name == "controller_server" else ():
            plugin = str(controller.get("plugin", "")) if isinstance(controller, dict) else ""
            for kind, accelerations in CONTROLLERS.items():
                if kind in plugin:
                    multiply(controller, accelerations, rate)
            if "DWB" in plugin:
                # What a velocity can change in: one loop, unless it is given.
                controller.setdefault("sim_period", 1.0 / frequency)


def multiply(parameters, defaults, factor):
    """Multiplies parameters, which have these defaults where they are not given. Whole numbers stay whole, and above 0."""
    for name, default in defaults.items():
        value = parameters.get(name, default)
        if isinstance(value, list):
            parameters[name] = [factor * element for element in value]
        elif isinstance(value, int) and not isinstance(value, bool):
            parameters[name] = max(1, round(factor * value))
        elif isinstance(value, float):
            parameters[name] = factor * value


def rate_of(text):
    """The rate that an argument asks for: 1 where it leaves it to the simulator's own parameters, infinite for the fastest."""
    if text == "":
        return 1.0
    return float("inf") if text == "max" or number("rate", text) == 0.0 else number("rate", text)


def too_fast(rate):
    loops = "nav2's loops run by the wall clock and stay as they are" if rate == "max" else "nav2's loops are asked to run so much more often by the wall clock"
    return (
        'launch argument rate: found "{}", {}\n  accepted: up to {:g} without missed loops on a usual machine\n'
        "  hint: look at the rate of cmd_vel and for \"missed its desired rate\" in nav2's log; docs/nav2.md".format(rate, loops, KEEPS_UP))


def plain_rviz(value, namespace):
    """RViz as it is without nav2, if there is one."""
    if not value["use_rviz"]:
        return []
    if not is_installed("rviz2"):
        return [LogInfo(msg="rviz2 is not installed: nothing is shown")]
    config = ["-d", value["rviz_config_file"]] if value["rviz_config_file"] else []
    parameters = [{"use_sim_time": value["use_sim_time"]}]
    return [Node(package="rviz2", executable="rviz2", namespace=namespace, arguments=config, parameters=parameters, remappings=REMAPPINGS, output="screen")]


def of_bringup(file, arguments):
    source = PythonLaunchDescriptionSource(os.path.join(NAV2, "launch", file))
    return IncludeLaunchDescription(source, launch_arguments=arguments.items())


def first(*files):
    return next((file for file in files if file), "")


def is_installed(package):
    return share_of(package) is not None


def parse_robots(text):
    """Name and pose of each robot, in either of nav2's ways of writing them."""
    robots = {}
    for robot in (part.strip() for part in text.split(";") if part.strip()):
        name, equals, pose = robot.partition("=")
        try:
            entry = {"name": name.strip(), "pose": yaml.safe_load(pose)} if equals else yaml.safe_load(robot)
            name, pose = str(entry["name"]), entry.get("pose") or {}
            pose = {of: number("robots", str(pose.get(of, 0.0))) for of in POSE}
        except (yaml.YAMLError, KeyError, TypeError, AttributeError):
            name = ""
        if not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name) or name in robots:
            raise RuntimeError(
                'launch argument robots: found "{}"\n  accepted: {{name: r1, pose: {{x: 0, y: 0, yaw: 0}}}}, r1={{x: 0, y: 0, yaw: 0}}; each name once'.format(robot))
        robots[name] = pose
    return robots


def escaped(path):
    return path.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
