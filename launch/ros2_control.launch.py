"""Runs a vehicle behind ros2_control: the simulator as its hardware, the controller manager, and the controllers of the vehicle.

    ros2 launch skidpad ros2_control.launch.py world:=nav2

It needs the packages controller_manager, joint_state_broadcaster, joint_state_topic_hardware_interface, the package of the controller and
robot_state_publisher. docs/ros2_control.md has more.
"""

import json
import os
import runpy
import subprocess
import tempfile

import yaml
from ament_index_python.packages import get_package_prefix, get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, OpaqueFunction
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

SHARE = get_package_share_directory("skidpad")
SHARED = runpy.run_path(os.path.join(SHARE, "launch", "arguments.py"))
unknown, names_and_values, refused, PAUSED = (SHARED[name] for name in ("unknown", "names_and_values", "refused", "PAUSED"))
MANAGER = "controller_manager"
BROADCASTER = "joint_state_broadcaster"
# Topics by which steering and mecanum controllers publish the transform from odom to the robot.
OWN_TF = "~/tf_odometry"

ARGUMENTS = [
    DeclareLaunchArgument("world", default_value="nav2", description="world file with one vehicle, as for sim.launch.py"),
    DeclareLaunchArgument("vehicle", default_value="", description="the vehicle; may be empty if there is only one"),
    DeclareLaunchArgument("variables", default_value="{}", description="variables of the world, as for sim.launch.py"),
    DeclareLaunchArgument("controllers", default_value="", description="parameter file of the controllers; empty: as skidpad urdf --controllers writes it"),
    DeclareLaunchArgument("interface", default_value="velocity", description="how wheels are commanded: velocity, effort"),
    DeclareLaunchArgument("headless", default_value="false", description="true: no viewer, unless `web` asks for it"),
    DeclareLaunchArgument("web", default_value="", description="address of the viewer's page, as for sim.launch.py"),
    DeclareLaunchArgument(
        "params_file", default_value=os.path.join(SHARE, "config", "sim.yaml"), description="ROS parameters of the simulator"),
    DeclareLaunchArgument("parameters", default_value="{}", description="single ROS parameters, which override the file: {odom_rate: 200.0}"),
    DeclareLaunchArgument("rate", default_value="", description="simulated seconds per second, or max; empty: as in the parameter file"),
    PAUSED,
    DeclareLaunchArgument("record", default_value="", description="MCAP file to record to; empty: none"),
    DeclareLaunchArgument("csv", default_value="", description="folder for CSV logs; empty: none"),
    DeclareLaunchArgument("use_rviz", default_value="false", description="true: start RViz too"),
]


def generate_launch_description():
    return LaunchDescription(ARGUMENTS + unknown(__file__, ARGUMENTS) + [OpaqueFunction(function=controlled)])


def controlled(context):
    value = {argument.name: LaunchConfiguration(argument.name).perform(context) for argument in ARGUMENTS}
    if value["interface"] not in ("velocity", "effort"):
        raise refused("interface", value["interface"], "velocity, effort")
    described = [value["world"]] + (["--vehicle", value["vehicle"]] if value["vehicle"] else [])
    for name, setting in names_and_values("variables", value["variables"], "{lidar: 1}").items():
        described += ["--set", "{}={}".format(name, setting)]
    description = urdf(described + ["--ros2-control=" + value["interface"]])
    controllers = value["controllers"] or written(urdf(described + ["--controllers"]))
    namespace, names = controllers_of(controllers)
    # Also with the user's own file, which may omit it.
    parameters = {"preset": "ros2_control"} | names_and_values("parameters", value["parameters"], "{odom_rate: 200.0}")
    passed = ("world", "variables", "headless", "web", "params_file", "rate", "paused", "record", "csv", "use_rviz")
    arguments = {name: value[name] for name in passed} | {"parameters": json.dumps(parameters)}
    # The controller manager sleeps in simulated time, and could not end without a clock.
    arguments["shutdown_grace"] = "5"
    source = PythonLaunchDescriptionSource(os.path.join(SHARE, "launch", "sim.launch.py"))
    simulated = {"use_sim_time": True}
    # Vehicles in namespaces have transforms of their own there, where other nodes publish them at the root.
    in_namespace = [(name, namespace + name) for name in ("/tf", "/tf_static") if namespace]
    # The controller manager warns of remappings that are its own.
    remapped = " ".join("-r {}:={}".format(*pair) for pair in in_namespace + [(OWN_TF, namespace + "/tf")])
    return [
        IncludeLaunchDescription(source, launch_arguments=arguments.items()),
        Node(
            package="robot_state_publisher",
            executable="robot_state_publisher",
            namespace=namespace,
            parameters=[simulated | {"robot_description": description}],
            remappings=in_namespace,
            output="screen",
        ),
        Node(
            package=MANAGER,
            executable="ros2_control_node",
            namespace=namespace,
            parameters=[controllers, simulated],
            output="screen",
        ),
        Node(
            package=MANAGER,
            executable="spawner",
            namespace=namespace,
            arguments=[BROADCASTER] + names + ["--param-file", controllers, "--controller-ros-args", remapped],
            parameters=[simulated],
            output="screen",
        ),
    ]


def urdf(arguments):
    """What `skidpad urdf` writes."""
    program = os.path.join(get_package_prefix("skidpad"), "lib", "skidpad", "skidpad")
    ended = subprocess.run([program, "urdf"] + arguments, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if ended.returncode:
        raise RuntimeError("launch argument world: skidpad urdf {}\n{}".format(" ".join(arguments), ended.stderr.strip()))
    return ended.stdout


def written(text):
    """A file with this text, which the processes read that are started."""
    file = tempfile.NamedTemporaryFile("w", prefix="controllers_", suffix=".yaml", delete=False)
    with file:
        file.write(text)
    return file.name


def controllers_of(file):
    """The namespace of the controller manager in a parameter file, and its controllers but for the one of joint states."""
    try:
        with open(file) as opened:
            nodes = yaml.safe_load(opened)
        manager = next(name for name in nodes if name.rpartition("/")[2] == MANAGER)
        parameters = nodes[manager]["ros__parameters"]
        types = [name.removesuffix(".type") for name, entry in parameters.items() if name.endswith(".type") or isinstance(entry, dict) and "type" in entry]
    except (OSError, yaml.YAMLError, StopIteration, KeyError, TypeError, AttributeError):
        raise refused("controllers", file, "a file with parameters of the node " + MANAGER) from None
    namespace = manager.rpartition("/")[0].strip("/")
    if "*" in namespace:
        raise refused("controllers", manager, "the full name of the node, such as /r1/" + MANAGER)
    return "/" + namespace if namespace else "", [name for name in types if name != BROADCASTER]
