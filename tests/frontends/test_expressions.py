"""Each row of the table of expressions: what it becomes."""

import pytest
from tracing_kit import body, dedented, function, text

NUMBERS = "A: Memref[f32, 4], i: i32, j: i32, x: f64, y: f64, z: c32, p: bool_, q: bool_"


@pytest.mark.parametrize(
    ("expression", "instruction"),
    [
        ("x + y", "arith.add %x, %y : f64"),
        ("x - y", "arith.sub %x, %y : f64"),
        ("x * y", "arith.mul %x, %y : f64"),
        ("x / y", "arith.div %x, %y : f64"),
        ("z / z", "arith.div %z, %z : c32"),
        ("i // j", "arith.div %i, %j : i32"),
        ("i % j", "arith.rem %i, %j : i32"),
        ("x % y", "arith.rem %x, %y : f64"),
        ("i << j", "arith.shl %i, %j : i32"),
        ("i >> j", "arith.shr %i, %j : i32"),
        ("i & j", "arith.and %i, %j : i32"),
        ("i | j", "arith.or %i, %j : i32"),
        ("i ^ j", "arith.xor %i, %j : i32"),
        ("p & q", "arith.and %p, %q : bool"),
        ("p | q", "arith.or %p, %q : bool"),
        ("p ^ q", "arith.xor %p, %q : bool"),
        ("min(x, y)", "arith.min %x, %y : f64"),
        ("max(i, j)", "arith.max %i, %j : i32"),
        ("min((x, y))", "arith.min %x, %y : f64"),
        ("-x", "arith.neg %x : f64"),
        ("abs(x)", "arith.abs %x : f64"),
        ("abs(z)", "arith.abs %z : f32"),
        ("~i", "arith.not %i : i32"),
        ("~p", "arith.not %p : bool"),
        ("not p", "arith.not %p : bool"),
        ("z.conj()", "arith.conj %z : c32"),
        ("z.real", "arith.re %z : f32"),
        ("z.imag", "arith.im %z : f32"),
        ("x < y", "cmp.lt %x, %y : bool"),
        ("x <= y", "cmp.le %x, %y : bool"),
        ("x > y", "cmp.gt %x, %y : bool"),
        ("x >= y", "cmp.ge %x, %y : bool"),
        ("z == z", "cmp.eq %z, %z : bool"),
        ("i != j", "cmp.ne %i, %j : bool"),
        ("p and q", "arith.and %p, %q : bool"),
        ("p or q", "arith.or %p, %q : bool"),
        ("f32(x)", "cast %x : f32"),
        ("cast(i, f64)", "cast %i : f64"),
        ("index(i)", "cast %i : index"),
        ("c64(z)", "cast %z : c64"),
        ("group_id()", "builtin.group_id : index"),
        ("group_size()", "builtin.group_size : index"),
        ("f32(1.5)", "constant 0x1.8p+0 : f32"),
        ("f32(1)", "constant 0x1p+0 : f32"),
        ("i32(-7.9)", "constant -7 : i32"),
        ("c32(1 + 2j)", "constant [0x1p+0,0x1p+1] : c32"),
        ("bool_(True)", "constant true : bool"),
        ("cast(3, i8)", "constant 3 : i8"),
        ("alloca(f32, 16, 8)", "alloca : memref<f32x16x8,local>"),
        ("alloca(f32, 16, align=32)", "alloca {alignment=32} : memref<f32x16,local>"),
        ("alloca(Memref[f32, 16, 8, strides(1, 20)])", "alloca : memref<f32x16x8,strided<1,20>,local>"),
        ("size(A, 0)", "size %A[0] : index"),
        ("size(A)", "size %A[0] : index"),
    ],
)
def test_one_instruction(expression, instruction):
    assert body(f"r = {expression}", NUMBERS) == f"%r = {instruction}"


@pytest.mark.parametrize("expression", ["+x", "f64(x)", "cast(x, f64)", "x if True else y"])
def test_no_instruction(expression):
    assert body(f"r = {expression}", NUMBERS) == ""


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2 * 3 + 1", "7"),
        ("7 // 2 % 2", "1"),
        ("-(-5)", "5"),
        ("SIZES[1]", "8"),
        ("len(SIZES)", "2"),
        ("max(SIZES) - min(1, 4)", "7"),
        ("A.shape[0] * A.shape[-1]", "128"),
        ("len(A)", "16"),
        ("abs(-3)", "3"),
        ("CONFIG.rows", "5"),
        ("TABLE['n']", "6"),
        ("math.ceil(math.sqrt(20))", "5"),
        ("int(2.9)", "2"),
        ("4 if 3 < 4 < 5 else 5", "4"),
        ("4 if CONFIG is None or not True else 5", "5"),
        ("4 if 3 in (1, 2, 3) and A is not None else 5", "4"),
        ("KIND", "3"),
        ("sum((1, 2, 3)[1:])", "5"),
    ],
)
def test_python_constants_fold(expression, value):
    import enum
    import math
    from types import SimpleNamespace

    kernel = function(
        f"def f(A: Memref[f32, 16, 8]):\n    r = index({expression})\n",
        math=math,
        SIZES=(4, 8),
        CONFIG=SimpleNamespace(rows=5),
        TABLE={"n": 6},
        KIND=enum.IntEnum("KIND", {"three": 3}).three,
    )
    assert f"%r = constant {value} : index" in text(kernel)


