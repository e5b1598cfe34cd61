"""Which functions of a module the host executes: those that launch kernels of gpu, take memory of devices, or print."""

from __future__ import annotations

from ...mlir.externals import NAMES, OF_C
from ...mlir.text import Operation

_ON_HOST = frozenset(
    (
        *("gpu.launch_func", "gpu.launch", "gpu.alloc", "gpu.dealloc", "gpu.memcpy", "gpu.memset", "gpu.wait"),
        *("gpu.host_register", "gpu.host_unregister", "gpu.set_default_device", "vector.print"),
    )
)


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


def gpu_kernels(module: Operation) -> dict[str, Operation]:
    """The kernels of a module's gpu.modules: by their names, and by `module::name` where others have that name."""
    found: dict[str, list[tuple[str, Operation]]] = {}
    for outer in module.walk():
        if outer.name != "gpu.module" or outer.is_broken:
            continue
        for op in outer.walk():
            name = op.attributes.get("sym_name")
            if op.name == "gpu.func" and isinstance(name, str) and not op.is_broken and "gpu.kernel" in op.attributes:
                found.setdefault(name, []).append((f"{outer.attributes.get('sym_name')}::{name}", op))
    taken = {op.attributes.get("sym_name") for op in module.walk() if op.name == "func.func"}
    return {
        name if len(kernels) == 1 and name not in taken else whole: op
        for name, kernels in found.items()
        for whole, op in kernels
    }
