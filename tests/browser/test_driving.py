"""Keys of the page drive the vehicle that ROS sees, and it stops when they are released."""

import math

import pytest
from nav_msgs.msg import Odometry
from running import WORLDS

# Commands hold forever, so that only the viewer can stop the vehicle.
HOLD = ("-p", "cmd_timeout:=0.0")
pytestmark = [pytest.mark.node(ros_args=HOLD), pytest.mark.together("all")]


def speed(truth):
    velocity = truth[-1].twist.twist.linear
    return math.hypot(velocity.x, velocity.y)


def stands(truth):
    return speed(truth) < 0.01 and abs(truth[-1].twist.twist.angular.z) < 0.01


def test_keys_drive_and_steer_and_letting_go_stops(viewer, peer):
    truth = peer.listen(Odometry, "car/ground_truth")
    odometry = peer.listen(Odometry, "car/odom")
    viewer.wait_for(lambda: truth and odometry, "odometry")
    start = truth[-1].pose.pose.position
    with viewer.held("w"):
        viewer.wait_for(lambda: truth[-1].pose.pose.position.x > start.x + 0.5, "the car to drive ahead")
        assert abs(truth[-1].pose.pose.position.y - start.y) < 0.02, "straight on"
        viewer.wait_for(lambda: odometry[-1].pose.pose.position.x - odometry[0].pose.pose.position.x > 0.4, "the odometry")
    viewer.wait_for(lambda: stands(truth), "the car to stand")
    # From rest, so that it has room, however late the machine steers.
    with viewer.held("w", "a"):
        viewer.wait_for(lambda: truth[-1].twist.twist.angular.z > 0.1, "the car to turn to the left")
    viewer.wait_for(lambda: stands(truth), "the car to stand")
    place = truth[-1].pose.pose.position
    viewer.let_pass(0.5)
    assert math.hypot(truth[-1].pose.pose.position.x - place.x, truth[-1].pose.pose.position.y - place.y) < 0.01
    with viewer.held("s"):
        viewer.wait_for(lambda: truth[-1].twist.twist.linear.x < -0.1, "the car to go back")
    viewer.wait_for(lambda: stands(truth), "the car to stand again")


# Hears of all states, and then lets nothing else happen on the page.
BUSY = """async () => {
  window.speeds = [];
  const before = skidpad.store.value("vx");
  const end = performance.now() + 1200;
  while (performance.now() < end);
  skidpad.store.on("sample", () => window.speeds.push(skidpad.store.value("vx")));
  return before;
}"""


def test_a_page_that_is_busy_does_not_halt_what_it_drives(viewer):
    with viewer.held("w"):
        viewer.until("skidpad.store.value('vx') > 0.5", "the car to drive")
        before = viewer.page.evaluate(BUSY)
        viewer.until("window.speeds.length >= 3", "states after that")
        assert min(viewer.page.evaluate("() => window.speeds")) > 0.8 * before
    viewer.until("Math.abs(skidpad.store.value('vx')) < 0.01", "the car to stand")


def test_a_robot_turns_where_it_stands(viewer, peer):
    truth = peer.listen(Odometry, "robot/ground_truth")
    viewer.page.get_by_role("option", name="robot").click()
    viewer.wait_for(lambda: truth, "odometry")
    with viewer.held("d"):
        viewer.wait_for(lambda: truth[-1].twist.twist.angular.z < -0.3, "the robot to turn to the right")
    viewer.wait_for(lambda: stands(truth), "the robot to stand")


@pytest.mark.node(world=WORLDS / "omnidirectional.world.xml", ros_args=HOLD)
def test_shift_moves_an_omnidirectional_robot_sideways(viewer):
    with viewer.held("Shift", "a"):
        viewer.until("skidpad.store.value('vy') > 0.3", "the robot to move to its left")
        assert abs(viewer.ask("skidpad.store.value('yaw_rate')")) < 0.1, "without turning"
        assert viewer.page.locator("#drive .cap.held").all_inner_texts() == ["⇧A"]
    viewer.until("Math.abs(skidpad.store.value('vy')) < 0.01", "the robot to stand")


def test_a_page_that_is_closed_under_way_leaves_no_runaway(node, look, peer):
    truth = peer.listen(Odometry, "car/ground_truth")
    viewer = look(node.link)
    watcher = look()
    viewer.page.keyboard.down("w")
    viewer.wait_for(lambda: truth and speed(truth) > 0.5, "the car to drive")
    viewer.page.close()
    watcher.wait_for(lambda: stands(truth), "the car to stand")


def test_a_page_that_falls_silent_under_way_leaves_no_runaway(node, look, peer):
    truth = peer.listen(Odometry, "car/ground_truth")
    viewer = look(node.link)
    viewer.page.keyboard.down("w")
    viewer.wait_for(lambda: truth and speed(truth) > 0.5, "the car to drive")
    # Scripts of the page stand still until their request is answered, which nobody does before the next call of the page; its connection stays open.
    viewer.page.route("**/silence", lambda route: route.fulfill(body=""))
    stops = peer.listen(Odometry, "car/ground_truth")
    viewer.page.evaluate("""() => { setTimeout(() => {
        const request = new XMLHttpRequest();
        request.open("GET", "/silence", false);
        request.send();
        window.silence = "over";
    }, 0); }""")
    peer.spin_until(lambda: stops and stands(stops), awaited="the car to stand while the page is silent")
    assert viewer.page.evaluate("window.silence") == "over"
    viewer.page.keyboard.up("w")
