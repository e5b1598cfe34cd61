"""Blocks that branch: conditions and counted loops compute what they do where they are structured."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import numpy as np
import pytest
from frontends.mlir.cases import CONSTANTS
from frontends.mlir.programs import program
from launch_kit import needs_sycl
from sampling import at_night

import pytl
from pytl.kernels.gpu_modules import HostFunction

pytestmark = pytest.mark.at_most(4)

BACKENDS = ["reference", pytest.param("sycl", marks=needs_sycl)]
HEAD = "func.func @f(%a: memref<?xf32>, %o: memref<4xf32>, %n: index) {\n" + CONSTANTS
Expected = Callable[[np.ndarray, int], list[float]]


def skipped(a: np.ndarray, n: int) -> list[float]:
    """Every other number is added; the one behind the last is told."""
    return [a[0:n:2].sum(), float(len(range(0, n, 2)) * 2)]


LOOPS: dict[str, tuple[str, Expected]] = {
    "left where it begins": (
        """
  cf.br ^head(%c0, %z : index, f32)
^head(%i: index, %s: f32):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %v = memref.load %a[%i] : memref<?xf32>
  %t = arith.addf %s, %v : f32
  %j = arith.addi %i, %c2 : index
  cf.br ^head(%j, %t : index, f32)
^end:
  memref.store %s, %o[%c0] : memref<4xf32>
  %k = arith.index_cast %i : index to i32
  %x = arith.sitofp %k : i32 to f32
  memref.store %x, %o[%c1] : memref<4xf32>
  return""",
        skipped,
    ),
    "left by the other branch": (
        """
  cf.br ^head(%c0, %z : index, f32)
^head(%i: index, %s: f32):
  %done = arith.cmpi sge, %i, %n : index
  cf.cond_br %done, ^end(%s : f32), ^body
^end(%e: f32):
  memref.store %e, %o[%c0] : memref<4xf32>
  return
^body:
  %v = memref.load %a[%i] : memref<?xf32>
  %t = arith.addf %s, %v : f32
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %t : index, f32)""",
        lambda a, n: [a[:n].sum()],
    ),
    "of one block": (
        """
  cf.br ^body(%c0, %z : index, f32)
^body(%i: index, %s: f32):
  %v = memref.load %a[%i] : memref<?xf32>
  %t = arith.addf %s, %v : f32
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi slt, %j, %n : index
  cf.cond_br %more, ^body(%j, %t : index, f32), ^end
^end:
  memref.store %t, %o[%c0] : memref<4xf32>
  return""",
        lambda a, n: [a[:n].sum()],
    ),
    "left where it goes back, behind a condition": (
        """
  cf.br ^body(%c0, %z : index, f32)
^body(%i: index, %s: f32):
  %v = memref.load %a[%i] : memref<?xf32>
  %up = arith.cmpf ogt, %v, %z : f32
  cf.cond_br %up, ^add, ^last(%s : f32)
^add:
  %t = arith.addf %s, %v : f32
  cf.br ^last(%t : f32)
^last(%u: f32):
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi ne, %j, %n : index
  cf.cond_br %more, ^body(%j, %u : index, f32), ^end
^end:
  memref.store %u, %o[%c0] : memref<4xf32>
  return""",
        lambda a, n: [a[:n][a[:n] > 0].sum()],
    ),
    "in a loop, whose number it uses": (
        """
  cf.br ^rows(%c0, %z : index, f32)
^rows(%i: index, %s: f32):
  %row = arith.cmpi slt, %i, %c3 : index
  cf.cond_br %row, ^columns(%i, %s : index, f32), ^end
^columns(%j: index, %t: f32):
  %column = arith.cmpi slt, %j, %n : index
  cf.cond_br %column, ^body, ^next
^body:
  %v = memref.load %a[%j] : memref<?xf32>
  %u = arith.addf %t, %v : f32
  %k = arith.addi %j, %c1 : index
  cf.br ^columns(%k, %u : index, f32)
^next:
  %l = arith.addi %i, %c1 : index
  cf.br ^rows(%l, %t : index, f32)
^end:
  memref.store %s, %o[%c0] : memref<4xf32>
  return""",
        lambda a, n: [sum(a[i:n].sum() for i in range(3))],
    ),
    "that ends at what another value says, too": (
        """
  cf.br ^head(%c0, %z : index, f32)
