"""Loads, stores, views, groups, local memory and atomics: the SYCL backend against the reference."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import numpy as np
import pytest
from differential.cases import (
    COPIED,
    NEEDS_SYCL,
    Batch,
    Case,
    batches,
    each_way,
    small,
    strided,
    uneven,
    zeros,
)
from reference_kit import COMPLEX, DTYPES

import pytl
from pytl.ir.types import SCALAR_TYPES

pytestmark = [NEEDS_SYCL, pytest.mark.at_most(12)]

TYPES = list(SCALAR_TYPES)
THOROUGH = ("i8", "bf16", "f32", "c64")
"""Types for which all combinations are tried: one of each kind, of all sizes."""
LAYOUTS = ("packed", "strided", "dynamic", "dynamic strides")
EXTENTS = (3, 2, 4, 1, 2)
RNG = np.random.default_rng(11)


def of_all_orders(type_: str) -> list[Case]:
    """Copies element by element, between memrefs of every order and layout; for most types of some only."""
    return [
        copy_case(type_, order, layout)
        for order in (range(6) if type_ in THOROUGH else (0, 2, 5))
        for layout in (LAYOUTS if type_ in THOROUGH else LAYOUTS[::3])
        if order or layout == "packed"
    ]


def gaps(order: int) -> list[int]:
    """Strides that leave gaps in every mode."""
    strides, least = [], 2
    for extent in EXTENTS[:order]:
        strides.append(least)
        least = least * extent + 1
    return strides


def copy_case(type_: str, order: int, layout: str) -> Case:
    shape = EXTENTS[:order]
    values = uneven(RNG, type_, *shape)
    extents = "".join(f"x{n}" for n in shape)
    unknown = ",strided<" + ",".join("?" * order) + ">"
    source, text = values, f"memref<{type_}{extents}>"
    if layout == "strided":
        source, text = strided(values, gaps(order)), f"memref<{type_}{extents},strided<{str(gaps(order))[1:-1]}>>"
    if layout == "dynamic":
        text = f"memref<{type_}{'x?' * order}>"
        if order > 1:
            packed = ["1", *"?" * (order - 1)]
            text = f"memref<{type_}{'x?' * order},strided<{','.join(packed)}>>"
    if layout == "dynamic strides":
        source, text = strided(values, gaps(order)), f"memref<{type_}{extents}{unknown}>"
    target = strided(np.zeros_like(values), gaps(order)) if order else zeros(type_)
    result = f"memref<{type_}{'x?' * order}{unknown if order else ''}>"
    indices = ", ".join(f"%i{mode}" for mode in range(order))
    sizes = "".join(f"%n{mode} = size %a[{mode}] : index " for mode in range(order))
    head, tail = "foreach (%i) = (%zero), (%one) {", "}"
    if order:
        spread = min(order, 3)
        names, ends = (", ".join(f"%{c}{mode}" for mode in range(spread)) for c in "in")
        loops = "".join(f"for %i{mode} = %zero, %n{mode} {{ " for mode in range(spread, order))
        head = f"{loops}foreach ({names}) = ({', '.join(['%zero'] * spread)}), ({ends}) {{"
        tail = "}" * (1 + order - spread)
    body = f"""
      %zero = constant 0 : index
      %one = constant 1 : index
      {sizes}
      {head}
        %x = load %a[{indices}] : {type_}
        store %x, %r[{indices}]
      {tail}"""
    axes = (type_, order, layout)
    return Case(f"order {order}-{layout}", {"a": (text, source), "r": (result, target)}, body, axes=axes)


COPIES = [batch for type_ in TYPES for batch in batches(type_, of_all_orders(type_), 5)]


@pytest.mark.at_most(1)
@each_way(COPIES, COPIED)
def test_load_and_store(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


# Subviews.

MATRIX = "f32x9x8"


def view_case(
    name: str, view: str, result: str, order: int, tensor: str = "%a", before: str = "", word: str = "subview"
) -> Case:
    """Adds to every element of a view its own indices, by the sizes that the view has."""
    names = [f"%i{mode}" for mode in range(order)]
    sizes = "".join(f"%n{mode} = size %v[{mode}] : index " for mode in range(order))
    total = "%one_f" if not order else "%s0"
    weights = "".join(
        f"%m{mode} = constant {10**mode} : index %w{mode} = arith.mul %i{mode}, %m{mode} : index\n"
        for mode in range(order)
    )
    adds = "%u0 = arith.add %w0, %one : index " + "".join(
        f"%u{mode} = arith.add %u{mode - 1}, %w{mode} : index " for mode in range(1, order)
    )
    inner = f"{weights} {adds} %s0 = cast %u{order - 1} : f32" if order else ""
    ends = ", ".join(f"%n{mode}" for mode in range(order)) or "%one"
    starts = ", ".join(["%zero"] * max(order, 1))
    head = f"foreach ({', '.join(names) or '%i'}) = ({starts}), ({ends}) {{"
    body = f"""
      %zero = constant 0 : index
      %one = constant 1 : index
      %one_f = constant 1.0 : f32
      {before}
      %v = {word} {tensor}[{view}] : {result}
      {sizes}
      {head}
        {inner}
        store {total}, %v[{", ".join(names)}]
      }}"""
    parameters = {
        "a": ("memref<f32x9x8>", zeros("f32", 9, 8)),
        "b": ("memref<f32x9x8x3,strided<2,20,170>>", strided(np.zeros((9, 8, 3), np.float32), [2, 20, 170])),
        "c": ("memref<f32x?x?,strided<1,?>>", strided(np.zeros((9, 8), np.float32), [1, 11])),
        "d": ("memref<f32x?x?x?,strided<?,?,?>>", strided(np.zeros((9, 8, 3), np.float32), [3, 30, 250])),
        "e": ("memref<f32x?x?x?,strided<?,?,?>>", zeros("f32", 9, 8, 3)),
        "g": ("group<memref<f32x?x6x?,strided<2,?,?>>x?>", [strided(np.zeros((3, 6, 2), np.float32), [2, 6, 36])]),
        "o": ("index", 2),
        "p": ("index", 5),
        "n": ("index", 3),
    }
    used = re.findall(r"%([a-z])\b", f"{tensor} {view} {before}")
    return Case(name, {letter: parameters[letter] for letter in parameters if letter in used}, body)


VIEWS = batches(
    "views",
    [
        view_case("whole", ":, :", "memref<f32x9x8>", 2),
        view_case("static", "4:5, 2:4", "memref<f32x5x4,strided<1,9>>", 2),
        view_case("static, strides forgotten", "4:5, 2:4", "memref<f32x5x4,strided<?,?>>", 2),
        view_case("column", "0:9, 3", "memref<f32x9>", 1),
        view_case("row", "3, 0:8", "memref<f32x8,strided<9>>", 1),
        view_case("row by size 0", "%o:0, 0:8", "memref<f32x8,strided<9>>", 1),
        view_case("element", "%o, %p", "memref<f32>", 0),
        view_case("static element", "8, 7", "memref<f32>", 0),
        view_case("size 1", "%o:1, 5:1", "memref<f32x1x1,strided<1,9>>", 2),
        view_case("offset", "%o:4, %p:2", "memref<f32x4x2,strided<1,9>>", 2),
        view_case("dynamic size", "%o:%n, 1:%n", "memref<f32x?x?,strided<1,9>>", 2),
        view_case("of strides", "1:4, %o:3, 2", "memref<f32x4x3,strided<2,20>>", 2, "%b"),
        view_case("of strides, middle dropped", "%o:%n, 7, 1:2", "memref<f32x?x2,strided<2,170>>", 2, "%b"),
        view_case("of strides, first dropped", "%o, 0:8, %o:1", "memref<f32x8x1,strided<20,170>>", 2, "%b"),
        view_case("of a dynamic matrix", "%o:%n, %p", "memref<f32x?>", 1, "%c"),
        view_case("of a dynamic matrix, whole", ":, 2:4", "memref<f32x?x4,strided<1,?>>", 2, "%c"),
        view_case("of dynamic strides", "%o:2, %n:%o, 1:2", "memref<f32x2x?x2,strided<?,?,?>>", 3, "%d"),
        view_case("of dynamic strides, dropped", "%o, :, %o", "memref<f32x?,strided<?>>", 1, "%d"),
        view_case(
            "of a view",
            "%o:2, %one",
            "memref<f32x2,strided<?>>",
            1,
            "%w",
            "%w = subview %d[1:6, %o:%n, %o] : memref<f32x6x?,strided<?,?>>",
        ),
        view_case(
            "of local memory",
            "1:2, 0:3",
            "memref<f32x2x3,strided<1,4>,local>",
            2,
            "%t",
            "%t = alloca : memref<f32x4x3,local>",
        ),
        Case(
            "in a loop, at a carried offset",
            {"r": ("memref<i32x30>", zeros("i32", 30)), "n": ("index", 4)},
            """
            %zero = constant 0 : index
            %two = constant 2 : index
            %end = for %i = %zero, %n init(%at=%zero) -> (index) {
              %size = arith.add %i, %two : index
              %v = subview %r[%at:%size] : memref<i32x?>
              %next = arith.add %at, %size : index
              %m = size %v[0] : index
              foreach (%j) = (%zero), (%m) { %x = cast %next : i32 store %x, %v[%j] }
              yield (%next)
            }
            %x = cast %end : i32
            %last = constant 29 : index
            store %x, %r[%last]""",
        ),
    ],
)


@pytest.mark.at_most(1)
@each_way(VIEWS, COPIED)
def test_subview(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


RESHAPES = batches(
    "reshapes",
    [
        view_case("expand", "1 -> 2 x 4", "memref<f32x9x2x4>", 3, word="expand"),
        view_case("expand to three", "0 -> 3 x 1 x 3", "memref<f32x3x1x3x8>", 4, word="expand"),
        view_case("expand, strides forgotten", "1 -> 4 x 2", "memref<f32x9x4x2,strided<?,?,?>>", 3, word="expand"),
        view_case("expand by a value", "0 -> %n x 3", "memref<f32x?x3x8,strided<1,?,9>>", 3, word="expand"),
        view_case("expand to a value", "0 -> 3 x %n", "memref<f32x3x?x8,strided<1,3,9>>", 3, word="expand"),
        view_case(
            "expand by two values",
            "1 -> %o x %o x 2",
            "memref<f32x9x?x?x2x3,strided<2,20,?,?,170>>",
            5,
            "%b",
            word="expand",
        ),
        view_case("expand a dynamic matrix", "0 -> %n x 3", "memref<f32x?x3x?,strided<1,?,?>>", 3, "%c", word="expand"),
        view_case(
            "expand dynamic strides", "2 -> 1 x %n", "memref<f32x?x?x1x?,strided<?,?,?,?>>", 4, "%d", word="expand"
        ),
        view_case("fuse", "0, 1", "memref<f32x72>", 1, word="fuse"),
        view_case("fuse, strides forgotten", "0, 1", "memref<f32x72,strided<?>>", 1, word="fuse"),
        view_case("fuse dynamic sizes", "1, 2", "memref<f32x?x?,strided<?,?>>", 2, "%e", word="fuse"),
        view_case("fuse all", "0, 2", "memref<f32x?,strided<?>>", 1, "%e", word="fuse"),
        view_case(
            "fuse a part",
            "0, 1",
            "memref<f32x?>",
            1,
            "%w",
            "%w = subview %a[0:9, 3:%n] : memref<f32x9x?>",
            word="fuse",
        ),
        view_case(
            "fuse what was expanded",
            "0, 1",
            "memref<f32x?x8,strided<1,9>>",
            2,
            "%w",
            "%w = expand %a[0 -> %n x 3] : memref<f32x?x3x8,strided<1,?,9>>",
            word="fuse",
        ),
        view_case(
            "fuse an item of a group",
            "0, 1",
            "memref<f32x?x?,strided<2,?>>",
            2,
            "%m",
            "%m = load %g[%zero] : memref<f32x?x6x?,strided<2,?,?>>",
            word="fuse",
        ),
        view_case(
            "expand an item of a group, at an offset",
            "0 -> %n x 2",
            "memref<f32x?x2,strided<?,?>>",
            2,
            "%w",
            """%m = load %g[%zero] : memref<f32x?x6x?,strided<2,?,?>>
            %w = subview %m[%o, 0:6, %one] : memref<f32x6,strided<?>>""",
            word="expand",
        ),
        Case(
            "through local memory",
            {"r": ("memref<i32x12x?>", zeros("i32", 12, 1)), "n": ("index", 2)},
            """
            %zero = constant 0 : index
            %two = constant 2 : index
            %six = constant 6 : index
            %end = constant 12 : index
            %t = alloca : memref<i32x4x3,local>
            %v = fuse %t[0, 1] : memref<i32x12,local>
            %w = expand %v[0 -> %n x 6] : memref<i32x?x6,strided<1,?>,local>
            foreach (%i) = (%zero), (%end) { %x = cast %i : i32 store %x, %v[%i] }
            %all = fuse %r[0, 1] : memref<i32x?>
            foreach (%i, %j) = (%zero, %zero), (%two, %six) {
              %x = load %w[%i, %j] : i32
              %k = arith.mul %i, %six : index
              %l = arith.add %k, %j : index
              store %x, %all[%l]
            }""",
        ),
    ],
    6,
)


@pytest.mark.at_most(1)
@each_way(RESHAPES, COPIED[:2])
def test_expand_and_fuse(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


# Groups.

GROUPS = 4


def group_case(name: str, type_: str, text: str, argument: object, order: int = 2) -> Case:
    """Each work-group doubles its own item, and notes the size of the group and of its item."""
    names = ", ".join(f"%i{mode}" for mode in range(order))
    sizes = "".join(f"%n{mode} = size %m[{mode}] : index " for mode in range(order))
    ends = ", ".join(f"%n{mode}" for mode in range(order))
    memref = text[len("group<") : text.index(">x") + 1]
    body = f"""
      %zero = constant 0 : index
      %one = constant 1 : index
      %g = group_id : index
      %m = load %a[%g] : {memref}
      %count = size %a[0] : index
      {sizes}
      store %count, %r[%zero, %g]
      store %n0, %r[%one, %g]
      foreach ({names}) = ({", ".join(["%zero"] * order)}), ({ends}) {{
        %x = load %m[{names}] : {type_}
        %y = arith.add %x, %x : {type_}
        store %y, %m[{names}]
      }}"""
    parameters = {"a": (text, argument), "r": ("memref<indexx2x?>", zeros("index", 2, GROUPS))}
    return Case(name, parameters, body, axes=(type_, name))


def group_cases(type_: str) -> list[Case]:
    def numbers(*shape: int) -> np.ndarray:
        return small(RNG, type_, *shape)

    rows = [2, 5, 3, 4]
    listed = [numbers(3, 2) for _ in range(GROUPS)]
    padded = [strided(numbers(3, 2), [2, 9]) for _ in range(GROUPS)]
    uneven_rows = [numbers(n, 2) for n in rows]
    uneven_strides = [strided(numbers(3, 2), [1, n + 3]) for n in rows]
    pool = numbers(60)
    found = [
        group_case("list", type_, f"group<memref<{type_}x3x2>x?>", listed),
        group_case("list of known length", type_, f"group<memref<{type_}x3x2>x{GROUPS}>", listed),
        group_case("list, strided", type_, f"group<memref<{type_}x3x2,strided<2,9>>x?>", padded),
        group_case("list, dynamic rows", type_, f"group<memref<{type_}x?x2,strided<1,?>>x?>", uneven_rows),
        group_case("list, dynamic strides", type_, f"group<memref<{type_}x3x2,strided<?,?>>x?>", uneven_strides),
        group_case("list, equal dynamic", type_, f"group<memref<{type_}x?x?,strided<?,?>>x?>", padded),
        group_case("one array", type_, f"group<memref<{type_}x3x2>x?>", numbers(3, 2, GROUPS)),
        group_case("one array, dynamic", type_, f"group<memref<{type_}x?x?,strided<1,?>>x?>", numbers(3, 2, GROUPS)),
        group_case(
            "one strided array",
            type_,
            f"group<memref<{type_}x3x2,strided<?,?>>x?>",
            strided(numbers(3, 2, GROUPS), [2, 7, 20]),
        ),
        group_case(
            "one array, modes exchanged", type_, f"group<memref<{type_}x3>x?>", pool[:12].reshape(3, 4, order="F"), 1
        ),
        group_case("list, offset", type_, f"group<memref<{type_}x3x2>x?, offset: 5>", [numbers(12) for _ in rows]),
        group_case(
            "list, dynamic offset",
            type_,
            f"group<memref<{type_}x3x2>x?, offset: ?>",
            pytl.pointers([numbers(12) for _ in rows], 4),
        ),
        group_case(
            "one array, dynamic offset",
            type_,
            f"group<memref<{type_}x3x2>x?, offset: ?>",
            pytl.pointers(numbers(12, GROUPS), 6),
        ),
        group_case(
            "one array, offset 0",
            type_,
            f"group<memref<{type_}x3x2>x?, offset: ?>",
            pytl.pointers(numbers(3, 2, GROUPS), 0),
        ),
    ]
    return found if type_ in THOROUGH else found[3::3]


GROUP_BATCHES = [batch for type_ in TYPES for batch in batches(type_, group_cases(type_), 5, GROUPS)]


@pytest.mark.at_most(1)
@each_way(GROUP_BATCHES, COPIED)
def test_group(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


ALL_ITEMS = Case(
    "every work-group reads every item",
    {
        "a": ("group<memref<f64x?>x?>", [np.arange(n, dtype=np.float64) + n for n in (1, 4, 2)]),
        "r": ("memref<f64x?>", np.zeros(GROUPS)),
    },
    """
      %zero = constant 0 : index
      %none = constant 0.0 : f64
      %g = builtin.group_id : index
      %n = size %a[0] : index
      %sum = for %i = %zero, %n init(%s=%none) -> (f64) {
        %m = load %a[%i] : memref<f64x?>
        %k = size %m[0] : index
        %t = for %j = %zero, %k init(%u=%s) -> (f64) {
          %x = load %m[%j] : f64
          %v = arith.add %u, %x : f64
          yield (%v)
        }
        yield (%t)
      }
      store %sum, %r[%g]""",
)
ITEM_OF_AN_ITERATION = Case(
    "each iteration loads its own item",
    {
        "a": (
            "group<memref<i16x?,strided<?>>x?>",
            [strided(np.arange(3, 3 + n, dtype=np.int16), [n]) for n in (1, 4, 2)],
        ),
        "r": ("memref<i16x?x?>", zeros("i16", 3, GROUPS)),
    },
    """
      %zero = constant 0 : index
      %one = constant 1 : index
      %g = group_id : index
      %n = size %a[0] : index
      foreach (%i) = (%zero), (%n) {
        %m = load %a[%i] : memref<i16x?,strided<?>>
        %k = size %m[0] : index
        %l = arith.sub %k, %one : index
        %x = load %m[%l] : i16
        %v = subview %m[%l] : memref<i16>
        %y = load %v[] : i16
        %z = arith.add %x, %y : i16
        store %z, %r[%i, %g]
      }""",
)
ITEMS = Batch("items", [ALL_ITEMS, ITEM_OF_AN_ITERATION], groups=GROUPS)


@each_way([ITEMS], COPIED)
def test_items_of_groups(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


# Local memory.


def alloca_case(type_: str, alignment: int | None) -> Case:
    """Two live allocas of odd sizes, a third in the place of the first, and one with gaps, in three work-groups."""
    attribute = f" {{alignment={alignment}}}" if alignment else ""

    def copy(source: str, target: str, n: int) -> str:
        own = ", %g" if target in "pqr" else ""
        return f"""
          foreach (%i{source}{target}) = (%zero), (%n{n}) {{
            %x{source}{target} = load %{source}[%i{source}{target}] : {type_}
            store %x{source}{target}, %{target}[%i{source}{target}{own}]
          }}"""

    body = f"""
      %zero = constant 0 : index
      %two = constant 2 : index
      %g = group_id : index
      %n5 = constant 5 : index
      %n7 = constant 7 : index
      %odd = alloca : memref<i8x3,local>
      %s = alloca{attribute} : memref<{type_}x5,local>
      %t = alloca{attribute} : memref<{type_}x7,local>
      {copy("a", "s", 5)}
      {copy("a", "t", 7)}
      {copy("s", "p", 5)}
      lifetime_stop %s
      %u = alloca{attribute} : memref<{type_}x7,local>
      {copy("b", "u", 7)}
      {copy("t", "q", 7)}
      {copy("u", "r", 7)}
      %w = alloca : memref<{type_}x3x2,strided<2,7>,local>
      %three = constant 3 : index
      foreach (%i, %j) = (%zero, %zero), (%three, %two) {{
        %k = arith.mul %i, %two : index
        %l = arith.add %k, %j : index
        %x = load %a[%l] : {type_}
        store %x, %w[%i, %j]
      }}
      foreach (%i, %j) = (%zero, %zero), (%three, %two) {{
        %x = load %w[%i, %j] : {type_}
        store %x, %m[%j, %i, %g]
      }}
      %c = constant 1 : i8
      foreach (%i) = (%zero), (%three) {{ store %c, %odd[%i] }}
      foreach (%i) = (%zero), (%three) {{ %x = load %odd[%i] : i8 store %x, %o[%i, %g] }}"""
    parameters: dict = {name: (f"memref<{type_}x7>", uneven(RNG, type_, 7)) for name in "ab"}
    parameters |= {name: (f"memref<{type_}x7x?>", zeros(type_, 7, 3)) for name in "pqr"}
    parameters |= {"m": (f"memref<{type_}x2x3x?>", zeros(type_, 2, 3, 3)), "o": ("memref<i8x3x?>", zeros("i8", 3, 3))}
    axes = (type_, alignment)
    return Case(f"{type_}-aligned to {alignment or 'default'}", parameters, body, axes=axes)


ALLOCAS = [
    Batch(
        "alloca", [alloca_case(type_, alignment) for alignment in (None, SCALAR_TYPES[type_].size, 32, 512)], groups=3
    )
    for type_ in TYPES
]


@pytest.mark.at_most(1)
@each_way(ALLOCAS, COPIED[:2])
def test_alloca(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


# Atomics.


def atomic_cases(type_: str, groups: int) -> list[Case]:
    """Sums that do not depend on the order: of small whole numbers."""
    one = "[1.0,-2.0]" if type_ in COMPLEX else "1" if SCALAR_TYPES[type_].is_integer else "1.0"
    preamble = f"""
      %zero = constant 0 : index
      %one = constant 1 : index
      %n = constant 6 : index
      %c = constant {one} : {type_}
      %g = group_id : index
      """
    sums = (f"memref<{type_}x4>", zeros(type_, 4))
    of_groups = (f"memref<{type_}x4x?>", zeros(type_, 4, groups))
    found = [
        Case(
            "add from all iterations of all groups",
            {"r": sums},
            preamble + "foreach (%i) = (%zero), (%n) { store.atomic_add %c, %r[%one] }",
        ),
        Case(
            "add within a group",
            {"r": of_groups},
            preamble
            + """foreach (%i) = (%zero), (%n) {
                %h = constant 2 : index
                %k = arith.rem %i, %h : index
                store.atomic_add %c, %r[%k, %g]
              }""",
        ),
        Case("add in parallel", {"r": sums}, preamble + "parallel { store.atomic_add %c, %r[%zero] }"),
        Case(
            "add by each sub-group",
            {"r": sums},
            preamble
            + """parallel {
                %id = builtin.subgroup_id : i32
                %last = constant 3 : i32
                %least = arith.min %id, %last : i32
                %k = cast %least : index
                store.atomic_add %c, %r[%k]
              }""",
        ),
        Case("add by the work-group", {"r": sums}, preamble + "store.atomic_add %c, %r[%one]"),
        Case(
            "add in a loop of parallel",
            {"r": of_groups},
            preamble + "parallel { for %i = %zero, %one { store.atomic_add %c, %r[%i, %g] } }",
        ),
        Case(
            "add to local memory",
            {"r": of_groups},
            preamble
            + f"""
              %t = alloca : memref<{type_}x3,local>
              %three = constant 3 : index
              %z = arith.sub %c, %c : {type_}
              foreach (%i) = (%zero), (%three) {{ store %z, %t[%i] }}
              foreach (%i, %j) = (%zero, %zero), (%three, %n) {{ store.atomic_add %c, %t[%i] }}
              parallel {{ store.atomic_add %c, %t[%one] }}
              foreach (%i) = (%zero), (%three) {{ %x = load %t[%i] : {type_} store %x, %r[%i, %g] }}""",
        ),
        Case(
            "store",
            {"r": of_groups, "s": sums},
            preamble
            + """
              store.atomic %c, %s[%one]
              parallel { store.atomic %c, %r[%one, %g] }
              foreach (%i) = (%zero), (%one) { store.atomic %c, %r[%zero, %g] }""",
        ),
        Case(
            "add of values",
            {"a": (f"memref<{type_}x6>", small(RNG, type_, 6)), "r": sums},
            preamble
            + f"""foreach (%i) = (%zero), (%n) {{
                %x = load %a[%i] : {type_}
                store.atomic_add %x, %r[%zero]
              }}""",
        ),
    ]
    return [replace(case, axes=(type_, case.name)) for case in found]


ATOMIC_ATTRIBUTES = {"default": "", "8x3": "subgroup_size=8, work_group_size=[8,3]"}
ATOMICS = [
    batch
    for type_, (name, attributes) in itertools.product(TYPES, ATOMIC_ATTRIBUTES.items())
    if not attributes or type_ in THOROUGH
    for batch in batches(f"{type_}-{name}", atomic_cases(type_, 5), 4, 5, attributes)
]


@pytest.mark.at_most(18)
@each_way(ATOMICS, COPIED)
def test_atomics(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


def test_bits_of_all_types_are_moved() -> None:
    """Every one of the 16-bit patterns goes through a register and back."""
    for type_ in ("f16", "bf16"):
        patterns = np.arange(2**16, dtype=np.uint16)
        finite = patterns[~np.isnan(patterns.view(DTYPES[type_]).astype(np.float32))]
        text = f"""func @f(%a: memref<{type_}x?>, %r: memref<{type_}x?>) {{
          %z = constant 0 : index
          %n = size %a[0] : index
          foreach (%i) = (%z), (%n) {{ %x = load %a[%i] : {type_} store %x, %r[%i] }}
        }}"""
        result = np.zeros_like(finite).view(DTYPES[type_])
        pytl.compile(text)["f"][1](finite.view(DTYPES[type_]), result, backend="sycl")
        np.testing.assert_array_equal(result.view(np.uint16), finite)
