"""Builds the programs in a fresh folder, and writes what each crate cost into docs/development.md and benches/build.tsv.

Usage, with ROS sourced (`make build-times`):
    python3 xtask/write_build.py            write the table and the figures
    python3 xtask/write_build.py --check    fail where a figure is more than 15 % above the committed one

The seconds are those of the processor: the compiler's by a wrapper around it, those of build scripts (C code, r2r's bindings) by `cargo build --timings`. A figure
is the ratio to the seconds of one crate, so that another machine has the same.
"""

import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIGURES = ROOT / "benches" / "build.tsv"
PAGE = ROOT / "docs" / "development.md"
BEGIN, END = "<!-- build -->\n", "<!-- end of build -->\n"
# Large, without features of ours, and with one codegen unit.
REFERENCE = "parry2d-f64"
TOLERANCE = 1.15
# The programs in the order in which they are built, each after the one before: as `make run` and then `make build` do.
BUILDS = {"node": ["-p", "skidpad-node"], "skidpad": ["-p", "skidpad", "-p", "skidpad-node"]}
PROGRAMS = ["skidpad", "skidpad-node", "skidpad-ros"]
# Crates with less than this share of the whole are one row.
SHOWN = 0.01
LOG = "SKIDPAD_BUILD_LOG"


def wrap(command):
    """Runs the compiler, and adds the processor time that it took to the log."""
    child = os.posix_spawnp(command[0], command, os.environ)
    _, status, used = os.wait4(child, 0)
    package = os.environ.get("CARGO_PKG_NAME", "-")
    with open(os.environ[LOG], "a") as log:
        log.write(f"{package}\t{used.ru_utime + used.ru_stime}\n")
    return os.waitstatus_to_exitcode(status)


def scripts(target):
    """Seconds of the build scripts in the newest timings of this folder, by package."""
    page = (target / "cargo-timings" / "cargo-timing.html").read_text()
    units = [unit for text in re.findall(r"const UNIT_DATA = (\[.*?\]);", page, re.S) for unit in json.loads(text)]
    seconds = collections.Counter()
    for unit in units:
        if "run" in unit["mode"]:
            seconds[unit["name"]] += unit["duration"]
    return seconds


def build(target, packages):
    """The processor seconds of each crate that this build compiles."""
    log = target / "build.tsv"
    log.write_text("")
    wrapper = target / "rustc"
    wrapper.write_text(f"#!/bin/sh\nexec {sys.executable} -SE {pathlib.Path(__file__).resolve()} --wrap \"$@\"\n")
    wrapper.chmod(0o755)
    environment = os.environ | {"RUSTC_WRAPPER": str(wrapper), LOG: str(log)}
    subprocess.run(["cargo", "build", "--quiet", "--locked", "--release", "--timings", "--target-dir", target, *packages], cwd=ROOT, env=environment, check=True)
    seconds = scripts(target)
    for line in log.read_text().splitlines():
        name, used = line.split("\t")
        seconds[name] += float(used)
    return seconds


def measure(target):
    """Seconds by program and crate, and the size of each program [bytes]."""
    seconds = {name: build(target, packages) for name, packages in BUILDS.items()}
    return seconds, {name: (target / "release" / name).stat().st_size for name in PROGRAMS}


def crates(packages):
    """How many crates a release build of these packages compiles."""
    tree = ["cargo", "tree", "--offline", "--locked", *packages, "--edges", "normal,build", "--prefix", "none", "--format", "{p}"]
    lines = subprocess.run(tree, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return len({line.removesuffix(" (*)") for line in lines if line})


def figures(seconds, sizes):
    """The committed numbers: crates, seconds in those of the reference, sizes."""
    reference = seconds["node"][REFERENCE]
    yield from ((f"crates of {name}", crates(packages)) for name, packages in BUILDS.items())
    yield "seconds of node", round(sum(seconds["node"].values()) / reference, 1)
    yield "seconds of skidpad after node", round(sum(seconds["skidpad"].values()) / reference, 1)
    yield from ((f"bytes of {name}", size) for name, size in sizes.items())


def committed():
    """The figures of the repository."""
    rows = (line.split("\t") for line in FIGURES.read_text().splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in rows}


def table(seconds, sizes):
    """The table of the page."""
    node, rest = seconds["node"], seconds["skidpad"]
    whole = sum(node.values()) + sum(rest.values())
    both = collections.Counter(node) + collections.Counter(rest)
    large = [name for name, used in both.most_common() if used >= SHOWN * whole]
    row = lambda name, *values: f"| {name} | {' | '.join(f'{value:.0f}' for value in values)} |\n"  # noqa: E731
    text = "| crate | `make run` | `make build` after it |\n|---|---|---|\n"
    text += "".join(row(f"`{name}`", node[name], rest[name]) for name in large)
    small = [name for name in both if name not in large]
    text += row(f"{len(small)} others", sum(node[name] for name in small), sum(rest[name] for name in small))
    text += row("all", sum(node.values()), sum(rest.values()))
    megabytes = ", ".join(f"`{name}` {size / 1e6:.1f} MB" for name, size in sizes.items())
    return text + f"\nOn disk: {megabytes}.\n"


def main(options):
    with tempfile.TemporaryDirectory(prefix="skidpad-build-") as folder:
        target = pathlib.Path(folder)
        seconds, sizes = measure(target)
        new = dict(figures(seconds, sizes))
        shutil.rmtree(target / "release", ignore_errors=True)
    if "--check" in options:
        old = committed()
        worse = [f"{name}: found {value}\n  accepted: {TOLERANCE * old[name]:.1f}" for name, value in new.items() if value > TOLERANCE * old.get(name, 0)]
        for line in worse:
            print(f"benches/build.tsv: {line}\n  hint: if it is intended: make build-times", file=sys.stderr)
        return int(bool(worse))
    head = f"# Release builds: crates, processor seconds in those of {REFERENCE}, sizes. Written by `make build-times`.\n"
    FIGURES.write_text(head + "".join(f"{name}\t{value}\n" for name, value in new.items()))
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    PAGE.write_text(before + BEGIN + table(seconds, sizes) + END + rest.split(END)[1])
    return 0


if __name__ == "__main__":
    sys.exit(wrap(sys.argv[2:]) if sys.argv[1:2] == ["--wrap"] else main(sys.argv[1:]))
