"""Rows of loops that end early and of `while`, which Python's kernels have; their text is what the kernel prints."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from tracing_kit import functions

from .control import matrix
from .rows import ELEMENTS, INTEGERS, Data, Row, inside, lines, wide, with_parallel

CHAPTER = "Loops of Python"
AT, COUNT = 5, 6
"""Where loops end early, and how many iterations a `while` has."""


def rows() -> Iterator[Row]:
    for type_ in (*ELEMENTS, "bool"):
        yield _row("for with break", type_, _added("if i == at:", "break"), lambda data: data["a"][:AT].sum())
        yield _row("for with continue", type_, _added("if i == at:", "continue"), _without_one)
    for type_ in INTEGERS:
        yield _row(
            "while",
            type_,
            lines(f"i = {type_}(0)", inside("while i < n:", lines("r = r + a[index(i)]", "i += 2"))),
            lambda data: data["a"][:COUNT:2].sum(),
            {"n": type_},
        )
        yield _row(
            "while that halves",
            type_,
            inside("while n > 1:", lines("n //= 2", "r = r + n")),
            lambda data: COUNT // 2 + COUNT // 4,
            {"n": type_},
        )
    for type_ in ELEMENTS:
        yield _row(
            "while with break and a limit",
            type_,
            lines(
                "i = index(0)",
                inside(
                    "while bound(a[i] == a[i], most=40):",
                    lines(inside("if i == at:", "break"), "r = r + a[i]", "i += 1"),
                ),
            ),
            lambda data: data["a"][:AT].sum(),
        )
        yield _row(
            "return in a loop",
            type_,
            "r = r + given_by(a, at)",
            lambda data: data["a"][AT],
            before=lines(
                "def given_by(a, at):",
                "    for i in range(8):",
                "        for j in range(2):",
                "            if i + j == at:",
                "                return a[i + 1]",
                "    return a[0]",
            ),
        )
    yield from _ends()
    yield _aliasing_matrices()


def _added(*jump: str) -> str:
    return inside("for i in range(8):", lines(inside(*jump), "r = r + a[i]"))


def _without_one(data: Data) -> Any:
    return data["a"].sum() - data["a"][AT]


def _ends() -> Iterator[Row]:
    """What follows loops: their else, and their variable."""
    for word, at in (("that ends", 9), ("that breaks", AT)):
        for head, step in (("for i in range(8):", "pass"), ("while i < 8:", "i += 1")):
            loop = inside(head, lines(inside("if i == at:", "break"), "r = r + 1", step))
            yield _row(
                f"{head.split()[0]} {word} with else",
                "i32",
                lines("i = index(0)", loop, inside("else:", "r = r + 100")),
                lambda data, at=at: min(at, 8) + 100 * (at > 8),
                given={"at": at},
            )
        yield _row(
            f"variable of a loop {word}",
            "index",
            lines("i = 20", inside("for i in range(at, 8):", inside("if i == 7:", "break")), "r = r + i"),
            lambda data, at=at: 20 if at > 8 else 7,
            given={"at": at},
        )


def _row(
    form: str,
    type_: str,
    python: str,
    added: Callable[[Data], Any],
    parameters: dict[str, str] | None = None,
    given: dict[str, Any] | None = None,
    before: str = "",
) -> Row:
    """A row whose statements add to `r`, which begins as `x`, or change its truth value."""
    element = "i32" if type_ == "bool" else type_
    every = {"x": element, "a": f"memref<{element}x8>", "at": "index", "o": f"memref<{element}>"} | (parameters or {})

    def expected(data: Data) -> Data:
        whole = {name: wide(value) if isinstance(value, np.ndarray) else value for name, value in data.items()}
        return {"o": wide(data["x"]) + added(whole)}

    if type_ == "bool":
        # whether an odd number of elements was seen
        python = lines("r = x < x", python.replace("r = r + a[i]", "r = not r"), "o[()] = 1 if r else 0")
        seen = AT if form.endswith("break") else 7
        return _traced(form, type_, every, python, lambda data: {"o": np.asarray(seen % 2)}, {"at": AT})
    python = lines("r = x", python, "o[()] = r")
    values = {"at": AT, "n": COUNT} | (given or {})
    values = {name: value for name, value in values.items() if name in every}
    return _traced(form, type_, every, python, expected, values, before)


def _aliasing_matrices() -> Row:
    python = lines(
        'r = coop.load(a, 0, 0, shape=(4, 3), use="matrix_acc")',
        inside("for i in range(8):", lines(inside("if i == at:", "break"), "r = r + r")),
        "coop.store(r, o, 0, 0)",
    )
    parameters = {"a": "memref<f32x4x3>", "at": "index", "o": "memref<f32x4x3>"}
    values = {"at": 3}
    return _traced(
        "for with break",
        matrix("f32"),
        parameters,
        with_parallel(python),
        lambda data: {"o": 8 * wide(data["a"])},
        values,
    )


def _traced(
    form: str,
    type_: str,
    parameters: dict[str, str],
    python: str,
    expected: Callable[[Data], Data],
    given: dict[str, Any],
    before: str = "",
) -> Row:
    row = Row(CHAPTER, form, type_, parameters, "", python, expected, "", given=given, before=before)
    text = str(functions(row.source)["f"])
    body = text[text.index(") {\n") + 4 : text.rindex("}")]
    found = textwrap.dedent(body).rstrip("\n")
    line = next((each for each in found.splitlines() if " for " in f" {each}"), found.splitlines()[-1])
    return Row(CHAPTER, form, type_, parameters, found, python, expected, line.strip(), given=given, before=before)
