"""Data races between work-items and between work-groups are found by the reference backend, and nothing else is."""

from __future__ import annotations

from random import Random
from textwrap import dedent, indent
from typing import Any

import numpy as np
import pytest
from reference_kit import DTYPES, failure, run

import pytl
from pytl.backends.reference import GroupView, MemrefView, execute
from pytl.backends.reference.shadow import CONFLICTING, Area, History, Scattered
from pytl.diagnostics import ExecutionError, find

ITEMS, GROUPS = "PYTL-4030", "PYTL-4031"

PREAMBLE = """\
%0 = constant 0 : index
%1 = constant 1 : index
%n = constant 16 : index
%c = constant 1 : i32
%g = group_id : index
%t = alloca : memref<i32x16,local>
foreach (%i) = (%0), (%n) { store %c, %t[%i] }
"""
ITEM = """\
%l = builtin.subgroup_local_id : i32
%i = cast %l : index
"""


def kernel(body: str, attributes: str = "") -> str:
    """A function on global memory %r and %s; %t is local. Its body begins in line 10."""
    head = "func @f(%r: memref<i32x16>, %s: memref<i32x16x?>, %h: group<memref<i32x16>x?>)"
    return f"{head} {attributes} {{\n{PREAMBLE}\n{dedent(body)}\n}}"


def arguments(groups: int = 1) -> list[Any]:
    return [np.zeros(16, np.int32), np.zeros((16, groups), np.int32, order="F"), [np.zeros(16, np.int32)] * groups]


def race(text: str, code: str = ITEMS, groups: int = 1, *given: Any) -> tuple[int, int, str]:
    """The lines of a text at which the two accesses stand, counted from its body, and the message."""
    with pytest.raises(ExecutionError) as caught:
        run(text, *(given or arguments(groups)), groups=groups)
    (found,) = caught.value.diagnostics
    (label,) = found.labels
    assert found.code == code
    assert label.text == "the other access is here"
    first = text.split("\n").index("") + 1 if not given else 0
    return found.location.line - first, label.location.line - first, found.message


def parallel(body: str) -> str:
    return f"parallel {{\n{ITEM}{dedent(body).strip()}\n}}"


# Texts.


def test_text_of_a_race_of_work_items() -> None:
    with pytest.raises(ExecutionError) as caught:
        run(
            """func @f(%r: memref<i32x16>) {
  %0 = constant 0 : index
  %t = alloca : memref<i32x16,local>
  parallel {
    %l = builtin.subgroup_local_id : i32
    %i = cast %l : index
    store %l, %t[%i]
    barrier.global
    %x = load %t[%0] : i32
    store %x, %r[%i]
  }
}""",
            np.zeros(16, np.int32),
        )
    assert str(caught.value) == dedent(
        """
        error[PYTL-4030]: load: element (0) of %t is read here and written by work-item 0, in no order (work-group 0, work-item 1)
          --> kernel.tl:9:10
           |
         7 |     store %l, %t[%i]
           |     ---------------- the other access is here
         9 |     %x = load %t[%0] : i32
           |          ^^^^^^^^^^^^^^^^^
           = rule: work-items of a work-group access the same element in an order that a barrier gives, or all atomically, or all only read it
           = help: put barrier.local between the two accesses (without .local it does not order them), or let each work-item have elements of its own"""  # noqa: E501
    )


def test_text_of_a_race_of_work_groups() -> None:
    with pytest.raises(ExecutionError) as caught:
        run(
            """func @f(%a: memref<f32x2x2>, %r: memref<f32x2x2>) {
  %one = constant 1.0 : f32
  axpby.n %one, %a, %one, %r
}""",
            np.ones((2, 2), np.float32, order="F"),
            np.ones((2, 2), np.float32, order="F"),
            groups=2,
        )
    assert str(caught.value) == dedent(
        """
        error[PYTL-4031]: axpby: element (0, 0) of %r is written here and written by work-group 0, in no order (work-group 1)
          --> kernel.tl:3:3
           |
         3 |   axpby.n %one, %a, %one, %r
           |   -------------------------- the other access is here
           |   ^^^^^^^^^^^^^^^^^^^^^^^^^^
           = rule: work-groups access the same element all atomically, or all only read it
           = help: let each work-group have elements of its own, by its group id, or make both accesses atomic (store.atomic, store.atomic_add, .atomic)"""  # noqa: E501
    )


