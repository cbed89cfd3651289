"""Step responses of a vehicle, and the metric of them that tuning makes small."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike

import numpy as np
from numpy.typing import NDArray

from .._skidpad import World
from ..errors import CommandError

DURATION = 2.0
"""Time before and after each step [s]: the vehicle settles at the first set-point, then answers to the second."""
BAND = 0.02
"""Overshoot below this share of the step costs nothing."""
WEIGHTS = (1.0, 2.0, 0.05)
"""Weights of tracking, overshoot and chatter."""


@dataclass(frozen=True)
class Step:
    """A step of the command: `quantity` is `vx` [m/s] or `yaw_rate` [rad/s], set from `start` to `end` while the other is zero."""

    quantity: str
    start: float
    end: float

    @property
    def name(self) -> str:
        """A name for tables and plots."""
        return f"{self.quantity} {self.start:g} to {self.end:g}"


@dataclass
class Response:
    """The answer to a step, from the instant of the step on."""

    step: Step
    time: NDArray[np.float64]
    """(n,) since the step [s]."""
    value: NDArray[np.float64]
    """(n,) of the commanded quantity [m/s, rad/s]."""
    torque: NDArray[np.float64]
    """(n,) sum of the sizes of the wheels' torques [N·m]."""


def steps_of(world: World, vehicle: str, speed: float, yaw_rate: float) -> list[Step]:
    """Steps in both directions and of two sizes: from rest, between speeds, to rest, and in yaw rate if the vehicle turns on the spot."""
    steps = [Step("vx", *ends) for ends in ((0, speed), (0, 0.5 * speed), (0.5 * speed, speed), (speed, 0.5 * speed), (speed, 0), (0, -0.5 * speed))]
    if world.vehicle_info(vehicle)["wheelbase"] is None:
        steps += [Step("yaw_rate", *ends) for ends in ((0, yaw_rate), (0, -0.5 * yaw_rate), (yaw_rate, 0))]
    return steps


def respond(world: World, vehicle: str, gains: Mapping[str, float], step: Step) -> Response:
    """Resets the world, sets the gains, and lets the vehicle answer to a step. Speeds are those of the body, not of the wheels."""
    world.reset()
    for name, value in gains.items():
        world.set_parameter(vehicle, name, value)
    index, count = world.vehicles.index(vehicle), round(DURATION / world.timestep)
    _command(world, vehicle, step.quantity, step.start)
    if step.start != 0:
        world.step(count)
    _command(world, vehicle, step.quantity, step.end)
    answer, torque = np.empty(count + 1), np.empty(count + 1)
    times = np.arange(count + 1, dtype=np.float64) * world.timestep
    for k in range(count + 1):
        if k:
            world.step()
        answer[k] = world.state[step.quantity][index]
        torque[k] = np.abs(world.wheels["torque"][index]).sum()
    return Response(step, times, answer, torque)


def _command(world: World, vehicle: str, quantity: str, value: float) -> None:
    world.command(vehicle, **({"vx": value, "yaw_rate": 0.0} if quantity == "vx" else {"vx": 0.0, "yaw_rate": value}))


def parts(response: Response, largest_torque: float) -> NDArray[np.float64]:
    """The three parts of the metric, all of the step's size or of the controller's limit `largest_torque` [N·m] (0: the largest torque of this response):
    (2/T²)·∫t·|e|dt, the overshoot beyond 2 %, and chatter: how much the wheels' torque goes up and down per second beyond one rise over its whole range and one fall,
    which every answer needs."""
    step = response.step
    error = (step.end - response.value) / (step.end - step.start)
    dt = response.time[1] - response.time[0]
    itae = 2.0 / response.time[-1] ** 2 * np.sum(response.time * np.abs(error)) * dt
    overshoot = max(0.0, np.max(-error) - BAND)
    scale = largest_torque or response.torque.max() or 1.0
    variation = np.abs(np.diff(response.torque)).sum() - 2.0 * np.ptp(response.torque)
    return np.array([itae, overshoot, max(0.0, variation) / (scale * response.time[-1])])


def score(response: Response, largest_torque: float) -> float:
    """J = (2/T²)·∫t·|e|dt + 2·max(0, overshoot − 0.02) + 0.05·C: the weighted sum of `parts`."""
    return float(parts(response, largest_torque) @ WEIGHTS)


@dataclass(frozen=True)
class Evaluation:
    """Mean metric over steps for given gains, as an experiment of a sweep: the variables are the gains."""

    world: str | PathLike[str]
    vehicle: str
    steps: tuple[Step, ...]
    checksum: str | None = None
    """Of the world file with the files that it names: a process that has loaded it before loads it again after a change."""

    def __call__(self, variables: Mapping[str, float], seed: int) -> dict[str, float]:
        return {"metric": self.mean(loaded(self.world, self.checksum), variables)}

    def mean(self, world: World, gains: Mapping[str, float]) -> float:
        """The mean metric, in a world that is loaded."""
        return float(self.parts(world, gains) @ WEIGHTS)

    def parts(self, world: World, gains: Mapping[str, float]) -> NDArray[np.float64]:
        """The means of the parts of the metric, in a world that is loaded."""
        limit = world.parameters(self.vehicle).get("max_torque", 0.0)
        return np.mean([parts(respond(world, self.vehicle, gains, step), limit) for step in self.steps], axis=0)


_worlds: dict[tuple[str, str | None], World] = {}


def loaded(world: str | PathLike[str], checksum: str | None = None) -> World:
    """The world with this checksum of its files, loaded once in each process."""
    key = str(world), checksum
    if key not in _worlds:
        _worlds[key] = World(world)
    return _worlds[key]


def chosen_vehicle(world: World, vehicle: str | None) -> str:
    """The vehicle to tune: the given one, or the only one. Raises CommandError for others and for those without gains or without velocity commands."""
    if vehicle is None:
        if len(world.vehicles) != 1:
            raise CommandError(f"--vehicle: is missing\n  accepted: {', '.join(world.vehicles)}")
        vehicle = world.vehicles[0]
    if vehicle not in world.vehicles:
        raise CommandError(f"--vehicle {vehicle}: is not in the world\n  accepted: {', '.join(world.vehicles)}")
    info = world.vehicle_info(vehicle)
    if not {"kp", "ki", "kd"} <= info["parameters"].keys() or "twist" not in info["accepts"]:
        raise CommandError(
            f"{vehicle}: its controller has no speed PID\n  accepted: controllers with kp, ki and kd that take a twist\n  hint: docs/world/controllers.md"
        )
    return vehicle
