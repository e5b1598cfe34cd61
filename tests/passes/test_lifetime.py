"""insert-lifetime-stop: where an alloca is said not to be used any more."""

import pytest
from generator import programs
from hypothesis import given, settings

import pytl
from pytl.ir.values import Region
from pytl.ops import Alloca, LifetimeStop
from pytl.ops.views import root_of
from pytl.passes import InsertLifetimeStop, Pipeline

PARAMETERS = "%a: memref<f32x4>, %x: f32, %n: index, %p: bool"


CASES = {
    "behind the last use": (
        """%t = alloca : memref<f32x4>
           axpby.n %x, %a, %x, %t
           axpby.n %x, %t, %x, %a
           axpby.n %x, %a, %x, %a""",
        """%t = alloca : memref<f32x4,local>
axpby.n %x, %a, %x, %t
axpby.n %x, %t, %x, %a
lifetime_stop %t
axpby.n %x, %a, %x, %a""",
    ),
    "an alloca without a use ends at once": (
        "%t = alloca : memref<f32x4> axpby.n %x, %a, %x, %a",
        "%t = alloca : memref<f32x4,local>\nlifetime_stop %t\naxpby.n %x, %a, %x, %a",
    ),
    "uses of views are uses": (
        """%t = alloca : memref<f32x4>
           %u = subview %t[0:2] : memref<f32x2,local>
           %v = subview %u[%n] : memref<f32,local>
           axpby.n %x, %a, %x, %a
           %y = load %v[] : f32
           store %y, %a[%n]""",
        """%t = alloca : memref<f32x4,local>
%u = subview %t[0:2] : memref<f32x2,local>
%v = subview %u[%n] : memref<f32,local>
axpby.n %x, %a, %x, %a
%y = load %v[] : f32
lifetime_stop %t
store %y, %a[%n]""",
    ),
    "uses of split and joined views, by matrices, are uses": (
        """%t = alloca : memref<f32x16>
           %u = expand %t[0 -> 4 x 4] : memref<f32x4x4,local>
           %v = fuse %u[0, 1] : memref<f32x16,local>
           %w = expand %v[0 -> 4 x 4] : memref<f32x4x4,local>
           parallel {
             %m = cooperative_matrix_load.n %w[%n, %n] : coopmatrix<f32x2x2,matrix_acc>
             cooperative_matrix_store %m, %u[%n, %n]
           }
           axpby.n %x, %a, %x, %a""",
        """%t = alloca : memref<f32x16,local>
%u = expand %t[0 -> 4 x 4] : memref<f32x4x4,local>
%v = fuse %u[0, 1] : memref<f32x16,local>
%w = expand %v[0 -> 4 x 4] : memref<f32x4x4,local>
parallel {
  %m = cooperative_matrix_load.n %w[%n, %n] : coopmatrix<f32x2x2,matrix_acc>
  cooperative_matrix_store %m, %u[%n, %n]
}
lifetime_stop %t
axpby.n %x, %a, %x, %a""",
    ),
    "behind the loop whose iterations use it": (
        """%t = alloca : memref<f32x4>
           for %i = %n, %n {
             if %p {
               axpby.n %x, %a, %x, %t
             }
           }
           barrier""",
        """%t = alloca : memref<f32x4,local>
for %i = %n, %n {
  if %p {
    axpby.n %x, %a, %x, %t
  }
}
lifetime_stop %t
barrier""",
    ),
    "in the region of the alloca, before its yield": (
        """%r = for %i = %n, %n init(%c=%x) -> (f32) {
             %t = alloca : memref<f32x4>
             axpby.n %x, %a, %x, %t
             %y = load %t[%i] : f32
             yield (%y)
           }
           store %r, %a[%n]""",
        """%r = for %i = %n, %n init(%c=%x) -> (f32) {
  %t = alloca : memref<f32x4,local>
  axpby.n %x, %a, %x, %t
  %y = load %t[%i] : f32
  lifetime_stop %t
  yield (%y)
}
store %r, %a[%n]""",
    ),
    "uses in SPMD regions are uses": (
        """%t = alloca : memref<f32x4>
           foreach (%i) = (%n), (%n) {
             store %x, %t[%i]
           }
           parallel {
             %y = load %t[%n] : f32
           }
           barrier""",
        """%t = alloca : memref<f32x4,local>
foreach (%i) = (%n), (%n) {
  store %x, %t[%i]
}
parallel {
  %y = load %t[%n] : f32
}
lifetime_stop %t
barrier""",
    ),
    "what is stopped already stays as it is": (
        """%t = alloca : memref<f32x4>
           axpby.n %x, %a, %x, %t
           barrier
           lifetime_stop %t
           %u = alloca : memref<f32x4>
           axpby.n %x, %a, %x, %u""",
        """%t = alloca : memref<f32x4,local>
axpby.n %x, %a, %x, %t
barrier
lifetime_stop %t
%u = alloca : memref<f32x4,local>
axpby.n %x, %a, %x, %u
lifetime_stop %u""",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_place_of_lifetime_stop(name):
    given_text, wanted = CASES[name]
    result = str(Pipeline([InsertLifetimeStop()]).run(pytl.parse(f"func @f({PARAMETERS}) {{\n{given_text}\n}}")))
    body = result.partition(") {\n")[2].removesuffix("\n}")
    assert [line.removeprefix("  ") for line in body.splitlines()] == wanted.splitlines()


@settings(deadline=None, max_examples=40)
@given(programs())
def test_every_alloca_is_stopped_once_in_its_region_behind_every_use(text):
    # where a program says so itself, it may be wrong
    text = "\n".join(line for line in text.splitlines() if "lifetime_stop" not in line)
    function = Pipeline([InsertLifetimeStop()]).run(pytl.parse(text))["kernel"]
    regions = [function.body, *(region for op in function.walk() for region in op.regions)]
    for region in regions:
        for op in region.operations:
            if not isinstance(op, Alloca):
                continue
            (stop,) = [o for o in function.walk() if isinstance(o, LifetimeStop) and o.tensor is op.result]
            at = region.operations.index(stop)
            later = Region(operations=region.operations[at + 1 :])
            assert not any(root_of(value) is op.result for o in later.walk() for value in o.operands)
