"""Fails if a commit changes accepted bits without a reason: a line of its message that begins with "Bits:".

Usage: python3 xtask/bits_explained.py

A commit changes accepted bits if it changes or removes a row of tests/ledger/accepted.tsv. New rows need no reason, and neither do rows whose file was renamed.
The rule holds for commits after the one that added this file. A shallow clone has only its own commits checked.
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEDGER = "tests/ledger/accepted.tsv"
REASON = "Bits:"


def git(*words):
    """What git prints; nothing outside a repository."""
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout


def rows(commit):
    """Output and hash of each row of the ledger in this commit, by world and output; by the file name of the world alone, as files move."""
    lines = (line.split("\t") for line in git("show", f"{commit}:{LEDGER}").splitlines() if not line.startswith("#"))
    return {(pathlib.PurePath(line[0]).name, *line[1:-1]): line[-1] for line in lines if len(line) > 1}


def changed(commit):
    """The rows of the commit before whose hash is another one, or that are gone."""
    after = rows(commit)
    return [row for row, bits in rows(f"{commit}~1").items() if after.get(row) != bits]


def main():
    """Looks at each commit since this file was added."""
    added = git("log", "--format=%H", "--diff-filter=A", "--", "xtask/bits_explained.py").split()
    since = f"{added[-1]}..HEAD" if added else "HEAD~1..HEAD"
    status = 0
    for commit in git("log", "--no-merges", "--format=%H", since, "--", LEDGER).split():
        message = git("log", "-1", "--format=%B", commit).splitlines()
        found = changed(commit)
        if found and not any(line.startswith(REASON) and line[len(REASON) :].strip() for line in message):
            status = 1
            print(
                f"commit {commit[:8]}: {message[0]}: found {len(found)} changed rows of {LEDGER}, such as {' '.join(found[0])}, without a reason\n"
                f'  accepted: a line of the message that begins with "{REASON}" and says why\n'
                "  hint: git commit --amend, or git rebase for an older commit",
                file=sys.stderr,
            )
    return status


if __name__ == "__main__":
    sys.exit(main())
