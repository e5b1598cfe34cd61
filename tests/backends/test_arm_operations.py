"""Every operation of the dialect arm_sme is emitted for some kernel, or docs/arm-sme.md says why it is not."""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from backends import arm_operations as table

import pytl
from pytl.backends.mlir.targets import STREAMING_PASSES, target_of
from pytl.backends.mlir.toolchain import Toolchain, find_toolchain
from pytl.passes.targets.machine import MACHINES

DIALECT = (Path(__file__).parent / "arm_sme_dialect.txt").read_text().splitlines()
"""The operations on the dialect's page."""
EMITTED, UNUSED = table.emitted(), table.unused()
EXAMPLES = table.examples()
MADE = [example for example in EXAMPLES if example[1] != table.MLIR]
each_example = pytest.mark.parametrize(("kernel", "stage"), EXAMPLES)
TARGET = target_of(MACHINES["sme"], 2)
needs_tools = pytest.mark.tools_of("arm_sme")


def tools() -> Toolchain:
    found = find_toolchain()
    assert isinstance(found, Toolchain)
    return found


def run(tool: str, arguments: Sequence[str], given: str) -> subprocess.CompletedProcess[str]:
    quick = {**os.environ, "LLVM_DISABLE_SYMBOLIZATION": "1"}  # of the stack, where a tool gives up
    command = [tools().path(tool), *arguments]
    return subprocess.run(command, input=given, capture_output=True, text=True, env=quick, check=False)


def opt(given: str, *passes: str) -> str:
    done = run("mlir-opt", [f"--pass-pipeline=builtin.module({','.join(passes)})"], given)
    assert done.returncode == 0, done.stderr
    return done.stdout


def emit(kernel: str, stage: str) -> str:
    compiled = pytl.compile(table.KERNELS[kernel])[kernel]
    if stage != table.TILES:
        return compiled.emit("arm_sme", stage=stage)
    before = STREAMING_PASSES[: STREAMING_PASSES.index("func.func(convert-arm-sme-to-llvm)")]
    return opt(compiled.emit("arm_sme"), *before, "func.func(test-arm-sme-tile-allocation{preprocess-only=true})")


def operations(text: str) -> set[str]:
    """The operations of the dialect in a text, without its comments."""
    return set(re.findall(r"^(?!\s*//).*?\barm_sme\.([\w.]+)", text, re.M))


# The table.


def test_every_operation_of_the_dialect_is_accounted_for() -> None:
    assert [f"arm_sme.{name}" for name in table.OPERATIONS] == DIALECT
    assert len(DIALECT) == 25 + 46
    assert all(entry.why.strip() for entry in table.OPERATIONS.values())


def test_references_lead_to_operations_that_are_accounted_for() -> None:
    for name, entry in UNUSED.items():
        if entry.why.endswith("see there"):
            named = re.findall(r"`(\w+)`", entry.why)[-1]
            assert named in UNUSED.keys() - {name}, name


@pytest.mark.parametrize("name", [name for name, entry in EMITTED.items() if entry.stage == table.MLIR])
def test_modules_that_are_named_write_the_operation(name: str) -> None:
    named = re.findall(r"`(\w+\.py)`", EMITTED[name].why)
    assert named
    for module in named:
        text = (table.ROOT / "pytl/backends/mlir" / module).read_text()
        assert re.search(rf"\b{name}\b", text), module


def test_the_page_is_the_table(golden: Any) -> None:
    dataclasses.replace(golden, directory=table.ROOT / "docs")(table.PAGE, table.render())


# What is emitted.


@pytest.mark.parametrize("kernel", [kernel for kernel, stage in EXAMPLES if stage == table.MLIR])
def test_what_pytl_writes(kernel: str, golden: Any) -> None:
    golden(table.golden_name(kernel, table.MLIR), table.commented(kernel, table.MLIR, emit(kernel, table.MLIR)))


@pytest.mark.at_most(2)
@needs_tools
@pytest.mark.parametrize(("kernel", "stage"), MADE)
def test_what_passes_make(kernel: str, stage: str, golden: Any) -> None:
    text = emit(kernel, stage)
    expected = {name for name, entry in EMITTED.items() if (entry.kernel, entry.stage) == (kernel, stage)}
    assert expected <= operations(text)
    if tools().version == table.VERSION:  # others write the same in other words
        golden(table.golden_name(kernel, stage), table.commented(kernel, stage, text))


