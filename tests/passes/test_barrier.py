"""insert-barrier: a barrier where instructions depend on each other through memory, and no other."""

from random import Random

import pytest
from generator import generate

import pytl
from pytl.ops import Alloca, Barrier, For, If, Parallel
from pytl.ops.memory import STACK_OFFSET, extent_of
from pytl.ops.views import root_of
from pytl.passes import InsertBarrier, InsertLifetimeStop, Pipeline, StackLayout
from pytl.passes.analysis.accesses import accesses_of

pytestmark = pytest.mark.at_most(24)

PARAMETERS = """%a: memref<f32x4>, %b: memref<f32x4>, %c: memref<f32x4x8>, %g: group<memref<f32x4>x?>, %x: f32,
  %n: index, %p: bool"""
ALLOCAS = """%0 = constant 0x0p+0 : f32
%t = alloca : memref<f32x4,local>
%u = alloca : memref<f32x4,local>
%v = alloca : memref<f32x4,local>
"""

CASES = {
    "read after write, local": """
        axpby.n %x, %a, %0, %t
        +barrier.local
        axpby.n %x, %t, %0, %u
        """,
    "write after read, local": """
        axpby.n %x, %t, %0, %u
        +barrier.local
        axpby.n %x, %a, %0, %t
        """,
    "write after write, local": """
        axpby.n %x, %a, %0, %t
        +barrier.local
        axpby.n %x, %a, %0, %t
        """,
    "read after write, global": """
        axpby.n %x, %t, %0, %a
        +barrier.global
        axpby.n %x, %a, %0, %u
        """,
    "write after read, global": """
        axpby.n %x, %a, %0, %t
        +barrier.global
        axpby.n %x, %u, %0, %a
        """,
    "write after write, global": """
        axpby.n %x, %t, %0, %a
        +barrier.global
        axpby.n %x, %u, %0, %a
        """,
    "reads need none": """
        axpby.n %x, %a, %0, %t
        axpby.n %x, %a, %0, %u
        axpby.n %x, %b, %0, %v
        """,
    "different allocas need none": """
        axpby.n %x, %t, %0, %a
        axpby.n %x, %u, %0, %v
        """,
    "parameters may be the same memory": """
        axpby.n %x, %t, %0, %a
        +barrier.global
        axpby.n %x, %b, %0, %u
        """,
    "both fences where both spaces are concerned": """
        axpby.n %x, %a, %0, %t
        +barrier.global.local
        axpby.n %x, %t, %0, %a
        """,
    "a factor zero does not read": """
        axpby.n %x, %a, %0, %t
        axpby.n %x, %a, %0, %u
        +barrier.local
        axpby.n %x, %t, %x, %u
        """,
    "one barrier serves all that came before it": """
        %w = alloca : memref<f32x4,local>
        axpby.n %x, %a, %0, %t
        axpby.n %x, %a, %0, %u
        +barrier.local
        axpby.n %x, %t, %0, %v
        axpby.n %x, %u, %0, %w
        """,
    "as late as possible": """
        axpby.n %x, %a, %0, %t
        axpby.n %x, %a, %0, %u
        axpby.n %x, %a, %0, %v
        +barrier.local
        axpby.n %x, %v, %0, %t
        """,
    "a barrier that is there already serves": """
        axpby.n %x, %a, %0, %t
        barrier.local
        axpby.n %x, %t, %0, %u
        """,
    "a barrier without the fence does not serve": """
        axpby.n %x, %a, %0, %t
        barrier.global
        +barrier.local
        axpby.n %x, %t, %0, %u
        """,
    "elements are memory, too": """
        axpby.n %x, %a, %0, %t
        +barrier.local
        %y = load %t[%n] : f32
        +barrier.local
        store %y, %t[%n]
        """,
    "views share the memory of what they view": """
        %s = subview %t[0:4] : memref<f32x4,local>
        axpby.n %x, %a, %0, %t
        +barrier.local
        axpby.n %x, %s, %0, %u
        """,
    "slices that are kept apart need none": """
        %s = subview %t[0:2] : memref<f32x2,local>
        %r = subview %t[2:2] : memref<f32x2,local>
        %w = subview %u[0:2] : memref<f32x2,local>
        %q = subview %v[0:2] : memref<f32x2,local>
        axpby.n %x, %w, %0, %s
        axpby.n %x, %r, %0, %q
        +barrier.local
        axpby.n %x, %s, %0, %r
        """,
    "slices that meet are no slices apart": """
        %s = subview %t[0:3] : memref<f32x3,local>
        %r = subview %t[2:2] : memref<f32x2,local>
        %w = subview %u[0:2] : memref<f32x2,local>
        %q = subview %v[0:3] : memref<f32x3,local>
        axpby.n %x, %q, %0, %s
        +barrier.local
        axpby.n %x, %r, %0, %w
        """,
    "an offset that is not known may meet anything": """
        %s = subview %a[%n] : memref<f32>
        %r = subview %a[0] : memref<f32>
        axpby.n %x, %r, %0, %s
        +barrier.global
        axpby.n %x, %r, %0, %s
        """,
    "columns apart in one mode are apart": """
        %s = subview %c[%n:1, 2] : memref<f32x1>
        %r = subview %c[%n:1, 3] : memref<f32x1>
        %w = subview %t[0:1] : memref<f32x1,local>
        axpby.n %x, %w, %0, %s
        axpby.n %x, %w, %0, %r
        """,
    "items of a group may be the same memory": """
        %1 = constant 0 : index
        %s = load %g[%1] : memref<f32x4>
        %r = load %g[%n] : memref<f32x4>
        axpby.n %x, %t, %0, %s
        +barrier.global
        axpby.n %x, %u, %0, %r
        """,
    "gemm reads its factors": """
        %s = alloca : memref<f32x4x8,local>
        %r = alloca : memref<f32x4x4,local>
        axpby.n %x, %c, %0, %s
        +barrier.local
        gemm.n.t %x, %s, %s, %0, %r
        """,
    "a loop follows itself": """
        for %i = %n, %n {
          +barrier.local
          axpby.n %x, %t, %0, %u
          +barrier.local
          axpby.n %x, %u, %0, %t
        }
        """,
    "what a loop reads at its end is written at its beginning": """
        for %i = %n, %n {
          %y = load %a[%i] : f32
          +barrier.local
          axpby.n %y, %b, %0, %t
          +barrier.local
          axpby.n %x, %t, %0, %u
        }
        """,
    "a loop that only reads does not follow itself": """
        for %i = %n, %n {
          %y = load %a[%i] : f32
          %z = load %t[%i] : f32
        }
        """,
    "behind a loop that may not run": """
        axpby.n %x, %a, %0, %t
        for %i = %n, %n {
          +barrier.local
          axpby.n %x, %t, %0, %u
        }
        +barrier.local
        axpby.n %x, %t, %0, %v
        """,
    "a branch goes on from what came before": """
        axpby.n %x, %a, %0, %t
        if %p {
          +barrier.local
          axpby.n %x, %t, %0, %u
        } else {
          axpby.n %x, %a, %0, %v
        }
        +barrier.local
        axpby.n %x, %t, %0, %v
        """,
    "branches do not depend on each other": """
        if %p {
          axpby.n %x, %a, %0, %t
        } else {
          axpby.n %x, %t, %0, %u
        }
        """,
    "barriers of the user's in a parallel region serve": """
        axpby.n %x, %a, %0, %t
        parallel {
          barrier.local
          %y = load %t[%n] : f32
          store %y, %u[%n]
          barrier.global
        }
        +barrier.local
        axpby.n %x, %u, %0, %t
        parallel {
          store %x, %v[%n]
          barrier.local
        }
        axpby.n %x, %v, %0, %a
        """,
    "a barrier in a parallel region is too late for what is in front of it": """
        axpby.n %x, %a, %0, %t
        +barrier.local
        parallel {
          %y = load %t[%n] : f32
          barrier.local
        }
        axpby.n %x, %b, %0, %t
        """,
    "a barrier in a branch of a parallel region is not counted on": """
        axpby.n %x, %a, %0, %t
        +barrier.local
        parallel {
          if %p {
            barrier.local
          }
          %y = load %t[%n] : f32
        }
        """,
    "an SPMD region is one access": """
        foreach (%i) = (%n), (%n) {
          store %x, %t[%i]
          %y = load %t[%i] : f32
        }
        +barrier.local
        parallel {
          %y = load %t[%n] : f32
        }
        axpby.n %x, %t, %0, %u
        """,
}


