"""The warning on a parameter's name that is given to a tensor which nothing reads."""

import warnings

import pytest
from tracing_kit import function

import pytl

HEAD = "A: Memref[f32, 4, 4], B: Memref[f32, 4, 4], C: Memref[f32, 4, 4]"
TOLD = "[PYTL-1085] C names a new tensor from here on, which nothing reads; the argument for C stays as it was; "
TOLD += "write C[:] = … to store in the argument"


def warned(statements):
    """What tracing the statements warns of: the text and the line of each."""
    kernel = pytl.kernel(function(f"def kernel({HEAD}):\n{statements}\n", "<kernel>"))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        print(kernel)
    return [(str(warning.message), warning.lineno) for warning in caught]


@pytest.mark.parametrize(
    "statements",
    ["    C = A @ B", "    C = A @ B.T\n    A[:] = 0.0", "    C = alloca(f32, 4, 4)\n    gemm(1.0, A, B, 0.0, C)"],
)
def test_a_product_that_is_lost(statements):
    assert warned(statements) == [(TOLD, 2)]


def test_each_is_told():
    statements = "    C = A @ B\n    A = B @ B"
    assert [line for _, line in warned(statements)] == [2, 3]


@pytest.mark.parametrize(
    "statements",
    [
        "    C[:] = A @ B",
        "    A = A @ B\n    C[:] = A",
        "    A = A @ B\n    C[:, 0] = A[:, 1]",
        "    A = alloca(f32, 4, 4)\n    A[:] = 1.0\n    gemm(1.0, A, B, 1.0, C)",
        "    A = alloca(f32, 4, 4)\n    for i in foreach(4):\n        A[i, 0] = 1.0\n        C[i, 0] = A[i, 0]",
        "    T = A @ B",
        "    A = B",
        "    A = f32(1.0)\n    C[0, 0] = A",
    ],
)
def test_what_is_not_warned_of(statements):
    assert warned(statements) == []


def test_a_parameter_of_a_helper():
    def helper(C, A):
        C = A @ A

    @pytl.kernel
    def kernel(A: pytl.Memref[pytl.f32, 4, 4], C: pytl.Memref[pytl.f32, 4, 4]):
        helper(C, A)

    with pytest.warns(UserWarning, match="PYTL-1085"):
        print(kernel)
