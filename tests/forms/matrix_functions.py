"""Rows of the functions of matrices' components, and of sums and extremes of their rows and columns."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pytl.ir.types import SCALAR_TYPES
from pytl.ops.arith import admits_cast, unary_result

from .mixed import BINARY_NUMPY, BINARY_SYMBOLS, UNARY_NUMPY, UNARY_SYMBOLS, USES, aliasing_matrices, matrix
from .rows import (
    COMPLEX,
    ELEMENTS,
    FLOATS,
    INTEGERS,
    PAIRS,
    REALS,
    TOLERANCE,
    Row,
    lines,
    literal,
    parallel,
    wide,
    with_parallel,
)

CHAPTER = "Functions of matrices"
FUNCTIONS = {
    "exp2": lambda a: np.exp(a * np.log(2)),
    "native_exp2": lambda a: np.exp(a * np.log(2)),
    "native_sin": np.sin,
    "native_cos": np.cos,
    "native_log": np.log,
    "native_log2": np.log2,
}
"""Mathematical functions that the manual has not; `sin`, `cos`, `log` and `log2` are the library's in Python."""
ARITHMETIC = {
    **dict.fromkeys(("min", "max", "rem"), REALS),
    **dict.fromkeys(("and", "or", "xor", "shl", "shr"), INTEGERS),
}
UNARY = {"abs": ELEMENTS, "not": INTEGERS, **dict.fromkeys(("conj", "im", "re"), COMPLEX)}


def rows() -> Iterator[Row]:
    yield from _applied()
    yield from _applied_to_several_types()
    yield from _reduced()
    yield from _arithmetic()
    yield from _unary()
    yield from _constructed()
    yield from _converted()
    yield from _prefetched()
    yield from _math()


def _applied() -> Iterator[Row]:
    for number, element in enumerate(ELEMENTS):
        use = USES[number % 3]
        head = f"%r = v04.cooperative_matrix_apply (%i, %j, %v) = %x -> {matrix(element, use)} {{"
        parameters, text, python = aliasing_matrices(
            element,
            element,
            use,
            lines(head, f"  %p = arith.mul %v, %v : {element}", "  yield (%p)", "}"),
            "r = coop.apply(lambda v: v * v, x)",
            count=1,
        )
        yield Row(
            CHAPTER,
            "v04.cooperative_matrix_apply",
            element,
            parameters,
            text,
            python,
            lambda data: {"o": wide(data["mx"]) ** 2},
            head,
        )
    for source, target in PAIRS:
        if source in COMPLEX or target in COMPLEX:
            continue
        head = f"%r = v04.cooperative_matrix_apply (%i, %j, %v, %w) = %x, %y -> {matrix(target)} {{"
        body = lines(
            "  %c = cmp.lt %i, %j : bool",
            f"  %b = if %c -> ({source}) {{",
            "    yield (%v)",
            "  } else {",
            "    yield (%w)",
            "  }",
            f"  %t = cast %b : {target}",
            "  yield (%t)",
            "}",
        )
        call = f"r = coop.apply(lambda i, j, v, w: {target}(v if i < j else w), x, y, indices=True)"
        parameters, text, python = aliasing_matrices(source, target, "matrix_acc", lines(head, body), call)
        yield Row(
            CHAPTER,
            "v04.cooperative_matrix_apply of two, by place",
            f"{source} → {target}",
            parameters,
            text,
            python,
            lambda data: {"o": np.where(np.less(*np.indices((4, 3))), wide(data["mx"]), wide(data["my"]))},
            head,
        )


def _applied_to_several_types() -> Iterator[Row]:
    """The components of one matrix where those of another one are positive, cast to a third type."""
    for number, source in enumerate(ELEMENTS):
        targets = [t for t in ELEMENTS if t != source and admits_cast(SCALAR_TYPES[source], SCALAR_TYPES[t])]
        target = targets[number % len(targets)]
        head = f"%r = v04.cooperative_matrix_apply (%i, %j, %v, %w) = %x, %y -> {matrix(target)} {{"
        zero = literal(source, 0)
        text = lines(
            "%0 = constant 0 : index",
            f"%x = cooperative_matrix_load.n %mx[%0, %0] : {matrix(source)}",
            f"%y = cooperative_matrix_load.n %my[%0, %0] : {matrix('i32')}",
            head,
            "  %n = constant 0 : i32",
            "  %c = cmp.gt %w, %n : bool",
            f"  %b = if %c -> ({source}) {{",
            "    yield (%v)",
            "  } else {",
            f"    %z = constant {zero} : {source}",
            "    yield (%z)",
            "  }",
            f"  %t = cast %b : {target}",
            "  yield (%t)",
            "}",
            "cooperative_matrix_store %r, %o[%0, %0]",
        )
        python = lines(
            'x = coop.load(mx, 0, 0, shape=(4, 3), use="matrix_acc")',
            'y = coop.load(my, 0, 0, shape=(4, 3), use="matrix_acc")',
            f"r = coop.apply(lambda v, w: v if w > 0 else 0, x, y, dtype={target})",
            "coop.store(r, o, 0, 0)",
        )
        yield Row(
            CHAPTER,
            "v04.cooperative_matrix_apply of two types",
            f"{source}, i32 → {target}",
            {"mx": f"memref<{source}x4x3>", "my": "memref<i32x4x3>", "o": f"memref<{target}x4x3>"},
            parallel(text),
            with_parallel(python),
            lambda data: {"o": np.where(data["my"] > 0, wide(data["mx"]), 0)},
            head,
        )


