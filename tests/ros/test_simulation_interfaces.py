"""The standard services and the action of simulation_interfaces, in the version that is installed: right and wrong use, with codes."""

import math
import pathlib

import pytest

interfaces = pytest.importorskip("simulation_interfaces", reason="built without simulation_interfaces")

from geometry_msgs.msg import Vector3  # noqa: E402
from rclpy.action import ActionClient  # noqa: E402
from rosgraph_msgs.msg import Clock  # noqa: E402
from simulation_interfaces import action, msg, srv  # noqa: E402

from conftest import TWO_ROBOTS, WORLDS, QoSProfile, nanoseconds  # noqa: E402

VERSION = 2 if hasattr(srv.SpawnEntity.Request(), "entity_resource") else 1
STOPPED, PLAYING, PAUSED, QUITTING, NO_WORLD, LOADING = range(6)
UNSUPPORTED, OK, NOT_FOUND, INCORRECT_STATE, FAILED = range(5)
BOX, HULL, SPHERE = 1, 2, 3
SUCCEEDED, CANCELED, ABORTED = 4, 5, 6
ONE_CRATE = """<block name="lone"> <init_pose>1 1 0</init_pose> <mass>1</mass> <shape> <pt>0 0</pt> <pt>1 0</pt> <pt>1 1</pt> <pt>0 1</pt> </shape> </block>"""
SERVICES = {
    "delete_entity": "DeleteEntity", "get_available_worlds": "GetAvailableWorlds", "get_current_world": "GetCurrentWorld",
    "get_entities": "GetEntities", "get_entities_states": "GetEntitiesStates", "get_entity_bounds": "GetEntityBounds",
    "get_entity_info": "GetEntityInfo", "get_entity_state": "GetEntityState", "get_named_pose_bounds": "GetNamedPoseBounds",
    "get_named_poses": "GetNamedPoses", "get_simulation_state": "GetSimulationState",
    "get_simulator_features": "GetSimulatorFeatures", "get_spawnables": "GetSpawnables", "load_world": "LoadWorld",
    "reset_simulation": "ResetSimulation", "set_entity_info": "SetEntityInfo", "set_entity_state": "SetEntityState",
    "set_simulation_state": "SetSimulationState", "spawn_entities": "SpawnEntities", "spawn_entity": "SpawnEntity",
    "step_simulation": "StepSimulation", "unload_world": "UnloadWorld",
}


class Control:
    """Calls the services of one simulator."""

    def __init__(self, peer, namespace="/skidpad"):
        self.peer = peer
        self.namespace = namespace
        self.clients = {}

    def send(self, service, **fields):
        """The future of a call."""
        request = getattr(srv, SERVICES[service]).Request(**fields)
        return self.client(service).call_async(request)

    def client(self, service):
        """The client of a service, once that is there."""
        if service not in self.clients:
            kind = getattr(srv, SERVICES[service])
            client = self.clients[service] = self.peer.node.create_client(kind, f"{self.namespace}/{service}")
            self.wait_for(client)
        return self.clients[service]

    def wait_for(self, client):
        """Until the client's service is there and answers to this peer arrive."""
        self.peer.spin_until(client.service_is_ready, awaited=client.srv_name)
        self.peer.introduce(client.srv_name)

    def call(self, service, **fields):
        future = self.send(service, **fields)
        self.peer.spin_until(future.done, awaited=f"the answer of {service}")
        return future.result()

    def expect(self, code, service, **fields):
        """The answer of a call that ends with this code; other than OK with a reason."""
        answer = self.call(service, **fields)
        assert answer.result.result == code, answer.result
        assert bool(answer.result.error_message) == (code != OK), answer.result
        return answer

    def state(self):
        return self.call("get_simulation_state").state.state

    def set_state(self, state, code=OK):
        return self.expect(code, "set_simulation_state", state=msg.SimulationState(state=state))

    def spawn(self, code=OK, uri="", text="", pose=None, **fields):
        if VERSION == 2:
            fields["entity_resource"] = msg.Resource(uri=uri, resource_string=text)
        else:
            fields |= {"uri": uri, "resource_string": text}
        request = srv.SpawnEntity.Request(**fields)
        place(request.initial_pose, pose or {})
        fields["initial_pose"] = request.initial_pose
        return self.expect(code, "spawn_entity", **fields).entity_name

    def load(self, code=OK, uri="", text="", **fields):
        if VERSION == 2:
            fields["world_resource"] = msg.Resource(uri=uri, resource_string=text)
        else:
            fields |= {"uri": uri, "resource_string": text}
        return self.expect(code, "load_world", **fields).world

    def names(self, code=OK, **filters):
        return self.expect(code, "get_entities", filters=msg.EntityFilters(**filters)).entities

    def where(self, name):
        return self.expect(OK, "get_entity_state", entity=name).state

    def set_entity(self, name, code=OK, frame="", position=None, yaw=0.0, twist=None, acceleration=0.0, sets_all=True):
        state = msg.EntityState()
        place(state, {"frame": frame, "position": position or (0.0, 0.0), "yaw": yaw})
        if twist is not None:
            state.twist.linear.x, state.twist.linear.y, state.twist.angular.z = twist
        state.acceleration.linear.x = acceleration
        flags = {}
        if VERSION == 2:
            flags = {"set_pose": sets_all or position is not None, "set_twist": sets_all or twist is not None, "set_acceleration": sets_all}
        return self.expect(code, "set_entity_state", entity=name, state=state, **flags)

    def clock(self):
        """Simulated time [ns] as the state of an entity has it; no stamp is 0, which means none, so the start is 1 ns."""
        states = self.expect(OK, "get_entities_states").states
        return nanoseconds(states[0].header.stamp) // 10 * 10


