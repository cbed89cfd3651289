"""The function `sweep`: checks what is asked for, hands the runs to processes or Ray, and stores each result once."""

from __future__ import annotations

import hashlib
import json
import math
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from .._skidpad import World
from . import identity, results
from .designs import design_of
from .errors import SweepError, need
from .metrics import METRICS, Metric
from .work import Plan, Row, Task


@dataclass(frozen=True)
class Summary:
    """What a call of `sweep` did."""

    out: Path
    """Folder of the results."""
    made: int
    """Runs that this call made, failed ones included."""
    failed: int
    """Those of them that failed; the column `error` names why."""
    present: int
    """Runs that were in the folder before."""
    seconds: float
    """Wall time [s]."""

    def read(self) -> Any:
        """All results, as `skidpad.sweep.read`."""
        return results.read(self.out)


def sweep(
    world: str | PathLike[str] | None = None,
    variables: Any = None,
    *,
    seeds: int | Sequence[int] = 1,
    metrics: Mapping[str, Metric] | Sequence[str] = (),
    duration: float | None = None,
    until: Callable[[World], bool] | None = None,
    drive: Callable[[World], None] | None = None,
    period: float = 0.05,
    follow: str | PathLike[str] | None = None,
    run: Callable[[World], Mapping[str, Any]] | None = None,
    experiment: Callable[[dict[str, Any], int], Mapping[str, Any]] | None = None,
    out: str | PathLike[str] = "results.parquet",
    processes: int | None = None,
    address: str | None = None,
    batch: int | None = None,
    timeout: float | None = None,
    retries: int = 2,
    physics: str | None = None,
    version: str | int | None = None,
    progress: bool = True,
) -> Summary:
    """Runs a world once for each combination of `variables` and seeds; stores a row for each run in the folder `out`.

    `variables`: values of the world's variables: a dictionary of lists (all combinations), `skidpad.grid`, `skidpad.latin_hypercube`, or any iterable of
    dictionaries. `seeds`: a number of seeds from 0, or the seeds. `duration` [s] of simulated time, or less when `until(world)` is true. `drive(world)` is called
    every `period` [s] and gives commands; `follow` is the tracker's file of `World.follow` instead. `metrics`: names from `METRICS`, or functions of a
    finished `Run`, by name. `run(world)` does everything itself and returns the metrics; `experiment(variables, seed)` does so without a world.

    `processes` of this machine (None: one per core), or with `address` ("auto", "ray://…", "host:port", "local") a Ray cluster, in batches of `batch` runs
    (None: by their measured time). A run that fails, ends its process or takes longer than `timeout` [s] is made again up to `retries` times, and then
    stored with its error. A second call with the same `out` makes only what is missing; it is refused if the world, a function or something that a function
    uses has changed. `version` stands for what cannot be compared, such as an open connection, and for files that functions read: change it with them. Raises SweepError.
    """
    chosen = _metrics(metrics)
    plan = Plan(world, duration, until, drive, period, follow, run, experiment, chosen, physics)
    _check(plan, retries, processes, batch, timeout)
    numbers = _seeds(seeds)
    design = design_of(variables)
    whole = _identity(plan, None if version is None else str(version))
    checksum = hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()
    bar = need("tqdm", "sweep").tqdm if progress else None
    store = results.Store(out, whole)
    present, start = len(store.done), time.monotonic()
    given: set[int] = set()
    file = identity.world_file(plan.world) if plan.world is not None else None
    tasks = _tasks(design, numbers, checksum, set(chosen), store.done, given, identity.NamedFiles(file.parent if file else None))
    failed = 0
    bar = bar(total=len(design) * len(numbers) if isinstance(design, Sized) else None, initial=present, unit="run") if bar else None
    try:
        for row in engine(plan, tasks, address, processes, retries, timeout, batch):
            if clash := sorted({*row.metrics} & {*row.task.variables, *results.COLUMNS}):
                row = Row(row.task, {}, row.wall_time, row.attempts, f"metric {clash[0]!r} has the name of a variable or of a column of every result")
            failed += row.error is not None
            store.add(row)
            given.discard(int(row.task.id, 16))
            if bar is not None:
                bar.update()
                bar.set_postfix(failed=failed, refresh=False)
    finally:
        store.close()
        if bar is not None:
            bar.close()
    return Summary(Path(out), len(store.done) - present, failed, present, time.monotonic() - start)


def engine(
    plan: Plan, tasks: Iterable[Task], address: str | None, processes: int | None, retries: int, timeout: float | None, batch: int | None
) -> Iterator[Row]:
    """Makes the runs on processes of this machine, or on Ray if there is an address; yields their results as they end."""
    if address is not None:
        from . import on_ray

        return on_ray.rows(plan, tasks, address, processes, retries, timeout, batch)
    from . import local

    return local.rows(plan, tasks, processes or len(os.sched_getaffinity(0)), retries, timeout, batch)


