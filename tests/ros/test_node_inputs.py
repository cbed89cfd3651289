"""What small nodes hear: publishers of either reliability, and a clock that goes back."""

from ackermann_msgs.msg import AckermannDriveStamped
from nav_msgs.msg import Odometry
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rosgraph_msgs.msg import Clock

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
    send_while(peer, [(clock, ticks), (navigation, command(0.7))], heard, what="the command")


def test_a_clock_that_goes_back_to_after_its_beginning_does_not_freeze_the_single_track(peer, run_node):
    run_node("single_track_simulator", ["-p", "use_sim_time:=true"])
    odometry = peer.listen(Odometry, "/vesc/odom")
    clock = matched(peer, peer.publisher(Clock, "/clock"))
    time = [10.0]

    def tick(until):
        """Goes on by 20 ms for each message, until the odometry has this stamp."""

        def reached():
            if odometry and abs(stamp(odometry[-1]) - until) < 0.05:
                return True
            message = Clock()
            message.clock.sec, message.clock.nanosec = int(time[0]), round(time[0] % 1.0 * 1e9)
            clock.publish(message)
            time[0] = min(time[0] + 0.02, until + 0.02)
            return False

        peer.spin_until(reached, what=f"odometry of {until} s")

    tick(20.0)
    time[0] = 15.0
    tick(15.5)
