"""Columns of matrices between memory and private memory (layout: `matrices`): contiguous, vector by vector."""

from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, errors, types

from ..matrix_layout import lanes_of_column, padded_rows
from .elements import ELEMENTS, I1, I32, I64
from .lanes import constant, decoded, element_address, encoded, literals, splat
from .matrices import components, numbers, parts_of, private
from .pointers import Pointer, named_intrinsic


def known_mask(lanes: int, begin: int, end: int) -> ir.Constant | None:
    """The mask of the lanes of a vector that lie before an end; None where all do."""
    if begin + lanes <= end:
        return None
    return ir.Constant(ir.VectorType(I1, lanes), [I1(begin + lane < end) for lane in range(lanes)])


def _mask(
    builder: ir.IRBuilder,
    lanes: int,
    begin: int,
    rows: int,
    parts: int,
    first: ir.Value | None,
    extent: ir.Value | None,
) -> ir.Value | None:
    """The mask of the lanes that are rows of the matrix, and within an extent if one is given; None for all."""
    known_lanes = known_mask(lanes, begin, rows * parts)
    if first is None or extent is None:
        return known_lanes
    wide = ir.VectorType(I64, lanes)
    offsets = ir.Constant(wide, [I64((begin + lane) // parts) for lane in range(lanes)])
    index = builder.add(splat(builder, first, lanes), offsets)
    # a position may be anything, and its sum with a number wraps
    is_in_extent = builder.icmp_unsigned("<", index, splat(builder, extent, lanes))
    return is_in_extent if known_lanes is None else builder.and_(is_in_extent, known_lanes)


def load_lanes(builder: ir.IRBuilder, address: ir.Value, alignment: int, mask: ir.Value | None) -> ir.Value:
    """A vector from memory, with zeros in the lanes that the mask leaves out; without a mask, all of it."""
    if mask is None:
        return builder.load(address, align=alignment)
    ty = address.type.pointee
    return _masked(builder, "load", ty, ty, address, I32(alignment), mask, constant(ty, 0))


def store_lanes(
    builder: ir.IRBuilder, value: ir.Value, address: ir.Value, alignment: int, mask: ir.Value | None
) -> None:
    """Store the lanes of a vector that the mask has; without a mask, all of them."""
    if mask is None:
        builder.store(value, address, align=alignment)
    else:
        _masked(builder, "store", ir.VoidType(), value.type, value, address, I32(alignment), mask)


def _masked(builder: ir.IRBuilder, kind: str, result: ir.Type, ty: ir.VectorType, *arguments: ir.Value) -> ir.Value:
    """LLVM's masked load or store of vectors of a type."""
    pointer = next(a.type for a in arguments if isinstance(a.type, ir.PointerType))
    element = {"float": "f32", "double": "f64"}.get(str(ty.element), str(ty.element))
    vector = f"v{ty.count}{element}"
    name = f"llvm.masked.{kind}.{vector}.p{pointer.addrspace}{vector}"
    signature = ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, signature, name), arguments)


def _column(element: str, stores: bool, is_within: bool):
    name = f"{'store' if stores else 'load'}_column{'_within' if is_within else ''}_{element}"
    held, single = private(element), components(element)
    inner = components(held.dtype)
    parts = parts_of(element)
    alignment = ELEMENTS[element].size // parts

    def definition(typing_context, column, memory, rows, *within):
        """Some rows of a column of a matrix, loaded or stored. With an extent, only the rows within it are.

        A load gives zeros for the others, and for the padding of the column.
        """
        (count,) = literals(name, rows)
        if column != held or not isinstance(memory, Pointer) or memory.dtype != element:
            raise errors.TypingError(f"{name} takes pointers to {held} and to {element}, not {column} and {memory}")
        total = padded_rows(count) * parts
        lanes = lanes_of_column(inner.size, total)

        def codegen(context, builder, sig, args):
            private_numbers, memory_numbers = numbers(builder, args[0], inner), numbers(builder, args[1], single)
            first, extent = args[3:] if is_within else (None, None)
            stored = ir.VectorType(single.storage, lanes)
            register = ir.VectorType(inner.storage, lanes)
            for begin in range(0, total, lanes):
                address = element_address(builder, private_numbers, begin, register)
                if begin >= count * parts:
                    if not stores:
                        builder.store(constant(register, 0), address)
                    continue
                there = element_address(builder, memory_numbers, begin, stored)
                mask = _mask(builder, lanes, begin, count, parts, first, extent)
                if stores:
                    store_lanes(builder, encoded(builder, single, builder.load(address)), there, alignment, mask)
                else:
                    builder.store(decoded(builder, single, load_lanes(builder, there, alignment, mask)), address)
            return context.get_dummy_value()

        return types.void(column, memory, rows, *within), codegen

    if is_within:

        def taking_extent(typing_context, column, memory, rows, first, extent):
            return definition(typing_context, column, memory, rows, types.int64, types.int64)

        return named_intrinsic(name, taking_extent, prefer_literal=True)

    def taking_all(typing_context, column, memory, rows):
        return definition(typing_context, column, memory, rows)

    return named_intrinsic(name, taking_all, prefer_literal=True)


def _zipped(builder: ir.IRBuilder, a: ir.Value, b: ir.Value) -> list[ir.Value]:
    """The entries of two vectors interleaved, in two vectors."""
    count = a.type.count
    turns = [lane // 2 + count * (lane % 2) for lane in range(count)]
    masks = ([turn + begin for turn in turns] for begin in (0, count // 2))
    return [builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(I32, count), mask)) for mask in masks]


def _transposed(element: str):
    name, held, single = f"load_transposed_{element}", private(element), ELEMENTS[element]

    def definition(typing_context, block, memory, row_stride, lanes, padded):
        """Transposes a block of as many rows and columns as a vector has lanes, with `row_stride` in memory."""
        count, next_column = literals(name, lanes, padded)
        if block != held or not isinstance(memory, Pointer) or memory.dtype != element:
            raise errors.TypingError(f"{name} takes pointers to {held} and to {element}, not {block} and {memory}")
        stored = ir.VectorType(single.storage, count)

        def codegen(context, builder, sig, args):
            vectors = []
            for row in range(count):
                there = element_address(builder, args[1], builder.mul(args[2], I64(row)), stored)
                vectors.append(decoded(builder, single, builder.load(there, align=single.size)))
            # each step rotates the bits of an entry's place (row and column together) by one
            for _ in range(count.bit_length() - 1):
                pairs = zip(vectors[: count // 2], vectors[count // 2 :])
                vectors = [zipped for pair in pairs for zipped in _zipped(builder, *pair)]
            for column, vector in enumerate(vectors):
                builder.store(vector, element_address(builder, args[0], column * next_column, vector.type))
            return context.get_dummy_value()

        return types.void(block, memory, types.int64, lanes, padded), codegen

    return named_intrinsic(name, definition, prefer_literal=True)


COLUMNS = {
    function._name: function
    for function in (
        *(
            _column(element, stores, is_within)
            for element in ELEMENTS
            for stores in (False, True)
            for is_within in (False, True)
        ),
        *(_transposed(element) for element in ELEMENTS if parts_of(element) == 1),
    )
}