@pytest.mark.parametrize(
    ("body", "help"),
    [
        (
            "parallel { store %c, %r[%0] }",
            "let each work-item have elements of its own, "
            "store what they share from one alone (if its sub-group id and local id are 0), "
            "or make both accesses atomic (store.atomic, store.atomic_add, .atomic)",
        ),
        (
            parallel("store.atomic %c, %r[%0]\nstore %c, %r[%i]"),
            "put barrier.global between the two accesses (without .global it does not order them), "
            "let each work-item have elements of its own, "
            "store what they share from one alone (if its sub-group id and local id are 0), "
            "or make both accesses atomic (store.atomic, store.atomic_add, .atomic)",
        ),
        (
            "foreach (%i) = (%0), (%n) { store %c, %r[%0] }",
            "let each iteration have elements of its own, "
            "or make both accesses atomic (store.atomic, store.atomic_add, .atomic)",
        ),
        (
            "foreach (%i) = (%0), (%n) { %x = load %r[%0] : i32 store %x, %r[%i] }",
            "end the foreach between the two accesses, or let each iteration have elements of its own",
        ),
    ],
)
def test_helps(body: str, help: str) -> None:
    with pytest.raises(ExecutionError) as caught:
        run(kernel(body), *arguments())
    assert caught.value.diagnostics[0].help == help


def test_rules_are_explained() -> None:
    for code in (ITEMS, GROUPS):
        assert find(code).explanation


# Work-items: each kind of access against each.

READ, WRITE = "%x{0} = load {1}[{2}] : i32", "store %c, {1}[{2}]"
ATOMIC, ADD = "store.atomic %c, {1}[{2}]", "store.atomic_add %c, {1}[{2}]"
DONE = {READ: "read", WRITE: "written", ATOMIC: "updated atomically", ADD: "updated atomically"}
RACES = [
    (a, b)
    for a in DONE
    for b in DONE
    if "written" in (DONE[a], DONE[b]) or {DONE[a], DONE[b]} == {DONE[READ], DONE[ATOMIC]}
]


def pair(first: str, second: str, memory: str, between: str = "") -> str:
    """Each work-item accesses its own element first, then its neighbour's."""
    body = f"""\
        %j = arith.add %i, %1 : index
        %k = arith.rem %j, %n : index
        {first.format(1, memory, "%i")}
        {between}
        {second.format(2, memory, "%k")}"""
    return parallel(body)


@pytest.mark.parametrize("memory", ["%r", "%t"])
@pytest.mark.parametrize("first", DONE)
@pytest.mark.parametrize("second", DONE)
def test_two_accesses_without_order(first: str, second: str, memory: str) -> None:
    text = kernel(pair(first, second, memory))
    if (first, second) in RACES:
        line, other, message = race(text)
        assert (line, other) == (8, 6)
        what = f"element (1) of {memory} is {DONE[second]} here and {DONE[first]} by work-item 1, in no order"
        assert message.endswith(f": {what} (work-group 0, work-item 0)")
    else:
        run(text, *arguments())
    run(text, *arguments(), checks=False)


@pytest.mark.parametrize(("memory", "fence", "wrong"), [("%r", ".global", ".local"), ("%t", ".local", ".global")])
@pytest.mark.parametrize(("first", "second"), RACES)
def test_a_barrier_with_the_fence_gives_an_order(first: str, second: str, memory: str, fence: str, wrong: str) -> None:
    run(kernel(pair(first, second, memory, f"barrier{fence}")), *arguments())
    run(kernel(pair(first, second, memory, "barrier.global.local")), *arguments())
    for barrier in ("barrier", f"barrier{wrong}"):
        assert race(kernel(pair(first, second, memory, barrier)))[:2] == (8, 6)


