"""Fingers on a phone: they turn, shift and zoom the view, choose vehicles and carry them."""

import math

import pytest
from nav_msgs.msg import Odometry

from viewer import PHONE


class Fingers:
    """Up to two fingers on a page."""

    def __init__(self, page):
        self.page = page
        self.session = page.context.new_cdp_session(page)

    def touch(self, kind, points):
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def move(self, *moves):
        """Each finger goes from one point to another [px]."""
        self.touch("touchStart", [start for start, _ in moves])
        for share in (0.1, 0.25, 0.4, 0.6, 0.8, 1.0):
            self.touch("touchMove", [tuple(a + share * (b - a) for a, b in zip(start, end)) for start, end in moves])
            self.page.wait_for_timeout(30)
        self.touch("touchEnd", [])
        # To browsers, a tap at once behind a gesture belongs to it.
        self.page.wait_for_timeout(400)


pytestmark = [pytest.mark.page(viewport=PHONE, has_touch=True, is_mobile=True), pytest.mark.together("all")]


@pytest.fixture
def viewer(viewer):
    viewer.fingers = Fingers(viewer.page)
    viewer.settle()
    return viewer


def tap(viewer, selector):
    viewer.page.locator(selector).tap()


def camera(viewer, mode):
    """Chooses a camera from the sheet, and closes the sheet."""
    tap(viewer, ".tab-viewbar")
    tap(viewer, f"#camera-{mode}")
    tap(viewer, ".tab-viewbar")
    viewer.settle()


def width(viewer):
    """Ground between two points of the page [m]."""
    return math.dist(viewer.ground_at(150, 350), viewer.ground_at(250, 350))


def test_a_tap_near_a_vehicle_chooses_it(viewer):
    x, y = viewer.place_of(1)
    viewer.page.touchscreen.tap(x + 10, y - 8)
    viewer.until("skidpad.store.vehicle?.name === 'robot'", "the robot")


def test_one_finger_turns_and_two_zoom(viewer):
    middle = viewer.ground_at(195, 400)
    viewer.fingers.move(((195, 400), (275, 400)))
    viewer.settle()
    assert math.dist(middle, viewer.ground_at(275, 400)) > 0.1, "turned, not shifted"
    before = width(viewer)
    viewer.fingers.move(((160, 350), (110, 350)), ((230, 350), (280, 350)))
    viewer.settle()
    assert width(viewer) < 0.6 * before, "fingers apart: nearer"
    near = width(viewer)
    viewer.fingers.move(((110, 350), (160, 350)), ((280, 350), (230, 350)))
    viewer.settle()
    assert width(viewer) > 1.5 * near, "fingers together: farther"
    assert viewer.ask("skidpad.store.vehicle?.name") == "car", "nothing was clicked"


def test_from_the_top_one_finger_shifts_and_the_ground_stays_under_it(viewer):
    camera(viewer, "top")
    under = viewer.ground_at(180, 300)
    viewer.fingers.move(((180, 300), (240, 360)))
    viewer.settle()
    assert math.dist(under, viewer.ground_at(240, 360)) < 0.15
    # Two fingers that go along together shift as well.
    under = viewer.ground_at(195, 300)
    viewer.fingers.move(((150, 300), (150, 380)), ((240, 300), (240, 380)))
    viewer.settle()
    assert math.dist(under, viewer.ground_at(195, 380)) < 0.3


def test_the_page_itself_stays_where_it_is(viewer):
    viewer.fingers.move(((160, 350), (110, 300)), ((230, 350), (280, 400)))
    viewer.fingers.move(((195, 300), (195, 600)))
    assert viewer.ask("[visualViewport.scale, scrollX, scrollY]") == [1, 0, 0]


def test_a_vehicle_is_carried_with_a_finger(viewer, peer):
    truth = peer.listen(Odometry, "car/ground_truth")
    viewer.wait_for(lambda: truth, "odometry")
    camera(viewer, "top")
    tap(viewer, ".tab-inspector")
    tap(viewer, "#pick-up")
    viewer.page.locator("#carried").wait_for()
    assert not viewer.page.locator("#inspector").is_visible(), "the world is seen"
    start, end = viewer.page_at(-3, 0), viewer.page_at(0, 1)
    viewer.fingers.move((start, end))
    tap(viewer, "#carried [aria-label='Turn to the left']")
    load = viewer.ask("skidpad.view.load")
    assert load["yaw"] > 0.1, load
    assert math.dist((load["x"], load["y"]), (0, 1)) < 0.1
    box = viewer.page.locator("#carried").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
    tap(viewer, "#put-down")
    viewer.wait_for(lambda: math.dist((truth[-1].pose.pose.position.x, truth[-1].pose.pose.position.y), (load["x"], load["y"])) < 0.005, "the car")
    assert truth[-1].pose.pose.orientation.z > 0.05
