"""Runs the commands of the worked run in docs/identification.md, and copies their pictures to docs/pictures.

Usage: python3 xtask/write_practice.py target/release/skidpad
"""

import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/identification.md"
SECTION = "## A worked run\n"
FOLDER, OUT = "practice", "target/practice"
PICTURES = {"driven": "identification_driven", "window_1": "identification_window", "tyres": "identification_tyres", "profiles": "identification_profiles"}


def main() -> None:
    """Runs each command of the section, with its results in a folder below target."""
    section = PAGE.read_text().split(SECTION)[1].split("\n## ")[0]
    shutil.rmtree(ROOT / OUT, ignore_errors=True)
    blocks = re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    for line in "".join(blocks).splitlines():
        words = [OUT + word.removeprefix(FOLDER) if pathlib.Path(word).parts[:1] == (FOLDER,) else word for word in shlex.split(line)]
        if words[0] == "mkdir":
            (ROOT / words[1]).mkdir(parents=True)
        else:
            subprocess.run([sys.argv[1], *words[1:]], check=True, cwd=ROOT)
    for picture, name in PICTURES.items():
        shutil.copy(ROOT / OUT / f"practised.{picture}.svg", ROOT / f"docs/pictures/{name}.svg")


if __name__ == "__main__":
    main()
