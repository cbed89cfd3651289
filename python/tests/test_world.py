"""One world: its numbers, its changes, and that they are those of the program."""

import ast
import contextlib
import inspect
import json
import math
import pathlib
import subprocess
import sys
import threading
import time
import urllib.request

import numpy as np
import pytest
import skidpad


def test_a_commanded_robot_moves_as_its_commands_say(robot):
    world = skidpad.World.from_string(robot)
    assert (world.vehicles, world.blocks, world.sensors, world.timestep) == (["r1"], ["wall"], ["r1/scan", "r1/imu"], 0.01)
    world.command("r1", vx=0.5, yaw_rate=0.0)
    world.step(200)
    car = world.state[0]
    assert world.time == 2.0 and world.time_ns == 2_000_000_000 and world.step_count == 200
    assert 0.8 < car["x"] < 1.0 and abs(car["y"]) < 1e-9
    assert car["vx"] == pytest.approx(0.5, abs=0.01)
    assert world.block_state[0]["x"] == 3.0
    assert world.wheels.shape == (1, 2) and world.wheels["spin"][0, 0] > 0


TRUTH = """<mvsim_world><simul_timestep>0.01</simul_timestep>
    <block name="crate"><mass>10</mass><ground_friction>0</ground_friction><linear_damping>0</linear_damping><angular_damping>0</angular_damping><init_pose>6 0 90</init_pose><zmin>0</zmin><zmax>2</zmax>
    <shape><pt>-1 -0.5</pt><pt>1 -0.5</pt><pt>1 0.5</pt><pt>-1 0.5</pt></shape></block>
    <vehicle name="r1"><init_pose>0 0 0</init_pose><dynamics class="differential"/>
    <sensor class="camera" name="eye"><labels>true</labels><ncols>40</ncols><nrows>30</nrows><fx>20</fx><fy>20</fy><cx>20</cx><cy>15</cy>
    <ignore_parent_body>true</ignore_parent_body></sensor></vehicle>
    <actor name="alice"><init_pose>0 20 90</init_pose><walking_speed>1.5</walking_speed><path><waypoint>0 90 90</waypoint></path></actor></mvsim_world>"""


def test_bodies_tell_the_truth_about_all_that_is_there():
    world = skidpad.World.from_string(TRUTH)
    world.step(100)
    bodies = {body["name"]: body for body in world.bodies()}
    assert [(body["kind"], body["class"], body["is_static"]) for body in bodies.values()] == [
        ("vehicle", "vehicle", False), ("block", "block", False), ("actor", "actor", False)
    ]
    alice = bodies["alice"]
    assert alice["pose"][:2] == pytest.approx((0.0, 21.5)) and alice["velocity"] == pytest.approx((1.5, 0.0, 0.0))
    assert bodies["crate"]["box"] == [[-1.0, -0.5, 0.0], [1.0, 0.5, 2.0]]
    world.place("alice", 5.0, 5.0, math.pi / 2)
    assert world.bodies()[2]["pose"][:2] == pytest.approx((5.0, 5.0))
    world.remove("alice")
    assert [body["name"] for body in world.bodies()] == ["r1", "crate"]


def test_a_wrench_pushes_for_its_time():
    world = skidpad.World.from_string(TRUTH)
    world.apply_wrench("crate", fx=20.0, duration=0.5)
    world.step(100)
    # 10 kg: 1 m/s along x of the world, to the right of the crate.
    assert world.bodies()[1]["velocity"] == pytest.approx((0.0, -1.0, 0.0), abs=1e-9)
    world.apply_wrench("crate", fx=6.0, point=(0.0, -0.5), turns_with_body=True, duration=1000.0)
    world.apply_wrench("crate", duration=0.0)
    world.step(10)
    assert world.bodies()[1]["yaw_rate"] == 0.0
    with pytest.raises(skidpad.SkidpadError, match="the duration of the wrench is out of range"):
        world.apply_wrench("crate", fx=1.0, duration=math.nan)
    with pytest.raises(skidpad.SkidpadError, match='wrench on "alice": no force moves it'):
        world.apply_wrench("alice", fx=1.0, duration=1.0)
    with pytest.raises(skidpad.SkidpadError, match='"bob": no vehicle, block or actor has this name'):
        world.apply_wrench("bob", fx=1.0, duration=1.0)


