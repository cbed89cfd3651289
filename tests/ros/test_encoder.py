"""Wheel encoders: joints in whole ticks, and their counts, of a robot that drives a curve."""

import math

import numpy as np
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import JointState
from std_msgs.msg import Int64MultiArray

from conftest import WORLDS, stamp

WORLD = """<mvsim_world>
  <include file="{worlds}/vehicles/diffbot.vehicle.xml"/>
  <vehicle name="r1" class="diffbot">
    <init_pose>0 0 0</init_pose>
    <include file="{worlds}/sensors/encoder.sensor.xml" name="encoders" ticks_per_revolution="200"/>
  </vehicle>
</mvsim_world>"""


def test_ticks_follow_the_wheels(simulate, peer, tmp_path):
    world = tmp_path / "encoder.world.xml"
    world.write_text(WORLD.format(worlds=WORLDS))
    simulate(world)
    topic = peer.topic_ending("/encoders")
    of_robot = topic.rsplit("/", 1)[0]
    joints = peer.listen(JointState, topic, qos_profile_sensor_data)
    counts = peer.listen(Int64MultiArray, f"{topic}/ticks", qos_profile_sensor_data)
    truths = peer.listen(JointState, f"{of_robot}/joint_states")
    odometry = peer.listen(Odometry, f"{of_robot}/odom")
    commands = peer.publisher(Twist, f"{of_robot}/cmd_vel")
    command = Twist()
    command.linear.x, command.angular.z = 0.6, 0.8
    peer.spin_until(lambda: odometry and joints and counts and truths, what="messages")
    peer.drive(commands, command, odometry, 4.0)
    tick = 2.0 * math.pi / 200
    angles = {stamp(message): dict(zip(message.name, message.position)) for message in truths}
    compared = 0
    for message in joints:
        ticks = np.array(message.position) / tick
        assert np.allclose(ticks, np.round(ticks), atol=1e-6) and len(message.effort) == 0
        if (truth := angles.get(stamp(message))) is not None:
            off = [position - truth[name] for name, position in zip(message.name, message.position)]
            assert np.abs(off).max() <= 0.5001 * tick, off
            compared += 1
    assert compared > 50
    counted = np.array([message.data for message in counts])
    # Forwards, the right wheel on the outside of the curve; the numbers are those of the joints.
    assert (np.diff(counted, axis=0) >= 0).all() and counted[-1][1] > counted[-1][0] > 100
    of_joints = {tuple(np.round(np.array(message.position) / tick).astype(int)) for message in joints}
    assert sum(tuple(row) in of_joints for row in counted) > len(counted) - 3
    rates = np.mean([message.velocity for message in joints[-50:]], axis=0)
    truth = np.mean([message.velocity for message in truths[-50:]], axis=0)
    assert np.allclose(rates, truth, rtol=0.02), (rates, truth)
