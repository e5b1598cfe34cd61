"""docs/xegpu.md: all that the document on XeTile and XeGPU has, each with an example that mlir-opt verifies."""

from __future__ import annotations

import functools
import re

import pytest
from backends.test_xe_gemm import example
from backends.test_xegpu import SIMT, gemm, tools, verified

import pytl
from pytl import bf16, f16, f32, i8, i32
from pytl.frontends.xetile import rules
from pytl.frontends.xetile.operations import HANDLERS
from pytl.tools.docs.xegpu import Entry, entries

ENTRIES = entries()
OPERATIONS = {
    "XeTile": "init_tile load_tile store_tile update_tile_offset prefetch_tile tile_mma".split(),
    "XeGPU": "create_tdesc load_gather store_scatter update_offset prefetch atomic_rmw create_nd_tdesc load_nd dpas "
    "store_nd update_nd_offset prefetch_nd alloc_nbarrier create_nbarrier nbarrier_arrive nbarrier_wait mfence "
    "compile_hint".split(),
}
"""The rows of the document's two tables of operations."""
ATTRIBUTES = {
    "XeTile": "transpose padding wg_map sg_layout sg_data sg_map wi_layout wi_data xe_map".split(),
    "XeGPU": "sg_map wi_layout wi_data mode memory_scope boundary_check L1_hint L2_hint L3_hint transpose vnni_axis "
    "chunk_size_per_lane scattered nbarrier_role num_producers num_consumers memory_kind fence_op "
    "fence_scope".split(),
}
"""The words that stand in the document's attributes."""
_ATOMIC = "func @f(%A: memref<f32x40>, %B: memref<f32x40>) { axpby.n.atomic 1.0, %A, 1.0, %B }"


@functools.cache
def emitted() -> str:
    """Texts of kernels that have, together, all that pytl emits."""
    products = [gemm(bf16, f32), gemm(bf16, f32, turned="tn"), gemm(i8, i32)]
    ordinary = [pytl.compile(text)["f"].emit("xegpu", barriers="named") for text in (SIMT, _ATOMIC)]
    moved = gemm(f16, f32).emit("xegpu", offsets="update")
    tiled = example().xe_gemm.emit("xegpu")
    return "\n".join([*(kernel.emit("xegpu") for kernel in products), moved, tiled, *ordinary])


@pytest.mark.parametrize("dialect", OPERATIONS)
def test_everything_of_the_document_has_an_entry(dialect: str) -> None:
    named: dict[str, list[str]] = {"operation": [], "attribute": [], "type": []}
    for entry in ENTRIES:
        if entry.dialect == dialect:
            named[entry.kind].append(entry.name)
    assert {name.partition(",")[0] for name in named["operation"]} == set(OPERATIONS[dialect])
    words = {word for name in named["attribute"] for word in name.replace(",", " ").split()}
    assert set(ATTRIBUTES[dialect]) - words == set()


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.dialect} {entry.name}")
def test_what_is_said_of_pytl_is_so(entry: Entry) -> None:
    assert entry.document
    assert entry.today
    if entry.emitted or entry.pytl.startswith("emitted"):
        assert entry.emitted
        assert entry.emitted in emitted()
    elif entry.kind == "operation" and entry.pytl.startswith("not emitted") and entry.today.startswith("`"):
        assert f"{entry.today.split('`')[1]} " not in emitted()


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.dialect} {entry.name}")
def test_everything_is_read(entry: Entry) -> None:
    """The samples are read by tests/frontends/xetile/test_document.py."""
    assert entry.read
    if entry.kind == "operation":
        assert f"{entry.dialect.lower()}.{entry.name.partition(',')[0]}" in HANDLERS
    assert set(re.findall(r"PYTL-\d+", entry.read)) <= {
        rule.code for rule in vars(rules).values() if hasattr(rule, "code")
    }


@tools
def test_examples_are_verified(golden) -> None:
    golden("xegpu/operations.mlir", verified("// -----\n".join(entry.module for entry in ENTRIES)))
