"""Which part of each matrix a sub-group has, where tiles are spread over the sub-groups of a work-group by a layout.

A sub-group computes the blocks that it stores. Of a product these need rows of the left factor and columns of the right
one, whatever the layouts of these: they are loaded where they are needed. What is computed component by component has
the same part as its operands, and so has what a loop carries.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostics import PytlError, Rule
from ..ir.layouts import Pair, TileLayout
from ..ir.operation import Operation
from ..ir.types import MatrixUse, TileType
from ..ir.values import Function, Value
from ..ops import (
    ArithBinary,
    ArithUnary,
    Cast,
    Constant,
    CooperativeMatrixScale,
    For,
    If,
    LoadTile,
    StoreTile,
    TileMma,
    Yield,
)
from ..ops.control import terminator
from ..ops.coopmatrix import is_matrix
from ..ops.launch_defaults import subgroup_count
from ..ops.updates import TRANSPOSES
from ..process.records import dataclass

UNDIVIDED = Rule(
    "PYTL-0647",
    "a matrix that is spread over sub-groups is computed with where each sub-group has what it needs",
    "tile_mma",
    explanation="A sub-group has the blocks that its layout gives it. What is loaded from a tile can be loaded again "
    "for another use; what is computed stays where it is. So a sum can be the left factor of the next product if "
    "sub-groups have whole rows of it, and the right factor if they have whole columns.",
)


@dataclass(frozen=True)
class Distribution:
    """Blocks of rows or of columns, dealt out to sub-groups that have different rows or columns of the layout."""

    size: int
    layout: Pair
    """The rows and columns of sub-groups."""
    mode: int
    """Whether the sub-group's row (0) or column (1) in the layout says which blocks it has."""

    @property
    def owners(self) -> int:
        return self.layout[self.mode]


Part = tuple[Distribution | None, Distribution | None]
"""What a sub-group has of the rows and of the columns of a matrix, None for all of them."""
WHOLE: Part = (None, None)


def part_of_tile(layout: TileLayout, shape: tuple[int, int], is_transposed: bool = False) -> Part:
    """The part that a layout gives a sub-group of a matrix, or of the transpose of one."""
    if layout.sg_layout is None or layout.sg_data is None:
        return WHOLE
    deals = [
        Distribution(data, layout.sg_layout, mode) if data < size else None
        for mode, (data, size) in enumerate(zip(layout.sg_data, shape))
    ]
    return (deals[1], deals[0]) if is_transposed else (deals[0], deals[1])


