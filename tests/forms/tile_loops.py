"""Rows of loops over tiles, which sub-groups execute."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .mixed import matrix
from .rows import ELEMENTS, INTEGERS, Row, lines, wide

CHAPTER = "Loops over tiles since release 0.4"
SIZES = {"attributes": "{subgroup_size=16, work_group_size=[32,2]}",
         "decorator": "(subgroup_size=16, work_group_size=(32, 2))"}  # fmt: skip


def rows() -> Iterator[Row]:
    for number, type_ in enumerate(INTEGERS):
        yield _of_one_mode(type_)
        yield _of_two_modes(type_, INTEGERS[(number + 2) % len(INTEGERS)])
    for element in ELEMENTS:
        yield _aliasing_matrices(element)
        yield _of_three_modes(element)


def _first(body: str) -> str:
    """What one work-item of a sub-group does."""
    return lines(
        "  %me = builtin.subgroup_local_id : i32",
        "  %zero = constant 0 : i32",
        "  %is = cmp.eq %me, %zero : bool",
        "  if %is {",
        *(f"    {line}" for line in body.splitlines()),
        "  }",
        "}",
    )


def _of_one_mode(type_: str) -> Row:
    head = "v04.foreach_tile (%i) = (%a), (%b) as (%p) <= (16) {"
    store = lines("%at = cast %i : index", "%n = cast %p : i32", "store %n, %o[%at]")

    def expected(data: dict) -> dict:
        out = np.asarray(data["o"]).copy()
        for i in range(3, 50, 16):
            out[i] = min(16, 50 - i)
        return {"o": out}

    return Row(
        CHAPTER,
        "v04.foreach_tile",
        type_,
        {"a": type_, "b": type_, "o": "memref<i32x60>"},
        lines(head, _first(store)),
        lines(
            "for i, p in foreach_tile(a, b, 16):",
            "    if subgroup.local_id() == 0:",
            "        o[index(i)] = i32(p)",
        ),
        expected,
        head,
        given={"a": 3, "b": 50},
        **SIZES,
    )


def _of_two_modes(first: str, second: str) -> Row:
    """Modes of two types."""
    head = "v04.foreach_tile (%i, %j) = (%a, %c), (%b, %d) as (%p, %q) <= (16, 2) {"
    body = lines(
        "%x = cast %i : index",
        "%y = cast %j : index",
        "%n = cast %p : i32",
        "%m = cast %q : i32",
        "%r = arith.mul %n, %m : i32",
        "store %r, %o[%x, %y]",
    )

    def expected(data: dict) -> dict:
        out = np.asarray(data["o"]).copy()
        for i in range(3, 50, 16):
            for j in range(1, 8, 2):
                out[i, j] = min(16, 50 - i) * min(2, 8 - j)
        return {"o": out}

    return Row(
        CHAPTER,
        "v04.foreach_tile of two modes",
        f"{first}, {second}",
        {"a": first, "b": first, "c": second, "d": second, "o": "memref<i32x60x8>"},
        lines(head, _first(body)),
        lines(
            "for (i, j), (p, q) in foreach_tile((a, c), (b, d), (16, 2)):",
            "    if subgroup.local_id() == 0:",
            "        o[index(i), index(j)] = i32(p) * i32(q)",
        ),
        expected,
        head,
        given={"a": 3, "b": 50, "c": 1, "d": 8},
        **SIZES,
    )


def _aliasing_matrices(element: str) -> Row:
    head = "v04.foreach_tile (%i, %j) = (%0, %0), (%m, %n) as (%p, %q) <= (16, 3) {"
    memory = f"memref<{element}x?x?>"
    return Row(
        CHAPTER,
        "v04.foreach_tile with matrices",
        element,
        {"a": memory, "o": memory},
        lines(
            "%0 = constant 0 : index",
            "%m = size %a[0] : index",
            "%n = size %a[1] : index",
            head,
            f"  %x = cooperative_matrix_load.n.both_checked %a[%i, %j] : {matrix(element, shape='16x3')}",
            f"  %y = arith.add %x, %x : {matrix(element, shape='16x3')}",
            "  cooperative_matrix_store.both_checked %y, %o[%i, %j]",
            "}",
        ),
        lines(
            "for (i, j), (p, q) in foreach_tile((0, 0), a.shape, (16, 3)):",
            '    x = coop.load(a, i, j, (16, 3), "matrix_acc", checked="both")',
            '    coop.store(x + x, o, i, j, checked="both")',
        ),
        lambda data: {"o": 2 * wide(data["a"])},
        head,
        dims={"a": 37, "o": 37},
        **SIZES,
    )


def _of_three_modes(element: str) -> Row:
    head = "v04.foreach_tile (%i, %j, %k) = (%0, %0, %0), (%m, %n, %l) as (%p, %q, %r) <= (16, 2, 3) {"
    body = lines("%v = load %a[%i, %j, %k] : " + element, "store %v, %o[%i, %j, %k]")

    def expected(data: dict) -> dict:
        out = wide(data["o"]).copy()
        out[::16, ::2, ::3] = wide(data["a"])[::16, ::2, ::3]
        return {"o": out}

    memory = f"memref<{element}x33x5x4>"
    return Row(
        CHAPTER,
        "v04.foreach_tile of three modes",
        element,
        {"a": memory, "o": memory},
        lines(
            "%0 = constant 0 : index",
            "%m = constant 33 : index",
            "%n = constant 5 : index",
            "%l = constant 4 : index",
            head,
            _first(body),
        ),
        lines(
            "for (i, j, k), (p, q, r) in foreach_tile((0, 0, 0), a.shape, (16, 2, 3)):",
            "    if subgroup.local_id() == 0:",
            "        o[i, j, k] = a[i, j, k]",
        ),
        expected,
        head,
        **SIZES,
    )
