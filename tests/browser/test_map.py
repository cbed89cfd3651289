"""What a map has: the pointer's place, the scale, a ruler, frames, relief, and links to a view."""

import math
import re

import pytest


def numbers(text):
    """The numbers of a text, whatever its minus sign."""
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text.replace("−", "-"))]


def layers(viewer):
    return viewer.ask("Object.fromEntries(['names', 'paths', 'frames'].map((layer) => [layer, skidpad.view.getShown(layer)]))")


def test_the_corner_says_where_the_pointer_is(viewer):
    viewer.look("top")
    viewer.page.mouse.move(500, 300)
    viewer.page.locator("#pointer").wait_for()
    assert numbers(viewer.page.locator("#pointer").inner_text()) == pytest.approx(viewer.ground_at(500, 300), abs=0.006)
    # A world without ground has the grid of MVSim, with 5 m, and finer lines between.
    assert viewer.page.locator("#grid").inner_text() == "grid 1 m"


def test_the_ruler_measures_between_two_clicks(viewer):
    viewer.look("top")
    viewer.page.keyboard.press("y")
    assert viewer.page.locator("#ruler").get_attribute("aria-pressed") == "true"
    start, end = viewer.page_at(-1, -1), viewer.page_at(2, 3)
    before = viewer.ask("skidpad.store.selected")
    viewer.page.mouse.click(*start)
    viewer.page.mouse.click(*end)
    measured = viewer.page.locator("#measured")
    measured.wait_for()
    # A pixel is some millimetres.
    distance, heading, dx, dy = numbers(measured.inner_text())
    assert (distance, dx, dy) == (pytest.approx(5, abs=0.05), pytest.approx(3, abs=0.05), pytest.approx(4, abs=0.05))
    assert heading == pytest.approx(math.degrees(math.atan2(4, 3)), abs=0.5)
    assert viewer.page.locator(".labels > span:visible").filter(has_text="°").count() == 1, "it is written beside the line"
    assert viewer.ask("skidpad.store.selected") == before, "clicks are the ruler's"
    viewer.page.keyboard.press("Escape")
    assert viewer.page.locator("#ruler").get_attribute("aria-pressed") == "false"
    measured.wait_for(state="hidden")


def test_frames_have_their_names(viewer):
    viewer.page.keyboard.press("x")
    named = lambda: set(viewer.page.locator(".labels > span:visible").all_inner_texts())  # noqa: E731
    viewer.wait_for(lambda: {"map", "odom", "base_footprint", "scan"} <= named(), "the frames of the car")
    viewer.page.keyboard.press("x")
    viewer.wait_for(lambda: not named(), "none")


def test_a_link_opens_the_same_view(viewer, look):
    viewer.look("top")
    viewer.drag((500, 300), (560, 340))
    viewer.page.keyboard.press("]")
    viewer.page.keyboard.press("n")
    viewer.page.keyboard.press("t")
    viewer.settle()
    viewer.page.click("#link")
    viewer.wait_for(lambda: "camera=top" in viewer.page.url, "the link")
    places = [(300, 300), (800, 500)]
    before = [viewer.ground_at(*at) for at in places]
    again = look(viewer.page.url)
    again.until("skidpad.store.vehicle?.name === 'robot'", "the robot")
    again.settle()
    assert again.page.locator("#camera-top").get_attribute("aria-pressed") == "true"
    assert [again.ground_at(*at) for at in places] == [pytest.approx(at, abs=0.02) for at in before]
    assert layers(again) == layers(viewer) == {"names": True, "paths": False, "frames": False}


def test_a_link_pasted_into_the_tab_moves_the_camera_there(viewer):
    viewer.page.evaluate("() => { location.hash = 'camera=top&at=3+1&distance=10&vehicle=nobody'; }")
    viewer.until("Math.abs(skidpad.view.lookout.distance - 10) < 1e-3 && skidpad.view.lookout.mode === 'top'", "the camera")
    assert viewer.ask("skidpad.view.lookout.target") == [3, 1, 0]
    viewer.page.get_by_text("nobody: the link names a vehicle that is not here").wait_for()


def test_level_ground_shows_no_heights(viewer):
    assert not viewer.page.locator("#inspector dt", has_text="Pitch").is_visible()
