"""Drives a vehicle from the command line, for machines without the `ros2` command.

    python3 ros/drive.py --speed 1                        stays in the middle between the walls that the lidar sees
    python3 ros/drive.py --speed 1 --steer 0.2            AckermannDriveStamped on ackermann_cmd
    python3 ros/drive.py --speed 0.5 --turn 0.3           Twist on cmd_vel, turn in rad/s
    python3 ros/drive.py --speed 0 --sideways 0.3         the same, to the left, for vehicles that move sideways
    python3 ros/drive.py --throttle 0.5 --steer 0.1       Pedals on pedals_cmd; --brake 1 stops, --gear reverse drives back
    python3 ros/drive.py --vehicle r1 --speed 0.5 --turn 0.3
"""

import argparse
import math
import signal
import sys

import rclpy
from ackermann_msgs.msg import AckermannDriveStamped
from geometry_msgs.msg import Twist
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import LaserScan
from skidpad.msg import Pedals

GEARS = {"drive": Pedals.DRIVE, "neutral": Pedals.NEUTRAL, "reverse": Pedals.REVERSE}
STEER_LIMIT = 0.4  # [rad]
LOOK_AHEAD = 0.6  # how far ahead the middle is aimed at [m]
TURN_LENGTH = 0.4  # turns steering into a yaw rate for vehicles that do not steer [m]


def nearest(scan, low, high):
    """The shortest range of the beams between two angles [rad], at most 3 m [m]."""
    ranges = [r for i, r in enumerate(scan.ranges) if low <= scan.angle_min + i * scan.angle_increment <= high]
    return min([3.0] + [r for r in ranges if math.isfinite(r)])


def steer_between_walls(scan):
    """Steering angle [rad] towards the middle of the free way ahead."""
    left, right = nearest(scan, 0.25, 1.7), nearest(scan, -1.7, -0.25)
    angle = math.atan2(0.5 * (left - right), LOOK_AHEAD)
    return max(-STEER_LIMIT, min(STEER_LIMIT, angle))


class Driver:
    """Publishes ten commands a second."""

    def __init__(self, node, speed, steer, turn, sideways=0.0, pedals=None):
        self.node, self.speed, self.steer, self.turn, self.sideways, self.pedals = node, speed, steer, turn, sideways, pedals
        self.publisher, self.waited, self.accepted = None, 0, None
        self.follow = steer is None and turn is None and pedals is None
        if self.follow:
            self.steer = 0.0
            node.create_subscription(LaserScan, "scan", self.see, 1)
        node.create_timer(0.1, self.tick)

    def see(self, scan):
        self.steer = steer_between_walls(scan)

    def choose(self):
        """The topic: pedals_cmd for pedals, ackermann_cmd for a steering angle, cmd_vel for a yaw rate, the one
        that the vehicle has if none is given."""
        topics = {"ackermann_cmd": AckermannDriveStamped, "cmd_vel": Twist}
        if self.pedals is not None:
            topics = {"pedals_cmd": Pedals}
        elif not self.follow:
            del topics["ackermann_cmd" if self.steer is None else "cmd_vel"]
        for topic, kind in topics.items():
            if self.node.count_subscribers(topic) > 0:
                self.publisher = self.node.create_publisher(kind, topic, 10)
                print(f"driving by {self.publisher.topic_name}; Ctrl-C ends it", flush=True)
                return
        self.waited += 1
        if self.waited >= 30:
            self.report_wait(topics)

    def report_wait(self, topics):
        """Prints which topics accept commands, once, and again whenever that changes: simulators may start later than this script."""
        accepted = sorted(
            topic
            for topic, _ in self.node.get_topic_names_and_types()
            if topic.endswith(("/cmd_vel", "/ackermann_cmd", "/pedals_cmd")) and self.node.count_subscribers(topic) > 0
        )
        if accepted == self.accepted:
            return
        self.accepted = accepted
        names = " or ".join(self.node.resolve_topic_name(topic) for topic in topics)
        print(f"{names}: nobody listens, waiting", file=sys.stderr)
        print(f"  accepted: {', '.join(accepted) or 'nothing listens to commands in this ROS domain'}", file=sys.stderr)
        print("  hint: start a world (make run), name the vehicle (--vehicle), use --turn where nothing steers", file=sys.stderr, flush=True)

    def tick(self):
        if self.publisher is None:
            self.choose()
            if self.publisher is None:
                return
        if self.publisher.msg_type is Pedals:
            message = self.pedals
        elif self.publisher.msg_type is Twist:
            message = Twist()
            message.linear.x = self.speed
            message.linear.y = self.sideways
            message.angular.z = self.turn if self.turn is not None else self.speed * math.tan(self.steer) / TURN_LENGTH
        else:
            message = AckermannDriveStamped()
            message.drive.speed = self.speed
            message.drive.steering_angle = self.steer
        self.publisher.publish(message)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--speed", type=float, default=0.5, help="m/s, negative: backwards")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--steer", type=float, help="steering angle [rad]")
    how.add_argument("--turn", type=float, help="yaw rate [rad/s]")
    parser.add_argument("--sideways", type=float, help="speed to the left [m/s], with --turn 0 unless given")
    parser.add_argument("--throttle", type=float, help="0 to 1; pedals instead of a speed")
    parser.add_argument("--brake", type=float, help="0 to 1")
    parser.add_argument("--gear", choices=sorted(GEARS), default="drive", help="with --throttle or --brake")
    parser.add_argument("--vehicle", default="", help="name of the vehicle, if the world has several")
    arguments = parser.parse_args()
    if arguments.sideways is not None:
        if arguments.steer is not None or arguments.throttle is not None or arguments.brake is not None:
            parser.error("--sideways goes with --turn only: velocities move a vehicle sideways")
        if arguments.turn is None:
            arguments.turn = 0.0
    pedals = None
    if arguments.throttle is not None or arguments.brake is not None:
        if arguments.turn is not None:
            parser.error("--turn does not go with pedals: use --steer")
        throttle, brake = arguments.throttle or 0.0, arguments.brake or 0.0
        pedals = Pedals(throttle=throttle, brake=brake, steering_angle=arguments.steer or 0.0, gear=GEARS[arguments.gear])

    signals = []
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, lambda number, _: signals.append(number))
    # rclpy's own handler would shut its context down in the middle of a publish.
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    node = rclpy.create_node("drive", namespace=arguments.vehicle)
    driver = Driver(node, arguments.speed, arguments.steer, arguments.turn, arguments.sideways or 0.0, pedals)
    while not signals:
        rclpy.spin_once(driver.node, timeout_sec=0.1)
    node.destroy_node()
    rclpy.shutdown()


if __name__ == "__main__":
    main()