def place(message, pose):
    message.header.frame_id = pose.get("frame", "")
    x, y = pose.get("position", (0.0, 0.0))
    message.pose.position.x, message.pose.position.y = float(x), float(y)
    message.pose.orientation.z = math.sin(0.5 * pose.get("yaw", 0.0))
    message.pose.orientation.w = pose.get("w", math.cos(0.5 * pose.get("yaw", 0.0)))


def bounds(kind, *points):
    message = msg.Bounds(type=kind)
    for x, y, z in points:
        message.points.append(Vector3(x=float(x), y=float(y), z=float(z)))
    return message


def category(*numbers):
    return [msg.EntityCategory(category=number) for number in numbers]


@pytest.fixture
def control(reuse, peer):
    """Two robots, three crates, two pillars and four walls, stopped."""
    reuse(TWO_ROBOTS)
    control = Control(peer)
    control.set_state(STOPPED)
    return control


def test_req_s1_all_services_are_there_and_the_features_name_them(reuse, peer):
    reuse(TWO_ROBOTS)
    control = Control(peer)
    features = control.call("get_simulator_features").features
    all_features = [*range(15), *range(20, 27), 31, 32, 33, 40, 41, 43, 44, 45, 50]
    assert list(features.features) == all_features
    assert list(features.spawn_formats) == ["mvsim"] and "skidpad" in features.custom_info
    services = {f"/skidpad/{name}": [f"simulation_interfaces/srv/{kind}"] for name, kind in SERVICES.items()}
    # A peer hears of one after the other.
    offered = lambda: {name: kinds for name, kinds in peer.node.get_service_names_and_types() if name in services}  # noqa: E731
    peer.spin_until(lambda: offered().keys() == services.keys(), awaited="all services")
    assert offered() == services


@pytest.mark.parametrize("given, namespace", [("''", ""), ("/sim/one", "/sim/one"), ("sim", "/sim")])
def test_req_s1_the_parameter_sets_the_namespace_of_the_services_and_quitting_ends_the_process(simulate, peer, given, namespace):
    simulator = simulate(TWO_ROBOTS, ["-p", f"simulation_interfaces_namespace:={given}"])
    control = Control(peer, namespace)
    assert control.state() == PLAYING
    control.set_state(QUITTING)
    assert simulator.wait() == 0
    assert "simulated" in simulator.log


def test_req_s1_states_and_their_transitions(control, peer):
    clock = peer.listen(Clock, "/clock")
    assert control.state() == STOPPED
    assert control.clock() == 0
    control.set_state(STOPPED, 101)
    control.set_state(PAUSED, 103)
    for state in (NO_WORLD, LOADING, 17):
        control.set_state(state, 103)
    control.set_state(PLAYING)
    control.set_state(PLAYING, 101)
    assert control.state() == PLAYING
    # A message of before the stop may still be on its way.
    peer.spin_until(lambda: clock and clock[-1].clock.nanosec > 1 and control.clock() > 0, awaited="time to go on")
    control.set_state(PAUSED)
    control.set_state(PAUSED, 101)
    paused = control.clock()
    peer.spin_for(0.3)
    assert control.state() == PAUSED and control.clock() == paused > 0
    control.set_state(STOPPED)
    assert (control.state(), control.clock()) == (STOPPED, 0)


