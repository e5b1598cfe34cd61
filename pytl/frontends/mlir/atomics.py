"""memref: atomic updates, and memory of the module, which is constant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...ir.types import index
from ...ir.values import Value
from ...mlir.text import Memref, Operation
from ...mlir.text.names import KINDS
from ...mlir.text.tree import Dense
from ...ops import Alloca, AtomicAdd, AtomicMax, AtomicMin, Foreach
from . import rules
from .context import Context, reads
from .memory import at_indices, result_memref
from .numbers import flat_elements, literal
from .parallel import combination, operation_of
from .types import element_type, row_major
from .values import MAX_ELEMENTS, Result, View

_ATOMIC = {
    **dict.fromkeys(("arith.addf", "arith.addi"), AtomicAdd),
    **dict.fromkeys(("arith.maximumf", "arith.maxnumf", "arith.maxsi"), AtomicMax),
    **dict.fromkeys(("arith.minimumf", "arith.minnumf", "arith.minsi"), AtomicMin),
}
"""The updates that the language has."""
Step = Callable[[Value], Value]


# Updates.


@reads("memref.atomic_rmw")
def _update(ctx: Context, op: Operation) -> Sequence[Result]:
    value, view = ctx.number(op, 0), ctx.view(op, 1)
    indices = at_indices(ctx, op, view, ctx.indices(op, 2))
    kind = op.attributes.get("kind")
    name = operation_of(kind)
    if name not in map(operation_of, KINDS):
        ctx.fail(op, rules.OPERANDS, f"there is no such update; there are {', '.join(KINDS)}")
    _check(ctx, op, value, view)
    is_new = name == "arith.assign"
    combine = (lambda at, old, new: new) if is_new else combination(ctx, op, kind, value.type)[0]
    return [_updated(ctx, op, view, indices, name, value, lambda old: combine(ctx.builder, old, value))]


def _check(ctx: Context, op: Operation, value: Value, view: View) -> None:
    if value.type != view.element or view.holds_truth:
        ctx.fail(op, rules.OPERANDS, f"an element of {view.type} is updated with a number of the type {value.type}")


@reads("memref.generic_atomic_rmw")
def _update_by_region(ctx: Context, op: Operation) -> Sequence[Result]:
    view, block = ctx.view(op, 0), ctx.block(op)
    indices = at_indices(ctx, op, view, ctx.indices(op, 1))
    if len(block.arguments) != 1:
        ctx.fail(op, rules.STRUCTURE, "its region has an argument, the element before")
    (name, _), operations = block.arguments[0], block.operations
    kind, value = "", None
    name_ = operations[0].name if operations else ""
    if len(operations) == 2 and name_ in _ATOMIC and operations[1].operands == operations[0].results:
        others = [each for each in operations[0].operands if each != name]
        operand = ctx.lookup(others[0], operations[0]) if len(others) == 1 else None
        if isinstance(operand, Value):
            kind, value = name_, operand
            _check(ctx, op, value, view)

    def combine(old: Value) -> Value:
        with ctx.names.inner():
            ctx.bind(name, old, op.location)
            combined = ctx.yielded(op, ctx.operations(operations), 1)[0]
        if not isinstance(combined, Value):
            ctx.fail(op, rules.STRUCTURE, "its region gives a number")
        _check(ctx, op, combined, view)
        return combined

    return [_updated(ctx, op, view, indices, kind, value, combine)]


def _updated(
    ctx: Context, op: Operation, view: View, indices: Sequence[Value], kind: str, value: Value | None, combine: Step
) -> Value:
    """The element before the update."""
    old_values: list[Value] = []

    def write() -> None:
        old_values.append(_old(ctx, op, view, indices, kind, value, combine))

    if ctx.is_spmd:
        write()
        return old_values[0]
    slot = ctx.builder.once(("kept", id(op)), lambda: _one_number(op, view))

    def keep() -> None:
        write()
        ctx.builder.store(old_values[0], slot, [ctx.constant(0)])

    ctx.single(keep)
    return ctx.builder.load(slot, [ctx.constant(0)])


def _one_number(op: Operation, view: View) -> Alloca:
    """Local memory by which what one work-item has found reaches the others."""
    type_ = row_major((1,), view.memory.type.element).type
    return Alloca(op.location, [type_.in_space("local")], attributes={})


def _old(
    ctx: Context, op: Operation, view: View, indices: Sequence[Value], kind: str, value: Value | None, combine: Step
) -> Value:
    memory, element_indices = ctx.element(view, indices)
    if not ctx.is_concurrent:
        old = ctx.builder.load(memory, element_indices)
        ctx.builder.store(combine(old), memory, element_indices)
        return old
    update = _ATOMIC.get(kind)
    if update is None or value is None:
        what = f"an update by {kind.removeprefix('arith.')}" if kind else "this region"
        words = (name.removeprefix("arith.") for name in _ATOMIC)
        help = f"there are {', '.join(words)}; or a loop that is not parallel"
        ctx.fail(op, rules.ATOMIC, f"{what} is not atomic in the language", help)
    parts: dict[str, Any] = {
        "scope": "device",
        "order": "relaxed",
        "data": value,
        "tensor": memory,
        "indices": element_indices,
    }
    return ctx.builder.add(update(op.location, [value.type], **parts)).results[0]


# Memory of the module.


@reads("memref.get_global")
def _get_global(ctx: Context, op: Operation) -> Sequence[Result]:
    name = str(op.attributes.get("name", ""))[1:]
    definition = ctx.globals.get(name)
    if definition is None:
        ctx.fail(op, rules.UNDEFINED, f"@{name} is no memory of the module")
    type_ = result_memref(ctx, op)
    if str(type_) != str(definition.attributes.get("type")):
        ctx.fail(op, rules.OPERANDS, f"@{name} is {definition.attributes.get('type')}, but {type_} is written here")
    return [_constant_memory(ctx, op, name, type_, definition.attributes)]


def _constant_memory(ctx: Context, op: Operation, name: str, type_: Memref, attributes: dict[str, Any]) -> View:
    """The copy of a work-group, with the values in it."""
    values, element = attributes.get("initial_value"), element_type(type_.element)
    if not attributes.get("constant") or not isinstance(values, Dense):
        ctx.fail(op, rules.GLOBAL, f"the values of @{name} are not constant", "pass it as an argument")
    sizes = tuple(size for size in type_.shape if size is not None)
    if len(sizes) != len(type_.shape) or element is None or 0 in sizes or type_.layout or element.is_complex:
        ctx.fail(op, rules.TYPE, f"there are no constants of the type {type_}")
    placement = row_major(sizes, element)
    flat, total = flat_elements(ctx, op, values, sizes)
    if total > MAX_ELEMENTS:
        ctx.fail(op, rules.GLOBAL, f"@{name} has {total} elements", "pass it as an argument")
    key = ("global", name)
    is_new = not ctx.builder.has(key)
    local = placement.type.in_space("local")
    memory = ctx.builder.once(key, lambda: Alloca(op.location, [local], attributes={}))
    view = View(type_, memory, placement.modes, sizes)
    if is_new:
        _fill(ctx, op, view, flat)
    return view


def _fill(ctx: Context, op: Operation, view: View, values: Sequence[Any]) -> None:
    """Store the values in front of all that is executed: one everywhere, or one after the other."""
    sizes = view.memory.type.shape
    variables = [Value(index, None, op.location) for _ in sizes] or [Value(index, None, op.location)]
    all_alike = len(values) == 1

    def write() -> None:
        for position, value in enumerate(values):
            at: list[Value] = variables[: len(sizes)]
            if not all_alike:
                at = []
                for size in sizes:
                    at.append(ctx.constant(position % size))
                    position //= size
            number = int(bool(value)) if view.holds_truth else value
            ctx.builder.store(literal(ctx, op, number, view.memory.type.element), view.memory, at)

    region = ctx.region("spmd", variables, write)
    zero = ctx.constant(0)
    stops = [ctx.constant(size) for size in sizes] if all_alike and sizes else [ctx.constant(1)] * len(variables)
    ctx.builder.in_front(Foreach(op.location, start=[zero] * len(variables), stop=stops, body=region))
