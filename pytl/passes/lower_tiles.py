"""lower-tiles: instructions on tiles as cooperative matrices that are loaded and stored at a position.

A tile becomes two indices, its first row and column; a loop or a branch that carries a tile carries the indices. A
load whose matrix is a factor of products is made once for each use that products have of it. A software prefetch is
left out where it is not asked for: it computes nothing, and most backends decide by themselves what they prefetch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..analysis.known import Known
from ..diagnostics import PytlError
from ..ir.operation import Operation
from ..ir.types import CoopMatrixType, MatrixUse, TileType, index
from ..ir.values import Function, Region, Value
from ..ops import (
    Convert,
    CooperativeMatrixLoad,
    CooperativeMatrixMulAdd,
    CooperativeMatrixStore,
    For,
    If,
    InitTile,
    LoadPadded,
    LoadTile,
    PrefetchTile,
    StoreTile,
    TileMma,
    UpdateTileOffset,
    Yield,
)
from ..ops.builder import Builder
from ..ops.updates import TURNS
from ..ops.xetile import one_memref
from .manager import Pass, register


@register
@dataclass(frozen=True)
class LowerTiles(Pass):
    """Replaces the instructions on tiles with loads, products and stores of cooperative matrices.

    With `prefetches`, software prefetches stay, each of a tile that is made where it stands.
    """

    name = "lower-tiles"
    prefetches: bool = False

    def run(self, function: Function) -> None:
        if any(isinstance(value.type, TileType) for op in function.walk() for value in op.results):
            _Lowering(function, self.prefetches).region(function.body)


class _Placed(NamedTuple):
    """What a tile has become."""

    M: Value
    x: Value
    y: Value


class _Lowering:
    def __init__(self, function: Function, prefetches: bool) -> None:
        self.prefetches = prefetches
        self.known = Known(function)
        self.tiles: dict[Value, _Placed] = {}
        self.roles: dict[Value, set[MatrixUse]] = {}
        """The uses that instructions have of each matrix that is loaded from a tile."""
        self.loaded: dict[tuple[Value, MatrixUse], Value] = {}
        for op in function.walk():
            for value, use in _uses(op):
                if isinstance(value.owner, LoadTile):
                    self.roles.setdefault(value, set()).add(use)

    def region(self, region: Region) -> None:
        operations: list[Operation] = []
        for op in region.operations:
            builder = Builder(op.location)
            if isinstance(op, (For, If)):
                self._control(builder, op)
            elif isinstance(op, Yield):
                builder.add(Yield(op.location, yielded=self._spread(op.yielded)))
            elif not self._lower(builder, op):
                for inner in op.regions:
                    self.region(inner)
                builder.add(op)
            operations += builder.operations
        region.operations = operations

    def _lower(self, to: Builder, op: Operation) -> bool:
        if isinstance(op, InitTile):
            self.tiles[op.result] = _Placed(op.M, op.x, op.y)
        elif isinstance(op, UpdateTileOffset):
            M, x, y = self.tiles[op.tile]
            self.tiles[op.result] = _Placed(M, to.arith("add", x, op.dx), to.arith("add", y, op.dy))
        elif isinstance(op, PrefetchTile):
            if self.prefetches:
                tile = to.add(InitTile(op.location, [op.tile.type], **self.tiles[op.tile]._asdict()))
                to.add(PrefetchTile(op.location, tile=tile.results[0]))
        elif isinstance(op, LoadTile):
            self._load(to, op)
        elif isinstance(op, StoreTile):
            place = self.tiles[op.tile]._asdict()
            to.add(CooperativeMatrixStore(op.location, checked=self._checked(op.tile), flag="", A=op.A, **place))
        elif isinstance(op, TileMma):
            self._product(to, op)
        else:
            return False
        return True

    def _load(self, to: Builder, op: LoadTile) -> None:
        type_ = op.result.type
        place = self.tiles[op.tile]._asdict()
        for use in sorted(self.roles.get(op.result, {type_.use})):
            result = CoopMatrixType(type_.component, type_.rows, type_.columns, use)
            load: Operation
            if op.padding is not None:
                load = LoadPadded(op.location, [result], transpose=op.transpose, padding=op.padding, **place)
            else:
                checked = self._checked(op.tile, TURNS[op.transpose])
                load = CooperativeMatrixLoad(op.location, [result], transpose=op.transpose, checked=checked, **place)
            if use == type_.use:
                load.results = [op.result]
                op.result.owner = load
            self.loaded[op.result, use] = to.add(load).results[0]

    def _product(self, to: Builder, op: TileMma) -> None:
        a, b = self._factor(to, op.A, "matrix_a"), self._factor(to, op.B, "matrix_b")
        c = to.zero(op.result.type) if op.C is None else op.C
        product = CooperativeMatrixMulAdd(op.location, [op.result.type], A=a, B=b, C=c)
        product.results = [op.result]
        op.result.owner = product
        to.add(product)

    def _factor(self, to: Builder, value: Value, use: MatrixUse) -> Value:
        if (value, use) in self.loaded:
            return self.loaded[value, use]
        if value.type.use == use:
            return value
        result = CoopMatrixType(value.type.component, value.type.rows, value.type.columns, use)
        return to.add(Convert(None, [result], operand=value)).results[0]

    def _checked(self, tile: Value, is_turned: bool = False) -> str:
        """The modifier that checks what is not known to lie within the memref.

        It names rows and columns of the matrix; of one that is turned they are columns and rows of the memref.
        """
        M, x, y = self.tiles[tile]
        sides = ("cols", "rows") if is_turned else ("rows", "cols")
        outside = []
        for at, extent, size, name in zip((x, y), M.type.shape, tile.type.shape, sides):
            least, most = self.known.bounds(at)
            if not (isinstance(extent, int) and least >= 0 and most + size <= extent):
                outside.append(name)
        return "both_checked" if len(outside) == 2 else f"{outside[0]}_checked" if outside else ""

    # What carries tiles.

    def _spread(self, values: Sequence[Value]) -> list[Value]:
        """The values, with two indices in the place of each tile."""
        return [
            part
            for value in values
            for part in ((self.tiles[value].x, self.tiles[value].y) if isinstance(value.type, TileType) else (value,))
        ]

    def _control(self, to: Builder, op: For | If) -> None:
        carries = any(isinstance(value.type, TileType) for value in op.results)
        bases: list[Value | None] = [None] * len(op.results)
        if isinstance(op, For) and carries:
            bases = [self.tiles[v].M if isinstance(v.type, TileType) else None for v in op.inits]
            op.inits = self._spread(op.inits)
            op.body.arguments = [op.variable, *self._split(op.carried, bases)]
        for inner in op.regions:
            ends = inner.operations[-1:] if carries else []
            yielded = list(ends[0].yielded) if ends and isinstance(ends[0], Yield) else []
            self.region(inner)
            for number, value in enumerate(yielded):
                if isinstance(value.type, TileType):
                    base = self.tiles[value].M
                    if bases[number] not in (None, base):
                        message = "the tile is of another memref than before"
                        raise PytlError.single(one_memref.rule, message, op.location)
                    bases[number] = base
        if carries:
            op.results = self._split(op.results, bases)
            for value in op.results:
                value.owner = op
        to.add(op)

    def _split(self, values: Sequence[Value], bases: Sequence[Value | None]) -> list[Value]:
        found: list[Value] = []
        for value, base in zip(values, bases, strict=True):
            if not isinstance(value.type, TileType):
                found.append(value)
                continue
            assert base is not None
            name = value.name or "tile"
            x, y = (Value(index, f"{name}_{mode}", value.location) for mode in ("row", "column"))
            self.tiles[value] = _Placed(base, x, y)
            found += [x, y]
        return found


def _uses(op: Operation) -> Iterator[tuple[Value, MatrixUse]]:
    """Each matrix that an instruction takes, and the use that it has there."""
    factors: list[tuple[Value, MatrixUse]] = []
    if isinstance(op, TileMma):
        factors = [(op.A, "matrix_a"), (op.B, "matrix_b")]
    yield from factors
    for value in op.operands[len(factors) :]:
        if isinstance(value.type, CoopMatrixType):
            yield value, value.type.use
