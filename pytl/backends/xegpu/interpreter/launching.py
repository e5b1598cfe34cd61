"""A launch whose kernel the interpreter executes: the printed text, on the user's arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....diagnostics import LaunchError, Source
from ....ir.types import GroupType, MemrefType, ScalarType
from ....ir.values import Value as Parameter
from ...base import Argument, ArrayView, GroupArgument, MemrefArgument
from ...mlir import types
from . import rules
from .memory import Memory
from .running import Program, memref_value, of_columns
from .values import DTYPES, Group, Value


def launch(text: str, parameters: Sequence[Parameter], arguments: Sequence[Argument], groups: int) -> None:
    """Execute a text that pytl has printed for a function of these parameters."""
    program, memory = Program(Source("<xegpu>", text)), Memory()
    values: list[Value] = []
    for parameter, argument in zip(parameters, arguments):
        values += _values(memory, parameter.type, argument, program)
    program.execute(memory, values, groups)


def _values(memory: Memory, type_: Any, argument: Argument, program: Program) -> list[Value]:
    if isinstance(argument, MemrefArgument):
        assert isinstance(type_, MemrefType)
        address, dtype = _added(memory, argument.view), DTYPES[types.element(type_.element).name]
        modes = _modes(argument.shape, argument.strides, type_.element)
        return [memref_value([address, *modes], len(modes) // 2, dtype, program.lanes)]
    if isinstance(argument, GroupArgument):
        assert isinstance(type_, GroupType)
        element, known = type_.memref.element, type_.memref.is_static
        firsts = [_added(memory, view) for view in (argument.views[:1] if argument.strided else argument.views)]
        rows = []
        for item in range(argument.count):
            first = firsts[0] + argument.step * item if argument.strided else firsts[item]
            modes = [] if known else _modes(argument.shape_of(item), argument.strides_of(item), element)
            rows.append([first + argument.offset * element.size, *modes])
        if known:
            address = memory.add(np.array(rows, np.int64).reshape(-1))
            return [memref_value([address, argument.count, 1], 1, np.dtype(np.int64), program.lanes)]
        columns = np.array(rows, np.int64).T if rows else np.zeros((1, 0), np.int64)
        return [Group(of_columns(columns, (len(columns) - 1) // 2, DTYPES[types.element(element).name]))]
    numbers = [argument]
    if isinstance(type_, ScalarType) and type_.is_complex:
        numbers = [complex(argument).real, complex(argument).imag]
    return [
        np.full(program.lanes, number).astype(DTYPES[part.name]) for number, part in zip(numbers, types.parts(type_))
    ]


def _modes(shape: Sequence[int], strides: Sequence[int], element: ScalarType) -> list[int]:
    """Sizes and strides in MLIR's order; complex elements have a last mode of two numbers."""
    parts = 2 if element.is_complex else 1
    last = [2] if element.is_complex else []
    steps = [stride * parts for stride in reversed(strides)] + [1 for _ in last]
    return [*reversed(shape), *last, *steps]


def _added(memory: Memory, view: ArrayView) -> int:
    if view.queue is not None:
        message = "the interpreter executes on memory of the host, and an argument is memory of a device"
        raise LaunchError.single(rules.ARGUMENTS, message, help="pass arrays of NumPy")
    span = np.lib.stride_tricks.as_strided(view.array, (view.span,), (view.item_size,))
    return memory.add(span)
