"""The functions of a kernel body: the text that each of them, with each of its options, becomes."""

# ruff: noqa: E501 (a statement and its instruction stand on one line)

import cmath
import math

import numpy as np
import pytest
from tracing_kit import body, dedented, findings, function, text

PARAMETERS = (
    "A: Memref[f32, 16, 8], B: Memref[f32, 16, 8], C: Memref[f32, 16, 16], S: Memref[f32], v: Memref[f32, 16], w: Memref[f32, 8],"
    "T: Memref[f32, 16, 8, ...], H: Memref[f16, 16, 8], Z: Memref[c32, 16, 8], I: Memref[i8, 16, 8], G: Group[f32, 16, 8],"
    "i: index, k: i32, x: f32, h: f16, z: c32, yes: bool_"
)


def last(statement):
    """The instruction that a statement becomes, without the constants in front of it."""
    lines = [line for line in body(statement, PARAMETERS).splitlines() if "= constant" not in line]
    return "\n".join(lines)


COLLECTIVE = [
    ("gemv(1.0, A, w, 0.0, v)", "gemv.n %0, %A, %w, %1, %v"),
    ("gemv(alpha=x, A=A.T, b=v, beta=1, c=w, atomic=True)", "gemv.t.atomic %x, %A, %v, %0, %w"),
    ("ger(1.0, v, w, 0.0, A)", "ger %0, %v, %w, %1, %A"),
    ("ger(x, v, w, 1.0, B, atomic=True)", "ger.atomic %x, %v, %w, %0, %B"),
    ("hadamard(1.0, A, B, 0.0, B)", "hadamard %0, %A, %B, %1, %B"),
    ("hadamard(x, v, v, 1, v, atomic=True)", "hadamard.atomic %x, %v, %v, %0, %v"),
    ("pytl.sum(1.0, A, 0.0, v)", "sum.n %0, %A, %1, %v"),
    ("pytl.sum(1.0, A.T, 0.0, w)", "sum.t %0, %A, %1, %w"),
    ("pytl.sum(x, v, 1.0, S, atomic=True)", "sum.n.atomic %x, %v, %0, %S"),
    ("cumsum(1.0, A, 0, 0.0, B)", "cumsum %0, %A, 0, %1, %B"),
    ("cumsum(alpha=x, A=T, mode=2, beta=0, B=T)", "cumsum %x, %T, 2, %0, %T"),
    ("cumsum(x, v, 0, 1.0, v, atomic=True)", "cumsum.atomic %x, %v, 0, %0, %v"),
    ("y = fuse(A, 0, 1)", "%y = fuse %A[0, 1] : memref<f32x128>"),
    ("y = fuse(T, first=1, last=2)", "%y = fuse %T[1, 2] : memref<f32x16x?>"),
    ("y = expand(A, 1, (2, 4))", "%y = expand %A[1 -> 2 x 4] : memref<f32x16x2x4>"),
    ("y = expand(A, 1, (2, 2, 2))", "%y = expand %A[1 -> 2 x 2 x 2] : memref<f32x16x2x2x2>"),
    ("y = expand(T, 2, (i, 4))", "%y = expand %T[2 -> %i x 4] : memref<f32x16x8x?x4>"),
    ("y = exp(x)", "%y = math.exp %x : f32"),
    ("y = exp(z)", "%y = math.exp %z : c32"),
    ("y = native_exp(h)", "%y = math.native_exp %h : f16"),
    ("y = subgroup.size()", "%y = builtin.subgroup_size : i32"),
    ("y = subgroup.count()", "%y = builtin.num_subgroups : i32"),
]  # fmt: skip

