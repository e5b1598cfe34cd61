"""What the reference backend finds that sub-groups and cooperative matrices leave undefined: codes, lines, texts."""

from __future__ import annotations

from textwrap import dedent

import numpy as np
import pytest
from reference_kit import failure, random_array, run

from pytl.diagnostics import ExecutionError, find

ATTRIBUTES = "attributes{subgroup_size=4, work_group_size=[8,1]}"


def spmd_text(body: str, parameters: str = "%a: memref<f32x?x?>, %n: memref<i32x8>") -> str:
    """Two sub-groups of four; the body begins in line 9."""
    return f"""func @f({parameters}) {ATTRIBUTES} {{
  parallel {{
    %id = builtin.subgroup_id : i32
    %local = builtin.subgroup_local_id : i32
    %z = constant 0 : index
    %zero = constant 0 : i32
    %one = constant 1 : i32
    %two = constant 2 : i32
{body}
  }}
}}"""


def message_of(body: str, code: str, line: int = 9, shape: tuple[int, int] = (4, 4)) -> str:
    a = random_array(np.random.default_rng(0), "f32", *shape)
    return failure(spmd_text(body), a, np.zeros(8, np.int32), code=code, line=line)


def text_of_error(text: str, *arguments: object) -> str:
    with pytest.raises(ExecutionError) as caught:
        run(text, *arguments)
    return str(caught.value)


# Who comes to a sub-group operation.

OPERATIONS = [
    "%y = subgroup_add.reduce %local : i32",
    "%y = subgroup_max.inclusive_scan %local : i32",
    "%y = subgroup_min.exclusive_scan %local : i32",
    "%y = subgroup_broadcast %local, %zero : i32",
    "%y = cooperative_matrix_load.n %a[%z, %z] : coopmatrix<f32x2x2,matrix_a>",
    "%y = cooperative_matrix_mul_add %A, %B, %C : coopmatrix<f32x2x2,matrix_acc>",
    "%y = cooperative_matrix_scale %f, %A : coopmatrix<f32x2x2,matrix_a>",
    "cooperative_matrix_store %C, %a[%z, %z]",
]
MATRICES = """    %A = constant 1.0 : coopmatrix<f32x2x2,matrix_a>
    %B = constant 1.0 : coopmatrix<f32x2x2,matrix_b>
    %C = constant 1.0 : coopmatrix<f32x2x2,matrix_acc>
    %f = constant 1.0 : f32
"""


def word(operation: str) -> str:
    return operation.removeprefix("%y = ").split(" ")[0].removesuffix(".n")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_text_of_a_branch_that_not_all_work_items_take(operation: str) -> None:
    name = word(operation)
    text = spmd_text(f"{MATRICES}    %c = cmp.eq %local, %two : bool\n    if %c {{\n      {operation}\n    }}")
    shown = text_of_error(text, np.zeros((4, 4), np.float32, order="F"), np.zeros(8, np.int32))
    column = 12 if operation.startswith("%y") else 7
    assert shown == dedent(
        f"""
        error[PYTL-4013]: {name}: 1 of 4 work-items of sub-group 0 come here; the first that does not is 0 (work-group 0, work-item 2)
          --> kernel.tl:15:{column}
           |
        15 |       {operation}
           | {" " * (column - 1)}{"^" * (len(operation) - column + 7)}
           = rule: a sub-group operation is met by all work-items of the sub-group
           = help: move it out of the if or for that the work-items of a sub-group go through differently"""  # noqa: E501
    )


@pytest.mark.parametrize("operation", OPERATIONS)
def test_iterations_form_no_subgroups(operation: str) -> None:
    text = f"""func @f(%a: memref<f32x4x4>) {{
  %z = constant 0 : index
  %n = constant 16 : index
  %zero = constant 0 : i32
  %local = constant 1 : i32
{MATRICES}  foreach (%i) = (%z), (%n) {{
    {operation}
  }}
}}"""
    message = failure(text, np.zeros((4, 4), np.float32, order="F"), code="PYTL-4013", line=11)
    assert message == (
        f"{word(operation)}: the iterations of a foreach are spread over the work-items in any way,"
        " so they form no sub-groups (work-group 0, iteration (0))"
    )


