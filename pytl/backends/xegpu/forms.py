"""How a matrix lies in the registers of a sub-group: pieces of the sizes that blocks and products have.

The language is column-major and the processor row-major: memory holds the transposed matrix, whose rows are the
columns of the language's. With swapped factors, the product of transposed matrices is the transposed product, so that
nothing is turned. All rows and columns here are those of memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from ...ir.types import CoopMatrixType
from ...passes.targets.xe import Chip, depth_of, pieces
from ...process.records import dataclass

MAX_NUMBERS = 16
"""Components of a vector of SPIR-V."""


@dataclass(frozen=True)
class Piece:
    """A part of a matrix: first row and column, and size."""

    row: int
    column: int
    height: int
    width: int


@dataclass(frozen=True)
class Form:
    """The pieces of a matrix, by rows. A lane has `columns_a_lane` columns next to each other of each row."""

    pieces: Sequence[Piece]
    heights: int
    """Pieces above each other."""
    lanes: int
    columns_a_lane: int = 1

    def at(self, row: int, column: int) -> int:
        """The number of a piece."""
        return row * (len(self.pieces) // self.heights) + column

    def numbers(self, piece: Piece) -> int:
        """Numbers that a lane has of a piece."""
        return piece.height * piece.width // self.lanes


def stacked(form: Form, heights: Sequence[int]) -> Iterator[list[Piece]]:
    """Pieces above each other that are one block together, of the greatest height that there is.

    A lane has at most 16 numbers of them: LLVM's target for SPIR-V does not divide longer vectors.
    """
    columns: dict[int, list[Piece]] = {}
    for piece in form.pieces:
        columns.setdefault(piece.column, []).append(piece)
    for rest in columns.values():
        while rest:
            sums = enumerate(accumulate(piece.height for piece in rest), 1)
            admitted = (n for n, height in sums if height in heights and height * form.columns_a_lane <= MAX_NUMBERS)
            count = max(admitted, default=1)
            yield rest[:count]
            rest = rest[count:]


def columns_a_lane(type_: CoopMatrixType, chip: Chip) -> int:
    """Columns of a matrix that a lane has next to each other."""
    return depth_of(chip, type_.component) // chip.lanes if type_.use == "matrix_b" else 1


def form_of(type_: CoopMatrixType, chip: Chip) -> Form:
    """The form of a matrix; its sizes are those that `checks.py` admits."""
    rows, columns, lanes = type_.columns, type_.rows, chip.lanes
    if type_.use == "matrix_a":  # the second factor
        heights: Sequence[tuple[int, int]] = list(pieces(rows, (depth_of(chip, type_.component),)))
        widths: Sequence[tuple[int, int]] = list(pieces(columns, (lanes,)))
    elif type_.use == "matrix_b":  # the first factor
        heights = list(pieces(rows, chip.repeats))
        widths = list(pieces(columns, (depth_of(chip, type_.component),)))
    else:
        heights, widths = list(pieces(rows, chip.repeats)), list(pieces(columns, (lanes,)))
    form_pieces = [Piece(row, column, height, width) for row, height in heights for column, width in widths]
    return Form(form_pieces, len(heights), lanes, widths[0][1] // lanes)
