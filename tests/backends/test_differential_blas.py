"""gemm and axpby in every form: the SYCL backend against the reference."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from backends.differential import (
    BOUNDS,
    COPIED,
    EXACT,
    NEEDS_SYCL,
    STRATEGIES,
    Batch,
    Bound,
    Case,
    batches,
    each,
    literal,
    small,
    strided,
    uneven,
)
from reference_kit import COMPLEX, FLOATS

from pytl.ir.types import SCALAR_TYPES, promote

pytestmark = NEEDS_SYCL

TYPES = list(SCALAR_TYPES)
TRANSPOSES = ["nn", "nt", "tn", "tt"]
LAYOUTS = ("packed", "columns apart", "dynamic", "dynamic sizes", "gaps everywhere")
RNG = np.random.default_rng(3)


def laid_out(values: np.ndarray, type_: str, layout: str) -> tuple[str, np.ndarray]:
    """The type of a parameter for values in a layout, and the array."""
    shape = "".join(f"x{n}" for n in values.shape)
    dynamic = "x?" * values.ndim
    order = values.ndim
    strides, least = [], 2 if layout in ("gaps everywhere", "dynamic") else 1
    for extent in values.shape:
        strides.append(least)
        least = least * extent + 3
    if layout == "packed" or not order:
        return f"memref<{type_}{shape}>", values
    if layout == "dynamic sizes":
        return f"memref<{type_}{dynamic},strided<{','.join(['1', *'?' * (order - 1)])}>>", values
    text = ",".join(map(str, strides))
    if layout == "dynamic":
        return f"memref<{type_}{dynamic},strided<{','.join('?' * order)}>>", strided(values, strides)
    return f"memref<{type_}{shape},strided<{text}>>", strided(values, strides)


def factor(name: str, value: Any, type_: str, known: bool) -> tuple[dict[str, Any], str]:
    """A factor as a parameter, or as a constant: the parameters for it, and its definition."""
    if not known:
        return {name: (type_, value)}, ""
    return {}, f"%{name} = constant {literal(value, type_)} : {type_}\n"


def number(value: complex, type_: str) -> Any:
    if type_ in COMPLEX:
        return complex(value)
    return float(value.real) if type_ in FLOATS else int(value.real)


Types = tuple[str, str, str]
"""The element types of the operands, the last that of the result."""


def gemm_case(
    transposes: str,
    types: Types,
    shape: tuple[int, int, int],
    alpha: complex = 1,
    beta: complex = 0,
    *,
    layout: str = "packed",
    known: bool = True,
    flag: str = "",
    numbers: Any = small,
    bound: Bound = EXACT,
    factors: tuple[str, str] | None = None,
    undefined: bool = False,
) -> Case:
    """`undefined` fills C with nan, of which a beta of zero leaves nothing."""
    m, n, k = shape
    ta, tb = transposes
    a = numbers(RNG, types[0], *((m, k) if ta == "n" else (k, m)))
    b = numbers(RNG, types[1], *((k, n) if tb == "n" else (n, k)))
    c = numbers(RNG, types[2], m, n)
    if undefined:
        c[...] = np.nan
    type_alpha, type_beta = factors or (_narrower(types), types[2])
    parameters: dict[str, Any] = {}
    body = ""
    for name, value, type_ in (("alpha", alpha, type_alpha), ("beta", beta, type_beta)):
        more, line = factor(name, number(value, type_), type_, known)
        parameters |= more
        body += line
    parameters |= {
        name: laid_out(values, type_, layout) for name, values, type_ in zip("abc", (a, b, c), types, strict=True)
    }
    body += f"gemm.{ta}.{tb}{flag} %alpha, %a, %b, %beta, %c"
    of = types[2] if len(set(types)) == 1 else "·".join(types[:2]) + "→" + types[2]
    shown = f"{of}-{ta}{tb}-{m}x{n}x{k}-{alpha},{beta}{' ' * (not known)}{'' if known else 'at run time'}"
    return Case(f"{shown}-{layout}{flag}{'-nan' if undefined else ''}", parameters, body, bound)


def _narrower(types: Types) -> str:
    """A type for alpha: promote(A, B)."""
    found = promote(SCALAR_TYPES[types[0]], SCALAR_TYPES[types[1]])
    assert found is not None
    return str(found)


SHAPES = [(1, 1, 1), (5, 7, 3), (16, 8, 8), (20, 9, 20), (23, 23, 23), (32, 32, 32), (1, 17, 2), (33, 1, 5)]


def forms(type_: str) -> list[dict[str, Any]]:
    """What may vary beside shapes and transposes."""
    alpha, beta = (-1 - 2j, 2 + 3j) if type_ in COMPLEX else (-1, 2)
    adds_twice = BOUNDS["atomic halves"] if type_ in ("f16", "bf16") else EXACT
    found: list[dict[str, Any]] = [
        {"alpha": 1, "beta": 0},
        {"alpha": 1, "beta": 1, "layout": "columns apart"},
        {"alpha": alpha, "beta": beta, "layout": "gaps everywhere"},
        {"alpha": alpha, "beta": beta, "layout": "dynamic", "known": False},
        {"alpha": 0, "beta": 1, "layout": "dynamic sizes", "known": False},
        {"alpha": 3, "beta": 0, "layout": "columns apart", "flag": ".atomic"},
        {"alpha": alpha, "beta": 1, "layout": "dynamic", "flag": ".atomic", "bound": adds_twice},
    ]
    if type_ in FLOATS + COMPLEX:
        found.append({"alpha": 1, "beta": 0, "undefined": True})
        found.append({"alpha": alpha, "beta": 0, "known": False, "undefined": True, "layout": "dynamic sizes"})
    return found


def gemm_cases(type_: str, transposes: str) -> list[Case]:
    """f32, f64 and c32 in every form for each transpose, the other types in every form over two of them."""
    kinds = forms(type_)
    turn = TRANSPOSES.index(transposes)
    chosen = [(SHAPES[(2 * turn + i) % len(SHAPES)], kind) for i, kind in enumerate(kinds)]
    if type_ not in ("f32", "f64", "c32"):
        chosen = chosen[turn % 2 :: 2]
    unique = {str((shape, kind)): (shape, kind) for shape, kind in chosen}
    return [gemm_case(transposes, (type_,) * 3, shape, **kind) for shape, kind in unique.values()]


GEMM = [
    batch for type_ in TYPES for transposes in TRANSPOSES for batch in batches("gemm", gemm_cases(type_, transposes), 5)
]


@pytest.mark.parametrize("way", STRATEGIES)
@each(GEMM)
def test_gemm(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


MIXED: list[tuple[Types, tuple[str, str]]] = [
    (("i8", "i16", "i32"), ("i8", "i16")),
    (("i32", "i8", "i64"), ("i16", "i8")),
    (("i16", "i16", "f32"), ("i16", "f32")),
    (("i16", "f32", "f32"), ("i8", "bf16")),
    (("bf16", "bf16", "f32"), ("bf16", "f32")),
    (("bf16", "f32", "f32"), ("f32", "i16")),
    (("f16", "f16", "f64"), ("i8", "f16")),
    (("i8", "f16", "f16"), ("f16", "i8")),
    (("i8", "bf16", "bf16"), ("i8", "bf16")),
    (("i32", "f64", "f64"), ("f32", "i32")),
    (("f32", "c32", "c64"), ("f32", "f64")),
    (("f64", "f32", "c64"), ("bf16", "c32")),
    (("i16", "c32", "c32"), ("c32", "f16")),
    (("c32", "bf16", "c32"), ("i8", "c32")),
]
MIXED_GEMM = batches(
    "mixed",
    [
        gemm_case(transposes, types, shape, alpha, beta, factors=factors, layout=layout, known=known)
        for (types, factors), transposes, shape in zip(
            MIXED, itertools.cycle(TRANSPOSES), itertools.cycle([(5, 7, 3), (16, 8, 9)])
        )
        for alpha, beta, layout, known in (
            (1, 0, "packed", True),
            (2, 1, "columns apart", True),
            (-1, 2, "dynamic", False),
        )
    ],
)


@pytest.mark.parametrize("way", STRATEGIES)
@each(MIXED_GEMM)
def test_gemm_of_mixed_types(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


# The shapes that the reference implementation of the language is tested with on devices.


def table(type_: str) -> list[Case]:
    def case(transposes: str, shape: tuple[int, int, int], *factors: complex, **kind: Any) -> Case:
        return gemm_case(transposes, (type_,) * 3, shape, *factors, numbers=uneven, bound=BOUNDS["sums"], **kind)

    if type_ in COMPLEX:
        shapes = [(m, n, 53) for m in (16, 21, 32, 42) for n in (7, 11)]
        return [case("nn", shape, -1 - 2j, 2 + 3j) for shape in shapes]
    shapes = [(m, n, 56) for m in (20, 32, 53) for n in (5, 16, 23)]
    if type_ in ("f16", "bf16"):
        return [case("nn", shape) for shape in shapes[::4]]
    return [
        *(case("nn", shape) for shape in shapes),
        *(case(transposes, shape, layout="columns apart") for shape in shapes for transposes in ("nn", "tt")),
        *(case("nn", shapes[4], alpha, beta) for alpha, beta in ((1, 1), (-1, 2))),
        *(case("nn", (63, 43, 23), layout=layout) for layout in ("dynamic sizes", "dynamic")),
    ]


DEVICE_TABLE = [batch for type_ in (*FLOATS, *COMPLEX) for batch in batches("table", table(type_))]


@pytest.mark.parametrize("way", STRATEGIES)
@each(DEVICE_TABLE)
def test_gemm_of_the_device_table(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


def partly_dynamic(which: str, type_: str) -> Case:
    """Only some of the sizes are dynamic: `which` out of m, n, k."""
    sizes = {"m": 63, "n": 43, "k": 23}
    arrays = {"a": "mk", "b": "kn", "c": "mn"}
    parameters: dict[str, Any] = {}
    for name, modes in arrays.items():
        values = uneven(RNG, type_, *(sizes[mode] for mode in modes))
        extents = "".join("x?" if mode in which else f"x{sizes[mode]}" for mode in modes)
        strides = ",strided<1,?>" if modes[0] in which else ""
        parameters[name] = (f"memref<{type_}{extents}{strides}>", values)
    body = f"""
      %alpha = constant 1.0 : {type_}
      %beta = constant 0.0 : {type_}
      gemm.n.n %alpha, %a, %b, %beta, %c"""
    return Case(f"{type_}-dynamic {which}", parameters, body, BOUNDS["sums"])


DYNAMIC = batches("dynamic", [partly_dynamic(w, t) for t in ("f32", "f64") for w in ("m", "n", "k", "mn", "mnk")])


@pytest.mark.parametrize("way", COPIED)
@each(DYNAMIC)
def test_gemm_of_dynamic_sizes(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


# Axpby.


def axpby_case(
    transpose: str,
    types: tuple[str, str],
    shape: tuple[int, ...],
    alpha: complex = 1,
    beta: complex = 0,
    *,
    layout: str = "packed",
    known: bool = True,
    flag: str = "",
    numbers: Any = small,
    bound: Bound = EXACT,
    factors: tuple[str, str] | None = None,
    undefined: bool = False,
) -> Case:
    a = numbers(RNG, types[0], *(shape[::-1] if transpose == "t" else shape))
    b = numbers(RNG, types[1], *shape)
    if undefined:
        b[...] = np.nan
    parameters: dict[str, Any] = {}
    body = ""
    for name, value, type_ in zip(("alpha", "beta"), (alpha, beta), factors or types, strict=True):
        more, line = factor(name, number(value, type_), type_, known)
        parameters |= more
        body += line
    parameters |= {"a": laid_out(a, types[0], layout), "b": laid_out(b, types[1], layout)}
    body += f"axpby.{transpose}{flag} %alpha, %a, %beta, %b"
    of = types[1] if types[0] == types[1] else "→".join(types)
    size = "x".join(map(str, shape)) or "scalar"
    shown = f"{of}-{transpose}-{size}-{alpha},{beta}{'' if known else ' at run time'}"
    return Case(f"{shown}-{layout}{flag}{'-nan' if undefined else ''}", parameters, body, bound)


AXPBY_SHAPES = [(), (1,), (18,), (16,), (32,), (1, 1), (18, 5), (16, 17), (32, 5), (3, 1), (1, 9)]


def axpby_cases(type_: str, transpose: str) -> list[Case]:
    """Every shape, with the forms in turn; f32 also in every form."""
    kinds = forms(type_)
    shapes = AXPBY_SHAPES if transpose == "n" else [(), (18,), *(shape for shape in AXPBY_SHAPES if len(shape) == 2)]
    chosen = [(shape, kinds[i % len(kinds)]) for i, shape in enumerate(shapes)]
    if type_ == "f32":
        chosen += [((5, 4), kind) for kind in kinds]
    return [axpby_case(transpose, (type_,) * 2, shape, **kind) for shape, kind in chosen]


AXPBY = [batch for type_ in TYPES for transpose in "nt" for batch in batches("axpby", axpby_cases(type_, transpose), 7)]


@pytest.mark.parametrize("way", STRATEGIES)
@each(AXPBY)
def test_axpby(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


MIXED_AXPBY = [
    (("i8", "i64"), ("i8", "i32")),
    (("i16", "f32"), ("i8", "bf16")),
    (("i8", "bf16"), ("i8", "i8")),
    (("f16", "f32"), ("i8", "f16")),
    (("bf16", "f64"), ("bf16", "i32")),
    (("f32", "c32"), ("i16", "f32")),
    (("f64", "c64"), ("f32", "c32")),
    (("i32", "f64"), ("i16", "f64")),
    (("c32", "c64"), ("f16", "c64")),
]
OTHER_AXPBY = [
    *batches(
        "mixed",
        [
            axpby_case(transpose, types, (5, 7), alpha, beta, factors=factors, layout=layout, known=known)
            for (types, factors), transpose in zip(MIXED_AXPBY, itertools.cycle("nt"))
            for alpha, beta, layout, known in ((1, 0, "packed", True), (-1, 2, "dynamic", False))
        ],
    ),
    *batches(
        "table",
        [
            axpby_case(transpose, (type_,) * 2, shape, *factors, numbers=uneven, bound=BOUNDS["sums"])
            for type_ in ("f32", "f64")
            for transpose in "nt"
            for shape in [(), *((m,) for m in (18, 16, 32)), *((m, n) for m in (18, 16, 32) for n in (5, 17))]
            for factors in [(-1.25, 2.5) if len(shape) == 2 and shape[1] == 17 else (1, 0)]
        ],
    ),
]


@pytest.mark.parametrize("way", COPIED)
@each(OTHER_AXPBY)
def test_axpby_of_mixed_types_and_the_device_table(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


# Collective instructions one after the other, through local memory.

CHAIN = """
      %g = builtin.group_id : index
      %one = constant {one} : {type}
      %none = constant {zero} : {type}
      %m = load %a[%g] : memref<{type}x5x3>
      %t = alloca : memref<{type}x5x4,local>
      %u = alloca : memref<{type}x4x5,local>
      gemm.n.n %one, %m, %b, %none, %t
      axpby.t %one, %t, %none, %u
      %e = subview %c[:, :, %g] : memref<{type}x5x5>
      gemm.n.n %alpha, %t, %u, %one, %e
      lifetime_stop %u
      %v = alloca : memref<{type}x4x4,strided<1,6>,local>
      gemm.t.n %one, %t, %t, %none, %v
      %w = subview %d[0:4, 1:4, %g] : memref<{type}x4x4>
      axpby.n %one, %v, %beta, %w
"""


def chain(type_: str) -> Case:
    one, zero = (literal(number(value, type_), type_) for value in (1, 0))
    return Case(
        f"{type_}-chain",
        {
            "alpha": (type_, number(2, type_)),
            "beta": (type_, number(-1, type_)),
            "a": (f"group<memref<{type_}x5x3>x?>", [small(RNG, type_, 5, 3) for _ in range(3)]),
            "b": (f"memref<{type_}x3x4>", small(RNG, type_, 3, 4)),
            "c": (f"memref<{type_}x5x5x?>", small(RNG, type_, 5, 5, 3)),
            "d": (f"memref<{type_}x4x6x?>", small(RNG, type_, 4, 6, 3)),
        },
        CHAIN.format(type=type_, one=one, zero=zero),
    )


CHAINED = ("i8", "i64", "bf16", "f32", "f64", "c32")
CHAINS = [
    batch
    for attributes in ("", "work_group_size=[16,4]")
    for batch in batches(attributes or "default", [chain(type_) for type_ in CHAINED], 1, 3, attributes)
]


@pytest.mark.parametrize("way", COPIED)
@each(CHAINS)
def test_chains(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []
