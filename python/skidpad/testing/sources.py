"""What a scenario is read from: a file, a dictionary, or a file with changes."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Union

from .. import _skidpad
from ..errors import ScenarioError

ScenarioLike = Union[str, PathLike[str], Mapping[str, Any]]
"""A file of a scenario, or its keys."""


@dataclass(frozen=True)
class Source:
    """What a scenario is read from, for this process or another one, and what is set in it."""

    path: Path
    """The file, or where messages and relative paths start from."""
    text: str | None
    """What is read in place of the file."""
    places: tuple[str, ...] | None
    """The keys in the lines of the text."""
    seed: int | None = None
    set: Mapping[str, object] | None = None
    only: str | None = None
    repeat: int | None = None

    def read(self) -> _skidpad.Scenario:
        """The scenario. Raises ScenarioError with all mistakes."""
        return _skidpad.Scenario(
            self.path, text=self.text, places=self.places, seed=self.seed, set=dict(self.set or {}), only=self.only, repeat=self.repeat
        )


def source_of(
    scenario: ScenarioLike, changes: Mapping[str, Any] | None, folder: str | PathLike[str] | None, **options: Any
) -> Source:
    """The source of a scenario as users give it. Raises ScenarioError."""
    if not isinstance(scenario, Mapping):
        path = file_of(scenario, folder)
        if not changes:
            return Source(path, None, None, **options)
        # No such file: nothing takes the lines of the file for those of the text.
        name, values = path.with_name(f"{path.name}, changed"), json.loads(_skidpad.read_yaml(path))
    else:
        name, values = Path(folder or "", str(scenario.get("name") or "scenario")), scenario
    text, places = as_text(_merged(values, changes or {}))
    return Source(name, text, places, **options)


def file_of(path: str | PathLike[str], folder: str | PathLike[str] | None) -> Path:
    """The file as given, in `folder`, or that comes with the package, where it is first found; as given where there is none, which reading it reports."""
    given = Path(path)
    package = Path(__file__).parents[1]
    candidates = [given, *([Path(folder, given)] if folder else []), *([package / given] if given.parts[:1] == ("config",) else [])]
    return next((candidate for candidate in candidates if candidate.is_file()), given)


def _merged(values: Any, changes: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON merge patch (RFC 7396): sections are merged, all else replaced, and None removes a key."""
    merged = dict(values) if isinstance(values, Mapping) else {}
    for key, value in changes.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, Mapping):
            merged[key] = _merged(merged.get(key), value)
        else:
            merged[key] = value
    return merged


def as_text(values: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    """The keys as YAML, a line for each, and where each line is: `expect[0].goal`. Raises ScenarioError for a value that YAML does not have."""
    lines: list[tuple[str, str]] = []
    _write(_plain(values, ""), "", "", "", lines)
    return "".join(f"{line}\n" for line, _ in lines), tuple(place for _, place in lines)


def _write(value: Any, first: str, indent: str, place: str, lines: list[tuple[str, str]]) -> None:
    """Writes the items of a section or list, each on lines of its own: the first one behind `first`, the others behind `indent`."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        within = f"{place}[{key}]" if isinstance(value, list) else f"{place}.{key}" if place else str(key)
        item = _plain(item, within)
        head = "- " if isinstance(value, list) else f"{_key(str(key))}: "
        line = len(lines)
        if not isinstance(item, dict | list) or not item:
            lines.append((first + head + _scalar(item), within))
        elif isinstance(value, list):
            _write(item, f"{first}- ", f"{indent}  ", within, lines)
            # The item begins where its first key does.
            lines[line] = (lines[line][0], within)
        else:
            lines.append((first + head.rstrip(), within))
            _write(item, f"{indent}  ", f"{indent}  ", within, lines)
        first = indent


def _scalar(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    return json.dumps(value)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_][\w.-]*", name) else json.dumps(name)


def _plain(value: Any, place: str) -> Any:
    """A value of JSON: numbers of NumPy and paths are what they stand for."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return list(value)
    if isinstance(value, PathLike):
        return str(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise ScenarioError(f"{place}: found {value!r}\n  accepted: numbers, texts, lists, dictionaries")
