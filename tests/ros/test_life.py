"""Starting, stopping, dying, and peers that do not behave."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time

import pytest
from geometry_msgs.msg import TransformStamped
from nav_msgs.msg import OccupancyGrid, Odometry
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import LaserScan
from tf2_msgs.msg import TFMessage

from conftest import LATCHED, WORLDS, Peer, once_in_three, seconds

pytestmark = pytest.mark.core


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_cleanly_within_a_second(simulate, peer, number):
    clock = peer.listen(Clock, "/clock")
    taken = []

    def ends_within_a_second():
        clock.clear()
        simulator = simulate()
        peer.spin_until(lambda: clock, awaited="the clock")
        begin = time.monotonic()
        simulator.send(number)
        assert simulator.wait() == 0, simulator.log
        taken.append(time.monotonic() - begin)
        assert "panicked" not in simulator.log
        return taken[-1] < 1.0

    assert once_in_three(ends_within_a_second), taken


def following(simulate, another_peer, grace):
    """A simulator that keeps its clock running for subscribers at the end, one subscriber, and the clock messages that it receives."""
    simulator = simulate(ros_args=("-p", f"shutdown_grace:={grace}"))
    follower = another_peer("follower")
    clock = follower.listen(Clock, "/clock")
    follower.spin_until(lambda: len(clock) > 20, awaited="the clock")
    # The followers of the clock are counted ten times a second.
    follower.spin_for(0.3)
    return simulator, follower, clock


def test_after_a_sigint_the_clock_goes_on_for_its_followers_and_ends_with_the_last(simulate, another_peer):
    simulator, follower, clock = following(simulate, another_peer, 30.0)
    simulator.send(signal.SIGINT)
    heard = len(clock)
    follower.spin_until(lambda: len(clock) > heard + 100, awaited="a clock that goes on")
    assert simulator.process.poll() is None
    follower.node.destroy_node()
    assert simulator.wait() == 0, simulator.log


def test_after_a_sigint_the_clock_goes_on_no_longer_than_it_may(simulate, another_peer):
    simulator, follower, clock = following(simulate, another_peer, 1.0)
    simulator.send(signal.SIGINT)
    began = time.monotonic()
    follower.spin_until(lambda: simulator.process.poll() is not None, awaited="the end")
    assert time.monotonic() - began > 0.9 and simulator.wait(1) == 0


# Follows the clock until it is killed.
FOLLOWER = """
import rclpy
from rosgraph_msgs.msg import Clock

