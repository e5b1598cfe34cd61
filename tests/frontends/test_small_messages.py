"""What a kernel's author writes out of habit, and what they are told to write instead."""

import sys

import numpy as np
import pytest
from tracing_kit import findings, function, functions

import pytl
from pytl.devices.usm import library_name

HEAD = (
    "def kernel(A: Memref[f32, 16, 8], B: Memref[f32, 8, 8], b: Memref[f32, 8], w: Memref[f32, 16], x: f32, n: i32, "
    "i: index, z: c32):"
)
PARAMETER = "pass it as a parameter of the kernel, G: Memref[f64, 4, 3]"

HELP = [
    ("y = x // 2.0", "// is not defined on f32", "on floating numbers write floor(x / 2.0)"),
    ("y = x\n    y //= x + 2.0", "// is not defined on f32", "on floating numbers write floor(y / (x + 2.0))"),
    (
        "y = (x > 0.5) * 1.0",
        "the Python float 1.0 is used where a bool is expected",
        "choose a number: 1.0 if x > 0.5 else 0.0; or cast the truth value: f32(x > 0.5)",
    ),
    (
        "y = 2 - (x > 0.5)",
        "the Python int 2 is used where a bool is expected",
        "choose a number: 1 if x > 0.5 else 0; or cast the truth value: i32(x > 0.5)",
    ),
    ("y = (x > 0.5) & 1", "the Python int 1 is used where a bool is expected", "write True or False"),
    ("y = (x > 0.5) * x", "* on bool and f32", "cast the truth value: f32(x > 0.5)"),
    ("y = x\n    y += x > 0.5", "+ on f32 and bool", "cast the truth value: f32(x > 0.5)"),
    ("y = (x > 0.5) + (x > 1.0)", "+ is not defined on bool", "cast truth values to numbers: i32(x)"),
    ("y = -(x > 0.5)", "- is not defined on bool", "cast truth values to numbers: i32(x)"),
    ("y = x ^ x", "^ is not defined on f32", "it works on integers; a power is x ** y"),
    (
        "for k in foreach(8): t = alloca(f32, 4)",
        "alloca is collective, but is in an SPMD region",
        "memory in front of the region is one for all that execute it; where each is to have its own, give each a "
        "work-group, by group_id() instead of foreach, or keep what it needs in numbers instead of memory",
    ),
    ("T = alloca(f32, (4, 8))", "alloca takes sizes, not a tuple of them", "write alloca(f32, 4, 8)"),
    (
        "T = alloca(np.float64, 4)",
        "alloca takes an element type and sizes, or a Memref, but got the type float64",
        "write alloca(f64, 16, 8)",
    ),
    ("for k in foreach(b): pass", "a bound is memref<f32x8>, but the loop's variable is index", "write b.shape[0]"),
    ("for k in foreach(range(8)): pass", "a bound is a Python range, not an integer", "write 8"),
    ("y = max(b)", "max takes two or more numbers", "write a loop over the elements: m = max(m, b[i])"),
    (
        "y = b[:, None]",
        "memref<f32x8> has 1 mode, but 2 indices are given",
        "None adds no mode: leave it out, and write a loop over the other mode",
    ),
    ("y = b.size", "memref<f32x8> has no attribute size", "write b.shape[0], for each mode, and multiply"),
    ("y = b.astype(f64)", "memref<f32x8> has no attribute astype", "cast elements: f32(b[i])"),
    ("A.fill(0.0)", "memref<f32x16x8> has no attribute fill", "assign to all elements: A[:] = 0.0"),
    ("y = A.transpose()", "memref<f32x16x8> has no attribute transpose", "the transpose of a matrix is A.T"),
    ("y = A.T()", "A.T can't be called in a kernel", "the transpose is an attribute: write A.T"),
    (
        "y = b.at[0].set(x)",
        "memref<f32x8> has no attribute at",
        "assign to the element, b[i] = x, or call atomic.add(b[i], x)",
    ),
    ("y = program_id(0)", "program_id is not defined", "the number of the work-group is group_id()"),
    ("y = threadIdx.x", "threadIdx is not defined", "write a loop over the items: for i in foreach(n):"),
    ("for k in prange(4): pass", "prange is not defined", "write for i in foreach(n):"),
    ("atomicAdd(b, i, x)", "atomicAdd is not defined", "call atomic.add(A[i], x)"),
    ("gemm(1.0, A, B, beta=0.0, c=A)", "gemm: got an unexpected keyword argument 'c'", "did you mean C=?"),
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
    kernel = function(f"{HEAD}\n    {statement}\n", "<kernel>", G=np.ones((4, 3)), np=np)
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


def test_every_misspelled_parameter_is_named():
    found = findings(function(f"{HEAD}\n    gemm(alpha=1.0, a=A, b=B, beta=0.0, C=A)"))
    assert [(one.message, one.help) for one in found] == [
        ("gemm: got an unexpected keyword argument 'a'", "did you mean A=?"),
        ("gemm: got an unexpected keyword argument 'b'", "did you mean B=?"),
    ]


def test_a_folded_quotient_may_be_infinite():
    kernel = function(f"{HEAD}\n    w[0] = 1e300 // 1e-300")
    assert "constant inf" in str(pytl.kernel(kernel))


def test_what_the_help_names_computes():
    head = "def kernel(X: Memref[f32, 4], Y: Memref[f32, 4]):\n    for k in foreach(4):\n        "
    x, y = np.array([-1.25, 0.25, 0.75, 2.0], np.float32), np.zeros(4, np.float32)
    for formula, expected in (
        ("floor(X[k] / 0.5)", x // np.float32(0.5)),
        ("f32(X[k] > 0.5) * X[k]", (x > 0.5) * x),
        ("1.0 if X[k] > 0.5 else 0.0", (x > 0.5) * 1.0),
        ("f32(2 - i32(X[k] > 0.5))", 2 - (x > 0.5)),
    ):
        pytl.kernel(function(f"{head}Y[k] = {formula}"))[1](x, y, backend="reference")
        np.testing.assert_array_equal(y, expected)


def test_a_value_for_a_constexpr_parameter():
    names = functions("""
    def inner(n: constexpr, b: Memref[f32, 8]):
        b[0] = n

    @pytl.kernel
    def other(n: constexpr[int], b: Memref[f32, 8]):
        b[0] = n

    def plain(b: Memref[f32, 8], x: f32): inner(x, b)
    def kernel(b: Memref[f32, 8], x: f32): other.inline(x, b)
    def text(b: Memref[f32, 8]): other.inline("a", b)
    """)
    by_value = "pass what is known while tracing, or annotate the parameter with a type, such as pytl.i32"
    for name, help in (
        ("plain", by_value),
        ("kernel", by_value),
        ("text", "pass int, or annotate it with constexpr alone"),
    ):
        (found,) = findings(names[name])
        assert (found.code, found.help) == ("PYTL-1013", help)
