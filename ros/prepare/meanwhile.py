"""A command that runs beside the steps: cargo with what it can build before there is a ROS.

It is the command that is run again once ROS is there, so both build the same libraries with the same features. At r2r, which needs ROS,
it fails; its own messages go to a log, because the second run repeats those that matter.
"""

import os
import re
import signal
import subprocess

import state
from report import Problem

LOG = os.path.join(state.HOME, "log", "meanwhile.txt")
# How cargo tells that it came as far as r2r.
STOPPED_AT_R2R = "failed to run custom build command for `r2r"
BUILT = re.compile(r"^ +(?:Compiling|Checking) ", re.MULTILINE)


class Meanwhile:
    """The running command, at a lower priority than the steps; an empty command starts nothing. A context that ends it."""

    def __init__(self, command, environment):
        """`environment` is that of the second run, so that nothing is built again because a variable differs; here r2r is to fail."""
        self.command = command
        self.process = None
        self.environment = {name: value for name, value in environment.items() if name != "ROS_DISTRO"}
        self.environment.update(CARGO_TERM_PROGRESS_WHEN="never", CARGO_TERM_COLOR="never")

    def __enter__(self):
        if self.command:
            os.makedirs(os.path.dirname(LOG), exist_ok=True)
            print("meanwhile: {} (what needs no ROS; log: {})".format(" ".join(self.command), os.path.relpath(LOG)), flush=True)
            with open(LOG, "w") as out:
                try:
                    # A session of its own, so that one signal reaches cargo and its compilers.
                    self.process = subprocess.Popen(
                        ["nice", "-n", "5"] + self.command, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                        env=self.environment, start_new_session=True)
                except OSError as error:
                    raise Problem(self.command[0], str(error.strerror).lower()) from None
        return self

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            try:
                # Not SIGINT, which a shell's background processes ignore.
                os.killpg(self.process.pid, signal.SIGTERM)
            except ProcessLookupError:
                pass
            self.process.wait()

    def progress(self):
        """What the command has done, as the end of a line, or nothing. Raises a Problem if it failed before it came to r2r."""
        if not self.process:
            return ""
        with open(LOG, errors="replace") as file:
            said = file.read()
        if self.process.poll() not in (None, 0) and STOPPED_AT_R2R not in said:
            lines = [line for line in said.splitlines() if line.strip() and not BUILT.match(line)]
            raise Problem(
                " ".join(self.command), "failed with code {}".format(self.process.returncode), details=lines[-15:],
                hint="run it again, finished steps are not repeated")
        built = len(BUILT.findall(said))
        return ", {} libraries built meanwhile".format(built) if built else ""
