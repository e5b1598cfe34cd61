"""Tiles: rectangles of a memref that move over it (the document on XeTile: init_tile to update_tile_offset).

What a tile holds is a cooperative matrix, so that arithmetic, casts and loops are those of the tensor language. A
tile's value is the memref and the tile's position in it; what lies outside of the memref reads as the padding, and is
not stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..ir.constraints import COOPMATRIX, INDEX, MEMREF, SCALAR, TILE
from ..ir.fields import Modifier, Operand, Result
from ..ir.operation import Check, Problem, check
from ..ir.registry import instruction
from ..ir.types import CoopMatrixType, Type, index, promotable, promote
from .coopmatrix import OfSubgroup
from .updates import TRANSPOSE, TURNS, order_check


@check("PYTL-0635", "element_type(M) = element_type(tile)", "init_tile")
def init_element(op: InitTile) -> Iterator[Problem]:
    element, wanted = op.M.type.element, op.result.type.element
    if element != wanted:
        yield Problem(f"the elements of M are {element}, but those of the tile are {wanted}", part="M")


@instruction
class InitTile(OfSubgroup):
    """A tile of a memref, its first row and column at the position.

    The memref's size and strides may be static or dynamic; the tile may begin and end outside of it.
    """

    mnemonic = "xetile.init_tile"
    section = "init_tile"
    M: Any = Operand(MEMREF, "the base matrix")
    x: Any = Operand(INDEX, "first row")
    y: Any = Operand(INDEX, "first column")
    result: Any = Result(TILE)
    assembly = "` ` $M `[` $x `, ` $y `]` ` : ` $result"
    rules = (order_check("PYTL-0634", "init_tile", {"M": (2,)}), init_element)
    pure = True

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        return index if part in ("x", "y") else None


def _shape_check(code: str, section: str, matrix: str) -> Check:
    @check(code, "the matrix has the element type and the shape of the tile, transposed with .t", section)
    def matrix_fits(op: Any) -> Iterator[Problem]:
        tile, type_ = op.tile.type, getattr(op, matrix).type
        turned = TURNS[getattr(op, "transpose", "n")]
        rows, columns = reversed(tile.shape) if turned else tile.shape
        if (type_.component, *type_.shape) != (tile.element, rows, columns):
            given, wanted = (
                f"{e}x{r}x{c}" for e, r, c in ((type_.component, *type_.shape), (tile.element, rows, columns))
            )
            yield Problem(
                f"the tile is {wanted}{' transposed' if turned else ''}, but the matrix is {given}", part="tile"
            )

    return matrix_fits


@check("PYTL-0637", "type(padding) = element_type(tile)", "load_tile")
def padding_type(op: LoadTile) -> Iterator[Problem]:
    if op.padding is not None and op.padding.type != op.tile.type.element:
        message = f"the padding is {op.padding.type}, but the elements of the tile are {op.tile.type.element}"
        yield Problem(message, f"cast it: cast %value : {op.tile.type.element}", "padding")


@instruction
class LoadTile(OfSubgroup):
    """Loads a tile. A component outside of the memref is the padding, 0 where none is given.

    With `.t`, component (i, j) is element (j, i) of the tile.
    """

    mnemonic = "xetile.load_tile"
    section = "load_tile"
    transpose: Any = Modifier(TRANSPOSE, default="n")
    tile: Any = Operand(TILE, "what is loaded")
    padding: Any = Operand(SCALAR, "what components outside of the memref are", optional=True)
    result: Any = Result(COOPMATRIX)
    assembly = "` ` $tile (` padding(` $padding `)`)? ` : ` $result"
    rules = (_shape_check("PYTL-0636", "load_tile", "result"), padding_type)

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        return getattr(parts["tile"].type, "element", None) if part == "padding" else None


@instruction
class StoreTile(OfSubgroup):
    """Stores a matrix in a tile; components outside of the memref are left out."""

    mnemonic = "xetile.store_tile"
    section = "store_tile"
    A: Any = Operand(COOPMATRIX, "the matrix")
    tile: Any = Operand(TILE, "where it is stored")
    assembly = "` ` $A `, ` $tile"
    rules = (_shape_check("PYTL-0638", "store_tile", "A"),)


@instruction
class PrefetchTile(OfSubgroup):
    """Asks for the elements of a tile to be brought to the cache; it computes nothing."""

    mnemonic = "xetile.prefetch_tile"
    section = "prefetch_tile"
    tile: Any = Operand(TILE, "what will be loaded")
    assembly = "` ` $tile"


@check("PYTL-0639", "type(result) = type(tile)", "update_tile_offset")
def moved_type(op: UpdateTileOffset) -> Iterator[Problem]:
    if op.result.type != op.tile.type:
        message = f"the tile is {op.tile.type}, but the result is {op.result.type}"
        yield Problem(message, f"write : {op.tile.type}", "tile")


@instruction
class UpdateTileOffset(OfSubgroup):
    """The tile moved by a number of rows and columns of its memref."""

    mnemonic = "xetile.update_tile_offset"
    section = "update_tile_offset"
    tile: Any = Operand(TILE, "the tile")
    dx: Any = Operand(INDEX, "rows that it moves by")
    dy: Any = Operand(INDEX, "columns that it moves by")
    result: Any = Result(TILE)
    assembly = "` ` $tile `, ` $dx `, ` $dy ` : ` $result"
    pure = True

    rules = (moved_type,)

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        return index if part in ("dx", "dy") else None

    def infer_result_types(self) -> list[Type]:
        return [self.tile.type]


@check("PYTL-0640", "A is m x k, B is k x n, C and the result are m x n", "tile_mma")
def product_shapes(op: TileMma) -> Iterator[Problem]:
    (m, k), (rows, n) = op.A.type.shape, op.B.type.shape
    if k != rows:
        yield Problem(f"columns(A) = {k}, but rows(B) = {rows}", part="B")
    for name, value in (("C", op.C), ("the result", op.result)):
        if value is not None and value.type.shape != (m, n):
            given = "x".join(map(str, value.type.shape))
            yield Problem(f"A B is {m}x{n}, but {name} is {given}", part="A")


@check("PYTL-0641", "promote(component_type(A), component_type(B)) ⪯ component_type(C) = component_type(D)", "tile_mma")
def product_types(op: TileMma) -> Iterator[Problem]:
    a, b, d = (value.type.component for value in (op.A, op.B, op.result))
    product = promote(a, b)
    if product is None:
        yield Problem(f"promote({a}, {b}) fails: neither represents the other exactly", part="B")
    elif not promotable(product, d):
        yield Problem(f"{product} is not promotable to {d}, the component type of the result", part="A")
    if op.C is not None and op.C.type != op.result.type:
        yield Problem(f"C is {op.C.type}, but the result is {op.result.type}", f"write : {op.C.type}", "C")


@instruction
class TileMma(OfSubgroup):
    """`D := A B + C` on matrices, or `D := A B` without C; the sum is taken in D's component type."""

    mnemonic = "xetile.tile_mma"
    section = "tile_mma"
    A: Any = Operand(COOPMATRIX, "left factor")
    B: Any = Operand(COOPMATRIX, "right factor")
    C: Any = Operand(COOPMATRIX, "what is added", optional=True)
    result: Any = Result(COOPMATRIX)
    assembly = "` ` $A `, ` $B (`, ` $C)? ` : ` $result"
    rules = (product_shapes, product_types)
    pure = True

    def infer_result_types(self) -> list[Type]:
        if self.C is not None:
            return [self.C.type]
        a, b = self.A.type, self.B.type
        return [CoopMatrixType(promote(a.component, b.component) or a.component, a.rows, b.columns, "matrix_acc")]
