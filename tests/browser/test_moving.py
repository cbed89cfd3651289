"""Bodies moved on the page have their new poses in ROS."""

import math

import pytest
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Odometry

# A pixel is about 2 cm of the yard.
NEAR = 0.06


def distance(position, point):
    return math.hypot(position.x - point[0], position.y - point[1])


@pytest.fixture
def viewer(viewer):
    viewer.look("top")
    return viewer


def test_a_dragged_vehicle_is_where_it_was_put(viewer, peer):
    truth = peer.listen(Odometry, "car/ground_truth")
    viewer.wait_for(lambda: truth, "odometry")
    start, end = viewer.page_at(-3, 0), viewer.page_at(-1, 1.5)
    # The page and ROS mean the same place, before anything is moved.
    assert math.dist(start, viewer.place_of(0)) < 15
    viewer.page.keyboard.press("m")
    viewer.drag(start, end)
    put = viewer.ground_at(*end)
    viewer.wait_for(lambda: distance(truth[-1].pose.pose.position, put) < NEAR, "the car to be there")
    viewer.wait_for(lambda: abs(truth[-1].twist.twist.linear.x) < 0.01, "the car to be at rest")
    viewer.until(f"Math.hypot(skidpad.store.value('x') - ({put[0]}), skidpad.store.value('y') - ({put[1]})) < {NEAR}", "the page to show it")


def test_a_dragged_block_is_where_it_was_put(viewer, peer):
    poses = peer.listen(PoseStamped, "/crate/pose")
    viewer.wait_for(lambda: poses, "the crate's pose")
    end = viewer.page_at(0, -1)
    viewer.page.keyboard.press("m")
    viewer.drag(viewer.page_at(2, -2), end)
    put = viewer.ground_at(*end)
    viewer.wait_for(lambda: distance(poses[-1].pose.position, put) < NEAR, "the crate to be there")


def test_a_vehicle_is_picked_up_turned_and_put_down_by_clicks(viewer, peer):
    truth = peer.listen(Odometry, "car/ground_truth")
    viewer.wait_for(lambda: truth, "odometry")
    end = viewer.page_at(0, -1)
    viewer.page.click("#pick-up")
    viewer.page.mouse.move(*viewer.page_at(-2, 0))
    viewer.page.mouse.move(*end)
    for _ in range(3):
        viewer.page.keyboard.press("q")
    viewer.page.mouse.click(*end)
    put = viewer.ground_at(*end)
    viewer.wait_for(lambda: distance(truth[-1].pose.pose.position, put) < NEAR, "the car to be there")
    assert truth[-1].pose.pose.orientation.z > 0.05, "turned to the left"


def test_outside_the_move_mode_dragging_moves_the_camera_only(viewer, peer):
    truth = peer.listen(Odometry, "car/ground_truth")
    viewer.wait_for(lambda: truth, "odometry")
    before = viewer.ground_at(600, 400)
    viewer.drag(viewer.page_at(-3, 0), viewer.page_at(-1, 1.5))
    viewer.settle()
    assert math.dist(before, viewer.ground_at(600, 400)) > 0.5, "the camera"
    viewer.let_pass(0.5)
    assert distance(truth[-1].pose.pose.position, (-3, 0)) < 0.01
