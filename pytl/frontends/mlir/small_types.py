"""Numbers of few bits: integers of widths that the language has not, and floats of 8, 6 and 4 bits.

A function is rewritten before it is read. An integer is one of the next larger width, whose upper bits are no part of
it, and a float a byte that has its bits. What computes does so in the larger width, or in f32, between casts; all else
moves elements of memory as they are.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...mlir.text import Memref, Operation, Region, Scalar, Tensor, Vector
from ...mlir.text.names import PREDICATES
from ...mlir.text.tree import MALFORMED, Dense
from ...mlir.text.types import I1, I32, I64
from ...process.records import dataclass
from . import rules
from .context import Context
from .numbers import CASTS, check_rounding
from .parallel import operation_of
from .structured import function_of_elements
from .table import having
from .tree_writer import TreeWriter
from .types import dtype_name, with_elements
from .vector_forms import CONTRACTED

_WIDTHS = (8, 16, 32, 64)
"""Those of integers that the language has."""
_CLOSED, _UNSIGNED = having("closed"), having("unsigned")
_BITS = ("arith.bitcast", "vector.bitcast")
_OF_VECTORS = (*CONTRACTED, "vector.fma")
_CHOOSING = {"vector.gather": -3, "vector.scatter": -3, "cf.switch": 0}
"""Operations that need all of an integer among their operands, and which one."""
_OF_TWO_WORDS = ("arith.addui_extended", "arith.mulsi_extended", "arith.mului_extended")
_UPDATES = {"memref.atomic_rmw": "kind", "affine.parallel": "reductions"}
"""Operations that combine numbers, and what says how."""
_F32, _F64 = Scalar("f32"), Scalar("f64")
_NAN, _INFINITY = 0x7FC00000, 0x7F800000
"""Bits of f32."""


@dataclass(frozen=True)
class _Format:
    """A float: the bits of its exponent and of its fraction, the exponent's bias, and what has no number.

    `beyond` says which codes are none: those of "ieee" (the largest exponent: infinity, and nan), "fn" (all bits of
    both are one: nan), "fnuz" (minus zero is nan), or none ("finite"). Powers of two ("power") have no sign, no zero
    and no fraction; all bits one is nan.
    """

    exponent: int
    fraction: int
    bias: int
    beyond: str

    @property
    def size(self) -> int:
        """The bits without the sign."""
        return self.exponent + self.fraction

    @property
    def infinity(self) -> int:
        return ((1 << self.exponent) - 1) << self.fraction

    @property
    def nan(self) -> int:
        return {"ieee": self.infinity | 1 << (self.fraction - 1), "fn": (1 << self.size) - 1}.get(
            self.beyond, 1 << self.size
        )

    @property
    def largest(self) -> int:
        """The code of the largest number, or of infinity."""
        return self.infinity if self.beyond == "ieee" else (1 << self.size) - (2 if self.beyond == "fn" else 1)

    @property
    def overflow(self) -> int:
        """What numbers become that are too large."""
        return self.largest if self.beyond in ("ieee", "finite") else self.nan


@dataclass(frozen=True)
class _Wide:
    """A float that the language has: its bits as an integer, and the exponent's bias."""

    integer: Scalar
    fraction: int
    bias: int
    packed: str

    @property
    def size(self) -> int:
        return self.integer.bits - 1

    @property
    def infinity(self) -> int:
        return (2 * self.bias + 1) << self.fraction

    def bits_of(self, number: float) -> int:
        return int.from_bytes(struct.pack(self.packed, number), "little")


