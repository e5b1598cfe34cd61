"""Derivatives of SeisSol at orders 5 and 6: what is computed at once goes through memory once.

Each level adds three products to a derivative, and the derivative to the integral. Vector code stores a derivative of
many rows once and does not load it, and loads and stores its part of the integral once.
"""

from __future__ import annotations

from collections import Counter

import pytest
from passes_kit import sycl_passes

import pytl
from pytl import Group, Memref, alloca, axpby, expand, f32, f64, gemm, group_id
from pytl.ir.values import Region, Value
from pytl.ops import For, Load, Store
from pytl.ops.constants import constant_of
from pytl.ops.views import root_of
from pytl.passes import Pipeline
from pytl.passes.targets import cpu, vector

P = 9


def basis(order: int) -> int:
    return order * (order + 1) * (order + 2) // 6


def derivatives(order: int, element: type) -> str:
    rows = [basis(order - level) for level in range(order)]
    begin = [P * sum(rows[1:level]) for level in range(order)]
    after = P * sum(rows[1:])

    @pytl.kernel
    def kernel(
        K0: Memref[element, rows[1], rows[0]],
        K1: Memref[element, rows[1], rows[0]],
        K2: Memref[element, rows[1], rows[0]],
        A0: Group[element, P, P],
        A1: Group[element, P, P],
        A2: Group[element, P, P],
        Q: Group[element, rows[0], P],
        dQ: Group[element, after],
        I: Group[element, rows[0], P],  # noqa: E741
    ):
        e = group_id()
        memory, before = dQ[e], Q[e]
        for level in tuple(range(1, order)):
            now = expand(memory[begin[level] : begin[level] + P * rows[level]], 0, (rows[level], P))
            for K, A, beta in ((K0, A0, 0.0), (K1, A1, 1.0), (K2, A2, 1.0)):
                t = alloca(element, rows[level], P, align=64)
                gemm(1.0, K[0 : rows[level], 0 : rows[level - 1]], before, 0.0, t)
                gemm(1.0, t, A[e], beta, now)
            axpby(0.5, now, 1.0, I[e][0 : rows[level], :])
            before = now

    return str(kernel)


def moved(region: Region, times: int = 1) -> Counter[tuple[str, Value]]:
    """The elements of each view that vector code loads and stores, by view and by what is done.

    Memory of lanes that a mask leaves out is neither read nor written.
    """
    found: Counter[tuple[str, Value]] = Counter()
    for op in region.operations:
        if isinstance(op, For):
            bounds = [constant_of(value) for value in (op.start, op.stop)]
            step = 1 if op.step is None else constant_of(op.step)
            found += moved(op.body, times * -(-(bounds[1] - bounds[0]) // step))
            continue
        if isinstance(op, (Load, vector.Load)) and not (isinstance(op, Load) and op.is_item):
            found["load", op.tensor] += times * _lanes(op)
        elif isinstance(op, (Store, vector.Store)):
            found["store", op.tensor] += times * _lanes(op)
        for inner in op.regions:
            found += moved(inner, times)
    return found


@pytest.mark.parametrize(("order", "element"), [(5, f32), (6, f64), (5, f64), (6, f32)])
def test_derivatives_of_many_rows_go_through_memory_once(order: int, element: type) -> None:
    text = derivatives(order, element)
    passes = sycl_passes(processor="zen4", items=4, interleave=1, prefetch=0, **{"launch.apart": True})
    function = Pipeline(passes).run(pytl.parse(text)).functions[0]
    (items,) = (op for op in function.body.operations if isinstance(op, cpu.Items))
    parameters = {value.name: value for value in function.parameters}
    codes = [op for op in items.body.operations if isinstance(op, vector.Code)]
    totals = [moved(op.body) for op in codes]
    large = [basis(order - level) for level in (1, 2)]
    if element is f32:
        large = [rows for rows in large if rows > 10]
    for rows in large:
        most = 1.15 * rows * P  # the last vectors of a tile have some rows of the one before
        found = [total for total in totals if any(_rows_of(view) == rows for _, view in total)]
        derivative = sum(_moved(total, "store", parameters["dQ"], rows) for total in found)
        assert rows * P <= derivative <= most
        # what follows reads it as a right factor, in code that stores nothing of it
        writing = [total for total in found if _moved(total, "store", parameters["dQ"], rows)]
        assert len(writing) == 1 and not _moved(writing[0], "load", parameters["dQ"], rows)
        for what in ("load", "store"):
            assert rows * P <= sum(_moved(total, what, parameters["I"], rows) for total in totals) <= most


def _lanes(op: Load | Store | vector.Load | vector.Store) -> int:
    """How many elements are accessed: so many lanes as are active."""
    if isinstance(op, (Load, Store)):
        return 1
    return op.vector.type.lanes if op.mask is None else constant_of(op.mask.owner.count)


def _rows_of(view: Value) -> int:
    return int(view.type.shape[0])


def _moved(total: Counter[tuple[str, Value]], what: str, parameter: Value, rows: int) -> int:
    """The elements of views of so many rows on a parameter."""
    of_views = [
        n for (kind, view), n in total.items() if kind == what and root_of(view) is parameter and _rows_of(view) == rows
    ]
    return sum(of_views)
