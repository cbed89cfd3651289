"""The process of a local sweep, `python -m skidpad.sweep.worker FD`: says that it is ready, takes batches of runs from a pipe, and sends each result at once."""

from __future__ import annotations

import signal
import sys
from multiprocessing.connection import Connection

from .work import Plan, Row, make, unpack


def main(descriptor: int) -> None:
    """Works until the pipe ends."""
    # Ctrl-C is for the process that hands out the runs.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pipe = Connection(descriptor)
    try:
        packed, retries = pipe.recv()
        plan: Plan | None = None
        problem = ""
        try:
            plan = unpack(packed)
        except Exception as error:  # noqa: BLE001 - it is the result of all runs
            problem = f"the sweep cannot be loaded in another process: {type(error).__name__}: {error}"
        pipe.send(None)
        while True:
            for task in pipe.recv():
                pipe.send(make(plan, task, retries) if plan is not None else Row(task, {}, 0.0, task.lost + 1, problem))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


if __name__ == "__main__":
    main(int(sys.argv[1]))