def test_boxes_enclose_the_labels_of_a_picture():
    world = skidpad.World.from_string(TRUTH)
    world.sense()
    eye = world.reading("eye")
    (box,) = eye.boxes()
    number = next(number for number, body in world.labels.items() if body["name"] == "crate")
    rows, columns = np.nonzero(eye.labels[..., 1] == number)
    assert (box["name"], box["class"], box["pixels"]) == ("crate", "block", len(rows))
    assert (box["columns"], box["rows"]) == ([columns.min(), columns.max()], [rows.min(), rows.max()])
    blind = skidpad.World.from_string(TRUTH.replace("<labels>true</labels>", ""))
    with pytest.raises(skidpad.SkidpadError, match="it has no pictures of labels"):
        blind.reading("eye").boxes()


def test_who_runs_over_a_person_collides_and_feels_who_it_is():
    world = skidpad.World.from_string(
        """<mvsim_world><vehicle name="r1"><init_pose>0 0 0</init_pose>
        <dynamics class="differential"><controller class="twist_ideal"/></dynamics>
        <sensor class="contact" name="bumper"><sensor_period>0.005</sensor_period></sensor></vehicle>
        <actor name="alice"><init_pose>2 0 180</init_pose></actor></mvsim_world>"""
    )
    collided, felt = 0, 0
    for _ in range(600):
        world.command("r1", vx=1.0, yaw_rate=0.0)
        world.step()
        contacts = world.reading("r1/bumper").contacts
        assert all(contact["other"] == "alice" and contact["force"] == 0.0 for contact in contacts)
        collided += bool(world.state[0]["colliding"])
        felt += bool(contacts)
    assert world.state[0]["x"] == pytest.approx(3.0, abs=0.02)
    # Within 0.03 m it collides already.
    assert 100 < felt < collided < felt + 20


def test_fields_are_those_that_are_documented(robot):
    world = skidpad.World.from_string(robot)
    assert world.state.dtype == skidpad.STATE and world.wheels.dtype == skidpad.WHEEL and world.block_state.dtype == skidpad.POSE
    assert skidpad.STATE.names[:11] == ("x", "y", "z", "yaw", "pitch", "roll", "vx", "vy", "yaw_rate", "ax", "ay")
    assert all(skidpad.STATE[name] == np.float64 for name in skidpad.STATE.names)


def test_help_shows_what_the_stub_says():
    def documented(body, owner):
        """Names below `owner` with their docstrings: of classes, functions, and of attributes, which a text follows."""
        for node, after in zip(body, [*body[1:], None], strict=True):
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                yield f"{owner}{node.name}", ast.get_docstring(node)
            if isinstance(node, ast.ClassDef):
                yield from documented(node.body, f"{node.name}.")
            if isinstance(node, ast.AnnAssign) and isinstance(after, ast.Expr):
                yield f"{owner}{node.target.id}", inspect.cleandoc(ast.literal_eval(after.value))

    stub = pathlib.Path(skidpad.__file__).with_name("_skidpad.pyi")
    texts = {name: text for name, text in documented(ast.parse(stub.read_text()).body, "") if text and not name.isupper() and name[0] != "_"}
    assert {"World", "World.step", "World.time", "Worlds.on_path", "Reading.fresh", "Path.at"} <= texts.keys()
    for name, text in texts.items():
        described = skidpad._skidpad
        for part in name.split("."):
            described = getattr(described, part)
        assert inspect.getdoc(described) == text, name


def test_arrays_are_views_that_python_cannot_write(robot):
    world = skidpad.World.from_string(robot)
    state, x = world.state, world.state["x"]
    world.command(vx=1.0)
    world.step(100)
    assert state["x"][0] == x[0] > 0.5 and world.state is not None
    with pytest.raises(ValueError, match="read-only|assignment destination"):
        state["x"][0] = 7.0
    with pytest.raises(ValueError):
        state.resize(5)
    kept = state.copy()
    del world
    assert state["x"][0] == kept["x"][0]


def test_readings_follow_their_sensors(robot):
    world = skidpad.World.from_string(robot)
    scan = world.reading("scan")
    assert math.isnan(scan.time) and not scan.fresh and scan.kind == "laser"
    ranges = scan.ranges
    world.step(10)
    assert scan.fresh and scan.time == 0.1 and ranges.dtype == np.float32 and ranges.shape == (36,)
    info = world.vehicle_info("r1")["sensors"]["scan"]
    ahead = round((0.0 - info["angle_min"]) / info["angle_increment"])
    assert ranges[ahead] == pytest.approx(2.9, abs=0.25) and np.isinf(ranges[0])
    world.step(1)
    assert not scan.fresh and scan.time == 0.1
    imu = world.readings["r1/imu"]
    assert imu.angular_velocity.shape == (3,) and imu.linear_acceleration[2] == pytest.approx(9.81, abs=0.1)
    with pytest.raises(AttributeError, match='no "pixels"\n  accepted: ranges'):
        _ = scan.pixels


