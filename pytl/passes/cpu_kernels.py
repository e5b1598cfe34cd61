"""cpu-kernels: collective instructions as vector code of a processor.

Products whose result is only used as the left factor of the next one share a kernel with it, and the result stays in
registers, where the model of tiles finds that no slower than storing and loading it. So do products that are added to
one result, also where their factors are computed between them, and the epilogue of a product: a `foreach` over the
elements of its result, which may write other results.
"""

from __future__ import annotations

import math
from typing import Any

from ..ir.operation import Operation
from ..ir.types import DYNAMIC, Extent, MemrefType, ScalarType, bf16, i16, index
from ..ir.values import NOALIAS, Function, Region, Value
from ..ops import Alloca, Axpby, Builtin, Constant, For, Foreach, Gemm, Load, Math, Slice, Store, Subview, Update
from ..ops.constants import constant_bound, constant_of, is_constant
from ..ops.control import ANY_ORDER
from ..ops.updates import TRANSPOSES
from ..ops.views import root_of
from ..process.records import dataclass
from .analysis.accesses import all_accesses
from .analysis.overlap import Overlap, overlap_of
from .analysis.uniformity import Variation, variation_of
from .analysis.uses import replace_uses
from .blocks import blocked
from .diverging_loops import gain_as_lanes
from .flatten import flattened
from .manager import Pass, register
from .matrix_sums import by_vectors
from .packs import LocalMemoryBudget, packed, reads_lines_again
from .repeated_loads import merge_repeated_loads
from .stores_first import stores_first
from .targets import cpu
from .targets.cpu_attributes import (
    ACCUMULATE,
    AHEAD,
    ALONG,
    APART,
    CHAINS,
    COMPONENTS,
    FASTMATH,
    LANES,
    LINE,
    TURNED,
    products_in,
)
from .targets.interleaved import has_vectors, have_components, is_contiguous, values_inside
from .targets.machine import DEFAULT, Machine
from .targets.row_loops import RowVectors, are_free, chains_of, free_loops, row_vectors
from .targets.strategies import STRATEGY
from .targets.turned_blocks import Blocks
from .targets.turned_loops import crowd_cache, has_turned_loops
from .targets.vector_forms import (
    accumulates,
    covers,
    has_register_tiles,
    has_vector_code,
    has_vector_points,
    is_epilogue,
    pairs_for,
    written_by,
)
from .tiles import alone, lanes_for, most_lanes
from .transposed_copies import as_transposition
from .unroll_and_jam import finds_operands
from .windows import is_stored, stored_by, write_out_windows

SHORT_LOOP = 64
"""Instructions of such a reduction's loop at most, so that several of it fit into the registers."""
WIDEST_TURN = 8
"""Rows of the blocks that are transposed of a matrix whose size is known at run time only."""


@register
@dataclass(frozen=True)
class CpuKernels(Pass):
    """Makes `cpu.kernel`s of collective instructions that one work-item executes."""

    name = "cpu-kernels"
    of_called = True
    machine: Machine = DEFAULT
    may_overlap: bool = False
    """Whether a launch has arrays of different parameters that overlap."""
    fastmath: bool = False
    """Whether sums over loops may be added in any order, and be rounded otherwise."""
    apart: bool = False
    """Whether the launch has found that arrays of different parameters share no memory, those of groups too."""

    def run(self, function: Function) -> None:
        if function.attributes.get(STRATEGY) == "one-item":
            apart = function.is_kernel and (self.apart or function.attributes.get(NOALIAS) is True)
            _Kernels(function, self.machine, not self.may_overlap, self.fastmath, apart).make(function.body)


