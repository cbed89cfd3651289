"""Runs scenarios: in this process, on several threads, or on a Ray cluster."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any

from .. import _skidpad
from ..errors import ScenarioError
from .results import Result, result_of, write_all
from .sources import ScenarioLike, Source, source_of


def run_scenario(
    scenario: ScenarioLike,
    changes: Mapping[str, Any] | None = None,
    *,
    seed: int | None = None,
    set: Mapping[str, object] | None = None,
    only: str | None = None,
    repeat: int | None = None,
    out: str | PathLike[str] | None = None,
    keep: str = "failed",
    folder: str | PathLike[str] | None = None,
) -> Result:
    """Runs a scenario that has one run, in this process; returns what it came to, whether it passed or not.

    `scenario`: its YAML file, or its keys as a dictionary. `changes` replaces keys of it: sections are merged, all else is replaced, None removes a key.
    `seed`, `set`, `only`, `repeat` as `skidpad test` has them: a seed alone; keys of tracker, trajectory or linearizer, or else variables of the world; the run of
    this name, of several; so many repetitions, of which the first that did not pass counts, otherwise the last. `out`: folder for the recording and the reports, as
    `--out`; `keep`: "failed", "all" or "none". `folder`: where files are looked for that are not in the current one; that of a scenario that is a dictionary.

    Other threads of Python run meanwhile, and Ctrl-C ends the run. Raises ScenarioError with all mistakes of the scenario, or if it has several runs.
    """
    read = read_one(scenario, changes, folder, seed=seed, set=set, only=only, repeat=repeat)
    results = run_read([read], None, out, keep)
    if out is not None:
        write_all(results, out)
    return that_counts(results)


def run_scenarios(
    scenarios: ScenarioLike | Iterable[ScenarioLike],
    changes: Mapping[str, Any] | None = None,
    *,
    seed: int | None = None,
    set: Mapping[str, object] | None = None,
    only: str | None = None,
    repeat: int | None = None,
    out: str | PathLike[str] | None = None,
    keep: str = "failed",
    folder: str | PathLike[str] | None = None,
    jobs: int | None = None,
    address: str | None = None,
) -> list[Result]:
    """Makes all runs of one or several scenarios, and returns what they came to, in their order; the same results on any number of threads and machines.

    `jobs`: runs side by side in this process, None: one for each processor. With `address` ("auto", "ray://…", "host:port", "local") the runs are made on a Ray cluster
    instead, `jobs` at a time; files and `out` have to be there by the same paths. The rest is as for `run_scenario`. Raises ScenarioError.
    """
    sources, read = read_all(scenarios, changes, folder, seed=seed, set=set, only=only, repeat=repeat)
    if address is None:
        results = run_read(read, jobs, out, keep)
    else:
        from .on_ray import run_on_ray

        results = run_on_ray(sources, read, (address, jobs), out, keep)
    if out is not None:
        write_all(results, out)
    return results


def read_one(
    scenario: ScenarioLike, changes: Mapping[str, Any] | None, folder: str | PathLike[str] | None, *, repeat: int | None, **options: Any
) -> _skidpad.Scenario:
    """Reads a scenario that has one run, which may be repeated. Raises ScenarioError."""
    source = source_of(scenario, changes, folder, repeat=repeat, **options)
    read = source.read()
    if len(read.runs) > (repeat or 1):
        names = ", ".join(read.runs[:4]) + (", …" if len(read.runs) > 4 else "")
        text = f"{source.path}: found {len(read.runs)} runs: {names}\n  accepted: one\n  hint: choose it by only= or seed=, or use run_scenarios"
        raise ScenarioError(text)
    return read


def read_all(
    scenarios: ScenarioLike | Iterable[ScenarioLike], changes: Mapping[str, Any] | None, folder: str | PathLike[str] | None, **options: Any
) -> tuple[list[Source], list[_skidpad.Scenario]]:
    """Reads scenarios. Raises ScenarioError with the mistakes of all."""
    if isinstance(scenarios, str | PathLike | Mapping):
        scenarios = [scenarios]
    sources: list[Source] = []
    read: list[_skidpad.Scenario] = []
    problems: list[str] = []
    for scenario in scenarios:
        try:
            sources.append(source_of(scenario, changes, folder, **options))
            read.append(sources[-1].read())
        except ScenarioError as error:
            problems += error.problems
    if problems:
        raise ScenarioError("\n".join(problems), problems)
    return sources, read


def run_read(scenarios: list[_skidpad.Scenario], jobs: int | None, out: str | PathLike[str] | None, keep: str) -> list[Result]:
    """Makes all runs of scenarios that have been read, in this process."""
    cases = [(scenario, index) for scenario in scenarios for index in range(len(scenario.runs))]
    return [result_of(record) for record in _skidpad.run_cases(cases, jobs=jobs, out=out, keep=keep)]


def that_counts(results: list[Result]) -> Result:
    """Of repetitions the first that did not pass, otherwise the last."""
    return next((result for result in results if not result.passed), results[-1])
