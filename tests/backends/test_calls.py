"""Functions that kernels call, on every backend: what they compute, and that their code is there once."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from differential.cases import NEEDS_OPENCL, NEEDS_SYCL, WAYS
from tracing_kit import functions

import pytl
from pytl import Group, Memref, bf16, c32, f16, f32, f64, foreach, group_id, i8, i32, index

pytestmark = pytest.mark.at_most(4)

CALLS = 6


def wave(x: f32, k: f32) -> f32:
    return 0.25 * pytl.exp2(pytl.sin(x + k)) + 0.5 * pytl.tanh(x - k)


once = pytl.function(wave)


def repeated(function: Any) -> pytl.Kernel:
    @pytl.kernel
    def waves(x: Memref[f32, 64, ...], y: Memref[f32, 64, ...]):
        g = group_id()
        for i in foreach(64):
            t = x[i, g]
            for k in pytl.static_range(CALLS):
                t = function(t, f32(k))
            y[i, g] = t

    return waves


INLINED, CALLED = repeated(wave), repeated(once)


@pytl.function
def element(A: Memref[f32, ..., ...], i: index, j: index) -> f32:
    return A[i, j] if i < j else -A[j, i]


@pytl.function
def swap(x, i: index, j: index) -> None:
    x[i], x[j] = x[j], x[i]


@pytl.function
def polynomial(z: c32, n: index) -> tuple[c32, pytl.bool_, i32]:
    value, count = z, i32(0)
    for k in range(n):
        if value.real * value.real + value.imag * value.imag > 4.0:
            return value, True, count
        value = value * value + z
        count += 1
    return value, False, count


@pytl.function
def halves(a: f16, b: bf16, c: i8) -> tuple[f16, bf16, i8]:
    return a * a + a, b * b - b, c * c


@pytl.function
def of_item(G: Group[f64, ...], g: index, i: index) -> f64:
    return G[g][i] * 2.0 + f64(i32(len(G)))


@pytl.function
def nested(G, g: index, i: index, scale: pytl.constexpr = 1.0):
    return of_item(G, g, i) * scale + pytl.sqrt(of_item(G, g, 0))


@pytl.function
def multiplied(A, B, C):
    T = pytl.alloca(f32, 8, 8)
    pytl.gemm(1.0, A, B, 0.0, T)
    pytl.axpby(1.0, T, 1.0, C)


@pytl.kernel(subgroup_size=16, work_group_size=(32, 1))
def everything(
    A: Memref[f32, 8, 8, ...],
    x: Memref[f32, 16],
    z: Memref[c32, 8],
    n: Memref[i32, 8],
    a: Memref[f16, 8],
    b: Memref[bf16, 8],
    c: Memref[i8, 8],
    G: Group[f64, 8],
    H: Group[f64, ...],
):
    T = pytl.alloca(f32, 8, 8)
    B, g = A[:, :, 0], group_id()
    for i, j in foreach((0, 0), (8, 8)):
        T[i, j] = element(B, i, j) + element(A[:, :, 1], j, i)
    multiplied(T, B, A[:, :, 2])
    multiplied(B, T, A[:, :, 2])
    for i in foreach(8):
        swap(x, i, 15 - i)
        z[i], escaped, n[i] = polynomial(z[i], 12)
        if escaped:
            n[i] = -n[i]
        a[i], b[i], c[i] = halves(a[i], b[i], c[i])
    for i in foreach(8):
        H[g][i] = nested(G, 1, i) + nested(G, g, i, 0.5)


def arguments() -> list[Any]:
    rng = np.random.default_rng(3)
    A = np.asfortranarray(rng.integers(-3, 4, (8, 8, 3)), np.float32)
    z = ((rng.random(8) - 0.5) * 3 + (rng.random(8) - 0.5) * 2j).astype(np.complex64)
    halves = [
        rng.integers(-3, 4, 8).astype(np.float16),
        rng.integers(-3, 4, 8).astype("bfloat16"),
        rng.integers(-9, 9, 8),
    ]
    halves[2] = halves[2].astype(np.int8)
    G = [rng.integers(0, 9, 8).astype(np.float64) for _ in range(2)]
    return [A, rng.random(16).astype(np.float32), z, np.zeros(8, np.int32), *halves, G, [np.zeros(8)]]


def expected() -> list[Any]:
    A, x, z, n, a, b, c, G, _ = arguments()

    def of(M: np.ndarray) -> np.ndarray:
        return np.array([[M[i, j] if i < j else -M[j, i] for j in range(8)] for i in range(8)], np.float32)

    T = of(A[:, :, 0]) + of(A[:, :, 1]).T
    A[:, :, 2] += T @ A[:, :, 0] + A[:, :, 0] @ T
    for k in range(8):
        value, count = z[k], 0
        while count < 12 and abs(value) ** 2 <= 4:
            value, count = value * value + z[k], count + 1
        z[k], n[k] = value, -count if count < 12 else count
    of_item = [item * 2 + 2 for item in G]
    H = [of_item[1] + np.sqrt(of_item[1][0]) + of_item[0] * 0.5 + np.sqrt(of_item[0][0])]
    return [A, x[::-1].copy(), z, n, a * a + a, b * b - b, c * c, G, H]


def check(given: list[Any]) -> None:
    for mine, wanted in zip(given, expected(), strict=True):
        for one, other in zip(mine, wanted, strict=True) if isinstance(mine, list) else [(mine, wanted)]:
            tolerance = {"c": 1e-4, "f": 1e-6}.get(one.dtype.kind, 0)
            kind = np.float32 if one.dtype.name in ("bfloat16", "float16") else one.dtype
            np.testing.assert_allclose(one.astype(kind), other.astype(kind), rtol=tolerance)


def test_the_reference_computes_what_numpy_does() -> None:
    given = arguments()
    everything[1](*given, backend="reference")
    check(given)


def options_of(way: str) -> tuple[str, dict[str, Any]]:
    return (way, {}) if way in ("mlir", "arm_sme") else ("sycl", {"strategy": way})


@pytest.mark.at_night
@pytest.mark.parametrize("specialize", ["never", "always"])
@pytest.mark.parametrize("way", WAYS)
def test_backends_compute_it_too(way: str, specialize: str) -> None:
    backend, options = options_of(way)
    given = arguments()
    everything[1, {**options, "specialize": specialize}](*given, backend=backend)
    check(given)


@pytest.mark.at_most(1)
@NEEDS_OPENCL
@pytest.mark.parametrize("strategy", ["one-item", "many-items"])
def test_so_does_opencl(strategy: str) -> None:
    given = arguments()
    everything[1, {"strategy": strategy}](*given, backend="opencl")
    check(given)


@pytest.mark.at_night
@pytest.mark.parametrize("way", WAYS)
def test_a_call_and_its_inlined_body_are_one(way: str) -> None:
    backend, options = options_of(way)
    x = np.asfortranarray(np.random.default_rng(5).random((64, 2)), np.float32)
    y, z = np.zeros_like(x), np.zeros_like(x)
    INLINED[2, options](x, y, backend=backend)
    CALLED[2, options](x, z, backend=backend)
    # of sums and products the device's compiler may make fused ones in one of them
    np.testing.assert_allclose(y, z, rtol=1e-5)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("way", WAYS)
def test_checks_on_the_device_see_functions(way: str) -> None:
    """With checks all calls are inlined, so that each test is where the reference backend has it."""
    kernel = functions("""
