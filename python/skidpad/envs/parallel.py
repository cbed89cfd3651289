"""Several cars that race on one track, as a parallel environment of PettingZoo."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from .episodes import Episodes, check_render_mode
from .task import Task
from .tasks import race

Observations = dict[str, NDArray[np.float32]]


class RaceParallelEnv(ParallelEnv[str, NDArray[np.float32], NDArray[np.float32]]):
    """A race: every agent is a car with the observation, the reward and the ends of the task. Cars that have touched something are out, and stand where they are.

    The episode ends for all after the task's time limit.
    """

    metadata = {"name": "skidpad_race_v0", "render_modes": ["rgb_array", "human"], "is_parallelizable": True}

    def __init__(self, agents: int = 2, *, render_mode: str | None = None, task: Task | None = None, **arguments: Any) -> None:
        """`agents`: number of cars, 1 to 16. `task`: a task with so many vehicles; otherwise other arguments are those of `skidpad.envs.race`."""
        if not 1 <= agents <= 16:
            raise ValueError(f"agents: found {agents}\n  accepted: 1 to 16")
        if task is None:
            variables = {**arguments.pop("variables", {}), "num_agents": agents}
            task = race(variables=variables, **arguments)
        self.render_mode = check_render_mode(render_mode, self.metadata)
        self.episodes = Episodes(task, agents, agents=True)
        self.possible_agents = [f"car_{index}" for index in range(agents)]
        self.agents: list[str] = []
        self._index = {agent: index for index, agent in enumerate(self.possible_agents)}
        self._spaces = self.episodes.observation_space(), self.episodes.action_space()
        self._page: str | None = None

    def observation_space(self, agent: str) -> Any:
        return self._spaces[0]

    def action_space(self, agent: str) -> Any:
        return self._spaces[1]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observations, dict[str, dict[str, Any]]]:
        self.episodes.reset_all(seed)
        self.agents = list(self.possible_agents)
        if self.render_mode == "human" and self._page is None:
            self._page = self.episodes.show()
            print(f"viewer: {self._page}", flush=True)
        return self._of_agents(self.episodes.observe()), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, NDArray[np.float32]]) -> Any:
        # Cars that are out brake.
        numbers = np.zeros(self.episodes.drivers.action.shape, np.float32)
        numbers[:, 0] = -1.0
        unknown = set(actions) - set(self._index)
        if unknown:
            raise ValueError(f"step: found actions of {', '.join(sorted(unknown))}\n  accepted: {', '.join(self.agents)}")
        for agent in self.agents:
            if agent not in actions:
                raise ValueError(f"step: found no action of {agent}\n  accepted: one of each of {', '.join(self.agents)}")
            numbers[self._index[agent]] = np.asarray(actions[agent], np.float32)
        reward, terminated, truncated = self.episodes.step(numbers)
        of_agents = {agent: self._index[agent] for agent in self.agents}
        no_values: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        result = (
            self._of_agents(self.episodes.observe()),
            {agent: float(reward[index]) for agent, index in of_agents.items()},
            {agent: bool(terminated[index]) for agent, index in of_agents.items()},
            {agent: bool(truncated[index]) for agent, index in of_agents.items()},
            no_values,
        )
        self.agents = [agent for agent, index in of_agents.items() if not (terminated[index] or truncated[index])]
        return result

    def _of_agents(self, rows: NDArray[np.float32]) -> Observations:
        return {agent: rows[self._index[agent]].copy() for agent in self.agents}

    def render(self) -> NDArray[np.uint8] | None:
        return self.episodes.render() if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        self.episodes.close()


def race_parallel_env(agents: int = 2, **arguments: Any) -> RaceParallelEnv:
    """See `RaceParallelEnv`."""
    return RaceParallelEnv(agents, **arguments)
