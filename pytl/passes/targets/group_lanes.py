"""Products of several work-groups in step, whose numbers are the lanes of vectors: the instruction `cpu.lanes`.

`cpu-items` writes it, and `vectorize` makes vector code of it. A shared factor then costs as many multiply-adds as it
has entries, wherever its zeros are. What a work-group reads is turned in registers, from vectors along its own memory
to vectors across work-groups, and what it writes is turned back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from ...ir.constraints import MEMREF
from ...ir.fields import OperandList, RegionPart
from ...ir.operation import Operation, Problem, check
from ...ir.registry import instruction
from ...ir.types import MemrefType, ScalarType
from ...ir.values import Value
from ...ops.blas import Gemm
from ...ops.constants import is_constant
from ...ops.updates import TRANSPOSES
from ...ops.views import root_of
from ...process.records import dataclass
from ..analysis.terms import Terms
from .cpu import SECTION, AttributesBeforeRegion, Registers
from .cpu_attributes import COLUMNS, LANES, UNROLL
from .vector_forms import accumulates

ROWS = "rows"
"""Rows of a result whose sums are in registers at the same time."""
IN_PLACE = "in_place"
"""Whether a column of a right factor that each work-group has in its own memory is turned where it is needed, and stays
in registers for all rows; where not, it is turned into memory first."""
SIDE = 4
"""Consecutive rows of a work-group's matrix in a segment of a vector: the side of the squares that are turned."""
Tensors = tuple[Value, ...]
"""The same operand of each work-group."""


@dataclass(frozen=True)
class Turned:
    """A factor of each work-group that is turned, into memory of its own, before the product that needs it first."""

    tensors: Tensors
    entries: tuple[tuple[int, int], ...] | None
    """Which of its elements, by their indices; None for all of them."""

    @property
    def type(self) -> MemrefType:
        """The memory that has a vector for each element."""
        type_ = self.tensors[0].type
        shape = type_.shape if self.entries is None else (len(self.entries),)
        return MemrefType(type_.element, (len(self.tensors), *shape), (), "local")


@dataclass(frozen=True)
class Summed:
    """Products that are summed in the same registers, each of them for all work-groups."""

    products: tuple[tuple[Gemm, ...], ...]

    @cached_property
    def terms(self) -> list[Terms]:
        """Of each product the terms of its sums that may be other than zero."""
        return [Terms.of(ops[0]) or _all_terms(ops[0]) for ops in self.products]

    @property
    def target(self) -> Tensors:
        return tuple(op.C for op in self.products[0])

    def rows(self, is_held: bool, together: int) -> range:
        """The rows that are computed, of which so many are written together.

        Rows at the begin and at the end to which nothing is added are left out where what is written has fewer pieces,
        but not so that columns which all begin at whole pieces are written from elsewhere on.
        """
        (size, _), strides = self.target[0].type.shape, self.target[0].type.strides
        rows = range(size)
        used = [row for row in rows if any(terms.rows[row] for terms in self.terms)]
        if is_held or not self.differs_by_row or not used or not is_constant(self.products[0][0].beta, 1):
            return rows

        def pieces(some: range) -> int:
            rest = len(some) % together
            return len(some) // together + min(rest.bit_count(), 2)

        begins_whole = isinstance(strides[1], int) and strides[1] % together == 0
        step = together if begins_whole else 1
        some = [range(first, last) for first in range(0, used[0] + 1, step) for last in range(used[-1] + 1, size + 1)]
        return min(some, key=lambda each: (pieces(each), each.start, len(each)))

    @property
    def differs_by_row(self) -> bool:
        """Whether rows have terms of their own, so that the code of each is written out."""
        return any(terms.depend_on_rows for terms in self.terms)

    @property
    def differs_by_column(self) -> bool:
        return any(terms.depend_on_columns for terms in self.terms)


@dataclass(frozen=True)
class Plan:
    """What is done one after the other for products of several work-groups, and the memory for it."""

    steps: tuple[Turned | Summed, ...]
    held: tuple[Tensors, ...]
    """What a work-group hands on from product to product: in memory that has a vector for each element."""
    in_place: frozenset[Tensors] = frozenset()
    """Right factors whose columns are turned where they are needed."""

    @classmethod
    def of(cls, operations: Sequence[Operation], lanes: int, in_place: bool = False) -> Plan:
        """The plan for the instructions of so many work-groups, those of each behind one another."""
        count = len(operations) // lanes
        by_position = list(zip(*(operations[k * count : (k + 1) * count] for k in range(lanes))))
        held = tuple(tuple(op.results[0] for op in ops) for ops in by_position if isinstance(ops[0], Registers))
        sums: list[Summed] = []
        for ops in by_position:
            if not isinstance(ops[0], Gemm):
                continue
            if sums and accumulates(sums[-1].products[-1][0], ops[0]):
                sums[-1] = Summed((*sums[-1].products, ops))
            else:
                sums.append(Summed((ops,)))
        steps: list[Turned | Summed] = []
        known: dict[Tensors, Turned] = {}
        where_needed = frozenset(_used_by_column(sums, held) if in_place else ())
        for summed in sums:
            for tensors, entries in _own_factors(summed, held):
                if tensors in where_needed:
                    continue
                if tensors not in known or known[tensors].entries != entries:
                    known[tensors] = Turned(tensors, entries)
                    steps.append(known[tensors])
            steps.append(summed)
            written = root_of(summed.target[0])
            known = {tensors: turned for tensors, turned in known.items() if root_of(tensors[0]) is not written}
        return cls(tuple(steps), held, where_needed)

    @property
    def memory(self) -> list[MemrefType]:
        """The types of the memory that is needed: for each step that turns, and for what is handed on."""
        held = [Turned(tensors, None) for tensors in self.held]
        return [step.type for step in (*self.steps, *held) if isinstance(step, Turned)]

    @property
    def element(self) -> ScalarType:
        """The type of all numbers."""
        type_: ScalarType = next(step for step in self.steps if isinstance(step, Summed)).target[0].type.element
        return type_

    @property
    def sums(self) -> list[Summed]:
        return [step for step in self.steps if isinstance(step, Summed)]


