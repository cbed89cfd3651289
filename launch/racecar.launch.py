"""Replaces the Gazebo model of the MIT racecar, with the same topics, frames and rates, so that nodes written for it run unchanged.

    ros2 launch skidpad racecar.launch.py world_name:=racecar_tunnel use_rviz:=true

It has the arguments of racecar_gazebo's racecar.launch, and those of sim.launch.py. docs/racecar.md has more.
"""

import json
import os
import runpy

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, OpaqueFunction
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

SHARE = get_package_share_directory("skidpad")
SHARED = runpy.run_path(os.path.join(SHARE, "launch", "arguments.py"))
unknown, truth, names_and_values, refused = (SHARED[name] for name in ("unknown", "truth", "names_and_values", "refused"))
follows_simulated_time, PAUSED = (SHARED[name] for name in ("follows_simulated_time", "PAUSED"))

# Worlds of racecar_gazebo that exist here, by their original names.
WORLDS = {
    "racecar": "racecar_gazebo.world.xml",
    "racecar_tunnel": "racecar_gazebo_tunnel.world.xml",
    "racecar_cones": "racecar_gazebo_cones.world.xml",
}
LATER = {"racecar_ar": "its markers are for a camera", "racecar_walker": "its walker is for a camera"}
VERSIONS = ("racecar-v1", "racecar-v2")

ARGUMENTS = [
    DeclareLaunchArgument("world_name", default_value="racecar", description="world of racecar_gazebo: " + ", ".join(WORLDS)),
    DeclareLaunchArgument("world", default_value="", description="any other world file with one car, as for sim.launch.py"),
    DeclareLaunchArgument("gui", default_value="true", description="false: no viewer, unless `web` asks for it"),
    DeclareLaunchArgument("headless", default_value="false", description="true: the same as gui:=false"),
    DeclareLaunchArgument("web", default_value="", description="address of the viewer's page, as for sim.launch.py"),
    DeclareLaunchArgument("run_camera", default_value="false", description="true: the car has its camera; stereo: both of its lenses"),
    DeclareLaunchArgument(
        "racecar_version", default_value="racecar-v2", description="accepted for compatibility; both versions have the same multiplexers"),
    DeclareLaunchArgument(
        "use_mux_node", default_value="false", description="true: the node ackermann_mux selects the command, not the simulator"),
    DeclareLaunchArgument("mux_config", default_value="", description="levels and inputs of the multiplexer; empty: the racecar's"),
    DeclareLaunchArgument(
        "params_file", default_value=os.path.join(SHARE, "config", "racecar.yaml"), description="ROS parameters of the simulator, including quirks"),
    DeclareLaunchArgument("parameters", default_value="{}", description="single ROS parameters, which override the file: {odom_rate: 50.0}"),
    DeclareLaunchArgument("rate", default_value="", description="simulated seconds per second, or max; empty: as in the parameter file"),
    PAUSED,
    DeclareLaunchArgument("stamps", default_value="", description="which time stamps have, as for sim.launch.py: sim, wall"),
    DeclareLaunchArgument("record", default_value="", description="MCAP file to record to; empty: none"),
    DeclareLaunchArgument("csv", default_value="", description="folder for CSV logs; empty: none"),
    DeclareLaunchArgument("use_rviz", default_value="false", description="true: start RViz too"),
    DeclareLaunchArgument("use_sim_time", default_value="", description="for the multiplexer's node and RViz; empty: true, unless stamps is wall"),
]


def generate_launch_description():
    return LaunchDescription(ARGUMENTS + unknown(__file__, ARGUMENTS) + [OpaqueFunction(function=racecar)])


def lenses(written):
    """How many lenses the car's camera has."""
    return 2 if written == "stereo" else int(truth("run_camera", written))


def racecar(context):
    names = [argument.name for argument in ARGUMENTS]
    value = {name: LaunchConfiguration(name).perform(context) for name in names}
    if value["racecar_version"] not in VERSIONS:
        raise refused("racecar_version", value["racecar_version"], ", ".join(VERSIONS))
    mux_node = truth("use_mux_node", value["use_mux_node"])
    # Also with the user's own file, which may omit it.
    parameters = {"preset": "racecar_gazebo"} | ({"builtin_mux": False} if mux_node else {})
    parameters |= {"mux_config": value["mux_config"]} if value["mux_config"] else {}
    parameters |= names_and_values("parameters", value["parameters"], "{odom_rate: 50.0}")
    simulation = os.path.join(SHARE, "launch", "sim.launch.py")
    arguments = {
        "world": value["world"] or world_file(value["world_name"]),
        "headless": str(truth("headless", value["headless"]) or not truth("gui", value["gui"])).lower(),
        "parameters": json.dumps(parameters),
        "variables": json.dumps({"camera": lenses(value["run_camera"])}),
    }
    arguments.update({name: value[name] for name in ("params_file", "rate", "web", "record", "csv", "paused", "stamps", "use_rviz", "use_sim_time")})
    arguments["rviz_config_file"] = "racecar"
    actions = [IncludeLaunchDescription(PythonLaunchDescriptionSource(simulation), launch_arguments=arguments.items())]
    if mux_node:
        of_mux = {"use_sim_time": follows_simulated_time(value["stamps"], value["use_sim_time"]), "config": value["mux_config"]}
        actions.append(Node(package="skidpad", executable="ackermann_mux", parameters=[of_mux], output="screen", emulate_tty=True))
    return actions


def world_file(name):
    """The file of a world of racecar_gazebo."""
    if name in WORLDS:
        return os.path.join(SHARE, "worlds", WORLDS[name])
    reason = " ({})".format(LATER[name]) if name in LATER else ""
    raise RuntimeError(
        'launch argument world_name: no world "{}" yet{}\n  accepted: {}\n  hint: world:=FILE takes any world with one car'.format(
            name, reason, ", ".join(WORLDS)))
