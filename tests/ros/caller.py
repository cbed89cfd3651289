"""A peer that calls whatever a running node offers, at random, in a process of its own: services, the action, parameters, topics.

caller.py DOMAIN SECONDS SEED NUMBER

Every call has to be answered, with whatever code. It prints what it did as JSON: calls by name, those without an answer, the slowest answer.
"""

import json
import math
import pathlib
import random
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

from running import ROOT, WORLDS, Peer, QoSProfile  # noqa: E402

from ackermann_msgs.msg import AckermannDriveStamped  # noqa: E402
from geometry_msgs.msg import PoseWithCovarianceStamped, Twist, TwistStamped, Vector3  # noqa: E402
from nav_msgs.msg import Odometry  # noqa: E402
from rcl_interfaces.msg import Parameter, ParameterValue  # noqa: E402
from rcl_interfaces.srv import DescribeParameters, GetParameters, ListParameters, SetParameters, SetParametersAtomically  # noqa: E402
from rclpy.action import ActionClient  # noqa: E402
from sensor_msgs.msg import LaserScan  # noqa: E402
from simulation_interfaces import action, msg, srv  # noqa: E402
from std_srvs.srv import SetBool, Trigger  # noqa: E402
from tf2_msgs.msg import TFMessage  # noqa: E402

VERSION = 2 if hasattr(srv.SpawnEntity.Request(), "entity_resource") else 1
STOPPED, PLAYING, PAUSED, QUITTING, NO_WORLD, LOADING = range(6)
# Longest wait for an answer [wall s]: loading a world and steps that others ask for come before it.
PATIENCE = 120.0
# Calls under way at a time, and those of one service: that holds ten, as ROS services do, and three peers call it.
AT_ONCE = 6
OF_ONE = 3
# Answers to others come in here too, and displace one's own where there is no room.
ROOMY = QoSProfile(depth=1000)
# Robots that this peer leaves there; it deletes its own beyond that.
ROBOTS = 8

NUMBERS = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -3.0, 1e-9, 1e-308, 1e6, -1e6, 1e18, 1e308, -1e308, math.nan, math.inf, -math.inf]
NAMES = ["", "r1", "r2", "nobody", "a b", "a-b", "~", "/", "//", "é", "x" * 300, "crate_1", "1", "r1/odom", "skidpad", "\n", "%s", "${i}", "."]
BOXES = """<block name="box"><init_pose>1 1 0</init_pose><mass>1</mass><shape><pt>0 0</pt><pt>1 0</pt><pt>1 1</pt><pt>0 1</pt></shape></block>"""
WORLD = """<mvsim_world><simul_timestep>0.005</simul_timestep><vehicle name="r1"><init_pose>0 0 0</init_pose>
    <dynamics class="differential"/></vehicle></mvsim_world>"""
TEXTS = [
    "", "nonsense", "<", "<vehicle/>", "<block", BOXES, BOXES.replace("<mass>1", "<mass>nan"), BOXES.replace("1 1 0", "1e308 0 0"), "<vehicle class=\"diffbot\"/>",
    "<vehicle class=\"diffbot\"><init_pose>0 0 0</init_pose></vehicle>", "<vehicle:class name=\"x\"/>", "<sdf version=\"1.9\"/>", "[" * 5000,
    "<block><shape_from_visual/><visual><model_uri>no/such.dae</model_uri></visual></block>", "<block>" * 300, WORLD,
    WORLD.replace("0.005", "1e-9"), WORLD.replace("0.005", "nan"), WORLD.replace("<vehicle", "<for var=\"i\" from=\"1\" to=\"20\"><vehicle").replace("</vehicle>", "</vehicle></for>"),
    WORLD.replace("<vehicle", "<include file=\"no.xml\"/><vehicle"), "<mvsim_world><element class=\"occupancy_grid\"><file>no.png</file></element></mvsim_world>",
]
URIS = ["", "diffbot", "crate", "pillar", "nobody", "vehicles/truck.vehicle.xml", "file:///no/such.xml", "/", "/dev/null", "../..", "http://127.0.0.1:1/x", "é"]
SMALL = ["empty", "two_robots", "racecar", "mud", "kinematic_bicycle", "block_push", "tracking", "rope_and_spring"]
PARAMETERS = [
    "rate", "range_noise", "cmd_timeout", "odom_rate", "clock_rate", "statistics_rate", "publish_clock", "lockstep", "lockstep_period", "lockstep_timeout",
    "lockstep_vehicles", "publish_tf", "publish_map_to_odom", "marker_rate", "marker_force_scale", "log_rate", "transform_tolerance", "odom_on_teleport",
    "publish_static_tf", "preset", "use_sim_time", "r1.controller.kp", "r1.tf_mode", "nobody.controller.kp", "", "a.b.c",
]

