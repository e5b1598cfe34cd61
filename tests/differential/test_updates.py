"""gemv, ger, hadamard, sum and cumsum in every form: the SYCL backend against the reference."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from differential.cases import BOUNDS, NEEDS_SYCL, STRATEGIES, Batch, Case, batches, each_way, literal, small, uneven
from differential.update_cases import forms, number, update_case
from reference_kit import COMPLEX, FLOATS

import pytl
from pytl.ir.types import SCALAR_TYPES

pytestmark = [NEEDS_SYCL, pytest.mark.at_most(4)]

TYPES = list(SCALAR_TYPES)
RNG = np.random.default_rng(3)
THOROUGH = ("i8", "bf16", "f32", "c32")
"""Types in which each instruction is tried in several forms: one of each kind."""

Shape = tuple[int, ...]
INSTRUCTIONS: list[tuple[str, list[Shape], Shape, dict[str, Any]]] = [
    ("gemv.n", [(5, 7), (7,)], (5,), {}),
    ("gemv.t", [(7, 5), (7,)], (5,), {}),
    ("gemv.t", [(2, 33), (2,)], (33,), {}),
    ("ger", [(6,), (3,)], (6, 3), {}),
    ("hadamard", [(19,), (19,)], (19,), {}),
    ("hadamard", [(5, 4), (5, 4)], (5, 4), {}),
    ("sum.n", [(20,)], (), {}),
    ("sum.n", [(5, 6)], (5,), {}),
    ("sum.t", [(6, 17)], (17,), {}),
    ("cumsum", [(9,)], (9,), {"mode": 0}),
    ("cumsum", [(4, 5)], (4, 5), {"mode": 0}),
    ("cumsum", [(18, 3)], (18, 3), {"mode": 1}),
    ("cumsum", [(3, 4, 2)], (3, 4, 2), {"mode": 1}),
]
"""Words, shapes of factors and target, and the mode."""


def case(number: int, types: list[str], **kind: Any) -> Case:
    word, factors, target, mode = INSTRUCTIONS[number]
    return update_case(word, list(zip(types, factors)), (types[-1], target), **mode, **kind)


def cases(type_: str) -> list[Case]:
    """Every instruction, with the forms in turn: two of them for some types, one for the others."""
    kinds = forms(type_)
    turns = (0, 1) if type_ in THOROUGH else (TYPES.index(type_),)
    step = 3 if type_ in THOROUGH else 1
    return [
        case(number, [type_] * 3, **kinds[(step * turn + number) % len(kinds)])
        for turn in turns
        for number in range(len(INSTRUCTIONS))
    ]


UPDATES = [batch for type_ in TYPES for batch in batches(type_, cases(type_), 7)]


@pytest.mark.at_most(1)
@each_way(UPDATES, STRATEGIES)
def test_update(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


OF_TWO = [
    ("i8", "i16", "i32"),
    ("i16", "f32", "f32"),
    ("bf16", "f32", "f64"),
    ("f16", "f16", "c32"),
    ("c32", "i8", "c64"),
]
OF_ONE = [("i8", "bf16"), ("i32", "i64"), ("f16", "f32"), ("f32", "c64")]
KINDS: list[dict[str, Any]] = [
    {"alpha": 1, "beta": 1},
    {"alpha": 2, "beta": 0, "flag": ".atomic"},
    {"alpha": -1, "beta": 2, "known": False, "layout": "dynamic"},
]


def mixed() -> list[Case]:
    """Operands of different types, each narrower than the next or not."""
    found = []
    kinds = itertools.cycle(KINDS)
    for which, (_, factors, _, _) in enumerate(INSTRUCTIONS):
        combinations = OF_TWO if len(factors) == 2 else OF_ONE
        for types in combinations[which % 2 :: 2]:
            found.append(case(which, list(types), scalars=("i8", types[-1]), **next(kinds)))
    return found


MIXED = batches("mixed", mixed(), 7)


@pytest.mark.at_night
@each_way(MIXED, STRATEGIES)
def test_update_of_mixed_types(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


ROUNDED = batches(
    "all digits",
    [
        case(number, [type_] * 3, alpha=-1.25, beta=beta, numbers=uneven, bound=BOUNDS["sums"])
        for type_ in (*FLOATS, *COMPLEX)
        for number, beta in ((0, 0), (5, 2.5), (12, 1))
    ],
    6,
)


@pytest.mark.at_most(1)
@each_way(ROUNDED, STRATEGIES)
def test_update_of_numbers_with_all_digits(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


# One after the other, through local memory, and in collective control flow.

CHAIN = """
      %g = group_id : index
      %zero = constant 0 : index
      %two = constant 2 : index
      %s = alloca : memref<{type}x4,local>
      %t = alloca : memref<{type}x4x5,local>
      %none = constant {zero} : {type}
      %one = constant {one} : {type}
      gemv.n %one, %a, %b, %none, %s
      ger %one, %s, %b, %none, %t
      %u = alloca : memref<{type}x4x5,local>
      axpby.n %one, %a, %none, %u
      cumsum %one, %t, 1, %one, %u
      hadamard %one, %a, %u, %none, %t
      for %i = %zero, %two {{
        %p = cmp.eq %i, %zero : bool
        if %p {{ sum.n %one, %t, %one, %s }} else {{ sum.n.atomic %x, %t, %one, %s }}
      }}
      %d = subview %c[:, %g] : memref<{type}x4>
      axpby.n %one, %s, %one, %d
      sum.n.atomic %one, %s, %one, %e"""


def chain(type_: str) -> Case:
    one, zero = (literal(number(value, type_), type_) for value in (1, 0))
    parameters = {
        "x": (type_, number(-1, type_)),
        "a": (f"memref<{type_}x4x5>", small(RNG, type_, 4, 5)),
        "b": (f"memref<{type_}x5>", small(RNG, type_, 5)),
        "c": (f"memref<{type_}x4x?>", small(RNG, type_, 4, 3)),
        "e": (f"memref<{type_}>", small(RNG, type_)),
    }
    return Case(f"{type_}-chain", parameters, CHAIN.format(type=type_, one=one, zero=zero))


CHAINS = [batch for type_ in ("i8", "f16", "f64", "c64") for batch in batches("chain", [chain(type_)], 1, 3)]


@pytest.mark.at_most(1)
@each_way(CHAINS, STRATEGIES)
def test_chains(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


def test_the_stage_is_shown() -> None:
    kernel = pytl.compile("""func @f(%a: memref<f32x4>, %b: memref<f32>, %c: memref<f32x4>) {
      sum.n 1.0, %a, 0.0, %b
      axpby.n 2.0, %a, 1.0, %c
    }""")["f"]
    stage = kernel.ir("lower-collectives")
    assert "axpby.n" not in stage and "foreach" in stage and "sum.n" in stage
    assert "sum.n" not in kernel.emit("numba_dpex").replace("# 2: sum.n", "")
