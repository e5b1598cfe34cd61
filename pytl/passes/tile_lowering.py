"""Instructions on tiles as cooperative matrices that are loaded and stored at a position.

A tile becomes two indices, its first row and column; a loop or a branch that carries a tile carries the indices. A
load whose matrix is a factor of products is made once for each use that products have of it. A software prefetch is
left out where it is not asked for: it computes nothing, and most backends decide by themselves what they prefetch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..diagnostics import PytlError
from ..ir.layouts import TileLayout
from ..ir.operation import Operation
from ..ir.types import CoopMatrixType, MatrixUse, TileType, index
from ..ir.values import Function, Region, Value
from ..ops import (
    Convert,
    CooperativeMatrixLoad,
    CooperativeMatrixMulAdd,
    CooperativeMatrixPrefetch,
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
from ..ops.updates import TRANSPOSES
from ..ops.xetile import one_memref
from .analysis.known import Known


class Placed(NamedTuple):
    """What a tile has become."""

    M: Value
    x: Value
    y: Value


class TileLowering:
    """The walk through a function, in which each sub-group has whole matrices."""

    def __init__(self, function: Function, prefetches: bool) -> None:
        self.prefetches = prefetches
        self.known = Known(function)
        self.tiles: dict[Value, Placed] = {}
        self.roles: dict[Value, set[MatrixUse]] = {}
        """The uses that instructions have of each matrix that is loaded from a tile."""
        self.loaded: dict[tuple[Value, MatrixUse], Value] = {}
        self.targets: list[Sequence[Value] | None] = [None]
        """What the loops and branches around give, before anything was replaced; None in another region."""
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
            elif isinstance(op, Yield) and self.targets[-1] is not None:
                builder.add(Yield(op.location, yielded=self._spread(builder, op.yielded, self.targets[-1])))
            elif not self._lower(builder, op):
                self.targets.append(None)
                for inner in op.regions:
                    self.region(inner)
                self.targets.pop()
                builder.add(op)
            operations += builder.operations
        region.operations = operations

    def _lower(self, builder: Builder, op: Operation) -> bool:
        if isinstance(op, InitTile):
            self.tiles[op.result] = Placed(op.M, op.x, op.y)
        elif isinstance(op, UpdateTileOffset):
            M, x, y = self.tiles[op.tile]
            self.tiles[op.result] = Placed(M, builder.arith("add", x, op.dx), builder.arith("add", y, op.dy))
        elif isinstance(op, CooperativeMatrixPrefetch):
            if self.prefetches:
                type_ = TileType(op.M.type.element, op.rows, op.columns, TileLayout())
                asked = builder.add(InitTile(op.location, [type_], M=op.M, x=op.x, y=op.y))
                builder.add(PrefetchTile(op.location, tile=asked.results[0]))
        elif isinstance(op, PrefetchTile):
            if self.prefetches:
                tile = builder.add(InitTile(op.location, [op.tile.type], **self.tiles[op.tile]._asdict()))
                builder.add(PrefetchTile(op.location, tile=tile.results[0]))
        elif isinstance(op, LoadTile):
            self._load(builder, op)
        elif isinstance(op, StoreTile):
            position = self.tiles[op.tile]
            checked = self.checked(position, op.tile.type.shape)
            builder.add(CooperativeMatrixStore(op.location, checked=checked, flag="", A=op.A, **position._asdict()))
        elif isinstance(op, TileMma):
            self._product(builder, op)
        else:
            return False
        return True

    def _load(self, builder: Builder, op: LoadTile) -> None:
        type_ = op.result.type
        for use in sorted(self.roles.get(op.result, {type_.use})):
            result = CoopMatrixType(type_.component, type_.rows, type_.columns, use)
            load = self.load_at(op, self.tiles[op.tile], result)
            if use == type_.use:
                load.results = [op.result]
                op.result.owner = load
            self.loaded[op.result, use] = builder.add(load).results[0]

    def _product(self, builder: Builder, op: TileMma) -> None:
        a, b = self._factor(builder, op.A, "matrix_a"), self._factor(builder, op.B, "matrix_b")
        c = builder.zero(op.result.type) if op.C is None else op.C
        product = CooperativeMatrixMulAdd(op.location, [op.result.type], A=a, B=b, C=c)
        product.results = [op.result]
        op.result.owner = product
        builder.add(product)

    def _factor(self, builder: Builder, value: Value, use: MatrixUse) -> Value:
        if (value, use) in self.loaded:
            return self.loaded[value, use]
        if value.type.use == use:
            return value
        result = CoopMatrixType(value.type.component, value.type.rows, value.type.columns, use)
        return builder.add(Convert(None, [result], operand=value)).results[0]

    def load_at(self, op: LoadTile, position: Placed, result: CoopMatrixType) -> Operation:
        """The load of a matrix of a tile, or of a part of it."""
        operands = {"transpose": op.transpose, **position._asdict()}
        if op.padding is not None:
            return LoadPadded(op.location, [result], padding=op.padding, **operands)
        is_transposed = TRANSPOSES[op.transpose]
        shape = result.shape[::-1] if is_transposed else result.shape
        return CooperativeMatrixLoad(
            op.location, [result], checked=self.checked(position, shape, is_transposed), **operands
        )

    def checked(self, position: Placed, shape: tuple[int, int], is_transposed: bool = False) -> str:
        """The modifier that checks what is not known to lie within the memref.

        It names rows and columns of the matrix; of one that is turned they are columns and rows of the memref.
        """
        M, x, y = position
        sides = ("cols", "rows") if is_transposed else ("rows", "cols")
        outside = []
        for at, extent, size, name in zip((x, y), M.type.shape, shape, sides):
            minimum, maximum = self.known.bounds(at)
            if not (isinstance(extent, int) and minimum >= 0 and maximum + size <= extent):
                outside.append(name)
        return "both_checked" if len(outside) == 2 else f"{outside[0]}_checked" if outside else ""

    # What carries tiles.

    def _spread(self, builder: Builder, values: Sequence[Value], targets: Sequence[Value]) -> list[Value]:
        """The values, with two indices in the place of each tile."""
        pairs = zip(values, targets, strict=True)
        return [part for value, target in pairs for part in self.carried_values(builder, value, target)]

    def carried_values(self, builder: Builder, value: Value, target: Value) -> Sequence[Value]:
        """What is carried in the place of a value that a loop or a branch gives as `target`."""
        return (self.tiles[value].x, self.tiles[value].y) if isinstance(value.type, TileType) else (value,)

    def _control(self, builder: Builder, op: For | If) -> None:
        carries = any(self.is_replaced(value) for value in op.results)
        bases: list[Value | None] = [None] * len(op.results)
        targets = list(op.carried if isinstance(op, For) else op.results)
        if isinstance(op, For) and carries:
            bases = [self.tiles[v].M if isinstance(v.type, TileType) else None for v in op.inits]
            op.inits = self._spread(builder, op.inits, targets)
            op.body.arguments = [op.variable, *self._split(op.carried, bases)]
        for inner in op.regions:
            ends = inner.operations[-1:] if carries else []
            yielded = list(ends[0].yielded) if ends and isinstance(ends[0], Yield) else []
            self.targets.append(targets)
            self.region(inner)
            self.targets.pop()
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
        builder.add(op)

    def is_replaced(self, value: Value) -> bool:
        """Whether something else is carried in the place of a value."""
        return isinstance(value.type, TileType)

    def rebuilt(self, value: Value) -> Sequence[Value]:
        """What a loop or a branch gives in the place of a value that is no tile."""
        return (value,)

    def _split(self, values: Sequence[Value], bases: Sequence[Value | None]) -> list[Value]:
        parts: list[Value] = []
        for value, base in zip(values, bases, strict=True):
            if not isinstance(value.type, TileType):
                parts += self.rebuilt(value)
                continue
            assert base is not None
            name = value.name or "tile"
            x, y = (Value(index, f"{name}_{mode}", value.location) for mode in ("row", "column"))
            self.tiles[value] = Placed(base, x, y)
            parts += [x, y]
        return parts


def _uses(op: Operation) -> Iterator[tuple[Value, MatrixUse]]:
    """Each matrix that an instruction takes, and the use that it has there."""
    factors: list[tuple[Value, MatrixUse]] = []
    if isinstance(op, TileMma):
        factors = [(op.A, "matrix_a"), (op.B, "matrix_b")]
    yield from factors
    for value in op.operands[len(factors) :]:
        if isinstance(value.type, CoopMatrixType):
            yield value, value.type.use
