"""What callers over the network may have the simulator read: no secrets, nothing without end, and no world that starts by itself."""

import http.server
import os
import pathlib
import threading

import pytest

pytest.importorskip("simulation_interfaces", reason="built without simulation_interfaces")

from rosgraph_msgs.msg import Clock  # noqa: E402
from std_srvs.srv import SetBool  # noqa: E402

from conftest import TWO_ROBOTS  # noqa: E402
from test_simulation_interfaces import OK, PLAYING, STOPPED, VERSION, Control, msg  # noqa: E402

FIRST_LINE = "root:tellnobody:19000"
SECRET = f"{FIRST_LINE}\nsecond: [of\nthird: three\n"
of_restricted, of_permissive = (pytest.mark.together(name) for name in ("restricted", "permissive"))
BLOCK = "<init_pose>1 1 0</init_pose> <shape> <pt>0 0</pt> <pt>1 0</pt> <pt>1 1</pt> </shape>"


def world_text(inner):
    return f'<mvsim_world version="1.0">{inner}</mvsim_world>'


def naming(path):
    """Texts of worlds that name a file in every way that there is."""
    return {
        "points": f'<element class="pointcloud"><file_txt_3d>{path}</file_txt_3d></element>',
        "heights": f'<element class="elevation_map"><dem_xyzrgb_file>{path}</dem_xyzrgb_file></element>',
        "picture": f'<element class="elevation_map"><elevation_image>{path}</elevation_image></element>',
        "map": f'<element class="occupancy_grid"><file>{path}</file></element>',
        "include": f'<include file="{path}"/>',
        "mesh": f'<block name="b"><visual><model_uri>{path}</model_uri></visual>{BLOCK}</block>',
        "package": f'<include file="package://skidpad/../../../../../../../../../../..{path}"/>',
    }


def resource(uri="", text=""):
    if VERSION == 2:
        return {"world_resource": msg.Resource(uri=uri, resource_string=text)}
    return {"uri": uri, "resource_string": text}


