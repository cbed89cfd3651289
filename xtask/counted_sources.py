"""Says whether anything has changed that the instruction counts depend on: exit status 0 if nothing has.

Usage: python3 xtask/counted_sources.py [--write]
"""

import hashlib
import pathlib
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = "benches/instructions"
HASH = ROOT / PROGRAM / "sources.sha256"


def folders(crate=PROGRAM):
    """The folders of a crate and of all crates of the workspace that it depends on."""
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["dependencies"]
    found, waiting = set(), [crate]
    while waiting:
        folder = waiting.pop()
        found.add(folder)
        names = tomllib.loads((ROOT / folder / "Cargo.toml").read_text()).get("dependencies", {})
        paths = (workspace.get(name, {}) for name in names)
        waiting += [path["path"] for path in paths if isinstance(path, dict) and "path" in path and path["path"] not in found]
    return sorted(found)


def files():
    """The sources of these crates without their tests, and the versions of libraries."""
    listed = subprocess.run(["git", "ls-files", "-z", *folders()], cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    kept = (name for name in listed if name and "/tests/" not in name and not name.endswith(("_tests.rs", ".sha256", "figures.tsv")))
    return [*kept, "Cargo.lock"]


def digest():
    """One hash of all of it, of the profiles, and of the version of the compiler."""
    whole = hashlib.sha256(subprocess.run(["rustc", "--version"], capture_output=True, check=True).stdout)
    whole.update((ROOT / "Cargo.toml").read_text().partition("[profile.release]")[2].encode())
    for name in files():
        whole.update(name.encode() + b"\0" + hashlib.sha256((ROOT / name).read_bytes()).digest())
    return whole.hexdigest()


def main(options):
    if "--write" in options:
        HASH.write_text(digest() + "\n")
        return 0
    return int(not HASH.exists() or HASH.read_text().strip() != digest())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
