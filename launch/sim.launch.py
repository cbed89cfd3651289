"""Runs the simulator in a world, optionally with RViz.

    ros2 launch skidpad sim.launch.py world:=racecar.world.xml headless:=true
"""

import os
import runpy

import yaml
from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

SHARE = get_package_share_directory("skidpad")
SHARED = runpy.run_path(os.path.join(SHARE, "launch", "arguments.py"))
unknown, truth, number, names_and_values, refused = (SHARED[name] for name in ("unknown", "truth", "number", "names_and_values", "refused"))
follows_simulated_time, PAUSED, pause_at_start = (SHARED[name] for name in ("follows_simulated_time", "PAUSED", "pause_at_start"))
ENDING = ".world.xml"

ARGUMENTS = [
    DeclareLaunchArgument("world", description="world file or map file: a path, or the name of one in the package's worlds folder, with or without " + ENDING),
    DeclareLaunchArgument("variables", default_value="{}", description="variables of the world, which override the file: {lidar: 1}"),
    DeclareLaunchArgument("namespace", default_value="", description="namespace of the simulator node"),
    DeclareLaunchArgument("headless", default_value="false", description="true: no viewer, unless `web` asks for it"),
    DeclareLaunchArgument(
        "web", default_value="", description="address of the viewer's page: a port, a host, HOST:PORT, off; empty: 127.0.0.1:8520, or the next free port"),
    DeclareLaunchArgument("use_rviz", default_value="false", description="true: start RViz too, and publish the transform from map to odom"),
    DeclareLaunchArgument("rviz", default_value="", description="the same as use_rviz"),
    DeclareLaunchArgument(
        "rviz_config_file", default_value="single", description="configuration of RViz: a file, or one of the package: single, racecar, fleet, nav2, sensors"),
    DeclareLaunchArgument(
        "params_file", default_value=os.path.join(SHARE, "config", "sim.yaml"), description="ROS parameters of the simulator node"),
    DeclareLaunchArgument(
        "rate", default_value="", description="simulated seconds per second, or max; empty: as in the parameter file"),
    PAUSED,
    DeclareLaunchArgument(
        "stamps", default_value="", description="which time stamps have: sim, or wall for nodes without simulated time; empty: wall if use_sim_time is false"),
    DeclareLaunchArgument("parameters", default_value="{}", description="single ROS parameters, which override the file: {odom_rate: 100.0}"),
    DeclareLaunchArgument("record", default_value="", description="MCAP file to record to; empty: none"),
    DeclareLaunchArgument("csv", default_value="", description="folder for CSV logs; empty: none"),
    DeclareLaunchArgument(
        "shutdown_grace", default_value="0",
        description="how long [s] the clock goes on after Ctrl-C while other nodes subscribe to it: nodes that sleep in simulated time cannot end without it"),
    DeclareLaunchArgument(
        "use_sim_time", default_value="", description="whether RViz follows simulated time; empty: unless stamps is wall"),
]


def generate_launch_description():
    return LaunchDescription(ARGUMENTS + unknown(__file__, ARGUMENTS) + [OpaqueFunction(function=simulator), OpaqueFunction(function=viewer)])


def wants_viewer(context):
    """Whether RViz is wanted, by either of its arguments."""
    return any(LaunchConfiguration(name).perform(context).lower() in ("true", "1") for name in ("rviz", "use_rviz"))


def viewer(context):
    """RViz with one of the package's files, in the namespace of the simulator, whose topics it then finds."""
    if not wants_viewer(context):
        return []
    config = find(LaunchConfiguration("rviz_config_file").perform(context), "rviz", ".rviz", "rviz_config_file")
    namespace = LaunchConfiguration("namespace").perform(context)
    _, use_sim_time = stamps_and_time(context)
    with open(config) as file:
        shown = yaml.safe_load(file)["Visualization Manager"]
    # The files name topics as they are without a namespace.
    below = [(name, name.lstrip("/")) for name in topics_of(shown) + ["/tf", "/tf_static"]] if namespace else []
    # And frames by their usual names.
    single = names_and_values("parameters", LaunchConfiguration("parameters").perform(context), "{odom_rate: 100.0}")
    fixed = single.get("{}_frame_id".format((shown.get("Global Options") or {}).get("Fixed Frame")))
    return [
        Node(
            package="rviz2",
            executable="rviz2",
            namespace=namespace,
            arguments=["-d", config] + (["-f", str(fixed)] if fixed else []),
            remappings=below,
            parameters=[{"use_sim_time": use_sim_time}],
            output="screen",
        )
    ]


