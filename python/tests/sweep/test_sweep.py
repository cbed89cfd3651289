"""Sweeps on the processes of this machine."""

import collections
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import skidpad
from skidpad.sweep import METRICS, SweepError

WORLD = """<mvsim_world>
  <variable name="mass" value="20"/>
  <simul_timestep>0.01</simul_timestep>
  <vehicle name="r1">
    <init_pose>0 0 0</init_pose>
    <dynamics class="differential">
      <chassis mass="${mass}"/>
      <controller class="twist_pid"><KP>50</KP><KI>20</KI></controller>
    </dynamics>
  </vehicle>
</mvsim_world>
"""


@pytest.fixture
def world(tmp_path):
    path = tmp_path / "robot.world.xml"
    path.write_text(WORLD)
    return path


def forwards(world):
    world.command(vx=0.5)


def test_every_run_is_there_once_and_like_one_by_hand(world, tmp_path):
    done = skidpad.sweep(
        world,
        {"mass": [10, 20.0, np.float64(40)]},
        seeds=2,
        duration=1.0,
        drive=forwards,
        metrics={"distance": METRICS["distance"], "pose": lambda run: run.world.state[["x", "y"]][0].tolist()},
        out=tmp_path / "out",
        processes=2,
        progress=False,
    )
    assert (done.made, done.failed, done.present) == (6, 0, 0)
    table = done.read()
    assert table.column_names == ["run", "seed", "attempts", "wall_time", "error", "mass", "distance", "pose"]
    rows = table.to_pylist()
    assert sorted((row["mass"], row["seed"]) for row in rows) == [(m, s) for m in (10, 20, 40) for s in (0, 1)]
    assert len({row["run"] for row in rows}) == 6 and all(row["error"] is None and row["attempts"] == 1 and row["wall_time"] > 0 for row in rows)
    single = skidpad.World(world, seed=1, set={"mass": 40})
    forwards(single)
    single.step(100)
    row = next(row for row in rows if row["mass"] == 40 and row["seed"] == 1)
    assert row["pose"] == [single.state["x"][0], single.state["y"][0]]
    assert row["distance"] == pytest.approx(single.state["x"][0], rel=1e-9)
    about = json.loads(table.schema.metadata[b"skidpad"])
    assert about["skidpad"] == skidpad.__version__ and about["numpy"] == np.__version__ and about["duration"] == 1.0
    assert {"command", "commit", "python", "world_checksum", "platform"} <= about.keys()
    assert skidpad.sweep.arrays(tmp_path / "out")["distance"].shape == (6,)


def test_a_second_call_makes_only_what_is_missing(world, tmp_path):
    options = {"duration": 0.2, "metrics": ["distance"], "out": tmp_path / "out", "progress": False, "processes": 1}
    first = skidpad.sweep(world, {"mass": [10, 20]}, **options)
    assert (first.made, first.failed) == (2, 0)
    more = skidpad.sweep(world, {"mass": [10, 20, 30]}, **options)
    assert (more.made, more.present) == (1, 2) and more.read().num_rows == 3
    assert skidpad.sweep(world, [{"mass": 50}, {"mass": 50}], **options).made == 1, "twice in a design"


def test_another_sweep_is_refused(world, tmp_path):
    out = tmp_path / "out"
    skidpad.sweep(world, duration=0.2, metrics=["distance"], out=out, progress=False, processes=1)
    with pytest.raises(SweepError) as error:
        skidpad.sweep(world, duration=0.3, metrics=["distance"], out=out, progress=False)
    assert (
        str(error.value)
        == f"{out}: has runs of another sweep: duration was 0.2, now 0.3\n  hint: choose another folder for out, or remove this one"
    )
    with pytest.raises(SweepError, match="metrics was"):
        skidpad.sweep(world, duration=0.2, metrics=["mean_speed"], out=out, progress=False)
    world.write_text(WORLD.replace("0.01", "0.005"))
    with pytest.raises(SweepError, match="world_checksum was"):
        skidpad.sweep(world, duration=0.2, metrics=["distance"], out=out, progress=False)


def fails_on_two(variables, seed):
    if variables["x"] == 2:
        raise ValueError("two is not liked")
    return {"y": variables["x"] + seed}


def test_a_failing_run_is_named_with_its_error(tmp_path):
    done = skidpad.sweep(None, {"x": [1, 2, 3]}, experiment=fails_on_two, out=tmp_path / "out", processes=1, retries=1, progress=False)
    assert (done.made, done.failed) == (3, 1)
    rows = {row["x"]: row for row in done.read().to_pylist()}
    assert rows[2]["error"].startswith("ValueError: two is not liked (fails_on_two, line ") and rows[2]["attempts"] == 2 and rows[2]["y"] is None
    assert rows[1]["y"] == 1 and rows[3]["error"] is None


def dies(variables, seed):
    if variables["x"] == 3:
        os._exit(7)
    if variables["x"] == 5:
        marker = os.path.join(variables["folder"], "died")
        if not os.path.exists(marker):
            open(marker, "w").close()
            os._exit(8)
    if variables["x"] == 8:
        time.sleep(60)
    return {"y": variables["x"]}


