"""stack-layout: where allocas lie in local memory."""

from itertools import count
from random import Random

import pytest
from generator import generate
from hypothesis import given, settings
from hypothesis import strategies as st

import pytl
from pytl.ops import Alloca, LifetimeStop
from pytl.ops.memory import (
    DEFAULT_ALIGNMENT,
    STACK_ALIGNMENT,
    STACK_OFFSET,
    STACK_SIZE,
    bytes_of,
    extent_of,
    local_alignment,
)
from pytl.ops.views import root_of
from pytl.passes import InsertLifetimeStop, Pipeline, StackLayout

BOTH = (InsertLifetimeStop(), StackLayout())


def layout(body, passes=BOTH):
    module = pytl.parse(f"func @f(%a: memref<f32x4>, %x: f32, %n: index, %p: bool) {{\n{body}\n}}")
    pytl.verify(module)
    function = Pipeline(passes).run(module)["f"]
    places = {op.result.name: extent_of(op) for op in function.walk() if isinstance(op, Alloca)}
    return places, function.attributes.get(STACK_SIZE)


def test_allocas_that_live_at_once_lie_behind_each_other():
    body = """%t = alloca : memref<f32x4> %u = alloca : memref<f32x20>
      axpby.n %x, %a, %x, %t
      %v = subview %u[0:4] : memref<f32x4,local>
      axpby.n %x, %t, %x, %v"""
    assert layout(body) == ({"t": (0, 16), "u": (64, 144)}, 144)


def test_a_dead_alloca_makes_room():
    body = """%t = alloca : memref<f32x16> %v = subview %t[0:4] : memref<f32x4,local>
      axpby.n %x, %a, %x, %v
      %u = alloca : memref<f32x4>
      axpby.n %x, %a, %x, %u"""
    assert layout(body) == ({"t": (0, 64), "u": (0, 16)}, 64)


def test_without_lifetime_stop_an_alloca_lives_to_the_end_of_its_region():
    body = """if %p {
        %t = alloca : memref<f32x4>
        axpby.n %x, %a, %x, %t
        %u = alloca : memref<f32x4>
        axpby.n %x, %a, %x, %u
      }
      %v = alloca : memref<f32x4>
      axpby.n %x, %a, %x, %v"""
    places, size = layout(body, [StackLayout()])
    assert (places, size) == ({"t": (0, 16), "u": (16, 32), "v": (0, 16)}, 32)


def test_an_inner_region_keeps_clear_of_what_lives_around_it():
    body = """%t = alloca : memref<f32x4>
      for %i = %n, %n {
        %u = alloca : memref<f32x4>
        axpby.n %x, %t, %x, %u
        %v = alloca : memref<f32x4>
        axpby.n %x, %t, %x, %v
      }"""
    assert layout(body) == ({"t": (0, 16), "u": (16, 32), "v": (16, 32)}, 32)


def test_branches_share_the_same_place():
    body = """if %p {
        %t = alloca : memref<f32x4>
        axpby.n %x, %a, %x, %t
      } else {
        %u = alloca : memref<f64x4>
        foreach (%i) = (%n), (%n) {
          %y = cast %x : f64
          store %y, %u[%i]
        }
      }"""
    assert layout(body) == ({"t": (0, 16), "u": (0, 32)}, 32)


@pytest.mark.parametrize(("alignment", "begin"), [(4, 4), (8, 8), (12, 12), (16, 16), (64, 64)])
def test_alignment(alignment, begin):
    body = f"""%t = alloca : memref<f32>
      %u = alloca{{alignment={alignment}}} : memref<f32>
      axpby.n %x, %t, %x, %u"""
    assert layout(body)[0] == {"t": (0, 4), "u": (begin, begin + 4)}


def test_an_alloca_fills_the_lowest_gap_that_is_large_enough():
    body = """%t = alloca{alignment=4} : memref<f32x8>
      %u = alloca{alignment=4} : memref<f32x8>
      %v = alloca{alignment=4} : memref<f32x8>
      lifetime_stop %u
      %large = alloca{alignment=4} : memref<f32x9>
      %small = alloca{alignment=4} : memref<f32x7>"""
    assert layout(body, [StackLayout()]) == (
        {"t": (0, 32), "u": (32, 64), "v": (64, 96), "large": (96, 132), "small": (32, 60)},
        132,
    )


