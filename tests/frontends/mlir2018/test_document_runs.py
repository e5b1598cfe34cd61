"""The code blocks of the document on MLIR that have a meaning on their own: they run, and compute what NumPy does.

A block stands in a function that stores what it gives; names that it uses are parameters, or are loaded there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from mlir2018_kit import parts

import pytl

pytestmark = pytest.mark.at_most(4)

PARTS = {part.key: part for part in parts()}


@dataclass
class Run:
    """Parts of a block, the function around them, its arrays, and what is computed of those, rows first."""

    blocks: str
    parameters: str
    arrays: Callable[[], list[Any]]
    expected: Callable[..., None]
    before: str = ""
    after: str = ""
    head: str = ""
    tail: str = ""
    changes: tuple[tuple[str, str], ...] = ()
    """What of the text is mended, where it breaks a rule or has sizes that are known at run time only."""
    is_module: bool = False

    @property
    def text(self) -> str:
        text = "\n".join(PARTS[each].text for each in self.blocks.split())
        for old, new in self.changes:
            assert old in text
            text = text.replace(old, new)
        lines = [self.head, text] if self.is_module else [self.head]
        inside = [self.before] if self.is_module else [self.before, text]
        return "\n".join([*lines, f"func @run({self.parameters}) {{", *inside, self.after, "return", "}", self.tail])


def numbers(*shape: int, dtype: Any = np.float32, seed: int = 0, low: int = -9) -> np.ndarray:
    return np.random.default_rng(seed).integers(low, 10, shape).astype(dtype)


def filled(shape: Any, dtype: Any = np.float32) -> np.ndarray:
    return np.full(shape, 77, dtype)


def copied(rows: int, columns: int, source: str, target: str, types: tuple[str, str]) -> str:
    """A nest of loops that copies one memref to another."""
    return f"""for %ci = 0 to {rows} {{ for %cj = 0 to {columns} {{
  %moved = load {source}[%ci, %cj] : {types[0]}
  store %moved, {target}[%ci, %cj] : {types[1]}
}} }}
"""


def multiplied(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    c[:] = a @ b


def of_two(name: str, type_: str, operation: Callable[[Any, Any], Any], block: str, operands: str = "%b, %c") -> Run:
    """The first line of a block: an operation on two scalars, of each of 64 pairs."""
    left, right = operands.split(", ")
    dtype = {"i64": np.int64, "f64": np.float64, "i32": np.int32}[type_]

    def expected(x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
        out[:] = operation(x, y).astype(dtype)

    memref = f"memref<64x{type_}>"
    return Run(
        block,
        f"%xs: {memref}, %ys: {memref}, %out: {memref}",
        lambda: [numbers(64, dtype=dtype), numbers(64, dtype=dtype, seed=1, low=1), filled(64, dtype)],
        expected,
        f"for %at = 0 to 64 {{\n{left} = load %xs[%at] : {memref}\n{right} = load %ys[%at] : {memref}",
        f"store %{name}, %out[%at] : {memref}\n}}",
    )


def wrapped_unsigned(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda x, y: operation(x.view(np.uint64), y.view(np.uint64)).view(np.int64)


def truncated(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return (np.abs(x) // np.abs(y)) * np.sign(x) * np.sign(y)


def only_first(run: Run, text: str, *more: tuple[str, str]) -> Run:
    """Of a block whose samples are of several types, the scalar one."""
    whole = PARTS[run.blocks].text
    run.changes = ((whole, text), *more)
    return run


def first_line(block: str) -> str:
    return PARTS[block].text.lstrip().splitlines()[0]


def scalars(name: str, type_: str, operation: Callable[[Any, Any], Any], block: str) -> Run:
    return only_first(of_two(name, type_, operation, block), first_line(block))


LAYOUT = "#layout = (d0, d1) -> (d0, d1)\n"


def reverse(a: np.ndarray, b: np.ndarray) -> None:
    b[:] = 2 * a[:, ::-1]


def reduced(a: np.ndarray, n: int) -> None:
    for i in range(n):
        for j in range(n):
            if i >= 10 and n - i >= 9 and j >= 10 and n - j >= 9:
                a[j % 10] += 5 + i + 1 + j


def tiled(out: np.ndarray, s: int, t: int, n: int) -> None:
    out[:] = [s // 8, t // 128, s % 8, t % 128, s + n]


def viewed(a: np.ndarray, out: np.ndarray, start: int) -> None:
    out[:] = a[start : start + 4, : out.shape[1]]


RUNS = {
    "multiply": Run(
        "1-0",
        "%X: memref<100x?xf32>, %Y: memref<?x50xf32>, %Z: memref<100x50xf32>",
        lambda: [numbers(100, 2), numbers(2, 50, seed=1), filled((100, 50))],
        multiplied,
        "%R = call @multiply(%X, %Y) : (memref<100x?xf32>, memref<?x50xf32>) -> memref<100x50xf32>",
        copied(100, 50, "%R", "%Z", ("memref<100x50xf32>", "memref<100x50xf32>")),
        is_module=True,
    ),
    "layouts and index maps": Run(
        "12-0 13-0",
        "%A: memref<3x5xf32, (i, j) -> (j, i) size (5, 3)>, %B: memref<3x5xf32>",
        lambda: [np.asfortranarray(numbers(3, 5)), filled((3, 5))],
        lambda a, b: np.copyto(b, a),
        after=copied(3, 5, "%A", "%B", ("memref<3x5xf32, (i, j) -> (j, i) size (5, 3)>", "memref<3x5xf32>")),
    ),
    "memrefs by indices": Run(
        "11-0",
        "%A0: memref<16x32xf32>, %B: memref<16x32xf32>",
        lambda: [numbers(16, 32), filled((16, 32))],
        lambda a, b: np.copyto(b, a),
        "for %i = 0 to 16 { for %j = 0 to 32 {",
        "store %v, %B[%i, %j] : memref<16x32xf32>\n} }",
        head="#imapA = (d0, d1) -> (d0, d1) size (16, 32)",
        changes=(
            (
                "%v =",
                "%o = load %A0[%i, %j] : memref<16x32xf32>\n"
                "store %o, %A[%i, %j] : memref<16x32xf32, #imapA, hbm>\n%v =",
            ),
        ),
    ),
    "functions": Run(
        "14-0",
        "%x: i64, %o: memref<2xi64>",
        lambda: [-5, filled(2, np.int64)],
        lambda x, o: np.copyto(o, x),
        "%r = call @count(%x) : (i64) -> (i64, i64)",
        "store %r#0, %o[0] : memref<2xi64>\nstore %r#1, %o[1] : memref<2xi64>",
        head="#layout_map0 = (d0, d1) -> (d0, d1)",
        is_module=True,
    ),
    "blocks": Run(
        "15-0",
        "%xs: memref<9xi64>, %o: memref<9xi64>",
        lambda: [numbers(9, dtype=np.int64), filled(9, np.int64)],
        lambda x, o: np.copyto(o, np.where(x > 0, 2 * x, 4 * x)),
        "%zero = constant 0 : i64\nfor %i = 0 to 9 {\n%x = load %xs[%i] : memref<9xi64>",
        """%c = cmpi "sgt", %x, %zero : i64
