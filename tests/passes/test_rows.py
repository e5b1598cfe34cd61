"""What is done with the rows of matrices, one instruction after the other: fused where loops have vectors along rows,
else divided."""

from __future__ import annotations

import re

import numpy as np
import pytest
from passes_kit import assert_meaning_kept, assert_stages_agree, sycl_passes, text_after

import pytl
from pytl.ops import Alloca, Foreach

HEAD = """func @f(%x: memref<f32x{n}x6>, %y: memref<f32x{n}x6>, %w: memref<f32x{n}>) {{
  %none = constant 0 : index
  %end = constant {n} : index
  %rows = constant 6 : index
  %zero = constant 0.0 : f32
  %one = constant 1.0 : f32
"""
SUM = """%s = alloca : memref<f32x6,local>
sum.t %one, %x, %zero, %s
"""
SQUARES = """%q = alloca : memref<f32x6,local>
foreach (%t) = (%none), (%rows) {
  %m = load %s[%t] : f32
  %p = for %i = %none, %end init(%c=%one) -> (f32) {
    %e = load %x[%i, %t] : f32
    %d = arith.sub %e, %m : f32
    %u = arith.mul %d, %d : f32
    %v = arith.add %c, %u : f32
    yield (%v)
  } {"any_order"=true}
  store %p, %q[%t]
}
"""
SCALED = """foreach (%i, %t) = (%none, %none), (%end, %rows) {
  %e = load %x[%i, %t] : f32
  %m = load %s[%t] : f32
  %v = load %q[%t] : f32
  %f = arith.div %one, %v : f32
  %d = arith.sub %e, %m : f32
  %a = arith.mul %d, %f : f32
  %b = load %w[%i] : f32
  %r = arith.mul %a, %b : f32
  store %r, %y[%i, %t]
}
"""
DOUBLED = """foreach (%i, %t) = (%none, %none), (%end, %rows) {
  %e = load %x[%i, %t] : f32
  %d = arith.add %e, %e : f32
  store %d, %y[%i, %t]
}
"""
OF_DOUBLED = """foreach (%t) = (%none), (%rows) {
  %p = for %i = %none, %end init(%c=%one) -> (f32) {
    %e = load %y[%i, %t] : f32
    %v = arith.add %c, %e : f32
    yield (%v)
  } {"any_order"=true}
  store %p, %y[%none, %t]
}
"""


def text(*parts: str, n: int = 40) -> str:
    return f"{HEAD.format(n=n)}{''.join(parts)}}}"


def loops(module: str) -> tuple[int, int, int]:
    """How many `foreach`, loops and allocations a text has."""
    return tuple(len(re.findall(rf"\b{word}\b", module)) for word in ("foreach", r"for(?! each)", "alloca"))  # type: ignore[return-value]


def fused(*parts: str, n: int = 40, **options: object) -> str:
    """What is fused for a processor with vectors of eight numbers; all stages agree."""
    whole = text(*parts, n=n)
    generator = np.random.default_rng(1)
    sizes = ((n, 6), (n, 6), (n,))
    arguments = [np.asfortranarray(generator.random(size, np.float32)) for size in sizes]
    assert_stages_agree(whole, {"processor": "avx2", **options}, arguments, 1)
    return text_after("fuse-rows", whole, processor="avx2", **options)


def test_a_norm_is_one_foreach_over_rows() -> None:
    module = fused(SUM, SQUARES, SCALED)
    assert loops(module) == (1, 3, 0)
    # what is the same along a row is in front of the loop
    assert module.index("arith.div") < module.rindex("for %") < module.rindex("store")


def test_loops_that_do_not_wait_for_each_other_are_one() -> None:
    module = fused(DOUBLED, OF_DOUBLED)
    assert loops(module) == (1, 1, 0)
    assert "load %y" not in module


@pytest.mark.parametrize("n", [19, 33, 64, 200])
def test_rows_of_any_length(n: int) -> None:
    # rows of less than two vectors are not worth it
    assert loops(fused(SUM, SQUARES, SCALED, n=n))[0] == (1 if n >= 16 else 3)


def test_what_needs_another_row_stays() -> None:
    of_another = SQUARES.replace("%m = load %s[%t]", "%o = arith.sub %rows, %t : index\n%l = constant 1 : index\n"
                                 "%k = arith.sub %o, %l : index\n%m = load %s[%k]")  # fmt: skip
    assert "sum.t" in fused(SUM, of_another, SCALED)


def test_arrays_that_overlap_stay_apart() -> None:
    from pytl.ops.launch_defaults import OVERLAPPING

    assert loops(text_after("fuse-rows", text(DOUBLED, OF_DOUBLED), processor="avx2", **{OVERLAPPING: True}))[0] == 2


