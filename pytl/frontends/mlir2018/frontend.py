"""The document's MLIR of 2018 as a front end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics import Diagnostics, LanguageError, Source
from ...ir.text import ParsedText
from ...ir.values import Module
from ..base import Frontend
from . import rules

if TYPE_CHECKING:
    from . import tree


class Mlir2018Frontend(Frontend):
    """MLIR as its document of 2018 writes it."""

    name = "mlir-2018"
    title = "MLIR of 2018"
    endings = (".mlir2018",)

    def read(self, text: str, name: str, *, strict: bool = False, internal: bool = False) -> ParsedText:
        from .executed import kernels_of

        module, diagnostics = read_checked(text, name)
        read = Module() if diagnostics.errors else kernels_of(module, diagnostics)
        if strict:
            diagnostics.make_errors(lambda each: each.rule is rules.SPELLING)
        return ParsedText(read, diagnostics, Source(name, text))

    def translate(self, text: str, name: str, to: str) -> tuple[str, Diagnostics] | None:
        """The text by the grammar of the document (`mlir-2018`), or in today's MLIR (`mlir`)."""
        if to not in (self.name, "mlir"):
            return None
        module, diagnostics = read_checked(text, name)
        _raise_errors(diagnostics)
        if to == self.name:
            from .printer import print_module

            return print_module(module), diagnostics
        from .today import print_today, to_operations

        operations = to_operations(module, diagnostics)
        _raise_errors(diagnostics)
        return print_today(operations), diagnostics


def read_checked(text: str, name: str) -> tuple[tree.Module, Diagnostics]:
    """The tree of a text, whose names are resolved, with all that is to say about it."""
    from .check import check_module
    from .reader import read_text

    module, diagnostics = read_text(text, name)
    check_module(module, diagnostics)
    return module, diagnostics


def _raise_errors(diagnostics: Diagnostics) -> None:
    if diagnostics.errors:
        raise LanguageError(diagnostics.in_order())
