"""Software prefetch."""

from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.extending import intrinsic

from ....passes.targets.cache_lines import LINE
from ..device.elements import I32, I64
from ..device.pointers import SPIRV, Pointer

READ, DATA = I32(0), I32(1)
LOCALITY = 4
"""LLVM has 3 for the first level, 2 for the second, and 1 for the third."""


def prefetch_line(builder: ir.IRBuilder, address: ir.Value, level: int) -> None:
    """Prefetch the cache line of an address into a level of the cache."""
    space = address.type.addrspace
    byte = builder.bitcast(address, ir.IntType(8).as_pointer(space))
    kind = ir.FunctionType(ir.VoidType(), [byte.type, *(ir.IntType(32),) * 3])
    function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.prefetch.p{space}i8")
    builder.call(function, [byte, READ, I32(LOCALITY - level), DATA])


@intrinsic(target=SPIRV, prefer_literal=True)
def prefetch(typing_context, pointer, elements, level, unrolled):
    """Prefetch the cache lines of so many elements. An address outside of memory has no effect.

    All but the pointer are literal numbers; `unrolled` is 1, or 0 for a loop over the lines.
    """
    literals = (elements, level, unrolled)
    if not isinstance(pointer, Pointer) or not all(isinstance(literal, types.IntegerLiteral) for literal in literals):
        raise errors.TypingError(f"prefetch takes a pointer and literal numbers, not {pointer}, {literals}")
    size = elements.literal_value * pointer.element.size

    def codegen(context, builder, sig, args):
        space = args[0].type.addrspace
        bytes_ = builder.bitcast(args[0], ir.IntType(8).as_pointer(space))
        lines = -(-size // LINE)
        if unrolled.literal_value:
            for line in range(lines):
                prefetch_line(builder, builder.gep(bytes_, [I64(line * LINE)]), level.literal_value)
        else:
            with cgutils.for_range(builder, I64(lines), intp=ir.IntType(64)) as loop:
                distance = builder.mul(loop.index, I64(LINE))
                prefetch_line(builder, builder.gep(bytes_, [distance]), level.literal_value)
        return context.get_dummy_value()

    return types.none(pointer, elements, level, unrolled), codegen
