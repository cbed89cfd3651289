"""Random numbers that are the same on every machine, and smooth grids of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def random_words(state: int) -> Iterator[int]:
    """Words of 32 bits after this one, from a linear congruential generator (Numerical Recipes, ch. 7.1)."""
    while True:
        state = (1664525 * state + 1013904223) % 2**32
        yield state


def any_grey(columns: int, rows: int, words: Iterator[int]) -> list[list[int]]:
    """Rows of greys from 0 to 255."""
    return [[next(words) >> 24 for _ in range(columns)] for _ in range(rows)]


def smooth(cells: Sequence[Sequence[int]], wide: int, high: int) -> list[list[int]]:
    """A grid with so many columns and rows to a cell, between the values of the cells, times the size of a cell (`wide` by `high`); it
    goes on across its edges.
    """
    rows, columns = len(cells), len(cells[0])
    grid = []
    for y in range(rows * high):
        above, below, t = cells[y // high], cells[(y // high + 1) % rows], y % high
        line = []
        for x in range(columns * wide):
            k, s = x // wide, x % wide
            left = above[k] * (high - t) + below[k] * t
            right = above[(k + 1) % columns] * (high - t) + below[(k + 1) % columns] * t
            line.append(left * (wide - s) + right * s)
        grid.append(line)
    return grid
