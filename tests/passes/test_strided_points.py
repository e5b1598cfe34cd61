"""vectorize, of a foreach whose accesses go backwards or by steps: whole vectors of memory, whose lanes are sorted."""

from __future__ import annotations

import numpy as np
import pytest
from guarded_kit import at_both_ends
from passes_kit import assert_meaning_kept, assert_printed_and_read, stage, sycl_passes
from properties.execution import data_for

import pytl
from pytl.ir.values import Module
from pytl.passes.targets import vector

pytestmark = pytest.mark.at_most(6)

STEPS = (-1, -2, -3, -5, 2, 3, 4, 7, 8)
CONSTANTS = "%c0 = constant 0 : index %c1 = constant 1 : index"
HOLDS = "%w = load %v[%i] : i32 %zero = constant 0 : i32 %c = cmp.gt %w, %zero : bool"
"""Whether a point is executed."""


def extent_of(step: int, offsets: tuple[int, ...], points: int) -> int:
    """Elements from the first to the last one that is accessed."""
    return (points - 1) * abs(step) + max(offsets) + 1


def place(step: int, offset: int, points: int, name: str) -> str:
    """The index of an element, which is the first one for the first point, or for the last if points go backwards."""
    begin = offset + (0 if step > 0 else (points - 1) * -step)
    return f"""%s{name} = constant {step} : index %m{name} = arith.mul %i, %s{name} : index
      %b{name} = constant {begin} : index %{name} = arith.add %m{name}, %b{name} : index"""


def loads(
    type_: str, step: int, offsets: tuple[int, ...], points: int, static: bool = True, condition: bool = False
) -> str:
    """What is loaded at some offsets goes to columns of %b; where a point's own number is below a limit, if asked."""
    columns = "".join(
        f"""{place(step, offset, points, f"p{n}")}
        %x{n} = load %a[%p{n}] : {type_} %k{n} = constant {n} : index store %x{n}, %b[%i, %k{n}] """
        for n, offset in enumerate(offsets)
    )
    if condition:
        columns = f"{HOLDS} if %c {{ {columns} }}"
    end = f"%end = constant {points} : index" if static else "%end = size %v[0] : index"
    shape = points if static else "?"
    extent, columns_of = extent_of(step, offsets, points), len(offsets)
    return f"""func @f(%a: memref<{type_}x{extent}>, %b: memref<{type_}x{shape}x{columns_of}>,
        %v: memref<i32x{shape}>) {{
      {CONSTANTS} {end}
      foreach (%i) = (%c0), (%end) {{ {columns} }}
    }}"""


def arguments_of(text: str, points: int, static: bool, conditions: bool = False) -> list[object]:
    """Arguments of `loads`; with conditions, some points are not executed, the first and last among them."""
    data = data_for(pytl.parse(text).functions[0], 3, 1, {"": points})
    given = [np.array(each) for each in data]
    given[2][:] = 1
    if conditions:
        given[2][::3] = -1
        given[2][-1] = -1
    return given


def vectorized(text: str, arguments: list[object] | None = None, processor: str = "avx512") -> Module:
    module = assert_meaning_kept(text, *sycl_passes(processor=processor), arguments=arguments, groups=1)
    assert_printed_and_read(module)
    return module


def count(module: Module, kind: type) -> int:
    return sum(isinstance(op, kind) for op in module.functions[0].walk())


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("type_", ["f32", "f64", "i32"])
@pytest.mark.parametrize("points", [3, 16, 37])
@pytest.mark.parametrize("static", [True, False])
@pytest.mark.parametrize("processor", ["avx512", "avx2", "zen4"])
def test_loads_by_steps(step: int, type_: str, points: int, static: bool, processor: str) -> None:
    """The tensor has no element beyond those that are loaded, and the oracle checks bounds of all lanes."""
    text = loads(type_, step, (0,), points, static)
    vectorized(text, arguments_of(text, points, static), processor)


@pytest.mark.parametrize("points", [16, 37])
@pytest.mark.parametrize("static", [True, False])
@pytest.mark.parametrize(
    ("step", "offsets"),
    [(2, (0, 1)), (2, (1, 0)), (3, (0, 2)), (3, (2, 1, 0)), (-2, (0, 1)), (-3, (0, 1)), (4, (1, 3))],
)
def test_loads_that_lie_among_each_other_share_vectors(
    step: int, offsets: tuple[int, ...], points: int, static: bool
) -> None:
    text = loads("f32", step, offsets, points, static)
    module = vectorized(text, arguments_of(text, points, static))
    assert count(module, vector.Gather) == 0
    first = loads("f32", step, offsets[:1], points, static)
    alone = vectorized(first, arguments_of(first, points, static))
    assert count(module, vector.Load) - count(alone, vector.Load) <= 2


