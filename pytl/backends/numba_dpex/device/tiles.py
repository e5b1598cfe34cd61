"""The tile registers of a processor (AMX), which have to be configured before they are used.

Registers have fixed numbers, so that LLVM allocates none, and each has one role in all products of a kernel: sums, left
factors or right factors. So the registers are configured once, and keep their contents between instructions.
"""

from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.extending import intrinsic

from ....passes.targets.amx import CONFIGURATION, configuration_dwords
from .elements import I32
from .pointers import SPIRV

BYTES = ir.IntType(8).as_pointer()


def instruction(builder: ir.IRBuilder, name: str, *arguments: ir.Value) -> None:
    """A processor instruction, by the name of its LLVM intrinsic."""
    signature = ir.FunctionType(ir.VoidType(), [argument.type for argument in arguments])
    builder.call(cgutils.get_or_insert_function(builder.module, signature, f"llvm.x86.{name}"), arguments)


@intrinsic(target=SPIRV, prefer_literal=True)
def configure_tiles(typing_context, rows, columns, inner):
    """Configure the registers, which must be done before any is used."""
    if not all(isinstance(ty, types.IntegerLiteral) for ty in (rows, columns, inner)):
        raise errors.TypingError(f"configure_tiles takes literals for sizes, not {rows}, {columns} and {inner}")
    shape = [ty.literal_value for ty in (rows, columns, inner)]

    def codegen(context, builder, sig, args):
        words = configuration_dwords(shape)
        with builder.goto_entry_block():
            memory = builder.alloca(ir.ArrayType(I32, len(words)), name="tile_configuration")
            memory.align = CONFIGURATION
        for place, number in enumerate(words):
            builder.store(I32(number), builder.gep(memory, [I32(0), I32(place)]))
        instruction(builder, "ldtilecfg", builder.bitcast(memory, BYTES))
        return context.get_dummy_value()

    return types.void(rows, columns, inner), codegen


@intrinsic(target=SPIRV)
def release_tiles(typing_context):
    """Release the registers, as they were when the kernel began."""

    def codegen(context, builder, sig, args):
        instruction(builder, "tilerelease")
        return context.get_dummy_value()

    return types.void(), codegen


TILE_FUNCTIONS = {function._name: function for function in (configure_tiles, release_tiles)}
