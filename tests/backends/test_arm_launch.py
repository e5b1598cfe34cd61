"""Kernels for SME under QEMU: vectors of all lengths, guard zones, and what is said of runs that fail."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from launch_kit import column_major
from mlir_kit import Written, memref

import pytl
from pytl.backends.arm_sme import machine
from pytl.backends.arm_sme.backend import DEFAULT_LENGTH
from pytl.backends.mlir.artefacts import STREAMING_SUPPORT, compiled, link_shared
from pytl.backends.mlir.targets import target_of
from pytl.backends.registry import find_backend
from pytl.devices import processors
from pytl.devices.processors import Processor
from pytl.passes.targets import host
from pytl.passes.targets.machine import ARM, MACHINES

pytestmark = [pytest.mark.tools_of("arm_sme"), pytest.mark.at_most(5)]

M, C = memref("f32", "?", "?"), memref("f32", "?", "?", "?")
PRODUCT = Written(
    "func @product(%alpha: f32, %A: memref<f32x?x?>, %B: memref<f32x?x?>, %C: memref<f32x?x?x?>)"
    " { %z = constant 0 : index  %n = size %C[0] : index  %m = size %C[1] : index"
    " for %i = %z, %n { for %j = %z, %m { store %alpha, %C[%i, %j, %z] } } }",  # nothing, where a mode is empty
    {"alpha": "f32", "A": M, "B": M, "C": C},
    f"""
      %c4 = arith.constant 4 : index
      %vs = vector.vscale
      %width = arith.muli %vs, %c4 : index
      %k = memref.dim %A, %c0 : {M}
      %m = memref.dim %A, %c1 : {M}
      %n = memref.dim %B, %c1 : {M}
      %zero = arith.constant 0.0 : f32
      %pad = vector.broadcast %zero : f32 to vector<[4]xf32>
      %factor = vector.broadcast %alpha : f32 to vector<[4]xf32>
      %Cg = memref.subview %C[%g, 0, 0] [1, %m, %n] [1, 1, 1] : {C} to {M}
      scf.for %i = %c0 to %m step %width {{
        %mi = arith.subi %m, %i : index
        %rows = vector.create_mask %mi : vector<[4]xi1>
        scf.for %j = %c0 to %n step %width {{
          %nj = arith.subi %n, %j : index
          %columns = vector.create_mask %nj : vector<[4]xi1>
          %mask = vector.create_mask %mi, %nj : vector<[4]x[4]xi1>
          %init = vector.transfer_read %Cg[%i, %j], %zero, %mask {{in_bounds = [true, true]}}
              : {M}, vector<[4]x[4]xf32>
          %sum = scf.for %p = %c0 to %k step %c1 iter_args(%acc = %init) -> (vector<[4]x[4]xf32>) {{
            %a = vector.maskedload %A[%p, %i], %rows, %pad
                : {M}, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
            %s = arith.mulf %a, %factor : vector<[4]xf32>
            %b = vector.maskedload %B[%p, %j], %columns, %pad
                : {M}, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
            %o = vector.mask %mask {{
              vector.outerproduct %s, %b, %acc {{kind = #vector.kind<add>}} : vector<[4]xf32>, vector<[4]xf32>
            }} : vector<[4]x[4]xi1> -> vector<[4]x[4]xf32>
            scf.yield %o : vector<[4]x[4]xf32>
          }}
          vector.transfer_write %sum, %Cg[%i, %j], %mask {{in_bounds = [true, true]}} : vector<[4]x[4]xf32>, {M}
        }}
      }}""",
)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("vector_length", [128, 256, 512, 1024, 2048])
@pytest.mark.parametrize("shape", [(19, 23, 5), (1, 1, 1), (64, 16, 0), (0, 3, 2)])
def test_outer_products_at_all_vector_lengths(shape, vector_length, by_hand):
    m, n, k = shape
    a, b = column_major(m, k), column_major(n, k)
    whole = np.full((n + 2, m + 2, 4), -7, np.float32, order="F")
    c = whole[1:-1, 1:-1, 1:]
    expected = whole.copy()
    expected[1:-1, 1:-1, 1:] += 2 * (b @ a.T)[:, :, None]
    by_hand(PRODUCT)[3, {"vector_length": vector_length}](2.0, a, b, c, backend="arm_sme")
    np.testing.assert_array_equal(whole, expected)


TURNED = """func @f(%A: memref<f32x37x41>, %B: memref<f32x41x29>, %C: memref<f32x37x29>) {
  gemm.n.n 1.0, %A, %B, 1.0, %C
}"""


SHARED = """func @f(%A: memref<f32x?x?x?>, %B: memref<f32x?x?>, %C: memref<f32x?x?x?>) {
  %g = builtin.group_id : index
  %a = subview %A[:, :, %g] : memref<f32x?x?>
  %c = subview %C[:, :, %g] : memref<f32x?x?>
  gemm.n.n 1.0, %a, %B, 1.0, %c
}"""


@pytest.mark.parametrize("shapes", ["dynamic", pytest.param("static", marks=pytest.mark.at_night)])
@pytest.mark.parametrize(
    "length", [512, *(pytest.param(n, marks=pytest.mark.at_night) for n in (128, 256, 1024, 2048))]
)
def test_a_factor_of_all_work_groups(length, shapes):
    a, b, c = column_major(9, 7, 5), column_major(7, 19), column_major(9, 19, 5)
    text = SHARED
    if shapes == "static":
        for name, shape in (("A", "9x7x5"), ("B", "7x19"), ("C", "9x19x5"), ("a", "9x7"), ("c", "9x19")):
            text = re.sub(rf"(%{name}(: | = .* : )memref<f32x)[?x]+", rf"\g<1>{shape}", text)
    expected = c + np.einsum("ikg,kj->ijg", a, b)
    pytl.compile(text)["f"][5, {"vector_length": length}](a, b, c, backend="arm_sme")
    np.testing.assert_array_equal(c, expected)


def test_memory_is_allocated_in_front_of_the_loop_over_work_groups():
    text = pytl.compile(SHARED)["f"].emit("arm_sme")
    assert text.index("memref.alloc(") < text.index("scf.for %g") < text.index("memref.dealloc")


@pytest.mark.at_night
def test_one_code_serves_all_vector_lengths_where_none_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTL_CACHE_DIR", str(tmp_path))
    kernel, kept = pytl.compile(TURNED)["f"], []
    a, b, c = column_major(37, 41), column_major(41, 29), column_major(37, 29)
    expected = c + a @ b
    for length in (512, 128, 2048):
        monkeypatch.setattr("pytl.backends.arm_sme.backend.DEFAULT_LENGTH", length)
        actual = c.copy(order="F")
        kernel[1](a, b, actual, backend="arm_sme")
        np.testing.assert_array_equal(actual, expected)
        kept.append(len(list(tmp_path.iterdir())))
    assert kept[0] == kept[-1]


@pytest.mark.at_most(1)
@pytest.mark.parametrize("length", [128, 256, 512, 1024, 2048])
def test_code_for_one_vector_length(length):
    kernel = pytl.compile(TURNED)["f"]
    a, b, c = column_major(37, 41), column_major(41, 29), column_major(37, 29)
    expected = c + a @ b
    kernel[1, {"vector_length": length}](a, b, c, backend="arm_sme")
    np.testing.assert_array_equal(c, expected)
    named, any_length = (kernel.emit("arm_sme", stage="llvm", **each) for each in ({"vector_length": length}, {}))
    assert set(re.findall(r"vscale_range\((\d+),\1\)", named)) == {str(length // 128)}
    # code for all lengths has a copy for the usual one beside
    assert set(re.findall(r"vscale_range\((\d+),\1\)", any_length)) == {str(DEFAULT_LENGTH // 128)}
    assert "call i64 @llvm.vscale.i64()" in any_length and "call i64 @llvm.vscale.i64()" not in named


# Runs that fail.

X = memref("i32", "?")
SIGNATURE = "func @f(%x: memref<i32x?>) { %z = constant 0 : index  %o = constant 1 : i32  store %o, %x[%z] }"
STORE = (
    """
      %v = arith.constant 5 : i32
      %c = arith.constant {} : index
      memref.store %v, %x[%c] : """
    + X
)


def failure(kernel: pytl.Kernel, **options) -> tuple[str, str, str]:
    """What is said; asserts that the array is what it was."""
    x = np.arange(6, dtype=np.int32)
    with pytest.raises(pytl.PlatformError) as caught:
        kernel[1, options](x[:4], backend="arm_sme")
    np.testing.assert_array_equal(x, np.arange(6))
    (found,) = caught.value.diagnostics
    return found.code, found.message, found.help


def version() -> str:
    return ".".join(map(str, machine.qemu_version(str(machine.find_qemu()))))


def test_an_array_is_not_left(by_hand):
    """Beside an array there is a guard zone, even where more of the user's own memory follows."""
    assert failure(by_hand(Written(SIGNATURE, {"x": X}, STORE.format(4)))) == (
        "PYTL-3065",
        "@f wrote beyond its arrays",
        'launch with backend="reference", which reports where; no array was changed',
    )


def test_a_segmentation_fault(by_hand):
    body = f"{STORE.format(0).replace('%c', '%d').replace('%v', '%w')}\n{STORE.format(1 << 40)}"
    assert failure(by_hand(Written(SIGNATURE, {"x": X}, body)), vector_length=128) == (
        "PYTL-3063",
        f"@f was ended by SIGSEGV under QEMU {version()} with vectors of 128 bits",
        'an index is beyond an array, most often: launch with backend="reference", which reports where; '
        "no array was changed",
    )


def test_an_instruction_that_there_is_not(by_hand):
    body = '      llvm.inline_asm has_side_effects ".inst 0", "" : () -> ()'
    assert failure(by_hand(Written(SIGNATURE, {"x": X}, body))) == (
        "PYTL-3063",
        f"@f was ended by SIGILL under QEMU {version()} with vectors of 512 bits",
        f"QEMU {version()} lacks an instruction that the kernel uses; set PYTL_QEMU to a newer qemu-aarch64: "
        "`python3 install_arm.py` gets QEMU 11; no array was changed",
    )


@pytest.mark.at_night
def test_a_kernel_that_does_not_end(by_hand, monkeypatch):
    monkeypatch.setenv("PYTL_TOOL_SECONDS", "3")
    body = """
      %true = arith.constant true
      scf.while : () -> () {
        llvm.inline_asm has_side_effects "nop", "" : () -> ()
        scf.condition(%true)
      } do {
        scf.yield
      }"""
    assert failure(by_hand(Written(SIGNATURE, {"x": X}, body))) == (
        "PYTL-3061",
        "@f under QEMU has not ended after 3 s",
        "set PYTL_TOOL_SECONDS to a larger number if it needs longer",
    )


def test_a_qemu_that_knows_no_vector_lengths(by_hand, monkeypatch, tmp_path):
    old = tmp_path / "qemu-aarch64"
    old.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo "qemu-aarch64 version 6.2.0" && exit\n'
        'echo "qemu-aarch64: can\'t apply global max-arm-cpu.sme-default-vector-length=64: not found" >&2\nexit 1\n'
    )
    old.chmod(0o755)
    monkeypatch.setenv("PYTL_QEMU", str(old))
    assert failure(by_hand(Written(SIGNATURE, {"x": X}, STORE.format(0)))) == (
        "PYTL-3063",
        "@f does not run under QEMU 6.2 with vectors of 512 bits: qemu-aarch64: can't apply global "
        "max-arm-cpu.sme-default-vector-length=64: not found",
        "set PYTL_QEMU to a newer qemu-aarch64: `python3 install_arm.py` gets QEMU 11",
    )
    assert not machine.emulates_all()


# Products that an emulator has wrong.

BYTES = pytl.compile(
    "func @f(%A: memref<i8x7x9>, %B: memref<i8x9x5>, %C: memref<i32x7x5>) {\n"
    "    %a = constant 1 : i8\n    gemm.n.n %a, %A, %B, %a, %C\n}"
)["f"]
FOUR_WAY = re.compile(r"smopa\.wide\.nxv(?:16i8|8i16)")


@pytest.mark.at_night
@pytest.mark.parametrize(("version", "made_of"), [("7.2.22", "8i16"), ("10.0.2", "16i8")])
def test_products_of_bytes_are_right_under_every_qemu(version, made_of, monkeypatch, tmp_path):
    """Where QEMU has those by four wrong, they are products of i16, which are summed in i64 and cut off."""
    backend = find_backend("arm_sme")
    options = backend.complete_options({}, None)
    is_right = machine.emulates_all()
    monkeypatch.setenv("PYTL_QEMU", emulator_of(version, tmp_path))
    llvm = backend._stage(BYTES.launches.lowered(backend, options), "llvm", backend._target(options)).decode()
    assert set(FOUR_WAY.findall(llvm)) == {f"smopa.wide.nxv{made_of}"}
    assert "smopa_4way" in BYTES.emit("arm_sme") and "i16" not in BYTES.emit("arm_sme")  # which is the same everywhere
    if is_right or made_of == "8i16":
        rng = np.random.default_rng(1)
        a, b = (np.asfortranarray(rng.integers(-128, 128, shape, np.int8)) for shape in [(7, 9), (9, 5)])
        c = np.asfortranarray(rng.integers(-9, 9, (7, 5), np.int32))
        expected = c + a.astype(np.int32) @ b
        BYTES[1](a, b, c, backend="arm_sme")
        np.testing.assert_array_equal(c, expected)


HALVES = pytl.compile(
    "func @f(%A: memref<bf16x1x1>, %B: memref<bf16x1x1>, %C: memref<f32x1x1>) {\n"
    "    %a = constant 1.0 : bf16\n    gemm.n.n %a, %A, %B, %a, %C\n}"
)["f"]


def emulator_of(version: str, folder: Path) -> str:
    """A QEMU that says that it is of a version."""
    found, emulator = str(machine.find_qemu()), folder / "qemu-aarch64"
    emulator.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && echo "qemu-aarch64 version {version}" && exit\nexec {found} "$@"\n'
    )
    emulator.chmod(0o755)
    return str(emulator)


