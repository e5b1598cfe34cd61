"""Which lines vector code asks for ahead: all of a matrix, by all sums together, and hardly more."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar
from unittest import mock

import pytest
from launch_kit import needs_sycl

from pytl.ir.types import f32

pytestmark = needs_sycl

LINE = 64


@dataclass(frozen=True)
class Address:
    """A pointer whose value is known."""

    byte: int
    type: ClassVar[Any] = SimpleNamespace(addrspace=1)


class Builder:
    """Computes the addresses that LLVM would."""

    def bitcast(self, pointer: Address, _: object) -> Address:
        return pointer

    def gep(self, pointer: Address, distances: list[Any]) -> Address:
        return Address(pointer.byte + distances[0].constant)


def asked(shapes_and_strides: list[tuple[Any, Any]], m: int, n: int, k: int, unroll: int = 1) -> list[list[int]]:
    """The lines that a kernel asks for, by their first bytes, of each matrix; matrix i begins at i 2^20."""
    from pytl.backends.numba_dpex.vector import ahead
    from pytl.backends.numba_dpex.vector.context import Context, Tensor
    from pytl.backends.numba_dpex.vector.lanes import Lanes
    from pytl.backends.numba_dpex.vector.rows import RowTile, Shape, Vector, split

    context = Context(Builder())  # type: ignore[arg-type]
    shape = Shape(16, 2, 4, unroll)
    tensors = [
        Tensor(Address(i << 20), f32, size, strides)  # type: ignore[arg-type]
        for i, (size, strides) in enumerate(shapes_and_strides)
    ]
    ops = [SimpleNamespace(C=SimpleNamespace(type=SimpleNamespace(shape=(m, n))))]
    found: list[list[int]] = [[] for _ in tensors]

    def record(_: object, address: Address, level: object) -> None:
        found[address.byte >> 20].append(address.byte & (1 << 20) - 1)

    with mock.patch.object(ahead, "ask_for", record):
        kernel = ahead.Ahead.of(context, shape, [[ops]], tensors)  # type: ignore[list-item]
        column = 0
        for count in split(n, shape.columns):
            row = 0
            for vectors in split(-(-m // 16), shape.vectors):
                tile = RowTile(row, tuple(Vector(16 * v, Lanes(16)) for v in range(vectors)))
                in_round = kernel.share(ops, tile, column, count).begin(k // unroll, count * vectors)  # type: ignore[arg-type]
                for round_ in range(k // unroll):
                    in_round(round_)
                row += 16 * vectors
            column += count
    return found


SIZES = [(64, 64, 64), (32, 32, 32), (35, 9, 35), (56, 9, 9), (5, 5, 5), (100, 31, 7), (16, 1, 48), (17, 40, 2)]


@pytest.mark.parametrize("m, n, k", SIZES)
@pytest.mark.parametrize("unroll", [1, 4])
def test_contiguous_matrices(m, n, k, unroll):
    shapes = [((m, k), (1, m)), ((m, n), (1, m))]
    for lines, (shape, _) in zip(asked(shapes, m, n, k, min(unroll, k)), shapes):
        size = 4 * shape[0] * shape[1]
        assert set(range(0, size, LINE)) <= set(lines)
        # sums and rounds share a number of lines that they don't divide
        assert max(lines) < 2 * size + 40 * LINE
        assert len(lines) <= 4 * size / LINE + 4 * k


@pytest.mark.parametrize("m, n, k", SIZES)
def test_columns_that_lie_apart(m, n, k):
    (lines,) = asked([((m, k), (1, m + 100))], m, n, k)
    columns = {4 * column * (m + 100) for column in range(k)}
    wanted = {begin + line for begin in columns for line in range(0, 4 * m, LINE)}
    assert wanted <= set(lines)


def test_rows_that_lie_apart():
    (lines,) = asked([((9, 5), (200, 4000))], 32, 32, 32)
    # of three modes or of rows apart, what lies behind the first that leaves a gap
    assert {4 * 200 * row for row in range(9)} <= set(lines)


def test_a_short_share_is_asked_for_before_the_loop():
    # 24 lines, and 12 sums: two each, once and not in each round
    (found,) = asked([((48, 8), (1, 48))], 64, 24, 64)
    assert sorted(found) == [LINE * line for line in range(24)]


def test_nothing_is_asked_for_where_the_number_of_sums_is_not_known():
    from pytl.backends.numba_dpex.vector.ahead import Ahead
    from pytl.backends.numba_dpex.vector.context import Context, Tensor
    from pytl.backends.numba_dpex.vector.rows import Shape

    ops = [SimpleNamespace(C=SimpleNamespace(type=SimpleNamespace(shape=(4, "?"))))]
    tensor = Tensor(Address(0), f32, (4, 4), (1, 4))  # type: ignore[arg-type]
    kernel = Ahead.of(Context(Builder()), Shape(4, 1, 4, 1), [[ops]], [tensor])  # type: ignore[list-item, arg-type]
    assert kernel.matrices == []