@pytest.mark.parametrize(
    "body",
    [
        parallel("%x = load %t[%i] : i32\n%y = arith.add %x, %x : i32\nstore %y, %t[%i]\nstore.atomic %y, %t[%i]"),
        parallel("%x = load %r[%0] : i32\nstore %x, %t[%i]"),
        parallel("%z = cmp.eq %i, %0 : bool\nif %z { store %c, %r[%0]\n store %c, %r[%0] }"),
        parallel("%z = cmp.eq %i, %0 : bool\nif %z { store %c, %r[%0] } else { store %c, %r[%i] }"),
        parallel("store.atomic_add %c, %r[%0]\nstore.atomic %c, %r[%0]"),
        parallel("for %k = %0, %n {\n store %c, %t[%i]\n barrier.local\n %x = load %t[%k] : i32\n barrier.local\n }"),
        "store %c, %t[%0]\n%x = load %t[%0] : i32\nstore %x, %t[%0]\nparallel { %y = load %t[%0] : i32 }",
        "parallel { %y = load %t[%0] : i32 }\nstore %c, %t[%0]\nparallel { store.atomic %c, %t[%0] }",
        "foreach (%i) = (%0), (%n) { %x = load %t[%i] : i32 store %x, %t[%i] }\n" * 2,
        "foreach (%i) = (%0), (%1) { store %c, %t[%0] %x = load %t[%0] : i32 store %x, %t[%0] }",
        "foreach (%i) = (%0), (%n) { store.atomic_add %c, %t[%0] }\nparallel { %x = load %t[%0] : i32 }",
        "foreach (%i, %j) = (%0, %0), (%n, %1) { store %c, %s[%i, %j] }",
        "axpby.n %c, %t, %c, %r\nparallel { store.atomic %c, %r[%0] }\naxpby.n %c, %r, %c, %t\naxpby.n %c, %t, %c, %t",
        "for %k = %0, %n { parallel { %y = load %t[%k] : i32 }\nforeach (%i) = (%0), (%n) { store %c, %t[%i] } }",
    ],
)
def test_what_is_ordered_or_apart(body: str) -> None:
    run(kernel(body), *arguments())


def test_a_work_group_of_one_work_item_has_no_races() -> None:
    text = kernel("parallel { store %c, %r[%0]\n %x = load %r[%0] : i32\n }", "attributes{work_group_size=[1,1]}")
    run(text, *arguments())


@pytest.mark.parametrize("instruction", ["store %c, %r[%0]", "store %l, %r[%0]", "store %c, %t[%0]"])
def test_one_instruction_of_all_work_items(instruction: str) -> None:
    line, other, message = race(kernel(parallel(instruction)))
    assert line == other == 4
    memory = "%t" if "%t" in instruction else "%r"
    assert message == (
        f"store: element (0) of {memory} is written here and written by work-item 1, in no order "
        "(work-group 0, work-item 0)"
    )


def test_two_work_items_of_many() -> None:
    body = parallel(
        """\
        %three = constant 3 : index
        %seven = constant 7 : index
        %a = cmp.eq %i, %three : bool
        %b = cmp.eq %i, %seven : bool
        if %a { store %c, %r[%1] }
        if %b { %x = load %r[%1] : i32 }"""
    )
    line, other, message = race(kernel(body))
    assert (line, other) == (9, 8)
    assert message == (
        "load: element (1) of %r is read here and written by work-item 3, in no order (work-group 0, work-item 7)"
    )


def test_the_second_reader_is_remembered() -> None:
    body = parallel(
        """\
        %a = cmp.eq %i, %0 : bool
        %x = load %r[%0] : i32
        if %a { %y = load %r[%0] : i32 }
        if %a { store %c, %r[%0] }"""
    )
    line, other, message = race(kernel(body))
    assert (line, other) == (7, 5)
    assert "read by work-item 1, in no order (work-group 0, work-item 0)" in message


def test_races_in_a_loop_are_between_its_trips() -> None:
    body = "%k = arith.add %j, %i : index\n%m = arith.rem %k, %n : index\nstore %c, %t[%m]"
    line, other, message = race(kernel(parallel(f"for %j = %0, %n {{\n{body}\n}}")))
    assert line == other == 7
    assert message.endswith(
        "element (1) of %t is written here and written by work-item 1, in no order (work-group 0, work-item 0)"
    )
    run(kernel(parallel(f"for %j = %0, %n {{\n{body}\nbarrier.local\n}}")), *arguments())


# Through views, groups, and matrices.


