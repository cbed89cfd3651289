"""The command `skidpad` that the wheel installs: the whole program, in a process that is Python's."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import sysconfig
import urllib.request

import skidpad

OURS = os.path.join(sysconfig.get_path("scripts"), "skidpad")
# Neither a sourced ROS nor another skidpad on the path.
BARE = {"PATH": "/usr/bin:/bin", **{name: os.environ[name] for name in ("PYTHONPATH", "HOME", "TMPDIR") if name in os.environ}}


def call(folder, *arguments, program=OURS, **variables):
    """A command that has ended, in a folder, with these variables more in its environment."""
    return subprocess.run([program, *arguments], cwd=folder, env={**BARE, **variables}, capture_output=True, text=True, timeout=180)


@contextlib.contextmanager
def running(folder, *arguments, program=OURS):
    """A `skidpad run` with its page, and the page's address; it is killed at the end unless it has ended."""
    given = [program, "run", *arguments, "--web", "127.0.0.1:0"]
    process = subprocess.Popen(given, cwd=folder, env=BARE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        for line in process.stderr:
            if line.startswith("viewer: "):
                yield process, line.removeprefix("viewer: ").strip()
                return
        raise RuntimeError(f"no page; it ended with {process.wait()}")
    finally:
        process.kill()
        process.communicate()


def fetched(url):
    with urllib.request.urlopen(url, timeout=60) as answer:
        return answer.read()


def test_help_and_manual_pages_are_the_program_s(program, tmp_path):
    for name, command in (("ours", OURS), ("theirs", program)):
        done = call(tmp_path, "man", name, program=command)
        assert done.returncode == 0, done.stderr
    pages = [{page.name: page.read_text() for page in (tmp_path / name).iterdir()} for name in ("ours", "theirs")]
    assert pages[0] == pages[1] and len(pages[0]) > 20
    assert call(tmp_path, "help", "run").stdout == call(tmp_path, "help", "run", program=program).stdout != ""


def test_the_command_starts_without_numpy(tmp_path):
    code = "import sys; from skidpad.__main__ import main; status = main(['list', 'worlds']); print([name for name in ('numpy', 'websockets') if name in sys.modules])"
    done = call(tmp_path, "-c", code, program=sys.executable)
    assert done.returncode == 0 and "racecar" in done.stdout and done.stdout.endswith("[]\n"), done
    # What it leaves out is there for whoever asks.
    assert set(skidpad.__all__) <= set(dir(skidpad))
    assert not hasattr(skidpad._skidpad, "numbers")


def test_files_that_the_manual_names_are_there_in_any_folder(tmp_path):
    done = call(tmp_path, "experiment", "config/circle.yaml", "--duration", "1")
    assert done.returncode == 0 and "RMSE" in done.stdout, done
    arguments = ("--headless", "--rate", "max", "--duration", "1", "--record", "r.mcap")
    tracked = call(tmp_path, "run", "tracking", "--track", "config/line.yaml", *arguments)
    assert tracked.returncode == 0 and "racecar follows line" in tracked.stderr, tracked
    for how in ([], ["--embedded"]):
        again = call(tmp_path, "rerun", "r.mcap", "--json", *how)
        assert json.loads(again.stdout)["result"]["same"], again
    assert call(tmp_path, "check", "worlds/office.world.xml").returncode == 0
    assert "error: config/no.yaml" in call(tmp_path, "experiment", "config/no.yaml").stderr
    # One's own files come first.
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "circle.yaml").write_text("nothing: 1\n")
    assert "config/circle.yaml:1:" in call(tmp_path, "experiment", "config/circle.yaml").stderr


def test_shells_complete_what_comes_with_the_package(tmp_path):
    words = {"SKIDPAD_COMPLETE": "bash"}
    assert "config/circle.yaml\n" in call(tmp_path, "--", "skidpad", "experiment", "config/", **words).stdout
    assert "config/sim.yaml" not in call(tmp_path, "--", "skidpad", "experiment", "config/", **words).stdout, "no experiment"
    assert "racecar\n" in call(tmp_path, "--", "skidpad", "run", "race", **words).stdout
    # A script calls the command as the shell finds it.
    assert f" {OURS} -- " in call(tmp_path, "completions", "bash").stdout
    assert " skidpad -- " in call(tmp_path, "completions", "bash", PATH=f"{os.path.dirname(OURS)}:/usr/bin:/bin").stdout


def test_a_run_serves_the_program_s_page_and_ends_by_signals(program, tmp_path):
    world = str(skidpad.WORLDS / "racecar.world.xml")
    with running(tmp_path, world) as (process, url), running(tmp_path, world, program=program) as (_, other):
        page = fetched(url)
        assert page == fetched(other) and b"<html" in page
        script = page.decode().split('src="')[1].split('"')[0].lstrip("./")
        assert fetched(url + script) == fetched(other + script)
        assert json.loads(fetched(url + "api/health")) == {"ok": True}
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0 and "simulated" in process.stderr.read()
    for number in (signal.SIGTERM, signal.SIGHUP):
        with running(tmp_path, "racecar") as (process, _):
            process.send_signal(number)
            assert process.wait(60) == 0 and "simulated" in process.stderr.read(), number


def test_output_that_nobody_reads_is_no_error(tmp_path):
    process = subprocess.Popen([OURS, "urdf", "racecar"], cwd=tmp_path, env=BARE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.wait(60) == 0 and process.stderr.read() == b""
    process.stderr.close()


def test_ctrl_c_that_was_to_be_ignored_still_is(tmp_path):
    code = """
import signal
from skidpad.__main__ import main
signal.signal(signal.SIGINT, signal.SIG_IGN)
status = main(["list", "presets"])
print(status, signal.getsignal(signal.SIGINT) is signal.SIG_IGN)
"""
    assert call(tmp_path, "-c", code, program=sys.executable).stdout.endswith("0 True\n")


def test_processes_that_it_starts_are_of_the_package(tmp_path):
    # A folder of this name in the current one is none.
    (tmp_path / "skidpad").mkdir()
    (tmp_path / "skidpad" / "__init__.py").write_text("raise ImportError\n")
    process = subprocess.Popen([OURS, "bench", "--seconds", "0.001"], cwd=tmp_path, env=BARE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    first = process.stdout.readline()
    process.kill()
    assert first and json.loads(first)["case"] == "A", process.communicate()
    process.communicate()
    python = tmp_path / "python3"
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    # Not of whatever Python comes first on the path.
    swept = call(pathlib.Path("/"), "-q", "sweep", "--help", PATH=f"{tmp_path}:/usr/bin:/bin")
    assert swept.returncode in (0, 2) and "has no package" not in swept.stderr, swept


def test_without_ros_it_says_where_the_node_is(tmp_path):
    hint = "  hint: the Python package has none: make build in a clone of skidpad gives target/release/skidpad\n"
    node = call(tmp_path, "node", "ackermann_mux")
    assert node.returncode == 1 and node.stderr.endswith(hint), node
    arguments = ("run", "racecar", "--headless", "--rate", "max", "--duration", "0.1")
    assert call(tmp_path, *arguments, ROS_DISTRO="jazzy").stderr.startswith("warning: no ROS node: this skidpad runs without ROS\n")
    for quiet in (call(tmp_path, *arguments, "--no-ros", ROS_DISTRO="jazzy"), call(tmp_path, *arguments)):
        assert quiet.returncode == 0 and "ROS" not in quiet.stderr
