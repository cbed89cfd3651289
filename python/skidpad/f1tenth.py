"""The interface of f1tenth_gym (its release for gym 0.19), so that planners written for it run on skidpad.

    env = skidpad.f1tenth.make(map="levine", map_ext=".png", num_agents=2, timestep=0.01)
    obs, reward, done, info = env.reset(np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]))
    obs, reward, done, info = env.step(np.array([[steering_angle, speed], …]))

`install()` makes `gym.make("f110_gym:f110-v0", …)` and `from f110_gym.envs.base_classes import Integrator` mean this, in programs that cannot be changed.
What differs: the cars are skidpad's `f1tenth_single_track`, whose steering and speed controllers are its own, and scans are those of its lidar. Poses are those of the
centre of mass, as there. docs/learning.md says more.
"""

from __future__ import annotations

import collections
import enum
import pathlib
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import Worlds
from .errors import CommandError

# Parameters of f1tenth_gym that are those of the car's class; others cannot be changed.
PARAMETERS = {
    "mu": 1.0489, "C_Sf": 4.718, "C_Sr": 5.4562, "lf": 0.15875, "lr": 0.17145, "h": 0.074, "m": 3.74, "I": 0.04712,
    "s_min": -0.4189, "s_max": 0.4189, "sv_min": -3.2, "sv_max": 3.2, "v_switch": 7.319, "a_max": 9.51, "v_min": -5.0, "v_max": 20.0,
    "width": 0.31, "length": 0.58,
}  # fmt: skip

# Distance of the centre of mass from the rear axle, which is the reference point of skidpad's car [m].
CENTRE = PARAMETERS["lr"]

# Steering commands take effect this many steps late, as there.
STEERING_DELAY = 2

# Largest speed that planners may ask for [m/s].
FASTEST = 20.0


class Integrator(enum.Enum):
    """Accepted and ignored: skidpad has one integrator."""

    RK4 = 1
    Euler = 2


