"""Which cache lines the products of a kernel prefetch: all of a matrix, by all sums together, and hardly more."""

from __future__ import annotations

import numpy as np
import pytest
from launch_kit import needs_sycl

from pytl.passes.targets.partition import RegisterTiles

pytestmark = [needs_sycl, pytest.mark.at_most(4)]

LINE = 64
FIRST_LEVEL, SECOND_LEVEL = 3, 2
"""As LLVM names them."""
Matrix = tuple[str, tuple[int, ...], tuple[int, ...]]
"""A type, with its shape and strides."""


def lines_of(m: int, n: int, k: int, later: Matrix, unroll: int = 1) -> list[tuple[int, int]]:
    """The lines that a product of m x k by k x n prefetches of another matrix: distances from its first byte, and the
    level of the cache."""
    from vector_kit import internal, prefetched, scheduled

    function = scheduled(
        internal(f"""func @f(
    %a: memref<f32x{m}x{k}>, %b: memref<f32x{k}x{n}>, %c: memref<f32x{m}x{n}>, %d: {later[0]}
) {{
  %one = constant 1.0 : f32
  cpu.kernel {{"accumulate"=[1], "lanes"=16, "vectors"=2, "columns"=4, unroll={unroll}}} {{
    gemm.n.n %one, %a, %b, %one, %c
    cpu.prefetch %d
  }}
}}""")
    )
    last = sum((extent - 1) * stride for extent, stride in zip(*later[1:]))
    arrays = [np.zeros(size, np.float32) for size in (m * k, k * n, m * n, last + 1)]
    return [(address - arrays[3].ctypes.data, level) for address, level in prefetched(function, arrays)]


def dense(*shape: int) -> Matrix:
    strides = tuple(int(np.prod(shape[:mode])) for mode in range(len(shape)))
    return f"memref<f32x{'x'.join(map(str, shape))}>", shape, strides


def strided(shape: tuple[int, ...], strides: tuple[int, ...]) -> Matrix:
    return f"memref<f32x{'x'.join(map(str, shape))},strided<{','.join(map(str, strides))}>>", shape, strides


SIZES = [(64, 64, 64), (32, 32, 32), (35, 9, 35), (56, 9, 9), (5, 5, 5), (100, 31, 7), (16, 1, 48), (17, 40, 2)]


@pytest.mark.at_most(2)
@pytest.mark.parametrize("m, n, k", SIZES)
@pytest.mark.parametrize("unroll", [1, 4])
def test_contiguous_matrices(m, n, k, unroll):
    found = lines_of(m, n, k, dense(m, k), min(unroll, k))
    size, lines = 4 * m * k, [line for line, _ in found]
    assert set(range(0, size, LINE)) <= set(lines)
    # sums and iterations share a number of lines that they don't divide
    assert min(lines) == 0 and max(lines) < 2 * size + 40 * LINE
    assert len(lines) <= 4 * size / LINE + 4 * k


@pytest.mark.parametrize("m, n, k", SIZES)
def test_columns_that_lie_apart(m, n, k):
    found = lines_of(m, n, k, strided((m, k), (1, m + 100)))
    wanted = {4 * column * (m + 100) + line for column in range(k) for line in range(0, 4 * m, LINE)}
    assert wanted <= {line for line, _ in found}


def test_rows_that_lie_apart():
    found = lines_of(32, 32, 32, strided((9, 5), (200, 4000)))
    # of rows apart, what lies behind the first mode that leaves a gap
    assert {4 * 200 * row for row in range(9)} <= {line for line, _ in found}


def test_a_short_share_is_prefetched_before_the_loop():
    # 24 lines, and 12 sums: two each, once and not in each iteration
    found = lines_of(64, 24, 64, dense(48, 8))
    assert sorted(line for line, _ in found) == [LINE * line for line in range(24)]


def test_a_number_is_in_one_line():
    assert {line for line, _ in lines_of(32, 32, 32, ("memref<f32>", (), ()))} == {0}


def test_much_goes_to_the_second_level():
    little = lines_of(32, 32, 32, dense(64, 64))
    assert {level for _, level in little} == {FIRST_LEVEL}
    much = lines_of(32, 32, 32, dense(64, 65))
    assert {level for _, level in much} == {SECOND_LEVEL}


