"""Loops around loops as `while`, which the device's compiler survives where work-items become vectors.

numba keeps the number of iterations that are left beside the variable of a range. Where a loop of that form is within
another one, and 16 work-items become a vector, as with AVX-512, Intel's OpenCL CPU driver 2026 crashes in its
`visitPHINode`, and the process with it. It is enough that one of the two has another form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import takewhile

from .hidden_counts import bounds_of

_LOOP = re.compile(r"(?P<indent> *)for (?P<variable>\w+) in range\(.*\):$")


def with_counted_loops(source: str) -> str:
    """Generated source with `while` for `for` where a loop has another loop inside.

    Nothing in its loops assigns to their variables, and none continues.

    >>> print(with_counted_loops("for i in range(n):\\n    for k in range(4):\\n        x[i] += k"))
    i = 0
    i_stop = n
    while i < i_stop:
        for k in range(4):
            x[i] += k
        i += 1
    """
    used_names = set(re.findall(r"\w+", source))
    lines_written: list[str] = []
    open_loops: list[tuple[int, str]] = []
    """The indents of loops that have not ended, with their last lines."""
    lines = source.split("\n")
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        while line.strip() and open_loops and indent <= open_loops[-1][0]:
            lines_written.append(open_loops.pop()[1])
        match = _LOOP.match(line)
        if match is None or not _has_loop((lines[k] for k in range(number + 1, len(lines))), indent):
            lines_written.append(line)
            continue
        variable, blanks = match["variable"], match["indent"]
        start, stop, step = _bounds(line)
        if not (step.isdecimal() or step == "local_count()"):
            lines_written.append(line)  # it may run down
            continue
        lines_written.append(f"{blanks}{variable} = {start}")
        names = []
        for name, bound in (("stop", stop), ("step", step)):
            if not bound.isdecimal():
                fresh = f"{variable}_{name}"
                while fresh in used_names:
                    fresh += "_"
                lines_written.append(f"{blanks}{fresh} = {bound}")
                bound = fresh
            names.append(bound)
        lines_written.append(f"{blanks}while {variable} < {names[0]}:")
        open_loops.append((indent, f"{blanks}    {variable} += {names[1]}"))
    # what ends with the source ends before its last, empty lines
    empty = len(lines_written) - next((k for k in range(len(lines_written), 0, -1) if lines_written[k - 1].strip()), 0)
    body, tail = lines_written[: len(lines_written) - empty], lines_written[len(lines_written) - empty :]
    return "\n".join([*body, *(last for _, last in reversed(open_loops)), *tail])


def _has_loop(following: Iterable[str], indent: int) -> bool:
    """Whether there is a loop in what is indented further, of the lines that follow."""
    inside = takewhile(lambda line: not line.strip() or len(line) - len(line.lstrip()) > indent, following)
    return any(map(_LOOP.match, inside))


def _bounds(line: str) -> tuple[str, str, str]:
    bounds = bounds_of(line)
    start, stop = bounds[:2] if len(bounds) > 1 else ("0", bounds[0])
    return start, stop, bounds[2] if len(bounds) > 2 else "1"
