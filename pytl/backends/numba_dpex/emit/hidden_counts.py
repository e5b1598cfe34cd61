"""Loops whose number of iterations is kept from the device's compiler.

Intel's OpenCL CPU driver 2026 crashes, and the process with it, where it vectorizes a loop that calls one of OpenCL's
functions of floating point numbers, and the number of iterations is known and leaves a remainder. It vectorizes the
loop as well if the number is known at run time only, and does not crash then.
"""

from __future__ import annotations

import ast
import re

SHORT = 8
"""A loop of up to so many iterations is unrolled, and is no loop when vectors are made, if it has no branches."""

_MATH = ("exp", "exp2", "sin", "cos", "log", "log2")
CALLING = (*_MATH, *(f"native_{name}" for name in _MATH), "fmin", "fmax", "float_rem", "absolute", "complex_div")
"""Functions of generated source that call OpenCL's. `fma` is left out, for drivers have an instruction for it."""

_CALL = re.compile(rf"\b(?:{'|'.join(CALLING)}|cast_b?f16)\(")
_LOOP = re.compile(r" *for \w+ in range\(")


def with_hidden_counts(source: str) -> str:
    """Generated source in which loops that call OpenCL's functions, and hold no such loop, have hidden counts.

    >>> print(with_hidden_counts("for i in range(100):\\n    t[i] = exp(x[i])"))
    for i in range(100 + uniform_zero()):
        t[i] = exp(x[i])
    >>> print(with_hidden_counts("for i in range(8):\\n    t[i] = exp(x[i])"))
    for i in range(8):
        t[i] = exp(x[i])
    """
    lines = source.split("\n")
    calling: dict[int, bool] = {}
    """How far lines are indented that call, or hold lines that do, and whether in a branch; not those of hidden loops.
    Lines are read from the last on."""
    for number, line in reversed(list(enumerate(lines))):
        indent = len(line) - len(line.lstrip())
        inside = [calling.pop(other) for other in list(calling) if other > indent]
        is_loop = bool(_LOOP.match(line))
        count = _hidden(line, 1 if any(inside) else SHORT) if inside and is_loop else None
        if count is not None:
            lines[number] = count
        elif inside:
            calling[indent] = not is_loop or calling.get(indent, False)
        elif _CALL.search(line) and not line.lstrip().startswith("#"):
            calling.setdefault(indent, False)
    return "\n".join(lines)


def _hidden(line: str, short: int) -> str | None:
    """The first line of a loop with its count hidden; None if it has few iterations, or work-items share them."""
    bounds = bounds_of(line)
    if bounds[0] == "local_id()" or (all(map(str.isdecimal, bounds)) and len(range(*map(int, bounds))) <= short):
        return None
    stop = min(1, len(bounds) - 1)
    bounds[stop] = f"{bounds[stop]} + uniform_zero()"
    return f"{line.partition('range(')[0]}range({', '.join(bounds)}):"


def bounds_of(line: str) -> list[str]:
    """What a loop's first line has between the parentheses of its range."""
    text = line.strip()
    loop = ast.parse(f"{text} pass").body[0]
    assert isinstance(loop, ast.For) and isinstance(loop.iter, ast.Call)
    return [ast.get_source_segment(text, bound) or "" for bound in loop.iter.args]
