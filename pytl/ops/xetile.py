"""Tiles: rectangles of a memref that move over it (the document on XeTile: init_tile to update_tile_offset).

What a tile holds is a cooperative matrix, so that arithmetic, casts and loops are those of the tensor language. A
tile's value is the memref and the tile's position in it; what lies outside of the memref reads as the padding, and is
not stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..diagnostics import Diagnostics, Rule
from ..ir.constraints import COOPMATRIX, INDEX, MEMREF, SCALAR, TILE
from ..ir.fields import Modifier, Operand, Result
from ..ir.operation import Check, Problem, check
from ..ir.registry import instruction
from ..ir.types import CoopMatrixType, MemrefType, TileType, Type, promotable, promote
from ..ir.values import Function, Value
from ..ir.verifier import function_check
from .arith import Cast, admits_cast
from .control import For, If, terminator
from .coopmatrix import CooperativeMatrixLoad, OfSubgroup
from .launch_defaults import known_subgroup_grid
from .result_types import result_type_check
from .updates import TRANSPOSE, TRANSPOSES, order_check


@check("PYTL-0635", "element_type(M) = element_type(tile)", "init_tile")
def init_element(op: InitTile) -> Iterator[Problem]:
    element, expected = op.M.type.element, op.result.type.element
    if element != expected:
        yield Problem(f"the elements of M are {element}, but those of the tile are {expected}", part="M")


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
    reads = ("M",)  # by what the tile is loaded with
    pure = True


def _shape_check(code: str, section: str, matrix: str) -> Check:
    @check(code, "the matrix has the element type and the shape of the tile, transposed with .t", section)
    def matrix_fits(op: Any) -> Iterator[Problem]:
        tile, type_ = op.tile.type, getattr(op, matrix).type
        turned = TRANSPOSES[getattr(op, "transpose", "n")]
        rows, columns = reversed(tile.shape) if turned else tile.shape
        if (type_.component, *type_.shape) != (tile.element, rows, columns):
            actual, expected = (
                f"{e}x{r}x{c}" for e, r, c in ((type_.component, *type_.shape), (tile.element, rows, columns))
            )
            yield Problem(
                f"the tile is {expected}{' transposed' if turned else ''}, but the matrix is {actual}", part="tile"
            )

    return matrix_fits


@check("PYTL-0637", "type(padding) = element_type(tile)", "load_tile")
def padding_type(op: LoadTile | LoadPadded) -> Iterator[Problem]:
    element = op.tile.type.element if isinstance(op, LoadTile) else op.M.type.element
    if op.padding is not None and op.padding.type != element:
        message = f"the padding is {op.padding.type}, but the elements of what is loaded are {element}"
        yield Problem(message, f"cast it: cast %value : {element}", "padding")


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
    reads_through_value = True
    rules = (_shape_check("PYTL-0636", "load_tile", "result"), padding_type)

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        return getattr(parts["tile"].type, "element", None) if part == "padding" else None


@instruction
class LoadPadded(CooperativeMatrixLoad):
    """Loads a matrix from a memref as `cooperative_matrix_load` does; a component outside of it is the padding.

    The pass `lower-tiles` makes it of a tile that is loaded with a padding.
    """

    mnemonic = "xetile.load_padded"
    section = "load_tile"
    checked: Any = Modifier({"both_checked": "what lies outside of the memref is the padding"}, default="both_checked")
    padding: Any = Operand(SCALAR, "what components outside of the memref are")
    assembly = "` ` $M `[` $x `, ` $y `] padding(` $padding `) : ` $result"
    rules = (*CooperativeMatrixLoad.rules[:2], padding_type)

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        if part == "padding":
            return getattr(parts["M"].type, "element", None)
        return super().literal_type(part, parts)


@instruction
class StoreTile(OfSubgroup):
    """Stores a matrix in a tile; components outside of the memref are left out."""

    mnemonic = "xetile.store_tile"
    section = "store_tile"
    A: Any = Operand(COOPMATRIX, "the matrix")
    tile: Any = Operand(TILE, "where it is stored")
    assembly = "` ` $A `, ` $tile"
    writes_through_value = True
    rules = (_shape_check("PYTL-0638", "store_tile", "A"),)


@instruction
class PrefetchTile(OfSubgroup):
    """Asks for the elements of a tile to be brought to the cache; it computes nothing."""

    mnemonic = "xetile.prefetch_tile"
    section = "prefetch_tile"
    tile: Any = Operand(TILE, "what will be loaded")
    assembly = "` ` $tile"


@instruction
class UpdateTileOffset(OfSubgroup):
    """The tile moved by a number of rows and columns of its memref."""

    mnemonic = "xetile.update_tile_offset"
    section = "update_tile_offset"
    tile: Any = Operand(TILE, "the tile")
    dx: Any = Operand(INDEX, "rows that it moves by")
    dy: Any = Operand(INDEX, "columns that it moves by")
    result: Any = Result(TILE, like="tile")
    assembly = "` ` $tile `, ` $dx `, ` $dy ` : ` $result"
    pure = True

    rules = (result_type_check("PYTL-0639", section, "type(result) = type(tile)", "tile", "tile"),)


@check("PYTL-0640", "A is m x k, B is k x n, C and the result are m x n", "tile_mma")
def product_shapes(op: TileMma) -> Iterator[Problem]:
    (m, k), (rows, n) = op.A.type.shape, op.B.type.shape
    if k != rows:
        yield Problem(f"columns(A) = {k}, but rows(B) = {rows}", part="B")
    for name, value in (("C", op.C), ("the result", op.result)):
        if value is not None and value.type.shape != (m, n):
            actual = "x".join(map(str, value.type.shape))
            yield Problem(f"A B is {m}x{n}, but {name} is {actual}", part="A")


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


@check("PYTL-0643", "the result has the shape of the matrix, whose components may be cast to its own", "tile_mma")
def converted_type(op: Convert) -> Iterator[Problem]:
    source, target = op.operand.type, op.result.type
    if source.shape != target.shape or not admits_cast(source, target):
        yield Problem(f"the matrix is {source}, but the result is {target}", part="operand")


@instruction
class Convert(Cast):
    """The same matrix for another use: a sum as a factor of the next product. Its components may be cast as well.

    The pass `lower-tiles` makes it of a factor of `xetile.tile_mma` that is computed.
    """

    mnemonic = "xetile.convert"
    section = "tile_mma"
    operand: Any = Operand(COOPMATRIX, "the matrix")
    result: Any = Result(COOPMATRIX)
    rules = (converted_type,)

    @classmethod
    def is_legal(cls, parts: dict[str, Any]) -> bool:
        source, (target, *_) = parts["operand"].type, parts.get("result_types") or [None]
        return isinstance(target, CoopMatrixType) and source.use != target.use


def memref_of(tile: Value, known: Mapping[Value, Value]) -> Value:
    """The memref of a tile, or what carries the tile where the memref depends on an outer loop.

    `known` has the initial values of what loops carry.
    """
    while True:
        if tile in known:
            tile = known[tile]
            continue
        owner = tile.owner
        if isinstance(owner, InitTile):
            return owner.M
        if isinstance(owner, UpdateTileOffset):
            tile = owner.tile
        elif isinstance(owner, For):
            tile = owner.inits[owner.results.index(tile)]
        elif isinstance(owner, If) and (last := terminator(owner.then_body)) is not None:
            tile = last.yielded[owner.results.index(tile)]
        else:
            return tile


@check("PYTL-0642", "a tile that a loop or a branch gives is of one memref", "update_tile_offset")
def one_memref(op: For | If) -> Iterator[Problem]:
    if isinstance(op, For):
        known = dict(zip(op.carried, op.inits))
        ways = [op.inits, op.yielded]
    else:
        known = {}
        ends = [terminator(body) for body in (op.then_body, op.else_body) if body is not None]
        ways = [last.yielded for last in ends if last is not None]
    for position, values in enumerate(zip(*ways)):
        if not all(isinstance(value.type, TileType) for value in values):
            continue
        memrefs = dict.fromkeys(memref_of(value, known) for value in values)
        if len(memrefs) > 1 and all(isinstance(value.type, MemrefType) for value in memrefs):
            names = " and ".join(f"%{value.name}" if value.name else "another" for value in memrefs)
            yield Problem(f"tile {position + 1} is of {names}", "begin a tile of its own for each memref")


COUNT = Rule(
    "PYTL-0646",
    "a work-group of several sub-groups has as many as sg_layout",
    "init_tile",
    explanation="They share the tile then, each with the blocks that the layout gives it. A single sub-group has the "
    "whole tile, whatever the layout.",
)


@function_check
def _check_subgroups(function: Function, diagnostics: Diagnostics) -> None:
    along_x, along_y = known_subgroup_grid(function) or (1, 1)
    count = along_x * along_y
    for op in function.walk() if count > 1 else ():
        if isinstance(op, InitTile) and op.result.type.layout.sg_layout is not None:
            rows, columns = op.result.type.layout.sg_layout
            if rows * columns != count:
                message = f"the layout is for {rows * columns} sub-groups, but a work-group has {count}"
                diagnostics.report(COUNT, message, op.location, "change sg_layout, or work_group_size")


for _carrier in (For, If):
    _carrier.rules = (*_carrier.rules, one_memref)