SPMD = [
    ("y = subgroup.id()", "%y = builtin.subgroup_id : i32"),
    ("y = subgroup.local_id()", "%y = builtin.subgroup_local_id : i32"),
    ("y = subgroup.broadcast(x, 3)", "%y = subgroup_broadcast %x, %0 : f32"),
    ("y = subgroup.broadcast(z, k)", "%y = subgroup_broadcast %z, %k : c32"),
    *(
        (f"y = subgroup.{name}.{kind}(x)", f"%y = subgroup_{name}.{kind} %x : f32")
        for name in ("add", "max", "min")
        for kind in ("reduce", "inclusive_scan", "exclusive_scan")
    ),
    ("y = subgroup.add.reduce(z)", "%y = subgroup_add.reduce %z : c32"),
    ("y = coop.load(A, i, i, shape=(16, 8), use='matrix_a')", "%y = cooperative_matrix_load.n %A[%i, %i] : coopmatrix<f32x16x8,matrix_a>"),
    ("y = coop.load(H, i, i, (8, 4), 'matrix_b', transpose=True)", "%y = cooperative_matrix_load.t %H[%i, %i] : coopmatrix<f16x8x4,matrix_b>"),
    ("y = coop.load(I, i, i, (8, 4), 'matrix_acc', checked='rows')", "%y = cooperative_matrix_load.n.rows_checked %I[%i, %i] : coopmatrix<i8x8x4,matrix_acc>"),
    ("y = coop.load(Z, i, 0, (8, 4), 'matrix_a', checked='cols')", "%y = cooperative_matrix_load.n.cols_checked %Z[%i, %0] : coopmatrix<c32x8x4,matrix_a>"),
    ("y = coop.load(Z, i, i, (8, 4), 'matrix_a', True, 'both')", "%y = cooperative_matrix_load.t.both_checked %Z[%i, %i] : coopmatrix<c32x8x4,matrix_a>"),
]  # fmt: skip

MATRICES = dedented("""
    a = coop.load(H, i, i, (8, 4), "matrix_a")
    b = coop.load(H, i, i, (4, 8), "matrix_b")
    c = coop.full(f32, 0, (8, 8), "matrix_acc")
""")
COOPERATIVE = [
    ("y = coop.mul_add(a, b, c)", "%y = cooperative_matrix_mul_add %a, %b, %c : coopmatrix<f32x8x8,matrix_acc>"),
    ("y = coop.mul_add(a, b, c, component=f16)", "%y = cooperative_matrix_mul_add %a, %b, %c : coopmatrix<f16x8x8,matrix_acc>"),
    ("y = coop.scale(x, c)", "%y = cooperative_matrix_scale %x, %c : coopmatrix<f32x8x8,matrix_acc>"),
    ("y = coop.scale(2, c)", "%0 = constant 0x1p+1 : f32\n%y = cooperative_matrix_scale %0, %c : coopmatrix<f32x8x8,matrix_acc>"),
    ("y = x * c", "%y = cooperative_matrix_scale %x, %c : coopmatrix<f32x8x8,matrix_acc>"),
    ("y = c * x", "%y = cooperative_matrix_scale %x, %c : coopmatrix<f32x8x8,matrix_acc>"),
    ("c *= x", "%c_1 = cooperative_matrix_scale %x, %c : coopmatrix<f32x8x8,matrix_acc>"),
    ("y = 2 * c", "%0 = constant 0x1p+1 : f32\n%y = cooperative_matrix_scale %0, %c : coopmatrix<f32x8x8,matrix_acc>"),
    ("y = c + c", "%y = arith.add %c, %c : coopmatrix<f32x8x8,matrix_acc>"),
    ("y = c - c", "%y = arith.sub %c, %c : coopmatrix<f32x8x8,matrix_acc>"),
    ("y = c * c", "%y = arith.mul %c, %c : coopmatrix<f32x8x8,matrix_acc>"),
    ("y = c / c", "%y = arith.div %c, %c : coopmatrix<f32x8x8,matrix_acc>"),
    ("y = -c", "%y = arith.neg %c : coopmatrix<f32x8x8,matrix_acc>"),
    ("y = 1.0 - c", "%0 = constant 0x1p+0 : coopmatrix<f32x8x8,matrix_acc>\n%y = arith.sub %0, %c : coopmatrix<f32x8x8,matrix_acc>"),
    ("y = cast(c, f16)", "%y = cast %c : coopmatrix<f16x8x8,matrix_acc>"),
    ("y = c64(c)", "%y = cast %c : coopmatrix<c64x8x8,matrix_acc>"),
    ("y = f32(c)", ""),
    ("y = coop.full(c32, 1j, (8, 8), 'matrix_a')", "%y = constant [0x0p+0,0x1p+0] : coopmatrix<c32x8x8,matrix_a>"),
    ("y = coop.full(component=i8, value=-3, shape=(8, 8), use='matrix_b')", "%y = constant -3 : coopmatrix<i8x8x8,matrix_b>"),
    ("coop.store(c, A, i, i)", "cooperative_matrix_store %c, %A[%i, %i]"),
    ("coop.store(c, A, i, i, checked='rows', atomic=True)", "cooperative_matrix_store.rows_checked.atomic %c, %A[%i, %i]"),
    ("coop.store(c, A, i, i, 'cols', 'add')", "cooperative_matrix_store.cols_checked.atomic_add %c, %A[%i, %i]"),
    ("coop.store(c, A, i, i, checked='both', atomic=False)", "cooperative_matrix_store.both_checked %c, %A[%i, %i]"),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "expected"), COLLECTIVE)
