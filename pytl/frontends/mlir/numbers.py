"""arith and math, of numbers and of vectors of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...ir.types import SCALAR_TYPES, BoolType, ScalarType, Type, bool_, f32, i32, index
from ...ir.values import Value
from ...mlir.text import Operation, Vector
from ...mlir.text.names import OF_FLOATS, PREDICATES
from ...mlir.text.tree import Dense
from ...mlir.text.types import INDEX
from ...ops import Bitcast
from ...ops.builder import Builder
from ...ops.constants import round_to
from .. import lang
from ..arithmetic import BINARY, OF_INTEGERS, UNARY
from ..composites import parts_of
from ..lang.library.complementary_error import erfc
from . import elementary, rules, scalars
from .addresses import computed
from .affine_values import is_positive
from .context import Context, Handler, reads
from .scalars import written
from .types import number_type
from .values import MAX_ELEMENTS, Result, Vec, count

Function = Callable[..., Value]
FLOATS, INTEGERS = "a floating point number", "an integer"


def arith(variant: str) -> Function:
    return lambda at, a, b: at.arith(variant, a, b)


def _of_bits(variant: str, of_truth: str) -> Function:
    """Integer arithmetic, of which that of one bit is another one."""

    def write(builder: Builder, a: Value, b: Value) -> Value:
        return builder.arith(of_truth if isinstance(a.type, BoolType) else variant, a, b)

    return write


def unary(variant: str) -> Function:
    return lambda at, a: at.unary(variant, a)


def _less(word: str) -> Function:
    """The smaller or larger of unsigned integers."""
    return lambda at, a, b: scalars.select(at, scalars.below_unsigned(at, word, a, b), a, b)


def kind_of(name: str) -> str:
    """Which numbers an operation is of, as its last letter says."""
    return FLOATS if name.endswith("f") else INTEGERS


FUNCTIONS: dict[str, Function] = {
    **{name: arith(variant) for name, variant in BINARY.items()},
    "arith.addi": _of_bits("add", "xor"),
    "arith.subi": _of_bits("sub", "xor"),
    "arith.muli": _of_bits("mul", "and"),
    "arith.divui": scalars.quotient_unsigned,
    "arith.remui": scalars.remainder_unsigned,
    "arith.ceildivsi": scalars.rounded_quotient(True),
    "arith.floordivsi": scalars.rounded_quotient(False),
    "arith.ceildivui": scalars.rounded_up_unsigned,
    "arith.shrui": scalars.shifted_right,
    "arith.minui": _less("lt"),
    "arith.maxui": _less("gt"),
    "arith.minimumf": scalars.with_nan("lt"),
    "arith.maximumf": scalars.with_nan("gt"),
    "math.ipowi": scalars.integer_power,
}
"""Operations of two numbers."""
_FORMULAS = {
    **{word: getattr(lang, word) for word in ("sqrt", "rsqrt", "tan", "asin", "acos", "atan", "sinh", "cosh")},
    **{word: getattr(lang, word) for word in ("tanh", "expm1", "erf", "floor", "ceil", "exp", "exp2")},
    **{word: getattr(elementary, word) for word in ("log", "log2", "sin", "cos")},
    "erfc": erfc,
    "log1p": elementary.log_of_one_more,
    "log10": elementary.decimal_logarithm,
    "cbrt": elementary.cubic_root,
    "asinh": elementary.area_of_sine,
    "acosh": elementary.area_of_cosine,
    "atanh": elementary.area_of_tangent,
    "trunc": elementary.truncated,
    "round": elementary.rounded,
    "roundeven": elementary.rounded_to_even,
    "isnan": elementary.is_nan,
    "isinf": elementary.is_infinite,
    "isfinite": elementary.is_finite,
}
"""Functions of one floating point number, of math."""
_UNSIGNED_COMPARISONS = {"ult": "lt", "ule": "le", "ugt": "gt", "uge": "ge"}


# Vectors.


def apply_elementwise(
    ctx: Context, op: Operation, function: Function, operands: Sequence[Result], element: Type | None = None
) -> Result:
    """A function of numbers, applied to numbers, or to each element of vectors of one shape."""
    vectors = [each for each in operands if isinstance(each, Vec)]
    if not vectors:
        return function(ctx.builder, *operands)
    shape = vectors[0].shape
    if any(not isinstance(each, Vec) or each.shape != shape for each in operands):
        ctx.fail(op, rules.OPERANDS, "its operands are vectors of one shape, or numbers")
    columns = zip(*(each.values for each in vectors))
    values = tuple(function(ctx.builder, *column) for column in columns)
    return Vec(shape, element or values[0].type, values)


def element_of(result: Result) -> Any:
    """The type of a number, or of a vector's elements."""
    return result.element if isinstance(result, Vec) else getattr(result, "type", None)


