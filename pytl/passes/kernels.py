"""cpu-kernels: collective instructions as vector code of a processor, cut into tiles that fit its registers."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.operation import Operation
from ..ir.types import Extent, MemrefType
from ..ir.values import Function, Region
from ..ir.verifier import STRATEGY
from ..ops import Foreach, Gemm, cpu
from .flatten import flattened
from .hoist import hoisted
from .manager import Pass, register
from .tiles import Machine, choose_tile
from .vectorizable import lanes_for_rows, lanes_of, stays


@register
@dataclass(frozen=True)
class CpuKernels(Pass):
    """Makes a `cpu.kernel` of collective instructions that one work-item executes."""

    name = "cpu-kernels"
    register_bytes: int = 64

    def run(self, function: Function) -> None:
        if function.attributes.get(STRATEGY) == "one-item":
            self._wrap(function.body, Machine.of(self.register_bytes))

    def _wrap(self, region: Region, machine: Machine) -> None:
        operations: list[Operation] = []
        for op in region.operations:
            for inner in op.regions:
                if op.kind != "collective" or isinstance(op, cpu.Items):
                    self._wrap(inner, machine)
            if isinstance(op, Foreach):
                operations += _points(op, machine)
                continue
            if stays(op):
                operations.append(_of_lanes(op, lanes_for_rows(op, machine)))
                continue
            operations.append(_kernel([op], machine) if isinstance(op, Gemm) and fits(op) else op)
        region.operations = operations


def fits(op: Gemm) -> bool:
    """Whether a product can be made of vectors along the rows of its result."""
    rows_of_a = op.A.type.strides[1 if op.transpose_a == "t" else 0]
    return not op.atomic and op.C.type.strides[0] == 1 and rows_of_a == 1


def _points(op: Foreach, machine: Machine) -> list[Operation]:
    """A `foreach`, as vector code where it can be that."""
    in_front = hoisted(op)
    if lanes_of(op, machine):
        in_front += flattened(op)[:-1]
    return [*in_front, _of_lanes(op, lanes_of(op, machine))]


def _of_lanes(op: Operation, lanes: int) -> Operation:
    """An instruction as vector code; itself where there are no lanes."""
    if not lanes:
        return op
    return cpu.Kernel(op.location, attributes={cpu.LANES: lanes}, body=Region("collective", operations=[op]))


def _kernel(ops: list[Gemm], machine: Machine) -> cpu.Kernel:
    c: MemrefType = ops[-1].C.type
    depth: Extent = ops[-1].A.type.shape[0 if ops[-1].transpose_a == "t" else 1]
    tile = choose_tile(machine, c.element, c.shape[0], c.shape[1], depth, c.strides[1])
    return cpu.Kernel(ops[0].location, attributes=tile.attributes(), body=Region("collective", operations=list(ops)))
