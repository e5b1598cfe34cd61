"""Tiles: rectangles that move over a memref. What a tile holds is a matrix of the sub-group, as those of `coop`."""

from __future__ import annotations

from typing import Any

from ...ir.layouts import TileLayout
from ...ir.types import CoopMatrixType, MatrixUse, TileType, index
from ...ir.values import Value
from ...ops import (
    ArithBinary,
    Convert,
    Expand,
    InitTile,
    LoadPadded,
    LoadTile,
    PrefetchTile,
    Slice,
    StoreTile,
    Subview,
    TileMma,
    UpdateTileOffset,
)
from .function import Call, build_operation, function_of, memref_argument, one_of, python_integer
from .matrices import USES, for_use, matrix_argument, transpose_argument
from .rules import TRANSPOSED
from .scalars import Bound, Number, Tensor, V
from .traced import Transposed, describe

Pair = tuple[int, int]


def _pair(call: Call, name: str, least: int = 1) -> Pair:
    sizes = call.arguments[name]
    if not isinstance(sizes, tuple) or len(sizes) != 2:
        call.fail(
            f"{name} of {call.function.name} is {describe(sizes)}, not two integers", f"write {name}=(8, 16)", name
        )
    rows, columns = (python_integer(call, size, f"a size of {call.function.name}", name) for size in sizes)
    for size in (rows, columns):
        if size < least:
            call.fail(f"a size of {call.function.name} is {size}, but each is at least {least}", argument=name)
    return rows, columns


def _index(call: Call, start: Any) -> Value:
    if isinstance(start, Value) and start.type != index:
        call.fail(f"a start of {call.function.name} is {describe(start)}, not index", "cast it: index(…)", "at")
    return call.typed(start, index, "at")


_LAYOUT = ("sg_layout", "sg_data", "lane_layout", "lane_data")


def _at(call: Call) -> tuple[Any, Value, Value]:
    """The memref, and the row and the column in it."""
    if isinstance(call.arguments["M"], Transposed):
        call.fail(
            f"M of {call.function.name} can't be transposed", "write transpose=True in tile.load", "M", TRANSPOSED
        )
    at = call.arguments["at"]
    if not isinstance(at, tuple) or len(at) != 2:
        call.fail(f"at of {call.function.name} is {describe(at)}, not a row and a column", "write (i, j)", "at")
    x, y = (_index(call, start) for start in at)
    return memref_argument(call, "M"), x, y


def _bound(call: Call, size: Any, name: str) -> int | Value:
    """A size that is known now, or an index."""
    if not isinstance(size, Value):
        return python_integer(call, size, f"a size in {name} of {call.function.name}", name)
    if size.type != index:
        call.fail(f"{name} of {call.function.name} has {describe(size)}, not index", "cast it: index(…)", name)
    return size


def _base(call: Call, M: Value) -> Value:
    """The base matrix: M, or memory of one mode that is seen as a matrix."""
    shape, stride = call.arguments["base_shape"], call.arguments["base_stride"]
    if shape is None:
        if stride is not None:
            call.fail("base_stride of tile.init needs base_shape", "write base_shape=(m, n)", "base_stride")
        return M
    if M.type.order != 1:
        message = f"M of tile.init is {M.type}, but base_shape makes a matrix of memory with one mode"
        call.fail(message, "leave base_shape out: M has a shape", "base_shape")
    if not isinstance(shape, tuple) or len(shape) != 2:
        call.fail(f"base_shape of tile.init is {describe(shape)}, not two sizes", "write (m, n)", "base_shape")
    rows, columns = (_bound(call, size, "base_shape") for size in shape)
    step = rows if stride is None else _bound(call, stride, "base_stride")
    if isinstance(step, int) and isinstance(columns, int):
        size: int | Value = step * columns
    else:
        a, b = (call.typed(each, index, "base_shape") for each in (step, columns))
        size = call.emit(ArithBinary, [index], variant="mul", a=a, b=b).results[0]
    memory = call.emit(Subview, tensor=M, slices=[Slice(0, size)]).results[0]
    whole = call.emit(Expand, tensor=memory, mode=0, expand_shape=[step, columns]).results[0]
    if step is rows or step == rows:
        return whole
    return call.emit(Subview, tensor=whole, slices=[Slice(0, rows), Slice(0, columns)]).results[0]


