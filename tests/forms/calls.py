"""Rows of calls: what functions are passed, and what they give."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from .mixed import STORE_FLAG, store_flag
from .rows import ELEMENTS, Data, Row, inside, lines, literal, wide

CHAPTER = "Functions that kernels call"


def rows() -> Iterator[Row]:
    yield _of_truth()
    for type_ in ELEMENTS:
        yield _of_number(type_)
        yield _of_several(type_)
        yield _of_memory(type_)
        yield _of_group(type_)
        yield _collective(type_)


def _function(head: str, results: str, *body: str) -> str:
    """A function's text, with a line for each parameter."""
    name, parameters = head.removesuffix(")").split("(")
    listed = (",\n" + " " * len(f"func @{name}(")).join(f"%{each}" for each in parameters.split("; "))
    return "\n".join([f"func @{name}({listed}) -> ({results}) {{", *(f"  {line}" for line in body), "}"])


def _each(line: str, store: str) -> str:
    """A call for each of four elements."""
    body = lines("%x = load %a[%i] : {type_}", line, store) if "%x" in line else lines(line, store)
    head = "foreach (%i) = (%0), (%1)"
    return lines("%0 = constant 0 : index", "%1 = constant 4 : index", inside(head, body.strip("\n")))


def _row(
    form: str,
    type_: str,
    parameters: dict[str, str],
    text: str,
    python: str,
    line: str,
    called: str,
    before: str,
    expected: Callable[[Data], Data],
) -> Row:
    text = text.replace("{type_}", type_)
    return Row(
        CHAPTER,
        f"pytl.call, {form}",
        type_,
        parameters,
        text,
        python,
        expected,
        line,
        before=f"@pytl.function\n{before}\n",
        called=called,
    )


def _of_truth() -> Row:
    line = "%r = pytl.call @not_of(%p) -> (bool)"
    return _row(
        "a number",
        "bool",
        {"p": "bool", "o": "memref<i32>"},
        lines(line, store_flag()),
        lines("r = not_of(p)", STORE_FLAG),
        line,
        _function("not_of(p: bool)", "bool", "%0 = arith.not %p : bool", "yield (%0)"),
        "def not_of(p):\n    return not p",
        lambda data: {"o": np.zeros((), np.int32)},
    )


def _of_number(type_: str) -> Row:
    line = f"%r = pytl.call @twice_{type_}(%x) -> ({type_})"
    return _row(
        "a number",
        type_,
        dict.fromkeys("ao", f"memref<{type_}x4>"),
        _each(line, "store %r, %o[%i]"),
        inside("for i in foreach(4):", f"o[i] = twice_{type_}(a[i])"),
        line,
        _function(f"twice_{type_}(x: {type_})", type_, f"%0 = arith.add %x, %x : {type_}", "yield (%0)"),
        f"def twice_{type_}(x):\n    return x + x",
        lambda data: {"o": 2 * wide(data["a"])},
    )


def _of_several(type_: str) -> Row:
    line = f"%r, %p = pytl.call @several_{type_}(%x) -> ({type_}, bool)"
    called = _function(
        f"several_{type_}(x: {type_})",
        f"{type_}, bool",
        f"%0 = arith.neg %x : {type_}",
        "%1 = cmp.eq %0, %x : bool",
        "yield (%0, %1)",
    )
    return _row(
        "several results",
        type_,
        dict.fromkeys("ao", f"memref<{type_}x4>"),
        _each(line, lines("if %p {", "} else {", "  store %r, %o[%i]", "}")),
        inside("for i in foreach(4):", lines(f"r, p = several_{type_}(a[i])", "if not p:", "    o[i] = r")),
        line,
        called,
        f"def several_{type_}(x):\n    return -x, -x == x",
        lambda data: {"o": np.where(wide(data["a"]) == 0, wide(data["o"]), -wide(data["a"]))},
    )


def _of_memory(type_: str) -> Row:
    line = f"pytl.call @copy_{type_}(%a, %o, %i)"
    called = _function(
        f"copy_{type_}(v: memref<{type_}x4>; w: memref<{type_}x4>; i: index)",
        "",
        f"%0 = load %v[%i] : {type_}",
        "store %0, %w[%i]",
    )
    return _row(
        "memory",
        type_,
        dict.fromkeys("ao", f"memref<{type_}x4>"),
        _each(line, ""),
        inside("for i in foreach(4):", f"copy_{type_}(a, o, i)"),
        line,
        called,
        f"def copy_{type_}(v, w, i):\n    w[i] = v[i]",
        lambda data: {"o": wide(data["a"])},
    )


def _of_group(type_: str) -> Row:
    line = f"%r = pytl.call @item_{type_}(%g, %i) -> ({type_})"
    called = _function(
        f"item_{type_}(g: group<memref<{type_}x4>x?>; i: index)",
        type_,
        "%0 = constant 0 : index",
        f"%1 = load %g[%0] : memref<{type_}x4>",
        f"%2 = load %1[%i] : {type_}",
        "yield (%2)",
    )
    return _row(
        "a group",
        type_,
        {"g": f"group<memref<{type_}x4>x?>", "o": f"memref<{type_}x4>"},
        _each(line, "store %r, %o[%i]"),
        inside("for i in foreach(4):", f"o[i] = item_{type_}(g, i)"),
        line,
        called,
        f"def item_{type_}(g, i):\n    return g[0][i]",
        lambda data: {"o": wide(data["g"][0])},
    )


def _collective(type_: str) -> Row:
    line = f"pytl.call @doubled_{type_}(%a, %o)"
    called = _function(
        f"doubled_{type_}(v: memref<{type_}x4>; w: memref<{type_}x4>)",
        "",
        f"%t = alloca : memref<{type_}x4,local>",
        f"%0 = constant {literal(type_)} : {type_}",
        f"%1 = constant {literal(type_, 0)} : {type_}",
        "axpby.n %0, %v, %1, %t",
        f"%2 = constant {literal(type_, 1)} : {type_}",
        f"%3 = constant {literal(type_, 1)} : {type_}",
        "axpby.n %2, %t, %3, %w",
    )
    return _row(
        "collective",
        type_,
        dict.fromkeys("ao", f"memref<{type_}x4>"),
        line,
        f"doubled_{type_}(a, o)",
        line,
        called,
        f"def doubled_{type_}(v, w):\n    t = alloca({type_}, 4)\n    axpby(2, v, 0, t)\n    axpby(1, t, 1, w)",
        lambda data: {"o": wide(data["o"]) + 2 * wide(data["a"])},
    )
