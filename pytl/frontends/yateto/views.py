"""Items of groups and subviews: views on tensors."""

from __future__ import annotations

from ...diagnostics import Location
from ...diagnostics.words import counted
from ...ir.operation import Operation
from ...ir.text.literals import read_integer
from ...ir.types import UnknownType, index
from ...ir.values import Value
from ...ops import ArithBinary, Expand, Load, Subview
from ...ops.views import Bound, Slice
from ...process.records import dataclass
from . import rules
from .reader import Operand, YatetoReader
from .types import DraftType, Group, Memref

Made = tuple[Operation, DraftType | UnknownType]
"""An instruction with the type of its result in the immediate language."""


def _unknown(location: Location) -> Made:
    """What stands for a view that is wrong."""
    return Subview(location, [UnknownType()], tensor=Value(UnknownType()), slices=[]), UnknownType()


# Items.


def item_of(reader: YatetoReader, location: Location, group: Operand, offset: Operand | None) -> Made:
    """The item of the work-group."""
    type_ = group.type
    if not isinstance(type_, Group):
        if group.is_known:
            reader.refuse(group, "a group")
        return _unknown(location)
    if group.name in reader.memory:
        return _item_of_memory(reader, location, group, offset)
    if offset is not None:
        reader.with_offset.add(group.name)
    number = reader.group_id(location)
    if type_.distance is None:
        return Load(location, [type_.memref.ir], tensor=group.value, indices=[number]), type_.memref
    slices = [*(Slice(0, size) for size in type_.memref.shape), Slice(number)]
    return Subview(location, tensor=group.value, slices=slices), type_.memref


def _item_of_memory(reader: YatetoReader, location: Location, group: Operand, offset: Operand | None) -> Made:
    """An item of a group that is plain memory, some of whose items are taken with an offset."""
    assert isinstance(group.type, Group)
    memref, distance = group.type.memref, group.type.distance
    number = reader.group_id(location)
    memory, begin = group.value, None if offset is None else reader.as_index(offset)
    if distance is None:
        element = group.type.ir_of_memory.memref  # type: ignore[attr-defined]
        memory = reader.add(Load(location, [element], tensor=group.value, indices=[number]))
    else:
        distance_value = reader.constant(index, distance, location)
        first = reader.add(ArithBinary(location, [index], variant="mul", a=number, b=distance_value))
        begin = first if begin is None else reader.add(ArithBinary(location, [index], variant="add", a=first, b=begin))
    return _view_on_memory(reader, location, memory, 0 if begin is None else begin, memref)


def _view_on_memory(reader: YatetoReader, location: Location, memory: Value, begin: Bound, memref: Memref) -> Made:
    """A tensor that begins at an element of memory of one mode."""
    if not memref.shape:
        return Subview(location, tensor=memory, slices=[Slice(begin)]), memref
    *steps, _ = strides = memref.strides
    if any(stride % step for step, stride in zip(steps, strides[1:])):
        message = f"the strides of {memref} do not divide each other, and its group is taken with an offset"
        reader.diagnostics.report(rules.OFFSET, message, location, "pass views that begin there, and omit the offset")
        return _unknown(location)
    # modes whose strides are 1, S_1, …, S_n: each ends where the next one begins
    sizes = [stride // step for step, stride in zip((1, *steps), strides)]
    whole = [*sizes, memref.shape[-1]]
    flat = Subview(location, tensor=memory, slices=[Slice(begin, memref.end)])
    if whole == [1, *memref.shape] and len(memref.shape) == 1:
        return flat, memref
    if whole[0] == 1:
        del whole[0]
    expanded = flat
    if len(whole) > 1:
        expanded = Expand(location, tensor=reader.add(flat), mode=0, expand_shape=whole)  # type: ignore[assignment]
    if tuple(whole) == memref.shape:
        return expanded, memref
    first = [Slice(0)] * (len(whole) - len(memref.shape))
    slices = [*first, *(Slice(0, size) for size in memref.shape)]
    return Subview(location, tensor=reader.add(expanded), slices=slices), memref


# Subviews.


@dataclass(frozen=True)
class Piece:
    """What a subview takes of a mode: the element at an index, or the slice [from:to)."""

    location: Location
    at: Operand | int | None = None
    begin: int | None = None
    end: int | None = None


def read_piece(reader: YatetoReader) -> Piece:
    """`i32 %i`, `2`, `2:4`, `2:`, `:4` or `:`."""
    start = reader.scanner.skip_blanks()
    if reader.at(":"):
        begin = None
    elif reader.scanner.text[start : start + 1] in ("i", "u", "f", "%"):
        operand = reader.integer_value()
        return Piece(reader.scanner.location_from(start), at=operand)
    else:
        begin = read_integer(reader)
        if not reader.at(":"):
            return Piece(reader.scanner.location_from(start), at=begin)
    reader.expect(":")
    end = None if reader.at(",") or reader.at("]") else read_integer(reader)
    return Piece(reader.scanner.location_from(start), None, begin, end)


def view_of(reader: YatetoReader, location: Location, tensor: Operand, pieces: list[Piece]) -> Made:
    """A view on parts of the modes of a tensor."""
    type_ = tensor.type
    if not isinstance(type_, Memref):
        return _unknown(location)
    if len(pieces) != len(type_.shape):
        mode_count = counted(len(type_.shape), "mode")
        piece_count = counted(len(pieces), "index or slice", "indices and slices")
        message = f"%{tensor.name} is {type_} with {mode_count}, but is given {piece_count}"
        reader.diagnostics.report(rules.SLICE, message, location, None, tensor.labels)
        return _unknown(location)
    made = [_slice(reader, tensor, mode, piece) for mode, piece in enumerate(pieces)]
    slices = [piece for piece in made if piece is not None]
    if len(slices) < len(made):
        return _unknown(location)
    kept = [(piece.size, stride) for piece, stride in zip(slices, type_.strides) if isinstance(piece.size, int)]
    view = Memref(type_.element, tuple(size for size, _ in kept), tuple(stride for _, stride in kept))
    return Subview(location, tensor=tensor.value, slices=slices), view


def _slice(reader: YatetoReader, tensor: Operand, mode: int, piece: Piece) -> Slice | None:
    """A slice as the IR has it, with offset and size; None where it is out of bounds."""
    assert isinstance(tensor.type, Memref)
    size = tensor.type.shape[mode]
    if isinstance(piece.at, int):
        if 0 <= piece.at < size:
            return Slice(piece.at)
        message = f"index {piece.at} is out of bounds of mode {mode} of %{tensor.name}, whose size is {size}"
    elif piece.at is not None:
        return Slice(reader.as_index(piece.at)) if piece.at.is_known else None
    else:
        begin, end = piece.begin or 0, size if piece.end is None else piece.end
        if 0 <= begin < end <= size:
            return Slice(begin, end - begin)
        message = f"[{begin}:{end}) is no slice of mode {mode} of %{tensor.name}, whose size is {size}"
    reader.diagnostics.report(rules.SLICE, message, piece.location, None, tensor.labels)
    return None
