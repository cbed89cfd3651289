"""Checks the ROS that the shell has sourced: whether r2r supports it, and whether it has the packages that skidpad needs."""

import os
import shutil

import state
from report import Problem

DISTROS = ["humble", "jazzy", "lyrical", "rolling"]
PACKAGES = [
    "ackermann_msgs", "action_msgs", "ament_cmake", "builtin_interfaces", "diagnostic_msgs", "geometry_msgs", "lifecycle_msgs", "nav_msgs",
    "rcl", "rcl_action", "rcl_interfaces", "rclpy", "rmw_implementation", "rosgraph_msgs", "rosidl_default_generators", "sensor_msgs",
    "std_msgs", "std_srvs", "tf2_msgs", "unique_identifier_msgs", "visualization_msgs",
]
# Optional: without one of these, its part of the node is left out of the build.
OPTIONAL = ["autoware_control_msgs", "autoware_vehicle_msgs", "nav2_msgs", "simulation_interfaces", "vesc_msgs", "vision_msgs"]
PRIVATE = "open a shell in which no ROS is sourced: `make ros` then builds a private Jazzy in .ros/"


def distro(environment=None):
    """The name of the sourced ROS, or None. The private one of .ros/, when its env.sh is sourced, does not count."""
    environment = os.environ if environment is None else environment
    name = environment.get("ROS_DISTRO")
    if not name or state.PREFIX in environment.get("AMENT_PREFIX_PATH", "").split(os.pathsep):
        return None
    return name


def prefixes(environment=None):
    """AMENT_PREFIX_PATH as sourced: without the messages that an earlier ros/env.sh has put in front."""
    environment = os.environ if environment is None else environment
    parts = environment.get("AMENT_PREFIX_PATH", "").split(os.pathsep)
    return [part for part in parts if part and not part.startswith(state.HOME + os.sep)]


def require_packages(name, environment=None):
    """Raises a Problem with the packages to install if the sourced ROS lacks any."""
    if name not in DISTROS:
        raise Problem("ROS_DISTRO", 'r2r does not know "{}"'.format(name), accepted=", ".join(DISTROS), hint=PRIVATE)
    found = prefixes(environment)
    if not found:
        raise Problem(
            "AMENT_PREFIX_PATH", 'empty although ROS_DISTRO is "{}"'.format(name),
            hint="source /opt/ros/{}/setup.bash".format(name))
    missing = [p for p in PACKAGES if not any(os.path.isfile(os.path.join(f, "share", p, "package.xml")) for f in found)]
    if missing:
        apt = ["ros-{}-{}".format(name, package.replace("_", "-")) for package in missing]
        raise Problem(
            "AMENT_PREFIX_PATH", "{} of {} packages missing".format(len(missing), len(PACKAGES)),
            details=["{} (apt: {})".format(*pair) for pair in zip(missing, apt)],
            hint="sudo apt install " + " ".join(apt))
    if not shutil.which("cmake"):
        raise Problem("PATH", "no cmake found", hint="sudo apt install cmake")