@pytest.mark.at_night
@pytest.mark.parametrize(("version", "made_of"), [("7.2.22", "mopa.nxv4f32"), ("10.0.2", "mopa.wide.nxv8bf16")])
@pytest.mark.parametrize(("a", "b"), [(1e-39, 3e38), (1e-39, -1.0), (1e-20, 1e-20), (-1e-39, 1e-39), (np.inf, 1e-39)])
def test_products_of_bf16_keep_denormal_numbers_under_every_qemu(a, b, version, made_of, monkeypatch, tmp_path):
    """Factors and results; the processor is in the mode for that, or they are products of f32."""
    backend, has_all = find_backend("arm_sme"), machine.emulates_all()
    monkeypatch.setenv("PYTL_QEMU", emulator_of(version, tmp_path))
    options = backend.complete_options({}, None)
    llvm = backend._stage(HALVES.launches.lowered(backend, options), "llvm", backend._target(options)).decode()
    assert set(re.findall(r"sme\.(mopa[\w.]*)\(", llvm)) == {made_of}
    if made_of == "mopa.nxv4f32" or has_all:
        given = [np.full((1, 1), value, ml_dtypes.bfloat16, order="F") for value in (a, b)]
        c = np.zeros((1, 1), np.float32, order="F")
        HALVES[1](*given, c, backend="arm_sme")
        assert c[0, 0] == given[0].astype(np.float32)[0, 0] * given[1].astype(np.float32)[0, 0]


