"""Vector code in MLIR's dialects arith, math and vector: one function for each instruction, which decides nothing.

A vector is as many vectors of MLIR as its elements have parts, in the form of registers: f16 and bf16 are f32, which is
rounded after each instruction. LLVM divides vectors that are wider than the machine's registers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from ...ir.types import ScalarType, Type, VectorTileType, VectorType, bf16, f32, i16, i32, index
from ...ir.values import Function, Value
from ...mlir.text import builder as mlir
from ...mlir.text.tree import Raw
from ...mlir.text.types import I32, I64, INDEX, Scalar
from ...mlir.text.types import Type as MlirType
from ...ops import Fuse
from ...ops.constants import constant_of
from ...passes.targets import cpu, vector
from ...passes.targets.amx import TILE_SHAPE
from . import amx, lanes, types, vector_memory, work_groups
from .emit import Emitter, element_of, hint_of
from .numbers import Number

FLOATING_KINDS = {"add": "add", "min": "minnumf", "max": "maxnumf"}
INTEGER_KINDS = {"add": "add", "min": "minsi", "max": "maxsi", "and": "and", "or": "or"}
"""What MLIR calls the reductions."""


_DOTS = {4: "sse2.pmadd.wd", 8: "avx2.pmadd.wd", 16: "avx512.pmaddw.d.512"}
"""x86's instructions that multiply pairs of i16 and add each two products, by the number of sums."""
_ROUNDING_OF_THREAD = 4
"""What x86's intrinsics with 512 bits take for the rounding that a thread has chosen."""
_DOTS_OF_BF16 = "avx512bf16.dpbf16ps"
"""Those that add the products of pairs of bf16 to sums, but for the bits of these."""


class VectorEmitter(Emitter):
    """Writes one function that may have vector code."""

    tells_unrolling = True
    extremes_of_llvm = True
    work_group_range: work_groups.Range
    """What is executed by the `cpu.items` that is being written."""

    def __init__(
        self,
        function: Function,
        has_lane_products: bool = False,
        pairs: Collection[ScalarType] = (),
        to: mlir.Builder | None = None,
        suffix: str = "",
    ) -> None:
        super().__init__(function, to, suffix)
        self.pairs = pairs
        """The types of factors of which x86's instructions that multiply pairs are there."""
        self.has_lane_products = has_lane_products
        """Whether SVE's instruction that multiplies a vector by a lane of another is there."""

        self.tile_registers: Mapping[Value, int] = {}
        """The numbers of x86's tile registers, where a function has tiles there."""

    def work_groups(self, first: mlir.Value, last: mlir.Value, groups: mlir.Value) -> None:
        tiles = self.function.attributes.get(TILE_SHAPE)
        if tiles is not None:
            self.tile_registers = amx.registers_of(self.function)
            amx.configure(self, tiles)
        if any(isinstance(op, cpu.Items) for op in self.function.body.operations):
            self.work_group_range = work_groups.Range(first, last, groups)
            self.region(self.function.body)
        else:
            super().work_groups(first, last, groups)
        if tiles is not None:
            amx.release(self.to)

    def parts(self, type_: Type) -> Sequence[MlirType]:
        if isinstance(type_, VectorTileType):
            return [types.tile(type_)] if type_.is_scalable and not type_.has_fixed_rows else []
        return types.vector(type_) if isinstance(type_, VectorType) else super().parts(type_)


def code(emitter: Emitter, op: vector.Code | vector.WorkItems) -> None:
    # outlined code stays here, too: MLIR has no function that sees the values around it
    emitter.region(op.body)


# Values.


def splat(emitter: Emitter, op: vector.Splat) -> None:
    known, type_ = constant_of(op.scalar), op.result.type
    if known is not None:
        value = emitter.arithmetic(op.result).constant(known, type_.element)
    else:
        value = lanes.spread(emitter.to, emitter.number(op.scalar), type_.lanes, hint_of(op.result), type_.is_scalable)
    emitter.bind(op.result, value)


def step(emitter: Emitter, op: vector.Step) -> None:
    type_, numbers = op.result.type, emitter.arithmetic(op.result)
    steps = emitter.to.op("vector.step", type=types.lanes(type_.lanes, INDEX, type_.is_scalable), hint="steps")
    distance = numbers.cast((steps,), index, type_.element)
    first = lanes.spread(emitter.to, emitter.number(op.first), type_.lanes, is_scalable=type_.is_scalable)
    emitter.bind(op.result, numbers.binary("add", first, distance, type_.element, hint_of(op.result)))


