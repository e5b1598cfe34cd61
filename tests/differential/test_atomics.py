"""Atomic updates at the ends of memory and beside what others write; those of local memory by every instruction."""

from __future__ import annotations

import numpy as np
import pytest
from differential.cases import COPIED, NEEDS_SYCL, STRATEGIES, Batch, Case, batches, each_way, small, strided, zeros
from guarded_kit import guarded_page
from reference_kit import COMPLEX, DTYPES

import pytl
from pytl.ir.types import SCALAR_TYPES

pytestmark = [NEEDS_SYCL, pytest.mark.at_most(5)]

TYPES = list(SCALAR_TYPES)
NARROW = ("i8", "i16", "f16", "bf16")
GROUPS = 5
RNG = np.random.default_rng(17)


def one(type_: str) -> str:
    return "[1.0,-2.0]" if type_ in COMPLEX else "1" if SCALAR_TYPES[type_].is_integer else "1.0"


def cases(type_: str) -> list[Case]:
    """Every update of every element of arrays of odd sizes."""
    preamble = f"""
      %zero = constant 0 : index
      %two = constant 2 : index
      %n = constant 5 : index
      %c = constant {one(type_)} : {type_}
      %g = group_id : index
      """
    of_groups = (f"memref<{type_}x5x?>", zeros(type_, 5, GROUPS))
    return [
        Case(
            f"{type_}-ends",
            {
                "a": (f"memref<{type_}x5>", small(RNG, type_, 5)),
                "b": (f"memref<{type_}x3>", small(RNG, type_, 3)),
                "s": (f"memref<{type_}x5,strided<3>>", strided(small(RNG, type_, 5), [3])),
                "d": (f"memref<{type_}>", small(RNG, type_)),
            },
            preamble
            + """
              foreach (%i) = (%zero), (%n) { store.atomic_add %c, %a[%i] store.atomic_add %c, %s[%i] }
              parallel { store.atomic %c, %b[%two] }
              store.atomic_add %c, %d[]""",
        ),
        Case(
            f"{type_}-local",
            {"a": (f"memref<{type_}x5>", small(RNG, type_, 5)), "r": of_groups},
            preamble
            + f"""
              %none = arith.sub %c, %c : {type_}
              %t = alloca : memref<{type_}x5,local>
              foreach (%i) = (%zero), (%n) {{ %x = load %a[%i] : {type_} store.atomic %x, %t[%i] }}
              foreach (%i, %j) = (%zero, %zero), (%n, %n) {{ store.atomic_add %c, %t[%i] }}
              parallel {{ store.atomic %c, %t[%two] }}
              axpby.n.atomic %c, %a, {one(type_) if type_ not in COMPLEX else "[1.0,0.0]"}, %t
              %v = subview %r[:, %g] : memref<{type_}x5>
              cumsum.atomic %c, %t, 0, {"[0.0,0.0]" if type_ in COMPLEX else one(type_).replace("1", "0")}, %v""",
        ),
    ]


ATOMICS = batches("atomics", [case for type_ in TYPES for case in cases(type_)], 6, GROUPS)


