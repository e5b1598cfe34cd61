"""What the work-items of a sub-group do together, for every type of register.

Values are exchanged by shuffles and combined here, because SPIR-V's group functions leave the treatment of nans open:
the OpenCL CPU device's maximum of a number and a nan may be either. A scan doubles the distance of the exchange at each
step, and a reduction is the last entry of a scan, so that all work-items get the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir
from numba.core import errors, types
from numba.extending import intrinsic

from ....ir.meanings import Meanings, no_meaning
from ....passes.targets.matrix_units import MATRIX_COLUMNS, MATRIX_ITEMS
from . import floats, integers
from .elements import I16, I32, I64, Element
from .pointers import SPIRV, named_intrinsic
from .signatures import COMPLEX, FLOATS, INTEGERS, join, of_nothing, same, split
from .workitems import ACQUIRE_RELEASE, GLOBAL_MEMORY, LOCAL_MEMORY, builtin, convergent_call

SUBGROUP_SCOPE = 3
LETTERS = {"i32": "i", "i64": "l", "float": "f", "double": "d"}
"""How SPIR-V mangles the types of exchanged values."""
VARIANTS = ("reduce", "inclusive_scan", "exclusive_scan")

Combine = Callable[[ir.IRBuilder, ir.Value, ir.Value], ir.Value]


def _local_id(builder: ir.IRBuilder) -> ir.Value:
    return builtin(builder, "__spirv_BuiltInSubgroupLocalInvocationId", I32)


def _subgroup_id(builder: ir.IRBuilder) -> ir.Value:
    return builtin(builder, "__spirv_BuiltInSubgroupId", I32)


PLACES: Meanings[str, Callable[[ir.IRBuilder], ir.Value]] = Meanings(
    "the device library, builtin", {"subgroup_id": _subgroup_id, "subgroup_local_id": _local_id}
)


NUMBERS = [
    *(of_nothing(name, types.int32, PLACES[name]) for name in PLACES),
    # zero, in a form that no compiler knows to be uniform
    of_nothing(
        "hidden_zero", types.int64, lambda builder: builder.sext(builder.ashr(_local_id(builder), I32(31)), I64)
    ),
]
"""The number of the sub-group in its work-group, that of the work-item in it, and a number."""


def _ordering(name: str, scopes: int):
    """A function of SPIR-V that orders accesses to memory within the sub-group."""

    def codegen(context, builder, sig, args):
        semantics = ACQUIRE_RELEASE | GLOBAL_MEMORY | LOCAL_MEMORY
        convergent_call(builder, name, ir.VoidType(), *[I32(SUBGROUP_SCOPE)] * scopes, I32(semantics))
        return context.get_dummy_value()

    return types.void(), codegen


@intrinsic(target=SPIRV)
def subgroup_fence(typing_context):
    """Orders accesses to memory within the sub-group, which has to run in lock step.

    This is no barrier: the OpenCL CPU device's compiler treats every barrier as one of the work-group, and values get
    lost where only some sub-groups reach it. On that device the work-items of a sub-group are lanes of a vector, and
    run in lock step.
    """
    return _ordering("_Z21__spirv_MemoryBarrierjj", 1)


@intrinsic(target=SPIRV)
def subgroup_barrier(typing_context):
    """The same for sub-groups that need not run in lock step: their work-items wait for each other."""
    return _ordering("_Z22__spirv_ControlBarrierjjj", 2)


# Exchange.


def _exchanged(builder: ir.IRBuilder, name: str, value: ir.Value, lane: ir.Value) -> ir.Value:
    """The result of a SPIR-V function of a value and a work-item's number, for every type."""
    ty = value.type
    if isinstance(ty, ir.LiteralStructType):
        return join(builder, *(_exchanged(builder, name, part, lane) for part in split(builder, value)))
    if isinstance(ty, ir.IntType) and ty.width < 32:
        return builder.trunc(_exchanged(builder, name, builder.sext(value, I32), lane), ty)
    base = f"__spirv_{name}"
    mangled = f"_Z{len(base)}{base}j{LETTERS[str(ty)]}j"
    return convergent_call(builder, mangled, ty, I32(SUBGROUP_SCOPE), value, lane)


