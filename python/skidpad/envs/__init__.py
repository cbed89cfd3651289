"""Environments for learning: Gymnasium (one car, or thousands in one vector environment), PettingZoo, and the interface of f1tenth_gym.

`gymnasium.make("skidpad/Race-v0")`, `gymnasium.make_vec("skidpad/Race-v0", num_envs=256)`. A `Task` puts an environment together from parts: actions, observations,
rewards, ends, starts. docs/learning.md describes all of them.
"""

from .actions import SpeedSteering, Velocity
from .drivers import Drivers
from .ends import AtGoal, Backwards, OffPath, OnCollision, OnOverturn
from .observations import BlockPose, Field, GoalBearing, LastAction, PathAhead, PathError, Scan, SideSlip, Speed, Steering, YawRate
from .registration import register
from .rewards import Collided, Constant, Drift, GoalProgress, PathOffset, Progress, Reached, Smoothness
from .single import SkidpadEnv
from .starts import AsLoaded, FreeCells, OnPath, Poses
from .task import Task
from .tasks import TASKS, drift, follow, goal, push, race
from .tracks import track
from .vector import SkidpadVectorEnv

register()

__all__ = [
    "TASKS",
    "AsLoaded",
    "AtGoal",
    "Backwards",
    "BlockPose",
    "Collided",
    "Constant",
    "Drift",
    "Drivers",
    "Field",
    "FreeCells",
    "GoalBearing",
    "GoalProgress",
    "LastAction",
    "OffPath",
    "OnCollision",
    "OnOverturn",
    "OnPath",
    "PathAhead",
    "PathError",
    "PathOffset",
    "Poses",
    "Progress",
    "Reached",
    "Scan",
    "SideSlip",
    "SkidpadEnv",
    "SkidpadVectorEnv",
    "Smoothness",
    "Speed",
    "SpeedSteering",
    "Steering",
    "Task",
    "Velocity",
    "YawRate",
    "drift",
    "follow",
    "goal",
    "push",
    "race",
    "register",
    "track",
]