%r = call @simple(%x, %c) : (i64, i1) -> i64
store %r, %o[%i] : memref<9xi64>
}""",
        is_module=True,
    ),
    "for": Run(
        "16-0",
        "%P: memref<?x?xf32>, %Q: memref<?x?xf32>",
        lambda: [numbers(6, 6), filled((6, 6))],
        reverse,
        "call @simple_example(%P, %Q) : (memref<?x?xf32>, memref<?x?xf32>) -> ()",
        tail="""func @F1(%M: memref<?x?xf32>, %i: index, %j: index) -> f32 {
  %n = dim %M, 1 : memref<?x?xf32>
  %at = affine_apply (d0, d1)[s] -> (s - 1 - d1)(%i, %j)[%n]
  %x = load %M[%i, %at] : memref<?x?xf32>
  %y = addf %x, %x : f32
  return %y : f32
}
func @F2(%x: f32, %M: memref<?x?xf32>, %i: index, %j: index) {
  store %x, %M[%i, %j] : memref<?x?xf32>
  return
}""",
        changes=(
            ("call @F1(%A, %0#0, %0#1)", "call @F1(%A, %i, %j)"),
            ("call @F2(%tmp, %B, %0#0, %0#1)", "call @F2(%tmp, %B, %i, %j)"),
        ),
        is_module=True,
    ),
    "if": Run(
        "17-0",
        "%M: memref<10xi32>, %n: index",
        lambda: [filled(10, np.int32), 32],
        reduced,
        "%five = constant 5 : i32\ncall @reduced_domain_example(%M, %five, %n) : (memref<10xi32>, i32, index) -> ()",
        head="#map42 = (d0, d1) -> (d0 + 1, d1)\n#map43 = (d0, d1) -> (d1, d0)",
        tail="""func @S1(%x: i32, %i: index, %j: index) -> index {
  %y = addi %i, %j : index
  return %y : index
}
func @S2(%x: index, %M: memref<10xi32>, %j: index, %i: index) {
  %at = affine_apply (d0) -> (d0 mod 10)(%j)
  %old = load %M[%at] : memref<10xi32>
  %five = constant 5 : i32
  %with = addi %old, %five : i32
  %one = constant 1 : i32
  for %k = 0 to 1 {
    store %with, %M[%at] : memref<10xi32>
  }
  for %k = 0 to (d0) -> (d0)(%x) {
    %before = load %M[%at] : memref<10xi32>
    %more = addi %before, %one : i32
    store %more, %M[%at] : memref<10xi32>
  }
  return
}""",
        changes=(("(memref<10xi32>, i32, i32)", "(memref<10xi32>, i32, index)"),),
        is_module=True,
    ),
    "select of two blocks": Run(
        "20-0",
        "%n: i32, %o: memref<2xi32>",
        lambda: [4, filled(2, np.int32)],
        lambda n, o: np.copyto(o, [11, 22]),
        """%c11 = constant 11 : i32
