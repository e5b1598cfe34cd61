"""The kernels of examples/ on the backend xegpu, with its own choice of matrices and blocks."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from backends.test_xegpu import tools, verified
from sampling import at_night

import pytl
from pytl import f16, f32
from pytl.backends.xegpu.lowering import pipeline
from pytl.ir.types import GroupType, MemrefType

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str) -> ModuleType:
    specification = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    specification.loader.exec_module(module)
    return module


KERNELS: dict[str, Callable[[Any], Iterable[pytl.Kernel]]] = {
    "ader_volume": lambda module: module.with_contract(10, 6).values(),
    "attention": lambda module: [module.attention_kernel(f16, 32, 32)],
    "dg_advection": lambda module: module.kernels(2),
    "dpex_application": lambda module: module.make_kernels(4),
    "flash_attention": lambda module: [module.flash_attention_kernel(f16, 128, 16)],
    "fused_kernel": lambda module: [module.fused],
    "gallery": lambda module: [
        *(module.mandelbrot_kernel(32), module.interference_kernel(32), module.reaction_kernel(16))
    ],
    "ozaki": lambda module: [module.split_kernel(True), module.product_kernel(2)],
    "xe_gemm": lambda module: [module.xe_gemm],
}
"""The kernels of programs, in small sizes. That of dask_batches is fused_kernel's; flash_attention in f32, which the
matrix unit does not multiply, has texts of 90,000 lines, and a test of its own."""


FEW = ("attention", "dg_advection", "fused_kernel")
OF_DPNP = "dpex_application"
"""A program that needs dpnp to be imported."""
MOST = tuple(name for name in KERNELS if name != OF_DPNP)


def needs_dpnp(*values: Any) -> Any:
    return pytest.param(*values, marks=[pytest.mark.needs_dpnp, pytest.mark.needs_numba_dpex])


@pytest.mark.at_night
@tools
@pytest.mark.parametrize(
    ("names", "chip"),
    [
        (FEW, "bmg"),
        *at_night([(MOST, "pvc"), (MOST, "bmg"), needs_dpnp((OF_DPNP,), "pvc"), needs_dpnp((OF_DPNP,), "bmg")]),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{len(value)} programs",
)
def test_the_kernels_of_examples_are_verified_and_lowered(names: Iterable[str], chip: str) -> None:
    kernels = [kernel for name in names for kernel in KERNELS[name](example(name))]
    texts = [kernel.emit("xegpu", chip=chip) for kernel in kernels]
    lowered = verified("\n// -----\n".join(texts), f"--pass-pipeline={pipeline('llvm', chip)}")
    assert "xegpu." not in lowered and "builtin.unrealized_conversion_cast" not in lowered


def arguments(kernel: pytl.Kernel) -> list[Any]:
    """Numbers for one work-group, in arrays whose open sizes are one."""
    rng = np.random.default_rng(3)

    def array(type_: Any) -> np.ndarray:
        shape = [extent if isinstance(extent, int) else 1 for extent in type_.shape]
        dtype = np.dtype(DTYPES[type_.element.name])
        if dtype.kind in "iu":
            return np.zeros(shape, dtype, order="F")
        return np.asfortranarray(rng.integers(-8, 9, shape) / 8).astype(dtype, order="F")

    made: list[Any] = []
    for parameter in kernel.function.parameters:
        type_ = parameter.type
        if isinstance(type_, GroupType):
            made.append([array(type_.memref)])
        elif isinstance(type_, MemrefType):
            made.append(array(type_))
        else:
            made.append(2 if type_.is_integer else 0.5)
    return made


DTYPES = {
    "f16": "f2",
    "f32": "f4",
    "f64": "f8",
    "c64": "c16",
    "i8": "i1",
    "i32": "i4",
    "index": "i8",
    "bf16": ml_dtypes.bfloat16,
}


def arrays_of(values: list[Any]) -> Iterator[np.ndarray]:
    for value in values:
        yield from value if isinstance(value, list) else [value] if isinstance(value, np.ndarray) else []


@pytest.mark.at_most(1)
@pytest.mark.parametrize(
    "name",
    [
        "attention",
        "dg_advection",
        "fused_kernel",
        *at_night(["ader_volume", needs_dpnp(OF_DPNP), "flash_attention", "gallery", "xe_gemm"]),
    ],
)
def test_the_kernels_of_examples_compute_what_the_oracle_does(name: str) -> None:
    for kernel in KERNELS[name](example(name)):
        found, expected = arguments(kernel), arguments(kernel)
        kernel[1](*expected, backend="reference")
        kernel[1, {"interpreted": True}](*found, backend="xegpu")
        for ours, theirs in zip(arrays_of(found), arrays_of(expected)):
            np.testing.assert_allclose(
                ours.astype(complex), theirs.astype(complex), rtol=1e-3, atol=1e-4, err_msg=kernel.name
            )


@pytest.mark.at_night
@tools
def test_flash_attention_is_verified() -> None:
    """Its products of f32 are loops: what is unrolled has a bound."""
    kernel = example("flash_attention").flash_attention_kernel(f32, 512, 64)
    text = kernel.emit("xegpu")
    assert len(text.splitlines()) < 15_000  # 90,000 where all is unrolled
    verified(text)


@pytest.mark.at_night
def test_products_of_doubles_from_integers() -> None:
    module, rng = example("ozaki"), np.random.default_rng(3)
    A, B = (np.asfortranarray(rng.uniform(-1, 1, (32, 32))) for _ in range(2))
    C = module.multiply(A, B, 2, backend="xegpu", options={"interpreted": True})
    np.testing.assert_array_equal(C, module.multiply(A, B, 2, backend="reference"))
