"""Vector code as LLVM: one function for each instruction, which decides nothing.

A vector is an LLVM vector of its elements in register form (f16 and bf16 as floats), and one of complex numbers the
struct of two such vectors. A vector of one lane is a scalar, because SPIR-V has no vectors of one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from llvmlite import ir

from ....ir.meanings import Meanings
from ....ir.operation import Operation
from ....ir.types import BoolType, VectorType, f32, i32, index
from ....ir.values import Region, Value
from ....ops import (
    ArithBinary,
    ArithUnary,
    Cast,
    Compare,
    Constant,
    Expand,
    For,
    Fuse,
    If,
    Load,
    Math,
    MathSince04,
    Size,
    Store,
    SubgroupAdd,
    SubgroupBroadcast,
    SubgroupBuiltin,
    SubgroupMax,
    SubgroupMin,
    SubgroupOperation,
    Subview,
    Yield,
)
from ....ops.constants import constant_of
from ....ops.control import terminator
from ....ops.views import Bound
from ....passes.analysis.early_end import continue_condition
from ....passes.targets import vector, vector_tiles
from ..device import integers, pointers, subgroups, workitems
from ..device.elements import ELEMENTS, I32, I64, decode, encode
from ..device.signatures import choose, intrinsic
from ..element_names import device_name
from . import access, lanes, numbers, tiles, views
from .access import Index
from .context import Context, Number, Tensor, number

Parts = tuple[ir.Value, ...]
I1 = ir.IntType(1)


def code(context: Context, op: vector.Code | vector.WorkItems) -> None:
    """Write vector code."""
    _region(context, op.body)


def _region(context: Context, region: Region) -> None:
    for op in region.operations:
        _EMIT[type(op)](context, op)


def _nothing(context: Context, op: Operation) -> None:
    """Writes nothing: what is around it takes its values."""


def _bound(context: Context, bound: Bound) -> Number:
    """A size, or a number as an index: a constant where it is one."""
    if isinstance(bound, int):
        return bound
    known = constant_of(bound)
    if known is not None:
        return int(known)
    return numbers.cast(context.builder, context.values[bound], bound.type, index)


def _indices(context: Context, op: Any) -> tuple[Number, ...]:
    return tuple(_bound(context, value) for value in op.indices)


# What is the same for all lanes.


def _constant(context: Context, op: Constant) -> None:
    context.values[op.result] = numbers.literal(op.literal, op.result.type)


def _load_number(context: Context, op: Load) -> None:
    tensor: Tensor = context.values[op.tensor]
    element = ELEMENTS[device_name(tensor.element)]
    address = context.address(tensor, _indices(context, op))
    context.values[op.result] = pointers.load(context.builder, element, address)


def _store_number(context: Context, op: Store) -> None:
    tensor: Tensor = context.values[op.tensor]
    element = ELEMENTS[device_name(tensor.element)]
    address = context.address(tensor, _indices(context, op))
    pointers.store(context.builder, element, address, context.values[op.data])


def _size(context: Context, op: Size) -> None:
    context.values[op.result] = number(context.values[op.tensor].shape[op.mode])


def _subview(context: Context, op: Subview) -> None:
    context.values[op.result] = views.subview(context, op, lambda bound: _bound(context, bound))


def _expand(context: Context, op: Expand) -> None:
    context.values[op.result] = views.expand(context, op, lambda bound: _bound(context, bound))


def _fuse(context: Context, op: Fuse) -> None:
    context.values[op.result] = views.fuse(context, op, lambda bound: _bound(context, bound))


def _for(context: Context, op: For) -> None:
    def body(i: Number, flat: list[ir.Value]) -> list[ir.Value]:
        # the loop counts in i64, whatever integers the text counts in
        context.values[op.variable] = numbers.cast(context.builder, number(i), index, op.variable.type)
        _assign(context, op.carried, first, flat)
        _region(context, op.body)
        tiles.check_carried(context, op)
        return _flat(_parts(context, op.yielded))

    first = _parts(context, op.inits)
    tiles.carry(context, op.carried, op.inits)
    tiles.carry(context, op.results, op.inits)
    start, stop = _bound(context, op.start), _bound(context, op.stop)
    step = 1 if op.step is None else int(constant_of(op.step))
    may_unroll = op.attributes.get("unroll") is not False
    flag = continue_condition(op)
    goes_on = None if flag is None else len(_flat(first[: op.carried.index(flag)]))
    _assign(context, op.results, first, context.loop(start, stop, step, _flat(first), body, may_unroll, goes_on))


def _if(context: Context, op: If) -> None:
    builder, condition = context.builder, context.values[op.condition]
    if not op.results and op.else_body is None:
        with builder.if_then(condition):
            _region(context, op.then_body)
        return
    ends: list[tuple[list[Parts], ir.Block]] = []
    with builder.if_else(condition) as branches:
        for branch, region in zip(branches, (op.then_body, op.else_body)):
            with branch:
                if region is not None:
                    _region(context, region)
                last = None if region is None else terminator(region)
                ends.append((_parts(context, last.yielded if last else []), builder.block))
    joined: list[ir.Value] = []
    for values in zip(*(_flat(yielded) for yielded, _ in ends)):
        phi = builder.phi(values[0].type)
        for value, (_, block) in zip(values, ends):
            phi.add_incoming(value, block)
        joined.append(phi)
    _assign(context, op.results, ends[0][0], joined)


def _parts(context: Context, values: Sequence[Value]) -> list[Parts]:
    return [() if tiles.is_tile(v) else numbers.parts_of(context.builder, context.values[v]) for v in values]


def _flat(values: Sequence[Parts]) -> list[ir.Value]:
    return [part for parts in values for part in parts]


def _assign(context: Context, targets: Sequence[Value], like: Sequence[Parts], flat: Sequence[ir.Value]) -> None:
    """Set values to parts in a row, which are grouped as those of other values."""
    rest = iter(flat)
    for target, parts in zip(targets, like):
        if parts:
            context.values[target] = numbers.of_parts(context.builder, tuple(next(rest) for _ in parts))


# Work-items.


def _place(context: Context, op: SubgroupBuiltin) -> None:
    context.values[op.result] = subgroups.PLACES[op.variant](context.builder)


def _broadcast(context: Context, op: SubgroupBroadcast) -> None:
    value, lane = context.values[op.a], context.values[op.local_id]
    context.values[op.result] = subgroups.broadcast(context.builder, value, lane)


def _exchange(context: Context, op: vector.Exchange) -> None:
    context.values[op.result] = subgroups.exchanged(context.builder, context.values[op.a], op.bits)


def _matrix_fma(context: Context, op: vector.MatrixFma) -> None:
    element = ELEMENTS[device_name(op.left[0].type)]
    numbers_of = [[context.values[value] for value in values] for values in (op.left, op.right)]
    left, right = ([encode(context.builder, element, value) for value in values] for values in numbers_of)
    totals = subgroups.matrix_product(context.builder, element, left, right, [context.values[v] for v in op.sums])
    context.values.update(zip(op.totals, totals))


def _together(context: Context, op: SubgroupOperation) -> None:
    value, size = context.values[op.a], context.subgroup_size
    context.values[op.result] = subgroups.together(context.builder, op.mnemonic, op.variant, value, size)


# Arithmetic, on numbers and on vectors.


def _element(value: Value) -> Any:
    return value.type.element if isinstance(value.type, VectorType) else value.type


def _binary(context: Context, op: Any) -> None:
    a, b = context.values[op.a], context.values[op.b]
    divisor = _divisor(op)
    if divisor is not None:
        divide = integers.quotient_by if op.variant == "div" else integers.remainder_by
        context.values[op.result] = divide(context.builder, a, divisor)
    else:
        context.values[op.result] = numbers.binary(context.builder, op.variant, a, b, _element(op.a))


def _divisor(op: Any) -> int | None:
    """What the lanes of a vector are divided by, where that is a constant and the driver has a slow division."""
    made = op.b.owner
    if op.variant not in ("div", "rem") or _element(op.a) != i32 or not isinstance(made, vector.Splat):
        return None
    return constant_of(made.scalar) or None


def _unary(context: Context, op: Any) -> None:
    context.values[op.result] = numbers.unary(context.builder, op.variant, context.values[op.a])


def _math(context: Context, op: Any) -> None:
    context.values[op.result] = numbers.math(context.builder, op.variant, context.values[op.a], _element(op.a))


def _compare(context: Context, op: Any) -> None:
    a, b = context.values[op.a], context.values[op.b]
    context.values[op.result] = numbers.compare(context.builder, op.variant, a, b, _element(op.a))


def _cast(context: Context, op: Any) -> None:
    source, target = _element(op.operand), _element(op.result)
    context.values[op.result] = numbers.cast(context.builder, context.values[op.operand], source, target)


def _fma(context: Context, op: vector.Fma) -> None:
    a, b, c = (context.values[value] for value in (op.a, op.b, op.c))
    context.values[op.result] = numbers.multiply_add(context.builder, a, b, c, _element(op.a))


def _fma_lane(context: Context, op: vector.FmaLane) -> None:
    a, b, c = (context.values[value] for value in (op.a, op.b, op.c))
    chosen = numbers.shuffled(context.builder, b, b, op.chosen())
    context.values[op.result] = numbers.multiply_add(context.builder, a, chosen, c, _element(op.a))


def _scale_by_power(context: Context, op: vector.ScaleByPower) -> None:
    a, exponent = context.values[op.a], context.values[op.exponent]
    text = f"vscalefp{'s' if op.a.type.element == f32 else 'd'} $2, $1, $0"
    signature = ir.FunctionType(a.type, [a.type, a.type])
    context.values[op.result] = context.builder.asm(signature, text, "=v,v,v", [a, exponent], False)


def _dot(context: Context, op: vector.Dot) -> None:
    a, b, c = (context.values[value] for value in (op.a, op.b, op.c))
    signature = ir.FunctionType(c.type, [c.type, a.type, b.type])
    text = f"{_dot_name(op)} $3, $2, $0"
    context.values[op.result] = context.builder.asm(signature, text, "=v,0,v,v", [c, a, b], False)


def _dot_loaded(context: Context, op: vector.DotLoaded) -> None:
    a, c = (context.values[value] for value in (op.a, op.c))
    place = context.builder.ptrtoint(context.address(context.values[op.tensor], _indices(context, op)), I64)
    signature = ir.FunctionType(c.type, [c.type, a.type, place.type])
    text = f"{_dot_name(op)} ($3){{1to{op.c.type.lanes}}}, $2, $0"
    # what was stored before has to be in memory
    context.values[op.result] = context.builder.asm(signature, text, "=v,0,v,r,~{memory}", [c, a, place], False)


def _dot_name(op: vector.Dot | vector.DotLoaded) -> str:
    return "vpdpwssd" if op.c.type.element == i32 else "vdpbf16ps"


def _select(context: Context, op: vector.Select) -> None:
    values = [context.values[value] for value in (op.condition, op.a, op.b)]
    context.values[op.result] = choose(context.builder, *values)


# Vectors.


def _splat(context: Context, op: vector.Splat) -> None:
    context.values[op.result] = numbers.spread(context.builder, context.values[op.scalar], op.result.type.lanes)


def _step(context: Context, op: vector.Step) -> None:
    first, count = context.values[op.first], op.result.type.lanes
    spread = lanes.splat(context.builder, first, count)
    context.values[op.result] = context.builder.add(spread, _steps(first.type, count))


def _steps(type_: ir.Type, count: int) -> ir.Constant:
    return ir.Constant(ir.VectorType(type_, count), list(range(count))) if count > 1 else type_(0)


def _hidden_zero(context: Context, op: vector.HiddenZero) -> None:
    context.values[op.result] = workitems.zero(context.builder)


def _mask(context: Context, op: vector.Mask) -> None:
    count = op.result.type.lanes
    known = constant_of(op.count)
    if known is not None:
        bits = [int(lane < known) for lane in range(count)]
        whole = ir.Constant(ir.VectorType(I1, count), bits)
        context.values[op.result] = whole if count > 1 else I1(bits[0])
        return
    bound = lanes.splat(context.builder, context.values[op.count], count)
    context.values[op.result] = context.builder.icmp_signed("<", _steps(I64, count), bound)


def _from_elements(context: Context, op: vector.FromElements) -> None:
    values = [context.values[value] for value in op.elements]
    context.values[op.result] = values[0] if len(values) == 1 else numbers.of_lanes(context.builder, values)


def _extract(context: Context, op: vector.Extract) -> None:
    context.values[op.result] = numbers.lane_of(context.builder, context.values[op.vector], op.lane)


def _shuffle(context: Context, op: vector.Shuffle) -> None:
    builder, chosen = context.builder, op.attributes[vector.LANES]
    a, b = context.values[op.a], context.values[op.b]
    count = op.a.type.lanes
    if len(chosen) == 1 or count == 1:
        elements = [numbers.lane_of(builder, a if lane < count else b, lane % count) for lane in chosen]
        context.values[op.result] = elements[0] if len(chosen) == 1 else numbers.of_lanes(builder, elements)
    else:
        context.values[op.result] = numbers.shuffled(builder, a, b, chosen)


def _transpose(context: Context, op: vector.Transpose) -> None:
    vectors = [context.values[value] for value in op.vectors]
    columns = vector.transposed(vectors, partial(numbers.shuffled, context.builder), op.element_bytes)
    context.values.update(zip(op.results, columns))


def _parts_of_complex(context: Context, op: vector.Parts) -> None:
    value = context.values[op.operand]
    is_complex = isinstance(value.type, ir.LiteralStructType)
    context.values[op.result] = (_interleaved if is_complex else _complex)(context.builder, value)


def _interleaved(builder: ir.IRBuilder, value: ir.Value) -> ir.Value:
    """The parts of complex numbers, side by side."""
    return lanes.interleave(builder, *numbers.parts_of(builder, value))


def _complex(builder: ir.IRBuilder, value: ir.Value) -> ir.Value:
    """Complex numbers, whose parts lie side by side."""
    if value.type.count == 2:
        return numbers.of_parts(builder, (numbers.lane_of(builder, value, 0), numbers.lane_of(builder, value, 1)))
    return numbers.of_parts(builder, lanes.deinterleave(builder, value))


def _bits(context: Context, op: vector.Bits) -> None:
    of, into = (ELEMENTS[device_name(type_.element)] for type_ in (op.vector.type, op.result.type))
    stored = encode(context.builder, of, context.values[op.vector])
    count = op.result.type.lanes
    as_stored = context.builder.bitcast(stored, ir.VectorType(into.storage, count) if count > 1 else into.storage)
    context.values[op.result] = decode(context.builder, into, as_stored)


def _reduce(context: Context, op: vector.Reduce) -> None:
    builder, total, element = context.builder, context.values[op.vector], op.vector.type.element
    count = op.vector.type.lanes
    if op.variant == "or" and isinstance(element, BoolType) and count > 1:
        context.values[op.result] = lanes.is_any(builder, total)
        return
    while count > 1 and count % 2 == 0:
        count //= 2
        if count == 1:
            low, high = (numbers.lane_of(builder, total, lane) for lane in (0, 1))
        else:
            halves = list(range(count)), list(range(count, 2 * count))
            low, high = (numbers.shuffled(builder, total, total, half) for half in halves)
        total = numbers.binary(builder, op.variant, low, high, element)
    if count > 1:
        total, *others = (numbers.lane_of(builder, total, lane) for lane in range(count))
        for other in others:
            total = numbers.binary(builder, op.variant, total, other, element)
    context.values[op.result] = total


# Memory.


def _buffer(context: Context, op: vector.Buffer) -> None:
    type_ = op.result.type
    with context.builder.goto_entry_block():
        memory = context.builder.alloca(ir.ArrayType(ELEMENTS[device_name(type_.element)].storage, type_.count))
        memory.align = op.attributes["alignment"]
    pointer = context.builder.gep(memory, [I32(0), I32(0)])
    context.values[op.result] = Tensor(pointer, type_.element, type_.shape, type_.strides)


def _is_contiguous(tensor: Tensor, op: vector.Load | vector.Store) -> bool:
    return isinstance(tensor.strides[op.mode], int) and tensor.strides[op.mode] == 1


def _mask_of(context: Context, op: Any) -> ir.Value | None:
    return None if op.mask is None else context.values[op.mask]


def _components(context: Context, op: vector.Load | vector.Store) -> tuple[int, ir.Value | None]:
    """How many numbers of its element's component type a vector has in memory, and which of them are active."""
    count, mask = op.vector.type.lanes, _mask_of(context, op)
    if not op.has_complex_lanes:
        return count, mask
    return 2 * count, None if mask is None else lanes.interleave(context.builder, mask, mask)


