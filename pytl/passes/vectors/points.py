"""The points of a `foreach` as lanes of vectors.

Consecutive values of the first variable are the lanes of a vector, and each instruction is executed for all lanes at
once. What is uniform over the lanes stays the language's own instruction, executed once. Where lanes diverge at an
`if`, both regions are executed, each predicated for the lanes that take it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...ir.clone import clone_operation
from ...ir.meanings import Meanings
from ...ir.operation import Operation
from ...ir.types import ScalarType, VectorType, bool_, f32, f64, i32, i64, index
from ...ir.values import Region, Value
from ...ops import (
    ArithBinary,
    ArithUnary,
    Cast,
    Compare,
    Constant,
    Expand,
    For,
    Foreach,
    Fuse,
    If,
    Load,
    Math,
    MathSince04,
    Size,
    Store,
    Subview,
    Yield,
)
from ...ops.constants import constant_of, round_to, wrap
from ...ops.control import ANY_ORDER, terminator
from ..analysis.early_end import continue_condition
from ..analysis.uniformity import Variation, variation_along, variation_of
from ..invariants import is_costly
from ..merge_branches import merge_branches
from ..stores_behind import store_behind_branches
from ..targets import cpu
from ..targets.cpu_attributes import (
    AHEAD,
    ALONG,
    CHAINS,
    COMPONENTS,
    FASTMATH,
    LANES,
    LINE,
    TURNED,
    UNROLL_TILES,
    decided,
)
from ..targets.interleaved import Components, components, has_vectors, run_of, values_inside
from ..targets.machine import Machine
from ..targets.row_loops import Recurrence, is_along_rows
from ..targets.turned_loops import turned
from ..targets.vector_forms import MOST_FOR_ALL, is_exponential
from . import (
    access,
    divisions,
    functions,
    interleaved,
    mantissas,
    product_errors,
    roots,
    rounding,
    row_sums,
    wide_casts,
)
from .access import Index, Lanes
from .code import Code, LoopBody, Number
from .exponentials import exponential
from .library import Known
from .prefetches import PrefetchesInBlocks
from .rows import RowTile, for_each_tile, with_remainder

_LARGEST_F32 = (2 - 2.0**-23) * 2.0**127
_PURE = (Constant, ArithBinary, ArithUnary, Cast, Compare, Math, Yield)


def foreach(code: Code, op: Foreach, kernel: cpu.Kernel) -> None:
    """The loops over all points, whose lanes are points."""
    store_behind_branches(op.body)
    merge_branches(op.body, lambda region: _stays(region, code.machine))
    points = Points(code, op, decided(kernel, LANES), bool(kernel.attributes.get(TURNED)))
    points.is_fast, points.line = bool(kernel.attributes.get(FASTMATH)), kernel.attributes.get(LINE, 0)
    if kernel.attributes.get(COMPONENTS):
        # the launch has found that arrays do not overlap, where that matters
        found = components(op.body, points.variation, True)
        points.components = {
            each: together for together in found for each in together.accesses if together.have_vectors(points.count)
        }
    if ALONG in kernel.attributes:
        points.row_lanes, points.chains = kernel.attributes[ALONG], decided(kernel, CHAINS)
    ahead = kernel.attributes.get(AHEAD)
    if len(kernel.body.operations) > 1:
        points.prefetches = PrefetchesInBlocks(code, kernel, op)
    start, stop = (list(map(points.bound, bounds)) for bounds in (op.start, op.stop))

    def line(chosen: tuple[Number, ...]) -> None:
        def tile(tile: RowTile) -> None:
            for vector in tile.vectors:
                first = code.plus(start[0], tile.row(code, vector))
                if ahead and chosen:
                    points.prefetch((first, code.plus(chosen[0], ahead), *chosen[1:]))
                if points.prefetches is not None:
                    points.prefetches.begin([code.minus(at, begin) for at, begin in zip((first, *chosen), start)])
                points.execute(first, chosen, vector.lanes)

        if points.count == 1:
            code.each(start[0], stop[0], 1, lambda i: points.execute(i, chosen, access.ONE))
            return
        for_each_tile(code, rows, points.count, 2 if _is_copy(op) else 1, tile, decided(kernel, UNROLL_TILES))

    rows = _count(code, start[0], stop[0])
    code.nest([(*bounds, 1) for bounds in zip(start[1:], stop[1:])], line)


def _stays(region: Region, machine: Machine | None) -> set[Operation]:
    """The instructions of a region that compute what vectors have in a few steps, which are known one for a region."""
    known = (roots.square_root, mantissas.split, mantissas.power_of_two)
    branches = [op for op in region.operations if isinstance(op, If)]
    of_one = {op for op in branches if any(find(part) is not None for part in op.regions for find in known)}
    return of_one | {op for each in functions.functions(region, machine) for op in each.needless}


def _is_copy(op: Foreach) -> bool:
    """Whether elements are copied. A loop that copies one vector in each step becomes a call of the driver's `memcpy`,
    which takes several times as long for what is in the cache.
    """
    return all(isinstance(each.data.owner, Load) for each in op.body.walk() if isinstance(each, Store))


def in_lines(code: Code, op: Foreach, lanes: int) -> None:
    """The loops over all points in vectors of any length, whose remainders are masked."""
    points = Points(code, op, lanes)
    start, stop = (list(map(points.bound, bounds)) for bounds in (op.start, op.stop))

    def line(chosen: tuple[Number, ...]) -> None:
        def vector(i: Number) -> None:
            points.execute(i, chosen, Lanes(lanes, code.minus(stop[0], i)))

        code.each(start[0], stop[0], code.length(lanes), vector)

    code.nest([(*bounds, 1) for bounds in zip(start[1:], stop[1:])], line)


def apply(
    code: Code, op: Foreach, first: Number, others: Sequence[Number], lanes: Lanes, held: Mapping[Value, Value]
) -> dict[Value, Value]:
    """Execute the points that begin at `first`, for one value of each other variable.

    `held` gives the elements of memrefs at these points, as vectors of the memref's elements; the body accesses these
    memrefs at its own point only. Returns the new elements.
    """
    points = Points(code, op, lanes.count)
    points.held = dict(held)
    points.execute(first, others, lanes)
    return points.held


def _count(code: Code, start: Number, stop: Number) -> Number:
    """The number of values of a variable."""
    if isinstance(start, int) and isinstance(stop, int):
        return max(stop - start, 0)
    return code.minus(code.arith("max", code.number(stop), code.number(start)), start)


class Points:
    """The points of one vector, for which the body of a `foreach` is written."""

    def __init__(self, code: Code, op: Foreach | For, count: int, turns: bool = False) -> None:
        self.code = code
        self.op = op
        self.count = count
        self.variation = Variation()
        """How values vary among the lanes; those of a single point do not."""
        if count > 1:
            self.variation = variation_of(op) if isinstance(op, Foreach) else variation_along(op)
        self.lanes = Lanes(count)
        """The lanes whose points execute what is being written."""
        self.firsts: dict[Value, Number] = {}
        """The number of the first lane, for values that grow by a known number from lane to lane."""
        self.values: dict[Value, Value] = {}
        """What stands for values of the body: a vector where they vary, a number or a memref where they don't."""
        self.narrow: dict[Value, Value] = {}
        """Vectors of integers of 64 bits that are computed in i32, in which all have the same value."""
        self.held: dict[Value, Value] = {}
        self.components: dict[Operation, Components] = {}
        """The loads and stores that are executed together with each."""
        self.inside = values_inside(op.body)
        """The values of the body."""
        self.active: Number | None = None
        """How many points are executed; None where all are."""
        self.turns = turns
        """Whether loops along contiguous memory go by blocks that are turned in registers."""
        self.line = 0
        """Bytes of a cache line, where such blocks begin at lines."""
        self.row_lanes, self.chains = 0, 1
        """Lanes of vectors along rows in loops whose sums have no order, and how many vectors a point has at a time."""
        self.is_fast = False
        """Whether results may be rounded otherwise than the text says."""
        self.contracted: dict[Operation, Operation] = {}
        """The product that each sum is computed with, and rounded once."""
        self.known: dict[Region, Sequence[Known]] = {}
        """What the library computes in each region that was looked at."""
        self.choices: dict[Operation, Recurrence] = {}
        """Branches that choose between a number that is carried and another one."""
        self.block: dict[Operation, list[Value]] = {}
        """For each access of such a loop, the vectors of iterations that are loaded, or to be stored."""
        self.prefetches: PrefetchesInBlocks | None = None

    def execute(self, first: Number, others: Sequence[Number], lanes: Lanes) -> None:
        """Write the body, for the variable from `first` on, the other variables, and the active lanes."""
        is_known = lanes.active is None or isinstance(lanes.active, int)
        self.active = lanes.active
        self.lanes = lanes if is_known or self.code.is_scalable else Lanes(lanes.count, lanes.mask(self.code))
        variable, *rest = self.op.variables if isinstance(self.op, Foreach) else [self.op.variable]
        if self.count == 1:
            self._set(variable, first)
        self.firsts[variable] = first
        for value, number in zip(rest, others, strict=True):
            self._set(value, number)
        self.region(self.op.body)

    def prefetch(self, point: Sequence[Number]) -> None:
        """Prefetch what is loaded at a point, of tensors whose elements are the points."""
        assert isinstance(self.op, Foreach)
        for each in self.op.body.operations:
            if isinstance(each, Load) and each.indices == self.op.variables:
                self.code.prefetch(self.number(each.tensor), point, 2)

    def iteration(self, first: Number, carried: Sequence[Value], lanes: Lanes) -> list[Value]:
        """Write a loop's body for consecutive iterations, which carry these vectors. Returns what they hand on."""
        assert isinstance(self.op, For)
        self.values.update(zip(self.op.carried, carried))
        self.execute(first, (), lanes)
        return [self.vector(value) for value in self.op.yielded]

    def chosen(self, change: Recurrence, a: Value, b: Value) -> Value:
        """Which of two vectors the instructions of a loop choose, for each lane."""
        assert isinstance(self.op, For) and change.element is not None
        self.variation.varying.add(change.element)
        self.values.update({self.op.carried[change.number]: a, change.element: b})
        self.narrow.pop(change.element, None)
        for op in change.operations:
            _WRITE[type(op)](self, op)
        return self.vector(self.op.yielded[change.number])

    def region(self, region: Region) -> None:
        around = self.code.location
        is_open = isinstance(self.op, For) and region is self.op.body and self.op.attributes.get(ANY_ORDER) is True
        if self.is_fast or is_open:
            # of a sum without order, only what is added to it
            sums = contractions(region).items()
            self.contracted.update((op, term) for op, term in sums if self.is_fast or self._is_carried(op.operands))
        skipped = set(self.contracted.values())
        known = self._known(region)
        for each in known:
            skipped |= each.needless
        for op in region.operations:
            self.code.location = op.location
            if op not in skipped:
                _WRITE[type(op)](self, op)
            for each in known:
                if op is each.last:
                    self._of_library(each, region)
        self.code.location = around

    def _known(self, region: Region) -> Sequence[Known]:
        """What the library computes in a region in many steps, and vectors in a few."""
        if self.code.is_scalable:
            return ()
        if region not in self.known:
            found = (roots.square_root(region), mantissas.split(region), mantissas.power_of_two(region))
            known: list[Known] = [each for each in found if each is not None]
            known += [*rounding.floors(region, self.code.machine), *functions.functions(region, self.code.machine)]
            known += product_errors.product_errors(region, self.code.machine)
            known = [
                each
                for each in known
                if isinstance(each, roots.Root) or self.variation.is_varying(each.last.results[0])
            ]
            # what is a part of another one is computed with it
            of_others = {each: [other.needless for other in known if other is not each] for each in known}
            self.known[region] = [each for each in known if not any(each.last in part for part in of_others[each])]
        return self.known[region]

    def _of_library(self, known: Known, region: Region) -> None:
        if isinstance(known, roots.Root):
            self._root(known)
        elif isinstance(known, functions.Function):
            self._function(known, region)
        elif isinstance(known, mantissas.Split):
            parts = mantissas.parts(self.code, self.vector(known.argument), known.has_all_bits)
            for result, value in zip(known.last.results, parts):
                self._define(result, value)
        elif isinstance(known, product_errors.ProductError):
            a, b = map(self.vector, known.factors)
            less = self.code.unary("neg", self.vector(known.argument))
            self._define(known.last.results[0], self.code.fma(a, b, less))
        elif isinstance(known, rounding.Floor):
            self._define(known.last.results[0], self.code.math("floor", self.vector(known.argument)))
        else:
            self._define(known.last.results[0], mantissas.power(self.code, self.vector(known.argument)))

    def _function(self, known: functions.Function, region: Region) -> None:
        (result,) = known.last.results
        value, is_found = known.write(self.code, self.vector(known.argument), self.is_fast)
        if is_found is not None:
            around, others = self.lanes, self.code.unary("not", is_found)
            active = around.mask(self.code)
            self.lanes = Lanes(self.count, others if active is None else self.code.arith("and", active, others))

            def written() -> list[Value]:
                for op in region.operations:
                    if op in known.needless:
                        _WRITE[type(op)](self, op)
                return [self.code.select(is_found, value, self.vector(result))]

            some = self.code.reduce("or", self.lanes.active)
            (value,) = self.code.branch(some, written, lambda: [value])
            self.lanes = around
        self._define(result, value)

    def _is_carried(self, values: Sequence[Value]) -> bool:
        return isinstance(self.op, For) and any(value in self.op.carried for value in values)

    # Values.

    def number(self, value: Value) -> Value:
        """What stands for a uniform value. Constants are made anew, as a kernel has none from outside."""
        if value not in self.values:
            known = constant_of(value)
            self.values[value] = value if known is None else self.code.constant(value.type, known)
        return self.values[value]

    def bound(self, value: Value) -> Number:
        """A uniform integer as an index."""
        known = constant_of(self.values.get(value, value))
        return self.code.cast(self.number(value), index) if known is None else int(known)

    def vector(self, value: Value) -> Value:
        """The vector of a value's lanes."""
        if value in self.variation.steps:
            return self.code.step(
                self._of_type(self.firsts[value], value.type), self.count, self.variation.steps[value]
            )
        if value in self.narrow:
            return self.code.cast(self.narrow[value], value.type)
        number = self.number(value)
        return number if self.variation.is_varying(value) else self.code.splat(number, self.count)

    def _in_i32(self, value: Value) -> Value:
        """The same in i32, of integers of 64 bits whose values are of i32."""
        if value in self.narrow:
            return self.narrow[value]
        if value in self.variation.steps:
            first = self._of_type(self._of_type(self.firsts[value], value.type), i32)
            return self.code.step(first, self.count, self.variation.steps[value])
        if self.variation.is_varying(value):
            return self.code.cast(self.vector(value), i32)
        known = constant_of(value)
        number = self.code.cast(self.number(value), i32) if known is None else self.code.constant(i32, known)
        return self.code.splat(number, self.count)

    def _are_narrow(self, values: Sequence[Value]) -> bool:
        """Whether values are integers of 64 bits, some of which vary, that are known to be of i32."""
        known = self.code.known
        if known is None or not self.variation.vary(values) or not all(map(_is_wide, values)):
            return False
        return all(value in self.narrow or known.lies_in(value, i32) for value in values)

    def index(self, value: Value) -> Index:
        """An index: a number where it is uniform over the lanes or has a step, else a vector."""
        if value in self.variation.steps:
            return Index(self.firsts[value], self.variation.steps[value])
        return Index(self.vector(value)) if self.variation.is_varying(value) else Index(self.bound(value), 0)

    def _of_type(self, number: Number, type_: Any) -> Value:
        """An index as a number of the type that the body has for it."""
        return self.code.constant(type_, number) if isinstance(number, int) else self.code.cast(number, type_)

    def _set(self, variable: Value, number: Number) -> None:
        """Let a number stand for a uniform variable of a loop."""
        self.values[variable] = self._of_type(number, variable.type)

    def _define(self, result: Value, value: Value) -> None:
        value.name = value.name or result.name
        self.values[result] = value

    # Instructions.

    def nothing(self, op: Operation) -> None:
        """Writes nothing."""

    def copy(self, op: Operation) -> None:
        """The language's own instruction, for what is uniform."""
        for value in op.operands:
            self.number(value)
        self.code.add(clone_operation(op, self.values))

    def _compute(self, op: Any, write: Callable[..., Value]) -> None:
        """An instruction on numbers, for each lane if an operand varies."""
        if self.variation.vary(op.operands):
            self._define(op.result, write(*map(self.vector, op.operands)))
        else:
            self.copy(op)

    def binary(self, op: ArithBinary) -> None:
        if op.result in self.variation.steps:
            compute = {"add": self.code.plus, "sub": self.code.minus, "mul": self.code.times}[op.variant]
            self._set_first(op.result, compute(self._first(op.a), self._first(op.b)))
        elif op in self.contracted:
            self._contracted(op, self.contracted[op])
        elif self.is_fast and op.variant == "div" and self._is_reciprocal(op):
            one = self.code.constant(op.b.type, 1.0)
            inverse = self.code.arith("div", one, self.number(op.b))
            self._define(op.result, self.code.arith("mul", self.vector(op.a), self.code.splat(inverse, self.count)))
        elif op.variant in ("max", "min") and self._is_carried([op.b]):
            self._compute(op, lambda a, b: self.code.arith(op.variant, b, a))
        elif self._are_narrow([op.a, op.b, op.result]) and op.variant not in ("shl", "shr"):
            self.narrow[op.result] = self._arith(op.variant, self._in_i32(op.a), self._in_i32(op.b))
        else:
            self._compute(op, lambda a, b: self._arith(op.variant, a, b))

    def _arith(self, variant: str, a: Value, b: Value) -> Value:
        if isinstance(a.type, VectorType) and divisions.is_of_floats(self.code, variant, a, b):
            return divisions.divided(self.code, variant, a, b)
        return self.code.arith(variant, a, b)

    def _contracted(self, op: ArithBinary, product: Any) -> None:
        """A sum with a product, rounded once."""
        summand = op.b if op.a is product.result else op.a
        vectors = any(map(self.variation.is_varying, (*product.operands, summand)))
        a, b, c = map(self.vector if vectors else self.number, (product.a, product.b, summand))
        self._define(op.result, self.code.fma(a, b, c))

    def _is_reciprocal(self, op: ArithBinary) -> bool:
        """Whether all lanes are divided by one number, of a type whose reciprocals are about as exact."""
        type_ = op.b.type
        is_real = isinstance(type_, ScalarType) and type_.is_floating and type_.size > 2
        return is_real and self.variation.is_varying(op.a) and not self.variation.is_varying(op.b)

    def _first(self, value: Value) -> Number:
        """The number of the first lane, of a value that is uniform or has a step."""
        return self.firsts[value] if value in self.variation.steps else self.bound(value)

    def _set_first(self, value: Value, first: Number) -> None:
        self.firsts[value] = wrap(first, index) if isinstance(first, int) else first

    def unary(self, op: ArithUnary) -> None:
        if op.result in self.variation.steps:
            self._set_first(op.result, self.code.minus(0, self._first(op.a)))
        elif self._are_narrow([op.a, op.result]):
            self.narrow[op.result] = self.code.unary(op.variant, self._in_i32(op.a))
        else:
            self._compute(op, lambda a: self.code.unary(op.variant, a))

    def cast(self, op: Cast) -> None:
        steps = self.variation.steps
        if op.result in steps:
            self.firsts[op.result] = self.firsts[op.operand]
        elif op.operand in steps and op.result.type.is_integer:
            # numbers wrap in their width, as those that follow them do
            first = self._of_type(self.firsts[op.operand], op.operand.type)
            first = self.code.cast(first, op.result.type)
            self._define(op.result, self.code.step(first, self.count, steps[op.operand]))
        elif _is_wide(op.result) and self._has_i32(op.operand):
            self.narrow[op.result] = self.code.cast(self._narrowest(op.operand), i32)
        elif self._are_narrow([op.operand]) and (op.result.type != f64 or self.code.casts_wide_by_formulas):
            # f64 has no more lanes in a register than i64: an instruction of the latter takes no longer
            self._define(op.result, self.code.cast(self._in_i32(op.operand), op.result.type))
        elif self._is_float_of_steps(op):
            first, step = self.code.number(self.firsts[op.operand]), self.variation.steps[op.operand]
            value = wide_casts.steps_to_float(self.code, self.code.cast(first, i64), step, self.count, op.result.type)
            self._define(op.result, value)
        elif self._has_wide_casts(op.result.type) and _is_wide(op.operand) and self.variation.is_varying(op.operand):
            self._define(op.result, self._wide_to_float(op))
        elif self._has_wide_casts(op.operand.type) and _is_wide(op.result) and self.variation.is_varying(op.operand):
            self._define(op.result, wide_casts.to_integer(self.code, self.vector(op.operand), op.result.type))
        else:
            self._compute(op, lambda a: self.code.cast(a, op.result.type))

    def _has_i32(self, value: Value) -> bool:
        """Whether a value varies and has a vector of i32, or of narrower integers."""
        if self.code.is_scalable or not self.variation.is_varying(value):
            return False
        type_ = value.type
        return value in self.narrow or (isinstance(type_, ScalarType) and type_.is_integer and type_.size < 8)

    def _narrowest(self, value: Value) -> Value:
        return self.narrow[value] if value in self.narrow else self.vector(value)

    def _has_wide_casts(self, type_: Any) -> bool:
        """Whether numbers of a type are cast to and from integers of 64 bits by formulas."""
        is_real = isinstance(type_, ScalarType) and type_.is_floating
        return is_real and not self.code.is_scalable and self.code.casts_wide_by_formulas

    def _is_float_of_steps(self, op: Cast) -> bool:
        """Whether integers of 64 bits in step become floats, for which those of 32 take less where all are small."""
        type_ = op.result.type
        is_float = self._has_wide_casts(type_) or (type_ == f32 and not self.code.is_scalable)
        return is_float and op.operand in self.variation.steps and _is_wide(op.operand)

    def _wide_to_float(self, op: Cast) -> Value:
        """Integers of 64 bits as floats."""
        code, type_, made = self.code, op.result.type, op.operand.owner
        if isinstance(made, Cast) and made.operand.type == type_ and type_.size > 2:
            return wide_casts.truncated(code, self.vector(made.operand))
        return wide_casts.to_float(code, self.vector(op.operand), type_)

    def math(self, op: Math) -> None:
        if is_exponential(op):
            self._compute(op, lambda a: exponential(self.code, op.variant, a, self.is_fast))
        else:
            self._compute(op, lambda a: self.code.math(op.variant, a))

    def _root(self, root: roots.Root) -> None:
        (result,) = root.last.results
        is_varying = self.variation.is_varying(result)
        # the root of an f32 in f64, rounded to f32, is the one of f32
        is_narrow = self.is_fast or root.is_rounded
        given = root.narrow if is_narrow and root.narrow is not None else root.argument
        argument = self.vector(given) if is_varying else self.code.splat(self.number(given), 2)
        found = self.code.math("sqrt", argument)
        found = found if is_varying else self.code.extract(found, 0)
        self._define(result, self.code.cast(found, f64))

    def compare(self, op: Compare) -> None:
        narrow = _narrow_operands(op)
        if narrow is None or not self.variation.vary(op.operands):
            if self._are_narrow([op.a, op.b]):
                a, b = self._in_i32(op.a), self._in_i32(op.b)
                self._define(op.result, self.code.compare(op.variant, a, b))
            else:
                self._compute(op, lambda a, b: self.code.compare(op.variant, a, b))
        else:
            a, b = (
                self.vector(each) if isinstance(each, Value) else self.code.literal(f32, each, self.count)
                for each in narrow
            )
            self._define(op.result, self.code.compare(op.variant, a, b))

    def load(self, op: Load) -> None:
        if op in self.block:
            self._define(op.result, self.block[op].pop(0))
        elif op in self.components:
            self._load_components(op, self.components[op])
        elif op.tensor in self.held:
            held = self.held[op.tensor]
            self.values[op.result] = self.code.extract(held, 0) if self.count == 1 else held
        elif self._has_vectors(op):
            (value,) = interleaved.load(self.code, self._place(op), [0], self.lanes)
            self._define(op.result, value)
        elif self.variation.vary(op.indices):
            at = list(map(self.index, op.indices))
            self._define(op.result, access.load(self.code, self.number(op.tensor), at, self.lanes))
        else:
            self.copy(op)

    def store(self, op: Store) -> None:
        if op in self.block:
            self.block[op].append(self.vector(op.data))
        elif op in self.components:
            self._store_components(op, self.components[op])
        elif op.tensor in self.held:
            self._hold(op.tensor, self.vector(op.data))
        elif self._has_vectors(op):
            interleaved.store_reversed(self.code, self.vector(op.data), self._place(op), self.lanes)
        elif self.variation.vary(op.indices):
            at = list(map(self.index, op.indices))
            access.store(self.code, self.vector(op.data), self.number(op.tensor), at, self.lanes)
        elif self.variation.is_varying(op.data):
            self._store_in_one_place(op)
        else:
            self.copy(op)

    def _has_vectors(self, op: Load | Store) -> bool:
        is_fixed = self.count > 1 and not self.code.is_scalable
        return is_fixed and has_vectors(op, self.variation, self.inside, self.count)

    def _place(self, op: Load | Store, offset: int = 0) -> interleaved.Place:
        """Where an access has the elements of the lanes, or so many elements in front of them."""
        run = run_of(op, self.variation, self.inside)
        assert run is not None
        tensor = self.number(op.tensor)
        indices = [self.index(value).first for value in op.indices]
        first: Number = 0
        for number, stride in zip(indices[: run.modes + 1], op.tensor.type.strides):
            first = self.code.plus(first, self.code.times(number, stride))
        if run.modes:
            tensor = interleaved.flat(self.code, tensor, run.modes)
        others = indices[run.modes + 1 :]
        return interleaved.Place(tensor, (self.code.minus(first, offset), *others), run.step)

    def _load_components(self, op: Load, together: Components) -> None:
        """Load all components at the first access to one."""
        if op is not together.first:
            return
        place = self._place(op, together.offset_of(op))
        for each, value in zip(together.accesses, interleaved.load(self.code, place, together.offsets, self.lanes)):
            self._define(each.result, value)

    def _store_components(self, op: Store, together: Components) -> None:
        """Store all components at the last access to one."""
        if op is not together.last:
            return
        values = [self.vector(each.data) for each in together.accesses]  # type: ignore[union-attr]
        interleaved.store(self.code, values, self._place(op, together.offset_of(op)), self.lanes)

    def _hold(self, tensor: Value, value: Value) -> None:
        mask = self.lanes.active
        if isinstance(mask, Value):
            value = self.code.select(mask, value, self.held[tensor])
        self.held[tensor] = value

    def _store_in_one_place(self, op: Store) -> None:
        """Store what an active lane has: there is one only, or it is left open whose number stays."""
        data, tensor, mask = self.vector(op.data), self.number(op.tensor), self.lanes.active
        at = list(map(self.bound, op.indices))
        if not isinstance(mask, Value):  # the first lane is active
            self.code.store_number(self.code.extract(data, 0), tensor, at)
            return
        for lane in range(self.count):
            with self.code.predicated(self.code.extract(mask, lane)):
                self.code.store_number(self.code.extract(data, lane), tensor, at)

    # Control flow.

    def for_(self, op: For) -> None:
        if self.variation.vary(op.bounds):
            self._diverging_for(op)
            return

        def body(i: Number, carried: list[Value]) -> list[Value]:
            self._set(op.variable, i)
            self._take(op.carried, carried)
            self.region(op.body)
            return self._given(op.carried, op.yielded)

        step = 1 if op.step is None else int(constant_of(op.step))
        start, stop = self.bound(op.start), self.bound(op.stop)
        flag = continue_condition(op)
        if flag is not None and self.variation.is_varying(flag):
            number = op.carried.index(flag)
            carried = self._until_all_have_ended(start, stop, step, self._given(op.carried, op.inits), body, number)
            self._take(op.results, carried)
            return
        if self._goes_along(op):
            for result, value in zip(op.results, row_sums.write(self, op, start, stop)):
                is_shared = self.count > 1 and not self.variation.is_varying(result)
                self._define(result, self.code.extract(value, 0) if is_shared else value)
            return
        carried = self._given(op.carried, op.inits)
        is_plain = self.turns and not self.block and not self.held and not isinstance(self.lanes.active, Value)
        # the launch has found that arrays do not overlap, where that matters
        accesses = turned(op, self.variation, self.count, True) if is_plain else ()
        if accesses and not op.results:
            self._along(op, start, stop)
            return
        if accesses:
            begin = self._line_after(accesses, start)
            carried = self.code.loop(start, begin, 1, carried, body)
            end = self.code.plus(begin, self.code.multiple_below(_count(self.code, begin, stop), self.count))

            def block(first: Number, values: list[Value]) -> list[Value]:
                self.block = {each: self._rows(each, first) for each in accesses}
                for k in range(self.count):
                    values = body(self.code.plus(first, k), values)
                    if self.prefetches is not None:
                        self.prefetches.write(op, self.code.minus(first, begin), k)
                blocks, self.block = self.block, {}
                for each, vectors in blocks.items():
                    if isinstance(each, Store):
                        self._store_rows(each, first, vectors)
                return values

            carried = self.code.loop(begin, end, self.count, carried, block)
            start = end
        self._take(op.results, self.code.loop(start, stop, step, carried, body))

    def _until_all_have_ended(
        self, start: Number, stop: Number, step: int, inits: list[Value], body: LoopBody, flag: int
    ) -> list[Value]:
        """A loop that ends where nothing is left to do for any lane, as the carried value with a number says."""
        code, active = self.code, self.lanes.mask(self.code)

        def iteration(i: Number, carried: list[Value]) -> list[Value]:
            goes_on, *values = carried

            def written() -> list[Value]:
                after = list(body(i, values))
                left = after[flag] if active is None else code.arith("and", active, after[flag])
                return [code.reduce("or", left), *after]

            return list(code.branch(goes_on, written, lambda: carried))

        return list(code.loop(start, stop, step, [code.constant(bool_, True), *inits], iteration))[1:]

    def _diverging_for(self, op: For) -> None:
        """A loop that lanes enter or leave one after the other, and in which the others are inactive.

        In each iteration at least one is active.
        """
        code, around = self.code, self.lanes
        begin, end, variant, limits = self._range_of_lanes(op)

        def body(i: Number, carried: list[Value]) -> list[Value]:
            far = code.splat(code.number(i), self.count)
            mask = code.compare(variant, far, limits)
            self.lanes = Lanes(self.count, mask)
            if not self.variation.is_varying(op.variable):
                self._set(op.variable, i)
            elif op.variable in self.variation.steps:
                self.firsts[op.variable] = code.plus(self._first(op.start), i)
            else:
                self.values[op.variable] = code.arith("add", self.vector(op.start), code.cast(far, op.variable.type))
            self._take(op.carried, carried)
            self.region(op.body)
            given = self._given(op.carried, op.yielded)
            own = [code.select(mask, new, old) for new, old in zip(given, carried[: len(op.carried)])]
            return [*own, *given[len(op.carried) :]]

        step = 1 if op.step is None else int(constant_of(op.step))
        carried, flag = self._given(op.carried, op.inits), continue_condition(op)
        if flag is None:
            carried = code.loop(begin, end, step, carried, body)
        else:
            carried = self._until_all_have_ended(begin, end, step, carried, body, op.carried.index(flag))
        self._take(op.results, carried)
        self.lanes = around

    def _range_of_lanes(self, op: For) -> tuple[Number, Number, str, Value]:
        """The iterations of all active lanes, and the comparison of each with a limit that tells who executes it.

        They are values of the variable where all lanes have the same one, and else distances from where a lane begins.
        """
        code = self.code
        start, stop = (code.cast(self.vector(value), index) for value in (op.start, op.stop))
        active = self.lanes.mask(code)
        if self.variation.is_varying(op.variable):
            none = code.zeros(index, self.count)
            limits = code.select(code.compare("lt", start, stop), code.arith("sub", stop, start), none)
            limits = limits if active is None else code.select(active, limits, none)
            return 0, code.reduce("max", limits), "lt", limits
        if not self.variation.is_varying(op.start):
            limits = stop if active is None else code.select(active, stop, start)
            return self.bound(op.start), code.reduce("max", limits), "lt", limits
        limits = start if active is None else code.select(active, start, stop)
        return code.reduce("min", limits), self.bound(op.stop), "ge", limits

    def _line_after(self, accesses: Sequence[Load | Store], start: Number) -> Number:
        """Where the blocks of a loop begin."""
        if not self.line:
            return start
        place = [at.first for at in self._places(accesses[0], start)[0]]
        return self.code.plus(start, self.code.to_line(self.number(accesses[0].tensor), place, self.line))

    def _goes_along(self, op: For) -> bool:
        """Whether a loop whose order is open has vectors along the row of each point; others have an order."""
        if not self.row_lanes or isinstance(self.lanes.active, Value):
            return False
        return not self.turns or is_along_rows(op, self.variation)

    def _along(self, op: For, start: Number, stop: Number) -> None:
        """A loop that carries nothing, whose iterations are the lanes, for one point after the other."""
        code, count = self.code, self.count
        end = code.plus(start, code.multiple_below(_count(code, start, stop), count))
        for lane in range(self.active_count):
            row = self.row(op, lane, count)

            def vector(first: Number, _: list[Value], row: Points = row, lane: int = lane) -> tuple[()]:
                row.execute(first, (), Lanes(count))
                if self.prefetches is not None:
                    self.prefetches.write(op, code.minus(first, start), lane)
                return ()

            def last(remaining: Number, row: Points = row) -> None:
                row.execute(end, (), Lanes(count, remaining))

            code.loop(start, end, count, [], vector)
            with_remainder(code, end, stop, last)

    def row(self, op: For, lane: int, count: int) -> Points:
        """The iterations of a loop for the point of one lane, as so many lanes."""
        row = Points(self.code, op, count)
        row.is_fast, row.inside = self.is_fast, self.inside
        row.values, row.narrow = dict(self.values), {}
        for value in dict.fromkeys(value for inner in op.body.walk() for value in inner.operands):
            if not self.variation.is_varying(value):
                continue
            if value in self.variation.steps and value in self.firsts:
                row._set(value, self.code.plus(self.firsts[value], lane * self.variation.steps[value]))
            elif value in self.values or value in self.narrow:
                row.values[value] = self.code.extract(self.vector(value), lane)
        return row

    @property
    def active_count(self) -> int:
        """How many points are executed."""
        return self.lanes.active if isinstance(self.lanes.active, int) else self.count

    def _rows(self, op: Load | Store, first: Number) -> list[Value]:
        """What iterations of a loop load, from the first one on: for each a vector of all points."""
        if isinstance(op, Store):
            return []
        tensor, count = self.number(op.tensor), self.count
        rows = [access.load(self.code, tensor, at, Lanes(count)) for at in self._places(op, first)]
        rows += [self.code.zeros(tensor.type.element, count)] * (count - len(rows))
        return list(self.code.transpose(rows))

    def _store_rows(self, op: Store, first: Number, vectors: list[Value]) -> None:
        """Store what iterations of a loop have stored, from the first one on."""
        for at, row in zip(self._places(op, first), self.code.transpose(vectors)):
            access.store(self.code, row, self.number(op.tensor), at, Lanes(self.count))

    def _places(self, op: Load | Store, first: Number) -> list[list[Index]]:
        """For each point that is active, the elements of all iterations of a block."""
        _, *others = map(self.index, op.indices)
        return [
            [Index(first, 1), *(Index(self.code.plus(i.first, lane) if i.step else i.first, 0) for i in others)]
            for lane in range(self.active_count)
        ]

    def if_(self, op: If) -> None:
        if op in self.choices:
            self._choose(op, self.choices[op])
            return
        if self.variation.is_varying(op.condition):
            self._diverging_if(op)
        else:
            self._uniform_if(op)

    def _choose(self, op: If, choice: Recurrence) -> None:
        """Take another number and its iteration where the condition holds."""
        assert isinstance(self.op, For) and choice.place is not None
        assert choice.element is not None and choice.iteration is not None
        owner = choice.iteration.owner
        if isinstance(owner, Cast) and owner in op.then_body.operations:
            self.cast(owner)
        condition = self.vector(op.condition)
        for slot, value in ((choice.number, choice.element), (choice.place, choice.iteration)):
            chosen = self.code.select(condition, self.vector(value), self.vector(self.op.carried[slot]))
            self._define(self.op.yielded[slot], chosen)

    def _uniform_if(self, op: If) -> None:
        held = dict(self.held)

        def otherwise() -> list[Value]:
            self.held = held
            return self._branch(op, op.else_body)

        has_else = op.else_body is not None or held
        given = self.code.branch(
            self.number(op.condition), lambda: self._branch(op, op.then_body), otherwise if has_else else None
        )
        self._take(op.results, given)

    def _diverging_if(self, op: If) -> None:
        """An `if` on which lanes diverge: a region with effects is predicated, others are executed for all lanes."""
        condition = self.vector(op.condition)
        branches = []
        for region in (op.then_body, op.else_body):
            if region is None or self._is_short(region):
                given = self._branch(op, region)
            else:
                taken = condition if region is op.then_body else self.code.unary("not", condition)
                given = self._predicated(op, region, taken)
            branches.append(given[: len(op.results)])
        for result, *values in zip(op.results, *branches):
            self._define(result, self.code.select(condition, *values))

    def _is_short(self, region: Region) -> bool:
        """Whether a region has no effects, and is executed for all lanes rather than branched over."""
        known = (each for each in self._known(region) if not isinstance(each, functions.Function))
        needless = frozenset().union(*(each.needless for each in known))
        if all(isinstance(inner, _PURE) or inner in needless for inner in region.operations):
            return True
        inside = list(region.walk())
        is_cheap = all(isinstance(inner, If) or _is_cheap(inner) for inner in inside)
        return is_cheap and len(inside) <= MOST_FOR_ALL

    def _predicated(self, op: If, region: Region, taken: Value) -> list[Value]:
        """What a region gives that is executed for the lanes that take it, and skipped where no lane does."""
        around, before = self.lanes, list(self.held.values())
        active = around.mask(self.code)
        mask = taken if active is None else self.code.arith("and", active, taken)

        def skipped() -> list[Value]:
            return [*(self.code.zeros(result.type, self.count) for result in op.results), *before]

        self.lanes = Lanes(self.count, mask)
        given = self.code.branch(
            self.code.reduce("or", mask),
            lambda: self._branch(op, region),
            skipped if op.results or before else None,
        )
        self.lanes = around
        self._take(op.results, given)
        return given

    def _branch(self, op: If, region: Region | None) -> list[Value]:
        """Write a region of an `if`. Returns what it gives, and what is held then."""
        last = None
        if region is not None:
            self.region(region)
            last = terminator(region)
        return self._given(op.results, last.yielded if last else [])

    def _given(self, targets: Sequence[Value], values: Sequence[Value]) -> list[Value]:
        """Values at the end of a region, vectors where what takes them varies, and the held elements."""
        pairs = zip(targets, values)
        given = [self.vector(value) if self.variation.is_varying(to) else self.number(value) for to, value in pairs]
        return [*given, *self.held.values()]

    def _take(self, targets: Sequence[Value], given: Sequence[Value]) -> None:
        """Set values, and the held elements, to those that were handed on."""
        self.values.update(zip(targets, given))
        self.held = dict(zip(self.held, given[len(targets) :]))


