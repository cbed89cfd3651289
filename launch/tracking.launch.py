"""Makes the racecar follow a trajectory: starts a plant, the tracker and a linearizer.

    ros2 launch skidpad tracking.launch.py trajectory:=figure_eight plant:=single_track tyre:=pacejka record:=out.mcap

The plant is a world of the simulator, or with plant:=ode_simulator the node single_track_simulator.
"""

import os
import runpy

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, EmitEvent, OpaqueFunction, RegisterEventHandler
from launch.event_handlers import OnProcessExit
from launch.events import Shutdown
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

SHARE = get_package_share_directory("skidpad")
SHARED = runpy.run_path(os.path.join(SHARE, "launch", "arguments.py"))
unknown, truth, number, PAUSED, pause_at_start = (SHARED[name] for name in ("unknown", "truth", "number", "PAUSED", "pause_at_start"))
TRAJECTORIES = ["line", "parabola", "circle", "figure_eight", "cycloid", "waypoints"]
LINEARIZERS = ["kinematic", "dynamic"]
ODE_SIMULATOR = "ode_simulator"
# Tyres by plant.
PLANTS = {
    "rigid_body": ["default", "linear", "fiala", "pacejka"],
    "single_track": ["default", "linear", "fiala", "pacejka"],
    "kinematic": ["default"],
    ODE_SIMULATOR: ["linear", "fiala", "fiala_unsaturated", "pacejka"],
}
# From the rear axle to P [m]: b + epsilon of config/dynamic_linearizer.yaml. The kinematic linearizer's epsilon is the tracker's own default.
POINT_DISTANCE = {"dynamic_linearizer": 0.2603}
# Options of the simulator, and their equivalents of the node that replaces it.
OF_THE_SIMULATOR = {"record": "ros2 bag record --all", "duration": "end it with Ctrl-C", "web": "look with RViz or Foxglove"}
INSTEAD_OF_PAUSED = {PAUSED.name: "active:=false lets the car wait"}

# Name, default, description.
ARGUMENTS = [
    ("trajectory", "figure_eight", "what the car follows: " + ", ".join(TRAJECTORIES) + "; or 0 to 4, as in the study"),
    ("plant", "rigid_body", "what the car is: " + ", ".join(PLANTS)),
    ("tyre", "", "law of its tyres: " + "; ".join("{}: {}".format(plant, ", ".join(tyres)) for plant, tyres in PLANTS.items()) + "; empty: the first"),
    ("linearizer", "kinematic", ", ".join(LINEARIZERS)),
    ("record", "", "MCAP file that the simulator records to; empty: none"),
    ("duration", "", "end after so many simulated seconds; empty: with Ctrl-C"),
    ("rate", "1.0", "simulated seconds per second"),
    ("web", "", "address of the viewer's page: a port, a host, HOST:PORT; empty: no viewer"),
    ("active", "", "false: the car waits for `ros2 param set /trajectory_tracker active true`; empty: as tracker_params has it"),
    ("tracker_params", "", "ROS parameters of the tracker, whose trajectory_type gives way to `trajectory`; empty: those of config/, with P where the linearizer has it"),
    ("linearizer_params", "", "ROS parameters of the linearizer; empty: those of config/"),
]


def generate_launch_description():
    declared = [DeclareLaunchArgument(name, default_value=default, description=text) for name, default, text in ARGUMENTS] + [PAUSED]
    return LaunchDescription(declared + unknown(__file__, declared) + [OpaqueFunction(function=nodes)])


def nodes(context):
    """All nodes, from the values of the arguments."""
    value = {name: LaunchConfiguration(name).perform(context) for name in [name for name, _, _ in ARGUMENTS] + [PAUSED.name]}
    trajectory = trajectory_name(value["trajectory"])
    plant = one_of("plant", value["plant"], PLANTS)
    tyre = one_of("tyre", value["tyre"] or PLANTS[plant][0], PLANTS[plant], " with plant:=" + plant)
    linearizer = one_of("linearizer", value["linearizer"], LINEARIZERS) + "_linearizer"
    tracking = {"trajectory_type": trajectory, "use_sim_time": True}
    if value["active"]:
        tracking["active"] = truth("active", value["active"])
    if not value["tracker_params"] and linearizer in POINT_DISTANCE:
        tracking["PL_distance"] = POINT_DISTANCE[linearizer]
    rate = number("rate", value["rate"], "a number greater than 0", lambda hertz: hertz > 0)
    paused = pause_at_start(value["paused"])
    tracker_params = existing("tracker_params", value["tracker_params"] or os.path.join(SHARE, "config", "trajectory_tracker.yaml"))
    linearizer_params = existing("linearizer_params", value["linearizer_params"] or os.path.join(SHARE, "config", linearizer + ".yaml"))
    if plant == ODE_SIMULATOR:
        instead = {name: hint for name, hint in OF_THE_SIMULATOR.items() if value[name]} | (INSTEAD_OF_PAUSED if paused else {})
        given = next(iter(instead), None)
        if given:
            raise RuntimeError(
                'launch argument {}: found "{}", and plant:={}\n  accepted: with the simulator\'s plants only\n  hint: {}'.format(
                    given, value[given], plant, instead[given]))
        parameters = {"tyre_model": tyre, "publish_clock": True, "rate": rate, "reference_point": "rear_axle"}
        simulator = program("single_track_simulator", [os.path.join(SHARE, "config", "single_track_simulator.yaml"), parameters])
    else:
        simulator = program("skidpad", [{"rate": rate, "preset": "racecar_gazebo"}] + paused, simulator_arguments(plant, tyre, value))
    tracker = program("trajectory_tracker", [tracker_params, tracking])
    # Without the simulator there is nothing left to do.
    ending = RegisterEventHandler(OnProcessExit(target_action=simulator, on_exit=[EmitEvent(event=Shutdown(reason="the simulator has ended"))]))
    return [simulator, program(linearizer, [linearizer_params, {"use_sim_time": True}]), tracker, ending]


def program(executable, parameters, arguments=()):
    return Node(
        package="skidpad",
        executable=executable,
        name=executable,
        arguments=list(arguments),
        parameters=parameters,
        output="screen",
        emulate_tty=True,
    )


def simulator_arguments(plant, tyre, value):
    world = os.path.join(SHARE, "worlds", "tracking.world.xml")
    arguments = ["run", world, "--set", "plant=" + plant, "--set", "tyre=" + tyre, "--headless"]
    for name in OF_THE_SIMULATOR:
        if value[name]:
            arguments += ["--" + name, value[name]]
    return arguments


def trajectory_name(text):
    """The name of a trajectory, for its name or the study's number."""
    numbers = [str(number) for number in range(5)]
    if text in numbers:
        return TRAJECTORIES[int(text)]
    return one_of("trajectory", text, TRAJECTORIES, more=", " + ", ".join(numbers))


def one_of(name, text, known, where="", more=""):
    if text not in known:
        raise RuntimeError('launch argument {}: found "{}"{}\n  accepted: {}{}'.format(name, text, where, ", ".join(known), more))
    return text


def existing(name, path):
    if not os.path.isfile(path):
        raise RuntimeError('launch argument {}: no file "{}"'.format(name, path))
    return path
