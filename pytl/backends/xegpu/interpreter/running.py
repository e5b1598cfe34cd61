"""The way of a text: it is read, by mlir-opt's verified generic form where that is installed, and executed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ....diagnostics import ExecutionError, LaunchError, Source
from ....frontends.mlir.hosts import lanes_of
from ....frontends.mlir.types import line_of
from ....mlir.text import Memref, Operation, read_module, read_text
from ...mlir.process import run as run_program
from ...mlir.toolchain import Toolchain, find_toolchain
from . import (
    host,  # noqa: F401  adds those of the host
    matrices,  # noqa: F401  adds how operations are executed
    operations,  # noqa: F401  adds those of xegpu
    pointers,  # noqa: F401  adds those of llvm
    rules,
    vectors,  # noqa: F401  adds those of vector
    work_items,  # noqa: F401  adds those of gpu
)
from .machine import Execution, Sizes, SubGroup, WorkGroup, location_of, run_alone, run_group
from .memory import Memory
from .memrefs import as_array
from .values import Group, MemrefValue, Value, dtype_of

_VERSION = 22
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
    `pytl.LaunchError` (PYTL-3252) where the arguments do not fit. mlir-opt of LLVM 22 verifies the text where it is
    installed.

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
    Program(Source(name, text), kernel).run(arguments, groups)


def _misfit(number: int, type_: Any, argument: Any) -> str:
    shown = getattr(argument, "shape", None), getattr(argument, "dtype", type(argument).__name__)
    return f"argument {number} does not fit {type_}: it has the shape {shown[0]} and the type {shown[1]}"


class Program:
    """A gpu.func of a text."""

    def __init__(self, source: Source, kernel: str | None = None, module: Operation | None = None) -> None:
        self.source = source
        self._module = module_of(source) if module is None else module
        name, self._function = _kernel(self._module, kernel)
        self._within = name.rpartition("::")[0]
        attributes, block = self._function.attributes, self._function.regions[0].blocks[0]
        self.name: str = attributes["sym_name"]
        self.location = location_of(source, self._function)
        self.lanes = lanes_of(self._function)
        self.block = in_three(attributes.get("known_block_size", (self.lanes,)))
        type_ = attributes.get("function_type")
        count = len(type_.inputs) if type_ is not None else 0
        count = count or len(block.arguments) - int(attributes.get("workgroup_attributions", 0))
        self.parameters = block.arguments[:count]

    def run(self, arguments: Sequence[Any], groups: int | Sequence[int], block: Sequence[int] | None = None) -> None:
        """Execute work-groups on NumPy arrays; `block` are their work-items where the kernel does not say them."""
        if block is not None and "known_block_size" not in self._function.attributes:
            self.block = in_three(block)
        if len(self.parameters) != len(arguments):
            message = f"{self.name} has {len(self.parameters)} parameters, and {len(arguments)} arguments are given"
            raise LaunchError.single(rules.ARGUMENTS, message, self.location)
        memory = Memory()
        values: list[Value] = []
        for number, ((_, type_), argument) in enumerate(zip(self.parameters, arguments)):
            value = bound(memory, type_, argument, self.lanes)
            if value is None:
                raise LaunchError.single(rules.ARGUMENTS, _misfit(number, type_, argument), self.location)
            values.append(value)
        self.execute(memory, values, groups)

    def execute(self, memory: Memory, values: Sequence[Value], groups: int | Sequence[int]) -> None:
        """Execute the work-groups, one after the other, on values of the parameters."""
        grid = in_three((groups,) if isinstance(groups, int) else groups)
        execution = execution_of(self._module, self.source, memory)
        named = dict(zip((name for name, _ in self.parameters), values))
        with np.errstate(all="ignore"):
            for z, y, x in np.ndindex(grid[::-1]):
                group = WorkGroup((x, y, z), grid, self.block, self.lanes)
                with memory.kept():
                    run_group(self._function, execution, group, named, self._within)


def execution_of(module: Operation, source: Source, memory: Memory, **hooks: Any) -> Execution:
    """What the functions of a module share while they execute."""
    functions: dict[str, Operation] = {}
    constants: dict[str, Operation] = {}
    for name, op in symbols(module):
        (constants if op.name == "memref.global" else functions)[name] = op
    return Execution(source, memory, functions, constants, **hooks)


def symbols(module: Operation, within: str = "") -> Iterator[tuple[str, Operation]]:
    """What a module defines, by name; what a gpu.module does has its name in front."""
    for region in module.regions:
        for block in region.blocks:
            for op in block.operations:
                name = op.attributes.get("sym_name")
                if op.name == "builtin.module":
                    yield from symbols(op, within)
                elif op.name == "gpu.module":
                    yield from symbols(op, f"{name}::")
                elif isinstance(name, str):
                    yield f"{within}{name}", op


def call(module: Operation, source: Source, name: str, arguments: Sequence[Any], **hooks: Any) -> list[Any]:
    """Execute a function of the host on NumPy arrays and numbers; what it gives.

    Its launches execute the kernels of the module. `hooks` are those of `Execution`: `write` gets what is printed,
    `launched` may launch a kernel elsewhere.
    """
    memory = Memory()
    execution = execution_of(module, source, memory, **hooks)
    function = execution.functions[name]
    where = location_of(source, function)
    parameters = function.regions[0].blocks[0].arguments
    if len(parameters) != len(arguments):
        message = f"@{name} has {len(parameters)} parameters, and {len(arguments)} arguments are given"
        raise LaunchError.single(rules.ARGUMENTS, message, where)
    values = []
    for number, ((_, type_), argument) in enumerate(zip(parameters, arguments)):
        value = bound(memory, type_, argument, 1)
        if value is None:
            raise LaunchError.single(rules.ARGUMENTS, _misfit(number, type_, argument), where)
        values.append(value)
    host_group = WorkGroup((0, 0, 0), (1, 1, 1), (1, 1, 1), 1)
    of = SubGroup(execution, host_group, 0, 1, is_host=True)
    results: list[Any] = []

    def steps() -> Any:
        results.extend((yield from of.called(function, function, values)))

    with np.errstate(all="ignore"):
        run_alone(steps(), of)
    return [_given(each, of, function) for each in results]


def _given(value: Any, of: SubGroup, function: Operation) -> Any:
    """A result of the host as Python has it."""
    return as_array(of, function, value) if isinstance(value, MemrefValue) else value[0]


def in_three(sizes: Sequence[int]) -> Sizes:
    """Sizes in x, y and z, 1 where none is given."""
    if len(sizes) > 3 or any(size < 0 for size in sizes):
        raise LaunchError.single(rules.ARGUMENTS, f"sizes are numbers in x, y and z, and not {list(sizes)}")
    x, y, z = (*map(int, sizes), *(1,) * (3 - len(sizes)))
    return x, y, z


def module_of(source: Source) -> Operation:
    """The module of a text, with places in it: as mlir-opt verifies it where that is installed."""
    if re.match(r'(?:\s|//.*|#.*)*"builtin\.module"', source.text):
        return read_module(source.text)
    tools = find_toolchain()
    if not isinstance(tools, Toolchain) or tools.version != _VERSION:
        module, diagnostics = read_text(source.text, source.name)
        if diagnostics.errors:
            raise ExecutionError(diagnostics.in_order())
        return module
    command = [tools.path("mlir-opt"), "--mlir-print-op-generic", "--mlir-print-debuginfo", "-"]
    done = run_program(command, source.text.encode(), None, "mlir-opt")
    if done.status == 0:
        return read_module(done.output.decode(errors="replace"))
    match = _ERROR.search(done.errors)
    where = None
    if match:
        op = Operation("", [], [], [], [], {}, [], [], (int(match[1]), int(match[2])))
        where = location_of(source, op)
    message = match[3] if match else (done.errors.strip().splitlines() or ["it ended without a message"])[0]
    raise ExecutionError.single(rules.TEXT, f"mlir-opt refuses the text: {message}", where)


def _kernel(module: Operation, name: str | None) -> tuple[str, Operation]:
    kernels = [
        (whole, op)
        for whole, op in symbols(module)
        if op.name == "gpu.func" and op.regions and name in (None, op.attributes["sym_name"], whole)
    ]
    if len(kernels) == 1:
        return kernels[0]
    what = f"a gpu.func @{name}" if name else "one gpu.func"
    raise LaunchError.single(
        rules.ARGUMENTS, f"{what} is wanted, and the text has {len(kernels)}", help="name it: kernel="
    )


def bound(memory: Memory, type_: Any, argument: Any, lanes: int) -> Value | None:
    """The value of a parameter; None where the argument does not fit."""
    line = line_of(type_)
    if line is not None and isinstance(argument, np.ndarray):
        unknown = (None,) * argument.ndim
        type_ = replace(line, shape=unknown, strides=unknown)
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
