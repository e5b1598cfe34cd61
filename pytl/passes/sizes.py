"""Which sizes of a function's parameters decide how much an instruction computes.

These are the sizes of the operands of collective instructions and of memrefs that matrices are loaded from, and the
bounds of `foreach` and `for`, followed back through views and index arithmetic to modes of parameters. A bound that
depends on anything else as well, such as the work-group's number or a number that is passed, would not become known
with the sizes; it makes no size decide. The mode that counts the items of a batch is only indexed, or sliced one by
one, and does not decide.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..ir.types import MemrefType, item_type
from ..ir.values import Function, Region, Value
from ..ops import (
    ArithBinary,
    ArithUnary,
    Cast,
    Compare,
    Constant,
    CooperativeMatrixLoad,
    CooperativeMatrixStore,
    Expand,
    Expandc2r,
    For,
    Foreach,
    ForeachTile,
    Fuse,
    If,
    InitTile,
    Load,
    Size,
    Store,
    Subview,
    Update,
)
from ..ops.control import terminator
from ..ops.views import Bound, root_of

Modes = frozenset[tuple[Value, int]]
"""Dynamic modes of memref parameters, and of the memrefs of group parameters."""

_ARITHMETIC = (ArithBinary, ArithUnary, Cast, Compare)
_NONE: Modes = frozenset()


def deciding_modes(function: Function) -> dict[Value, set[int]]:
    """The dynamic modes whose sizes decide, for each parameter whose layout matters; possibly only its strides do."""
    if not any(_is_dynamic(parameter) for parameter in function.parameters):
        return {}
    return _Sizes(function).decide()


def _is_dynamic(parameter: Value) -> bool:
    type_ = item_type(parameter.type)
    return isinstance(type_, MemrefType) and not type_.is_static


class _Sizes:
    """The modes that sizes come from, looked up once per value."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._known: dict[Any, Modes | None] = {}

    def decide(self) -> dict[Value, set[int]]:
        """See `deciding_modes`."""
        modes_of: dict[Value, set[int]] = {p: set() for p in self._function.parameters if _is_dynamic(p)}
        accessed = self._look_at(self._function.body, modes_of, inside=False)
        return {p: modes for p, modes in modes_of.items() if modes or p in accessed}

    def _look_at(self, region: Region, deciding: dict[Value, set[int]], inside: bool) -> set[Value]:
        """Add the modes that the instructions of a region depend on; returns the parameters whose strides matter.

        `inside` a foreach, the strides of what is loaded and stored matter, too.
        """
        accessed: set[Value] = set()
        for op in region.operations:
            dependences: list[Modes | None] = []
            if isinstance(op, Update):
                tensors = [getattr(op, name) for name in op.reads]
                dependences += [self.of_mode(tensor, mode) for tensor in tensors for mode in range(tensor.type.order)]
                accessed.update(map(root_of, tensors))
            elif isinstance(op, (CooperativeMatrixLoad, CooperativeMatrixStore, InitTile)):
                # what is outside of the memref, and whether products of such matrices are one product
                dependences += [self.of_mode(op.M, mode) for mode in range(op.M.type.order)]
                accessed.add(root_of(op.M))
            elif isinstance(op, (Foreach, ForeachTile)):
                dependences += [self._all([start, stop]) for start, stop in zip(op.start, op.stop)]
            elif isinstance(op, For):
                dependences.append(self._all([op.start, op.stop, 1 if op.step is None else op.step]))
            elif isinstance(op, Subview):
                # as long as another tensor: without these modes nothing is known of the strides between them
                sizes = [(mode, self.of_index(piece.size)) for mode, piece in enumerate(op.slices)]
                dependences += [self.of_mode(op.tensor, mode) for mode, modes in sizes if modes]
            elif isinstance(op, (Load, Store)) and inside:
                accessed.add(root_of(op.tensor))
            for parameter, mode in (entry for modes in dependences for entry in modes or ()):
                deciding[parameter].add(mode)
            for inner in op.regions:
                accessed |= self._look_at(inner, deciding, inside or isinstance(op, (Foreach, ForeachTile)))
            for value in op.results:
                self._remember(value)
        return accessed & deciding.keys()

    def _remember(self, value: Value) -> None:
        """Look up now what later instructions may depend on, so that no look-up recurses deeply."""
        if isinstance(value.type, MemrefType):
            for mode in range(value.type.order):
                self.of_mode(value, mode)
        else:
            self.of_index(value)

    def of_mode(self, tensor: Value, mode: int) -> Modes | None:
        """The modes that the size of a mode follows from; None where it depends on something else."""
        if isinstance(tensor.type.shape[mode], int):
            return _NONE
        key = (tensor, mode)
        if key not in self._known:
            self._known[key] = self._follow_mode(tensor, mode)
        return self._known[key]

    def of_index(self, value: Bound | None) -> Modes | None:
        """The modes that an index follows from; None where it depends on something else."""
        if not isinstance(value, Value):
            return _NONE
        if value not in self._known:
            self._known[value] = self._follow_index(value)
        return self._known[value]

    def _follow_mode(self, tensor: Value, mode: int) -> Modes | None:
        view = tensor.owner
        if view is None:
            return frozenset([(tensor, mode)])
        if isinstance(view, Load):
            group = view.tensor
            return frozenset([(group, mode)]) if group.owner is None else None
        if isinstance(view, Subview):
            return self.of_index([piece.size for piece in view.slices if piece.keeps_mode][mode])
        if isinstance(view, Expand):
            last = view.mode + len(view.expand_shape) - 1
            if view.mode <= mode <= last:
                return self.of_index(view.expand_shape[mode - view.mode])
            return self.of_mode(view.tensor, mode if mode < view.mode else mode - last + view.mode)
        if isinstance(view, Expandc2r):
            return self.of_mode(view.tensor, mode - 1) if mode else _NONE
        if isinstance(view, Fuse):
            if mode == view.first:
                return _union(self.of_mode(view.tensor, m) for m in range(view.first, view.last + 1))
            return self.of_mode(view.tensor, mode if mode < view.first else mode + view.last - view.first)
        return None

    def _follow_index(self, value: Value) -> Modes | None:
        op = value.owner
        if isinstance(op, Constant):
            return _NONE
        if isinstance(op, Size) and isinstance(op.tensor.type, MemrefType):
            return self.of_mode(op.tensor, op.mode)
        if isinstance(op, _ARITHMETIC):
            return self._all(op.operands)
        if isinstance(op, If):
            position = op.results.index(value)
            lasts = [terminator(region) for region in op.regions]
            return self._all([op.condition, *(last.yielded[position] for last in lasts if last is not None)])
        return None

    def _all(self, values: Iterable[Bound]) -> Modes | None:
        return _union(self.of_index(value) for value in values)


def _union(parts: Iterable[Modes | None]) -> Modes | None:
    union = _NONE
    for part in parts:
        if part is None:
            return None
        union |= part
    return union