def test_req_s1_resets_have_scopes(control):
    control.set_entity("crate_1", position=(2.0, 2.0))
    control.spawn(uri="crate", name="extra", pose={"position": (-1.0, 3.0)})
    control.expect(OK, "delete_entity", entity="crate_3")
    control.expect(OK, "step_simulation", steps=10)
    time = control.clock()
    assert time > 0 and control.state() == PAUSED

    control.expect(OK, "reset_simulation", scope=srv.ResetSimulation.Request.SCOPE_STATE)
    assert control.clock() == time and control.where("crate_1").pose.position.x == -1.5
    assert "extra" in control.names() and "crate_3" not in control.names()

    control.set_entity("crate_1", position=(2.0, 2.0))
    control.expect(OK, "reset_simulation", scope=srv.ResetSimulation.Request.SCOPE_SPAWNED)
    assert control.clock() == time and control.where("crate_1").pose.position.x == 2.0
    assert "extra" not in control.names() and "crate_3" in control.names()

    control.expect(OK, "reset_simulation", scope=srv.ResetSimulation.Request.SCOPE_TIME)
    assert control.clock() == 0 and control.where("crate_1").pose.position.x == 2.0
    control.expect(OK, "reset_simulation", scope=srv.ResetSimulation.Request.SCOPE_DEFAULT)
    assert control.where("crate_1").pose.position.x == -1.5
    refused = control.expect(FAILED, "reset_simulation", scope=8)
    assert "accepted: 0 or 255 everything" in refused.result.error_message


def test_req_s1_steps_are_counted_and_need_a_pause(control):
    control.expect(OK, "step_simulation")
    assert control.clock() == 5_000_000
    control.expect(OK, "step_simulation", steps=199)
    assert control.clock() == 1_000_000_000
    control.expect(FAILED, "step_simulation", steps=0)
    control.set_state(PLAYING)
    refused = control.expect(FAILED, "step_simulation", steps=1)
    assert "pause" in refused.result.error_message


def test_req_s1_endless_stepping_blocks_no_other_caller(control):
    endless = control.send("step_simulation", steps=2**60)
    assert control.names(filter="^r1$") == ["r1"]
    refused = control.expect(FAILED, "step_simulation", steps=1)
    assert "another caller" in refused.result.error_message
    control.set_state(PLAYING)
    control.peer.spin_until(endless.done, awaited="the end of the stepping")
    assert endless.result().result.result == FAILED and "after" in endless.result().result.error_message
    control.set_state(PAUSED)
    control.expect(OK, "step_simulation", steps=1)


def pursue(control, steps, cancel_after=None):
    """Status, result and feedback of a goal."""
    client = ActionClient(control.peer.node, action.SimulateSteps, f"{control.namespace}/simulate_steps")
    control.peer.spin_until(client.server_is_ready, awaited="the action")
    # rclpy's client hands no feedback on that it reads after the result, so it is listened to directly.
    feedback = control.peer.listen(action.SimulateSteps.Impl.FeedbackMessage, f"{control.namespace}/simulate_steps/_action/feedback")
    control.peer.spin_for(0.2)
    sent = client.send_goal_async(action.SimulateSteps.Goal(steps=steps))
    control.peer.spin_until(sent.done, awaited="the goal to be accepted")
    goal = sent.result()
    assert goal.accepted
    result = goal.get_result_async()
    if cancel_after is not None:
        control.peer.spin_until(lambda: len(feedback) >= cancel_after, awaited="feedback")
        cancelled = goal.cancel_goal_async()
        control.peer.spin_until(cancelled.done, awaited="the answer to the cancel")
        assert len(cancelled.result().goals_canceling) == 1
    control.peer.spin_until(result.done, awaited="the result")
    status, code = result.result().status, result.result().result.result
    if status == SUCCEEDED:
        control.peer.spin_until(lambda: feedback and feedback[-1].feedback.remaining_steps == 0, awaited="the last feedback")
    client.destroy()
    return status, code, [(message.feedback.completed_steps, message.feedback.remaining_steps) for message in feedback]


