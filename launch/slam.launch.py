"""Runs SLAM Toolbox with the simulator: it makes the map from the lidar, and publishes map to odom.

    ros2 launch skidpad slam.launch.py use_rviz:=true
    ros2 launch skidpad slam.launch.py world:=own.yaml slam_params_file:=my_slam.yaml

nav2.launch.py slam:=True runs it with nav2. docs/beside.md has more.
"""

import os
import runpy

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, OpaqueFunction
from launch.launch_description_sources import PythonLaunchDescriptionSource

SHARE = get_package_share_directory("skidpad")
SHARED = runpy.run_path(os.path.join(SHARE, "launch", "arguments.py"))
BESIDE, unknown, values, beside, missing = (SHARED[name] for name in ("BESIDE", "unknown", "values", "beside", "missing"))

ARGUMENTS = [
    DeclareLaunchArgument("world", default_value="nav2", description="world file or map file with one vehicle that has a lidar, as for sim.launch.py"),
    DeclareLaunchArgument(
        "slam_params_file", default_value=os.path.join(SHARE, "config", "slam_toolbox.yaml"), description="parameters of slam_toolbox"),
    DeclareLaunchArgument(
        "slam_launch_file", default_value="online_async_launch.py", description="launch file of slam_toolbox, such as online_sync_launch.py"),
    *BESIDE,
]
# The map, and where the robot is in it, are SLAM Toolbox's.
SIMULATOR = {"publish_map": False}


def generate_launch_description():
    return LaunchDescription(ARGUMENTS + unknown(__file__, ARGUMENTS) + [OpaqueFunction(function=start)])


def start(context):
    value = values(context, ARGUMENTS)
    messages = missing("slam_toolbox")
    # With RViz, sim.launch.py publishes map to odom, which is SLAM Toolbox's here.
    simulator = beside(value, SIMULATOR | ({} if messages else {"publish_map_to_odom": False}))
    if messages:
        return simulator + messages
    source = os.path.join(get_package_share_directory("slam_toolbox"), "launch", value["slam_launch_file"])
    arguments = {"use_sim_time": "true", "slam_params_file": value["slam_params_file"]}
    return simulator + [IncludeLaunchDescription(PythonLaunchDescriptionSource(source), launch_arguments=arguments.items())]
