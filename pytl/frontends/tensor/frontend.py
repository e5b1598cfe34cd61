"""The tensor language as a front end."""

from __future__ import annotations

from ...ir.text import ParsedText, parse_text
from ...ir.values import Module
from ..base import Frontend


class TensorFrontend(Frontend):
    """The language of the manual."""

    name = "tensor"
    title = "the tensor language"
    endings = (".tl",)

    def read(self, text: str, name: str, *, strict: bool = False, internal: bool = False) -> ParsedText:
        return parse_text(text, name, strict, internal)

    def write(self, module: Module) -> str:
        return str(module)
