"""The environments under the names that `gymnasium.make` takes."""

from __future__ import annotations

from typing import Any

import gymnasium

from .single import SkidpadEnv
from .tasks import TASKS
from .vector import SkidpadVectorEnv


def make(task: str, render_mode: str | None = None, **arguments: Any) -> SkidpadEnv:
    """The environment of the task with this name; other arguments are those of its function in `skidpad.envs`."""
    return SkidpadEnv(TASKS[task](**arguments), render_mode)


def make_vec(
    task: str, num_envs: int = 1, render_mode: str | None = None, autoreset_mode: Any = "NextStep", threads: int = 0, **arguments: Any
) -> SkidpadVectorEnv:
    """The same for many drivers."""
    return SkidpadVectorEnv(TASKS[task](**arguments), num_envs, autoreset_mode=autoreset_mode, threads=threads, render_mode=render_mode)


def register() -> None:
    """Registers `skidpad/Race-v0` and the others; a second call has no effect."""
    for name in TASKS:
        name_and_version = f"skidpad/{name}-v0"
        if name_and_version not in gymnasium.registry:
            gymnasium.register(
                id=name_and_version,
                entry_point="skidpad.envs.registration:make",
                vector_entry_point="skidpad.envs.registration:make_vec",
                kwargs={"task": name},
            )
