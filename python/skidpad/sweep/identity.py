"""What a sweep is: ids of runs, checksums of world files, and names of functions. They decide whether two calls mean the same sweep."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
import types
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from .errors import SweepError


def world_file(world: str | PathLike[str]) -> Path | None:
    """The file of a world: as given, or of the package by its name. None if there is none, which loading it reports."""
    folder = Path(__file__).parents[1] / "worlds"
    candidates = (Path(world), folder / f"{world}.world.xml", folder / str(world))
    return next((path for path in candidates if path.is_file()), None)


def checksum(path: Path) -> str:
    """SHA-256 of a world file and of all files that it names (those whose names have variables excepted), in the order of their names."""
    files: dict[Path, bytes] = {}
    waiting = [path.resolve()]
    while waiting:
        file = waiting.pop()
        if file in files:
            continue
        files[file] = file.read_bytes()
        if file.suffix in {".xml", ".yaml"}:
            for name in re.findall(r"[\w./-]+\.\w+", files[file].decode(errors="replace")):
                named = (file.parent / name).resolve()
                if named not in files and named.is_file():
                    waiting.append(named)
    root = path.resolve().parent
    digest = hashlib.sha256()
    for file in sorted(files):
        name = file.relative_to(root).as_posix() if file.is_relative_to(root) else file.name
        digest.update(f"{name}\0{len(files[file])}\0".encode() + files[file])
    return digest.hexdigest()


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


def run_id(variables: dict[str, Any], seed: int, sweep: str) -> str:
    """16 hexadecimal digits that follow from the variables, the seed and the sweep's own checksum."""
    text = json.dumps([variables, seed, sweep], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def function_name(function: Any) -> str | None:
    """Name of a function, with a checksum of its code and of the values that it encloses, so that a changed one is another."""
    if function is None:
        return None
    code = getattr(function, "__code__", None)
    if code is None:
        kind = type(function)
        state = repr(function) if dataclasses.is_dataclass(function) else ""
        return f"{kind.__module__}.{kind.__qualname__} {hashlib.sha256((state + _code(kind.__call__.__code__)).encode()).hexdigest()[:8] if hasattr(kind.__call__, '__code__') else ''}".strip()
    enclosed = [cell.cell_contents for cell in function.__closure__ or ()] + list(function.__defaults__ or ())
    text = _code(code) + "".join(function_name(value) or "" if callable(value) else repr(value) for value in enclosed)
    return f"{function.__module__}.{function.__qualname__} {hashlib.sha256(text.encode()).hexdigest()[:8]}"


def _code(code: types.CodeType) -> str:
    constants = "".join(_code(constant) if isinstance(constant, types.CodeType) else repr(constant) for constant in code.co_consts)
    return f"{code.co_code.hex()} {code.co_names} {constants}"
