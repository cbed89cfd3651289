"""Satellite receivers: their topic, frame, status and covariance, and what they say without reception."""

import math

import numpy as np
from geometry_msgs.msg import Twist, TwistWithCovarianceStamped
from nav_msgs.msg import Odometry
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import NavSatFix, NavSatStatus

from conftest import WORLDS, stamp

# 1° is 111 km along a meridian and, at this latitude, 89 km along a parallel.
WORLD = """<mvsim_world>
  <georeference><latitude>36.9</latitude><longitude>-2.3</longitude><height>200</height></georeference>
  <include file="{worlds}/vehicles/diffbot.vehicle.xml"/>
  <vehicle name="r1" class="diffbot">
    <init_pose>0 0 0</init_pose>
    <include file="{worlds}/sensors/gnss.sensor.xml" name="fix" x="0.4" z="0.3" rate_hz="20" horizontal_noise="0.01" vertical_noise="0.02"
      horizontal_bias="0.003" vertical_bias="0" publish_no_fix="{publish_no_fix}"/>
  </vehicle>
  <element class="property_region"><property_name>gps_no_coverage</property_name><value_bool>true</value_bool>
    <x_min>1.2</x_min><x_max>2.2</x_max><y_min>-1</y_min><y_max>1</y_max><z_min>0</z_min><z_max>4</z_max></element>
</mvsim_world>"""


def drive_through_the_tunnel(simulate, peer, tmp_path, publish_no_fix):
    """The fixes, the velocities and the odometry of a robot that drives 3 m along x."""
    world = tmp_path / "gnss.world.xml"
    world.write_text(WORLD.format(worlds=WORLDS, publish_no_fix=publish_no_fix))
    simulate(world)
    topic = peer.topic_ending("/fix")
    of_robot = topic.rsplit("/", 1)[0]
    fixes = peer.listen(NavSatFix, topic, qos_profile_sensor_data)
    velocities = peer.listen(TwistWithCovarianceStamped, f"{topic}/velocity", qos_profile_sensor_data)
    odometry = peer.listen(Odometry, f"{of_robot}/odom")
    commands = peer.publisher(Twist, f"{of_robot}/cmd_vel")
    command = Twist()
    command.linear.x = 0.8
    peer.spin_until(lambda: odometry and fixes, what="messages")
    peer.drive(commands, command, odometry, 4.0)
    return fixes, velocities, odometry


def test_a_fix_has_the_place_of_the_antenna_and_the_variances_of_the_noise(simulate, peer, tmp_path):
    fixes, velocities, odometry = drive_through_the_tunnel(simulate, peer, tmp_path, "false")
    stamps = np.array([stamp(message) for message in fixes])
    gaps = np.diff(stamps)
    assert (gaps > 0.0).all()
    # Silent in the tunnel of 1 m, regular outside of it.
    assert 1.0 < gaps.max() < 1.6 and np.isclose(np.sort(gaps)[:-1], 0.05).all(), gaps
    for message in fixes:
        assert (message.status.status, message.status.service) == (NavSatStatus.STATUS_FIX, NavSatStatus.SERVICE_GPS)
        assert message.position_covariance_type == NavSatFix.COVARIANCE_TYPE_DIAGONAL_KNOWN
        horizontal, vertical = 0.01**2 + 0.003**2, 0.02**2
        assert np.allclose(message.position_covariance, np.diag([horizontal, horizontal, vertical]).ravel(), atol=1e-15)
    places = {stamp(message): message for message in odometry}
    checked = 0
    for message in fixes:
        if (robot := places.get(stamp(message))) is not None:
            x = robot.pose.pose.position.x + 0.4
            east = (message.longitude + 2.3) * math.radians(1) * 6_386_000 * math.cos(math.radians(36.9))
            north = (message.latitude - 36.9) * math.radians(1) * 6_359_000
            assert abs(east - x) < 0.1 and abs(north) < 0.1 and abs(message.altitude - 200.3) < 0.1
            checked += 1
    assert {stamp(message) for message in velocities} <= set(stamps) and len(velocities) > len(fixes) - 3
    for message in velocities:
        assert message.header.frame_id == fixes[-1].header.frame_id
        wanted = np.diag([0.05**2] * 3 + [-1.0, 0.0, 0.0])
        assert np.allclose(np.reshape(message.twist.covariance, (6, 6)), wanted, atol=1e-15)
    driving = [message.twist.twist.linear for message in velocities[-20:]]
    assert abs(np.mean([v.x for v in driving]) - 0.8) < 0.06 and abs(np.mean([v.y for v in driving])) < 0.06
    assert checked > 10 and "fix" in fixes[-1].header.frame_id


def test_without_reception_the_message_says_so_on_request(simulate, peer, tmp_path):
    fixes, velocities, _ = drive_through_the_tunnel(simulate, peer, tmp_path, "true")
    assert np.isclose(np.diff([stamp(message) for message in fixes]), 0.05).all()
    without = [message for message in fixes if message.status.status == NavSatStatus.STATUS_NO_FIX]
    assert 20 < len(without) < 32
    assert not {stamp(message) for message in without} & {stamp(message) for message in velocities}
    for message in without:
        assert all(math.isnan(number) for number in (message.latitude, message.longitude, message.altitude))
        assert message.position_covariance_type == NavSatFix.COVARIANCE_TYPE_UNKNOWN
