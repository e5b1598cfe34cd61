"""Where the components of a matrix that work-items hold lie in memory, for `lower-coopmatrix`."""

from __future__ import annotations

from typing import Any

from ..ir.types import CoopMatrixType, index
from ..ir.values import Value
from ..ops import Size
from ..ops.builder import Builder
from ..ops.constants import constant_of, integer_bounds
from ..ops.coopmatrix import CHECKED_SIDES
from ..ops.updates import TRANSPOSES


class Place:
    """Where the components of a matrix lie in a memref, and which of them have bounds checks."""

    def __init__(self, op: Any, builder: Builder, type_: CoopMatrixType, transpose: str) -> None:
        self._at = builder
        self._memref = op.M
        self._is_transposed = TRANSPOSES[transpose]
        self._first_row, first_column = (op.y, op.x) if self._is_transposed else (op.x, op.y)
        self._checks_rows = "rows" in CHECKED_SIDES[op.checked]
        checks_columns = "cols" in CHECKED_SIDES[op.checked]
        self.columns: list[tuple[int, Value, Value | None]] = []
        """The columns that may lie in the memref: number, index, and the condition that it does, where checked."""
        mode = 0 if self._is_transposed else 1
        for j in range(type_.columns):
            column = self._column(first_column, j)
            known = constant_of(column)
            extent = self._memref.type.shape[mode]
            if not checks_columns or (known is not None and isinstance(extent, int) and 0 <= known < extent):
                self.columns.append((j, column, None))
            elif known is None or (known >= 0 and not isinstance(extent, int)):
                self.columns.append((j, column, self._is_within(column, mode, True)))

    def _column(self, first: Value, number: int) -> Value:
        known = constant_of(first)
        if known is not None and known + number <= integer_bounds(index)[1]:
            return self._at.constant(index, known + number)
        return self._at.arith("add", first, self._at.constant(index, number)) if number else first

    def row(self, number: Value, condition: Value | None) -> tuple[Value, Value | None]:
        """The index of a row, and the condition that it is loaded or stored, where there is one."""
        row = self._at.arith("add", self._first_row, number)
        within = self._is_within(row, 1 if self._is_transposed else 0, self._checks_rows)
        if condition is None or within is None:
            return row, condition or within
        return row, self._at.arith("and", condition, within)

    def indices(self, row: Value, column: Value) -> list[Value]:
        return [column, row] if self._is_transposed else [row, column]

    def _is_within(self, number: Value, mode: int, is_checked: bool) -> Value | None:
        if not is_checked:
            return None
        at = self._at
        extent = self._memref.type.shape[mode]
        if isinstance(extent, int):
            end = at.constant(index, extent)
        else:
            # not at the function's beginning: the memref may be defined later
            end = at.add(Size(at.location, [index], tensor=self._memref, mode=mode)).results[0]
        return at.arith("and", at.compare("ge", number, at.zero(index)), at.compare("lt", number, end))
