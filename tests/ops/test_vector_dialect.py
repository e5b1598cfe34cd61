"""The namespace `vector` is printed, read and verified like the rest of the language, and the oracle executes it."""

from __future__ import annotations

import re

import numpy as np
import pytest
from passes_kit import assert_printed_and_read

import pytl
from pytl.backends.reference import MemrefView, execute
from pytl.ir.registry import all_instructions
from pytl.ir.text import parse_text
from pytl.ir.verifier import find_problems
from pytl.passes.targets import vector

pytestmark = pytest.mark.at_most(4)

ALL = """func @f(%a: memref<f32x16x?>, %b: memref<f32x16>, %z: memref<c32x8>, %short: memref<i16x8x8>, %n: index,
        %p: bool) {
  vector.code {
    %c0 = constant 0 : index
    %c1 = constant 1 : index
    %x = load %b[%c0] : f32
    %zero = vector.splat %x : vector<4xf32>
    %m = vector.mask %n : vector<4xbool>
    %s = vector.step %c0 : vector<4xindex>
    %l = vector.load %a[%c0, %c1] mask %m : vector<4xf32>
    %t = vector.load %a[%c0, %c0] {"mode"=1} mask %m : vector<4xf32>
    %between = vector.load %b[%c0] {"used"=[0,2]} : vector<4xf32>
    %g = vector.gather %a[%s, %c0] mask %m : vector<4xf32>
    %r = for %k = %c0, %n init(%v=%zero) -> (vector<4xf32>) {
      %w = vector.fma %l, %t, %v : vector<4xf32>
      %u = vector.fma_lane %l, %t[3], %w : vector<4xf32>
      yield (%u)
    }
    %h = if %p -> (vector<4xf32>) {
      yield (%r)
    } else {
      yield (%g)
    }
    %d = vector.arith.div %h, %l : vector<4xf32>
    %e = vector.arith.neg %d : vector<4xf32>
    %f0 = vector.math.exp %e : vector<4xf32>
    %f = vector.scale_by_power %f0, %d : vector<4xf32>
    %i = vector.cast %f : vector<4xi32>
    %pairs = vector.dot %i, %i, %i : vector<4xi32>
    %more = vector.dot_loaded %i, %short[%c0, %c1], %pairs : vector<4xi32>
    %nothing = vector.hidden_zero : index
    %j = vector.cmp.lt %i, %i : vector<4xbool>
    %k = vector.select %j, %e, %f : vector<4xf32>
    %q = vector.shuffle %k, %e {"lanes"=[7,0]} : vector<2xf32>
    %u, %v = vector.transpose %q, %q : (vector<2xf32>, vector<2xf32>)
    %y = vector.reduce.add %u : f32
    %any = vector.reduce.or %j : bool
    %o = vector.extract %v[1] : f32
    %both = vector.from_elements %y, %o : vector<2xf32>
    %complex = vector.load %z[%c0] : vector<2xc32>
    %parts = vector.parts %complex : vector<4xf32>
    %again = vector.parts %parts : vector<2xc32>
    vector.store %again, %z[%c1]
    vector.store %parts, %z[%c0]
    vector.store %both, %b[%c0] {"non_temporal"=8}
    vector.store %k, %b[%c0] mask %m
    vector.scatter %k, %a[%s, %c0] mask %m
    vector.prefetch %a[%c0, %n] {"level"=2}
    %behind = vector.to_line %a[%c0, %n] {"line"=64} : index
  } {"outlined"=true}
}"""
SCALABLE = """func @f(%a: memref<f32x64>, %n: index) {
  vector.code {
    %c0 = constant 0 : index
    %m = vector.mask %n : vector<[4]xbool>
    %l = vector.load %a[%c0] mask %m : vector<[4]xf32>
    %s = vector.arith.add %l, %l : vector<[4]xf32>
    vector.store %s, %a[%c0] mask %m
  }
}"""
TILES = """func @f(%a: memref<f32x64x64>, %h: memref<bf16x64x64>, %c: memref<i8x64x64>, %n: index, %p: bool) {
  vector.code {
    %c0 = constant 0 : index
    %s = vector.scale : index
    %m = vector.mask %n : vector<[4]xbool>
    %w = vector.mask %n : vector<[8]xbool>
    %zero = vector.tile_zero : vector.tile<[4]x[4]xf32>
    %any = vector.tile_undefined : vector.tile<[4]x[4]xf32>
    %r = for %k = %c0, %s init(%t=%zero) -> (vector.tile<[4]x[4]xf32>) {
      %l = vector.load %a[%c0, %k] mask %w : vector<[8]xf32>
      %x = vector.part %l[0] : vector<[4]xf32>
      %y = vector.part %l[4] : vector<[4]xf32>
      %u = vector.tile_outer %x, %y, %t mask %m, %m : vector.tile<[4]x[4]xf32>
      yield (%u)
    }
    %q = if %p -> (vector.tile<[4]x[4]xf32>) {
      yield (%r)
    } else {
      yield (%any)
    }
    %i = vector.load %h[%c0, %c0] mask %m : vector<[4]xbf16>
    %j = vector.interleave %i, %i : vector<[8]xbf16>
    %v = vector.tile_outer %j, %j, %q : vector.tile<[4]x[4]xf32>
    %b = vector.bitcast %j : vector<[4]xf32>
    %d = vector.tile_insert.row %b, %v[%c0] : vector.tile<[4]x[4]xf32>
    %e = vector.tile_extract.column %d[%c0] : vector<[4]xf32>
    vector.store %e, %a[%c0, %c0] mask %m
    %f = vector.slice_load.column %a[%c0, %n] {"mode"=1} mask %m, %d[%c0] : vector.tile<[4]x[4]xf32>
    vector.slice_store.row %f[%c0], %a[%c0, %n] mask %m
    %bytes = vector.tile_load %c[%c0, %c0] : vector.tile<16x64xi8>
    %sums = vector.tile_zero : vector.tile<16x16xi32>
    %groups = vector.tile_load %c[%c0, %c0] : vector.tile<16x64xi8>
    %g = vector.tile_product %bytes, %groups, %sums : vector.tile<16x16xi32>
    %heap = vector.buffer(%n) {"alignment"=64} : memref<f32x8x?,local>
    vector.release %heap
    %four = vector.load %a[%c0, %c0] : vector<[16]xf32>
    %segment = vector.load_segment %a[%n, %c0] : vector<[4]xf32>
    %rows = vector.tile_from_rows %four : vector.tile<4x[4]xf32>
    %more = vector.tile_fma %four, %segment, %rows : vector.tile<4x[4]xf32>
    %last = vector.tile_fma_lane %four, %segment[1], %more : vector.tile<4x[4]xf32>
    %total = vector.tile_add %four, %last : vector.tile<4x[4]xf32>
    %all = vector.tile_rows %total : vector<[16]xf32>
    vector.store %all, %a[%c0, %c0]
    %t1 = vector.tile_undefined {"register"=1} : vector.tile<[4]x[4]xf32>
    %t2 = vector.slices_load.row %a[%c0, %n] {"mode"=1}, %t1[%c0 + 4] : vector.tile<[4]x[4]xf32>
    vector.slices_store.column %t2[%c0 + 4], %a[%c0, %n]
    %line = vector.extract_line(%v, %t1, %t2, %d)[%c0] : vector<[16]xf32>
    %i4 = vector.bitcast %j : vector<[4]xf32>
    %j1, %j2, %j3, %j4 = vector.insert_line %line, (%v, %t1, %t2, %d)[%c0] : (
      vector.tile<[4]x[4]xf32>, vector.tile<[4]x[4]xf32>, vector.tile<[4]x[4]xf32>, vector.tile<[4]x[4]xf32>)
    %joined = vector.join %i4, %b, %i4, %b : vector<[16]xf32>
    %fixed = vector.tile_load %a[%c0, %c0] {"rows"=1} : vector.tile<8x8xf32>
    vector.tile_store %fixed, %a[%n, %c0]
  }
}"""