@pytl.function
def inner(x, i: index):
    return x[i]

@pytl.kernel
def k(x: Memref[f32, ...], y: Memref[f32, 4], n: index):
    for t in range(1, 3):
        for i in foreach(4):
            y[i] = inner(x, i + n * t)
""")["k"]
    backend, options = options_of(way)
    messages = []
    for where, given in (("reference", {}), (backend, options)):
        with pytest.raises(pytl.ExecutionError) as caught:
            x, y = (np.zeros(count, np.float32) for count in (8, 4))
            kernel[1, {**given, "checks": True}](x, y, 3, backend=where)
        found = caught.value.diagnostics[0]
        messages.append((found.code, found.message.partition(" (")[2], found.location.line, found.location.caller.line))
    assert messages[0][1] == "work-group 0, %t = 2, iteration (2))"
    assert messages[0] == messages[1]


# The code.


@pytest.mark.at_night
def test_generated_source_has_a_function_once() -> None:
    for strategy in ("one-item", "many-items"):
        source = CALLED.emit("numba_dpex", strategy=strategy)
        assert source.count("def wave(x, k):") == 1
        assert len(re.findall(r" = wave\(", source)) == CALLS
    for target in ("mlir", "arm_sme"):
        text = CALLED.emit(target)
        assert text.count("func.func private @pytl_waves_calls_wave(%x: f32, %k: f32) -> f32") == 1
        assert text.count("func.call @pytl_waves_calls_wave(") == CALLS
    assert "func.call" not in CALLED.emit("xegpu")


def spirv_functions(kernel: pytl.Kernel, **options: Any) -> list[tuple[str, int]]:
    """The functions of a kernel's SPIR-V that are not inlined, each with the calls of it."""
    import struct

    code = bytes(kernel.emit("spirv", **options))
    words = struct.unpack(f"<{len(code) // 4}I", code)
    found: dict[int, int] = {}
    names: dict[int, str] = {}
    calls: list[int] = []
    place = 5
    while place < len(words):
        length, opcode = words[place] >> 16, words[place] & 0xFFFF
        if opcode == 5:  # OpName
            text = struct.pack(f"<{length - 2}I", *words[place + 2 : place + length])
            names[words[place + 1]] = text.split(b"\0", 1)[0].decode()
        elif opcode == 54 and words[place + 3] & 2:  # OpFunction, DontInline
            found[words[place + 2]] = 0
        elif opcode == 57:  # OpFunctionCall
            calls.append(words[place + 3])
        place += length
    return sorted((names.get(function, ""), calls.count(function)) for function in found)


