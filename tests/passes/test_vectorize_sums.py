"""vectorize: sums, gemv, cumsum and axpby of a transposed matrix as vector code."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from typing import Any

import numpy as np
import pytest
from differential.cases import KINDS, literal, small, strided
from passes_kit import assert_printed_and_read, cache_of, checked, costs_of, stage, sycl_passes, way_to
from properties.execution import differences, execute
from reference_kit import COMPLEX, INTEGERS
from sampling import sampled

from pytl.ir.meanings import NoMeaning
from pytl.passes import Pipeline, find_pass
from pytl.passes.targets import cpu, vector

pytestmark = pytest.mark.at_most(4)

# What the code is.


KERNELS = {
    "gemv_n": "gemv.n 1.0, %a, %x, 1.0, %y with a: memref<f64x6x3>, x: memref<f64x3>, y: memref<f64x6>",
    "gemv_n_of_any_size": "gemv.n 1.0, %a, %x, 0.0, %y with a: memref<f32x?x2>, x: memref<f32x2>, y: memref<f32x?>",
    "gemv_n_in_order": "gemv.n 2.0, %a, %x, 1.0, %y with a: memref<f64x500x3>, x: memref<f64x3>, y: memref<f64x500>",
    "gemv_t_in_order": "gemv.t 1.0, %a, %x, 0.0, %y with a: memref<f64x20x2>, x: memref<f64x20>, y: memref<f64x2>",
    "gemv_t_in_order_of_any_size": "gemv.t 1.0, %a, %x, 0.0, %y "
    "with a: memref<f64x?x2>, x: memref<f64x?>, y: memref<f64x2>",
    "gemv_t": "gemv.t 2.0, %a, %x, 0.0, %y with a: memref<f32x4x2>, x: memref<f32x4>, y: memref<f32x2>",
    "gemv_t_apart": "gemv.t 1.0, %a, %x, 1.0, %y "
    "with a: memref<f32x4x2>, x: memref<f32x4>, y: memref<f32x2,strided<3>>",
    "sum_of_any_size": "sum.n %s, %x, %s, %y with x: memref<f16x?>, y: memref<f16>, s: f16",
    "axpby_t_8x8": "axpby.t 1.0, %a, 0.0, %b with a: memref<f32x8x8>, b: memref<f32x8x8>",
    "axpby_t_5x7": "axpby.t 2.0, %a, 3.0, %b with a: memref<f64x5x7>, b: memref<f64x7x5>",
    "axpby_t_of_any_size": "axpby.t [0.0, 1.0], %a, [0.0, 0.0], %b with a: memref<c64x?x3>, b: memref<c64x3x?>",
    "cumsum": "cumsum 1.0, %a, 0, 0.0, %b with a: memref<f32x7x?>, b: memref<f32x7x?>",
}


def code_of(kernel: str) -> str:
    instruction, parameters = kernel.split(" with ")
    named = ", ".join(f"%{each}" for each in parameters.split(", "))
    shown = stage(f"func @f({named}) {{ {instruction} }}", "vectorize", 1, items=1)
    return shown[shown.index("vector.code") :] + "\n"


@pytest.mark.at_most(len(KERNELS))
@pytest.mark.parametrize("name", KERNELS)
def test_the_code_of_small_kernels(name, golden):
    with cache_of(0 if "in_order" in name else 1 << 20):
        golden(f"vectorize/{name}.txt", code_of(KERNELS[name]))


def test_what_is_known_of_a_size_leaves_no_remainder():
    text = "func @f(%a: memref<f32x?x?> {shape_gcd=[8,8]}, %b: memref<f32x?x?>) { axpby.t 1.0, %a, 0.0, %b }"

    def shown(divisors: str) -> str:
        return str(Pipeline(sycl_passes(items=1)).run(checked(text.replace("8,8", divisors))))

    assert "mask" not in shown("8,8")
    assert "mask" in shown("8,4")
    assert shown("16,8").count("vector.transpose") == 1


@pytest.mark.parametrize("first, second", [("axpby", "sum"), ("sum", "axpby"), ("axpby", "gemv"), ("gemv", "gemv")])
def test_a_kernel_of_several_instructions_is_refused(first, second):
    instructions = {"axpby": "axpby.t 1.0, %a, 1.0, %c", "sum": "sum.n 1.0, %x, 1.0, %z"}
    instructions["gemv"] = "gemv.n 1.0, %a, %x, 1.0, %y"
    text = f"""func @f(%a: memref<f32x8x8>, %c: memref<f32x8x8>, %x: memref<f32x8>, %y: memref<f32x8>,
        %z: memref<f32>) {{
      {instructions[first]}
      {instructions[second]}
    }}"""
    (function,) = Pipeline(way_to("cpu-schedule")).run(checked(text)).functions
    kernel, other = (op for op in function.walk() if isinstance(op, cpu.Kernel))
    kernel.body.operations += other.body.operations
    with pytest.raises(NoMeaning, match=second):
        find_pass("vectorize").run(function)


# That it does what the instruction does.

ELEMENTS = tuple(KINDS)
WIDER = {"i8": "f16", "i16": "i32", "i32": "f64", "f16": "f32", "bf16": "f32", "f32": "c64", "f64": "c64", "c32": "c64"}
SIZES = range(1, 21)
FACTORS = ("zero", "one", "other", "zero at run time", "one at run time", "other at run time")
FORMS = ("gemv.n", "gemv.t", "sum.n", "sum.t", "sum of a vector", "axpby.t", "cumsum", "cumsum of a vector")


@dataclass(frozen=True)
class Case:
    form: str
    element: str
    rows: int
    columns: int
    known: str
    """The sizes that are static: "rows", "columns", "both" or "none"."""
    alpha: str
    beta: str
    has_gaps: bool
    """Whether there are gaps between columns, and the elements of what need not be contiguous."""
    is_wider: bool
    """Whether the target has another element type, if there is one."""
    bytes: int
    """The width of a register."""
    cache: int
    """Bytes of a cache."""

    def __str__(self) -> str:
        return "-".join(map(str, astuple(self)))


def values_of(axis: str) -> tuple[Any, ...]:
    values = {
        "form": FORMS,
        "element": ELEMENTS,
        "rows": (*SIZES, 35, 141, 300),
        "columns": (1, 2, 3, 5, 7, 8, 11, 16, 20),
        "known": ("rows", "columns", "both", "none"),
        "alpha": FACTORS,
        "beta": FACTORS,
        "has_gaps": (False, True),
        "is_wider": (False, True),
        "bytes": (64, 32),
        "cache": (0, 1 << 20),
    }
    return values[axis]


def cases() -> Iterator[Case]:
    """Each value of an axis beside each of every other one, among others."""
    rng = np.random.default_rng(1)
    axes = [field.name for field in fields(Case)]
    for first, second in itertools.combinations(axes, 2):
        for pair in itertools.product(values_of(first), values_of(second)):
            drawn = {name: values_of(name)[rng.integers(len(values_of(name)))] for name in axes}
            yield Case(**(drawn | dict(zip((first, second), pair))))


class Program:
    """A case as a text, with its arguments."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.rng = np.random.default_rng(case.rows * 100 + case.columns)
        self.parameters: dict[str, str] = {}
        self.arguments: dict[str, Any] = {}
        target = WIDER.get(case.element, case.element) if case.is_wider else case.element
        word, _, vector = case.form.partition(" of ")
        is_transposed = word.endswith(".t")
        matrix = "m" if vector else "mn"
        self._tensor("a", case.element, matrix)
        factors = "%a, 0" if word == "cumsum" else "%a"
        if word.startswith("gemv"):
            factors = "%a, %x"
            self._tensor("x", case.element, "m" if is_transposed else "n", may_have_gaps=not is_transposed)
        if word in ("cumsum", "axpby.t"):
            self._tensor("y", target, matrix[::-1] if is_transposed else matrix)
        elif vector:
            word = "sum.n"
            self._tensor("y", target, "")
        else:
            self._tensor("y", target, "n" if is_transposed else "m", may_have_gaps=is_transposed)
        if case.beta.startswith("zero") and target not in INTEGERS:
            self.arguments["y"][...] = np.nan
        alpha, beta = self._factor("alpha", case.alpha, case.element), self._factor("beta", case.beta, target)
        parameters = ", ".join(f"%{name}: {type_}" for name, type_ in self.parameters.items())
        self.text = f"func @f({parameters}) {{\n{alpha}{beta}{word} %alpha, {factors}, %beta, %y\n}}"

    def _tensor(self, name: str, element: str, modes: str, may_have_gaps: bool = False) -> None:
        sizes = {"m": ("rows", self.case.rows), "n": ("columns", self.case.columns)}
        values = small(self.rng, element, *(sizes[mode][1] for mode in modes))
        extents = "".join(
            f"x{sizes[mode][1] if self.case.known in (sizes[mode][0], 'both') else '?'}" for mode in modes
        )
        layout = ""
        if self.case.has_gaps and modes:
            strides = [2 if may_have_gaps else 1, values.shape[0] + 3][: len(modes)]
            values = strided(values, strides)
            layout = f",strided<{','.join(map(str, strides))}>"
        self.parameters[name] = f"memref<{element}{extents}{layout}>"
        self.arguments[name] = values

    def _factor(self, name: str, factor: str, element: str) -> str:
        """The definition of a factor, which is nothing for a parameter."""
        word = factor.split()[0]
        value: Any = {"zero": 0, "one": 1, "other": -2 + 3j if element in COMPLEX else 3}[word]
        value = complex(value) if element in COMPLEX else value if element in INTEGERS else float(value)
        if factor == word:
            return f"%{name} = constant {literal(value, element)} : {element}\n"
        self.parameters[name] = element
        self.arguments[name] = value
        return ""


MACHINES = {64: "avx512", 32: "avx2"}


@pytest.mark.parametrize("case", sampled(cases(), astuple, str), ids=str)
def test_the_code_does_what_the_instruction_does(case):
    program = Program(case)
    before = checked(program.text)
    # a slice has one tile where caches hold nothing
    with cache_of(case.cache), costs_of("caches", first_level=case.cache or 1024):
        after = Pipeline(sycl_passes(processor=MACHINES[case.bytes], items=1)).run(before)
    assert_printed_and_read(after)
    (function,) = after.functions
    assert any(isinstance(op, vector.Code) for op in function.walk())
    assert not any(isinstance(op, cpu.Kernel) for op in function.walk())
    arguments = list(program.arguments.values())
    assert not differences(execute(after, arguments, 1), execute(before, arguments, 1))
