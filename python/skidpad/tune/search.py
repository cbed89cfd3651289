"""The search for gains: CMA-ES on their logarithms, each generation a sweep on processes or Ray."""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike
from typing import Any

import numpy as np

from .._skidpad import World
from ..errors import SkidpadError
from ..sweep.driver import engine
from ..sweep.errors import SweepError, need
from ..sweep.identity import checksum, world_file
from ..sweep.work import Plan, Task
from .responses import Evaluation, Step, chosen_vehicle, steps_of

GAINS = ("kp", "ki", "kd")
"""Gains that are fitted. The torque's limit is the motor's, and stays."""
RANGE = 30.0
"""Gains are searched between the shipped ones over and times this."""
MIN_SPREAD = 1e-3
"""Of the shipped kp: where the search of a gain starts that is shipped as zero; below, it is zero."""


@dataclass
class Tuning:
    """What a search found."""

    vehicle: str
    steps: list[Step]
    shipped: dict[str, float]
    """Gains of the world file."""
    tuned: dict[str, float]
    """The best gains; the shipped ones if none is better."""
    shipped_metric: float
    tuned_metric: float
    shipped_parts: list[float]
    """Tracking, overshoot and chatter of the metric, unweighted."""
    tuned_parts: list[float]
    evaluations: int
    course: list[float] = field(default_factory=list)
    """The best metric so far after each generation."""


def tune(
    world: str | PathLike[str],
    vehicle: str | None = None,
    *,
    speed: float = 1.0,
    yaw_rate: float = 1.0,
    generations: int = 25,
    population: int = 8,
    seed: int = 1,
    processes: int | None = None,
    address: str | None = None,
) -> Tuning:
    """Fits the PID gains of a vehicle by steps of up to `speed` [m/s] and `yaw_rate` [rad/s]. The same seed gives the same gains, on any number of processes.

    Raises CommandError for a vehicle without such gains, and SweepError when the gains cannot be evaluated.
    """
    for name, number, least in (("generations", generations, 1), ("population", population, 4)):
        if number < least:
            raise SweepError(f"{name}: {number}\n  accepted: an integer from {least} up")
    for name, value in (("speed", speed), ("yaw_rate", yaw_rate)):
        if not (np.isfinite(value) and value > 0):
            raise SweepError(f"{name}: {value}\n  accepted: a positive number")
    cma = need("cma", "tune")
    loaded = World(world)
    vehicle = chosen_vehicle(loaded, vehicle)
    steps = steps_of(loaded, vehicle, speed, yaw_rate)
    shipped = {name: loaded.parameters(vehicle)[name] for name in GAINS}
    if shipped["kp"] <= 0:
        raise SkidpadError(f"{vehicle}: kp is {shipped['kp']:g}\n  accepted: a positive kp to start from")
    file = world_file(world)
    evaluation = Evaluation(world, vehicle, tuple(steps), checksum(file) if file else None)
    shipped_metric = evaluation.mean(loaded, shipped)
    smallest = MIN_SPREAD * shipped["kp"]
    start = np.log([max(value, smallest) for value in shipped.values()])
    options: dict[str, Any] = {
        "seed": seed,
        "popsize": population,
        "maxiter": generations,
        "verbose": -9,
        "bounds": [list(start - np.log(RANGE)), list(start + np.log(RANGE))],
    }
    search = cma.CMAEvolutionStrategy(list(start), 0.8, options)
    best, best_metric, evaluations, course = shipped, shipped_metric, 1, []
    for generation in range(generations):
        points = search.ask()
        gains = [_gains(point, shipped, smallest) for point in points]
        metrics = _evaluate(evaluation, gains, generation, processes, address)
        evaluations += len(gains)
        search.tell(points, metrics)
        first = int(np.argmin(metrics))
        if metrics[first] < best_metric:
            best, best_metric = gains[first], metrics[first]
        course.append(best_metric)
    before, after = (evaluation.parts(loaded, gains).tolist() for gains in (shipped, best))
    return Tuning(vehicle, steps, shipped, best, shipped_metric, best_metric, before, after, evaluations, course)


def _gains(point: Any, shipped: dict[str, float], smallest: float) -> dict[str, float]:
    """Gains with four digits, as they are written into a world file."""
    values = np.exp(np.asarray(point))
    return {name: 0.0 if shipped[name] == 0 and value < smallest else float(f"{value:.4g}") for name, value in zip(shipped, values, strict=True)}


def _evaluate(evaluation: Evaluation, gains: list[dict[str, float]], generation: int, processes: int | None, address: str | None) -> list[float]:
    """The metric of each candidate, in their order. Unstable gains, whose runs fail, count as very bad."""
    tasks = [Task(f"{generation:08x}{k:08x}", dict(candidate), 0) for k, candidate in enumerate(gains)]
    scores: dict[str, float] = {}
    for row in engine(Plan(experiment=evaluation), tasks, address, processes, 0, None, None):
        scores[row.task.id] = float(row.metrics["metric"]) if row.error is None else 1e6
    if all(value >= 1e6 for value in scores.values()):
        raise SweepError("tune: no candidate could be evaluated")
    return [value if np.isfinite(value := scores[task.id]) else 1e6 for task in tasks]
