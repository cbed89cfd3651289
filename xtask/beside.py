"""Runs shell commands at the same time, for the tests that mostly wait.

Usage: python3 xtask/beside.py COMMAND... [--then COMMAND]

The last command prints as it goes. The output of each other command follows when all have ended. The command after --then runs alone, at the end.
The exit status is 0 if that of each command is.
"""

import subprocess
import sys
import tempfile


def announce(command):
    # The environment comes first.
    print("+", command.rpartition("&& ")[2], flush=True)


def run(command):
    """The exit status of a command that prints as it goes."""
    announce(command)
    return subprocess.call(command, shell=True)


def beside(*quiet, shown):
    """Whether all commands succeed at the same time."""
    files = [tempfile.TemporaryFile() for _ in quiet]
    running = [subprocess.Popen(command, shell=True, stdout=file, stderr=subprocess.STDOUT) for command, file in zip(quiet, files)]
    statuses = [run(shown)] + [process.wait() for process in running]
    for command, file in zip(quiet, files):
        announce(command)
        file.seek(0)
        sys.stdout.buffer.write(file.read())
        sys.stdout.buffer.flush()
    return not any(statuses)


def main(arguments):
    commands, alone = (arguments[:-2], arguments[-1]) if "--then" in arguments[-2:-1] else (arguments, None)
    if not commands:
        print(__doc__, file=sys.stderr)
        return 2
    *quiet, shown = commands
    succeeded = beside(*quiet, shown=shown)
    if alone is not None and run(alone) != 0:
        succeeded = False
    return int(not succeeded)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