@each_example
def test_texts_have_what_they_are_there_for(kernel: str, stage: str, golden: Any) -> None:
    found = operations((golden.directory / table.golden_name(kernel, stage)).read_text())
    assert {name for name, entry in EMITTED.items() if (entry.kernel, entry.stage) == (kernel, stage)} <= found
    assert found <= set(EMITTED)


def test_no_text_is_left_over(golden: Any) -> None:
    there = {file.name for file in (golden.directory / table.GOLDEN).iterdir()}
    assert there == {Path(table.golden_name(*example)).name for example in EXAMPLES}


@pytest.mark.at_most(3)
@needs_tools
@each_example
def test_mlir_opt_verifies_the_texts(kernel: str, stage: str, golden: Any) -> None:
    if stage != table.MLIR and tools().version != table.VERSION:
        pytest.skip(f"a text of LLVM {table.VERSION}")
    text = (golden.directory / table.golden_name(kernel, stage)).read_text()
    assert operations(opt(text)) == operations(text)


TYPES = [(name,) * 3 for name in ("f32", "f64", "c32", "c64")]
TYPES += [("i8", "i8", "i32"), ("i16", "i16", "i64"), ("f16", "f16", "f32"), ("bf16", "bf16", "f32")]


@pytest.mark.at_night
@needs_tools
@pytest.mark.parametrize("elements", TYPES, ids=str)
def test_products_lead_to_no_others(elements: tuple[str, str, str]) -> None:
    """Nor do they at a later stage, as loads would that make room in ZA."""
    memrefs = ", ".join(f"%{name}: memref<{element}x?x?>" for name, element in zip("abc", elements))
    lines = [f"gemm.{transposes} %s, %a, %b, %t, %c" for transposes in ("n.n", "n.t", "t.n", "t.t")]
    text = f"func @f({memrefs}, %s: {elements[0]}, %t: {elements[2]}) {{\n" + "\n".join([*lines, "}"])
    kernel = pytl.compile(text)["f"]
    assert operations(kernel.emit("arm_sme") + kernel.emit("arm_sme", stage=table.DIALECT)) <= set(EMITTED)


# What is said of MLIR.


@pytest.fixture
def of_version() -> None:
    if tools().version != table.VERSION:
        pytest.skip(f"the page is about LLVM {table.VERSION}")


LANES = {"i8": 16, "i16": 8, "f16": 8, "f32": 4, "f64": 2, "i128": 1}
ENDS = {"i8": "i32", "i16": "i64", "f16": "f32"}


def vector(element: str) -> str:
    return f"vector<[{LANES[element]}]x{element}>"


def tile(element: str) -> str:
    lanes = {**LANES, "i32": 4, "i64": 2}[element]
    return f"vector<[{lanes}]x[{lanes}]x{element}>"


def function(name: str, parameters: str, *lines: str) -> str:
    body = "".join(f"  {line}\n" for line in ("%c0 = arith.constant 0 : index", *lines, "return"))
    return f"func.func private @{name}({parameters}) attributes {{arm_streaming, arm_new_za}} {{\n{body}}}\n"


def product(operation: str, factor: str, sum_: str, kind: str = "") -> str:
    """A function with an outer product."""
    into = f" into {tile(sum_)}" if "way" in operation else ""
    return function(
        f"{operation}_{factor}",
        f"%a: {vector(factor)}, %t: memref<?x?x{sum_}>",
        f"%z = arm_sme.zero : {tile(sum_)}",
        f"%r = arm_sme.{operation} %a, %a{kind} acc(%z) : {vector(factor)}, {vector(factor)}{into}",
        f"arm_sme.tile_store %r, %t[%c0, %c0] : memref<?x?x{sum_}>, {tile(sum_)}",
    )