def test_req_s1_simulate_steps_gives_feedback_for_every_step(control):
    status, result, heard = pursue(control, 5)
    assert (status, result.result) == (SUCCEEDED, OK)
    assert heard == [(1, 4), (2, 3), (3, 2), (4, 1), (5, 0)]
    assert control.clock() == 25_000_000
    for steps, prepare in [(0, lambda: None), (5, lambda: control.set_state(PLAYING))]:
        prepare()
        status, result, heard = pursue(control, steps)
        assert (status, result.result, heard) == (ABORTED, FAILED, []) and result.error_message


def test_req_s1_simulate_steps_can_be_cancelled(control):
    status, result, heard = pursue(control, 2**60, cancel_after=3)
    assert (status, result.result) == (CANCELED, OK)
    time = control.clock()
    control.peer.spin_for(0.2)
    assert control.clock() == time and control.state() == PAUSED
    control.expect(OK, "step_simulation", steps=1)


#: Calls that are sent at once, without waiting for an answer.
CROWD = 300
#: With room for them on the caller's side, whose queues of ten a busy machine may overrun.
ROOMY = QoSProfile(depth=CROWD)


def test_three_hundred_goals_at_once_are_all_answered(control):
    client = ActionClient(control.peer.node, action.SimulateSteps, f"{control.namespace}/simulate_steps", goal_service_qos_profile=ROOMY, result_service_qos_profile=ROOMY)
    control.peer.spin_until(client.server_is_ready, awaited="the action")
    sent = [client.send_goal_async(action.SimulateSteps.Goal(steps=1)) for _ in range(CROWD)]
    control.peer.spin_until(lambda: all(future.done() for future in sent), awaited="every answer")
    goals = [future.result() for future in sent]
    assert all(goal.accepted for goal in goals)
    results = [goal.get_result_async() for goal in goals]
    control.peer.spin_until(lambda: all(future.done() for future in results), awaited="every result")
    ended = [future.result() for future in results]
    assert {future.status for future in ended} <= {SUCCEEDED, ABORTED} and any(future.status == SUCCEEDED for future in ended)
    assert all(future.result.result.error_message for future in ended if future.status == ABORTED)
    client.destroy()


@pytest.mark.parametrize("service", ["step_simulation", "get_entities", "spawn_entity", "get_simulation_state"])
def test_three_hundred_calls_at_once_are_all_answered(control, service):
    fields = {"step_simulation": {"steps": 1}, "spawn_entity": {"name": "x", "allow_renaming": True}}.get(service, {})
    kind = getattr(srv, SERVICES[service])
    control.clients[service] = control.peer.node.create_client(kind, f"{control.namespace}/{service}", qos_profile=ROOMY)
    control.wait_for(control.clients[service])
    sent = [control.send(service, **fields) for _ in range(CROWD)]
    control.peer.spin_until(lambda: all(future.done() for future in sent), awaited="every answer")
    # Done, or refused with the reason.
    assert all(future.result().result.result == OK or future.result().result.error_message for future in sent)


def test_a_nul_quoted_in_an_error_is_replaced_and_the_node_survives(control, tmp_path):
    (tmp_path / "cloud.txt").write_bytes(b"a\0b c\n1 2 3\n")
    world = tmp_path / "nul.world.xml"
    world.write_text(
        '<mvsim_world version="1.0"><element class="pointcloud"><file_txt_3d>cloud.txt</file_txt_3d></element></mvsim_world>'
    )
    before = control.state(), control.names()
    for _ in range(2):
        answer = control.call("load_world", **({"world_resource": msg.Resource(uri=str(world))} if VERSION == 2 else {"uri": str(world)}))
        assert answer.result.result != OK and answer.result.error_message and "\0" not in answer.result.error_message
    # Everything is as it was, and every service still answers.
    assert (control.state(), control.names()) == before
    control.expect(OK, "step_simulation", steps=1)


