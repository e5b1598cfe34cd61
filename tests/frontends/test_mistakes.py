"""What a kernel can't say: code, line and message of each."""

import sys

import numpy as np
import pytest
from tracing_kit import findings, function

HEAD = (
    "def kernel(A: Memref[f32, 4], M: Memref[f32, 4, 4], G: Group[f32, 4], i: i32, n: index, x: f32, z: c32, b: bool_):"
)

NO_MAXIMUM = "max() arg is an empty sequence" if sys.version_info < (3, 12) else "max() iterable argument is empty"

STATEMENTS = [
    ("while b: pass", "PYTL-1086", "nothing tells how many iterations this while has at most"),
    ("while pytl.bound(b, most=-1): pass", "PYTL-1087", "the limit of a while is the Python int -1"),
    ("while pytl.bound(b, x): pass", "PYTL-1087", "the limit of a while is f32"),
    ("while x: pass", "PYTL-1052", "the condition is f32"),
    ("for k in foreach(3): break", "PYTL-1088", "break would leave the foreach, whose work-items go on together"),
    (
        "for k in range(3):\n        with parallel():\n            continue",
        "PYTL-1088",
        "continue would leave the parallel region, whose work-items go on together",
    ),
    ("try: pass\n    except Exception: pass", "PYTL-1030", "there is no try: there are no exceptions on a device"),
    ("raise ValueError", "PYTL-1030", "there is no raise: there are no exceptions on a device"),
    ("async def f(): pass", "PYTL-1030", "a kernel defines no coroutines"),
    ("class C: pass", "PYTL-1030", "a kernel defines no classes"),
    ("global y", "PYTL-1030", "a kernel can't rebind a name of the module"),
    ("del A", "PYTL-1030", "there is no del: memory is freed at the end of its region"),
    ("import os", "PYTL-1030", "a kernel imports no modules"),
    ("from os import path", "PYTL-1030", "a kernel imports no names"),
    ("assert False", "PYTL-1063", "False is false"),
    ("assert 1 > 2, f'too {1 + 1}'", "PYTL-1063", "too 2"),
    ("assert x", "PYTL-1052", "the condition is f32"),
    ("y = [k for k in A]", "PYTL-1033", "A can't be looped over"),
    ("y = [k for k in (x, x) if k > 0]", "PYTL-1064", "what the comprehension keeps depends on a value of the kernel"),
    ("y = {k for k in (x, x)}", "PYTL-1064", "an item of the set is f32, which is known at run time only"),
    ("y = {k: k for k in (x, x)}", "PYTL-1064", "a key of the dictionary is f32, which is known at run time only"),
    ("y = sorted([x, x])", "PYTL-1064", "sorted orders values that are known at run time only"),
    ("y = [x].index(x)", "PYTL-1064", "index compares items that are known at run time only"),
    ("y = (k for k in (1, 2))", "PYTL-1067", "a generator expression is kept here"),
    ("y = zip((1, 2), (3, 4))", "PYTL-1067", "what zip gives is kept here"),
    (
        "y = [x]\n    if b: y.append(x)",
        "PYTL-1065",
        "the list was made outside of this branch or loop, which is executed at run time",
    ),
    (
        "y = [x]\n    for k in range(4): y[0] = x",
        "PYTL-1065",
        "the list was made outside of this branch or loop, which is executed at run time",
    ),
    ("y = (x, x)\n    y[0] = x", "PYTL-1065", "a Python tuple can't be changed"),
    ("y = [x] if b else [x, x]", "PYTL-1022", "this is a Python list if the condition holds, else a Python list"),
    ("y = [1, 2]\n    for k in y: y.append(k)", "PYTL-1033", "a loop over the list changes its length"),
    ("y = (b and (q := x) > 0.0) + q", "PYTL-1021", "q is bound by := in a part that is not always evaluated"),
    ("y = f'{x}'", "PYTL-1066", "the text contains f32, which is known at run time only"),
    ("y = (*A,)", "PYTL-1033", "A can't be looped over"),
    ("yield x", "PYTL-1031", "there is no yield: a kernel is not a generator"),
    ("yield from A", "PYTL-1031", "there is no yield from: a kernel is not a generator"),
    ("gemm", "PYTL-1031", "gemm is named, but not called"),
    ("return x", "PYTL-1032", "a kernel returns nothing"),
    ("if b: return x", "PYTL-1032", "a kernel returns nothing"),
    ("for k in range(3): return x", "PYTL-1032", "a kernel returns nothing"),
    ("for k in foreach(3): return", "PYTL-1088", "return would leave the foreach, whose work-items go on together"),
    ("y.z = x", "PYTL-1034", "an attribute can't be assigned to"),
    ("A.T += x", "PYTL-1034", "an attribute can't be assigned to"),
    ("p, q, *r = 1,", "PYTL-1034", "at least 2 names are given for 1 values"),
    ("p, q = 1, 2, 3", "PYTL-1034", "2 names are given for 3 values"),
    ("p, q = x", "PYTL-1034", "f32 can't be unpacked"),
    ("y: f32", "PYTL-1034", "an annotated assignment has a name and a value"),
    ("A[0]: f32 = 1.0", "PYTL-1034", "an annotated assignment has a name and a value"),
    ("y: Memref[f32, 4] = A", "PYTL-1034", "the type memref<f32x4> is not a number type"),
    ("y: int = 3", "PYTL-1034", "the type int is not a number type"),
    ("y: f64 = x", "PYTL-1050", "y is annotated f64, but its value is f32"),
    ("y: f64 = 'a'", "PYTL-1050", "the Python string 'a' is not of type f64"),
    ("A[:] = i", "PYTL-1050", "i32 is stored, but the elements are f32"),
    ("atomic.add(A[:], x)", "PYTL-1034", "this is a slice, not one element"),
    ("M.T[0, 0] = x", "PYTL-1034", "nothing can be stored in the transpose of memref<f32x4x4>"),
    ("x[0] = x", "PYTL-1034", "nothing can be stored in f32"),
    ("A[0] = A", "PYTL-1050", "memref<f32x4> is stored, but the elements are f32"),
    ("A[0] = b", "PYTL-1050", "bool is stored, but the elements are f32"),
]

