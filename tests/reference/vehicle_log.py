"""Runs of a vehicle named `car` in the program under test, and tables from their logs."""

import csv
import os
import pathlib
import subprocess

import numpy as np


def drive(folder, world, commands, seconds):
    """Runs this world with these lines of commands, as fast as it can; the folder with its logs."""
    path = folder / "car.world.xml"
    path.write_text(world)
    orders = folder / "commands.csv"
    orders.write_text(commands)
    program = os.environ["SKIDPAD_BIN"]
    subprocess.run(
        [
            program,
            "run",
            str(path),
            "--commands",
            str(orders),
            "--csv",
            str(folder / "log"),
            "--rate",
            "max",
            "--headless",
            "--no-ros",
            "--duration",
            str(seconds),
        ],
        check=True,
        capture_output=True,
        timeout=60,
    )
    (log,) = pathlib.Path(folder / "log").glob("*/car_pose.csv")
    return log.parent


def columns(log, names):
    """These columns of a log, one row for each step."""
    with open(log, newline="") as file:
        rows = list(csv.DictReader(file))
    return np.array([[float(row[name]) for name in names] for row in rows])
