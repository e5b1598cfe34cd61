"""Loads, stores, views and groups on the reference backend."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from reference_kit import DTYPES, dense, run

from pytl.backends.reference import GroupView, MemrefView, dtype_of, execute
from pytl.ir.types import SCALAR_TYPES, bool_


def test_storage_types() -> None:
    assert {name: dtype_of(type_) for name, type_ in SCALAR_TYPES.items()} == DTYPES
    assert dtype_of(SCALAR_TYPES["bf16"]) == ml_dtypes.bfloat16
    assert dtype_of(bool_) == np.bool_


def copy_text(source: str, view: str, target: str, order: int, setup: str = "") -> str:
    """A function that copies a view of `%a` to `%r`, element by element."""
    names = [f"%i{n}" for n in range(order)]
    listed = ", ".join(names)
    sizes = "\n".join(f"%n{n} = size %r[{n}] : index" for n in range(order))
    loop = f"""
      %zero = constant 0 : index
      foreach ({listed}) = ({", ".join("%zero" for _ in names)}), ({", ".join(f"%n{n}" for n in range(order))}) {{
        %v = load %v0[{listed}] : f32
        store %v, %r[{listed}]
      }}"""
    single = "%v = load %v0[] : f32 store %v, %r[]"
    return f"""
    func @f(%a: {source}, %r: {target}, %p: index, %q: index) {{
      {setup}
      %v0 = subview {view}
      {sizes}
      {loop if order else single}
    }}"""


@pytest.mark.parametrize(
    ("source", "view", "target", "picked"),
    [
        (
            "memref<f32x6x7>",
            "%a[1:4, 2:3] : memref<f32x4x3,strided<1,6>>",
            "memref<f32x4x3>",
            np.s_[1:5, 2:5],
        ),
        ("memref<f32x6x7>", "%a[1:4, 2] : memref<f32x4>", "memref<f32x4>", np.s_[1:5, 2]),
        ("memref<f32x6x7>", "%a[3, :] : memref<f32x7,strided<6>>", "memref<f32x7>", np.s_[3, :]),
        ("memref<f32x6x7>", "%a[3:0, 1:0] : memref<f32>", "memref<f32>", np.s_[3, 1]),
        (
            "memref<f32x6x7>",
            "%a[1:4, 2:1] : memref<f32x4x1,strided<1,6>>",
            "memref<f32x4x1>",
            np.s_[1:5, 2:3],
        ),
        ("memref<f32x6x7>", "%a[%p:4, %q] : memref<f32x4>", "memref<f32x4>", np.s_[2:6, 3]),
        (
            "memref<f32x6x7>",
            "%a[%p:%q, %p:2] : memref<f32x?x2,strided<1,?>>",
            "memref<f32x?x2>",
            np.s_[2:5, 2:4],
        ),
        ("memref<f32x?x?>", "%a[:, %q:%p] : memref<f32x?x?,strided<1,?>>", "memref<f32x?x?>", np.s_[:, 3:5]),
        (
            "memref<f32x?x?,strided<?,?>>",
            "%a[:, 1] : memref<f32x?,strided<?>>",
            "memref<f32x?>",
            np.s_[:, 1],
        ),
    ],
)
def test_subviews(source: str, view: str, target: str, picked: tuple) -> None:
    a = dense(np.arange(42).reshape(6, 7))
    expected = a[picked]
    out = np.zeros(expected.shape, np.float32, order="F")
    run(copy_text(source, view, target, expected.ndim), a, out, 2, 3)
    np.testing.assert_array_equal(out, expected)


def test_subview_of_a_subview_keeps_strides() -> None:
    text = copy_text(
        "memref<f32x6x7>",
        "%w[1:2, %p] : memref<f32x2>",
        "memref<f32x2>",
        1,
        "%w = subview %a[2:4, 1:5] : memref<f32x4x5,strided<1,6>>",
    )
    a, out = dense(np.arange(42).reshape(6, 7)), np.zeros(2, np.float32)
    run(text, a, out, 2, 3)
    np.testing.assert_array_equal(out, a[2:6, 1:6][1:3, 2])


@pytest.mark.parametrize(
    ("type_", "array"),
    [
        ("memref<f32x4x3,strided<2,10>>", lambda big: big[0:8:2, 0:3]),
        ("memref<f32x4x?,strided<1,?>>", lambda big: big[2:6, 1::2]),
        ("memref<f32x?x?,strided<?,?>>", lambda big: big[1::3, ::2]),
    ],
)
def test_strided_arguments_are_not_copied(type_: str, array) -> None:
    big = np.zeros((10, 5), np.float32, order="F")
    part = array(big)
    text = f"""
    func @f(%a: {type_}) {{
      %m = size %a[0] : index
      %n = size %a[1] : index
      %n0 = constant 0 : index
      foreach (%i, %j) = (%n0, %n0), (%m, %n) {{
        %k = arith.mul %i, %n : index
        %l = arith.add %k, %j : index
        %o = arith.add %l, %n : index
        %v = cast %o : f32
        store %v, %a[%i, %j]
      }}
    }}"""
    expected = np.arange(part.size).reshape(part.shape) + part.shape[1]
    run(text, part)
    np.testing.assert_array_equal(part, expected)
    assert np.count_nonzero(big) == part.size


def test_views_that_differ_between_lanes() -> None:
    text = """
    func @f(%a: memref<f32x6x7>, %r: memref<f32x6>, %c: memref<indexx6>) {
      %n0 = constant 0 : index %n6 = constant 6 : index
      foreach (%i) = (%n0), (%n6) {
        %n = constant 6 : index
        %size = arith.sub %n, %i : index
        %v = subview %a[%i:%size, %i:2] : memref<f32x?x2,strided<1,6>>
        %s = size %v[0] : index
        %one = constant 1 : index
        %last = arith.sub %s, %one : index
        %x = load %v[%last, %one] : f32
        store %x, %r[%i]
        store %s, %c[%i]
      }
    }"""
    a = dense(np.arange(42).reshape(6, 7))
    out, sizes = np.zeros(6, np.float32), np.zeros(6, np.int64)
    run(text, a, out, sizes)
    np.testing.assert_array_equal(out, [a[5, i + 1] for i in range(6)])
    assert sizes.tolist() == [6, 5, 4, 3, 2, 1]


def test_sizes() -> None:
    text = """
    func @f(%a: memref<f32x?x3x?>, %g: group<memref<f32x2>x?>, %r: memref<indexx4>) {
      %0 = size %a[0] : index
      %1 = size %a[1] : index
      %2 = size %a[2] : index
      %3 = size %g[0] : index
      store %0, %r[0]
      store %1, %r[1]
      store %2, %r[2]
      store %3, %r[3]
    }"""
    out = np.zeros(4, np.int64)
    run(text, np.zeros((5, 3, 0), np.float32, order="F"), [np.zeros(2, np.float32)] * 6, out)
    assert out.tolist() == [5, 3, 0, 6]


@pytest.mark.parametrize("type_", DTYPES)
def test_every_element_type_is_loaded_and_stored(type_: str) -> None:
    text = f"""
    func @f(%a: memref<{type_}x3x2>, %r: memref<{type_}x3x2>) {{
      %t = alloca : memref<{type_}x3x2,strided<2,7>>
      %n0 = constant 0 : index %n3 = constant 3 : index %n2 = constant 2 : index
      foreach (%i, %j) = (%n0, %n0), (%n3, %n2) {{
        %v = load %a[%i, %j] : {type_}
        store.atomic %v, %t[%i, %j]
      }}
      foreach (%i, %j) = (%n0, %n0), (%n3, %n2) {{
        %v = load %t[%i, %j] : {type_}
        store %v, %r[%i, %j]
      }}
    }}"""
    a = dense([[1, -2], [3, 4], [5, -6]], type_)
    out = np.zeros_like(a)
    run(text, a, out)
    np.testing.assert_array_equal(out, a)


# Groups.


def test_group_of_separate_arrays() -> None:
    text = """
    func @f(%a: group<memref<f32x2x2>x?>, %r: memref<f32x?>) {
      %g = group_id : index
      %m = load %a[%g] : memref<f32x2x2>
      %v = load %m[1, 0] : f32
      store %v, %r[%g]
    }"""
    arrays = [dense([[k, 0], [10 * k, 0]]) for k in range(4)]
    out = np.zeros(4, np.float32)
    run(text, arrays, out, groups=4)
    assert out.tolist() == [0, 10, 20, 30]


@pytest.mark.parametrize(("written", "passed"), [("3", 0), ("?", 3), ("0", 7)])
def test_group_offset(written: str, passed: int) -> None:
    text = f"""
    func @f(%a: group<memref<f32x2>x?, offset: {written}>, %r: memref<f32x?x2>) {{
      %g = group_id : index
      %m = load %a[%g] : memref<f32x2>
      %n0 = constant 0 : index %n2 = constant 2 : index
      foreach (%i) = (%n0), (%n2) {{
        %v = load %m[%i] : f32
        store %v, %r[%g, %i]
      }}
    }}"""
    import pytl

    data = np.arange(30, dtype=np.float32)
    out = np.zeros((3, 2), np.float32, order="F")
    module = pytl.parse(text)
    pytl.verify(module)
    group = GroupView.alike([(data, 10 * k + 1) for k in range(3)], (2,), (1,), passed)
    target = MemrefView(out.ravel("K"), 0, (3, 2), (1, 3))
    execute(module.functions[0], [group, target], 3)
    first = 1 + (passed if written == "?" else int(written))
    expected = [[10 * k + first, 10 * k + first + 1] for k in range(3)]
    assert target.buffer.reshape(2, 3).T.tolist() == expected


def test_group_whose_memrefs_have_different_sizes() -> None:
    text = """
    func @f(%a: group<memref<f32x?x?>x?>, %r: memref<f32x?>) {
      %g = group_id : index
      %m = load %a[%g] : memref<f32x?x?>
      %p = size %m[0] : index
      %q = size %m[1] : index
      %n0 = constant 0 : index
      foreach (%i, %j) = (%n0, %n0), (%p, %q) {
        %v = load %m[%i, %j] : f32
        store.atomic_add %v, %r[%g]
      }
    }"""
    rng = np.random.default_rng(0)
    arrays = [dense(rng.integers(0, 9, shape)) for shape in [(2, 3), (5, 1), (1, 7)]]
    out = np.zeros(3, np.float32)
    run(text, arrays, out, groups=3)
    assert out.tolist() == [a.sum() for a in arrays]


@pytest.mark.parametrize("shared", [True, False])
def test_group_indexed_by_lane(shared: bool) -> None:
    text = """
    func @f(%a: group<memref<f32x?>x?>) {
      %n = size %a[0] : index
      %five = constant 5 : index
      %n0 = constant 0 : index
      foreach (%g) = (%n0), (%n) {
        %c = cmp.ne %g, %five : bool
        if %c {
          %m = load %a[%g] : memref<f32x?>
          %s = size %m[0] : index
          %one = constant 1 : index
          %last = arith.sub %s, %one : index
          %v = load %m[%last] : f32
          %w = arith.add %v, %v : f32
          store %w, %m[0]
        }
      }
    }"""
    import pytl

    module = pytl.parse(text)
    pytl.verify(module)
    lengths = [2, 3, 1, 4, 2, 6]
    starts = np.cumsum([0, *lengths[:-1]])
    data = np.arange(1, 30, dtype=np.float32)
    buffers = [data if shared else data.copy() for _ in lengths]
    items = [MemrefView(b, int(s), (n,), (1,)) for b, s, n in zip(buffers, starts, lengths, strict=True)]
    execute(module.functions[0], [GroupView(items)], 1)
    for k, (buffer, start, length) in enumerate(zip(buffers, starts, lengths, strict=True)):
        first = 1 + start
        assert buffer[start] == (first if k == 5 else 2 * (first + length - 1))


# Arguments that do not fit are errors of the caller within pytl, not of the user.


def test_wrong_arguments() -> None:
    text = "func @f(%x: f32, %r: memref<f32x2>) { store %x, %r[0] }"
    with pytest.raises(TypeError, match="@f takes 2 arguments, but 1 are given"):
        run(text, 1.0)
    with pytest.raises(TypeError, match="%r is memref<f32x2>, but the view is of float64 with 1 modes"):
        run(text, 1.0, np.zeros(2))
    with pytest.raises(TypeError, match="%r is memref<f32x2>, but its argument is a float"):
        run(text, 1.0, 2.0)
    with pytest.raises(TypeError, match="%x is f32, but its argument is a MemrefView"):
        run(text, np.zeros(2), np.zeros(2))
    with pytest.raises(ValueError, match="one-dimensional and contiguous"):
        MemrefView(np.zeros((2, 2)), 0, (2,), (1,))
    with pytest.raises(ValueError, match="2 modes have 1 strides"):
        MemrefView(np.zeros(4), 0, (2, 2), (1,))
