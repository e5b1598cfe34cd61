"""Rows of the SPMD instructions: what work-items know of their sub-group, and what they do together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .mixed import USES, matrix
from .rows import COMPLEX, ELEMENTS, PAIRS, REALS, Data, Row, lines, parallel, wide, with_parallel

CHAPTER = "SPMD instructions"
SIZE, ITEMS = 8, 32
"""Work-items of a sub-group and of the work-group, 16 × 2."""
WORK_GROUP = {
    "attributes": f"{{subgroup_size={SIZE}, work_group_size=[16,2]}}",
    "decorator": f"(subgroup_size={SIZE}, work_group_size=(16, 2))",
}
PLACE = (
    "%g = builtin.subgroup_id : i32",
    "%l = builtin.subgroup_local_id : i32",
    "%gx = cast %g : index",
    "%lx = cast %l : index",
)


def rows() -> Iterator[Row]:
    yield from _builtins()
    yield from _loads()
    yield from _mul_adds()
    yield from _scales()
    yield from _stores()
    yield from _broadcasts()
    yield from _operations()


def _builtins() -> Iterator[Row]:
    for builtin, name, call, values in (
        ("subgroup_id", "%g", "subgroup.id()", np.arange(ITEMS) // SIZE),
        ("subgroup_local_id", "%l", "subgroup.local_id()", np.arange(ITEMS) % SIZE),
    ):
        line = f"{name} = builtin.{builtin} : i32"
        yield Row(
            CHAPTER,
            f"builtin.{builtin}",
            "i32",
            {"o": f"memref<i32x{SIZE}x{ITEMS // SIZE}>"},
            parallel(lines(*PLACE, f"store {name}, %o[%lx, %gx]")),
            with_parallel(f"o[index(subgroup.local_id()), index(subgroup.id())] = {call}"),
            lambda data, values=values: {"o": values.reshape(-1, SIZE).T},
            line,
            **WORK_GROUP,
        )


# Cooperative matrices. The default work-group is a single sub-group.

CHECKS = ("", ".rows_checked", ".cols_checked", ".both_checked")


def _loads() -> Iterator[Row]:
    for element in ELEMENTS:
        for transpose in "nt":
            for check in CHECKS:
                for use in USES:
                    yield _load(element, transpose, check, use)


def _load(element: str, transpose: str, check: str, use: str) -> Row:
    # The memref is 5x6; a matrix of 4x3, or its transpose, at (x, y) leaves it where a check admits that.
    rows, columns = (4, 3) if transpose == "n" else (3, 4)
    beyond_rows = check in (".rows_checked", ".both_checked")
    beyond_columns = check in (".cols_checked", ".both_checked")
    if transpose == "t":
        # the check is on the matrix's rows, which are the memref's columns
        beyond_rows, beyond_columns = beyond_columns, beyond_rows
    x = 5 - rows + (1 if beyond_rows else 0)
    y = 6 - columns + (2 if beyond_columns else 0)
    line = f"%m = cooperative_matrix_load.{transpose}{check} %a[%x, %y] : {matrix(element, use)}"

    def expected(data: Data) -> Data:
        padded = np.zeros((12, 12), wide(data["a"]).dtype)
        padded[:5, :6] = wide(data["a"])
        block = padded[x : x + rows, y : y + columns]
        return {"o": block.T if transpose == "t" else block}

    checked = f', checked="{check[1:].removesuffix("_checked")}"' if check else ""
    call = f'coop.load(a, x, y, shape=(4, 3), use="{use}", transpose={transpose == "t"}{checked})'
    return Row(
        CHAPTER,
        f"cooperative_matrix_load.{transpose}{check}",
        matrix(element, use),
        {"a": f"memref<{element}x5x6>", "o": f"memref<{element}x4x3>", "x": "index", "y": "index"},
        parallel(lines(line, "%0 = constant 0 : index", "cooperative_matrix_store %m, %o[%0, %0]")),
        with_parallel(lines(f"m = {call}", "coop.store(m, o, 0, 0)")),
        expected,
        line,
        given={"x": x, "y": y},
    )


def _mul_adds() -> Iterator[Row]:
    same = [(e, e, e, e) for e in ELEMENTS]
    promoted = [(a, a, c, c) for a, c in PAIRS]
    mixed = [(a, b, b, b) for a, b in PAIRS]
    # the sum is cast to the result's type
    cast = [
        ("f16", "f16", "f32", "f16"),
        ("bf16", "bf16", "f32", "bf16"),
        ("i8", "i8", "i32", "f32"),
        ("f32", "f32", "f64", "i32"),
        ("f32", "f32", "c32", "c64"),
    ]
    for a, b, c, d in [*same, *promoted, *mixed, *cast]:
        types = [f"coopmatrix<{a}x4x5,matrix_a>", f"coopmatrix<{b}x5x3,matrix_b>", f"coopmatrix<{c}x4x3,matrix_acc>"]
        line = f"%r = cooperative_matrix_mul_add %x, %y, %z : coopmatrix<{d}x4x3,matrix_acc>"
        loads = [f"%{n} = cooperative_matrix_load.n %m{n}[%0, %0] : {t}" for n, t in zip("xyz", types, strict=True)]
        yield Row(
            CHAPTER,
            "cooperative_matrix_mul_add",
            f"{a}, {b}, {c} → {d}",
            {"mx": f"memref<{a}x4x5>", "my": f"memref<{b}x5x3>", "mz": f"memref<{c}x4x3>", "o": f"memref<{d}x4x3>"},
            parallel(lines("%0 = constant 0 : index", *loads, line, "cooperative_matrix_store %r, %o[%0, %0]")),
            with_parallel(
                lines(
                    'x = coop.load(mx, 0, 0, shape=(4, 5), use="matrix_a")',
                    'y = coop.load(my, 0, 0, shape=(5, 3), use="matrix_b")',
                    'z = coop.load(mz, 0, 0, shape=(4, 3), use="matrix_acc")',
                    f"r = coop.mul_add(x, y, z{f', component={d}' if d != c else ''})",
                    "coop.store(r, o, 0, 0)",
                )
            ),
            lambda data: {"o": wide(data["mx"]) @ wide(data["my"]) + wide(data["mz"])},
            line,
        )


def _scales() -> Iterator[Row]:
    for element in ELEMENTS:
        for use in USES:
            type_ = matrix(element, use)
            line = f"%r = cooperative_matrix_scale %s, %m : {type_}"
            load = f"%m = cooperative_matrix_load.n %a[%0, %0] : {type_}"
            yield Row(
                CHAPTER,
                "cooperative_matrix_scale",
                type_,
                {"a": f"memref<{element}x4x3>", "s": element},
                parallel(lines("%0 = constant 0 : index", load, line, "cooperative_matrix_store %r, %a[%0, %0]")),
                with_parallel(
                    lines(
                        f'm = coop.load(a, 0, 0, shape=(4, 3), use="{use}")',
                        "coop.store(coop.scale(s, m), a, 0, 0)",
                    )
                ),
                lambda data: {"a": wide(data["s"]) * wide(data["a"])},
                line,
            )


def _stores() -> Iterator[Row]:
    for element in ELEMENTS:
        for check in CHECKS:
            for flag in ("", ".atomic", ".atomic_add"):
                yield _store(element, check, flag)


def _store(element: str, check: str, flag: str) -> Row:
    x = 1 + (2 if check in (".rows_checked", ".both_checked") else 0)
    y = 2 + (2 if check in (".cols_checked", ".both_checked") else 0)
    line = f"cooperative_matrix_store{check}{flag} %m, %o[%x, %y]"
    type_ = matrix(element)

    def expected(data: Data) -> Data:
        out, block = wide(data["o"]).copy(), wide(data["a"])
        for i in range(4):
            for j in range(3):
                if x + i < 5 and y + j < 6:
                    before = out[x + i, y + j] if "add" in flag else 0
                    out[x + i, y + j] = before + block[i, j]
        return {"o": out}

    options = f', checked="{check[1:].removesuffix("_checked")}"' if check else ""
    options += {"": "", ".atomic": ", atomic=True", ".atomic_add": ', atomic="add"'}[flag]
    return Row(
        CHAPTER,
        f"cooperative_matrix_store{check}{flag}",
        type_,
        {"a": f"memref<{element}x4x3>", "o": f"memref<{element}x5x6>", "x": "index", "y": "index"},
        parallel(lines("%0 = constant 0 : index", f"%m = cooperative_matrix_load.n %a[%0, %0] : {type_}", line)),
        with_parallel(
            lines('m = coop.load(a, 0, 0, shape=(4, 3), use="matrix_acc")', f"coop.store(m, o, x, y{options})")
        ),
        expected,
        line,
        given={"x": x, "y": y},
    )


# Scalars of a sub-group.


def _collected(form: str, element: str, line: str, call: str, function: Any, **more: Any) -> Row:
    """Each work-item computes `%r` from its own `%v`."""
    tensor = f"memref<{element}x{SIZE}x{ITEMS // SIZE}>"
    return Row(
        CHAPTER,
        form,
        element,
        {"a": tensor, "o": tensor, **dict.fromkeys(more, "i32")},
        parallel(lines(*PLACE, f"%v = load %a[%lx, %gx] : {element}", line, "store %r, %o[%lx, %gx]")),
        with_parallel(
            lines(
                "l, g = index(subgroup.local_id()), index(subgroup.id())",
                f"o[l, g] = {call.replace('VALUE', 'a[l, g]')}",
            )
        ),
        lambda data: {"o": function(wide(data["a"]))},
        line,
        given=more,
        **WORK_GROUP,
    )


def _broadcasts() -> Iterator[Row]:
    for element in ELEMENTS:
        yield _collected(
            "subgroup_broadcast",
            element,
            f"%r = subgroup_broadcast %v, %k : {element}",
            "subgroup.broadcast(VALUE, k)",
            lambda a: np.broadcast_to(a[5], a.shape),
            k=5,
        )


def _operations() -> Iterator[Row]:
    for operation, elements, ufunc in (
        ("add", ELEMENTS, np.add),
        ("max", REALS, np.maximum),
        ("min", REALS, np.minimum),
    ):
        for element in elements:
            for variant in ("exclusive_scan", "inclusive_scan", "reduce"):

                def function(
                    a: Any,
                    ufunc: Any = ufunc,
                    variant: str = variant,
                    operation: str = operation,
                    element: str = element,
                ) -> Any:
                    if variant == "reduce":
                        return np.broadcast_to(ufunc.reduce(a, axis=0), a.shape)
                    scan = ufunc.accumulate(a, axis=0)
                    return (
                        scan
                        if variant == "inclusive_scan"
                        else np.vstack([_identity(operation, element, a), scan[:-1]])
                    )

                yield _collected(
                    f"subgroup_{operation}.{variant}",
                    element,
                    f"%r = subgroup_{operation}.{variant} %v : {element}",
                    f"subgroup.{operation}.{variant}(VALUE)",
                    function,
                )


def _identity(operation: str, element: str, a: Any) -> Any:
    row = np.zeros_like(a[:1])
    if operation == "add" or element in COMPLEX:
        return row
    sign = -1 if operation == "max" else 1
    if a.dtype.kind == "f":
        return row + sign * np.inf
    from pytl.ir.types import SCALAR_TYPES

    bits = SCALAR_TYPES[element].bits
    return row + (2 ** (bits - 1) - 1 if sign > 0 else -(2 ** (bits - 1)))
