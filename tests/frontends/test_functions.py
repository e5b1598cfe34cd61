"""Functions that kernels call: how they are traced, and what is refused."""

from __future__ import annotations

import copy
import pickle
from typing import Annotated, Any

import numpy as np
import pytest
from tracing_kit import functions

import pytl
from pytl import Memref, f32, f64, foreach, i32, index

SCALE = 2.0


@pytl.function
def scaled(x: f32) -> f32:
    return x * SCALE


@pytl.kernel
def twice(x: Memref[f32, 4]):
    for i in foreach(4):
        x[i] = scaled(scaled(x[i]))


def launched(kernel: pytl.Kernel, *arguments: Any) -> None:
    kernel[1](*arguments, backend="reference")


def names(kernel: pytl.Kernel) -> list[str]:
    return [function.name for function in kernel.module.functions]


def traced(source: str, **names: Any) -> pytl.Kernel:
    return functions(source, Annotated=Annotated, **names)["k"]


def test_a_function_is_traced_once() -> None:
    assert names(twice) == ["twice", "scaled"]
    assert str(twice).count("pytl.call @scaled(") == 2
    x = np.arange(4, dtype=np.float32)
    launched(twice, x)
    np.testing.assert_array_equal(x, 4 * np.arange(4))


def test_names_of_a_function_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    before = twice.current()
    assert twice.current() is before
    monkeypatch.setitem(globals(), "SCALE", 3.0)
    x = np.ones(4, np.float32)
    launched(twice, x)
    np.testing.assert_array_equal(x, np.full(4, 9.0))
    assert twice.current() is not before
    monkeypatch.undo()
    assert twice.current() is before


def test_another_function_under_the_name() -> None:
    @pytl.function
    def first(x):
        return x + 1.0

    @pytl.function
    def second(x):
        return x + 2.0

    chosen = first

    @pytl.kernel
    def k(x: Memref[f32, 1]):
        x[0] = chosen(x[0])

    x = np.zeros(1, np.float32)
    launched(k, x)
    chosen = second
    launched(k, x)
    assert x == 3.0


def test_outside_of_kernels_it_is_the_python_function() -> None:
    assert scaled(3.0) == 6.0
    assert scaled.__name__ == "scaled"
    assert repr(scaled) == "<pytl.function scaled>"


def test_kernels_with_functions_travel() -> None:
    for other in (pickle.loads(pickle.dumps(twice)), copy.deepcopy(twice), pytl.compile(str(twice))["twice"]):
        x = np.arange(4, dtype=np.float32)
        launched(other, x)
        np.testing.assert_array_equal(x, 4 * np.arange(4))


def test_each_combination_of_types_is_a_function() -> None:
    kernel = traced("""
@pytl.function
def total(x, n: index):
    s = x[0]
    for i in range(1, n):
        s += x[i]
    return s

@pytl.kernel
def k(a: Memref[f32, 8], b: Memref[f32, 8], c: Memref[f64, ...], y: Memref[f64, 4]):
    y[0] = f64(total(a, 8)) + f64(total(b, 4)) + f64(total(a, 2))
    y[1] = total(c, c.shape[0])
    y[2] = f64(total(a[2:6], 4)) + f64(total(b[4:8], 4))
""")
    assert names(kernel) == ["k", "total", "total_1", "total_2"]
    assert [str(function.parameters[0].type) for function in kernel.module.functions[1:]] == [
        "memref<f32x8>",
        "memref<f64x?>",
        "memref<f32x4>",
    ]
    a, b, c = np.arange(8, dtype=np.float32), np.ones(8, np.float32), np.arange(5.0)
    y = np.zeros(4)
    launched(kernel, a, b, c, y)
    np.testing.assert_array_equal(y, [a.sum() + 4 + 1, c.sum(), a[2:6].sum() + 4, 0])


