"""The namespace `cpu`: it is printed, read and verified like the rest of the language, and nothing in it is dropped."""

from __future__ import annotations

import re

import pytest
from passes_kit import assert_printed_and_read, sycl_passes

import pytl
from pytl.ir.meanings import NoMeaning
from pytl.ir.text import parse_text
from pytl.ir.values import Module
from pytl.ir.verifier import find_problems
from pytl.ops import Axpby, Constant
from pytl.passes import Pipeline, find_pass
from pytl.passes.targets import cpu

PRODUCT = """func @f(%a: memref<f32x8x8>, %b: memref<f32x8x8>, %c: memref<f32x8x8>, %x: memref<f32x8>) {
  %one = constant 1.0 : f32
  %none = constant 0.0 : f32
  %0 = constant 0 : index
  %8 = constant 8 : index
  cpu.kernel {"accumulate"=[1,1], "lanes"=8, "vectors"=1, "columns"=4, unroll=1, "outer"="rows", "least_lanes"=2,
              "unroll_tiles"=2} {
    %t = cpu.registers : memref<f32x8x8,local>
    gemm.n.n %one, %a, %b, %none, %t
    gemm.n.n %one, %t, %b, %one, %c
    foreach (%i, %j) = (%0, %0), (%8, %8) {
      %v = load %c[%i, %j] : f32
      %w = arith.add %v, %one : f32
      store %w, %c[%i, %j]
    }
    cpu.prefetch %a {"line"=64, "level"=1, "per_tile"=2, "per_iteration"=[1,0]}
  }
}"""
ADDED = """func @f(%a: memref<f32x8x8>, %b: memref<f32x8x8>, %c: memref<f32x8x8>) {
  %one = constant 1.0 : f32
  %two = constant 2.0 : f32
  %none = constant 0.0 : f32
  cpu.kernel {"accumulate"=[2]} {
    gemm.n.n %one, %a, %b, %one, %c
    gemm.n.n %one, %b, %a, %one, %c
  }
}"""
POINTS = """func @f(%x: memref<f32x8>) {
  %one = constant 1.0 : f32
  %0 = constant 0 : index
  %8 = constant 8 : index
  cpu.kernel {"lanes"=8, "unroll_tiles"=2} {
    foreach (%i) = (%0), (%8) {
      store %one, %x[%i]
    }
  }
}"""
GEMV = """func @f(%a: memref<f32x8x8>, %x: memref<f32x8>, %y: memref<f32x8>) {
  %one = constant 1.0 : f32
  cpu.kernel {"lanes"=8, "vectors"=8, "accumulators"=8, "unroll_tiles"=2} {
    gemv.n %one, %a, %x, %one, %y
  }
}"""
ITEMS = """func @f(%x: memref<f32x8x?>, %p: bool) {
  %one = constant 1.0 : f32
  %n = constant 16 : index
  %begins = cpu.begins_at_line %x {"line"=64} : bool
  cpu.items {"items"=8, "past_caches"=true} %g, %h to %n {
    %v = subview %x[0:8, %g] : memref<f32x8>
    %w = subview %x[0:8, %h] : memref<f32x8>
    axpby.n %one, %v, %one, %w
  } prefetching if %p %g {
    %k = cpu.later {"distance"=2} %g, %n : index
    %v = subview %x[0:8, %k] : memref<f32x8>
    cpu.prefetch %v {"line"=64, "level"=1, "unrolled"=true}
  } remainder %g {
    %v = subview %x[0:8, %g] : memref<f32x8>
    axpby.n %one, %v, %one, %v
  }
}"""

TILES = """func @f(%a: memref<f32x8x8>, %b: memref<f32x8x8>, %c: memref<f32x8x8>) {
  %one = constant 1.0 : f32
  cpu.outer_products {"factors"="f32", "block"=[2,2], "steps"=4, "slices"=4, "unroll_slices"=12, "turned"=1} {
    gemm.n.t %one, %a, %b, %one, %c
  }
}"""

