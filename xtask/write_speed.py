"""Measures the speed with `skidpad bench` and writes it into README.md and docs/performance.md, between `speed` comments: `make bench`.

    python3 xtask/write_speed.py PROGRAM [OPTION OF BENCH...]    e.g. target/release/skidpad --seconds 5
"""

import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- speed -->\n", "<!-- speed end -->"
# The sentence of the README, with the cases of its numbers.
OVERVIEW = "One car runs {A} times as fast as real time, a car with a lidar {C} times, and a hundred robots {B100} times. [All figures](docs/performance.md)\n"


def cases(program):
    """What each case is, by name, from the program's help."""
    text = subprocess.run([program, "bench", "--help"], capture_output=True, text=True, check=True).stdout
    return dict(re.findall(r"^ +- (\w+): +(.+)$", text, re.MULTILINE))


def number(value):
    """Three digits: 5.13 million, 94 200, 83.1."""
    if value >= 1e6:
        return f"{value / 1e6:.3g} million"
    digits = float(f"{value:.3g}")
    return f"{digits:,.0f}".replace(",", " ") if digits >= 100 else f"{digits:g}"


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines).replace("| --- ", "|---").replace("--- |\n", "---|\n")


def busy_seconds():
    """Processor time of everything that this machine has run."""
    fields = [int(field) for field in open("/proc/stat").readline().split()[1:9]]
    user, nice, system, _idle, _waiting, interrupts, soft_interrupts, _stolen = fields
    return (user + nice + system + interrupts + soft_interrupts) / os.sysconf("SC_CLK_TCK")


def own_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def commit():
    git = lambda *arguments: subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()  # noqa: E731
    changed = git("status", "--porcelain", "--untracked-files=no", "--", "src", "Cargo.toml", "Cargo.lock")
    return git("rev-parse", "--short=10", "HEAD") + (" with changes" if changed else "")


def processor():
    names = re.findall(r"^model name\s*: (.+)$", open("/proc/cpuinfo").read(), re.MULTILINE)
    return f"{os.cpu_count()} cores of {names[0] if names else os.uname().machine}"


def measure(program, options):
    """The lines of `skidpad bench`, and under which conditions they were measured."""
    begin, busy, own = time.monotonic(), busy_seconds(), own_seconds()
    lines = []
    with subprocess.Popen([program, "bench", *options], stdout=subprocess.PIPE, text=True) as bench:
        assert bench.stdout is not None
        for line in bench.stdout:
            print(line, end="", flush=True)
            lines.append(json.loads(line))
    if bench.returncode != 0:
        sys.exit(bench.returncode)
    took = time.monotonic() - begin
    others = max(0.0, (busy_seconds() - busy) - (own_seconds() - own)) / took
    conditions = (
        f"Measured by `make bench` with commit {commit()} on {processor()}, in steps of 5 ms. Meanwhile other programs took {others:.2f} cores "
        "of the processor; more of that makes all figures smaller.\n"
    )
    return lines, conditions


def write(path, text):
    page = path.read_text()
    before, rest = page.split(BEGIN, 1)
    _, after = rest.split(END, 1)
    path.write_text(before + BEGIN + text + END + after)


def main():
    program, options = sys.argv[1], sys.argv[2:]
    names = cases(program)
    lines, conditions = measure(program, options)
    rows = [
        [
            f"{line['case']}: {names[line['case']]}", number(line["steps_per_s"]), number(line["real_time_factor"]), number(line["rays_per_s"]) if line["rays_per_s"] else "",
            f"{line['peak_rss_mb']:.0f} MB" if line["peak_rss_mb"] else "",
        ]
        for line in lines
    ]
    if {line["case"] for line in lines} != set(names):
        sys.exit("xtask/write_speed.py: not all cases are measured, so nothing is written")
    full = table(["Case", "Steps/s", "Times real time", "Rays/s", "Peak memory"], rows)
    write(ROOT / "docs" / "performance.md", f"{full}\n{conditions}")
    write(ROOT / "README.md", OVERVIEW.format_map({line["case"]: number(line["real_time_factor"]) for line in lines}))


if __name__ == "__main__":
    main()
