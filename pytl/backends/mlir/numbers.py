"""The language's arithmetic on scalars and truth values, in MLIR's dialects arith and math.

A number is a tuple of names: one, or the real and the imaginary part. f16 and bf16 are f32, rounded after each
operation. No operation traps: what the language leaves undefined gives some result.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from ...ir.meanings import Meanings, no_meaning
from ...ir.types import F16_OVERFLOW, BoolType, ScalarType, Type, compute_type, f16, f32, f64, i32, i64
from . import types
from .builder import Builder, literal_of

Number = tuple[str, ...]

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
_BITWISE = Meanings("MLIR, arith of truth values", {"and": "andi", "or": "ori", "xor": "xori"})
_INTEGER = {"add": "addi", "sub": "subi", "mul": "muli", "min": "minsi", "max": "maxsi", **_BITWISE}
_SHIFTS = {"shl": "shli", "shr": "shrsi"}
_FUNCTIONS = Meanings(
    "MLIR, math",
    {word: each for each in ("exp", "sin", "cos", "exp2", "log", "log2") for word in (each, f"native_{each}")},
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
    """Writes arithmetic; every method returns its result. With `lanes`, names are of vectors of so many numbers.

    Vectors have no complex numbers.
    """

    def __init__(self, to: Builder, lanes: int = 0) -> None:
        self._to = to
        self._lanes = lanes
        self.called: dict[str, str] = {}
        """Functions of the C library that were called, with their types."""

    # Constants.

    def constant(self, literal: bool | complex, type_: Type) -> Number:
        if isinstance(type_, ScalarType) and type_.is_complex:
            part, number = types.register(type_), complex(literal)
            return (self._literal(number.real, part), self._literal(number.imag, part))
        assert not isinstance(literal, complex)
        return (self._literal(literal, types.register(type_)),)

    def _literal(self, value: bool | int | float, type_: str) -> str:
        if not self._lanes:
            return self._to.constant(value, type_)
        return self._to.once(f"arith.constant dense<{literal_of(value, type_)}> : {self.text(type_)}", "cst")

    def text(self, type_: object) -> str:
        """The text of a scalar type, or of vectors of it."""
        return f"vector<{self._lanes}x{type_}>" if self._lanes else str(type_)

    # Memory.

    def loaded(self, a: str, type_: ScalarType, hint: str = "v") -> str:
        """A number, or a part of one, that was loaded from memory."""
        return self._between(a, types.element(type_), types.register(type_), hint)

    def to_store(self, a: str, type_: ScalarType) -> str:
        """A number, or a part of one, in the form of memory."""
        return self._between(a, types.register(type_), types.element(type_))

    def _between(self, a: str, source: str, target: str, hint: str = "v") -> str:
        if source == target:
            return a
        operation = "index_cast" if "index" in (source, target) else "extf" if target == "f32" else "truncf"
        return self._to.op(f"arith.{operation} {a} : {self.text(source)} to {self.text(target)}", hint)

    def _plain(self, value: float, type_: ScalarType) -> str:
        return self._literal(value, type_.name)

    # The language's instructions.

    def binary(self, variant: str, a: Number, b: Number, type_: Type, hint: str = "v") -> Number:
        """`a variant b`, both of the type."""
        if isinstance(type_, BoolType):
            return (self._write(_BITWISE[variant], a[0], b[0], "i1", hint),)
        assert isinstance(type_, ScalarType)
        if type_.is_integer:
            return (self._integer(variant, a[0], b[0], type_, hint),)
        if type_.is_complex:
            return self._complex(variant, a, b, type_.component)
        return (self._rounded(self._write(_FLOATING[variant], a[0], b[0], types.register(type_), hint), type_, hint),)

    def unary(self, variant: str, a: Number, type_: Type, hint: str = "v") -> Number:
        """`variant a`, of an operand of the type; abs, im and re of complex numbers are real."""
        if variant == "not":
            minus_one = self._literal(True, "i1") if isinstance(type_, BoolType) else self._literal(-1, f"{type_}")
            return (self._write("xori", a[0], minus_one, types.register(type_), hint),)
        if not isinstance(type_, ScalarType):
            no_meaning("MLIR, arith of truth values", variant)
        part = types.register(type_)
        if variant == "re":
            return (a[0],)
        if variant == "im":
            return (a[1],)
        if variant == "conj":
            return (a[0], self._to.op(f"arith.negf {a[1]} : {part}", hint))
        if variant == "neg":
            if type_.is_integer:
                return (self._write("subi", self._plain(0, type_), a[0], part, hint),)
            return tuple(self._to.op(f"arith.negf {n} : {self.text(part)}", hint) for n in a)
        if variant != "abs":
            no_meaning("MLIR, arith", variant)
        if type_.is_complex:
            return (self._hypot(a, type_.component, hint),)
        if type_.is_integer:
            zero = self._plain(0, type_)
            is_negative, negative = self._compare("lt", a[0], zero, type_), self._write("subi", zero, a[0], part)
            return (self._select(is_negative, negative, a[0], part, hint),)
        return (self._to.op(f"math.absf {a[0]} : {self.text(part)}", hint),)

    def compare(self, variant: str, a: Number, b: Number, type_: ScalarType, hint: str = "v") -> Number:
        """Whether `a variant b`."""
        found = [self._compare(variant, x, y, type_.component, hint) for x, y in zip(a, b)]
        if len(found) == 2:
            return (self._write(_EQUALITY[variant], found[0], found[1], "i1", hint),)
        return (found[0],)

    def math(self, variant: str, a: Number, type_: ScalarType, hint: str = "v") -> Number:
        """A mathematical function of a number."""
        wide = compute_type(type_.component)
        if type_.is_complex:
            return _COMPLEX_FUNCTIONS[variant](self, a, wide, hint)
        return (self._rounded(self._to.op(f"math.{_FUNCTIONS[variant]} {a[0]} : {wide}", hint), type_, hint),)

    def _complex_exponential(
        self, a: Number, part: ScalarType, hint: str, function: str = "exp", angle: float = 1.0
    ) -> Number:
        """e^re (cos im + i sin im), with what C's Annex G says of infinities and nan."""
        re, im = a
        zero, one, infinity = (self._plain(value, part) for value in (0.0, 1.0, math.inf))
        sizes = [self._to.op(f"math.absf {n} : {part}") for n in a]
        # Where exp overflows, its product with a cosine may not: the product is taken in two factors.
        far = self._compare("gt", sizes[0], self._plain(FAR[part.name], part), part)
        half = self._write("mulf", re, self._plain(0.5, part), part.name)
        first = self._to.op(f"math.{function} {self._select(far, half, re, part.name)} : {part}")
        second = self._select(far, first, one, part.name)
        turned = im if angle == 1.0 else self._write("mulf", im, self._plain(angle, part), part.name)
        cos, sin = (self._to.op(f"math.{name} {turned} : {part}") for name in ("cos", "sin"))
        # Where the real part is infinite, and the imaginary part is no angle, the result is infinite, or zero.
        is_infinite = self._compare("eq", sizes[0], infinity, part)
        has_direction = self._compare("lt", sizes[1], infinity, part)
        unknown = self._select(has_direction, self._to.constant(False, "i1"), is_infinite, "i1")
        vanishes = self._write("andi", unknown, self._compare("lt", re, zero, part), "i1")
        cos, sin = self._select(unknown, one, cos, part.name), self._select(vanishes, one, sin, part.name)
        # On the real axis, infinity times sin(0) would be nan.
        on_axis = self._compare("eq", im, zero, part)
        parts = [
            self._write("mulf", self._write("mulf", first, side, part.name), second, part.name) for side in (cos, sin)
        ]
        whole = self._write("mulf", first, second, part.name)
        return (self._select(on_axis, whole, parts[0], part.name), self._select(on_axis, im, parts[1], part.name))

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
        half, whole = f"i{4 * source.size}", f"i{8 * source.size}"
        shift = self._literal(4 * source.size, whole)
        if target.is_complex:
            bits = self._as(stored[0], types.element(source), whole)
            high = self._write("shrui", bits, shift, whole)
            parts = [self._to.op(f"arith.trunci {each} : {whole} to {half}") for each in (bits, high)]
            return tuple(self._from_bits(part, half, target, hint) for part in parts)
        numbers = [self._as(part, types.element(source), half) for part in stored]
        low, high = (self._to.op(f"arith.extui {each} : {half} to {whole}") for each in numbers)
        bits = self._write("ori", low, self._write("shli", high, shift, whole), whole)
        return (self._from_bits(bits, whole, target, hint),)

    def _from_bits(self, a: str, given: str, target: ScalarType, hint: str) -> str:
        return self.loaded(self._as(a, given, types.element(target)), target, hint)

    def _as(self, a: str, given: str, wanted: str) -> str:
        return a if given == wanted else self._to.op(f"arith.bitcast {a} : {given} to {wanted}", "bits")

    # Integers.

    def _integer(self, variant: str, a: str, b: str, type_: ScalarType, hint: str) -> str:
        name = type_.name
        if variant in _INTEGER:
            return self._write(_INTEGER[variant], a, b, name, hint)
        if variant in _SHIFTS:
            count = self._write("andi", b, self._plain(type_.bits - 1, type_), name)
            return self._write(_SHIFTS[variant], a, count, name, hint)
        if variant not in ("div", "rem"):
            no_meaning("MLIR, arith of integers", variant)
        zero, one, minus_one = (self._plain(n, type_) for n in (0, 1, -1))
        by_zero, by_minus_one = (self._compare("eq", b, n, type_) for n in (zero, minus_one))
        bad = self._write("ori", by_zero, by_minus_one, "i1")
        divisor = self._select(bad, one, b, name)
        if variant == "rem":
            return self._write("remsi", a, divisor, name, hint)  # of 1 it is 0
        quotient = self._write("divsi", a, divisor, name)
        quotient = self._select(by_minus_one, self._write("subi", zero, a, name), quotient, name)
        return self._select(by_zero, zero, quotient, name, hint)

    # Complex numbers.

    def _complex(self, variant: str, a: Number, b: Number, part: ScalarType) -> Number:
        def of(operation: str) -> Callable[[str, str], str]:
            return lambda x, y: self._write(operation, x, y, part.name)

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

        def both(operation: str, x: str, y: str) -> str:
            return self._write(operation, x, y, part.name)

        def negative(x: str) -> str:
            return self._to.op(f"arith.negf {x} : {part}")

        def pick(x: str, y: str) -> str:
            return self._select(swap, x, y, part.name)

        sides = [self._to.op(f"math.absf {n} : {part}") for n in b]
        swap = self._compare("lt", sides[0], sides[1], part)
        large, small = pick(b[1], b[0]), pick(b[0], b[1])
        # a zero divisor then gives infinities, as the division of floats does, and not nan in both parts
        by_zero = self._compare("eq", large, self._plain(0.0, part), part)
        ratio = self._select(by_zero, large, both("divf", small, large), part.name)
        scale = both("addf", large, both("mulf", small, ratio))
        # with parts swapped, (a + ib) / (c + id) is (b - ia) / (d - ic)
        first, second = pick(a[1], a[0]), pick(negative(a[0]), a[1])
        ratio = pick(negative(ratio), ratio)
        sums = both("addf", first, both("mulf", second, ratio)), both("subf", second, both("mulf", first, ratio))
        return (both("divf", sums[0], scale), both("divf", sums[1], scale))

    def _hypot(self, a: Number, part: ScalarType, hint: str) -> str:
        """The modulus; no intermediate overflows."""
        name = {"f32": "hypotf", "f64": "hypot"}[part.name]
        self.called[name] = f"({part}, {part}) -> {part}"
        return self._to.op(f"func.call @{name}({', '.join(a)}) : {self.called[name]}", hint)

    # Casts.

    def _cast_real(self, a: str, source: ScalarType, target: ScalarType, hint: str) -> str:
        if source == target:
            return a
        if source.is_integer:
            if target.is_integer:
                return self._resize(a, source, target, hint)
            return self._integer_to_float(a, source, target, hint)
        if target.is_integer:
            return self._float_to_integer(a, source, target, hint)
        return self._float_to_float(a, source, target, hint)

    def _resize(self, a: str, source: ScalarType, target: ScalarType, hint: str) -> str:
        if "index" in (source.name, target.name):
            # MLIR takes index_cast to i32 and back for nothing: what cuts bits off are casts of integers alone
            if target.size < i64.size:
                return self._convert("trunci", self._convert("index_cast", a, source, i64, "v"), i64, target, hint)
            if source.size < i64.size:
                return self._convert("index_cast", self._convert("extsi", a, source, i64, "v"), i64, target, hint)
            return self._convert("index_cast", a, source, target, hint)
        return self._convert("extsi" if source.size < target.size else "trunci", a, source, target, hint)

    def _integer_to_float(self, a: str, source: ScalarType, target: ScalarType, hint: str) -> str:
        if source.name == "index":
            a, source = self._resize(a, source, i64, "v"), i64
        if target.size > 2:
            return self._convert("sitofp", a, source, target, hint)
        if source.size <= 2:  # exact in f32
            return self._rounded(self._convert("sitofp", a, source, f32, "v"), target, hint)
        if target.name == "f16":
            return self._rounded(self._convert("sitofp", self._in_range_of_f16(a, source), source, f32, "v"), f16, hint)
        wide = a if source == i64 else self._resize(a, source, i64, "v")
        # Beyond 2^53 the last 11 bits may not fit f64: one bit then stands for all of them, which is rounding to odd.
        low = self._write("andi", wide, self._plain(0x7FF, i64), "i64")
        is_cut = self._compare("ne", low, self._plain(0, i64), i64)
        bit = self._select(is_cut, self._plain(0x400, i64), self._plain(0, i64), "i64")
        sticky = self._write("ori", self._write("subi", wide, low, "i64"), bit, "i64")
        shifted = self._write("addi", wide, self._plain(1 << 53, i64), "i64")
        is_large = self._to.op(f"arith.cmpi ugt, {shifted}, {self._plain(1 << 54, i64)} : {self.text(i64)}")
        exact = self._convert("sitofp", self._select(is_large, sticky, wide, "i64"), i64, f64, "v")
        return self._rounded(self._to_odd(exact), target, hint)

    def _float_to_integer(self, a: str, source: ScalarType, target: ScalarType, hint: str) -> str:
        wide = compute_type(source)
        # what does not fit is poison, from which anything may follow: it becomes 0 first
        limit, digits = 2.0 ** (target.bits - 1), 24 if wide == f32 else 53
        above = (
            self._compare("gt", a, self._plain(-limit - 1.0, wide), wide)
            if target.bits <= digits
            else self._compare("ge", a, self._plain(-limit, wide), wide)
        )
        fits = self._write("andi", above, self._compare("lt", a, self._plain(limit, wide), wide), "i1")
        a = self._select(fits, a, self._plain(0.0, wide), wide.name)
        if target.name == "index":
            return self._resize(self._convert("fptosi", a, wide, i64, "v"), i64, target, hint)
        return self._convert("fptosi", a, wide, target, hint)

    def _float_to_float(self, a: str, source: ScalarType, target: ScalarType, hint: str) -> str:
        if target.size == 2:
            if target == f16 and source != f16:
                a = self._in_range_of_f16(a, compute_type(source))
            return self._rounded(self._to_odd(a) if source == f64 else a, target, hint)
        wide = compute_type(source)
        if wide == target:
            return a
        return self._convert("extf" if wide.size < target.size else "truncf", a, wide, target, hint)

    def _in_range_of_f16(self, a: str, type_: ScalarType) -> str:
        """A number that is the same in f16.

        LLVM takes a cast of an integer to a half and on to a wider type for one cast, and overlooks that a half
        overflows. So what overflows is the least such number first.
        """
        for order, limit in (("gt", F16_OVERFLOW), ("lt", -F16_OVERFLOW)):
            most = self._plain(limit if type_.is_integer else float(limit), type_)
            a = self._select(self._compare(order, a, most, type_), most, a, type_.name)
        return a

    def _rounded(self, a: str, type_: ScalarType, hint: str = "v") -> str:
        """A result rounded to a type, in the register's form."""
        if type_.size != 2 or type_.is_integer:
            return a
        return self.loaded(self.to_store(a, type_), type_, hint)

    def _to_odd(self, a: str) -> str:
        """An f64 as f32: truncated, with the last bit set where something was lost.

        A second rounding, to a much narrower type, then gives what one rounding of the f64 would have given.
        """
        wide, word = self.text(f64), self.text(i32)
        nearest = self._convert("truncf", a, f64, f32, "v")
        widened = self._convert("extf", nearest, f32, f64, "v")
        lost = self._to.op(f"arith.cmpf one, {widened}, {a} : {wide}")
        sides = [self._to.op(f"math.absf {n} : {wide}") for n in (widened, a)]
        too_far = self._compare("gt", sides[0], sides[1], f64)
        bits = self._to.op(f"arith.bitcast {nearest} : {self.text('f32')} to {word}")
        toward_zero = self._write(
            "subi", bits, self._to.op(f"arith.extui {too_far} : {self.text('i1')} to {word}"), "i32"
        )
        odd = self._write("ori", toward_zero, self._plain(1, i32), "i32")
        return self._to.op(f"arith.bitcast {self._select(lost, odd, bits, 'i32')} : {word} to {self.text('f32')}")

    # Single operations.

    def _write(self, operation: str, a: str, b: str, type_: str, hint: str = "v") -> str:
        return self._to.op(f"arith.{operation} {a}, {b} : {self.text(type_)}", hint)

    def _convert(self, operation: str, a: str, source: ScalarType, target: ScalarType, hint: str) -> str:
        return self._to.op(f"arith.{operation} {a} : {self.text(source)} to {self.text(target)}", hint)

    def _compare(self, variant: str, a: str, b: str, type_: ScalarType, hint: str = "v") -> str:
        if type_.is_integer:
            return self._to.op(f"arith.cmpi {_INTEGER_ORDERS[variant]}, {a}, {b} : {self.text(type_)}", hint)
        return self._to.op(f"arith.cmpf {_FLOATING_ORDERS[variant]}, {a}, {b} : {self.text(compute_type(type_))}", hint)

    def _select(self, condition: str, a: str, b: str, type_: str, hint: str = "v") -> str:
        kind = f"{self.text('i1')}, {self.text(type_)}" if self._lanes else type_
        return self._to.op(f"arith.select {condition}, {a}, {b} : {kind}", hint)


_COMPLEX_FUNCTIONS: Meanings[str, Callable[[Numbers, Number, ScalarType, str], Number]] = Meanings(
    "MLIR, math of complex numbers",
    {
        **dict.fromkeys(("exp", "native_exp"), Numbers._complex_exponential),
        **dict.fromkeys(
            ("exp2", "native_exp2"), partial(Numbers._complex_exponential, function="exp2", angle=math.log(2))
        ),
    },
)