# Of these others would have every peer wait for as long as they say, rightly.
WAITING = {"rate": [0.0, 0.5, 1.0, 3.0, -1.0, math.nan, math.inf], "lockstep_timeout": [0.01, 0.5, -1.0, 0.0, math.nan]}
# Services that are called, those of simulation_interfaces as often as they stand here.
CALLED = [
    "SpawnEntity", "SpawnEntity", "SpawnEntity", "DeleteEntity", "DeleteEntity", "SetEntityState", "SetEntityState", "GetEntityState", "GetEntitiesStates",
    "GetEntities", "GetEntityBounds", "GetEntityInfo", "SetEntityInfo", "GetSpawnables", "GetAvailableWorlds", "GetCurrentWorld", "GetNamedPoses",
    "GetNamedPoseBounds", "GetSimulationState", "GetSimulatorFeatures", "ResetSimulation", "StepSimulation", "SetSimulationState", "SetSimulationState",
    "LoadWorld", "UnloadWorld",
]
OWN = [(SetBool, "pause"), (Trigger, "step"), (Trigger, "reset"), (SetBool, "log"), (Trigger, "log_clear")]
OF_PARAMETERS = [
    (SetParameters, "set_parameters"), (SetParametersAtomically, "set_parameters_atomically"), (GetParameters, "get_parameters"),
    (DescribeParameters, "describe_parameters"), (ListParameters, "list_parameters"),
]


def snake(name):
    """`LoadWorld` as `load_world`."""
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


