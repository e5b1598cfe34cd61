"""What test programs print, and functions of MLIR's libraries for tests that texts declare and call.

The texts are those of `mlir-runner` with its libraries for tests, and of the library of Intel's extensions of MLIR.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import ml_dtypes
import numpy as np

from ....mlir.externals import NUMBERS, OF_ELEMENTS, PRODUCTS, WORDS
from ....mlir.text import Operation, Vector
from . import numbers, rules
from .machine import SubGroup
from .machine import executes as _of
from .memrefs import as_array
from .values import MemrefValue

External = Callable[[SubGroup, Operation, list[Any]], "Sequence[Any] | None"]
EXTERNALS: dict[str, External] = {}
"""By the names that texts declare (`pytl.mlir.externals`)."""
_PRINTED: dict[str, Any] = {
    "F16": np.float16,
    "BF16": ml_dtypes.bfloat16,
    "F32": np.float32,
    "F64": np.float64,
    "C32": np.complex64,
    "C64": np.complex128,
    "I8": np.int8,
    "I16": np.int16,
    "I32": np.int32,
    "I64": np.int64,
    "Ind": np.int64,
}
"""The names of elements, as functions have them."""


def _named(name: str) -> Callable[[External], External]:
    def add(external: External) -> External:
        EXTERNALS[name] = external
        return external

    return add


# Numbers and memrefs as C++ prints them.


def general(number: Any) -> str:
    """A float as `%g` prints it; `-nan` has a sign."""
    value = float(number)
    if np.isnan(value):
        return "-nan" if np.signbit(value) else "nan"
    return f"{value:g}"


def element(number: Any) -> str:
    """An element of a memref; a byte is a character."""
    kind = np.asarray(number).dtype
    if kind == np.int8:
        return chr(int(number) & 0xFF)
    if kind.kind == "c":
        return f"({general(number.real)},{general(number.imag)})"
    return str(int(number)) if kind.kind in "iu" else general(number)


def _elements(array: np.ndarray, rank: int, depth: int = 0) -> str:
    """Rows in brackets, with as many blanks between numbers as there are dimensions, and one more."""
    if array.ndim == 0:
        return element(array[()])
    if array.ndim == 1:
        return f"[{(',' + ' ' * (rank + 1)).join(map(element, array))}]"
    rows = [_elements(row, rank, depth + 1) for row in array]
    return f"[{(', ' + chr(10) + ' ' * (depth + 1)).join(rows)}]"


def described(memref: MemrefValue) -> str:
    """Where a memref is, and its sizes and strides."""
    sizes, strides = (", ".join(str(int(each[0])) for each in numbers_) for numbers_ in (memref.sizes, memref.strides))
    return (
        f"Memref base@ = {hex(int(memref.address[0]))} rank = {len(memref.sizes)} "
        f"offset = {int(memref.offset[0])} sizes = [{sizes}] strides = [{strides}]"
    )


def _array(self: SubGroup, op: Operation, value: Any, dtype: Any = None) -> np.ndarray:
    array = as_array(self, op, value)
    if dtype is not None and array.dtype != dtype:
        message = f"@{op.callee} is of memrefs of {np.dtype(dtype).name}, and is passed one of {array.dtype.name}"
        self.fail(op, rules.DEFINED, message)
    return array


def _print_ranked(dtype: Any, self: SubGroup, op: Operation, operands: list[Any]) -> None:
    array = _array(self, op, operands[0], dtype)
    text = _elements(array, array.ndim)
    self.execution.write(f"{described(operands[0])} data = \n{text if array.ndim else f'[{text}]'}\n")


def _print_memref(dtype: Any, self: SubGroup, op: Operation, operands: list[Any]) -> None:
    self.execution.write("Unranked ")
    _print_ranked(dtype, self, op, operands)


def _print_shape(dtype: Any, self: SubGroup, op: Operation, operands: list[Any]) -> None:
    _array(self, op, operands[0], dtype)
    self.execution.write(f"Unranked {described(operands[0])}\n")


_CLOSE = (1e-4, 1e-3)
"""How far elements may be apart: absolutely, and by the second one."""


def _allclose(dtype: Any, self: SubGroup, op: Operation, operands: list[Any]) -> bool:
    """Whether elements are those of a memref of f32, one after the other, as far as both have some."""
    found = _array(self, op, operands[0], dtype).astype(np.float32).ravel()
    wanted = _array(self, op, operands[1], np.float32).ravel()
    count = min(found.size, wanted.size)
    found, wanted = found[:count], wanted[:count]
    absolute, relative = _CLOSE
    return not (np.abs(found - wanted) > absolute + relative * np.abs(wanted)).any()


def _print_allclose(dtype: Any, self: SubGroup, op: Operation, operands: list[Any]) -> None:
    self.execution.write(f"[ALLCLOSE: {'TRUE' if _allclose(dtype, self, op, operands) else 'FALSE'}]\n")


def _gives_allclose(dtype: Any, self: SubGroup, op: Operation, operands: list[Any]) -> Sequence[Any]:
    return [np.array([_allclose(dtype, self, op, operands)])]


def _print_largest(dtype: Any, self: SubGroup, op: Operation, operands: list[Any]) -> None:
    """The largest differences, by themselves and beside the elements."""
    a, b = (_array(self, op, each, dtype).astype(np.float64).ravel() for each in operands)
    count = min(a.size, b.size)
    a, b = a[:count], b[:count]
    apart = np.abs(a - b)
    for name, error in (("absolute", apart), ("relative", apart / np.fmax(np.abs(a), np.abs(b)))):
        known = np.where(np.isnan(error), 0, error)
        at = int(np.argmax(known)) if count else 0
        largest = known[at] if count else 0.0
        pair = (a[at], b[at]) if largest > 0 else (np.inf, np.inf)
        where = f"at idx={at} (i={general(pair[0])}, j={general(pair[1])})"
        self.execution.write(f"Max {name} error {general(largest)} {where}\n")


def _fill(dtype: Any, self: SubGroup, op: Operation, operands: list[Any]) -> None:
    _array(self, op, operands[0], dtype)[...] = operands[1][0].astype(dtype)


def _fill_at_random(dtype: Any, self: SubGroup, op: Operation, operands: list[Any]) -> None:
    """Numbers of a range, whole ones if the last operand is true; the same ones in each run."""
    array = _array(self, op, operands[0], dtype)
    lower, upper, are_whole = (each[0] for each in operands[1:4])
    drawn = self.execution.random.uniform(float(lower), float(upper), array.shape)
    array[...] = (np.trunc(drawn) if are_whole else drawn).astype(dtype)


def _product(dtype: Any, result: Any, self: SubGroup, op: Operation, operands: list[Any]) -> None:
    """C += A B in f32, C rounded to a type."""
    a, b = (_array(self, op, each, dtype) for each in operands[:2])
    c = _array(self, op, operands[2], np.float32)
    shapes = [each.shape for each in (a, b, c)]
    if any(len(shape) != 2 for shape in shapes) or (a.shape[1], a.shape[0], b.shape[1]) != (b.shape[0], *c.shape):
        self.fail(op, rules.DEFINED, f"@{op.callee}: the shapes {shapes} are those of no product")
    c[...] = (c + a.astype(np.float32) @ b.astype(np.float32)).astype(result).astype(np.float32)


def _verify(dtype: Any, self: SubGroup, op: Operation, operands: list[Any]) -> Sequence[Any]:
    """How many elements differ."""
    found, wanted = (_array(self, op, each, dtype) for each in operands)
    if found.shape != wanted.shape:
        return [np.array([1], np.int64)]
    same = (
        np.isclose(found, wanted, rtol=1e-6, atol=0) & np.isfinite(found)
        if found.dtype.kind not in "iu"
        else found == wanted
    )
    return [np.array([int((~same).sum())], np.int64)]


_BY_ELEMENTS: dict[str, Callable[..., Any]] = {
    "printMemref": _print_memref,
    **{f"printMemref{rank}d": _print_ranked for rank in range(5)},
    "printMemrefShape": _print_shape,
    "verifyMemRef": _verify,
    "printAllclose": _print_allclose,
    "allclose": _gives_allclose,
    "printMaxError": _print_largest,
    "fillResource1D": _fill,
    "fillResource1DRandom": _fill_at_random,
}
for _prefix, _names in OF_ELEMENTS.items():
    for _name in _names:
        EXTERNALS[_prefix + _name] = partial(_BY_ELEMENTS[_prefix], _PRINTED[_name])
for _factors, _result in PRODUCTS:
    _factor = _PRINTED[_factors[: len(_factors) // 2]]
    EXTERNALS[f"gemm{_factors}{_result}"] = partial(_product, _factor, _PRINTED[_result])


def _write(text: str, self: SubGroup, op: Operation, operands: list[Any]) -> None:
    self.execution.write(text)


for _name, _text in WORDS.items():
    EXTERNALS[_name] = partial(_write, _text)


@_named("printI64")
def _print_i64(self: SubGroup, op: Operation, operands: list[Any]) -> None:
    self.execution.write(str(int(operands[0][0])))


@_named("printU64")
def _print_u64(self: SubGroup, op: Operation, operands: list[Any]) -> None:
    self.execution.write(str(int(numbers.unsigned(operands[0])[0])))


def _print_float(self: SubGroup, op: Operation, operands: list[Any]) -> None:
    self.execution.write(general(operands[0][0]))


EXTERNALS |= {name: _print_float for name in NUMBERS if name not in EXTERNALS}


@_named("rtclock")
def _clock(self: SubGroup, op: Operation, operands: list[Any]) -> Sequence[Any]:
    return [np.array([time.time()])]


@_named("nanoTime")
@_named("_mlir_ciface_nanoTime")
def _nanoseconds(self: SubGroup, op: Operation, operands: list[Any]) -> Sequence[Any]:
    return [np.array([time.time_ns()], np.int64)]


@_named("printFlops")
def _flops(self: SubGroup, op: Operation, operands: list[Any]) -> None:
    self.execution.write(f"{general(operands[0][0] / 1e9)} GFLOPS\n")


@_named("rtsrand")
def _seed(self: SubGroup, op: Operation, operands: list[Any]) -> Sequence[Any]:
    """A generator of numbers: here its seed."""
    self.execution.random = np.random.default_rng(int(numbers.unsigned(operands[0])[0]))
    return [np.zeros(1, np.int64)]


@_named("rtrand")
def _random(self: SubGroup, op: Operation, operands: list[Any]) -> Sequence[Any]:
    """A number below a limit; the generator of another library gives others."""
    limit = max(int(operands[1][0]), 1)
    return [np.array([self.execution.random.integers(0, limit)], np.int64)]


def _of_c(function: Callable[..., Any], self: SubGroup, op: Operation, operands: list[Any]) -> Sequence[Any]:
    return [function(*operands)]


for _name, _function in numbers.CALLED.items():
    EXTERNALS[_name] = partial(_of_c, _function)


# vector.print and gpu.printf.


@_of("vector.print")
def _print(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    """A number, or the numbers of a vector in parentheses, and what stands behind."""
    text = ""
    literal = op.attributes.get("stringLiteral")
    if isinstance(literal, str):
        text = literal
    elif operands:
        text = _vector(operands[0][0], _is_index(op))
        if isinstance(op.operand_types[0], Vector) and not op.operand_types[0].shape:
            text = f"( {text} )"
    punctuation = op.word_of("punctuation") or "newline"
    ends = {"newline": "\n", "comma": ", ", "no_punctuation": "", "open": "( ", "close": " )"}
    if isinstance(literal, str) and punctuation == "newline":
        punctuation = "no_punctuation"
    self.execution.write(text + ends[punctuation])


def _is_index(op: Operation) -> bool:
    return str(op.operand_types[0]).endswith(("index", "index>"))


def _vector(value: Any, is_unsigned: bool) -> str:
    array = np.asarray(value)
    if array.ndim:
        return f"( {', '.join(_vector(each, is_unsigned) for each in array)} )"
    if array.dtype.kind in "iub":
        return str(int(numbers.unsigned(array.reshape(1))[0] if is_unsigned else array))
    return general(array)


_PLACE = re.compile(r"%(?:%|[-+ #0]*[0-9]{0,4}(?:\.[0-9]{0,4})?(?:hh|h|ll|l|z|j|t)?([diuxXofFeEgGcsp]))")


def formatted(text: str, values: list[Any]) -> str:
    """A text with values in the places that C's printf has for them."""
    rest = list(values)

    def place(match: re.Match[str]) -> str:
        kind = match[1]
        if kind is None:
            return "%"
        if not rest:
            return match[0]
        value = rest.pop(0)
        form = re.sub(r"hh|h|ll|l|z|j|t", "", match[0])
        if kind in "diuxXoc":
            whole = int(value)
            return (form.replace("u", "d").replace("i", "d")) % (whole if kind in "di" or whole >= 0 else whole % 2**64)
        return form % float(value) if kind in "fFeEgG" else str(value)

    return _PLACE.sub(place, text)
