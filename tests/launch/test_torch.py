"""Tensors of torch on the processor. `nox -s nightly` installs torch; CI does not, for it weighs 4.7 GB."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from launch_kit import BACKENDS, clean_python

import pytl
from pytl import Memref, axpby, bf16, c32, f32, gemm, group_id

pytestmark = pytest.mark.needs_torch


@pytl.kernel
def products(alpha: f32, A: Memref[f32, 16, 8, ...], B: Memref[f32, 8, 8], C: Memref[f32, 16, 8, ...]):
    g = group_id()
    gemm(alpha, A[:, :, g], B, 0.0, C[:, :, g])


@pytl.kernel
def double(A: Memref[bf16, 8], B: Memref[bf16, 8]):
    axpby(2.0, A, 0.0, B)


@pytl.kernel
def double_complex(A: Memref[c32, 8], B: Memref[c32, 8]):
    axpby(2.0, A, 0.0, B)


@pytest.fixture
def torch() -> Any:
    import torch

    return torch


def column_major(tensor: Any) -> Any:
    """A tensor whose first mode is contiguous."""
    return tensor.permute(*reversed(range(tensor.ndim)))


@pytest.mark.parametrize("backend", [*BACKENDS, "opencl", "mlir"])
def test_tensors_are_read_and_written_in_place(torch: Any, backend: str) -> None:
    if pytl.backends.registry.find_backend(backend).unavailable():
        pytest.skip(f"what {backend} needs is not installed here")
    A, C = (column_major(torch.rand(5, 8, 16)) for _ in range(2))
    B, place = column_major(torch.rand(8, 8)), C.data_ptr()
    products[5](2.0, A, B, C, backend=backend)
    np.testing.assert_allclose(C.numpy(), 2 * np.einsum("ijg,jk->ikg", A.numpy(), B.numpy()), rtol=1e-5)
    assert C.data_ptr() == place


@pytest.mark.parametrize("backend", BACKENDS)
def test_bfloat16_and_complex(torch: Any, backend: str) -> None:
    x, y = torch.arange(8, dtype=torch.bfloat16), torch.zeros(8, dtype=torch.bfloat16)
    double[1](x, y, backend=backend)
    assert torch.equal(y, 2 * x)
    z, w = torch.complex(torch.arange(8.0), torch.ones(8)), torch.zeros(8, dtype=torch.complex64)
    double_complex[1](z, w, backend=backend)
    assert torch.equal(w, 2 * z)


def test_what_torch_does_not_export_is_told(torch: Any) -> None:
    y = torch.zeros(8, dtype=torch.complex64)
    z = torch.ones(8, dtype=torch.complex64)
    for given, reason in (
        (z.clone().requires_grad_(), "requires? grad"),
        (z.to("meta"), "meta"),
        (z.to_sparse(), "layout other than torch.strided"),
        (z.conj(), "conj"),
    ):
        with pytest.raises(pytl.LaunchError, match=rf"PYTL-2040(.|\n)*{reason}"):
            double_complex[1](given, y, backend="reference")
    assert not y.any()


def test_groups_bound_launches_and_einsum(torch: Any) -> None:
    x, y = torch.arange(8, dtype=torch.bfloat16), torch.zeros(8, dtype=torch.bfloat16)
    bound = double[1].bind(x, y)
    bound()
    assert torch.equal(y, 2 * x)
    a, b = torch.rand(3, 4), torch.rand(4, 5)
    np.testing.assert_allclose(np.asarray(pytl.einsum("ij,jk->ik", a, b)), (a @ b).numpy(), rtol=1e-5)


def test_torch_that_is_imported_after_pytl_and_dpnp_has_its_own_mkl() -> None:
    source = (
        "import pytl, dpctl\n"
        "try: import dpnp\nexcept ImportError: pass\n"
        "import torch\n"
        "a = torch.rand(100, 100, dtype=torch.float64)\n"
        "print(abs((a @ a).numpy() - a.numpy() @ a.numpy()).max() < 1e-12, len(torch.linalg.eigvalsh(a + a.T)))"
    )
    assert clean_python(source).stdout.split() == ["True", "100"]
