"""What can be switched off at the start is not there: markers, fixed frames, descriptions, and the log on /rosout."""

from nav_msgs.msg import Odometry
from rcl_interfaces.msg import Log
from rcl_interfaces.srv import SetParameters
from rclpy.qos import DurabilityPolicy, QoSProfile
from tf2_msgs.msg import TFMessage

from conftest import LATCHED, WORLDS
from reusing import parameter

LAST_LINES = QoSProfile(depth=1000, durability=DurabilityPolicy.TRANSIENT_LOCAL)
OFF = [word for name in ("markers", "static_tf", "robot_description") for word in ("-p", f"publish_{name}:=false")]
QUIET = ["-p", "use_sim_time:=true", "--log-level", "skidpad:=debug", "--log-file-name", "x", "--disable-rosout-logs"]


def test_what_others_publish_can_be_left_to_them(simulate, peer):
    """As fixed frames and the description to a robot_state_publisher."""
    simulator = simulate(WORLDS / "nav2.world.xml", OFF + QUIET)
    lines = peer.listen(Log, "/rosout", LAST_LINES)
    tf, odometry = peer.listen(TFMessage, "tf"), peer.listen(Odometry, "odom")
    static = peer.listen(TFMessage, "tf_static", LATCHED)
    peer.spin_until(lambda: len(tf) > 10 and len(odometry) > 10, awaited="transforms and odometry")
    names = {name for name, _ in peer.node.get_topic_names_and_types()}
    assert not {name for name in names if "marker" in name or "polygon" in name or name.startswith("/log/")}
    assert not static and peer.node.count_publishers("robot_description") == 0
    assert "--log-file-name: ignored" in simulator.log
    assert not [line for line in lines if "use_sim_time" in line.msg]
    given = [parameter("publish_static_tf", True), parameter("odom_on_teleport", "jump"), parameter("odom_on_teleport", "reset")]
    answer = peer.call(SetParameters, "/skidpad/set_parameters", SetParameters.Request(parameters=given))
    assert [result.successful for result in answer.results] == [True, False, True]
    assert answer.results[1].reason == 'odom_on_teleport: found "jump"; accepted: continuous, reset'
    peer.spin_until(lambda: static, awaited="what stays fixed")
