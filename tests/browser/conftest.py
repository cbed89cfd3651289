"""Fixtures: the real node with its page, Chromium that looks at it, and an rclpy peer.

A test fails on any error or warning on the page's console, error of its scripts, failed request or bad answer, but for those that it allows.
"""

import pathlib
import re
import sys
import threading
import time

import pytest

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).resolve().parents[1] / "support")]

# pytest takes these from here.
from common import Common  # noqa: E402
from parts import free_domain, pytest_addoption, pytest_collection_modifyitems, pytest_runtestloop  # noqa: E402, F401
from parts import pytest_configure as configure_parts  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402
from running import BINARY, ROOT, Peer, Program, Simulator  # noqa: E402
from viewer import DESKTOP, PATIENCE, Viewer, free_port, launch  # noqa: E402

YARD = pathlib.Path(__file__).parent / "yard.world.xml"
FLEET = pathlib.Path(__file__).parent / "fleet.world.xml"
# Screenshots of failed tests.
FAILURES = ROOT / "target" / "browser-failures"

LINK = re.compile(r"viewer: (http://\S+)")


def link_of(program):
    """The address that a node prints."""
    deadline = time.monotonic() + PATIENCE
    while not (match := LINK.search(program.log)):
        assert program.process.poll() is None and time.monotonic() < deadline, program.log
        time.sleep(0.02)
    return match[1]


class Listener(Peer):
    """A peer that spins in its own thread, while the test waits for the page."""

    def __init__(self, domain):
        super().__init__(domain)
        self.ends = threading.Event()
        self.thread = threading.Thread(target=self.hear)
        self.thread.start()

    def hear(self):
        while not self.ends.is_set():
            self.executor.spin_once(timeout_sec=0.05)

    def spin_until(self, condition, timeout=PATIENCE, awaited="it"):
        deadline = time.monotonic() + timeout
        while not (value := condition()):
            assert time.monotonic() < deadline, f"waited {timeout} s for {awaited}"
            time.sleep(0.02)
        return value

    def close(self):
        self.ends.set()
        self.thread.join()
        super().close()


def pytest_configure(config):
    configure_parts(config)
    config.addinivalue_line("markers", "node(world=…, args=…, ros_args=…): what the simulator that tests have in common runs (default: the yard)")
    config.addinivalue_line("markers", "page(viewport=…, color_scheme=…, …): options of its page")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call":
        item.has_failed = report.failed
        item.is_clean = not report.failed
    return report


def picture_failure(request, viewer, name):
    """Keeps a picture of the page of a test that has failed."""
    if getattr(request.node, "has_failed", False) and not viewer.page.is_closed():
        FAILURES.mkdir(parents=True, exist_ok=True)
        viewer.page.screenshot(path=FAILURES / f"{request.node.name}-{name}.png")


@pytest.fixture(scope="session")
def browser():
    assert BINARY.exists(), f"{BINARY}: not built; run: cargo build -p skidpad -p skidpad-node"
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def started():
    """The programs of a test, which end with it."""
    programs = []
    yield programs
    for program in programs:
        program.stop()
        print(program.log)


@pytest.fixture
def domain(request, pytestconfig):
    """The ROS domain of the test's simulators, which no other test uses at the time."""
    if "entry" in request.fixturenames:
        yield request.getfixturevalue("entry").domain
    else:
        with free_domain(pytestconfig) as number:
            yield number


@pytest.fixture(scope="session")
def common(browser, pytestconfig, tmp_path_factory):
    """The simulators that tests have in common."""
    folder = tmp_path_factory.mktemp("common")

    def start(ends, domain, world, args, ros_args):
        log = folder / f"skidpad-{domain}.log"
        node = Simulator(domain, log, world, ros_args, ["--web", f"127.0.0.1:{free_port()}", *args])
        ends.callback(node.stop)
        node.link = link_of(node)
        return node

    common = Common(pytestconfig, browser, start, folder)
    yield common
    common.close()


@pytest.fixture
def entry(request, common):
    """What `node` and `viewer` have in common."""
    marker = request.node.get_closest_marker("node")
    entry = common.take(**({"world": YARD} | (marker.kwargs if marker else {})))
    yield entry
    print(entry.new_output())
    if getattr(request.node, "is_clean", False):
        entry.pause()


@pytest.fixture
def node(entry):
    """A simulator that other tests use too; at its start."""
    return entry.node


@pytest.fixture
def viewer(request, entry):
    """The page of `node`, as just opened."""
    marker = request.node.get_closest_marker("page")
    viewer = entry.viewer(**(marker.kwargs if marker else {}))
    yield viewer
    picture_failure(request, viewer, "page")
    passed, request.node.is_clean = getattr(request.node, "is_clean", False), False
    if passed:
        viewer.let_go()
        viewer.check()
        request.node.is_clean = True


@pytest.fixture
def serve(domain, tmp_path, started):
    """Starts nodes with a viewer: serve(world, args, ros_args, port) -> Simulator with its `link`."""

    def start(world=YARD, args=(), ros_args=(), port=None):
        log = tmp_path / f"skidpad{len(started)}.log"
        node = Simulator(domain, log, world, ros_args, ["--web", f"127.0.0.1:{port or free_port()}", *args])
        started.append(node)
        node.link = link_of(node)
        return node

    return start


@pytest.fixture
def replay(domain, tmp_path, started):
    """Starts `skidpad replay` of a recording: replay(file) -> Program with its `link`."""

    def start(file, args=()):
        log = tmp_path / f"replay{len(started)}.log"
        program = Program(domain, log, ["replay", file, "--web", f"127.0.0.1:{free_port()}", *args])
        started.append(program)
        program.link = link_of(program)
        return program

    return start


@pytest.fixture
def look(request, browser):
    """Opens pages: look(link, viewport=…) -> Viewer. Whatever goes wrong on them fails the test."""
    viewers = []

    def start(link=None, **options):
        context = browser.new_context(**({"viewport": DESKTOP} | options))
        context.set_default_timeout(1000 * PATIENCE)
        viewer = Viewer(context.new_page())
        viewers.append((context, viewer))
        return viewer.open(link) if link else viewer

    yield start
    for number, (context, viewer) in enumerate(viewers):
        picture_failure(request, viewer, number)
        context.close()
    for _, viewer in viewers:
        viewer.check()


@pytest.fixture
def peer(domain):
    peer = Listener(domain)
    yield peer
    peer.close()