def _elements(context: Context, op: vector.Load | vector.Store) -> tuple[int, ir.Value | None]:
    """How many elements a vector has that are not contiguous in memory, and which of them are active."""
    count, mask = op.vector.type.lanes, _mask_of(context, op)
    if not op.has_parts:
        return count, mask
    return count // 2, None if mask is None else lanes.deinterleave(context.builder, mask)[0]


def _along(context: Context, op: vector.Load | vector.Store) -> list[Index]:
    return [Index(at, int(mode == op.mode)) for mode, at in enumerate(_indices(context, op))]


def _load(context: Context, op: vector.Load) -> None:
    builder, tensor = context.builder, context.values[op.tensor]
    if _is_contiguous(tensor, op):
        value = lanes.load(context, tensor, _indices(context, op), *_components(context, op))
        context.values[op.result] = _complex(builder, value) if op.has_complex_lanes else value
    else:
        value = access.load(context, tensor, _along(context, op), *_elements(context, op))
        context.values[op.result] = _interleaved(builder, value) if op.has_parts else value


def _store(context: Context, op: vector.Store) -> None:
    builder, tensor, value = context.builder, context.values[op.tensor], context.values[op.vector]
    if _is_contiguous(tensor, op):
        value = _interleaved(builder, value) if op.has_complex_lanes else value
        past_caches = op.attributes.get(vector.NON_TEMPORAL, 0)
        lanes.store(context, value, tensor, _indices(context, op), *_components(context, op), past_caches)
    else:
        value = _complex(builder, value) if op.has_parts else value
        access.store(context, value, tensor, _along(context, op), *_elements(context, op))