class Caller:
    """The calls of a peer, and their results."""

    def __init__(self, domain, seed, number):
        self.random = random.Random(f"{seed} {number}")
        self.peer = Peer(domain, f"caller_{number}")
        self.number = number
        self.clients = {}
        self.publishers = {}
        self.waiting = []
        self.done = {}
        self.slowest = (0.0, "")
        self.robots = []
        room = {f"{part}_service_qos_profile": ROOMY for part in ("goal", "result", "cancel")}
        self.goals = ActionClient(self.peer.node, action.SimulateSteps, "/skidpad/simulate_steps", **room)
        for kind, topic in ((LaserScan, "r1/scan"), (Odometry, "r1/odom"), (TFMessage, "tf")):
            self.peer.node.create_subscription(kind, topic, lambda message: None, 10)
        for kind in sorted(set(CALLED)):
            self.client(getattr(srv, kind), snake(kind))
        for kind, name in (*OWN, *OF_PARAMETERS):
            self.client(kind, name)
        self.kinds = [(self.call_service, 30), (self.send_goal, 4), (self.set_parameters, 6), (self.publish, 12), (self.own_service, 4)]

    def choice(self, of):
        return self.random.choice(of)

    def name(self):
        return self.choice(self.robots) if self.robots and self.random.random() < 0.5 else self.choice(NAMES)

    def value_of_axis(self):
        return self.choice(NUMBERS) if self.random.random() < 0.3 else self.random.uniform(-5.0, 5.0)

    def client(self, kind, name):
        self.clients[name] = self.peer.node.create_client(kind, f"/skidpad/{name}", qos_profile=ROOMY)

    def wait(self):
        """Waits until the node is discovered and has discovered all clients: Fast DDS drops an answer without a discovered reader."""
        all_clients = (*self.clients.values(), self.goals)
        is_ready = lambda client: client.server_is_ready() if client is self.goals else client.service_is_ready()  # noqa: E731
        self.peer.spin_until(lambda: all(map(is_ready, all_clients)), PATIENCE, "the node")
        self.peer.spin_for(5.0)

    def send(self, name, request):
        if sum(call.split(" ", 1)[0] == name for _, call, _ in self.waiting) < OF_ONE:
            self.follow(f"{name} {str(request)[:400]}", self.clients[name].call_async(request))

    def follow(self, call, future):
        name = call.split(" ", 1)[0]
        self.done[name] = self.done.get(name, 0) + 1
        self.waiting.append((time.monotonic(), call, future))

    def resource(self, request, field, uris):
        text, uri = (self.choice(TEXTS), "") if self.random.random() < 0.4 else ("", self.choice(uris))
        if self.random.random() < 0.05:
            text, uri = self.choice(TEXTS), self.choice(uris)
        if VERSION == 2:
            setattr(request, field, msg.Resource(uri=uri, resource_string=text))
        else:
            request.uri, request.resource_string = uri, text

    def pose(self, stamped):
        stamped.header.frame_id = self.choice(["", "", "", "map", "world", "r1", "odom", "nobody"])
        for axis in "xyz":
            setattr(stamped.pose.position, axis, self.value_of_axis())
            setattr(stamped.pose.orientation, axis, self.value_of_axis() if self.random.random() < 0.2 else 0.0)
        stamped.pose.orientation.w = self.value_of_axis() if self.random.random() < 0.2 else 1.0

    def filters(self):
        filters = msg.EntityFilters(filter=self.choice(["", "^r", ".*", "(", "[", "(a*)*b", "x{1000}", "\\d", "é"]))
        if self.random.random() < 0.3:
            filters.categories = [msg.EntityCategory(category=self.random.randrange(256))]
        if self.random.random() < 0.3:
            filters.bounds.type = self.random.randrange(5)
            filters.bounds.points = [self.vector() for _ in range(self.random.randrange(6))]
        return filters

    def vector(self):
        return Vector3(x=self.value_of_axis(), y=self.value_of_axis(), z=self.value_of_axis())

    def call_service(self):
        kind = self.choice(CALLED)
        if kind in ("LoadWorld", "UnloadWorld") and self.random.random() < 0.7:
            kind = "SpawnEntity"
        request = getattr(srv, kind).Request()
        self.fill(kind, request)
        self.send(snake(kind), request)

    def fill(self, kind, request):
        if kind == "SpawnEntity":
            if len(self.robots) >= ROBOTS:
                # Deleted names are forgotten whether they were there or not.
                self.send("delete_entity", srv.DeleteEntity.Request(entity=self.robots.pop(0)))
            request.name = self.choice([f"p{self.number}_{self.random.randrange(20)}", self.choice(NAMES)])
            request.allow_renaming = self.random.random() < 0.3
            request.entity_namespace = self.choice(["", "", "", request.name[:200], "other", "é"])
            self.resource(request, "entity_resource", ["diffbot", "diffbot", *URIS])
            self.pose(request.initial_pose)
            self.robots.append(request.name)
        elif hasattr(request, "entity"):
            request.entity = self.name()
        if hasattr(request, "filters"):
            request.filters = self.filters()
        if kind == "SetEntityState":
            state = request.state
            self.pose(state)
            state.twist.linear, state.twist.angular, state.acceleration.linear = self.vector(), self.vector(), self.vector()
        elif kind == "ResetSimulation":
            request.scope = self.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 255])
        elif kind == "StepSimulation":
            request.steps = self.choice([0, 1, 2, 10, 100, 1000, 2**40, 2**64 - 1])
        elif kind == "SetSimulationState":
            request.state.state = self.choice([STOPPED, PLAYING, PLAYING, PLAYING, PAUSED, PAUSED, NO_WORLD, LOADING, 17, 255])
        elif kind == "LoadWorld":
            self.resource(request, "world_resource", [*(str(WORLDS / f"{name}.world.xml") for name in SMALL * 2), str(ROOT / "README.md"), *URIS])
        elif kind == "GetSpawnables":
            request.sources = [self.choice([str(WORLDS / "vehicles"), "/", "no/such", ""]) for _ in range(self.random.randrange(3))]
        elif kind == "GetAvailableWorlds":
            request.additional_sources = [self.choice([str(WORLDS), "no/such", ""]) for _ in range(self.random.randrange(3))]

    def send_goal(self):
        if not self.goals.server_is_ready():
            return
        steps = self.choice([0, 1, 3, 20, 500, 2**40])
        future = self.goals.send_goal_async(action.SimulateSteps.Goal(steps=steps))
        self.follow(f"simulate_steps {steps}", future)
        is_cancelled = self.random.random() < 0.5 or steps > 500

        def accepted(future):
            goal = future.result()
            if goal and goal.accepted:
                self.follow(f"simulate_steps/result {steps}", goal.get_result_async())
                if is_cancelled:
                    self.follow(f"simulate_steps/cancel {steps}", goal.cancel_goal_async())

        future.add_done_callback(accepted)

    def parameter(self):
        name, value = self.choice(PARAMETERS), self.value()
        if name in WAITING:
            value = ParameterValue(type=3, double_value=self.choice(WAITING[name]))
        return Parameter(name=name, value=value)

    def value(self):
        value = ParameterValue(type=self.random.randrange(1, 10))
        value.bool_value = self.random.random() < 0.5
        value.integer_value = self.choice([0, 1, -1, 20, 2**63 - 1, -2**63])
        value.double_value = self.choice([*NUMBERS, 1.0, 2.0, 20.0, 100.0])
        value.string_value = self.choice([*NAMES, "reset", "continuous", "prefixed", "both", "namespaced"])
        value.double_array_value = [1.0, math.nan]
        value.string_array_value = ["", "x"]
        return value

    def set_parameters(self):
        parameters = [self.parameter() for _ in range(self.random.randrange(1, 4))]
        names = [parameter.name for parameter in parameters]
        kind, name = self.choice(OF_PARAMETERS)
        request = kind.Request()
        if hasattr(request, "parameters"):
            request.parameters = parameters
        elif hasattr(request, "names"):
            request.names = names
        else:
            request.prefixes, request.depth = names[:1], self.choice([0, 1, 2**63])
        self.send(name, request)

    def own_service(self):
        kind, name = self.choice(OWN)
        self.send(name, kind.Request(data=self.random.random() < 0.3) if kind is SetBool else kind.Request())

    def publish(self):
        # Fast DDS takes one type for each topic of a process.
        velocity = Twist if self.number % 3 else TwistStamped
        kind, topic = self.choice([
            (velocity, "r1/cmd_vel"), (velocity, "r2/cmd_vel"), (AckermannDriveStamped, "ackermann_cmd"), (velocity, "cmd_vel"),
            (PoseWithCovarianceStamped, "initialpose"), (velocity, f"p{self.number}_1/cmd_vel"),
        ])
        if (kind, topic) not in self.publishers:
            self.publishers[kind, topic] = self.peer.publisher(kind, topic)
        message = kind()
        if kind is AckermannDriveStamped:
            message.drive.speed, message.drive.steering_angle = (max(-3e38, min(3e38, self.value_of_axis())) for _ in range(2))
        elif kind is PoseWithCovarianceStamped:
            message.pose.pose.position.x = self.value_of_axis()
        else:
            twist = message.twist if kind is TwistStamped else message
            twist.linear, twist.angular = self.vector(), self.vector()
        self.publishers[kind, topic].publish(message)
        if self.random.random() < 0.05:
            self.peer.node.destroy_publisher(self.publishers.pop((kind, topic)))

    def collect(self):
        """Takes answers; false when one is missing for too long."""
        now = time.monotonic()
        for since, call, future in self.waiting:
            if future.done() and now - since > self.slowest[0]:
                self.slowest = (now - since, call)
        self.waiting = [entry for entry in self.waiting if not entry[2].done()]
        return all(now - since < PATIENCE for since, _, _ in self.waiting)

    def run(self, seconds):
        """Calls for this long, then waits for the last answers; returns the unanswered calls."""
        kinds, weights = zip(*self.kinds)
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.collect():
            if len(self.waiting) < AT_ONCE:
                self.random.choices(kinds, weights)[0]()
            self.peer.executor.spin_once(timeout_sec=0.005)
        # An endless step is stopped by a request that any client may send.
        last_request = 0.0
        while self.waiting and self.collect():
            if time.monotonic() - last_request > 5.0:
                last_request = time.monotonic()
                self.send("set_simulation_state", srv.SetSimulationState.Request(state=msg.SimulationState(state=PLAYING)))
            self.peer.executor.spin_once(timeout_sec=0.05)
        return [call for _, call, _ in self.waiting]


def main():
    domain, seconds, seed, number = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    caller = Caller(domain, seed, number)
    caller.wait()
    unanswered = caller.run(seconds)
    said = {"calls": caller.done, "unanswered": unanswered, "slowest": caller.slowest}
    print(json.dumps(said), flush=True)
    caller.peer.close()


if __name__ == "__main__":
    main()
