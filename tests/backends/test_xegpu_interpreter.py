"""The interpreter of xegpu's text: texts by hand beside NumPy, wrong ones, and what pytl prints beside reference."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from backends.test_xegpu import gemm, tools
from backends.test_xegpu_runs import DTYPES, aligned, mixed
from sampling import at_night

import pytl
from pytl import Memref, bf16, f16, f32, f64, i8, i32, parallel, tile
from pytl.backends.xegpu.interpreter import run

pytestmark = tools


def of(body: str, parameters: str, items: int = 16, shared: str = "") -> str:
    """A kernel of this body."""
    sizes = f"attributes {{known_block_size = array<i32: {items}, 1, 1>}}"
    return f"gpu.module @m {{\ngpu.func @f({parameters}) {shared} kernel {sizes} {{\n{body}\ngpu.return\n}}\n}}"


def numbers(*shape: int, dtype=np.float32, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(-4, 5, shape).astype(dtype)


def test_an_mlir_opt_that_hangs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTL_TOOL_SECONDS", "0.001")
    with pytest.raises(pytl.PlatformError, match="mlir-opt has not ended") as caught:
        run(of("", ""), [])
    assert caught.value.code == "PYTL-3061"


COPY = """%a = xegpu.create_nd_tdesc %A : memref<20x40xf32> -> !xegpu.tensor_desc<8x16xf32>
%b = xegpu.create_nd_tdesc %B : memref<20x40xf32> -> !xegpu.tensor_desc<8x16xf32>
%x = xegpu.load_nd %a[ROW, COLUMN] : !xegpu.tensor_desc<8x16xf32> -> vector<SHAPExf32>
xegpu.store_nd %x, %b[1, 2] : vector<SHAPExf32>, !xegpu.tensor_desc<8x16xf32>"""


@pytest.mark.parametrize("shape", ["8", "8x16"])
@pytest.mark.parametrize("place", [(3, 5), (16, 32), (19, 39), (20, 40)], ids=str)
def test_a_block_is_padded_with_zeros_outside(shape: str, place: tuple[int, int]) -> None:
    row, column = place
    body = COPY.replace("ROW", str(row)).replace("COLUMN", str(column)).replace("SHAPE", shape)
    a, b = numbers(20, 40), numbers(20, 40, seed=1)
    expected = b.copy()
    padded = np.zeros((60, 80), np.float32)
    padded[:20, :40] = a
    expected[1:9, 2:18] = padded[row : row + 8, column : column + 16]
    run(of(body, "%A: memref<20x40xf32>, %B: memref<20x40xf32>"), [a, b])
    np.testing.assert_array_equal(b, expected)


def test_what_is_stored_outside_is_dropped() -> None:
    body = COPY.replace("ROW", "0").replace("COLUMN", "0").replace("SHAPE", "8").replace("[1, 2]", "[15, 30]")
    a, b = numbers(20, 40), np.zeros((20, 40), np.float32)
    run(of(body, "%A: memref<20x40xf32>, %B: memref<20x40xf32>"), [a, b])
    np.testing.assert_array_equal(b[15:, 30:], a[:5, :10])
    assert not b[:15].any() and not b[:, :30].any()


@pytest.mark.parametrize("dtype, name", [(ml_dtypes.bfloat16, "bf16"), (np.int8, "i8")], ids=["bf16", "i8"])
def test_a_product_of_packed_blocks(dtype, name: str) -> None:
    """Blocks of a sub-group with B in its VNNI form, and what a work-item has of them."""
    each, sums = (2, "f32") if name == "bf16" else (4, "i32")
    deep = 8 * each
    types = {"A": f"8x{deep}", "B": f"{deep}x16", "C": "8x16"}
    parameters = ", ".join(f"%{n}: memref<{s}x{sums if n == 'C' else name}>" for n, s in types.items())
    a, b = numbers(8, deep, dtype=dtype), numbers(deep, 16, dtype=dtype, seed=1)
    wide = np.float32 if name == "bf16" else np.int32
    expected = a.astype(wide) @ b.astype(wide)
    for whole in (False, True):
        va, vb, vc = (f"8x{deep}", f"8x16x{each}", "8x16") if whole else (str(deep // 2), str(deep), "8")
        body = "\n".join(
            f"%d{n} = xegpu.create_nd_tdesc %{n} : memref<{s}x{e}> -> !xegpu.tensor_desc<{s}x{e}>"
            for n, s, e in (("A", types["A"], name), ("B", types["B"], name), ("C", types["C"], sums))
        )
        body += f"""
