"""extract_strided_metadata and reinterpret_cast: views of memory by an offset, sizes and strides.

The language has views by indices, and no addresses. An offset is therefore kept as what it is made of: multiples of the
strides of the memory that it is in. These are the indices at which the view begins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from ...ir.types import index
from ...ir.values import Value
from ...mlir.text import Memref, Operation
from ...passes.analysis.linear import Linear, linear_of
from . import affine_values, rules
from .context import Context, reads
from .memory import result_memref
from .values import Address, Base, Located, Result, Size, Step, Stride, View
from .views import bounds, part


def located(ctx: Context, op: Operation, view: View) -> Located:
    """Where a view is."""
    origin = view.origin
    if isinstance(origin, Located):
        return origin
    if not view.is_plain:
        ctx.fail(op, rules.ADDRESS, "a view whose elements are not along strides has no address")
    if origin is None:
        count = len(view.sizes)
        return Located(view, (Linear(),) * count, tuple(steps_of(view)), tuple(range(count)))
    outer = located(ctx, op, origin.base)
    begin = list(outer.begin)
    for dimension, offset in zip(outer.dimensions, origin.offsets):
        begin[dimension] = begin[dimension].plus(form_of(offset))
    dimensions = tuple(outer.dimensions[d] for d in origin.dimensions)
    return Located(outer.root, tuple(begin), tuple(outer.steps[d] for d in origin.dimensions), dimensions)


def form_of(size: Size | Linear) -> Linear:
    if isinstance(size, Linear):
        return size
    return Linear(size) if isinstance(size, int) else linear_of(size, {})


def steps_of(root: View) -> list[int | Stride]:
    """The strides of a root's dimensions."""
    strides = root.memory.type.strides
    return [stride if isinstance(stride := strides[mode], int) else Stride(root.memory, mode) for mode in root.modes]


# Arithmetic.


def address_of(value: Result) -> Address | None:
    """A number as an address; None for what is no index."""
    if isinstance(value, Address):
        return value
    if isinstance(value, Stride):
        return Address({value: Linear(1)})
    if isinstance(value, Value) and value.type == index:
        return Address({None: linear_of(value, {})})
    return None


def computed(ctx: Context, op: Operation) -> Sequence[Result] | None:
    """A sum, difference or product of addresses; None where all operands are numbers."""
    operands = [ctx.operand(op, number) for number in range(len(op.operands))]
    if not any(isinstance(each, (Address, Stride)) for each in operands):
        return None
    a, b = (address_of(each) for each in operands)
    if a is None or b is None:
        ctx.fail(op, rules.ADDRESS, "a stride is no number here")
    if op.name == "arith.muli":
        for x, y in ((a, b), (b, a)):
            if list(x.terms) in ([None], []):
                return [_scaled(ctx, op, y, x.terms.get(None, Linear()))]
        ctx.fail(op, rules.ADDRESS, "two strides are multiplied")
    sign = -1 if op.name == "arith.subi" else 1
    total: dict[Stride | None, Linear] = dict(a.terms)
    for stride, factor in b.terms.items():
        total[stride] = total.get(stride, Linear()).plus(factor, sign)
    return [Address(total)]


def _scaled(ctx: Context, op: Operation, address: Address, by: Linear) -> Address:
    terms: dict[Stride | None, Linear] = {}
    for stride, factor in address.terms.items():
        if factor.is_constant:
            terms[stride] = by.times(factor.constant)
        elif by.is_constant:
            terms[stride] = factor.times(by.constant)
        else:
            value = ctx.builder.arith("mul", factor.write(ctx.builder), by.write(ctx.builder))
            terms[stride] = Linear.of(value)
    return Address(terms)


# Operations.


@reads("memref.extract_strided_metadata")
def _metadata(ctx: Context, op: Operation) -> Sequence[Result]:
    view = ctx.view(op, 0)
    where = located(ctx, op, view)
    total: dict[Stride | None, Linear] = {None: Linear()}
    for begin, step in zip(where.begin, steps_of(where.root)):
        if isinstance(step, int):
            total[None] = total[None].plus(begin.times(step))
        elif begin != Linear():
            total[step] = total.get(step, Linear()).plus(begin)
    offset: Result = Address(total)
    if list(total) == [None]:
        offset = total[None].write(ctx.builder)
    sizes = [ctx.value(size) for size in view.sizes]
    strides = [step if isinstance(step, Stride) else form_of(step).write(ctx.builder) for step in where.steps]
    return [Base(view), offset, *sizes, *strides]