PREFETCH = 'cpu.prefetch %a {"line"=64, "level"=1, "per_tile"=2, "per_iteration"=[1,0]}'
PREFETCHED = 'cpu.prefetch %v {"line"=64, "level"=1, "unrolled"=true}'
MATRIX, WIDE = "memref<f32x8x8>", "memref<f32x8x?>"
FETCHING = f"""func @f(%a: {MATRIX}, %b: {MATRIX}, %c: {MATRIX}) {{
  %one = constant 1.0 : f32
  cpu.kernel {{"accumulate"=[1], "lanes"=8, "vectors"=1, "columns"=4, unroll=1, "outer"="rows", "least_lanes"=2,
              "unroll_tiles"=2}} {{
    gemm.n.n %one, %a, %b, %one, %c
    cpu.prefetch %a {{"line"=64, "level"=1, "per_tile"=2, "per_iteration"=[1]}}
  }}
}}"""
NEXT = FETCHING.replace(") {", f", %d: {MATRIX}) {{", 1).replace(
    "cpu.prefetch %a {", 'cpu.prefetch %a then %d {"onwards"=true, '
)
IN_BLOCKS = 'cpu.prefetch %y {"onwards"=true, "line"=64, "level"=1, "per_tile"=8, "per_iteration"=[4]}'
BLOCKS = f"""func @f(%x: memref<f32x16x16>, %y: memref<f32x16x16>, %s: memref<f32x16>) {{
  %none = constant 0 : index
  %end = constant 16 : index
  %zero = constant 0.0 : f32
  cpu.kernel {{"lanes"=8, "turned"=true, "unroll_tiles"=2}} {{
    foreach (%t) = (%none), (%end) {{
      %r = for %i = %none, %end init(%c=%zero) -> (f32) {{
        %e = load %x[%i, %t] : f32
        %u = arith.add %c, %e : f32
        yield (%u)
      }}
      store %r, %s[%t]
    }}
    {IN_BLOCKS}
  }}
}}"""
AXPBY = "    axpby.n %one, %x, %one, %x"


def problems(text: str) -> list[str]:
    """The codes of what is wrong with an internal text."""
    parsed = parse_text(text, internal=True)
    assert not parsed.diagnostics.errors, parsed.diagnostics.errors
    return [error.rule.code for error in find_problems(parsed.module).errors]


@pytest.mark.parametrize("text", [PRODUCT, ADDED, POINTS, GEMV, ITEMS, TILES, BLOCKS])
def test_it_is_read_printed_and_valid(text: str) -> None:
    module = parse_text(text, internal=True).module
    assert problems(text) == []
    assert_printed_and_read(module)
    for word in re.findall(r"cpu\.\w+(?: \{.*=.*\})?| prefetching if %p %g| remainder %g|%g, %h to %n", text):
        assert word in str(module)


@pytest.mark.parametrize("text", [PRODUCT, ADDED, POINTS, GEMV, ITEMS, TILES])
def test_a_user_s_text_has_none_of_it(text: str) -> None:
    with pytest.raises(pytl.LanguageError, match=r"PYTL-0002.*there is no instruction `cpu\."):
        pytl.parse(text)


