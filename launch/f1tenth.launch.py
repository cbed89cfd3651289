"""Replaces f1tenth_gym_ros with any number of cars, or the real F1TENTH car, with the same topics, frames and rates.

    ros2 launch skidpad f1tenth.launch.py num_agents:=2 use_rviz:=true
    ros2 launch skidpad f1tenth.launch.py preset:=f1tenth_system

It has the arguments of f1tenth_gym_ros's gym_bridge_launch.py, takes its parameter file as `config`, and has the arguments of sim.launch.py.
docs/presets.md has the tables of topics.
"""

import json
import os
import runpy

import yaml
from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, LogInfo, OpaqueFunction
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration

SHARE = get_package_share_directory("skidpad")
SHARED = runpy.run_path(os.path.join(SHARE, "launch", "arguments.py"))
unknown, number, names_and_values, refused, PAUSED = (SHARED[name] for name in ("unknown", "number", "names_and_values", "refused", "PAUSED"))
RACES = "f1tenth_gym_ros"
PRESETS = (RACES, "f1tenth_system")
# Name of f1tenth_gym_ros's node in its parameter files.
BRIDGE = "bridge"

ARGUMENTS = [
    DeclareLaunchArgument("preset", default_value=RACES, description="system whose topics to use: " + ", ".join(PRESETS)),
    DeclareLaunchArgument("num_agents", default_value="", description="number of cars; empty: as in `config`, or 1"),
    DeclareLaunchArgument("config", default_value="", description="a parameter file of f1tenth_gym_ros, of which the part for the node `bridge` is used"),
    DeclareLaunchArgument("map", default_value="", description="a map_server file, with or without .yaml; empty: as in `config`, or the world's own"),
    DeclareLaunchArgument("world", default_value="f1tenth", description="world file, as for sim.launch.py"),
    DeclareLaunchArgument("headless", default_value="false", description="true: no viewer, unless `web` asks for it"),
    DeclareLaunchArgument("web", default_value="", description="address of the viewer's page, as for sim.launch.py"),
    DeclareLaunchArgument(
        "params_file", default_value=os.path.join(SHARE, "config", "f1tenth.yaml"), description="ROS parameters of the simulator; `config` takes precedence"),
    DeclareLaunchArgument("parameters", default_value="{}", description="single ROS parameters, which override the files: {async_mode: false}"),
    DeclareLaunchArgument("rate", default_value="", description="simulated seconds per second, or max; empty: as in the parameter file"),
    PAUSED,
    DeclareLaunchArgument("stamps", default_value="", description="which time stamps have, as for sim.launch.py: sim, wall"),
    DeclareLaunchArgument("record", default_value="", description="MCAP file to record to; empty: none"),
    DeclareLaunchArgument("csv", default_value="", description="folder for CSV logs; empty: none"),
    DeclareLaunchArgument("use_rviz", default_value="false", description="true: start RViz too"),
    DeclareLaunchArgument("use_sim_time", default_value="", description="for RViz; empty: true, unless stamps is wall"),
    DeclareLaunchArgument("open_foxglove", default_value="false", description="accepted for compatibility; skidpad has its own viewer"),
]


def generate_launch_description():
    return LaunchDescription(ARGUMENTS + unknown(__file__, ARGUMENTS) + [OpaqueFunction(function=race)])


def race(context):
    value = {argument.name: LaunchConfiguration(argument.name).perform(context) for argument in ARGUMENTS}
    if value["preset"] not in PRESETS:
        raise refused("preset", value["preset"], ", ".join(PRESETS))
    parameters = {"preset": value["preset"]} | (bridge_parameters(value["config"]) if value["config"] else {})
    if value["num_agents"]:
        # Older files have the singular name, which would contradict the argument.
        parameters.pop("num_agent", None)
        is_count = lambda count: count >= 1 and count.is_integer()  # noqa: E731
        parameters["num_agents"] = int(number("num_agents", value["num_agents"], "a whole number, at least 1", is_count))
    parameters |= {"map_path": value["map"]} if value["map"] else {}
    if value["preset"] != RACES:
        for_races = [argument for argument in ("num_agents", "config", "map") if value[argument]]
        if for_races:
            raise RuntimeError(
                'launch argument {}: found "{}", and preset:={}\n  accepted: with {} only'.format(
                    for_races[0], value[for_races[0]], value["preset"], RACES))
    arguments = {name: value[name] for name in ("world", "headless", "params_file", "rate", "web", "record", "csv", "paused", "stamps", "use_rviz", "use_sim_time")}
    arguments["parameters"] = json.dumps(parameters | names_and_values("parameters", value["parameters"], "{async_mode: false}"))
    arguments["rviz_config_file"] = "fleet"
    source = PythonLaunchDescriptionSource(os.path.join(SHARE, "launch", "sim.launch.py"))
    actions = [IncludeLaunchDescription(source, launch_arguments=arguments.items())]
    if value["open_foxglove"].lower() in ("true", "1"):
        actions.append(LogInfo(msg="launch argument open_foxglove: Foxglove is not started; skidpad's viewer is there unless headless:=true"))
    return actions


def bridge_parameters(file):
    """What a parameter file of f1tenth_gym_ros says of its node."""
    try:
        with open(file) as opened:
            nodes = yaml.safe_load(opened)
    except (OSError, yaml.YAMLError) as error:
        raise RuntimeError('launch argument config: "{}" cannot be read: {}'.format(file, error)) from None
    try:
        parameters = nodes[BRIDGE]["ros__parameters"]
        return dict(parameters)
    except (KeyError, TypeError, ValueError):
        raise refused("config", file, "a file with parameters of the node " + BRIDGE) from None