def _reduced() -> Iterator[Row]:
    for word, combine in (("add", np.add), ("max", np.maximum), ("min", np.minimum)):
        for element in ELEMENTS if word == "add" else REALS:
            for mode, shape, axis in (("row", "4x1", 1), ("column", "1x3", 0)):
                line = f"%r = v04.cooperative_matrix_reduce_{word}.{mode} %x : {matrix(element, shape=shape)}"
                parameters, text, python = aliasing_matrices(
                    element, element, "matrix_acc", line, f'r = coop.reduce_{word}(x, "{mode}")', count=1
                )
                yield Row(
                    CHAPTER,
                    f"v04.cooperative_matrix_reduce_{word}.{mode}",
                    element,
                    parameters | {"o": f"memref<{element}x{shape}>"},
                    text,
                    python,
                    lambda data, combine=combine, axis=axis: {
                        "o": combine.reduce(wide(data["mx"]), axis=axis, keepdims=True)
                    },
                    line,
                )


def _arithmetic() -> Iterator[Row]:
    for variant, elements in ARITHMETIC.items():
        for element in elements:
            line = f"%r = v04.arith.{variant} %x, %y : {matrix(element)}"
            parameters, text, python = aliasing_matrices(
                element, element, "matrix_acc", line, f"r = {BINARY_SYMBOLS[variant]}"
            )
            by_constant = variant in ("rem", "shl", "shr")  # which is no zero, and no count beyond the type's bits
            second = {"my": np.asfortranarray(np.full((4, 3), 2))} if by_constant else {}
            if by_constant:
                text = text.replace(
                    f"%y = cooperative_matrix_load.n %my[%0, %0] : {matrix(element)}",
                    f"%y = constant {literal(element)} : {matrix(element)}",
                )
                python = python.replace('coop.load(my, 0, 0, shape=(4, 3), use="matrix_acc")',
                                        f'coop.full({element}, 2, (4, 3), "matrix_acc")')  # fmt: skip
            yield Row(
                CHAPTER,
                f"v04.arith.{variant}",
                element,
                parameters,
                text,
                python,
                lambda data, variant=variant, second=second: {
                    "o": BINARY_NUMPY[variant](*(wide(second.get(name, data[name])) for name in ("mx", "my")))
                },
                line,
            )


def _unary() -> Iterator[Row]:
    for variant, elements in UNARY.items():
        for element in elements:
            result = str(unary_result(variant, SCALAR_TYPES[element]))
            line = f"%r = v04.arith.{variant} %x : {matrix(result)}"
            parameters, text, python = aliasing_matrices(
                element, result, "matrix_acc", line, f"r = {UNARY_SYMBOLS[variant]}", count=1
            )
            yield Row(
                CHAPTER,
                f"v04.arith.{variant}",
                element,
                parameters,
                text,
                python,
                lambda data, variant=variant: {"o": UNARY_NUMPY[variant](wide(data["mx"]))},
                line,
                tolerance=TOLERANCE[element] if variant == "abs" and element in COMPLEX else None,
            )


def _constructed() -> Iterator[Row]:
    for number, element in enumerate(ELEMENTS):
        use = USES[number % 3]
        line = f"%r = v04.cooperative_matrix_construct %s : {matrix(element, use)}"
        yield Row(
            CHAPTER,
            "v04.cooperative_matrix_construct",
            element,
            {"s": element, "o": f"memref<{element}x4x3>"},
            parallel(lines("%0 = constant 0 : index", line, "cooperative_matrix_store %r, %o[%0, %0]")),
            with_parallel(lines(f'r = coop.construct({element}, s, (4, 3), "{use}")', "coop.store(r, o, 0, 0)")),
            lambda data: {"o": np.full((4, 3), wide(data["s"]))},
            line,
        )


def _converted() -> Iterator[Row]:
    for number, (source, target) in enumerate((a, b) for a in ELEMENTS for b in ELEMENTS):
        if not admits_cast(SCALAR_TYPES[source], SCALAR_TYPES[target]):
            continue
        use = USES[number % 2]
        line = f"%r = xetile.convert %x : {matrix(target, use)}"
        parameters, text, python = aliasing_matrices(
            source, target, "matrix_acc", line, f'r = cast(x, {target}, use="{use}")', count=1
        )
        yield Row(
            CHAPTER,
            "xetile.convert",
            f"{matrix(source)} → {matrix(target, use)}",
            parameters,
            text,
            python,
            lambda data: {"o": wide(data["mx"])},
            line,
        )


def _prefetched() -> Iterator[Row]:
    for element in ELEMENTS:
        line = "v04.cooperative_matrix_prefetch 0, %mx[%0, %0], 4, 3"
        text, python = (
            lines(line, f"%r = arith.add %x, %x : {matrix(element)}"),
            lines("coop.prefetch(mx, 0, 0, shape=(4, 3))", "r = x + x"),
        )
        parameters, text, python = aliasing_matrices(element, element, "matrix_acc", text, python, count=1)
        yield Row(
            CHAPTER,
            "v04.cooperative_matrix_prefetch",
            element,
            parameters,
            text,
            python,
            lambda data: {"o": 2 * wide(data["mx"])},
            line,
        )


def _math() -> Iterator[Row]:
    for function, of_numpy in FUNCTIONS.items():
        for element in (*FLOATS, *(COMPLEX if function.endswith("exp2") else ())):
            line = f"%r = v04.math.{function} %x : {element}"
            yield Row(
                "Mathematical functions since release 0.4",
                f"v04.math.{function}",
                element,
                {"x": element, "o": f"memref<{element}>"},
                lines(line, "store %r, %o[]"),
                f"o[()] = {function}(x)",
                lambda data, of_numpy=of_numpy: {"o": of_numpy(wide(data["x"]))},
                line,
                given={"x": 0.5 - 2j if element in COMPLEX else 1.25},
                tolerance=4 * TOLERANCE[element],
            )
