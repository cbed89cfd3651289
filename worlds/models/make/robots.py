"""The models of robots and machines."""

from __future__ import annotations

from collections.abc import Callable

import forklift
import indoor_robots
import omni_robots
import skid_robot
import tracked_robot
import turtlebot3
import wheel_loader
from mesh import Model

ROBOTS: dict[str, Callable[[], Model]] = {
    "castor_robot": indoor_robots.castor_robot,
    "castor_robot_wheel": indoor_robots.castor_wheel,
    "create": indoor_robots.create,
    "create_wheel": indoor_robots.create_wheel,
    "diffbot": indoor_robots.diffbot,
    "diffbot_wheel": indoor_robots.diffbot_wheel,
    "forklift": forklift.body,
    "forklift_wheel": forklift.wheel,
    "robotino": omni_robots.robotino,
    "robotino_wheel": omni_robots.robotino_wheel,
    "rosbot_xl": omni_robots.rosbot_xl,
    "rosbot_xl_wheel_left": omni_robots.mecanum_wheel_left,
    "rosbot_xl_wheel_right": omni_robots.mecanum_wheel_right,
    "round_robot": indoor_robots.round_robot,
    "skid_robot": skid_robot.body,
    "skid_robot_wheel": skid_robot.wheel,
    "soccer_robot": omni_robots.soccer_robot,
    "soccer_robot_wheel": omni_robots.soccer_wheel,
    "tracked_robot": tracked_robot.body,
    "tracked_robot_wheel": tracked_robot.wheel,
    "turtlebot3_burger": turtlebot3.body_of_burger,
    "turtlebot3_waffle": turtlebot3.body_of_waffle,
    "turtlebot3_wheel": turtlebot3.wheel,
    "wheel_loader": wheel_loader.body,
    "wheel_loader_front": wheel_loader.front,
    "wheel_loader_wheel": wheel_loader.wheel,
}