def test_sense_shows_what_was_placed(robot):
    world = skidpad.World.from_string(robot)
    world.place("r1", 1.0, 0.0)
    world.sense()
    info = world.vehicle_info()["sensors"]["scan"]
    ahead = round(-info["angle_min"] / info["angle_increment"])
    assert world.reading("scan").ranges[ahead] == pytest.approx(1.9, abs=0.25)
    assert world.reading("scan").fresh and world.time == 0.0


def test_a_reset_is_as_a_fresh_load(robot):
    world, fresh = skidpad.World.from_string(robot, seed=3), skidpad.World.from_string(robot, seed=3)

    def drive(world):
        world.command(vx=0.7, yaw_rate=0.3)
        world.step(150)
        return world.state.tobytes(), world.reading("scan").ranges.tobytes()

    first = drive(world)
    world.spawn("crate", x=-2.0)
    world.reset()
    assert world.time == 0.0 and world.blocks == ["wall"]
    assert drive(world) == first == drive(fresh)
    world.reset(seed=4)
    assert world.seed == 4 and drive(world)[1] != first[1]
    world.reset(time=False)
    assert world.time == 1.5 and world.state["x"][0] == 0.0 and world.step_count == 0


def test_variables_and_seeds_are_those_of_the_command_line(robot):
    light = skidpad.World.from_string(robot, set={"mass": 10})
    heavy = skidpad.World.from_string(robot, set={"mass": 40})
    masses = [world.vehicle_info()["mass"] for world in (light, heavy)]
    assert masses[1] - masses[0] == pytest.approx(30)
    light.reload(set={"mass": 40.0})
    assert light.vehicle_info()["mass"] == masses[1]


def test_bodies_come_and_go(robot):
    world = skidpad.World.from_string(robot)
    before = world.block_state
    assert world.classes == ["crate"]
    assert world.spawn("crate", x=1.0, y=1.0) == "crate" and world.spawn("crate", x=2.0, y=2.0) == "crate_2"
    assert world.blocks == ["wall", "crate", "crate_2"] and world.block_state.shape == (3,) and before.shape == (1,)
    name = world.spawn("<block><shape><pt>0 0</pt><pt>1 0</pt><pt>0 1</pt></shape><init_pose>0 0 0</init_pose></block>", "triangle", 5, 5)
    assert name == "triangle" and world.block_info("triangle")["outline"].shape == (3, 2)
    world.remove("crate")
    assert world.blocks == ["wall", "crate_2", "triangle"] and world.block_state["x"][1] == 2.0
    world.step()


def test_parameters_of_controllers(robot):
    world = skidpad.World.from_string(robot)
    assert world.parameters("r1")["kp"] == 50
    world.set_parameter("r1", "kp", 10)
    assert world.parameters()["kp"] == 10
    value, low, high = world.vehicle_info()["parameters"]["kp"]
    assert value == 50 and low < high


def chunks(recording):
    """The chunks of an MCAP file, with an index behind each: they hold its messages with their topics and types; beside them is how it was made."""
    data, at, contents = recording.read_bytes(), 8, []
    while at < len(data) - 8:
        kind, length = data[at], int.from_bytes(data[at + 1 : at + 9], "little")
        if kind == 6:
            contents.append(data[at + 9 : at + 9 + length])
            assert data[at + 9 + length] == 7, "the index of a channel of the chunk"
        at += 9 + length
    return contents


def test_the_program_and_the_package_record_the_same_bytes(tmp_path, program):
    commands = tmp_path / "commands.csv"
    commands.write_text("time,vehicle,speed,steering_angle\n0,,2.0,0.2\n1,,1.0,-0.1\n")
    file = skidpad.WORLDS / "racecar.world.xml"
    arguments = ["run", str(file), "--headless", "--rate", "max", "--duration", "2", "--seed", "5", "--commands", str(commands), "--record"]
    subprocess.run([program, *arguments, tmp_path / "program.mcap", "--no-ros"], check=True, capture_output=True)
    subprocess.run([sys.executable, "-m", "skidpad", *arguments, tmp_path / "command.mcap", "--no-ros"], check=True, capture_output=True)
    world = skidpad.World(file, seed=5)
    world.record(tmp_path / "package.mcap")
    for speed, angle in ((2.0, 0.2), (1.0, -0.1)):
        world.command(speed=speed, steering_angle=angle)
        world.step(200)
    world.stop_recording()
    files = [tmp_path / f"{name}.mcap" for name in ("program", "command", "package")]
    recorded = [chunks(file) for file in files]
    assert sum(map(len, recorded[0])) > 100_000
    assert recorded[0] == recorded[1] == recorded[2]