def _build_init(call: Call) -> Any:
    M, x, y = _at(call)
    M = _base(call, M)
    layout = {name: _pair(call, name) for name in _LAYOUT if call.arguments[name] is not None}
    rows, columns = _pair(call, "shape")
    type_ = TileType(M.type.element, rows, columns, TileLayout(**layout))
    return call.emit(InitTile, [type_], M=M, x=x, y=y).result


@function_of(InitTile, build=_build_init, name="tile.init")
def init(
    M: Tensor,
    at: tuple[Bound, Bound],
    shape: Pair,
    sg_layout: Pair | None = None,
    sg_data: Pair | None = None,
    lane_layout: Pair | None = None,
    lane_data: Pair | None = None,
    base_shape: tuple[Bound, Bound] | None = None,
    base_stride: Bound | None = None,
) -> Any:
    """A tile of a memref of two modes, its first row and column at `M[at]`.

    `shape` is two Python integers. The tile may be outside of M in part: what is there reads as 0 and is not stored.
    Memory of one mode is a matrix of `base_shape`, whose columns begin `base_stride` elements from each other, by
    default as many as it has rows; M has `base_stride` elements for each column, which is not checked at run time.
    The layout says how a work-group's tile is split over its sub-groups, and theirs over the work-items.
    M and `at` are the same for all work-items of the sub-group. Allowed in SPMD regions.

    >>> from pytl import Memref, f32, parallel, tile
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 64, 48]):
    ...     with parallel():
    ...         t = tile.init(A, (8, 0), shape=(8, 16))
    >>> print(str(trace(f)).splitlines()[4].strip())
    %t = xetile.init_tile %A[%0, %1] : tile<f32x8x16>
    """


def _tile(call: Call) -> Any:
    tile = call.arguments["tile"]
    if not isinstance(getattr(tile, "type", None), TileType):
        call.fail(f"tile of {call.function.name} is {describe(tile)}, not tile-type", "make one: tile.init", "tile")
    return tile


def _build_load(call: Call) -> Any:
    tile = _tile(call)
    is_transposed = one_of(call, "transpose", (False, True))
    rows, columns = reversed(tile.type.shape) if is_transposed else tile.type.shape
    type_ = CoopMatrixType(tile.type.element, rows, columns, "matrix_acc")
    padding = call.arguments["padding"]
    if padding is not None:
        padding = call.typed(padding, tile.type.element, "padding")
    return call.emit(LoadTile, [type_], transpose="t" if is_transposed else "n", tile=tile, padding=padding).result


@function_of(LoadTile, build=_build_load, name="tile.load")
def load(tile: Tensor, transpose: bool = False, padding: Number | None = None) -> Any:
    """The matrix of a tile; with `transpose` component (i, j) is element (j, i) of the tile.

    A component outside of the memref is `padding`, 0 where it is left out. Allowed in SPMD regions.

    >>> from pytl import Memref, f32, parallel, tile
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 64, 48]):
    ...     with parallel():
    ...         a = tile.load(tile.init(A, (8, 0), shape=(8, 16)), transpose=True)
    >>> print(str(trace(f)).splitlines()[5].strip())
    %a = xetile.load_tile.t %2 : coopmatrix<f32x16x8,matrix_acc>
    """


def _build_store(call: Call) -> None:
    matrix = matrix_argument(call, "A")
    call.emit(StoreTile, A=matrix, tile=_tile(call))


@function_of(StoreTile, build=_build_store, name="tile.store")
def store(A: Tensor, tile: Tensor) -> None:
    """Stores a matrix in a tile of its shape and type; what lies outside of the memref is left out.

    Allowed in SPMD regions.

    >>> from pytl import Memref, f32, parallel, tile
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 64, 48]):
    ...     with parallel():
    ...         t = tile.init(A, (8, 0), shape=(8, 16))
    ...         tile.store(tile.load(t), t)
    >>> print(str(trace(f)).splitlines()[6].strip())
    xetile.store_tile %2, %t
    """


def _build_prefetch(call: Call) -> None:
    call.emit(PrefetchTile, tile=_tile(call))


@function_of(PrefetchTile, build=_build_prefetch, name="tile.prefetch")
def prefetch(tile: Tensor) -> None:
    """Asks for the elements of a tile to be brought to the cache. Allowed in SPMD regions.

    >>> from pytl import Memref, f32, parallel, tile
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 64, 48]):
    ...     with parallel():
    ...         t = tile.init(A, (8, 0), shape=(8, 16))
    ...         tile.prefetch(t)
    ...         tile.store(tile.load(t), t)
    >>> print(str(trace(f)).splitlines()[5].strip())
    xetile.prefetch_tile %t
    """


