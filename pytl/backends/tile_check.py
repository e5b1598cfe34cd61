"""Whether the processor's tile registers are used for products: a first product with a known result is tried.

It takes the same way as every kernel of its backend. Its code is kept in the compilation cache, so that later processes
need a fifth of a second for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..diagnostics import PlatformError, PytlError, Rule, warn
from ..ir.text import parse
from ..ir.values import Function
from ..passes import Pipeline
from ..passes.targets import amx
from ..passes.targets.machine import MACHINES
from ..process import forks
from .base import ArrayView, Backend, Lowered, MemrefArgument
from .machines import PROCESSOR

NO_TILES = Rule(
    "PYTL-3027",
    "the processor has tile registers where a launch asks for them, and they give right results",
    "Cooperative matrix mul add",
    explanation="""Without the option matrix, products of bf16, f16 and i8 go to tile registers (AMX) where the \
processor has them and Linux lets the process use them, after a first product with a known result. If that is wrong, a \
warning says so once, and vectors compute instead.""",
)
SMALLEST_F16 = 2.0**-24
SUMS = {factor.name: sums.name for factor, sums in amx.SUMS.items()}
TEXT = """
func @tile_check(%A: memref<{t}x24x64>, %B: memref<{t}x64x20>, %C: memref<{s}x24x20>)
    attributes{{"strategy"="one-item"}} {{
  %alpha = constant {one} : {t}
  %beta = constant {one} : {s}
  gemm.n.n %alpha, %A, %B, %beta, %C
}}"""
"""A product of two steps."""


class TileRegisters:
    """Decides for each function, and tries a device's tile registers before the first launch on it."""

    tries_without_queue = False
    """Whether products are executed without a queue; otherwise code is only shown then."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._lock = forks.rlock()
        self._failures: dict[str, str | None] = {}

    def reason(self, queue: Any) -> str | None:
        """Why a queue's device has none, in the words of a message; None where it has."""
        raise NotImplementedError

    def multiplies_f16(self) -> bool:
        raise NotImplementedError

    def name(self, queue: Any) -> str:
        """The device's name in messages."""
        raise NotImplementedError

    def options(self) -> Mapping[str, Any]:
        """The complete options of the first product, but for the machine."""
        raise NotImplementedError

    def are_used(self, matrix: str, function: Function, queue: Any) -> bool:
        """Whether a function's products, which tile registers compute, use them, for the option `matrix` of a launch.

        Without a queue only code that is shown does. Raises PYTL-3027 where a launch demands tile registers that cannot
        be used.
        """
        if matrix == "vectors":
            return False
        if matrix == "amx" and queue is None:
            return True
        problem = self.problem(queue)
        if problem is None or matrix == "auto":
            return problem is None
        raise refused(function, problem)

    def problem(self, queue: Any) -> str | None:
        """Why products do not use a device's tile registers; None where they do."""
        reason = self.reason(queue)
        if reason is not None:
            return reason
        if queue is None and not self.tries_without_queue:
            return next(filter(None, self._failures.values()), None)
        name = self.name(queue)
        with self._lock:
            if name not in self._failures:
                self._failures[name] = None  # the first product asks, too
                failure = self._failures[name] = fails(self, self._backend, queue)
                if failure is not None:
                    warn(NO_TILES, f"the tile registers of {name} are not used: {failure}")
            return self._failures[name]


def refused(function: Function, problem: str) -> PytlError:
    """What is raised where a launch demands what cannot be used."""
    return PlatformError.single(
        NO_TILES,
        f"@{function.name} is launched with matrix='amx', but {problem}",
        help="leave the option out: vectors compute its products then",
    )


def fails(registers: TileRegisters, backend: Backend, queue: Any) -> str | None:
    """The fault of products on tile registers on a queue's device; None where they are right."""
    machine = MACHINES["amxfp16" if registers.multiplies_f16() else "amx"]
    options = {**registers.options(), "matrix": "amx", PROCESSOR: machine.name}
    try:
        for element in amx.tile_factors(machine):
            if not _is_right(backend, queue, element, options):
                return f"a product of {element} has a wrong result"
    except PytlError as error:
        return error.diagnostics[0].message
    return None


def first_product(element: str) -> Function:
    """The function of the first product of an element type."""
    one = "1" if element == "i8" else "1.0"
    return parse(TEXT.format(t=element, s=SUMS[element], one=one)).functions[0]


def _is_right(backend: Backend, queue: Any, element: str, options: Mapping[str, Any]) -> bool:
    numbers = np.random.default_rng(1)
    a, b, c = (numbers.integers(-4, 5, shape) for shape in ((24, 64), (64, 20), (24, 20)))
    scale = SMALLEST_F16 if element == "f16" else 1  # its small numbers are no zeros
    arrays = [_stored(a * scale, element), _stored(b, element), _stored(c * scale, SUMS[element])]
    expected = _stored((c + a @ b) * scale, SUMS[element])
    lowered = Lowered(Pipeline(backend.passes(options)).run_on(first_product(element)), options)
    backend.launch(lowered, [_argument(array) for array in arrays], 1, lowered.options, queue)
    return bool((arrays[2] == expected).all())


def _stored(numbers: np.ndarray, element: str) -> np.ndarray:
    """Numbers that an element type has, column by column; bf16 as the upper half of f32."""
    if element == "bf16":
        bits = np.asfortranarray(numbers, np.float32).view(np.uint32) >> 16
        return np.asfortranarray(bits.astype(np.uint16))
    dtype = {"f16": np.float16, "f32": np.float32, "i8": np.int8, "i32": np.int32}[element]
    return np.asfortranarray(numbers.astype(dtype))


def _argument(array: np.ndarray) -> MemrefArgument:
    strides = tuple(stride // array.itemsize for stride in array.strides)
    view = ArrayView(array, array.ctypes.data, array.shape, strides, array.itemsize)
    return MemrefArgument(view, array.shape, strides, written=True)