def test_collective_and_mixed(statement, expected):
    assert last(statement) == expected


@pytest.mark.parametrize(("statement", "expected"), SPMD)
def test_spmd(statement, expected):
    assert last(f"with parallel():\n    {statement}") == f"parallel {{\n  {expected}\n}}"


@pytest.mark.parametrize(("statement", "expected"), COOPERATIVE)
def test_cooperative_matrices(statement, expected):
    def lines(statements):
        indented = "\n".join(f"    {line}" for line in statements.splitlines())
        return body(f"with parallel():\n{indented}", PARAMETERS).splitlines()[1:-1]

    before = lines(MATRICES)
    after = lines(f"{MATRICES}\n{statement}")
    assert after[: len(before)] == before
    assert dedented("\n".join(after[len(before) :])) == expected


@pytest.mark.parametrize(
    ("call", "constants"),
    [
        ("gemv(1, Z, z8, 0, z16)", ["[0x1p+0,0x0p+0] : c32", "[0x0p+0,0x0p+0] : c32"]),
        ("gemv(2j, Z, z8, 1.5, z16)", ["[0x0p+0,0x1p+1] : c32", "[0x1.8p+0,0x0p+0] : c32"]),
        ("ger(1, i16_, i8_, 0, C)", ["1 : i8", "0x0p+0 : f32"]),
        ("hadamard(-1, i16_, i16_, True + 0, i16_)", ["-1 : i8", "1 : i8"]),
        ("cumsum(3, i16_, 0, 1, v)", ["3 : i8", "0x1p+0 : f32"]),
        ("pytl.sum(3, Z, 1, z16)", ["[0x1.8p+1,0x0p+0] : c32", "[0x1p+0,0x0p+0] : c32"]),
        ("gemv(x, A, w, 0 if b else 1, v)", ["0x0p+0 : f32", "0x1p+0 : f32"]),
    ],
)
def test_literals_take_the_type_of_what_they_scale(call, constants):
    parameters = (
        "Z: Memref[c32, 16, 8], z16: Memref[c32, 16], z8: Memref[c32, 8], A: Memref[f32, 16, 8], v: Memref[f32, 16],"
        "w: Memref[f32, 8], i16_: Memref[i8, 16], i8_: Memref[i8, 8], C: Memref[f32, 16, 8], x: f32, b: bool_"
    )
    found = [line.split("constant ")[1] for line in body(call, parameters).splitlines() if "constant" in line]
    assert found == constants