class F110Env:
    """An environment as `f110_gym.envs.F110Env`.

    `map`: a map_server file, with or without its extension; `map_ext`: that of its image (ignored, the file names it). `num_agents`; `timestep` [s]; `ego_idx`; `seed`; `params`: only the
    values of `PARAMETERS`; `integrator`: ignored; `lidar_dist`: position of the lidar ahead of the centre of mass [m].
    """

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
        self.num_agents, self.timestep, self.ego_idx = num_agents, timestep, ego_idx
        self._settings = {"num_agents": num_agents, "timestep": timestep, "scan_rate_hz": 1.0 / timestep, "scan_distance_to_base_link": CENTRE + lidar_dist, "scan_beams": 1080}
        self._seed = seed
        self._page: str | None = None
        self.render_callbacks: list[Callable[[Any], None]] = []
        self.update_params(params or PARAMETERS)
        self.update_map(map, map_ext)

    def update_map(self, map_path: str, map_ext: str = ".png") -> None:
        """Uses another map from the next reset on."""
        self._worlds = Worlds("f1tenth", 1, seeds=self._seed, set={**self._settings, "map_path": _map_file(map_path)}, threads=1)
        worlds = self._worlds
        state = worlds.state[0]
        self._x, self._y, self._yaw = state["x"], state["y"], state["yaw"]
        self._vx, self._vy, self._yaw_rate = state["vx"], state["vy"], state["yaw_rate"]
        self._collided = worlds.collided[0]
        self._scans = [worlds.reading(f"{vehicle}/scan").ranges[0] for vehicle in worlds.vehicles]

    def update_params(self, params: dict[str, float], index: int = -1) -> None:
        """Accepts the parameters of the car's class; raises CommandError for other values."""
        other = [f"{name}={value}" for name, value in params.items() if PARAMETERS.get(name) != value]
        if other:
            raise CommandError(
                f"params: found {', '.join(other)}\n  accepted: {PARAMETERS}\n  hint: a car with other numbers is a class in a world file of your own"
            )

    def add_render_callback(self, callback_func: Callable[[Any], None]) -> None:
        """Accepted and ignored: the page draws."""
        self.render_callbacks.append(callback_func)

    def reset(self, poses: ArrayLike) -> tuple[dict[str, Any], float, bool, dict[str, Any]]:
        """Puts the cars at poses (num_agents, 3) x, y [m], yaw [rad], and makes one step at rest, as f1tenth_gym does."""
        poses = np.asarray(poses, np.float64)
        if poses.shape != (self.num_agents, 3):
            raise CommandError(f"poses: found shape {poses.shape}\n  accepted: ({self.num_agents}, 3)")
        self._worlds.reset(time=False)
        for vehicle, (x, y, yaw) in zip(self._worlds.vehicles, poses, strict=True):
            self._worlds.place(vehicle, x - CENTRE * np.cos(yaw), y - CENTRE * np.sin(yaw), yaw)
        self._starts = poses
        self._time = 0.0
        self._near = np.ones(self.num_agents, np.bool_)
        self._toggles = np.zeros(self.num_agents)
        self.lap_times = np.zeros(self.num_agents)
        self.lap_counts = np.zeros(self.num_agents)
        self._out = np.zeros(self.num_agents, np.bool_)
        self._steering = collections.deque([np.zeros(self.num_agents)] * STEERING_DELAY)
        return self.step(np.zeros((self.num_agents, 2)))

    def step(self, action: ArrayLike) -> tuple[dict[str, Any], float, bool, dict[str, Any]]:
        """One timestep with actions (num_agents, 2): steering angle [rad], speed [m/s]. The reward is the timestep; `done` when the ego has hit something or all have driven two laps."""
        action = np.asarray(action, np.float64)
        if action.shape != (self.num_agents, 2):
            raise CommandError(f"action: found shape {action.shape}\n  accepted: ({self.num_agents}, 2), steering angle and speed")
        if not np.isfinite(action).all():
            raise CommandError("action: holds a number that is not finite\n  accepted: steering angles [rad] and speeds [m/s]")
        # A car that has hit something stands, as there.
        speed = np.where(self._out, 0.0, np.clip(action[:, 1], PARAMETERS["v_min"], FASTEST))
        self._steering.append(np.clip(action[:, 0], PARAMETERS["s_min"], PARAMETERS["s_max"]))
        self._worlds.command(None, speed=speed[None], steering_angle=self._steering.popleft()[None])
        self._worlds.step()
        self._time += self.timestep
        self._out = self._out | self._collided
        self._count_laps()
        done = bool(self._out[self.ego_idx] or (self._toggles >= 4).all())
        return self._observation(), self.timestep, done, {"checkpoint_done": self._toggles >= 4}

    def _observation(self) -> dict[str, Any]:
        return {
            "ego_idx": self.ego_idx,
            "scans": [scan.astype(np.float64) for scan in self._scans],
            "poses_x": list(self._x + CENTRE * np.cos(self._yaw)),
            "poses_y": list(self._y + CENTRE * np.sin(self._yaw)),
            "poses_theta": list(self._yaw),
            "linear_vels_x": list(self._vx),
            # f1tenth_gym has no lateral velocity.
            "linear_vels_y": [0.0] * self.num_agents,
            "ang_vels_z": list(self._yaw_rate),
            "collisions": self._out.astype(np.float64),
            "lap_times": self.lap_times.copy(),
            "lap_counts": self.lap_counts.copy(),
        }

    def _count_laps(self) -> None:
        """A lap is two passages of the gate at the start: 4 m wide, across the ego's start direction, 0.3 m deep to each side."""
        yaw = self._starts[self.ego_idx, 2]
        dx = self._x + CENTRE * np.cos(self._yaw) - self._starts[:, 0]
        dy = self._y + CENTRE * np.sin(self._yaw) - self._starts[:, 1]
        along, across = np.cos(yaw) * dx + np.sin(yaw) * dy, np.cos(yaw) * dy - np.sin(yaw) * dx
        beside = np.maximum(np.abs(across) - 2.0, 0.0)
        near = along**2 + beside**2 <= 0.1
        self._toggles += near != self._near
        self._near = near
        self.lap_counts = self._toggles // 2
        self.lap_times = np.where(self._toggles < 4, self._time, self.lap_times)

    def render(self, mode: str = "human") -> None:
        """Shows the cars on the viewer's page, whose address is printed once."""
        if mode not in ("human", "human_fast"):
            raise ValueError(f'mode: found "{mode}"\n  accepted: human, human_fast')
        if self._page is None:
            self._page = self._worlds.serve()
            print(f"viewer: {self._page}", flush=True)

    def close(self) -> None:
        """Ends the page."""
        self._worlds.close()
        self._page = None


def _map_file(name: str) -> str:
    """The map_server file of a name as f1tenth_gym takes it: a path without extension, or a track of the package."""
    from .envs.tracks import NAMES, track

    if name in NAMES:
        return track(name)[0]
    file = pathlib.Path(name if str(name).endswith(".yaml") else f"{name}.yaml")
    if not file.is_file():
        raise CommandError(f"map {name}: there is no {file}\n  accepted: {', '.join(NAMES)}, or a map_server file")
    return str(file.resolve())


def make(**arguments: Any) -> F110Env:
    """See `F110Env`."""
    return F110Env(**arguments)


def install() -> None:
    """Lets `import gym` and `import f110_gym` find this interface, in programs written for f1tenth_gym that cannot be changed.

    Raises SkidpadError if one of them is already loaded.
    """
    from .errors import SkidpadError

    for name in ("gym", "f110_gym"):
        if name in sys.modules:
            raise SkidpadError(f"install: {name} is already imported\n  hint: call skidpad.f1tenth.install() first")

    def gym_make(name: str, **arguments: Any) -> F110Env:
        if name not in ("f110_gym:f110-v0", "f110-v0"):
            raise CommandError(f'gym.make: found "{name}"\n  accepted: f110_gym:f110-v0')
        return make(**arguments)

    modules = {name: types.ModuleType(name, __doc__) for name in ("gym", "f110_gym", "f110_gym.envs", "f110_gym.envs.base_classes", "f110_gym.envs.f110_env")}
    modules["gym"].__dict__.update(make=gym_make)
    modules["f110_gym.envs.base_classes"].__dict__.update(Integrator=Integrator)
    modules["f110_gym.envs.f110_env"].__dict__.update(F110Env=F110Env)
    modules["f110_gym.envs"].__dict__.update(F110Env=F110Env)
    sys.modules.update(modules)
