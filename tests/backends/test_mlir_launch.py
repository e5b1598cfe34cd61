"""Launches of MLIR, on the host and for Arm under QEMU: what a kernel finds in its descriptors, and what it leaves."""

from __future__ import annotations

import platform
import re
import threading

import ml_dtypes
import numpy as np
import pytest
from launch_kit import column_major, needs_sycl
from mlir_kit import Written, memref
from passes_kit import cache_of

import pytl
from pytl.backends.mlir.backend import MlirBackend
from pytl.backends.mlir.targets import host_triple
from pytl.backends.registry import find_backend

BACKENDS = [pytest.param(name, marks=pytest.mark.tools_of(name)) for name in ("mlir", "arm_sme")]
on_both = pytest.mark.parametrize("backend", BACKENDS)
host = pytest.mark.tools_of("mlir")

A = memref("f32", "?", "?")
Y = memref("f32", "?", "?", "?")
SCALED = Written(
    "func @scaled(%alpha: f32, %X: group<memref<f32x?x?>x?, offset: ?>, %Y: memref<f32x?x?x?>)"
    " { %z = constant 0 : index  %m = size %Y[0] : index  %n = size %Y[1] : index"
    " for %i = %z, %m { for %j = %z, %n { store %alpha, %Y[%i, %j, %z] } } }",  # nothing, where a mode is empty
    {"alpha": "f32", "X": f"memref<?x{A}, strided<[1], offset: ?>>", "Y": Y},
    f"""
      %x = memref.load %X[%g] : memref<?x{A}, strided<[1], offset: ?>>
      %n = memref.dim %x, %c0 : {A}
      %m = memref.dim %x, %c1 : {A}
      scf.for %j = %c0 to %n step %c1 {{
        scf.for %i = %c0 to %m step %c1 {{
          %a = memref.load %x[%j, %i] : {A}
          %b = memref.load %Y[%g, %j, %i] : {Y}
          %p = arith.mulf %alpha, %a : f32
          %s = arith.addf %p, %b : f32
          memref.store %s, %Y[%g, %j, %i] : {Y}
        }}
      }}""",
)


def run_scaled(kernel: pytl.Kernel, backend: str, groups: int, x, expected_x=None, **options) -> None:
    """Launch Y += 2 X, with Y between guards that stay as they are."""
    items = [expected_x[..., g] for g in range(groups)] if expected_x is not None else x
    shape = items[0].shape if groups else (3, 2)
    whole = np.full((shape[0] + 4, shape[1] + 4, groups + 2), -7, np.float32, order="F")
    y = whole[2:-2, 2:-2, 1:-1]
    y[...] = column_major(*y.shape)
    expected = whole.copy()
    for g in range(groups):
        n, m = items[g].shape
        expected[2 : 2 + n, 2 : 2 + m, 1 + g] += 2 * items[g]
    kernel[groups, options](2.0, x, y, backend=backend)
    np.testing.assert_array_equal(whole, expected)


@pytest.mark.at_most(1)
@on_both
def test_a_group_in_one_array(backend, by_hand):
    x = column_major(5, 3, 7)
    run_scaled(by_hand(SCALED), backend, 7, pytl.pointers(x, offset=0), x)


@pytest.mark.at_most(1)
@on_both
def test_a_group_behind_an_offset(backend, by_hand):
    """Items of known sizes are addresses."""
    signature = SCALED.signature.replace("f32x?x?>x?, offset: ?", "f32x5x3>x?, offset: 4")
    parameters = {**SCALED.parameters, "X": "memref<?xi64>"}
    body = """
      %address = memref.load %X[%g] : memref<?xi64>
      %x = llvm.inttoptr %address : i64 to !llvm.ptr
      %m = arith.constant 5 : index
      %n = arith.constant 3 : index
      scf.for %j = %c0 to %n step %c1 {
        scf.for %i = %c0 to %m step %c1 {
          %column = arith.muli %j, %m : index
          %place = arith.addi %column, %i : index
          %at = arith.index_cast %place : index to i64
          %pointer = llvm.getelementptr %x[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %a = llvm.load %pointer : !llvm.ptr -> f32
    """ + "\n".join(SCALED.body.splitlines()[7:])
    memory = column_major(25, 7)
    x = np.stack([memory[4:19, g].reshape((5, 3), order="F") for g in range(7)], -1)
    run_scaled(by_hand(Written(signature, parameters, body)), backend, 7, memory, x)


