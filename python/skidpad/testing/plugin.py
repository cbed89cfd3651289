"""The plugin for pytest, which finds it by its entry point: the fixtures `world`, `run_scenario` and `run_scenarios`, and files of scenarios as tests.

pytest imports it in every session, so it imports NumPy and all that runs something only when a test or a file asks for it.
"""

from __future__ import annotations

import os
import shlex
import zlib
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .. import World, _skidpad
    from .results import Result
    from .sources import ScenarioLike

MADE = pytest.StashKey[list[tuple[str, str]]]()
"""Runs of this session: the id of the test, and the record in hexadecimal digits, in which processes of pytest-xdist pass it on."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option and the setting of the plugin."""
    group = parser.getgroup("skidpad", "scenarios of skidpad")
    group.addoption("--skidpad-out", metavar="DIR", help="folder for the recordings of scenarios that fail, and for a page, JSON and CSV of all of them")
    parser.addini("skidpad_scenarios", type="args", default=["*.scenario.yaml"], help="patterns for the files of scenarios that are tests")


def pytest_configure(config: pytest.Config) -> None:
    """Tests may go to other folders."""
    if config.option.skidpad_out is not None:
        config.option.skidpad_out = os.path.abspath(config.option.skidpad_out)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Takes files of scenarios for tests."""
    if any(file_path.match(pattern) for pattern in parent.config.getini("skidpad_scenarios")):
        collector: pytest.Collector = ScenarioFile.from_parent(parent, path=file_path)
        return collector
    return None


class ScenarioFile(pytest.File):
    """A file of a scenario; its runs are tests."""

    def collect(self) -> Iterator[pytest.Item]:
        """A test for each run."""
        from ..errors import ScenarioError
        from .sources import source_of

        try:
            scenario = source_of(_shown(self.path), None, None).read()
        except ScenarioError as error:
            raise self.CollectError(str(error)) from None
        for index, run in enumerate(scenario.runs):
            yield ScenarioTest.from_parent(self, name=run, scenario=scenario, index=index)


class ScenarioTest(pytest.Item):
    """A run of a scenario as a test."""

    def __init__(self, *, scenario: _skidpad.Scenario, index: int, **options: Any) -> None:
        super().__init__(**options)
        self.scenario, self.index = scenario, index

    def runtest(self) -> None:
        """Makes the run."""
        from .. import _skidpad
        from .results import result_of

        (record,) = _skidpad.run_cases([(self.scenario, self.index)], out=_own_folder(self), jobs=1)
        result = result_of(record)
        fields = {"seed": result.seed, "simulated_s": result.simulated_s, "bits": result.bits, **result.measures}
        self.user_properties += [(name, value) for name, value in fields.items() if value is not None]
        _judge(self, [result])

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What failed, without the frames of this file."""
        return str(excinfo.value) if isinstance(excinfo.value, AssertionError) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Where it is, for headings."""
        return self.path, None, self.name


class RunScenario:
    """The fixture `run_scenario`."""

    def __init__(self, item: pytest.Item, out: Path) -> None:
        self.item, self.out = item, out

    def __call__(
        self,
        scenario: ScenarioLike,
        changes: Mapping[str, Any] | None = None,
        *,
        seed: int | None = None,
        set: Mapping[str, object] | None = None,
        only: str | None = None,
        repeat: int | None = None,
    ) -> Result:
        """Runs a scenario as `skidpad.testing.run_scenario`, and returns its result if it passed; files are looked for beside the test, too. Raises AssertionError."""
        __tracebackhide__ = True
        from .running import read_one, run_read, that_counts

        read = read_one(scenario, changes, self.item.path.parent, seed=seed, set=set, only=only, repeat=repeat)
        result = that_counts(run_read([read], None, self.out, "failed"))
        _judge(self.item, [result])
        return result


class RunScenarios:
    """The fixture `run_scenarios`."""

    def __init__(self, item: pytest.Item, out: Path) -> None:
        self.item, self.out = item, out

    def __call__(
        self,
        scenarios: ScenarioLike | Iterable[ScenarioLike],
        changes: Mapping[str, Any] | None = None,
        *,
        seed: int | None = None,
        set: Mapping[str, object] | None = None,
        only: str | None = None,
        repeat: int | None = None,
        jobs: int | None = None,
    ) -> list[Result]:
        """Makes all runs as `skidpad.testing.run_scenarios`, and returns their results if all passed; files are looked for beside the test, too. Raises AssertionError."""
        __tracebackhide__ = True
        from .running import read_all, run_read

        _, read = read_all(scenarios, changes, self.item.path.parent, seed=seed, set=set, only=only, repeat=repeat)
        results = run_read(read, jobs, self.out, "failed")
        _judge(self.item, results)
        return results


class LoadWorld:
    """The fixture `world`."""

    def __init__(self, item: pytest.Item) -> None:
        self.item = item
        self.loaded: list[World] = []

    def __call__(
        self, world: str | PathLike[str], *, seed: int | None = None, set: Mapping[str, object] | None = None, physics: str | None = None
    ) -> World:
        """Loads a world by its name, its file, also beside the test, or its XML. Without `seed` it has one that follows from the name of the test."""
        from .. import World
        from .sources import file_of

        folder = self.item.path.parent
        options: dict[str, Any] = {"seed": seed_of(self.item) if seed is None else seed, "set": set, "physics": physics}
        if isinstance(world, str) and world.lstrip().startswith("<"):
            made = World.from_string(world, folder=folder, **options)
        else:
            made = World(file_of(world, folder), **options)
        self.loaded.append(made)
        return made


@pytest.fixture
def world(request: pytest.FixtureRequest) -> Iterator[LoadWorld]:
    """Loads worlds of skidpad, `world("racecar", seed=None, set={…})`, and closes them after the test. The seed follows from the name of the test."""
    loader = LoadWorld(request.node)
    yield loader
    for loaded_world in loader.loaded:
        loaded_world.close()


@pytest.fixture
def run_scenario(request: pytest.FixtureRequest, tmp_path: Path) -> RunScenario:
    """Runs a scenario of skidpad, `run_scenario("wall.yaml", {"duration": 4}, seed=3)`, and returns its result; fails the test where something did not hold."""
    return RunScenario(request.node, _own_folder(request.node) or tmp_path)


@pytest.fixture
def run_scenarios(request: pytest.FixtureRequest, tmp_path: Path) -> RunScenarios:
    """Makes all runs of one or several scenarios of skidpad, side by side, and returns their results; fails the test where something did not hold."""
    return RunScenarios(request.node, _own_folder(request.node) or tmp_path)


def seed_of(item: pytest.Item) -> int:
    """A seed that follows from the name of a test and its file, wherever they are."""
    return zlib.crc32(f"{item.path.name}::{item.nodeid.partition('::')[2]}".encode())


def _judge(item: pytest.Item, results: list[Result]) -> None:
    """Keeps the results of a test for the reports, if there are to be any. Raises AssertionError for those that did not pass."""
    __tracebackhide__ = True
    if item.config.getoption("skidpad_out") is not None:
        item.config.stash.setdefault(MADE, []).extend((item.nodeid, result.record.chunk().hex()) for result in results)
    failed = [result for result in results if not result.passed]
    if not failed:
        return
    for result in failed:
        if notes := [*result.notes, *map(str, result.never_happened)]:
            item.add_report_section("call", "skidpad", f"notes of {result.run}:\n" + "\n".join(notes))
    lines = [str(result) for result in failed]
    if any(not result.command for result in failed):
        lines.append(f"  again: pytest {shlex.quote(item.nodeid)}")
    if all(result.recording is None for result in failed):
        lines.append("  hint: --skidpad-out DIR keeps recordings")
    raise AssertionError("\n".join(lines))


def _shown(path: Path) -> Path:
    """A path from the current folder, if it is in there."""
    folder = Path.cwd()
    return path.relative_to(folder) if path.is_relative_to(folder) else path


def _own_folder(item: pytest.Item) -> Path | None:
    """The folder of a test's recordings below `--skidpad-out`; None without it."""
    out = item.config.getoption("skidpad_out")
    if out is None:
        return None
    name = "".join(c if c.isalnum() or c in "=,.+-_" else "_" for c in item.nodeid)
    return Path(out) / name[-150:]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Passes the runs of a process of pytest-xdist on to the one that has started it, and writes the reports there."""
    made = session.config.stash.get(MADE, [])
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["skidpad"] = made
        return
    out = session.config.getoption("skidpad_out")
    if out is None or not made:
        return
    from .. import _skidpad
    from .results import result_of, write_all

    write_all([result_of(_skidpad.ScenarioRecord(bytes.fromhex(record))) for _, record in sorted(made)], out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Takes the runs of a process of pytest-xdist that has ended."""
    made = getattr(node, "workeroutput", {}).get("skidpad", [])
    node.config.stash.setdefault(MADE, []).extend((test, record) for test, record in made)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Says where the page is."""
    out = config.getoption("skidpad_out")
    if out is not None and config.stash.get(MADE, []):
        terminalreporter.write_line(f"scenarios: {os.path.join(out, 'results.html')}")
