"""Running small kernels of the device library on NumPy arrays."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from mlir_kit import by_hand  # noqa: F401  # a fixture

DTYPES = {
    "i8": np.dtype(np.int8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "c32": np.dtype(np.complex64),
    "c64": np.dtype(np.complex128),
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}


class Device:
    """The default device, as something that calls kernels with NumPy arrays and writes their results back."""

    def __init__(self) -> None:
        from pytl.devices.bootstrap import SyclUnavailable, load_sycl

        try:
            load_sycl()
        except SyclUnavailable as error:
            pytest.skip(str(error))
        import dpctl

        self.queue = dpctl.SyclQueue()

    def compile(self, source: str, *arguments, subgroup_size: int | None = None):
        """Build the only function of a source for arguments like these."""
        from pytl.backends.numba_dpex import launch, toolchain

        kinds = [(launch.Array if isinstance(a, np.ndarray) else launch.Scalar)(NAMES[a.dtype]) for a in arguments]
        return toolchain.build(source, source.split("def ")[1].split("(")[0], kinds, subgroup_size)

    def run(self, source: str, *arguments, groups: int = 1, items: int = 1) -> None:
        self.launch(self.compile(source, *arguments), *arguments, groups=groups, items=items)

    def launch(self, kernel, *arguments, groups: int = 1, items: int = 1) -> None:
        from pytl.backends.numba_dpex import launch

        memory = {k: self.upload(a) for k, a in enumerate(arguments) if isinstance(a, np.ndarray)}
        passed = [memory[k]._pointer if k in memory else a for k, a in enumerate(arguments)]
        launch.load(self.queue, kernel).submit(self.queue, passed, groups, items).wait()
        for k, device_memory in memory.items():
            arguments[k].view(np.uint8)[...] = device_memory.copy_to_host()[: arguments[k].nbytes]

    def upload(self, array: np.ndarray):
        import dpctl.memory

        memory = dpctl.memory.MemoryUSMDevice(max(array.nbytes, 1), queue=self.queue)
        if array.nbytes:
            memory.copy_from_host(array.view(np.uint8))
        return memory

    def evaluate(self, expressions: dict[str, str], **inputs: np.ndarray) -> list[np.ndarray]:
        """The values of expressions in the named inputs, element by element; a dict gives each its type."""
        size = len(next(iter(inputs.values())))
        results = [np.zeros(size, DTYPES[dtype]) for dtype in expressions.values()]
        parameters = [f"{name}_array" for name in inputs] + [f"r{k}_array" for k in range(len(results))]
        lines = [f"def evaluate(item, {', '.join(parameters)}):", "    i = group_id()"]
        lines += [f"    {name} = global_{NAMES[a.dtype]}({name}_array)[i]" for name, a in inputs.items()]
        lines += [
            f"    global_{dtype}(r{k}_array)[i] = {expression}"
            for k, (expression, dtype) in enumerate(expressions.items())
        ]
        self.run("\n".join(lines), *inputs.values(), *results, groups=size)
        return results


@pytest.fixture(scope="session")
def device() -> Device:
    return Device()
