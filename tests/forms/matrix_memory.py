"""Rows of the ways in which matrices of a sub-group lie in memory that the manual has not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pytl.ops.atomics import ORDERS, SCOPES

from .atomics import COMBINES, WORDS
from .mixed import matrix
from .rows import ELEMENTS, Data, Row, lines, parallel, wide, with_parallel
from .spmd import CHECKS

CHAPTER = "Matrices in memory since release 0.4"


def rows() -> Iterator[Row]:
    for element in ELEMENTS:
        for check in CHECKS:
            for flag in ("", ".atomic", ".atomic_add"):
                yield _stored_transposed(element, check, flag)
    yield from _atomic()


def _stored_transposed(element: str, check: str, flag: str) -> Row:
    """The transposed of a 4x3 matrix in a memref of 5x6, which it leaves where a check admits that."""
    # the matrix's rows are the memref's columns
    x = 2 + (1 if check in (".cols_checked", ".both_checked") else 0)
    y = 2 + (2 if check in (".rows_checked", ".both_checked") else 0)
    line = f"v04.cooperative_matrix_store.t{check}{flag} %m, %o[%x, %y]"

    def expected(data: Data) -> Data:
        out = np.zeros((12, 12), wide(data["o"]).dtype)
        out[:5, :6] = wide(data["o"])
        block = out[x : x + 3, y : y + 4]
        block[...] = wide(data["a"]).T + (block if "add" in flag else 0)
        return {"o": out[:5, :6]}

    options = f', checked="{check[1:].removesuffix("_checked")}"' if check else ""
    options += {"": "", ".atomic": ", atomic=True", ".atomic_add": ', atomic="add"'}[flag]
    load = f"%m = cooperative_matrix_load.n %a[%0, %0] : {matrix(element)}"
    return Row(
        CHAPTER,
        f"v04.cooperative_matrix_store.t{check}{flag}",
        matrix(element),
        {"a": f"memref<{element}x4x3>", "o": f"memref<{element}x5x6>", "x": "index", "y": "index"},
        parallel(lines("%0 = constant 0 : index", load, line)),
        with_parallel(
            lines(
                'm = coop.load(a, 0, 0, shape=(4, 3), use="matrix_acc")',
                f"coop.store(m, o, x, y{options}, transpose=True)",
            )
        ),
        expected,
        line,
        given={"x": x, "y": y},
    )


def _atomic() -> Iterator[Row]:
    """Each scope and each order with each type, and each way of lying in memory with each type."""
    for word, (elements, orders) in WORDS.items():
        for element in elements:
            for scope in SCOPES:
                yield _access(word, element, scope=scope)
            for order in orders:
                if order != "relaxed":
                    yield _access(word, element, order=order)
            for turned in (False, True):
                for check in CHECKS:
                    if turned or check:
                        yield _access(word, element, turned, check)


def _access(
    word: str,
    element: str,
    turned: bool = False,
    check: str = "",
    scope: str = next(iter(SCOPES)),
    order: str = next(iter(ORDERS)),
) -> Row:
    """A 4x3 matrix, or its transpose, in a memref of 5x6, which it leaves where a check admits that."""
    modifiers = ".t" * turned + check
    modifiers += f".{scope}" * (scope != "work_group") + f".{order}" * (order != "relaxed")
    rows, columns = (3, 4) if turned else (4, 3)
    by_row, by_column = (check in (f".{side}_checked", ".both_checked") for side in ("rows", "cols"))
    x, y = 5 - rows + (by_column if turned else by_row), 6 - columns + 2 * (by_row if turned else by_column)
    form = f"v04.cooperative_matrix_atomic_{word}{modifiers}"
    result = "" if word == "store" else f"%r = {form} %m, %a[%x, %y] : {matrix(element)}"
    line = result or f"{form} %m, %a[%x, %y]"
    line = line.replace("%m, ", "") if word == "load" else line
    load = f"%m = cooperative_matrix_load.n %v[%0, %0] : {matrix(element)}"
    kept = [] if word == "store" else ["cooperative_matrix_store %r, %o[%0, %0]"]
    options = f', checked="{check[1:].removesuffix("_checked")}"' if check else ""
    options += f', transpose={turned}, scope="{scope}", order="{order}"'
    given = 'a, x, y, (4, 3), "matrix_acc"' if word == "load" else "m, a, x, y"
    call = f"coop.atomic_{word}({given}{options})"

    def expected(data: Data) -> Data:
        whole = np.zeros((12, 12), wide(data["a"]).dtype)
        whole[:5, :6] = wide(data["a"])
        block = whole[x : x + rows, y : y + columns]
        before = (block.T if turned else block).copy()
        given = wide(data["v"])
        if word != "load":
            after = given if word == "store" else COMBINES[word](before, given)
            block[...] = after.T if turned else after
        return {"a": whole[:5, :6]} | ({} if word == "store" else {"o": before})

    memory = f"memref<{element}x4x3>"
    return Row(
        CHAPTER,
        form,
        matrix(element),
        {"a": f"memref<{element}x5x6>", "v": memory, "o": memory, "x": "index", "y": "index"},
        parallel(lines("%0 = constant 0 : index", load, line, *kept)),
        with_parallel(
            lines(
                'm = coop.load(v, 0, 0, (4, 3), "matrix_acc")',
                f"r = {call}" if kept else call,
                *(["coop.store(r, o, 0, 0)"] if kept else []),
            )
        ),
        expected,
        line,
        given={"x": x, "y": y},
    )