def test_races_are_between_views_of_one_memory() -> None:
    body = parallel(
        """\
        %one = arith.add %i, %1 : index
        %last = arith.rem %one, %n : index
        %v = subview %s[:, 0] : memref<i32x16>
        %w = subview %s[%last:1, 0] : memref<i32x?>
        store %c, %v[%i]
        %x = load %w[%0] : i32"""
    )
    assert race(kernel(body.replace("%last:1", "%last:%1")))[2].startswith(
        "load: element (0) of %w is read here and written by work-item 1, in no order"
    )


def test_races_are_between_items_of_a_group() -> None:
    text = """func @f(%h: group<memref<i32x2>x?>) {
      %0 = constant 0 : index
      %n = size %h[0] : index
      foreach (%i) = (%0), (%n) {
        %m = load %h[%i] : memref<i32x2>
        %x = load %m[%0] : i32
        store %x, %m[%0]
      }
    }"""
    a, b = np.zeros(2, np.int32), np.zeros(2, np.int32)
    run(text, [a, b])
    pool = np.zeros(6, np.int32)
    line, other, message = race(text, ITEMS, 1, [a, pool[0:2], b, pool[0:2]])
    assert (line, other) == (7, 6)
    assert message == (
        "store: element (0) of %m is written here and read by iteration (3), in no order (work-group 0, iteration (1))"
    )
    run(text, [a, pool[0:2], b, pool[1:3]])


MATRICES = """func @f(%r: memref<f32x8x?>) attributes{{subgroup_size=4, work_group_size=[4,2]}} {{
  parallel {{
    %0 = constant 0 : index
    %8 = constant 8 : index
    %id = builtin.subgroup_id : i32
    %k = cast %id : index
    %y = arith.mul %k, %8 : index
    %l = builtin.subgroup_local_id : i32
    %f = cast %l : f32
    %j = cast %l : index
    %a = cooperative_matrix_load.n %r[%0, %y] : coopmatrix<f32x8x8,matrix_acc>
    {0}
  }}
}}"""


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("cooperative_matrix_store %a, %r[%0, %y]", None),
        ("cooperative_matrix_store.atomic_add %a, %r[%0, %y]", None),
        ("barrier.global store.atomic %f, %r[%j, %0]", None),
        ("barrier.global cooperative_matrix_store.atomic_add %a, %r[%0, %0]", None),
        (
            "cooperative_matrix_store.atomic_add %a, %r[%0, %0]",
            "cooperative_matrix_store: element (0, 0) of %r is updated atomically here and read by sub-group 0, "
            "in no order (work-group 0, work-item 4)",
        ),
        (
            "cooperative_matrix_store %a, %r[%0, %0]",
            "cooperative_matrix_store: element (0, 0) of %r is written here and read by sub-group 0, in no order "
            "(work-group 0, work-item 4)",
        ),
        (
            "barrier.global cooperative_matrix_store %a, %r[%0, %0]",
            "cooperative_matrix_store: element (0, 0) of %r is written here and written by sub-group 1, in no order "
            "(work-group 0, work-item 0)",
        ),
        (
            "store %f, %r[%j, %y]",
            "store: element (0, 0) of %r is written here and read by sub-group 0, in no order "
            "(work-group 0, work-item 0)",
        ),
    ],
)
def test_matrices_are_accessed_by_sub_groups(body: str, shown: str | None) -> None:
    out = np.zeros((8, 16), np.float32, order="F")
    text = MATRICES.format(body)
    if shown is None:
        run(text, out)
    else:
        assert race(text, ITEMS, 1, out)[2] == shown


def test_all_sub_groups_load_the_same_matrix() -> None:
    load = "%b = cooperative_matrix_load.n %r[%0, %0] : coopmatrix<f32x8x8,matrix_acc>"
    store = "barrier.global cooperative_matrix_store %b, %r[%0, %0]"
    out = np.zeros((8, 16), np.float32, order="F")
    run(MATRICES.format(load), out)
    message = race(MATRICES.format(f"{load} {store}"), ITEMS, 1, out)[2]
    assert "is written here and written by sub-group 1, in no order (work-group 0, work-item 0)" in message


# Iterations.


