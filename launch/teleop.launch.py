"""Drives a vehicle of the simulator by a joystick (joy, teleop_twist_joy) or by keys (teleop_twist_keyboard).

    ros2 launch skidpad teleop.launch.py world:=office
    ros2 launch skidpad teleop.launch.py by:=keyboard

docs/beside.md has more.
"""

import os
import runpy
import shutil

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, LogInfo, OpaqueFunction
from launch_ros.actions import Node

SHARE = get_package_share_directory("skidpad")
SHARED = runpy.run_path(os.path.join(SHARE, "launch", "arguments.py"))
BESIDE, unknown, values, beside, missing, refused = (SHARED[name] for name in ("BESIDE", "unknown", "values", "beside", "missing", "refused"))

ARGUMENTS = [
    DeclareLaunchArgument("world", default_value="office", description="world file or map file, as for sim.launch.py"),
    DeclareLaunchArgument("by", default_value="joystick", description="joystick, keyboard"),
    DeclareLaunchArgument(
        "params_file", default_value=os.path.join(SHARE, "config", "teleop_twist_joy.yaml"), description="parameters of joy_node and teleop_twist_joy_node"),
    DeclareLaunchArgument("cmd_vel", default_value="cmd_vel", description="topic of the vehicle; with several vehicles r1/cmd_vel"),
    *BESIDE,
]
# Keys are read from a terminal, which launch does not have.
TERMINAL = "xterm"


def generate_launch_description():
    return LaunchDescription(ARGUMENTS + unknown(__file__, ARGUMENTS) + [OpaqueFunction(function=start)])


def start(context):
    value = values(context, ARGUMENTS)
    if value["by"] not in ("joystick", "keyboard"):
        raise refused("by", value["by"], "joystick, keyboard")
    return beside(value, {}) + (joystick(value) if value["by"] == "joystick" else keyboard(value))


def joystick(value):
    """A person's hands run by the wall clock."""
    messages = missing("joy", "teleop_twist_joy")
    if messages:
        return messages
    remappings = [("cmd_vel", value["cmd_vel"])]
    return [
        Node(package="joy", executable="joy_node", name="joy_node", parameters=[value["params_file"]], output="screen"),
        Node(
            package="teleop_twist_joy", executable="teleop_node", name="teleop_twist_joy_node", parameters=[value["params_file"]],
            remappings=remappings, output="screen"),
    ]


def keyboard(value):
    messages = missing("teleop_twist_keyboard")
    if messages:
        return messages
    if shutil.which(TERMINAL) is None:
        command = "ros2 run teleop_twist_keyboard teleop_twist_keyboard --ros-args -r cmd_vel:={}".format(value["cmd_vel"])
        return [LogInfo(msg="{} is not installed, and keys need a terminal\n  hint: in another one, run: {}".format(TERMINAL, command))]
    return [
        Node(
            package="teleop_twist_keyboard", executable="teleop_twist_keyboard", prefix=TERMINAL + " -e", remappings=[("cmd_vel", value["cmd_vel"])],
            output="screen")
    ]
