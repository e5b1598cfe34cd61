"""Every pass on a function with every instruction: the IR stays valid, and means what it meant."""

import re

import numpy as np
import pytest
from passes_kit import CPU_OPTIONS, LOWERING, assert_meaning_kept, assert_printed_and_read, checked, sycl_passes
from reference_kit import dense

import pytl
from pytl.ir.registry import all_instructions
from pytl.ir.types import CoopMatrixType
from pytl.ops import Update
from pytl.passes import Canonicalize, Pipeline, find_pass, pass_names

TEXT = """func @f(%a: memref<f32x8x6>, %b: memref<f32x6x6>, %c: memref<f32x8x6>, %g: group<memref<f32x8>x?>, %x: f32,
                  %i: i32, %n: index, %p: bool) attributes{subgroup_size=4, work_group_size=[8,1]} {
  %zero = constant 0.0 : f32
  %0 = constant 0 : index
  %1 = constant 1 : index
  %2 = constant 2 : index
  %16 = constant 16 : index
  %id = builtin.group_id : index
  %v = load %g[%id] : memref<f32x8>
  %l = subview %v[0:6] : memref<f32x6>
  %t = alloca{alignment=16} : memref<f32x8x6,local>
  %u = alloca : memref<f32x8,local>
  gemm.n.t %x, %a, %b, %zero, %t
  %w = alloca : memref<f32x6,local>
  axpby.n %x, %l, %zero, %w
  gemv.n %x, %a, %w, %zero, %u
  ger %x, %u, %w, %x, %t
  hadamard.atomic %x, %t, %t, %zero, %c
  axpby.n %x, %u, %x, %v
  cumsum %x, %t, 1, %x, %c
  lifetime_stop %t
  sum.n %x, %c, %x, %u
  barrier.global.local
  %start = constant 1.0 : coopmatrix<f32x5x2,matrix_acc>
  %s = alloca : memref<f32x8x2,local>
  %e = expand %u[0 -> 4 x %2] : memref<f32x4x?,local>
  %h = fuse %s[0, 1] : memref<f32x16,local>
  foreach (%k) = (%0), (%16) {
    store %x, %h[%k]
  }
  %m = for %k = %0, %2 init(%carried=%start) -> (coopmatrix<f32x5x2,matrix_acc>) {
    %next = arith.add %carried, %start : coopmatrix<f32x5x2,matrix_acc>
    parallel {
      %A = cooperative_matrix_load.n.rows_checked %c[%2, %k] : coopmatrix<f32x5x3,matrix_a>
      %B = cooperative_matrix_load.t %e[%0, %0] : coopmatrix<f32x2x3,matrix_acc>
      %C = cooperative_matrix_load.n.both_checked %c[%0, %k] : coopmatrix<f32x3x2,matrix_b>
      %D = cooperative_matrix_mul_add %A, %C, %carried : coopmatrix<f32x5x2,matrix_acc>
      %E = cooperative_matrix_scale %x, %D : coopmatrix<f32x5x2,matrix_acc>
      %sub = builtin.subgroup_id : i32
      %one = constant 1 : i32
      %is = cmp.eq %sub, %one : bool
      barrier.global
      if %is {
        cooperative_matrix_store.cols_checked %E, %s[%1, %0]
        cooperative_matrix_store.atomic_add %B, %c[%0, %0]
      }
      barrier.local
    }
    yield (%next)
  }
  parallel {
    %lane = builtin.subgroup_local_id : i32
    %sub = builtin.subgroup_id : i32
    %lanes = builtin.subgroup_size : i32
    %first = arith.mul %sub, %lanes : i32
    %sum = arith.add %first, %lane : i32
    %k = cast %sum : index
    %y = load %h[%k] : f32
    %q = math.native_exp %x : f32
    %r = subgroup_broadcast %y, %i : f32
    %add = subgroup_add.inclusive_scan %y : f32
    %max = subgroup_max.reduce %y : f32
    %min = subgroup_min.reduce %r : f32
    %o = arith.sub %max, %min : f32
    %z = if %p -> (f32) {
      %f = arith.mul %q, %add : f32
      yield (%f)
    } else {
      yield (%o)
    }
    %neg = arith.neg %z : f32
    %d = arith.add %neg, %o : f32
    store.atomic %d, %v[%k]
  }
  %size = size %g[0] : index
  %odd = cmp.ne %size, %n : bool
  %last = subview %c[0:8, %n] : memref<f32x8>
  if %odd {
    axpby.n %x, %u, %x, %last
  }
  parallel {
    %none = arith.neg %m : coopmatrix<f32x5x2,matrix_acc>
    cooperative_matrix_store.atomic %none, %c[%0, %2]
  }
}"""

