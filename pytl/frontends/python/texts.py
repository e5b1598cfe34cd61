"""f-strings: texts that are known while tracing, and texts with places for values, which print and assert show."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from ...ir.values import Value
from ...ops import debug
from ..lang.traced import Shape, Transposed, describe, is_collection, is_python
from .arithmetic import fold
from .expressions import entries
from .frame import Frame, expression
from .rules import SHOWN, TEXT

_CONVERSIONS: dict[int, Callable[[Any], str]] = {ord("r"): repr, ord("s"): str, ord("a"): ascii}


@expression(ast.JoinedStr)
def _text(frame: Frame, node: ast.JoinedStr) -> str:
    pieces = []
    for part in node.values:
        if not isinstance(part, ast.FormattedValue):
            assert isinstance(part, ast.Constant)
            pieces.append(str(part.value))
            continue
        item = frame.known(part.value)
        if not is_python(item):
            advice = "show it: print(f'…'), or leave it out of the text"
            frame.fail(TEXT, f"the text contains {describe(item)}, which is known at run time only", part.value, advice)
        pieces.append(formatted(frame, item, part))
    return "".join(pieces)


def formatted(frame: Frame, item: Any, part: ast.FormattedValue) -> str:
    """The text of a Python constant in an f-string."""
    form = _text(frame, part.format_spec) if isinstance(part.format_spec, ast.JoinedStr) else ""
    convert = _CONVERSIONS.get(part.conversion)
    text: str = fold(frame, part.value, lambda: format(convert(item) if convert is not None else item, form))
    return text


class Template:
    """A text with places for values, and the values."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.template = ""
        self.values: list[Value] = []

    def add(self, node: ast.expr) -> None:
        """Add the text and values of one argument."""
        if not isinstance(node, ast.JoinedStr):
            self._item(self.frame.known(node), node)
            return
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                item = self.frame.known(part.value)
                if is_python(item):
                    self.text(formatted(self.frame, item, part))
                else:
                    self._item(item, part.value, self._format(part))
            else:
                assert isinstance(part, ast.Constant)
                self.text(str(part.value))

    def text(self, text: str) -> None:
        """Add a text as it is."""
        self.template += text.replace("{", "{{").replace("}", "}}")

    def _format(self, part: ast.FormattedValue) -> str:
        text = _text(self.frame, part.format_spec) if isinstance(part.format_spec, ast.JoinedStr) else ""
        if not debug.FORMAT.fullmatch(text):
            self.frame.fail(
                SHOWN, "print doesn't support this format", part.value, "write a plain format, such as {x:8.3f}"
            )
        return text

    def _item(self, item: Any, node: ast.expr, form: str = "") -> None:
        if is_python(item):
            self.text(fold(self.frame, node, lambda: format(item, form)))
        elif isinstance(item, dict):
            self.text("{")
            for position, (key, entry) in enumerate(item.items()):
                self.text(f"{', ' if position else ''}{key!r}: ")
                self._item(entry, node)
            self.text("}")
        elif is_collection(item) or isinstance(item, Shape):
            first, last = "[]" if isinstance(item, list) else "()"
            self.text(first)
            for position, entry in enumerate(entries(self.frame, item, node)):
                self.text(", " if position else "")
                self._item(entry, node)
            self.text(last)
        elif isinstance(item, Value) and debug.SHOWN.admits(item.type):
            self.template += f"{{:{form}}}" if form else "{}"
            self.values.append(item)
        else:
            self.frame.fail(SHOWN, f"{describe(item)} can't be shown", node, advice_on_shown(item))


def advice_on_shown(item: Any) -> str:
    """What to show instead of something that can't be."""
    if isinstance(item, Transposed):
        return "show the matrix itself"
    if isinstance(item, Value):
        return "store it in memory first" if "coopmatrix" in str(item.type) else "show one of its memrefs: G[g]"
    return "name its type, such as f32(x)"
