"""Beams that meet nothing, sensors whose frame is not called as their topic, and a vehicle that another one drives through, as a peer sees them."""

import math

from geometry_msgs.msg import TwistStamped
from nav_msgs.msg import Odometry
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import LaserScan
from tf2_msgs.msg import TFMessage

from conftest import LATCHED

# Beams at -90, -45, 0, 45 and 90 degrees. Ahead of the robot are one without a body, whose back is at x = 3.7, and a crate, whose face is at x = 8.
LIDAR = "<nrays>5</nrays><max_range>6</max_range><range_std_noise>0</range_std_noise>"
ROBOT = """<dynamics class="differential">
  <chassis><shape><pt>-0.3 -0.2</pt><pt>-0.3 0.2</pt><pt>0.3 0.2</pt><pt>0.3 -0.2</pt></shape></chassis><controller class="twist_ideal"/>
</dynamics>"""
WORLD = f"""<mvsim_world>
  <vehicle name="seer"><init_pose>0 0 0</init_pose>{ROBOT}
    <sensor class="laser" name="front"><frame_id>laser_link</frame_id><pose>0.1 0 0</pose>{LIDAR}</sensor>
    <sensor class="laser" name="wide"><no_return_is_max>true</no_return_is_max>{LIDAR}</sensor>
  </vehicle>
  <vehicle name="ghost"><init_pose>4 0 0</init_pose>{ROBOT}<intangible>true</intangible></vehicle>
  <block name="crate"><static>true</static><init_pose>8.5 0 0</init_pose></block>
</mvsim_world>"""


def set_no_return(peer, value):
    given = Parameter(name="no_return", value=ParameterValue(type=ParameterType.PARAMETER_STRING, string_value=value))
    (result,) = peer.call(SetParameters, "/skidpad/set_parameters", SetParameters.Request(parameters=[given])).results
    assert result.successful, result.reason


def test_what_is_not_there_is_seen_so_and_driven_through(simulate, peer, tmp_path):
    world = tmp_path / "ghost.world.xml"
    world.write_text(WORLD)
    simulate(world, ["-p", "preset:=nav2_loopback", "-p", "scan_use_inf:=false", "-p", "cmd_timeout:=0.0", "-p", "rate:=2.0"])
    scans = {name: peer.listen(LaserScan, f"/seer/{name}", qos_profile_sensor_data) for name in ("scan", "wide")}
    fixed = peer.listen(TFMessage, "/seer/tf_static", LATCHED)
    moving = {name: peer.listen(TFMessage, f"/{name}/tf") for name in ("seer", "ghost")}
    odometry = peer.listen(Odometry, "/seer/odom")
    commands = peer.publisher(TwistStamped, "/seer/cmd_vel")

    def read_sideways(expected, of):
        """Waits until the beams that meet nothing read so."""
        beams = [0, 1, 3, 4]
        met = lambda: scans[of] and all(math.isclose(scans[of][-1].ranges[beam], expected, rel_tol=1e-6) for beam in beams)  # noqa: E731
        peer.spin_until(met, awaited=f"{expected} in {of}")
        assert math.isclose(scans[of][-1].range_max, 6.0)

    # As nav2's loopback simulator has it.
    read_sideways(5.9, "scan")
    for value, expected in [("max", {"scan": 6.0, "wide": 6.0}), ("inf", {"scan": math.inf, "wide": math.inf}), ("world", {"scan": math.inf, "wide": 6.0})]:
        set_no_return(peer, value)
        for name, far in expected.items():
            read_sideways(far, name)
    # The one without a body is seen.
    assert abs(scans["scan"][-1].ranges[2] - 3.6) < 1e-3 and abs(scans["wide"][-1].ranges[2] - 3.7) < 1e-3

    # The frame that the world gives comes before the one that the preset has.
    assert {scan.header.frame_id for scan in scans["scan"]} == {"laser_link"} and scans["wide"][-1].header.frame_id == "wide"
    mounted = lambda: {t.child_frame_id: t for message in fixed for t in message.transforms}  # noqa: E731
    peer.spin_until(lambda: {"laser_link", "wide", "base_link"} <= mounted().keys(), awaited="frames")
    laser = mounted()["laser_link"]
    assert (laser.header.frame_id, laser.transform.translation.x) == ("base_link", 0.1) and "scan" not in mounted()

    def place(name):
        """Where it is along x: its odometry, and what that is wrong by."""
        latest = {t.child_frame_id: t.transform.translation.x for message in moving[name] for t in message.transforms}
        return latest.get("odom", math.nan) + latest.get("base_footprint", math.nan)

    forward = TwistStamped()
    forward.twist.linear.x = 1.0
    peer.spin_until(lambda: commands.get_subscription_count() == 1 and place("seer") == 0.0 and place("ghost") == 4.0, awaited="poses")

    def is_at_crate():
        if place("seer") == 0.0:
            commands.publish(forward)
        return place("seer") > 7.6

    peer.spin_until(is_at_crate, awaited="the way through the ghost to the crate")
    inside = [message.twist.twist.linear.x for message in odometry if 3.0 < message.pose.pose.position.x < 5.0]
    assert len(inside) > 10 and min(inside) > 0.99, "nothing slows it down there"
    assert place("ghost") == 4.0, "and nothing pushes the other"
    # The crate is there: it stops the robot.
    stops = lambda: odometry[-1].pose.pose.position.x > 7.6 and len(scans["scan"]) > 0 and scans["scan"][-1].ranges[2] < 0.25  # noqa: E731
    peer.spin_until(stops, awaited="the crate")
    after = len(scans["scan"])
    peer.spin_until(lambda: len(scans["scan"]) > after + 5, awaited="scans at the crate")
    assert place("seer") < 7.72 and abs(scans["scan"][-1].ranges[2] - 0.2) < 0.02
