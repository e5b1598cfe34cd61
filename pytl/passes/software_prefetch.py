"""Software prefetch of what later work-groups use, where the working set of all work-groups exceeds a cache."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

from ..diagnostics import Location
from ..ir.clone import Mapping, clone_operation
from ..ir.operation import Operation
from ..ir.types import MemrefType, bool_, index
from ..ir.values import Region, Value
from ..ops import ArithBinary, Builtin, Compare, Constant, For, Gemm, Subview
from ..ops.constants import constant_of
from ..ops.updates import TRANSPOSES
from ..ops.views import root_of
from ..process.records import dataclass
from .matrix_sums import order_of_product
from .targets import cpu
from .targets.cache_lines import Lines
from .targets.costs import PrefetchCosts
from .targets.cpu_attributes import IN_ORDER, LANES, LEVEL, ONWARDS, TURNED, lies_in_local_memory, products_in
from .targets.machine import Machine
from .targets.turned_blocks import Blocks
from .unroll_and_jam import finds_operands, has_products, kernels_of

MIN_COLUMN = 1024
"""Bytes of a column of a left factor from which on several register tiles are below each other."""
MIN_STREAMS = 16
"""Columns of a left factor from which on the processor's prefetcher does not follow all of them."""


def copy_of(body: Region) -> Region:
    """A copy of what a work-group does."""
    group = Value(index, body.arguments[0].name, body.location)
    own: Mapping = {body.arguments[0]: group}
    return Region("collective", [group], [clone_operation(op, own) for op in body.operations], body.location)


def with_prefetches(
    body: Region,
    distance: int,
    stop: Value | None,
    machine: Machine,
    cycles: float,
    past_caches: Collection[Value] = (),
) -> Region | None:
    """A copy of what a work-group does that prefetches what its kernels will use `distance` work-groups later.

    What is stored past the caches is not prefetched.

    `stop` is where the numbers of what work-groups do end, if that isn't the number of work-groups. The copy is without
    prefetches where the processor's own prefetcher is expected to be faster, by the cycles that a work-group computes.
    None where the kernels use nothing that differs from one work-group to the next.
    """
    costs = machine.prefetches
    body = copy_of(body)
    (group,) = body.arguments
    compilers = _compilers(body, {group})
    in_loops = {use.value: use.kernel for use in _uses_in_loops(body, group) if use.is_worth(costs)}
    in_blocks = _read_by_blocks(body, compilers, costs)
    prefetched = {**_prefetched(body, compilers, costs), **in_loops}
    onwards = _read_onwards(body, costs)
    prefetched = {
        value: kernel
        for value, kernel in prefetched.items()
        if root_of(value) not in past_caches and value not in onwards
    }
    if not prefetched and not in_blocks and not onwards:
        return None
    lines = [Lines.of(v.type.shape, v.type.strides, v.type.element.size, machine.caches.line) for v in prefetched]
    amount = sum(each.bytes for each in lines)
    are_products = [has_products(kernel) for kernel in kernels_of(body)]
    # a copy in front of products computes nothing while it waits for memory
    begins_with_copy = any(are_products) and not are_products[0]
    is_short = amount < costs.min_bytes and not in_loops
    is_streaming = any(are_products) and not in_loops and amount > costs.streaming * cycles * machine.caches.from_memory
    are_few = len(lines) <= costs.few_streams or amount <= costs.few_bytes * len(lines)
    is_much = bool(onwards) and amount > costs.max_left  # it would leave the cache before it is used, too
    if is_much or (is_short and not begins_with_copy and (are_few or is_streaming)):
        prefetched = {}
    for value, kernel in in_blocks.items():
        if _blocks_of(kernel).vectors > 1:  # what comes next is the work-group's own
            prefetched.pop(value, None)
            kernel.body.operations.append(cpu.Prefetch(kernel.location, attributes={ONWARDS: True}, tensor=value))
        else:
            prefetched[value] = kernel
    if not prefetched and not onwards:
        return body
    location = body.operations[0].location
    operations, numbers = _numbers(location, stop)
    one = Constant(location, [index], literal=1)
    # a group has no pointers beyond its last one
    last = ArithBinary(location, [index], variant="sub", a=numbers, b=one.result)

    def later(distance: int) -> Value:
        number = cpu.Later(location, [index], attributes={cpu.DISTANCE: distance}, group=group, last=last.result)
        operations.append(number)
        return number.result

    operations += [one, last]
    if prefetched:
        attributes = {LEVEL: 2} if is_streaming and not is_short else {}
        _insert(body, prefetched, compilers, {group: later(distance)}, attributes)
    if onwards:
        _insert_onwards(body, onwards, compilers, {group: later(1)})
    body.operations = [*operations, *body.operations]
    return body


