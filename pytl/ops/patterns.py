"""What the patterns of parameters and allocas say of memory that is read: which entries are zero, through views."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..diagnostics import Diagnostics, Rule
from ..ir.operation import defined_at
from ..ir.patterns import NONZERO, PATTERN, VALUES, modes_of_pattern
from ..ir.types import packed_strides
from ..ir.values import Function, Value
from ..ir.verifier import function_check
from ..process.records import dataclass
from .constants import constant_bound
from .control import For
from .memory import Alloca
from .views import Subview, memory_of, root_of, views_behind
from .xetile import StoreTile, memref_of

WRITTEN = Rule(
    "PYTL-0111",
    "a parameter with a pattern, or with values, is not written",
    "Functions",
    explanation="What is written outside of the pattern would have to be zero. A kernel that makes such a matrix "
    "declares the parameter without a pattern.",
)


@function_check
def _check_not_written(function: Function, diagnostics: Diagnostics) -> None:
    if not any({PATTERN, VALUES} & parameter.attributes.keys() for parameter in function.parameters):
        return
    carried: dict[Value, Value] = {}
    for op in function.walk():
        if isinstance(op, For):
            carried.update(zip(op.carried, op.inits))
        written = [memref_of(op.tile, carried)] if isinstance(op, StoreTile) else op.written_memory()
        for root in dict.fromkeys(map(root_of, written)):
            if {PATTERN, VALUES} & root.attributes.keys():
                what = "is a constant array" if VALUES in root.attributes else "has a pattern"
                message = f"%{root.name} {what}, but {op.display_name} writes to it"
                help = "declare a parameter without it where the kernel makes the matrix"
                diagnostics.report(WRITTEN, message, op.location, help, defined_at(root))


@dataclass(frozen=True)
class Entries:
    """Which entries of a matrix may be other than zero, by row and column."""

    rows: tuple[tuple[bool, ...], ...]

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(map(sum, self.rows))

    @property
    def transposed(self) -> Entries:
        return Entries(tuple(zip(*self.rows)))


@dataclass(frozen=True)
class _Axis:
    """What a view takes of a mode of the memory: a mode of its own, or the place `begin` (None: not known)."""

    begin: int | None
    of_view: int | None = None

    def moved_by(self, offset: int | None) -> _Axis:
        """The same in a tensor that the view begins in at an offset."""
        begin = None if self.begin is None or offset is None else self.begin + offset
        return replace(self, begin=begin)


def entries_of(matrix: Value) -> Entries | None:
    """Which entries of a matrix may be other than zero; None where nothing is known of them.

    A vector is a matrix of one column.
    """
    shape = matrix.type.shape
    memory = memory_of(matrix)
    holder = memory.owner if isinstance(memory.owner, Alloca) else memory
    lines = holder.attributes.get(PATTERN)
    if lines is None or not all(isinstance(extent, int) for extent in shape):
        return None
    axes = _axes(matrix)
    modes = modes_of_pattern(lines, memory.type.shape)
    if axes is None or modes is None:
        return None
    known = [(axis.begin, axis.of_view) for axis in axes[:modes] if axis.begin is not None]
    strides: tuple[Any, ...] = packed_strides(memory.type.shape[1:modes])
    if len(known) < modes:
        return None

    def may_be_nonzero(*at: int) -> bool:
        place, *others = (begin + (0 if of_view is None else at[of_view]) for begin, of_view in known)
        line: str = lines[sum(n * stride for n, stride in zip(others, strides))]
        return line[place] == NONZERO

    columns = range(shape[1] if len(shape) > 1 else 1)
    return Entries(tuple(tuple(may_be_nonzero(i, j) for j in columns) for i in range(shape[0])))


def _axes(matrix: Value) -> list[_Axis] | None:
    """What a view takes of each mode of its memory; None where it joins or splits modes."""
    axes = [_Axis(0, mode) for mode in range(matrix.type.order)]
    for view in views_behind(matrix):
        if not isinstance(view, Subview):
            return None
        of_view = iter(axes)
        axes = [
            (next(of_view) if piece.keeps_mode else _Axis(0)).moved_by(constant_bound(piece.offset))
            for piece in view.slices
        ]
    return axes
