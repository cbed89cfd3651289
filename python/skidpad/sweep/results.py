"""The folder of results: Parquet files with a row per run, and what they were made by. An interrupted sweep goes on in it.

results.parquet/_sweep.json           what the sweep is: world, duration, metrics; another one is refused
results.parquet/part-000000.parquet   rows; each file is complete, as it gets its name when it has been written
"""

from __future__ import annotations

import fcntl
import json
import os
import platform
import shlex
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .. import _skidpad
from .errors import SweepError, need
from .work import Row

COLUMNS = ("run", "seed", "attempts", "wall_time", "error")
"""Columns of every result beside variables and metrics."""
MIN_INTERVAL = 5.0
"""Rows are written at least this often [s], in long sweeps every hundredth of the time since its start."""
MAX_ROWS = 20_000
"""Rows of a file."""


class Store:
    """Writes results; knows which runs are there. One process at a time has a folder."""

    def __init__(self, out: str | os.PathLike[str], identity: Mapping[str, Any]) -> None:
        self.arrow, self.parquet = need("pyarrow", "sweep"), need("pyarrow.parquet", "sweep")
        self.folder = Path(out)
        self.about = self.folder / "_sweep.json"
        self.identity = json.loads(json.dumps(dict(identity)))
        if self.folder.is_file():
            raise SweepError(f"{self.folder}: is a file\n  accepted: a folder, which is created if missing")
        if self.folder.is_dir() and any(self.folder.iterdir()) and not self.about.is_file():
            raise SweepError(f"{self.folder}: is a folder without results of a sweep\n  hint: choose another folder for out")
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lock = open(self.folder / "_lock", "w")  # noqa: SIM115 - open until close()
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self.lock.close()
            raise SweepError(f"{self.folder}: another sweep is writing into it") from error
        try:
            self._compare()
            self.done = self._ids()
        except BaseException:
            self.lock.close()
            raise
        numbers = [int(part.stem.partition("-")[2]) for part in self.folder.glob("part-*.parquet")]
        self.next = max(numbers, default=-1) + 1
        self.rows: list[Row] = []
        self.start = self.written = time.monotonic()

    def _compare(self) -> None:
        if not self.about.is_file():
            replace(self.about, json.dumps(self.identity, indent=1).encode())
            return
        before = json.loads(self.about.read_text())
        for key in {**before, **self.identity}:
            old, new = before.get(key), self.identity.get(key)
            if old != new:
                raise SweepError(
                    f"{self.folder}: has runs of another sweep: {key} was {short(old)}, now {short(new)}\n  hint: choose another folder for out, or remove this one"
                )

    def _ids(self) -> set[int]:
        done: set[int] = set()
        for part in sorted(self.folder.glob("part-*.parquet")):
            column = self.parquet.read_table(part, columns=["run"], partitioning=None)["run"]
            done.update(int(name, 16) for name in column.to_pylist())
        return done

    def add(self, row: Row) -> None:
        """Takes a result, once; writes when there are many or when it is time."""
        number = int(row.task.id, 16)
        if number in self.done:
            return
        self.done.add(number)
        self.rows.append(row)
        clock = time.monotonic()
        if len(self.rows) >= MAX_ROWS or clock - self.written >= max(MIN_INTERVAL, 0.01 * (clock - self.start)):
            self.flush()

    def flush(self) -> None:
        """Writes the results that are still in memory."""
        self.written = time.monotonic()
        if not self.rows:
            return
        columns = list(COLUMNS)
        columns += dict.fromkeys(name for row in self.rows for name in (*row.task.variables, *row.metrics))
        values: dict[str, list[Any]] = {name: [] for name in columns}
        for row in self.rows:
            record = {
                **row.metrics,
                **row.task.variables,
                "run": row.task.id,
                "seed": row.task.seed,
                "attempts": row.attempts,
                "wall_time": row.wall_time,
                "error": row.error,
            }
            for name in columns:
                values[name].append(record.get(name))
        table = self.arrow.table({name: self._column(name, column) for name, column in values.items()})
        table = table.replace_schema_metadata({b"skidpad": json.dumps({**self.identity, **origin()}).encode()})
        part = self.folder / f"part-{self.next:06d}.parquet"
        temporary = self.folder / f".{part.name}.new"
        self.parquet.write_table(table, temporary, compression="zstd")
        os.replace(temporary, part)
        self.next += 1
        self.rows = []

    def _column(self, name: str, values: list[Any]) -> Any:
        if name in COLUMNS:
            kind = {"run": "string", "error": "string", "seed": "int64", "attempts": "int32", "wall_time": "float64"}[name]
            return self.arrow.array(values, getattr(self.arrow, kind)())
        try:
            return self.arrow.array(values)
        except (self.arrow.ArrowInvalid, self.arrow.ArrowTypeError):
            # Values of several kinds in one column are texts.
            return self.arrow.array([None if value is None else str(value) for value in values], self.arrow.string())

    def close(self) -> None:
        """Writes the rest and gives the folder free."""
        try:
            self.flush()
        finally:
            self.lock.close()


def origin() -> dict[str, str]:
    """What made the results: the program, versions and commit."""
    return {
        "command": shlex.join(_skidpad.command()),
        "skidpad": _skidpad.__version__,
        "commit": getattr(_skidpad, "__commit__", "unknown"),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "platform": platform.platform(),
    }


def replace(path: Path, data: bytes) -> None:
    """Writes a file so that it is there whole or not at all."""
    temporary = path.with_name(f".{path.name}.new")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def short(value: Any) -> str:
    """A value for a message, not longer than a line."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else text[:117] + "…"


def read(out: str | os.PathLike[str]) -> Any:
    """All results of a sweep as a `pyarrow.Table`, a row per run in the order in which they ended. Its schema's metadata `skidpad` is JSON: what made them."""
    arrow, parquet = need("pyarrow", "sweep"), need("pyarrow.parquet", "sweep")
    parts = sorted(Path(out).glob("part-*.parquet"))
    if not parts:
        raise SweepError(f"{out}: has no results\n  accepted: the folder `out` of a sweep")
    tables = [parquet.read_table(part, partitioning=None) for part in parts]
    metadata = tables[0].schema.metadata
    return arrow.concat_tables([table.replace_schema_metadata(None) for table in tables], promote_options="permissive").replace_schema_metadata(
        metadata
    )


def arrays(out: str | os.PathLike[str]) -> dict[str, np.ndarray]:
    """All results of a sweep as NumPy arrays by column. Metrics of failed runs are NaN in columns of floats, None elsewhere."""
    table = read(out)
    return {name: table[name].to_numpy() for name in table.column_names}
