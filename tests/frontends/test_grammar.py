"""Every kind of statement, expression, operator and pattern of Python's grammar has a meaning or a reason."""

# ruff: noqa: E501 (statements and what is said of them stand on one line)

import ast
import sys

import pytest
from tracing_kit import findings, function, text

HEAD = "def kernel(A: Memref[f32, 4], M: Memref[f32, 4, 4], i: index, n: i32, x: f32, b: bool_):"

TRANSLATED = {
    # statements
    "AnnAssign": "y: f32 = 1.0",
    "Assign": "A[i] = x",
    "AugAssign": "A[i] += x",
    "Expr": "'a text of its own'",
    "For": "for k in range(4): A[k] = x",
    "While": "while i < 4: i += 1",
    "Break": "for k in range(3): break",
    "If": "if b: A[i] = x",
    "Pass": "pass",
    "With": "with parallel(): A[i] = x",
    # expressions
    "Attribute": "y = A.shape",
    "BinOp": "y = x + x",
    "BoolOp": "y = b and b",
    "Call": "y = f32(n)",
    "Compare": "y = 0 < x < 1",
    "Constant": "y = 1",
    "IfExp": "y = x if b else 0.0",
    "Name": "y = x",
    "Slice": "y = A[0:2]",
    "Subscript": "y = A[i]",
    "Tuple": "y = (x, i)",
    "UnaryOp": "y = -x",
    # operators
    "Add": "y = x + x",
    "And": "y = b and b",
    "BitAnd": "y = i & i",
    "BitOr": "y = i | i",
    "BitXor": "y = b ^ b",
    "Div": "y = x / x",
    "Eq": "y = i == i",
    "FloorDiv": "y = i // i",
    "Gt": "y = i > i",
    "GtE": "y = i >= i",
    "In": "y = 1 in (1, 2)",
    "Invert": "y = ~i",
    "Is": "y = A is None",
    "IsNot": "y = A is not None",
    "LShift": "y = i << 2",
    "Lt": "y = i < i",
    "LtE": "y = i <= i",
    "Mod": "y = i % i",
    "Mult": "y = i * i",
    "Not": "y = not b",
    "NotEq": "y = i != i",
    "NotIn": "y = 1 not in (1, 2)",
    "Or": "y = b or b",
    "Continue": "for k in range(3): continue",
    "MatMult": "y = M @ M",
    "Pow": "y = x ** 2",
    "RShift": "y = i >> 2",
    "Sub": "y = i - i",
    # on what is known while tracing
    "Assert": "assert b",
    "Dict": "y = {1: x}",
    "DictComp": "y = {k: x for k in (1, 2)}",
    "FormattedValue": "y = f'{1}'",
    "FunctionDef": "def f(): pass",
    "GeneratorExp": "y = sum(x for k in (1, 2))",
    "JoinedStr": "y = f'{1}'",
    "Lambda": "y = lambda: x",
    "List": "y = [x]",
    "ListComp": "y = [x for k in (1, 2)]",
    "Match": "match n:\n        case 1: pass",
    "NamedExpr": "y = (t := x)",
    "Set": "y = {1}",
    "SetComp": "y = {k for k in (1, 2)}",
    "Starred": "y = (*(x, x),)",
    "UAdd": "y = +i",
    "USub": "y = -i",
}

REFUSED = {
    # statements
    "AsyncFor": "async for k in A: pass",
    "AsyncFunctionDef": "async def f(): pass",
    "AsyncWith": "async with A: pass",
    "ClassDef": "class C: pass",
    "Delete": "del x",
    "Global": "global y",
    "Import": "import os",
    "ImportFrom": "from os import path",
    "Nonlocal": "nonlocal around",
    "Raise": "raise ValueError",
    "Return": "return x",
    "Try": "try: pass\n    finally: pass",
    "TryStar": "try: pass\n    except* ValueError: pass",
    "TypeAlias": "type T = int",
    # expressions
    "Await": "y = await x",
    "Interpolation": None,  # it stands in a TemplateStr only
    "TemplateStr": "y = t'{x}'",
    "Yield": "yield x",
    "YieldFrom": "yield from A",
}
SINCE = {"TryStar": (3, 11), "TypeAlias": (3, 12), "TemplateStr": (3, 14), "Interpolation": (3, 14)}
ASYNCHRONOUS = {"AsyncFor", "AsyncWith", "Await"}
OLD_NAMES = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "ExtSlice", "Index"}
"""Kinds of Python before 3.8, which `ast` keeps as classes and never makes."""


def kinds(base):
    return {kind.__name__ for kind in base.__subclasses__()} - OLD_NAMES


def all_kinds():
    return set().union(*map(kinds, (ast.stmt, ast.expr, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)))


def test_the_tables_have_every_kind_of_this_python():
    later = {name for name, version in SINCE.items() if sys.version_info < version}
    assert TRANSLATED.keys() | REFUSED.keys() == all_kinds() | later
    assert not TRANSLATED.keys() & REFUSED.keys()


@pytest.mark.parametrize("kind", TRANSLATED)
def test_what_is_translated(kind):
    source = f"{HEAD}\n    {TRANSLATED[kind]}\n"
    assert any(type(node).__name__ == kind for node in ast.walk(ast.parse(source)))
    assert text(source).startswith("func @kernel(")


