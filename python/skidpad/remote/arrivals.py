"""What arrives from the server, and how to wait for it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from typing import Any

from . import messages
from .errors import RemoteError, RemoteTimeout
from .events import Broadcaster, Observer
from .link import Link
from .messages import Cloud, Picture, Scan, Snapshot, StateDecoder


class Arrivals:
    """The last of each kind of message. The thread of the connection writes them, and `_changed` is notified each time."""

    _link: Link

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._events = Broadcaster()
        self._observer = Observer(self._events.put)
        self._greeting: dict[str, Any] = {}
        self._scene: dict[str, Any] = {}
        self._status: dict[str, Any] = {}
        self._decoder: StateDecoder | None = None
        self._snapshot: Snapshot | None = None
        self._count = 0
        self._samples: dict[tuple[type, str, str], Scan | Cloud | Picture] = {}
        self._watched: dict[str, Any] = {}
        # Number of the last warning of the run.
        self._warned = 0

    def _forget_commands(self) -> None:
        """No command is in force any longer."""
        raise NotImplementedError

    def _until(self, condition: Callable[[], Any], timeout: float | None, awaited: str) -> Any:
        deadline = None if timeout is None else time.monotonic() + timeout
        with self._changed:
            while True:
                value = condition()
                if value:
                    return value
                if self._link.is_closed:
                    raise RemoteError(f"wait: the client was closed before {awaited}")
                left = None if deadline is None else deadline - time.monotonic()
                if left is not None and left <= 0.0:
                    reason = f"\n  hint: {self._link.failure}" if self._link.failure else ""
                    raise RemoteTimeout(f"wait: {awaited} did not arrive within {timeout:g} s{reason}")
                self._changed.wait(1.0 if left is None else min(left, 1.0))

    def connected(self) -> None:
        """Asks again for what was sent before."""
        if self._watched:
            self._link.send({"do": "watch", **self._watched}, lambda answer: None)

    def disconnected(self, reason: str, is_end: bool) -> None:
        """Commands are no longer in force: whoever drives again has to see first what the vehicle does."""
        self._forget_commands()
        if is_end and self._status:
            # The last status may have been overtaken by the end of the connection.
            self._status = {**self._status, "ended": True}
            self._observer.status(self._status)
        self._observer.say("disconnected", text=reason)
        with self._changed:
            self._changed.notify_all()

    def message(self, kind: int, message: bytes) -> None:
        """Takes a message."""
        with self._changed:
            self._take(kind, message)
            self._changed.notify_all()

    def _take(self, kind: int, message: bytes) -> None:
        sample: Scan | Cloud | Picture | None = None
        match kind:
            case messages.STATE if self._decoder is not None:
                snapshot = self._decoder.decode(message)
                if snapshot is not None:
                    self._snapshot = snapshot
                    self._count += 1
                    self._observer.state(snapshot)
            case messages.SCAN:
                sample = messages.decode_scan(message, self._scene)
            case messages.CLOUD:
                sample = messages.decode_cloud(message, self._scene)
            case messages.PICTURE:
                sample = messages.decode_picture(message, self._scene)
            case messages.STATUS:
                self._status = json.loads(message[1:])
                resets = self._observer.resets
                self._observer.status(self._status)
                if self._observer.resets != resets:
                    self._forget_commands()
            case messages.SCENE:
                self._take_scene(json.loads(message[1:]))
            case messages.GREETING:
                self._greet(json.loads(message[1:]))
            case messages.NOTICE:
                self._take_notice(json.loads(message[1:]))
        if sample is not None:
            self._samples[type(sample), sample.vehicle, sample.sensor] = sample

    def _take_scene(self, scene: dict[str, Any]) -> None:
        self._link.is_loading = False
        self._scene = scene
        self._decoder = StateDecoder(self._greeting["layout"], scene)
        existing = {vehicle["name"] for vehicle in scene["vehicles"]}
        self._samples = {key: sample for key, sample in self._samples.items() if key[1] in existing}
        self._observer.scene(scene)

    def _take_notice(self, notice: dict[str, Any]) -> None:
        # The last warnings come again after a lost connection; other notices, and all those of older servers, have no number.
        number = notice.get("number", 0)
        if number == 0 or number > self._warned:
            self._warned = max(self._warned, number)
            self._observer.say("notice", text=notice["text"])

    def _greet(self, greeting: dict[str, Any]) -> None:
        before, self._greeting = self._greeting, greeting
        self._decoder = None
        is_other = bool(before) and before["run"] != greeting["run"]
        if is_other:
            self._warned = 0
            self._observer.forget()
            self._samples.clear()
            self._forget_commands()
        self._observer.say("restarted" if is_other else "connected")