%c22 = constant 22 : i32
%yes = cmpi "eq", %n, %n : i32
%no = cmpi "ne", %n, %n : i32
%r = call @select(%c11, %c22, %yes) : (i32, i32, i1) -> i32
%s = call @select(%c11, %c22, %no) : (i32, i32, i1) -> i32""",
        "store %r, %o[0] : memref<2xi32>\nstore %s, %o[1] : memref<2xi32>",
        is_module=True,
    ),
    "affine_apply": Run(
        "21-0 21-2",
        "%out: memref<5xi64>, %s: index, %t: index, %n: index",
        lambda: [filled(5, np.int64), 43, 300, 1000],
        tiled,
        after="\n".join(
            f"for %k{n} = 0 to {name} {{\n%o{n} = load %out[{n}] : memref<5xi64>\n"
            f"%p{n} = addi %o{n}, %one : i64\nstore %p{n}, %out[{n}] : memref<5xi64>\n}}"
            for n, name in enumerate(["%1#0", "%1#1", "%1#2", "%1#3", "%2"])
        ),
        before="%one = constant 1 : i64\n%zero = constant 0 : i64\nfor %k = 0 to 5 {\n"
        "store %zero, %out[%k] : memref<5xi64>\n}",
        changes=(("%42", "%s"),),
    ),
    "dim": Run(
        "24-0",
        "%A: memref<4x?xf32>, %out: memref<4x?xf32>",
        lambda: [numbers(4, 6), np.zeros((4, 6), np.float32)],
        lambda a, out: np.copyto(out, a),
        after=copied(4, 6, "%A", "%out", ("memref<4x?xf32>",) * 2)
        .replace("0 to 4 ", "0 to %x ")
        .replace("to 6", "to %y"),
        changes=(("tensor<4 x ? x f32>", "memref<4 x ? x f32>"),),
    ),
    "reshape": Run(
        "25-0",
        "%A: memref<16x8xf32>, %out: memref<16x4x2xf32>",
        lambda: [numbers(16, 8), filled((16, 4, 2))],
        lambda a, out: np.copyto(out, a.reshape(16, 4, 2)),
        "",
        copied(16, 8, "%A", "%D", ("memref<16x8xf32>", "memref<16x8xf32, #lmapD, hbm>"))
        + """for %i = 0 to 16 { for %j = 0 to 4 { for %k = 0 to 2 {
  %e = load %DR[%i, %j, %k] : memref<16x4x2xf32, #imapDR, hbm>
  store %e, %out[%i, %j, %k] : memref<16x4x2xf32>
} } }""",
        changes=(
            ("[S0] -> (i, j) size (16, S0)", " -> (i, j) size (16, 8)"),
            ("[S0] -> (i, j * S0 + k) size (16, 4 * S0)", " -> (i, j * 2 + k) size (16, 4 * 2)"),
            ("(%N)[%N]", "()"),
            ("%N4 = affine_apply (S -> floordiv(S,4)) (%N)\n", ""),
            ("(%N4)[%N4]", "()"),
            ("16x?xf32", "16x8xf32"),
            ("16x4x?xf32", "16x4x2xf32"),
        ),
    ),
    "view": Run(
        "26-0",
        "%A: memref<16x?xf32>, %out: memref<4x?xf32>, %0: index",
        lambda: [numbers(16, 6), filled((4, 6)), 3],
        viewed,
        after="for %i = 0 to 4 { for %j = 0 to %n1 {\n"
        "%e = load %B[%i, %j] : memref<4x?xf32, #map_b>\nstore %e, %out[%i, %j] : memref<4x?xf32>\n} }",
        head="#map_a = (i, j)[s] -> (i, j) size (16, s)",
        changes=((", #map_a, hbm", ""), (", hbm", "")),
    ),
    "alloc": Run(
        "27-0",
        "%A0: memref<1024x64xf32>, %out: memref<1024x64xf32>",
        lambda: [numbers(1024, 64), np.zeros((1024, 64), np.float32)],
        lambda a, out: np.copyto(out[:20], a[:20]),
        after=copied(20, 64, "%A0", "%A", ("memref<1024x64xf32>", "memref<1024x64xf32, #layout_map0, hbm>"))
        + copied(20, 64, "%A", "%out", ("memref<1024x64xf32, #layout_map0, hbm>", "memref<1024x64xf32>")),
        head="#layout_map0 = (d0, d1) -> (d1, d0) size (64, 1024)",
        changes=(("%B = alloc(%M, %N)[%x, %y] : memref<?x?xf32, #layout_map1, vmem>", ""),),
    ),
    "load by affine indices": Run(
        "33-0 33-1 33-2",
        "%A: memref<8x?xi32>, %out: memref<2xi32>, %i: index, %j: index",
        lambda: [numbers(8, 7, dtype=np.int32, low=0) % 3, filled(2, np.int32), 1, 2],
        lambda a, out, i, j: np.copyto(out, [a[3 * i, j + 1], a[5, j + 1]]),
        after="store %12, %out[0] : memref<2xi32>\nstore %13, %out[1] : memref<2xi32>",
        head=LAYOUT,
        changes=(
            ("4x?xi32", "8x?xi32"),
            ("\n ...\n", "\n"),
            ("affine_apply #remap2(%12)", "affine_apply #remap2(%j)"),
            (", #layout, hbm", ""),
        ),
    ),
    "store": Run(
        "34-0",
        "%100: f32, %A: memref<4x?xf32>, %1: index",
        lambda: [2.5, np.zeros((4, 1030), np.float32), 2],
        lambda x, a, at: a.__setitem__((at, 1023), x),
        head=LAYOUT,
        changes=((", #layout, hbm", ""),),
    ),
    "dma_start": Run(
        "30-0 31-0",
        "%src: memref<40x8xf32>, %dst: memref<20x4xf32, 2>, %i: index, %j: index, %k: index, %l: index",
        lambda: [numbers(40, 8), np.zeros((20, 4), np.float32), 3, 6, 1, 2],
        lambda a, b, i, j, k, m: np.copyto(b.reshape(-1)[k * 4 + m :][:32], a.reshape(-1)[i * 8 + j :][:32]),
        before="%index = constant 0 : index\n%num_elements = constant 32 : index",
        changes=(
            ("vector<16xf32>, (d0) -> (d0), ", "f32, "),
            ("2 x 4 x", "20 x 4 x"),
        ),
    ),
    "cmpi": Run(
        "39-0",
        "%xs: memref<9xi32>, %ys: memref<9xi32>, %out: memref<9xi32>",
        lambda: [numbers(9, dtype=np.int32), numbers(9, dtype=np.int32, seed=1), filled(9, np.int32)],
        lambda x, y, out: np.copyto(out, np.minimum(x, y)),
        "for %i = 0 to 9 {\n%lhs = load %xs[%i] : memref<9xi32>\n%rhs = load %ys[%i] : memref<9xi32>",
        "%least = select %x, %lhs, %rhs : i32\nstore %least, %out[%i] : memref<9xi32>\n}",
    ),
    "constant": Run(
        "40-0",
        "%out: memref<1xi32>",
        lambda: [filled(1, np.int32)],
        lambda out: np.copyto(out, 42),
        after="store %1, %out[0] : memref<1xi32>",
        changes=(("%3 = constant @myfn : (tensor<16xf32>, f32) -> tensor<16xf32>", ""),),
    ),
    "memref_cast": Run(
        "43-0",
        "%2: memref<4x?xf32>, %out: memref<4x?xf32>",
        lambda: [numbers(4, 3), filled((4, 3))],
        lambda a, out: np.copyto(out, a),
        after=copied(4, 3, "%4", "%out", ("memref<4x?xf32>",) * 2),
    ),
    "select": Run(
        "47-0",
        "%true: i32, %false: i32, %out: memref<2xi32>",
        lambda: [3, 5, filled(2, np.int32)],
        lambda a, b, out: np.copyto(out, [3, 5]),
        'for %i = 0 to 2 {\n%one = constant 1 : index\n%cond = cmpi "slt", %i, %one : index',
        "store %x, %out[%i] : memref<2xi32>\n}",
    ),
    "dealloc": Run(
        "29-0",
        "%A0: memref<128xf32>, %out: memref<128xf32>",
        lambda: [numbers(128), filled(128)],
        lambda a, out: np.copyto(out, a),
        "%A = alloc() : memref<128xf32, #layout, hbm>\nfor %i = 0 to 128 {\n%x = load %A0[%i] : memref<128xf32>\n"
        "store %x, %A[%i] : memref<128xf32, #layout, hbm>\n%y = load %A[%i] : memref<128xf32, #layout, hbm>\n"
        "store %y, %out[%i] : memref<128xf32>\n}",
        head="#layout = (d0) -> (d0)",
    ),
    "addi": scalars("a", "i64", np.add, "37-0"),
    "addf": scalars("a", "f64", np.add, "38-0"),
    "mulf": scalars("a", "f64", np.multiply, "44-0"),
    "divis": scalars("a", "i64", truncated, "41-0"),
    "diviu": scalars("a", "i64", wrapped_unsigned(np.floor_divide), "42-0"),
    "remis": scalars("a", "i64", lambda x, y: x - truncated(x, y) * y, "45-0"),
    "remiu": scalars("a", "i64", wrapped_unsigned(np.remainder), "46-0"),
}


@pytest.mark.at_most(2)
@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("backend", ["reference", pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))])
def test_a_block_computes_what_numpy_does(name: str, backend: str) -> None:
    run = RUNS[name]
    kernels = pytl.compile(run.text, language="mlir-2018")
    given, wanted = run.arrays(), run.arrays()
    run.expected(*wanted)
    with pytl.use(backend):
        kernels["run"][1](*given)
    for got, right in zip(given, wanted):
        np.testing.assert_array_equal(got, right)
