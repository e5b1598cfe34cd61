"""How launches pass arguments: defaults, positional-only and keyword-only parameters, and `*arrays`."""

import pickle
import re

import numpy as np
import pytest
from launch_kit import BACKENDS, needs_sycl

import pytl
from pytl import Memref, constexpr, f32, i32
from pytl.kernels import pickling as travelling

X = np.arange(1, 5, dtype=np.float32)


@pytl.kernel
def shaped(x: Memref[f32, "n"], /, y: Memref[f32, "n"], k: i32 = 3, *, s: f32 = 2.0, m: constexpr[int] = 1):
    for i in range(n):
        y[i] = x[i] * s + f32(k) + f32(m)


@pytl.kernel
def combined(out: Memref[f32, 4], *arrays: Memref[f32, 4], scale: f32 = 1.0):
    for i in range(4):
        out[i] = scale * sum((a[i] * (j + 1) for j, a in enumerate(arrays)), 0.0)
    if len(arrays) > 2:
        out[0] = arrays[-1][3]


CALLS = [
    ((), {}, X * 2 + 4),
    ((5,), {}, X * 2 + 6),
    ((), {"k": 1, "s": 3.0}, X * 3 + 2),
    ((1,), {"s": 1.0, "m": 2}, X + 3),
]


@pytest.mark.parametrize("backend", BACKENDS)
def test_defaults_are_passed(backend: str) -> None:
    for positional, named, expected in CALLS:
        y = np.zeros(4, np.float32)
        shaped[1](X, y, *positional, backend=backend, **named)
        np.testing.assert_array_equal(y, expected)
        y[:] = 0
        shaped[1].bind(X, *positional[:0], y=y, **dict(zip(("k",), positional)), backend=backend, **named)()
        np.testing.assert_array_equal(y, expected)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_several_arrays(backend: str) -> None:
    y = np.zeros(4, np.float32)
    combined[1](y, X, X, backend=backend)
    np.testing.assert_array_equal(y, 3 * X)
    combined[1](y, X, X, X, scale=0.5, backend=backend)
    np.testing.assert_array_equal(y, [X[3], *(3 * X[1:])])
    combined[1].bind(y, X, backend=backend)()
    np.testing.assert_array_equal(y, X)
    combined[1](y, backend=backend)
    np.testing.assert_array_equal(y, 0 * X)
    two = combined.specialize(arrays=2)
    two[1](y, X, X, scale=2.0, backend=backend)
    np.testing.assert_array_equal(y, 6 * X)
    assert two is combined.specialize(arrays=2) and "%arrays_1: memref<f32x4>" in str(two)


MISTAKES = [
    (lambda y: shaped[1](x=X, y=y), "PYTL-2001", "'x'"),
    (lambda y: shaped[1](X, y, 1, 2.0), "PYTL-2001", "too many positional arguments"),
    (lambda y: shaped[1](X), "PYTL-2001", "missing a required argument: 'y'"),
    (lambda y: shaped[1](X, y, q=1), "PYTL-2001", "got an unexpected keyword argument 'q'"),
    (lambda y: combined[1](), "PYTL-2001", r"combined\(out, \*arrays, scale=1.0\): .*: .out."),
    (lambda y: combined.specialize(arrays=2)[1](y, X), "PYTL-2001", "missing a required argument: 'arrays_1'"),
    (lambda y: str(combined), "PYTL-2020", "combined has no value for arrays yet"),
    (lambda y: combined.specialize(arrays=-1), "PYTL-2020", "arrays of combined is given"),
    (lambda y: combined.specialize(arrays=True), "PYTL-2020", "arrays of combined is given"),
    (lambda y: combined[1](y, X, X[:3]), "PYTL-2005", "arrays_1"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "code", "said"), MISTAKES)
def test_mistakes(call, code: str, said: str) -> None:
    with pytest.raises(pytl.PytlError) as caught:
        with pytl.use("reference"):
            call(np.zeros(4, np.float32))
    found = caught.value.diagnostics[0]
    assert re.search(code, found.code) and re.search(said, found.message)


def test_defaults_travel() -> None:
    y = np.zeros(4, np.float32)
    given = shaped.specialize(m=1)
    content = pickle.dumps(given)
    travelling._known.clear()
    travelling._latest.clear()
    again = pickle.loads(content)
    assert again is not given
    again[1](X, y, backend="reference")
    np.testing.assert_array_equal(y, X * 2 + 4)
    narrow = given.specialize(x=(4,), y=(4,))
    y[:] = 0
    narrow[1](X, y, s=1.0, backend="reference")
    np.testing.assert_array_equal(y, X + 4)


@needs_sycl
def test_defaults_are_built_ahead_of_time(tmp_path) -> None:
    y = np.zeros(4, np.float32)
    pytl.build([shaped.specialize(m=1), combined.specialize(arrays=1)], tmp_path)
    library = pytl.load(tmp_path)
    library["shaped"][1](X, y)
    np.testing.assert_array_equal(y, X * 2 + 4)
    library["shaped"][1](X, y, 1, s=3.0)
    np.testing.assert_array_equal(y, X * 3 + 2)
    library["combined"][1](y, X)
    np.testing.assert_array_equal(y, X)
    content = (tmp_path / "pytl_kernels.json").read_text()
    (tmp_path / "pytl_kernels.json").write_text(content.replace('"KEYWORD_ONLY"', '"VAR_KEYWORD"'))
    with pytest.raises(pytl.PytlError, match=r"the way to pass arguments to .* is wrong"):
        pytl.load(tmp_path)


@needs_sycl
@pytest.mark.needs_numba_dpex
def test_numba_dpex_gets_the_defaults() -> None:
    assert [text.partition(":")[0] for text in shaped.dpex(1).parameters][-2:] == ["k", "s"]


# Bodies in other kernels.


@pytl.kernel
def added(x: Memref[f32, "n"], y: Memref[f32, "n"], a: f32 = 2.0, k: constexpr[int] = 1):
    for i in range(n):
        y[i] += a * x[i] * float(k)


TEXT = "func @twice(%x: memref<f32x4>) { %0 = constant 2.0 : f32  %1 = constant 0.0 : f32  axpby.n %0, %x, %1, %x }"
twice = pytl.compile(TEXT)["twice"]


@pytl.kernel
def outer(x: Memref[f32, 4], y: Memref[f32, 4]):
    added.inline(x, y)
    added.inline(x, y=y, a=1.0, k=3)
    twice.inline(y)
    combined.inline(x, y, y, scale=0.25)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_kernel_takes_the_bodies_of_others(backend: str) -> None:
    x, y = X.copy(), np.zeros(4, np.float32)
    outer[1](x, y, backend=backend)
    np.testing.assert_array_equal(y, X * 10)
    np.testing.assert_array_equal(x, 0.75 * y)


def test_a_body_follows_the_names_that_it_uses(monkeypatch) -> None:
    space = {"FACTOR": 2.0}

    @pytl.kernel
    def scaled(x: Memref[f32, 4]):
        x[0] = x[0] * space["FACTOR"]

    @pytl.kernel
    def caller(x: Memref[f32, 4]):
        scaled.inline(x)

    x = X.copy()
    caller[1](x, backend="reference")
    space["FACTOR"] = 5.0
    caller[1](x, backend="reference")
    assert x[0] == 10.0 and caller.current() is caller.current()


def test_a_body_is_no_function_of_the_host() -> None:
    with pytest.raises(pytl.PytlError, match=r"added\.inline\(…\) was called outside of a kernel"):
        added.inline(X, X)
