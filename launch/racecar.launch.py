"""Runs the simulator with the car-like racing vehicle. Takes the same arguments as sim.launch.py.

    ros2 launch skidpad racecar.launch.py use_rviz:=true
"""

import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration


def generate_launch_description():
    simulation = os.path.join(get_package_share_directory("skidpad"), "launch", "sim.launch.py")
    return LaunchDescription([
        DeclareLaunchArgument("world", default_value="racecar.world.xml", description="world file, as for sim.launch.py"),
        IncludeLaunchDescription(PythonLaunchDescriptionSource(simulation), launch_arguments=[("world", LaunchConfiguration("world"))]),
    ])
