"""Products of f16, bf16 and i8 by the matrix units of GPUs: by the oracle, the driver for processors, and XeGPU."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import numpy as np
import pytest
from backends.test_spirv_valid import assert_valid, source_for
from backends.test_xegpu_examples import example
from differential.cases import NEEDS_SYCL, clone
from passes.test_subgroup_blocks import DRAWN, assert_computes_the_same, lowered, numbers
from passes.test_subgroup_blocks import gemm as gemm_of
from passes.test_subgroup_packs import assert_computes_the_same as assert_packs_compute_the_same
from passes.test_subgroup_packs import text_of
from passes_kit import checked
from properties.execution import data_for, differences
from sampling import at_night

import pytl
from pytl.ir.types import SCALAR_TYPES
from pytl.passes.targets.matrix_units import matrix_steps
from pytl.passes.targets.spmd import DEVICES

WORD = "vector.matrix_fma"
STEPS = [16, 17, 31, 32, 48, 70], [32, 33, 47, 63, 64, 70]
RUNS = [((17, 3, 18), "nn"), *at_night([((33, 11, 35), "nn"), ((40, 32, 64), "tt"), ((5, 1, 40), "nt")])]
"""Rows, columns and steps of products, and which factors are transposed."""


def gemm(type_: str, sizes, transposes: str, alpha="1.0", beta="1.0", attributes="", dynamic="") -> str:
    return gemm_of(type_, sizes, transposes, *numbers(type_, alpha, beta), attributes, dynamic)


def of_sixteen(type_: str, sizes, transposes: str) -> str:
    """A product whose sub-groups have as many work-items as those that multiply matrices."""
    return gemm(type_, sizes, transposes, attributes="attributes{subgroup_size=16} ")


def summed_in(text: str, type_: str, sums: str) -> str:
    """The same product with another type of sums."""
    return re.sub(rf"(%c: memref<){type_}x", rf"\1{sums}x", text)


def product(type_: str, seed: int) -> tuple[str, list[np.ndarray]]:
    random = Random(f"{type_} {seed}")
    sizes = [random.choice(DRAWN), random.choice(DRAWN), random.choice(STEPS[type_ == "i8"])]
    sums = random.choice(["i8", "i16", "i32"]) if type_ == "i8" else type_
    transposes, dynamic = random.choice(["nn", "nt", "tn", "tt"]), random.choice(["", "", "m", "n", "k", "mnk"])
    count = random.choice([1, 2, 4])
    is_named = random.random() < 0.5 or type_ == "i8"
    attributes = f"attributes{{subgroup_size=16, work_group_size=[16,{count}]}} " if is_named else ""
    beta = random.choice(["0.0", "1.0", "3.0"])
    text = summed_in(gemm(type_, sizes, transposes, "2.0", beta, attributes, dynamic), type_, sums)
    of_known_sizes = checked(summed_in(gemm(type_, sizes, transposes, "2.0", beta), type_, sums)).functions[0]
    return text, data_for(of_known_sizes, seed, 1, {"": 4})


@pytest.mark.parametrize("device", ["bmg", *at_night(["pvc"])])
@pytest.mark.parametrize("type_", ["f16", "bf16", "i8"])
@pytest.mark.parametrize("seed", [0, *at_night(range(1, 30))])
def test_the_oracle_agrees(device: str, type_: str, seed: int) -> None:
    text, arguments = product(type_, seed)
    assert WORD in str(assert_computes_the_same(text, arguments, device=device))


def test_small_products_share_a_matrix_unit() -> None:
    text = text_of("gemm whose right factor is shared", "f16", (8, 8, 16), 5)
    data = data_for(checked(text).functions[0], 0, 5, {"": 4})
    after = str(assert_packs_compute_the_same(text, data, 5, device="pvc", work_group="16x1"))
    assert WORD in after and "vector.side_by_side" in after


@pytest.mark.at_most(2)
@pytest.mark.parametrize(
    ("type_", "change", "options"),
    [
        ("f32", str, {}),
        ("f16", lambda text: text.replace("gemm.n.n", "gemm.n.n.atomic"), {}),
        ("f16", lambda text: text.replace(") {", ") attributes{subgroup_size=32} {"), {}),
        ("f16", lambda text: text.replace("f16x32x32>)", "f64x32x32>)"), {}),
        (
            "bf16",
            lambda text: text.replace("bf16x32x32>,", "f32x32x32>,", 1).replace("bf16x32x32>)", "f32x32x32>)"),
            {},
        ),
        ("f16", lambda text: text.replace("32x32", "8x8"), {}),
        ("i8", lambda text: text.replace("32x32", "31x31"), {}),
        ("i8", lambda text: summed_in(text, "i8", "i64"), {}),
        ("f16", str, {"device": "integrated"}),
        ("f16", str, {"matrix": "vectors"}),
    ],
    ids=[
        "f32",
        "atomic",
        "sub-groups of 32",
        "sums of f64",
        "other factors",
        "short sums",
        "short sums of i8",
        "sums of i64",
        "no unit",
        "not wanted",
    ],
)
def test_what_has_no_matrix_unit(type_, change, options) -> None:
    text = change(gemm(type_, (32, 32, 32), "nn"))
    assert WORD not in str(lowered(text, **{"device": "pvc", **options}))


def test_sums_of_f32_are_those_of_the_unit() -> None:
    text = gemm("f16", (32, 32, 32), "nn").replace("f16x32x32>)", "f32x32x32>)")
    assert str(lowered(text, device="bmg")).count(WORD) == 8


def by_broadcasts(builder, element, left, right, sums):
    """What the function of OpenCL does that drivers for processors have not."""
    from pytl.backends.numba_dpex.device import subgroups
    from pytl.backends.numba_dpex.device.elements import I32, decode
    from pytl.backends.numba_dpex.device.signatures import llvm

    totals, share = list(sums), len(left) // 16
    for step, value in enumerate(left):
        for column in range(len(sums)):
            number = right[column * share + step % share]
            shared = subgroups.broadcast(builder, number, I32(step // share))
            if element.name == "i8":
                product = builder.mul(*(builder.sext(each, I32) for each in (value, shared)))
                totals[column] = builder.add(totals[column], product)
            else:
                factors = [decode(builder, element, each) for each in (value, shared)]
                totals[column] = llvm(builder, "fma", *factors, totals[column])
    return totals


def assert_the_driver_agrees(kernel: pytl.Kernel, monkeypatch, margin: float) -> None:
    """The driver for processors executes the code for a GPU, with broadcasts in place of its matrix unit."""
    monkeypatch.setattr("pytl.backends.numba_dpex.backend.device_of", lambda queue, named: DEVICES["pvc"])
    monkeypatch.setattr("pytl.backends.numba_dpex.device.subgroups.matrix_product", by_broadcasts)
    arguments = [clone(each) for each in data_for(kernel.function, 1, 1, {"": 4})]
    expected = [clone(each) for each in arguments]
    kernel[1, {}](*expected, backend="reference")
    kernel[1, {"strategy": "many-items"}](*arguments, backend="sycl")
    assert not differences(arguments, expected, [margin] * len(arguments))


@NEEDS_SYCL
@pytest.mark.parametrize("type_", ["f16", *at_night(["bf16", "i8"])])
@pytest.mark.parametrize(("sizes", "transposes"), RUNS)
def test_the_driver_for_processors_executes_the_code_for_a_gpu(type_, sizes, transposes, monkeypatch) -> None:
    (kernel,) = pytl.compile(of_sixteen(type_, sizes, transposes)).values()
    assert (WORD in kernel.ir("subgroup-blocks", device="pvc")) == (sizes[2] >= matrix_steps(SCALAR_TYPES[type_]))
    assert_the_driver_agrees(kernel, monkeypatch, 1e-2)


@pytest.mark.parametrize("chip", ["bmg", *at_night(["pvc"])])
@pytest.mark.parametrize("type_", ["f16", *at_night(["bf16", "i8"])])
@pytest.mark.parametrize(("sizes", "transposes"), RUNS)
def test_they_are_dpas_of_xegpu(chip, type_, sizes, transposes) -> None:
    (kernel,) = pytl.compile(of_sixteen(type_, sizes, transposes)).values()
    arguments = [clone(each) for each in data_for(kernel.function, 1, 1, {"": 4})]
    expected = [clone(each) for each in arguments]
    kernel[1, {}](*expected, backend="reference")
    kernel[1, {"chip": chip, "interpreted": True}](*arguments, backend="xegpu")
    assert ("xegpu.dpas" in kernel.emit("xegpu", chip=chip)) == (sizes[2] >= matrix_steps(SCALAR_TYPES[type_]))
    assert "xegpu.dpas" not in kernel.emit("xegpu", chip=chip, matrices="lanes")
    assert not differences(arguments, expected, [1e-2] * len(arguments))


FUNCTIONS = {
    "f16": "_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f",
    "bf16": "_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f",
    "i8": "_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv8_sDv8_iS0_",
}
"""OpenCL's names of what a matrix unit does with eight columns."""