def row_as_point(
    loop: For, machine: Machine, are_apart: bool, fastmath: bool
) -> tuple[list[Operation], Foreach, list[Value]] | None:
    """A loop that reduces a row as a `foreach` of one point, which has vectors along the row; None where it has none.

    The instructions in front of it come first, and the memory in which it stores its results last.
    """
    types = [value.type for value in loop.results]
    if not types or loop.trips is None or not all(isinstance(type_, ScalarType) for type_ in types):
        return None
    where = loop.location
    zero, one = (Constant(where, [index], literal=number) for number in (0, 1))
    memory = [Alloca(where, [MemrefType(type_, (), (), "local")]) for type_ in types]
    stores = [Store(where, [], data=value, tensor=to.result, indices=[]) for value, to in zip(loop.results, memory)]
    body = Region("spmd", [Value(index, "point", where)], [loop, *stores], where)
    point = Foreach(where, [], start=[zero.result], stop=[one.result], body=body)
    if free_rows(point, machine, are_apart, fastmath) is None:
        return None
    return [zero, one, *memory], point, [each.result for each in memory]


class _Kernels:
    """The pass on one function."""

    def __init__(
        self, function: Function, machine: Machine, are_apart: bool, fastmath: bool, groups_are_apart: bool
    ) -> None:
        self.machine = machine
        self.fastmath = fastmath
        self.are_apart = are_apart
        """Whether different parameters share no memory, as far as loops of a `foreach` depend on it."""
        self.groups_are_apart = groups_are_apart
        """Whether they don't, groups among them, as far as products depend on it."""
        self.room = LocalMemoryBudget(function, machine.caches.line)
        self.uses: dict[Value, list[Operation]] = {}
        for op in function.walk():
            for value in op.operands:
                self.uses.setdefault(value, []).append(op)

    def make(self, region: Region) -> None:
        operations: list[Operation] = []
        pending = list(region.operations)
        while pending:
            op = pending.pop(0)
            for inner in op.regions:
                if inner.kind != "spmd" and not isinstance(op, cpu.Kernel):
                    self.make(inner)
            if isinstance(op, (For, Foreach)):
                merge_repeated_loads(op.body, self.are_apart)
            if isinstance(op, For):
                before, op, behind = self._as_point(op, region)
                operations += before
                pending[:0] = behind
            views, of_vectors = by_vectors(op, self.machine) if isinstance(op, Gemm) else ([], [])
            if of_vectors:
                lanes = lanes_for_rows(of_vectors[0], self.machine)
                operations += [*views, _of_lanes(lanes, *of_vectors)]
            elif isinstance(op, Gemm) and has_register_tiles(op):
                in_blocks = blocked(op, self.room, self.machine)
                if in_blocks:
                    inner = Region("mixed", operations=in_blocks)
                    self.make(inner)
                    self._prefetch_copies(inner)
                    operations += inner.operations
                    continue
                pairs = pairs_for(op)
                is_by_pairs = pairs is not None and self.machine.multiplies_pairs(pairs)
                of_pairs = pairs if is_by_pairs and (self.fastmath or pairs == i16) else None
                copies, op = packed(op, self.room, of_pairs, reads_lines_again(op, self.machine))
                for copy in copies:
                    self._element_wise(copy, operations)
                self._product(op, operations)
            else:
                self._element_wise(op, operations)
        region.operations = operations

    def _as_point(self, loop: For, around: Region) -> tuple[list[Operation], Operation, list[Operation]]:
        """A loop that reduces a row as a `foreach` of one point, where it then has vectors along the row: what is in
        front of it, itself, and what loads its results from the memory in which it stores them.
        """
        found = row_as_point(loop, self.machine, self.are_apart, self.fastmath)
        if found is None:
            return [], loop, []
        before, point, memory = found
        where = loop.location
        loads = [Load(where, [each.type], tensor=to, indices=[]) for each, to in zip(loop.results, memory)]
        replace_uses(around, {value: load.result for value, load in zip(loop.results, loads)})
        return before, point, list(loads)

    def _prefetch_copies(self, region: Region) -> None:
        """Let the kernels that copy blocks of a left factor prefetch what they copy next."""
        for kernel in region.walk():
            if isinstance(kernel, cpu.Kernel) and isinstance(kernel.body.operations[0], Foreach):
                kernel.attributes.update({AHEAD: self.machine.blocks.ahead} if self.machine.blocks.ahead else {})

    def _element_wise(self, op: Operation, operations: list[Operation]) -> None:
        turned = as_transposition(op, self.are_apart) if isinstance(op, Foreach) else ()
        if turned:
            *views, op = turned
            operations += views
        if isinstance(op, Foreach):
            write_out_windows(op, self.are_apart)
            operations += hoisted(op, self.are_apart)
            lanes = lanes_for_points(op, self.machine, self.are_apart)
            before = next((other for other in reversed(operations) if not other.pure), None)
            product = _last_product(before) if lanes else None
            if product is not None:
                access_by_view(op, product.C)
            fused = self._with_epilogue(before, op, product) if product is not None else None
            if fused is not None:
                operations.remove(before)  # type: ignore[arg-type]
                operations.append(fused)
            else:
                if lanes:
                    operations += flattened(op)[:-1]
                    lanes = lanes_for_points(op, self.machine, self.are_apart)  # there may be more points of a row
                kernel = self._of_points(op, lanes)
                if isinstance(kernel, cpu.Kernel) and TURNED in kernel.attributes:
                    operations += views_of_blocks(kernel)
                operations.append(kernel)
        elif has_vector_code(op):
            operations.append(_of_lanes(lanes_for_rows(op, self.machine), op))
        else:
            operations.append(op)

    def _of_points(self, op: Foreach, lanes: int) -> Operation:
        rows = free_rows(op, self.machine, self.are_apart, self.fastmath)
        if rows is not None:
            lanes = rows.points
        kernel = _of_lanes(lanes, op)
        if not isinstance(kernel, cpu.Kernel):
            return kernel
        if rows is not None:
            kernel.attributes.update({ALONG: rows.lanes, CHAINS: rows.vectors})
        elif has_turned_loops(op, variation_of(op), lanes, self.are_apart):
            kernel.attributes[TURNED] = True
            stores_first(op, lanes, self.machine, self.are_apart)
            variation = variation_of(op)
            free = free_loops(op, variation, lanes, self.are_apart)
            if free:
                kernel.attributes.update({ALONG: lanes, CHAINS: chains_of(self.machine, True)})
            for loop in free:
                loop.attributes[ANY_ORDER] = True
            if crowd_cache(op, variation, lanes, self.machine.caches, self.are_apart):
                kernel.attributes[LINE] = self.machine.caches.line
        if rows is None and have_components(op.body, variation_of(op), self.are_apart):
            kernel.attributes[COMPONENTS] = True
        if self.fastmath:
            kernel.attributes[FASTMATH] = True
        return kernel

    def _with_epilogue(self, before: Any, op: Foreach, product: Gemm) -> cpu.Kernel | None:
        """A kernel with a `foreach` behind its last product."""
        if not is_epilogue(op, product):
            return None
        fused = self._kernel([*before.body.operations, op], before.attributes[ACCUMULATE])
        writes_others = any(value is not product.C for value in written_by(op))
        return None if writes_others and APART not in fused.attributes else fused

    def _product(self, op: Gemm, operations: list[Operation]) -> None:
        kernel = self._kernel([op], [1])
        before, left = _kernel_before(operations), op.A.owner
        chain = self._chain(before, kernel, operations) if before is not None else None
        if chain is not None:
            operations[:] = [other for other in operations if other not in (before, left)]
            kernel = chain
        else:
            before = self._sum_before(op, operations)
            if before is not None:
                operations.remove(before)
                *sums, last = before.attributes[ACCUMULATE]
                kernel = self._kernel([*before.body.operations, op], [*sums, last + 1])
        operations.append(kernel)

    def _kernel(self, operations: list[Operation], sums: list[int]) -> cpu.Kernel:
        """A kernel of products, which says whether what it writes is apart from all else."""
        attributes: dict[str, Any] = {ACCUMULATE: sums}
        kernel = cpu.Kernel(operations[-1].location, attributes=attributes, body=Region("collective", [], operations))
        has_stages = len(sums) > 1 or isinstance(operations[-1], Foreach)
        if has_stages and self.groups_are_apart and self._writes_apart(operations):
            attributes[APART] = True
        if self.fastmath and any(isinstance(op, Gemm) and pairs_for(op) == bf16 for op in operations):
            attributes[FASTMATH] = True
        return kernel

    def _chain(self, first: cpu.Kernel, second: cpu.Kernel, operations: list[Operation]) -> cpu.Kernel | None:
        """A kernel and a product as one kernel that keeps the product's left factor in registers.

        None where something else needs that, too, or registers are slower than memory or have no room.
        """
        (op,) = products_in(second)
        shared, alloca, last = op.A, op.A.owner, products_in(first)[-1:]
        # f16 and bf16 are rounded in memory, and not in registers
        fits_registers = shared.type.element == op.C.type.element and op.C.type.element.size > 2
        uses = sum(inner.operands.count(shared) for inner in first.body.walk())
        is_local = isinstance(alloca, Alloca) and alloca in operations and len(self.uses.get(shared, ())) == uses + 1
        makes_it = (
            last and last[0].C is shared and first.attributes[ACCUMULATE][-1] == 1 and is_constant(last[0].beta, 0)
        )
        if not (is_local and fits_registers and makes_it) or TRANSPOSES[op.transpose_a]:
            return None
        registers = cpu.Registers(shared.location, [shared.type], [shared.name])
        separate = alone(self.machine, first, [shared]) + alone(self.machine, second)
        body = Region("collective", [], [registers, *first.body.operations, op])
        replace_uses(body, {shared: registers.result})
        joined = self._kernel(body.operations, [*first.attributes[ACCUMULATE], 1])
        is_apart = joined.attributes.pop(APART, False)
        if alone(self.machine, joined) < math.inf:
            return self._kernel(body.operations, joined.attributes[ACCUMULATE])
        # rather than by tiles of rows, others that are added to the result are summed with it
        is_summed = sum(isinstance(use, Gemm) and use.C is op.C for use in self.uses[op.C]) > 1
        if is_apart and not is_summed:
            joined.attributes[APART] = True
            if alone(self.machine, joined) <= separate:
                return joined
        replace_uses(body, {registers.result: shared})
        return None

    def _sum_before(self, op: Gemm, operations: list[Operation]) -> cpu.Kernel | None:
        """The kernel whose last product is added to the same result, if it may be executed behind all others."""
        between: list[cpu.Kernel] = []
        for before in reversed(operations):
            if isinstance(before, cpu.Kernel):
                if _adds_up(before, op):
                    return before if all(self._commute(before, other) for other in between) else None
                between.append(before)
            elif not (finds_operands(before) or isinstance(before, Alloca)):
                return None
        return None

    # Memory.

    def _commute(self, first: cpu.Kernel, second: cpu.Kernel) -> bool:
        """Whether two kernels may be executed in another order."""
        pairs = [(a, b) for a in all_accesses(first) for b in all_accesses(second) if a.writes or b.writes]
        return all(self._share_nothing(a.tensor, b.tensor) for a, b in pairs)

    def _writes_apart(self, operations: list[Operation]) -> bool:
        """Whether what is written is not read or written by another view, nor as a factor."""
        accesses = [access for inner in operations for access in all_accesses(inner)]
        factors = {value for inner in operations if isinstance(inner, Gemm) for value in (inner.A, inner.B)}
        registers = {inner.result for inner in operations if isinstance(inner, cpu.Registers)}
        written = {access.tensor for access in accesses if access.writes} - registers
        if registers and any(isinstance(root_of(value).owner, Alloca) for value in written):
            return False  # compilers would load right factors once for all tiles of rows, and spill them
        others = {access.tensor for access in accesses} - registers
        return factors.isdisjoint(written) and all(
            value is other or self._share_nothing(value, other) for value in written for other in others
        )

    def _share_nothing(self, a: Value, b: Value) -> bool:
        """Whether two memrefs are known to share no memory."""
        roots = root_of(a), root_of(b)
        if roots[0] is roots[1]:
            return overlap_of(a, b) is Overlap.DISJOINT
        return self.groups_are_apart or any(isinstance(root.owner, (Alloca, cpu.Registers)) for root in roots)


