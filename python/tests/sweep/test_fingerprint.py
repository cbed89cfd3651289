"""What a sweep is: every change of what a function does makes another one, in whatever it is kept; nothing else does."""

import collections
import dataclasses
import enum
import functools
import os
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest
import skidpad
from skidpad.sweep import METRICS, SweepError, identity, tracking_experiment
from skidpad.sweep.fingerprint import fingerprint

SPEED, ARRAY, TABLE = 1.0, np.zeros(3), {"a": [1, 2], "b": {3, 4}}


def helper(world):
    return SPEED


def second(world):
    return first(world) if world is None else helper(world)


def first(world):
    return second(world)


def uses_a_helper(world):
    return [helper(world) for _ in range(2)]


def uses_data(world):
    return ARRAY.sum() + TABLE["a"][0]


def with_keywords(world, *, gain=1.0):
    return gain


def with_defaults(world, gain=1.0):
    return gain


class Controller:
    limit = 5.0

    def __init__(self, gain):
        self.gain = gain

    def __call__(self, world):
        return self.act(world)

    def act(self, world):
        return self.gain * helper(world)


class Slotted:
    __slots__ = ("gain",)

    def __init__(self, gain):
        self.gain = gain

    def __call__(self, world):
        return self.gain


@dataclasses.dataclass
class Data:
    gain: float = 1.0

    def __call__(self, world):
        return self.gain


class Kind(enum.Enum):
    SLOW = 1
    FAST = 2


def closure(value):
    def inner(world):
        return value

    return inner


def name(function):
    return identity.function_name(function, "drive")


@pytest.mark.parametrize(
    ("function", "other"),
    [
        (lambda: functools.partial(with_keywords, gain=1.0), lambda: functools.partial(with_keywords, gain=2.0)),
        (lambda: functools.partial(with_defaults, None, 1.0), lambda: functools.partial(with_defaults, None, 2.0)),
        (lambda: Controller(1.0), lambda: Controller(2.0)),
        (lambda: Controller(1.0).act, lambda: Controller(2.0).act),
        (lambda: Controller(1.0).act, lambda: Controller(1.0)),
        (lambda: Slotted(1.0), lambda: Slotted(2.0)),
        (lambda: Data(1.0), lambda: Data(2.0)),
        (lambda: closure(1.0), lambda: closure(2.0)),
        (lambda: closure(1), lambda: closure(1.0)),
        (lambda: closure(True), lambda: closure(1)),
        (lambda: closure([1, [2]]), lambda: closure([1, [3]])),
        (lambda: closure([[1], 2]), lambda: closure([[1, 2]])),
        (lambda: closure({"a": 1}), lambda: closure({"a": 2})),
        (lambda: closure({1, 2}), lambda: closure({1, 3})),
        (lambda: closure(np.array([1.0, 2.0])), lambda: closure(np.array([1.0, 2.5]))),
        (lambda: closure(np.array([1, 2])), lambda: closure(np.array([1, 2], np.int32))),
        (lambda: closure(np.zeros((2, 3))), lambda: closure(np.zeros((3, 2)))),
        (lambda: closure(np.array([1, "a"], object)), lambda: closure(np.array([1, "b"], object))),
        (lambda: closure(Kind.SLOW), lambda: closure(Kind.FAST)),
        (lambda: closure(collections.deque([1])), lambda: closure(collections.deque([2]))),
        (lambda: closure(skidpad.Path([[0, 0], [1, 0]])), lambda: closure(skidpad.Path([[0, 0], [2, 0]]))),
        (lambda: closure(np.random.default_rng(1)), lambda: closure(np.random.default_rng(2))),
        (lambda: closure(np.sin), lambda: closure(np.cos)),
        (lambda: closure(float), lambda: closure(int)),
        (lambda: METRICS["distance"], lambda: METRICS["mean_speed"]),
        (lambda: skidpad.sweep.metrics.lap_time([[0, 0], [1, 0], [1, 1]]), lambda: skidpad.sweep.metrics.lap_time([[0, 0], [2, 0], [1, 1]])),
        (lambda: tracking_experiment(1.0), lambda: tracking_experiment(2.0)),
    ],
)
def test_what_functions_hold_counts(function, other):
    assert name(function()) == name(function()) and name(function()) != name(other())


@pytest.mark.parametrize(
    ("function", "variable", "value"),
    [
        (uses_a_helper, "SPEED", 2.0),
        (first, "SPEED", 2.0),
        (Controller(1.0), "SPEED", 2.0),
        (uses_data, "ARRAY", np.ones(3)),
        (uses_data, "TABLE", {"a": [1, 3], "b": {3, 4}}),
        (uses_a_helper, "helper", lambda world: 1.0),
    ],
)
def test_globals_count_also_those_of_helpers(function, variable, value, monkeypatch):
    before, unused = name(function), name(with_defaults)
    monkeypatch.setitem(globals(), variable, value)
    assert name(function) != before and name(with_defaults) == unused


def test_changes_in_place_count(monkeypatch):
    before = [name(function) for function in (uses_data, with_keywords, with_defaults, Controller(1.0))]
    monkeypatch.setitem(TABLE, "a", [1, 7])
    monkeypatch.setitem(with_keywords.__kwdefaults__, "gain", 3.0)
    monkeypatch.setattr(with_defaults, "__defaults__", (3.0,))
    monkeypatch.setattr(Controller, "limit", 6.0)
    after = [name(function) for function in (uses_data, with_keywords, with_defaults, Controller(1.0))]
    assert all(old != new for old, new in zip(before, after, strict=True))


