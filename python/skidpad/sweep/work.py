"""What a process does for one run: load the world, drive it, measure it. The same on one machine and on Ray."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

import numpy as np

from .._skidpad import World
from .metrics import History, Metric, Run


@dataclass(frozen=True)
class Plan:
    """What all runs of a sweep have in common. See `sweep` for the fields."""

    world: str | PathLike[str] | None = None
    duration: float | None = None
    until: Callable[[World], bool] | None = None
    drive: Callable[[World], None] | None = None
    period: float = 0.05
    follow: str | PathLike[str] | None = None
    run: Callable[[World], Mapping[str, Any]] | None = None
    experiment: Callable[[dict[str, Any], int], Mapping[str, Any]] | None = None
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    physics: str | None = None


@dataclass(frozen=True)
class Task:
    """One run: its id, the values of its variables, its seed, and how many attempts ended with a process."""

    id: str
    variables: dict[str, Any]
    seed: int
    lost: int = 0


@dataclass(frozen=True)
class Row:
    """The result of a run. `metrics` is empty and `error` a text if it failed; `wall_time` [s] is that of the last attempt."""

    task: Task
    metrics: dict[str, Any]
    wall_time: float
    attempts: int
    error: str | None = None


def pack(plan: Plan) -> tuple[list[str], bytes]:
    """The plan for another process, with the folders that modules are imported from. Functions of scripts and notebooks travel by value."""
    from .errors import need

    return [path for path in sys.path if path], need("cloudpickle", "sweep").dumps(plan)


def unpack(packed: tuple[list[str], bytes]) -> Plan:
    """The plan that `pack` has packed."""
    import pickle

    folders, plan = packed
    sys.path.extend(folder for folder in folders if folder not in sys.path)
    return pickle.loads(plan)


def simulate(plan: Plan, variables: dict[str, Any], seed: int) -> dict[str, Any]:
    """Makes one run; returns its metrics. Raises whatever goes wrong in it."""
    if plan.experiment is not None:
        return plain(plan.experiment(dict(variables), seed))
    assert plan.world is not None, "checked by `sweep`"
    world = World(plan.world, seed=seed, set=variables, physics=plan.physics)
    if plan.follow is not None:
        world.follow(plan.follow)
    if plan.run is not None:
        return plain(plan.run(world))
    steps = max(1, round(plan.period / world.timestep))
    left = round((plan.duration or 0.0) / world.timestep) if plan.duration is not None else None
    times, states = [world.time], [world.state.copy()]
    while left is None or left > 0:
        if plan.until is not None and plan.until(world):
            break
        if plan.drive is not None:
            plan.drive(world)
        n = steps if left is None else min(steps, left)
        world.step(n)
        left = None if left is None else left - n
        times.append(world.time)
        states.append(world.state.copy())
    finished = Run(world, History(np.array(times), np.stack(states)), variables, seed)
    return plain({name: metric(finished) for name, metric in plan.metrics.items()})


def plain(metrics: Any) -> dict[str, Any]:
    """Metrics as Python numbers, texts and lists, which Parquet has. Raises TypeError for others."""
    if not isinstance(metrics, Mapping):
        raise TypeError(f"a run returned {type(metrics).__name__}; accepted: a dictionary of metrics")
    return {str(name): _plain(str(name), value) for name, value in metrics.items()}


def _plain(name: str, value: Any) -> Any:
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [_plain(name, item) for item in value]
    raise TypeError(f"metric {name!r} is of type {type(value).__name__}; accepted: numbers, texts, and arrays or lists of them")


def make(plan: Plan, task: Task, retries: int) -> Row:
    """Makes a run, again up to `retries` times when it raises; the result names the last error."""
    error = None
    start = time.perf_counter()
    attempts = task.lost
    while attempts <= retries:
        attempts += 1
        start = time.perf_counter()
        try:
            metrics = simulate(plan, task.variables, task.seed)
        except Exception as problem:  # noqa: BLE001 - whatever a run raises is its result
            place = traceback.extract_tb(problem.__traceback__)[-1]
            error = f"{type(problem).__name__}: {problem} ({place.name}, line {place.lineno})"
        else:
            return Row(task, metrics, time.perf_counter() - start, attempts)
    return Row(task, {}, time.perf_counter() - start, attempts, error)