WORK_ITEMS = """func @f(%a: memref<f32x16>) attributes{subgroup_size=16} {
  parallel {
    vector.work_items {
      %i = builtin.subgroup_local_id : i32
      %n = cast %i : index
      %x = load %a[%n] : f32
      %y = subgroup_broadcast %x, 3 : f32
      %v = vector.exchange %x, 1 : f32
      %z = vector.fma %v, %y, %x : f32
      %h = cast %x : f16
      %s, %t = vector.matrix_fma(%h, %h, %h, %h, %h, %h, %h, %h, %h, %h, %h, %h, %h, %h, %h, %h),
        (%h, %h), (%x, %z) : (f32, f32)
      store %z, %a[%n]
    } {"columns"=1, "rows"=1, unroll=1}
  }
  vector.subgroup_barrier
  vector.fence
  vector.side_by_side {"items"=2} %first, %count {
    parallel {
      vector.work_items {
        %l = builtin.subgroup_local_id : i32
        %k = cast %l : index
        %w = arith.add %first, %k : index
        %u = arith.min %w, %count : index
        %y2 = load %a[%u] : f32
        store %y2, %a[%u]
      } {"columns"=1, "rows"=1, unroll=1}
    }
  }
}"""


def problems(text: str) -> list[str]:
    parsed = parse_text(text, internal=True)
    if parsed.diagnostics.errors:
        return [error.rule.code for error in parsed.diagnostics.errors]
    return [error.rule.code for error in find_problems(parsed.module).errors]


