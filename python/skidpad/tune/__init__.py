"""Gains of a vehicle's PID controller, fitted by step responses. `docs/tuning.md` has the metric and results; `skidpad tune` is the command."""

from __future__ import annotations

from .responses import Response, Step, respond, score, steps_of
from .search import Tuning, tune

__all__ = ["Response", "Step", "Tuning", "respond", "score", "steps_of", "tune"]