def _shuffle(builder: ir.IRBuilder, value: ir.Value, lane: ir.Value) -> ir.Value:
    return _exchanged(builder, "GroupNonUniformShuffle", value, lane)


def broadcast(builder: ir.IRBuilder, value: ir.Value, lane: ir.Value) -> ir.Value:
    return _exchanged(builder, "GroupBroadcast", value, lane)


def exchanged(builder: ir.IRBuilder, value: ir.Value, bits: int) -> ir.Value:
    """The value of the work-item whose number in the sub-group differs in these bits."""
    return _shuffle(builder, value, builder.xor(_local_id(builder), I32(bits)))


def matrix_product(
    builder: ir.IRBuilder, element: Element, left: Sequence[ir.Value], right: Sequence[ir.Value], sums: list[ir.Value]
) -> list[ir.Value]:
    """Sums plus a product of matrices in registers, by a function of OpenCL for Intel's matrix units.

    Factors have the form of memory. What is the function's first factor has as many rows as there are sums, of which
    each work-item has 16 bits. Of the second factor, a work-item has 32 bytes.
    """
    # SPIR-V has no vectors of more than 16 numbers
    first, second = (_vector(_packed(builder, values, word), builder) for values, word in ((right, I16), (left, I32)))
    before, count, words = _vector(sums, builder), len(sums), second.type.count
    name = f"intel_sub_group_{element.name}_{element.name}_matrix_mad_k{len(left)}"
    # a type that occurs again is a reference to the second one
    third = "S0_" if before.type == second.type else f"Dv{count}_{'i' if before.type.element == I32 else 'f'}"
    mangled = f"_Z{len(name)}{name}Dv{count}_sDv{words}_i{third}"
    call = convergent_call(builder, mangled, before.type, first, second, before)
    return [builder.extract_element(call, I32(number)) for number in range(count)]


def _matrix_multiply_add(columns: int):
    """The intrinsic that adds a product of private matrices to sums of some columns, of a row of a work-item."""
    name = f"matrix_multiply_add_{columns}"

    def definition(typing_context, left, right, distance, sums):
        """Rows of the right factor that a work-item has are at a distance from each other."""

        def codegen(context, builder, sig, args):
            element, (row, rows, apart, totals) = sig.args[0].element, args
            share, beside = 2 // element.size, max(columns, min(MATRIX_COLUMNS)) - columns

            def number(pointer: ir.Value, at: ir.Value) -> ir.Value:
                return builder.load(builder.gep(pointer, [at]))

            steps = [lane + n * MATRIX_ITEMS for lane in range(MATRIX_ITEMS) for n in range(share)]
            held = [number(row, I64(step)) for step in steps]
            starts = [builder.mul(apart, I64(n)) for n in range(share)]
            own = [number(rows, builder.add(start, I64(column))) for column in range(columns) for start in starts]
            places = [builder.gep(totals, [I64(column)]) for column in range(columns)]
            before = [builder.load(place) for place in places]
            own += [ir.Constant(element.storage, 0)] * (beside * share)
            after = matrix_product(builder, element, held, own, [*before, *[ir.Constant(before[0].type, 0)] * beside])
            for place, total in zip(places, after):
                builder.store(total, place)
            return context.get_dummy_value()

        return types.void(left, right, types.int64, sums), codegen

    return named_intrinsic(name, definition)


MATRIX_FUNCTIONS = {f"matrix_multiply_add_{columns}": _matrix_multiply_add(columns) for columns in (1, *MATRIX_COLUMNS)}


def _packed(builder: ir.IRBuilder, numbers: Sequence[ir.Value], word: ir.IntType) -> list[ir.Value]:
    """Integers with the bits of some numbers each."""
    each = word.width // numbers[0].type.width
    if each == 1:
        return list(numbers)
    groups = (numbers[first : first + each] for first in range(0, len(numbers), each))
    return [builder.bitcast(_vector(group, builder), word) for group in groups]


def _vector(numbers: Sequence[ir.Value], builder: ir.IRBuilder) -> ir.Value:
    vector: ir.Value = ir.Constant(ir.VectorType(numbers[0].type, len(numbers)), ir.Undefined)
    for lane, value in enumerate(numbers):
        vector = builder.insert_element(vector, value, I32(lane))
    return vector