def hidden_zero(emitter: Emitter, op: vector.HiddenZero) -> None:
    zero = emitter.to.constant(0, I64)
    hidden = emitter.to.op("llvm.inline_asm", zero, type=I64, hint="zero", asm_string="", constraints="=r,0")
    emitter.bind(op.result, (emitter.to.op("arith.index_cast", hidden, type=INDEX, hint="zero"),))


def mask(emitter: Emitter, op: vector.Mask) -> None:
    known, (type_,) = constant_of(op.count), emitter.parts(op.result.type)
    if op.result.type.is_scalable:
        # not vector.create_mask, whose comparisons become one instruction for few types only
        bounds = [
            emitter.to.op("arith.index_cast", n, type=I64) for n in (emitter.to.constant(0), emitter.single(op.count))
        ]
        value = emitter.to.op("llvm.intr.get.active.lane.mask", *bounds, type=type_, hint="mask")
    elif known is not None:
        bound = min(max(known, 0), op.result.type.lanes)
        value = emitter.to.op("vector.constant_mask", type=type_, hint="mask", mask_dim_sizes=(bound,))
    else:
        value = emitter.to.op("vector.create_mask", [emitter.single(op.count)], type=type_, hint="mask")
    emitter.bind(op.result, (value,))


def from_elements(emitter: Emitter, op: vector.FromElements) -> None:
    numbers = [emitter.number(value) for value in op.elements]
    emitter.bind(op.result, lanes.of_lanes(emitter.to, numbers, hint_of(op.result)))


def extract(emitter: Emitter, op: vector.Extract) -> None:
    emitter.bind(op.result, lanes.lane(emitter.to, emitter.number(op.vector), op.lane, hint_of(op.result)))


# Arithmetic, lane by lane.


def fma(emitter: Emitter, op: vector.Fma) -> None:
    factors, summand, element = (emitter.number(op.a), emitter.number(op.b)), emitter.number(op.c), element_of(op.a)
    if element.is_integer:
        numbers = emitter.arithmetic(op.a)
        value = numbers.binary("add", numbers.binary("mul", *factors, element), summand, element, hint_of(op.result))
    else:
        value = _fused(emitter, *factors, summand, hint_of(op.result), isinstance(op.a.type, VectorType))
    emitter.bind(op.result, value)


def fma_lane(emitter: VectorEmitter, op: vector.FmaLane) -> None:
    factors, summand, hint = (emitter.number(op.a), emitter.number(op.b)), emitter.number(op.c), hint_of(op.result)
    type_ = op.result.type
    value: Number
    if 8 * type_.lanes * type_.element.size > vector.SEGMENT and emitter.has_lane_products:
        value = (lanes.lane_product(emitter.to, factors[0][0], factors[1][0], op.lane, summand[0], hint),)
    else:  # of one segment, LLVM sees by itself that the lanes of a factor are one lane
        chosen = lanes.shuffled(emitter.to, factors[1], factors[1], op.chosen(), "factor")
        value = _fused(emitter, factors[0], chosen, summand, hint)
    emitter.bind(op.result, value)


def scale_by_power(emitter: VectorEmitter, op: vector.ScaleByPower) -> None:
    to, type_ = emitter.to, op.a.type
    (a,), (exponent,) = emitter.number(op.a), emitter.number(op.exponent)
    bits, letter = 8 * type_.lanes * type_.element.size, "s" if type_.element == f32 else "d"
    operands = [a, exponent, a, to.constant(-1, Scalar(f"i{max(type_.lanes, 8)}"))]
    operands += [to.constant(_ROUNDING_OF_THREAD, I32)] if bits == 512 else []
    intrinsic = f"llvm.x86.avx512.mask.scalef.p{letter}.{bits}"
    found = to.op("llvm.call_intrinsic", operands, type=a.type, hint=hint_of(op.result), intrin=intrinsic)
    emitter.bind(op.result, (found,))


def dot(emitter: VectorEmitter, op: vector.Dot) -> None:
    _dot(emitter, op, emitter.single(op.b))


def dot_loaded(emitter: VectorEmitter, op: vector.DotLoaded) -> None:
    to, pair = emitter.to, types.lanes(2, types.element(op.tensor.type.element))
    loaded = to.op("vector.load", *vector_memory.line(emitter, op), type=pair, hint="pair")
    word = to.op("vector.bitcast", loaded, type=types.lanes(1, types.element(i32)), hint="pair")
    # LLVM makes the load an operand
    (spread,) = lanes.spread(to, lanes.lane(to, (word,), 0, "pair"), op.c.type.lanes, "pairs")
    _dot(emitter, op, spread)


