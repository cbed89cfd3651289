"""Moves a block, or a vehicle, along a circle: an obstacle that others have to expect.

    skidpad run push_yard
    python -m skidpad.examples.follow_path --body crate

Without `--body` a cone is added, and removed at the end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import skidpad

from ._remote import arguments

CONE = '<block name="cone"><mass>2</mass><zmax>0.5</zmax><shape><pt>-.2 -.2</pt><pt>.2 -.2</pt><pt>.2 .2</pt><pt>-.2 .2</pt></shape></block>'


def main(args: Sequence[str] | None = None) -> None:
    """Moves it for so long."""
    parser = arguments(__doc__, vehicle=False)
    parser.add_argument("--body", help="name of a block or a vehicle [default: a new cone]")
    parser.add_argument("--center", type=float, nargs=2, default=(0.0, 0.0), metavar=("X", "Y"), help="[m]")
    parser.add_argument("--radius", type=float, default=2.0, help="[m]")
    parser.add_argument("--speed", type=float, default=1.0, help="[m/s]")
    parser.add_argument("--seconds", type=float, default=math.inf, help="of simulated time; without it, until Ctrl-C")
    given = parser.parse_args(args)
    (x, y), radius = given.center, given.radius
    with skidpad.connect(given.url, given.token) as sim:
        body = given.body or sim.spawn(CONE, x=x + radius, y=y)
        begin = sim.time
        try:
            for snapshot in sim.states():
                elapsed = snapshot.time - begin
                if elapsed > given.seconds:
                    break
                angle = elapsed * given.speed / radius
                sim.place(body, x + radius * math.cos(angle), y + radius * math.sin(angle), angle + math.pi / 2)
        except KeyboardInterrupt:
            pass
        if not given.body:
            sim.remove(body)
        print(f"moved {body} for {sim.time - begin:.1f} s")


if __name__ == "__main__":
    main()