%a = xegpu.load_nd %dA[0, 0] : !xegpu.tensor_desc<{types["A"]}x{name}> -> vector<{va}x{name}>
%b = xegpu.load_nd %dB[0, 0] <{{packed}}> : !xegpu.tensor_desc<{types["B"]}x{name}> -> vector<{vb}x{name}>
%c = xegpu.dpas %a, %b : vector<{va}x{name}>, vector<{vb}x{name}> -> vector<{vc}x{sums}>
%e = xegpu.dpas %a, %b, %c : vector<{va}x{name}>, vector<{vb}x{name}>, vector<{vc}x{sums}> -> vector<{vc}x{sums}>
xegpu.store_nd %e, %dC[0, 0] : vector<{vc}x{sums}>, !xegpu.tensor_desc<8x16x{sums}>"""
        c = np.zeros((8, 16), wide)
        run(of(body, parameters), [a, b, c])
        np.testing.assert_array_equal(c, 2 * expected)


def test_a_block_is_transposed_and_its_descriptor_moved() -> None:
    body = """%a = xegpu.create_nd_tdesc %A[0, 0] : memref<64x40xf32> -> !xegpu.tensor_desc<16x8xf32>
%m = xegpu.update_nd_offset %a, [16, 8] : !xegpu.tensor_desc<16x8xf32>
xegpu.prefetch_nd %m : !xegpu.tensor_desc<16x8xf32>
%x = xegpu.load_nd %m <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x8xf32> -> vector<8x16xf32>
%b = xegpu.create_nd_tdesc %B : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
xegpu.store_nd %x, %b[0, 0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>"""
    a, b = numbers(64, 40), np.zeros((8, 16), np.float32)
    run(of(body, "%A: memref<64x40xf32>, %B: memref<8x16xf32>"), [a, b])
    np.testing.assert_array_equal(b, a[16:32, 8:16].T)


SCATTERED = """%p = memref.extract_aligned_pointer_as_index %A : memref<64xf32> -> index
%q = arith.index_cast %p : index to i64
%at = arith.constant dense<[0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 1000, 45]> : vector<16xindex>
%mask = arith.constant dense<[true, true, true, true, true, true, true, false, true, true, true, true, true, true,
  false, true]> : vector<16xi1>
%one = arith.constant dense<1.0> : vector<16xf32>
%t = xegpu.create_tdesc %q, %at : i64, vector<16xindex> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
xegpu.prefetch %t : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
"""


def test_scattered_accesses_are_masked() -> None:
    desc = "!xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>"
    body = f"""{SCATTERED}%v = xegpu.load %t, %mask : {desc}, vector<16xi1> -> vector<16xf32>
%w = arith.addf %v, %one : vector<16xf32>
xegpu.store %w, %t, %mask : vector<16xf32>, {desc}, vector<16xi1>
%o = arith.constant dense<1> : vector<16xindex>
%u = xegpu.update_offset %t, %o : {desc}, vector<16xindex>
%r = xegpu.atomic_rmw addf %u, %mask, %one : {desc}, vector<16xi1>, vector<16xf32> -> vector<16xf32>"""
    a = numbers(64)
    expected = a.copy()
    chosen = [3 * n for n in range(16) if n not in (7, 14)]
    expected[chosen] += 1
    expected[[n + 1 for n in chosen]] += 1
    run(of(body, "%A: memref<64xf32>"), [a])
    np.testing.assert_array_equal(a, expected)


@pytest.mark.at_most(4)
@pytest.mark.parametrize("kind", ["addi", "maxs", "mins", "maxu", "minu", "andi", "ori", "xori", "muli", "assign"])
def test_atomic_updates(kind: str) -> None:
    body = f"""%i = gpu.thread_id x
%c = arith.constant 0 : index
%v = arith.index_cast %i : index to i32
%s = arith.constant -3 : i32
%w = arith.addi %v, %s : i32
%r = memref.atomic_rmw {kind} %w, %A[%c] : (i32, memref<1xi32>) -> i32"""
    a = np.array([5], np.int32)
    run(of(body, "%A: memref<1xi32>"), [a])
    operate = {
        "addi": np.add, "maxs": np.maximum, "mins": np.minimum, "andi": np.bitwise_and, "ori": np.bitwise_or,
        "xori": np.bitwise_xor, "muli": np.multiply, "assign": lambda old, new: new,
        "maxu": lambda old, new: np.maximum(old.view("u4"), new.view("u4")).view("i4"),
        "minu": lambda old, new: np.minimum(old.view("u4"), new.view("u4")).view("i4"),
    }[kind]  # fmt: skip
    expected = np.array([5], np.int32)
    for item in range(16):
        expected = operate(expected, np.array([item - 3], np.int32))
    np.testing.assert_array_equal(a, expected)


TURN = """%i = gpu.thread_id x
%c47 = arith.constant 47 : index
%x = memref.load %A[%i] : memref<48xf32>
memref.store %x, %L[%i] : memref<48xf32, 3>
{barrier}
%j = arith.subi %c47, %i : index
%y = memref.load %L[%j] : memref<48xf32, 3>
memref.store %y, %A[%i] : memref<48xf32>"""
NAMED = """xegpu.alloc_nbarrier 2
%b = arith.constant 1 : i8
%n = arith.constant {count} : i8
%barrier = xegpu.init_nbarrier %b, %n : i8, i8 -> !xegpu.nbarrier
"""
ARRIVE = "xegpu.nbarrier_arrive %barrier : !xegpu.nbarrier\n"
WAIT = "xegpu.nbarrier_wait %barrier : !xegpu.nbarrier"


@pytest.mark.parametrize("barrier", ["gpu.barrier", NAMED.format(count=3) + ARRIVE + WAIT], ids=["group", "named"])
def test_sub_groups_wait_for_each_other(barrier: str) -> None:
    text = of(TURN.format(barrier=barrier), "%A: memref<48xf32>", 48, "workgroup(%L: memref<48xf32, 3>)")
    a = numbers(48)
    expected = a[::-1].copy()
    run(text, [a])
    np.testing.assert_array_equal(a, expected)
    without = of(TURN.format(barrier=""), "%A: memref<48xf32>", 48, "workgroup(%L: memref<48xf32, 3>)")
    run(without, [a])
    assert np.isnan(a[:16]).all()  # the first sub-group reads what the last has not written yet


def test_loops_of_work_items_that_end_at_different_times() -> None:
    body = """%i = gpu.thread_id x
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c3 = arith.constant 3 : i64
%zero = arith.constant 0 : i64
%s = scf.for %k = %c0 to %i step %c1 iter_args(%t = %zero) -> (i64) {
  %w = arith.index_cast %k : index to i64
  %odd = arith.andi %w, %c3 : i64
  %is = arith.cmpi ne, %odd, %zero : i64
  %u = scf.if %is -> (i64) {
    %v = arith.addi %t, %w : i64
    scf.yield %v : i64
  } else {
    scf.yield %t : i64
  }
  scf.yield %u : i64
}
%n = scf.while (%q = %s) : (i64) -> i64 {
  %go = arith.cmpi sgt, %q, %c3 : i64
  scf.condition(%go) %q : i64
} do {
^bb0(%z: i64):
  %h = arith.divsi %z, %c3 : i64
  scf.yield %h : i64
}
memref.store %n, %A[%i] : memref<16xi64>"""
    a = np.zeros(16, np.int64)
    run(of(body, "%A: memref<16xi64>"), [a])
    expected = []
    for item in range(16):
        total = sum(k for k in range(item) if k % 4)
        while total > 3:
            total //= 3
        expected.append(total)
    np.testing.assert_array_equal(a, expected)


def test_ids_are_in_three_dimensions() -> None:
    """Which work-item and work-group one is, in x, y and z, beside the one number of MLIR's `gpu.global_id`."""
    ids = [(f"{kind}", d) for kind in ("block_id", "thread_id", "grid_dim", "block_dim", "global_id") for d in "xyz"]
    lines = [f"%v{number} = gpu.{kind} {d}" for number, (kind, d) in enumerate(ids)]
    # the flat number of the work-item, of what gpu says
    weights = {"thread_id x": 1, "thread_id y": 8, "thread_id z": 32, "block_id x": 64, "block_id y": 128}
    weights["block_id z"] = 384
    lines.append("%t0 = arith.constant 0 : index")
    for number, (name, weight) in enumerate(weights.items()):
        value = ids.index(tuple(name.split()))
        lines.append(
            f"%w{number} = arith.constant {weight} : index\n%p{number} = arith.muli %v{value}, %w{number} : index"
        )
        lines.append(f"%t{number + 1} = arith.addi %t{number}, %p{number} : index")
    for number in range(len(ids)):
        lines.append(f"%c{number} = arith.constant {number} : index")
        lines.append(f"memref.store %v{number}, %O[%t{len(weights)}, %c{number}] : memref<768x15xindex>")
    text = of("\n".join(lines), "%O: memref<768x15xindex>").replace("array<i32: 16, 1, 1>", "array<i32: 8, 4, 2>")
    out = np.full((768, 15), -1)
    run(text, [out], (2, 3, 2))
    for row, (gz, gy, gx, z, y, x) in enumerate(np.ndindex(2, 3, 2, 2, 4, 8)):
        wanted = [gx, gy, gz, x, y, z, 2, 3, 2, 8, 4, 2, gx * 8 + x, gy * 4 + y, gz * 2 + z]
        np.testing.assert_array_equal(out[row], wanted)


def of_work_group(a: str, b: str, c: str, sizes: tuple[int, int, int] = (32, 32, 32)) -> str:
    """C += A B of a work-group of four sub-groups, whose blocks have these layouts."""
    m, n, k = sizes
    types = {"A": (f"{m}x{k}xf16", a), "B": (f"{k}x{n}xf16", b), "C": (f"{m}x{n}xf32", c)}
    body = ""
    for name, (type_, layout) in types.items():
        desc = f"!xegpu.tensor_desc<{type_}, #xegpu.layout<{layout}>>"
        body += f"%d{name} = xegpu.create_nd_tdesc %{name} : memref<{type_}> -> {desc}\n"
        body += f"%{name.lower()} = xegpu.load_nd %d{name}[0, 0] : {desc} -> vector<{type_}>\n"
    body += f"%r = xegpu.dpas %a, %b, %c : vector<{m}x{k}xf16>, vector<{k}x{n}xf16>, vector<{m}x{n}xf32> -> "
    body += f"vector<{m}x{n}xf32>\nxegpu.store_nd %r, %dC[0, 0] : vector<{m}x{n}xf32>, {desc}"
    return of(body, ", ".join(f"%{name}: memref<{type_}>" for name, (type_, _) in types.items()), 64)


ROWS_16, COLUMNS_16, BOTH_16 = (f"[2, 2], sg_data = {data}" for data in ("[16, 32]", "[32, 16]", "[16, 16]"))
SWAPPED = ", order = [0, 1]"


@pytest.mark.parametrize(
    ("a", "b", "c", "is_right"),
    [
        (ROWS_16, COLUMNS_16, BOTH_16, True),
        ("[4, 1], sg_data = [4, 32]", "[4, 1], sg_data = [32, 32]", "[4, 1], sg_data = [4, 32]", True),
        (ROWS_16 + SWAPPED, COLUMNS_16 + SWAPPED, BOTH_16 + SWAPPED, True),
        (ROWS_16 + ", inst_data = [8, 16]", COLUMNS_16 + ", inst_data = [16, 16]", BOTH_16, True),
        # sub-groups have not the parts of A and B that their part of C is the product of
        (ROWS_16, ROWS_16, BOTH_16, False),
        (ROWS_16, COLUMNS_16, BOTH_16 + SWAPPED, False),
    ],
)
def test_a_work_group_splits_its_blocks(a: str, b: str, c: str, is_right: bool) -> None:
    """Each sub-group computes its part of C of what it has, and stores that; in a wrong layout it has garbage."""
    given = [numbers(32, 32, dtype=np.float16), numbers(32, 32, dtype=np.float16, seed=1), numbers(32, 32, seed=2)]
    expected = given[2] + given[0].astype(np.float32) @ given[1].astype(np.float32)
    run(of_work_group(*(f"sg_layout = {each}" for each in (a, b, c))), given)
    assert np.array_equal(given[2], expected) == is_right


@pytest.mark.parametrize("vector", ["2x8x16", "16"])
def test_blocks_side_by_side(vector: str) -> None:
    desc = "!xegpu.tensor_desc<8x16xf32, #xegpu.block_tdesc_attr<array_length = 2>>"
    out = "!xegpu.tensor_desc<16x16xf32>" if vector == "16" else "!xegpu.tensor_desc<8x16xf32>"
    body = f"""%a = xegpu.create_nd_tdesc %A : memref<20x40xf32> -> {desc}
%b = xegpu.create_nd_tdesc %B : memref<16x16xf32> -> {out}
%x = xegpu.load_nd %a[3, 16] : {desc} -> vector<{vector}xf32>
"""
    if vector == "16":
        body += f"xegpu.store_nd %x, %b[0, 0] : vector<16xf32>, {out}"
    else:
        for turn in range(2):
            body += f"""%y{turn} = vector.extract %x[{turn}] : vector<8x16xf32> from vector<2x8x16xf32>
xegpu.store_nd %y{turn}, %b[{8 * turn}, 0] : vector<8x16xf32>, {out}
"""
    a, b = numbers(20, 40), np.zeros((16, 16), np.float32)
    run(of(body, "%A: memref<20x40xf32>, %B: memref<16x16xf32>"), [a, b])
    padded = np.pad(a, ((0, 0), (0, 8)))
    np.testing.assert_array_equal(b, np.concatenate([padded[3:11, 16:32], padded[3:11, 32:48]]))


WRONG = {
    "an operation": (
        '%c = arith.constant 1.0 : f64\n"acc.wait"() : () -> ()',
        "PYTL-3251",
        "acc.wait is no operation that the interpreter knows",
        4,
    ),
    "a layout": (
        "%d = xegpu.create_nd_tdesc %A : memref<64x64xf32> -> "
        "!xegpu.tensor_desc<32x32xf32, #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>>\n"
        "%x = xegpu.load_nd %d[0, 0] : !xegpu.tensor_desc<32x32xf32, "
        "#xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>> -> vector<32x32xf32>",
        "PYTL-3256",
        "the layout is of [2, 2] sub-groups, and a work-group has 1",
        4,
    ),
    "text": (
        "%x = arith.addf %nothing, %nothing : f32",
        "PYTL-3250",
        "mlir-opt refuses the text: use of",
        3,
    ),
    "divergence": (
        "%i = gpu.thread_id x\n%c = arith.constant 3 : index\n%b = arith.cmpi ult, %i, %c : index\n"
        "scf.if %b {\ngpu.barrier\n}",
        "PYTL-3253",
        "gpu.barrier is executed without 13 work-items of its sub-group",
        7,
    ),
    "offsets": (
        "%i = gpu.thread_id x\n%d = xegpu.create_nd_tdesc %A : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>\n"
        "%x = xegpu.load_nd %d[%i, 0] : !xegpu.tensor_desc<8x16xf32> -> vector<8xf32>",
        "PYTL-3253",
        "xegpu.load_nd: an offset differs between the work-items of a sub-group",
        5,
    ),
    "memory": (
        "%p = memref.extract_aligned_pointer_as_index %A : memref<64x64xf32> -> index\n"
        "%q = arith.index_cast %p : index to i64\n%t = arith.constant true\n%c = arith.constant 4096 : index\n"
        "%x = xegpu.load %q[%c], %t : i64, index, i1 -> f32",
        "PYTL-3254",
        "xegpu.load: byte 16384 of memory of 16384 bytes is accessed",
        7,
    ),
    "an index": (
        "%c = arith.constant 64 : index\n%x = memref.load %A[%c, %c] : memref<64x64xf32>",
        "PYTL-3254",
        "memref.load: the index 64 is not within a size of 64",
        4,
    ),
    "a barrier": (
        NAMED.format(count=1).replace("arith.constant 1 : i8\n%n", "arith.constant 2 : i8\n%n"),
        "PYTL-3255",
        "barrier 2 is none of the 2 that are allocated",
        6,
    ),
    "a wait": (NAMED.format(count=1) + WAIT, "PYTL-3255", "waits at a barrier at which it did not arrive", 7),
    "a fragment": (
        "%d = xegpu.create_nd_tdesc %A : memref<64x64xf32> -> !xegpu.tensor_desc<8x32xf32>\n"
        "%x = xegpu.load_nd %d[0, 0] : !xegpu.tensor_desc<8x32xf32> -> vector<16xf32>",
        "PYTL-3256",
        "rows of 32 elements of 32 bits have no usual layout on 16 work-items",
        4,
    ),
    "a divisor": (
        "%i = gpu.thread_id x\n%x = arith.divsi %i, %i : index",
        "PYTL-3257",
        "arith.divsi divides by zero",
        4,
    ),
    "a step": (
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%z = gpu.block_id x\n"
        "scf.for %i = %c0 to %c1 step %z {\n}",
        "PYTL-3257",
        "scf.for has a step that is not positive",
        6,
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_told_at_its_line(what: str) -> None:
    body, code, message, line = WRONG[what]
    with pytest.raises(pytl.PytlError) as caught:
        run(of(body, "%A: memref<64x64xf32>"), [np.zeros((64, 64), np.float32)])
    told = caught.value.diagnostics[0]
    assert (told.rule.code, told.location.line) == (code, line)
    assert message in told.message


def test_a_sub_group_that_nobody_comes_to_is_told() -> None:
    body = """%s = gpu.subgroup_id : index
%c0 = arith.constant 0 : index
%is = arith.cmpi eq, %s, %c0 : index
scf.if %is {
  gpu.barrier
}"""
    with pytest.raises(pytl.PytlError, match=r"sub-group 0 waits for ever: 1 of 2 sub-groups have ended"):
        run(of(body, "", 32), [])


@pytest.mark.parametrize(
    "given, message",
    [
        ([], "f has 1 parameters, and 0 arguments are given"),
        ([np.zeros((4, 4), np.float64)], "argument 0 does not fit"),
        ([np.zeros((4, 5), np.float32)], "argument 0 does not fit"),
        ([np.zeros((4, 4), np.float32).T], "argument 0 does not fit"),
        ([3], "argument 0 does not fit"),
    ],
)
def test_arguments_fit_the_parameters(given: list, message: str) -> None:
    with pytest.raises(pytl.LaunchError, match=message):
        run(of("", "%A: memref<4x4xf32>"), given)


# What pytl prints.


@pytest.mark.at_most(4)
@pytest.mark.parametrize("turned", ["nn", "tn"])
@pytest.mark.parametrize(
    ("inputs", "sums"), [(bf16, f32), (f16, f32), (f16, f16), (bf16, bf16), (i8, i32)], ids=lambda type_: type_.__name__
)
def test_products_that_are_printed(inputs, sums, turned: str) -> None:
    a, b, c = aligned(inputs, 128, 128), aligned(inputs, 128, 128, seed=1), aligned(sums, 128, 128, seed=2)
    expected = c.astype(np.float64)
    left = a.T if turned[0] == "t" else a
    expected[:32, :16] = (left.astype(np.float64) @ b.astype(np.float64))[:32, :16]
    gemm(inputs, sums, turned=turned)[1, {"interpreted": True}](a, b, c, backend="xegpu")
    np.testing.assert_allclose(c.astype(np.float64), expected, atol=2.0 if sums is bf16 else 0.0)


@pytest.mark.at_most(1)
@pytest.mark.parametrize(
    "change",
    [
        ("[%c0, %v", "[%c16, %v"),  # an offset
        ("strides: [128, 1]", "strides: [64, 1]"),  # a pitch
        ("<{packed, ", "<{transpose = array<i64: 1, 0>, "),  # a transposition in place of a pack
    ],
    ids=["offset", "pitch", "pack"],
)
def test_a_wrong_text_shows(change: tuple[str, str]) -> None:
    text = gemm(bf16, f32).emit("xegpu")
    a, b = aligned(bf16, 128, 128), aligned(bf16, 128, 128, seed=1)
    found = [np.zeros((128, 128), np.float32, order="F") for _ in range(2)]
    wrong = text.replace(*change)
    assert wrong != text
    for given, c in zip((text, wrong), found):
        run(given, [a.T, b.T, c.T])
    assert not np.array_equal(*found)


def test_blocks_that_are_printed_lie_where_they_should() -> None:
    found = [aligned(type_, 64, 48, seed=3) for type_ in (bf16, f32, f32)]
    expected = [array.copy(order="F") for array in found]
    mixed[1, {"interpreted": True}](*found, backend="xegpu")
    mixed[1](*expected, backend="reference")
    for ours, theirs in zip(found, expected):
        np.testing.assert_array_equal(ours, theirs)


TYPES = [(bf16, f32, "dpas"), (f16, f32, "dpas"), (i8, i32, "dpas"), (f32, f32, "lanes"), (f64, f64, "lanes"),
         (i32, i32, "lanes"), (bf16, f32, "lanes")]  # fmt: skip
EVERY = [(types, turned) for turned in ("nn", "tn", "nt", "tt") for types in TYPES]
FEW = [(TYPES[0], "nn"), (TYPES[1], "tn"), (TYPES[2], "nn"), (TYPES[3], "nt")]


@pytest.mark.at_most(1)
@pytest.mark.parametrize(
    ("types", "turned"),
    [*FEW, *at_night(case for case in EVERY if case not in FEW)],
    ids=lambda each: str(each) if isinstance(each, str) else "",
)
def test_products_of_tiles_with_remainders_in_all_sizes(types, turned: str) -> None:
    inputs, sums, matrices = types
    left_turned, right_turned = (letter == "t" for letter in turned)
    at_left, step_left = ((0, 64), (32, 0)) if left_turned else ((64, 0), (0, 32))
    at_right, of_right, step_right = (16, 0), (16, 32), (0, 32)
    if not right_turned:
        at_right, of_right, step_right = (0, 16), (32, 16), (32, 0)

    @pytl.kernel(subgroup_size=16, work_group_size=(16, 1))
    def product(A: Memref[inputs, ..., ...], B: Memref[inputs, ..., ...], C: Memref[sums, 80, 24]):
        with parallel():
            left, right = tile.init(A, at_left, shape=(32, 32)), tile.init(B, at_right, shape=of_right)
            out = tile.init(C, (64, 16), shape=(32, 16))
            total = tile.load(out)
            for _ in range(0, 80, 32):
                a = tile.load(left, transpose=left_turned)
                total = tile.mma(a, tile.load(right, transpose=right_turned), total)
                left = tile.update_offset(left, step_left[0], step_left[1])
                right = tile.update_offset(right, step_right[0], step_right[1])
            tile.store(total, out)

    a, b, c = aligned(inputs, 80, 80), aligned(inputs, 80, 24, seed=1), aligned(sums, 80, 24, seed=2)
    expected = c.astype(np.float64)
    expected[64:, 16:] += (a.astype(np.float64) @ b.astype(np.float64))[64:, 16:]
    given = [
        np.asfortranarray(x.T if is_transposed else x) for x, is_transposed in ((a, left_turned), (b, right_turned))
    ]
    product[1, {"interpreted": True, "matrices": matrices, "blocks": "preferred"}](*given, c, backend="xegpu")
    np.testing.assert_array_equal(c.astype(np.float64), expected)


def test_without_the_option_nothing_is_executed() -> None:
    arrays = [np.zeros((128, 128), DTYPES[t], order="F") for t in (bf16, bf16, f32)]
    with pytest.raises(pytl.PlatformError, match=r"interpreted=True executes the text"):
        gemm(bf16, f32)[1](*arrays, backend="xegpu")


def test_a_text_is_executed_without_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """pytl's own reader reads it, and tells what it does not understand."""
    monkeypatch.setattr("pytl.backends.xegpu.interpreter.running.find_toolchain", lambda: None)
    body = COPY.replace("ROW", "3").replace("COLUMN", "5").replace("SHAPE", "8x16")
    a, b = numbers(20, 40), np.zeros((20, 40), np.float32)
    run(of(body, "%A: memref<20x40xf32>, %B: memref<20x40xf32>"), [a, b])
    np.testing.assert_array_equal(b[1:9, 2:18], a[3:11, 5:21])
    with pytest.raises(pytl.ExecutionError, match="PYTL-1301"):
        run(of("%x = foo.bar : f32", ""), [])
