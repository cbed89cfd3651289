"""`install`: the modules `gym` and `f110_gym` for programs that cannot be changed."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

import gymnasium
from gymnasium import spaces

from ..errors import CommandError, SkidpadError
from . import old_gym
from .env import F110Env
from .laser import ScanSimulator2D
from .simulator import Integrator, RaceCar, Simulator

# Names that `gym.make` takes for the environment.
NAMES = ("f110_gym:f110-v0", "f110-v0")

# Parts of f110_gym.envs that are not here, and what to do instead.
ABSENT = {
    "rendering": "env.render() shows the page",
    "dynamic_models": "the cars are skidpad's; sim.agents[index].state has what they do",
    "collision_models": "obs['collisions'] and sim.collisions say who has hit something",
}


def install() -> None:
    """Lets `import gym` and `import f110_gym` find this interface, in programs written for f1tenth_gym that cannot be changed.

    `gym` has `make`, `register`, `Env`, `Wrapper` with those for observations, rewards and actions, and `spaces`. Raises SkidpadError if one of the modules is already loaded.
    """
    for name in ("gym", "f110_gym"):
        if name in sys.modules:
            raise SkidpadError(f"install: {name} is already imported\n  hint: call skidpad.f1tenth.install() first")
    registered: dict[str, tuple[Any, dict[str, Any]]] = {}

    def make(id: str, **arguments: Any) -> Any:
        if id in registered:
            entry, defaults = registered[id]
            return _entry(entry)(**{**defaults, **arguments})
        if id not in NAMES:
            raise CommandError(f'gym.make: found "{id}"\n  accepted: {", ".join([*NAMES, *registered])}')
        return F110Env(**arguments)

    def register(id: str, entry_point: Any = None, kwargs: dict[str, Any] | None = None, **_options: Any) -> None:
        registered[id] = (entry_point, kwargs or {})

    wrappers = {name: getattr(old_gym, name) for name in ("Wrapper", "ObservationWrapper", "RewardWrapper", "ActionWrapper")}
    classes = {"Env": old_gym.Env, **wrappers}
    core = _module("gym.core", **classes)
    registration = _module("gym.envs.registration", register=register, make=make)
    envs = _module("gym.envs", registration=registration)
    seeding = _module("gym.utils.seeding", np_random=gymnasium.utils.seeding.np_random)
    utils = _module("gym.utils", seeding=seeding)
    modules = [
        _module("gym", make=make, register=register, spaces=spaces, core=core, envs=envs, utils=utils, error=gymnasium.error, logger=gymnasium.logger, **classes),
        core,
        envs,
        registration,
        utils,
        seeding,
    ]
    for name in ("spaces", "error", "logger"):
        sys.modules[f"gym.{name}"] = getattr(modules[0], name)
    for name in [name for name in sys.modules if name.startswith("gymnasium.spaces.")]:
        sys.modules[name.replace("gymnasium", "gym", 1)] = sys.modules[name]
    own = {"F110Env": F110Env, "Integrator": Integrator, "RaceCar": RaceCar, "Simulator": Simulator, "ScanSimulator2D": ScanSimulator2D}
    parts = [
        _module("f110_gym.envs.f110_env", F110Env=F110Env),
        _module("f110_gym.envs.base_classes", Integrator=Integrator, RaceCar=RaceCar, Simulator=Simulator),
        _module("f110_gym.envs.laser_models", ScanSimulator2D=ScanSimulator2D),
        *(_absent(f"f110_gym.envs.{name}", hint) for name, hint in ABSENT.items()),
    ]
    own_envs = _module("f110_gym.envs", **own, **{part.__name__.rpartition(".")[2]: part for part in parts})
    modules += [_module("f110_gym", envs=own_envs), own_envs, *parts]
    sys.modules.update({module.__name__: module for module in modules})


def _module(name: str, **content: Any) -> types.ModuleType:
    """A module that can have submodules, with these names."""
    module = types.ModuleType(name, __doc__)
    module.__dict__.update(content, __path__=[])
    return module


def _absent(name: str, hint: str) -> types.ModuleType:
    """A module of which nothing is here; who asks for a part is told so."""
    module = _module(name)

    def missing(part: str) -> Any:
        if part.startswith("__"):
            raise AttributeError(part)
        raise ImportError(f"{name}: {part} is not part of skidpad.f1tenth\n  accepted: f110_env, base_classes, laser_models of f110_gym.envs\n  hint: {hint}")

    module.__dict__["__getattr__"] = missing
    return module


def _entry(entry: str | Callable[..., Any]) -> Callable[..., Any]:
    """What an entry point `module:name` stands for."""
    if not isinstance(entry, str):
        return entry
    module, _, name = entry.partition(":")
    return getattr(__import__(module, fromlist=[name]), name)
