"""Fixtures: the real executable as a process of its own, and an rclpy peer in this one.

A test has a ROS domain of its own, or that of the simulator which it shares with others.
"""

import os
import pathlib
import subprocess
import sys

import pytest
from rclpy.utilities import get_rmw_implementation_identifier

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

# pytest takes these from here.
from installing import prefix, started  # noqa: E402, F401
from parts import free_domain, pytest_addoption, pytest_collection_modifyitems, pytest_configure, pytest_runtestloop  # noqa: E402, F401
from reusing import Pool  # noqa: E402

# And tests these.
from running import (  # noqa: E402, F401
    BINARY, LATCHED, PATIENCE, RACECAR, RELIABLE, ROOT, TWO_ROBOTS, WORLDS, Peer, QoSProfile, Simulator, nanoseconds, once_in_three, seconds, stamp,
)

# The middleware of this process, and so of the programs that it starts.
MIDDLEWARE = get_rmw_implementation_identifier()
OPEN = pathlib.Path(__file__).parent / "open.world.xml"
TALL = pathlib.Path(__file__).parent / "tall.world.xml"


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"simulators started: {Simulator.started}")


@pytest.fixture(scope="session", autouse=True)
def binary():
    assert BINARY.exists(), f"{BINARY}: not built; run: cargo build -p skidpad -p skidpad-node"
    return BINARY


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


@pytest.fixture(scope="session")
def pool(pytestconfig, tmp_path_factory):
    """The simulator that tests have in common, in a ROS domain of its own."""
    with free_domain(pytestconfig) as number:
        pool = Pool(number, tmp_path_factory.mktemp("reused"))
        yield pool
        pool.stop()


@pytest.fixture
def domain(request, pytestconfig):
    """A ROS domain of the test, or that of the simulator which it shares."""
    if "reuse" in request.fixturenames:
        yield request.getfixturevalue("pool").domain
    else:
        with free_domain(pytestconfig) as number:
            yield number


@pytest.fixture
def reuse(pool, request):
    """Starts time in a world of a running simulator: reuse(world, ros_args, rate=3.0) -> Simulator. Tests with the same arguments share a
    process, so a test that gives any is marked `together`. Parameters by name are those that can be set at any time."""
    before = request.session.testsfailed
    yield pool.take
    pool.stand(request.session.testsfailed > before)


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
    for later_peer in peers:
        later_peer.close()