def _is_cheap(op: Operation) -> bool:
    """Whether an instruction only computes, and in little time."""
    return isinstance(op, _PURE) and not is_costly(op)


def _narrow_operands(op: Compare) -> tuple[Value | float, Value | float] | None:
    """The operands of a comparison as those of f32, where an f32 that was widened is compared with a constant.

    Nothing is widened for it then, as the library's functions of f32 do before they ask for special values.
    """
    numbers: list[Value | float] = []
    for value in (op.a, op.b):
        literal, owner = constant_of(value), value.owner
        if isinstance(owner, Cast) and (owner.operand.type, value.type) == (f32, f64):
            numbers.append(owner.operand)
        elif value.type == f64 and literal is not None and round_to(literal, f32) == literal:
            numbers.append(literal)
        elif value.type == f64 and literal is not None and literal > _LARGEST_F32 and _is_at_most(op, value):
            numbers.append(_LARGEST_F32)
        else:
            return None
    return (numbers[0], numbers[1]) if any(isinstance(each, Value) for each in numbers) else None


def _is_wide(value: Value) -> bool:
    """Whether a value is an integer of 64 bits."""
    return isinstance(value.type, ScalarType) and value.type.is_integer and value.type.size == 8


def _is_at_most(op: Compare, bound: Value) -> bool:
    """Whether a comparison asks whether the other operand is at most this one."""
    return (op.variant, bound) in (("le", op.b), ("ge", op.a))


