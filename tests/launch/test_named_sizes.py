"""Sizes with names in annotations: values of constexpr parameters, and sizes that a launch tells."""

import copy
import pickle

import numpy as np
import pytest
from launch_kit import BACKENDS
from tracing_kit import function

import pytl
from pytl import Group, LaunchError, Memref, PytlError, TraceError, axpby, f32, foreach, gemv, group_id, i32
from pytl.frontends.lang.sizes import Size

FUTURE = "from __future__ import annotations\n"


def made(source: str, future: bool = False) -> pytl.Kernel:
    """The kernel of a source, with annotations that are evaluated at once or later."""
    if not future:
        return pytl.kernel(function(source))
    import linecache

    name = f"<later {len(linecache.cache)}>"
    text = FUTURE + source
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {key: getattr(pytl, key) for key in pytl.__all__}
    exec(compile(text, name, "exec"), space)
    return pytl.kernel(space["k"])


SCALED = """
def k(x: Memref[f32, {N}], y: Memref[f32, {N}, {more}], N: constexpr[int], M: constexpr[int] = 2):
    t = alloca(f32, N)
    axpby(1.0, x, 0.0, t)
    for i in foreach(N):
        y[i, M] = t[i]
"""
LATER = SCALED.format(N="N", more="M + 1")
AT_ONCE = SCALED.format(N='"N"', more='"M + 1"')


@pytest.mark.parametrize(("source", "future"), [(LATER, True), (AT_ONCE, False)])
def test_a_size_is_the_value_of_a_constexpr_parameter(source: str, future: bool) -> None:
    kernel = made(source, future)
    types = [str(p.type) for p in kernel.specialize(N=4).function.parameters]
    assert types == ["memref<f32x4>", "memref<f32x4x3>"]
    types = [str(p.type) for p in kernel.specialize(N=5, M=1).function.parameters]
    assert types == ["memref<f32x5>", "memref<f32x5x2>"]


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_launch_infers_constexpr_parameters_from_its_arrays(backend: str) -> None:
    kernel = made(LATER, True)
    for n in (4, 6):
        x, y = np.arange(n, dtype=np.float32), np.zeros((n, 3), np.float32, order="F")
        kernel[1](x, y, backend=backend)
        np.testing.assert_array_equal(y[:, 2], x)
    x, y = np.arange(4, dtype=np.float32), np.zeros((4, 2), np.float32, order="F")
    kernel[1](x=x, M=1, y=y, backend=backend)
    np.testing.assert_array_equal(y[:, 1], x)


def test_what_does_not_follow_from_an_array_is_asked_for() -> None:
    kernel = made('def k(x: Memref[f32, "N + 1"], N: constexpr[int]):\n    x[N] = 1.0\n')
    with pytest.raises(PytlError, match=r"k has no value for N yet"):
        kernel[1](np.zeros(4, np.float32), backend="reference")
    x = np.zeros(4, np.float32)
    kernel[1](x, N=3, backend="reference")
    assert x[3] == 1


def test_arrays_that_contradict_an_inferred_size_are_refused() -> None:
    with pytest.raises(LaunchError, match="y has the shape 5x3, but memref<f32x4x3> needs 4x3"):
        made(LATER, True)[1](np.zeros(4, np.float32), np.zeros((5, 3), np.float32, order="F"), backend="reference")


@pytest.mark.parametrize("value", [2.5, "4", -1, True])
def test_a_value_that_is_no_size_is_refused(value: object) -> None:
    with pytest.raises(TraceError, match=r"size N|constexpr"):
        str(made(AT_ONCE).specialize(N=value))


@pytl.kernel
def transposed(A: Memref[f32, "n", "m"], x: Memref[f32, "n"], y: Memref[f32, "m"], z: Memref[f32, "2 * n + 1"]):
    gemv(1.0, A.T, x, 0.0, y)
    for i in foreach(n):
        z[i] = f32(i32(n + m))


def arrays(n: int, m: int, **other: int) -> list[np.ndarray]:
    shapes = {"A": (n, m), "x": (n,), "y": (m,), "z": (2 * n + 1,)} | {k: (v,) for k, v in other.items()}
    return [np.ones(shape, np.float32, order="F") for shape in shapes.values()]


def test_the_text_has_dynamic_sizes_and_the_body_reads_them() -> None:
    text = str(transposed)
    assert "%A: memref<f32x?x?>" in text and "%z: memref<f32x?>" in text
    assert "size %A[0] : index" in text and "size %A[1] : index" in text


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_sizes_that_a_launch_tells(backend: str) -> None:
    for n, m in ((4, 3), (2, 5), (2, 5)):
        given = arrays(n, m)
        transposed[1](*given, backend=backend)
        assert (given[2] == n).all()
        assert (given[3][:n] == n + m).all() and (given[3][n:] == 1).all()


