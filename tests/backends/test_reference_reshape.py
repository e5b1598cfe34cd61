"""Expanded and fused views on the reference backend, against NumPy's own reshaping."""

from __future__ import annotations

import numpy as np
import pytest
from reference_kit import dense, dims, failure, run


def copy_text(source: str, reshaped: str, order: int, parameters: str = "") -> str:
    """A function that copies a view of %a to %r, element by element, and the view's sizes to %s."""
    names = ", ".join(f"%i{k}" for k in range(order))
    sizes = "\n".join(
        f"%n{k} = size %v[{k}] : index %k{k} = constant {k} : index store %n{k}, %s[%k{k}]" for k in range(order)
    )
    zeros, ends = ", ".join("%zero" for _ in range(order)), ", ".join(f"%n{k}" for k in range(order))
    return f"""
func @f(%a: {source}, %r: memref<f32{dims(*"?" * order)}>, %s: memref<indexx{order}>{parameters}) {{
  %v = {reshaped}
  %zero = constant 0 : index
  {sizes}
  foreach ({names}) = ({zeros}), ({ends}) {{
    %x = load %v[{names}] : f32
    store %x, %r[{names}]
  }}
}}"""


def numbered(*shape: int) -> np.ndarray:
    return dense(np.arange(np.prod(shape)).reshape(shape))


def copied(text: str, a: np.ndarray, shape: tuple[int, ...], *sizes: int) -> np.ndarray:
    """What the text copies, once its sizes are seen to be the shape."""
    out, found = np.full(shape, -1, np.float32, order="F"), np.zeros(len(shape), np.int64)
    run(text, a, out, found, *sizes)
    assert found.tolist() == list(shape)
    return out


@pytest.mark.parametrize(
    ("source", "instruction", "shape", "result"),
    [
        ("x6", "expand %a[0 -> 2 x 3] : memref<f32x2x3>", (6,), (2, 3)),
        ("x6", "expand %a[0 -> 3x1x2] : memref<f32x3x1x2>", (6,), (3, 1, 2)),
        ("x4x16x3", "expand %a[1 -> 2 x 8] : memref<f32x4x2x8x3>", (4, 16, 3), (4, 2, 8, 3)),
        ("x4x16x3", "expand %a[1->2x2x2x2] : memref<f32x4x2x2x2x2x3>", (4, 16, 3), (4, 2, 2, 2, 2, 3)),
        ("x4x?", "expand %a[1 -> %p x 2] : memref<f32x4x?x2>", (4, 10), (4, 5, 2)),
        ("x4x?", "expand %a[1 -> 2 x %p] : memref<f32x4x2x?>", (4, 10), (4, 2, 5)),
        ("x4x10", "expand %a[1 -> %p x 2] : memref<f32x4x?x2>", (4, 10), (4, 5, 2)),
        ("x4x30", "expand %a[1 -> %p x %q x 2] : memref<f32x4x?x?x2>", (4, 30), (4, 5, 3, 2)),
        ("x?x7", "expand %a[0 -> %q x 2 x %p] : memref<f32x?x2x?x7,strided<1,?,?,?>>", (30, 7), (3, 2, 5, 7)),
        ("x4x6x5", "fuse %a[0, 1] : memref<f32x24x5>", (4, 6, 5), (24, 5)),
        ("x4x6x5", "fuse %a[1, 2] : memref<f32x4x30>", (4, 6, 5), (4, 30)),
        ("x4x6x5", "fuse %a[0, 2] : memref<f32x120,strided<?>>", (4, 6, 5), (120,)),
        ("x2x4x?x3", "fuse %a[1, 2] : memref<f32x2x?x3,strided<1,2,?>>", (2, 4, 6, 3), (2, 24, 3)),
        ("x?x?", "fuse %a[0, 1] : memref<f32x?>", (4, 6), (24,)),
    ],
)
def test_views_in_column_major_order(source: str, instruction: str, shape: tuple, result: tuple) -> None:
    a = numbered(*shape)
    text = copy_text(f"memref<f32{source}>", instruction, len(result), ", %p: index, %q: index")
    np.testing.assert_array_equal(copied(text, a, result, 5, 3), a.reshape(result, order="F"))


