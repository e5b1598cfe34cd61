"""The tile registers of a processor (AMX), and how matrices are laid out for them as `passes/targets/amx.py` describes.

Registers have fixed numbers, so that LLVM allocates none, and each has one role in all products of a kernel: sums, left
factors or right factors. So the registers are configured once, and keep their contents between instructions.
"""

from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.extending import intrinsic

from ....passes.targets.amx import ACCUMULATORS, DWORD, LEFT_TILES, RIGHT_TILES, TILES
from ..matrix_layout import LANES
from .columns import known_mask, load_lanes, store_lanes
from .elements import ELEMENTS, I16, I32, I64
from .lanes import constant, element_address, literals
from .matrices import private
from .pointers import SPIRV, Pointer, named_intrinsic

I8 = ir.IntType(8)
BYTES = I8.as_pointer()
PALETTE = 1
CONFIGURATION = 64
"""Bytes of the configuration: the palette; from 16 on the bytes per row of each register; from 48 on its rows."""


def instruction(builder: ir.IRBuilder, name: str, *arguments: ir.Value) -> None:
    """A processor instruction, by the name of its LLVM intrinsic."""
    signature = ir.FunctionType(ir.VoidType(), [argument.type for argument in arguments])
    builder.call(cgutils.get_or_insert_function(builder.module, signature, f"llvm.x86.{name}"), arguments)