def test_loop_that_work_items_leave_one_after_the_other() -> None:
    body = """    for %k: i32 = %zero, %local {
      %y = subgroup_add.reduce %k : i32
    }"""
    assert message_of(body, "PYTL-4013", line=10) == (
        "subgroup_add.reduce: 3 of 4 work-items of sub-group 0 come here; the first that does not is 0"
        " (work-group 0, work-item 1, %k = 0)"
    )


def test_only_the_second_subgroup_is_torn() -> None:
    body = """    %item = arith.mul %local, %id : i32
    %c = cmp.ne %item, %two : bool
    if %c {
      %y = subgroup_add.reduce %item : i32
    }"""
    assert message_of(body, "PYTL-4013", line=12) == (
        "subgroup_add.reduce: 3 of 4 work-items of sub-group 1 come here; the first that does not is 6"
        " (work-group 0, work-item 4)"
    )


# What must be dynamically uniform.


def test_text_of_a_local_id_that_differs() -> None:
    text = spmd_text("    %from = arith.div %local, %two : i32\n    %y = subgroup_broadcast %local, %from : i32")
    shown = text_of_error(text, np.zeros((4, 4), np.float32, order="F"), np.zeros(8, np.int32))
    assert shown == dedent(
        """
        error[PYTL-4014]: subgroup_broadcast: the local id is 1, but 0 for work-item 0 of the same sub-group (work-group 0, work-item 2)
          --> kernel.tl:10:10
           |
        10 |     %y = subgroup_broadcast %local, %from : i32
           |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           = rule: what must be dynamically uniform has the same value for all work-items of a sub-group
           = help: take it from one work-item with subgroup_broadcast"""  # noqa: E501
    )


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "    %x = cast %local : index\n"
            "    %A = cooperative_matrix_load.n %a[%x, %z] : coopmatrix<f32x1x1,matrix_a>",
            "cooperative_matrix_load: x is 1, but 0 for work-item 0 of the same sub-group",
        ),
        (
            "    %x = cast %local : index\n"
            "    %A = cooperative_matrix_load.t.both_checked %a[%z, %x] : coopmatrix<f32x1x1,matrix_a>",
            "cooperative_matrix_load: y is 1, but 0 for work-item 0 of the same sub-group",
        ),
        (
            "    %x = cast %local : index %A = constant 1.0 : coopmatrix<f32x1x1,matrix_a>\n"
            "    cooperative_matrix_store.atomic_add %A, %a[%x, %z]",
            "cooperative_matrix_store: x is 1, but 0 for work-item 0 of the same sub-group",
        ),
        (
            "    %x = cast %local : f32 %A = constant 1.0 : coopmatrix<f32x1x1,matrix_a>\n"
            "    %B = cooperative_matrix_scale %x, %A : coopmatrix<f32x1x1,matrix_a>",
            "cooperative_matrix_scale: the scalar is 1.0, but 0.0 for work-item 0 of the same sub-group",
        ),
        (
            "    %x = cast %local : index %v = subview %a[%x:1, 0:1] : memref<f32x1x1,strided<1,?>>\n"
            "    %A = cooperative_matrix_load.n %v[%z, %z] : coopmatrix<f32x1x1,matrix_a>",
            "cooperative_matrix_load: %v is another than for work-item 0 of the same sub-group",
        ),
        (
            "    %o = constant 1 : index %x = cast %local : index %w = arith.add %x, %o : index "
            "%v = subview %a[0:1, 0:%w] : memref<f32x1x?,strided<1,?>>\n"
            "    %A = cooperative_matrix_load.n.both_checked %v[%z, %z] : coopmatrix<f32x1x1,matrix_a>",
            "cooperative_matrix_load: %v is another than for work-item 0 of the same sub-group",
        ),
    ],
)
def test_arguments_of_matrix_instructions_are_uniform(body: str, message: str) -> None:
    assert message_of(body, "PYTL-4014", line=10) == f"{message} (work-group 0, work-item 1)"


