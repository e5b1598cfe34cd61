"""Types of MLIR: scalars, vectors, memrefs, and the text of all others."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

_DIMENSION = re.compile(r"(\?|[0-9]+)x")
_SCALAR = re.compile(r"index|(?:si|ui|i)[0-9]+|bf16|tf32|f[0-9]+[A-Z0-9]*")
_STRIDED = re.compile(r"strided<\[([^\]]*)\](?:, offset: (\?|-?[0-9]+))?>")
DYNAMIC = None
"""A size, a stride or an offset that is known at run time only, which MLIR writes as `?`."""


@dataclass(frozen=True)
class Scalar:
    """A number: `f32`, `i64`, `index`."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Vector:
    """A vector of a fixed shape."""

    shape: tuple[int, ...]
    element: Scalar

    def __str__(self) -> str:
        return f"vector<{'x'.join(map(str, (*self.shape, self.element)))}>"


@dataclass(frozen=True)
class Memref:
    """A memref; `strides` and `offset` are in elements, and `space` is the text of its memory space.

    A `layout` is the text of an affine map, whose strides are not known here.
    """

    shape: tuple[int | None, ...]
    element: Type
    strides: tuple[int | None, ...]
    offset: int | None
    space: str
    layout: str = ""

    def __str__(self) -> str:
        sizes = "x".join([*("?" if size is None else str(size) for size in self.shape), str(self.element)])
        space = f", {self.space}" if self.space else ""
        if self.layout:
            return f"memref<{sizes}, {self.layout}{space}>"
        steps = ", ".join("?" if step is None else str(step) for step in self.strides)
        offset = {0: "", None: ", offset: ?"}.get(self.offset, f", offset: {self.offset}")
        layout = (
            "" if self.offset == 0 and self.strides == contiguous(self.shape) else (f", strided<[{steps}]{offset}>")
        )
        return f"memref<{sizes}{layout}{space}>"


@dataclass(frozen=True)
class Opaque:
    """Any other type, by its text: that of a dialect, a function's."""

    text: str

    def __str__(self) -> str:
        return self.text


Type = Scalar | Vector | Memref | Opaque


@functools.lru_cache(maxsize=4096)
def read_type(text: str) -> Type:
    """The type of a text, which MLIR has printed.

    >>> read_type("vector<8x16xbf16>")
    Vector(shape=(8, 16), element=Scalar(name='bf16'))
    >>> read_type("memref<4x?xf32, strided<[?, 1]>>").strides
    (None, 1)
    """
    text = text.strip()
    if _SCALAR.fullmatch(text):
        return Scalar(text)
    if text.startswith("vector<"):
        shape, parts = dimensions(text[len("vector<") : -1])
        element = read_type(parts[0])
        if isinstance(element, Scalar) and None not in shape and len(parts) == 1:
            return Vector(tuple(size for size in shape if size is not None), element)
    if text.startswith("memref<"):
        shape, parts = dimensions(text[len("memref<") : -1])
        return _memref(shape, parts)
    return Opaque(text)


def _memref(shape: tuple[int | None, ...], parts: list[str]) -> Memref:
    strides, space, map_ = contiguous(shape), "", ""
    offset: int | None = 0
    for part in parts[1:]:
        layout = _STRIDED.fullmatch(part)
        if layout:
            strides = tuple(_number(each) for each in layout[1].split(",") if each.strip())
            offset = _number(layout[2] or "0")
        elif part.startswith("affine_map<"):
            map_ = part
        else:
            space = part
    return Memref(shape, read_type(parts[0]), strides, offset, space, map_)


def contiguous(shape: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """The strides of rows that lie one behind the other."""
    found: list[int | None] = []
    step: int | None = 1
    for size in reversed(shape):
        found.append(step)
        step = None if step is None or size is None else step * size
    return tuple(reversed(found))


def _number(text: str) -> int | None:
    return DYNAMIC if text.strip() == "?" else int(text)


def dimensions(text: str) -> tuple[tuple[int | None, ...], list[str]]:
    """The sizes at the beginning of what stands between `<` and `>`, and the parts after them.

    >>> dimensions("8x16xbf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>")
    ((8, 16), ['bf16', '#xegpu.block_tdesc_attr<array_length = 2 : i64>'])
    """
    shape: list[int | None] = []
    found = _DIMENSION.match(text)
    while found:
        shape.append(_number(found[1]))
        text = text[found.end() :]
        found = _DIMENSION.match(text)
    return tuple(shape), split(text)


def split(text: str) -> list[str]:
    """The parts of a text between the commas that stand in no brackets."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        if letter in "<([{":
            depth += 1
        elif letter in ")]}" or (letter == ">" and text[place - 1] != "-"):
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
    return [*parts, text[start:].strip()]