def numbers(ctx: Context, op: Operation, kind: str, count: int, is_of_one_type: bool = True) -> list[Result]:
    """Operands that are numbers or vectors of a kind, and of one type unless that does not matter."""
    if len(op.operands) != count:
        ctx.fail(op, rules.OPERANDS, f"it has {count} operands, not {len(op.operands)}")
    operands = [ctx.operand(op, number) for number in range(count)]
    for name, each, said in zip(op.operands, operands, op.operand_types):
        type_ = element_of(each)
        if not parts_of(each):
            ctx.fail(op, rules.OPERANDS, f"{name} is neither a number nor a vector")
        fits = isinstance(type_, ScalarType) and type_.is_floating if kind == FLOATS else _is_integer(type_)
        if not fits:
            ctx.fail(op, rules.OPERANDS, f"{'an operand' if op.made_of else name} is {_type(type_)}, not {kind}")
        if isinstance(each, Value):
            ctx.check_number(op, name, each, said)
    if is_of_one_type and len({str(element_of(each)) for each in operands}) > 1:
        ctx.fail(op, rules.OPERANDS, f"its operands are {' and '.join(_type(element_of(each)) for each in operands)}")
    return operands


def _type(type_: Any) -> str:
    return "i1" if type_ == bool_ else str(type_)


def _is_integer(type_: Any) -> bool:
    return isinstance(type_, BoolType) or (isinstance(type_, ScalarType) and type_.is_integer)


def _operation(kind: str, operands: int, *functions: Function) -> Handler:
    """An operation with a result of each function."""

    def write(ctx: Context, op: Operation) -> Sequence[Result]:
        if op.name in ("arith.addi", "arith.subi", "arith.muli") and len(op.operands) == 2:
            address = computed(ctx, op)
            if address is not None:
                return address
        values = numbers(ctx, op, kind, operands)
        if op.name in _OF_POSITIVE and all(_is_positive_index(ctx, each) for each in values):
            result = _OF_POSITIVE[op.name](ctx.builder, *values)
            ctx.positive.add(result)
            return [result]
        return [apply_elementwise(ctx, op, function, values) for function in functions]

    return write


def _is_positive_index(ctx: Context, value: Result) -> bool:
    return isinstance(value, Value) and value.type == index and is_positive(ctx, value)


_OF_POSITIVE = {
    "arith.addi": arith("add"),
    "arith.muli": arith("mul"),
    **{f"arith.{word}{kind}": arith(word) for word in ("div", "rem", "min", "max") for kind in ("si", "ui")},
}
"""Sums, products and quotients of indices that are not negative are not, with a sign and without."""


# Constants.


@reads("arith.constant", "index.constant", "index.bool.constant")
def _constant(ctx: Context, op: Operation) -> Sequence[Result]:
    value, type_ = op.attributes.get("value"), op.result_types[0] if op.result_types else None
    if isinstance(type_, Vector):
        return [_constant_vector(ctx, op, value, type_)]
    scalar_type = None if type_ is None else number_type(type_)
    if scalar_type is None:
        ctx.fail(op, rules.TYPE, f"there are no numbers of the type {type_}")
    return [literal(ctx, op, value, scalar_type)]


@reads("index.sizeof")
def _size(ctx: Context, op: Operation) -> Sequence[Result]:
    """How many bits an index has."""
    return [ctx.constant(INDEX.bits)]


def literal(ctx: Context, op: Operation, value: Any, type_: Type) -> Value:
    """A constant; the operation is told if it is none of the type."""
    if isinstance(type_, BoolType):
        if not isinstance(value, int):
            ctx.fail(op, rules.OPERANDS, "an i1 is true or false")
        return ctx.builder.constant(type_, bool(value & 1))
    assert isinstance(type_, ScalarType)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        ctx.fail(op, rules.OPERANDS, f"its value is no number of the type {type_}")
    if type_.is_integer:
        if not isinstance(value, int) or not -(1 << type_.bits - 1) <= value < 1 << type_.bits:
            ctx.fail(op, rules.OPERANDS, f"{value} is no number of the type {type_}")
        return scalars.integer(ctx.builder, type_, value)
    try:
        return scalars.floating(ctx.builder, type_, round_to(float(value), type_))
    except OverflowError:
        ctx.fail(op, rules.OPERANDS, f"{value} is no number of the type {type_}")