@pytest.mark.parametrize("text", [ALL, SCALABLE, TILES, WORK_ITEMS])
def test_it_is_read_printed_and_valid(text: str) -> None:
    assert problems(text) == []
    module = parse_text(text, internal=True).module
    assert_printed_and_read(module)
    assert re.findall(r"vector\.\w+", text) == re.findall(r"vector\.\w+", str(module))


def test_every_instruction_is_in_the_text() -> None:
    words = {cls.mnemonic for cls in all_instructions("vector")}
    assert words == set(re.findall(r"\bvector\.\w+", ALL + TILES + WORK_ITEMS)) - {"vector.tile"}


def test_a_user_s_text_has_none_of_it() -> None:
    with pytest.raises(pytl.LanguageError, match=r"PYTL-0002.*there is no instruction `vector\."):
        pytl.parse(ALL)
    with pytest.raises(pytl.LanguageError, match="expected a type"):
        pytl.parse("func @f(%x: vector<4xf32>) { }")


REFUSED = {
    "PYTL-3100": {"a barrier": ("vector.prefetch", "barrier.local vector.prefetch")},
    "PYTL-3101": {
        "a mask of other lanes": (
            "%k = vector.select %j",
            "%m2 = vector.mask %n : vector<2xbool> %k = vector.select %m2",
        ),
        "a cast of other lanes": ("vector.cast %f : vector<4xi32>", "vector.cast %f : vector<2xi32>"),
    },
    "PYTL-3102": {
        "another result": ("vector.arith.div %h, %l : vector<4xf32>", "vector.arith.div %h, %l : vector<4xf64>"),
        "another summand": ("vector.fma %l, %t, %v", "vector.fma %l, %t, %s"),
    },
    "PYTL-3103": {
        "bits of floats": ("vector.arith.div", "vector.arith.xor"),
        "an integer's exponential": ("vector.math.exp %e : vector<4xf32>", "vector.math.exp %s : vector<4xindex>"),
        "another number in all lanes": ("vector.splat %x : vector<4xf32>", "vector.splat %x : vector<4xf64>"),
        "elements too few": ("%y, %o : vector<2xf32>", "%y, %o : vector<3xf32>"),
        "pairs of another type": ("%short: memref<i16x8x8>", "%short: memref<bf16x8x8>"),
        "pairs across columns": ("%short: memref<i16x8x8>", "%short: memref<i16x8x8,strided<2,16>>"),
        "a gather of one element": ("vector.gather %a[%s, %c0]", "vector.gather %a[%c0, %c0]"),
    },
    "PYTL-3104": {
        "another element": ("%c1] mask %m : vector<4xf32>", "%c1] mask %m : vector<4xf64>"),
        "a mode that is not there": ('{"mode"=1}', '{"mode"=2}'),
        "an index too few": ("vector.load %a[%c0, %c1]", "vector.load %a[%c0]"),
        "parts by a scatter": ("vector.scatter %k, %a[%s, %c0]", "vector.scatter %k, %z[%s]"),
    },
    "PYTL-3128": {"a used lane behind the last": ("[0,2]", "[0,4]")},
    "PYTL-3105": {"a lane behind the last": ("%v[1]", "%v[2]")},
    "PYTL-3106": {
        "a lane too many": ("[7,0]", "[8,0]"),
        "lanes too few": ("[7,0]", "[7]"),
    },
    "PYTL-3107": {"a vector too few": ("vector.transpose %q, %q", "vector.transpose %q, %q, %q")},
    "PYTL-3108": {"parts of reals": ("vector.parts %complex", "vector.parts %k")},
    "PYTL-3109": {"the level of no cache": ('{"level"=2}', '{"level"=4}')},
    "PYTL-3110": {
        "vectors that are no groups": ("vector.tile_outer %j, %j", "vector.tile_outer %i, %i"),
        "vectors of another type": ("vector.tile_outer %x, %y", "vector.tile_outer %l, %l"),
        "a mask of other lanes": ("%t mask %m, %m", "%t mask %m, %w"),
    },
    "PYTL-3111": {
        "a factor without groups": (
            "%groups = vector.tile_load %c[%c0, %c0] : vector.tile<16x64xi8>",
            "%groups = vector.tile_load %c[%c0, %c0] : vector.tile<64x16xi8>",
        ),
        "sums that are floats": ("%bytes, %groups, %sums", "%bytes, %groups, %q"),
        "tiles of any length": ("vector.tile_product %bytes, %groups, %sums", "vector.tile_product %q, %q, %q"),
    },
    "PYTL-3112": {
        "rows along columns": ('{"rows"=1}', '{"rows"=0}'),
        "another element": ("vector.tile<8x8xf32>", "vector.tile<8x8xf64>"),
        "an index too few": ("vector.tile_store %fixed, %a[%n, %c0]", "vector.tile_store %fixed, %a[%n]"),
    },
    "PYTL-3113": {
        "a vector that is too long": ("vector.tile_insert.row %b", "vector.tile_insert.row %j"),
        "another tile": ("%b, %v[%c0] : vector.tile<[4]", "%b, %v[%c0] : vector.tile<[8]"),
        "a mask of other lanes": ("%n] mask %m\n", "%n] mask %w\n"),
    },
    "PYTL-3114": {
        "a part that begins anywhere": ("%l[4]", "%l[2]"),
        "a part behind the end": ("%l[4]", "%l[8]"),
    },
    "PYTL-3127": {"a line of three bytes": ('{"line"=64}', '{"line"=3}')},
    "PYTL-3118": {"a lane behind the segment's last": ("%t[3]", "%t[4]")},
    "PYTL-3117": {
        "a size too few": ("vector.buffer(%n)", "vector.buffer()"),
        "global memory": ("memref<f32x8x?,local>", "memref<f32x8x?>"),
    },
    "PYTL-3115": {"as many lanes": ("%i, %i : vector<[8]xbf16>", "%i, %i : vector<[4]xbf16>")},
    "PYTL-3121": {
        "a tile of any number of rows": ("%four : vector.tile<4x[4]xf32>", "%four : vector.tile<[4]x[4]xf32>"),
        "a lane that is none": ("%segment[1]", "%segment[4]"),
        "a vector of one row": ("vector.tile_add %four", "vector.tile_add %segment"),
    },
    "PYTL-3122": {
        "a segment of another length": ("%a[%n, %c0] : vector<[4]xf32>", "%a[%n, %c0] : vector<[8]xf32>"),
        "an index too few": ("vector.load_segment %a[%n, %c0]", "vector.load_segment %a[%n]"),
    },
    "PYTL-3123": {
        "three slices": ("%t1[%c0 + 4]", "%t1[%c0 + 3]"),
        "an index too few": ("vector.slices_load.row %a[%c0, %n]", "vector.slices_load.row %a[%c0]"),
    },
    "PYTL-3124": {"three tiles": ("(%v, %t1, %t2, %d)[%c0] : vector<", "(%v, %t1, %t2)[%c0] : vector<")},
    "PYTL-3125": {"vectors of two types": ("vector.join %i4, %b, %i4, %b", "vector.join %i4, %b, %i4, %j")},
    "PYTL-3126": {
        "a mask": (
            'vector.store %both, %b[%c0] {"non_temporal"=8}',
            "%less = vector.cmp.lt %both, %both : vector<2xbool> "
            'vector.store %both, %b[%c0] {"non_temporal"=8} mask %less',
        ),
        "lanes along columns": ("vector.store %both, %b[%c0] {", 'vector.store %both, %a[%c0, %c0] {"mode"=1, '),
    },
    "PYTL-3116": {"fewer bits": ("vector.bitcast %j : vector<[4]xf32>", "vector.bitcast %j : vector<[2]xf32>")},
}