def test_memrefs_of_a_group_must_be_uniform() -> None:
    body = """    %i = cast %local : index %m = load %g[%i] : memref<f32x2x2>
    %A = cooperative_matrix_load.n %m[%z, %z] : coopmatrix<f32x2x2,matrix_a>"""
    items = [np.zeros((2, 2), np.float32, order="F") for _ in range(4)]
    text = spmd_text(body, "%g: group<memref<f32x2x2>x?>")
    message = failure(text, items, code="PYTL-4014", line=10)
    assert message == (
        "cooperative_matrix_load: %m is another than for work-item 0 of the same sub-group (work-group 0, work-item 1)"
    )


def test_nan_is_the_same_for_all() -> None:
    body = """    %f = cast %zero : f32 %nan = arith.div %f, %f : f32
    %l = cast %local : f32 %x = arith.mul %l, %nan : f32
    %A = constant 1.0 : coopmatrix<f32x2x2,matrix_a>
    %B = cooperative_matrix_scale %x, %A : coopmatrix<f32x2x2,matrix_a>
    %row = arith.mul %id, %two : i32 %y = cast %row : index
    cooperative_matrix_store %B, %a[%y, %z]"""
    a = np.zeros((4, 2), np.float32, order="F")
    run(spmd_text(body), a, np.zeros(8, np.int32))
    assert np.isnan(a).all()


def test_text_of_a_matrix_that_differs_between_branches() -> None:
    text = spmd_text(
        """    %c = cmp.ge %local, %two : bool
    %A = if %c -> (coopmatrix<f32x2x2,matrix_a>) {
      %x = constant 1.0 : coopmatrix<f32x2x2,matrix_a>
      yield (%x)
    } else {
      %x = constant 2.0 : coopmatrix<f32x2x2,matrix_a>
      yield (%x)
    }"""
    )
    shown = text_of_error(text, np.zeros((4, 4), np.float32, order="F"), np.zeros(8, np.int32))
    assert shown.startswith(
        "\nerror[PYTL-4014]: if: %A becomes another matrix for some work-items of sub-group 0 than for the others"
        " (work-group 0, work-item 0)\n  --> kernel.tl:10:10\n"
    )
    assert shown.endswith(
        "= rule: what must be dynamically uniform has the same value for all work-items of a sub-group\n"
        "   = help: let the condition or bounds be the same for all work-items of the sub-group"
    )


def test_matrix_that_differs_between_iterations() -> None:
    body = """    %A = constant 1.0 : coopmatrix<f32x2x2,matrix_acc>
    %B = for %k: i32 = %zero, %local init(%x=%A) -> (coopmatrix<f32x2x2,matrix_acc>) {
      %y = arith.add %x, %x : coopmatrix<f32x2x2,matrix_acc>
      yield (%y)
    }"""
    assert message_of(body, "PYTL-4014", line=10) == (
        "for: %B becomes another matrix for some work-items of sub-group 0 than for the others"
        " (work-group 0, work-item 0)"
    )


@pytest.mark.parametrize("checks", [True, False])
def test_what_is_not_uniform_is_some_work_items_where_nothing_is_checked(checks: bool) -> None:
    body = """    %x = cast %local : index
    %A = cooperative_matrix_load.n.both_checked %a[%x, %z] : coopmatrix<f32x2x2,matrix_acc>
    %c = cmp.ge %local, %two : bool
    %B = if %c -> (coopmatrix<f32x2x2,matrix_acc>) { yield (%A) } else {
      %y = constant 2.0 : coopmatrix<f32x2x2,matrix_acc>
      yield (%y)
    }
    cooperative_matrix_store.both_checked %B, %a[%x, %x]"""
    a = random_array(np.random.default_rng(0), "f32", 4, 4)
    if checks:
        failure(spmd_text(body), a, np.zeros(8, np.int32), code="PYTL-4014", line=10)
    else:
        run(spmd_text(body), a, np.zeros(8, np.int32), checks=False)


