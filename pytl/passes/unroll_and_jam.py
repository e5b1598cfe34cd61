"""Unroll-and-jam: several work-groups that one work-item executes, interleaved in one body."""

from __future__ import annotations

from collections.abc import Iterable

from ..ir.clone import Mapping, clone_operation
from ..ir.operation import Operation
from ..ir.types import index
from ..ir.values import Region, Value
from ..ops import Alloca, Gemm, Load, Subview
from .targets import cpu
from .targets.cpu_attributes import INTERLEAVE
from .targets.outer_products import OuterProducts


def kernels_of(body: Region) -> list[cpu.Kernel]:
    return [op for op in body.operations if isinstance(op, cpu.Kernel)]


def has_products(kernel: cpu.Kernel) -> bool:
    return any(isinstance(op, Gemm) for op in kernel.body.operations)


def is_unroll_and_jam_legal(body: Region, varying: set[Value]) -> bool:
    """Whether a work-group consists of kernels, and of loading or allocating their operands.

    The numbers of rows, columns and steps of a kernel are the same for all work-groups; `varying` are the values that
    differ among them.
    """
    if not all(finds_operands(op) or isinstance(op, (Alloca, cpu.Kernel)) for op in body.operations):
        return False
    products = [op for kernel in kernels_of(body) for op in kernel.body.operations if isinstance(op, Gemm)]
    return all(_has_same_shape(tensor, varying) for op in products for tensor in (op.A, op.C))


def _has_same_shape(tensor: Value, varying: set[Value]) -> bool:
    """Whether a memref has the same shape in all work-groups."""
    if tensor.type.has_static_shape or tensor not in varying:
        return True
    view = tensor.owner
    return isinstance(view, Subview) and not varying.intersection(
        piece.size for piece in view.slices if piece.keeps_mode
    )


def finds_operands(op: Operation) -> bool:
    """Whether an instruction accesses no elements in memory: it computes, makes a view, or loads an item of a group."""
    return (op.pure and not op.regions) or (isinstance(op, Load) and op.is_item)


def invariant_factors(kernel: cpu.Kernel, varying: Iterable[Value]) -> tuple[bool, bool]:
    """Whether the left and the right factors of a kernel are the same for all work-groups."""
    varying = {*varying, *(op.result for op in kernel.body.operations if isinstance(op, cpu.Registers))}
    products = [op for op in kernel.body.operations if isinstance(op, Gemm)]
    return all(op.A not in varying for op in products), all(op.B not in varying for op in products)


def unroll_and_jam(body: Region, factor: int) -> Region:
    """`body` for a number of interleaved work-groups; itself for one."""
    if factor == 1:
        return body
    arguments = [Value(index, body.arguments[0].name, body.location) for _ in range(factor)]
    mappings: list[Mapping] = [{body.arguments[0]: argument} for argument in arguments]
    operations: list[Operation] = []
    for op in body.operations:
        cloned = [clone_operation(op, mapping) for mapping in mappings]
        if not isinstance(op, OuterProducts) and not (isinstance(op, cpu.Kernel) and has_products(op)):
            operations += cloned
            continue
        interleaved = [inner for kernel in cloned for inner in kernel.body.operations]  # type: ignore[attr-defined]
        if isinstance(op, OuterProducts):
            body_in_step = Region("collective", [], interleaved)
            operations.append(OuterProducts(op.location, attributes=op.attributes, body=body_in_step))
            continue
        attributes = {**op.attributes, INTERLEAVE: factor}
        operations.append(cpu.Kernel(op.location, attributes=attributes, body=Region("collective", [], interleaved)))
    return Region("collective", arguments, operations, body.location)