^head(%i: index, %s: f32):
  %below = arith.cmpi slt, %i, %n : index
  %v = memref.load %a[%c0] : memref<?xf32>
  %small = arith.cmpf olt, %s, %v : f32
  %more = arith.andi %below, %small : i1
  cf.cond_br %more, ^body, ^end
^body:
  %w = memref.load %a[%i] : memref<?xf32>
  %p = math.absf %w : f32
  %t = arith.addf %s, %p : f32
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %t : index, f32)
^end:
  memref.store %s, %o[%c0] : memref<4xf32>
  return""",
        lambda a, n: [abs(a[0]) if a[0] > 0 else 0.0],
    ),
}
CONDITIONS: dict[str, tuple[str, Expected]] = {
    "that meet": (
        """
  %few = arith.cmpi slt, %n, %c4 : index
  cf.cond_br %few, ^one(%c1 : index), ^two
^one(%i: index):
  %x = memref.load %a[%i] : memref<?xf32>
  cf.br ^end(%x : f32)
^two:
  %y = memref.load %a[%c2] : memref<?xf32>
  cf.br ^end(%y : f32)
^end(%e: f32):
  memref.store %e, %o[%c0] : memref<4xf32>
  return""",
        lambda a, n: [a[1] if n < 4 else a[2]],
    ),
    "that return": (
        """
  %few = arith.cmpi slt, %n, %c4 : index
  %x = memref.load %a[%c1] : memref<?xf32>
  cf.cond_br %few, ^one, ^two
^one:
  memref.store %x, %o[%c0] : memref<4xf32>
  return
^two:
  memref.store %x, %o[%c1] : memref<4xf32>
  return""",
        lambda a, n: [a[1], 0.0] if n < 4 else [0.0, a[1]],
    ),
    "to one block with other values": (
        """
  %few = arith.cmpi slt, %n, %c4 : index
  cf.cond_br %few, ^end(%c1 : index), ^end(%c2 : index)
^end(%i: index):
  %x = memref.load %a[%i] : memref<?xf32>
  memref.store %x, %o[%c0] : memref<4xf32>
  return""",
        lambda a, n: [a[1] if n < 4 else a[2]],
    ),
}
CASES = {
    f"{kind} {name}": case
    for kind, table in (("loops", LOOPS), ("conditions", CONDITIONS))
    for name, case in table.items()
}


def execute(text: str, expected: Expected, backend: str, n: int) -> None:
    a = np.random.default_rng(n).uniform(-1, 1, 9).astype(np.float32)
    a[0] = abs(a[0])
    o = np.zeros(4, np.float32)
    pytl.from_mlir(text)["f"][...](a, o, n, backend=backend)
    wanted = expected(a, n)
    np.testing.assert_allclose(o[: len(wanted)], wanted, rtol=2e-6)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("body, expected", CASES.values(), ids=list(CASES))
def test_branches(body: str, expected: Expected, backend: str) -> None:
    for n in (1, 4, 7):
        execute(HEAD + body + "\n}", expected, backend, n)


@pytest.mark.at_most(2)
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("body, expected", CASES.values(), ids=list(CASES))
def test_what_mlir_prints_of_them(body: str, expected: Expected) -> None:
    for options in ([], ["--mlir-print-op-generic"]):
        execute(_by_mlir(HEAD + body + "\n}", *options), expected, "reference", 7)


def _by_mlir(text: str, *options: str) -> str:
    done = subprocess.run(["mlir-opt-22", *options], input=text, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.at_most(2)
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("seed", range(12))
def test_loops_that_mlir_makes_branches_of(seed: int) -> None:
    """Affine programs compute the same to the bit once their loops and conditions are branches."""
    given = program(seed)
    lowered = _by_mlir(given.text, "--lower-affine", "--convert-scf-to-cf")
    expected, found = given.arguments(seed), given.arguments(seed)
    pytl.from_mlir(given.text, raise_loops=False)[given.name][...](*expected.values(), backend="reference")
    pytl.from_mlir(lowered, raise_loops=False)[given.name][...](*found.values(), backend="reference")
    for name, wanted in expected.items():
        np.testing.assert_array_equal(found[name], wanted, err_msg=name)


def test_a_product_in_branches_is_a_gemm() -> None:
    indices = [("i", 4), ("j", 6), ("k", 5)]
    blocks = "  cf.br ^i(%c0 : index)\n"
    for number, (name, size) in enumerate(indices):
        inner = f"^{indices[number + 1][0]}(%c0 : index)" if number < 2 else "^body"
        outer = f"^{indices[number - 1][0]}_next" if number else "^end"
        blocks += f"""^{name}(%{name}: index):
  %{name}_more = arith.cmpi slt, %{name}, %c{size} : index
  cf.cond_br %{name}_more, {inner}, {outer}
