"""Products of many work-groups: some are interleaved, some are left over, and later ones are prefetched.

Every kernel is launched with a few work-groups, and with so many that their memory is more than a cache holds.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from unittest import mock

import numpy as np
import pytest
from differential.cases import BOUNDS, EXACT, NEEDS_SYCL, Batch, Case, each, literal, small, strided
from reference_kit import COMPLEX, FLOATS, INTEGERS
from sampling import at_night

import pytl

pytestmark = [NEEDS_SYCL, pytest.mark.at_most(4)]

FEW, MANY = 11, 131
"""Work-groups: no multiples of anything. So many as these let arrays of a megabyte exceed the cache."""
RNG = np.random.default_rng(17)
SIZES = (1, 3, 5, 15, 16, 17, 31, 33)
"""Around the lengths of vectors."""


def number(value: complex, type_: str) -> Any:
    return complex(value) if type_ in COMPLEX else float(value.real) if type_ in FLOATS else int(value.real)


def tensor(name: str, type_: str, shape: Sequence[int], layout: str, groups: int) -> tuple[str, Any, str]:
    """A matrix of each work-group's own: the type of the parameter, its argument, and how a work-group gets it."""
    m, n = shape
    first = 2 if layout == "rows apart" else 1
    second = first * m + (0 if layout in ("packed", "item", "shared") else 3)
    values = small(RNG, type_, m, n, groups)
    matrix = f"memref<{type_}x{m}x{n},strided<{first},{second}>>"
    if layout == "shared":
        return matrix, values[:, :, 0].copy("F"), f"%{name} = subview %{name}s[0:{m}, 0:{n}] : {matrix}"
    if layout == "item":
        items = [values[:, :, k].copy("F") for k in range(groups)]
        return f"group<{matrix}x?>", items, f"%{name} = load %{name}s[%g] : {matrix}"
    whole = f"memref<{type_}x{m}x{n}x?,strided<{first},{second},{second * n + 5}>>"
    piece = f"0:{m}, 0:{n}"
    if layout == "dynamic":
        whole, piece = f"memref<{type_}x?x?x?,strided<1,?,?>>", ":, :"
        matrix = f"memref<{type_}x?x?,strided<1,?>>"
    array = strided(values, (first, second, second * n + 5))
    return whole, array, f"%{name} = subview %{name}s[{piece}, %g] : {matrix}"


POINTS = """
      %zero = constant 0 : index
      %rows = constant {m} : index
      %columns = constant {n} : index
      foreach (%i, %j) = (%zero, %zero), (%rows, %columns) {{
        %y = load %c[%i, %j] : {t}
        %w = load %vs[%i] : {t}
        %p = arith.mul %y, %w : {t}
        %r = arith.sub %p, %w : {t}
        store %r, %c[%i, %j]
      }}"""


def product(
    types: tuple[str, str, str],
    transposes: str,
    shape: tuple[int, int, int],
    layouts: tuple[str, str, str],
    alpha: complex,
    beta: complex,
    groups: int,
    has_points: bool = False,
    scale_a: int = 1,
) -> Case:
    """C := alpha op(A) op(B) + beta C, for matrices of each work-group's own; C is full of nans where beta is 0."""
    m, n, k = shape
    ta, tb = transposes
    shapes = {"a": (m, k) if ta == "n" else (k, m), "b": (k, n) if tb == "n" else (n, k), "c": (m, n)}
    parameters: dict[str, tuple[str, Any]] = {}
    lines = ["%g = builtin.group_id : index"]
    for (name, sizes), type_, layout in zip(shapes.items(), types, layouts):
        declared, value, line = tensor(name, type_, sizes, layout, groups)
        if name == "a" and scale_a != 1:
            value *= value.dtype.type(scale_a)
        parameters[f"{name}s"] = (declared, value)
        lines.append(line)
    if beta == 0 and types[2] not in INTEGERS:
        for array in value if isinstance(value, list) else [value]:
            array[...] = np.nan
    scale = types[0] if types[0] == types[1] else "i8"
    lines.append(f"%alpha = constant {literal(number(alpha, scale), scale)} : {scale}")
    lines.append(f"%beta = constant {literal(number(beta, types[2]), types[2])} : {types[2]}")
    lines.append(f"gemm.{ta}.{tb} %alpha, %a, %b, %beta, %c")
    if has_points:
        parameters["vs"] = (f"memref<{types[2]}x{m}>", small(RNG, types[2], m))
        lines.append(POINTS.format(m=m, n=n, t=types[2]))
    of = "-".join(dict.fromkeys(types))
    name = f"{of}-{transposes}-{m}x{n}x{k}-{','.join(layouts)}-{alpha},{beta}{'-points' if has_points else ''}"
    return Case(name, parameters, "\n".join(lines), BOUNDS["complex products"] if types[2] in COMPLEX else EXACT)


