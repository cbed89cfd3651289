"""Drives the racing car of a running node with a trained policy, through ROS.

    skidpad run f1tenth --set map_path=maps/track_zigzag.yaml --ros-args -p preset:=f1tenth_gym_ros
    python3 -m skidpad.examples.drive_policy policy.npz --laps 2

It hears scans and odometry, and sends a speed and a steering angle for a scan every 0.05 s of simulated time, as it has learned it; any simulator or car with these topics will do. With `--laps` it
ends after so many, by the topics `lap_count` and `collision` of f1tenth_gym_ros: with status 1 if a wall was touched. For a Python that has ROS but not this package, the
file runs by its path; it needs NumPy only.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

try:
    from .policy import Policy
except ImportError:
    # Run by its path.
    from policy import Policy  # type: ignore[no-redef]

# Time between two actions [ns]: that of the training, less the jitter of scans that are not due at a step of the simulation.
PERIOD = 45_000_000


def stamp(message: Any) -> int:
    """Time of a message [ns]."""
    return message.header.stamp.sec * 1_000_000_000 + message.header.stamp.nanosec


class Driver:
    """A node that drives by a policy."""

    def __init__(self, node: Any, policy: Policy, car: str, scan: str, drive: str) -> None:
        """`car`: before the topics `odom`, `lap_count` and `collision`."""
        from ackermann_msgs.msg import AckermannDriveStamped
        from nav_msgs.msg import Odometry
        from rclpy.qos import qos_profile_sensor_data
        from sensor_msgs.msg import LaserScan
        from std_msgs.msg import Bool, Int32

        self.policy = policy
        self.speed = 0.0
        self.due = 0
        self.laps = 0
        self.has_touched = False
        self._command = AckermannDriveStamped
        self._publisher = node.create_publisher(AckermannDriveStamped, drive, 10)
        node.create_subscription(Odometry, f"{car}/odom", self._odometry, qos_profile_sensor_data)
        node.create_subscription(LaserScan, scan, self._scan, qos_profile_sensor_data)
        node.create_subscription(Int32, f"{car}/lap_count", lambda message: setattr(self, "laps", message.data), 10)
        node.create_subscription(Bool, f"{car}/collision", self._collision, 10)

    def _odometry(self, message: Any) -> None:
        self.speed = message.twist.twist.linear.x

    def _collision(self, message: Any) -> None:
        self.has_touched |= message.data

    def _scan(self, message: Any) -> None:
        now = stamp(message)
        # Time that has been set back starts anew.
        if self.due - PERIOD <= now < self.due:
            return
        self.due = now + PERIOD
        speed, steering_angle = self.policy.drive(message.ranges, self.speed)
        command = self._command()
        command.header.stamp = message.header.stamp
        command.drive.speed, command.drive.steering_angle = speed, steering_angle
        self._publisher.publish(command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Drives until the laps are complete, a wall is touched on the way, or Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("policy", type=Path, nargs="?", default=Path(__file__).with_name("race_policy.npz"), help="a saved policy [the one of the package]")
    parser.add_argument("--laps", type=int, help="ends after so many [never]")
    parser.add_argument("--car", default="/ego_racecar", help="before its topics odom, lap_count, collision [/ego_racecar]")
    parser.add_argument("--scan", default="/scan")
    parser.add_argument("--drive", default="/drive")
    given, for_ros = parser.parse_known_args(arguments)
    try:
        import rclpy
    except ImportError:
        print("rclpy: not found\n  accepted: a Python with ROS 2\n  hint: source ROS, or run this with its python3", file=sys.stderr)
        return 1
    try:
        policy = Policy.load(given.policy)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    driver = None
    try:
        rclpy.init(args=for_ros)
        node = rclpy.create_node("policy_driver")
        driver = Driver(node, policy, given.car, given.scan, given.drive)
        while rclpy.ok() and not (given.laps and (driver.laps >= given.laps or driver.has_touched)):
            rclpy.spin_once(node, timeout_sec=0.1)
    except KeyboardInterrupt:
        pass
    finally:
        rclpy.try_shutdown()
    if given.laps and driver:
        print(f"{driver.laps} laps, {'a wall was touched' if driver.has_touched else 'no wall was touched'}")
        return int(driver.has_touched or driver.laps < given.laps)
    return 0


if __name__ == "__main__":
    sys.exit(main())