def stamps_and_time(context):
    """Which time stamps have, and whether the nodes around follow simulated time: each follows from the other where only that is given."""
    stamps, use_sim_time = (LaunchConfiguration(name).perform(context) for name in ("stamps", "use_sim_time"))
    if stamps not in ("", "sim", "wall"):
        raise refused("stamps", stamps, "sim, wall")
    if use_sim_time and truth("use_sim_time", use_sim_time) == (stamps == "wall") and stamps:
        raise RuntimeError(
            'launch argument use_sim_time: found "{}", and stamps:={}\n  accepted: true with sim, false with wall'.format(use_sim_time, stamps))
    follows = follows_simulated_time(stamps, use_sim_time)
    return stamps or ("" if follows else "wall"), follows


def topics_of(shown):
    """The absolute names of topics in what an RViz file shows."""
    entries, names = (shown.get("Displays") or []) + (shown.get("Tools") or []), set()
    while entries:
        entry = entries.pop()
        entries += entry.get("Displays") or []
        topic = entry.get("Topic")
        names.add(str((topic.get("Value") if isinstance(topic, dict) else topic) or ""))
    return sorted(name for name in names if name.startswith("/"))


def simulator(context):
    """The node, its command line made from the values of the arguments."""
    names = ("world", "namespace", "headless", "web", "params_file", "rate", "record", "csv", "parameters", "variables", "shutdown_grace", "paused")
    value = {name: LaunchConfiguration(name).perform(context) for name in names}
    arguments = ["run", find(value["world"], "worlds", ENDING, "world")]
    for name, setting in names_and_values("variables", value["variables"], "{lidar: 1}").items():
        arguments += ["--set", "{}={}".format(name, setting)]
    if value["headless"].lower() in ("true", "1"):
        arguments += ["--headless"]
    for option in ("web", "record", "csv"):
        if value[option]:
            arguments += ["--" + option, value[option]]
    if not os.path.isfile(value["params_file"]):
        raise RuntimeError('launch argument params_file: no file "{}"'.format(value["params_file"]))
    grace = number("shutdown_grace", value["shutdown_grace"])
    single = ({"shutdown_grace": grace} if grace else {}) | names_and_values("parameters", value["parameters"], "{odom_rate: 100.0}")
    # The package's own file has the defaults without a preset; given as values they would override those of the preset.
    is_own = os.path.realpath(value["params_file"]) == os.path.realpath(os.path.join(SHARE, "config", "sim.yaml"))
    files = [] if is_own and "preset" in single else [value["params_file"]]
    # Not --rate: a rate in the parameter file would override it.
    parameters = files + ([{"publish_map_to_odom": True}] if wants_viewer(context) else [])
    parameters += [{"rate": rate_parameter(value["rate"])}] if value["rate"] else []
    stamps, _ = stamps_and_time(context)
    parameters += [{"stamps": stamps}] if stamps else []
    parameters += pause_at_start(value["paused"])
    parameters += [single] if single else []
    return [
        Node(
            package="skidpad",
            executable="skidpad",
            namespace=value["namespace"],
            arguments=arguments,
            parameters=parameters,
            output="screen",
            emulate_tty=True,
            # launch is as patient, and 5 s more, as for every program.
            sigterm_timeout=str(grace + 5.0),
        )
    ]


def rate_parameter(text):
    """The parameter `rate` for the launch argument of that name; 0 stands for max."""
    return 0.0 if text == "max" else number("rate", text, "a number, max")


def find(name, folder, ending, argument):
    """The file that a launch argument names: `name` itself if there is such a file, otherwise the package's of that name."""
    folder = os.path.join(SHARE, folder)
    for path in (name, os.path.join(folder, name), os.path.join(folder, name + ending)):
        if os.path.isfile(path):
            return path
    known = sorted(entry for entry in os.listdir(folder) if entry.endswith(ending)) if os.path.isdir(folder) else []
    raise RuntimeError('launch argument {}: no file "{}"\n  accepted: a path, or one of {}'.format(argument, name, ", ".join(known)))
