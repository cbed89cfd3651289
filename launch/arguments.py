"""What launch files share: launch arguments that a file does not have, which `ros2 launch` takes without a word, and how values are read."""

import difflib
import json
import math
import os
import sys

import yaml
from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, LogInfo
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration

# Those that launch itself reads, for the processes that it starts.
OF_LAUNCH = ("emulate_tty", "launch-prefix", "launch-prefix-filter", "sigkill_timeout", "sigterm_timeout")

PAUSED = DeclareLaunchArgument(
    "paused", default_value="false", description="true: the simulator starts paused, until the viewer, ~/pause or set_simulation_state resumes")

# Those of launch files that start the simulator beside nodes of one other package.
BESIDE = [
    DeclareLaunchArgument("use_simulator", default_value="true", description="false: do not start the simulator"),
    DeclareLaunchArgument("variables", default_value="{}", description="variables of the world, which override the file: {lidar: 1}"),
    DeclareLaunchArgument("headless", default_value="false", description="true: no viewer, unless `web` asks for it"),
    DeclareLaunchArgument("web", default_value="", description="address of the viewer's page, as for sim.launch.py"),
    DeclareLaunchArgument("use_rviz", default_value="false", description="true: start RViz too"),
    DeclareLaunchArgument("rate", default_value="", description="simulated seconds per second, or max; empty: as in the parameter file"),
    PAUSED,
    DeclareLaunchArgument("record", default_value="", description="MCAP file to record to; empty: none"),
]


def values(context, arguments):
    """The texts of these arguments by name."""
    return {argument.name: LaunchConfiguration(argument.name).perform(context) for argument in arguments}


def beside(value, parameters):
    """The simulator in the world of these values, with single ROS parameters, if it is wanted: the arguments are those of `BESIDE`, and `world`."""
    if not truth("use_simulator", value["use_simulator"]):
        return []
    handed_on = ("world", "variables", "headless", "web", "use_rviz", "rate", "paused", "record")
    arguments = {name: value[name] for name in handed_on} | {"parameters": json.dumps(parameters)}
    source = PythonLaunchDescriptionSource(os.path.join(get_package_share_directory("skidpad"), "launch", "sim.launch.py"))
    return [IncludeLaunchDescription(source, launch_arguments=arguments.items())]


def missing(*packages):
    """Tells of each package that is not installed, and how to get it."""
    messages = []
    for package in packages:
        try:
            get_package_share_directory(package)
        except PackageNotFoundError:
            hint = "apt install ros-{}-{}".format(os.environ.get("ROS_DISTRO", "$ROS_DISTRO"), package.replace("_", "-"))
            messages.append(LogInfo(msg="{} is not installed: the simulator runs without it\n  hint: {}".format(package, hint)))
    return messages


def unknown(file, arguments):
    """Tells of each argument of the command line that is not among `arguments`, if `file` is the launch file that is started there.

    A launch file that is included sees all arguments of the one that includes it, and cannot know which of them are meant for others.
    """
    words = sys.argv[1:]
    started = next((index for index, word in enumerate(words) if os.path.basename(word) == os.path.basename(file)), len(words))
    names = [argument.name for argument in arguments]
    given = dict.fromkeys(word.partition(":=")[0] for word in words[started + 1:] if ":=" in word)
    return [LogInfo(msg=unknown_message(name, names, file)) for name in given if name not in names + list(OF_LAUNCH)]


def unknown_message(name, names, file):
    similar = difflib.get_close_matches(name, names, 1)
    hint = 'did you mean "{}"?'.format(similar[0]) if similar else "ros2 launch skidpad {} --show-args names those that there are".format(os.path.basename(file))
    return "launch argument {}: unknown, and without effect\n  hint: {}".format(name, hint)


def truth(name, text):
    """Whether an argument is true."""
    if text.lower() not in ("true", "1", "false", "0"):
        raise refused(name, text, "true, false")
    return text.lower() in ("true", "1")


def number(name, text, accepted="a number", fits=lambda value: True):
    """The finite number of an argument, if it `fits`."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and fits(value)):
        raise refused(name, text, accepted)
    return value


def names_and_values(name, text, example):
    """The names and values of an argument, such as `example`."""
    try:
        # Launch files hand on JSON, in which 1e-05 is a number; to YAML it is text.
        parsed = json.loads(text)
    except ValueError:
        try:
            parsed = yaml.safe_load(text)
        except yaml.YAMLError:
            parsed = None
    if not isinstance(parsed, dict):
        raise refused(name, text, "names and values, as " + example)
    return parsed


def refused(name, text, accepted):
    return RuntimeError('launch argument {}: found "{}"\n  accepted: {}'.format(name, text, accepted))


def pause_at_start(text):
    """The simulator's parameters for the argument `paused`; without it, the parameter file decides."""
    return [{"paused": True}] if truth(PAUSED.name, text) else []


def follows_simulated_time(stamps, use_sim_time):
    """Whether nodes follow simulated time: as `use_sim_time` says; where it is empty, unless `stamps` is wall."""
    return truth("use_sim_time", use_sim_time) if use_sim_time else stamps != "wall"
