"""Modules of MLIR with kernels of gpu: their kernels, and the functions of the host that launch these."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..diagnostics import Diagnostic, Diagnostics, LanguageError, LaunchError, Rule, Source
from .kernel import Kernel

if TYPE_CHECKING:
    from ..ir.values import Value
    from ..mlir.text import Operation

BACKEND = Rule(
    "PYTL-1340",
    "a function of the host, or a kernel of gpu, is executed by the interpreter, or on a backend that has code for it",
    "MLIR",
    explanation="The interpreter is the backend `reference` here: it executes all of the module. On another backend, "
    "the interpreter executes the host's function, and the backend its kernels, which must be ones that pytl reads.",
)
_INTERPRETER = "reference"


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

    def __init__(
        self, name: str, module: Operation, source: Source, operation: Operation, kernels: Mapping[str, Any]
    ) -> None:
        super().__init__(name, module, source, operation)
        self.kernels = kernels

    def launch(self, groups: Any, arguments: Sequence[Any], backend: str | None) -> Any:
        return self.run(arguments, backend)

    def run(
        self, arguments: Sequence[Any], backend: str | None = None, write: Callable[[str], Any] | None = None
    ) -> Any:
        """Execute the function on arrays of NumPy and numbers; what it gives, if anything."""
        from ..backends.xegpu.interpreter.running import call
        from .host_operations import Launches

        launches = Launches(self.kernels, self.module, backend or _INTERPRETER)
        hooks: dict[str, Any] = {"launched": launches.launched, "unknown": launches.unknown}
        if write is not None:
            hooks["write"] = write
        results = call(self.module, self.source, self.name, arguments, **hooks)
        return results[0] if len(results) == 1 else tuple(results) or None


class GpuKernel(Launchable):
    """A kernel of gpu: `k[n](a, b)` executes it for `n` work-groups, or `k[x, y, z](a, b)`.

    A work-group has the work-items that the kernel's `known_block_size` or its one launch in the module says, else
    those of a sub-group. The interpreter executes it; other backends do where pytl reads it as a kernel of its own.
    """

    def __init__(
        self,
        name: str,
        module: Operation,
        source: Source,
        operation: Operation,
        whole: str,
        problems: Sequence[Diagnostic] = (),
    ) -> None:
        super().__init__(name, module, source, operation)
        self.whole = whole
        self.problems = problems
        """Why it is no kernel of pytl's own."""

    def launch(self, groups: Any, arguments: Sequence[Any], backend: str | None) -> None:
        from ..backends.xegpu.interpreter.running import Program

        if backend not in (None, _INTERPRETER, "xegpu"):
            if self.problems:
                raise LanguageError(list(self.problems))
            message = f"@{self.name} is executed by the interpreter, and not by {backend}"
            raise LaunchError.single(BACKEND, message, self.operation.location, 'launch it with backend="reference"')
        program = Program(self.source, self.whole, module=self.module)
        grid, block = launched_sizes(self.module, self.whole)
        if groups is not ...:
            grid = groups if isinstance(groups, tuple) else (groups,)
        program.run(arguments, grid or (1,), block)


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


def of_module(module: Operation, source: Source, kernels: Mapping[str, Kernel]) -> dict[str, Any]:
    """The kernels of gpu and the functions of the host of a module, by their names."""
    from ..backends.xegpu.interpreter.running import symbols
    from ..frontends.mlir.hosts import gpu_kernels, host_functions

    found: dict[str, Any] = {}
    for name, op in gpu_kernels(module).items():
        whole = next(each for each, other in symbols(module) if other is op)
        if name not in kernels:
            found[name] = GpuKernel(name, module, source, op, whole)
    launched = {**kernels, **found}
    for name, op in host_functions(module).items():
        found[name] = HostFunction(name, module, source, op, launched)
    return found