def test_the_mode_of_products_of_bf16_is_left_as_it_was():
    """On the thread of whoever launches, too."""
    backend = find_backend("arm_sme")
    options = backend.complete_options({}, None)
    for kernel, number in ((HALVES, 1), (BYTES, 0)):
        llvm = backend._stage(kernel.launches.lowered(backend, options), "llvm", target_of(MACHINES["sme"], 2)).decode()
        launch = llvm[llvm.index("@pytl_launch_f(") :].partition("\n}")[0]
        before, called, after = launch.partition("call void @_mlir_ciface_pytl_f(")
        assert called
        found = re.findall(r"%(\w+) = tail call i64 @llvm.aarch64.get.fpcr\(\)", before)
        assert len(found) == number
        for old in found:
            (new,) = re.findall(rf"%(\w+) = or i64 %{old}, 8192\b", before)
            assert f"@llvm.aarch64.set.fpcr(i64 %{new})" in before
            assert f"@llvm.aarch64.set.fpcr(i64 %{old})" in after


# What the C library lacks.


def test_support_routines_save_and_restore_za(tmp_path):
    compiler = find_backend("arm_sme")._compiler()
    program = tmp_path / "za_kept"
    command = [*compiler, "-O1", "-static", Path(__file__).with_name("za_kept.c"), STREAMING_SUPPORT]
    subprocess.run([*command, "-o", program], check=True, timeout=60)
    done = subprocess.run([str(machine.find_qemu()), "-cpu", "max", program], timeout=60, check=False)
    assert done.returncode == 0