def _dot(emitter: VectorEmitter, op: vector.Dot | vector.DotLoaded, b: mlir.Value) -> None:
    to, count, element = emitter.to, op.c.type.lanes, i16 if op.c.type.element == i32 else bf16
    words, (c,) = [emitter.single(op.a), b], emitter.number(op.c)
    factors = words
    if element in emitter.pairs:
        pairs = types.lanes(2 * count, types.element(element))
        factors = [to.op("vector.bitcast", word, type=pairs, hint="pairs") for word in words]
    if element == bf16:
        emitter.bind(op.result, (_dot_of_bf16(emitter, factors, c, hint_of(op.result)),))
        return
    if element in emitter.pairs:
        name = f"llvm.x86.{_DOTS[count]}"
        # with the addition, LLVM makes one instruction of it
        products = [to.op("llvm.call_intrinsic", factors, type=c.type, hint="products", intrin=name)]
    else:
        half = to.constant(16, c.type)
        high = [to.op("arith.shrsi", word, half, hint="high") for word in words]
        low = [to.op("arith.shrsi", to.op("arith.shli", word, half), half, hint="low") for word in words]
        products = [to.op("arith.muli", *factors, hint="products") for factors in (low, high)]
    for each in products:
        c = to.op("arith.addi", each, c, hint=hint_of(op.result))
    emitter.bind(op.result, (c,))


def _dot_of_bf16(emitter: VectorEmitter, factors: Sequence[mlir.Value], c: mlir.Value, hint: str) -> mlir.Value:
    """Products of pairs of bf16, as such or as words, added to sums."""
    to = emitter.to
    if bf16 in emitter.pairs:
        bits = 8 * f32.size * lanes.vector_of(c).shape[0]
        return to.op(
            "llvm.call_intrinsic", [c, *factors], type=c.type, hint=hint, intrin=f"llvm.x86.{_DOTS_OF_BF16}.{bits}"
        )
    half, high = to.constant(16, factors[0].type), to.constant(-(1 << 16), factors[0].type)
    for name, other in (("arith.shli", half), ("arith.andi", high)):
        numbers = [to.op("arith.bitcast", to.op(name, word, other), type=c.type, hint="numbers") for word in factors]
        c = to.op("vector.fma", *numbers, c, hint=hint)
    return c


def _fused(emitter: Emitter, a: Number, b: Number, c: Number, hint: str, of_vectors: bool = True) -> Number:
    """`a b + c` of floats or of complex numbers."""
    to, fma = emitter.to, "vector.fma" if of_vectors else "math.fma"
    if len(a) == 1:
        return (to.op(fma, *a, *b, *c, hint=hint),)
    negative = to.op("arith.negf", a[1])
    crossed = to.op(fma, negative, b[1], c[0]), to.op(fma, a[1], b[0], c[1])
    return tuple(to.op(fma, a[0], part, other, hint=hint) for part, other in zip(b, crossed))


def select(emitter: Emitter, op: vector.Select) -> None:
    condition, hint = emitter.single(op.condition), hint_of(op.result)
    pairs = zip(emitter.number(op.a), emitter.number(op.b))
    emitter.bind(op.result, tuple(emitter.to.op("arith.select", condition, a, b, hint=hint) for a, b in pairs))


# Lanes.


def shuffle(emitter: Emitter, op: vector.Shuffle) -> None:
    a, b, chosen = emitter.number(op.a), emitter.number(op.b), op.attributes[vector.LANES]
    emitter.bind(op.result, lanes.shuffled(emitter.to, a, b, chosen, hint_of(op.result)))


def transpose(emitter: Emitter, op: vector.Transpose) -> None:
    vectors = [emitter.number(value) for value in op.vectors]
    columns = vector.transposed(vectors, partial(lanes.shuffled, emitter.to), op.element_bytes)
    for value, column in zip(op.results, columns):
        emitter.bind(value, column)


def parts(emitter: Emitter, op: vector.Parts) -> None:
    made = op.operand.owner
    if isinstance(made, vector.Interleave) and op.result.type.element.is_complex:  # which LLVM does not undo
        emitter.bind(op.result, (*emitter.number(made.a), *emitter.number(made.b)))
        return
    value = emitter.number(op.operand)
    is_complex = len(value) == 2
    changed = (lanes.interleaved(emitter.to, value),) if is_complex else lanes.deinterleaved(emitter.to, value[0])
    emitter.bind(op.result, changed)