def free_rows(op: Foreach, machine: Machine, are_apart: bool, fastmath: bool) -> RowVectors | None:
    """How the loops of a `foreach` go along rows; None where they don't, or their sums keep their order."""
    return vectors_along_rows(op, machine, are_apart) if fastmath or are_free(op) else None


def vectors_along_rows(op: Foreach, machine: Machine, are_apart: bool) -> RowVectors | None:
    """How the loops of a `foreach` go along rows, if the order of their sums is open; None where they don't.

    `are_apart` says that different parameters share no memory.
    """
    accesses = [inner for inner in op.body.walk() if isinstance(inner, (Load, Store))]
    if any(isinstance(access, Load) and access.is_item for access in accesses):
        return None
    elements = [access.tensor.type.element for access in accesses]
    if not elements or not all(isinstance(element, ScalarType) for element in elements):
        return None
    points = _points_of(op)
    lanes = min(lanes_for(machine, element, DYNAMIC) for element in elements)
    if points is not DYNAMIC and points < 1:
        return None
    return row_vectors(op, machine, lanes, points if isinstance(points, int) else None, are_apart)


def _kernel_before(operations: list[Operation]) -> cpu.Kernel | None:
    """The last kernel, if no instruction that reads or writes memory follows it."""
    for before in reversed(operations):
        if isinstance(before, cpu.Kernel):
            return before
        if not (finds_operands(before) or isinstance(before, Alloca)):
            return None
    return None