@pytest.mark.at_most(1)
@on_both
def test_a_group_of_arrays_of_their_own(backend, by_hand):
    x = [column_major(5, 3), column_major(9, 8)[::1, 2:5][:4], column_major(5, 1)[:2]]
    kernel = by_hand(SCALED)
    run_scaled(kernel, backend, 3, pytl.pointers(x, offset=0), np_items(x))


def np_items(arrays):
    class Items:
        def __getitem__(self, key):
            return arrays[key[1]]

    return Items()


@pytest.mark.at_most(1)
@on_both
@pytest.mark.parametrize("shape", [(0, 3, 2), (3, 0, 2), (3, 2, 0)])
def test_modes_of_zero_length(shape, backend, by_hand):
    x = column_major(*shape)
    items = [x[..., g] for g in range(shape[2])]
    run_scaled(by_hand(SCALED), backend, shape[2], pytl.pointers(items, offset=0), x)


@host
@pytest.mark.parametrize("threads", [1, 2, 3, 16])
def test_threads_share_a_launch(threads, by_hand):
    x = column_major(2, 2, 101)
    run_scaled(by_hand(SCALED), "mlir", 101, pytl.pointers(x, offset=0), x, threads=threads)


@host
def test_python_goes_on_while_a_kernel_runs(by_hand):
    """Another thread changes what the kernel waits for, which needs Python's lock."""
    flag = memref("i32", "?")
    kernel = by_hand(
        Written(
            "func @wait(%x: memref<i32x?>) { %z = constant 0 : index  %o = constant 1 : i32  store %o, %x[%z] }",
            {"x": flag},
            f"""
      %none = arith.constant 0 : i32
      scf.while : () -> () {{
        %v = memref.atomic_rmw ori %none, %x[%c0] : (i32, {flag}) -> i32
        %more = arith.cmpi eq, %v, %none : i32
        scf.condition(%more)
      }} do {{
        scf.yield
      }}
      memref.store %none, %x[%c0] : {flag}""",
        )
    )
    x = np.ones(1, np.int32)
    kernel[1](x, backend="mlir")
    threading.Timer(0.1, lambda: x.fill(1)).start()
    kernel[1](x, backend="mlir")
    assert x[0] == 0


@pytest.mark.at_most(1)
@on_both
def test_many_items_in_one_array(backend, by_hand):
    groups = 100_000
    x = column_major(2, 1, groups)
    y = np.zeros((2, 1, groups), np.float32, order="F")
    by_hand(SCALED)[groups](1.0, pytl.pointers(x, offset=0), y, backend=backend)
    np.testing.assert_array_equal(x, y)


@pytest.mark.at_night
@on_both
def test_many_items_of_their_own(backend, by_hand):
    groups = 20_000
    memory = column_major(3, groups)
    y = np.zeros((2, 1, groups), np.float32, order="F")
    x = [memory[1:, g : g + 1] for g in range(groups)]
    by_hand(SCALED)[groups](1.0, pytl.pointers(x, offset=0), y, backend=backend)
    np.testing.assert_array_equal(memory[1:], y[:, 0])


SCALARS = {
    "i8": (np.int8, "i8", -100),
    "i16": (np.int16, "i16", -30_000),
    "i32": (np.int32, "i32", -(2**31)),
    "i64": (np.int64, "i64", 2**62 + 1),
    "index": (np.int64, "index", -5),
    "bf16": (ml_dtypes.bfloat16, "bf16", 1.5),
    "f16": (np.float16, "f16", -0.125),
    "f32": (np.float32, "f32", 1e-40),
    "f64": (np.float64, "f64", 1 / 3),
}


