"""Branches, SPMD regions and atomics on the reference backend."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from reference_kit import COMPLEX, FLOATS, INTEGERS, dense, run, same

from pytl.backends.reference.control import FOREACH_BLOCK

# Branches.

BRANCHES = """
      %big = cmp.gt %v, %three : bool
      %w = if %big -> (i64) {
        %odd = arith.and %v, %one : i64
        %isodd = cmp.eq %odd, %one : bool
        %x = if %isodd -> (i64) {
          %y = arith.mul %v, %three : i64
          yield (%y)
        } else {
          yield (%three)
        }
        yield (%x)
      } else {
        %n = arith.neg %v : i64
        yield (%n)
      }
"""


def branches(v: int) -> int:
    if v > 3:
        return v * 3 if v % 2 else 3
    return -v


def test_branches_in_a_foreach_are_taken_by_lane() -> None:
    text = f"""
    func @f(%a: memref<i64x9>, %r: memref<i64x9>) {{
      %three = constant 3 : i64
      %one = constant 1 : i64
      %n0 = constant 0 : index %n9 = constant 9 : index
      foreach (%i) = (%n0), (%n9) {{
        %v = load %a[%i] : i64
        {BRANCHES}
        store %w, %r[%i]
      }}
    }}"""
    a, out = np.arange(9), np.zeros(9, np.int64)
    run(text, a, out)
    assert out.tolist() == [branches(v) for v in a.tolist()]


@pytest.mark.parametrize("v", [0, 4, 5])
def test_branches_in_a_collective_region(v: int) -> None:
    text = f"""
    func @f(%v: i64, %r: memref<i64>) {{
      %three = constant 3 : i64
      %one = constant 1 : i64
      {BRANCHES}
      store %w, %r[]
    }}"""
    out = np.zeros((), np.int64)
    run(text, v, out)
    assert out == branches(v)


def test_branch_without_values_and_without_else() -> None:
    text = """
    func @f(%r: memref<i32x8>) {
      %one = constant 1 : i32
      %four = constant 4 : index
      %six = constant 6 : index
      %n0 = constant 0 : index %n8 = constant 8 : index
      foreach (%i) = (%n0), (%n8) {
        %c = cmp.lt %i, %four : bool
        if %c {
          store %one, %r[%i]
        } else {
          %d = cmp.lt %i, %six : bool
          if %d { }
          else {
            %two = constant 2 : i32
            store %two, %r[%i]
          }
        }
      }
    }"""
    out = np.zeros(8, np.int32)
    run(text, out)
    assert out.tolist() == [1, 1, 1, 1, 0, 0, 2, 2]


def test_several_values_of_different_types_from_a_branch() -> None:
    text = """
    func @f(%r: memref<bf16x4>, %s: memref<c32x4>, %t: memref<i32x4>) {
      %two = constant 2 : index
      %n0 = constant 0 : index %n4 = constant 4 : index
      foreach (%i) = (%n0), (%n4) {
        %c = cmp.lt %i, %two : bool
        %x, %y, %z = if %c -> (bf16, c32, bool) {
          %a = constant 1.5 : bf16
          %b = constant [1.0, 2.0] : c32
          yield (%a, %b, %c)
        } else {
          %a = constant -2.5 : bf16
          %b = constant [3.0, -4.0] : c32
          yield (%a, %b, %c)
        }
        store %x, %r[%i]
        store %y, %s[%i]
        if %z { %one = constant 1 : i32 store %one, %t[%i] }
      }
    }"""
    r, s, t = np.zeros(4, ml_dtypes.bfloat16), np.zeros(4, np.complex64), np.zeros(4, np.int32)
    run(text, r, s, t)
    assert r.astype(float).tolist() == [1.5, 1.5, -2.5, -2.5]
    assert s.tolist() == [1 + 2j, 1 + 2j, 3 - 4j, 3 - 4j]
    assert t.tolist() == [1, 1, 0, 0]


# Foreach.


@pytest.mark.parametrize("type_", INTEGERS)
@pytest.mark.parametrize("ranges", [[(0, 5)], [(-2, 3), (1, 4)], [(0, 3), (2, 2)], [(4, 1)], [(1, 4), (-1, 2), (0, 5)]])
def test_foreach_visits_every_point_once(type_: str, ranges: list[tuple[int, int]]) -> None:
    names = "ijk"[: len(ranges)]
    bounds = "\n".join(
        f"%{n}a = constant {a} : {type_} %{n}b = constant {b} : {type_}"
        for n, (a, b) in zip(names, ranges, strict=True)
    )
    shifted = "\n".join(f"%{n}c = cast %{n} : index %{n}s = arith.add %{n}c, %five : index" for n in names)
    text = f"""
    func @f(%r: memref<i32{"x10" * len(ranges)}>) {{
      %one = constant 1 : i32
      %five = constant 5 : index
      {bounds}
      foreach ({", ".join(f"%{n}" for n in names)}) : {type_} =
              ({", ".join(f"%{n}a" for n in names)}), ({", ".join(f"%{n}b" for n in names)}) {{
        {shifted}
        store.atomic_add %one, %r[{", ".join(f"%{n}s" for n in names)}]
      }}
    }}"""
    out = np.zeros((10,) * len(ranges), np.int32, order="F")
    run(text, out)
    expected = np.zeros_like(out)
    expected[tuple(slice(a + 5, max(a, b) + 5) for a, b in ranges)] = 1
    np.testing.assert_array_equal(out, expected)


def test_foreach_over_more_points_than_a_block() -> None:
    text = """
    func @f(%r: memref<i64x?x?>) {
      %z = constant 0 : index
      %m = size %r[0] : index
      %n = size %r[1] : index
      foreach (%i, %j) = (%z, %z), (%m, %n) {
        %k = arith.mul %j, %m : index
        %l = arith.add %k, %i : index
        %v = cast %l : i64
        store %v, %r[%i, %j]
      }
    }"""
    m, n = 61, 3 * FOREACH_BLOCK // 61 + 1
    out = np.zeros((m, n), np.int64, order="F")
    run(text, out)
    np.testing.assert_array_equal(out.ravel("F"), np.arange(m * n))


# Parallel, builtins, barriers.


@pytest.mark.parametrize(
    ("attributes", "items"),
    [
        ("", 16),
        ("attributes{subgroup_size=32}", 32),
        ("attributes{work_group_size=[8,4]}", 32),
        ("attributes{subgroup_size=16, work_group_size=[64,2]}", 128),
    ],
)
def test_work_items_of_a_parallel_region(attributes: str, items: int) -> None:
    text = f"""
    func @f(%r: memref<i32x2>) {attributes} {{
      %one = constant 1 : i32
      parallel {{
        store.atomic_add %one, %r[0]
        barrier.global
        store.atomic %one, %r[1]
      }}
    }}"""
    out = np.zeros(2, np.int32)
    run(text, out)
    assert out.tolist() == [items, 1]


def test_stores_in_a_collective_region_are_done_by_every_work_item() -> None:
    text = """
    func @f(%r: memref<f16x2>, %s: memref<f16>) attributes{work_group_size=[32,1]} {
      %v = load %s[] : f16
      store.atomic_add %v, %r[0]
      store.atomic %v, %r[1]
      barrier.global.local
    }"""
    out = np.array([100, 0], np.float16)
    run(text, out, np.array(0.03, np.float16))
    total = np.float16(100)
    for _ in range(32):
        total = np.float16(total + np.float16(0.03))
    same(out, np.array([total, 0.03], np.float16))


@pytest.mark.parametrize("type_", [*INTEGERS, *FLOATS, *COMPLEX])
def test_atomic_adds_of_lanes_to_few_places(type_: str) -> None:
    text = f"""
    func @f(%a: memref<{type_}x?>, %p: memref<indexx?>, %r: memref<{type_}x3>) {{
      %z = constant 0 : index
      %n = size %a[0] : index
      foreach (%i) = (%z), (%n) {{
        %v = load %a[%i] : {type_}
        %k = load %p[%i] : index
        store.atomic_add %v, %r[%k]
      }}
    }}"""
    rng = np.random.default_rng(3)
    places, a = rng.integers(0, 3, 40), dense(rng.integers(-4, 5, 40), type_)
    out = dense([1, 2, 3], type_)
    run(text, a, places, out)
    sums = [first + sum(complex(v) for v in a[places == k]) for k, first in enumerate([1, 2, 3])]
    same(out, dense(np.array(sums) if type_ in COMPLEX else np.real(sums), type_))


def test_local_memory_is_shared_between_work_items_and_regions() -> None:
    text = """
    func @f(%a: memref<f32x24>, %r: memref<f32x24>) {
      %t = alloca : memref<f32x24>
      %n0 = constant 0 : index %n24 = constant 24 : index
      foreach (%i) = (%n0), (%n24) {
        %v = load %a[%i] : f32
        %w = arith.add %v, %v : f32
        store %w, %t[%i]
      }
      foreach (%i) = (%n0), (%n24) {
        %last = constant 23 : index
        %j = arith.sub %last, %i : index
        %v = load %t[%j] : f32
        store %v, %r[%i]
      }
    }"""
    a, out = np.arange(24, dtype=np.float32), np.zeros(24, np.float32)
    run(text, a, out)
    np.testing.assert_array_equal(out, 2 * a[::-1])


def test_group_id_and_group_size() -> None:
    text = """
    func @f(%r: memref<indexx?x2>) {
      %g = group_id : index
      %n = group_size : index
      store %g, %r[%g, 0]
      store %n, %r[%g, 1]
    }"""
    out = np.full((5, 2), -1, order="F")
    run(text, out, groups=5)
    assert out.tolist() == [[g, 5] for g in range(5)]


def test_no_work_groups() -> None:
    out = np.zeros((), np.int32)
    run("func @f(%r: memref<i32>) { %c = constant 1 : i32 store %c, %r[] }", out, groups=0)
    assert out == 0
