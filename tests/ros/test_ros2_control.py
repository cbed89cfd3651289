"""ros2_control over topics: a peer that sends and reads joints as joint_state_topic_hardware_interface does, with the laws of a differential
and of an Ackermann controller, drives vehicles by the URDF and the parameters that skidpad writes for them."""

import math
import random
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest
import yaml
from nav_msgs.msg import Odometry
from rclpy.qos import QoSProfile, qos_profile_sensor_data
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

from conftest import BINARY, WORLDS, stamp
from installing import launch


of_joints = pytest.mark.together("joints")


def written(world, *options):
    return subprocess.run([BINARY, "urdf", world, *options], capture_output=True, text=True, check=True).stdout


class Hardware:
    """The hardware of a `<ros2_control>` tag."""

    def __init__(self, peer, world):
        self.peer, tag = peer, ElementTree.fromstring(written(world, "--ros2-control")).find("ros2_control")
        topics = {parameter.get("name"): parameter.text for parameter in tag.find("hardware").findall("param")}
        # Names with their command interfaces, in the order of the tag.
        self.joints = [(joint.get("name"), [interface.get("name") for interface in joint.findall("command_interface")]) for joint in tag.findall("joint")]
        self.commands = {}
        self.states = peer.listen(JointState, topics["joint_states_topic"], qos_profile_sensor_data)
        self.publisher = peer.publisher(JointState, topics["joint_commands_topic"], QoSProfile(depth=1))
        parameters = yaml.safe_load(written(world, "--controllers"))
        self.parameters = next(node["ros__parameters"] for name, node in parameters.items() if name != "controller_manager")
        peer.spin_until(lambda: self.states and peer.reaches(self.publisher), awaited="the simulator")

    def message(self, joints):
        """All names, and the values of the joints that have each interface; NaN where nobody has commanded one."""
        message = JointState(name=[name for name, _ in joints])
        for name, interfaces in joints:
            for interface in interfaces:
                getattr(message, interface).append(self.commands.get((name, interface), math.nan))
        return message

    def run(self, law, seconds):
        """A cycle with each state for so many simulated seconds: `law` sets the commands. Joints come in another order each time."""
        end, done, shuffled = stamp(self.states[-1]) + seconds, len(self.states), random.Random(1)
        while stamp(self.states[-1]) < end:
            self.peer.spin_until(lambda: len(self.states) > done, awaited="a state")
            done = len(self.states)
            law()
            self.publisher.publish(self.message(shuffled.sample(self.joints, len(self.joints))))

    def state(self, joint):
        """Angle and speed of a joint."""
        last = self.states[-1]
        at = last.name.index(joint)
        return last.position[at], last.velocity[at]


@pytest.fixture
def hardware(reuse, peer):
    """hardware(world) -> (Hardware, Simulator, ground truth)."""

    def start(world):
        simulator = reuse(WORLDS / f"{world}.world.xml", ("-p", "preset:=ros2_control"), rate=2.0)
        truth = peer.listen(Odometry, "ground_truth")
        hardware = Hardware(peer, world)
        peer.spin_until(lambda: truth, awaited="the truth")
        return hardware, simulator, truth

    return start


@of_joints
def test_a_differential_controller_drives_a_waffle(hardware, peer):
    waffle, simulator, truth = hardware("nav2")
    transforms = peer.listen(TFMessage, "tf")
    [left], [right] = (waffle.parameters[name] for name in ("left_wheel_names", "right_wheel_names"))
    radius, separation = waffle.parameters["wheel_radius"], waffle.parameters["wheel_separation"]
    wanted = [0.2, 0.3]

    def law():
        v, w = wanted
        waffle.commands[left, "velocity"] = (v - w * separation / 2) / radius
        waffle.commands[right, "velocity"] = (v + w * separation / 2) / radius

    waffle.run(law, 3.0)
    assert all(sorted(state.name) == sorted(name for name, _ in waffle.joints) for state in waffle.states)
    assert all(len(state.position) == len(state.velocity) == len(state.name) and not state.effort for state in waffle.states)
    times = [stamp(state) for state in waffle.states]
    assert all(0.005 < after - before for before, after in zip(times, times[1:]))
    assert waffle.state(right)[0] > 2 * math.pi, "angles do not wrap"

    def moves_as_its_wheels():
        (_, l), (_, r) = waffle.state(left), waffle.state(right)
        body = truth[-1].twist.twist
        assert l == pytest.approx(waffle.commands[left, "velocity"], rel=0.05)
        assert r == pytest.approx(waffle.commands[right, "velocity"], rel=0.05)
        assert radius * (l + r) / 2 == pytest.approx(body.linear.x, rel=0.05)
        assert radius * (r - l) / separation == pytest.approx(body.angular.z, rel=0.1)

    moves_as_its_wheels()
    # Nobody has claimed the interfaces any more: what was commanded holds.
    held = dict(waffle.commands)
    waffle.run(lambda: waffle.commands.update(dict.fromkeys(held, math.nan)), 1.0)
    waffle.commands = held
    moves_as_its_wheels()
    # A joint that is not there is told, once, and the others are driven on.
    waffle.joints.append(("gripper_joint", []))
    wanted[:] = [0.1, 0.0]
    waffle.run(law, 1.0)
    peer.spin_until(lambda: truth[-1].twist.twist.linear.x == pytest.approx(0.1, rel=0.05), awaited="the others to be driven on")
    assert "drive it" not in simulator.log, "no one message drives joints"
    peer.spin_until(lambda: 'no joint "gripper_joint"' in simulator.log, awaited="the complaint")
    assert simulator.log.count("gripper_joint") == 1, simulator.log
    # Controllers publish the transform from odom.
    assert not [transform for message in transforms for transform in message.transforms if transform.child_frame_id == "base_link"]


