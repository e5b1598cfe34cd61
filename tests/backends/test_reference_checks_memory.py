"""Accesses that the language leaves undefined are found by the reference backend."""

from __future__ import annotations

import numpy as np
import pytest
from reference_kit import dense, failure, run

import pytl
from pytl.backends.reference import GroupView, execute
from pytl.diagnostics import ExecutionError


@pytest.mark.parametrize(("index", "shown"), [(-1, "-1"), (4, "4"), (2**62, str(2**62))])
@pytest.mark.parametrize("instruction", ["%v = load %r[%i] : i32", "store %c, %r[%i]", "store.atomic_add %c, %r[%i]"])
def test_index_out_of_bounds(instruction: str, index: int, shown: str) -> None:
    text = f"""func @f(%i: index, %r: memref<i32x4>) {{
      %c = constant 1 : i32
      {instruction}
      store %c, %r[0]
    }}"""
    out = np.zeros(4, np.int32)
    message = failure(text, index, out, code="PYTL-4001", line=3)
    assert f"index %i = {shown} is out of bounds in mode 0 of %r, whose size is 4 (work-group 0)" in message
    assert not out.any()


def test_bounds_are_those_of_the_view() -> None:
    text = """func @f(%r: memref<i32x8x8>) {
      %c = constant 1 : i32
      %v = subview %r[2:3, 4:2] : memref<i32x3x2,strided<1,8>>
      parallel {
        %three = constant 2 : index
        store.atomic %c, %v[%three, 1]
        %i = arith.add %three, 1 : index
        store.atomic %c, %v[%i, 1]
      }
    }"""
    out = np.zeros((8, 8), np.int32, order="F")
    message = failure(text, out, code="PYTL-4001", line=8)
    assert message.endswith("is out of bounds in mode 0 of %v, whose size is 3 (work-group 0, work-item 0)")
    assert out[4, 5] == 1
    assert out.sum() == 1


def test_lanes_that_are_not_active_may_have_any_index() -> None:
    text = """func @f(%a: memref<f32x3>, %r: memref<f32x9>) {
      %z = constant 3 : index
      %n0 = constant 0 : index %n9 = constant 9 : index foreach (%i) = (%n0), (%n9) {
        %c = cmp.lt %i, %z : bool
        if %c {
          %v = load %a[%i] : f32
          store %v, %r[%i]
        }
      }
    }"""
    out = np.zeros(9, np.float32)
    run(text, np.array([1, 2, 3], np.float32), out)
    assert out.tolist() == [1, 2, 3, 0, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("offset", "size", "shown"),
    [
        (-1, 2, "the offset -1 of mode 0 is negative"),
        (3, 2, "slice 3:2 of mode 0 ends at 5, but the mode's size is 4"),
        (1, 0, "the size 0 of mode 0 is not positive"),
        (1, -3, "the size -3 of mode 0 is not positive"),
    ],
)
def test_subview_out_of_bounds(offset: int, size: int, shown: str) -> None:
    text = """func @f(%p: index, %q: index, %r: memref<f32x4>) {
      %v = subview %r[%p:%q] : memref<f32x?>
      %c = constant 1.0 : f32
      store %c, %v[0]
    }"""
    message = failure(text, offset, size, np.zeros(4, np.float32), code="PYTL-4002", line=2, strict_views=True)
    assert message == f"subview: {shown} (work-group 0)"


def test_subview_offset_out_of_bounds_in_some_lanes() -> None:
    text = """func @f(%r: memref<f32x4x4>) {
      %n0 = constant 0 : index %n6 = constant 6 : index foreach (%i) = (%n0), (%n6) {
        %v = subview %r[%i, :] : memref<f32x4,strided<4>>
        %x = load %v[0] : f32
        store %x, %v[0]
      }
    }"""
    message = failure(text, np.zeros((4, 4), np.float32, order="F"), code="PYTL-4002", line=3, strict_views=True)
    assert message == "subview: offset 4 is out of bounds in mode 0, whose size is 4 (work-group 0, iteration (4))"


@pytest.mark.parametrize("groups", [3, 4])
def test_group_index_out_of_bounds(groups: int) -> None:
    text = """func @f(%a: group<memref<f32x2>x?>) {
      %g = group_id : index
      %c = constant 1.0 : f32
      %m = load %a[%g] : memref<f32x2>
      store %c, %m[0]
    }"""
    arrays = [np.zeros(2, np.float32) for _ in range(3)]
    if groups == 3:
        run(text, arrays, groups=groups)
    else:
        message = failure(text, arrays, code="PYTL-4003", line=4, groups=groups)
        assert message == "load: index 3 is out of bounds of the group, whose size is 3 (work-group 3)"
    assert all(a[0] == 1 for a in arrays)