@pytest.mark.at_night
@on_both
def test_scalars_of_all_types(backend, by_hand):
    names = ", ".join(f"%s_{name}: {name}, %x_{name}: memref<{name}x?>" for name in SCALARS)
    stores = "".join(f"store %s_{name}, %x_{name}[%z]  " for name in SCALARS)
    parameters, body = {}, []
    for name, (_, mlir, _) in SCALARS.items():
        parameters |= {f"s_{name}": mlir, f"x_{name}": memref(mlir, "?")}
        body.append(f"      memref.store %s_{name}, %x_{name}[%g] : {memref(mlir, '?')}")
    kernel = by_hand(
        Written(f"func @all({names}) {{ %z = constant 0 : index  {stores} }}", parameters, "\n".join(body))
    )
    arrays = [np.zeros(3, dtype) for dtype, _, _ in SCALARS.values()]
    arguments = [each for (_, _, value), array in zip(SCALARS.values(), arrays) for each in (value, array)]
    kernel[2](*arguments, backend=backend)
    for (dtype, _, value), array in zip(SCALARS.values(), arrays):
        np.testing.assert_array_equal(array, np.array([value, value, 0], dtype))


@pytest.mark.at_night
@host
def test_repeated_launches_pass_other_addresses_and_numbers(monkeypatch):
    """The first launch goes the whole way, the others write words into what the kernel is passed."""
    names = ", ".join(f"%s_{name}: {name}, %x_{name}: memref<{name}x?>" for name in (*SCALARS, "c32"))
    stores = "".join(f"store %s_{name}, %x_{name}[%g]  " for name in (*SCALARS, "c32"))
    (kernel,) = pytl.compile(f"func @all({names}) {{ %g = builtin.group_id : index  {stores} }}").values()
    launched = []
    launch = MlirBackend.launch
    monkeypatch.setattr(MlirBackend, "launch", lambda *given, **named: launched.append(1) or launch(*given, **named))

    def launch_with(divisor, count):
        dtypes = [*(dtype for dtype, _, _ in SCALARS.values()), np.complex64]
        values = [*(value for _, _, value in SCALARS.values()), 1 - 2j]
        values = [type(value)(value / divisor) for value in values]
        arrays = [np.zeros(3, dtype) for dtype in dtypes]
        kernel[count](*(each for pair in zip(values, arrays) for each in pair), backend="mlir")
        for dtype, value, array in zip(dtypes, values, arrays):
            np.testing.assert_array_equal(array, np.array([value] * count + [0] * (3 - count), dtype))

    for divisor, count in ((2, 2), (-3, 3), (1e9, 1), (7, 2)):
        launch_with(divisor, count)
    assert len(launched) == 2  # the second one is compiled for these sizes


def aligned(items: list[np.ndarray]) -> list[np.ndarray]:
    """Copies that begin at multiples of 256 bytes: plans of launches differ by how groups are aligned."""
    memory = np.zeros(1024 + 64 * len(items), np.float32)
    begin = -memory.ctypes.data % 4096 // 4
    copies = [memory[begin + 64 * n :][:15].reshape((5, 3), order="F") for n in range(len(items))]
    for copy, item in zip(copies, items):
        copy[...] = item
    return copies


@host
@pytest.mark.parametrize("sizes", ["5x3", "?x?"])
@pytest.mark.parametrize("is_one_array", [True, False])
def test_repeated_launches_pass_other_groups(sizes, is_one_array, monkeypatch):
    """Items of known sizes are addresses, others descriptors. The items of each launch lie elsewhere."""
    (kernel,) = pytl.compile(f"""func @f(%x: group<memref<f32x{sizes}>x?>, %y: memref<f32x{sizes}x?>) {{
      %g = builtin.group_id : index  %one = constant 1.0 : f32
      %a = load %x[%g] : memref<f32x{sizes}>
      %b = subview %y[:, :, %g] : memref<f32x{sizes}>
      axpby.n %one, %a, %one, %b
    }}""").values()
    launched = []
    launch = MlirBackend.launch
    monkeypatch.setattr(MlirBackend, "launch", lambda *given, **named: launched.append(1) or launch(*given, **named))
    y = np.zeros((5, 3, 6), np.float32, order="F")
    launcher, kept = kernel[6, {"specialize": "never"}], []
    for _ in range(5):
        x = column_major(5, 3, 6) + len(kept)
        kept.append(x if is_one_array else pytl.group(aligned([x[:, :, g] for g in (3, 1, 5, 0, 2, 4)])))
        expected = y + (x if is_one_array else x[:, :, [3, 1, 5, 0, 2, 4]])
        launcher(kept[-1], y, backend="mlir")
        np.testing.assert_array_equal(y, expected)
    launcher(kept[0], y, backend="mlir")
    np.testing.assert_array_equal(y, expected + (kept[0] if is_one_array else np.stack([*kept[0]], -1)))
    assert len(launched) == 1


