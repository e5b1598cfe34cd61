"""The inner loops of vector code: what an iteration executes, and how long that takes on a machine by its description.

The prediction looks at one iteration among many: it is the most of what each resource takes, as if all overlapped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...diagnostics import Location
from ...diagnostics.quoting import visible
from ...ir.operation import Operation
from ...ir.types import BoolType, MemrefType, ScalarType, VectorType, compute_type
from ...ir.values import Function, Module, Region, Value
from ...ops import For, Load, Store
from ...ops.views import root_of
from ...process.records import dataclass
from ..analysis.divisors import alignment_of, divisor_of_stride
from ..targets import vector, vector_rows, vector_tiles
from ..targets.machine import Machine

_OF_LOOP = 3
"""Instructions that count iterations and jump."""
_DOTS = (vector.Dot, vector.DotLoaded)
_FMAS = (vector.Fma, vector.FmaLane, *_DOTS)
_OF_TILES = (vector_tiles.Outer, vector_tiles.Product, vector_rows.FmaRows, vector_rows.FmaRowsLane)
_FREE = (vector.Parts,)
"""Instructions on vectors that become none."""


@dataclass(frozen=True)
class Counts:
    """Instructions on vectors as long as a register that an iteration executes; a number counts as one, too."""

    fmas: int = 0
    loads: int = 0
    """With those of numbers for all lanes."""
    stores: int = 0
    others: int = 0
    """Other arithmetic, shuffles, comparisons and casts."""
    prefetches: int = 0

    @property
    def all(self) -> int:
        return self.fmas + self.loads + self.stores + self.others + self.prefetches


@dataclass(frozen=True)
class RegisterTile:
    """The register tile of a product, and how many steps of its sum an iteration has."""

    element: str
    lanes: int
    vectors: int
    columns: int
    steps: int


@dataclass(frozen=True)
class InnerLoop:
    """A loop of vector code without loops inside, or vector code without loops."""

    location: Location | None
    iterations: int | None
    """None where it is known at run time only; 1 where the code has no loop."""
    is_loop: bool
    tile: RegisterTile | None
    """None where it computes no product."""
    counts: Counts
    cycles: Mapping[str, float]
    """The cycles of an iteration that each resource takes, in the words of messages."""

    @property
    def limit(self) -> str:
        """The resource that takes longest."""
        return max(self.cycles, key=lambda name: self.cycles[name])


def inner_loops(function: Function, machine: Machine) -> list[InnerLoop]:
    """The inner loops of the vector code of a function and of those that it calls, in order."""
    found = []
    for op in function.walk_through_calls():
        if isinstance(op, vector.Code):
            loops = [inner for inner in op.body.walk() if isinstance(inner, For) and not _has_loop(inner.body)]
            found += [_Iteration(loop.body, loop, machine).seen() for loop in loops]
            if not loops:
                found.append(_Iteration(op.body, None, machine).seen())
    return found


def _has_loop(region: Region) -> bool:
    return any(isinstance(op, For) for op in region.walk())


def source_lines(module: Module) -> dict[Operation, str]:
    """For vector code and its loops the line of the user's source, where that is not the line of what is around."""
    lines: dict[Operation, str] = {}

    def look(region: Region, around: Location | None) -> None:
        for op in region.operations:
            inside = around
            if isinstance(op, vector.Code) or (isinstance(op, For) and around is not None):
                inside = _line_of(op) or around
                if inside is not None and (around is None or inside.line != around.line):
                    lines[op] = f"line {inside.line}: {visible(inside.source.line(inside.line).strip())}"
            for inner in op.regions:
                look(inner, inside)

    for function in module.functions:
        look(function.body, None)
    return lines


def _line_of(op: Operation) -> Location | None:
    """The place of the instruction whose product a loop computes, or its own."""
    inside = (inner for region in op.regions for inner in region.walk())
    fma = next((inner for inner in inside if isinstance(inner, _FMAS)), None)
    return (fma or op).location