def _insert_onwards(
    body: Region, onwards: dict[Value, cpu.Kernel], compilers: dict[Value, Operation], mapping: Mapping
) -> None:
    """Insert the prefetches of left factors by the tiles that read them, with those of the following work-group."""
    operations: list[Operation] = []
    for op in body.operations:
        for tensor, kernel in onwards.items():
            if kernel is op:
                operations += _copies_of(tensor, compilers, mapping)
        operations.append(op)
    body.operations = operations
    for tensor, kernel in onwards.items():
        # the loops of the following work-group may have other bounds
        following = mapping.get(tensor) if tensor in compilers else tensor
        prefetch = cpu.Prefetch(kernel.location, attributes={ONWARDS: True}, tensor=tensor, next=following)
        kernel.body.operations.append(prefetch)


def reading_in_order(body: Region, machine: Machine, cycles: float) -> Region | None:
    """A copy of what a work-group does whose only kernel, a product, reads its left factor in the order of memory.

    The processor's own prefetcher is faster for that where the kernel waits for memory longer than the cycles that it
    computes. None elsewhere.
    """
    kernels = kernels_of(body)
    if len(kernels) != 1 or order_of_product(kernels[0], machine) is None:
        return None
    left: Value = kernels[0].body.operations[0].A
    is_own = left in _compilers(body, {*body.arguments})
    if not is_own or _bytes(left.type) <= cycles * machine.caches.from_memory:
        return None
    body = copy_of(body)
    kernels_of(body)[0].attributes[IN_ORDER] = True
    return body


def _compilers(region: Region, varying: set[Value]) -> dict[Value, Operation]:
    """What computes the values that differ among work-groups and are no elements, in a region and the loops in it."""
    found: dict[Value, Operation] = {}
    for op in region.operations:
        if finds_operands(op) and varying.intersection(op.operands):
            found.update(dict.fromkeys(op.results, op))
            varying.update(op.results)
        elif isinstance(op, For):
            found.update(_compilers(op.body, varying))
    return found


def _insert(
    region: Region,
    prefetched: dict[Value, cpu.Kernel],
    compilers: dict[Value, Operation],
    mapping: Mapping,
    attributes: dict[str, Any],
) -> None:
    """Insert the prefetches of the kernels in a region and in its loops, with the values that `mapping` replaces."""
    operations: list[Operation] = []
    for op in region.operations:
        for tensor, kernel in prefetched.items():
            if kernel is op:
                operations += _copies_of(tensor, compilers, mapping)
                in_blocks = TURNED in kernel.attributes
                level = {} if in_blocks else dict(attributes)
                prefetch = cpu.Prefetch(op.location, attributes=level, tensor=mapping[tensor])
                (kernel.body.operations if has_products(kernel) or in_blocks else operations).append(prefetch)
        if isinstance(op, For):
            _insert(op.body, prefetched, compilers, dict(mapping), attributes)
        operations.append(op)
    region.operations = operations


@dataclass(frozen=True)
class _UseInLoops:
    """What a kernel in loops uses that differs among work-groups."""

    value: Value
    kernel: cpu.Kernel
    """The one with products that prefetches it."""
    whole: Value
    """The memref outside of the loops that it is a part of."""
    repeats: int | None
    """How often the loops use it again, as it does not depend on their variables; None where that is not known."""

    def is_worth(self, costs: PrefetchCosts) -> bool:
        """Whether it is prefetched."""
        if not (self.value.type.has_static_shape and self.whole.type.has_static_shape):
            return False
        are_few = self.repeats is not None and self.repeats <= costs.max_repeats
        return are_few and _bytes(self.whole.type) <= costs.max_bytes


