"""Time: the page's controls agree with ROS's clock."""

import time

import pytest
from nav_msgs.msg import Odometry
from rosgraph_msgs.msg import Clock
from std_srvs.srv import Trigger

from running import nanoseconds

STEP = 5_000_000


@pytest.fixture
def clock(peer):
    heard = peer.listen(Clock, "/clock")
    return lambda: nanoseconds(heard[-1].clock) if heard else 0


def stand(viewer, clock):
    """The instant [ns] at which time stands, once page and ROS agree on it and it stays."""
    viewer.wait_for(lambda: abs(viewer.ask("skidpad.store.sample.time") - 1e-9 * clock()) < 1e-6, "page and ROS at one instant")
    stood = clock()
    viewer.let_pass(0.5)
    assert clock() == stood, "time stands"
    return stood


def test_pause_stops_the_clock_and_it_goes_on(viewer, clock):
    viewer.wait_for(clock, "the clock")
    viewer.page.get_by_role("button", name="Pause").click()
    viewer.until("skidpad.store.running.paused", "the pause")
    stood = stand(viewer, clock)
    viewer.page.keyboard.press("p")
    viewer.wait_for(lambda: clock() > stood + 200_000_000, "time to go on")


def test_a_step_is_one_step(viewer, clock):
    viewer.page.keyboard.press("p")
    viewer.until("skidpad.store.running.paused", "the pause")
    viewer.wait_for(clock, "the clock")
    stood = stand(viewer, clock)
    viewer.page.click("#step")
    viewer.wait_for(lambda: clock() != stood, "a step")
    assert stand(viewer, clock) == stood + STEP
    viewer.page.keyboard.press(">")
    viewer.wait_for(lambda: clock() >= stood + 21 * STEP, "a tenth of a second")
    assert stand(viewer, clock) == stood + 21 * STEP


def test_the_speed_of_time_is_chosen(viewer, clock):
    viewer.page.get_by_label("Speed of time").first.select_option("0.5")
    viewer.until("skidpad.store.running.rate === 0.5", "the speed")
    viewer.wait_for(clock, "the clock")
    viewer.let_pass(0.3)
    begun, start = time.monotonic(), clock()
    viewer.let_pass(3)
    # A busy machine is slower, never faster.
    assert 0.1 < 1e-9 * (clock() - start) / (time.monotonic() - begun) < 0.6
    viewer.page.keyboard.press("-")
    viewer.until("skidpad.store.running.rate === 0.2", "the next slower one")


def test_a_reset_puts_everything_back(viewer, peer, clock):
    truth = peer.listen(Odometry, "car/ground_truth")
    viewer.wait_for(lambda: truth, "odometry")
    with viewer.held("w"):
        viewer.wait_for(lambda: truth[-1].pose.pose.position.x > -2, "the car to drive")
    before = clock()
    viewer.page.click("#reset")
    viewer.wait_for(lambda: abs(truth[-1].pose.pose.position.x + 3) < 0.01, "the car at its start")
    viewer.until("Math.abs(skidpad.store.value('x') + 3) < 0.01", "the page to show it")
    assert clock() >= before, "time never jumps back"
    viewer.let_pass(2)
    assert abs(truth[-1].pose.pose.position.x + 3) < 0.01, "the ramp of the key does not go on after the reset"


def test_a_driver_releases_its_vehicle_when_another_client_resets(viewer, peer):
    truth = peer.listen(Odometry, "car/ground_truth")
    viewer.wait_for(lambda: truth, "odometry")
    with viewer.held("w"):
        viewer.wait_for(lambda: truth[-1].pose.pose.position.x > -2, "the car to drive")
        peer.call(Trigger, "/skidpad/reset", Trigger.Request())
        viewer.wait_for(lambda: truth[-1].pose.pose.position.x < -2.5, "the car at its start")

        def hold():
            for _ in range(40):
                # A key that is held repeats itself.
                viewer.page.keyboard.down("w")
                viewer.let_pass(0.05)
            return truth[-1].pose.pose.position.x

        # On a busy machine commands from before the reset arrive after it.
        place = hold()
        assert place < -2 and abs(hold() - place) < 0.01 and abs(truth[-1].twist.twist.linear.x) < 0.01