def test_exp_of_python_numbers_is_computed_while_tracing():
    kernel = """
        def kernel(A: Memref[f64, 8], Z: Memref[c64, 1]):
            A[0] = exp(1)
            A[1] = native_exp(-2.5)
            A[2] = math.exp(0.5)
            A[3] = np.exp(0.5)
            A[4] = float(np.sqrt(2.0))
            Z[0] = exp(1j)
            Z[0] = cmath.exp(2j)
    """
    traced = text(function(kernel, math=math, np=np, cmath=cmath))
    numbers = [math.exp(1), math.exp(-2.5), math.exp(0.5), math.exp(0.5), math.sqrt(2.0)]
    shown = [line.split("constant ")[1].split(" :")[0] for line in traced.splitlines() if "constant" in line]
    assert [float.fromhex(word) for word in shown if word.startswith(("0x", "-0x"))] == numbers
    pairs = [word.strip("[]").split(",") for word in shown if word.startswith("[")]
    assert [complex(float.fromhex(a), float.fromhex(b)) for a, b in pairs] == [cmath.exp(1j), cmath.exp(2j)]


LOOPS = [
    ("for n in unroll(range(4)):", "for %n = %0, %1 {", "} {unroll=true}"),
    ("for n in unroll(range(0, i), True):", "for %n = %0, %i {", "} {unroll=true}"),
    ("for n in unroll(range(k), request=False):", "for %n: i32 = %0, %k {", "} {unroll=false}"),
    ("for n in unroll(range(k), unrolled):", "for %n: i32 = %0, %k {", "} {unroll=false}"),
    ("for n in range(i8(0), 4):", "for %n: i8 = %0, %1 {", "}"),
    ("for n in range(0, 4, i16(2)):", "for %n: i16 = %1, %2, %0 {", "}"),
    ("for n in range(0, i64(9), 3):", "for %n: i64 = %1, %0, %2 {", "}"),
    ("for n in range(k):", "for %n: i32 = %0, %k {", "}"),
    ("for n in range(i):", "for %n = %0, %i {", "}"),
    ("for n in range(8):", "for %n = %0, %1 {", "}"),
]


@pytest.mark.parametrize(("head", "first", "end"), LOOPS)
def test_loops(head, first, end):
    kernel = f"def f(S: Memref[f32], k: i32, i: index):\n    {head}\n        S[()] = 1.0\n"
    lines = [line.strip() for line in text(function(kernel, unrolled=False)).splitlines()]
    assert first in lines
    assert lines[-2] == end


def test_loops_carry_numbers_truth_values_and_matrices():
    assert body("""
        with parallel():
            c = coop.full(f32, 0.0, (8, 8), "matrix_acc")
            n = i8(0)
            z = c32(1j)
            odd = True
            for step in range(4):
                c = c + c
                n += 1
                z = z * z
                odd = not odd
            if odd and n > 2:
                coop.store(c, A, 0, 0)
            A[0, 0] = z.real
    """) == dedented("""
        parallel {
          %c = constant 0x0p+0 : coopmatrix<f32x8x8,matrix_acc>
          %n = constant 0 : i8
          %z = constant [0x0p+0,0x1p+0] : c32
          %0 = constant 0 : index
          %1 = constant 4 : index
          %2 = constant true : bool
          %c_1, %n_1, %z_1, %odd = for %step = %0, %1 init(%c_1=%c, %n_1=%n, %z_1=%z, %odd=%2) -> (coopmatrix<f32x8x8,matrix_acc>, i8, c32, bool) {
            %c_2 = arith.add %c_1, %c_1 : coopmatrix<f32x8x8,matrix_acc>
            %3 = constant 1 : i8
            %n_2 = arith.add %n_1, %3 : i8
            %z_2 = arith.mul %z_1, %z_1 : c32
            %odd_1 = arith.not %odd : bool
            yield (%c_2, %n_2, %z_2, %odd_1)
          }
          %4 = constant 2 : i8
          %5 = cmp.gt %n_1, %4 : bool
          %6 = arith.and %odd, %5 : bool
          if %6 {
            %7 = constant 0 : index
            %8 = constant 0 : index
            cooperative_matrix_store %c_1, %A[%7, %8]
          }
          %9 = arith.re %z_1 : f32
          %10 = constant 0 : index
          %11 = constant 0 : index
          store %9, %A[%10, %11]
        }""")


