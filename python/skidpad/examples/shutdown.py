"""Ends a running skidpad cleanly.

skidpad run racecar
python -m skidpad.examples.shutdown
"""

from __future__ import annotations

from collections.abc import Sequence

import skidpad

from ._remote import arguments


def main(args: Sequence[str] | None = None) -> None:
    """Ends it."""
    given = arguments(__doc__, vehicle=False).parse_args(args)
    with skidpad.connect(given.url, given.token) as sim:
        sim.shutdown()
        print(f"ended at {sim.time:.2f} s")


if __name__ == "__main__":
    main()