_WIDE = {"f32": _Wide(I32, 23, 127, "<f"), "f64": _Wide(I64, 52, 1023, "<d")}
_FORMATS = {
    "f8E5M2": _Format(5, 2, 15, "ieee"),
    "f8E4M3": _Format(4, 3, 7, "ieee"),
    "f8E3M4": _Format(3, 4, 3, "ieee"),
    "f8E4M3FN": _Format(4, 3, 7, "fn"),
    "f8E5M2FNUZ": _Format(5, 2, 16, "fnuz"),
    "f8E4M3FNUZ": _Format(4, 3, 8, "fnuz"),
    "f8E4M3B11FNUZ": _Format(4, 3, 11, "fnuz"),
    "f6E2M3FN": _Format(2, 3, 1, "finite"),
    "f6E3M2FN": _Format(3, 2, 3, "finite"),
    "f4E2M1FN": _Format(2, 1, 1, "finite"),
    "f8E8M0FNU": _Format(8, 0, 127, "power"),
}


def plain(type_: Any) -> Any:
    """The type that stands for one in the rewritten function."""
    return with_elements(type_, _plain_number)


def _plain_number(type_: Any) -> Any:
    if not isinstance(type_, Scalar) or type_.name in _FORMATS:
        return Scalar("i8") if isinstance(type_, Scalar) else type_
    bits = type_.bits if type_.name[:1] == "i" and type_.name != "index" else 1
    return type_ if bits in (1, *_WIDTHS) or bits > 64 else Scalar(f"i{min(w for w in _WIDTHS if w > bits)}")


def _element(type_: Any) -> Any:
    return type_.element if isinstance(type_, Vector) else type_


def _like(type_: Any, element: Scalar) -> Any:
    """The type of numbers of an element's type, as many as another one has."""
    return replace(type_, element=element) if isinstance(type_, Vector) else element


def _is_small(type_: Any) -> bool:
    return plain(type_) != type_


def _is_small_float(type_: Any) -> bool:
    return isinstance(element := _element(type_), Scalar) and element.name in _FORMATS


def _is_unsigned(op: Operation) -> bool:
    """Whether an operation takes integers to have no sign."""
    if op.name == "arith.cmpi":
        return op.word_of("predicate", PREDICATES).startswith("u")
    return op.name in _UNSIGNED or op.word_of("kind") in ("minui", "maxui")


def _has_small(op: Operation) -> bool:
    arguments = (of for region in op.regions for block in region.blocks for _, of in block.arguments)
    return any(map(_is_small, (*op.operand_types, *op.result_types, *arguments)))


def with_plain_numbers(ctx: Context, function: Operation) -> Operation:
    """A function on numbers that the language has, which does the same. Raises `Refused`, which has been reported."""
    if not any(map(_has_small, function.walk())):
        return function
    rewriter = _Rewriter(ctx, function)
    try:
        return rewriter.whole()
    except MALFORMED:
        ctx.fail(rewriter.op, rules.OPERANDS, "it has operands, types or attributes that do not fit each other")


def with_plain_values(constants: Mapping[str, Operation]) -> dict[str, Operation]:
    """Memory of a module, whose elements are numbers that the language has."""
    return {name: replace(op, attributes=_plain_attributes(op)) for name, op in constants.items()}


def _plain_attributes(op: Operation) -> dict[str, Any]:
    """The attributes of an operation; types in them, and constants, are those of the rewritten function."""
    return {name: plain_value(value) for name, value in op.attributes.items()}


def plain_value(value: Any) -> Any:
    """Elements of a constant as numbers of the type that stands for theirs; a type as that one."""
    if not isinstance(value, Dense) or not isinstance(value.type, (Tensor, Vector, Memref)):
        return plain(value)
    element = value.type.element
    return value if not _is_small(element) else Dense(_coded(value.values, element), plain(value.type))


def _coded(values: Any, element: Any) -> Any:
    """Numbers of a text as those of the type that stands for an element's: of floats, the bits."""
    if isinstance(values, tuple):
        return tuple(_coded(each, element) for each in values)
    if element.name in _FORMATS and isinstance(values, int):
        return values - 256 if values > 127 else values  # the bits, as hexadecimal digits
    if element.name not in _FORMATS:
        half = 1 << element.bits - 1
        return (int(values) + half) % (2 * half) - half
    import ml_dtypes
    import numpy

    return int(numpy.array(float(values), getattr(ml_dtypes, dtype_name(element))).view(numpy.int8))


