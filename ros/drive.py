"""Drives a vehicle from the command line, for machines without the `ros2` command.

    python3 ros/drive.py --speed 1 --steer 0.2            AckermannDriveStamped on ackermann_cmd
    python3 ros/drive.py --speed 0.5 --turn 0.3           Twist on cmd_vel, turn in rad/s
    python3 ros/drive.py --vehicle r1 --speed 0.5 --turn 0.3
"""

import argparse

import rclpy
from ackermann_msgs.msg import AckermannDriveStamped
from geometry_msgs.msg import Twist
from rclpy.executors import ExternalShutdownException


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--speed", type=float, default=0.5, help="m/s, negative: backwards")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--steer", type=float, help="steering angle [rad]")
    how.add_argument("--turn", type=float, help="yaw rate [rad/s]")
    parser.add_argument("--vehicle", default="", help="name of the vehicle where the world has several")
    arguments = parser.parse_args()

    rclpy.init()
    node = rclpy.create_node("drive", namespace=arguments.vehicle)
    if arguments.steer is None:
        publisher = node.create_publisher(Twist, "cmd_vel", 10)
        message = Twist()
        message.linear.x = arguments.speed
        message.angular.z = arguments.turn or 0.0
    else:
        publisher = node.create_publisher(AckermannDriveStamped, "ackermann_cmd", 10)
        message = AckermannDriveStamped()
        message.drive.speed = arguments.speed
        message.drive.steering_angle = arguments.steer
    node.create_timer(0.1, lambda: publisher.publish(message))
    print(f"driving by {publisher.topic_name}; Ctrl-C ends it", flush=True)
    try:
        rclpy.spin(node)
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    finally:
        node.destroy_node()
        rclpy.try_shutdown()


if __name__ == "__main__":
    main()
