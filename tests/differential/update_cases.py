"""Cases for the differential tests of collective instructions: `target := alpha f(factors) + beta target`."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
from differential.cases import BOUNDS, EXACT, Bound, Case, Factors, Sizes, literal, small, strided
from reference_kit import COMPLEX, FLOATS

from pytl.ir.types import SCALAR_TYPES, promote

LAYOUTS = ("packed", "columns apart", "dynamic", "dynamic sizes", "gaps everywhere")

Shaped = tuple[str, tuple[int, ...]]
"""The element type and the shape of an operand."""


def laid_out(values: np.ndarray, type_: str, layout: str) -> tuple[str, np.ndarray]:
    """The type of a parameter for values in a layout, and the array."""
    shape = "".join(f"x{n}" for n in values.shape)
    dynamic = "x?" * values.ndim
    order = values.ndim
    strides, least = [], 2 if layout in ("gaps everywhere", "dynamic") else 1
    for extent in values.shape:
        strides.append(least)
        least = least * extent + 3
    if layout == "packed" or not order:
        return f"memref<{type_}{shape}>", values
    if layout == "dynamic sizes":
        return f"memref<{type_}{dynamic},strided<{','.join(['1', *'?' * (order - 1)])}>>", values
    text = ",".join(map(str, strides))
    if layout == "dynamic":
        return f"memref<{type_}{dynamic},strided<{','.join('?' * order)}>>", strided(values, strides)
    return f"memref<{type_}{shape},strided<{text}>>", strided(values, strides)


def factor(name: str, value: Any, type_: str, known: bool) -> tuple[dict[str, Any], str]:
    """A factor as a parameter, or as a constant: the parameters for it, and its definition."""
    if not known:
        return {name: (type_, value)}, ""
    return {}, f"%{name} = constant {literal(value, type_)} : {type_}\n"


def number(value: complex, type_: str) -> Any:
    if type_ in COMPLEX:
        return complex(value)
    return float(value.real) if type_ in FLOATS else int(value.real)


def forms(type_: str) -> list[dict[str, Any]]:
    """What may vary beside shapes and transposes."""
    alpha, beta = (-1 - 2j, 2 + 3j) if type_ in COMPLEX else (-1, 2)
    adds_twice = BOUNDS["atomic halves"] if type_ in ("f16", "bf16") else EXACT
    found: list[dict[str, Any]] = [
        {"alpha": 1, "beta": 0},
        {"alpha": 1, "beta": 1, "layout": "columns apart"},
        {"alpha": alpha, "beta": beta, "layout": "gaps everywhere"},
        {"alpha": alpha, "beta": beta, "layout": "dynamic", "known": False},
        {"alpha": 0, "beta": 1, "layout": "dynamic sizes", "known": False},
        {"alpha": 3, "beta": 0, "layout": "columns apart", "flag": ".atomic"},
        {"alpha": alpha, "beta": 1, "layout": "dynamic", "flag": ".atomic", "bound": adds_twice},
        {"alpha": alpha, "beta": beta, "layout": "columns apart", "flag": ".atomic.v03"},
        {"alpha": alpha, "beta": beta, "layout": "dynamic", "flag": ".atomic.v03", "known": False},
    ]
    if type_ in FLOATS + COMPLEX:
        found.append({"alpha": 1, "beta": 0, "undefined": True})
        found.append({"alpha": alpha, "beta": 0, "known": False, "undefined": True, "layout": "dynamic sizes"})
    return found


def update_case(
    word: str,
    factors: Sequence[Shaped],
    target: Shaped,
    alpha: complex = 1,
    beta: complex = 0,
    *,
    mode: int | None = None,
    layout: str = "packed",
    known: bool = True,
    flag: str = "",
    numbers: Any = small,
    bound: Bound = EXACT,
    scalars: tuple[str, str] | None = None,
    undefined: bool = False,
) -> Case:
    """An instruction such as `gemm.n.t` on arrays of random numbers.

    `scalars` are the types of alpha and beta, which are constants where they are `known`; `undefined` fills the target
    with nan, of which a beta of zero leaves nothing.
    """
    operands = dict(zip("abc", [*factors, target], strict=False))
    elements = [type_ for type_, _ in operands.values()]
    of = target[0] if len(set(elements)) == 1 else "·".join(elements[:-1]) + "→" + target[0]
    shapes = " ".join("x".join(map(str, shape)) or "scalar" for _, shape in operands.values())
    shown = f"{word}{'' if mode is None else f' along {mode}'}-{of}-{shapes}-{alpha},{beta}"
    shown += f"{'' if known else ' at run time'}-{layout}{flag}{'-nan' if undefined else ''}"
    # by the name, so that a case has its numbers whichever cases are made before it
    generator = np.random.default_rng(list(shown.encode()))
    arrays = {name: numbers(generator, type_, *shape) for name, (type_, shape) in operands.items()}
    *sources, result = arrays
    if undefined:
        arrays[result][...] = np.nan
    if bound is EXACT and word.startswith("gemm") and not set(COMPLEX).isdisjoint(elements):
        bound = BOUNDS["complex products"]
    parameters: dict[str, Any] = {}
    body = ""
    types = scalars or (_promoted([type_ for type_, _ in factors]), target[0])
    for name, value, type_ in zip(("alpha", "beta"), (alpha, beta), types, strict=True):
        more, line = factor(name, number(value, type_), type_, known)
        parameters |= more
        body += line
    parameters |= {name: laid_out(arrays[name], type_, layout) for name, (type_, _) in operands.items()}
    given = [*(f"%{name}" for name in sources), *([] if mode is None else [str(mode)])]
    body += f"{word}{flag} %alpha, {', '.join(given)}, %beta, %{result}"
    axes = (word, mode, of, Sizes(target[1]), Factors(alpha, beta), known, layout, flag, undefined, numbers)
    return Case(shown, parameters, body, bound, axes)


def _promoted(types: Sequence[str]) -> str:
    """The type that all of these are promoted to."""
    found = functools.reduce(promote, (SCALAR_TYPES[type_] for type_ in types))  # type: ignore[arg-type]
    assert found is not None
    return str(found)
