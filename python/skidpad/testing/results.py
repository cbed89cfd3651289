"""What runs of scenarios came to, and the reports of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from .. import _skidpad


@dataclass(frozen=True)
class Criterion:
    """One thing that must hold, and what was found."""

    name: str
    """Its key in the scenario."""
    vehicle: str | None
    """The vehicle that it is about; None: the run."""
    expected: str
    """What must hold, in words with units."""
    actual: str
    """What was found, in words with units."""
    time_s: float | None
    """When it was decided [s of simulated time]; None: it is about the whole run."""
    success: bool
    """Whether it held."""


@dataclass(frozen=True)
class Missed:
    """An event that has not happened."""

    event: str
    """What was to happen."""
    place: str
    """Where the scenario says so."""
    must_happen: bool
    """Whether the run fails by that."""

    def __str__(self) -> str:
        return f"never happened: {self.event} ({self.place})"


@dataclass(frozen=True)
class Result:
    """What a run of a scenario came to. The fields are those of the JSON report, docs/scenario-reports.md."""

    scenario: str
    """Name of the scenario."""
    file: Path
    """Its file, or what stands for it where the scenario is a dictionary."""
    run: str
    """Name of the run, such as `doorway[seed=3]`."""
    vary: Mapping[str, str]
    """What distinguishes the run from the others of its scenario."""
    repetition: int | None
    """Its number from 1; None: it is not repeated."""
    seed: int
    """Seed of all noise."""
    verdict: Literal["passed", "failed", "broken"]
    """Failed: a criterion did not hold. Broken: the run could not be made or finished."""
    criteria: tuple[Criterion, ...]
    """All that must hold, in the order of the scenario."""
    never_happened: tuple[Missed, ...]
    """The events that have not happened, in the order of the scenario."""
    measures: Mapping[str, float | None]
    """The numbers of the scenario's vehicle by their keys, in SI units; None is what the run does not have."""
    vehicles: Mapping[str, Mapping[str, float | None]]
    """The same numbers of each vehicle that was watched, by its name."""
    ended_by: str
    """Why the run ended."""
    simulated_s: float
    """Its length [s of simulated time]."""
    wall_s: float
    """How long it took [s]; of two runs with the same bits it differs."""
    bits: str
    """Hash of all frames: equal runs have equal ones."""
    notes: tuple[str, ...]
    """What was said of it: warnings, events."""
    recording: Path | None
    """Its recording, if it was kept."""
    command: tuple[str, ...]
    """The words behind `skidpad` that make this run alone again; empty where the scenario is no file."""
    reasons: tuple[str, ...]
    """Why it did not pass, a text for each reason; empty if it did."""
    record: _skidpad.ScenarioRecord = field(repr=False, compare=False)
    """All of it, as reports need it."""

    @property
    def passed(self) -> bool:
        """Whether everything held."""
        return self.verdict == "passed"

    @property
    def unmet(self) -> tuple[Criterion, ...]:
        """The criteria that did not hold."""
        return tuple(criterion for criterion in self.criteria if not criterion.success)

    def __str__(self) -> str:
        """What is told of the run, in lines: the verdict, and of one that did not pass why, and how to make and see it again."""
        first = f"{self.run}: {self.verdict}"
        return first if self.passed else "\n".join([first, *("  " + line.replace("\n", "\n  ") for line in self.record.explained)])

    def check(self) -> Result:
        """Returns the result itself if the run passed. Raises AssertionError that says why it did not."""
        __tracebackhide__ = True
        if not self.passed:
            raise AssertionError(str(self))
        return self


def result_of(record: _skidpad.ScenarioRecord) -> Result:
    """The result that a record holds."""
    fields: dict[str, Any] = json.loads(record.json())
    vehicles: dict[str, dict[str, float | None]] = {}
    for measures in fields["measures"]:
        name = measures.pop("vehicle")
        if name is not None:
            vehicles[name] = measures
    return Result(
        scenario=fields["scenario"],
        file=Path(fields["file"]),
        run=fields["run"],
        vary=fields["vary"],
        repetition=fields["repetition"],
        seed=fields["seed"],
        verdict=fields["verdict"],
        criteria=tuple(Criterion(**criterion) for criterion in fields["criteria"]),
        never_happened=tuple(Missed(**missed) for missed in fields["never_happened"]),
        # The scenario's own vehicle is the first.
        measures=next(iter(vehicles.values()), {}),
        vehicles=vehicles,
        ended_by=fields["ended_by"],
        simulated_s=fields["simulated_s"],
        wall_s=fields["wall_s"],
        bits=fields["bits"],
        notes=tuple(fields["notes"]),
        recording=Path(fields["recording"]) if fields["recording"] is not None else None,
        command=tuple(fields["command"]),
        reasons=tuple(record.reasons),
        record=record,
    )


def write_junit(results: Iterable[Result], path: str | PathLike[str]) -> None:
    """Writes JUnit XML for continuous integration, as `skidpad test --junit`. Raises ScenarioError."""
    _write("junit", results, path)


def write_json(results: Iterable[Result], path: str | PathLike[str]) -> None:
    """Writes all of the results as JSON. Raises ScenarioError."""
    _write("json", results, path)


def write_csv(results: Iterable[Result], path: str | PathLike[str]) -> None:
    """Writes a table with a row for each run. Raises ScenarioError."""
    _write("csv", results, path)


def write_page(results: Iterable[Result], path: str | PathLike[str]) -> None:
    """Writes the HTML page with pictures of the runs that did not pass. Raises ScenarioError."""
    _write("page", results, path)


def write_all(results: Iterable[Result], out: str | PathLike[str]) -> None:
    """Writes the JSON, the CSV and the page into a folder, by the names of `skidpad test --out`."""
    records = list(results)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    for kind, name in (("json", "results.json"), ("csv", "results.csv"), ("page", "results.html")):
        _write(kind, records, folder / name)


def _write(kind: str, results: Iterable[Result], path: str | PathLike[str]) -> None:
    _skidpad.write_report(path, kind, [result.record for result in results])
