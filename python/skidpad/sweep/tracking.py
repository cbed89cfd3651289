"""Tracking experiments (`skidpad experiment`, docs/experiments.md) as runs of a sweep."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import _skidpad


@dataclass(frozen=True)
class TrackingExperiment:
    """One experiment: keys of its config are the variables, such as `plant`, `tyre`, `trajectory.a` or `tracker.Kp`. Returns the numbers of `--json`."""

    duration: float | None = None

    def __call__(self, variables: dict[str, Any], seed: int) -> dict[str, Any]:
        config: dict[str, dict[str, Any]] = {}
        for name, value in {"world": "tracking", "seed": seed, **variables}.items():
            section, dot, key = name.partition(".")
            config.setdefault(section if dot else "", {})[key if dot else section] = value
        if self.duration is not None:
            config[""]["duration"] = self.duration
        lines = [f"{key}: {yaml(value)}" for key, value in config.pop("").items()]
        for section, keys in config.items():
            lines += [f"{section}:", *(f"  {key}: {yaml(value)}" for key, value in keys.items())]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "experiment.yaml"
            path.write_text("\n".join(lines) + "\n")
            status, text, problem = program(["experiment", str(path), "--json"], Path(folder))
        answer = json.loads(text) if text else {"messages": [], "result": None}
        if status != 0:
            errors = [described(message) for message in answer["messages"] if message["level"] == "error"]
            raise RuntimeError("\n".join(errors) or problem.strip() or f"skidpad experiment ended with status {status}")
        return {name: value for name, value in answer["result"]["runs"][0].items() if isinstance(value, int | float)}


def tracking_experiment(duration: float | None = None) -> TrackingExperiment:
    """For `sweep(experiment=…)`: `skidpad experiment` with keys of its config as variables; `duration` [s] instead of the config's 60."""
    return TrackingExperiment(duration)


def described(message: dict[str, Any]) -> str:
    """A message of the program's `--json` as it prints it without."""
    further = [(name, message[name]) for name in ("accepted", "hint") if message[name]]
    place = f"{message['place']}: " if message["place"] else ""
    return "\n".join([place + message["found"], *(f"  {line}" for line in message["notes"]), *(f"  {name}: {text}" for name, text in further)])


def yaml(value: Any) -> str:
    """A number, a text or a truth value in YAML."""
    return json.dumps(value)


def program(arguments: list[str], folder: Path) -> tuple[int, str, str]:
    """Runs the program in this process; returns its status and what it prints. Its output goes to files, as it bypasses Python's."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = [os.dup(1), os.dup(2)]
    names = [folder / "stdout", folder / "stderr"]
    try:
        for descriptor, name in zip((1, 2), names, strict=True):
            file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(file, descriptor)
            os.close(file)
        status = _skidpad.main(arguments)
    finally:
        for descriptor, copy in zip((1, 2), kept, strict=True):
            os.dup2(copy, descriptor)
            os.close(copy)
    return status, names[0].read_text(), names[1].read_text()