def test_group_index_out_of_bounds_in_some_lanes() -> None:
    text = """func @f(%a: group<memref<f32x2>x?>) {
      %c = constant 1.0 : f32
      %n0 = constant 0 : index %n5 = constant 5 : index foreach (%i) = (%n0), (%n5) {
        %m = load %a[%i] : memref<f32x2>
        store %c, %m[0]
      }
    }"""
    arrays = [np.zeros(2, np.float32) for _ in range(3)]
    message = failure(text, arrays, code="PYTL-4003", line=4)
    assert message.endswith("whose size is 3 (work-group 0, iteration (3))")


def test_group_offset_beyond_the_memory() -> None:
    text = """func @f(%a: group<memref<f32x2>x?, offset: 3>) {
      %m = load %a[0] : memref<f32x2>
      %c = constant 1.0 : f32
      store %c, %m[0]
    }"""
    module = pytl.parse(text, "kernel.tl")
    pytl.verify(module)
    group = GroupView.alike([(np.zeros(4, np.float32), 0)], (2,), (1,), offset=3)
    with pytest.raises(ExecutionError) as caught:
        execute(module.functions[0], [group], 1)
    assert caught.value.code == "PYTL-4004"
    assert "memref 0 moved by offset 3 spans elements 3 to 4, but its memory has 4" in str(caught.value)


def test_element_of_local_memory_that_was_never_written() -> None:
    text = """func @f(%r: memref<f32x4>) {
      %t = alloca : memref<f32x4>
      %one = constant 1.0 : f32
      %n0 = constant 0 : index %n3 = constant 3 : index foreach (%i) = (%n0), (%n3) {
        store %one, %t[%i]
      }
      %n4 = constant 4 : index foreach (%i) = (%n0), (%n4) {
        %v = load %t[%i] : f32
        store %v, %r[%i]
      }
    }"""
    message = failure(text, np.zeros(4, np.float32), code="PYTL-4008", line=8)
    assert message == "load: element (3) of %t is read, but was never written (work-group 0, iteration (3))"


@pytest.mark.parametrize(
    ("line", "is_read"),
    [
        ("gemm.n.n %one, %a, %a, %zero, %t", False),
        ("gemm.n.n %one, %a, %a, %one, %t", True),
        ("axpby.n %one, %a, %zero, %t", False),
        ("axpby.t %one, %a, %beta, %t", False),
        ("axpby.n %one, %a, %one, %t", True),
        ("axpby.n %one, %t, %zero, %a", True),
        ("gemm.n.t %one, %a, %t, %zero, %a", True),
        ("store.atomic_add %one, %t[0, 0]", True),
    ],
)
def test_instructions_that_read_uninitialised_memory(line: str, is_read: bool) -> None:
    text = f"""func @f(%a: memref<f32x2x2>, %beta: f32) {{
      %t = alloca : memref<f32x2x2>
      %one = constant 1.0 : f32
      %zero = constant 0.0 : f32
      {line}
      store %one, %a[0, 0]
    }}"""
    if is_read:
        failure(text, dense(np.ones((2, 2))), 0.0, code="PYTL-4008", line=5)
    else:
        run(text, dense(np.ones((2, 2))), 0.0)


def test_local_memory_is_fresh_in_each_iteration_and_work_group() -> None:
    text = """func @f(%r: memref<f32>) {
      %z = constant 0 : index
      %n = constant 2 : index
      for %i = %z, %n {
        %t = alloca : memref<f32>
        %first = cmp.eq %i, %z : bool
        if %first {
          %one = constant 1.0 : f32
          store %one, %t[]
        }
        %v = load %t[] : f32
        store %v, %r[]
      }
    }"""
    failure(text, np.zeros((), np.float32), code="PYTL-4008", line=11)


@pytest.mark.parametrize(
    "line",
    [
        "%v = load %w[0] : f32",
        "store %one, %w[0]",
        "store.atomic_add %one, %w[0]",
        "axpby.n %one, %r, %zero, %w",
    ],
)
def test_use_through_a_view_after_lifetime_stop(line: str) -> None:
    text = f"""func @f(%r: memref<f32x2>) {{
      %one = constant 1.0 : f32
      %zero = constant 0.0 : f32
      %t = alloca : memref<f32x4>
      %w = subview %t[1:2] : memref<f32x2,local>
      axpby.n %one, %r, %zero, %w
      lifetime_stop %t
      {line}
      store %one, %r[0]
    }}"""
    failure(text, np.zeros(2, np.float32), code="PYTL-4009", line=8)


def test_a_view_out_of_bounds_has_help() -> None:
    module = pytl.compile("func @f(%p: index, %q: index, %r: memref<f32x4>) { %v = subview %r[%p:%q] : memref<f32x?> }")
    with pytest.raises(pytl.PytlError) as caught:
        module["f"][1](1, 0, np.zeros(4, np.float32), backend="reference")
    assert "put an if around what lies outside, or let the slice end with the mode" in str(caught.value)