@pytest.mark.parametrize("strides", ["2,10", "?,?"])
def test_expanded_mode_of_a_strided_tensor(strides: str) -> None:
    source, inner = f"memref<f32x3x6,strided<{strides}>>", strides.split(",")
    wanted = ",".join([inner[0], inner[1], "30" if inner[1] == "10" else "?"])
    big = numbered(10, 6)
    part = big[1:7:2]
    text = copy_text(source, f"expand %a[1 -> 3 x 2] : memref<f32x3x3x2,strided<{wanted}>>", 3)
    np.testing.assert_array_equal(copied(text, part, (3, 3, 2)), part.reshape((3, 3, 2), order="F"))


def test_fused_modes_of_a_strided_tensor() -> None:
    # modes 1 and 2 are contiguous in memory, mode 0 is followed by a gap
    big = numbered(8, 12)
    part = np.lib.stride_tricks.as_strided(big, (5, 4, 3), (4, 32, 128))
    for strides, fused in (("1,8,32", "1,8"), ("?,?,?", "?,?"), ("1,8,32", "?,?")):
        source = f"memref<f32x5x4x3,strided<{strides}>>"
        text = copy_text(source, f"fuse %a[1, 2] : memref<f32x5x12,strided<{fused}>>", 2)
        np.testing.assert_array_equal(copied(text, part, (5, 12)), big[:5])


def test_what_is_written_to_a_view_is_in_the_tensor() -> None:
    text = """
    func @f(%a: memref<f32x4x6>, %b: memref<f32x8>) {
      %one = constant 1.0 : f32
      %i = constant 2 : index
      %e = expand %a[1 -> 2 x 3] : memref<f32x4x2x3>
      %s = subview %e[0:4, 0:2, %i] : memref<f32x4x2>
      %v = fuse %s[0, 1] : memref<f32x8>
      axpby.n %one, %b, %one, %v
    }"""
    a, b = numbered(4, 6), np.arange(100, 108, dtype=np.float32)
    expected = a.copy()
    expected[:, 4:6] += b.reshape(4, 2, order="F")
    run(text, a, b)
    np.testing.assert_array_equal(a, expected)


def test_views_of_local_memory_keep_what_was_written() -> None:
    text = """
    func @f(%r: memref<f32x3x4>) {
      %t = alloca : memref<f32x12,local>
      %one = constant 1.0 : f32
      %zero = constant 0.0 : f32
      %m = expand %t[0 -> 3 x 4] : memref<f32x3x4,local>
      axpby.n %one, %r, %zero, %m
      %back = fuse %m[0, 1] : memref<f32x12,local>
      %flat = fuse %r[0, 1] : memref<f32x12>
      axpby.n %one, %back, %one, %flat
    }"""
    r = numbered(3, 4)
    run(text, r)
    np.testing.assert_array_equal(r, 2 * numbered(3, 4))


def test_views_that_differ_between_lanes() -> None:
    # item i of the group has i + 2 columns; each lane looks at another element of the fused or expanded view
    text = """
    func @f(%g: group<memref<f32x4x?>x?>, %r: memref<f32x?x3>) {
      %zero = constant 0 : index
      %one = constant 1 : index
      %two = constant 2 : index
      %n = size %g[0] : index
      foreach (%i) = (%zero), (%n) {
        %m = load %g[%i] : memref<f32x4x?>
        %flat = fuse %m[0, 1] : memref<f32x?>
        %columns = arith.add %i, %two : index
        %three = expand %flat[0 -> 2 x %two x %columns] : memref<f32x2x?x?,strided<1,2,?>>
        %count = size %flat[0] : index
        %f = cast %count : f32
        store %f, %r[%i, %zero]
        %last = arith.sub %count, %one : index
        %x = load %flat[%last] : f32
        store %x, %r[%i, %one]
        %y = load %three[%one, %zero, %i] : f32
        store %y, %r[%i, %two]
      }
    }"""
    items = [numbered(4, n + 2) + 100 * n for n in range(5)]
    out = np.zeros((5, 3), np.float32, order="F")
    run(text, items, out)
    flat = [item.reshape(-1, order="F") for item in items]
    expected = [[x.size, x[-1], x.reshape(2, 2, n + 2, order="F")[1, 0, n]] for n, x in enumerate(flat)]
    np.testing.assert_array_equal(out, expected)


