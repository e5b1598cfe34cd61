"""A lowered function as a kernel of MLIR's dialects gpu and xegpu: what one work-item executes.

The function has been through the passes of `backend.py`: what is left is scalar code, which every work-item executes,
foreach, whose points are dealt out to the work-items, and matrices of sub-groups (`matrices.py`). Emitting needs
none of MLIR's tools.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...ir.meanings import Meanings
from ...ir.types import CoopMatrixType, MemrefType, Type
from ...ir.values import Function, Value
from ...mlir.text import builder as mlir
from ...mlir.text import tree
from ...mlir.text import types as mlir_types
from ...mlir.text.types import I32, Opaque
from ...ops import (
    ArithBinary,
    ArithUnary,
    AtomicLoad,
    AtomicStore,
    AtomicUpdate,
    Barrier,
    Builtin,
    Cast,
    Constant,
    Convert,
    CooperativeMatrixAtomicLoad,
    CooperativeMatrixAtomicUpdate,
    CooperativeMatrixLoad,
    CooperativeMatrixMulAdd,
    CooperativeMatrixScale,
    CooperativeMatrixStore,
    CooperativeMatrixStoreTransposed,
    Foreach,
    InitTile,
    LoadPadded,
    MatrixArithmetic,
    MatrixUnary,
    Parallel,
    PrefetchTile,
    Store,
    SubgroupAdd,
    SubgroupBroadcast,
    SubgroupBuiltin,
    SubgroupMax,
    SubgroupMin,
    preconditions,
)
from ...ops.atomics import ACCESSES
from ...ops.constants import constant_of
from ...ops.launch_defaults import subgroup_count, subgroup_size, work_group_shape
from ...ops.matrix_memory import MATRIX_ACCESSES
from ...ops.memory import STACK_SIZE, local_alignment
from ...passes.targets import vector
from ...passes.targets.xe import Chip
from ..mlir import types, vectors
from ..mlir.atomics import Atomics
from ..mlir.emit import Code, Emitter, hint_of, parts_of, symbol_of
from ..mlir.numbers import Number
from . import subgroups
from .matrices import Matrices
from .memory import SHARED, GpuMemory, GpuMemref
from .options import Options
from .updates import Updates, has_update
from .work_items import WorkItem

_BARRIER = Opaque("!xegpu.nbarrier")


class XeEmitter(Emitter):
    """Writes one function for a chip."""

    def __init__(self, function: Function, chip: Chip, options: Options) -> None:
        super().__init__(function)
        self.chip = chip
        self.options = options
        self.memory: GpuMemory = GpuMemory(self.to, self.numbers)
        has_local = bool(function.attributes.get(STACK_SIZE, 0))
        self.atomics = Atomics(self.to, self.numbers, self.memory, of_words=True)
        self.updates = Updates(self.to, self.memory, options.lowerable, has_local)
        rows, columns = work_group_shape(function)
        self.here = WorkItem(self.to, rows * columns, subgroup_size(function))
        self.matrices = Matrices(self, self.memory, self.updates, self.here, chip, options)
        self._barrier: mlir.Value

    def run(self) -> tree.Operation:
        self.refuse_unknown()
        self._kernel()
        self.declare_called()
        return self.to.module("gpu.module", sym_name=f"{symbol_of(self.function.name)}_module")

    def _kernel(self) -> None:
        size = self.function.attributes.get(STACK_SIZE, 0)
        shared = [("stack", types.dense([size], types.I8, SHARED))] if size else []
        heads = [
            (hint, types.memref(value.type, True) if isinstance(value.type, MemrefType) else type_)
            for value in self.function.parameters
            for hint, type_ in parts_of(value)
        ]
        known = {"intel_reqd_sub_group_size": self.here.lanes, "known_block_size": (self.here.items, 1, 1)}
        with self.to.kernel(symbol_of(self.function.name), heads, shared, **known) as values:
            rest = self.bind_parameters(self.function, values)
            if size:
                self.memory.begin_shared(rest[0], local_alignment(self.function))
            self._begin_barriers()
            self.to.close_prologue()
            self.region(self.function.body)

    def code_of(self, value: Value, parts: Sequence[mlir.Value]) -> Code:
        if isinstance(value.type, MemrefType):
            return self.memory.parameter(parts[0], value.type)
        return super().code_of(value, parts)

    # Values.

    def parts(self, type_: Type) -> Sequence[mlir_types.Type]:
        return self.matrices.parts(type_) if isinstance(type_, CoopMatrixType) else super().parts(type_)

    def number(self, value: Value) -> Number:
        if isinstance(value.type, CoopMatrixType):
            known = constant_of(value)
            return self.matrices.constant(known, value.type) if known is not None else self.held(value)
        return super().number(value)

    # The launch.

    def builtin(self, op: Builtin) -> None:
        known = {"num_subgroups": subgroup_count, "subgroup_size": subgroup_size}.get(op.variant)
        if known is not None:
            self.bind(op.result, self.numbers.constant(known(self.function), op.result.type))
            return
        operations = Meanings(
            "the xegpu backend, builtin", {"group_id": ("block_id", "group"), "group_size": ("grid_dim", "groups")}
        )
        operation, hint = operations[op.variant]
        self.bind(op.result, (self.to.once(f"gpu.{operation}", hint=hint, dimension="x"),))

    def subgroup_builtin(self, op: SubgroupBuiltin) -> None:
        number = self.here.lane() if op.variant == "subgroup_local_id" else self.here.subgroup()
        self.bind(op.result, (self.to.op("arith.index_cast", number, type=I32, hint=hint_of(op.result)),))

    @contextmanager
    def points(self, op: Foreach) -> Iterator[list[mlir.Value]]:
        """A loop over this work-item's points; neighbours in the first mode go to neighbouring work-items."""
        starts: list[mlir.Value | None] = []
        extents: list[mlir.Value] = []
        for start, stop in zip(op.start, op.stop):
            first, last = self.as_index(start), self.as_index(stop)
            known = constant_of(start), constant_of(stop)
            starts.append(None if known[0] == 0 else first)
            if None not in known:
                extents.append(self.to.constant(max(known[1] - known[0], 0)))
                continue
            extent = last if known[0] == 0 else self.to.op("arith.subi", last, first)
            # two modes with negative extents must not give a positive product
            extents.append(self.to.op("arith.maxsi", extent, self.to.constant(0), hint="extent"))
        count = extents[0]
        for extent in extents[1:]:
            count = self.to.op("arith.muli", count, extent, hint="count")
        items = self.to.constant(self.here.items)
        with self.to.loop(self.here.number(), count, items, "point") as rest:
            variables = []
            for start, extent in zip(starts[:-1], extents):
                variables.append(self._from(start, self.to.op("arith.remui", rest, extent)))
                rest = self.to.op("arith.divui", rest, extent)
            yield [*variables, self._from(starts[-1], rest)]

    def _from(self, start: mlir.Value | None, distance: mlir.Value) -> mlir.Value:
        return distance if start is None else self.to.op("arith.addi", start, distance)

    def parallel(self, op: Parallel) -> None:
        self.region(op.body)

    # Barriers.

    def _begin_barriers(self) -> None:
        if self.options.named_barriers and any(
            isinstance(op, (Barrier, vector.SubgroupBarrier)) for op in self.function.walk()
        ):
            self.to.do("xegpu.alloc_nbarrier", nbarrier_num=1)
            numbers = [self.to.constant(n, types.I8) for n in (0, subgroup_count(self.function))]
            self._barrier = self.to.op("xegpu.init_nbarrier", *numbers, type=_BARRIER, hint="barrier")

    def barrier(self, op: Barrier) -> None:
        self._wait(op.global_fence, op.local_fence)

    def subgroup_barrier(self, op: vector.SubgroupBarrier) -> None:
        # the sub-group is the whole work-group
        self._wait(True, bool(self.function.attributes.get(STACK_SIZE, 0)))

    def _wait(self, global_fence: bool, local_fence: bool) -> None:
        for asked, kind in ((global_fence, "global"), (local_fence, "slm")):
            if asked:
                self.to.do("xegpu.fence", memory_kind=kind, fence_scope="workgroup")
        if self.options.named_barriers:
            self.to.do("xegpu.nbarrier_arrive", self._barrier)
            self.to.do("xegpu.nbarrier_wait", self._barrier)
        else:
            self.to.do("gpu.barrier")

    # Atomic accesses.

    def store(self, op: Store) -> None:
        memref = self.matrices.memref(op.tensor)
        if op.flag == "atomic_add" and not has_update(self.chip, op, memref.type.element):
            indices = [self.single(value) for value in op.indices]
            self.atomics.combine("add", self.number(op.data), memref, indices, "before")
            return
        for part, at in self._stored(op, memref):
            if op.flag == "atomic_add":
                self.updates.add(part, memref, at)
            else:  # what the hardware stores at once is stored atomically
                self.memory.write(part, memref, at)

    def _stored(self, op: Store, memref: GpuMemref) -> Iterator[tuple[mlir.Value, mlir.Value]]:
        """The numbers that are stored, in the form of memory, and where."""
        numbers = self.memory.numbers_at(memref, [self.single(value) for value in op.indices])
        for part, at in zip(self.number(op.data), numbers):
            yield self.numbers.to_store(part, memref.type.element), at

    def atomic(self, op: AtomicLoad | AtomicStore | AtomicUpdate) -> None:
        memref = self.matrices.memref(op.tensor)
        if not has_update(self.chip, op, memref.type.element):
            super().atomic(op)
            return
        self.updates.release(op)
        if isinstance(op, AtomicStore):
            self.store(op)
        else:
            hint = hint_of(op.result)
            if isinstance(op, AtomicLoad):
                offsets = self.memory.numbers_at(memref, [self.single(value) for value in op.indices])
                values = [self.updates.read(memref, at, None, hint) for at in offsets]
            else:
                stored = self._stored(op, memref)
                values = [self.updates.update(op.combines, part, memref, at, hint=hint) for part, at in stored]
            self.bind(op.result, tuple(self.numbers.loaded(part, memref.type.element, hint) for part in values))
        self.updates.acquire(op)

    # What the work-items of a sub-group do together.

    def broadcast(self, op: SubgroupBroadcast) -> None:
        self.bind(op.result, subgroups.broadcast(self, self.here, op))

    def combine(self, op: Any) -> None:
        self.bind(op.result, subgroups.combine(self, self.here, op))

    def exchange(self, op: vector.Exchange) -> None:
        self.bind(op.result, subgroups.exchange(self, self.here, op))

    # Matrices.

    def matrix_fma(self, op: vector.MatrixFma) -> None:
        self.matrices.add_product(op)

    def binary(self, op: Any) -> None:
        self._matrix_or(op, super().binary)

    def unary(self, op: Any) -> None:
        self._matrix_or(op, super().unary)

    def cast(self, op: Any) -> None:
        self._matrix_or(op, super().cast)

    def _matrix_or(self, op: Any, scalar: Any) -> None:
        if isinstance(op.result.type, CoopMatrixType):
            self.bind(op.result, self.matrices.elementwise(op))
        else:
            scalar(op)

    def matrix(self, op: CooperativeMatrixLoad | CooperativeMatrixMulAdd | CooperativeMatrixScale) -> None:
        self.bind(op.result, self.matrices.write(op))

    def prefetch(self, op: PrefetchTile) -> None:
        self.matrices.prefetch(op)

    def store_matrix(self, op: CooperativeMatrixStore) -> None:
        self.matrices.store(op)

    def atomic_matrix(self, op: Any) -> None:
        self.updates.release(op)
        if isinstance(op, CooperativeMatrixAtomicUpdate):
            self.bind(op.result, self.matrices.update(op))
        elif isinstance(op, CooperativeMatrixAtomicLoad):
            self.matrix(op)
        else:
            self.store_matrix(op)
        self.updates.acquire(op)