def test_order_of_sets_and_dictionaries_does_not_count():
    assert fingerprint({"a": 1, "b": 2}, "x") == fingerprint({"b": 2, "a": 1}, "x")
    assert fingerprint({"a": 1, 2: 3}, "x") != fingerprint({"a": 3, 2: 1}, "x")
    loop = [1]
    loop.append(loop)
    again = [1]
    again.append(again)
    assert fingerprint(loop, "x") == fingerprint(again, "x")
    deep: list = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(SweepError, match="x: changes of an object of type builtins.list cannot be detected: it is nested too deeply"):
        fingerprint(deep, "x")


PROGRAM = """
import helpers, functools, json, sys
from helpers import go, Controller
from skidpad.sweep.identity import function_name

NAMES = {"alpha", "beta", "gamma", "delta"}

def drive(world):
    return helpers.go(world) + len(NAMES) + json.loads("1")

def direct(world):
    return go(world)

def late(world):
    import constants

    return constants.K

for function in (drive, direct, Controller(2.0), functools.partial(go, extra={"x", "y", "z"}), late):
    print(function_name(function, "drive"))
"""


def test_other_processes_see_the_same_and_files_of_modules_count(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    helpers = "import constants\n\nclass Controller:\n    def __init__(self, gain):\n        self.gain = gain\n    def __call__(self, world):\n        return self.gain * constants.K\n\ndef go(world, extra=()):\n    return constants.K\n"
    (tmp_path / "helpers.py").write_text(helpers)

    def names(constants, hash_seed):
        (tmp_path / "constants.py").write_text(constants)
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    before = names("K = 1\n", "1")
    assert len(set(before)) == 5 and names("K = 1\n", "2") == before
    # A module that only a helper imports.
    assert all(old != new for old, new in zip(before, names("K = 2\n", "1"), strict=True))


def test_what_cannot_be_compared_is_refused_unless_a_version_stands_for_it(tmp_path):
    lock = threading.Lock()

    def drive(world):
        with lock:
            world.command(vx=0.5)

    with pytest.raises(SweepError) as error:
        skidpad.sweep("racecar", duration=0.1, drive=drive, metrics=["distance"], out=tmp_path / "out", progress=False)
    assert str(error.value) == (
        "drive → lock: changes of an object of type _thread.lock cannot be detected: cannot pickle '_thread.lock' object\n"
        "  accepted: functions, and numbers, texts, arrays, containers and instances of them\n"
        '  hint: create the object inside the function, or give version="1" and raise it with each change'
    )
    named = [identity.function_name(drive, "drive", version) for version in ("1", "2")]
    assert named[0] == named[1], "the version itself is part of the sweep"
    world = skidpad.World("racecar")
    with pytest.raises(SweepError, match=r"metric m → world: changes of an object of type skidpad\.World cannot be detected: .*a World cannot be pickled"):
        identity.function_name(lambda run: world.time, "metric m")


def test_a_changed_global_makes_no_stale_rows(tmp_path):
    (tmp_path / "program.py").write_text(
        textwrap.dedent("""
            import sys
            import skidpad

            SPEED = float(sys.argv[1])

            def helper(world):
                world.command(speed=SPEED, steering_angle=0.1)

            def drive(world):
                helper(world)

            if __name__ == "__main__":
                done = skidpad.sweep("racecar", duration=0.5, drive=drive, metrics=["distance"], out="out", processes=1, progress=False)
                print(done.made)
        """)
    )

    def run(speed):
        return subprocess.run([sys.executable, "program.py", speed], cwd=tmp_path, capture_output=True, text=True, timeout=120)

    assert [run("1.0").stdout, run("1.0").stdout] == ["1\n", "0\n"]
    changed = run("3.0")
    assert changed.returncode == 1 and "SweepError: out: has runs of another sweep: drive was" in changed.stderr


def test_files_that_variables_name_count(tmp_path):
    folder = tmp_path / "worlds"
    (folder / "parts").mkdir(parents=True)
    world = folder / "yard.world.xml"
    world.write_text('<mvsim_world><variable name="kind" value="a"/><include file="parts/${kind}.xml"/><element file="$f{1+1}.png"/></mvsim_world>')
    part, other = folder / "parts" / "a.xml", folder / "parts" / "b.xml"
    part.write_text("<mvsim_world/>")
    other.write_text("<mvsim_world/>")
    before = identity.checksum(world)
    other.write_text("<mvsim_world><!-- changed --></mvsim_world>")
    assert identity.checksum(world) != before, "a name with a variable may mean any of the files"

    def ids(variables):
        return identity.run_id(variables, 0, "sweep", identity.NamedFiles(folder))

    track = folder / "track.yaml"
    track.write_text("image: track.png\nresolution: 0.05\n")
    (folder / "track.png").write_bytes(b"1")
    same, changing = ids({"mass": 1.5, "name": "no.file"}), ids({"map_path": "track.yaml"})
    (folder / "track.png").write_bytes(b"2")
    assert ids({"mass": 1.5, "name": "no.file"}) == same and ids({"map_path": "track.yaml"}) != changing


def test_recordings_of_an_identification_count(tmp_path):
    data = tmp_path / "data"
    bag = data / "bag"
    bag.mkdir(parents=True)
    config = tmp_path / "found.yaml"
    config.write_text('vehicle: {file: car.vehicle.xml, class: car}\nrecordings: ["*.csv.gz", bag]\n')
    files = [data / "drive.csv.gz", bag / "metadata.yaml", bag / "bag_0.mcap", tmp_path / "car.vehicle.xml"]
    for file in files:
        file.write_text("1")
    fingerprints = [name(skidpad.sweep.identification(config, data))]
    for file in files:
        file.write_text("2")
        fingerprints.append(name(skidpad.sweep.identification(config, data)))
    assert len(set(fingerprints)) == 5
