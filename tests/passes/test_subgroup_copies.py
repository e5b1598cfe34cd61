"""Transposed left factors of many work-items: a copy in local memory, executed by the oracle with its race checks."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import pytest
from passes.test_subgroup_blocks import assert_computes_the_same, gemm, lowered, numbers
from passes_kit import checked
from properties.execution import data_for

from pytl.passes.targets.spmd import DEVICES, told_by

pytestmark = pytest.mark.at_most(8)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("device", [None, *DEVICES])
@pytest.mark.parametrize("size", [8, 16, 32])
@pytest.mark.parametrize("seed", range(4))
def test_copies_hold_the_transpose(device, size, seed):
    random = Random(f"{seed} {size} {device}")
    type_ = random.choice(["f32", "f64", "i32", "f16"])
    sizes = [random.choice([32, 33, 40]), random.choice([40, 64, 65]), random.choice([20, 33, 40])]
    count = random.choice([1, 2, 3])
    attributes = f"attributes{{subgroup_size={size}, work_group_size=[{size},{count}]}} "
    text = gemm(type_, sizes, "t" + random.choice("nt"), *numbers(type_, "1.0", "1.0"), attributes)
    after = assert_computes_the_same(text, data_for(checked(text).functions[0], seed, 1, {"": 4}), device=device)
    assert "alloca" in str(after)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("device", [None, "gpu", "pvc"])
def test_a_copy_is_made_where_it_is_faster(device):
    """What is too large for local memory, or of unknown size, is not copied."""

    def is_copied(*sizes: int, transposes: str = "tn", dynamic: str = "") -> bool:
        return "alloca" in str(lowered(gemm("f32", sizes, transposes, dynamic=dynamic), device=device, machine="avx2"))

    assert is_copied(32, 32, 32) and is_copied(64, 64, 64, transposes="tt")
    assert not is_copied(32, 32, 32, transposes="nt")
    assert not is_copied(300, 300, 300) and not is_copied(32, 32, 32, dynamic="m")


def test_a_device_tells_how_much_local_memory_it_has():
    """Smaller than what presets assume: a copy of 32 columns takes 4,224 bytes."""
    driver = SimpleNamespace(name="Intel(R) Iris(R) Xe Graphics", sub_group_sizes=[8, 16, 32], local_mem_size=1 << 12)
    device = told_by(driver)
    assert (device.name, device.local_bytes) == ("integrated/4096", 1 << 12)
    text = gemm("f32", (32, 32, 32), "tn")
    assert "alloca" not in str(lowered(text, device=device.name)) and "alloca" in str(
        lowered(text, device="integrated")
    )


def test_a_gpu_has_rows_of_a_copy_in_different_banks():
    assert "memref<f32x32x32,strided<1,33>,local>" in str(lowered(gemm("f32", (32, 32, 32), "tn"), device="pvc"))


def test_a_factor_that_is_copied_is_in_memory():
    """The chain before it leaves it there."""
    text = """func @f(%a: memref<f64x9x3>, %b: memref<f64x3x3>, %c: memref<f64x3x9>, %d: memref<f64x9x9>,
  %e: memref<f64x3x9>) attributes{subgroup_size=16, work_group_size=[16,4]} {
  %x = alloca : memref<f64x9x3,local>
  gemm.n.n 1.0, %a, %b, 0.0, %x
  gemm.n.n 2.0, %x, %c, 1.0, %d
  gemm.t.n 1.0, %x, %d, 0.0, %e
}"""
    data = data_for(checked(text).functions[0], 0, 1, {"": 4})
    after = assert_computes_the_same(text, data, device="integrated")
    assert str(after).count("alloca") == 2
