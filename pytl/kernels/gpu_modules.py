"""Modules of MLIR with kernels of gpu: their kernels, and the functions of the host that launch these."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..diagnostics import Diagnostic, Diagnostics, LanguageError, Source
from ..frontends.mlir.hosts import functions_beside, gpu_kernels, host_functions, launched_sizes, work_items_of
from ..frontends.mlir.types import is_tensor
from ..launch.platform import default_backend
from ..process.records import dataclass
from ..process.settings import BACKEND
from .host_operations import Launches, as_signed
from .kernel import Kernel
from .kernel import compile as compile_module
from .tensor_kernel import CallMemory

if TYPE_CHECKING:
    from ..ir.values import Value
    from ..mlir.text import Operation

INTERPRETER = "reference"
"""The backend on which the interpreter executes all of a module. On another one it executes the host's functions, and
their kernels are launched there, which must be ones that the front end reads."""


@dataclass(frozen=True)
class Signature:
    """The parameters of what is no function of the language."""

    parameters: Sequence[Value]


class Launchable:
    """What is called by its arguments, or with a number of work-groups before them."""

    def __init__(self, name: str, module: Operation, source: Source, operation: Operation) -> None:
        self.name = name
        self.module = module
        self.source = source
        self.operation = operation

    def __str__(self) -> str:
        from ..mlir.text.printer import print_operation

        return print_operation(self.operation).rstrip()

    @property
    def function(self) -> Signature:
        """Its parameters, as a kernel has them. Raises `pytl.LanguageError` where the language has no such type."""
        from ..frontends.mlir.module import parameters_of

        diagnostics = Diagnostics()
        parameters = parameters_of(self.operation, diagnostics)
        if diagnostics.errors:
            raise LanguageError(diagnostics.in_order())
        return Signature(parameters)

    @property
    def called_parameters(self) -> Sequence[Value]:
        """The parameters that a call from Python has arguments for."""
        return self.function.parameters

    def __getitem__(self, groups: Any) -> Callable[..., Any]:
        """The same with a number of work-groups: `...` for those that the module says."""

        def launch(*arguments: Any, backend: str | None = None) -> Any:
            return self.launch(groups, arguments, backend)

        return launch

    def __call__(self, *arguments: Any, backend: str | None = None) -> Any:
        return self.launch(..., arguments, backend)

    def launch(self, groups: Any, arguments: Sequence[Any], backend: str | None) -> Any:
        raise NotImplementedError


class HostFunction(Launchable):
    """A function of the host: `f(a, b)` executes it, with all that it launches, and returns what it gives.

    Memory of devices is memory of the host. `f[n](a, b)` is the same: the function says how many work-groups it
    launches. What it prints is written to `write`, or to the standard output.
    """

    grid = "that of each launch: the host executes the function"
    """Which iterations are dealt out to work-groups."""

    def __init__(
        self,
        name: str,
        module: Operation,
        source: Source,
        operation: Operation,
        kernels: Mapping[str, Any],
        hosts: Mapping[str, Operation],
        is_program: bool,
    ) -> None:
        super().__init__(name, module, source, operation)
        self.kernels = kernels
        self.hosts = hosts
        self.is_program = is_program
        """Whether it does something of the host's, and is no function on tensors whose sizes or iterations are known
        on the way alone: of this, operations are launched on the default backend."""

    def launch(self, groups: Any, arguments: Sequence[Any], backend: str | None) -> Any:
        return self.run(arguments, backend)

    @cached_property
    def _on_memrefs(self) -> Operation:
        """The module, in which functions of the host have memrefs where the text has tensors."""
        from ..frontends.mlir.tensors.hosts import on_memrefs
        from ..frontends.mlir.tensors.module import needs_memory

        if not any(map(needs_memory, self.hosts.values())):
            return self.module
        diagnostics = Diagnostics()
        module = on_memrefs(self.module, list(self.hosts), diagnostics)
        if diagnostics.errors:
            raise LanguageError(diagnostics.in_order())
        return module

    @cached_property
    def _made(self) -> dict[int, Kernel]:
        """Kernels of operations of this module, which further calls launch again."""
        return {}

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_made", "_on_memrefs")}

    def run(
        self, arguments: Sequence[Any], backend: str | None = None, write: Callable[[str], Any] | None = None
    ) -> Any:
        """Execute the function on arrays of NumPy and numbers; what it gives, if anything."""
        from ..backends.xegpu.interpreter.running import call

        backend = backend or (BACKEND.get() if self.is_program else default_backend())
        memory = CallMemory(arguments)
        type_ = self.operation.attributes["function_type"]
        if len(arguments) == len(type_.inputs):
            arguments = [memory.on_host(a) if is_tensor(of) else a for a, of in zip(arguments, type_.inputs)]
        own = {name: kernel for name, kernel in self.kernels.items() if isinstance(kernel, Kernel)}
        of_gpu = {name: kernel.as_kernel for name, kernel in self.kernels.items() if isinstance(kernel, GpuKernel)}
        where = None if backend == INTERPRETER else backend
        launches = Launches(own, of_gpu, self._on_memrefs, where, self._made)
        hooks: dict[str, Any] = {"launched": launches.launched, "unknown": launches.unknown}
        if write is not None:
            hooks["write"] = write
        results = [*map(memory.given, call(self._on_memrefs, self.source, self.name, arguments, **hooks))]
        return results[0] if len(results) == 1 else tuple(results) or None


class GpuKernel(Launchable):
    """A kernel of gpu: `k[n](a, b)` executes it for `n` work-groups, or `k[x, y, z](a, b)`.

    A work-group has the work-items that the kernel's `known_block_size` or its one launch in the module says, else
    those of a sub-group. The interpreter executes it; other backends do where pytl reads it as a kernel of its own.
    """

    def __init__(self, name: str, module: Operation, source: Source, operation: Operation, whole: str) -> None:
        super().__init__(name, module, source, operation)
        self.whole = whole
        """Its name with that of its module."""

    @cached_property
    def _made(self) -> tuple[Kernel | None, Sequence[Diagnostic]]:
        from ..frontends.mlir.module import gpu_kernel
        from ..ir.values import Module

        diagnostics = Diagnostics()
        sizes = work_items_of(self.module, self.operation)
        functions = functions_beside(self.module, self.operation)
        made = gpu_kernel(self.operation, self.name.replace("::", "_"), diagnostics, sizes, functions)
        if made is None:
            return None, diagnostics.in_order()
        return next(iter(compile_module(Module.of(made)).values())), ()

    @property
    def kernel(self) -> Kernel:
        """The same as a kernel of the language."""
        return self.as_kernel()

    def as_kernel(self) -> Kernel:
        """The same as a kernel of the language. Raises `pytl.LanguageError`, which says why it is none."""
        kernel, problems = self._made
        if kernel is None:
            raise LanguageError(list(problems))
        return kernel

    def launch(self, groups: Any, arguments: Sequence[Any], backend: str | None) -> None:
        from ..backends.xegpu.interpreter.running import Program

        grid, block = launched_sizes(self.module, self.whole)
        if groups is not ...:
            grid = groups if isinstance(groups, tuple) else (groups,)
        backend = backend or BACKEND.get() or INTERPRETER
        if backend != INTERPRETER:
            self.kernel[grid or (1,)](*map(as_signed, arguments), backend=backend)
            return
        Program(self.source, self.whole, module=self.module).run(arguments, grid or (1,), block)


def of_module(
    module: Operation, source: Source, kernels: Mapping[str, Kernel], hosts: Mapping[str, Operation]
) -> dict[str, Any]:
    """The kernels of gpu and the functions of the host of a module, by their names."""
    from ..backends.xegpu.interpreter.running import symbols

    found: dict[str, Any] = {}
    for name, op in gpu_kernels(module).items():
        if _is_broken(op):
            continue
        whole = next(each for each, other in symbols(module) if other is op)
        if name not in kernels:
            found[name] = GpuKernel(name, module, source, op, whole)
    launched = {**kernels, **found}
    programs = host_functions(module)
    for name, op in hosts.items():
        if not _is_broken(op):
            found[name] = HostFunction(name, module, source, op, launched, hosts, name in programs)
    return found


def _is_broken(function: Operation) -> bool:
    """Whether a function could not be read as a whole, which has been told."""
    return any(op.is_broken for op in function.walk())
