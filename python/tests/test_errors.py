"""Bad input: an exception that says what was found and what is accepted, and nothing has changed."""

import copy
import pickle

import numpy as np
import pytest
import skidpad


@pytest.fixture
def world(robot):
    return skidpad.World.from_string(robot)


@pytest.fixture
def worlds(robot):
    return skidpad.Worlds.from_string(robot, 3)


KINDS = "vx vy yaw_rate · speed steering_rate · speed steering_angle acceleration steering_rate · left right · throttle brake gear steering_angle · spin hinge"


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda w: w.command(vx=float("nan")), 'command to "r1" holds a number that is not finite\n  accepted: finite numbers'),
        (lambda w: w.command(vx=1e9), 'command to "r1" asks for more than any vehicle can do\n  accepted: up to 1000000 m/s or rad/s'),
        (lambda w: w.command(), f"command: found nothing\n  accepted: names of one kind: {KINDS}"),
        (lambda w: w.command(vx=1, throttle=1), f"command: found vx throttle\n  accepted: names of one kind: {KINDS}"),
        (lambda w: w.command(left=1.0), "command: found left alone\n  accepted: left and right"),
        (lambda w: w.command(speed=1.0, steering_angle=0.0), 'vehicle "r1" takes no Ackermann commands\n  accepted: velocity, wheel speeds'),
        (lambda w: w.command(throttle=2.0), 'command to "r1": throttle 2 is out of range\n  accepted: 0 to 1'),
        (lambda w: w.command(throttle=1.0, gear="fast"), "gear: found fast\n  accepted: drive, neutral, reverse, or their numbers 0, 1, 2"),
        (lambda w: w.command(spin=[1.0]), "spin: found [1.0]\n  accepted: 4 numbers, None to keep one"),
        (lambda w: w.command(vx="fast"), "vx: could not convert string to float: 'fast'\n  accepted: numbers"),
        (lambda w: w.command(vx=[1.0, 2.0]), "vx: found an array of shape [2]\n  accepted: a number, or shape (1,)"),
        (lambda w: w.command("r9", vx=1.0), 'vehicle "r9": not found\n  accepted: r1'),
        (lambda w: w.command(3, vx=1.0), "vehicle 3: not found\n  accepted: r1"),
        (lambda w: w.place("door", 0, 0), '"door": no vehicle, block or actor has this name\n  accepted: r1, wall'),
        (lambda w: w.place("r1", float("inf"), 0), 'state of "r1": a number in its pose is not finite\n  accepted: finite numbers'),
        (lambda w: w.reading("camera"), 'sensor "camera": not found\n  accepted: r1/scan, r1/imu'),
        (lambda w: w.set_parameter("r1", "kx", 1.0), 'vehicle "r1": its controller has no "kx"\n  accepted: '),
        (lambda w: w.spawn("tree"), 'spawn "": this world has no class "tree"\n  accepted: crate'),
        (lambda w: w.render(0, 10), "picture: found 0 x 10\n  accepted: 1 to 8192 pixels a side"),
        (lambda w: w.render(10, 10, field_of_view=9), "field_of_view: found 9\n  accepted: 0.01 to 3 rad"),
        (lambda w: w.follow("nothing.yaml"), "nothing.yaml"),
        (lambda w: w.record("x.mcap", preset="mine"), 'preset: found "mine"\n  accepted: skidpad'),
        (lambda w: w.serve("somewhere"), 'address somewhere:8520 to 8539: cannot listen'),
        (lambda w: w.step(-1), "-1: not a valid count, index or seed\n  accepted: whole numbers from 0 to 18446744073709551615"),
        (lambda w: w.reset(seed=2**64), "18446744073709551616: not a valid count, index or seed"),
    ],
)
def test_refused(world, call, text):
    before = world.state.tobytes()
    with pytest.raises(skidpad.CommandError) as error:
        call(world)
    assert str(error.value).startswith(text), str(error.value)
    assert world.state.tobytes() == before
    world.step()


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda w: w.command(vx=[1.0, np.nan, 1.0]), 'world 1: command to "r1" holds a number that is not finite'),
        (lambda w: w.command(vx=[1.0, 2.0]), "vx: found an array of shape [2]\n  accepted: a number, or shape (3,)"),
        (lambda w: w.command(None, vx=np.zeros((3, 2))), "vx: found an array of shape [3, 2]\n  accepted: a number, or shape (3,)"),
        (lambda w: w.command(vx=1.0, where=[3]), "where: found 3\n  accepted: a mask of shape (3,), or indices from 0 to 2"),
        (lambda w: w.command(vx=1.0, where=[1, 1]), "where: found index 1 twice"),
        (lambda w: w.reset(np.array([True])), "where: found an array of shape [1] and type bool"),
        (lambda w: w.reset([0.5]), "where: found an array of shape [1] and type float64"),
        (lambda w: w.reload(set={"mass": [1, 2]}), 'set "mass": found 2 values\n  accepted: one, or 3'),
        (lambda w: w.reset(seeds=[1]), "seeds: found 1 of them\n  accepted: one, or 3"),
        (lambda w: w.render(3), "world 3: not found\n  accepted: 0 to 2"),
        (lambda w: w.render(-1), "-1: not a valid count, index or seed"),
        (lambda w: w.place("r1", [1.0, 2.0, np.nan], 0.0), "x: found a number that is not finite\n  accepted: finite numbers"),
    ],
)
def test_refused_by_several(worlds, call, text):
    with pytest.raises(skidpad.CommandError) as error:
        call(worlds)
    assert str(error.value).startswith(text), str(error.value)
    worlds.step()
    assert (worlds.state["x"] == 0).all()