# By code: a text of the above, what is exchanged in it, and by what.
REFUSED = {
    "PYTL-3006": {
        "prefetches where no loop goes by blocks": (BLOCKS, '"turned"=true, ', ""),
        "another instruction behind points": (BLOCKS, IN_BLOCKS, "axpby.n %zero, %x, %zero, %y"),
        "an axpby behind products": (PRODUCT, PREFETCH, "axpby.n %one, %x, %one, %x"),
        "a barrier": (PRODUCT, PREFETCH, "barrier.local"),
        "a kernel in a kernel": (POINTS, POINTS[POINTS.index("    foreach") : -4], 'cpu.kernel {"lanes"=8} { }'),
        "two instructions alone": (POINTS, "foreach", "axpby.n %one, %x, %one, %x foreach"),
        "an axpby without vector code": (POINTS, POINTS[POINTS.index("    foreach") : -4], AXPBY),
        "a prefetch in front of a product": (PRODUCT, "gemm.n.n %one, %t", f"{PREFETCH} gemm.n.n %one, %t"),
        "a foreach that is no epilogue": (PRODUCT, "store %w, %c[%i, %j]", "store %w, %a[%i, %j]"),
        "an atomic product": (PRODUCT, "gemm.n.n %one, %t", "gemm.n.n.atomic %one, %t"),
        "a right factor in registers": (PRODUCT, "%one, %t, %b", "%one, %a, %t"),
        "a transposed factor in registers": (PRODUCT, "gemm.n.n %one, %t", "gemm.t.n %one, %t"),
        "registers that nothing wrote": (PRODUCT, "gemm.n.n %one, %a, %b, %none, %t\n", ""),
    },
    "PYTL-3007": {
        "no vectors": (PRODUCT, '"vectors"=1', '"vectors"=0'),
        "seven lanes": (POINTS, '"lanes"=8', '"lanes"=7'),
        "no lanes": (POINTS, '{"lanes"=8, "unroll_tiles"=2} ', ""),
        "vectors of a foreach": (POINTS, '"lanes"=8', '"lanes"=8, "vectors"=2'),
        "a tile without columns": (PRODUCT, '"columns"=4, ', ""),
        "a lot of columns": (PRODUCT, '"columns"=4', '"columns"=5000'),
        "products that nothing says are summed": (PRODUCT, '"accumulate"=[1,1], ', ""),
        "a schedule without the order of loops": (PRODUCT, '"outer"="rows", ', ""),
        "a schedule without the least lanes": (PRODUCT, '"least_lanes"=2,', ""),
        "a schedule without unrolling": (PRODUCT, ',\n              "unroll_tiles"=2', ""),
        "a schedule without a tile": (PRODUCT, '"lanes"=8, "vectors"=1, "columns"=4, unroll=1, ', ""),
        "accumulators of products": (PRODUCT, '"lanes"=8', '"lanes"=8, "accumulators"=8'),
        "a loop over something else": (PRODUCT, '"outer"="rows"', '"outer"="depth"'),
        "columns first where rows depend on each other": (PRODUCT, '"outer"="rows"', '"outer"="columns"'),
        "three lanes at least": (PRODUCT, '"least_lanes"=2', '"least_lanes"=3'),
        "nothing unrolled": (POINTS, '"unroll_tiles"=2', '"unroll_tiles"=0'),
        "a sum of rows without accumulators": (GEMV, ', "accumulators"=8', ""),
        "a sum of rows by columns": (GEMV, '"vectors"=8', '"columns"=8'),
        "a sum of columns by vectors": (GEMV, "gemv.n", "gemv.t"),
    },
    "PYTL-3005": {
        "an odd number of instructions": (PRODUCT, '"lanes"=8', '"lanes"=8, "interleave"=2'),
        "no copies": (PRODUCT, '"lanes"=8', '"lanes"=8, "interleave"=0'),
    },
    "PYTL-0107": {
        "lanes that are no number": (POINTS, '"lanes"=8', '"lanes"=true'),
        "sums that are no list": (PRODUCT, "[1,1]", "2"),
        "sums of a truth value": (PRODUCT, "[1,1]", "[1,true]"),
        "an order that is no text": (PRODUCT, '"rows"', "1"),
        "a schedule that is no list": (PRODUCT, "[1,0]", "1"),
    },
    "PYTL-3071": {
        "a sum too few": (PRODUCT, "[1,1]", "[1]"),
        "an empty sum": (PRODUCT, "[1,1]", "[1,0,1]"),
        "products with different results": (PRODUCT, "[1,1]", "[2]"),
        "a product that overwrites": (ADDED, "%b, %a, %one", "%b, %a, %none"),
        "another factor": (ADDED, "gemm.n.n %one, %b", "gemm.n.n %two, %b"),
    },
    "PYTL-3072": {
        "the level of no cache": (PRODUCT, '"level"=1', '"level"=4'),
        "no level": (PRODUCT, '"level"=1, ', ""),
        "no line": (PRODUCT, '"line"=64, ', ""),
        "a line of no power of two": (PRODUCT, '"line"=64', '"line"=96'),
        "a line too short": (PRODUCT, '"line"=64', '"line"=8'),
        "no share of a tile": (PRODUCT, '"per_tile"=2, ', ""),
        "a share of nothing": (PRODUCT, '"per_tile"=2', '"per_tile"=0'),
        "more in an iteration than in all": (PRODUCT, "[1,0]", "[3,0]"),
        "both schedules": (PRODUCT, '"per_tile"=2', '"unrolled"=true, "per_tile"=2'),
        "the next vector where there are none": (ITEMS, '"unrolled"=true', '"unrolled"=true, "onwards"=true'),
    },
    "PYTL-3073": {
        "no schedule in a scheduled kernel": (PRODUCT, PREFETCH, "cpu.prefetch %a"),
        "the schedule of what is outside of kernels": (
            PRODUCT,
            '"per_tile"=2, "per_iteration"=[1,0]',
            '"unrolled"=true',
        ),
        "a kind of tile too few": (PRODUCT, "[1,0]", "[1]"),
        "a schedule before that of the loops": (
            PRODUCT,
            ', "outer"="rows", "least_lanes"=2,\n              "unroll_tiles"=2',
            "",
        ),
        "a loop by blocks too few": (BLOCKS, "[4]", "[]"),
        "a number of tiles that is not known": (FETCHING, f"%b: {MATRIX}, %c: {MATRIX}", f"%b: {WIDE}, %c: {WIDE}"),
    },
    "PYTL-3008": {
        "no items": (ITEMS, '"items"=8', '"items"=0'),
        "items without their number": (ITEMS, '"items"=8, ', ""),
        "no remainder": (ITEMS, ITEMS[ITEMS.index(" remainder") : -2], ""),
        "two of the remainder": (ITEMS, "remainder %g", "remainder %g, %k"),
        "no region past the caches": (ITEMS, ITEMS[ITEMS.index(" prefetching") : ITEMS.index(" remainder")], " "),
    },
    "PYTL-3129": {
        "a next one of another type": (NEXT, "%d: memref<f32x8x8>", "%d: memref<f32x8x9>"),
        "a next one that nothing comes to": (NEXT, '"onwards"=true, ', ""),
    },
    "PYTL-3130": {
        "the root of a short number": (
            ITEMS,
            "%n = constant",
            "%short = constant 4.0 : f16 %root = cpu.sqrt %short : f16 %n = constant",
        )
    },
    "PYTL-3127": {"a line of three bytes": (ITEMS, '{"line"=64} : bool', '{"line"=3} : bool')},
    "PYTL-3074": {
        "looking back": (ITEMS, '"distance"=2', '"distance"=0'),
        "looking nowhere": (ITEMS, '{"distance"=2} ', ""),
    },
    "PYTL-3075": {
        "more tiles than there are": (TILES, "[2,2]", "[2,4]"),
        "a block without rows": (TILES, "[2,2]", "[0,4]"),
        "no block": (TILES, '"block"=[2,2], ', ""),
        "no factors": (TILES, '"factors"="f32", ', ""),
        "no steps": (TILES, '"steps"=4', '"steps"=0'),
        "an atomic product": (TILES, "gemm.n.t", "gemm.n.t.atomic"),
        "no product": (TILES, "gemm.n.t %one, %a, %b, %one, %c", "axpby.n %one, %a, %one, %c"),
    },
    "PYTL-3009": {
        "what is later than nothing": (
            ITEMS,
            "  cpu.items",
            '  %l = cpu.later {"distance"=1} %n, %n : index cpu.items',
        ),
        "items in items": (ITEMS, PREFETCHED, 'cpu.items {"items"=2} %l { cpu.prefetch %v }'),
        "registers elsewhere": (PRODUCT, "  cpu.kernel", "  %r = cpu.registers : memref<f32x8,local> cpu.kernel"),
    },
}