def test_iterations_of_a_foreach() -> None:
    text = """func @f(%r: memref<i64x?x3>) {
      %1 = constant 1 : index
      %2 = constant 2 : index
      %n = size %r[0] : index
      foreach (%i, %j) = (%1, %1), (%n, %2) {
        %k = arith.sub %n, %i : index
        %v = cast %i : i64
        store %v, %r[%i, %j]
        %x = load %r[%k, %j] : i64
      }
    }"""
    line, other, message = race(text, ITEMS, 1, np.zeros((5, 3), np.int64, order="F"))
    assert (line, other) == (9, 8)
    assert message == (
        "load: element (4, 1) of %r is read here and written by iteration (4, 1), in no order "
        "(work-group 0, iteration (1, 1))"
    )


def test_iterations_in_different_blocks() -> None:
    text = """func @f(%r: memref<i64x?>) {
      %0 = constant 0 : index
      %n = size %r[0] : index
      %last = constant 5006 : index
      foreach (%i) = (%0), (%n) {
        %is_first = cmp.eq %i, %0 : bool
        %is_last = cmp.eq %i, %last : bool
        %v = cast %i : i64
        if %is_first { store %v, %r[%0] }
        if %is_last { store %v, %r[%0] }
      }
    }"""
    line, other, message = race(text, ITEMS, 1, np.zeros(5007, np.int64))
    assert (line, other) == (10, 9)
    assert message == (
        "store: element (0) of %r is written here and written by iteration (0), in no order "
        "(work-group 0, iteration (5006))"
    )


# Work-groups.

OF_GROUPS = {
    "%x = load %r[%0] : i32": "read",
    "store %c, %r[%0]": "written",
    "store.atomic %c, %r[%0]": "updated atomically",
    "store.atomic_add %c, %r[%0]": "updated atomically",
    "axpby.n %c, %r, %c, %t": "read",
    "axpby.n %c, %t, %c, %r": "written",
    "axpby.n.atomic %c, %t, %c, %r": "updated atomically",
    "parallel { %x = load %r[%0] : i32 }": "read",
    "foreach (%i) = (%0), (%n) { store %c, %r[%i] }": "written",
    "parallel { store.atomic_add %c, %r[%0] }": "updated atomically",
}


@pytest.mark.parametrize("first", OF_GROUPS)
@pytest.mark.parametrize("second", OF_GROUPS)
def test_two_work_groups(first: str, second: str) -> None:
    """The first work-group does one thing, the others another."""
    text = f"""func @f(%r: memref<i32x16>) {{
      {indent(PREAMBLE, "  ")}
      %z = cmp.eq %g, %0 : bool
      if %z {{
        {first}
      }} else {{
        {second}
      }}
    }}"""
    before, now = OF_GROUPS[first], OF_GROUPS[second]
    if {before, now} in ({"read"}, {"updated atomically"}):
        run(text, np.zeros(16, np.int32), groups=2)
        return
    line, other, message = race(text, GROUPS, 2, np.zeros(16, np.int32))
    assert (line, other) == (14, 12)
    assert f"element (0) of %r is {now} here and {before} by work-group 0, in no order (work-group 1" in message
    run(text, np.zeros(16, np.int32), groups=1)


def test_barriers_do_not_order_work_groups() -> None:
    barriers = "barrier.global.local\nparallel { barrier.global.local }\n"
    text = kernel(f"{barriers}store %c, %r[%g]\n{barriers}%x = load %r[%0] : i32\n{barriers}")
    run(text, *arguments())
    line, other, message = race(text, GROUPS, 3)
    assert (line, other) == (6, 3)
    assert message == "load: element (0) of %r is read here and written by work-group 0, in no order (work-group 1)"


def test_a_reader_of_an_earlier_work_group_is_remembered() -> None:
    text = kernel(
        """\
        %2 = constant 2 : index
        %x = load %r[%0] : i32
        %y = load %r[%0] : i32
        %z = cmp.eq %g, %2 : bool
        if %z { store %c, %r[%0] }"""
    )
    line, other, message = race(text, GROUPS, 3)
    assert (line, other) == (5, 3)
    assert message.endswith("is written here and read by work-group 1, in no order (work-group 2)")


