"""Threads, forks, signals and memory."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
import skidpad


def run(code, **options):
    """Runs Python code in a process of its own."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, **options)


def test_threads_with_worlds_of_their_own_run_at_the_same_time(robot):
    worlds = [skidpad.World.from_string(robot, seed=seed) for seed in range(4)]

    def drive(world):
        world.command(vx=0.5)
        for _ in range(20):
            world.step(10)

    threads = [threading.Thread(target=drive, args=(world,)) for world in worlds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {world.time for world in worlds} == {2.0} and len({world.state["x"][0] for world in worlds}) == 1


def test_a_world_that_another_thread_steps_is_refused(robot):
    worlds = skidpad.Worlds.from_string(robot, 64)
    thread = threading.Thread(target=worlds.step, args=(20_000,))
    thread.start()
    refusals = []
    while thread.is_alive():
        try:
            worlds.step()
        except skidpad.SkidpadError as error:
            refusals.append(str(error))
        time.sleep(0.001)
    thread.join()
    assert refusals and refusals[0] == "another thread is using this world\n  hint: give each thread a world of its own, or take turns with a lock"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_child_can_go_on(robot):
    code = f"""
import os, skidpad
text = {robot!r}
before = skidpad.Worlds.from_string(text, 8)
before.step(10)
child = os.fork()
if child == 0:
    before.step(10)
    again = skidpad.Worlds.from_string(text, 8)
    again.step(20)
    same = before.state.tobytes() == again.state.tobytes()
    # A child of the child has no threads again.
    grandchild = os.fork()
    if grandchild == 0:
        again.step(10)
        os._exit(0)
    same = same and os.waitstatus_to_exitcode(os.waitpid(grandchild, 0)[1]) == 0
    os._exit(0 if same and skidpad.World("racecar").render(20, 20).any() else 3)
_, status = os.waitpid(child, 0)
before.step(10)
print(os.waitstatus_to_exitcode(status), before.time[0])
"""
    done = run(code)
    assert done.stdout == "0 0.2\n", done


@pytest.mark.parametrize("call", ["skidpad.Worlds.from_string(text, 4).step(10**12)", "skidpad.World.from_string(text).step(10**12)"])
def test_ctrl_c_ends_a_long_call(robot, call):
    code = f"""
import sys, time, skidpad
text = {robot!r}
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted")
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    # The call would take days.
    assert process.communicate(timeout=60)[0] == "interrupted\n"


def test_resets_reloads_and_arrays_do_not_leak(robot):
    code = f"""
import skidpad
text = {robot!r}
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6
world, worlds = skidpad.World.from_string(text), skidpad.Worlds.from_string(text, 4)
def work(count):
    for index in range(count):
        world.command(vx=0.5); world.step(2); world.reset(); world.state; world.reading("scan").ranges
        worlds.reset([index % 4]); worlds.command(vx=0.1, where=[1, 2]); worlds.collided
        if index % 100 == 0:
            world.reload(seed=index); worlds.reload([0], seeds=[index]); world.spawn("crate", x=-3.0); world.state; world.reset()
            try:
                world.command(vx=float("nan"))
            except skidpad.CommandError:
                pass
work(5000)
before = resident()
work(50000)
print(resident() - before)
"""
    done = run(code)
    # 10⁵ resets altogether; a leak of 100 bytes in each would be 10 MB.
    assert done.returncode == 0 and float(done.stdout) < 8, done


def test_the_import_loads_nothing_that_is_not_needed():
    code = "import sys, skidpad; print([name for name in ('gymnasium', 'ray', 'pyarrow', 'websockets', 'matplotlib', 'cma') if name in sys.modules])"
    assert run(code).stdout == "[]\n"


def test_the_command_is_the_program(program):
    for arguments in (["--version"], ["list"], ["check", str(skidpad.WORLDS / "racecar.world.xml")]):
        module_run = subprocess.run([sys.executable, "-m", "skidpad", *arguments], capture_output=True, text=True, timeout=60)
        program_run = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60)
        assert module_run.returncode == program_run.returncode == 0
        # Columns are as wide as the names of all worlds, of which the package has its own.
        first = [[line.split() for line in done.stdout.splitlines()[:3]] for done in (module_run, program_run)]
        assert first[0] == first[1] and module_run.stdout
    wrong = subprocess.run([sys.executable, "-m", "skidpad", "check", "no_such_world"], capture_output=True, text=True, timeout=60)
    assert wrong.returncode == 1 and "no such world" in wrong.stderr
