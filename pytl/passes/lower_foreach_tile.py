"""lower-foreach-tile: loops over tiles as loops of the sub-groups of a parallel region.

The sub-groups along the rows of a work-group take the tiles of the first mode in turn, those along its columns the
tiles of the second; one mode alone all of them take in turn. Further modes are loops that each of them executes. Tiles
are counted in `index`, in which no count wraps that a loop could reach.
"""

from __future__ import annotations

from ..ir.operation import Operation
from ..ir.types import i32, index
from ..ir.values import Function, Region, Value
from ..ops import For, ForeachTile, Parallel, SubgroupBuiltin
from ..ops.builder import Builder
from ..ops.constants import constant_of
from ..ops.launch_defaults import subgroup_grid
from ..process.records import dataclass
from .inline_calls import WithoutCalls
from .manager import register


@register
@dataclass(frozen=True)
class LowerForeachTile(WithoutCalls):
    """Replaces each `foreach_tile` by a parallel region whose sub-groups go through the tiles."""

    name = "lower-foreach-tile"

    def run(self, function: Function) -> None:
        _lower(function.body, subgroup_grid(function))


def _lower(region: Region, subgroups: tuple[int, int]) -> None:
    written: list[Operation] = []
    for op in region.operations:
        if isinstance(op, ForeachTile):
            written += _Tiles(op, subgroups).lowered()
            continue
        for inner in op.regions:
            _lower(inner, subgroups)
        written.append(op)
    region.operations = written


@dataclass(frozen=True)
class _Share:
    """How many sub-groups share the tiles of a mode, and which of them executes the loop."""

    count: int
    number: Value | None = None


class _Tiles:
    """One such loop. The nest is written from the last mode to the first, along which memory is contiguous."""

    def __init__(self, op: ForeachTile, subgroups: tuple[int, int]) -> None:
        self._op = op
        self._outside = Builder(op.location)
        self._inside = Builder(op.location, self._outside)
        self._lengths = [self._length(start, stop) for start, stop in zip(op.start, op.stop)]
        self._shares = self._shared(subgroups)
        self._arguments: dict[Value, Value] = {}

    def lowered(self) -> list[Operation]:
        op = self._op
        self._nest(self._inside, len(op.tile_shape) - 1)
        body = Region("spmd", [], self._inside.operations, op.location)
        self._outside.add(Parallel(op.location, body=body))
        return self._outside.operations

    def _length(self, start: Value, stop: Value) -> Value:
        """How many indices a mode has, as an index."""
        at, first, end = self._outside, constant_of(start), constant_of(stop)
        if first is not None and end is not None:
            return at.constant(index, max(end - first, 0))
        wide = [at.cast(value, index) for value in (start, stop)]
        if first == 0:
            return wide[1]
        # bounds far apart the other way round have a difference that wraps
        is_range = at.compare("lt", *wide)
        zero = at.zero(index)
        return at.branch(is_range, [index], lambda on: [on.arith("sub", wide[1], wide[0])], lambda on: [zero])[0]

    def _shared(self, subgroups: tuple[int, int]) -> list[_Share]:
        """The shares of the sub-groups in each mode."""
        modes, (rows, columns) = len(self._op.tile_shape), subgroups
        if rows * columns == 1:
            return [_Share(1)] * modes
        at = self._inside
        own = at.add(SubgroupBuiltin(at.location, [i32], variant="subgroup_id")).results[0]
        number = at.cast(own, index)
        if modes == 1:
            return [_Share(rows * columns, number)]
        if rows == 1 or columns == 1:
            shares = [_Share(rows, number if columns == 1 else None), _Share(columns, number if rows == 1 else None)]
        else:
            along = at.constant(index, rows)
            shares = [_Share(rows, at.arith("rem", number, along)), _Share(columns, at.arith("div", number, along))]
        return [*shares, *[_Share(1)] * (modes - 2)]

    def _nest(self, builder: Builder, mode: int) -> None:
        """Write the loop over the tiles of a mode, and inside of it those of the modes before."""
        if mode < 0:
            self._body(builder)
            return
        op, share, length = self._op, self._shares[mode], self._lengths[mode]
        largest, known = op.tile_shape[mode], constant_of(self._lengths[mode])
        size = builder.constant(index, largest)
        first = builder.zero(index) if share.number is None else builder.arith("mul", share.number, size)
        variable = Value(index, op.variables[mode].name, op.location)
        inner = Builder(op.location, builder)
        count = size
        if known is None or known % largest:
            count = inner.arith("min", inner.arith("sub", length, variable), size)
        type_, start = op.variables[mode].type, op.start[mode]
        offset = inner.cast(variable, type_)
        self._arguments[op.variables[mode]] = offset if constant_of(start) == 0 else inner.arith("add", start, offset)
        self._arguments[op.sizes[mode]] = inner.cast(count, type_)
        self._nest(inner, mode - 1)
        step = builder.constant(index, largest * share.count)
        body = Region("mixed", [variable], inner.operations, op.location)
        builder.add(For(op.location, [], start=first, stop=length, step=step, inits=[], body=body))

    def _body(self, builder: Builder) -> None:
        for inner in self._op.body.walk():
            inner.replace_operands(self._argument)
        for op in self._op.body.operations:
            builder.add(op)

    def _argument(self, value: Value) -> Value:
        return self._arguments.get(value, value)