def test_req_s1_spawning_classes_files_and_texts(control):
    assert control.spawn(uri="diffbot", name="r3", pose={"position": (1.0, 3.0), "yaw": 1.0}) == "r3"
    at = control.where("r3").pose
    assert (at.position.x, at.position.y) == (1.0, 3.0) and math.isclose(at.orientation.z, math.sin(0.5))
    beside = {"frame": "r3", "position": (0.0, 1.0)}
    assert control.spawn(text=ONE_CRATE, pose=beside) == "lone"
    assert math.isclose(control.where("lone").pose.position.x, 1.0 - math.sin(1.0))
    uri = (WORLDS / "vehicles" / "diffbot.vehicle.xml").as_uri()
    assert control.spawn(uri=uri, name="r4", entity_namespace="/r4", pose={"position": (-2.0, 3.0)}) == "r4"
    assert control.spawn(uri="crate", name="r4", allow_renaming=True) == "r4_2"
    unnamed = control.spawn(uri="crate", allow_renaming=True)
    assert {"r3", "lone", "r4", "r4_2", unnamed} <= set(control.names())


def test_req_s1_failed_spawns_are_explained(control, tmp_path):
    before = control.names()
    control.spawn(101, uri="crate", name="r1")
    control.spawn(102, uri="crate", name="")
    control.spawn(102, uri="crate", name="a\nb")
    control.spawn(102, uri="crate", name="x" * 300)
    # Sensors whose topics could not have their names.
    for names in (["tf"], ["clock"], ["base_link"], ["laser%{NAME}"], ["x" * 300], ["a b", "a_b"]):
        sensors = "".join(f'<sensor class="laser" name="{name}"/>' for name in names)
        control.spawn(106, name="new", text=f'<vehicle name="v"><dynamics class="differential"/>{sensors}</vehicle>')
    assert "new" not in control.names()
    for uri, text in [("model://sun", ""), ("/tmp/a.sdf", ""), ("", "<sdf/>"), ("", "no XML")]:
        control.spawn(103, uri=uri, text=text, name="n")
    control.spawn(104, name="n")
    control.spawn(104, uri="crat", name="n")
    control.spawn(104, uri="file:///no/such.vehicle.xml", name="n")
    control.spawn(105, uri="crate", name="n", entity_namespace="1 2")
    control.spawn(105, uri="diffbot", name="n", entity_namespace="m")
    control.spawn(106, text="<block><mass>much</mass></block>", name="n")
    control.spawn(109, uri="crate", name="n", pose={"w": 0.0})
    control.spawn(109, uri="crate", name="n", pose={"position": (math.nan, 0.0)})
    control.spawn(109, uri="crate", name="n", pose={"frame": "nowhere"})
    assert control.names() == before


def test_req_s1_one_failed_spawn_of_several_does_not_affect_the_others(control):
    def wanted(name, uri):
        request = msg.SpawnEntity(name=name, entity_resource=msg.Resource(uri=uri))
        request.initial_pose.pose.orientation.w = 1.0
        return request

    answer = control.expect(OK, "spawn_entities", spawn_requests=[wanted("a", "crate"), wanted("b", "crate")])
    assert [result.entity_name for result in answer.results] == ["a", "b"]
    answer = control.expect(150, "spawn_entities", spawn_requests=[wanted("a", "crate"), wanted("c", "crate")])
    assert [result.result.result for result in answer.results] == [101, OK]
    assert control.names(filter="^[abc]$") == ["a", "b", "c"]
    control.expect(OK, "spawn_entities", spawn_requests=[])


def test_req_s1_deleting(control):
    control.expect(OK, "delete_entity", entity="r2")
    control.expect(OK, "delete_entity", entity="pillar_1")
    assert not {"r2", "pillar_1"} & set(control.names())
    control.expect(NOT_FOUND, "delete_entity", entity="r2")
    refused = control.expect(NOT_FOUND, "delete_entity", entity="crat_1")
    assert 'did you mean "crate_1"?' in refused.result.error_message
    control.expect(OK, "step_simulation", steps=10)


