"""Vector code of one work-item: sizes around those of vectors, lanes that part, places that are no neighbours."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from differential.cases import (
    BOUNDS,
    NEEDS_SYCL,
    STRATEGIES,
    Batch,
    Case,
    batches,
    each,
    each_way,
    literal,
    small,
    uneven,
    zeros,
)
from differential.update_cases import update_case
from reference_kit import COMPLEX, FLOATS, INTEGERS

from pytl.ir.types import SCALAR_TYPES

pytestmark = [NEEDS_SYCL, pytest.mark.at_most(4)]

TYPES = list(SCALAR_TYPES)
SIZES = (1, 15, 16, 17, 33)
"""Around the lengths of vectors, which have 2 to 16 lanes."""
RNG = np.random.default_rng(11)


def number(value: int, type_: str) -> Any:
    return complex(value, 1) if type_ in COMPLEX else float(value) if type_ in FLOATS else value


# What a foreach does at its points: instructions from %x, the element at hand, to what is stored.

ARITHMETIC = {
    "numbers": """
        %sum = arith.add %x, %y : {t}
        %d = arith.sub %sum, %c : {t}
        %p = arith.mul %d, %x : {t}
        %neg = arith.neg %p : {t}
        %z = arith.div %neg, %c : {t}""",
    "uniform branch": """
        %z = if %yes -> ({t}) {{
          %v = load %b[%one] : {t}
          %w = arith.add %x, %v : {t}
          yield (%w)
        }} else {{ yield (%c) }}""",
    "branch": """
        %q = cmp.eq %x, %y : bool
        %z = if %q -> ({t}) {{ yield (%c) }} else {{
          %w = arith.mul %x, %c : {t}
          yield (%w)
        }}""",
    "guarded reading": """
        %last = arith.sub %n, %one : index
        %inside = cmp.lt %i, %last : bool
        %z = if %inside -> ({t}) {{
          %next = arith.add %i, %one : index
          %v = load %b[%next] : {t}
          %same = load %b[%last] : {t}
          %even = arith.mul %one, %i : index
          %g = load %b[%even] : {t}
          %w = arith.add %v, %same : {t}
          %u = arith.add %w, %g : {t}
          yield (%u)
        }} else {{ yield (%x) }}""",
    "loop": """
        %z, %unused = for %k = %zero, %three init(%total=%x, %turn=%c) -> ({t}, {t}) {{
          %w = arith.add %total, %turn : {t}
          %e = load %b[%zero] : {t}
          yield (%w, %e)
        }}""",
    "number of the point": """
        %far = arith.add %i, %three : index
        %m = cast %far : i8
        %w = cast %m : {t}
        %z = arith.add %x, %w : {t}""",
    "backwards": """
        %last = arith.sub %n, %one : index
        %back = arith.sub %last, %i : index
        %z = load %b[%back] : {t}
        store %x, %s[%back]""",
    "branches in branches": """
        %q = cmp.ne %x, %y : bool
        %p = cmp.eq %x, %c : bool
        if %q {{
          if %p {{ store %c, %s[%i] }} else {{
            for %k = %zero, %three {{
              %e = load %s[%i] : {t}
              %w = arith.add %e, %x : {t}
              store %w, %s[%i]
            }}
          }}
          if %yes {{ store %y, %s[%i] }}
        }}
        %z = load %s[%i] : {t}""",
    "truth that is handed on": """
        %q = cmp.ne %x, %y : bool
        %f, %d = for %k = %zero, %three init(%g=%yes, %h=%x) -> (bool, {t}) {{
          %v = arith.xor %g, %q : bool
          %w = arith.add %h, %y : {t}
          yield (%v, %w)
        }}
        %e, %z = if %q -> (bool, {t}) {{
          %l = load %b[%i] : {t}
          %o = cmp.eq %l, %x : bool
          yield (%o, %d)
        }} else {{ yield (%f, %c) }}
        if %e {{ store %c, %s[%i] }}""",
    "stores that part": """
        %zz = arith.add %x, %c : {t}
        %half = arith.div %i, %two : index
        %twice = arith.mul %half, %two : index
        %odd = cmp.ne %twice, %i : bool
        %z = if %odd -> ({t}) {{
          store %zz, %r[%i]
          store %c, %s[%twice]
          yield (%x)
        }} else {{ yield (%zz) }}""",
}


def foreach_case(name: str, type_: str, size: int, is_known: bool) -> Case:
    body = ARITHMETIC[name].format(t=type_)
    bound = f"%n = constant {size} : index" if is_known else ""
    extent = size if is_known else "?"
    parameters: dict[str, Any] = {} if is_known else {"n": ("index", size)}
    for tensor in "abrs":
        values = zeros(type_, size + 1) if tensor in "rs" else small(RNG, type_, size + 1)
        shape = extent + 1 if isinstance(extent, int) else extent
        parameters[tensor] = (f"memref<{type_}x{shape}>", values)
    parameters["yes"] = ("bool", size % 2 == 0)
    text = f"""{bound}
      %zero = constant 0 : index
      %one = constant 1 : index
      %two = constant 2 : index
      %three = constant 3 : index
      %c = constant {literal(number(3, type_), type_)} : {type_}
      foreach (%i) = (%zero), (%n) {{
        %x = load %a[%i] : {type_}
        %y = load %b[%i] : {type_}
        {body}
        store %z, %r[%i]
      }}"""
    exact = BOUNDS["complex div"] if name == "numbers" and type_ in COMPLEX else BOUNDS["min, max"]
    return Case(f"{name}-{type_}-{size}{'' if is_known else ' at run time'}", parameters, text, exact)


def foreach_cases() -> list[Case]:
    """Every body with every type; sizes in turn, known and not."""
    turns = itertools.cycle(itertools.product(SIZES, (True, False)))
    return [foreach_case(name, type_, *next(turns)) for name in ARITHMETIC for type_ in TYPES]


FOREACH = batches("foreach", foreach_cases(), 10)


@pytest.mark.at_most(1)
@each(FOREACH)
def test_foreach(batch: Batch, case: Case) -> None:
    assert batch.differences(case, "one-item") == []


# Collective instructions.


def update_cases() -> list[Case]:
    """Sizes around vectors' in both modes; where beta is 0 the target is full of nans."""
    found = []
    sizes = itertools.cycle(itertools.product(SIZES, reversed(SIZES)))
    forms = itertools.cycle([{"beta": 0}, {"alpha": 2, "beta": 1}, {"alpha": -1, "beta": 2, "known": False}])
    layouts = itertools.cycle(["packed", "dynamic sizes", "columns apart"])
    for type_ in TYPES:
        for word in ("axpby.t", "gemv.n", "gemv.t", "sum.n", "sum.t", "sum.n of a vector", "ger", "cumsum"):
            m, n = next(sizes)
            factors, target = {
                "axpby.t": ([(m, n)], (n, m)),
                "gemv.n": ([(m, n), (n,)], (m,)),
                "gemv.t": ([(m, n), (m,)], (n,)),
                "sum.n": ([(m, n)], (m,)),
                "sum.t": ([(m, n)], (n,)),
                "sum.n of a vector": ([(m * 9,)], ()),
                "ger": ([(m,), (n,)], (m, n)),
                "cumsum": ([(m, n)], (m, n)),
            }[word]
            form: dict[str, Any] = dict(next(forms))
            if form["beta"] == 0 and type_ not in INTEGERS:
                form["undefined"] = True
            if word == "cumsum":
                form["mode"] = n % 2
            layout = next(layouts)
            shaped = [(type_, shape) for shape in factors]
            found.append(
                update_case(
                    word.removesuffix(" of a vector"),
                    shaped,
                    (type_, target),
                    layout=layout,
                    bound=BOUNDS["sums"],
                    **form,
                )
            )
    return found