def contractions(region: Region) -> dict[Operation, Operation]:
    """For each sum of floats in a region the product that is one of its terms, and is used nowhere else."""
    uses: dict[Value, int] = {}
    for op in region.walk():
        for value in op.operands:
            uses[value] = uses.get(value, 0) + 1
    own, found = set(region.operations), dict[Operation, Operation]()
    for op in region.operations:
        if not isinstance(op, ArithBinary) or op.variant != "add" or not _is_fused(op.result.type):
            continue
        for term in (op.a, op.b):
            product = term.owner
            if isinstance(product, ArithBinary) and product.variant == "mul" and product in own and uses[term] == 1:
                found[op] = product
                break
    return found


def _is_fused(type_: Any) -> bool:
    """Whether numbers are multiplied and added at once. Halves are rounded after each instruction."""
    return isinstance(type_, ScalarType) and type_.is_floating and type_.size > 2


_WRITE: Meanings[type[Operation], Callable[[Points, Any], None]] = Meanings(
    "vector code of points",
    {
        ArithBinary: Points.binary,
        ArithUnary: Points.unary,
        Cast: Points.cast,
        Compare: Points.compare,
        Constant: Points.nothing,  # written where it is used
        Expand: Points.copy,
        For: Points.for_,
        Fuse: Points.copy,
        If: Points.if_,
        Load: Points.load,
        Math: Points.math,
        MathSince04: Points.math,
        Size: Points.copy,
        Store: Points.store,
        Subview: Points.copy,
        Yield: Points.nothing,  # the For or If around it takes its values
    },
)
