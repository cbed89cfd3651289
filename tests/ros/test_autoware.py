"""The preset that stands in for Autoware's planning simulator: a peer that commands and reads as Autoware does, on one of Autoware's models, whose
published equations are integrated here, and on a car with tyres."""

import math
import sys

import pytest

pytest.importorskip("autoware_control_msgs", reason="built without the messages of Autoware")
pytest.importorskip("autoware_vehicle_msgs", reason="built without the messages of Autoware")

from autoware_control_msgs.msg import Control  # noqa: E402
from autoware_vehicle_msgs.msg import (  # noqa: E402
    ControlModeReport, GearCommand, GearReport, HazardLightsCommand, HazardLightsReport, SteeringReport, TurnIndicatorsCommand, TurnIndicatorsReport,
    VelocityReport,
)
from autoware_vehicle_msgs.srv import ControlModeCommand  # noqa: E402
from geometry_msgs.msg import AccelWithCovarianceStamped, PoseWithCovarianceStamped, TwistStamped  # noqa: E402
from nav_msgs.msg import Odometry  # noqa: E402
from rclpy.qos import QoSProfile  # noqa: E402
from sensor_msgs.msg import Imu  # noqa: E402
from tf2_msgs.msg import TFMessage  # noqa: E402

from conftest import ROOT, WORLDS, nanoseconds, seconds, stamp  # noqa: E402
from installing import launch  # noqa: E402
from reusing import ANYWHERE  # noqa: E402

sys.path.insert(0, str(ROOT / "ros" / "cli"))

from mcap_file import Reader  # noqa: E402

# As Autoware's own.
QUALITY = QoSProfile(depth=1)
TICK = 25_000_000
AT_THE_ORIGIN = (*ANYWHERE, "-p", "preset:=autoware", "-p", "initialize_source:=ORIGIN")
at_the_origin = pytest.mark.together("at the origin")
DRIVE, REVERSE, PARK = GearCommand.DRIVE, GearCommand.REVERSE, GearCommand.PARK
OUTPUTS = {
    "/localization/kinematic_state": Odometry,
    "/localization/acceleration": AccelWithCovarianceStamped,
    "/simulation/debug/localization/pose_estimator/pose_with_covariance": PoseWithCovarianceStamped,
    "/sensing/imu/imu_data": Imu,
    "/vehicle/status/velocity_status": VelocityReport,
    "/vehicle/status/steering_status": SteeringReport,
    "/vehicle/status/gear_status": GearReport,
    "/vehicle/status/control_mode": ControlModeReport,
    "/vehicle/status/turn_indicators_status": TurnIndicatorsReport,
    "/vehicle/status/hazard_lights_status": HazardLightsReport,
}