@host
def test_a_bound_launch_is_repeated_with_its_arrays():
    (kernel,) = pytl.compile(PRODUCT.replace("N", "4")).values()
    arrays = [column_major(4, 4, 5), column_major(4, 4), column_major(4, 4, 5)]
    bound = kernel[5].bind(*arrays, backend="mlir")
    for _ in range(3):
        arrays[0][:] += 1  # in place
        bound()
        expected = np.einsum("ikg,kj->ijg", *arrays[:2])
        np.testing.assert_allclose(arrays[2], expected, rtol=1e-5)
    other = column_major(4, 4, 5)
    bound(c=other)
    np.testing.assert_array_equal(other, arrays[2])


PRODUCT = """func @f(%a: memref<f32xNxNx?>, %b: memref<f32xNxN>, %c: memref<f32xNxNx?>) {
  %one = constant 1.0 : f32
  %zero = constant 0.0 : f32
  %g = builtin.group_id : index
  %x = subview %a[0:N, 0:N, %g] : memref<f32xNxN>
  %y = subview %c[0:N, 0:N, %g] : memref<f32xNxN>
  gemm.n.n %one, %x, %b, %zero, %y
}"""


@pytest.mark.at_most(2)
@host
@pytest.mark.parametrize(("cache", "words"), [(10**9, []), (0, ["prefetch"])])
@pytest.mark.parametrize("groups", [0, 1, 2, 7, 33])
def test_work_groups_are_interleaved(groups, cache, words):
    """Some are left over, and where all use more than a cache holds, what later ones use is prefetched."""
    with cache_of(cache):
        (kernel,) = pytl.compile(PRODUCT.replace("N", "3")).values()
        a, b, c = (
            column_major(3, 3, max(groups, 1)),
            column_major(3, 3),
            np.zeros((3, 3, max(groups, 1)), np.float32, "F"),
        )
        kernel[groups, {"threads": 2}](a, b, c, backend="mlir")
        expected = np.einsum("ikg,kj->ijg", a, b)
        expected[..., groups:] = 0
        np.testing.assert_allclose(c, expected, rtol=1e-5)
        text = kernel.emit("mlir")
    assert "%whole = arith.subi %last, %left" in text
    assert all(f"memref.{word}" in text for word in words)


@pytest.mark.at_most(8)
@host
@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize(("count", "groups"), [(0, 3), (5, 7), (7, 3), (20, 4), (64, 1)])
def test_work_groups_deal_out_a_loop(count, groups, threads):
    text = """func @f(%n: index, %x: memref<f32x?>, %y: memref<i32x?>) {
      %g = builtin.group_id : index
      %groups = builtin.group_size : index
      %one = constant 1.0 : f32
      for %i = %g, %n, %groups {
        %v = load %x[%i] : f32
        %w = arith.add %v, %one : f32
        store %w, %x[%i]
      }
    }"""
    (kernel,) = pytl.compile(text.replace(", %y: memref<i32x?>", "")).values()
    x = np.arange(70, dtype=np.float32)
    kernel[groups, {"threads": threads}](count, x, backend="mlir")
    np.testing.assert_array_equal(x, np.arange(70) + (np.arange(70) < count))


@host
def test_narrow_numbers_are_rounded_once(by_hand):
    x, y = memref("f64", "?"), memref("bf16", "?")
    kernel = by_hand(
        Written(
            "func @narrow(%x: memref<f64x?>, %y: memref<bf16x?>)"
            " { %z = constant 0 : index  %o = constant 1.0 : bf16  store %o, %y[%z] }",
            {"x": x, "y": y},
            f"""
      %v = memref.load %x[%g] : {x}
      %w = arith.truncf %v : f64 to bf16
      memref.store %w, %y[%g] : {y}""",
        )
    )
    step = 2.0**-8  # half of the last bit of 1
    numbers = [1 + step, 1 + step + 2.0**-40, 1 + 3 * step - 2.0**-40, -1 - step - 2.0**-40, 1e300, 1e-320]
    expected = [1, 1 + 2 * step, 1 + 2 * step, -1 - 2 * step, np.inf, 0]
    given = np.array([*numbers, np.nan, -np.inf])
    narrow = np.zeros(len(given), ml_dtypes.bfloat16)
    kernel[len(given)](given, narrow, backend="mlir")
    np.testing.assert_array_equal(narrow.astype(float), [*expected, np.nan, -np.inf])


