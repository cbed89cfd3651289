"""Runs the simulator in a world, with RViz beside it if wanted.

    ros2 launch skidpad sim.launch.py world:=racecar.world.xml headless:=true
"""

import os

import yaml
from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

SHARE = get_package_share_directory("skidpad")
ENDING = ".world.xml"

ARGUMENTS = [
    DeclareLaunchArgument("world", description="world file: a path, or the name of one in the package's worlds folder, with or without " + ENDING),
    DeclareLaunchArgument("variables", default_value="{}", description="variables of the world, over those of the file: {lidar: 1}"),
    DeclareLaunchArgument("namespace", default_value="", description="namespace of the simulator node"),
    DeclareLaunchArgument("headless", default_value="false", description="true: no hint about viewing"),
    DeclareLaunchArgument("use_rviz", default_value="false", description="true: RViz is started too"),
    DeclareLaunchArgument(
        "params_file", default_value=os.path.join(SHARE, "config", "sim.yaml"), description="ROS parameters of the simulator node"),
    DeclareLaunchArgument(
        "rate", default_value="", description="simulated seconds per second, or max; empty: as the parameter file says"),
    DeclareLaunchArgument("parameters", default_value="{}", description="single ROS parameters, over those of the file: {odom_rate: 100.0}"),
    DeclareLaunchArgument("record", default_value="", description="MCAP file to record to; empty: none"),
    DeclareLaunchArgument("csv", default_value="", description="folder for CSV logs; empty: none"),
    DeclareLaunchArgument(
        "use_sim_time", default_value="true", description="for RViz; the simulator is the clock and keeps its own time either way"),
]


def generate_launch_description():
    rviz = Node(
        package="rviz2",
        executable="rviz2",
        condition=IfCondition(LaunchConfiguration("use_rviz")),
        parameters=[{"use_sim_time": LaunchConfiguration("use_sim_time")}],
        output="screen",
    )
    return LaunchDescription(ARGUMENTS + [OpaqueFunction(function=simulator), rviz])


def simulator(context):
    """The node, its command line made from the values of the arguments."""
    value = {name: LaunchConfiguration(name).perform(context) for name in ("world", "namespace", "headless", "params_file", "rate", "record", "csv", "parameters", "variables")}
    arguments = ["run", find_world(value["world"])]
    for name, setting in named("variables", value["variables"], "{lidar: 1}").items():
        arguments += ["--set", "{}={}".format(name, setting)]
    if value["headless"].lower() in ("true", "1"):
        arguments += ["--headless"]
    for option in ("record", "csv"):
        if value[option]:
            arguments += ["--" + option, value[option]]
    if not os.path.isfile(value["params_file"]):
        raise RuntimeError('launch argument params_file: no file "{}"'.format(value["params_file"]))
    # Not --rate: a rate in the parameter file would override it.
    parameters = [value["params_file"]] + ([{"rate": rate_parameter(value["rate"])}] if value["rate"] else [])
    parameters += [single] if (single := named("parameters", value["parameters"], "{odom_rate: 100.0}")) else []
    return [
        Node(
            package="skidpad",
            executable="skidpad",
            namespace=value["namespace"],
            arguments=arguments,
            parameters=parameters,
            output="screen",
            emulate_tty=True,
        )
    ]


def rate_parameter(text):
    """The parameter `rate` for the launch argument of that name; 0 stands for max."""
    try:
        return 0.0 if text == "max" else float(text)
    except ValueError:
        raise RuntimeError('launch argument rate: found "{}"\n  accepted: a number, max'.format(text)) from None


def named(argument, text, example):
    """The names and values of a launch argument."""
    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError:
        found = None
    if not isinstance(found, dict):
        raise RuntimeError('launch argument {}: found "{}"\n  accepted: names and values, as {}'.format(argument, text, example))
    return found


def find_world(name):
    """The file of a world: `name` itself if there is such a file, otherwise the package's world of that name."""
    folder = os.path.join(SHARE, "worlds")
    for path in (name, os.path.join(folder, name), os.path.join(folder, name + ENDING)):
        if os.path.isfile(path):
            return path
    known = sorted(entry for entry in os.listdir(folder) if entry.endswith(ENDING)) if os.path.isdir(folder) else []
    raise RuntimeError('launch argument world: no file "{}"\n  accepted: a path, or one of {}'.format(name, ", ".join(known)))
