"""Says which crates of the workspace .ci/rustc has not linted: exit status 0 if there are none.

Usage: python3 xtask/linted.py
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def crates():
    """Each crate of the workspace, build scripts apart: package and crate, as .ci/rustc writes them."""
    asked = ["cargo", "metadata", "--locked", "--no-deps", "--format-version", "1"]
    packages = json.loads(subprocess.run(asked, cwd=ROOT, capture_output=True, check=True).stdout)["packages"]
    return {f"{package['name']} {target['name'].replace('-', '_')}" for package in packages for target in package["targets"] if "custom-build" not in target["kind"]}


def main():
    missing = crates() - set((ROOT / "target/linted.txt").read_text().splitlines())
    for crate in sorted(missing):
        print(f"CI: crate {crate} of the workspace was not linted\n  hint: .ci/rustc lints what is compiled; add it to TESTS_AND_TOOLS in the Makefile", file=sys.stderr)
    return int(bool(missing))


if __name__ == "__main__":
    sys.exit(main())
