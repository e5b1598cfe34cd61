"""The language's arithmetic on scalars and truth values, in MLIR's dialects arith and math.

A number is a tuple of values: one, or the real and the imaginary part. f16 and bf16 are f32, rounded after each
operation. No operation traps: what the language leaves undefined gives some result.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from ...ir.meanings import Meanings, no_meaning
from ...ir.types import F16_OVERFLOW, BoolType, ScalarType, Type, compute_type, f16, f32, f64, i32, i64
from ...mlir.text import types as mlir
from ...mlir.text.builder import Builder, Value
from ...mlir.text.types import I1, Scalar
from . import lanes, types

Number = tuple[Value, ...]

FAR = {"f32": 80.0, "f64": 700.0}
"""The exponents up to which the exponential function is far from overflow, and from denormal results."""

_FLOATING = Meanings(
    "MLIR, arith of floats",
    {
        "add": "addf",
        "sub": "subf",
        "mul": "mulf",
        "div": "divf",
        "rem": "remf",
        "min": "minnumf",
        "max": "maxnumf",
    },
)
_EXTREMES = {"min": "minnum", "max": "maxnum"}
_BITWISE = Meanings("MLIR, arith of truth values", {"and": "andi", "or": "ori", "xor": "xori"})
_INTEGER = {"add": "addi", "sub": "subi", "mul": "muli", "min": "minsi", "max": "maxsi", **_BITWISE}
_SHIFTS = {"shl": "shli", "shr": "shrsi"}
_FUNCTIONS = Meanings(
    "MLIR, math",
    {
        **{word: each for each in ("exp", "sin", "cos", "exp2", "log", "log2") for word in (each, f"native_{each}")},
        **{word: word for word in ("sqrt", "floor")},
    },
)
_INTEGER_ORDERS = Meanings(
    "MLIR, cmp of integers", {"eq": "eq", "ne": "ne", "gt": "sgt", "ge": "sge", "lt": "slt", "le": "sle"}
)
_FLOATING_ORDERS = Meanings(
    "MLIR, cmp of floats", {"eq": "oeq", "ne": "une", "gt": "ogt", "ge": "oge", "lt": "olt", "le": "ole"}
)
_EQUALITY = Meanings("MLIR, cmp of complex numbers", {"eq": "andi", "ne": "ori"})
"""How the comparisons of both parts are joined."""


class Numbers:
    """Writes arithmetic; every method returns its result. Values have the types that `of` makes of scalar ones."""

    def __init__(
        self, to: Builder, of: Callable[[Scalar], mlir.Type] = lambda type_: type_, extremes_of_llvm: bool = False
    ) -> None:
        self._to = to
        self._of = of
        self._extremes_of_llvm = extremes_of_llvm
        """Whether extremes are LLVM's, for which Arm has instructions; `arith-expand` makes comparisons of MLIR's."""
        self.called: dict[str, mlir.Function] = {}
        """Functions of the C library that were called, with their types."""
        self.casts_integers = True
        """Whether integers are cast to floats somewhere in the function."""
        self._stored: dict[int, tuple[Value, Value]] = {}
        """Values, by their identities, that have another form in memory, with that form: it need not be made again."""

    def of_vectors(self, count: int, is_scalable: bool = False) -> Numbers:
        """The arithmetic of vectors of so many numbers, lane by lane."""
        numbers = Numbers(self._to, lambda type_: types.lanes(count, type_, is_scalable), self._extremes_of_llvm)
        numbers.called, numbers._stored = self.called, self._stored
        numbers.casts_integers = self.casts_integers
        return numbers

    # Constants.

    def constant(self, literal: bool | complex, type_: Type) -> Number:
        part = types.register(type_)
        if isinstance(type_, ScalarType) and type_.is_complex:
            number = complex(literal)
            return (self._literal(number.real, part), self._literal(number.imag, part))
        assert not isinstance(literal, complex)
        return (self._literal(literal, part),)

    def _literal(self, value: bool | int | float, type_: Scalar) -> Value:
        return self._to.constant(value, self._of(type_))

    def _plain(self, value: float, type_: ScalarType) -> Value:
        return self._literal(value, types.scalar(type_))

    # Memory.

    def loaded(self, a: Value, type_: ScalarType, hint: str = "v") -> Value:
        """A number, or a part of one, that was loaded from memory."""
        value = self._between(a, types.register(type_), type_, hint)
        if value is not a:
            self._stored[id(value)] = value, a
        return value

    def to_store(self, a: Value, type_: ScalarType) -> Value:
        """A number, or a part of one, in the form of memory."""
        _, stored = self._stored.get(id(a), (a, a))
        if stored is not a and stored.type == self._of(types.element(type_)):
            return stored
        return self._between(a, types.element(type_), type_)

    def _between(self, a: Value, target: Scalar, type_: ScalarType, hint: str = "v") -> Value:
        if types.register(type_) == types.element(type_):
            return a
        operation = "index_cast" if type_.name == "index" else "extf" if target.name == "f32" else "truncf"
        return self._as(operation, a, target, hint)

    # The language's instructions.

    def binary(self, variant: str, a: Number, b: Number, type_: Type, hint: str = "v") -> Number:
        """`a variant b`, both of the type."""
        if isinstance(type_, BoolType):
            return (self._write(_BITWISE[variant], a[0], b[0], hint),)
        assert isinstance(type_, ScalarType)
        if type_.is_integer:
            return (self._integer(variant, a[0], b[0], type_, hint),)
        if type_.is_complex:
            return self._complex(variant, a, b, type_.component)
        if variant in _EXTREMES and self._extremes_of_llvm:
            result = self._to.op(f"llvm.intr.{_EXTREMES[variant]}", a[0], b[0], type=a[0].type, hint=hint)
        else:
            result = self._write(_FLOATING[variant], a[0], b[0], hint)
        return (self._rounded(result, type_, hint),)

    def unary(self, variant: str, a: Number, type_: Type, hint: str = "v") -> Number:
        """`variant a`, of an operand of the type; abs, im and re of complex numbers are real."""
        if variant == "not":
            part = types.register(type_)
            return (self._write("xori", a[0], self._literal(True if part == I1 else -1, part), hint),)
        if not isinstance(type_, ScalarType):
            no_meaning("MLIR, arith of truth values", variant)
        if variant == "re":
            return (a[0],)
        if variant == "im":
            return (a[1],)
        if variant == "conj":
            return (a[0], self._to.op("arith.negf", a[1], hint=hint))
        if variant == "neg":
            if type_.is_integer:
                return (self._write("subi", self._plain(0, type_), a[0], hint),)
            return tuple(self._to.op("arith.negf", n, hint=hint) for n in a)
        if variant != "abs":
            no_meaning("MLIR, arith", variant)
        if type_.is_complex:
            return (self._hypot(a, type_.component, hint),)
        if type_.is_integer:
            zero = self._plain(0, type_)
            is_negative, negative = self._compare("lt", a[0], zero, type_), self._write("subi", zero, a[0])
            return (self._select(is_negative, negative, a[0], hint),)
        return (self._to.op("math.absf", a[0], hint=hint),)

    def compare(self, variant: str, a: Number, b: Number, type_: ScalarType, hint: str = "v") -> Number:
        """Whether `a variant b`."""
        results = [self._compare(variant, x, y, type_.component, hint) for x, y in zip(a, b)]
        if len(results) == 2:
            return (self._write(_EQUALITY[variant], results[0], results[1], hint),)
        return (results[0],)

    def math(self, variant: str, a: Number, type_: ScalarType, hint: str = "v") -> Number:
        """A mathematical function of a number."""
        wide = compute_type(type_.component)
        if type_.is_complex:
            return _COMPLEX_FUNCTIONS[variant](self, a, wide, hint)
        return (self._rounded(self._to.op(f"math.{_FUNCTIONS[variant]}", a[0], hint=hint), type_, hint),)

    def _complex_exponential(
        self, a: Number, part: ScalarType, hint: str, function: str = "exp", angle: float = 1.0
    ) -> Number:
        """e^re (cos im + i sin im), with what C's Annex G says of infinities and nan."""
        re, im = a
        zero, one, infinity = (self._plain(value, part) for value in (0.0, 1.0, math.inf))
        sizes = [self._to.op("math.absf", n) for n in a]
        # Where exp overflows, its product with a cosine may not: the product is taken in two factors.
        far = self._compare("gt", sizes[0], self._plain(FAR[part.name], part), part)
        half = self._write("mulf", re, self._plain(0.5, part))
        first = self._to.op(f"math.{function}", self._select(far, half, re))
        second = self._select(far, first, one)
        turned = im if angle == 1.0 else self._write("mulf", im, self._plain(angle, part))
        cos, sin = (self._to.op(f"math.{name}", turned) for name in ("cos", "sin"))
        # Where the real part is infinite, and the imaginary part is no angle, the result is infinite, or zero.
        is_infinite = self._compare("eq", sizes[0], infinity, part)
        has_direction = self._compare("lt", sizes[1], infinity, part)
        unknown = self._select(has_direction, self._literal(False, I1), is_infinite)
        vanishes = self._write("andi", unknown, self._compare("lt", re, zero, part))
        cos, sin = self._select(unknown, one, cos), self._select(vanishes, one, sin)
        # On the real axis, infinity times sin(0) would be nan.
        on_axis = self._compare("eq", im, zero, part)
        parts = [self._write("mulf", self._write("mulf", first, side), second) for side in (cos, sin)]
        whole = self._write("mulf", first, second)
        return (self._select(on_axis, whole, parts[0]), self._select(on_axis, im, parts[1]))

    def cast(self, a: Number, source: ScalarType, target: ScalarType, hint: str = "v") -> Number:
        """A number converted to another type; a float that does not fit an integer becomes 0."""
        if source == target:
            return a
        if target.is_complex:
            parts = [self._cast_real(n, source.component, target.component, hint) for n in a]
            return (parts[0], parts[1] if source.is_complex else self._plain(0.0, target.component))
        return (self._cast_real(a[0], source, target, hint),)

    def bitcast(self, a: Number, source: ScalarType, target: ScalarType, hint: str = "v") -> Number:
        """The number of another type that has the same bits; the real part of a complex one has the low bits."""
        stored = [self.to_store(part, source) for part in a]
        if len(stored) == (2 if target.is_complex else 1):
            return tuple(self._from_bits(part, types.element(source), target, hint) for part in stored)
        half, whole = Scalar(f"i{4 * source.size}"), Scalar(f"i{8 * source.size}")
        shift = self._literal(4 * source.size, whole)
        if target.is_complex:
            bits = self._bits(stored[0], types.element(source), whole)
            high = self._write("shrui", bits, shift)
            parts = [self._as("trunci", each, half) for each in (bits, high)]
            return tuple(self._from_bits(part, half, target, hint) for part in parts)
        numbers = [self._bits(part, types.element(source), half) for part in stored]
        low, high = (self._as("extui", each, whole) for each in numbers)
        bits = self._write("ori", low, self._write("shli", high, shift))
        return (self._from_bits(bits, whole, target, hint),)

    def _from_bits(self, a: Value, source: Scalar, target: ScalarType, hint: str) -> Value:
        return self.loaded(self._bits(a, source, types.element(target)), target, hint)

    def _bits(self, a: Value, source: Scalar, target: Scalar) -> Value:
        return a if source == target else self._as("bitcast", a, target, "bits")

    # Integers.

    def _integer(self, variant: str, a: Value, b: Value, type_: ScalarType, hint: str) -> Value:
        if variant in _INTEGER:
            return self._write(_INTEGER[variant], a, b, hint)
        if variant in _SHIFTS:
            count = self._write("andi", b, self._plain(type_.bits - 1, type_))
            return self._write(_SHIFTS[variant], a, count, hint)
        if variant not in ("div", "rem"):
            no_meaning("MLIR, arith of integers", variant)
        zero, one, minus_one = (self._plain(n, type_) for n in (0, 1, -1))
        by_zero, by_minus_one = (self._compare("eq", b, n, type_) for n in (zero, minus_one))
        bad = self._write("ori", by_zero, by_minus_one)
        divisor = self._select(bad, one, b)
        if variant == "rem":
            return self._write("remsi", a, divisor, hint)  # of 1 it is 0
        quotient = self._write("divsi", a, divisor)
        quotient = self._select(by_minus_one, self._write("subi", zero, a), quotient)
        return self._select(by_zero, zero, quotient, hint)

    # Complex numbers.

    def _complex(self, variant: str, a: Number, b: Number, part: ScalarType) -> Number:
        def of(operation: str) -> Callable[[Value, Value], Value]:
            return lambda x, y: self._write(operation, x, y)

        add, sub, mul = of("addf"), of("subf"), of("mulf")
        if variant == "add":
            return (add(a[0], b[0]), add(a[1], b[1]))
        if variant == "sub":
            return (sub(a[0], b[0]), sub(a[1], b[1]))
        if variant == "mul":
            return (sub(mul(a[0], b[0]), mul(a[1], b[1])), add(mul(a[0], b[1]), mul(a[1], b[0])))
        if variant == "div":
            return self._quotient(a, b, part)
        no_meaning("MLIR, arith of complex numbers", variant)

    def _quotient(self, a: Number, b: Number, part: ScalarType) -> Number:
        """Division by Smith's algorithm, which neither overflows nor underflows in |b|²."""

        def both(operation: str, x: Value, y: Value) -> Value:
            return self._write(operation, x, y)

        def negative(x: Value) -> Value:
            return self._to.op("arith.negf", x)

        def pick(x: Value, y: Value) -> Value:
            return self._select(swap, x, y)

        sides = [self._to.op("math.absf", n) for n in b]
        swap = self._compare("lt", sides[0], sides[1], part)
        large, small = pick(b[1], b[0]), pick(b[0], b[1])
        # a zero divisor then gives infinities, as the division of floats does, and not nan in both parts
        by_zero = self._compare("eq", large, self._plain(0.0, part), part)
        ratio = self._select(by_zero, large, both("divf", small, large))
        scale = both("addf", large, both("mulf", small, ratio))
        # with parts swapped, (a + ib) / (c + id) is (b - ia) / (d - ic)
        first, second = pick(a[1], a[0]), pick(negative(a[0]), a[1])
        ratio = pick(negative(ratio), ratio)
        sums = both("addf", first, both("mulf", second, ratio)), both("subf", second, both("mulf", first, ratio))
        return (both("divf", sums[0], scale), both("divf", sums[1], scale))

    def _hypot(self, a: Number, part: ScalarType, hint: str) -> Value:
        """The modulus; no intermediate overflows."""
        name = {"f32": "hypotf", "f64": "hypot"}[part.name]
        of = types.scalar(part)
        self.called[name] = mlir.Function((of, of), (of,))
        if not isinstance(a[0].type, mlir.Vector):
            return self._to.op("func.call", a, type=of, hint=hint, callee=f"@{name}")
        numbers = [lanes.lane(self._to, a, lane) for lane in range(lanes.count_of(a[0]))]
        found = [(self._to.op("func.call", each, type=of, hint=hint, callee=f"@{name}"),) for each in numbers]
        return lanes.of_lanes(self._to, found, hint)[0]

    # Casts.

    def _cast_real(self, a: Value, source: ScalarType, target: ScalarType, hint: str) -> Value:
        if source == target:
            return a
        if source.is_integer:
            if target.is_integer:
                return self._resize(a, source, target, hint)
            return self._integer_to_float(a, source, target, hint)
        if target.is_integer:
            return self._float_to_integer(a, source, target, hint)
        return self._float_to_float(a, source, target, hint)

    def _resize(self, a: Value, source: ScalarType, target: ScalarType, hint: str) -> Value:
        if "index" in (source.name, target.name):
            # MLIR takes index_cast to i32 and back for nothing: what cuts bits off are casts of integers alone
            if target.size < i64.size:
                return self._convert("trunci", self._convert("index_cast", a, i64, "v"), target, hint)
            if source.size < i64.size:
                return self._convert("index_cast", self._convert("extsi", a, i64, "v"), target, hint)
            return self._convert("index_cast", a, target, hint)
        return self._convert("extsi" if source.size < target.size else "trunci", a, target, hint)

    def _integer_to_float(self, a: Value, source: ScalarType, target: ScalarType, hint: str) -> Value:
        if source.name == "index":
            a, source = self._resize(a, source, i64, "v"), i64
        if target.size > 2:
            return self._convert("sitofp", a, target, hint)
        if source.size <= 2:  # exact in f32
            return self._rounded(self._convert("sitofp", a, f32, "v"), target, hint)
        if target.name == "f16":
            return self._rounded(self._convert("sitofp", self._in_range_of_f16(a, source), f32, "v"), f16, hint)
        wide = a if source == i64 else self._resize(a, source, i64, "v")
        # Beyond 2^53 the last 11 bits may not fit f64: one bit then stands for all of them, which is rounding to odd.
        low = self._write("andi", wide, self._plain(0x7FF, i64))
        is_cut = self._compare("ne", low, self._plain(0, i64), i64)
        bit = self._select(is_cut, self._plain(0x400, i64), self._plain(0, i64))
        sticky = self._write("ori", self._write("subi", wide, low), bit)
        shifted = self._write("addi", wide, self._plain(1 << 53, i64))
        is_large = self._to.op("arith.cmpi", shifted, self._plain(1 << 54, i64), predicate="ugt")
        exact = self._convert("sitofp", self._select(is_large, sticky, wide), f64, "v")
        return self._rounded(self._to_odd(exact), target, hint)

    def _float_to_integer(self, a: Value, source: ScalarType, target: ScalarType, hint: str) -> Value:
        wide = compute_type(source)
        # what does not fit is poison, from which anything may follow: it becomes 0 first
        limit, digits = 2.0 ** (target.bits - 1), 24 if wide == f32 else 53
        above = (
            self._compare("gt", a, self._plain(-limit - 1.0, wide), wide)
            if target.bits <= digits
            else self._compare("ge", a, self._plain(-limit, wide), wide)
        )
        fits = self._write("andi", above, self._compare("lt", a, self._plain(limit, wide), wide))
        a = self._select(fits, a, self._plain(0.0, wide))
        if target.name == "index":
            return self._resize(self._convert("fptosi", a, i64, "v"), i64, target, hint)
        return self._convert("fptosi", a, target, hint)

    def _float_to_float(self, a: Value, source: ScalarType, target: ScalarType, hint: str) -> Value:
        if target.size == 2:
            if target == f16 and source != f16 and self.casts_integers:
                a = self._in_range_of_f16(a, compute_type(source))
            return self._rounded(self._to_odd(a) if source == f64 else a, target, hint)
        wide = compute_type(source)
        if wide == target:
            return a
        return self._convert("extf" if wide.size < target.size else "truncf", a, target, hint)

    def _in_range_of_f16(self, a: Value, type_: ScalarType) -> Value:
        """A number that is the same in f16.

        LLVM takes a cast of an integer to a half and on to a wider type for one cast, and overlooks that a half
        overflows. So what overflows is the least such number first.
        """
        for order, limit in (("gt", F16_OVERFLOW), ("lt", -F16_OVERFLOW)):
            most = self._plain(limit if type_.is_integer else float(limit), type_)
            a = self._select(self._compare(order, a, most, type_), most, a)
        return a

    def _rounded(self, a: Value, type_: ScalarType, hint: str = "v") -> Value:
        """A result rounded to a type, in the register's form."""
        if type_.size != 2 or type_.is_integer:
            return a
        return self.loaded(self.to_store(a, type_), type_, hint)

    def _to_odd(self, a: Value) -> Value:
        """An f64 as f32: truncated, with the last bit set where something was lost.

        A second rounding, to a much narrower type, then gives what one rounding of the f64 would have given.
        """
        nearest = self._convert("truncf", a, f32, "v")
        widened = self._convert("extf", nearest, f64, "v")
        lost = self._to.op("arith.cmpf", widened, a, predicate="one")
        sides = [self._to.op("math.absf", n) for n in (widened, a)]
        too_far = self._compare("gt", sides[0], sides[1], f64)
        bits = self._convert("bitcast", nearest, i32, "v")
        toward_zero = self._write("subi", bits, self._convert("extui", too_far, i32, "v"))
        odd = self._write("ori", toward_zero, self._plain(1, i32))
        return self._convert("bitcast", self._select(lost, odd, bits), f32, "v")

    # Single operations.

    def _write(self, operation: str, a: Value, b: Value, hint: str = "v") -> Value:
        return self._to.op(f"arith.{operation}", a, b, hint=hint)

    def _as(self, operation: str, a: Value, target: Scalar, hint: str = "v") -> Value:
        return self._to.op(f"arith.{operation}", a, type=self._of(target), hint=hint)

    def _convert(self, operation: str, a: Value, target: ScalarType, hint: str) -> Value:
        return self._as(operation, a, types.scalar(target), hint)

    def _compare(self, variant: str, a: Value, b: Value, type_: ScalarType, hint: str = "v") -> Value:
        if type_.is_integer:
            return self._to.op("arith.cmpi", a, b, hint=hint, predicate=_INTEGER_ORDERS[variant])
        return self._to.op("arith.cmpf", a, b, hint=hint, predicate=_FLOATING_ORDERS[variant])

    def _select(self, condition: Value, a: Value, b: Value, hint: str = "v") -> Value:
        return self._to.op("arith.select", condition, a, b, hint=hint)


_COMPLEX_FUNCTIONS: Meanings[str, Callable[[Numbers, Number, ScalarType, str], Number]] = Meanings(
    "MLIR, math of complex numbers",
    {
        **dict.fromkeys(("exp", "native_exp"), Numbers._complex_exponential),
        **dict.fromkeys(
            ("exp2", "native_exp2"), partial(Numbers._complex_exponential, function="exp2", angle=math.log(2))
        ),
    },
)
