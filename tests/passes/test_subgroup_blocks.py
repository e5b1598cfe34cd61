"""subgroup-blocks: products of many work-items as blocks in registers, executed by the oracle with its race checks."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest
from differential.cases import KINDS, NEEDS_SYCL
from passes_kit import DIGITS, assert_printed_and_read, checked
from properties.execution import data_for, differences, execute

import pytl
from pytl.backends.registry import find_backend
from pytl.diagnostics import PytlError
from pytl.ir.values import Module
from pytl.launch.specialization import for_code
from pytl.ops import For
from pytl.ops.constants import constant_of
from pytl.passes import Pipeline, find_pass
from pytl.passes.subgroup_shapes import Extents, choose_count, choose_grid, choose_shape, choose_size
from pytl.passes.targets.spmd import DEVICES, described, find_device, kind_of_name

pytestmark = pytest.mark.at_most(8)

GEMM = """func @f(%a: memref<{t}x{a}>, %b: memref<{t}x{b}>, %c: memref<{t}x{m}x{n}>) {attributes}{{
  gemm.{ta}.{tb} {alpha}, %a, %b, {beta}, %c
}}"""


def lowered(text: str, last: str = "insert-barrier", **options) -> Module:
    """The module of a text after the passes of many work-items, up to one of them."""
    backend = find_backend("sycl")
    complete = backend.complete_options({"strategy": "many-items", **options}, None)
    passes = backend.passes(complete)
    names = [step.name for step in passes]
    return Pipeline(passes[: names.index(last) + 1]).run(checked(text))


def gemm(type_: str, sizes, transposes: str, alpha="1.0", beta="1.0", attributes="", dynamic="") -> str:
    m, n, k = ("?" if name in dynamic else size for name, size in zip("mnk", sizes))
    ta, tb = transposes
    a, b = (f"{m}x{k}" if ta == "n" else f"{k}x{m}"), (f"{k}x{n}" if tb == "n" else f"{n}x{k}")
    return GEMM.format(t=type_, a=a, b=b, m=m, n=n, ta=ta, tb=tb, alpha=alpha, beta=beta, attributes=attributes)


def assert_computes_the_same(text: str, arguments, **options) -> Module:
    """What the oracle executes, with its checks and its race detector, before and after the passes."""
    after = lowered(text, **options)
    assert_printed_and_read(after)
    expected, actual = execute(checked(text), arguments, 1), execute(after, arguments, 1)
    bounds = [DIGITS.get(each.dtype.name, 0.0) * 64 for each in expected]
    found = differences(actual, expected, bounds)
    assert not found, f"{found}\n{text}\n{after}"
    return after


def numbers(type_: str, *values: str) -> list[str]:
    kind = KINDS[type_]
    if kind == "integer":
        return [value.removesuffix(".0") for value in values]
    return [f"[{value}, 0.0]" for value in values] if kind == "complex" else list(values)


DRAWN = [1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 20, 31, 33, 40]
"""Sizes of modes, around those of sub-groups."""


@pytest.mark.at_most(4)
@pytest.mark.parametrize("device", [None, "gpu", "integrated", "pvc"])
@pytest.mark.parametrize("size", [8, 16, 32])
@pytest.mark.parametrize("seed", range(6))
def test_products_of_drawn_sizes(device, size, seed):
    random = Random(f"{seed} {size} {device}")
    type_ = random.choice([*KINDS])
    sizes = [random.choice(DRAWN) for _ in range(3)]
    transposes = random.choice(["nn", "nt", "tn", "tt"])
    alpha, beta = numbers(type_, random.choice(["1.0", "-2.0"]), random.choice(["0.0", "1.0", "3.0"]))
    count = random.choice([1, 1, 2, 3, 4])
    attributes = f"attributes{{subgroup_size={size}, work_group_size=[{size},{count}]}} "
    dynamic = random.choice(["", "", "", "m", "n", "k", "mnk"])
    text = gemm(type_, sizes, transposes, alpha, beta, attributes, dynamic)
    of_known_sizes = checked(gemm(type_, sizes, transposes, alpha, beta)).functions[0]
    tile = random.choice(["auto", "1x1", "2x3u2", "3x2u4", "4x5"])
    assert_computes_the_same(text, data_for(of_known_sizes, seed, 1, {"": 4}), device=device, tile=tile)


OTHERS = {
    "gemv": """func @f(%a: memref<{t}x{m}x{n}>, %b: memref<{t}x{n}>, %c: memref<{t}x{m}>) {{
  gemv.n {alpha}, %a, %b, {beta}, %c
}}""",
    "gemv transposed": """func @f(%a: memref<{t}x{n}x{m}>, %b: memref<{t}x{n}>, %c: memref<{t}x{m}>) {{
  gemv.t {alpha}, %a, %b, {beta}, %c
}}""",
    "ger": """func @f(%a: memref<{t}x{m}>, %b: memref<{t}x{n}>, %c: memref<{t}x{m}x{n}>) {{
  ger {alpha}, %a, %b, {beta}, %c
}}""",
    "beta at run time": """func @f(%a: memref<{t}x{m}x4>, %b: memref<{t}x4x{n}>, %s: {t}, %c: memref<{t}x{m}x{n}>) {{
  gemm.n.n %s, %a, %b, %s, %c
}}""",
    "chain": """func @f(%a: memref<{t}x{m}x{n}>, %b: memref<{t}x{n}x{n}>, %c: memref<{t}x{m}x{n}>) {{
  %x = alloca : memref<{t}x{m}x{n},local>
  gemm.n.n {alpha}, %a, %b, {zero}, %x
  gemm.n.t {alpha}, %x, %b, {beta}, %c
}}""",
}


@pytest.mark.at_most(4)
@pytest.mark.parametrize("device", [None, "bmg"])
@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("seed", range(4))
def test_other_products_and_chains(device, kind, seed):
    random = Random(f"{seed} {kind} {device}")
    type_, m, n = random.choice([*KINDS]), random.choice(DRAWN), random.choice(DRAWN)
    alpha, beta, zero = numbers(type_, "2.0", random.choice(["0.0", "1.0", "3.0"]), "0.0")
    text = OTHERS[kind].format(t=type_, m=m, n=n, alpha=alpha, beta=beta, zero=zero)
    assert_computes_the_same(text, data_for(checked(text).functions[0], seed, 1, {"": 4}), device=device)


@pytest.mark.parametrize("device", [None, "pvc"])
def test_the_code_of_a_small_product(device, golden):
    text = gemm("f32", (24, 2, 3), "nn")
    golden(f"subgroup_blocks/{device or 'processor'}.txt", f"{lowered(text, device=device)}")


def test_atomic_products_stay_loops():
    text = gemm("f32", (8, 8, 8), "nn", beta="1.0").replace("gemm.n.n", "gemm.n.n.atomic")
    assert "vector.work_items" not in str(lowered(text))


# What is decided.


def test_a_function_that_shows_its_size_keeps_it():
    text = gemm("f32", (32, 32, 32), "nn")
    assert "subgroup_size=8, work_group_size=[8,1]" in str(lowered(text, machine="avx2"))
    shown = text.replace("gemm.n.n 1.0", "%s = builtin.num_subgroups : i32\n %t = cast %s : f32\n gemm.n.n %t")
    assert "subgroup_size=16, work_group_size=[16,1]" in str(lowered(shown, "work-group-size", machine="avx2"))
    given = text.replace(") {", ") attributes{subgroup_size=32, work_group_size=[32,2]} {")
    assert "subgroup_size=32, work_group_size=[32,2]" in str(lowered(given, machine="avx2"))


@pytest.mark.parametrize("name", [*DEVICES, "cpu-32x16", "cpu-64x32"])
@pytest.mark.parametrize("n", [4, 8, 9, 16, 20, 32, 35, 56, 64, 100])
@pytest.mark.parametrize("bytes_", [4, 8])
def test_blocks_fit_into_registers_and_sub_groups_have_equally_many(name, n, bytes_):
    device, product = find_device(name), Extents(n, n, n, bytes_)
    size = choose_size(device, [product])
    shape = choose_shape(device, size, product)
    registers = -(-size * bytes_ // device.register_bytes)
    assert (shape.rows * shape.columns + shape.rows + 1) * registers <= device.registers
    count = choose_count(device, size, [product])
    along_rows, along_columns = choose_grid(size, count, product, shape)
    assert along_rows * along_columns == count <= device.max_subgroups
    assert -(-n // (size * shape.rows)) * -(-n // shape.columns) % count == 0


def test_devices_are_found_by_what_drivers_call_them():
    assert kind_of_name("Intel(R) Data Center GPU Max 1550") == "pvc"
    assert kind_of_name("Intel(R) Arc(TM) B580 Graphics") == "bmg"
    assert kind_of_name("Intel(R) Iris(R) Xe Graphics") == "integrated"
    assert kind_of_name("Intel(R) UHD Graphics 770") == "integrated"
    assert kind_of_name("NVIDIA H100") == "gpu"


def test_the_name_of_a_device_has_what_decides_code():
    for kind in DEVICES:
        for sizes, local in (([8, 16], 1 << 20), ([32], None), ([], 1 << 12), ([8], 100)):
            device = described(kind, sizes, local)
            assert find_device(device.name) == device
    assert find_device("cpu-32x16").subgroup_sizes[0] == 8
    assert all(find_device(name) is None for name in ("cpu", "pvc:", "pvc:x", "pvc/", "a/4", 3, "opencl:gpu"))


def test_the_pass_says_what_its_options_are():
    shown = "subgroup-blocks{device=pvc,tiles=2x8u4+auto,size=16,count=2,packs=false}"
    assert str(find_pass(shown)) == shown
    with pytest.raises(PytlError, match="not a block"):
        find_pass("subgroup-blocks{tiles=many}")
    with pytest.raises(PytlError, match="PYTL-3001"):
        find_pass("subgroup-blocks{device=toaster}")


@pytest.mark.parametrize("device", DEVICES)
def test_a_gpu_loads_few_numbers_for_a_multiply_add(device):
    counted = instructions_in_loops(lowered(gemm("f32", (32, 32, 32), "nn"), device=device))
    assert counted["load"] <= 0.35 * counted["vector.fma"]


@NEEDS_SYCL
@pytest.mark.parametrize("device", DEVICES)
def test_so_does_the_code_that_the_driver_gets(device):
    (kernel,) = pytl.compile(gemm("f32", (32, 32, 32), "nn")).values()
    llvm = kernel.emit("numba_dpex", stage="llvm", device=device)
    multiply_adds = len(re.findall(r"call float @llvm\.fma\.f32\(", llvm))
    loads = len(re.findall(r"= load ", llvm))
    assert multiply_adds and loads <= 0.35 * multiply_adds


@pytest.mark.parametrize("device", [None, *DEVICES])
@pytest.mark.parametrize("sizes", [(42, 7, 53), (64, 64, 64)])
def test_complex_products_are_written_short(device, sizes):
    """42x53 * 53x7 had 156 of these for a processor, and the driver took 2.6 s instead of 0.7."""
    text = gemm("c32", sizes, "nn", *numbers("c32", "1.0", "1.0"))
    words = [op.word for op in lowered(text, device=device, machine="avx2").functions[0].walk()]
    assert words.count("vector.fma") <= (50 if device is None else 300)


def instructions_in_loops(module: Module) -> Counter[str]:
    """How often each instruction is executed by a work-item in the loops of the sums, whose bounds are known."""
    counted: Counter[str] = Counter()
    for op in module.functions[0].walk():
        if isinstance(op, For) and op.results:
            trips = (constant_of(op.stop) - constant_of(op.start)) // constant_of(op.step)
            for inner in op.body.operations:
                counted[inner.word.split(".x")[0]] += trips
    return counted


# Chains.

CHAIN = """func @f(%a: memref<f32x20x9>, %b: memref<f32x9x9>, %e: memref<f32x9x5>, %d: memref<f32x20x5>) {
  %t = alloca : memref<f32x20x9,local>
  gemm.n.t 2.0, %a, %b, 0.0, %t
  gemm.n.n 1.0, %t, %e, 1.0, %d
}"""


@pytest.mark.at_most(3)
@pytest.mark.parametrize("device", [None, *DEVICES])
def test_a_left_factor_stays_in_registers(device):
    shown = str(lowered(CHAIN, device=device, machine="avx2"))
    assert shown.count("vector.work_items") == 1 and "alloca" not in shown and "barrier" not in shown
    arguments = data_for(checked(CHAIN).functions[0], 1, 1, {"": 4})
    assert_computes_the_same(CHAIN, arguments, device=device, machine="avx2")


@pytest.mark.parametrize("device", [None, "pvc"])
@pytest.mark.parametrize("size", [8, 16, 32])
def test_chains_of_several_sub_groups_and_three_products(device, size):
    text = CHAIN.replace(") {", f") attributes{{subgroup_size={size}, work_group_size=[{size},3]}} {{")
    text = text.replace("9", "3").replace(
        "  gemm.n.n 1.0, %t, %e, 1.0, %d\n",
        "  %u = alloca : memref<f32x20x3,local>\n  gemm.n.n 1.0, %t, %b, 0.0, %u\n  gemm.n.n 1.0, %u, %e, 3.0, %d\n",
    )
    after = assert_computes_the_same(text, data_for(checked(text).functions[0], 1, 1, {"": 4}), device=device)
    assert str(after).count("vector.work_items") == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("f32", "f16"),
        ("gemm.n.n 1.0, %t", "axpby.n 1.0, %t, 1.0, %a\n  gemm.n.n 1.0, %t"),
        ("%b, 0.0, %t", "%b, 1.0, %t"),
        ("9", "90"),
    ],
    ids=["rounded in memory", "needed again", "added to what was there", "more than registers hold"],
)
def test_what_goes_through_memory(old, new):
    shown = str(lowered(CHAIN.replace(old, new), machine="avx2"))
    assert shown.count("vector.work_items") == (3 if "axpby" in new else 2) and "alloca" in shown


def test_what_the_last_product_writes_is_no_factor_of_the_first():
    text = """func @f(%a: memref<f32x33x5>, %b: memref<f32x5x5>, %c: memref<f32x5x33>) {
  %t = alloca : memref<f32x5x5,local>
  %u = alloca : memref<f32x5x5,local>
  gemm.n.t 1.0, %c, %c, 0.0, %t
  gemm.n.n 1.0, %t, %b, 0.0, %u
  gemm.n.t 2.0, %u, %a, 1.0, %c
}"""
    after = assert_computes_the_same(text, data_for(checked(text).functions[0], 1, 1, {"": 4}), device="gpu")
    assert str(after).count("vector.work_items") == 2


# Barriers, where a factor goes through memory.

RIGHT = """func @f(%a: memref<f32x16x16>, %b: memref<f32x16x16>, %d: memref<f32x16x16>) {attributes}{{
  %t = alloca : memref<f32x16x16,local>
  gemm.n.t 1.0, %a, %b, 0.0, %t
  gemm.n.n 1.0, %b, %t, 1.0, %d
}}"""


def barriers(text: str, **options) -> list[str]:
    words = [op.word for op in lowered(text, **options).functions[0].walk()]
    return [word for word in words if "barrier" in word]


def test_one_sub_group_waits_for_itself():
    text = RIGHT.format(attributes="attributes{subgroup_size=16, work_group_size=[16,1]} ")
    assert barriers(text, device="pvc") == ["vector.subgroup_barrier"]
    assert barriers(text, machine="avx2", items=1) == ["barrier"]


def test_several_sub_groups_wait_for_each_other():
    text = RIGHT.format(attributes="attributes{subgroup_size=16, work_group_size=[16,2]} ")
    assert barriers(text, device="pvc") == ["barrier"]
    for size in (8, 16, 32):
        text = RIGHT.format(attributes=f"attributes{{subgroup_size={size}, work_group_size=[{size},2]}} ")
        assert_computes_the_same(text, data_for(checked(text).functions[0], 1, 1, {"": 4}), device="pvc")


def test_what_shares_no_memory_waits_for_nothing():
    independent = RIGHT.format(attributes="").replace("%b, %t, 1.0", "%b, %b, 1.0")
    assert barriers(independent, device="pvc") == barriers(independent) == []


# Several work-groups of the language, one after the other.

BATCH = """func @f(%a: memref<f32x8x8x?>, %b: memref<f32x8x8>, %c: memref<f32x8x8x?>) {
  %g = builtin.group_id : index
  %x = subview %a[0:8, 0:8, %g] : memref<f32x8x8>
  %y = subview %c[0:8, 0:8, %g] : memref<f32x8x8>
  gemm.n.n 1.0, %x, %b, 1.0, %y
}"""


def test_small_work_groups_share_one_of_a_processor():
    shown = str(lowered(BATCH, machine="avx2"))
    assert 'cpu.items {"items"=256} %g {' in shown and "barrier" not in shown
    assert "cpu.items" not in str(lowered(BATCH, device="pvc"))
    assert "cpu.items" not in str(lowered(BATCH, machine="avx2", items=1))
    given = BATCH.replace(") {", ") attributes{subgroup_size=8, work_group_size=[8,2]} {")
    assert "cpu.items" not in str(lowered(given, machine="avx2"))


def test_work_groups_that_share_local_memory_wait_before_they_use_it_again():
    through_memory = BATCH.replace(
        "  gemm", "  %t = alloca : memref<f32x8x8,local>\n  gemm.n.n 1.0, %b, %x, 0.0, %t\n  gemm"
    ).replace("%x, %b, 1.0", "%b, %t, 1.0")
    assert barriers(through_memory, machine="avx2") == ["barrier", "barrier"]
    arguments = data_for(checked(through_memory).functions[0], 1, 3, {"": 3})
    expected = execute(checked(through_memory), arguments, 3)
    actual = execute(lowered(through_memory, machine="avx2"), arguments, 3)
    assert not differences(actual, expected, [1e-4] * 3)


# What tuning tries.


@pytest.mark.at_most(1)
@pytest.mark.parametrize("device", [None, *DEVICES])
def test_blocks_and_work_groups_to_try(device):
    backend = find_backend("sycl")
    (kernel,) = pytl.compile(gemm("f32", (32, 32, 32), "nn")).values()
    complete = backend.complete_options({"strategy": "many-items", "device": device}, None)
    space = backend.tuning_space(for_code(kernel.launches).lowered(backend, complete))
    assert len(space["tile"]) == len(set(space["tile"])) >= 3 and space["work_group"] if device != "gpu" else space
    options = {"strategy": "many-items", "device": device, "machine": "avx2"}
    for name, values in space.items():
        for value in values if name in ("tile", "work_group") else ():
            shown = str(lowered(gemm("f32", (32, 32, 32), "nn"), **options, **{name: value}))
            rows, columns = value.partition("u")[0].split("x")
            if name == "tile":
                assert f'"rows"={rows}, "columns"={columns}' in shown
            else:
                assert f"subgroup_size={rows}, work_group_size=[{int(rows) * int(columns)},1]" in shown


@pytest.mark.at_most(1)
@pytest.mark.parametrize("work_group", ["8x1", "16x2", "32x3"])
def test_a_work_group_that_is_asked_for(work_group):
    text = gemm("f32", (40, 33, 20), "nn")
    arguments = data_for(checked(text).functions[0], 1, 1, {"": 4})
    assert_computes_the_same(text, arguments, device="pvc", work_group=work_group)