@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("type_", ["i8", *at_night(["f16", "bf16"])])
def test_both_stacks_call_the_same_function(type_) -> None:
    (kernel,) = pytl.compile(gemm(type_, (32, 16, 32), "nn")).values()
    assert f"@{FUNCTIONS[type_]}(" in kernel.emit("xegpu", chip="bmg", stage="llvm")
    assert f"@{FUNCTIONS[type_]}(" in kernel.emit("numba_dpex", device="bmg", stage="llvm")


COOPERATIVE = """func @f(%a: memref<{t}x20x{k}>, %b: memref<{t}x{k}x5>, %c: memref<{s}x20x5>) {{
  parallel {{
    %z = constant 0 : index
    %x = cooperative_matrix_load.n %a[%z, %z] : coopmatrix<{t}x20x{k},matrix_a>
    %y = cooperative_matrix_load.n %b[%z, %z] : coopmatrix<{t}x{k}x5,matrix_b>
    %s = cooperative_matrix_load.n %c[%z, %z] : coopmatrix<{s}x20x5,matrix_acc>
    %d = cooperative_matrix_mul_add %x, %y, %s : coopmatrix<{s}x20x5,matrix_acc>
    cooperative_matrix_store %d, %c[%z, %z]
  }}
}}"""
SUMS = {"f16": "f32", "bf16": "f32", "i8": "i32"}


