"""skidpad simulates wheeled vehicles with tyre physics and lidars.

>>> import skidpad
>>> world = skidpad.World("racecar")
>>> world.command(speed=2.0, steering_angle=0.1)
>>> world.step(400)
>>> bool(world.state["x"][0] > 1.0)
True

`World` is one simulation, `Worlds` thousands of them. SI units and radians everywhere. `skidpad.envs` has environments for learning, and `skidpad.f1tenth` the interface of
f1tenth_gym; `skidpad.sweep` makes many runs; `skidpad.testing` makes tests of scenarios; `skidpad.connect` reaches a running `skidpad run`. They are loaded when they are used, as is NumPy.
"""

from __future__ import annotations

import importlib
import os
import pathlib
import sys
from typing import TYPE_CHECKING, Any

from . import _skidpad
from ._skidpad import __version__
from .errors import CommandError, ScenarioError, SkidpadError, StepError, WorldError

if TYPE_CHECKING:
    from ._skidpad import POSE, STATE, WHEEL, BatchReading, Path, Reading, World, Worlds


def _with_messages(path: list[str]) -> list[str]:
    """The folders of this package, and those on `sys.path` that have the messages of the ROS package of the same name."""
    folders = (os.path.join(entry, "skidpad") for entry in sys.path)
    return [*path, *(folder for folder in folders if folder not in path and os.path.isfile(os.path.join(folder, "msg", "__init__.py")))]


# Where the messages come first on the path, they hand over to this package (ros/messages/__init__.py).
__path__ = _with_messages(list(__path__))

WORLDS = pathlib.Path(__file__).parent / "worlds"
"""Folder of the world files that come with the package."""

__all__ = [
    "POSE",
    "STATE",
    "WHEEL",
    "WORLDS",
    "BatchReading",
    "CommandError",
    "Path",
    "Reading",
    "ScenarioError",
    "SkidpadError",
    "StepError",
    "World",
    "WorldError",
    "Worlds",
    "__version__",
]


# What needs NumPy, which the command `skidpad` starts without.
_COMPILED = ("POSE", "STATE", "WHEEL", "BatchReading", "Path", "Reading", "World", "Worlds")
# Submodules that are imported when they are used, and names of theirs.
_SUBMODULES = ("envs", "examples", "f1tenth", "remote", "sweep", "testing", "tune")
_NAMES = {"connect": "remote", "grid": "sweep", "latin_hypercube": "sweep"}


def __getattr__(name: str) -> Any:
    if name in _COMPILED:
        # From now on it is a name of this module as any other.
        return globals().setdefault(name, getattr(_skidpad, name))
    if name in _NAMES:
        return getattr(importlib.import_module(f".{_NAMES[name]}", __name__), name)
    if name in _SUBMODULES:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_COMPILED, *_SUBMODULES, *_NAMES})