def _constant_vector(ctx: Context, op: Operation, value: Any, type_: Vector) -> Vec:
    vector = vector_type(ctx, op, type_)
    if not isinstance(value, Dense):
        ctx.fail(op, rules.OPERANDS, "a vector's value is dense<…>")
    flat, total = flat_elements(ctx, op, value, type_.shape)
    literals = [literal(ctx, op, each, vector) for each in flat]
    return Vec(type_.shape, vector, tuple(literals if len(flat) == total else literals * total))


def flat_elements(ctx: Context, op: Operation, value: Dense, shape: Sequence[int]) -> tuple[list[Any], int]:
    """The elements of `dense<…>` in row-major order, or the one for all; and how many there are."""
    flat = list(_flat(value.values))
    total = count(shape)
    if len(flat) not in (1, total) or (len(flat) == 1 != total and isinstance(value.values, tuple)):
        ctx.fail(op, rules.OPERANDS, f"{len(flat)} elements are given, but {value.type} has {total}")
    return flat, total


def _flat(values: Any) -> Any:
    if isinstance(values, tuple):
        for each in values:
            yield from _flat(each)
    else:
        yield values


def vector_type(ctx: Context, op: Operation, type_: Any) -> Type:
    """The type of a vector's elements; it is refused if it is no vector, or has too many."""
    if not isinstance(type_, Vector):
        ctx.fail(op, rules.TYPE, f"{type_} is no vector of a fixed shape")
    element = number_type(type_.element)
    if element is None:
        ctx.fail(op, rules.TYPE, f"there are no numbers of the type {type_.element}")
    if count(type_.shape) > MAX_ELEMENTS:
        ctx.fail(op, rules.VECTOR, f"{type_} has {count(type_.shape)} elements")
    return element


# Comparisons and casts.


def _predicate(ctx: Context, op: Operation, names: Sequence[str]) -> str:
    predicate = op.word_of("pred" if op.name == "index.cmp" else "predicate", names)
    if predicate not in names:
        ctx.fail(op, rules.OPERANDS, f"there is no such comparison; there are {', '.join(names)}")
    return predicate


@reads("arith.cmpi", "index.cmp")
def _compare_integers(ctx: Context, op: Operation) -> Sequence[Result]:
    predicate = _predicate(ctx, op, PREDICATES)

    def write(builder: Builder, a: Value, b: Value) -> Value:
        if isinstance(a.type, BoolType):
            return _compare_truth(builder, predicate, a, b)
        if predicate in _UNSIGNED_COMPARISONS:
            return scalars.below_unsigned(builder, _UNSIGNED_COMPARISONS[predicate], a, b)
        return builder.compare(OF_INTEGERS[predicate], a, b)

    return [apply_elementwise(ctx, op, write, numbers(ctx, op, INTEGERS, 2), bool_)]


def _compare_truth(builder: Builder, predicate: str, a: Value, b: Value) -> Value:
    """Of one bit; as a signed integer, true is -1."""
    if predicate in ("eq", "ne"):
        differs = builder.arith("xor", a, b)
        return differs if predicate == "ne" else scalars.negated(builder, differs)
    word = predicate[1:]
    if predicate[0] == "s":
        a, b = b, a
    if word in ("gt", "ge"):
        a, b = b, a
    # now whether a < b, or a <= b, of 0 and 1
    return builder.arith("and" if word in ("lt", "gt") else "or", scalars.negated(builder, a), b)


@reads("arith.cmpf")
def _compare_floats(ctx: Context, op: Operation) -> Sequence[Result]:
    predicate = _predicate(ctx, op, OF_FLOATS)

    def write(builder: Builder, a: Value, b: Value) -> Value:
        if predicate in ("false", "true"):
            return builder.constant(bool_, predicate == "true")
        unordered = builder.arith("or", builder.compare("ne", a, a), builder.compare("ne", b, b))
        if predicate in ("uno", "ord"):
            return unordered if predicate == "uno" else scalars.negated(builder, unordered)
        word = predicate[1:]
        result = builder.compare(word, a, b)
        # of the language's comparisons, `ne` alone holds where one of the numbers is nan
        if predicate[0] == "u":
            return result if word == "ne" else builder.arith("or", result, unordered)
        return builder.arith("and", result, scalars.negated(builder, unordered)) if word == "ne" else result

    return [apply_elementwise(ctx, op, write, numbers(ctx, op, FLOATS, 2), bool_)]


