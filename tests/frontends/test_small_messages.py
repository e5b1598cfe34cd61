"""What a kernel's author writes out of habit, and what they are told to write instead."""

import sys

import numpy as np
import pytest
from tracing_kit import findings, function

import pytl
from pytl.devices.usm import library_name

HEAD = (
    "def kernel(A: Memref[f32, 16, 8], B: Memref[f32, 8, 8], b: Memref[f32, 8], w: Memref[f32, 16], x: f32, n: i32, "
    "i: index, z: c32):"
)
PARAMETER = "pass it as a parameter of the kernel, G: Memref[f64, 4, 3]"

HELP = [
    ("y = x // 2.0", "// is not defined on f32", "on floating numbers write x / 2.0"),
    ("y = z // 2.0", "// is not defined on c32", "on complex numbers write z / 2.0"),
    ("y = n / 2", "/ is not defined on i32", "on integers write n // 2"),
    ("y = n / 2.0", "/ is not defined on i32", "cast the integer, f64(n) / 2.0; on integers there is //"),
    ("y = 1.0 / n", "/ is not defined on i32", "cast the integer, 1.0 / f64(n); on integers there is //"),
    (
        "breakpoint()",
        "breakpoint can't be called in a kernel",
        "write pytl.debug(lambda x: breakpoint()), which the reference backend calls with the value of x",
    ),
    (
        "gemm(1.0, A, b, 0.0, w)",
        "gemm: B is memref<f32x8>, of order 1",
        "the product of a matrix and a vector is gemv: c := alpha A b + beta c",
    ),
    (
        "gemm(1.0, w, A, 0.0, b)",
        "gemm: A is memref<f32x16>, of order 1",
        "the product of a vector and a matrix is gemv of the transposed matrix: c := alpha Bᵀ a + beta c",
    ),
    (
        "gemm(1.0, w, b, 0.0, A)",
        "gemm: A is memref<f32x16>, of order 1",
        "the product of a column and a row is ger: C := alpha a bᵀ + beta C",
    ),
    (
        "gemv(1.0, A, B, 0.0, A)",
        "gemv: b is memref<f32x8x8>, of order 2",
        "the product of two matrices is gemm: C := alpha A B + beta C",
    ),
    ("y = G[i, 0]", "a Python ndarray can't be indexed with a tuple", PARAMETER),
    ("G[0, 0] = x", "nothing can be stored in a Python ndarray", PARAMETER),
    ("G[:] = x", "nothing can be stored in a Python ndarray", PARAMETER),
    ("y = x * G", "* is not defined on a Python ndarray", PARAMETER),
    ("y = x < G", "< is not defined on a Python ndarray", PARAMETER),
    ("y = A @ G", "@ is not defined on a Python ndarray", PARAMETER),
    ("A[:] = G", "a Python ndarray is assigned to a view", PARAMETER),
]


@pytest.mark.parametrize(("statement", "wrong", "help"), HELP)
def test_help(statement, wrong, help):
    kernel = function(f"{HEAD}\n    {statement}\n", "<kernel>", G=np.ones((4, 3)))
    first = findings(kernel)[0]
    assert (first.message, first.help) == (wrong, help)


@pytest.mark.parametrize(
    ("dtype", "element"),
    [
        ("int8", "i8"),
        ("int64", "i64"),
        ("float16", "f16"),
        ("complex64", "c32"),
        ("complex128", "c64"),
        ("uint8", "f32"),
    ],
)
def test_a_parameter_has_the_type_of_the_array(dtype, element):
    kernel = function(f"{HEAD}\n    y = x * G\n", "<kernel>", G=np.ones(5, dtype))
    (found,) = findings(kernel)
    assert found.help == f"pass it as a parameter of the kernel, G: Memref[{element}, 5]"


def test_numbers_of_an_array_are_constants():
    """What is known while the kernel is traced may come from an array."""
    kernel = function(f"{HEAD}\n    b[0] = G[0, 1] * x\n", G=np.full((4, 3), 2.5))
    assert "constant 0x1.4p+1 : f32" in str(pytl.frontends.python.trace(kernel))


@pytest.mark.needs_dpnp
def test_the_help_on_layouts_names_what_the_library_has():
    """Each fix is a call of the array's own library, and the launch takes what it gives."""
    import dpnp
    from device_kit import dpt

    name = library_name()

    kernel = pytl.kernel(function("def kernel(A: Memref[f32, 3, 4]): A[0, 0] = 5.0"))
    rows = np.arange(12, dtype=np.float32).reshape(3, 4)
    for array, convert, create in [
        (rows, "numpy.asfortranarray(A)", "numpy"),
        (dpt.asarray(rows), f'{name}.copy(A, order="F")', name),
        (dpnp.asarray(rows), "dpnp.asfortranarray(A)", "dpnp"),
    ]:
        with pytest.raises(pytl.LaunchError) as caught:
            kernel[1](array)
        (found,) = caught.value.diagnostics
        wanted = f"the array is in C order: write A = {convert} before the launch, "
        assert found.help == wanted + f'or create it with {create}.empty(…, order="F")'
        space = {"A": array, "numpy": np, "dpctl": sys.modules["dpctl"], "dpnp": dpnp}
        fitting = eval(convert, space)
        kernel[1](fitting)
        assert float(fitting[0, 0]) == 5.0
        assert eval(f'{create}.empty((3, 4), order="F")', space).strides != array.strides
        double = eval(f'{create}.empty((3, 4), dtype="f8", order="F")', space)
        with pytest.raises(pytl.LaunchError) as caught:
            kernel[1](double)
        call = caught.value.diagnostics[0].help.partition("once with ")[2].partition(", or")[0]
        kernel[1](eval(call, {**space, "A": double}))


def test_what_a_launch_keeps_apart_is_private():
    assert not hasattr(pytl.Kernel, "pairs")


@pytest.mark.parametrize("word", ["nonlocal", "global"])
def test_a_name_that_cannot_be_rebound_is_told_once(word):
    text = (
        "def kernel(w: Memref[f32, 16], x: f32):\n"
        "    def add(v):\n"
        f"        {word} total\n"
        "        total = total + v\n"
        "    total = f32(0.0)\n"
        "    add(x)\n"
        "    w[0] = total\n"
    )
    (found,) = findings(text)
    assert found.code == "PYTL-1030" and "rebind a name" in found.message
