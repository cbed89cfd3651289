"""The driven vehicles of an environment, as the parts of a task see them: one number for each driver in every array."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._skidpad import Worlds
from ..errors import CommandError
from .task import Array, Task


class Drivers:
    """The vehicles that are driven, one in each world, or several in one world.

    `x y z yaw` [m, rad] in the world, `vx vy yaw_rate ax ay` in the body frame, and every other field of `skidpad.STATE` are attributes: views of shape (drivers,).
    `collided`: whether it has touched something in the last step. `scan`: ranges (drivers, beams) [m] of its first planar lidar. `s offset heading curvature left right`: its place on the task's path, see
    `Path.project`; `progress` [m]: along the path in the last step. `goal` (drivers, 2) and `goal_distance` [m]. `action`, `last_action` (drivers, 2): of the last step and of the one before.
    `steps`: of the episode. `observation`, `reward`, `ended`: of the parts that the compiled module computes; own parts are added by `Episodes`.
    """

    # For type checkers: the views that __init__ finds by name.
    x: Array
    y: Array
    z: Array
    yaw: Array
    pitch: Array
    roll: Array
    vx: Array
    vy: Array
    yaw_rate: Array
    ax: Array
    ay: Array
    wanted_vx: Array
    wanted_vy: Array
    wanted_yaw_rate: Array
    wanted_steer: Array
    s: Array
    offset: Array
    heading: Array
    curvature: Array
    left: Array
    right: Array
    progress: Array
    goal: Array
    goal_distance: Array
    action: NDArray[np.float32]
    last_action: NDArray[np.float32]
    steps: NDArray[np.int64]

    def __init__(self, task: Task, count: int, seeds: Any = None, *, agents: bool = False, threads: int = 0) -> None:
        """One driver in each of `count` worlds; with `agents`, all vehicles of one world instead."""
        self.task = task
        self.worlds = Worlds(task.world, 1 if agents else count, seeds=seeds, set=dict(task.variables), physics=task.physics, threads=threads)
        self.agents = agents
        if agents and len(self.worlds.vehicles) != count:
            raise CommandError(f"agents: found {len(self.worlds.vehicles)} vehicles in {task.world}\n  accepted: {count}")
        names = self.worlds.vehicles
        vehicle = names.index(task.vehicle) if task.vehicle in names else task.vehicle
        if not isinstance(vehicle, int):
            raise CommandError(f'vehicle "{vehicle}": not found in {task.world}\n  accepted: {", ".join(names)}')
        self.vehicles = names if agents else [names[vehicle]]
        self.count = count
        self.substeps = self._substeps()
        place: Any = (0, slice(None)) if agents else (slice(None), vehicle)
        state = self.worlds.state[place]
        for name in state.dtype.names:
            setattr(self, name, state[name])
        if task.path is not None:
            on_path = self.worlds.on_path(task.path)[place]
            for name in on_path.dtype.names:
                setattr(self, name, on_path[name])
        self.collided: NDArray[np.bool_] = self.worlds.collided[place]
        self._scans = self._find_scans()
        views = self.worlds.enlist(
            list(range(count)) if agents else [vehicle],
            action=task.action.spec,
            seen=[part.spec if hasattr(part, "spec") else ("others", part.size(self)) for part in task.observation],
            rewards=[part.spec for part in task.reward if hasattr(part, "spec")],
            ends=[part.spec for part in task.ends if hasattr(part, "spec")],
            period=task.period,
            goal_block=task.goal_block,
        )
        self.sizes: list[int] = views.pop("sizes")
        self.observation: NDArray[np.float32] = views.pop("observation")
        self.reward: Array = views.pop("reward")
        self.ended: NDArray[np.bool_] = views.pop("ended")
        for name, view in views.items():
            setattr(self, name, view)

    def _substeps(self) -> int:
        step = self.worlds.timestep
        substeps = round(self.task.period / step)
        if substeps < 1 or abs(substeps * step - self.task.period) > 1e-9:
            raise CommandError(f"period: found {self.task.period} s\n  accepted: a multiple of the timestep of the world, {step} s")
        return substeps

    def _find_scans(self) -> list[NDArray[np.float32]]:
        scans = []
        for vehicle in self.vehicles:
            sensors = self.worlds.vehicle_info(vehicle)["sensors"]
            lidar = next((name for name, info in sensors.items() if info["class"] == "laser"), None)
            if lidar is not None:
                scans.append(self.worlds.reading(f"{vehicle}/{lidar}").ranges)
        return scans

    @property
    def scan(self) -> NDArray[np.float32]:
        """Ranges (drivers, beams) [m]; +inf: nothing within range."""
        if not self._scans:
            raise CommandError(f"scan: vehicle \"{self.vehicles[0]}\" has no planar lidar\n  accepted: a world whose vehicle has one")
        return np.concatenate(self._scans) if self.agents else self._scans[0]

    def step(self, action: Any, resting: NDArray[np.intp] | None = None) -> None:
        """Drives all vehicles for one period with actions (drivers, 2) from -1 to 1, beyond which they are limited; the worlds `resting` are left as they are.

        Raises CommandError for another shape, and for numbers that are not finite; nothing has moved then.
        """
        try:
            self.worlds.drive(np.asarray(action, np.float32), self.substeps, resting=resting)
        except TypeError as error:
            raise CommandError(f"action: found shape {np.shape(action)}\n  accepted: ({self.count}, 2)") from error
        except CommandError as error:
            if "not finite" not in str(error):
                raise
            raise CommandError(f"action: {error}\n  hint: actions are numbers from -1 to 1; check the policy for overflow") from None

    def begin(self, where: NDArray[np.intp], generators: list[np.random.Generator], seeds: list[int] | None = None, *, vary: bool = False) -> None:
        """Starts an episode of the drivers `where`: new variables if they `vary` or have `seeds`, a new start, a first look of the sensors."""
        task = self.task
        if len(where) == 0:
            return
        if seeds is not None or vary:
            drawn = {name: [_draw(how, generators[index]) for index in where] for name, how in task.randomize.items()}
            if self.agents:
                drawn = {name: values[:1] for name, values in drawn.items()}
            self.worlds.reload(None if self.agents else where, seeds=seeds, set=drawn)
        else:
            # Time goes on, and with it the noise: no two episodes have the same.
            self.worlds.reset(None if self.agents else where, time=False)
        poses = task.start(self, where, generators)
        for column, vehicle in enumerate(self.vehicles):
            rows = [column] if self.agents else slice(None)
            of_vehicle = poses[rows]
            self.worlds.place(
                vehicle, of_vehicle[:, 0], of_vehicle[:, 1], of_vehicle[:, 2], vx=of_vehicle[:, 3], where=None if self.agents else where
            )
        if self._scans:
            self.worlds.sense(None if self.agents else where)
        goals = np.zeros((len(where), 2))
        if task.goals is not None:
            goals[:] = [task.goals(generators[index], poses[row, :3]) for row, index in enumerate(where)]
        self.worlds.begin(where, goals)


def _draw(how: Any, generator: np.random.Generator) -> object:
    return how(generator) if callable(how) else float(generator.uniform(*how))