def _by_lane(context: Context, op: vector.Gather | vector.Scatter) -> list[Index]:
    return [
        Index(context.values[value]) if isinstance(value.type, VectorType) else Index(_bound(context, value), 0)
        for value in op.indices
    ]


def _gather(context: Context, op: vector.Gather) -> None:
    tensor, at, count = context.values[op.tensor], _by_lane(context, op), op.result.type.lanes
    context.values[op.result] = access.load(context, tensor, at, count, _mask_of(context, op))


def _scatter(context: Context, op: vector.Scatter) -> None:
    tensor, value = context.values[op.tensor], context.values[op.vector]
    access.store(context, value, tensor, _by_lane(context, op), op.vector.type.lanes, _mask_of(context, op))


def _prefetch(context: Context, op: vector.Prefetch) -> None:
    address = context.address(context.values[op.tensor], _indices(context, op))
    byte = ir.IntType(8).as_pointer(address.type.addrspace)
    is_write, is_data = I32(0), I32(1)
    line = context.builder.bitcast(address, byte), is_write, I32(op.locality), is_data
    intrinsic(context.builder, "prefetch", ir.VoidType(), [byte], *line)


def _to_line(context: Context, op: vector.ToLine) -> None:
    """What an address lacks of a multiple of a line."""
    builder, line, size = context.builder, op.attributes[vector.LINE], op.tensor.type.element.size
    address = builder.ptrtoint(context.address(context.values[op.tensor], _indices(context, op)), I64)
    of_line = builder.and_(builder.neg(address), I64(line - 1))
    context.values[op.result] = builder.udiv(of_line, I64(size))


