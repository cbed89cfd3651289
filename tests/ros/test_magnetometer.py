"""Magnetometers: their topic, frame and covariance, and a compass that follows a robot that turns."""

import math

import numpy as np
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import MagneticField

from conftest import WORLDS, stamp

WORLD = """<mvsim_world>
  <include file="{worlds}/vehicles/diffbot.vehicle.xml"/>
  <vehicle name="r1" class="diffbot">
    <init_pose>0 0 0</init_pose>
    <include file="{worlds}/sensors/magnetometer.sensor.xml" name="compass" declination="10" strength="4e-5" noise="1e-7"/>
  </vehicle>
</mvsim_world>"""


def test_the_compass_follows_a_robot_that_turns(simulate, peer, tmp_path):
    world = tmp_path / "compass.world.xml"
    world.write_text(WORLD.format(worlds=WORLDS))
    simulate(world)
    topic = peer.topic_ending("/compass")
    of_robot = topic.rsplit("/", 1)[0]
    fields = peer.listen(MagneticField, topic, qos_profile_sensor_data)
    odometry = peer.listen(Odometry, f"{of_robot}/odom")
    commands = peer.publisher(Twist, f"{of_robot}/cmd_vel")
    command = Twist()
    command.angular.z = 0.8
    peer.spin_until(lambda: odometry and fields, what="messages")
    peer.drive(commands, command, odometry, 3.0)
    headings = {stamp(m): 2.0 * math.atan2(m.pose.pose.orientation.z, m.pose.pose.orientation.w) for m in odometry}
    compared = [(message, headings[stamp(message)]) for message in fields if stamp(message) in headings]
    assert len(compared) > 50 and "compass" in compared[0][0].header.frame_id
    for message, heading in compared:
        field = message.magnetic_field
        assert abs(field.z + 4e-5 * math.sin(math.radians(60))) < 1e-6
        # Magnetic north is 10° east of north, which is the world's y axis.
        direction = math.atan2(field.y, field.x)
        off = math.remainder(direction - (math.radians(90 - 10) - heading), 2 * math.pi)
        assert abs(off) < 0.1, (direction, heading)
        assert np.allclose(message.magnetic_field_covariance, np.diag([1e-14] * 3).ravel(), atol=1e-20)
    assert max(heading for _, heading in compared) > 1.0
