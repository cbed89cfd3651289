"""The command `skidpad`, and `python -m skidpad`: `sweep` and `tune` are here, everything else is the program of the same name, without ROS."""

from __future__ import annotations

import importlib
import os
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
    # Ctrl-C ends the program as it ends the one of the same name, which listens to the signal itself; where it was to be ignored, it still is.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _skidpad.main(arguments, _called())


def _called() -> str:
    """The command as a shell finds it: its name, or its path where the shell would find another by that name or none."""
    own = os.path.abspath(sys.argv[0])
    if os.path.basename(own) != "skidpad":
        return "skidpad"
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    first = next((path for folder in folders if os.access(path := os.path.join(folder, "skidpad"), os.X_OK) and os.path.isfile(path)), None)
    return "skidpad" if first is not None and os.path.samefile(first, own) else own


if __name__ == "__main__":
    sys.exit(main())
