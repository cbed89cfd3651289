"""What launch files share: launch arguments that a file does not have, which `ros2 launch` takes without a word, and how values are read."""

import difflib
import math
import os
import sys

import yaml
from launch.actions import DeclareLaunchArgument, LogInfo

# Those that launch itself reads, for the processes that it starts.
OF_LAUNCH = ("emulate_tty", "launch-prefix", "launch-prefix-filter", "sigkill_timeout", "sigterm_timeout")

PAUSED = DeclareLaunchArgument(
    "paused", default_value="false", description="true: the simulator starts paused, until the viewer, ~/pause or set_simulation_state resumes")


def unknown(file, arguments):
    """Tells of each argument of the command line that is not among `arguments`, if `file` is the launch file that is started there.

    A launch file that is included sees all arguments of the one that includes it, and cannot know which of them are meant for others.
    """
    words = sys.argv[1:]
    started = next((index for index, word in enumerate(words) if os.path.basename(word) == os.path.basename(file)), len(words))
    names = [argument.name for argument in arguments]
    given = dict.fromkeys(word.partition(":=")[0] for word in words[started + 1:] if ":=" in word)
    return [LogInfo(msg=told(name, names, file)) for name in given if name not in names + list(OF_LAUNCH)]


def told(name, names, file):
    similar = difflib.get_close_matches(name, names, 1)
    hint = 'did you mean "{}"?'.format(similar[0]) if similar else "ros2 launch skidpad {} --show-args names those that there are".format(os.path.basename(file))
    return "launch argument {}: unknown, and without effect\n  hint: {}".format(name, hint)


def truth(name, text):
    """Whether an argument is true."""
    if text.lower() not in ("true", "1", "false", "0"):
        raise refused(name, text, "true, false")
    return text.lower() in ("true", "1")


def number(name, text, accepted="a number", fits=lambda found: True):
    """The finite number of an argument, if it `fits`."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not (math.isfinite(found) and fits(found)):
        raise refused(name, text, accepted)
    return found


def names_and_values(name, text, example):
    """The names and values of an argument, such as `example`."""
    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError:
        found = None
    if not isinstance(found, dict):
        raise refused(name, text, "names and values, as " + example)
    return found


def refused(name, text, accepted):
    return RuntimeError('launch argument {}: found "{}"\n  accepted: {}'.format(name, text, accepted))


def pause_at_start(text):
    """The simulator's parameters for the argument `paused`; without it, the parameter file decides."""
    return [{"paused": True}] if truth(PAUSED.name, text) else []


def follows_simulated_time(stamps, use_sim_time):
    """Whether nodes follow simulated time: as `use_sim_time` says; where it is empty, unless `stamps` is wall."""
    return truth("use_sim_time", use_sim_time) if use_sim_time else stamps != "wall"
