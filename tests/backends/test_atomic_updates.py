"""Atomic updates with any beta, where all work-groups update the same elements: none is lost, on every backend.

All work-groups do the same to an element, so that their order does not matter: what is left is what NumPy finds after
as many updates, one after the other, and one that was lost would show.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from differential.cases import NEEDS_OPENCL, NEEDS_SYCL, kind_of
from reference_kit import COMPLEX, DTYPES, FLOATS
from sampling import crossed

import pytl
from pytl import Memref, atomic, axpby, bf16, c32, f16, f32, f64, foreach, i32
from pytl.ir.types import SCALAR_TYPES
from pytl.passes import LowerCollectives, Pipeline

pytestmark = pytest.mark.at_most(4)

WAYS: list[Any] = [
    ("reference", ""),
    pytest.param(("sycl", "one-item"), marks=NEEDS_SYCL),
    pytest.param(("sycl", "many-items"), marks=NEEDS_SYCL),
    pytest.param(("opencl", "many-items"), marks=NEEDS_OPENCL),
    *(pytest.param((name, ""), marks=pytest.mark.tools_of(name)) for name in ("mlir", "arm_sme")),
]
"""Backends, with the strategy where there are several."""
TYPES = list(SCALAR_TYPES)
GROUPS, ROUNDS = 60, 5
WORDS = {
    "axpby.n": (["x5x3"], "x5x3", ""),
    "axpby.t": (["x3x5"], "x5x3", ""),
    "gemm.n.t": (["x5x2", "x3x2"], "x5x3", ""),
    "gemv.t": (["x2x5", "x2"], "x5", ""),
    "ger": (["x5", "x3"], "x5x3", ""),
    "hadamard": (["x5x3", "x5x3"], "x5x3", ""),
    "sum.n": (["x5x2"], "x5", ""),
    "cumsum": (["x3x5"], "x3x5", " 1,"),
}
"""By instruction: the shapes of the factors and of the target, and the mode."""
TERMS = {
    "axpby.n": lambda a: a,
    "axpby.t": lambda a: a.T,
    "gemm.n.t": lambda a, b: a @ b.T,
    "gemv.t": lambda a, b: a.T @ b,
    "ger": np.outer,
    "hadamard": lambda a, b: a * b,
    "sum.n": lambda a: a.sum(axis=1),
    "cumsum": lambda a: a.cumsum(axis=1),
}


def launched(way: tuple[str, str]) -> tuple[str, dict[str, str]]:
    """The backend and the options of a launch."""
    backend, strategy = way
    return backend, {"strategy": strategy} if strategy else {}


def scale(type_: str) -> Any:
    """A factor that loses nothing: odd where numbers wrap, and a little more than 1 where they are rounded."""
    return DTYPES[type_].type(1.015625) if type_ in FLOATS + COMPLEX else 3


def some(type_: str, shape: str) -> np.ndarray:
    """Numbers from -2 to 2, of complex ones both parts."""
    sizes = [int(size) for size in shape.split("x")[1:]]
    numbers: Any = np.arange(np.prod(sizes, dtype=int)).reshape(sizes) % 5 - 2
    if type_ in COMPLEX:
        numbers = numbers + 1j * np.flip(numbers)
    return np.array(numbers, DTYPES[type_], order="F")


def computed(type_: str) -> np.dtype:
    """The type of the computation."""
    return np.dtype(np.float32) if type_ in ("f16", "bf16") else DTYPES[type_]


def repeated(before: np.ndarray, term: np.ndarray, beta: Any, type_: str, times: int) -> np.ndarray:
    """`y := term + beta y` as often, each time rounded once."""
    found, wide = before, computed(type_)
    for _ in range(times):
        found = (term.astype(wide) + wide.type(beta) * found.astype(wide)).astype(DTYPES[type_])
    return found


CONTENDED = """
func @f(%alpha: {type}, %beta: {type}, {parameters}) {{
  %0 = constant 0 : index
  %n = constant {rounds} : index
  for %i = %0, %n {{
    {word}.atomic.v03 %alpha, {factors},{mode} {beta}, %y
  }}
}}
"""


@pytest.mark.at_most(1)
@pytest.mark.parametrize(
    ("way", "word", "type_", "beta"), crossed(WAYS, list(WORDS), TYPES, ("known", "at run time"), kind_of=kind_of)
)
def test_no_update_is_lost(way: tuple[str, str], word: str, type_: str, beta: str) -> None:
    shapes, target, mode = WORDS[word]
    named = dict(zip("ab", shapes)) | {"y": target}
    number = scale(type_)
    literal = "3" if number == 3 else "[0x1.04p+0,0x0p+0]" if type_ in COMPLEX else "0x1.04p+0"
    text = CONTENDED.format(
        type=type_,
        parameters=", ".join(f"%{name}: memref<{type_}{shape}>" for name, shape in named.items()),
        rounds=ROUNDS,
        word=word,
        factors=", ".join(f"%{name}" for name in list(named)[:-1]),
        mode=mode,
        beta="%beta" if beta == "at run time" else literal,
    )
    arrays = {name: some(type_, shape) for name, shape in named.items()}
    *factors, y = arrays.values()
    wide = computed(type_)
    with np.errstate(over="ignore"):
        term = wide.type(2) * np.asarray(TERMS[word](*(a.astype(wide) for a in factors)), wide)
        wanted = repeated(y, term, number, type_, GROUPS * ROUNDS)
    backend, options = launched(way)
    kernel = pytl.compile(text)["f"]
    kernel[GROUPS, options](2, number, *arrays.values(), backend=backend)
    np.testing.assert_array_equal(y.astype(np.complex128), wanted.astype(np.complex128))


MANY = 20_001
"""Work-groups that take so long together that threads meet: plain updates are lost here."""


@pytest.mark.at_most(1)
@pytest.mark.parametrize(("way", "type_"), crossed(WAYS[1:], TYPES, kind_of=kind_of))
def test_no_update_is_lost_where_threads_meet(way: tuple[str, str], type_: str) -> None:
    """Integers have gone through another power of 3 where one is lost; other numbers have been negated once less."""
    text = CONTENDED.format(
        type=type_,
        parameters=f"%a: memref<{type_}x5x3>, %y: memref<{type_}x5x3>",
        rounds=ROUNDS,
        word="axpby.n",
        factors="%a",
        mode="",
        beta="%beta",
    )
    kernel = pytl.compile(text)["f"]
    a, y = some(type_, "x5x3"), some(type_, "x5x3")[::-1].copy(order="F")
    before, times = y.copy(), MANY * ROUNDS
    is_integer = SCALAR_TYPES[type_].is_integer
    backend, options = launched(way)
    kernel[MANY, options](1, 3 if is_integer else -1, a, y, backend=backend)
    if is_integer:
        power = 3**times
        whole = [int(n) * power + int(t) * ((power - 1) // 2) for n, t in zip(before.ravel(), a.ravel())]
        bits = 8 * y.dtype.itemsize
        found = [int(n) % 2**bits for n in y.ravel()]
        assert found == [n % 2**bits for n in whole]
    else:
        np.testing.assert_array_equal(y.astype(np.complex128), (a - before).astype(np.complex128))


@pytest.mark.at_most(1)
@pytest.mark.parametrize(("way", "type_"), crossed(WAYS, TYPES, kind_of=kind_of))
def test_beta_one_sums_up_exactly(way: tuple[str, str], type_: str) -> None:
    """Each work-group adds its own numbers, with a beta that nobody knows to be 1."""
    kernel = pytl.compile(f"""func @f(%beta: {type_}, %x: memref<{type_}x7x?>, %y: memref<{type_}x7>) {{
      %g = group_id : index
      %one = constant {"[1.0,0.0]" if type_ in COMPLEX else "1.0" if type_ in FLOATS else "1"} : {type_}
      %v = subview %x[:, %g] : memref<{type_}x7>
      axpby.n.atomic.v03 %one, %v, %beta, %y
    }}""")["f"]
    x = some(type_, f"x7x{GROUPS}")
    y = np.ones(7, DTYPES[type_])
    backend, options = launched(way)
    kernel[GROUPS, options](1, x, y, backend=backend)
    np.testing.assert_array_equal(y.astype(np.complex128), 1 + x.astype(np.complex128).sum(axis=1))


@pytest.mark.at_most(1)
@pytest.mark.parametrize(("way", "type_"), crossed(WAYS, [*FLOATS, *COMPLEX], kind_of=kind_of))
def test_what_is_not_a_number_is_not_read_where_beta_is_zero(way: tuple[str, str], type_: str) -> None:
    kernel = pytl.compile(f"""func @f(%beta: {type_}, %x: memref<{type_}x6x2>, %y: memref<{type_}x6x6>) {{
      gemm.n.t.atomic.v03 %beta, %x, %x, %beta, %y
      axpby.n.atomic.v03 %beta, %y, %beta, %y
    }}""")["f"]
    x, y = some(type_, "x6x2"), np.full((6, 6), np.nan, DTYPES[type_], order="F")
    backend, options = launched(way)
    kernel[1, options](0, x, y, backend=backend)
    np.testing.assert_array_equal(y.astype(np.complex128), 0)


EACH = """
func @f(%s: {wide}, %v: {wide}, %y: memref<{type}x3>, %one: memref<{type}>, %seen: memref<{type}x8x?>)
    attributes{{subgroup_size=16, work_group_size=[32,1]}} {{
  %0 = constant 0 : index
  %3 = constant 3 : index
  %8 = constant 8 : index
  %g = group_id : index
  foreach (%i) = (%0), (%8) {{
    %k = arith.rem %i, %3 : index
    %r = v03.atomic_scale_add.device{order} %s, %v, %y[%k] : {type}
    store %r, %seen[%i, %g]
  }}
  %unused = v03.atomic_scale_add.device{order} %s, %v, %one[] : {type}
}}
"""


@pytest.mark.at_most(1)
@pytest.mark.parametrize(
    ("way", "type_", "order"),
    crossed(WAYS, TYPES, ("", ".acquire_release", ".sequentially_consistent"), kind_of=kind_of),
)
def test_each_finds_what_the_one_before_it_left(way: tuple[str, str], type_: str, order: str) -> None:
    """In a foreach by its points; in a collective region by all 32 work-items."""
    wide = "f32" if type_ in ("f16", "bf16") else type_
    kernel = pytl.compile(EACH.format(type=type_, wide=wide, order=order))["f"]
    groups = 4
    y, one, seen = some(type_, "x3"), some(type_, ""), np.zeros((8, groups), DTYPES[type_], order="F")
    before, first = y.copy(), one.copy()
    number, value = scale(type_), computed(type_).type(1)
    backend, options = launched(way)
    kernel[groups, options](number, value, y, one, seen, backend=backend)
    with np.errstate(over="ignore"):
        wanted = repeated(first, value, number, type_, 32 * groups)
        np.testing.assert_array_equal(one.astype(np.complex128), wanted.astype(np.complex128))
        for k in range(3):
            steps = [before[k]]
            found = seen[k::3].ravel()
            for _ in found:
                steps.append(repeated(steps[-1], value, number, type_, 1))
            for part in (np.real, np.imag):  # each part of a complex number is updated by itself
                assert sorted(map(float, part(found))) == sorted(map(float, part(steps[:-1])))
            assert y[k] == steps[-1]


@pytest.mark.at_night
@pytest.mark.parametrize(("way", "type_"), crossed(WAYS, list(COMPLEX), kind_of=kind_of))
def test_a_complex_factor(way: tuple[str, str], type_: str) -> None:
    """Both parts of an element are those of one update where no other comes between."""
    kernel = pytl.compile(f"""func @f(%s: {type_}, %v: {type_}, %y: memref<{type_}x5>, %seen: memref<{type_}x5>) {{
      %0 = constant 0 : index
      %5 = constant 5 : index
      %t = alloca : memref<{type_}x5,local>
      axpby.n %v, %y, [0.0,0.0], %t
      foreach (%i) = (%0), (%5) {{
        %r = v03.atomic_scale_add %s, %v, %y[%i] : {type_}
        store %r, %seen[%i]
        %q = v03.atomic_scale_add %s, %v, %t[%i] : {type_}
      }}
      hadamard.atomic.v03 %v, %t, %t, %s, %y
    }}""")["f"]
    y, seen = some(type_, "x5"), np.zeros(5, DTYPES[type_])
    before = y.copy()
    s, v = 2 - 1j, 1 + 3j
    backend, options = launched(way)
    kernel[1, options](s, v, y, seen, backend=backend)
    np.testing.assert_array_equal(seen, before)
    local = s * (v * before) + v
    np.testing.assert_array_equal(y, s * (s * before + v) + v * local * local)


@pytest.mark.at_night
@pytest.mark.parametrize("way", WAYS)
def test_kernels_in_python(way: tuple[str, str]) -> None:
    @pytl.kernel
    def damped(s: f16, x: Memref[f16, 4], y: Memref[f16, 4], z: Memref[bf16], n: Memref[i32]):
        axpby(2.0, x, s, y, atomic=True, any_beta=True)
        for i in foreach(4):
            atomic.scale_add(z[()], 1.0, f32(x[i]), scope="device", order="acquire_release")
            before = atomic.scale_add(n[()], 1, 2)
            if before < 0:
                atomic.scale_add(y[i], s, 1.0)

    assert [word for word in str(damped).split() if "v03" in word] == [
        "axpby.n.atomic.v03",
        "v03.atomic_scale_add.device.acquire_release",
        *["v03.atomic_scale_add.device"] * 2,
    ]
    x, y = np.arange(4).astype(np.float16), np.ones(4, np.float16)
    z, n = np.zeros((), DTYPES["bf16"]), np.zeros((), np.int32)
    backend, options = launched(way)
    damped[8, options](0.5, x, y, z, n, backend=backend)
    np.testing.assert_array_equal(y, repeated(np.ones(4, np.float16), 2 * x, 0.5, "f16", 8))
    assert (z, n) == (8 * 6, 8 * 4 * 2)


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        ("axpby(1.0, a, 0.5, a, atomic=True)", r"PYTL-0324(.|\n)*write \.atomic\.v03 \(in Python: any_beta=True\)"),
        ("axpby(1.0, a, 0.5, a, any_beta=True)", r"PYTL-0324(.|\n)*v03 is there, but no atomic flag"),
        ("atomic.scale_add(a[0], f64(1.0), 1.0)", "the value is f64, but the elements are f32"),
        ("atomic.scale_add(h[0], 1.0, f64(1.0))", r"the value is f64, but the elements are f16(.|\n)*cast it: f32\("),
        ("atomic.scale_add(a[0], c32(1.0), 1.0)", "the value is c32, but the elements are f32"),
    ],
)
def test_what_is_refused(call: str, wanted: str) -> None:
    from tracing_kit import functions

    source = f"@pytl.kernel\ndef f(a: Memref[f32, 4], h: Memref[f16, 4]):\n    {call}\n"
    with pytest.raises(pytl.PytlError, match=wanted):
        str(functions(source, atomic=atomic, axpby=axpby, c32=c32, f16=f16, f64=f64)["f"])


@pytest.mark.parametrize(
    ("beta", "wanted"),
    [
        ("0", ["store.atomic"]),
        ("1", ["store.atomic_add"]),
        ("2", ["v03.atomic_scale_add.device"]),
        ("%b", ["cmp.ne", "if", "v03.atomic_scale_add.device", "store.atomic"]),
    ],
)
def test_what_an_element_is_updated_by(beta: str, wanted: list[str]) -> None:
    text = f"func @f(%b: i32, %y: memref<i32x4>) {{ axpby.n.atomic.v03 1, %y, {beta}, %y }}"
    lowered = str(Pipeline([LowerCollectives()]).run(pytl.parse(text)))
    words = ("store.atomic_add", "store.atomic", "v03.atomic_scale_add.device", "cmp.ne", "if")
    found = [word.strip() for line in lowered.splitlines() for word in line.split("= ")[-1:] if word.strip()]
    assert [line.split(" ")[0] for line in found if line.split(" ")[0] in words] == wanted


@pytest.mark.parametrize("type_", ["f32", "f16", "i8"])
def test_intel_gpus_exchange_what_is_multiplied(type_: str) -> None:
    text = "func @f(%b: T, %y: memref<Tx5>, %z: memref<Tx5>) { axpby.n.atomic.v03 %b, %y, %b, %z }"
    kernel = pytl.compile(text.replace("T", type_))["f"]
    assert "llvm.cmpxchg" in kernel.emit("xegpu")
    dtype, results = {"f32": np.float32, "f16": np.float16, "i8": np.int8}[type_], []
    for backend, options in (("reference", {}), ("xegpu", {"interpreted": True})):
        y, z = np.arange(5).astype(dtype), np.arange(5, 10).astype(dtype)
        kernel[2, options](2, y, z, backend=backend)
        results.append(z)
    np.testing.assert_array_equal(*results)


def test_a_plain_access_beside_it_is_a_race() -> None:
    kernel = pytl.compile("""func @f(%b: f32, %y: memref<f32>, %z: memref<f32>) {
      axpby.n.atomic.v03 %b, %y, %b, %z
      axpby.n %b, %z, %b, %y
    }""")["f"]
    with pytest.raises(pytl.ExecutionError, match="PYTL-4031"):
        kernel[2](0.5, np.ones((), np.float32), np.ones((), np.float32), backend="reference")
