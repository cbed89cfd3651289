"""The command `skidpad tune`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..errors import SkidpadError
from .report import write
from .search import Tuning, tune


def parser() -> argparse.ArgumentParser:
    """The options."""
    result = argparse.ArgumentParser(prog="skidpad tune", description="Fit the PID gains of a vehicle's controller by step responses")
    result.add_argument("world", help="a world file, or the name of a world of the package")
    result.add_argument("--vehicle", metavar="NAME", help="the vehicle, if there are several")
    result.add_argument("--speed", type=float, default=1.0, metavar="V", help="largest step of the speed [m/s; default: 1]")
    result.add_argument(
        "--yaw-rate", type=float, default=1.0, metavar="W", help="largest step of the yaw rate, of vehicles that turn on the spot [rad/s; default: 1]"
    )
    result.add_argument("--generations", type=int, default=25, metavar="N", help="generations of the search [default: 25]")
    result.add_argument("--population", type=int, default=8, metavar="N", help="candidates of a generation [default: 8]")
    result.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the search [default: 1]")
    result.add_argument("--out", default="tuning", metavar="DIR", help="folder for gains.xml, responses.csv and responses.svg [default: tuning]")
    result.add_argument("--processes", type=int, metavar="N", help="processes [default: one per core]")
    result.add_argument("--address", help="Ray cluster: auto, HOST:PORT, ray://HOST:PORT, or local")
    return result


def table(tuning: Tuning) -> str:
    """Gains and metric before and after, with its parts, as Markdown."""
    lines = ["| | " + " | ".join(tuning.shipped) + " | metric | tracking | overshoot | chatter |", "|---" * (len(tuning.shipped) + 5) + "|"]
    versions = (("shipped", tuning.shipped, tuning.shipped_metric, tuning.shipped_parts), ("tuned", tuning.tuned, tuning.tuned_metric, tuning.tuned_parts))
    for name, gains, metric, parts in versions:
        numbers = [*(f"{value:g}" for value in gains.values()), *(f"{value:.5f}" for value in (metric, *parts))]
        lines.append(f"| {name} | {' | '.join(numbers)} |")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Runs the command; returns its exit status: 0, 2 for wrong input, 130 when it was interrupted."""
    options = parser().parse_args(arguments)
    try:
        tuning = tune(
            options.world,
            options.vehicle,
            speed=options.speed,
            yaw_rate=options.yaw_rate,
            generations=options.generations,
            population=options.population,
            seed=options.seed,
            processes=options.processes,
            address=options.address,
        )
        files = write(tuning, options.world, Path(options.out))
    except SkidpadError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("error: skidpad tune: interrupted", file=sys.stderr)
        return 130
    print(table(tuning))
    print(f"{tuning.vehicle}: {tuning.evaluations} candidates; {', '.join(str(file) for file in files)}")
    return 0
