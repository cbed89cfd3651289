"""The page as a test sees it: what it knows (`window.skidpad`), where things are on it, and what went wrong on it.

The browser is the machine's Chromium, which draws in software.
"""

import contextlib
import os
import re
import shutil
import socket
import time

from running import PATIENCE

# Debian's, Ubuntu's and Google's names, as in web/tools.sh.
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]
DESKTOP = {"width": 1280, "height": 720}
PHONE = {"width": 390, "height": 844}
# Chromium's messages about software rendering.
NO_FAULT = "GL Driver Message"
# What it says where a test ends the node that it talks to.
GONE = "WebSocket|ERR_CONNECTION|ERR_EMPTY_RESPONSE|not shown: Failed to fetch"


def chromium():
    """The browser's program."""
    names = [name for name in (os.environ.get("SKIDPAD_CHROMIUM"), *NAMES) if name]
    path = next(filter(None, map(shutil.which, names)), None)
    assert path, "PATH: no Chromium found\n  accepted: {}, or SKIDPAD_CHROMIUM=PATH".format(", ".join(NAMES))
    return path


def launch(playwright):
    """Starts the browser."""
    return playwright.chromium.launch(executable_path=chromium(), args=FLAGS)


def free_port():
    """A free port of this machine."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Viewer:
    """A page, opened at the link of a node."""

    def __init__(self, page):
        self.page = page
        self.faults = []
        self.allowed = [re.compile(NO_FAULT)]
        page.on("console", lambda message: message.type in ("error", "warning") and self.note(f"console: {message.text}"))
        page.on("pageerror", lambda error: self.note(f"page: {error}"))
        page.on("requestfailed", lambda request: self.note(f"request: {request.url}: {request.failure}"))
        page.on("response", lambda answer: answer.status >= 400 and self.note(f"answer: {answer.url}: {answer.status}"))

    def note(self, fault):
        self.faults.append(fault)

    def allow(self, pattern):
        """Messages that match are not failures of this test."""
        self.allowed.append(re.compile(pattern))

    def check(self):
        """Fails if anything went wrong that was not allowed."""
        left = [fault for fault in self.faults if not any(pattern.search(fault) for pattern in self.allowed)]
        assert left == [], "\n".join(left)

    def open(self, link):
        """Goes there and waits until states come and the view shows them."""
        self.page.goto(link)
        return self.until_shown()

    def until_shown(self):
        """Waits until states come and the view shows them."""
        self.until("skidpad.store.sample !== undefined && skidpad.view !== undefined", "the first state")
        self.until("skidpad.view.stats.calls > 0", "the first picture")
        return self

    def ask(self, expression, *values):
        """The value of an expression over `skidpad` and `values`."""
        return self.page.evaluate(f"(values) => {expression}", list(values))

    def until(self, expression, awaited, timeout=PATIENCE):
        """Waits until an expression over `skidpad` holds."""
        # The page's content security policy forbids the code of wait_for_function.
        holds = f"() => window.skidpad !== undefined && Boolean({expression})"
        self.wait_for(lambda: self.page.evaluate(holds), awaited, timeout)

    def wait_for(self, condition, awaited, timeout=PATIENCE):
        """Waits until a condition of the test holds; the page lives on meanwhile."""
        deadline = time.monotonic() + timeout
        while True:
            value = condition()
            if value:
                return value
            assert time.monotonic() < deadline, f"waited {timeout} s for {awaited}; faults: {self.faults}"
            self.page.wait_for_timeout(20)

    def let_pass(self, seconds):
        """Lets time pass."""
        self.page.wait_for_timeout(1000 * seconds)

    def value(self, channel):
        """A number of the selected vehicle."""
        return self.ask("skidpad.store.value(values[0])", channel)

    @contextlib.contextmanager
    def held(self, *keys):
        """Keys that are down meanwhile."""
        for key in keys:
            self.page.keyboard.down(key)
        try:
            yield
        finally:
            for key in keys:
                self.page.keyboard.up(key)

    def look(self, mode):
        """Chooses a camera and waits until it stands still."""
        self.page.click(f"#camera-{mode}")
        self.settle()

    def settle(self):
        """Waits until the camera stands still."""
        before, equal = None, 0
        deadline = time.monotonic() + PATIENCE
        while equal < 3:
            assert time.monotonic() < deadline, "the camera does not come to rest"
            # What moves draws a picture in each of them, however long it takes.
            self.page.evaluate("() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))")
            # On a loaded machine the first picture of a motion may come later than this.
            is_aimed, *now = self.ask("[skidpad.view.stats.isAimed, skidpad.view.unproject(100, 200), skidpad.view.unproject(500, 400)]")
            equal = equal + 1 if is_aimed and now == before else 0
            before = now
            self.let_pass(0.05)

    def corner(self):
        """Where the canvas begins on the page [px]."""
        box = self.page.locator("#view canvas").first.bounding_box()
        return box["x"], box["y"]

    def place_of(self, vehicle):
        """Where a vehicle is on the page [px], by index."""
        left, top = self.corner()
        place = self.ask("skidpad.view.project(values[0])", vehicle)
        assert place and place["visible"], f"vehicle {vehicle} is not in sight: {place}"
        return left + place["x"], top + place["y"]

    def ground_at(self, x, y):
        """The point of the ground [m] under a point of the page [px]."""
        left, top = self.corner()
        point = self.ask("skidpad.view.unproject(values[0], values[1])", x - left, y - top)
        return point["x"], point["y"]

    def page_at(self, x, y):
        """Where a point of the ground [m] is on the page [px], looked at from the top, by what lies under three points of the page."""
        (x0, y0), (x1, y1), (x2, y2) = (self.ground_at(*at) for at in ((500, 300), (600, 300), (500, 400)))
        a, b, c, d = x1 - x0, x2 - x0, y1 - y0, y2 - y0
        determinant = a * d - b * c
        across, down = (d * (x - x0) - b * (y - y0)) / determinant, (a * (y - y0) - c * (x - x0)) / determinant
        return 500 + 100 * across, 300 + 100 * down

    def drag(self, start, end):
        """Pulls with the left button from one point of the page to another."""
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        for share in (0.2, 0.4, 0.6, 0.8, 1.0):
            mouse.move(start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))
            self.let_pass(0.05)
        mouse.up()