# Ids and positions.


@pytest.mark.parametrize("local_id", [-1, 4, 2**31 - 1])
def test_local_id_of_a_broadcast(local_id: int) -> None:
    body = f"    %from = constant {local_id} : i32\n    %y = subgroup_broadcast %local, %from : i32"
    assert message_of(body, "PYTL-4015", line=10) == (
        f"subgroup_broadcast: local id {local_id} is not one of the sub-group, whose size is 4"
        " (work-group 0, work-item 0)"
    )


def test_text_of_a_matrix_out_of_bounds() -> None:
    text = spmd_text(
        """    %x = cast %id : index
    %A = cooperative_matrix_load.n.cols_checked %a[%x, %x] : coopmatrix<f32x3x5,matrix_a>"""
    )
    shown = text_of_error(text, np.zeros((3, 4), np.float32, order="F"), np.zeros(8, np.int32))
    assert shown == dedent(
        """
        error[PYTL-4001]: cooperative_matrix_load: component (2, 0) is element (3, 1) of %a, which is out of bounds in mode 0, whose size is 3 (work-group 0, work-item 4)
          --> kernel.tl:10:10
           |
         1 | func @f(%a: memref<f32x?x?>, %n: memref<i32x8>) attributes{subgroup_size=4, work_group_size=[8,1]} {
           |         -- a is memref<f32x?x?>
        10 |     %A = cooperative_matrix_load.n.cols_checked %a[%x, %x] : coopmatrix<f32x3x5,matrix_a>
           |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           = rule: an index lies in its mode: 0 ≤ index < size
           = help: leave out what lies outside with .rows_checked or .both_checked"""  # noqa: E501
    )


@pytest.mark.parametrize(
    ("instruction", "message", "flag"),
    [
        (
            "%A = cooperative_matrix_load.t %a[%z, %z] : coopmatrix<f32x5x2,matrix_a>",
            "cooperative_matrix_load: component (4, 0) is element (0, 4) of %a, which is out of bounds in mode 1",
            "rows",
        ),
        (
            "%A = cooperative_matrix_load.t.rows_checked %a[%z, %z] : coopmatrix<f32x2x5,matrix_a>",
            "cooperative_matrix_load: component (0, 4) is element (4, 0) of %a, which is out of bounds in mode 0",
            "cols",
        ),
        (
            "%A = constant 0.0 : coopmatrix<f32x2x5,matrix_a> cooperative_matrix_store.rows_checked %A, %a[%z, %z]",
            "cooperative_matrix_store: component (0, 4) is element (0, 4) of %a, which is out of bounds in mode 1",
            "cols",
        ),
    ],
)
def test_directions_that_are_not_checked(instruction: str, message: str, flag: str) -> None:
    text = spmd_text(f"    {instruction}")
    with pytest.raises(ExecutionError) as caught:
        run(text, np.zeros((4, 4), np.float32, order="F"), np.zeros(8, np.int32))
    (found,) = caught.value.diagnostics
    assert found.message == f"{message}, whose size is 4 (work-group 0, work-item 0)"
    assert found.help == f"leave out what lies outside with .{flag}_checked or .both_checked"


@pytest.mark.parametrize("instruction", ["load.n", "store.atomic_add"])
def test_uninitialised_local_memory(instruction: str) -> None:
    access = {
        "load.n": "%B = cooperative_matrix_load.n.both_checked %t[%x, %z] : coopmatrix<f32x3x2,matrix_acc>",
        "store.atomic_add": "cooperative_matrix_store.both_checked.atomic_add %A, %t[%x, %z]",
    }[instruction]
    text = f"""func @f() {ATTRIBUTES} {{
  %t = alloca : memref<f32x4x4,local>
  %z = constant 0 : index %two = constant 2 : index %three = constant 3 : index %f = constant 1.0 : f32
  foreach (%i, %j) = (%z, %z), (%three, %two) {{ store %f, %t[%i, %j] }}
  parallel {{
    %A = constant 1.0 : coopmatrix<f32x3x2,matrix_acc>
    %id = builtin.subgroup_id : i32
    %x = cast %id : index
    {access}
  }}
}}"""
    name = access.removeprefix("%B = ").split(".")[0]
    assert failure(text, code="PYTL-4008", line=9) == (
        f"{name}: element (3, 0) of %t is read, but was never written (work-group 0, work-item 4)"
    )


