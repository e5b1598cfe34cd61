"""Rows of the atomic accesses that have a scope and a memory order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from pytl.ops.atomics import ORDERS, SCOPES

from .rows import ELEMENTS, REALS, Data, Row, inside, lines, wide

CHAPTER = "Atomic accesses"
WORDS = {
    "load": (ELEMENTS, ("relaxed", "acquire", "sequentially_consistent")),
    "store": (ELEMENTS, ("relaxed", "release", "sequentially_consistent")),
    "add": (ELEMENTS, tuple(ORDERS)),
    "min": (REALS, tuple(ORDERS)),
    "max": (REALS, tuple(ORDERS)),
}
"""By word, of elements and of matrices: the types of the elements, and the orders."""
OF_ELEMENTS = {**WORDS, "scale_add": (ELEMENTS, tuple(ORDERS))}
COMBINES = {"add": np.add, "min": np.minimum, "max": np.maximum}


def rows() -> Iterator[Row]:
    for word, (elements, orders) in OF_ELEMENTS.items():
        for scope, order in product(SCOPES, orders):
            # each scope relaxed, and each order in the default scope
            if order == "relaxed" or scope == "work_group":
                for element in elements:
                    yield _row(word, scope, order, element)


def _row(word: str, scope: str, order: str, element: str) -> Row:
    modifiers = f".{scope}" * (scope != "work_group") + f".{order}" * (order != "relaxed")
    scales = word == "scale_add"
    computed = "f32" if scales and element in ("f16", "bf16") else element
    form = f"{'v03' if scales else 'v04'}.atomic_{word}{modifiers}"
    options = f'scope="{scope}", order="{order}"'
    operands, result = ("" if word == "load" else "%v, "), ("" if word == "store" else "%r = ")
    operands = f"%s, {operands}" if scales else operands
    line = f"{result}{form} {operands}%a[%i]{f' : {element}' if result else ''}"
    given = [] if word == "load" else [f"%v = load %x[%i] : {element}"]
    if computed != element:
        given = [f"%w = load %x[%i] : {element}", f"%v = cast %w : {computed}"]
    kept = ["store %r, %o[%i]"] if result else []
    call = f"atomic.{word}(a[i], {'s, ' * scales}{'' if word == 'load' else 'x[i], '}{options})"
    return Row(
        CHAPTER,
        form,
        element,
        dict.fromkeys("axo", f"memref<{element}x4>") | ({"s": computed} if scales else {}),
        lines(
            "%0 = constant 0 : index",
            "%n = constant 4 : index",
            inside("foreach (%i) = (%0), (%n)", lines(*given, line, *kept)),
        ),
        inside("for i in foreach(4):", f"o[i] = {call}" if result else call),
        _expected(word),
        line,
    )


def _expected(word: str) -> Any:
    def expected(data: Data) -> Data:
        before, given = wide(data["a"]), wide(data["x"])
        if word == "store":
            return {"a": given}
        if word == "scale_add":
            return {"o": before, "a": wide(data["s"]) * before + given}
        return {"o": before} | ({"a": COMBINES[word](before, given)} if word in COMBINES else {})

    return expected
