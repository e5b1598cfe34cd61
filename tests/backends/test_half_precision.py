"""f16 on SYCL, where Intel's driver compares halves wrongly on processors with AVX512-FP16 (docs/notes/findings.md).

All scalar instructions of f16, derived from their declarations, compute with special numbers, ties and random ones in
64 lanes and more, and their results decide branches. They are executed, and the driver compiles them for a processor
with AVX512-FP16, whether this one is such or not; its code must not compare halves.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator

import numpy as np
import pytest
from backends.test_regressions import FILES
from differential.cases import (
    BOUNDS,
    EXACT,
    NEEDS_OPENCL,
    NEEDS_SYCL,
    STRATEGIES,
    Batch,
    Bound,
    Case,
    each_way,
    zeros,
)
from differential.test_scalars import BINARY, TYPES, UNARY, castable, pairs
from forms.table import all_rows
from forms.test_sycl import batches as batches_of_rows
from forms.test_sycl import case_of
from launch_kit import clean_python
from reference_kit import FLOATS
from sampling import at_night

import pytl
from pytl.devices import bootstrap
from pytl.ir.types import SCALAR_TYPES
from pytl.ops.arith import COMPARISONS, admits_binary, admits_cast, admits_unary, unary_result
from pytl.ops.math import FUNCTIONS, SINCE_04

pytestmark = [NEEDS_SYCL, pytest.mark.at_most(4)]

HALF = SCALAR_TYPES["f16"]
LANES = 64
BRANCH = """
  %above = cmp.lt %p, %q : bool
  %chosen = if %above -> (f64) {
    %wide = cast %p : f64
    yield (%wide)
  } else {
    %other = cast %q : f64
    yield (%other)
  }
  store %chosen, %d[%i]"""
"""What is decided by numbers %p and %q of one type; work-items of a vector go either way."""


def operands(variant: str = "") -> tuple[np.ndarray, np.ndarray]:
    """Pairs of numbers: each special one with each, and random ones; a whole number of vectors."""
    rng = np.random.default_rng(16)
    a, b = pairs("f16", variant)
    tail = (rng.integers(0, 1 << 16, LANES + -a.size % LANES, np.uint16).view(np.float16) for _ in range(2))
    a, b = (np.concatenate([some, more]) for some, more in zip((a, b), tail))
    return a, b


def case(name: str, body: str, result: str, bound: Bound = EXACT, decides: str = "%z, %y") -> Case:
    """Elements %x and %y give %z of a type, which is stored, and two halves decide a branch."""
    a, b = operands()
    if name.startswith("cast f16 → "):
        numbers = castable("f16", result)
        a = np.resize(numbers, a.shape)
    p, q = decides.split(", ")
    return Case(
        name,
        {
            "a": ("memref<f16x?>", a),
            "b": ("memref<f16x?>", b),
            "r": (f"memref<{result}x?>", zeros(result, a.size)),
            "d": ("memref<f64x?>", zeros("f64", a.size)),
        },
        f"""
      %zero = constant 0 : index
      %n = size %r[0] : index
      foreach (%i) = (%zero), (%n) {{
        %x = load %a[%i] : f16
        %y = load %b[%i] : f16
        {body}
        store %z, %r[%i]{BRANCH.replace("%p", p).replace("%q", q)}
      }}""",
        bound,
    )


def scalar_cases() -> Iterator[Case]:
    """Every scalar instruction with an operand or a result of f16."""
    for variant in BINARY:
        if admits_binary(variant, HALF):
            bound = BOUNDS["min, max"] if variant in ("min", "max") else EXACT
            yield case(variant, f"%z = arith.{variant} %x, %y : f16", "f16", bound)
    for variant in UNARY:
        if admits_unary(variant, HALF):
            yield case(variant, f"%z = arith.{variant} %x : {unary_result(variant, HALF)}", "f16")
    for variant in COMPARISONS:
        if variant != "lt":
            yield case(
                f"cmp.{variant}",
                f"%c = cmp.{variant} %x, %y : bool  %z = if %c -> (f16) {{ yield (%x) }} else {{ yield (%y) }}",
                "f16",
                decides="%x, %y",
            )
    for type_ in TYPES:
        if admits_cast(HALF, SCALAR_TYPES[type_]):
            decides = "%z, %w" if type_ in FLOATS else "%x, %y"
            also = f"  %w = cast %y : {type_}" if type_ in FLOATS else ""
            yield case(f"cast f16 → {type_}", f"%z = cast %x : {type_}{also}", type_, decides=decides)
        if type_ != "f16" and admits_cast(SCALAR_TYPES[type_], HALF):
            yield case(f"cast {type_} → f16", f"%k = cast %i : {type_}  %z = cast %k : f16", "f16")
    for variant in (*FUNCTIONS, *SINCE_04):
        bound = BOUNDS[variant if variant in BOUNDS else "native functions"]
        name = f"math.{variant}" if variant in FUNCTIONS else f"v04.math.{variant}"
        yield case(name, f"%z = {name} %x : f16", "f16", bound, decides="%x, %y")


def together_cases() -> Iterator[Case]:
    """Every operation of a sub-group; every atomic update, each of an element of its own."""
    a, b = (numbers[: 4 * LANES] for numbers in operands())
    head = """
      parallel {
        %group = builtin.subgroup_id : i32
        %local = builtin.subgroup_local_id : i32
        %size = builtin.subgroup_size : i32
        %start = arith.mul %group, %size : i32
        %item = arith.add %start, %local : i32
        %place = cast %item : index
        %zero = constant 0 : index
        %all = constant 256 : index
        %lanes = constant 64 : index
        for %part : index = %zero, %all, %lanes {
        %i = arith.add %place, %part : index
        %x = load %a[%i] : f16
        %y = load %b[%i] : f16"""
    texts = [
        (f"{name}.{variant}", f"%z = {name}.{variant} %x : f16")
        for name in ("subgroup_add", "subgroup_max", "subgroup_min")
        for variant in ("reduce", "inclusive_scan", "exclusive_scan")
    ]
    texts += [("subgroup_broadcast", "%lane = constant 3 : i32  %z = subgroup_broadcast %x, %lane : f16")]
    texts += [(f"atomic_{word}", f"%z = v04.atomic_{word}.device %y, %u[%i] : f16") for word in ("add", "min", "max")]
    for name, text in texts:
        bound = BOUNDS["sums" if "add" in name else "min, max"]
        decides = BRANCH.replace("%p", "%x" if "add" in name else "%z").replace("%q", "%y")
        parameters = {
            "a": ("memref<f16x256>", np.where(np.isfinite(a), a, 2) / 8192 if name.startswith("subgroup_add") else a),
            "b": ("memref<f16x256>", b),
            "u": ("memref<f16x256>", a[::-1].copy()),
            "r": ("memref<f16x256>", zeros("f16", 256)),
            "d": ("memref<f64x256>", zeros("f64", 256)),
        }
        parameters["a"] = (parameters["a"][0], parameters["a"][1].astype(np.float16))
        yield Case(name, parameters, f"{head}\n{text}\nstore %z, %r[%i]{decides}\n}}\n}}", bound)


def batches(cases: list[Case], attributes: str = "") -> list[Batch]:
    return [Batch("f16", cases[first : first + 6], 1, attributes) for first in range(0, len(cases), 6)]


SCALARS = batches(list(scalar_cases()))
TOGETHER = batches(list(together_cases()), "subgroup_size=16, work_group_size=[64,1]")


@pytest.mark.at_night
@each_way(SCALARS, STRATEGIES)
def test_scalar_instructions(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


@pytest.mark.at_night
@each_way(TOGETHER, ("many-items",))
def test_what_work_items_do_together(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


@pytest.mark.at_most(1)
@NEEDS_OPENCL
@pytest.mark.parametrize("way", [f"opencl {strategy}" for strategy in STRATEGIES])
def test_through_opencl(way: str) -> None:
    (compared,) = [each for each in scalar_cases() if each.name == "cmp.ge"]
    batch = Batch("f16", [compared])
    assert batch.differences(compared, way) == []


# What the driver makes of it.

OF_HALVES = re.compile(r"\bv?(?:cmp|comi|ucomi|min|max)\w*[ps]h\b")
"""Instructions of AVX512-FP16 that compare halves."""
KNOWN = re.compile(r"\b(?:vcvt\w*(?:ph2|2ph|sh2|2sh)\w*|v(?:add|sub|mul|div)[ps]h)\b")
"""Others, which say that the driver used AVX512-FP16 at all."""
PROGRAM = """
import json
import pytl
for text, strategy in json.loads(TEXTS):
    (kernel,) = pytl.compile(text).values()
    print(json.dumps(kernel.emit("numba_dpex", stage="asm", strategy=strategy, specialize="never")))
"""
CHECKED: list[list[tuple[str, str]]] = [[(batch.text, way) for batch in SCALARS] for way in STRATEGIES]
CHECKED += [[(batch.text, "many-items") for batch in TOGETHER]]
CHECKED += [[(file.read_text("utf-8"), way) for file in FILES if "halves" in file.stem for way in STRATEGIES]]


def rows() -> list[list[tuple[str, str]]]:
    """Every row of the forms of instructions that names f16."""
    of_halves = [row for row in all_rows() if re.search(r"(?<!b)f16", row.module_text)]
    texts = [
        Batch("rows", [case_of(row) for row in part], part[0].groups, part[0].attributes.strip("{}")).text
        for part in batches_of_rows(of_halves)
    ]
    return [
        [(text, way) for text in texts[first : first + 8]] for first in range(0, len(texts), 8) for way in STRATEGIES
    ]


@functools.cache
def has_half_arithmetic() -> bool:
    return "avx512_fp16" in bootstrap.processor()[1]


@pytest.mark.at_night
@pytest.mark.parametrize("texts", [*CHECKED, *at_night(rows())], ids=lambda texts: texts[0][1])
def test_no_halves_are_compared(texts: list[tuple[str, str]], record_property) -> None:
    record_property("executed with AVX512-FP16", has_half_arithmetic())
    if not has_half_arithmetic():
        print("this processor has no AVX512-FP16: the driver's code for it was read, and another was executed")
    done = clean_python(
        PROGRAM.replace("TEXTS", repr(json.dumps(texts))),
        PYTL_CACHE="0",
        CL_CONFIG_CPU_TARGET_ARCH="sapphirerapids",
    )
    assert done.returncode == 0, done.stderr
    printed = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(printed) == len(texts)
    for assembly in printed:
        assert not OF_HALVES.findall(assembly)
    assert any(map(KNOWN.search, printed))


def test_llvm_sees_no_halves_compared() -> None:
    """Whatever the driver is: comparisons and extremes are those of floats."""
    for case in scalar_cases():
        if case.name in ("cmp.le", "min"):
            llvm = Batch("f16", [case]).kernel.emit("numba_dpex", stage="llvm", strategy="many-items")
            assert "fcmp " in llvm and "half" in llvm
            assert not re.search(r"fcmp [\w ]*?<?(?:\d+ x )?half|@llvm\.(?:minnum|maxnum)\.(?:v\d+)?f16", llvm)


@pytest.mark.at_night
def test_products_are_left_as_they_are() -> None:
    """What is not compared costs nothing more: LLVM sees that it was a half."""
    text = "func @f(%a: memref<f16x64x64>, %b: memref<f16x64x64>, %c: memref<f16x64x64>) {\n"
    text += "%one = constant 1.0 : f16  %zero = constant 0.0 : f16  gemm.n.n %one, %a, %b, %zero, %c\n}"
    kernel = pytl.compile(text)["f"]
    for strategy in STRATEGIES:
        assert "wide." not in kernel.emit("numba_dpex", stage="llvm", strategy=strategy)
