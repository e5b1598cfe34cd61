"""The way of a text: mlir-opt verifies it and prints the generic form, which is read and executed."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from typing import Any

import numpy as np

from ....diagnostics import ExecutionError, LaunchError, PlatformError, Source
from ....mlir.text import Memref, Operation, read_module
from ...mlir.toolchain import Toolchain, find_toolchain, require
from . import (
    operations,  # noqa: F401  adds how operations are executed
    rules,
    work_items,  # noqa: F401  adds those of gpu
)
from .machine import Sizes, WorkGroup, location_of, run_group
from .memory import Memory
from .values import Group, MemrefValue, Value, dtype_of

_VERSION = 22
_SECONDS = 60
_ERROR = re.compile(r"^[^\n]*?:(\d+):(\d+): error: ([^\n]*)", re.M)


def run(
    text: str,
    arguments: Sequence[Any],
    groups: int | Sequence[int] = 1,
    *,
    kernel: str | None = None,
    name: str = "<text>",
) -> None:
    """Execute a gpu.func of a text of xegpu on NumPy arrays, which it changes.

    A memref takes an array of its type's shape and strides, in MLIR's order (rows first); a memref of memrefs takes a
    list of arrays; a scalar takes a number. `groups` is the number of work-groups, or their numbers in x, y and z;
    a work-group has the work-items of the attribute `known_block_size`, else those of a sub-group. `kernel` is the
    name of the gpu.func where there are several. Values of work-items are executed, and values of sub-groups, such as
    `vector<8x16xf32>` of a block, which each of its work-items then has.

    Raises `pytl.ExecutionError` (PYTL-3250, PYTL-3251, PYTL-3253 to PYTL-3257) at the line of the text, and
    `pytl.LaunchError` (PYTL-3252) where the arguments do not fit. It needs mlir-opt of LLVM 22, but for a text in the
    generic form.

    >>> import numpy as np
    >>> A = np.arange(4, dtype=np.float32)
    >>> run('''"builtin.module"() ({ "gpu.func"() <{function_type = (memref<4xf32>) -> ()}> ({
    ...   ^bb0(%A: memref<4xf32>):
    ...     %c = "arith.constant"() <{value = 2 : index}> : () -> index
    ...     %x = "memref.load"(%A, %c) : (memref<4xf32>, index) -> f32
    ...     %y = "arith.addf"(%x, %x) : (f32, f32) -> f32
    ...     "memref.store"(%y, %A, %c) : (f32, memref<4xf32>, index) -> ()
    ...     "gpu.return"() : () -> ()
    ...   }) {sym_name = "double"} : () -> () }) : () -> ()''', [A])
    >>> A
    array([0., 1., 4., 3.], dtype=float32)
    """
    program = Program(Source(name, text), kernel)
    parameters = program.parameters
    if len(parameters) != len(arguments):
        message = f"{program.name} has {len(parameters)} parameters, and {len(arguments)} arguments are given"
        raise LaunchError.single(rules.ARGUMENTS, message, program.location)
    memory = Memory()
    values: list[Value] = []
    for number, ((_, type_), argument) in enumerate(zip(parameters, arguments)):
        value = _bound(memory, type_, argument, program.lanes)
        if value is None:
            shown = getattr(argument, "shape", None), getattr(argument, "dtype", type(argument).__name__)
            message = f"argument {number} does not fit {type_}: it has the shape {shown[0]} and the type {shown[1]}"
            raise LaunchError.single(rules.ARGUMENTS, message, program.location)
        values.append(value)
    program.execute(memory, values, groups)


class Program:
    """A gpu.func of a text that mlir-opt has verified."""

    def __init__(self, source: Source, kernel: str | None = None) -> None:
        self.source = source
        self._function = _kernel(read_module(_generic(source)), kernel)
        attributes, block = self._function.attributes, self._function.regions[0].blocks[0]
        self.name: str = attributes["sym_name"]
        self.location = location_of(source, self._function)
        self.lanes = int(attributes.get("intel_reqd_sub_group_size", 16))
        self.block = in_three(attributes.get("known_block_size", (self.lanes,)))
        self.parameters = block.arguments[: len(block.arguments) - int(attributes.get("workgroup_attributions", 0))]

    def execute(self, memory: Memory, values: Sequence[Value], groups: int | Sequence[int]) -> None:
        """Execute the work-groups, one after the other, on values of the parameters."""
        grid = in_three((groups,) if isinstance(groups, int) else groups)
        with np.errstate(all="ignore"):
            for z, y, x in np.ndindex(grid[::-1]):
                group = WorkGroup((x, y, z), grid, self.block, self.lanes)
                with memory.kept():
                    run_group(self._function, self.source, memory, group, self.lanes, list(values))


def in_three(sizes: Sequence[int]) -> Sizes:
    """Sizes in x, y and z, 1 where none is given."""
    if len(sizes) > 3 or any(size < 0 for size in sizes):
        raise LaunchError.single(rules.ARGUMENTS, f"sizes are numbers in x, y and z, and not {list(sizes)}")
    x, y, z = (*map(int, sizes), *(1,) * (3 - len(sizes)))
    return x, y, z


def _generic(source: Source) -> str:
    """The text in the generic form, with places in the text that was given; what is in that form needs no tool."""
    if re.match(r'(?:\s|//.*|#.*)*"builtin\.module"', source.text):
        return source.text
    tools = find_toolchain()
    require(tools)
    assert isinstance(tools, Toolchain)
    if tools.version != _VERSION:
        raise PlatformError.single(rules.TEXT, "the text of xegpu needs mlir-opt of LLVM 22", help="install LLVM 22")
    command = [tools.path("mlir-opt"), "--mlir-print-op-generic", "--mlir-print-debuginfo", "-"]
    done = subprocess.run(
        command, input=source.text, capture_output=True, text=True, check=False, timeout=_SECONDS, errors="replace"
    )
    if done.returncode == 0:
        return done.stdout
    match = _ERROR.search(done.stderr)
    where = None
    if match:
        op = Operation("", [], [], [], [], {}, [], [], (int(match[1]), int(match[2])))
        where = location_of(source, op)
    message = match[3] if match else (done.stderr.strip().splitlines() or ["it ended without a message"])[0]
    raise ExecutionError.single(rules.TEXT, f"mlir-opt refuses the text: {message}", where)


def _kernel(module: Operation, name: str | None) -> Operation:
    kernels = [op for op in module.walk() if op.name == "gpu.func" and name in (None, op.attributes["sym_name"])]
    if len(kernels) == 1:
        return kernels[0]
    what = f"a gpu.func @{name}" if name else "one gpu.func"
    raise LaunchError.single(
        rules.ARGUMENTS, f"{what} is wanted, and the text has {len(kernels)}", help="name it: kernel="
    )


def _bound(memory: Memory, type_: Any, argument: Any, lanes: int) -> Value | None:
    """The value of a parameter; None where the argument does not fit."""
    if not isinstance(type_, Memref):
        dtype = dtype_of(type_)
        if dtype is None or not np.isscalar(argument) or isinstance(argument, (str, bytes, complex)):
            return None
        return np.full(lanes, argument).astype(dtype)
    if isinstance(type_.element, Memref):
        items = [_array_layout(memory, type_.element, each) for each in argument]
        placed = [item for item in items if item is not None]
        if len(placed) != len(items) or not items:
            return None
        columns = np.array([[address, *sizes, *strides] for address, sizes, strides in placed], np.int64).T
        return Group(of_columns(columns, len(type_.element.shape), dtype_of(type_.element.element)))
    layout = _array_layout(memory, type_, argument)
    if layout is None:
        return None
    address, sizes, strides = layout
    return memref_value([address, *sizes, *strides], len(sizes), dtype_of(type_.element), lanes)


def memref_value(numbers: Sequence[int], order: int, dtype: np.dtype | None, lanes: int) -> MemrefValue:
    """A memref that all work-items have: its address, sizes and strides."""
    return of_columns(np.repeat(np.array([numbers], np.int64).T, lanes, axis=1), order, dtype)


def of_columns(columns: np.ndarray, order: int, dtype: np.dtype | None) -> MemrefValue:
    assert dtype is not None
    return MemrefValue(columns[0], columns[0] * 0, tuple(columns[1 : 1 + order]), tuple(columns[1 + order :]), dtype)


def _array_layout(memory: Memory, type_: Memref, array: Any) -> tuple[int, tuple[int, ...], tuple[int, ...]] | None:
    """The address, sizes and strides of an array that fits a memref."""
    dtype = dtype_of(type_.element)
    if not isinstance(array, np.ndarray) or dtype is None or array.ndim != len(type_.shape):
        return None
    if (array.dtype != dtype) or any(s % dtype.itemsize for s in array.strides):
        return None
    strides = tuple(stride // dtype.itemsize for stride in array.strides)
    if any(stride < 0 for stride in strides):
        return None
    for expected, size in zip(type_.shape, array.shape):
        if expected is not None and expected != size:
            return None
    for expected, stride, size in zip(type_.strides, strides, array.shape):
        if expected is not None and expected != stride and size > 1:
            return None
    span = 0 if array.size == 0 else 1 + sum((n - 1) * s for n, s in zip(array.shape, strides))
    flat = np.lib.stride_tricks.as_strided(array, (span,), (dtype.itemsize,))
    return memory.add(flat), array.shape, strides
