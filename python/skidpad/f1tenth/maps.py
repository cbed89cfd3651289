"""Maps as f1tenth_gym names them."""

from __future__ import annotations

import os
import pathlib
import re

from ..errors import CommandError


def map_file(name: str | os.PathLike[str], extension: str = ".png") -> str:
    """The map_server file of a name as f1tenth_gym takes it: a path without extension, or a track of the package.

    Raises CommandError if there is none, and if the image with `extension` that f1tenth_gym would read is another one than the file names.
    """
    from ..envs.tracks import NAMES, track

    if str(name) in NAMES:
        return track(name)[0]
    file = pathlib.Path(name if str(name).endswith(".yaml") else f"{name}.yaml")
    if not file.is_file():
        raise CommandError(f"map {name}: there is no {file}\n  accepted: {', '.join(NAMES)}, or a map_server file")
    named = re.search(r"^image:\s*[\"']?(.+?)[\"']?\s*$", file.read_text(), re.MULTILINE)
    image_file = file.with_suffix(extension)
    if named and image_file.is_file() and not (file.parent / named[1]).resolve() == image_file.resolve():
        raise CommandError(f"map_ext: found {extension}, but {file} names the image {named[1]}\n  accepted: one image; f1tenth_gym would read {image_file.name}\n  hint: write image: {image_file.name} into {file}")
    return str(file.resolve())