class Autoware:
    """Commands at 30 Hz what it has been set to, by the topics of one who drives, and keeps everything that it hears."""

    def __init__(self, peer):
        self.peer = peer
        self.heard = {topic: peer.listen(kind, topic) for topic, kind in OUTPUTS.items()}
        self.transforms = peer.listen(TFMessage, "/tf")
        self.states, self.velocities = self.heard["/localization/kinematic_state"], self.heard["/vehicle/status/velocity_status"]
        self.controls = [peer.publisher(Control, topic, QUALITY) for topic in ("/control/command/control_cmd", "/vehicle/command/manual_control_cmd")]
        self.gears = [peer.publisher(GearCommand, topic, QUALITY) for topic in ("/control/command/gear_cmd", "/vehicle/command/manual_gear_command")]
        self.pose = peer.publisher(PoseWithCovarianceStamped, "/initialpose3d", QUALITY)
        # Of Autoware and of a driver: acceleration, velocity, steering angle, and the gear; none: it is silent.
        self.wanted = [None, None]
        peer.node.create_timer(1 / 30, self.command)
        every = [*self.controls, *self.gears, self.pose]
        peer.spin_until(lambda: self.states and all(peer.reaches(publisher) for publisher in every), awaited="the simulator")

    def command(self):
        for wanted, control, gear in zip(self.wanted, self.controls, self.gears):
            if wanted is not None:
                acceleration, velocity, angle, number = wanted
                gear.publish(GearCommand(command=number))
                message = Control()
                message.longitudinal.acceleration, message.longitudinal.velocity, message.lateral.steering_tire_angle = acceleration, velocity, angle
                control.publish(message)

    def set_down(self, x, y, yaw):
        message = PoseWithCovarianceStamped()
        message.header.frame_id = "map"
        message.pose.pose.position.x, message.pose.pose.position.y = x, y
        message.pose.pose.orientation.z, message.pose.pose.orientation.w = math.sin(yaw / 2), math.cos(yaw / 2)
        self.pose.publish(message)

    def until(self, holds, awaited):
        """Until a state that is new satisfies `holds`."""
        known = len(self.states)
        self.peer.spin_until(lambda: len(self.states) > known and holds(self.states[-1]), awaited=awaited)

    def reported(self, topic, value):
        """Until this report comes."""
        reports = self.heard[f"/vehicle/status/{topic}"]
        self.peer.spin_until(lambda: reports and value in (getattr(reports[-1], "report", None), getattr(reports[-1], "mode", None)), awaited=f"{topic} {value}")

    def drives(self, mode):
        return self.peer.call(ControlModeCommand, "/control/control_mode_request", ControlModeCommand.Request(mode=mode)).success


def yaw(pose):
    return 2 * math.atan2(pose.orientation.z, pose.orientation.w)


def speed(state):
    return state.twist.twist.linear.x


def published(acceleration, angle, count):
    """x, y, heading, speed and steering angle after each of `count` ticks of DELAY_STEER_ACC_GEARED with the parameters of Autoware's sample vehicle,
    commanded from the first one on."""
    wheelbase, h = 2.79, 1e-9 * TICK
    x, y, heading, v, turned, a = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    states = []
    for tick in range(count):
        # Dead times of 0.1 and 0.24 s in whole ticks.
        wanted, wanted_angle = (value if tick >= late else 0.0 for value, late in ((acceleration, 4), (angle, 10)))
        rate = max(-5.0, min(5.0, (wanted_angle - turned) / 0.27))

        def slope(s):
            _, _, psi, v, delta, a = s
            return [v * math.cos(psi), v * math.sin(psi), v * math.tan(delta) / wheelbase, a, rate, (wanted - a) / 0.1]

        start = [x, y, heading, v, turned, a]
        ahead = lambda k, step: [value + step * change for value, change in zip(start, k)]  # noqa: E731
        k1 = slope(start)
        k2 = slope(ahead(k1, h / 2))
        k3 = slope(ahead(k2, h / 2))
        k4 = slope(ahead(k3, h))
        x, y, heading, v, turned, a = (
            value + h / 6 * (first + 2 * second + 2 * third + fourth) for value, first, second, third, fourth in zip(start, k1, k2, k3, k4))
        states.append((x, y, heading, v, turned))
    return states


