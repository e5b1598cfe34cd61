"""What the language leaves undefined is found by the reference backend: codes, lines and texts."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent

import numpy as np
import pytest
from reference_kit import DTYPES, INTEGERS, dense, failure, run

import pytl
from pytl.backends.reference import MemrefView, execute
from pytl.backends.reference.machine import Lanes, Machine, Program, execution_of
from pytl.diagnostics import ExecutionError, find
from pytl.ir.operation import Operation

# Whole texts of errors.


def text_of_error(text: str, *arguments: object, groups: int = 1) -> str:
    with pytest.raises(ExecutionError) as caught:
        run(text, *arguments, groups=groups)
    return str(caught.value)


def test_text_of_an_index_out_of_bounds() -> None:
    shown = text_of_error(
        """func @f(%a: memref<f32x?x3>, %r: memref<f32x9>) {
  %n0 = constant 0 : index %n5 = constant 5 : index %n3 = constant 3 : index foreach (%i, %j) = (%n0, %n0), (%n5, %n3) {
    %v = load %a[%i, %j] : f32
    store %v, %r[%i]
  }
}""",
        np.zeros((4, 3), np.float32, order="F"),
        np.zeros(9, np.float32),
    )
    assert shown == dedent(
        """
        error[PYTL-4001]: load: index %i = 4 is out of bounds in mode 0 of %a, whose size is 4 (work-group 0, iteration (4, 0))
          --> kernel.tl:3:10
           |
         1 | func @f(%a: memref<f32x?x3>, %r: memref<f32x9>) {
           |         -- a is memref<f32x?x3>
         3 |     %v = load %a[%i, %j] : f32
           |          ^^^^^^^^^^^^^^^^^^^^^
           = rule: an index lies in its mode: 0 ≤ index < size"""  # noqa: E501
    )


def test_text_of_a_read_of_uninitialised_memory() -> None:
    shown = text_of_error(
        """func @f(%r: memref<f32x4x4>) {
  %t = alloca : memref<f32x4x4,local>
  %one = constant 1.0 : f32
  %n0 = constant 0 : index %n4 = constant 4 : index foreach (%i) = (%n0), (%n4) {
    store %one, %t[%i, %i]
  }
  gemm.n.n %one, %t, %t, %one, %r
}""",
        np.zeros((4, 4), np.float32, order="F"),
        groups=2,
    )
    assert shown == dedent(
        """
        error[PYTL-4008]: gemm: element (0, 1) of %t is read, but was never written (work-group 0)
          --> kernel.tl:7:3
           |
         2 |   %t = alloca : memref<f32x4x4,local>
           |   -- allocated here
         7 |   gemm.n.n %one, %t, %t, %one, %r
           |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           = rule: an element of local memory is written before it is read"""
    )


def test_text_of_a_barrier_that_not_all_meet() -> None:
    shown = text_of_error(
        """func @f(%n: memref<indexx16>) {
  %z = constant 0 : index
  parallel {
    %one = constant 1 : index
    store.atomic_add %one, %n[0]
    %first = load %n[1] : index
    %c = cmp.gt %first, %z : bool
    if %c {
      barrier.local
    }
    for %i = %z, %first {
      barrier
    }
  }
  %n0 = constant 0 : index %n4 = constant 4 : index foreach (%i) = (%n0), (%n4) {
    %k = load %n[%i] : index
    store %k, %n[%i]
    barrier.global
  }
}""",
        np.zeros(16, np.int64),
    )
    assert shown == dedent(
        """
        error[PYTL-4011]: barrier: the iterations of a foreach are spread over the work-items in any way, so some may have none (work-group 0, iteration (0))
          --> kernel.tl:18:5
           |
        18 |     barrier.global
           |     ^^^^^^^^^^^^^^
           = rule: a barrier is encountered by all work-items of the work-group
           = help: end the foreach in front of the barrier, or use parallel"""  # noqa: E501
    )


def test_text_of_a_use_after_lifetime_stop() -> None:
    shown = text_of_error(
        """func @f(%r: memref<f32x4>) {
  %t = alloca : memref<f32x4,local>
  %one = constant 1.0 : f32
  %n0 = constant 0 : index %n4 = constant 4 : index foreach (%i) = (%n0), (%n4) { store %one, %t[%i] }
  axpby.n %one, %t, %one, %r
  lifetime_stop %t
  axpby.n %one, %t, %one, %r
}""",
        np.zeros(4, np.float32),
    )
    assert shown == dedent(
        """
        error[PYTL-4009]: axpby: the memory of %t is used after its lifetime_stop (work-group 0)
          --> kernel.tl:7:3
           |
         6 |   lifetime_stop %t
           |   ---------------- its lifetime ends here
         7 |   axpby.n %one, %t, %one, %r
           |   ^^^^^^^^^^^^^^^^^^^^^^^^^^
           = rule: the memory of an alloca is not used after its lifetime_stop
           = help: move the lifetime_stop after the last use"""
    )


def test_error_in_an_inlined_function_shows_its_callers() -> None:
    module = pytl.parse("func @f(%i: index, %r: memref<f32x?>) {\n  %v = load %r[%i] : f32\n  store %v, %r[%i]\n}")
    pytl.verify(module)
    load, store = module.functions[0].body.operations
    assert load.location is not None
    load.location = load.location.within("helper", replace(store.location, function="kernel"))
    with pytest.raises(ExecutionError) as caught:
        execute(module.functions[0], [3, MemrefView(np.zeros(2, np.float32), 0, (2,), (1,))], 1)
    assert "<text>:2:8 in helper" in str(caught.value)
    assert "::: called at <text>:3:3 in kernel" in str(caught.value)


# Numbers.


@pytest.mark.parametrize("type_", INTEGERS)
@pytest.mark.parametrize("variant", ["div", "rem"])
def test_integer_division_by_zero(type_: str, variant: str) -> None:
    text = f"""func @f(%a: memref<{type_}x4>, %r: memref<{type_}x4>) {{
      %seven = constant 7 : {type_}
      %n0 = constant 0 : index %n4 = constant 4 : index foreach (%i) = (%n0), (%n4) {{
        %x = load %a[%i] : {type_}
        %y = arith.{variant} %seven, %x : {type_}
        store %y, %r[%i]
      }}
    }}"""
    a = np.array([1, 2, 0, 3], DTYPES[type_])
    message = failure(text, a, a.copy(), code="PYTL-4005", line=5)
    assert message == f"arith.{variant}: 7 is divided by zero (work-group 0, iteration (2))"
    out = a.copy()
    run(text, a, out, checks=False)
    assert out[3] == (2 if variant == "div" else 1)


def test_guarded_division_is_no_error() -> None:
    text = """func @f(%a: memref<i32x4>) {
      %z = constant 0 : i32
      %n0 = constant 0 : index %n4 = constant 4 : index foreach (%i) = (%n0), (%n4) {
        %x = load %a[%i] : i32
        %c = cmp.ne %x, %z : bool
        if %c {
          %y = arith.div 12, %x : i32
          store %y, %a[%i]
        }
      }
    }"""
    a = np.array([1, 0, 5, -5], np.int32)
    run(text, a)
    assert a.tolist() == [12, 0, 2, -2]


@pytest.mark.parametrize(("variant", "count"), [("shl", 32), ("shr", -1), ("shl", 2**31 - 1)])
def test_shift_count(variant: str, count: int) -> None:
    text = f"""func @f(%n: i32, %r: memref<i32>) {{
      %one = constant 1 : i32
      %y = arith.{variant} %one, %n : i32
      store %y, %r[]
    }}"""
    message = failure(text, count, np.zeros((), np.int32), code="PYTL-4006", line=3)
    assert message == f"arith.{variant}: i32 has 32 bits, but is shifted by {count} (work-group 0)"
    run(text, count, np.zeros((), np.int32), checks=False)


# Control flow.


@pytest.mark.parametrize("checks", [True, False])
@pytest.mark.parametrize("step", [0, -2])
def test_loop_step(step: int, checks: bool) -> None:
    text = """func @f(%s: i32, %r: memref<i32>) {
      %a = constant 0 : i32
      %b = constant 4 : i32
      for %i: i32 = %a, %b, %s {
        store %i, %r[]
      }
    }"""
    with pytest.raises(ExecutionError) as caught:
        run(text, step, np.zeros((), np.int32), checks=checks)
    assert caught.value.code == "PYTL-4010"
    assert caught.value.diagnostics[0].message == f"for: the step is {step} (work-group 0)"


def test_barrier_in_a_branch_of_some_work_items() -> None:
    text = """func @f(%n: memref<i32>) {
      %eight = constant 8 : i32
      %one = constant 1 : i32
      %t = alloca : memref<i32x16>
      %n0 = constant 0 : index %n16 = constant 16 : index foreach (%i) = (%n0), (%n16) {
        %v = cast %i : i32
        store %v, %t[%i]
      }
      parallel {
        store.atomic %one, %n[]
        %c = cmp.eq %one, %one : bool
        if %c { barrier.global }
        %v = load %n[] : i32
        for %k: i32 = %one, %v, %one { barrier }
      }
      foreach (%i) = (%n0), (%n16) {
        %v = load %t[%i] : i32
        %c = cmp.lt %v, %eight : bool
        if %c { barrier }
      }
    }"""
    failure(text, np.zeros((), np.int32), code="PYTL-4011", line=19)


def test_barrier_that_some_work_items_do_not_reach() -> None:
    function = pytl.parse("func @f() { barrier.local }", "kernel.tl").functions[0]
    op = function.body.operations[0]
    machine = Machine(Program(function), {}, 2, 4, checks=True)
    execution = execution_of(op)
    machine.lanes = Lanes("work-item", np.ones(16, np.bool_))
    execution(machine, op)
    machine.lanes = Lanes("work-item", np.arange(16) % 5 == 1)
    with pytest.raises(ExecutionError) as caught:
        execution(machine, op)
    (found,) = caught.value.diagnostics
    assert found.message == (
        "barrier: 3 of 16 work-items come here; the first that does not is 0 (work-group 2, work-item 1)"
    )
    machine.checks = False
    execution(machine, op)


def test_sizes_known_at_run_time_must_match() -> None:
    one, zeros = np.ones, np.zeros
    text = """func @f(%a: memref<f32x?x?>, %b: memref<f32x?x?>, %c: memref<f32x?x?>) {
      %one = constant 1.0 : f32
      gemm.n.t %one, %a, %b, %one, %c
    }"""
    message = failure(text, dense(one((2, 3))), dense(one((4, 2))), dense(zeros((2, 4))), code="PYTL-4012", line=3)
    assert message == "gemm: columns(op1(A)) = 3, but rows(op2(B)) = 2 (work-group 0)"
    message = failure(text, dense(one((2, 3))), dense(one((4, 3))), dense(zeros((1, 4))), code="PYTL-4012", line=3)
    assert message == "gemm: rows(op1(A)) = 2, but rows(C) = 1 (work-group 0)"
    text = """func @f(%a: memref<f32x?x?>, %b: memref<f32x?x?>) {
      %one = constant 1.0 : f32
      axpby.t %one, %a, %one, %b
    }"""
    message = failure(text, dense(one((2, 3))), dense(one((2, 3))), code="PYTL-4012", line=3)
    assert message == "axpby: size 0 of op(A) = 3, but size 0 of B = 2 (work-group 0)"


# The table of executions.


@pytest.mark.additions
def test_every_instruction_that_exists_is_executed() -> None:
    from pytl.ir.registry import all_instructions

    of_the_language = [cls for space in (None, "v03", "v04") for cls in all_instructions(space)]
    missing = [cls.mnemonic for cls in of_the_language if not _is_known(cls)]
    assert not missing, f"no module of pytl/backends/reference has a function under @executes of {', '.join(missing)}"


def _is_known(cls: type[Operation]) -> bool:
    from pytl.backends.reference import machine

    return cls in machine._executions


def test_unknown_instruction() -> None:
    class Teleport(Operation):
        mnemonic = "teleport"

    with pytest.raises(NotImplementedError, match=r"does not execute teleport \(Teleport\)"):
        execution_of(Teleport())


def test_rules_are_in_the_catalogue() -> None:
    for number in (*range(4001, 4013), 4030, 4031):
        assert find(f"PYTL-{number}") is not None


def test_an_error_is_told_in_a_foreach_of_more_points_than_can_be_counted() -> None:
    text = """
    func @f(%a: memref<f32x4>) {
      %low = constant -1 : index
      %high = constant 9223372036854775807 : index
      %zero = constant 0.0 : f32
      foreach (%i, %j) = (%low, %low), (%high, %high) {
        store %zero, %a[%i]
      }
    }"""
    message = failure(text, np.zeros(4, np.float32), code="PYTL-4001", line=7)
    assert message.endswith("(work-group 0, iteration (-1, -1))")
