"""Pastes the commands of the manual, page after page: `make paste`, or `python3 xtask/paste.py --program target/debug/skidpad PAGE …`.

Each page has a fresh folder with the worlds and configs of the repository. A block of XML, YAML or CSV goes into the file that the text before it
names. Blocks of commands run in the order of the page. A command that goes on until Ctrl-C gets one after some seconds. Blocks that need
ROS, a build, the network or the Python package are left out, and counted.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHELLS = {"", "sh", "bash"}
FILES = {"xml": ".xml", "yaml": ".yaml", "csv": ".csv"}
# Files of a reader, which the manual names without making them.
OWN_FILES = ("warehouse.world", "drive.yaml")
# Where one of these words begins a command, somebody needs more than the program and the files of the repository.
NEEDS_MORE = re.compile(
    r"(^|[|;&(]\s*)(sudo |\S+=\S+ )*(ros2|rviz2|make|docker|podman|pip|python3?|colcon|source|\.|cargo|git|apt|apt-get|uv|ray|curl|wget|mvsim|gz|"
    r"man|skidpad (node|tune|sweep)|skidpad-ros)\b|--ros-args|--lockstep|--controller|ros/env\.sh|config/scenarios/nav2|FOLDER|\.\.\.|…",
    re.MULTILINE,
)
WRAPPER = """#!/bin/sh
# Ctrl-C after some seconds is how a user ends a run.
timeout -s INT -k 10 {limit} "{program}" "$@"
status=$?
[ $status = 124 ] && exit 0
exit $status
"""


def blocks(text):
    """(line, language, text of the block, prose before it) of each block of code of a page."""
    language, start, lines, before = None, 0, [], ""
    for number, line in enumerate(text.splitlines(), 1):
        if (fence := re.match(r"\s*```(\S*)", line)) and language is None:
            language, start, lines = fence[1], number, []
        elif fence:
            yield start, language, "\n".join(lines) + "\n", before
            language, before = None, ""
        elif language is not None:
            lines.append(line)
        elif line.strip():
            before = line if not before or line.startswith(("#", "- ", "* ")) else f"{before} {line}"


def file_of(language, before):
    """The file that the text before a block names, by its ending; none: no file."""
    named = re.findall(r"(?i)\b(?:write|saved?|put|create)\b[^`]*`([\w-][\w./-]*)`", before)
    return next((name for name in named if name.endswith(FILES[language])), None)


def paste(page, program, limit):
    """Pastes a page; (blocks that ran, blocks that were left out, failures)."""
    ran, left_out, failures = 0, 0, []
    with tempfile.TemporaryDirectory(prefix="skidpad-paste-") as name:
        folder = pathlib.Path(name)
        for part in ("worlds", "config"):
            shutil.copytree(ROOT / part, folder / part)
        (folder / "bin").mkdir()
        wrapper = folder / "bin/skidpad"
        wrapper.write_text(WRAPPER.format(limit=limit, program=program))
        wrapper.chmod(0o755)
        environment = os.environ | {"PATH": f"{folder}/bin:{os.environ['PATH']}", "SKIDPAD_ROS": "none", "SKIDPAD_WEB": "127.0.0.1:0", "BROWSER": "true", "HOME": name}
        last = ""
        for line, language, text, before in blocks(page.read_text()):
            if saved := re.match(r"Save it as `([\w./-]+)`", before):
                (folder / saved[1]).write_text(last)
            last = text
            file = file_of(language, before) if language in FILES else None
            # A part of a world is shown on its own.
            if file and ("<mvsim_world" in text or not file.endswith(".world.xml")):
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                (folder / file).write_text(text)
            if language not in SHELLS or not re.search(r"^\s*(\w+=\S+ )*skidpad ", text, re.MULTILINE):
                continue
            if NEEDS_MORE.search(text) or any(name in text for name in OWN_FILES):
                left_out += 1
                continue
            ran += 1
            done = subprocess.run(["bash", "-e", "-c", text], cwd=folder, env=environment, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
            if done.returncode:
                place = f"{page.relative_to(ROOT)}:{line}"
                failures.append(f"{place}: ended with {done.returncode}\n{text}{done.stderr[-1500:]}")
    return ran, left_out, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=pathlib.Path, help="pages; all of docs/ but the tutorials, which have a test of their own")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "target/release/skidpad")
    parser.add_argument("--limit", type=float, default=8, help="seconds until a command gets Ctrl-C")
    options = parser.parse_args()
    pages = [page.resolve() for page in options.pages]
    pages = pages or [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs/world").glob("*.md"))]
    total = [0, 0, 0]
    for page in pages:
        ran, left_out, failures = paste(page, options.program.resolve(), options.limit)
        total = [total[0] + ran, total[1] + left_out, total[2] + len(failures)]
        if ran + left_out:
            print(f"{page.relative_to(ROOT)}: {ran} blocks, {left_out} left out, {len(failures)} failed", flush=True)
        print("".join(f"\n{failure}\n" for failure in failures), end="", flush=True)
    print("{} blocks ran, {} were left out, {} failed".format(*total))
    return 1 if total[2] else 0


if __name__ == "__main__":
    sys.exit(main())