@reads("arith.select")
def _select(ctx: Context, op: Operation) -> Sequence[Result]:
    if len(op.operands) != 3:
        ctx.fail(op, rules.OPERANDS, "it has a condition and two values")
    condition, a, b = (ctx.operand(op, number) for number in range(3))
    if element_of(condition) != bool_ or element_of(a) != element_of(b) or not parts_of(a):
        ctx.fail(op, rules.OPERANDS, "it has a condition of the type i1 and two values of one type")
    if isinstance(condition, Value) and isinstance(a, Vec) and isinstance(b, Vec):
        values = ctx.builder.branch(condition, [v.type for v in a.values], lambda _: a.values, lambda _: b.values)
        return [Vec(a.shape, a.element, tuple(values))]
    return [apply_elementwise(ctx, op, scalars.select, [condition, a, b])]


def _cast(source: str, target: str, function: Callable[..., Value], operands: int = 1) -> Handler:
    """A cast of the first operand."""

    def write(ctx: Context, op: Operation) -> Sequence[Result]:
        operand, *others = numbers(ctx, op, source, operands, is_of_one_type=False)
        written = op.result_types[0] if op.result_types else None
        is_vector = isinstance(written, Vector)
        if is_vector != isinstance(operand, Vec):
            ctx.fail(op, rules.OPERANDS, f"{op.operand_types[0]} is not cast to {written}")
        type_ = number_type(written.element if isinstance(written, Vector) else written)  # type: ignore[arg-type]
        fits = isinstance(type_, ScalarType) and type_.is_floating if target == FLOATS else _is_integer(type_)
        if type_ is None or not fits:
            ctx.fail(op, rules.TYPE, f"{written} is not {target} of a type that there is")
        check_rounding(ctx, op)
        result = apply_elementwise(ctx, op, lambda at, *each: function(at, *each, type_), [operand, *others], type_)
        if isinstance(result, Value) and isinstance(operand, Value) and operand in ctx.positive and "index" in op.name:
            ctx.positive.add(result)
        return [result]

    return write


def check_rounding(ctx: Context, op: Operation) -> None:
    """Refuse a cast that rounds otherwise than to the nearest number."""
    if op.attributes.keys() & {"downward", "upward", "toward_zero"} or op.attributes.get("roundingmode", 0) != 0:
        ctx.fail(op, rules.OPERANDS, "a cast rounds to the nearest number, the even one of two")


def _signed(builder: Builder, a: Value, type_: Any) -> Value:
    if isinstance(a.type, BoolType):
        return a if isinstance(type_, BoolType) else scalars.as_integer(builder, a, type_, -1)
    if isinstance(type_, BoolType):
        return scalars.truth(builder, builder.arith("and", a, builder.constant(a.type, 1)))
    return builder.cast(a, type_)


def _float_of_signed(builder: Builder, a: Value, type_: Any) -> Value:
    if isinstance(a.type, BoolType):
        return scalars.select(builder, a, builder.constant(type_, -1.0), builder.constant(type_, 0.0))
    return builder.cast(a, type_)


def _signed_of_float(builder: Builder, a: Value, type_: Any) -> Value:
    return _to_truth(builder, a) if isinstance(type_, BoolType) else builder.cast(a, type_)


def _unsigned_of_float(builder: Builder, a: Value, type_: Any) -> Value:
    return _to_truth(builder, a) if isinstance(type_, BoolType) else scalars.unsigned_of_float(builder, a, type_)


def _to_truth(builder: Builder, a: Value) -> Value:
    return scalars.truth(builder, builder.cast(a, i32))


def _extended(builder: Builder, a: Value, type_: Any) -> Value:
    return _signed(builder, a, type_) if isinstance(type_, BoolType) else scalars.extended_unsigned(builder, a, type_)


def _power_of_two(builder: Builder, a: Value, type_: Any) -> Value:
    """The number of f8E8M0FNU with a number's exponent, which that of infinity has for nan; in a type."""
    infinity, half = (builder.constant(i32, bits) for bits in (0x7F800000, 0x00400000))
    exponent = builder.arith("and", _with_bits(builder, builder.cast(a, f32), i32), infinity)
    is_end = builder.arith(
        "or", builder.compare("eq", exponent, builder.zero(i32)), builder.compare("eq", exponent, infinity)
    )
    bits = scalars.select(builder, is_end, builder.arith("or", exponent, half), exponent)
    return builder.cast(_with_bits(builder, bits, f32), type_)


