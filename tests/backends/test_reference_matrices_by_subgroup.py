"""Cooperative matrices that differ between sub-groups on the reference backend, against NumPy in exact arithmetic."""

from __future__ import annotations

import numpy as np
import pytest
from reference_kit import dense, random_array, run, same, stored_as, wide

ZERO = {"f32": "0.0", "f64": "0.0", "c32": "[0.0,0.0]", "i32": "0"}


@pytest.mark.parametrize("type_", ["f32", "f64", "c32", "i32"])
def test_tiled_product_by_several_subgroups(type_: str) -> None:
    """Each of 2 x 2 sub-groups computes a tile of C, along K in steps, the edges being checked."""
    zero = ZERO[type_]
    text = f"""
    func @f(%a: memref<{type_}x?x?>, %b: memref<{type_}x?x?>, %c: memref<{type_}x?x?>)
        attributes{{subgroup_size=16, work_group_size=[32,2]}} {{
      parallel {{
        %id = builtin.subgroup_id : i32
        %two = constant 2 : i32
        %row = arith.rem %id, %two : i32
        %col = arith.div %id, %two : i32
        %rows = constant 8 : i32
        %cols = constant 16 : i32
        %row8 = arith.mul %row, %rows : i32
        %col16 = arith.mul %col, %cols : i32
        %x = cast %row8 : index
        %y = cast %col16 : index
        %from = constant 0 : index
        %to = size %a[1] : index
        %step = constant 4 : index
        %c0 = constant {zero} : coopmatrix<{type_}x8x16,matrix_acc>
        %cn = for %k = %from, %to, %step init(%ck=%c0) -> (coopmatrix<{type_}x8x16,matrix_acc>) {{
          %A = cooperative_matrix_load.n.both_checked %a[%x, %k] : coopmatrix<{type_}x8x4,matrix_a>
          %B = cooperative_matrix_load.t.both_checked %b[%y, %k] : coopmatrix<{type_}x4x16,matrix_b>
          %cn = cooperative_matrix_mul_add %A, %B, %ck : coopmatrix<{type_}x8x16,matrix_acc>
          yield (%cn)
        }}
        cooperative_matrix_store.both_checked %cn, %c[%x, %y]
      }}
    }}"""
    rng = np.random.default_rng(3)
    a, b = random_array(rng, type_, 13, 10), random_array(rng, type_, 27, 10)
    c = random_array(rng, type_, 13, 27)
    run(text, a, b, c)
    same(c, stored_as(wide(a) @ wide(b).T, type_))


def test_large_matrices_of_many_subgroups() -> None:
    text = """
    func @f(%a: memref<f64x64x64x16>) attributes{subgroup_size=16, work_group_size=[64,4]} {
      parallel {
        %id = builtin.subgroup_id : i32
        %g = cast %id : index
        %z = constant 0 : index
        %m = subview %a[0:64, 0:64, %g] : memref<f64x64x64>
        %A = cooperative_matrix_load.n %m[%z, %z] : coopmatrix<f64x64x64,matrix_a>
        %B = cooperative_matrix_load.t %m[%z, %z] : coopmatrix<f64x64x64,matrix_b>
        %C = cooperative_matrix_load.n %m[%z, %z] : coopmatrix<f64x64x64,matrix_acc>
        %D = cooperative_matrix_mul_add %A, %B, %C : coopmatrix<f64x64x64,matrix_acc>
        cooperative_matrix_store %D, %m[%z, %z]
      }
    }"""
    a = random_array(np.random.default_rng(0), "f64", 64, 64, 16)
    expected = np.stack([a[..., g] @ a[..., g].T + a[..., g] for g in range(16)], axis=-1)
    run(text, a)
    np.testing.assert_array_equal(a, expected)