def products() -> list[str]:
    """Functions with those that kernels do not lead to."""
    found = []
    for name in UNUSED:
        kind = re.fullmatch(r"(\w)\w*mop[as]_(\d)way", name)
        if kind is not None:
            factors = {"2": ["f16"] if kind[1] == "f" else ["i16"], "4": ["i8", "i16"]}[kind[2]]
            found += [
                product(name, each, "i32" if kind[2] == "2" and each == "i16" else ENDS[each]) for each in factors
            ]
    return found


def moves() -> list[str]:
    """Functions that load, copy by slices, and store tiles."""
    found = []
    for element in LANES:
        for layout in ("horizontal", "vertical"):
            memref = f"memref<?x?x{element}>"
            loads = f"layout<{layout}> : {memref}, {tile(element)}"
            slices = f"[%c0] layout<{layout}> : {vector(element)} "
            found.append(
                function(
                    f"{layout}_{element}",
                    f"%v: {vector(element)}, %t: {memref}, %m: vector<[{LANES[element]}]xi1>",
                    f"%r = arm_sme.tile_load %t[%c0, %c0] {loads}",
                    f"%s = arm_sme.load_tile_slice %t[%c0, %c0], %m, %r, %c0 layout<{layout}> : {memref}, "
                    f"vector<[{LANES[element]}]xi1>, {tile(element)}",
                    f"%w = arm_sme.insert_tile_slice %v, %s{slices}into {tile(element)}",
                    f"arm_sme.tile_store %w, %t[%c0, %c0] {loads}",
                )
            )
    return found


def spilled() -> str:
    """A function with one tile of f32 more than ZA holds."""
    of = "%t[%c0, %c0] : memref<?x?xf32>, vector<[4]x[4]xf32>"
    loads = [f"%r{n} = arm_sme.tile_load {of}" for n in range(5)]
    stores = [f"arm_sme.tile_store %r{n}, {of}" for n in range(5)]
    return function("spilled", "%t: memref<?x?xf32>", *loads, *stores)


def lengths() -> str:
    return function(
        "lengths",
        "%t: memref<?xindex>",
        "%n = arm_sme.streaming_vl <word>",
        "memref.store %n, %t[%c0] : memref<?xindex>",
    )


@needs_tools
def test_what_no_kernel_leads_to_is_there_and_is_lowered(of_version: None) -> None:
    text = "".join([*products(), *moves(), spilled(), lengths()])
    lowered = run("mlir-opt", [f"--pass-pipeline={TARGET.pipeline}"], text)
    assert lowered.returncode == 0, lowered.stderr
    left = set(UNUSED) - operations(text) - operations(lowered.stdout)
    assert left == {"intr.cntsb", "intr.cntsh", "intr.cntsw", "intr.mops", "intr.str"}


@needs_tools
@pytest.mark.parametrize("unit", "bhw")
def test_counts_but_one_are_gone(unit: str, of_version: None) -> None:
    name = f"arm_sme.intr.cnts{unit}"
    done = run("mlir-opt", [], function("f", "", f'%n = "{name}"() : () -> i64'))
    assert f"unregistered operation '{name}'" in done.stderr


@needs_tools
@pytest.mark.parametrize("element", ["f32", "f64"])
def test_outer_products_that_are_subtracted_are_not_lowered(element: str, of_version: None) -> None:
    text = product("outerproduct", element, element, " kind<sub>")
    opt(text)
    done = run("mlir-opt", [f"--pass-pipeline={TARGET.pipeline}"], text)
    assert done.returncode != 0
    assert "error: unsupported kind" in done.stderr


@needs_tools
def test_two_way_products_of_integers_need_sme2(of_version: None) -> None:
    target = TARGET
    dialect = run("mlir-opt", [f"--pass-pipeline={target.pipeline}"], product("smopa_2way", "i16", "i32"))
    llvm = run("mlir-translate", ["--mlir-to-llvmir"], dialect.stdout).stdout
    assert "Cannot select: intrinsic %llvm.aarch64.sme.smopa.za32" in run("llc", target.flags, llvm).stderr
    flags = [flag.replace("+sme,", "+sme2,") for flag in target.flags]
    assert re.search(r"\bsmopa\s+za\d\.s, \S+ \S+ z\d+\.h, z\d+\.h", run("llc", flags, llvm).stdout)