EXPRESSIONS = [
    # names and attributes
    ("nobody", "PYTL-1020", "nobody is not defined"),
    ("A.foo", "PYTL-1055", "memref<f32x4> has no attribute foo"),
    ("A.T", "PYTL-1055", "only a matrix has a transpose, but this is memref<f32x4>"),
    ("M.T.shape", "PYTL-1055", "the transpose of memref<f32x4x4> has no attribute shape"),
    ("G.T", "PYTL-1055", "group<memref<f32x4>x?> has no attribute T"),
    ("x.foo", "PYTL-1055", "f32 has no attribute foo"),
    ("b.real", "PYTL-1055", "bool has no attribute real"),
    ("np.foo", "PYTL-1055", "the module numpy has no attribute foo"),
    ("x.real", "PYTL-1051", ".real is not defined on f32"),
    ("x.conj()", "PYTL-1051", ".conj() is not defined on f32"),
    ("z.conj(1)", "PYTL-1041", "conj takes no arguments"),
    # operators
    ("i / 2", "PYTL-1051", "/ is not defined on i32"),
    ("x // 2", "PYTL-1051", "// is not defined on f32"),
    ("x ** A", "PYTL-1051", "** is not defined on f32 and memref<f32x4>"),
    ("x ** 1j", "PYTL-1002", "n of pow is the Python complex 1j, not a real number, or an integer up to i32"),
    ("x ** f64(2)", "PYTL-1002", "pow of f32 and f64"),
    ("2 ** i", "PYTL-1051", "** is not defined on the Python int 2 and i32"),
    ("A @ A", "PYTL-1051", "@ of two vectors is a number, and no instruction computes it"),
    ("A + A", "PYTL-1051", "+ is not defined on memref<f32x4>"),
    ("M.T * 2", "PYTL-1051", "* is not defined on the transpose of memref<f32x4x4>"),
    ("x + None", "PYTL-1051", "+ is not defined on None"),
    ("b + b", "PYTL-1051", "+ is not defined on bool"),
    ("z < z", "PYTL-1051", "< is not defined on c32"),
    ("z % z", "PYTL-1051", "% is not defined on c32"),
    ("max(z, z)", "PYTL-1051", "max is not defined on c32"),
    ("x & 1", "PYTL-1051", "& is not defined on f32"),
    ("x << 1", "PYTL-1051", "<< is not defined on f32"),
    ("~x", "PYTL-1051", "~ is not defined on f32"),
    ("-b", "PYTL-1051", "- is not defined on bool"),
    ("-A", "PYTL-1051", "- is not defined on memref<f32x4>"),
    ("abs(b)", "PYTL-1051", "abs is not defined on bool"),
    ("i in {1, 2}", "PYTL-1051", "in is not defined on values of a kernel"),
    ("b < b", "PYTL-1051", "< is not defined on bool"),
    ("b is True", "PYTL-1051", "is is not defined on values of a kernel"),
    ("b and 3", "PYTL-1051", "and is not defined on the Python int 3"),
    ("not i", "PYTL-1052", "the condition is i32"),
    ("b and i", "PYTL-1052", "the condition is i32"),
    ("1 if x else 2", "PYTL-1052", "the condition is f32"),
    ("x + i", "PYTL-1050", "+ on f32 and i32"),
    ("x < i", "PYTL-1050", "< on f32 and i32"),
    ("min(x, n)", "PYTL-1050", "min on f32 and index"),
    # what folds
    ("1 / 0", "PYTL-1056", "computing this gives ZeroDivisionError: division by zero"),
    ("(1, 2)[5]", "PYTL-1056", "computing this gives IndexError: tuple index out of range"),
    ("7 // -2", "PYTL-1056", "7 // -2 is -4 in Python, but -3 in the tensor language"),
    ("-7 % 2", "PYTL-1056", "-7 % 2 is 1 in Python, but -1 in the tensor language"),
    ("(1, 2)[n]", "PYTL-1053", "a Python tuple can't be indexed with index"),
    ("A.shape[3]", "PYTL-1056", "computing this gives IndexError: tuple index out of range"),
    ("A.shape[n]", "PYTL-1056", "the mode is index, not a Python integer"),
    ("Memref[f32, -1]", "PYTL-1001", "a size is at least 1, but -1 is given"),
    ("max(1)", "PYTL-1033", "1 can't be looped over"),
    ("max(())", "PYTL-1056", f"computing this gives ValueError: {NO_MAXIMUM}"),
    # indices and slices
    ("A[i]", "PYTL-1053", "an index is i32, which may be negative"),
    ("A[b]", "PYTL-1053", "an index is bool"),
    ("A[1.5]", "PYTL-1053", "an index is the Python float 1.5"),
    ("A[True]", "PYTL-1053", "an index is the Python bool True"),
    ("A[None]", "PYTL-1053", "an index is None"),
    ("A[...]", "PYTL-1053", "an index is ..."),
    ("A[-1]", "PYTL-1053", "the index -1 is negative"),
    ("A[0, 0]", "PYTL-1053", "memref<f32x4> has 1 mode, but 2 indices are given"),
    ("M[0]", "PYTL-1053", "memref<f32x4x4> has 2 modes, but 1 index is given"),
    ("M[0][i]", "PYTL-1053", "the indices of memref<f32x4x4> are in one pair of brackets"),
    ("M[0:2]", "PYTL-1053", "memref<f32x4x4> has 2 modes, but 1 index is given"),
    ("G[0, 0]", "PYTL-1053", "a group has one index, but 2 indices are given"),
    ("x[0]", "PYTL-1053", "f32 can't be indexed"),
    ("M.T[0, 0]", "PYTL-1053", "the transpose of memref<f32x4x4> can't be indexed"),
    ("A[4]", "PYTL-0414", "load: index 4 is out of bounds in mode 0, whose size is 4"),
    ("A[2:6]", "PYTL-0453", "subview: slice 2:4 of mode 0 ends at 6, but the mode's size is 4"),
    ("A[2:2]", "PYTL-1054", "the slice 2:2 has 0 elements"),
    ("A[n : n - 2]", "PYTL-1054", "the slice n:n - 2 has -2 elements"),
    ("A[::2]", "PYTL-1054", "a slice has no step"),
    ("A[:-1]", "PYTL-1053", "the index -1 is negative"),
    ("A[i:]", "PYTL-1053", "an index is i32, which may be negative"),
    ("G[0:2]", "PYTL-1054", "a group can't be sliced"),
    # calls
    ("print(G)", "PYTL-1082", "group<memref<f32x4>x?> can't be shown"),
    ("enumerate(A)", "PYTL-1067", "what enumerate gives is kept here"),
    ("float(x)", "PYTL-1040", "float can't be called in a kernel"),
    ("np.zeros(3)", "PYTL-1040", "np.zeros can't be called in a kernel"),
    ("np.linspace(0, 1)", "PYTL-1040", "np.linspace can't be called in a kernel"),
    ("np.sin(x)", "PYTL-1040", "np.sin can't be called in a kernel"),
    ("math.sqrt(x)", "PYTL-1040", "math.sqrt can't be called in a kernel"),
    ("np(x)", "PYTL-1040", "np can't be called in a kernel"),
    ("parse('')", "PYTL-1040", "parse can't be called in a kernel"),
    ("Memref(3)", "PYTL-1040", "Memref is a type"),
    ("len(x)", "PYTL-1051", "len is not defined on f32"),
    ("len(A, A)", "PYTL-1041", "len takes at most 1 arguments, not 2"),
    ("min(x)", "PYTL-1041", "min takes two or more numbers"),
    ("min(x, 1.0, key=abs)", "PYTL-1064", "min orders values that are known at run time only"),
    ("f32()", "PYTL-1041", "f32 takes one number"),
    ("f32(x, x)", "PYTL-1041", "f32 takes one number"),
    ("f32(z)", "PYTL-1002", "c32 can't be cast to f32"),
    ("f32(A)", "PYTL-1002", "only numbers are cast, but this is memref<f32x4>"),
    ("f32(1j)", "PYTL-1002", "the Python complex 1j can't be f32"),
    ("bool_(i)", "PYTL-1002", "i32 can't be cast to bool"),
    ("cast(x, 3)", "PYTL-1002", "cast takes a number type, but got the Python int 3"),
    ("cast(x, Memref[f32, 4])", "PYTL-1002", "cast takes a number type, but got the type memref<f32x4>"),
    ("i8(300)", "PYTL-0421", "constant: 300 is beyond i8, which holds -128 … 127"),
    ("f16(1e6)", "PYTL-0422", "constant: the constant is beyond the range of f16"),
    ("gemm(1.0, A)", "PYTL-1041", "gemm: missing a required argument: 'B'"),
    ("axpby(1.0, A, 0.0, A, atomc=True)", "PYTL-1041", "axpby: got an unexpected keyword argument 'atomc'"),
    ("gemm(*A)", "PYTL-1033", "A can't be looped over"),
    ("gemm(**A)", "PYTL-1041", "** takes a dictionary of names, not memref<f32x4>"),
    ("axpby(1.0, x, 0.0, A)", "PYTL-1002", "A of axpby is f32, not memref-type"),
    ("axpby(A, A, 0.0, A)", "PYTL-1002", "alpha of axpby is memref<f32x4>, not scalar-type"),
    ("axpby(1.0, 2.0, 0.0, A)", "PYTL-1002", "A of axpby is the Python float 2.0, not memref-type"),
    ("axpby('a', A, 0.0, A)", "PYTL-1002", "alpha of axpby is the Python string 'a', not scalar-type"),
    ("axpby(1.0, A, 0.0, A, atomic=1)", "PYTL-1002", "atomic of axpby is the Python int 1, not True or False"),
    ("axpby(1.0, M, 0.0, M.T)", "PYTL-1004", "B of axpby can't be transposed; it takes A.T"),
    ("gemm(1.0, M, M, 0.0, M.T)", "PYTL-1004", "C of gemm can't be transposed; it takes A.T, B.T"),
    ("lifetime_stop(M.T)", "PYTL-1004", "tensor of lifetime_stop can't be transposed"),
    ("axpby(1.0, A, 2.0, A, atomic=True)", "PYTL-0324", "axpby: beta of an atomic update is not the constant 0 or 1"),
    ("axpby(f64(1.0), A, 0.0, A)", "PYTL-0322", "axpby: alpha is f64, which is not promotable to f32"),
    ("alloca(3)", "PYTL-1002", "alloca takes an element type and sizes, or a Memref, but got the Python int 3"),
    ("alloca(f32, x)", "PYTL-1002", "a size of an alloca is f32, not a Python integer"),
    ("alloca(Memref[f32, 4], 4)", "PYTL-1002", "the Memref that alloca takes already has a shape"),
    ("alloca(f32, ...)", "PYTL-0310", "alloca: the size of memref<f32x?,local> is not known at compile time"),
    ("alloca(f32, 4, align='x')", "PYTL-1002", "align is the Python string 'x', not a Python integer"),
    ("alloca(f32, 4, align=3)", "PYTL-0312", "alloca: the alignment 3 is not a multiple of 4, the size of an element"),
    ("subview(x, 0)", "PYTL-1002", "tensor of subview is f32, not a memref"),
    ("subview(G, 0)", "PYTL-1002", "tensor of subview is group<memref<f32x4>x?>, not a memref"),
    ("subview(M, 0)", "PYTL-1002", "memref<f32x4x4> has 2 modes, but 1 index is given"),
    ("subview(A, (0, 1, 2))", "PYTL-1002", "a slice is a pair (offset, size)"),
    ("subview(A, (i, 2))", "PYTL-0451", "subview: a slice is bounded by a value of type i32"),
    ("size(x)", "PYTL-1002", "tensor of size is f32, not a memref"),
    ("size(A, n)", "PYTL-1002", "the mode is index, not a Python integer"),
    ("size(A, 1)", "PYTL-0457", "size: memref<f32x4> has no mode 1"),
    ("barrier('all')", "PYTL-1002", 'barrier takes "global" and "local", but got the Python string \'all\''),
    ("atomic.add(A, x)", "PYTL-1034", "this is not an element of a memref"),
    ("atomic.add(A[0], 1j)", "PYTL-1003", "the Python complex 1j is used where an f32 is expected"),
    ("atomic.store(A[0], f64(1.0))", "PYTL-1002", "the value is f64, but the elements are f32"),
]  # fmt: skip


