"""linalg: products and sums as the language's instructions for them, all else as loops over elements."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.types import DYNAMIC
from ...ir.values import Value
from ...mlir.text import Operation
from ...ops import Slice, Subview, products
from ...ops.constants import constant_of
from . import affine_values, rules
from .context import Context, reads
from .parts import Parts, tiled
from .structured import Structured, structured
from .table import having, of_dialects
from .values import Result, View
from .windows import windows_of


@reads(*(name for name in of_dialects("linalg") if name not in having("several", "body")))
def _structured(ctx: Context, op: Operation) -> None:
    write(ctx, structured(ctx, op))


def write(ctx: Context, linalg_op: Structured) -> None:
    """Write an operation."""
    before = ctx.builder.location
    ctx.builder.location = linalg_op.op.location or before
    is_written = not ctx.is_spmd and (
        _product(ctx, linalg_op, False)
        or _windows(ctx, linalg_op)
        or _sum(ctx, linalg_op, False)
        or _copy(ctx, linalg_op)
    )
    if not is_written:
        elements(ctx, linalg_op)
    ctx.builder.location = before


def write_filled(ctx: Context, fill: Structured, linalg_op: Structured) -> bool:
    """Write a product or sum to memory that was filled with zero just before, without filling it."""
    value, target = fill.inputs[0] if len(fill.inputs) == 1 else None, fill.outputs[0]
    is_zero = isinstance(value, Value) and constant_of(value) == 0
    if ctx.is_spmd or not is_zero or not _is_copy(fill) or linalg_op.outputs != [target] or target in linalg_op.inputs:
        return False
    return _product(ctx, linalg_op, True) or _sum(ctx, linalg_op, True)


def write_sequence(ctx: Context, sequence: Sequence[Structured]) -> None:
    """Write operations one behind the other."""
    rest = list(sequence)
    while rest:
        if len(rest) > 1 and write_filled(ctx, rest[0], rest[1]):
            rest = rest[2:]
        else:
            write(ctx, rest.pop(0))


# Recognition.


def _steps(linalg_op: Structured) -> list[Operation]:
    return [op for op in linalg_op.block.operations if op.name not in ("arith.extf", "arith.extsi", "linalg.yield")]


def _widened(linalg_op: Structured, name: str) -> str:
    """What a value was before it was cast to a wider type."""
    for op in linalg_op.block.operations:
        if op.name in ("arith.extf", "arith.extsi") and op.results == [name] and op.operands:
            return op.operands[0]
    return name


def _yields(linalg_op: Structured, name: str) -> bool:
    last = linalg_op.block.operations[-1] if linalg_op.block.operations else None
    return last is not None and last.name == "linalg.yield" and last.operands == [name]


def is_product(linalg_op: Structured) -> bool:
    """Whether elements are summed up to `out + a b`."""
    steps = _steps(linalg_op)
    if len(linalg_op.inputs) != 2 or len(linalg_op.outputs) != 1 or len(steps) != 2:
        return False
    product, total = steps
    names = [name for name, _ in linalg_op.block.arguments]
    return (
        (product.name, total.name) in (("arith.mulf", "arith.addf"), ("arith.muli", "arith.addi"))
        and sorted(_widened(linalg_op, name) for name in product.operands) == sorted(names[:2])
        and sorted(total.operands) == sorted([names[2], *product.results])
        and total.results != [] and _yields(linalg_op, total.results[0])
    )  # fmt: skip


def _is_sum(linalg_op: Structured) -> bool:
    steps = _steps(linalg_op)
    if (
        len(linalg_op.inputs) != 1
        or len(linalg_op.outputs) != 1
        or len(steps) != 1
        or "reduction" not in linalg_op.iterators
    ):
        return False
    names = [name for name, _ in linalg_op.block.arguments]
    operands = sorted(_widened(linalg_op, name) for name in steps[0].operands)
    return (
        steps[0].name in ("arith.addf", "arith.addi")
        and operands == sorted(names)
        and _yields(linalg_op, steps[0].results[0])
    )


def _is_copy(linalg_op: Structured) -> bool:
    names = [name for name, _ in linalg_op.block.arguments]
    return (
        len(linalg_op.inputs) == 1
        and len(linalg_op.outputs) == 1
        and not _steps(linalg_op)
        and _yields(linalg_op, names[0])
    )


def _letters(linalg_op: Structured) -> list[str] | None:
    """The index of each mode of each operand; None where the operands are no plain memrefs with an index a mode."""
    letters: list[str] = []
    for number, view in enumerate(linalg_op.operands):
        dimensions = linalg_op.dimensions(number)
        if (
            not isinstance(view, View)
            or not view.is_plain
            or dimensions is None
            or len(linalg_op.iterators) > len(products.LETTERS)
        ):
            return None
        if len(set(dimensions)) != len(dimensions):
            return None
        of_modes = sorted(range(len(dimensions)), key=lambda d: view.modes[d])
        letters.append("".join(products.LETTERS[dimensions[d]] for d in of_modes))
    return letters


def _memory(ctx: Context, linalg_op: Structured, letters: Sequence[str]) -> list[Value] | None:
    """The memory of the operands, with static sizes in all modes of an index where one of them is static."""
    memories: list[Value] = []
    for number, view in enumerate(linalg_op.operands):
        assert isinstance(view, View)
        type_ = view.memory.type
        sizes = [linalg_op.sizes[products.LETTERS.index(letter)] for letter in letters[number]]
        slices = [Slice(0, size) for size in sizes]
        if any(isinstance(size, int) and extent is DYNAMIC for size, extent in zip(sizes, type_.shape)):
            memories.append(
                ctx.builder.add(Subview(linalg_op.op.location, None, tensor=view.memory, slices=slices)).results[0]
            )
        elif any(isinstance(extent, int) and extent != size for size, extent in zip(sizes, type_.shape)):
            return None
        else:
            memories.append(view.memory)
    return memories


# Instructions.


def _indexed(ctx: Context, linalg_op: Structured) -> list[products.Indexed] | None:
    """The operands with the indices of their modes; None where there is no instruction for them."""
    letters = _letters(linalg_op)
    memories = None if letters is None else _memory(ctx, linalg_op, letters)
    if letters is None or memories is None:
        return None
    return [products.Indexed(memory, indices) for memory, indices in zip(memories, letters)]


def _product(ctx: Context, linalg_op: Structured, is_new: bool) -> bool:
    indexed = _indexed(ctx, linalg_op) if is_product(linalg_op) else None
    if indexed is None:
        return False
    A, B, C = indexed
    if not C.indices:
        # one number: a loop whose order is open, which passes divide
        return False
    factors = products.fits(C.element, A.element, B.element)
    if factors is None or not products.is_product(A.indices, B.indices, C.indices):
        return False
    products.product(ctx.builder, A, B, C, ctx.builder.one(factors), _beta(ctx, C, is_new))
    return True


def _windows(ctx: Context, linalg_op: Structured) -> bool:
    """A convolution: for each element of the kernel's window, a product with the input from there on."""
    windows = windows_of(linalg_op) if is_product(linalg_op) else None
    if windows is None:
        return False
    A, B, C = (
        products.Indexed(
            view.memory, "".join(products.LETTERS[d] for _, d in sorted(zip(view.modes, kept)) if d is not None)
        )
        for view, kept in zip((view for view in linalg_op.operands if isinstance(view, View)), windows.kept)
    )
    if (
        not products.is_product(A.indices, B.indices, C.indices)
        or products.fits(C.element, A.element, B.element) is None
    ):
        return False

    def body(at: dict[int, Value], _: list[Value]) -> list[Value]:
        write(ctx, tiled(linalg_op, [(d, at[d], 1, 1) for d in windows.moving], Parts(ctx, set())))
        return []

    _loops(ctx, linalg_op, {}, list(windows.moving), [], body)
    return True


