"""Instructions on tiles that a layout spreads over the sub-groups of a work-group: each computes its own blocks.

A matrix becomes the blocks that the sub-group has, row by row: a loop carries them, and what is done to the matrix is
done to each. Of a factor that is loaded, a sub-group loads the rows or columns that its part of the product needs.
Where several sub-groups have the same block, because there are fewer blocks than sub-groups, one of them stores it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..ir.clone import clone_operation
from ..ir.layouts import Pair
from ..ir.operation import Operation
from ..ir.types import CoopMatrixType, MatrixUse, TileType, i32, index
from ..ir.values import Function, Value
from ..ops import (
    Constant,
    Convert,
    CooperativeMatrixMulAdd,
    CooperativeMatrixStore,
    InitTile,
    LoadTile,
    Parallel,
    PrefetchTile,
    StoreTile,
    SubgroupBuiltin,
    TileMma,
)
from ..ops.builder import Builder
from ..ops.coopmatrix import is_matrix
from ..ops.updates import TRANSPOSES
from .subgroup_parts import Distribution, Part, Parts, part_of_tile
from .tile_lowering import Placed, TileLowering

Blocks = list[Value]


class SplitLowering(TileLowering):
    """The walk through a function, in which a sub-group has parts of matrices."""

    def __init__(self, function: Function, prefetches: bool, parts: Parts) -> None:
        super().__init__(function, prefetches)
        self.parts = parts
        types = [value.type for op in function.walk() for value in op.results]
        spread = [type_ for type_ in types if isinstance(type_, TileType) and parts.is_spread(type_)]
        self._layouts = dict.fromkeys(type_.layout.sg_layout or (1, 1) for type_ in spread)
        self._coordinates: dict[Pair, tuple[Value, Value]] = {}
        """The row and the column of the sub-group in each layout."""
        self._blocks: dict[Value, Blocks] = {}
        """Of matrices that are computed or carried."""
        self._loads: dict[tuple[Value, MatrixUse, Part], Blocks] = {}
        self._requested_parts: dict[Value, dict[tuple[MatrixUse, Part], None]] = {}
        """The uses that a matrix has that is loaded, with the part that each needs."""
        for op in function.walk():
            for value, use, part in parts.operands(op):
                self._requested_parts.setdefault(value, {})[use, part] = None

    def _lower(self, builder: Builder, op: Operation) -> bool:
        if isinstance(op, Parallel):
            head = Builder(op.location)
            self._find_position(head)
            self.region(op.body)
            op.body.operations = [*head.operations, *op.body.operations]
            builder.add(op)
        elif isinstance(op, StoreTile):
            self._store(builder, op)
        elif isinstance(op, PrefetchTile):
            self._prefetch(builder, op)
        elif isinstance(op, Constant) and is_matrix(op.result):
            pass  # made where it is used, as large as it is needed there
        elif not isinstance(op, (LoadTile, TileMma)) and any(map(is_matrix, (*op.operands, *op.results))):
            self._each(builder, op)
        else:
            return super()._lower(builder, op)
        return True

    def _find_position(self, builder: Builder) -> None:
        number = builder.add(SubgroupBuiltin(builder.location, [i32], ["subgroup"], variant="subgroup_id")).results[0]
        own = builder.cast(number, index)
        for layout in self._layouts:
            rows, columns = (builder.constant(index, size) for size in layout)
            self._coordinates[layout] = (
                builder.arith("rem", builder.arith("div", own, columns), rows),
                builder.arith("rem", own, columns),
            )

    # Blocks.

    def _first(self, builder: Builder, distribution: Distribution | None, extent: int, number: int) -> Value | None:
        """Where a block begins, in rows or columns; None at the matrix's own beginning."""
        if distribution is None:
            return None
        blocks, own = extent // distribution.size, self._coordinates[distribution.layout][distribution.mode]
        if blocks < distribution.owners:
            own = builder.arith("rem", own, builder.constant(index, blocks))
        if number:
            own = builder.arith("add", own, builder.constant(index, number * distribution.owners))
        return builder.arith("mul", own, builder.constant(index, distribution.size))

    def _placed(self, builder: Builder, tile: Value, part: Part, block: Pair) -> Placed:
        """Where a block of a tile lies; the part is that of the tile's rows and columns."""
        M, x, y = self.tiles[tile]
        first = [self._first(builder, *each) for each in zip(part, tile.type.shape, block)]
        x, y = (at if begin is None else builder.arith("add", at, begin) for at, begin in zip((x, y), first))
        return Placed(M, x, y)

    def _of(self, builder: Builder, value: Value, use: MatrixUse, part: Part) -> Blocks:
        """The blocks of a matrix for a use."""
        if isinstance(value.owner, LoadTile):
            return self._loads[value, use, part]
        if isinstance(value.owner, Constant):
            type_ = _block_type(value.type, part, use)
            literal = value.owner.literal
            return [
                builder.add(Constant(builder.location, [type_], literal=literal)).results[0]
                for _ in _numbers(value.type, part)
            ]
        blocks = self._blocks[value]
        if value.type.use == use:
            return blocks
        return [
            builder.add(Convert(builder.location, [_block_type(value.type, part, use)], operand=block)).results[0]
            for block in blocks
        ]

    def _load(self, builder: Builder, op: LoadTile) -> None:
        for use, part in self._requested_parts.get(op.result, {}):
            type_ = _block_type(op.result.type, part, use)
            is_transposed = TRANSPOSES[op.transpose]
            blocks = []
            for number in _numbers(op.result.type, part):
                block = (part[::-1], number[::-1]) if is_transposed else (part, number)
                position = self._placed(builder, op.tile, *block)
                blocks.append(builder.add(self.load_at(op, position, type_)).results[0])
            self._loads[op.result, use, part] = blocks

    def _store(self, builder: Builder, op: StoreTile) -> None:
        part = self.parts.stored(op)
        blocks = self._of(builder, op.A, op.A.type.use, part)

        def store(builder: Builder) -> Sequence[Value]:
            for block, number in zip(blocks, _numbers(op.A.type, part), strict=True):
                position = self._placed(builder, op.tile, part, number)
                checked = self.checked(position, block.type.shape)
                builder.add(
                    CooperativeMatrixStore(op.location, checked=checked, flag="", A=block, **position._asdict())
                )
            return ()

        condition = self._is_first(builder, op.tile.type)
        if condition is None:
            store(builder)
        else:
            builder.branch(condition, [], store)

    def _is_first(self, builder: Builder, type_: TileType) -> Value | None:
        """Whether the sub-group is the first that has its blocks, where several have them."""
        condition = None
        if self.parts.is_spread(type_):
            layout = type_.layout
            assert layout.sg_layout is not None and layout.sg_data is not None
            sizes = zip(type_.shape, layout.sg_data, layout.sg_layout, self._coordinates[layout.sg_layout])
            for extent, size, owners, own in sizes:
                if extent // size < owners:
                    is_owner = builder.compare("lt", own, builder.constant(index, extent // size))
                    condition = is_owner if condition is None else builder.arith("and", condition, is_owner)
        return condition

    def _prefetch(self, builder: Builder, op: PrefetchTile) -> None:
        if not self.prefetches:
            return
        type_ = op.tile.type
        part = part_of_tile(type_.layout, type_.shape) if self.parts.is_spread(type_) else (None, None)
        whole = CoopMatrixType(type_.element, type_.rows, type_.columns, "matrix_acc")
        rows, columns = _block_type(whole, part, "matrix_acc").shape
        for number in _numbers(whole, part):
            position = self._placed(builder, op.tile, part, number)
            tile = builder.add(InitTile(op.location, [TileType(type_.element, rows, columns)], **position._asdict()))
            builder.add(PrefetchTile(op.location, tile=tile.results[0]))

    # What is computed.

    def _product(self, builder: Builder, op: TileMma) -> None:
        part = self.parts.of(op.result)
        type_ = _block_type(op.result.type, part, "matrix_acc")
        a = self._of(builder, op.A, "matrix_a", (part[0], None))
        b = self._of(builder, op.B, "matrix_b", (None, part[1]))
        c = [builder.zero(type_)] * (len(a) * len(b)) if op.C is None else self._of(builder, op.C, "matrix_acc", part)
        products = []
        for number, before in enumerate(c):
            left, right = a[number // len(b)], b[number % len(b)]
            products.append(
                builder.add(CooperativeMatrixMulAdd(op.location, [type_], A=left, B=right, C=before)).results[0]
            )
        self._blocks[op.result] = products

    def _each(self, builder: Builder, op: Operation) -> None:
        """What is done to matrices, to the blocks of each."""
        operands = list(self.parts.operands(op))
        blocks = [(value, self._of(builder, value, use, part)) for value, use, part in operands]
        result = next(filter(is_matrix, op.results), None)
        part = (None, None) if result is None else self.parts.of(result)
        count = len(blocks[0][1]) if blocks else 1
        copies = []
        for number in range(count):
            mapping: dict[Value, Value] = {value: own[number] for value, own in blocks}
            copy = builder.add(clone_operation(op, mapping))
            for old, new in zip(op.results, copy.results):
                if is_matrix(old):
                    new.type = _block_type(old.type, part, old.type.use)
                else:
                    copy.results[op.results.index(old)] = old
                    old.owner = copy
            copies.append(copy)
        for position, old in enumerate(op.results):
            if is_matrix(old):
                self._blocks[old] = [copy.results[position] for copy in copies]

    # What carries matrices.

    def is_replaced(self, value: Value) -> bool:
        return is_matrix(value) or super().is_replaced(value)

    def carried_values(self, builder: Builder, value: Value, target: Value) -> Sequence[Value]:
        if is_matrix(value):
            return self._of(builder, value, value.type.use, self.parts.of(target))
        return super().carried_values(builder, value, target)

    def rebuilt(self, value: Value) -> Sequence[Value]:
        if not is_matrix(value):
            return super().rebuilt(value)
        part = self.parts.of(value)
        type_ = _block_type(value.type, part, value.type.use)
        self._blocks[value] = [Value(type_, value.name, value.location) for _ in _numbers(value.type, part)]
        return self._blocks[value]


def _block_type(type_: Any, part: Part, use: MatrixUse) -> CoopMatrixType:
    rows, columns = (
        size if distribution is None else distribution.size for size, distribution in zip(type_.shape, part)
    )
    return CoopMatrixType(type_.component, rows, columns, use)


def _numbers(type_: Any, part: Part) -> list[Pair]:
    """The blocks that each sub-group has, by their numbers in rows and columns."""
    counts = [
        1 if distribution is None else max(size // (distribution.size * distribution.owners), 1)
        for size, distribution in zip(type_.shape, part)
    ]
    return [(row, column) for row in range(counts[0]) for column in range(counts[1])]
