"""Learns to race from a lidar in minutes: a small network, trained by CMA-ES on three tracks, drives a fourth one that it has never seen.

    pip install "skidpad[learn]"
    python -m skidpad.examples.race --out policy.npz

Every candidate drives on each training track from two starts, all at the same time. Its score is the way that it gets before it touches a wall. Afterwards the
mean of the search drives the unseen track: it has to complete its laps without touching a wall from every start.
`python -m skidpad.examples.drive_policy policy.npz` drives the car of a running node with it.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from skidpad.envs import Collided, LastAction, OnPath, Progress, Scan, SkidpadVectorEnv, Speed, Task, race
from skidpad.envs.tasks import F1TENTH_STEERING

from .policy import BEAMS, MAX_RANGE, SCALE_OF_SPEED, SIZE, Policy, act

TRAINING = ("racetrack", "track_oval", "track_bean")
UNSEEN = "track_zigzag"
MAX_SPEED, MIN_SPEED = 5.0, 0.5
PERIOD = 0.05


def task(track: str) -> Task:
    """The race of this example on a track."""
    return race(
        track,
        beams=BEAMS,
        period=PERIOD,
        fastest=MAX_SPEED,
        slowest=MIN_SPEED,
        observation=(Scan(MAX_RANGE), Speed(SCALE_OF_SPEED), LastAction()),
        reward=(Progress(), Collided(-10.0)),
        start=OnPath(offset=0.3, turn=0.2),
        time_limit=None,
    )


def drive(env: SkidpadVectorEnv, weights: NDArray[np.float64], seconds: float, seed: int) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.float64]]:
    """Lets each policy drive its car for so long.

    Returns the sum of rewards until the first end of the episode, whether it touched a wall, and the way along the track [m].
    """
    seen, _ = env.reset(seed=seed)
    score, distance, crashed = np.zeros(env.num_envs), np.zeros(env.num_envs), np.zeros(env.num_envs, np.bool_)
    for _ in range(round(seconds / PERIOD)):
        seen, reward, terminated, _, _ = env.step(act(weights, seen))
        score += np.where(crashed, 0.0, reward)
        distance += np.where(crashed, 0.0, env.episodes.drivers.progress)
        crashed |= terminated
        if crashed.all():
            break
    return score, crashed, distance


def train(generations: int, population: int, seconds: float, seed: int, starts: int = 2) -> tuple[NDArray[np.float64], list[dict[str, float]]]:
    """Weights of the mean of the last generation, and the learning curve: one row for each generation."""
    import cma

    search = cma.CMAEvolutionStrategy(np.zeros(SIZE), 0.5, {"popsize": population, "seed": seed + 1, "verbose": -9})
    envs = [SkidpadVectorEnv(task(name), population * starts) for name in TRAINING]
    curve: list[dict[str, float]] = []
    began = time.monotonic()
    for generation in range(generations):
        candidates = np.array(search.ask())
        repeated = np.repeat(candidates, starts, axis=0)
        results = [drive(env, repeated, seconds, seed + 1000 * generation) for env in envs]
        scores = np.mean([score.reshape(population, starts).mean(axis=1) for score, _, _ in results], axis=0)
        search.tell(list(candidates), list(-scores))
        crashes = float(np.mean([crashed for _, crashed, _ in results]))
        row = {"generation": generation, "best": float(scores.max()), "mean": float(scores.mean()), "crashed": crashes, "seconds": time.monotonic() - began}
        curve.append(row)
        print("generation {generation:3}: best {best:6.1f} m, mean {mean:6.1f} m, {crashed:4.0%} touched a wall, {seconds:5.0f} s".format(**row), flush=True)
    return np.array(search.result.xfavorite), curve


def evaluate(weights: NDArray[np.float64], track: str, seconds: float = 60.0, starts: int = 16, seed: int = 1) -> dict[str, float]:
    """Drives a track from several starts: how many cars touched a wall, and the laps and the speed of the others."""
    env = SkidpadVectorEnv(task(track), starts)
    _, crashed, distance = drive(env, np.repeat(weights[None], starts, axis=0), seconds, seed)
    path = env.task.path
    assert path is not None
    fine = distance[~crashed]
    slowest = float(fine.min()) if len(fine) else 0.0
    return {"cars": starts, "crashed": int(crashed.sum()), "laps": slowest / path.length, "speed": slowest / seconds}


def plot(curve: Sequence[dict[str, float]], file: Path) -> None:
    """Draws the learning curve."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 3.5), layout="constrained")
    generations = [row["generation"] for row in curve]
    axes.plot(generations, [row["best"] for row in curve], label="best candidate")
    axes.plot(generations, [row["mean"] for row in curve], label="mean of the candidates")
    axes.set(xlabel="generation", ylabel="score [m]", title="Way before a wall is touched, less 10 m for touching it")
    share = axes.twinx()
    share.plot(generations, [100 * row["crashed"] for row in curve], "C3:", label="touched a wall")
    share.set(ylabel="touched a wall [%]", ylim=(0, 100))
    axes.legend(loc="upper left")
    share.legend(loc="lower right")
    axes.grid(alpha=0.3)
    figure.savefig(file, metadata={"Date": None})


def main(arguments: Sequence[str] | None = None) -> int:
    """Trains, saves, and drives the unseen track; 1 if a wall was touched there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("policy.npz"), help="where the policy is saved [policy.npz]")
    parser.add_argument("--curve", type=Path, help="where the learning curve is written: .csv, .svg or .png")
    parser.add_argument("--generations", type=int, default=80)
    parser.add_argument("--population", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=20.0, help="that a candidate drives on each track")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    weights, curve = train(given.generations, given.population, given.seconds, given.seed)
    Policy(weights, MAX_SPEED, MIN_SPEED, F1TENTH_STEERING).save(given.out)
    if given.curve and given.curve.suffix == ".csv":
        with given.curve.open("w", newline="") as file:
            writer = csv.DictWriter(file, curve[0])
            writer.writeheader()
            writer.writerows(curve)
    elif given.curve:
        plot(curve, given.curve)
    crashed = 0
    for name in (*TRAINING, UNSEEN):
        result = evaluate(weights, name)
        kind = "unseen" if name == UNSEEN else "trained"
        print(f"{name} ({kind}): {result['crashed']} of {result['cars']} cars touched a wall; the slowest other one drove {result['laps']:.1f} laps in 60 s, {result['speed']:.2f} m/s")
        crashed = int(result["crashed"]) if name == UNSEEN else crashed
    print(f"{given.out}: saved")
    return int(crashed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
