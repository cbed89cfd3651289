"""The matrix of docs/experiments.md as a sweep: two plants on four tyres along five trajectories.

    pip install "skidpad[sweep]"
    python -m skidpad.examples.matrix --out matrix.parquet

The numbers are those of `skidpad experiment --matrix`.
"""

from __future__ import annotations

import argparse

import skidpad

TRAJECTORIES = ("line", "parabola", "circle", "figure_eight", "cycloid")
PLANTS = ("rigid_body", "single_track")
TYRES = ("default", "linear", "fiala", "pacejka")


def design() -> list[dict[str, object]]:
    """The forty runs, as keys of the config of an experiment. The parabola begins two seconds after its vertex, which is tighter than the car can turn."""
    runs = []
    for run in skidpad.grid({"trajectory.trajectory_type": TRAJECTORIES, "plant": PLANTS, "tyre": TYRES}):
        runs.append({**run, "trajectory.phase": 2.0 if run["trajectory.trajectory_type"] == "parabola" else 0.0})
    return runs


def main() -> None:
    """Runs the matrix and prints its table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default="matrix.parquet", help="folder of the results")
    parser.add_argument("--address", help="Ray cluster instead of this machine")
    options = parser.parse_args()
    done = skidpad.sweep(None, design(), experiment=skidpad.sweep.tracking_experiment(), out=options.out, address=options.address)
    table = {(row["trajectory.trajectory_type"], row["plant"], row["tyre"]): row for row in done.read().to_pylist()}
    print(f"| RMSE [cm] / ISE [m²·s] | plant | {' | '.join(TYRES)} |")
    print("|---" * (2 + len(TYRES)) + "|")
    for trajectory in TRAJECTORIES:
        for plant in PLANTS:
            cells = [table[trajectory, plant, tyre] for tyre in TYRES]
            print(f"| {trajectory} | {plant} | " + " | ".join(f"{100 * cell['rmse_m']:.2f} / {cell['ise_m2s']:.4f}" for cell in cells) + " |")


if __name__ == "__main__":
    main()