def _scaled_up(builder: Builder, a: Value, scale: Value, type_: Any) -> Value:
    return builder.arith("mul", builder.cast(a, type_), _power_of_two(builder, scale, type_))


def _scaled_down(builder: Builder, a: Value, scale: Value, type_: Any) -> Value:
    return builder.cast(builder.arith("div", a, _power_of_two(builder, scale, a.type)), type_)


CASTS: dict[str, tuple[str, str, Callable[[Builder, Value, Any], Value]]] = {
    **dict.fromkeys(("arith.extf", "arith.truncf"), (FLOATS, FLOATS, Builder.cast)),
    **dict.fromkeys(("arith.extsi", "arith.trunci", "arith.index_cast"), (INTEGERS, INTEGERS, _signed)),
    **dict.fromkeys(("arith.extui", "arith.index_castui"), (INTEGERS, INTEGERS, _extended)),
    "arith.sitofp": (INTEGERS, FLOATS, _float_of_signed),
    "arith.uitofp": (INTEGERS, FLOATS, scalars.float_of_unsigned),
    "arith.fptosi": (FLOATS, INTEGERS, _signed_of_float),
    "arith.fptoui": (FLOATS, INTEGERS, _unsigned_of_float),
}
"""Casts: of which numbers, to which ones, and what writes them."""


@reads("arith.bitcast", "vector.bitcast", "complex.bitcast")
def bits(ctx: Context, op: Operation) -> Sequence[Result]:
    """The number of another type with the same bits."""
    operand, written = ctx.operand(op, 0), op.result_types[0] if op.result_types else None
    type_ = number_type(written.element if isinstance(written, Vector) else written)  # type: ignore[arg-type]
    source = element_of(operand)
    widths = [each.size if isinstance(each, ScalarType) and str(each) != "index" else 0 for each in (source, type_)]
    if op.name == "vector.bitcast" and isinstance(written, Vector) and _is_divided(operand, written, widths):
        return [_divided(ctx.builder, operand, written.shape, vector_type(ctx, op, written))]  # type: ignore[arg-type]
    if 0 in widths or widths[0] != widths[1] or isinstance(written, Vector) != isinstance(operand, Vec):
        ctx.fail(op, rules.OPERANDS, f"{op.operand_types[0]} has not the bits of a number of the type {written}")

    assert isinstance(type_, Type)
    return [apply_elementwise(ctx, op, lambda builder, a: _with_bits(builder, a, type_), [operand], type_)]


def _with_bits(builder: Builder, a: Value, type_: Type) -> Value:
    return a if a.type == type_ else builder.add(Bitcast(builder.location, [type_], operand=a)).results[0]


def _is_divided(operand: Result, written: Vector, widths: Sequence[int]) -> bool:
    """Whether a vector has the bits of another one in numbers of another width, which are in the last dimension."""
    if not isinstance(operand, Vec) or 0 in widths or widths[0] == widths[1] or max(widths) > 8 or not operand.shape:
        return False
    rows = [(*shape[:-1], shape[-1] * width) for shape, width in zip((operand.shape, written.shape), widths) if shape]
    return rows[:1] == rows[1:]


def _divided(builder: Builder, vector: Vec, shape: tuple[int, ...], type_: ScalarType) -> Vec:
    """A vector's bits as numbers of another width, of which the first has the lowest ones."""
    source = vector.values[0].type
    assert isinstance(source, ScalarType)
    own, whole = (SCALAR_TYPES[f"i{8 * each.size}"] for each in (source, type_))
    given = [_with_bits(builder, each, own) for each in vector.values]
    if own.bits > whole.bits:
        places = [builder.constant(own, place) for place in range(0, own.bits, whole.bits)]
        values = [builder.cast(builder.arith("shr", each, place), whole) for each in given for place in places]
    else:
        wide = [scalars.extended_unsigned(builder, each, whole) for each in given]
        step = whole.bits // own.bits
        values = wide[::step]
        for number in range(1, step):
            place = builder.constant(whole, number * own.bits)
            more = (builder.arith("shl", each, place) for each in wide[number::step])
            values = [builder.arith("or", value, each) for value, each in zip(values, more)]
    return Vec(shape, type_, tuple(_with_bits(builder, each, type_) for each in values))