@intrinsic(target=SPIRV)
def subgroup_broadcast(typing_context, value, lane):
    """The value of work-item `lane`, a uniform number."""
    ty = same("subgroup_broadcast", INTEGERS + FLOATS + COMPLEX, value)
    return ty(ty, types.int32), lambda context, builder, sig, args: broadcast(builder, *args)


# Scans and reductions.


def _each(word: str) -> Combine:
    """An operation of the language on integers or floats."""
    return lambda builder, a, b: (integers if isinstance(a.type, ir.IntType) else floats).EMIT[word](builder, a, b)


_sum, _max, _min = map(_each, ("add", "max", "min"))


def _least(ty: ir.Type) -> ir.Constant:
    return ir.Constant(ty, -(1 << (ty.width - 1)) if isinstance(ty, ir.IntType) else float("-inf"))


def _largest(ty: ir.Type) -> ir.Constant:
    return ir.Constant(ty, (1 << (ty.width - 1)) - 1 if isinstance(ty, ir.IntType) else float("inf"))


def _zero(ty: ir.Type) -> ir.Constant:
    return ir.Constant(ty, 0 if isinstance(ty, ir.IntType) else 0.0)


def _inclusive(builder: ir.IRBuilder, value: ir.Value, size: int, combine: Combine) -> ir.Value:
    lane = _local_id(builder)
    distance = 1
    while distance < size:
        has_other = builder.icmp_unsigned(">=", lane, I32(distance))
        other = _shuffle(builder, value, builder.select(has_other, builder.sub(lane, I32(distance)), lane))
        value = builder.select(has_other, combine(builder, other, value), value)
        distance *= 2
    return value


def _combined(
    builder: ir.IRBuilder, variant: str, value: ir.Value, size: int, combine: Combine, identity: Callable
) -> ir.Value:
    if isinstance(value.type, ir.LiteralStructType):
        parts = (_combined(builder, variant, part, size, combine, identity) for part in split(builder, value))
        return join(builder, *parts)
    value = _inclusive(builder, value, size, combine)
    if variant == "reduce":
        return broadcast(builder, value, I32(size - 1))
    if variant == "inclusive_scan":
        return value
    if variant != "exclusive_scan":
        no_meaning("the device library, operations of sub-groups", variant)
    lane = _local_id(builder)
    is_first = builder.icmp_unsigned("==", lane, I32(0))
    before = _shuffle(builder, value, builder.select(is_first, lane, builder.sub(lane, I32(1))))
    return builder.select(is_first, identity(value.type), before)


_TOGETHER: Meanings[str, tuple[Combine, Callable]] = Meanings(
    "the device library, operations of sub-groups",
    {"subgroup_add": (_sum, _zero), "subgroup_max": (_max, _least), "subgroup_min": (_min, _largest)},
)


def together(builder: ir.IRBuilder, word: str, variant: str, value: ir.Value, size: int) -> ir.Value:
    """What the numbers of the work-items of a sub-group give together, or a scan."""
    return _combined(builder, variant, value, size, *_TOGETHER[word])


def _operation(operation: str, variant: str, combine: Combine, identity: Callable, allowed: tuple):
    name = f"subgroup_{operation}_{variant}"

    def definition(typing_context, value, size):
        """The operation over the work-items of a sub-group, whose size is a literal."""
        if not isinstance(size, types.IntegerLiteral) or size.literal_value < 1:
            raise errors.TypingError(f"{name} takes the size of a sub-group as a literal, not {size}")
        ty, count = same(name, allowed, types.unliteral(value)), size.literal_value

        def codegen(context, builder, sig, args):
            return _combined(builder, variant, args[0], count, combine, identity)

        return ty(ty, size), codegen

    return named_intrinsic(name, definition, prefer_literal=True)


SUBGROUP_OPERATIONS = {
    function._name: function
    for variant in VARIANTS
    for function in (
        _operation("add", variant, _sum, _zero, INTEGERS + FLOATS + COMPLEX),
        _operation("max", variant, _max, _least, INTEGERS + FLOATS),
        _operation("min", variant, _min, _largest, INTEGERS + FLOATS),
    )
}
