"""Whether the processor's tile registers are used for products: a first product with a known result is tried.

It takes the same way as every kernel: the emitter, numba-dpex, the driver, and a launch. Its code is kept in the
compilation cache, so that later processes need a fifth of a second for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...devices.tile_registers import multiply_f16, unavailable_reason
from ...diagnostics import PlatformError, PytlError, Rule, warn
from ...ir.text import parse
from ...ir.values import Function
from ...passes import Pipeline
from ...passes.targets.machine import MACHINES
from ...process import forks
from ..base import ArrayView, Backend, Lowered, MemrefArgument
from ..machines import PROCESSOR
from .builds import device_name
from .options import pipeline

NO_TILES = Rule(
    "PYTL-3027",
    "the processor has tile registers where a launch asks for them, and they give right results",
    "Cooperative matrix mul add",
    explanation="""Without the option matrix, products of bf16, f16 and i8 go to tile registers (AMX) where the \
processor has them and Linux lets the process use them, after a first product with a known result. If that is wrong, a \
warning says so once, and vectors compute instead.""",
)
SMALLEST_F16 = 2.0**-24
SUMS = {"bf16": "f32", "f16": "f32", "i8": "i32"}
TEXT = """
func @tile_check(%A: memref<{t}x24x64>, %B: memref<{t}x64x20>, %C: memref<{s}x24x20>)
    attributes{{subgroup_size=16, work_group_size=[16,1], "strategy"="one-item"}} {{
  %zero = constant 0 : index
  %end = constant 64 : index
  %half = constant 32 : index
  parallel {{
    %c = cooperative_matrix_load.n %C[%zero, %zero] : coopmatrix<{s}x24x20,matrix_acc>
    %d = for %k = %zero, %end, %half init(%sum = %c) -> (coopmatrix<{s}x24x20,matrix_acc>) {{
      %a = cooperative_matrix_load.n %A[%zero, %k] : coopmatrix<{t}x24x32,matrix_a>
      %b = cooperative_matrix_load.n %B[%k, %zero] : coopmatrix<{t}x32x20,matrix_b>
      %m = cooperative_matrix_mul_add %a, %b, %sum : coopmatrix<{s}x24x20,matrix_acc>
      yield (%m)
    }}
    cooperative_matrix_store %d, %C[%zero, %zero]
  }}
}}"""
"""A product of two steps."""


class TileRegisters:
    """Decides for each function, and tries a device's tile registers before the first launch on it."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._lock = forks.rlock()
        self._failures: dict[Any, str | None] = {}

    def are_used(self, matrix: str, function: Function, queue: Any) -> bool:
        """Whether a function's products, which tile registers compute, use them, for the option `matrix` of a launch.

        Without a queue only code that is shown does. Raises PYTL-3027 where a launch demands tile registers that cannot
        be used.
        """
        if matrix == "vectors":
            return False
        if matrix == "amx" and queue is None:
            return True
        problem = self._problem(queue)
        if problem is None or matrix == "auto":
            return problem is None
        raise PlatformError.single(
            NO_TILES,
            f"@{function.name} is launched with matrix='amx', but {problem}",
            help="leave the option out: vectors compute its products then",
        )

    def _problem(self, queue: Any) -> str | None:
        problem = unavailable_reason()
        if problem is not None:
            return problem
        if queue is None:
            return next(filter(None, self._failures.values()), None)
        device = queue.sycl_device
        if not device.is_cpu:
            return f"{device_name(device)} is no processor"
        with self._lock:
            if device not in self._failures:
                failure = self._failures[device] = fails(self._backend, queue)
                if failure is not None:
                    warn(NO_TILES, f"the tile registers of {device_name(device)} are not used: {failure}")
            return self._failures[device]


def fails(backend: Backend, queue: Any) -> str | None:
    """The fault of products on tile registers on a queue's device; None where they are right."""
    try:
        for element in SUMS:
            if element == "f16" and not multiply_f16():
                continue
            if not _is_right(backend, queue, element):
                return f"a product of {element} has a wrong result"
    except PytlError as error:
        return error.diagnostics[0].message
    return None


def _is_right(backend: Backend, queue: Any, element: str) -> bool:
    numbers = np.random.default_rng(1)
    a, b, c = (numbers.integers(-4, 5, shape) for shape in ((24, 64), (64, 20), (24, 20)))
    scale = SMALLEST_F16 if element == "f16" else 1  # its small numbers are no zeros
    arrays = [_stored(a * scale, element), _stored(b, element), _stored(c * scale, SUMS[element])]
    expected = _stored((c + a @ b) * scale, SUMS[element])
    function = parse(TEXT.format(t=element, s=SUMS[element])).functions[0]
    machine = MACHINES["amxfp16" if element == "f16" else "amx"]
    options = {"strategy": "one-item", "matrix": "amx", PROCESSOR: machine.name}
    lowered = Lowered(Pipeline(pipeline(options)).run_on(function), options)
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