@pytest.mark.at_night
@NEEDS_SYCL
@pytest.mark.parametrize("strategy", ["one-item", "many-items"])
def test_spirv_has_a_function_once(strategy: str) -> None:
    ((name, calls),) = spirv_functions(CALLED, strategy=strategy)
    assert "wave" in name and calls == CALLS
    assert spirv_functions(INLINED, strategy=strategy) == []


@pytest.mark.at_night
@NEEDS_SYCL
def test_spirv_has_functions_that_functions_call() -> None:
    found = spirv_functions(everything, strategy="many-items")
    called = {
        word: calls for name, calls in found for word in ("element", "swap", "polynomial", "halves") if word in name
    }
    assert called == {"element": 2, "swap": 1, "polynomial": 1, "halves": 1}
    assert sorted(calls for name, calls in found if "of_item" in name) == [4]
    assert sorted(calls for name, calls in found if "nested" in name) == [1, 1]


@pytl.function
def step(A: Memref[f32, 8, 8], B: Memref[f32, 8, 8], C: Memref[f32, 8, 8]):
    T = pytl.alloca(f32, 8, 8)
    pytl.gemm(1.0, A, B, 0.0, T)
    for i, j in foreach((0, 0), (8, 8)):
        C[i, j] += once(T[i, j], f32(i32(group_id())))


