"""A run elsewhere: what it shows, and how to wait for it. Its orders are in orders.py."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import address
from .arrivals import Arrivals
from .errors import RemoteError
from .events import KINDS, Event, EventQueue
from .link import Link
from .messages import Cloud, Picture, Scan, Snapshot
from .orders import Orders

_log = logging.getLogger("skidpad.remote")


def connect(
    url: str = "http://127.0.0.1:8520", token: str | None = None, *, rate: float = 30.0, scans: bool | str = False, timeout: float = 5.0
) -> Simulation:
    """Connects to a running `skidpad run` or `skidpad replay`, and returns once its first state is there.

    `url`: as it prints it, with or without its token. `rate`: states per second of wall time, 0.01 to 60, or 0: none. `scans`: those of all vehicles, or of the one with
    this name. `timeout`: how long to wait for the server, and for each answer [s]. Raises RemoteError.
    """
    return Simulation(url, token, rate=rate, scans=scans, timeout=timeout)


class Simulation(Orders, Arrivals):
    """A run at a server. All methods may be called from any thread. While the connection is lost, what was shown last stays, and orders raise RemoteError."""

    def __init__(self, url: str, token: str | None = None, *, rate: float = 30.0, scans: bool | str = False, timeout: float = 5.0) -> None:
        """See `connect`."""
        Arrivals.__init__(self)
        Orders.__init__(self, timeout)
        self._dispatcher: threading.Thread | None = None
        self._callbacks: list[tuple[str, Callable[[Event], object]]] = []
        self._callback_events: EventQueue | None = None
        self._link = Link(address.read(url, token), self)
        self._link.start(timeout)
        try:
            self._until(lambda: bool(self._scene and self._status), timeout, "the first scene")
            self.watch(rate=rate, scans=scans)
            if rate > 0:
                self._until(lambda: self._snapshot is not None, timeout, "the first state")
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Simulation:  # noqa: PYI034 - Self is of Python 3.11
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection and all threads. The server stops vehicles that this client commands."""
        self._end_commands()
        self._link.close()
        self._events.close()
        if self._dispatcher is not None and self._dispatcher is not threading.current_thread():
            self._dispatcher.join()
        with self._changed:
            self._changed.notify_all()

    # What is there.
    @property
    def version(self) -> str:
        """Version of skidpad at the server."""
        return str(self._greeting["version"])

    @property
    def minor(self) -> int:  # type: ignore[override]
        """Number of additions to the protocol that the server has."""
        return int(self._greeting.get("minor", 0))

    @property
    def mode(self) -> str:
        """`live`, or `replay` for a recording."""
        return str(self._greeting["mode"])

    @property
    def run(self) -> str:
        """Differs between runs."""
        return str(self._greeting["run"])

    @property
    def read_only(self) -> bool:
        """Whether the server refuses orders."""
        return bool(self._greeting["read_only"])

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection now."""
        return self._link.failure is None and not self._link.is_closed

    @property
    def status(self) -> dict[str, Any]:
        """`paused`, `rate`, `real_time_factor`, `time` [s], `viewers`, `resets`, `span`, `ended`: docs/viewer-protocol.md."""
        return self._status

    @property
    def scene(self) -> dict[str, Any]:
        """What does not move: vehicles with wheels and sensors, blocks, maps and more; docs/viewer-protocol.md."""
        return self._scene

    @property
    def vehicles(self) -> list[str]:
        """Names, in the order of `state`."""
        return [vehicle["name"] for vehicle in self._scene["vehicles"]]

    @property
    def blocks(self) -> list[str]:
        """Names, in the order of `block_state`."""
        return [block["name"] for block in self._scene["blocks"]]

    @property
    def snapshot(self) -> Snapshot:
        """The last state as a whole: everything in it is of the same instant. Raises RemoteError before the first."""
        snapshot = self._snapshot
        if snapshot is None:
            raise RemoteError("state: none received yet\n  hint: sim.watch(rate=30), then sim.wait()")
        return snapshot

    @property
    def state(self) -> NDArray[np.void]:
        """(vehicles,) with the fields of `skidpad.STATE`, float64: the last state."""
        return self.snapshot.state

    @property
    def wheels(self) -> NDArray[np.void]:
        """(vehicles, most wheels) with the fields of `skidpad.WHEEL`."""
        return self.snapshot.wheels

    @property
    def block_state(self) -> NDArray[np.void]:
        """(blocks,) with the fields of `skidpad.POSE`."""
        return self.snapshot.block_state

    @property
    def time(self) -> float:
        """Simulated time of the last state, or else of the last status [s]."""
        return self._snapshot.time if self._snapshot is not None else float(self._status["time"])

    # What to be sent.
    def watch(
        self,
        *,
        rate: float | None = None,
        scans: bool | str | None = None,
        stride: int | None = None,
        clouds: bool | None = None,
        pictures: Sequence[tuple[str | int, int, int]] | None = None,
    ) -> None:
        """Changes what the server sends; None: as before.

        `rate`: states per second of wall time. `scans`: those of all vehicles, or of the one with this name. `stride`: every n-th beam of them. `clouds`: also the clouds
        of these vehicles. `pictures`: at most 8 of (vehicle, index of the sensor, index of its topic), as in `scene`.
        """
        wanted = {"rate": 30.0, "points": "none", "stride": 1, "clouds": False, "pictures": []} | self._watched
        if rate is not None:
            wanted["rate"] = rate
        if scans is not None:
            wanted["points"] = {"vehicle": self._vehicle(scans)[0]} if isinstance(scans, str) else ("all" if scans else "none")
        if stride is not None:
            wanted["stride"] = stride
        if clouds is not None:
            wanted["clouds"] = clouds
        if pictures is not None:
            wanted["pictures"] = [{"vehicle": self._vehicle(vehicle)[0], "sensor": sensor, "topic": topic} for vehicle, sensor, topic in pictures]
        self.order("watch", **wanted)
        self._watched = wanted

    def scan(self, vehicle: str | int = 0, sensor: str | None = None, timeout: float = 5.0) -> Scan:
        """The last scan of a vehicle, of its lidar with this name or of its first one. Asks for scans if none are sent yet, and waits for the first."""
        name = self._vehicle(vehicle)[1]
        if self._watched["points"] == "none":
            self.watch(scans=True)
        return self._sample(Scan, name, sensor, timeout)

    def cloud(self, vehicle: str | int = 0, sensor: str | None = None, timeout: float = 5.0) -> Cloud:
        """The last cloud, likewise; after `watch(scans=True, clouds=True)`."""
        return self._sample(Cloud, self._vehicle(vehicle)[1], sensor, timeout)

    def picture(self, vehicle: str | int = 0, sensor: str | None = None, timeout: float = 5.0) -> Picture:
        """The last picture, likewise; after `watch(pictures=[…])`."""
        return self._sample(Picture, self._vehicle(vehicle)[1], sensor, timeout)

    def _sample(self, kind: type[Any], vehicle: str, sensor: str | None, timeout: float) -> Any:
        def newest() -> Any:
            fits = (sample for (sample_kind, of, at), sample in self._samples.items() if sample_kind is kind and of == vehicle and sensor in (None, at))
            return next(fits, None)

        description = f"{kind.__name__.lower()} of {vehicle}" + (f"/{sensor}" if sensor else "")
        return newest() or self._until(newest, timeout, f"a {description}")

    # Waiting.
    def wait(self, condition: Callable[[], Any] | None = None, timeout: float | None = 10.0) -> Any:
        """Waits for the next state, or until `condition()` is true, which is asked at each change; returns its value.

        Raises RemoteTimeout after `timeout` [s].
        """
        if condition is not None:
            return self._until(condition, timeout, "the condition")
        count = self._count
        self._until(lambda: self._count != count, timeout, "the next state")
        return self.snapshot

    def states(self, timeout: float | None = 10.0) -> Iterator[Snapshot]:
        """Each new state, until the run has ended or this client is closed; those that arrive while the last one is worked on are left out."""
        count = -1
        while not self._link.is_closed:
            self._until(lambda: self._count != count or self._status["ended"] or self._link.is_closed, timeout, "the next state")
            if self._count == count or self._link.is_closed:
                return
            count = self._count
            yield self.snapshot

    def events(self, timeout: float | None = None) -> Iterator[Event]:
        """What happens from here on, until this client is closed, or until nothing happens for `timeout` [s]. Kinds: `skidpad.remote.Event`."""
        return self._read_events(self._events.subscribe(), timeout)

    def _read_events(self, events: EventQueue, timeout: float | None) -> Iterator[Event]:
        try:
            while (event := events.get(timeout)) is not None:
                yield event
        except queue.Empty:
            return
        finally:
            self._events.unsubscribe(events)

    def on(self, kind: str, callback: Callable[[Event], object]) -> None:
        """Calls `callback` at each event of this kind, `*`: of all. All callbacks run one after the other in a thread of this client; they may give orders."""
        if kind != "*" and kind not in KINDS:
            raise RemoteError(f"event {kind!r}: there is no such kind\n  accepted: {', '.join(KINDS)}, *")
        self._callbacks.append((kind, callback))
        if self._dispatcher is None:
            self._callback_events = self._events.subscribe()
            self._dispatcher = threading.Thread(target=self._dispatch, args=(self._callback_events,), name="skidpad events", daemon=True)
            self._dispatcher.start()

    def _dispatch(self, events: EventQueue) -> None:
        while (event := events.get(None)) is not None:
            for kind, callback in list(self._callbacks):
                if kind in ("*", event.kind):
                    try:
                        callback(event)
                    except Exception:  # noqa: BLE001 - of the user's code
                        _log.exception("a callback for %s has failed", event.kind)