class _Iteration:
    """What is executed by an iteration of a loop, or by code without loops."""

    def __init__(self, body: Region, loop: For | None, machine: Machine) -> None:
        self.loop = loop
        self.machine = machine
        self.operations = list(body.walk())
        self.body = body

    def seen(self) -> InnerLoop:
        counts = self._counts()
        fma = next((op for op in self.operations if isinstance(op, _FMAS)), None)
        owner: Operation = fma or self.loop or self.operations[0]
        iterations = 1 if self.loop is None else self.loop.trips
        return InnerLoop(
            owner.location, iterations, self.loop is not None, self._tile(counts), counts, self._cycles(counts)
        )

    def _registers(self, type_: object) -> int:
        """How many registers a vector takes."""
        if not isinstance(type_, VectorType) or isinstance(type_.element, BoolType):
            return 1
        element = compute_type(type_.element)
        assert isinstance(element, ScalarType)
        return max(-(-type_.lanes * element.size // self.machine.register_bytes), 1)

    def _time(self, type_: object) -> float:
        """How long an instruction on a vector takes, beside one on a whole register."""
        registers = self._registers(type_)
        if registers > 1 or not isinstance(type_, VectorType) or isinstance(type_.element, BoolType):
            return float(registers)
        return self.machine.share_of(type_.lanes * compute_type(type_.element).size)

    def _counts(self) -> Counts:
        counted = dict.fromkeys(("fmas", "loads", "stores", "others", "prefetches"), 0)
        for op in self.operations:
            for kind in _kinds_of(op):
                value = op.results[0] if op.results else getattr(op, "vector", None)
                counted[kind] += self._registers(value.type if value is not None else None)
        return Counts(**counted)

    def _tile(self, counts: Counts) -> RegisterTile | None:
        """The register tile, from what the multiply-adds read: each left vector once for each column."""
        fmas = [op for op in self.operations if isinstance(op, _FMAS)]
        made = {op.results[0] for op in fmas}
        chains = len([op for op in fmas if op.c not in made])
        of_lanes = (vector.FmaLane, vector.DotLoaded)
        factors = [value for op in fmas for value in ((op.a,) if isinstance(op, of_lanes) else (op.a, op.b))]
        left = {value for value in factors if not isinstance(value.owner, vector.Splat)}
        if not chains or not left or len(fmas) % chains or len(left) * chains % len(fmas):
            return None
        steps, vectors = len(fmas) // chains, len(left) * chains // len(fmas)
        terms = 2 if isinstance(fmas[0], _DOTS) else 1
        if chains % vectors:
            return None
        type_ = fmas[0].results[0].type
        return RegisterTile(str(type_.element), type_.lanes, vectors, chains // vectors, terms * steps)

    # Cycles.

    def _cycles(self, counts: Counts) -> dict[str, float]:
        execution = self.machine.execution
        fmas = loads = stores = 0.0
        for op in self.operations:
            kinds = _kinds_of(op)
            if "fmas" in kinds:
                fmas += self._time(op.results[0].type)
            if "loads" in kinds:
                loads += self._time(op.results[0].type) * self._load(op)
            if "stores" in kinds:
                each = execution.masked_store if getattr(op, "mask", None) is not None else 1.0
                stores += each * (self._time(op.vector.type) if isinstance(op, vector.Store) else 1)
        return {
            "FMA ports": fmas / execution.fmas,
            "load ports": loads / execution.loads,
            "store ports": stores / execution.stores,
            "other instructions": counts.others / execution.others,
            "instructions": (counts.all + _OF_LOOP) / execution.instructions,
            "latency": self._latency(),
            "memory": self._memory(),
        }

    def _load(self, op: Operation) -> float:
        """How much longer a load takes than one of the first-level cache that is aligned."""
        if not isinstance(op, vector.Load):
            return float(op.result.type.lanes) if isinstance(op, vector.Gather) else 1.0
        execution, line = self.machine.execution, self.machine.caches.line
        tensor, size = op.tensor, op.tensor.type.element.size
        length = min(op.vector.type.lanes * size, self.machine.register_bytes)
        strides = [divisor_of_stride(tensor, mode) * size for mode in range(1, tensor.type.order)]
        is_aligned = all(each % length == 0 for each in (alignment_of(tensor), *strides))
        split = 1.0 if is_aligned else 1.0 + min(length / line, 1.0) * (execution.split_load - 1.0)
        return split * (execution.masked_load if op.mask is not None else 1.0)

    def _latency(self) -> float:
        """Cycles until what an iteration carries on is there, after it was carried into it."""
        if self.loop is None:
            return 0.0
        arrives: dict[Value, float] = dict.fromkeys(self.loop.carried, 0.0)
        for op in self.operations:
            if isinstance(op, vector.VectorInstruction):
                times = [arrives[value] for value in op.operands if value in arrives]
                if times:
                    arrives.update(dict.fromkeys(op.results, max(times) + self.machine.execution.fma_latency))
        return max((arrives.get(value, 0.0) for value in self.loop.yielded), default=0.0)

    def _memory(self) -> float:
        """Cycles in which what an iteration reads comes from where tensors of their sizes are."""
        caches, varying = self.machine.caches, self._varying()
        cycles = 0.0
        for op in self.operations:
            if not isinstance(op, (vector.Load, vector.Gather)) or varying.isdisjoint(op.indices):
                continue
            size = _bytes(root_of(op.tensor).type)
            rate = caches.from_memory if size > caches.second_level else caches.from_second_level
            if size > caches.first_level:
                cycles += op.result.type.lanes * op.tensor.type.element.size / rate
        return cycles

    def _varying(self) -> set[Value]:
        """What depends on the number of the iteration."""
        varying: set[Value] = set() if self.loop is None else {self.loop.variable}
        for op in self.operations:
            if varying.intersection(op.operands):
                varying.update(op.results)
        return varying


def _kinds_of(op: Operation) -> Sequence[str]:
    """What an instruction counts as; nothing for what vector code has beside, such as the arithmetic of indices."""
    if isinstance(op, vector.DotLoaded):
        return "fmas", "loads"
    if isinstance(op, (*_FMAS, *_OF_TILES)):
        return ("fmas",)
    if isinstance(
        op, (vector.Load, vector.Gather, vector_tiles.TileLoad, vector_tiles.SliceLoad, vector_rows.LoadSegment)
    ):
        return ("loads",)
    if isinstance(op, Load):
        return () if op.is_item else ("loads",)
    if isinstance(op, (vector.Store, vector.Scatter, vector_tiles.TileStore, vector_tiles.SliceStore, Store)):
        return ("stores",)
    if isinstance(op, vector.Prefetch):
        return ("prefetches",)
    if isinstance(op, vector.Splat):
        # a number that is loaded for all lanes is one load
        return () if isinstance(op.scalar.owner, Load) else ("others",)
    return ("others",) if isinstance(op, vector.VectorInstruction) and not isinstance(op, _FREE) else ()


def _bytes(type_: object) -> int:
    """The bytes of a tensor; 0 where they are known at run time only."""
    is_known = isinstance(type_, MemrefType) and type_.has_static_shape
    return type_.count * type_.element.size if is_known and isinstance(type_, MemrefType) else 0
