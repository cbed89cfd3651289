"""A ROS controller for `skidpad experiment --controller`, to be copied: pure pursuit (Coulter, CMU-RI-TR-92-01) with the speed of the reference.

    skidpad experiment config/circle.yaml --controller 'python3 python/skidpad/examples/pure_pursuit.py --lookahead 0.5'

At each tick the simulation publishes a pose and the reference, and waits for one command. The two come in any order, so this node answers when it
has both of the same time. What it answers depends on them alone, and so each run is the same.

Poses of motion capture (`feedback: mocap`) come after their tick, and some never. Then this node answers each reference at once, by the newest pose that
is at least `--age` old. By then it has mostly come: runs differ only where a loaded machine delivers a pose late.
"""

from __future__ import annotations

import argparse
import bisect
import csv
import math
import os
import sys
from typing import Any

import rclpy
from ackermann_msgs.msg import AckermannDriveStamped
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Odometry
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from rclpy.qos import QoSProfile
from std_msgs.msg import Float64MultiArray

# Reliable and deep: nothing may be lost.
QUALITY = QoSProfile(depth=100)
# Speed per distance to the reference along the car [1/s], and the least speed that the look-ahead counts with [m/s].
GAIN, MIN_SPEED = 1.0, 0.1


def instant_of(message: Any) -> int:
    """The time in the header of a message [ns]."""
    stamp = message.header.stamp
    return 1_000_000_000 * stamp.sec + stamp.nanosec


def planar(pose: Any) -> tuple[float, float, float]:
    """Position [m] and heading [rad] of a pose."""
    x, y, q = pose.position.x, pose.position.y, pose.orientation
    return x, y, math.atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z))


class PurePursuit(Node):
    """Steers to the point of the reference that is `lookahead` [m] ahead.

    Poses of motion capture are `age` [s] old when they are used. They are of markers `marker` [m] ahead of the rear axle.
    """

    def __init__(self, lookahead: float, wheelbase: float, age: float, marker: float) -> None:
        super().__init__("pure_pursuit")
        self.lookahead, self.wheelbase = lookahead, wheelbase
        self.age, self.marker = round(1e9 * age), marker
        self.sees_markers = os.environ.get("SKIDPAD_FEEDBACK") == "mocap"
        with open(os.environ["SKIDPAD_REFERENCE_FILE"], newline="") as file:
            self.path = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
        self.times = [point["time"] for point in self.path]
        # What has come, by its time [ns].
        self.poses: dict[int, tuple[float, float, float]] = {}
        start = self.path[0]
        # The newest pose of motion capture that is old enough.
        self.seen = (start["x"], start["y"], start["yaw"])
        self.references: dict[int, tuple[float, float]] = {}
        self.command = self.create_publisher(AckermannDriveStamped, os.environ["SKIDPAD_COMMAND"], QUALITY)
        take_pose, kind = (self.take_markers, PoseStamped) if self.sees_markers else (self.take_pose, Odometry)
        self.create_subscription(kind, os.environ["SKIDPAD_ODOMETRY"], take_pose, QUALITY)
        self.create_subscription(Float64MultiArray, os.environ["SKIDPAD_REFERENCE"], self.take_reference, QUALITY)

    def take_pose(self, message: Any) -> None:
        self.take(self.poses, instant_of(message), planar(message.pose.pose))

    def take_markers(self, message: Any) -> None:
        x, y, yaw = planar(message.pose)
        self.poses[instant_of(message)] = (x - self.marker * math.cos(yaw), y - self.marker * math.sin(yaw), yaw)

    def take_reference(self, message: Any) -> None:
        x, y, time = message.data
        if self.sees_markers:
            self.answer_by_markers(round(1e9 * time), (x, y))
        else:
            self.take(self.references, round(1e9 * time), (x, y))

    def answer_by_markers(self, instant: int, reference: tuple[float, float]) -> None:
        for stamp in sorted(stamp for stamp in self.poses if stamp <= instant - self.age):
            self.seen = self.poses.pop(stamp)
        self.answer(1e-9 * instant, self.seen, reference)

    def take(self, into: dict[int, Any], instant: int, value: Any) -> None:
        into[instant] = value
        if instant in self.poses and instant in self.references:
            self.answer(1e-9 * instant, self.poses[instant], self.references[instant])
            self.poses.clear()
            self.references.clear()

    def at(self, time: float) -> dict[str, float]:
        """The point of the reference at this time [s]."""
        return self.path[min(bisect.bisect_left(self.times, time), len(self.path) - 1)]

    def answer(self, time: float, pose: tuple[float, float, float], reference: tuple[float, float]) -> None:
        x, y, yaw = pose
        behind = math.cos(yaw) * (reference[0] - x) + math.sin(yaw) * (reference[1] - y)
        speed = self.at(time)["speed"]
        goal = self.at(time + self.lookahead / max(speed, MIN_SPEED))
        to_left = -math.sin(yaw) * (goal["x"] - x) + math.cos(yaw) * (goal["y"] - y)
        distance = max(math.hypot(goal["x"] - x, goal["y"] - y), 1e-3)
        message = AckermannDriveStamped()
        message.drive.speed = max(speed + GAIN * behind, 0.0)
        message.drive.steering_angle = math.atan(2.0 * self.wheelbase * to_left / distance**2)
        self.command.publish(message)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lookahead", type=float, default=0.5, help="distance of the point that the car steers to [m]")
    parser.add_argument("--wheelbase", type=float, default=0.325, help="of the car [m]")
    parser.add_argument("--age", type=float, default=0.03, help="of poses of motion capture: delay, jitter and a period together [s]")
    parser.add_argument("--marker", type=float, default=0.1, help="how far ahead of the rear axle the markers are [m]")
    rclpy.init(args=sys.argv)
    arguments = parser.parse_args(rclpy.utilities.remove_ros_args(sys.argv)[1:])
    try:
        rclpy.spin(PurePursuit(arguments.lookahead, arguments.wheelbase, arguments.age, arguments.marker))
    except (KeyboardInterrupt, ExternalShutdownException):
        pass


if __name__ == "__main__":
    main()
