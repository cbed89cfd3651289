"""The environment `f110-v0`: laps, episodes and the page around a `Simulator`."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from ..errors import CommandError
from .laser import BEAMS, MAX_RANGE
from .old_gym import Env
from .simulator import PARAMETERS, Integrator, Simulator

# Half the width of the gate at the start [m], and the square of its depth to each side [m²].
GATE_HALF_WIDTH, GATE_DEPTH_SQUARED = 2.0, 0.1


class F110Env(Env):
    """An environment as `f110_gym.envs.F110Env`.

    `map`: a map_server file, with or without its extension; `map_ext`: that of its image; `num_agents`; `timestep` [s]; `ego_idx`; `seed`; `params`: only the values of `PARAMETERS`;
    `integrator`: skidpad has one; `lidar_dist`: position of the lidar ahead of the centre of mass [m].

    `sim`: the cars, `sim.agents[index].state` and more; `action_space` (num_agents, 2): steering angle [rad], speed [m/s]; `observation_space`: by the keys of observations.
    """

    metadata = {"render.modes": ["human", "human_fast"]}
    # The page draws.
    renderer = None
    current_obs: dict[str, Any] | None = None
    seed: Any = 12345

    def __init__(
        self,
        *,
        map: str = "racetrack",
        map_ext: str = ".png",
        num_agents: int = 2,
        timestep: float = 0.01,
        ego_idx: int = 0,
        seed: int = 12345,
        params: dict[str, float] | None = None,
        integrator: Any = Integrator.RK4,
        lidar_dist: float = 0.0,
        render_mode: str | None = None,
    ) -> None:
        self.num_agents, self.timestep, self.ego_idx, self.seed = num_agents, timestep, ego_idx, seed
        self.integrator, self.lidar_dist, self.render_mode = integrator, lidar_dist, render_mode
        self.start_thresh = 0.5
        self.render_callbacks: list[Callable[[Any], None]] = []
        self.render_obs: dict[str, Any] | None = None
        self._page: str | None = None
        self.sim = Simulator(params, num_agents, seed, timestep, ego_idx, integrator, lidar_dist)
        self.update_map(map, map_ext)
        bounds = np.array([[PARAMETERS["s_min"], PARAMETERS["v_min"]], [PARAMETERS["s_max"], PARAMETERS["v_max"]]])
        low, high = (np.tile(limits, (num_agents, 1)) for limits in bounds)
        self.action_space = spaces.Box(low, high, dtype=np.float64)
        self.observation_space = _observation_space(num_agents)
        self._start(np.zeros((num_agents, 3)))

    @property
    def params(self) -> dict[str, float]:
        """The parameters of the cars."""
        return dict(self.sim.params)

    def update_map(self, map_path: str, map_ext: str = ".png") -> None:
        """Uses another map from the next reset on."""
        self.map_name, self.map_path, self.map_ext = map_path, f"{map_path}".removesuffix(".yaml") + ".yaml", map_ext
        self.sim.set_map(map_path, map_ext)

    def update_params(self, params: dict[str, float], index: int = -1) -> None:
        """Accepts the parameters of the car's class; raises CommandError for other values."""
        self.sim.update_params(params, index)

    def add_render_callback(self, callback_func: Callable[[Any], None]) -> None:
        """Accepted, but never called: the page draws, and there is no window of pyglet. A warning says so."""
        if not self.render_callbacks:
            warnings.warn("add_render_callback: callbacks are not called, as the page draws\n  hint: env.render() prints its address", stacklevel=2)
        self.render_callbacks.append(callback_func)

    def _start(self, poses: NDArray[np.float64]) -> None:
        """Counts laps from these poses on."""
        self.start_xs, self.start_ys, self.start_thetas = poses.T.copy()
        cos, sin = np.cos(self.start_thetas[self.ego_idx]), np.sin(self.start_thetas[self.ego_idx])
        self.start_rot = np.array([[cos, sin], [-sin, cos]])
        self.current_time = 0.0
        self.near_start, self.num_toggles = True, 0
        self.near_starts = np.ones(self.num_agents, np.bool_)
        self.toggle_list = np.zeros(self.num_agents)
        self.lap_times = np.zeros(self.num_agents)
        self.lap_counts = np.zeros(self.num_agents)
        self.collisions = np.zeros(self.num_agents)
        self.poses_x, self.poses_y, self.poses_theta = (list(column) for column in poses.T)

    def reset(self, poses: ArrayLike) -> tuple[dict[str, Any], float, bool, dict[str, Any]]:
        """Puts the cars at poses (num_agents, 3) x, y [m], yaw [rad], and makes one step at rest, as f1tenth_gym does. Equal poses give equal scans: their noise starts anew."""
        poses = np.asarray(poses, np.float64)
        self.sim.reset(poses)
        self._start(poses)
        return self.step(np.zeros((self.num_agents, 2)))

    def step(self, action: ArrayLike) -> tuple[dict[str, Any], float, bool, dict[str, Any]]:
        """One timestep with actions (num_agents, 2): steering angle [rad], speed [m/s]. The reward is the timestep; `done` when the ego has hit something or all have driven two laps."""
        seen = self.sim.step(action)
        self.current_time += self.timestep
        self.poses_x, self.poses_y, self.poses_theta, self.collisions = (seen[key] for key in ("poses_x", "poses_y", "poses_theta", "collisions"))
        self._count_laps()
        seen.update(lap_times=self.lap_times.copy(), lap_counts=self.lap_counts.copy())
        F110Env.current_obs = seen
        self.render_obs = {key: seen[key] for key in ("ego_idx", "poses_x", "poses_y", "poses_theta", "lap_times", "lap_counts")}
        has_driven = self.toggle_list >= 4
        done = bool(self.collisions[self.ego_idx] or has_driven.all())
        return seen, self.timestep, done, {"checkpoint_done": has_driven}

    def _count_laps(self) -> None:
        """A lap is two passages of the gate at the start: 4 m wide, across the ego's start direction, 0.3 m deep to each side."""
        along, across = self.start_rot @ (np.array([self.poses_x, self.poses_y]) - [self.start_xs, self.start_ys])
        beside = np.maximum(np.abs(across) - GATE_HALF_WIDTH, 0.0)
        near = along**2 + beside**2 <= GATE_DEPTH_SQUARED
        self.toggle_list += near != self.near_starts
        self.near_starts = near
        self.lap_counts = self.toggle_list // 2
        self.lap_times = np.where(self.toggle_list < 4, self.current_time, self.lap_times)

    def render(self, mode: str = "human") -> None:
        """Shows the cars on the viewer's page, whose address is printed once."""
        if mode not in ("human", "human_fast"):
            raise CommandError(f'mode: found "{mode}"\n  accepted: human, human_fast')
        if self._page is None:
            self._page = self.sim.worlds.serve()
            print(f"viewer: {self._page}", flush=True)

    def close(self) -> None:
        """Ends the page."""
        self.sim.worlds.close()
        self._page = None


def _observation_space(count: int) -> spaces.Dict:
    """Of observations of so many cars."""

    def numbers(low: float, high: float, *shape: int) -> spaces.Box:
        return spaces.Box(low, high, (count, *shape), np.float64)

    infinite = float("inf")
    return spaces.Dict(
        {
            "ego_idx": spaces.Discrete(count),
            "scans": numbers(0.0, MAX_RANGE, BEAMS),
            "poses_x": numbers(-infinite, infinite),
            "poses_y": numbers(-infinite, infinite),
            "poses_theta": numbers(0.0, 2 * np.pi),
            "linear_vels_x": numbers(-infinite, infinite),
            "linear_vels_y": numbers(-infinite, infinite),
            "ang_vels_z": numbers(-infinite, infinite),
            "collisions": numbers(0.0, 1.0),
            "lap_times": numbers(0.0, infinite),
            "lap_counts": numbers(0.0, infinite),
        }
    )
