"""Measures how fast the package is, as a Markdown table: `python -m skidpad.examples.speed [PAGE]`. Needs `skidpad[gym]`.

With PAGE the table is written into that Markdown file, between `<!-- python speed -->` and `<!-- python speed end -->`. Figures vary with the machine and with what else it does. The second
column therefore counts processor time, as if nothing else had run: work over the time that all threads of this process have used, times their number. With f1tenth_gym installed (or its folder `gym`
on PYTHONPATH) its environment drives the same laps with the same actions.
"""

from __future__ import annotations

import gc
import pathlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

import gymnasium
import numpy as np

import skidpad
import skidpad.envs
from skidpad.envs import Drivers, OnPath, SkidpadEnv, SpeedSteering
from skidpad.envs.tasks import F1TENTH_STEERING

ROUNDS = 3
"""Every figure is the best of so many."""


class Rate(NamedTuple):
    """Pieces of work a second."""

    measured: float
    """Of wall time."""
    alone: float
    """Of processor time, times the threads: as if nothing else ran."""


def best(work: Callable[[], int], threads: int = 1) -> Rate:
    """The best of some rounds: `work` returns how many pieces it has done, with so many threads."""
    rates = []
    for _ in range(ROUNDS):
        began, used = time.perf_counter(), time.process_time()
        done = work()
        rates.append((done / (time.perf_counter() - began), threads * done / (time.process_time() - used)))
    return Rate(*(max(column) for column in zip(*rates, strict=True)))


def numpy_operation() -> Rate:
    """Additions of two arrays of 1000 numbers."""
    array = np.zeros(1000)

    def add() -> int:
        for _ in range(20_000):
            np.add(array, array, array)
        return 20_000

    return best(add)


def import_seconds() -> tuple[float, float]:
    """Wall and processor time that `import skidpad` takes in a new process, NumPy included [s]."""
    code = "import time; began = time.perf_counter(), time.process_time(); import skidpad; print(time.perf_counter() - began[0], time.process_time() - began[1])"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split() for _ in range(5)]
    return min(float(run[0]) for run in runs), min(float(run[1]) for run in runs)


def idle_step_overhead() -> tuple[float, float]:
    """Wall and processor time by which a call of `step` is longer than a step of a long call [s], in a world without anything."""
    world = skidpad.World.from_string("<mvsim_world></mvsim_world>")

    def one_by_one() -> int:
        for _ in range(100_000):
            world.step()
        return 100_000

    def together() -> int:
        world.step(1_000_000)
        return 1_000_000

    calls, steps = best(one_by_one), best(together)
    return 1 / calls.measured - 1 / steps.measured, 1 / calls.alone - 1 / steps.alone


def drivers_of(env: gymnasium.Env) -> Drivers:
    """The one driver within the wrappers of `gymnasium.make`."""
    assert isinstance(env.unwrapped, SkidpadEnv)
    return env.unwrapped.episodes.drivers


def lap(steps: int = 4000) -> tuple[gymnasium.Env, list[np.ndarray]]:
    """An environment with 1081 beams at every step of 10 ms, and actions that drive it around the track at 3 m/s."""
    env = gymnasium.make(
        "skidpad/Race-v0", beams=1081, period=0.01, timestep=0.01, time_limit=None, start=OnPath(), action=SpeedSteering(6.0, F1TENTH_STEERING)
    )
    env.reset(seed=0)
    drivers = drivers_of(env)
    path = drivers.task.path
    assert path is not None
    actions = []
    for _ in range(steps):
        ahead = path.at(drivers.s + 0.9)
        bearing = np.arctan2(ahead["y"] - drivers.y, ahead["x"] - drivers.x) - drivers.yaw
        steering = np.arctan(2 * 0.33 * np.sin(bearing[0]) / 0.9)
        actions.append(np.array([0.0, steering / F1TENTH_STEERING], np.float32))
        if env.step(actions[-1])[2]:
            raise RuntimeError("the car that measures has touched a wall")
    return env, actions


def single() -> Rate:
    """Steps of one car with 1081 beams through `gymnasium.make`."""
    env, actions = lap()

    def drive() -> int:
        env.reset(seed=0)
        for action in actions:
            env.step(action)
        return len(actions)

    return best(drive)