class Parts:
    """The part of each matrix of a function that a sub-group has, and those that a loaded one has for its uses."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._count = subgroup_count(function)
        self._leader: dict[Value, Value] = {}
        self._part: dict[Value, Part] = {}
        self._products = [op for op in function.walk() if isinstance(op, TileMma)]
        for op in function.walk():
            self._learn(op)
        self._follow_products()
        for value, use in self._joined_loads():
            self._part.setdefault(self._find(use), self._own_part(value))
        self._follow_products()

    def is_spread(self, type_: TileType) -> bool:
        """Whether sub-groups share such tiles."""
        return type_.layout.is_for(self._count)

    def of(self, value: Value) -> Part:
        """The part of a matrix that is not loaded."""
        return self._part.get(self._find(value), WHOLE)

    def stored(self, op: StoreTile) -> Part:
        """The part of a matrix that a sub-group stores."""
        layout = op.tile.type.layout
        if layout.is_for(self._count):
            return part_of_tile(layout, op.tile.type.shape)
        return WHOLE if is_free(op.A) else self.of(op.A)

    def operands(self, op: Operation) -> Iterator[tuple[Value, MatrixUse, Part]]:
        """The matrices that an instruction takes, the use that it has for each, and the part that it needs."""
        if isinstance(op, TileMma):
            rows, columns = self.of(op.result)
            yield op.A, "matrix_a", (rows, None)
            yield op.B, "matrix_b", (None, columns)
            if op.C is not None:
                yield op.C, "matrix_acc", (rows, columns)
        elif isinstance(op, StoreTile):
            yield op.A, op.A.type.use, self.stored(op)
        elif isinstance(op, (For, If)):
            for value, target in _carried(op):
                yield value, value.type.use, self.of(target)
        elif not isinstance(op, Yield):
            part = self.of(op.results[0]) if _is_by_component(op) else WHOLE
            yield from ((value, value.type.use, part) for value in op.operands if is_matrix(value))

    # What is found out.

    def _find(self, value: Value) -> Value:
        while value in self._leader:
            value = self._leader[value]
        return value

    def _join(self, a: Value, b: Value, op: Operation) -> None:
        if is_free(a) or is_free(b):
            return
        a, b = self._find(a), self._find(b)
        if a is b:
            return
        part = self._part.pop(a, None)
        self._leader[a] = b
        if part is not None:
            self._is(b, part, op)

    def _is(self, value: Value, part: Part, op: Operation) -> bool:
        """Note a part; returns whether it is new."""
        if is_free(value):
            return False
        leader = self._find(value)
        if leader not in self._part:
            self._part[leader] = part
            return True
        if self._part[leader] != part:
            raise PytlError.single(
                UNDIVIDED,
                f"{op.display_name} needs another part of its operand than the sub-group has",
                op.location,
                "give the tiles layouts by which sub-groups have whole rows or columns, or leave the layouts out",
            )
        return False

    def _learn(self, op: Operation) -> None:
        if isinstance(op, TileMma):
            if op.C is not None:
                self._join(op.C, op.result, op)
        elif isinstance(op, StoreTile):
            if self.is_spread(op.tile.type):
                self._is(op.A, part_of_tile(op.tile.type.layout, op.tile.type.shape), op)
        elif isinstance(op, (For, If)):
            for value, target in _carried(op):
                self._join(value, target, op)
            if isinstance(op, For):
                for value, target in zip(op.carried, op.results):
                    if is_matrix(value):
                        self._join(value, target, op)
        elif not isinstance(op, (LoadTile, Constant, Yield)):
            for value in (*op.operands, *op.results[1:]):
                if is_matrix(value):
                    if _is_by_component(op):
                        self._join(value, op.results[0], op)
                    else:
                        self._is(value, WHOLE, op)
            if op.results and is_matrix(op.results[0]) and not _is_by_component(op):
                self._is(op.results[0], WHOLE, op)

    def _follow_products(self) -> None:
        changed = True
        while changed:
            changed = False
            for op in self._products:
                leader = self._find(op.result)
                if leader not in self._part:
                    continue
                rows, columns = self._part[leader]
                changed |= self._is(op.A, (rows, None), op)
                changed |= self._is(op.B, (None, columns), op)

    def _joined_loads(self) -> Iterator[tuple[Value, Value]]:
        """Loaded matrices with a layout, and what is computed or carried with them."""
        for op in self._function.walk():
            if isinstance(op, (For, If)):
                pairs = list(_carried(op))
            elif isinstance(op, TileMma):
                pairs = [] if op.C is None else [(op.C, op.result)]
            else:
                pairs = [(value, op.results[0]) for value in op.operands] if _is_by_component(op) else []
            for value, target in pairs:
                if isinstance(value.owner, LoadTile) and self.is_spread(value.owner.tile.type):
                    yield value, target

    def _own_part(self, value: Value) -> Part:
        op = value.owner
        assert isinstance(op, LoadTile)
        return part_of_tile(op.tile.type.layout, op.tile.type.shape, TRANSPOSES[op.transpose])


def parts_of(function: Function) -> Parts | None:
    """The parts of a function's matrices, None where no tile is spread over sub-groups."""
    types = (value.type for op in function.walk() for value in op.results)
    if any(isinstance(type_, TileType) and type_.layout.is_for(subgroup_count(function)) for type_ in types):
        return Parts(function)
    return None


def is_free(value: Value) -> bool:
    """Whether each use of a matrix may have a part of its own: it is loaded for it, or a constant."""
    return isinstance(value.owner, (LoadTile, Constant))


def _is_by_component(op: Operation) -> bool:
    """Whether each component of the result depends on the same components of the operands alone."""
    is_one = isinstance(op, (ArithBinary, ArithUnary, Cast, CooperativeMatrixScale))
    return is_one and is_matrix(op.results[0])


def _carried(op: For | If) -> Iterator[tuple[Value, Value]]:
    """What enters a loop, or leaves a step or a branch, and what it becomes."""
    if isinstance(op, For):
        pairs = [*zip(op.inits, op.carried), *zip(op.yielded, op.carried)]
    else:
        ends = [terminator(body) for body in (op.then_body, op.else_body) if body is not None]
        pairs = [pair for last in ends if last is not None for pair in zip(last.yielded, op.results)]
    yield from ((value, target) for value, target in pairs if is_matrix(value))
