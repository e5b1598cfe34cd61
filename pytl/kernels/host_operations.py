"""What a function of the host has others execute: launches of kernels, and operations on whole memrefs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..diagnostics import Diagnostics, PytlError
from ..frontends.mlir.module import convert
from ..mlir.text import Block, Function, Operation, Region
from .kernel import Kernel
from .kernel import compile as compile_module

_INTERPRETED = {"arith", "math", "complex", "index", "scf", "cf", "func", "memref", "vector"}
"""Dialects whose operations the interpreter executes itself."""


class Launches:
    """The launches of one execution of a function of the host."""

    def __init__(
        self,
        kernels: Mapping[str, Kernel],
        of_gpu: Mapping[str, Callable[[], Kernel]],
        module: Operation,
        backend: str | None,
        made: dict[int, Kernel],
    ) -> None:
        """`of_gpu` gives kernels of gpu as ones of the language; without a backend, the interpreter executes these.

        `made` are the kernels of operations of the module, by the identities of these, which this adds to.
        """
        self.kernels = kernels
        self.of_gpu = of_gpu
        self.module = module
        self.backend = backend
        self._made = made
        self._plain: dict[str, bool] = {}

    def launched(self, host: Any, op: Operation, name: str, values: Sequence[Any], *sizes: Any) -> bool:
        """Launch a kernel of pytl's own in the place of what the text calls; whether there is one."""
        short = name.rpartition("::")[2]
        if op.results:
            return False
        if op.name == "gpu.launch_func":
            make = self.of_gpu.get(name, self.of_gpu.get(short))
            if self.backend is None or make is None:
                return False
            kernel, grid = make(), sizes[0]
        elif name in self.kernels and (self.backend is not None or not self._is_plain(name)):
            kernel, grid = self.kernels[name], ...
        else:
            return False
        kernel[grid](*(_argument(host, op, value) for value in values), backend=self.backend or "reference")
        return True

    def _is_plain(self, name: str) -> bool:
        """Whether the interpreter executes a function at least as fast as the reference backend does."""
        if name not in self._plain:
            bodies = [op for op in self.module.walk() if op.attributes.get("sym_name") == name]
            dialects = {inner.name.partition(".")[0] for op in bodies for inner in op.walk()}
            self._plain[name] = dialects <= _INTERPRETED
        return self._plain[name]

    def unknown(self, host: Any, op: Operation, operands: Sequence[Any]) -> Any:
        """Execute an operation that the interpreter has no handler for, as a kernel of its own."""
        if op.results:
            host.unknown(op)
        captured = _captured(op)
        if op.name.startswith("linalg.") and any(_is_empty(host.values[name]) for name in op.operands):
            return []  # no iteration has an element of each operand
        kernel = self._made.get(id(op))
        if kernel is None:
            kernel = self._made[id(op)] = _outlined(op, captured, self.module)
        values = [host.values[name] for name in captured]
        kernel[...](*(_argument(host, op, value) for value in values), backend=self.backend or "reference")
        return []


def _argument(host: Any, op: Operation, value: Any) -> Any:
    """A value of the host as a launch takes it."""
    from ..backends.xegpu.interpreter.memrefs import as_array
    from ..backends.xegpu.interpreter.values import MemrefValue

    return as_signed(as_array(host, op, value)) if isinstance(value, MemrefValue) else value[0].item()


def as_signed(argument: Any) -> Any:
    """An array of integers without sign, or of other elements of a byte, as integers that have these bits."""
    dtype = getattr(argument, "dtype", None)
    if dtype is None or not (getattr(dtype, "kind", "") in ("u", "b") or dtype.itemsize == 1):
        return argument
    return argument.view(f"i{dtype.itemsize}")


def _is_empty(value: Any) -> bool:
    from ..backends.xegpu.interpreter.values import MemrefValue

    return isinstance(value, MemrefValue) and any(int(size[0]) == 0 for size in value.sizes)


def _captured(op: Operation) -> dict[str, Any]:
    """The values that an operation and its regions use, with their types."""
    own = {name for inner in op.walk() for name in inner.results}
    own |= {
        name
        for inner in op.walk()
        for region in inner.regions
        for block in region.blocks
        for name, _ in block.arguments
    }
    return {
        name: type_
        for inner in op.walk()
        for name, type_ in zip(inner.operands, inner.operand_types)
        if name not in own
    }


def _outlined(op: Operation, captured: Mapping[str, Any], module: Operation) -> Kernel:
    """A kernel of one operation. Raises `pytl.LanguageError` where it has no meaning."""
    end = Operation("func.return", [], [], [], [], {}, location=op.location)
    block = Block("", [(name, type_) for name, type_ in captured.items()], [op, end])
    type_ = Function(tuple(captured.values()), ())
    attributes = {"sym_name": "operation", "function_type": type_, "arg_attrs": ()}
    function = Operation("func.func", [], [], [], [], attributes, [Region([block])], location=op.location)
    constants = [each for each in module.walk() if each.name == "memref.global"]
    whole = Operation(
        "builtin.module", [], [], [], [], {}, [Region([Block("", [], [*constants, function])])], location=op.location
    )
    diagnostics = Diagnostics()
    converted = convert(whole, diagnostics)
    if diagnostics.errors or not converted.functions:
        raise PytlError(diagnostics.in_order())
    return compile_module(converted)["operation"]
