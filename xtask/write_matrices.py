"""Runs the matrices whose tables are in the pages of docs/, and writes these again: a command of `skidpad experiment` on a line of its own, and
below it the table between its marks.

Usage: python3 xtask/write_matrices.py target/release/skidpad
"""

import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MATRIX = re.compile(r"^`skidpad (experiment [^`\n]*)`\n\n(<!-- numbers [a-z ]+ -->\n).*?(<!-- numbers end -->)$", re.MULTILINE | re.DOTALL)


def run_again(found: re.Match[str]) -> str:
    """The command with the table of its run."""
    command, begin, end = found.groups()
    words = shlex.split(re.sub(r" --curves \S+", "", command))
    print(f"skidpad {command}")
    table = subprocess.run([sys.argv[1], *words, "--markdown"], check=True, cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout
    return f"`skidpad {command}`\n\n{begin}{table.rstrip()}\n{end}"


def main() -> None:
    """Writes each page that has such a table."""
    for page in sorted((ROOT / "docs").glob("*.md")):
        text = page.read_text()
        written = MATRIX.sub(run_again, text)
        if written != text:
            page.write_text(written)


if __name__ == "__main__":
    main()