# Undefined behaviour.


@pytest.mark.parametrize(
    ("p", "q", "code", "message"),
    [
        (0, 3, "PYTL-4016", "the size 0 in the expand shape of mode 1 is not positive"),
        (5, -3, "PYTL-4016", "the size -3 in the expand shape of mode 1 is not positive"),
        (5, 4, "PYTL-4017", "5 x 4 x 2 is 40, but mode 1 has size 30"),
        (1, 1, "PYTL-4017", "1 x 1 x 2 is 2, but mode 1 has size 30"),
        (2**62, 2**62, "PYTL-4017", f"{2**62} x {2**62} x 2 is {2**125}, but mode 1 has size 30"),
    ],
)
def test_expand_shape_that_does_not_fit(p: int, q: int, code: str, message: str) -> None:
    text = copy_text(
        "memref<f32x4x30>", "expand %a[1 -> %p x %q x 2] : memref<f32x4x?x?x2>", 4, ", %p: index, %q: index"
    )
    given = (numbered(4, 30), np.zeros((4, 5, 3, 2), "f4", order="F"), np.zeros(4, np.int64), p, q)
    assert failure(text, *given, code=code, line=3) == f"expand: {message} (work-group 0)"


def test_product_that_wraps_around_to_the_size_is_no_match() -> None:
    text = copy_text("memref<f32x?>", "expand %a[0 -> %p x %q] : memref<f32x?x?>", 2, ", %p: index, %q: index")
    p, q = 3, (2**64 + 8) // 3
    given = (numbered(8), np.zeros((3, 3), "f4", order="F"), np.zeros(2, np.int64), p, q)
    message = failure(text, *given, code="PYTL-4017", line=3)
    assert message == f"expand: {p} x {q} is {2**64 + 8}, but mode 0 has size 8 (work-group 0)"


def test_expand_shape_that_does_not_fit_in_some_lanes() -> None:
    text = """
func @f(%a: memref<f32x12>, %r: memref<f32x?>) {
  %zero = constant 0 : index
  %one = constant 1 : index
  %n = size %r[0] : index
  foreach (%i) = (%zero), (%n) {
    %p = arith.add %i, %one : index
    %v = expand %a[0 -> %p x 2] : memref<f32x?x2,strided<1,?>>
  }
}"""
    message = failure(text, numbered(12), np.zeros(7, np.float32), code="PYTL-4017", line=8)
    assert message == "expand: 1 x 2 is 2, but mode 0 has size 12 (work-group 0, iteration (0))"


def test_fused_modes_that_do_not_lie_behind_one_another() -> None:
    text = copy_text("memref<f32x?x?x?,strided<1,?,?>>", "fuse %a[0, 2] : memref<f32x?>", 1)
    given = (numbered(8, 16, 2)[:6], np.zeros(192, np.float32), np.zeros(1, np.int64))
    message = failure(text, *given, code="PYTL-4018", line=3)
    assert message == "fuse: the stride of mode 1 is 8, but mode 0 ends after 6 elements (work-group 0)"
    given = (numbered(8, 16, 2)[:, :8], np.zeros(192, np.float32), np.zeros(1, np.int64))
    message = failure(text, *given, code="PYTL-4018", line=3)
    assert message == "fuse: the stride of mode 2 is 128, but mode 1 ends after 64 elements (work-group 0)"


def test_nothing_is_checked_without_the_checks() -> None:
    text = """
    func @f(%a: memref<f32x?x?,strided<1,?>>, %r: memref<indexx3>, %p: index) {
      %v = fuse %a[0, 1] : memref<f32x?>
      %w = expand %v[0 -> 2 x %p] : memref<f32x2x?>
      %zero = constant 0 : index
      %one = constant 1 : index
      %two = constant 2 : index
      %n = size %v[0] : index
      %m = size %w[0] : index
      %k = size %w[1] : index
      store %n, %r[%zero]
      store %m, %r[%one]
      store %k, %r[%two]
    }"""
    r = np.zeros(3, np.int64)
    run(text, numbered(8, 16)[:6], r, 5, checks=False)
    assert r.tolist() == [96, 2, 5]