def _uses_in_loops(body: Region, group: Value) -> list[_UseInLoops]:
    """The uses of the kernels that loops of a work-group execute.

    The loops of a later work-group may have other bounds: only what can be computed for any number is used.
    """
    uses: list[_UseInLoops] = []
    depends: dict[Value, frozenset[Value]] = {group: frozenset([group])}
    whole: dict[Value, Value] = {}
    undefined: set[Value] = set()

    def note(op: Operation, in_loop: bool) -> None:
        """Note what the results of an instruction depend on, and of what they are a part."""
        of_op = frozenset[Value]().union(*(depends.get(value, ()) for value in op.operands))
        if undefined.intersection(op.operands) or (in_loop and group in of_op and not _is_always_defined(op)):
            undefined.update(op.results)
            return
        for result in op.results:
            depends[result] = of_op
            if group in of_op and isinstance(result.type, MemrefType):
                whole[result] = next((whole[value] for value in op.operands if value in whole and in_loop), result)

    def find(region: Region, around: dict[Value, int | None]) -> None:
        found: dict[Value, None] = {}
        for op in region.operations:
            if finds_operands(op):
                note(op, bool(around))
            elif isinstance(op, For):
                depends[op.variable] = frozenset([op.variable])
                find(op.body, {**around, op.variable: op.trips})
            elif isinstance(op, cpu.Kernel) and around:
                values = (value for inner in op.body.operations for value in inner.operands)
                found.update(dict.fromkeys(value for value in values if value in whole))
                if has_products(op):
                    for value in found:
                        trips = [trips for variable, trips in around.items() if variable not in depends[value]]
                        repeats = None if None in trips else math.prod(number for number in trips if number is not None)
                        uses.append(_UseInLoops(value, op, whole[value], repeats))
                    found = {}

    find(body, {})
    return uses


def _is_always_defined(op: Operation) -> bool:
    """Whether an instruction that finds operands accesses no memory and is defined for all numbers."""
    return isinstance(op, Subview) or (isinstance(op, ArithBinary) and op.variant in ("add", "sub", "mul"))


def exceeds_cache(body: Region, stop: Value | None, costs: PrefetchCosts) -> tuple[list[Operation], Value | None]:
    """Code that computes whether the working set of all work-groups exceeds a cache, and its result.

    No result where it certainly does not: memory indexed by a remainder has at most as many places as the divisor.
    """
    compilers = _compilers(body, {body.arguments[0]})
    in_loops = [use.whole for use in _uses_in_loops(body, body.arguments[0])]
    each = fixed = 0
    for value in dict.fromkeys([*_used(body, compilers), *in_loops, *_read_by_blocks(body, compilers, costs)]):
        size = _bytes(value.type) if value.type.has_static_shape else costs.max_at_once
        max_count = _different(value, compilers)
        if max_count is None:
            each += size
        else:
            fixed += size * max_count
    return bytes_exceed_cache(body.location, each, fixed, stop, costs.cache)


def bytes_exceed_cache(
    location: Location | None, each: int, fixed: int, stop: Value | None, cache: int
) -> tuple[list[Operation], Value | None]:
    """The same of work-groups that use so many bytes each, and other ones together."""
    if each == 0 and fixed <= cache:
        return [], None
    counting, count = _numbers(location, stop)
    sizes, others, limit = (Constant(location, [index], literal=number) for number in (each, fixed, cache))
    product = ArithBinary(location, [index], variant="mul", a=count, b=sizes.result)
    total = ArithBinary(location, [index], variant="add", a=product.result, b=others.result)
    exceeds = Compare(location, [bool_], variant="gt", a=total.result, b=limit.result)
    return [*counting, sizes, others, limit, product, total, exceeds], exceeds.result


def _numbers(location: Location | None, stop: Value | None) -> tuple[list[Operation], Value]:
    """How many numbers the work-groups of a launch have together, and the code that computes it."""
    if stop is not None:
        return [], stop
    count = Builtin(location, [index], variant="group_size")
    return [count], count.result