def test_work_groups_with_elements_of_their_own() -> None:
    text = kernel(
        """\
        %m = load %h[%g] : memref<i32x16>
        %v = subview %s[:, %g] : memref<i32x16>
        axpby.n %c, %t, %c, %v
        axpby.n %c, %v, %c, %m
        axpby.n %c, %r, %c, %v
        parallel {
          %l = builtin.subgroup_local_id : i32
          %i = cast %l : index
          %x = load %v[%i] : i32
          store %x, %s[%i, %g]
          store.atomic %x, %m[%i]
        }
        store %c, %t[%0]
        %y = load %t[%0] : i32"""
    )
    own = [np.zeros(16, np.int32), np.zeros((16, 5), np.int32, order="F"), [np.zeros(16, np.int32) for _ in range(5)]]
    run(text, *own, groups=5)
    message = race(text, GROUPS, 5)[2]
    assert "element (0) of %m is written here and written by work-group 0" in message


# Memory that arguments share.


def test_arguments_that_overlap() -> None:
    text = """func @f(%a: memref<i32x4>, %b: memref<i32x4>) {
      %0 = constant 0 : index
      %n = constant 4 : index
      foreach (%i) = (%0), (%n) {
        %x = load %a[%i] : i32
        store %x, %b[%i]
      }
    }"""
    f = pytl.compile(text)["f"]
    memory = np.zeros(9, np.int32)
    f[1](memory[:4], memory[:4], backend="reference")
    f[1](memory[:4], memory[4:8], backend="reference")
    with pytest.raises(ExecutionError) as caught:
        f[1](memory[:4], memory[2:6], backend="reference")
    assert "element (0) of %b is written here and read by iteration (2), in no order" in str(caught.value)
    with pytest.raises(ExecutionError) as caught:
        f[2](memory[:4], memory[4:8], backend="reference")
    assert caught.value.code == GROUPS


def test_arguments_that_interleave() -> None:
    text = """func @f(%a: memref<i32x4,strided<2>>, %b: memref<i32x4,strided<2>>) {
      %0 = constant 0 : index
      %n = constant 4 : index
      foreach (%i) = (%0), (%n) {
        %x = load %a[%0] : i32
        store %x, %b[%i]
      }
    }"""
    memory = np.zeros(9, np.int32)
    run(text, memory[0:8:2], memory[1:9:2])
    assert "read by" in race(text, ITEMS, 1, memory[0:8:2], memory[0:8:2])[2]


@pytest.mark.parametrize(("at", "element"), [(0, None), (6, "(1)"), (8, "(0)"), (22, "(0)"), (24, None)])
def test_arguments_of_different_types_that_overlap(at: int, element: str | None) -> None:
    """One work-group writes the bytes from 8 to 24 as i64, another reads four bytes as i16."""
    text = """func @f(%a: memref<i64x2>, %b: memref<i16x2>) {
      %0 = constant 0 : index
      %1 = constant 1 : index
      %v = constant 1 : i64
      %g = group_id : index
      %z = cmp.eq %g, %0 : bool
      if %z {
        store %v, %a[%1]
        store %v, %a[%0]
      } else {
        %x = load %b[%0] : i16
        %y = load %b[%1] : i16
      }
    }"""
    module = pytl.parse(text, "kernel.tl")
    pytl.verify(module)
    memory = np.zeros(32, np.uint8)
    longs, shorts = memory[8:24].view(np.int64), memory[at : at + 4].view(np.int16)
    given = [MemrefView(longs, 0, (2,), (1,)), MemrefView(shorts, 0, (2,), (1,))]
    if element is None:
        execute(module.functions[0], given, 2)
        return
    with pytest.raises(ExecutionError) as caught:
        execute(module.functions[0], given, 2)
    (found,) = caught.value.diagnostics
    assert found.message == (
        f"load: element {element} of %b is read here and written by work-group 0, in no order (work-group 1)"
    )
    assert found.labels[0].location.line == (8 if at > 16 else 9)


@pytest.mark.parametrize("type_", DTYPES)
def test_every_element_type(type_: str) -> None:
    text = f"""func @f(%a: memref<{type_}x8>, %r: memref<{type_}x8>) {{
      %0 = constant 0 : index
      %n = constant 8 : index
      foreach (%i) = (%0), (%n) {{ %x = load %a[%i] : {type_} store %x, %r[%i] }}
      foreach (%i) = (%0), (%n) {{ %x = load %a[%i] : {type_} store %x, %r[%0] }}
    }}"""
    failure(text, np.zeros(8, DTYPES[type_]), np.zeros(8, DTYPES[type_]), code=ITEMS, line=5)