# An Arm machine, which this is not.


@pytest.fixture
def on_arm(monkeypatch):
    """Makes this machine one of Arm's with some features."""

    def pretend(*features: str) -> None:
        monkeypatch.setattr(machine, "is_arm", lambda: True)
        monkeypatch.setattr(host, "running_processor", lambda: Processor(ARM, features=frozenset(features)))

    return pretend


@pytest.mark.parametrize(
    ("features", "told", "attributes"),
    [
        (("sve",), "without SME", []),
        (("sve", "sme"), "with SME", ["-mattr=+sve,+sme"]),
        (("sme", "bf16"), "with SME", ["-mattr=+sme,+bf16"]),
        (("sme-f64f64", "sve", "sme", "fp16"), "with SME", ["-mattr=+sve,+sme,+fullfp16,+sme-f64f64"]),
        (("sme", "sme-i16i64"), "with SME", ["-mattr=+sme,+sme-i16i64"]),
    ],
)
def test_an_arm_machine_runs_in_process(features, told, attributes, on_arm):
    on_arm(*features)
    backend = find_backend("arm_sme")
    assert backend.describe()[-1] == f"in this process, {told}"
    options = backend.complete_options({}, None)
    target = backend._target(options)
    assert ("arm-sme" in target.pipeline) is ("sme" in features)
    assert [flag for flag in target.flags if "attr" in flag] == attributes
    assert "-mcpu=native" in target.flags
    assert backend.runs_here(options)
    assert not backend.runs_here(backend.complete_options({"vector_length": 256}, None))