@pytest.mark.at_most(1)
@on_both
@pytest.mark.parametrize(("name", "dtype", "part"), [("c32", np.complex64, "f32"), ("c64", np.complex128, "f64")])
def test_complex_numbers(name, dtype, part, backend, by_hand):
    x, alpha = memref(part, "?", "?", 2), f"memref<2x{part}, strided<[1], offset: ?>>"
    written = Written(
        f"func @add(%alpha: {name}, %x: memref<{name}x?x?>) {{ %z = constant 0 : index  store %alpha, %x[%z, %z] }}",
        {"alpha": alpha, "x": x},
        f"""
      %c2 = arith.constant 2 : index
      %n = memref.dim %x, %c1 : {x}
      scf.for %i = %c0 to %n step %c1 {{
        scf.for %p = %c0 to %c2 step %c1 {{
          %a = memref.load %alpha[%p] : {alpha}
          %b = memref.load %x[%g, %i, %p] : {x}
          %s = arith.addf %a, %b : {part}
          memref.store %s, %x[%g, %i, %p] : {x}
        }}
      }}""",
    )
    whole = np.arange(30).reshape(10, 3, order="F").astype(dtype)
    expected = whole.copy()
    expected[2:7] += 3 - 4j
    by_hand(written)[3](3 - 4j, whole[2:7], backend=backend)
    np.testing.assert_array_equal(whole, expected)


@pytest.mark.at_most(1)
@on_both
def test_arrays_that_overlap_do_so_in_the_kernel(backend, by_hand):
    x = memref("i32", "?")
    kernel = by_hand(
        Written(
            "func @shift(%x: memref<i32x?>, %y: memref<i32x?>)"
            " { %z = constant 0 : index  %v = load %x[%z] : i32  store %v, %y[%z] }",
            {"x": x, "y": x},
            f"""
      %v = memref.load %x[%g] : {x}
      memref.store %v, %y[%g] : {x}""",
        )
    )
    numbers = np.arange(6, dtype=np.int32)
    kernel[4, {"threads": 1} if backend == "mlir" else {}](numbers[:4], numbers[1:5], backend=backend)
    np.testing.assert_array_equal(numbers, [0, 0, 0, 0, 0, 5])


@on_both
@needs_sycl
@pytest.mark.parametrize("usm_type", ["device", "shared", "host"])
@pytest.mark.parametrize("is_reached", [True, False])
def test_device_arrays(usm_type, is_reached, backend, by_hand, monkeypatch):
    """Memory that the host reaches is used in place, other memory is copied."""
    from device_kit import dpt

    from pytl.backends.mlir import host_memory

    if not is_reached:
        monkeypatch.setattr(host_memory, "_is_reached", lambda array: False)
    x = column_major(3, 2, 4)
    device_x = dpt.asarray(x, usm_type=usm_type, order="F")
    device_y = dpt.zeros((3, 2, 4), dtype="f4", usm_type=usm_type, order="F")
    by_hand(SCALED)[4](2.0, pytl.pointers(device_x, offset=0), device_y, backend=backend)
    np.testing.assert_array_equal(dpt.asnumpy(device_y), 2 * x)


@host
@needs_sycl
def test_copies_of_device_arrays_that_overlap_are_refused(by_hand, monkeypatch):
    from device_kit import dpt

    from pytl.backends.mlir import host_memory

    monkeypatch.setattr(host_memory, "_is_reached", lambda array: False)
    y = dpt.zeros((3, 2, 5), dtype="f4", order="F")
    with pytest.raises(pytl.LaunchError) as caught:
        by_hand(SCALED)[4](2.0, pytl.pointers(y[..., :4], offset=0), y[..., 1:], backend="mlir")
    assert caught.value.code == "PYTL-2013"


