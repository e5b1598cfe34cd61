"""Rows of the mixed instructions that compute: constants, arithmetic, casts, comparisons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pytl.ir.types import SCALAR_TYPES, CoopMatrixType, bool_
from pytl.ops.arith import BINARY, COMPARISONS, UNARY, admits_binary, admits_cast, admits_unary, unary_result

from .rows import (
    COMPLEX,
    ELEMENTS,
    FLOATS,
    TOLERANCE,
    Data,
    Row,
    lines,
    literal,
    parallel,
    wide,
    with_parallel,
)

CHAPTER = "Mixed instructions"
USES = ("matrix_a", "matrix_b", "matrix_acc")

BINARY_SYMBOLS = {
    "add": "x + y",
    "sub": "x - y",
    "mul": "x * y",
    "div": "x / y",
    "rem": "x % y",
    "shl": "x << y",
    "shr": "x >> y",
    "and": "x & y",
    "or": "x | y",
    "xor": "x ^ y",
    "min": "min(x, y)",
    "max": "max(x, y)",
}
BINARY_NUMPY: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "rem": np.fmod,
    "shl": np.left_shift,
    "shr": np.right_shift,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "min": np.minimum,
    "max": np.maximum,
}
UNARY_SYMBOLS = {
    "abs": "abs(x)",
    "neg": "-x",
    "not": "~x",
    "conj": "x.conj()",
    "im": "x.imag",
    "re": "x.real",
}
UNARY_NUMPY: dict[str, Callable[..., Any]] = {
    "abs": np.abs,
    "neg": np.negative,
    "not": np.invert,
    "conj": np.conj,
    "im": np.imag,
    "re": np.real,
}
COMPARE_SYMBOLS = {"eq": "==", "ne": "!=", "gt": ">", "ge": ">=", "lt": "<", "le": "<="}
COMPARE_NUMPY = {
    "eq": np.equal,
    "ne": np.not_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "lt": np.less,
    "le": np.less_equal,
}


def rows() -> Iterator[Row]:
    yield from _constants()
    yield from _binary()
    yield from _unary()
    yield from _casts()
    yield from _comparisons()
    yield from _math()


def matrix(component: str, use: str = "matrix_acc", shape: str = "4x3") -> str:
    return f"coopmatrix<{component}x{shape},{use}>"


def store_flag(condition: str = "%r") -> str:
    """Text that makes a bool visible."""
    return lines(
        f"if {condition} {{",
        "  %one = constant 1 : i32",
        "  store %one, %o[]",
        "} else {",
        "  %zero = constant 0 : i32",
        "  store %zero, %o[]",
        "}",
    )


STORE_FLAG = "o[()] = i32(1) if r else i32(0)"


def aliasing_matrices(
    component: str, result: str, use: str, text: str, python: str, count: int = 2
) -> tuple[dict[str, str], str, str]:
    """Parameters, text and Python of a computation `r` on matrices loaded from x and y, stored in o."""
    names = "xy"[:count]
    parameters = {f"m{n}": f"memref<{component}x4x3>" for n in names} | {"o": f"memref<{result}x4x3>"}
    loads = [f"%{n} = cooperative_matrix_load.n %m{n}[%0, %0] : {matrix(component, use)}" for n in names]
    store = "cooperative_matrix_store %r, %o[%0, %0]"
    body = lines("%0 = constant 0 : index", *loads, text, store)
    python_loads = [f'{n} = coop.load(m{n}, 0, 0, shape=(4, 3), use="{use}")' for n in names]
    return parameters, parallel(body), with_parallel(lines(*python_loads, python, "coop.store(r, o, 0, 0)"))


# Constants.


def _constants() -> Iterator[Row]:
    for value in ("true", "false"):
        line = f"%r = constant {value} : bool"
        python = lines(f"r = {value.capitalize()} if c else {value.capitalize()}", STORE_FLAG)
        python = lines(f"r = bool_({value.capitalize()})", STORE_FLAG)
        wanted = np.int32(value == "true")
        yield Row(
            CHAPTER,
            f"constant {value}",
            "bool",
            {"o": "memref<i32>"},
            lines(line, store_flag()),
            python,
            lambda data, wanted=wanted: {"o": np.full((), wanted)},
            line,
        )
    for element in ELEMENTS:
        line = f"%r = constant {literal(element)} : {element}"
        value: Any = 2
        yield Row(
            CHAPTER,
            "constant",
            element,
            {"o": f"memref<{element}>"},
            lines(line, "store %r, %o[]"),
            f"o[()] = {element}(2)",
            lambda data: {"o": np.full((), 2)},
            line,
        )
        if element in (*FLOATS, *COMPLEX):
            yield from _not_finite(element)
        for use in USES:
            type_ = matrix(element, use)
            line = f"%r = constant {literal(element)} : {type_}"
            parameters = {"o": f"memref<{element}x4x3>"}
            text = parallel(lines("%0 = constant 0 : index", line, "cooperative_matrix_store %r, %o[%0, %0]"))
            python = with_parallel(
                lines(f'r = coop.full({element}, 2, shape=(4, 3), use="{use}")', "coop.store(r, o, 0, 0)")
            )
            yield Row(
                CHAPTER, "constant", type_, parameters, text, python, lambda data: {"o": np.full((4, 3), 2)}, line
            )


def _not_finite(element: str) -> Iterator[Row]:
    for word in ("inf", "-inf", "nan"):
        written, value = (f"[{word},0x0p+0]", complex(float(word), 0)) if element in COMPLEX else (word, float(word))
        line = f"%r = constant {written} : {element}"
        yield Row(
            CHAPTER,
            f"constant {word}",
            element,
            {"o": f"memref<{element}>"},
            lines(line, "store %r, %o[]"),
            f'o[()] = {element}("{word}")',
            lambda data, value=value: {"o": np.full((), value)},
            line,
        )


# Arithmetic.


def _operands(variant: str, element: str, shape: tuple[int, ...] = ()) -> Data:
    """Two operands that the operation is defined on."""
    rng = np.random.default_rng(11)
    x, y = rng.integers(1, 7, (2, *shape))
    if variant in ("shl", "shr"):
        y = y % 4
    if variant == "div":
        # exact in every type
        y = 2 ** (y % 3)
        x = x * 8
    x = np.where(x % 2 == 0, x, -x) if variant not in ("shl",) else x
    if element in COMPLEX:
        x = x + 2j * x
    from reference_kit import DTYPES

    return {
        "x": np.asarray(x).astype(DTYPES[element], order="F"),
        "y": np.asarray(y).astype(DTYPES[element], order="F"),
    }


def _apply(variant: str, x: Any, y: Any) -> Any:
    x, y = wide(x), wide(y)
    if variant == "div":
        return (np.sign(x) * (np.abs(x) // y)) if x.dtype.kind == "i" else x / y
    return BINARY_NUMPY[variant](x, y)


def _binary() -> Iterator[Row]:
    for variant in BINARY:
        if admits_binary(variant, bool_):
            line = f"%r = arith.{variant} %p, %q : bool"
            symbol = {"and": "p and q", "or": "p or q", "xor": "p != q"}[variant]
            symbol = {"and": "p & q", "or": "p | q", "xor": "p ^ q"}[variant]
            function = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}[variant]
            for p, q in ((True, True), (True, False)):
                yield Row(
                    CHAPTER,
                    f"arith.{variant} of {p} and {q}".lower(),
                    "bool",
                    {"p": "bool", "q": "bool", "o": "memref<i32>"},
                    lines(line, store_flag()),
                    lines(f"r = {symbol}", STORE_FLAG),
                    lambda data, function=function: {"o": np.asarray(function(data["p"], data["q"]))},
                    line,
                    given={"p": p, "q": q},
                )
        for element in ELEMENTS:
            scalar = SCALAR_TYPES[element]
            symbol = BINARY_SYMBOLS[variant].replace("/", "//" if scalar.is_integer else "/")
            if admits_binary(variant, scalar):
                line = f"%r = arith.{variant} %x, %y : {element}"
                given = {n: v[()] for n, v in _operands(variant, element).items()}
                yield Row(
                    CHAPTER,
                    f"arith.{variant}",
                    element,
                    {"x": element, "y": element, "o": f"memref<{element}>"},
                    lines(line, "store %r, %o[]"),
                    f"o[()] = {symbol}",
                    lambda data, variant=variant: {"o": _apply(variant, data["x"], data["y"])},
                    line,
                    given=given,
                )
            for use in USES:
                type_ = matrix(element, use)
                if admits_binary(variant, CoopMatrixType(scalar, 4, 3, use)):  # type: ignore[arg-type]
                    line = f"%r = arith.{variant} %x, %y : {type_}"
                    parameters, text, python = aliasing_matrices(element, element, use, line, f"r = {symbol}")
                    operands = _operands(variant, element, (4, 3))
                    yield Row(
                        CHAPTER,
                        f"arith.{variant}",
                        type_,
                        parameters,
                        text,
                        python,
                        lambda data, variant=variant: {"o": _apply(variant, data["mx"], data["my"])},
                        line,
                        given={"mx": operands["x"], "my": operands["y"]},
                    )


def _unary() -> Iterator[Row]:
    for variant in UNARY:
        if admits_unary(variant, bool_):
            line = f"%r = arith.{variant} %p : bool"
            yield Row(
                CHAPTER,
                f"arith.{variant}",
                "bool",
                {"p": "bool", "o": "memref<i32>"},
                lines(line, store_flag()),
                lines("r = not p", STORE_FLAG),
                lambda data: {"o": np.zeros((), np.int32)},
                line,
            )
        for element in ELEMENTS:
            scalar = SCALAR_TYPES[element]
            if admits_unary(variant, scalar):
                result = str(unary_result(variant, scalar))
                line = f"%r = arith.{variant} %x : {result}"
                given = {"x": (3 - 4j if element in COMPLEX else -3)}
                yield Row(
                    CHAPTER,
                    f"arith.{variant}",
                    element,
                    {"x": element, "o": f"memref<{result}>"},
                    lines(line, "store %r, %o[]"),
                    f"o[()] = {UNARY_SYMBOLS[variant]}",
                    lambda data, variant=variant: {"o": UNARY_NUMPY[variant](wide(data["x"]))},
                    line,
                    given=given,
                )
            for use in USES:
                if admits_unary(variant, CoopMatrixType(scalar, 4, 3, use)):  # type: ignore[arg-type]
                    line = f"%r = arith.{variant} %x : {matrix(element, use)}"
                    parameters, text, python = aliasing_matrices(
                        element, element, use, line, f"r = {UNARY_SYMBOLS[variant]}", count=1
                    )
                    yield Row(
                        CHAPTER,
                        f"arith.{variant}",
                        matrix(element, use),
                        parameters,
                        text,
                        python,
                        lambda data, variant=variant: {"o": UNARY_NUMPY[variant](wide(data["mx"]))},
                        line,
                    )


def _casts() -> Iterator[Row]:
    for source in ELEMENTS:
        for target in ELEMENTS:
            if not admits_cast(SCALAR_TYPES[source], SCALAR_TYPES[target]):
                continue
            if source != target:
                line = f"%r = cast %x : {target}"
                yield Row(
                    CHAPTER,
                    "cast",
                    f"{source} → {target}",
                    {"x": source, "o": f"memref<{target}>"},
                    lines(line, "store %r, %o[]"),
                    f"o[()] = cast(x, {target})",
                    lambda data: {"o": np.asarray(wide(data["x"]))},
                    line,
                )
            use = USES[(len(source) + len(target)) % 3]
            line = f"%r = cast %x : {matrix(target, use)}"
            if source != target:
                parameters, text, python = aliasing_matrices(
                    source, target, use, line, f"r = cast(x, {target})", count=1
                )
                yield Row(
                    CHAPTER,
                    "cast",
                    f"{matrix(source, use)} → {target}",
                    parameters,
                    text,
                    python,
                    lambda data: {"o": wide(data["mx"])},
                    line,
                )


def _comparisons() -> Iterator[Row]:
    for variant in COMPARISONS:
        for element in ELEMENTS:
            if element in COMPLEX and variant not in ("eq", "ne"):
                continue
            line = f"%r = cmp.{variant} %x, %y : bool"
            for x, y in ((2, 3), (3, 3)):
                yield Row(
                    CHAPTER,
                    f"cmp.{variant} of {x} and {y}",
                    element,
                    {"x": element, "y": element, "o": "memref<i32>"},
                    lines(line, store_flag()),
                    lines(f"r = x {COMPARE_SYMBOLS[variant]} y", STORE_FLAG),
                    lambda data, variant=variant: {"o": np.asarray(COMPARE_NUMPY[variant](data["x"], data["y"]))},
                    line,
                    given={"x": x, "y": y},
                )


def _math() -> Iterator[Row]:
    for function in ("exp", "native_exp"):
        for element in (*FLOATS, *COMPLEX):
            line = f"%r = math.{function} %x : {element}"
            yield Row(
                CHAPTER,
                f"math.{function}",
                element,
                {"x": element, "o": f"memref<{element}>"},
                lines(line, "store %r, %o[]"),
                f"o[()] = {function}(x)",
                lambda data: {"o": np.exp(wide(data["x"]))},
                line,
                given={"x": 0.5 - 2j if element in COMPLEX else -1.25},
                tolerance=TOLERANCE[element],
            )
