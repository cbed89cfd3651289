"""Drives a vehicle of a running skidpad with the keys of a terminal.

    skidpad run racecar
    python -m skidpad.examples.teleoperation

w and s: faster, slower · a and d: to the left, to the right · space: stop · q: end. Keys may be piped in, too: printf 'wwwa q'.
"""

from __future__ import annotations

import contextlib
import math
import select
import sys
import time
from collections.abc import Iterator, Sequence

import skidpad

from ._remote import arguments

SPEED_STEP, TURN_STEP = 0.2, 0.1
MAX_SPEED, MAX_TURN = 3.0, 0.6


@contextlib.contextmanager
def single_keys() -> Iterator[None]:
    """The terminal passes on each key at once."""
    if not sys.stdin.isatty():
        yield
        return
    import termios
    import tty

    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin)
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def main(args: Sequence[str] | None = None) -> None:
    """Drives until q."""
    parser = arguments(__doc__)
    parser.add_argument("--pause", type=float, default=0.0, help="time between two keys [s], for keys that are piped in")
    given = parser.parse_args(args)
    with skidpad.connect(given.url, given.token) as sim, single_keys():
        name = given.vehicle or sim.vehicles[0]
        index = sim.vehicles.index(name)
        steers = "ackermann" in sim.scene["vehicles"][index]["accepts"]
        speed = turn = 0.0
        while True:
            ready, _, _ = select.select([sys.stdin], [], [], 0.1)
            key = sys.stdin.read(1) if ready else None
            speed += {"w": SPEED_STEP, "s": -SPEED_STEP}.get(key or "", 0.0)
            turn += {"a": TURN_STEP, "d": -TURN_STEP}.get(key or "", 0.0)
            if key == " ":
                speed = turn = 0.0
            if key in ("q", ""):
                break
            speed, turn = max(-MAX_SPEED, min(speed, MAX_SPEED)), max(-MAX_TURN, min(turn, MAX_TURN))
            if key:
                sim.command(name, **({"speed": speed, "steering_angle": turn} if steers else {"vx": speed, "yaw_rate": turn}))
                time.sleep(given.pause)
            car = sim.state[index]
            print(
                f"\rspeed {car['vx']:5.2f} of {speed:5.2f} m/s, turn {math.degrees(turn):4.0f}°  x {car['x']:6.2f} y {car['y']:6.2f} m ",
                end="",
                flush=True,
            )
        sim.release()
    print()


if __name__ == "__main__":
    main()