@reads("memref.reinterpret_cast")
def _reinterpreted(ctx: Context, op: Operation) -> Sequence[Result]:
    operand = ctx.operand(op, 0)
    source = operand.view if isinstance(operand, Base) else ctx.view(op, 0)
    type_ = result_memref(ctx, op)
    groups = ctx.segments(op, ("source", "offsets", "sizes", "strides"))
    sizes = bounds(ctx, op, "sizes", groups["sizes"])
    offset = _addresses(ctx, op, "offsets", groups["offsets"])
    strides = _addresses(ctx, op, "strides", groups["strides"])
    if len(offset) != 1 or not len(sizes) == len(strides) == len(type_.shape):
        ctx.fail(op, rules.OPERANDS, f"it has one offset, and a size and a stride for each dimension of {type_}")
    root = located(ctx, op, source).root
    begin = _decomposed(ctx, op, root, offset[0])
    steps = [_step(ctx, op, each) for each in strides]
    return [_plain(ctx, op, root, begin, sizes, steps, type_) or _folded(ctx, op, root, begin, sizes, steps, type_)]


def _addresses(ctx: Context, op: Operation, name: str, operands: range) -> list[Address]:
    addresses: list[Address] = []
    for number, operand in ctx.listed(op, name, operands):
        address = Address({None: Linear(number)}) if operand is None else address_of(ctx.operand(op, operand))
        if address is None:
            ctx.fail(op, rules.OPERANDS, f"{name} are indices")
        addresses.append(address)
    return addresses


def _step(ctx: Context, op: Operation, address: Address) -> Step:
    """A stride: a number, or that of memory."""
    terms: Mapping[Stride | None, Linear] = {s: f for s, f in address.terms.items() if f != Linear()}
    if len(terms) == 1:
        ((stride, factor),) = terms.items()
        if stride is None:
            return factor.constant if factor.is_constant else factor
        if stride is not None and factor == Linear(1):
            return stride
    return 0 if not terms else ctx.fail(op, rules.ADDRESS, "a stride is a number, or one of the memory's strides")


def _decomposed(ctx: Context, op: Operation, root: View, address: Address) -> list[Linear]:
    """The indices of a root at an address."""
    steps = steps_of(root)
    indices = [Linear()] * len(steps)
    known = sorted((d for d, step in enumerate(steps) if isinstance(step, int)), key=lambda d: (-int(str(steps[d])), d))
    for stride, factor in address.terms.items():
        if stride is None:
            rest = _by_strides(factor, [(d, steps[d]) for d in known], indices)  # type: ignore[misc]
            if rest:
                ctx.fail(op, rules.ADDRESS, "the offset is no multiple of the strides of the memory")
        elif stride in steps:
            indices[steps.index(stride)] = indices[steps.index(stride)].plus(factor)
        elif factor != Linear():
            ctx.fail(op, rules.ADDRESS, "the offset has the stride of another memory in it")
    return indices