UPDATES = batches("updates", update_cases(), 8)


@pytest.mark.at_most(1)
@each_way(UPDATES, STRATEGIES[:1])
def test_update(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


MIXED = batches(
    "mixed",
    [
        update_case("axpby.t", [("f16", (20, 17))], ("f32", (17, 20)), beta=0, undefined=True),
        update_case("axpby.t", [("i8", (33, 9))], ("c32", (9, 33)), alpha=2, beta=1, scalars=("i8", "c32")),
        update_case(
            "gemv.n", [("bf16", (35, 9)), ("f32", (9,))], ("f64", (35,)), alpha=2, beta=1, scalars=("i8", "f64")
        ),
        update_case("gemv.t", [("f32", (35, 9)), ("c32", (35,))], ("c64", (9,)), scalars=("i8", "c64")),
        update_case("sum.t", [("f16", (40, 9))], ("f16", (9,)), numbers=uneven, bound=BOUNDS["sums"]),
    ],
    5,
)


@pytest.mark.at_night
@each(MIXED)
def test_update_of_mixed_types(batch: Batch, case: Case) -> None:
    assert batch.differences(case, "one-item") == []


TRANSPOSED = batches(
    "transposed",
    [
        update_case("axpby.t", [(type_, (m, n))], (type_, (n, m)), beta=k % 3, undefined=k % 3 == 0)
        for type_ in ("f32", "c64")
        for k, (m, n) in enumerate([(3, 7), (15, 31), (56, 3), (35, 9), (9, 56), (11, 13)])
    ],
    12,
)


@pytest.mark.at_most(2)
@each_way(TRANSPOSED, STRATEGIES[:1])
def test_transposed(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


# Tensors of several modes, views, and items of groups.


def modes_case(type_: str, is_flat: bool) -> Case:
    """Two modes of a packed tensor, or of one with gaps, and a third one."""
    strides = "" if is_flat else ",strided<1,20,70>"
    values = small(RNG, type_, 17, 3, 2)
    array = values
    if not is_flat:
        memory = np.zeros(200, values.dtype)
        array = np.lib.stride_tricks.as_strided(memory, values.shape, [k * values.itemsize for k in (1, 20, 70)])
        array[...] = values
    text = f"""
      %zero = constant 0 : index
      %l = constant 2 : index
      %m = constant 17 : index
      %n = constant 3 : index
      %c = constant {literal(number(2, type_), type_)} : {type_}
      foreach (%i, %j, %k) = (%zero, %zero, %zero), (%m, %n, %l) {{
        %x = load %a[%i, %j, %k] : {type_}
        %y = arith.mul %x, %c : {type_}
        store %y, %a[%i, %j, %k]
      }}"""
    shown = f"{'flat' if is_flat else 'with gaps'}-{type_}"
    return Case(shown, {"a": (f"memref<{type_}x17x3x2{strides}>", array)}, text)


VIEWS = Case(
    "views and groups",
    {
        "g": ("group<memref<f32x17x4>x?>", [small(RNG, "f32", 17, 4), small(RNG, "f32", 17, 4)]),
        "t": ("memref<f32x4x17>", zeros("f32", 4, 17)),
        "s": ("memref<i64x17x4>", zeros("i64", 17, 4)),
    },
    """
      %zero = constant 0 : index
      %four = constant 4 : index
      %m = constant 17 : index
      foreach (%i, %j) = (%zero, %zero), (%m, %four) {
        %n = builtin.group_id : index
        %a = load %g[%n] : memref<f32x17x4>
        %c = subview %a[0:17, %j] : memref<f32x17>
        %e = expand %c[0 -> 1 x 17] : memref<f32x1x17>
        %f = fuse %e[0, 1] : memref<f32x17>
        %x = load %f[%i] : f32
        store %x, %t[%j, %i]
        %rows = size %f[0] : index
        %p = arith.add %i, %rows : index
        %q = cast %p : i64
        store %q, %s[%i, %j]
      }""",
)

EMPTY = Case(
    "empty ranges",
    {"n": ("index", -3), "m": ("i32", 7), "a": ("memref<f32x20>", zeros("f32", 20))},
    """
      %zero = constant 0 : index
      %late = constant 19 : i32
      %one = constant 1.0 : f32
      foreach (%i) = (%zero), (%n) { store %one, %a[%i] }
      foreach (%j): i32 = (%late), (%m) {
        %k = cast %j : index
        store %one, %a[%k]
      }
      %last = constant 17 : i32
      foreach (%l): i32 = (%m), (%last) {
        %o = cast %l : index
        %x = cast %l : f32
        store %x, %a[%o]
      }""",
)

CARRIED = Case(
    "carried indices",
    {"a": ("memref<i64x40>", zeros("i64", 40)), "n": ("index", 3)},
    """
      %zero = constant 0 : index
      %two = constant 2 : index
      %most = constant 40 : index
      foreach (%i) = (%zero), (%most) {
        ; %c is the same at all points in the first iteration alone, so that %next is not consecutive
        %last = for %k : index = %zero, %n init(%c = %two) -> (index) {
          %next = arith.add %i, %c : index
          yield (%next)
        }
        %x = cast %last : i64
        store %x, %a[%i]
      }""",
)

SHAPED = Batch(
    "shaped", [CARRIED, EMPTY, modes_case("f32", True), modes_case("f32", False), modes_case("c32", True), VIEWS]
)


@each([SHAPED])
def test_modes_and_views(batch: Batch, case: Case) -> None:
    assert batch.differences(case, "one-item") == []


@pytest.mark.parametrize("batch", [FOREACH[0], UPDATES[0]])
def test_what_is_tested_is_vector_code(batch: Batch) -> None:
    assert "vector_kernel" in batch.kernel.emit("numba_dpex")
