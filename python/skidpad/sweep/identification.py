"""Identifications (`skidpad identify`, docs/identification.md) as runs of a sweep: from many starts, or with many seeds of the search."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import WORLDS, _skidpad
from .errors import SweepError
from .identity import checksum


@dataclass(frozen=True)
class Identification:
    """One fit: the variables are where the search starts, by the names of unknowns; the seed is that of the search over the whole ranges."""

    config: str
    data: str
    budget: int | None
    checksum: str
    """Of the config and the files that it names, recordings included, so that a changed one is another sweep."""

    def __call__(self, variables: dict[str, Any], seed: int) -> dict[str, Any]:
        folders = [Path(self.config).parent, WORLDS / "vehicles"]
        return _skidpad.identify(self.config, folders, self.data, start=variables, seed=seed, budget=self.budget)


def identification(config: str | os.PathLike[str], data: str | os.PathLike[str] | None = None, *, budget: int | None = None) -> Identification:
    """For `sweep(experiment=…)`: `skidpad identify` with the starts of unknowns as variables.

    `config`: its YAML file; `data`: folder of the recordings [that of the config]; `budget`: most evaluations of all windows [the config's].
    """
    file = Path(config).resolve()
    if not file.is_file():
        raise SweepError(f"{config}: no such file\n  accepted: a config of skidpad identify")
    folder = Path(data).resolve() if data is not None else file.parent
    return Identification(str(file), str(folder), budget, checksum(file, beside=folder))
