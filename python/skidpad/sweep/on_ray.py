"""Runs on a Ray cluster, in batches. Ray starts a batch again whose node was lost; a process that ends by itself costs an attempt of its run."""

from __future__ import annotations

import faulthandler
import os
import time
from collections.abc import Iterable, Iterator
from typing import Any

from .batches import Batches
from .errors import SweepError, need
from .work import Plan, Row, Task, make, pack, unpack

SECONDS = 2.0
"""Time that a batch of runs should take [s]."""
FOR_EACH_CORE = 2
"""Batches in flight for each core of the cluster: one that runs and one that waits. The driver makes no more."""
STORE = 100 * 2**20
"""Memory of the object store of a Ray that a sweep starts itself [bytes]; results are small."""

# The plan that this process has unpacked, by its bytes.
_unpacked: dict[bytes, Plan] = {}


def work(packed: tuple[list[str], bytes], tasks: list[Task], retries: int, timeout: float | None) -> list[Row]:
    """Makes a batch of runs in a process of Ray. A run longer than `timeout` [s] ends the process, even if it does not return to Python."""
    plan = _unpacked.get(packed[1])
    if plan is None:
        _unpacked.clear()
        plan = _unpacked[packed[1]] = unpack(packed)
    done = []
    with open(os.devnull, "w") as nowhere:
        for task in tasks:
            if timeout is not None:
                faulthandler.dump_traceback_later(timeout * (retries + 1 - task.lost), exit=True, file=nowhere)
            try:
                done.append(make(plan, task, retries))
            finally:
                faulthandler.cancel_dump_traceback_later()
    return done


def rows(plan: Plan, tasks: Iterable[Task], address: str, cores: int | None, retries: int, timeout: float | None, batch: int | None) -> Iterator[Row]:
    """Makes the runs on the cluster at `address`; yields their results. `cores` bounds those that are used."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray = need("ray", "ray")
    starts_ray = not ray.is_initialized()
    if starts_ray:
        connect(ray, address, cores)
    try:
        yield from _rows(ray, plan, Batches(tasks, SECONDS, batch), cores, retries, timeout)
    finally:
        if starts_ray:
            ray.shutdown()


def connect(ray: Any, address: str, cores: int | None) -> None:
    """Joins a cluster, or starts one on this machine for the address "local"."""
    quiet = {"log_to_driver": False, "logging_level": "error"}
    try:
        if address == "local":
            ray.init(address="local", num_cpus=cores, include_dashboard=False, object_store_memory=STORE, _node_ip_address="127.0.0.1", **quiet)
        elif (host := address.rpartition(":")[0]).startswith("127."):
            # A cluster on loopback, whose head has this address. (Ray replaces 127.0.0.1 by the machine's own address: use 127.0.0.2.)
            ray.init(address=address, _node_ip_address=host, **quiet)
        else:
            ray.init(address=address, **quiet)
    except (ConnectionError, ValueError, RuntimeError, TimeoutError) as error:
        raise SweepError(
            f"address: {address!r}: {error}\n  accepted: auto, local, HOST:PORT, ray://HOST:PORT\n  hint: ray start --head --port=6379"
        ) from error


def _rows(ray: Any, plan: Plan, batches: Batches, cores: int | None, retries: int, timeout: float | None) -> Iterator[Row]:
    packed = ray.put(pack(plan))
    # Ray's own retries are for lost nodes. A batch of one run that has lost a process before is tried once, as its attempts are counted here.
    remote = ray.remote(num_cpus=1)(work)
    flying: dict[Any, list[Task]] = {}
    room, counted = 1, 0.0
    while True:
        if time.monotonic() - counted > 2.0:
            counted = time.monotonic()
            cluster_cores = int(ray.cluster_resources().get("CPU", 0))
            room = FOR_EACH_CORE * max(1, min(cluster_cores, cores or cluster_cores))
        while len(flying) < room and (given := batches.take()):
            again = 0 if any(task.lost for task in given) else 2
            flying[remote.options(max_retries=again).remote(packed, given, retries, timeout)] = given
        if not flying:
            return
        ready, _ = ray.wait(list(flying), num_returns=1, timeout=1.0)
        for reference in ready:
            given = flying.pop(reference)
            try:
                done = ray.get(reference)
            except ray.exceptions.RayTaskError as error:
                # Only the plan itself raises here, and in every batch.
                raise SweepError(
                    f"the sweep cannot be loaded on the cluster: {error.cause}\n  hint: install the modules of its functions on the cluster"
                ) from error
            except ray.exceptions.RayError as error:
                yield from _lost(given, batches, retries, error)
                continue
            for row in done:
                batches.learn(row)
                yield row


def _lost(given: list[Task], batches: Batches, retries: int, error: Exception) -> Iterator[Row]:
    """Which run of a lost batch ended the process is not known: each is run alone. One that was alone has used an attempt."""
    for task in given:
        if len(given) > 1:
            batches.give_back([task])
        elif task.lost + 1 > retries:
            yield Row(task, {}, 0.0, task.lost + 1, f"its process ended ({type(error).__name__})")
        else:
            batches.give_back([Task(task.id, task.variables, task.seed, task.lost + 1)])
