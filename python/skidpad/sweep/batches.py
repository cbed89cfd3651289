"""How many runs are handed out at once: as many as last for a given time."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterable, Iterator

from .work import Row, Task

MAX_RUNS_OF_BATCH = 2000
"""Runs of a batch."""


class Batches:
    """Hands out tasks in batches; those that are returned come first. `seconds` is the time that a batch should take, `size` a fixed number of runs instead."""

    def __init__(self, tasks: Iterable[Task], seconds: float, size: int | None = None) -> None:
        self.tasks: Iterator[Task] = iter(tasks)
        self.returned: deque[Task] = deque()
        self.seconds, self.fixed = seconds, size
        self.mean: float | None = None

    def learn(self, row: Row) -> None:
        """Takes the wall time of a run into account."""
        self.mean = row.wall_time if self.mean is None else 0.9 * self.mean + 0.1 * row.wall_time

    def give_back(self, tasks: Iterable[Task]) -> None:
        """Returns tasks that have not been run."""
        self.returned.extend(tasks)

    def size(self) -> int:
        """Number of runs in the next batch. The first batches have one, which is measured."""
        if self.fixed is not None:
            return self.fixed
        return 1 if self.mean is None else max(1, min(MAX_RUNS_OF_BATCH, int(self.seconds / max(self.mean, 1e-6))))

    def take(self) -> list[Task]:
        """The next batch; empty at the end. A task whose process was lost gets a batch of its own, so that it harms no other."""
        if self.returned:
            return [self.returned.popleft()]
        return list(itertools.islice(self.tasks, self.size()))
