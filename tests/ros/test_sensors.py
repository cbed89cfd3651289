"""Sensors without pictures and points, on robots that each follow one command for some seconds: bumpers, range finders, wheel encoders, magnetometers,
inertial measurement units and satellite receivers."""

import math

import numpy as np
import pytest
from geometry_msgs.msg import Twist, TwistWithCovarianceStamped
from nav_msgs.msg import Odometry
from rclpy.qos import QoSProfile
from sensor_msgs.msg import Imu, JointState, MagneticField, NavSatFix, NavSatStatus, Range
from skidpad.msg import Contacts
from std_msgs.msg import Bool, Int64MultiArray
from tf2_msgs.msg import TFMessage

from conftest import LATCHED, WORLDS, Peer, Simulator, nanoseconds, stamp
from parts import free_domain

# 1° is 111 km along a meridian and, at this latitude, 89 km along a parallel.
WORLD = f"""<mvsim_world>
  <georeference><latitude>36.9</latitude><longitude>-2.3</longitude><height>200</height></georeference>
  <include file="{WORLDS}/vehicles/diffbot.vehicle.xml"/>
  <vehicle name="surveyor" class="diffbot">
    <init_pose>0 0 0</init_pose>
    <include file="{WORLDS}/sensors/gnss.sensor.xml" name="fix" x="0.4" z="0.3" rate_hz="20" horizontal_noise="0.01" vertical_noise="0.02"
      horizontal_bias="0.003" vertical_bias="0" publish_no_fix="false"/>
    <include file="{WORLDS}/sensors/gnss.sensor.xml" name="honest" x="0.4" z="0.3" rate_hz="20" publish_no_fix="true"/>
  </vehicle>
  <element class="property_region"><property_name>gps_no_coverage</property_name><value_bool>true</value_bool>
    <x_min>1.2</x_min><x_max>2.2</x_max><y_min>-1</y_min><y_max>1</y_max><z_min>0</z_min><z_max>4</z_max></element>
  <vehicle name="bumped" class="diffbot">
    <init_pose>0 -10 0</init_pose>
    <include file="{WORLDS}/sensors/bumper.sensor.xml" name="front" from="-90" to="90"/>
    <include file="{WORLDS}/sensors/bumper.sensor.xml" name="rear" from="90" to="270"/>
  </vehicle>
  <block name="crate"><static>true</static><init_pose>1.25 -10 0</init_pose></block>
  <vehicle name="bat" class="diffbot">
    <init_pose>0 40 0</init_pose>
    <include file="{WORLDS}/sensors/sonar.sensor.xml" name="front" x="0.25" z="0.2" rate_hz="10" range_std="0"/>
    <include file="{WORLDS}/sensors/sonar.sensor.xml" name="slanted" x="0.25" z="0.2" yaw="65" radiation="infrared" range_std="0"/>
    <include file="{WORLDS}/sensors/sonar.sensor.xml" name="rear" yaw="180" no_return_is_max="true"/>
  </vehicle>
  <element class="vertical_plane"><x0>3</x0><x1>3</x1><y0>20</y0><y1>60</y1></element>
  <vehicle name="counter" class="diffbot">
    <init_pose>0 -20 0</init_pose>
    <include file="{WORLDS}/sensors/encoder.sensor.xml" name="encoders" ticks_per_revolution="200"/>
  </vehicle>
  <vehicle name="compass" class="diffbot">
    <init_pose>0 -30 0</init_pose>
    <include file="{WORLDS}/sensors/magnetometer.sensor.xml" name="needle" declination="10" strength="4e-5" noise="1e-7"/>
  </vehicle>
  <vehicle name="dancer" class="diffbot">
    <init_pose>0 -40 0</init_pose>
    <include file="{WORLDS}/sensors/imu.sensor.xml" name="inertia" x="0.4" z="0.1" yaw="90" orientation="true"/>
    <include file="{WORLDS}/sensors/imu.sensor.xml" name="rates" orientation="false"/>
  </vehicle>
</mvsim_world>"""

# Forward speed and yaw rate of each, all the time.
COMMANDS = {"surveyor": (0.8, 0.0), "bumped": (0.8, 0.0), "bat": (0.5, 0.0), "counter": (0.6, 0.8), "compass": (0.0, 0.8), "dancer": (0.6, 0.8)}
SECONDS = 4_000_000_000  # [ns]
HEARD = {
    "surveyor": {"fix": NavSatFix, "fix/velocity": TwistWithCovarianceStamped, "honest": NavSatFix, "honest/velocity": TwistWithCovarianceStamped},
    "bumped": {"front": Contacts, "front/pressed": Bool, "rear/pressed": Bool},
    "bat": {"front": Range, "slanted": Range, "rear": Range, "ground_truth": Odometry},
    "counter": {"encoders": JointState, "encoders/ticks": Int64MultiArray, "joint_states": JointState},
    "compass": {"needle": MagneticField},
    "dancer": {"inertia": Imu, "rates": Imu},
}
# The simulation waits for this peer, which so loses no message, however busy the machine is.
LOCKSTEP = [
    word for setting in ("lockstep:=true", "lockstep_when_late:=wait", "rate:=0.0", "cmd_vel_type:=twist", "publish_static_tf:=true")
    for word in ("-p", setting)
]
of_the_drive = pytest.mark.together("drive")


