"""Ground that is not level: how it is shown, and that bodies are put down on it."""

import math
import re

import pytest
from nav_msgs.msg import Odometry

from running import WORLDS
from test_carrying import NEAR, distance, load, press

pytestmark = [pytest.mark.node(world=WORLDS / "elevation_map.world.xml"), pytest.mark.together("all")]


def test_uneven_ground_shows_heights_tilt_and_relief(viewer):
    for name in ("Height", "Pitch", "Roll"):
        viewer.page.locator("#inspector dt", has_text=re.compile(f"^{name}$")).wait_for()
    viewer.settle()
    canvas = viewer.page.locator("#view canvas").first
    shown = canvas.screenshot()
    viewer.page.keyboard.press("u")
    viewer.settle()
    assert viewer.ask("skidpad.view.getShown('relief')") is False
    assert canvas.screenshot() != shown


def test_a_body_placed_on_a_hill_stands_on_it(viewer, peer):
    truth = peer.listen(Odometry, "walker/ground_truth")
    viewer.look("top")
    viewer.wait_for(lambda: truth, "odometry")
    # Its way along x, over ups and downs; then to the lowest place of it, and from there to the highest.
    press(viewer, "g")
    course = [load(viewer)]
    for _ in range(30):
        press(viewer, "ArrowRight")
        course.append(load(viewer))
    places = [place for place in course if -9 < place["x"] < 9 and place["isOn"]]
    press(viewer, "Escape")
    low, high = (choose(places, key=lambda place: place["z"]) for choose in (min, max))
    assert high["z"] > low["z"] + 0.6, places
    for place in (low, high):
        press(viewer, "g")
        side = 1 if place["x"] > load(viewer)["x"] else -1
        while side * (place["x"] - load(viewer)["x"]) > 0.01:
            press(viewer, "ArrowRight" if side > 0 else "ArrowLeft")
        now = load(viewer)
        press(viewer, "Enter")
        viewer.wait_for(lambda: distance(truth[-1].pose.pose.position, now) < NEAR, "the walker to be elsewhere")
        assert truth[-1].pose.pose.position.z == pytest.approx(now["z"], abs=0.2)


RAISED = """<mvsim_world version="1.0">
  <include file="{vehicles}/diffbot.vehicle.xml"/>
  <vehicle name="a" class="diffbot"> <init_pose>-3 0 0</init_pose> </vehicle>
  <vehicle name="b" class="diffbot"> <init_pose>-3 2 0</init_pose> </vehicle>
  <element class="horizontal_plane">
    <x_min>0</x_min> <x_max>4</x_max> <y_min>-2</y_min> <y_max>2</y_max> <z>1.5</z>
  </element>
</mvsim_world>
"""


def test_a_body_placed_on_a_raised_plane_stands_on_it(serve, look, peer, tmp_path):
    (tmp_path / "raised.world.xml").write_text(RAISED.format(vehicles=WORLDS / "vehicles"))
    truth = peer.listen(Odometry, "a/ground_truth")
    viewer = look(serve(tmp_path / "raised.world.xml").link)
    viewer.page.keyboard.press("h")
    viewer.settle()
    viewer.wait_for(lambda: truth, "odometry")
    # In perspective, so that a pointer over the plane is not over the same place of the ground below.
    points = [(x, y) for x in range(300, 900, 25) for y in range(100, 640, 25)]
    end = min(points, key=lambda point: math.dist(viewer.ground_at(*point), (2, 0)))
    put = viewer.ground_at(*end)
    assert math.dist(put, (2, 0)) < 0.5
    viewer.page.click("#pick-up")
    viewer.page.mouse.move(end[0] - 5, end[1])
    viewer.page.mouse.click(*end)
    viewer.wait_for(lambda: math.dist((truth[-1].pose.pose.position.x, truth[-1].pose.pose.position.y), put) < 0.06, "the robot to be elsewhere")
    assert truth[-1].pose.pose.position.z == pytest.approx(1.5, abs=0.02)
