"""Where episodes start: x, y [m], yaw [rad] and speed [m/s] of each driver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import CommandError

if TYPE_CHECKING:
    from .drivers import Drivers

Array = NDArray[np.float64]


class Start(Protocol):
    """Draws where episodes start."""

    def __call__(self, drivers: Drivers, where: NDArray[np.intp], generators: list[np.random.Generator]) -> Array:
        """x, y, yaw, speed (len(where), 4) of the drivers `where`, each from its own generator."""


class AsLoaded:
    """Where the world file has them, at rest."""

    def __call__(self, drivers: Drivers, where: NDArray[np.intp], generators: list[np.random.Generator]) -> Array:
        starts = [drivers.worlds.vehicle_info(vehicle)["start"] for vehicle in drivers.vehicles]
        poses = np.array([[start[0], start[1], start[3], 0.0] for start in starts])
        return poses[where] if drivers.agents else np.repeat(poses, len(where), axis=0)


class Poses:
    """One of these poses (x, y, yaw), at random, with this speed [m/s]."""

    def __init__(self, poses: ArrayLike, speed: float = 0.0) -> None:
        self.poses = np.atleast_2d(np.asarray(poses, np.float64))
        self.speed = speed

    def __call__(self, drivers: Drivers, where: NDArray[np.intp], generators: list[np.random.Generator]) -> Array:
        chosen = self.poses[[generators[index].integers(len(self.poses)) for index in where]]
        return np.c_[chosen, np.full(len(where), self.speed)]


class OnPath:
    """Anywhere on the task's path, up to `offset` [m] beside it and `turn` [rad] from its direction, with a speed up to `speed` [m/s].

    Several drivers on one path start `gap` [m] behind each other instead, the first one anywhere.
    """

    def __init__(self, offset: float = 0.0, turn: float = 0.0, speed: float = 0.0, gap: float = 1.5) -> None:
        self.offset, self.turn, self.speed, self.gap = offset, turn, speed, gap

    def __call__(self, drivers: Drivers, where: NDArray[np.intp], generators: list[np.random.Generator]) -> Array:
        path = drivers.task.path
        if path is None:
            raise CommandError("OnPath: the task has no path\n  accepted: Task(path=skidpad.Path(…))")
        drawn = np.array([generators[index].uniform(size=4) for index in where])
        s = drawn[:, 0] * path.length
        if drivers.agents:
            s = s[0] - self.gap * np.arange(len(where))
        at = path.at(s)
        beside, turn = self.offset * (2 * drawn[:, 1] - 1), self.turn * (2 * drawn[:, 2] - 1)
        x, y = at["x"] - beside * np.sin(at["heading"]), at["y"] + beside * np.cos(at["heading"])
        return np.c_[x, y, at["heading"] + turn, self.speed * drawn[:, 3]]


class FreeCells:
    """Anywhere in the first map where no occupied cell is nearer than `clearance` [m], in any direction, at rest. Also draws goals: `FreeCells(…).goal`."""

    def __init__(self, clearance: float = 0.4, nearest: float = 1.0, farthest: float = 4.0) -> None:
        """Goals are `nearest` to `farthest` [m] from the start."""
        self.clearance, self.nearest, self.farthest = clearance, nearest, farthest
        self._free: Array | None = None

    def find(self, grid: dict[str, Any]) -> Array:
        """Middles (n, 2) [m] of the free cells of a map, those outside its walls left out: they cannot be reached from its middle."""
        occupied, cell = grid["occupied"], grid["resolution"]
        reach = int(np.ceil(self.clearance / cell))
        blocked = occupied.copy()
        for shift in range(1, reach + 1):
            blocked[shift:] |= occupied[:-shift]
            blocked[:-shift] |= occupied[shift:]
        wide = blocked.copy()
        for shift in range(1, reach + 1):
            blocked[:, shift:] |= wide[:, :-shift]
            blocked[:, :-shift] |= wide[:, shift:]
        reached = _connected(~blocked)
        row, column = np.nonzero(reached)
        x0, y0, yaw = grid["origin"]
        x, y = (column + 0.5) * cell, (row + 0.5) * cell
        return np.c_[x0 + np.cos(yaw) * x - np.sin(yaw) * y, y0 + np.sin(yaw) * x + np.cos(yaw) * y]

    def cells(self, drivers: Drivers) -> Array:
        """The free cells of the drivers' map."""
        if self._free is None:
            maps = drivers.worlds.maps
            if not maps:
                raise CommandError(f"FreeCells: {drivers.worlds.name} has no map\n  accepted: a world with an occupancy grid")
            self._free = self.find(maps[0])
        return self._free

    def __call__(self, drivers: Drivers, where: NDArray[np.intp], generators: list[np.random.Generator]) -> Array:
        free = self.cells(drivers)
        chosen = free[[generators[index].integers(len(free)) for index in where]]
        yaw = [generators[index].uniform(-np.pi, np.pi) for index in where]
        return np.c_[chosen, yaw, np.zeros(len(where))]

    def goal(self, generator: np.random.Generator, start: Array) -> tuple[float, float]:
        """A free cell at the right distance from the start."""
        assert self._free is not None, "a goal is drawn after a start"
        distance = np.hypot(*(self._free - start[:2]).T)
        near = self._free[(distance >= self.nearest) & (distance <= self.farthest)]
        chosen = near[generator.integers(len(near))] if len(near) else self._free[np.argmax(distance)]
        return float(chosen[0]), float(chosen[1])


def _connected(free: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The largest connected part of the free cells that does not touch the edge of the map; all of them if there is none."""
    left, best = free.copy(), np.zeros_like(free)
    while left.any():
        part = np.zeros_like(free)
        part[np.unravel_index(np.argmax(left), left.shape)] = True
        while True:
            grown = part.copy()
            grown[1:] |= part[:-1]
            grown[:-1] |= part[1:]
            grown[:, 1:] |= part[:, :-1]
            grown[:, :-1] |= part[:, 1:]
            grown &= free
            if grown.sum() == part.sum():
                break
            part = grown
        left &= ~part
        touches = part[0].any() or part[-1].any() or part[:, 0].any() or part[:, -1].any()
        if not touches and part.sum() > best.sum():
            best = part
    return best if best.any() else free
