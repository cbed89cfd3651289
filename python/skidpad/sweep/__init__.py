"""Many runs of a world, on the processes of one machine or on a Ray cluster, into a folder of Parquet files.

>>> import skidpad
>>> if __name__ == "__main__":
...     done = skidpad.sweep("racecar", {"speed": [0.0, 0.02]}, seeds=3, duration=1.0, metrics=["distance"], out="/tmp/doctest.parquet")

The module can be called: `skidpad.sweep(…)` is `skidpad.sweep.sweep(…)`. `docs/scale.md` explains it.
"""

from __future__ import annotations

import sys
import types
from typing import Any

from .designs import Grid, LatinHypercube, grid, latin_hypercube
from .driver import Summary, sweep
from .errors import SweepError
from .identification import identification
from .metrics import METRICS, History, Run
from .results import arrays, read
from .tracking import tracking_experiment

__all__ = [
    "METRICS",
    "Grid",
    "History",
    "LatinHypercube",
    "Run",
    "Summary",
    "SweepError",
    "arrays",
    "grid",
    "identification",
    "latin_hypercube",
    "read",
    "sweep",
    "tracking_experiment",
]


class _Callable(types.ModuleType):
    """A module that is called like its function of the same name."""

    def __call__(self, *arguments: Any, **options: Any) -> Summary:
        return sweep(*arguments, **options)


sys.modules[__name__].__class__ = _Callable
