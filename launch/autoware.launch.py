"""Runs a car in the place of Autoware's simple_planning_simulator, with its topics, its service and its parameter files.

    ros2 launch skidpad autoware.launch.py
    ros2 launch skidpad autoware.launch.py simulator_model_param_file:=simulator_model.param.yaml vehicle_info_param_file:=vehicle_info.param.yaml

Autoware itself is started apart, without its own simulator. docs/autoware.md has more.
"""

import json
import os
import runpy

import yaml
from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, OpaqueFunction
from launch.launch_description_sources import PythonLaunchDescriptionSource

SHARE = get_package_share_directory("skidpad")
SHARED = runpy.run_path(os.path.join(SHARE, "launch", "arguments.py"))
unknown, values, truth, names_and_values, refused, PAUSED = (
    SHARED[name] for name in ("unknown", "values", "truth", "names_and_values", "refused", "PAUSED"))
# Parameter files of the vehicle, as Autoware's own launch file calls them.
FILES = ("simulator_model_param_file", "vehicle_info_param_file")
# Whom the parameters in them are for: every node.
EVERYBODY = "/**"

ARGUMENTS = [
    DeclareLaunchArgument("world", default_value="autoware", description="world file with one car, as for sim.launch.py"),
    DeclareLaunchArgument("simulator_model_param_file", default_value="", description="Autoware's parameters of the model of the vehicle; empty: those of its sample vehicle"),
    DeclareLaunchArgument("vehicle_info_param_file", default_value="", description="Autoware's parameters of the size of the vehicle, likewise"),
    DeclareLaunchArgument("initial_engage_state", default_value="true", description="false: the car stands until /vehicle/engage lets it go"),
    DeclareLaunchArgument("variables", default_value="{}", description="variables of the world, which override the files: {vel_lim: 20}"),
    DeclareLaunchArgument("stamps", default_value="", description="which time stamps have, as for sim.launch.py: sim, wall"),
    DeclareLaunchArgument("headless", default_value="false", description="true: no viewer, unless `web` asks for it"),
    DeclareLaunchArgument("web", default_value="", description="address of the viewer's page, as for sim.launch.py"),
    DeclareLaunchArgument(
        "params_file", default_value=os.path.join(SHARE, "config", "autoware.yaml"), description="ROS parameters of the simulator; those of the vehicle take precedence"),
    DeclareLaunchArgument(
        "parameters", default_value="{}", description="single ROS parameters, which override the files: {initialize_source: ORIGIN}"),
    DeclareLaunchArgument("rate", default_value="", description="simulated seconds per second, or max; empty: as in the parameter file"),
    PAUSED,
    DeclareLaunchArgument("record", default_value="", description="MCAP file to record to; empty: none"),
    DeclareLaunchArgument("csv", default_value="", description="folder for CSV logs; empty: none"),
    DeclareLaunchArgument("use_rviz", default_value="false", description="true: start RViz too"),
]


def generate_launch_description():
    return LaunchDescription(ARGUMENTS + unknown(__file__, ARGUMENTS) + [OpaqueFunction(function=driven)])


def driven(context):
    value = values(context, ARGUMENTS)
    parameters = {"preset": "autoware", "initial_engage_state": truth("initial_engage_state", value["initial_engage_state"])}
    for name in FILES:
        parameters |= of_vehicle(name, value[name]) if value[name] else {}
    parameters |= names_and_values("parameters", value["parameters"], "{initialize_source: ORIGIN}")
    passed = ("world", "variables", "stamps", "headless", "web", "params_file", "rate", "paused", "record", "csv", "use_rviz")
    arguments = {name: value[name] for name in passed} | {"parameters": json.dumps(parameters)}
    source = PythonLaunchDescriptionSource(os.path.join(SHARE, "launch", "sim.launch.py"))
    return [IncludeLaunchDescription(source, launch_arguments=arguments.items())]


def of_vehicle(argument, file):
    """The numbers, switches and words in a parameter file of the vehicle. Lists and groups are of models that are not here."""
    try:
        with open(file) as opened:
            parameters = yaml.safe_load(opened)[EVERYBODY]["ros__parameters"]
        return {name: value for name, value in parameters.items() if isinstance(value, (bool, int, float, str))}
    except (OSError, yaml.YAMLError, KeyError, TypeError, AttributeError):
        raise refused(argument, file, "a file with parameters of " + EVERYBODY) from None