@pytest.mark.parametrize(
    "code, text, old, new",
    [pytest.param(code, *change, id=what) for code, changes in REFUSED.items() for what, change in changes.items()],
)
def test_what_is_refused(code: str, text: str, old: str, new: str) -> None:
    assert old in text
    assert code in problems(text.replace(old, new, 1))


def kernel_of(text: str) -> tuple[Module, cpu.Kernel]:
    *passes, vectorize = sycl_passes(items=1)
    assert vectorize.name == "vectorize"
    module = Pipeline(passes).run(pytl.parse(text))
    (kernel,) = (op for op in module.functions[0].walk() if isinstance(op, cpu.Kernel))
    return module, kernel


@pytest.mark.parametrize(
    "instruction",
    [
        "gemm.n.n 1.0, %a, %b, 0.0, %c",
        "%0 = constant 0 : index %8 = constant 8 : index "
        "foreach (%i) = (%0), (%8) { %v = load %x[%i] : f32 store %v, %y[%i] }",
    ],
)
def test_vector_code_drops_nothing(instruction: str) -> None:
    tensors = ", ".join(f"%{name}: memref<f32x8x8>" for name in "abc")
    module, kernel = kernel_of(f"func @f({tensors}, %x: memref<f32x8>, %y: memref<f32x8>) {{ {instruction} }}")
    x, y = module.functions[0].parameters[3:]
    constant = Constant(None, [pytl.ir.types.f32], literal=1.0)
    module.functions[0].body.operations.insert(0, constant)
    one = constant.result
    kernel.body.operations.append(Axpby(kernel.location, transpose="n", alpha=one, A=x, beta=one, B=y))
    with pytest.raises(pytl.LanguageError, match="PYTL-3006"):
        pytl.verify(module)
    with pytest.raises(NoMeaning, match="axpby"):
        find_pass("vectorize").run(module.functions[0])


def test_the_command_line_reads_it_where_it_is_told_to(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    from pytl.tools.cli import main

    file = tmp_path / "points.tl"
    file.write_text(POINTS)
    assert main(["opt", str(file)]) == 1
    assert "there is no instruction `cpu.kernel`" in capsys.readouterr().err
    assert main(["opt", "--internal", "-p", "canonicalize", str(file)]) == 0
    assert 'cpu.kernel {"lanes"=8, "unroll_tiles"=2} {' in capsys.readouterr().out
