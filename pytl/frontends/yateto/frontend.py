"""The immediate language of YATeTo as a front end."""

from __future__ import annotations

from ...diagnostics import Source
from ...ir.text import ParsedText
from ...ir.values import Module
from ..base import Frontend
from . import rules  # noqa: F401  (which are known as soon as the language is)


class YatetoFrontend(Frontend):
    """The language of YATeTo's draft."""

    name = "yateto"
    title = "the immediate language of YATeTo"
    endings = (".yateto",)

    def read(self, text: str, name: str, *, strict: bool = False, internal: bool = False) -> ParsedText:
        from .instructions import READERS
        from .reader import YatetoReader

        return YatetoReader(Source(name, text), READERS).read(strict)

    def write(self, module: Module) -> str:
        from .printer import print_module

        return print_module(module)