def configuration(columns: int, inner: int, rows: int) -> bytes:
    """The configuration of the registers: `columns` and `rows` of a block of C, and the bytes of its sum over k."""
    shapes = {
        **dict.fromkeys(ACCUMULATORS, (columns, rows * DWORD)),
        **dict.fromkeys(LEFT_TILES, (columns, inner)),
        **dict.fromkeys(RIGHT_TILES, (inner // DWORD, rows * DWORD)),
    }
    data = bytearray(CONFIGURATION)
    data[0] = PALETTE
    for number in range(TILES):
        data[48 + number], row = shapes[number]
        data[16 + 2 * number : 18 + 2 * number] = row.to_bytes(2, "little")
    return bytes(data)


@intrinsic(target=SPIRV, prefer_literal=True)
def configure_tiles(typing_context, columns, inner, rows):
    """Configure the registers, which must be done before any is used."""
    shape = literals("configure_tiles", columns, inner, rows)

    def codegen(context, builder, sig, args):
        words = ir.ArrayType(I32, CONFIGURATION // 4)
        with builder.goto_entry_block():
            memory = builder.alloca(words, name="tile_configuration")
            memory.align = CONFIGURATION
        data = configuration(*shape)
        for k in range(words.count):
            number = int.from_bytes(data[4 * k : 4 * k + 4], "little")
            builder.store(I32(number), builder.gep(memory, [I32(0), I32(k)]))
        instruction(builder, "ldtilecfg", builder.bitcast(memory, BYTES))
        return context.get_dummy_value()

    return types.void(columns, inner, rows), codegen


@intrinsic(target=SPIRV)
def release_tiles(typing_context):
    """Release the registers, as they were when the kernel began."""

    def codegen(context, builder, sig, args):
        instruction(builder, "tilerelease")
        return context.get_dummy_value()

    return types.void(), codegen


@intrinsic(target=SPIRV, prefer_literal=True)
def tile_zero(typing_context, tile):
    """Set a register to zero."""
    (number,) = literals("tile_zero", tile)

    def codegen(context, builder, sig, args):
        instruction(builder, "tilezero", I8(number))
        return context.get_dummy_value()

    return types.void(tile), codegen


def _transfer(name: str, of_processor: str):
    def definition(typing_context, tile, pointer, stride):
        """Load or store the rows of a register, with a stride in bytes."""
        (number,) = literals(name, tile)
        if not isinstance(pointer, Pointer):
            raise errors.TypingError(f"{name} takes a pointer, not {pointer}")

        def codegen(context, builder, sig, args):
            # the intrinsics know only the generic address space, as the processor does
            address = builder.inttoptr(builder.ptrtoint(args[1], I64), BYTES)
            instruction(builder, of_processor, I8(number), address, args[2])
            return context.get_dummy_value()

        return types.void(tile, pointer, types.int64), codegen

    return named_intrinsic(name, definition, prefer_literal=True)


def _dot(element: str, of_processor: str):
    name = f"tile_dot_{element}"

    def definition(typing_context, sums, left, right):
        """`sums += left right`, on registers given by their numbers."""
        numbers = literals(name, sums, left, right)

        def codegen(context, builder, sig, args):
            instruction(builder, of_processor, *map(I8, numbers))
            return context.get_dummy_value()

        return types.void(sums, left, right), codegen

    return named_intrinsic(name, definition, prefer_literal=True)


# Layouts.


def _bits(builder: ir.IRBuilder, element: str, value: ir.Value) -> ir.Value:
    """The bits of a vector of numbers as 32-bit integers; f16 and bf16 come as floats."""
    words = ir.VectorType(I32, value.type.count)
    if isinstance(value.type.element, ir.FloatType):
        return builder.lshr(builder.bitcast(value, words), constant(words, 16))
    return builder.zext(value, words)


def _pack_rows(element: str):
    name, size = f"pack_rows_{element}", ELEMENTS[element].size

    def definition(typing_context, target, source, column_stride, columns, rows, width, depth):
        """Packs some columns, `column_stride` apart, side by side into the rows of tiles: one dword per row.

        The `rows` of the matrix are divided into tiles of `width`, which are `depth` rows of tiles apart. Where columns
        end within a dword, and beyond the last row, there are zeros.
        """
        present, count, lanes, below = literals(name, columns, rows, width, depth)
        fits = isinstance(source, Pointer) and source.dtype in (element, private(element).dtype)
        if not fits or target != Pointer("i32", "private"):
            raise errors.TypingError(f"{name} takes private i32 and {element}, not {target} and {source}")

        def codegen(context, builder, sig, args):
            of, into = ir.VectorType(source.element.storage, lanes), ir.VectorType(I32, lanes)
            for tile, begin in enumerate(range(0, count, lanes)):
                dwords = constant(into, 0)
                for k in range(present):
                    index = builder.add(builder.mul(args[2], I64(k)), I64(begin))
                    there = element_address(builder, args[1], index, of)
                    value = load_lanes(builder, there, source.element.size, known_mask(lanes, begin, count))
                    shift = constant(into, 8 * size * k)
                    dwords = builder.or_(dwords, builder.shl(_bits(builder, element, value), shift))
                builder.store(dwords, element_address(builder, args[0], tile * below * lanes, into), align=DWORD)
            return context.get_dummy_value()

        signature = types.void(target, source, types.int64, columns, rows, width, depth)
        return signature, codegen

    return named_intrinsic(name, definition, prefer_literal=True)


def _pack_column(element: str):
    name, size = f"pack_column_{element}", ELEMENTS[element].size
    storage = {1: I8, 2: I16}[size]

    def definition(typing_context, target, source, rows, padded):
        """A column of a matrix from memory, padded with zeros behind its `rows`."""
        count, whole = literals(name, rows, padded)
        fits = isinstance(source, Pointer) and source.dtype in (element, private(element).dtype)
        if not fits or target != Pointer(element, "private"):
            raise errors.TypingError(f"{name} takes private {element} and {element}, not {target} and {source}")

        def codegen(context, builder, sig, args):
            of, into = ir.VectorType(source.element.storage, LANES), ir.VectorType(storage, LANES)
            for begin in range(0, whole, LANES):
                value = constant(into, 0)
                there = element_address(builder, args[1], begin, of)
                if begin < count:
                    value = load_lanes(builder, there, source.element.size, known_mask(LANES, begin, count))
                if value.type != into:
                    value = builder.trunc(_bits(builder, element, value), into)
                address = element_address(builder, args[0], begin, into)
                store_lanes(builder, value, address, size, known_mask(LANES, begin, whole))
            return context.get_dummy_value()

        return types.void(target, source, rows, padded), codegen

    return named_intrinsic(name, definition, prefer_literal=True)


TILE_FUNCTIONS = {
    function._name: function
    for function in (
        *(configure_tiles, release_tiles, tile_zero),
        *(_transfer("tile_load", "tileloadd64"), _transfer("tile_store", "tilestored64")),
        *(_dot("bf16", "tdpbf16ps"), _dot("i8", "tdpbssd")),
        *(function(element) for element in ("bf16", "i8") for function in (_pack_rows, _pack_column)),
    )
}