@pytest.fixture(scope="module")
def heard(pytestconfig, tmp_path_factory):
    """All messages of the robots by topic, from before they are driven."""
    folder = tmp_path_factory.mktemp("sensors")
    world = folder / "sensors.world.xml"
    world.write_text(WORLD)
    with free_domain(pytestconfig) as domain:
        simulator = Simulator(domain, folder / "log", world, LOCKSTEP)
        peer = Peer(domain)
        try:
            yield drive(peer)
        finally:
            peer.close()
            simulator.stop()
            print(simulator.log)


def drive(peer):
    heard = {f"{name}/{topic}": peer.listen(kind, f"/{name}/{topic}") for name, kinds in HEARD.items() for topic, kind in kinds.items()}
    odometry = {name: peer.listen(Odometry, f"/{name}/odom") for name in COMMANDS}
    heard["dancer/tf_static"] = peer.listen(TFMessage, "/dancer/tf_static", LATCHED)
    publishers = {name: peer.publisher(Twist, f"/{name}/cmd_vel") for name in COMMANDS}
    is_known = lambda topic: peer.node.count_publishers(f"/{topic}") > 0  # noqa: E731
    peer.spin_until(lambda: all(map(peer.reaches, publishers.values())) and all(map(is_known, heard)), awaited="the simulator")
    now = lambda: min((nanoseconds(messages[-1].header.stamp) if messages else 0 for messages in odometry.values()))  # noqa: E731

    def go_on(commands):
        """To the next instant of all."""
        before = now()
        for name, publisher in publishers.items():
            command = Twist()
            command.linear.x, command.angular.z = commands.get(name, (0.0, 0.0))
            publisher.publish(command)
        peer.spin_until(lambda: now() > before, awaited="the next instant")

    # They stand until all that comes is heard.
    while not all(heard.values()):
        go_on({})
    end = now() + SECONDS
    while now() < end:
        go_on(COMMANDS)
    peer.spin_until(lambda: nanoseconds(heard["surveyor/fix"][-1].header.stamp) >= end, awaited="the last messages")
    return heard | {f"{name}/odom": messages for name, messages in odometry.items()}


@of_the_drive
def test_a_robot_that_drives_against_a_crate(heard):
    contacts = heard["bumped/front"]
    pressed = {side: heard[f"bumped/{side}/pressed"] for side in ("front", "rear")}
    assert not contacts[0].contacts and not pressed["front"][0].data
    felt = [contact for message in contacts for contact in message.contacts]
    assert {contact.body for contact in felt} == {"crate"} and "front" in contacts[0].header.frame_id
    # The chassis ends at x = 0.25 m; the crate's face is 0.5 m high, and the chassis at most 0.35 m.
    hardest = max(felt, key=lambda contact: contact.force)
    assert abs(hardest.position.x - 0.25) < 0.02 and abs(hardest.position.y) < 0.1 and 0.0 < hardest.position.z < 0.35
    assert hardest.normal.x < -0.99 and hardest.impulse.x < -2.0, hardest
    # 12 kg that were stopped from about 0.8 m/s, and two wheels that push on.
    total = sum(contact.impulse.x for contact in felt)
    assert total < -5.0, total
    assert pressed["front"][-1].data and not any(message.data for message in pressed["rear"])


@of_the_drive
def test_a_robot_that_drives_up_to_a_wall_and_looks_at_it_from_an_angle(heard):
    ranges = {name: heard[f"bat/{name}"] for name in ("front", "slanted", "rear")}
    first = ranges["front"][0]
    assert first.radiation_type == Range.ULTRASOUND and ranges["slanted"][0].radiation_type == Range.INFRARED
    assert abs(first.field_of_view - math.radians(30)) < 1e-6 and "front" in first.header.frame_id
    assert abs(first.min_range - 0.02) < 1e-6 and first.max_range == 4.0 and first.variance > 0.0
    places = {stamp(message): message.pose.pose.position.x for message in heard["bat/ground_truth"]}
    compared = [(message.range, places[stamp(message)]) for message in ranges["front"] if stamp(message) in places]
    assert len(compared) > 10
    for measured, x in compared:
        # The wall is 2 cm thick; ranges come in steps of 3 mm.
        assert abs(measured - (2.99 - 0.25 - x)) < 0.004, (measured, x)
    assert min(measured for measured, _ in compared) < 2.0
    # Seen at 50 degrees and more, the wall sends nothing back.
    assert all(math.isinf(message.range) and message.range > 0.0 for message in ranges["slanted"])
    assert all(message.range == 4.0 for message in ranges["rear"])


