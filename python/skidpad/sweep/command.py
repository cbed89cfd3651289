"""The command `skidpad sweep`."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from .._skidpad import World
from ..errors import SkidpadError
from .designs import grid, latin_hypercube
from .driver import sweep
from .errors import SweepError
from .metrics import METRICS


@dataclass(frozen=True)
class ConstantCommand:
    """Gives the first vehicle the same command all the time."""

    numbers: tuple[tuple[str, float], ...]

    def __call__(self, world: World) -> None:
        world.command(0, **dict(self.numbers))


def number_or_text(text: str) -> Any:
    """A value of a variable as it is written on the command line."""
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return text


def values(text: str) -> tuple[str, list[Any]]:
    """`NAME=a,b` or `NAME=low:high:step`, both ends included, as the name and its values."""
    name, equals, listed = text.partition("=")
    if not name or not equals or not listed:
        raise SweepError(f"--vary {text}: is not NAME=VALUES\n  accepted: NAME=a,b,… or NAME=LOW:HIGH:STEP")
    parts = listed.split(":")
    if len(parts) != 3:
        return name, [number_or_text(value) for value in listed.split(",")]
    try:
        low, high, step = (Decimal(part) for part in parts)
    except InvalidOperation:
        return name, [number_or_text(value) for value in listed.split(",")]
    if not all(part.is_finite() for part in (low, high, step)) or step <= 0 or high < low:
        raise SweepError(f"--vary {text}: is not a range\n  accepted: NAME=LOW:HIGH:STEP with LOW <= HIGH and STEP > 0")
    return name, [number_or_text(str(low + step * k)) for k in range(int((high - low) / step) + 1)]


def limits(text: str) -> tuple[str, tuple[float, float]]:
    """`NAME=low:high` as the name and its range."""
    name, _, listed = text.partition("=")
    try:
        low, high = (float(part) for part in listed.split(":"))
    except ValueError:
        raise SweepError(f"--vary {text}: is not a range\n  accepted: with --samples, NAME=LOW:HIGH") from None
    return name, (low, high)


def constant_command(text: str) -> ConstantCommand:
    """`vx=1,yaw_rate=0.2` as a command."""
    numbers = []
    for part in text.split(","):
        name, _, value = part.partition("=")
        try:
            numbers.append((name.strip(), float(value)))
        except ValueError:
            raise SweepError(f"--command {text}: {part!r}\n  accepted: the numbers of World.command, such as vx=1,yaw_rate=0.2") from None
    return ConstantCommand(tuple(numbers))


def parser() -> argparse.ArgumentParser:
    """The options."""
    listed = "\n".join(f"  {name:26} {(metric.__doc__ or '').splitlines()[0]}" for name, metric in METRICS.items())
    result = argparse.ArgumentParser(
        prog="skidpad sweep",
        description="Run a world with many values of its variables, and store metrics of each run",
        epilog=f"metrics:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    result.add_argument("world", help="a world file, or the name of a world of the package")
    result.add_argument(
        "--vary", action="append", default=[], metavar="NAME=VALUES", help="a variable: a,b,… or LOW:HIGH:STEP; with --samples LOW:HIGH"
    )
    result.add_argument("--samples", type=int, metavar="N", help="N points of a Latin hypercube instead of all combinations")
    result.add_argument("--seeds", type=int, default=1, metavar="N", help="runs of each combination, with seeds from 0 [default: 1]")
    result.add_argument("--duration", type=float, required=True, metavar="S", help="simulated time of a run [s]")
    result.add_argument("--metric", action="append", default=[], metavar="NAME", help="a metric of the table below; may be given several times")
    result.add_argument("--command", metavar="NAME=NUMBER,…", help="command to the first vehicle, such as vx=1,yaw_rate=0.2")
    result.add_argument("--follow", metavar="CONFIG", help="tracker that drives, as --track of skidpad run")
    result.add_argument(
        "--out", default="results.parquet", metavar="DIR", help="folder of the results; one with results is completed [default: results.parquet]"
    )
    result.add_argument("--processes", type=int, metavar="N", help="processes [default: one per core]")
    result.add_argument("--address", help="Ray cluster: auto, HOST:PORT, ray://HOST:PORT, or local")
    result.add_argument("--timeout", type=float, metavar="S", help="longest wall time of a run [s]")
    result.add_argument("--retries", type=int, default=2, metavar="N", help="how often a failed run is made again [default: 2]")
    result.add_argument("--json", action="store_true", help="print the summary as JSON, and no progress")
    return result


def main(arguments: list[str]) -> int:
    """Runs the command; returns its exit status: 0, 1 with failed runs, 2 for wrong input, 130 when it was interrupted."""
    options = parser().parse_args(arguments)
    try:
        if options.samples is not None:
            design: Any = latin_hypercube(dict(map(limits, options.vary)), options.samples)
        else:
            design = grid(dict(map(values, options.vary)))
        done = sweep(
            options.world,
            design,
            seeds=options.seeds,
            metrics=options.metric or ["distance", "mean_speed", "collisions"],
            duration=options.duration,
            drive=constant_command(options.command) if options.command else None,
            follow=options.follow,
            out=options.out,
            processes=options.processes,
            address=options.address,
            timeout=options.timeout,
            retries=options.retries,
            progress=not options.json,
        )
    except SkidpadError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"error: {options.out}: interrupted\n  hint: the same command makes the runs that are missing", file=sys.stderr)
        return 130
    if options.json:
        print(json.dumps({"out": str(done.out), "made": done.made, "failed": done.failed, "present": done.present, "seconds": done.seconds}))
    else:
        print(f"{done.out}: {done.made} runs in {done.seconds:.1f} s, {done.failed} failed, {done.present} were there")
    return 1 if done.failed else 0