@pytest.mark.parametrize("points", [16, 37])
@pytest.mark.parametrize("static", [True, False])
@pytest.mark.parametrize(("step", "offsets"), [(-1, (0,)), (2, (0,)), (3, (0, 1)), (2, (0, 1)), (-2, (1,))])
def test_lanes_that_are_not_active_load_nothing(step: int, offsets: tuple[int, ...], points: int, static: bool) -> None:
    text = loads("f32", step, offsets, points, static, True)
    module = vectorized(text, arguments_of(text, points, static, True))
    assert count(module, vector.Gather) == 0


@pytest.mark.parametrize("points", [3, 16, 37])
@pytest.mark.parametrize("static", [True, False])
@pytest.mark.parametrize("condition", [False, True])
@pytest.mark.parametrize("processor", ["avx512", "avx2"])
@pytest.mark.parametrize("step", [-1, 2, 3, -2])
@pytest.mark.parametrize("type_", ["f32", "f64", "i8", "c32"])
def test_stores_by_steps(step: int, type_: str, points: int, static: bool, condition: bool, processor: str) -> None:
    """All elements of a step are stored, so that they are whole vectors of memory."""
    offsets = tuple(range(abs(step)))
    stores = "".join(
        f"""{place(step, offset, points, f"p{offset}")} %k{offset} = constant {offset} : index
        %x{offset} = load %b[%i, %k{offset}] : {type_} store %x{offset}, %a[%p{offset}] """
        for offset in offsets
    )
    if condition:
        stores = f"{HOLDS} if %c {{ {stores} }}"
    text = loads(type_, step, offsets, points, static)
    text = f"{text[: text.index('{ ', text.index('foreach'))]}{{ {stores} }}\n}}"
    module = vectorized(text, arguments_of(text, points, static, condition), processor)
    if step in (-1, 2) and type_ == "f32" and points > 3:
        assert count(module, vector.Scatter) == 0


def test_a_store_of_some_elements_alone_leaves_those_between() -> None:
    text = f"""func @f(%a: memref<f32x64>, %b: memref<f32x32>) {{
      {CONSTANTS} %n = constant 32 : index %two = constant 2 : index
      foreach (%i) = (%c0), (%n) {{ %j = arith.mul %i, %two : index %x = load %b[%i] : f32 store %x, %a[%j] }}
    }}"""
    assert count(vectorized(text), vector.Scatter) == 2


def test_stores_stay_apart_where_what_they_store_is_loaded_between() -> None:
    text = f"""func @f(%a: memref<f32x64>, %b: memref<f32x32>) {{
      {CONSTANTS} %n = constant 32 : index %two = constant 2 : index
      foreach (%i) = (%c0), (%n) {{
        %j = arith.mul %i, %two : index %k = arith.add %j, %c1 : index %x = load %b[%i] : f32
        store %x, %a[%j] %y = load %a[%k] : f32 %z = arith.add %y, %y : f32 store %z, %a[%k]
      }}
    }}"""
    assert count(vectorized(text), vector.Scatter) == 4


def test_memory_between_need_not_hold_values() -> None:
    """Every other element of local memory was never stored."""
    text = f"""func @f(%b: memref<f32x32>) {{
      {CONSTANTS} %n = constant 32 : index %two = constant 2 : index %t = alloca : memref<f32x63,local>
      foreach (%i) = (%c0), (%n) {{ %j = arith.mul %i, %two : index %x = load %b[%i] : f32 store %x, %t[%j] }}
      foreach (%i) = (%c0), (%n) {{ %j = arith.mul %i, %two : index %x = load %t[%j] : f32 store %x, %b[%i] }}
    }}"""
    assert any(isinstance(op, vector.Load) and op.used for op in vectorized(text).functions[0].walk())


def test_numbers_with_a_step_are_data_too() -> None:
    """The lanes of an index that has a step are computed where it is stored, also in a narrower type."""
    text = f"""func @f(%a: memref<i64x37>, %b: memref<i8x37>, %n: index) {{
      {CONSTANTS} %end = constant 37 : index %five = constant -5 : index
      foreach (%i) = (%c0), (%end) {{
        %j = arith.mul %five, %i : index %k = arith.sub %n, %j : index %l = arith.neg %k : index
        %m = arith.add %l, %i : index %x = cast %m : i64 %y = cast %l : i8 store %x, %a[%i] store %y, %b[%i]
      }}
    }}"""
    assert count(vectorized(text), vector.Step) > 0