class _Rewriter(TreeWriter):
    """Rewrites one function."""

    def __init__(self, ctx: Context, function: Operation) -> None:
        super().__init__(function)
        self.ctx = ctx
        self.renamed: dict[str, str] = {}
        """The names of values that others stand for."""
        self._count = 0

    def new_name(self) -> str:
        self._count += 1
        return f"% small {self._count}"

    def whole(self) -> Operation:
        return self._moved(self.op)

    def _operation(self, op: Operation) -> None:
        outer, self.op = self.op, replace(op, operands=[self.renamed.get(each, each) for each in op.operands])
        if not _has_small(op):
            self.out.append(self._moved(self.op))
        elif op.name in CASTS:
            self._cast(self.op)
        elif op.name in _BITS and list(map(plain, op.operand_types)) == list(map(plain, op.result_types)):
            self.renamed[op.results[0]] = self.op.operands[0]
        elif op.name in _BITS or op.name in _OF_TWO_WORDS or not self._is_closed(self.op):
            self.ctx.fail(
                op, rules.TYPE, f"it is not read of {op.operand_types[0]}", "cast it to a type of 8 bits or more"
            )
        elif op.name in _CHOOSING and _is_small(op.operand_types[_CHOOSING[op.name]]):
            number = _CHOOSING[op.name]
            operands, types = ([*given] for given in (self.op.operands, op.operand_types))
            operands[number], types[number] = self._widened(operands[number], types[number], is_unsigned=False)
            self.out.append(self._moved(replace(self.op, operands=operands, operand_types=types)))
        elif op.name in _OF_VECTORS or (op.name.startswith(("arith.", "math.")) and op.name != "arith.constant"):
            self._computed(self.op)
        else:
            self.out.append(self._moved(self.op))
        self.op = outer

    @staticmethod
    def _is_closed(op: Operation) -> bool:
        """Whether what combines elements of memory needs no more than their lower bits."""
        words = op.attributes.get(_UPDATES.get(op.name, ""), ())
        types = op.operand_types[:1] if op.name == "memref.atomic_rmw" else op.result_types
        return all(
            not _is_small(of)
            or (not _is_small_float(of) and operation_of(word) in _CLOSED)
            or operation_of(word) == "arith.assign"
            for of, word in zip(types, words if isinstance(words, tuple) else (words,))
        )

    def _moved(self, op: Operation) -> Operation:
        """An operation on values of the types that stand for others, and its regions."""
        if (
            op.name.startswith("linalg.")
            and op.name not in ("linalg.yield", "linalg.index")
            and _has_small(op)
            and not any(region.blocks for region in op.regions)
        ):
            op = replace(op, regions=[Region([function_of_elements(self.ctx, op)])])
        regions = []
        for region in op.regions:
            blocks = []
            for block in region.blocks:
                with self.inner() as out:
                    for each in block.operations:
                        self._operation(each)
                arguments = [(name, plain(of)) for name, of in block.arguments]
                blocks.append(replace(block, arguments=arguments, operations=out))
            regions.append(Region(blocks))
        types, given = [*map(plain, op.operand_types)], [*map(plain, op.result_types)]
        attributes = _plain_attributes(op)
        if op.name == "arith.constant" and isinstance(op.result_types[0], Scalar) and _is_small(op.result_types[0]):
            attributes["value"] = _coded(attributes["value"], op.result_types[0])
        return replace(op, operand_types=types, result_types=given, attributes=attributes, regions=regions)

    # Arithmetic.

    def _number(self, value: Any, like: Any) -> str:
        """A constant of a type of numbers, or of vectors of them."""
        value = Dense(value, like) if isinstance(like, Vector) else value
        return self.emit("arith.constant", [], [], [like], {"value": value})

    def _on(self, word: str, a: str, b: Any, like: Any) -> str:
        """Arithmetic of two values of a type, of which the second one may be a number."""
        return self.same(f"arith.{word}", [a, b if isinstance(b, str) else self._number(b, like)], like)

    def _as(self, word: str, a: str, source: Any, target: Any) -> str:
        return a if source == target else self.emit(f"arith.{word}", [a], [source], [target])

    def _holds(self, a: str, b: Any, like: Any, predicate: str = "slt") -> str:
        b = b if isinstance(b, str) else self._number(b, like)
        return self.emit("arith.cmpi", [a, b], [like] * 2, [_like(like, I1)], {"predicate": predicate})

    def _chosen(self, condition: str, a: str, b: Any, like: Any) -> str:
        b = b if isinstance(b, str) else self._number(b, like)
        return self.emit("arith.select", [condition, a, b], [_like(like, I1), like, like], [like])

    def _widened(self, name: str, type_: Any, is_unsigned: bool) -> tuple[str, Any]:
        """A value in a type that the language computes in."""
        element, like = _element(type_), plain(type_)
        if not _is_small(type_):
            return name, type_
        if element.name in _FORMATS:
            return self._decoded(name, like, _FORMATS[element.name]), _like(type_, _F32)
        if is_unsigned:
            return self._on("andi", name, (1 << element.bits) - 1, like), like
        off = self._number(_element(like).bits - element.bits, like)
        return self._on("shrsi", self._on("shli", name, off, like), off, like), like

    @staticmethod
    def _wide_float(type_: Any, *given: Any) -> Any:
        """The type in which what becomes floats of few bits is computed of operands; the exponent alone is f32's."""
        is_double = _F64 in map(_element, given) and _FORMATS[_element(type_).name].beyond != "power"
        return _like(type_, _F64 if is_double else _F32)

    def _narrowed(self, value: str, type_: Any, wide: Any) -> str:
        """What stands for a value of a type that was computed in a wider one."""
        format_ = _FORMATS.get(_element(type_).name)
        return value if format_ is None else self._encoded(value, wide, format_)

    def _computed(self, op: Operation) -> None:
        """Arithmetic in wider types."""
        is_float = any(_is_small_float(of) for of in (*op.operand_types, *op.result_types))
        operands, types = op.operands, [*map(plain, op.operand_types)]
        if op.name.startswith("arith.scaling_"):
            scale = _element(op.operand_types[1])
            if _is_small_float(scale) and _FORMATS[scale.name].beyond != "power":
                self.ctx.fail(op, rules.TYPE, f"its scale is f8E8M0FNU, or a float of 16 bits or more, not {scale}")
        if op.name != "arith.select" and (is_float or op.name not in _CLOSED):
            pairs = [self._widened(*each, _is_unsigned(op)) for each in zip(op.operands, op.operand_types)]
            operands, types = [name for name, _ in pairs], [of for _, of in pairs]
        is_wide = is_float and op.name != "arith.select"
        wide = [self._wide_float(of, *types) if is_wide and _is_small(of) else plain(of) for of in op.result_types]
        self.emit(op.name, operands, types, wide, dict(op.attributes))
        for name, made, of, type_ in zip(op.results, self.out[-1].results, op.result_types, wide):
            if op.name == "math.ctlz" and _is_small(of):
                made = self._on("subi", made, _element(type_).bits - _element(of).bits, type_)
            elif op.name == "math.cttz" and _is_small(of):
                made = self._on("minui", made, _element(of).bits, type_)
            self.renamed[name] = self._narrowed(made, of, type_) if type_ != plain(of) else made

    def _cast(self, op: Operation) -> None:
        """A cast between types, of which one at least is small."""
        check_rounding(self.ctx, op)
        (source,), (target,), word = op.operand_types, op.result_types, op.name.partition(".")[2]
        value, wide = self._widened(op.operands[0], source, op.name in _UNSIGNED)
        to = plain(target)
        if _element(target).name in _FORMATS:
            to = self._wide_float(target, wide)
        if word in ("extf", "truncf"):
            word = "extf" if _element(wide).bits < _element(to).bits else "truncf"
        elif word in ("extsi", "extui", "trunci") and _element(wide).bits > _element(to).bits:
            word = "trunci"
        self.renamed[op.results[0]] = self._narrowed(self._as(word, value, wide, to), target, to)

    # Floats of a byte.

    def _decoded(self, byte: str, like: Any, format_: _Format) -> str:
        """The number in f32 whose bits a byte has."""
        i32, f32, fraction = _like(like, I32), _like(like, _F32), format_.fraction
        code = self._as("extui", byte, like, i32)
        size = self._on("andi", code, (1 << format_.size) - 1, i32)
        bits = self._on("shli", size, 23 - fraction, i32)
        if format_.beyond == "power":
            is_end = self._holds(self._on("subi", size, 1, i32), 254, i32, "uge")
            return self._as("bitcast", self._chosen(is_end, self._on("ori", bits, 1 << 22, i32), bits, i32), i32, f32)
        bits = self._on("addi", bits, (127 - format_.bias) << 23, i32)
        least = self._number(2.0 ** (1 - format_.bias - fraction), f32)
        small = self._on("mulf", self._as("uitofp", size, i32, f32), least, f32)
        is_small = self._holds(size, 1 << fraction, i32)
        bits = self._chosen(is_small, self._as("bitcast", small, f32, i32), bits, i32)
        if format_.beyond == "ieee":
            rest = self._on("shli", self._on("subi", size, format_.infinity, i32), 23 - fraction, i32)
            beyond = self._on("addi", rest, _INFINITY, i32)
            bits = self._chosen(self._holds(size, format_.infinity, i32), bits, beyond, i32)
        elif format_.beyond == "fn":
            bits = self._chosen(self._holds(size, format_.nan, i32), bits, _NAN, i32)
        sign = self._on("shli", self._on("andi", code, 1 << format_.size, i32), 31 - format_.size, i32)
        bits = self._on("ori", bits, sign, i32)
        if format_.beyond == "fnuz":
            bits = self._chosen(self._holds(code, format_.nan, i32, "eq"), self._number(_NAN, i32), bits, i32)
        return self._as("bitcast", bits, i32, f32)

    def _encoded(self, value: str, type_: Any, format_: _Format) -> str:
        """The bits of the nearest number of a format, the even one of two, as a byte."""
        wide = _WIDE[_element(type_).name]
        whole, byte = _like(type_, wide.integer), _like(type_, Scalar("i8"))
        bits = self._as("bitcast", value, type_, whole)
        if format_.beyond == "power":
            return self._as("trunci", self._on("shrui", bits, wide.fraction, whole), whole, byte)
        size = self._on("andi", bits, (1 << wide.size) - 1, whole)
        off = wide.fraction - format_.fraction
        last = self._on("andi", self._on("shrui", size, off, whole), 1, whole)
        rounded = self._on("addi", self._on("addi", size, (1 << off - 1) - 1, whole), last, whole)
        code = self._on("shrui", rounded, off, whole)
        code = self._on("subi", code, (wide.bias - format_.bias) << format_.fraction, whole)
        # below the least normal number, a sum with a large one rounds to multiples of the least one
        large = 2.0 ** (wide.fraction + 1 - format_.bias - format_.fraction)
        total = self._on("addf", self._as("bitcast", size, whole, type_), large, type_)
        small = self._on("subi", self._as("bitcast", total, type_, whole), wide.bits_of(large), whole)
        is_small = self._holds(size, (wide.bias + 1 - format_.bias) << wide.fraction, whole)
        code = self._chosen(is_small, small, code, whole)
        code = self._chosen(self._holds(code, format_.largest + 1, whole), code, format_.overflow, whole)
        is_number = self._holds(size, wide.infinity + 1, whole)
        code = self._chosen(is_number, code, format_.nan, whole)
        sign = self._on("shli", self._on("shrui", bits, wide.size, whole), format_.size, whole)
        if format_.beyond == "fnuz":
            # zero has no sign, and what has no number is minus zero
            has_sign = self._holds(self._number(0, whole), code, whole)
            sign = self._chosen(has_sign, sign, 0, whole)
        return self._as("trunci", self._on("ori", code, sign, whole), whole, byte)
