"""A node on the ROS graph for the length of a command, and what it learns of the graph."""

import contextlib
import os
import time

import rclpy
from rclpy.signals import SignalHandlerOptions

from problem import Problem, unknown

# The graph is complete when nothing has come for this long [s]; it is looked at for at most the second.
QUIET, MAX_DURATION = 1.0, 5.0
# A server is known a moment before it knows its client, and its answers are lost until then [s].
ACQUAINTANCE = 0.3
# How long a command waits for a name that is not there yet [s].
PATIENCE = 5.0


@contextlib.contextmanager
def a_node():
    """A node that others do not list."""
    rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
    node = rclpy.create_node("_ros2cli_{}".format(os.getpid()), start_parameter_services=False, enable_rosout=False)
    try:
        yield node
    finally:
        node.destroy_node()
        rclpy.shutdown()


def is_hidden(name):
    """True if a part of the name begins with an underscore, or it belongs to an action."""
    return any(part.startswith("_") for part in name.split("/"))


def settled(look):
    """What `look()` gives once it has not changed for a while: nodes find each other within about a second."""
    begin = changed = time.monotonic()
    last = look()
    while time.monotonic() - changed < QUIET and time.monotonic() - begin < MAX_DURATION:
        time.sleep(0.05)
        now = look()
        if now != last or not now:
            last, changed = now, time.monotonic()
    return last


def wait_for(name, place, look):
    """The value of `name` in the dictionary that `look()` gives; waits a while for it."""
    end = time.monotonic() + PATIENCE
    while True:
        names = look()
        if name in names:
            return names[name]
        if time.monotonic() > end:
            raise unknown(place, name, sorted(names))
        time.sleep(0.05)


def absolute(name):
    """The name with a slash in front."""
    return name if name.startswith("/") else "/" + name


def topics(node):
    """Types of each topic that is not hidden."""
    return {name: kinds for name, kinds in node.get_topic_names_and_types() if not is_hidden(name)}


def services(node):
    """Types of each service that is not hidden and has a server: clients alone, such as our own, make a name known too."""
    named = node.get_service_names_and_types()
    return {name: kinds for name, kinds in named if not is_hidden(name) and node.count_services(name)}


def actions(node):
    """Types of each action: those of the services that send its goals."""
    ending, of_goals = "/_action/send_goal", "_SendGoal"
    found = {}
    for name, kinds in node.get_service_names_and_types():
        if name.endswith(ending) and node.count_services(name):
            found[name[: -len(ending)]] = [kind[: -len(of_goals)] for kind in kinds if kind.endswith(of_goals)]
    return found


def nodes(node):
    """Full names of all nodes that are not hidden."""
    full = [(namespace.rstrip("/") + "/" + name) for name, namespace in node.get_node_names_and_namespaces()]
    return sorted(name for name in full if not is_hidden(name))


def wait_for_server(is_there, name, look):
    """Waits for the server of `name`: `is_there(timeout)` says whether there is one; a Problem if there is none."""
    if not is_there(timeout_sec=PATIENCE):
        wait_for(name, "name", look)
        raise Problem(name, "its server has another type")
    time.sleep(ACQUAINTANCE)


def future_result(node, future, seconds, what):
    """The result of a future; a Problem if it does not come in time."""
    rclpy.spin_until_future_complete(node, future, timeout_sec=seconds)
    if not future.done():
        raise Problem(what, "no answer within {:g} s".format(seconds))
    return future.result()
