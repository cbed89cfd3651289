"""A peer without manners, in a process of its own: commands as fast as 10 kHz, and subscriptions that it never reads.

flood.py DOMAIN SECONDS
"""

import sys
import time

import rclpy
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.context import Context
from sensor_msgs.msg import LaserScan

domain, seconds = int(sys.argv[1]), float(sys.argv[2])
context = Context()
rclpy.init(context=context, domain_id=domain)
node = rclpy.create_node("flood", context=context)
node.create_subscription(LaserScan, "scan", lambda message: None, 10)
node.create_subscription(Odometry, "odom", lambda message: None, 10)
publisher = node.create_publisher(Twist, "cmd_vel", 10)
while not publisher.get_subscription_count():
    time.sleep(0.05)
command = Twist()
command.linear.x = 0.5
begin, sent = time.monotonic(), 0
while (now := time.monotonic()) < begin + seconds:
    if sent < 10_000 * (now - begin):
        publisher.publish(command)
        sent += 1
print(sent / seconds, flush=True)
