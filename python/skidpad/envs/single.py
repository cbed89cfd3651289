"""One driver as an environment of Gymnasium."""

from __future__ import annotations

import time
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from .episodes import Episodes, check_render_mode
from .task import Task


class SkidpadEnv(gymnasium.Env[NDArray[np.float32], NDArray[np.float32]]):
    """A task for one driver.

    `render_mode`: `"rgb_array"` for pictures from above, `"human"` for the viewer's page, whose address is printed at the first reset; each step then takes as long as it
    simulates.
    """

    metadata = {"render_modes": ["rgb_array", "human"], "render_fps": 20}

    def __init__(self, task: Task, render_mode: str | None = None) -> None:
        self.metadata = {**self.metadata, "render_fps": round(1.0 / task.period)}
        self.render_mode = check_render_mode(render_mode, self.metadata)
        self.task = task
        self.episodes = Episodes(task, 1, threads=1)
        self.observation_space = self.episodes.observation_space()
        self.action_space = self.episodes.action_space()
        self._page: str | None = None
        self._shown_until = 0.0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[NDArray[np.float32], dict[str, Any]]:
        super().reset(seed=seed)
        self.episodes.reset_all(seed)
        if self.render_mode == "human" and self._page is None:
            self._page = self.episodes.show()
            print(f"viewer: {self._page}", flush=True)
        return self.episodes.observe()[0], {}

    def step(self, action: NDArray[np.float32]) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        episodes = self.episodes
        reward, terminated, truncated = episodes.step(np.asarray(action, np.float32)[None])
        if self.render_mode == "human":
            self._wait()
        return episodes.observe()[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), {}

    def _wait(self) -> None:
        """Keeps pace with real time."""
        self._shown_until = max(self._shown_until + self.task.period, time.monotonic())
        time.sleep(max(self._shown_until - time.monotonic() - self.task.period, 0.0))

    def render(self) -> NDArray[np.uint8] | None:
        return self.episodes.render() if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        self.episodes.close()