def _build_update(call: Call) -> Any:
    _tile(call)
    return build_operation(call)


@function_of(UpdateTileOffset, build=_build_update, name="tile.update_offset")
def update_offset(tile: V, dx: Bound, dy: Bound) -> V:
    """The tile moved by `dx` rows and `dy` columns of its memref, which may be negative. Allowed in SPMD regions.

    >>> from pytl import Memref, f32, parallel, tile
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 64, 48]):
    ...     with parallel():
    ...         t = tile.init(A, (0, 0), shape=(8, 16))
    ...         tile.store(tile.load(t), tile.update_offset(t, 8, 0))
    >>> print(str(trace(f)).splitlines()[8].strip())
    %5 = xetile.update_tile_offset %t, %3, %4 : tile<f32x8x16>
    """


def _build_mma(call: Call) -> Any:
    A, B = (matrix_argument(call, name) for name in ("A", "B"))
    C = None if call.arguments["C"] is None else matrix_argument(call, "C")
    return call.emit(TileMma, None, A=A, B=B, C=C).result


@function_of(TileMma, build=_build_mma, name="tile.mma")
def mma(A: Tensor, B: Tensor, C: Tensor | None = None) -> Any:
    """`A B + C` of matrices of m×k, k×n and m×n components, or `A B` without C.

    The sum is taken in the component type of C, to which those of A and B are promotable; without C in the larger of
    theirs. Any matrix may be a factor: what is loaded from a tile, computed, or a sum. Allowed in SPMD regions.

    >>> from pytl import Memref, f32, parallel, tile
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 64, 48]):
    ...     with parallel():
    ...         a = tile.load(tile.init(A, (8, 0), shape=(8, 16)))
    ...         b = tile.load(tile.init(A, (0, 8), shape=(16, 8)))
    ...         tile.store(tile.mma(a, b), tile.init(A, (0, 0), shape=(8, 8)))
    >>> print(str(trace(f)).splitlines()[10].strip())
    %6 = xetile.tile_mma %a, %b : coopmatrix<f32x8x8,matrix_acc>
    """


def _build_load_padded(call: Call) -> Any:
    M, x, y = _at(call)
    rows, columns = _pair(call, "shape")
    type_ = CoopMatrixType(M.type.element, rows, columns, one_of(call, "use", USES))
    transpose = transpose_argument(call)
    padding = call.typed(call.arguments["padding"], M.type.element, "padding")
    return call.emit(LoadPadded, [type_], transpose=transpose, M=M, x=x, y=y, padding=padding).result


@function_of(LoadPadded, build=_build_load_padded, name="tile.load_padded")
def load_padded(
    M: Tensor,
    at: tuple[Bound, Bound],
    shape: Pair,
    padding: Number,
    use: MatrixUse = "matrix_acc",
    transpose: bool = False,
) -> Any:
    """A matrix of a memref of two modes from `M[at]` on; a component outside of the memref is `padding`.

    `shape` is two Python integers; with `transpose` component (i, j) is `M[at[0] + j, at[1] + i]`. A tile that is
    loaded with a padding becomes one. Allowed in SPMD regions.

    >>> from pytl import Memref, f32, parallel, tile
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 64, 48]):
    ...     with parallel():
    ...         a = tile.load_padded(A, (60, 0), (8, 16), 1.0)
    >>> print(str(trace(f)).splitlines()[5].strip())
    %a = xetile.load_padded.n %A[%0, %1] padding(%2) : coopmatrix<f32x8x16,matrix_acc>
    """


def _build_convert(call: Call) -> Any:
    return for_use(call, matrix_argument(call, "matrix"), one_of(call, "use", USES))


@function_of(Convert, build=_build_convert, name="tile.convert")
def convert(matrix: Tensor, use: MatrixUse) -> Any:
    """The same matrix for another use: a sum as a factor of `coop.mul_add`.

    `tile.mma` does it by itself, and `cast(m, f16, use="matrix_a")` changes the type, too. `use` is "matrix_a",
    "matrix_b" or "matrix_acc". Allowed in SPMD regions.

    >>> from pytl import Memref, f32, parallel, tile
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 8, 8]):
    ...     with parallel():
    ...         a = tile.convert(tile.load(tile.init(A, (0, 0), shape=(8, 8))), use="matrix_a")
    >>> print(str(trace(f)).splitlines()[6].strip())
    %a = xetile.convert %3 : coopmatrix<f32x8x8,matrix_a>
    """
