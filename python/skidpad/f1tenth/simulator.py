"""The cars of `F110Env` and their world: what f1tenth_gym has in `f110_gym.envs.base_classes`."""

from __future__ import annotations

import collections
import enum
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import Worlds
from ..errors import CommandError
from .laser import BEAMS, FIELD_OF_VIEW, MAX_RANGE, ScanSimulator2D
from .maps import map_file

Array = NDArray[np.float64]

# Parameters of f1tenth_gym that are those of the car's class; others cannot be changed.
PARAMETERS = {
    "mu": 1.0489, "C_Sf": 4.718, "C_Sr": 5.4562, "lf": 0.15875, "lr": 0.17145, "h": 0.074, "m": 3.74, "I": 0.04712,
    "s_min": -0.4189, "s_max": 0.4189, "sv_min": -3.2, "sv_max": 3.2, "v_switch": 7.319, "a_max": 9.51, "v_min": -5.0, "v_max": 20.0,
    "width": 0.31, "length": 0.58,
}  # fmt: skip

# Distance of the centre of mass from the rear axle, which is the reference point of skidpad's car [m].
CENTRE = PARAMETERS["lr"]

# Distance of the front axle from the rear one [m].
WHEELBASE = PARAMETERS["lf"] + PARAMETERS["lr"]

# Steering commands take effect this many steps late, as there.
STEERING_DELAY = 2

# The front wheels among those of a car.
FRONT = [2, 3]

# Below this speed [m/s] a sideslip angle means nothing.
SLOW = 1e-3


class Integrator(enum.Enum):
    """skidpad has one integrator, which is accurate; `Euler` is accepted with a warning."""

    RK4 = 1
    Euler = 2


def checked_parameters(params: dict[str, float]) -> dict[str, float]:
    """A copy of the parameters. Raises CommandError for values that are not those of the car's class."""
    other = [f"{name}={value}" for name, value in params.items() if PARAMETERS.get(name) != value]
    if other:
        raise CommandError(f"params: found {', '.join(other)}\n  accepted: {PARAMETERS}\n  hint: for other parameters, define a vehicle class in a world file of your own")
    return {**PARAMETERS, **params}


class RaceCar:
    """A car of a `Simulator`.

    `state` (7,): x, y [m] of the centre of mass, steering angle [rad], speed [m/s], yaw [rad] from 0 to 2π, yaw rate [rad/s], sideslip angle [rad]. Numbers that a program writes into it
    hold from the next step on, the steering angle excepted: it follows commands only.
    """

    num_beams, fov, ttc_thresh, steer_buffer_size = BEAMS, FIELD_OF_VIEW, 0.005, STEERING_DELAY

    def __init__(self, simulator: Simulator, index: int) -> None:
        """`simulator` makes its cars itself."""
        self._simulator, self._index = simulator, index
        self.params, self.seed, self.time_step = simulator.params, simulator.seed, simulator.time_step
        self.is_ego, self.integrator, self.lidar_dist = index == simulator.ego_idx, simulator.integrator, simulator.lidar_dist
        self.state: Array = np.zeros(7)
        self.in_collision = False
        # Newest first, as there.
        self.steer_buffer: Array = np.empty(0)

    @property
    def opp_poses(self) -> Array:
        """(num_agents - 1, 3) of the other cars: x, y [m], yaw [rad]."""
        return np.delete(self._simulator.agent_poses, self._index, axis=0)

    @property
    def scan_simulator(self) -> ScanSimulator2D:
        """Scans of the map from any pose."""
        return self._simulator.scan_simulator

    @property
    def scan_angles(self) -> Array:
        """(1080,) direction of each beam from straight ahead [rad]."""
        return np.linspace(-0.5 * self.fov, 0.5 * self.fov, self.num_beams)

    @property
    def cosines(self) -> Array:
        """(1080,) of `scan_angles`."""
        return np.cos(self.scan_angles)

    @property
    def side_distances(self) -> Array:
        """(1080,) way of each beam from the car's middle to its edge [m]."""
        with np.errstate(divide="ignore"):
            to_side = 0.5 * self.params["width"] / np.abs(np.sin(self.scan_angles))
            to_end = 0.5 * WHEELBASE / np.abs(np.cos(self.scan_angles))
        return np.minimum(to_side, to_end)

    def reset(self, pose: ArrayLike) -> None:
        """Puts this car at a pose x, y [m], yaw [rad], at rest; its observation follows with the next step."""
        self._simulator.place(self._index, np.asarray(pose, np.float64))

    def update_params(self, params: dict[str, float]) -> None:
        """Accepts the parameters of the car's class; raises CommandError for others."""
        self.params = checked_parameters(params)

    def set_map(self, map_path: str, map_ext: str = ".png") -> None:
        """Uses another map, for all cars."""
        self._simulator.set_map(map_path, map_ext)


