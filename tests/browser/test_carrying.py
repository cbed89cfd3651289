"""Vehicles and blocks are carried without a mouse, and ROS gets their new poses."""

import math

import pytest
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Odometry

from test_page import AXE, serious

# Positions in states have a resolution of 1 mm.
NEAR = 0.005


def distance(position, load):
    return math.hypot(position.x - load["x"], position.y - load["y"])


def load(viewer):
    """The carried body and its target pose."""
    return viewer.ask("skidpad.view.load ?? null")


def spoken(viewer):
    """The announcements for screen readers."""
    return viewer.page.locator("#spoken").inner_text()


def press(viewer, *keys):
    for key in keys:
        viewer.page.keyboard.press(key)


@pytest.fixture
def viewer(viewer):
    viewer.look("top")
    return viewer


def test_the_selected_vehicle_is_carried_and_put_down_by_keys(viewer, peer):
    truth = peer.listen(Odometry, "car/ground_truth")
    viewer.wait_for(lambda: truth, "odometry")
    press(viewer, "g")
    start = load(viewer)
    assert start["entity"] == viewer.ask("skidpad.store.vehicle.id") and abs(start["x"] + 3) < NEAR
    assert "car picked up" in spoken(viewer) and viewer.page.locator("#carried").is_visible()
    press(viewer, "ArrowRight")
    stride = load(viewer)["x"] - start["x"]
    assert stride > 0.05, "to the right is ahead along x, from the top"
    press(viewer, "ArrowRight", "ArrowRight", "ArrowUp", "Shift+ArrowUp", "q", "q", "Shift+Q")
    now = load(viewer)
    assert now["x"] - start["x"] == pytest.approx(3 * stride, abs=1e-9)
    assert now["y"] - start["y"] == pytest.approx(1.1 * stride, abs=1e-9)
    assert math.degrees(now["yaw"] - start["yaw"]) == pytest.approx(16, abs=1e-6)
    viewer.wait_for(lambda: f"x {now['x']:.2f}".replace("-", "\u2212") in spoken(viewer), "the place to be told")
    assert distance(truth[-1].pose.pose.position, start) < NEAR, "it stands until it is put down"
    press(viewer, "Enter")
    viewer.wait_for(lambda: distance(truth[-1].pose.pose.position, now) < NEAR, "the car to be elsewhere")
    turned = truth[-1].pose.pose.orientation
    assert 2 * math.atan2(turned.z, turned.w) == pytest.approx(now["yaw"], abs=0.01)
    viewer.wait_for(lambda: "car put down" in spoken(viewer), "that to be told")
    assert load(viewer) is None and not viewer.page.locator("#carried").is_visible()


def test_blocks_are_reached_by_keys_too(viewer, peer):
    poses = peer.listen(PoseStamped, "/crate/pose")
    viewer.wait_for(lambda: poses, "the crate's pose")
    press(viewer, "g", "[")
    assert viewer.page.locator("#carried select option:checked").inner_text() == "crate"
    press(viewer, "ArrowLeft", "ArrowLeft", "ArrowDown", "e")
    now = load(viewer)
    press(viewer, "Enter")
    viewer.wait_for(lambda: distance(poses[-1].pose.position, now) < NEAR, "the crate to be elsewhere")
    assert poses[-1].pose.orientation.z < -0.05, "turned to the right"


def test_a_body_that_is_left_keeps_its_pose(viewer, peer):
    truth = peer.listen(Odometry, "car/ground_truth")
    viewer.wait_for(lambda: truth, "odometry")
    start = truth[-1].pose.pose.position
    press(viewer, "g", "ArrowUp", "ArrowUp", "Escape")
    assert load(viewer) is None and "stays where it was" in spoken(viewer)
    viewer.let_pass(0.5)
    assert distance(truth[-1].pose.pose.position, {"x": start.x, "y": start.y}) < NEAR


def test_keys_do_not_drive_while_something_is_carried(viewer, peer):
    truth = peer.listen(Odometry, "car/ground_truth")
    viewer.wait_for(lambda: truth, "odometry")
    start = truth[-1].pose.pose.position
    press(viewer, "g")
    for key in ("w", "ArrowUp", "Space"):
        with viewer.held(key):
            viewer.let_pass(0.4)
    press(viewer, "Escape")
    assert distance(truth[-1].pose.pose.position, {"x": start.x, "y": start.y}) < NEAR
    with viewer.held("w"):
        viewer.wait_for(lambda: truth[-1].pose.pose.position.x > start.x + 0.3, "the car to drive again")


def test_the_focus_comes_back_to_the_button(viewer):
    active = "document.activeElement.id || document.activeElement.tagName"
    viewer.page.keyboard.press("Tab")
    viewer.page.locator("#pick-up").focus()
    press(viewer, "Enter", "ArrowRight")
    assert viewer.ask(active) == "CANVAS" and load(viewer) is not None
    press(viewer, "Escape")
    assert viewer.ask(active) == "pick-up"
    # Buttons of the panel keep their keys.
    press(viewer, "Enter")
    viewer.page.locator("#leave").focus()
    press(viewer, "Enter")
    assert load(viewer) is None and "stays where it was" in spoken(viewer)


def test_a_pointer_that_passes_by_leaves_what_keys_have_moved(viewer):
    press(viewer, "g")
    viewer.page.mouse.move(*viewer.page_at(0, -1))
    assert abs(load(viewer)["x"]) < 0.06, "it follows the pointer"
    press(viewer, "ArrowRight")
    now = load(viewer)
    viewer.page.mouse.move(*viewer.page_at(-2, 1))
    assert load(viewer) == now
    press(viewer, "Escape")


def test_the_camera_moves_to_a_body_out_of_sight(viewer):
    left, right = (viewer.page.locator(panel).bounding_box() for panel in ("#left", "#inspector"))

    def is_within(x_range, y_range):
        viewer.settle()
        x, y = viewer.page_at(2, -2)
        return x_range[0] < x < x_range[1] and y_range[0] < y < y_range[1]

    # Where the view begins depends on which panels were there when it was framed.
    for _ in range(20):
        if not is_within((-100, 1380), (-100, 820)):
            break
        viewer.page.locator("#view canvas").first.focus()
        press(viewer, "+", "+", "+")
    press(viewer, "g", "[")
    # A busy page draws the first picture of the move after the camera has been seen to stand still.
    middle = (left["x"] + left["width"], right["x"]), (46, 720)
    viewer.wait_for(lambda: is_within(*middle), "the crate to be in the middle")
    press(viewer, "Escape")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_label_of_a_carried_body_is_readable_in_every_colour_scheme(viewer, scheme):
    assert AXE.is_file(), f"{AXE}: not there; run: make test-browser"
    viewer.look("orbit")
    viewer.page.emulate_media(color_scheme=scheme)
    press(viewer, "g", "ArrowRight")
    assert serious(viewer) == []
    panel, below = (viewer.page.locator(name).bounding_box() for name in ("#carried", "#viewbar"))
    assert panel["y"] + panel["height"] <= below["y"], "it lies over nothing"
