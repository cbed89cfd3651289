"""The tasks that come with the package. Each function makes one, with arguments for what people change; `Task.but` changes the rest."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .. import Path
from .actions import SpeedSteering, Velocity
from .ends import AtGoal, Backwards, OffPath, OnCollision
from .observations import BlockPose, GoalBearing, LastAction, PathAhead, PathError, Scan, SideSlip, Speed, Steering, YawRate
from .rewards import Collided, Constant, Drift, GoalProgress, PathOffset, Progress, Reached, Smoothness
from .starts import FreeCells, OnPath, Poses
from .task import Task
from .tracks import track

# Steering lock of the F1TENTH car [rad].
F1TENTH_STEERING = 0.4189


def race(
    track_name: str | os.PathLike[str] = "racetrack",
    *,
    beams: int = 108,
    period: float = 0.05,
    fastest: float = 8.0,
    slowest: float = 0.5,
    vehicle: str = "f1tenth_single_track",
    timestep: float = 0.01,
    variables: Mapping[str, object] | None = None,
    **changes: Any,
) -> Task:
    """Drives an F1TENTH car around a track as fast as it can without touching a wall, by what its lidar sees.

    `beams` over 269°, one scan for each step of `period` [s]; speeds from `slowest` to `fastest` [m/s]. `vehicle`: a class of `worlds/vehicles/f1tenth.vehicle.xml`.
    """
    file, path = track(track_name)
    given = {"map_path": file, "scan_beams": beams, "scan_rate_hz": 1.0 / period, "timestep": timestep, "vehicle": vehicle, **(variables or {})}
    task = Task(
        world="f1tenth",
        variables=given,
        action=SpeedSteering(fastest, F1TENTH_STEERING, slowest),
        observation=(Scan(), Speed(), LastAction()),
        reward=(Progress(1.0), Collided(-10.0), Smoothness(0.02)),
        ends=(OnCollision(),),
        start=OnPath(offset=0.3, turn=0.3),
        period=period,
        time_limit=60.0,
        path=path,
    )
    return task.but(**changes)


def figure_eight(size: float = 4.0, points: int = 400) -> Path:
    """A figure of eight (lemniscate of Gerono), `size` [m] to each side along x and half of that along y."""
    angle = np.linspace(0.0, 2 * np.pi, points, endpoint=False)
    return Path(np.c_[size * np.sin(angle), size * np.sin(angle) * np.cos(angle)], closed=True)


def follow(path: Path | None = None, *, period: float = 0.05, fastest: float = 3.0, **changes: Any) -> Task:
    """Drives the racecar along a path on open ground, with points of the path ahead to see. Default: a figure of eight of 8 m x 4 m."""
    task = Task(
        world="tracking",
        action=SpeedSteering(fastest, 0.4),
        observation=(PathAhead(points=10, reach=3.0), PathError(), Speed(3.0), YawRate(), LastAction()),
        reward=(Progress(1.0), PathOffset(2.0), Smoothness(0.02)),
        ends=(OffPath(1.5), Backwards()),
        start=OnPath(offset=0.2, turn=0.2),
        period=period,
        time_limit=40.0,
        path=path or figure_eight(),
    )
    return task.but(**changes)


def goal(*, farthest: float = 4.0, **changes: Any) -> Task:
    """Drives a TurtleBot3 Waffle through a furnished flat to a goal up to `farthest` [m] away, with its lidar, as nav2 does."""
    start = FreeCells(clearance=0.35, nearest=1.0, farthest=farthest)
    task = Task(
        world="nav2",
        action=Velocity(fastest=0.26, most_yaw_rate=1.0, slowest=-0.05),
        observation=(Scan(farthest=3.5, beams=60), GoalBearing(), Speed(0.26), YawRate(1.0)),
        reward=(GoalProgress(1.0), Reached(5.0), Collided(-5.0), Constant(-0.02)),
        ends=(AtGoal(), OnCollision()),
        start=start,
        goals=start.goal,
        period=0.2,
        time_limit=60.0,
    )
    return task.but(**changes)


def drift(*, radius: float = 2.0, friction: float = 0.5, period: float = 0.05, **changes: Any) -> Task:
    """Slides a four-wheel driven car of 1:10 around a circle on a slippery floor, with its tail out."""
    angle = np.linspace(0.0, 2 * np.pi, 200, endpoint=False)
    task = Task(
        world="drift_pad",
        variables={"friction": friction},
        action=SpeedSteering(6.0, F1TENTH_STEERING),
        observation=(PathError(radius), Speed(5.0), SideSlip(), YawRate(), Steering(), LastAction()),
        reward=(Drift(1.0, radius=radius), Smoothness(0.01)),
        ends=(OffPath(radius),),
        start=OnPath(offset=0.2, turn=0.2, speed=2.0),
        period=period,
        time_limit=20.0,
        path=Path(radius * np.c_[np.cos(angle), np.sin(angle)], closed=True),
    )
    return task.but(**changes)


def push(*, period: float = 0.1, **changes: Any) -> Task:
    """Pushes a crate to a place 1 to 2 m away with a differential robot."""

    def place(generator: np.random.Generator, start: np.ndarray) -> tuple[float, float]:
        distance, bearing = generator.uniform(1.0, 2.0), generator.uniform(-0.5, 0.5)
        return 1.0 + distance * np.cos(bearing), distance * np.sin(bearing)

    task = Task(
        world="push_yard",
        action=Velocity(fastest=0.6, most_yaw_rate=1.5, slowest=-0.6),
        observation=(BlockPose("crate", 2.0), GoalBearing(2.0), Speed(0.6), YawRate(1.5)),
        reward=(GoalProgress(1.0), Reached(5.0, radius=0.2), Constant(-0.01)),
        ends=(AtGoal(0.2),),
        start=Poses([(0.0, y, 0.0) for y in np.linspace(-0.5, 0.5, 11)]),
        goals=place,
        goal_block="crate",
        period=period,
        time_limit=40.0,
    )
    return task.but(**changes)


TASKS: dict[str, Callable[..., Task]] = {"Race": race, "Follow": follow, "Goal": goal, "Drift": drift, "Push": push}
"""The tasks by the name in `skidpad/Name-v0`."""