class Simulator:
    """Cars on a map: `reset`, then `step` with steering angles and speeds."""

    def __init__(
        self,
        params: dict[str, float] | None = None,
        num_agents: int = 2,
        seed: int = 12345,
        time_step: float = 0.01,
        ego_idx: int = 0,
        integrator: Any = Integrator.RK4,
        lidar_dist: float = 0.0,
    ) -> None:
        if getattr(integrator, "name", "RK4") != "RK4":
            warnings.warn(f"integrator: found {integrator.name}; skidpad has one integrator, which is used instead", stacklevel=4)
        self.params = checked_parameters(params or PARAMETERS)
        self.num_agents, self.seed, self.time_step, self.ego_idx = num_agents, seed, time_step, ego_idx
        self.integrator, self.lidar_dist = integrator, lidar_dist
        self.agents = [RaceCar(self, index) for index in range(num_agents)]
        self.agent_poses: Array = np.zeros((num_agents, 3))
        self.collisions: Array = np.zeros(num_agents)
        # Which other car each one has hit; -1: none.
        self.collision_idx: Array = -np.ones(num_agents)
        self.scan_simulator = ScanSimulator2D(BEAMS, FIELD_OF_VIEW)
        self._shown: Array = np.zeros((num_agents, 7))
        self._delayed = [collections.deque([0.0] * STEERING_DELAY) for _ in range(num_agents)]
        self._worlds: Worlds | None = None

    @property
    def worlds(self) -> Worlds:
        """The world of the cars."""
        if self._worlds is None:
            raise CommandError("map: none is set\n  hint: call set_map(map_path, map_ext) first")
        return self._worlds

    def set_map(self, map_path: str, map_ext: str = ".png") -> None:
        """Uses this map_server file, with or without its extension; `map_ext`: the extension of its image. The cars start anew, at the origin."""
        settings = {
            "map_path": map_file(map_path, map_ext),
            "num_agents": self.num_agents,
            "timestep": self.time_step,
            "scan_rate_hz": 1.0 / self.time_step,
            "scan_distance_to_base_link": CENTRE + self.lidar_dist,
            "scan_beams": BEAMS,
            "scan_fov": FIELD_OF_VIEW,
            "scan_range_max": MAX_RANGE,
        }
        if self._worlds is not None:
            self._worlds.close()
        self._worlds = worlds = Worlds("f1tenth", 1, seeds=self.seed, set=settings, threads=1)
        self.scan_simulator.set_map(map_path, map_ext)
        self._state, self._wheels, self._touching = worlds.state[0], worlds.wheels[0], worlds.collided[0]
        self._scans = [worlds.reading(f"{vehicle}/scan").ranges[0] for vehicle in worlds.vehicles]
        self.reset(np.zeros((self.num_agents, 3)))

    def update_params(self, params: dict[str, float], agent_idx: int = -1) -> None:
        """Accepts the parameters of the car's class; raises CommandError for others, and IndexError for a car that is not there."""
        if agent_idx >= self.num_agents:
            raise IndexError(f"agent_idx: found {agent_idx}\n  accepted: 0 to {self.num_agents - 1}, or -1 for all cars")
        for agent in self.agents if agent_idx < 0 else [self.agents[agent_idx]]:
            agent.update_params(params)

    def place(self, index: int, pose: Array, velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> None:
        """Puts a car at x, y [m], yaw [rad] of its centre of mass, with vx, vy [m/s] and yaw rate [rad/s] there, in the body frame."""
        x, y, yaw = pose
        vx, vy, yaw_rate = velocity
        self.worlds.place(
            self.worlds.vehicles[index], x - CENTRE * np.cos(yaw), y - CENTRE * np.sin(yaw), yaw, vx=vx, vy=vy - CENTRE * yaw_rate, yaw_rate=yaw_rate
        )
        agent = self.agents[index]
        agent.in_collision = False
        if velocity == (0.0, 0.0, 0.0):
            self._delayed[index] = collections.deque([0.0] * STEERING_DELAY)
            agent.steer_buffer = np.empty(0)
        self._read()

    def reset(self, poses: ArrayLike) -> None:
        """Puts the cars at poses (num_agents, 3) x, y [m], yaw [rad] of their centres of mass, at rest. Time and the noise of the scans start anew, so that equal poses give equal scans."""
        poses = np.asarray(poses, np.float64)
        if poses.shape != (self.num_agents, 3):
            raise CommandError(f"poses: found shape {poses.shape}\n  accepted: ({self.num_agents}, 3)")
        self.worlds.reset()
        for index, pose in enumerate(poses):
            self.place(index, pose)
        self.collisions = np.zeros(self.num_agents)

    def step(self, control_inputs: ArrayLike) -> dict[str, Any]:
        """One step with (num_agents, 2): steering angle [rad], speed [m/s]. Gives the observations that do not depend on laps."""
        action = np.asarray(control_inputs, np.float64)
        if action.shape != (self.num_agents, 2):
            raise CommandError(f"action: found shape {action.shape}\n  accepted: ({self.num_agents}, 2), steering angle and speed")
        if not np.isfinite(action).all():
            raise CommandError("action: holds a number that is not finite\n  accepted: steering angles [rad] and speeds [m/s]")
        self._take_changes()
        out = np.array([agent.in_collision for agent in self.agents])
        # A car that has hit something stands, as there.
        speed = np.where(out, 0.0, np.clip(action[:, 1], PARAMETERS["v_min"], PARAMETERS["v_max"]))
        steering = np.empty(self.num_agents)
        for index, angle in enumerate(np.clip(action[:, 0], PARAMETERS["s_min"], PARAMETERS["s_max"])):
            self._delayed[index].append(angle)
            steering[index] = self._delayed[index].popleft()
            self.agents[index].steer_buffer = np.append(angle, self.agents[index].steer_buffer)[:STEERING_DELAY]
        self.worlds.command(None, speed=speed[None], steering_angle=steering[None])
        self.worlds.step()
        self._read()
        out = out | self._touching
        for agent, is_out in zip(self.agents, out, strict=True):
            agent.in_collision = bool(is_out)
        self.collisions = out.astype(np.float64)
        state = self._shown
        return {
            "ego_idx": self.ego_idx,
            # Where nothing is within range, a scan has the largest range, as there.
            "scans": [np.clip(scan, 0.0, MAX_RANGE, dtype=np.float64) for scan in self._scans],
            "poses_x": list(state[:, 0]),
            "poses_y": list(state[:, 1]),
            "poses_theta": list(state[:, 4]),
            "linear_vels_x": list(state[:, 3]),
            # f1tenth_gym has no lateral velocity.
            "linear_vels_y": [0.0] * self.num_agents,
            "ang_vels_z": list(state[:, 5]),
            "collisions": self.collisions.copy(),
        }

    def check_collision(self) -> None:
        """`collisions` are up to date after every step; this does nothing more."""

    def _read(self) -> None:
        """Fills the states of the cars from the world."""
        state, steer = self._state, self._wheels["steer"]
        yaw, vx = state["yaw"], state["vx"]
        vy = state["vy"] + CENTRE * state["yaw_rate"]
        speed = np.copysign(np.hypot(vx, vy), vx)
        # The angle of the car's middle, whose cotangent is the mean of those of the front wheels.
        left, right = np.tan(steer[:, FRONT]).T
        total = left + right
        middle = np.arctan(np.divide(2.0 * left * right, total, out=np.zeros_like(total), where=np.abs(total) > 1e-12))
        slip = np.where(np.abs(speed) > SLOW, np.arctan2(np.copysign(1.0, vx) * vy, np.abs(vx)), 0.0)
        columns = (state["x"] + CENTRE * np.cos(yaw), state["y"] + CENTRE * np.sin(yaw), middle, speed, np.mod(yaw, 2 * np.pi), state["yaw_rate"], slip)
        self._shown = np.array(columns).T
        self.agent_poses = self._shown[:, [0, 1, 4]]
        for agent, shown in zip(self.agents, self._shown, strict=True):
            agent.state = shown.copy()

    def _take_changes(self) -> None:
        """Gives the world what a program has written into the states of cars since the last step."""
        for index, agent in enumerate(self.agents):
            state = np.asarray(agent.state, np.float64)
            if np.array_equal(state, self._shown[index]):
                continue
            if state.shape != (7,) or not np.isfinite(state).all():
                raise CommandError(f"state of car {index}: found {state}\n  accepted: 7 finite numbers: x, y, steering angle, speed, yaw, yaw rate, sideslip angle")
            if state[2] != self._shown[index][2]:
                raise CommandError(f"state of car {index}: found another steering angle, {state[2]:g} rad\n  accepted: the present one; it follows the commands")
            x, y, _, speed, yaw, yaw_rate, slip = state
            in_collision = agent.in_collision
            self.place(index, np.array([x, y, yaw]), (speed * np.cos(slip), speed * np.sin(slip), yaw_rate))
            agent.in_collision = in_collision
