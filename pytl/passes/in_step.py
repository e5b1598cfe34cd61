"""Unroll-and-jam of several work-groups that one work-item executes, and software prefetch for later ones."""

from __future__ import annotations

from collections.abc import Iterable

from ..ir.clone import Mapping, clone_operation
from ..ir.operation import Operation
from ..ir.types import MemrefType, bool_, index
from ..ir.values import Region, Value
from ..ops import Alloca, ArithBinary, Builtin, Compare, Constant, Gemm, Load, Subview
from ..ops.constants import constant_of
from ..targets import cpu
from ..targets.cpu_attributes import COPIES

MOST_AT_ONCE = 4096
"""Bytes of a memref that are prefetched as a block, before the kernel that uses it."""
MOST_AHEAD = 256 * 1024
"""Bytes of a memref that products prefetch while they compute: the data in use has to stay in the cache, too."""
CACHE = 1_000_000
"""Bytes that a core reads fast without prefetching: about the size of its second-level cache."""


def kernels_of(body: Region) -> list[cpu.Kernel]:
    return [op for op in body.operations if isinstance(op, cpu.Kernel)]


def can_go_in_step(body: Region, varying: set[Value]) -> bool:
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


def shared_factors(kernel: cpu.Kernel, varying: Iterable[Value]) -> tuple[bool, bool]:
    """Whether the left and the right factors of a kernel are the same for all work-groups."""
    varying = {*varying, *(op.result for op in kernel.body.operations if isinstance(op, cpu.Registers))}
    products = [op for op in kernel.body.operations if isinstance(op, Gemm)]
    return all(op.A not in varying for op in products), all(op.B not in varying for op in products)


def in_step(body: Region, copies: int) -> Region:
    """`body` for a number of interleaved work-groups; itself for one."""
    if copies == 1:
        return body
    arguments = [Value(index, body.arguments[0].name, body.location) for _ in range(copies)]
    mappings: list[Mapping] = [{body.arguments[0]: argument} for argument in arguments]
    operations: list[Operation] = []
    for op in body.operations:
        cloned = [clone_operation(op, mapping) for mapping in mappings]
        if not (isinstance(op, cpu.Kernel) and _has_products(op)):
            operations += cloned
            continue
        together = [inner for kernel in cloned for inner in kernel.body.operations]  # type: ignore[attr-defined]
        attributes = {**op.attributes, COPIES: copies}
        operations.append(cpu.Kernel(op.location, attributes=attributes, body=Region("collective", [], together)))
    return Region("collective", arguments, operations, body.location)


def asking_ahead(body: Region, ahead: int) -> Region | None:
    """A copy of what a work-group does that prefetches what its kernels will use `ahead` work-groups later.

    None where its kernels use nothing that differs from one work-group to the next.
    """
    group = Value(index, body.arguments[0].name, body.location)
    copies: Mapping = {body.arguments[0]: group}
    body = Region("collective", [group], [clone_operation(op, copies) for op in body.operations], body.location)
    makers = {result: op for op in body.operations if finds_operands(op) for result in op.results}
    wanted = _wanted(body, makers)
    if not wanted:
        return None
    place = body.operations[0].location
    distance, one = (Constant(place, [index], literal=number) for number in (ahead, 1))
    count = Builtin(place, [index], variant="group_size")
    last = ArithBinary(place, [index], variant="sub", a=count.result, b=one.result)
    later = ArithBinary(place, [index], variant="add", a=group, b=distance.result)
    # a group has no pointers beyond its last one
    there = ArithBinary(place, [index], variant="min", a=later.result, b=last.result)
    mapping: Mapping = {group: there.result}
    operations: list[Operation] = [distance, count, one, last, later, there]
    for op in body.operations:
        for tensor, kernel in wanted.items():
            if kernel is op:
                operations += _copies_of(tensor, makers, mapping)
                asking = cpu.Prefetch(place, tensor=mapping[tensor])
                (kernel.body.operations if _has_products(kernel) else operations).append(asking)
        operations.append(op)
    body.operations = operations
    return body


def is_far(body: Region) -> tuple[list[Operation], Value | None]:
    """Code that computes whether the working set of all work-groups exceeds a cache, and its result.

    No result where it certainly does not: memory indexed by a remainder has at most as many places as the divisor.
    """
    makers = {result: op for op in body.operations if finds_operands(op) for result in op.results}
    each = fixed = 0
    for value in _used(body, makers):
        size = _bytes(value.type) if value.type.has_static_shape else MOST_AT_ONCE
        most = _different(value, makers)
        if most is None:
            each += size
        else:
            fixed += size * most
    place = body.location
    if each == 0 and fixed <= CACHE:
        return [], None
    count = Builtin(place, [index], variant="group_size")
    sizes, others, limit = (Constant(place, [index], literal=number) for number in (each, fixed, CACHE))
    product = ArithBinary(place, [index], variant="mul", a=count.result, b=sizes.result)
    total = ArithBinary(place, [index], variant="add", a=product.result, b=others.result)
    far = Compare(place, [bool_], variant="gt", a=total.result, b=limit.result)
    return [count, sizes, others, limit, product, total, far], far.result


def _different(value: Value, makers: dict[Value, Operation]) -> int | None:
    """The most values that an index may have over all work-groups, where it is a remainder; else unknown."""
    op = makers.get(value)
    if op is None:
        return None
    if isinstance(op, ArithBinary):
        return constant_of(op.b) if op.variant == "rem" else None
    found = [n for operand in op.operands if operand in makers and (n := _different(operand, makers)) is not None]
    return max(found) if len(found) == 1 else None


def _used(body: Region, makers: dict[Value, Operation]) -> dict[Value, cpu.Kernel]:
    """The memrefs that differ among work-groups and that its kernels use, with the first kernel that uses each."""
    found: dict[Value, cpu.Kernel] = {}
    for kernel in kernels_of(body):
        for value in (value for op in kernel.body.operations for value in op.operands):
            if value in makers and isinstance(value.type, MemrefType):
                found.setdefault(value, kernel)
    return found


def _wanted(body: Region, makers: dict[Value, Operation]) -> dict[Value, cpu.Kernel]:
    """The memrefs that can be prefetched, and the kernel that prefetches each.

    That is a kernel with products, if there is one, because products leave time for it: the first one at or after the
    use.
    """
    kernels = kernels_of(body)
    found = {}
    for value, kernel in _used(body, makers).items():
        with_products = [other for other in kernels[kernels.index(kernel) :] if _has_products(other)]
        most = MOST_AHEAD if with_products else MOST_AT_ONCE
        if value.type.has_static_shape and _bytes(value.type) <= most:
            found[value] = with_products[0] if with_products else kernel
    return found


def _has_products(kernel: cpu.Kernel) -> bool:
    return any(isinstance(op, Gemm) for op in kernel.body.operations)


def _bytes(type_: MemrefType) -> int:
    return type_.count * type_.element.size


def _copies_of(value: Value, makers: dict[Value, Operation], mapping: Mapping) -> list[Operation]:
    """The instructions that compute a value, with operands replaced by `mapping`."""
    if value in mapping or value not in makers:
        return []
    op = makers[value]
    before = [copy for operand in op.operands for copy in _copies_of(operand, makers, mapping)]
    return [*before, clone_operation(op, mapping)]
