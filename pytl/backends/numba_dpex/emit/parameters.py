"""The parameters of generated source, and what a launch passes for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from ....ir.types import DYNAMIC, BoolType, Extent, GroupType, MemrefType, ScalarType
from ....ir.values import Value
from ..element_names import device_name
from ..interface import KernelParameter
from .strategy import Strategy
from .writer import GroupCode, Known, MemrefCode, Writer


class Parameters:
    """Defines the values of the function's parameters in generated source, and keeps the list of its arguments."""

    def __init__(self, writer: Writer, strategy: Strategy) -> None:
        self.writer = writer
        self.strategy = strategy
        self.kernel_parameters: list[KernelParameter] = []

    def add(self, position: int, value: Value) -> None:
        """Add the function's parameter number `position`."""
        hint = value.name or f"p{position}"
        type_ = value.type
        if isinstance(type_, MemrefType):
            array = self._new(f"{hint}_array", "array", device_name(type_.element), position, "data")
            shape, strides = self._layout(hint, type_, position, per_item=False)
            pointer = self.writer.names.fresh(hint)
            self.writer.line(f"{pointer} = {self.strategy.pointer(f'global_{device_name(type_.element)}({array})')}")
            self.writer.bind(value, MemrefCode(pointer, type_.element, shape, strides))
        elif isinstance(type_, GroupType):
            self._group(hint, type_, position, value)
        elif isinstance(type_, BoolType):
            bit = self._new(f"{hint}_bit", "scalar", "i8", position, "value")
            self.writer.assign(value, f"({bit} != 0)")
        else:
            assert isinstance(type_, ScalarType)
            self.writer.bind(value, self._new(hint, "scalar", device_name(type_), position, "value"))

    def add_first_group(self) -> str:
        """The name of the first work-group, where a launch consists of several."""
        return self._new("first_group", "scalar", "i64", -1, "first_group")

    def add_group_count(self) -> str:
        """The name of the number of work-groups of the whole launch."""
        return self._new("groups_of_all", "scalar", "i64", -1, "group_count")

    def add_share(self) -> str:
        """The name of the number of work-groups that a work-item executes."""
        return self._new("share", "scalar", "i64", -1, "share")

    def _new(self, name: str, kind: Any, element: str, position: int, source: Any, mode: int = 0) -> str:
        fresh = self.writer.names.fresh(name)
        self.kernel_parameters.append(KernelParameter(fresh, kind, element, position, source, mode))
        return fresh

    def _group(self, hint: str, type_: GroupType, position: int, value: Value) -> None:
        addresses = self._new(f"{hint}_addresses", "array", "i64", position, "addresses")
        count = self._extent(type_.count, f"{hint}_count", position, "count")
        offset = self._extent(type_.offset, f"{hint}_offset", position, "offset")
        shape, strides = self._layout(hint, type_.memref, position, per_item=True)
        code = GroupCode(addresses, type_.memref.element, count, offset, shape, strides)
        self.writer.bind(value, code)

    def _extent(self, extent: Extent, hint: str, position: int, source: Any, mode: int = 0) -> str:
        if isinstance(extent, int):
            return Known(extent)
        return self._new(hint, "scalar", "i64", position, source, mode)

    def _layout(
        self, hint: str, type_: MemrefType, position: int, per_item: bool
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        def extents(numbers: Sequence[Extent], source: Literal["size", "stride"]) -> tuple[str, ...]:
            expressions = []
            for mode, number in enumerate(numbers):
                if number is DYNAMIC and per_item:
                    array = self._new(f"{hint}_{source}s{mode}", "array", "i64", position, source, mode)
                    expressions.append(f"global_i64({array})[{{}}]")
                else:
                    expressions.append(self._extent(number, f"{hint}_{source}{mode}", position, source, mode))
            return tuple(expressions)

        return extents(type_.shape, "size"), extents(type_.strides, "stride")
