"""Runs the property tests again and again, each time with another seed, until some time has passed.

    python3 xtask/soak_properties.py SECONDS SEED

SEED is the first seed, a number or `random`; each round takes the next one. A failure ends it, with the command that repeats it.
"""

import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TARGETS = ["--lib", "--test", "physics", "--test", "fuzz"]
VARIABLE = "PROPTEST_RNG_SEED"


class Suite(NamedTuple):
    """A program of tests, the folder that its tests run in, and the arguments by which cargo names it."""

    program: str
    folder: Path
    arguments: list[str]


def properties() -> list[str]:
    """The names of all tests whose input follows from the seed."""
    names: set[str] = set()
    for path in [*ROOT.glob("src/**/*.rs"), *ROOT.glob("tests/**/*.rs")]:
        text = path.read_text()
        for indent, block in re.findall(r"^( *)proptest! \{\n(.*?)^\1\}$", text, re.MULTILINE | re.DOTALL):
            names.update(re.findall(rf"^{indent}    fn (\w+)\(", block, re.MULTILINE))
        names.update(re.findall(r"^fn (\w+)\(\) \{\n(?:(?!^\}).*\n)*?.*(?:attempt!\(|TestRunner::new\()", text, re.MULTILINE))
    return sorted(names)


def suites() -> list[Suite]:
    """Builds the tests."""
    command = ["cargo", "test", "--locked", "--quiet", *TARGETS, "--no-run", "--message-format", "json"]
    built = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    found = []
    for line in built.stdout.splitlines():
        message = json.loads(line)
        if message.get("executable") and message["profile"]["test"]:
            folder = Path(message["manifest_path"]).parent
            target = message["target"]
            kind = ["--lib", "--package", target["name"].replace("_", "-")]
            arguments = ["--test", target["name"]] if target["kind"] == ["test"] else kind
            found.append(Suite(message["executable"], folder, arguments))
    return found


def fails(suite: Suite, names: list[str], seed: int) -> bool:
    """Whether a test fails with this seed; tells which."""
    environment = os.environ | {VARIABLE: str(seed)}
    command = [suite.program, "--quiet", *names]
    done = subprocess.run(command, cwd=suite.folder, env=environment, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stdout, done.stderr, sep="\n")
        print(f"soak: properties: found by {VARIABLE}={seed} cargo test --locked {' '.join(suite.arguments)}", flush=True)
    return done.returncode != 0


def main() -> int:
    seconds = float(sys.argv[1])
    first = random.randrange(1 << 32) if sys.argv[2] == "random" else int(sys.argv[2])
    names, found = properties(), suites()
    begin, rounds = time.monotonic(), 0
    while rounds == 0 or time.monotonic() < begin + seconds:
        seed = (first + rounds) % (1 << 64)
        if any([fails(suite, names, seed) for suite in found]):
            return 1
        rounds += 1
    print(f"soak: properties: {len(names)} tests, {rounds} seeds from {first} on, {time.monotonic() - begin:.0f} s, failures 0")
    return 0


if __name__ == "__main__":
    sys.exit(main())
