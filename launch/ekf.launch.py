"""Runs robot_localization's filter with the simulator: odometry of the wheels and an inertial measurement unit become odom to base_footprint.

    ros2 launch skidpad ekf.launch.py
    ros2 launch skidpad ekf.launch.py world:=own.yaml params_file:=my_ekf.yaml

docs/beside.md has more.
"""

import os
import runpy

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch_ros.actions import Node

SHARE = get_package_share_directory("skidpad")
SHARED = runpy.run_path(os.path.join(SHARE, "launch", "arguments.py"))
BESIDE, unknown, values, beside, missing = (SHARED[name] for name in ("BESIDE", "unknown", "values", "beside", "missing"))

ARGUMENTS = [
    DeclareLaunchArgument("world", default_value="nav2", description="world file or map file with a TurtleBot3, as for sim.launch.py"),
    DeclareLaunchArgument(
        "params_file", default_value=os.path.join(SHARE, "config", "robot_localization.yaml"), description="parameters of ekf_filter_node"),
    *BESIDE,
]
# Its odometry and its inertial measurement unit are those of the robot; the filter publishes the transform instead.
SIMULATOR = {"preset": "turtlebot3", "publish_tf": False, "publish_map": True}


def generate_launch_description():
    return LaunchDescription(ARGUMENTS + unknown(__file__, ARGUMENTS) + [OpaqueFunction(function=start)])


def start(context):
    value = values(context, ARGUMENTS)
    simulator, messages = beside(value, SIMULATOR), missing("robot_localization")
    return simulator + messages if messages else simulator + [
        Node(
            package="robot_localization",
            executable="ekf_node",
            name="ekf_filter_node",
            parameters=[value["params_file"], {"use_sim_time": True}],
            output="screen",
        )
    ]