def _adds_up(kernel: cpu.Kernel, op: Gemm) -> bool:
    """Whether a product adds to what a kernel computes last.

    Its factors do not alias its target; otherwise they would have been copied.
    """
    last = kernel.body.operations[-1]
    return isinstance(last, Gemm) and accumulates(last, op)


def _last_product(op: Operation | None) -> Gemm | None:
    """The product of a kernel of which a `foreach` may be the epilogue, tile by tile; None if there is none."""
    return next(reversed(products_in(op)), None) if isinstance(op, cpu.Kernel) else None


def access_by_view(op: Foreach, view: Value) -> None:
    """Let a `foreach` over the elements of a view access them by it: `C[i, j, g]` as `C[0:16, 0:16, g][i, j]`."""
    subview = view.owner
    if not isinstance(subview, Subview) or not covers(op, view):
        return
    for inner in op.body.walk():
        if isinstance(inner, (Load, Store)) and inner.tensor is subview.tensor:
            pairs = list(zip(subview.slices, inner.indices, strict=True))
            points = [at for piece, at in pairs if piece.keeps_mode]
            if points == op.variables and all(_is_index_of(piece, at) for piece, at in pairs):
                inner.tensor, inner.indices = view, points


def views_of_blocks(kernel: cpu.Kernel) -> list[Operation]:
    """Let loops that go by blocks read the part of a tensor that all points have in common, as `X[i, t, g]` by
    `X[0:64, 0:16, g][i, t]`; returns the views.
    """
    (op,) = kernel.body.operations
    inside = {*op.variables, *(value for inner in op.body.walk() for value in inner.results)}
    inside.update(argument for inner in op.body.walk() for region in inner.regions for argument in region.arguments)
    accesses = [inner for inner in op.body.walk() if isinstance(inner, (Load, Store))]
    views: list[Operation] = []
    for load in Blocks.of(op, kernel.attributes[LANES]).loads:
        same = {mode: at for mode, at in enumerate(load.indices) if at not in inside}
        shape = load.tensor.type.shape
        pieces = [Slice(same[n], None) if n in same else Slice(0, extent) for n, extent in enumerate(shape)]
        if not same or load.tensor in inside or any(piece.size is DYNAMIC for piece in pieces):
            continue
        view = Subview(load.location, None, tensor=load.tensor, slices=pieces)
        for access in accesses:
            if access.tensor is view.tensor and all(access.indices[mode] is at for mode, at in same.items()):
                access.tensor = view.result
                access.indices = [at for mode, at in enumerate(access.indices) if mode not in same]
        views.append(view)
    return views