def peer() -> Rate | None:
    """The same for f1tenth_gym, if there is one: the same track, start and commands."""
    try:
        from f110_gym.envs.f110_env import F110Env
    except ImportError:
        return None
    env, actions = lap()
    env.reset(seed=0)
    drivers = drivers_of(env)
    start = np.array([[drivers.x[0], drivers.y[0], drivers.yaw[0]]])
    other = F110Env(map=str(skidpad.WORLDS / "maps" / "racetrack"), map_ext=".png", num_agents=1, timestep=0.01)
    commands = [np.array([[action[1] * F1TENTH_STEERING, 3.0]]) for action in actions]

    def drive() -> int:
        other.reset(start)
        for command in commands:
            other.step(command)
        return len(commands)

    return best(drive)


def many(world: str, count: int, steps: int, **variables: object) -> Rate:
    """Steps of cars of `Worlds`, with so many steps in a call."""
    worlds = skidpad.Worlds(world, count, set=variables)
    state = worlds.state
    worlds.command(speed=np.full(count, 2.0), steering_angle=0.1)

    def drive() -> int:
        calls = max(1, 400_000 // (steps * count))
        for _ in range(calls):
            worlds.step(steps)
        return calls * steps * count

    rate = best(drive, worlds.threads)
    assert state["x"].any()
    return rate


def scanning() -> Rate:
    """Steps of cars of `Worlds`: 256 cars with 108 beams at every step of 10 ms."""
    worlds = skidpad.Worlds("f1tenth", 256, set={"scan_beams": 108, "scan_rate_hz": 100, "timestep": 0.01})
    ranges, state = worlds.reading("scan").ranges, worlds.state
    worlds.command(speed=0.5, steering_angle=0.0)

    def drive() -> int:
        worlds.reset()
        for _ in range(200):
            worlds.step()
        return 200 * 256

    rate = best(drive, worlds.threads)
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


def table_row(quantity: str, numbers: Iterable[float], form: str) -> tuple[str, ...]:
    """A row of the table: measured, and by processor time."""
    return quantity, *(form.format(number) for number in numbers)


BEGIN, END = "<!-- python speed -->\n", "<!-- python speed end -->"


def main(arguments: list[str]) -> int:
    """Prints the table, or writes it into a page."""
    seconds, megabytes = starting()
    single_rates, peer_rates = single(), peer()
    rows = [
        table_row("`numpy.add` of 1000 numbers, to compare with", (1e6 / rate for rate in numpy_operation()), "{:.2f} µs"),
        table_row("`import skidpad`", import_seconds(), "{:.2f} s"),
        table_row("a call of `step` of an idle world, beyond the step itself", (1e6 * seconds for seconds in idle_step_overhead()), "{:.2f} µs"),
        table_row("one car with 1081 beams, `gymnasium.make`", single_rates, "{:,.0f} steps/s"),
        table_row("256 cars with 108 beams at every step, `Worlds`", scanning(), "{:,.0f} car steps/s"),
        *(table_row(f"1024 cars without sensors, `Worlds`, {steps} step{'s' * (steps > 1)} in a call", (1e-6 * rate for rate in many("tracking", 1024, steps)), "{:.2f} million car steps/s") for steps in (1, 10, 100)),
        ("to make and reset 256 environments", f"{seconds:.2f} s, {megabytes:.2f} MB each", ""),
    ]
    if peer_rates is not None:
        rows.insert(4, table_row("the same track and commands, f1tenth_gym", peer_rates, "{:,.0f} steps/s"))
        rows.insert(5, table_row("how many times faster", (own_rate / peer_rate for own_rate, peer_rate in zip(single_rates, peer_rates, strict=True)), "{:.1f}"))
    table = "".join(f"| {' | '.join(row)} |\n" for row in [("What", "Measured", "By processor time"), ("---",) * 3, *rows])
    if not arguments:
        print(table, end="")
        return 0
    page = pathlib.Path(arguments[0])
    before, after_begin = page.read_text().split(BEGIN)
    page.write_text(before + BEGIN + table + END + after_begin.split(END)[1])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
