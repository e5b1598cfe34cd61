"""Sizes by name in annotations: `Memref[f32, "n", "n + 1"]`, and `Memref[f32, N]` where N is a constexpr parameter."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from ...diagnostics import PytlError
from ...process.records import dataclass
from .rules import TYPE_ARGUMENTS

_OPERATORS: dict[type[ast.operator], tuple[str, Callable[[int, int], int]]] = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.FloorDiv: ("//", operator.floordiv),
}
_LONGEST = 200
"""Characters of an expression."""
_FORM = 'write a name, "n", or an expression of names and integers with + - * //, such as "2 * n + 1"'


@dataclass(frozen=True)
class Size:
    """The size of a mode as an expression of names. As an object in annotations, it computes with integers, too."""

    text: str

    @classmethod
    def read(cls, text: str) -> Size:
        """The size in a text; raises `pytl.PytlError` where the text is not a size."""
        try:
            tree = ast.parse(text.strip(), mode="eval").body if len(text) <= _LONGEST else None
        except (SyntaxError, ValueError, RecursionError):
            tree = None
        if tree is None or not _is_size(tree):
            raise PytlError.single(TYPE_ARGUMENTS, f"{text[:_LONGEST]!r} is not a size", help=_FORM)
        return cls(ast.unparse(tree))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the expression, each once, in their order."""
        names = [node.id for node in ast.walk(ast.parse(self.text, mode="eval")) if isinstance(node, ast.Name)]
        return tuple(dict.fromkeys(names))

    @property
    def is_name(self) -> bool:
        """Whether this is a name alone, so that the size determines the name's value."""
        return self.text.isidentifier()

    def value(self, values: Mapping[str, int]) -> int | None:
        """The number, None where a name has no value, or a divisor is zero."""
        try:
            return _value(ast.parse(self.text, mode="eval").body, values)
        except (KeyError, ZeroDivisionError):
            return None

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return repr(self.text)

    def _with(self, sign: str, other: Any, *, is_left: bool = True) -> Size:
        if isinstance(other, bool) or not isinstance(other, (int, Size)):
            return NotImplemented
        left, right = (self, other) if is_left else (other, self)
        return Size.read(f"({left}) {sign} ({right})")

    def __add__(self, other: Any) -> Size:
        return self._with("+", other)

    def __radd__(self, other: Any) -> Size:
        return self._with("+", other, is_left=False)

    def __sub__(self, other: Any) -> Size:
        return self._with("-", other)

    def __rsub__(self, other: Any) -> Size:
        return self._with("-", other, is_left=False)

    def __mul__(self, other: Any) -> Size:
        return self._with("*", other)

    def __rmul__(self, other: Any) -> Size:
        return self._with("*", other, is_left=False)

    def __floordiv__(self, other: Any) -> Size:
        return self._with("//", other)

    def __rfloordiv__(self, other: Any) -> Size:
        return self._with("//", other, is_left=False)


@dataclass(frozen=True)
class Sizes:
    """The named sizes of an annotation: of each mode of the memref, and the number of memrefs of a group."""

    modes: tuple[Size | None, ...] = ()
    count: Size | None = None

    def __bool__(self) -> bool:
        return self.count is not None or any(self.modes)

    def __iter__(self) -> Any:
        """Each named size, with its mode; that of a group's count is None."""
        yield from ((mode, size) for mode, size in enumerate(self.modes) if size is not None)
        if self.count is not None:
            yield None, self.count


def _is_size(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return type(node.op) in _OPERATORS and _is_size(node.left) and _is_size(node.right)
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    return isinstance(node, ast.Name)


def _value(node: ast.expr, values: Mapping[str, int]) -> int:
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op)][1](_value(node.left, values), _value(node.right, values))
    if isinstance(node, ast.Name):
        return values[node.id]
    assert isinstance(node, ast.Constant) and isinstance(node.value, int)
    return node.value
