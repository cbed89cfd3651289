"""ros2 run: the programs of skidpad."""

import argparse
import os
import shutil

from problem import Problem


def add_commands(commands):
    command = commands.add_parser("run", help="runs a program of a package: ros2 run skidpad NAME ARGUMENTS")
    command.add_argument("package")
    command.add_argument("program")
    command.add_argument("arguments", nargs=argparse.REMAINDER)
    command.set_defaults(act=run)


def run(arguments):
    if arguments.package != "skidpad":
        raise Problem("package", "found " + arguments.package, ["skidpad"], "programs of other packages need a ROS 2 that is installed")
    skidpad = shutil.which("skidpad")
    if skidpad is None:
        raise Problem("skidpad", "not on the PATH", hint="source ros/env.sh")
    words = [] if arguments.program == "skidpad" else ["node", arguments.program]
    os.execv(skidpad, [skidpad] + words + arguments.arguments)