def _tasks(
    design: Iterable[Any], seeds: Sequence[int], checksum: str, metrics: set[str], done: set[int], given: set[int], files: identity.NamedFiles
) -> Iterator[Task]:
    """The runs that are not there yet, each once: neither `done` nor `given` to a process."""
    for variables in design:
        variables = identity.plain_variables(variables)
        if clash := sorted({*variables} & {*results.COLUMNS, *metrics}):
            raise SweepError(f"{clash[0]}: a variable cannot have the name of a metric or of a result column ({', '.join(results.COLUMNS)})")
        for seed in seeds:
            name = identity.run_id(variables, seed, checksum, files)
            number = int(name, 16)
            if number in done or number in given:
                continue
            given.add(number)
            yield Task(name, variables, seed)


def _identity(plan: Plan, version: str | None) -> dict[str, Any]:
    """What must be the same in two calls that share a folder."""

    def named(function: Any, place: str) -> str | None:
        return identity.function_name(function, place, version)

    file = identity.world_file(plan.world) if plan.world is not None else None
    follow = Path(plan.follow) if plan.follow is not None else None
    return {
        "skidpad": results.origin()["skidpad"],
        "world": str(plan.world) if plan.world is not None else None,
        "world_checksum": identity.checksum(file) if file else None,
        "duration": plan.duration,
        "period": plan.period,
        "physics": plan.physics,
        "follow": identity.checksum(follow) if follow and follow.is_file() else plan.follow and str(plan.follow),
        "until": named(plan.until, "until"),
        "drive": named(plan.drive, "drive"),
        "function": named(plan.run or plan.experiment, "run" if plan.run else "experiment"),
        "metrics": {name: named(metric, f"metric {name}") for name, metric in plan.metrics.items()},
        "version": version,
    }


def _metrics(metrics: Mapping[str, Metric] | Sequence[str]) -> dict[str, Metric]:
    if isinstance(metrics, str):
        metrics = [metrics]
    if not isinstance(metrics, Mapping):
        for name in metrics:
            if name not in METRICS:
                raise SweepError(
                    f"metrics: {name!r}\n  accepted: {', '.join(METRICS)}\n  hint: a function of a finished run: metrics={{{name!r}: lambda run: …}}"
                )
        return {name: METRICS[name] for name in metrics}
    for name, metric in metrics.items():
        if not callable(metric):
            raise SweepError(f"metrics: {name} is {metric!r}\n  accepted: a function of a finished run")
        if name in results.COLUMNS:
            raise SweepError(f"metrics: {name!r} is the name of a result column\n  hint: choose another name")
    return dict(metrics)


def _seeds(seeds: int | Sequence[int]) -> Sequence[int]:
    numbers = range(seeds) if isinstance(seeds, int) else list(seeds)
    if not numbers or any(isinstance(seed, bool) or not isinstance(seed, int) or seed < 0 for seed in numbers):
        raise SweepError(f"seeds: {seeds!r}\n  accepted: a positive number of seeds, or a list of seeds from 0 up")
    return numbers


def _check(plan: Plan, retries: int, processes: int | None, batch: int | None, timeout: float | None) -> None:
    given = [name for name in ("run", "experiment", "drive", "follow") if getattr(plan, name) is not None]
    if len(given) > 1:
        raise SweepError(f"{given[0]}, {given[1]}: exclude each other\n  accepted: one of run, experiment, drive and follow")
    if (plan.world is None) == (plan.experiment is None):
        raise SweepError("world: a sweep needs a world or an experiment, and not both")
    simple = plan.run is None and plan.experiment is None
    if simple and plan.duration is None and plan.until is None:
        raise SweepError("duration: is missing\n  accepted: simulated seconds, or until=…")
    if simple and not plan.metrics:
        raise SweepError(f"metrics: are missing\n  accepted: {', '.join(METRICS)}, or functions of a finished run by name")
    if not simple and (plan.metrics or plan.duration is not None or plan.until is not None):
        raise SweepError(f"{given[0]}: excludes metrics, duration and until\n  hint: leave them out, and return the metrics from the function")
    for name, value in (("duration", plan.duration), ("period", plan.period), ("timeout", timeout)):
        if value is not None and not (isinstance(value, int | float) and math.isfinite(value) and value > 0):
            raise SweepError(f"{name}: {value!r}\n  accepted: a positive number of seconds")
    for name, value, least in (("retries", retries, 0), ("processes", processes, 1), ("batch", batch, 1)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < least):
            raise SweepError(f"{name}: {value!r}\n  accepted: an integer from {least} up")
