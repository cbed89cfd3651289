"""Fixtures: the real executable as a process of its own, and an rclpy peer in this one.

Every test has a ROS domain of its own. `--part 1/2` and `--part 2/2` share the tests among two runs at the same time, and
`--part alone` has those for which others would take too much of the machine.
"""

import itertools
import os
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

# Tests take these from here.
from running import (  # noqa: E402, F401
    BINARY, LATCHED, RACECAR, RELIABLE, ROOT, TWO_ROBOTS, WORLDS, Peer, QoSProfile, Simulator, nanoseconds, seconds, stamp,
)

OPEN = pathlib.Path(__file__).parent / "open.world.xml"
TALL = pathlib.Path(__file__).parent / "tall.world.xml"
DOMAINS = 100

_count = itertools.count(os.getpid())


def pytest_addoption(parser):
    parser.addoption("--part", default="1/1", help="K/N: every N-th test, from the K-th on, in domains that no other part has, but those marked alone; alone: those")


def pytest_configure(config):
    config.addinivalue_line("markers", "alone: sends or measures so much that no other test should run at the same time")


def part_of(config):
    """Which part of how many, from 0 on."""
    if config.getoption("part") == "alone":
        return 0, 1
    part, parts = (int(number) for number in config.getoption("part").split("/"))
    assert 1 <= part <= parts, "--part K/N: K from 1 to N"
    return part - 1, parts


def pytest_collection_modifyitems(config, items):
    part, parts = part_of(config)
    alone = config.getoption("part") == "alone"
    if alone or parts > 1:
        chosen = [item for item in items if (item.get_closest_marker("alone") is not None) == alone][part::parts]
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = chosen


@pytest.fixture(scope="session", autouse=True)
def binary():
    assert BINARY.exists(), f"{BINARY}: not built; run: cargo build --features ros"
    return BINARY


@pytest.fixture
def domain(pytestconfig):
    part, parts = part_of(pytestconfig)
    share = DOMAINS // parts
    return 1 + part * share + next(_count) % share


@pytest.fixture
def simulate(domain, tmp_path):
    """Starts simulators: simulate(world, ros_args) -> Simulator."""
    running = []

    def start(world=RACECAR, ros_args=(), args=(), environment=()):
        log = tmp_path / f"skidpad{len(running)}.log"
        simulator = Simulator(domain, log, world, ros_args, args, environment)
        running.append(simulator)
        return simulator

    yield start
    for simulator in running:
        simulator.stop()
        print(simulator.log)


@pytest.fixture
def run_node(domain):
    """Starts `skidpad node NAME`: run_node(name, ros_args) -> process."""
    processes = []

    def start(name, ros_args=(), **options):
        environment = dict(os.environ, ROS_DOMAIN_ID=str(domain))
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT} | options
        process = subprocess.Popen([str(BINARY), "node", name, "--ros-args", *ros_args], env=environment, **options)
        processes.append(process)
        return process

    yield start
    for process in processes:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(3)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@pytest.fixture
def peer(domain):
    peer = Peer(domain)
    yield peer
    peer.close()


@pytest.fixture
def another_peer(domain):
    """Starts further peers: another_peer(name) -> Peer."""
    peers = []

    def start(name="latecomer"):
        peers.append(Peer(domain, name))
        return peers[-1]

    yield start
    for one in peers:
        one.close()
