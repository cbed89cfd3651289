"""What the examples of a remote client have in common: their arguments."""

from __future__ import annotations

import argparse


def arguments(text: str | None, vehicle: bool = True) -> argparse.ArgumentParser:
    """A parser with `--url`, `--token` and `--vehicle`; `text` is the module's docstring."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="http://127.0.0.1:8520", help="as skidpad run prints it [default: %(default)s]")
    parser.add_argument("--token", help="if the server needs one, and the url has none")
    if vehicle:
        parser.add_argument("--vehicle", help="name of the vehicle [default: the first one]")
    return parser