TYPES = ("f32", "f64", "f16", "bf16", "c32", "c64", "i8", "i16", "i32", "i64")
MIXED = (
    ("f16", "f16", "f32"),
    ("bf16", "f32", "f32"),
    ("f32", "f32", "f64"),
    ("i8", "i8", "i32"),
    ("i16", "f32", "f32"),
    ("f32", "c32", "c64"),
    ("f16", "f16", "f64"),
    ("bf16", "bf16", "bf16"),
)
LAYOUTS = (
    ("item", "shared", "packed"),
    ("padded", "packed", "padded"),
    ("shared", "item", "item"),
    ("rows apart", "padded", "packed"),
    ("packed", "rows apart", "padded"),
    ("dynamic", "dynamic", "dynamic"),
    ("packed", "shared", "item"),
)
SCALARS = ((1, 0), (1, 1), (-1, 2), (2, 0), (3, -1))


def cases(groups: int) -> Iterator[Case]:
    """All transposes of all types; sizes, layouts and factors by turns."""
    rows = itertools.cycle(SIZES)
    columns = itertools.cycle(SIZES[2:] + SIZES[:3])
    depths = itertools.cycle((9, 1, 16, 4, 17))
    layouts, scalars = itertools.cycle(LAYOUTS), itertools.cycle(SCALARS)
    turns, transposed = itertools.cycle((True, False, False)), itertools.cycle(("nn", "tt", "tn", "nt"))
    for types in (*((type_,) * 3 for type_ in TYPES), *MIXED):
        count = 4 if types[2] in ("f32", "f64") else 2
        for transposes in itertools.islice(transposed, count if types[0] == types[2] else 1):
            layout = next(layouts)
            shape = (next(rows), min(next(columns), 17), next(depths))
            has_points = next(turns) and "dynamic" not in layout
            yield product(types, transposes, shape, layout, *next(scalars), groups, has_points)


OPTIONS: tuple[Mapping[str, Any], ...] = (
    {},
    {"interleave": 2, "prefetch": 5},
    {"items": 1},
    {"interleave": 4, "items": 8, "tile": "+".join(["1x2u2", "auto", "2x3", "1x1u3"] * 4)},
    {"interleave": 3},
    {"interleave": 1, "prefetch": 1},
)
A_KERNEL = 5
"""Cases."""


