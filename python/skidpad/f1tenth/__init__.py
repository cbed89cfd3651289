"""The interface of f1tenth_gym (its releases for gym 0.19, v0.2.1 and the branch main), so that planners written for it run on skidpad.

    env = skidpad.f1tenth.make(map="racetrack", num_agents=2, timestep=0.01)
    obs, reward, done, info = env.reset(np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]))
    obs, reward, done, info = env.step(np.array([[steering_angle, speed], …]))

`install()` makes `gym.make("f110_gym:f110-v0", …)`, `gym.Env`, `gym.Wrapper`, `gym.spaces` and `f110_gym.envs` mean this, in programs that cannot be changed.
What differs: the cars are skidpad's `f1tenth_single_track`, whose steering and speed controllers are its own, and scans are those of its lidar. Poses are those of the
centre of mass, as there. docs/learning.md says more.
"""

from __future__ import annotations

from typing import Any

from .env import F110Env
from .install import install
from .laser import ScanSimulator2D
from .simulator import PARAMETERS, Integrator, RaceCar, Simulator

__all__ = ["PARAMETERS", "F110Env", "Integrator", "RaceCar", "ScanSimulator2D", "Simulator", "install", "make"]


def make(**arguments: Any) -> F110Env:
    """See `F110Env`."""
    return F110Env(**arguments)