def _beta(ctx: Context, target: products.Indexed, is_new: bool) -> Value:
    return ctx.builder.zero(target.element) if is_new else ctx.builder.one(target.element)


def _sum(ctx: Context, linalg_op: Structured, is_new: bool) -> bool:
    indexed = _indexed(ctx, linalg_op) if _is_sum(linalg_op) else None
    if indexed is None:
        return False
    A, B = indexed
    if products.fits(B.element, A.element) is None or set(B.indices) - set(A.indices):
        return False
    products.summed(ctx.builder, A, B, ctx.builder.one(A.element), _beta(ctx, B, is_new))
    return True


def _copy(ctx: Context, linalg_op: Structured) -> bool:
    indexed = _indexed(ctx, linalg_op) if _is_copy(linalg_op) else None
    if indexed is None:
        return False
    A, B = indexed
    if not A.indices or sorted(A.indices) != sorted(B.indices) or A.element != B.element:
        return False
    products.added(ctx.builder, A, B, ctx.builder.one(A.element), ctx.builder.zero(B.element))
    return True


# Element by element.


def elements(ctx: Context, linalg_op: Structured) -> None:
    """A `foreach` over the parallel iterations, with loops over the others."""
    parallel = [d for d, kind in enumerate(linalg_op.iterators) if kind == "parallel"]
    reduced = [d for d, kind in enumerate(linalg_op.iterators) if kind != "parallel"]
    stops = [ctx.value(linalg_op.sizes[d]) for d in reversed(parallel)]

    def body(at: list[Value]) -> None:
        indices: dict[int, Value] = dict(zip(reversed(parallel), at))
        _reduced(ctx, linalg_op, indices, reduced)

    if stops:
        ctx.foreach(stops, body)
    else:
        ctx.single(lambda: body([]))