@pytl.kernel
def steps(A: Memref[f32, 8, 8, ...], B: Memref[f32, 8, 8], C: Memref[f32, 8, 8, ...]):
    g = group_id()
    U = pytl.alloca(f32, 8, 8)
    pytl.axpby(1.0, A[:, :, g], 0.0, U)
    for n in range(3):
        step(A[:, :, g], B, C[:, :, g])
        step(U, B, C[:, :, g])
        step(B, U, C[:, :, g])
        if n == 1:
            step(U, U, C[:, :, g])
            step(U, B, C[:, :, g])
        pytl.axpby(0.5, C[:, :, g], 0.5, U)


def stepped(backend: str, **options: Any) -> np.ndarray:
    rng = np.random.default_rng(1)
    A = np.asfortranarray(rng.random((8, 8, 3)), np.float32)
    B = np.asfortranarray(rng.random((8, 8)), np.float32)
    C = np.zeros((8, 8, 3), np.float32, order="F")
    steps[3, options](A, B, C, backend=backend)
    return C


@pytest.mark.at_night
@pytest.mark.parametrize("way", WAYS)
def test_collective_functions(way: str) -> None:
    backend, options = options_of(way)
    np.testing.assert_allclose(stepped(backend, **options), stepped("reference"), rtol=1e-4)


@pytest.mark.at_night
def test_source_has_collective_functions_once() -> None:
    for strategy in ("one-item", "many-items"):
        source = steps.emit("numba_dpex", strategy=strategy)
        # an alloca that is passed has another type than memory of the launch
        names = ("step", "step_1", "step_2", "step_3")
        assert [source.count(f"def {name}(stack, A, B, C, ") for name in names] == [1] * 4
        assert len(re.findall(r"^ +step\w*\(stack \+ 256, ", source, re.M)) == 5
    assert "vector_kernel" in steps.emit("numba_dpex", strategy="one-item")
    assert steps.emit("mlir").count("func.func private @pytl_steps_calls_step") == 4
    assert "@pytl_steps_calls_step" not in steps.emit("arm_sme")


@pytest.mark.at_night
@NEEDS_SYCL
@pytest.mark.parametrize("strategy", ["one-item", "many-items"])
def test_spirv_has_collective_functions_once(strategy: str) -> None:
    found = [(name, calls) for name, calls in spirv_functions(steps, strategy=strategy) if "step" in name]
    assert sorted(calls for _, calls in found) == [1, 1, 1, 2]


@pytest.mark.at_night
@NEEDS_SYCL
def test_code_is_smaller_than_with_inlining() -> None:
    sizes = [len(kernel.emit("spirv")) for kernel in (INLINED, CALLED)]
    assert sizes[0] > CALLS / 2 * sizes[1], sizes


@pytest.mark.tools_of("mlir")
def test_machine_code_has_a_function_once() -> None:
    code = CALLED.emit("mlir", stage="asm")
    assert len(re.findall(r"^pytl_waves_calls_wave:", code, re.M)) == 1
    calls = len(re.findall(r"\b(?:callq?|bl)\s+pytl_waves_calls_wave\b", code))
    assert calls and calls % CALLS == 0  # LLVM may unroll the loop around them


@pytest.mark.at_night
@pytest.mark.tools_of("arm_sme")
def test_streaming_code_calls_without_a_change_of_mode() -> None:
    kernel = functions("""
@pytl.function
def line(x: f32, k: f32) -> f32:
    return x * k + 1.0

@pytl.kernel
def k(A: Memref[f32, 8, 8], x: Memref[f32, 8]):
    gemm(1.0, A, A, 1.0, A)
    for i in foreach(8):
        x[i] = line(x[i], A[i, i])
    axpby(2.0, x, 0.0, x)
""")["k"]
    text = kernel.emit("arm_sme")
    assert "arm_streaming_compatible, arm_preserves_za" in text
    code = kernel.emit("arm_sme", stage="asm")
    body = code[code.index("\npytl_k_groups:") : code.index(".size\tpytl_k_groups")]
    assert "pytl_k_calls_line" in body
    assert not re.search(r"smst(?:art|op)\s+sm", body)
    assert "__arm_tpidr2_restore" not in body
    A, x = np.asfortranarray(np.eye(8) * 2, np.float32), np.arange(8, dtype=np.float32)
    kernel[1](A, x, backend="arm_sme")
    np.testing.assert_array_equal(x, 2 * (np.arange(8) * 6 + 1))


