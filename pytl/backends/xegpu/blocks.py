"""2-D blocks of memory: descriptors, loads, stores and prefetches of the pieces of matrices."""

from __future__ import annotations

from ...ir.types import CoopMatrixType
from ...ir.values import Value
from ...ops import Subview
from ...ops.constants import constant_bound, constant_of
from ...ops.views import root_of
from ...passes.analysis.divisors import Divisors, divisor_of_size, divisor_of_stride
from ...passes.targets.xe import Chip, pieces, pitch_problem
from ..mlir import types
from ..mlir.builder import Builder
from ..mlir.memory import Index
from . import rules
from .forms import Piece
from .memory import LOAD_HINTS, STORE_HINTS, GpuMemory, Place

Problem = tuple[rules.Rule, str, str]
"""A rule, how it is broken, and what helps."""


class Blocks:
    """Writes accesses to blocks of one function."""

    def __init__(self, to: Builder, memory: GpuMemory, chip: Chip, moves: bool) -> None:
        self._to = to
        self._moves = moves
        self._memory = memory
        self._chip = chip

    def load(
        self, place: Place, type_: CoopMatrixType, piece: Piece, row: str, column: str, is_transposed: bool, hint: str
    ) -> str:
        """Load a piece; what lies outside of the memref is zero."""
        element, size = types.element(type_.component), type_.component.size
        numbers = piece.height * piece.width // self._chip.lanes
        vector = f"vector<{numbers}x{element}>"
        if not is_transposed:
            packed = "packed, " if type_.use == "matrix_a" and size < 4 else ""
            at = self._at(row, piece.row), self._at(column, piece.column)
            block, text = self._block(place, piece.height, piece.width, element, 1, at)
            hints = LOAD_HINTS.replace("<{", f"<{{{packed}")
            return self._to.op(f"xegpu.load_nd {block} {hints} : {text} -> {vector}", hint)
        # the lanes have rows of memory, of which numbers of less than four bytes are loaded several at once
        each = 4 // size
        words = f"vector<{numbers // each}xi32>" if each > 1 else vector
        first = self._at(column, piece.row)
        if each > 1:
            first = self._to.op(f"arith.divsi {first}, {self._to.constant(each)} : index")
        at = self._at(row, piece.column), first
        of = "i32" if each > 1 else element
        block, text = self._block(place, piece.width, piece.height // each, of, each, at)
        hints = LOAD_HINTS.replace("<{", "<{transpose = array<i64: 1, 0>, ")
        loaded = self._to.op(f"xegpu.load_nd {block} {hints} : {text} -> {words}", hint)
        return self._to.op(f"vector.bitcast {loaded} : {words} to {vector}", hint) if each > 1 else loaded

    def store(self, name: str, place: Place, type_: CoopMatrixType, piece: Piece, row: str, column: str) -> None:
        """Store a piece; what lies outside of the memref is left out."""
        element = types.element(type_.component)
        numbers = piece.height * piece.width // self._chip.lanes
        most = max(self._chip.store_heights)
        for first in range(0, piece.height, most):
            height, part = min(most, piece.height - first), name
            count = height * piece.width // self._chip.lanes
            if height < piece.height:
                part = self._to.op(
                    f"vector.extract_strided_slice {name} {{offsets = [{first}], sizes = [{count}], strides = [1]}} : "
                    f"vector<{numbers}x{element}> to vector<{count}x{element}>"
                )
            at = self._at(row, piece.row + first), self._at(column, piece.column)
            block, text = self._block(place, height, piece.width, element, 1, at)
            self._to.line(f"xegpu.store_nd {part}, {block} {STORE_HINTS} : vector<{count}x{element}>, {text}")

    def prefetch(self, place: Place, rows: int, columns: int, row: str, column: str) -> None:
        """Prefetch a rectangle in the largest blocks; the last ones may reach beyond it."""
        element, size = types.element(place.type.element), place.type.element.size
        width = self._chip.prefetch_widths.get(size, 0)
        for first_row, height in pieces(rows if width else 0, self._chip.load_heights):
            for first_column in range(0, columns, width):
                at = self._at(row, first_row), self._at(column, first_column)
                block, text = self._block(place, height, width, element, 1, at)
                self._to.line(f"xegpu.prefetch_nd {block} {LOAD_HINTS} : {text}")

    def _at(self, name: str, number: int) -> str:
        return self._to.op(f"arith.addi {name}, {self._to.constant(number)} : index") if number else name

    def _block(
        self, place: Place, height: int, width: int, element: str, each: int, at: tuple[str, str]
    ) -> tuple[str, str]:
        """A block at a position, and the type of its descriptor.

        `each` elements of the memref are one of the block's.
        """
        (columns, rows), pitch = place.layout.shape, place.layout.strides[1]
        text = f"!xegpu.tensor_desc<{height}x{width}x{element}>"
        is_known = place.is_parameter and (each == 1 or (isinstance(columns, int) and isinstance(pitch, int)))
        sizes = f"shape: [{rows}, {self._divided(columns, each)}], strides: [{self._divided(pitch, each)}, 1]"
        base = place.name if is_known else self._memory.beyond(place.name, place.type, place.layout.offset)
        begin = "[0, 0]" if self._moves else ""
        made = f"xegpu.create_nd_tdesc {base}{begin}, {sizes} : i64 -> {text}"
        found = self._to.once(made, "blocks") if is_known else self._to.op(made, "blocks")
        if not self._moves:
            return f"{found}[{at[0]}, {at[1]}]", text
        return self._to.op(f"xegpu.update_nd_offset {found}, [{at[0]}, {at[1]}] : {text}", "block"), text

    def _divided(self, number: Index, each: int) -> Index:
        if each == 1:
            return number
        if isinstance(number, int):
            return number // each
        return self._to.op(f"arith.divui {number}, {self._to.constant(each)} : index")


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
    found: list[Problem] = []
    where, name = memref.type, f"%{memref.name or 'memref'}"
    size, begin = type_.component.size, constant_of(first)
    if where.space == "local":
        return [(rules.ELEMENT, f"{name} is local memory, which has no blocks", "")]
    if where.strides[0] != 1:
        found.append(
            (
                rules.STRIDE,
                f"the rows of {name} are {where.strides[0]} elements apart",
                "copy it, with its rows together",
            )
        )
    problem = pitch_problem(chip, where.element, where.shape[1], where.shape[0], where.strides[1])
    if problem is not None:
        found.append((rules.PITCH, f"{name} is {where}: {problem}", "add rows to the array, as padding"))
    misplaced = _misplaced(chip, memref)
    if misplaced:
        found.append((rules.ALIGNMENT, f"{name} begins {misplaced}", "begin the view at a multiple of a cache line"))
    if prefetches:
        return found
    if size == 8:
        found.append(
            (rules.ELEMENT, f"the components are {type_.component}, and the lanes have no blocks of 8 bytes", "")
        )
    elif size == 1 and type_.use != "matrix_a" and (stores or type_.use == "matrix_acc"):
        found.append((rules.ELEMENT, f"{type_} lies in the lanes as no block of i8 does", ""))
    if is_transposed and stores:
        found.append((rules.TRANSPOSED, f"{type_} is stored transposed", "store it as it is, and load it transposed"))
    elif is_transposed and not (size == 4 or type_.use == "matrix_a"):
        found.append(
            (rules.TRANSPOSED, f"{type_} is loaded transposed", "store it transposed in memory, or use it as matrix_a")
        )
    if begin is not None and begin * size % chip.offset_unit:
        message = f"the first row is {begin}, {begin * size} bytes into its column"
        found.append((rules.OFFSET, message, f"begin at a multiple of {chip.offset_unit // size} rows"))
    return found


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