def _is_index_of(piece: Slice, at: Value) -> bool:
    """Whether an index of a tensor is one of a view as it is: it counts from 0 there, or is where the view begins."""
    if piece.keeps_mode:
        return bool(constant_bound(piece.offset) == 0)
    known = constant_of(at)
    return piece.offset is at or (known is not None and constant_bound(piece.offset) == known)


def _of_lanes(lanes: int, first: Operation, *others: Operation) -> Operation:
    """An instruction as vector code, or some of one kernel; itself where it cannot be vectorised."""
    if not lanes:
        return first
    body = Region("collective", operations=[first, *others])
    return cpu.Kernel(first.location, attributes={LANES: lanes}, body=body)


def hoisted(op: Foreach, are_apart: bool) -> list[Operation]:
    """Take what does not depend on the point out of the body; returns these instructions, which go in front.

    These are pure instructions, views, and the loading of elements that no point stores, and of a group's items, where
    some point certainly loads them. `are_apart` says that different parameters share no memory.
    """
    stored, has_points = stored_by(op), _has_points(op)
    inside: set[Value] = {*op.variables, *(value for inner in op.body.walk() for value in inner.results)}
    invariant: list[Operation] = []
    for inner in op.body.operations:
        is_loaded = (
            isinstance(inner, Load) and has_points and (inner.is_item or not is_stored(inner, stored, are_apart))
        )
        if (inner.pure or is_loaded or isinstance(inner, Builtin)) and not inside.intersection(inner.operands):
            invariant.append(inner)
            inside.difference_update(inner.results)
    op.body.operations = [inner for inner in op.body.operations if inner not in invariant]
    return invariant


