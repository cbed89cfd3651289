"""What tuning leaves: gains for the world file, and step responses before and after as CSV and SVG."""

from __future__ import annotations

import csv
import io
import math
from os import PathLike
from pathlib import Path

from .._skidpad import World
from ..sweep.errors import need
from ..sweep.results import replace
from .responses import Response, respond
from .search import Tuning

TAGS = {"kp": "KP", "ki": "KI", "kd": "KD"}
"""Names of the gains in world files."""


def write(tuning: Tuning, world: str | PathLike[str], folder: Path) -> list[Path]:
    """Writes `gains.xml`, `responses.csv` and `responses.svg`; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    loaded = World(world)
    before = [respond(loaded, tuning.vehicle, tuning.shipped, step) for step in tuning.steps]
    after = [respond(loaded, tuning.vehicle, tuning.tuned, step) for step in tuning.steps]
    xml, table, plot = (folder / name for name in ("gains.xml", "responses.csv", "responses.svg"))
    text = "".join(f"<{TAGS[name]}>{value:g}</{TAGS[name]}>\n" for name, value in tuning.tuned.items())
    replace(xml, text.encode())
    rows = io.StringIO()
    writer = csv.writer(rows, lineterminator="\n")
    writer.writerow(["step", "time", "setpoint", "shipped", "tuned"])
    for old, new in zip(before, after, strict=True):
        for time, shipped, tuned in zip(old.time, old.value, new.value, strict=True):
            writer.writerow([old.step.name, f"{time:.6g}", f"{old.step.end:g}", f"{shipped:.6g}", f"{tuned:.6g}"])
    replace(table, rows.getvalue().encode())
    draw(before, after, tuning.vehicle, plot)
    return [xml, table, plot]


def draw(before: list[Response], after: list[Response], title: str, path: Path) -> None:
    """Draws the responses into an SVG, the same bytes for the same responses."""
    matplotlib = need("matplotlib", "tune")
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "skidpad"
    pyplot = need("matplotlib.pyplot", "tune")
    columns = 3
    rows = math.ceil(len(before) / columns)
    figure, axes = pyplot.subplots(rows, columns, figsize=(9, 2.2 * rows), squeeze=False, layout="constrained")
    for axis in axes.flat[len(before) :]:
        axis.set_visible(False)
    for axis, old, new in zip(axes.flat, before, after, strict=False):
        # A hundred points for each line are enough.
        few = slice(None, None, max(1, len(old.time) // 100))
        axis.axhline(old.step.end, color="0.6", linewidth=0.8)
        axis.plot(old.time[few], old.value[few], label="shipped", color="#c0504d")
        axis.plot(new.time[few], new.value[few], label="tuned", color="#1f4e9c")
        axis.set_title(f"{old.step.name} {'m/s' if old.step.quantity == 'vx' else 'rad/s'}", fontsize=9)
        axis.tick_params(labelsize=7)
        axis.set_xlabel("s", fontsize=7)
    axes[0][0].legend(fontsize=7)
    figure.suptitle(title, fontsize=10)
    picture = io.BytesIO()
    figure.savefig(picture, format="svg", metadata={"Date": None})
    replace(path, picture.getvalue())
    pyplot.close(figure)
