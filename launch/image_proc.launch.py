"""Rectifies the pictures of a camera of the simulator with image_proc.

    ros2 launch skidpad image_proc.launch.py
    ros2 launch skidpad image_proc.launch.py world:=racecar variables:="{camera: 1}" camera:=/zed

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
    DeclareLaunchArgument("world", default_value="checkerboard_room", description="world file with a camera, as for sim.launch.py"),
    DeclareLaunchArgument("camera", default_value="/rig/eye", description="what its topics begin with: CAMERA/image_raw, CAMERA/camera_info"),
    DeclareLaunchArgument("params_file", default_value=os.path.join(SHARE, "config", "image_proc.yaml"), description="parameters of rectify_node"),
    *BESIDE,
]


def generate_launch_description():
    return LaunchDescription(ARGUMENTS + unknown(__file__, ARGUMENTS) + [OpaqueFunction(function=start)])


def start(context):
    value = values(context, ARGUMENTS)
    simulator, messages = beside(value, {}), missing("image_proc")
    return simulator + messages if messages else simulator + [
        Node(
            package="image_proc",
            executable="rectify_node",
            name="rectify_node",
            # Its picture is CAMERA/image_rect, and the calibration is looked for beside the picture that comes in.
            namespace=value["camera"].strip("/"),
            parameters=[value["params_file"], {"use_sim_time": True}],
            remappings=[("image", "image_raw")],
            output="screen",
        )
    ]
