"""What a row of docs/coverage.md is, and how a row is put together."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from reference_kit import DTYPES

from pytl.ir.text import parse_type
from pytl.ir.types import SCALAR_TYPES, BoolType, GroupType, MemrefType, ScalarType, promotable

Data = dict[str, Any]
"""Arguments by parameter: a number, an array, or a list of arrays for a group."""

ELEMENTS = tuple(SCALAR_TYPES)
INTEGERS = tuple(name for name, t in SCALAR_TYPES.items() if t.is_integer)
FLOATS = tuple(name for name, t in SCALAR_TYPES.items() if t.is_floating)
COMPLEX = tuple(name for name, t in SCALAR_TYPES.items() if t.is_complex)
REALS = INTEGERS + FLOATS
PAIRS = [(a, b) for a in ELEMENTS for b in ELEMENTS if a != b and promotable(SCALAR_TYPES[a], SCALAR_TYPES[b])]
"""Types of which the first is promotable to the second."""

LITERAL = {"integer": "2", "floating": "2.0", "complex": "2j"}
TOLERANCE = {"bf16": 2e-2, "f16": 2e-3, "f32": 1e-6, "f64": 1e-14, "c32": 1e-6, "c64": 1e-14}


def kind(type_: str) -> str:
    return SCALAR_TYPES[type_].kind


def literal(type_: str, value: int = 2) -> str:
    """A constant of the type as the text writes it."""
    return (
        {"integer": f"{value}", "floating": f"{float(value).hex()}", "complex": f"[{float(value).hex()},0x0p+0]"}[
            kind(type_)
        ]
        .replace("0x1.0000000000000p", "0x1p")
        .replace("0x0.0p", "0x0p")
    )


@dataclass(frozen=True)
class Row:
    """A form of an instruction with a type, as a text, as a kernel, and as what it computes."""

    chapter: str
    form: str
    """The instruction with its modifiers, as the text writes it."""
    types: str
    parameters: dict[str, str]
    """The type of each parameter, in the language's text."""
    text: str
    """The instructions of the body."""
    python: str
    """The statements of the body."""
    expected: Callable[[Data], Data]
    """What the arrays hold afterwards that are not as they were, computed with NumPy."""
    line: str
    """The line of the text that the row is about."""
    groups: Any = 1
    dims: dict[str, int] = field(default_factory=dict)
    """The size of each dynamic mode and group, by parameter."""
    given: dict[str, Any] = field(default_factory=dict)
    """Arguments that are not left to chance."""
    attributes: str = ""
    decorator: str = ""
    annotations: dict[str, str] = field(default_factory=dict)
    """Annotations that are not the type's text."""
    tolerance: float | None = None
    before: str = ""
    """Functions that the kernel calls, in Python."""
    called: str = ""
    """Those that its text calls."""

    @property
    def name(self) -> str:
        return f"{self.form} [{self.types}]" if self.types else self.form

    @property
    def module_text(self) -> str:
        head = ",\n        ".join(f"%{name}: {type_.replace('@', '')}" for name, type_ in self.parameters.items())
        attributes = f" attributes{self.attributes}" if self.attributes else ""
        kernel = f"func @f({head}){attributes} {{\n{textwrap.indent(_block(self.text), '  ')}\n}}"
        return "\n\n".join(filter(None, (kernel, self.called)))

    @property
    def source(self) -> str:
        head = ", ".join(
            f"{name}: {self.annotations.get(name) or repr(type_.split('{')[0])}"
            for name, type_ in self.parameters.items()
        )
        body = textwrap.indent(_block(self.python), "    ")
        return f"{self.before}\n@pytl.kernel{self.decorator}\ndef f({head}):\n{body}\n"

    def arguments(self) -> Data:
        """Small integers, so that sums and products are exact in every type."""
        rng = np.random.default_rng(7)
        return {
            name: self.given[name] if name in self.given else self._argument(rng, name, type_.split("{")[0])
            for name, type_ in self.parameters.items()
        }

    def _argument(self, rng: np.random.Generator, name: str, text: str) -> Any:
        type_ = parse_type(text)
        if isinstance(type_, BoolType):
            return True
        if isinstance(type_, ScalarType):
            return small(rng, str(type_))[()]
        size = self.dims.get(name, self.groups)
        memref = type_.memref if isinstance(type_, GroupType) else type_
        assert isinstance(memref, MemrefType)
        shape = tuple(n if isinstance(n, int) else size for n in memref.shape)
        if isinstance(type_, GroupType):
            count = type_.count if isinstance(type_.count, int) else self.dims.get(name, self.groups)
            return [small(rng, str(memref.element), *shape) for _ in range(count)]
        return strided(small(rng, str(memref.element), *shape), memref)


def small(rng: np.random.Generator, element: str, *shape: int) -> np.ndarray:
    """Integers from -3 to 3 in column-major order; complex ones with both parts."""
    numbers: Any = rng.integers(-3, 4, shape)
    if element in COMPLEX:
        numbers = numbers + 1j * rng.integers(-3, 4, shape)
    return np.asarray(numbers).astype(DTYPES[element], order="F")


def strided(values: np.ndarray, type_: MemrefType) -> np.ndarray:
    """The same elements in memory of the layout that the type names."""
    if type_.is_packed or not all(isinstance(s, int) for s in type_.strides):
        return values
    span = 1 + sum((n - 1) * s for n, s in zip(values.shape, type_.strides, strict=True))  # type: ignore[operator]
    buffer = np.zeros(span, values.dtype)
    steps = tuple(s * values.itemsize for s in type_.strides)  # type: ignore[operator]
    array = np.lib.stride_tricks.as_strided(buffer, values.shape, steps)
    array[...] = values
    return array


def wide(values: Any) -> np.ndarray:
    """Numbers to compute with without rounding: whole numbers, double precision, or complex."""
    values = np.asarray(values)
    if values.dtype.kind in "iub":
        return values.astype(np.int64)
    return values.astype(np.complex128 if values.dtype.kind == "c" else np.float64)


def normal(line: str) -> str:
    """A line of text without the names of its values."""
    return re.sub(r"%\w+", "%", line.strip())


def _block(text: str) -> str:
    return textwrap.dedent(text).strip("\n")


def lines(*parts: str) -> str:
    return "\n".join(parts)


def inside(head: str, body: str) -> str:
    """A block of text or Python with its body indented."""
    if head.endswith(":"):
        return f"{head}\n{textwrap.indent(_block(body), '    ')}"
    return f"{head} {{\n{textwrap.indent(_block(body), '  ')}\n}}"


def parallel(body: str) -> str:
    return inside("parallel", body)


def with_parallel(body: str) -> str:
    return inside("with parallel():", body)


def joined(values: Sequence[Any]) -> str:
    return ", ".join(map(str, values))