def test_memrefs_of_a_group_that_differ_between_subgroups() -> None:
    text = """
    func @f(%g: group<memref<f32x?x4>x?>, %r: memref<f32x3x2x4>) attributes{subgroup_size=8, work_group_size=[32,1]} {
      parallel {
        %id = builtin.subgroup_id : i32
        %i = cast %id : index
        %z = constant 0 : index
        %one = constant 1 : index
        %m = load %g[%i] : memref<f32x?x4>
        %A = cooperative_matrix_load.n.rows_checked %m[%one, %one] : coopmatrix<f32x3x2,matrix_acc>
        %n = size %m[0] : index
        %rows = cast %n : f32
        %B = cooperative_matrix_scale %rows, %A : coopmatrix<f32x3x2,matrix_acc>
        %out = subview %r[0:3, 0:2, %i] : memref<f32x3x2>
        cooperative_matrix_store %B, %out[%z, %z]
      }
    }"""
    items = [random_array(np.random.default_rng(n), "f32", n + 2, 4) for n in range(4)]
    r = np.full((3, 2, 4), -1, np.float32, order="F")
    run(text, items, r)
    for n, item in enumerate(items):
        expected = np.zeros((3, 2))
        expected[: n + 1] = (n + 2) * item[1:4, 1:3]
        np.testing.assert_array_equal(r[..., n], expected)


def test_matrices_of_branches_and_loops_that_subgroups_go_through_differently() -> None:
    matrix = "coopmatrix<i64x2x3,matrix_acc>"
    text = f"""
    func @f(%a: memref<i64x2x3>, %r: memref<i64x2x3x4>, %flags: memref<i8x4>)
        attributes{{subgroup_size=8, work_group_size=[32,1]}} {{
      parallel {{
        %id = builtin.subgroup_id : i32
        %i = cast %id : index
        %z = constant 0 : index
        %zero = constant 0 : i32
        %two = constant 2 : i32
        %A = cooperative_matrix_load.n %a[%z, %z] : {matrix}
        %c = cmp.lt %id, %two : bool
        %B, %flag = if %c -> ({matrix}, bool) {{
          %n = arith.neg %A : {matrix}
          yield (%n, %c)
        }} else {{
          %ten = constant 10 : {matrix}
          yield (%ten, %c)
        }}
        %C, %D, %done = for %k: i32 = %zero, %id init(%x=%B, %y=%A, %e=%flag) -> ({matrix}, {matrix}, bool) {{
          %s = arith.add %x, %y : {matrix}
          %no = arith.not %e : bool
          yield (%s, %x, %no)
        }}
        %out = subview %r[0:2, 0:3, %i] : memref<i64x2x3>
        cooperative_matrix_store %C, %out[%z, %z]
        %one8 = constant 1 : i8
        %zero8 = constant 0 : i8
        %f = if %done -> (i8) {{ yield (%one8) }} else {{ yield (%zero8) }}
        %local = builtin.subgroup_local_id : i32
        %is_first = cmp.eq %local, %zero : bool
        if %is_first {{ store %f, %flags[%i] }}
      }}
    }}"""
    a = random_array(np.random.default_rng(2), "i64", 2, 3)
    r, flags = np.zeros((2, 3, 4), np.int64, order="F"), np.zeros(4, np.int8)
    run(text, a, r, flags)
    for subgroup in range(4):
        x, y = (-a if subgroup < 2 else np.full((2, 3), 10)), a
        for _ in range(subgroup):
            x, y = x + y, x
        np.testing.assert_array_equal(r[..., subgroup], x)
        assert flags[subgroup] == ((subgroup < 2) ^ (subgroup % 2))


def test_the_same_matrix_from_both_branches_is_uniform() -> None:
    text = """
    func @f(%r: memref<f32x2x2>) attributes{subgroup_size=8, work_group_size=[8,1]} {
      parallel {
    %z = constant 0 : index
    %two = constant 2 : i32
    %local = builtin.subgroup_local_id : i32
    %c = cmp.lt %local, %two : bool
    %A = constant 3.0 : coopmatrix<f32x2x2,matrix_acc>
    %B = if %c -> (coopmatrix<f32x2x2,matrix_acc>) {
      %x = constant 3.0 : coopmatrix<f32x2x2,matrix_acc>
      yield (%x)
    } else { yield (%A) }
    cooperative_matrix_store %B, %r[%z, %z]
      }
    }"""
    r = np.zeros((2, 2), np.float32, order="F")
    run(text, r)
    np.testing.assert_array_equal(r, 3)


