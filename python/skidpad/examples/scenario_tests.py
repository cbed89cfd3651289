"""Tests of a robot that stops before a wall, for pytest: `pytest --pyargs skidpad.examples.scenario_tests`. The last one needs hypothesis."""

from __future__ import annotations

from typing import Any

import pytest

from skidpad.testing import run_scenario as run
from skidpad.testing.plugin import LoadWorld, RunScenario, RunScenarios

WALL = "config/scenarios/wall.yaml"


def at_speed(speed: float) -> dict[str, Any]:
    """What happens at a speed [m/s]: the robot sets off, and stops 2 m before the wall."""
    return {"events": [{"at": 0, "command": {"vx": speed}}, {"when": {"near": [-3, 5], "within": 0.3}, "command": "stop"}]}


def test_it_stops_before_the_wall(run_scenario: RunScenario) -> None:
    """As the file says."""
    result = run_scenario(WALL)
    assert (result.measures["least_clearance_m"] or 0.0) > 0.6


@pytest.mark.parametrize("speed", [0.8, 1.2])
def test_it_stops_at_other_speeds(run_scenario: RunScenario, speed: float) -> None:
    """The file with other events."""
    run_scenario(WALL, at_speed(speed))


def test_two_scenarios_side_by_side(run_scenarios: RunScenarios) -> None:
    """All of their runs have to pass."""
    assert len(run_scenarios([WALL, "config/scenarios/slippery.yaml"])) == 2


def test_a_controller_of_ones_own(world: LoadWorld) -> None:
    """A world that is stepped by the test, for what no scenario says."""
    room = world("twist_ideal")
    gap = 5.0
    while gap > 0.01 and room.time < 20.0:
        gap = 5.0 - float(room.state[0]["y"])
        room.command(vx=min(1.0, gap))
        room.step()
    assert room.time < 10.0 and not room.state[0]["colliding"]


def test_it_stops_at_any_speed() -> None:
    """hypothesis looks for a speed with which it does not, and for the lowest of them."""
    hypothesis = pytest.importorskip("hypothesis")

    @hypothesis.settings(max_examples=20, deadline=None, derandomize=True, database=None)
    @hypothesis.given(hypothesis.strategies.floats(0.8, 1.5))
    def holds(speed: float) -> None:
        run(WALL, at_speed(speed)).check()

    holds()
