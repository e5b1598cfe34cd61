"""gemm and axpby in every form: the SYCL backend against the reference."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from differential.cases import (
    BOUNDS,
    COPIED,
    NEEDS_SYCL,
    STRATEGIES,
    Batch,
    Case,
    batches,
    each_way,
    literal,
    small,
    uneven,
)
from differential.update_cases import forms, number, update_case
from reference_kit import COMPLEX, FLOATS

from pytl.ir.types import SCALAR_TYPES

pytestmark = [NEEDS_SYCL, pytest.mark.at_most(4)]

TYPES = list(SCALAR_TYPES)
TRANSPOSES = ["nn", "nt", "tn", "tt"]
RNG = np.random.default_rng(3)

Types = tuple[str, str, str]
"""The element types of the operands, the last that of the result."""


def gemm_case(transposes: str, types: Types, shape: tuple[int, int, int], *scalars: complex, **kind: Any) -> Case:
    m, n, k = shape
    ta, tb = transposes
    a = types[0], (m, k) if ta == "n" else (k, m)
    b = types[1], (k, n) if tb == "n" else (n, k)
    return update_case(f"gemm.{ta}.{tb}", [a, b], (types[2], (m, n)), *scalars, **kind)


SHAPES = [(1, 1, 1), (5, 7, 3), (16, 8, 8), (20, 9, 20), (23, 23, 23), (32, 32, 32), (1, 17, 2), (33, 1, 5)]


def gemm_cases(type_: str) -> list[Case]:
    """f32, f64 and c32 in every form for each transpose, the other types in every form and each transpose."""
    found = []
    for turn, transposes in enumerate(TRANSPOSES):
        kinds = forms(type_)
        chosen = [(SHAPES[(2 * turn + i) % len(SHAPES)], kind) for i, kind in enumerate(kinds)]
        if type_ not in ("f32", "f64", "c32"):
            chosen = chosen[turn % 3 :: 3]
        found += [gemm_case(transposes, (type_,) * 3, shape, **kind) for shape, kind in chosen]
    return found


GEMM = [batch for type_ in TYPES for batch in batches("gemm", gemm_cases(type_), 5)]


@pytest.mark.at_most(1)
@each_way(GEMM, STRATEGIES)
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
        gemm_case(transposes, types, shape, alpha, beta, scalars=scalars, layout=layout, known=known)
        for (types, scalars), transposes, shape in zip(
            MIXED, itertools.cycle(TRANSPOSES), itertools.cycle([(5, 7, 3), (16, 8, 9)])
        )
        for alpha, beta, layout, known in (
            (1, 0, "packed", True),
            (2, 1, "columns apart", True),
            (-1, 2, "dynamic", False),
        )
    ],
)


@pytest.mark.at_night
@each_way(MIXED_GEMM, STRATEGIES)
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


@pytest.mark.at_night
@each_way(DEVICE_TABLE, STRATEGIES)
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
    return Case(f"{type_}-dynamic {which}", parameters, body, BOUNDS["sums"], axes=(type_, which))


DYNAMIC = batches("dynamic", [partly_dynamic(w, t) for t in ("f32", "f64") for w in ("m", "n", "k", "mn", "mnk")])


@pytest.mark.at_night
@each_way(DYNAMIC, COPIED)
def test_gemm_of_dynamic_sizes(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


# Axpby.


def axpby_case(transpose: str, types: tuple[str, str], shape: tuple[int, ...], *scalars: complex, **kind: Any) -> Case:
    a = types[0], shape[::-1] if transpose == "t" else shape
    return update_case(f"axpby.{transpose}", [a], (types[1], shape), *scalars, **kind)


AXPBY_SHAPES = [(), (1,), (18,), (16,), (32,), (1, 1), (18, 5), (16, 17), (32, 5), (3, 1), (1, 9)]


def axpby_cases(type_: str) -> list[Case]:
    """Every shape with the forms in turn, f32 in every form; the types that are much like another in some shapes."""
    kinds = forms(type_)
    shapes = [("n", shape) for shape in AXPBY_SHAPES]
    shapes += [("t", shape) for shape in [(), (18,), *(shape for shape in AXPBY_SHAPES if len(shape) == 2)]]
    chosen = [(*shape, kinds[i % len(kinds)]) for i, shape in enumerate(shapes)]
    if type_ == "f32":
        chosen += [(transpose, (5, 4), kind) for kind in kinds for transpose in "nt"]
    if type_ not in ("i8", "bf16", "f32", "c64"):
        chosen = chosen[TYPES.index(type_) % 2 :: 2]
    return [axpby_case(transpose, (type_,) * 2, shape, **kind) for transpose, shape, kind in chosen]


AXPBY = [batch for type_ in TYPES for batch in batches("axpby", axpby_cases(type_), 5)]


@pytest.mark.at_most(1)
@each_way(AXPBY, STRATEGIES)
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
            axpby_case(transpose, types, (5, 7), alpha, beta, scalars=scalars, layout=layout, known=known)
            for (types, scalars), transpose in zip(MIXED_AXPBY, itertools.cycle("nt"))
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


@pytest.mark.at_most(1)
@each_way(OTHER_AXPBY, COPIED)
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
        axes=(type_,),
    )


CHAINED = ("i8", "i64", "bf16", "f32", "f64", "c32")
CHAINS = [
    batch
    for attributes in ("", "work_group_size=[16,4]")
    for batch in batches(attributes or "default", [chain(type_) for type_ in CHAINED], 1, 3, attributes)
]


@pytest.mark.at_most(1)
@each_way(CHAINS, COPIED)
def test_chains(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []
