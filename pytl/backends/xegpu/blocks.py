"""2-D blocks of memory: descriptors, loads, stores and prefetches of the pieces of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir.types import CoopMatrixType
from ...ir.values import Value
from ...mlir.text import builder as mlir
from ...mlir.text.types import I32, Scalar, Vector
from ...ops import Subview
from ...ops.constants import constant_bound, constant_of
from ...ops.views import root_of
from ...passes.analysis.divisors import Divisors, divisor_of_size, divisor_of_stride
from ...passes.targets.xe import Chip, pieces, pitch_problem
from ..mlir import types
from ..mlir.memory import Index
from . import rules
from .forms import Piece
from .memory import LOAD_HINTS, STORE_HINTS, GpuMemory, GpuMemref, descriptor

Problem = tuple[rules.Rule, str, str]
"""A rule, how it is broken, and what helps."""


class Blocks:
    """Writes accesses to blocks of one function."""

    def __init__(self, to: mlir.Builder, memory: GpuMemory, chip: Chip, moves: bool) -> None:
        self._to = to
        self._moves = moves
        self._memory = memory
        self._chip = chip

    def load(
        self,
        memref: GpuMemref,
        type_: CoopMatrixType,
        piece: Piece,
        row: mlir.Value,
        column: mlir.Value,
        is_transposed: bool,
        hint: str,
    ) -> mlir.Value:
        """Load a piece; what lies outside of the memref is zero."""
        element, size = types.element(type_.component), type_.component.size
        numbers = piece.height * piece.width // self._chip.lanes
        vector = Vector((numbers,), element)
        if not is_transposed:
            how: dict[str, Any] = {"packed": True} if type_.use == "matrix_a" and size < 4 else {}
            at = self._at(row, piece.row), self._at(column, piece.column)
            block, offsets = self._block(memref, piece.height, piece.width, element, 1, at)
            return self._to.op("xegpu.load_nd", block, type=vector, hint=hint, **offsets, **how, **LOAD_HINTS)
        # the lanes have rows of memory, of which numbers of less than four bytes are loaded several at once
        each = 4 // size
        first = self._at(column, piece.row)
        if each > 1:
            first = self._to.op("arith.divsi", first, self._to.constant(each))
        of = I32 if each > 1 else element
        block, offsets = self._block(
            memref, piece.width, piece.height // each, of, each, (self._at(row, piece.column), first)
        )
        words, how = Vector((numbers // each,), of), {"transpose": (1, 0)}
        loaded = self._to.op("xegpu.load_nd", block, type=words, hint=hint, **offsets, **how, **LOAD_HINTS)
        return self._to.op("vector.bitcast", loaded, type=vector, hint=hint) if each > 1 else loaded

    def store(
        self,
        matrix: mlir.Value,
        memref: GpuMemref,
        type_: CoopMatrixType,
        piece: Piece,
        row: mlir.Value,
        column: mlir.Value,
    ) -> None:
        """Store a piece; what lies outside of the memref is left out."""
        element = types.element(type_.component)
        most = max(self._chip.store_heights)
        for first in range(0, piece.height, most):
            height, part = min(most, piece.height - first), matrix
            if height < piece.height:
                part = self.slice(matrix, first, height * piece.width // self._chip.lanes, "v")
            at = self._at(row, piece.row + first), self._at(column, piece.column)
            block, offsets = self._block(memref, height, piece.width, element, 1, at)
            self._to.do("xegpu.store_nd", part, block, **offsets, **STORE_HINTS)

    def slice(self, vector: mlir.Value, begin: int, count: int, hint: str) -> mlir.Value:
        """Some numbers of a vector, one behind the other."""
        assert isinstance(vector.type, Vector)
        part = Vector((count,), vector.type.element)
        bounds = {"offsets": (begin,), "sizes": (count,), "strides": (1,)}
        return self._to.op("vector.extract_strided_slice", vector, type=part, hint=hint, **bounds)

    def prefetch(self, memref: GpuMemref, rows: int, columns: int, row: mlir.Value, column: mlir.Value) -> None:
        """Prefetch a rectangle in the largest blocks; the last ones may reach beyond it."""
        element, size = types.element(memref.type.element), memref.type.element.size
        width = self._chip.prefetch_widths.get(size, 0)
        for first_row, height in pieces(rows if width else 0, self._chip.load_heights):
            for first_column in range(0, columns, width):
                at = self._at(row, first_row), self._at(column, first_column)
                block, offsets = self._block(memref, height, width, element, 1, at)
                self._to.do("xegpu.prefetch_nd", block, **offsets, **LOAD_HINTS)

    def _at(self, begin: mlir.Value, number: int) -> mlir.Value:
        return self._to.op("arith.addi", begin, self._to.constant(number)) if number else begin

    def _block(
        self, memref: GpuMemref, height: int, width: int, element: Scalar, each: int, at: tuple[mlir.Value, mlir.Value]
    ) -> tuple[mlir.Value, dict[str, Any]]:
        """The descriptor of a block at a position, and what an access to it says of the position.

        `each` elements of the memref are one of the block's.
        """
        (columns, rows), pitch = memref.layout.shape, memref.layout.strides[1]
        is_known = memref.is_parameter and (each == 1 or (isinstance(columns, int) and isinstance(pitch, int)))
        shape: Sequence[Index] = [rows, self._divided(columns, each)]
        lists = {"shape": shape, "strides": [self._divided(pitch, each), 1]}
        if self._moves:
            lists["offsets"] = [0, 0]
        base = memref.value if is_known else self._memory.beyond(memref.value, memref.type, memref.layout.offset)
        make = self._to.once if is_known else self._to.op
        type_ = descriptor([height, width], element)
        block = make("xegpu.create_nd_tdesc", base, type=type_, hint="blocks", **lists)
        if not self._moves:
            return block, {"offsets": at}
        return self._to.op("xegpu.update_nd_offset", block, hint="block", offsets=at), {}

    def _divided(self, number: Index, each: int) -> Index:
        if each == 1:
            return number
        if isinstance(number, int):
            return number // each
        return self._to.op("arith.divui", number, self._to.constant(each))


def problems(
    chip: Chip,
    memref: Value,
    first: Value,
    type_: CoopMatrixType,
    is_transposed: bool,
    stores: bool = False,
    prefetches: bool = False,
) -> list[Problem]:
    """All reasons why a matrix has no blocks in a memref, from a first row on."""
    reasons: list[Problem] = []
    where, name = memref.type, f"%{memref.name or 'memref'}"
    size, begin = type_.component.size, constant_of(first)
    if where.space == "local":
        return [(rules.ELEMENT, f"{name} is local memory, which has no blocks", "")]
    if where.strides[0] != 1:
        reasons.append(
            (
                rules.STRIDE,
                f"the rows of {name} are {where.strides[0]} elements apart",
                "copy it, with its rows together",
            )
        )
    problem = pitch_problem(chip, where.element, where.shape[1], where.shape[0], where.strides[1])
    if problem is not None:
        reasons.append((rules.PITCH, f"{name} is {where}: {problem}", "add rows to the array, as padding"))
    misplaced = _misplaced(chip, memref)
    if misplaced:
        reasons.append((rules.ALIGNMENT, f"{name} begins {misplaced}", "begin the view at a multiple of a cache line"))
    if prefetches:
        return reasons
    if size == 8:
        reasons.append(
            (rules.ELEMENT, f"the components are {type_.component}, and the lanes have no blocks of 8 bytes", "")
        )
    elif size == 1 and type_.use != "matrix_a" and (stores or type_.use == "matrix_acc"):
        reasons.append((rules.ELEMENT, f"{type_} lies in the lanes as no block of i8 does", ""))
    if is_transposed and stores:
        reasons.append((rules.TRANSPOSED, f"{type_} is stored transposed", "store it as it is, and load it transposed"))
    elif is_transposed and not (size == 4 or type_.use == "matrix_a"):
        reasons.append(
            (rules.TRANSPOSED, f"{type_} is loaded transposed", "store it transposed in memory, or use it as matrix_a")
        )
    if begin is not None and begin * size % chip.offset_unit:
        message = f"the first row is {begin}, {begin * size} bytes into its column"
        reasons.append((rules.OFFSET, message, f"begin at a multiple of {chip.offset_unit // size} rows"))
    return reasons


def is_known(chip: Chip, memref: Value, first: Value, divisors: Divisors) -> bool:
    """Whether a memref that is none of the `problems` is known at compile time to have blocks from a first row on."""
    size = memref.type.element.size
    pitch, height = divisor_of_stride(memref, 1) * size, divisor_of_size(memref, 0) * size
    fits = pitch % chip.pitch_unit == 0 and pitch >= chip.least_pitch
    fits = fits and height % chip.offset_unit == 0 and height >= chip.least_pitch
    return fits and divisors.of(first) * size % chip.offset_unit == 0


def _misplaced(chip: Chip, memref: Value) -> str:
    """How far a view begins from a multiple of a cache line, where that is known."""
    distance = 0
    value = memref
    while isinstance(value.owner, Subview):
        op = value.owner
        for piece, stride in zip(op.slices, op.tensor.type.strides):
            offset = constant_bound(piece.offset)
            if offset == 0:
                continue
            if offset is None or not isinstance(stride, int):
                return ""
            distance += offset * stride
        value = op.tensor
    bytes_ = distance * memref.type.element.size
    if bytes_ % chip.base_alignment == 0:
        return ""
    return f"{bytes_} bytes into %{root_of(memref).name or 'memory'}, which is not a multiple of {chip.base_alignment}"
