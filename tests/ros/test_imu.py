"""Inertial measurement units: their topic, frame and covariances, and what a robot on a circle feels."""

import numpy as np
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.qos import QoSProfile, qos_profile_sensor_data
from sensor_msgs.msg import Imu
from tf2_msgs.msg import TFMessage

from conftest import LATCHED, WORLDS, nanoseconds, stamp

ROBOT = """<mvsim_world>
  <include file="{worlds}/vehicles/diffbot.vehicle.xml"/>
  <vehicle name="r1" class="diffbot">
    <init_pose>0 0 0</init_pose>
    <include file="{worlds}/sensors/imu.sensor.xml" name="inertia" x="0.4" z="0.1" yaw="90" orientation="{orientation}"/>
  </vehicle>
</mvsim_world>"""


def robot(tmp_path, orientation):
    world = tmp_path / "imu.world.xml"
    world.write_text(ROBOT.format(worlds=WORLDS, orientation=orientation))
    return world


def topic_of_sensor(peer):
    return peer.topic_ending("/inertia")


def diagonal(covariance):
    """The variance of every axis; they are independent."""
    matrix = np.array(covariance).reshape(3, 3)
    assert (matrix == np.diag(matrix.diagonal())).all() and (matrix.diagonal() == matrix[0, 0]).all()
    return matrix[0, 0]


def test_a_robot_on_a_circle_feels_its_turn_at_the_place_of_the_sensor(simulate, peer, tmp_path):
    simulate(robot(tmp_path, "true"), ["-p", "publish_static_tf:=true"])
    topic = topic_of_sensor(peer)
    of_robot = topic.rsplit("/", 1)[0]
    samples = peer.listen(Imu, topic, qos_profile_sensor_data)
    odometry = peer.listen(Odometry, f"{of_robot}/odom")
    transforms = peer.listen(TFMessage, f"{of_robot}/tf_static", LATCHED)
    commands = peer.publisher(Twist, f"{of_robot}/cmd_vel")
    command = Twist()
    command.linear.x, command.angular.z = 0.6, 0.8
    peer.spin_until(lambda: odometry and samples and transforms, what="messages")
    peer.drive(commands, command, odometry, 4.0)
    last = samples[-150:]
    assert (np.diff([stamp(m) for m in last]) > 0.0).all()
    frame = last[-1].header.frame_id
    mounted = [t for message in transforms for t in message.transforms if t.child_frame_id == frame]
    assert mounted and abs(mounted[0].transform.translation.x - 0.4) < 1e-9
    # Its x axis points to the left of the robot and its y axis backwards: along x it feels the turn, along y the pull of its lever arm.
    felt = np.mean([[m.linear_acceleration.x, m.linear_acceleration.y, m.linear_acceleration.z] for m in last], axis=0)
    turned = np.mean([[m.angular_velocity.x, m.angular_velocity.y, m.angular_velocity.z] for m in last], axis=0)
    rate = turned[2]
    assert abs(rate - 0.8) < 0.05 and np.abs(turned[:2]).max() < 1e-3
    assert np.abs(felt - [0.6 * rate, 0.4 * rate**2, 9.81]).max() < 0.05, felt
    quaternion = last[-1].orientation
    assert abs(np.linalg.norm([quaternion.x, quaternion.y, quaternion.z, quaternion.w]) - 1.0) < 1e-9
    # Density by the root of the rate, and the bias.
    message = last[-1]
    assert np.isclose(diagonal(message.angular_velocity_covariance), 8.7e-5**2 * 100 + 5e-5**2)
    assert np.isclose(diagonal(message.linear_acceleration_covariance), 1.2e-3**2 * 100 + 5e-4**2)
    assert np.isclose(diagonal(message.orientation_covariance), 0.005**2)


def test_without_an_attitude_the_message_says_so(simulate, peer, tmp_path):
    simulate(robot(tmp_path, "false"))
    topic = topic_of_sensor(peer)
    samples = peer.listen(Imu, topic, qos_profile_sensor_data)
    message = peer.spin_until(lambda: samples and samples[-1], what="a sample")
    assert message.orientation_covariance[0] == -1.0
    quaternion = message.orientation
    assert (quaternion.x, quaternion.y, quaternion.z, quaternion.w) == (0.0, 0.0, 0.0, 1.0), "one that can be computed with"


def test_an_imu_and_odometry_faster_than_the_steps_have_every_instant(simulate, peer, tmp_path):
    world = tmp_path / "fast.world.xml"
    sensor = '<sensor class="imu" name="imu"><sensor_period>0.001</sensor_period></sensor>'
    world.write_text(
        f'<mvsim_world><simul_timestep>0.005</simul_timestep><include file="{WORLDS}/vehicles/diffbot.vehicle.xml"/>'
        f'<vehicle name="r1" class="diffbot"><init_pose>0 0 0</init_pose>{sensor}</vehicle></mvsim_world>'
    )
    # Slower than real time, so that a busy machine loses none on the way.
    simulate(world, ["-p", "odom_rate:=1000.0", "-p", "rate:=0.25"])
    deep = QoSProfile(depth=5000)
    samples = peer.listen(Imu, peer.topic_ending("/imu"), deep)
    odometry = peer.listen(Odometry, peer.topic_ending("/odom"), deep)
    peer.spin_until(lambda: len(samples) > 600 and len(odometry) > 600, what="messages")
    for messages in (samples, odometry):
        stamps = np.array([nanoseconds(message.header.stamp) for message in messages])
        assert (stamps % 1_000_000 == 0).all() and (np.diff(stamps) == 1_000_000).all(), np.unique(np.diff(stamps))