@of_the_drive
def test_ticks_of_encoders_follow_the_wheels(heard):
    joints, counts, truths = (heard[f"counter/{topic}"] for topic in ("encoders", "encoders/ticks", "joint_states"))
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


@of_the_drive
def test_the_compass_follows_a_robot_that_turns(heard):
    headings = {stamp(m): 2.0 * math.atan2(m.pose.pose.orientation.z, m.pose.pose.orientation.w) for m in heard["compass/odom"]}
    compared = [(message, headings[stamp(message)]) for message in heard["compass/needle"] if stamp(message) in headings]
    assert len(compared) > 50 and "needle" in compared[0][0].header.frame_id
    for message, heading in compared:
        field = message.magnetic_field
        assert abs(field.z + 4e-5 * math.sin(math.radians(60))) < 1e-6
        # Magnetic north is 10° east of north, which is the world's y axis.
        direction = math.atan2(field.y, field.x)
        off = math.remainder(direction - (math.radians(90 - 10) - heading), 2 * math.pi)
        assert abs(off) < 0.1, (direction, heading)
        assert np.allclose(message.magnetic_field_covariance, np.diag([1e-14] * 3).ravel(), atol=1e-20)
    assert max(heading for _, heading in compared) > 1.0


def diagonal(covariance):
    """The variance of every axis; they are independent."""
    matrix = np.array(covariance).reshape(3, 3)
    assert (matrix == np.diag(matrix.diagonal())).all() and (matrix.diagonal() == matrix[0, 0]).all()
    return matrix[0, 0]


@of_the_drive
def test_a_robot_on_a_circle_feels_its_turn_at_the_place_of_the_sensor(heard):
    last = heard["dancer/inertia"][-150:]
    assert (np.diff([stamp(m) for m in last]) > 0.0).all()
    frame = last[-1].header.frame_id
    mounted = [t for message in heard["dancer/tf_static"] for t in message.transforms if t.child_frame_id == frame]
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


@of_the_drive
def test_without_an_attitude_the_message_of_an_imu_says_so(heard):
    message = heard["dancer/rates"][-1]
    assert message.orientation_covariance[0] == -1.0
    quaternion = message.orientation
    assert (quaternion.x, quaternion.y, quaternion.z, quaternion.w) == (0.0, 0.0, 0.0, 1.0), "one that can be computed with"


@of_the_drive
def test_a_fix_has_the_place_of_the_antenna_and_the_variances_of_the_noise(heard):
    fixes, velocities, odometry = (heard[f"surveyor/{topic}"] for topic in ("fix", "fix/velocity", "odom"))
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


@of_the_drive
def test_without_reception_the_message_says_so_on_request(heard):
    fixes, velocities = heard["surveyor/honest"], heard["surveyor/honest/velocity"]
    assert np.isclose(np.diff([stamp(message) for message in fixes]), 0.05).all()
    without = [message for message in fixes if message.status.status == NavSatStatus.STATUS_NO_FIX]
    assert 20 < len(without) < 32
    assert not {stamp(message) for message in without} & {stamp(message) for message in velocities}
    for message in without:
        assert all(math.isnan(number) for number in (message.latitude, message.longitude, message.altitude))
        assert message.position_covariance_type == NavSatFix.COVARIANCE_TYPE_UNKNOWN


def test_an_imu_and_odometry_faster_than_the_steps_have_every_instant(reuse, peer, tmp_path):
    world = tmp_path / "fast.world.xml"
    sensor = '<sensor class="imu" name="imu"><sensor_period>0.001</sensor_period></sensor>'
    world.write_text(
        f'<mvsim_world><simul_timestep>0.005</simul_timestep><include file="{WORLDS}/vehicles/diffbot.vehicle.xml"/>'
        f'<vehicle name="r1" class="diffbot"><init_pose>0 0 0</init_pose>{sensor}</vehicle></mvsim_world>'
    )
    # Slower than real time, so that a busy machine loses none on the way.
    reuse(world, odom_rate=1000.0, rate=0.25)
    deep = QoSProfile(depth=5000)
    samples = peer.listen(Imu, peer.topic_ending("/imu"), deep)
    odometry = peer.listen(Odometry, peer.topic_ending("/odom"), deep)
    peer.spin_until(lambda: len(samples) > 600 and len(odometry) > 600, awaited="messages")
    for messages in (samples, odometry):
        stamps = np.array([nanoseconds(message.header.stamp) for message in messages])
        assert (stamps % 1_000_000 == 0).all() and (np.diff(stamps) == 1_000_000).all(), np.unique(np.diff(stamps))
