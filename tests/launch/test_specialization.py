"""When launches specialize a kernel for their sizes: the policy, its bound, plans, threads, and the SYCL backend."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from launch_kit import clean_python, needs_sycl

import pytl
from pytl import Group, Memref, constexpr, f32, gemm, group_id
from pytl.backends import base, registry
from pytl.backends.base import Lowered, Option, Variant
from pytl.backends.reference.backend import ReferenceBackend
from pytl.diagnostics import PlatformError
from pytl.launch import variants
from pytl.process.settings import SPECIALIZE_MOST, SPECIALIZE_WORDS


class Compiler(ReferenceBackend):
    """The reference backend as one that compiles: it executes what it is given, and notes what that is."""

    name = "reference"
    compiles = True
    options = {**ReferenceBackend.options, "specialize": Option.choice(None, *SPECIALIZE_WORDS)}

    def __init__(self) -> None:
        self.launched: list[str] = []
        self.built: dict[str, Lowered] = {}
        self.on_disk: set[str] = set()
        self.refused: set[str] = set()

    def complete_options(self, options: Any, queue: Any, function: Any = None) -> dict[str, Any]:
        complete = super().complete_options(options, queue, function)
        del complete["specialize"]
        return complete

    def prepare(self, lowered: Lowered, queue: Any) -> None:
        sizes = sizes_of(lowered)
        if sizes in self.refused:
            raise PlatformError.single(base.UNAVAILABLE, "too much memory")
        self.built.setdefault(sizes, lowered)

    def is_cached(self, lowered: Lowered, queue: Any) -> bool:
        return sizes_of(lowered) in self.built.keys() | self.on_disk

    def launch(self, lowered: Lowered, *rest: Any, **named: Any) -> None:
        self.prepare(lowered, None)
        self.launched.append(sizes_of(lowered))
        super().launch(lowered, *rest, **named)

    def variants(self, lowered: Lowered) -> list[Variant]:
        return [Variant("here", "built", 0.0, 0.0, 1, 0) for one in self.built.values() if one is lowered]


def sizes_of(lowered: Lowered) -> str:
    """The first parameter's shape."""
    return "x".join(map(str, lowered.original.parameters[0].type.shape))


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTL_SPECIALIZE", raising=False)


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> Compiler:
    made = Compiler()
    monkeypatch.setitem(registry._REGISTRY._loaded, "reference", made)
    monkeypatch.setenv("PYTL_BACKEND", "reference")
    return made


TEXT = """\
func @add(%x: memref<f32x?x?>, %y: memref<f32x?x?>) {
  %i = builtin.group_id : index
  %one = constant 1.0 : f32
  %n = size %x[0] : index
  %v = subview %x[0:%n, %i] : memref<f32x?>
  %w = subview %y[0:%n, %i] : memref<f32x?>
  axpby.n %one, %v, %one, %w
}
"""


def kernel() -> pytl.Kernel:
    """Adds the columns of a matrix to those of another one. The rows decide, the columns are the batch."""
    return pytl.compile(TEXT)["add"]


def check(k: pytl.Kernel, rows: int, batch: int = 2, **options: Any) -> None:
    """Launch, and look whether the result is right."""
    x = np.asfortranarray(np.arange(rows * batch, dtype=np.float32).reshape(rows, batch))
    y = np.ones((rows, batch), np.float32, order="F")
    k[batch, options](x, y)
    np.testing.assert_array_equal(y, x + 1)


def test_the_first_sizes_are_compiled_for_at_once_and_others_when_they_come_again(compiler: Compiler) -> None:
    k = kernel()
    for rows in (3, 3, 4, 5, 4, 4, 3, 5):
        check(k, rows)
    assert compiler.launched == ["3x?", "3x?", "?x?", "?x?", "4x?", "4x?", "3x?", "5x?"]


def test_the_length_of_a_batch_changes_nothing(compiler: Compiler) -> None:
    k = kernel()
    for batch in range(1, 6):
        check(k, 3, batch)
    assert set(compiler.launched) == {"3x?"}


