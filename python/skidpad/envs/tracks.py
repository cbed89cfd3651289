"""Race tracks: maps with their middles."""

from __future__ import annotations

import os
import pathlib

from .. import WORLDS, Path
from ..errors import CommandError

# The tracks of the package.
NAMES = ("racetrack", "track_oval", "track_bean", "track_zigzag")


def track(name: str | os.PathLike[str]) -> tuple[str, Path]:
    """The map_server file of a track, and its middle as a closed path with the free width to both sides.

    `name`: one of `NAMES`, or a map_server file `x.yaml`, beside which `x_centerline.csv` has a line `x, y, free width to the right, to the left` [m] for each point, as the centre lines of F1TENTH do, or is another track or racing line with widths (docs/tracking.md).
    """
    file = pathlib.Path(name)
    if str(name) in NAMES:
        file = WORLDS / "maps" / f"{name}.yaml"
    middle = file.with_name(f"{file.stem}_centerline.csv")
    if not (file.is_file() and middle.is_file()):
        raise CommandError(f"track {name}: not found\n  accepted: {', '.join(NAMES)}, or a file x.yaml with x_centerline.csv beside it")
    return str(file), Path.from_file(middle, closed=True, header="x_m,y_m,w_tr_right_m,w_tr_left_m")
