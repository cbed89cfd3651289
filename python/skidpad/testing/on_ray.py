"""Runs of scenarios on a Ray cluster, by the engine of sweeps: each run is one of its tasks, whose result is the record of the run."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from .. import _skidpad
from ..sweep.driver import engine
from ..sweep.work import Plan, Task
from .results import Result, result_of
from .sources import Source


@dataclass
class Cases:
    """Makes a run of one of these scenarios, in a process of Ray."""

    sources: Sequence[Source]
    folder: str
    """The folder that relative paths start from."""
    out: str | None
    keep: str
    read: dict[int, _skidpad.Scenario] = field(default_factory=dict)

    def __call__(self, variables: dict[str, Any], seed: int) -> dict[str, Any]:
        scenario_index, index = variables["scenario"], variables["run"]
        with _in_folder(self.folder):
            if scenario_index not in self.read:
                self.read[scenario_index] = self.sources[scenario_index].read()
            # The cores of the cluster are for as many runs.
            (record,) = _skidpad.run_cases([(self.read[scenario_index], index)], jobs=1, out=self.out, keep=self.keep)
        return {"record": record.chunk().hex()}


@contextlib.contextmanager
def _in_folder(folder: str) -> Iterator[None]:
    """The process is in this folder meanwhile, if the machine has it."""
    before = os.getcwd()
    if os.path.isdir(folder):
        os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def run_on_ray(
    sources: list[Source], read: list[_skidpad.Scenario], cluster: tuple[str, int | None], out: str | PathLike[str] | None, keep: str
) -> list[Result]:
    """Makes all runs of the scenarios on the cluster at an address, so many at a time. A run that ends its process is broken."""
    address, jobs = cluster
    cases = [(scenario_index, index) for scenario_index, scenario in enumerate(read) for index in range(len(scenario.runs))]
    tasks = [Task(f"{number:016x}", {"scenario": scenario_index, "run": index}, 0) for number, (scenario_index, index) in enumerate(cases)]
    plan = Plan(experiment=Cases(sources, os.getcwd(), None if out is None else os.path.abspath(out), keep))
    records: list[_skidpad.ScenarioRecord | None] = [None] * len(cases)
    for row in engine(plan, tasks, address, jobs, 0, None, None):
        number = int(row.task.id, 16)
        scenario_index, index = cases[number]
        if row.error is None:
            records[number] = _skidpad.ScenarioRecord(bytes.fromhex(row.metrics["record"]))
        else:
            records[number] = read[scenario_index].broken(index, row.error)
    made = _skidpad.compare_repetitions([record for record in records if record is not None])
    return [result_of(record) for record in made]
