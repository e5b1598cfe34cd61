"""Products by few vectors as sums that read their matrix once, and in the order of memory."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from differential.cases import KINDS, literal, small
from passes_kit import assert_printed_and_read, cache_of, checked, costs_of, sycl_passes, text_after
from properties.execution import differences, execute
from sampling import sampled

from pytl.ops import Gemm, Gemv
from pytl.ops.launch_defaults import PAST_CACHES
from pytl.passes import Pipeline
from pytl.passes.targets import cpu


def product(form: str, rows: int, columns: int, depth: int, element: str = "f32", to: str = "", beta: int = 0) -> str:
    """A gemm of contiguous matrices."""
    _, a, b = form.split(".")
    to = to or element
    sizes = {"a": (rows, depth)[:: -1 if a == "t" else 1], "b": (depth, columns)[:: -1 if b == "t" else 1]}
    parameters = ", ".join(f"%{name}: memref<{element}x{m}x{n}>" for name, (m, n) in sizes.items())
    factors = literal(1, element), literal(beta, to)
    return f"""func @f({parameters}, %c: memref<{to}x{rows}x{columns}>) {{
      %alpha = constant {factors[0]} : {element}
      %beta = constant {factors[1]} : {to}
      {form} %alpha, %a, %b, %beta, %c
    }}"""


def words(text: str, processor: str = "avx512") -> list[str]:
    """The products of each kernel, for a processor."""
    passes = sycl_passes(processor=processor)
    count = [step.name for step in passes].index("cpu-kernels") + 1
    (function,) = Pipeline(passes[:count]).run(checked(text)).functions
    kernels = [op for op in function.walk() if isinstance(op, cpu.Kernel)]
    of_kernels = [[_word(inner) for inner in op.body.operations if isinstance(inner, (Gemm, Gemv))] for op in kernels]
    return [" ".join(each) for each in of_kernels if each]


def _word(op: Gemm | Gemv) -> str:
    return f"gemv.{op.transpose}" if isinstance(op, Gemv) else f"gemm.{op.transpose_a}.{op.transpose_b}"


@pytest.mark.parametrize(
    "form, rows, columns, depth, expected",
    [
        ("gemm.t.n", 16, 1, 16, "gemv.t"),
        ("gemm.t.n", 16, 2, 16, "gemv.t gemv.t"),
        ("gemm.t.n", 16, 3, 16, "gemm.n.n"),  # it is packed, as it is small
        ("gemm.t.n", 64, 4, 64, "gemv.t gemv.t gemv.t gemv.t"),
        ("gemm.t.n", 64, 5, 64, "gemm.n.n"),
        ("gemm.n.n", 32, 1, 64, "gemm.n.n"),
        ("gemm.n.n", 64, 1, 64, "gemv.n"),
        ("gemm.n.t", 64, 1, 64, "gemv.n"),
        ("gemm.n.n", 64, 2, 64, "gemm.n.n"),
        ("gemm.n.n", 1, 16, 16, "gemv.t"),
        ("gemm.t.n", 1, 16, 16, "gemv.t"),
        ("gemm.n.t", 1, 64, 64, "gemv.n"),
        ("gemm.n.t", 1, 16, 16, "gemm.n.t"),
    ],
)
def test_which_products_are_sums(form, rows, columns, depth, expected):
    assert words(product(form, rows, columns, depth)) == [expected]


def test_products_of_a_chain_and_of_pairs_stay_as_they_are():
    chain = """func @f(%a: memref<f32x64x64>, %b: memref<f32x64x1>, %c: memref<f32x64x1>) {
      %t = alloca : memref<f32x64x1,local>
      gemm.n.n 1.0, %a, %b, 0.0, %t
      gemm.n.n 1.0, %a, %t, 0.0, %c
    }"""
    assert words(chain) == ["gemm.n.n", "gemv.n"]
    pairs = product("gemm.t.n", 64, 2, 64, "i8", "i32")
    assert words(pairs, "avx512") == ["gemv.t gemv.t"]
    assert words(pairs, "zen4") == ["gemm.n.n"]


CASES = [
    (form, element, rows, columns, depth, beta, cache)
    for form in ("gemm.n.n", "gemm.n.t", "gemm.t.n", "gemm.t.t")
    for element in KINDS
    for rows, columns, depth in ((1, 5, 20), (7, 1, 33), (20, 2, 9), (33, 3, 70), (70, 4, 33), (150, 1, 6), (5, 2, 140))
    for beta in (0, 1, 3)
    for cache in (0, 1 << 20)
]


@pytest.mark.at_most(12)
@pytest.mark.parametrize("case", sampled(CASES, lambda case: case, str), ids=str)
def test_a_product_is_what_it_was(case):
    form, element, rows, columns, depth, beta, cache = case
    rng = np.random.default_rng(rows)
    before = checked(product(form, rows, columns, depth, element, beta=beta))
    with cache_of(cache), costs_of("caches", first_level=1024):
        after = Pipeline(sycl_passes(items=1)).run(before)
    assert_printed_and_read(after)
    arguments: list[Any] = [small(rng, element, *parameter.type.shape) for parameter in before.functions[0].parameters]
    assert not differences(execute(after, arguments, 1), execute(before, arguments, 1))


BATCH = """func @f(%as: memref<{t}x{m}x{k}x?>, %b: memref<{t}x{k}x{n}>, %cs: memref<{t}x{m}x{n}x?>,
        %alpha: {t}, %beta: {t}) {{
  %g = builtin.group_id : index
  %a = subview %as[0:{m}, 0:{k}, %g] : memref<{t}x{m}x{k}>
  %c = subview %cs[0:{m}, 0:{n}, %g] : memref<{t}x{m}x{n}>
  gemm.n.{b} %alpha, %a, %b, %beta, %c
}}"""


def batch(t: str, m: int, n: int, k: int, b: str = "n") -> str:
    text = BATCH.format(t=t, m=m, n=n, k=k, b=b)
    return text.replace(f"%b: memref<{t}x{k}x{n}>", f"%b: memref<{t}x{n}x{k}>") if b == "t" else text


def of_memory(text: str, processor: str = "zen4") -> dict[str, Any]:
    """The attributes of the product for data from memory."""
    shown = text_after("cpu-schedule", text, processor=processor)
    prefetching = shown.partition("prefetching if")[2].partition("remainder")[0]
    assert prefetching and '"in_order"' not in shown.replace(prefetching, "")
    (found,) = re.findall(r"cpu.kernel \{(.*)\} \{", prefetching)
    return dict(each.split("=") for each in re.sub(r"\[[^]]*\]", "0", found).replace('"', "").split(", "))


@pytest.mark.parametrize(
    "size, vectors, tiles",
    [
        (("f32", 64, 4, 64), "4", None),  # sums in registers
        (("f64", 64, 3, 64), "8", None),
        (("f64", 64, 4, 64), "8", None),  # those of two columns at a time
        (("f64", 300, 2, 300), "4", "19"),  # sums in the result
        (("f32", 512, 3, 512), "2", "16"),
    ],
)
def test_a_product_that_waits_for_memory_reads_it_in_order(size, vectors, tiles):
    found = of_memory(batch(*size))
    assert found["in_order"] == "true" and found["vectors"] == vectors and found.get("slice") == tiles


@pytest.mark.parametrize(
    "size",
    [
        ("f64", 64, 8, 64),  # it computes longer than it waits
        ("f64", 128, 4, 128),  # neither do registers have room, nor is it fast in the result
        ("f64", 700, 3, 500),  # the result does not stay in the first-level cache
        ("f16", 64, 2, 64),
    ],
)
def test_other_products_prefetch(size):
    found = of_memory(batch(*size))
    assert "in_order" not in found and "slice" not in found


def test_a_product_that_reads_in_order_is_not_stored_past_the_caches():
    def shown(columns: int) -> str:
        text = batch("f32", 64, columns, 64).replace("%beta, %c", "0.0, %c")
        return text_after("cpu-schedule", text, processor="zen4", **{PAST_CACHES: 1})

    assert '"past_caches"' not in shown(2) and '"in_order"' in shown(2)
    assert '"past_caches"' in shown(16) and '"in_order"' not in shown(16)


@pytest.mark.at_most(8)
@pytest.mark.parametrize(
    "case",
    sampled(
        [
            (t, m, n, k, b, beta)
            for t in ("f32", "f64")
            for m, n, k in ((16, 4, 9), (40, 3, 20), (33, 2, 7), (71, 4, 20), (127, 4, 6), (330, 2, 5), (500, 3, 3))
            for b in "nt"
            for beta in (0.0, 1.0, -2.0)
        ],
        lambda case: case,
        str,
    ),
    ids=str,
)
def test_a_product_in_order_is_what_it_was(case):
    *size, b, beta = case
    before = checked(batch(*size, b))
    with cache_of(0):
        after = Pipeline(sycl_passes(processor="zen4")).run(before)
    assert_printed_and_read(after)
    rng = np.random.default_rng(size[1])
    shapes = [
        [2 if not isinstance(n, int) else n for n in each.type.shape] for each in before.functions[0].parameters[:3]
    ]
    arguments: list[Any] = [*(small(rng, size[0], *shape) for shape in shapes), 3.0, beta]
    if beta == 0:
        arguments[2][...] = np.nan
    assert not differences(execute(after, arguments, 2), execute(before, arguments, 2))