@pytest.mark.at_night
@NEEDS_SYCL
@pytest.mark.needs_numba_dpex
def test_numba_dpex_launches_it() -> None:
    import dpctl.tensor as dpt
    import numba_dpex

    x = np.asfortranarray(np.random.default_rng(5).random((64, 2)), np.float32)
    y = np.zeros_like(x)
    CALLED[2](x, y, backend="reference")
    on_device = [dpt.asarray(x, order="F"), dpt.zeros((64, 2), dtype=np.float32, order="F")]
    numba_dpex.call_kernel(*CALLED.dpex(2, *on_device))
    np.testing.assert_allclose(dpt.asnumpy(on_device[1]), y, rtol=1e-5)


@pytl.function
def exchanged(x: f32, n: index) -> f32:
    total = pytl.subgroup.add.reduce(x)
    for k in range(n):
        total += pytl.subgroup.broadcast(x, 2) * f32(pytl.subgroup.local_id())
    return total + pytl.subgroup.max.inclusive_scan(x)


@pytl.kernel(subgroup_size=16, work_group_size=(32, 1))
def exchanging(x: Memref[f32, 32, ...], y: Memref[f32, 32, ...]):
    g = group_id()
    with pytl.parallel():
        i = index(pytl.subgroup.id()) * 16 + index(pytl.subgroup.local_id())
        value = x[i, g]
        for _ in pytl.static_range(4):
            value = exchanged(value, 3)
        y[i, g] = value + exchanged(x[i, g], 2)


@pytest.mark.at_night
@pytest.mark.parametrize("way", WAYS[1:])
def test_functions_of_sub_groups(way: str) -> None:
    backend, options = options_of(way)
    x = np.asfortranarray(np.random.default_rng(2).integers(-3, 4, (32, 2)), np.float32)
    y, z = np.zeros_like(x), np.zeros_like(x)
    exchanging[2](x, y, backend="reference")
    exchanging[2, options](x, z, backend=backend)
    np.testing.assert_allclose(z, y, rtol=1e-6)


@NEEDS_SYCL
def test_spirv_has_functions_of_sub_groups_once() -> None:
    assert [calls for name, calls in spirv_functions(exchanging) if "exchanged" in name] == [5]


def test_the_number_of_the_sub_group_is_the_kernels() -> None:
    """One work-item may execute all sub-groups, and counts them."""
    kernel = functions("""
@pytl.function
def number() -> f32:
    return f32(subgroup.id())

@pytl.kernel(subgroup_size=16, work_group_size=(64, 1))
def k(x: Memref[f32, 4]):
    with parallel():
        x[index(subgroup.id())] = number() + 1.0
""")["k"]
    assert "def number" not in kernel.emit("numba_dpex", strategy="one-item")


def test_sub_groups_do_not_meet_in_a_foreach() -> None:
    text = """
func @k(%x: memref<f32x8>, %n: index) {{
  foreach (%i) = (%n), (%n) {{
    %a = load %x[%i] : f32
    %b = {} : f32
    store %b, %x[%i]
  }}
}}
{}"""
    called = "func @f(%x: f32) -> (f32) { %r = subgroup_add.reduce %x : f32 yield (%r) }"
    codes = []
    for call, function in (("subgroup_add.reduce %a", ""), ("pytl.call @f(%a) -> (f32)", called)):
        text_of = text.format(call, function).replace("-> (f32) : f32", "-> (f32)")
        with pytest.raises(pytl.PytlError) as caught:
            pytl.compile(text_of)["k"].emit("numba_dpex")
        codes.append(caught.value.diagnostics[0].code)
    assert codes == ["PYTL-3018", "PYTL-3018"]
