"""Numbers and memory seen as other types of the same bits.

The manual has neither; the Tiny Tensor Compiler has them after its release 0.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..ir.constraints import MEMREF, SCALAR
from ..ir.fields import Operand, Result
from ..ir.operation import Operation, Problem, check
from ..ir.registry import instruction
from ..ir.types import Extent, MemrefType, Type, index
from .views import view_stride_problems


@check("PYTL-0688", "both types have the same number of bits", "Bitcast")
def equal_widths(op: Bitcast) -> Iterator[Problem]:
    source, target = op.operand.type, op.result.type
    if index not in (source, target) and source.size != target.size:
        message = f"{source} has {8 * source.size} bits, and {target} has {8 * target.size}"
        yield Problem(message, f"cast it, which converts the number: cast %value : {target}", "operand")


@check("PYTL-0689", "an index has no bits of its own", "Bitcast")
def no_index(op: Bitcast) -> Iterator[Problem]:
    if index in (op.operand.type, op.result.type):
        yield Problem("one of the types is index", "cast the index to i64, or the i64 to index", "operand")


@instruction
class Bitcast(Operation):
    """The number of another type that has the same bits. Of a complex number, the real part comes first."""

    mnemonic = "v04.bitcast"
    section = "Bitcast"
    operand: Any = Operand(SCALAR, "the number")
    result: Any = Result(SCALAR)
    assembly = "` ` $operand ` : ` $result"
    rules = (equal_widths, no_index)
    pure = True


def real_type(type_: MemrefType) -> MemrefType:
    """The type of complex memory as pairs of reals, with every stride that is known."""
    strides: list[Extent] = [2 * stride if isinstance(stride, int) else stride for stride in type_.strides]
    return replace(type_, element=type_.element.component, shape=(2, *type_.shape), strides=(1, *strides))


@check("PYTL-0695", "the elements are complex", "Expandc2r", is_basic=True)
def complex_elements(op: Expandc2r) -> Iterator[Problem]:
    if not op.tensor.type.element.is_complex:
        yield Problem(f"the elements of {op.tensor.type} are real", part="tensor")


@check(
    "PYTL-0696",
    "the view has the component type, a first mode of size 2 for the parts, and the operand's modes behind it",
    "Expandc2r",
    is_basic=True,
)
def real_view(op: Expandc2r) -> Iterator[Problem]:
    expected, actual = real_type(op.tensor.type), op.result.type
    if (actual.element, actual.shape, actual.space) != (expected.element, expected.shape, expected.space):
        yield Problem(f"the tensor is {op.tensor.type}, but the result is {actual}", f"write : {expected}", "tensor")


@check("PYTL-0697", "a stride of the view is twice the operand's, or ?, and 1 for the parts", "Expandc2r")
def real_strides(op: Expandc2r) -> Iterator[Problem]:
    yield from view_stride_problems(real_type(op.tensor.type), op)


@instruction
class Expandc2r(Operation):
    """A view of complex memory as real memory: its first mode has the real and the imaginary part of each element."""

    mnemonic = "v04.expandc2r"
    section = "Expandc2r"
    tensor: Any = Operand(MEMREF, "memory of complex elements")
    result: Any = Result(MEMREF)
    assembly = "` ` $tensor ` : ` $result"
    rules = (complex_elements, real_view, real_strides)
    pure = True
    view_of = "tensor"

    def infer_result_types(self) -> list[Type]:
        return [real_type(self.tensor.type)]