class Listener(http.server.ThreadingHTTPServer):
    """A server on this machine: the paths that it was asked for, and an event that lets answers to /slow go."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.requested_paths, self.go = [], threading.Event()
        self.address = f"http://127.0.0.1:{self.server_port}"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        server: Listener = self.server
        server.requested_paths.append(self.path)
        if self.path.startswith("/slow"):
            server.go.wait(30)
        self.send_response(302 if self.path.startswith("/elsewhere") else 404)
        self.send_header("Location", "/private.obj")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def listener():
    listener = Listener()
    thread = threading.Thread(target=listener.serve_forever)
    thread.start()
    yield listener
    listener.shutdown()
    listener.server_close()
    thread.join()


@pytest.fixture
def server(listener):
    """Address, paths and event of the listener."""
    listener.requested_paths.clear()
    listener.go.clear()
    yield listener.address, listener.requested_paths, listener.go
    listener.go.set()


@pytest.fixture(scope="module")
def restricted(tmp_path_factory):
    """What a simulator is started with that reads nothing else for callers, and has a secret in its environment."""
    return TWO_ROBOTS, (), (), {"SKIDPAD_TEST_SECRET": FIRST_LINE, "SKIDPAD_CACHE": str(tmp_path_factory.mktemp("cache"))}


@pytest.fixture(scope="module")
def permissive(listener, tmp_path_factory):
    """What a simulator is started with that reads folders of these tests and some addresses."""
    addresses = " ".join(f"{listener.address}/{begin}" for begin in ("models/", "elsewhere/", "slow"))
    folders = f"/no/such/folder:{tmp_path_factory.getbasetemp()}"
    return TWO_ROBOTS, ("-p", f"load_folders:={folders}", "-p", f"load_addresses:={addresses}"), (), {"SKIDPAD_CACHE": str(tmp_path_factory.mktemp("cache"))}


class Attempts:
    """Loads and spawns that are to be refused, and all that was answered."""

    def __init__(self, control):
        self.control = control
        self.answers = []

    def load(self, **source):
        answer = self.control.call("load_world", **resource(**source))
        assert answer.result.result != OK, source
        self.answers.append(answer.result.error_message)
        return answer.result.error_message

    def spawn(self, uri="", text=""):
        fields = {"entity_resource": msg.Resource(uri=uri, resource_string=text)} if VERSION == 2 else {"uri": uri, "resource_string": text}
        answer = self.control.call("spawn_entity", name="n", **fields)
        assert answer.result.result != OK, (uri, text)
        self.answers.append(answer.result.error_message)
        return answer.result.error_message


@pytest.fixture
def secret(tmp_path):
    for name in ("secret.txt", "secret.yaml", "secret.world.xml", "secret.vehicle.xml", "secret.obj"):
        (tmp_path / name).write_text(SECRET)
    return tmp_path


def assert_nothing_told(attempts, simulator):
    for text in [*attempts.answers, simulator.log]:
        for word in (FIRST_LINE, "tellnobody", "second: [of", "third: three", os.environ["HOME"] + ".d"):
            assert word not in text, text


@pytest.mark.parametrize("allowed", [pytest.param(False, marks=of_restricted), pytest.param(True, marks=of_permissive)])
def test_req_13_15_no_content_of_files_is_revealed_over_the_network(reuse, peer, secret, restricted, permissive, allowed):
    simulator = reuse(*(permissive if allowed else restricted))
    attempts = Attempts(Control(peer))
    for name in ("secret.txt", "secret.yaml", "secret.obj"):
        for kind, inner in naming(secret / name).items():
            reason = attempts.load(text=world_text(inner))
            attempts.spawn(text=f"<block>{BLOCK}{inner}</block>" if kind == "include" else inner)
            if not allowed and kind not in ("mesh", "package"):
                assert "is outside of the folders that callers over the network may name" in reason, reason
    points = attempts.load(text=world_text(naming(secret / "secret.txt")["points"]))
    if allowed:
        assert "secret.txt:1: no point" in points
    for uri in [secret / "secret.world.xml", secret / "secret.txt", f"file://{secret}/secret.yaml.xml"]:
        attempts.load(uri=str(uri))
    attempts.spawn(uri=str(secret / "secret.vehicle.xml"))
    assert_nothing_told(attempts, simulator)


@of_restricted
def test_req_13_15_forbidden_and_missing_files_look_the_same(reuse, peer, secret, restricted):
    reuse(*restricted)
    attempts = Attempts(Control(peer))
    for load in (lambda path: attempts.load(uri=str(path)), lambda path: attempts.spawn(uri=str(path))):
        forbidden, missing = load(secret / "secret.world.xml"), load(secret / "none.world.xml")
        assert forbidden.replace("secret.world.xml", "none.world.xml") == missing
    link = TWO_ROBOTS.parent / ".." / "worlds" / ".." / ".." / "etc"
    assert "outside" in attempts.load(uri=str(link / "passwd.xml"))


@of_permissive
def test_req_13_15_folders_of_the_parameter_are_listed_and_loaded_from(reuse, peer, tmp_path, permissive):
    reuse(*permissive)
    control = Control(peer)
    own = tmp_path / "own.world.xml"
    own.write_text('<mvsim_world version="1.0"/>')
    listed = control.expect(OK, "get_available_worlds", additional_sources=[str(tmp_path)]).worlds
    assert listed[-1].name == "own"
    assert control.load(uri=str(own)).name == "own"
    # By name, and by the URI that it is listed with, the worlds that skidpad finds by itself.
    assert control.load(uri="two_robots").name == "two_robots"
    racecar = next(world for world in listed if world.name == "racecar")
    assert control.load(uri=racecar.world_resource.uri).name == "racecar"
    Attempts(control).load(uri=str(TWO_ROBOTS.parent / "vehicles" / "diffbot.vehicle.xml"))


@of_restricted
def test_req_13_15_texts_of_callers_see_no_environment_and_run_nothing(reuse, peer, tmp_path, restricted):
    simulator = reuse(*restricted)
    attempts = Attempts(Control(peer))
    expressions = ["$env{SKIDPAD_TEST_SECRET}", "$(echo $SKIDPAD_TEST_SECRET)", "$(ros2 pkg prefix skidpad)", "${SKIDPAD_TEST_SECRET}"]
    for expression in expressions:
        attempts.load(text=world_text(f"<block><mass>{expression}</mass>{BLOCK}</block>"))
        attempts.spawn(text=f"<block><mass>{expression}</mass>{BLOCK}</block>")
        # By way of a variable, of a name, and of an included file that sees what includes it.
        attempts.load(text=world_text(f'<variable name="v" value="{expression}"/><block><mass>${{v}}</mass>{BLOCK}</block>'))
        part = tmp_path / "part.xml"
        part.write_text(f"<block><mass>{expression}</mass>{BLOCK}</block>")
        attempts.load(text=world_text(f'<include file="{part}"/>'))
    assert_nothing_told(attempts, simulator)


def meshed(address):
    return world_text(f'<block name="b"><visual><model_uri>{address}</model_uri></visual>{BLOCK}</block>')


@of_restricted
def test_req_13_15_addresses_are_called_where_the_parameter_lists_them(reuse, peer, server, restricted):
    address, requested_paths, _ = server
    reuse(*restricted)
    reason = Attempts(Control(peer)).load(text=meshed(f"{address}/models/a.obj"))
    assert "is not an address that callers over the network may name" in reason and requested_paths == []


@of_permissive
def test_req_13_15_listed_addresses_are_called_and_lead_nowhere_else(reuse, peer, server, permissive):
    address, requested_paths, _ = server
    reuse(*permissive)
    attempts = Attempts(Control(peer))
    attempts.load(text=meshed(f"{address}/private.obj"))
    attempts.load(text=meshed(f"{address}/models/../private.obj"))
    assert requested_paths == []
    assert '404 Not Found' in attempts.load(text=meshed(f"{address}/models/a.obj"))
    assert "302 Found" in attempts.load(text=meshed(f"{address}/elsewhere/a.obj"))
    assert requested_paths == ["/models/a.obj", "/elsewhere/a.obj"]


@of_permissive
def test_req_13_4_fifos_end_no_load_and_no_simulation(reuse, peer, tmp_path, permissive):
    reuse(*permissive)
    control = Control(peer)
    fifo = tmp_path / "fifo.txt"
    os.mkfifo(fifo)
    clock = peer.listen(Clock, "/clock")
    attempts = Attempts(control)
    for kind, inner in naming(fifo).items():
        reason = attempts.load(text=world_text(inner))
        if kind in ("points", "heights", "map", "include"):
            assert "it is a FIFO" in reason, reason
        (tmp_path / "own.world.xml").write_text(world_text(inner))
        attempts.load(uri=str(tmp_path / "own.world.xml"))
    attempts.load(uri=str(fifo))
    heard = len(clock)
    assert control.state() == PLAYING
    peer.spin_until(lambda: len(clock) > heard + 10, awaited="time to go on")
    control.load(text=world_text(""))


def test_req_13_4_a_load_that_takes_too_long_is_called_off(simulate, peer, server, tmp_path):
    address, requested_paths, _ = server
    rules = ["-p", f"load_addresses:={address}", "-p", "load_timeout:=1.0"]
    simulate(TWO_ROBOTS, rules, environment={"SKIDPAD_CACHE": str(tmp_path)})
    control = Control(peer)
    before = control.names()
    reason = Attempts(control).load(text=meshed(f"{address}/slow.obj"))
    assert "not read after 1 s, and cancelled" in reason and requested_paths == ["/slow.obj"]
    assert control.state() == PLAYING and control.names() == before
    control.load(text=world_text(""))
    control.set_state(PLAYING)


@of_permissive
def test_req_13_17_time_stays_held_during_a_load_despite_requests_to_resume(reuse, peer, server, permissive):
    address, requested_paths, go = server
    reuse(*permissive)
    control = Control(peer)
    pause = peer.node.create_client(SetBool, "/skidpad/pause")
    peer.spin_until(pause.service_is_ready, awaited="the service pause")

    def ask(on):
        future = pause.call_async(SetBool.Request(data=on))
        peer.spin_until(future.done, awaited="the answer of pause")
        return future.result()

    loading = control.send("load_world", ignore_missing_or_unsupported_assets=True, **resource(text=meshed(f"{address}/slow.obj")))
    peer.spin_until(lambda: requested_paths, awaited="the load to begin")
    refused = ask(False)
    assert not refused.success
    assert refused.message == "pause: a world is being loaded, and time stands still\n  hint: try again afterwards"
    go.set()
    peer.spin_until(loading.done, awaited="the world")
    assert loading.result().result.result == OK, loading.result().result
    assert control.state() == STOPPED and control.names() == ["b"]
    assert ask(False).success
    peer.spin_until(lambda: control.state() == PLAYING, awaited="time to go on")


@of_restricted
@pytest.mark.parametrize("name", ["a b", "a-b", "~", "1st", "a__b", "__", "a/b", "é", "$env{HOME}"])
def test_req_13_16_names_that_cannot_be_topics_are_refused_with_the_rule(control_of_two, name):
    control = control_of_two
    before = control.names()
    fields = {"entity_resource": msg.Resource(uri="diffbot")} if VERSION == 2 else {"uri": "diffbot"}
    for renaming in (False, True):
        answer = control.call("spawn_entity", name=name, allow_renaming=renaming, **fields)
        assert answer.result.result == 102
        assert answer.result.error_message.endswith("accepted: letters, digits and single _, no digit first")
    control.spawn(102, text=f'<block name="{name}">{BLOCK}</block>')
    assert control.names() == before


@pytest.fixture
def control_of_two(reuse, peer, restricted):
    reuse(*restricted)
    return Control(peer)


def test_req_13_16_such_names_in_a_world_are_reported(reuse, peer, tmp_path):
    world = pathlib.Path(tmp_path) / "odd.world.xml"
    robots = pathlib.Path(TWO_ROBOTS).read_text().replace('name="r1"', 'name="r 1"')
    world.write_text(robots.replace('file="', f'file="{TWO_ROBOTS.parent}/'))
    simulator = reuse(world)
    peer.spin_until(lambda: 'vehicle "r 1"' in simulator.log, awaited="the warning")
    assert "its topics are below r_1" in simulator.log
    peer.spin_until(lambda: "/r_1/odom" in dict(peer.node.get_topic_names_and_types()), awaited="its topics")
