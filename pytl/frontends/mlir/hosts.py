"""Which functions of a module the host executes: those that launch kernels of gpu, take memory of devices, or print."""

from __future__ import annotations

from collections.abc import Mapping

from ...mlir.externals import NAMES, OF_C
from ...mlir.text import Function, Operation
from .table import having

LANES = 16
"""The work-items of a sub-group where a kernel does not say."""
LANES_OF_MATRICES = 32
"""Those that have a matrix of gpu together, where a kernel does not say."""
_ON_HOST, _OF_ITEMS = having("host"), having("item")
ARITHMETIC = ("arith", "math", "complex", "index")
"""Dialects of what does the same with each number."""


def host_functions(module: Operation) -> dict[str, Operation]:
    """Functions with a body that do something of the host's, or that call such functions."""
    functions = {
        name: op
        for op in module.walk()
        if op.name == "func.func" and isinstance(name := op.attributes.get("sym_name"), str) and not op.is_broken
    }
    defined = {name: op for name, op in functions.items() if any(region.blocks for region in op.regions)}
    called = {name: {op.callee for op in function.walk() if op.callee} for name, function in defined.items()}
    hosts = {
        name
        for name, function in defined.items()
        if any(op.name in _ON_HOST for op in function.walk())
        or any(callee in NAMES and callee not in OF_C and callee not in defined for callee in called[name])
    }
    while more := {name for name, callees in called.items() if name not in hosts and callees & hosts}:
        hosts |= more
    return {name: op for name, op in defined.items() if name in hosts}


def is_workgroup_space(space: str) -> bool:
    """Whether memory of a memory space is that of a work-group; else it is of a work-item, where a kernel takes it."""
    return space.split(" :")[0] == "3" or "workgroup" in space


def is_of_single_items(kernel: Operation) -> bool:
    """Whether the work-items of a kernel have nothing to do with each other: no barrier, no local memory."""
    type_ = kernel.attributes.get("function_type")
    arguments = kernel.regions[0].blocks[0].arguments
    if not isinstance(type_, Function) or len(type_.inputs) != len(arguments):
        return False
    return all(
        op.name in _OF_ITEMS or op.name.partition(".")[0] in ARITHMETIC for op in kernel.walk() if op is not kernel
    )


def lanes_of(kernel: Operation, numbers: Mapping[str, int] | None = None) -> int:
    """The work-items of a sub-group of a kernel: as it says, or as many as it exchanges numbers or has matrices with.

    `numbers` are those that are known outside of it.
    """
    known = dict(numbers or {})
    lanes = [kernel.attributes.get("intel_reqd_sub_group_size")]
    for op in kernel.walk():
        if op.name == "arith.constant" and isinstance(value := op.attributes.get("value"), int):
            known.update(dict.fromkeys(op.results, value))
        elif op.name == "gpu.shuffle" and op.operands:
            lanes.append(known.get(op.operands[-1]))
        elif op.name.startswith("gpu.subgroup_mma_"):
            lanes.append(LANES_OF_MATRICES)
    return next((each for each in lanes if isinstance(each, int) and each in (8, 16, 32, 64)), LANES)


def gpu_kernels(module: Operation) -> dict[str, Operation]:
    """The kernels of a module's gpu.modules: by their names, and by `module::name` where others have that name.

    What nobody calls is one.
    """
    found: dict[str, list[tuple[str, Operation]]] = {}
    for outer in module.walk():
        if outer.name != "gpu.module" or outer.is_broken:
            continue
        callees = {op.callee for op in outer.walk()}
        for op in outer.walk():
            name = op.attributes.get("sym_name")
            is_kernel = "gpu.kernel" in op.attributes or name not in callees
            if op.name == "gpu.func" and isinstance(name, str) and not op.is_broken and is_kernel:
                found.setdefault(name, []).append((f"{outer.attributes.get('sym_name')}::{name}", op))
    taken = {op.attributes.get("sym_name") for op in module.walk() if op.name == "func.func"}
    return {
        name if len(kernels) == 1 and name not in taken else whole: op
        for name, kernels in found.items()
        for whole, op in kernels
    }


def functions_beside(module: Operation, kernel: Operation) -> dict[str, Operation]:
    """The functions that a kernel of gpu may call: those of its gpu.module, and of the whole module."""
    outer = [op for op in module.walk() if op.name == "gpu.module" and any(each is kernel for each in op.walk())]
    found: dict[str, Operation] = {}
    for whole in (module, *outer):
        found |= {str(op.attributes.get("sym_name")): op for op in whole.walk() if op.name in ("func.func", "gpu.func")}
    return found


def launched_sizes(module: Operation, whole: str) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None]:
    """The grid and the work-group of the launches of a kernel, as far as they are the same constants."""
    grids: set[tuple[int | None, ...]] = set()
    blocks: set[tuple[int | None, ...]] = set()
    for function in module.walk():
        if function.name != "func.func":
            continue
        known = {
            op.results[0]: op.attributes.get("value")
            for op in function.walk()
            if op.name in ("arith.constant", "index.constant") and len(op.results) == 1
        }
        for op in function.walk():
            if op.name != "gpu.launch_func" or str(op.attributes.get("kernel", "")).replace("@", "") != whole:
                continue
            counts = op.attributes.get("operandSegmentSizes", ())
            first = counts[0] if counts else 0
            sizes = [known.get(name) for name in op.operands[first : first + 6]]
            numbers = [size if isinstance(size, int) else None for size in sizes]
            grids.add(tuple(numbers[:3]))
            blocks.add(tuple(numbers[3:]))
    return _only(grids), _only(blocks)


def _only(sizes: set[tuple[int | None, ...]]) -> tuple[int, ...] | None:
    if len(sizes) != 1:
        return None
    (found,) = sizes
    known = tuple(size for size in found if size is not None)
    return known if len(known) == len(found) == 3 else None


def work_items_of(module: Operation, kernel: Operation) -> tuple[int, ...] | None:
    """The work-items of a work-group of a kernel: by its attribute, or by its launches in the module."""
    sizes = kernel.attributes.get("known_block_size")
    if sizes is None:
        for outer in module.walk():
            if outer.name == "gpu.module" and any(op is kernel for op in outer.walk()):
                whole = f"{outer.attributes.get('sym_name')}::{kernel.attributes.get('sym_name')}"
                _, sizes = launched_sizes(module, whole)
    if isinstance(sizes, tuple) and all(type(size) is int and 0 < size < 1 << 16 for size in sizes):
        return sizes
    return None