def only_finding(source):
    import math

    (found,) = findings(function(source, "<kernel>", np=np, math=math))
    assert found.location is not None
    return found


@pytest.mark.parametrize(("statement", "code", "wrong"), STATEMENTS)
def test_statements(statement, code, wrong):
    found = only_finding(f"{HEAD}\n    # what follows is wrong\n    {statement}\n")
    assert (found.code, found.message) == (code, wrong)
    follows = code in ("PYTL-1065", "PYTL-1033") and "\n" in statement
    assert found.location.line == (5 if "parallel" in statement else 3 + follows)
    if code == "PYTL-1030":
        assert found.help


@pytest.mark.parametrize(("expression", "code", "wrong"), EXPRESSIONS)
def test_expressions(expression, code, wrong):
    found = only_finding(f"{HEAD}\n    y = {expression}\n")
    assert (found.code, found.message) == (code, wrong)
    assert found.location.line == 2


@pytest.mark.parametrize(
    ("expression", "code"), [(text, code) for text, code, _ in EXPRESSIONS if code.startswith("PYTL-1")]
)
def test_what_failed_is_not_complained_about_again(expression, code):
    uses = "A[0] = y + 1.0\n    for k in range(y): A[y] = k if y else k"
    assert only_finding(f"{HEAD}\n    y = {expression}\n    {uses}\n").code == code


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has no except*")
def test_exception_groups():
    found = only_finding(f"{HEAD}\n    try: pass\n    except* ValueError: pass\n")
    assert found.message == "there is no except*: there are no exceptions on a device"


@pytest.mark.skipif(sys.version_info < (3, 12), reason="a statement of Python 3.12")
def test_type_aliases():
    assert only_finding(f"{HEAD}\n    type T = int\n").message == "a kernel defines no types"


def test_expressions_that_are_too_deep():
    found = only_finding(f"{HEAD}\n    A[0] = {'+'.join(['x'] * 600)}\n")
    assert (found.code, found.message) == ("PYTL-1015", "kernel nests too deeply")
