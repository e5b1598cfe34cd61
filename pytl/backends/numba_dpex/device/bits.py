"""Numbers of other types with the same bits: `bitcast_<s>_<t>(x)`."""

from __future__ import annotations

from llvmlite import ir
from numba.core import errors

from .elements import ELEMENTS, Element, decode, encode
from .pointers import named_intrinsic
from .signatures import join, split


def _bits(builder: ir.IRBuilder, element: Element, value: ir.Value) -> ir.Value:
    """A number as an integer of its width; the real part of a complex one has the low bits, as in memory."""
    bits = ir.IntType(8 * element.size)
    if not element.is_complex:
        return builder.bitcast(encode(builder, element, value), bits)
    half = bits.width // 2
    low, high = (builder.zext(builder.bitcast(part, ir.IntType(half)), bits) for part in split(builder, value))
    return builder.or_(low, builder.shl(high, bits(half)))


def _number(builder: ir.IRBuilder, element: Element, bits: ir.Value) -> ir.Value:
    if not element.is_complex:
        return decode(builder, element, builder.bitcast(bits, element.storage))
    half, part = bits.type.width // 2, element.part.storage
    halves = (builder.trunc(each, ir.IntType(half)) for each in (bits, builder.lshr(bits, bits.type(half))))
    return join(builder, *(builder.bitcast(each, part) for each in halves))


def _bitcast(name: str, source: Element, target: Element):
    def bitcast(typing_context, number):
        """The number of another type that has the same bits."""
        if number != source.register:
            raise errors.TypingError(f"{name} takes {source.register}, not {number}")

        def codegen(context, builder, sig, args):
            return _number(builder, target, _bits(builder, source, args[0]))

        return target.register(source.register), codegen

    return named_intrinsic(name, bitcast)


BITCASTS = {
    name: _bitcast(name, source, target)
    for source in ELEMENTS.values()
    for target in ELEMENTS.values()
    if source.size == target.size and source is not target
    for name in [f"bitcast_{source.name}_{target.name}"]
}
"""The functions by their names in generated source."""