@host
def test_no_room_for_local_memory(by_hand):
    text = (
        "func @f(%x: memref<f32x4>) {\n"
        "  %a = alloca : memref<f32x4096x512,local>\n"
        "  %z = constant 0 : index\n"
        "  %v = load %a[%z, %z] : f32\n"
        "  store %v, %x[%z]\n"
        "}"
    )
    kernel = by_hand(Written(text, {"x": memref("f32", 4)}, ""))
    function = kernel.function
    function.attributes["stack.size"] = 8 << 20  # as the pass stack-layout leaves it
    with pytest.raises(pytl.LaunchError) as caught:
        kernel[1](np.zeros(4, np.float32), backend="mlir")
    assert (caught.value.code, caught.value.diagnostics[0].message) == (
        "PYTL-2014",
        "@f needs 8388608 bytes of local memory, but the backend mlir has 4194304",
    )


# Stages, options, and the cache.


@pytest.mark.at_night
@on_both
def test_stages_of_a_kernel(backend, by_hand):
    kernel = by_hand(SCALED)
    stages = {stage: kernel.emit(backend, stage=stage) for stage in find_backend(backend).stages}
    assert stages["mlir"] == SCALED.text
    assert "llvm.func @_mlir_ciface_pytl_scaled(" in stages["llvm-dialect"]
    assert re.search(r'define void @"?pytl_launch_scaled"?\(', stages["llvm"])
    assert re.search(r"^pytl_launch_scaled:", stages["asm"], re.M)


VECTORS = {
    # a product of packed numbers in a register of more than one, by the machine's assembly
    ("x86_64", "f32"): r"mulps\t.*%[xyz]mm",
    ("x86_64", "f64"): r"mulpd\t.*%[xyz]mm",
    ("x86_64", "i32"): r"p?mulld\t.*%[xyz]mm",
    ("aarch64", "f32"): r"fmul\t(?:v\d+\.4s|z\d+\.s)",
    ("aarch64", "f64"): r"fmul\t(?:v\d+\.2d|z\d+\.d)",
    ("aarch64", "i32"): r"(?:mul|mla)\t(?:v\d+\.4s|z\d+\.s)",
}


@pytest.mark.at_most(1)
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("type_", ["f32", "f64", "i32"])
def test_loops_over_dense_modes_are_vectorised(type_):
    text = f"""
func @f(%alpha: {type_}, %A: memref<{type_}x1024>, %B: memref<{type_}x1024>) {{
  %beta = constant {"1" if type_ == "i32" else "1.0"} : {type_}
  axpby.n %alpha, %A, %beta, %B
}}"""
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine())
    assert re.search(VECTORS[machine, type_], pytl.compile(text)["f"].emit("mlir", stage="asm"))


@pytest.mark.parametrize(
    ("machine", "system", "triple"),
    [
        ("x86_64", "linux", "x86_64-unknown-linux-gnu"),
        ("AMD64", "freebsd14", "x86_64-unknown-freebsd14"),
        ("aarch64", "linux", "aarch64-unknown-linux-gnu"),
        ("arm64", "darwin", "arm64-apple-macosx"),
        ("ppc64le", "linux", "ppc64le-unknown-linux-gnu"),
    ],
)
def test_the_name_of_a_machine_is_llvm_s(machine, system, triple):
    assert host_triple(machine, system) == triple


def test_stages_that_there_are_not(by_hand):
    kernel = by_hand(SCALED)
    for target, message, help in (
        ("mlir", "the backend mlir has no stage `wasm`", "its stages are mlir, llvm-dialect, llvm, asm"),
        ("sycl", "the backend sycl has no stage `wasm`", "its stages are python, llvm, spirv, asm"),
        ("reference", "the backend reference has no stage `wasm`", "leave the stage out: there is the source only"),
    ):
        with pytest.raises(pytl.PlatformError) as caught:
            kernel.emit(target, stage="wasm")
        (found,) = caught.value.diagnostics
        assert (found.code, found.message, found.help) == ("PYTL-3019", message, help)