def _by_strides(form: Linear, known: Sequence[tuple[int, int]], indices: list[Linear]) -> bool:
    """Deal a number out to dimensions of known strides, the largest first; whether something is left."""
    for value, factor in form.terms:
        divisor = next(((d, step) for d, step in known if step and factor % step == 0), None)
        if divisor is None:
            return True
        d, step = divisor
        indices[d] = indices[d].plus(Linear.of(value), factor // step)
    rest = form.constant
    for d, step in known:
        if step and rest >= step:
            indices[d] = indices[d].plus(Linear(rest // step))
            rest %= step
    return rest != 0


def _plain(
    ctx: Context, op: Operation, root: View, begin: list[Linear], sizes: list[Size], steps: list[Step], type_: Memref
) -> View | None:
    """A rectangle of the root, where each dimension of the view is one of the root's."""
    own = steps_of(root)
    kept: list[int] = []
    for size, step in zip(sizes, steps):
        left = [d for d in range(max(kept, default=-1) + 1, len(own)) if own[d] == step]
        fits = [d for d in left if not _exceeds(size, root.sizes[d])]
        if not fits:
            return None
        kept.append(fits[0])
    is_open = any(isinstance(size, Value) and not _is_within(size, root.sizes[d]) for size, d in zip(sizes, kept))
    if is_open and any(begin[d] == Linear() for d in range(len(own)) if d not in kept):
        return None  # dimensions may have been joined
    offsets: list[Size] = [form.constant if form.is_constant else form.write(ctx.builder) for form in begin]
    whole: list[Size] = [1] * len(own)
    for size, d in zip(sizes, kept):
        whole[d] = size
    if any(_leaves(*each) for each in zip(offsets, whole, root.sizes)):
        return None
    return part(ctx, op, root, offsets, whole, kept, type_)


def _exceeds(size: Size, whole: Size) -> bool:
    """Whether a size is known to be larger than another one."""
    return isinstance(size, int) and isinstance(whole, int) and size > whole


def _leaves(offset: Size, size: Size, whole: Size) -> bool:
    """Whether a slice is known not to lie in its dimension."""
    if not isinstance(offset, int):
        return False
    return offset < 0 or (isinstance(size, int) and _exceeds(offset + size, whole))


def _is_within(size: Value, whole: Size) -> bool:
    return isinstance(whole, Value) and size is whole


def _folded(
    ctx: Context, op: Operation, root: View, begin: list[Linear], sizes: list[Size], steps: list[Step], type_: Memref
) -> View:
    """Any other view: an element's indices follow from what its strides are multiples of; what lies beyond the end of a
    dimension is in the next one."""
    own = steps_of(root)
    order = sorted(range(len(own)), key=lambda d: -root.modes[d])
    weights: list[tuple[int, Value]] = []
    for size, step in zip(sizes, steps):
        if size == 1:
            weights.append((order[-1] if order else 0, ctx.constant(0)))
            continue
        dimension = next((d for d in order if own[d] == step or _divides(own[d], step)), None)
        if dimension is None:
            ctx.fail(op, rules.ADDRESS, "a stride is no multiple of a stride of the memory")
        weights.append((dimension, _weight(ctx, own[dimension], step)))
    firsts = [form.write(ctx.builder) for form in begin]

    def locate(inner: Context, indices: Sequence[Value]) -> list[Value]:
        root_indices = list(firsts)
        for each, (dimension, weight) in zip(indices, weights):
            term = affine_values.arith(inner, "*", each, weight)
            root_indices[dimension] = affine_values.arith(inner, "+", root_indices[dimension], term)
        for outer, d in reversed([*pairwise(order)]):
            size = inner.value(root.sizes[d])
            inner.positive.update((root_indices[d], size))
            carry = affine_values.arith(inner, "floordiv", root_indices[d], size)
            root_indices[d] = affine_values.arith(inner, "mod", root_indices[d], size)
            root_indices[outer] = affine_values.arith(inner, "+", root_indices[outer], carry)
        return root_indices

    return View(type_, root.memory, (), tuple(sizes), locate, root, Located(root, tuple(begin), tuple(steps)))


def _divides(own: Step, step: Step) -> bool:
    """Whether a stride is a multiple of one of the memory's, which are in the order of their size."""
    if not isinstance(own, int) or own <= 0 or isinstance(step, Stride):
        return False
    if isinstance(step, int) and step < 0:
        return False
    numbers = [step] if isinstance(step, int) else [step.constant, *(factor for _, factor in step.terms)]
    return all(number % own == 0 for number in numbers)


def _weight(ctx: Context, own: Step, step: Step) -> Value:
    """How many steps of the memory a step of the view is."""
    if own == step or not isinstance(own, int) or isinstance(step, Stride):
        return ctx.constant(1)
    if isinstance(step, int):
        return ctx.constant(step // own)
    quotient = Linear(step.constant // own, tuple((value, factor // own) for value, factor in step.terms))
    return quotient.write(ctx.builder)