def test_nothing_is_prefetched_where_the_number_of_sums_is_unknown():
    from vector_kit import internal, llvm_of, scheduled, vector_kernels

    text = """func @f(%a: memref<f32x8x8>, %b: memref<f32x8x?>, %c: memref<f32x8x?>) {
  %one = constant 1.0 : f32
  cpu.kernel {"accumulate"=[1], "lanes"=8, "vectors"=1, "columns"=4, unroll=1} {
    gemm.n.n %one, %a, %b, %one, %c
    cpu.prefetch %a
  }
}"""
    assert "prefetch" not in llvm_of(vector_kernels(scheduled(internal(text))))
    assert "prefetch" in llvm_of(vector_kernels(scheduled(internal(text.replace("8x?", "8x8")))))


@pytest.mark.parametrize(
    "points, others, onwards", [(16, 1, False), (16, 3, True), (40, 1, True), (27, 2, True)], ids=str
)
def test_vectors_of_points_prefetch_what_the_next_ones_read(points, others, onwards):
    from vector_kit import internal, prefetched, scheduled

    how = '{"onwards"=true}' if onwards else ""
    function = scheduled(
        internal(f"""func @f(%x: memref<f32x32x{points}x{others}>, %s: memref<f32x{points}x{others}>) {{
  %none = constant 0 : index
  %end = constant 32 : index
  %points = constant {points} : index
  %others = constant {others} : index
  %zero = constant 0.0 : f32
  cpu.kernel {{"lanes"=16, "turned"=true}} {{
    foreach (%t, %v) = (%none, %none), (%points, %others) {{
      %r = for %i = %none, %end init(%c=%zero) -> (f32) {{
        %e = load %x[%i, %t, %v] : f32
        %u = arith.add %c, %e : f32
        yield (%u)
      }}
      store %r, %s[%t, %v]
    }}
    cpu.prefetch %x {how}
  }}
}}""")
    )
    arrays = [np.zeros(32 * points * others, np.float32), np.zeros(points * others, np.float32)]
    lines = [(address - arrays[0].ctypes.data) // LINE for address, _ in prefetched(function, arrays)]
    count, vectors = 2 * points * others, -(-points // 16) * others
    share = -(-count // vectors)
    assert sorted({*lines}) == list(range(min(lines), max(lines) + 1))
    assert min(lines) == (share if onwards else 0)
    assert max(lines) + 1 >= count and len(lines) <= vectors * (share + 1)


@pytest.mark.parametrize("m, n, k", [(96, 4, 40), (96, 13, 40), (100, 9, 41), (64, 20, 7), (40, 3, 2)])
@pytest.mark.parametrize("unroll", [1, 2])
@pytest.mark.parametrize("apart", [0, 3])
@pytest.mark.parametrize("then", [False, True])
def test_tiles_prefetch_the_rows_of_the_next_one(m, n, k, unroll, apart, then):
    """All columns, by all tiles beside each other, and hardly more; behind the last tile those of what is next."""
    from vector_kit import internal, prefetched, scheduled

    distance = m + apart
    left = f"memref<f32x{m}x{k}" + (f",strided<1,{distance}>>" if apart else ">")
    function = scheduled(
        internal(f"""func @f(%a: {left}, %b: memref<f32x{k}x{n}>, %c: memref<f32x{m}x{n}>, %d: {left}) {{
  %one = constant 1.0 : f32
  cpu.kernel {{"accumulate"=[1], "lanes"=16, "vectors"=2, "columns"=4, unroll={unroll}}} {{
    gemm.n.n %one, %a, %b, %one, %c
    cpu.prefetch %a {"then %d" if then else ""} {{"onwards"=true}}
  }}
}}""")
    )
    memory = np.zeros(2 * distance * k, np.float32)
    arrays = [memory[: distance * k], np.zeros(k * n, np.float32), np.zeros(m * n, np.float32), memory[distance * k :]]
    found = prefetched(function, arrays)
    assert {level for _, level in found} == {SECOND_LEVEL}
    places = [(address - memory.ctypes.data) // 4 for address, _ in found]
    heights = [16 * vectors for vectors in RegisterTiles.of(m, n, 16, 2, 4).heights]
    begins = [*np.cumsum(heights)[:-1], *[distance * k] * then]
    wanted = {
        column * distance + at
        for begin, rows in zip(begins, [*heights[:-1], heights[0]])
        for column in range(k)
        for at in {*range(begin, begin + rows, 16), *([begin + rows - 1] if distance % 16 else [])}
    }
    assert wanted <= {*places}
    blocks = -(-n // 4)
    # of each block the share, of which one column more may be in each iteration
    assert len(places) <= len(wanted) * (1 + blocks * (1 / unroll + 1 / k))
