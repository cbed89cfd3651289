"""A ROS controller for `skidpad experiment --controller`, to be copied: pure pursuit (Coulter, CMU-RI-TR-92-01) with the speed of the reference.

    skidpad experiment config/circle.yaml --controller 'python3 python/skidpad/examples/pure_pursuit.py --lookahead 0.5'

At each tick the simulation publishes a pose and the reference, and waits for one command. The two come in any order, so this node answers when it
has both of the same time. What it answers depends on them alone, and so each run is the same.
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
from nav_msgs.msg import Odometry
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from rclpy.qos import QoSProfile
from std_msgs.msg import Float64MultiArray

# Reliable and deep: nothing may be lost.
QUALITY = QoSProfile(depth=100)
# Speed per distance to the reference along the car [1/s], and the least speed that the look-ahead counts with [m/s].
GAIN, MIN_SPEED = 1.0, 0.1


class PurePursuit(Node):
    """Steers to the point of the reference that is `lookahead` [m] ahead."""

    def __init__(self, lookahead: float, wheelbase: float) -> None:
        super().__init__("pure_pursuit")
        self.lookahead, self.wheelbase = lookahead, wheelbase
        with open(os.environ["SKIDPAD_REFERENCE_FILE"], newline="") as file:
            self.path = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
        self.times = [point["time"] for point in self.path]
        # What has come, by its time [ns].
        self.poses: dict[int, Any] = {}
        self.references: dict[int, tuple[float, float]] = {}
        self.command = self.create_publisher(AckermannDriveStamped, os.environ["SKIDPAD_COMMAND"], QUALITY)
        self.create_subscription(Odometry, os.environ["SKIDPAD_ODOMETRY"], self.take_pose, QUALITY)
        self.create_subscription(Float64MultiArray, os.environ["SKIDPAD_REFERENCE"], self.take_reference, QUALITY)

    def take_pose(self, message: Any) -> None:
        stamp = message.header.stamp
        self.take(self.poses, 1_000_000_000 * stamp.sec + stamp.nanosec, message.pose.pose)

    def take_reference(self, message: Any) -> None:
        x, y, time = message.data
        self.take(self.references, round(1e9 * time), (x, y))

    def take(self, into: dict[int, Any], instant: int, value: Any) -> None:
        into[instant] = value
        if instant in self.poses and instant in self.references:
            self.answer(1e-9 * instant, self.poses[instant], self.references[instant])
            self.poses.clear()
            self.references.clear()

    def at(self, time: float) -> dict[str, float]:
        """The point of the reference at this time [s]."""
        return self.path[min(bisect.bisect_left(self.times, time), len(self.path) - 1)]

    def answer(self, time: float, pose: Any, reference: tuple[float, float]) -> None:
        x, y, q = pose.position.x, pose.position.y, pose.orientation
        yaw = math.atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z))
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
    rclpy.init(args=sys.argv)
    arguments = parser.parse_args(rclpy.utilities.remove_ros_args(sys.argv)[1:])
    try:
        rclpy.spin(PurePursuit(arguments.lookahead, arguments.wheelbase))
    except (KeyboardInterrupt, ExternalShutdownException):
        pass


if __name__ == "__main__":
    main()