def test_a_model_of_autowares_moves_as_published_and_reports_in_time(simulate, peer, tmp_path):
    path = tmp_path / "run.mcap"
    simulator = simulate(WORLDS / "autoware.world.xml", args=("--record", path), ros_args=("-p", "preset:=autoware"))
    autoware = Autoware(peer)
    reported = {topic: messages for topic, messages in autoware.heard.items() if "lights" not in topic and "indicators" not in topic}
    peer.spin_until(lambda: all(reported.values()), awaited="every report")
    # Nobody has set it down: commands are held, whoever drives.
    autoware.wanted[0] = (1.0, 5.0, 0.125, DRIVE)
    autoware.reported("gear_status", DRIVE)
    assert autoware.drives(ControlModeCommand.Request.MANUAL) and autoware.drives(ControlModeCommand.Request.AUTONOMOUS)
    autoware.until(lambda state: stamp(state) > stamp(autoware.states[0]) + 1.0, "a second")
    assert speed(autoware.states[-1]) == 0.0 and not autoware.heard["/vehicle/status/turn_indicators_status"]
    # Once it is, the last command is in force, even if there is no other.
    autoware.wanted[0] = None
    peer.spin_for(0.1)
    begin = len(autoware.states)
    autoware.set_down(0.0, 0.0, 0.0)
    autoware.until(lambda state: speed(state) > 4.0, "4 m/s")
    # It began with some tick; each state after it is that of the equations at its time.
    states = [state for state in autoware.states[begin:] if speed(state) > 0.0]
    expected = published(1.0, 0.125, 2000)
    first = min(range(len(expected)), key=lambda tick: abs(expected[tick][3] - speed(states[0])))
    assert len(states) > 20
    for state in states:
        x, y, heading, v, turned = expected[first + (nanoseconds(state.header.stamp) - nanoseconds(states[0].header.stamp)) // TICK]
        pose = state.pose.pose
        assert pose.position.x == pytest.approx(x, abs=1e-6) and pose.position.y == pytest.approx(y, abs=1e-6)
        assert yaw(pose) == pytest.approx(heading, abs=1e-6)
        assert speed(state) == pytest.approx(v, abs=1e-6)
        assert state.twist.twist.angular.z == pytest.approx(v * math.tan(turned) / 2.79, abs=1e-6)
    assert yaw(autoware.states[-1].pose.pose) > 0.3
    # All is sent every 25 ms, with the same stamps, in the frames of Autoware.
    for topic, messages in reported.items():
        times = [nanoseconds(message.header.stamp if hasattr(message, "header") else message.stamp) for message in messages]
        # A busy machine loses some.
        steps = sorted(after - before for before, after in zip(times, times[1:]))
        assert not any(step % TICK for step in steps) and 0 < steps[0] == steps[len(steps) // 2] == TICK, topic
        frame = {"/localization/kinematic_state": "map"}.get(topic, "map" if "pose" in topic else "base_link")
        assert not hasattr(messages[0], "header") or messages[0].header.frame_id == frame, topic
    assert {(state.header.frame_id, state.child_frame_id) for state in autoware.states} == {("map", "base_link")}
    state = autoware.states[-2]
    at = lambda topic: {  # noqa: E731
        nanoseconds(message.header.stamp if hasattr(message, "header") else message.stamp): message for message in autoware.heard[topic]
    }[nanoseconds(state.header.stamp)]
    velocity = at("/vehicle/status/velocity_status")
    assert (velocity.longitudinal_velocity, velocity.lateral_velocity) == (pytest.approx(speed(state), rel=1e-6), pytest.approx(0.0, abs=1e-9))
    assert velocity.heading_rate == pytest.approx(state.twist.twist.angular.z, rel=1e-6)
    turned = math.atan(2.79 * state.twist.twist.angular.z / speed(state))
    assert at("/vehicle/status/steering_status").steering_tire_angle == pytest.approx(turned, abs=1e-6)
    assert at("/localization/acceleration").accel.accel.linear.x == pytest.approx(1.0, abs=1e-3)
    instants = {nanoseconds(transform.header.stamp): transform.transform.translation for message in autoware.transforms for transform in message.transforms}
    place = instants[nanoseconds(state.header.stamp)]
    assert (place.x, place.y) == (state.pose.pose.position.x, state.pose.pose.position.y)
    assert {(transform.header.frame_id, transform.child_frame_id) for message in autoware.transforms for transform in message.transforms} == {("map", "base_link")}
    # The lamps are reported as they are commanded.
    lamps = (TurnIndicatorsCommand, "turn_indicators", TurnIndicatorsCommand.ENABLE_LEFT), (HazardLightsCommand, "hazard_lights", HazardLightsCommand.ENABLE)
    for kind, name, command in lamps:
        publisher = peer.publisher(kind, f"/control/command/{name}_cmd", QUALITY)
        peer.spin_until(lambda: peer.reaches(publisher), awaited=name)
        publisher.publish(kind(command=command))
        autoware.reported(f"{name}_status", command)
    simulator.stop()
    # The recording has the same topics, and describes their types.
    reader = Reader(str(path))
    recorded = {reader.topics[channel][0] for channel, _, _ in reader.messages()}
    assert set(OUTPUTS) <= recorded, set(OUTPUTS) - recorded


@at_the_origin
def test_gears_modes_and_poses_are_those_of_autowares_simulator(reuse, peer):
    reuse(WORLDS / "autoware.world.xml", AT_THE_ORIGIN, rate=2.0)
    autoware = Autoware(peer)
    autoware.wanted[0] = (2.0, 5.0, 0.0, DRIVE)
    autoware.until(lambda state: speed(state) > 2.0, "2 m/s")
    # Another gear stops it at once.
    autoware.wanted[0] = (2.0, 5.0, 0.0, REVERSE)
    autoware.until(lambda state: speed(state) < -1.0, "backwards")
    before = next(index for index, state in enumerate(autoware.states) if speed(state) == 0.0 and speed(autoware.states[index - 1]) > 2.0)
    assert autoware.states[before].pose == autoware.states[before - 1].pose
    peer.spin_until(lambda: autoware.velocities[-1].longitudinal_velocity < -1.0, awaited="the report")
    autoware.reported("gear_status", REVERSE)
    # A negative acceleration brakes it, and does not drive it on.
    autoware.wanted[0] = (-2.0, 0.0, 0.0, REVERSE)
    autoware.until(lambda state: speed(state) == 0.0, "a stand")
    at = stamp(autoware.states[-1])
    autoware.until(lambda state: stamp(state) > at + 0.5, "half a second")
    assert speed(autoware.states[-1]) == 0.0
    # A driver: in park at first, then with a gear and a control of its own.
    autoware.wanted[0] = (2.0, 5.0, 0.0, DRIVE)
    autoware.until(lambda state: speed(state) > 1.0, "1 m/s")
    assert autoware.drives(ControlModeCommand.Request.MANUAL)
    autoware.reported("control_mode", ControlModeReport.MANUAL)
    autoware.reported("gear_status", PARK)
    autoware.until(lambda state: speed(state) == 0.0, "a stand")
    autoware.wanted = [(-7.0, 0.0, 0.0, PARK), (1.0, 0.0, 0.25, DRIVE)]
    autoware.until(lambda state: speed(state) > 1.0 and state.twist.twist.angular.z > 0.05, "a driver's turn")
    for refused in (0, 2, 3, 9):
        assert not autoware.drives(refused)
    assert autoware.drives(ControlModeCommand.Request.AUTONOMOUS)
    autoware.reported("control_mode", ControlModeReport.AUTONOMOUS)
    autoware.until(lambda state: speed(state) == 0.0, "a stand")
    # A pose puts it there, at rest and straight ahead.
    autoware.wanted = [None, None]
    autoware.set_down(10.0, -5.0, 1.0)
    autoware.until(lambda state: state.pose.pose.position.x == 10.0, "the pose")
    pose = autoware.states[-1].pose.pose
    assert (pose.position.y, yaw(pose), speed(autoware.states[-1])) == (-5.0, pytest.approx(1.0), 0.0)
    # A twist puts it there again, moving; with the gear of the last command it goes on.
    autoware.wanted[0] = (0.0, 0.0, 0.0, DRIVE)
    autoware.reported("gear_status", DRIVE)
    autoware.wanted[0] = None
    twist = peer.publisher(TwistStamped, "/simulation/input/initialtwist", QUALITY)
    peer.spin_until(lambda: peer.reaches(twist), awaited="the initial twist")
    message = TwistStamped()
    message.twist.linear.x = 3.0
    twist.publish(message)
    autoware.until(lambda state: speed(state) != 0.0, "the twist")
    state = autoware.states[-1]
    assert speed(state) == pytest.approx(3.0) and math.dist((10.0, -5.0), (state.pose.pose.position.x, state.pose.pose.position.y)) < 1.0


CAR = """<mvsim_world><include file="{worlds}/vehicles/compact_car.vehicle.xml"/>
<vehicle name="ego" class="compact_car"><init_pose>0 0 0</init_pose></vehicle></mvsim_world>"""


@at_the_origin
def test_a_car_with_tyres_follows_accelerations_too(reuse, peer, tmp_path):
    world = tmp_path / "car.world.xml"
    world.write_text(CAR.format(worlds=WORLDS))
    reuse(world, AT_THE_ORIGIN, rate=2.0)
    autoware = Autoware(peer)
    for gear, sign in ((DRIVE, 1), (REVERSE, -1)):
        autoware.wanted[0] = (1.5, sign * 20.0, 0.0, gear)
        autoware.until(lambda state: sign * speed(state) > 4.5, "4.5 m/s")
        speeds = [sign * speed(state) for state in autoware.states]
        slow = max(index for index, v in enumerate(speeds) if v < 2.0)
        fast = next(index for index in range(slow, len(speeds)) if speeds[index] > 4.0)
        took = stamp(autoware.states[fast]) - stamp(autoware.states[slow])
        assert (speeds[fast] - speeds[slow]) / took == pytest.approx(1.5, rel=0.1)
        autoware.wanted[0] = (-3.0, 0.0, 0.0, gear)
        autoware.until(lambda state: abs(speed(state)) < 0.02, "a stand")
    autoware.wanted[0] = (1.5, 3.0, 0.1, DRIVE)
    autoware.until(lambda state: speed(state) > 2.9, "the speed of the control")
    since = seconds(autoware.states[-1].header.stamp)
    autoware.until(lambda state: stamp(state) > since + 1.0, "a second")
    assert speed(autoware.states[-1]) == pytest.approx(3.0, rel=0.03)
    assert autoware.states[-1].twist.twist.linear.y != 0.0 and autoware.states[-1].twist.twist.angular.z > 0.05


def test_the_launch_file_hands_on_the_parameter_files_of_a_vehicle(prefix, tmp_path):
    model, size, other = (tmp_path / name for name in ("simulator_model.param.yaml", "vehicle_info.param.yaml", "other.yaml"))
    model.write_text("/**:\n  ros__parameters: {vehicle_model_type: DELAY_STEER_VEL, vel_lim: 20.0, model_module_paths: [], mechanical_params: {kp: 1.0}}\n")
    size.write_text("/**:\n  ros__parameters: {wheel_base: 2.5, wheel_tread: 1.5}\n")
    other.write_text("node:\n  ros__parameters: {wheel_base: 2.5}\n")
    files = {"simulator_model_param_file": str(model), "vehicle_info_param_file": str(size)}
    launched = launch(prefix("skidpad"), "autoware", **files, parameters="{wheel_base: 3.0}", initial_engage_state="false", stamps="wall")
    given = {name: value for parameters in launched.nodes[0]["parameters"] if isinstance(parameters, dict) for name, value in parameters.items()}
    expected = {
        "preset": "autoware", "initial_engage_state": False, "vehicle_model_type": "DELAY_STEER_VEL", "vel_lim": 20.0, "wheel_base": 3.0, "wheel_tread": 1.5,
        "stamps": "wall"}
    assert {name: given.get(name) for name in expected} == expected and not {"model_module_paths", "mechanical_params"} & set(given)
    with pytest.raises(RuntimeError, match="vehicle_info_param_file"):
        launch(prefix("skidpad"), "autoware", vehicle_info_param_file=str(other))
