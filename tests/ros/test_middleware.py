"""Other middlewares of ROS than the one of this run: where one is installed, the tests marked `core` pass with it, too."""

import os
import pathlib
import subprocess
import sys

import pytest
from geometry_msgs.msg import Twist

from conftest import MIDDLEWARE, TWO_ROBOTS

# Those that need no program beside them, as Zenoh needs its router.
WITHOUT_ROUTER = ("rmw_cyclonedds_cpp", "rmw_fastrtps_cpp")
# Longest time of the core [s], less than that of a whole run.
CORE = 1500


def other():
    """The middleware to run the core with, or why there is none: (name, reason)."""
    prefixes = [pathlib.Path(prefix) for prefix in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep) if prefix]
    switches = [library for prefix in prefixes for library in prefix.glob("lib/librmw_implementation.so")]
    if any(library.resolve().name != library.name for library in switches):
        return None, f"this ROS is built for {MIDDLEWARE} alone"
    installed = {entry.name for prefix in prefixes for entry in prefix.glob("share/ament_index/resource_index/rmw_typesupport/rmw_*")}
    usable = [name for name in WITHOUT_ROUTER if name in installed and name != MIDDLEWARE]
    return (usable[0], "") if usable else (None, f"no {' or '.join(WITHOUT_ROUTER)} is installed beside {MIDDLEWARE}")


@pytest.mark.alone
@pytest.mark.long
def test_the_core_passes_with_another_middleware():
    name, reason = other()
    if name is None:
        pytest.skip(reason)
    folder = pathlib.Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore::DeprecationWarning", "-m", "core", str(folder)],
        env=os.environ | {"RMW_IMPLEMENTATION": name}, capture_output=True, text=True, timeout=CORE)
    assert done.returncode == 0, f"{name}:\n{done.stdout}\n{done.stderr}"


@pytest.mark.core
def test_a_publisher_that_leaves_is_no_error(reuse, peer):
    simulator = reuse(TWO_ROBOTS)
    for _ in range(2):
        publisher = peer.publisher(Twist, "/r1/cmd_vel")
        peer.spin_until(lambda: peer.reaches(publisher), awaited="the subscription")
        publisher.publish(Twist())
        peer.spin_for(0.3)
        peer.node.destroy_publisher(publisher)
        peer.spin_until(lambda: peer.node.count_publishers("/r1/cmd_vel") == 0, awaited="its end")
    # The end of the publisher is known to the simulator before an answer that is asked for later.
    peer.ask("/skidpad")
    assert "error:" not in simulator.log and "warning:" not in simulator.log