def test_req_s1_entities_are_filtered(control):
    all_names = control.names()
    assert len(all_names) == 11 and all_names[:2] == ["r1", "r2"]
    assert control.names(filter="^r[[:digit:]]$") == ["r1", "r2"]
    assert control.names(filter="crate_(1|3)") == ["crate_1", "crate_3"]
    control.names(FAILED, filter="(")
    assert control.names(categories=category(1)) == ["r1", "r2"]
    assert len(control.names(categories=category(4, 5))) == 9
    control.names(FAILED, categories=category(3))
    assert control.names(tags=msg.TagsFilter(tags=["diffbot", "movable"], filter_mode=0), filter="1$") == ["r1", "crate_1"]
    assert control.names(tags=msg.TagsFilter(tags=["block", "movable"], filter_mode=1)) == ["crate_1", "crate_2", "crate_3"]
    control.names(FAILED, tags=msg.TagsFilter(filter_mode=9))
    assert control.names(bounds=bounds(SPHERE, (-1.0, 0.0, 0.2), (0.31, 0, 0))) == ["crate_1"]
    assert control.names(bounds=bounds(SPHERE, (-1.0, 0.0, 0.2), (0.29, 0, 0))) == []
    assert control.names(bounds=bounds(BOX, (3.0, 1.0, 1.0), (1.0, 0.0, 0.0)), filter="crate") == ["crate_2"]
    triangle = bounds(HULL, (-4, -1, 0), (-4, 1, 0), (-1.6, 0, 0))
    assert control.names(bounds=triangle) == ["r1", "crate_1"]
    control.names(FAILED, bounds=bounds(BOX, (0, 0, 0)))
    control.names(UNSUPPORTED, bounds=bounds(4))


def test_req_s1_states_are_true_and_can_be_set(control):
    robot = control.where("r2")
    assert robot.header.frame_id == "map" and (robot.pose.position.x, robot.pose.position.y) == (3.5, 0.5)
    control.set_entity("r1", position=(2.0, -1.0), yaw=math.pi / 2, twist=(0.0, 0.4, 0.0))
    after = control.where("r1")
    assert (after.pose.position.x, after.pose.position.y) == (2.0, -1.0)
    assert math.isclose(after.twist.linear.y, 0.4) and abs(after.twist.linear.x) < 1e-9
    control.set_entity("crate_1", position=(-1.0, 0.0), twist=(1.0, 0.0, 0.5))
    control.expect(OK, "step_simulation", steps=10)
    thrown = control.where("crate_1")
    assert -1.0 < thrown.pose.position.x < -0.94 and 0.5 < thrown.twist.linear.x < 1.0
    control.set_entity("crate_2", frame="r1", position=(1.0, 0.0))
    ahead, robot = control.where("crate_2").pose.position, control.where("r1").pose.position
    assert math.isclose(ahead.y - robot.y, 1.0, abs_tol=1e-3) and math.isclose(ahead.x, robot.x, abs_tol=1e-3)
    answer = control.expect(OK, "get_entities_states", filters=msg.EntityFilters(filter="^crate"))
    assert list(answer.entities) == ["crate_1", "crate_2", "crate_3"] and answer.states[0] == thrown


def test_req_s1_states_that_cannot_be_are_refused(control):
    control.expect(NOT_FOUND, "get_entity_state", entity="nobody")
    control.set_entity("nobody", NOT_FOUND)
    control.set_entity("r1", 101, frame="nowhere")
    control.set_entity("r1", 101, position=(math.inf, 0.0))
    if VERSION == 2:
        control.set_entity("crate_1", FAILED, twist=(math.nan, 0.0, 0.0), sets_all=False)
    control.set_entity("pillar_1", FAILED, twist=(1.0, 0.0, 0.0))
    control.set_entity("pillar_1", FAILED, acceleration=1.0)
    assert control.where("r1").pose.position.x == -3.5


@pytest.mark.skipif(VERSION < 2, reason="version 1 sets states as a whole")
def test_req_s1_version_2_sets_parts_of_a_state(control):
    control.set_entity("r1", twist=(0.3, 0.0, 0.0), sets_all=False)
    state = control.where("r1")
    assert state.pose.position.x == -3.5 and math.isclose(state.twist.linear.x, 0.3)
    control.set_entity("r1", position=(-2.0, 1.0), sets_all=False)
    state = control.where("r1")
    assert state.pose.position.x == -2.0 and math.isclose(state.twist.linear.x, 0.3)