def _fused(builder: Builder, a: Value, b: Value, c: Value) -> Value:
    """a b + c, rounded after the product, too, unless the device contracts it."""
    return builder.arith("add", builder.arith("mul", a, b), c)


def _clamped(builder: Builder, a: Value, low: Value, high: Value) -> Value:
    return builder.arith("min", builder.arith("max", a, low), high)


def _overflows(builder: Builder, a: Value, b: Value) -> Value:
    """Whether the sum of unsigned integers is too large for them."""
    if isinstance(a.type, BoolType):
        return builder.arith("and", a, b)
    return scalars.below_unsigned(builder, "lt", builder.arith("add", a, b), a)


@reads("math.fpowi")
def _power(ctx: Context, op: Operation) -> Sequence[Result]:
    """The power of a floating point number with an exponent that is an integer."""
    if len(op.operands) != 2:
        ctx.fail(op, rules.OPERANDS, "it has a number and an exponent")
    base, exponent = (ctx.operand(op, number) for number in range(2))
    fits = [isinstance(type_, ScalarType) and type_ for type_ in map(element_of, (base, exponent))]
    if not (fits[0] and fits[0].is_floating and fits[1] and fits[1].is_integer):
        ctx.fail(op, rules.OPERANDS, "it has a floating point number, and an exponent that is an integer")

    def write(builder: Builder, a: Value, n: Value) -> Value:
        return scalars.called(builder, lang.pow, [a, builder.cast(n, a.type)])

    return [apply_elementwise(ctx, op, write, [base, exponent])]


_OF_INDEX = {
    **{word: f"{word}i" for word in ("and", "or", "xor", "add", "sub", "mul")},
    **{f"{word}s": f"{word}si" for word in ("div", "ceildiv", "floordiv", "rem", "max", "min")},
    **{f"{word}u": f"{word}ui" for word in ("div", "ceildiv", "rem", "max", "min")},
    "shl": "shli",
    "shrs": "shrsi",
    "shru": "shrui",
}
"""Operations of index, and what they are in arith."""
_OPERATIONS: dict[str, Handler] = {
    **{name: _operation(kind_of(name), 2, function) for name, function in FUNCTIONS.items()},
    **{name: _operation(kind_of(name), 1, unary(variant)) for name, variant in UNARY.items()},
    **{f"index.{word}": _operation(INTEGERS, 2, FUNCTIONS[f"arith.{of}"]) for word, of in _OF_INDEX.items()},
    **{f"math.{word}": _operation(FLOATS, 1, written(formula)) for word, formula in _FORMULAS.items()},
    "math.isnormal": _operation(FLOATS, 1, scalars.is_normal),
    "math.sincos": _operation(FLOATS, 1, *(written(_FORMULAS[word]) for word in ("sin", "cos"))),
    "math.powf": _operation(FLOATS, 2, written(lang.pow)),
    "math.atan2": _operation(FLOATS, 2, written(elementary.angle)),
    "math.copysign": _operation(FLOATS, 2, written(elementary.with_sign)),
    "math.clampf": _operation(FLOATS, 3, _clamped),
    **dict.fromkeys(("math.fma", "vector.fma"), _operation(FLOATS, 3, _fused)),
    "math.ctpop": _operation(INTEGERS, 1, scalars.bits_of),
    "math.ctlz": _operation(INTEGERS, 1, scalars.leading_zeros),
    "math.cttz": _operation(INTEGERS, 1, scalars.trailing_zeros),
    "arith.addui_extended": _operation(INTEGERS, 2, FUNCTIONS["arith.addi"], _overflows),
    "arith.mulsi_extended": _operation(INTEGERS, 2, FUNCTIONS["arith.muli"], scalars.upper_product(is_signed=True)),
    "arith.mului_extended": _operation(INTEGERS, 2, FUNCTIONS["arith.muli"], scalars.upper_product(is_signed=False)),
    **{name: _cast(*row) for name, row in CASTS.items()},
    "arith.scaling_extf": _cast(FLOATS, FLOATS, _scaled_up, operands=2),
    "arith.scaling_truncf": _cast(FLOATS, FLOATS, _scaled_down, operands=2),
    "index.casts": _cast(*CASTS["arith.index_cast"]),
    "index.castu": _cast(*CASTS["arith.index_castui"]),
}
for _name, _handler in _OPERATIONS.items():
    reads(_name)(_handler)
