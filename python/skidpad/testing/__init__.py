"""Scenarios as tests: runs with a verdict, from Python. `docs/testing.md` explains it.

>>> from skidpad.testing import run_scenario
>>> result = run_scenario("config/scenarios/wall.yaml")
>>> result.verdict
'passed'

With this package installed pytest has the fixtures `world`, `run_scenario` and `run_scenarios`, and takes scenario files for tests.
"""

from __future__ import annotations

from ..errors import ScenarioError
from .results import Criterion, Missed, Result, write_csv, write_json, write_junit, write_page
from .running import run_scenario, run_scenarios

__all__ = ["Criterion", "Missed", "Result", "ScenarioError", "run_scenario", "run_scenarios", "write_csv", "write_json", "write_junit", "write_page"]
