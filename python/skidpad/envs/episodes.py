"""Episodes of drivers: what the environments of Gymnasium and PettingZoo have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ..errors import CommandError
from .drivers import Drivers
from .task import Array, Task


class Episodes:
    """Drivers with their observations, rewards and ends."""

    def __init__(self, task: Task, count: int, *, agents: bool = False, threads: int = 0) -> None:
        self.task = task
        seeds = _fresh_seeds(count)
        self.drivers = Drivers(task, count, seeds=seeds[:1] if agents else seeds, agents=agents, threads=threads)
        self.count = count
        self._ends = np.cumsum([0, *self.drivers.sizes])
        own = zip(task.observation, self._ends[:-1], self._ends[1:], strict=True)
        self._own_observations = [(part, int(start), int(end)) for part, start, end in own if not hasattr(part, "spec")]
        self._own_rewards = [part for part in task.reward if not hasattr(part, "spec")]
        self._own_ends = [part for part in task.ends if not hasattr(part, "spec")]
        self.limit = np.inf if task.time_limit is None else round(task.time_limit / task.period)
        # Until a reset with a seed, no two environments have the same episodes.
        self._generators = [np.random.default_rng(seed) for seed in seeds]
        self._episodes = np.zeros(count, np.int64)
        self.reset_all(None)

    def observation_space(self) -> spaces.Box[np.float32]:
        """That of one driver."""
        low, high = (np.empty(self._ends[-1], np.float32) for _ in range(2))
        for part, start, end in zip(self.task.observation, self._ends[:-1], self._ends[1:], strict=True):
            low[start:end], high[start:end] = part.bounds()
        return spaces.Box(low, high, dtype=np.float32)

    def action_space(self) -> spaces.Box[np.float32]:
        """That of one driver."""
        return spaces.Box(-1.0, 1.0, (2,), np.float32)

    def observe(self) -> NDArray[np.float32]:
        """What all drivers see, as a new array (drivers, numbers)."""
        seen = self.drivers.observation.copy()
        for part, start, end in self._own_observations:
            part.write(self.drivers, seen[:, start:end])
        return seen

    def reset_all(self, seed: int | Sequence[int | None] | None, where: NDArray[np.intp] | None = None) -> None:
        """Starts episodes of the drivers `where`, all by default.

        With a seed they are repeatable: a number is that of the first driver of all, the next has the next one. Drivers without a seed go on with their own random numbers. Raises CommandError for a
        list of another length.
        """
        where = np.arange(self.count) if where is None else where
        if seed is None or isinstance(seed, (int, np.integer)):
            seed = [None if seed is None else int(seed) + index for index in range(self.count)]
        if len(seed) != self.count:
            raise CommandError(f"seed: found {len(seed)} seeds\n  accepted: a number, or {self.count} of them, one for each environment")
        seeded = [index for index in where if seed[index] is not None]
        if seeded:
            for index in seeded:
                self._generators[index] = np.random.default_rng(seed[index])
            self._episodes[seeded] = 1
            self.drivers.begin(np.array(seeded), self._generators, seeds=[int(seed[index] or 0) for index in seeded][: len(self.drivers.worlds)])
        self.begin(np.array([index for index in where if seed[index] is None], np.intp))

    def begin(self, where: NDArray[np.intp]) -> None:
        """Starts the next episode of these drivers; in one world, of all."""
        if len(where) == 0:
            return
        varies = bool(self.task.randomize) & (self._episodes[where] % self.task.randomize_every == 0)
        self._episodes[where] += 1
        if self.drivers.agents:
            self.drivers.begin(where, self._generators, vary=bool(varies.any()))
        else:
            self.drivers.begin(where[varies], self._generators, vary=True)
            self.drivers.begin(where[~varies], self._generators)

    def step(self, action: NDArray[np.float32], resting: NDArray[np.intp] | None = None) -> tuple[Array, NDArray[np.bool_], NDArray[np.bool_]]:
        """One step of all drivers but those of the worlds `resting`: rewards, and which episodes terminate and are truncated."""
        drivers = self.drivers
        drivers.step(action, resting)
        reward, terminated = drivers.reward, drivers.ended
        for part in self._own_rewards:
            reward = reward + part(drivers)
        for end in self._own_ends:
            terminated = terminated | end(drivers)
        return reward, terminated, drivers.steps >= self.limit

    def render(self, index: int = 0, size: tuple[int, int] = (640, 480)) -> NDArray[np.uint8]:
        """A picture from above of the world with this index."""
        return self.drivers.worlds.render(0 if self.drivers.agents else index, *size)

    def show(self) -> str:
        """Shows the first world on a page; gives its address."""
        return self.drivers.worlds.serve(0)

    def close(self) -> None:
        """Ends the page."""
        self.drivers.worlds.close()


def _fresh_seeds(count: int) -> list[int]:
    """Seeds that no other call gives."""
    return [int(seed) for seed in np.random.SeedSequence().generate_state(count, np.uint64) >> np.uint64(1)]


def check_render_mode(mode: str | None, metadata: dict[str, Any]) -> str | None:
    """The render mode, if it is one."""
    if mode is not None and mode not in metadata["render_modes"]:
        raise ValueError(f'render_mode: found "{mode}"\n  accepted: {", ".join(metadata["render_modes"])}, None')
    return mode
