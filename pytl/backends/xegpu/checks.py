"""What a function asks of the hardware that it has not: all of it is told at once, with the places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Any

from ...diagnostics import Diagnostic, PytlError, Rule
from ...ir.operation import Operation
from ...ir.types import CoopMatrixType
from ...ir.values import Function, Module, Region
from ...ops import (
    Barrier,
    Cast,
    CooperativeMatrixApply,
    CooperativeMatrixAtomicLoad,
    CooperativeMatrixConstruct,
    CooperativeMatrixExtract,
    CooperativeMatrixInsert,
    CooperativeMatrixLoad,
    CooperativeMatrixMulAdd,
    CooperativeMatrixReduce,
    CooperativeMatrixStore,
    Foreach,
    InitTile,
    LoadPadded,
    PrefetchTile,
)
from ...ops.launch_defaults import subgroup_size, work_group_shape
from ...ops.matrix_memory import MATRIX_ACCESSES
from ...ops.memory import STACK_SIZE
from ...ops.updates import TRANSPOSES
from ...passes.lower_coopmatrix import LowerCoopmatrix
from ...passes.targets.xe import Chip, depth_of, product_problem
from ...process.records import dataclass
from . import blocks, rules
from .forms import columns_a_lane
from .updates import has_update

LANES = 'the option matrices="auto" computes them in the registers of the work-items'
BY_ELEMENTS = 'the option blocks="auto" loads and stores it element by element'


_BY_WORK_ITEMS = (
    CooperativeMatrixApply,
    CooperativeMatrixConstruct,
    CooperativeMatrixExtract,
    CooperativeMatrixInsert,
    CooperativeMatrixReduce,
)
"""What is computed where work-items hold rows of matrices."""


@dataclass(frozen=True)
class Checks:
    """The demands of a chip on one function."""

    chip: Chip
    blocks: str

    def run(self, function: Function) -> None:
        """Raise an error for everything that the hardware cannot take."""
        diagnostics = [*self._launch(function), *self._region(function.body, False)]
        if diagnostics:
            # a rule that an instruction breaks twice is told once
            raise PytlError(list(dict.fromkeys(diagnostics)))

    def has_matrices(self, function: Function) -> bool:
        """Whether the matrix unit takes all of a function's matrices, and what it does with them."""
        operations = list(function.walk())
        if subgroup_size(function) != self.chip.lanes and any(map(_matrices_of, operations)):
            return False
        return not any(problem for op in operations for problem in self._matrices(op))

    def _launch(self, function: Function) -> Iterator[Diagnostic]:
        chip, lanes, location = self.chip, subgroup_size(function), function.location
        has_matrices = any(_matrices_of(op) for op in function.walk())
        sizes = (chip.lanes,) if has_matrices else chip.subgroup_sizes
        if lanes not in sizes:
            takes = " or ".join(map(str, sizes))
            why = " where there are matrices" if has_matrices else ""
            yield Diagnostic(
                rules.SUBGROUP,
                f"the sub-groups of @{function.name} have {lanes} work-items, and those of {chip} have {takes}{why}",
                location,
                f"write subgroup_size={sizes[0]}",
            )
        rows, columns = work_group_shape(function)
        if rows * columns > chip.most_items:
            yield Diagnostic(
                rules.WORK_GROUP,
                f"a work-group of @{function.name} has {rows * columns} work-items, and {chip} holds {chip.most_items}",
                location,
                "make work_group_size smaller",
            )
        size = function.attributes.get(STACK_SIZE, 0)
        if size > chip.local_bytes:
            yield Diagnostic(
                rules.LOCAL_MEMORY,
                f"@{function.name} needs {size} bytes of local memory, and {chip} has {chip.local_bytes}",
                location,
                "make the allocas smaller, or let their lifetimes end before others begin (lifetime_stop)",
            )

    def _region(self, region: Region, in_foreach: bool) -> Iterator[Diagnostic]:
        for op in region.operations:
            if in_foreach and (op.kind == "spmd" or isinstance(op, Barrier)):
                yield Diagnostic(
                    rules.TOGETHER,
                    f"{op.display_name} is in a foreach, whose points are dealt out to the work-items",
                    op.location,
                    "use parallel, and find the work-item's place with its builtins",
                )
            yield from self._operation(op)
            for inner in op.regions:
                yield from self._region(inner, in_foreach or isinstance(op, Foreach))

    def _operation(self, op: Operation) -> Iterator[Diagnostic]:
        yield from self._matrices(op)
        if isinstance(op, PrefetchTile):
            yield from self._prefetch(op)
        elif isinstance(op, CooperativeMatrixLoad) and not isinstance(op, (LoadPadded, CooperativeMatrixAtomicLoad)):
            yield from self._access(op, op.result.type, TRANSPOSES[op.transpose], False)
        elif isinstance(op, CooperativeMatrixStore) and not op.flag:
            yield from self._access(op, op.A.type, TRANSPOSES[op.transpose], True)

    def _matrices(self, op: Operation) -> Iterator[Diagnostic]:
        """What the matrix unit does not take of an instruction."""
        if isinstance(op, MATRIX_ACCESSES) or (isinstance(op, CooperativeMatrixStore) and op.flag == "atomic_add"):
            yield from self._atomic(op)
        for value in op.results:
            if isinstance(value.type, CoopMatrixType):
                yield from self._matrix(op, value.type)
        if isinstance(op, _BY_WORK_ITEMS):
            yield Diagnostic(rules.FUNCTION, f"{op.display_name} has no form on the matrix unit", op.location, LANES)
        if isinstance(op, CooperativeMatrixMulAdd):
            problem = product_problem(self.chip, op.B.type.component, op.A.type.component, op.C.type.component)
            if problem is not None:
                yield Diagnostic(rules.PRODUCT_TYPES, f"{op.display_name}: {problem}", op.location, LANES)
        elif isinstance(op, Cast) and isinstance(op.result.type, CoopMatrixType):
            yield from self._cast(op)

    def _atomic(self, op: Any) -> Iterator[Diagnostic]:
        element = op.M.type.element
        if getattr(op, "scope", "") == "cross_device":
            message = f"{op.display_name}: other devices and the host see no atomic access of {self.chip}'s matrix unit"
            yield Diagnostic(rules.ATOMIC, message, op.location, LANES)
        elif not has_update(self.chip, op, element):
            message = f"{op.display_name} is of {element}, and {self.chip} has atomic updates of "
            yield Diagnostic(rules.ATOMIC, f"{message}{', '.join(self.chip.atomics)}", op.location, LANES)

    def _matrix(self, op: Operation, type_: CoopMatrixType) -> Iterator[Diagnostic]:
        def diagnostic(rule: Rule, message: str) -> Diagnostic:
            return Diagnostic(rule, f"{op.display_name}: {message}", op.location, LANES)

        if type_.component.is_complex:
            yield diagnostic(rules.COMPONENTS, f"the components of {type_} are complex")
            return
        lanes, depth = self.chip.lanes, depth_of(self.chip, type_.component)
        held = type_.rows * type_.columns // lanes
        if held > rules.MAX_NUMBERS:
            message = f"{op.display_name}: a lane would hold {held:,} components of {type_}"
            yield Diagnostic(rules.SIZE, message, op.location, "use smaller matrices, and loops over them")
            return
        if type_.use != "matrix_b" and type_.rows % lanes:
            yield diagnostic(rules.COLUMNS, f"{type_} has {type_.rows} rows, which {lanes} lanes do not divide")
        least = min(self.chip.repeats)
        if type_.use != "matrix_a" and type_.columns % least:
            yield diagnostic(rules.ROWS, f"{type_} has {type_.columns} columns, which is not a multiple of {least}")
        if type_.use != "matrix_acc":
            inner = type_.columns if type_.use == "matrix_a" else type_.rows
            if inner % depth:
                yield diagnostic(
                    rules.DEPTH,
                    f"the inner size of {type_} is {inner}, and DPAS sums {depth} {type_.component} at once",
                )

    def _cast(self, op: Cast) -> Iterator[Diagnostic]:
        before, after = op.operand.type, op.result.type
        each = [columns_a_lane(type_, self.chip) for type_ in (before, after)]
        if each[0] != each[1]:
            yield Diagnostic(
                rules.CONVERSION,
                f"a lane has {each[0]} columns of {before} next to each other, and {each[1]} of {after}",
                op.location,
                LANES,
            )

    def _prefetch(self, op: PrefetchTile) -> Iterator[Diagnostic]:
        tile = op.tile.owner
        if isinstance(tile, InitTile) and tile.M.type.space != "local" and self.blocks == "required":
            columns, rows = op.tile.type.shape
            type_ = CoopMatrixType(tile.M.type.element, columns, rows, "matrix_acc")
            for rule, message, help in blocks.problems(self.chip, tile.M, tile.x, type_, False, prefetches=True):
                wayout = f"{help}; {BY_ELEMENTS}" if help else BY_ELEMENTS
                yield Diagnostic(rule, f"{op.display_name}: {message}", op.location, wayout)

    def _access(
        self,
        op: CooperativeMatrixLoad | CooperativeMatrixStore,
        type_: CoopMatrixType,
        is_transposed: bool,
        stores: bool,
    ) -> Iterator[Diagnostic]:
        if op.M.type.space != "local" and self.blocks == "required" and not type_.component.is_complex:
            for rule, message, help in blocks.problems(self.chip, op.M, op.x, type_, is_transposed, stores):
                wayout = f"{help}; {BY_ELEMENTS}" if help else BY_ELEMENTS
                yield Diagnostic(rule, f"{op.display_name}: {message}", op.location, wayout)


@dataclass(frozen=True)
class MatricesOfLanes(LowerCoopmatrix):
    """Lowers the matrices of those functions that the matrix unit does not take."""

    chip: Chip = field(kw_only=True)

    def run_module(self, module: Module) -> None:
        if not all(map(self._has_matrices, module.functions)):
            super().run_module(module)

    def run(self, function: Function) -> None:
        if not self._has_matrices(function):
            super().run(function)

    def _has_matrices(self, function: Function) -> bool:
        return Checks(self.chip, "auto").has_matrices(function)


def _matrices_of(op: Operation) -> bool:
    return any(isinstance(value.type, CoopMatrixType) for value in (*op.operands, *op.results))
