"""Data races between work-items are found by the reference backend, and nothing else is; texts of all races."""

from __future__ import annotations

from textwrap import dedent

import numpy as np
import pytest
from races_kit import GROUPS, ITEMS, arguments, kernel, parallel, race
from reference_kit import failure, run

from pytl.diagnostics import ExecutionError, find

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
        "element (1) of %t is written here and written by work-item 1, in no order (work-group 0, work-item 0, %j = 1)"
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


# Barriers that not all work-items meet.


def test_barrier_in_a_loop_of_different_lengths() -> None:
    text = kernel(parallel("for %k = %0, %i {\n barrier\n }"))
    message = failure(text, *arguments(), code="PYTL-4011", line=14)
    assert message == (
        "barrier: 15 of 16 work-items come here; the first that does not is 0 (work-group 0, work-item 1, %k = 0)"
    )


def test_barrier_in_a_loop_of_equal_lengths_and_in_a_uniform_branch() -> None:
    body = """\
        %m = arith.add %i, %n : index
        %z = cmp.ge %i, %0 : bool
        for %k = %i, %m { if %z { barrier.global } else { barrier.local } }"""
    run(kernel(parallel(body)), *arguments())