def test_crashes_and_hangs_cost_only_their_own_run(tmp_path):
    design = [{"x": x, "folder": str(tmp_path)} for x in range(12)]
    done = skidpad.sweep(None, design, experiment=dies, out=tmp_path / "out", processes=2, retries=1, timeout=1.0, batch=6, progress=False)
    rows = {row["x"]: row for row in done.read().to_pylist()}
    assert done.read().num_rows == 12 and rows.keys() == set(range(12))
    assert rows[3]["error"] == "its process ended with status 7" and rows[3]["attempts"] == 2
    assert rows[8]["error"] == "it took longer than 1.0 s"
    assert rows[5]["error"] is None and rows[5]["attempts"] == 2
    assert all(rows[x]["error"] is None and rows[x]["attempts"] == 1 for x in (0, 1, 2, 4, 6, 7, 9, 10, 11))


class SlowToLoad:
    """An experiment that a process needs 2 s to load."""

    def __reduce__(self):
        return SlowToLoad.load, ()

    @staticmethod
    def load():
        time.sleep(2.0)
        return SlowToLoad()

    def __call__(self, variables, seed):
        return {"y": variables["x"]}


def test_the_start_of_a_process_does_not_count_as_its_first_run(tmp_path):
    done = skidpad.sweep(None, {"x": [1, 2]}, experiment=SlowToLoad(), out=tmp_path / "out", processes=1, retries=0, timeout=1.0, progress=False)
    assert (done.made, done.failed) == (2, 0)


SCRIPT = """
import sys, time, skidpad
def slow(variables, seed):
    with open(sys.argv[2], "a") as log: log.write(f"{variables['x']}\\n")
    time.sleep(0.05)
    return {"y": variables["x"]}
log = sys.argv[2]
done = skidpad.sweep(None, {"x": range(100)}, experiment=lambda v, s: (open(log, "a").write(f"{v['x']}\\n"), time.sleep(0.05)) and {"y": v["x"]},
                     out=sys.argv[1], processes=2, progress=False)
print(done.made, done.present)
"""


def test_an_interrupted_sweep_goes_on(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    command = [sys.executable, str(script), str(tmp_path / "out"), str(tmp_path / "log")]
    first = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (tmp_path / "log").exists() or len((tmp_path / "log").read_text().splitlines()) < 10:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    first.send_signal(signal.SIGINT)
    _, errors = first.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors and first.returncode != 0
    before = skidpad.sweep.read(tmp_path / "out").num_rows
    assert 5 <= before < 100
    second = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert second.stdout.split() == [str(100 - before), str(before)]
    assert collections.Counter(skidpad.sweep.read(tmp_path / "out")["x"].to_pylist()) == dict.fromkeys(range(100), 1)


def test_a_tracker_drives_a_run(tmp_path):
    config = tmp_path / "circle.yaml"
    config.write_text("world: tracking\ntrajectory:\n  trajectory_type: circle\n")
    done = skidpad.sweep(
        "tracking",
        {"tyre": ["linear", "fiala"]},
        follow=config,
        duration=2.0,
        metrics=["rms_tracking_error", "mean_speed"],
        out=tmp_path / "out",
        progress=False,
    )
    columns = skidpad.sweep.arrays(done.out)
    assert done.failed == 0 and np.all(columns["rms_tracking_error"] > 0) and np.all(columns["mean_speed"] > 0.1)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"metrics": ["distance"]}, "duration: is missing\n  accepted: simulated seconds, or until=…"),
        ({"metrics": ["distance"], "duration": -1}, "duration: -1\n  accepted: a positive number of seconds"),
        ({"metrics": ["distance"], "duration": 1, "retries": -1}, "retries: -1\n  accepted: an integer from 0 up"),
        ({"metrics": ["distance"], "duration": 1, "seeds": 0}, "seeds: 0\n  accepted: a positive number of seeds, or a list of seeds from 0 up"),
        ({"metrics": {"seed": print}, "duration": 1}, "metrics: 'seed' is the name of a result column\n  hint: choose another name"),
        ({"run": print, "drive": print}, "run, drive: exclude each other\n  accepted: one of run, experiment, drive and follow"),
        ({"experiment": print}, "world: a sweep needs a world or an experiment, and not both"),
        ({"run": print, "duration": 1}, "run: excludes metrics, duration and until\n  hint: leave them out, and return the metrics from the function"),
    ],
)
def test_wrong_input_says_what_is_accepted(world, tmp_path, options, text):
    with pytest.raises(SweepError) as error:
        skidpad.sweep(world, out=tmp_path / "out", progress=False, **options)
    assert str(error.value) == text


def test_a_world_with_errors_is_the_error_of_its_runs(tmp_path):
    bad = tmp_path / "bad.world.xml"
    bad.write_text("<mvsim_world><nonsense")
    done = skidpad.sweep(bad, duration=1.0, metrics=["distance"], out=tmp_path / "out", processes=1, retries=0, progress=False)
    assert done.failed == 1 and "bad.world.xml" in done.read()["error"][0].as_py()


def test_the_command_sweeps(world, tmp_path, capsys):
    from skidpad.sweep.command import main

    out = str(tmp_path / "out")
    arguments = [
        str(world),
        "--vary",
        "mass=10:12:0.5",
        "--seeds",
        "2",
        "--duration",
        "0.5",
        "--command",
        "vx=1",
        "--metric",
        "distance",
        "--out",
        out,
        "--json",
    ]
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out)["made"] == 10
    columns = skidpad.sweep.arrays(out)
    assert sorted(set(columns["mass"])) == [10.0, 10.5, 11.0, 11.5, 12.0] and np.all(columns["distance"] > 0.1)
    assert main([str(world), "--vary", "mass=3:1:1", "--duration", "1"]) == 2
    assert capsys.readouterr().err == "error: --vary mass=3:1:1: is not a range\n  accepted: NAME=LOW:HIGH:STEP with LOW <= HIGH and STEP > 0\n"