def products(name: str, found: Sequence[Case], groups: int) -> list[Batch]:
    """Cases as kernels, each of which gets other options; cases of all types are in each."""
    count = -(-len(found) // A_KERNEL)
    options = itertools.cycle(OPTIONS)
    return [Batch(name, found[k::count], groups, options=next(options)) for k in range(count)]


OF_FEW, OF_MANY = (products(f"{groups} work-groups", [*cases(groups)], groups) for groups in (FEW, MANY))
BATCHES = [*OF_FEW, *OF_MANY]


@pytest.mark.at_most(1)
@each([*OF_FEW[::2], *OF_MANY[1::4], *at_night([*OF_FEW[1::2], *(b for k, b in enumerate(OF_MANY) if k % 4 != 1)])])
def test_products(batch: Batch, case: Case) -> None:
    assert batch.differences(case, "one-item") == []


@pytest.mark.at_night
def test_what_is_tested() -> None:
    """Kernels of one to four work-groups, and some whose memory is more than a cache holds."""
    shown = [batch.kernel.ir("cpu-items", **batch.options) for batch in BATCHES]
    assert all("cpu.kernel" in text for text in shown)
    assert {count for text in shown for count in "234" if f'"interleave"={count}}}' in text} == set("234")
    prefetching = [batch for batch, text in zip(BATCHES, shown) if " prefetching if %" in text]
    large = [batch for batch in prefetching if bytes_of(batch) > 2_000_000]
    assert len(large) > 1


def bytes_of(batch: Batch) -> int:
    given = [value for case in batch.cases for _, value in case.parameters.values()]
    return sum(array.nbytes for value in given for array in (value if isinstance(value, list) else [value]))


# What depends on the order in which tiles and work-groups are computed.

IN_PLACE = """
      %none = constant 0.0 : f32
      %one = constant 1.0 : f32
      %g = builtin.group_id : index
      %x = subview %xs[0:{m}, 0:3, %g] : memref<f32x{m}x3>
      %t = alloca : memref<f32x{m}x3,local>
      gemm.n.n %one, %b, %x, %none, %t
      gemm.n.n %one, %t, %c, %one, %x"""


def chain(m: int) -> Case:
    """The last product writes what the first one reads as a whole."""
    xs = small(RNG, "f32", m, 3, FEW)
    parameters = {"xs": (f"memref<f32x{m}x3x?>", xs)}
    for name, rows, columns in (("b", m, m), ("c", 3, 3)):
        parameters[name] = (f"memref<f32x{rows}x{columns}>", small(RNG, "f32", rows, columns))
    return Case(f"a chain in place of {m} rows", parameters, IN_PLACE.format(m=m))


def overlapping(transposes: str) -> Case:
    ta, tb = transposes
    body = f"""
      %one = constant 1.0 : f64
      %two = constant 2.0 : f64
      %g = builtin.group_id : index
      %x = load %xs[%g] : memref<f64x9x14>
      %left = subview %x[0:9, 0:9] : memref<f64x9x9>
      %right = subview %x[0:9, 5:9] : memref<f64x9x9>
      gemm.{ta}.{tb} %two, %left, %right, %one, %right
      gemm.{tb}.{ta} %one, %left, %left, %two, %left"""
    xs = [small(RNG, "f64", 9, 14) for _ in range(FEW)]
    return Case(f"factors that overlap the result, {transposes}", {"xs": ("group<memref<f64x9x14>x?>", xs)}, body)


def halves(type_: str) -> Case:
    """A result that is rounded before what follows sees it."""
    shape, layouts = (17, 5, 17), ("packed", "shared", "packed")
    return product((type_,) * 3, "nn", shape, layouts, 1, 0, FEW, has_points=True, scale_a=37)


ORDERED = [
    Batch("interleaved", [chain(9), chain(32), halves("f16")], FEW, options={"items": 8, "interleave": 4}),
    Batch("small tiles", [chain(9), chain(32), halves("bf16")], FEW, options={"tile": "+".join(["1x2"] * 9)}),
    Batch("by default", [chain(33), *map(overlapping, ("nn", "tn", "nt"))], FEW),
    # what would be interleaved writes one and the same array, which is right where there is one work-group
    Batch("one work-group", [product(("f32",) * 3, "nt", (17, 5, 9), ("shared",) * 3, 1, 0, 1, has_points=True)]),
]


@pytest.mark.at_night
@each(ORDERED)
def test_what_is_read_before_it_is_written(batch: Batch, case: Case) -> None:
    assert batch.differences(case, "one-item") == []


ADDED = """func @f(%a: memref<f32x8x4>, %b: memref<f32x4x3>, %c: memref<f32x8x3>, %y: memref<f32x8x3>) {
  %zero = constant 0 : index
  %m = constant 8 : index
  %n = constant 3 : index
  gemm.n.n 1.0, %a, %b, 0.0, %c
  foreach (%i, %j) = (%zero, %zero), (%m, %n) {
    %p = load %c[%i, %j] : f32
    %q = load %y[%i, %j] : f32
    %r = arith.add %p, %q : f32
    store %r, %c[%i, %j]
  }
}"""


def test_a_result_that_is_passed_as_what_is_added_to_it_too() -> None:
    a, b, c = (small(RNG, "f32", *shape) for shape in ((8, 4), (4, 3), (8, 3)))
    pytl.compile(ADDED)["f"][1](a, b, c, c, backend="sycl")
    assert np.array_equal(c, 2 * (a @ b))


# Work-groups whose matrices have different sizes.


def sizes_of_their_own() -> list[Case]:
    b = ("memref<f32x3x4>", small(RNG, "f32", 3, 4))
    items = {
        "as": ("group<memref<f32x?x3>x?>", [small(RNG, "f32", 1 + 3 * k, 3) for k in range(FEW)]),
        "b": b,
        "cs": ("group<memref<f32x?x4>x?>", [small(RNG, "f32", 1 + 3 * k, 4) for k in range(FEW)]),
    }
    views = {
        "as": ("memref<f32x40x3>", small(RNG, "f32", 40, 3)),
        "b": b,
        "cs": ("memref<f32x40x4x?>", small(RNG, "f32", 40, 4, FEW)),
    }
    of_items = """
      %g = builtin.group_id : index
      %a = load %as[%g] : memref<f32x?x3>
      %c = load %cs[%g] : memref<f32x?x4>
      %one = constant 1.0 : f32
      gemm.n.n %one, %a, %b, %one, %c"""
    of_views = """
      %g = builtin.group_id : index
      %one = constant 1.0 : f32
      %next = constant 1 : index
      %n = arith.add %g, %next : index
      %a = subview %as[0:%n, 0:3] : memref<f32x?x3>
      %c = subview %cs[0:%n, 0:4, %g] : memref<f32x?x4>
      gemm.n.n %one, %a, %b, %one, %c"""
    return [Case("items of groups", items, of_items), Case("views", views, of_views)]


@pytest.mark.at_most(1)
@each([Batch("sizes of their own", sizes_of_their_own(), FEW, options={"items": 8, "interleave": 4})])
def test_sizes_of_their_own(batch: Batch, case: Case) -> None:
    assert batch.differences(case, "one-item") == []


# Registers of 32 bytes, as processors with AVX2 have them.


@pytest.mark.at_night
def test_narrow_registers() -> None:
    text = """func @f(%a: group<memref<f32x17x9>x?>, %b: memref<f32x9x5>, %c: memref<f32x17x5x?>,
            %d: memref<f64x9x17>, %e: memref<f64x9x9x?>, %s: memref<f32x17x?>, %v: memref<f64x101x?>) {
      %g = builtin.group_id : index
      %zero = constant 0 : index
      %end = constant 101 : index
      %x = load %a[%g] : memref<f32x17x9>
      %y = subview %c[0:17, 0:5, %g] : memref<f32x17x5>
      %z = subview %e[0:9, 0:9, %g] : memref<f64x9x9>
      %r = subview %s[0:17, %g] : memref<f32x17>
      gemm.n.n 2.0, %x, %b, 1.0, %y
      gemm.n.t 1.0, %d, %d, -1.0, %z
      sum.n 1.0, %x, 1.0, %r
      foreach (%i) = (%zero), (%end) {
        %p = load %v[%i, %g] : f64
        %q = arith.mul %p, %p : f64
        store %q, %v[%i, %g]
      }
    }"""
    groups = 7
    shapes = {
        "b": (9, 5),
        "c": (17, 5, groups),
        "d": (9, 17),
        "e": (9, 9, groups),
        "s": (17, groups),
        "v": (101, groups),
    }
    given = {name: small(RNG, "f64" if name in "dev" else "f32", *shape) for name, shape in shapes.items()}
    a = [small(RNG, "f32", 17, 9) for _ in range(groups)]
    expected = {
        "c": given["c"] + 2 * np.stack([x @ given["b"] for x in a], axis=2),
        "e": (given["d"] @ given["d"].T)[:, :, None] - given["e"],
        "s": given["s"] + np.stack([x.sum(axis=1) for x in a], axis=1),
        "v": given["v"] ** 2,
    }
    kernel = pytl.compile(text)["f"]
    with mock.patch("pytl.backends.numba_dpex.backend.vector_bytes", return_value=32) as width:
        kernel[groups, {"strategy": "one-item"}](a, *given.values(), backend="sycl")
    assert width.called
    for name, array in expected.items():
        assert np.array_equal(given[name], array), name


@pytest.mark.at_night
@each(products("of 32 bytes", [*cases(FEW)][::4], FEW)[:2])
def test_products_in_narrow_registers(batch: Batch, case: Case) -> None:
    with mock.patch("pytl.backends.numba_dpex.backend.vector_bytes", return_value=32):
        assert batch.differences(case, "one-item") == []
