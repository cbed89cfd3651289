"""Measures how fast the package is, as a Markdown table: `python -m skidpad.examples.speed [PAGE]`. Needs `skidpad[gym]`.

With PAGE the table is written into that Markdown file, between `<!-- python speed -->` and `<!-- python speed end -->`. Figures vary with the machine and with what else it does: the first row is a NumPy operation of the same minute, to compare with. With f1tenth_gym installed (or its folder `gym` on
PYTHONPATH) its environment drives the same laps with the same actions.
"""

from __future__ import annotations

import gc
import pathlib
import subprocess
import sys
import time
from collections.abc import Callable

import gymnasium
import numpy as np

import skidpad
import skidpad.envs
from skidpad.envs import OnPath, SpeedSteering
from skidpad.envs.tasks import F1TENTH_STEERING

ROUNDS = 3
"""Every figure is the best of so many."""


def best(work: Callable[[], int]) -> float:
    """Pieces of work a second: `work` returns how many it has done."""
    rates = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        done = work()
        rates.append(done / (time.perf_counter() - began))
    return max(rates)


def numpy_operation() -> float:
    """Additions of two arrays of 1000 numbers a second."""
    array = np.zeros(1000)

    def add() -> int:
        for _ in range(20_000):
            np.add(array, array, array)
        return 20_000

    return best(add)


def import_seconds() -> float:
    """Time that `import skidpad` takes in a new process, NumPy included."""
    code = "import time; began = time.perf_counter(); import skidpad; print(time.perf_counter() - began)"
    return min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout) for _ in range(5))


def idle_step_overhead() -> float:
    """Time by which a call of `step` is longer than a step of a long call [s], in a world without anything."""
    world = skidpad.World.from_string("<mvsim_world></mvsim_world>")

    def one_by_one() -> int:
        for _ in range(100_000):
            world.step()
        return 100_000

    def together() -> int:
        world.step(1_000_000)
        return 1_000_000

    return 1 / best(one_by_one) - 1 / best(together)


def lap(steps: int = 4000) -> tuple[gymnasium.Env, list[np.ndarray]]:
    """An environment with 1081 beams at every step of 10 ms, and actions that drive it around the track at 3 m/s."""
    env = gymnasium.make(
        "skidpad/Race-v0", beams=1081, period=0.01, timestep=0.01, time_limit=None, start=OnPath(), action=SpeedSteering(6.0, F1TENTH_STEERING)
    )
    env.reset(seed=0)
    drivers = env.unwrapped.episodes.drivers
    path = drivers.task.path
    actions = []
    for _ in range(steps):
        ahead = path.at(drivers.s + 0.9)
        bearing = np.arctan2(ahead["y"] - drivers.y, ahead["x"] - drivers.x) - drivers.yaw
        steering = np.arctan(2 * 0.33 * np.sin(bearing[0]) / 0.9)
        actions.append(np.array([0.0, steering / F1TENTH_STEERING], np.float32))
        if env.step(actions[-1])[2]:
            raise RuntimeError("the car that measures has touched a wall")
    return env, actions


def single() -> float:
    """Steps a second of one car with 1081 beams through `gymnasium.make`."""
    env, actions = lap()

    def drive() -> int:
        env.reset(seed=0)
        for action in actions:
            env.step(action)
        return len(actions)

    return best(drive)


def peer() -> float | None:
    """The same for f1tenth_gym, if there is one: the same track, start and commands."""
    try:
        from f110_gym.envs.f110_env import F110Env
    except ImportError:
        return None
    env, actions = lap()
    env.reset(seed=0)
    drivers = env.unwrapped.episodes.drivers
    start = np.array([[drivers.x[0], drivers.y[0], drivers.yaw[0]]])
    other = F110Env(map=str(skidpad.WORLDS / "maps" / "racetrack"), map_ext=".png", num_agents=1, timestep=0.01)
    commands = [np.array([[action[1] * F1TENTH_STEERING, 3.0]]) for action in actions]

    def drive() -> int:
        other.reset(start)
        for command in commands:
            other.step(command)
        return len(commands)

    return best(drive)


def many(world: str, count: int, steps: int, **variables: object) -> float:
    """Steps of cars a second of `Worlds`, with so many steps in a call."""
    worlds = skidpad.Worlds(world, count, set=variables)
    state = worlds.state
    worlds.command(speed=np.full(count, 2.0), steering_angle=0.1)

    def drive() -> int:
        calls = max(1, 400_000 // (steps * count))
        for _ in range(calls):
            worlds.step(steps)
        return calls * steps * count

    rate = best(drive)
    assert state["x"].any()
    return rate


def scanning() -> float:
    """Steps of cars a second of `Worlds`: 256 cars with 108 beams at every step of 10 ms."""
    worlds = skidpad.Worlds("f1tenth", 256, set={"scan_beams": 108, "scan_rate_hz": 100, "timestep": 0.01})
    ranges, state = worlds.reading("scan").ranges, worlds.state
    worlds.command(speed=0.5, steering_angle=0.0)

    def drive() -> int:
        worlds.reset()
        for _ in range(200):
            worlds.step()
        return 200 * 256

    rate = best(drive)
    assert ranges.all() and state["x"].any()
    return rate


def starting() -> tuple[float, float]:
    """Time to make 256 environments and to reset them [s], and memory of each [MB]."""

    def resident() -> float:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096 / 1e6

    gc.collect()
    before, began = resident(), time.perf_counter()
    envs = gymnasium.make_vec("skidpad/Race-v0", num_envs=256)
    envs.reset(seed=0)
    return time.perf_counter() - began, (resident() - before) / 256


BEGIN, END = "<!-- python speed -->\n", "<!-- python speed end -->"


def main(arguments: list[str]) -> int:
    """Prints the table, or writes it into a page."""
    seconds, megabytes = starting()
    one = single()
    rows = [
        ("`numpy.add` of 1000 numbers, to compare with", f"{1e6 / numpy_operation():.2f} µs"),
        ("`import skidpad`", f"{import_seconds():.2f} s"),
        ("a call of `step` of an idle world, beyond the step itself", f"{1e6 * idle_step_overhead():.2f} µs"),
        ("one car with 1081 beams, `gymnasium.make`", f"{one:,.0f} steps/s"),
        ("256 cars with 108 beams at every step, `Worlds`", f"{scanning():,.0f} car steps/s"),
        ("1024 cars without sensors, `Worlds`, 1 step in a call", f"{many('tracking', 1024, 1) / 1e6:.2f} million car steps/s"),
        ("the same, 10 steps in a call", f"{many('tracking', 1024, 10) / 1e6:.2f} million car steps/s"),
        ("the same, 100 steps in a call", f"{many('tracking', 1024, 100) / 1e6:.2f} million car steps/s"),
        ("to make and reset 256 environments", f"{seconds:.2f} s, {megabytes:.2f} MB each"),
    ]
    other = peer()
    if other is not None:
        rows.insert(4, ("the same track and commands, f1tenth_gym", f"{other:,.0f} steps/s: {one / other:.1f} times less"))
    table = "".join(f"| {what} | {measured} |\n" for what, measured in [("What", "Measured"), ("---", "---"), *rows])
    if not arguments:
        print(table, end="")
        return 0
    page = pathlib.Path(arguments[0])
    before, rest = page.read_text().split(BEGIN)
    page.write_text(before + BEGIN + table + END + rest.split(END)[1])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
