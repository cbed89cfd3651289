"""Bumpers: what a robot drives against, where and how hard, and whether a side is pressed."""

from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.qos import qos_profile_sensor_data
from skidpad.msg import Contacts
from std_msgs.msg import Bool

from conftest import WORLDS

WORLD = """<mvsim_world>
  <include file="{worlds}/vehicles/diffbot.vehicle.xml"/>
  <vehicle name="r1" class="diffbot">
    <init_pose>0 0 0</init_pose>
    <include file="{worlds}/sensors/bumper.sensor.xml" name="front" from="-90" to="90"/>
    <include file="{worlds}/sensors/bumper.sensor.xml" name="rear" from="90" to="270"/>
  </vehicle>
  <block name="crate"><static>true</static><init_pose>1.25 0 0</init_pose></block>
</mvsim_world>"""


def test_a_robot_that_drives_against_a_crate(simulate, peer, tmp_path):
    world = tmp_path / "bumper.world.xml"
    world.write_text(WORLD.format(worlds=WORLDS))
    simulate(world)
    topic = peer.topic_ending("/front")
    of_robot = topic.rsplit("/", 1)[0]
    contacts = peer.listen(Contacts, topic, qos_profile_sensor_data)
    pressed = {side: peer.listen(Bool, f"{of_robot}/{side}/pressed", qos_profile_sensor_data) for side in ("front", "rear")}
    odometry = peer.listen(Odometry, f"{of_robot}/odom")
    commands = peer.publisher(Twist, f"{of_robot}/cmd_vel")
    command = Twist()
    command.linear.x = 0.8
    peer.spin_until(lambda: odometry and contacts and all(pressed.values()), what="messages")
    assert not contacts[0].contacts and not pressed["front"][0].data
    peer.drive(commands, command, odometry, 3.0)
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
