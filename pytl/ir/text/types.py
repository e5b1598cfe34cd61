"""Reading types: scalars, memrefs, groups, cooperative matrices."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..types import (
    DYNAMIC,
    SCALAR_TYPES,
    AddressSpace,
    CoopMatrixType,
    Extent,
    GroupType,
    MemrefType,
    ScalarType,
    Type,
    bool_,
    void,
)
from .literals import checked_integer
from .reader import Reader
from .scanner import INTEGER

if TYPE_CHECKING:
    from .parser import Parser

_SCALAR = re.compile(rf"(?:{'|'.join(sorted(SCALAR_TYPES, key=len, reverse=True))})(?![A-Za-wyz_0-9])")
MAX_ORDER = 64
_USE = re.compile(r"matrix_(?:a|b|acc)\b")


def read_type(parser: Parser, default_space: AddressSpace = "global") -> Type:
    """A type of any kind. `default_space` is taken where a memref names no address space."""
    if parser.scanner.accept("bool"):
        return bool_
    if parser.scanner.accept("void"):
        return void
    if parser.scanner.at("memref"):
        return _memref(parser, default_space)
    if parser.scanner.at("group"):
        return _group(parser)
    if parser.scanner.at("coopmatrix"):
        return _coopmatrix(parser)
    return read_scalar(parser, "a type")


def read_scalar(parser: Parser, wanted: str = "a scalar type") -> ScalarType:
    found = parser.scanner.match(_SCALAR)
    if not found:
        parser.fail(f"expected {wanted}, but found {parser.scanner.next_text()}")
    return SCALAR_TYPES[found.group()]


def _memref(parser: Parser, default_space: AddressSpace) -> MemrefType:
    parser.expect("memref")
    parser.expect("<")
    element = read_scalar(parser)
    shape: list[Extent] = []
    while accept_times(parser):
        shape.append(_extent(parser))
        if len(shape) > MAX_ORDER:
            parser.fail(f"a tensor has at most {MAX_ORDER} modes")
    strides: list[Extent] | None = None
    space = default_space
    if parser.scanner.accept(","):
        if parser.scanner.accept("strided"):
            strides = _strides(parser)
            if len(strides) != len(shape):
                parser.fail(f"the layout has {len(strides)} strides, but the shape has {len(shape)} modes")
            if parser.scanner.accept(","):
                space = _space(parser)
        else:
            space = _space(parser)
    parser.expect(">")
    return MemrefType(element, tuple(shape), tuple(strides or ()), space)


def accept_times(parser: Reader) -> bool:
    """Read the `x` between two sizes if it is next."""
    # `x` may be glued to the number behind it, so it is not a keyword of its own
    scanner = parser.scanner
    start = scanner.skip_blanks()
    if not scanner.text.startswith("x", start):
        return False
    scanner.position = scanner.last_end = start + 1
    return True


def _extent(parser: Parser) -> Extent:
    return DYNAMIC if parser.scanner.accept("?") else read_size(parser, "a size or `?`")


def read_size(parser: Reader, wanted: str = "a size") -> int:
    """An integer that an `x` may be glued to."""
    found = parser.scanner.match(INTEGER)
    if not found:
        parser.fail(f"expected {wanted}, but found {parser.scanner.next_text()}")
    return checked_integer(parser, found.group())


def _strides(parser: Parser) -> list[Extent]:
    parser.expect("<")
    strides = parser.comma_separated(lambda: _extent(parser), closing=">")
    parser.expect(">")
    return strides


def _space(parser: Parser) -> AddressSpace:
    if parser.scanner.accept("global"):
        return "global"
    if parser.scanner.accept("local"):
        return "local"
    parser.fail(f"expected `strided<…>`, `global` or `local`, but found {parser.scanner.next_text()}")


def _group(parser: Parser) -> GroupType:
    parser.expect("group")
    parser.expect("<")
    if not parser.scanner.at("memref"):
        parser.fail(f"a group is of memrefs; found {parser.scanner.next_text()}")
    memref = _memref(parser, "global")
    if not accept_times(parser):
        parser.fail(f"expected `x` and the group's size, but found {parser.scanner.next_text()}")
    count = _extent(parser)
    offset: Extent = 0
    if parser.scanner.accept(","):
        parser.expect("offset")
        parser.expect(":")
        offset = _extent(parser)
    parser.expect(">")
    return GroupType(memref, count, offset)


def _coopmatrix(parser: Parser) -> CoopMatrixType:
    parser.expect("coopmatrix")
    parser.expect("<")
    component = read_scalar(parser)
    sizes: list[int] = []
    for _ in range(2):
        if not accept_times(parser):
            parser.fail("a coopmatrix has two sizes, as in coopmatrix<f32x8x16,matrix_acc>")
        sizes.append(read_size(parser))
    parser.expect(",")
    use = parser.scanner.match(_USE)
    if not use:
        parser.fail(f"expected matrix_a, matrix_b or matrix_acc, but found {parser.scanner.next_text()}")
    parser.expect(">")
    return CoopMatrixType(component, sizes[0], sizes[1], use.group())  # type: ignore[arg-type]
