"""Many drivers as a vector environment of Gymnasium: one call steps all worlds in Rust, on all cores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .episodes import Episodes, check_render_mode
from .task import Task

Array = NDArray[np.float32]


class SkidpadVectorEnv(VectorEnv[Array, Array, NDArray[Any]]):
    """A task for `num_envs` drivers, each in a world of its own.

    `autoreset_mode`: `NEXT_STEP` (an ended episode's next step is the reset of the next one, whatever its action), `SAME_STEP` (the last observation is in `info["final_obs"]`), `DISABLED` (call `reset(options={"reset_mask": …})`).
    """

    def __init__(
        self,
        task: Task,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 0,
        render_mode: str | None = None,
    ) -> None:
        self.autoreset_mode = AutoresetMode(autoreset_mode) if isinstance(autoreset_mode, str) else autoreset_mode
        self.metadata = {
            "render_modes": ["rgb_array", "human"],
            "render_fps": round(1.0 / task.period),
            "autoreset_mode": self.autoreset_mode,
        }
        self.render_mode = check_render_mode(render_mode, self.metadata)
        self.task, self.num_envs = task, num_envs
        self.episodes = Episodes(task, num_envs, threads=threads)
        self.single_observation_space = self.episodes.observation_space()
        self.single_action_space = self.episodes.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._ended = np.zeros(num_envs, np.bool_)
        self._page: str | None = None

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        super().reset(seed=seed if isinstance(seed, int) else None)
        mask = (options or {}).get("reset_mask")
        chosen = np.ones(self.num_envs, np.bool_) if mask is None else self._mask(mask)
        self.episodes.reset_all(seed, np.flatnonzero(chosen))
        self._ended[chosen] = False
        if self.render_mode == "human" and self._page is None:
            self._page = self.episodes.show()
            print(f"viewer: {self._page}", flush=True)
        return self.episodes.observe(), {}

    def _mask(self, mask: Any) -> NDArray[np.bool_]:
        chosen = np.asarray(mask)
        if chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_:
            raise ValueError(f"reset_mask: found shape {chosen.shape} and type {chosen.dtype}\n  accepted: bool ({self.num_envs},)")
        return chosen

    def step(self, actions: Array) -> tuple[Array, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        episodes = self.episodes
        if self.autoreset_mode is AutoresetMode.DISABLED and self._ended.any():
            first = int(np.argmax(self._ended))
            raise ValueError(f'step: the episode of environment {first} has ended\n  hint: call reset(options={{"reset_mask": terminated | truncated}})')
        # Worlds whose episode ended before make no step: their noise would go on, and their next episode would be another one than that of a single environment.
        before = np.flatnonzero(self._ended) if self.autoreset_mode is AutoresetMode.NEXT_STEP else None
        reward, terminated, truncated = episodes.step(actions, before)
        # Views, which a reset would change.
        reward, terminated = reward.copy(), terminated.copy()
        info: dict[str, Any] = {}
        if before is not None:
            if len(before):
                episodes.begin(before)
                reward[before], terminated[before], truncated[before] = 0.0, False, False
            self._ended = terminated | truncated
            return episodes.observe(), reward, terminated, truncated, info
        observation = episodes.observe()
        ended = terminated | truncated
        if self.autoreset_mode is AutoresetMode.SAME_STEP and ended.any():
            where = np.flatnonzero(ended)
            final = np.full(self.num_envs, None, object)
            for index in where:
                final[index] = observation[index].copy()
            info = {"final_obs": final, "_final_obs": ended.copy(), "final_info": {}, "_final_info": ended.copy()}
            episodes.begin(where)
            observation = episodes.observe()
        elif self.autoreset_mode is AutoresetMode.DISABLED:
            self._ended = ended
        return observation, reward, terminated, truncated, info

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """Pictures of all worlds from above."""
        return tuple(self.episodes.render(index) for index in range(self.num_envs)) if self.render_mode == "rgb_array" else None

    def close_extras(self, **kwargs: Any) -> None:
        self.episodes.close()
