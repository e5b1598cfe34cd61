"""The host's part of the dialect gpu: memory of devices, and launches, which are done when they are said."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np

from ....frontends.mlir.hosts import is_of_single_items, lanes_of
from ....mlir.text import Operation, Vector
from . import rules, spelled
from .control import spread
from .machine import SubGroup, Wait, WorkGroup, controls, run_alone, run_group
from .machine import executes as _of
from .memrefs import as_array, give_back

_MAX_ITEMS = 4096
_MAX_GROUPS = 1 << 24


class Token:
    """Stands for what is awaited, which is done already."""


_DONE = Token()


def _given(op: Operation, *values: Any) -> list[Any]:
    """Results, with a token behind if there is one."""
    return [*values, *[_DONE] * (len(op.results) - len(values))]


def _awaited(operands: list[Any]) -> list[Any]:
    """Operands without the tokens that are waited for."""
    return [each for each in operands if not isinstance(each, Token)]


@_of("gpu.wait")
def _wait(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    return _given(op)


@_of("gpu.alloc")
def _allocate(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    return _given(op, self.local(op, "", op.result_types[0], _awaited(operands)))


@_of("gpu.dealloc")
def _deallocate(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    (memref,) = _awaited(operands)
    give_back(self, op, memref)
    return _given(op)


@_of("gpu.memcpy")
def _copy(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    target, source = (as_array(self, op, each) for each in _awaited(operands))
    if source.shape != target.shape or source.dtype != target.dtype:
        self.fail(op, rules.DEFINED, f"gpu.memcpy: {source.shape} of {source.dtype} to {target.shape}")
    target[...] = source.copy()
    return _given(op)


@_of("gpu.memset")
def _set(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    memref, value = _awaited(operands)
    as_array(self, op, memref)[...] = value[0]
    return _given(op)


def _nothing(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    """What changes nothing where there is one memory, and one device."""


for _name in ("gpu.host_register", "gpu.host_unregister", "gpu.set_default_device"):
    _of(_name)(_nothing)


# Launches.


@controls("gpu.launch_func")
def _launch_func(self: SubGroup, op: Operation) -> Iterator[Wait]:
    if not self.is_host:
        self.unknown(op, "a kernel launches no kernels")
    name = str(op.attributes.get("kernel", "")).replace("@", "")
    kernel = self.execution.functions.get(name)
    if kernel is None or kernel.name not in ("gpu.func", "llvm.func", "func.func") or not kernel.regions:
        self.fail(op, rules.KNOWN, f"@{name.replace('::', '::@')} is no kernel of the text")
    operands = self.operands(op)
    counts = op.attributes.get("operandSegmentSizes", ())
    if len(counts) != 13:
        self.unknown(op)
    groups = spelled.segments(op, operands, 13)
    grid, block = (_three(self, op, groups[at : at + 3]) for at in (1, 4))
    passed = groups[11]
    arguments = kernel.regions[0].blocks[0].arguments
    shared = len(arguments) - len(passed)
    type_ = kernel.attributes.get("function_type")
    if shared < 0 or (type_ is not None and len(type_.inputs) != len(passed)):
        self.fail(op, rules.ARGUMENTS, f"@{name} has other parameters than {len(passed)}")
    dynamic = self.uniform(op, groups[10][0], "a size") if groups[10] else 0
    launched = self.execution.launched
    if launched is None or not launched(self, op, name, passed, grid, block):
        lanes = lanes_of(kernel)
        values = {each: spread(value, lanes) for (each, _), value in zip(arguments, passed)}
        run_grid(self, op, kernel, values, grid, block, dynamic, name.rpartition("::")[0])
    self.values.update(zip(op.results, _given(op)))
    yield from ()


def _three(self: SubGroup, op: Operation, groups: list[list[Any]]) -> tuple[int, int, int]:
    x, y, z = (self.uniform(op, each[0], "a size") for each in groups)
    return x, y, z


def run_grid(
    self: SubGroup,
    op: Operation,
    kernel: Operation,
    values: dict[str, Any],
    grid: tuple[int, int, int],
    block: tuple[int, int, int],
    dynamic: int,
    module: str,
) -> None:
    """Execute the work-groups of a launch, one after the other."""
    if min(*grid, *block) < 0 or np.prod(block, dtype=object) > _MAX_ITEMS:
        self.fail(
            op, rules.ARGUMENTS, f"a launch of {grid} work-groups of {block} work-items; at most {_MAX_ITEMS} are one"
        )
    if np.prod(grid, dtype=object) > _MAX_GROUPS or not 0 <= dynamic <= 1 << 24:
        self.fail(op, rules.ARGUMENTS, f"a launch of {grid} work-groups, which is more than {_MAX_GROUPS}")
    lanes = lanes_of(kernel)
    if np.prod(grid) > 1 and is_of_single_items(kernel):
        _run_items(self, kernel, values, grid, block, module)
        return
    for z, y, x in np.ndindex(grid[::-1]):
        group = WorkGroup((x, y, z), grid, block, lanes, dynamic=dynamic)
        with self.memory.kept():
            run_group(kernel, self.execution, group, values, module)


_AT_ONCE = 1 << 15
_ELEMENTS_AT_ONCE = 1 << 20
"""Of a vector of all work-items that are executed at once."""


def _run_items(
    self: SubGroup,
    kernel: Operation,
    values: dict[str, Any],
    grid: tuple[int, int, int],
    block: tuple[int, int, int],
    module: str,
) -> None:
    """Execute work-items of all work-groups at once, as many as memory has room for."""
    each, count = int(np.prod(block)), int(np.prod(grid))
    types = [type_ for op in kernel.walk() for type_ in op.result_types if isinstance(type_, Vector)]
    at_once = max(1, min(_AT_ONCE, _ELEMENTS_AT_ONCE // max((prod(type_.shape) for type_ in types), default=1)))
    for begin in range(0, each * count, at_once):
        numbers = np.arange(begin, min(each * count, begin + at_once))
        lanes, of = len(numbers), numbers // max(each, 1)
        position = (of % grid[0], of // grid[0] % grid[1], of // (grid[0] * grid[1]))
        group = WorkGroup(position, grid, (lanes, 1, 1), lanes)
        items = SubGroup(self.execution, group, 0, lanes, module)
        group.block = block
        items.items = numbers % each
        items.values = {name: spread(value, lanes) for name, value in values.items()}
        with self.memory.kept():
            run_alone(items.block(items.only_block(kernel)), items)


@controls("gpu.launch")
def _launch(self: SubGroup, op: Operation) -> Iterator[Wait]:
    """A kernel in place: it has the host's values, and the numbers of its work-items as arguments."""
    operands = self.operands(op)
    groups = spelled.segments(op, operands, 11)
    grid, block = (_three(self, op, groups[at : at + 3]) for at in (1, 4))
    dynamic = self.uniform(op, groups[10][0], "a size") if groups[10] else 0
    inner = self.only_block(op)
    numbered = [*_numbered("block_id"), *_numbered("thread_id"), *_numbered("grid_dim"), *_numbered("block_dim")]
    if groups[7]:
        numbered += [*_numbered("cluster_id"), *_numbered("cluster_dim")]
    if len(inner.arguments) < len(numbered):
        self.unknown(op)
    numbers = {name: int(value[0]) for name, value in self.values.items() if isinstance(name, str) and _is_index(value)}
    lanes = lanes_of(op, numbers)
    values = {name: spread(value, lanes) for name, value in self.values.items() if isinstance(name, str)}
    for name, _ in inner.arguments:
        values.pop(name, None)
    prologue = [
        Operation(f"gpu.{kind}", [], [name], [], [type_], {"dimension": axis}, origin=op.origin)
        for (name, type_), (kind, axis) in zip(inner.arguments, numbered)
    ]
    memory = inner.arguments[len(numbered) :]
    body = type(inner)("", list(memory), [*prologue, *inner.operations])
    attributes = {"intel_reqd_sub_group_size": lanes}
    kernel = Operation("gpu.launch", [], [], [], [], attributes, [type(op.regions[0])([body])], origin=op.origin)
    run_grid(self, op, kernel, values, grid, block, dynamic, "")
    self.values.update(zip(op.results, _given(op)))
    yield from ()


def _is_index(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "i" and value.ndim == 1


def _numbered(kind: str) -> list[tuple[str, str]]:
    return [(kind, axis) for axis in "xyz"]