def _different(value: Value, compilers: dict[Value, Operation]) -> int | None:
    """The most values that an index may have over all work-groups, where it is a remainder; else unknown."""
    op = compilers.get(value)
    if op is None:
        return None
    if isinstance(op, ArithBinary):
        return constant_of(op.b) if op.variant == "rem" else None
    counts = [
        n for operand in op.operands if operand in compilers and (n := _different(operand, compilers)) is not None
    ]
    return max(counts) if len(counts) == 1 else None


def _used(body: Region, compilers: dict[Value, Operation]) -> dict[Value, cpu.Kernel]:
    """The memrefs that differ among work-groups and that its kernels use, with the first kernel that uses each."""
    first_uses: dict[Value, cpu.Kernel] = {}
    for kernel in kernels_of(body):
        used = kernel.body.walk() if has_products(kernel) else kernel.body.operations
        for value in (value for op in used for value in op.operands):
            if value in compilers and isinstance(value.type, MemrefType):
                first_uses.setdefault(value, kernel)
    return first_uses


def prefetches_next_rows(op: Gemm, costs: PrefetchCosts) -> bool:
    """Whether each register tile prefetches what the next one reads of a left factor, which is large.

    It reads a piece of each column, which no hardware prefetcher follows.
    """
    type_ = op.A.type
    is_read_by_columns = not TRANSPOSES[op.transpose_a] and type_.has_static_shape and type_.strides[0] == 1
    if not is_read_by_columns or lies_in_local_memory(op.A):
        return False
    rows, columns = (int(extent) for extent in type_.shape)
    return rows * type_.element.size >= MIN_COLUMN and columns > MIN_STREAMS and _bytes(type_) > costs.max_left


def _read_onwards(body: Region, costs: PrefetchCosts) -> dict[Value, cpu.Kernel]:
    """The left factors whose next rows are prefetched."""
    found: dict[Value, cpu.Kernel] = {}
    for kernel in kernels_of(body):
        found.update((op.A, kernel) for op in products_in(kernel) if prefetches_next_rows(op, costs))
    return found


def _read_by_blocks(body: Region, compilers: dict[Value, Operation], costs: PrefetchCosts) -> dict[Value, cpu.Kernel]:
    """The memrefs that differ among work-groups and that loops of points read by blocks, which prefetch them.

    A block has a line of each point, and later ones the lines beside it: no hardware prefetcher follows that.
    """
    found: dict[Value, cpu.Kernel] = {}
    for kernel in kernels_of(body):
        blocks = _blocks_of(kernel) if TURNED in kernel.attributes else None
        if blocks is None or not blocks.loaded or not all(tensor.type.is_static for tensor in blocks.loaded):
            continue
        if sum(_bytes(tensor.type) for tensor in blocks.loaded) <= costs.max_in_blocks * blocks.vectors:
            found.update((tensor, kernel) for tensor in blocks.loaded if tensor in compilers)
    return found


def _blocks_of(kernel: cpu.Kernel) -> Blocks:
    return Blocks.of(kernel.body.operations[0], kernel.attributes[LANES])


def _prefetched(body: Region, compilers: dict[Value, Operation], costs: PrefetchCosts) -> dict[Value, cpu.Kernel]:
    """The memrefs that can be prefetched, and the kernel that prefetches each.

    That is a kernel with products, if there is one, because products leave time for it: the first one at or after the
    use.
    """
    kernels = kernels_of(body)
    kernel_of = {}
    for value, kernel in _used(body, compilers).items():
        with_products = [other for other in kernels[kernels.index(kernel) :] if has_products(other)]
        limit = costs.max_bytes if with_products else costs.max_at_once
        if value.type.has_static_shape and _bytes(value.type) <= limit:
            kernel_of[value] = with_products[0] if with_products else kernel
    return kernel_of


def _bytes(type_: MemrefType) -> int:
    return type_.count * type_.element.size


def _copies_of(value: Value, compilers: dict[Value, Operation], mapping: Mapping) -> list[Operation]:
    """The instructions that compute a value, with operands replaced by `mapping`."""
    if value in mapping or value not in compilers:
        return []
    op = compilers[value]
    before = [copy for operand in op.operands for copy in _copies_of(operand, compilers, mapping)]
    return [*before, clone_operation(op, mapping)]
