"""Prints states and events of a running skidpad, or of a recording.

skidpad run racecar
python -m skidpad.examples.subscribe
"""

from __future__ import annotations

from collections.abc import Sequence

import skidpad

from ._remote import arguments


def main(args: Sequence[str] | None = None) -> None:
    """Prints until the run ends."""
    parser = arguments(__doc__, vehicle=False)
    parser.add_argument("--rate", type=float, default=2.0, help="states per second [default: %(default)s]")
    parser.add_argument("--count", type=int, default=0, help="states to print; 0: until the run ends or Ctrl-C")
    given = parser.parse_args(args)
    with skidpad.connect(given.url, given.token, rate=given.rate) as sim:
        print(f"{sim.mode} of skidpad {sim.version}: {', '.join(sim.vehicles)}; blocks: {', '.join(sim.blocks) or 'none'}")
        sim.on("*", lambda event: print(f"{event.time:8.2f} s  {event.kind} {event.name} {event.text}".rstrip(), flush=True))
        try:
            for count, snapshot in enumerate(sim.states(timeout=None), 1):
                for name, car in zip(sim.vehicles, snapshot.state, strict=False):
                    print(
                        f"{snapshot.time:8.2f} s  {name}: x {car['x']:.2f} y {car['y']:.2f} m, yaw {car['yaw']:.2f} rad, {car['vx']:.2f} m/s",
                        flush=True,
                    )
                if count == given.count:
                    break
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
