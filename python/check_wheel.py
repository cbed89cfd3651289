"""Checks a built wheel: that it runs on the Linux systems that its name promises, holds the worlds, and is small. Usage: python check_wheel.py [--any-size] FILE.whl"""

import math
import pathlib
import re
import subprocess
import sys
import zipfile

# Largest size [bytes].
MAX_BYTES = 20_000_000


def problems(wheel: pathlib.Path, largest: float) -> list[str]:
    """What is wrong with the wheel, which may have `largest` bytes."""
    faults = []
    if wheel.stat().st_size > largest:
        faults.append(f"it has {wheel.stat().st_size} bytes\n  accepted: up to {largest}")
    if not re.search(r"-cp310-abi3-manylinux_2_\d+_\w+\.whl$", wheel.name):
        faults.append(f"it is named {wheel.name}\n  accepted: cp310-abi3-manylinux_2_*")
    shown = subprocess.run([sys.executable, "-m", "auditwheel", "show", str(wheel)], capture_output=True, text=True, check=True).stdout
    consistent = re.search(r'following\s+platform\s+tag:\s+"(\w+)"', shown)
    if not consistent or not consistent[1].startswith("manylinux"):
        faults.append(f"auditwheel does not take it for a manylinux wheel:\n{shown}")
    archive = zipfile.ZipFile(wheel)
    names = archive.namelist()
    for name in ("skidpad/config/circle.yaml", "skidpad/worlds/racecar.world.xml", "skidpad/worlds/maps/racetrack.png", "skidpad/_skidpad.pyi", "skidpad/py.typed"):
        if name not in names:
            faults.append(f"it lacks {name}")
    entries = next((archive.read(name).decode() for name in names if name.endswith(".dist-info/entry_points.txt")), "")
    if "skidpad.testing.plugin" not in entries or "skidpad/testing/plugin.py" not in names:
        faults.append("it lacks the plugin for pytest")
    return faults


if __name__ == "__main__":
    file = pathlib.Path(sys.argv[-1])
    # A wheel for tests is not optimised.
    wrong = problems(file, math.inf if "--any-size" in sys.argv[1:-1] else MAX_BYTES)
    for problem in wrong:
        print(f"{file.name}: {problem}", file=sys.stderr)
    if not wrong:
        print(f"{file}: {file.stat().st_size / 1e6:.1f} MB, for CPython 3.10 and later")
    sys.exit(1 if wrong else 0)
