"""Three peers that call everything at random, for any duration: each call is answered, memory is bounded, and the node ends on request.

SKIDPAD_SOAK_SECONDS is how long [s], 20 by default, SKIDPAD_SOAK_SEED what the calls follow from: a number, or `random`. `make soak` sets them.
What fails is saved to target/soak.
"""

import collections
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

import pytest

pytest.importorskip("simulation_interfaces", reason="built without simulation_interfaces")

from simulation_interfaces import msg, srv  # noqa: E402

from conftest import ROOT, TWO_ROBOTS  # noqa: E402

SECONDS = float(os.environ.get("SKIDPAD_SOAK_SECONDS", 20))
SEED = os.environ.get("SKIDPAD_SOAK_SEED", "1").replace("random", str(random.randrange(2**32)))
PEERS = 3
# Memory limit of the node [MiB]: about 100 at rest, and the needs of forty robots, their publishers and queues.
MEMORY = 700
# Peers come and go: how long one stays [s].
STAY = 60.0
# How long an end may take [s].
PATIENCE = 60


def memory(process, name="VmRSS:"):
    """Memory of a process [MiB]."""
    lines = pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith(name)), 0) // 1024


class Attack:
    """The peers, and their reports so far."""

    def __init__(self, domain):
        self.domain = domain
        self.begin = time.monotonic()
        self.started = 0
        self.running = []
        self.calls = collections.Counter()
        self.slowest = (0.0, "")
        self.peak = 0

    def left(self):
        return self.begin + SECONDS - time.monotonic()

    def start(self):
        stay = min(STAY, max(self.left(), 1.0))
        script = pathlib.Path(__file__).with_name("caller.py")
        # Other tests may run beside this one.
        command = ["nice", sys.executable, str(script), str(self.domain), str(stay), SEED, str(self.started)]
        self.started += 1
        self.running.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))

    def collect(self):
        """What went wrong with peers that have ended."""
        for process in [peer for peer in self.running if peer.poll() is not None]:
            self.running.remove(process)
            out, error = process.communicate()
            if process.returncode != 0:
                return f"a peer ended with {process.returncode}:\n{error}"
            said = json.loads(out.splitlines()[-1])
            self.calls.update(said["calls"])
            self.slowest = max(self.slowest, tuple(said["slowest"]))
            if said["unanswered"]:
                return "not answered:\n" + "\n".join(said["unanswered"])
        return None

    def stop(self):
        for process in self.running:
            process.kill()
            process.communicate()

    def summary(self, failures):
        seconds = round(time.monotonic() - self.begin)
        return (
            f"soak: calls: {self.calls.total()} calls of {self.started} peers, {seconds} s, slowest {self.slowest[0]:.1f} s, "
            f"peak {self.peak} MiB, seed {SEED}, failures {failures}"
        )


def watch(attack, simulator):
    """Attacks until time is up; returns the failures."""
    reported = time.monotonic()
    while attack.left() > 0 or attack.running:
        while len(attack.running) < PEERS and attack.left() > 0:
            attack.start()
        time.sleep(0.05)
        if simulator.process.poll() is not None:
            return f"the node ended with {simulator.process.returncode}"
        attack.peak = memory(simulator.process, "VmHWM:")
        if memory(simulator.process) > MEMORY:
            return f"the node takes {memory(simulator.process)} MiB, accepted: {MEMORY}"
        if wrong := attack.collect():
            return wrong
        if time.monotonic() - reported > 60:
            reported = time.monotonic()
            print(attack.summary(0), flush=True)
    return None


def is_well(simulator, peer):
    """Checks that the node still answers, loads a world and ends; returns the failures."""
    def call(kind, name, request):
        return peer.call(kind, f"/skidpad/{name}", request, PATIENCE).result

    state = srv.SetSimulationState.Request(state=msg.SimulationState(state=1))
    try:
        call(srv.ResetSimulation, "reset_simulation", srv.ResetSimulation.Request())
        call(srv.SetSimulationState, "set_simulation_state", state)
        answer = peer.call(srv.GetSimulationState, "/skidpad/get_simulation_state", srv.GetSimulationState.Request(), PATIENCE)
    except AssertionError as error:
        return f"the node does not answer: {error}"
    if answer.state.state not in (1, 4):
        return f"the node does not play: {answer}"
    simulator.send(signal.SIGINT)
    try:
        status = simulator.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        return f"the node has not ended {PATIENCE} s after SIGINT"
    if status != 0:
        return f"the node ended with {status}"
    if "panicked at" in simulator.log:
        return "a thread of the node panicked"
    return None


@pytest.mark.long
def test_random_calls_of_three_peers_are_answered(simulate, peer, domain, tmp_path, capsys):
    simulator = simulate(TWO_ROBOTS, args=("--csv", tmp_path / "logs"))
    attack = Attack(domain)
    try:
        wrong = watch(attack, simulator) or is_well(simulator, peer)
    finally:
        attack.stop()
    line = attack.summary(int(wrong is not None))
    with capsys.disabled():
        print(line, flush=True)
    if wrong:
        folder = ROOT / "target" / "soak" / f"calls-{SEED}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "wrong.txt").write_text(wrong)
        (folder / "said.txt").write_text(simulator.log)
        pytest.fail(f"{line}\n{wrong}\n  see {folder}")
