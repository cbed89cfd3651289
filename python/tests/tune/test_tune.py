"""Gains fitted by step responses."""

import csv

import numpy as np
import pytest
from skidpad import CommandError
from skidpad.sweep import SweepError
from skidpad.tune import Response, Step, score, tune
from skidpad.tune.command import main

# A robot whose shipped gains are far too weak, and one without a controller that has gains.
WORLD = """<mvsim_world>
  <simul_timestep>0.01</simul_timestep>
  <vehicle name="r1">
    <init_pose>0 0 0</init_pose>
    <dynamics class="differential">
      <controller class="{controller}"><KP>3</KP><KI>0</KI><max_torque>20</max_torque></controller>
    </dynamics>
  </vehicle>
</mvsim_world>
"""


@pytest.fixture
def world(tmp_path):
    path = tmp_path / "robot.world.xml"
    path.write_text(WORLD.format(controller="twist_pid"))
    return path


def test_the_metric_is_that_of_the_manual():
    time = np.linspace(0.0, 2.0, 2001)
    step = Step("vx", 0.0, 1.0)
    perfect = Response(step, time, np.ones_like(time), np.zeros_like(time))
    assert score(perfect, 1.0) == 0.0
    still = Response(step, time, np.zeros_like(time), np.zeros_like(time))
    assert score(still, 1.0) == pytest.approx(1.0, rel=1e-3), "no answer at all"
    above = Response(step, time, np.full_like(time, 1.1), np.zeros_like(time))
    assert score(above, 1.0) == pytest.approx(0.1 + 2 * 0.08, rel=1e-3)
    shaking = Response(step, time, np.ones_like(time), np.arange(2001) % 2 * 1.0)
    assert score(shaking, 1.0) == pytest.approx(0.05 * (2000 - 2) / 2)
    once = Response(step, time, np.ones_like(time), np.clip(1.0 - np.abs(time - 0.5) / 0.1, 0.0, 1.0))
    assert score(once, 1.0) == pytest.approx(0.0, abs=1e-12), "one rise and one fall cost nothing"
    down = Response(Step("vx", 1.0, 0.0), time, np.zeros_like(time), np.zeros_like(time))
    assert score(down, 1.0) == 0.0


def test_the_search_finds_better_gains_and_the_same_ones_again(world):
    first = tune(world, generations=4, population=6, processes=2)
    assert first.tuned_metric < 0.8 * first.shipped_metric
    assert first.tuned["kp"] > 3 and first.shipped == {"kp": 3.0, "ki": 0.0, "kd": 0.0} and first.evaluations == 25
    assert np.dot(first.tuned_parts, (1.0, 2.0, 0.05)) == pytest.approx(first.tuned_metric)
    assert first.course == sorted(first.course, reverse=True)
    again = tune(world, generations=4, population=6, processes=1)
    assert again.tuned == first.tuned and again.course == first.course
    assert any(step.quantity == "yaw_rate" for step in first.steps) and any(step.end < step.start for step in first.steps)


def test_the_command_writes_gains_and_responses(world, tmp_path, capsys):
    out = tmp_path / "tuning"
    assert main([str(world), "--generations", "2", "--population", "4", "--out", str(out), "--processes", "1"]) == 0
    assert capsys.readouterr().out.startswith(
        "| | kp | ki | kd | metric | tracking | overshoot | chatter |\n|---|---|---|---|---|---|---|---|\n| shipped | 3 | 0 | 0 | "
    )
    assert (out / "gains.xml").read_text().startswith("<KP>")
    rows = list(csv.DictReader((out / "responses.csv").open()))
    assert rows[0]["step"] == "vx 0 to 1" and len(rows) == 9 * 201
    assert "</svg>" in (out / "responses.svg").read_text()


def test_wrong_input_says_what_is_accepted(world, tmp_path):
    with pytest.raises(CommandError) as error:
        tune(world, "r2")
    assert str(error.value) == "--vehicle r2: is not in the world\n  accepted: r1"
    ideal = tmp_path / "ideal.world.xml"
    ideal.write_text(WORLD.format(controller="twist_ideal"))
    with pytest.raises(CommandError) as error:
        tune(ideal)
    assert str(error.value).startswith("r1: its controller has no speed PID\n  accepted: ")
    with pytest.raises(SweepError) as error:
        tune(world, population=3)
    assert str(error.value) == "population: 3\n  accepted: an integer from 4 up"
    assert main(["no/such.world.xml"]) == 2