def source_of(kind):
    lines = f"{HEAD}\n    # what follows is wrong\n    {REFUSED[kind]}\n"
    if kind in ASYNCHRONOUS:
        return f"async {lines}"
    if kind == "Nonlocal":
        inner = "".join(f"    {line}\n" for line in lines.splitlines())
        return f"def outer():\n    around = 1\n{inner}    return kernel\n"
    return lines


def refusal(kind):
    """What is said of a kind, and in which line."""
    source = source_of(kind)
    assert any(type(node).__name__ == kind for node in ast.walk(ast.parse(source)))
    kernel = function(source, "<kernel>")
    (found,) = findings(kernel() if kind == "Nonlocal" else kernel)
    return found


@pytest.mark.parametrize("kind", [kind for kind in REFUSED if REFUSED[kind] and kind not in ASYNCHRONOUS])
def test_what_is_refused_says_why_and_what_to_write(kind):
    if sys.version_info < SINCE.get(kind, (3,)):
        with pytest.raises(SyntaxError):
            ast.parse(source_of(kind))
        return
    found = refusal(kind)
    assert found.code in ("PYTL-1030", "PYTL-1031", "PYTL-1032", "PYTL-1051")
    assert found.help
    assert found.location.line == (5 if kind == "Nonlocal" else 3)


def test_each_refusal_is_of_its_own():
    kinds_here = [k for k in REFUSED if REFUSED[k] and k not in ASYNCHRONOUS]
    kinds_here = [k for k in kinds_here if sys.version_info >= SINCE.get(k, (3,))]
    messages = [refusal(kind).message for kind in kinds_here]
    assert len(set(messages)) == len(messages)


@pytest.mark.parametrize("kind", sorted(ASYNCHRONOUS))
def test_what_stands_in_coroutines_only(kind):
    """A kernel is no coroutine, so that what only coroutines have is never reached."""
    assert refusal(kind).message == "kernel is written with async def"


@pytest.mark.parametrize(
    ("statements", "count"),
    [
        # one mistake each: what a refused piece binds is no further one
        ("y = (t := nobody)\nA[i] = t + y", 1),
        ("import os\nA[i] = os.x", 1),
        ("match n:\n    case 1: t = x\n    case [a, *rest]: A[i] = a\n    case t: A[i] = f32(t)\nA[i] = nobody", 1),
        ("try:\n    t = x\nexcept ValueError as error:\n    A[i] = error\nelse:\n    t = x\nfinally:\n    pass\nA[i] = t", 1),
        ("async def f(): pass\nA[i] = f(x)", 1),
        ("class C: pass\nA[i] = C(x)", 1),
        ("while b:\n    t = x\nelse:\n    t = x\nA[i] = t", 1),
        ("A[i] = [y for y in A]", 1),
        # what stands inside is looked at
        ("while b:\n    A[i] = nobody\nelse:\n    A[i] = no_one", 3),
        ("try:\n    A[i] = nobody\nexcept ValueError:\n    A[i] = no_one\nelse:\n    A[n] = x\nfinally:\n    A[i] = n", 5),
        ("match n:\n    case 1: A[i] = nobody\n    case 2: A[n] = x", 2),
    ],
)  # fmt: skip
def test_follow_on_mistakes(statements, count):
    lines = "".join(f"    {line}\n" for line in statements.splitlines())
    assert len(findings(f"{HEAD}\n{lines}")) == count


@pytest.mark.parametrize(
    ("statement", "code", "wrong"),
    [
        ("y = n is i", "PYTL-1051", "is is not defined on values of a kernel"),
        ("y = n is not i", "PYTL-1051", "is not is not defined on values of a kernel"),
        ("y = n in {1, 2}", "PYTL-1051", "in is not defined on values of a kernel"),
        ("x @= x", "PYTL-1051", "@ is not defined on f32"),
        ("M @= M", "PYTL-1051", "@= is not defined on a tensor"),
        ("x **= A", "PYTL-1051", "** is not defined on f32 and memref<f32x4>"),
        ("A.T += 1", "PYTL-1034", "an attribute can't be assigned to"),
        ("y = A[0:4:2]", "PYTL-1054", "a slice has no step"),
        ("A[0:2] += i", "PYTL-1050", "index is stored, but the elements are f32"),
        ("A[i] = 'text'", "PYTL-1003", "the Python string 'text' is not a value of the language"),
        ("A[i] = b'bytes'", "PYTL-1003", "a Python bytes is not a value of the language"),
        ("A[i] = ...", "PYTL-1003", "a Python ellipsis is not a value of the language"),
        ("A[i] = None", "PYTL-1003", "None is not a value of the language"),
        ("for k, l in range(2): pass", "PYTL-1033", "a loop over a range has one variable"),
        ("for A[0] in range(2): pass", "PYTL-1033", "a loop over a range has one variable"),
        ("for k in A: pass", "PYTL-1033", "A can't be looped over"),
        ("with parallel() as p: pass", "PYTL-1030", "with is used with parallel() only"),
        ("with open('f'): pass", "PYTL-1030", "with is used with parallel() only"),
        ("[y, z, *w] = (x,)", "PYTL-1034", "at least 2 names are given for 1 values"),
        ("y = A[*(i,)]", "PYTL-1031", "there is no * here"),
    ],
)  # fmt: skip
def test_other_forms(statement, code, wrong):
    if "[*" in statement and sys.version_info < (3, 11):
        return  # a form of Python 3.11
    (found,) = findings(f"{HEAD}\n    {statement}\n")
    assert (found.code, found.message) == (code, wrong)
