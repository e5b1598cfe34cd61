"""linalg: products and sums as the language's instructions for them, all else as loops over elements."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.types import DYNAMIC
from ...ir.values import Value
from ...mlir.text import Operation
from ...mlir.text.forms.linalg import FORMS
from ...ops import Slice, Subview, products
from ...ops.constants import constant_of
from . import affine_values, rules
from .context import Context, Handler
from .structured import Structured, structured
from .values import Result, View


def _structured(ctx: Context, op: Operation) -> None:
    write(ctx, structured(ctx, op))


def write(ctx: Context, found: Structured) -> None:
    """Write an operation."""
    if not ctx.spmd and (_product(ctx, found, False) or _sum(ctx, found, False) or _copy(ctx, found)):
        return
    elements(ctx, found)


def write_filled(ctx: Context, fill: Structured, found: Structured) -> bool:
    """Write a product or sum to memory that was filled with zero just before, without filling it."""
    value, target = fill.inputs[0] if len(fill.inputs) == 1 else None, fill.outputs[0]
    is_zero = isinstance(value, Value) and constant_of(value) == 0
    if ctx.spmd or not is_zero or not _is_copy(fill) or found.outputs != [target] or target in found.inputs:
        return False
    return _product(ctx, found, True) or _sum(ctx, found, True)


# Recognition.


def _steps(found: Structured) -> list[Operation]:
    return [op for op in found.block.operations if op.name not in ("arith.extf", "arith.extsi", "linalg.yield")]


def _widened(found: Structured, name: str) -> str:
    """What a value was before it was cast to a wider type."""
    for op in found.block.operations:
        if op.name in ("arith.extf", "arith.extsi") and op.results == [name] and op.operands:
            return op.operands[0]
    return name


def _yields(found: Structured, name: str) -> bool:
    last = found.block.operations[-1] if found.block.operations else None
    return last is not None and last.name == "linalg.yield" and last.operands == [name]


def _is_product(found: Structured) -> bool:
    """Whether elements are summed up to `out + a b`."""
    steps = _steps(found)
    if len(found.inputs) != 2 or len(found.outputs) != 1 or len(steps) != 2:
        return False
    product, total = steps
    names = [name for name, _ in found.block.arguments]
    return (
        (product.name, total.name) in (("arith.mulf", "arith.addf"), ("arith.muli", "arith.addi"))
        and sorted(_widened(found, name) for name in product.operands) == sorted(names[:2])
        and sorted(total.operands) == sorted([names[2], *product.results])
        and total.results != [] and _yields(found, total.results[0])
    )  # fmt: skip


def _is_sum(found: Structured) -> bool:
    steps = _steps(found)
    if len(found.inputs) != 1 or len(found.outputs) != 1 or len(steps) != 1 or "reduction" not in found.iterators:
        return False
    names = [name for name, _ in found.block.arguments]
    given = sorted(_widened(found, name) for name in steps[0].operands)
    return (
        steps[0].name in ("arith.addf", "arith.addi") and given == sorted(names) and _yields(found, steps[0].results[0])
    )


def _is_copy(found: Structured) -> bool:
    names = [name for name, _ in found.block.arguments]
    return len(found.inputs) == 1 and len(found.outputs) == 1 and not _steps(found) and _yields(found, names[0])


def _letters(found: Structured) -> list[str] | None:
    """The index of each mode of each operand; None where the operands are no plain memrefs with an index a mode."""
    letters: list[str] = []
    for number, view in enumerate(found.operands):
        dimensions = found.dimensions(number)
        if (
            not isinstance(view, View)
            or not view.is_plain
            or dimensions is None
            or len(found.iterators) > len(products.LETTERS)
        ):
            return None
        if len(set(dimensions)) != len(dimensions):
            return None
        of_modes = sorted(range(len(dimensions)), key=lambda d: view.modes[d])
        letters.append("".join(products.LETTERS[dimensions[d]] for d in of_modes))
    return letters


def _memory(ctx: Context, found: Structured, letters: Sequence[str]) -> list[Value] | None:
    """The memory of the operands, with static sizes in all modes of an index where one of them is static."""
    memories: list[Value] = []
    for number, view in enumerate(found.operands):
        assert isinstance(view, View)
        type_ = view.memory.type
        wanted = [found.sizes[products.LETTERS.index(letter)] for letter in letters[number]]
        slices = [Slice(0, size) for size in wanted]
        if any(isinstance(size, int) and extent is DYNAMIC for size, extent in zip(wanted, type_.shape)):
            memories.append(
                ctx.builder.add(Subview(found.op.place, None, tensor=view.memory, slices=slices)).results[0]
            )
        elif any(isinstance(extent, int) and extent != size for size, extent in zip(wanted, type_.shape)):
            return None
        else:
            memories.append(view.memory)
    return memories


# Instructions.


def _indexed(ctx: Context, found: Structured) -> list[products.Indexed] | None:
    """The operands with the indices of their modes; None where there is no instruction for them."""
    letters = _letters(found)
    memories = None if letters is None else _memory(ctx, found, letters)
    if letters is None or memories is None:
        return None
    return [products.Indexed(memory, indices) for memory, indices in zip(memories, letters)]


def _product(ctx: Context, found: Structured, is_new: bool) -> bool:
    indexed = _indexed(ctx, found) if _is_product(found) else None
    if indexed is None:
        return False
    A, B, C = indexed
    factors = products.fits(C.element, A.element, B.element)
    if factors is None or not products.is_product(A.indices, B.indices, C.indices):
        return False
    products.product(ctx.builder, A, B, C, ctx.builder.one(factors), _beta(ctx, C, is_new))
    return True


def _beta(ctx: Context, target: products.Indexed, is_new: bool) -> Value:
    return ctx.builder.zero(target.element) if is_new else ctx.builder.one(target.element)


def _sum(ctx: Context, found: Structured, is_new: bool) -> bool:
    indexed = _indexed(ctx, found) if _is_sum(found) else None
    if indexed is None:
        return False
    A, B = indexed
    if products.fits(B.element, A.element) is None or set(B.indices) - set(A.indices):
        return False
    products.summed(ctx.builder, A, B, ctx.builder.one(A.element), _beta(ctx, B, is_new))
    return True


def _copy(ctx: Context, found: Structured) -> bool:
    indexed = _indexed(ctx, found) if _is_copy(found) else None
    if indexed is None:
        return False
    A, B = indexed
    if not A.indices or sorted(A.indices) != sorted(B.indices) or A.element != B.element:
        return False
    products.added(ctx.builder, A, B, ctx.builder.one(A.element), ctx.builder.zero(B.element))
    return True


# Element by element.


def elements(ctx: Context, found: Structured) -> None:
    """A `foreach` over the parallel iterations, with loops over the others."""
    parallel = [d for d, kind in enumerate(found.iterators) if kind == "parallel"]
    reduced = [d for d, kind in enumerate(found.iterators) if kind != "parallel"]
    stops = [ctx.value(found.sizes[d]) for d in reversed(parallel)]

    def body(at: list[Value]) -> None:
        places: dict[int, Value] = dict(zip(reversed(parallel), at))
        _reduced(ctx, found, places, reduced)

    if stops:
        ctx.foreach(stops, body)
    else:
        ctx.single(lambda: body([]))


def _reduced(ctx: Context, found: Structured, places: dict[int, Value], reduced: Sequence[int]) -> None:
    """The sums of an element of the output, which are carried from one iteration to the next."""
    count = len(found.inputs)
    if any(d in reduced for n in range(count, len(found.maps)) for d in _used(found, n)):
        # an output whose place depends on iterations that are no parallel ones
        _loops(ctx, found, dict(places), list(reduced), [], lambda at, _: _stored(ctx, found, at))
        return
    targets = [_indices(ctx, found, count + n, places) for n in range(len(found.outputs))]
    reads = [bool(reduced) or found.accumulates(n) for n in range(len(found.outputs))]
    first = [ctx.load(view, at) if read else None for view, at, read in zip(found.outputs, targets, reads)]
    if not reduced:
        results = _applied(ctx, found, places, first)
    else:
        inits = [value for value in first if value is not None]
        results = _loops(
            ctx, found, dict(places), list(reduced), inits, lambda at, carried: _applied(ctx, found, at, carried)
        )
    for value, view, at in zip(results, found.outputs, targets):
        _store(ctx, found, value, view, at)


def _stored(ctx: Context, found: Structured, places: dict[int, Value]) -> list[Value]:
    targets = [_indices(ctx, found, len(found.inputs) + n, places) for n in range(len(found.outputs))]
    first = [ctx.load(view, at) for view, at in zip(found.outputs, targets)]
    for value, view, at in zip(_applied(ctx, found, places, first), found.outputs, targets):
        _store(ctx, found, value, view, at)
    return []


def _store(ctx: Context, found: Structured, value: Value, view: View, at: Sequence[Value]) -> None:
    if value.type != view.element:
        ctx.fail(found.op, rules.OPERANDS, f"an element of the type {value.type} is stored to {view.type}")
    ctx.store(value, view, at)


def _used(found: Structured, number: int) -> set[int]:
    from ...mlir.affine.expressions import Dimension, parts

    return {p.position for e in found.maps[number].results for p in parts(e) if isinstance(p, Dimension)}


def _loops(
    ctx: Context, found: Structured, places: dict[int, Value], rest: list[int], inits: list[Value], body
) -> list[Value]:
    if not rest:
        result: list[Value] = body(places, inits)
        return result

    def inner(variable: Value, carried: list[Value]) -> Sequence[Value]:
        return _loops(ctx, found, {**places, rest[0]: variable}, rest[1:], carried, body)

    return ctx.loop((ctx.constant(0), ctx.value(found.sizes[rest[0]]), None), inits, inner)


def _indices(ctx: Context, found: Structured, number: int, places: dict[int, Value]) -> list[Value]:
    zero = ctx.constant(0)
    return affine_values.results(ctx, found.maps[number], [places.get(d, zero) for d in range(len(found.iterators))])


def _applied(ctx: Context, found: Structured, places: dict[int, Value], outputs: Sequence[Value | None]) -> list[Value]:
    """The function of elements in one iteration."""
    given: list[Value | None] = []
    for number, each in enumerate(found.inputs):
        given.append(ctx.load(each, _indices(ctx, found, number, places)) if isinstance(each, View) else each)
    with ctx.names.inner():
        for (name, _), value in zip(found.block.arguments, [*given, *outputs]):
            if value is not None:
                ctx.bind(name, value, found.op.place)
        ctx.iterations.append([each if isinstance(each, Value) else places[each] for each in found.numbers])
        last = ctx.operations(found.block.operations)
        results = ctx.yielded(found.op, last, len(found.outputs))
        ctx.iterations.pop()
    if not all(isinstance(value, Value) for value in results):
        ctx.fail(found.op, rules.STRUCTURE, "its region gives numbers")
    return [value for value in results if isinstance(value, Value)]


def _index(ctx: Context, op: Operation) -> Sequence[Result]:
    number = op.attributes.get("dim")
    if not ctx.iterations or not isinstance(number, int) or not 0 <= number < len(ctx.iterations[-1]):
        ctx.fail(op, rules.OPERANDS, f"there is no iteration {number}")
    return [ctx.iterations[-1][number]]


HANDLERS: dict[str, Handler] = {
    **dict.fromkeys((name for name in FORMS if name != "linalg.yield"), _structured),
    "linalg.index": _index,
}