def test_conditional_expressions_give_matrices():
    assert body("""
        with parallel():
            c = coop.full(f32, 0.0, (8, 8), "matrix_acc")
            coop.store(c if x > 0 else -c, A, i, j)
    """) == dedented("""
        parallel {
          %c = constant 0x0p+0 : coopmatrix<f32x8x8,matrix_acc>
          %0 = constant 0x0p+0 : f32
          %1 = cmp.gt %x, %0 : bool
          %2 = if %1 -> (coopmatrix<f32x8x8,matrix_acc>) {
            yield (%c)
          } else {
            %3 = arith.neg %c : coopmatrix<f32x8x8,matrix_acc>
            yield (%3)
          }
          cooperative_matrix_store %2, %A[%i, %j]
        }""")


MISUSE = [
    ("gemv(1.0, A.T, w, 0.0, w)", "PYTL-0351", "gemv: columns(op1(A)) = 16, but rows(b) = 8", None),
    ("gemv(1.0, A, w.T, 0.0, v)", "PYTL-1055", "only a matrix has a transpose, but this is memref<f32x8>", None),
    ("ger(1.0, v, w, 0.0, A.T)", "PYTL-1004", "C of ger can't be transposed", None),
    ("ger(1.0, v, 3.0, 0.0, A)", "PYTL-1002", "b of ger is the Python float 3.0, not memref-type", None),
    ("hadamard(1.0, A, v, 0.0, A)", "PYTL-0370", "hadamard: the orders of A, B and C are 2, 1 and 2", None),
    ("hadamard(1.0, G, A, 0.0, A)", "PYTL-1002", "A of hadamard is group<memref<f32x16x8>x?>, not memref-type", "take one of its memrefs: G[g]"),
    ("pytl.sum(1.0, A, 0.0, w)", "PYTL-0382", "sum: rows(b) = 8, but rows(op(A)) = 16", None),
    ("pytl.sum(1.5, I, 0.0, v)", "PYTL-1003", "the Python float 1.5 is used where an i8 is expected", "its type follows from the other arguments"),
    ("cumsum(1.0, A, i, 0.0, B)", "PYTL-1002", "mode of cumsum is index, not a Python integer", "it is part of the instruction, so it must be known while the kernel is traced"),
    ("cumsum(1.0, A, 2, 0.0, B)", "PYTL-0391", "cumsum: memref<f32x16x8> has no mode 2", "modes are counted from 0 to 1"),
    ("cumsum(1.0, A, 0.0, B)", "PYTL-1041", "cumsum: missing a required argument: 'B'", "write cumsum(alpha, A, mode, beta, B, atomic=False, any_beta=False)"),
    ("exp(k)", "PYTL-1002", "a of exp is i32, not floating-type / complex-type", "cast it: f64(k)"),
    ("exp(yes)", "PYTL-1002", "a of exp is bool, not floating-type / complex-type", None),
    ("exp(v)", "PYTL-1002", "a of exp is memref<f32x16>, not floating-type / complex-type", "load an element of it: v[i]"),
    ("exp(1e9)", "PYTL-1002", "exp of the Python float 1000000000.0 is beyond the range of every type", None),
    ("exp(0.0 if yes else 1.0)", "PYTL-1003", "nothing gives the literal 0.0 or 1.0 a type here", "name the type: f64(0.0), or f32(0.0) if its uses are f32"),
    ("math.exp(x)", "PYTL-1040", "math.exp can't be called in a kernel", "call pytl's own: from pytl import exp"),
    ("cmath.exp(z)", "PYTL-1040", "cmath.exp can't be called in a kernel", "call pytl's own: from pytl import exp"),
    ("np.exp(x)", "PYTL-1040", "np.exp can't be called in a kernel", "call pytl's own: from pytl import exp"),
    ("sum(v)", "PYTL-1033", "v can't be looped over", "write for i in range(v.shape[0]), and take v[i]; of a whole tensor: pytl.sum(alpha, A, beta, b)"),
    ("np.cumsum(v)", "PYTL-1040", "np.cumsum can't be called in a kernel", "call pytl's own: pytl.cumsum"),
    ("fuse(A, 0)", "PYTL-1041", "fuse: missing a required argument: 'last'", "write fuse(tensor, first, last)"),
    ("fuse(A, 1, 0)", "PYTL-0480", "fuse: modes 1 to 0 of memref<f32x16x8> are not two or more of its modes", "from is less than to, and both are counted from 0"),
    ("fuse(A[0:4, :], 0, 1)", "PYTL-0481", "fuse: the stride of mode 1 is 16, but mode 0 ends after 4 elements", None),
    ("fuse(A, i, 1)", "PYTL-1002", "first of fuse is index, not a Python integer", "it must be known while the kernel is traced: a number, a constant of the module, or a constexpr"),
    ("fuse(A.T, 0, 1)", "PYTL-1004", "tensor of fuse can't be transposed", None),
    ("fuse(G, 0, 1)", "PYTL-1002", "tensor of fuse is group<memref<f32x16x8>x?>, not a memref", "take one of its memrefs: G[g]"),
    ("expand(A, 1, 8)", "PYTL-1002", "expand_shape of expand is the Python int 8, not two sizes or more", "write the sizes in parentheses: expand(A, 1, (2, 8))"),
    ("expand(A, 1, (2, 3))", "PYTL-0473", "expand: 2 x 3 is 6, but mode 1 has size 8", None),
    ("expand(A, 1, (-1, 2))", "PYTL-1002", "a size is the Python int -1", "each size is a Python integer or a value of type index; where one follows from the others, compute it"),
    ("expand(A, 1, (2.0, 4))", "PYTL-1002", "a size is the Python float 2.0", "each size is a Python integer or a value of type index; where one follows from the others, compute it"),
    ("expand(A, 1, (k, 4))", "PYTL-0471", "expand: a size of the expand shape is i32", "cast it: index(…)"),
    ("expand(A, 5, (2, 4))", "PYTL-0470", "expand: memref<f32x16x8> has no mode 5", "modes are counted from 0 to 1"),
    ("subgroup.size", "PYTL-1031", "subgroup.size is named, but not called", "write subgroup.size(…)"),
    ("subgroup.id()", "PYTL-0202", "builtin.subgroup_id is an SPMD instruction, but is in a collective region", "put it into a parallel region: with parallel():"),
    ("unroll(range(4))", "PYTL-1042", "unroll is used at the head of a statement", "write for i in unroll(range(n)):"),
    ("for n in unroll(4): pass", "PYTL-1033", "4 can't be unrolled", "write for i in unroll(range(n))"),
    ("for n in unroll(foreach(4)): pass", "PYTL-1033", "foreach(4) can't be unrolled", "write for i in unroll(range(n))"),
    ("for n in unroll(range(4), 0): pass", "PYTL-1033", "request of unroll is the Python int 0, not True, False or a positive integer", None),
    ("for n in unroll(range(4), 2.0): pass", "PYTL-1033", "request of unroll is the Python float 2.0, not True, False or a positive integer", None),
    ("for n in unroll(): pass", "PYTL-1041", "unroll: missing a required argument: 'loop'", "write unroll(loop, request=True)"),
    ("for n in range(4, 0, 0): v[n] = x", "PYTL-0431", "for: the step is 0", "count upwards and derive the falling number in the body"),
    ("atomic.add(v[0], w)", "PYTL-1002", "the value is memref<f32x8>, but the elements are f32", "take one of its elements"),
    ("atomic.scale_add(v[0], 1.0, w)", "PYTL-1002", "the value is memref<f32x8>, but the elements are f32", "take one of its elements"),
    ("atomic.add(v[0], k)", "PYTL-1002", "the value is i32, but the elements are f32", "cast it: f32(k), which rounds numbers beyond 2^24"),
    ("for n in range(k, i): v[0] = x", "PYTL-1033", "a bound is index, but the loop's variable is i32", "cast it: i32(i)"),
]  # fmt: skip
MISUSE_SPMD = [
    ("subgroup.broadcast(x, i)", "PYTL-1002", "local_id of subgroup.broadcast is index, not i32", "cast it: i32(i)"),
    ("subgroup.broadcast(1.0, 0)", "PYTL-1003", "nothing gives the literal 1.0 a type here", "name the type: f64(1.0), or f32(1.0) if its uses are f32"),
    ("subgroup.max.reduce(z)", "PYTL-0562", "subgroup_max.reduce: not defined on c32", "compare the absolute values"),
    ("subgroup.add.reduce(c)", "PYTL-1002", "a of subgroup.add.reduce is coopmatrix<f32x8x8,matrix_acc>, not scalar-type", None),
    ("subgroup.add(x)", "PYTL-1040", "subgroup.add can't be called in a kernel", "name the operation: .reduce(x), .inclusive_scan(x) or .exclusive_scan(x)"),
    ("subgroup.mul.reduce(x)", "PYTL-1055", "subgroup has no attribute mul", "it has add, broadcast, count, id, local_id, max, min, size"),
    ("coop.load(A, 0, 0, (8, 8), 'a')", "PYTL-1002", "use of coop.load is the Python string 'a', not one of 'matrix_a', 'matrix_b', 'matrix_acc'", "write use='matrix_a'"),
    ("coop.load(A, 0, 0, (8, 8), 'matrixa')", "PYTL-1002", "use of coop.load is the Python string 'matrixa', not one of 'matrix_a', 'matrix_b', 'matrix_acc'", "did you mean 'matrix_a'?"),
    (
        "coop.load(A, 9, 0, (8, 8), 'matrix_a')",
        "PYTL-0512",
        "cooperative_matrix_load: mode 0 of M has size 16, but the matrix takes 8 elements from 9 on of it",
        'leave out what lies outside: checked="rows"',
    ),
    ("coop.load(A, 0, 0, 8, 'matrix_a')", "PYTL-1002", "shape of coop.load is the Python int 8, not rows and columns", "write shape=(8, 16)"),
    ("coop.load(A, 0, 0, (8, i), 'matrix_a')", "PYTL-1002", "a size of coop.load is index, not a Python integer", "it must be known while the kernel is traced: a number, a constant of the module, or a constexpr"),
    ("coop.load(A, 0, 0, (8, 0), 'matrix_a')", "PYTL-1002", "a size of coop.load is 0, but each is at least 1", None),
    ("coop.load(A, k, 0, (8, 8), 'matrix_a')", "PYTL-1002", "x of coop.load is i32, not index", "cast it: index(k)"),
    ("coop.load(A.T, 0, 0, (8, 8), 'matrix_a')", "PYTL-1004", "M of coop.load can't be transposed", "write transpose=True; x and y are still the row and column of the memref"),
    ("coop.load(v, 0, 0, (8, 8), 'matrix_a')", "PYTL-0510", "cooperative_matrix_load: M is memref<f32x16>, of order 1", None),
    ("coop.load(A, 0, 0, (8, 8), 'matrix_a', checked=True)", "PYTL-1002", "checked of coop.load is the Python bool True, not one of None, 'rows', 'cols', 'both'", "write checked=None"),
    ("coop.load(A, 0, 0, (8, 8), 'matrix_a', transpose=1)", "PYTL-1002", "transpose of coop.load is the Python int 1, not one of False, True", "write transpose=False"),
    ("coop.load(A, 0, 0, (8, 8), use='matrix_a', check='rows')", "PYTL-1041", "coop.load: got an unexpected keyword argument 'check'", "did you mean checked=?"),
    ("coop.mul_add(a, coop.load(H, i, i, (4, 8), 'matrix_a'), c)", "PYTL-0520", "cooperative_matrix_mul_add: B is coopmatrix<f16x4x8,matrix_a>, but must be of use matrix_b", None),
    ("coop.mul_add(a, A, c)", "PYTL-1002", "B of coop.mul_add is memref<f32x16x8>, not coopmatrix-type", "load it with coop.load, or make a constant one with coop.full"),
    ("coop.mul_add(a, b, c, 3)", "PYTL-1002", "component of coop.mul_add is the Python int 3, not a number type", "write f32"),
    ("coop.scale(h, c)", "PYTL-0530", "cooperative_matrix_scale: the scalar is f16, but the components are f32", "cast it: f32(…)"),
    ("coop.scale(c, x)", "PYTL-1002", "matrix of coop.scale is f32, not coopmatrix-type", "load it with coop.load, or make a constant one with coop.full"),
    ("coop.scale(1j, c)", "PYTL-1003", "the Python complex 1j is used where an f32 is expected", "use a complex type, or a part of the number"),
    ("coop.store(c, H, 0, 0)", "PYTL-1002", "the components are f32, but the elements of M are f16", "cast it: f16(c), which rounds"),
    ("coop.store(c, A, 0, 0, atomic='sub')", "PYTL-1002", "atomic of coop.store is the Python string 'sub', not one of False, True, 'add'", "write atomic=False"),
    ("coop.full(f32, 1.5j, (8, 8), 'matrix_a')", "PYTL-1002", "value of coop.full is the Python complex 1.5j, not a Python number that f32 has", None),
    ("coop.full(f32, x, (8, 8), 'matrix_a')", "PYTL-1002", "value of coop.full is f32, not a Python number that f32 has", "scale a matrix of ones: coop.scale(x, coop.full(f32, 1, shape, use))"),
    ("coop.full(bool_, True, (8, 8), 'matrix_a')", "PYTL-1002", "component of coop.full is the type bool_, not a number type", "write f32"),
    ("coop.full(i8, 300, (8, 8), 'matrix_a')", "PYTL-0421", "constant: 300 is beyond i8, which holds -128 … 127", "where another operand gave the literal its type, cast that one to a wider type first"),
    ("c + x", "PYTL-1050", "+ on coopmatrix<f32x8x8,matrix_acc> and f32", "make a matrix of the number: coop.scale(x, coop.full(f32, 1, (8, 8), 'matrix_acc'))"),
    ("c / x", "PYTL-1050", "/ on coopmatrix<f32x8x8,matrix_acc> and f32", "scale by the inverse: (1.0 / x) * c"),
    ("h * c", "PYTL-1050", "the factor is f16, but the components of coopmatrix<f32x8x8,matrix_acc> are f32", "cast it: f32(…)"),
    ("a + c", "PYTL-1050", "+ on coopmatrix<f16x8x4,matrix_a> and coopmatrix<f32x8x8,matrix_acc>", None),
    ("c & c", "PYTL-1051", "& is not defined on coopmatrix<f32x8x8,matrix_acc>", "it works on integers"),
    ("c < c", "PYTL-1051", "< is not defined on coopmatrix<f32x8x8,matrix_acc>", None),
    ("~coop.full(f32, 1, (8, 8), 'matrix_a')", "PYTL-1051", "~ is not defined on coopmatrix<f32x8x8,matrix_a>", None),
    ("f32(coop.full(c32, 1, (8, 8), 'matrix_a'))", "PYTL-1002", "coopmatrix<c32x8x8,matrix_a> can't be cast to coopmatrix<f32x8x8,matrix_a>", None),
    ("gemm(1.0, A, B.T, 0.0, C)", "PYTL-0201", "gemm is collective, but is in an SPMD region", "move it out of the foreach or parallel region"),
]  # fmt: skip


def only_finding(statements):
    source = f"def kernel({PARAMETERS}):\n{statements}"
    (found,) = findings(function(source, "<kernel>", math=math, cmath=cmath, np=np))
    return found


@pytest.mark.parametrize(("statement", "code", "wrong", "help"), MISUSE)
def test_misuse(statement, code, wrong, help):
    found = only_finding(f"    {statement}\n")
    assert (found.code, found.message, found.help) == (code, wrong, help)
    assert found.location.line == 2


@pytest.mark.parametrize(("statement", "code", "wrong", "help"), MISUSE_SPMD)
def test_misuse_in_a_parallel_region(statement, code, wrong, help):
    lines = "".join(f"        {line}\n" for line in [*MATRICES.splitlines(), statement])
    found = only_finding(f"    with parallel():\n{lines}")
    assert (found.code, found.message, found.help) == (code, wrong, help)
    assert found.location.line == 6
