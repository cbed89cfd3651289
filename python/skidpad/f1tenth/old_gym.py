"""Environments and wrappers with the four results of gym 0.19, for programs that import `gym`. Spaces are those of Gymnasium, which has kept their interface."""

from __future__ import annotations

from typing import Any


class Env:
    """An environment: `reset` gives an observation, `step(action)` observation, reward, done and info."""

    metadata: dict[str, Any] = {"render.modes": []}
    reward_range = (-float("inf"), float("inf"))
    spec: Any = None
    action_space: Any = None
    observation_space: Any = None

    def step(self, action: Any) -> Any:
        """Observation, reward, done and info."""
        raise NotImplementedError

    def reset(self, *arguments: Any, **options: Any) -> Any:
        """The first observation of an episode."""
        raise NotImplementedError

    def render(self, mode: str = "human") -> Any:
        """Shows the environment."""
        raise NotImplementedError

    def close(self) -> None:
        """Ends what `render` has started."""

    def seed(self, seed: int | None = None) -> Any:
        """Seeds the environment; gives the seeds that it uses."""

    @property
    def unwrapped(self) -> Any:
        """The environment inside all wrappers."""
        return self

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class Wrapper(Env):
    """Another environment inside this one; what a class derived from it does not define is that of `env`."""

    def __init__(self, env: Any) -> None:
        self.env = env
        for name in ("action_space", "observation_space", "metadata", "reward_range"):
            setattr(self, name, getattr(env, name))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "env":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self.env, name)

    @property
    def spec(self) -> Any:
        """That of `env`."""
        return self.env.spec

    def step(self, action: Any) -> Any:
        return self.env.step(action)

    def reset(self, *arguments: Any, **options: Any) -> Any:
        return self.env.reset(*arguments, **options)

    def render(self, mode: str = "human", **options: Any) -> Any:
        return self.env.render(mode, **options)

    def close(self) -> None:
        self.env.close()

    @property
    def seed(self) -> Any:
        """That of `env`, which f1tenth_gym has as a number."""
        return self.__dict__.get("_own_seed", self.env.seed)

    @seed.setter
    def seed(self, seed: Any) -> None:
        self.__dict__["_own_seed"] = seed

    @property
    def unwrapped(self) -> Any:
        return self.env.unwrapped

    def __str__(self) -> str:
        return f"<{type(self).__name__}{self.env}>"


class ObservationWrapper(Wrapper):
    """Changes observations: `observation(observation)`."""

    def observation(self, observation: Any) -> Any:
        """What is seen instead."""
        raise NotImplementedError

    def reset(self, *arguments: Any, **options: Any) -> Any:
        return self.observation(self.env.reset(*arguments, **options))

    def step(self, action: Any) -> Any:
        observation, reward, done, info = self.env.step(action)
        return self.observation(observation), reward, done, info


class RewardWrapper(Wrapper):
    """Changes rewards: `reward(reward)`."""

    def reward(self, reward: float) -> float:
        """The reward instead."""
        raise NotImplementedError

    def step(self, action: Any) -> Any:
        observation, reward, done, info = self.env.step(action)
        return observation, self.reward(reward), done, info


class ActionWrapper(Wrapper):
    """Changes actions: `action(action)`."""

    def action(self, action: Any) -> Any:
        """What is done instead."""
        raise NotImplementedError

    def step(self, action: Any) -> Any:
        return self.env.step(self.action(action))