def test_a_chain_of_comparisons_evaluates_its_middle_once():
    assert body("r = 0 < A[i, j] < x").count("load") == 1
    assert body("r = 0 <= i < 16") == dedented("""
        %0 = constant 0 : index
        %1 = cmp.le %0, %i : bool
        %2 = constant 16 : index
        %3 = cmp.lt %i, %2 : bool
        %r = arith.and %1, %3 : bool""")


def test_what_may_do_harm_is_evaluated_only_where_it_is_needed():
    parameters = "A: Memref[f32, 4], i: index, n: i32"
    assert body("r = i < 4 and A[i] > 0", parameters) == dedented("""
        %0 = constant 4 : index
        %1 = cmp.lt %i, %0 : bool
        %r = if %1 -> (bool) {
          %2 = load %A[%i] : f32
          %3 = constant 0x0p+0 : f32
          %4 = cmp.gt %2, %3 : bool
          yield (%4)
        } else {
          %5 = constant false : bool
          yield (%5)
        }""")
    assert body("r = n == 0 or 8 // n > 2", parameters) == dedented("""
        %0 = constant 0 : i32
        %1 = cmp.eq %n, %0 : bool
        %r = if %1 -> (bool) {
          %2 = constant true : bool
          yield (%2)
        } else {
          %3 = constant 8 : i32
          %4 = arith.div %3, %n : i32
          %5 = constant 2 : i32
          %6 = cmp.gt %4, %5 : bool
          yield (%6)
        }""")
    assert "if" not in body("r = n == 0 or n // 3 > 2", parameters)
    assert "if" in body("r = n == 0 or n // -1 > 2", parameters)
    assert "if" in body("r = n < 32 and 1 << n > 2", parameters)
    assert "if" not in body("r = n < 32 and n << 31 > 2", parameters)
    assert "if" in body("r = n < 32 and n << 32 > 2", parameters)
    assert "if" in body("r = n < 32 and i32(A.shape[0] * x) > 2", "A: Memref[f32, 4], n: i32, x: f32")


def test_and_or_with_constants():
    parameters = "A: Memref[f32, 4], p: bool_"
    assert body("r = p and True\nA[0] = 1.0 if r else 2.0", parameters).startswith(
        "%0 = constant 0 : index\n%1 = if %p"
    )
    assert body("if p and False: A[0] = 1.0", parameters) == ""


def test_conditional_expressions():
    assert body("A[i, j] = x if x < 2 else 2.0") == dedented("""
        %0 = constant 0x1p+1 : f32
        %1 = cmp.lt %x, %0 : bool
        %2 = if %1 -> (f32) {
          yield (%x)
        } else {
          %3 = constant 0x1p+1 : f32
          yield (%3)
        }
        store %2, %A[%i, %j]""")


def test_loads_and_stores():
    assert body("A[i, j] = A[j, 3]") == dedented("""
        %0 = constant 3 : index
        %1 = load %A[%j, %0] : f32
        store %1, %A[%i, %j]""")
    assert body("A[i, j] *= x") == dedented("""
        %0 = load %A[%i, %j] : f32
        %1 = arith.mul %0, %x : f32
        store %1, %A[%i, %j]""")
    assert body("A[()] += 1", "A: Memref[f32]") == dedented("""
        %0 = load %A[] : f32
        %1 = constant 0x1p+0 : f32
        %2 = arith.add %0, %1 : f32
        store %2, %A[]""")


def test_atomic_stores():
    assert body("atomic.store(A[i, j], x)") == "store.atomic %x, %A[%i, %j]"
    assert body("atomic.add(A[i, j], 1.0)") == "%0 = constant 0x1p+0 : f32\nstore.atomic_add %0, %A[%i, %j]"


def test_groups():
    parameters = "G: Group[Memref[f32, 16, ...], 12], g: index"
    assert body("G[g][g, 0] = 1.0", parameters) == dedented("""
        %0 = load %G[%g] : memref<f32x16x?>
        %1 = constant 0 : index
        %2 = constant 0x1p+0 : f32
        store %2, %0[%g, %1]""")
    assert body("n = index(len(G) + G.shape[0])", parameters) == "%n = constant 24 : index"
    assert body("n = len(G)", "G: Group[f32, 4]") == "%n = size %G[0] : index"


