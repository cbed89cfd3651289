"""The command `skidpad`, and `python -m skidpad`: `sweep` and `tune` are here, everything else is the program of the same name, without ROS."""

from __future__ import annotations

import importlib
import signal
import sys

from . import _skidpad

# Commands in Python, with the module that has their `main`.
COMMANDS = {"sweep": "skidpad.sweep.command", "tune": "skidpad.tune.command"}


def main(arguments: list[str] | None = None) -> int:
    """Runs a command with these arguments, by default those of the process; returns its exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments and arguments[0] in COMMANDS:
        return int(importlib.import_module(COMMANDS[arguments[0]]).main(arguments[1:]))
    # Ctrl-C ends the program as it ends the one of the same name, which listens to the signal itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _skidpad.main(arguments)


if __name__ == "__main__":
    sys.exit(main())