@pytest.mark.parametrize("flag", [True, False])
def test_matrices_of_a_collective_region(flag: bool) -> None:
    matrix = "coopmatrix<f32x2x2,matrix_acc>"
    text = f"""
    func @f(%r: memref<f32x2x2x4>, %n: index, %c: bool) attributes{{subgroup_size=8, work_group_size=[32,1]}} {{
      %z = constant 0 : index
      %A = constant 1.0 : {matrix}
      %B = for %i = %z, %n init(%x=%A) -> ({matrix}) {{
        %y = arith.add %x, %A : {matrix}
        yield (%y)
      }}
      %C = if %c -> ({matrix}) {{ yield (%B) }} else {{ yield (%A) }}
      parallel {{
        %id = builtin.subgroup_id : i32
        %i = cast %id : index
        %o = subview %r[0:2, 0:2, %i] : memref<f32x2x2>
        cooperative_matrix_store %C, %o[%z, %z]
      }}
    }}"""
    r = np.zeros((2, 2, 4), np.float32, order="F")
    run(text, r, 3, flag)
    np.testing.assert_array_equal(r, 4 if flag else 1)


def test_matrices_in_local_memory() -> None:
    text = """
    func @f(%a: memref<f32x8x8>) attributes{subgroup_size=8, work_group_size=[16,1]} {
      %t = alloca : memref<f32x8x8,local>
      parallel {
        %id = builtin.subgroup_id : i32
        %i = cast %id : index
        %z = constant 0 : index
        %four = constant 4 : index
        %x = arith.mul %i, %four : index
        %A = cooperative_matrix_load.n %a[%x, %z] : coopmatrix<f32x4x8,matrix_acc>
        cooperative_matrix_store %A, %t[%x, %z]
        barrier.local
        %B = cooperative_matrix_load.t %t[%z, %x] : coopmatrix<f32x4x8,matrix_acc>
        cooperative_matrix_store.atomic %B, %a[%x, %z]
      }
    }"""
    a = random_array(np.random.default_rng(2), "f32", 8, 8)
    expected = a.T.copy()
    run(text, a)
    np.testing.assert_array_equal(a, expected)


# Without the checks.


def test_iterations_and_absent_work_items_where_nothing_is_checked() -> None:
    text = """
    func @f(%a: memref<f32x4x4>, %r: memref<f32x4x4>) attributes{subgroup_size=8} {
      %z = constant 0 : index
      %n = constant 20 : index
      %two = constant 2 : index
      foreach (%i) = (%z), (%n) {
        %A = cooperative_matrix_load.n %a[%i, %z] : coopmatrix<f32x4x4,matrix_a>
        %B = cooperative_matrix_load.t %a[%z, %i] : coopmatrix<f32x4x4,matrix_b>
        %odd = arith.rem %i, %two : index
        %c = cmp.eq %odd, %two : bool
        %C = if %c -> (coopmatrix<f32x4x4,matrix_acc>) {
          %one = constant 1.0 : coopmatrix<f32x4x4,matrix_acc>
          yield (%one)
        } else {
          %zero = constant 0.0 : coopmatrix<f32x4x4,matrix_acc>
          yield (%zero)
        }
        %D = cooperative_matrix_mul_add %A, %B, %C : coopmatrix<f32x4x4,matrix_acc>
        %f = cast %i : f32
        %E = cooperative_matrix_scale %f, %D : coopmatrix<f32x4x4,matrix_acc>
        if %c { cooperative_matrix_store %E, %r[%i, %i] } else { cooperative_matrix_store.atomic_add %E, %r[%i, %z] }
      }
    }"""
    a, r = dense(np.ones((4, 4))), np.zeros((4, 4), np.float32, order="F")
    run(text, a, r, checks=False)
    # only the first sub-group, at 0, lies in the tensor; it scales by its first iteration's number
    np.testing.assert_array_equal(r, 0)