def test_a_world_with_errors_lists_them_all_with_their_places(tmp_path):
    file = tmp_path / "bad.world.xml"
    file.write_text('<mvsim_world>\n<vehicle name="a">\n<init_pose>0 0</init_pose></vehicle>\n<block class="x"/>\n</mvsim_world>\n')
    for load in (lambda: skidpad.World(file), lambda: skidpad.Worlds(file, 4)):
        with pytest.raises(skidpad.WorldError) as error:
            load()
        assert len(error.value.problems) >= 3
        assert all(problem.startswith(f"{file}:") for problem in error.value.problems)
        assert isinstance(error.value, ValueError) and isinstance(error.value, skidpad.SkidpadError)
    with pytest.raises(skidpad.WorldError, match="no_such_world: no such world\n  searched: "):
        skidpad.World("no_such_world")
    with pytest.raises(skidpad.WorldError, match='variable "color"'):
        skidpad.World("racecar", set={"color": 1})
    with pytest.raises(skidpad.CommandError, match='physics: found "x"\n  accepted: skidpad, mvsim'):
        skidpad.World("racecar", physics="x")
    with pytest.raises(skidpad.CommandError, match="count: found 0"):
        skidpad.Worlds("racecar", 0)
    with pytest.raises(skidpad.CommandError, match="threads: found 1025\n  accepted: 1 to 1024, or 0 for one per core"):
        skidpad.Worlds("racecar", 2, threads=1025)


def test_a_reload_that_fails_leaves_everything_as_it_was(world, worlds):
    for simulation in (world, worlds):
        simulation.command(vx=0.5)
        simulation.step(50)
        before = simulation.state.tobytes()
        with pytest.raises(skidpad.WorldError):
            simulation.reload(set={"mass": "heavy"})
        assert simulation.state.tobytes() == before
        simulation.step(1)
        simulation.reset()
        assert (simulation.state["x"] == 0).all()


