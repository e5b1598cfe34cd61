"""How rows and columns are divided into tiles: in one place, for the cost model, the code and its software prefetch."""

from __future__ import annotations


def parts(total: int, most: int) -> list[tuple[int, int]]:
    """A number as a sum of the fewest terms up to `most`, about equal ones, larger ones first: terms and their counts.

    >>> parts(11, 4)
    [(4, 2), (3, 1)]
    """
    count = -(-total // most)
    least, larger = divmod(total, count)
    return [(term, times) for term, times in ((least + 1, larger), (least, count - larger)) if times]


def partition(total: int, most: int) -> list[int]:
    """The same sum, term by term.

    >>> partition(11, 4)
    [4, 4, 3]
    """
    return [term for term, times in parts(total, most) for _ in range(times)]
