"""Products of f16 and bf16 by the matrix units of GPUs: by the oracle, by the driver for processors, and by XeGPU."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from differential.cases import NEEDS_SYCL, clone
from passes.test_subgroup_blocks import DRAWN, assert_computes_the_same, gemm, lowered
from passes.test_subgroup_packs import assert_computes_the_same as assert_packs_compute_the_same
from passes.test_subgroup_packs import text_of
from passes_kit import checked
from properties.execution import data_for, differences
from sampling import at_night

import pytl
from pytl.passes.targets.spmd import DEVICES

WORD = "vector.matrix_fma"
RUNS = [((17, 3, 18), "nn"), *at_night([((33, 11, 35), "nn"), ((40, 32, 64), "tt"), ((5, 1, 40), "nt")])]
"""Rows, columns and steps of products, and which factors are transposed."""


def product(type_: str, seed: int) -> tuple[str, list[np.ndarray]]:
    random = Random(f"{type_} {seed}")
    sizes = [random.choice(DRAWN), random.choice(DRAWN), random.choice([16, 17, 31, 32, 48, 70])]
    transposes, dynamic = random.choice(["nn", "nt", "tn", "tt"]), random.choice(["", "", "m", "n", "k", "mnk"])
    count = random.choice([1, 2, 4])
    attributes = f"attributes{{subgroup_size=16, work_group_size=[16,{count}]}} " if random.random() < 0.5 else ""
    beta = random.choice(["0.0", "1.0", "3.0"])
    text = gemm(type_, sizes, transposes, "2.0", beta, attributes, dynamic)
    of_known_sizes = checked(gemm(type_, sizes, transposes, "2.0", beta)).functions[0]
    return text, data_for(of_known_sizes, seed, 1, {"": 4})


@pytest.mark.parametrize("device", ["bmg", *at_night(["pvc"])])
@pytest.mark.parametrize("type_", ["f16", "bf16"])
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
        ("f16", str, {"device": "integrated"}),
        ("f16", str, {"matrix": "vectors"}),
    ],
    ids=["f32", "atomic", "sub-groups of 32", "sums of f64", "other factors", "short sums", "no unit", "not wanted"],
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
    from pytl.backends.numba_dpex.device.elements import I32
    from pytl.backends.numba_dpex.device.signatures import llvm

    totals = list(sums)
    for step, value in enumerate(left):
        for column, other in enumerate(right):
            shared = subgroups.broadcast(builder, other, I32(step))
            totals[column] = llvm(builder, "fma", value, shared, totals[column])
    return totals


@NEEDS_SYCL
@pytest.mark.parametrize("type_", ["f16", *at_night(["bf16"])])
@pytest.mark.parametrize(("sizes", "transposes"), RUNS)
def test_the_driver_for_processors_executes_the_code_for_a_gpu(type_, sizes, transposes, monkeypatch) -> None:
    monkeypatch.setattr("pytl.backends.numba_dpex.backend.device_of", lambda queue, named: DEVICES["pvc"])
    monkeypatch.setattr("pytl.backends.numba_dpex.device.subgroups.matrix_product", by_broadcasts)
    (kernel,) = pytl.compile(gemm(type_, sizes, transposes)).values()
    arguments = [clone(each) for each in data_for(kernel.function, 1, 1, {"": 4})]
    expected = [clone(each) for each in arguments]
    kernel[1, {}](*expected, backend="reference")
    kernel[1, {"strategy": "many-items"}](*arguments, backend="sycl")
    assert WORD in kernel.ir("subgroup-blocks", device="pvc")
    assert not differences(arguments, expected, [1e-2] * len(arguments))


@pytest.mark.parametrize("chip", ["bmg", *at_night(["pvc"])])
@pytest.mark.parametrize("type_", ["f16", *at_night(["bf16"])])
@pytest.mark.parametrize(("sizes", "transposes"), RUNS)
def test_they_are_dpas_of_xegpu(chip, type_, sizes, transposes) -> None:
    (kernel,) = pytl.compile(gemm(type_, sizes, transposes)).values()
    arguments = [clone(each) for each in data_for(kernel.function, 1, 1, {"": 4})]
    expected = [clone(each) for each in arguments]
    kernel[1, {}](*expected, backend="reference")
    kernel[1, {"chip": chip, "interpreted": True}](*arguments, backend="xegpu")
    assert "xegpu.dpas" in kernel.emit("xegpu", chip=chip)
    assert "xegpu.dpas" not in kernel.emit("xegpu", chip=chip, matrices="lanes")
    assert not differences(arguments, expected, [1e-2] * len(arguments))


@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("type_", ["f16", *at_night(["bf16"])])
def test_both_stacks_call_the_same_function(type_) -> None:
    (kernel,) = pytl.compile(gemm(type_, (32, 16, 32), "nn")).values()
    name = f"intel_sub_group_{type_}_{type_}_matrix_mad_k16Dv8_sDv8_iDv8_f"
    assert name in kernel.emit("xegpu", chip="bmg", stage="llvm")
    assert name in kernel.emit("numba_dpex", device="bmg", stage="llvm")


COOPERATIVE = """func @f(%a: memref<{t}x20x35>, %b: memref<{t}x35x5>, %c: memref<f32x20x5>) {{
  parallel {{
    %z = constant 0 : index
    %x = cooperative_matrix_load.n %a[%z, %z] : coopmatrix<{t}x20x35,matrix_a>
    %y = cooperative_matrix_load.n %b[%z, %z] : coopmatrix<{t}x35x5,matrix_b>
    %s = cooperative_matrix_load.n %c[%z, %z] : coopmatrix<f32x20x5,matrix_acc>
    %d = cooperative_matrix_mul_add %x, %y, %s : coopmatrix<f32x20x5,matrix_acc>
    cooperative_matrix_store %d, %c[%z, %z]
  }}
}}"""


@pytest.mark.parametrize("type_", ["f16", *at_night(["bf16"])])
def test_what_work_items_hold_of_matrices_is_multiplied_by_the_unit(type_) -> None:
    (kernel,) = pytl.compile(COOPERATIVE.format(t=type_)).values()
    arguments = [clone(each) for each in data_for(kernel.function, 1, 1, {"": 4})]
    expected = [clone(each) for each in arguments]
    kernel[1, {}](*expected, backend="reference")
    kernel[1, {"interpreted": True}](*arguments, backend="xegpu")
    assert kernel.emit("xegpu").count("xegpu.dpas") == 8  # of 2 rows and 32 steps, 4 columns and one beside zeros
    assert not differences(arguments, expected, [1e-5] * len(arguments))
