"""A lowered function as a kernel of MLIR's dialects gpu and xegpu: what one work-item executes.

The function has been through the passes of `backend.py`: what is left is scalar code, which every work-item executes,
foreach, whose points are dealt out to the work-items, and matrices of sub-groups (`matrices.py`). Emitting needs
none of MLIR's tools.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...ir.meanings import Meanings
from ...ir.types import CoopMatrixType, MemrefType, Type, i32
from ...ir.values import Function, Value
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
from ...passes.targets.xe import Chip
from ..mlir import types
from ..mlir.emit import Code, Emitter, hint_of, parts_of, symbol_of
from ..mlir.numbers import Number
from . import subgroups
from .matrices import Matrices
from .memory import GpuMemory, Place
from .options import Options
from .updates import Updates
from .work_items import WorkItem


class XeEmitter(Emitter):
    """Writes one function for a chip."""

    def __init__(self, function: Function, chip: Chip, options: Options) -> None:
        super().__init__(function)
        self.chip = chip
        self.options = options
        self.memory: GpuMemory = GpuMemory(self.to, self.numbers)
        has_local = bool(function.attributes.get(STACK_SIZE, 0))
        self.updates = Updates(self.to, self.memory, options.lowerable, has_local)
        rows, columns = work_group_shape(function)
        self.here = WorkItem(self.to, rows * columns, subgroup_size(function))
        self.matrices = Matrices(self, self.memory, self.updates, self.here, chip, options)
        self._barrier = ""

    def run(self) -> str:
        self.refuse_unknown()
        with self.to.block(f"gpu.module @{symbol_of(self.function.name)}_module"):
            self._kernel()
            for name, type_ in sorted(self.numbers.called.items()):
                self.to.line(f"func.func private @{name}{type_}")
        return self.to.text()

    def _kernel(self) -> None:
        given = [(value, parts_of(value)) for value in self.function.parameters]
        size = self.function.attributes.get(STACK_SIZE, 0)
        shared = [("stack", f"memref<{size}xi8, 3>")] if size else []
        heads = [
            (hint, types.memref(value.type, True) if isinstance(value.type, MemrefType) else text)
            for value, parts in given
            for hint, text in parts
        ]
        sizes = f"array<i32: {self.here.items}, 1, 1>"
        attributes = f"intel_reqd_sub_group_size = {self.here.lanes} : i32, known_block_size = {sizes}"
        with self.to.kernel(symbol_of(self.function.name), heads, shared, attributes) as names:
            self._group_id, self._group_count = "", ""
            rest = names
            for value, parts in given:
                here, rest = rest[: len(parts)], rest[len(parts) :]
                self.bind(value, self.code_of(value, here))
            if size:
                self.memory.begin_shared(rest[0], size, local_alignment(self.function))
            self._begin_barriers()
            self.to.settle()
            self.region(self.function.body)

    def code_of(self, value: Value, names: list[str]) -> Code:
        if isinstance(value.type, MemrefType):
            return self.memory.parameter(names[0], value.type)
        return super().code_of(value, names)

    # Values.

    def parts(self, type_: Type) -> list[str]:
        return self.matrices.texts(type_) if isinstance(type_, CoopMatrixType) else super().parts(type_)

    def number(self, value: Value) -> Number:
        if isinstance(value.type, CoopMatrixType):
            known = constant_of(value)
            return self.matrices.constant(known, value.type) if known is not None else self._held(value)
        return super().number(value)

    def _held(self, value: Value) -> Number:
        code = self._code[value]
        assert isinstance(code, tuple)
        return code

    # The launch.

    def builtin(self, op: Builtin) -> None:
        known = {"num_subgroups": subgroup_count, "subgroup_size": subgroup_size}.get(op.variant)
        if known is not None:
            self.bind(op.result, self.numbers.constant(known(self.function), op.result.type))
            return
        texts = Meanings(
            "the xegpu backend, builtin", {"group_id": ("block_id", "group"), "group_size": ("grid_dim", "groups")}
        )
        operation, hint = texts[op.variant]
        self.bind(op.result, (self.to.once(f"gpu.{operation} x", hint),))

    def subgroup_builtin(self, op: SubgroupBuiltin) -> None:
        found = self.here.lane() if op.variant == "subgroup_local_id" else self.here.subgroup()
        self.bind(op.result, (self.to.op(f"arith.index_cast {found} : index to {i32}", hint_of(op.result)),))

    @contextmanager
    def points(self, op: Foreach, step: str | None = None) -> Iterator[list[str]]:
        """A loop over this work-item's points; neighbours in the first mode go to neighbouring work-items."""
        assert step is None
        starts, extents = [], []
        for start, stop in zip(op.start, op.stop):
            first, last = self.as_index(start), self.as_index(stop)
            known = constant_of(start), constant_of(stop)
            starts.append("" if known[0] == 0 else first)
            if None not in known:
                extents.append(self.to.constant(max(known[1] - known[0], 0)))
                continue
            extent = last if known[0] == 0 else self.to.op(f"arith.subi {last}, {first} : index")
            # two modes with negative extents must not give a positive product
            extents.append(self.to.op(f"arith.maxsi {extent}, {self.to.constant(0)} : index", "extent"))
        count = extents[0]
        for extent in extents[1:]:
            count = self.to.op(f"arith.muli {count}, {extent} : index", "count")
        items = self.to.constant(self.here.items)
        with self.to.loop(self.here.number(), count, items, "point") as point:
            names, rest = [], point
            for start, extent in zip(starts[:-1], extents):
                names.append(self._from(start, self.to.op(f"arith.remui {rest}, {extent} : index")))
                rest = self.to.op(f"arith.divui {rest}, {extent} : index")
            names.append(self._from(starts[-1], rest))
            yield names

    def _from(self, start: str, distance: str) -> str:
        return self.to.op(f"arith.addi {start}, {distance} : index") if start else distance

    def parallel(self, op: Parallel) -> None:
        self.region(op.body)

    # Barriers.

    def _begin_barriers(self) -> None:
        if self.options.named_barriers and any(isinstance(op, Barrier) for op in self.function.walk()):
            self.to.line("xegpu.alloc_nbarrier 1")
            number, count = self.to.constant(0, "i8"), self.to.constant(subgroup_count(self.function), "i8")
            self._barrier = self.to.op(f"xegpu.init_nbarrier {number}, {count} : i8, i8 -> !xegpu.nbarrier", "barrier")

    def barrier(self, op: Barrier) -> None:
        for asked, kind in ((op.global_fence, "global"), (op.local_fence, "slm")):
            if asked:
                self.to.line(f"xegpu.fence memory_kind = {kind}, fence_scope = workgroup")
        if self.options.named_barriers:
            self.to.line(f"xegpu.nbarrier_arrive {self._barrier} : !xegpu.nbarrier")
            self.to.line(f"xegpu.nbarrier_wait {self._barrier} : !xegpu.nbarrier")
        else:
            self.to.line("gpu.barrier")

    # Atomic accesses.

    def store(self, op: Store) -> None:
        place = self.matrices.place(op.tensor)
        for part, at in self._stored(op, place):
            if op.flag == "atomic_add":
                self.updates.add(part, place, at)
            else:  # what the hardware stores at once is stored atomically
                self.memory.write(part, place, at)

    def _stored(self, op: Store, place: Place) -> Iterator[tuple[str, str]]:
        """The numbers that are stored, in the form of memory, and where."""
        numbers = self.memory.numbers_at(place, [self.single(value) for value in op.indices])
        for part, at in zip(self.number(op.data), numbers):
            yield self.numbers.to_store(part, place.type.element), at

    def atomic(self, op: AtomicLoad | AtomicStore | AtomicUpdate) -> None:
        self.updates.release(op)
        place = self.matrices.place(op.tensor)
        if isinstance(op, AtomicStore):
            self.store(op)
        else:
            hint = hint_of(op.result)
            if isinstance(op, AtomicLoad):
                places = self.memory.numbers_at(place, [self.single(value) for value in op.indices])
                found = [self.updates.read(place, at, None, hint) for at in places]
            else:
                stored = self._stored(op, place)
                found = [self.updates.update(op.combines, part, place, at, hint=hint) for part, at in stored]
            self.bind(op.result, tuple(self.numbers.loaded(part, place.type.element, hint) for part in found))
        self.updates.acquire(op)

    # What the work-items of a sub-group do together.

    def broadcast(self, op: SubgroupBroadcast) -> None:
        self.bind(op.result, subgroups.broadcast(self, self.here, op))

    def combine(self, op: Any) -> None:
        self.bind(op.result, subgroups.combine(self, self.here, op))

    # Matrices.

    def binary(self, op: ArithBinary) -> None:
        self._matrix_or(op, super().binary)

    def unary(self, op: ArithUnary) -> None:
        self._matrix_or(op, super().unary)

    def cast(self, op: Cast) -> None:
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
}
