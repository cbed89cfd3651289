"""Sweeps on a Ray cluster of two nodes on this machine."""

import collections
import contextlib
import json
import os
import pathlib
import threading
import time

import pytest
import skidpad
from skidpad.sweep import SweepError
from skidpad.testing import run_scenarios

pytestmark = pytest.mark.ray


@contextlib.contextmanager
def two_nodes():
    """A Ray cluster of a head and another node, on loopback; yields the cluster and the other node. All its processes end with it."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_health_check_initial_delay_ms"] = "0"
    os.environ["RAY_health_check_period_ms"] = "500"
    os.environ["RAY_health_check_timeout_ms"] = "2000"
    os.environ["RAY_health_check_failure_threshold"] = "3"
    ray = pytest.importorskip("ray")
    utilities = pytest.importorskip("ray.cluster_utils")
    options = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "include_dashboard": False, "node_ip_address": "127.0.0.2"}
    cluster = utilities.Cluster(initialize_head=True, head_node_args=options)
    try:
        options.pop("include_dashboard")
        other = cluster.add_node(**{**options, "node_ip_address": "127.0.0.3"})
        cluster.wait_for_nodes()
        yield cluster, other
    finally:
        ray.shutdown()
        cluster.shutdown()


def slow(variables, seed):
    import ray

    time.sleep(0.05)
    node = ray.get_runtime_context().get_node_id()
    pathlib.Path(variables["marks"], f"{node} {variables['x']} {seed}").touch()
    return {"y": variables["x"] + seed, "node": node}


def sometimes_dies(variables, seed):
    if variables["x"] == 3:
        os._exit(7)
    if variables["x"] == 4:
        raise ValueError("four is not liked")
    if variables["x"] == 5:
        time.sleep(60)
    return {"y": variables["x"]}


@pytest.fixture(scope="module")
def cluster():
    with two_nodes() as ray_cluster:
        yield ray_cluster


def test_a_run_that_fails_dies_or_hangs_is_named(cluster, tmp_path):
    address = cluster[0].address
    done = skidpad.sweep(
        None, {"x": range(10)}, experiment=sometimes_dies, out=tmp_path / "out", address=address, retries=0, timeout=1.0, batch=4, progress=False
    )
    rows = {row["x"]: row for row in done.read().to_pylist()}
    assert done.read().num_rows == 10 and done.failed == 3
    assert rows[3]["error"] == "its process ended (WorkerCrashedError)" and rows[5]["error"] == rows[3]["error"]
    assert rows[4]["error"].startswith("ValueError: four is not liked")
    assert all(rows[x]["y"] == x for x in (0, 1, 2, 6, 7, 8, 9))


def test_scenarios_have_the_records_that_they_have_on_this_machine(cluster, tmp_path):
    scenario = {
        "world": "twist_ideal",
        "vehicle": "robot",
        "controller": "none",
        "seeds": 3,
        "vary": {"duration": [0.2, 0.4]},
        "events": [{"at": 0, "command": {"vx": 1}}],
        "expect": {"path_length_m": {"at_most": 0.3}},
    }

    def without_times(results):
        records = [json.loads(result.record.json()) for result in results]
        return [{name: value for name, value in record.items() if name not in ("wall_s", "recording")} for record in records]

    results = run_scenarios(scenario, repeat=2, out=tmp_path / "out", address=cluster[0].address)
    assert without_times(results) == without_times(run_scenarios(scenario, repeat=2))
    assert [result.passed for result in results] == [True] * 6 + [False] * 6 and all(result.bits for result in results)
    assert (tmp_path / "out/results.html").is_file() and all(result.recording.is_file() for result in results[6:])


def test_with_a_node_killed_every_run_is_there_once(cluster, tmp_path):
    ray_cluster, other = cluster
    killed = []
    marks = tmp_path / "marks"
    marks.mkdir()

    def kill():
        # Once both nodes have ended batches, which have 8 runs.
        counts, deadline = collections.Counter(), time.monotonic() + 40
        while (len(counts) < 2 or min(counts.values()) < 24) and time.monotonic() < deadline:
            time.sleep(0.05)
            counts = collections.Counter(mark.name.split()[0] for mark in marks.iterdir())
        ray_cluster.remove_node(other, allow_graceful=False)
        killed.append(time.monotonic())

    thread = threading.Thread(target=kill)
    thread.start()
    done = skidpad.sweep(
        None, {"x": range(150), "marks": [str(marks)]}, seeds=2, experiment=slow, out=tmp_path / "out", address=ray_cluster.address, batch=8, progress=False
    )
    ended = time.monotonic()
    thread.join()
    rows = done.read().to_pylist()
    assert (done.made, done.failed) == (300, 0) and killed and killed[0] < ended, "the node went in the middle"
    assert collections.Counter((row["x"], row["seed"]) for row in rows) == {(x, seed): 1 for x in range(150) for seed in range(2)}
    assert len({row["node"] for row in rows}) == 2, "both nodes have worked"
    assert all(row["y"] == row["x"] + row["seed"] for row in rows)


def test_an_address_without_a_cluster_is_refused(tmp_path):
    with pytest.raises(SweepError) as error:
        skidpad.sweep("empty", duration=1, metrics=["distance"], out=tmp_path / "out", address="nonsense://x", progress=False)
    assert str(error.value).startswith("address: 'nonsense://x': ") and "\n  accepted: auto, local, HOST:PORT, ray://HOST:PORT\n" in str(error.value)