XeEmitter.table = {
    **{cls: how for cls, how in Emitter.table.items() if cls is not preconditions.Report},
    ArithBinary: XeEmitter.binary,
    ArithUnary: XeEmitter.unary,
    **dict.fromkeys(ACCESSES, XeEmitter.atomic),
    Barrier: XeEmitter.barrier,
    Builtin: XeEmitter.builtin,
    Cast: XeEmitter.cast,
    Constant: XeEmitter.nothing,
    Convert: XeEmitter.cast,
    CooperativeMatrixLoad: XeEmitter.matrix,
    CooperativeMatrixMulAdd: XeEmitter.matrix,
    CooperativeMatrixScale: XeEmitter.matrix,
    CooperativeMatrixStore: XeEmitter.store_matrix,
    CooperativeMatrixStoreTransposed: XeEmitter.store_matrix,
    Foreach: XeEmitter.foreach,
    InitTile: XeEmitter.nothing,  # where it is prefetched
    LoadPadded: XeEmitter.matrix,
    MatrixUnary: XeEmitter.unary,
    MatrixArithmetic: XeEmitter.binary,
    **dict.fromkeys(MATRIX_ACCESSES, XeEmitter.atomic_matrix),
    Parallel: XeEmitter.parallel,
    PrefetchTile: XeEmitter.prefetch,
    Store: XeEmitter.store,
    SubgroupAdd: XeEmitter.combine,
    SubgroupBroadcast: XeEmitter.broadcast,
    SubgroupBuiltin: XeEmitter.subgroup_builtin,
    SubgroupMax: XeEmitter.combine,
    SubgroupMin: XeEmitter.combine,
    vector.Exchange: XeEmitter.exchange,
    vector.Fma: vectors.fma,
    vector.MatrixFma: XeEmitter.matrix_fma,
    vector.SubgroupBarrier: XeEmitter.subgroup_barrier,
    vector.WorkItems: vectors.code,
}
