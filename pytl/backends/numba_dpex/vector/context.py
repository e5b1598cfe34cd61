"""Where vector code is emitted: memrefs as LLVM sees them, index arithmetic with constant folding, and loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any, TypeAlias

from llvmlite import ir

from ....ir.types import ScalarType
from ....ir.values import Value
from ....process.records import dataclass
from ..device.elements import I64

Number: TypeAlias = int | ir.Value
"""An index, a size or a stride: a constant, or an i64 in a register."""


def plus(builder: ir.IRBuilder, a: Number, b: Number) -> Number:
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    if isinstance(a, int) and a == 0:
        return b
    if isinstance(b, int) and b == 0:
        return a
    return builder.add(number(a), number(b))


def times(builder: ir.IRBuilder, a: Number, b: Number) -> Number:
    if isinstance(a, int) and isinstance(b, int):
        return a * b
    for one, other in ((a, b), (b, a)):
        if isinstance(one, int) and one in (0, 1):
            return other if one else 0
    return builder.mul(number(a), number(b))


def _base_and_constant(a: Number) -> tuple[Number, int]:
    """An index as a sum of a value known at run time only, and a constant."""
    if isinstance(a, int):
        return 0, a
    known = 0
    while isinstance(a, ir.Instruction) and a.opname == "add" and isinstance(a.operands[1], ir.Constant):
        known += a.operands[1].constant
        a = a.operands[0]
    return a, known


def number(a: Number) -> ir.Value:
    """An index in a register."""
    return I64(a) if isinstance(a, int) else a


@dataclass(frozen=True)
class Tensor:
    """A memref: a pointer to its first element, in whichever address space, and its layout in elements."""

    pointer: ir.Value
    element: ScalarType
    shape: tuple[Number, ...]
    strides: tuple[Number, ...]


@dataclass
class Context:
    """The builder, and the LLVM values of the language's values."""

    builder: ir.IRBuilder
    values: dict[Value, Any] = field(default_factory=dict)
    """Memrefs as `Tensor`, numbers and vectors as they are in registers."""
    subgroup_size: int = 1

    def offset(self, tensor: Tensor, indices: Sequence[Number]) -> Number:
        """The distance of an element from the first, in elements."""
        total: Number = 0
        for i, stride in zip(indices, tensor.strides):
            total = plus(self.builder, total, times(self.builder, i, stride))
        return total

    def address(self, tensor: Tensor, indices: Sequence[Number]) -> ir.Value:
        """The address of an element."""
        distance = self.offset(tensor, indices)
        if isinstance(distance, int) and distance == 0:
            return tensor.pointer
        return self.builder.gep(tensor.pointer, [number(distance)])

    def vector_address(self, tensor: Tensor, indices: Sequence[Number]) -> ir.Value:
        """The same with the constant distance added last: it becomes the displacement of a vector's instruction.

        Broadcast elements are not addressed like that: the compiler would load them early, and spill.
        """
        begin: list[Number] = []
        distance = 0
        for index, stride in zip(indices, tensor.strides):
            if isinstance(stride, int):
                index, known = _base_and_constant(index)
                distance += known * stride
            begin.append(index)
        pointer = self.address(tensor, begin)
        return self.builder.gep(pointer, [I64(distance)]) if distance else pointer

    def loop(
        self,
        start: Number,
        stop: Number,
        step: int,
        carried: Sequence[ir.Value],
        body: Callable[[ir.Value, list[ir.Value]], Sequence[ir.Value]],
        may_unroll: bool = True,
        goes_on: int | None = None,
    ) -> list[ir.Value]:
        """Values carried through `body(index, carried)` for start, start + step, … below stop, and while one of them,
        the one with the number `goes_on`, is true.
        """
        builder = self.builder
        before = builder.block
        head, inside, behind = (builder.append_basic_block(name) for name in ("head", "inside", "behind"))
        builder.branch(head)
        builder.position_at_end(head)
        index = builder.phi(I64, "i")
        index.add_incoming(number(start), before)
        phis = []
        for value in carried:
            phi = builder.phi(value.type)
            phi.add_incoming(value, before)
            phis.append(phi)
        is_left = builder.icmp_signed("<", index, number(stop))
        builder.cbranch(is_left if goes_on is None else builder.and_(is_left, phis[goes_on]), inside, behind)
        builder.position_at_end(inside)
        after = body(index, list(phis))
        index.add_incoming(builder.add(index, I64(step)), builder.block)
        for phi, value in zip(phis, after, strict=True):
            phi.add_incoming(value, builder.block)
        end = builder.branch(head)
        if not may_unroll:
            end.set_metadata("llvm.loop", _NotUnrolled(builder.module))
        builder.position_at_end(behind)
        return phis


class _NotUnrolled(ir.MDValue):
    """What tells LLVM that a loop is left as it is: a node that is no other loop's, which is why it has itself."""

    def __init__(self, module: ir.Module) -> None:
        what = module.add_metadata([ir.MetaDataString(module, "llvm.loop.unroll.disable")])
        super().__init__(module, [what], str(len(module.metadata)))

    def descr(self, buf: list[str]) -> None:
        buf.append(f"distinct !{{ {self.get_reference()}, {self.operands[0].get_reference()} }}\n")
