"""The reference backend: executes the IR that the user wrote, with NumPy, on every platform."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...ir.types import GroupType, MemrefType, ScalarType
from ...ir.values import Value
from ...ops.scalars import dtype_of
from ...process.settings import CHECKS, STRICT_VIEWS
from ..base import Argument, ArrayView, Backend, GroupArgument, Lowered, MemrefArgument, Option
from ..host_copies import copy_of, elements
from ..overlap import Key, key_of, refuse_overlaps, views_of
from .interpreter import execute
from .memory import GroupView, MemrefView
from .patterns import check_patterns


class ReferenceBackend(Backend):
    """Slow and plain; defines the right result, and reports undefined behaviour unless it is turned off."""

    name = "reference"
    has_grids = True
    calls = ("all",)
    options = {
        "checks": Option.choice(None, True, False, "device"),
        "strict_views": Option.choice(None, True, False),
    }

    def checks_accesses(self, options: Mapping[str, Any]) -> bool:
        checks = options.get("checks")
        return bool(CHECKS.get() if checks is None else checks)

    def launch(
        self,
        lowered: Lowered,
        arguments: Sequence[Argument],
        groups: int,
        options: Mapping[str, Any],
        queue: Any = None,
        depends: Sequence[Any] = (),
        wait: bool = True,
    ) -> None:
        refuse_overlaps([entry for entry in views_of(arguments) if entry[0].queue is not None])
        host = _Host()
        bound = [host.argument(value, argument) for value, argument in zip(lowered.original.parameters, arguments)]
        if self.checks_accesses(options):
            check_patterns(lowered.original.parameters, bound)
        strict = options.get("strict_views")
        execute(
            lowered.original,
            bound,
            groups,
            checks=self.checks_accesses(options),
            strict_views=STRICT_VIEWS.get() if strict is None else strict,
        )
        host.copy_back()


class _Host:
    """The memory of a launch as flat NumPy buffers; memory of a device is copied, and copied back if it is written."""

    def __init__(self) -> None:
        self._buffers: dict[tuple[Key, np.dtype], np.ndarray] = {}
        self._copied: list[tuple[ArrayView, np.ndarray]] = []
        self._written: set[Key] = set()

    def argument(self, parameter: Value, argument: Argument) -> Any:
        type_, label = parameter.type, parameter.name or ""
        if isinstance(argument, MemrefArgument):
            assert isinstance(type_, MemrefType)
            buffer = self._buffer(argument.view, type_.element, argument.written)
            return MemrefView(buffer, 0, argument.shape, argument.strides, label=label)
        if isinstance(argument, GroupArgument):
            assert isinstance(type_, GroupType)
            buffers = [self._buffer(view, type_.memref.element, argument.written) for view in argument.views]
            size = type_.memref.element.size
            items = [
                MemrefView(
                    buffers[0 if argument.strided else item],
                    argument.step // size * item,
                    argument.shape_of(item),
                    argument.strides_of(item),
                    label=label,
                )
                for item in range(argument.count)
            ]
            return GroupView(items, argument.offset, label)
        return argument

    def _buffer(self, view: ArrayView, element: ScalarType, written: bool) -> np.ndarray:
        key = key_of(view)
        if written:
            self._written.add(key)
        dtype = dtype_of(element)
        # the same object for the same memory: the interpreter identifies memory by it
        if (key, dtype) not in self._buffers:
            self._buffers[key, dtype] = self._host_span(view).view(dtype)
        return self._buffers[key, dtype]

    def _host_span(self, view: ArrayView) -> np.ndarray:
        """The memory from the first to the last element."""
        if view.queue is None:
            return np.lib.stride_tricks.as_strided(view.array, (view.span,), (view.item_size,))
        span = copy_of(view)
        self._copied.append((view, span))
        return span

    def copy_back(self) -> None:
        for view, span in self._copied:
            if key_of(view) in self._written:
                view.array[...] = elements(span, view)
