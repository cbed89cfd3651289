"""Identifies real cars from folders of measurements: classes for worlds/vehicles, configs to validate them, and the tables of docs/identification-results.md.

Usage: python3 xtask/write_real_cars.py target/release/skidpad FOLDER

FOLDER holds a folder of recordings for each car, by the name of its config in config/identify. Cars without one keep their tables.
"""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/identification-results.md"
BEGIN, END = "<!-- real cars -->\n", "<!-- real cars end -->"
CARS = ["f1tenth", "dart", "av21", "create"]


def identified(program: str, car: str, folder: pathlib.Path) -> str:
    """Identifies a car; returns its section of the page."""
    out = ROOT / "target/real-cars"
    subprocess.run([program, "identify", ROOT / f"config/identify/{car}.yaml", "--data", folder, "--out", out], check=True)
    (written,) = out.glob(f"{car}*.vehicle.xml")
    name = written.name.removesuffix(".vehicle.xml")
    shutil.copy(written, ROOT / "worlds/vehicles")
    shutil.copy(out / f"{name}.yaml", ROOT / "config/identify/found")
    tables = (out / f"{name}.md").read_text().split("\n", 2)[2]
    return f"### {name}\n{tables.rstrip()}\n"


def main() -> int:
    """Writes the sections of the cars with measurements; returns 1 if there are no measurements at all."""
    program, data = sys.argv[1], pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "")
    before, rest = PAGE.read_text().split(BEGIN)
    now, after = rest.split(END)
    sections = dict(re.findall(r"^### (\w+)\n(.*?)(?=^### |\Z)", now, re.MULTILINE | re.DOTALL))
    sections = {name: f"### {name}\n{text.rstrip()}\n" for name, text in sections.items()}
    missing = [car for car in CARS if sys.argv[2:3] in ([], [""]) or not (data / car).is_dir()]
    for car in CARS:
        if car not in missing:
            text = identified(program, car, data / car)
            sections[text.split()[1]] = text
    for car in missing:
        print(f"{data / car}: no such folder\n  accepted: recordings for config/identify/{car}.yaml\n  hint: make real-cars DATA=FOLDER", file=sys.stderr)
    PAGE.write_text(before + BEGIN + "\n".join(sections.values()) + END + after)
    return int(len(missing) == len(CARS))


if __name__ == "__main__":
    sys.exit(main())
