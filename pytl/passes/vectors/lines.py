"""Instructions along lines of memory in vectors of any length, whose remainders are masked.

Several whole vectors are one in the code: their sums are under way at once, and an instruction of SME2 may move all of
them.

Where the elements of a sum's first factor are contiguous along the target, a vector holds the sums of several elements
of the target. Where they are contiguous along the sum, a vector holds partial sums of one element.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ...ir.types import VectorTileType, compute_type
from ...ir.values import Value
from ...ops import Axpby, Cumsum, Ger, Hadamard, Update
from ...ops.updates import is_transposed
from ..targets.sme import LINE_VECTORS, is_along_sum
from ..targets.vector_rows import ZA_ROWS
from .access import ONE, Index, Lanes, make_mask
from .code import Code, LoopBody, Number
from .updates import ElementRange, Result


def write(code: Code, op: Update) -> None:
    """An instruction without an outer product, in vectors."""
    lines = _Lines(code, op)
    if isinstance(op, (Axpby, Hadamard)):
        lines.elementwise()
    elif isinstance(op, Cumsum):
        lines.cumsum(op.mode)
    elif is_along_sum(op, op.factors[0]):
        lines.along_sum()
    else:
        lines.along_target()


class _Lines:
    def __init__(self, code: Code, op: Any) -> None:
        self.code, self.op = code, op
        self.target: Value = op.updated
        self.factors: list[Value] = [getattr(op, name) for name in op.factors]
        type_ = compute_type(self.target.type.element)
        self.result = Result(code, op, type_)
        self.lanes = 16 // type_.component.size
        """Numbers, or complex ones, per 128 bits of a vector of numbers."""
        self.extents = [code.size(self.target, mode) for mode in range(self.target.type.order)]

    def elementwise(self) -> None:
        """`target := alpha f(factors) + beta target`, element by element."""

        def vector(at: tuple[Index, ...], lanes: Lanes) -> None:
            value, *others = (self.result.load(factor, at, lanes) for factor in self.factors)
            for other in others:
                value = self.code.arith("mul", value, other)
            self.result.update([ElementRange(at, lanes)], [value])

        self._each(range(1, len(self.extents)), {}, vector, self._at_once)

    def cumsum(self, mode: int) -> None:
        """Sums that are carried along a mode, for vectors of lines at once."""

        def vector(at: tuple[Index, ...], lanes: Lanes) -> None:
            make_mask(self.code, self.target, lanes)

            def step(k: Number, sums: list[Value]) -> list[Value]:
                place = (*at[:mode], Index(k, 0), *at[mode + 1 :])
                total = self.code.arith("add", sums[0], self.result.load(self.factors[0], place, lanes))
                self.result.update([ElementRange(place, lanes)], [total])
                return [total]

            self.code.loop(0, self.extents[mode], 1, self._zeros(lanes), step)

        others = [other for other in range(1, len(self.extents)) if other != mode]
        self._each(others, {mode: Index(0, 0)}, vector)

    # Sums.

    @property
    def steps(self) -> Number:
        """How many terms a sum has."""
        if isinstance(self.op, Ger):
            return 1
        factor = self.factors[0]
        return self.code.size(factor, 0 if is_along_sum(self.op, self.op.factors[0]) else 1)

    def along_target(self) -> None:
        """Vectors of sums."""

        def vector(at: tuple[Index, ...], lanes: Lanes) -> None:
            make_mask(self.code, self.factors[0], lanes)
            if self.steps != 1 and self.code.goes_by_rows(self.code.vector(self.result.type, lanes.count)):
                self._in_rows(at, lanes)
                return

            def step(k: Number, sums: list[Value]) -> list[Value]:
                return [self._with_term(sums[0], self._term(k, at, lanes), self._number(k, at[1:], lanes.count))]

            (total,) = self.code.unrolled(self.steps, self._at_once, self._zeros(lanes), step)
            self.result.update([ElementRange(at, lanes)], [total])

        self._each(range(1, len(self.extents)), {}, vector, self._at_once)

    def _term(self, k: Number, at: tuple[Index, ...], lanes: Lanes) -> Value:
        """A vector of the first factor."""
        first = self.factors[0]
        return self.result.load(first, (at[0], Index(k, 0))[: first.type.order], lanes)

    def _in_rows(self, at: tuple[Index, ...], lanes: Lanes) -> None:
        """Vectors of sums in ZA, to all of which an instruction adds."""
        code, type_ = self.code, self.result.type
        length = lanes.count // ZA_ROWS
        in_tile = VectorTileType(type_, ZA_ROWS, length, True, True)
        range_, is_sum = ElementRange(at, lanes), self.result.is_sum
        segment = self._segment(at[1:])

        def step(k: Number, sums: list[Value]) -> list[Value]:
            value, factor = self._term(k, at, lanes), self._number(k, at[1:], length)
            return [code.rows_add(value, *sums) if factor is None else code.rows_fma(value, factor, *sums)]

        def steps(k: Number, sums: list[Value]) -> list[Value]:
            for first in range(0, count, length):
                assert segment is not None
                numbers = segment(code.plus(k, first))
                for n in range(length):
                    value = self._term(code.plus(k, first + n), at, lanes)
                    sums = [code.rows_fma_lane(value, numbers, n, *sums)]
            return sums

        begun = code.rows_of(ZA_ROWS, self.result.load(self.target, at, lanes)) if is_sum else code.tile_zero(in_tile)
        count = self._at_once
        if segment is None:
            (sums,) = code.unrolled(self.steps, count, [begun], step)
        else:
            whole = code.multiple_below(self.steps, count)
            sums = self._rest(whole, code.loop(0, whole, count, [begun], steps), step)
        total = code.all_rows(sums)
        if is_sum:
            self.result.store(range_, total)
        else:
            self.result.update([range_], [total])

    def _rest(self, first: Number, carried: list[Value], step: LoopBody) -> Value:
        """The last steps, one by one."""
        if isinstance(first, int) and isinstance(self.steps, int):
            for k in range(first, self.steps):
                carried = list(step(k, carried))
            return carried[0]
        return self.code.loop(first, self.steps, 1, carried, step)[0]

    def _segment(self, column: Sequence[Index]) -> Callable[[Number], Value] | None:
        """What loads 128 bits of numbers of the second factor, from a step on; None where they lie apart."""
        if len(self.factors) == 1:
            return None
        factor, type_ = self.factors[1], self.code.vector(self.result.type, self.lanes)
        lies_along = factor.type.order == 1 or not is_transposed(self.op, self.op.factors[1])
        if not lies_along or factor.type.strides[0] != 1 or factor.type.element != self.result.type:
            return None
        others = [] if factor.type.order == 1 else [column[0].first]
        return lambda k: self.code.load_segment(factor, [k, *others], type_)

    def along_sum(self) -> None:
        """Vectors of partial sums, whose lanes are added up after the loop."""
        code, steps = self.code, self.steps

        def element(at: tuple[Index, ...]) -> None:
            def step(k: Number, sums: list[Value]) -> list[Value]:
                lanes = Lanes(self.lanes, code.minus(steps, k))
                values = [
                    self.result.load(factor, (Index(k, 1), *at[mode : mode + 1])[: factor.type.order], lanes)
                    for mode, factor in enumerate(self.factors)
                ]
                return [self._with_term(sums[0], *values)]

            (parts,) = code.loop(0, steps, code.length(self.lanes), self._zeros(Lanes(self.lanes)), step)
            self.result.update([ElementRange(at, ONE)], [code.reduce("add", parts)])

        def line(at: tuple[Index, ...]) -> None:
            whole = code.multiple_below(self.extents[0], ZA_ROWS)
            code.each(0, whole, ZA_ROWS, lambda i: self._sums_in_rows((Index(i, 0), *at[1:])))
            code.each(whole, self.extents[0], 1, lambda i: element((Index(i, 0), *at[1:])))

        if self.extents and code.goes_by_rows(code.vector(self.result.type, ZA_ROWS * self.lanes)):
            self._modes(range(1, len(self.extents)), {0: Index(0, 0)}, line)
        else:
            self._modes(range(len(self.extents)), {}, element)

    def _sums_in_rows(self, at: tuple[Index, ...]) -> None:
        """Vectors of partial sums of several elements, in ZA, to all of which an instruction adds."""
        code, lanes, steps = self.code, self.lanes, self.steps
        length, (first, *others) = code.length(lanes), self.factors
        places = [Index(code.plus(at[0].first, n), 0) for n in range(ZA_ROWS)]

        def step(active: Number | None, k: Number, sums: list[Value]) -> list[Value]:
            of_step = Lanes(lanes, code.minus(steps, k) if active is None else active)
            if isinstance(active, int) and active == length:
                of_step = Lanes(lanes)
            rows = [self.result.load(first, (Index(k, 1), place)[: first.type.order], of_step) for place in places]
            factors = [
                self.result.load(factor, (Index(k, 1), *at[mode : mode + 1])[: factor.type.order], of_step)
                for mode, factor in enumerate(others, 1)
            ]
            together = code.join(rows)
            return [code.rows_fma(together, *factors, *sums) if factors else code.rows_add(together, *sums)]

        sums = [code.tile_zero(VectorTileType(self.result.type, ZA_ROWS, lanes, True, True))]
        if isinstance(steps, int) and isinstance(length, int):
            whole = steps // length * length
            sums = code.loop(0, whole, length, sums, partial(step, length))
            sums = step(steps - whole, whole, sums) if whole < steps else sums
        else:
            sums = code.loop(0, steps, length, sums, partial(step, None))
        total = code.all_rows(*sums)
        for n, place in enumerate(places):
            part = code.part(total, n * lanes, lanes)
            self.result.update([ElementRange((place, *at[1:]), ONE)], [code.reduce("add", part)])

    def _with_term(self, total: Value, value: Value, factor: Value | None = None) -> Value:
        return self.code.arith("add", total, value) if factor is None else self.code.fma(value, factor, total)

    def _number(self, k: Number, column: Sequence[Index], lanes: int) -> Value | None:
        """An element of the second factor, in all lanes."""
        if len(self.factors) == 1:
            return None
        factor, step = self.factors[1], Index(k, 0)
        if factor.type.order == 1:
            indices: tuple[Index, ...] = (column[0] if isinstance(self.op, Ger) else step,)
        else:
            indices = (column[0], step) if is_transposed(self.op, self.op.factors[1]) else (step, column[0])
        return self.code.splat(self.result.load(factor, indices, ONE), lanes)

    # Loops.

    def _zeros(self, lanes: Lanes) -> list[Value]:
        return [self.code.zeros(self.result.type, lanes.count)]

    @property
    def _at_once(self) -> int:
        """How many vectors are one in the code."""
        tensors = (self.target, *self.factors)
        return 1 if any(tensor.type.element.is_complex for tensor in tensors) else LINE_VECTORS

    def _each(
        self,
        modes: Sequence[int],
        known: dict[int, Index],
        write: Callable[[tuple[Index, ...], Lanes], None],
        at_once: int = 1,
    ) -> None:
        """Vectors along the target's first mode, for each index of some others: so many whole ones at once."""
        code, extent = self.code, self.extents[0]
        length, whole = code.length(self.lanes), code.length(self.lanes * at_once)
        is_short = isinstance(extent, int) and extent < self.lanes * at_once

        def line(at: tuple[Index, ...]) -> None:
            def several(i: Number, _: list[Value]) -> list[Value]:
                write((Index(i, 1), *at[1:]), Lanes(self.lanes * at_once))
                return [code.number(code.plus(i, whole))]

            done: Number = 0
            if at_once > 1 and isinstance(extent, int) and isinstance(whole, int):
                done = extent // whole * whole
                code.each(0, done, whole, lambda i: write((Index(i, 1), *at[1:]), Lanes(self.lanes * at_once)))
                if code.has_rows and extent - done > whole // at_once:
                    write((Index(done, 1), *at[1:]), Lanes(self.lanes * at_once, extent - done))
                    done = extent
            elif at_once > 1 and not is_short:
                last = code.minus(code.plus(extent, 1), whole)
                (done,) = code.loop(0, last, whole, [code.number(0)], several)
            code.each(
                done,
                extent,
                length,
                lambda i: write((Index(i, 1), *at[1:]), Lanes(self.lanes, code.minus(extent, i))),
            )

        self._modes(modes, {0: Index(0, 1), **known}, line)

    def _modes(self, modes: Sequence[int], known: dict[int, Index], write: Callable[[tuple[Index, ...]], None]) -> None:
        """Loops over some modes of the target, the last one outermost."""

        def at(chosen: tuple[Number, ...]) -> None:
            indices = known | {mode: Index(i, 0) for mode, i in zip(modes, chosen)}
            write(tuple(indices[mode] for mode in sorted(indices)))

        self.code.nest([(0, self.extents[mode], 1) for mode in modes], at)
