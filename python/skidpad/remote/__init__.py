"""A client of a running `skidpad run` or `skidpad replay`, on this machine or another one.

>>> import skidpad
>>> with skidpad.connect("http://127.0.0.1:8520") as sim:  # doctest: +SKIP
...     sim.command("r1", vx=0.5)
...     sim.wait(lambda: sim.state["x"][0] > 2.0)

It speaks the protocol of the viewer, `skidpad.v1`; docs/viewer-protocol.md describes it. `Simulation` has everything that can be done.
"""

from .errors import RemoteError, RemoteTimeout
from .events import Event
from .messages import Cloud, Picture, Scan, Snapshot
from .simulation import Simulation, connect

__all__ = ["Cloud", "Event", "Picture", "RemoteError", "RemoteTimeout", "Scan", "Simulation", "Snapshot", "connect"]