def in_memory(emitter: Emitter, value: Value) -> Number:
    """The parts of a vector in the form of memory."""
    element, numbers = value.type.element, emitter.arithmetic(value)
    if not isinstance(element, ScalarType):
        return emitter.number(value)
    return tuple(numbers.to_store(part, element) for part in emitter.number(value))


def bind_loaded(emitter: Emitter, value: Value, parts: Number) -> None:
    """Set the parts of a vector, which are given in the form of memory."""
    element, numbers = value.type.element, emitter.arithmetic(value)
    if isinstance(element, ScalarType):
        parts = tuple(numbers.loaded(part, element, hint_of(value)) for part in parts)
    emitter.bind(value, parts)


def part(emitter: Emitter, op: vector.Part) -> None:
    count, parts = op.result.type.lanes, in_memory(emitter, op.vector)
    bind_loaded(emitter, op.result, tuple(lanes.part_of(emitter.to, each, op.first, count) for each in parts))


def interleave(emitter: Emitter, op: vector.Interleave) -> None:
    pairs = zip(in_memory(emitter, op.a), in_memory(emitter, op.b))
    bind_loaded(emitter, op.result, tuple(lanes.interleaved(emitter.to, pair, hint_of(op.result)) for pair in pairs))


def bits(emitter: Emitter, op: vector.Bits) -> None:
    type_, (stored,) = op.result.type, in_memory(emitter, op.vector)
    as_bits = types.lanes(type_.lanes, types.element(type_.element), type_.is_scalable)
    bind_loaded(emitter, op.result, (emitter.to.op("vector.bitcast", stored, type=as_bits, hint=hint_of(op.result)),))


def scale(emitter: Emitter, op: vector.Scale) -> None:
    emitter.bind(op.result, (emitter.to.once("vector.vscale", hint="vscale"),))


def reduce(emitter: Emitter, op: vector.Reduce) -> None:
    element = op.vector.type.element
    is_floating = isinstance(element, ScalarType) and not element.is_integer
    kind = (FLOATING_KINDS if is_floating else INTEGER_KINDS)[op.variant]
    # a streaming function has no instruction for an ordered sum of floating-point numbers
    order = {"fastmath": Raw("<reassoc>")} if is_floating and op.vector.type.is_scalable else {}
    total = tuple(
        emitter.to.op(
            "vector.reduction", part, type=lanes.vector_of(part).element, hint=hint_of(op.result), kind=kind, **order
        )
        for part in emitter.number(op.vector)
    )
    if is_floating and element.size == 2:
        total = (emitter.numbers.loaded(emitter.numbers.to_store(total[0], element), element),)
    emitter.bind(op.result, total)


VECTOR_CODE: Mapping[type[Any], Any] = {
    cpu.BeginsAtLine: vector_memory.begins_at_line,
    cpu.Items: work_groups.items,
    cpu.Later: work_groups.later,
    vector.Bits: bits,
    vector.Buffer: vector_memory.buffer,
    vector.Code: code,
    vector.Extract: extract,
    vector.Fence: vector_memory.fence,
    vector.Fma: fma,
    vector.Dot: dot,
    vector.DotLoaded: dot_loaded,
    vector.FmaLane: fma_lane,
    vector.FromElements: from_elements,
    vector.Gather: vector_memory.gather,
    vector.HiddenZero: hidden_zero,
    vector.Interleave: interleave,
    vector.Load: vector_memory.load,
    vector.Mask: mask,
    vector.Part: part,
    vector.Parts: parts,
    vector.Prefetch: vector_memory.prefetch,
    vector.ToLine: vector_memory.to_line,
    vector.Reduce: reduce,
    vector.Release: vector_memory.release,
    vector.Scale: scale,
    vector.ScaleByPower: scale_by_power,
    vector.Scatter: vector_memory.scatter,
    vector.Select: select,
    vector.Shuffle: shuffle,
    vector.Splat: splat,
    vector.Step: step,
    vector.Store: vector_memory.store,
    vector.Transpose: transpose,
    vector.VectorBinary: Emitter.binary,
    vector.VectorCast: Emitter.cast,
    vector.VectorCompare: Emitter.compare,
    vector.VectorMath: Emitter.math,
    vector.VectorUnary: Emitter.unary,
}

VectorEmitter.table = {**Emitter.table, Fuse: vector_memory.fuse, **VECTOR_CODE, **amx.AMX_CODE}
