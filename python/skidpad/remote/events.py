"""What happens in a run, found by comparing scenes, statuses and states, and the queues of those who wait for it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .messages import Snapshot

KINDS = (
    "connected",
    "disconnected",
    "restarted",
    "spawned",
    "removed",
    "collision",
    "collision_end",
    "paused",
    "resumed",
    "reset",
    "ended",
    "refused",
    "notice",
)
"""Kinds of events."""

_LONGEST = 1000


@dataclass(frozen=True)
class Event:
    """Something that has happened.

    `connected`, `disconnected`; `restarted`: another run answers at the same address · `spawned`, `removed`: a vehicle or a block, `name` · `collision`,
    `collision_end`: the vehicle `name` begins or ceases to touch something, as far as states show it · `paused`, `resumed`, `reset`, `ended` · `refused`: a command to
    the vehicle `name` that was in force is no longer taken · `notice`: a warning of the run, or another text of the server.
    """

    kind: str
    time: float
    """Simulated time at which it was noticed [s]; NaN while nothing is known of it."""
    name: str = ""
    text: str = ""


class EventQueue:
    """Events for one reader. The oldest are lost if it does not read 1000 of them."""

    def __init__(self) -> None:
        self._queue: queue.Queue[Event | None] = queue.Queue(_LONGEST)

    def put(self, event: Event | None) -> None:
        """Adds an event; None is the end."""
        while True:
            try:
                return self._queue.put_nowait(event)
            except queue.Full:
                try:
                    self._queue.get_nowait()
                except queue.Empty:
                    pass

    def get(self, timeout: float | None) -> Event | None:
        """The next event; None at the end. Raises queue.Empty after `timeout` [s]."""
        return self._queue.get(timeout=timeout)


class Broadcaster:
    """Passes events to all queues."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queues: list[EventQueue] = []
        self._closed = False

    def subscribe(self) -> EventQueue:
        """A new queue, with what happens from here on."""
        events = EventQueue()
        with self._lock:
            self._queues.append(events)
            if self._closed:
                events.put(None)
        return events

    def unsubscribe(self, events: EventQueue) -> None:
        """Ends a queue."""
        with self._lock:
            if events in self._queues:
                self._queues.remove(events)

    def put(self, event: Event) -> None:
        """Passes on an event."""
        with self._lock:
            for events in self._queues:
                events.put(event)

    def close(self) -> None:
        """Ends all queues."""
        with self._lock:
            self._closed = True
            for events in self._queues:
                events.put(None)


class Observer:
    """Compares each scene, status and state to the previous one."""

    def __init__(self, tell: Callable[[Event], None]) -> None:
        self._tell = tell
        self._time = float("nan")
        self.resets = 0
        """How many resets have been seen."""
        self.forget()

    def forget(self) -> None:
        """The next scene, status and state are the first."""
        self._names: set[str] | None = None
        self._vehicles: list[str] = []
        self._colliding: dict[str, bool] = {}
        self._status: dict[str, Any] | None = None

    def say(self, kind: str, name: str = "", text: str = "") -> None:
        """Tells of an event now."""
        self._tell(Event(kind, self._time, name, text))

    def scene(self, scene: dict[str, Any]) -> None:
        """Follows what comes and goes."""
        self._vehicles = [vehicle["name"] for vehicle in scene["vehicles"]]
        names = {*self._vehicles, *(block["name"] for block in scene["blocks"])}
        if self._names is not None:
            for name in sorted(self._names - names):
                self.say("removed", name)
            for name in sorted(names - self._names):
                self.say("spawned", name)
        self._names = names
        self._colliding = {name: touches for name, touches in self._colliding.items() if name in names}

    def status(self, status: dict[str, Any]) -> None:
        """Follows pauses, resets and the end."""
        before, self._status = self._status, status
        self._time = float(status["time"])
        if before is None:
            return
        if status["resets"] > before["resets"]:
            self.resets += 1
            self.say("reset")
        if status["paused"] != before["paused"]:
            self.say("paused" if status["paused"] else "resumed")
        if status["ended"] and not before["ended"]:
            self.say("ended")

    def state(self, snapshot: Snapshot) -> None:
        """Follows collisions."""
        self._time = snapshot.time
        if "colliding" not in (snapshot.state.dtype.names or ()):
            return
        for name, touches in zip(self._vehicles, (snapshot.state["colliding"] != 0.0).tolist(), strict=False):
            if touches != self._colliding.get(name, False):
                self.say("collision" if touches else "collision_end", name)
            self._colliding[name] = touches