MISTAKES = {
    "x": "mode 0 of x has size 7, but n is 4 by mode 0 of A",
    "y": "mode 0 of y has size 7, but m is 3 by mode 1 of A",
    "z": "mode 0 of z has size 7, but 2 * n + 1 is 9, for n is 4 by mode 0 of A",
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", MISTAKES)
def test_sizes_that_differ_are_refused_and_nothing_is_changed(name: str, backend: str) -> None:
    given = arrays(4, 3, **{name: 7})
    transposed[1](*arrays(4, 3), backend=backend)  # a launch with right sizes decides nothing for this one
    with pytest.raises(LaunchError) as caught:
        transposed[1](*given, backend=backend)
    (found,) = caught.value.diagnostics
    assert (found.code, found.message, found.help) == ("PYTL-2080", MISTAKES[name], "pass arrays whose sizes agree")
    assert all((array == 1).all() for array in given)


def test_all_that_differ_are_told_at_once() -> None:
    with pytest.raises(LaunchError) as caught:
        transposed[1](*arrays(4, 3, x=5, y=5, z=5), backend="reference")
    assert [found.code for found in caught.value.diagnostics] == ["PYTL-2080"] * 3


@pytl.kernel
def in_groups(x: Memref[f32, "n"], G: Group[Memref[f32, "n", "m"], "count"], w: Memref[f32, "count"]):
    g = group_id()
    axpby(1.0, x, 0.0, G[g][:, 0])
    w[g] = f32(i32(m + count))


@pytest.mark.parametrize("backend", BACKENDS)
def test_names_in_groups(backend: str) -> None:
    def item(n: int = 3, m: int = 2) -> np.ndarray:
        return np.zeros((n, m), np.float32, order="F")

    x, items, w = np.arange(3, dtype=np.float32), [item(), item()], np.zeros(2, np.float32)
    in_groups[2](x, items, w, backend=backend)
    assert (w == 4).all() and all((one[:, 0] == x).all() for one in items)
    for wrong, message in (
        ([item(), item(4)], "mode 0 of G in item 1 has size 4, but n is 3 by mode 0 of x"),
        ([item(), item(3, 5)], "mode 1 of G in item 1 has size 5, but m is 2 by mode 1 of G in item 0"),
        ([item(), item(), item()], "mode 0 of w has size 2, but count is 3 by the number of memrefs of G"),
    ):
        with pytest.raises(LaunchError) as caught:
            in_groups[2](x, wrong, w, backend=backend)
        assert [found.message for found in caught.value.diagnostics] == [message]


def test_a_named_size_is_one_of_an_alloca_once_it_has_a_value() -> None:
    kernel = made('def k(x: Memref[f32, "n"]):\n    t = alloca(f32, n, 2)\n    axpby(1.0, x, 0.0, t[:, 0])\n')
    with pytest.raises(TraceError, match="a size of an alloca is index, not a Python integer"):
        str(kernel)
    assert "alloca : memref<f32x8x2,local>" in str(kernel.specialize(n=8))
    assert kernel.specialize(n=8) is kernel.specialize(n=8)
    with pytest.raises(PytlError, match="its constexpr parameters and named sizes are: n"):
        kernel.specialize(m=8)


def test_some_names_may_be_given_and_others_left() -> None:
    some = transposed.specialize(n=4)
    assert [str(p.type) for p in some.function.parameters][:3] == ["memref<f32x4x?>", "memref<f32x4>", "memref<f32x?>"]
    with pytest.raises(LaunchError, match="mode 0 of y has size 5, but m is 3 by mode 1 of A"):
        some[1](*arrays(4, 3, y=5), backend="reference")


@pytest.mark.parametrize("copied", [lambda k: pickle.loads(pickle.dumps(k)), copy.deepcopy])
def test_names_travel_with_the_kernel(copied: object) -> None:
    with pytest.raises(LaunchError, match="PYTL-2080"):
        copied(transposed)[1](*arrays(4, 3, x=5), backend="reference")  # type: ignore[operator]


def test_shapes_that_are_specialised_keep_the_names_of_others() -> None:
    with pytest.raises(LaunchError, match="PYTL-2080"):
        transposed.specialize(A=(4, 3))[1](*arrays(4, 3, z=5), backend="reference")


NO_SIZES = {
    'x: Memref[f32, "n + 1"]': "in the annotation of x, no argument gives n of the size n + 1",
    'x: Memref[f32, "x"]': "in the annotation of x, the size x has the name of a parameter",
    'x: Memref[f32, "n", "n ** 2"]': "the annotation of x: 'n ** 2' is not a size",
    "x: Memref[f32, \"__import__('os')\"]": "the annotation of x: \"__import__('os')\" is not a size",
    'x: Memref[f32, "n", strides("m")]': "the annotation of x: a stride is 'm'",
}


@pytest.mark.parametrize("parameters", NO_SIZES)
def test_what_is_no_size_is_refused(parameters: str) -> None:
    with pytest.raises(PytlError) as caught:
        str(made(f"def k({parameters}):\n    pass\n", future=True))
    assert [found.message for found in caught.value.diagnostics] == [NO_SIZES[parameters]]


def test_expressions() -> None:
    size = 2 * (Size("n") + 1) - Size("m") // 2
    assert (size.text == "2 * (n + 1) - m // 2" and size.names == ("n", "m")) or set(size.names) == {"n", "m"}
    assert size.value({"n": 4, "m": 3}) == 9 and size.value({"n": 4}) is None
    assert Size.read("n // m").value({"n": 1, "m": 0}) is None
    assert Memref[f32, "n"] is Memref[f32, " n "] and Memref[f32, "n"] is not Memref[f32, ...]
    assert pickle.loads(pickle.dumps(Memref[f32, "n"])) is Memref[f32, "n"]