def test_req_s1_information_about_entities(control):
    info = control.expect(OK, "get_entity_info", entity="r1").info
    assert info.category.category == 1 and list(info.tags) == ["vehicle", "diffbot", "differential"]
    assert control.expect(OK, "get_entity_info", entity="crate_1").info.category.category == 4
    assert control.expect(OK, "get_entity_info", entity="pillar_1").info.category.category == 5
    human = msg.EntityInfo(category=msg.EntityCategory(category=2), description="in a costume", tags=["slow"])
    control.expect(OK, "set_entity_info", entity="r1", info=human)
    assert control.expect(OK, "get_entity_info", entity="r1").info == human
    assert control.names(categories=category(2)) == ["r1"] == control.names(tags=msg.TagsFilter(tags=["slow"]))
    human.category.category = 3
    control.expect(FAILED, "set_entity_info", entity="r1", info=human)
    control.expect(NOT_FOUND, "set_entity_info", entity="nobody", info=msg.EntityInfo())
    control.expect(NOT_FOUND, "get_entity_info", entity="nobody")


def test_req_s1_bounds_poses_and_spawnables(control):
    box = control.expect(OK, "get_entity_bounds", entity="crate_2").bounds
    assert box.type == BOX
    high, low = box.points
    assert (high.x, high.y, high.z, low.x, low.y, low.z) == (0.2, 0.2, 0.4, -0.2, -0.2, 0.0)
    control.expect(NOT_FOUND, "get_entity_bounds", entity="nobody")

    control.set_entity("r1", position=(0.0, 0.0))
    poses = control.expect(OK, "get_named_poses").poses
    assert [(pose.name, pose.pose.position.x) for pose in poses] == [("r1", -3.5), ("r2", 3.5)]
    assert not control.expect(OK, "get_named_poses", tags=msg.TagsFilter(tags=["parking"])).poses
    control.expect(FAILED, "get_named_poses", tags=msg.TagsFilter(filter_mode=2))
    assert control.expect(OK, "get_named_pose_bounds", name="r2").bounds.type == BOX
    control.expect(NOT_FOUND, "get_named_pose_bounds", name="nowhere")

    uri = lambda spawnable: spawnable.entity_resource.uri if VERSION == 2 else spawnable.uri
    classes = control.expect(OK, "get_spawnables").spawnables
    assert [uri(spawnable) for spawnable in classes] == ["diffbot", "crate", "pillar"] and all(spawnable.description for spawnable in classes)
    more = control.expect(OK, "get_spawnables", sources=[str(WORLDS / "blocks")]).spawnables
    assert uri(more[-1]).endswith("cone.block.xml")
    assert control.spawn(uri=uri(more[-1]), name="a_cone") == "a_cone"
    control.expect(NOT_FOUND, "get_spawnables", sources=["/no/such/folder"])


def test_req_s1_worlds_are_listed_loaded_and_unloaded(simulate, peer, tmp_path):
    # Its own, which reads no folder but that of its world.
    simulate(TWO_ROBOTS)
    control = Control(peer)
    control.set_state(STOPPED)
    current = control.expect(OK, "get_current_world").world
    assert current.name == "two_robots" and current.world_resource.uri == TWO_ROBOTS.resolve().as_uri()
    worlds = {world.name: world for world in control.expect(OK, "get_available_worlds").worlds}
    assert {"racecar", "two_robots", "empty"} <= set(worlds) and "racecar" in worlds["racecar"].description.lower()
    listed = control.expect(OK, "get_available_worlds", additional_sources=[str(TWO_ROBOTS)]).worlds
    assert listed[-1].name == "two_robots" and len(listed) == len(worlds) + 1
    control.expect(FAILED, "get_available_worlds", additional_sources=[str(tmp_path)])
    control.expect(FAILED, "get_available_worlds", additional_sources=["http://x"])
    control.expect(OK, "get_available_worlds", additional_sources=["http://x"], continue_on_error=True)
    control.expect(UNSUPPORTED, "get_available_worlds", filter=msg.TagsFilter(tags=["indoor"]))

    loaded = control.load(uri=worlds["racecar"].world_resource.uri)
    assert loaded.name == "racecar" == control.expect(OK, "get_current_world").world.name
    assert (control.state(), control.names()) == (STOPPED, ["racecar"])
    control.expect(OK, "step_simulation", steps=100)
    control.set_state(PLAYING)
    text = control.load(text='<mvsim_world version="1.0">' + ONE_CRATE + "</mvsim_world>")
    assert text.world_resource.resource_string and control.names() == ["lone"]

    control.expect(OK, "unload_world")
    assert control.state() == NO_WORLD and control.names() == []
    control.expect(101, "unload_world")
    control.expect(101, "get_current_world")
    control.set_state(PLAYING, 103)
    control.expect(INCORRECT_STATE, "reset_simulation")
    control.expect(INCORRECT_STATE, "step_simulation", steps=1)
    control.expect(INCORRECT_STATE, "get_spawnables")
    control.spawn(INCORRECT_STATE, text=ONE_CRATE)
    control.expect(INCORRECT_STATE, "delete_entity", entity="r1")
    assert not control.expect(OK, "get_named_poses").poses
    control.load(uri="two_robots")
    assert control.state() == STOPPED and "r1" in control.names()