def test_constants_make_functions_of_their_own() -> None:
    kernel = traced("""
@pytl.function
def power(x: f32, n: constexpr[int]) -> f32:
    return x if n == 1 else x * power(x, n - 1)

@pytl.function
def add(x, y, *, third=0.5):
    return x + y + third

@pytl.kernel
def k(x: Memref[f32, 3]):
    x[0] = power(x[0], 3)
    x[1] = power(x[1], 2)
    x[2] = add(add(x[2], 1), 1.0, third=4)
""")
    # 1 and 1.0 are two constants, but give one function
    assert names(kernel) == ["k", "power", "power_1", "power_2", "add", "add_1"]
    x = np.array([2, 3, 4], np.float32)
    launched(kernel, x)
    np.testing.assert_array_equal(x, [8, 9, 10.5])


def test_equal_functions_are_one() -> None:
    """In a foreach and outside of it a function is traced anew, for whole tensors are computed otherwise there."""
    kernel = traced("""
@pytl.function
def half(x):
    return x * 0.5

@pytl.kernel
def k(x: Memref[f32, 3]):
    x[0] = half(x[0])
    for i in foreach(1, 3):
        x[i] = half(x[i])
""")
    assert names(kernel) == ["k", "half"]


def test_functions_in_collective_regions_have_collective_instructions() -> None:
    kernel = traced("""
@pytl.function
def multiply(A, B, C):
    T = alloca(f32, 4, 4)
    gemm(1.0, A, B, 0.0, T)
    C[:] += T

@pytl.kernel
def k(A: Memref[f32, 4, 4], B: Memref[f32, 4, 4], C: Memref[f32, 4, 4]):
    multiply(A, B, C)
    multiply(B, A, C)
""")
    assert names(kernel) == ["k", "multiply"]
    A, B = (np.asfortranarray(np.random.default_rng(k).integers(-4, 4, (4, 4)), np.float32) for k in (1, 2))
    C = np.ones((4, 4), np.float32, order="F")
    launched(kernel, A, B, C)
    np.testing.assert_array_equal(C, A @ B + B @ A + 1)


def test_what_functions_return() -> None:
    kernel = traced("""
@pytl.function
def nothing(x: Memref[f32, ...]) -> None:
    x[0] = 7.0

@pytl.function
def several(a: f32, b: i32) -> tuple[f32, bool_, i32]:
    return a + 1.0, b > 2, 5

@pytl.function
def constants(a):
    return 3, ("text", a, None), 0.5

@pytl.function
def early(a: f32) -> f32:
    if a > 1.0:
        return a
    for i in range(8):
        a = a + 1.0
        if a > 5.0:
            return 0.0
    return a * 2.0

@pytl.kernel
def k(x: Memref[f32, "n"], y: Memref[i32, 2]):
    nothing(x)
    a, p, n = several(x[1], y[0])
    x[1] = a if p else 0.0
    y[1] = n
    number, (text, same, none), half = constants(x[2])
    x[2] = same * half * number if text == "text" and none is None else 0.0
    x[3] = early(x[3])
    x[4] = early(x[4])
""")
    x, y = np.array([1, 2, 4, 3, -9], np.float32), np.array([3, 0], np.int32)
    launched(kernel, x, y)
    np.testing.assert_array_equal(x, [7, 3, 6, 3, -2])
    np.testing.assert_array_equal(y, [3, 5])
    assert [function.results for function in kernel.module.functions[1:4]] == [
        (),
        tuple(parameter.type for parameter in pytl.parse("func @f(%a: f32, %b: bool, %c: i32) { }")["f"].parameters),
        (f32.ir_type,),
    ]


def test_what_functions_are_passed() -> None:
    class Line:
        def __init__(self, slope: float) -> None:
            self.slope = slope

        @pytl.function
        def at(self, x):
            return self.slope * x

    line = Line(3.0)

    @pytl.function
    def applied(f, x, table=(1.0, 2.0)):
        return f(x) + table[1]

    @pytl.function
    def of_group(G, g: index):
        return G[g][0] + pytl.f32(len(G))

    @pytl.kernel
    def k(x: Memref[f32, 3], G: pytl.Group[f32, 4]):
        x[0] = line.at(x[0])
        x[1] = applied(scaled, x[1])
        x[2] = of_group(G, 1)

    x, G = np.array([1, 2, 3], np.float32), [np.full(4, n, np.float32) for n in (5, 6)]
    launched(k, x, G)
    np.testing.assert_array_equal(x, [3, 6, 8])
    line.slope = 4.0
    x[:] = 1
    launched(k, x, G)
    assert x[0] == 4


