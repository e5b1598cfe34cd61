"""Copies of matrices in local memory, whose rows follow each other there, by the work-items of sub-groups.

The rows of a left factor that is transposed lie apart. Neighbouring work-items load neighbouring numbers of its sum
here, once, and store them where those of neighbouring rows lie side by side, for all blocks that load them later.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ...diagnostics import Location
from ...ir.values import Value
from ..targets import vector
from .code import Code, Number


def transposed(
    source: Value, copy: Value, size: int, count: int, at_once: int, location: Location | None
) -> vector.WorkItems:
    """The code of `count` sub-groups that fill `copy` with the transpose of `source`.

    A work-item loads a number of each of `at_once` rows before it stores the first.
    """
    code = Code(location)
    depth, rows = code.size(source, 0), code.size(source, 1)
    assert isinstance(rows, int) and isinstance(depth, int)
    lane = code.place_once("subgroup_local_id")
    first = 0 if count == 1 else code.times(code.place_once("subgroup_id"), at_once)

    def move(k: Number, columns: Sequence[Number]) -> None:
        numbers = [code.load_number(source, (k, row)) for row in columns]
        for row, number in zip(columns, numbers):
            code.store_number(number, copy, (row, k))

    def several(start: Number, rows_here: Sequence[Number]) -> None:
        k = code.plus(start, lane)
        if isinstance(start, int) and start + size > depth:
            with code.predicated(code.compare("lt", code.number(k), code.number(depth))):
                move(k, rows_here)
        else:
            move(k, rows_here)

    def along_the_sum(rows_here: Sequence[Number]) -> None:
        whole = depth // size * size
        code.each(0, whole, size, partial(several, rows_here=rows_here))
        if whole < depth:
            several(whole, rows_here)

    parts, left = divmod(rows, at_once)
    code.each(
        first,
        parts * at_once,
        at_once * count,
        lambda row: along_the_sum([code.plus(row, n) for n in range(at_once)]),
    )
    if left:
        rest = [parts * at_once + n for n in range(left)]
        if count == 1:
            along_the_sum(rest)
        else:
            number = code.number(code.place_once("subgroup_id"))
            with code.predicated(code.compare("eq", number, code.number(parts % count))):
                along_the_sum(rest)
    return code.of_work_items({vector.ROWS: at_once, vector.COLUMNS: 1, vector.UNROLL: 1})
