"""Measures what a sweep costs beside its runs: the figures of docs/scale.md.

    pip install "skidpad[ray]"
    python -m skidpad.examples.sweep_overhead

Runs that keep a core busy for a given time show the overhead of processes and of Ray; empty ones the most runs per second that one driver can hand out and store.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

from skidpad.sweep import sweep


def busy(variables: dict[str, Any], seed: int) -> dict[str, float]:
    """A run that keeps a core busy for as long as its variable `busy` says [s]."""
    end = time.perf_counter() + variables["busy"]
    while time.perf_counter() < end:
        pass
    return {"distance": 0.1 * variables["k"], "mean_speed": 0.3 * variables["k"], "collisions": 0}


def measure(out: Path, runs: int, wait: float, address: str | None, cores: int) -> tuple[float, float]:
    """Wall time of a sweep [s], and its overhead: the part of it that the cores have not worked in [-]. Ray has been started before."""
    done = sweep(
        None, ({"k": k, "busy": wait} for k in range(runs)), experiment=busy, out=out, address=address, processes=cores, progress=False
    )
    if done.made != runs or done.failed:
        raise SystemExit(f"{out}: {done}")
    return done.seconds, done.seconds * cores / (runs * wait) - 1 if wait else 0.0


def size(out: Path) -> int:
    """Bytes of the results."""
    return sum(part.stat().st_size for part in out.glob("part-*.parquet"))


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=40, help="runs of one second")
    parser.add_argument("--empty", type=int, default=100_000, help="runs without work")
    parser.add_argument("--no-ray", action="store_true", help="only processes")
    options = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    print("| | runs | wall time [s] | runs per second | overhead |\n|---|---|---|---|---|")

    def row(name: str, runs: int, wait: float, seconds: float, overhead: float) -> None:
        share = f"{100 * overhead:.1f} %" if wait else ""
        print(f"| {name} | {runs} of {wait:g} s | {seconds:.2f} | {runs / seconds:.0f} | {share} |", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        places: list[tuple[str, str | None]] = [("processes", None)]
        if not options.no_ray:
            from skidpad.sweep import on_ray
            from skidpad.sweep.errors import need

            os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
            ray = need("ray", "ray")
            start = time.perf_counter()
            on_ray.connect(ray, "local", cores)
            started = time.perf_counter() - start
            places.append(("Ray", "local"))
        for name, address in places:
            # The first sweep starts processes; the second has the overhead of those that follow on Ray, where they stay.
            measure(Path(folder) / f"{name}-first", 2 * cores, 0.1, address, cores)
            for runs, wait in ((options.runs, 1.0), (options.runs * 20, 0.05), (options.empty, 0.0)):
                row(name, runs, wait, *measure(Path(folder) / f"{name}-{wait}", runs, wait, address, cores))
        if not options.no_ray:
            ray.shutdown()
            print(f"\nRay was started in {started:.1f} s.")
        stored = Path(folder) / "processes-0.0"
        print(
            f"A row takes {size(stored) / options.empty:.1f} bytes. The driver's memory was at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB."
        )
        start = time.perf_counter()
        again = sweep(
            None, ({"k": k, "busy": 0.0} for k in range(options.empty)), experiment=busy, out=stored, processes=cores, progress=False
        )
        print(f"A second call that finds all {again.present} runs takes {time.perf_counter() - start:.2f} s.")


if __name__ == "__main__":
    main()
