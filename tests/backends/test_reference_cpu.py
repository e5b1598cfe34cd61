"""The reference backend executes what passes make for processors, with all its checks."""

import numpy as np
import pytest
from passes_kit import checked, sycl_passes
from properties.execution import data_for, execute

import pytl
from pytl.ir.values import Module, Region
from pytl.kernels.kernel import Kernel
from pytl.ops import Alloca, Gemm
from pytl.passes import Pipeline
from pytl.passes.targets import cpu
from pytl.passes.targets.cpu_attributes import ACCUMULATE

SUM = """func @f(%a: memref<f32x4x4>, %c: memref<f32x4x4>) {
  %one = constant 1.0 : f32
  %t = alloca : memref<f32x4x4,local>
  gemm.n.n %one, %a, %a, %one, %t
  gemm.n.n %one, %t, %a, %one, %c
}"""


def in_a_kernel(text: str) -> Module:
    """A text's only function with all from its alloca on in a kernel, and registers in place of the alloca."""
    module = checked(text)
    body = module.functions[0].body
    at = next(number for number, op in enumerate(body.operations) if isinstance(op, Alloca))
    alloca, *rest = body.operations[at:]
    registers = cpu.Registers(alloca.location, [alloca.result.type], [alloca.result.name])
    for op in rest:
        op.replace_operands(lambda value: registers.result if value is alloca.result else value)
    inside = Region("collective", operations=[registers, *rest])
    sums = [1 for op in rest if isinstance(op, Gemm)]
    body.operations[at:] = [cpu.Kernel(alloca.location, attributes={ACCUMULATE: sums}, body=inside)]
    pytl.verify(module)
    return module


def test_registers_hold_nothing_at_first() -> None:
    module = in_a_kernel(SUM)
    with pytest.raises(pytl.ExecutionError, match=r"element \(0, 0\) of %t is read, but was never written"):
        execute(module, data_for(module.functions[0], 1, 1), 1)


def test_registers_hand_on_what_was_written() -> None:
    module = in_a_kernel(SUM.replace("%a, %one, %t", "%a, %none, %t").replace("{\n", "{\n%none = constant 0.0 : f32\n"))
    a = np.asfortranarray(np.arange(16.0).reshape(4, 4), np.float32)
    _, c = execute(module, [a, np.zeros_like(a)], 1)
    assert np.array_equal(c.reshape(4, 4, order="F"), a @ a @ a)


SHARED = """func @f(%a: memref<f32x4x4x?>, %c: memref<f32x4x4>) {
  %g = builtin.group_id : index
  %m = subview %a[0:4, 0:4, %g] : memref<f32x4x4>
  gemm.n.n 1.0, %m, %m, 0.0, %c
}"""


@pytest.mark.parametrize("groups", [3, 4])
def test_races_of_work_groups_are_found_where_some_are_interleaved(groups: int) -> None:
    """Those that are interleaved are executed as one: the third work-group is the first that races with another one."""
    module = Pipeline(sycl_passes(interleave=2, items=4)).run(checked(SHARED))
    told = r"is written here and written by work-group 0, in no order \(work-group 2\)"
    with pytest.raises(pytl.ExecutionError, match=told):
        execute(module, data_for(module.functions[0], 1, groups, {"": groups}), groups)


def test_what_is_executed_without_checks() -> None:
    module = Pipeline(sycl_passes(interleave=2, items=4)).run(checked(SHARED))
    data = data_for(module.functions[0], 1, 3, {"": 3})
    kernel = Kernel(module=Module([module.functions[0]]))
    kernel[3, {"checks": False}](*data, backend="reference")
    last = data[0][:, :, 2]
    np.testing.assert_allclose(data[1], last @ last, rtol=1e-5)


def test_a_users_text_has_none_of_it() -> None:
    with pytest.raises(pytl.LanguageError, match=r"there is no instruction `cpu\.kernel`"):
        pytl.parse("func @f() { cpu.kernel { } }")
