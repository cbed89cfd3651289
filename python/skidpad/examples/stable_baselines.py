"""Learns to race with PPO of Stable-Baselines3: many cars in Rust threads as one of its vector environments.

    pip install "skidpad[gym]" stable-baselines3
    python -m skidpad.examples.stable_baselines --steps 400000 --out ppo_race.zip

Trains on one track, and drives another one that it has not seen. `Vectorized` suits every task of `skidpad.envs` and every algorithm of Stable-Baselines3.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecEnv, VecMonitor

from skidpad.envs import SkidpadVectorEnv, Task, race

TRAINING, UNSEEN = "track_bean", "track_zigzag"


class Vectorized(VecEnv):
    """`num_envs` drivers of a task as a vector environment of Stable-Baselines3."""

    def __init__(self, task: Task, num_envs: int, seed: int = 1, threads: int = 0) -> None:
        self.envs = SkidpadVectorEnv(task, num_envs, autoreset_mode=AutoresetMode.SAME_STEP, threads=threads)
        self._seed: int | None = seed
        self._actions = np.zeros((num_envs, 2), np.float32)
        super().__init__(num_envs, self.envs.single_observation_space, self.envs.single_action_space)

    def reset(self) -> Any:
        """Begins all episodes; the seed counts once."""
        seen, _ = self.envs.reset(seed=self._seed)
        self._seed = None
        return seen.copy()

    def step_async(self, actions: Any) -> None:
        self._actions = np.asarray(actions, np.float32)

    def step_wait(self) -> Any:
        seen, reward, terminated, truncated, info = self.envs.step(self._actions)
        ended = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for index in np.flatnonzero(ended):
            infos[index] = {"terminal_observation": info["final_obs"][index], "TimeLimit.truncated": bool(truncated[index] and not terminated[index])}
        return seen.copy(), reward.astype(np.float32), ended.copy(), infos

    def close(self) -> None:
        self.envs.close()

    def seed(self, seed: int | None = None) -> list[int | None]:
        """The seed of the next reset."""
        self._seed = seed
        return [None if seed is None else seed + index for index in range(self.num_envs)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self.envs, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise NotImplementedError("the drivers of a vector share one environment\n  hint: change the task")

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        raise NotImplementedError("the drivers of a vector share one environment\n  hint: call the method of `envs`")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * len(list(self._get_indices(indices)))


def evaluate(model: Any, task: Task, cars: int = 16, seconds: float = 60.0) -> tuple[int, float]:
    """Drives without exploration: how many cars touched a wall, and the fewest laps of the others."""
    env = SkidpadVectorEnv(task.but(time_limit=None), cars, autoreset_mode=AutoresetMode.NEXT_STEP)
    seen, _ = env.reset(seed=100)
    distance, crashed = np.zeros(cars), np.zeros(cars, np.bool_)
    for _ in range(round(seconds / task.period)):
        action, _ = model.predict(seen, deterministic=True)
        seen, _, terminated, _, _ = env.step(action)
        distance += np.where(crashed, 0.0, env.episodes.drivers.progress)
        crashed |= terminated
    assert task.path is not None
    return int(crashed.sum()), float(distance[~crashed].min() / task.path.length) if not crashed.all() else 0.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Trains, saves and evaluates; 1 if a car touched a wall of the unseen track."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=400_000, help="of all cars together [400000]")
    parser.add_argument("--cars", type=int, default=32)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("ppo_race.zip"))
    given = parser.parse_args(arguments)
    tasks = {name: race(name, beams=27, fastest=5.0, slowest=0.5, time_limit=30.0) for name in (TRAINING, UNSEEN)}
    env = VecMonitor(Vectorized(tasks[TRAINING], given.cars, given.seed))
    model = PPO(
        "MlpPolicy",
        env,
        n_steps=256,
        batch_size=1024,
        n_epochs=5,
        gamma=0.99,
        learning_rate=5e-4,
        ent_coef=0.002,
        policy_kwargs={"log_std_init": -0.7},
        seed=given.seed,
        device="cpu",
        verbose=1,
    )
    model.learn(given.steps)
    model.save(given.out)
    touched = 0
    for name, task in tasks.items():
        touched, laps = evaluate(model, task)
        print(f"{name}: {touched} of 16 cars touched a wall; the slowest other one drove {laps:.1f} laps in 60 s", flush=True)
    print(f"{given.out}: saved")
    return int(touched > 0)


if __name__ == "__main__":
    raise SystemExit(main())
