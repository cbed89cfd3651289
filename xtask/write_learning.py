"""Draws the learning curve of docs/learning.md, and drives all tracks with the policy of the package for its table.

Usage, with `skidpad[learn]` installed, after `python -m skidpad.examples.race --out python/skidpad/examples/race_policy.npz --curve docs/pictures/learning_curve.csv`:
    python xtask/write_learning.py
"""

import csv
import pathlib

import numpy as np
from skidpad.examples.policy import Policy
from skidpad.examples.race import TRAINING, UNSEEN, evaluate, plot

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
BEGIN, END = "<!-- learning result -->\n", "<!-- learning result end -->"


def main() -> None:
    with (DOCS / "pictures/learning_curve.csv").open(newline="") as file:
        curve = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
    plot(curve, DOCS / "pictures/learning_curve.svg")
    policy = Policy.load(DOCS.parent / "python/skidpad/examples/race_policy.npz")
    lines = [
        f"Trained in {curve[-1]['seconds'] / 60:.0f} minutes on two cores that had other work, too. Driven for 60 s from 16 starts on each track:\n",
        "| Track | Cars that touched a wall | Laps of the slowest other one | Its speed [m/s] |",
        "|---|---|---|---|",
    ]
    for name in (*TRAINING, UNSEEN):
        result = evaluate(np.asarray(policy.weights), name)
        kind = ", not trained on" if name == UNSEEN else ""
        lines.append(f"| `{name}`{kind} | {result['crashed']} of {result['cars']} | {result['laps']:.1f} | {result['speed']:.2f} |")
    page = DOCS / "learning.md"
    before, rest = page.read_text().split(BEGIN)
    page.write_text(before + BEGIN + "\n".join(lines) + "\n" + END + rest.split(END)[1])


if __name__ == "__main__":
    main()