^{name}_next:
  %{name}_1 = arith.addi %{name}, %c1 : index
  cf.br ^{name}(%{name}_1 : index)
"""
    text = f"""func.func @f(%a: memref<4x5xf32>, %b: memref<5x6xf32>, %c: memref<4x6xf32>) {{
{CONSTANTS}{blocks}^body:
  %x = memref.load %a[%i, %k] : memref<4x5xf32>
  %y = memref.load %b[%k, %j] : memref<5x6xf32>
  %s = memref.load %c[%i, %j] : memref<4x6xf32>
  %p = arith.mulf %x, %y : f32
  %t = arith.addf %s, %p : f32
  memref.store %t, %c[%i, %j] : memref<4x6xf32>
  cf.br ^k_next
^end:
  return
}}"""
    kernel = pytl.from_mlir(text)["f"]
    assert "gemm.n.n" in kernel.ir("raised")
    rng = np.random.default_rng(0)
    a, b, c = (rng.uniform(-1, 1, shape).astype(np.float32) for shape in ((4, 5), (5, 6), (4, 6)))
    expected = c + a @ b
    kernel[...](a, b, c, backend="reference")
    np.testing.assert_allclose(c, expected, rtol=1e-5, atol=1e-6)


def test_a_function_that_is_called_returns_from_branches() -> None:
    text = """func.func private @least(%x: f32, %y: f32) -> f32 {
  %c = arith.cmpf olt, %x, %y : f32
  cf.cond_br %c, ^one, ^two
^one:
  return %x : f32
^two:
  return %y : f32
}
func.func @f(%a: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %a[%c0] : memref<2xf32>
  %y = memref.load %a[%c1] : memref<2xf32>
  %m = func.call @least(%x, %y) : (f32, f32) -> f32
  memref.store %m, %a[%c0] : memref<2xf32>
  return
}"""
    a = np.array([3, 2], np.float32)
    pytl.from_mlir(text)["f"][...](a, backend="reference")
    assert a.tolist() == [2, 2]


# cf.switch.

SWITCHED = """func.func private @of(%k: TYPE, %x: f32) -> f32 {
  %two = arith.constant 2.0 : f32
  %y = arith.mulf %x, %two : f32
  cf.switch %k : TYPE, [
    default: ^end(%x : f32),
    -2: ^negated(%x, %y : f32, f32),
    3: ^end(%y : f32),
    1: ^negated(%y, %x : f32, f32),
    LAST: ^none
  ]
^negated(%u: f32, %v: f32):
  %w = arith.subf %u, %v : f32
  cf.br ^end(%w : f32)
^none:
  %zero = arith.constant 0.0 : f32
  cf.br ^end(%zero : f32)
^end(%r: f32):
  return %r : f32
}
func.func private @alone(%k: TYPE, %x: f32) -> f32 {
  cf.switch %k : TYPE, [
    default: ^end(%x : f32)
  ]
^end(%r: f32):
  return %r : f32
}
func.func @f(%a: memref<8xTYPE>, %o: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %k = memref.load %a[%i] : memref<8xTYPE>
    %n = arith.index_cast %i : index to i32
    %x = arith.sitofp %n : i32 to f32
    %r = func.call @of(%k, %x) : (TYPE, f32) -> f32
    %s = func.call @alone(%k, %r) : (TYPE, f32) -> f32
    memref.store %s, %o[%i] : memref<8xf32>
  }
  return
}
"""


def switched(text: str, type_: str, backend: str) -> None:
    dtype = {"i1": np.int8, "i4": np.int8, "i8": np.int8, "i32": np.int32, "i64": np.int64}[type_]
    # the upper bits of a byte that has four may be anything
    a = np.array([0, -2, 3, 1, 7, -1, 3 + (16 if type_ == "i4" else 0), -2], dtype)
    o, x = np.zeros(8, np.float32), np.arange(8)
    pytl.from_mlir(text)["f"][...](a, o, backend=backend)
    meant = a & 15 if type_ == "i4" else a
    meant = np.where(meant > 7, meant - 16, meant)
    expected = np.select([meant == -2, meant == 3, meant == 1, meant == -1], [-x, 2 * x, x, 0], x)
    assert o.tolist() == expected.tolist()


@pytest.mark.parametrize("backend", [*BACKENDS, *at_night(["mlir"])])
@pytest.mark.parametrize("type_", ["i4", "i8", "i32", "i64"])
def test_a_number_says_which_block_follows(type_: str, backend: str) -> None:
    last = (1 << int(type_[1:])) - 1  # -1, as mlir-opt prints it
    switched(SWITCHED.replace("TYPE", type_).replace("LAST", f"{last}"), type_, backend)


@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("options", [[], ["--mlir-print-op-generic"]], ids=["custom", "generic"])
def test_switches_as_mlir_opt_prints_them(options: list[str]) -> None:
    text = SWITCHED.replace("TYPE", "i32").replace("LAST", "-1")
    printed = subprocess.run(["mlir-opt-22", *options], input=text, capture_output=True, text=True, check=True)
    assert "cf.switch" in printed.stdout
    switched(printed.stdout, "i32", "reference")


def test_a_loop_goes_on_by_a_switch() -> None:
    text = (
        HEAD
        + """
  cf.br ^head(%c0, %z : index, f32)