def test_ever_new_sizes_are_compiled_for_a_bounded_number_of_times(compiler: Compiler) -> None:
    k = kernel()
    for _ in range(3):
        for rows in range(1, 30):
            check(k, rows)
    assert len(compiler.built) == SPECIALIZE_MOST + 1
    # those that have a kernel keep it, and the others none more is compiled for
    assert compiler.launched[29:58] == [*(f"{n}x?" for n in range(1, 9)), *["?x?"] * 21]
    assert compiler.launched[58:] == compiler.launched[29:58]


def test_sizes_that_are_remembered_are_bounded_too(compiler: Compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variants, "MAX_SEEN", 4)
    k = kernel()
    for rows in (*range(1, 20), 19):
        check(k, rows)
        assert len(k.launches.variants._seen) <= 4
    assert compiler.launched[-1] == "19x?"


def test_what_is_on_disk_is_used_before_anything_is_compiled(compiler: Compiler) -> None:
    compiler.on_disk = {"?x?"}
    k = kernel()
    for rows in (3, 3):
        check(k, rows)
    assert compiler.launched == ["?x?", "3x?"]
    compiler.launched.clear()
    compiler.built.clear()
    compiler.on_disk = {"?x?", "3x?"}
    check(kernel(), 3)
    assert compiler.launched == ["3x?"]