@pytest.mark.parametrize("line", [8, 9])
def test_matrices_in_memory_that_was_given_up(line: int) -> None:
    text = f"""func @f() {ATTRIBUTES} {{
  %t = alloca : memref<f32x4x4,local>
  %z = constant 0 : index %four = constant 4 : index %f = constant 1.0 : f32
  foreach (%i, %j) = (%z, %z), (%four, %four) {{ store %f, %t[%i, %j] }}
  lifetime_stop %t
  parallel {{
    %A = constant 1.0 : coopmatrix<f32x3x2,matrix_acc>
    cooperative_matrix_store %A, %t[%z, %z]
    %B = cooperative_matrix_load.n %t[%z, %z] : coopmatrix<f32x3x2,matrix_acc>
  }}
}}"""
    if line == 9:
        text = text.replace("    cooperative_matrix_store %A, %t[%z, %z]\n", "\n")
    name = {8: "cooperative_matrix_store", 9: "cooperative_matrix_load"}[line]
    assert failure(text, code="PYTL-4009", line=line) == (
        f"{name}: the memory of %t is used after its lifetime_stop (work-group 0, work-item 0)"
    )


# Components.


@pytest.mark.parametrize(
    ("instruction", "code", "message"),
    [
        ("%y = arith.div %A, %B : coopmatrix<i32x2x2,matrix_acc>", "PYTL-4005", "arith.div: 3 is divided by zero"),
        ("%y = cast %C : coopmatrix<i8x2x2,matrix_acc>", "PYTL-4007", "cast: 300.5 does not fit i8"),
        (
            "%y = cooperative_matrix_mul_add %L, %R, %C : coopmatrix<i8x2x2,matrix_acc>",
            "PYTL-4007",
            "cooperative_matrix_mul_add: 302.5 does not fit i8",
        ),
    ],
)
def test_components_that_break_a_rule(instruction: str, code: str, message: str) -> None:
    text = f"""func @f(%a: memref<i32x3x2>, %b: memref<i32x3x2>, %c: memref<f32x3x2>) {ATTRIBUTES} {{
  parallel {{
    %id = builtin.subgroup_id : i32
    %x = cast %id : index
    %z = constant 0 : index
    %A = cooperative_matrix_load.n %a[%x, %z] : coopmatrix<i32x2x2,matrix_acc>
    %B = cooperative_matrix_load.n %b[%x, %z] : coopmatrix<i32x2x2,matrix_acc>
    %C = cooperative_matrix_load.n %c[%x, %z] : coopmatrix<f32x2x2,matrix_acc>
    %L = constant 1.0 : coopmatrix<f32x2x2,matrix_a>
    %R = constant 1.0 : coopmatrix<f32x2x2,matrix_b>
    {instruction}
  }}
}}"""
    a, b = np.asfortranarray([[5, 4], [5, 4], [5, 3]], np.int32), np.asfortranarray([[1, 1], [1, 1], [1, 0]], np.int32)
    c = np.asfortranarray([[1, 1], [1, 1], [1, 300.5]], np.float32)
    # the last row is of the second sub-group's matrix only
    assert failure(text, a, b, c, code=code, line=11) == f"{message} (work-group 0, work-item 4)"


def test_rules_are_explained() -> None:
    for number in range(4013, 4019):
        rule = find(f"PYTL-{number}")
        assert rule is not None
        assert rule.explanation