def test_worlds_are_not_reloaded_with_other_arrays(robot):
    text = robot.replace("<nrays>36</nrays>", "<nrays>${rays}</nrays>").replace("<mvsim_world>", '<mvsim_world><variable name="rays" value="36"/>')
    worlds = skidpad.Worlds.from_string(text, 3)
    ranges = worlds.reading("scan").ranges
    worlds.step(10)
    before = ranges.copy()
    for where, index, rays in ((None, 0, 20), ([2], 2, 50), ([0, 1], 1, [36, 20])):
        with pytest.raises(skidpad.CommandError, match=f"world {index}: its sensors differ from those of world 0"):
            worlds.reload(where, set={"rays": rays})
    assert np.array_equal(ranges, before) and (worlds.time == 0.1).all()
    # A world without errors stays as it was, too, if another one has some.
    with pytest.raises(skidpad.WorldError, match="mass"):
        worlds.reload(set={"mass": [30, "heavy", 30]})
    assert (worlds.time == 0.1).all()
    worlds.reload([0])
    worlds.command(vx=1.0)
    worlds.step(50)
    assert len(set(worlds.state["vx"][:, 0])) == 1


def test_worlds_that_differ_in_their_vehicles_are_refused():
    text = """<mvsim_world><variable name="n" value="1"/><for var="i" from="1" to="${n}">
      <vehicle name="r${i}"><init_pose>${i} 0 0</init_pose><dynamics class="differential"/></vehicle></for></mvsim_world>"""
    with pytest.raises(skidpad.CommandError, match="world 1: its vehicles differ from those of world 0"):
        skidpad.Worlds.from_string(text, 2, set={"n": [1, 2]})


UNSTABLE = 1e5
"""A derivative gain with which the robot of `unstable` is thrown about faster and faster."""


@pytest.fixture
def unstable(robot):
    """The robot with a gain of its own, and motors without a limit."""
    text = robot.replace("<KP>50</KP>", "<KP>50</KP><KD>${gain}</KD><max_torque>0</max_torque>")
    return text.replace("<mvsim_world>", '<mvsim_world><variable name="gain" value="0"/>')


@pytest.mark.parametrize("is_shown", [False, True])
def test_a_world_that_stops_being_finite_is_named_and_the_others_go_on(unstable, is_shown):
    worlds = skidpad.Worlds.from_string(unstable, 3, set={"gain": [0, UNSTABLE, 0]})
    if is_shown:
        worlds.serve(1)
    worlds.command(vx=1.0)
    x, time = worlds.state["x"][:, 0], worlds.time
    with pytest.raises(skidpad.StepError, match='world 1: vehicle "r1": .* is not finite at ') as error:
        worlds.step(300)
    assert error.value.index == 1
    assert time[0] == time[2] == 3.0 > time[1] and x[0] == x[2] > 0.5
    failed = time[1]
    with pytest.raises(skidpad.StepError, match="world 1: "):
        worlds.step(10)
    assert list(time) == [3.1, failed, 3.1]
    worlds.reset([1])
    worlds.step(10)
    assert list(time) == [3.2, 0.1, 3.2] and x[1] == 0.0
    worlds.close()


def test_a_single_world_that_stops_being_finite_stays_until_it_is_reset(unstable):
    world = skidpad.World.from_string(unstable, set={"gain": UNSTABLE})
    world.command(vx=1.0)
    with pytest.raises(skidpad.StepError, match='^vehicle "r1": ') as error:
        world.step(1000)
    assert error.value.index is None
    failed = world.time
    with pytest.raises(skidpad.StepError):
        world.step()
    assert world.time == failed
    world.reset()
    world.step()
    assert world.time == 0.01 and world.state["x"][0] == 0.0


def test_pickling_says_what_to_do(world, worlds):
    for simulation in (world, worlds):
        with pytest.raises(TypeError, match="cannot be pickled: it holds a running simulation\n  hint: pickle the file"):
            pickle.dumps(simulation)
        with pytest.raises(TypeError):
            copy.deepcopy(simulation)
    error = pickle.loads(pickle.dumps(skidpad.WorldError("a", ["b"])))
    assert str(error) == "a"