rclpy.init()
node = rclpy.create_node("follower")
node.create_subscription(Clock, "/clock", lambda message: print("heard", flush=True), 10)
rclpy.spin(node)
"""


def test_after_a_sigint_the_clock_does_not_wait_for_peers_that_were_killed(simulate, domain):
    grace = 60.0
    simulator = simulate(ros_args=("-p", f"shutdown_grace:={grace}"))
    environment = dict(os.environ, ROS_DOMAIN_ID=str(domain))
    with subprocess.Popen([sys.executable, "-c", FOLLOWER], stdout=subprocess.PIPE, text=True, env=environment) as follower:
        try:
            # It is there for longer than the simulator takes to look who is.
            for _ in range(300):
                assert follower.stdout.readline() == "heard\n", simulator.log
        finally:
            follower.kill()
    began = time.monotonic()
    simulator.send(signal.SIGINT)
    assert simulator.wait() == 0, simulator.log
    # The graph would name it for 20 s, which is its lease.
    assert time.monotonic() - began < 15.0


def test_a_sigterm_ends_it_at_once_also_where_it_would_go_on(simulate, another_peer):
    simulator, follower, _ = following(simulate, another_peer, 60.0)
    simulator.send(signal.SIGINT)
    follower.spin_for(0.5)
    assert simulator.process.poll() is None
    simulator.send(signal.SIGTERM)
    assert simulator.wait() == 0, simulator.log


def test_after_being_killed_and_restarted_it_is_found_again(simulate, peer):
    clock = peer.listen(Clock, "/clock")
    first = simulate()
    peer.spin_until(lambda: clock, awaited="the clock")
    first.send(signal.SIGKILL)
    first.wait()
    peer.spin_for(0.3)
    clock.clear()
    simulate()
    peer.spin_until(lambda: len(clock) > 50, awaited="the clock of the second life")
    assert seconds(clock[0].clock) < 5.0


def test_two_clocks_in_one_domain_are_reported(simulate, peer):
    first = simulate()
    clock = peer.listen(Clock, "/clock")
    peer.spin_until(lambda: clock and seconds(clock[-1].clock) > 1.0, awaited="the first clock")
    assert "one clock" not in first.log
    silent = simulate(ros_args=("-r", "__node:=silent", "-p", "publish_clock:=false"))
    expected = 'topic "/clock": 2 nodes of this ROS domain publish it'
    peer.spin_until(lambda: expected in first.log, awaited="the warning")
    peer.spin_for(1.0)
    assert first.log.count(expected) == 1
    assert expected not in silent.log


def test_two_maps_in_one_domain_are_reported(simulate, peer):
    simulator = simulate(WORLDS / "nav2.world.xml")
    clock = peer.listen(Clock, "/clock")
    peer.spin_until(lambda: clock, awaited="the clock")
    assert "one map" not in simulator.log
    peer.publisher(OccupancyGrid, "/map", LATCHED)
    peer.spin_until(lambda: "one map" in simulator.log, awaited="the warning")
    peer.spin_for(1.0)
    expected = 'topic "/map": 2 nodes of this ROS domain publish it\n  accepted: one map, found nodes "/peer", "/skidpad"'
    assert simulator.log.count(expected) == 1, simulator.log


def test_two_publishers_of_a_frame_are_reported_and_those_of_other_frames_are_not(simulate, peer, another_peer):
    simulator = simulate(ros_args=("-p", "publish_map_to_odom:=true"))
    clock = peer.listen(Clock, "/clock")
    amcl = another_peer("amcl")
    peer.spin_until(lambda: clock, awaited="the clock")

    def localize(tf, child, awaited, done):
        """Publishes a frame as AMCL does, a little in the future, until `done()` holds."""

        def once_more():
            transform = TransformStamped(child_frame_id=child)
            transform.header.frame_id = "map"
            transform.header.stamp.sec = clock[-1].clock.sec + 1
            transform.header.stamp.nanosec = clock[-1].clock.nanosec
            tf.publish(TFMessage(transforms=[transform]))
            return done()

        peer.spin_until(once_more, awaited=awaited)

    begin = len(clock)
    localize(peer.publisher(TFMessage, "/tf", 100), "elsewhere", "time to pass", lambda: len(clock) > begin + 700)
    assert "more than one node" not in simulator.log
    localize(amcl.publisher(TFMessage, "/tf", 100), "odom", "the warning", lambda: 'topic "/tf": more than one node publishes map → odom' in simulator.log)
    assert 'two of nodes "/amcl", "/peer", "/skidpad"' in simulator.log and "publish_map_to_odom to false" in simulator.log


def stalled_subscriber(domain, ready, over):
    """Subscribes to everything heavy, reliably, and is then stopped by its parent; afterwards it leaves in order."""
    peer = Peer(domain, "stalled")
    clock = peer.listen(Clock, "/clock")
    scans = peer.listen(LaserScan, "scan")
    odom = peer.listen(Odometry, "odom")
    peer.spin_until(lambda: clock and scans and odom, awaited="data")
    ready.set()
    peer.spin_until(over.is_set, awaited="the end of the test")
    peer.close()


def clock_rate(peer, clock, duration):
    """Clock messages per wall second."""
    seen, deadline = len(clock), time.monotonic() + duration
    while time.monotonic() < deadline:
        peer.executor.spin_once(timeout_sec=0.01)
    return (len(clock) - seen) / duration


@pytest.mark.alone
def test_a_stalled_subscriber_does_not_slow_the_clock(simulate, peer, domain):
    simulate()
    clock = peer.listen(Clock, "/clock")
    peer.spin_until(lambda: clock, awaited="the clock")
    spawn = multiprocessing.get_context("spawn")
    ready, over = spawn.Event(), spawn.Event()
    stalled = spawn.Process(target=stalled_subscriber, args=(domain, ready, over), daemon=True)
    stalled.start()
    try:
        peer.spin_until(ready.is_set, awaited="the other subscriber")
        before = clock_rate(peer, clock, 2.0)
        first = seconds(clock[-1].clock)
        begin = time.monotonic()
        os.kill(stalled.pid, signal.SIGSTOP)
        # A process stopped while it holds the lock of a shared-memory port keeps Fast DDS waiting until its health check
        # (1 s by default) gives the port up. So the rate counts over windows, of which one has to be as before.
        rates = []
        while not rates or (rates[-1] <= 0.9 * before and len(rates) < 8):
            rates.append(clock_rate(peer, clock, 2.0))
        elapsed, simulated = time.monotonic() - begin, seconds(clock[-1].clock) - first
    finally:
        os.kill(stalled.pid, signal.SIGCONT)
        # Of a process that is killed a shared-memory port stays, and Fast DDS may wait for ever where two others make it anew at once.
        over.set()
        stalled.join(10)
        stalled.kill()
    assert rates[-1] > 0.9 * before, f"{before} Hz before, {rates} Hz with a stalled subscriber"
    assert abs(simulated / elapsed - 1) < 0.05, f"{simulated} s of simulation in {elapsed} s"


def test_at_full_speed_the_clock_is_monotonic_and_time_runs(simulate, peer):
    simulate(args=("--rate", "max"))
    clock = peer.listen(Clock, "/clock")
    odom = peer.listen(Odometry, "odom")
    peer.spin_until(lambda: len(clock) > 500 and len(odom) > 100, awaited="500 clocks")
    times = [seconds(m.clock) for m in clock]
    assert all(later > earlier for earlier, later in zip(times, times[1:]))
    stamps = [seconds(m.header.stamp) for m in odom]
    assert all(later > earlier for earlier, later in zip(stamps, stamps[1:]))