def _reduced(ctx: Context, linalg_op: Structured, indices: dict[int, Value], reduced: Sequence[int]) -> None:
    """The sums of an element of the output, which are carried from one iteration to the next."""
    count = len(linalg_op.inputs)
    if any(d in reduced for n in range(count, len(linalg_op.maps)) for d in _used(linalg_op, n)):
        # an output whose place depends on iterations that are no parallel ones
        _loops(ctx, linalg_op, dict(indices), list(reduced), [], lambda at, _: _stored(ctx, linalg_op, at))
        return
    targets = [_indices(ctx, linalg_op, count + n, indices) for n in range(len(linalg_op.outputs))]
    reads = [bool(reduced) or linalg_op.accumulates(n) for n in range(len(linalg_op.outputs))]
    first = [ctx.load(view, at) if read else None for view, at, read in zip(linalg_op.outputs, targets, reads)]
    if not reduced:
        results = _applied(ctx, linalg_op, indices, first)
    else:
        inits = [value for value in first if value is not None]
        results = _loops(
            ctx,
            linalg_op,
            dict(indices),
            list(reduced),
            inits,
            lambda at, carried: _applied(ctx, linalg_op, at, carried),
        )
    for value, view, at in zip(results, linalg_op.outputs, targets):
        _store(ctx, linalg_op, value, view, at)


def _stored(ctx: Context, linalg_op: Structured, indices: dict[int, Value]) -> list[Value]:
    targets = [_indices(ctx, linalg_op, len(linalg_op.inputs) + n, indices) for n in range(len(linalg_op.outputs))]
    first = [ctx.load(view, at) for view, at in zip(linalg_op.outputs, targets)]
    for value, view, at in zip(_applied(ctx, linalg_op, indices, first), linalg_op.outputs, targets):
        _store(ctx, linalg_op, value, view, at)
    return []


def _store(ctx: Context, linalg_op: Structured, value: Value, view: View, at: Sequence[Value]) -> None:
    if value.type != view.element:
        ctx.fail(linalg_op.op, rules.OPERANDS, f"an element of the type {value.type} is stored to {view.type}")
    ctx.store(value, view, at)


def _used(linalg_op: Structured, number: int) -> set[int]:
    from ...mlir.affine.expressions import Dimension, parts

    return {p.position for e in linalg_op.maps[number].results for p in parts(e) if isinstance(p, Dimension)}


def _loops(
    ctx: Context, linalg_op: Structured, indices: dict[int, Value], rest: list[int], inits: list[Value], body
) -> list[Value]:
    def inside(at: list[Value], carried: list[Value]) -> list[Value]:
        found: list[Value] = body({**indices, **dict(zip(rest, at))}, carried)
        return found

    bounds = [(ctx.constant(0), ctx.value(linalg_op.sizes[d]), None) for d in rest]
    return ctx.loops(bounds, inits, inside, is_in_order=False)


def _indices(ctx: Context, linalg_op: Structured, number: int, indices: dict[int, Value]) -> list[Value]:
    zero = ctx.constant(0)
    return affine_values.results(
        ctx, linalg_op.maps[number], [indices.get(d, zero) for d in range(len(linalg_op.iterators))]
    )


def _applied(
    ctx: Context, linalg_op: Structured, indices: dict[int, Value], outputs: Sequence[Value | None]
) -> list[Value]:
    """The function of elements in one iteration."""
    used = {name for op in linalg_op.block.operations for inner in op.walk() for name in inner.operands}
    inputs: list[Value | None] = []
    for number, each in enumerate(linalg_op.inputs):
        if isinstance(each, Value):
            inputs.append(each)
        else:
            # the shape of a window is all that is read of it
            is_used = linalg_op.block.arguments[number][0] in used
            inputs.append(ctx.load(each, _indices(ctx, linalg_op, number, indices)) if is_used else None)
    with ctx.names.inner():
        for (name, _), value in zip(linalg_op.block.arguments, [*inputs, *outputs]):
            if value is not None:
                ctx.bind(name, value, linalg_op.op.location)
        ctx.iterations.append(linalg_op.places(ctx, indices))
        last = ctx.operations(linalg_op.block.operations)
        results = ctx.yielded(linalg_op.op, last, len(linalg_op.outputs))
        ctx.iterations.pop()
    if not all(isinstance(value, Value) for value in results):
        ctx.fail(linalg_op.op, rules.STRUCTURE, "its region gives numbers")
    return [value for value in results if isinstance(value, Value)]


@reads("linalg.index")
def _index(ctx: Context, op: Operation) -> Sequence[Result]:
    number = op.attributes.get("dim")
    if not ctx.iterations or not isinstance(number, int) or not 0 <= number < len(ctx.iterations[-1]):
        ctx.fail(op, rules.OPERANDS, f"there is no iteration {number}")
    return [ctx.iterations[-1][number]]