def test_small_allocas_share_cache_lines_and_none_lies_in_two_that_fits_into_one():
    body = """%a1 = alloca : memref<i8x5>
      %b1 = alloca : memref<f32x16x4>
      %c1 = alloca : memref<i16>
      %d1 = alloca{alignment=64} : memref<i16x32>
      %e1 = alloca : memref<f32x9>"""
    places, size = layout(body, [StackLayout()])
    assert places == {"a1": (0, 5), "b1": (64, 320), "c1": (6, 8), "d1": (320, 384), "e1": (384, 420)}
    assert size == 420


@pytest.mark.parametrize(
    ("alignments", "needed"), [((128,), 128), ((4096, 256), 4096), ((12, 64), 192), ((2**62,), 2**62)]
)
def test_local_memory_has_room_to_begin_at_what_allocas_ask_for(alignments, needed):
    body = "\n".join(f"%t{n} = alloca{{alignment={given}}} : memref<f32x4>" for n, given in enumerate(alignments))
    module = pytl.parse(f"func @f() {{ {body} }}")
    pytl.verify(module)
    function = Pipeline([StackLayout()]).run(module)["f"]
    end = max(extent_of(op)[1] for op in function.walk())
    assert function.attributes == {STACK_SIZE: end + needed - DEFAULT_ALIGNMENT, STACK_ALIGNMENT: needed}
    assert all(extent_of(op)[0] % given == 0 for op, given in zip(function.walk(), alignments))


def test_gaps_between_columns_count():
    assert layout("%t = alloca : memref<f32x4x3,strided<1,8>>")[0] == {"t": (0, 80)}


def test_a_function_without_allocas_has_no_stack():
    assert layout("axpby.n %x, %a, %x, %a") == ({}, None)


def live_pairs(region, live, found):
    """Every two allocas that live at once, by a walk that knows nothing of places."""
    live = list(live)
    for op in region.operations:
        if isinstance(op, Alloca):
            found += [(op, other) for other in live]
            live.append(op)
        elif isinstance(op, LifetimeStop):
            live = [other for other in live if other.result is not root_of(op.tensor)]
        for inner in op.regions:
            live_pairs(inner, live, found)


def many_allocas(rng, names, depth=0):
    """Lines of nested regions with allocas of random sizes, alignments and ends."""
    lines, open_ = [], []
    for _ in range(rng.randrange(1, 8)):
        action = rng.randrange(4)
        if action == 0 and depth < 3:
            lines += [
                "if %p {",
                *many_allocas(rng, names, depth + 1),
                "} else {",
                *many_allocas(rng, names, depth + 1),
                "}",
            ]
        elif action == 1 and open_:
            lines.append(f"lifetime_stop {open_.pop(rng.randrange(len(open_)))}")
        else:
            name = f"%t{next(names)}"
            element, size = rng.choice([("i8", 1), ("f32", 4), ("c64", 16)])
            alignment = rng.choice(["", f"{{alignment={size * rng.choice([1, 2, 3, 4])}}}"])
            lines.append(f"{name} = alloca{alignment} : memref<{element}x{rng.randrange(1, 40)},local>")
            open_.append(name)
    return lines


@pytest.mark.at_night
@settings(deadline=None, max_examples=100)
@given(st.randoms(use_true_random=False))
def test_live_allocas_never_overlap(rng):
    text = "func @f(%p: bool) {\n" + "\n".join(many_allocas(rng, count())) + "\n}"
    module = pytl.parse(text)
    pytl.verify(module)
    check_layout(Pipeline([StackLayout()]).run(module)["f"])


@pytest.mark.parametrize("seed", range(40))
def test_live_allocas_of_whole_programs_never_overlap(seed):
    module = pytl.parse(generate(Random(seed), size=20))
    check_layout(Pipeline([InsertLifetimeStop(), StackLayout()]).run(module)["kernel"])


def check_layout(function):
    pairs = []
    live_pairs(function.body, [], pairs)
    for a, b in pairs:
        (begin_a, end_a), (begin_b, end_b) = extent_of(a), extent_of(b)
        assert end_a <= begin_b or end_b <= begin_a
    allocas = [op for op in function.walk() if isinstance(op, Alloca)]
    for op in allocas:
        begin, end = extent_of(op)
        if "alignment" in op.attributes:
            assert begin % op.attributes["alignment"] == 0
        else:
            lines = (end - 1) // DEFAULT_ALIGNMENT - begin // DEFAULT_ALIGNMENT + 1
            assert lines == -(-(end - begin) // DEFAULT_ALIGNMENT)
        assert end - begin == bytes_of(op.result.type)
        assert STACK_OFFSET in op.attributes
    end = max((extent_of(op)[1] for op in allocas), default=0)
    assert function.attributes.get(STACK_SIZE, 0) == (end and end + local_alignment(function) - DEFAULT_ALIGNMENT)
