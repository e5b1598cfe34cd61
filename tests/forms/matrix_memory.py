"""Rows of the ways in which matrices of a sub-group lie in memory that the manual has not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .mixed import matrix
from .rows import ELEMENTS, Data, Row, lines, parallel, wide, with_parallel
from .spmd import CHECKS

CHAPTER = "Matrices in memory since release 0.4"


def rows() -> Iterator[Row]:
    for element in ELEMENTS:
        for check in CHECKS:
            for flag in ("", ".atomic", ".atomic_add"):
                yield _stored_transposed(element, check, flag)


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
