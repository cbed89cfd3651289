"""What a sweep is: ids of runs, checksums of the files that they read, and names of functions. They decide whether two calls mean the same sweep."""

from __future__ import annotations

import functools
import glob
import hashlib
import json
import re
import sys
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from .errors import SweepError
from .fingerprint import fingerprint, is_own


def world_file(world: str | PathLike[str]) -> Path | None:
    """The file of a world: as given, or of the package by its name. None if there is none, which loading it reports."""
    folder = Path(__file__).parents[1] / "worlds"
    candidates = (Path(world), folder / f"{world}.world.xml", folder / str(world))
    return next((path for path in candidates if path.is_file()), None)


# Files whose text may name others.
NAMING = {".xml", ".yaml", ".yml", ".urdf", ".sdf", ".world", ".xacro", ".dae", ".obj", ".mtl", ".gltf"}

# Names in them, in turn: bare, quoted, as the text of an element, after the colon of a key, in a list. Variables are part of a name.
NAMES = [
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"(?:[\w./-]|\$f?\{[^}]*\})+\.\w+",
        r'"([^"\n]+)"',
        r"'([^'\n]+)'",
        r">([^<>\n]+)<",
        r":[ \t]+([^\n#]+)",
        r"(?:[\[,]|^[ \t]*-[ \t])[ \t]*([^][{},\"'\n#]+)",
    )
]


def checksum(*paths: Path, beside: Path | None = None) -> str:
    """SHA-256 of files and of all files that they name, in the order of their names. Of a name with variables, all files that it may mean count.

    `beside`: another folder that names in them start from, than their own.
    """
    files: dict[Path, str] = {}
    waiting = [path.resolve() for path in paths]
    while waiting:
        file = waiting.pop()
        if file in files:
            continue
        files[file] = _content(file)
        if file.suffix.lower() in NAMING:
            text = file.read_text(errors="replace")
            for name in sorted({reference.strip() for pattern in NAMES for reference in pattern.findall(text)}):
                for folder in [file.parent, *([beside] if beside else [])]:
                    waiting.extend(reference for reference in _named(folder, name) if reference not in files)
    root = paths[0].resolve().parent
    digest = hashlib.sha256()
    for file in sorted(files):
        name = file.relative_to(root).as_posix() if file.is_relative_to(root) else file.name
        digest.update(f"{name}\0{files[file]}\0".encode())
    return digest.hexdigest()


def _content(file: Path) -> str:
    """SHA-256 of a file, which may be a large recording."""
    digest = hashlib.sha256()
    with file.open("rb") as opened:
        while part := opened.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()


def _named(folder: Path, name: str) -> list[Path]:
    """The files that a name in a file of this folder means; of a recording that is a folder, those in it."""
    pattern = re.sub(r"\$f?\{[^}]*\}", "*", name)
    try:
        if not set("*?") & set(pattern):
            matches = [folder / name]
        elif re.search(r"[^*?./]", pattern):
            matches = [Path(folder, match) for match in glob.glob(pattern, root_dir=folder)]
        else:
            # Nothing but a variable, whose value is seen where it is given.
            return []
        bags = [file for place in matches if (place / "metadata.yaml").is_file() for file in place.iterdir()]
        return [file.resolve() for file in [*matches, *bags] if file.is_file()]
    except (OSError, ValueError):
        # No name of a file at all.
        return []


class NamedFiles:
    """Checksums of the files that values of variables name, each read once."""

    def __init__(self, folder: Path | None) -> None:
        """`folder`: that of the world, from which relative names start; then the present one."""
        self.folders = [folder, Path()] if folder is not None else [Path()]
        self.known: dict[str, str | None] = {}

    def of(self, variables: dict[str, Any]) -> dict[str, str]:
        """By the variables' names, of those that name one."""
        identities = {name: self._of(value) for name, value in variables.items() if isinstance(value, str) and "." in value}
        return {name: text for name, text in identities.items() if text is not None}

    def _of(self, value: str) -> str | None:
        if value not in self.known:
            files = [file for folder in self.folders for file in _named(folder, value)]
            self.known[value] = checksum(files[0]) if files else None
        return self.known[value]


def plain_variables(variables: Any) -> dict[str, Any]:
    """The variables of a run as Python values. Raises SweepError for what a world cannot take."""
    if not isinstance(variables, dict):
        raise SweepError(f"variables: a run has {variables!r}\n  accepted: a dictionary of names and values")
    plain = {}
    for name, value in variables.items():
        value = value.item() if isinstance(value, np.generic) else value
        if not isinstance(name, str) or not isinstance(value, bool | int | float | str):
            raise SweepError(f"{name}: {value!r} is of type {type(value).__name__}\n  accepted: numbers and texts, by names")
        plain[name] = value
    return plain


def run_id(variables: dict[str, Any], seed: int, sweep: str, files: NamedFiles) -> str:
    """16 hexadecimal digits that follow from the variables, with the files that they name, the seed and the sweep's own checksum."""
    named = files.of(variables)
    text = json.dumps([variables, seed, sweep, *([named] if named else [])], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def function_name(function: Any, place: str, version: str | None = None) -> str | None:
    """Name of a function with its fingerprint, so that a changed one is another. `place` names it in messages. Raises SweepError for one of which it cannot be told whether it has changed."""
    if function is None:
        return None
    named = function
    while isinstance(named, functools.partial):
        named = named.func
    if not hasattr(named, "__qualname__"):
        named = type(named)
    # Code is compiled differently by each version of Python.
    python = f" {sys.implementation.cache_tag}" if is_own(named.__module__) else ""
    return f"{named.__module__}.{named.__qualname__} {fingerprint(function, place, version)}{python}"
