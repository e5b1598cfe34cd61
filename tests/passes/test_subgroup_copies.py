"""Factors of many work-items: copies in local memory, executed by the oracle with its race checks."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from types import SimpleNamespace

import pytest
from passes.test_subgroup_blocks import assert_computes_the_same, gemm, lowered, numbers
from passes_kit import checked
from properties.barriers import barriers_alone_order
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
    # sub-groups of a processor take turns at a barrier
    assert "alloca" in str(after) or (device is None and count > 1)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("device", [None, "gpu", "pvc"])
def test_a_copy_is_made_where_it_is_faster(device):
    """What is too large for local memory, or of unknown size, is not copied."""

    def is_copied(*sizes: int, transposes: str = "tn", dynamic: str = "") -> bool:
        return "alloca" in str(lowered(gemm("f32", sizes, transposes, dynamic=dynamic), device=device, machine="avx2"))

    assert is_copied(32, 32, 32) and is_copied(64, 64, 64, transposes="tt")
    assert not is_copied(32, 32, 32, transposes="nt")
    assert not is_copied(300, 300, 300) and not is_copied(32, 32, 32, dynamic="m")


SHARED = [(144, 17, 20), (20, 150, 17), (200, 9, 7), (96, 96, 12)]
"""Sizes of products that have several blocks of rows, or of columns, or of both."""


@pytest.mark.at_most(2)
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("sizes", SHARED, ids=str)
@pytest.mark.parametrize("transposes", ["nn", "nt", "tn", "tt"])
def test_what_several_blocks_load_is_copied_once(device, sizes, transposes, monkeypatch):
    """Copies of both factors, wherever a barrier costs nothing."""
    known = DEVICES[device]
    monkeypatch.setitem(DEVICES, device, replace(known, costs=replace(known.costs, barrier=0.0, local=0.5)))
    random = Random(f"{device} {sizes} {transposes}")
    type_, size = random.choice(["f32", "f64", "i8", "bf16"]), random.choice([8, 16, 32])
    attributes = f"attributes{{subgroup_size={size}, work_group_size=[{size},{random.choice([1, 2, 3, 4])}]}} "
    text = gemm(type_, sizes, transposes, *numbers(type_, "1.0", "1.0"), attributes)
    with barriers_alone_order():
        after = assert_computes_the_same(
            text, data_for(checked(text).functions[0], 1, 1, {"": 4}), device=device, tile="1x8"
        )
    assert "alloca" in str(after) and str(after).count("barrier") == 1


def test_a_right_factor_is_copied_where_blocks_of_rows_share_it():
    """A work-item loads a number of two columns at a time; sub-groups load what they multiply from the copy alone."""

    def copy_of(*sizes: int, transposes: str = "nn", device: str = "pvc", type_: str = "f32") -> list[str]:
        return re.findall(r"alloca.* : (memref\S+)", str(lowered(gemm(type_, sizes, transposes), device=device)))

    assert copy_of(256, 32, 32) == copy_of(256, 32, 32, transposes="nt") == ["memref<f32x32x32,local>"]
    assert copy_of(32, 256, 32) == ["memref<f32x32x32,local>"]
    assert copy_of(128, 128, 32) == ["memref<f32x128x32,local>", "memref<f32x32x128,local>"]
    # one block of rows, or too few to be worth a barrier; what has no room
    assert copy_of(32, 32, 32) == copy_of(64, 16, 16) == copy_of(512, 16, 1024) == []
    # the matrix unit takes numbers of a column, which lie apart if it is transposed
    assert copy_of(64, 64, 64, transposes="nt", type_="f16") == ["memref<f16x64x64,local>"]
    assert copy_of(64, 64, 64, type_="f16") == []


def test_processors_load_a_right_factor_where_it_lies():
    """They load its numbers for all work-items at once."""
    for transposes in ("nn", "nt"):
        assert "alloca" not in str(lowered(gemm("f32", (512, 64, 64), transposes), machine="avx2"))


def test_a_factor_of_a_loop_is_copied_between_barriers():
    text = """func @f(%a: memref<f32x160x8x3>, %b: memref<f32x8x12x3>, %c: memref<f32x160x12>) {
  %0 = constant 0 : index
  %3 = constant 3 : index
  for %k = %0, %3 {
    %x = subview %a[0:160, 0:8, %k] : memref<f32x160x8>
    %y = subview %b[0:8, 0:12, %k] : memref<f32x8x12>
    gemm.n.n 1.0, %x, %y, 1.0, %c
  }
}"""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(DEVICES, "pvc", replace(DEVICES["pvc"], costs=replace(DEVICES["pvc"].costs, barrier=0.0)))
        with barriers_alone_order():
            after = assert_computes_the_same(text, data_for(checked(text).functions[0], 0, 1, {"": 4}), device="pvc")
    assert "alloca" in str(after) and str(after).count("barrier") == 2


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
