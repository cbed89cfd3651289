"""Runs on the processes of this machine. A process that ends or hangs costs an attempt of the run it was at, and is replaced."""

from __future__ import annotations

import multiprocessing.connection as connections
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from typing import cast

from .batches import Batches
from .work import Plan, Row, Task, pack

SECONDS = 0.25
"""Time that a batch of runs should take [s]."""
MAX_START = 60.0
"""Time that a process may take to start, before the timeout of its first run counts [s]."""


class Worker:
    """A process that makes runs, and what it has been given. Its pipe is the only tie: it ends when the pipe does."""

    def __init__(self, first: object) -> None:
        parent_end, child_end = socket.socketpair()
        threads = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS")}
        path = os.pathsep.join(path for path in sys.path if path)
        command = [sys.executable, "-m", "skidpad.sweep.worker", str(child_end.fileno())]
        self.process = subprocess.Popen(
            command, pass_fds=[child_end.fileno()], stdin=subprocess.DEVNULL, start_new_session=True, env={**os.environ, **threads, "PYTHONPATH": path}
        )
        child_end.close()
        self.pipe = connections.Connection(parent_end.detach())
        self.tasks: list[Task] = []
        self.is_ready = False
        self.since = time.monotonic()
        self.pipe.send(first)

    def give(self, tasks: list[Task]) -> None:
        """Hands over a batch."""
        self.tasks, self.since = tasks, time.monotonic()
        self.pipe.send(tasks)

    def is_late(self, timeout: float) -> bool:
        """Whether the run that it is at takes longer than `timeout` [s]."""
        return bool(self.tasks) and time.monotonic() - self.since > timeout + (0.0 if self.is_ready else MAX_START)

    def end(self) -> None:
        """Ends the process at once."""
        self.process.kill()
        self.process.wait()
        self.pipe.close()


def rows(plan: Plan, tasks: Iterable[Task], processes: int, retries: int, timeout: float | None, batch: int | None) -> Iterator[Row]:
    """Makes the runs on `processes` processes; yields their results as they end. A run longer than `timeout` [s] counts as a lost process."""
    batches = Batches(tasks, SECONDS, batch)
    first = (pack(plan), retries)
    workers: list[Worker] = []
    try:
        while True:
            # Replaces what was lost, and starts no more than there is work for.
            for worker in workers:
                if not worker.tasks and (given := batches.take()):
                    worker_given(worker, given)
            while len(workers) < processes and (given := batches.take()):
                worker = Worker(first)
                workers.append(worker)
                worker_given(worker, given)
            busy = {worker.pipe: worker for worker in workers if worker.tasks}
            if not busy:
                return
            for pipe in connections.wait(list(busy), timeout=0.2 if timeout is not None else 5.0):
                worker = busy[cast(connections.Connection, pipe)]
                try:
                    row: Row | None = worker.pipe.recv()
                except (EOFError, OSError):
                    worker.end()
                    workers.remove(worker)
                    yield from lost(worker, batches, retries, f"its process ended with status {worker.process.returncode}")
                    continue
                worker.since = time.monotonic()
                if row is None:
                    worker.is_ready = True
                    continue
                worker.tasks = worker.tasks[1:]
                batches.learn(row)
                yield row
            for worker in [worker for worker in workers if timeout is not None and worker.is_late(timeout)]:
                if worker.pipe.poll():
                    continue
                worker.end()
                workers.remove(worker)
                yield from lost(worker, batches, retries, f"it took longer than {timeout} s")
    finally:
        for worker in workers:
            worker.end()


def worker_given(worker: Worker, tasks: list[Task]) -> None:
    """Hands over a batch; that the process has ended meanwhile is seen at the next reading of its pipe."""
    try:
        worker.give(tasks)
    except OSError:
        worker.tasks = tasks


def lost(worker: Worker, batches: Batches, retries: int, reason: str) -> Iterator[Row]:
    """The run that a lost worker was at is run again, or has failed; the others of its batch have not been tried."""
    at, later_tasks = worker.tasks[0], worker.tasks[1:]
    batches.give_back(later_tasks)
    attempts = at.lost + 1
    if attempts > retries:
        yield Row(at, {}, time.monotonic() - worker.since, attempts, reason)
    else:
        batches.give_back([Task(at.id, at.variables, at.seed, attempts)])
