"""The orders of a client: time, commands, and changes of the world."""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import commands
from .commands import finite
from .errors import RemoteError, RemoteTimeout
from .events import Observer
from .link import Link

_log = logging.getLogger("skidpad.remote")

# The server stops a vehicle for which no command has arrived for 0.5 s.
_REPETITION = 0.2
# How long it may take until the status shows a reset [s].
_NOTICE = 0.5


class Orders:
    """Everything that changes a run. Each method returns once the server has carried it out, and raises RemoteError with its reason otherwise."""

    _link: Link
    _observer: Observer

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        # Of each vehicle its name, the command, and the one that stops it.
        self._in_force: dict[int, tuple[str, dict[str, Any], dict[str, Any]]] = {}
        self._force_lock = threading.Lock()
        self._repeater: threading.Thread | None = None
        self._ending = threading.Event()

    # What Simulation provides.
    minor: int

    @property
    def scene(self) -> dict[str, Any]:
        """The scene."""
        raise NotImplementedError

    def wait(self, condition: Any = None, timeout: float | None = 10.0) -> Any:
        """Waits for the next state, or for a condition."""
        raise NotImplementedError

    def order(self, name: str, /, **fields: Any) -> dict[str, Any]:
        """Gives any order of docs/viewer-protocol.md and returns its answer, such as `sim.order("pause")`."""
        return self._link.order({"do": name, **fields}, None if name == "step" else self._timeout)

    def _order_since_1(self, name: str, /, **fields: Any) -> dict[str, Any]:
        if self.minor < 1:
            raise RemoteError(f"{name}: the skidpad of the server is too old for this order\n  accepted: a newer skidpad on the server")
        return self.order(name, **fields)

    # Time.
    def pause(self) -> None:
        """Stops time."""
        self.order("pause")

    def resume(self) -> None:
        """Lets time go on."""
        self.order("resume")

    def step(self, n: int = 1) -> float:
        """Makes `n` steps during a pause, 1 to 100000; returns the simulated time [s] afterwards."""
        return float(self.order("step", count=int(n))["time"])

    def reset(self) -> None:
        """Puts everything back to its start; simulated time goes on. Commands are no longer in force."""
        seen = self._observer.resets
        self.order("reset")
        # Commands that follow must not be taken for earlier ones. There is nothing to be seen of a reset before the first step.
        with contextlib.suppress(RemoteTimeout):
            self.wait(lambda: self._observer.resets != seen, _NOTICE)
        self._forget_commands()

    def set_rate(self, rate: float | None) -> None:
        """Speed of time [simulated seconds per second], 0.001 or more; None: as fast as possible."""
        self.order("set_rate", rate=None if rate is None else finite("set_rate", rate))

    def seek(self, time: float) -> None:
        """Goes to this time [s] of a recording."""
        self.order("seek", time=finite("seek", time))

    def shutdown(self) -> None:
        """Ends the run at the server cleanly, as Ctrl-C there does. This client can only be closed afterwards."""
        try:
            self._order_since_1("shutdown")
        except RemoteError:
            # Its answer may be overtaken by the end of the connection.
            if self._link.failure is None:
                raise

    # Commands.
    def command(self, vehicle: str | int = 0, **numbers: float | Sequence[float | None] | str | None) -> None:
        """Commands a vehicle, with the numbers of `skidpad.World.command`. It is repeated for as long as it is in force:

        until the next command to this vehicle, `release`, a reset, a lost connection or the end of this client. Without it the server stops the vehicle within 0.5 s.
        """
        command, stop = commands.read(numbers)
        number, name = self._vehicle(vehicle)
        self._order_since_1("command", vehicle=number, command=command)
        with self._force_lock:
            self._in_force[number] = (name, command, stop)
            if self._repeater is None and not self._ending.is_set():
                self._repeater = threading.Thread(target=self._repeat, name="skidpad commands", daemon=True)
                self._repeater.start()

    def release(self, vehicle: str | int | None = None) -> None:
        """Stops a vehicle that this client commands, and repeats its command no longer; None: all of them."""
        if vehicle is None:
            with self._force_lock:
                numbers = list(self._in_force)
        else:
            numbers = [self._vehicle(vehicle)[0]]
        for number in numbers:
            with self._force_lock:
                held = self._in_force.pop(number, None)
            if held is not None:
                self.order("command", vehicle=number, command=held[2])

    def _forget_commands(self) -> None:
        with self._force_lock:
            self._in_force.clear()

    def _repeat(self) -> None:
        while not self._ending.wait(_REPETITION):
            with self._force_lock:
                held = list(self._in_force.items())
            for number, (name, command, _) in held:
                try:
                    self._link.send({"do": "command", "vehicle": number, "command": command}, functools.partial(self._repeated, number, name))
                except RemoteError:
                    # A lost connection ends all commands.
                    break

    def _repeated(self, number: int, name: str, answer: dict[str, Any]) -> None:
        if not answer.get("error"):
            return
        with self._force_lock:
            was_in_force = self._in_force.pop(number, None) is not None
        if was_in_force and not self._ending.is_set():
            _log.warning("the command to %s is no longer in force: %s", name, answer["error"])
            self._observer.say("refused", name, answer["error"])

    def _end_commands(self) -> None:
        self._ending.set()
        self._forget_commands()
        with self._force_lock:
            repeater = self._repeater
        if repeater is not None and repeater is not threading.current_thread():
            repeater.join()

    # The world.
    def place(
        self,
        name: str | int,
        x: float,
        y: float,
        yaw: float = 0.0,
        *,
        z: float | None = None,
        vx: float = 0.0,
        vy: float = 0.0,
        yaw_rate: float = 0.0,
    ) -> None:
        """Puts a vehicle or a movable block at a pose [m, rad], with a velocity in its frame. Of several floors: the one at or below `z`, None: the one that it is on."""
        fields = {
            "entity": self._body(name),
            "x": finite("x", x),
            "y": finite("y", y),
            "z": None if z is None else finite("z", z),
            "yaw": finite("yaw", yaw),
        }
        velocity = [finite("vx", vx), finite("vy", vy), finite("yaw_rate", yaw_rate)]
        if any(velocity):
            self._order_since_1("place", **fields, velocity=velocity)
        else:
            self.order("place", **fields)

    def spawn(self, what: str | os.PathLike[str], name: str = "", x: float = 0.0, y: float = 0.0, yaw: float = 0.0, *, z: float | None = None) -> str:
        """Adds a vehicle or a block and returns its name once it is in `scene`.

        `what`: a class of the world, XML that begins with `<`, or a `pathlib.Path` of a file here, whose text is sent. Files that XML names are those of the server. An
        empty `name` stands for a free one from the class, or for the one in the XML. Of several floors: the highest that is not above half of the body, counted
        from `z`; None: from 0, and the lowest plane where all are higher.
        """
        if isinstance(what, os.PathLike):
            try:
                what = Path(what).read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise RemoteError(f"spawn: {what}: {error}\n  accepted: a file with XML") from None
        pose = {"x": finite("x", x), "y": finite("y", y), "z": None if z is None else finite("z", z), "yaw": finite("yaw", yaw)}
        spawned = str(self._order_since_1("spawn", what=what, name=name, **pose)["name"])
        self.wait(lambda: spawned in self._names(), self._timeout)
        return spawned

    def remove(self, name: str | int) -> None:
        """Removes a vehicle or a block; returns once it is gone from `scene`."""
        number = self._body(name)
        with self._force_lock:
            self._in_force.pop(number, None)
        self._order_since_1("remove", entity=number)
        self.wait(lambda: number not in self._names().values(), self._timeout)

    def parameters(self, vehicle: str | int = 0) -> dict[str, float]:
        """The gains of a vehicle's controller as they are, by name."""
        answer = self._order_since_1("parameters", vehicle=self._vehicle(vehicle)[0])
        return {parameter["name"]: parameter["value"] for parameter in answer["parameters"]}

    def set_parameter(self, vehicle: str | int, name: str, value: float) -> None:
        """Changes a gain of a vehicle's controller; a reset keeps it."""
        self._order_since_1("set_parameter", vehicle=self._vehicle(vehicle)[0], name=name, value=finite(name, value))

    # Names.
    def _names(self) -> dict[str, int]:
        """Ids of vehicles and blocks by name."""
        return {body["name"]: body["id"] for body in [*self.scene["vehicles"], *self.scene["blocks"]]}

    def _vehicle(self, vehicle: str | int) -> tuple[int, str]:
        """Id and name of a vehicle."""
        vehicles = self.scene["vehicles"]
        if isinstance(vehicle, str):
            for entry in vehicles:
                if entry["name"] == vehicle:
                    return entry["id"], vehicle
        elif 0 <= vehicle < len(vehicles):
            return vehicles[vehicle]["id"], vehicles[vehicle]["name"]
        raise RemoteError(f"vehicle {vehicle!r}: not found\n  accepted: {_listed([entry['name'] for entry in vehicles])}")

    def _body(self, body: str | int) -> int:
        """Id of a vehicle or a block; an index counts vehicles."""
        if not isinstance(body, str):
            return self._vehicle(body)[0]
        names = self._names()
        if body not in names:
            raise RemoteError(f"{body!r}: neither a vehicle nor a block\n  accepted: {_listed(list(names))}")
        return names[body]


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:10]) or "nothing is there"
    return f"{shown}, … ({len(names)})" if len(names) > 10 else shown
