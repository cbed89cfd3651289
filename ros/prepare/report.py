"""Output of this program: problems in the project's error format, numbered steps with their time, commands with a log."""

import os
import subprocess
import sys
import threading
import time


class Problem(Exception):
    """Something the user has to change: where it is, what was found, what is accepted, a hint."""

    def __init__(self, place, found, accepted=None, hint=None, details=()):
        super().__init__(found)
        lines = ["{}: {}".format(place, found)]
        lines += ["  " + line for line in details]
        if accepted:
            lines.append("  accepted: " + accepted)
        if hint:
            lines.append("  hint: " + hint)
        self.text = "\n".join(lines)


class Steps:
    """Prints `[2/4] what is done ... 3.1 s`; the line is printed when the step begins and completed when it ends."""

    def __init__(self, total, progress=lambda: ""):
        """`progress()` gives the end of each line, when its step has ended."""
        self.total = total
        self.number = 0
        self.progress = progress

    def run(self, title, action):
        self.number += 1
        begin = time.monotonic()
        print("[{}/{}] {} ...".format(self.number, self.total, title), end=" ", flush=True)
        try:
            action()
        except BaseException:
            print(flush=True)
            raise
        print("{:.1f} s".format(time.monotonic() - begin), end="", flush=True)
        try:
            print(self.progress(), flush=True)
        except Problem:
            print(flush=True)
            raise


# File descriptors that commands keep open: the lock, so that it is held while a command outlives this program.
inherited = []
# The commands that are running, and whether they are to end.
_running = set()
_ending = threading.Event()


def run_command(command, log, env=None):
    """Runs `command` with its output in the file `log`; raises CommandFailed when it ends with a code other than 0."""
    os.makedirs(os.path.dirname(log), exist_ok=True)
    with open(log, "w") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=env, pass_fds=inherited)
        _running.add(process)
        if _ending.is_set():
            process.terminate()
        try:
            code = process.wait()
        except BaseException:
            process.terminate()
            process.wait()
            raise
        finally:
            _running.discard(process)
    if code != 0:
        raise CommandFailed(command, code, log)


def run_at_the_same_time(actions):
    """Runs functions that call run_command, as many at a time as there are processors. The first error ends the commands of the others."""
    # Slow to import, and seldom needed.
    import concurrent.futures
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
        futures = [pool.submit(action) for action in actions]
        try:
            for future in concurrent.futures.as_completed(futures):
                future.result()
        except BaseException:
            _ending.set()
            pool.shutdown(wait=False, cancel_futures=True)
            for process in list(_running):
                process.terminate()
            raise


class CommandFailed(Exception):
    """A command that ended with a code other than 0; `tail` is the end of what it said."""

    def __init__(self, command, code, log):
        super().__init__(command[0])
        self.command = command
        self.code = code
        self.log = log
        with open(log, errors="replace") as text:
            self.output = text.read()
        self.tail = self.output.splitlines()[-15:]

    def problem(self, what, hint=None):
        """The same as a Problem: `what` failed, with the end of its output."""
        shown = os.path.relpath(self.log)
        return Problem(shown, "{} failed with code {}".format(what, self.code), hint=hint, details=self.tail)


def warn(text):
    """One line on standard error."""
    print(text, file=sys.stderr, flush=True)
