"""Cooperative matrices: the SYCL backend, on real sub-groups and with one work-item for them, against the reference."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from differential.cases import (
    BOUNDS,
    NEEDS_SYCL,
    STRATEGIES,
    Batch,
    Case,
    batches,
    each_way,
    small,
    uneven,
    zeros,
)
from reference_kit import COMPLEX, FLOATS, INTEGERS
from sampling import at_night

import pytl

pytestmark = [NEEDS_SYCL, pytest.mark.at_most(4)]
TYPES = [*INTEGERS, *FLOATS, *COMPLEX]
CHECKED = ["", ".rows_checked", ".cols_checked", ".both_checked"]
FLAGS = ["", ".atomic", ".atomic_add"]
SUBGROUP = """
    %id = builtin.subgroup_id : i32
    %g = cast %id : index
    %z = constant 0 : index
    %one = constant 1 : index"""


def attributes(size: int, columns: int = 1) -> str:
    return f"subgroup_size={size}, work_group_size=[{size},{columns}]"


def matrix(type_: str, rows: int, columns: int, use: str = "matrix_acc") -> str:
    return f"coopmatrix<{type_}x{rows}x{columns},{use}>"


def memory(rng: np.random.Generator, type_: str, *shape: int, sizes: str = "") -> tuple[str, np.ndarray]:
    """A parameter: a memref, static unless its sizes are given, with small numbers."""
    return f"memref<{type_}{sizes or ''.join(f'x{n}' for n in shape)}>", small(rng, type_, *shape)


def check(batch: Batch, case: Case, way: str) -> None:
    """The same as on the reference backend, and executed in that way: nothing here tells work-items apart."""
    text = batch.kernel.ir("execution-strategy", strategy=way)
    assert f'"strategy"="{way}"' in text
    assert ('"cpu.matrix"="vectors"' in text) == (way == "one-item" and "cooperative_matrix" in text)
    assert batch.differences(case, way) == []


# Loads and stores: each sub-group has its own part of the memory.


Tile = tuple[str, int, int, str]
"""Component type, rows, columns and use of a matrix."""


def access_case(transpose: str, loaded: str, turned: str, stored: str, flag: str, tile: Tile, is_static: bool) -> Case:
    """A tile is loaded and stored where a part of it lies outside, in the modes that are checked."""
    rng = np.random.default_rng(1)
    type_, tile_rows, tile_columns, _ = tile

    def start(checked: str, flags: tuple[str, str], beyond: int, inside: int) -> int:
        return beyond if checked in flags else inside

    def part(tile_rows: int, tile_columns: int) -> tuple[str, tuple[str, np.ndarray]]:
        """The type of a sub-group's part of a parameter, and that parameter."""
        shape = (tile_rows + 2, tile_columns + 3)
        view = f"memref<{type_}x{shape[0]}x{shape[1]}>" if is_static else f"memref<{type_}x?x?,strided<1,?>>"
        return view, memory(rng, type_, *shape, 2, sizes="" if is_static else "x?x?x2")

    rows, columns = (".rows_checked", ".both_checked"), (".cols_checked", ".both_checked")
    first, second = (columns, rows) if transpose == "t" else (rows, columns)
    third, fourth = (columns, rows) if turned else (rows, columns)
    numbers = {
        "x": start(loaded, first, 3, 1),
        "y": start(loaded, second, -1, 1),
        "u": start(stored, third, -2, 2),
        "v": start(stored, fourth, 4, 3),
    }
    source, a = part(tile_columns, tile_rows) if transpose == "t" else part(tile_rows, tile_columns)
    target, c = part(tile_columns, tile_rows) if turned else part(tile_rows, tile_columns)
    parameters = {"a": a, "c": c, **{name: ("index", number) for name, number in numbers.items()}}
    body = f"""parallel {{{SUBGROUP}
    %pa = subview %a[:, :, %g] : {source}
    %pc = subview %c[:, :, %g] : {target}
    %m = cooperative_matrix_load.{transpose}{loaded} %pa[%x, %y] : {matrix(*tile)}
    {"v04." if turned else ""}cooperative_matrix_store{turned}{stored}{flag} %m, %pc[%u, %v]
    }}"""
    axes = (transpose + loaded, turned + stored, flag, *tile, is_static)
    return Case(f"load.{transpose}{loaded} store{turned}{stored}{flag} {matrix(*tile)}", parameters, body, axes=axes)


