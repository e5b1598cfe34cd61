"""`pytl.from_mlir`: kernels from modules of MLIR."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..diagnostics import Diagnostic, Diagnostics, LanguageError, Source
from ..diagnostics.errors import warn_at
from ..ir.argument_checks import check_text, name_of_source
from ..ops.launch_defaults import RAISE_LOOPS
from .kernel import Kernel
from .kernel import compile as compile_module
from .tensor_kernel import as_called

if TYPE_CHECKING:
    from ..mlir.text import Operation


def from_mlir(text: str | Operation, name: str = "<text>", *, raise_loops: bool = True) -> dict[str, Kernel]:
    """Kernels from a module of MLIR, each function by its name.

    Parameters: `text`, in the custom or the generic form of the dialects builtin, func, arith, math, scf, cf, affine,
    memref, vector and linalg, or a module that `pytl.mlir.text.read_text` gave; `name`, how diagnostics call the text;
    without `raise_loops`, loops that are products or sums of tensors are executed as loops, with sums in their order.

    A launch takes for a memref an array of the memref's shape, in C order where its layout is the identity. The
    outermost parallel loop, or batch, is dealt out to the work-groups: `k[...]` launches one for each of its
    iterations, and any other number executes all of it, too. Functions on tensors take and return arrays, and `k.grid`
    says what is dealt out; where their elements say sizes, or how often a loop is executed, the host executes them, and
    launches their operations. Raises `pytl.LanguageError` with everything that is wrong with the text; where some
    functions can be read and others can't, warns of what is wrong with these, which `[…]` of what is returned raises.

    Of a module with kernels of gpu, `kernels["k"][n](…)` executes a kernel for `n` work-groups, and `kernels["run"](…)`
    a function of the host with its launches: on the interpreter, or on the backend that is named. Guide: MLIR in.

    >>> import numpy as np
    >>> import pytl
    >>> kernels = pytl.from_mlir('''
    ... func.func @double(%x: memref<4x3xf32>) {
    ...   linalg.add ins(%x, %x : memref<4x3xf32>, memref<4x3xf32>) outs(%x : memref<4x3xf32>)
    ...   return
    ... }''')
    >>> x = np.ones((4, 3), np.float32)
    >>> kernels["double"][...](x, backend="reference")
    >>> x[3].tolist()
    [2.0, 2.0, 2.0]
    """
    from ..frontends.mlir.module import convert
    from ..mlir.text import Operation, read_text
    from .gpu_modules import of_module

    if isinstance(text, Operation):
        operation, diagnostics = text, Diagnostics()
    else:
        check_text(text, "pytl.from_mlir")
        operation, diagnostics = read_text(text, name_of_source(name))
    module = convert(operation, diagnostics)
    if diagnostics.errors:
        raise LanguageError(diagnostics.in_order())
    if not raise_loops:
        for function in module.functions:
            for each in (function, *(step.function for step in getattr(function.calling, "steps", ()))):
                each.attributes.pop(RAISE_LOOPS, None)
    left_out = [each for each in diagnostics.in_order() if each.severity == "warning"]
    for each in left_out:
        warn_at(each)
    compiled = compile_module(module) if module.functions else {}
    kernels: dict[str, Any] = {each: as_called(kernel) for each, kernel in compiled.items()}
    source = Source(name_of_source(name), "" if isinstance(text, Operation) else text)
    return Kernels(left_out, {**kernels, **of_module(operation, source, kernels, module.hosts)})


class Kernels(dict[str, Kernel]):
    """Kernels by their names, and what is wrong with the functions that could not be read."""

    def __init__(self, left_out: Sequence[Diagnostic], kernels: Mapping[str, Kernel]) -> None:
        super().__init__(kernels)
        self._left_out = left_out

    def __missing__(self, name: str) -> Kernel:
        if self._left_out:
            raise LanguageError([each.with_severity("error") for each in self._left_out])
        raise KeyError(name)


def find_in_text(text: str, name: str, wanted: str | None) -> Any:
    """A function of the host or a kernel of gpu of a text, by its name; without one, `main` of a text without kernels,
    or the only function.

    Raises `pytl.LanguageError` where it can't be read, which says why.
    """
    from ..backends.xegpu.interpreter.running import symbols
    from ..frontends.mlir.hosts import gpu_kernels
    from ..frontends.mlir.module import convert
    from ..mlir.text import read_text
    from .gpu_modules import Launchable

    module, diagnostics = read_text(text, name)
    converted = convert(module, diagnostics)
    found = {**gpu_kernels(module), **converted.hosts}
    others = [each for each, op in symbols(module) if op.name == "func.func" and op.regions and each not in found]
    if wanted is None and "main" in found and not others:
        wanted = "main"
    if wanted is None and len(found) == 1 and not converted.functions:
        (wanted,) = found
    if wanted not in found:
        return None
    launchable = from_mlir(text, name)[wanted]
    return launchable if isinstance(launchable, Launchable) else None