def test_a_tracker_follows_its_trajectory(tmp_path):
    world = skidpad.World("tracking")
    config = tmp_path / "circle.yaml"
    config.write_text("world: tracking\ntrajectory:\n  trajectory_type: circle\n")
    world.follow(config)
    world.step(2000)
    assert world.state["driver"][0] > 0 and world.state["tracking_error"][0] < 0.5


def test_pictures_show_the_world(robot):
    world = skidpad.World.from_string(robot)
    above = world.render(80, 60)
    assert above.shape == (60, 80, 3) and above.dtype == np.uint8 and above.std() > 5
    ahead = world.render(80, 60, eye=(0, 0, 0.5), target=(3, 0, 0.5))
    assert not np.array_equal(above, ahead)
    world.place("r1", 1.0, 1.0)
    assert not np.array_equal(above, world.render(80, 60))


def test_facts(robot):
    world = skidpad.World("f1tenth")
    info = world.vehicle_info()
    assert "ackermann" in info["accepts"] and info["wheelbase"] > 0.2 and info["outline"].shape[1] == 2
    (grid,) = world.maps
    assert grid["occupied"].any() and grid["occupied"].dtype == bool and grid["resolution"] > 0
    assert len(info["wheels"]) == 4 and info["wheels"][0]["radius"] > 0.01
    assert repr(skidpad.World.from_string(robot)) == "<skidpad.World world at 0 s>"


def test_a_page_shows_what_a_reload_has_changed():
    text = """<mvsim_world><variable name="count" value="1"/><for var="i" from="1" to="$f{count}">
    <vehicle name="r${i}"><init_pose>0 0 0</init_pose><dynamics class="differential"><controller class="twist_ideal"/></dynamics></vehicle></for></mvsim_world>"""
    with skidpad.World.from_string(text) as world:
        url = world.serve()

        def scene(fits):
            """The scene, once it is there and fits."""
            end = time.monotonic() + 60
            while time.monotonic() < end:
                # There is none at first.
                with contextlib.suppress(urllib.error.HTTPError), urllib.request.urlopen(f"{url}api/scene", timeout=60) as answer:
                    view = json.load(answer)
                    if fits(view):
                        return view
                time.sleep(0.01)
            raise AssertionError("no such scene")

        for count in (1, 2):
            world.reload(set={"count": count})
            revision = scene(lambda view, count=count: len(view["vehicles"]) == count)["revision"]
        world.reload(set={"count": 2})
        scene(lambda view: view["revision"] > revision)


def test_a_page_shows_each_step(robot):
    with skidpad.World.from_string(robot) as world:
        url = world.serve()
        world.command(vx=0.5)

        def status():
            with urllib.request.urlopen(f"{url}api/status", timeout=60) as answer:
                return json.load(answer)

        world.step(300)
        end = time.monotonic() + 60
        while status()["time"] < 3.0 and time.monotonic() < end:
            world.step(1)
            time.sleep(0.01)
        assert status()["time"] >= 3.0
        order = json.dumps({"do": "pause"}).encode()
        request = urllib.request.Request(f"{url}api/orders", order, {"Content-Type": "application/json"})
        refused = []

        def ask():
            try:
                urllib.request.urlopen(request, timeout=60)
            except urllib.error.HTTPError as error:
                refused.append(error.read().decode())

        thread = threading.Thread(target=ask)
        thread.start()
        while thread.is_alive():
            world.step(1)
        assert "the program that steps this world controls its time" in refused[0]
        assert world.serve() == url
    with pytest.raises(OSError):
        urllib.request.urlopen(f"{url}api/status", timeout=2)


def test_help_shows_the_defaults_of_the_stub():
    stub = ast.parse((pathlib.Path(skidpad.__file__).parent / "_skidpad.pyi").read_text())
    compared = 0
    for class_of_stub in (node for node in stub.body if isinstance(node, ast.ClassDef)):
        owner = getattr(skidpad._skidpad, class_of_stub.name, None)
        for function in (node for node in class_of_stub.body if isinstance(node, ast.FunctionDef)):
            member = getattr(owner, function.name, None)
            if function.name.startswith("__") or not callable(member):
                continue
            arguments = function.args
            positional = arguments.args[len(arguments.args) - len(arguments.defaults) :]
            pairs = [*zip(positional, arguments.defaults), *zip(arguments.kwonlyargs, arguments.kw_defaults)]
            shown = inspect.signature(member).parameters
            for argument, default in pairs:
                if default is not None:
                    assert shown[argument.arg].default == ast.literal_eval(default), (owner, function.name, argument.arg)
                    compared += 1
    assert compared > 40