def _has_points(op: Foreach) -> bool:
    bounds = [(constant_of(start), constant_of(stop)) for start, stop in zip(op.start, op.stop)]
    return all(first is not None and last is not None and first < last for first, last in bounds)


def lanes_for_points(op: Foreach, machine: Machine, are_apart: bool) -> int:
    """How many points of a `foreach` make a vector; 0 if it has to stay a scalar loop."""
    rows = _points_of(op)
    if rows is not DYNAMIC and rows < 2:
        return 0
    variation = variation_of(op)
    if not has_vector_points(op, variation):
        return 0
    accesses = [inner for inner in op.body.walk() if isinstance(inner, (Load, Store)) and variation.vary(inner.indices)]
    is_worth_it = any(is_contiguous(access, variation) for access in accesses) or any(
        isinstance(inner, Math) and variation.vary(inner.operands) for inner in op.body.walk()
    )
    if not accesses:
        return 0
    elements = [access.tensor.type.element for access in accesses]
    types = [*elements, *(value.type for value in variation.varying)]
    most = most_lanes(types)
    lanes = max(min(most, *(lanes_for(machine, element, rows) for element in elements)), 2)
    if not gain_as_lanes(op, variation, machine.items, lanes):
        return 0
    if has_turned_loops(op, variation, lanes, are_apart):
        return lanes
    if not is_worth_it and not have_components(op.body, variation, are_apart):
        inside = values_inside(op.body)
        if not any(has_vectors(access, variation, inside, lanes) for access in accesses):
            return 0
    if isinstance(rows, int) and _is_reduction(op, variation):
        while 2 * lanes <= min(rows, most):
            lanes *= 2
    return lanes


def _points_of(op: Foreach) -> Extent:
    """How many values the first variable has."""
    first, last = constant_of(op.start[0]), constant_of(op.stop[0])
    return DYNAMIC if first is None or last is None else last - first


def _is_reduction(op: Foreach, variation: Variation) -> bool:
    """Whether what points carry through a loop is little work that waits for the iteration before.

    A vector of several registers then is several such chains.
    """
    loops = [inner for inner in op.body.operations if isinstance(inner, For)]
    if len(loops) != 1 or not loops[0].results or not variation.vary(loops[0].carried):
        return False
    inside = list(loops[0].body.walk())
    return len(inside) <= SHORT_LOOP and not any(isinstance(inner, (For, Math)) for inner in inside)


def lanes_for_rows(op: Update, machine: Machine) -> int:
    """The lanes of vectors along the first mode of a collective instruction's first factor."""
    tensors = [op.updated, *(getattr(op, name) for name in op.factors)]
    rows: Extent = tensors[1].type.shape[0]
    lanes = max(min(lanes_for(machine, tensor.type.element, rows) for tensor in tensors), 2)
    is_dynamic_turn = isinstance(op, Axpby) and not op.A.type.has_static_shape
    return min(lanes, WIDEST_TURN) if is_dynamic_turn else lanes