def test_an_arm_machine_decides_about_streaming_mode(on_arm):
    on_arm("sve", "sme", "bf16", "fp16")
    backend = find_backend("mlir")
    for size, has_tiles in ((3, False), (64, True)):
        kernel = pytl.compile(WIDE.replace("7", str(size)).replace("9", str(size)).format("f32", "", "f32", "1.0"))["f"]
        options = backend.complete_options({}, None, kernel.whole)
        assert ("arm_sme" in backend.text(kernel.launches.lowered(backend, options), options)) is has_tiles
        assert ("arm-sme" in backend._target(options).pipeline) is has_tiles
        shown = {mode: kernel.emit("mlir", streaming=mode) for mode in (True, False, None)}
        assert [("arm_sme" in text) for text in shown.values()] == [True, False, has_tiles]
        assert kernel.emit("arm_sme") == shown[True] and kernel.emit("arm_sme", streaming=False) == shown[False]


@pytest.mark.at_night
def test_streaming_code_is_linked_to_a_library():
    """With the routines that it calls, and nothing but the C library is left to be found."""
    backend = find_backend("arm_sme")
    kernel, (compiler, *_) = pytl.compile(TURNED)["f"], backend._compiler()
    lowered = kernel.launches.lowered(backend, backend.complete_options({}, None))
    target = target_of(MACHINES["sme"], 2)
    code = backend._stage(lowered, "object", replace(target, flags=(*target.flags, "--relocation-model=pic")))
    support = compiled([compiler], STREAMING_SUPPORT, ["-fPIC"], kernel.function)
    library = link_shared(compiler, [code, support], kernel.function, "-Wl,-z,defs", "-lc")
    assert library.startswith(b"\x7fELF") and b"pytl_launch_f\0" in library


def test_a_machine_without_the_matrix_extension():
    kernel = pytl.compile(WIDE.format("f32", "", "f32", "1.0"))["f"]
    with pytest.raises(pytl.LaunchError, match=r"streaming is True, but the machine \S+ has no matrix extension"):
        kernel.emit("mlir", streaming=True)
    assert kernel.emit("mlir", machine="sme") == kernel.emit("arm_sme")
    arrays = column_major(7, 9), column_major(9, 5), column_major(7, 5)
    with pytest.raises(pytl.LaunchError, match="the machine sme has a matrix extension, which this processor has not"):
        kernel[1, {"machine": "sme"}](*arrays, backend="mlir")


