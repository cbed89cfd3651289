"""The exceptions of this package. Their texts read `place: what was found`, then what is accepted and a hint."""


class SkidpadError(Exception):
    """Base of all errors of this package."""


class WorldError(SkidpadError, ValueError):
    """A world file with errors, each with `file:line:column`.

    `problems`: one text for each.
    """

    def __init__(self, text: str, problems: list[str] | None = None) -> None:
        super().__init__(text)
        self.problems = list(problems) if problems is not None else [text]


class StepError(SkidpadError, RuntimeError):
    """A number of the simulation is no longer finite. The world makes no more steps until it is reset.

    `index`: the first such world of several; None of one alone.
    """

    def __init__(self, text: str, index: int | None = None) -> None:
        super().__init__(text)
        self.index = index


class CommandError(SkidpadError, ValueError):
    """A command, a pose, a name or a parameter that is not accepted."""


class ScenarioError(SkidpadError, ValueError):
    """A scenario with mistakes, or one that cannot be run as it is asked for.

    `problems`: one text for each.
    """

    def __init__(self, text: str, problems: list[str] | None = None) -> None:
        super().__init__(text)
        self.problems = list(problems) if problems is not None else [text]