def test_sums_in_order_stay_as_they_are() -> None:
    assert "sum.t" in fused(SUM, SQUARES.replace(' {"any_order"=true}', ""), SCALED)
    assert loops(fused(SUM, SQUARES.replace(' {"any_order"=true}', ""), SCALED, fastmath=True))[0] == 1


# Partial results.

REDUCED = """foreach (%t) = (%none), (%rows) {{
  %begin = load %y[%none, %t] : f32
  %p = for %i = %first, %end init(%c=%begin) -> (f32) {{
    %e = load %x[%i, %t] : f32
    %u = arith.mul %e, %e : f32
    {op}
    yield (%v)
  }} {{"any_order"=true}}
  store %p, %y[%none, %t]
}}
"""
LARGEST = """%g = cmp.gt %c, %u : bool
%l = if %g -> (f32) {
  yield (%c)
} else {
  yield (%u)
}
%n = cmp.ne %c, %c : bool
%v = if %n -> (f32) {
  yield (%c)
} else {
  yield (%l)
}"""


def divided(op: str, n: int, first: int) -> str:
    return text(f"%first = constant {first} : index\n", REDUCED.format(op=op), n=n)


@pytest.mark.parametrize("op", [*(f"%v = arith.{word} %c, %u : f32" for word in ("add", "mul", "min", "max")), LARGEST])
@pytest.mark.parametrize(("n", "first"), [(64, 0), (77, 0), (150, 3)])
def test_a_loop_has_partial_results(op: str, n: int, first: int) -> None:
    passes = [each for each in sycl_passes(strategy="many-items") if each.name != "vectorize"]
    count = [each.name for each in passes].index("divide-rows") + 1
    module = assert_meaning_kept(divided(op, n, first), *passes[:count], exact=False, groups=1)
    (memory,) = (op.result for op in module.functions[0].walk() if isinstance(op, Alloca))
    assert memory.type.shape == (16, 6)
    assert [len(each.variables) for each in module.functions[0].walk() if isinstance(each, Foreach)] == [2, 1]


def test_short_loops_and_such_in_order_have_none() -> None:
    for whole in (divided(LARGEST, 40, 0), divided(LARGEST, 90, 0).replace('{"any_order"=true}', "")):
        assert "alloca" not in text_after("divide-rows", whole, strategy="many-items")


def test_what_costs_much_is_computed_once_a_row() -> None:
    scaled = SCALED.replace("%q[%t]", "%y[%none, %t]").replace("%s[%t]", "%w[%t]").replace("%y[%i", "%x[%i")
    passes = sycl_passes(strategy="many-items")
    count = [each.name for each in passes].index("divide-rows") + 1
    module = assert_meaning_kept(text(scaled), *passes[:count], groups=1)
    once, each = (op for op in module.functions[0].walk() if isinstance(op, Foreach))
    assert (len(once.variables), len(each.variables)) == (1, 2)
    assert "arith.div" in map(str, (op.word for op in once.body.walk()))


def test_no_memory_is_allocated_where_there_are_no_rows() -> None:
    whole = """func @f(%x: memref<f32x8x6>, %s: f32) {
      %none = constant 0 : index
      %n = constant 8 : index
      foreach (%i, %t) = (%none, %none), (%n, %none) {
        %c = arith.div %s, %s : f32
        store %c, %x[%i, %t]
      }
    }"""
    assert "alloca" not in text_after("divide-rows", whole)
    assert "alloca" in text_after("divide-rows", whole.replace("(%n, %none)", "(%n, %n)"))


@pytest.mark.parametrize("backend", ["reference", "mlir", "sycl"])
@pytest.mark.parametrize("shape", [(6, 64), (5, 100), (1, 130)])
def test_a_nan_is_the_largest_number_wherever_it_is(backend: str, shape: tuple[int, int]) -> None:
    m, n = shape
    whole, rows = f"tensor<{m}x{n}xf32>", f"tensor<{m}xf32>"
    largest = pytl.from_mlir(f"""func.func @f(%x: {whole}) -> {rows} {{
  %z = arith.constant -1.0 : f32
  %e = tensor.empty() : {rows}
  %b = linalg.fill ins(%z : f32) outs(%e : {rows}) -> {rows}
  %r = linalg.reduce {{ arith.maximumf }} ins(%x : {whole}) outs(%b : {rows}) dimensions = [1]
  return %r : {rows}
}}""")["f"]
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    for row, place in enumerate(np.linspace(0, n - 1, m, dtype=int)):
        if row % 2:
            x[row, place] = np.nan
    np.testing.assert_array_equal(np.asarray(largest(x, backend=backend)), x.max(1, initial=-1.0))
