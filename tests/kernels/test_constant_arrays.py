"""Arrays of the host in place of memrefs: they are part of the kernel, and their zeros are known."""

import numpy as np
import pytest
from differential.cases import NEEDS_SYCL

import pytl
from pytl import Memref, TraceError, axpby, constexpr, f32, gemm, gemv, group_id

MATRIX = np.array([[1, 0, 2], [0, 3.5, 0]], np.float32)


@pytl.kernel
def multiply(K: constexpr, B: Memref[f32, 3, 4, ...], C: Memref[f32, 2, 4, ...]):
    g = group_id()
    gemm(1.0, K, B[:, :, g], 1.0, C[:, :, g])
    gemm(2.0, K, B[:, :, g], 1.0, C[:, :, g])


@pytl.kernel
def by_its_name(x: Memref[f32, 3], y: Memref[f32, 2]):
    gemv(1.0, MATRIX, x, 0.0, y)


def numbers(*shape: int) -> np.ndarray:
    return np.asfortranarray(np.random.default_rng(1).random(shape), np.float32)


def test_the_values_are_part_of_the_text():
    (parameter,) = (p for p in multiply.specialize(K=MATRIX).function.parameters if p.name == "K")
    assert str(parameter.type) == "memref<f32x2x3>" and parameter.attributes["pattern"] == ["x.", ".x", "x."]
    assert parameter.attributes["values"][1] == "0x0.0p+0 0x1.c000000000000p+1"
    assert len(by_its_name.function.parameters) == 3


BACKENDS = [
    "reference",
    pytest.param("sycl", marks=NEEDS_SYCL),
    pytest.param("mlir", marks=pytest.mark.tools_of("mlir")),
]


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_launches_pass_the_array(backend):
    b, expected = numbers(3, 4, 5), 3 * np.einsum("ik,kjg->ijg", MATRIX, numbers(3, 4, 5))
    traced = multiply.specialize(K=MATRIX)
    read = pytl.compile(str(traced))["multiply"]
    for launch in (lambda *a, **k: multiply[5](MATRIX, *a, **k), traced[5], read[5]):
        c = np.zeros((2, 4, 5), np.float32, order="F")
        for times in (1, 2):
            launch(b, c, backend=backend)
            np.testing.assert_allclose(c, times * expected, rtol=1e-5)
    c[...] = 0
    read[5].bind(b, C=c, backend=backend)()
    np.testing.assert_allclose(c, expected, rtol=1e-5)


@NEEDS_SYCL
@pytest.mark.needs_tensors
def test_a_launch_that_does_not_wait_has_it_on_the_device():
    from pytl.devices.usm import on_host, tensor_library

    library = tensor_library()
    b, c = (library.asarray(array, order="F") for array in (numbers(3, 4, 5), np.zeros((2, 4, 5), np.float32)))
    multiply.specialize(K=MATRIX)[5].submit(b, c).wait()
    np.testing.assert_allclose(on_host(c), 3 * np.einsum("ik,kjg->ijg", MATRIX, numbers(3, 4, 5)), rtol=1e-5)


def test_a_changed_array_is_traced_anew(monkeypatch):
    x, y = numbers(3), np.zeros(2, np.float32)
    by_its_name[1](x, y, backend="reference")
    np.testing.assert_allclose(y, MATRIX @ x, rtol=1e-5)
    monkeypatch.setitem(globals(), "MATRIX", MATRIX + 1)
    by_its_name[1](x, y, backend="reference")
    np.testing.assert_allclose(y, (MATRIX) @ x, rtol=1e-5)


def test_an_array_of_integers_is_one_parameter():
    table = np.arange(12, dtype=np.int64).reshape(4, 3)

    @pytl.kernel
    def copy(out: Memref[pytl.i64, 4, 3], again: Memref[pytl.i64, 4, 3]):
        axpby(1, table, 0, out)
        axpby(1, table, 0, again)

    assert [p.name for p in copy.function.parameters] == ["out", "again", "table"]
    out, again = (np.zeros((4, 3), np.int64, order="F") for _ in range(2))
    copy[1](out, again, backend="reference")
    assert (out == table).all() and (again == table).all()


@pytest.mark.parametrize(
    ("array", "problem"),
    [
        (np.zeros((2, 3), np.complex64), "it is an array of complex64"),
        (np.zeros((2, 3), np.bool_), "it is an array of bool"),
        (np.zeros((0, 3), np.float32), "it is an array of 2 modes and 0 elements"),
        (np.zeros((200, 300), np.float32), "it is an array of 2 modes and 60000 elements"),
    ],
)
def test_other_arrays_are_refused(array, problem):
    with pytest.raises(TraceError) as caught:
        multiply.specialize(K=array).module
    found = caught.value.diagnostics[0]
    assert found.rule.code == "PYTL-1090" and found.message == problem
