"""The types of the immediate language: how they are read and printed, and what they are in the IR."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from ...ir.text.literals import read_integer
from ...ir.text.reader import Reader
from ...ir.text.types import MAX_ORDER, accept_times, read_size
from ...ir.types import (
    DYNAMIC,
    SCALAR_TYPES,
    GroupType,
    MemrefType,
    ScalarType,
    Type,
    UnknownType,
    VoidType,
    i16,
    i32,
    i64,
    packed_strides,
    void,
)
from ...process.records import dataclass
from . import rules

_SCALAR = re.compile(r"(?:[iu](?:8|16|32|64)|f(?:32|64))(?![A-Za-wyz_0-9])")
_WORD = re.compile(r"[A-Za-z][A-Za-wyz0-9_]*")
_ELEMENTS = "integers are i8 … i64 and u8 … u64, floating types f32 and f64"


@dataclass(frozen=True)
class Scalar:
    """A scalar type; `bits` is the type of the IR with the same bits, which has no unsigned integers."""

    bits: ScalarType
    unsigned: bool = False

    def __str__(self) -> str:
        return f"u{self.bits.name[1:]}" if self.unsigned else self.bits.name

    @property
    def ir(self) -> ScalarType:
        return self.bits

    @property
    def range(self) -> tuple[int, int]:
        """The least and the largest number of an integer type."""
        bits = self.bits.bits
        return (0, 2**bits - 1) if self.unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


SCALARS = (
    *(Scalar(SCALAR_TYPES[name], unsigned) for unsigned in (False, True) for name in ("i8", "i16", "i32", "i64")),
    Scalar(SCALAR_TYPES["f32"]),
    Scalar(SCALAR_TYPES["f64"]),
)
"""All scalar types."""


@dataclass(frozen=True)
class Memref:
    """A tensor in memory, of static size; the strides of the packed layout are not printed."""

    element: Scalar
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    def __str__(self) -> str:
        shape = "x".join(map(str, (self.element, *self.shape)))
        layout = "" if self.is_packed else f",strided<{','.join(map(str, self.strides))}>"
        return f"memref<{shape}{layout}>"

    @property
    def is_packed(self) -> bool:
        return self.strides == packed_strides(self.shape)

    @property
    def ir(self) -> MemrefType:
        return MemrefType(self.element.bits, self.shape, self.strides)

    @property
    def end(self) -> int:
        """The number of elements up to where a next tensor of its kind may begin: S_n s_n."""
        return self.strides[-1] * self.shape[-1] if self.shape else 1


@dataclass(frozen=True)
class Group:
    """A group of memrefs: at a distance in one piece of memory, or by a pointer each, where the distance is None."""

    memref: Memref
    distance: int | None = None

    def __str__(self) -> str:
        layout = "pointers" if self.distance is None else f"distance<{self.distance}>"
        return f"group<{self.memref},{layout}>"

    @property
    def ir(self) -> Type:
        memref = self.memref.ir
        if self.distance is None:
            return GroupType(memref)
        return MemrefType(memref.element, (*memref.shape, DYNAMIC), (*memref.strides, self.distance))

    @property
    def ir_of_memory(self) -> Type:
        """What the group is in the IR where its items are taken with an offset: plain memory."""
        memory = MemrefType(self.memref.element.bits, (DYNAMIC,))
        return GroupType(memory) if self.distance is None else memory


@dataclass(frozen=True)
class LoopVariable:
    """The variable of a loop. An unsigned one is counted in a wider type of the IR, or in one of 64 bits."""

    type: Scalar

    @property
    def ir(self) -> ScalarType:
        return _COUNTERS[self.type.bits.bits] if self.type.unsigned else self.type.bits


_COUNTERS = {8: i16, 16: i32, 32: i64, 64: i64}
DraftType = Scalar | Memref | Group | VoidType


def is_unsigned(type_: Any) -> bool:
    """Whether a type's numbers are unsigned."""
    if isinstance(type_, Group):
        return type_.memref.element.unsigned
    if isinstance(type_, Memref):
        return type_.element.unsigned
    return isinstance(type_, Scalar) and type_.unsigned


# Reading. What breaks a rule of types is reported, and reading goes on behind it.


def read_type(reader: Reader) -> DraftType | UnknownType:
    """A type of any kind; unknown where it breaks a rule."""
    before = len(reader.diagnostics.errors)
    type_ = _read_type(reader)
    return type_ if len(reader.diagnostics.errors) == before else UnknownType()


def _read_type(reader: Reader) -> DraftType:
    if reader.accept("void"):
        return void
    if reader.at("memref"):
        return read_memref(reader)
    if reader.at("group"):
        return read_group(reader)
    return read_scalar(reader, "a type")