@pytest.mark.parametrize(
    ("slices", "expected"),
    [
        ("2:6, i", "[2:4, %i] : memref<f32x4>"),
        (":, i", "[0:16, %i] : memref<f32x16>"),
        (":, :", "[0:16, 0:8] : memref<f32x16x8>"),
        ("3, :", "[3, 0:8] : memref<f32x8,strided<16>>"),
        ("2:, 0:1", "[2:14, 0:1] : memref<f32x14x1,strided<1,16>>"),
        (":4, 2:4", "[0:4, 2:2] : memref<f32x4x2,strided<1,16>>"),
        ("i : i + 4, :", "[%i:4, 0:8] : memref<f32x4x8,strided<1,16>>"),
        ("i : 4 + i, 0", "[%i:4, 0] : memref<f32x4>"),
        ("i : i + j, 0", "[%i:%j, 0] : memref<f32x?>"),
        ("i : j + i, 0", "[%i:%j, 0] : memref<f32x?>"),
        (":j, 0", "[0:%j, 0] : memref<f32x?>"),
        ("i : 2 * (i + 3) - i - 2, 0", "[%i:4, 0] : memref<f32x4>"),
        ("index(2) : index(6), 0", None),
    ],
)
def test_slices(slices, expected):
    lines = body(f"r = A[{slices}]")
    if expected is None:
        assert lines.splitlines() == [
            "%0 = constant 2 : index",
            "%r = subview %A[%0:4, 0] : memref<f32x4>",
        ]
    else:
        assert lines == f"%r = subview %A{expected}"


def test_slices_that_are_computed():
    assert body("r = A[i * 4 : i * 4 + 4, 0]") == dedented("""
        %0 = constant 4 : index
        %1 = arith.mul %i, %0 : index
        %r = subview %A[%1:4, 0] : memref<f32x4>""")
    assert body("r = A[i:j, 0]") == dedented("""
        %0 = arith.sub %j, %i : index
        %r = subview %A[%i:%0, 0] : memref<f32x?>""")
    assert body("r = A[i:]", "A: Memref[f32, ...], i: index") == dedented("""
        %0 = size %A[0] : index
        %1 = arith.sub %0, %i : index
        %r = subview %A[%i:%1] : memref<f32x?>""")
    assert body("r = A[:, 1]", "A: Memref[f32, ..., 4]") == dedented("""
        %0 = size %A[0] : index
        %r = subview %A[0:%0, 1] : memref<f32x?>""")
    assert body("r = A[0 : index(A[0]) + 1]", "A: Memref[f32, ...]") == dedented("""
        %0 = constant 0 : index
        %1 = load %A[%0] : f32
        %2 = cast %1 : index
        %3 = constant 1 : index
        %4 = arith.add %2, %3 : index
        %r = subview %A[0:%4] : memref<f32x?>""")


def test_views_of_views():
    assert body("r = A[2:, :][1:3, 4]\nr[0] = x") == dedented("""
        %0 = subview %A[2:14, 0:8] : memref<f32x14x8,strided<1,16>>
        %r = subview %0[1:2, 4] : memref<f32x2>
        %1 = constant 0 : index
        store %x, %r[%1]""")


def test_subview_as_a_call():
    assert body("r = subview(A, (i, 4), j)") == "%r = subview %A[%i:4, %j] : memref<f32x4>"
    assert body("r = subview(A, (2, j), (0, 8))") == "%r = subview %A[2:%j, 0:8] : memref<f32x?x8,strided<1,16>>"


def test_shapes():
    parameters = "A: Memref[f32, 16, ...]"
    assert body("m, n = A.shape\nr = index(m)", parameters) == dedented("""
        %n = size %A[1] : index
        %r = constant 16 : index""")
    assert body("r = A.shape[0:1]", parameters) == ""


def test_blas_calls():
    square = "A: Memref[f32, 4, 4], B: Memref[f32, 4, 4], x: f32"
    assert body("gemm(x, A.T, B.T.T, x, B)", square) == "gemm.t.n %x, %A, %B, %x, %B"
    assert body("gemm(x, A, beta=x, C=A, B=B.T)", square) == "gemm.n.t %x, %A, %B, %x, %A"
    assert body("t = A.T\naxpby(x, t, 1, B, True)", square) == dedented("""
        %0 = constant 0x1p+0 : f32
        axpby.t.atomic %x, %A, %0, %B""")


def test_barriers_and_lifetimes():
    assert body("barrier()") == "barrier"
    assert body('barrier("local")') == "barrier.local"
    assert body('barrier("local", "global")') == "barrier.global.local"
    assert body("t = alloca(f32, 4)\nlifetime_stop(t)").splitlines()[1] == "lifetime_stop %t"


def test_names_of_values():
    assert body("_t1 = A[i, j]\nt1 = -_t1\nt = u = t1 + t1\nA[i, j] = u") == dedented("""
        %t1 = load %A[%i, %j] : f32
        %t1_1 = arith.neg %t1 : f32
        %t = arith.add %t1_1, %t1_1 : f32
        store %t, %A[%i, %j]""")
