"""Rows of the components that work-items hold of a matrix."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .mixed import USES, matrix
from .rows import ELEMENTS, Data, Row, lines, parallel, wide, with_parallel

CHAPTER = "Components of work-items"
SHAPE = "20x2"
"""More rows than a sub-group has work-items: work-items 0 to 3 have two rows."""
HERE = lines("%l = builtin.subgroup_local_id : i32", "%p = cast %l : index")


def rows() -> Iterator[Row]:
    for element in ELEMENTS:
        for use in USES:
            for component, (first, column) in {1: (0, 1), 2: (16, 0)}.items():
                yield _extracted(element, use, component, first, column)
                yield _inserted(element, use, component, first, column)


def _loads(element: str, use: str) -> tuple[str, str]:
    text = f"%m = cooperative_matrix_load.n %a[%0, %0] : {matrix(element, use, SHAPE)}"
    return lines("%0 = constant 0 : index", text), f'm = coop.load(a, 0, 0, shape=(20, 2), use="{use}")'


def _extracted(element: str, use: str, component: int, first: int, column: int) -> Row:
    line = f"%r = v04.cooperative_matrix_extract %m[{component}] : {element}"
    text, python = _loads(element, use)

    def expected(data: Data) -> Data:
        own = wide(data["a"])[first : first + 16, column]
        return {"o": np.concatenate([own, np.zeros(16 - len(own))])}

    return Row(
        CHAPTER,
        "v04.cooperative_matrix_extract",
        f"{matrix(element, use, SHAPE)}, {component}",
        {"a": f"memref<{element}x{SHAPE}>", "o": f"memref<{element}x16>"},
        parallel(lines(text, line, HERE, "store %r, %o[%p]")),
        with_parallel(lines(python, f"o[index(subgroup.local_id())] = coop.extract(m, {component})")),
        expected,
        line,
    )


def _inserted(element: str, use: str, component: int, first: int, column: int) -> Row:
    type_ = matrix(element, use, SHAPE)
    line = f"%r = v04.cooperative_matrix_insert %s, %m[{component}] : {type_}"
    text, python = _loads(element, use)

    def expected(data: Data) -> Data:
        out = wide(data["a"]).copy()
        own = out[first : first + 16, column]
        own[...] = wide(data["v"])[: len(own)]
        return {"o": out}

    store = "cooperative_matrix_store %r, %o[%0, %0]"
    memory = f"memref<{element}x{SHAPE}>"
    return Row(
        CHAPTER,
        "v04.cooperative_matrix_insert",
        f"{type_}, {component}",
        {"a": memory, "v": f"memref<{element}x16>", "o": memory},
        parallel(lines(text, HERE, f"%s = load %v[%p] : {element}", line, store)),
        with_parallel(
            lines(
                python,
                "s = v[index(subgroup.local_id())]",
                f"r = coop.insert(s, m, {component})",
                "coop.store(r, o, 0, 0)",
            )
        ),
        expected,
        line,
    )