@pytest.mark.parametrize("how", ["option", "variable"])
def test_always_and_never(compiler: Compiler, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def launched(word: str, sizes: Iterator[int]) -> list[str]:
        compiler.launched.clear()
        monkeypatch.setenv("PYTL_SPECIALIZE", word if how == "variable" else "")
        k = kernel()
        for rows in sizes:
            check(k, rows, **({"specialize": word} if how == "option" else {}))
        return compiler.launched

    assert launched("never", iter([3, 3, 3])) == ["?x?"] * 3
    assert launched("always", iter(range(1, 12))) == [f"{n}x?" for n in range(1, 12)]


def test_an_option_is_told_apart_from_another_one_by_plans(compiler: Compiler) -> None:
    k = kernel()
    for word in ("never", "always", "never", "always"):
        check(k, 3, specialize=word)
    assert compiler.launched == ["?x?", "3x?"] * 2


def test_a_setting_that_is_none(compiler: Compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTL_SPECIALIZE", "sometimes")
    with pytest.raises(pytl.PlatformError, match="PYTL_SPECIALIZE is 'sometimes'") as caught:
        check(kernel(), 3)
    assert caught.value.code == "PYTL-3020"
    assert caught.value.diagnostics[0].help == "it takes one of auto, always, never, or may be unset"


def test_plans_keep_what_was_chosen(compiler: Compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    k = kernel()
    check(k, 3)
    assert len(k.launches.plans) == 1
    check(k, 4)
    assert len(k.launches.plans) == 1  # the second launch has to be asked about again
    check(k, 4)
    assert len(k.launches.plans) == 2
    monkeypatch.setattr(variants.SizeVariants, "variant_for", lambda *rest: pytest.fail("a plan is there"))
    check(k, 4)
    check(k, 3)


def test_what_cannot_be_compiled_for_sizes_is_left_to_the_kernel_for_all(compiler: Compiler) -> None:
    compiler.refused = {"3x?"}
    k = kernel()
    for rows in (3, 3, 4, 4):
        check(k, rows)
    assert compiler.launched == ["?x?", "?x?", "?x?", "4x?"]
    compiler.refused = {"3x?", "?x?"}
    with pytest.raises(pytl.PlatformError, match="too much memory"):
        check(kernel(), 3)


def test_nothing_is_compiled_for_sizes_that_contradict_each_other(compiler: Compiler) -> None:
    text = "func @f(%x: memref<f32x?>, %y: memref<f32x?>) { %one = constant 1.0 : f32 axpby.n %one, %x, %one, %y }"
    k = pytl.compile(text)["f"]
    for _ in range(2):
        with pytest.raises(pytl.LaunchError, match=r"axpby: mode 0 of B \(y\) is 4, but mode 0 of A \(x\) is 3"):
            k[1](np.ones(3, np.float32), np.ones(4, np.float32))
    assert compiler.launched == []


def test_arguments_are_checked_against_the_declared_types(compiler: Compiler) -> None:
    k = kernel()
    check(k, 3)
    x = np.zeros((3, 2), np.float32)
    with pytest.raises(pytl.LaunchError) as caught:
        k[2](x, x.T)
    assert "x has the strides (2, 1) in elements, but memref<f32x?x?> needs (1, ≥ 3)" in str(caught.value)


def test_threads_share_variants(compiler: Compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[int, ...]] = []
    specialized = variants.specialized

    def slowly(function: Any, types: Any) -> Any:
        made.append(types[0].shape)
        time.sleep(0.02)
        return specialized(function, types)

    monkeypatch.setattr(variants, "specialized", slowly)
    k = kernel()
    start, failures = threading.Barrier(4), []

    def work(sizes: list[int]) -> None:
        start.wait()
        try:
            for rows in sizes:
                check(k, rows)
        except BaseException as error:  # a thread's own would be lost
            failures.append(error)

    threads = [threading.Thread(target=work, args=([n, 3, 3, 4, 4, 4],)) for n in (3, 4, 3, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(made) == len(set(made)) == 2
    assert compiler.launched[-1] == "4x?"


def test_what_cache_info_tells(compiler: Compiler) -> None:
    k = kernel()
    for rows in (3, 4):
        check(k, rows)
    first, second = k.cache_info().variants
    assert (first.sizes, second.sizes) == ({}, {"x": "3x?", "y": "3x?"})
    assert str(second).startswith("x=3x?, y=3x?, here: built in")


def test_texts_are_of_all_sizes(compiler: Compiler) -> None:
    k = kernel()
    check(k, 3)
    check(k, 3)
    assert str(k) == str(kernel())
    assert k.ir("canonicalize") == kernel().ir("canonicalize")


# k.specialize.


@pytl.kernel
def product(n: constexpr[int], A: Memref[f32, ..., 4], B: Memref[f32, 4, ...], C: Memref[f32, ..., ...]):
    """C := n A B"""
    gemm(float(n), A, B, 0.0, C)


def test_a_kernel_of_certain_sizes(compiler: Compiler) -> None:
    k = product.specialize(n=4, A=(3, ...), B=(..., 2), C=(3, 2))
    assert k is product.specialize(C=(3, 2), n=4, A=(3, ...), B=(..., 2))
    types = ["memref<f32x3x4>", "memref<f32x4x2>", "memref<f32x3x2>"]
    assert [str(p.type) for p in k.function.parameters] == types
    assert k.__doc__ == "C := n A B"
    A, B, C = (np.ones(shape, np.float32, order="F") for shape in ((3, 4), (4, 2), (3, 2)))
    k[1](A, B, C)
    assert (C == 16).all()
    assert [variant.constexprs for variant in product.cache_info().variants] == [{"n": 4}]
    assert [variant.sizes for variant in product.cache_info().variants] == [{"A": "3x?", "B": "?x2", "C": "3x2"}]
    with pytest.raises(pytl.LaunchError, match="A has the shape 5x4, but memref<f32x3x4> needs 3x4"):
        k[1](np.ones((5, 4), np.float32, order="F"), B, C)


@pytest.mark.parametrize(
    ("values", "code", "message"),
    [
        ({"n": 4, "A": (3,)}, "PYTL-3004", "3 has 1 modes, but A is memref<f32x?x4>"),
        ({"n": 4, "A": (3, 5)}, "PYTL-3004", "3x5 does not fit A, which is memref<f32x?x4>"),
        ({"n": 4, "A": (3, -1)}, "PYTL-3004", "A is given the shape (3, -1)"),
        ({"n": 4, "A": (True, ...)}, "PYTL-3004", "A is given the shape (True, Ellipsis)"),
        ({"n": 4, "A": (3, ...), "C": (2, 2)}, "PYTL-3004", "@product is not valid with these sizes"),
        ({"n": 4, "D": (3, 3)}, "PYTL-3004", "@product has no parameter D"),
        ({"A": (3, ...)}, "PYTL-2020", "product has no value for n yet"),
        ({"A": 3}, "PYTL-2020", "product has no constexpr parameter A"),
    ],
)
def test_sizes_that_do_not_fit(values: dict[str, Any], code: str, message: str) -> None:
    with pytest.raises(pytl.PytlError) as caught:
        product.specialize(**values)
    assert (caught.value.code, caught.value.diagnostics[0].message) == (code, message)
    assert "product.specialize(**values)" in str(caught.value)


# The SYCL backend.


@pytl.kernel
def chain(A: Group[f32, ..., ...], B: Memref[f32, ..., ...], C: Memref[f32, ..., ..., ...]):
    g = group_id()
    gemm(1.0, A[g], B, 1.0, C[:, :, g])


def launch_chain(m: int, n: int, k: int, wait: bool = True) -> None:
    from device_kit import dpt

    rng = np.random.default_rng(m * n * k)
    shapes = (m, k, 3), (k, n), (m, n, 3)
    A, B, C = (np.asfortranarray(rng.integers(-4, 5, shape).astype(np.float32)) for shape in shapes)
    expected = C + np.einsum("ikg,kj->ijg", A, B)
    a, b, c = (dpt.asarray(array, order="F") for array in (A, B, C))
    if wait:
        chain[3](a, b, c, backend="sycl")
    else:
        chain[3].submit(a, b, c).wait()
    np.testing.assert_array_equal(dpt.asnumpy(c), expected)


@pytest.mark.at_night
@needs_sycl
def test_on_sycl() -> None:
    for sizes in ((5, 3, 4), (5, 3, 4), (6, 3, 4), (6, 3, 4), (5, 3, 4), (6, 3, 4)):
        launch_chain(*sizes)
        launch_chain(*sizes, wait=False)
    found = [variant.sizes for variant in chain.cache_info().variants]
    assert found == [{}, {"A": "5x4", "B": "4x3", "C": "5x3x?"}, {"A": "6x4", "B": "4x3", "C": "6x3x?"}]
    assert "x?x?" in str(chain) and "A_count" in chain.emit("numba_dpex")


SECOND_PROCESS = """
import numpy as np, pytl
kernel = pytl.compile({text!r})["add"]
x, y = np.ones((7, 3), np.float32, order="F"), np.ones((7, 3), np.float32, order="F")
kernel[3](x, y)
assert (y == 2).all()
info = kernel.cache_info()
print(info.builds, info.disk_hits, *info.variants[0].sizes.values())
import sys
assert "numba" not in sys.modules or info.builds
"""


@pytest.mark.at_night
@needs_sycl
def test_a_second_process_finds_it(tmp_path: Any) -> None:
    runs = [clean_python(SECOND_PROCESS.format(text=TEXT), PYTL_CACHE_DIR=str(tmp_path)) for _ in range(2)]
    assert [(run.stdout, run.stderr) for run in runs] == [("1 0 7x? 7x?\n", ""), ("0 1 7x? 7x?\n", "")]


@needs_sycl
def test_a_factor_that_unknown_sizes_forbid_to_copy_is_refused_whatever_the_sizes() -> None:
    text = """func @f(%x: memref<f32x?x?>) { %one = constant 1.0 : f32 axpby.t %one, %x, %one, %x }"""
    k = pytl.compile(text)["f"]
    for _ in range(2):
        with pytest.raises(pytl.PlatformError, match=r"PYTL-3026.*B overlaps A, which is memref<f32x\?x\?>"):
            k[1](np.ones((3, 3), np.float32, order="F"), backend="sycl")