^head(%i: index, %s: f32):
  %v = memref.load %a[%i] : memref<?xf32>
  %t = arith.addf %s, %v : f32
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi slt, %j, %n : index
  cf.switch %more : i1, [default: ^end, 1: ^head(%j, %t : index, f32)]
^end:
  memref.store %t, %o[%c0] : memref<4xf32>
  return
}"""
    )
    a, o = np.arange(1, 9, dtype=np.float32), np.zeros(4, np.float32)
    pytl.from_mlir(text)["f"][...](a, o, 5)
    assert o[0] == 15


SWITCH = "func.func @f(%k: i32) {\n  LINE\n^a:\n  return\n}"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("cf.switch %k : i32, [default: ^a, 1: ^a, 1: ^a]", "cf.switch: there are two cases 1"),
        ("cf.switch %k : i32, [default: ^a, -1: ^a, 4294967295: ^a]", "cf.switch: there are two cases 4294967295"),
        ("cf.switch %k : i32, [default: ^a, 4294967296: ^a]", "cf.switch: 4294967296 is no number of the type i32"),
        ("cf.switch %k : index, [default: ^a]", "cf.switch: its number is an integer, not index"),
        ("cf.switch %k : i32, [default: ^b]", "cf.switch: there is no block ^b"),
        ("cf.switch %k : i32, [default: ^a, 1: ^b]", "cf.switch: there is no block ^b"),
        ("cf.switch %k : i32, [default: ^a, 1: ^a(%k : i32)]", "cf.switch: ^a has 0 arguments, but is passed 1"),
        (
            '"cf.switch"(%k)[^a, ^a] <{case_operand_segments = array<i32: 0>, '
            "case_values = dense<[1, 2]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()",
            "cf.switch: it has a block, and values to pass, for each of its cases and of none",
        ),
        (
            '"cf.switch"(%k)[^a, ^a] <{case_operand_segments = array<i32: 1>, '
            "case_values = dense<1> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()",
            "cf.switch: it passes other numbers of values than it has operands",
        ),
    ],
)
def test_mistakes_of_switches_are_told(line: str, message: str) -> None:
    assert told(SWITCH.replace("LINE", line)) == [("PYTL-1310", message)]


# What has no meaning.

BLOCKS = """  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^end:
  return"""
REFUSED: dict[str, tuple[str, str, str, str]] = {
    "two ways out": (
        "cf.br ^head(%j : index)",
        "%odd = arith.cmpi eq, %j, %c3 : index\n  cf.cond_br %odd, ^end, ^next\n^next:\n  cf.br ^head(%j : index)",
        "PYTL-1310",
        "the loop is left from its middle, or twice",
    ),
    "two ways back": (
        "cf.br ^head(%j : index)",
        "%odd = arith.cmpi eq, %j, %c3 : index\n  cf.cond_br %odd, ^head(%j : index), ^next\n^next:\n  cf.br ^head(%c8 : index)",
        "PYTL-1310",
        "a loop goes back to its begin from two blocks",
    ),
    "two ways in": (
        "cf.br ^head(%c0 : index)\n",
        "%odd = arith.cmpi eq, %n, %c3 : index\n  cf.cond_br %odd, ^head(%c0 : index), ^body\n",
        "PYTL-1310",
        "a loop is entered at two blocks",
    ),
    "no end": ("cf.cond_br %more, ^body, ^end", "cf.br ^body", "PYTL-1310", "nothing ends the loop"),
    "a block that is not there": ("^end\n", "^ende\n", "PYTL-1310", "there is no block ^ende"),
    "a value too few": ("^head(%j : index)", "^head", "PYTL-1310", "^head has 1 arguments, but is passed 0"),
    "no label": ("^body, ^end", "^body, end", "PYTL-1300", "expected a block, but found `end`"),
    "an empty block": ("^end:\n  return", "^end:\n^last:\n  return", "PYTL-1310", "a block is empty"),
}


def told(text: str) -> list[tuple[str, str]]:
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.from_mlir(text)
    return [(each.code, each.message) for each in caught.value.diagnostics]


@pytest.mark.parametrize("old, new, code, message", REFUSED.values(), ids=list(REFUSED))
def test_what_is_no_counted_loop_is_refused(old: str, new: str, code: str, message: str) -> None:
    assert old in BLOCKS
    found = told(HEAD + BLOCKS.replace(old, new, 1) + "\n}")
    assert any(each == code and message in text for each, text in found), found


def test_a_loop_that_nothing_counts_is_read() -> None:
    """By the host, which asks its condition before each iteration, as that of scf.while."""
    (read,) = pytl.from_mlir(HEAD + BLOCKS.replace("slt, %i, %n", "slt, %c0, %n", 1) + "\n}").values()
    assert isinstance(read, HostFunction)


def test_many_branches_are_told_or_read() -> None:
    """Branches that never meet, and branches within each other without end: neither hangs, nor ends the process."""
    count = 60
    ladder = "".join(
        f"^l{n}:\n  cf.cond_br %p, ^l{n + 1}, ^r{n + 1}\n^r{n}:\n  cf.cond_br %p, ^r{n + 1}, ^l{n + 1}\n"
        for n in range(count)
    )
    text = (
        "func.func @f(%p: i1) {\n  cf.cond_br %p, ^l0, ^r0\n"
        + ladder
        + f"^l{count}:\n  return\n^r{count}:\n  return\n}}"
    )
    assert told(text)[0][0] == "PYTL-1310"
    deep = "".join(f"^b{n}:\n  cf.cond_br %p, ^b{n + 1}, ^end\n" for n in range(3000))
    assert (
        told("func.func @f(%p: i1) {\n  cf.br ^b0\n" + deep + "^b3000:\n  return\n^end:\n  return\n}")[0][0]
        == "PYTL-1310"
    )
    heads = "".join(f"^h{n}:\n  cf.cond_br %p, ^h{n + 1}, ^l{n}\n" for n in range(400))
    ends = "".join(f"^l{n}:\n  cf.br ^h{n - 1}\n" for n in range(1, 400))
    loops = f"func.func @f(%p: i1) {{\n  cf.br ^h0\n{heads}^h400:\n  cf.br ^h399\n{ends}^l0:\n  return\n}}"
    assert told(loops) == [("PYTL-1310", "cf.cond_br: branches are nested more than 100 deep")]
    chain = "".join(f"^b{n}:\n  cf.br ^b{n + 1}\n" for n in range(3000))
    assert "f" in pytl.from_mlir("func.func @f(%p: i1) {\n  cf.br ^b0\n" + chain + "^b3000:\n  return\n}")