def test_reversed_and_interleaved_accesses_as_text(golden: object) -> None:
    text = f"""func @f(%a: memref<f32x37>, %b: memref<f32x74>, %c: memref<f32x74>) {{
      {CONSTANTS} %n = constant 37 : index %two = constant 2 : index %last = arith.sub %n, %c1 : index
      foreach (%i) = (%c0), (%n) {{
        %r = arith.sub %last, %i : index %x = load %a[%r] : f32
        %j = arith.mul %i, %two : index %k = arith.add %j, %c1 : index
        %y = load %b[%j] : f32 %z = load %b[%k] : f32
        %s = arith.add %y, %z : f32 %t = arith.mul %s, %x : f32
        store %t, %c[%j] store %y, %c[%k]
      }}
    }}"""
    golden("vectorize/points_by_steps.txt", stage(text, "vectorize", 1) + "\n")  # type: ignore[operator]


# The machine's own code, with memory around that must not be touched.


def kernels(step: int, offsets: tuple[int, ...], points: int, type_: str, condition: bool) -> pytl.Kernel:
    return pytl.compile(loads(type_, step, offsets, points, False, condition))["f"]


@pytest.mark.parametrize("type_", ["f32", "f64", "i8"])
@pytest.mark.parametrize("points", [5, 16, 37])
@pytest.mark.parametrize(("step", "offsets"), [(-1, (0,)), (2, (0,)), (3, (0, 2)), (2, (0, 1)), (-2, (0,)), (8, (0,))])
@pytest.mark.parametrize("condition", [False, True])
@pytest.mark.parametrize("backend", ["sycl", pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))])
def test_nothing_beyond_the_argument_is_loaded(
    type_: str, points: int, step: int, offsets: tuple[int, ...], condition: bool, backend: str
) -> None:
    kernel = kernels(step, offsets, points, type_, condition)
    dtype = np.dtype({"f32": "f4", "f64": "f8", "i8": "i1"}[type_])
    memory = np.arange(extent_of(step, offsets, points)).astype(dtype)
    chosen = np.ones(points, np.int32)
    if condition:
        chosen[::3] = chosen[-1] = -1
    begin = 0 if step > 0 else (points - 1) * -step
    expected = np.zeros((points, len(offsets)), dtype, order="F")
    for column, offset in enumerate(offsets):
        found = memory[[begin + step * i + offset for i in range(points)]]
        expected[:, column] = np.where(chosen > 0, found, 0)
    for array in at_both_ends(memory):
        results = []
        for used in ("reference", backend):
            result = np.zeros_like(expected)
            kernel[1](array, result, chosen, backend=used)
            results.append(result)
        np.testing.assert_array_equal(results[0], expected)
        np.testing.assert_array_equal(results[1], expected)


@pytest.mark.parametrize("points", [5, 16, 37])
@pytest.mark.parametrize("type_", ["f32", "f64", "i8"])
@pytest.mark.parametrize("condition", [False, True])
@pytest.mark.parametrize("backend", ["sycl", pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))])
def test_nothing_beyond_the_argument_is_stored(points: int, type_: str, condition: bool, backend: str) -> None:
    """What is reversed, and pairs."""
    opened, closed = (f"{HOLDS} if %c {{", "}") if condition else ("", "")
    kernel = pytl.compile(f"""func @f(%a: memref<{type_}x?>, %b: memref<{type_}x?>, %d: memref<{type_}x?>,
        %v: memref<i32x?>) {{
      {CONSTANTS} %n = size %a[0] : index %two = constant 2 : index %last = arith.sub %n, %c1 : index
      foreach (%i) = (%c0), (%n) {{
        {opened}
        %r = arith.sub %last, %i : index %x = load %a[%i] : {type_} store %x, %b[%r]
        %j = arith.mul %i, %two : index %k = arith.add %j, %c1 : index store %x, %d[%j] store %x, %d[%k]
        {closed}
      }}
    }}""")["f"]
    dtype = np.dtype({"f32": "f4", "f64": "f8", "i8": "i1"}[type_])
    a, chosen = (np.arange(points) + 1).astype(dtype), np.ones(points, np.int32)
    if condition:
        chosen[::3] = chosen[-1] = -1
    kept = np.where(chosen > 0, a, 0).astype(dtype)
    for used in ("reference", backend):
        for b, c in zip(at_both_ends(np.zeros(points, dtype)), at_both_ends(np.zeros(2 * points, dtype))):
            kernel[1](a, b, c, chosen, backend=used)
            np.testing.assert_array_equal(b, kept[::-1])
            np.testing.assert_array_equal(c, np.repeat(kept, 2))