def _all_terms(op: Gemm) -> Terms:
    depth = op.A.type.shape[0 if TRANSPOSES[op.transpose_a] else 1]
    every = (1 << depth) - 1
    rows, columns = op.C.type.shape
    return Terms(depth, (every,) * rows, (every,) * columns)


def _own_factors(
    summed: Summed, held: Sequence[Tensors]
) -> Iterator[tuple[Tensors, tuple[tuple[int, int], ...] | None]]:
    """The factors that each work-group has in memory of its own, and which of their elements are used."""
    for ops, terms in zip(summed.products, summed.terms):
        for name, lines, differs, turned in (
            ("A", terms.rows, summed.differs_by_row, TRANSPOSES[ops[0].transpose_a]),
            ("B", terms.columns, summed.differs_by_column, not TRANSPOSES[ops[0].transpose_b]),
        ):
            tensors = tuple(getattr(op, name) for op in ops)
            if tensors in held or is_shared(tensors):
                continue
            if not differs:  # lines are counted in a loop
                yield tensors, None
                continue
            pairs = ((line, k) for line, bits in enumerate(lines) for k in range(terms.depth) if bits >> k & 1)
            yield tensors, tuple(sorted((k, line) if turned else (line, k) for line, k in pairs))


def _used_by_column(sums: Sequence[Summed], held: Sequence[Tensors]) -> Iterator[Tensors]:
    """The own factors of which one sum alone needs columns, and each column for all rows, whose code is written out."""
    users = [(summed, tensors) for summed in sums for tensors, _ in _own_factors(summed, held)]
    for summed, tensors in users:
        if summed.differs_by_row and not summed.differs_by_column and [t for _, t in users].count(tensors) == 1:
            (op, *others) = [ops[0] for ops in summed.products if tensors[0] in (ops[0].A, ops[0].B)]
            if not others and op.A is not tensors[0] and not TRANSPOSES[op.transpose_b]:
                yield tensors


def is_shared(tensors: Tensors) -> bool:
    """Whether all work-groups have the same operand."""
    return all(tensor is tensors[0] for tensor in tensors)


@check("PYTL-3076", "products in lanes are the same for each work-group, of numbers of one type", "Passes")
def in_lanes(op: InLanes) -> Iterator[Problem]:
    lanes, inner = op.attributes.get(LANES), op.body.operations
    words = [each.word for each in inner]
    if not isinstance(lanes, int) or lanes < 2 or lanes & (lanes - 1):
        yield Problem(f"{LANES} is {lanes}, and no power of two")
        return
    if not all(isinstance(each, (Gemm, Registers)) for each in inner) or not any(
        isinstance(each, Gemm) for each in inner
    ):
        yield Problem(f"it has {', '.join(words) or 'nothing'}, and not registers and products")
        return
    if len(words) % lanes or words != words[: len(words) // lanes] * lanes:
        yield Problem(f"its {len(words)} instructions are not {lanes} times the same")
        return
    types = [value.type for each in inner if isinstance(each, Gemm) for value in (each.A, each.B, each.C)]
    if len({type_.element for type_ in types}) > 1 or not all(type_.has_static_shape for type_ in types):
        yield Problem("its matrices have different types of numbers, or sizes that are not known")
        return
    for name in (ROWS, COLUMNS):
        number = op.attributes.get(name)
        if not isinstance(number, int) or not 1 <= number <= 32:
            yield Problem(f"{name} is {number}, and not from 1 to 32")
    if not isinstance(op.attributes.get(UNROLL), int):
        yield Problem(f"{UNROLL} is {op.attributes.get(UNROLL)}, and no number of terms")
    needed = Plan.of(inner, lanes, bool(op.attributes.get(IN_PLACE))).memory
    if [value.type for value in op.memory] != needed:
        yield Problem(f"its memory is not {', '.join(map(str, needed))}")


@instruction
class InLanes(Operation):
    """Executes its products for as many work-groups as a vector has lanes, in step: each work-group is a lane.

    The memory is for what is turned from the memory of work-groups to lanes, and for what is handed on in registers.
    """

    mnemonic = "cpu.lanes"
    kind = "collective"
    section = SECTION
    attributes: Any = AttributesBeforeRegion(
        {**dict.fromkeys((LANES, ROWS, COLUMNS, UNROLL), "integer"), IN_PLACE: "boolean"}
    )
    memory: Any = OperandList(MEMREF, "memory with a vector for each element")
    body: Any = RegionPart("collective")
    assembly = "` ` $attributes ` [` $memory `]` ` ` $body"
    rules = (in_lanes,)

    @property
    def plan(self) -> Plan:
        """What is done one after the other."""
        return Plan.of(self.body.operations, self.attributes[LANES], bool(self.attributes.get(IN_PLACE)))