def test_large_groups_and_empty_memory() -> None:
    text = """func @f(%h: group<memref<i32x?>x?>) {
      %g = group_id : index
      %0 = constant 0 : index
      %m = load %h[%g] : memref<i32x?>
      axpby.n %c, %m, %c, %m
    }""".replace("%g =", "%c = constant 2 : i32\n      %g =", 1)
    items = [np.ones(k % 3, np.int32) for k in range(50)]
    run(text, items, groups=50)
    assert all((item == 4).all() for item in items)
    run(text, [], groups=0)


# Barriers that not all work-items meet.


def test_barrier_in_a_loop_of_different_lengths() -> None:
    text = kernel(parallel("for %k = %0, %i {\n barrier\n }"))
    message = failure(text, *arguments(), code="PYTL-4011", line=14)
    assert message == "barrier: 15 of 16 work-items come here; the first that does not is 0 (work-group 0, work-item 1)"


def test_barrier_in_a_loop_of_equal_lengths_and_in_a_uniform_branch() -> None:
    body = """\
        %m = arith.add %i, %n : index
        %z = cmp.ge %i, %0 : bool
        for %k = %i, %m { if %z { barrier.global } else { barrier.local } }"""
    run(kernel(parallel(body)), *arguments())


# The state that races are found with, against the plain definition.


def test_history_against_the_definition() -> None:
    """Random accesses: a race is found just where the list of all accesses so far has one."""
    function = pytl.parse("func @f(%r: memref<i32>) { %v = load %r[] : i32 store %v, %r[] }").functions[0]
    load, store = function.body.operations
    found = 0
    for seed in range(300):
        random = Random(seed)
        shared = seed % 2 == 0
        history = History(function, 3 if shared else 1)
        clock = history.clocks["global"]
        area = Area(4, clock)
        past: list[tuple[int, int, int, int, str]] = []
        epoch = group = 0
        history.begin_group()
        for _ in range(40):
            what = random.randrange(12)
            if what == 0 and shared:
                history.begin_group()
                group, epoch = group + 1, epoch + 1
            if what <= 3:
                history.begin_region(5, 0, str)
                epoch += 1
            if what == 4:
                history.fence("global")
                epoch += 1
            if clock.agents == 1:
                continue
            access = random.choice(["read", "read", "atomic", "write"])
            agents = np.array(random.sample(range(5), random.randrange(1, 4)))
            elements = np.array([random.randrange(4) for _ in agents])
            now = [(int(e), group, epoch, int(a), access) for e, a in zip(elements, agents, strict=True)]
            expected = any(_is_race(x, y) for k, x in enumerate(now) for y in [*past, *now[:k]])
            stamps = history.stamps(clock, agents, load if access == "read" else store)
            result = area.access(access, Scattered(elements), stamps, clock.epoch + history.agents * history.unit)
            assert (result is not None) == expected
            if result is not None:
                found += 1
                place = now[result.at]
                by = (result.stamp - clock.epoch) // history.unit
                assert any(
                    _is_race(place, y) and y[4] == result.other and (y[1] != group or y[3] == by) for y in [*past, *now]
                )
                break
            past += now
    assert found > 100


def _is_race(a: tuple[int, int, int, int, str], b: tuple[int, int, int, int, str]) -> bool:
    (place, group, epoch, agent, access), (other_place, other_group, other_epoch, other_agent, other) = a, b
    ordered = group == other_group and (epoch != other_epoch or agent == other_agent)
    return place == other_place and not ordered and other in CONFLICTING[access]  # type: ignore[index]


def test_groups_of_memrefs_in_one_buffer() -> None:
    text = """func @f(%h: group<memref<i32x2>x?>) {
      %g = group_id : index
      %0 = constant 0 : index
      %c = constant 1 : i32
      %m = load %h[%g] : memref<i32x2>
      store %c, %m[%0]
    }"""
    module = pytl.parse(text, "kernel.tl")
    pytl.verify(module)
    buffer = np.zeros(6, np.int32)
    execute(module.functions[0], [GroupView.alike([(buffer, 0), (buffer, 1), (buffer, 2)], (2,), (1,))], 3)
    with pytest.raises(ExecutionError) as caught:
        execute(module.functions[0], [GroupView.alike([(buffer, 0), (buffer, 1), (buffer, 0)], (2,), (1,))], 3)
    assert caught.value.code == GROUPS