def lowered(body, *passes):
    module = pytl.parse(f"func @f({PARAMETERS}) {{\n{body}\n}}")
    pytl.verify(module)
    return Pipeline([*passes, InsertBarrier()]).run(module)["f"]


def lines_of(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize("name", CASES)
def test_barriers(name):
    expected = lines_of(ALLOCAS + CASES[name])
    given_lines = [line for line in expected if not line.startswith("+")]
    printed = str(lowered("\n".join(given_lines))).partition(") {\n")[2].removesuffix("\n}")
    assert lines_of(printed) == [line.removeprefix("+") for line in expected]


def test_allocas_that_share_memory_depend_on_each_other():
    body = """%0 = constant 0.0 : f32
      %t = alloca : memref<f32x4>
      axpby.n %x, %a, %0, %t
      %u = alloca : memref<f32x4>
      axpby.n %x, %b, %0, %u"""
    with_layout = lowered(body, InsertLifetimeStop(), StackLayout())
    assert [op.word for op in with_layout.walk()] == [
        "constant",
        "alloca",
        "axpby",
        "lifetime_stop",
        "alloca",
        "barrier",
        "axpby",
        "lifetime_stop",
    ]
    assert "barrier" not in [op.word for op in lowered(body).walk()]


def path(region, rng):
    """The instructions of one way through a region: some branch, some number of iterations."""
    for op in region.operations:
        if isinstance(op, If):
            chosen = op.then_body if rng.randrange(2) else op.else_body
            yield from path(chosen, rng) if chosen is not None else ()
        elif isinstance(op, For):
            for _ in range(rng.randrange(4)):
                yield from path(op.body, rng)
        else:
            yield op


def accesses_within(op):
    return [access for o in (op, *(i for r in op.regions for i in r.walk())) for access in accesses_of(o)]


def conflict(pending, op):
    """An earlier access that may be to the same memory as one of this instruction, one of them a write."""
    for new in accesses_within(op):
        for old in pending:
            if new.space == old.space and (new.writes or old.writes) and meet(new.tensor, old.tensor):
                return old, new
    return None


def unfenced(accesses, barrier):
    fenced = {"global"} if barrier.global_fence else set()
    fenced |= {"local"} if barrier.local_fence else set()
    return [access for access in accesses if access.space not in fenced]


def meet(a, b):
    root_a, root_b = root_of(a), root_of(b)
    if root_a is root_b:
        return a.type.space == "local" and a is b  # views are the subject of the cases above
    if isinstance(root_a.owner, Alloca) and isinstance(root_b.owner, Alloca):
        if STACK_OFFSET not in root_a.owner.attributes:
            return False
        (begin_a, end_a), (begin_b, end_b) = extent_of(root_a.owner), extent_of(root_b.owner)
        return begin_a < end_b and begin_b < end_a
    return True


@pytest.mark.at_most(7)
@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("passes", [(), (InsertLifetimeStop(), StackLayout())], ids=["apart", "shared"])
def test_no_way_through_a_program_meets_a_conflict_without_a_barrier(seed, passes):
    module = pytl.parse(generate(Random(seed), size=20))
    function = Pipeline([*passes, InsertBarrier()]).run(module)["kernel"]
    rng = Random(seed)
    for _ in range(20):
        pending = []
        for op in path(function.body, rng):
            own = []
            # inside of a parallel region the user sees to the order, with barriers that count for what is outside
            for step in op.body.operations if isinstance(op, Parallel) else [op]:
                if isinstance(step, Barrier):
                    pending, own = unfenced(pending, step), unfenced(own, step)
                else:
                    assert conflict(pending, step) is None
                    own += accesses_within(step)
            pending += own


def test_spmd_regions_are_left_to_the_user():
    body = """parallel {
        store %x, %a[%n]
        %y = load %a[%n] : f32
        store %y, %b[%n]
      }"""
    function = lowered(body)
    assert not any(isinstance(op, Barrier) for op in function.walk())
