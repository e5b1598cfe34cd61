"""Rows of the collective instructions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .rows import ELEMENTS, INTEGERS, PAIRS, Data, Row, inside, kind, lines, literal, wide

CHAPTER = "Collective instructions"


def rows() -> Iterator[Row]:
    yield from _alloca()
    yield from _blas()
    yield from _foreach()


def _alloca() -> Iterator[Row]:
    for element in ELEMENTS:
        for attributes, keyword in (("", ""), (" {alignment=64}", ", align=64")):
            line = f"%t = alloca{attributes} : memref<{element}x4x2,local>"
            yield Row(
                CHAPTER,
                f"alloca{attributes.replace(' ', '')}",
                element,
                {"a": f"memref<{element}x4x2>", "x": element, "y": element},
                lines(line, "axpby.n %x, %a, %y, %t", "axpby.n %x, %t, %y, %a")
                .replace("axpby", f"%z = constant {literal(element, 0)} : {element}\naxpby", 1)
                .replace("%y", "%z"),
                lines(f"t = alloca({element}, 4, 2{keyword})", "axpby(x, a, 0, t)", "axpby(x, t, 0, a)").replace(
                    " 0,", f" {_zero(element)},"
                ),
                lambda data: {"a": wide(data["x"]) * wide(data["x"]) * wide(data["a"])},
                line,
            )


def _zero(element: str) -> str:
    return {"integer": "0", "floating": "0.0", "complex": "0.0"}[kind(element)]


# The updates: `c := alpha f(a, b) + beta c`.

Function = Callable[..., Any]


def _update(
    form: str, shapes: dict[str, str], function: Function, call: str, factors: str, mode: int | None = None
) -> Iterator[Row]:
    """Rows of an instruction with each type, and with each promotion where it has no other modifier."""
    *names, target = shapes
    promotions = [] if ".t" in form or "atomic" in form else [(a, (b,) * len(names)) for a, b in PAIRS]
    same = [(element, (element,) * len(names)) for element in ELEMENTS]
    for first, others in [*same, *promotions]:
        # in a promotion the first factor has the lesser type
        elements = dict(zip([*names, target], [first, *others], strict=True))
        last = elements[target]
        atomic = ".atomic" in form
        is_one = form.endswith(".atomic")  # the atomic update of the manual adds
        parameters = {"alpha": first} | {n: f"memref<{elements[n]}{shapes[n]}>" for n in shapes}
        operands = [f"%{n}" for n in names]
        extra = [str(mode)] if mode is not None else []
        line = f"{form} {', '.join(['%alpha', *operands, *extra, '%beta', f'%{target}'])}"
        if is_one:
            text = lines(f"%beta = constant {literal(last, 1)} : {last}", line)
        else:
            parameters["beta"] = last
            text = line
        flag = f", atomic=True{'' if is_one else ', any_beta=True'}" if atomic else ""
        beta = "1" if is_one else "beta"
        beta = f"{beta}.0" if is_one and kind(last) != "integer" else beta
        middle = f"{mode}, " if mode is not None else ""

        def expected(
            data: Data, function: Function = function, names: list[str] = names, is_one: bool = is_one
        ) -> Data:
            term = function(*(wide(data[n]) for n in names))
            weight = 1 if is_one else wide(data["beta"])
            return {target: wide(data["alpha"]) * term + weight * wide(data[target])}

        yield Row(
            CHAPTER,
            form if mode is None else f"{form} mode {mode}",
            first if first == last else f"{first} → {last}",
            parameters,
            text,
            f"{call}(alpha, {factors}, {middle}{beta}, {target}{flag})",
            expected,
            line,
        )


def _blas() -> Iterator[Row]:
    for atomic in ("", ".atomic", ".atomic.v03"):
        for ta in "nt":
            a = "x5x3" if ta == "n" else "x3x5"
            dash = ".T" if ta == "t" else ""
            yield from _update(f"axpby.{ta}{atomic}", {"A": a, "B": "x5x3"}, _op(ta), "axpby", f"A{dash}")
            yield from _update(
                f"gemv.{ta}{atomic}",
                {"A": a, "b": "x3", "c": "x5"},
                lambda a, b, ta=ta: _op(ta)(a) @ b,
                "gemv",
                f"A{dash}, b",
            )
            yield from _update(
                f"sum.{ta}{atomic}",
                {"A": a, "b": "x5"},
                lambda a, ta=ta: _op(ta)(a).sum(axis=1),
                "pytl.sum",
                f"A{dash}",
            )
            for tb in "nt":
                b = "x3x4" if tb == "n" else "x4x3"
                yield from _update(
                    f"gemm.{ta}.{tb}{atomic}",
                    {"A": a, "B": b, "C": "x5x4"},
                    lambda a, b, ta=ta, tb=tb: _op(ta)(a) @ _op(tb)(b),
                    "gemm",
                    f"A{dash}, B{'.T' if tb == 't' else ''}",
                )
        yield from _update(f"ger{atomic}", {"a": "x5", "b": "x4", "C": "x5x4"}, np.outer, "ger", "a, b")
        shapes = {"A": "x5x4", "B": "x5x4", "C": "x5x4"}
        yield from _update(f"hadamard{atomic}", shapes, lambda a, b: a * b, "hadamard", "A, B")
        for mode in range(3):
            shapes = {"A": "x3x4x2", "B": "x3x4x2"}
            cumsum = lambda a, mode=mode: a.cumsum(axis=mode)  # noqa: E731
            yield from _update(f"cumsum{atomic}", shapes, cumsum, "cumsum", "A", mode)
    yield from _orders()


def _op(transpose: str) -> Function:
    return lambda a: a.T if transpose == "t" else a


def _orders() -> Iterator[Row]:
    """Instructions that take other orders, in every type."""
    for element in ELEMENTS:
        scalars = {"alpha": element, "beta": element}

        def made(
            form: str,
            note: str,
            a: str,
            b: str,
            call: str,
            function: Function,
            scalars: Data = scalars,
            element: str = element,
        ) -> Row:
            return Row(
                CHAPTER,
                f"{form} {note}",
                element,
                scalars | {"A": f"memref<{element}{a}>", "B": f"memref<{element}{b}>"},
                f"{form} %alpha, %A, %beta, %B",
                f"{call}(alpha, A{'.T' if '.t' in form and len(a) > 3 else ''}, beta, B)",
                lambda data: {
                    "B": wide(data["alpha"]) * function(wide(data["A"])) + wide(data["beta"]) * wide(data["B"])
                },
                f"{form} %alpha, %A, %beta, %B",
            )

        yield made("axpby.n", "of a single number", "", "", "axpby", lambda a: a)
        yield made("axpby.n", "of vectors", "x6", "x6", "axpby", lambda a: a)
        yield made("sum.n", "of a vector", "x6", "", "pytl.sum", lambda a: a.sum())
        parameters = scalars | dict.fromkeys("ABC", f"memref<{element}x6>")
        line = "hadamard %alpha, %A, %B, %beta, %C"
        yield Row(
            CHAPTER,
            "hadamard of vectors",
            element,
            parameters,
            line,
            "hadamard(alpha, A, B, beta, C)",
            lambda data: {
                "C": wide(data["alpha"]) * wide(data["A"]) * wide(data["B"]) + wide(data["beta"]) * wide(data["C"])
            },
            line,
        )


def _foreach() -> Iterator[Row]:
    for integer in INTEGERS:
        for sizes in ((2,), (2, 3), (2, 3, 4)):
            yield _foreach_over(integer, sizes)
    yield from _foreach_over_types()
    yield Row(
        CHAPTER,
        "parallel",
        "",
        {"n": "memref<i32>"},
        lines("parallel {", "  %0 = constant 1 : i32", "  store.atomic_add %0, %n[]", "}"),
        "with parallel():\n    atomic.add(n[()], 1)",
        lambda data: {"n": data["n"] + 16},
        "parallel {",
    )


def _foreach_over_types() -> Iterator[Row]:
    """Modes that are counted in different types."""
    for first in INTEGERS:
        for second in INTEGERS:
            if first == second:
                continue
            line = f"foreach (%i, %j): {first}, {second} = (%a0, %b0), (%n, %m) {{"
            at = {"i": "%i" if first == "index" else "%ix", "j": "%j" if second == "index" else "%jx"}
            casts = [f"  %{n}x = cast %{n} : index" for n in "ij" if at[n] != f"%{n}"]
            yield Row(
                CHAPTER,
                "foreach over 2 modes of different types",
                f"{first}, {second}",
                {"a": "memref<f32x2x3>", "x": "f32"},
                lines(
                    f"%a0 = constant 0 : {first}",
                    f"%b0 = constant 0 : {second}",
                    f"%n = constant 2 : {first}",
                    f"%m = constant 3 : {second}",
                    line,
                    *casts,
                    f"  store %x, %a[{at['i']}, {at['j']}]",
                    "}",
                ),
                inside(
                    f"for i, j in foreach(({first}(0), {second}(0)), ({first}(2), {second}(3))):",
                    "a[index(i), index(j)] = x",
                ),
                lambda data: {"a": np.full_like(data["a"], data["x"])},
                line,
            )


def _foreach_over(integer: str, sizes: tuple[int, ...]) -> Row:
    count = len(sizes)
    names = "ijk"[:count]
    variables = ", ".join(f"%{n}" for n in names)
    is_index = integer == "index"
    first = ", ".join(["%0"] * count)
    last = ", ".join(f"%{n + 1}" for n in range(count))
    line = f"foreach ({variables}){'' if is_index else f': {integer}'} = ({first}), ({last}) {{"
    body = [] if is_index else [f"%{n}x = cast %{n} : index" for n in names]
    body.append(f"store %x, %a[{variables if is_index else ', '.join(f'%{n}x' for n in names)}]")
    constants = [f"%{n} = constant {size} : {integer}" for n, size in enumerate((0, *sizes))]
    if count == 1:
        bounds = f"{integer}(0), {integer}({sizes[0]})"
    else:
        bounds = f"({', '.join([f'{integer}(0)'] * count)}), ({', '.join(f'{integer}({n})' for n in sizes)})"
    return Row(
        CHAPTER,
        f"foreach over {count} mode{'s' * (count > 1)}",
        integer,
        {"a": f"memref<f32x{'x'.join(map(str, sizes))}>", "x": "f32"},
        lines(*constants, line, *("  " + part for part in body), "}"),
        inside(f"for {', '.join(names)} in foreach({bounds}):", f"a[{', '.join(f'index({n})' for n in names)}] = x"),
        lambda data: {"a": np.full_like(data["a"], data["x"])},
        line,
    )
