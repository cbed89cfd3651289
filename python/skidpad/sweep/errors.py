"""The exception of sweeps, and how a missing extra is reported."""

from __future__ import annotations

import importlib
from types import ModuleType

from ..errors import SkidpadError


class SweepError(SkidpadError, ValueError):
    """A sweep that cannot be run as it is described, or a folder of results that does not fit."""


def need(module: str, extra: str) -> ModuleType:
    """Imports a module of an extra of this package. Raises SweepError with a hint if it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise SweepError(f'{package}: is not installed ({error})\n  hint: pip install "skidpad[{extra}]"') from error