@pytest.mark.at_most(1)
@each_way(ATOMICS, COPIED)
def test_atomics(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


@pytest.mark.at_most(1)
@pytest.mark.parametrize("way", STRATEGIES)
def test_nothing_beyond_the_page_is_touched(way: str) -> None:
    """Arrays that begin and end where readable memory does, of every type in one kernel."""
    parameters, lines = [], []
    for type_ in TYPES:
        parameters += [f"%{end}_{type_}: memref<{type_}x3>" for end in ("first", "last")]
        lines += [f"%c_{type_} = constant {one(type_)} : {type_}"]
        lines += [f"store.atomic_add %c_{type_}, %{end}_{type_}[%i]" for end in ("first", "last")]
    kernel = pytl.compile(f"""func @f({", ".join(parameters)}) {{
      %zero = constant 0 : index
      %n = constant 3 : index
      foreach (%i) = (%zero), (%n) {{ {" ".join(lines)} }}
    }}""")["f"]
    arrays = []
    for type_ in TYPES:
        page, size = guarded_page(), 3 * DTYPES[type_].itemsize
        arrays += [page[:size].view(DTYPES[type_]), page[-size:].view(DTYPES[type_])]
    kernel[GROUPS, {"strategy": way}](*arrays, backend="sycl")
    for array in arrays:
        once = 1 - 2j if array.dtype.kind == "c" else 1
        np.testing.assert_array_equal(array, np.full(3, GROUPS * once).astype(array.dtype))


@pytest.mark.at_most(1)
@pytest.mark.parametrize("way", STRATEGIES)
def test_neighbours_in_the_same_word_lose_nothing(way: str) -> None:
    """Every other element is added to by all work-groups, while each stores to some of those between."""
    groups, rounds, count = 60, 4, 240
    parameters = [f"%{name}_{type_}: memref<{type_}x?,strided<2>>" for type_ in NARROW for name in ("sums", "own")]
    body = "".join(
        f"""
          %c_{type_} = constant {one(type_)} : {type_}
          store.atomic_add %c_{type_}, %sums_{type_}[%i]
          store %c_{type_}, %own_{type_}[%mine]"""
        for type_ in NARROW
    )
    kernel = pytl.compile(f"""func @f({", ".join(parameters)}) {{
      %zero = constant 0 : index
      %rounds = constant {rounds} : index
      %g = group_id : index
      %n = constant {rounds} : index
      %first = arith.mul %g, %n : index
      foreach (%i) = (%zero), (%n) {{
        %mine = arith.add %first, %i : index
        {body}
      }}
    }}""")["f"]
    buffers = [np.zeros(2 * count, DTYPES[type_]) for type_ in NARROW]
    views = [view for buffer in buffers for view in (buffer[::2], buffer[1::2])]
    kernel[groups, {"strategy": way}](*views, backend="sycl")
    for buffer in buffers:
        np.testing.assert_array_equal(buffer[1::2].astype(int), 1)
        np.testing.assert_array_equal(buffer[::2].astype(int), np.where(np.arange(count) < rounds, groups, 0))


@pytest.mark.at_night
@pytest.mark.parametrize("way", STRATEGIES)
@pytest.mark.parametrize("types", [TYPES[:5], TYPES[5:]], ids=["integers", "floats"])
def test_many_work_groups_add_to_the_same_elements(types: list[str], way: str) -> None:
    """By single numbers and by whole tensors; the sums are exact in every type, and those of i8 wrap."""
    groups = 120
    parameters, lines = [], []
    for type_ in types:
        parameters += [f"%sums_{type_}: memref<{type_}x3>", f"%a_{type_}: memref<{type_}x3>"]
        unit = "[1.0,0.0]" if type_ in COMPLEX else one(type_)
        lines += [
            f"%c_{type_} = constant {one(type_)} : {type_}",
            f"foreach (%i_{type_}) = (%zero), (%n) {{ store.atomic_add %c_{type_}, %sums_{type_}[%i_{type_}] }}",
            f"axpby.n.atomic {unit}, %a_{type_}, {unit}, %sums_{type_}",
        ]
    kernel = pytl.compile(f"""func @f({", ".join(parameters)}) {{
      %zero = constant 0 : index
      %n = constant 3 : index
      {" ".join(lines)}
    }}""")["f"]
    arrays = [array for type_ in types for array in (zeros(type_, 3), np.ones(3, DTYPES[type_]))]
    kernel[groups, {"strategy": way}](*arrays, backend="sycl")
    for array in arrays[::2]:
        once = 2 - 2j if array.dtype.kind == "c" else 2
        np.testing.assert_array_equal(array, np.full(3, groups * once).astype(array.dtype))
