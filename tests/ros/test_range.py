"""Range finders: the message, its frame, and ranges of a robot that drives up to a wall and looks at it from an angle."""

import math

from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import Range

from conftest import WORLDS, stamp

WORLD = """<mvsim_world>
  <include file="{worlds}/vehicles/diffbot.vehicle.xml"/>
  <vehicle name="r1" class="diffbot">
    <init_pose>0 0 0</init_pose>
    <include file="{worlds}/sensors/sonar.sensor.xml" name="front" x="0.25" z="0.2" rate_hz="10" range_std="0"/>
    <include file="{worlds}/sensors/sonar.sensor.xml" name="slanted" x="0.25" z="0.2" yaw="65" radiation="infrared" range_std="0"/>
    <include file="{worlds}/sensors/sonar.sensor.xml" name="rear" yaw="180" no_return_is_max="true"/>
  </vehicle>
  <element class="vertical_plane"><x0>3</x0><x1>3</x1><y0>-20</y0><y1>20</y1></element>
</mvsim_world>"""


def test_a_robot_that_drives_up_to_a_wall(simulate, peer, tmp_path):
    world = tmp_path / "sonar.world.xml"
    world.write_text(WORLD.format(worlds=WORLDS))
    simulate(world)
    topic = peer.topic_ending("/front")
    of_robot = topic.rsplit("/", 1)[0]
    ranges = {name: peer.listen(Range, f"{of_robot}/{name}", qos_profile_sensor_data) for name in ("front", "slanted", "rear")}
    truths = peer.listen(Odometry, f"{of_robot}/ground_truth")
    odometry = peer.listen(Odometry, f"{of_robot}/odom")
    commands = peer.publisher(Twist, f"{of_robot}/cmd_vel")
    command = Twist()
    command.linear.x = 0.5
    peer.spin_until(lambda: odometry and truths and all(ranges.values()), what="messages")
    peer.drive(commands, command, odometry, 3.0)
    first = ranges["front"][0]
    assert first.radiation_type == Range.ULTRASOUND and ranges["slanted"][0].radiation_type == Range.INFRARED
    assert abs(first.field_of_view - math.radians(30)) < 1e-6 and "front" in first.header.frame_id
    assert abs(first.min_range - 0.02) < 1e-6 and first.max_range == 4.0 and first.variance > 0.0
    places = {stamp(message): message.pose.pose.position.x for message in truths}
    compared = [(message.range, places[stamp(message)]) for message in ranges["front"] if stamp(message) in places]
    assert len(compared) > 10
    for measured, x in compared:
        # The wall is 2 cm thick; ranges come in steps of 3 mm.
        assert abs(measured - (2.99 - 0.25 - x)) < 0.004, (measured, x)
    assert min(measured for measured, _ in compared) < 2.0
    # Seen at 50 degrees and more, the wall sends nothing back.
    assert all(math.isinf(message.range) and message.range > 0.0 for message in ranges["slanted"])
    assert all(message.range == 4.0 for message in ranges["rear"])
