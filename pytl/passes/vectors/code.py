"""Writing vector code: instructions that go to the region that is open, and index arithmetic that is folded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, TypeAlias

from ...diagnostics import Location
from ...ir.assembly import parts_of
from ...ir.clone import clone_operation
from ...ir.constraints import INDEX
from ...ir.fields import IntegerConstant, Operand, OperandList, Result, ResultList, Variant
from ...ir.operation import Operation
from ...ir.types import BoolType, MemrefType, ScalarType, Type, VectorTileType, VectorType, bool_, f32, f64, i32, index
from ...ir.values import Region, Value
from ...ops import (
    ArithBinary,
    ArithUnary,
    Cast,
    Compare,
    Constant,
    For,
    If,
    Load,
    Math,
    Size,
    Store,
    SubgroupAdd,
    SubgroupBroadcast,
    SubgroupBuiltin,
    SubgroupMax,
    SubgroupMin,
    Subview,
    Yield,
)
from ...ops.arith import unary_result
from ...ops.constants import wrap, zero_of
from ...ops.math import FUNCTIONS, MathSince04
from ...ops.views import Slice
from ..analysis.divisors import divisor_of_size
from ..analysis.known import Known
from ..targets import vector
from ..targets import vector_rows as rows
from ..targets import vector_tiles as tiles
from ..targets.machine import Machine

Number: TypeAlias = int | Value
"""An index or a size: a constant, or a value of type index."""
Element: TypeAlias = ScalarType | BoolType
LoopBody: TypeAlias = Callable[[Number, list[Value]], Sequence[Value]]
_EXTREMES = {"max": "gt", "min": "lt"}
"""How the first operand compares with the second one where it is the result."""
_TOGETHER = {"add": SubgroupAdd, "max": SubgroupMax, "min": SubgroupMin}


def _written(kind: type[vector.VectorInstruction]) -> Any:
    """The method that writes an instruction of a kind, and gives its result, or its list of results.

    It takes the instruction's parts in the order of the text, of which indices may be constants; others by name.
    `types` are those of results that do not follow from the parts.
    """
    names = [part.name for part in kind.parts.values() if isinstance(part, Variant)]
    names += [name for name in parts_of(kind.template) if isinstance(kind.parts[name], (Operand, IntegerConstant))]
    of_numbers = [name for name in names if getattr(kind.parts[name], "constraint", None) == INDEX]
    lists = {name for name in of_numbers if isinstance(kind.parts[name], OperandList)}
    results = [part for part in kind.parts.values() if isinstance(part, Result)]
    gives_one = bool(results) and not isinstance(results[0], ResultList)

    def write(self: Code, *parts: Any, types: Sequence[Type] | None = None, **others: Any) -> Any:
        given = dict(zip(names, parts, strict=True))
        for name in of_numbers:
            given[name] = list(map(self.number, given[name])) if name in lists else self.number(given[name])
        op = self.add(kind(self.location, types, **given, **others))
        return op.results[0] if gives_one else op.results

    write.__doc__ = kind.__doc__
    return write


def _half(type_: VectorType) -> VectorType:
    return VectorType(type_.element, type_.lanes // 2, type_.is_scalable)


class Code:
    """The instructions of a `vector.code` that is being written.

    Constants are made once, in front of all others. Numbers and vectors have the same methods: an instruction on
    vectors is the one of the namespace `vector`.
    """

    def __init__(
        self,
        location: Location | None = None,
        is_scalable: bool = False,
        scale: int | None = None,
        has_rows: bool = False,
        machine: Machine | None = None,
        known: Known | None = None,
        calls_for_casts: bool = False,
    ) -> None:
        self.location = location
        """What is written is for the instruction at this place."""
        self.is_scalable = is_scalable
        """Whether all vectors have a multiple of their lanes, which the machine knows."""
        self.scale = scale if is_scalable else 1
        """Which multiple that is, where it is known here."""
        self.has_rows = has_rows
        """Whether an instruction adds to several vectors of ZA."""
        self.machine = machine
        """The processor that the code is for, where its instructions of arithmetic matter."""
        self.known = known
        """What is known of the integers of the function that the code is a part of."""
        self.calls_for_casts = calls_for_casts
        """Whether what compiles the code calls functions for casts between integers of 64 bits and floats."""
        self._front: list[Operation] = []
        self._open: list[Operation] = []
        self._known: dict[Any, Value] = {}
        self._types: dict[tuple[int, int], VectorType] = {}
        """Types of vectors by the identity of their elements' type: one object each, so that instructions on them are
        checked once."""
        self._numbers: dict[int, Value] = {}
        """Indices that are constants; they are asked for more often than made."""
        self._computed: list[dict[Any, Value]] = [{}]
        """For each open region, what was computed there of numbers."""
        self._divisors: dict[Value, int] = {}
        """Of sizes that are known at run time only: numbers that they are known to be multiples of."""

    def finished(self, outlined: bool = False) -> vector.Code:
        """All that was written."""
        body = Region("collective", operations=self.written(), location=self.location)
        attributes: dict[str, Any] = {vector.OUTLINED: True} if outlined else {}
        if self.is_scalable and self.scale is not None:
            attributes[vector.SCALE] = self.scale
        return vector.Code(self.location, attributes=attributes, body=body)

    def written(self) -> list[Operation]:
        """All that was written, for instructions that are not vector code by themselves."""
        return [*self._front, *self._open]

    def another(self) -> Code:
        """Other vector code for the same instruction and vectors."""
        scale = self.scale if self.is_scalable else None
        return Code(
            self.location, self.is_scalable, scale, self.has_rows, self.machine, self.known, self.calls_for_casts
        )

    def of_work_items(self, rows: int = 1, columns: int = 1, unroll: int = 1) -> vector.WorkItems:
        """All that was written, as code of work-items, which compute a block of so many rows and columns at a time."""
        body = Region("spmd", operations=self.written(), location=self.location)
        attributes = {vector.ROWS: rows, vector.COLUMNS: columns, vector.UNROLL: unroll}
        return vector.WorkItems(self.location, attributes=attributes, body=body)

    def add(self, op: Operation) -> Operation:
        self._open.append(op)
        return op

    def _result(self, op: Operation) -> Value:
        self._open.append(op)
        return op.results[0]

    def _once(self, key: Any, make: Callable[[], Operation]) -> Value:
        """The result of an instruction in front of all others, made at the first call with this key."""
        if key not in self._known:
            op = make()
            self._front.append(op)
            self._known[key] = op.results[0]
        return self._known[key]

    def once(self, key: Any, op: Operation) -> Value:
        """The result of an instruction on what the code has from outside, in front of all others; made once."""
        return self._once(key, lambda: op)

    def _reused(self, key: Any, make: Callable[[], Operation]) -> Value:
        """The result of an instruction on numbers: of the one with this key, where that dominates this place."""
        for computed in self._computed:
            if key in computed:
                return computed[key]
        value = self._computed[-1][key] = self._result(make())
        return value

    # Instructions of vector code that follow from their parts.

    dot: Callable[..., Value] = _written(vector.Dot)
    dot_loaded: Callable[..., Value] = _written(vector.DotLoaded)
    exchange: Callable[..., Value] = _written(vector.Exchange)
    fma_lane: Callable[..., Value] = _written(vector.FmaLane)
    interleave: Callable[..., Value] = _written(vector.Interleave)
    matrix_fma: Callable[..., list[Value]] = _written(vector.MatrixFma)
    reduce: Callable[..., Value] = _written(vector.Reduce)
    release: Callable[..., None] = _written(vector.Release)
    scatter: Callable[..., None] = _written(vector.Scatter)
    select: Callable[..., Value] = _written(vector.Select)
    transpose: Callable[..., list[Value]] = _written(vector.Transpose)
    slice_load: Callable[..., Value] = _written(tiles.SliceLoad)
    slice_store: Callable[..., None] = _written(tiles.SliceStore)
    tile_extract: Callable[..., Value] = _written(tiles.TileExtract)
    tile_insert: Callable[..., Value] = _written(tiles.TileInsert)
    tile_outer: Callable[..., Value] = _written(tiles.Outer)
    tile_product: Callable[..., Value] = _written(tiles.Product)
    tile_store: Callable[..., None] = _written(tiles.TileStore)
    all_rows: Callable[..., Value] = _written(rows.Rows)
    insert_line: Callable[..., list[Value]] = _written(rows.InsertLine)
    rows_add: Callable[..., Value] = _written(rows.AddRows)
    rows_fma: Callable[..., Value] = _written(rows.FmaRows)
    rows_fma_lane: Callable[..., Value] = _written(rows.FmaRowsLane)
    _buffer: Callable[..., Value] = _written(vector.Buffer)
    _extract_line: Callable[..., Value] = _written(rows.ExtractLine)
    _gather: Callable[..., Value] = _written(vector.Gather)
    _join: Callable[..., Value] = _written(rows.Join)
    _load_segment: Callable[..., Value] = _written(rows.LoadSegment)
    _prefetch: Callable[..., None] = _written(vector.Prefetch)
    _to_line: Callable[..., Value] = _written(vector.ToLine)
    _scale_by_power: Callable[..., Value] = _written(vector.ScaleByPower)
    _slices_load: Callable[..., Value] = _written(rows.SlicesLoad)
    _slices_store: Callable[..., None] = _written(rows.SlicesStore)
    _store: Callable[..., None] = _written(vector.Store)
    _tile_load: Callable[..., Value] = _written(tiles.TileLoad)

    # Numbers.

    def constant(self, type_: Type, literal: Any) -> Value:
        name = f"c{literal}" if type_ == index and literal >= 0 else None
        return self._once((type_, repr(literal)), lambda: Constant(self.location, [type_], [name], literal=literal))

    def number(self, a: Number) -> Value:
        """An index as a value."""
        if isinstance(a, Value):
            return a
        known = self._numbers.get(a)
        if known is None:
            known = self._numbers[a] = self.constant(index, a)
        return known

    def size(self, tensor: Value, mode: int) -> Number:
        """The size of a mode."""
        extent = tensor.type.shape[mode]
        if isinstance(extent, int):
            return extent
        made = self._once((tensor, mode), lambda: Size(self.location, [index], tensor=tensor, mode=mode))
        self._divisors[made] = divisor_of_size(tensor, mode)
        return made

    def size_here(self, tensor: Value, mode: int) -> Value:
        """The size of a mode of a tensor that is defined in the region that is being written."""
        return self._result(Size(self.location, [index], tensor=tensor, mode=mode))

    def reloaded(self, tensor: Value) -> Value:
        """The same tensor, from which is loaded what was stored, though a compiler may know the registers it was in."""
        zero = self._result(vector.HiddenZero(self.location, [index]))
        pieces = [Slice(zero if mode == 0 else 0, self.size(tensor, mode)) for mode in range(tensor.type.order)]
        return self._result(Subview(self.location, None, tensor=tensor, slices=pieces))

    def plus(self, a: Number, b: Number) -> Number:
        if isinstance(a, int) and isinstance(b, int):
            return a + b
        if isinstance(a, int):
            a, b = b, a
        return a if b == 0 else self._index("add", a, b)

    def minus(self, a: Number, b: Number) -> Number:
        if isinstance(a, int) and isinstance(b, int):
            return a - b
        if a is b:
            return 0
        return a if b == 0 else self._index("sub", a, b)

    def times(self, a: Number, b: Number) -> Number:
        if isinstance(a, int) and isinstance(b, int):
            return a * b
        for one, other in ((a, b), (b, a)):
            if isinstance(one, int) and one in (0, 1):
                return other if one else 0
        return self._index("mul", a, b)

    def over(self, a: Number, divisor: int) -> Number:
        """The quotient of a number that is not negative."""
        if isinstance(a, int):
            return a // divisor
        return a if divisor == 1 else self._index("div", a, divisor)

    def remainder(self, a: Number, divisor: int) -> Number:
        """What is left of a number that is not negative."""
        return a % divisor if isinstance(a, int) else self._index("rem", a, divisor)

    def bits(self, a: Number, mask: int) -> Number:
        """Some bits of a number."""
        return a & mask if isinstance(a, int) else self._index("and", a, mask)

    def min(self, a: Number, b: Number) -> Number:
        if isinstance(a, int) and isinstance(b, int):
            return min(a, b)
        return self.arith("min", self.number(a), self.number(b))

    def multiple_below(self, a: Number, step: int) -> Number:
        """The largest multiple of `step` up to `a`, which is not negative; `a` itself where it is a multiple."""
        if isinstance(a, int):
            return a // step * step
        if self._divisors.get(a, 1) % step == 0:
            return a
        if step & (step - 1) == 0:
            return self._index("and", a, -step)
        return self._index("sub", a, self._index("rem", a, step))

    def _index(self, variant: str, a: Number, b: Number) -> Value:
        a, b = self.number(a), self.number(b)
        return self._reused((variant, a, b), lambda: ArithBinary(self.location, [index], variant=variant, a=a, b=b))

    # Work-items.

    def place_once(self, variant: str) -> Value:
        """The number of the sub-group, or of the work-item in it, as an index, in front of all other instructions."""
        place = self._once(variant, lambda: SubgroupBuiltin(self.location, variant=variant))
        return self._once((variant, index), lambda: Cast(self.location, [index], operand=place))

    def broadcast(self, a: Value, local_id: int) -> Value:
        """The number of one work-item of the sub-group."""
        return self._result(SubgroupBroadcast(self.location, a=a, local_id=self.constant(i32, local_id)))

    def subgroup_total(self, variant: str, a: Value) -> Value:
        """What the numbers of the work-items of the sub-group give together."""
        return self._result(_TOGETHER[variant](self.location, variant="reduce", a=a))

    def subgroup_scan(self, a: Value) -> Value:
        """The sum of the numbers of the work-items up to each."""
        return self._result(SubgroupAdd(self.location, variant="inclusive_scan", a=a))

    # Lanes.

    def vector(self, element: Element, lanes: int) -> VectorType:
        """The type of a vector."""
        key = (id(element), lanes)
        if key not in self._types:
            self._types[key] = VectorType(element, lanes, self.is_scalable)
        return self._types[key]

    def length(self, lanes: int) -> Number:
        """How many lanes a vector has."""
        if self.scale is not None:
            return self.scale * lanes
        scale = self._once("scale", lambda: vector.Scale(self.location))
        size = self.number(lanes)
        made = self._once(
            ("length", lanes), lambda: ArithBinary(self.location, [index], variant="mul", a=scale, b=size)
        )
        self._divisors[made] = lanes
        return made

    def within(self, left: Number, lanes: int) -> Number:
        """How many of the elements that are left a vector has, which has no fewer than those of its type."""
        return left if isinstance(left, int) and left <= lanes else self.min(left, self.length(lanes))

    # Vectors of the same number, and of consecutive ones.

    def splat(self, scalar: Value, lanes: int) -> Value:
        """A number in all lanes."""
        type_ = self.vector(scalar.type, lanes)
        if isinstance(scalar.owner, Constant):
            return self._once((scalar, lanes), lambda: vector.Splat(self.location, [type_], scalar=scalar))
        return self._result(vector.Splat(self.location, [type_], scalar=scalar))

    def literal(self, element: Element, literal: Any, lanes: int) -> Value:
        """A constant in all lanes."""
        return self.splat(self.constant(element, literal), lanes)

    def zeros(self, element: Element, lanes: int) -> Value:
        return self.literal(element, zero_of(element), lanes)

    def zeros_like(self, a: Value) -> Value:
        """Zeros, as many as another value has lanes; a number where that is one."""
        if isinstance(a.type, VectorType):
            return self.zeros(a.type.element, a.type.lanes)
        return self.constant(a.type, zero_of(a.type))

    def step(self, first: Value, lanes: int, by: int = 1) -> Value:
        """A number, and those that follow it, each larger by the same."""
        if by != 1:
            type_: ScalarType = first.type
            numbers = self.step(self.constant(type_, 0), lanes)
            distances = self.arith("mul", numbers, self.literal(type_, wrap(by, type_), lanes))
            return self.arith("add", self.splat(first, lanes), distances)
        return self._result(vector.Step(self.location, [self.vector(first.type, lanes)], first=first))

    def mask(self, count: Number, lanes: int) -> Value:
        """Whether the number of a lane is below a count."""
        type_ = self.vector(bool_, lanes)
        if isinstance(count, int):
            value = self.number(count)
            return self._once(("mask", count, lanes), lambda: vector.Mask(self.location, [type_], count=value))
        return self._reused((count, lanes), lambda: vector.Mask(self.location, [type_], count=count))

    def extract(self, a: Value, lane: int) -> Value:
        return self._result(vector.Extract(self.location, vector=a, lane=lane))

    def from_elements(self, elements: Sequence[Value]) -> Value:
        """A vector of numbers."""
        type_ = self.vector(elements[0].type, len(elements))
        return self._result(vector.FromElements(self.location, [type_], elements=list(elements)))

    # Arithmetic, of numbers and of vectors.

    def arith(self, variant: str, a: Value, b: Value) -> Value:
        if isinstance(a.type, VectorType):
            if variant in _EXTREMES and self._compares_for_extremes(a.type):
                return self._extreme(variant, a, b)
            return self._result(vector.VectorBinary(self.location, variant=variant, a=a, b=b))
        return self._result(ArithBinary(self.location, [a.type], variant=variant, a=a, b=b))

    def _compares_for_extremes(self, type_: VectorType) -> bool:
        is_compared = self.machine is not None and self.machine.compares_for_extremes
        return is_compared and type_.element in (f32, f64)

    def _extreme(self, variant: str, a: Value, b: Value) -> Value:
        """The larger or smaller of two, lane by lane, and `a` where `b` is nan.

        It is x86's instruction, which gives its second operand where one is nan, under a mask that `a` does not decide.
        """
        chosen = self.select(self.compare(_EXTREMES[variant], a, b), a, b)
        return self.select(self.compare("eq", b, b), chosen, a)

    @property
    def casts_wide_by_formulas(self) -> bool:
        """Whether formulas cast between integers of 64 bits and floats, which take less than what casts them else."""
        if self.machine is None or not self.machine.has_vector_extensions:
            return False
        return self.calls_for_casts or not self.machine.casts_wide_integers

    def scales_by_powers(self, type_: VectorType) -> bool:
        """Whether the machine has an instruction that multiplies by powers of two for a vector, or for its halves."""
        if self.machine is None or not self.machine.scales_by_powers:
            return False
        return vector.fills_register(type_) or (type_.lanes % 2 == 0 and self.scales_by_powers(_half(type_)))

    def scale_by_power(self, a: Value, exponent: Value) -> Value:
        """`a` times two to the power of an exponent."""
        lanes = a.type.lanes
        if vector.fills_register(a.type):
            return self._scale_by_power(a, exponent)
        parts = [range(lanes // 2), range(lanes // 2, lanes)]
        low, high = (
            self.scale_by_power(self.shuffle(a, a, part), self.shuffle(exponent, exponent, part)) for part in parts
        )
        return self.shuffle(low, high, range(lanes))

    def unary(self, variant: str, a: Value) -> Value:
        if isinstance(a.type, VectorType):
            return self._result(vector.VectorUnary(self.location, variant=variant, a=a))
        return self._result(ArithUnary(self.location, [unary_result(variant, a.type)], variant=variant, a=a))

    def math(self, variant: str, a: Value) -> Value:
        if isinstance(a.type, VectorType):
            return self._result(vector.VectorMath(self.location, variant=variant, a=a))
        cls = Math if variant in FUNCTIONS else MathSince04
        return self._result(cls(self.location, [a.type], variant=variant, a=a))

    def compare(self, variant: str, a: Value, b: Value) -> Value:
        if isinstance(a.type, VectorType):
            return self._result(vector.VectorCompare(self.location, variant=variant, a=a, b=b))
        return self._result(Compare(self.location, [bool_], variant=variant, a=a, b=b))

    def cast(self, a: Value, element: ScalarType) -> Value:
        """Numbers in another type; themselves where they have it."""
        type_ = a.type
        held = type_.element if isinstance(type_, VectorType) else type_
        if held is element or held == element:
            return a
        if isinstance(type_, VectorType):
            return self._result(vector.VectorCast(self.location, [type_.of(element)], operand=a))
        return self._result(Cast(self.location, [element], operand=a))

    def fma(self, a: Value, b: Value, c: Value) -> Value:
        """`a b + c`. Of these and of loads there are so many that they are not made from their parts' names."""
        return self._result(vector.Fma(self.location, [a.type], a=a, b=b, c=c))

    # Lanes.

    def shuffle(self, a: Value, b: Value, lanes: Sequence[int]) -> Value:
        """Lanes of two vectors, counted through both."""
        if a is b and list(lanes) == list(range(a.type.lanes)):
            return a
        type_ = self.vector(a.type.element, len(lanes))
        return self._result(vector.Shuffle(self.location, [type_], a=a, b=b, attributes={vector.LANES: list(lanes)}))

    def parts(self, a: Value) -> Value:
        """Complex numbers as their parts, side by side."""
        return self._result(vector.Parts(self.location, operand=a))

    def complex(self, a: Value, element: ScalarType) -> Value:
        """Parts that lie side by side as complex numbers of a type."""
        type_ = self.vector(element, a.type.lanes // 2)
        return self._result(vector.Parts(self.location, [type_], operand=a))

    def part(self, a: Value, first: int, lanes: int) -> Value:
        """Some lanes of a vector, from the first on; the vector itself where these are all."""
        if lanes == a.type.lanes:
            return a
        return self._result(vector.Part(self.location, [self.vector(a.type.element, lanes)], vector=a, first=first))

    def bitcast(self, a: Value, type_: VectorType) -> Value:
        """A vector with the same bits."""
        return a if a.type == type_ else self._result(vector.Bits(self.location, [type_], vector=a))

    def joined(self, re: Value, im: Value, element: ScalarType) -> Value:
        """Complex numbers of vectors of their parts."""
        return self.complex(self.interleave(re, im), element)

    # Tiles.

    def tile_zero(self, type_: VectorTileType, register: int | None = None) -> Value:
        attributes = {} if register is None else {tiles.REGISTER: register}
        return self._result(tiles.TileZero(self.location, [type_], attributes=attributes))

    def tile_undefined(self, type_: VectorTileType, register: int | None = None) -> Value:
        attributes = {} if register is None else {tiles.REGISTER: register}
        return self._result(tiles.TileUndefined(self.location, [type_], attributes=attributes))

    def registers(self, count: int, first: int = 0) -> list[int | None]:
        """The registers of so many tiles, where these are decided here."""
        return [n if self.has_rows else None for n in range(first, first + count)]

    def tile_load(self, tensor: Value, indices: Sequence[Number], type_: VectorTileType, register: int) -> Value:
        """A tile from memory, in a register."""
        return self._tile_load(tensor, indices, types=[type_], attributes={tiles.REGISTER: register})

    # Vectors of ZA.

    def rows_of(self, count: int, a: Value) -> Value:
        """A tile of so many vectors."""
        type_ = VectorTileType(a.type.element, count, a.type.lanes // count, True, True)
        return self._result(rows.FromRows(self.location, [type_], vector=a))

    def goes_by_rows(self, type_: Any) -> bool:
        """Whether vectors of a type are several registers, to whose like in ZA an instruction adds."""
        if not (self.has_rows and isinstance(type_, VectorType)) or type_.element not in (f32, f64):
            return False
        return 8 * type_.lanes * type_.element.size == rows.ZA_ROWS * vector.SEGMENT

    def added(self, a: Value, b: Value) -> Value:
        """`a + b`, of several vectors by an instruction on all."""
        if not self.goes_by_rows(a.type):
            return self.arith("add", a, b)
        return self.all_rows(self.rows_add(b, self.rows_of(rows.ZA_ROWS, a)))

    def with_product(self, a: Value, b: Value, c: Value) -> Value:
        """`a b + c`, of several vectors by an instruction on all."""
        if not self.goes_by_rows(c.type):
            return self.fma(b, a, c)
        spread = b.owner
        if isinstance(spread, vector.Splat):
            b = self.splat(spread.scalar, c.type.lanes // rows.ZA_ROWS)
        return self.all_rows(self.rows_fma(a, b, self.rows_of(rows.ZA_ROWS, c)))

    def slices_load(
        self, variant: str, tile: Value, number: Number, tensor: Value, indices: Sequence[Number], mode: int
    ) -> Value:
        """A tile with rows or columns that are loaded, one behind the other along a mode."""
        attributes = {vector.MODE: mode} if mode else {}
        return self._slices_load(variant, tensor, indices, tile, number, rows.ZA_ROWS, attributes=attributes)

    def slices_store(
        self, variant: str, tile: Value, number: Number, tensor: Value, indices: Sequence[Number], mode: int
    ) -> None:
        """Store rows or columns of a tile, one behind the other along a mode."""
        attributes = {vector.MODE: mode} if mode else {}
        self._slices_store(variant, tile, number, rows.ZA_ROWS, tensor, indices, attributes=attributes)

    def extract_line(self, of: Sequence[Value], number: Number) -> Value:
        """A row of each of some tiles, one behind the other."""
        tile = of[0].type
        return self._extract_line(of, number, types=[self.vector(tile.element, len(of) * tile.columns)])

    def join(self, parts: Sequence[Value]) -> Value:
        """Vectors one behind the other."""
        return parts[0] if len(parts) == 1 else self._join(parts)

    def are_together(self, count: Number, length: Number, distance: object, ways: int = 1) -> bool:
        """Whether so many slices of a tile, at a distance in memory, are moved by fewer instructions together."""
        is_known = isinstance(count, int) and isinstance(length, int) and isinstance(distance, int)
        return self.has_rows and is_known and count % rows.ZA_ROWS == 0 and distance == length * ways  # type: ignore[operator]

    # Memory.

    def load_segment(self, tensor: Value, indices: Sequence[Number], type_: VectorType) -> Value:
        """128 bits, in all segments of a vector."""
        return self._load_segment(tensor, indices, types=[type_])

    def buffer(self, type_: MemrefType, sizes: Sequence[Number], alignment: int) -> Value:
        """New memory of a type with dynamic modes of some sizes."""
        return self._buffer(sizes, types=[type_], attributes={"alignment": alignment})

    def load_number(self, tensor: Value, indices: Sequence[Number]) -> Value:
        at = list(map(self.number, indices))
        return self._result(Load(self.location, [tensor.type.element], tensor=tensor, indices=at))

    def store_number(self, data: Value, tensor: Value, indices: Sequence[Number]) -> None:
        self.add(Store(self.location, data=data, tensor=tensor, indices=list(map(self.number, indices)), flag=""))

    def load(
        self,
        tensor: Value,
        at: Sequence[Number],
        type_: VectorType,
        mode: int,
        mask: Value | None,
        apart: bool = False,
        used: Sequence[int] | None = None,
    ) -> Value:
        """Elements that follow each other along a mode; `apart` says how their addresses are computed, and `used`
        which lanes are used, where not all are.
        """
        given = ((vector.APART, apart), (vector.MODE, mode), (vector.USED, used and list(used)))
        attributes = {name: value for name, value in given if value}
        place, location = list(map(self.number, at)), self.location
        return self._result(
            vector.Load(location, [type_], tensor=tensor, indices=place, attributes=attributes, mask=mask)
        )

    def store(self, a: Value, tensor: Value, at: Sequence[Number], mode: int, mask: Value | None) -> None:
        """Store elements that follow each other along a mode."""
        self._store(a, tensor, at, mask, attributes={vector.MODE: mode} if mode else {})

    def gather(self, tensor: Value, indices: Sequence[Value], lanes: int, mask: Value | None) -> Value:
        return self._gather(tensor, indices, mask, types=[self.vector(tensor.type.element, lanes)])

    def prefetch(self, tensor: Value, indices: Sequence[Number], level: int) -> None:
        self._prefetch(tensor, indices, attributes={vector.LEVEL: level})

    def to_line(self, tensor: Value, indices: Sequence[Number], line: int) -> Value:
        """How many elements of the first mode lie in front of the next cache line."""
        return self._to_line(tensor, indices, attributes={vector.LINE: line})

    # Instructions of the language.

    def constant_of(self, value: Value) -> Value:
        """A value, or, of a constant, one made here: code has none from outside."""
        owner = value.owner
        return self.constant(value.type, owner.literal) if isinstance(owner, Constant) else value

    def copied(self, op: Operation, values: dict[Value, Value]) -> None:
        """A copy of an instruction, whose operands are those of `values`, where its results are entered."""
        if isinstance(op, Constant):
            values[op.result] = self.constant_of(op.result)
            return
        for each in (op, *(inner for region in op.regions for inner in region.walk())):
            for used in each.operands:
                if used not in values and isinstance(used.owner, Constant):
                    values[used] = self.constant_of(used)
        around, self.location = self.location, op.location
        self.add(clone_operation(op, values))
        self.location = around

    # Regions.

    def each(
        self,
        start: Number,
        stop: Number,
        step: Number,
        write: Callable[[Number], None],
        max_unrolled: int = 0,
        may_unroll: bool = True,
    ) -> None:
        """Execute something for start, start + step, … below stop; up to `max_unrolled` times there is no loop.

        `may_unroll` says whether a compiler may unroll one.
        """

        def body(i: Number, _: list[Value]) -> tuple[()]:
            write(i)
            return ()

        is_known = isinstance(start, int) and isinstance(stop, int) and isinstance(step, int)
        if max_unrolled and is_known and (stop - start) // step <= max_unrolled:  # type: ignore[operator]
            for i in range(start, stop, step):  # type: ignore[arg-type]
                write(i)
        else:
            self.loop(start, stop, step, [], body, may_unroll)

    def nest(
        self, bounds: Sequence[tuple[Number, Number, Number]], write: Callable[[tuple[Number, ...]], None]
    ) -> None:
        """Execute something for all numbers of loops, the last one outermost, each with its start, stop and step."""
        if not bounds:
            write(())
            return
        *inner, outer = bounds
        self.each(*outer, lambda i: self.nest(inner, lambda chosen: write((*chosen, i))))

    def loop(
        self,
        start: Number,
        stop: Number,
        step: Number,
        carried: Sequence[Value],
        body: LoopBody,
        may_unroll: bool = True,
    ) -> list[Value]:
        """Values carried through `body(index, carried)` for start, start + step, … below stop.

        A loop of at most one iteration is unrolled. `may_unroll` says whether a compiler may unroll others.
        """
        if isinstance(start, int) and isinstance(stop, int):
            if start >= stop:
                return list(carried)
            if isinstance(step, int) and start + step >= stop:
                return list(body(start, list(carried)))
        if start is stop:
            return list(carried)
        variable = Value(index, "i", self.location)
        arguments = [Value(value.type, None, self.location) for value in carried]
        region = self._region(lambda: body(variable, list(arguments)), [variable, *arguments])
        op = For(
            self.location,
            [value.type for value in carried],
            start=self.number(start),
            stop=self.number(stop),
            step=None if isinstance(step, int) and step == 1 else self.number(step),
            inits=list(carried),
            body=region,
            attributes={} if may_unroll else {"unroll": False},
        )
        return self.add(op).results

    def vectors(self, extent: Number, lanes: int, write: Callable[[Number, Number], Any]) -> None:
        """Execute something for the first element of each vector, and for how many elements are left from there on."""
        length = self.length(lanes)
        if isinstance(extent, int) and extent <= lanes:
            if extent > 0:
                write(0, extent)
        elif isinstance(extent, int) and isinstance(length, int):
            whole = extent // length * length
            self.each(0, whole, length, lambda first: write(first, length))
            if whole < extent:
                write(whole, extent - whole)
        else:
            self.each(0, extent, length, lambda first: write(first, self.minus(extent, first)))

    def slices(
        self,
        stop: Number,
        count: int,
        max_unrolled: int,
        tiles: Sequence[Value],
        body: LoopBody,
        together: LoopBody | None = None,
    ) -> list[Value]:
        """Tiles carried through `body(number, tiles)`, which moves a row or a column, for all numbers below stop.

        An iteration moves so many; where `stop` is known and no larger than `max_unrolled`, there is no loop.
        `together` is given where fewer instructions move several: for every number of these that is a multiple.
        """
        if together is not None and isinstance(stop, int):
            several, count = together, stop // rows.ZA_ROWS
            at_once = count if stop <= max(max_unrolled, rows.ZA_ROWS * rows.ZA_ROWS) else 1
            return self.unrolled(
                count, at_once, tiles, lambda n, values: several(self.times(n, rows.ZA_ROWS), values), is_backwards=True
            )
        if isinstance(stop, int) and stop <= max_unrolled:
            count = max(stop, 1)
        # the last of a few comes first: LLVM takes the loop's variable for what was computed last, and can only add
        return self.unrolled(stop, count, tiles, body, is_backwards=True)

    def unrolled(
        self, stop: Number, count: int, carried: Sequence[Value], body: LoopBody, is_backwards: bool = False
    ) -> list[Value]:
        """Values carried through `body(index, carried)` for 0, 1, … below stop, so many at a time."""

        def several(first: Number, values: list[Value]) -> Sequence[Value]:
            for n in reversed(range(count)) if is_backwards else range(count):
                values = list(body(self.plus(first, n), values))
            return values

        whole = self.multiple_below(stop, count)
        values = self.loop(0, whole, count, carried, several)
        if not isinstance(stop, int):
            return self.loop(whole, stop, 1, values, body)
        for k in range(int(whole), stop):  # type: ignore[arg-type]
            values = list(body(k, values))
        return values

    def branch(
        self,
        condition: Value,
        then: Callable[[], Sequence[Value]],
        otherwise: Callable[[], Sequence[Value]] | None = None,
    ) -> list[Value]:
        """What the region gives that a condition chooses; without `otherwise` it gives nothing."""
        first = self._region(then)
        second = None if otherwise is None else self._region(otherwise)
        last = first.operations[-1] if first.operations else None
        types = [value.type for value in last.yielded] if isinstance(last, Yield) else []
        return self.add(If(self.location, types, condition=condition, then_body=first, else_body=second)).results

    def either(self, condition: Value, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
        """Execute one or the other."""

        def giving(write: Callable[[], None]) -> Callable[[], Sequence[Value]]:
            def region() -> Sequence[Value]:
                write()
                return ()

            return region

        self.branch(condition, giving(then), giving(otherwise))

    @contextmanager
    def predicated(self, condition: Value) -> Iterator[None]:
        """What is executed only if a condition holds."""
        with self._opened() as operations:
            yield
        region = Region("mixed", operations=operations, location=self.location)
        self.add(If(self.location, [], condition=condition, then_body=region, else_body=None))

    @contextmanager
    def predicated_by(self, conditions: Sequence[Value]) -> Iterator[None]:
        """What is executed only if all of some conditions hold."""
        with ExitStack() as stack:
            for condition in conditions:
                stack.enter_context(self.predicated(condition))
            yield

    def _region(self, write: Callable[[], Sequence[Value]], arguments: Sequence[Value] = ()) -> Region:
        with self._opened() as operations:
            yielded = list(write())
            if yielded:
                self.add(Yield(self.location, yielded=yielded))
        return Region("mixed", list(arguments), operations, self.location)

    @contextmanager
    def _opened(self) -> Iterator[list[Operation]]:
        """A list that instructions go to."""
        around, operations = self._open, list[Operation]()
        self._open = operations
        self._computed.append({})
        yield operations
        self._computed.pop()
        self._open = around