LOADS = list(itertools.product("nt", CHECKED))
STORES = list(itertools.product(("", "", ".t"), CHECKED, FLAGS))
SHAPES = [(5, 3), (1, 1), (9, 2), (3, 17), (16, 4), (1, 9), (33, 1)]
"""With fewer, as many, and more rows than a sub-group has work-items."""
USES = ["matrix_a", "matrix_b", "matrix_acc"]
ACCESSES = [
    access_case(
        *LOADS[(k + k // len(LOADS)) % len(LOADS)],
        *store,
        (TYPES[k % len(TYPES)], *SHAPES[k % len(SHAPES)], USES[k % len(USES)]),
        is_static=k // 2 % 2 == 0,
    )
    for k, store in enumerate(STORES)
]


@pytest.mark.at_most(1)
@each_way(
    [
        batch
        for turn, size in enumerate((4, 8))
        for batch in batches(f"of {size}", ACCESSES[turn::2], size=3, attributes=attributes(size, 2))
    ],
    STRATEGIES,
)
def test_access(batch: Batch, case: Case, way: str) -> None:
    check(batch, case, way)


BLOCKS = ["i8", "i64", "f16", "bf16", "f32", "f64"]


@pytest.mark.at_night
def test_blocks_are_transposed() -> None:
    """One work-item transposes a matrix in registers, from memory to memory."""
    parameters = [f"%a{t}: memref<{t}x40x33>, %r{t}: memref<{t}x16x32>" for t in BLOCKS]
    loads = [
        f"%m{t} = cooperative_matrix_load.t %a{t}[%two, %one] : {matrix(t, 16, 32)}\n"
        f"cooperative_matrix_store %m{t}, %r{t}[%z, %z]"
        for t in BLOCKS
    ]
    text = f"""func @f({", ".join(parameters)}) attributes{{{attributes(16)}}} {{
      parallel {{{SUBGROUP}
        %two = constant 2 : index
        {" ".join(loads)}
      }}
    }}"""
    kernel = pytl.compile(text)["f"]
    code = kernel.ir("vectorize")
    assert code.count("vector.code") == len(BLOCKS) and "vector.transpose" in code and "alloca" not in code
    rng = np.random.default_rng(9)
    arrays = [array for t in BLOCKS for array in (uneven(rng, t, 40, 33), zeros(t, 16, 32))]
    kernel[1](*arrays, backend="sycl")
    for a, r in zip(arrays[::2], arrays[1::2], strict=True):
        np.testing.assert_array_equal(r, a[2:34, 1:17].T)


@pytest.mark.at_night
@pytest.mark.parametrize("type_", ["i16", "bf16", "c64"])
def test_what_sub_groups_add_atomically_is_all_there(type_: str) -> None:
    """Also where a matrix has more or fewer rows than a sub-group has work-items."""
    text = f"""
    func @f(%a: memref<{type_}x9x2>, %r: memref<{type_}x9x2>) attributes{{{attributes(4, 8)}}} {{
      parallel {{{SUBGROUP}
        %m = cooperative_matrix_load.n %a[%z, %z] : {matrix(type_, 9, 2)}
        cooperative_matrix_store.atomic_add %m, %r[%z, %z]
      }}
    }}"""
    a, r = small(np.random.default_rng(8), type_, 9, 2), zeros(type_, 9, 2)
    for way in STRATEGIES:
        r[...] = 0
        pytl.compile(text)["f"][3, {"strategy": way}](a, r, backend="sycl")
        np.testing.assert_array_equal(r, 24 * a)


# Arithmetic and products in every type.


def arithmetic_case(type_: str) -> Case:
    """D := A B + C, scaled, added to, multiplied, negated; with small numbers, whose products are exact."""
    rng = np.random.default_rng(2)
    acc = matrix(type_, 6, 5)
    factor = 2 - 1j if type_ in COMPLEX else -2
    divided = type_ not in INTEGERS
    parameters = {
        "a": memory(rng, type_, 6, 7),
        "b": memory(rng, type_, 5, 7),
        "c": memory(rng, type_, 6, 5),
        "s": (type_, factor),
        "r": (f"memref<{type_}x6x5x5>", zeros(type_, 6, 5, 5)),
    }
    results = ["D", "E", "F", "G", "H"]
    three = "[2.0,0.0]" if type_ in COMPLEX else "2" if type_ in INTEGERS else "2.0"
    stores = "\n".join(
        f"    %c{k} = constant {k} : index\n    %r{k} = subview %r[:, :, %c{k}] : memref<{type_}x6x5>\n"
        f"    cooperative_matrix_store %{name}, %r{k}[%z, %z]"
        for k, name in enumerate(results)
    )
    body = f"""parallel {{{SUBGROUP}
    %A = cooperative_matrix_load.n %a[%z, %z] : {matrix(type_, 6, 7, "matrix_a")}
    %B = cooperative_matrix_load.t %b[%z, %z] : {matrix(type_, 7, 5, "matrix_b")}
    %C = cooperative_matrix_load.n %c[%z, %z] : {acc}
    %D = cooperative_matrix_mul_add %A, %B, %C : {acc}
    %E = cooperative_matrix_scale %s, %D : {acc}
    %t = arith.sub %E, %C : {acc}
    %F = arith.mul %t, %C : {acc}
    %u = constant {three} : {acc}
    %G = arith.{"div" if divided else "add"} %F, %u : {acc}
    %H = arith.neg %D : {acc}
{stores}
    }}"""
    # the sign of a zero depends on whether products are fused with sums
    return Case(type_, parameters, body, BOUNDS["min, max"])


@pytest.mark.at_night
@each_way(
    (
        batch
        for k, size in enumerate((4, 8, 16, 32))
        for batch in batches(
            f"of {size}", [arithmetic_case(t) for t in TYPES[k::4]], size=1, attributes=attributes(size)
        )
    ),
    STRATEGIES,
)
def test_arithmetic(batch: Batch, case: Case, way: str) -> None:
    check(batch, case, way)


MIXED = [
    ("i8", "i8", "i32", "i32"),
    ("i8", "i8", "f32", "f64"),
    ("f16", "f16", "f32", "f16"),
    ("bf16", "bf16", "f32", "bf16"),
    ("f16", "f16", "f16", "f32"),
    ("i8", "bf16", "f32", "i32"),
    ("f32", "c32", "c64", "c32"),
]


def mixed_case(a: str, b: str, c: str, d: str) -> Case:
    rng = np.random.default_rng(4)
    parameters = {
        "a": memory(rng, a, 9, 5),
        "b": memory(rng, b, 5, 3),
        "c": memory(rng, c, 9, 3),
        "d": (f"memref<{d}x9x3>", zeros(d, 9, 3)),
    }
    body = f"""parallel {{{SUBGROUP}
    %A = cooperative_matrix_load.n %a[%z, %z] : {matrix(a, 9, 5, "matrix_a")}
    %B = cooperative_matrix_load.n %b[%z, %z] : {matrix(b, 5, 3, "matrix_b")}
    %C = cooperative_matrix_load.n %c[%z, %z] : {matrix(c, 9, 3)}
    %D = cooperative_matrix_mul_add %A, %B, %C : {matrix(d, 9, 3)}
    %E = cast %D : {matrix(d, 9, 3)}
    cooperative_matrix_store %E, %d[%z, %z]
    }}"""
    return Case(" ".join((a, b, c, d)), parameters, body, BOUNDS["min, max"])


@pytest.mark.at_most(1)
@each_way(batches("of 4", [mixed_case(*types) for types in MIXED], size=2, attributes=attributes(4)), STRATEGIES)
def test_products_of_several_types(batch: Batch, case: Case, way: str) -> None:
    check(batch, case, way)


def rounding_case(type_: str) -> Case:
    """Numbers with all their digits; products of halves are summed in f32 and rounded once."""
    rng = np.random.default_rng(5)
    case = mixed_case(type_, type_, type_, type_)
    parameters = dict(case.parameters)
    for name in "abc":
        text, array = parameters[name]
        numbers = rng.uniform(-2, 2, array.shape) + (1j * rng.uniform(-2, 2, array.shape) if type_ in COMPLEX else 0)
        numbers = numbers.astype(np.float32) if type_ == "bf16" else numbers
        parameters[name] = (text, np.asfortranarray(numbers.astype(array.dtype)))
    return Case(type_, parameters, case.body, BOUNDS["sums"])


@pytest.mark.at_night
@each_way(
    batches("of 8", [rounding_case(t) for t in ("f16", "bf16", "f64")], size=2, attributes=attributes(8)), STRATEGIES
)
def test_rounding_of_products(batch: Batch, case: Case, way: str) -> None:
    check(batch, case, way)


# Control flow, and the order of what a sub-group does.

T = matrix("f32", 6, 6)
FLOW = {
    "loop": f"""
    %two = constant 2 : index
    %stop = arith.add %g, %two : index
    %A = cooperative_matrix_load.n %pa[%z, %z] : {T}
    %B = cooperative_matrix_load.t %pa[%z, %z] : {T}
    %R, %S = for %k = %z, %stop init(%x = %A, %y = %B) -> ({T}, {T}) {{
      %s = arith.add %x, %y : {T}
      yield (%y, %s)
    }}
    cooperative_matrix_store %R, %pr[%z, %z]""",
    "branch": f"""
    %rest = arith.rem %id, %itwo : i32
    %izero = constant 0 : i32
    %even = cmp.eq %rest, %izero : bool
    %A = cooperative_matrix_load.n %pa[%z, %z] : {T}
    %PA = cooperative_matrix_load.n %pa[%z, %z] : {matrix("f32", 6, 5, "matrix_a")}
    %PB = cooperative_matrix_load.n %pa[%one, %z] : {matrix("f32", 5, 6, "matrix_b")}
    %R = if %even -> ({T}) {{
      %B = cooperative_matrix_load.t %pa[%z, %z] : {T}
      %s = cooperative_matrix_mul_add %PA, %PB, %B : {T}
      yield (%s)
    }} else {{
      %c = constant 2.0 : {T}
      %s = arith.mul %A, %c : {T}
      if %even {{
      }} else {{
        cooperative_matrix_store.atomic_add %s, %pr[%z, %z]
      }}
      yield (%s)
    }}
    cooperative_matrix_store.atomic_add %R, %pr[%z, %z]""",
    "tiles": f"""
    %three = constant 3 : index
    %six = constant 6 : index
    for %i = %z, %six, %three {{
      for %j = %z, %six, %three {{
        %c0 = constant 0.0 : {matrix("f32", 3, 3)}
        %sum = for %k = %z, %six, %three init(%c = %c0) -> ({matrix("f32", 3, 3)}) {{
          %A = cooperative_matrix_load.n %pa[%i, %k] : {matrix("f32", 3, 3, "matrix_a")}
          %B = cooperative_matrix_load.t.both_checked %pa[%j, %k] : {matrix("f32", 3, 3, "matrix_b")}
          %d = cooperative_matrix_mul_add %A, %B, %c : {matrix("f32", 3, 3)}
          yield (%d)
        }}
        cooperative_matrix_store %sum, %pr[%i, %j]
      }}
    }}""",
    "in place": f"""
    %A = cooperative_matrix_load.t %pr[%z, %z] : {T}
    cooperative_matrix_store %A, %pr[%z, %z]
    %B = cooperative_matrix_load.n %pa[%z, %z] : {T}
    cooperative_matrix_store.atomic_add %B, %pr[%z, %z]
    %C = cooperative_matrix_load.t %pr[%z, %z] : {T}
    cooperative_matrix_store %C, %pr[%z, %z]""",
    "neighbours": f"""
    %four = constant 4 : index
    for %k = %z, %four {{
      %next = arith.add %k, %one : index
      %A = cooperative_matrix_load.n %pr[%k, %z] : {matrix("f32", 2, 6)}
      %B = cooperative_matrix_load.n %pa[%k, %z] : {matrix("f32", 2, 6)}
      %s = arith.add %A, %B : {matrix("f32", 2, 6)}
      cooperative_matrix_store %s, %pr[%next, %z]
    }}""",
}


def flow_case(name: str, body: str, subgroups: int) -> Case:
    rng = np.random.default_rng(6)
    parameters = {"a": memory(rng, "f32", 6, 6, subgroups), "r": memory(rng, "f32", 6, 6, subgroups)}
    text = f"""parallel {{{SUBGROUP}
    %itwo = constant 2 : i32
    %pa = subview %a[:, :, %g] : memref<f32x6x6>
    %pr = subview %r[:, :, %g] : memref<f32x6x6>{body}
    }}"""
    return Case(name, parameters, text, BOUNDS["min, max"])


@pytest.mark.at_most(1)
@each_way(
    (
        batch
        for size, subgroups in ((4, 3), (8, 2))
        for batch in batches(
            f"of {size}",
            [flow_case(*piece, subgroups) for piece in FLOW.items()],
            size=2,
            attributes=attributes(size, subgroups),
        )
    ),
    STRATEGIES,
)
def test_flow_and_order(batch: Batch, case: Case, way: str) -> None:
    check(batch, case, way)


def constant_case(type_: str) -> Case:
    """Matrices of a collective region have equal components; in a parallel region they are stored."""
    m = matrix(type_, 5, 2)
    number = "[3.0,-1.0]" if type_ in COMPLEX else "3"
    number = f"{number}.0" if type_ in FLOATS else number
    body = f"""
    %z = constant 0 : index
    %four = constant 4 : index
    %a = constant {number} : {m}
    %u, %v = for %k = %z, %four init(%x = %a, %y = %a) -> ({m}, {m}) {{
      %s = arith.add %x, %y : {m}
      yield (%y, %s)
    }}
    %w = if %p -> ({m}) {{
      %n = arith.neg %u : {m}
      yield (%n)
    }} else {{
      yield (%v)
    }}
    parallel {{
      cooperative_matrix_store %w, %r[%z, %z]
    }}"""
    return Case(type_, {"r": (f"memref<{type_}x5x2>", zeros(type_, 5, 2)), "p": ("bool", True)}, body)


@pytest.mark.at_night
@each_way(batches("constants", [constant_case(t) for t in ("i8", "bf16", "c64")], attributes=attributes(4)), STRATEGIES)
def test_matrices_of_collective_regions(batch: Batch, case: Case, way: str) -> None:
    check(batch, case, way)


@pytest.mark.at_night
@pytest.mark.parametrize("n", [20, *at_night([32, 48])])
def test_large_matrices_compile_as_small_ones(n: int) -> None:
    text = f"""
    func @f(%a: memref<f64x{n}x{n}>, %r: memref<f64x{n}x{n}>) attributes{{{attributes(16)}}} {{
      parallel {{{SUBGROUP}
        %A = cooperative_matrix_load.n %a[%z, %z] : {matrix("f64", n, n, "matrix_a")}
        %B = cooperative_matrix_load.t %a[%z, %z] : {matrix("f64", n, n, "matrix_b")}
        %C = cooperative_matrix_load.n %a[%z, %z] : {matrix("f64", n, n)}
        %D = cooperative_matrix_mul_add %A, %B, %C : {matrix("f64", n, n)}
        cooperative_matrix_store %D, %r[%z, %z]
      }}
    }}"""
    kernel = pytl.compile(text)["f"]
    a, r = small(np.random.default_rng(7), "f64", n, n), zeros("f64", n, n)
    for way in STRATEGIES:
        assert len(kernel.emit("numba_dpex", strategy=way).splitlines()) < 80
        r[...] = 0
        kernel[1, {"strategy": way}](a, r, backend="sycl")
        np.testing.assert_array_equal(r, a @ a.T + a)


def test_matrices_in_a_foreach_are_an_error() -> None:
    text = f"""func @f(%a: memref<f32x16x16>, %n: index) {{
  %z = constant 0 : index
  foreach (%i) = (%z), (%n) {{
    %A = cooperative_matrix_load.n %a[%z, %z] : {T}
    cooperative_matrix_store %A, %a[%z, %z]
  }}
}}"""
    with pytest.raises(pytl.PytlError) as caught:
        pytl.compile(text)["f"].emit("numba_dpex")
    (found,) = caught.value.diagnostics
    assert (found.code, found.location.line) == ("PYTL-3018", 4)