def test_streaming_mode_is_an_option():
    kernel = pytl.compile(WIDE.format("f32", "", "f32", "1.0"))["f"]
    assert "arm_sme" in kernel.emit("arm_sme")
    shown = kernel.emit("arm_sme", streaming=False)
    assert "arm_sme" not in shown and shown == kernel.emit("arm_sme", machine="neon")
    for machine_named, mode in (("sme", False), ("neon", True)):
        with pytest.raises(pytl.LaunchError, match=f"the option streaming is {mode}"):
            kernel.emit("arm_sme", machine=machine_named, streaming=mode)
    a, b, c = column_major(7, 9), column_major(9, 5), column_major(7, 5)
    expected = c + a @ b
    kernel[1, {"streaming": False}](a, b, c, backend="arm_sme")
    np.testing.assert_array_equal(c, expected)


WIDE = """
func @f(%A: memref<{0}x7x9>, %B: memref<{0}x9x5{1}>, %C: memref<{2}x7x5>) {{
    %a = constant {3} : {0}
    gemm.n.n %a, %A, %B, %a, %C
}}
"""
ONLY_SME = ("sve", "sme", "bf16", "fp16")


@pytest.mark.at_night
@pytest.mark.parametrize("strides", ["", ",strided<7,63>"])
@pytest.mark.parametrize(
    ("types", "operation", "feature"),
    [
        (("f64", "f64", "1.0"), "arm_sme.outerproduct", "sme-f64f64"),
        (("c64", "c64", "[1.0, 0.0]"), "arm_sme.outerproduct", "sme-f64f64"),
        (("i16", "i64", "1"), "arm_sme.smopa_4way", "sme-i16i64"),
        (("i16", "i16", "1"), "arm_sme.smopa_4way", "sme-i16i64"),
        (("f32", "f64", "1.0"), "arm_sme.outerproduct", "sme-f64f64"),
    ],
)
def test_a_processor_without_a_product_takes_another_way(types, operation, feature, strides, on_arm):
    """Vectors, or scalars where there are none, and what LLVM makes of them is code for what the processor has."""
    element, target_type, one = types
    text = WIDE.format(element, strides, target_type, one)
    backend = find_backend("arm_sme")
    for features, uses in ((ONLY_SME, False), ((*ONLY_SME, feature), True)):
        on_arm(*features)
        options = backend.complete_options({}, None)
        kernel = pytl.compile(text)["f"]
        lowered = kernel.launches.lowered(backend, options)
        target = backend._target(options)
        assert (operation in backend.text(lowered, options)) is uses
        assert (operation in kernel.emit("arm_sme")) is uses
        flags = (flag for flag in target.flags if not flag.startswith(("-mtriple", "-mcpu")))
        flags = ("-mtriple=aarch64-linux-gnu", *flags)
        assembly = backend._stage(lowered, "asm", replace(target, flags=flags)).decode()
        assert (re.search(r"\b[fs]mopa\b", assembly) is not None) is uses


def test_a_product_that_is_asked_for_under_qemu_on_an_arm_machine(on_arm):
    """The emulator has all of them, whatever the processor has."""
    on_arm(*ONLY_SME)
    kernel = pytl.compile(WIDE.format("f64", "", "f64", "1.0"))["f"]
    assert "outerproduct" not in kernel.emit("arm_sme")
    assert "outerproduct" in kernel.emit("arm_sme", vector_length=256)


@pytest.mark.parametrize(
    ("words", "features"),
    [
        ((0, 1 << 23), {"sme"}),
        ((1 << 22, (1 << 23) - 1 - (1 << 14)), {"sve", "sve2"}),
        ((1 << 10, 1 << 23 | 1 << 24 | 1 << 14), {"fp16", "sme", "sme-i16i64", "bf16"}),
        ((0, 1 << 23 | 1 << 25), {"sme", "sme-f64f64"}),
    ],
)
def test_linux_tells_what_the_processor_has(words, features, monkeypatch):
    from types import SimpleNamespace

    capabilities = {16: words[0], 26: words[1]}
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    library = SimpleNamespace(getauxval=lambda word: capabilities[word], prctl=lambda *question: 64)
    monkeypatch.setattr("ctypes.CDLL", lambda name: library)
    found = processors.running_processor.__wrapped__()
    assert found.features == features
    assert (found.vector_bytes, found.streaming_bytes) == (64 * ("sve" in features), 64 * ("sme" in features))