@pytest.mark.parametrize(
    "code, old, new",
    [pytest.param(code, *change, id=what) for code, changes in REFUSED.items() for what, change in changes.items()],
)
def test_what_is_refused(code: str, old: str, new: str) -> None:
    text = ALL if old in ALL else TILES
    assert old in text
    assert code in problems(text.replace(old, new, 1))


# What the oracle computes.


def executed(body: str, parameters: str, *arrays: np.ndarray, scale: int = 2) -> None:
    text = f"func @f({parameters}) {{ vector.code {{ %c0 = constant 0 : index %c3 = constant 3 : index {body} }} }}"
    assert problems(text) == []
    (function,) = parse_text(text, internal=True).module.functions
    views = [
        MemrefView(a.reshape(-1, order="F"), 0, a.shape, tuple(s // a.itemsize for s in a.strides)) for a in arrays
    ]
    execute(function, views, 1, vector_scale=scale)


def test_inactive_lanes_are_zero_and_their_memory_keeps_its_value() -> None:
    a, b = np.arange(3, dtype=np.float32), np.full(8, 7, np.float32)
    body = """%m = vector.mask %c3 : vector<8xbool> %v = vector.load %a[%c0] mask %m : vector<8xf32>
    vector.store %v, %b[%c0]"""
    executed(body, "%a: memref<f32x3>, %b: memref<f32x8>", a, b)
    assert np.array_equal(b, [0, 1, 2, 0, 0, 0, 0, 0])
    c = np.full(8, 7, np.float32)
    executed(body.replace("%b[%c0]", "%b[%c0] mask %m"), "%a: memref<f32x3>, %b: memref<f32x8>", a, c)
    assert np.array_equal(c, [0, 1, 2, 7, 7, 7, 7, 7])


@pytest.mark.parametrize("element, lanes", [("f32", 8), ("f64", 4)])
def test_each_segment_has_a_lane_that_multiplies(element: str, lanes: int) -> None:
    dtype = np.dtype({"f32": np.float32, "f64": np.float64}[element])
    a, b, c = np.arange(1, lanes + 1, dtype=dtype), np.arange(10, 10 + lanes, dtype=dtype), np.ones(lanes, dtype)
    body = f"""%v = vector.load %a[%c0] : vector<{lanes}x{element}> %w = vector.load %b[%c0] : vector<{lanes}x{element}>
    %x = vector.load %c[%c0] : vector<{lanes}x{element}>
    %y = vector.fma_lane %v, %w[1], %x : vector<{lanes}x{element}> vector.store %y, %c[%c0]"""
    expected = a * np.repeat(b.reshape(2, -1)[:, 1], lanes // 2) + 1
    executed(body, ", ".join(f"%{name}: memref<{element}x{lanes}>" for name in "abc"), a, b, c)
    assert np.array_equal(c, expected)


def test_an_active_lane_out_of_bounds_is_an_error() -> None:
    a, b = np.zeros(3, np.float32), np.zeros(8, np.float32)
    body = "%v = vector.load %a[%c0] : vector<8xf32> vector.store %v, %b[%c0]"
    with pytest.raises(pytl.ExecutionError, match="%c0 = 3 is out of bounds"):
        executed(body, "%a: memref<f32x3>, %b: memref<f32x8>", a, b)


def test_lanes_along_another_mode() -> None:
    a, b = np.asfortranarray(np.arange(20, dtype=np.int32).reshape(4, 5)), np.zeros(4, np.int32)
    body = '%v = vector.load %a[%c3, %c0] {"mode"=1} : vector<4xi32> vector.store %v, %b[%c0]'
    executed(body, "%a: memref<i32x4x5>, %b: memref<i32x4>", a, b)
    assert np.array_equal(b, a[3, :4])


def test_the_parts_of_complex_numbers() -> None:
    a, b = np.array([1 + 2j, 3 + 4j], np.complex64), np.zeros(4, np.float32)
    body = "%v = vector.load %a[%c0] : vector<2xc32> %p = vector.parts %v : vector<4xf32> vector.store %p, %b[%c0]"
    executed(body, "%a: memref<c32x2>, %b: memref<f32x4>", a, b)
    assert np.array_equal(b, [1, 2, 3, 4])
    executed(
        "%v = vector.load %a[%c0] : vector<4xf32> vector.store %v, %b[%c0]",
        "%a: memref<c32x2>, %b: memref<f32x4>",
        a,
        b,
    )
    assert np.array_equal(b, [1, 2, 3, 4])


def test_a_transposition() -> None:
    a = np.asfortranarray(np.arange(16, dtype=np.float64).reshape(4, 4))
    b = a.copy(order="F")
    loads = " ".join(
        f"%k{n} = constant {n} : index %v{n} = vector.load %a[%c0, %k{n}] : vector<4xf64>" for n in range(4)
    )
    stores = " ".join(f"vector.store %w{n}, %a[%c0, %k{n}]" for n in range(4))
    types = ", ".join(["vector<4xf64>"] * 4)
    body = f"{loads} %w0, %w1, %w2, %w3 = vector.transpose %v0, %v1, %v2, %v3 : ({types}) {stores}"
    executed(body, "%a: memref<f64x4x4>", a)
    assert np.array_equal(a, b.T)


@pytest.mark.parametrize("bits", [64, 128, 256, 512, 1024])
@pytest.mark.parametrize("size", [1, 2, 4, 8, 16])
def test_a_transposition_has_shuffles_of_one_instruction(size: int, bits: int) -> None:
    width, segment = max(bits // 8 // size, 1), 16 // size
    place = list[tuple[int, int]]

    def shuffled(a: place, b: place, lanes: list[int]) -> place:
        assert bits > 512 or _zips(lanes, width, segment) or _takes_segments(lanes, width, segment)
        return [(a + b)[lane] for lane in lanes]

    rows = [[(row, column) for column in range(width)] for row in range(width)]
    columns = [[(row, column) for row in range(width)] for column in range(width)]
    assert vector.transposed(rows, shuffled, size) == columns


def _zips(lanes: list[int], width: int, segment: int) -> bool:
    """Whether halves of each segment of two vectors alternate: `vunpcklps` and its like."""
    segment = min(segment, width)
    return any(
        lanes == [s + half + n + of for s in range(0, width, segment) for n in range(segment // 2) for of in (0, width)]
        for half in (0, segment // 2)
    )


def _takes_segments(lanes: list[int], width: int, segment: int) -> bool:
    """Whether whole segments come, half of them from either vector: `vshuff32x4`, `vperm2f128` or `vunpcklpd`."""
    pieces = [lanes[n : n + segment] for n in range(0, width, segment)]
    begins = [piece[0] for piece in pieces]
    are_whole = all(piece == [*range(piece[0], piece[0] + segment)] for piece in pieces)
    half = len(begins) // 2
    return are_whole and all(begin < width for begin in begins[:half]) and all(b >= width for b in begins[half:])


def test_a_division_by_zero_fails_in_no_lane() -> None:
    a = np.array([6, 6, 6, 6], np.int32)
    b = np.array([3, 0, 2, 0], np.int32)
    body = """%x = vector.load %a[%c0] : vector<4xi32> %y = vector.load %b[%c0] : vector<4xi32>
    %q = vector.arith.div %x, %y : vector<4xi32> vector.store %q, %a[%c0]"""
    executed(body, "%a: memref<i32x4>, %b: memref<i32x4>", a, b)
    assert a[0] == 2 and a[2] == 3


# Tiles.


@pytest.mark.parametrize("scale", [1, 2, 4])
def test_a_sum_of_outer_products(scale: int) -> None:
    n = 4 * scale
    rng = np.random.default_rng(1)
    a, b = (np.asfortranarray(rng.integers(-4, 5, (n, 3)).astype(np.float32)) for _ in range(2))
    c = np.zeros((n, n), np.float32, order="F")
    tile = "vector.tile<[4]x[4]xf32>"
    body = f"""%s = vector.scale : index %c4 = constant 4 : index %n = arith.mul %s, %c4 : index
    %zero = vector.tile_zero : {tile}
    %sums = for %k = %c0, %c3 init(%t=%zero) -> ({tile}) {{
      %x = vector.load %a[%c0, %k] : vector<[4]xf32> %y = vector.load %b[%c0, %k] : vector<[4]xf32>
      %u = vector.tile_outer %y, %x, %t : {tile}
      yield (%u)
    }}
    for %j = %c0, %n {{ vector.slice_store.row %sums[%j], %c[%c0, %j] }}"""
    executed(body, "%a: memref<f32x?x3>, %b: memref<f32x?x3>, %c: memref<f32x?x?>", a, b, c, scale=scale)
    assert np.array_equal(c, a @ b.T)


def test_groups_and_masks_of_an_outer_product() -> None:
    a, b = np.arange(16, dtype=np.int8), np.arange(16, dtype=np.int8) - 8
    c = np.full((4, 4), 9, np.int32, order="F")
    body = """%m = vector.mask %c5 : vector<16xbool> %x = vector.load %a[%c0] : vector<16xi8>
    %y = vector.load %b[%c0] : vector<16xi8> %t = vector.tile_load %c[%c0, %c0] : vector.tile<4x4xi32>
    %all = vector.mask %c16 : vector<16xbool>
    %u = vector.tile_outer %x, %y, %t mask %m, %all : vector.tile<4x4xi32>
    vector.tile_store %u, %c[%c0, %c0]"""
    body = f"%c5 = constant 5 : index %c16 = constant 16 : index {body}"
    executed(body, "%a: memref<i8x16>, %b: memref<i8x16>, %c: memref<i32x4x4>", a, b, c)
    x = np.where(np.arange(16) < 5, a, 0).astype(np.int32).reshape(4, 4)
    assert np.array_equal(c, 9 + b.astype(np.int32).reshape(4, 4) @ x.T)


def test_an_inactive_product_leaves_negative_zeros() -> None:
    a = np.ones(2, np.float32)
    c = np.full((2, 2), -0.0, np.float32, order="F")
    body = """%m = vector.mask %c0 : vector<2xbool> %x = vector.load %a[%c0] : vector<2xf32>
    %t = vector.tile_load %c[%c0, %c0] : vector.tile<2x2xf32>
    %u = vector.tile_outer %x, %x, %t mask %m, %m : vector.tile<2x2xf32> vector.tile_store %u, %c[%c0, %c0]"""
    executed(body, "%a: memref<f32x2>, %c: memref<f32x2x2>", a, c)
    assert np.signbit(c).all()


def test_a_product_of_tiles() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.integers(-9, 9, (16, 64)).astype(np.int8), rng.integers(-9, 9, (64, 16)).astype(np.int8)
    c = np.zeros((16, 16), np.int32, order="F")
    groups = b.reshape(16, 4, 16).swapaxes(1, 2).reshape(16, 64)
    body = """%x = vector.tile_load %a[%c0, %c0] : vector.tile<16x64xi8>
    %y = vector.tile_load %b[%c0, %c0] : vector.tile<16x64xi8>
    %z = vector.tile_zero : vector.tile<16x16xi32>
    %u = vector.tile_product %x, %y, %z : vector.tile<16x16xi32> vector.tile_store %u, %c[%c0, %c0]"""
    rows = [np.asfortranarray(each.T) for each in (a, groups)]
    executed(body, "%a: memref<i8x64x16>, %b: memref<i8x64x16>, %c: memref<i32x16x16>", *rows, c)
    assert np.array_equal(c.T, a.astype(np.int32) @ b)


def test_rows_become_columns_by_way_of_a_tile() -> None:
    a = np.asfortranarray(np.arange(64, dtype=np.int32).reshape(8, 8))
    b = np.zeros_like(a, order="F")
    tile = "vector.tile<[4]x[4]xi32>"
    body = f"""%c8 = constant 8 : index %none = vector.tile_undefined : {tile}
    %t = for %j = %c0, %c8 init(%u=%none) -> ({tile}) {{
      %v = vector.slice_load.row %a[%c0, %j], %u[%j] : {tile}
      yield (%v)
    }}
    for %j = %c0, %c8 {{ %w = vector.tile_extract.column %t[%j] : vector<[4]xi32> vector.store %w, %b[%c0, %j] }}"""
    executed(body, "%a: memref<i32x8x8>, %b: memref<i32x8x8>", a, b)
    assert np.array_equal(b, a.T)


def test_what_goes_wrong_with_tiles() -> None:
    a = np.zeros((8, 8), np.float32, order="F")
    parameters = "%a: memref<f32x8x8>"
    zero = "%t = vector.tile_zero : vector.tile<[4]x[4]xf32> %c8 = constant 8 : index"
    with pytest.raises(pytl.ExecutionError, match="row 8 of a tile of 8"):
        executed(f"{zero} vector.slice_store.row %t[%c8], %a[%c0, %c0]", parameters, a)
    with pytest.raises(pytl.ExecutionError, match="out of bounds"):
        executed(f"{zero} vector.tile_store %t, %a[%c3, %c0]", parameters, a)
    with pytest.raises(pytl.ExecutionError, match="out of bounds"):
        executed(f"{zero} vector.slice_store.column %t[%c0], %a[%c0, %c0]", parameters, a, scale=4)
    text = """func @f(%b: memref<f32x8x8>) { %l = alloca : memref<f32x8x8,local> vector.code { %c0 = constant 0 : index
    %t = vector.tile_load %l[%c0, %c0] : vector.tile<[4]x[4]xf32> vector.tile_store %t, %b[%c0, %c0] } }"""
    assert problems(text) == []
    (function,) = parse_text(text, internal=True).module.functions
    with pytest.raises(pytl.ExecutionError, match="is read, but was never written"):
        execute(function, [MemrefView(a.reshape(-1, order="F"), 0, (8, 8), (1, 8))], 1)


def test_parts_and_lanes_in_turn() -> None:
    a, b = np.arange(8, dtype=np.int32), np.zeros(8, np.int32)
    body = """%v = vector.load %a[%c0] : vector<[4]xi32> %x = vector.part %v[0] : vector<[2]xi32>
    %y = vector.part %v[2] : vector<[2]xi32> %z = vector.interleave %x, %y : vector<[4]xi32>
    %w = vector.bitcast %z : vector<[2]xi64> vector.store %w, %b[%c0]"""
    b = np.zeros(4, np.int64)
    executed(body, "%a: memref<i32x8>, %b: memref<i64x4>", a, b)
    assert np.array_equal(b.view(np.int32), [0, 4, 1, 5, 2, 6, 3, 7])
