"""What an environment is about: a world, and the parts that turn its numbers into an episode."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .starts import AsLoaded, Start

if TYPE_CHECKING:
    from .._skidpad import Path
    from .drivers import Drivers

Array = NDArray[np.float64]


class Action(Protocol):
    """How two numbers of a policy, each from -1 to 1, become commands: `SpeedSteering` or `Velocity`."""

    spec: tuple[Any, ...]


class OwnObservation(Protocol):
    """A part of what a policy sees that Python computes after each step, for all drivers at once."""

    def size(self, drivers: Drivers) -> int:
        """Count of its numbers."""

    def bounds(self) -> tuple[float, float]:
        """Smallest and largest value of each number."""

    def write(self, drivers: Drivers, out: NDArray[np.float32]) -> None:
        """Writes the numbers into `out` (drivers, size)."""


class OwnReward(Protocol):
    """A part of the reward of a step that Python computes."""

    def __call__(self, drivers: Drivers) -> Array:
        """The reward (drivers,)."""


class OwnEnd(Protocol):
    """A reason for an episode to terminate that Python looks for."""

    def __call__(self, drivers: Drivers) -> NDArray[np.bool_]:
        """Whether it is there (drivers,)."""


@dataclass(frozen=True)
class Task:
    """An environment, as a description: `SkidpadEnv` and `SkidpadVectorEnv` run it.

    `observation`, `reward`, `ends`: parts of those modules, or own ones: `OwnObservation`, `OwnReward`, `OwnEnd`.
    `world`: a file, or the name of a world of the package; `variables`: its variables, as `--set`. `vehicle`: the driven one; its name, or its index.
    `period` [s]: simulated time of a step of the environment, a multiple of the world's timestep. `time_limit` [s]: then an episode is truncated; None: never.
    `path`: the line that `Progress`, `PathAhead` and others refer to. `goals`: draws a goal (x, y) [m] for each episode from a generator and the start (x, y, yaw);
    `goal_block`: the block that shall get there, instead of the vehicle.
    `randomize`: variables of the world that are drawn anew for an episode: `(low, high)`, uniformly, or a function of a generator; every `randomize_every`-th
    episode of a driver, because the world is loaded again.
    """

    world: str | os.PathLike[str]
    action: Action
    observation: Sequence[Any]
    reward: Sequence[Any]
    ends: Sequence[Any] = ()
    start: Start = field(default_factory=AsLoaded)
    variables: Mapping[str, object] = field(default_factory=dict)
    vehicle: str | int = 0
    period: float = 0.05
    time_limit: float | None = 60.0
    path: Path | None = None
    goals: Callable[[np.random.Generator, Array], tuple[float, float]] | None = None
    goal_block: str | None = None
    randomize: Mapping[str, tuple[float, float] | Callable[[np.random.Generator], object]] = field(default_factory=dict)
    randomize_every: int = 1
    physics: str | None = None

    def but(self, **changes: Any) -> Task:
        """The same task with other fields."""
        return replace(self, **changes)