def cooperative(type_: str, steps: int = 35, sums: str = "") -> pytl.Kernel:
    (kernel,) = pytl.compile(COOPERATIVE.format(t=type_, k=steps, s=sums or SUMS[type_])).values()
    return kernel


@pytest.mark.parametrize(("type_", "sums", "count"), [("f16", "", 8), *at_night([("bf16", "", 8)]), ("i8", "i16", 4)])
def test_what_work_items_hold_of_matrices_is_multiplied_by_the_unit(type_, sums, count) -> None:
    kernel = cooperative(type_, sums=sums)
    arguments = [clone(each) for each in data_for(kernel.function, 1, 1, {"": 4})]
    expected = [clone(each) for each in arguments]
    kernel[1, {}](*expected, backend="reference")
    kernel[1, {"interpreted": True}](*arguments, backend="xegpu")
    # of 2 rows and 32 steps, 4 columns and one beside zeros
    assert kernel.emit("xegpu").count("xegpu.dpas") == count
    assert not differences(arguments, expected, [1e-5] * len(arguments))


@pytest.mark.parametrize(
    ("type_", "sums"), [("f32", "f32"), *at_night([("i16", "i32"), ("c32", "c32"), ("f16", "f64")])]
)
def test_long_products_without_a_unit_are_loops(type_, sums) -> None:
    kernel = cooperative(type_, 70, sums)
    arguments = [clone(each) for each in data_for(kernel.function, 1, 1, {"": 4})]
    expected = [clone(each) for each in arguments]
    kernel[1, {}](*expected, backend="reference")
    kernel[1, {"interpreted": True}](*arguments, backend="xegpu")
    assert kernel.emit("xegpu").count("scf.for") == 5  # blocks of 16 rows of the right factor
    assert not differences(arguments, expected, [1e-4] * len(arguments))


# The language's cooperative matrices through SYCL.

CALL = "matrix_multiply_add_"


@NEEDS_SYCL
@pytest.mark.parametrize(
    ("type_", "steps", "sums"),
    [
        ("bf16", 35, ""),
        ("i8", 70, "i8"),
        *at_night([("f16", 16, ""), ("f16", 47, "f16"), ("bf16", 64, "bf16"), ("i8", 32, ""), ("i8", 95, "i16")]),
    ],
)
def test_cooperative_matrices_are_multiplied_by_the_unit(type_, steps, sums, monkeypatch) -> None:
    kernel = cooperative(type_, steps, sums)
    assert {f"{CALL}4", f"{CALL}1"} == set(re.findall(rf"{CALL}\d", kernel.emit("numba_dpex", device="pvc")))
    assert_the_driver_agrees(kernel, monkeypatch, 5e-2 if sums in ("f16", "bf16") else 1e-4)


@NEEDS_SYCL
@pytest.mark.needs_spirv_val
@pytest.mark.parametrize("type_", ["i8", *at_night(["f16", "bf16"])])
@pytest.mark.parametrize("kind", ["gemm", "cooperative"])
def test_spirv_with_products_of_matrices_is_valid(type_, kind, tmp_path: Path) -> None:
    (of_gemm,) = pytl.compile(of_sixteen(type_, (20, 5, 70), "nt")).values()
    kernel = of_gemm if kind == "gemm" else cooperative(type_)
    assert "matrix_mad" in kernel.emit("numba_dpex", device="bmg", stage="spirv")
    assert_valid(source_for(kernel, "bmg"), tmp_path / "kernel.spv")


@NEEDS_SYCL
@pytest.mark.needs_spirv_val
@pytest.mark.at_night
def test_flash_attention_is_multiplied_by_the_unit(tmp_path: Path) -> None:
    kernel = example("flash_attention").flash_attention_kernel(pytl.f16, 128, 16)
    source = source_for(kernel, "bmg")
    assert source.text.count(CALL) == 2
    assert_valid(source, tmp_path / "kernel.spv")


@pytest.mark.parametrize(
    ("kernel", "options"),
    [
        (cooperative("f16", 15), {}),
        (cooperative("i8", 31), {}),
        (cooperative("i8", sums="i64"), {}),
        (cooperative("bf16", sums="f64"), {}),
        (cooperative("f16"), {"device": "integrated"}),
        (cooperative("f16"), {"matrix": "vectors"}),
    ],
    ids=["short sums", "short sums of i8", "sums of i64", "sums of f64", "no unit", "not wanted"],
)
def test_which_cooperative_matrices_have_no_unit(kernel: pytl.Kernel, options) -> None:
    assert CALL not in kernel.emit("numba_dpex", **{"device": "pvc", **options})