@pytest.mark.parametrize(
    ("backend", "option", "takes"),
    [
        ("mlir", {"threads": 0}, "a number of threads from 1 to 1024; None is one for each processor"),
        ("mlir", {"threads": True}, "a number of threads from 1 to 1024; None is one for each processor"),
        ("mlir", {"opt_level": 4}, "one of: 2, 0, 1, 3"),
        ("mlir", {"specialize": "often"}, "one of: 'auto', 'always', 'never'"),
        ("arm_sme", {"vector_length": 384}, "one of: None, 128, 256, 512, 1024, 2048"),
    ],
)
def test_options_that_are_refused(backend, option, takes):
    with pytest.raises(pytl.PlatformError) as caught:
        find_backend(backend).check_options(option)
    assert (caught.value.code, caught.value.diagnostics[0].help) == ("PYTL-3012", f"it takes {takes}")


@pytest.mark.at_most(1)
@on_both
def test_what_was_built_is_kept(backend, by_hand, monkeypatch, tmp_path):
    monkeypatch.setenv("PYTL_CACHE_DIR", str(tmp_path))
    for origin, disk_hits in (("built", 0), ("disk", 1)):
        find_backend(backend)._by_key.clear()
        kernel = by_hand(SCALED)
        for _ in range(3):
            x = column_major(5, 3, 7)
            run_scaled(kernel, backend, 7, pytl.pointers(x, offset=0), x)
        info = kernel.cache_info()
        (variant,) = info.variants
        assert (variant.built.origin, info.disk_hits, info.memory_hits) == (origin, disk_hits, 2)


@host
def test_a_kept_library_that_does_not_load_is_built_again(by_hand, monkeypatch, tmp_path):
    from dataclasses import replace

    from pytl.devices.cache import current

    monkeypatch.setenv("PYTL_CACHE_DIR", str(tmp_path))
    x = column_major(5, 3, 7)
    run_scaled(by_hand(SCALED), "mlir", 7, pytl.pointers(x, offset=0), x)
    cache = current()
    for stored in cache.stored():
        cache.store(stored.key, replace(stored.entry, code=b"no library"))
    find_backend("mlir")._by_key.clear()
    kernel = by_hand(SCALED)
    run_scaled(kernel, "mlir", 7, pytl.pointers(x, offset=0), x)
    assert kernel.cache_info().builds == 1


@pytest.mark.at_most(1)
@on_both
def test_an_index_that_was_an_i32_has_lost_its_high_bits(backend: str) -> None:
    """MLIR takes `index_cast` to a narrower integer and back for nothing."""
    text = """func @f(%a: memref<indexx4>, %b: memref<indexx4>) {
      %zero = constant 0 : index
      %four = constant 4 : index
      foreach (%i) = (%zero), (%four) {
        %x = load %a[%i] : index
        %y = cast %x : i32
        %z = cast %y : index
        store %z, %b[%i]
      }
    }"""
    a, b = np.array([2**63 - 1, -(2**40), 5, -(2**31) - 1]), np.zeros(4, np.int64)
    pytl.compile(text)["f"][1](a, b, backend=backend)
    np.testing.assert_array_equal(b, a.astype(np.int32).astype(np.int64))


@on_both
def test_atomic_additions_to_edges_of_bf16_end(backend: str) -> None:
    """Subnormal numbers and signaling nans: LLVM's own loop waits for what memory does not have."""
    (kernel,) = pytl.compile(
        """func @f(%x: memref<bf16x6>, %y: memref<bf16x6>) {
          %zero = constant 0 : index
          %end = constant 6 : index
          foreach (%i) = (%zero), (%end) {
            %v = load %x[%i] : bf16
            store.atomic_add %v, %y[%i]
          }
        }"""
    ).values()
    x = np.array([0x0000, 0x0001, 0x3F80, 0x0000, 0x3F80, 0x0000], np.uint16).view(ml_dtypes.bfloat16)
    y = np.array([0x0001, 0x0001, 0x8001, 0x7F81, 0xFFA0, 0x807F], np.uint16).view(ml_dtypes.bfloat16)
    expected = y.copy()
    kernel[1](x, expected, backend="reference")
    kernel[1](x, y, backend=backend)
    np.testing.assert_array_equal(y.astype(np.float32), expected.astype(np.float32))