@of_joints
def test_an_ackermann_controller_drives_a_racecar(hardware):
    car, _, truth = hardware("racecar_gazebo")
    right, left = car.parameters["traction_joints_names"]
    hinges = car.parameters["steering_joints_names"]
    wheelbase, radius = car.parameters["wheelbase"], car.parameters["traction_wheels_radius"]
    tracks = [car.parameters[name] for name in ("traction_track_width", "steering_track_width")]
    v, curvature = 1.0, 0.5

    def law():
        for joint, side in ((right, 1), (left, -1)):
            car.commands[joint, "velocity"] = v / radius * (1 + side * curvature * tracks[0] / 2)
        for joint, side in zip(hinges, (1, -1)):
            car.commands[joint, "position"] = math.atan(wheelbase * curvature / (1 + side * curvature * tracks[1] / 2))

    before = {hinge: car.state(hinge)[0] for hinge in hinges}
    car.run(law, 2.5)
    turned = [state.position[state.name.index(hinges[0])] for state in car.states]
    commanded = car.commands[hinges[0], "position"]
    assert any(0.2 * commanded < angle < 0.8 * commanded for angle in turned), "the hinge takes its time"
    for hinge in hinges:
        angle, rate = car.state(hinge)
        assert before[hinge] == 0.0 and angle == pytest.approx(car.commands[hinge, "position"], rel=0.1) and abs(rate) < 0.1
    car.peer.spin_until(lambda: stamp(truth[-1]) >= stamp(car.states[-1]), awaited="the truth of the last state")
    body = truth[-1].twist.twist
    for joint in (right, left):
        assert car.state(joint)[1] == pytest.approx(car.commands[joint, "velocity"], rel=0.05)
    assert radius * (car.state(right)[1] + car.state(left)[1]) / 2 == pytest.approx(body.linear.x, rel=0.05)
    assert body.angular.z == pytest.approx(body.linear.x * curvature, rel=0.1)
    # The front wheels, which this controller does not claim, roll along.
    for joint, interfaces in car.joints:
        if "velocity" in interfaces and joint not in (right, left):
            assert radius * car.state(joint)[1] == pytest.approx(body.linear.x, rel=0.2)


@pytest.mark.parametrize(
    ("arguments", "namespace", "controller"),
    [
        ({"world": "racecar_gazebo"}, "", "ackermann_steering_controller"),
        ({"world": "omnidirectional", "vehicle": "mecanum"}, "/mecanum", "mecanum_drive_controller"),
    ],
)
def test_the_launch_file_starts_controllers_where_the_topics_of_the_vehicle_are(prefix, arguments, namespace, controller):
    simulator, publisher, manager, spawner = launch(prefix("skidpad"), "ros2_control", **arguments).nodes
    assert simulator["namespace"] == "" and all(node["namespace"] == namespace for node in (publisher, manager, spawner))
    tag = ElementTree.fromstring(publisher["parameters"][0]["robot_description"]).find("ros2_control/hardware")
    topics = [parameter.text for parameter in tag.findall("param") if parameter.get("name").endswith("_topic")]
    assert topics == [f"{namespace}/robot_joint_commands", f"{namespace}/robot_joint_states"]
    *started, _, file, _, remapped = spawner["arguments"]
    assert started == ["joint_state_broadcaster", controller]
    with open(file) as opened:
        assert set(yaml.safe_load(opened)) == {f"{namespace}/{name}" if namespace else name for name in ("controller_manager", controller)}
    # The controller manager warns of remappings of its own.
    assert "remappings" not in manager and f"-r ~/tf_odometry:={namespace}/tf" in remapped
    remappings = dict(publisher["remappings"])
    assert remappings.get("/tf") == (f"{namespace}/tf" if namespace else None) and (f"-r /tf:={namespace}/tf" in remapped) == bool(namespace)
