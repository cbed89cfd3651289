"""Subscriptions of small nodes: publishers of either reliability, and a clock that goes back."""

from ackermann_msgs.msg import AckermannDriveStamped
from nav_msgs.msg import Odometry
from rcl_interfaces.srv import SetParameters
from rclpy.parameter import Parameter
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rosgraph_msgs.msg import Clock
from std_msgs.msg import Float64MultiArray

from conftest import stamp
from test_racecar import NAVIGATION, OUTPUT, command, matched, send_while

BEST_EFFORT = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)


def test_nodes_hear_best_effort_publishers_too(peer, run_node):
    run_node("ackermann_mux", ["-p", "use_sim_time:=true"])
    out = peer.listen(AckermannDriveStamped, OUTPUT)
    clock = matched(peer, peer.publisher(Clock, "/clock", BEST_EFFORT))
    navigation = matched(peer, peer.publisher(AckermannDriveStamped, NAVIGATION, BEST_EFFORT))
    ticks = Clock()
    ticks.clock.sec = 1
    heard = lambda: out and round(out[-1].drive.speed, 3) == 0.7  # noqa: E731
    send_while(peer, [(clock, ticks), (navigation, command(0.7))], heard, awaited="the command")


def test_a_clock_that_goes_back_to_after_its_beginning_does_not_freeze_the_single_track(peer, run_node):
    run_node("single_track_simulator", ["-p", "use_sim_time:=true"])
    odometry = peer.listen(Odometry, "/vesc/odom")
    clock = matched(peer, peer.publisher(Clock, "/clock"))
    time = [10.0]

    def tick(until):
        """Advances by 20 ms per message, until the odometry has this stamp."""

        def reached():
            if odometry and abs(stamp(odometry[-1]) - until) < 0.05:
                return True
            message = Clock()
            message.clock.sec, message.clock.nanosec = int(time[0]), round(time[0] % 1.0 * 1e9)
            clock.publish(message)
            time[0] = min(time[0] + 0.02, until + 0.02)
            return False

        peer.spin_until(reached, awaited=f"odometry of {until} s")

    tick(20.0)
    time[0] = 15.0
    tick(15.5)


def test_switching_off_and_on_at_once_begins_the_trajectory_anew(peer, run_node):
    run_node("trajectory_tracker", ["-p", "trajectory_type:=line"])
    references = peer.listen(Float64MultiArray, "/reference_trajectory")
    odometry = matched(peer, peer.publisher(Odometry, "/vesc/odom"))
    message = Odometry()
    message.pose.pose.orientation.w = 1.0

    def until(condition, awaited):
        """Keeps the odometry young meanwhile."""

        def holds():
            message.header.stamp = peer.node.get_clock().now().to_msg()
            odometry.publish(message)
            return condition()

        peer.spin_until(holds, awaited=awaited)

    # 0.6 m/s along x.
    until(lambda: references and references[-1].data[0] > 0.6, "a second of motion")
    switches = [Parameter("active", value=value).to_parameter_msg() for value in (False, True)]
    peer.call(SetParameters, "/trajectory_tracker/set_parameters", SetParameters.Request(parameters=switches))
    until(lambda: references[-1].data[0] < 0.3, "the beginning")
