"""Problems in the project's error format."""

import difflib


class Problem(Exception):
    """Something the user has to change: where it is, what was found, what is accepted, a hint."""

    def __init__(self, place, found, accepted=None, hint=None):
        lines = ["{}: {}".format(place, found)]
        if accepted:
            lines.append("  accepted: " + ", ".join(accepted))
        if hint:
            lines.append("  hint: " + hint)
        super().__init__("\n".join(lines))


def unknown(place, found, names):
    """The Problem of a name that is not among `names`."""
    near = difflib.get_close_matches(found, names, 1, 0.8)
    return Problem(place, found + ": not found", names, "did you mean {}?".format(near[0]) if near else None)