def read_scalar(reader: Reader, expectation: str = "a scalar type") -> Scalar:
    match = reader.scanner.match(_SCALAR)
    if match is None:
        word = _WORD.match(reader.scanner.text, reader.scanner.skip_blanks())
        if word is not None and word.group() in SCALAR_TYPES:
            reader.scanner.match(_WORD)
            location = reader.scanner.location_from(word.start())
            message = f"{word.group()} is a type of the tensor language, and not of the immediate language"
            reader.diagnostics.report(rules.ELEMENT, message, location, _ELEMENTS)
            return Scalar(i32)
        reader.fail(f"expected {expectation}, but found {reader.scanner.next_text()}")
    name = match.group()
    return Scalar(SCALAR_TYPES[f"i{name[1:]}" if name[0] == "u" else name], name[0] == "u")


def read_integer_type(reader: Reader) -> Scalar:
    start = reader.scanner.skip_blanks()
    type_ = read_scalar(reader, "an integer type")
    if not type_.bits.is_integer:
        message = f"expected an integer type, but found {type_}"
        reader.diagnostics.report(rules.OPERAND, message, reader.scanner.location_from(start))
        return Scalar(i32)
    return type_


def read_memref(reader: Reader) -> Memref:
    reader.expect("memref")
    reader.expect("<")
    element = read_scalar(reader)
    shape: list[int] = []
    while accept_times(reader):
        shape.append(_static(reader, "a size", read_size))
        if len(shape) > MAX_ORDER:
            reader.fail(f"a tensor has at most {MAX_ORDER} modes")
    strides = packed_strides(tuple(shape))
    if reader.accept(","):
        strides = _strides(reader, shape)
    reader.expect(">")
    return Memref(element, tuple(shape), strides)  # type: ignore[arg-type]


def _strides(reader: Reader, shape: list[int]) -> tuple[int, ...]:
    if not reader.at("strided"):
        reader.fail(f"expected `strided<…>`, but found {reader.scanner.next_text()}")
    start = reader.scanner.skip_blanks()
    reader.expect("strided")
    reader.expect("<")
    strides = tuple(reader.comma_separated(lambda: _static(reader, "a stride", read_integer), closing=">"))
    reader.expect(">")
    location = reader.scanner.location_from(start)
    packed = f"the packed layout is strided<{','.join(map(str, packed_strides(tuple(shape))))}>"
    if len(strides) != len(shape):
        message = f"the layout has {len(strides)} strides, but the shape has {len(shape)} modes"
        reader.diagnostics.report(rules.STRIDES, message, location, packed)
        return packed_strides(tuple(shape))  # type: ignore[return-value]
    for mode, (size, (before, stride)) in enumerate(zip(shape, pairwise(strides)), 1):
        if before * size > stride:
            message = f"the stride of mode {mode} is {stride}, but mode {mode - 1} ends after {before * size} elements"
            reader.diagnostics.report(rules.STRIDES, message, location, packed)
            break
    return strides


def read_group(reader: Reader) -> Group:
    start = reader.scanner.skip_blanks()
    reader.expect("group")
    reader.expect("<")
    if not reader.at("memref"):
        reader.fail(f"a group is of memrefs; found {reader.scanner.next_text()}")
    memref = read_memref(reader)
    reader.expect(",")
    distance: int | None = None
    if reader.accept("distance"):
        reader.expect("<")
        distance = _static(reader, "a distance", read_integer)
        reader.expect(">")
    elif not reader.accept("pointers"):
        reader.fail(f"expected `distance<…>` or `pointers`, but found {reader.scanner.next_text()}")
    reader.expect(">")
    if distance is not None and distance < memref.end:
        message = (
            f"the distance of {Group(memref, distance)} is {distance}, but an item ends after {memref.end} elements"
        )
        location = reader.scanner.location_from(start)
        reader.diagnostics.report(rules.DISTANCE, message, location, f"write distance<{memref.end}>, or more")
    return Group(memref, distance)


def _static(reader: Reader, what: str, read: Any) -> int:
    """A size, stride or distance."""
    start = reader.scanner.skip_blanks()
    if reader.accept("?"):
        location = reader.scanner.location_from(start)
        reader.diagnostics.report(rules.STATIC, f"{what} is `?`, but must be known", location, "write a number")
        return 1
    number: int = read(reader)
    if number < 1:
        location = reader.scanner.location_from(start)
        reader.diagnostics.report(rules.STATIC, f"{what} is {number}", location, "write a number from 1 on")
        return 1
    return number