def test_req_s1_a_world_that_cannot_be_loaded_leaves_the_one_that_is(control, tmp_path):
    control.set_state(PLAYING)
    before = control.names()
    for uri in ("https://x/y.world.xml", "/tmp/x.sdf", "a.usd"):
        control.load(101, uri=uri)
    control.load(101, text="<sdf/>")
    control.load(102)
    control.load(NOT_FOUND, uri="file:///no/such.world.xml")
    refused = control.expect(NOT_FOUND, "load_world", **({"uri": "race_car"} if VERSION == 1 else {"world_resource": msg.Resource(uri="race_car")}))
    assert 'did you mean "racecar"?' in refused.result.error_message
    control.load(103, text='<mvsim_world version="1.0"><block><mass>x</mass></block></mvsim_world>')
    shape = "<init_pose>1 1 0</init_pose> <shape> <pt>0 0</pt> <pt>1 0</pt> <pt>1 1</pt> </shape>"
    visual = "<visual> <model_uri>no_such.obj</model_uri> </visual>"
    lacking = f'<mvsim_world version="1.0"><block name="b"> <mass>1</mass> {shape} {visual} </block></mvsim_world>'
    control.load(104, text=lacking)
    unknown = f'<mvsim_world version="1.0"><block name="b"> <mass>1</mass> {shape} <colour>red</colour> </block></mvsim_world>'
    control.load(106, text=unknown, fail_on_unsupported_element=True)
    assert (control.state(), control.names()) == (PLAYING, before)
    control.load(text=lacking, ignore_missing_or_unsupported_assets=True)
    control.load(text=unknown)
    assert control.names() == ["b"]


def resident(process):
    """Memory of a process [kB]."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def throw_and_step(control):
    """The states of everything after crates were thrown about for half a second."""
    control.set_state(STOPPED, OK if control.state() != STOPPED else 101)
    control.set_entity("crate_1", position=(-1.5, 0.0), twist=(3.0, 0.2, 1.0))
    control.set_entity("r1", position=(-3.5, 0.0), twist=(1.0, 0.0, 0.3))
    control.expect(OK, "step_simulation", steps=100)
    return control.expect(OK, "get_entities_states")


@pytest.mark.long
def test_req_s1_a_thousand_spawned_and_deleted_leave_nothing_behind(reuse, peer):
    simulator = reuse(TWO_ROBOTS)
    control = Control(peer)
    first = throw_and_step(control)

    def wanted(number):
        request = msg.SpawnEntity(name=f"n{number}", entity_resource=msg.Resource(uri="diffbot" if number % 25 == 0 else "crate"))
        request.initial_pose.pose.position.x, request.initial_pose.pose.position.y = 0.4 * (number % 7), -3.0
        return request

    memory = []
    for batch in range(20):
        numbers = range(50 * batch, 50 * batch + 50)
        control.expect(OK, "spawn_entities", spawn_requests=[wanted(number) for number in numbers])
        if batch % 5 == 0:
            control.expect(OK, "step_simulation", steps=2)
        # As many calls at a time as the queue of a service holds by default.
        for start in range(0, 50, 10):
            deleted = [control.send("delete_entity", entity=f"n{number}") for number in numbers[start : start + 10]]
            peer.spin_until(lambda: all(future.done() for future in deleted), awaited="ten to be deleted")
            assert all(future.result().result.result == OK for future in deleted)
        memory.append(resident(simulator.process))
    assert len(control.names()) == 11
    # What the allocator keeps of the first ones is used again by those after them.
    assert memory[-1] - memory[9] < 6_000, memory

    control.set_state(PLAYING)
    again = throw_and_step(control)
    assert again.entities == first.entities and again.states == first.states
