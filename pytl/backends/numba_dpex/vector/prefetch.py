"""Software prefetch."""

from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.extending import intrinsic

from ..device.elements import I32, I64
from ..device.pointers import SPIRV, Pointer

LINE = 64
"""Bytes of a cache line."""
READ, DATA = I32(0), I32(1)
FIRST_LEVEL, SECOND_LEVEL = I32(3), I32(2)
"""The cache that a line is brought into, as LLVM encodes it."""
MOST_UNROLLED = 16


def ask_for(builder: ir.IRBuilder, address: ir.Value, level: ir.Value = FIRST_LEVEL) -> None:
    """Prefetch the cache line of an address."""
    space = address.type.addrspace
    byte = builder.bitcast(address, ir.IntType(8).as_pointer(space))
    kind = ir.FunctionType(ir.VoidType(), [byte.type, *(ir.IntType(32),) * 3])
    function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.prefetch.p{space}i8")
    builder.call(function, [byte, READ, level, DATA])


@intrinsic(target=SPIRV, prefer_literal=True)
def prefetch(typing_context, pointer, elements):
    """Prefetch the cache lines of so many elements, a literal number. An address outside of memory has no effect."""
    if not isinstance(pointer, Pointer) or not isinstance(elements, types.IntegerLiteral):
        raise errors.TypingError(
            f"prefetch takes a pointer and a literal number of elements, not {pointer}, {elements}"
        )
    size = elements.literal_value * pointer.element.size

    def codegen(context, builder, sig, args):
        space = args[0].type.addrspace
        bytes_ = builder.bitcast(args[0], ir.IntType(8).as_pointer(space))
        lines = -(-size // LINE)
        if lines <= MOST_UNROLLED:
            for line in range(lines):
                ask_for(builder, builder.gep(bytes_, [I64(line * LINE)]))
        else:
            with cgutils.for_range(builder, I64(lines), intp=ir.IntType(64)) as loop:
                ask_for(builder, builder.gep(bytes_, [builder.mul(loop.index, I64(LINE))]))
        return context.get_dummy_value()

    return types.none(pointer, elements), codegen