def test_sizes_have_names() -> None:
    kernel = traced("""
@pytl.function
def mean(x: Memref[f32, "n"]) -> f32:
    s = f32(0.0)
    for i in range(n):
        s += x[i]
    return s / f32(n)

@pytl.kernel
def k(x: Memref[f32, ...]):
    x[0] = mean(x)
""")
    x = np.arange(5, dtype=np.float32)
    launched(kernel, x)
    assert x[0] == 2


def test_a_function_of_a_text_that_has_calls() -> None:
    text = str(
        traced("""
@pytl.function
def helper(x):
    return x + 1.0

@pytl.kernel
def k(x: Memref[f32, 4]):
    x[0] = helper(x[0])
""")
    )
    other = pytl.compile(text)["k"]

    @pytl.function
    def helper(x):
        return x * 10.0

    @pytl.kernel
    def both(x: Memref[f32, 4]):
        x[0] = helper(x[0])
        other.inline(x)
        other.inline(x)

    x = np.ones(4, np.float32)
    launched(both, x)
    assert x[0] == 12
    assert names(both) == ["both", "helper", "helper_1"]
    assert str(pytl.parse(str(both))) == str(both)


MISTAKES = {
    "itself": ("return f(x) + x", "x[0] = f(x[0])", "PYTL-1113", "f calls itself"),
    "too many": ("return x", "x[0] = f(x[0], 2.0)", "PYTL-1041", "f: too many positional arguments"),
    "too few": ("return x", "x[0] = f()", "PYTL-1041", "f: missing a required argument: 'x'"),
    "a memref": ("return x", "y = f(x)", "PYTL-1110", "f returns memref<f32x4>"),
    "a list": ("return [x]", "y = f(x[0])", "PYTL-1110", "f returns a Python list"),
    "no type": ("return 1.0 if x > 0.0 else 2.0", "x[0] = f(x[0])", "PYTL-1003", "nothing gives the literal"),
    "a tuple": ("return x[0]", "x[0] = f((x[0], x[1]))", "PYTL-1112", "a tuple is passed to f"),
    "a lambda": ("return x(1)", "x[0] = f32(f(lambda t: t))", "PYTL-1112", "a lambda is passed to f"),
    "a local function": (
        "return x(1)",
        "\n    def g(t):\n        return t\n    x[0] = f32(f(g))",
        "PYTL-1112",
        "the function g is passed to f",
    ),
    "collective in a foreach": (
        "axpby(1.0, x, 0.0, x)",
        "\n    for i in foreach(4):\n        f(x)",
        "PYTL-0201",
        "f is collective, but is called in an SPMD region",
    ),
    "SPMD outside": (
        "return subgroup.local_id()",
        "x[0] = f32(f(x))",
        "PYTL-0202",
        "f is an SPMD function, but is called in a collective region",
    ),
    "a mistake inside": ("return x + 'a'", "x[0] = f(x[0])", "PYTL-1051", "+ is not defined on the Python string 'a'"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes(case: str) -> None:
    body, call, code, message = MISTAKES[case]
    source = f"""
@pytl.function
def f(x):
    {body}

@pytl.kernel
def k(x: Memref[f32, 4]):
    x[3] = 0.0
    {call}
"""
    with pytest.raises(pytl.PytlError) as caught:
        str(traced(source))
    (found,) = caught.value.diagnostics
    assert found.code == code
    assert message in found.message
    assert found.location is not None and found.location.source.line(found.location.line).strip()


def test_annotations_are_kept_to() -> None:
    head = "@pytl.function\ndef f(x: f32, n: constexpr = 1){}:\n    return x\n@pytl.kernel\ndef k(x: Memref[f32, 4]):\n"
    for returned, call, code, message in (
        (" -> f64", "f(x[0])", "PYTL-1111", "f returns f32, but its annotation says f64"),
        (" -> tuple[f32, f32]", "f(x[0])[0]", "PYTL-1111", "f returns f32, but its annotation says (f32, f32)"),
        (" -> None", "f(x[0])", "PYTL-1111", "f returns f32, but its annotation says None"),
        (" -> Memref[f32, 4]", "f(x[0])", "PYTL-1110", "the return annotation is memref<f32x4>"),
        ("", "f(i32(1))", "PYTL-1043", "x of f is f32, but i32 is passed"),
        ("", "f(x[0], x[1])", "PYTL-1013", "n of f is constexpr, but f32 is passed"),
    ):
        with pytest.raises(pytl.TraceError) as caught:
            str(traced(f"{head.format(returned)}    x[0] = {call}\n"))
        assert (caught.value.diagnostics[0].code, caught.value.diagnostics[0].message) == (code, message)


def test_open_arguments_are_refused() -> None:
    for star in ("*x", "**x"):
        with pytest.raises(pytl.TraceError, match="PYTL-1112"):
            str(
                traced(f"""
@pytl.function
def f({star}):
    return 1

@pytl.kernel
def k(x: Memref[f32, 4]):
    f()
""")
            )


def test_a_mistake_tells_the_calls_that_led_there() -> None:
    source = """
@pytl.function
def inner(x):
    return x + "a"

@pytl.function
def outer(x):
    return inner(x)

@pytl.kernel
def k(x: Memref[f32, 4]):
    x[0] = outer(x[0])
"""
    with pytest.raises(pytl.TraceError) as caught:
        str(traced(source))
    place = caught.value.diagnostics[0].location
    functions = []
    while place is not None:
        functions.append(place.function)
        place = place.caller
    assert functions == ["inner", "outer", "k"]


def test_an_error_while_it_is_executed_tells_them_too() -> None:
    kernel = traced("""
@pytl.function
def inner(x, i: index):
    return x[i]

@pytl.function
def outer(x, i: index):
    return inner(x, i) + 1.0

@pytl.kernel
def k(x: Memref[f32, ...], n: index):
    for i in foreach(4):
        x[i] = outer(x, i + n)
""")
    x = np.zeros(8, np.float32)
    with pytest.raises(pytl.ExecutionError) as caught:
        kernel[1, {"checks": True}](x, 6, backend="reference")
    place = caught.value.diagnostics[0].location
    functions = []
    while place is not None:
        functions.append(place.function)
        place = place.caller
    assert functions == ["inner", "outer", "k"]


def test_locations_of_a_function_are_its_own() -> None:
    (function,) = twice.module.functions[1:]
    for op in function.walk():
        assert op.location is not None and op.location.function == "scaled" and op.location.caller is None


def test_functions_are_not_launched() -> None:
    with pytest.raises(pytl.LaunchError, match="PYTL-1114"):
        scaled[4](1.0)  # type: ignore[index]


def test_what_is_no_function() -> None:
    for decorated in (twice, scaled):
        with pytest.raises(pytl.TraceError, match="it is decorated already"):
            pytl.function(decorated)
    with pytest.raises(pytl.TraceError, match="it is decorated already"):
        pytl.kernel(scaled)
    with pytest.raises(pytl.TraceError, match="PYTL-1011"):
        pytl.function(3)  # type: ignore[type-var]


def test_annotations_that_are_texts() -> None:
    """Under `from __future__ import annotations` the names of an enclosing function are found."""
    element = f64

    @pytl.function
    def local(x: element, n: i32, k: index) -> element:
        return x * element(n) + element(k)

    @pytl.kernel
    def k(x: Memref[element, 2]):
        x[0] = local(x[0], 2, 3)

    x = np.ones(2)
    launched(k, x)
    assert x[0] == 5