LOWER = ["lower-collectives", "lower-coopmatrix"]
FOR_ONE = ["work-item-loops", "lower-collectives", "canonicalize", "insert-lifetime-stop", "stack-layout"]
PIPELINES = {
    # a checked function has a parameter more: tests/backends/test_device_checks.py
    **{name: [name] for name in pass_names() if name != "insert-checks"},
    "canonicalize, unsafe": ["canonicalize{unsafe-fp-math=true}"],
    "lower both": LOWER,
    "lower the other way round": LOWER[::-1],
    "lower and compile": [*LOWER, *map(str, LOWERING), "execution-strategy"],
    "compile and lower": [*map(str, LOWERING), *LOWER, "canonicalize"],
    "for one agent": FOR_ONE,
    **{f"sycl, {options}": list(map(str, sycl_passes(**options))) for options in CPU_OPTIONS},
}


def arguments():
    rng = np.random.default_rng(11)

    def numbers(*shape):
        return dense(rng.uniform(-1, 1, shape))

    group = [numbers(8), numbers(8)]
    return [numbers(8, 6), numbers(6, 6), numbers(8, 6), group, 0.5, 2, 3, True]


@pytest.mark.additions
def test_the_function_has_every_instruction():
    missing = set(all_instructions()) - {type(op) for op in checked(TEXT)["f"].walk()}
    assert not missing, f"add {', '.join(sorted(cls.mnemonic for cls in missing))} to TEXT"


@pytest.mark.at_most(10)
@pytest.mark.parametrize("name", PIPELINES)
def test_passes(name):
    passes = [find_pass(text) for text in PIPELINES[name]]
    exact = not any(re.search("lower|unsafe|work-item", text) for text in PIPELINES[name])
    changed = assert_meaning_kept(TEXT, *passes, arguments=arguments(), exact=exact, groups=1)
    assert_printed_and_read(changed)
    operations = list(changed["f"].walk())
    if "lower-collectives" in PIPELINES[name]:
        assert not any(isinstance(op, Update) for op in operations)
    if not {"lower-coopmatrix", "work-item-loops"}.isdisjoint(PIPELINES[name]):
        used = [value for op in operations for value in (*op.operands, *op.results)]
        assert not any(isinstance(value.type, CoopMatrixType) for value in used)


def test_what_is_canonical_stays():
    once = Pipeline([Canonicalize()]).run(checked(TEXT))
    assert str(Pipeline([Canonicalize()]).run(once)) == str(once)


def test_a_kernel_shows_what_a_pass_makes_of_it():
    (kernel,) = pytl.compile(TEXT).values()
    assert "cooperative_matrix" not in kernel.ir("lower-coopmatrix")
    assert "gemm" not in kernel.ir("lower-collectives", backend="reference")
    assert "gemv" not in kernel.ir("lower-collectives{only=gemv}")
    assert "gemm" in kernel.ir("lower-collectives{only=gemv}")
    with pytest.raises(pytl.PytlError, match="there is no stage `lower`"):
        kernel.ir("lower")
    with pytest.raises(pytl.PytlError, match="there is no stage `3`"):
        kernel.ir(3)