_EMIT: Meanings[type[Operation], Callable[[Context, Any], None]] = Meanings(
    "vector code as LLVM",
    {
        ArithBinary: _binary,
        ArithUnary: _unary,
        Cast: _cast,
        Compare: _compare,
        Constant: _constant,
        Expand: _expand,
        For: _for,
        Fuse: _fuse,
        If: _if,
        Load: _load_number,
        Math: _math,
        MathSince04: _math,
        Size: _size,
        Store: _store_number,
        **dict.fromkeys((SubgroupAdd, SubgroupMax, SubgroupMin), _together),
        SubgroupBroadcast: _broadcast,
        SubgroupBuiltin: _place,
        Subview: _subview,
        Yield: _nothing,
        vector.Bits: _bits,
        vector.Buffer: _buffer,
        vector.Dot: _dot,
        vector.DotLoaded: _dot_loaded,
        vector.Exchange: _exchange,
        vector.Extract: _extract,
        vector.Fma: _fma,
        vector.FmaLane: _fma_lane,
        vector.FromElements: _from_elements,
        vector.Gather: _gather,
        vector.HiddenZero: _hidden_zero,
        vector.Load: _load,
        vector.Mask: _mask,
        vector.MatrixFma: _matrix_fma,
        vector.Parts: _parts_of_complex,
        vector.Prefetch: _prefetch,
        vector.ToLine: _to_line,
        vector.Reduce: _reduce,
        vector.Release: _nothing,
        vector.ScaleByPower: _scale_by_power,
        vector.Scatter: _scatter,
        vector.Select: _select,
        vector.Shuffle: _shuffle,
        vector.Splat: _splat,
        vector.Step: _step,
        vector.Store: _store,
        vector.Transpose: _transpose,
        vector.VectorBinary: _binary,
        vector.VectorCast: _cast,
        vector.VectorCompare: _compare,
        vector.VectorMath: _math,
        vector.VectorUnary: _unary,
        vector_tiles.Product: tiles.product,
        vector_tiles.TileLoad: lambda context, op: tiles.load(context, op, _indices(context, op)),
        vector_tiles.TileStore: lambda context, op: tiles.store(context, op, _indices(context, op)),
        vector_tiles.TileZero: tiles.zero,
    },
)
