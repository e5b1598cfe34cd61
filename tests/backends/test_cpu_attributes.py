"""Vector code reads what passes decided: another attribute in the text gives other code, and a missing one none."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from launch_kit import needs_sycl

from pytl import passes
from pytl.ir.meanings import NoMeaning
from pytl.ir.values import Module

pytestmark = [needs_sycl, pytest.mark.at_most(4)]

PRODUCTS = """func @f(%a: memref<f32x72x20>, %b: memref<f32x20x11>, %c: memref<f32x72x11>, %d: memref<f32x64x64>) {
  %one = constant 1.0 : f32
  cpu.kernel {"accumulate"=[2], "lanes"=16, "vectors"=3, "columns"=4, unroll=2, "outer"="columns", "least_lanes"=2,
              "unroll_tiles"=2} {
    gemm.n.n %one, %a, %b, %one, %c
    gemm.n.n %one, %a, %b, %one, %c
    cpu.prefetch %d {"line"=64, "level"=1, "per_tile"=15, "per_iteration"=[0,2,0,0,2,0,0,0]}
  }
}"""
ALONE = PRODUCTS.partition("    cpu.prefetch")[0] + "  }\n}"
COLUMNS = """func @f(%a: memref<f32x72x20>, %x: memref<f32x20>, %y: memref<f32x72>) {
  %one = constant 1.0 : f32
  cpu.kernel {"lanes"=16, "columns"=8, "accumulators"=16, "unroll_tiles"=2} {
    gemv.t %one, %a, %y, %one, %x
  }
}"""
ROWS = """func @f(%a: memref<f32x72x20>, %x: memref<f32x20>, %y: memref<f32x72>) {
  %one = constant 1.0 : f32
  cpu.kernel {"lanes"=4, "vectors"=6, "accumulators"=8, "unroll_tiles"=2} {
    gemv.n %one, %a, %x, %one, %y
  }
}"""
VECTOR = """func @f(%x: memref<f32x200>, %y: memref<f32>) {
  %one = constant 1.0 : f32
  cpu.kernel {"lanes"=16, "accumulators"=8} {
    sum.n %one, %x, %one, %y
  }
}"""
TURNED = """func @f(%a: memref<f32x?x?>, %b: memref<f32x40x20>, %c: memref<f32x20x40>, %d: memref<f32x?x?>) {
  %one = constant 1.0 : f32
  cpu.kernel {"lanes"=8, "unroll_tiles"=2} {
    axpby.t %one, %b, %one, %c
  }
}"""
TURNED_DYNAMIC = TURNED.replace("%b, %one, %c", "%a, %one, %d")
POINTS = """func @f(%x: memref<f32x40>) {
  %one = constant 1.0 : f32
  %0 = constant 0 : index
  %40 = constant 40 : index
  cpu.kernel {"lanes"=16, "unroll_tiles"=2} {
    foreach (%i) = (%0), (%40) {
      store %one, %x[%i]
    }
  }
}"""
SCAN = """func @f(%x: memref<f32x40>, %y: memref<f32x40>) {
  %one = constant 1.0 : f32
  cpu.kernel {"lanes"=16} {
    cumsum %one, %x, 0, %one, %y
  }
}"""
CHANGES = {
    "accumulate": (PRODUCTS.replace('"outer"="columns"', '"outer"="rows"'), '"accumulate"=[2]', '"accumulate"=[1,1]'),
    "lanes": (ALONE, '"lanes"=16', '"lanes"=8'),
    "vectors": (PRODUCTS, '"vectors"=3', '"vectors"=2'),
    "columns": (PRODUCTS, '"columns"=4', '"columns"=3'),
    "unroll": (PRODUCTS, "unroll=2", "unroll=4"),
    "outer": (PRODUCTS, '"outer"="columns"', '"outer"="rows"'),
    "least_lanes": (PRODUCTS, '"least_lanes"=2', '"least_lanes"=16'),
    "unroll_tiles": (PRODUCTS, '"unroll_tiles"=2', '"unroll_tiles"=1'),
    "level of the cache": (PRODUCTS, '"level"=1', '"level"=2'),
    "share of a tile": (PRODUCTS, '"per_tile"=15', '"per_tile"=16'),
    "share of an iteration": (PRODUCTS, "[0,2", "[0,3"),
    "prefetches before a loop": (PRODUCTS, "[0,2", "[2,2"),
    "vectors of a sum of rows": (ROWS, '"vectors"=6', '"vectors"=3'),
    "accumulators of a sum of rows": (ROWS, '"accumulators"=8', '"accumulators"=18'),
    "unrolled tiles of a sum of rows": (ROWS, '"unroll_tiles"=2', '"unroll_tiles"=4'),
    "columns of a sum of columns": (COLUMNS, '"columns"=8', '"columns"=4'),
    "accumulators of a sum of columns": (COLUMNS, '"accumulators"=16', '"accumulators"=8'),
    "unrolled blocks of a sum of columns": (COLUMNS, '"unroll_tiles"=2', '"unroll_tiles"=1'),
    "accumulators of a sum": (VECTOR, '"accumulators"=8', '"accumulators"=4'),
    "lanes of a transposition": (TURNED, '"lanes"=8', '"lanes"=4'),
    "lanes of a transposition of any size": (TURNED_DYNAMIC, '"lanes"=8', '"lanes"=4'),
    "unrolled blocks of a transposition": (TURNED, '"unroll_tiles"=2', '"unroll_tiles"=5'),
    "lanes of points": (POINTS, '"lanes"=16', '"lanes"=8'),
    "unrolled vectors of points": (POINTS, '"unroll_tiles"=2', '"unroll_tiles"=1'),
    "lanes of a scan": (SCAN, '"lanes"=16', '"lanes"=8'),
}


def code_of(text: str) -> str:
    from vector_kit import internal, llvm_of, vector_kernels

    return llvm_of(vector_kernels(internal(text)))


@pytest.mark.at_most(1)
@pytest.mark.parametrize("text, old, new", [pytest.param(*change, id=what) for what, change in CHANGES.items()])
def test_another_attribute_gives_other_code(text: str, old: str, new: str) -> None:
    assert text.count(old) == 1
    assert code_of(text) == code_of(text)
    assert code_of(text) != code_of(text.replace(old, new))


@pytest.mark.parametrize(
    "text, schedule, name",
    [
        (PRODUCTS, ', "outer"="columns", "least_lanes"=2,\n              "unroll_tiles"=2', "unroll_tiles"),
        (PRODUCTS, ', "lanes"=16, "vectors"=3, "columns"=4, unroll=2', "lanes"),
        (ROWS, ', "vectors"=6, "accumulators"=8, "unroll_tiles"=2', "accumulators"),
        (VECTOR, ', "accumulators"=8', "accumulators"),
        (POINTS, ', "unroll_tiles"=2', "unroll_tiles"),
    ],
)
def test_what_no_pass_decided_has_no_code(text: str, schedule: str, name: str) -> None:
    from vector_kit import llvm_of, vector_kernels

    from pytl.ir.text import parse_text

    assert schedule in text
    (function,) = parse_text(text.replace(schedule, ""), internal=True).module.functions
    with pytest.raises(NoMeaning, match=rf"cpu\.kernel without the attribute {name}"):
        llvm_of(vector_kernels(function))


def test_a_prefetch_outside_of_kernels() -> None:
    from vector_kit import internal

    def code(attributes: str, type_: str = "f32x9x5,strided<1,20>") -> str:
        function = internal(f"func @f(%a: memref<{type_}>) {{ cpu.prefetch %a {attributes} }}")
        passes.Vectorize().run(function)
        return str(Module([function]))

    unrolled = code('{"line"=64, "level"=1, "unrolled"=true}')  # 89 elements are in 6 lines
    places = re.findall(r'prefetch %a\[%(\w+), %c0\] \{"level"=1\}', unrolled)
    assert places == ["c0", "c16", "c32", "c48", "c64", "c80"]
    looped = code('{"line"=64, "level"=2, "unrolled"=false}')
    assert "for %i = %c0, %c6 {" in looped and looped.count("vector.prefetch") == 1
    # elements that are apart: no line has more than 2 of them
    apart = code('{"line"=64, "level"=1, "unrolled"=true}', "f64x5,strided<4>")
    assert re.findall(r"prefetch %a\[%(\w+)\]", apart) == ["c0", "c2", "c4"]
    longer = code('{"line"=256, "level"=1, "unrolled"=true}')
    assert re.findall(r"prefetch %a\[%(\w+), %c0\]", longer) == ["c0", "c64"]
    with pytest.raises(NoMeaning, match=r"cpu\.prefetch without the attribute level"):
        code("")


def test_vector_code_has_no_constants_that_decide() -> None:
    from pytl.backends.numba_dpex import vector
    from pytl.passes import vectors

    found = []
    # modules of formulas alone, whose numbers are all coefficients and ends of ranges
    of_formulas = ("error_function", "inverse_trigonometry", "logarithms", "trigonometry", "wide_casts")
    files = [file for package in (vector, vectors) for file in sorted(Path(package.__file__).parent.glob("*.py"))]
    files = [file for file in files if file.stem not in of_formulas]
    for file in files:
        for statement in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(statement, ast.Assign) and any(map(_is_number, ast.walk(statement.value))):
                found.append(f"{file.stem}.{ast.unparse(statement.targets[0])}")
    # types; a single lane; of tiles and panels, an alignment, how much is packed, and which parts of complex numbers
    # are where; how much is told of a loop; and a function's numbers
    of_panels = [f"panels.{name}" for name in ("ALIGNMENT", "_REAL", "_COLUMNS", "_ROWS")]
    of_tiles = [f"amx.{name}" for name in ("ALIGNMENT", "LANES", "MAX_PACKED")]
    of_exp = [f"exponentials.{name}" for name in ("(LOG2_E, LN2)", "POWERS", "NARROW_POWERS", "_FORMS")]
    names = ("_MANTISSA", "_ROOT_OF_TWO", "_WHOLE", "(_LEAST, _UP)")
    of_bits = [f"mantissas.{name}" for name in names]
    assert found == [
        "emit.I1",
        "tiles.I8",
        "access.ONE",
        *of_tiles,
        *of_exp,
        "inner_loops._OF_LOOP",
        *of_bits,
        *of_panels,
        "points._LARGEST_F32",
        "product_errors._SPLITTER",
    ]


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float))
