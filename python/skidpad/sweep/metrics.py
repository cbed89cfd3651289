"""Metrics of a run: functions of a finished `Run`. `METRICS` has the ready-made ones by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._skidpad import Path, World


@dataclass
class History:
    """States that were sampled during a run, at its start and then once per period."""

    time: NDArray[np.float64]
    """(samples,) simulated time [s]."""
    state: NDArray[np.void]
    """(samples, vehicles) of skidpad.STATE."""


@dataclass
class Run:
    """A finished run, as metrics see it."""

    world: World
    history: History
    variables: dict[str, Any]
    seed: int


Metric = Callable[[Run], Any]


def distance(run: Run) -> float:
    """way that the first vehicle has gone, from sample to sample [m]"""
    car = run.history.state[:, 0]
    return float(np.hypot(np.diff(car["x"]), np.diff(car["y"])).sum())


def displacement(run: Run) -> float:
    """distance of the first vehicle from its start [m]"""
    car = run.history.state[:, 0]
    return float(np.hypot(car["x"][-1] - car["x"][0], car["y"][-1] - car["y"][0]))


def mean_speed(run: Run) -> float:
    """mean of the first vehicle's speed [m/s]"""
    car = run.history.state[:, 0]
    return float(np.hypot(car["vx"], car["vy"]).mean())


def max_speed(run: Run) -> float:
    """largest sampled speed of the first vehicle [m/s]"""
    car = run.history.state[:, 0]
    return float(np.hypot(car["vx"], car["vy"]).max())


def max_lateral_acceleration(run: Run) -> float:
    """largest sampled size of the first vehicle's lateral acceleration [m/s²]"""
    return float(np.abs(run.history.state["ay"][:, 0]).max())


def collisions(run: Run) -> int:
    """how often any vehicle began to touch something, seen at the samples"""
    touching = run.history.state["colliding"] > 0.5
    return int(touching[0].sum() + (touching[1:] & ~touching[:-1]).sum())


def rms_tracking_error(run: Run) -> float:
    """root mean square of the tracking error of a vehicle that follows a trajectory [m]; nothing for others"""
    errors = run.history.state["tracking_error"][:, 0]
    errors = errors[np.isfinite(errors)]
    return float(np.sqrt(np.mean(errors**2))) if errors.size else float("nan")


def final_x(run: Run) -> float:
    """x of the first vehicle at the end [m]"""
    return float(run.history.state["x"][-1, 0])


def final_y(run: Run) -> float:
    """y of the first vehicle at the end [m]"""
    return float(run.history.state["y"][-1, 0])


def simulated_time(run: Run) -> float:
    """simulated time at the end [s]"""
    return float(run.history.time[-1])


METRICS: dict[str, Metric] = {
    metric.__name__: metric
    for metric in (
        distance,
        displacement,
        mean_speed,
        max_speed,
        max_lateral_acceleration,
        collisions,
        rms_tracking_error,
        final_x,
        final_y,
        simulated_time,
    )
}
"""The ready-made metrics by name; the first line of each docstring says what it is, with its unit."""


@dataclass(frozen=True)
class LapTime:
    """Time until the first vehicle has gone once around a closed path [s], in steps of the period; NaN if it does not.

    `points`: (n, 2) of the closed path [m].
    """

    points: tuple[tuple[float, float], ...]

    def __call__(self, run: Run) -> float:
        path = Path(np.array(self.points), closed=True)
        car = run.history.state[:, 0]
        steps = np.diff(path.track(np.array(car["x"]), np.array(car["y"]), float(car["yaw"][0]))["s"])
        progress = np.cumsum((steps + 0.5 * path.length) % path.length - 0.5 * path.length)
        beyond_lap = np.flatnonzero(progress >= path.length)
        return float(run.history.time[beyond_lap[0] + 1] - run.history.time[0]) if beyond_lap.size else float("nan")


def lap_time(points: ArrayLike) -> LapTime:
    """The metric `LapTime` of a closed path (n, 2) [m]."""
    return LapTime(tuple((float(x), float(y)) for x, y in np.asarray(points, dtype=float)))
